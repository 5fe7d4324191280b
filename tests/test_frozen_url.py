"""FrozenURL: a URL that does not change."""

from __future__ import annotations

import copy
import gc
import operator
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import pytest
from support.fields import ATTRIBUTES
from support.hostile import inputs

import weburl
from weburl import URL, FrozenURL, InvalidURL, URLSearchParams, bulk, hosts
from weburl.crawl import canonicalize, fingerprint, redirect_target
from weburl.display import display_host, display_url
from weburl.redact import path_template, redact

TEXT = "https://me:secret@www.example.com:8080/a/b.tar.gz?q=1&sig=a%2fb&q=2#top"
SETTERS = "href protocol username password host hostname port pathname search hash".split()
MUTATORS: dict[str, Callable[[URLSearchParams], object]] = {
    "append": lambda params: params.append("a", "b"),
    "delete": lambda params: params.delete("nothing"),
    "set": lambda params: params.set("a", "b"),
    "sort": lambda params: params.sort(),
    "update": lambda params: params.update(a="b"),
    "pop": lambda params: params.pop("nothing", None),
    "clear": lambda params: params.clear(),
    "setdefault": lambda params: params.setdefault("q", "b"),
    "setitem": lambda params: params.__setitem__("a", "b"),
    "delitem": lambda params: params.__delitem__("q"),
    "init": lambda params: params.__init__("a=b"),  # type: ignore[misc]
}


class Sub(FrozenURL):
    """A subclass with an attribute."""

    note: str = ""


def test_it_has_the_values_of_a_url() -> None:
    for given in islice(inputs(5), 400):
        url = URL.parse(given.url)
        if url is None:
            continue
        frozen = FrozenURL(url.href)
        for name in ATTRIBUTES:
            assert name == "search_params" or getattr(frozen, name) == getattr(url, name), (name, url)
        assert list(frozen.search_params) == list(url.search_params)
        assert frozen.parts() == url.parts()
        assert (str(frozen), frozen.serialize(), frozen.to_json()) == (url.href,) * 3
        assert repr(frozen) == f"Frozen{url!r}"
        assert hash(frozen) == hash(url.href)


def test_every_member_of_url_is_one_of_it() -> None:
    def names(cls: type) -> set[str]:
        return {name for name in vars(cls) if not name.startswith("__")}

    assert names(URL) == names(FrozenURL)
    assert URL.__basicsize__ == FrozenURL.__basicsize__ == URL.__mro__[-2].__basicsize__


@pytest.mark.parametrize("cls", [FrozenURL, Sub])
@pytest.mark.parametrize("name", SETTERS)
def test_no_attribute_can_be_assigned_to(cls: type[FrozenURL], name: str) -> None:
    frozen: Any = cls(TEXT)
    for value in (getattr(frozen, name), "http://other.example/", "ftp", "1"):
        with pytest.raises(AttributeError, match=rf"a FrozenURL does not change: use replace\({name}=\.\.\.\)"):
            setattr(frozen, name, value)
    with pytest.raises(AttributeError, match=rf"a FrozenURL does not change: use replace\({name}=\.\.\.\)"):
        delattr(frozen, name)
    assert frozen.href == TEXT
    url: Any = URL(TEXT)
    with pytest.raises(AttributeError, match=f"^{name} cannot be deleted: assign another value, or use replace"):
        delattr(url, name)
    assert url.href == TEXT


@pytest.mark.parametrize("cls", [URL, FrozenURL, Sub])
def test_other_attributes_are_deleted_as_always(cls: Any) -> None:
    url = cls(TEXT)
    for name in ("origin", "decoded_segments"):
        with pytest.raises(AttributeError, match=r"not writable|has no setter|can't set|readonly"):
            delattr(url, name)
    for name in ("scheme", "search_params", "path_segments"):
        with pytest.raises(AttributeError, match=r"does not change|cannot be deleted"):
            delattr(url, name)
    with pytest.raises(AttributeError, match="other"):
        del url.other
    if cls is Sub:
        url.other = 1
        del url.other
        assert not hasattr(url, "other")


def test_without_init_it_has_no_hash() -> None:
    for cls in (FrozenURL, Sub):
        with pytest.raises(TypeError, match=rf"^{cls.__name__}\.__init__\(\) has not been called$"):
            hash(cls.__new__(cls))


