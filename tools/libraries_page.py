"""Writes the table of docs/libraries.md: what ten URL libraries for Python have, and weburl.

    PYTHONPATH=tests python tools/libraries_page.py            # writes the table
    PYTHONPATH=tests python tools/libraries_page.py --check    # writes nothing; fails if it is out of date

It asks the installed libraries: tests/engines/requirements.txt has them. Where one has something, its function is
called and the result compared. Where it does not, none of its public names may look like it.
"""

from __future__ import annotations

import argparse
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from support.wpt_cases import DATA, NO_DATA, read_cases

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "libraries.md"
BEGIN, END = "<!-- libraries -->\n", "<!-- /libraries -->\n"
NONE = "–"

# What is no URL by the standard, and why differs.
REFUSED = ("http://a b/", "http://h:99999/", "http://[::1/")
COLUMNS = ("library", "WPT", "join", "encoding", "changes", "reason", "suffix", "pattern", "bulk")
# The public names of what is absent would look like this.
NAMES = {
    "join": r"join|resolve|relative",
    "changes": r"^(with|set|add|replace|update|copy)|_(set|replace)",
    "suffix": r"public_?suffix|psl|tld|registrable|registered",
    "pattern": r"pattern|route|match",
    "bulk": r"many|column|arrow|batch|bulk|series",
}


@dataclass
class Library:
    """A library: functions that call it, and None for what it does not have."""

    name: str
    distribution: str | None
    # What has its public names: modules and classes.
    searched: Sequence[ModuleType | type]
    parse: Callable[..., Any]
    href: Callable[[str], str]
    # The exceptions for what is not a URL.
    refuses: tuple[type[Exception], ...]
    join: Callable[[str, str], str] | None
    # The URL of a link in a page in an encoding.
    encoded: Callable[[str, str], str] | None
    # The words for how a URL is changed, and URLs with another port, or with a parameter.
    changes: dict[str, Callable[[str], str]]
    suffix: Callable[[str], str | None] | None = None
    pattern: Callable[[str, str], str] | None = None
    columns: Callable[[list[str]], list[str | None]] | None = None


def in_place(parse: Callable[[str], Any], port: Any = "8080") -> Callable[[str], str]:
    def changed(text: str) -> str:
        url = parse(text)
        url.port = port
        return str(getattr(url, "href", None) or getattr(url, "url", url))

    return changed


