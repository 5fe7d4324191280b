"""Names of groups: https://tc39.es/ecma262/#sec-names-and-keywords"""

from __future__ import annotations

from unicodedata import category

# PropList.txt: Other_ID_Start and Other_ID_Continue; and what is a letter in its category, but Pattern_Syntax.
ID_START = frozenset("\u1885\u1886\u2118\u212e\u309b\u309c")
ID_CONTINUE = frozenset(
    "\xb7\u0387\u1369\u136a\u136b\u136c\u136d\u136e\u136f\u1370\u1371\u19da\u200c\u200d\u30fb\uff65"
)
NOT_ID = frozenset("\u2e2f")
# Code points of a name that a message shows.
SHOWN = 40


def starts_name(character: str) -> bool:
    """Whether a name can begin with a character."""
    if character.isascii():
        return character.isalpha() or character in "$_"
    kind = category(character)
    return (kind[0] == "L" or kind == "Nl" or character in ID_START) and character not in NOT_ID


def continues_name(character: str) -> bool:
    """Whether a name can go on with a character: https://urlpattern.spec.whatwg.org/#is-a-valid-name-code-point"""
    if starts_name(character):
        return True
    return category(character) in ("Mn", "Mc", "Nd", "Pc") or character in ID_CONTINUE


def shown_name(name: str) -> str:
    """A name in quotes, of a long one the start."""
    return repr(name if len(name) <= SHOWN else f"{name[:SHOWN]}…")
