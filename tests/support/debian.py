"""Installs the programs that a tier needs from Debian's packages."""

from __future__ import annotations

import shutil
import subprocess


def require(program: str, *packages: str) -> None:
    """Finds a program on PATH. If it is missing, installs these packages, which needs root."""
    if shutil.which(program) is None:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-qq", "--no-install-recommends", *packages], check=True)