def libraries() -> list[Library]:
    urllib, yarl, furl, w3lib, can_ada, ada_url, upa_url, url_py, pydantic_core, pywhatwgurl = map(
        import_module,
        "urllib.parse yarl furl w3lib.url can_ada ada_url upa_url url pydantic_core pywhatwgurl".split(),
    )
    bulk, hosts, patterns, weburl = map(import_module, "weburl.bulk weburl.hosts weburl.patterns weburl".split())

    def replaced(url: str) -> str:
        split = urllib.urlsplit(url)
        return str(split._replace(netloc=f"{split.hostname}:8080").geturl())

    return [
        Library(
            "weburl",
            "weburl",
            [weburl, bulk, hosts, patterns],
            weburl.URL,
            lambda url: str(weburl.URL(url).href),
            (weburl.InvalidURL,),
            weburl.join,
            lambda url, encoding: str(weburl.URL(url, encoding=encoding).href),
            {
                "in place": in_place(weburl.URL),
                "copies": lambda url: str(weburl.URL(url).replace(port="8080").href),
            },
            hosts.public_suffix,
            lambda pattern, url: str(patterns.URLPattern(pattern).exec(url)["id"]),
            lambda urls: list(bulk.component_many(urls, "hostname").to_pylist()),
        ),
        Library(
            "urllib.parse",
            None,
            [urllib],
            urllib.urlsplit,
            lambda url: str(urllib.urlsplit(url).geturl()),
            (ValueError,),
            urllib.urljoin,
            None,
            {"copies": replaced},
        ),
        Library(
            "yarl",
            "yarl",
            [yarl],
            yarl.URL,
            lambda url: str(yarl.URL(url)),
            (ValueError,),
            lambda base, url: str(yarl.URL(base).join(yarl.URL(url))),
            None,
            {"copies": lambda url: str(yarl.URL(url).with_port(8080))},
        ),
        Library(
            "furl",
            "furl",
            [furl],
            furl.furl,
            lambda url: str(furl.furl(url).url),
            (ValueError,),
            lambda base, url: str(furl.furl(base).join(url).url),
            None,
            {
                "in place": in_place(furl.furl, 8080),
                "copies": lambda url: str(furl.furl(url).copy().set(port=8080).url),
            },
        ),
        Library(
            "w3lib",
            "w3lib",
            [w3lib],
            w3lib.parse_url,
            w3lib.safe_url_string,
            (ValueError,),
            None,
            lambda url, encoding: str(w3lib.safe_url_string(url, encoding)),
            {"query": lambda url: str(w3lib.add_or_replace_parameter(url, "a", "1"))},
        ),
        Library(
            "can_ada",
            "can_ada",
            [can_ada],
            can_ada.parse,
            lambda url: str(can_ada.parse(url).href),
            (ValueError,),
            lambda base, url: str((can_ada.parse(base) + url).href),
            None,
            {"in place": in_place(can_ada.parse)},
        ),
        Library(
            "ada_url",
            "ada-url",
            [ada_url],
            ada_url.URL,
            lambda url: str(ada_url.URL(url).href),
            (ValueError,),
            lambda base, url: str(ada_url.URL(url, base).href),
            None,
            {"in place": in_place(ada_url.URL)},
        ),
        Library(
            "upa_url",
            "upa-url",
            [upa_url],
            upa_url.URL,
            lambda url: str(upa_url.URL(url).href),
            (RuntimeError,),
            lambda base, url: str(upa_url.URL(url, base).href),
            None,
            {"in place": in_place(upa_url.URL)},
            lambda host: str(psl_of(upa_url).public_suffix(host)),
            lambda pattern, url: str(upa_url.URLPattern(pattern).exec(url)["pathname"]["groups"]["id"]),
        ),
        Library(
            "url_py",
            "url-py",
            [url_py],
            url_py.URL.parse,
            lambda url: str(url_py.URL.parse(url)),
            (url_py.URLError,),
            lambda base, url: str(url_py.URL.parse(base).join(url)),
            None,
            {"copies": lambda url: str(url_py.URL.parse(url).with_port(8080))},
        ),
        Library(
            "pydantic_core",
            "pydantic_core",
            [pydantic_core.Url, pydantic_core.MultiHostUrl],
            pydantic_core.Url,
            lambda url: str(pydantic_core.Url(url)),
            (ValueError,),
            None,
            None,
            {},
        ),
        Library(
            "pywhatwgurl",
            "pywhatwgurl",
            [pywhatwgurl],
            pywhatwgurl.URL,
            lambda url: str(pywhatwgurl.URL(url).href),
            (ValueError,),
            lambda base, url: str(pywhatwgurl.URL(url, base).href),
            None,
            {"in place": in_place(pywhatwgurl.URL)},
        ),
    ]


def psl_of(upa_url: Any) -> Any:
    return upa_url.PSL.load(import_module("publicsuffixlist").PSLFILE)


def public_names(library: Library) -> Iterator[str]:
    """Of its modules, also those inside of it, and of their classes."""
    searched: list[ModuleType | type] = []
    for given in library.searched:
        searched.append(given)
        if isinstance(given, ModuleType):
            inside = pkgutil.iter_modules(getattr(given, "__path__", []), f"{given.__name__}.")
            # What begins with an underline is not public, and tests are not part of a library.
            names = [name for _, name, _ in inside if not re.search(r"\.(_|tests?\b|__main__)", name)]
            searched += map(import_module, names if library.distribution != "weburl" else [])
    for place in searched:
        for name, thing in vars(place).items():
            own = getattr(thing, "__module__", place.__name__) or place.__name__
            is_own = isinstance(place, type) or own.split(".")[0] == place.__name__.split(".")[0]
            if name.startswith("_") or not is_own or isinstance(thing, ModuleType):
                continue
            yield name
            if isinstance(thing, type):
                yield from (attribute for attribute in vars(thing) if not attribute.startswith("_"))


