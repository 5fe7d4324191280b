"""--hosts and --not-hosts: URLs by their hosts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from support.command import run, url_of_line

from weburl import URL
from weburl.hosts import HostSet, url_host_matches

LISTED = (
    "example.com\n*.example.org\n=www.example.net\n0.0.0.0 ads.example other.example\n127.0.0.1\nb\u00fccher.example\n"
)
LINES = [
    "http://example.com/", "https://WWW.example.com./a?b#c", "http://example.org/", "wss://a.example.org/",
    "http://www.example.net/x", "http://a.www.example.net/", "http://ads.example", "http://a.ads.example",
    "http://0x7f.1:8080/", "ftp://example.com/", "x://example.com", "data:,x", "file:///example.com", "no URL", "",
    "http://xn--bcher-kva.example/", "http://b%C3%BCcher.example/", "//example.com/", "http://a b/",
]  # fmt: skip


@pytest.fixture
def listed(tmp_path: Path) -> str:
    path = tmp_path / "hosts.txt"
    path.write_text(LISTED, "utf-8")
    return str(path)


def wanted(option: str, hosts: HostSet, base: str | None = None) -> list[str]:
    urls = [url for line in LINES if (url := url_of_line(line, base)) is not None]
    if option == "--hosts":
        return [url.href for url in urls if url_host_matches(url, hosts)]
    return [url.href for url in urls if not url_host_matches(url, hosts, schemes=None)]


@pytest.mark.parametrize("base", [None, "http://a.example.org/x", "ftp://example.com/"])
@pytest.mark.parametrize("option", ["--hosts", "--not-hosts"])
def test_filter(option: str, base: str | None, listed: str) -> None:
    right = wanted(option, HostSet.read(listed), base)
    assert 3 < len(right) < len(LINES) - 3
    bases = [] if base is None else ["--base", base]
    done = run(option, listed, *bases, stdin="\n".join(LINES))
    assert (done.status, done.lines) == (0, right)
    counted = sum(url_of_line(line, base) is None for line in LINES)
    assert f"{counted} of {len(LINES)} lines" in done.err
    # The same with arguments, other kinds of input, and with each format.
    assert run(option, listed, *bases, "--", *LINES).lines == right
    records = "".join(json.dumps({"u": line}) + "\n" for line in LINES)
    assert run(option, listed, *bases, "--field", "u", stdin=records).lines == right
    found = run(option, listed, *bases, "--json", "-g", "{href} {input}", stdin="\n".join(LINES)).lines
    assert [json.loads(line)["href"] for line in found] == right
    assert [URL(json.loads(line)["input"], base).href for line in found] == right
    assert run(option, listed, *bases, "--csv", "-g", "{hostname}", stdin="\n".join(LINES)).lines[1:] == [
        URL(url).hostname or '""' for url in right
    ]


def test_both_and_several(tmp_path: Path) -> None:
    for name, text in (("a", "example.com"), ("b", "example.org"), ("c", "=www.example.com\n||x.example.org^")):
        (tmp_path / name).write_text(text)
    a, b, c = (str(tmp_path / name) for name in "abc")
    urls = [f"http://{host}/" for host in ("example.com", "www.example.com", "x.example.org", "example.net")]
    for options, right in (
        (["--hosts", a, "--hosts", b], urls[:3]),
        (["--hosts", a, "--hosts", b, "--not-hosts", c], urls[:1]),
        (["--not-hosts", b, "--not-hosts", a], urls[3:]),
        (["--hosts", a, "--not-hosts", a], []),
    ):
        assert run(*options, *urls).lines == right


def test_hosts_are_compared_before_changes(listed: str) -> None:
    urls = ["http://example.com/?b&a", "http://other.net/"]
    assert run("--hosts", listed, "-s", "host=z.net", *urls).lines == ["http://z.net/?b&a"]
    assert run("--not-hosts", listed, "--policy", "surt", *urls).lines == ["net,other)/"]
    assert run("--hosts", listed, "--as-idn", "http://B\u00dcCHER.example/").lines == ["http://b\u00fccher.example/"]
    # A change that fails is a line that is not a URL.
    done = run("--hosts", listed, "-s", "port=x", "--invalid", "keep", stdin="\n".join(urls))
    assert done.lines == [""]
    assert "1 of 2 lines is not a URL (port-invalid: 1)" in done.err


def test_what_is_said_of_lines_that_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# list\n||a.example^\n@@||b.example^\n||c.example^$script\n@@||d^\nhttp://user:hunter2@h/\n")
    done = run("--hosts", str(path), "http://a.example/", "http://c.example/")
    assert done.lines == ["http://a.example/"]
    said = "4 lines are skipped, the first is 3 (an exception: 2, a rule with options: 1, domain-to-ASCII: 1)"
    assert done.err == f"weburl: {path}: {said}\n"
    path.write_text("a.example\n\n*\n")
    assert run("--not-hosts", str(path), "http://a.example/").err == (
        f"weburl: {path}: line 3 is skipped (not an entry: 1)\n"
    )
    done = run("--hosts", str(tmp_path / "none"), "http://a/")
    assert (done.status, done.out) == (3, "")
    assert "no such file" in done.err
    assert run("--hosts").status == 2


def test_with_invalid_and_verify(listed: str) -> None:
    text = "\n".join(LINES)
    right = wanted("--hosts", HostSet.read(listed))
    for invalid in ("keep", "drop"):
        done = run("--hosts", listed, "--invalid", invalid, "--verify", stdin=text)
        assert (done.status, done.lines) == (1, right)
    done = run("--hosts", listed, "--invalid", "fail", stdin=text)
    assert done.status == 1
    assert done.lines == right[: len(done.lines)] != []
    assert "standard input:14: " in done.err


def test_many_pieces(listed: str, tmp_path: Path) -> None:
    lines = [
        f"https://{index % 7 or 'www'}.example.{('com', 'net', 'org')[index % 3]}/{index}" for index in range(30_000)
    ]
    path = tmp_path / "links.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    hosts = HostSet.read(listed)
    for threads in ("1", "2", "4"):
        done = run("--hosts", listed, "--threads", threads, "-f", str(path))
        assert done.lines == [line for line in lines if URL(line) in hosts]
        assert done.err == ""
