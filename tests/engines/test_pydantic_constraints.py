"""What pydantic's UrlConstraints, and our own, allow as a URL; and what errors show of it."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import subprocess
import sys
from typing import Annotated, Any

import pytest
from pydantic import (
    AnyUrl,
    BaseModel,
    ConfigDict,
    PydanticUserError,
    TypeAdapter,
    UrlConstraints,
    ValidationError,
)
from rows import ROWS

from weburl import URL, FrozenURL, InvalidURL
from weburl.ext.pydantic import NormalizedURLStr, URLConstraints, URLStr
from weburl.hosts import HostSet

CLASSES = [URL, FrozenURL]
each_class = pytest.mark.parametrize("cls", CLASSES)
TEXTS = [row for row in ROWS if row is not None]


def adapter(cls: Any, constraints: UrlConstraints) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[cls, constraints])


def result(adapter: TypeAdapter[Any], value: object) -> str:
    """The URL, or the type of the error."""
    try:
        return str(adapter.validate_python(value))
    except ValidationError as error:
        (problem,) = error.errors()
        assert problem["loc"] == ()
        return str(problem["type"])


# URLs on which pydantic's parser and the standard agree, in each combination of what constraints look at.
PLAIN = [
    f"{scheme}:{host}{port}{path}"
    for scheme, host, port, path in itertools.product(
        ("http", "https", "x"), ("//a.example", "//[::1]"), ("", ":80", ":81"), ("", "/", "/p", "?q", "/p/#f")
    )
] + ["x:/p", "x:///p", "x:p", "mailto:me", "file:///p", "file://h/p", "no URL", ""]
CONSTRAINTS = [
    UrlConstraints(),
    UrlConstraints(max_length=17),
    UrlConstraints(allowed_schemes=["https"]),
    UrlConstraints(allowed_schemes=["x", "http", "file"]),
    UrlConstraints(host_required=True),
    UrlConstraints(default_host="h.example"),
    UrlConstraints(default_host="h.example", host_required=True, default_path="/d"),
    UrlConstraints(default_path="/d"),
    UrlConstraints(preserve_empty_path=False),
]


@each_class
@pytest.mark.parametrize("constraints", CONSTRAINTS, ids=repr)
def test_as_pydantics_own(cls: Any, constraints: UrlConstraints) -> None:
    ours, theirs = adapter(cls, constraints), adapter(AnyUrl, constraints)
    compared = 0
    for text in PLAIN:
        expected = result(theirs, text)
        if constraints.max_length is not None and not expected.startswith("url_"):
            # Theirs has the length of the input only.
            expected = expected if len(expected) <= constraints.max_length else "url_too_long"
        if constraints.default_path is not None and URL.can_parse(text) and URL(text).pathname == "":
            # Theirs has a path that no URL can have, or none.
            continue
        compared += 1
        assert result(ours, text) == expected, text
    assert compared > 60
    for mode in ("validation", "serialization"):
        assert ours.json_schema(mode=mode) == theirs.json_schema(mode=mode)


@each_class
def test_default_ports(cls: Any) -> None:
    ours, theirs = (adapter(kind, UrlConstraints(default_port=81, host_required=True)) for kind in (cls, AnyUrl))
    for text in PLAIN:
        assert result(ours, text) == ("url_parsing" if text.startswith("file:") else result(theirs, text)), text
    assert result(adapter(cls, UrlConstraints(default_port=443)), "https://a.example") == "https://a.example/"


@each_class
@pytest.mark.parametrize("constraints", CONSTRAINTS, ids=repr)
def test_urls_are_checked_like_text(cls: Any, constraints: UrlConstraints) -> None:
    """pydantic does not look at a value that has the class already."""
    ours = adapter(cls, constraints)
    for text in filter(URL.can_parse, TEXTS[:200] + PLAIN):
        href = URL(text).href
        for value in (URL(href), FrozenURL(href)):
            assert result(ours, value) == result(ours, href)
            assert value.href == href


@pytest.mark.parametrize(
    "option",
    [
        {"preserve_empty_path": True},
        {"allowed_schemes": ["https", "HTTP"]},
        {"allowed_schemes": ["https:"]},
        {"allowed_schemes": ["1"]},
        {"default_host": "a b"},
        {"default_host": "a:80"},
        {"default_port": 65536},
        {"default_port": -1},
    ],
    ids=str,
)
@each_class
def test_what_cannot_hold_is_refused_by_name(cls: Any, option: dict[str, Any]) -> None:
    (name,) = option
    with pytest.raises(PydanticUserError, match=rf"^{name}: "):
        adapter(cls, UrlConstraints(**option))
    with pytest.raises(PydanticUserError, match=rf"^{name}: "):
        adapter(cls, URLConstraints(**option))


def test_the_option_of_the_config_is_for_pydantics_own_types() -> None:
    class Page(BaseModel):  # type: ignore[misc]
        model_config = ConfigDict(url_preserve_empty_path=True)
        url: URL
        theirs: AnyUrl

    page = Page(url="http://a.example", theirs="http://a.example")
    assert (str(page.url), str(page.theirs)) == ("http://a.example/", "http://a.example")


HOSTS = ["example.com", "=only.example", "1.2.3.4"]
ALLOWED = """
    http://example.com http://www.EXAMPLE.com./ https://only.example:8/ wss://1.2.3.4 http://0x1020304 http://user@example.com
