"""What differs where Python is WebAssembly: there are no threads. `make wasm` runs the tests there."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
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


def test_what_a_process_reports(tmp_path: Path) -> None:
    """How `make wasm` counts: by file, with the reasons, also where a file is not imported."""
    (tmp_path / "test_a.py").write_text(
        "import pytest\n"
        "def test_one(): pass\n"
        "@pytest.mark.parametrize('x', range(3))\ndef test_some(x): assert x, 'no\\nmore'\n"
        "def test_other(): pytest.skip('no threads')\n"
    )
    (tmp_path / "test_b.py").write_text("import no_such_module\n")
    report = tmp_path / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1"]
    ended = subprocess.run([*command, f"--junit-xml={report}", "--continue-on-collection-errors", str(tmp_path)])
    assert ended.returncode == 1
    found = import_module("tiers.wasm").outcomes(report)
    assert {name.rpartition("/")[2] for name in found} == {"test_a.py", "test_b.py"}
    first, second = (next(found[name] for name in found if name.endswith(end)) for end in ("test_a.py", "test_b.py"))
    assert first.counts == {"passed": 3, "failed": 1, "skipped": 1}
    assert first.reasons == {"no threads": 1}
    assert [line.partition("::")[2] for line in first.failed] == ["test_some[0]: AssertionError: no more assert 0"]
    assert second.counts == {"failed": 1}


def test_a_wheel_of_this_source_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make wasm TESTS=--build` makes none anew, unless the source has changed since."""
    wasm = import_module("tiers.wasm")
    monkeypatch.setattr(wasm, "FOLDER", tmp_path)
    assert wasm.wheel_of_this_source() is None
    wheel = tmp_path / "dist" / "weburl.whl"
    wheel.parent.mkdir()
    wheel.touch()
    monkeypatch.setattr(wasm, "HERE", tmp_path)
    (tmp_path / "cc.py").touch()
    changed = [path for path in (wasm.ROOT / "src" / "weburl").rglob("*") if path.suffix in wasm.SOURCES]
    changed += [wasm.ROOT / "pyproject.toml", wasm.ROOT / "setup.py", tmp_path / "cc.py"]
    newest = max(path.stat().st_mtime for path in changed)
    os.utime(wheel, (newest + 60, newest + 60))
    assert wasm.wheel_of_this_source() == wheel
    os.utime(tmp_path / "cc.py", (newest + 90, newest + 90))
    assert wasm.wheel_of_this_source() is None
