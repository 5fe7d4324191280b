"""Who may open a file that replaces another: at most those who could open that one."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# On Windows a file is read-only or not, and one that is read-only is not replaced.
HAS_MODES: Final = hasattr(os, "fchown")
HAS_ATTRIBUTES: Final = hasattr(os, "listxattr")
POSIX_ACL: Final = "system.posix_acl_access"
# Each is instead of a mode, which follows from it.
ACLS: Final = (POSIX_ACL, "system.nfs4_acl", "system.richacl")
# Capabilities would be those of whoever writes the file, as set-user-ID would. The others are digests of its content.
NOT_COPIED: Final = ("security.capability", "security.ima", "security.evm")
NO_ATTRIBUTE: Final = (errno.ENODATA, errno.ENOTSUP) if HAS_ATTRIBUTES else ()
CLOSED: Final = stat.S_IRUSR | stat.S_IWUSR  # only its owner can open it


def copy_rights(before: os.stat_result | None, path: str, number: int) -> None:
    """Gives an open file the owner, the group, the mode, the access control list and the attributes of another.

    That is the file at `path`, and `before` is its status when the open one was created, with the mode `CLOSED`. It
    gets rights in the last step, all at once. If one of these things cannot be kept, it gets fewer rights. `before` is
    None if there was no file: then the open one has the rights of new files, and keeps them unless there is one now.
    Both can also be folders.
    """
    if not HAS_MODES:
        return
    try:
        now = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return
    if before is None or (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino):
        # Somebody has put another file there.
        os.fchmod(number, os.fstat(number).st_mode & stat.S_IRWXU)
        return
    attributes = _attributes(path)
    is_labeled = attributes is not None and _copy_attributes(attributes, number)
    _copy_owner(now, number)
    new = os.fstat(number)
    acls = {name: value for name, value in (attributes or {}).items() if name in ACLS}
    if not is_labeled or (acls and (new.st_uid, new.st_gid) != (now.st_uid, now.st_gid)):
        os.fchmod(number, now.st_mode & stat.S_IRWXU)
    elif acls:
        try:
            for name, value in acls.items():
                os.setxattr(number, name, value)
        except OSError:
            os.fchmod(number, now.st_mode & stat.S_IRWXU)
    else:
        # One that it has from its folder.
        rights = stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO if remove_acl(number) else stat.S_IRWXU
        os.fchmod(number, narrowed(now, new) & rights)


def _attributes(path: str) -> dict[str, bytes] | None:
    """The attributes of a file that are copied; None if one that says who may open it cannot be read."""
    attributes: dict[str, bytes] = {}
    if not HAS_ATTRIBUTES:
        return attributes
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError as error:
        return attributes if error.errno in NO_ATTRIBUTE else None
    for name in {*names, POSIX_ACL}:
        if name not in (*ACLS, *NOT_COPIED) and not name.startswith(("user.", "security.")):
            continue
        try:
            attributes[name] = os.getxattr(path, name, follow_symlinks=False)
        except OSError as error:
            if error.errno not in NO_ATTRIBUTE and not name.startswith("user."):
                return None
    return {name: value for name, value in attributes.items() if name not in NOT_COPIED}


def _copy_attributes(attributes: dict[str, bytes], number: int) -> bool:
    """Whether the new file has all attributes that say who may open it, but for access control lists."""
    for name, value in attributes.items():
        if name.startswith("user."):
            with suppress(OSError):
                os.setxattr(number, name, value)
        elif name not in ACLS:
            try:
                if os.getxattr(number, name) == value:
                    continue
            except OSError:
                # It is not there.
                pass
            try:
                os.setxattr(number, name, value)
            except OSError:
                return False
    return True


def _copy_owner(before: os.stat_result, number: int) -> None:
    new = os.fstat(number)
    if (new.st_uid, new.st_gid) == (before.st_uid, before.st_gid):
        return
    # Who is not root can change the group only, to one of their own.
    for owner in (before.st_uid, -1) if new.st_uid != before.st_uid else (-1,):
        try:
            os.fchown(number, owner, before.st_gid)
        except OSError:
            continue
        return


def remove_acl(number: int) -> bool:
    if HAS_ATTRIBUTES:
        try:
            os.removexattr(number, POSIX_ACL)
        except OSError as error:
            return error.errno in NO_ATTRIBUTE
    return True


def narrowed(before: os.stat_result, new: os.stat_result) -> int:
    """The mode, without what would be given to other people, because the owner or the group is another.

    Set-user-ID and set-group-ID would be those of whoever writes the file.
    """
    owner, group, others = (before.st_mode >> shift & 7 for shift in (6, 3, 0))
    if new.st_uid != before.st_uid:
        # The owner is now one of the group or of the others.
        group &= owner
        others &= owner
    if new.st_gid != before.st_gid:
        # Its members are now others.
        group, others = 0, others & group
    return owner << 6 | group << 3 | others
