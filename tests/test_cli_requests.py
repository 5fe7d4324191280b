"""What asks a server to store an object, with a server that answers late, never, or with an error: no request is left
half done after one Ctrl-C, and the second one ends the command."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from weburl._arrow.schedule import has_threads
from weburl.cli._exit import InputError
from weburl.cli._signals import Terminated, held_signals
from weburl.cli.readers import storage

pytestmark = pytest.mark.skipif(not has_threads(), reason="there are no threads")

LONG = 60  # seconds: what waits for them is a fault
AT_ONCE = 20


class Server:
    """A file system that notes what is asked of it, and what it has answered.

    `silent` are the requests that it answers when `answers` is set; `refused` are those that raise an error.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answered: list[str] = []
        self.silent: set[str] = set()
        self.refused: dict[str, Exception] = {}
        self.is_asked, self.answers = Event(), Event()

    def open(self, name: str, *_: object, **options: object) -> File:
        return File(self, name)

    def rm_file(self, name: str) -> None:
        self.take(f"remove {name}")

    def take(self, request: str) -> None:
        self.asked.append(request)
        if request in self.refused:
            raise self.refused[request]
        if request in self.silent:
            self.is_asked.set()
            self.answers.wait(LONG)
        self.answered.append(request)


class File:
    def __init__(self, server: Server, name: str) -> None:
        self.server, self.name, self.closed = server, name, False

    def write(self, data: bytes) -> None:
        self.server.take(f"write {self.name}")

    def close(self) -> None:
        self.server.take(f"close {self.name}")

    def commit(self) -> None:
        self.server.take(f"commit {self.name}")

    def discard(self) -> None:
        assert self.closed
        self.server.take(f"discard {self.name}")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server()
    monkeypatch.setattr(storage, "check_writable", lambda path: server)
    monkeypatch.setattr(storage, "PATIENCE", LONG)
    monkeypatch.setattr(storage, "LOOK", 0.01)
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def end(number: int, _: object) -> None:
        raise Terminated(number)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, end)
    try:
        yield server
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
        server.answers.set()


@contextmanager
def when_asked(server: Server, *steps: Callable[[], object]) -> Iterator[None]:
    """Takes steps, and some time between two, when the server is asked something that it does not answer."""

    def take() -> None:
        assert server.is_asked.wait(LONG)
        for step in steps:
            step()
            time.sleep(0.1)

    thread = Thread(target=take)
    thread.start()
    begin = time.monotonic()  # clock: deadline
    try:
        yield
    finally:
        thread.join()
        assert time.monotonic() - begin < AT_ONCE  # clock: deadline


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def terminate() -> None:
    signal.raise_signal(signal.SIGTERM)


def both() -> None:
    terminate()
    interrupt()


def write(*names: str) -> None:
    """Opens objects within each other, and writes something to the last one."""
    with storage.open_to_write(f"s3://{names[0]}") as out:
        if names[1:]:
            write(*names[1:])
        else:
            out.write(b"x")


def write_and_fail() -> None:
    with storage.open_to_write("s3://a") as out:
        out.write(b"x")
        raise MemoryError


def test_an_object(server: Server) -> None:
    write("a")
    assert server.answered == ["write a", "close a", "commit a"]


@pytest.mark.parametrize("request_", ["write", "close", "commit"])
def test_a_signal_leaves_no_request_half_done(request_: str, server: Server) -> None:
    server.silent = {f"{request_} a"}
    with when_asked(server, interrupt, server.answers.set), pytest.raises(KeyboardInterrupt):
        write("a")
    assert server.answered[-2:] == [f"{request_} a", "discard a"]


@pytest.mark.parametrize("request_", ["write", "close", "commit"])
def test_after_a_second_signal_nothing_is_waited_for(request_: str, server: Server) -> None:
    server.silent = {f"{request_} a", "discard a"}
    with when_asked(server, interrupt, interrupt), pytest.raises(KeyboardInterrupt):
        write("a")
    assert f"{request_} a" not in server.answered


