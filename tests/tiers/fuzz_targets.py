"""The fuzz targets that use the Python API: each takes bytes and asserts what must hold for all bytes.

fuzz.py runs them, and test_fuzz.py runs them with the inputs that are kept in tests/tiers/fuzz. 0xFF, which UTF-8 does
not use, separates the fields of an input. A surrogate is encoded as in generalized UTF-8; bytes that do not decode
become surrogates.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import pickle
import re
import struct
import sys
from codecs import BOM_UTF8
from collections.abc import Callable
from importlib import import_module
from typing import Any

from support import command_model, find_model, host_model, parts_model, record_model, robots_model, secret_texts
from support.arrow import KEPT, AsArray, AsStream
from support.hostile import ENCODINGS, NAMES, Input
from support.literal_compare import attributes, compare, error_of
from support.patterns import COMPONENTS
from tiers import agreement, bulk_agreement
from tiers.bulk_agreement import LONGEST_VIEW
from tiers.fuzz_inputs import mutated
from tiers.pattern_oracles.in_python import TEXT as literal_patterns
from tiers.pattern_oracles.in_python import is_like_in_python

from weburl import URL, InvalidURL, PatternError, URLPattern, URLSearchParams, explain, is_valid, normalize, validate
from weburl._core.failures import FAILURE_NAMES
from weburl._core.parser import LONGEST
from weburl._diagnosis import file_paths
from weburl._hosts.host_files import entries_of
from weburl._literal import percent as literal_percent
from weburl.bulk import (
    canonicalize_many,
    component_many,
    fingerprint_many,
    host_in_many,
    parse_lines,
    parse_many,
    path_template_many,
    redact_many,
)
from weburl.compat import urllib, w3lib
from weburl.crawl import DocumentBase, canonicalize, fingerprint
from weburl.display import display_host, display_url, spoofing_risks
from weburl.forms import parse_form, serialize_form
from weburl.hosts import (
    HostSet,
    domain_to_ascii,
    domain_to_unicode,
    host_matches,
    is_private_host,
    is_private_url,
    is_valid_domain,
    is_valid_host,
    parse_host,
    public_suffix,
    registrable_domain,
    same_origin,
    same_origin_domain,
    same_site,
    schemelessly_same_site,
    url_host_matches,
)
from weburl.patterns import PatternList
from weburl.percent import percent_decode, percent_decode_text, percent_encode
from weburl.redact import path_template, redact, redactions

# The literal parser is slow: it takes part up to so many bytes.
SMALL = 64
MOST_ASSIGNMENTS = 8
ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
SETS: dict[str, frozenset[str]] = {
    "c0-control": literal_percent.C0_CONTROL_PERCENT_ENCODE_SET,
    "fragment": literal_percent.FRAGMENT_PERCENT_ENCODE_SET,
    "query": literal_percent.QUERY_PERCENT_ENCODE_SET,
    "special-query": literal_percent.SPECIAL_QUERY_PERCENT_ENCODE_SET,
    "path": literal_percent.PATH_PERCENT_ENCODE_SET,
    "userinfo": literal_percent.USERINFO_PERCENT_ENCODE_SET,
}
SETS["component"] = SETS["userinfo"] | frozenset("$%&+,")
SETS["form"] = SETS["component"] | frozenset("!'()~")


def text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")


def scalar_values(text: str) -> str:
    """The scalar value string, made in another way than by the package."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def texts_of(data: bytes, count: int) -> list[str]:
    """The fields of an input; the last one has the rest of it."""
    fields = [text_of(field) for field in data.split(b"\xff", count - 1)]
    return fields + [""] * (count - len(fields))


def option(data: bytes) -> tuple[int, bytes]:
    return (data[0], data[1:]) if data else (0, data)


def check_url(url: URL) -> None:
    """Asserts what holds for every URL."""
    again = URL(url.href)
    assert attributes(again) == attributes(url), url.href
    assert normalize(url.href) == url.href
    assert url.href.isascii()
    assert again == url
    pairs = list(url.search_params)
    assert list(URLSearchParams(url.search)) == pairs
    url.search_params.sort()
    assert list(URL(url.href).search_params) == list(url.search_params)
    assert sorted(url.search_params) == sorted(pairs)


