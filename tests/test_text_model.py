"""find_urls against its model: on hostile texts, and its kernel against a loop."""

from __future__ import annotations

import re
from random import Random

import pytest
from support import find_model
from support.shapes import Case
from support.text_shapes import SHAPES, SYNTAXES, hostile_text, options, text_cases
from test_linear import check

from weburl.text import find_urls


def found(text: str | bytes, **how: object) -> list[tuple[int, int, str | bytes, str]]:
    return [(span.start, span.end, span.text, span.url.href) for span in find_urls(text, **how)]  # type: ignore[arg-type]


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_model(seed: int) -> None:
    random = Random(seed)
    urls = 0
    for _ in range(5000):
        text, how = hostile_text(random), options(random)
        expected = find_model.spans(text, **how)
        assert found(text, **how) == expected, (text, how)
        urls += len(expected)
    assert urls > 1500


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_model_of_shapes(syntax: str) -> None:
    for unit in SHAPES:
        for defanged in (False, True):
            text = unit * 5
            how = {"syntax": syntax, "bare": True, "defanged": defanged}
            assert found(text, **how) == find_model.spans(text, **how), (text, how)


def test_bytes_and_characters() -> None:
    """A str and its UTF-8 have the same URLs."""
    random = Random(5)
    for _ in range(3000):
        text, how = hostile_text(random), options(random)
        if isinstance(text, bytes):
            continue
        text = text.replace("\ud800", "\ufffd")
        data = text.encode()
        spans = find_urls(data, **how)
        places = [(span.start, span.end, span.text, span.url) for span in find_urls(text, **how)]
        assert [
            (len(data[: span.start].decode()), len(data[: span.end].decode()), bytes(span.text).decode(), span.url)  # type: ignore[arg-type]
            for span in spans
        ] == places


MARK = re.compile(rb":(?=/)|[wW](?=[wW]{2}\.)")


def test_the_kernel_at_every_length_and_place() -> None:
    """A URL is found wherever it is in a text, and nothing is read after the end of one."""
    for before in range(80):
        for after in range(0, 70, 3):
            for url in (b"http://a", b"www.a", b"Www.a", b"WS://h"):
                text = b"x" * before + b" " + url + b" " + b":" * after
                assert [(span.start, span.end) for span in find_urls(text)] == [(before + 1, before + 1 + len(url))]
            for end in (b":", b":/", b"http:/", b"http://", b"w", b"ww", b"www.", b"www"):
                assert find_urls(b" " * before + end) == []


def test_the_kernel_on_noise() -> None:
    random = Random(8)
    for _ in range(2000):
        text = bytes(random.choices(b":/wW. ahtps", k=random.randrange(200)))
        assert found(text) == find_model.spans(text)


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize("row", [*text_cases()], ids=[name for name, _, _ in text_cases()])
def test_linear(row: tuple[object, ...]) -> None:
    case = Case(*row)  # type: ignore[arg-type]
    check(case.make, case.work)
