"""InvalidURL: what it holds, what it says, and what it never shows."""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from test_validation import CASES

import weburl
from weburl import URL, InvalidURL, PatternError, is_valid, normalize, validate
from weburl._core.failures import FAILURE_NAMES
from weburl._core.parser import set_max_length
from weburl._diagnosis import failures
from weburl._diagnosis.credentials import redact, without_secrets
from weburl._diagnosis.messages import shown as shown_input
from weburl.bulk import normalize_many
from weburl.hosts import domain_to_ascii, host_matches, parse_host
from weburl.percent import percent_encode

SECRET = "hunter2"


def failure(text: str, base: str | None = None) -> InvalidURL:
    with pytest.raises(InvalidURL) as raised:
        URL(text, base)
    return raised.value


def shown(error: InvalidURL) -> str:
    return "\n".join([str(error), repr(error), repr(error.args), "".join(traceback.format_exception_only(error))])


def test_is_a_value_error() -> None:
    assert issubclass(InvalidURL, ValueError)
    assert InvalidURL.__module__.startswith("weburl")
    assert weburl.InvalidURL is InvalidURL


def test_says_what_is_wrong_with_which_host() -> None:
    error = failure("http://a b/")
    assert (error.input, error.base, error.error) == ("http://a b/", None, "domain-to-ASCII")
    assert "a b" in str(error)
    assert "host" in str(error) or "domain" in str(error)


@pytest.mark.parametrize(
    ("text", "base", "error"),
    [
        ("x", None, "missing-scheme-non-relative-URL"),
        ("http://", None, "host-missing"),
        ("http://h:65536", None, "port-out-of-range"),
        ("http://h:x", None, "port-invalid"),
        ("http://[::1", None, "IPv6-unclosed"),
        ("x://a b", None, "host-invalid-code-point"),
        ("http://1.2.3.4.5", None, "IPv4-too-many-parts"),
        ("x", "y", "base"),
        ("http://h/", "http://h:x", "base"),
        ("x", "y:z", "missing-scheme-non-relative-URL"),
    ],
)
def test_holds(text: str, base: str | None, error: str) -> None:
    raised = failure(text, base)
    assert (raised.input, raised.base, raised.error) == (text, base, error)
    assert (base if error == "base" else text) in str(raised)  # type: ignore[operator]


def test_base_given_as_url() -> None:
    with pytest.raises(InvalidURL) as raised:
        URL("//a b", URL("http://H"))
    assert (raised.value.input, raised.value.base) == ("//a b", "http://h/")


@pytest.mark.parametrize(
    ("text", "base"),
    [
        (f"http://u:{SECRET}@a b/", None),
        (f"http://{SECRET}@a b/", None),
        (f"http://{SECRET}:{SECRET}@a b/", None),
        (f"http://u:x@{SECRET}@a b/", None),
        (f"http://u@x:{SECRET}@a b/p@q", None),
        (f"https:u:{SECRET}@a b", None),
        (f"http:////u:{SECRET}@a b", None),
        (f"http:\\\\u:{SECRET}@a b", None),
        (f"http:/\\u:{SECRET}@a b", None),
        (f"  http://u:{SECRET}@a b", None),
        (f"ht\ttp:/\n/u:{SECRET}@a b", None),
        (f"x://u:{SECRET}@a b/", None),
        (f"x:/\t/u:{SECRET}@a b/", None),
        (f"http://u:{SECRET}@", None),
        (f"http://u:{SECRET}@h:99999/", None),
        (f"http://u:{SECRET}@[::1", None),
        (f"//u:{SECRET}@h/", None),
        (f"file://[u:{SECRET}@h/", None),
        (f"//u:{SECRET}@h/", "file:///"),
        (f"\\\\u:{SECRET}@h/", "x"),
        (f"//u:{SECRET}@a b/", "http://h/"),
        (f"/\\u:{SECRET}@a b/", "http://h/"),
        (f"///u:{SECRET}@a b/", "http://h/"),
        (f"http:/u:{SECRET}@a b/", "https://h/"),
        ("//a b/", f"http://u:{SECRET}@h/"),
        ("p", f"http://u:{SECRET}@a b/"),
        (f"//u:{SECRET}@a b/", f"x://u:{SECRET}@h/"),
        (f"http://u:{SECRET}@" + "a" * 200 + " b", None),
        (f"http://u:{SECRET}" + "a" * 200 + "@a b", None),
        (f"http://{'u' * 95}:{SECRET}@a b", None),
        (f"file://u:{SECRET}@h/", None),
        (f"http://u:{SECRET}\\@h/", None),
        (f"http://u:{SECRET}/x@h/", None),
        (f"http://u@corp:{SECRET}?@h/", None),
        (f"http://u:99999/{SECRET}#@h/", None),
    ],
)
def test_redacts(text: str, base: str | None) -> None:
    error = failure(text, base)
    assert SECRET not in shown(error)
    assert "***" in str(error) or error.error == "base" or SECRET not in text or len(text) > 100
    assert (error.input, error.base) == (text, base)


