"""Files that the command writes: nobody may open one who could not open the file that it replaces, at no moment."""

from __future__ import annotations

import errno
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.file_access import (
    ACL,
    DEFAULT_ACL,
    GROUP,
    GROUP_OBJ,
    MASK,
    OTHER,
    USER,
    USER_OBJ,
    Entry,
    User,
    acl_of,
    acting_as,
    has_acls,
    mode,
    pack,
    random_acl,
    rights,
    tried,
)

from weburl.cli.writers.output_file import open_output

if os.name != "posix":
    pytest.skip("rights are those of POSIX", allow_module_level=True)

OWNER, MEMBER, NAMED, NAMED_MEMBER, STRANGER, WRITER, COLLEAGUE = (
    User(4001, 4000),
    User(4002, 4000, (4101,)),
    User(4003, 4000),
    User(4004, 4000, (4104,)),
    User(4005, 4000),
    User(4006, 4200),
    User(4007, 4200),
)
READERS = [OWNER, MEMBER, NAMED, NAMED_MEMBER, STRANGER, WRITER, COLLEAGUE]
WRITERS = {
    "root": None,
    "the owner": User(OWNER.uid, OWNER.gid, (4101,)),
    "the owner, who has left the group": User(OWNER.uid, 4200),
    "another": WRITER,
    "another of the group": User(WRITER.uid, 4101),
    "a named one": NAMED,
}
NARROW = [Entry(USER_OBJ, 6), Entry(USER, 6, NAMED.uid), Entry(GROUP_OBJ, 0), Entry(MASK, 6), Entry(OTHER, 0)]
WIDE = [Entry(USER_OBJ, 7), Entry(USER, 7, NAMED.uid), Entry(GROUP, 7, 4104)]
WIDE += [Entry(tag, 7) for tag in (GROUP_OBJ, MASK, OTHER)]
needs_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be other users")


@pytest.fixture
def folder() -> Iterator[str]:
    """A folder where everybody may make files; those of pytest are not open to other users."""
    path = tempfile.mkdtemp()
    os.chmod(path, 0o777)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def acls(folder: str) -> None:
    if not has_acls(folder):
        pytest.skip("files have no access control lists here")


def write(path: str) -> None:
    with open_output(path) as out:
        out.write(b"after")
        out.flush()


def make(path: str, given: int | list[Entry], owner: User = OWNER, group: int = 4101) -> None:
    """A file with a mode or with an access control list, whatever its folder has."""
    with open(path, "w") as file:
        file.write("before")
    with suppress(OSError):
        os.removexattr(path, ACL)
    if os.geteuid() == 0:
        os.chown(path, owner.uid, group)
    if isinstance(given, int):
        os.chmod(path, given)
    else:
        os.setxattr(path, ACL, pack(given))