@pytest.mark.parametrize("steps", [[interrupt], [interrupt, interrupt]], ids=len)
def test_who_writes_again_after_an_error_is_stopped(
    steps: list[Callable[[], None]], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pyarrow does, for the end of a table."""
    monkeypatch.setattr(storage, "PATIENCE", 0.5)
    server.silent = {"write a", "discard a"}
    with when_asked(server, *steps), pytest.raises(KeyboardInterrupt):
        write_again()
    assert server.asked == ["write a", "discard a"]


def write_again() -> None:
    with storage.open_to_write("s3://a") as out:
        try:
            out.write(b"x" * (1 << 17))
        finally:
            out.write(b"y" * (1 << 17))


def test_a_second_signal_is_about_all_objects(server: Server) -> None:
    server.silent = {"close b", "discard b", "discard a"}
    with when_asked(server, terminate, interrupt), pytest.raises(Terminated):
        write("a", "b")
    assert server.answered == ["write b"]


@pytest.mark.parametrize("attempt", range(4))
def test_signals_that_come_together(attempt: int, server: Server) -> None:
    server.silent = {"write a", "discard a"}
    with when_asked(server, both), pytest.raises((Terminated, KeyboardInterrupt)):
        write("a")
    assert server.answered == []


def test_a_silent_server_has_some_seconds(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "PATIENCE", 0.5)
    server.silent = {"write a", "discard a"}
    begin = time.monotonic()  # clock: deadline
    with when_asked(server, interrupt), pytest.raises(KeyboardInterrupt):
        write("a")
    assert time.monotonic() - begin >= 0.4  # clock: deadline
    assert server.answered == []


def test_a_signal_while_it_is_removed(server: Server) -> None:
    """After an error the first one ends the wait, and the error is still what is said."""
    server.refused = {"close a": ConnectionError()}
    server.silent = {"discard a"}
    with when_asked(server, interrupt), pytest.raises(InputError, match="the server failed"):
        write("a")
    assert server.asked[-1] == "discard a"
    server.is_asked.clear()
    server.refused, server.asked = {}, []
    with when_asked(server, interrupt), pytest.raises(MemoryError):
        write_and_fail()
    assert server.asked == ["discard a"]


def test_a_thread_that_does_not_start(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("_thread.start_new_thread", fail)
    begin = time.monotonic()  # clock: deadline
    with pytest.raises(InputError, match="RuntimeError"):
        write("a")
    assert time.monotonic() - begin < AT_ONCE  # clock: deadline
    assert server.asked == []


def test_a_signal_while_handlers_are_put_back(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts, and so do later ones."""
    with monkeypatch.context() as patch, pytest.raises(Terminated), held_signals():
        patch.setattr("_signal.signal", lambda *_: terminate())
    with pytest.raises(Terminated):
        terminate()
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def folder(path: Path) -> list[str]:
    """The names of the objects that are made of a folder, which this makes."""
    for name in "ab":
        (path / name).mkdir()
        for number in range(3):
            (path / name / f"{number}").write_text("x")
    return [*(f"f/{name}/{number}" for name in "ab" for number in range(3)), "f/_SUCCESS"]


def test_a_folder(server: Server, tmp_path: Path) -> None:
    names = folder(tmp_path)
    storage.upload(str(tmp_path), "s3://f")
    commits = [request for request in server.answered if request.startswith("commit")]
    assert sorted(commits) == sorted(f"commit {name}" for name in names)
    assert commits[-1] == "commit f/_SUCCESS"


class Answer(OSError):
    """An error of a library that has what the server answered."""

    def __init__(self, status: str) -> None:
        self.status = status


ANSWERS: list[tuple[Exception | None, int]] = [
    (None, 7), (FileNotFoundError(), 7), (PermissionError(), 7), (Answer("503"), 7), (ConnectionError(), 1),
    (TimeoutError(), 1),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "removed"), ANSWERS, ids=lambda value: type(value).__name__)
def test_a_folder_that_is_removed(answer: Exception | None, removed: int, server: Server, tmp_path: Path) -> None:
    """Each object, unless there is no server any more."""
    names = folder(tmp_path)
    server.refused = {"commit f/_SUCCESS": ConnectionError()}
    if answer is not None:
        server.refused |= {f"remove {name}": answer for name in names}
    with pytest.raises(InputError, match="the server failed"):
        storage.upload(str(tmp_path), "s3://f")
    assert next(request for request in server.asked if request.startswith("remove")) == "remove f/_SUCCESS"
    assert sum(request.startswith("remove") for request in server.asked) == removed


def test_a_folder_whose_server_is_silent(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = folder(tmp_path)
    server.refused = {"commit f/_SUCCESS": ConnectionError()}
    server.silent = {f"remove {name}" for name in names}
    monkeypatch.setattr(storage, "PATIENCE", 0.5)
    with when_asked(server), pytest.raises(InputError, match="the server failed"):
        storage.upload(str(tmp_path), "s3://f")
    assert sum(request.startswith("remove") for request in server.asked) == 1
