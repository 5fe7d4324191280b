"""What is easily mistaken: empty lines with a base, rows without a route, and words that are not commands."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.command import run

from weburl.cli.commands import COMMANDS

BASE = "http://h/x?q"
EMPTY = ["", " ", "\t \x01", "\x1f"]
LINES = ["/a", *EMPTY, "b", "\xa0", ""]
RIGHT = ["http://h/a", "", "", "", "", "http://h/b", "http://h/%C2%A0", ""]
OPTIONS: tuple[list[str], ...] = (
    [], ["--sort-query"], ["--policy", "whatwg"], ["--as-idn"], ["--iterate", "port="], ["--threads", "1"],
)  # fmt: skip


def text_of(kind: str, lines: list[str]) -> bytes:
    if kind == "jsonl":
        return "".join(json.dumps({"u": line, "n": str(number)}) + "\n" for number, line in enumerate(lines)).encode()
    if kind == "csv":
        return ("u,n\n" + "".join(f'"{line}",{number}\n' for number, line in enumerate(lines))).encode()
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize("copies", [1, 700])
@pytest.mark.parametrize("kind", ["text", "csv", "jsonl"])
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_empty_rows_are_not_the_base(options: list[str], kind: str, copies: int, tmp_path: Path) -> None:
    path = tmp_path / f"in.{kind}"
    path.write_bytes(text_of(kind, LINES * copies))
    how = {"csv": ["--column", "u"], "jsonl": ["--field", "u"], "text": ["--input", "text"]}
    words = ["--base", BASE, *options, "-f", str(path), *how[kind]]
    ended = run(*words)
    assert (ended.status, ended.lines) == (0, RIGHT * copies)
    count = 5 * copies
    assert f"{count:,} of {len(LINES) * copies:,} lines are not URLs (empty: {count:,})" in ended.err
    ended = run(*words, "-g", "{error}|{input}", "--invalid", "keep")
    assert ended.lines[:3] == ["|/a", "empty|", "empty| "]
    # What the row has beside its URL stays.
    if kind != "text":
        ended = run(*words, "-g", "{column:n}{error}")
        assert ended.lines[:7] == ["0", "1empty", "2empty", "3empty", "4empty", "5", "6"]
    # Asked for, they are the base.
    ended = run(*words, "--resolve-empty")
    assert ended.status == 0
    assert ended.lines == [line or BASE for line in RIGHT] * copies


def test_every_place_where_rows_are_read(tmp_path: Path) -> None:
    text = "\n/\n\n/a\n"
    page, other = "http://h/", tmp_path / "other"
    other.write_text("/\n\n/b\n")
    assert run("--match", "*://h/*", "--base", page, stdin=text).lines == ["http://h/", "http://h/a"]
    assert run("--not-match", "*://x/*", "--base", page, stdin=text).lines == ["http://h/", "http://h/a"]
    assert run("dedup", "--base", page, stdin=text).lines == ["/", "/a"]
    assert run("dedup", "--base", page, "--resolve-empty", stdin=text).lines == ["", "/a"]
    assert run("join", "--with", str(other), "--base", page, stdin=text).lines == ["/\t/"]
    assert run("join", "--with", str(other), "--left", "--base", page, stdin=text).lines == ["/\t/", "/a\t"]
    assert run("join", "--with", str(other), "--base", page, "--resolve-empty", stdin="/\n").lines == ["/\t/", "/\t"]
    routes = tmp_path / "routes"
    routes.write_text("home\thttp://h/\n")
    for change in ([], ["--sort-query"]):
        words = ["--routes", str(routes), "-g", "{route}", "--base", page, *change]
        assert run(*words, stdin=text).lines == ["", "home", "", "(none)"]
    table = json.loads(run("stats", "--json", "--base", page, stdin=text).out)
    assert table["urls"] == 2
    robots = tmp_path / "robots.txt"
    robots.write_text("User-agent: *\nDisallow: /a\n")
    ended = run("robots", str(robots), "--base", page, "-f", "-", stdin=text)
    assert (ended.lines, ended.err) == (["allowed\thttp://h/", "forbidden\thttp://h/a"], "")
    assert "\n// 2 lines\n" in run("learn", "--base", page, stdin=text).out
    # They are explained, and written, as they were.
    rejects = tmp_path / "rejects"
    run("--base", page, "--invalid", f"file={rejects}", stdin=text)
    first = json.loads(rejects.read_text().splitlines()[0])
    assert (first["line"], first["error"], first["input"]) == (1, "empty", "")
    assert "--resolve-empty" in first["message"]
    ended = run("--base", page, "--invalid", "fail", stdin="/\n\n")
    assert (ended.status, ended.out) == (1, "http://h/\n")
    assert ended.err.startswith("weburl: standard input:2: empty: ")
    assert run("--base", page, "").status == 1
    assert run("--base", page, "--resolve-empty", "").out == "http://h/\n"
    # These read no lines.
    assert run("explain", "", "--base", page).status == run("diff", "", page, "--base", page).status == 0
    # A null is not empty; without a base, an empty row fails as it did.
    assert run("--base", page, "--field", "u", "-g", "{error}", stdin='{"u":null}\n{"u":"a"}\n').lines == ["", ""]
    assert run("-g", "{error}", stdin="\n").lines == ["missing-scheme-non-relative-URL"]


@pytest.mark.parametrize("base", [[], ["--base", "http://h/"]], ids=" ".join)
@pytest.mark.parametrize("kind", ["text", "csv", "jsonl"])
def test_commands_that_skip_empty_rows(kind: str, base: list[str], tmp_path: Path) -> None:
    """With a base, those that are empty for the URL parser, which removes controls and spaces, but not U+00A0.

    Without one, a row of controls is not blank: it fails.
    """
    path = tmp_path / f"in.{kind}"
    path.write_bytes(text_of(kind, LINES))
    how = {"csv": ["--column", "u"], "jsonl": ["--field", "u"], "text": ["--input", "text"]}[kind]
    found = json.loads(run("stats", "--json", *how, *base, str(path)).out)
    assert (found["urls"], found["invalid"]) == ((3, 0) if base else (0, 5))
    said = run("check", *how, *base, str(path)).err
    assert said.startswith("3 URLs, nothing found" if base else "5 of 5 URLs: ")
    robots = tmp_path / "robots.txt"
    robots.write_text("")
    ended = run("robots", str(robots), *how, *base, "-f", str(path))
    shown = ["http://h/a", "http://h/b", "http://h/%C2%A0"] if base else []
    assert ended.lines == [f"allowed\t{url}" for url in shown]
    assert ended.err == ("" if base else "weburl: 5 of 5 lines are not URLs\n")
    assert f"\n// {len(shown)} lines\n" in run("learn", *how, *base, str(path)).out
    lines = {json.loads(line)["line"] for line in run("check", "--json", *how, str(path)).out.splitlines()}
    first = 1 + (kind == "csv")
    assert lines == {first, *range(first + 3, first + 7)}


@pytest.mark.parametrize("change", [[], ["--sort-query"], ["--policy", "whatwg"], ["--not-match", "*://x/*"]])
def test_empty_rows_beside_rows_that_cannot_be_read(change: list[str], tmp_path: Path) -> None:
    """Each row is counted once."""
    long = "/" + "x" * 100
    files = {
        "in.csv": (["--column", "u"], f'u,n\n"",1\n/a,2\n{long},3\n/b,4\n"x"y,5\n'),
        "in.jsonl": (["--field", "u"], f'{{"u":""}}\n{{"u":"/a"}}\n{{"u":"{long}"}}\n{{"u":"/b"}}\n{{"u":5}}\n'),
    }
    for name, (how, text) in files.items():
        (tmp_path / name).write_text(text)
        words = ["--base", BASE, "--max-line", "50", *change, *how, "-f", str(tmp_path / name), "--invalid", "drop"]
        ended = run(*words)
        assert ended.lines == ["http://h/a", "http://h/b"]
        assert "3 of 5 lines are not URLs (empty: 1, invalid-record: 1, too-long: 1)" in ended.err


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"])
def test_empty_rows_of_arrow(kind: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    texts = ["/a", "", "  ", None, "/\ufffd"]
    encoded = [text and text.replace("\ufffd", "\xff").encode("latin-1") for text in texts]
    values = texts if "string" in kind else encoded
    table = pyarrow.table({"u": pyarrow.array(values, getattr(pyarrow, kind)()), "n": list("12345")})
    path = tmp_path / "in.arrow"
    with pyarrow.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    words = ["--base", BASE, "--column", "u", "-f", str(path)]
    for change in ([], ["--sort-query"], ["--iterate", "port="], ["--policy", "whatwg"]):
        ended = run(*words, *change, "-g", "{href}|{error}|{column:n}|{input}")
        assert ended.lines == [
            "http://h/a||1|/a", "|empty|2|", "|empty|3|  ", "||4|", "http://h/%EF%BF%BD||5|/\ufffd",
        ]  # fmt: skip
        assert "3 of 5 lines are not URLs (empty: 2, null: 1)" in ended.err
    assert run("dedup", *words, "-g", "{column:n}").lines == ["1", "5"]
    assert json.loads(run("stats", "--json", *words).out)["urls"] == 2
    # A row that is refused is written as text.
    rejects = tmp_path / "rejects"
    run(*words[2:], "--invalid", f"file={rejects}")
    assert [json.loads(line)["input"] for line in rejects.read_text().splitlines()] == texts
    assert run("check", *words[2:]).out.count("missing-scheme") == 2


def test_no_route_is_not_a_row_that_fails(tmp_path: Path) -> None:
    routes = tmp_path / "routes"
    routes.write_text("a\thttp://a/:id\nb\thttp://b/*\n")
    text = "http://a/1\nhttp://c/\nb c\nhttp://b/\n"
    words = ["--routes", str(routes), "-g", "{route}"]
    assert run(*words, stdin=text).lines == ["a", "(none)", "", "b"]
    assert run(*words, "--invalid", "drop", stdin=text).lines == ["a", "(none)", "b"]
    found = [json.loads(line)["route"] for line in run(*words, "--json", stdin=text).lines]
    assert found == ["a", "(none)", None, "b"]
    assert run(*words, "--policy", "crawl", stdin=text).lines == ["a", "(none)", "", "b"]
    groups = run("--routes", str(routes), "-g", "{group:id}|{route}", stdin=text)
    assert groups.lines == ["1|a", "|(none)", "", "|b"]


@pytest.mark.parametrize("name", [[], ["dedup"], ["join", "--left", "--with", os.devnull]], ids=" ".join)
def test_urls_after_two_dashes(name: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are URLs, whatever they look like."""
    words = [*name, "-g", "{href}", "--base", "http://h/"]
    looks = ["-a", "-f", "--json", "--", "-s", "check", "--no"]
    assert run(*words, "x", "--", *looks).lines == [f"http://h/{text}" for text in ["x", *looks]]
    assert run(*words, "--", "-a").lines == ["http://h/-a"]
    # A file that is not after -f is most likely a mistake.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls").write_text("http://h/\n")
    ended = run(*name, "urls")
    prog = " ".join(["weburl", *name[:1]])
    assert ended.status == 2
    assert ended.err.endswith(f"weburl: 'urls' is a file, not a URL: -f reads it, as in {prog} -f FILE\n")
    assert run(*name, "--", "urls").status == 1
    # So is one whose name is nearly that of a command.
    (tmp_path / "hosts").write_text("http://h/\n")
    assert "'hosts' is a file, not a URL: " in run(*name, "hosts").err


