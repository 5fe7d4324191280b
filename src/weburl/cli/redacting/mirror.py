"""Folders without secrets: a file in another folder for each file, written whole, and not again."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pickle import dumps
from threading import Lock
from typing import Any, Final, NamedTuple

import weburl
from weburl._redact.redact import LogPolicy, redact_text
from weburl.cli._exit import InputError, UsageError
from weburl.cli._messages import quoted
from weburl.cli._system import openable, real_path, without_prefix
from weburl.cli.readers.file_names import GLOB, SEPARATOR, files_of, is_glob
from weburl.cli.writers.file_rights import ACLS, HAS_ATTRIBUTES, HAS_MODES, NO_ATTRIBUTE, narrowed, remove_acl

# In the folder that is written. Files that begin with a dot are not read in folders.
RECORD: Final = ".weburl-redact"
# A file that changed so shortly before it was read may change again without another time.
RECENT: Final = 2_000_000_000  # nanoseconds
ALL_RIGHTS: Final = stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO


class Task(NamedTuple):
    """A file, and its name in the folder that is written."""

    source: str
    name: str


def tasks_of(names: Iterable[str], folder: str, failed: Callable[[InputError], None]) -> list[Task]:
    """The files that are read. No two have the same name in the folder."""
    tasks: dict[str, Task] = {}
    for pattern in names:
        root = _root(pattern)
        is_folder = os.path.isdir(openable(pattern))
        is_below = (is_folder or is_glob(pattern)) and _is_inside(folder, root)
        read_again = UsageError(f"{quoted(folder)} is in the folder that is read: its files would be read again")
        if is_below and (is_folder or "**" in SEPARATOR.split(pattern)):
            raise read_again
        try:
            for source in files_of(pattern, failed):
                if is_below and _is_inside(source, folder):
                    raise read_again
                name = os.path.relpath(without_prefix(source), without_prefix(root))
                if name.startswith(os.pardir):
                    name = os.path.basename(source)
                other = tasks.setdefault(name, Task(source, name))
                if other.source != source:
                    both = f"{quoted(other.source)} and {quoted(source)}"
                    raise UsageError(f"{both} would be one file in {quoted(folder)}")
        except InputError as error:
            failed(error)
    return list(tasks.values())


def _root(pattern: str) -> str:
    """The folder from which names count: one that is read, or the part of a glob that has no star."""
    if os.path.isdir(openable(pattern)):
        return pattern
    if not is_glob(pattern):
        return os.path.dirname(pattern) or os.curdir
    parts = []
    drive, path = os.path.splitdrive(pattern)
    for part in SEPARATOR.split(path)[:-1]:
        if GLOB.search(part):
            break
        parts.append(part)
    return drive + (os.sep.join(parts) or (os.sep if path.startswith(("/", os.sep)) else os.curdir))


def _is_inside(path: str, folder: str) -> bool:
    """Whether a path is below a folder. One may be the other: then the files are replaced."""
    return real_path(path).startswith(os.path.join(real_path(folder), ""))


class State(NamedTuple):
    """What tells that a file has not changed."""

    device: int
    number: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> State:
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class Record:
    """Record(folder, policy): which files of a folder are done, kept in a file there. Threads add to it.

    A file is done if neither it nor what was made of it has changed, and if weburl and the policy are the same.
    """

    def __init__(self, folder: str, policy: LogPolicy) -> None:
        self.path: str = os.path.join(folder, RECORD)
        # What is shown in place of a secret may depend on a key.
        rules = dumps(policy, 4) + redact_text(b"https://user:password@host/", policy)
        self.rules: str = f"{weburl.__version__} {policy} {sha256(rules).hexdigest()}"
        self.lock: Lock = Lock()
        self.done: dict[str, tuple[State, State]] = {}
        self.file: Any = None
        try:
            with open(self.path, "rb") as file:
                for line in file:
                    self._read(line)
        except FileNotFoundError:
            pass

    def _read(self, line: bytes) -> None:
        # The last line may be cut off; and somebody else may have written the file.
        try:
            name, rules, source, made = json.loads(line)
            states = State(*map(int, source)), State(*map(int, made))
        except (ValueError, TypeError):
            return
        if isinstance(name, str):
            self.done.pop(name, None)
            if rules == self.rules and line.endswith(b"\n"):
                self.done[name] = states

    def is_done(self, task: Task, path: str) -> bool:
        known = self.done.get(task.name)
        if known is None:
            return False
        try:
            source, made = State.of(os.stat(task.source)), State.of(os.stat(path))
        except OSError:
            return False
        return made == known[1] and (source == known[0] or source == made)

    def add(self, task: Task, source: os.stat_result, begin: int, path: str) -> None:
        """Says that a file is done, which had this status when it was opened, at the time `begin`."""
        with suppress(OSError):
            # If one of them is gone again, nothing is to be said.
            self._add(task, source, begin, path)

    def _add(self, task: Task, source: os.stat_result, begin: int, path: str) -> None:
        if begin - source.st_mtime_ns < RECENT or State.of(os.stat(task.source)) != State.of(source):
            made = os.stat(path)
            if not os.path.samestat(os.stat(task.source), made):
                return
        row = [task.name, self.rules, State.of(source), State.of(os.stat(path))]
        line = json.dumps(row).encode() + b"\n"
        with self.lock:
            if self.file is None:
                self.file = open(self.path, "ab", buffering=0)  # noqa: SIM115
                # After a line that is cut off.
                line = b"\n" + line if self.file.tell() else line
            self.file.write(line)

    def close(self) -> None:
        if self.file is not None:
            self.file.close()


def now() -> int:
    return time.time_ns()


def narrow(number: int, source: int) -> None:
    """Takes rights from a new file: only people who can open its source can open it. Both are open here."""
    if HAS_MODES:
        before, new = os.fstat(source), os.fstat(number)
        # With an access control list, the bits of the group are its mask.
        rights = ALL_RIGHTS if remove_acl(number) and not _has_acl(source) else stat.S_IRWXU
        os.fchmod(number, new.st_mode & narrowed(before, new) & rights)


def _has_acl(number: int) -> bool:
    if not HAS_ATTRIBUTES:
        return False
    try:
        return not set(ACLS).isdisjoint(os.listxattr(number))
    except OSError as error:
        return error.errno not in NO_ATTRIBUTE
