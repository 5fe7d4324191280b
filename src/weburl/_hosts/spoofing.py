"""What in a domain may deceive: https://url.spec.whatwg.org/#url-rendering-i18n and UTS #39"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from weburl._unicode import confusables
from weburl._unicode.confusables import ANY, digit_of, prototype_of, scripts_of

if TYPE_CHECKING:
    from weburl.hosts import Host
    from weburl.url import URL

# The blocks of the right-to-left characters, those of Unicode versions to come too.
RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")

Kind = Literal["mixed-script", "ascii-lookalike", "mixed-digits", "confusable-digits", "deceptive-character"]


@dataclass(frozen=True, slots=True)
class SpoofingRisk:
    """A label of a domain, in Unicode, that may be taken for something else.

    `kind` is 'mixed-script', 'ascii-lookalike', 'mixed-digits', 'confusable-digits' or 'deceptive-character', `detail`
    says what of that kind is there, `source` whose data says so.
    """

    kind: Kind
    label: str
    detail: str

    @property
    def source(self) -> str:
        """The data that this is from, with its version."""
        return confusables.SOURCE


def spoofing_risks(host: str | Host | URL) -> tuple[SpoofingRisk, ...]:
    """What in a host may deceive, label by label; nothing for what is not a domain, and for a domain of plain ASCII.

    A str is parsed as a host, and InvalidURL raised where it is none. A label that is mentioned need not be malicious,
    and one that is not need not be harmless: nothing is known here of the names that somebody may imitate.
    """
    from weburl.hosts import domain_of, domain_to_unicode

    domain = domain_of(host)
    if domain is None or "xn--" not in domain:
        return ()
    labels = dict.fromkeys(domain_to_unicode(domain).split("."))
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


# What confusables.txt has the ASCII digits look like.
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
    """The scripts, where they are more than one and not those of Chinese, Japanese or Korean with Latin."""
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
    """The ASCII that a label looks like which is not ASCII itself.

    The ASCII in it stays as it is, instead of `rn` for `m` and the like. No valid character that is decomposed looks
    like ASCII, and none is ignorable but the joiners, so there is nothing to normalize.
    """
    text = label.translate(JOINERS)
    prototypes = {ord(c): prototype_of(c) for c in set(text) if not c.isascii()}
    if None in prototypes.values():
        return None
    if RIGHT_TO_LEFT.search(text):
        text = "".join(reversed(re.findall(r"\d+|\D", text)))
    return text.translate(prototypes).lower()


JOINERS: Final = {0x200C: None, 0x200D: None}


# What would be read as a delimiter or an escape, or not be seen.
DELIMITERS: Final = frozenset("/\\?#%@:;&=+.")

# Blank, though they are letters, marks or symbols: what is default ignorable, and others.
BLANK: Final = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef"
)
# Locks, keys and shields: what a browser says of a connection.
LOCKS: Final = "\u26bf\u26e8\U0001f50f-\U0001f513\U0001f5dd\U0001f6e1"
# Besides those of confusables.txt: solidus overlays, per cent, per mille, question marks, full stop, sharp.
LOOKALIKES: Final = (
    "\u0337\u0338\u20e5\u20eb\u0609\u060a\u066a\u2030\u2031\u2052\u061f\u203d\u2e2e\u2753\u2754\u3002\u266f"
)
DECEPTIVE: Final = re.compile(f"[{BLANK}{LOCKS}{LOOKALIKES}]")


@lru_cache(maxsize=4096)
def is_deceptive(character: str) -> bool:
    """Whether a character is blank, a lock or, not being a letter, mark or digit, like a delimiter."""
    folded = unicodedata.normalize("NFKC", character)
    if DECEPTIVE.search(character + folded) or not DELIMITERS.isdisjoint(folded):
        return True
    prototype = prototype_of(character)
    return (
        prototype is not None
        and not DELIMITERS.isdisjoint(prototype)
        and unicodedata.category(character)[0] not in "LMN"
    )


def deceptive_characters(label: str) -> list[str]:
    """Those that are deceptive anywhere, and those like a delimiter where they, or the label, can be read as ASCII."""
    characters = {character for character in label if not character.isascii()}
    like_delimiters = {c for c in characters if not DELIMITERS.isdisjoint(prototype_of(c) or "")}
    deceptive = set(filter(is_deceptive, characters))
    if like_delimiters and ascii_lookalike(label) is not None:
        deceptive |= like_delimiters
    elif like_delimiters - deceptive:
        deceptive |= _out_of_place(label, like_delimiters)
    return sorted(deceptive)


# Katakana no is a letter in Japanese; after google.com it is a solidus, whatever else is in the label.
def _out_of_place(label: str, like_delimiters: set[str]) -> set[str]:
    """Those that follow no letter or digit of their script, or begin the label and precede none."""
    found = set()
    letters = [character for character in label if unicodedata.category(character)[0] in "LN"]
    beside = next((letter for letter in letters if letter not in like_delimiters), None)
    for character in label:
        if character in like_delimiters and (
            beside is None or _augmented(character).isdisjoint(_augmented(beside) - NOT_A_PLACE)
        ):
            found.add(character)
        if unicodedata.category(character)[0] in "LN":
            beside = character
    return found


# In Latin, all are.
NOT_A_PLACE: Final = ANY | {"Latin"}