def parse(data: bytes) -> None:
    check_parse(text_of(data), None, "utf-8", len(data))


def base(data: bytes) -> None:
    index, data = option(data)
    url, base = texts_of(data, 2)
    check_parse(url, base, ENCODINGS[index % len(ENCODINGS)] if index < 128 else "utf-8", len(data))


def check_parse(text: str, base: str | None, encoding: str, size: int) -> None:
    if size <= SMALL:
        agreement.check(Input(text, base, encoding))
        return
    url = URL.parse(text, base, encoding=encoding)
    error = error_of(text, base, encoding)
    # can_parse() takes no encoding, and a query can be longer in one than in another.
    in_utf8 = error if encoding == "utf-8" else error_of(text, base, "utf-8")
    assert URL.can_parse(text, base) is (in_utf8 is None)
    assert error == in_utf8 or "too-long" in (error, in_utf8)
    if url is None:
        assert error in FAILURE_NAMES
    else:
        assert error is None
        check_url(url)


def setters(data: bytes) -> None:
    href, *fields = data.split(b"\xff", MOST_ASSIGNMENTS + 1)
    assignments = tuple(
        (NAMES[field[0] % len(NAMES)], text_of(field[1:])) for field in fields[:MOST_ASSIGNMENTS] if field
    )
    if len(data) <= SMALL:
        agreement.check(Input(text_of(href), None, "utf-8", assignments))
        return
    url = URL.parse(text_of(href))
    if url is None:
        return
    for name, value in assignments:
        before = url.href
        error = agreement.set_error(url, name, value)
        if error is not None:
            assert name == "href" or (error == "too-long" and 9 * len(data) > LONGEST)
            assert url.href == before
    if "protocol" not in dict(assignments):
        again = URL(url.href)
        assert attributes(again) == attributes(url), url.href
        check_url(again)


def params(data: bytes) -> None:
    query, *fields = data.split(b"\xff")
    url = URL("https://h/p#f")
    url.search = "?" + text_of(query)
    pairs = list(url.search_params)
    # The list is made of the URL's query, from which the parser has removed tabs and newlines.
    assert pairs == naive_pairs(scalar_values(text_of(query)).encode().translate(None, b"\t\n\r"))
    alone = URLSearchParams(pairs)
    for field in fields[:8]:
        operation, rest = option(field)
        name, value = (scalar_values(text) for text in texts_of(rest.replace(b"=", b"\xff", 1), 2))
        for params in (url.search_params, alone):
            assert params.get(name) == next((pair[1] for pair in pairs if pair[0] == name), None)
            assert params.get_all(name) == [pair[1] for pair in pairs if pair[0] == name]
            assert params.has(name, value) is ((name, value) in pairs)
            operate(params, operation % 6, name, value)
        pairs = operate_naively(pairs, operation % 6, name, value)
        assert list(url.search_params) == list(alone) == pairs
        if operation & 64:
            assert url.search == (f"?{alone}" if str(alone) else "")
    assert url.query == (str(alone) or None) or not fields
    assert list(URLSearchParams(str(alone))) == [pair for pair in pairs if pair != ("", "")] or ("", "") in pairs
    assert list(URL(url.href).search_params) == list(URLSearchParams(url.search))


def operate(params: URLSearchParams, operation: int, name: str, value: str) -> None:
    if operation == 0:
        params.append(name, value)
    elif operation == 1:
        params.delete(name)
    elif operation == 2:
        params.delete(name, value)
    elif operation == 3:
        params.set(name, value)
    elif operation == 4:
        params.sort()
    elif name in params:
        del params[name]
    else:
        params[name] = value


