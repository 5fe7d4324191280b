"""How implementations are known to deviate from the URL Pattern Standard, and from JavaScript's regular expressions.

The text decides who is wrong; a predicate here says only which known fault it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from support.patterns import make_pattern
from tiers.pattern_oracles.cases import Case
from tiers.pattern_oracles.places import Difference

from weburl import URL, PatternError

SPECIAL = ("ftp", "file", "http", "https", "ws", "wss")


class Deviation(NamedTuple):
    """Who is wrong, how, and the anchor of the text's algorithm that decides."""

    who: str
    reason: str
    anchor: str
    explains: Callable[[Difference], bool]
    example: Case


def pathnames(*inputs: Any, **patterns: str) -> Case:
    return [patterns], [[one] for one in inputs]


def has_regexp(one: Difference) -> bool:
    return "(" in one.text


def is_wrong_in_v8(one: Difference) -> bool:
    r"""With the flag v, V8 applies the modifier of a group after it, too, and ignores no case of a text in \\q."""
    # The expression of a protocol decides, too, which path a pattern has.
    is_asked = one.input is not None or one.place in ("pathname", "port")
    return is_asked and re.search(r"[(][?]-?i:|\\q\{", one.text) is not None


def has_strings(one: Difference) -> bool:
    """Whether it has a property of strings, which only V8 knows."""
    return r"\p{RGI_Emoji}" in one.text


def has_stripped(one: Difference) -> bool:
    return re.search("[\t\n\r]", one.text) is not None


def is_refused(one: Difference) -> bool:
    return one.place == "constructor" and one.other is None


def is_accepted(one: Difference) -> bool:
    return one.place == "constructor" and one.right is None


def is_of_match(one: Difference) -> bool:
    return one.input is not None


def given(one: Difference) -> dict[str, str]:
    """The components of an input that is a mapping."""
    first = one.input[0] if one.input else None
    return first if isinstance(first, dict) else {}


def protocol_of(components: dict[str, str]) -> str:
    base = URL.parse(components.get("baseURL", ""))
    return components.get("protocol", "" if base is None else base.scheme).lower().removesuffix(":")


def is_of_opaque_pattern(one: Difference) -> bool:
    return not one.is_special and one.place in ("pathname", "match", "has regexp groups", "groups of pathname")


def is_of_opaque_input(one: Difference) -> bool:
    if one.place not in ("match", "input of pathname", "groups of pathname"):
        return False
    return "pathname" in given(one) and protocol_of(given(one)) not in ("", *SPECIAL)


def is_of_opaque_path(one: Difference) -> bool:
    return is_of_opaque_pattern(one) or is_of_opaque_input(one)


def is_without_none(one: Difference) -> bool:
    if not one.place.startswith("groups of "):
        return False
    if one.other.keys() != one.right.keys():
        return False
    return all(one.other[name] == text or (text is None and one.other[name] == "") for name, text in one.right.items())


def is_of_expression(one: Difference) -> bool:
    return has_regexp(one) and (one.place == "match" or one.place.startswith("groups of "))


def ignores_case(one: Difference) -> bool:
    options = one.case[0][-1] if one.case[0] else None
    is_of_it = one.place == "match" or one.place.startswith("groups of ")
    return is_of_it and isinstance(options, dict) and options.get("ignoreCase", False) is True


def has_base_of_syntax(one: Difference) -> bool:
    return one.input is None and re.search(r"[(){}*+?:\\]", (one.base or "").partition(":")[2]) is not None


def is_of_a_file(one: Difference) -> bool:
    return one.place in ("port", "match") and "file" in ascii(one.case).lower()


def is_default_port(one: Difference) -> bool:
    return one.place == "port" and one.other == "" and one.right in ("21", "80", "443")


def is_default_port_after_zeros(one: Difference) -> bool:
    if one.place == "match":
        return re.search(r"(?<!\d)0+(21|80|443)(?!\d)", one.text) is not None
    return is_default_port(one) and re.search(f"(?<!\\d)0+{one.right}(?!\\d)", one.text) is not None


