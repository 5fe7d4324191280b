"""The recipes of docs/cookbook: each works when it is pasted, is short, and is found by what people search for."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from check_search import missing_words, pages_with, read_index, words_of
from check_source import run_elsewhere
from source_tree import Tree
from support.recipes import COOKBOOK, PAGES, RECIPES, Recipe, check_recipe, recipes_of, sentences

ROOT = Path(__file__).resolve().parent.parent
# Pages whose recipes need engines are run by tests/engines/test_recipes.py.
ENGINES = {Path(page).name for page in run_elsewhere(Tree(ROOT)) if page.startswith("cookbook/")}
INDEX = (COOKBOOK / "index.md").read_text("utf-8")
# What people search for, each with the recipes that the index names for it.
WORDS = {
    word: re.findall(r"\[([^\]]+)\]\(([\w-]+\.md)#([\w-]+)\)", links)
    for word, links in re.findall(r"^\| ([^|]+) \| (\[.*) \|$", INDEX, re.MULTILINE)
}
SEARCHED = """
    redirect | SSRF | signed | secret | session | tracking | duplicate | regex | key | open redirect
    utm | subdomain | TLD | punycode | normalize | canonical | relative link | base URL
    query string | slash | encode | decode | port | file path | Windows path | IPv6 | localhost
    private network | allow list | log | credentials | password | cache | pandas | Polars | DuckDB
    Spark | Django | FastAPI | pydantic
"""
TASKS = """
    remove tracking parameters | is this redirect safe | join the relative links of a page | group log lines by route
    the same URL or not | extract the domain in DuckDB | block requests to internal addresses | keep a signed URL intact
"""


def names_of(text: str) -> list[str]:
    return [name.strip() for name in re.split(r"[|\n]", text) if name.strip()]


@pytest.mark.parametrize("recipe", [each for each in RECIPES if each.page.name not in ENGINES], ids=str)
def test_recipe(recipe: Recipe, tmp_path: Path) -> None:
    if recipe.language == "console" and os.name != "posix":
        pytest.skip("the example is for a POSIX shell")
    if "weburl links" in recipe.code and find_spec("selectolax") is None:
        pytest.skip("needs selectolax")
    check_recipe(recipe, tmp_path)


def test_a_wrong_recipe_is_noticed(tmp_path: Path) -> None:
    page = "# Page\n\n## Add\n\nIt adds.\n\n```python\nprint(1 + 1)\n```\n\n```text\n2\n```\n\nAll is well.\n"
    (right,) = recipes_of(page, tmp_path)
    check_recipe(right, tmp_path)
    (wrong,) = recipes_of(page.replace("1 + 1", "1 + 2"), tmp_path)
    with pytest.raises(AssertionError):
        check_recipe(wrong, tmp_path)
    for text in ("It adds.", "print(1 + 1)\n", "```text\n2\n```\n\n", "All is well.\n"):
        with pytest.raises(ValueError, match="not a recipe: Add"):
            recipes_of(page.replace(f"```python\n{text}```\n\n" if "print" in text else text, ""), tmp_path)


def test_there_are_fifty() -> None:
    assert len(RECIPES) >= 50
    assert len(RECIPES) == sum(path.read_text("utf-8").count("\n## ") for path in PAGES)
    assert [title for title, times in Counter(each.title for each in RECIPES).items() if times > 1] == []
    # A page without engines has no program that needs one.
    assert {path.name for path in PAGES} > ENGINES != set()


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_form(recipe: Recipe) -> None:
    """Few lines, that need not be scrolled on a page; one sentence before, and one to three after."""
    assert 0 < len(recipe.lines) <= 15
    if recipe.language == "python":
        assert max(map(len, [*recipe.lines, *recipe.output.splitlines()])) <= 100
        assert "import" in recipe.code
        assert recipe.output.strip()
    assert sentences(recipe.intro) == 1
    assert 1 <= sentences(recipe.caveat) <= 3


def test_the_index_has_every_page() -> None:
    toctree = INDEX.partition(":maxdepth: 2\n\n")[2].partition("```")[0].split()
    assert sorted(toctree) == [path.stem for path in PAGES]


def test_words() -> None:
    """The index has what people search for, and the recipes that it names have the word in their text."""
    assert {word for word in names_of(SEARCHED) if word not in WORDS} == set()
    recipes = {(each.page.name, each.title): each for each in RECIPES}
    for word, links in WORDS.items():
        assert links != []
        for title, page, anchor in links:
            prose = recipes[page, title].prose
            assert re.search(rf"(?<![^\W_]){word}s?(?![^\W_])", prose, re.IGNORECASE), (word, title)
            # What Sphinx makes of the title is checked by `make docs`.
            assert anchor == re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("task", names_of(TASKS))
def test_task(task: str) -> None:
    titles = [each.title.lower().replace("https:", "") for each in RECIPES]
    assert any(title.startswith(task.lower()) for title in titles)


def test_a_site_without_a_word_is_noticed() -> None:
    """`make docs` looks for the words of the index in the search of the site."""
    assert words_of(INDEX) == list(WORDS)
    terms = {"redirect": 1, "sign": [0, 1], "utm_sourc": 1, "open": 2, "port": [0, 2], "ssrf": 0}
    script = {"docnames": ["cookbook/index", "cookbook/safety", "hosts"], "terms": terms, "titleterms": {"tld": [1]}}
    index = read_index(f"Search.setIndex({json.dumps(script)})")

    def stem(word: str) -> str:
        return word.removesuffix("ed")

    assert pages_with(index, "signed", stem) == {"cookbook/index", "cookbook/safety"}
    assert pages_with(index, "open redirect", stem) == set()
    assert pages_with(index, "nothing", stem) == set()
    found = missing_words(index, ["Redirect", "signed", "utm", "TLD", "open redirect", "port", "SSRF"], stem)
    assert found == ["open redirect", "port", "SSRF"]
    with pytest.raises(ValueError, match="not a call"):
        read_index("fetch('index.json')")
