"""class URL: what it takes, what it gives, how it behaves as a Python object."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from support.fields import FIELDS, READ_ONLY, WRITABLE
from support.wpt_cases import AN_OBJECT

from weburl import URL, InvalidURL

FULL = "http://u:p@h:8080/a/b?q#f"


class Text(str):
    pass


class Sub(URL):
    pass


class Skipping(URL):
    def __init__(self, note: str) -> None:
        self.note = note


def use(url: URL) -> None:
    """Uses the attributes and methods of an object in any state."""
    for name in (*WRITABLE, *READ_ONLY):
        getattr(url, name)
    str(url), repr(url), url.to_json(), url.serialize(exclude_fragment=True)
    assert url == url
    assert url.equals(url)
    list(url.search_params)
    for name in WRITABLE[1:]:
        setattr(url, name, "x")
    url.search_params.append("a", "b")
    with contextlib.suppress(InvalidURL):
        url.replace()
    with contextlib.suppress(InvalidURL):
        url.join("x")
    with contextlib.suppress(InvalidURL):
        URL("x", url)
    url.href = FULL
    assert url.href == FULL


class TestConstruction:
    def test_base(self) -> None:
        assert URL("c", FULL).href == "http://u:p@h:8080/a/c"
        assert URL("c", base=URL(FULL)).href == "http://u:p@h:8080/a/c"
        assert URL("http://h/", None).href == "http://h/"
        assert URL(url="http://h/").href == "http://h/"

    def test_from_url(self) -> None:
        first = URL(FULL)
        second = URL(first)
        assert second == first
        second.hash = ""
        assert first.href == FULL

    def test_input_is_kept(self) -> None:
        text = "".join(["http://h/", "a/b?q#f"])
        assert URL(text).href is text

    def test_str_subclasses(self) -> None:
        url = URL(Text(FULL), Text("http://h/"))
        assert type(url.href) is str
        assert type(str(url)) is str
        assert all(type(getattr(url, name)) is str for name in WRITABLE)
        for name in WRITABLE:
            setattr(url, name, Text(getattr(URL(FULL), name)))
        assert url.href == FULL
        assert type(url.href) is str
        url.search = Text("?a=b")
        assert [type(part) for pair in url.search_params for part in pair] == [str, str]

    @pytest.mark.parametrize("value", [None, b"http://h/", bytearray(b"http://h/"), 5, 5.0, [], AN_OBJECT], ids=repr)
    @pytest.mark.parametrize(
        "call",
        [
            URL,
            URL.parse,
            URL.can_parse,
            lambda value: URL(FULL).join(value),
            lambda value: setattr(URL(FULL), "href", value),
        ],
        ids=["URL", "parse", "can_parse", "join", "href"],
    )
    def test_not_text(self, call: Callable[[Any], object], value: object) -> None:
        with pytest.raises(TypeError, match="str") as raised:
            call(value)
        if isinstance(value, (bytes, bytearray)):
            assert "decode" in str(raised.value)

    @pytest.mark.parametrize("base", [b"http://h/", 5, []], ids=repr)
    @pytest.mark.parametrize("call", [URL, URL.parse, URL.can_parse])
    def test_base_not_text(self, call: Callable[[Any, Any], object], base: object) -> None:
        with pytest.raises(TypeError, match="str") as raised:
            call("http://h/", base)
        assert "decode" in str(raised.value) or not isinstance(base, bytes)

    def test_arguments(self) -> None:
        for arguments in [(), (FULL, None, "utf-8")]:
            with pytest.raises(TypeError):
                URL(*arguments)  # type: ignore[call-overload, misc, arg-type, call-arg, unused-ignore]
        with pytest.raises(TypeError):
            URL(FULL, encodings="utf-8")  # type: ignore[call-overload, call-arg, unused-ignore]

    def test_new_without_init(self) -> None:
        use(URL.__new__(URL))
        use(Sub.__new__(Sub))

    def test_subclass_that_skips_init(self) -> None:
        url = Skipping("x")
        assert url.note == "x"
        use(url)

    def test_second_init(self) -> None:
        url = URL("http://a/?x=1")
        params = url.search_params
        url.__init__("http://b/?y=2")  # type: ignore[misc]
        assert url.href == "http://b/?y=2"
        assert url.search_params is params
        assert list(params) == [("y", "2")]
        with pytest.raises(InvalidURL):
            url.__init__("http://")  # type: ignore[misc]
        assert url.href == "http://b/?y=2"
        params.append("z", "3")
        assert url.search == "?y=2&z=3"

    def test_no_other_attributes(self) -> None:
        with pytest.raises(AttributeError):
            URL(FULL).searchParams = "x"  # type: ignore[attr-defined]

    @pytest.mark.parametrize("name", READ_ONLY)
    def test_read_only(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(URL(FULL), name, "x")

    def test_fields_are_attributes(self) -> None:
        """What `parse_many` gives by default; `search_params` and `port_number` show that the attributes are found."""
        assert {*WRITABLE, *READ_ONLY} >= {*FIELDS, "search_params", "port_number", "host_value"}


class TestSubclass:
    def test_results(self) -> None:
        url = Sub(FULL)
        parsed = Sub.parse("c", FULL)
        assert type(parsed) is Sub
        assert type(url.join("c")) is Sub
        assert type(url.replace(hash="x")) is Sub
        assert type(Sub(url)) is Sub
        assert type(URL(url)) is URL
        assert Sub.parse("http://") is None

    def test_equality_across(self) -> None:
        assert Sub(FULL) == URL(FULL)
        assert URL(FULL) == Sub(FULL)


class TestObject:
    def test_equivalence(self) -> None:
        first, second, third = URL("http://H:80/a/../b"), URL("http://h/b"), URL("HTTP:\\\\h/b")
        assert first == first
        assert first == second
        assert second == first
        assert second == third
        assert first == third
        assert (first != second) is False
        assert first != URL("http://h/b#")
        assert first != URL("http://h/b?")

    def test_is_no_str(self) -> None:
        assert URL(FULL) != FULL
        assert FULL not in (URL(FULL),)
        assert URL(FULL) != None  # noqa: E711
        assert URL(FULL).__eq__(FULL) is NotImplemented
        with pytest.raises(TypeError):
            URL(FULL) < URL(FULL)  # type: ignore[operator]  # noqa: B015

    def test_not_hashable(self) -> None:
        with pytest.raises(TypeError, match="unhashable"):
            hash(URL(FULL))
        assert URL.__hash__ is None

    def test_match(self) -> None:
        match URL(FULL):
            case URL(href="http://other/"):
                raise AssertionError
            case URL(href, hostname="h", port=port):
                assert (href, port) == (FULL, "8080")
            case _:
                raise AssertionError
        assert URL.__match_args__ == ("href",)

    def test_str(self) -> None:
        assert str(URL("http://H")) == "http://h/"
        assert f"{URL('http://H')}" == "http://h/"

    def test_repr(self) -> None:
        assert "http://h/a?b#c" in repr(URL("http://h/a?b#c"))
        for text in ("http://u:hunter2@h:81/a", "x://:hunter2@h", "ftp://u%40:hunter2@h/?q#hunter"):
            shown = repr(URL(text))
            assert "hunter2" not in shown
            assert "h" in shown
        assert repr(Sub("http://h/")).startswith("Sub(")

    def test_repr_after_writing(self) -> None:
        url = URL("http://h/")
        url.password = "hunter2"
        assert "hunter2" not in repr(url)

    def test_size(self) -> None:
        url = URL(FULL)
        assert sys.getsizeof(url) <= 96

    def test_weakref(self) -> None:
        url = URL(FULL)
        reference = weakref.ref(url)
        assert reference() is url
        del url
        gc.collect()
        assert reference() is None

    def test_cycle_is_collected(self) -> None:
        url = URL(FULL)
        params = url.search_params
        references = weakref.ref(url), weakref.ref(params)
        del url, params
        gc.collect()
        assert [reference() for reference in references] == [None, None]
        assert gc.is_tracked(URL(FULL))

    def test_cycle_through_a_subclass(self) -> None:
        url = Skipping("x")
        url.me = url  # type: ignore[attr-defined]
        reference = weakref.ref(url)
        del url
        gc.collect()
        assert reference() is None

    def test_params_keep_their_url(self) -> None:
        params = URL("http://h/?a=1").search_params
        gc.collect()
        params.append("b", "2")
        assert str(params) == "a=1&b=2"


class TestParsing:
    def test_parse(self) -> None:
        url = URL.parse("c", FULL)
        assert url is not None
        assert url.href == "http://u:p@h:8080/a/c"
        assert URL.parse("c") is None
        assert URL.parse("c", "nothing") is None
        assert URL.parse(URL(FULL)) == URL(FULL)

    def test_can_parse(self) -> None:
        assert URL.can_parse("http://h") is True
        assert URL.can_parse("h") is False
        assert URL.can_parse("h", "http://h") is True
        assert URL.can_parse("h", URL("x:a")) is False
        assert URL.can_parse("http://h", "x") is False

    def test_join(self) -> None:
        url = URL(FULL)
        assert url.join("c").href == "http://u:p@h:8080/a/c"
        assert url.join(URL("x:y")).href == "x:y"
        with pytest.raises(InvalidURL) as raised:
            url.join("//a b/")
        assert (raised.value.input, raised.value.base) == ("//a b/", FULL)
        with pytest.raises(InvalidURL):
            URL("x:a").join("b")


class TestAccessors:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("http://h/", 80), ("https://h/", 443), ("ws://h/", 80), ("wss://h/", 443), ("ftp://h/", 21),
            ("http://h:81/", 81), ("https://h:80", 80), ("http://h:0/", 0), ("http://h:65535/", 65535),
            ("file:///p", None), ("file://h/p", None), ("x://h", None), ("x://h:443", 443), ("x:a", None),
            ("x:/p", None),
        ],
    )  # fmt: skip
    def test_port_number(self, text: str, expected: int | None) -> None:
        assert URL(text).port_number == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("http://h", ("",)), ("http://h/", ("",)), ("http://h/a", ("a",)), ("http://h/a/b/", ("a", "b", "")),
            ("http://h/a%2Fb//é?x/y#z/w", ("a%2Fb", "", "%C3%A9")), ("x://h", ()), ("x://h/", ("",)),
            ("x:/.//p", ("", "p")),
            ("x:/a", ("a",)), ("x:a/b", None), ("x:", None), ("file:///C|/x", ("C:", "x")),
        ],
    )  # fmt: skip
    def test_path_segments(self, text: str, expected: tuple[str, ...] | None) -> None:
        assert URL(text).path_segments == expected

    @pytest.mark.parametrize(
        ("text", "query", "fragment"),
        [
            ("http://h/", None, None), ("http://h/?", "", None), ("http://h/#", None, ""), ("http://h/?#", "", ""),
            ("http://h/?a?b#c#d", "a?b", "c#d"), ("x:a?b#c", "b", "c"), ("x:#?", None, "?"),
        ],
    )  # fmt: skip
    def test_query_and_fragment(self, text: str, query: str | None, fragment: str | None) -> None:
        url = URL(text)
        assert (url.query, url.fragment) == (query, fragment)
        assert url.search == ("?" + query if query else "")
        assert url.hash == ("#" + fragment if fragment else "")

    @pytest.mark.parametrize(
        ("text", "host_type", "address"),
        [
            ("http://example.com", "domain", None), ("http://é/", "domain", None), ("file://h/", "domain", None),
            ("http://1.2/", "ipv4", "1.0.0.2"), ("file://0xffffffff", "ipv4", "255.255.255.255"),
            ("http://0", "ipv4", "0.0.0.0"),
            ("http://[::1]:8", "ipv6", "::1"), ("x://[::ffff:1.2.3.4]", "ipv6", "::ffff:102:304"),
            ("http://[1:2::8]", "ipv6", "1:2::8"),
            ("x://h", "opaque", None), ("x://1.2.3.4", "opaque", None), ("x://", "empty", None),
            ("x:///p", "empty", None),
            ("file:///p", "empty", None), ("x:/p", None, None), ("x:p", None, None), ("x:/.//p", None, None),
        ],
    )  # fmt: skip
    def test_host_type_and_ip_address(self, text: str, host_type: str | None, address: str | None) -> None:
        url = URL(text)
        assert url.host_type == host_type
        assert url.ip_address == (None if address is None else ipaddress.ip_address(address))

    def test_host_type_follows_setters(self) -> None:
        url = URL("http://h/")
        for host, host_type in [("1.2", "ipv4"), ("[::1]", "ipv6"), ("é", "domain"), ("a b", "domain")]:
            url.hostname = host
            assert url.host_type == host_type
        url = URL("x:/p")
        for host, host_type in [("1.2", "opaque"), ("[::1]", "ipv6"), ("", "empty")]:
            url.hostname = host
            assert url.host_type == host_type

    @pytest.mark.parametrize(
        ("text", "special", "opaque", "credentials"),
        [
            ("http://h", True, False, False), ("wss://u@h", True, False, True), ("ftp://:p@h", True, False, True),
            ("file:", True, False, False), ("x://u:p@h", False, False, True), ("x:/p", False, False, False),
            ("x:p", False, True, False), ("data:,u@h", False, True, False), ("http://:@h", True, False, False),
        ],
    )  # fmt: skip
    def test_predicates(self, text: str, special: bool, opaque: bool, credentials: bool) -> None:
        url = URL(text)
        assert (url.is_special, url.has_opaque_path, url.includes_credentials) == (special, opaque, credentials)
        assert {type(value) for value in (url.is_special, url.has_opaque_path, url.includes_credentials)} == {bool}

    def test_scheme(self) -> None:
        assert [URL(text).scheme for text in ("HTTP://h", "x+y:", "file:")] == ["http", "x+y", "file"]

    @pytest.mark.parametrize(
        ("text", "origin"),
        [
            ("blob:https://h:444/x", "https://h:444"), ("blob:blob:https://h/x", "null"),
            ("blob:blob:blob:http://h/", "null"),
            ("blob:file:///x", "null"), ("blob:wss://h/", "null"), ("blob:x", "null"), ("https://h:443", "https://h"),
        ],
    )  # fmt: skip
    def test_origin(self, text: str, origin: str) -> None:
        assert URL(text).origin == origin

    def test_to_json(self) -> None:
        assert URL("http://H").to_json() == "http://h/"

    def test_serialize(self) -> None:
        assert URL(FULL).serialize() == FULL
        assert URL(FULL).serialize(exclude_fragment=True) == FULL[:-2]
        assert URL("x:#").serialize(exclude_fragment=True) == "x:"
        assert URL("x:a?").serialize(exclude_fragment=True) == "x:a?"
        with pytest.raises(TypeError):
            URL(FULL).serialize(True)  # type: ignore[misc, call-arg, unused-ignore]

    def test_equals(self) -> None:
        assert URL("http://h/#a").equals(URL("http://h"), exclude_fragments=True) is True
        assert URL("http://h/#a").equals(URL("http://h")) is False
        assert URL("http://h/?").equals(URL("http://h"), exclude_fragments=True) is False
        with pytest.raises(TypeError):
            URL(FULL).equals(URL(FULL), True)  # type: ignore[misc, call-arg, unused-ignore]


class TestSetters:
    @pytest.mark.parametrize("name", WRITABLE)
    @pytest.mark.parametrize("value", [None, b"x", 1.5, [], AN_OBJECT], ids=repr)
    def test_not_text(self, name: str, value: object) -> None:
        url = URL(FULL)
        with pytest.raises(TypeError, match="str"):
            setattr(url, name, value)
        assert url.href == FULL

    @pytest.mark.parametrize("name", [name for name in WRITABLE if name != "port"])
    def test_int(self, name: str) -> None:
        with pytest.raises(TypeError, match="str"):
            setattr(URL(FULL), name, 80)

    def test_port_takes_int(self) -> None:
        url = URL(FULL)
        for value, port in [
            (81, "81"),
            (80, ""),
            (0, "0"),
            (65535, "65535"),
            (65536, "65535"),
            (-1, "65535"),
            (10**30, "65535"),
        ]:
            url.port = value
            assert url.port == port

    def test_href_fails_whole(self) -> None:
        url = URL("http://h/?a=1")
        params = url.search_params
        with pytest.raises(InvalidURL):
            url.href = "http://"
        assert url.href == "http://h/?a=1"
        assert list(params) == [("a", "1")]


class TestReplace:
    @pytest.mark.parametrize(
        ("parts", "expected"),
        [
            ({}, FULL),
            ({"href": "x:y"}, "x:y"),
            ({"protocol": "https:"}, "https://u:p@h:8080/a/b?q#f"),
            ({"protocol": "https"}, "https://u:p@h:8080/a/b?q#f"),
            ({"scheme": "https"}, "https://u:p@h:8080/a/b?q#f"),
            ({"username": ""}, "http://:p@h:8080/a/b?q#f"),
            ({"password": "é"}, "http://u:%C3%A9@h:8080/a/b?q#f"),
            ({"host": "o:81"}, "http://u:p@o:81/a/b?q#f"),
            ({"hostname": "O"}, "http://u:p@o:8080/a/b?q#f"),
            ({"port": "81"}, "http://u:p@h:81/a/b?q#f"),
            ({"port": 81}, "http://u:p@h:81/a/b?q#f"),
            ({"port": 80}, "http://u:p@h/a/b?q#f"),
            ({"port": ""}, "http://u:p@h/a/b?q#f"),
            ({"pathname": "c d"}, "http://u:p@h:8080/c%20d?q#f"),
            ({"search": "?r"}, "http://u:p@h:8080/a/b?r#f"),
            ({"search": "r"}, "http://u:p@h:8080/a/b?r#f"),
            ({"search": ""}, "http://u:p@h:8080/a/b#f"),
            ({"query": "r"}, "http://u:p@h:8080/a/b?r#f"),
            ({"query": ""}, "http://u:p@h:8080/a/b?#f"),
            ({"query": None}, "http://u:p@h:8080/a/b#f"),
            ({"query": "?r"}, "http://u:p@h:8080/a/b??r#f"),
            ({"hash": "#g"}, "http://u:p@h:8080/a/b?q#g"),
            ({"hash": ""}, "http://u:p@h:8080/a/b?q"),
            ({"fragment": "g"}, "http://u:p@h:8080/a/b?q#g"),
            ({"fragment": ""}, "http://u:p@h:8080/a/b?q#"),
            ({"fragment": None}, "http://u:p@h:8080/a/b?q"),
            ({"fragment": "#g"}, "http://u:p@h:8080/a/b?q##g"),
            ({"fragment": None, "query": None, "password": "", "username": "", "port": ""}, "http://h/a/b"),
            (
                {"hash": "g", "search": "r", "pathname": "c", "port": "443", "hostname": "o", "protocol": "https"},
                "https://u:p@o/c?r#g",
            ),
        ],
        ids=repr,
    )
    def test_parts(self, parts: dict[str, Any], expected: str) -> None:
        url = URL(FULL)
        assert url.replace(**parts).href == expected
        assert url.href == FULL

    @pytest.mark.parametrize("text", [FULL, "http://h/?#", "x:a?#", "x:a", "file:///C:/", "x:/.//p", "x://h:1?#x"])
    def test_with_its_own_parts(self, text: str) -> None:
        url = URL(text)
        assert url.replace(scheme=url.scheme, query=url.query, fragment=url.fragment) == url

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            (FULL, {"protocol": "x"}), (FULL, {"scheme": "file"}), (FULL, {"scheme": "1"}), (FULL, {"protocol": ""}),
            ("file:///p", {"scheme": "http"}), ("x:a", {"scheme": "http"}),
            (FULL, {"port": "65536"}), (FULL, {"port": 65536}), (FULL, {"port": -1}), (FULL, {"port": "x"}),
            ("file:///p", {"port": 1}),
            (FULL, {"host": "a b"}), (FULL, {"host": ""}), (FULL, {"hostname": "a b"}), (FULL, {"hostname": ""}),
            (FULL, {"hostname": "o:1"}),
            ("x:a", {"host": "h"}), ("x:a", {"hostname": "h"}), ("x://u@h", {"hostname": ""}),
            ("file:///p", {"username": "u"}),
            ("x:/p", {"password": "p"}), ("x:a", {"username": "u"}), ("x:a", {"pathname": "b"}),
            (FULL, {"href": "http://"}),
        ],
        ids=repr,
    )  # fmt: skip
    def test_refused(self, text: str, parts: dict[str, Any]) -> None:
        url = URL(text)
        with pytest.raises(InvalidURL) as raised:
            url.replace(**parts)
        assert next(iter(parts)) in str(raised.value)
        assert url.href == text

    def test_one_refused_among_others(self) -> None:
        url = URL(FULL)
        with pytest.raises(InvalidURL, match="port"):
            url.replace(hash="g", port="x", username="v")
        assert url.href == FULL

    def test_secrets(self) -> None:
        with pytest.raises(InvalidURL) as raised:
            URL("x:a").replace(password="hunter2")
        assert "hunter2" not in f"{raised.value}{raised.value!r}{raised.value.args}"

    @pytest.mark.parametrize(
        "parts",
        [{"hash": 5}, {"hostname": b"h"}, {"port": 1.5}, {"scheme": None}, {"searchparams": "x"}, {"origin": "x"}],
        ids=repr,
    )
    def test_type_errors(self, parts: dict[str, Any]) -> None:
        with pytest.raises(TypeError):
            URL(FULL).replace(**parts)
        with pytest.raises(TypeError):
            URL(FULL).replace("http://h/")  # type: ignore[misc, call-arg, unused-ignore]

    def test_is_a_copy(self) -> None:
        url = URL("http://h/?a=1")
        other = url.replace()
        assert other == url
        assert other is not url
        other.search_params.append("b", "2")
        url.hash = "x"
        assert (url.href, other.href) == ("http://h/?a=1#x", "http://h/?a=1&b=2")


@pytest.mark.parametrize(
    ("text", "parent", "name", "suffix"),
    [
        ("https://u@h:1/a/b.tar.gz?q#f", "https://u@h:1/a", "b.tar.gz", ".gz"),
        ("https://h/a/", "https://h/a", "", ""),
        ("https://h/a?q", "https://h/", "a", ""),
        ("https://h/?q#f", "https://h/", "", ""),
        ("https://h//", "https://h/", "", ""),
        ("https://h/a//", "https://h/a/", "", ""),
        ("https://h/%2Fb%20.x%2Ey", "https://h/", "/b .x.y", ".y"),
        ("https://h/.x", "https://h/", ".x", ""),
        ("https://h/x.", "https://h/", "x.", ""),
        ("file:///C:/a", "file:///C:/", "a", ""),
        ("file:///C:/?q", "file:///C:/", "", ""),
        ("file:///C:#f", "file:///C:", "C:", ""),
        ("file:///CC:/a", "file:///CC:", "a", ""),
        ("https://h/C:/a", "https://h/C:", "a", ""),
        ("x://h", "x://h", "", ""),
        ("x:/.//a", "x:/", "a", ""),
        ("x:/.//a/b", "x:/.//a", "b", ""),
        ("x:a/b.c?q#f", "x:a/b.c", "", ""),
    ],
)
def test_parent_name_and_suffix(text: str, parent: str, name: str, suffix: str) -> None:
    url = URL(text)
    assert url.parent == URL(parent)
    assert url.parent.href == parent
    assert (url.name, url.suffix) == (name, suffix)
