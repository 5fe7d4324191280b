"""`encoding` wherever a query is set: build(), replace(), set_search(), with_params() and add_params().

The literal parser, with the encoding as its argument, says what the query is.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from random import Random
from typing import Any

import pytest
from support.literal_compare import compare
from test_encoding import LABELS

from weburl import URL, FrozenURL, InvalidURL
from weburl._literal import LiteralURL, parse
from weburl._unicode.encoding import get_output_encoding
from weburl.forms import parse_form, serialize_form

SCHEMES = ("http", "https", "ftp", "file", "ws", "wss", "x")
STARTS = {scheme: f"{scheme}://{'' if scheme == 'file' else 'h'}/p" for scheme in SCHEMES}
# Of each script that an encoding has, what none has, escapes of ISO-2022-JP, and what a URL treats in its own way.
LETTERS = "ab=&?#%'\"<> +\\/\t\n\r\0\x0e\x1b\x7f\x80\xa5\xe9\u0391\u042f\u05d0\u0639\u0e01\u203e\u2212\u3042\u4e00"
LETTERS += "\u9f98\uac00\uff71\ue5e5\uf780\ufffd\U0001f600\U00020089\ud800\udc00"


def texts(seed: str, count: int) -> Iterator[str]:
    random = Random(seed)
    yield from ("", "?", "??", "\t", "?\t", "\t?", "\n?a", "#", "%E9\xe9", "\x1b(J\xa5", "\ud800", "\u3042" * 300)
    for _ in range(count):
        any_letter = LETTERS if random.random() < 0.8 else [chr(random.randrange(0x110000)) for _ in range(9)]
        yield "".join(random.choices(any_letter, k=random.randrange(12)))


def literal(start: str, value: str, label: str, state: str | None = "query_state") -> LiteralURL:
    """The search setter of the standard, with an encoding."""
    url = parse(start).url
    assert url is not None
    url.query = None
    if value:
        url.query = ""
        parse(value.removeprefix("?"), encoding=label, url=url, state_override=state)
    return url


@pytest.mark.sample(14)
@pytest.mark.parametrize("label", [labels.split()[0] for labels in LABELS.values()])
def test_every_encoding(label: str) -> None:
    for text in texts(label, 12):
        for start in STARTS.values():
            for url in (URL(start), URL(f"{start}?old=%FF#f")):
                expected = literal(url.href, text, label)
                set_again = URL(url)
                assert set_again.search_params is set_again.search_params
                set_again.set_search(text, encoding=label)
                compare(set_again, expected, text, label)
                assert list(set_again.search_params) == parse_form(set_again.query or "")
                compare(url.replace(search=text, encoding=label), expected, text, label)
                compare(url.replace(query=text, encoding=label), literal(url.href, f"?{text}", label), text, label)
                assert FrozenURL(url).replace(search=text, encoding=label).href == set_again.href
            # build() does not remove tabs and newlines, and a query has no ? that is not part of it.
            escaped = text.replace("\t", "%09").replace("\n", "%0A").replace("\r", "%0D")
            built = URL.build(**URL(start).parts(), encoding=label)
            assert built.href == URL(start).href
            parts = URL(start).parts() | {"query": text}
            compare(URL.build(**parts, encoding=label), literal(start, f"?{escaped}", label), text, label)


@pytest.mark.sample(10)
@pytest.mark.parametrize("label", [labels.split()[0] for labels in LABELS.values()])
def test_pairs(label: str) -> None:
    given = list(texts(label, 16))
    for name, value in zip(given, reversed(given), strict=True):
        query = serialize_form([(name, value)], encoding=label)
        for start in STARTS.values():
            parts = URL(start).parts()
            del parts["query"]  # type: ignore[misc]
            expected = f"{start}?{query}"
            for params in ([(name, value)], {name: value}, {name: [value]}):
                for url in (
                    URL(start).replace(params=params, encoding=label),
                    URL.build(**parts, params=params, encoding=label),
                    URL(start).with_params(params, encoding=label),
                    URL(start).add_params(params, encoding=label),
                ):
                    assert url.href == expected, (name, value)
            assert URL.build(**parts, params=[], encoding=label).href == start


def test_the_href_of_replace() -> None:
    for labels in LABELS.values():
        label = labels.split()[-1]
        for text in texts(label, 20):
            href = f"https://h/\xe9?{text}"
            assert URL("x:").replace(href=href, encoding=label) == URL(href, encoding=label)


def test_the_scheme_at_the_moment_counts() -> None:
    """replace() assigns the scheme first."""
    assert URL("ws://h/").replace(scheme="http", query="\xe9", encoding="latin1").href == "http://h/?%E9"
    assert URL("http://h/").replace(scheme="ws", query="\xe9", encoding="latin1").href == "ws://h/?%C3%A9"
    assert URL.build(scheme="HTTPS", host="h", query="\xe9", encoding="latin1").href == "https://h/?%E9"
    assert URL.build(protocol="ftp:", host="h", search="?\xe9", encoding="latin1").href == "ftp://h/?%E9"


@pytest.mark.parametrize("label", ["utf8", "UTF-8", " utf-8 ", "utf-16le", "replacement"])
def test_labels_of_utf_8(label: str) -> None:
    assert get_output_encoding(label).is_utf8
    url = URL("https://h/")
    url.set_search("\xe9", encoding=label)
    assert url == URL("https://h/").replace(query="\xe9", encoding=label)
    assert url == URL.build(scheme="https", host="h", query="\xe9", encoding=label)
    assert url.href == "https://h/?%C3%A9"


def test_what_is_refused() -> None:
    url = URL("https://h/?a")
    for label in ("", "none", "utf-8\0"):
        with pytest.raises(LookupError):
            url.set_search("b", encoding=label)
        # Even where there is no query.
        with pytest.raises(LookupError):
            url.replace(hash="b", encoding=label)
        with pytest.raises(LookupError):
            URL.build(scheme="https", host="h", encoding=label)
    wrong: tuple[Any, ...] = (None, 1, b"utf-8")
    for label in wrong:
        for call in (url.replace, lambda **given: url.set_search("b", **given)):
            with pytest.raises(TypeError, match="encoding must be a str"):
                call(encoding=label)
        with pytest.raises(TypeError, match="encoding must be a str"):
            URL.build(scheme="https", host="h", encoding=label)
    for value in (None, 1, b"q"):
        with pytest.raises(TypeError, match="search must be a str"):
            url.set_search(value, encoding="latin1")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        URL.build(scheme="https", host="h", query=1, encoding="latin1")  # type: ignore[arg-type]
    with pytest.raises(InvalidURL) as raised:
        url.replace(href="b", encoding="latin1")
    assert (raised.value.part, raised.value.input) == ("href", "b")
    assert url.href == "https://h/?a"
    for options in ({}, {"encoding": "latin1"}):
        with pytest.raises(AttributeError, match=r"a FrozenURL does not change: use replace\(search=...\)"):
            FrozenURL(url).set_search("b", **options)  # type: ignore[attr-defined]


def test_signatures() -> None:
    for function in (URL.build, URL.replace, URL.set_search, URL.join, URL.without_params, serialize_form, parse_form):
        assert signature(function).parameters["encoding"].default == "utf-8"
