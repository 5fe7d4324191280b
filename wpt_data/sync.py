#!/usr/bin/env python3
"""Put the Web Platform Tests data for URLs into wpt_data/data, when it is the data that MANIFEST.json describes."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MANIFEST = HERE / "MANIFEST.json"
DATA = HERE / "data"
UPSTREAM = "https://raw.githubusercontent.com/web-platform-tests/wpt/{ref}/{place}"
TIMEOUT_SECONDS = 60

Entry = dict[str, Any]


class SyncError(Exception):
    """Why the data cannot be taken."""


def read_manifest(path: Path = MANIFEST) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return manifest


def place_upstream(name: str) -> str:
    return f"{'urlpattern' if name.startswith('urlpattern') else 'url'}/resources/{name}"


def find_files(folder: Path, names: list[str]) -> dict[str, Path] | None:
    """The places of the files: those of a WPT checkout, in `wpt_data` below `folder`, or in `folder` itself."""
    for places in (
        {name: folder / place_upstream(name) for name in names},
        {name: folder / "wpt_data" / name for name in names},
        {name: folder / name for name in names},
    ):
        if any(place.is_file() for place in places.values()):
            return places
    return None


def count_cases(content: bytes) -> int:
    """How many tests a file has: the objects of a list, or of every list of an object; strings are comments."""
    document = json.loads(content)
    lists = [document] if isinstance(document, list) else document.values()
    return sum(isinstance(case, dict) for cases in lists for case in cases)


def describe(name: str, content: bytes) -> Entry:
    try:
        cases = count_cases(content)
    except (ValueError, TypeError, AttributeError) as error:
        raise SyncError(f"{name}: not a file of cases: {error}") from error
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "cases": cases}


def mismatch(name: str, content: bytes, entry: Entry) -> str | None:
    """Why this is not the file that the manifest means, or None."""
    found = hashlib.sha256(content).hexdigest()
    if found != entry["sha256"]:
        return f"{name}: sha256 is {found}, the manifest has {entry['sha256']}"
    actual = describe(name, content)
    return None if actual == entry else f"{name}: the file is {actual}, the manifest has {entry}"


def read_folder(folder: Path, names: list[str]) -> dict[str, bytes]:
    places = find_files(folder, names)
    if places is None:
        raise SyncError(f"{folder}: none of {', '.join(names)} there, in a WPT checkout's folders or in wpt_data")
    return {name: place.read_bytes() for name, place in places.items()}


def download(ref: str, names: list[str]) -> dict[str, bytes]:
    contents = {}
    for name in names:
        address = UPSTREAM.format(ref=ref, place=place_upstream(name))
        try:
            with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as response:
                contents[name] = response.read()
        except OSError as error:
            raise SyncError(f"{address}: {error}") from error
    return contents


def write(path: Path, content: bytes) -> None:
    """Write the whole file or nothing."""
    path.parent.mkdir(exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--from", dest="folder", type=Path, metavar="DIR", help="a WPT checkout, or where the files are"
    )
    parser.add_argument("--ref", help="without --from: the upstream commit, tag or branch, instead of the manifest's")
    parser.add_argument("--update-manifest", action="store_true", help="accept new hashes, sizes and counts")
    options = parser.parse_args(arguments)
    if options.folder is not None and options.ref is not None:
        parser.error("--ref is for upstream, not for --from")
    try:
        run(options.folder, options.ref, options.update_manifest)
    except (SyncError, OSError) as error:
        print(f"sync.py: {error}", file=sys.stderr)
        return 1
    return 0


def run(folder: Path | None, ref: str | None, update_manifest: bool) -> None:
    manifest = read_manifest()
    names = list(manifest["files"])
    ref = ref or manifest["ref"]
    contents = download(ref, names) if folder is None else read_folder(folder, names)
    if update_manifest:
        manifest["files"] = {name: describe(name, content) for name, content in contents.items()}
        manifest["date"] = datetime.now(UTC).date().isoformat()
        manifest["ref"] = ref
    problems = [mismatch(name, content, manifest["files"][name]) for name, content in contents.items()]
    if any(problems):
        raise SyncError("nothing was written:\n" + "\n".join(filter(None, problems)))
    for name, content in contents.items():
        write(DATA / name, content)
        print(f"{DATA / name}: {manifest['files'][name]['cases']} cases")
    if update_manifest:
        write(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
        print(f"{MANIFEST}: updated")


if __name__ == "__main__":
    sys.exit(main())
