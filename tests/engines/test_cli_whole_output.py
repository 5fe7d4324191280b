"""Tables are written whole or not at all: also after a kill at any moment, and on a disk that is full."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyarrow import dataset, ipc, parquet
from support.waiting import wait_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and file systems are those of POSIX")
COMMAND = [sys.executable, "-m", "weburl"]
FORMAT = ["-g", "{host} {path} {query}"]
KINDS = {
    "parquet": ["--parquet", "{}"],
    "zstd": ["--parquet", "{}", "--compression", "zstd:9", "--row-group", "100K"],
    "arrow": ["--arrow", "{}"],
    "partitions": ["--parquet", "{}", "--partition-by", "host", "--compression", "none"],
}
ROWS = 60_000


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(44)
    path = tmp_path_factory.mktemp("urls") / "urls.txt"
    with path.open("w") as file:
        for number in range(ROWS):
            file.write(f"http://h{number % 97}.example/{draw.getrandbits(64):x}?q={number}\n")
    return path


def options(kind: str, out: Path) -> list[str]:
    return [*FORMAT, *(option.format(out) for option in KINDS[kind])]


def rows_of(kind: str, out: Path) -> int:
    if kind == "arrow":
        return int(ipc.open_file(out).read_all().num_rows)
    if kind == "partitions":
        return int(dataset.dataset(out).count_rows())
    return int(parquet.read_table(out).num_rows)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kill_at_any_moment(kind: str, urls: Path, tmp_path: Path) -> None:
    """SIGKILL leaves nothing under the name, or what was there, or all of it: and a name that begins with a dot."""
    out = tmp_path / "out"
    begin = time.monotonic()  # clock: deadline
    subprocess.run([*COMMAND, "-f", str(urls), *options(kind, out)], check=True)
    seconds = time.monotonic() - begin  # clock: deadline
    assert rows_of(kind, out) == ROWS
    draw = random.Random(kind)
    ends = set()
    for number in range(16):
        has_before = kind != "partitions" and number % 2 == 0
        shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
        if has_before:
            out.write_bytes(b"before")
        process = subprocess.Popen([*COMMAND, "-f", str(urls), *options(kind, out)])
        time.sleep(draw.uniform(0, seconds))
        process.kill()
        ends.add(process.wait())
        if not out.exists():
            assert not has_before
        elif out.is_dir() or out.read_bytes() != b"before":
            assert rows_of(kind, out) == ROWS
    assert -signal.SIGKILL in ends
    # Only the temporary ones of those that were killed.
    assert all(path.name.startswith(".weburl-") for path in tmp_path.iterdir() if path != out)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("kind", KINDS)
def test_a_signal_leaves_nothing(kind: str, number: int, urls: Path, tmp_path: Path) -> None:
    draw = random.Random(f"{kind} {number}")
    for _ in range(4):
        process = subprocess.Popen(
            [*COMMAND, "-f", str(urls), "-f", "-", *options(kind, tmp_path / "out")],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # Its handlers are there when its output is begun.
        wait_for(lambda: any(tmp_path.iterdir()), process)
        time.sleep(draw.uniform(0, 0.5))
        process.send_signal(number)
        _, said = process.communicate()
        assert process.returncode in (128 + number, -number)
        assert said in (b"", b"weburl: interrupted\n")
        assert not [*tmp_path.iterdir()]


# An import during which a signal comes. Modules in C make an ImportError of what its handler raises.
SIGNALLED = """
import os, signal, sys
from weburl.cli import main

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pyarrow." + MODULE:
            sys.meta_path.remove(self)
            try:
                os.kill(os.getpid(), NUMBER)
                for _ in range(1000):
                    pass
            except BaseException:
                raise ImportError("lost") from None

sys.meta_path.insert(0, Finder())
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["lib", "parquet", "_parquet", "compute"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_pyarrow_is_imported(number: int, module: str, tmp_path: Path) -> None:
    code = SIGNALLED.replace("MODULE", repr(module)).replace("NUMBER", str(int(number)))
    command = [sys.executable, "-c", code, "--parquet", str(tmp_path / "out"), "http://a/"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (128 + number, "weburl: interrupted\n" * (number == signal.SIGINT)), done
    assert not [*tmp_path.iterdir()]


# A file system of so many KiB, of which a shell with rights of its own sees the only use.
SMALL = 'mount -t tmpfs -o size="$1"k tmpfs "$2" && shift 2 && "$@"; status=$?; cd "$OUT" && find . && exit $status'
NAMESPACE = ["unshare", "-rm", "sh", "-c", SMALL, "sh"]
CAN_MOUNT = (
    shutil.which("unshare") is not None
    and subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0
)


@pytest.mark.skipif(not CAN_MOUNT, reason="no file system can be mounted here")
@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk(kind: str, urls: Path, tmp_path: Path) -> None:
    """Of any size: all is written, or nothing is left."""
    folder, out = tmp_path / "disk", tmp_path / "disk/out"
    folder.mkdir()
    draw = random.Random(kind)
    statuses = []
    for number in range(10):
        # Those of a partition take a page each, and the partitions that are not yet sorted are elsewhere.
        size = 1 << 15 if number == 0 else int(2 ** draw.uniform(6, 11.5))
        ended = subprocess.run(
            [*NAMESPACE, str(size), str(folder), *COMMAND, "-f", str(urls), *options(kind, out)],
            env=os.environ | {"OUT": str(folder)},
            capture_output=True,
            text=True,
        )
        statuses.append(ended.returncode)
        if ended.returncode:
            assert (ended.returncode, ended.stdout) == (3, ".\n")
            assert ended.stderr == f"weburl: {out}: No space left on device\n"
        else:
            assert ended.stderr == ""
            assert "./out" in ended.stdout.split()
            assert ".weburl" not in ended.stdout
    assert statuses[0] == 0
    assert 3 in statuses


@pytest.mark.skipif(not CAN_MOUNT, reason="no file system can be mounted here")
def test_no_room_for_temporary_files(urls: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "disk", tmp_path / "out"
    folder.mkdir()
    ended = subprocess.run(
        [*NAMESPACE, "200", str(folder), *COMMAND, "-f", str(urls), *options("partitions", out)],
        env=os.environ | {"OUT": str(folder), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (3, ".\n")
    assert ended.stderr == "weburl: a temporary file of partitions: no space left on device\n"
    assert not out.exists()