def test_options_that_are_not_utf_8() -> None:
    """Each byte is U+FFFD, as in a URL that is decoded."""
    name, url = "\udcff", "http://h/?%FFa=1&b=2"
    assert run("--qtrim", f"{name}*", url).out == "http://h/?b=2\n"
    assert run("--replace", f"{name}a={name}", url).out == "http://h/?%EF%BF%BDa=%EF%BF%BD&b=2\n"
    assert run("-g", f"{{query:{name}a}}", url).out == "1\n"
    for words in (["-s", f"query={name}"], ["-a", f"query={name}"], ["--iterate", f"query={name}"]):
        assert "%EF%BF%BD" in run(*words, "http://h/").out


# What is said, and the words that it is said of.
HINTS = {
    "--policy POLICY prints the canonical form, as --policy crawl": "canonical canonicalize clean surt canon",
    "weburl prints normalized URLs, and --policy POLICY the canonical form": "normalize",
    "-g '{template}' prints the template of the path": "template path_template PathTemplate",
    "weburl prints the href of each URL": "href",
    "weburl diff compares two URLs, or two lists of them": "compare",
    "--json, --csv or -g FORMAT prints the parts": "parse parts split get convert json csv",
    "-g '{redacted}' prints URLs without secrets, and weburl redact a text without them": "redacted",
    "-g '{hostname}' prints the host": "host hostname",
    "-g '{registrable_domain}' prints the registrable domain": "site",
    "-g '{hostname}' prints the host, and -g '{registrable_domain}' prints the registrable domain": "domain",
    "-g '{scheme}' prints the scheme": "scheme",
    "-g '{port}' prints the port": "port",
    "-g '{pathname}' prints the path, and -g '{template}' its template": "path",
    "--as-idn prints hosts in Unicode": "idn",
    "--base URL resolves relative URLs": "resolve absolute",
    "-s PART=VALUE sets a part": "set",
    "--sort-query sorts the parameters": "sort",
    "--qtrim GLOB removes parameters": "trim strip tracking",
    "--match PATTERN prints only URLs that match": "match filter",
    "--routes FILE is for {route} in -g": "route",
    "weburl dedup prints the first line of each page": "unique deduplicate",
    "weburl stats counts": "count",
    "--policy POLICY prints one text for all URLs of a page, as --policy crawl": "fingerprint key hash",
    "-g '{query}' prints the query, and -g '{query:NAME}' the value of a parameter": "query",
    "-g '{query:NAME}' prints a decoded value, and --as-idn prints hosts in Unicode": "decode",
    "weburl prints URLs percent-encoded, and -a query=NAME=VALUE encodes a parameter": "encode",
    "docs/performance.md has figures, and make bench in the source measures": "bench",
    "weburl check lists errors, and --verify tells whether there are some": "valid validate verify lint",
    "weburl find prints the URLs in a text": "grep",
    "weburl find prints the URLs in a text, and weburl links the links of a page": "extract",
    "weburl --help lists the options": "help",
    "weburl --version prints the version": "version",
}


@pytest.mark.parametrize(("word", "said"), [(word, said) for said, words in HINTS.items() for word in words.split()])
def test_hints(word: str, said: str) -> None:
    """Also where the word is nearly that of a command."""
    assert word not in COMMANDS
    for typed in (word, word.upper()):
        ended = run(typed, "x.txt")
        assert (ended.status, ended.out) == (2, "")
        assert ended.err.splitlines()[-1] == f"weburl: '{typed}' is not a command: {said}. A URL goes after --"
    # A relative URL, and a URL by force.
    assert run("--base", "http://h/", word).out == f"http://h/{word}\n"
    assert run("--", word).status == 1


def test_what_hints_say_is_there() -> None:
    """Each option and field of a hint."""
    text = run("--help").out
    for hint in HINTS:
        for part in hint.replace("'", " ").split():
            if part.startswith("-") and part != "--help":
                assert part in text
            if part.startswith("{"):
                assert run("-g", part, "http://a/").status in (0, 2), part
    assert run("canonicalise-").status == 1
    for word, said in (
        ("canonicalise", "--policy"),
        ("normalise", "--policy"),
        ("hosts", "{hostname}"),
        ("uniq", "dedup"),
        ("json", "prints the parts"),
    ):
        assert said in run(word).err
