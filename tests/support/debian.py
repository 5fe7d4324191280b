"""What a tier needs from Debian: programs for this machine, and packages that are only unpacked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def require(program: str, *packages: str) -> None:
    """Finds a program on PATH. If it is missing, installs these packages, which needs root."""
    if shutil.which(program) is None:
        install(program, *packages)


def require_clang(version: int) -> None:
    """Finds clang with its libraries for fuzzing and sanitizers: other packages install it without them."""
    packages = (f"clang-{version}", f"libclang-rt-{version}-dev")
    require(packages[0], *packages)
    resources = subprocess.check_output([packages[0], "-print-resource-dir"], text=True).strip()
    if not [*Path(resources).glob("lib/*/libclang_rt.*")]:
        install(packages[1], *packages)


def install(missing: str, *packages: str) -> None:
    if os.geteuid():
        sys.exit(f"{missing} is missing; to install it, as root: apt-get install {' '.join(packages)}")
    subprocess.run(["apt-get", "update", "-qq"], check=True)
    subprocess.run(["apt-get", "install", "-qq", "--no-install-recommends", *packages], check=True)


def unpack(folder: Path, suite: str, architecture: str, *packages: str) -> Path:
    """Unpacks packages, and all that they need, into the folder `root` there. It needs no root."""
    root, status = folder / "root", folder / "status"
    if not (folder / "unpacked").exists():
        folder.mkdir(parents=True, exist_ok=True)
        # Nothing is installed there, so that all that the packages need is missing.
        status.touch()
        own = (f"APT::Architecture={architecture}", f"APT::Architectures={architecture}")
        command = apt(folder, "deb", suite, *own, f"Dir::State::Status={status}", "APT::Install-Recommends=0")
        subprocess.run([*command, "-q", "update"], check=True)
        subprocess.run([*command, "-qq", "install", "--yes", "--download-only", *packages], check=True)
        for package in (folder / "archives").glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, root], check=True)
        make_links_relative(root)
        (folder / "unpacked").touch()
    return root


def make_links_relative(root: Path) -> None:
    """A link to an absolute path would lead out of the folder. A compiler then takes libm.a for libm.so."""
    for path in root.rglob("*"):
        if path.is_symlink() and os.path.isabs(target := os.readlink(path)):
            path.unlink()
            path.symlink_to(os.path.relpath(root / target.lstrip("/"), path.parent))


def source(folder: Path, suite: str, package: str, ubuntu: str | None = None) -> Path:
    """Unpacks the source of a package, as its authors released it, and returns the folder. It needs no root.

    If the mirror does not have it, it is that of a suite of Ubuntu.
    """
    pattern = f"{package}_*.orig.tar.*"
    if not any(folder.glob(pattern)):
        try:
            download_source(folder, package, apt(folder / f"sources-{suite}", "deb-src", suite))
        except subprocess.CalledProcessError:
            if ubuntu is None:
                raise
            download_source(folder, package, apt_of_ubuntu(folder / f"sources-{ubuntu}", ubuntu))
    archive = next(path for path in folder.glob(pattern) if path.suffix != ".asc")
    files = subprocess.check_output(["tar", "-tf", archive], text=True)
    unpacked = folder / files.partition("/")[0]
    if not unpacked.exists():
        subprocess.run(["tar", "-xf", archive], cwd=folder, check=True)
    return unpacked


def download_source(folder: Path, package: str, command: list[str]) -> None:
    """Downloads the archive. The signed list of the suite has its hash."""
    subprocess.run([*command, "update"], check=True)
    subprocess.run([*command, "source", "--download-only", "--tar-only", package], cwd=folder, check=True)


def apt(folder: Path, kind: str, suite: str, *options: str) -> list[str]:
    """An apt-get with its own lists in a folder, from the mirror that the machine's own uses. It needs no root.

    `kind` is "deb" or "deb-src". Signatures are checked.
    """
    targets = subprocess.check_output(["apt-get", "indextargets", "--format", "$(REPO_URI)"], text=True).split()
    mirror = next((uri for uri in targets if "security" not in uri), "")
    if not mirror:
        sys.exit("apt has no mirror")
    return apt_get(folder, f"{kind} [signed-by={KEYRING}] {mirror} {suite} main", *options)


def apt_of_ubuntu(folder: Path, suite: str) -> list[str]:
    """The same for sources of Ubuntu. Debian's packages have its keys and its address."""
    packages = folder / "debian"
    # The packages are for any processor: the lists of others, which a machine may ask for, need not be there.
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    debian = apt(packages, "deb", "trixie", f"APT::Architectures={architecture}")
    subprocess.run([*debian, "update"], check=True)
    subprocess.run([*debian, "download", "ubuntu-keyring", "debootstrap"], cwd=packages, check=True)
    for package in packages.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, packages], check=True)
    # Newer suites link to this script.
    script = (packages / "usr/share/debootstrap/scripts/gutsy").read_text()
    mirror = re.findall(r"default_mirror (\S+)", script)[0]
    keyring = packages / "usr/share/keyrings/ubuntu-archive-keyring.gpg"
    return apt_get(folder, f"deb-src [signed-by={keyring}] {mirror} {suite} main universe")


def apt_get(folder: Path, source: str, *options: str) -> list[str]:
    """An apt-get that has this line as its list of sources."""
    for name in ("lists/partial", "archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text(f"{source}\n")
    options = (
        f"Dir::Etc::SourceList={folder}/sources.list", "Dir::Etc::SourceParts=-", f"Dir::Cache={folder}",
        f"Dir::State::Lists={folder}/lists", "APT::Sandbox::User=", *options,
    )  # fmt: skip
    return ["apt-get", "-q", *(word for option in options for word in ("-o", option))]
