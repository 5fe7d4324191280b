"""What never comes out: secrets and control characters; and what never gets in: objects and pickles that lie."""

from __future__ import annotations

import copy
import gc
import io
import logging
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from weburl import URL, InvalidURL, URLSearchParams, explain, is_valid, join, normalize, validate
from weburl.bulk import (
    can_parse_many,
    component_many,
    host_in_many,
    is_private_url_many,
    join_many,
    normalize_many,
    parse_many,
    query_get_many,
    redact_many,
)
from weburl.compat.urllib import urljoin, urlsplit
from weburl.compat.w3lib import safe_url_string
from weburl.crawl import DocumentBase, canonicalize, fingerprint
from weburl.display import display_host, display_url, spoofing_risks
from weburl.forms import parse_form, serialize_form
from weburl.hosts import (
    Origin,
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
    same_origin,
    same_origin_domain,
    url_host_matches,
)
from weburl.percent import percent_decode, percent_decode_text, percent_encode
from weburl.redact import path_template, redact, redactions
from weburl.url import restore

SECRET = "hunter2"
CONTROLS = "\x00\x07\x1b[31m\r\n\x7f\x9b\u202e\u2028"


def logged(call: Callable[[logging.Logger], object]) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.Logger("weburl.test")
    logger.addHandler(handler)
    call(logger)
    return stream.getvalue()


def failure(call: Callable[[], object]) -> BaseException | None:
    try:
        call()
    except (InvalidURL, TypeError, LookupError, ValueError) as error:
        return error
    return None


def shown(error: BaseException) -> list[str]:
    """Every text of an exception that is printed, logged or sent."""
    lines = "".join(traceback.format_exception_only(error))
    # Without the lines of source, which are those of this file.
    said = "".join(
        line
        for line in logged(lambda logger: logger.error("%s %r", error, error, exc_info=error)).splitlines(keepends=True)
        if not line.startswith((" ", "Traceback"))
    )
    chain = [other for other in (error.__cause__, error.__context__) if other is not None]
    return [str(error), repr(error), repr(error.args), lines, said, *(text for one in chain for text in shown(one))]


URLS = [
    f"http://u:{SECRET}@h/", f"http://:{SECRET}@h/", f"https://u:{SECRET}%00@é.example:8/p?q#f", f"x://u:{SECRET}@h",
    f"ws://u:x:{SECRET}@h/", f"http://u:@:{SECRET}@h/", f"blob:https://u:{SECRET}@h/x", f"blob:blob:http://{SECRET}@h",
    f"view-source:http://u:{SECRET}@h/", f"BLOB:HTTP:\\\\u:{SECRET}@h", f"blob:http://u@v:{SECRET}@h/a@b?c@d#e@f",
    f"x:/\t/u:{SECRET}@h/", f"x:y//u:{SECRET}@h", f"jar:http://u:{SECRET}@h!/a",
]  # fmt: skip
NO_URLS = [
    f"http://u:{SECRET}@a b/", f"http://u:{SECRET}@h:x/", f"//u:{SECRET}@h", f"http://u:{SECRET}@",
    f"http://u:{SECRET}@h{CONTROLS}/", f"http://{CONTROLS}:{SECRET}@h:99999/", f"http://u:{SECRET}@[::1",
]  # fmt: skip


@pytest.mark.parametrize("text", URLS)
def test_secrets_of_a_url(text: str) -> None:
    url = URL(text)
    assert SECRET in url.href
    page = DocumentBase(text)
    objects = [
        url,
        Origin.of(url),
        page,
        validate(text),
        parse_many([text]),
        normalize_many([text]),
        (url,),
        {"u": url},
    ]
    for value in objects:
        assert SECRET not in repr(value), value
        assert SECRET not in logged(lambda logger: logger.warning("%r", value))  # noqa: B023
    assert f"{url!r}".isprintable()
    assert display_url(url).count(SECRET) == display_host(URL(url)).count(SECRET) == 0
    for call in (
        lambda: url.replace(port="x"),
        lambda: url.replace(host="a b"),
        lambda: url.replace(password=None),
        lambda: url.replace(protocol="1:"),
        lambda: url.replace(href="http://h:x"),
        lambda: URL("//[", text),
        lambda: URL(b"x", text),  # type: ignore[arg-type]
        lambda: url.join("//a b"),
        lambda: url.search_params["no"],
        lambda: hash(url),
        lambda: join(text, "http://a b"),
        lambda: normalize_many(["//a b"], text, on_error="raise"),
        lambda: join_many([text], ["//a b"], on_error="raise"),
        lambda: pickle.loads(pickle.dumps(url)).port_number + "",
        lambda: url < url,  # type: ignore[operator]
        lambda: same_origin(url, "http://a b"),
        lambda: URL("x", text, encoding="none"),
        lambda: setattr(url, "password", 5),
        lambda: is_private_host(b"x"),  # type: ignore[arg-type]
    ):
        error = failure(call)
        if error is not None:
            assert not any(SECRET in said for said in shown(error)), shown(error)


