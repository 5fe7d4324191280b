"""Functions of columns take URL and FrozenURL objects: each verb and option gives what it gives for their texts.

tests/engines/test_engine_objects.py does the same for engines.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.url_objects import TEXTS, bases, columns, options
from support.verb_calls import all_calls

from weburl import URL, FrozenURL, bulk
from weburl._arrow.schedule import has_threads
from weburl.crawl import DocumentBase
from weburl.text import find_urls_many, redact_text_many

MOST_THREADS = 3 if has_threads() else 1
CALLS = {f"{call.label} {place}": call for place, call in enumerate(all_calls()) if call.verb.bulk}


@pytest.mark.parametrize("label", CALLS)
def test_bulk(label: str) -> None:
    call = CALLS[label]
    function = getattr(bulk, str(call.verb.bulk))
    for seed, length in ((1, 0), (2, 1), (3, 7), (4, 70), (5, 300)):
        objects, texts = columns(seed, length)
        if len(call.verb.columns) == 2:
            base_objects, base_texts = bases(seed, length)
            assert same(function(base_objects, objects, **call.options), function(base_texts, texts, **call.options))
            for cls in (URL, FrozenURL):
                base = "https://base.example/a/b?q"
                assert same(function(cls(base), objects, **call.options), function(base, texts, **call.options))
            continue
        right = function(texts, **call.options)
        for cls in (URL, FrozenURL):
            given = options(call, cls)
            assert same(function(objects, **given), right)
            # An iterator, and several threads.
            assert same(function(iter(objects), **given | {"threads": MOST_THREADS}), right)


def same(one: Any, other: Any) -> bool:
    assert one.errors == other.errors
    return bool(one.to_pylist() == other.to_pylist())


def test_other_modules() -> None:
    objects, texts = columns(6, 50)
    assert find_urls_many(objects).to_pylist() == find_urls_many(texts).to_pylist()
    assert redact_text_many(objects).to_pylist() == redact_text_many(texts).to_pylist()
    document = DocumentBase(FrozenURL("https://base.example/a/"))
    assert document.resolve_many(objects).to_pylist() == document.resolve_many(texts).to_pylist()


def test_a_url_that_changes_later_is_read_before() -> None:
    urls = [URL("https://a.example/"), URL("https://b.example/")]
    column = bulk.normalize_many(urls)
    for url in urls:
        url.hostname = "c.example"
    assert column.to_pylist() == ["https://a.example/", "https://b.example/"]


def test_there_are_objects_of_each_kind() -> None:
    objects, texts = columns(4, 300)
    kinds = {type(each).__name__ for each in objects}
    assert kinds == {"str", "URL", "FrozenURL", "OwnURL", "NoneType"}
    assert len(objects) == len(texts)
    assert {*TEXTS} & {*texts}
