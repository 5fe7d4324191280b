"""A high surrogate followed by a low one is that character, any other surrogate is U+FFFD: at every entry point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from weburl import URL, InvalidURL, URLSearchParams, join, normalize
from weburl.bulk import normalize_many
from weburl.compat.urllib import urljoin
from weburl.compat.w3lib import canonicalize_url, safe_url_string
from weburl.crawl import DocumentBase, canonicalize, fingerprint
from weburl.display import display_url
from weburl.forms import parse_form, serialize_form
from weburl.hosts import (
    domain_to_ascii,
    domain_to_unicode,
    host_matches,
    is_private_host,
    is_private_url,
    is_safe_link,
    is_safe_redirect,
    is_valid_domain,
    is_valid_host,
    parse_host,
    url_host_matches,
)
from weburl.percent import percent_decode, percent_decode_text, percent_encode
from weburl.redact import path_template, redact

PAIR = "\ud83d" + "\ude00"
assert len(PAIR) == 2

# What is written, and what it means.
TEXTS = [
    (PAIR, "😀"),
    ("\ud83d", "\ufffd"),
    ("\ude00", "\ufffd"),
    ("\ude00\ud83d", "\ufffd\ufffd"),
    ("\ud83d\ud83d\ude00\ude00", "\ufffd😀\ufffd"),
    ("a\ud83db", "a\ufffdb"),
    ("\ud800" + "\udc00", "\U00010000"),
    ("\udbff" + "\udfff", "\U0010ffff"),
    ("é\udbff", "é\ufffd"),
    ("\ud83d\t" + "\ude00", "\ufffd\t\ufffd"),
    ("\U0001f600\ude00", "\U0001f600\ufffd"),
    ("\ud83d\U0001f600", "\ufffd\U0001f600"),
]


PLACES = [
    "http://h/*", "http://h/?*", "http://h/#*", "http://*@h/", "http://u:*@h/", "x://*/", "x:*", "x:/*/../*", "http://*/",
    "*:", "http://h:*/",
]  # fmt: skip
PARTS = ("protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")


def parsed(place: str) -> Callable[[str], object]:
    return lambda text: URL(place.replace("*", text)).href


def replaced(name: str) -> Callable[[str], object]:
    def call(text: str) -> object:
        parts: dict[str, Any] = {name: text}
        return URL("x://u:p@h:1/p?q#f").replace(**parts).href

    return call


def setter(name: str) -> Callable[[str], object]:
    def call(text: str) -> object:
        url = URL("x://u:p@h:1/p?q#f")
        setattr(url, name, text)
        return url.href, list(url.search_params)

    return call


def mutate(method: str, *before: str) -> Callable[[str], object]:
    def call(text: str) -> object:
        url = URL("http://h/?a=1")
        for params in (URLSearchParams("a=1"), url.search_params):
            getattr(params, method)(*before, text)
        return list(params), url.href

    return call


def ask(method: str, *before: str) -> Callable[[str], object]:
    def call(text: str) -> object:
        params = URLSearchParams([("\ufffd", "1"), ("😀", "2"), ("a", "\ufffd"), ("a", "😀")])
        return getattr(params, method)(*before, text)

    return call


def appended(name: str, value: str) -> URLSearchParams:
    params = URLSearchParams("a=1")
    params.append(name, value)
    return params


def set_to(name: str, value: str) -> URLSearchParams:
    params = URLSearchParams([("\ufffd", "1"), ("😀", "2")])
    params.set(name, value)
    return params


def del_item(params: URLSearchParams, name: str) -> list[tuple[str, str]]:
    if name in params:
        del params[name]
    return list(params)


ENTRY_POINTS: dict[str, Callable[[str], object]] = {
    **{f"URL({place})": parsed(place) for place in PLACES},
    "URL(url, base)": lambda text: URL(text, "http://h/" + text + "?").href,
    "URL.parse": lambda text: str(URL.parse("http://h/" + text)),
    "URL.parse base": lambda text: str(URL.parse("#a", "x:" + text)),
    "URL.can_parse": lambda text: (URL.can_parse("x:" + text), URL.can_parse("http://" + text), URL.can_parse(text)),
    "URL encoding": lambda text: URL("http://h/?" + text, encoding="latin1").search,
    "join method": lambda text: URL("http://h/").join(text).href,
    "normalize": lambda text: normalize("x:/" + text),
    "normalize base": lambda text: normalize("#", "x:" + text),
    "join": lambda text: join("http://h/" + text + "/", text),
    **{f"{name} setter": setter(name) for name in PARTS},
    "href setter": lambda text: setter("href")("x:" + text),
    **{f"replace {name}": replaced(name) for name in (*PARTS, "query", "fragment")},
    "build": lambda text: (
        URL.build(
            scheme="x", host="h", username=text, password=text, pathname="/" + text, query=text, fragment=text
        ).href
    ),
    "build opaque": lambda text: URL.build(scheme="x", pathname=text).href,
    "build host": lambda text: URL.build(scheme="x", host=text.split("\t")[0]).href,
    "build decoded": lambda text: (
        URL.build(scheme="x", path_segments=[text], params={text: text}).replace(path_segments=[text, text]) / text
    ).href,
    "params str": lambda text: list(URLSearchParams(text + "=" + text)),
    "params mapping": lambda text: list(URLSearchParams({text: text})),
    "params pairs": lambda text: list(URLSearchParams([(text, text)])),
    "params append": mutate("append", "b"),
    "params []=": mutate("__setitem__", "b"),
    "params set": mutate("set", "a"),
    "params get": ask("get"),
    "params get_all": ask("get_all"),
    "params has": ask("has"),
    "params has value": ask("has", "a"),
    "params in": ask("__contains__"),
    "params []": lambda text: URLSearchParams([("a", "1"), (text, "2")])[text],
    "params delete": mutate("delete"),
    "params delete value": mutate("delete", "a"),
    "params del []": lambda text: del_item(URLSearchParams([("\ufffd", "1"), ("😀", "2"), ("a", "3")]), text),
    "params append name": lambda text: list(appended(text, "b")),
    "params set name": lambda text: list(set_to(text, "b")),
    "params str()": lambda text: str(URLSearchParams([(text, text)])),
    "percent_encode path": lambda text: percent_encode(text, "path"),
    "percent_encode component": lambda text: percent_encode(text, "component"),
    "percent_encode form": lambda text: percent_encode(text, "form"),
    "percent_encode c0-control": lambda text: percent_encode(text, "c0-control"),
    "percent_encode encoding": lambda text: percent_encode(text, "form", encoding="shift_jis"),
    "percent_decode": percent_decode,
    "percent_decode_text": percent_decode_text,
    "parse_form": lambda text: parse_form(text + "=" + text),
    "serialize_form": lambda text: serialize_form([(text, text)]),
    "serialize_form mapping": lambda text: serialize_form({text: text}),
    "parse_host": lambda text: str(parse_host(text)),
    "parse_host opaque": lambda text: str(parse_host(text, opaque=True)),
    "domain_to_ascii": domain_to_ascii,
    "domain_to_unicode": domain_to_unicode,
    "is_valid_domain": is_valid_domain,
    "is_valid_host": is_valid_host,
    "host_matches": lambda text: host_matches(text, ["\ufffd.example", "😀"]),
    "url_host_matches": lambda text: url_host_matches("http://" + text + "/", ["\ufffd.example", "😀"]),
    "is_private_host": is_private_host,
    "is_private_url": lambda text: is_private_url("http://" + text + "/"),
    "is_safe_redirect": lambda text: is_safe_redirect("/" + text + "?" + text),
    "is_safe_link": lambda text: is_safe_link(text + "&amp;" + text),
    "canonicalize": lambda text: canonicalize("http://h/" + text + "?" + text),
    "fingerprint": lambda text: fingerprint("http://h/" + text),
    "redact": lambda text: redact("http://h/" + text + "?" + text),
    "redact of a text": lambda text: redact("http://a b/" + text),
    "path_template": lambda text: path_template("/" + text),
    "DocumentBase": lambda text: str(DocumentBase("http://h/" + text, text).resolve(text)),
    "display_url": lambda text: display_url("http://h/" + text + "?" + text + "#" + text),
    "safe_url_string": lambda text: safe_url_string("http://h/" + text + "?" + text),
    "canonicalize_url": lambda text: canonicalize_url("http://h/" + text + "?" + text),
    "urljoin": lambda text: urljoin("http://h/" + text + "/", text),
    "columns": lambda text: normalize_many(["http://h/" + text, "x:" + text], "y:/" + text).to_pylist(),
}  # fmt: skip


def outcome(call: Callable[[str], object], text: str) -> Any:
    try:
        return call(text)
    except InvalidURL as error:
        return error.error


@pytest.mark.parametrize("call", ENTRY_POINTS.values(), ids=ENTRY_POINTS)
def test_entry_point(call: Callable[[str], object]) -> None:
    for text, meaning in TEXTS:
        assert outcome(call, text) == outcome(call, meaning), ascii(text)


@pytest.mark.parametrize(("text", "meaning"), TEXTS, ids=ascii)
def test_meaning(text: str, meaning: str) -> None:
    assert percent_decode(text) == meaning.encode()
    params = URLSearchParams()
    params.append(text, text)
    params.set(text, text)
    assert list(params) == [(meaning, meaning)]
    assert params[text] == meaning
    del params[text]
    assert not params


def test_no_pair_across_arguments() -> None:
    params = URLSearchParams()
    params.append("\ud83d", "\ude00")
    assert str(params) == "%EF%BF%BD=%EF%BF%BD"
    assert URL("\ude00", "http://h/\ud83d").href == "http://h/%EF%BF%BD"


def test_no_pair_over_what_is_removed() -> None:
    assert URL("http://h/\ud83d\t\ude00").pathname == "/%EF%BF%BD%EF%BF%BD"


def test_input_of_an_error_is_as_given() -> None:
    with pytest.raises(InvalidURL) as raised:
        URL("http://\ud83d\ude00 /")
    assert raised.value.input == "http://\ud83d\ude00 /"
    assert str(raised.value).encode()


def test_the_callers_string_stays_as_it_was() -> None:
    text = "x:" + PAIR
    URL(text)
    assert len(text) == 4
