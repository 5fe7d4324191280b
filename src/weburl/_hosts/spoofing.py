"""What in a domain may deceive: https://url.spec.whatwg.org/#url-rendering-i18n and UTS #39"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from weburl._hosts.arguments import host_of
from weburl._unicode import confusables
from weburl._unicode.confusables import ANY, digit_of, prototype_of, scripts_of
from weburl._unicode.deceptive import DELIMITERS, is_deceptive

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from weburl._hosts.host import Host
    from weburl.url import URL

# The blocks of the right-to-left characters, including those for characters of later Unicode versions.
RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")

Kind = Literal["mixed-script", "ascii-lookalike", "mixed-digits", "confusable-digits", "deceptive-character"]


@dataclass(frozen=True, slots=True)
class SpoofingRisk:
    """A label of a domain, in Unicode, that may be taken for something else.

    `kind` is 'mixed-script', 'ascii-lookalike', 'mixed-digits', 'confusable-digits' or 'deceptive-character'. `detail`
    names the scripts or characters, `source` the data that says so.
    """

    kind: Kind
    label: str
    detail: str

    @property
    def source(self) -> str:
        """The data that this comes from, with its version."""
        return confusables.SOURCE


SpoofingRisk.__module__ = "weburl.display"


def spoofing_risks(host: str | Host | URL | IPv4Address | IPv6Address) -> tuple[SpoofingRisk, ...]:
    """What in a host may deceive, label by label. A domain of plain ASCII has no risks, nor has an IP address.

    A str is parsed as a host; InvalidURL is raised if it is not one. For the text of a URL write
    `spoofing_risks(URL(text))`. A label that is listed need not be malicious, and one that is not listed need not be
    harmless: weburl does not know the names that somebody may imitate.
    """
    parsed = host_of(host, "spoofing_risks(URL(url))")
    if parsed is None or parsed.host_type != "domain" or "xn--" not in str(parsed):
        return ()
    labels = dict.fromkeys(parsed.unicode.split("."))
    return tuple([risk for label in labels if not label.isascii() for risk in _label_risks(label)])


def _label_risks(label: str) -> Iterator[SpoofingRisk]:
    characters = sorted(set(label))
    scripts = _mixed_scripts(characters)
    if scripts:
        yield SpoofingRisk("mixed-script", label, f"mixes {', '.join(scripts)}")
    lookalike = ascii_lookalike(label)
    if lookalike is not None:
        yield SpoofingRisk("ascii-lookalike", label, f"looks like {lookalike}")
    digits = {character: digit for character in characters if (digit := digit_of(character))}
    zeros = sorted({zero for zero, _ in digits.values()})
    if len(zeros) > 1:
        yield SpoofingRisk("mixed-digits", label, f"has digits of the systems with the zeros {_code_points(zeros)}")
    confusable = [
        f"{_code_points([character])} is a {value} and looks like {prototype}"
        for character, (_, value) in digits.items()
        if (prototype := prototype_of(character)) and LIKE_DIGITS.get(prototype, prototype) != str(value)
    ]
    if confusable:
        yield SpoofingRisk("confusable-digits", label, ", ".join(confusable))
    deceptive = deceptive_characters(label)
    if deceptive:
        yield SpoofingRisk("deceptive-character", label, f"has {_code_points(deceptive)}")


def _code_points(characters: list[str]) -> str:
    return ", ".join([f"U+{ord(character):04X}" for character in characters])


# The letters that ASCII digits look like, by confusables.txt.
LIKE_DIGITS: Final = {"O": "0", "o": "0", "l": "1"}

# https://www.unicode.org/reports/tr39/#Mixed_Script_Detection
AUGMENTED: Final = {
    "Han": frozenset(("Hanb", "Jpan", "Kore")),
    "Hiragana": frozenset(("Jpan",)),
    "Katakana": frozenset(("Jpan",)),
    "Hangul": frozenset(("Kore",)),
    "Bopomofo": frozenset(("Hanb",)),
}


def _augmented(character: str) -> frozenset[str]:
    scripts = scripts_of(character)
    return scripts.union(*(AUGMENTED.get(script, ()) for script in scripts))


# https://www.unicode.org/reports/tr39/#Restriction_Level_Detection
def _mixed_scripts(characters: list[str]) -> list[str]:
    """The scripts, if there are several and they are not those of Chinese, Japanese or Korean with Latin."""
    augmented = {scripts: _augmented(c) for c in characters if ANY.isdisjoint(scripts := scripts_of(c))}
    sets = set(augmented)
    beside_latin = [augmented[scripts] for scripts in sets if "Latin" not in scripts]
    if not sets or frozenset.intersection(*augmented.values()):
        return []
    if frozenset(("Hanb", "Jpan", "Kore")).intersection(*beside_latin):
        return []
    single = {script for scripts in sets if len(scripts) == 1 for script in scripts}
    return sorted({*single, *("/".join(sorted(scripts)) for scripts in sets if single.isdisjoint(scripts))})


# https://www.unicode.org/reports/tr39/#Confusable_Detection
def ascii_lookalike(label: str) -> str | None:
    """The ASCII text that a label with other characters looks like.

    ASCII characters in it stay as they are: `m` does not become `rn`. No valid character that has a decomposition looks
    like ASCII, and only the joiners are ignorable, so there is nothing to normalize.
    """
    text = label.translate(JOINERS)
    prototypes = {ord(c): prototype_of(c) for c in set(text) if not c.isascii()}
    if None in prototypes.values():
        return None
    if RIGHT_TO_LEFT.search(text):
        text = "".join(reversed(re.findall(r"\d+|\D", text)))
    return text.translate(prototypes).lower()


JOINERS: Final = {0x200C: None, 0x200D: None}


def deceptive_characters(label: str) -> list[str]:
    """Characters that are deceptive anywhere, and look-alikes of delimiters where they, or the label, read as ASCII."""
    characters = {character for character in label if not character.isascii()}
    like_delimiters = {c for c in characters if not DELIMITERS.isdisjoint(prototype_of(c) or "")}
    deceptive = set(filter(is_deceptive, characters))
    if like_delimiters and ascii_lookalike(label) is not None:
        deceptive |= like_delimiters
    elif like_delimiters - deceptive:
        deceptive |= _out_of_place(label, like_delimiters)
    return sorted(deceptive)


# Katakana no is a letter in Japanese; after google.com it looks like a solidus, whatever else is in the label.
def _out_of_place(label: str, like_delimiters: set[str]) -> set[str]:
    """Look-alikes of delimiters without a letter or digit of their script before them (at the start: after them)."""
    characters = set()
    letters = [character for character in label if unicodedata.category(character)[0] in "LN"]
    beside = next((letter for letter in letters if letter not in like_delimiters), None)
    for character in label:
        if character in like_delimiters and (
            beside is None or _augmented(character).isdisjoint(_augmented(beside) - NOT_A_PLACE)
        ):
            characters.add(character)
        if unicodedata.category(character)[0] in "LN":
            beside = character
    return characters


# In Latin, none of these look-alikes has its place.
NOT_A_PLACE: Final = ANY | {"Latin"}
