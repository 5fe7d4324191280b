"""Where an oracle is known to differ from the standard: in which cases, and what it shows instead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tiers.oracles.observe import FIELDS, Case, Shown, Step, line

from weburl import URL, URLSearchParams
from weburl._unicode.idna import Failure, to_ascii, to_unicode
from weburl._unicode.idna_tables import PROPERTIES
from weburl.percent import percent_decode_text

ORIGIN, HOSTNAME = FIELDS.index("origin"), FIELDS.index("hostname")


class Difference(NamedTuple):
    """The first place of a case where an oracle shows something else.

    `step` is the step just made, None for the parsing, and `before` is what was shown before it.
    """

    case: Case
    step: Step | None
    before: Shown
    ours: Shown
    theirs: Shown

    @property
    def is_of_origin(self) -> bool:
        """Whether only the origins differ: of one that is opaque, its URL was refused."""
        shown = [self.ours, self.theirs]
        return len({line([one and [*one[:ORIGIN], *one[ORIGIN + 1 :]]]) for one in shown}) == 1

    @property
    def is_refused_by_us(self) -> bool:
        return self.is_refused(self.ours)

    @property
    def is_refused_by_them(self) -> bool:
        return self.is_refused(self.theirs)

    def is_refused(self, shown: Shown) -> bool:
        return shown is None or shown == self.before or (self.is_of_origin and shown[ORIGIN] == "null")

    @property
    def hostname(self) -> str:
        """The results of those who do not refuse the URL."""
        shown = self.theirs if self.is_refused_by_us else self.ours
        if shown is None:
            return ""
        return re.sub(r"^\w+://|:\d+$", "", shown[ORIGIN]) if self.is_of_origin else shown[HOSTNAME]

    @property
    def text(self) -> str:
        """That which gave the host, as it is and decoded, and what the host decodes to."""
        text = f"{self.case[0]} {self.case[1]}" if self.step is None else self.step[-1]
        text = re.sub("[\t\n\r]", "", text)
        return text + percent_decode_text(text) + to_unicode(self.hostname).domain


class Lag(NamedTuple):
    """`explains` says whether what the oracle shows is what the lag makes of the case.

    `standard` is what the example has to show at its end, `lagging` what the oracle shows. A lag that is rare may
    excuse nothing, but its example shows whether it is still there.
    """

    oracle: str
    reason: str
    anchor: str
    explains: Callable[[Difference], bool]
    example: Case
    standard: Shown
    lagging: Shown
    is_rare: bool = False


def http(host: str) -> Shown:
    return [f"http://{host}/", f"http://{host}", "http:", "", "", host, host, "", "/", "", ""]


# https://url.spec.whatwg.org/#dom-url-search as it was before October 2026: the search params are those of the value.
def with_pairs_of_value(shown: list[str], value: str) -> list[str]:
    return shown[: len(FIELDS)] + [text for pair in URLSearchParams(value) for text in pair]


def is_of_value(difference: Difference) -> bool:
    _, step, _, ours, theirs = difference
    if step is None or step[0] != "search" or ours is None or re.search("[\t\n\r]", step[1]) is None:
        return False
    return theirs == with_pairs_of_value(ours, step[1])


# https://url.spec.whatwg.org/#file-state
def is_opaque_drive(difference: Difference) -> bool:
    text, base, steps = difference.case
    text = re.sub("[\t\n\r]", "", text).strip("".join(map(chr, range(0x21))))
    base_url = None if base is None else URL.parse(base)
    return (
        base_url is not None
        and base_url.protocol == "file:"
        and re.match(r"(file:)?[a-z][:|]([/\\?#]|$)", text, re.IGNORECASE) is not None
        and difference.step is not None
        and difference.step[0] in ("host", "hostname", "port", "pathname")
        and not any(step[0] == "href" and URL.can_parse(step[1]) for step in steps[: steps.index(difference.step)])
        and difference.theirs == difference.before
    )


def failures(difference: Difference) -> tuple[Failure, ...]:
    """The rules of ToASCII that a host breaks which only the oracle takes."""
    if not difference.is_refused_by_us or difference.is_refused_by_them:
        return ()
    return to_ascii(difference.hostname, strict=False).failures


def is_bidi_by_label(failure: Failure) -> bool:
    is_right_to_left = any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in failure.label)
    return failure.rule.startswith("B") and not is_right_to_left


def is_after_a_joiner(failure: Failure) -> bool:
    return failure.rule[0] in "BC" and ("\u200c" in failure.label or "\u200d" in failure.label)


def is_delimiter_first(failure: Failure) -> bool:
    """RFC 3492, section 6.2: a delimiter at the start is neither a delimiter nor a digit."""
    return failure.rule == "P4" and failure.label.startswith("xn---")


def is_not_composed(failure: Failure) -> bool:
    return failure.rule == "V1"


def is_taken_for(reason: Callable[[Failure], bool]) -> Callable[[Difference], bool]:
    """Whether only the oracle takes a host, for this reason, with no other reason that is not known."""
    known = (is_bidi_by_label, is_after_a_joiner, is_delimiter_first, is_not_composed)

    def explains(difference: Difference) -> bool:
        found = failures(difference)
        return any(map(reason, found)) and all(any(one(failure) for one in known) for failure in found)

    return explains


def is_of_old_tables(difference: Difference) -> bool:
    if difference.is_refused_by_us == difference.is_refused_by_them:
        return False
    return any(ord(c) in OLD for c in difference.text + "".join(label for _, label in failures(difference)))


def domains(difference: Difference) -> tuple[str, str]:
    """Ours and theirs, decoded, if only the host differs; else two that are empty."""
    ours, theirs = difference.ours, difference.theirs
    if ours is None or theirs is None or not ours[HOSTNAME] or not theirs[HOSTNAME]:
        return "", ""
    if [text.replace(theirs[HOSTNAME], ours[HOSTNAME]) for text in theirs] != ours:
        return "", ""
    return to_unicode(ours[HOSTNAME]).domain, to_unicode(theirs[HOSTNAME]).domain


def is_composed_otherwise(difference: Difference) -> bool:
    ours, theirs = domains(difference)
    return ours != "" and unicodedata.normalize("NFC", theirs) == ours


def is_in_another_order(difference: Difference) -> bool:
    """A mark is in order, or a label refused for its order, where the oracle does not know the mark."""
    if not RECENT_MARKS.intersection(map(ord, difference.text)):
        return False
    ours, theirs = (sorted(unicodedata.normalize("NFD", domain)) for domain in domains(difference))
    found = failures(difference)
    return ours == theirs != [] or (found != () and all(map(is_not_composed, found)))


# https://url.spec.whatwg.org/#concept-host-parser: once all is decoded, a U+0338 is one with the < or > before it.
def is_forbidden_before_decoding(difference: Difference) -> bool:
    return (
        difference.is_refused_by_them
        and not difference.is_refused_by_us
        and re.search("[<>]%", difference.text) is not None
        and re.search("[≮≯]", to_unicode(difference.hostname).domain) is not None
    )


def read_ranges(text: str) -> Iterator[int]:
    for first, _, last in (part.partition("-") for part in text.split()):
        yield from range(int(first, 16), int(last or first, 16) + 1)


# What is another thing in ada's tables than in Unicode 18: a code point that is not allowed, a mark, right-to-left.
OLD = frozenset(
    read_ranges("""
    0558 058B-058C 05C8-05C9 061D 0870-088F 0897-089F 08B5 08C8-08D2 0B53-0B54 0C3C 0CF3 0ECE 1715 1734 1AC1-1AF0
    1B3A 1B3C 1B42 1DFA 208F 209D-209F 20C2-20C4 2E60-2E63 A7DD A7E2 AB6C-AB6D FBC2 107BB-107BF 10940-10959
    10D40-10D65 10D69-10D6D 10D6F-10D85 10D8E-10D8F 10EC2-10EC7 10EC9-10ECF 10ED9-10EEE 10EF0-10EFF 10F70-10F89
    11070 11073-11074 110C2 11241 113B8-113C0 113C2 113C5 113C7-113CA 113CC-113D0 113D2 113E1-113E2 1171E 11B0A
    11B60-11B67 11DF0-11DF1 11F00-11F01 11F03 11F34-11F3A 11F3E-11F42 11F5A 1246F 12475-1247F 12550-12686 13440
    13447-13455 1611E-1612F 18CD6-18CDA 18D1F-18D20 18E00-19191 191A0-191D2 1B123-1B128 1B168 1CED2-1CED4
    1CEDD-1CEDF 1CEF1-1CEFD 1CF00-1CF2D 1CF30-1CF46 1D127-1D128 1D1EB-1D1FF 1D250-1D281 1D6A6 1DB00-1DB1C
    1DF1F-1DF24 1DF2B-1DF81 1DF90-1DF96 1DFCD-1DFFF 1E08F 1E2AE 1E4EC-1E4EF 1E5EE-1E5EF 1E6E3 1E6E6 1E6EE-1E6EF
    1E6F5 1F1AE 1F6D9 1F7DA-1F7DB 1F7F1-1F7FF 1FA8B-1FA8D 1FACC 1FADD 1FAEB 1FAF9-1FAFA 2B81E 3D000-3FC3F
