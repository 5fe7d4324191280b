"""What the parser changes in a URL, in words: `explain` and `weburl view` show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from weburl._diagnosis.credentials import HIDDEN, inner_credentials, without_inner_credentials
from weburl._diagnosis.escapes import quoted
from weburl._diagnosis.trace import FROM_BASE, STANDARD, Trace, anchor
from weburl._literal import LiteralURL, serialize_host, serialize_url
from weburl._literal.hosts import find_percent_encoded_byte
from weburl._literal.percent import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    EOF,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    percent_decode_string,
    utf_8_percent_encode,
)
from weburl._literal.record import EMPTY_HOST
from weburl._unicode.encoding import UTF_8
from weburl._unicode.idna import domain_parser

PAIRS_SHOWN: Final = 4


class Change(NamedTuple):
    kind: str
    detail: str
    anchor: str


def change(kind: str, detail: str, fragment: str) -> Change:
    return Change(kind, detail, STANDARD + fragment)


def arrow(before: str, after: str) -> str:
    return f"{quoted(before)} -> {quoted(after)}"


def changes(trace: Trace, text: str, url: LiteralURL) -> list[Change]:
    if serialize_url(url) == text:
        return []
    return [
        *input_changes(trace, text),
        *base_changes(trace),
        *scheme_changes(trace, url),
        *credentials_changes(trace, url),
        *host_changes(trace, url),
        *port_changes(trace, url),
        *path_changes(trace, url),
        *query_and_fragment_changes(trace, url),
    ]


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def input_changes(trace: Trace, text: str) -> Iterator[Change]:
    lone = sum("\ud800" <= c <= "\udfff" for c in text)
    if lone:
        paired = len(text) - len(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        detail = []
        if lone > 2 * paired:
            detail.append(f"{counted(lone - 2 * paired, 'lone surrogate')} replaced by U+FFFD")
        if paired:
            detail.append(f"{counted(paired, 'surrogate pair')} joined")
        yield Change("surrogates", ", ".join(detail), "https://infra.spec.whatwg.org/#javascript-string-convert")
    start, end = trace.stripped
    if start or end:
        detail = [f"{number} {where}" for number, where in ((start, "at the start"), (end, "at the end")) if number]
        yield change("spaces and controls removed", ", ".join(detail), "concept-basic-url-parser")
    removed = sum(text[start : len(text) - end].count(c) for c in "\t\n\r")
    if removed:
        yield change("tabs and newlines removed", str(removed), "concept-basic-url-parser")


def base_changes(trace: Trace) -> Iterator[Change]:
    parts = trace.base_parts
    if parts:
        state = next(name for name in reversed(list(trace.first)) if name in FROM_BASE)
        yield change("taken from the base", ", ".join(parts), anchor(state))


def scheme_changes(trace: Trace, url: LiteralURL) -> Iterator[Change]:
    scheme = trace.input[: trace.scheme_end]
    if scheme != scheme.lower() and "relative_state" not in trace.first:
        yield change("scheme lower-cased", arrow(scheme[:-1], url.scheme), "scheme-state")
    slashes = None
    after = "//"
    if "authority_state" in trace.first:
        slashes = trace.input[trace.scheme_end : trace.first["authority_state"]]
    elif "file_host_state" in trace.first:
        slashes = trace.input[trace.scheme_end : trace.first["file_host_state"]]
    elif url.scheme == "file" and trace.scheme_end and (trace.base is None or trace.base.scheme != "file"):
        slashes = trace.input[trace.scheme_end : trace.first["path_state"]]
        after = "///"
    path_start = 0 if slashes is None else trace.scheme_end + len(slashes)
    if slashes is not None and slashes != "//":
        # The scheme state only records that they are missing; the file state goes on without them.
        states = [
            state for (_, state), (place, _) in trace.solidi.items() if place <= path_start and state != "scheme_state"
        ]
        state = states[0] if states else "file_state"
        yield change("slashes", arrow(slashes, after), anchor(state))
    if trace.scheme_end and slashes is None and not FROM_BASE.isdisjoint(trace.first) and trace.base is not None:
        state = "file_state" if url.scheme == "file" else "special_relative_or_authority_state"
        yield change("scheme without //", "relative to the base", anchor(state))
    for (name, state), (place, number) in trace.solidi.items():
        if name == "invalid-reverse-solidus" and place >= path_start:
            yield change("backslashes to slashes", f"{number} in the path", anchor(state))


def credentials_changes(trace: Trace, url: LiteralURL) -> Iterator[Change]:
    if trace.credentials_end is None:
        return
    username, colon, password = trace.input[trace.first["authority_state"] : trace.credentials_end].partition(":")
    for name, before, after in (("username", username, url.username), ("password", password, url.password)):
        if before != after:
            yield change(f"{name} percent-encoded", HIDDEN, "userinfo-percent-encode-set")
    if not url.includes_credentials:
        yield change("empty credentials removed", quoted(f"{colon}@"), "concept-url-serializer")
    elif colon and not password:
        yield change("empty password removed", quoted(":"), "concept-url-serializer")


def host_changes(trace: Trace, url: LiteralURL) -> Iterator[Change]:
    before = trace.part("host_state") or trace.part("file_host_state")
    if not before or url.host is None:
        return
    if "file_host_state" in trace.first and "path_start_state" not in trace.first:
        yield change("drive letter moved from the host to the path", quoted(before), "file-host-state")
        return
    after = serialize_host(url.host)
    if url.host.host_type == "ipv6":
        if before != after:
            yield change("IPv6 address normalized", arrow(before, after), "concept-ipv6-serializer")
        return
    if url.host.host_type == "opaque":
        yield from encoded("host", before, C0_CONTROL_PERCENT_ENCODE_SET, "concept-opaque-host-parser")
        return
    domain = before
    if find_percent_encoded_byte(before) is not None:
        domain = percent_decode_string(before).decode(errors="replace")
        yield change("host percent-decoded", arrow(before, domain), "concept-host-parser")
    mapped = domain_parser(domain) or domain
    if mapped != domain:
        kind = "host lower-cased" if domain.isascii() else "host mapped by ToASCII"
        yield change(kind, arrow(domain, mapped), "concept-domain-to-ascii")
    if url.host.host_type == "ipv4" and mapped != after:
        yield change("IPv4 address normalized", arrow(mapped, after), "concept-ipv4-parser")
    if url.host == EMPTY_HOST:
        yield change("localhost removed", arrow("localhost", ""), "file-host-state")


def port_changes(trace: Trace, url: LiteralURL) -> Iterator[Change]:
    before = trace.part("port_state")
    if before is None:
        return
    if not before:
        yield change("empty port removed", quoted(":"), "port-state")
    elif url.port is None:
        yield change("default port removed", quoted(f":{before}"), "port-state")
    elif before != str(url.port):
        yield change("port normalized", arrow(before, str(url.port)), "port-state")


def path_changes(trace: Trace, url: LiteralURL) -> Iterator[Change]:
    opaque = trace.part("opaque_path_state")
    if opaque is not None:
        yield from encoded(
            "path",
            without_inner_credentials(opaque),
            C0_CONTROL_PERCENT_ENCODE_SET,
            anchor("opaque_path_state"),
            last_space=opaque.endswith(" "),
            hidden=chain.from_iterable(opaque[start:end] for start, end in inner_credentials(opaque)),
        )
        return
    if url.is_special and empty_path(trace):
        yield change("empty path to /", arrow("", "/"), "path-state")
    if trace.drive_letter is not None:
        yield change("drive letter normalized", arrow(trace.drive_letter, f"{trace.drive_letter[0]}:"), "path-state")
    dots = trace.dots
    if url.host is None and len(url.path) > 1 and url.path[0] == "":
        if trace.input.startswith("/.//", trace.scheme_end):
            dots -= 1
        else:
            yield change("/. before the path", arrow("//", "/.//"), "concept-url-serializer")
    if dots:
        yield change("dot segments removed", str(dots), "path-state")
    kept = chain.from_iterable(trace.kept_segments())
    yield from encoded("path", kept, PATH_PERCENT_ENCODE_SET, "path-percent-encode-set")


def empty_path(trace: Trace) -> bool:
    """Whether the input has no path where the path state starts."""
    start = trace.first.get("path_start_state")
    return start is not None and trace.input[start : start + 1] in {EOF, "?", "#"}


def query_and_fragment_changes(trace: Trace, url: LiteralURL) -> Iterator[Change]:
    name = "special-query" if url.is_special else "query"
    query_set = SPECIAL_QUERY_PERCENT_ENCODE_SET if url.is_special else QUERY_PERCENT_ENCODE_SET
    query = trace.part("query_state") or ""
    if trace.encoding is UTF_8:
        yield from encoded("query", query, query_set, f"{name}-percent-encode-set")
    elif query and url.query != query:
        # Not by characters: in iso-2022-jp the bytes of one depend on those before it.
        yield change(f"query encoded as {trace.encoding.name}", arrow(query, url.query or ""), "query-state")
    fragment = trace.part("fragment_state") or ""
    yield from encoded("fragment", fragment, FRAGMENT_PERCENT_ENCODE_SET, "fragment-percent-encode-set")


def encoded(
    part: str,
    text: Iterable[str],
    percent_encode_set: frozenset[str],
    fragment: str,
    *,
    last_space: bool = False,
    hidden: Iterable[str] = "",
) -> Iterator[Change]:
    pairs = [(c, after) for c in dict.fromkeys(text) if (after := utf_8_percent_encode(c, percent_encode_set)) != c]
    if last_space:
        pairs.append((" ", "%20"))
    details = [f"{quoted(c)} -> {after}" for c, after in pairs[:PAIRS_SHOWN]]
    if any(utf_8_percent_encode(c, percent_encode_set) != c for c in dict.fromkeys(hidden)):
        details.append(HIDDEN)
    if len(pairs) > PAIRS_SHOWN:
        details.append(f"and {counted(len(pairs) - PAIRS_SHOWN, 'more character')}")
    if details:
        yield change(f"{part} percent-encoded", ", ".join(details), fragment)