@pytest.mark.parametrize("text", NO_URLS, ids=ascii)
def test_secrets_of_what_is_no_url(text: str) -> None:
    url = URL("http://h/")
    calls: list[Callable[[], object]] = [
        lambda: URL(text), lambda: normalize(text), lambda: join("x:y", text), lambda: URL(text, text),
        lambda: URL("x", text), lambda: URL("http://h/").replace(href=text), lambda: setattr(url, "href", text),
        lambda: normalize_many([text], on_error="raise"), lambda: parse_many([None, text], on_error="raise"),
        lambda: component_many([text], "host", on_error="raise"), lambda: canonicalize(text), lambda: fingerprint(text),
        lambda: DocumentBase(text), lambda: display_url(text), lambda: display_host(text), lambda: Origin.of(text),
        lambda: same_origin(text, text), lambda: copy.copy(URL(text)), lambda: URL(text, encoding="shift_jis"),
        lambda: parse_host(text), lambda: is_private_url(text),
        lambda: parse_host(text.partition("//")[2]), lambda: is_private_host(text.partition("//")[2]),
        lambda: url.replace(host=text.partition("//")[2]),
        lambda: domain_to_ascii(text), lambda: domain_to_ascii(f"blob:{text}", strict=True), lambda: urlsplit(text),
        lambda: urljoin(text, "x"), lambda: safe_url_string(text), lambda: safe_url_string(text.replace("@", "/@")),
    ]  # fmt: skip
    raised = 0
    for call in calls:
        error = failure(call)
        if error is not None:
            raised += 1
            for said in shown(error):
                assert SECRET not in said
                assert said.replace("\n", "").isprintable(), said
    assert raised > 10
    for found in validate(text):
        assert SECRET not in repr(found)
        assert SECRET not in found.message
    assert SECRET not in explain(text)


@pytest.mark.parametrize(
    "name", ["username", "password", "host", "hostname", "port", "pathname", "search", "hash", "href"]
)
def test_secrets_of_parts(name: str) -> None:
    for url in (URL("mailto:a"), URL("http://h/"), URL("file:///"), URL("blob:http://h")):
        for value in (
            SECRET, f"u:{SECRET}@a b", f"http://u:{SECRET}@a b", f"//u:{SECRET}@h\x1b", f"blob:http://u:{SECRET}@a b",
            f"jdbc:x://u:{SECRET}@h b", f"view-source:ht\ttp:u:{SECRET}@h",
        ):  # fmt: skip
            error = failure(lambda: url.replace(**{name: value}))  # noqa: B023
            if error is not None:
                hidden = name in ("username", "password") or "@" in value
                assert not (hidden and any(SECRET in said for said in shown(error))), shown(error)
                assert all(said.replace("\n", "").isprintable() for said in shown(error))


@pytest.mark.parametrize(
    "call",
    [
        lambda text: URL("http://h", encoding=text),
        lambda text: parse_form("", encoding=text),
        lambda text: percent_encode("", "form", encoding=text),
        lambda text: percent_encode("", text),
        lambda text: percent_decode_text("%ff", errors=text),
        lambda text: parse_many([], [text]),
        lambda text: component_many([], text),
        lambda text: normalize_many([], on_error=text),
        lambda text: normalize_many([], text),
        lambda text: canonicalize("http://h", text),
        lambda text: URL(text),
        lambda text: URLSearchParams()[text],
        lambda text: URLSearchParams().__delitem__(text),
        lambda text: parse_host(text),
        lambda text: domain_to_ascii(text, strict=True),
        lambda text: normalize_many(text),
        lambda text: parse_host(f"[{text}"),
        lambda text: URL("http://h").replace(port=text),
        lambda text: URL("http://h").replace(scheme=text),
        lambda text: URL("http://h/").join(f"//{text}<"),
        lambda text: query_get_many(["x:"], text)["no"],  # type: ignore[call-overload]
    ],
)
def test_control_characters(call: Callable[[str], object]) -> None:
    error = failure(lambda: call(CONTROLS))
    assert error is not None
    for said in shown(error):
        assert said.replace("\n", "").isprintable(), said


