"""The lists of redaction as literal rows: tests/data/redaction/names.tsv.

Tests and models take them from here: a list that they import from weburl changes together with what they test.
"""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "redaction" / "names.tsv"


def rows() -> dict[str, list[str]]:
    """The entries of each list, in their order."""
    found: dict[str, list[str]] = {}
    for line in DATA.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, entry, _ = line.split("\t")
            found.setdefault(name, []).append(entry)
    return found


def numbers(entries: list[str]) -> dict[str, int]:
    """Of entries such as `AKIA 16`."""
    pairs = (entry.split(" ") for entry in entries)
    return {text: int(number) for text, number in pairs}


ROWS = rows()

FIRM_NAMES = frozenset(ROWS["FIRM_NAMES"])
SECRET_NAMES = frozenset(ROWS["SECRET_NAMES"])
TOKEN_NAMES = frozenset(ROWS["TOKEN_NAMES"])
TOKEN_SEGMENTS = frozenset(ROWS["TOKEN_SEGMENTS"])
LINK_SEGMENTS = frozenset(ROWS["LINK_SEGMENTS"])
NUMBER_NAMES = frozenset(ROWS["NUMBER_NAMES"])
COUNT_NAMES = frozenset(ROWS["COUNT_NAMES"])
PLAIN_VALUES = frozenset(ROWS["PLAIN_VALUES"])
HIDDEN_WORDS = frozenset(ROWS["HIDDEN_WORDS"])
CLICK_NAMES = frozenset(ROWS["CLICK_NAMES"])
PLAIN_NAMES = frozenset(ROWS["PLAIN_NAMES"])
IDENTIFIER_NAMES = frozenset(ROWS["IDENTIFIER_NAMES"])
OTEL_NAMES = frozenset(ROWS["OTEL_NAMES"])
EXTENSIONS = frozenset(ROWS["EXTENSIONS"])
CAPITAL_PREFIXES = frozenset(ROWS["CAPITAL_PREFIXES"])
TOKEN_SCHEMES = frozenset(ROWS["TOKEN_SCHEMES"])
AUTHORIZATION_SCHEMES = frozenset(ROWS["AUTHORIZATION_SCHEMES"])
COOKIE_ATTRIBUTES = frozenset(ROWS["COOKIE_ATTRIBUTES"])
SECRET_FIELDS = tuple(ROWS["SECRET_FIELDS"])
FIELD_TAILS = tuple(ROWS["FIELD_TAILS"])
PLAIN_TOKENS = tuple(ROWS["PLAIN_TOKENS"])
PAGE_OWNERS = tuple(ROWS["PAGE_OWNERS"])
KEY_HEADERS = tuple(ROWS["KEY_HEADERS"])
KEY_PREFIXES = numbers(ROWS["KEY_PREFIXES"])
KEY_TAILS = numbers(ROWS["KEY_TAILS"])
IBAN_LENGTHS = numbers(ROWS["IBAN_LENGTHS"])
KEY_CHARACTERS: dict[str, tuple[str, ...]] = {}
for _entry in ROWS["KEY_CHARACTERS"]:
    _kind, _prefix = _entry.split(" ")
    KEY_CHARACTERS[_kind] = (*KEY_CHARACTERS.get(_kind, ()), _prefix)
# The first digits of cards, from and to, and how many digits these have.
CARD_RANGES: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
for _entry in ROWS["CARD_RANGES"]:
    _digits, _lengths = _entry.split(" ")
    _first, _last = map(int, _digits.split("-"))
    CARD_RANGES += ((_first, _last, tuple(map(int, _lengths.split(",")))),)
# A row for each letter, in their order.
LETTER_PAIRS = "".join(entry.split(" ")[1] for entry in ROWS["LETTER_PAIRS"])
