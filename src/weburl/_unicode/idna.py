"""Domains to ASCII and to Unicode: UTS #46 with the tables of the `idna` package, and the URL Standard's algorithms.

A `Failure` names its rule as IdnaTestV2.txt does, by section and number of UTS #46 revision 35:

    P4         Processing: a label that starts with xn-- is not Punycode, or decodes to ASCII
    V1         not in Normalization Form C
    V2 V3      (strict) hyphens third and fourth; a hyphen first or last
    V4         (not strict) xn-- again, after decoding
    V6         starts with a combining mark
    V7         a code point that is neither valid nor a deviation
    U1         (strict) an ASCII code point other than a-z, 0-9 and the hyphen
    C1 C2      ContextJ: zero width non-joiner, zero width joiner (RFC 5892, A.1 and A.2)
    B1 to B6   the Bidi rule (RFC 5893, section 2), where a right-to-left character is in the domain
    A4_1 A4_2  (strict) length of the domain, length of a label

V5 (a full stop in a label) and A3 (Punycode overflow) cannot occur here. The Bidi rule is not checked for a label that
fails V7. A label that fails P4 stays as it is in the result. A label that occurs more than once has its failures once.

`idna` is imported for the first character that needs it. A domain of ASCII without xn-- has no such character.
"""

from __future__ import annotations

import sys
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

import cython
from cython.cimports.libc.stdlib import free, malloc

from weburl._unicode.idna_tables import COMPOSITES, PROPERTIES


class Failure(NamedTuple):
    rule: str
    label: str


class Result(NamedTuple):
    domain: str
    failures: tuple[Failure, ...]


_ASCII: Final = frozenset(map(chr, range(0x80)))
_UNMAPPED: Final = _ASCII.difference("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_STD3: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")

# https://url.spec.whatwg.org/#forbidden-host-code-point
FORBIDDEN_HOST_CODE_POINTS: Final = frozenset("\0\t\n\r #/:<>?@[\\]^|")
# https://url.spec.whatwg.org/#forbidden-domain-code-point
FORBIDDEN_DOMAIN_CODE_POINTS: Final = FORBIDDEN_HOST_CODE_POINTS.union(map(chr, range(0x20)), "%\x7f")


# https://url.spec.whatwg.org/#concept-domain-to-ascii
def domain_parser(domain: str, strict: bool = False) -> str | None:
    if strict:
        result, failures = to_ascii(domain, strict=True)
        return None if failures else result
    if domain.isascii():
        labels = [domain.lower()]
    else:
        labels, _, broken = _process(domain, strict=False)
        if broken:
            return None
    # Encoding the labels adds no forbidden code point, so this comes first.
    if not FORBIDDEN_DOMAIN_CODE_POINTS.isdisjoint(chain.from_iterable(labels)):
        return None
    return ".".join(_encode_labels(labels)) or None


# https://url.spec.whatwg.org/#concept-domain-to-unicode
def domain_to_unicode(domain: str) -> str:
    result, failures = to_unicode(domain)
    return domain if failures else result


class _DomainCache(dict[str, str | None]):
    """Of whole domains, as the Bidi rule is not about one label.

    A full cache is emptied. So a hit is one look-up in a dict; a cache of the least recently used would need a lock.
    """

    entries: Final = 2048
    characters: Final = 255

    def __missing__(self, domain: str) -> str | None:
        result = domain_parser(domain)
        if len(domain) <= self.characters:
            if len(self) >= self.entries:
                self.clear()
            self[domain] = result
        return result


cached_domain_to_ascii: Final[Callable[[str], str | None]] = _DomainCache().__getitem__
"""The domain parser, not strict."""


# https://www.unicode.org/reports/tr46/#ToASCII
#
# A domain that is far too long to be strict is not encoded, and the lengths of its labels are not checked.
def to_ascii(domain: str, *, strict: bool) -> Result:
    labels, _, failures = _process(domain, strict)
    if strict and sum(map(len, labels)) > _TOO_LONG:
        # The ASCII form is at least as long.
        return Result("", (*failures, Failure("A4_1", domain)))
    encoded = _encode_labels(labels)
    result = ".".join(encoded)
    if strict:
        if not 1 <= len(result) - result.endswith(".") <= 253:
            failures.append(Failure("A4_1", result))
        lengths = dict(zip(labels, map(len, encoded), strict=True))
        failures += [Failure("A4_2", label) for label, length in lengths.items() if not 1 <= length <= 63]
    return Result(result, tuple(failures))


def _encode_labels(labels: list[str]) -> list[str]:
    encoded = {label: "xn--" + _punycode_encode(label) for label in set(labels) if not label.isascii()}
    return [encoded.get(label, label) for label in labels]


