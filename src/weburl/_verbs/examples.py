"""An example of each verb, written once: the docstrings of `weburl.bulk` and of engines show it in their own words.

By the name of the function in engines or, where its result or its arguments differ, in `weburl.bulk`: the columns, the
other arguments, and the result; or the whole text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

Example = tuple[tuple[str, ...], str, str]

HOSTS = '["https://www.shop.example.co.uk/cart", "https://ada.github.io/"]'
BOOKS = '["https://eu.example.com/books/7", "https://us.example.com/books/new"]'

EXAMPLES: Final[dict[str, Example | str]] = {
    "url_hostname": (('["https://Example.com:8080/a", "http://0x7f.1/"]',), "", "['example.com', '127.0.0.1']"),
    "url_path": (('["https://example.com/a/../caf\u00e9", "https://example.com"]',), "", "['/caf%C3%A9', '/']"),
    "url_param": (
        ('["https://example.com/?q=caf%C3%A9+bar&q=2", "/?q"]',),
        '"q", base="https://example.com"',
        "['café bar', '']",
    ),
    "url_params": (
        ('["https://example.com/?q=a+b&debug"]',),
        "",
        "[[{'name': 'q', 'value': 'a b'}, {'name': 'debug', 'value': ''}]]",
    ),
    "query_pairs_many": (('["https://example.com/?q=a+b&debug"]',), "", "[[('q', 'a b'), ('debug', '')]]"),
    "url_query": (
        ('["https://example.com/?page=2&q=caf%C3%A9&page=3"]',),
        '["q", "page"]',
        "[{'q': 'café', 'page': '2'}]",
    ),
    "parse_many": (
        ('["HTTPS://Example.com:443/a?q", "example.com"]',),
        '["host", "error"]',
        "[{'host': 'example.com', 'error': None}, {'host': None, 'error': 'missing-scheme-non-relative-URL'}]",
    ),
    "url_parse": (
        ('["HTTPS://Example.com:443/a?q", "mailto:ada@example.com"]',),
        '["hostname", "pathname"]',
        "[{'hostname': 'example.com', 'pathname': '/a'}, {'hostname': '', 'pathname': 'ada@example.com'}]",
    ),
    "url_join": (
        ('["https://example.com/docs/tour"] * 2', '["api?v=2", "//cdn.example.com/a.js"]'),
        "",
        "['https://example.com/docs/api?v=2', 'https://cdn.example.com/a.js']",
    ),
    "join_many": (
        ('"https://example.com/docs/tour"', '["api?v=2", "//cdn.example.com/a.js"]'),
        "",
        "['https://example.com/docs/api?v=2', 'https://cdn.example.com/a.js']",
    ),
    "url_normalize": (
        ('["HTTP://Example.com:80/a b", "https://example.com/%7Euser/../"]',),
        "",
        "['http://example.com/a%20b', 'https://example.com/']",
    ),
    "url_can_parse": (
        ('["https://example.com/a b", "example.com", "https://example.com:99999"]',),
        "",
        "[True, False, False]",
    ),
    "url_registrable_domain": ((HOSTS,), "", "['example.co.uk', 'ada.github.io']"),
    "url_public_suffix": ((HOSTS,), "", "['co.uk', 'github.io']"),
    "url_canonicalize": (
        ('["HTTP://Example.com:80/index.html?b=2&utm_source=x&a=1#top"]',),
        "",
        "['http://example.com/?a=1&b=2']",
    ),
    "url_fingerprint": (
        ('["https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1#top"]',),
        "bits=32",
        "[1387039953, 1387039953]",
    ),
    "url_pattern_test": ((BOOKS,), '"https://eu.example.com/books/:id"', "[True, False]"),
    "url_pattern_extract": (
        (BOOKS,),
        '"https://:shop.example.com/books/:id"',
        "[{'shop': 'eu', 'id': '7'}, {'shop': 'us', 'id': 'new'}]",
    ),
    "url_route": ((BOOKS,), '{"new": "*://*/books/new", "book": "*://*/books/:id"}', "['book', 'new']"),
    "route_many": (
        (BOOKS,),
        '{"new": "*://*/books/new", "book": "*://*/books/:id"}',
        "[{'route': 'book', 'groups': {'id': '7'}}, {'route': 'new', 'groups': {}}]",
    ),
    "url_host_in": (('["https://ads.example.com/", "https://notexample.com/"]',), '["example.com"]', "[True, False]"),
    "url_is_private": (
        ('["https://example.com/", "http://localhost:8000/", "http://2130706433/"]',),
        "",
        "[False, True, True]",
    ),
    "url_redact": (
        ('["https://ada:secret@example.com/?page=2&access_token=q8Zx"]',),
        "",
        "['https://REDACTED:REDACTED@example.com/?page=2&access_token=REDACTED']",
    ),
    "url_redact_text": (
        ('["GET /login?user=ada&password=q8Zx HTTP/1.1"]',),
        "",
        "['GET /login?user=ada&password=REDACTED HTTP/1.1']",
    ),
    "redactions_many": """\
>>> table = redactions_many(["https://ada:secret@example.com/?page=2&access_token=q8Zx"])
>>> table["credentials"].to_pylist(), table["name"].to_pylist()
([1], [1])""",
    "url_path_template": (
        ('["https://example.com/users/123/posts?page=2", "https://example.com/about"]',),
        "",
        "['/users/{int}/posts', '/about']",
    ),
    "url_percent_decode": (('["caf%C3%A9", "100%", "%FF"]',), "", "['café', '100%', '�']"),
    "url_find_urls": (
        ('["see https://example.com/a, and www.example.org.", "nothing here"]',),
        "",
        "[['https://example.com/a', 'http://www.example.org/'], []]",
    ),
    "url_defang": (('["see https://evil.example/a."]',), "", "['see hxxps[:]//evil[.]example/a.']"),
    "url_refang": (('["see hxxps[:]//evil[.]example/a."]',), "", "['see https://evil.example/a.']"),
    "parse_url": (('["https://ada@example.com:8080/a?q=1#top"]',), '"AUTHORITY"', "['ada@example.com:8080']"),
    "component_many": (
        ('["https://example.com/a?q=1#top", "mailto:ada@example.com"]',),
        '"pathname"',
        "['/a', 'ada@example.com']",
    ),
}