def is_port_0_of_a_file(one: Difference) -> bool:
    return one.place in ("port", "match") and "file" in ascii(one.case) and "0" in one.text + ascii(one.input)


def is_opaque_with_a_space(one: Difference) -> bool:
    return is_of_opaque_path(one) and " " in one.text + ascii(one.input)


def is_of_nothing(one: Difference) -> bool:
    return one.place != "constructor" and has_stripped(one)


def is_of_punycode(one: Difference) -> bool:
    text = re.sub(r"[\t\n\r\\]", "", one.text.lower())
    return (is_refused(one) and "xn--" in text) or (one.place == "match" and in_input(one, "xn--", "XN--"))


def is_of_a_backslash(one: Difference) -> bool:
    return one.place == "pathname" and "\\\\" in one.text


def is_segment_wildcard(one: Difference) -> bool:
    return one.input is None and re.search(r"\([.]\+\?|\(\[\^", one.text) is not None


def is_without_braces(one: Difference) -> bool:
    if one.place not in ("pathname", "hostname"):
        return False
    return bool(re.sub("[{}]", "", one.right) == re.sub("[{}]", "", one.other))


def has_two_marks(one: Difference) -> bool:
    return one.place in ("match", "input of search", "groups of search") and given(one).get("search", "")[:2] == "??"


def is_stripped(one: Difference) -> bool:
    if one.place not in ("username", "password", "input of username", "input of password", "match"):
        return False
    return has_stripped(one) or re.search("[\t\n\r]", str(given(one))) is not None


def in_input(one: Difference, *texts: str) -> bool:
    return one.input is not None and any(text in ascii(one.input) for text in texts)


def has_caret(one: Difference) -> bool:
    return in_input(one, "^") or (one.place == "pathname" and "^" in one.text)


def is_of_a_file_with_slashes(one: Difference) -> bool:
    slashes = re.compile(r"file:(/|\\\\){2}[^/?#]*(/|\\\\){2}", re.IGNORECASE)
    return one.input is not None and slashes.search(ascii(one.input)) is not None


def is_apostrophe(one: Difference) -> bool:
    if one.place == "match":
        return "'" in given(one).get("search", "")
    return one.place in ("search", "input of search") and one.right.replace("%27", "'") == one.other


def is_not_a_url(one: Difference) -> bool:
    is_text = one.input is not None and isinstance(one.input[0] if one.input else "", str)
    return one.place == "match" and is_text and one.right is False and isinstance(one.other, list)


def is_exhausted(one: Difference) -> bool:
    """No match, for a pattern with at least two parts that vary, where an engine gives up."""
    return one.place == "match" and one.other is False and len(re.findall(r"[*+:({]", one.text)) > 1


def is_bad_base(one: Difference) -> bool:
    return one.place == "match" and one.other == "error" and URL.parse(given(one).get("baseURL", "x:")) is None


def refusal(one: Difference) -> str:
    try:
        make_pattern(one.case[0])
    except PatternError as error:
        return str(error)
    return ""


def is_beyond_linear_time(one: Difference) -> bool:
    return is_refused(one) and re.search("backreference", refusal(one)) is not None


def is_too_large(one: Difference) -> bool:
    return is_refused(one) and "automaton of more than" in refusal(one)


