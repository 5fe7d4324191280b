"""The files that a name stands for: a file, all of a folder, or those that a glob matches; and Hive's keys in paths."""

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
from weburl.cli._system import SYSTEM, openable
from weburl.cli.readers import storage
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
    """The files, in the order of the names in each folder. `failed` gets what is wrong with a folder that cannot be
    read."""
    if storage.is_remote(name):
        yield from storage.objects_of(name, SKIPPED, is_glob=GLOB.search(name) is not None)
        return
    name = openable(name)
    if os.path.isdir(name):
        yield from _in_folder(name, failed)
    elif is_glob(name):
        is_deep = "**" in SEPARATOR.split(name)
        path = None
        for path in _matching(name):
            file = openable(path)
            if not is_deep and os.path.isdir(file):
                yield from _in_folder(path, failed)
            elif not os.path.isdir(file) and not (is_deep and _is_skipped(path, name)):
                yield file
        if path is None:
            raise InputError(f"{name}: no file matches")
    else:
        yield name


def is_glob(name: str) -> bool:
    """Whether a name is a glob. The prefix of a long path has a question mark, which does not count."""
    return GLOB.search(os.path.splitdrive(name)[1]) is not None and not os.path.lexists(openable(name))


def _matching(name: str) -> Iterator[str]:
    """What matches a glob. `**` follows no links to folders: these may lead to a folder above."""
    parts = [part if part == "**" else part.replace("**", "*") for part in Path(name).parts]
    if "**" not in parts:
        folder, last = os.path.split(name)
        if not last:
            # Folders alone.
            yield from sorted(glob.glob(name))
            return
        for base in sorted(glob.glob(folder)) if GLOB.search(folder) else [folder]:
            yield from (os.path.join(base, each) for each in sorted(glob.glob(last, root_dir=base or None)))
        return
    # At the end, `**` would be folders alone.
    parts += ["*"] * (parts[-1] == "**")
    first = parts.index("**")
    matches = [None if part == "**" else re.compile(fnmatch.translate(normcase(part))).match for part in parts[first:]]
    bases = sorted(glob.glob(os.path.join(*parts[:first]))) if first else [""]
    # What is in folders, with the numbers of the parts that what is in it can match; a file has none.
    pending: list[tuple[str, str, set[int]]] = [("", base, {0}) for base in reversed(bases)]
    while pending:
        folder, last, numbers = pending.pop()
        path = os.path.join(folder, last)
        if not numbers:
            yield path
            continue
        for number, match in enumerate(matches):
            # `**` is also no folder at all.
            if match is None and number in numbers:
                numbers.add(number + 1)
        above = {number + 1 for number in numbers if parts[first + number] == ".."}
        if above:
            pending.append((path, "..", above - {len(matches)}))
        try:
            entries = _sorted_entries(path or ".")
        except OSError:
            continue
        for last, is_folder, is_link in reversed(entries):
            deeper = set()
            for number in numbers:
                match = matches[number]
                if match is None:
                    deeper |= {number} if is_folder and not is_link else set()
                elif match(normcase(last)):
                    deeper.add(number + 1)
            is_match = len(matches) in deeper
            deeper.discard(len(matches))
            if is_folder and deeper:
                pending.append((path, last, deeper))
            if is_match:
                pending.append((path, last, set()))


def _sorted_entries(folder: str) -> list[tuple[str, bool, bool]]:
    """The names in a folder; whether each is of a folder, and of a link. Objects of os.scandir have long paths."""
    with os.scandir(openable(folder)) as entries:
        return sorted((entry.name, entry.is_dir(), entry.is_symlink()) for entry in entries)


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
            entries = _sorted_entries(path)
        except OSError as error:
            fail(error)
            continue
        inside = []
        for name, is_folder, is_link in entries:
            if name.startswith(SKIPPED):
                continue
            if is_folder:
                inside += [] if is_link else [name]
                continue
            file = openable(os.path.join(path, name))
            # A pipe or a socket is nobody's data.
            if os.path.isfile(file) or not os.path.exists(file):
                is_empty = False
                yield file
        folders += [os.path.join(path, name) for name in reversed(inside)]
    if is_empty:
        raise InputError(f"{folder}: no file is in this folder")


def partition_of(path: str) -> dict[str, str | None]:
    """The keys of Hive that the folders of a path name, as `day=2026-11-22`."""
    keys: dict[str, str | None] = {}
    for folder in re.split(f"[{re.escape(SYSTEM.separators)}]", path)[:-1]:
        match = PARTITION.fullmatch(folder)
        if match is not None:
            name, value = (percent_decode(text).decode("utf-8", "replace") for text in match.groups())
            keys[name] = None if value == NULL else value
    return keys
