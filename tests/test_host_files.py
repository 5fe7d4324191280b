"""HostSet.read: files of hosts, hosts(5), and lists in the format of Adblock."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.hosts import HostSet, SkippedLine


def read(tmp_path: Path, text: str | bytes, **options: Any) -> HostSet:
    path = tmp_path / "hosts.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return HostSet.read(path, **options)


def both(tmp_path: Path, text: str | bytes) -> tuple[list[str], list[SkippedLine]]:
    skipped: list[SkippedLine] = []
    return list(read(tmp_path, text, on_skip=skipped.append)), skipped


ENTRIES_OF_LINES = [
    ("example.com", ["example.com"]),
    ("  *.Example.org\t", ["*.Example.org"]),
    ("=www.example.net  # only this", ["=www.example.net"]),
    ("bücher.example#", None),
    ("bücher.example", ["bücher.example"]),
    ("127.0.0.1", ["127.0.0.1"]),
    ("2001:db8::1", ["[2001:db8::1]"]),
    ("[2001:db8::1] # a comment", ["[2001:db8::1]"]),
    ("0.0.0.0", ["0.0.0.0"]),
    ("", []),
    ("   ", []),
    ("# a comment", []),
    ("#example.com", []),
    ("! a comment of Adblock", []),
    ("!example.com", []),
    ("[Adblock Plus 2.0]", []),
    # hosts(5)
    ("0.0.0.0 ads.example.com", ["=ads.example.com"]),
    ("127.0.0.1\tads.example.com  other.example # both", ["=ads.example.com", "=other.example"]),
    (":: ads.example.com", ["=ads.example.com"]),
    ("fe80::1%lo0 localhost ads.example.com", ["=ads.example.com"]),
    ("127.0.0.1 localhost localhost.localdomain LOCALHOST", []),
    ("::1 ip6-localhost ip6-loopback", []),
    ("255.255.255.255 broadcasthost", []),
    ("0.0.0.0 0.0.0.0", []),
    ("0.0.0.0 1.2.3.4", ["=1.2.3.4"]),
    ("192.168.1.5 nas.home.arpa nas", ["=nas.home.arpa", "=nas"]),
    ("0.0.0.0 bücher.example.", ["=bücher.example."]),
    # Adblock
    ("||example.com^", ["example.com"]),
    ("||Bücher.example^ # a comment", ["Bücher.example"]),
    ("||*.example.com^", ["*.example.com"]),
    ("||1.2.3.4^", ["1.2.3.4"]),
]  # fmt: skip
SKIPPED_LINES = [
    ("||example.com^$third-party", "a rule with options"),
    ("||example.com^$important", "a rule with options"),
    ("/ads[0-9]/$script", "a rule with options"),
    ("@@||example.com^", "an exception"),
    ("@@example.com", "an exception"),
    ("@@||example.com^$document", "an exception"),
    ("example.com##.ad", "a rule for parts of pages"),
    ("example.com,example.org#@#.ad", "a rule for parts of pages"),
    ("example.com#?#div:has(a)", "a rule for parts of pages"),
    ("example.com#$#body { color: red }", "a rule for parts of pages"),
    ("example.com#%#alert(1)", "a rule for parts of pages"),
    ("||example.com", "a rule that is not for a whole domain"),
    ("||example.com/ads^", "a rule that is not for a whole domain"),
    ("||example.com^*ads", "a rule that is not for a whole domain"),
    ("||example.com^|", "a rule that is not for a whole domain"),
    ("|https://example.com/", "a rule that is not for a whole domain"),
    ("/ads/", "a rule that is not for a whole domain"),
    ("!#if env_mobile", "a directive"),
    ("!#include other.txt", "a directive"),
    ("example.com example.org", "several hosts"),
    ("1 example.com", "several hosts"),
    ("example.com 0.0.0.0", "several hosts"),
    ("||exa*mple.com^", "not an entry"),
    ("||example.*^", "not an entry"),
    ("*", "not an entry"),
    ("*example.com", "not an entry"),
    (".example.com", "not an entry"),
    ("*.1.2.3.4", "not an entry"),
    ("https://example.com/", "domain-to-ASCII"),
    ("example.com/ads", "domain-to-ASCII"),
    ("example.com:80", "domain-to-ASCII"),
    ("example.com#comment", "domain-to-ASCII"),
    ("10.0.0.0/8", "domain-to-ASCII"),
    ("1.2.3.256", "IPv4-out-of-range-part"),
    ("||1.2.3.256^", "IPv4-out-of-range-part"),
    ("[::1", "IPv6-unclosed"),
    ("[example.com]", None),
    ("=", "host-missing"),
    ("0.0.0.0 ads example com/x", "domain-to-ASCII"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "entries"), ENTRIES_OF_LINES)
def test_lines_of_files(line: str, entries: list[str] | None, tmp_path: Path) -> None:
    if entries is None:
        assert both(tmp_path, line)[0] == []
        return
    assert both(tmp_path, f"{line}\nlast.example") == ([*entries, "last.example"], [])
    assert list(read(tmp_path, f"first.example\r\n{line}\r\n")) == ["first.example", *entries]


@pytest.mark.parametrize(("line", "reason"), SKIPPED_LINES)
def test_lines_that_are_skipped(line: str, reason: str | None, tmp_path: Path) -> None:
    if reason is None:
        assert both(tmp_path, line) == ([], [])
        return
    text = f"# first\nfirst.example\n\n{line}\nlast.example\n"
    kept, (skipped,) = both(tmp_path, text)
    assert skipped == SkippedLine(4, line, reason)
    assert (skipped.line, skipped.text, skipped.reason) == skipped
    # Other names of its line stay.
    assert kept == ["first.example", *(["=ads", "=example"] if "ads example" in line else []), "last.example"]
    with pytest.raises(ValueError, match=r"hosts\.txt:4: ") as raised:
        read(tmp_path, text)
    assert type(raised.value) is ValueError
    assert any(said in str(raised.value) for said in (reason, "an entry is", "no host is below"))
    assert raised.value.__cause__ is None


def test_a_file(tmp_path: Path) -> None:
    text = "\ufeff# Title: a blocklist\n\n127.0.0.1 localhost\n0.0.0.0 a.example b.example\n||c.example^\n*.d.example"
    hosts = read(tmp_path, text)
    assert list(hosts) == ["=a.example", "=b.example", "c.example", "*.d.example"]
    assert hosts == HostSet.read(str(tmp_path / "hosts.txt"))
    assert list(read(tmp_path, "")) == []
    # Bytes that are not UTF-8 are in no host, and do not matter in comments.
    assert both(tmp_path, b"# \xff\nok.example\nb\xfccher.example\n") == (
        ["ok.example"], [SkippedLine(3, "b\ufffdcher.example", "domain-to-ASCII")]
    )  # fmt: skip
    # All ends of lines.
    assert list(read(tmp_path, "a\rb\r\nc\n\nd")) == ["a", "b", "c", "d"]
    with pytest.raises(FileNotFoundError):
        HostSet.read(tmp_path / "none")
    for wrong in (None, 1.5, io.StringIO("a"), ["a"]):
        with pytest.raises(TypeError):
            HostSet.read(wrong)  # type: ignore[arg-type]


def test_what_on_skip_raises_ends_the_reading(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def refuse(line: SkippedLine) -> None:
        raise Enough(line.line)

    for line in ("a b", "@@x", "*"):
        with pytest.raises(Enough, match="2"):
            read(tmp_path, f"ok\n{line}\n", on_skip=refuse)


@given(st.text("ab.#!|^@*=/$[]: \t\n0é", max_size=60))
def test_any_file(text: str) -> None:
    """Each line gives entries or a reason; and a list that on_skip leaves nothing of is read without it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hosts"
        path.write_text(text, "utf-8")
        skipped: list[SkippedLine] = []
        hosts = HostSet.read(path, on_skip=skipped.append)
        lines = text.split("\n")
        assert [each.text for each in skipped] == [lines[each.line - 1].strip() for each in skipped]
        assert HostSet(list(hosts)) == hosts
        if skipped:
            with pytest.raises(ValueError, match=f":{skipped[0].line}: "):
                HostSet.read(path)
        else:
            assert HostSet.read(path) == hosts
