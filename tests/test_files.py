"""Files: from_path and to_path, by the rules of POSIX and of Windows, on every system."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weburl import URL, InvalidURL, is_valid, normalize
from weburl._diagnosis import file_paths
from weburl.hosts import is_valid_host

# Paths and their URLs; to_path gives the path again.
POSIX = [
    ("/", "file:///"),
    ("/a/b", "file:///a/b"),
    ("/a/", "file:///a/"),
    ("//a", "file:////a"),
    ("///", "file://///"),
    ("/a//b///c", "file:///a//b///c"),
    ("/100%", "file:///100%25"),
    ("/%2e%2E/%41", "file:///%252e%252E/%2541"),
    ("/a?b#c", "file:///a%3Fb%23c"),
    ("/a\\b", "file:///a%5Cb"),
    ("/\\\\server\\share", "file:///%5C%5Cserver%5Cshare"),
    ("/\t\n\r", "file:///%09%0A%0D"),
    ("/ a /b ", "file:///%20a%20/b%20"),
    ("/C|/x", "file:///C%7C/x"),
    ("/C|", "file:///C%7C"),
    ("/C:/x", "file:///C%3A/x"),
    ("/z:", "file:///z%3A"),
    ("/C:x/D:", "file:///C:x/D:"),
    ("//C:/x", "file:////C:/x"),
    ("//C|/x", "file:////C%7C/x"),
    ("/a/C|", "file:///a/C%7C"),
    ('/[]^`{|}"<>', "file:///%5B%5D%5E%60%7B%7C%7D%22%3C%3E"),
    ("/!$&'()*+,-.:;=@_~", "file:///!$&'()*+,-.:;=@_~"),
    ("/...", "file:///..."),
    ("/.a/..b/c./d..", "file:///.a/..b/c./d.."),
    ("/é/日本/😀", "file:///%C3%A9/%E6%97%A5%E6%9C%AC/%F0%9F%98%80"),
    ("/\x01\x7f", "file:///%01%7F"),
    ("/\udcff", "file:///%FF"),
    ("/a\udc80b", "file:///a%80b"),
    ("/http://user:pass@h", "file:///http://user:pass@h"),
]
WINDOWS = [
    ("C:\\", "file:///C:/"),
    ("c:\\a\\b", "file:///c:/a/b"),
    ("C:\\a\\", "file:///C:/a/"),
    ("C:\\\\a\\\\\\b", "file:///C://a///b"),
    ("C:\\100%", "file:///C:/100%25"),
    ("C:\\%2e%2e\\%5C", "file:///C:/%252e%252e/%255C"),
    ("C:\\a#b", "file:///C:/a%23b"),
    ("C:\\a.", "file:///C:/a."),
    ("C:\\a \\b. ", "file:///C:/a%20/b.%20"),
    ("C:\\ a", "file:///C:/%20a"),
    ("C:\\D|\\a", "file:///C:/D%7C/a"),
    ("C:\\\ud800", "file:///C:/%ED%A0%80"),
    ("C:\\é😀", "file:///C:/%C3%A9%F0%9F%98%80"),
    ("C:\\CONSOLE\\aux1\\com0\\COM10.txt", "file:///C:/CONSOLE/aux1/com0/COM10.txt"),
    ("\\\\server\\share", "file://server/share"),
    ("\\\\server\\share\\", "file://server/share/"),
    ("\\\\server\\share\\x y", "file://server/share/x%20y"),
    ("\\\\server\\C|\\x", "file://server/C%7C/x"),
    ("\\\\server\\C$\\x", "file://server/C$/x"),
    ("\\\\my_server.example.\\s\\x", "file://my_server.example./s/x"),
    ("\\\\127.0.0.1\\s", "file://127.0.0.1/s"),
    ("\\\\xn--bcher-kva\\s", "file://xn--bcher-kva/s"),
    ("\\\\--1.ipv6-literal.net\\s", "file://--1.ipv6-literal.net/s"),
]
# Paths, their URLs, and another path that to_path gives: docs/files.md lists why.
CHANGED = [
    (True, "C:/a/b\\c", "file:///C:/a/b/c", "C:\\a\\b\\c"),
    (True, "//server/share/x", "file://server/share/x", "\\\\server\\share\\x"),
    (True, "/\\server\\share", "file://server/share", "\\\\server\\share"),
    (True, "\\\\?\\C:\\a", "file:///C:/a", "C:\\a"),
    (True, "\\\\?\\C:\\", "file:///C:/", "C:\\"),
    (True, "\\\\?\\UNC\\server\\share\\x", "file://server/share/x", "\\\\server\\share\\x"),
    (True, "\\\\?\\unc\\server\\share", "file://server/share", "\\\\server\\share"),
    (True, "\\\\SERVER\\Share", "file://server/Share", "\\\\server\\Share"),
    (True, "\\\\bücher\\s", "file://xn--bcher-kva/s", "\\\\xn--bcher-kva\\s"),
    (True, "C:\\\ud83d\ude00", "file:///C:/%F0%9F%98%80", "C:\\😀"),
    (False, "/\udcc3\udca9", "file:///%C3%A9", "/é"),
]
# Paths that are refused: the name of the error, where it is, and the part that the error is of.
REFUSED_PATHS = [
    (False, "", "relative-path", 0, "POSIX path"),
    (False, "a/b", "relative-path", 0, "POSIX path"),
    (False, " /a", "relative-path", 0, "POSIX path"),
    (False, "~/a", "relative-path", 0, "POSIX path"),
    (False, "C:\\a", "relative-path", 0, "POSIX path"),
    (False, "\\\\server\\share", "relative-path", 0, "POSIX path"),
    (False, "file:///a", "relative-path", 0, "POSIX path"),
    (False, "/a\0b", "null-character", 2, "POSIX path"),
    (False, "/a/../b", "dot-segment", 3, "POSIX path"),
    (False, "/..", "dot-segment", 1, "POSIX path"),
    (False, "/a/./b", "dot-segment", 3, "POSIX path"),
    (False, "/a/.", "dot-segment", 3, "POSIX path"),
    (False, "/a\ud800", "path-encoding", 2, "POSIX path"),
    (False, "/a\ud83d\ude00", "path-encoding", 2, "POSIX path"),
    (True, "", "relative-path", 0, "Windows path"),
    (True, "a", "relative-path", 0, "Windows path"),
    (True, "C:", "relative-path", 0, "Windows path"),
    (True, "C:a", "relative-path", 0, "Windows path"),
    (True, "\\a", "relative-path", 0, "Windows path"),
    (True, "/a", "relative-path", 0, "Windows path"),
    (True, "CD:\\a", "relative-path", 0, "Windows path"),
    (True, "é:\\a", "relative-path", 0, "Windows path"),
    (True, "C|\\a", "relative-path", 0, "Windows path"),
    (True, "\\\\", "relative-path", 0, "Windows path"),
    (True, "\\\\server", "relative-path", 0, "Windows path"),
    (True, "\\\\server\\", "relative-path", 0, "Windows path"),
    (True, "\\\\server\\\\x", "relative-path", 0, "Windows path"),
    (True, "\\\\\\server\\share", "relative-path", 0, "Windows path"),
    (True, "\\??\\C:\\a", "relative-path", 0, "Windows path"),
    (True, "C:\\a\0b", "null-character", 4, "Windows path"),
    (True, "C:\\a\\..\\b", "dot-segment", 5, "Windows path"),
    (True, "C:/./b", "dot-segment", 3, "Windows path"),
    (True, "C:\\...", "dot-segment", 3, "Windows path"),
    (True, "C:\\.. \\b", "dot-segment", 3, "Windows path"),
    (True, "C:\\ ", "dot-segment", 3, "Windows path"),
    (True, "\\\\server\\share\\..\\other", "dot-segment", 15, "Windows path"),
    (True, "\\\\server\\..\\x", "dot-segment", 9, "Windows path"),
    (True, "C:\\a:b", "stream-path", 4, "Windows path"),
    (True, "C:\\a::$DATA", "stream-path", 4, "Windows path"),
    (True, "\\\\server\\C:\\x", "stream-path", 10, "Windows path"),
    (True, "\\\\.\\C:\\a", "device-path", 0, "Windows path"),
    (True, "\\\\.\\pipe\\x", "device-path", 0, "Windows path"),
    (True, "//./NUL", "device-path", 0, "Windows path"),
    (True, "\\\\.", "device-path", 0, "Windows path"),
    (True, "\\\\?\\", "device-path", 0, "Windows path"),
    (True, "\\\\?\\a", "device-path", 0, "Windows path"),
    (True, "\\\\?\\C:", "device-path", 0, "Windows path"),
    (True, "\\\\?\\GLOBALROOT\\Device\\x", "device-path", 0, "Windows path"),
    (True, "\\\\?\\Volume{1}\\x", "device-path", 0, "Windows path"),
    (True, "//?/C:/a", "device-path", 0, "Windows path"),
    (True, "\\\\..\\a\\b", "device-path", 0, "Windows path"),
    (True, "C:\\NUL", "device-path", 3, "Windows path"),
    (True, "C:\\a\\con", "device-path", 5, "Windows path"),
    (True, "C:\\Aux.h", "device-path", 3, "Windows path"),
    (True, "C:\\COM1 .txt\\x", "device-path", 3, "Windows path"),
    (True, "C:\\lpt\xb2", "device-path", 3, "Windows path"),
    (True, "C:/CONOUT$", "device-path", 3, "Windows path"),
    (True, "\\\\?\\C:\\PRN", "device-path", 7, "Windows path"),
    (True, "\\\\?\\C:\\a.", "verbatim-path", 8, "Windows path"),
    (True, "\\\\?\\C:\\a \\b", "verbatim-path", 8, "Windows path"),
    (True, "\\\\?\\C:\\a/b", "verbatim-path", 8, "Windows path"),
    (True, "\\\\?\\C:/a", "verbatim-path", 6, "Windows path"),
    (True, "\\\\?\\C:\\\\a", "verbatim-path", 7, "Windows path"),
    (True, "\\\\?\\UNC\\.\\pipe", "verbatim-path", 8, "Windows path"),
    (True, "\\\\localhost\\C$", "unc-server", 2, "Windows path"),
    (True, "\\\\LOCALHOST\\C:", "stream-path", 13, "Windows path"),
    (True, "//LocalHost/share", "unc-server", 2, "Windows path"),
    (True, "\\\\?\\UNC\\localhost\\C$", "unc-server", 8, "Windows path"),
    (True, "\\\\loc%61lhost\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\%2e\\pipe", "unc-server", 2, "Windows path"),
    (True, "\\\\ser%76er\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\%zz\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\127.1\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\1\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\[::1]\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\ｓerver\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\ser\xadver\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\a b\\x", "domain-to-ASCII", 0, "host"),
    (True, "\\\\C:\\x", "domain-to-ASCII", 0, "host"),
    (True, "\\\\u@h\\x", "domain-to-ASCII", 0, "host"),
    (True, "\\\\h#\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\h?\\x", "unc-server", 2, "Windows path"),
    (True, "\\\\1.2.3.256\\x", "IPv4-out-of-range-part", 6, "host"),
]  # fmt: skip
# URLs that are refused.
REFUSED_URLS = [
    (None, "http://h/a", "not-file", 0),
    (None, "data:,x", "not-file", 0),
    (None, "files:///a", "not-file", 0),
    (None, "file:///a%2Fb", "encoded-solidus", 9),
    (None, "file:///C:/a%2fb", "encoded-solidus", 12),
    (None, "file:///C:/..%2f..%2fx", "encoded-solidus", 13),
    (None, "file:///C:/a%00", "null-character", 12),
    (False, "file://h/a", "file-host", 7),
    (False, "file://127.0.0.1/a", "file-host", 7),
    (False, "file://[::1]/a", "file-host", 7),
    (False, "file://b%C3%BCcher/a", "file-host", 7),
    (False, "file://./a", "file-host", 7),
    (True, "file:///C:/a%5Cb", "encoded-reverse-solidus", 12),
    (True, "file:///C:/..%5c..%5cx", "encoded-reverse-solidus", 13),
    (True, "file:///%5C%5Cserver/share", "encoded-reverse-solidus", 8),
    (True, "file:///", "relative-path", 7),
    (True, "file:///a", "relative-path", 7),
    (True, "file:///C:", "relative-path", 7),
    (True, "file:///C:a", "relative-path", 7),
    (True, "file:///C%3A/a", "relative-path", 7),
    (True, "file:///%43:/a", "relative-path", 7),
    (True, "file:///C%7C/a", "relative-path", 7),
    (True, "file:////C:/a", "relative-path", 7),
    (True, "file:////server/share", "relative-path", 7),
    (True, "file://///server/share", "relative-path", 7),
    (True, "file:///\\server", "relative-path", 7),
    (True, "file:///\\\\server\\share", "relative-path", 7),
    (True, "file:///%3F/C:/a", "relative-path", 7),
    (True, "file:///./pipe/x", "relative-path", 7),
    (True, "file://server", "relative-path", 13),
    (True, "file://server/", "relative-path", 13),
    (True, "file://server//x", "relative-path", 13),
    (True, "file://./pipe/x", "unc-server", 7),
    (True, "file://%2e/pipe/x", "unc-server", 7),
    (True, "file://.../x", "unc-server", 7),
    (True, "file://[::1]/x", "unc-server", 7),
    (True, "file:///C:/a:b", "stream-path", 11),
    (True, "file:///C:/x/a%3A$DATA", "stream-path", 13),
    (True, "file:///C:/D:/a", "stream-path", 11),
    (True, "file://server/C|/x", "stream-path", 14),
    (True, "file:///C:/NUL", "device-path", 11),
    (True, "file:///C:/x/%63on", "device-path", 13),
    (True, "file:///C:/COM%C2%B9.txt", "device-path", 11),
    (True, "file:///C:/aux%20.h", "device-path", 11),
    (True, "file://server/share/nul", "device-path", 20),
    (True, "file:///C:/x/%20", "dot-segment", 13),
    (True, "file:///C:/..%20/x", "dot-segment", 11),
    (True, "file:///C:/.../x", "dot-segment", 11),
    (True, "file:///C:/x/%FF/y", "path-encoding", 13),
    (True, "file:///C:/%C0%AF", "path-encoding", 11),
]
# URLs whose paths are what they say, however they are written.
READ = [
    (False, "file:a", "/a"),
    (False, "file:///a?query#fragment", "/a"),
    (False, "file:///a/%2e%2e/b", "/b"),
    (False, "file:///..%5C..%5Cx", "/..\\..\\x"),
    (False, "file://localhost/a", "/a"),
    (False, "FILE://LOCALHOST/a", "/a"),
    (False, "file:////server/share", "//server/share"),
    (False, "file:///\\\\server", "///server"),
    (False, "file:///C|/x", "/C:/x"),
    (False, "file:///%43%3a/x", "/C:/x"),
    (False, "file://C:/x", "/C:/x"),
    (False, "file:///%C0%AF", "/\udcc0\udcaf"),
    (True, "file:///C:/a?query#fragment", "C:\\a"),
    (True, "file:///C|/a", "C:\\a"),
    (True, "file:C:/a", "C:\\a"),
    (True, "file://C:/a", "C:\\a"),
    (True, "file:///C:/../../x", "C:\\x"),
    (True, "file:///C:/%2e%2e/x", "C:\\x"),
    (True, "file://localhost/C:/a", "C:\\a"),
    (True, "file:\\\\server\\share", "\\\\server\\share"),
    (True, "file://SERVER/Share", "\\\\server\\Share"),
    (True, "file://0x7f.1/s", "\\\\127.0.0.1\\s"),
    (True, "file://b%C3%BCcher/s", "\\\\xn--bcher-kva\\s"),
    (True, "file:///C:/a%3Fb%2A", "C:\\a?b*"),
    (True, "file:///C:/%ED%A0%BD%ED%B8%80", "C:\\\ud83d\ude00"),
]


def refusal(call: Any, *arguments: Any, **options: Any) -> InvalidURL:
    with pytest.raises(InvalidURL) as raised:
        call(*arguments, **options)
    return raised.value


@pytest.mark.parametrize(
    ("windows", "path", "href"),
    [(False, *case) for case in POSIX] + [(True, *case) for case in WINDOWS],
    ids=ascii,
)
def test_there_and_back(windows: bool, path: str, href: str) -> None:
    url = URL.from_path(path, windows=windows)
    assert type(url) is URL
    assert url.href == href == normalize(href)
    assert is_valid(href) is (not url.hostname or is_valid_host(url.hostname))
    assert (url.query, url.fragment, url.includes_credentials, url.port_number) == (None, None, False, None)
    assert url.to_path(windows=windows) == path


@pytest.mark.parametrize(("windows", "path", "href", "back"), CHANGED, ids=ascii)
def test_the_list_of_paths_that_change(windows: bool, path: str, href: str, back: str) -> None:
    url = URL.from_path(path, windows=windows)
    assert (url.href, url.to_path(windows=windows)) == (href, back)
    assert path != back
    assert URL.from_path(back, windows=windows) == url


@pytest.mark.parametrize(("windows", "path", "name", "position", "part"), REFUSED_PATHS, ids=ascii)
def test_paths_that_are_refused(windows: bool, path: str, name: str, position: int, part: str) -> None:
    error = refusal(URL.from_path, path, windows=windows)
    assert (error.error, error.position, error.part, error.base) == (name, position, part, None)
    assert error.input == path if part != "host" else error.input in path
    assert str(error).startswith(f"{name} in the {part} ")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.position, again.message) == (str(error), position, error.message)


@pytest.mark.parametrize(
    ("windows", "url", "name", "position"),
    [(rules, *case[1:]) for case in REFUSED_URLS for rules in ((False, True) if case[0] is None else (case[0],))],
    ids=ascii,
)
def test_urls_that_are_refused(windows: bool, url: str, name: str, position: int) -> None:
    error = refusal(URL(url).to_path, windows=windows)
    assert (error.error, error.position, error.part, error.base) == (name, position, None, None)
    assert error.input == URL(url).href
    assert str(error).startswith(f"{name} in ")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(("windows", "url", "path"), READ, ids=ascii)
def test_urls_as_paths(windows: bool, url: str, path: str) -> None:
    assert URL(url).to_path(windows=windows) == path


def test_what_the_messages_say() -> None:
    def said(path: str, windows: bool) -> str:
        return refusal(URL.from_path, path, windows=windows).message

    assert "os.path.abspath()" in said("a", False)
    assert "os.path.abspath()" in said("C:a", True)
    assert "windows=True" in said("C:\\a", False)
    assert "windows=True" in said("\\\\server\\share", False)
    assert "windows=False" in said("/a", True)
    assert "'..'" in said("/a/../b", False)
    assert "'CON.txt'" in said("C:\\CON.txt", True)
    assert "drive letter" in refusal(URL("file:///a").to_path, windows=True).message
    assert "'h'" in refusal(URL("file://h/a").to_path, windows=False).message
    assert "'%FF'" in refusal(URL("file:///C:/%FF").to_path, windows=True).message
    long = refusal(URL.from_path, "C:\\" + "a" * 10_000 + ":", windows=True)
    assert long.position == 10_003
    assert len(str(long)) < 300


@pytest.mark.parametrize("name", file_paths.SENTENCES)
def test_every_error_is_tested_and_listed(name: str) -> None:
    assert name in {case[2] for case in (*REFUSED_PATHS, *REFUSED_URLS)}
    assert f"`{name}`" in (Path(__file__).parent.parent / "docs/files.md").read_text("utf-8")


def test_credentials_are_not_shown() -> None:
    error = refusal(URL("https://user:hunter2@h/").to_path)
    assert "hunter2" not in f"{error}{error!r}{error.message}"
    error = refusal(URL.from_path, "https://user:hunter2@h/", windows=False)
    assert "hunter2" not in f"{error}{error!r}{error.message}"


# Properties.

NAMES = st.text("ab.~ %:|?#\\/\t\nC\0[]é\udcff\ud800😀CONU", max_size=8)
POSIX_BYTES = st.binary(max_size=30).map(lambda rest: b"/" + rest)


@given(POSIX_BYTES)
@example(b"/\xff")
@example(b"//")
def test_every_posix_path_in_bytes(path: bytes) -> None:
    text = path.decode("utf-8", "surrogateescape")
    dots = {b".", b".."} & set(path.split(b"/"))
    if dots or b"\0" in path:
        assert refusal(URL.from_path, path, windows=False).error == (
            "null-character" if b"\0" in path else "dot-segment"
        )
        return
    url = URL.from_path(path, windows=False)
    assert url == URL.from_path(text, windows=False)
    assert url.to_path(windows=False) == text
    assert url.href == normalize(url.href)
    assert is_valid(url.href)


@given(st.lists(NAMES, max_size=5).map("/".join))
def test_posix_paths(path: str) -> None:
    check_round_trip(f"/{path}", False)


WINDOWS_ROOTS = st.sampled_from(
    ["C:\\", "z:/", "\\\\server\\share\\", "//SERVER/s/", "\\\\?\\C:\\", "\\\\?\\UNC\\h\\s\\", "\\\\.\\",
     "\\\\localhost\\", "\\\\?\\", "C:", "\\", "\\\\", "", "\\\\1.2.3.4\\", "\\\\ü\\s\\"],
)  # fmt: skip


@given(WINDOWS_ROOTS, st.lists(NAMES, max_size=5), st.sampled_from("\\/"))
def test_windows_paths(root: str, names: list[str], separator: str) -> None:
    check_round_trip(root + separator.join(names), True)


def check_refusal(error: InvalidURL) -> None:
    assert error.error in file_paths.SENTENCES or error.part == "host"
    assert error.position is not None
    assert error.message


def check_round_trip(path: str, windows: bool) -> None:
    """A path is refused by a named rule, or comes back but for what docs/files.md lists."""
    try:
        url = URL.from_path(path, windows=windows)
    except InvalidURL as error:
        check_refusal(error)
        return
    assert url.href == normalize(url.href)
    assert url.scheme == "file"
    assert is_valid(url.href)
    back = url.to_path(windows=windows)
    assert URL.from_path(back, windows=windows) == url
    if windows:
        expected = path.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if expected.startswith("\\\\?\\"):
            expected = expected[4:] if expected[5] == ":" else "\\\\" + expected[8:]
        expected = expected.replace("/", "\\")
        if expected.startswith("\\\\"):
            server, rest = expected[2:].split("\\", 1)
            expected = f"\\\\{server.lower().replace('ü', 'xn--tda')}\\{rest}"
        assert back == expected
    elif "\udcff" not in path:
        assert back == path


URLS = st.lists(
    st.sampled_from(
        ["/", "//", "\\", "C:", "C|", "%43", "%3A", "%2F", "%5C", "%2e", ".", "..", "a", "server", "localhost", "%00",
         "%FF", "CON", "NUL.txt", ":", "?", "#", "%20", " ", "é", "[::1]", "127.1", "%C3%A9", "|"]
    ),
    max_size=8,
).map(lambda pieces: "file:" + "".join(pieces))  # fmt: skip


@given(URLS)
def test_an_attacker_gets_nothing_else(text: str) -> None:
    """What a path says is what the URL says, and the path has no way to say more."""
    url = URL.parse(text)
    if url is None:
        return
    for windows in (False, True):
        try:
            path = url.to_path(windows=windows)
        except InvalidURL as error:
            check_refusal(error)
            continue
        separator = "\\" if windows else "/"
        assert "\0" not in path
        # As many names as the URL has segments, so none was made of one with a separator.
        segments = url.path_segments
        assert segments is not None
        names = path.split(separator)
        if not windows:
            assert (path[0], names[0], len(names) - 1) == ("/", "", len(segments))
            assert {".", ".."}.isdisjoint(names)
            assert url.hostname == ""
            continue
        assert "/" not in path
        if url.hostname:
            assert path.startswith(f"\\\\{url.hostname}\\")
            assert len(names) - 3 == len(segments)
            assert url.hostname.strip(".")
            assert ":" not in path
        else:
            assert PureWindowsPath(path).is_absolute()
            assert path[1:3] == ":\\"
            assert path[0] == segments[0][0]
            assert ":" not in path[2:]
            assert len(names) == len(segments)
        below = names[3:] if url.hostname else names[1:]
        assert all(name == "" or name.strip(". ") for name in below)
        assert not {name.partition(".")[0].rstrip().upper() for name in below} & {"CON", "NUL"}
        assert (
            URL.from_path(path, windows=True).pathname.lower()
            == normalize(f"file://{url.hostname}{URL.from_path(path, windows=True).pathname}")
            .removeprefix(f"file://{url.hostname}")
            .lower()
        )


@pytest.mark.long
@pytest.mark.parametrize("windows", [False, True])
def test_linear(windows: bool) -> None:
    """A long path of what every rule looks at; test_limit_everywhere.py has what is too long."""
    root = "C:\\" if windows else "/"
    for piece in ("a", " ", ".", "a.", "\\", "/", "%", "é", "CON", "a ", "\\a", "con .", "COM1 "):
        path = root + piece * 200_000 + "x"
        try:
            assert URL.from_path(path, windows=windows).to_path(windows=windows).replace("\\", "/") == path.replace(
                "\\", "/"
            )
        except InvalidURL as error:
            check_refusal(error)


# Arguments.


def test_none_is_this_system() -> None:
    windows = os.name == "nt"
    path = "C:\\a" if windows else "/a"
    assert URL.from_path(path) == URL.from_path(path, windows=windows) == URL.from_path(path, windows=None)
    assert URL.from_path(path).to_path() == URL.from_path(path).to_path(windows=None) == path


@pytest.mark.skipif(os.name != "posix", reason="names in bytes are a matter of POSIX")
def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff %41\\"
    with open(path, "wb"):
        pass
    url = URL.from_path(path)
    assert url.href.endswith("/%FF%20%2541%5C")
    assert url.to_path() == os.fsdecode(path)
    assert os.path.exists(url.to_path())
    assert URL.from_path(os.fsdecode(path)) == url


def test_another_encoding_of_file_names(monkeypatch: pytest.MonkeyPatch) -> None:
    latin = file_paths.Codec("iso-8859-1", "surrogateescape")
    monkeypatch.setattr("weburl._files.POSIX_CODEC", latin)
    monkeypatch.setattr(file_paths, "POSIX_CODEC", latin)
    assert URL.from_path("/é", windows=False).href == "file:///%E9"
    assert URL("file:///%E9").to_path(windows=False) == "/é"
    assert URL.from_path(b"/\xe9", windows=False).href == "file:///%E9"
    error = refusal(URL.from_path, "/aŁ", windows=False)
    assert (error.error, error.position) == ("path-encoding", 2)
    # It has no byte 0x5C on Windows.
    assert URL.from_path("C:\\é", windows=True).href == "file:///C:/%C3%A9"
    ascii_only = file_paths.Codec("shift_jis", "surrogateescape")
    monkeypatch.setattr("weburl._files.POSIX_CODEC", ascii_only)
    monkeypatch.setattr(file_paths, "POSIX_CODEC", ascii_only)
    assert URL.from_path("/表", windows=False).to_path(windows=False) == "/表"


def test_bytes() -> None:
    assert URL.from_path(b"/a b", windows=False).href == "file:///a%20b"
    assert URL.from_path("C:\\é".encode(), windows=True).href == "file:///C:/%C3%A9"
    assert (
        URL.from_path("C:\\\ud800".encode("utf-8", "surrogatepass"), windows=True).to_path(windows=True) == "C:\\\ud800"
    )
    error = refusal(URL.from_path, b"C:\\\xff", windows=True)
    assert (error.error, error.position, error.input) == ("path-encoding", 3, "C:\\\udcff")


def test_paths() -> None:
    assert URL.from_path(PurePosixPath("/a b"), windows=False).href == "file:///a%20b"
    assert URL.from_path(PureWindowsPath("C:/a b"), windows=True).href == "file:///C:/a%20b"
    assert URL.from_path(Path("/").resolve()).to_path() == str(Path("/").resolve())


class InBytes:
    def __fspath__(self) -> bytes:
        return b"/\xff"


class Text(str):
    def startswith(self, *arguments: Any) -> bool:
        return True

    def encode(self, *arguments: Any) -> bytes:
        return b"?"

    def replace(self, *arguments: Any) -> str:
        return "/../x"


class Octets(bytes):
    def decode(self, *arguments: Any) -> str:
        return "/../x"

    def __bytes__(self) -> bytes:
        return b"?"


def test_hostile_paths() -> None:
    class Raises:
        def __fspath__(self) -> str:
            raise ZeroDivisionError

    class Gives:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __fspath__(self) -> Any:
            return self.value

    assert URL.from_path(InBytes(), windows=False).href == "file:///%FF"
    assert URL.from_path(Gives(Text("/a")), windows=False).href == "file:///a"
    assert URL.from_path(Text("/a b"), windows=False).href == "file:///a%20b"
    assert URL.from_path(Text("C:/a"), windows=True).href == "file:///C:/a"
    assert URL.from_path(Octets(b"/a"), windows=False).href == "file:///a"
    error = refusal(URL.from_path, Text("a"), windows=False)
    assert type(error.input) is str
    with pytest.raises(ZeroDivisionError):
        URL.from_path(Raises())
    for value in (None, 5, bytearray(b"/a"), URL("file:///a"), ["/a"], Gives(None), Gives(5)):
        with pytest.raises(TypeError):
            URL.from_path(value)  # type: ignore[arg-type]
    for windows in (0, 1, "nt", "", object()):
        with pytest.raises(TypeError, match="windows must be a bool or None"):
            URL.from_path("/a", windows=windows)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="windows must be a bool or None"):
            URL("file:///a").to_path(windows=windows)  # type: ignore[arg-type]


class Sub(URL):
    pass


def test_subclasses_and_copies() -> None:
    url = Sub.from_path("/a", windows=False)
    assert type(url) is Sub
    assert copy.copy(url).to_path(windows=False) == pickle.loads(pickle.dumps(url)).to_path(windows=False) == "/a"
    assert refusal(URL.__new__(URL).to_path, windows=False).error == "not-file"


def test_after_setters() -> None:
    """The setter of the protocol can leave a URL that the parser would not make."""
    url = URL("http://localhost/C|/x")
    url.protocol = "file"
    assert url.href == "file://localhost/C|/x"
    assert url.to_path(windows=False) == "/C|/x"
    assert refusal(url.to_path, windows=True).error == "relative-path"
    url = URL("http://localhost/C:/x")
    url.protocol = "file"
    assert url.href == "file://localhost/C:/x"
    assert url.to_path(windows=True) == "C:\\x"
    url = URL.from_path("/a", windows=False)
    url.search_params.append("q", "1")
    assert url.href == "file:///a?q=1"
    assert url.to_path(windows=False) == "/a"


def test_nothing_is_loaded_before_it_is_needed() -> None:
    program = "import sys, weburl; print('weburl._files' in sys.modules, 'weburl._diagnosis.file_paths' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