def test_it_is_made_once() -> None:
    frozen = FrozenURL(TEXT)
    for url in ("http://other.example/", TEXT):
        with pytest.raises(AttributeError, match="does not change"):
            frozen.__init__(url)  # type: ignore[misc]
    common: Any = FrozenURL.__mro__[1]
    for base in FrozenURL.__mro__[1:-1]:
        for name in SETTERS:
            descriptor = vars(base).get(name)
            if descriptor is not None:
                with pytest.raises(AttributeError, match="does not change"):
                    descriptor.__set__(frozen, "x")
    assert "hostname" in vars(common)
    assert frozen.href == TEXT


class Shared(FrozenURL):
    one: FrozenURL | None = None

    def __new__(cls, *args: Any) -> Any:
        return cls.one or super().__new__(cls)


def test_a_new_that_gives_an_old_object_does_not_change_it() -> None:
    old = Shared("http://one.example/")
    Shared.one = old
    try:
        with pytest.raises(AttributeError, match="does not change"):
            Shared("http://two.example/")
        with pytest.raises(TypeError, match="must give a new object"):
            Shared.parse("http://two.example/")
        assert old.href == "http://one.example/"
    finally:
        Shared.one = None


@pytest.mark.parametrize("name", MUTATORS)
def test_search_params_are_read_only(name: str) -> None:
    frozen = FrozenURL(TEXT)
    params = frozen.search_params
    assert params is frozen.search_params
    for _ in range(2):
        with pytest.raises(TypeError, match=r"with_params\(\)"):
            MUTATORS[name](params)
        assert list(params) == [("q", "1"), ("sig", "a/b"), ("q", "2")]
    assert frozen.href == TEXT
    other = URLSearchParams(params)
    copies = [other, copy.copy(params), copy.deepcopy(params), pickle.loads(pickle.dumps(params))]
    for each in copies:
        each.append("a", "b")
        assert each["a"] == "b"
    del frozen
    gc.collect()
    assert params["sig"] == "a/b"


def test_equality_and_hash() -> None:
    frozen, url = FrozenURL(TEXT), URL(TEXT)
    assert frozen == url
    assert url == frozen
    assert (frozen != url) is False
    assert frozen == Sub(TEXT)
    assert Sub(TEXT) == url
    assert frozen != TEXT
    assert frozen != URL("http://h/")
    assert frozen != FrozenURL("http://h/")
    assert len({frozen, Sub(TEXT), FrozenURL(TEXT)}) == 1
    assert {frozen: 1}[FrozenURL(url)] == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(url)
    assert url.equals(frozen)
    assert frozen.equals(url.replace(hash=""), exclude_fragments=True)
    url.hash = "x"
    assert frozen != url


def test_order() -> None:
    texts = ["http://b/", "http://a/?b", "http://a/", "x:y", "data:"]
    ordered = sorted(map(FrozenURL, texts))
    assert [url.href for url in ordered] == sorted(texts)
    low, high = FrozenURL("a:"), Sub("b:")
    assert low < high
    assert low <= high
    assert high > low
    assert high >= low
    assert not low < low
    assert low <= low
    # A set has no order with a frozenset's keys either: what changes has no place in an order.
    comparisons: list[Any] = [operator.lt, operator.le, operator.gt, operator.ge]
    for other in (URL("b:"), "b:", None):
        for compare in comparisons:
            for one, two in ((low, other), (other, low)):
                with pytest.raises(TypeError, match="not supported between instances"):
                    compare(one, two)


def test_conversions_do_not_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    url = URL(TEXT)
    frozen = FrozenURL(url)
    assert frozen.href is url.href
    assert URL(frozen).href is url.href
    assert FrozenURL(frozen) is frozen
    assert FrozenURL.parse(frozen) is frozen
    assert Sub(frozen).href is url.href
    assert type(FrozenURL(Sub(TEXT))) is FrozenURL
    url.search_params["q"] = "x"
    assert frozen.href == TEXT
    assert "x" in FrozenURL(url).href
    assert frozen.join(Sub("http://h/")).href == "http://h/"


def test_a_url_without_init_does_not_become_frozen() -> None:
    empty: URL = URL.__new__(URL)
    for cls in (URL, FrozenURL):
        with pytest.raises(InvalidURL):
            cls(empty)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol: int) -> None:
    for made in (FrozenURL(TEXT), Sub(TEXT), URL(TEXT)):
        again = pickle.loads(pickle.dumps(made, protocol))
        assert type(again) is type(made)
        assert again == made
    noted = Sub(TEXT)
    noted.note = "x"
    assert pickle.loads(pickle.dumps(noted, protocol)).note == "x"