def test_redacts_what_tabs_divide() -> None:
    error = failure("http://u:zqz\tqzq@a b/")
    assert "zqz" not in shown(error)
    assert "qzq" not in shown(error)


def test_redacts_elsewhere() -> None:
    text = f"http://u:{SECRET}@a b/"
    url = URL("http://h/")
    for call in (
        url.join,
        weburl.normalize,
        lambda value: weburl.join("http://h/", value),
        lambda value: setattr(url, "href", value),
    ):
        with pytest.raises(InvalidURL) as raised:
            call(text)
        assert SECRET not in shown(raised.value)
        assert raised.value.input == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://a b/?token=abc&x=1", "http://a b/?token=***&x=1"),
        ("/x?a=1&sig=abc", "/x?a=1&sig=***"),
        ("/x;jsessionid=abc#access_token=abc&b=1", "/x;jsessionid=***#access_token=***&b=1"),
        ("http://u:abc@a b/?X-Api-Key=abc;pin=abc", "http://***@a b/?X-Api-Key=***;pin=***"),
        ("/x?author=a&design=b&q=token=c&token=", "/x?author=a&design=b&q=token=c&token="),
    ],
)
def test_values_of_secret_parameters_are_not_shown(text: str, shown: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        URL(text)
    assert f"in '{shown}': " in str(raised.value)
    assert raised.value.input == text
    with pytest.raises(InvalidURL) as raised:
        URL("x", text)
    assert "abc" not in str(raised.value)


def test_the_value_of_a_secret_parameter_in_a_query_is_not_shown() -> None:
    before = set_max_length(50)
    try:
        for name in ("query", "search"):
            with pytest.raises(InvalidURL) as raised:
                URL("http://h/").replace(**{name: f"token=abc&b={'c' * 50}"})
            assert "abc" not in str(raised.value)
            assert "token=***&b=ccc" in str(raised.value)
    finally:
        set_max_length(before)


def test_messages_of_long_queries_take_linear_time() -> None:
    for unit in ("?", "?token", "?token=", "token&=;", "#sig=a&"):
        for count in (1000, 100_000):
            assert without_secrets(unit * count)


def test_no_secret_to_redact() -> None:
    assert "***" not in str(failure("http://a b/c@d"))
    assert "***" not in str(failure("http://a b?c@d"))
    assert "***" not in str(failure("http://[::1/c@d"))
    assert (
        str(failure("http://u@h:x/")) == "port-invalid in 'http://***@h:x/': A port cannot have 'x': write digits only."
    )


@pytest.mark.parametrize(
    "character", ["q", "\0", "\x1b", "\n", "\u202e", "\u2028", "ж", "\U0001f600", "\ud800", "\\", "\x7f"], ids=ascii
)
def test_shows_little_and_escaped(character: str) -> None:
    text = "http://" + character * 5000 + " /"
    error = failure(text)
    for message in (str(error), repr(error)):
        assert message.isprintable()
        assert message.encode()
        # 100 escaped characters of the input, and what is said of them.
        assert len(message) < 600
    assert str(error).count("q") <= 104
    assert error.input == text


@pytest.mark.parametrize("count", range(80, 120))
def test_shows_a_hundred_characters(count: int) -> None:
    """Of the input and of what is wrong in it, together: here one of a port, there sixty of a text without a scheme."""
    text = "http://h:x/" + "a" * (count - 11)
    assert f" in '{text[:99]}{'...' if count > 99 else ''}': " in str(failure(text))
    assert f" in '{'x' * 40}...': " in str(failure("x" * count))


def test_shows_little_of_a_long_base() -> None:
    error = failure("//a b", "http://h/" + "q" * 5000)
    assert shown(error).count("q") <= 4 * 104


def test_the_row_is_pickled() -> None:
    with pytest.raises(InvalidURL) as raised:
        normalize_many(["http://h/", "x"], on_error="raise")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.row, str(again)) == (1, str(raised.value))
    assert copy.copy(raised.value).row == 1


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    ("text", "base"),
    [("http://a b/", None), (f"//u:{SECRET}@a\0b", "http://h/"), ("x\ud800", None), ("x", "y")],
    ids=ascii,
)
def test_pickles(text: str, base: str | None, protocol: int) -> None:
    error = failure(text, base)
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is InvalidURL
    assert (again.input, again.base, again.error) == (error.input, error.base, error.error)
    assert (str(again), repr(again), again.args) == (str(error), repr(error), error.args)


