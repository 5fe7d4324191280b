"""weburl check."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shapes import SHAPES
from support.wpt_cases import DATA, NO_DATA

from weburl import URL, validate
from weburl.cli import main
from weburl.cli.commands import check
from weburl.cli.commands.check import errors_of, failures

FILE = b"""\
https://example.com/

  \t
https://user@ex ample.com/\r
http:\\\\h\\a|b
https://example.com/%zz\xff
foo
# no comment
https://example.com/"""
REPORT = """\
{name}:4:9: invalid-credentials
{name}:4:14: domain-to-ASCII
{name}:5:6: special-scheme-missing-following-solidus
{name}:5:6: special-scheme-missing-following-solidus
{name}:5:7: special-scheme-missing-following-solidus
{name}:5:9: invalid-reverse-solidus
{name}:5:11: invalid-URL-unit
{name}:6:21: invalid-URL-unit
{name}:7:1: missing-scheme-non-relative-URL
{name}:8:1: missing-scheme-non-relative-URL
"""


@pytest.fixture
def urls(tmp_path: Path) -> Path:
    path = tmp_path / "urls.txt"
    path.write_bytes(FILE)
    return path


def without_messages(out: str) -> str:
    return "".join(":".join(line.split(":")[:4]) + "\n" for line in out.splitlines())


def test_a_file(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(urls)]) == 1
    out, err = capsys.readouterr()
    assert without_messages(out) == REPORT.replace("{name}", str(urls))
    message = validate("foo")[0].message
    assert f"{urls}:7:1: missing-scheme-non-relative-URL: {message}\n" in out
    assert err.startswith("5 of 7 URLs: 3 special-scheme-missing-following-solidus, 2 invalid-URL-unit, ")


def test_nothing_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(b"http://h/\n\n \n")
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr() == ("", "1 URL, nothing found\n")
    path.write_bytes(b"")
    assert main(["check", "--json", str(path)]) == 0
    assert capsys.readouterr() == ("", "")