def test_copies() -> None:
    frozen = FrozenURL(TEXT)
    assert copy.copy(frozen) is frozen
    assert copy.deepcopy(frozen) is frozen
    assert copy.deepcopy([frozen, frozen]) == [frozen, frozen]
    noted: Any = Sub(TEXT)
    noted.note = ["x"]
    shallow, deep = copy.copy(noted), copy.deepcopy(noted)
    assert type(shallow) is type(deep) is Sub
    assert shallow == deep == noted
    assert shallow.note is noted.note
    assert deep.note == noted.note
    assert deep.note is not noted.note


def test_edits_return_the_same_type_and_leave_the_first_alone() -> None:
    for cls in (URL, FrozenURL, Sub):
        url = cls(TEXT)
        made = [
            url.replace(host="h"), url.join("c"), url / "c", url.with_params(q=1), url.add_params(q=1),
            url.without_params("q"), url.parent, cls.build(scheme="x"), cls.parse("x:"),
            cls.from_path("/a", windows=False),
        ]  # fmt: skip
        assert all(type(each) is cls for each in made)
        assert url.href == TEXT
    noted = Sub(TEXT)
    noted.note = "x"
    assert noted.replace(port=None).note == noted.with_params(q=1).note == "x"


@dataclass(frozen=True, order=True)
class Page:
    url: FrozenURL


def test_where_values_are_needed() -> None:
    page = Page(FrozenURL(TEXT))
    assert {page: 1}[Page(FrozenURL(TEXT))] == 1
    assert Page(FrozenURL("a:")) < Page(FrozenURL("b:"))
    calls = []

    @lru_cache
    def fetch(url: FrozenURL) -> str:
        calls.append(url)
        return url.hostname

    assert fetch(page.url) == fetch(FrozenURL(TEXT)) == "www.example.com"
    assert len(calls) == 1
    match page.url:
        case FrozenURL(href):
            assert href == TEXT
    assert f"{page.url}" == TEXT


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "normalize": weburl.normalize,
    "normalize with a base": lambda url: weburl.normalize("../x", url),
    "join": lambda url: weburl.join(url, "../x?y"),
    "URL": lambda url: URL("x", url),
    "can_parse": lambda url: (URL.can_parse(url), URL.can_parse("x", url)),
    "validate": weburl.validate,
    "is_valid": weburl.is_valid,
    "explain": weburl.explain,
    "pattern": lambda url: weburl.URLPattern({"hostname": ":sub.example.com"}).exec(url),
    "pattern with a base": lambda url: weburl.URLPattern({"pathname": "/a/:x"}).test("c", url),
    "canonicalize": canonicalize,
    "fingerprint": fingerprint,
    "redirect_target": lambda url: redirect_target("/x", url),
    "display_url": display_url,
    "display_host": display_host,
    "redact": redact,
    "path_template": path_template,
    "registrable_domain": hosts.registrable_domain,
    "is_private_url": hosts.is_private_url,
    "parse_host": hosts.parse_host,
    "same_origin": lambda url: hosts.same_origin(url, TEXT),
    "HostSet": lambda url: hosts.HostSet(["example.com"]).match(url),
    "bulk": lambda url: [*bulk.normalize_many([url, None, TEXT]), *bulk.join_many(url, ["x"])],
    "columns": lambda url: list(bulk.component_many([url], "hostname")),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_it(name: str) -> None:
    """They give for it what they give for a URL."""
    wanted = FUNCTIONS[name](URL(TEXT))
    assert (
        repr(FUNCTIONS[name](FrozenURL(TEXT))) == repr(wanted).replace("URL(", "FrozenURL(")
        or FUNCTIONS[name](FrozenURL(TEXT)) == wanted
    )
    assert FUNCTIONS[name](Sub(TEXT)) is not None


def test_threads_share_it() -> None:
    frozen = FrozenURL("http://h/?" + "&".join(f"n{i}=%4{i % 10}" for i in range(60)))
    wanted = list(URLSearchParams(frozen.query or ""))
    start, failed = threading.Barrier(8), []

    def work(number: int) -> None:
        start.wait()
        try:
            for i in range(300):
                assert frozen.search_params.get(f"n{i % 60}") == dict(wanted)[f"n{i % 60}"]
                assert list(frozen.search_params) == wanted
                assert frozen.with_params(n0=number).search_params["n0"] == str(number)
                assert {frozen: number}[FrozenURL(frozen.href)] == number
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_it_leaves_no_reference() -> None:
    for cls in (URL, FrozenURL):
        before = sys.getrefcount(cls)
        urls = [cls(TEXT) for _ in range(100)]
        del urls
        gc.collect()
        assert abs(sys.getrefcount(cls) - before) < 40
