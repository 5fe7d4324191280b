"""What differs where Python is WebAssembly: there are no threads. `make wasm` runs the tests there."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.command import run

from weburl._arrow.schedule import count_threads, has_threads
from weburl.bulk import parse_many
from weburl.patterns import learn_routes

REFUSED = "threads must be 1 here, not 2: this Python, which is WebAssembly, starts no threads"
MANY = [f"https://example.com/{i}" for i in range(100_000)]


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """As there: sys says so, and no thread starts."""
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(sys, "_emscripten_info", SimpleNamespace(pthreads=False), raising=False)

    def start(_: object) -> None:
        raise AssertionError("a thread is started")

    monkeypatch.setattr("threading.Thread.start", start)


@pytest.mark.parametrize(
    ("platform", "pthreads", "expected"),
    [("linux", None, True), ("emscripten", False, False), ("emscripten", True, True), ("wasi", None, False)],
)
def test_where_threads_are(
    monkeypatch: pytest.MonkeyPatch, platform: str, pthreads: bool | None, expected: bool
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delattr(sys, "_emscripten_info", raising=False)
    if pthreads is not None:
        monkeypatch.setattr(sys, "_emscripten_info", SimpleNamespace(pthreads=pthreads), raising=False)
    assert has_threads() is expected


@pytest.mark.usefixtures("no_threads")
def test_columns_take_one_thread() -> None:
    assert count_threads(None) == count_threads(1) == 1
    assert parse_many(MANY, ["pathname"])["pathname"].to_pylist() == [f"/{i}" for i in range(len(MANY))]
    assert parse_many(MANY[:2], ["host"], threads=1)["host"].to_pylist() == ["example.com"] * 2


@pytest.mark.usefixtures("no_threads")
def test_more_threads_are_refused() -> None:
    with pytest.raises(ValueError, match=f"^{REFUSED}$"):
        parse_many(MANY, threads=2)
    with pytest.raises(ValueError, match=f"^{REFUSED}$"):
        learn_routes(MANY, threads=2)


@pytest.mark.usefixtures("no_threads")
@pytest.mark.parametrize("command", [[], ["stats"], ["learn"]])
def test_the_command_takes_one_thread(command: list[str]) -> None:
    lines = "".join(f"{url}\n" for url in MANY)
    ended = run(*command, stdin=lines)
    assert (ended.status, ended.err) == (0, "")
    assert run(*command, "--threads", "1", stdin=lines) == ended
    refused = run(*command, "--threads", "2", stdin=lines)
    assert (refused.status, refused.out) == (2, "")
    assert f"--threads: {REFUSED}" in refused.err


@pytest.mark.usefixtures("no_threads")
def test_files_are_redacted_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / "in" / name).write_text("https://h/?token=s3cret\n")
    words = ["redact", str(tmp_path / "in"), "-o"]
    assert run(*words, str(tmp_path / "out")).status == 0
    assert {(tmp_path / "out" / name).read_text() for name in ("a", "b", "c")} == {"https://h/?token=REDACTED\n"}
    refused = run(*words, str(tmp_path / "other"), "--jobs", "2")
    assert refused.status == 2
    assert f"--jobs: {REFUSED}" in refused.err