def absent(library: Library, feature: str) -> str:
    """The cell for what a library does not have, if none of its public names looks like it."""
    names = set(public_names(library))
    assert len(names) > 9, library
    found = sorted(name for name in names if re.search(NAMES[feature], name, re.IGNORECASE))
    if found:
        raise AssertionError(f"{library.name} may have {feature}: {found}")
    return NONE


def expect(is_so: bool, library: Library, feature: str) -> str:
    if not is_so:
        raise AssertionError(f"{library.name} gives something else for {feature}")
    return "yes"


def wpt(library: Library) -> tuple[int, int]:
    """How many cases of the Web Platform Tests' urltestdata.json it passes, of those that it can be asked."""
    if DATA is None:
        raise FileNotFoundError(NO_DATA)
    passed = asked = 0
    for case in read_cases(DATA["urltestdata.json"]):
        base = case.get("base")
        if base is not None and library.join is None:
            continue
        asked += 1
        try:
            href: str | None
            if base is None:
                href = library.href(case["input"])
            else:
                assert library.join is not None
                href = library.join(base, case["input"])
        except library.refuses:
            href = None
        except Exception as error:
            # A failure of another kind is not a refusal.
            href = f"{type(error)}"
        passed += href == (None if case.get("failure") else case["href"])
    return passed, asked


def relative(library: Library) -> str:
    if library.join is None:
        return absent(library, "join")
    return expect(library.join("https://h/a/b", "../c?d") == "https://h/c?d", library, "join")


def page_encoding(library: Library) -> str:
    if library.encoded is not None:
        said = library.encoded("http://h/?é", "iso-8859-1")
        return expect(said == "http://h/?%E9", library, "encoding")
    try:
        library.parse("http://h/", encoding="iso-8859-1")
    except TypeError:
        return NONE
    raise AssertionError(f"{library.name} may have encoding")


def changes(library: Library) -> str:
    for way, change in library.changes.items():
        wanted = "https://h/b?a=1" if way == "query" else "https://h:8080/b"
        expect(change("https://h/b") == wanted, library, f"changes: {way}")
    return ", ".join(library.changes) or absent(library, "changes")


def reasons(library: Library) -> str:
    """Whether it says why it refuses a text, and where. What it does not refuse does not count."""
    refused = 0
    messages, places = set(), []
    for text in REFUSED:
        try:
            library.parse(text)
        except library.refuses as error:
            refused += 1
            messages.add(str(error).replace(text, ""))
            attributes = [name for name in dir(error) if not name.startswith("_")]
            places.append(any(isinstance(getattr(error, name), int) for name in attributes))
    assert refused, library
    if len(messages) < refused:
        return NONE
    return "reason, place" if all(places) else "reason"


def suffixes(library: Library) -> str:
    if library.suffix is None:
        return absent(library, "suffix")
    return expect(library.suffix("www.example.co.uk") == "co.uk", library, "suffix")


def url_pattern(library: Library) -> str:
    if library.pattern is None:
        return absent(library, "pattern")
    said = library.pattern("https://*.example.com/books/:id", "https://www.example.com/books/7")
    return expect(said == "7", library, "pattern")


def columns(library: Library) -> str:
    if library.columns is None:
        return absent(library, "bulk")
    return expect(library.columns(["http://0x7f.1/", "x"]) == ["127.0.0.1", None], library, "bulk")


ASKED: tuple[Callable[[Library], str], ...] = (
    relative,
    page_encoding,
    changes,
    reasons,
    suffixes,
    url_pattern,
    columns,
)


def table(known: Iterable[Library]) -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    versions = []
    for library in known:
        number = version(library.distribution) if library.distribution else f"of CPython 3.{sys.version_info.minor}"
        passed, asked = wpt(library)
        versions.append(f"{library.name} {number} ({passed} of {asked})")
        # Not rounded up.
        cells = [library.name, f"{100 * passed // asked}%", *(ask(library) for ask in ASKED)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Asked, with the cases of WPT that pass: {', '.join(versions)}."]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    new = f"{before}{BEGIN}{table(libraries())}{END}{rest.split(END)[1]}"
    if not options.check:
        PAGE.write_text(new, "utf-8")
    elif new != text:
        print(f"{PAGE.name} is out of date")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
