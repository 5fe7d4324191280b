"""wpt_data/sync.py, over small data of our own in temporary folders; nothing here touches the network."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import urllib.error
from pathlib import Path

import pytest
from support.wpt_cases import MANIFEST, WPT, load_sync

FILES = {
    "urltestdata.json": b'["a comment", {"input": "a:b"}, {"input": "\\ud800"}]',
    "setters_tests.json": b'{"comment": ["text"], "hash": [{"new_value": "a"}], "port": [{}, {}]}',
}
COUNTS = {"urltestdata.json": 2, "setters_tests.json": 3}


def entry(name: str, content: bytes) -> dict[str, object]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "cases": COUNTS[name]}


@pytest.fixture
def wpt_data(tmp_path: Path) -> Path:
    """A copy of sync.py beside a manifest of FILES."""
    folder = tmp_path / "wpt_data"
    folder.mkdir()
    shutil.copy(WPT / "sync.py", folder)
    files = {name: entry(name, content) for name, content in FILES.items()}
    manifest = {"source": "here", "ref": "0123abc", "date": "2000-01-01", "licence": "none", "files": files}
    (folder / "MANIFEST.json").write_text(json.dumps(manifest))
    return folder


def put(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def run(wpt_data: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, wpt_data / "sync.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def written(wpt_data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (wpt_data / "data").glob("*")}


def manifest(wpt_data: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads((wpt_data / "MANIFEST.json").read_bytes())
    return content


@pytest.mark.parametrize("layout", [".", "wpt_data", "url/resources"])
def test_copies(wpt_data: Path, tmp_path: Path, layout: str) -> None:
    put(tmp_path / "from" / layout, FILES)
    put(wpt_data / "data", {"urltestdata.json": b"older"})
    result = run(wpt_data, "--from", tmp_path / "from")
    assert (result.returncode, result.stderr) == (0, "")
    assert "urltestdata.json: 2 cases" in result.stdout
    assert written(wpt_data) == FILES


def test_files_of_url_patterns_are_in_another_folder_of_a_checkout(wpt_data: Path, tmp_path: Path) -> None:
    pattern = {"urlpatterntestdata.json": FILES["urltestdata.json"]}
    entries = {"urlpatterntestdata.json": entry("urltestdata.json", FILES["urltestdata.json"])}
    described = manifest(wpt_data)
    files = described["files"]
    assert isinstance(files, dict)
    (wpt_data / "MANIFEST.json").write_text(json.dumps(described | {"files": files | entries}))
    put(tmp_path / "from/url/resources", FILES)
    put(tmp_path / "from/urlpattern/resources", pattern)
    assert run(wpt_data, "--from", tmp_path / "from").returncode == 0
    assert written(wpt_data) == FILES | pattern


def test_checkout_comes_before_the_folder_itself(wpt_data: Path, tmp_path: Path) -> None:
    put(tmp_path / "from", dict.fromkeys(FILES, b"[]"))
    put(tmp_path / "from/url/resources", FILES)
    assert run(wpt_data, "--from", tmp_path / "from").returncode == 0
    assert written(wpt_data) == FILES


@pytest.mark.parametrize("content", [b"[]", b"not JSON", b""])
def test_refuses_another_hash(wpt_data: Path, tmp_path: Path, content: bytes) -> None:
    put(tmp_path / "from", FILES | {"setters_tests.json": content})
    put(wpt_data / "data", {"urltestdata.json": b"older"})
    before = manifest(wpt_data)
    result = run(wpt_data, "--from", tmp_path / "from")
    assert (result.returncode, result.stdout) == (1, "")
    found, wanted = (hashlib.sha256(each).hexdigest() for each in (content, FILES["setters_tests.json"]))
    assert f"setters_tests.json: sha256 is {found}, the manifest has {wanted}" in result.stderr
    assert written(wpt_data) == {"urltestdata.json": b"older"}
    assert manifest(wpt_data) == before


def test_refuses_another_count(wpt_data: Path, tmp_path: Path) -> None:
    put(tmp_path / "from", FILES)
    text = (wpt_data / "MANIFEST.json").read_text()
    (wpt_data / "MANIFEST.json").write_text(text.replace('"cases": 3', '"cases": 4'))
    result = run(wpt_data, "--from", tmp_path / "from")
    assert result.returncode == 1
    assert "setters_tests.json: the file is" in result.stderr
    assert written(wpt_data) == {}


@pytest.mark.parametrize("option", [[], ["--update-manifest"]], ids=["check", "update"])
@pytest.mark.parametrize("files", [{"urltestdata.json": FILES["urltestdata.json"]}, {}], ids=["one", "all"])
def test_missing(wpt_data: Path, tmp_path: Path, files: dict[str, bytes], option: list[str]) -> None:
    put(tmp_path / "from", files)
    before = manifest(wpt_data)
    result = run(wpt_data, "--from", tmp_path / "from", *option)
    assert result.returncode == 1
    assert "setters_tests.json" in result.stderr
    assert "Traceback" not in result.stderr
    assert written(wpt_data) == {}
    assert manifest(wpt_data) == before


def test_update_manifest(wpt_data: Path, tmp_path: Path) -> None:
    changed = FILES | {"urltestdata.json": b'[{"input": "c:d"}, "comment"]'}
    put(tmp_path / "from", changed)
    result = run(wpt_data, "--from", tmp_path / "from", "--update-manifest")
    assert (result.returncode, result.stderr) == (0, "")
    assert written(wpt_data) == changed
    after = manifest(wpt_data)
    content = changed["urltestdata.json"]
    assert after["files"] == {
        "urltestdata.json": {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "cases": 1},
        "setters_tests.json": entry("setters_tests.json", FILES["setters_tests.json"]),
    }
    assert (after["source"], after["licence"]) == ("here", "none")
    assert str(after["date"]) > "2000-01-01"
    assert run(wpt_data, "--from", tmp_path / "from").returncode == 0


@pytest.mark.parametrize("content", [b"<!DOCTYPE html>", b"1", b'{"a": 1}', b"\xff"])
def test_update_manifest_refuses_what_is_not_cases(wpt_data: Path, tmp_path: Path, content: bytes) -> None:
    put(tmp_path / "from", FILES | {"urltestdata.json": content})
    before = manifest(wpt_data)
    result = run(wpt_data, "--from", tmp_path / "from", "--update-manifest")
    assert result.returncode == 1
    assert "urltestdata.json: not a file of cases" in result.stderr
    assert manifest(wpt_data) == before


def test_ref_is_for_upstream_only(wpt_data: Path, tmp_path: Path) -> None:
    result = run(wpt_data, "--from", tmp_path, "--ref", "master")
    assert result.returncode == 2
    assert "--ref" in result.stderr


@pytest.mark.parametrize(("arguments", "ref"), [([], "0123abc"), (["--ref", "feedbee"], "feedbee")])
def test_upstream(wpt_data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], ref: str) -> None:
    asked = []

    def urlopen(address: str, timeout: float) -> io.BytesIO:
        asked.append(address)
        return io.BytesIO(FILES[address.rpartition("/")[2]])

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    assert load_sync(wpt_data / "sync.py").main([*arguments, "--update-manifest"]) == 0
    folder = f"https://raw.githubusercontent.com/web-platform-tests/wpt/{ref}/url/resources"
    assert asked == [f"{folder}/{name}" for name in FILES]
    assert written(wpt_data) == FILES
    assert manifest(wpt_data)["ref"] == ref


def test_upstream_does_not_answer(
    wpt_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def urlopen(address: str, timeout: float) -> io.BytesIO:
        raise urllib.error.URLError("no route to host")

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    assert load_sync(wpt_data / "sync.py").main([]) == 1
    assert "urltestdata.json: <urlopen error no route to host>" in capsys.readouterr().err
    assert written(wpt_data) == {}


def test_a_file_is_written_whole_or_not(
    wpt_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def replace(source: str, target: Path) -> None:
        raise OSError("no space left")

    put(tmp_path / "from", FILES)
    put(wpt_data / "data", {"urltestdata.json": b"older"})
    monkeypatch.setattr("os.replace", replace)
    assert load_sync(wpt_data / "sync.py").main(["--from", str(tmp_path / "from")]) == 1
    assert "no space left" in capsys.readouterr().err
    assert written(wpt_data) == {"urltestdata.json": b"older"}


def test_our_manifest() -> None:
    assert {name: file["cases"] for name, file in MANIFEST.items()} == {
        "IdnaTestV2-removed.json": 20,
        "IdnaTestV2.json": 2671,
        "percent-encoding.json": 7,
        "setters_tests.json": 278,
        "toascii.json": 87,
        "urlpattern-compare-test-data.json": 25,
        "urlpattern-generate-test-data.json": 19,
        "urlpatterntestdata.json": 369,
        "urltestdata-javascript-only.json": 1,
        "urltestdata.json": 891,
    }
