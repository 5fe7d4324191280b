"""The table of fields: what columns there can be, and the function that writes each."""

from weburl._arrow.batch cimport (
    BITS, CODES, ERROR_NAMES, HOST_TYPES, MAP, NUMBERS, PAIRS, STRINGS, ColumnType,
)
from weburl._columns.columns cimport (
    AUTHORITY_PART, FILE_PART, USERINFO_PART, Writer, put_component, put_error, put_fingerprint, put_group, put_host_in,
    put_host_type, put_is_private, put_origin, put_pattern_test, put_public_suffix, put_query_map, put_query_pairs,
    put_query_value, put_redactions, put_route, put_route_groups, put_site, put_sql_part, put_valid,
)
from weburl._core.record cimport (
    FRAGMENT, HASH, HOST, HOSTNAME, HREF, PASSWORD, PATHNAME, PORT, PROTOCOL, QUERY, SCHEME, SEARCH, USERNAME,
)

from weburl._redact.secrets import KINDS

cdef dict TYPES = {STRINGS: "text", CODES: "name", BITS: "bool", PAIRS: "pairs", MAP: "map", NUMBERS: "number"}


cdef class Field:
    """One of the things that a column can hold. `use` says which function gives it:

    - "url": parse_many() gives it by default; it is an attribute of URL, or "error"
    - "site": parse_many() gives it on request; it needs the Public Suffix List
    - "own": another function gives it, as its only column

    A row that is a URL can be null if `has_nulls` is true. If `is_any_text` is true, the text can have any
    characters; all other texts are ASCII without control characters.
    """

    @property
    def kind(self):
        """text, name, bool, pairs, map or number."""
        return TYPES[self.type]


cdef Field field(str use, str name, ColumnType type, Reads reads, bint has_nulls, Writer write, str doc):
    cdef Field self = Field.__new__(Field)
    self.use = use
    self.name = name
    self.type = type
    self.reads = reads
    self.has_nulls = has_nulls
    self.write = write
    self.doc = doc
    self.needs_list = use == "site"
    return self


cdef Field component(str name, int part, Reads reads, bint has_nulls, str doc):
    cdef Field self = field("url", name, STRINGS, reads, has_nulls, put_component, doc)
    self.part = part
    return self


# A text that the job makes from each row.
cdef Field made(str name, bint is_any_text, str doc):
    cdef Field self = field("own", name, STRINGS, WHOLE_URL, False, put_component, doc)
    self.part = HREF
    self.is_any_text = is_any_text
    return self


cdef Field code(str name, int dictionary, Writer write, str doc):
    cdef Field self = field("url", name, CODES, NO_TEXT, True, write, doc)
    self.dictionary = dictionary
    return self


cdef Field query_value(str name, str doc):
    cdef Field self = field("own", name, STRINGS, WHOLE_URL, True, put_query_value, doc)
    self.is_any_text = True
    return self


cdef Field sql_part(str name, int part, Reads reads, bint has_nulls, str doc):
    cdef Field self = field("own", name, STRINGS, reads, has_nulls, put_sql_part, doc)
    self.part = part
    return self


cdef Field keyed(str name, str doc):
    cdef Field self = field("own", name, STRINGS, TEXT_TO_PORT, True, put_route, doc)
    self.is_any_text = True
    return self


cdef Field count(str name, int kind):
    cdef Field self = field("own", name, NUMBERS, WHOLE_URL, False, put_redactions, f"how many secrets are hidden: {name}")
    self.part = kind
    return self


FIELDS = {each.name: each for each in (
    component("href", HREF, WHOLE_URL, False, "the URL, serialized"),
    component("protocol", PROTOCOL, TEXT_TO_PORT, False, "the scheme and a colon"),
    component("scheme", SCHEME, TEXT_TO_PORT, False, "the scheme"),
    component("username", USERNAME, TEXT_TO_PORT, False, "the username"),
    component("password", PASSWORD, TEXT_TO_PORT, False, "the password"),
    component("host", HOST, TEXT_TO_PORT, False, "the host and, unless it is the scheme's default, the port"),
    component("hostname", HOSTNAME, TEXT_TO_PORT, False, "the host"),
    component("port", PORT, TEXT_TO_PORT, False, "the port, unless it is the scheme's default"),
    component("pathname", PATHNAME, WHOLE_URL, False, "the path"),
    component("search", SEARCH, WHOLE_URL, False, "a question mark and the query, unless that is empty"),
    component("hash", HASH, WHOLE_URL, False, "a number sign and the fragment, unless that is empty"),
    component("query", QUERY, WHOLE_URL, True, "the query; null if there is none"),
    component("fragment", FRAGMENT, WHOLE_URL, True, "the fragment; null if there is none"),
    field("url", "origin", STRINGS, TEXT_TO_PORT, False, put_origin, "the origin, serialized"),
    code("host_type", HOST_TYPES, put_host_type, "domain, ipv4, ipv6, opaque or empty; null for a URL without a host"),
    code("error", ERROR_NAMES, put_error, "for a row that is not a URL, the standard's name for the error; else null"),
    field("site", "site", STRINGS, TEXT_TO_PORT, True, put_site, "the registrable domain; null if there is none"),
    field(
        "site", "public_suffix", STRINGS, TEXT_TO_PORT, True, put_public_suffix,
        "the public suffix; null if there is none",
    ),
    field("own", "valid", BITS, NO_TEXT, True, put_valid, "whether the row is a URL"),
    field("own", "is_private", BITS, TEXT_TO_PORT, False, put_is_private, "whether the URL's host is private"),
    field("own", "host_in", BITS, TEXT_TO_PORT, False, put_host_in, "whether the URL's host matches a pattern"),
    sql_part("file", FILE_PART, WHOLE_URL, False, "the path, and the query after a question mark unless it is empty"),
    sql_part("authority", AUTHORITY_PART, TEXT_TO_PORT, True, "the credentials and the host; null without a host"),
    sql_part("userinfo", USERINFO_PART, TEXT_TO_PORT, True, "the credentials; null if there are none"),
    query_value("query_get", "a value of the query, decoded"),
    field("own", "query_map", MAP, WHOLE_URL, False, put_query_map, "keys that the query has, with their values"),
    field("own", "query_pairs", PAIRS, WHOLE_URL, False, put_query_pairs, "the pairs of the query, decoded"),
    made("decoded", True, "the text, percent-decoded"),
    made("canonical", False, "the canonical form"),
    field("own", "pattern_test", BITS, TEXT_TO_PORT, True, put_pattern_test, "whether the URL matches a pattern"),
    field("own", "group", STRINGS, TEXT_TO_PORT, True, put_group, "what a group of the pattern took"),
    keyed("route", "the key of the first pattern that the URL matches"),
    field("own", "groups", MAP, TEXT_TO_PORT, True, put_route_groups, "what the named groups of that pattern took"),
    field("own", "fingerprint", NUMBERS, WHOLE_URL, False, put_fingerprint, "the fingerprint of the canonical form"),
    made("redacted", False, "the URL without its secrets"),
    made("template", False, "the template of the path"),
    *[count(name, kind) for kind, name in enumerate(KINDS)],
)}

# What parse_many() gives by default, and all that it can give.
URL_FIELDS = tuple([name for name, field in FIELDS.items() if field.use == "url"])
PARSE_FIELDS = tuple([name for name, field in FIELDS.items() if field.use != "own"])
OWN_FIELDS = tuple([name for name, field in FIELDS.items() if field.use == "own"])