def has_named_groups(one: Difference) -> bool:
    return one.place.startswith("groups of ") and re.search(r"\(\?<[^=!]", one.text) is not None


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        "weburl", "refuses backreferences by name, which linear time excludes", "compile-a-component",
        is_beyond_linear_time, pathnames(pathname=r"/((?<n>a)\k<n>)"),
    ),
    Deviation(
        "weburl", "refuses large automata by name", "compile-a-component",
        is_too_large, pathnames(pathname="/(a{99999})"),
    ),
    Deviation(
        "weburl", "zeros before a default port are not part of it, as in Chromium", "url-pattern-create",
        is_default_port_after_zeros, pathnames({"protocol": "https"}, protocol="https", port="0443"),
    ),
    Deviation(
        "weburl", "groups with a name inside a regular expression do not shift those after it (whatwg/urlpattern #284)",
        "create-a-component-match-result", has_named_groups, pathnames({"pathname": "/ab"}, pathname="/((?<n>a)):b"),
    ),
    Deviation(
        "weburl", "the text's expressions run in V8, which is wrong about modifiers and \\q where the case is ignored",
        "compile-a-component", lambda one: is_wrong_in_v8(one) and (one.is_shared or has_strings(one)),
        pathnames({"pathname": "/ab"}, pathname="/((?i:a)[^A-Z])"),
    ),
    Deviation(
        "upa-url", "the same: V8 is wrong", "compile-a-component",
        is_wrong_in_v8, pathnames({"pathname": "/ab"}, pathname="/((?i:a)[^A-Z])"),
    ),
    Deviation(
        "urlpattern", "the same: V8 is wrong", "compile-a-component",
        is_wrong_in_v8, pathnames({"pathname": "/ab"}, pathname="/((?i:a)[^A-Z])"),
    ),
    Deviation(
        "upa-url", "gives up where its regular expressions take many steps, and says that there is no match",
        "url-pattern-match", is_exhausted,
        pathnames({"pathname": "/a-a-a-a-a-x/" + "a-" * 100}, pathname="*/:a-:b-:c-:d-x*"),
    ),
    Deviation(
        "upa-url", "accepts escapes of letters that the flag v refuses", "compile-a-component",
        lambda one: is_accepted(one) and has_regexp(one), pathnames(pathname="/(\\A)"),
    ),
    Deviation(
        "upa-url", "refuses regular expressions that JavaScript has", "compile-a-component",
        lambda one: is_refused(one) and has_regexp(one), pathnames(pathname="/(a{99999999999})"),
    ),
    Deviation(
        "urlpattern", "has Rust's regular expressions: refuses others", "compile-a-component",
        lambda one: is_refused(one) and has_regexp(one), pathnames(pathname="/(\\cA)"),
    ),
    Deviation(
        "urlpattern", "has Rust's regular expressions: accepts what the flag v refuses", "compile-a-component",
        lambda one: is_accepted(one) and has_regexp(one), pathnames(pathname="/(\\A)"),
    ),
    Deviation(
        "urlpattern", "a group that took no part is an empty string", "create-a-component-match-result",
        is_without_none, pathnames({"pathname": ""}, pathname="{*}?"),
    ),
    Deviation(
        "urlpattern", "raises where the base URL of an input is not a URL", "url-pattern-match",
        is_bad_base, pathnames({"baseURL": "not a URL"}, pathname="*"),
    ),
    Deviation(
        "urlpattern", "an opaque path is a path, with pathname options", "url-pattern-create",
        is_of_opaque_path, pathnames(protocol="x", pathname="/a b"),
    ),
    Deviation(
        "urlpattern", "ignores the case nowhere but in pathnames", "url-pattern-create",
        ignores_case, ([{"search": "*a"}, {"ignoreCase": True}], [[{"search": "A"}]]),
    ),
    Deviation(
        "urlpattern", "strings of a base URL are not escaped", "process-a-base-url-string",
        has_base_of_syntax, pathnames(pathname="b", baseURL="https://example.com/(a)/"),
    ),
    Deviation(
        "urlpattern", "a port is empty with a file as base URL, and a host of a file stays as it is",
        "process-a-urlpatterninit",
        is_of_a_file, pathnames(hostname="a", baseURL="file:///a"),
    ),
    Deviation(
        "urlpattern", "tabs and newlines are removed from a username and a password", "canonicalize-a-username",
        is_stripped, pathnames(username="\t"),
    ),
    Deviation(
        "urlpattern", "its segment wildcard has another regular expression", "generate-a-segment-wildcard-regexp",
        is_segment_wildcard, pathnames(search="(.+?)"),
    ),
    Deviation(
        "urlpattern", "its URL parser refuses hosts whose Punycode is not valid", "canonicalize-a-hostname",
        is_of_punycode, pathnames(hostname="xn--"),
    ),
    Deviation(
        "urlpattern", "its URL parser does not encode ^ in paths", "canonicalize-a-pathname",
        has_caret, pathnames({"pathname": "/^"}),
    ),
    Deviation(
        "urlpattern", "its URL parser removes a slash where the path of a file begins with two",
        "url-pattern-match", is_of_a_file_with_slashes, ([{}], [["file:////"]]),
    ),
    Deviation(
        "urlpattern", "its URL parser does not encode a space at the end of an opaque path", "url-pattern-match",
        lambda one: in_input(one, " ?", " #"), ([{}], [["a: ?"]]),
    ),
    Deviation(
        "urlpattern", "its URL parser takes credentials without a host", "url-pattern-match",
        lambda one: in_input(one, "@") and one.right is False, ([{}], [["x://@"]]),
    ),
    Deviation(
        "urlpattern", "has Rust's regular expressions: other matches and groups", "url-pattern-match",
        is_of_expression, pathnames({"search": "bb"}, search=":a((?:[ab])??)+:b"),
    ),
    Deviation(
        "upa-url", "a part of a regular expression that repeats may take nothing", "url-pattern-match",
        lambda one: one.place.startswith("groups of ") and has_regexp(one),
        pathnames({"search": "00"}, search="((?:[a-z]+|0*?)?):a"),
    ),
    Deviation(
        "upa-url", "a space at the end of an opaque path is encoded", "canonicalize-an-opaque-pathname",
        is_opaque_with_a_space, pathnames({"protocol": "x", "pathname": "a "}),
    ),
    Deviation(
        "upa-url", "a default port is dropped in each pattern: before change #286", "canonicalize-a-port",
        is_default_port, pathnames(protocol="https", port="0443"),
    ),
    Deviation(
        "node", "the default port of a file is 0", "url-pattern-create",
        is_port_0_of_a_file, pathnames(protocol="file", port="0"),
    ),
    Deviation(
        "urlpattern", "a text of tabs and newlines does not make a part",
        "maybe-add-a-part-from-the-pending-fixed-value",
        is_of_nothing, pathnames(pathname="/\n**"),
    ),
    Deviation(
        "node", "a prefix or suffix that begins with a slash is not grouped", "generate-a-pattern-string",
        is_without_braces, pathnames(pathname="/a{//:b}"),
    ),
    Deviation(
        "node", "backslashes of a path stay", "canonicalize-a-pathname",
        is_of_a_backslash,
        pathnames(pathname="a\\\\b*"),
    ),
    Deviation(
        "urlpattern", "dot segments of a text inside a path go further", "canonicalize-a-pathname",
        lambda one: one.place == "pathname" and ".." in one.text, pathnames(pathname="/f*oo/../bar"),
    ),
    Deviation(
        "node", "two leading question marks of a search are removed", "process-search-for-init",
        has_two_marks, pathnames({"search": "??"}),
    ),
    Deviation(
        "node", "an opaque path is parsed as the path of a URL", "canonicalize-an-opaque-pathname",
        is_of_opaque_path, pathnames(protocol="x", pathname="//a"),
    ),
    Deviation(
        "node", "an apostrophe in a search is not percent-encoded", "canonicalize-a-search",
        is_apostrophe, pathnames(search="'"),
    ),
    Deviation(
        "node", "a string that is not a URL matches as a path", "url-pattern-match",
        is_not_a_url, ([{}], [["/foo"]]),
    ),
    Deviation(
        "node",
        "a protocol is not canonicalized by the URL parser, which removes tabs and spaces, and ends it at a colon",
        "canonicalize-a-protocol", lambda one: is_refused(one) and re.search("[\0- :]", one.text) is not None,
        pathnames(protocol="ht\ntp"),
    ),
    Deviation(
        "node", "a port of tabs and newlines is empty", "canonicalize-a-port",
        lambda one: is_accepted(one) and has_stripped(one), pathnames(port="\n"),
    ),
    Deviation(
        "urlpattern", "refuses some texts of tabs and newlines between parts", "escape-a-pattern-string",
        lambda one: is_refused(one) and has_stripped(one), pathnames(pathname=":a\t*?"),
    ),
    Deviation(
        "urlpattern", "a port of tabs and newlines is empty", "canonicalize-a-port",
        lambda one: is_accepted(one) and has_stripped(one), pathnames(port="\n"),
    ),
)  # fmt: skip
