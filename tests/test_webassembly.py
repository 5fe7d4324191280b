"""What differs where Python is WebAssembly: there are no threads. `make wasm` runs the tests there."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

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


FILES = {
    "a": """
        import pytest
        def test_one(): pass
        @pytest.mark.parametrize("x", range(3))
        def test_some(x): assert x, "no\\nmore"
        def test_other(): pytest.skip("no threads")
        @pytest.mark.xfail(reason="known", strict=True)
        def test_known(): assert False
        @pytest.fixture
        def broken():
            yield
            raise OSError("at the end")
        def test_end(broken): pass
    """,
    "b": "import no_such_module",
    "c": """
        import os
        def test_before(): pass
        def test_death(): os._exit(70)
        def test_after(): pass
    """,
    "d": """
        import time
        def test_sleep(): time.sleep(100)
    """,
    "e": "def test_one(): pass",
    "f": "import os; os._exit(71)",
    "g": """
        import pytest
        @pytest.mark.parametrize("kind", "xyz")
        @pytest.mark.parametrize("seed", range(5, 10))
        def test_seeds(seed, kind): assert seed < 7
        @pytest.mark.parametrize("other", range(5))
        def test_others(other): pass
    """,
    "h": """
        import pytest
        @pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), 1, 2, 3])
        def test_seeds(seed): assert seed
    """,
}


def shares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: str, seconds: float = 60) -> Any:
    """What `make wasm` makes of files with these names: in one share, in this Python."""
    wasm = import_module("tiers.wasm")
    monkeypatch.setattr(wasm, "LOGS", tmp_path)
    monkeypatch.setattr(wasm, "SECONDS", seconds)
    monkeypatch.setattr(wasm, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(wasm.HERE), prepend=os.pathsep)
    for name in names:
        (tmp_path / f"test_{name}.py").write_text(dedent(FILES[name]))
    command = [sys.executable, "-m", "pytest", *wasm.OPTIONS, "--seeds=2"]
    found = wasm.test(command, 1, [f"test_{name}.py" for name in names])
    return {file.removeprefix("test_").removesuffix(".py"): result for file, result in found.items()}


@pytest.mark.slow
def test_what_a_process_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How `make wasm` counts: by file, with the reasons, also where a file is not imported."""
    found = shares(tmp_path, monkeypatch, "ab")
    assert set(found) == {"a", "b"}
    assert found["a"].counts == {"passed": 3, "failed": 2, "skipped": 2}
    assert found["a"].reasons == {"no threads": 1, "expected to fail: known": 1}
    some, end = found["a"].failed
    assert some.startswith("test_a.py::test_some[0]: ")
    assert some.endswith("E AssertionError: no E more E assert 0")
    assert end.startswith("test_a.py::test_end: ")
    assert "OSError: at the end" in end
    assert found["b"].counts == {"failed": 1}
    assert "No module named 'no_such_module'" in found["b"].failed[0]


@pytest.mark.slow
@pytest.mark.parametrize("order", ["ace", "eca", "cfe", "fec"])
def test_a_process_that_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    """The test at which it ended is named, and other files run, each once."""
    found = shares(tmp_path, monkeypatch, order)
    assert set(found) == set(order)
    assert found["c"].counts == {"passed": 1, "ended": 1}
    assert found["c"].failed == ["test_c.py::test_death: the process ended with 70"]
    assert found["e"].counts == {"passed": 1}
    if "f" in order:
        assert found["f"].failed == ["test_f.py: the process ended with 71"]
    else:
        assert found["a"].counts == {"passed": 3, "failed": 2, "skipped": 2}


@pytest.mark.slow
def test_a_test_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shares(tmp_path, monkeypatch, "ed", 20)
    assert found["e"].counts == {"passed": 1}
    assert found["d"].failed == ["test_d.py::test_sleep: it took more than 20 s"]


@pytest.mark.slow
def test_what_ran_before_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what passed, to the end of the file, with the same wheel, and has not changed since."""
    wasm, wheel = import_module("tiers.wasm"), tmp_path / "weburl.whl"
    wheel.touch()
    shares(tmp_path, monkeypatch, "eacg")
    names = [f"test_{name}.py" for name in "eacgb"]
    assert set(wasm.of_the_last_run(wheel, names)) == {"test_e.py", "test_g.py"}
    assert set(wasm.of_the_last_run(wheel, names[1:])) == {"test_g.py"}
    newer = max(path.stat().st_mtime for path in tmp_path.glob("*.jsonl")) + 60
    os.utime(tmp_path / "test_g.py", (newer, newer))
    assert set(wasm.of_the_last_run(wheel, names)) == {"test_e.py"}
    os.utime(wheel, (newer, newer))
    assert wasm.of_the_last_run(wheel, names) == {}


@pytest.mark.slow
def test_the_first_seeds_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shares(tmp_path, monkeypatch, "gh")
    assert found["g"].counts == {"passed": 3 * 2 + 5}
    # The one that is slow is not among them.
    assert found["h"].counts == {"passed": 2}


def test_a_process_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wasm = import_module("tiers.wasm")
    monkeypatch.setattr(wasm, "LOGS", tmp_path)
    found = wasm.test([sys.executable, "-c", "exit(3)"], 1, ["test_a.py", "test_b.py"])
    assert [result.failed for result in found.values()] == [
        ["test_a.py: the process ended with 3"],
        ["test_b.py: the process ended with 3"],
    ]


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