def test_json(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", str(urls)]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    found = [json.loads(line) for line in out.splitlines()]
    assert "".join(f"{{name}}:{one['line']}:{one['column']}: {one['name']}\n" for one in found) == REPORT
    text = "https://user@ex ample.com/"
    for one, error in zip(found, validate(text), strict=False):
        assert one == {
            "file": str(urls), "line": 4, "column": error.position + 1, "end": error.end + 1,
            "name": error.name, "failure": error.failure, "message": error.message,
        }  # fmt: skip
    assert text[found[1]["column"] - 1 : found[1]["end"] - 1] == "ex ample.com"


def test_failures_and_a_base(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--failures", "--base", "http://h/", str(urls)]) == 1
    out, err = capsys.readouterr()
    assert without_messages(out) == f"{urls}:4:14: domain-to-ASCII\n"
    assert err == "1 of 7 URLs: 1 domain-to-ASCII\n"


def test_more_files(urls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each file has its own line numbers: packed, in a table, or standard input."""
    packed = tmp_path / "urls.gz"
    packed.write_bytes(gzip.compress(b"http://h/\nfoo\n"))
    table = tmp_path / "urls.csv"
    table.write_bytes(b'note,url\n"two\nlines",foo\n,http://h/\n,bar\n')
    assert main(["check", str(packed), str(table), "--column", "url", "--input", "csv"]) == 1
    assert "there is no column 'url'" in capsys.readouterr().err
    assert main(["check", str(packed), str(packed)]) == 1
    assert without_messages(capsys.readouterr().out).count(f"{packed}:2:1: missing-scheme") == 2
    assert main(["check", "-f", str(table), "--column", "url"]) == 1
    assert [line.split(":")[1] for line in capsys.readouterr().out.splitlines()] == ["3", "5"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"http://h/\nfoo")))
    assert main(["check"]) == 1
    assert capsys.readouterr().out.startswith("standard input:2:1: missing-scheme-non-relative-URL: ")


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none", tmp_path):
        assert main(["check", str(path)]) == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"weburl: {path}: ")
        assert err.count("\n") == 1


def test_an_invalid_base(urls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--base", "http://u:secret@h:x", str(urls)]) == 2
    assert "secret" not in capsys.readouterr().err


def test_nothing_reaches_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[31m\u202e"
    path.write_bytes(b"http://\x1b[31m\xe2\x80\xae/\nhttp://u:secret@a b/\n\x00\x07\n")
    assert main(["check", str(path)]) == 1
    out, err = capsys.readouterr()
    assert (out + err).replace("\n", "").isprintable()
    assert "secret" not in out


def test_long_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of any length are checked, but for very long ones the place of an error is not given."""
    monkeypatch.setattr(check, "LONGEST", 1000)
    path = tmp_path / "urls.txt"
    path.write_text(f"http://h/{'a' * 1000}\nhttp://h/{'|' * 1000}\nhttp://a b/{'c' * 1000}\n")
    assert main(["check", "--json", str(path)]) == 1
    (found,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (found["line"], found["column"], found["end"], found["failure"]) == (3, 1, 1012, True)
    assert (found["name"], found["message"]) == (
        "domain-to-ASCII",
        "This has 1011 characters: the place of the error is given for at most 1000.",
    )


@pytest.mark.long
def test_a_line_of_a_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_bytes(b"http://h/" + b"a" * (1 << 22) + b"\nfoo\nhttp://h/" + b"|" * (1 << 22))
    assert main(["check", str(path)]) == 1
    assert without_messages(capsys.readouterr().out) == f"{path}:2:1: missing-scheme-non-relative-URL\n"


# URLs that PLAIN matches are not validated: they have no errors.


def wpt_inputs() -> list[str]:
    if DATA is None:
        pytest.skip(NO_DATA)
    cases: list[Any] = json.loads(DATA["urltestdata.json"].read_text("utf-8"))
    return [case["input"] for case in cases if isinstance(case, dict)]


def same(text: str) -> bool:
    """Whether PLAIN matches; if so, the text has no error."""
    found = errors_of(text, None)
    assert found == validate(text)
    assert failures(text, None) == [error for error in found if error.failure]
    return bool(check.PLAIN.fullmatch(text)) and not found


def test_plain_urls_are_valid() -> None:
    passed = sum(same(text) for text in wpt_inputs() if len(text) < 10_000)
    assert passed > 20
    for shape in SHAPES.values():
        same(shape(300))


@pytest.mark.parametrize(
    "text",
    [
        "https://a_b.example/", "https://ab--cd.example/", "https://xn--a.example/", "https://-a.example/",
        "https://a-.example/", "https://a..example/", "https://example.com./", "https://0x7f.1/", "https://1.2.3.4/",
        "https://1.2.3/", "https://h:443/", "https://h:80/", "https://h:99999/", "https://h:080/",
        f"https://{'a' * 64}/",
        f"https://{'a.' * 126}a/", f"https://{'a.' * 127}a/", f"https://{'a' * 63}.com/", "https://u@h/", "https://h/%",
        "https://h/%4", "https://h/%4g", "https://h/%41", "https://h/a#b#c", "https://h/?a?b", "https://h/?a'b", "https://h",
        "https://h?a", "https://h/../a", "https://h/a/./b", "https://h/a\n", "https://h/é", "https://h/a[b]", "https://h/%2e",
        "https://h/a|b", "https://h/a^b", "https://h//a", "https://h/@", "https://h/#%", "https://H/", "https://h/#'",
        "https://1a.2b/", "https://a.1/", "https://a.0x/", "https://0/", "https://h/;,=~_-.!$&'()*+:@",
    ],
)  # fmt: skip
def test_what_looks_plain(text: str) -> None:
    same(text)


@given(
    st.sampled_from(["http", "https", "ws", "HTTP"]),
    st.text("ab.-_1x0n@[]:%é", min_size=1, max_size=12),
    st.text("ab.-_/%41?#'\"|&=;@:\\^~ \té", max_size=12),
)
def test_plain_urls_are_valid_whatever_they_are(scheme: str, host: str, rest: str) -> None:
    same(f"{scheme}://{host}/{rest}")
    same(f"{scheme}://{host}{rest}")
    assert URL.can_parse("http://h/" + rest)


# Hostile files.


@pytest.mark.parametrize(
    "line",
    [
        b"http://user:hunter2@h:99999/", b"http://user:hunter2@a b/", b"http://user:hunter2@[h/", b"//user:hunter2@h:x",
        b"http:\\\\user:hunter2@h\\|", b"http:user:hunter2@h|", b"http://us\xc3\xa9r:hunter2<@h\xff",
        b"http://user:hun\tter2@h/|", b"http://user:hunter2/x@h|", b"http://user:99999hunter2?x@h/", b"blob:http://u:hunter2@a|",
        b"http://hunter2 :pw/x@h/", b"http://user:hunter2@@h/|", b"x://user:hunter2@h:y",
        b"\x1b[31m\xc2\x9b1m\xe2\x80\xaefoo",
        b"http://\xe2\x80\xae\x07\x00h/", b"\xef\xbb\xbf\xff\xfe\x00a", b"a\rb\x0bc\x0cd\xc2\x85e", b"%zz\xed\xa0\x80",
    ],
)  # fmt: skip
def test_hostile_lines(line: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each something is said that a terminal can show, without its password, whether or not a newline ends it."""
    path = tmp_path / "urls.txt"
    said = []
    for data in (line, line + b"\n", line + b"\r\n"):
        path.write_bytes(b"http://h/\n" + data)
        for options in ([], ["--json"], ["--failures"]):
            status = main(["check", *options, str(path)])
            out, err = capsys.readouterr()
            assert status == bool(out)
            assert out or options == ["--failures"]
            assert (out + err).replace("\n", "").isprintable()
            assert "hunter2" not in out + err
            said.append((out, err))
    assert said[:3] == said[3:6] == said[6:]


def test_an_input_that_is_named_twice(
    urls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file is read twice; of standard input the second time nothing is left."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"foo")))
    assert main(["check", str(urls), "-", "-", str(urls)]) == 1
    out, err = capsys.readouterr()
    report = REPORT.replace("{name}", str(urls))
    assert without_messages(out) == f"{report}standard input:1:1: missing-scheme-non-relative-URL\n{report}"
    assert err.startswith("11 of 15 URLs: ")


def test_a_line_of_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The errors of one line are at most 10,000."""
    path = tmp_path / "urls.txt"
    path.write_text("http://" + "u@" * 20_000 + "h/\nfoo\n")
    assert main(["check", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out.count("\n") == 10_001
    assert err.startswith("2 of 2 URLs: 9999 invalid-credentials, ")
