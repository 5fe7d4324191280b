"""What the playground of the docs answers, in CPython. tests/engines/test_playground_chromium.py is in a browser."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import playground
import playground_page
import pytest
from playground import LIMIT, LINK, PATHS, TOOLS, answer, answer_json
from playground_page import FORMS, Built, form_markup, needed
from support.hostile import DELIMITERS, ODD, SEQUENCES

from weburl import URL, explain, validate
from weburl.crawl import canonicalize
from weburl.redact import path_template
from weburl.robots import Robots
from weburl.text import explain_redaction, redact_text

DOCS = Path(__file__).resolve().parent.parent / "docs"
SAMPLES = {tool: {field.name: field.value for field in form.fields} for tool, form in FORMS.items()}


def ask(tool: str, **typed: str) -> dict[str, Any]:
    """An answer that can be sent as JSON, and that has what the page reads."""
    assert typed.keys() == SAMPLES[tool].keys()
    found: dict[str, Any] = json.loads(answer_json(tool, json.dumps(typed)))
    assert found.keys() == {"state", "status", "blocks", "link", "is_redacted"}
    assert found["state"] in ("fine", "notes", "fails")
    assert found["status"]
    for block in found["blocks"]:
        if "rows" in block:
            assert {len(row) for row in block["rows"]} <= {len(block["head"])}
            assert all(isinstance(cell, str) for row in block["rows"] for cell in row)
        else:
            assert isinstance(block["text"], str)
    return found


def rows(found: dict[str, Any], title: str) -> list[list[str]]:
    (block,) = (block for block in found["blocks"] if block["title"] == title)
    return [list(row) for row in block["rows"]]


def test_explain() -> None:
    url = "https://example.com\\@evil.example/a b"
    found = ask("explain", url=url, base="")
    assert found["status"] == "It parses, with 2 validation errors."
    assert len(validate(url)) == 2
    assert [block["text"] for block in found["blocks"]] == [explain(url)]
    assert ask("explain", url="https://h/", base="")["status"] == "It parses, with no validation error."
    assert ask("explain", url="a b", base="https://h/")["status"] == "It parses, with 1 validation error."
    found = ask("explain", url="http://h:8o/", base="")
    assert (found["state"], found["status"]) == ("fails", "It does not parse: a browser refuses it.")
    assert "port-invalid (failure)" in found["blocks"][0]["text"]
    found = ask("explain", url="x", base="no base")
    assert (found["state"], found["status"]) == ("fails", "The base does not parse.")
    many = ask("explain", url="http://h/" + "|" * 20_000, base="")["status"]
    assert many == "It parses, with 10,000 validation errors or more."


def test_redact() -> None:
    text = "GET https://ada:hunter2@h/?page=2&access_token=q8Zx3f7a HTTP/1.1\nAuthorization: Bearer mF_9.B5f-4.1JqM"
    found = ask("redact", text=text)
    assert found["status"] == "4 parts of the text are hidden."
    assert found["blocks"][0]["text"] == redact_text(text)
    assert rows(found, "Why") == [
        [f"{hidden.start} to {hidden.end}", hidden.kind, hidden.rule, hidden.source]
        for hidden in explain_redaction(text)
    ]
    assert ask("redact", text="password=hunter2")["status"] == "1 part of the text is hidden."
    found = ask("redact", text="page=2")
    assert (found["state"], found["status"], found["blocks"][0]["text"]) == ("fine", "Nothing is hidden.", "page=2")
    found = ask("redact", text="password=hunter2 " * 150)
    assert found["status"] == "150 parts of the text are hidden. The table has the first 100."
    assert len(rows(found, "Why")) == 100


def test_template() -> None:
    paths = ["/users/123/orders/8f14e45f-ceea-467f-a9e3-0123456789ab", "/users/7", "https://h/users/8?a=b"]
    found = ask("template", paths="\n \n".join(paths) + "\n")
    assert found["status"] == "3 paths, 2 templates."
    assert rows(found, "Templates") == [[path, path_template(path)] for path in paths]
    found = ask("template", paths="/a\nb c")
    assert (found["state"], found["status"]) == ("fails", "1 path, 1 template. 1 line without a template.")
    assert "missing-scheme-non-relative-URL" in rows(found, "Templates")[1][1]
    assert ask("template", paths=" \n")["state"] == "fails"
    found = ask("template", paths="/a\n" * (PATHS + 1))
    assert found["status"].endswith(f" Only the first {PATHS} of {PATHS + 1} lines are read.")
    assert len(rows(found, "Templates")) == PATHS


def test_compare() -> None:
    first, second = "HTTP://Example.com:80/index.html?b=2&utm_source=x&a=1#top", "http://example.com/?a=1&b=2"
    found = ask("compare", first=first, second=second)
    assert found["status"] == (
        "They are two URLs of one page, for a crawler. These parts differ: path, query, fragment."
    )
    shown = rows(found, "Part by part")
    assert shown[0] == ["href", "≠", URL(first).href, URL(second).href]
    assert shown[-1] == ["crawl key", "=", canonicalize(first), canonicalize(second)]
    assert [row[0] for row in shown if row[1] == "≠"] == ["href", "path", "query", "fragment"]
    assert ask("compare", first="https://h", second="HTTPS://h:443/.")["status"] == "They are the same URL."
    found = ask("compare", first="https://h/a?", second="https://u@h/a")
    assert found["status"] == "They are two URLs, and two pages for a crawler. These parts differ: username, query."
    assert ["query", "≠", "?", ""] in rows(found, "Part by part")
    found = ask("compare", first="x:/a", second="x:///a")
    assert found["status"].endswith(" Only a delimiter differs.")
    found = ask("compare", first="https://h/", second="h")
    assert found["status"].startswith("The second is not a URL: The URL has no scheme")


def test_pattern() -> None:
    found = ask("pattern", pattern="https://*.example.com/books/:id", url="https://www.example.com/book/7", base="")
    assert (found["state"], found["status"]) == ("fails", "The URL does not match: pathname.")
    shown = rows(found, "Component by component")
    assert shown[-1] == ["pathname", "fails", "/books/:id", "/book/7 (after '/book': needs 's')"]
    found = ask("pattern", pattern="/:kind/:id", url="books/7", base="https://h/")
    assert (found["state"], found["status"]) == ("fine", "The URL matches.")
    assert rows(found, "Groups") == [["pathname", "kind", "'books'"], ["pathname", "id", "'7'"]]
    found = ask("pattern", pattern="https://h/:id/:id", url="https://h/", base="")
    assert found["status"] == "This is not a pattern: two groups have the name 'id' in the pathname."
    assert found["blocks"][0]["text"].split("\n") == ["https://h/:id/:id", " " * 13 + "^"]
    long = ask("pattern", pattern="https://h/" + "a" * 500 + ":id/:id", url="https://h/", base="")
    line, mark = long["blocks"][0]["text"].split("\n")
    assert line[mark.index("^") :] == "/:id"
    assert len(line) <= 100
    assert ask("pattern", pattern="(", url="https://h/", base="")["status"].startswith("This is not a pattern: ")
    found = ask("pattern", pattern="https://h/*", url="//", base="")
    assert found["status"] == "It does not match: this is not a URL."
    assert ask("pattern", pattern="/", url="/", base="no base")["status"] == "The base does not parse."


def test_robots() -> None:
    text = "User-agent: *\nDisallow: /private\nAllow: /private/faq$\nDisalow: /x"
    found = ask("robots", robots=text, agent="ExampleBot", url="https://h/a/../private/%7Eada")
    assert (found["state"], found["status"]) == ("fails", "Not allowed by line 2: Disallow: /private")
    assert rows(found, "Why") == [["path", "/private/~ada"], ["group", "* (line 1)"], ["rules", "3"]]
    warnings = Robots.parse(text, agent="ExampleBot").warnings
    assert rows(found, "What is wrong with the file") == [[str(one.line), one.text, one.message] for one in warnings]
    found = ask("robots", robots=text, agent="ExampleBot", url="https://h/private/faq")
    assert (found["state"], found["status"]) == ("fine", "Allowed by line 3: Allow: /private/faq$")
    assert ask("robots", robots="", agent="a", url="https://h/")["status"] == "Allowed: no rule matches"
    found = ask("robots", robots="", agent="Example Bot/2", url="https://h/")
    assert found["status"].startswith("agent must be a product token")
    assert ask("robots", robots="", agent="a", url="/x")["status"].startswith("missing-scheme-non-relative-URL")


SECRET = "aK1vB9mTeq8Zx3f7"


@pytest.mark.parametrize("tool", TOOLS)
def test_no_secret_is_in_a_link(tool: str) -> None:
    """The address stays in the history of the browser. The text of the form for redaction is not in it at all."""
    for field in SAMPLES[tool]:
        for text in (f"https://ada:{SECRET}@h/", f"https://h/?access_token={SECRET}", f"https://h/reset/{SECRET}"):
            found = ask(tool, **{**SAMPLES[tool], field: text})
            assert SECRET not in json.dumps(found["link"])
            assert found["is_redacted"] is (tool != "redact")
    found = ask(tool, **SAMPLES[tool])
    assert found["link"] == ({} if tool == "redact" else SAMPLES[tool])
    assert found["is_redacted"] is False


@pytest.mark.parametrize("tool", TOOLS)
def test_long_texts(tool: str) -> None:
    for field in SAMPLES[tool]:
        found = ask(tool, **{**SAMPLES[tool], field: "https://h/" + "a" * (LIMIT - 10)})
        assert not found["status"].startswith("Too long")
        # It is too long for a link.
        assert found["link"] == ({} if tool == "redact" else None)
        found = ask(tool, **{**SAMPLES[tool], field: "https://h/" + "a" * (LIMIT - 9)})
        assert found["status"] == f"Too long: {field} has {LIMIT + 1:,} characters; at most {LIMIT:,} are taken."
        assert found["link"] is None
    if tool == "explain":
        short = ask(tool, url="a" * LINK, base="")
        assert short["link"] == {"url": "a" * LINK, "base": ""}
        assert ask(tool, url="a" * LINK, base="b")["link"] is None


@pytest.mark.parametrize("tool", TOOLS)
def test_whatever_is_typed_has_an_answer(tool: str) -> None:
    pieces = [*DELIMITERS, *SEQUENCES, *ODD, "https://", "h", "a", "/:id", "(a|b)", "{", "}?", "*", "Disallow: /", "\n"]
    source = random.Random(f"playground {tool}")
    for _ in range(400):
        typed = {
            field: source.choice([sample, "".join(source.choices(pieces, k=source.randrange(12)))])
            for field, sample in SAMPLES[tool].items()
        }
        ask(tool, **typed)


# The page.


def test_each_tool_has_a_form_and_a_place_in_the_page() -> None:
    page = (DOCS / "playground.md").read_text("utf-8")
    places = re.findall(r"^```\{playground\} (\w+)$", page, re.MULTILINE)
    assert places == ["with", "without", *FORMS]
    assert list(TOOLS) == list(FORMS)
    assert f"{LIMIT:,} characters" in page
    # What is typed there is not in a link.
    private = [(tool, field.name) for tool, form in FORMS.items() for field in form.fields if field.is_private]
    assert private == [("redact", "text")]


def make_built(folder: Path) -> Built:
    for name in ("dist/weburl-1-any.whl", *(f"node_modules/pyodide/{name}" for name in playground_page.PYODIDE)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a" * 100_000)
    (folder / "node_modules" / "pyodide" / "package.json").write_text("{}")
    found = Built.within(folder)
    assert found is not None
    return found


def test_what_the_forms_load(tmp_path: Path) -> None:
    assert Built.within(tmp_path) is None
    built, site = make_built(tmp_path), tmp_path / "site"
    built.copy(site)
    loaded = [file for file in site.iterdir() if file.name != "package.json"]
    loaded += [DOCS / "_static" / "playground.py", DOCS / "_static" / "playground_worker.js"]
    assert built.megabytes() == f"{sum(file.stat().st_size for file in loaded) / 1e6:.1f}"
    assert {file.name for file in site.iterdir()} == {
        "weburl-1-any.whl", "idna.zip", "package.json", *playground_page.PYODIDE,
    }  # fmt: skip
    (site / "pyodide.asm.wasm").unlink()
    (tmp_path / "node_modules" / "pyodide" / "pyodide.asm.wasm").unlink()
    assert Built.within(tmp_path) is None


def test_what_the_package_needs_is_there_with_its_licence() -> None:
    with zipfile.ZipFile(io.BytesIO(needed())) as archive:
        names = archive.namelist()
    assert "idna/__init__.py" in names
    assert "idna/core.py" in names
    assert any("LICENSE" in name for name in names)
    assert all(name.startswith("idna") and ".." not in name for name in names)


@pytest.mark.parametrize("tool", FORMS)
def test_a_form(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = make_built(tmp_path)
    markup = form_markup(tool, built)
    for field in FORMS[tool].fields:
        assert f'name="{field.name}"' in markup
        assert f'<label for="playground-{tool}-{field.name}">' in markup
    assert f" {built.megabytes()} MB and " in markup
    # A text is not markup, and keeps its first line end.
    form = FORMS[tool]._replace(fields=(playground_page.Field("a", "<b>", "\n<i>&</textarea>"),))
    monkeypatch.setitem(FORMS, tool, form)
    markup = form_markup(tool, built)
    assert ">&lt;b&gt;</label>" in markup
    assert ">\n\n&lt;i&gt;&amp;&lt;/textarea&gt;</textarea>" in markup


def test_nothing_is_loaded_from_elsewhere() -> None:
    """The code of the page has no address but that of the server which a reader starts."""
    for name in ("playground.js", "playground_worker.js", "playground.css", "playground.py"):
        text = (DOCS / "_static" / name).read_text("utf-8")
        assert re.findall(r"https?://[\w.:/-]+", text) in ([], ["http://localhost:8000/playground.html."])
        assert "innerHTML" not in text
        assert "insertAdjacent" not in text


def test_the_limit_of_errors_is_that_of_the_package() -> None:
    assert len(validate("http://h/" + "|" * (playground.MOST_ERRORS + 10))) == playground.MOST_ERRORS


def test_an_unknown_tool() -> None:
    with pytest.raises(KeyError):
        answer("nothing", {})
