"""The table of verbs: one row for each thing that weburl does with columns of URLs.

A row gives the function in `weburl.bulk`, those of all engines in Python and in SQL, what plans of Polars may have, and
the tables and stubs that tools/verb_pages.py writes. `work` asks the room that writes the columns for their fields: it
imports that room itself, so that the table costs nothing to import.
"""

from __future__ import annotations

from weburl._verbs import columns
from weburl._verbs.options import (
    BARE,
    BITS,
    DEFANGED,
    ERRORS,
    FIELD,
    FIELDS,
    GROUPS,
    HOSTS,
    KEY,
    KEYS,
    LOG_POLICY,
    PART,
    PART_FIELDS,
    PART_KEY,
    PATH_POLICY,
    PATTERN,
    POLICY,
    PSL,
    ROBOTS,
    ROUTES,
    SCHEMES,
    SHARDS,
    SYNTAX,
    TEXT_SCHEMES,
)  # fmt: skip
from weburl._verbs.verb import VERBS, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from weburl._arrow.columns import Field
    from weburl._crawl.policy import Policy
    from weburl._hosts.host_set import HostSet
    from weburl._hosts.suffixes import PublicSuffixList
    from weburl._patterns.pattern import URLPattern
    from weburl._patterns.pattern_list import PatternList
    from weburl._redact.redact import LogPolicy
    from weburl._robots.robots import Robots

Fields = tuple["Field", ...]


def columns_of(fields: Iterable[str], psl: PublicSuffixList | None = None) -> Fields:
    """The columns that `parse_many` and the command give, by their names."""
    # Rows with the same work share what it makes, and so the state.
    made: dict[Callable[..., Iterable[Field]], dict[str, Field]] = {}
    bound = []
    for name in fields:
        field = columns.FIELDS.get(name)
        if field is None:
            verb = next(verb for verb in VERBS if verb.is_column and verb.field == name)
            assert verb.work is not None
            if verb.work not in made:
                options = verb.checked({"psl": psl} if PSL in verb.options else {})
                made[verb.work] = {each.name: each for each in verb.work(**options)}
            field = made[verb.work][name]
        bound.append(field)
    return tuple(bound)


def sites(psl: PublicSuffixList | None) -> Fields:
    from weburl._hosts.columns import sites

    return sites(psl)


def private_hosts() -> Fields:
    from weburl._hosts.columns import private_hosts

    return (private_hosts(),)


def hosts_in(hosts: HostSet, schemes: str | Iterable[str] | None) -> Fields:
    from weburl._hosts.columns import hosts_in
    from weburl._hosts.suffixes import HostPatterns

    return (hosts_in(HostPatterns(hosts, schemes)),)


def canonical_forms(policy: str | Policy, bits: int = 64) -> Fields:
    from weburl._crawl.columns import canonical_forms

    return canonical_forms(policy, bits)


def host_groups(psl: PublicSuffixList | None) -> Fields:
    from weburl._crawl.columns import host_groups

    return (host_groups(psl),)


def shards(n: int, psl: PublicSuffixList | None) -> Fields:
    from weburl._crawl.columns import shards

    return (shards(n, psl),)


def common_crawl(psl: PublicSuffixList | None) -> Fields:
    from weburl._crawl.columns import common_crawl

    return common_crawl(psl)


def trap_keys() -> Fields:
    from weburl._redact.columns import trap_keys

    return (trap_keys(),)


def pattern_test(pattern: URLPattern) -> Fields:
    from weburl._patterns.columns import matches

    return matches(pattern._matching(()), ("pattern_test",))


def pattern_groups(pattern: URLPattern, groups: Iterable[str] | None) -> Fields:
    from weburl._patterns.columns import matches

    matching = pattern._matching(groups)
    if not matching.columns:
        raise ValueError("the pattern has no groups with names: give groups, as ['pathname.0']")
    return matches(matching)


def route(routes: PatternList) -> Fields:
    from weburl._patterns.columns import matches

    return matches(routes._matching(()), ("route",))


def route_with_groups(routes: PatternList) -> Fields:
    from weburl._patterns.columns import matches

    return matches(routes._matching(), ("route", "groups"))


def redacted(policy: str | LogPolicy) -> Fields:
    from weburl._redact.columns import redactions

    return redactions(policy)


