"""URLs as fields of pydantic's models."""

from __future__ import annotations

import copy
import pickle
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from rows import ROWS, check_examples

from weburl import URL, FrozenURL, InvalidURL
from weburl.ext.pydantic import NormalizedURLStr, URLStr

TEXTS = [row for row in ROWS if row is not None]


class OwnURL(URL):
    pass


class Page(BaseModel):  # type: ignore[misc]
    url: URL
    given: URLStr = "HTTP://A"
    normalized: Annotated[NormalizedURLStr, Field(max_length=40)] = "http://a/"
    links: list[URLStr] = []
    own: OwnURL | None = None


def error_of(text: str) -> str:
    with pytest.raises(InvalidURL) as raised:
        URL(text)
    return raised.value.error


@pytest.mark.parametrize("kind", ["url", "given", "normalized"])
def test_rows(kind: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter({"url": URL, "given": URLStr, "normalized": NormalizedURLStr}[kind])
    for text in TEXTS:
        url = URL.parse(text)
        if url is None:
            with pytest.raises(ValidationError) as raised:
                adapter.validate_python(text)
            (problem,) = raised.value.errors()
            assert problem["type"] == "url_parsing"
            assert problem["ctx"] == {"error": error_of(text)}
        else:
            expected = {"url": url, "given": text, "normalized": url.href}[kind]
            for value in (adapter.validate_python(text), adapter.validate_python(text, strict=True)):
                assert value == expected
                assert type(value) is type(expected)


def test_urls_are_kept_and_classes_respected() -> None:
    url = URL("http://a")
    assert Page(url=url).url is url
    own = Page(url="http://a", own="http://b").own
    assert type(own) is OwnURL
    assert Page(url=own, own=url).url is own
    converted = Page(url="http://a", own=url).own
    assert type(converted) is OwnURL
    assert converted.href == url.href


@pytest.mark.parametrize("value", [1, None, b"http://a", ["http://a"]])
def test_other_types(value: object) -> None:
    with pytest.raises(ValidationError) as raised:
        Page(url=value)
    assert [problem["type"] for problem in raised.value.errors()] == ["url_type"]


def test_constraints_remain() -> None:
    with pytest.raises(ValidationError, match="at most 40"):
        Page(url="http://a", normalized="http://" + "a" * 40)


def test_json() -> None:
    page = Page(url="HTTP://ü.example", given="HTTP://B", normalized="HTTP://C", links=["http://d"], own="e:f")
    text = page.model_dump_json()
    assert text == (
        '{"url":"http://xn--tda.example/","given":"HTTP://B","normalized":"http://c/","links":["http://d"],"own":"e:f"}'
    )
    assert Page.model_validate_json(text) == page
    assert type(page.model_dump()["url"]) is URL
    assert page.model_dump(mode="json")["url"] == "http://xn--tda.example/"
    with pytest.raises(ValidationError, match="url_parsing"):
        Page.model_validate_json('{"url": "x"}')


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_json_schema(mode: Any) -> None:
    properties = Page.model_json_schema(mode=mode)["properties"]
    uri = {"type": "string", "format": "uri"}
    assert properties["url"] == {**uri, "title": "Url", "minLength": 1}
    assert properties["given"] == {**uri, "title": "Given", "default": "HTTP://A"}
    assert properties["normalized"] == {**uri, "title": "Normalized", "maxLength": 40, "default": "http://a/"}
    assert properties["links"]["items"] == uri
    assert properties["own"]["anyOf"] == [{**uri, "minLength": 1}, {"type": "null"}]


def test_examples() -> None:
    check_examples("pydantic")


class Saved(BaseModel):  # type: ignore[misc]
    model_config = ConfigDict(frozen=True)
    url: FrozenURL = FrozenURL("https://example.com")
    mutable: URL = URL("https://example.com")
    visits: dict[FrozenURL, int] = {}


def test_frozen_urls() -> None:
    saved = Saved(url=URL("http://a"), visits={"HTTP://B": 1})
    assert type(saved.url) is FrozenURL
    assert saved.visits == {FrozenURL("http://b"): 1}
    assert type(Saved(mutable=FrozenURL("http://a")).mutable) is URL
    frozen = FrozenURL("http://a")
    assert Saved(url=frozen).url is frozen
    for text in TEXTS[:300]:
        if URL.can_parse(text):
            given = Saved(url=text, mutable=text, visits={text: 2})
            assert (given.url, type(given.url)) == (FrozenURL(text), FrozenURL)
            assert Saved.model_validate_json(given.model_dump_json()) == given
            assert Saved.model_validate(given.model_dump()) == given
            assert pickle.loads(pickle.dumps(given)) == copy.deepcopy(given) == given
    with pytest.raises(ValidationError, match="url_parsing"):
        Saved(visits={"no URL": 1})


def test_defaults() -> None:
    """That of a URL, which changes, is a copy for each model."""
    one, other = Saved(), Saved()
    one.mutable.pathname = "/changed"
    assert other.mutable.href == "https://example.com/"
    assert one.url is other.url
    properties = Saved.model_json_schema()["properties"]
    assert properties["url"] == {
        "default": "https://example.com/",
        "format": "uri",
        "minLength": 1,
        "title": "Url",
        "type": "string",
    }
    assert properties["visits"]["propertyNames"] == {"format": "uri", "minLength": 1}


def test_hashes_of_models() -> None:
    class Key(BaseModel):  # type: ignore[misc]
        model_config = ConfigDict(frozen=True)
        url: FrozenURL

    assert len({Key(url="http://a"), Key(url="HTTP://A/"), Key(url="http://b")}) == 2


def test_a_validator_of_the_user() -> None:
    """It may raise InvalidURL: its text has the name of the error, and no password."""

    def parse(text: str) -> URL:
        return URL(text, "http://example.com/")

    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[Any, BeforeValidator(parse)])
    assert adapter.validate_python("/a") == URL("http://example.com/a")
    with pytest.raises(ValidationError) as raised:
        adapter.validate_python("http://me:hunter2@a b")
    (problem,) = raised.value.errors()
    assert problem["type"] == "value_error"
    assert problem["msg"].startswith("Value error, domain-to-ASCII in 'http://***@a b': ")
    assert problem["ctx"]["error"].error == "domain-to-ASCII"


def test_strings_and_other_modes() -> None:
    adapter = TypeAdapter(FrozenURL)
    assert adapter.validate_strings("HTTP://A") == adapter.validate_json('"HTTP://A"') == FrozenURL("http://a")
    assert adapter.dump_json(FrozenURL("http://a")) == b'"http://a/"'
    assert adapter.dump_python(FrozenURL("http://a"), mode="json") == "http://a/"
    assert adapter.validate_python("x:y", strict=True) == FrozenURL("x:y")
