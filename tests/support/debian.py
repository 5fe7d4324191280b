"""What a tier takes from Debian's packages, where it is missing."""

from __future__ import annotations

import shutil
import subprocess


def require(program: str, *packages: str) -> None:
    """Has a program on PATH, if need be from these packages, which takes root."""
    if shutil.which(program) is None:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-qq", "--no-install-recommends", *packages], check=True)
