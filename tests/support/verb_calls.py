"""Calls of every verb of the table with every one of its options, and what the scalar functions give for them.

Verbs and options come from the table: a verb without a scalar function here, or an option without a value, is a
KeyError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from io import StringIO
from typing import Any, NamedTuple

from weburl import URL, InvalidURL, URLPattern, normalize
from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.make_functions import with_common
from weburl._verbs.options import PART_FIELDS
from weburl._verbs.verb import VERBS, Option, Verb, column_names
from weburl._verbs.work import names_of
from weburl.crawl import CrawlPolicy, SurtPolicy, canonicalize, fingerprint, host_group, shard, trap_key
from weburl.hosts import (
    HostSet,
    PublicSuffixList,
    domain_to_ascii,
    is_private_url,
    public_suffix,
    registrable_domain,
    url_host_matches,
)
from weburl.patterns import PatternList
from weburl.percent import percent_decode_text
from weburl.redact import LogPolicy, path_template, redact, redactions
from weburl.robots import Robots
from weburl.text import defang, find_urls, redact_text, refang

KEYS = ["q", "a", "é", "", "z"]
HOSTS = HostSet(["example.com", "*.example.co.uk", "ü.example", "=h.example", "1.2.0.3", "[1::2]", "h"])
PATTERN = URLPattern(hostname=":sub*", pathname="/:first*")
GROUPS = ["sub", "first", "protocol.0", "search.0"]
ROUTES = PatternList(
    {"file": "file:///*", "first": "*://*.example/*", "é": "http{s}?://*/*", "mail": URLPattern(protocol="mailto")}
)
FIELDS = [*column_names()]
BASE = "https://user@base.example/dir/file?q=b#f"

OWN_SUFFIXES = "example\ncom\n*.uk\nh\n"
OWN_LIST = PublicSuffixList(StringIO(OWN_SUFFIXES))

# The values of each option that are tried, beside its default. The first is that of an option without one.
VALUES: dict[str, list[Any]] = {
    "base": [BASE, "x:opaque"],
    "encoding": ["windows-1252", "shift_jis"],
    "fields": [["error", "registrable_domain", "query", "public_suffix", "host_type"], FIELDS],
    "field": [*FIELDS],
    "key": ["q", "é"],
    "keys": [KEYS, ["a"]],
    "policy": [
        CrawlPolicy(tracking_parameters=[], remove_www=True, fragment="keep"),
        "whatwg",
        "whatwg-no-fragment",
        "surt",
    ],
    "bits": [1, 33, 96, 128],
    "n": [16, 1, 999_999_937],
    "pattern": [PATTERN, "http{s}?://:host/:first*"],
    "groups": [GROUPS, ["pathname.first"]],
    "routes": [ROUTES],
    "hosts": [HOSTS, ["*.com", "h"]],
    "schemes": [None, "https", ("http", "x")],
    "errors": ["strict", "ignore"],
    "part": [*PART_FIELDS],
    "bare": [True],
    "defanged": [True],
    "syntax": ["json", "html", "markdown", "shell"],
    "robots": [
        Robots.parse(
            "User-agent: *\nDisallow: /a\nDisallow: /*?*q=\nAllow: /*b$\nDisallow: /%C3%A9",
            agent="ExampleBot",
            compat=way,
        )
        for way in (None, "google")
    ],
    "psl": [OWN_LIST],
}
# Of verbs whose options of the same name are others.
OWN_VALUES: dict[tuple[str, str], list[Any]] = {
    ("find_urls", "schemes"): ["ssh", ("HTTPS", "git+https"), ["http"]],
    ("defang", "schemes"): [("https", "ftp"), "http"],
    ("refang", "schemes"): [("https", "ftp"), "http"],
    ("redact", "policy"): [LogPolicy(secret_names=["q"], token_names=[]), "logs"],
    ("redact_text", "policy"): [LogPolicy(secret_names=["q"], token_names=[]), "logs-strict"],
    ("redactions", "policy"): [LogPolicy(secret_names=["q"], token_names=[]), "logs"],
    ("path_template", "policy"): [LogPolicy(secret_names=["q"], token_names=[]), "paths"],
    # Only with the part QUERY.
    ("parse_url", "key"): [],
}


class Call(NamedTuple):
    """A verb with options; `label` says which, and is the verb's name alone if all that can be left out is."""

    label: str
    verb: Verb
    options: dict[str, Any]