# Pickles.


@pytest.mark.parametrize(
    "arguments",
    [
        (int, "http://h/", None),
        ("URL", "http://h/", None),
        (None, "http://h/", None),
        (URLSearchParams, "a", None),
        (URL, 5, None),
        (URL, None, None),
        (URL, b"http://h/", None),
        (URL, "no URL", None),
        (URL, "", None),
        (URL,),
        (),
        (URL, "http://h/", {"x": 1}),
        (URL, "http://h/", 5),
    ],
)
def test_pickles_that_lie(arguments: tuple[Any, ...]) -> None:
    class Liar:
        def __reduce__(self) -> tuple[Any, ...]:
            return restore, arguments

    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(Liar(), protocol)
        with pytest.raises((TypeError, ValueError, AttributeError)):
            pickle.loads(data)


@pytest.mark.parametrize("state", [{"_href": "x"}, ({}, {"_href": "x"}), 5, "x", (None, {"_record": 1})])
@pytest.mark.parametrize("kind", [URL, URLSearchParams])
def test_pickles_with_a_state(kind: type[Any], state: Any) -> None:
    class Liar:
        def __reduce__(self) -> tuple[Any, ...]:
            return kind.__new__, (kind,), state

    made = None
    try:
        made = pickle.loads(pickle.dumps(Liar()))
    except (TypeError, AttributeError, pickle.UnpicklingError, ValueError):
        return
    assert str(made) == ""


