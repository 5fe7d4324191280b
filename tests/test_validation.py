"""`validate`: its messages, and its limits; test_literal.py tests the names and places of the errors."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.literal_compare import error_of
from support.shapes import HOSTS, SHAPES, Make, fill
from test_linear import check
from test_literal import DERIVED, EXAMPLES, Errors

from weburl import URL, InvalidURL
from weburl._diagnosis.failures import MESSAGES
from weburl._diagnosis.messages import RULES, WARNINGS
from weburl._diagnosis.validation import parse_base
from weburl._literal import parse
from weburl.validation import ValidationError, explain, is_valid, validate

CASES = [example for examples in EXAMPLES.values() for example in examples] + DERIVED


def messages(text: str, base: str | None = None) -> list[str]:
    return [error.message for error in validate(text, base)]


@pytest.mark.parametrize(("text", "base", "expected", "failure"), CASES)
def test_errors(text: str, base: str | None, expected: Errors, failure: bool) -> None:
    found = validate(text, base)
    assert [(error.name, error.position, error.end) for error in found] == expected
    assert [error.failure for error in found] == [failure and index == len(found) - 1 for index in range(len(found))]
    assert error_of(text, base, "utf-8") == (found[-1].name if failure else None)
    for error in found:
        assert 0 <= error.position <= error.end <= len(text)
        assert error.message.isprintable()
        assert error.message[0].isupper()
        assert error.message.endswith(".")
        assert "{" not in error.message


# https://url.spec.whatwg.org/#writing: the rows whose last column says that it is no failure, and a newer one.
NO_FAILURES = {
    "domain-percent-encoded", "IPv4-non-ASCII-input", "IPv4-empty-part", "IPv4-too-few-parts", "IPv4-non-decimal-part",
    "IPv6-piece-leading-zero", "invalid-URL-unit", "special-scheme-missing-following-solidus",
    "invalid-reverse-solidus", "invalid-credentials", "file-invalid-Windows-drive-letter",
    "file-invalid-Windows-drive-letter-host",
}  # fmt: skip


def test_the_table_is_right_where_the_documentation_does_not_say_otherwise() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "validity.md").read_text(encoding="utf-8")
    _, section = page.split("## Where the table of validation errors and the algorithms differ\n")
    headings = re.findall(r"^\*\*(.*)\*\*$", section.partition("\n## ")[0], re.MULTILINE)
    documented = {name for heading in headings for name in heading.split(", ")}
    assert len(documented) > 8
    assert documented < EXAMPLES.keys()
    for name, examples in EXAMPLES.items():
        if name not in documented:
            for _, _, expected, failure in examples:
                assert {error for error, _, _ in expected} == {name}
                assert failure is (name not in NO_FAILURES)


def test_valid() -> None:
    for text in ("https://example.com/", "mailto:a@b", "https://faß.example/ä?ö#ü", "x://h:1/"):
        assert validate(text) == []
    assert validate("../a?b", "https://example.com/") == []
    assert validate(URL("https://example.com/"), URL("https://example.com/")) == []


def test_record() -> None:
    [error] = validate("https://h/>")
    assert error == ValidationError(
        "invalid-URL-unit", 10, 11, False, "A valid URL cannot have '>' here: write %3E instead."
    )
    with pytest.raises(AttributeError):
        error.name = "x"  # type: ignore[misc]
    assert hash(error) == hash(error._replace())


@pytest.mark.parametrize("failure", [False, True])
def test_more_errors(failure: bool) -> None:
    for count in (9_999, 10_000, 10_001, 15_000):
        text = "http://" + "@" * (count - 1) + ("h:x" if failure else "h/>")
        errors = validate(text)
        assert len(errors) == min(count, 10_000)
        assert [error.failure for error in errors] == [False] * (len(errors) - 1) + [failure]
        assert errors[-1].name == ("port-invalid" if failure else "invalid-URL-unit")
        assert (errors[-1].position, errors[-1].end) == (len(text) - 1, len(text))
        more = [error for error in errors if error.name == "more-errors"]
        assert more == errors[-2:-1] if count > 10_000 else more == []
        if more:
            assert f"are {count - 9_999:,} more errors" in more[0].message
            assert more[0].position == 7 + 9_998
        # No other error is lost.
        assert [error.position for error in errors[:9_998]] == list(range(7, 7 + min(count - 1, 9_998)))
        assert "invalid-credentials, 11 times" in explain(text)
        assert f"and {count - 12} more before the last" in explain(text)


def test_what_a_long_domain_says() -> None:
    for host in ("é" * 20_000 + "^", "xn--" + "a" * 20_000 + ".x^"):
        [error] = validate(f"http://{host}/")
        assert (error.name, error.position, error.end) == ("domain-to-ASCII", 7, 7 + len(host))
        assert error.message == "The domain is not valid, and it is too long to say why: write a shorter one."
    [error] = validate("http://" + "a." * 20_000 + "b^c.d^e/")
    assert error.message.startswith("The label 'b^c' of the domain has '^'")


def alone(text: str, base: str | None) -> None:
    errors = validate(text, base)
    if URL.can_parse(text, base):
        assert not [error for error in errors if error.failure]
        return
    with pytest.raises(InvalidURL) as raised:
        URL(text, base)
    error, last = raised.value, errors[-1]
    assert (error.error, error.position, error.message) == (last.name, last.position, last.message)


LONG = 10_001
LONG_FAILURES = [
    "http://" + host + rest
    for host in (
        "a." * LONG, "A^" * LONG, "a." * LONG + "B^.c^", "é" * LONG, "é." * LONG + "1.2", "é" * LONG + "^", "1." * LONG,
        "xn--9ca." * LONG + "256", "xn--9ca." * LONG, "xn--a" * LONG, "%41" * LONG + "^", "１." * LONG,
        "0." * LONG + "x.9",
    )
    for rest in ("", ":x", ":65536")
]  # fmt: skip


@pytest.mark.sample(13)
@pytest.mark.parametrize(
    "text",
    # One is only too long, in a build with offsets of 16 bits.
    [pytest.param(text, marks=[pytest.mark.long] * text.endswith(".xn--9ca.")) for text in LONG_FAILURES],
    ids=[text[7:20] + text[-6:] for text in LONG_FAILURES],
)
def test_the_failure_alone(text: str) -> None:
    """The message of an InvalidURL is that of the last error of `validate`, which finds the others as well."""
    alone(text, None)


def test_the_failure_alone_with_a_base() -> None:
    for base in ("http://h/a/b?c#d", "file:///C:/a", "x:opaque", "x://h/a"):
        for text in ("http://h:x", "//h:x/", "a b", "", "//[", "/C|/"):
            alone(text, base)


def test_no_credentials() -> None:
    assert messages("http://u:secret/x@h")[-1] == (
        "The port is not valid: if a password starts here, percent-encode / ? # and \\ in it."
    )
    assert messages("file://u:secret@h/") == ["The domain is not valid: remove the text before the @, and the @."]
    assert messages("blob:https://u:<@h/") == ["A valid URL cannot have *** here: percent-encode it."]
    assert messages("http://h:x/") == ["A port cannot have 'x': write digits only."]


def test_base_that_does_not_parse() -> None:
    for function in (validate, is_valid):
        with pytest.raises(InvalidURL) as raised:
            function("https://h/>", "http://u:secret@h:x")
        assert (raised.value.error, raised.value.position) == ("base", None)
        assert raised.value.message == "The base 'http://***@h:x' does not parse (port-invalid): give another one."
        with pytest.raises(InvalidURL) as raised:
            function("a", "b" * 10**4)
        assert len(str(raised.value)) < 250


@pytest.mark.parametrize("value", [None, 1, b"http://h", ["x"]])
def test_wrong_types(value: object) -> None:
    name = type(value).__name__
    for function, what in ((validate, "url"), (is_valid, "text")):
        with pytest.raises(TypeError, match=f"{what} must be a str or a URL, not {name}"):
            function(value)  # type: ignore[arg-type]
        if value is not None:
            with pytest.raises(TypeError, match=f"base must be a str, a URL or None, not {name}"):
                function("http://h", value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not bytes: decode it first"):
        validate(b"http://h")  # type: ignore[arg-type]


def test_str_subclass() -> None:
    class Text(str):
        def __getitem__(self, index: object) -> str:
            raise AssertionError

    assert [error.name for error in validate(Text("http://h/>"), Text("http://h"))] == ["invalid-URL-unit"]


def test_is_valid() -> None:
    assert is_valid("https://example.com/")
    assert is_valid(URL("https://example.com/"))
    assert is_valid("a", "https://example.com/")
    assert is_valid("a", URL("https://example.com/"))
    assert not is_valid("a")
    assert not is_valid("https://example.com/>")


# Sentences


def test_an_ipv4_address_that_is_written_otherwise_is_given() -> None:
    [first, second, third] = messages("http://0x7f.256/")
    assert first == "The IPv4 address has fewer than four numbers: write all four, as in 127.0.1.0."
    assert second == "The IPv4 address has '0x7f' in hexadecimal or octal: write it in decimal, as in 127.0.1.0."
    assert third == "The IPv4 address has '256', above 255: write four numbers up to 255, as in 127.0.1.0."


def test_every_name_has_a_sentence() -> None:
    assert {*MESSAGES, *WARNINGS} < EXAMPLES.keys()
    for name, examples in EXAMPLES.items():
        sentences = [e.message for text, base, *_ in examples for e in validate(text, base) if e.name == name]
        assert sentences
        assert all(sentences)


@pytest.mark.parametrize(
    ("text", "base", "sentence"),
    [
        ("x", None, "The URL has no scheme: start it with one, such as https://, or give a base."),
        ("x", "mailto:a", "The base is a 'mailto' URL with an opaque path: only a fragment can be relative to it."),
        ("http://h/%z", None, "Two hexadecimal digits have to follow %: write %25 for a percent sign."),
        ("http://h/\x7f", None, "A valid URL cannot have '\\x7f' here: write %7F instead."),
        ("http://h/\ufdd0", None, "A valid URL cannot have '\\ufdd0' here: write %EF%B7%90 instead."),
        ("http://h/a\tb", None, "Tabs and newlines in a URL do not count: remove them."),
        ("http://h/\n", None, "Spaces and control characters around a URL do not count: remove them."),
        ("x:a b", None, "A valid URL cannot have ' ' here: write %20 instead."),
        ("http://1.2.3/", None, "The IPv4 address has fewer than four numbers: write all four, as in 1.2.0.3."),
        ("http://0x7f.1.1.256", None, "The IPv4 address has '256', above 255: write four numbers up to 255."),
        ("http://1.2.3.256/", None, "The IPv4 address has '256', above 255: write four numbers up to 255."),
        ("http://[1:2:]", None, "The IPv6 address ends too early: write the rest here."),
        ("http://[1:g]", None, "The IPv6 address cannot have 'g' here."),
        ("http://[::1.]", None, "The IPv4 address in the IPv6 address ends too early: write the rest here."),
        ("http://[::1.x]", None, "The IPv4 address in the IPv6 address cannot have 'x' here."),
        ("http:///h", None, "No more than two slashes come before the host: remove this '/'."),
        ("http:h", "http://x",
         "The scheme is not followed by two slashes: write // here or, for a relative URL, no scheme."),
        ("http:h", "x://x", "The scheme is not followed by two slashes: write // here."),
        ("http://h:8x", None, "A port cannot have 'x': write digits only."),
        ("file:///C|/a", None, "A valid URL cannot have '|' here: write : after a drive letter, and %7C elsewhere."),
        ("C|", "file:///d:/a", "A valid URL cannot have '|' here: write : after a drive letter, and %7C elsewhere."),
        ("http://h/C|/a", None, "A valid URL cannot have '|' here: write %7C instead."),
        ("file:/h", None, "The scheme is followed by '/': write // instead."),
        ("http://１.2.3.4/", None,
         "The IPv4 address has characters that are not ASCII: write it with digits and dots, as in 1.2.3.4."),
        ("x:\ud800", None,
         "A valid URL cannot have '\\ud800', half of a surrogate pair: remove it, or write the character."),
        ("http://%41/", None, "The domain has '%41': write the character itself, not percent-encoded."),
    ],
)  # fmt: skip
def test_sentences(text: str, base: str | None, sentence: str) -> None:
    assert messages(text, base)[-1] == sentence


# A host for each rule, with the sentence's words for the label.
DOMAINS = {
    "P4": ("xn--a-.é", "'xn--a-' of the domain starts with xn-- but"),
    "V1": ("xn--u-ccb.é", "'u\u0308' of the domain is not in Normalization Form C"),
    "V2": ("ab--c", "'ab--c' of the domain has hyphens as its third"),
    "V3": ("-a", "'-a' of the domain starts or ends with a hyphen"),
    "V4": ("xn--xn---epa.é", "'xn--é' of the domain starts with xn-- once more"),
    "V6": ("\u0301a", "'\u0301a' of the domain starts with a combining mark"),
    "V7": ("a\u2028é\U000e0001b", "has '\\u2028', '\\U000e0001', which no domain can have"),
    "U1": ("a_b$c", "'a_b$c' of the domain has '_', '$', where only a to z"),
    "C1": ("a\u200cb", "'a\\u200cb' of the domain has a zero width non-joiner"),
    "C2": ("a\u200db", "'a\\u200db' of the domain has a zero width joiner"),
    "B1": ("1א", "'1א' of the domain has to start with a letter"),
    "B2": ("אaא", "'אaא' of the domain is right-to-left and has a character"),
    "B3": ("א+.é", "'א+' of the domain is right-to-left and does not end"),
    "B4": ("א1\u0661א", "is right-to-left and has both European and Arabic-Indic digits"),
    "B5": ("aאb", "'aאb' of the domain is left-to-right, in a domain with right-to-left characters, and has one"),
    "B6": ("a-.א", "'a-' of the domain is left-to-right, in a domain with right-to-left characters, and does not"),
    "A4_2": ("é" * 70, "has more than 63 characters in its ASCII form"),
}


def test_every_rule_has_a_domain() -> None:
    assert set(DOMAINS) == set(RULES)


@pytest.mark.parametrize("rule", DOMAINS)
def test_domains(rule: str) -> None:
    host, words = DOMAINS[rule]
    [error] = parse(f"http://{host}/").errors
    assert error.detail[0].rule == rule
    [message] = messages(f"http://{host}/")
    assert words in message
    assert message.endswith(f" (UTS 46, {rule}).")


@pytest.mark.parametrize(
    ("host", "sentence"),
    [
        ("a..b", "The domain has an empty label: remove the dot that starts or ends it, or one of two in a row"
         " (UTS 46, A4_2)."),
        ("a.b.", "The domain has an empty label: remove the dot that starts or ends it, or one of two in a row"
         " (UTS 46, A4_2)."),
        ("a." * 130 + "a", "The domain is longer than 253 characters in its ASCII form: write a shorter one"
         " (UTS 46, A4_1)."),
        ("\u00ad", "The domain has only dots and characters that do not count: write a domain (UTS 46, A4_1)."),
        (".", "The domain has only dots and characters that do not count: write a domain (UTS 46, A4_1)."),
    ],
    ids=ascii,
)  # fmt: skip
def test_lengths_of_domains(host: str, sentence: str) -> None:
    assert messages(f"http://{host}/") == [sentence]


def test_a_forbidden_code_point_is_named() -> None:
    assert "'a#b' of the domain has '#'" in messages("http://x_y.a%23b/")[-1]
    assert "'c d' of the domain has ' '" in messages("http://x_y.c d/")[-1]
    assert "'a％b'" not in messages("http://a％b/")[-1]
    assert "'a%b' of the domain has '%'" in messages("http://a％b/")[-1]


def test_punycode_of_what_would_be_mapped() -> None:
    """If no single character is wrong, the message is still a whole sentence."""
    [sentence] = messages("http://xn--8i7caa/")
    assert sentence == (
        "The label 'ｗｗｗ' of the domain has characters in the wrong form, which no domain can have (UTS 46, V7)."
    )


SECRET = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        f"http://u:{SECRET}@h:x/", f"http://{SECRET}@h/", f"http://u:{SECRET}@", f"http://u:{SECRET}@@a b/",
        f"x://{SECRET}:{SECRET}@h|/", f"http:\\\\u:{SECRET}@[::1/", f"//{SECRET}@h/",
        f"file://u:{SECRET}@h/", f"file://{SECRET}@h/", f"file://[{SECRET}@h/", f"file:\\\\u:{SECRET}@é",
    ],
)  # fmt: skip
def test_no_secrets(text: str) -> None:
    found = validate(text)
    assert found
    assert SECRET not in "".join(error.message for error in found)
    assert SECRET not in "".join(messages(text, "file:///"))
    if URL.can_parse(text):
        assert SECRET not in "".join(messages("a", text))
    else:
        with pytest.raises(InvalidURL) as raised:
            validate("a", text)
        assert SECRET not in str(raised.value)


HOSTILE = {
    "bidi": "http://\u202egro.elpmaxe\u202c/", "escape": "http://\x1b[31m/", "port": "http://h:\u202e",
    "host": "http://" + "a_" * 10**4, "path": "http://h/" + "\x1b" * 100, "IPv4": "http://" + "1." * 10**4,
    "number": "http://1." + "9" * 10**4, "IPv6": "http://[" + "1" * 10**4, "port number": "http://h:" + "9" * 10**4,
    "opaque": "x://" + "<" * 10**4, "labels": "http://" + "_." * 10**4 + "é", "slashes": "http:" + "/\\" * 100,
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_escaped_and_short(text: str) -> None:
    for sentence in messages(text):
        assert sentence.isprintable()
        assert len(sentence) <= 220


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, weburl, weburl.validation\n"
        "try: weburl.URL('http://h:x/')\n"
        "except weburl.InvalidURL as error: assert error.error == 'port-invalid'\n"
        "private = ['weburl._literal', 'weburl._diagnosis.grammar', 'weburl._diagnosis.picture']\n"
        "assert not set(private) & set(sys.modules), sys.modules\n"
        "weburl.validation.validate('http://h/')\n"
        "assert set(private) & set(sys.modules) == {'weburl._literal'}\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_base_up_to_its_path() -> None:
    """A base parsed only up to its path fails like the whole base, and has the parts that messages need."""
    texts = {text[:end] for case in CASES for text in case[:2] if text for end in range(len(text) + 1)}
    parsed = 0
    for text in texts.union(make(50) for make in SHAPES.values()):
        whole, start = parse(text, most_errors=1), parse_base(text)
        if whole.url is None or start.url is None:
            assert whole.url is start.url, text
            assert whole.errors == start.errors, text
        else:
            for part in ("scheme", "username", "password", "host", "port", "has_opaque_path"):
                assert getattr(whole.url, part) == getattr(start.url, part), text
            assert not start.url.path
            parsed += 1
    assert min(parsed, len(texts) - parsed) > 400


# Linear time, of the literal parser and of the sentences


@pytest.fixture
def no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.timed
@pytest.mark.usefixtures("no_garbage_collection")
@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_linear(make: Make) -> None:
    check(make, validate)


@pytest.mark.timed
@pytest.mark.usefixtures("no_garbage_collection")
@pytest.mark.parametrize("make", HOSTS.values(), ids=HOSTS)
def test_linear_hosts(make: Make) -> None:
    check(lambda n: f"http://{make(n)}/", validate)


@pytest.mark.timed
@pytest.mark.usefixtures("no_garbage_collection")
@pytest.mark.parametrize(
    "unit", ["<", "%", "_", "_.", "1.", "\u2028", "\ufdd0", "\ud83d\ude00<", "\ud800", "a\t", "//a@<"]
)
@pytest.mark.parametrize("start", ["http://", "http://h/", "x://", "x:a"])
def test_linear_errors(start: str, unit: str) -> None:
    check(fill(unit, start), validate)
