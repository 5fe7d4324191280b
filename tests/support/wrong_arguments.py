"""Every public callable with an argument of a wrong type, in the place of each parameter: what it says of that."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from support.public import NAMES, members

from weburl import URL, URLPattern, URLSearchParams
from weburl.hosts import HostSet, Origin
from weburl.patterns import PatternList
from weburl.robots import Robots, RobotsCache

# A class of another library, by its name alone: weburl knows it by that.
Yarl: Final = type("URL", (), {"__module__": "yarl", "__qualname__": "URL"})
WRONG: Final[dict[str, Any]] = {
    "yarl.URL": Yarl(),
    "bytes": b"https://example.com/",
    "NoneType": None,
    "pathlib.PurePosixPath": PurePosixPath("/a"),
    "int": 5,
    "list": ["https://example.com/"],
    "tuple": ("https://example.com/", "a", "b"),
    "dict": {"scheme": "https"},
    "weburl.URLPattern": URLPattern(pathname="/a"),
}
# Types that people have in their hands: the message says what to write.
FOREIGN: Final = ("yarl.URL", "bytes", "NoneType", "pathlib.PurePosixPath")
# A right argument for each parameter that is a text, a URL, or made of these.
RIGHT: Final[dict[str, Any]] = {
    **dict.fromkeys(("a", "b", "base", "document_url", "href", "location", "ref", "target", "url"), "https://a.example/"),
    **dict.fromkeys(("about_base_url", "base_href", "input"), "https://a.example/"),
    **dict.fromkeys(("data", "text", "html", "message"), "a=1"),
    **dict.fromkeys(("domain", "host", "hostname"), "a.example"),
    **{name: ["a.example"] for name in ("hosts", "entries")},
    **{name: ["https://a.example/"] for name in ("urls", "refs", "hrefs", "texts")},
    **dict.fromkeys(("fragment", "hash", "password", "query", "search", "username"), "a"),
    "allow": ["a.example"], "component": "pathname", "encoding": "utf-8", "error": "host-missing", "field": "href",
    "function": lambda span: None, "groups": {}, "init": "a=1", "key": "a", "keys": ["a"], "kind": "valid-url",
    "left": URLPattern(pathname="/a"), "right": URLPattern(pathname="/b"), "name": "a", "other": URL("https://a.example/"),
    "pairs": {"a": "1"}, "params": {"a": "1"}, "parameters": ["a"], "part": "port", "path": "/a",
    "path_segments": ["a"],
    "pathname": "/a", "pattern": "https://a.example/:id", "patterns": ["https://a.example/*"], "policy": "crawl/1",
    "port": 80, "protocol": "https", "routes": ["https://a.example/*"], "scheme": "https", "schemes": ["https"],
    "set": "path", "source": b"https://a.example/\n", "value": "a", "values": {"a": ["1"]}, "fields": ["href"],
    "file": None, "charset": None, "fallback_charset": "utf-8", "agent": "examplebot", "n": 4, "content_keys": [1],
    "body": b"", "status": 200, "user_agent": "ExampleBot", "robots": Robots.parse("", agent="ExampleBot"),
}  # fmt: skip
# Callables that hold values and check nothing, as any NamedTuple; labels that are only shown; what always raises.
UNCHECKED: Final = {
    "FrozenURL.set_search",
    "Origin",
    "URLPatternComponentResult",
    "ValidationError",
    "PageEncoding",
    "Redaction",
    "SkippedLine",
    "SpoofingRisk",
}
UNCHECKED_PARAMETERS: Final = ("LogPolicy.from_toml(file)", "PatternList.read(base)")
# Arguments that have several items: those of lists and mappings are tested elsewhere.
CONTAINERS: Final = {
    "allow", "entries", "fields", "groups", "hosts", "hrefs", "init", "keys", "pairs", "parameters", "params",
    "path_segments", "patterns", "refs", "routes", "schemes", "texts", "urls", "values",
}  # fmt: skip
# What else is right: a parameter, or a parameter of one function, and the types that it takes.
TAKES: Final[dict[str, tuple[str, ...]]] = {
    "about_base_url": ("NoneType",), "base": ("NoneType",), "base_href": ("NoneType",), "charset": ("NoneType",),
    "fallback_charset": ("NoneType",), "RobotsDirectives.parse(values)": ("bytes",),
    "RobotsDirectives.parse(agent)": ("NoneType",),
    "link_header(value)": ("bytes",), "data": ("bytes",), "body": ("bytes",), "status": ("int",),
    "fields": ("NoneType",), "file": ("pathlib.PurePosixPath",),
    "html": ("bytes",), "input": ("dict",), "left": ("weburl.URLPattern",), "location": ("bytes",),
    "path": ("bytes", "pathlib.PurePosixPath"), "pattern": ("weburl.URLPattern",), "port": ("int",),
    "n": ("int",), "content_keys": ("list", "tuple", "dict", "bytes", "str"),
    "right": ("weburl.URLPattern",), "schemes": ("NoneType",), "source": ("bytes", "pathlib.PurePosixPath"),
    "value": ("int",), "pattern_extract_many(groups)": ("NoneType",),
    "join_many(base)": ("list", "tuple", "dict"), "DocumentBase(encoding)": ("NoneType",),
    **{f"InvalidURL({name})": ("NoneType",) for name in ("input", "error", "part")},
    **{f"PatternList.{name}(url)": ("dict",) for name in ("all", "explain", "first")},
    **{f"{name}(text)": ("bytes",) for name in (
        "percent_encode", "defang", "explain_redaction", "find_urls", "redact_text", "refang", "replace_urls",
    )},
    **{f"URLSearchParams.{name}(value)": ("int", "NoneType") for name in ("delete", "has")},
    **{f"{cls}.{function}({name})": ("NoneType", "int")[: 2 if name == "port" else 1]
       for cls in ("URL", "FrozenURL") for function in ("build", "replace")
       for name in ("fragment", "hash", "host", "hostname", "params", "password", "path_segments", "pathname", "port",
                    "query", "search", "username")},
    **{f"{cls}.build({name})": ("NoneType",) for cls in ("URL", "FrozenURL") for name in ("scheme", "protocol")},
}  # fmt: skip
# What a call needs besides, if a parameter is wrong that it does not go with.
BESIDES: Final = {"build": {"scheme": "https", "host": "a.example"}, "replace": {}}
OTHERS: Final = {"protocol": "scheme", "hostname": "host", "host": "host", "scheme": "scheme"}
OBJECTS: Final[dict[str, Callable[[], Any]]] = {
    "URL": lambda: URL("https://a.example/"),
    "FrozenURL": lambda: __import__("weburl").FrozenURL("https://a.example/"),
    "URLPattern": lambda: URLPattern(pathname="/a"),
    "URLSearchParams": lambda: URLSearchParams("a=1"),
    "PatternList": lambda: PatternList(["https://a.example/*"]),
    "Robots": lambda: Robots.parse("", agent="ExampleBot"),
    "RobotsCache": lambda: RobotsCache("ExampleBot"),
    "HostSet": lambda: HostSet(["a.example"]),
    "Origin": lambda: Origin.of("https://a.example/"),
    "RobotsDirectives": lambda: __import__("weburl.crawl").crawl.RobotsDirectives.parse("noindex"),
    "DocumentBase": lambda: __import__("weburl.crawl").crawl.DocumentBase("https://a.example/"),
}


class Wrong(NamedTuple):
    """A call with one wrong argument."""

    function: str
    parameter: str
    kind: str
    call: Callable[[], Any]

    def __str__(self) -> str:
        return f"{self.function}({self.parameter}={self.kind})"


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    seen = set()
    for module in sorted(NAMES):
        # weburl.compat raises what the original functions raise; clients and engines have rules of their own.
        if module.startswith(("weburl.ext", "weburl.compat")):
            continue
        for name, value, _ in members(module):
            if callable(value) and name not in seen:
                seen.add(name)
                owner, _, method = name.rpartition(".")
                bound = owner and "self" in inspect.signature(value).parameters
                yield name, getattr(OBJECTS[owner](), method) if bound and owner in OBJECTS else value


def right_arguments(name: str, function: Callable[..., Any]) -> dict[str, Any] | None:
    """The arguments that a call needs; None if one of them is of another kind."""
    given = dict(BESIDES.get(name.rpartition(".")[2], {}))
    for each in inspect.signature(function).parameters.values():
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            if each.name not in RIGHT:
                return None
            given[each.name] = RIGHT[each.name]
    return given


def is_wrong(name: str, parameter: str, kind: str) -> bool:
    if parameter in CONTAINERS and kind in ("list", "tuple", "dict"):
        return False
    if f"{name}({parameter})" in UNCHECKED_PARAMETERS:
        return False
    return kind not in (*TAKES.get(parameter, ()), *TAKES.get(f"{name}({parameter})", ()))


def wrong_calls() -> Iterator[Wrong]:
    for name, function in callables():
        given = right_arguments(name, function)
        if given is None or name in UNCHECKED:
            continue
        parameters = inspect.signature(function).parameters.values()
        for each in parameters:
            if each.name not in RIGHT or each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                continue
            others = {one: value for one, value in given.items() if one != OTHERS.get(each.name)}
            for kind, value in WRONG.items():
                if is_wrong(name, each.name, kind):
                    yield Wrong(name, each.name, kind, prepared(function, parameters, others | {each.name: value}))


def prepared(function: Callable[..., Any], parameters: Any, given: dict[str, Any]) -> Callable[[], Any]:
    positional = []
    named = {}
    for each in parameters:
        if each.name in given:
            if each.kind == each.POSITIONAL_ONLY:
                positional.append(given[each.name])
            else:
                named[each.name] = given[each.name]
    return lambda: function(*positional, **named)
