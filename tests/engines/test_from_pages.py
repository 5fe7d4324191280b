"""The tables of docs/from with the real libraries: each row says what both sides give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.call_tables import FOLDER, PROGRAMS, Page, Row, pages
from support.pages import PYTHON, blocks, run_examples

# Pages of more than one library.
SEVERAL = {"crawlers": ["courlan", "crup", "protego", "samepage", "surt", "tldextract", "w3lib"]}
PAGES = [page for page in pages() if page.name not in PROGRAMS]


@pytest.mark.parametrize(("page", "row"), [(page, row) for page in PAGES for row in page.rows], ids=str)
def test_rows(page: Page, row: Row) -> None:
    page.check(row)


@pytest.mark.parametrize("row", next(page.rows for page in PAGES if page.name == "httpx"), ids=str)
def test_rows_of_httpx_with_httpx2(row: Row) -> None:
    page = Page(FOLDER / "httpx.md")
    page.setup = page.setup.replace("import httpx\n", "import httpx2 as httpx\n")
    assert page.needs == {"httpx2"}
    page.check(row)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_examples(page: Page) -> None:
    count = sum(block.language in PYTHON for block in blocks(page.path.read_text("utf-8")))
    assert run_examples(page.path) == count > 1


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_names_the_versions_that_are_tested(page: Page) -> None:
    requirements = Path(__file__).with_name("requirements.txt").read_text("utf-8").split()
    names = SEVERAL.get(page.name, [page.name])
    tested = [line.replace("==", " ") for line in requirements if line.partition("==")[0].replace("_", "-") in names]
    assert len(tested) == len(names) or page.name == "urllib"
    text = page.path.read_text("utf-8")
    named = re.search(r"A test runs both sides of each row, with ([^\n]+?[0-9])\.(?: |\n)", text)
    assert page.name == "urllib" or (named and sorted(re.split(", | and ", named[1].lower())) == sorted(tested))