def calls_of(verb: Verb, options: Sequence[Option]) -> list[Call]:
    """One call for each value of each option, and one with all options."""
    values: dict[str, list[Any]] = {}
    for option in options:
        tried = OWN_VALUES.get((verb.name, option.name), VALUES.get(option.name))
        if tried is None:
            raise KeyError(f"no value of {verb.name}'s option {option.name} is tried: add one to VALUES")
        values[option.name] = tried
    required = {option.name: values[option.name][0] for option in options if option.is_required}
    calls = [Call(verb.name, verb, required)]
    for name, tried in values.items():
        own = tried[name in required :]
        calls += [Call(f"{verb.name} {name} {place}", verb, {**required, name: each}) for place, each in enumerate(own)]
    calls.append(Call(f"{verb.name} all", verb, {name: tried[-1] for name, tried in values.items() if tried}))
    if verb.name == "parse_url":
        calls += [Call(f"parse_url key {place}", verb, {"part": "QUERY", "key": key}) for place, key in enumerate(KEYS)]
    return calls


def all_calls() -> list[Call]:
    return [call for verb in VERBS for call in calls_of(verb, with_common(verb, verb.options))]


class Row:
    """A text, its base (of the row itself or of all rows) and the encoding of its query."""

    def __init__(self, text: str, base: str | None, encoding: str) -> None:
        self.text = text
        self.base = base
        self.encoding = encoding

    def url(self) -> URL:
        return URL(self.text, self.base, encoding=self.encoding)

    def given(self) -> str | URL:
        """What a function without a base takes, which also takes other texts than URLs."""
        return self.text if self.base is None else self.url()

    def given_anyway(self) -> str | URL:
        """The same of a function that does not raise."""
        try:
            return self.given()
        except InvalidURL:
            return self.text


def field_of(url: URL, name: str, psl: PublicSuffixList | None = None) -> Any:
    if name in ("registrable_domain", "public_suffix"):
        return (registrable_domain if name == "registrable_domain" else public_suffix)(url, psl=psl)
    if name == "host_group":
        return host_group(url, psl=psl)
    return None if name == "error" else getattr(url, name)


def fields_of(row: Row, fields: Sequence[str] | None, psl: PublicSuffixList | None) -> Any:
    names = [name for name in FIELDS if name not in ("registrable_domain", "public_suffix", "host_group")]
    url = row.url()
    return {name: field_of(url, name, psl) for name in (names if fields is None else fields)}


@cache
def suffix_rules(is_own: bool) -> frozenset[str]:
    """The rules of the list, in ASCII."""
    from weburl._hosts.psl import shipped_list

    text = OWN_SUFFIXES if is_own else shipped_list().read()
    lines = (line.split() for line in text.splitlines())
    return frozenset(domain_to_ascii(words[0]) for words in lines if words and words[0][0] not in "/*!") | frozenset(
        words[0] for line in text.splitlines() if (words := line.split()) and words[0][0] == "!"
    )


def has_rule(host: str, suffix: str, is_own: bool) -> bool:
    """Whether a rule gives the suffix, and not only the rule for all other domains, which gives one label."""
    rules = suffix_rules(is_own)
    ends = [host[place:] for place in range(len(host)) if place == 0 or host[place - 1] == "."]
    return "." in suffix or suffix in rules or any(f"!{end}" in rules for end in ends)