""".split()
REFUSED = """
    http://example.com.evil http://evil/?example.com http://example.com@evil http://evil\\@example.com
    http://www.only.example javascript://example.com/%0aalert(1) ftp://example.com mailto:me@example.com x://example.com
    file://example.com/ data:,
""".split()


@each_class
@pytest.mark.parametrize("hosts", [HOSTS, tuple(HOSTS), HostSet(HOSTS)], ids=type)
def test_hosts(cls: Any, hosts: Any) -> None:
    ours = adapter(cls, URLConstraints(hosts=hosts))
    for text in ALLOWED:
        assert result(ours, text) == URL(text).href
    for text in REFUSED:
        assert result(ours, text) == "url_host", text
    with pytest.raises(ValidationError, match="URL should have one of the allowed hosts"):
        ours.validate_python("http://evil")


def test_hosts_with_schemes() -> None:
    ours = adapter(URL, URLConstraints(hosts=["db.example"], allowed_schemes=["redis", "https"]))
    assert result(ours, "redis://db.example:6379/0") == "redis://db.example:6379/0"
    assert result(ours, "https://db.example") == "https://db.example/"
    assert result(ours, "http://db.example") == "url_scheme"
    assert result(ours, "redis://evil.example") == "url_host"


@each_class
def test_no_credentials(cls: Any) -> None:
    ours = adapter(cls, URLConstraints(no_credentials=True))
    for text in TEXTS:
        url = URL.parse(text)
        expected = "url_parsing" if url is None else "url_credentials" if url.includes_credentials else url.href
        assert result(ours, text) == expected
    assert result(ours, "http://:p@a") == result(ours, "x://u@a") == result(ours, "http://u:p@a") == "url_credentials"


def test_both_in_any_order() -> None:
    first, second = UrlConstraints(max_length=30), URLConstraints(hosts="example.com", allowed_schemes=["https"])
    for kind in (Annotated[URL, first, second], Annotated[URL, second, first]):
        ours: TypeAdapter[Any] = TypeAdapter(kind)
        assert result(ours, "https://example.com") == "https://example.com/"
        assert result(ours, "https://example.com/" + "a" * 30) == "url_too_long"
        assert result(ours, "https://example.org") == "url_host"
        assert result(ours, "http://example.com") == "url_scheme"
        assert ours.json_schema()["maxLength"] == 30


def test_a_wrong_use_is_noticed() -> None:
    with pytest.raises(PydanticUserError, match="URLConstraints is for URL and FrozenURL"):
        adapter(AnyUrl, URLConstraints(hosts="example.com"))
    with pytest.raises(InvalidURL, match="'a b'"):
        URLConstraints(hosts=["a b"])


def test_constraints_are_values() -> None:
    hosts = HostSet(HOSTS)
    one, other = (URLConstraints(hosts=hosts, max_length=3) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != URLConstraints(hosts=hosts)


class Setting(BaseModel):  # type: ignore[misc]
    url: Annotated[URL, URLConstraints(hosts="example.com", default_host="example.com", no_credentials=True)]
    others: list[Annotated[URL, UrlConstraints(default_host="h", allowed_schemes=["x"])]] = []


# What a worker of Ray or Spark does with a model.
WORKER = """
import pickle, sys
from pydantic import ValidationError
Setting = pickle.load(sys.stdin.buffer)
print(Setting(url="https://example.com/a", others=["x:/b"]).model_dump_json())
for wrong in ({"url": "https://u@example.com"}, {"url": "https://evil"}, {"url": "http:", "others": ["http://a"]}):
    try:
        Setting(**wrong)
    except ValidationError as error:
        print(*(problem["type"] for problem in error.errors()))