def redactions(policy: str | LogPolicy) -> Fields:
    from weburl._redact.columns import redactions
    from weburl._redact.secrets import KINDS

    return redactions(policy, KINDS)


def redacted_text(policy: str | LogPolicy) -> Fields:
    from weburl._redact.columns import redacted_texts

    return (redacted_texts(policy),)


def template(policy: str | LogPolicy) -> Fields:
    from weburl._redact.columns import templates

    return (templates(policy),)


def found_urls(schemes: tuple[str, ...], bare: bool, syntax: str, defanged: bool) -> Fields:
    from weburl._text.columns import found_urls

    return (found_urls(schemes, bare, syntax, defanged),)


def defanged(schemes: tuple[str, ...], bare: bool) -> Fields:
    from weburl._text.columns import defanged

    return (defanged(schemes, bare),)


def refanged(schemes: tuple[str, ...], bare: bool) -> Fields:
    from weburl._text.columns import refanged

    return (refanged(schemes, bare),)


def robots_allowed(robots: Robots) -> Fields:
    from weburl._robots.rules import allowed

    return (allowed(robots._rules),)


def part_or_value(part: str, key: str | None) -> Fields:
    if key is None:
        return (columns.FIELDS[PART_FIELDS[part]],)
    if part != "QUERY":
        raise ValueError(f"a key goes with QUERY, not with {part!r}")
    return columns.query_values((key,))


SHOPS = '["https://www.shop.example.co.uk/cart", "https://ada.github.io/"]'
BOOKS = '["https://eu.example.com/books/7", "https://us.example.com/books/new"]'

COMPONENT = Verb(
    "component", "text", "One of the columns of `parse_many`.",
    options=(FIELD, PSL), work=lambda field, psl: columns_of((field,), psl), views=True, in_engines=False,
    takes_encoding=True,
    example=(
        ('["https://example.com/a?q=1#top", "mailto:ada@example.com"]',),
        '"pathname"',
        "['/a', 'ada@example.com']",
    ),
)  # fmt: skip