def common_crawl_of(row: Row, psl: PublicSuffixList | None) -> dict[str, str | int | None]:
    url = row.url()
    host = url.hostname if url.host_type in ("ipv4", "ipv6") else url.hostname.removesuffix(".") or url.hostname
    labels = host.split(".")[::-1] if url.host_type in ("domain", "opaque") else []
    parts: list[str | None] = [*labels, *[None] * 5]
    suffixes: list[str | None] = []
    for private in (False, True):
        suffix = site = None
        if url.host_type == "domain" and "" not in labels:
            suffix = public_suffix(url, private=private, psl=psl)
            site = registrable_domain(url, private=private, psl=psl)
            suffix, site = (each and each.removesuffix(".") for each in (suffix, site))
            if suffix is not None and not has_rule(host, suffix, psl is not None):
                suffix = site = None
        suffixes += (suffix, site)
    return {
        "url_surtkey": canonicalize(url, SurtPolicy(archive_exact=True)),
        "url": url.href,
        "url_host_name": host or None,
        **dict(zip((f"url_host_{part}" for part in CRAWL_PARTS), parts[:5], strict=True)),
        **dict(zip((f"url_host_{part}" for part in CRAWL_SUFFIXES), suffixes, strict=True)),
        "url_host_name_reversed": ".".join(labels) if labels else None,
        "url_protocol": url.scheme,
        "url_port": int(url.port) if url.port else None,
        "url_path": url.pathname,
        "url_query": url.query,
    }


CRAWL_PARTS = ("tld", "2nd_last_part", "3rd_last_part", "4th_last_part", "5th_last_part")
CRAWL_SUFFIXES = ("registry_suffix", "registered_domain", "private_suffix", "private_domain")