def operate_naively(pairs: list[tuple[str, str]], operation: int, name: str, value: str) -> list[tuple[str, str]]:
    others = [pair for pair in pairs if pair[0] != name]
    if operation == 0:
        return [*pairs, (name, value)]
    if operation == 2:
        return [pair for pair in pairs if pair != (name, value)]
    if operation == 4:
        return sorted(pairs, key=lambda pair: pair[0].encode("utf-16-be"))
    if operation == 1 or (operation == 5 and len(others) < len(pairs)):
        return others
    first = next((index for index, pair in enumerate(pairs) if pair[0] == name), len(pairs))
    return [*pairs[:first], (name, value), *(pair for pair in pairs[first:] if pair[0] != name)]


def naive_decode(data: bytes) -> bytes:
    return ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), data)


def naive_pairs(data: bytes) -> list[tuple[str, str]]:
    pairs = []
    for field in filter(None, data.split(b"&")):
        name, _, value = field.replace(b"+", b" ").partition(b"=")
        pairs.append((naive_decode(name).decode("utf-8", "replace"), naive_decode(value).decode("utf-8", "replace")))
    return pairs


def percent(data: bytes) -> None:
    index, data = option(data)
    text = text_of(data)
    octets = scalar_values(text).encode()
    name = list(SETS)[index % len(SETS)]
    encoded = percent_encode(text, name)
    space = "+" if name == "form" else "%20"
    naive = "".join(f"%{byte:02X}" if chr(byte) in SETS[name] and byte != 0x20 else chr(byte) for byte in octets)
    assert encoded == (naive.replace(" ", space) if " " in SETS[name] else naive)
    assert percent_decode(text) == percent_decode(octets) == naive_decode(octets)
    assert percent_decode(data) == naive_decode(data)
    assert percent_decode_text(data) == naive_decode(data).decode("utf-8", "replace")
    if name == "component":
        assert percent_decode(encoded) == octets
    if name in ("form", "special-query"):
        label = ENCODINGS[index // 8 % len(ENCODINGS)]
        assert percent_encode(text, name, encoding=label).isascii()


def forms(data: bytes) -> None:
    index, data = option(data)
    pairs = parse_form(data)
    assert pairs == naive_pairs(data)
    text = text_of(data)
    assert parse_form(text) == naive_pairs(scalar_values(text).encode())
    assert parse_form(serialize_form(pairs)) == [pair for pair in pairs if pair != ("", "")] or ("", "") in pairs
    label = ENCODINGS[index % len(ENCODINGS)]
    try:
        others = parse_form(data, encoding=label, use_charset=bool(index & 64), isindex=bool(index & 128))
    except ValueError:
        assert not data.isascii()
    else:
        assert serialize_form(others, encoding=label).isascii()


def idna(data: bytes) -> None:
    text = text_of(data)
    found = outcome(parse_host, text)
    if not set(text) & set("/?#@:\\\t\n\r"):
        inside = outcome(URL, f"https://{text}/")
        # The URL is longer than its host.
        assert inside == "too-long" or (inside.host if isinstance(inside, URL) else inside) == str(found), text
    opaque = outcome(parse_host, text, opaque=True)
    for host, is_opaque in ((found, False), (opaque, True)):
        if not isinstance(host, str):
            assert parse_host(str(host), opaque=is_opaque) == host
    ascii_domain = outcome(domain_to_ascii, text)
    if ascii_domain != "domain-to-ASCII":
        assert domain_to_ascii(ascii_domain) == ascii_domain
        unicode = domain_to_unicode(ascii_domain)
        assert domain_to_ascii(unicode) == ascii_domain, text
    domain_to_unicode(text)
    if is_valid_domain(text):
        assert domain_to_ascii(text, strict=True) == ascii_domain
    if is_valid_host(text):
        assert not isinstance(found, str), text
    if is_valid_host(text, opaque=True):
        assert not isinstance(opaque, str), text


def outcome(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """The result of a call, or the name of the error."""
    try:
        return function(*arguments, **options)
    except InvalidURL as error:
        return FAILURE_NAMES[FAILURE_NAMES.index(error.error)]


def arrow(data: bytes) -> None:
    """Makes buffers from the input: they are refused, or the rows are those that a reader in Python finds."""
    index, data = option(data)
    rest, _, texts = data.partition(b"\xff\xff")
    numbers, _, bits = rest.partition(b"\xff\xfe")
    format = ("u", "U", "vu")[index % 3]
    offset = index // 3 % 3
    size = {"u": 4, "U": 8, "vu": 16}[format]
    values = numbers[: len(numbers) // size * size]
    # Few bytes make the numbers that a fuzzer changes one at a time.
    if index & 64:
        values = b"".join(byte.to_bytes(size, "little") for byte in numbers[:4096])
    count = len(values) // size
    length = count - offset - (format != "vu")
    if length < 0:
        return
    validity = bits + bytes(max(0, count // 8 + 1 - len(bits))) if bits else None
    rows: list[bytes | None] | None
    if format == "vu":
        blocks = texts.split(b"\xff", 3)
        sizes = struct.pack(f"={len(blocks)}q", *map(len, blocks))
        buffers = [validity, values, *blocks, sizes]
        rows = read_views(values, blocks, validity, offset)
    else:
        offsets = struct.unpack(f"={count}{'i' if format == 'u' else 'q'}", values)[offset:]
        ascending = length == 0 or (
            offsets[0] >= 0 and all(before <= after for before, after in itertools.pairwise(offsets))
        )
        if ascending and length and offsets[-1] > 1 << 20:
            # Arrow does not say how long the data is: that it is not as long as this nobody could see.
            return
        if ascending:
            texts = texts.ljust(max(offsets[-1], 0) if length else 0, b"x")
        buffers = [validity, values, texts]
        rows = None
        if ascending:
            rows = [
                texts[begin:end] if is_valid_row(validity, offset + place) else None
                for place, (begin, end) in enumerate(itertools.pairwise(offsets))
            ]
    source = (AsStream if index & 128 else AsArray)([[]], format)
    source.arrays = [source.array(buffers, length, offset)]
    found: list[list[str | None]] | None
    try:
        table = parse_many(source, ("href", "host", "error"), threads=1, views=bool(index & 32))
        found = [list(row.values()) for row in table]
        del table
    except ValueError as error:
        if not str(error).startswith("malformed Arrow array"):
            raise
        found = None
    assert found == (None if rows is None else [scalar_row(row, bool(index & 32)) for row in rows])
    KEPT.clear()


def read_views(values: bytes, blocks: list[bytes], validity: bytes | None, offset: int) -> list[bytes | None] | None:
    """The rows, or None if a view is malformed."""
    rows: list[bytes | None] = []
    for place in range(offset, len(values) // 16):
        length, _, block, begin = struct.unpack("=i4sii", values[16 * place : 16 * place + 16])
        if not is_valid_row(validity, place):
            rows.append(None)
        elif length < 0:
            return None
        elif length <= 12:
            rows.append(values[16 * place + 4 : 16 * place + 4 + length])
        elif 0 <= block < len(blocks) and 0 <= begin <= begin + length <= len(blocks[block]):
            rows.append(blocks[block][begin : begin + length])
        else:
            return None
    return rows


def is_valid_row(validity: bytes | None, place: int) -> bool:
    return validity is None or bool(validity[place // 8] >> place % 8 & 1)


def scalar_row(row: bytes | None, views: bool) -> list[str | None]:
    found = None if row is None else outcome(URL, row.decode("utf-8", "replace"))
    if not isinstance(found, URL):
        return [None, None, found]
    return [None, None, "too-long"] if views and len(found.href) > LONGEST_VIEW else [found.href, found.host, None]


def bulk(data: bytes) -> None:
    rows = [texts_of(row, 2) for row in data.split(b"\n")[:200]]
    differences = list(
        bulk_agreement.check([(None if url == "\0" else url, None if base == "\0" else base) for url, base in rows])
    )
    assert not differences, differences[0]
    texts = [None if url == "\0" else scalar_values(url) for url, _ in rows]
    columns: list[tuple[Callable[..., Any], Callable[..., object]]] = [
        (canonicalize_many, canonicalize), (fingerprint_many, fingerprint), (path_template_many, path_template),
        (redact_many, redact),
    ]  # fmt: skip
    for column, scalar in columns:
        expected = [None if text is None else either(scalar, text) for text in texts]
        assert column(texts, threads=1).to_pylist() == expected
    found = [None if text is None else URL.parse(text) for text in texts]
    for part in ("href", "origin"):
        entries = component_many(texts, part, threads=1, views=True).to_pylist()
        for url, entry in zip(found, entries, strict=True):
            right = None if url is None else getattr(url, part)
            # A longer URL may have an origin all the same: then its path has not been read.
            assert entry == right or (entry is None and url is not None and len(url.href) > LONGEST_VIEW)


def lines(data: bytes) -> None:
    index, data = option(data)
    table = parse_lines(data, ("href", "host", "error"), threads=1, views=bool(index & 1))
    rows = data.removeprefix(BOM_UTF8).split(b"\n")
    if not rows[-1]:
        rows.pop()
    assert [list(row.values()) for row in table] == [
        scalar_row(row.removesuffix(b"\r"), bool(index & 1)) for row in rows
    ]


def compat(data: bytes) -> None:
    index, data = option(data)
    first, second, third = texts_of(data, 3)
    label = ("utf-8", "latin1", "cp1251", "shift_jis", "utf-8", "gb18030", "iso2022_jp", "ascii")[index % 8]
    for function, arguments in (
        (urllib.urlsplit, (first, second)),
        (urllib.urlsplit, (data,)),
        (urllib.urljoin, (first, second)),
        (urllib.parse_qsl, (first,)),
        (urllib.parse_qsl, (data, bool(index & 8), bool(index & 16))),
        (urllib.quote, (first, second)),
        (urllib.unquote, (first, label)),
        (w3lib.safe_download_url, (first, label)),
        (w3lib.safe_url_string, (data, label, label, bool(index & 32))),
        (w3lib.canonicalize_url, (data,)),
        (w3lib.parse_url, (first,)),
        (w3lib.url_query_parameter, (first, second, third)),
        (w3lib.url_query_cleaner, (first, [second], third or "&")),
        (w3lib.add_or_replace_parameter, (first, second, third)),
        (w3lib.add_or_replace_parameters, (first, {second: third, third: first})),
        (w3lib.parse_qsl_to_bytes, (first, bool(index & 8))),
        (w3lib.path_to_file_uri, (first.replace("\0", ""),)),
        (w3lib.is_url, (first,)),
        (w3lib.add_http_if_no_scheme, (first,)),
        (w3lib.file_uri_to_path, (first,)),
        (w3lib.any_to_uri, (first,)),
        (w3lib.parse_data_uri, (first,)),
        (w3lib.parse_data_uri, (data,)),
    ):
        either(function, *arguments)
    assert urllib.unquote(urllib.quote(first, errors="replace")) == first.encode("utf-8", "replace").decode()
    for safe in (w3lib.safe_url_string, w3lib.safe_download_url, w3lib.canonicalize_url):
        for text in (first, data):
            if 9 * len(text) > LONGEST:
                continue
            made = either(safe, text)
            assert made is None or safe(made) == made, (safe, text, made)


def either(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call, or None for an error that the replaced functions raise, too."""
    try:
        return function(*arguments)
    except (ValueError, LookupError):
        return None


def secrets(data: bytes) -> None:
    """Texts without their secrets."""
    secret_texts.check(data, text_of(data), len(data) <= SMALL)


def people(data: bytes) -> None:
    """Functions that display, explain and compare URLs."""
    index, data = option(data)
    first, second = texts_of(data, 2)
    if len(data) <= 8 * SMALL:
        assert is_valid(first) in (True, False)
        assert explain(first, second or None)
        base = second if second and URL.can_parse(second) else None
        assert (base is None and second != "") is agreement.refuses_base(validate, first, second or None)
        errors = validate(first, base)
        assert [error.name for error in errors if error.failure] == [
            error.name for error in errors[-1:] if error.failure
        ]
    url = URL.parse(first)
    if url is None:
        return
    template, shown = path_template(url), either(redact, url)
    if shown is not None:
        assert (redact(shown), any(redactions(shown).values()), URL(shown).host) == (shown, False, url.host)
    if len(template) + 5 <= LONGEST:
        assert path_template(template) == template
    canonical = canonicalize(url)
    assert canonicalize(canonical) == canonical
    assert canonicalize(url, "surt")
    assert fingerprint(url) == fingerprint(canonical)
    width = index % 64 + 1
    assert len(display_url(url, max_width=width, isolate=False)) <= width
    display_url(url)
    display_host(url)
    spoofing_risks(url)
    registrable_domain(url)
    host = url.host_value
    assert is_private_url(url) is (host is None or is_private_host(host)) is is_private_host(url)
    if host is not None:
        assert pickle.loads(pickle.dumps(host)) == host
        assert host.host_type != "domain" or ".".join(host.labels) == str(host) == url.hostname
        assert host <= host and not host < host
    public_suffix(url)
    assert same_site(url, url) is schemelessly_same_site(url, url) is (url.origin != "null")
    assert same_origin(url, url) is same_origin_domain(url, url) is (url.origin != "null")
    # A host may begin with what is the kind of an entry.
    entry = url.hostname.replace("=", "%3D")
    matches = either(lambda: host_matches(url, [entry]))
    assert not url.is_special or matches is not False
    assert matches is None or url_host_matches(url, [entry]) is (
        matches and url.scheme in ("http", "https", "ws", "wss")
    )
    assert url.equals(url.replace(hash=second), exclude_fragments=True)
    assert url.to_json() == url.serialize() == url.href
    resolved = DocumentBase(url, second).resolve(second)
    assert resolved is None or URL(resolved.href) == resolved


def host_sets(data: bytes) -> None:
    """A set of hosts equals a loop over its entries. The first field has a line for each; the others are hosts."""
    lines, *texts = data.split(b"\xff", 16)
    entries = []
    for line in text_of(lines).split("\n")[:100]:
        found = entries_of(line.strip()) if line.strip() else ()
        assert isinstance(found, str) or all(found), line
        for entry in [line] if isinstance(found, str) else [line, *found]:
            if either(HostSet, [entry]) is not None:
                entries.append(host_model.parse_entry(scalar_values(entry)))
    hosts = HostSet(entry.text for entry in entries)
    assert len(hosts) == len(set(hosts)) == len({entry[1:] for entry in entries})
    assert hosts == pickle.loads(pickle.dumps(hosts)) == HostSet(reversed(list(hosts)))
    for text in map(text_of, texts):
        host = either(parse_host, text)
        right = None if host is None else host_model.best(entries, host)
        if host is not None:
            assert (text in hosts) is host_matches(host, hosts) is (right is not None)
            assert hosts.match(text) == hosts.match(host) == right
        url = URL.parse(text)
        if url is not None and url.host_type in ("domain", "ipv4", "ipv6"):
            assert hosts.match(url, schemes=None) == hosts.match(url.hostname)
            assert host_in_many([text], hosts).to_pylist() == [url in hosts]


def files(data: bytes) -> None:
    """Paths as URLs and back, by the rules of both systems; and URLs as paths."""
    index, data = option(data)
    windows = bool(index & 1)
    path: str | bytes = text_of(data) if index & 2 else data
    try:
        url = URL.from_path(path, windows=windows)
    except InvalidURL as error:
        check_refusal(error)
    else:
        check_url(url)
        back = url.to_path(windows=windows)
        assert URL.from_path(back, windows=windows) == url
        assert windows or back == (path if isinstance(path, str) else path.decode("utf-8", "surrogateescape"))
    parsed = URL.parse(text_of(data), "file:")
    if parsed is None:
        return
    try:
        path = parsed.to_path(windows=windows)
    except InvalidURL as error:
        check_refusal(error)
        return
    assert "\0" not in path
    names = path.split("\\" if windows else "/")
    assert len(names) == len(parsed.path_segments or ()) + (3 if windows and parsed.hostname else not windows)
    again = URL.from_path(path, windows=windows)
    assert again.to_path(windows=windows) == path
    assert again.hostname == parsed.hostname


def check_refusal(error: InvalidURL) -> None:
    assert error.error in FAILURE_NAMES or error.error in file_paths.SENTENCES
    assert error.error == "too-long" or error.position is not None or error.part == "host"
    assert str(error)


def build(data: bytes) -> None:
    """URLs from their own parts, and from parts at random. A bit each says which are given."""
    index, data = option(data)
    if index == 255 or not data.count(b"\xff"):
        url = URL.parse(text_of(data))
        if url is None:
            return
        parts = url.parts()
        assert URL.build(**parts) == url
        others: Any = {**parts, "pathname": None}
        segments = url.decoded_segments
        assert segments is None or URL.build(**others, path_segments=segments).decoded_segments == segments
        return
    scheme, host, *values = texts_of(data, 8)
    given: Any = {"scheme": scheme, "host": host}
    for bit, (name, value) in enumerate(zip(BUILD_PARTS, values, strict=True)):
        if index >> bit & 1:
            given[name] = value
    if index & 64:
        del given["host"]
    if index & 128:
        if "pathname" in given:
            given["path_segments"] = given.pop("pathname").split("\n")
        if "query" in given:
            given["params"] = [pair.partition("=")[::2] for pair in given.pop("query").split("\n")]
    check_built(given)


BUILD_PARTS = ("port", "username", "password", "pathname", "query", "fragment")


def check_built(given: Any) -> None:
    if parts_model.has_two_ports(given):
        try:
            URL.build(**given)
        except TypeError as refused:
            assert "not both" in str(refused), (given, refused)
            return
        raise AssertionError(given)
    try:
        expected = parts_model.built(given)
    except parts_model.Refused as reason:
        error = outcome_of_build(given)
        assert isinstance(error, InvalidURL), given
        assert (error.error, error.part) == reason.args or error.error == "too-long"
        assert error.message
        return
    url = outcome_of_build(given)
    if isinstance(url, InvalidURL):
        # Which the model does not know.
        assert url.error == "too-long", (given, url)
        assert url.part in (*given, "pathname")
        raise url
    compare(url, expected, given)
    check_url(url)
    if not url.has_opaque_path:
        segment = given.get("fragment", "a")
        if segment not in (".", ".."):
            longer = url / segment
            assert longer.decoded_segments is not None
            assert longer.decoded_segments[-1] == scalar_values(segment)
            assert URL(longer.href) == longer


def patterns(data: bytes) -> None:
    """A pattern, an input, and a base of either: the pattern is one text, or that of a component."""
    index, data = option(data)
    pattern, text, base = texts_of(data, 3)
    given: Any = pattern if index % 9 == 8 else {COMPONENTS[index % 9]: pattern}
    of_pattern = base if index & 64 and isinstance(given, str) else None
    ignore_case = bool(index & 128)
    try:
        made = URLPattern(given, of_pattern, ignore_case=ignore_case)
    except PatternError as error:
        assert error.component is None or error.component in COMPONENTS
        assert error.position is None or 0 <= error.position <= len(pattern) + len(base)
        assert len(str(error)) < 1500
        made = None
    except InvalidURL as error:
        assert error.error == "base"
        assert of_pattern is not None
        assert not URL.can_parse(of_pattern)
        made = None
    if len(data) < SMALL and is_like_in_python([given]):
        shown = scalar_values(pattern)
        literal: Any = shown if isinstance(given, str) else dict.fromkeys(given, shown)
        bases = [] if of_pattern is None else [scalar_values(of_pattern)]
        arguments = [literal, *bases, {"ignoreCase": ignore_case}]
        try:
            right = literal_patterns.make(arguments)
        except literal_patterns.refusals:
            assert made is None, pattern
        else:
            assert made is not None, pattern
            assert [getattr(made, name) for name in COMPONENTS] == [getattr(right, name) for name in COMPONENTS]
    if made is not None:
        check_pattern(made, text, base if index & 32 else None)


def check_pattern(made: URLPattern, text: str, base: str | None) -> None:
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    match = made.exec(text, base)
    assert made.test(text, base) is (match is not None)
    assert again.exec(text, base) == match
    url = URL.parse(text, base)
    if url is not None:
        of_url = made.exec(url)
        assert (of_url is None) is (match is None)
        parts = (url.scheme, url.username, url.password, url.hostname, url.port, url.pathname, url.query or "")
        for routes in (PatternList([("a", made)]), PatternList([("a", made), ("b", "https://*.example.com/a/:b")])):
            first = routes.first(url)
            assert (first is not None and first[0] == "a") is (match is not None)
            assert len(routes.all(url)) >= (match is not None)
    assert url is not None or match is None
    if match is None:
        return
    assert url is not None
    shown = [getattr(match, name) for name in COMPONENTS]
    assert [part.input for part in shown] == [*parts, url.fragment or ""]
    for part in shown:
        assert all(taken is None or taken in part.input for taken in part.groups.values())
    for name, taken in match.groups.items():
        assert match[name] == taken
    for component, part in zip(COMPONENTS, shown, strict=True):
        try:
            generated = made.generate(component, {name: taken or "" for name, taken in part.groups.items()})
        except PatternError:
            continue
        assert generated.isascii()


def records(data: bytes) -> None:
    """Records of CSV and JSON Lines, beside the modules csv and json."""
    record_model.check(data)


def counts(data: bytes) -> None:
    """Counts and keys of lines, beside those of a Counter and a set. The first byte says for how many names is room."""
    index, data = option(data)
    lines = [scalar_values(text_of(line)) for line in data.split(b"\n")[:200]]
    command_model.check_counts(lines, 1 + index)
    command_model.check_keys(lines, 1 + index % 7)


def logs(data: bytes) -> None:
    """Lines of an access log, beside a reader of regular expressions."""
    command_model.check_log(data)


def texts(data: bytes) -> None:
    """URLs in a text, beside the model. The first byte says how they are looked for."""
    find_model.check(*option(data))


def robots(data: bytes) -> None:
    """A robots.txt and a URL, beside the model. The first byte says how they are compared."""
    robots_model.check(*option(data))


def outcome_of_build(given: Any) -> URL | InvalidURL:
    try:
        return URL.build(**given)
    except InvalidURL as error:
        return error


def within_the_limit(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """The target. In a build with offsets of 16 bits, it may end at a URL that is too long."""

    @functools.wraps(target)
    def run(data: bytes) -> None:
        try:
            target(data)
        except InvalidURL as error:
            if error.error != "too-long" or 9 * len(data) < LONGEST:
                raise

    return run


FUNCTIONS: tuple[Callable[[bytes], None], ...] = (
    parse, base, setters, params, percent, forms, idna, arrow, bulk, lines, compat, people, host_sets, files, build,
    patterns, records, counts, logs, texts, secrets, robots,
)  # fmt: skip
TARGETS = {function.__name__: within_the_limit(function) for function in FUNCTIONS}


def main(*, mutates: bool = True) -> None:  # with `mutates`, libFuzzer must ask our mutator
    if sys.argv[1:] == ["--list"]:
        return print(*TARGETS, sep="\n")
    atheris, target = import_module("atheris"), TARGETS[sys.argv.pop(1)]

    def mutate(data: bytes, size: int, seed: int) -> bytes:
        return mutated(data, size, seed, atheris.Mutate)

    assert not mutates or hasattr(ctypes.CDLL(None), "LLVMFuzzerCustomMutator"), "not preloaded: it would not be asked"
    atheris.Setup(sys.argv, target, enable_python_coverage=False, **({"custom_mutator": mutate} if mutates else {}))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