VERBS[:] = [
    Verb(
        "hostname", "text", "The host, without a port: `URL.hostname`.", "hostname", many=None,
        example=(('["https://Example.com:8080/a", "http://0x7f.1/"]',), "", "['example.com', '127.0.0.1']"),
    ),
    Verb(
        "path", "text", "The path: `URL.pathname`.", "pathname", many=None,
        example=(('["https://example.com/a/../caf\u00e9", "https://example.com"]',), "", "['/caf%C3%A9', '/']"),
    ),
    Verb(
        "param", "text", "The first value of the parameter `key`, decoded; null if there is none.",
        options=(KEY,), work=lambda key: columns.query_values((key,)), many="query_get_many", finds_key=True,
        bulk_doc="The first value of the parameter `key` in each URL, decoded; null if there is none.",
        takes_encoding=True,
        example=(
            ('["https://example.com/?q=caf%C3%A9+bar&q=2", "/?q"]',),
            '"q", base="https://example.com"',
            "['café bar', '']",
        ),
    ),
    Verb(
        "params", "pairs", "All pairs of the query, decoded: a list of structs of `name` and `value`.", "query_pairs",
        many="query_pairs_many",
        bulk_doc="All pairs of each URL's query, decoded: a list of structs of `name` and `value`.",
        takes_encoding=True,
        example=(
            ('["https://example.com/?q=a+b&debug"]',),
            "",
            "[[{'name': 'q', 'value': 'a b'}, {'name': 'debug', 'value': ''}]]",
        ),
        bulk_example=(('["https://example.com/?q=a+b&debug"]',), "", "[[('q', 'a b'), ('debug', '')]]"),
    ),
    Verb(
        "query", "struct",
        "A struct with a field for each of the keys: the first value of this parameter, decoded, or null.",
        options=(KEYS,), work=columns.query_values, names="keys", views=True, many="query_values_many",
        bulk_doc="A column for each of the names: its first value in each URL's query, decoded; null if there is none.",
        more="All are found in one pass, which takes little longer than one name alone.",
        sql_result="map", sql_work=lambda keys: (columns.query_map(keys),), any_number=True,
        sql_doc="A map from each key that the query has to its first value, decoded.",
        takes_encoding=True,
        example=(
            ('["https://example.com/?page=2&q=caf%C3%A9&page=3"]',),
            '["q", "page"]',
            "[{'q': 'café', 'page': '2'}]",
        ),
    ),
    Verb(
        "parse", "struct",
        "A struct with a field for each part of the URL; the names of parts are those of `weburl.bulk.parse_many`.",
        options=(FIELDS, PSL), work=columns_of, names="fields", views=True,
        bulk_doc='A column for each of the fields, by default the parts of a URL, with "origin" and "error".',
        more="""\
A component is the same as in `URL`: if a URL does not have it, the empty string, but None for `query`, `fragment`
and `host_type`. "error" is the standard's name for the error of a row that is not a URL, and None for other rows.
With `views`, the columns of strings have Arrow's type string_view and point into the input, if it holds the same
text; then a URL can have at most 2**30 characters ("too-long").

There are three more fields: "registrable_domain", "public_suffix" and "host_group". They follow the list `psl`, by
default that of the publicsuffixlist package. The first two are None for hosts without them, such as IP addresses.""",
        takes_encoding=True,
        example=(
            ('["HTTPS://Example.com:443/a?q", "mailto:ada@example.com"]',),
            '["hostname", "pathname"]',
            "[{'hostname': 'example.com', 'pathname': '/a'}, {'hostname': '', 'pathname': 'ada@example.com'}]",
        ),
        bulk_example=(
            ('["HTTPS://Example.com:443/a?q", "example.com"]',),
            '["host", "error"]',
            "[{'host': 'example.com', 'error': None}, {'host': None, 'error': 'missing-scheme-non-relative-URL'}]",
        ),
    ),
    Verb(
        "join", "text", "The reference, resolved against the base.", "href", columns=("base", "ref"), takes_base=False,
        bulk_doc="""\
The full URL of each reference, resolved against one base, or against the base in the same row of a column.""",
        more='If the base of a row is not a URL, the row has the error "base". If the base is null, so is the result.',
        takes_encoding=True,
        example=(
            ('["https://example.com/docs/tour"] * 2', '["api?v=2", "//cdn.example.com/a.js"]'),
            "",
            "['https://example.com/docs/api?v=2', 'https://cdn.example.com/a.js']",
        ),
        bulk_example=(
            ('"https://example.com/docs/tour"', '["api?v=2", "//cdn.example.com/a.js"]'),
            "",
            "['https://example.com/docs/api?v=2', 'https://cdn.example.com/a.js']",
        ),
    ),
    Verb(
        "normalize", "text", "The serialized URL: `URL.href`.", "href", base_is_second=True, takes_encoding=True,
        bulk_doc="Each URL, serialized. `encoding` is the encoding of queries, as for `URL`.",
        example=(
            ('["HTTP://Example.com:80/a b", "https://example.com/%7Euser/../"]',),
            "",
            "['http://example.com/a%20b', 'https://example.com/']",
        ),
    ),
    Verb(
        "can_parse", "bool", "Whether it is a URL; null for null.", "can_parse", base_is_second=True,
        bulk_doc="Whether each row parses; null for a null row.",
        example=(
            ('["https://example.com/a b", "example.com", "https://example.com:99999"]',),
            "",
            "[True, False, False]",
        ),
    ),
    Verb(
        "registrable_domain", "text",
        "The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`.",
        "registrable_domain", options=(PSL,), work=sites, many=None, is_column=True,
        example=((SHOPS,), "", "['example.co.uk', 'ada.github.io']"),
    ),
    Verb(
        "public_suffix", "text", "The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`.",
        "public_suffix", options=(PSL,), work=sites, many=None, is_column=True,
        example=((SHOPS,), "", "['co.uk', 'github.io']"),
    ),
    Verb(
        "canonicalize", "text", "The canonical form under a policy, as from `weburl.crawl.canonicalize`.", "canonical",
        options=(POLICY,), work=canonical_forms,
        bulk_doc="""\
The canonical form of each URL, as from `weburl.crawl.canonicalize`; with a base, each row is resolved first.""",
        takes_encoding=True,
        example=(
            ('["HTTP://Example.com:80/index.html?b=2&utm_source=x&a=1#top"]',),
            "",
            "['http://example.com/?a=1&b=2']",
        ),
    ),
    Verb(
        "fingerprint", "number",
        "The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number, or bytes for 96 or 128 bits.",
        "fingerprint", options=(POLICY, BITS), work=canonical_forms,
        bulk_doc="The fingerprint of each URL, as from `weburl.crawl.fingerprint`.",
        more="""\
`bits` is at most 64, or 96 or 128. Up to 64 bits have Arrow's type uint64; 96 and 128 bits are bytes, of the type
fixed_size_binary.""",
        takes_encoding=True,
        example=(
            ('["https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1#top"]',),
            "bits=32",
            "[1387039953, 1387039953]",
        ),
    ),
    Verb(
        "host_group", "text",
        "The registrable domain or, if there is none, the host; null without a host. It needs `weburl[psl]`.",
        "host_group", options=(PSL,), work=host_groups, is_column=True,
        bulk_doc="""\
The host that each URL counts for, as from `weburl.crawl.host_group`; null for a URL without a host.""",
        example=(
            ('["https://news.example.co.uk/a", "http://127.0.0.1:8000/"]',), "", "['example.co.uk', '127.0.0.1']",
        ),
    ),
    Verb(
        "shard", "number", "The shard among `n`, as from `weburl.crawl.shard`. It needs `weburl[psl]`.", "shard",
        options=(SHARDS, PSL), work=shards,
        bulk_doc="The shard of each URL among `n`, as from `weburl.crawl.shard`.",
        sql_doc="The shard among `n`, a text such as '16', as from `weburl.crawl.shard`. It needs `weburl[psl]`.",
        example=(('["https://news.example.co.uk/a", "http://example.co.uk/"]',), "16", "[10, 10]"),
    ),
    Verb(
        "trap_key", "text", "One key for the pages of a trap such as a calendar, as from `weburl.crawl.trap_key`.",
        "trap_key", work=trap_keys, own_text=True,
        bulk_doc="One key for the pages of a trap such as a calendar, as from `weburl.crawl.trap_key`.",
        takes_encoding=True,
        example=(
            ('["https://example.com/cal/2026/11?view=day", "https://example.com/cal/1999/1?view=week"]',),
            "",
            "['example.com/cal/{int}?view', 'example.com/cal/{int}?view']",
        ),
    ),
    Verb(
        "pattern_test", "bool", "Whether it matches a pattern; false if it is not a URL, null for null.",
        "pattern_test", options=(PATTERN,), work=pattern_test,
        bulk_doc="""\
Whether each URL matches a pattern, as from `URLPattern.test`; false for a row that is not a URL, null for null.""",
        more="`pattern` is a URLPattern, or the text of one.",
        takes_encoding=True,
        example=((BOOKS,), '"https://eu.example.com/books/:id"', "[True, False]"),
    ),
    Verb(
        "pattern_extract", "struct",
        "A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them.",
        options=(PATTERN, GROUPS), work=pattern_groups, names="groups", views=True,
        bulk_doc="A column for each group of a pattern: the text that it matches, as from `URLPattern.exec`.",
        more="""\
By default these are the groups that have names. A name that two components have is with its component, such as
`hostname.id` and `pathname.id`. `groups` names others, such as `id`, `pathname.id`, or `pathname.0`, which is the
first of the path. A group is null in a row that does not match, and where it took no part in the match.""",
        sql_result="text", sql_doc="The text that a group of the pattern matches; null if there is no match.",
        takes_encoding=True,
        example=(
            (BOOKS,),
            '"https://:shop.example.com/books/:id"',
            "[{'shop': 'eu', 'id': '7'}, {'shop': 'us', 'id': 'new'}]",
        ),
    ),
    Verb(
        "route", "text", "The key of the first match in `routes`, a mapping or a `PatternList`; null if none.", "route",
        options=(ROUTES,), work=route, many=None,
        takes_encoding=True,
        example=((BOOKS,), '{"new": "*://*/books/new", "book": "*://*/books/:id"}', "['book', 'new']"),
    ),
    Verb(
        "host_in", "bool",
        "Whether its host is in `hosts`, a `HostSet` or a list of host patterns; null if it is not a URL.", "host_in",
        options=(HOSTS, SCHEMES), work=hosts_in,
        bulk_doc="""\
Whether each URL's host is in `hosts`, as from `weburl.hosts.url_host_matches`; null for a row that is not a URL.""",
        more="""\
`hosts` is a list of host patterns, or a `weburl.hosts.HostSet`. A URL whose scheme is not one of `schemes` gives
false; None allows all schemes. The time for a row does not depend on how many entries there are.""",
        example=(('["https://ads.example.com/", "https://notexample.com/"]',), '["example.com"]', "[True, False]"),
    ),
    Verb(
        "is_private", "bool",
        "Whether its host is private, as from `weburl.hosts.is_private_url`; null if it is not a URL.", "is_private",
        work=private_hosts, many="is_private_url_many",
        bulk_doc="""\
Whether each URL's host is private, as from `weburl.hosts.is_private_url`; null for a row that is not a URL.""",
        example=(
            ('["https://example.com/", "http://localhost:8000/", "http://2130706433/"]',),
            "",
            "[False, True, True]",
        ),
    ),
    Verb(
        "redact", "text", "The URL, or any other text, without its secrets, as from `weburl.redact.redact`.",
        "redacted", options=(LOG_POLICY,), work=redacted, own_text=True,
        bulk_doc="Each URL, or other text, without its secrets, as from `weburl.redact.redact`; null for a null row.",
        takes_encoding=True,
        example=(
            ('["https://ada:secret@example.com/?page=2&access_token=q8Zx"]',),
            "",
            "['https://REDACTED:REDACTED@example.com/?page=2&access_token=REDACTED']",
        ),
    ),
    Verb(
        "redact_text", "text",
        "The text, such as a line of a log, without its secrets, as from `weburl.text.redact_text`.",
        "redacted_text", options=(LOG_POLICY,), work=redacted_text, columns=("text",), takes_base=False, own_text=True,
        bulk_doc="Each text, such as a line of a log, without its secrets, as from `weburl.text.redact_text`.",
        example=(
            ('["GET /login?user=ada&password=q8Zx HTTP/1.1"]',),
            "",
            "['GET /login?user=ada&password=REDACTED HTTP/1.1']",
        ),
    ),
    Verb(
        "path_template", "text", "The path with placeholders, as from `weburl.redact.path_template`: /users/{int}.",
        "template", options=(PATH_POLICY,), work=template, own_text=True,
        bulk_doc="""\
The path of each URL with placeholders, as from `weburl.redact.path_template`; null for a row that is neither a
URL nor a path.""",
        example=(
            ('["https://example.com/users/123/posts?page=2", "https://example.com/about"]',),
            "",
            "['/users/{int}/posts', '/about']",
        ),
    ),
    Verb(
        "percent_decode", "text",
        'The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8.', "decoded",
        options=(ERRORS,), work=lambda errors: (columns.decoded(errors),), columns=("text",), takes_base=False,
        own_text=True, bulk_doc="Each text, percent-decoded and decoded as UTF-8.",
        more="""\
Bytes that are not UTF-8 become U+FFFD ("replace") or are left out ("ignore"), or the row fails with "invalid-UTF-8"
("strict"); with `on_error="raise"` that raises a UnicodeDecodeError.""",
        sql_doc="The text, percent-decoded and decoded as UTF-8.",
        example=(('["caf%C3%A9", "100%", "%FF"]',), "", "['café', '100%', '�']"),
    ),
    Verb(
        "find_urls", "texts", "A list of the URLs in a text, serialized, as from `weburl.text.find_urls`.",
        "found_urls", options=(TEXT_SCHEMES, BARE, SYNTAX, DEFANGED), work=found_urls, columns=("text",),
        takes_base=False, own_text=True,
        bulk_doc="""\
The URLs in each text, serialized: a list of texts, as from `weburl.text.find_urls`; null for a null row.""",
        example=(
            ('["see https://example.com/a, and www.example.org.", "nothing here"]',),
            "",
            "[['https://example.com/a', 'http://www.example.org/'], []]",
        ),
    ),
    Verb(
        "defang", "text", "The text with its URLs written so that they are not links, as from `weburl.text.defang`.",
        "defanged", options=(TEXT_SCHEMES, BARE), work=defanged, columns=("text",), takes_base=False, own_text=True,
        bulk_doc="Each text with its URLs written so that they are not links, as from `weburl.text.defang`.",
        example=(('["see https://evil.example/a."]',), "", "['see hxxps[:]//evil[.]example/a.']"),
    ),
    Verb(
        "refang", "text", "The text with its defanged URLs as links again, as from `weburl.text.refang`.", "refanged",
        options=(TEXT_SCHEMES, BARE), work=refanged, columns=("text",), takes_base=False, own_text=True,
        bulk_doc="Each text with its defanged URLs as links again, as from `weburl.text.refang`.",
        example=(('["see hxxps[:]//evil[.]example/a."]',), "", "['see https://evil.example/a.']"),
    ),
    Verb(
        "parse_url", "text",
        "A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, as `url_param`.",
        options=(PART, PART_KEY), work=part_or_value, takes_base=False, many=None, takes_encoding=True, finds_key=True,
        example=(('["https://ada@example.com:8080/a?q=1#top"]',), '"AUTHORITY"', "['ada@example.com:8080']"),
    ),
    # Only of `weburl.bulk`.
    COMPONENT,
    Verb(
        "redactions", "struct",
        "How many secrets `redact_many` hides in each URL: a column for each kind of `weburl.redact.redactions`.",
        options=(LOG_POLICY,), work=redactions, in_engines=False,
        takes_encoding=True,
        example="""\
>>> table = redactions_many(["https://ada:secret@example.com/?page=2&access_token=q8Zx"])
>>> table["credentials"].to_pylist(), table["name"].to_pylist()
([1], [1])""",
    ),
    Verb(
        "common_crawl", "struct",
        "The columns that Common Crawl's index has for each URL, with its names. It needs `weburl[psl]`.",
        # In engines, a struct has texts only, and its port is a number.
        options=(PSL,), work=common_crawl, in_engines=False,
        more="""\
`url_surtkey` is the key that the index is sorted by. `url_host_registered_domain` follows the public suffix list
without its section of private domains, and `url_host_private_domain` the whole list. `url_port` is a number.
Without such a part of the URL, a column is null. docs/archives.md says where Common Crawl's own values differ.""",
        takes_encoding=True,
        example="""\
>>> table = common_crawl_many(["https://www.ada.github.io:8080/a?q=1"])
>>> table["url_surtkey"][0], table["url_host_registered_domain"][0], table["url_host_private_domain"][0]
('io,github,ada:8080)/a?q=1', 'github.io', 'ada.github.io')""",
    ),
    Verb(
        "robots_allowed", "bool",
        "Whether a robots.txt allows each URL, as from `weburl.robots.Robots.allowed`; null if it is not a URL.",
        "robots_allowed", options=(ROBOTS,), work=robots_allowed, takes_base=False,
        more="`robots` is a `weburl.robots.Robots`. With its `compat`, no URL is parsed, and only null rows give null.",
        example=(
            ('["https://example.com/private/a", "https://example.com/"]',),
            "from weburl.robots import Robots\n"
            'robots = Robots.parse("User-agent: *\\nDisallow: /private", agent="ExampleBot")\nrobots',
            "[False, True]",
        ),
        bulk_example="""\
>>> from weburl.robots import Robots
>>> robots = Robots.parse("User-agent: *\\nDisallow: /private", agent="ExampleBot")
>>> robots_allowed_many(["https://example.com/private/a", "https://example.com/", "example"], robots).to_pylist()
[False, True, None]""",
    ),
    Verb(
        "route", "struct", "The first of many patterns that each URL matches, as from `PatternList.first`.",
        options=(ROUTES,), work=route_with_groups, in_engines=False,
        more="""\
The column `route` has the pattern's key, and `groups` is a map of its groups that have names and took part. Both
are null in a row that matches none. `routes` is a PatternList, or its patterns: a mapping of keys to patterns, or a
list.""",
        takes_encoding=True,
        example=(
            (BOOKS,),
            '{"new": "*://*/books/new", "book": "*://*/books/:id"}',
            "[{'route': 'book', 'groups': {'id': '7'}}, {'route': 'new', 'groups': {}}]",
        ),
    ),
]  # fmt: skip