def test_copies() -> None:
    error = failure("http://a b/")
    for again in (copy.copy(error), copy.deepcopy(error)):
        assert (again.input, again.base, again.error, str(again)) == (error.input, error.base, error.error, str(error))


def test_one_parse_does_not_touch_another() -> None:
    first = failure("http://a b/")
    failure("http://h:x/")
    assert first.error == "domain-to-ASCII"
    assert first.__cause__ is None
    assert first.__context__ is None


@pytest.mark.parametrize(("text", "base"), [(text, base) for text, base, _, fails in CASES if fails])
def test_position_and_message_are_of_the_last_validation_error(text: str, base: str | None) -> None:
    error = failure(text, base)
    last = validate(text, base)[-1]
    assert last.failure
    assert (error.error, error.position, error.message) == (last.name, last.position, last.message)
    assert str(error) == f"{error.error} in {shown_input(redact(text), 100)}: {error.message}"


@pytest.mark.parametrize(
    ("url", "base", "position", "message"),
    [
        (" http://a b/", None, 8, "The label 'a b' of the domain has ' '"),
        ("http://h:8x/", None, 10, "A port cannot have 'x'"),
        ("x", None, 0, "no scheme"),
        ("x", "mailto:y", 0, "opaque path"),
        ("x", "http://", None, "does not parse"),
    ],
)
def test_position_and_message(url: str, base: str | None, position: int | None, message: str) -> None:
    error = failure(url, base)
    assert error.position == position
    assert message in error.message
    assert str(error).endswith(error.message)


@pytest.mark.parametrize(
    ("url", "parts", "error", "position", "message"),
    [
        (
            "http://h/",
            {"port": "x"},
            "port-invalid",
            None,
            "The port is not a number: write its digits alone, such as 8080.",
        ),
        (
            "http://h/",
            {"port": "65536"},
            "port-out-of-range",
            0,
            "The port '65536' is too large: the largest is 65535.",
        ),
        ("http://h/", {"port": 70000}, "port-out-of-range", 0, "The port '70000' is too large: the largest is 65535."),
        ("http://h/", {"port": 10**9}, "port-out-of-range", 0, "The port '1000000000' is too large"),
        ("http://h/", {"port": 10**5000}, "port-out-of-range", 0, f"The port '1{'0' * 59}...' is too large"),
        (
            "http://h/",
            {"port": -5},
            "port-invalid",
            0,
            "A port is not negative: write a number from 0 to 65535",
        ),
        ("http://h/", {"host": "1.2.3.\t256:8"}, "IPv4-out-of-range-part", 7, "The IPv4 address has '256', above 255"),
        ("http://h/", {"hostname": "a_b c"}, "domain-to-ASCII", 0, "The label 'a_b c' of the domain has ' ', which"),
        ("http://h/", {"host": ""}, "host-missing", 0, "The host is missing: write it here."),
        (
            "http://h/",
            {"host": f"{SECRET}@h"},
            "domain-to-ASCII",
            0,
            "The domain is not valid: remove the text before the @",
        ),
        ("file://h/", {"host": "a:b"}, "domain-to-ASCII", 0, "The label 'a:b' of the domain has ':'"),
        ("x://h/", {"hostname": "é<"}, "host-invalid-code-point", 1, "A host cannot have '<'"),
        ("http://h/", {"href": "http://h:x"}, "port-invalid", 9, "A port cannot have 'x'"),
        ("mailto:a", {"host": "h"}, "ignored", None, "This URL cannot have this host."),
        ("mailto:a", {"hostname": "a/b"}, "ignored", None, "This URL cannot have this hostname."),
        ("http://h/", {"hostname": "a/b"}, "domain-to-ASCII", 1, "A host cannot have '/': remove it."),
        ("http://h/", {"host": "a:80?b"}, "domain-to-ASCII", 4, "A host cannot have '?': remove it."),
        ("http://h/", {"hostname": r"a\b"}, "domain-to-ASCII", 1, r"A host cannot have '\\': remove it."),
        (
            "http://h/",
            {"host": "a:80b"},
            "port-invalid",
            None,
            "The port is not a number: write its digits alone, such as 8080.",
        ),
        (
            "http://h/",
            {"host": "a:1b@c"},
            "port-invalid",
            None,
            "The port is not a number: write its digits alone, such as 8080.",
        ),
        (
            "x://h/",
            {"host": "[::1]:1:2"},
            "port-invalid",
            None,
            "The port is not a number: write its digits alone, such as 8080.",
        ),
        ("x://h/", {"hostname": "a#"}, "host-invalid-code-point", 1, "A host cannot have '#': remove it."),
        ("http://h/", {"protocol": "1"}, "scheme-invalid", 0, "A scheme is a letter"),
        ("http://h/", {"protocol": "a b:"}, "scheme-invalid", 1, "A scheme is a letter"),
        ("http://h/", {"protocol": "https::"}, "scheme-invalid", 5, "A scheme is a letter"),
        ("http://h/", {"scheme": "https:"}, "scheme-invalid", 5, "A scheme is a letter"),
        ("http://h/", {"scheme": ""}, "scheme-invalid", 0, "A scheme is a letter"),
        ("http://h/", {"protocol": "x:"}, "ignored", None, "This URL cannot have this protocol."),
        ("http://h/", {"scheme": "x"}, "ignored", None, "This URL cannot have this scheme."),
    ],
)
def test_position_and_message_of_a_part(
    url: str, parts: dict[str, Any], error: str, position: int | None, message: str
) -> None:
    with pytest.raises(InvalidURL) as raised:
        URL(url).replace(**parts)
    assert (raised.value.error, raised.value.position) == (error, position)
    assert raised.value.message.startswith(message)
    assert str(raised.value).startswith(f"{error} in the {raised.value.part} '")
    assert str(raised.value).endswith(f"': {raised.value.message}")
    assert SECRET not in shown(raised.value)