"""


def test_copies_and_pickles() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    setting = Setting(url="https://example.com/a", others=["x:/b"])
    assert pickle.loads(pickle.dumps(setting)) == copy.deepcopy(setting) == setting
    by_value = type("Setting", (Setting,), {"__module__": "__main__"})
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ran = subprocess.run(
        [sys.executable, "-c", WORKER], input=cloudpickle.dumps(by_value), stdout=subprocess.PIPE, check=True
    )
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    assert ran.stdout.decode().splitlines() == [
        setting.model_dump_json(),
        "url_credentials",
        "url_host",
        "url_parsing url_scheme",
    ]


SECRET = "hunter2"
SECRETS = [
    f"https://me:{SECRET}@a b/",
    f"https://me:{SECRET}@evil.example/",
    f"https://{SECRET}@evil.example/",
    f"//me:{SECRET}@host",
    f" \thttps:me:{SECRET}@h:99999/",
    f"http://me:{SECRET}/?#@h:port",
    f"view-source:https://me:{SECRET}@evil.example/",
    f"x://me:{SECRET}@example.com/" + "a" * 2000,
]


@each_class
@pytest.mark.parametrize("text", SECRETS)
def test_errors_do_not_show_passwords(cls: Any, text: str) -> None:
    """pydantic's own types do."""
    constraints = URLConstraints(hosts="example.com", no_credentials=True, max_length=100)
    many: Any = list[Annotated[cls, constraints]]
    for kind in (Annotated[cls, constraints], Annotated[cls, constraints] | None, many):
        values = [text, URL(text), FrozenURL(text)] if URL.can_parse(text) else [text]
        for value in values:
            with pytest.raises(ValidationError) as raised:
                TypeAdapter(kind).validate_python([value] if kind is many else value)
            shown = [str(raised.value), repr(raised.value), raised.value.json(), str(raised.value.errors())]
            assert SECRET not in "".join(shown)
            assert "***" in "".join(shown)
    for kind in (URLStr, NormalizedURLStr):
        if not URL.can_parse(text):
            with pytest.raises(ValidationError) as raised:
                TypeAdapter(kind).validate_python(text)
            assert SECRET not in f"{raised.value}{raised.value.json()}"
    with pytest.raises(ValidationError, match=SECRET):
        TypeAdapter(Annotated[AnyUrl, UrlConstraints(allowed_schemes=["none"])]).validate_python(SECRETS[0])


def test_the_input_of_another_field_is_hidden_on_request() -> None:
    """The error of a model shows all of its input."""

    class Shown(BaseModel):  # type: ignore[misc]
        url: URL
        name: str

    class Hidden(Shown):
        model_config = ConfigDict(hide_input_in_errors=True)

    given = {"url": f"https://me:{SECRET}@example.com/"}
    with pytest.raises(ValidationError, match=SECRET):
        Shown(**given)
    with pytest.raises(ValidationError) as raised:
        Hidden(**given)
    assert SECRET not in str(raised.value)
    assert SECRET not in str(raised.value.errors(include_input=False))


def test_errors_are_pydantics_own() -> None:
    with pytest.raises(ValidationError) as raised:
        Setting(url="https://a b/", others=["y:"])
    first, second = raised.value.errors()
    assert first["loc"] == ("url",)
    assert second["loc"] == ("others", 0)
    assert first["msg"] == "Input should be a valid URL, domain-to-ASCII"
    assert first["url"].endswith("/v/url_parsing")
    assert second["ctx"] == {"expected_schemes": "'x'"}
    assert json.loads(raised.value.json())[0]["input"] == "https://a b/"