class Watch:
    """Looks, after each call that may change it, at who may open the temporary file."""

    CALLS = ("open", "close", "chmod", "fchmod", "chown", "fchown", "setxattr", "removexattr", "replace", "link")

    def __init__(self, folder: str, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.most: dict[User, int] = {}
        self.looks = 0
        for name in self.CALLS:
            if hasattr(os, name):
                patch.setattr(os, name, self.watching(getattr(os, name)))

    def watching(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            try:
                return function(*arguments, **options)
            finally:
                self.look()

        return call

    def look(self) -> None:
        for name in os.listdir(self.folder):
            if name.startswith(".weburl-"):
                self.looks += 1
                for reader in READERS:
                    path = os.path.join(self.folder, name)
                    self.most[reader] = self.most.get(reader, 0) | rights(path, reader)


def check(folder: str, path: str, writer: User | None, umask: int) -> None:
    """Replaces a file, and compares who may open it, and could, with who could open it before."""
    before = {reader: rights(path, reader) for reader in READERS}
    kept = os.stat(path), acl_of(path)
    with pytest.MonkeyPatch.context() as patch:
        watch = Watch(folder, patch)
        saved = os.umask(umask)
        try:
            with acting_as(writer):
                write(path)
        finally:
            os.umask(saved)
    with open(path) as file:
        assert file.read() == "after"
    assert os.listdir(folder) == [os.path.basename(path)]
    assert watch.looks >= 3
    for reader in READERS:
        if writer is None or reader.uid != writer.uid:
            assert rights(path, reader) & ~before[reader] == 0, reader
            # The owner can give rights to a file of their own.
            more = watch.most[reader] & ~before[reader]
            assert more == 0 or reader.uid == kept[0].st_uid, reader
        assert tried(path, reader) == rights(path, reader), reader
    if writer is None or (writer.uid == OWNER.uid and 4101 in (writer.gid, *writer.groups)):
        now = os.stat(path)
        assert (now.st_uid, now.st_gid, now.st_mode) == (kept[0].st_uid, kept[0].st_gid, kept[0].st_mode)
        assert acl_of(path) == kept[1]


@needs_root
@pytest.mark.usefixtures("acls")
@pytest.mark.parametrize("has_default", [False, True], ids=["plain folder", "folder with a wide default"])
@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("begin", [0, *(pytest.param(begin, marks=pytest.mark.slow) for begin in (1, 2, 3))])
def test_no_right_is_added(begin: int, writer: User | None, has_default: bool, folder: str) -> None:
    rng = random.Random(f"{writer}{has_default}{begin}")
    path = os.path.join(folder, "out")
    if has_default:
        os.setxattr(folder, DEFAULT_ACL, pack(WIDE))
    users = [OWNER.uid, NAMED.uid, STRANGER.uid, COLLEAGUE.uid]
    for umask in range(begin, 64, 4):
        make(path, rng.randrange(0o1000))
        check(folder, path, writer, umask)
        make(path, random_acl(rng, users, [4000, 4101, 4104, 4200]))
        check(folder, path, writer, umask)


@pytest.mark.sample(16)
@needs_root
@pytest.mark.usefixtures("acls")
@pytest.mark.parametrize("umask", range(64), ids="{:02o}".format)
def test_a_new_file_has_the_rights_of_new_files(umask: int, folder: str) -> None:
    """Those that any program's file has there: by the umask, or by what the folder says."""
    path, other = os.path.join(folder, "out"), os.path.join(folder, "other")
    saved = os.umask(umask)
    try:
        for given in (None, WIDE, NARROW):
            if given is not None:
                os.setxattr(folder, DEFAULT_ACL, pack(given))
            write(path)
            with open(other, "w"):
                pass
            assert (mode(path), acl_of(path)) == (mode(other), acl_of(other))
            assert [rights(path, reader) for reader in READERS] == [tried(path, reader) for reader in READERS]
            os.unlink(path)
            os.unlink(other)
    finally:
        os.umask(saved)


# Each place where the command writes a file; tests/engines has those that need packages.
COMMANDS = [
    ["-o", "{}", "http://h"],
    ["--csv", "-o", "{}", "http://h"],
    ["--invalid", "file={}", "http://a b"],
    ["dedup", "-o", "{}", "http://h"],
    ["dedup", "--invalid", "file={}", "http://a b"],
    ["join", "--with", "urls", "-o", "{}", "http://h"],
]


def check_command(command: list[str], folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    Path("urls").write_text("http://h/\n")
    path = os.path.join(folder, "out.png")
    make(path, NARROW)
    owner = os.stat(path).st_uid
    watch = Watch(folder, monkeypatch)
    ended = run(*(argument.format(path) for argument in command))
    # An argument that is not a URL.
    assert ended.status == ("http://a b" in command), ended.err
    assert acl_of(path) == pack(NARROW)
    assert os.stat(path).st_uid == owner
    assert Path(path).read_bytes() != b"before"
    assert watch.looks >= 3
    for reader in READERS:
        assert watch.most[reader] & ~rights(path, reader) == 0


@pytest.mark.usefixtures("acls")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_file_that_the_command_writes(command: list[str], folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_command(command, folder, monkeypatch)


@pytest.mark.usefixtures("acls")
def test_a_failure_leaves_the_file(folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, NARROW)
    assert run("-o", path, "--invalid", "fail", "http://h", "http://a b").status == 1
    assert (Path(path).read_text(), acl_of(path), os.listdir(folder)) == ("before", pack(NARROW), ["out"])


# What cannot be kept.


@pytest.mark.usefixtures("acls")
@pytest.mark.parametrize("name", ["getxattr", "listxattr", "setxattr", "fchown"])
@pytest.mark.parametrize("number", [errno.EPERM, errno.EACCES, errno.ENOSPC, errno.EIO])
def test_what_cannot_be_kept(name: str, number: int, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.path.join(folder, "out")
    make(path, NARROW)
    if name == "fchown" and os.geteuid() != 0:
        pytest.skip("only root changes the owner")

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, name, refuse)
    write(path)
    monkeypatch.undo()
    assert mode(path) == 0o600
    assert all(rights(path, reader) == 0 for reader in READERS if reader != OWNER)


@pytest.mark.usefixtures("acls")
def test_a_list_of_the_folder_that_cannot_be_removed(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.path.join(folder, "out")
    os.setxattr(folder, DEFAULT_ACL, pack(WIDE))
    make(path, 0o664)

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "removexattr", refuse)
    write(path)
    monkeypatch.undo()
    assert all(rights(path, reader) == 0 for reader in READERS if reader != OWNER)


def set_attribute(path: str, name: str, value: bytes) -> None:
    try:
        os.setxattr(path, name, value)
    except (AttributeError, OSError):
        pytest.skip(f"files have no attribute {name} here")


def test_attributes_are_kept(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o644)
    set_attribute(path, "user.origin", b"somewhere")
    write(path)
    assert os.getxattr(path, "user.origin") == b"somewhere"
    really = os.setxattr

    def full(given: Any, name: str, *rest: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    # It says nothing about who may open the file.
    monkeypatch.setattr(os, "setxattr", full)
    write(path)
    assert really is not os.setxattr
    assert (mode(path), os.listxattr(path)) == (0o644, [])


@needs_root
def test_labels_are_kept_or_the_file_is_closed(folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o666)
    set_attribute(path, "security.test", b"label")
    write(path)
    assert (os.getxattr(path, "security.test"), mode(path)) == (b"label", 0o666)
    # Who is not root cannot label a file.
    with acting_as(WRITER):
        write(path)
    assert mode(path) == 0o600


@needs_root
def test_capabilities_are_not_kept(folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o755)
    set_attribute(path, "security.capability", bytes.fromhex("0100000200040000000000000000000000000000"))
    write(path)
    assert os.listxattr(path) == []
    assert mode(path) == 0o755


def test_a_file_that_comes_in_between(folder: str) -> None:
    """Its rights are those of another file, to which nothing was compared."""
    path, other = os.path.join(folder, "out"), os.path.join(folder, "other")
    make(path, 0o600)
    make(other, 0o666)
    with open_output(path) as out:
        out.write(b"after")
        os.replace(other, path)
    assert mode(path) == 0o600
    with open_output(path) as out:
        out.write(b"after")
        os.unlink(path)
    assert mode(path) == 0o600


@pytest.mark.parametrize("given", [0o600, 0o640, 0o666])
def test_a_file_that_comes_where_there_was_none(given: int, folder: str) -> None:
    """The new one is as open as new files are, but that one need not be."""
    path = os.path.join(folder, "out")
    saved = os.umask(0o022)
    try:
        with open_output(path) as out:
            out.write(b"after")
            make(path, given)
    finally:
        os.umask(saved)
    assert (Path(path).read_text(), mode(path)) == ("after", 0o600)


def test_rights_that_change_in_between(folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o644)
    with open_output(path) as out:
        out.write(b"after")
        os.chmod(path, 0o600)
    assert mode(path) == 0o600


# What the path leads to.


def test_links(folder: str) -> None:
    """The file that a link leads to is replaced, where it is; a file that is not there is made there."""
    inner = os.path.join(folder, "inner")
    os.mkdir(inner)
    target = os.path.join(inner, "target")
    link, chain, dangling = (os.path.join(folder, name) for name in ("link", "chain", "dangling"))
    os.symlink("inner/target", link)
    os.symlink("link", chain)
    os.symlink("inner/new", dangling)
    for path in (link, chain, target):
        make(target, 0o640)
        before = os.stat(target)
        write(path)
        assert (mode(target), os.stat(target).st_uid, os.stat(target).st_gid) == (0o640, before.st_uid, before.st_gid)
        assert Path(target).read_text() == "after"
    assert os.path.islink(link)
    assert os.path.islink(chain)
    write(dangling)
    assert os.path.islink(dangling)
    assert Path(inner, "new").read_text() == "after"
    assert sorted(os.listdir(inner)) == ["new", "target"]
    assert sorted(os.listdir(folder)) == ["chain", "dangling", "inner", "link"]


def test_a_link_that_leads_to_itself(folder: str) -> None:
    path = os.path.join(folder, "loop")
    os.symlink("loop", path)
    with pytest.raises(OSError, match=r"[Tt]oo many|[Ll]ink loop"):
        write(path)
    assert os.listdir(folder) == ["loop"]


def test_a_pipe_with_a_name(folder: str) -> None:
    path = os.path.join(folder, "pipe")
    os.mkfifo(path, 0o600)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(Path(path).read_bytes()))
    reader.start()
    write(path)
    reader.join()
    assert found == [b"after"]
    assert stat.S_ISFIFO(os.stat(path).st_mode)
    assert (mode(path), os.listdir(folder)) == (0o600, ["pipe"])


def test_a_device(folder: str) -> None:
    before = os.stat(os.devnull)
    write(os.devnull)
    now = os.stat(os.devnull)
    assert (now.st_ino, now.st_mode, now.st_uid) == (before.st_ino, before.st_mode, before.st_uid)


def test_another_name_of_the_file(folder: str) -> None:
    """It keeps the content, and the rights, that it had."""
    path, other = os.path.join(folder, "out"), os.path.join(folder, "other")
    make(path, 0o640)
    os.link(path, other)
    write(path)
    assert (Path(other).read_text(), Path(path).read_text()) == ("before", "after")
    assert mode(path) == mode(other) == 0o640


@needs_root
def test_a_folder_that_cannot_be_written(folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o666)
    os.chmod(folder, 0o555)
    with acting_as(WRITER), pytest.raises(PermissionError) as caught:
        write(path)
    assert caught.value.filename == path
    assert (Path(path).read_text(), mode(path), os.listdir(folder)) == ("before", 0o666, ["out"])


@needs_root
def test_a_file_of_another_in_a_sticky_folder(folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o666)
    os.chmod(folder, 0o1777)
    with acting_as(WRITER), pytest.raises(PermissionError) as caught:
        write(path)
    assert caught.value.filename == path
    assert (Path(path).read_text(), mode(path), os.listdir(folder)) == ("before", 0o666, ["out"])


@pytest.mark.parametrize("special", [0o4000, 0o2000, 0o6000])
def test_set_user_id_is_not_kept(special: int, folder: str) -> None:
    path = os.path.join(folder, "out")
    make(path, 0o755 | special)
    write(path)
    assert mode(path) == 0o755


@needs_root
@pytest.mark.parametrize("is_kept", [True, False])
def test_temporary_files_of_what_is_too_large_for_memory(
    is_kept: bool, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have no name where the system can do that, and are only for whoever runs the command."""
    found: list[os.stat_result] = []
    really = tempfile.TemporaryFile

    def noted(*arguments: Any, **options: Any) -> Any:
        file = really(*arguments, **options)
        found.append(os.fstat(file.fileno()))
        assert os.listdir(folder) == []
        return file

    os.setxattr(folder, DEFAULT_ACL, pack(WIDE)) if is_kept else None
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setattr(tempfile, "TemporaryFile", noted)
    saved = os.umask(0)
    try:
        lines = "".join(f"http://h/{number}\n" for number in range(100_000))
        assert run("dedup", "--memory", "1M", stdin=lines).status == 0
    finally:
        os.umask(saved)
    assert found
    assert all(stat.S_IMODE(each.st_mode) == 0o600 for each in found)


# Files that are open already.


SPELLINGS = ["name", "number", "process", "dots", "slashes", "relative", "thread"]


def path_of(number: int, kind: str, folder: str) -> str:
    """A name of an open file: the system's, or a link to it, or to a link."""
    names = {0: "stdin", 1: "stdout", 2: "stderr"}
    path = f"/dev/{names[number]}" if kind == "name" and number in names else f"/dev/fd/{number}"
    spellings = {
        "process": f"/proc/self/fd/{number}",
        "dots": f"/dev/../dev/fd/./{number}",
        "slashes": f"//proc//self/fd/{number}",
        "relative": os.path.relpath(f"/dev/fd/{number}"),
        "thread": f"/proc/thread-self/fd/{number}",
    }
    path = spellings.get(kind, path)
    if kind == "folder":
        os.symlink("/dev/fd", os.path.join(folder, "folder"))
        path = os.path.join(folder, "folder", str(number))
    for link in ["link", "chain"][: {"link": 1, "chain": 2}.get(kind, 0)]:
        os.symlink(path, os.path.join(folder, link))
        path = os.path.join(folder, link)
    return path


@pytest.mark.sample(15)
@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="only Linux has these names")
@pytest.mark.parametrize("kind", [*SPELLINGS, "link", "chain", "folder"])
@pytest.mark.parametrize("number", [1, 2, 9])
@pytest.mark.parametrize("how", ["wb", "ab"])
def test_names_of_what_is_open(kind: str, number: int, how: str, folder: str) -> None:
    """What others write to it, before and after the command, stays: it is not replaced."""
    path = path_of(number, kind, folder)
    target = os.path.join(folder, "target")
    Path(target).write_bytes(b"first\n" if how == "ab" else b"")
    shell = '{ echo before >&N; "$@"; echo after >&N; } N>&3'.replace("N", str(number))
    command = ["bash", "-c", shell, "bash", sys.executable, "-m", "weburl", "-o", path, "http://a/", "http://b/"]
    with open(target, how) as file:
        read = os.dup(file.fileno())
        done = subprocess.run(
            ["bash", "-c", f'exec 3>&{read}; exec "$@"', "bash", *command],
            pass_fds=[read],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        os.close(read)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    lines = ["first"] * (how == "ab") + ["before", "http://a/", "http://b/", "after"]
    assert Path(target).read_text().splitlines() == lines
    assert sorted(os.listdir(folder)) == sorted(
        ["target", *{"link": ["link"], "chain": ["link", "chain"], "folder": ["folder"]}.get(kind, [])]
    )


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="only Linux has these names")
def test_what_another_process_has_open(folder: str) -> None:
    """As `-o /proc/$$/fd/1` in a shell: the file stays the one that the shell writes."""
    target = os.path.join(folder, "target")
    Path(target).write_bytes(b"first\n")
    script = '{ echo before; "$@" -o /proc/$$/fd/1 http://a/; echo after; } >> target'
    subprocess.run(["bash", "-c", script, "bash", sys.executable, "-m", "weburl"], cwd=folder, check=True)
    assert Path(target).read_text().split() == ["first", "before", "http://a/", "after"]
    assert os.listdir(folder) == ["target"]


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="only Linux has these names")
def test_a_file_that_is_open_and_has_no_name(folder: str) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        write(f"/proc/self/fd/{file.fileno()}")
        file.seek(0)
        assert file.read() == b"after"
        assert os.listdir(folder) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_a_signal_when_the_temporary_file_is_made(
    error: type[BaseException], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not left there, although nobody knows its number yet."""
    path = os.path.join(folder, "out")
    make(path, 0o640)
    real = os.open

    def interrupted(name: Any, flags: int, *rest: Any, **options: Any) -> int:
        number = real(name, flags, *rest, **options)
        if flags & os.O_EXCL:
            os.close(number)
            raise error
        return number

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(error):
        write(path)
    monkeypatch.undo()
    assert os.listdir(folder) == ["out"]
    assert Path(path).read_text() == "before"
