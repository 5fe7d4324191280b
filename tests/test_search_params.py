"""URLSearchParams: the list, its behaviour as a Python object, and its URL."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.wpt_cases import AN_OBJECT

from weburl import URL, FrozenURL, InvalidURL, URLSearchParams
from weburl.forms import parse_form, serialize_form

PAIRS = [("a", "1"), ("b", "2"), ("a", "3")]


def make() -> URLSearchParams:
    return URLSearchParams("a=1&b=2&a=3")


class Text(str):
    pass


class TestConstruction:
    @pytest.mark.parametrize(
        ("text", "pairs"),
        [
            ("", []), ("?", []), ("&", []), ("&&", []), ("=", [("", "")]), ("a", [("a", "")]), ("a=", [("a", "")]),
            ("=a", [("", "a")]),
            ("?a=1", [("a", "1")]), ("??a=1", [("?a", "1")]), (" ?a", [(" ?a", "")]), ("a=b=c", [("a", "b=c")]),
            ("a&a", [("a", ""), ("a", "")]),
            ("a+b=c+d", [("a b", "c d")]), ("a%2Bb", [("a+b", "")]), ("a%20b", [("a b", "")]),
            ("%26=%3D", [("&", "=")]),
            ("%=%zz&%4", [("%", "%zz"), ("%4", "")]), ("%41%6a", [("Aj", "")]), ("é=%C3%A9", [("é", "é")]),
            ("%FF=%C3", [("\ufffd", "\ufffd")]),
            ("%EF%BB%BFa", [("\ufeffa", "")]), ("\ufeffa", [("\ufeffa", "")]), ("a\0=%00", [("a\0", "\0")]),
            ("a\tb\n", [("a\tb\n", "")]),
            ("a#b", [("a#b", "")]), ("%F0%9F%98%80", [("😀", "")]), ("%ED%A0%80", [("\ufffd\ufffd\ufffd", "")]),
            ("%f0%9f%98", [("\ufffd", "")]),
            ("a;b=c", [("a;b", "c")]), ("a%3Db=c", [("a=b", "c")]), ("%25=%2525", [("%", "%25")]),
        ],
    )  # fmt: skip
    def test_text(self, text: str, pairs: list[tuple[str, str]]) -> None:
        assert list(URLSearchParams(text)) == pairs

    def test_other_inits(self) -> None:
        assert list(URLSearchParams()) == []
        assert list(URLSearchParams({"a": "1", "?b": "2&"})) == [("a", "1"), ("?b", "2&")]
        for init in (
            PAIRS,
            tuple(PAIRS),
            iter(PAIRS),
            [list(pair) for pair in PAIRS],
            (pair for pair in PAIRS),
            make(),
        ):
            assert list(URLSearchParams(init)) == PAIRS
        assert list(URLSearchParams(Text("?a=1"))) == [("a", "1")]
        assert list(URLSearchParams([])) == []
        assert list(URLSearchParams({})) == []

    def test_from_another_is_a_copy(self) -> None:
        first = make()
        second = URLSearchParams(first)
        second.append("c", "4")
        assert list(first) == PAIRS

    @pytest.mark.parametrize("init", [5, 1.5, b"a=1", [("a",)], [("a", "1", "x")], [()], [5], AN_OBJECT], ids=repr)
    def test_type_errors(self, init: Any) -> None:
        with pytest.raises(TypeError):
            URLSearchParams(init)

    @pytest.mark.parametrize(
        "init", [[("a", 1.5)], [(1, "a")], {"a": True}, {1: "a"}, [("a", None)], {"a": None}, [("a", b"1")]], ids=repr
    )
    def test_only_str(self, init: Any) -> None:
        with pytest.raises(TypeError, match="str"):
            URLSearchParams(init)

    def test_new_without_init(self) -> None:
        params = URLSearchParams.__new__(URLSearchParams)
        assert list(params) == []
        params.append("a", "1")
        assert str(params) == "a=1"

    def test_exact_str(self) -> None:
        params = URLSearchParams({Text("a"): Text("1")})
        params.append(Text("b"), Text("2"))
        params[Text("c")] = Text("3")
        assert {type(part) for pair in params for part in pair} == {str}


class TestList:
    def test_append(self) -> None:
        params = make()
        params.append("a", "")
        assert list(params) == [*PAIRS, ("a", "")]

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("a",), [("b", "2")]), (("a", "1"), [("b", "2"), ("a", "3")]), (("a", "2"), PAIRS), (("c",), PAIRS),
            (("a", None), [("b", "2")]), (("A",), PAIRS),
        ],
    )  # fmt: skip
    def test_delete(self, arguments: Any, expected: list[tuple[str, str]]) -> None:
        params = make()
        assert params.delete(*arguments) is None  # type: ignore[func-returns-value]
        assert list(params) == expected

    def test_get(self) -> None:
        params = make()
        assert (params.get("a"), params.get("c"), params.get("c", "x"), params.get("a", "x")) == ("1", None, "x", "1")
        assert params.get("c", default="x") == "x"

    def test_get_all(self) -> None:
        assert (make().get_all("a"), make().get_all("c")) == (["1", "3"], [])

    def test_has(self) -> None:
        params = make()
        assert [
            params.has("a"),
            params.has("c"),
            params.has("a", "3"),
            params.has("a", "2"),
            params.has("a", None),
        ] == [True, False, True, False, True]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [("a", [("a", "x"), ("b", "2")]), ("b", [("a", "1"), ("b", "x"), ("a", "3")]), ("c", [*PAIRS, ("c", "x")])],
    )
    def test_set(self, name: str, expected: list[tuple[str, str]]) -> None:
        params = make()
        params.set(name, "x")
        assert list(params) == expected
        params = make()
        params[name] = "x"
        assert list(params) == expected

    def test_size(self) -> None:
        params = make()
        assert (params.size, len(params), bool(params), bool(URLSearchParams())) == (3, 3, True, False)
        with pytest.raises(AttributeError):
            params.size = 5  # type: ignore[misc]

    def test_iterators(self) -> None:
        params = make()
        assert list(params) == list(params.items()) == PAIRS
        assert list(params.keys()) == ["a", "b", "a"]
        assert list(params.values()) == ["1", "2", "3"]
        for iterator in (iter(params), params.keys(), params.values(), params.items()):
            assert isinstance(iterator, Iterator)
            assert iter(iterator) is iterator
            assert len(list(iterator)) == 3
            assert next(iterator, None) is None

    def test_mapping_manners(self) -> None:
        params = make()
        assert dict(params) == {"a": "1", "b": "2"}
        assert params["a"] == "1"
        assert "b" in params
        assert "c" not in params
        del params["a"]
        assert list(params) == [("b", "2")]
        with pytest.raises(KeyError) as raised:
            params["a"]
        assert raised.value.args == ("a",)
        with pytest.raises(KeyError):
            del params["a"]
        assert list(params) == [("b", "2")]

    @pytest.mark.parametrize("method", ["getlist", "getall", "get_list"])
    def test_mappings_with_several_values_of_a_name(self, method: str) -> None:
        """Those of frameworks: `given[name]` is the first value, or the last."""

        class Several(dict[str, str]):
            pass

        setattr(Several, method, lambda self, name: [f"{self[name]}{i}" for i in range(len(name))])
        given = Several({"b": "x&", "": "none", "ab": "é"})
        pairs = [("b", "x&0"), ("ab", "é0"), ("ab", "é1")]
        assert list(URLSearchParams(given)) == pairs
        assert list(URL("https://h/?ab=0&c=1&ab=2").with_params(given).search_params) == [
            ("ab", "é0"), ("ab", "é1"), ("c", "1"), ("b", "x&0"),
        ]  # fmt: skip
        assert list(FrozenURL("https://h/?ab=0").add_params(given).search_params) == [("ab", "0"), *pairs]
        assert parse_form(serialize_form(given)) == pairs
        assert list(URL.build(scheme="https", host="h", params=given).search_params) == pairs

    def test_equality(self) -> None:
        assert make() == make()
        assert make() == URLSearchParams(PAIRS)
        assert make() != URLSearchParams(PAIRS[::-1])
        assert URLSearchParams("a=%41") == URLSearchParams("a=A")
        assert make() != PAIRS
        assert make() != "a=1&b=2&a=3"
        assert URL("http://h/?a").search_params == URLSearchParams("a=")
        with pytest.raises(TypeError):
            hash(make())

    def test_repr(self) -> None:
        assert "a" in repr(make())

    @pytest.mark.parametrize(
        "call",
        [
            lambda params, value: params.append("a", value), lambda params, value: params.append(value, "a"),
            lambda params, value: params.set("a", value), lambda params, value: params.set(value, "a"),
            lambda params, value: params.has("a", value), lambda params, value: params.has(value),
            lambda params, value: params.delete("a", value), lambda params, value: params.delete(value),
            lambda params, value: params.get(value), lambda params, value: params.get_all(value),
            lambda params, value: params[value], lambda params, value: params.__setitem__("a", value),
            lambda params, value: params.__setitem__(value, "a"), lambda params, value: params.__delitem__(value),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("value", [(), b"x", 1.5], ids=repr)
    def test_only_str(self, call: Callable[[URLSearchParams, Any], object], value: object) -> None:
        params = make()
        with pytest.raises(TypeError, match="str") as raised:
            call(params, value)
        assert "str(" in str(raised.value) or not isinstance(value, float)
        assert list(params) == PAIRS

    @pytest.mark.parametrize("name", ["append", "set", "setdefault", "__setitem__"])
    def test_a_name_is_no_int(self, name: str) -> None:
        params = make()
        with pytest.raises(TypeError, match="a name must be a str, not int"):
            getattr(params, name)(1, "a")
        assert list(params) == PAIRS


class TestSort:
    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            (["b", "a", "c"], ["a", "b", "c"]),
            (["", "a", ""], ["", "", "a"]),
            (["ab", "a", "b", "aa"], ["a", "aa", "ab", "b"]),
            (["a", "B", "A", "b"], ["A", "B", "a", "b"]),
            # Above U+FFFF the first code unit is a surrogate, below U+E000.
            (["\ue000", "\U00010000"], ["\U00010000", "\ue000"]),
            (["\uffff", "\U0010ffff", "\ud7ff"], ["\ud7ff", "\U0010ffff", "\uffff"]),
            (["\U0001f601", "\U0001f600"], ["\U0001f600", "\U0001f601"]),
            (["a\uff08", "a😀", "a", "aé", "aΩ"], ["a", "aé", "aΩ", "a😀", "a\uff08"]),
            (["\U00010000\ue000", "\U00010000\U00010001"], ["\U00010000\U00010001", "\U00010000\ue000"]),
            (["é", "z", "\x7f", "\x80", "\0"], ["\0", "z", "\x7f", "\x80", "é"]),
        ],
        ids=ascii,
    )
    def test_by_code_units(self, names: list[str], expected: list[str]) -> None:
        params = URLSearchParams([(name, str(index)) for index, name in enumerate(names)])
        params.sort()
        assert list(params.keys()) == expected
        assert expected == sorted(names, key=lambda name: name.encode("utf-16-be"))

    def test_is_stable(self) -> None:
        params = URLSearchParams([(name, str(index)) for index, name in enumerate("zazazbza" * 10)])
        params.sort()
        assert list(params) == sorted(
            ((name, str(index)) for index, name in enumerate("zazazbza" * 10)), key=lambda pair: pair[0]
        )

    def test_updates_the_url(self) -> None:
        url = URL("http://h/?b=~&a")
        url.search_params.sort()
        assert url.href == "http://h/?a=&b=%7E"


class TestStringification:
    @pytest.mark.parametrize(
        ("pairs", "expected"),
        [
            ([], ""), ([("", "")], "="), ([("a", "")], "a="), ([("", "a")], "=a"),
            ([("a", "b"), ("c", "d")], "a=b&c=d"),
            ([("a b", "+&=")], "a+b=%2B%26%3D"), ([("*-._", "~!'()")], "*-._=%7E%21%27%28%29"),
            ([("é", "😀")], "%C3%A9=%F0%9F%98%80"),
            ([("\0\t\n\x7f", "%41")], "%00%09%0A%7F=%2541"), ([("[]", "/?#@:")], "%5B%5D=%2F%3F%23%40%3A"),
        ],
    )  # fmt: skip
    def test_str(self, pairs: list[tuple[str, str]], expected: str) -> None:
        params = URLSearchParams(pairs)
        assert str(params) == expected
        assert type(str(params)) is str
        assert list(URLSearchParams(expected)) == pairs

    def test_every_ascii_character(self) -> None:
        safe = "*-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for character in map(chr, range(128)):
            expected = character if character in safe else "+" if character == " " else f"%{ord(character):02X}"
            assert str(URLSearchParams([(character, character)])) == f"{expected}={expected}"


class TestLive:
    def test_same_object(self) -> None:
        url = URL("http://h/?a=1")
        params = url.search_params
        assert url.search_params is params
        for name, value in [("search", "b=2"), ("href", "http://o/?c=3"), ("hash", "x"), ("pathname", "y")]:
            setattr(url, name, value)
            assert url.search_params is params
        assert list(params) == [("c", "3")]

    @pytest.mark.parametrize("name", ["href", "search", "query", "host_type", "port_number"])
    @pytest.mark.parametrize("read_before", [False, True])
    def test_writes_reach_the_url(self, name: str, read_before: bool) -> None:
        url = URL("http://h/?a=1#f")
        if read_before:
            getattr(url, name)
        url.search_params.append("b", " ")
        expected = URL("http://h/?a=1&b=+#f")
        assert getattr(url, name) == getattr(expected, name)

    @pytest.mark.parametrize(
        "read",
        [
            str, repr, URL.to_json, URL.serialize, lambda url: url.serialize(exclude_fragment=True),
            lambda url: url.join("").href,
            lambda url: url.replace(hash="").href, lambda url: URL(url).href, lambda url: URL("#x", url).href,
            lambda url: url.hash,
            lambda url: url == URL("http://h/p?a=1&b=2#f"), lambda url: URL("http://h/p?a=1&b=2#f") == url,
            lambda url: url.equals(URL("http://h/p?a=1&b=2"), exclude_fragments=True), lambda url: url.fragment,
            lambda url: url.path_segments,
        ],
    )  # fmt: skip
    def test_everything_reads_the_pending_write(self, read: Callable[[URL], object]) -> None:
        url = URL("http://h/p?a=1#f")
        url.search_params.append("b", "2")
        assert read(url) == read(URL("http://h/p?a=1&b=2#f"))

    @pytest.mark.parametrize(
        ("name", "value", "expected"),
        [
            ("hash", "g", "http://u@h:81/p?a=1&b=2#g"), ("hash", "", "http://u@h:81/p?a=1&b=2"),
            ("pathname", "/x", "http://u@h:81/x?a=1&b=2#f"),
            ("host", "o:82", "http://u@o:82/p?a=1&b=2#f"), ("protocol", "https", "https://u@h:81/p?a=1&b=2#f"),
            ("port", "", "http://u@h/p?a=1&b=2#f"),
            ("username", "", "http://h:81/p?a=1&b=2#f"), ("password", "x", "http://u:x@h:81/p?a=1&b=2#f"),
            ("port", "x", "http://u@h:81/p?a=1&b=2#f"),
        ],
    )  # fmt: skip
    def test_setters_after_a_pending_write(self, name: str, value: str, expected: str) -> None:
        url = URL("http://u@h:81/p?a=1#f")
        url.search_params.append("b", "2")
        setattr(url, name, value)
        assert url.href == expected
        assert list(url.search_params) == [("a", "1"), ("b", "2")]

    @pytest.mark.parametrize(
        ("name", "value", "expected"), [("search", "?c=3", "http://h/?c=3"), ("href", "http://o/?c=3", "http://o/?c=3")]
    )
    def test_overwriting_a_pending_write(self, name: str, value: str, expected: str) -> None:
        url = URL("http://h/?a=1")
        params = url.search_params
        params.append("b", "2")
        setattr(url, name, value)
        assert url.href == expected
        assert list(params) == [("c", "3")]

    def test_a_failed_href_keeps_a_pending_write(self) -> None:
        url = URL("http://h/?a=1")
        url.search_params.append("b", "2")
        with pytest.raises(InvalidURL):
            url.href = "http://"
        assert url.href == "http://h/?a=1&b=2"

    @pytest.mark.parametrize(
        ("text", "write", "expected"),
        [
            ("http://h/?a=~", lambda params: params.delete("zz"), "http://h/?a=%7E"),
            ("http://h/?a=~", lambda params: params.sort(), "http://h/?a=%7E"),
            ("http://h/?a", lambda params: params.set("b", "c d"), "http://h/?a=&b=c+d"),
            ("http://h/?", lambda params: params.sort(), "http://h/"),
            ("http://h/?&&#f", lambda params: params.delete("x"), "http://h/#f"),
            ("http://h/?a=1#", lambda params: params.delete("a"), "http://h/#"),
            ("http://h", lambda params: params.append("a", "é"), "http://h/?a=%C3%A9"),
            ("x:a b", lambda params: params.append("c", "d"), "x:a b?c=d"),
            ("x:a ?q", lambda params: params.delete("q"), "x:a%20"),
            ("x://h", lambda params: params.append("'", "'"), "x://h?%27=%27"),
            ("file:///C|?q=1", lambda params: params.set("q", "2"), "file:///C:?q=2"),
            ("x:/.//p", lambda params: params.append("a", "b"), "x:/.//p?a=b"),
        ],
    )
    def test_writes(self, text: str, write: Callable[[URLSearchParams], None], expected: str) -> None:
        url = URL(text)
        write(url.search_params)
        assert url.href == expected
        assert URL(url.href) == url

    def test_reading_writes_nothing(self) -> None:
        url = URL("http://h/?a=~&%zz&&b c#f")
        before = url.href
        params = url.search_params
        list(params), str(params), params.get("a"), params.has("x"), len(params), "a" in params, params == params
        assert url.href == before

    def test_a_refused_delete_writes_nothing(self) -> None:
        url = URL("http://h/?a=~")
        with pytest.raises(KeyError):
            del url.search_params["zz"]
        assert url.href == "http://h/?a=~"

    @pytest.mark.parametrize(
        ("value", "search", "pairs"),
        [
            ("?a\tb=1", "?ab=1", [("ab", "1")]), ("a\n=\r", "?a=", [("a", "")]), ("\t?a", "??a", [("?a", "")]),
            ("", "", []), ("?", "", []), ("??", "??", [("?", "")]), ("a#b", "?a%23b", [("a#b", "")]),
            ("é=%C3%A9", "?%C3%A9=%C3%A9", [("é", "é")]),
            ("a+b", "?a+b", [("a b", "")]), (" ", "?%20", [(" ", "")]), ("\n", "", []),
        ],
        ids=repr,
    )  # fmt: skip
    @pytest.mark.parametrize("read_before", [False, True])
    def test_search_setter(self, value: str, search: str, pairs: list[tuple[str, str]], read_before: bool) -> None:
        url = URL("http://h/?x=1")
        if read_before:
            list(url.search_params)
        url.search = value
        assert url.search == search
        assert list(url.search_params) == pairs
        assert list(url.replace(hash="f").search_params) == pairs
        url.hash = "f"
        assert list(url.search_params) == pairs
        url.href = url.href
        assert list(url.search_params) == pairs

    def test_query_of_the_parser(self) -> None:
        assert list(URL("http://h/?a\tb=1&é='").search_params) == [("ab", "1"), ("é", "'")]
        assert list(URL("x:a?b c=d").search_params) == [("b c", "d")]
        assert list(URL("http://h/??a").search_params) == [("?a", "")]
        assert list(URL("http://h").search_params) == []

    def test_two_urls(self) -> None:
        first = URL("http://h/?a=1")
        second = URL(first)
        second.search_params.append("b", "2")
        assert first.href == "http://h/?a=1"
        assert URLSearchParams(first.search_params) == first.search_params


class TestIteration:
    """The list is walked by index, as the standard's iterable<> is."""

    def test_appending(self) -> None:
        params = URLSearchParams("a=1")
        seen = []
        for name, _ in params:
            seen.append(name)
            if len(seen) < 4:
                params.append(f"x{len(seen)}", "")
        assert seen == ["a", "x1", "x2", "x3"]

    def test_deleting_the_current_one(self) -> None:
        params = URLSearchParams("a=1&b=2&c=3")
        seen = []
        for name in params.keys():  # noqa: SIM118
            seen.append(name)
            params.delete(name)
        assert seen == ["a", "c"]
        assert list(params) == [("b", "2")]

    def test_deleting_the_next_one(self) -> None:
        params = URLSearchParams("a=1&b=2&c=3")
        seen = []
        for value in params.values():
            seen.append(value)
            params.delete("b")
        assert seen == ["1", "3"]

    def test_emptying(self) -> None:
        url = URL("http://h/?a=1&b=2&c=3")
        seen = []
        for pair in url.search_params:
            seen.append(pair)
            url.search = ""
        assert seen == [("a", "1")]

    def test_replacing_through_the_url(self) -> None:
        url = URL("http://h/?a=1&b=2&c=3")
        seen = []
        for pair in url.search_params.items():
            seen.append(pair)
            url.search = "x=7&y=8&z=9"
        assert seen == [("a", "1"), ("y", "8"), ("z", "9")]

    @pytest.mark.parametrize("walk", [iter, URLSearchParams.keys, URLSearchParams.values, URLSearchParams.items])
    def test_of_a_temporary(self, walk: Callable[[URLSearchParams], Iterator[object]]) -> None:
        alone, attached = walk(make()), walk(URL("http://h/?a=1&b=2&a=3").search_params)
        gc.collect()
        assert list(alone) == list(attached) == list(walk(make()))


