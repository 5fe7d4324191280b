"""Whether what is committed can be released: `make release-check`. Everything is made and tested in build/release."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = ROOT / "build" / "release"
# Bytes. That of 0.2 had 1,739,164.
LARGEST = 2_800_000
# Its C library is as old as any that a supported CPython runs on.
TAG = "manylinux_2_17_x86_64"
INTERPRETERS = ("cp311", "cp312", "cp313", "cp314", "cp315", "cp314t", "cp315t")
# The command after these words has no network at all.
NO_NETWORK = ("unshare", "--map-root-user", "--net")
# Of domains, encodings, public suffixes, and everything once.
TESTS_OF_NEEDS = ("idna", "encoding", "query_encoding", "psl", "own_cases")
# What the workflow's machines make, each of those of its own architecture; of Linux, others are emulated.
ARCHITECTURES = {
    "linux": "x86_64 aarch64 i686 armv7l ppc64le s390x riscv64",
    "macos": "x86_64 arm64",
    "windows": "AMD64 ARM64",
}
KINDS = {"linux": ("manylinux", "musllinux"), "macos": ("macosx",), "windows": ("win",)}


def step(text: str) -> None:
    print(f"\n== {text}", flush=True)


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> None:
    subprocess.run(command, check=True, cwd=cwd, env={**os.environ, **variables})


def output(*command: str | Path, **variables: str) -> str:
    environment = {**os.environ, **variables}
    return subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True).stdout


def require(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(f"release-check: {what}")
    print(what)


def environment(name: str, *packages: str) -> Path:
    """The interpreter of a new environment, with packages, or what `pip install` takes."""
    folder = RELEASE / name
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)
    return python


def pinned(name: str) -> Path:
    """An environment with what a file of .ci/requirements pins by hash."""
    return environment(name, "--require-hashes", "-r", str(ROOT / ".ci" / "requirements" / f"{name}.txt"))


def build(python: Path, number: int) -> dict[str, Path]:
    """What a clone of its own gives, by name."""
    clone, dist = RELEASE / f"clone-{number}", RELEASE / f"dist-{number}"
    run("git", "clone", "-q", ROOT, clone)
    with (RELEASE / f"build-{number}.log").open("w") as log:
        subprocess.run([python, ".ci/build_dist.py", dist], check=True, cwd=clone, stdout=log)
    return {file.name: file for file in sorted(dist.iterdir())}


def check_bytes(first: dict[str, Path], second: dict[str, Path]) -> None:
    hashes = [
        {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in d.items()} for d in (first, second)
    ]
    for name, digest in hashes[0].items():
        print(digest, name)
    require(hashes[0] == hashes[1] and len(hashes[0]) == 2, "built twice: the same bytes")


def check_wheel(tools: Path, wheel: Path) -> None:
    size = wheel.stat().st_size
    require(size < LARGEST, f"the wheel has {size:,} bytes, fewer than {LARGEST:,}")
    with zipfile.ZipFile(wheel) as archive:
        sources = [name for name in archive.namelist() if name.endswith((".c", ".pyx", ".pxi", ".pxd", ".h"))]
    require(not sources, f"no C or Cython source in the wheel{''.join(f', but {name}' for name in sources)}")
    require(TAG in output(tools, "-m", "auditwheel", "show", wheel), f"auditwheel: it can have the tag {TAG}")


def check_installed(sdist: Path, wheel: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(RELEASE)
    source = RELEASE / sdist.name.removesuffix(".tar.gz")
    step("the wheel, in an environment of its own: the tests")
    python = environment("from-wheel", "--only-binary", ":all:", "pip>=25.1", str(wheel))
    version = output(python, "-c", "import importlib.metadata as m; print(m.version('weburl'))").strip()
    require(wheel.name.startswith(f"weburl-{version}-"), f"version {version}")
    groups = ["--group", "build", "--group", "test"]
    run(python, "-m", "pip", "install", "-q", "--only-binary", ":all:", *groups, cwd=source)
    run(python, "-m", "pytest", "-q", "-n", "auto", "-m", "not slow", cwd=source)
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    newest = [*project["build-system"]["requires"], *project["project"]["dependencies"], *extras["encodings"]]
    newest += extras["psl"]
    oldest = [re.sub(r">=([\w.]+).*", r"==\1", requirement) for requirement in newest]
    for name, packages in (("oldest", oldest), ("newest", newest)):
        step(f"the sdist, with the {name} that it allows: compiled without a network, and tests of what it needs")
        python = environment(name, "pip>=25.1", *packages)
        run(*NO_NETWORK, python, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", sdist)
        run(python, "-m", "pip", "install", "-q", "--only-binary", ":all:", "--group", "test", cwd=source)
        run(python, "-m", "pip", "freeze", "--all")
        check_without_compiler(python, sdist)
        run(
            python, "-m", "pytest", "-q", "README.md", *(f"tests/test_{test}.py" for test in TESTS_OF_NEEDS), cwd=source
        )


def check_without_compiler(python: Path, sdist: Path) -> None:
    """pip says one sentence, once, among its own."""
    folder = python.parent / "no-compiler"
    folder.mkdir()
    options = ["--no-index", "--no-build-isolation", "--no-deps", "--no-cache-dir", "--wheel-dir", str(folder)]
    command: list[str | Path] = [python, "-m", "pip", "wheel", *options, sdist]
    environment = {**os.environ, "PATH": str(folder)}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    said = [line.strip() for line in (ended.stdout + ended.stderr).splitlines() if "no C compiler" in line]
    require(ended.returncode != 0 and len(said) == 1, f"without a compiler, pip says: {said}")


def check_identifiers(tools: Path) -> None:
    for platform, archs in ARCHITECTURES.items():
        command = ("-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform)
        found = set(output(tools, *command, CIBW_ARCHS=archs).split())
        kinds = [f"{kind}_{arch}".lower() for kind in KINDS[platform] for arch in archs.split()]
        wanted = {f"{python}-{kind}" for python in INTERPRETERS for kind in kinds}
        missing, more = sorted(wanted - found), sorted(found - wanted)
        require(
            found == wanted, f"{platform}: {len(found)} wheels; missing: {missing or 'none'}; more: {more or 'none'}"
        )


def main() -> None:
    changes = output("git", "status", "--porcelain").strip()
    require(not changes, f"everything is committed{changes and ', but'} {changes}".strip())
    shutil.rmtree(RELEASE, ignore_errors=True)
    RELEASE.mkdir(parents=True)
    tools, builder = pinned("release"), pinned("build")
    step("built twice, from two clones")
    first = build(builder, 1)
    check_bytes(first, build(builder, 2))
    wheel, sdist = sorted(first.values(), key=lambda file: file.suffix != ".whl")
    step("what is in them")
    run(tools, ".ci/check_dist.py", sdist, wheel)
    check_wheel(tools, wheel)
    run(tools, "-m", "twine", "check", "--strict", sdist, wheel)
    step("the bill of materials, and the hashes")
    run(tools, ".ci/bill_of_materials.py", wheel.parent)
    step("wheels for all systems")
    check_identifiers(tools)
    check_installed(sdist, wheel)
    step("ready to be released")


if __name__ == "__main__":
    main()