@pytest.mark.parametrize(
    ("call", "position", "message"),
    [
        (lambda: parse_host("a.b_c d"), 0, "The label 'b_c d' of the domain has ' ', which no domain"),
        (lambda: parse_host(":b<", opaque=True), None, "The host is not valid."),
        (lambda: parse_host("ab<", opaque=True), 2, "A host cannot have '<'"),
        (lambda: parse_host(""), 0, "The host is missing"),
        (lambda: domain_to_ascii("a_b", strict=True), 0, "The label 'a_b' of the domain has '_'"),
    ],
)
def test_position_and_message_of_a_host(call: Callable[[], object], position: int | None, message: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        call()
    assert raised.value.position == position
    assert raised.value.message.startswith(message)


def test_what_is_too_long_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._literal.parse", None)
    error = InvalidURL("http://h/" + "a" * 1000, None, "too-long")
    assert error.position is None
    assert error.message == "The URL would be longer than a URL may be."
    assert len(str(error)) < 200


def test_an_error_that_does_not_fit_the_input() -> None:
    error = InvalidURL("http://h/", None, "port-out-of-range")
    assert (error.position, error.message) == (None, "The URL is not valid.")
    assert InvalidURL("", None, "").message == "The URL is not valid."


@pytest.mark.parametrize(
    "call",
    [
        lambda text: is_valid("x", kind=text),
        lambda text: percent_encode("x", text),
        lambda text: host_matches("h", f"*.1.2.3.4/{text}"),
        lambda text: normalize("http://h/", encoding=text),
    ],
)
def test_arguments_are_shown_like_urls(call: Callable[[str], object]) -> None:
    for text in ("https://user:hunter2@host/", "x" * 10**6, "\x1b" * 1000):
        with pytest.raises((ValueError, LookupError)) as raised:
            call(text)
        if not isinstance(raised.value, LookupError):
            assert "hunter2" not in str(raised.value)
        assert len(str(raised.value)) < 700
        assert str(raised.value).isprintable()
    with pytest.raises((ValueError, TypeError)):
        call(5)  # type: ignore[arg-type]


@pytest.mark.long
def test_a_long_pattern_is_shown_in_part() -> None:
    for pattern in ("*." + "a" * 10**6 + "*", "a" * 10**6 + "..b"):
        with pytest.raises(ValueError, match=r"^an entry is a host") as raised:
            host_matches("h", pattern)
        assert len(str(raised.value)) < 200


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("server", ["user:hunter2@host", "user:hun/hunter2@host"])
def test_no_secrets_of_a_verbatim_server(windows: bool, server: str) -> None:
    for prefix in ("\\\\?\\UNC\\", "\\\\?\\unc\\"):
        with pytest.raises(InvalidURL) as raised:
            URL.from_path(f"{prefix}{server}\\share", windows=windows)
        assert SECRET not in shown(raised.value) + raised.value.message


def test_each_failure_has_a_message() -> None:
    """That of a part says more than that it is not valid."""
    names = [failure.name for failure in failures.FAILURES]
    assert len(names) == len(set(names)) == len(FAILURE_NAMES) - 1
    for failure in failures.FAILURES:
        if failure.of == "part":
            assert InvalidURL("x", None, failure.name, "path").message == failure.sentence.format(part="path")


def test_arguments_that_are_mixed_up_are_not_shown() -> None:
    for error in (
        InvalidURL("a", "b", f"https://me:{SECRET}@h/"),
        InvalidURL("a", "b", "x", f"https://me:{SECRET}@h/"),
    ):
        assert SECRET not in f"{error} {error!r} {error.message}"


def test_their_signatures() -> None:
    assert list(inspect.signature(InvalidURL).parameters) == ["input", "base", "error", "part"]
    assert list(inspect.signature(PatternError).parameters) == ["message", "position"]
