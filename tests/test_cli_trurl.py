"""What trurl has, too: --iterate, --replace, --query-separator, --default-port, and modifiers in formats."""

from __future__ import annotations

import inspect
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import run

from weburl import URL, URLPattern


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--iterate", "port=80 81", "http://h/"], ["http://h/", "http://h:81/"]),
        (["--iterate", "scheme=http ftp", "--iterate", "host=a b", "http://h/"],
         ["http://a/", "http://b/", "ftp://a/", "ftp://b/"]),
        (["--iterate", "port=1 2", "-s", "port=3", "-s", "path=x", "http://h/"], ["http://h:1/x", "http://h:2/x"]),
        (["--iterate", "user=a b", "-g", "{user} {input}", "http://g", "http://h"],
         ["a http://g", "b http://g", "a http://h", "b http://h"]),
        (["--iterate", "query=", "http://h/?x"], ["http://h/"]),
        (["--iterate", "host=a", "--match", "http://h/*", "http://h/", "http://i/"], ["http://a/"]),
        (["--replace", "a=1 2", "http://h/?b&a=0&c&a=3"], ["http://h/?b&a=1+2&c"]),
        (["--replace", "x=1", "http://h/?b=%7e"], ["http://h/?b=%7e"]),
        (["--replace", "a=1", "--replace", "b=2", "-a", "query=b=3", "http://h/?b&a"], ["http://h/?b=2&a=1&b=3"]),
        (["--query-separator", ";", "--sort-query", "http://h/?b=1;a=2;c"], ["http://h/?a=2;b=1;c"]),
        (["--query-separator", ";", "--qtrim", "b", "-a", "query=d=;", "http://h/?a=x&y;b=1"], ["http://h/?a=x&y;d=%3B"]),
        (["--query-separator", ";", "-g", "{query:a}|{query-all:a}|{query:b}", "http://h/?a=1&x;b=2+3;a=%34;c"],
         ["1&x|1&x 4|2 3"]),
        (["-g", "{query-all:a}|{query-all:x}", "http://h/?a=1&b&a=%20&a"], ["1   |"]),
        (["--default-port", "-g", "{port}|{must:port}", "http://h:8", "ws://h:9/"], ["8|8", "9|9"]),
        (["--default-port", "-g", "{port}", "http://h", "https://h", "x://h", "ftp://h:2"], ["80", "443", "", "2"]),
        (["-g", "{port} {default:port} {default:port}", "http://h"], [" 80 80"]),
        (["--accept-space", "http://h/a b?c d"], ["http://h/a%20b?c%20d"]),
        (["-g", "{must:query:a} {must:host}", "http://h/?b&a=1"], ["1 h"]),
    ],
)  # fmt: skip
def test_options(options: list[str], expected: list[str]) -> None:
    assert run(*options) == (0, "".join(f"{line}\n" for line in expected), "")


def test_records() -> None:
    ended = run("--json", "-g", "{query-all:a} {default:port} {must:host}", "http://h/?a=1&a=2")
    assert json.loads(ended.out) == {"query-all:a": "1 2", "port": "80", "host": "h"}
    assert json.loads(run("--json", "--default-port", "https://h").out)["port"] == "443"
    ended = run(
        "--column",
        "u",
        "--csv",
        "--keep",
        "-g",
        "{href}",
        "--iterate",
        "port=1 2",
        stdin='u,n\nhttp://h,"x"\nb,y\n"z"x\n',
    )
    assert ended.lines == [
        "u,n,href", "http://h,x,http://h:1/", "http://h,x,http://h:2/", "b,y,", "b,y,", ",,", ",,",
    ]  # fmt: skip
    assert "2 of 3 lines are not URLs" in ended.err
    for command in (["dedup"], ["join", "--with", "/dev/null"]):
        ended = run(*command, "--iterate", "port=1 2", "http://h")
        assert ended.status == 2
        assert ended.err.endswith("weburl: --iterate does not go with keys\n")


@pytest.mark.parametrize("form", [[], ["--policy", "crawl"]])
def test_with_other_changes(form: list[str]) -> None:
    ended = run(*form, "--replace", "a=2", "-g", "{href} {query-all:a}", "http://h/?a=1")
    assert ended.lines == ["http://h/?a=2 2"]


