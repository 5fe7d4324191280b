"""Build the sdist and a wheel from it, the same bytes from the same commit: python .ci/build_dist.py FOLDER

The interpreter has what is in requirements/build.txt.
"""

import gzip
import os
import subprocess
import sys
import tarfile
from pathlib import Path


def commit_time() -> int:
    return int(subprocess.run(["git", "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True).stdout)


def repack(sdist: Path, time: int) -> None:
    """In order of names, with one time, and with nothing of whoever packed it."""
    with tarfile.open(sdist) as archive:
        members = sorted(archive.getmembers(), key=lambda member: member.name)
        contents = [archive.extractfile(member) if member.isfile() else None for member in members]
        temporary = sdist.with_suffix(".new")
        with (
            temporary.open("wb") as raw,
            gzip.GzipFile("", "wb", mtime=time, fileobj=raw) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as out,
        ):
            for member, content in zip(members, contents, strict=True):
                member.mtime, member.uid, member.gid, member.uname, member.gname = time, 0, 0, "", ""
                member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
                member.pax_headers = {}
                out.addfile(member, content)
    temporary.replace(sdist)


def main(folder: str) -> None:
    time = commit_time()
    # Without symbols, as the released wheels are.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time), "LDFLAGS": "-Wl,-s" if sys.platform == "linux" else ""}
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder]
    subprocess.run([*build, "--sdist"], check=True, env=environment)
    (sdist,) = Path(folder).glob("weburl-*.tar.gz")
    repack(sdist, time)
    subprocess.run([*build, "--wheel", sdist], check=True, env=environment)


if __name__ == "__main__":
    main(*sys.argv[1:])
