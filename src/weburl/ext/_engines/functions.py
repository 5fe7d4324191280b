"""The list of functions that engines have. Engines are made from it, or tests compare them with it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Result = Literal["text", "bool", "number", "pairs", "struct", "map"]


class Function(NamedTuple):
    """`columns` are its arguments that are columns, `options` the others.

    In SQL all arguments are columns: `sql_columns` says how many, or None for any number; `sql_result` is the result
    there, and `sql_doc` its words, if they are others. A namespace, such as Polars', has the same names without `url_`,
    and stands for the first column.
    """

    name: str
    columns: tuple[str, ...]
    options: tuple[str, ...]
    result: Result
    sql_columns: int | None
    doc: str
    sql_result: Result | None = None
    sql_doc: str | None = None


FUNCTIONS: Final = {
    function.name: function
    for function in (
        Function("url_host", ("url",), ("base",), "text", 1, "The host, without a port: `URL.hostname`."),
        Function("url_path", ("url",), ("base",), "text", 1, "The path: `URL.pathname`."),
        Function(
            "url_param", ("url",), ("key", "base"), "text", 2,
            "The first value that the query has for a name, decoded; null if it has none.",
        ),
        Function(
            "url_params", ("url",), ("base",), "pairs", 1,
            "All pairs of the query, decoded: a list of structs of `name` and `value`.",
        ),
        Function(
            "url_query", ("url",), ("keys", "base"), "struct", None,
            "A struct with a field for each of the keys: the first value that the query has for it, decoded.",
            "map", "A map of those of the keys that the query has, with their first values, decoded.",
        ),
        Function(
            "url_parse", ("url",), ("fields", "base"), "struct", 1,
            "A struct with a field for each name; the names, and the default, are those of `weburl.bulk.parse_many`.",
        ),
        Function("url_join", ("base", "ref"), (), "text", 2, "The reference, resolved against the base."),
        Function("url_normalize", ("url",), ("base",), "text", 1, "The serialization: `URL.href`."),
        Function("url_valid", ("url",), ("base",), "bool", 1, "Whether it is a URL; null for null."),
        Function(
            "url_site", ("url",), ("base",), "text", 1,
            "The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`.",
        ),
        Function(
            "url_public_suffix", ("url",), ("base",), "text", 1,
            "The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`.",
        ),
        Function(
            "url_canonicalize", ("url",), ("policy", "base"), "text", 2,
            "The canonical form under a policy, as from `weburl.crawl.canonicalize`.",
        ),
        Function(
            "url_fingerprint", ("url",), ("policy", "base"), "number", 2,
            "The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign.",
        ),
        Function(
            "url_pattern_test", ("url",), ("pattern", "base"), "bool", 2,
            "Whether it matches a pattern; false for what is not a URL, null for null.",
        ),
        Function(
            "url_pattern_extract", ("url",), ("pattern", "groups", "base"), "struct", 3,
            "A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them.",
            "text", "What a group of the pattern took; null if it took no part.",
        ),
        Function(
            "url_route", ("url",), ("routes", "base"), "text", 1,
            "The key of the first of the patterns that it matches; null if it matches none.",
        ),
        Function(
            "url_host_in", ("url",), ("hosts", "base"), "bool", 2,
            "Whether its host is one of `hosts`, a `HostSet` or what makes one; null for what is not a URL.",
        ),
        Function(
            "url_is_private", ("url",), ("base",), "bool", 1,
            "Whether its host is private, as from `weburl.hosts.is_private_url`; null for what is not a URL.",
        ),
        Function(
            "url_redact", ("url",), ("base",), "text", 1, "The URL without its secrets, as from `weburl.redact.redact`."
        ),
        Function(
            "url_path_template", ("url",), ("base",), "text", 1,
            "The template of the path, as from `weburl.redact.path_template`: /users/{int}.",
        ),
        Function(
            "url_percent_decode", ("text",), ("errors",), "text", 1,
            'The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8.',
            None, "The text, percent-decoded and decoded as UTF-8.",
        ),
        Function(
            "parse_url", ("url",), ("part", "key"), "text", None,
            "A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param`.",
        ),
    )
}  # fmt: skip
