"""The tables of docs/from without the other libraries: weburl's side of each row. Both sides are in tests/engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.call_tables import TOGETHER, Page, Row, pages
from support.pages import DOCS

PAGES = pages()
ROWS = [(page, row) for page in PAGES if page.name not in TOGETHER for row in page.rows]


@pytest.mark.parametrize(("page", "row"), ROWS, ids=str)
def test_rows(page: Page, row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text(page.file, "utf-8")
    if page.is_complete:
        page.check(row)
    else:
        page.check_ours(row)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_each_table_is_read(page: Page) -> None:
    # Without the times.
    text = page.path.read_text("utf-8").partition("<!-- figures:")[0]
    assert len(page.rows) >= 8
    # Besides the rows, a table has a heading and the line below it.
    assert len(page.rows) == sum(line.startswith("|") for line in text.splitlines()) - 2 * text.count("| weburl |")
    assert text.count("\n") <= 100


def test_readers_find_each_page() -> None:
    assert len(PAGES) == 16
    for page in PAGES:
        assert f"(from/{page.path.name})" in (DOCS / "libraries.md").read_text("utf-8")


PAGE = """```python
from json import loads
from weburl import URL, InvalidURL
```

| json | weburl | what differs |
|---|---|---|
| `loads('"a\\|b"')` | `"a\\|b"` | same |
| `value = loads("1"); value` | `2` | `1`; weburl: `2`. They differ |
| `int("a")` | `URL("a")` | raises `ValueError`; weburl: raises `InvalidURL`. It is a ValueError |
"""
GOOD = 3


def page_with(tmp_path: Path, row: str) -> Page:
    path = tmp_path / "page.md"
    path.write_text(PAGE + row, "utf-8")
    return Page(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("| `1` | `2` | same |", r"page\.md:11: \[Result"),
        ("| `1` | `'1'` | same |", r"page\.md:11: \[Result"),
        ("| `URL('http://h')` | `'http://h'` | same |", r"page\.md:11: \[Result"),
        ("| `1` | `int('a')` | same |", r"page\.md:11: int\('a'\) fails"),
        ("| `1` | `2` | `3`; weburl: `2` |", r"page\.md:11: 1 gives 1"),
        ("| `1` | `2` | `1`; weburl: `3` |", r"page\.md:11: 2 gives 2"),
        ("| `1` | `1` | `1`; weburl: `1` |", r"page\.md:11: both give 1"),
        ("| `1` | `2` | raises `ValueError`; weburl: `2` |", r"page\.md:11: 1 gives 1"),
        (
            "| `int('a')` | `2` | raises `TypeError`; weburl: `2` |",
            r"page\.md:11: int\('a'\) gives <class 'ValueError'>",
        ),
        ("| `int('a')` | `2` | `ValueError`; weburl: `2` |", r"page\.md:11: int\('a'\) gives"),
        ("| `1` | `2` | `1`; weburl: `x` |", r"page\.md:11: x is not a value"),
        ("| `1` | `2` | almost the same |", r"page\.md:11: 'almost the same' is neither"),
        ("| `x = 1` | `2` | same |", "does not end in an expression"),
    ],
)
def test_a_wrong_row_is_noticed(tmp_path: Path, row: str, message: str) -> None:
    page = page_with(tmp_path, row + "\n")
    for good in page.rows[:GOOD]:
        page.check(good)
        page.check_ours(good)
    with pytest.raises(AssertionError, match=message):
        page.check(page.rows[GOOD])


def test_a_cell_is_code(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="line 11: a cell is not one piece of code"):
        page_with(tmp_path, "| `1` or `2` | `1` | same |\n")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("| `x` | `weburl http://h` | `a`; weburl: `http://h` |", "gives 'http://h/'"),
        ("| `x` | `weburl 'http://a b'` | same |", "fails: 1"),
        ("| `x` | `weburl 'http://a b'` | `a`; weburl: status `2` |", "gives 1"),
        ("| `x` | `weburl http://h/ http://i/` | `a`; weburl: `http://h/` |", "gives 'http://h/ http://i/'"),
    ],
)
def test_a_wrong_command_is_noticed(tmp_path: Path, row: str, message: str) -> None:
    page = page_with(tmp_path, row + "\n")
    page.name = "trurl"
    with pytest.raises(AssertionError, match=message):
        page.check_ours(page.rows[GOOD])
