"""What in a domain may deceive: https://url.spec.whatwg.org/#url-rendering-i18n, UTS #39, and Chromium's policy

A label that has a risk is shown in ASCII. docs/display.md says what there is of the policy, and what not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from weburl._hosts.arguments import host_of
from weburl._unicode import confusables, identifiers
from weburl._unicode.confusables import ANY, digit_of, prototype_of, scripts_of
from weburl._unicode.deceptive import DELIMITERS, is_deceptive
from weburl._unicode.identifiers import AT_HOME, COUNTRIES, lookalikes, may_be_shown

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from weburl._host import Host
    from weburl.url import URL, FrozenURL

# The blocks of the right-to-left characters, including those for characters of later Unicode versions.
RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")

Kind = Literal[
    "mixed-script",
    "ascii-lookalike",
    "mixed-digits",
    "confusable-digits",
    "deceptive-character",
    "restricted-character",
    "misplaced-character",
]


@dataclass(frozen=True, slots=True)
class SpoofingRisk:
    """A label of a domain, in Unicode, that people may take for something else.

    >>> [risk] = spoofing_risks("\\u0430\\u0440\\u0440\\u04cf\\u0435.com")  # all letters are Cyrillic
    >>> risk.kind, risk.detail
    ('ascii-lookalike', 'looks like apple')

    `label` is the label. `kind` is 'mixed-script', 'ascii-lookalike', 'mixed-digits', 'confusable-digits',
    'deceptive-character', 'restricted-character' or 'misplaced-character'. `detail` names the scripts or characters,
    `source` the data that says so.
    """

    kind: Kind
    label: str
    detail: str

    @property
    def source(self) -> str:
        """The data that says so, with its version.

        >>> [risk] = spoofing_risks("\\u0430\\u0440\\u0440\\u04cf\\u0435.com")
        >>> print(risk.source)
        Unicode 18.0.0: confusables.txt (UTS #39), Scripts.txt, ScriptExtensions.txt, UnicodeData.txt
        """
        return identifiers.SOURCE if self.kind == "restricted-character" else confusables.SOURCE


# help() shows these.
SpoofingRisk.__slots__ = {  # type: ignore[assignment]
    "kind": "Which risk it is, such as 'ascii-lookalike'.",
    "label": "The label, in Unicode.",
    "detail": "The scripts or characters that make the risk, in a few words.",
}


SpoofingRisk.__module__ = "weburl.display"


def spoofing_risks(host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address) -> tuple[SpoofingRisk, ...]:
    """The labels of a host that people may take for something else, and why.

    >>> from weburl.display import spoofing_risks
    >>> [(risk.kind, risk.label) for risk in spoofing_risks("www.b\u00fccher.\u0430\u0440\u0440\u04cf\u0435.com")]
    [('ascii-lookalike', '\u0430\u0440\u0440\u04cf\u0435')]

    A domain in plain ASCII has no risks, and neither has an IP address.

    `display_host` and `display_url` show a label in Unicode if it has no risk. A str is parsed as a host; InvalidURL is
    raised if it is not one. If you have the text of a URL, write `spoofing_risks(URL(text))`.

    A listed label may be harmless, and a label that is not listed may be malicious: weburl does not know the names that
    somebody may imitate.
    """
    parsed = host_of(host, "spoofing_risks(URL(url))")
    if parsed is None or parsed.host_type != "domain" or "xn--" not in str(parsed):
        return ()
    labels = parsed.unicode.split(".")
    last = top_level(labels)
    return tuple([risk for label in dict.fromkeys(labels) for risk in label_risks(label, last)])


def top_level(labels: list[str]) -> str:
    """The last label, without the root's; empty if there is no other."""
    named = labels[:-1] if labels[-1] == "" else labels
    return named[-1] if len(named) > 1 else ""


def label_risks(label: str, top_level: str) -> Iterator[SpoofingRisk]:
    """The one rule for what is shown: a label with a risk stays in ASCII."""
    if label.isascii():
        return
    characters = sorted(set(label))
    scripts = _mixed_scripts(characters)
    if scripts:
        yield SpoofingRisk("mixed-script", label, f"mixes {', '.join(scripts)}")
    lookalike = ascii_lookalike(label)
    if (lookalike is not None or _has_only_lookalikes(label)) and not _is_at_home(characters, top_level):
        looks_like = "Latin letters or digits" if lookalike is None else lookalike
        yield SpoofingRisk("ascii-lookalike", label, f"looks like {looks_like}")
    digits = {character: digit for character in characters if (digit := digit_of(character))}
    zeros = sorted({zero for zero, _ in digits.values()})
    if len(zeros) > 1:
        yield SpoofingRisk("mixed-digits", label, f"has digits of the systems with the zeros {_code_points(zeros)}")
    # Beside letters of their own script, they are read as the digits that they are.
    read_as_digits = set().union(*[scripts_of(c) for c in characters if unicodedata.category(c)[0] == "L"])
    confusable = [
        f"{_code_points([character])} is a {value} and looks like {prototype}"
        for character, (_, value) in digits.items()
        if (prototype := prototype_of(character)) and LIKE_DIGITS.get(prototype, prototype) != str(value)
        if scripts_of(character).isdisjoint(read_as_digits)
    ]
    if confusable:
        yield SpoofingRisk("confusable-digits", label, ", ".join(confusable))
    for kind, found in (
        ("deceptive-character", deceptive_characters(label)),
        ("restricted-character", _restricted_characters(label, characters, top_level)),
        ("misplaced-character", _misplaced_characters(label, top_level)),
    ):
        if found:
            yield SpoofingRisk(kind, label, f"has {_code_points(found)}")  # type: ignore[arg-type]


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
    """The scripts, if there are several and they are not those of Chinese, Japanese or Korean with a to z."""
    augmented = {scripts: _augmented(c) for c in characters if ANY.isdisjoint(scripts := scripts_of(c))}
    sets = set(augmented)
    beside_latin = [augmented[scripts] for scripts in sets if "Latin" not in scripts]
    if not sets or frozenset.intersection(*augmented.values()):
        return []
    letters_are_ascii = all(c.isascii() or scripts_of(c) != {"Latin"} for c in characters)
    if letters_are_ascii and frozenset(("Hanb", "Jpan", "Kore")).intersection(*beside_latin):
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
    if not LIGATURES.isdisjoint(text):
        return None
    prototypes = {ord(c): prototype_of(c) for c in set(text) if not c.isascii()}
    if None in prototypes.values():
        return None
    if RIGHT_TO_LEFT.search(text):
        text = "".join(reversed(re.findall(r"\d+|\D", text)))
    return text.translate(prototypes).lower()


# A reader tells them from the two letters that confusables.txt has for them.
LIGATURES: Final = frozenset("\u00e6\u0153")
# Letters that people know from the letters they look like, and where: as AT_HOME, and the i without a dot.
OWN_LETTERS: Final = {**AT_HOME, "\u0131": ("tr", "az")}


def _has_only_lookalikes(label: str) -> bool:
    """Whether all characters are ASCII or look like it, by confusables.txt or as measured."""
    return LIGATURES.isdisjoint(label) and all(
        c.isascii() or c in lookalikes() or prototype_of(c) for c in label.translate(JOINERS)
    )


def _is_at_home(characters: list[str], top_level: str) -> bool:
    """Whether a top-level domain has the script of a label's letters, or is of a country that writes them."""
    if all(c.isascii() or top_level in OWN_LETTERS.get(c, ()) for c in characters):
        return True
    letters = [c for c in characters if unicodedata.category(c)[0] == "L" and c not in identifiers.LIKE_DIGITS]
    scripts = set().union(*map(scripts_of, letters)) - ANY - {"Latin"}
    if COUNTRIES.get(top_level) in scripts:
        return True
    return any(not c.isascii() and not scripts.isdisjoint(scripts_of(c)) for c in top_level)


def _restricted_characters(label: str, characters: list[str], top_level: str) -> list[str]:
    """Characters that are not for identifiers, or only under the top-level domains of their languages."""
    return [
        c
        for c in characters
        if not c.isascii()
        and (not may_be_shown(c) or (c in AT_HOME and len(label) > 1 and top_level not in AT_HOME[c]))
    ]


# Some letters of these look like punctuation or Latin letters where they are beside others.
EAST_ASIAN: Final = frozenset(("Han", "Bopomofo", "Hiragana", "Katakana"))
MARKED: Final = frozenset(("Latin", "Greek", "Cyrillic"))
KANA: Final = frozenset(("Hiragana", "Katakana"))
# The letters he, be and pe of Hiragana, and those of Katakana, are the same to the eye.
HE: Final = {**dict.fromkeys("\u3078\u3079\u307a", "Katakana"), **dict.fromkeys("\u30d8\u30d9\u30da", "Hiragana")}


def _misplaced_characters(label: str, top_level: str) -> list[str]:
    """Characters that cannot be seen, or look like others, beside those that they are beside in this label."""
    found = {c for c in (label[0], label[-1]) if c == "-"}
    has_latin = any(c.isascii() and c.isalpha() for c in label)
    for before, c, after in zip(("", *label), label, (*label[1:], ""), strict=False):
        if _is_misplaced(before, c, after, top_level):
            found.add(c)
        elif has_latin and (c in identifiers.STROKES or c in identifiers.BETWEEN):
            outside = [beside != "" and EAST_ASIAN.isdisjoint(scripts_of(beside)) for beside in (before, after)]
            if all(outside) or (c in identifiers.STROKES and any(outside)):
                found.add(c)
    marks: set[str] = set()
    for c in unicodedata.normalize("NFD", label):
        # The same mark twice on a letter looks like one.
        if unicodedata.category(c) != "Mn":
            marks = set()
        elif c in marks:
            found.add(c)
        else:
            marks.add(c)
    for script in KANA:
        foreign = {c for c in label[1:-1] if HE.get(c) == script}
        if foreign and all(script in scripts_of(c) for c in {*label} - foreign | {label[0], label[-1]}):
            found |= foreign
    return sorted(found)


def _is_misplaced(before: str, c: str, after: str, top_level: str) -> bool:
    def has(character: str, scripts: frozenset[str]) -> bool:
        return character != "" and not scripts.isdisjoint(scripts_of(character))

    if c.isascii():
        return False
    if "\u0300" <= c <= "\u0339":
        return not has(before, MARKED) or before == "\u0131" or (c == "\u0307" and before in "ijl")
    if c in ("\u3099", "\u309a"):
        return True
    if c == "\u30fc":
        return not has(before, KANA)
    if c in "\u30fd\u30fe":
        return not has(before, frozenset(("Katakana",)))
    if c == "\u30fb":
        return "a" <= before <= "z" or "a" <= after <= "z"
    if c == "\u00b7":
        return not (top_level == "cat" and before == after == "l")
    return False


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