""")
)
# Marks that are put in order, and are not in Unicode 14.
RECENT_MARKS = frozenset(
    code for first, last, _, combining_class in PROPERTIES if combining_class for code in range(first, last + 1)
)

LAGS: tuple[Lag, ...] = (
    *[
        Lag(
            oracle,
            "search params with the tabs and newlines that `search` is assigned",
            "dom-url-search",
            is_of_value,
            ("http://h/", None, [("search", "a\tb")]),
            ["http://h/?ab", "http://h", "http:", "", "", "h", "h", "", "/", "?ab", "", "ab", ""],
            ["http://h/?ab", "http://h", "http:", "", "", "h", "h", "", "/", "?ab", "", "a\tb", ""],
        )
        for oracle in ("ada-url", "chromium")
    ],
    Lag(
        "ada-url",
        "a drive relative to a file URL makes its path opaque",
        "file-state",
        is_opaque_drive,
        ("C|/a", "file:///", [("pathname", "/b")]),
        ["file:///b", "null", "file:", "", "", "", "", "", "/b", "", ""],
        ["file:///C:/a", "null", "file:", "", "", "", "", "", "/C:/a", "", ""],
    ),
    Lag(
        "ada-url",
        "the Bidi rule is asked only of labels with a right-to-left character",
        "concept-domain-to-ascii",
        is_taken_for(is_bidi_by_label),
        ("http://1.\u05d0/", None, []),
        None,
        http("1.xn--4db"),
    ),
    Lag(
        "ada-url",
        "a label is not checked after a joiner that is allowed",
        "concept-domain-to-ascii",
        is_taken_for(is_after_a_joiner),
        ("http://\u0915\u094d\u200da\u200d", None, []),
        None,
        http("xn--a-tud2o090gba"),
    ),
    Lag(
        "ada-url",
        "Unicode tables older than Unicode 18",
        "concept-domain-to-ascii",
        is_of_old_tables,
        ("http://\ua7dd/", None, []),
        http("xn--noa"),
        None,
    ),
    *[
        Lag(
            oracle,
            "marks newer than its Unicode tables are not put in order",
            "concept-domain-to-ascii",
            is_in_another_order,
            (f"http://{domain}/", None, []),
            http(standard),
            http(wrong),
            is_rare=True,
        )
        for oracle, domain, standard, wrong in (
            ("ada-url", "a\u1ae2\u094d", "xn--a-1xd716k", "xn--a-1xd616k"),
            ("whatwg-url", "a\U00010ecf\u0338", "xn--a-2eb3266r", "xn--a-2eb2266r"),
        )
    ],
    Lag(
        "ada-url",
        "a character with a mark is not composed again with a later mark that belongs before that one",
        "concept-domain-to-ascii",
        is_composed_otherwise,
        ("http://\u014d\u031b/", None, []),
        http("xn--jia42e"),
        http("xn--4fa83g"),
    ),
    Lag(
        "ada-url",
        "Punycode that starts with a delimiter is decoded",
        "concept-domain-to-ascii",
        is_taken_for(is_delimiter_first),
        ("http://xn---9a.\xe9/", None, []),
        None,
        http("xn---9a.xn--9ca"),
    ),
    Lag(
        "upa-url",
        "< and > are refused before something percent-encoded, also where a U+0338 makes something else of them",
        "concept-host-parser",
        is_forbidden_before_decoding,
        ("http://<%CC%B8/", None, []),
        http("xn--gdh"),
        None,
    ),
)