def digest_of(row: Row, policy: Any, bits: int) -> int | bytes:
    value = fingerprint(row.given(), policy, bits=bits, encoding=row.encoding)
    return value if bits <= 64 or isinstance(value, bytes) else value.to_bytes(bits // 8, "big")


def groups_of(row: Row, pattern: URLPattern | str, groups: Sequence[str] | None) -> Any:
    pattern = URLPattern(pattern) if isinstance(pattern, str) else pattern
    found = pattern.exec(row.url())
    names = [name for name, _, _ in pattern._named_groups().named()] if groups is None else groups

    def group(name: str) -> Any:
        component, dot, own = name.partition(".")
        return None if found is None else getattr(found, component).groups[own] if dot else found[name]

    return {name: group(name) for name in names}


def test_of(row: Row, pattern: URLPattern | str) -> bool:
    pattern = URLPattern(pattern) if isinstance(pattern, str) else pattern
    # A text is read as UTF-8.
    return pattern.test(row.text, row.base) if row.encoding == "utf-8" else pattern.test(row.url())


def route_of(row: Row, routes: PatternList) -> Any:
    found = routes.first(row.url())
    if found is None:
        return {"route": None, "groups": None}
    return {"route": found[0], "groups": {name: text for name, text in found[1].groups.items() if text is not None}}


def userinfo(url: URL) -> str:
    return url.username + (":" + url.password if url.password else "")


def authority(url: URL) -> str | None:
    if url.host_type is None:
        return None
    return (userinfo(url) + "@" if userinfo(url) else "") + url.host


PARTS: dict[str, Callable[[URL], str | None]] = {
    "FILE": lambda url: url.pathname + url.search,
    "AUTHORITY": authority,
    "USERINFO": lambda url: userinfo(url) or None,
}


def part_of(row: Row, part: str, key: str | None) -> Any:
    url = row.url()
    if key is not None:
        return url.search_params.get(key)
    return PARTS[part](url) if part in PARTS else getattr(url, PART_FIELDS[part])


# By the name and the result of the verb. Each is called with a Row and the verb's own options.
SCALAR: dict[tuple[str, str], Callable[..., Any]] = {
    ("hostname", "text"): lambda row: row.url().hostname,
    ("path", "text"): lambda row: row.url().pathname,
    ("param", "text"): lambda row, key: row.url().search_params.get(key),
    ("params", "pairs"): lambda row: list(row.url().search_params),
    ("query", "struct"): lambda row, keys: {key: row.url().search_params.get(key) for key in keys},
    ("parse", "struct"): fields_of,
    ("join", "text"): lambda row: row.url().href,
    ("normalize", "text"): lambda row: normalize(row.text, row.base, encoding=row.encoding),
    ("can_parse", "bool"): lambda row: URL.can_parse(row.text, row.base),
    ("registrable_domain", "text"): lambda row, psl: registrable_domain(row.url(), psl=psl),
    ("public_suffix", "text"): lambda row, psl: public_suffix(row.url(), psl=psl),
    ("canonicalize", "text"): lambda row, policy: canonicalize(row.given(), policy, encoding=row.encoding),
    ("fingerprint", "number"): digest_of,
    ("host_group", "text"): lambda row, psl: host_group(row.url(), psl=psl),
    ("shard", "number"): lambda row, n, psl: shard(row.url(), n, psl=psl),
    ("trap_key", "text"): lambda row: trap_key(row.url()),
    ("pattern_test", "bool"): test_of,
    ("pattern_extract", "struct"): groups_of,
    ("route", "text"): lambda row, routes: route_of(row, routes)["route"],
    ("route", "struct"): route_of,
    ("host_in", "bool"): lambda row, hosts, schemes: url_host_matches(row.url(), hosts, schemes=schemes),
    ("common_crawl", "struct"): common_crawl_of,
    ("robots_allowed", "bool"): lambda row, robots: robots.allowed(row.text),
    ("is_private", "bool"): lambda row: is_private_url(row.url()),
    ("redact", "text"): lambda row, policy: redact(row.given_anyway(), policy, encoding=row.encoding),
    ("redactions", "struct"): lambda row, policy: redactions(row.given_anyway(), policy, encoding=row.encoding),
    ("redact_text", "text"): lambda row, policy: redact_text(without_surrogates(row.text), policy),
    ("path_template", "text"): lambda row, **options: path_template(row.given(), *options.values()),
    ("percent_decode", "text"): lambda row, errors: percent_decode_text(row.text, errors=errors),
    ("find_urls", "texts"): lambda row, **options: [span.url.href for span in find_urls(row.text, **options)],
    ("defang", "text"): lambda row, **options: defang(without_surrogates(row.text), **options),
    ("refang", "text"): lambda row, **options: refang(without_surrogates(row.text), **options),
    ("parse_url", "text"): part_of,
    ("component", "text"): lambda row, field, psl: field_of(row.url(), field, psl),
}


def without_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# What a row gives that is not a URL, where that is not null.
NOT_A_URL: dict[tuple[str, str], Any] = {("can_parse", "bool"): False, ("pattern_test", "bool"): False}
# They take any text.
NEVER_FAIL = ("redact", "redact_text", "redactions")


class Expected(NamedTuple):
    """The rows that a call gives, the counts of errors, and the number of the first row that fails."""

    rows: list[Any]
    errors: dict[str, int]
    first: int | None


def expected(call: Call, texts: Sequence[str | None], bases: Sequence[str | None] | None = None) -> Expected:
    """What the scalar functions give. With `bases`, each row has its own."""
    verb = call.verb
    scalar = SCALAR[verb.name, verb.result]
    options = {option.name: option.default for option in verb.options if not option.is_required} | call.options
    base, encoding = options.pop("base", None), options.pop("encoding", "utf-8")
    # A struct has its fields in each row.
    null = dict.fromkeys(names_of(verb, {each.name: options[each.name] for each in verb.options})) or None
    null = null if verb.is_struct else None
    nothing = NOT_A_URL.get((verb.name, verb.result), null)
    rows: list[Any] = []
    errors: Counter[str] = Counter()
    first = None
    for index, text in enumerate(texts):
        own = base if bases is None else bases[index]
        if text is None or (bases is not None and own is None):
            rows.append(null)
            continue
        row = Row(text, own, encoding)
        error = None
        try:
            rows.append(scalar(row, **options))
            if verb.name in ("can_parse", "pattern_test"):
                row.url()
        except InvalidURL as raised:
            error = raised.error
            if len(rows) == index:
                rows.append(nothing)
            if options.get("field") == "error":
                rows[-1] = error
            elif null is not None and "error" in null:
                rows[-1] = {**null, "error": error}
        except UnicodeDecodeError:
            error = "invalid-UTF-8"
            rows.append(None)
        if error is not None:
            errors[error] += 1
            first = index if first is None else first
    return Expected(rows, dict(errors), first)
