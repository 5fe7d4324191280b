from collections.abc import Iterable

from fast_query_parsers import parse_query_string

DISTRIBUTION = "fast-query-parsers"


def params_list(queries: Iterable[str]) -> None:
    for query in queries:
        parse_query_string(query.encode(), "&")