# https://www.unicode.org/reports/tr46/#ToUnicode
def to_unicode(domain: str) -> Result:
    labels, decoded, failures = _process(domain, strict=False)
    return Result(".".join([decoded.get(label) or label for label in labels]), tuple(failures))


# https://www.unicode.org/reports/tr46/#Processing
def _process(domain: str, strict: bool) -> tuple[list[str], dict[str, str | None], list[Failure]]:
    """The labels, mapped and normalized; those that start with xn--, decoded (None for P4); the failures.

    ToASCII keeps the labels that start with xn--, as decoding and encoding them gives the same.
    """
    profiles = _known_profiles()
    text, traits = _map_and_normalize(domain, profiles)
    labels = _split(text)
    decoded: dict[str, str | None] = {}
    if "xn--" in text:
        decoded = {label: _decode_label(label) for label in labels if label.startswith("xn--")}
        traits |= _traits(set().union(*filter(None, decoded.values())), profiles)
    failures: list[Failure] = []
    if decoded or strict or traits & _CHECKED:
        for label in dict.fromkeys(labels):
            unicode = decoded.get(label, label)
            if unicode is None:
                failures.append(Failure("P4", label))
            elif unicode:
                rules = _broken_rules(unicode, traits, profiles, strict, label in decoded)
                failures += [Failure(rule, unicode) for rule in rules]
    return labels, decoded, failures


def _split(text: str) -> list[str]:
    """The labels; equal ones of a long domain are one object."""
    if len(text) <= _PIECE:
        return text.split(".")
    labels: list[str] = []
    known: dict[str, str] = {}
    start = 0
    while start <= len(text):
        # Some labels at a time, or one that is longer.
        end = text.find(".", start + _PIECE)
        end = len(text) if end < 0 else end
        labels += [known.setdefault(label, label) for label in text[start:end].split(".")]
        start = end + 1
    return labels


def _decode_label(label: str) -> str | None:
    decoded = _punycode_decode(label[4:]) if label.isascii() else None
    return None if decoded is None or decoded.isascii() else decoded


# https://www.unicode.org/reports/tr46/#Validity_Criteria
def _broken_rules(label: str, traits: int, profiles: _Profiles, strict: bool, decoded: bool) -> Iterable[str]:
    """`traits` are those of the whole domain."""
    characters = set(label)
    if decoded and _nfc(label, traits, profiles) != label:
        yield "V1"
    if strict:
        if label[2:4] == "--":
            yield "V2"
        if label.startswith("-") or label.endswith("-"):
            yield "V3"
    elif label.startswith("xn--"):
        yield "V4"
    if traits & _MARK and label[0] not in _ASCII and profiles[label[0]].traits & _MARK:
        yield "V6"
    invalid = traits & _INVALID and _traits(characters, profiles) & _INVALID
    if invalid:
        yield "V7"
    if strict and not characters & _ASCII <= _STD3:
        yield "U1"
    if traits & _JOINER and not characters.isdisjoint(_JOINERS):
        yield from _broken_joiner_rules(label, characters, profiles)
    if traits & _RTL and not invalid:
        yield from _broken_bidi_rules(label, characters, profiles)


_DISALLOWED: Final = 1
_MAPPED: Final = 2  # or ignored: mapped to nothing
_MARK: Final = 4  # every character with a combining class, or whose decomposition starts with one, is a mark
_RECENT: Final = 8  # an older unicodedata may normalize it wrongly
_RTL: Final = 16
_JOINER: Final = 32
_VOWEL: Final = 64  # or final consonant of Hangul: composes with the character before it, and is not a mark
_PIECE: Final = 1024
_TOO_LONG: Final = 10_000
_INVALID: Final = _DISALLOWED | _MAPPED
_CHECKED: Final = _INVALID | _MARK | _RTL | _JOINER
# unicodedata.normalize cannot tell quickly whether a text with these is normalized.
_UNSURE: Final = _INVALID | _MARK | _VOWEL

_ZWNJ: Final = "\u200c"
_ZWJ: Final = "\u200d"
_JOINERS: Final = frozenset((_ZWNJ, _ZWJ))
_RECENT_CHARACTERS: Final = frozenset(chain(COMPOSITES.values(), *COMPOSITES)) - {"\u0307"}


class _Profile(NamedTuple):
    traits: int
    mapped: str
    combining_class: int
    bidi_group: str