def test_parts_that_are_missing() -> None:
    ended = run("-g", "{must:query:id} {host}", "--invalid", "drop", stdin="http://a/?id=1\nhttp://b/\nc\n")
    assert ended.lines == ["1 a"]
    assert ended.err == (
        "weburl: 2 of 3 lines are not URLs (missing-part: 1, missing-scheme-non-relative-URL: 1)\n"
    )  # fmt: skip
    ended = run("-g", "{must:fragment}{error}", "http://a/")
    assert ended == (1, "missing-part\n", "weburl: missing-part: fragment is missing\n")
    assert run("-g", "{must:port}", "--invalid", "fail", stdin="http://a\n").status == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--iterate", "port"], "--iterate takes PART=ITEMS, where PART is one of"),
        (["--iterate", "x=1 2"], "--iterate takes PART=ITEMS, where PART is one of"),
        (["--replace", "a"], "--replace takes NAME=VALUE, not 'a'"),
        (["--query-separator", "ab"], "--query-separator takes one character, as ; or :, not 'ab'"),
        *(
            (["--query-separator", text], f"--query-separator takes one character, as ; or :, not {text!r}")
            for text in "=#%+*-._a0 \t\n\r\x00\x1b\x7f<>\"'\xe9"
        ),
        (["-g", "{default:host}"], "{default:host}: default: is only for {default:port}"),
        (["-g", "{must:input}"], "{must:input}: must: is for parts of a URL, as in {must:query}"),
        (["-g", "{must:x}"], "no field is named {x}"),
    ],
)
def test_what_is_wrong(options: list[str], said: str) -> None:
    ended = run(*options, "http://h")
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_a_line_that_becomes_several_fails_once() -> None:
    said = "weburl: 1 of 2 lines is not a URL (missing-scheme-non-relative-URL: 1)\n"
    assert run("--iterate", "port=1 2 3", stdin="http://a/\nb\n").err == said
    ended = run("--iterate", "port=1 99999 3", stdin="http://a/\nhttp://b/\n")
    assert ended.err == "weburl: 2 of 2 lines are not URLs (port-out-of-range: 2)\n"
    assert ended.lines == ["http://a:1/", "", "http://a:3/", "http://b:1/", "", "http://b:3/"]


@pytest.mark.parametrize("separator", "!$&(),/:;?@[\\]^`{|}~")
def test_separators(separator: str) -> None:
    """What separates parameters stays as it is in a query."""
    options = (
        "--query-separator",
        separator,
        "-a",
        f"query=n=v{separator}w",
        "--sort-query",
        f"http://h/?x=1{separator}a",
    )
    [url] = run(*options).lines
    query = URL(url).query
    assert query is not None
    assert [pair.partition("=")[0] for pair in query.split(separator)] == ["a", "n", "x"]


PIECES = st.lists(
    st.sampled_from(["a", "x", "=", "&", "&&", "+", "%61", "%78", "%", "é", "1", "%C3%A9", "%ff", "[", "*", "?"]),
    max_size=10,
).map("".join)


@given(PIECES, st.sampled_from(["a", "x", "", "é", " ", "[", "*"]), st.text("ax&=é+%", max_size=2))
@example("&a", "", "1")
@example("&x&", "x", "")
@example("&&=", "", "")
@example("&", "x", "")
def test_edits_agree_with_methods(query: str, name: str, value: str) -> None:
    """--replace, --qtrim and -a do what with_params(), without_params() and add_params() do."""
    url = URL(f"http://h/?{query}#f")
    assert run("--replace", f"{name}={value}", "--", url.href).out == (
        f"{url.with_params({name: value}) if url.search_params.has(name) else url}\n"
    )
    escaped = "".join(f"[{mark}]" if mark in "[*?" else mark for mark in name)
    assert run(f"--qtrim={escaped}", "--", url.href).out == f"{url.without_params(name)}\n"
    if "=" not in name:
        assert run("-a", f"query={name}={value}", "--", url.href).out == f"{url.add_params({name: value})}\n"


@pytest.mark.parametrize("option", ["-s", "--iterate"])
@pytest.mark.parametrize("name", sorted({*inspect.signature(URL.replace).parameters} - {"self", "others", "encoding"}))
def test_each_keyword_of_replace_is_an_option_or_has_a_hint(option: str, name: str) -> None:
    """A part that is a list or a mapping in Python has a hint, here and in URLPattern."""
    values = {"href": "http://b/", "protocol": "https", "scheme": "https", "port": "81"}
    ended = run(option, f"{name}={values.get(name, 'a')}", "http://h/")
    if name in ("path_segments", "params"):
        instead = {"path_segments": "pathname, or -a path=SEGMENT", "params": "query, or -a query=NAME=VALUE"}[name]
        assert (ended.status, ended.out) == (2, "")
        assert ended.err.splitlines()[-1] == f"weburl: {option} has no {name}: use {instead}"
        with pytest.raises(TypeError, match=rf"^a pattern has no {name}: use (pathname|search)$"):
            URLPattern({name: "a"})
    else:
        assert ended.status == 0, ended.err
