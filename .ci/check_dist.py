"""Check what an sdist and the wheels made from it hold: python .ci/check_dist.py SDIST WHEEL..."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import PurePosixPath

PACKAGE = PurePosixPath("src/weburl")
# What a wheel has beside its metadata: PEP 770, and PEP 639.
MATERIALS = ("sboms/weburl.cdx.json", "licenses/LICENSE", "licenses/LICENSES/Unicode-3.0.txt")


def read_sdist(archive: str) -> set[str]:
    with tarfile.open(archive) as sdist:
        files = [PurePosixPath(member.name) for member in sdist.getmembers() if member.isfile()]
    return {str(PurePosixPath(*file.parts[1:])) for file in files}


def sdist_problems(held: set[str]) -> list[str]:
    """An sdist holds what is tracked, but for what only the repository's host reads."""
    listed = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    tracked = {name for name in listed.split("\0") if name and not name.startswith((".github/", ".gitignore"))}
    generated = {"PKG-INFO", "setup.cfg"} | {name for name in held if ".egg-info/" in name}
    return [f"{name} is missing" for name in sorted(tracked - held)] + [
        f"{name} is too much" for name in sorted(held - generated - tracked)
    ]


def wheel_problems(held: set[str], sdist: set[str]) -> list[str]:
    """A wheel holds the files of Python and the pages of the package, the man page, and a module for each .pyx."""
    sources = [path for path in map(PurePosixPath, sdist) if PACKAGE in path.parents]
    python = {str(path.relative_to("src")) for path in sources if path.suffix in {".py", ".pyi", ".html", ".typed"}}
    compiled = {
        str(path.relative_to("src").with_suffix(""))
        for path in sources
        if path.suffix == ".pyx" or (path.suffix == ".py" and path.with_suffix(".pxd") in sources)
    }
    extensions = {name for name in held if name.endswith((".so", ".pyd"))}
    pages = {name for name in held if name.endswith(".data/data/share/man/man1/weburl.1")}
    problems = [f"{name} is missing" for name in sorted(python - held)] + ["the man page is missing"] * (not pages)
    beside = {name.partition(".dist-info/")[2] for name in held}
    problems += [f"{name} is missing" for name in MATERIALS if name not in beside]
    others = sorted(held - python - extensions - pages)
    problems += [f"{name} is too much" for name in others if ".dist-info/" not in name]
    built = {name.partition(".")[0] for name in extensions}
    return problems + [f"extension module {name}: missing or too much" for name in sorted(compiled ^ built)]


def main(sdist: str, *wheels: str) -> int:
    sources = read_sdist(sdist)
    found = {sdist: sdist_problems(sources)}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            found[wheel] = wheel_problems({name for name in archive.namelist() if not name.endswith("/")}, sources)
    for archive_name, problems in found.items():
        print(f"{archive_name}: {'; '.join(problems) or 'as it should be'}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