# One letter for each group of Bidi classes that the rule treats the same; x for those that it never allows.
_BIDI_GROUPS: Final = dict.fromkeys(("ES", "CS", "ET", "ON", "BN"), "o") | {
    "L": "L",
    "R": "R",
    "AL": "R",
    "AN": "n",
    "EN": "e",
    "NSM": "m",
}


def _profile(character: str) -> _Profile:
    import idna

    try:
        mapped = idna.uts46_remap(character, std3_rules=False)
        traits = _MAPPED if mapped != character else 0
    except idna.IDNAError:
        mapped, traits = character, _DISALLOWED
    bidi_class, combining_class, is_mark, is_recent = _properties(character)
    if is_mark:
        traits |= _MARK
    if (is_recent and combining_class) or character in _RECENT_CHARACTERS:
        traits |= _RECENT
    bidi_group = _BIDI_GROUPS.get(bidi_class, "x")
    if bidi_group in "Rn" and not traits & _INVALID:
        traits |= _RTL
    if character in _JOINERS:
        traits |= _JOINER
    if "\u1161" <= character <= "\u11c2":
        traits |= _VOWEL
    return _Profile(traits, mapped, combining_class, bidi_group)


class _Profiles(dict[str, _Profile]):
    """Of every character seen so far. It is emptied only between two domains, so that a domain looks each up once."""

    characters: Final = 4096

    def __missing__(self, character: str) -> _Profile:
        profile = self[character] = _profile(character)
        return profile


_profiles = _Profiles()


def _known_profiles() -> _Profiles:
    global _profiles
    if len(_profiles) > _Profiles.characters:
        _profiles = _Profiles()
    return _profiles


def _traits(characters: set[str], profiles: _Profiles) -> int:
    traits = 0
    for character in characters - _ASCII:
        traits |= profiles[character].traits
    return traits


_PROPERTY_STARTS: Final = [first for first, *_ in PROPERTIES]


def _properties(character: str) -> tuple[str, int, bool, bool]:
    """Bidi class, combining class, whether the character is a mark, whether these are from our table.

    A character that is not in our table and that the interpreter does not know has the class L.
    """
    code_point = ord(character)
    row = bisect_right(_PROPERTY_STARTS, code_point) - 1
    if row >= 0:
        _, last, bidi_class, combining_class = PROPERTIES[row]
        if code_point <= last:
            return bidi_class, combining_class, bidi_class in ("NSM", "L"), True
    return (
        unicodedata.bidirectional(character) or "L",
        unicodedata.combining(character),
        unicodedata.category(character)[0] == "M",
        False,
    )


def _translated(text: str, table: dict[int, str]) -> str:
    """In pieces: str.translate() asks for more memory for each character that makes the text longer. With an allocator
    that copies the text each time, that takes quadratic time."""
    return "".join([text[i : i + _PIECE].translate(table) for i in range(0, len(text), _PIECE)])


def _map_and_normalize(domain: str, profiles: _Profiles) -> tuple[str, int]:
    if domain.isascii():
        return domain.lower(), 0
    traits = 0
    replacements: dict[int, str] = {}
    for character in set(domain) - _UNMAPPED:
        profile = profiles[character]
        traits |= profile.traits
        if profile.traits & _MAPPED:
            replacements[ord(character)] = profile.mapped
    if replacements:
        domain = _translated(domain, replacements)
        traits = _traits(set(domain), profiles)
    # A composed character has only traits of its parts, if these are valid, and is right-to-left exactly if they are.
    return _nfc(domain, traits, profiles), traits


_DECOMPOSITIONS: dict[str, str] = {}
for _pair, _composite in COMPOSITES.items():
    _DECOMPOSITIONS[_composite] = "".join([_DECOMPOSITIONS.get(part, part) for part in _pair])


def _nfc(text: str, traits: int, profiles: _Profiles) -> str:
    """NFC of Unicode 18, with every version of Python, in linear time.

    unicodedata.normalize() sorts a run of marks in quadratic time. It asks for more memory every few characters that
    make a text longer, which is quadratic with an allocator that copies the text each time. And it is of Unicode 14 on
    CPython 3.11: PROPERTIES has the combining classes since then, COMPOSITES the compositions.
    """
    if not traits & _RECENT and not (traits & _UNSURE and len(text) > 64):
        return unicodedata.normalize("NFC", text)
    characters = set(text) - _ASCII
    text = _translated(text, {ord(c): _DECOMPOSITIONS.get(c) or unicodedata.normalize("NFD", c) for c in characters})
    classes = {c: profiles[c].combining_class for c in set(text) - _ASCII if profiles[c].combining_class}
    ordered = _canonical_order(text, classes)
    return _compose(ordered, classes) if traits & _RECENT else unicodedata.normalize("NFC", ordered)


