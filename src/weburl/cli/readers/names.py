"""The files that the names after -f stand for: a file, all of a folder, or those that a glob matches."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from weburl.cli._exit import InputError
from weburl.percent import percent_decode

SEPARATOR: Final = re.compile(r"[/\\]")
GLOB: Final = re.compile(r"[*?]|\[.+\]")
# What Hive, Spark and others leave beside the files of a table, and files that are hidden.
SKIPPED: Final = ("_", ".")
# https://hive.apache.org/docs/latest/language/languagemanual-ddl/#partitioned-tables
PARTITION: Final = re.compile(r"([^=/\\]+)=([^/\\]*)")
NULL: Final = "__HIVE_DEFAULT_PARTITION__"


def _raise(error: InputError) -> None:
    raise error


def files_of(name: str, failed: Callable[[InputError], None] = _raise) -> Iterator[str]:
    """The files in the order of their names. `failed` gets what is wrong with a folder that cannot be read."""
    if os.path.isdir(name):
        yield from _in_folder(name, failed)
    elif GLOB.search(name) and not os.path.lexists(name):
        is_deep = "**" in SEPARATOR.split(name)
        paths = _deep(name) if is_deep else glob.glob(name)
        if not paths:
            raise InputError(f"{name}: no file matches")
        for path in sorted(paths):
            if not is_deep and os.path.isdir(path):
                yield from _in_folder(path, failed)
            elif not os.path.isdir(path) and not (is_deep and _is_skipped(path, name)):
                yield path
    else:
        yield name


def _deep(name: str) -> set[str]:
    """What matches a glob with `**`, which follows no links to folders: these may lead to a folder above."""
    path = Path(name)
    parts = [part if part == "**" else part.replace("**", "*") for part in path.parts[bool(path.anchor) :]]
    # At the end, `**` would be folders alone.
    parts += ["*"] * (parts[-1] == "**")
    return set(map(str, Path(path.anchor).glob("/".join(parts))))


def _is_skipped(path: str, name: str) -> bool:
    """Whether a folder of a path is one that is skipped; `name` is the glob that found it."""
    known = SEPARATOR.split(name)
    return any(part.startswith(SKIPPED) for part in SEPARATOR.split(path) if part not in known)


def _in_folder(folder: str, failed: Callable[[InputError], None]) -> Iterator[str]:
    is_empty = True

    def fail(error: OSError) -> None:
        nonlocal is_empty
        is_empty = False
        failed(InputError(f"{error.filename}: {(error.strerror or str(error)).lower()}"))

    for path, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith(SKIPPED))
        for name in sorted(names):
            file = os.path.join(path, name)
            # A pipe or a socket is nobody's data.
            if not name.startswith(SKIPPED) and (os.path.isfile(file) or not os.path.exists(file)):
                is_empty = False
                yield file
    if is_empty:
        raise InputError(f"{folder}: no file is in this folder")


def partition_of(path: str) -> dict[str, str | None]:
    """The keys of Hive that the folders of a path name, as `day=2026-11-22`."""
    keys: dict[str, str | None] = {}
    for folder in re.split(r"[/\\]" if os.name == "nt" else "/", path)[:-1]:
        match = PARTITION.fullmatch(folder)
        if match is not None:
            name, value = (percent_decode(text).decode("utf-8", "replace") for text in match.groups())
            keys[name] = None if value == NULL else value
    return keys
