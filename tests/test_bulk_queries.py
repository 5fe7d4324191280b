"""Columns of what queries have: one value, several in one pass, and all pairs, as URLSearchParams gives them."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

import pytest
from support import arrow
from test_bulk import HOSTILE, OWN

from weburl import URL, URLSearchParams
from weburl.bulk import query_get_many, query_pairs_many, query_values_many


def pairs_of(url: str | None) -> list[tuple[str, str]] | None:
    parsed = None if url is None else URL.parse(url)
    return None if parsed is None else list(URLSearchParams(parsed.search))


QUERIES = [
    "", "a", "a=", "=a", "a=b=c", "&&a&", "a=1&a=2", "%61=x", "+=+", "%zz=%", "a%00b=%ff%C3%A9", "é=ü", "%C3%A9=1",
    "%F0%9F%98%80=2", "%EF%BB%BFa=3", "a=" + "x" * 300, "%61" * 200 + "=1", "key=" + "%41" * 300, "K=1&k=2", "a;b=c",
]  # fmt: skip


@pytest.mark.parametrize("key", ["a", "", "é", "😀", "\ufeffa", " ", "a\0b", "k", "aa", "a" * 200, "key", "\ud800"])
def test_queries(key: str) -> None:
    urls = [*OWN, *(f"http://h/?{query}#f" for query in QUERIES), *HOSTILE[:500]]
    own = [None if (pairs := pairs_of(url)) is None else URLSearchParams(pairs).get(key) for url in urls]
    column = query_get_many(urls, key)
    assert column.to_pylist() == arrow.read_stream(column) == own
    assert sum(column.errors.values()) == sum(url is not None and not URL.can_parse(url) for url in urls)


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize(
    "keys",
    [
        ["a"], ["", "a", "é"],
        ["😀", "k", "K", " ", "aa", "a", "a" * 200, "a" * 64, "key", "\ufeffa", "\ud800"],
        [f"{'x' * (index % 20)}{index}" for index in range(500)] + ["a", "", "q"],
    ],
    ids=len,
)  # fmt: skip
def test_values_of_queries(keys: list[str], views: bool) -> None:
    """A column for each key, found in one pass, is what URLSearchParams gives for it."""
    several = "&".join(f"{key}={index}{'%41' * (index % 3)}" for index, key in enumerate(keys) if index % 2)
    urls = [*OWN, *(f"http://h/?{query}#f" for query in [*QUERIES, several, several + "&a=0"]), None, *HOSTILE[:300]]
    table = query_values_many(urls, iter(keys), views=views)
    assert table.column_names == tuple(key.replace("\ud800", "\ufffd") for key in keys)
    params = [None if (pairs := pairs_of(url)) is None else URLSearchParams(pairs) for url in urls]
    for key, name in zip(keys, table.column_names, strict=True):
        own = [None if each is None else each.get(key) for each in params]
        assert table[name].to_pylist() == own
        assert arrow.read_stream(table[name]) == own
    assert sum(table.errors.values()) == sum(url is not None and not URL.can_parse(url) for url in urls)
    assert len(query_values_many([], keys, views=views)) == 0


def test_keys_of_queries() -> None:
    assert query_values_many(["?a=1"], "a", base="http://h/").to_pylist() == [{"a": "1"}]
    for keys in ([], ["a", "a"], ["\ud800", "\udc00"], ["\ud800", "\ufffd"]):
        with pytest.raises(ValueError, match="keys must be one or more names, each once"):
            query_values_many(["http://h/"], keys)
    with pytest.raises(ValueError, match="a key is the name of a column, which has no U\\+0000"):
        query_values_many(["http://h/"], ["a\0b"])
    for other in ([b"a"], [None], 5):
        with pytest.raises(TypeError):
            query_values_many(["http://h/"], other)  # type: ignore[arg-type]


def test_many_rows_with_values() -> None:
    """Columns grow, and blocks without any value stay empty."""
    urls = [
        f"http://h/?a={'x' * (index % 400)}&b=%C3%A9{index}" if index // 64 % 3 else "http://h/"
        for index in range(9000)
    ]
    for views in (False, True):
        table = query_values_many(urls, ["b", "none", "a"], views=views, threads=2)
        assert table["a"].to_pylist() == ["x" * (index % 400) if index // 64 % 3 else None for index in range(9000)]
        assert table["b"].to_pylist() == [f"é{index}" if index // 64 % 3 else None for index in range(9000)]
        assert table["none"].to_pylist() == [None] * 9000


def test_query_pairs() -> None:
    urls = [*OWN, *(f"http://h/?{query}#f" for query in QUERIES), *HOSTILE]
    column = query_pairs_many(urls)
    assert column.to_pylist() == list(map(pairs_of, urls))
    structs = [
        None if row is None else [(pair["name"], pair["value"]) for pair in row] for row in arrow.read_stream(column)
    ]
    assert structs == column.to_pylist()


def near_pair(draw: Random) -> str:
    """A pair with the key "page", with a spelling of it, or with what only comes close to it."""
    name = draw.choice(
        ["page", "%70age", "p%61g%65", "pag", "pages", "p", "", "page%", "%7", "pa+ge", "Page", "+page", "%"]
    )
    value = draw.choice(["", "1", "a+b", "%41", "x" * draw.randrange(70), "page", "a/b?c", "=", "é", "x" * 40 + "+"])
    return name + draw.choice(["=", "=", "=", "", "=="]) + value


@pytest.mark.parametrize("format", ["u", "vu"])
@pytest.mark.parametrize("key", ["page", "p", "pag", "pages", "pa ge", "page%", "page=", "", "é", "x" * 70])
def test_one_key_is_found_at_all_places(key: str, format: str) -> None:
    """Also at the ends of a word of 64 bytes, and beside spellings that decode to it."""
    draw = Random(f"key {key}")
    starts = ["https://a.example/", "http://h/", "x:", "x://h/é", "wss://long.example" + "/p" * 40]
    urls = []
    for place in range(1200):
        pairs = [near_pair(draw) for _ in range(draw.randrange(6))]
        last = draw.choice([[], [], [f"{key}=first", f"{key}=second"], [quote(key, safe="") + "=%C3%A9"], [key]])
        query = "&".join([*pairs, "f" * (place % 150), *last, *pairs[:1]])
        urls.append(draw.choice(starts) + "?" + query + draw.choice(["", "#?page=3", "#"]))
    found = [URL(url).search_params.get(key) for url in urls]
    assert 100 < sum(value is not None for value in found) < len(urls)
    column = arrow.AsArray([[None, *urls]], format)
    assert query_get_many(column, key).to_pylist() == [None, *found]
    # Two keys are looked for in another way.
    assert query_values_many(urls, [key, "no such"])[key].to_pylist() == found


@pytest.mark.parametrize("key", ["q", "key", "k" * 70])
def test_a_pair_may_begin_at_any_place(key: str) -> None:
    places = range(1, 300)
    urls = [f"https://h/?{'a' * place}&{key}={place}&b={'c' * (300 - place)}" for place in places]
    values = [*map(str, places)]
    assert query_get_many(urls, key).to_pylist() == values
    assert query_values_many(urls, [key, "b"])[key].to_pylist() == values
    assert [URLSearchParams(url.partition("?")[2]).get(key) for url in urls] == values
