"""The table of docs/libraries.md and README.md is what the installed libraries say."""

from __future__ import annotations

from dataclasses import replace

import libraries_page
import pytest
from libraries_page import Library, absent


@pytest.fixture(scope="module")
def known() -> dict[str, Library]:
    return {library.name: library for library in libraries_page.libraries()}


def test_the_pages_are_up_to_date() -> None:
    assert libraries_page.main(["--check"]) == 0, "run tools/libraries_page.py"


def test_ten_and_weburl(known: dict[str, Library]) -> None:
    assert len(known) == 11
    assert len(libraries_page.ASKED) + 2 == len(libraries_page.COLUMNS)


def test_what_is_there_is_not_called_absent(known: dict[str, Library]) -> None:
    """Each rule for names finds what it looks for in a library that has it."""
    for name, features in {
        "weburl": ["join", "changes", "suffix", "pattern", "bulk"],
        "upa_url": ["suffix", "pattern"],
        "yarl": ["join", "changes"],
        "urllib.parse": ["join"],
        "w3lib": ["changes"],
        "url_py": ["join", "changes"],
    }.items():
        for feature in features:
            with pytest.raises(AssertionError, match="may have"):
                absent(known[name], feature)


def test_a_wrong_cell_is_noticed(known: dict[str, Library]) -> None:
    wrong = replace(known["weburl"], suffix=lambda host: "uk", join=lambda base, url: base, columns=lambda urls: [])
    for ask in (libraries_page.suffixes, libraries_page.relative, libraries_page.columns):
        assert ask(known["weburl"]) == "yes"
        with pytest.raises(AssertionError, match="something else"):
            ask(wrong)
    refusing = replace(known["weburl"], href=lambda url: "http://h/")
    passed, asked = libraries_page.wpt(refusing)
    assert passed < asked / 2
    assert libraries_page.wpt(known["weburl"]) == (asked, asked)