@pytest.mark.parametrize("value", [
    URL("http://u:p@h:8/a?b=c#d"), URLSearchParams("a=1&b=2"), InvalidURL("http://a b", None, "domain-to-ASCII"),
    Origin.of("http://h/"), parse_host("h"), validate("http:h")[0],
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_damaged_pickles(value: Any) -> None:
    """A text that is changed, or the end missing: an exception, or an object that is whole."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(value, protocol)
        assert type(pickle.loads(data)) is type(value)
        for end in range(len(data)):
            with pytest.raises(Exception):  # noqa: B017, PT011  # whatever pickle says
                pickle.loads(data[:end])
        for old, new in ((b"h", b"["), (b"http", b"ht p"), (b"h", b"\xff"), (b"=", b"\x00"), (b"1", b"&")):
            try:
                made = pickle.loads(data.replace(old, new))
            except Exception:
                continue
            if isinstance(made, URL):
                assert URL(made.href) == made
            elif isinstance(made, URLSearchParams):
                assert URLSearchParams(str(made)) == made
            assert repr(made).isprintable()


# Objects.


class Lying(str):
    """A str whose methods raise, and count their calls."""

    calls = 0

    def _lie(self, *arguments: Any, **options: Any) -> Any:
        type(self).calls += 1
        raise RuntimeError("asked")

    __len__ = __iter__ = __getitem__ = __contains__ = __add__ = __radd__ = __mod__ = __str__ = __format__ = _lie
    encode = isascii = startswith = endswith = find = rfind = partition = split = strip = lower = replace = _lie
    translate = removeprefix = removesuffix = isdigit = casefold = upper = rpartition = lstrip = rstrip = join = _lie
    __eq__ = __ne__ = __lt__ = __hash__ = _lie


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "URL": lambda text: URL(text).href,
    "base": lambda text: URL("x", text).href,
    "parse": lambda text: URL.parse(text),
    "can_parse": URL.can_parse,
    "normalize": normalize,
    "join": lambda text: join(text, text),
    "is_valid": is_valid,
    "validate": validate,
    "explain": explain,
    "replace": lambda text: URL("http://h/").replace(href=text).href,
    "setters": lambda text: set_all(text),
    "params": lambda text: list(URLSearchParams(text)),
    "pairs": lambda text: list(URLSearchParams([(text, text)])),
    "mapping": lambda text: list(URLSearchParams({"a": text})),
    "append": lambda text: changed(lambda params: params.append(text, text)),
    "set": lambda text: changed(lambda params: params.set("a", text)),
    "delete": lambda text: changed(lambda params: params.delete(text, text)),
    "has": lambda text: URLSearchParams("a").has(text, text),
    "get": lambda text: URLSearchParams("a=1").get(text),
    "get_all": lambda text: URLSearchParams("a").get_all(text),
    "parse_form": parse_form,
    "serialize_form": lambda text: serialize_form([(text, text)]),
    "percent_encode": lambda text: percent_encode(text, "path"),
    "percent_decode": percent_decode,
    "percent_decode_text": percent_decode_text,
    "parse_host": lambda text: repr(host(text)),
    "domain_to_ascii": lambda text: failure(lambda: domain_to_ascii(text)) is None,
    "is_valid_host": is_valid_host,
    "domain_to_unicode": lambda text: failure(lambda: domain_to_unicode(text)) is None,
    "is_valid_domain": is_valid_domain,
    "host_matches": lambda text: host_matches(text, ["h", "*.example"]),
    "url_host_matches": lambda text: url_host_matches(text, ["h", "*.example"]),
    "is_private_url": is_private_url,
    "is_safe_redirect": lambda text: is_safe_redirect(text, allow=["h", "*.example"]),
    "is_safe_link": is_safe_link,
    "is_private_host": is_private_host,
    "same_origin": lambda text: same_origin(text, text),
    "same_origin_domain": lambda text: same_origin_domain(text, text),
    "display_url": display_url,
    "display_host": display_host,
    "spoofing_risks": spoofing_risks,
    "canonicalize": canonicalize,
    "fingerprint": fingerprint,
    "redact": redact,
    "redactions": redactions,
    "path_template": path_template,
    "redact_many": lambda text: redact_many([text]).to_pylist(),
    "document": lambda text: DocumentBase(text).href,
    "resolve": lambda text: DocumentBase("http://h/").resolve(text),
    "isindex": lambda text: parse_form(text, isindex=True, use_charset=True),
    "parse_many": lambda text: parse_many([text]).to_pylist(),
    "is_valid of a kind": lambda text: is_valid(text, kind="valid-opaque-host"),
    "is_private_url_many": lambda text: is_private_url_many([text]).to_pylist(),
    "host_in_many": lambda text: host_in_many([text], ["h", "*.example"]).to_pylist(),
    "can_parse_many": lambda text: can_parse_many([text]).to_pylist(),
    "join_many": lambda text: join_many([text], [text]).to_pylist(),
    "encoding": lambda text: URL(text, encoding="l1").href,
}
TEXTS = ["http://é.example/a?b=c&é=%41#d", "//h", "http://a b/", "éa=1&+%C3%A9", "h"]


def host(text: str) -> object:
    error = failure(lambda: parse_host(text))
    return error if error is not None else parse_host(text)


def changed(change: Callable[[URLSearchParams], object]) -> tuple[str, list[tuple[str, str]]]:
    url = URL("http://h/?a=1")
    change(url.search_params)
    return url.href, [(str(name), str(value)) for name, value in url.search_params]


def set_all(text: str) -> str:
    url = URL("http://h/?a=1")
    for name in ("protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"):
        setattr(url, name, text)
        assert url.search_params is not None
    return url.href


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_what_a_str_subclass_says_does_not_count(function: Callable[[str], object]) -> None:
    for text in TEXTS:
        results = []
        for kind in (str, Lying):
            try:
                results.append(str(function(kind(text))))
            except InvalidURL as error:
                results.append(str(error))
        assert results[0] == results[1]


class Changing(Mapping[str, str]):
    """A mapping that changes whenever it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def keys(self) -> Any:
        self.asked += 1
        return iter([f"k{self.asked}", f"k{self.asked + 1}"])

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, key: str) -> str:
        self.asked += 1
        return f"v{self.asked}"


def test_a_mapping_that_changes() -> None:
    assert list(URLSearchParams(Changing())) == [("k1", "v2"), ("k2", "v3")]
    assert serialize_form(Changing()) == "k1=v2&k2=v3"


def test_an_iterable_that_changes_what_it_is_for() -> None:
    url = URL("http://h/?a=1")
    params = url.search_params

    def pairs() -> Iterator[tuple[str, str]]:
        params.append("b", "2")
        url.search = "?c=3"
        yield "d", "4"
        params.__init__("e=5")  # type: ignore[misc]
        yield "f", "6"

    params.__init__(pairs())  # type: ignore[misc]
    assert url.href == "http://h/?d=4&f=6"

    class Pair:
        def __iter__(self) -> Iterator[str]:
            listed.clear()
            params.delete("d")
            return iter(("g", "7"))

    listed: list[Any] = [Pair(), ("h", "8")]
    assert list(URLSearchParams(listed)) == [("g", "7")]
    assert url.href == "http://h/?f=6"


def test_a_list_of_rows_that_changes() -> None:
    class Row(str):
        def __str__(self) -> str:
            rows.clear()
            return "x"

        __len__ = __hash__ = None  # type: ignore[assignment]

    rows: list[str] = [Row(f"http://h{number}/") for number in range(100)]
    kept = list(rows)
    assert normalize_many(rows).to_pylist() == [f"http://h{number}/" for number in range(100)]
    assert len(kept) == 100

    def endless() -> Iterator[str]:
        for number in range(1000):
            if number == 500:
                made.append(normalize_many(["http://x/"]).to_pylist())
            yield f"http://h{number}/"

    made: list[Any] = []
    assert normalize_many(endless()).to_pylist()[999] == "http://h999/"
    assert made == [["http://x/"]]


def test_finalizers_that_come_back() -> None:
    """Finalizers that change the URL while it is being changed."""
    url = URL("http://h/?a=1")
    params = url.search_params
    ended = []

    class Ending(str):
        def __del__(self) -> None:
            ended.append(str.__str__(self))
            url.hash = "ended"
            params.append("z", "1")
            params.delete("z")
            url.search = url.search

    for name in ("username", "pathname", "search", "hash", "host", "protocol"):
        setattr(url, name, Ending("http"))
    params.append(Ending("k"), Ending("v"))
    params.set(Ending("k"), Ending("w"))
    params.delete(Ending("k"), Ending("w"))
    params.__init__([(Ending("m"), Ending("n"))])  # type: ignore[misc]
    url.href = Ending("http://u@h/?x=y")
    assert url.replace(hash=Ending("#r")).hash == "#r"
    assert len(ended) >= 10
    assert URL(url.href).href == url.href
    assert URL(url.href).search_params == params


def test_a_url_that_ends_in_its_own_cycle() -> None:
    class Node(URL):
        def __del__(self) -> None:
            seen.append((self.href, str(self.search_params)))
            kept.append(self)

    seen: list[tuple[str, str]] = []
    kept: list[Node] = []
    node = Node("http://h/?a=1")
    node.me = node  # type: ignore[attr-defined]
    node.params = node.search_params  # type: ignore[attr-defined]
    node.search_params.append("b", "2")
    del node
    gc.collect()
    assert seen == [("http://h/?a=1&b=2", "a=1&b=2")]
    kept[0].search_params.append("c", "3")
    assert kept.pop().href == "http://h/?a=1&b=2&c=3"


# Depth.


@pytest.mark.long
def test_no_recursion() -> None:
    depth = 20_000
    nested = "blob:" * depth + "http://u:p@h/x"
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(sys.getrecursionlimit() if depth > limit else depth // 2)
    try:
        url = URL(nested)
        assert url.origin == "null"
        assert URL("blob:http://h/x").origin == "http://h"
        assert URL("blob:blob:http://h/x").origin == "null"
        assert repr(url) == f"URL('{'blob:' * depth}http://***@h/x')"
        assert copy.deepcopy(url) == pickle.loads(pickle.dumps(url)) == url
        assert display_url(url).endswith("h/x")
        assert not same_origin(url, url)
        for call in (
            validate,
            is_valid,
            explain,
            display_host,
            spoofing_risks,
            canonicalize,
            fingerprint,
            redact,
            path_template,
            Origin.of,
            is_private_host,
            is_private_url,
            lambda text: same_origin(text, text),
            lambda text: normalize_many([text]),
            lambda text: component_many([text], "origin").to_pylist(),
            lambda text: URL("x", text),
        ):
            error = failure(lambda: call(nested))  # noqa: B023
            assert error is None or isinstance(error, InvalidURL)
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("delimiter", ["/", "?", "#", "\\"])
def test_a_password_with_a_delimiter_in_an_argument(delimiter: str) -> None:
    """Of a text without a scheme, which is not what the argument takes."""
    text = f"u:{SECRET}{delimiter}w@h:x"
    url = URL("http://h/")
    calls: list[Callable[[], object]] = [
        lambda: url.replace(scheme=text), lambda: url.replace(protocol=text), lambda: url.replace(port=text),
        lambda: URL.build(scheme=text, host="h"), lambda: URL.build(scheme="http", host="h", port=text),
        lambda: URL.build(scheme="http", host="h", pathname=text), lambda: redact("x:", text),
        lambda: path_template("x:", text), lambda: URL(f"http://[{text}"),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises((InvalidURL, ValueError)) as caught:
            call()
        assert SECRET not in str(caught.value)
        assert "***" in str(caught.value)
