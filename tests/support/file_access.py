"""Who may open a file: its mode and its access control list, as the kernel reads them; and users to try it with."""

from __future__ import annotations

import errno
import os
import random
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

ACL = "system.posix_acl_access"
DEFAULT_ACL = "system.posix_acl_default"
USER_OBJ, USER, GROUP_OBJ, GROUP, MASK, OTHER = 1, 2, 4, 8, 16, 32
NOBODY = 0xFFFFFFFF


class Entry(NamedTuple):
    tag: int
    rights: int
    id: int = NOBODY


class User(NamedTuple):
    uid: int
    gid: int
    groups: tuple[int, ...] = ()


def pack(entries: list[Entry]) -> bytes:
    """As the kernel has it in an attribute: setfacl is a package, which not each machine has."""
    return struct.pack("<I", 2) + b"".join(
        struct.pack("<HHI", entry.tag, entry.rights, entry.id) for entry in sorted(entries, key=lambda e: (e.tag, e.id))
    )


def unpack(data: bytes) -> list[Entry]:
    return [Entry(*entry) for entry in struct.iter_unpack("<HHI", data[4:])]


def acl_of(path: str | int) -> bytes | None:
    try:
        return os.getxattr(path, ACL)
    except OSError as error:
        if error.errno in (errno.ENODATA, errno.ENOTSUP):
            return None
        raise


def has_acls(folder: str) -> bool:
    """Whether the files of a folder may have access control lists."""
    if not hasattr(os, "setxattr"):
        return False
    path = os.path.join(folder, "probe")
    with open(path, "w"):
        pass
    try:
        os.setxattr(path, ACL, pack(random_acl(random.Random(0), [1], [1])))
    except OSError:
        return False
    finally:
        os.unlink(path)
    return True


def random_acl(rng: random.Random, users: list[int], groups: list[int]) -> list[Entry]:
    def rights() -> int:
        return rng.choice([0, 2, 4, 6, 7])

    return [
        Entry(USER_OBJ, rights()),
        *(Entry(USER, rights(), uid) for uid in rng.sample(users, rng.randint(0, len(users)))),
        Entry(GROUP_OBJ, rights()),
        *(Entry(GROUP, rights(), gid) for gid in rng.sample(groups, rng.randint(0, len(groups)))),
        Entry(MASK, rights()),
        Entry(OTHER, rights()),
    ]


def rights(path: str | int, user: User) -> int:
    """What a user may do to a file: 4 to read it, 2 to write it."""
    status = os.stat(path)
    acl = acl_of(path)
    # Linux does not read the list where the mask has no right: who has an entry is one of the others then.
    if acl is None or not status.st_mode & stat.S_IRWXG:
        entries = [
            Entry(tag, status.st_mode >> shift & 7) for tag, shift in ((USER_OBJ, 6), (GROUP_OBJ, 3), (OTHER, 0))
        ]
    else:
        entries = unpack(acl)
    by_tag = {entry.tag: entry.rights for entry in entries}
    mask = by_tag.get(MASK, 7)
    if user.uid == status.st_uid:
        return by_tag[USER_OBJ] & 6
    for entry in entries:
        if entry.tag == USER and entry.id == user.uid:
            return entry.rights & mask & 6
    gids = {user.gid, *user.groups}
    found = [
        entry.rights & mask & 6
        for entry in entries
        if (entry.tag == GROUP_OBJ and status.st_gid in gids) or (entry.tag == GROUP and entry.id in gids)
    ]
    if found:
        return max(found) if 6 in found else (4 in found) * 4 | (2 in found) * 2
    return by_tag[OTHER] & 6


@contextmanager
def acting_as(user: User | None) -> Iterator[None]:
    """Becomes another user for a while, which needs root."""
    if user is None:
        yield
        return
    before = os.getgroups()
    os.setgroups(user.groups)
    os.setegid(user.gid)
    os.seteuid(user.uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(before)


def tried(path: str, user: User) -> int:
    """The same as `rights`, by opening the file."""
    found = 0
    with acting_as(user):
        for flag, right in ((os.O_RDONLY, 4), (os.O_WRONLY, 2)):
            try:
                number = os.open(path, flag)
            except PermissionError:
                continue
            os.close(number)
            found |= right
    return found


def mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)
