"""Checks that the search of the built site finds the words of the cookbook's index, without a server; and its pictures.

PYTHONPATH=tests python tools/check_search.py build/docs
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from support.recipes import COOKBOOK

INDEX = "cookbook/index"
# The page that other questions find.
FOUND = {"playground": "playground", "try it": "playground"}
# A browser runs scripts of a page that is a file, but fetches nothing for it.
SCRIPT = '<script src="searchindex.js"'


def words_of(index: str) -> list[str]:
    """The words of the index, which its table has in its first column."""
    return re.findall(r"^\| ([^|]+) \| \[", index, re.MULTILINE)


def other_words(script: str) -> list[str]:
    """The words that search_order.js looks for in place of others."""
    tables = script.partition("const WORDS")[2].partition("var splitQuery")[0]
    return re.findall(r'"(\w+)"', tables)


def answers(script: str) -> list[str]:
    """The pages that search_order.js puts first for some questions."""
    return re.findall(r'/, "([\w/-]+)"\]', script.partition("const ANSWERS")[2].partition("];")[0])


def missing_pictures(site: Path) -> list[str]:
    """The pictures that the Markdown beside a page shows, and that the site does not have."""
    return [
        f"{page.relative_to(site)}: {target}"
        for page in sorted(site.rglob("*.md"))
        for target in re.findall(r"!\[[^\]]*\]\((?!https?:)([^)\s]*)\)", page.read_text("utf-8"))
        if not (page.parent / target).is_file()
    ]


def read_index(script: str) -> dict[str, Any]:
    found = re.fullmatch(r"Search\.setIndex\((\{.*\})\);?\s*", script, re.DOTALL)
    if found is None:
        raise ValueError("searchindex.js is not a call of Search.setIndex()")
    index: dict[str, Any] = json.loads(found[1])
    return index


def pages_with(index: dict[str, Any], word: str, stem: Callable[[str], str]) -> set[str]:
    """The pages that have all parts of a word, as Sphinx's script finds them: by a term, or by a part of a term."""
    pages = None
    for part in re.findall(r"\w+", word.lower()):
        numbers: set[int] = set()
        for terms in (index["terms"], index["titleterms"]):
            for term, where in terms.items():
                if term == stem(part) or (len(part) > 2 and part in term):
                    numbers.update([where] if isinstance(where, int) else where)
        found = {index["docnames"][number] for number in numbers}
        pages = found if pages is None else pages & found
    return pages or set()


def missing_words(index: dict[str, Any], words: Iterable[str], stem: Callable[[str], str]) -> list[str]:
    """The words that no page of the cookbook is found by."""
    return [
        word
        for word in words
        if not any(page.startswith("cookbook/") and page != INDEX for page in pages_with(index, word, stem))
    ]


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    from sphinx.search.en import SearchEnglish

    site = Path(arguments[0])
    if SCRIPT not in (site / "search.html").read_text("utf-8"):
        print(f"search.html has no {SCRIPT}>: the search needs a server")
        return 1
    words = words_of((COOKBOOK / "index.md").read_text("utf-8"))
    index = read_index((site / "searchindex.js").read_text("utf-8"))
    missing = missing_words(index, words, SearchEnglish({}).stem)
    if missing or not words:
        print(f"the search does not find: {', '.join(missing) or 'no words to look for'}")
        return 1
    # A browser leaves out words such as "it".
    left_out = SearchEnglish({}).stopwords
    for question, page in FOUND.items():
        asked = " ".join(word for word in question.split() if word not in left_out)
        if page not in pages_with(index, asked, SearchEnglish({}).stem):
            print(f"the search does not find {page}.md for {question!r}")
            return 1
    order = Path(__file__).parent.parent / "docs" / "_static" / "search_order.js"
    others = other_words(order.read_text("utf-8"))
    unknown = [word for word in others if not pages_with(index, word, SearchEnglish({}).stem)]
    if unknown or not others:
        print(f"search_order.js has words that no page has: {', '.join(unknown) or 'none at all'}")
        return 1
    lost = [each for each in answers(order.read_text("utf-8")) if each not in index["docnames"]]
    lost += missing_pictures(site)
    if lost:
        print(f"there are no such pages or pictures: {', '.join(lost)}")
        return 1
    print(f"the search finds {len(words)} words of {COOKBOOK.name}/index.md, without a server")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
