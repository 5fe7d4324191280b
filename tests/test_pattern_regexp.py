"""The regular expressions of URL patterns: ECMAScript's syntax with the flag `v`, and what the nodes match."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from itertools import islice

import pytest
from support.regexp_matcher import Matcher, TooLong
from test_linear import check
from tiers.pattern_regexps import Answer, Case, difference, generated

from weburl._patterns.expressions import Assertion, Chars, Choice, Look, Node, Repeat, Sequence
from weburl._patterns.names import continues_name, starts_name
from weburl._patterns.properties import (
    BINARY,
    CATEGORIES,
    CHARACTERS,
    OF_STRINGS,
    SCRIPTS,
    property_mask,
)
from weburl._patterns.regexp import RegexpError, parse_regexp

ASCII = CHARACTERS[:128]


def chars(characters: str) -> Chars:
    return Chars(sum(1 << ord(character) for character in characters))


def members(text: str, ignore_case: bool = False) -> str:
    """The characters that match the whole of a regular expression."""
    node = parse_regexp(text, ignore_case)
    assert isinstance(node, Chars)
    return "".join(character for character in ASCII if node.mask >> ord(character) & 1)


A, B, C = map(chars, "abc")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", A), ("ab", Sequence((A, B))), ("a|b|c", Choice((A, B, C))), ("a|", Choice((A, Sequence(())))),
        ("|", Choice((Sequence(()), Sequence(())))), ("(?:)", Sequence(())), ("(?:(?:a))", A),
        ("(?:ab)c", Sequence((Sequence((A, B)), C))), ("(?:a|b)c", Sequence((Choice((A, B)), C))), ("(?<n>a)", A),
        ("a*", Repeat(A, 0, None, True)), ("a+", Repeat(A, 1, None, True)), ("a?", Repeat(A, 0, 1, True)),
        ("a*?", Repeat(A, 0, None, False)), ("a+?", Repeat(A, 1, None, False)), ("a??", Repeat(A, 0, 1, False)),
        ("a{2}", Repeat(A, 2, 2, True)), ("a{2,}", Repeat(A, 2, None, True)), ("a{2,3}?", Repeat(A, 2, 3, False)),
        ("a{0}", Repeat(A, 0, 0, True)), ("a{00,010}", Repeat(A, 0, 10, True)),
        ("ab*", Sequence((A, Repeat(B, 0, None, True)))),
        ("(?:ab)*", Repeat(Sequence((A, B)), 0, None, True)), ("[ab]*", Repeat(chars("ab"), 0, None, True)),
        ("^a$", Sequence((Assertion("begin"), A, Assertion("end")))), ("^", Assertion("begin")),
        ("(?=a)b", Sequence((Look(A, True, False), B))), ("(?!a|b)", Look(Choice((A, B)), True, True)),
        ("(?<=ab)", Look(Sequence((A, B)), False, False)), ("(?<!)", Look(Sequence(()), False, True)),
        ("(?=(?!(?<n>a)))", Look(Look(A, True, True), True, False)),
        (r"\b\B", Sequence((Assertion("boundary"), Assertion("not-boundary")))),
        ("(?m:^a$)", Sequence((Assertion("begin"), A, Assertion("end")))),
        (r"[\q{a|bc|def||b}]",
         Choice((Sequence(tuple(map(chars, "def"))), Sequence((B, C)), chars("ab"), Sequence(())))),
        (r"[\q{bc}]", Sequence((B, C))), (r"[\q{}]", Sequence(())), (r"[\q{\u{e9}b}]", Chars(0)), (r"\u{e9}", Chars(0)),
        ("a{4294967294}", Repeat(A, 2**32 - 2, 2**32 - 2, True)), ("a{0,4294967295}", Repeat(A, 0, None, True)),
        (f"a{{{'9' * 10_000}}}", Repeat(A, 2**32 - 1, None, True)), (f"a{{{'0' * 10_000}3}}", Repeat(A, 3, 3, True)),
    ],
)  # fmt: skip
def test_nodes(text: str, node: Node) -> None:
    assert parse_regexp(text, False) == node
    assert type(parse_regexp(text, False)) is type(node)


UPPER, LOWER, DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
WORD = DIGITS + UPPER + "_" + LOWER


def without(characters: str) -> str:
    return "".join(character for character in ASCII if character not in characters)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".", without("\n\r")), ("(?s:.)", ASCII), ("(?s:(?-s:.))", without("\n\r")), ("[]", ""), ("[^]", ASCII),
        ("[a]", "a"),
        ("[abc]", "abc"), ("[^abc]", without("abc")), ("[a-cx]", "abcx"), ("[.]", "."), ("[^^]", without("^")),
        ("[a^]", "^a"),
        (r"\d", DIGITS), (r"\D", without(DIGITS)), (r"\w", WORD), (r"\W", without(WORD)), (r"\s", "\t\n\v\f\r "),
        (r"\S", without("\t\n\v\f\r ")), (r"[\d_]", DIGITS + "_"), (r"[^\d]", without(DIGITS)), (r"[\D\d]", ASCII),
        (r"\t", "\t"), (r"\n", "\n"), (r"\v", "\v"), (r"\f", "\f"), (r"\r", "\r"), (r"\0", "\0"), (r"\cJ", "\n"),
        (r"\cj", "\n"),
        (r"\x41", "A"), (r"\u0041", "A"), (r"\u{41}", "A"), (r"\u{00000041}", "A"), (r"\/", "/"), ("/", "/"),
        (r"\.", "."),
        (r"\^", "^"), (r"\}", "}"), (r"[\b]", "\b"), (r"[\-\&\!\#\%\,\:\;\<\=\>\@\`\~]", "!#%&,-:;<=>@`~"),
        (r"[\]\[\(]", "([]"),
        ("[a-a]", "a"), (r"[\uD83D\uE000-\u{10000}a]", "a"), (r"[\uD83D\uDFFFa]", "a"),
        (r"[\uDBFF\uDFFF-\u{10ffff}a]", "a"),
        ("[&]", "&"), ("[a&]", "&a"), ("[&-']", "&'"), ("[!a]", "!a"), ("[ -~]", ASCII[32:127]),
        (r"[\x00-\x7f]", ASCII),
        (r"[a-\u{10ffff}]", ASCII[97:]), (r"[\u{e9}a]", "a"), (r"[\uD83D\uDE00-\uD83D\uDE01a]", "a"),
        (r"[^\u{e9}]", ASCII),
        ("[[a-d]&&[b-z]]", "bcd"), (r"[\w--\d]", UPPER + "_" + LOWER), (r"[\w--\d--_]", UPPER + LOWER),
        (r"[\w--[a-y]--\d]", UPPER + "_z"),
        (r"[\w&&\d&&[1-9]]", "123456789"), ("[[a-c][x-z]]", "abcxyz"), ("[^[a-c]]", without("abc")),
        ("[[^a-c]]", without("abc")),
        ("[^[^a-c]]", "abc"), ("[a&&b]", ""), ("[a--a]", ""), (r"[\q{a|b}]", "ab"), (r"[^\q{a|b}]", without("ab")),
        (r"[\q{a|b}--b]", "a"), (r"[\q{a|bc}--\q{bc}]", "a"), (r"[\q{a|bc}&&a]", "a"),
        (r"[^\q{a|bc}&&a]", without("a")),
        (r"[^a--\q{bc}]", without("a")), (r"[\q{a|bc}&&\q{a|bd}]", "a"), (r"[\q{&|\!}]", "!&"),
        (r"[\q{\u{e9}|a}]", "a"),
        (r"\p{Lu}", UPPER), (r"\p{gc=Lu}", UPPER), (r"\p{General_Category=Uppercase_Letter}", UPPER),
        (r"\P{L}", without(UPPER + LOWER)),
        (r"\p{LC}", UPPER + LOWER), (r"\p{Nd}", DIGITS), (r"\p{Sc}", "$"), (r"\p{Pc}", "_"), (r"\p{Cn}", ""),
        (r"\P{Cn}", ASCII),
        (r"\p{Script=Latin}", UPPER + LOWER), (r"\p{sc=Zyyy}", without(UPPER + LOWER)), (r"\p{scx=Greek}", ""),
        (r"\p{ASCII}", ASCII),
        (r"\p{Any}", ASCII), (r"\P{Any}", ""), (r"\p{AHex}", DIGITS + "ABCDEFabcdef"), (r"\p{Emoji}", "#*" + DIGITS),
        (r"\p{IDS}", UPPER + LOWER),
        (r"\p{RGI_Emoji}", ""), (r"[\p{RGI_Emoji}a]", "a"), (r"[^\p{RGI_Emoji}&&a]", ASCII),
        (r"[\p{L}--\p{Lu}]", LOWER),
    ],
)  # fmt: skip
def test_classes(text: str, expected: str) -> None:
    assert members(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "Aa"), ("A", "Aa"), ("1", "1"), ("_", "_"), ("[a]", "Aa"), ("[A-C]", "ABCabc"),
        ("[^a]", without("Aa")), (r"\x4b", "Kk"),
        # A Kelvin sign folds to k, a long s to s.
        (r"\u212A", "Kk"), (r"\u{17f}", "Ss"), (r"[\u{100}-\u{200}]", "Ss"), (r"[^\u{17f}]", without("Ss")),
        (r"[\u212a-\u{10ffff}]", "Kk"),
        (r"\x80", ""), (r"[~-\x80]", "~\x7f"), (r"[\x80-\u{10ffff}]", "KSks"),
        (r"\p{Lu}", UPPER + LOWER), (r"\P{Lu}", without(UPPER + LOWER)), (r"\P{Ll}", without(UPPER + LOWER)),
        (r"[^\P{Ll}]", UPPER + LOWER),
        (r"[^\p{Lu}]", without(UPPER + LOWER)), (r"\p{CWU}", UPPER + LOWER), (r"\W", without(WORD)), (r"\w", WORD),
        (r"[^\W]", WORD),
        (r"[\w--s]", without("sS" + without(WORD))), (r"[\W\u{17f}]", without(WORD.replace("S", "").replace("s", ""))),
        ("[[A-Z]&&[a-c]]", "ABCabc"), ("[[A-Z]--[a-x]]", "YZyz"), (r"[\q{A}]", "Aa"), (r"[\q{A}&&a]", "Aa"),
        (r"[\q{\u{17f}}]", "Ss"), (".", without("\n\r")), ("[^]", ASCII), ("(?-i:a)", "a"), ("(?-i:[A-C])", "ABC"),
        (r"(?-i:\p{Lu})", UPPER), (r"(?-i:\u212a)", ""), ("(?-i:(?i:a))", "Aa"), ("(?-i:[^a])", without("a")),
    ],
)  # fmt: skip
def test_classes_ignoring_case(text: str, expected: str) -> None:
    assert members(text, ignore_case=True) == expected
    assert members(f"(?i:{text})") == expected


def test_strings_ignoring_case() -> None:
    expected = Choice((Sequence((chars("Ss"), chars("Kk"))), chars("Aa")))
    assert parse_regexp(r"[\q{Sk|\u{17f}\u212a|A}]", True) == expected
    assert parse_regexp(r"[\q{SK}--\q{sk}]", True) == Chars(0)
    assert parse_regexp(r"[\q{Sk|sK|sk}&&\q{SK}]", True) == Sequence((chars("Ss"), chars("Kk")))
    assert parse_regexp(r"[\q{SK}--\q{sk}]", False) == Sequence((chars("S"), chars("K")))


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("*", "nothing to repeat", 0), ("a**", "nothing to repeat", 2), ("a|+", "nothing to repeat", 2),
        ("(?:?)", "nothing to repeat", 3),
        ("^*", "nothing to repeat", 1), (r"\b+", "nothing to repeat", 2), ("a???", "nothing to repeat", 3),
        ("{1}", "nothing to repeat", 0),
        ("a{1}{2}", "nothing to repeat", 4), ("a{", "{ begins no quantifier: {n}, {n,} or {n,m}", 1),
        ("a{1", "{ begins no quantifier: {n}, {n,} or {n,m}", 1),
        ("a{,2}", "{ begins no quantifier: {n}, {n,} or {n,m}", 1),
        ("a{1,2", "{ begins no quantifier: {n}, {n,} or {n,m}", 1),
        ("a{ 1}", "{ begins no quantifier: {n}, {n,} or {n,m}", 1),
        ("a{2,1}", "the numbers of a quantifier are out of order", 1),
        ("a{10,9}", "the numbers of a quantifier are out of order", 1),
        (f"a{{{'9' * 30},{'9' * 29}8}}", "the numbers of a quantifier are out of order", 1),
        ("a{1,0}", "the numbers of a quantifier are out of order", 1), ("a}", "} needs a \\ before it", 1),
        ("a]", "] needs a \\ before it", 1),
        ("(a)", "a group begins with (?:", 0), ("a()", "a group begins with (?:", 1),
        ("(", "a group begins with (?:", 0),
        ("(?", "a group begins with (?:", 0), ("(?a:b)", "a group begins with (?:", 0),
        ("(?i", "a group begins with (?:", 0),
        ("(?P<a>b)", "a group begins with (?:", 0), ("(?#a)", "a group begins with (?:", 0),
        ("(?i--s:a)", "a group begins with (?:", 0),
        ("(?:a", "a group is not closed", 0), ("b(?:a(?:c)", "a group is not closed", 1),
        ("a)", "no group is open", 1), ("a)(?:b", "no group is open", 1),
        ("(?ii:a)", "a modifier stands twice", 3), ("(?i-i:a)", "a modifier stands twice", 4),
        ("(?-:a)", "no modifier before or after -", 3),
        ("(?=a)*", "nothing to repeat", 5), ("(?!b){2}", "nothing to repeat", 5), ("(?<=b)+", "nothing to repeat", 6),
        ("(?<!b)?", "nothing to repeat", 6), ("(?=a", "a group is not closed", 0),
        ("(?<!a", "a group is not closed", 0),
        ("(?=(a))", "a group begins with (?:", 3), (r"(?=\1)", "a backreference is not supported", 3),
        ("(?<a>b)(?=(?<a>c))", "two groups have the same name", 10),
        (r"(?<a>b)\1", "a backreference is not supported", 7),
        (r"(?<a>b)\k<a>", "a backreference is not supported", 7), (r"\9", "a backreference is not supported", 0),
        ("(?<>a)", "not the name of a group", 3), ("(?<1>a)", "not the name of a group", 3),
        ("(?<a-b>a)", "not the name of a group", 4),
        ("(?<a", "not the name of a group", 4), ("(?<", "not the name of a group", 3),
        (r"(?<\x61>a)", "not the name of a group", 3),
        (r"(?<\u0031>a)", "not the name of a group", 3), (r"(?<a\u{2e2f}>a)", "not the name of a group", 4),
        (r"(?<\uD801>a)", "not the name of a group", 3),
        ("(?<a>b)(?<a>c)", "two groups have the same name", 7), ("(?<a>(?<a>c))", "two groups have the same name", 5),
        (r"(?<a>b)(?<\u0061>c)", "two groups have the same name", 7),
        ("(?<a>b)(?:c|(?<a>d))", "two groups have the same name", 12),
        ("(?:(?<a>b)|c)(?<a>d)", "two groups have the same name", 13),
        ("(?:(?<a>b)|(?<a>c))(?:(?<d>d)|e)(?<d>f)", "two groups have the same name", 32),
        ("(?<a>b)|(?<a>c)(?<a>d)", "two groups have the same name", 15),
        ("\\", "nothing stands after \\", 0), (r"\a", "not an escape of ECMAScript", 0),
        (r"\-", "not an escape of ECMAScript", 0),
        (r"\_", "not an escape of ECMAScript", 0), (r"\&", "not an escape of ECMAScript", 0),
        (r"\q{a}", "not an escape of ECMAScript", 0),
        (r"\00", "no digit may stand after \\0", 0), (r"\c", "\\c needs a letter", 0),
        (r"\c1", "\\c needs a letter", 0),
        (r"\x4", "\\x needs 2 hexadecimal digits", 0), (r"\x4g", "\\x needs 2 hexadecimal digits", 0),
        (r"\u123", "\\u needs 4 hexadecimal digits", 0),
        (r"\u+123", "\\u needs 4 hexadecimal digits", 0), (r"\u{}", "\\u{ needs hexadecimal digits and }", 0),
        (r"\u{ 1}", "\\u{ needs hexadecimal digits and }", 0),
        (r"\u{1_0}", "\\u{ needs hexadecimal digits and }", 0), (r"\u{41", "\\u{ needs hexadecimal digits and }", 0),
        (r"\u{110000}", "not a code point", 0),
        (r"\p", "\\p needs a property in braces", 0), (r"\pL", "\\p needs a property in braces", 0),
        (r"\P{L", "\\P needs a property in braces", 0),
        (r"\pL}", "\\p needs a property in braces", 0), (r"\p{latin}", "not a property of ECMAScript", 0),
        (r"\p{Latin}", "not a property of ECMAScript", 0),
        (r"\p{}", "not a property of ECMAScript", 0), (r"\p{Lu=}", "not a property of ECMAScript", 0),
        (r"\p{gc=}", "not a property of ECMAScript", 0),
        (r"\p{Script}", "not a property of ECMAScript", 0), (r"\p{ASCII=Yes}", "not a property of ECMAScript", 0),
        (r"\p{sc=Lu}", "not a property of ECMAScript", 0),
        (r"\p{gc=Latin}", "not a property of ECMAScript", 0), (r"\p{ Lu}", "not a property of ECMAScript", 0),
        (r"\p{Block=Thai}", "not a property of ECMAScript", 0),
        (r"\P{RGI_Emoji}", "a property of strings has no complement", 0),
        (r"[\P{Basic_Emoji}]", "a property of strings has no complement", 1),
        (r"[^\p{RGI_Emoji}]", "a class with strings has no complement", 0),
        (r"[a[^\q{bc}]]", "a class with strings has no complement", 2),
        (r"[^\q{}]", "a class with strings has no complement", 0),
        (r"[^\q{a|bc}--\q{bc}]", "a class with strings has no complement", 0),
        (r"[^\q{ab}&&\q{cd}]", "a class with strings has no complement", 0),
        (r"[^[\q{ab}]]", "a class with strings has no complement", 0),
        (r"[^\q{\u{e9}\u{e9}}]", "a class with strings has no complement", 0),
        ("[a", "a class is not closed", 0), ("[", "a class is not closed", 0), ("[a[b]", "a class is not closed", 0),
        ("[a-", "a class is not closed", 3),
        ("[^", "a class is not closed", 0), (r"[\q{a", "\\q{ is not closed", 1),
        (r"[\q]", "not an escape of ECMAScript", 1),
        ("[z-a]", "the ends of a range are out of order", 1), ("[-a]", "- needs a \\ before it", 1),
        ("[a-]", "] needs a \\ before it", 3),
        (r"[\d-a]", "- needs a \\ before it", 3), (r"[a-\d]", "not an escape of ECMAScript", 3),
        ("[[a]-b]", "- needs a \\ before it", 4),
        ("[a-[b]]", "[ needs a \\ before it", 3), ("[(]", "( needs a \\ before it", 1),
        ("[a|b]", "| needs a \\ before it", 2), ("[/]", "/ needs a \\ before it", 1),
        ("[}]", "} needs a \\ before it", 1), (r"[\B]", "not an escape of ECMAScript", 1),
        (r"[\1]", "not an escape of ECMAScript", 1), (r"[\k]", "not an escape of ECMAScript", 1),
        ("[!!]", "!! is reserved: each needs a \\ before it", 1),
        ("[a..b]", ".. is reserved: each needs a \\ before it", 2),
        ("[^^^]", "^^ is reserved: each needs a \\ before it", 2),
        ("[&&]", "&& is reserved: each needs a \\ before it", 1),
        (r"[\q{a&&b}]", "&& is reserved: each needs a \\ before it", 5),
        ("[a-&&b]", "&& is reserved: each needs a \\ before it", 3),
        ("[a&&]", "nothing stands after &&", 4), ("[a--]", "nothing stands after --", 4),
        ("[a&&&b]", "& needs a \\ before it", 4),
        ("[ab&&c]", "&& stands between single operands", 3), ("[a-c&&b]", "&& stands between single operands", 4),
        ("[a-c--b]", "-- stands between single operands", 4),
        ("[a&&b-c]", "&& stands between single operands", 5), ("[a&&bc]", "&& stands between single operands", 5),
        ("[a--b&&c]", "&& stands between single operands", 5),
        ("[a&&b--c]", "-- stands between single operands", 5), ("[--a]", "- needs a \\ before it", 1),
        ("a\x80", "not ASCII", 1), ("[\xe9]", "not ASCII", 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ignore_case", [False, True])
def test_errors(text: str, message: str, position: int, ignore_case: bool) -> None:
    with pytest.raises(RegexpError) as raised:
        parse_regexp(text, ignore_case)
    assert (raised.value.message, raised.value.position) == (message, position)
    assert str(raised.value) == f"{message} (position {position})"


@pytest.mark.parametrize("character", "&!#$%*+,.:;<=>?@^`~")
def test_doubled_punctuators_are_reserved(character: str) -> None:
    with pytest.raises(RegexpError, match="is reserved"):
        parse_regexp(f"[_{character}{character}]" if character != "&" else "[&&]", False)
    assert members(f"[_{character}]") == "".join(sorted("_" + character))


@pytest.mark.parametrize("character", ASCII)
def test_identity_escapes(character: str) -> None:
    """Which signs may stand after a backslash for themselves."""
    for text, escaped in (
        (f"\\{character}", "^$\\.*+?()[]{}|/"),
        (f"[\\{character}]", "^$\\.*+?()[]{}|/&-!#%,:;<=>@`~"),
    ):
        if character in escaped:
            assert members(text) == character
        elif character not in "bBdDfnrsStvwW0":
            with pytest.raises(RegexpError):
                parse_regexp(text, False)


@pytest.mark.parametrize(
    "text",
    [
        "(?<a>b)|(?<a>c)", "(?:(?<a>b)|(?<a>c))", "(?:(?<a>b)|c)|(?<a>d)", "(?:(?<a>b)|(?<a>c))(?<b>d)", "(?<$_a1>b)",
        r"(?<\u{61}>b)",
        r"(?<\u0061>b)", r"(?<\uD801\uDC00>b)", r"(?<a\u200c\u200d\u{b7}>b)", r"(?<\u{2118}\u1371>b)",
        "(?<a>(?<b>c))(?<d>e)",
    ],
)  # fmt: skip
def test_names_of_groups(text: str) -> None:
    parse_regexp(text, False)


def test_names_by_category() -> None:
    """Python's identifiers are almost ECMAScript's: those of Python are closed under normalization."""
    for code in range(0x110000):
        character = chr(code)
        if character.isidentifier():
            assert starts_name(character)
        if f"a{character}".isidentifier():
            assert continues_name(character)
    assert not starts_name("\u0300")
    assert not continues_name(" ")


@pytest.mark.parametrize(
    ("text", "subject", "end"),
    [
        ("a|ab", "ab", 1), ("(?:a|ab)c", "abc", 3), ("a*?", "aaa", 0), ("a*?$", "aaa", 3), ("a+?b", "aab", 3),
        ("(?:a*)*", "aab", 2),
        ("(?:a?){3}b", "ab", 2), ("(?:|a)+", "aa", 2), ("(?:|a){2}", "aa", 0), ("(?:|a){2}b", "ab", 2),
        ("a{2,3}", "aaaa", 3),
        (r"\bab\b", "ab cd", 2), (r"a\Bb", "ab", 2), (r"a\bb", "ab", None), (r"[\q{ab|a}]b", "ab", 2),
        (r"[\q{ab|a|}]", "abc", 2),
        ("a(?i:b)c", "aBc", 3), ("a(?i:b)c", "ABc", None), ("^^a$", "a", 1), (r"\0a", "\0a", 2), ("a^b", "ab", None),
        ("(?:^|b)a", "a", 1),
        ("a(?=b).", "ab", 2), ("a(?=b).", "ac", None), ("a(?!b).", "ac", 2), ("a(?!b).", "ab", None),
        (".(?<=a)b", "ab", 2), (".(?<=a)b", "bb", None), (".(?<!a)b", "bb", 2), (".(?<!^.)b", "bb", None),
        ("(?=(?:a|ab)c)ab", "abc", 2), ("ab(?<=(?:a|ab))c", "abc", 3), ("ab(?<=^b)", "ab", None), ("a*(?!a)", "aa", 2),
        ("a*(?=a$)", "aaa", 2), ("(?!(?=a)).*", "ba", 2), ("(?=.*(?<=x)y)x", "xxy", 1),
        ("(?:ab){0}c", "c", 1), ("[]", "a", None), ("a[]|a", "a", 1), ("(?s:.).", "\nb", 2), ("(?s:.).", "b\n", None),
    ],
)  # fmt: skip
def test_matches(text: str, subject: str, end: int | None) -> None:
    assert Matcher(subject).match(parse_regexp(text, False)) == end


def test_the_matcher_stops() -> None:
    node = parse_regexp("(?:a*)*b", False)
    with pytest.raises(TooLong):
        Matcher("a" * 40).match(node)
    with pytest.raises(TooLong):
        Matcher("").match(parse_regexp("(?:a?){99999}", False))


def test_properties_have_only_these_names() -> None:
    """The numbers are those of Unicode 17."""
    assert len(BINARY) == 98
    assert len(OF_STRINGS) == 7
    assert len(CATEGORIES) == 80
    assert len(SCRIPTS) == 344
    everything = (1 << len(CHARACTERS)) - 1
    for name in (*BINARY, *CATEGORIES, *OF_STRINGS):
        mask = property_mask(name, None)
        assert mask is not None
        assert mask & ~everything == 0
        assert property_mask(name.lower() + "x", None) is None
        assert property_mask("sc", name) is None
    for name in SCRIPTS:
        assert property_mask("sc", name) == property_mask("Script_Extensions", name) is not None
        assert property_mask(name, None) is None


def test_categories_and_scripts_are_partitions() -> None:
    everything = (1 << len(CHARACTERS)) - 1
    for names, kind in ((["Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "P", "S", "Z", "C"], "gc"), (["Latn", "Zyyy"], "sc")):
        masks = [property_mask(kind, name) or 0 for name in names]
        assert sum(masks) == everything
    assert property_mask("LC", None) == sum(property_mask(name, None) or 0 for name in ("Lu", "Ll", "Lt"))


def test_errors_can_be_pickled() -> None:
    error = RegexpError("nothing to repeat", 3)
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.position, str(again)) == (error.message, error.position, str(error))


def test_groups_nest_to_a_limit() -> None:
    assert parse_regexp("(?:" * 50 + "a" + ")" * 50, False) == A
    with pytest.raises(RegexpError, match="nested deeper than 50"):
        parse_regexp("(?:" * 51 + "a" + ")" * 51, False)
    with pytest.raises(RegexpError, match="nested deeper"):
        parse_regexp("(?:" * 100_000, False)


def test_classes_nest_without_limit() -> None:
    assert members("[" * 50_000 + "a" + "]" * 50_000) == "a"
    assert members("[^" * 50_000 + "a" + "]" * 50_000) == "a"
    assert members("[a&&" * 20_000 + "a" + "]" * 20_000) == "a"


def numbered(count: int, text: str, between: str) -> str:
    return between.join(text.replace("#", str(index)) for index in range(count))


LONG: dict[str, Callable[[int], str]] = {
    "characters": lambda n: "a" * n,
    "assertions": lambda n: "^" * n,
    "alternatives": lambda n: "a|" * (n // 2),
    "groups": lambda n: "(?i:a)" * (n // 6),
    "names": lambda n: numbered(n // 12, "(?<a#>)", ""),
    "names in groups": lambda n: numbered(n // 16, "(?:(?<a#>)|b)", ""),
    "names in alternatives": lambda n: numbered(n // 12, "(?<a#>)", "|"),
    "a long name": lambda n: f"(?<{'a' * n}>b)",
    "a long number": lambda n: f"a{{{'1' * n},{'2' * n}}}",
    "a long code point": lambda n: rf"\u{{{'0' * n}41}}",
    "code points without an end": lambda n: r"(?:\u{41})" * (n // 10) + r"\u{",
    "a class": lambda n: f"[{'ab-c' * (n // 4)}]",
    "nested classes": lambda n: "[" * (n // 2) + "a" + "]" * (n // 2),
    "nested intersections": lambda n: "[a&&" * (n // 5) + "a" + "]" * (n // 5),
    "strings": lambda n: rf"[\q{{{numbered(n // 6, 's#', '|')}}}]",
    "a long string": lambda n: rf"[\q{{{'ab' * (n // 2)}}}]",
    "strings in nested classes": lambda n: "[" * (n // 12) + r"\q{ab}" + numbered(n // 12, r"\q{x#}]", ""),
    "strings without one": lambda n: (
        "[" * (n // 18) + rf"\q{{{numbered(n // 18, 's#', '|')}}}" + r"]--\q{ab}" * (n // 18 - 1) + "]"
    ),
}


@pytest.mark.timed
@pytest.mark.slow
@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("shape", LONG)
def test_linear(shape: str, ignore_case: bool) -> None:
    gc.disable()
    try:
        check(LONG[shape], lambda text: parsed(text, ignore_case))
    finally:
        gc.enable()


def parsed(text: str, ignore_case: bool) -> Node | RegexpError:
    try:
        return parse_regexp(text, ignore_case)
    except RegexpError as error:
        return error


def test_generated() -> None:
    """Each is parsed, or refused with a place in the text; and a group around it changes nothing."""
    refused = 0
    for case in islice(generated(17), 2000):
        result = parsed(case.source, case.ignore_case)
        if isinstance(result, RegexpError):
            refused += 1
            assert 0 <= result.position <= len(case.source)
            assert result.message[0] == result.message[0].lower()
        else:
            assert parsed(f"(?:{case.source})", case.ignore_case) == result
            other = "(?i:" if case.ignore_case else "(?-i:"
            assert parsed(f"{other}{case.source})", not case.ignore_case) == result
    assert 200 < refused < 1200


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("a|", [(False, 1), (True, 1)], ""),
        ("a|", [(False, 0), (True, 1)], "'ab': [(False, 1), (False, 1)] here, (False, 0) there"),
        ("a|", [(False, 1), (False, 1)], "'a': [(True, 1), (True, 1)] here, (False, 1) there"),
        ("a|", "Nothing to repeat", "accepted: Nothing to repeat"), ("a|", "Regular expression too large", None),
        ("a**", "Nothing to repeat", ""), ("a**", [(False, 1), (True, 1)], "refused: nothing to repeat (position 2)"),
        ("(a)", [(False, 1), (True, 1)], None), ("a(?=b)", [(False, 1), (False, None)], ""),
        (r"(?<n>a)\1", [(False, None), (False, None)], None),
    ],
)  # fmt: skip
def test_what_the_comparison_says(text: str, answer: Answer, expected: str | None) -> None:
    assert difference(Case(text, False, ["ab", "a"]), answer) == expected