class TestWriteBack:
    """What the URL's query becomes."""

    @pytest.mark.parametrize(
        ("pairs", "search"),
        [
            ([], ""), ([("", "")], "?="), ([("", ""), ("", "")], "?=&="), ([("a", "")], "?a="), ([("", "a")], "?=a"),
            ([(" ", "+")], "?+=%2B"), ([("é", "&=")], "?%C3%A9=%26%3D"),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("tail", ["", "#", "#f"])
    @pytest.mark.parametrize("query", ["", "?", "?x", "?x=1&y=2"])
    def test_short_queries(self, query: str, tail: str, pairs: list[tuple[str, str]], search: str) -> None:
        url = URL(f"http://h/{query}{tail}")
        for name in list(url.search_params.keys()):
            url.search_params.delete(name)
        for name, value in pairs:
            url.search_params.append(name, value)
        if query not in ("", "?") or pairs:
            assert url.href == f"http://h/{search}{tail}"
        assert url.search == search
        assert list(url.search_params) == pairs

    @pytest.mark.parametrize("extra", range(-3, 4))
    def test_up_to_the_end_of_the_scratch_memory(self, extra: int) -> None:
        """The sanitizers see a write after its end."""
        for length in range(1, 70):
            name = "a" * (1024 - 3 * length + extra)
            expected = f"{name}={'%25' * length}"
            url = URL("http://h/")
            url.search_params.append(name, "%" * length)
            assert url.query == str(url.search_params) == expected


QUERIES = [
    "", "&&", "=", "=&=", "a", "a=1&b=2&a=3", "a=&&=b&", "?a=1", "a+b=c+d", "%61=%62", "%c3%a9=\u00e9",
    "\u00e9=\u00f6&a",
    "%ff%c3=%F0%9F%98", "\ud800=\udc00&a", "%f0%9f%98%80=1", "a=%2B%26%3D%25&%zz=%", "~!*-._'()=\x00\x7f",
    "q=" + "x" * 5000 + "%20" + "\u00e9" * 900 + "&" + "%41" * 400 + "=1", "&".join(f"k{n}=v{n}" for n in range(100)),
]  # fmt: skip
NAMES = ["", "a", "a b", "\u00e9", "\ufffd", "\ufffd\ufffd", "\ud800", "k7", "k99", "none", "A" * 400, "%zz"]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("attached", [False, True])
class TestQueryThatIsNoListYet:
    """Before there is a list, the query gives the same answers."""

    def make_url(self, query: str) -> URL:
        return URL(URL("http://h/").replace(query=query.lstrip("?")).href)

    def make(self, query: str, attached: bool) -> URLSearchParams:
        return self.make_url(query).search_params if attached else URLSearchParams(query)

    def listed(self, query: str, attached: bool) -> list[tuple[str, str]]:
        return list(self.make(query, attached))

    def test_its_serialization(self, query: str, attached: bool) -> None:
        pairs = self.listed(query, attached)
        params = self.make(query, attached)
        assert str(params) == str(URLSearchParams(pairs)) == str(params)
        assert list(params) == pairs

    @pytest.mark.parametrize("name", NAMES)
    def test_its_values(self, query: str, attached: bool, name: str) -> None:
        pairs = dict(reversed(self.listed(query, attached)))
        wanted = pairs.get(name.replace("\ud800", "\ufffd"))
        assert self.make(query, attached).get(name, "no") == ("no" if wanted is None else wanted)
        assert (name in self.make(query, attached)) is (wanted is not None)
        params = self.make(query, attached)
        assert [params.get(name) for _ in range(40)] == [wanted] * 40

    def test_its_changes(self, query: str, attached: bool) -> None:
        changes: list[Callable[[URLSearchParams], object]] = [
            lambda params: params.append("n", "v"),
            lambda params: params.set("a", "v"),
            lambda params: params.delete("a"),
            lambda params: params.delete("a", "3"),
            lambda params: params.sort(),
            lambda params: params.__init__("x=y"),  # type: ignore[misc]
            lambda params: params.__init__([("x", "y")]),  # type: ignore[misc]
        ]
        for change in changes:
            known = URLSearchParams(self.listed(query, attached))
            url = self.make_url(query)
            params = url.search_params if attached else URLSearchParams(query)
            change(known)
            change(params)
            assert list(params) == list(known)
            assert str(params) == str(known)
            assert params.get("a") == known.get("a")
            if attached:
                # What has changed nothing has written the query anew all the same.
                assert url.search == (f"?{known}" if known else "")

    def test_a_copy_and_the_original(self, query: str, attached: bool) -> None:
        params = self.make(query, attached)
        copied = URLSearchParams(params)
        copied.append("n", "v")
        assert list(copied) == [*params, ("n", "v")]
        assert list(params) == self.listed(query, attached)

    def test_its_url_changes(self, query: str, attached: bool) -> None:
        if not attached:
            assert URLSearchParams(query) == URLSearchParams(self.listed(query, attached))
            return
        changes: list[Callable[[URL], object]] = [
            lambda url: setattr(url, "href", "http://h/?new=1"),
            lambda url: setattr(url, "search", "?new=1"),
            lambda url: url.__init__("http://h/?new=1"),  # type: ignore[misc]
        ]
        for change in changes:
            url = self.make_url(query)
            params = url.search_params
            change(url)
            assert params is url.search_params
            assert params.get("new") == "1"
            assert list(params) == [("new", "1")]
        url = self.make_url(query)
        params = url.search_params
        before = url.search
        url.hash = "f"
        url.host = "i"
        assert url.search == before
        assert list(params) == self.listed(query, attached)


@pytest.mark.parametrize("count", [1, 2, 21, 64])
def test_values_that_fill_a_buffer(count: int) -> None:
    """Wherever the buffer ends: with room for one byte less, it grows."""
    for length in range(2200):
        name = "a" * length
        params = URLSearchParams([(name, "\0" * count)])
        assert str(params) == f"{name}={'%00' * count}"