def _canonical_order(text: str, classes: dict[str, int]) -> str:
    ordered: list[str] = []
    marks: list[str] = []
    pieces: list[str] = []
    for character in map({c: c for c in set(text)}.__getitem__, text):
        if character in classes:
            marks.append(character)
        else:
            if marks:
                marks.sort(key=classes.__getitem__)
                ordered += marks
                marks.clear()
            if len(ordered) >= _PIECE:
                pieces.append("".join(ordered))
                ordered.clear()
            ordered.append(character)
    marks.sort(key=classes.__getitem__)
    return "".join(chain(pieces, ordered, marks))


def _compose(text: str, classes: dict[str, int]) -> str:
    composed: list[str] = []
    starter = -1  # its index
    last = 0  # the combining class of the last character after the starter; -1 if there is none
    composites: dict[str, str] = {}
    pieces: list[str] = []
    for character in map({c: c for c in set(text)}.__getitem__, text):
        combining_class = classes.get(character, 0)
        if starter >= 0 and last < combining_class:
            pair = composed[starter] + character
            composite = composites.get(pair)
            if composite is None:
                composite = composites[pair] = COMPOSITES.get(pair) or unicodedata.normalize("NFC", pair)
            if len(composite) == 1:
                composed[starter] = composite
                continue
        if combining_class:
            last = combining_class
        else:
            if len(composed) >= _PIECE:
                pieces.append("".join(composed))
                composed.clear()
            starter = len(composed)
            last = -1
        composed.append(character)
    return "".join(chain(pieces, composed))


def _broken_joiner_rules(label: str, characters: set[str], profiles: _Profiles) -> Iterable[str]:
    types = {character: _joining_type(character) for character in characters}
    viramas = {character for character in characters if profiles[character].combining_class == 9}
    non_joiner = joiner = False
    waiting = False  # for a character that joins to the one before it, because of a non-joiner
    joins = False  # the last character that is not transparent joins to the one after it
    previous = ""
    for character in label:
        joining_type = types[character]
        if joining_type != "T":
            if waiting and joining_type not in "RD":
                non_joiner = True
            waiting = False
            if character == _ZWJ:
                joiner |= previous not in viramas
            elif character == _ZWNJ and previous not in viramas:
                waiting = joins
                non_joiner |= not joins
            joins = joining_type in "LD"
        previous = character
    if non_joiner or waiting:
        yield "C1"
    if joiner:
        yield "C2"


@cache
def _joining_ranges() -> tuple[list[int], list[tuple[int, str]]]:
    from idna.idnadata import joining_types

    ranges = sorted((packed, name) for name, all_packed in joining_types.items() for packed in all_packed)
    return [packed >> 32 for packed, _ in ranges], [(packed & 0xFFFFFFFF, name) for packed, name in ranges]


def _joining_type(character: str) -> str:
    starts, rest = _joining_ranges()
    row = bisect_right(starts, ord(character)) - 1
    if row >= 0 and ord(character) < rest[row][0]:
        return rest[row][1]
    return "U"


_RTL_LABEL: Final = frozenset("Rneom")
_LTR_LABEL: Final = frozenset("Leom")


def _broken_bidi_rules(label: str, characters: set[str], profiles: _Profiles) -> Iterable[str]:
    groups = label.translate({ord(c): profiles[c].bidi_group for c in characters})
    present = set(groups)
    trimmed = groups.rstrip("m")
    if groups[0] == "R":
        if not present <= _RTL_LABEL:
            yield "B2"
        if not trimmed.endswith(("R", "n", "e")):
            yield "B3"
        if present >= {"n", "e"}:
            yield "B4"
    elif groups[0] == "L":
        if not present <= _LTR_LABEL:
            yield "B5"
        if not trimmed.endswith(("L", "e")):
            yield "B6"
    else:
        yield "B1"


# https://www.rfc-editor.org/rfc/rfc3492#section-5
_UTF_32: Final = f"utf-32-{sys.byteorder[0]}e"
_BASE: Final = 36
_INITIAL_BIAS: Final = 72
_INITIAL_N: Final = 0x80
_T_MAX: Final = 26
_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_DIGIT_VALUES: Final = {digit: value for value, digit in enumerate(_DIGITS)}


# https://www.rfc-editor.org/rfc/rfc3492#section-6.1
def _adapt(delta: int, length: int, first: bool) -> int:
    delta = delta // 700 if first else delta // 2
    delta += delta // length
    k = 0
    while delta > 455:
        delta //= 35
        k += 36
    return k + 36 * delta // (delta + 38)


