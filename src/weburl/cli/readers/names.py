"""The files that the names after -f stand for: a file, all of a folder, or those that a glob matches."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Callable, Iterator
from os.path import normcase
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
    parts = [part if part == "**" else part.replace("**", "*") for part in path.parts]
    # At the end, `**` would be folders alone.
    parts += ["*"] * (parts[-1] == "**")
    first = parts.index("**")
    matches = [None if part == "**" else re.compile(fnmatch.translate(normcase(part))).match for part in parts[first:]]
    found = set()
    # Each folder with the numbers of the parts that what is in it can match.
    folders = [(folder, {0}) for folder in (glob.glob(os.path.join(*parts[:first])) if first else [""])]
    while folders:
        folder, numbers = folders.pop()
        for number, match in enumerate(matches):
            # `**` is also no folder at all.
            if match is None and number in numbers:
                numbers.add(number + 1)
        try:
            entries = [*os.scandir(folder or ".")]
        except OSError:
            continue
        for entry in entries:
            is_folder = entry.is_dir()
            deeper = set()
            for number in numbers:
                match = matches[number]
                if match is None:
                    deeper |= {number} if is_folder and not entry.is_symlink() else set()
                elif match(normcase(entry.name)):
                    deeper.add(number + 1)
            inside = os.path.join(folder, entry.name)
            if len(matches) in deeper:
                found.add(inside)
                deeper.remove(len(matches))
            if is_folder and deeper:
                folders.append((inside, deeper))
    return found


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

    # Before Python 3.12, os.walk calls itself for each folder in a folder.
    folders = [folder]
    while folders:
        path = folders.pop()
        try:
            entries = sorted((each for each in os.scandir(path) if not each.name.startswith(SKIPPED)), key=_entry_name)
        except OSError as error:
            fail(error)
            continue
        for entry in entries:
            file = os.path.join(path, entry.name)
            # A pipe or a socket is nobody's data.
            if not entry.is_dir() and (entry.is_file() or not os.path.exists(file)):
                is_empty = False
                yield file
        folders += [os.path.join(path, each.name) for each in reversed(entries) if each.is_dir(follow_symlinks=False)]
    if is_empty:
        raise InputError(f"{folder}: no file is in this folder")


def _entry_name(entry: os.DirEntry[str]) -> str:
    return entry.name


def partition_of(path: str) -> dict[str, str | None]:
    """The keys of Hive that the folders of a path name, as `day=2026-11-22`."""
    keys: dict[str, str | None] = {}
    for folder in re.split(r"[/\\]" if os.name == "nt" else "/", path)[:-1]:
        match = PARTITION.fullmatch(folder)
        if match is not None:
            name, value = (percent_decode(text).decode("utf-8", "replace") for text in match.groups())
            keys[name] = None if value == NULL else value
    return keys