class FenwickTree:
    """For Punycode: the positions below `size`. Each can be taken once, by its rank among those left or by itself.

    It takes logarithmic time. `counts[i]` is how many of the positions from `i - (i & -i)` to `i - 1` are left.
    """

    def __init__(self, size: int) -> None:
        i = cython.declare(cython.Py_ssize_t)
        free(self.counts)  # type: ignore[has-type]
        self.size = size
        self.counts = cython.cast(cython.p_Py_ssize_t, malloc((self.size + 1) * cython.sizeof(cython.Py_ssize_t)))
        if self.counts == cython.NULL:
            raise MemoryError
        for i in range(1, self.size + 1):
            self.counts[i] = i & -i
        self.top = 1
        while self.top <= self.size // 2:
            self.top *= 2

    def __dealloc__(self) -> None:
        free(self.counts)

    def take_at(self, rank: int) -> int:
        """Takes the position with this rank; returns the position."""
        position = 0
        step = self.top
        while step:
            i = position + step
            if i <= self.size:
                if self.counts[i] <= rank:
                    rank -= self.counts[i]
                    position = i
                else:
                    self.counts[i] -= 1
            step //= 2
        if position >= self.size:
            raise IndexError(rank)
        return position

    def take(self, position: int) -> int:
        """Takes a position; returns its rank."""
        rank = 0
        i = position
        if not 0 <= position < self.size:
            raise IndexError(position)
        while i:
            rank += self.counts[i]
            i &= i - 1
        i = position + 1
        while i <= self.size:
            self.counts[i] -= 1
            i += i & -i
        return rank


# https://www.rfc-editor.org/rfc/rfc3492#section-6.2
def _punycode_decode(text: str) -> str | None:
    """The decoded text; None if the text is not Punycode.

    Insertions are placed from the last to the first: each at its rank among the untaken positions.
    """
    basic, delimiter, extended = text.rpartition("-")
    if delimiter and not basic:
        return None
    insertions = array("Q")  # code point << 32 | rank
    length = len(basic)
    n = _INITIAL_N
    i = 0
    bias = _INITIAL_BIAS
    digits = iter(extended)
    for digit in digits:
        start = i
        length += 1
        limit = (0x110000 - n) * length
        weight = 1
        threshold = -bias
        while True:
            value = _DIGIT_VALUES.get(digit)
            if value is None:
                return None
            i += value * weight
            if i >= limit:
                return None
            threshold += _BASE
            t = 1 if threshold < 1 else _T_MAX if threshold > _T_MAX else threshold
            if value < t:
                break
            weight *= _BASE - t
            digit = next(digits, "")
        bias = _adapt(i - start, length, not insertions)
        n += i // length
        i %= length
        insertions.append(n << 32 | i)
        i += 1
    untaken = FenwickTree(length)
    output = array("I", bytes(4 * length))
    for insertion in reversed(insertions):
        output[untaken.take_at(insertion & 0xFFFFFFFF)] = insertion >> 32
    for character in basic:
        output[untaken.take_at(0)] = ord(character)
    return output.tobytes().decode(_UTF_32, "surrogatepass")


# https://www.rfc-editor.org/rfc/rfc3492#section-6.3
def _punycode_encode(label: str) -> str:
    """The rank of a character among those before it is its rank among those left, if they are taken in reverse."""
    basic = "".join([character for character in label if character < "\x80"])
    others = array("Q")
    for place, character in enumerate(label):
        if character >= "\x80":
            # Compiled, ord() is a `long`, which has 32 bits on Windows.
            code_point = ord(character)
            others.append(code_point << 32 | place)
    others = array("Q", sorted(others))
    untaken = FenwickTree(len(label))
    ranks = array("Q")
    for packed in reversed(others):
        ranks.append(untaken.take(packed & 0xFFFFFFFF))
    output = [basic, "-"] if basic else []
    length = len(basic)
    n = _INITIAL_N
    i = 0
    bias = _INITIAL_BIAS
    base, t_max, digits = _BASE, _T_MAX, _DIGITS
    for packed in others:
        code_point = packed >> 32
        length += 1
        rank = ranks.pop()
        delta = quotient = (code_point - n) * length + rank - i
        threshold = -bias
        while True:
            threshold += base
            t = 1 if threshold < 1 else t_max if threshold > t_max else threshold
            if quotient < t:
                break
            digit = (quotient - t) % (base - t)
            quotient = (quotient - t) // (base - t)
            output.append(digits[t + digit])
        output.append(digits[quotient])
        bias = _adapt(delta, length, length == len(basic) + 1)
        n = code_point
        i = rank + 1
    return "".join(output)
