"""The picture of how a URL parses: what the literal parser does, watched."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from weburl._diagnosis.credentials import Places, hidden_places, inner_credentials, without_inner_credentials
from weburl._hosts.spoofing import is_deceptive
from weburl._literal import LiteralURL, Outcome, RecordedError, parse, serialize_host, serialize_path, serialize_url
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
from weburl._literal.states import Parser, Result, State, is_double_dot, is_single_dot
from weburl._unicode.idna import domain_parser
from weburl.errors import HIDDEN, redact, shown
from weburl.validation import message_of

STANDARD: Final = "https://url.spec.whatwg.org/#"
ELLIPSIS: Final = "…"
ERRORS_SHOWN: Final = 12
WHOLE: Final = 120  # code points of an input that is shown without gaps
HEAD, TAIL, AROUND = 60, 20, 10
VALUE: Final = 60  # characters of a component that are shown
PAIRS_SHOWN: Final = 4


def explain(text: str, base: str | None = None) -> str:
    base_url = None
    if base is not None:
        base_url = parse(base, most_errors=1).url
        if base_url is None:
            return f"base    {escape(shown(redact(base)))} does not parse:\n\n{explain(base)}"
    trace = Trace(text, base_url)
    outcome = trace.run()
    url = outcome.url
    lines = list(picture(trace, text, base_url, outcome))
    if base_url is not None:
        lines.append(f"base    {cut(shown_href(base_url))}")
    if url is None:
        place = trace.source.position(trace.stopped_at)
        lines += ["", f"It does not parse: failure at {place}, in the {words(trace.stopped_in)}"]
        lines.append(f"        {STANDARD}{anchor(trace.stopped_in)}")
        return "\n".join(lines)
    lines += [f"href    {cut(shown_href(url), 2 * WHOLE)}", "", *table(url), ""]
    made = changes(trace, text, url)
    lines.append("Changes:" if made else "No changes: the input is its own href.")
    for change in made:
        lines += [f"  {change.kind}: {change.detail}", f"        {change.anchor}"]
    return "\n".join(lines)


class Trace(Parser):
    """A parser that keeps where each state started and ended, by the names of the states."""

    __slots__ = (
        "credentials_end",
        "dots",
        "drive_letter",
        "first",
        "last",
        "scheme_end",
        "segment_start",
        "segments",
        "solidi",
        "stopped_at",
        "stopped_in",
        "stripped",
        "taken",
    )

    def __init__(self, input: str, base: LiteralURL | None) -> None:
        self.stripped = (0, 0)
        super().__init__(input, base, "utf-8", None, None, ERRORS_SHOWN)
        self.first: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self.scheme_end = 0
        self.credentials_end: int | None = None
        # The errors about solidi, by name and state: where the first one is, and how many there are.
        self.solidi: dict[tuple[str, str], tuple[int, int]] = {}
        self.dots = 0
        self.drive_letter: str | None = None
        self.segment_start = 0
        # Beside the URL's path: where each segment starts in the input, -1 for the base's.
        self.segments = array("q")
        # The names of what was the base's.
        self.taken: list[str] = []
        self.stopped_in = ""
        self.stopped_at = 0

    def remove_c0_control_or_space(self) -> None:
        before = self.source.text
        super().remove_c0_control_or_space()
        after = self.source.text
        if after:
            start = len(before) - len(before.lstrip("".join(map(chr, range(0x21)))))
            self.stripped = (start, len(before) - len(after) - start)
        else:
            self.stripped = (len(before), 0)

    def run(self) -> Outcome:
        while True:
            state, pointer = self.state, self.pointer
            name = state.__name__
            c = self.input[pointer] if pointer < self.length else EOF
            self.first.setdefault(name, pointer)
            self.last[name] = pointer
            error_count = self.error_count
            result = self.watch_path_state(state, c) if name == "path_state" else state(self, c)
            if name == "scheme_state" and c == ":":
                self.scheme_end = pointer + 1
            elif name == "authority_state" and c == "@":
                self.credentials_end = pointer
            elif name in FROM_BASE and self.base is not None:
                self.note_taken(name)
            if self.error_count > error_count and self.errors[-1].name.endswith("-solidus"):
                first, number = self.solidi.get((self.errors[-1].name, name), (pointer, 0))
                self.solidi[self.errors[-1].name, name] = first, number + 1
            if result is not None or self.pointer >= self.length:
                self.stopped_in, self.stopped_at = name, min(pointer, self.length)
                return self.outcome(result)
            self.pointer += 1

    def watch_path_state(self, state: State, c: str) -> Result | None:
        path = self.url.segments
        if self.first["path_state"] == self.pointer:
            self.segments = array("q", [-1]) * len(path)
            self.segment_start = self.pointer
        if not (c in {EOF, "/", "?", "#"} or (c == "\\" and self.url.is_special)):
            return state(self, c)
        segment = str(self.buffer)
        pointer = self.pointer
        result = state(self, c)
        dots = is_single_dot(segment) or is_double_dot(segment)
        appended = not dots or c not in {"/", "\\"}
        del self.segments[len(path) - appended :]
        if appended:
            # What dots leave at the end is empty.
            self.segments.append(pointer if dots else self.segment_start)
        self.dots += dots
        if not dots and path[-1] != segment:
            self.drive_letter = segment
        self.segment_start = pointer + 1
        return result

    def note_taken(self, state: str) -> None:
        url = self.url
        if state == "no_scheme_state":
            self.taken.append("scheme")
        if url.username:
            self.taken.append("username")
        if url.password:
            self.taken.append("password")
        if url.host not in {None, EMPTY_HOST}:
            self.taken.append("host")
        if url.port is not None:
            self.taken.append("port")
        if url.path:
            self.taken.append("path")
        if url.query is not None and self.state is not Parser.query_state:
            self.taken.append("query")

    @property
    def base_parts(self) -> list[str]:
        taken = dict.fromkeys(self.taken)
        if "path" in taken and "path_state" in self.first and -1 not in self.segments:
            del taken["path"]
        return list(taken)

    def kept_segments(self) -> Iterator[str]:
        """Those of the path that are in the input, as they are there."""
        end = re.compile(r"[/\\?#]" if self.url.is_special else "[/?#]")
        for start in self.segments:
            if start >= 0:
                found = end.search(self.input, start)
                yield self.input[start : found.start() if found else self.length]

    def part(self, state: str) -> str | None:
        """The input from where a state started up to where it ended."""
        return self.input[self.first[state] : self.last[state]] if state in self.first else None


FROM_BASE: Final = frozenset(
    {"no_scheme_state", "relative_state", "relative_slash_state", "file_state", "file_slash_state"}
)


def anchor(state: str) -> str:
    return "cannot-be-a-base-url-path-state" if state == "opaque_path_state" else state.replace("_", "-")


def words(state: str) -> str:
    return state.replace("_", " ")


# What is shown


@lru_cache(maxsize=4096)
def escape_character(c: str) -> str:
    if c.isascii():
        return c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode()
    # What an interpreter's Unicode does not know is not printable. A mark has no column of its own, and right-to-left
    # text would move the columns.
    if (
        not c.isprintable()
        or unicodedata.category(c)[0] == "M"
        or unicodedata.bidirectional(c) in {"R", "AL", "AN"}
        or is_deceptive(c)
    ):
        return c.encode("unicode_escape").decode()
    return c


def escape(text: str) -> str:
    """Text that has escapes already, without what cannot be seen."""
    return "".join([c if c == "\\" else escape_character(c) for c in text])


def quoted(text: str) -> str:
    """Text, escaped, between quotes; not more than so many characters of it."""
    shown_text = "".join(map(escape_character, text if len(text) <= VALUE else text[: VALUE // 2]))
    if len(text) > VALUE:
        shown_text += ELLIPSIS + "".join(map(escape_character, text[-VALUE // 4 :]))
    mark = '"' if "'" in shown_text and '"' not in shown_text else "'"
    return f"{mark}{shown_text}{mark}"


def cut(text: str, width: int = WHOLE) -> str:
    """The start and the end of ASCII text."""
    return text if len(text) <= width else f"{text[: width - TAIL - 1]}{ELLIPSIS}{text[-TAIL:]}"


def columns(shown_text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown_text)


def shown_parts(url: LiteralURL) -> Iterator[tuple[str, str, str]]:
    """The components' names and texts, with what stands before each in the href that is shown."""
    yield "scheme", "", url.scheme
    colon = ":"
    if url.host is not None:
        before = "://"
        if url.includes_credentials:
            if url.username:
                yield "username", before, HIDDEN
                before = ""
            if url.password:
                yield "password", f"{before}:", HIDDEN
                before = ""
            before += "@"
        yield "host", before, serialize_host(url.host)
        if url.port is not None:
            yield "port", ":", str(url.port)
        colon = ""
    elif not isinstance(url.path, str) and len(url.path) > 1 and url.path[0] == "":
        colon = ":/."
    path = serialize_path(url)
    yield "path", colon, without_inner_credentials(path) if url.has_opaque_path else path
    if url.query is not None:
        yield "query", "?", url.query
    if url.fragment is not None:
        yield "fragment", "#", url.fragment


def shown_href(url: LiteralURL) -> str:
    return "".join([before + text for _, before, text in shown_parts(url)])


def table(url: LiteralURL) -> Iterator[str]:
    at = 0
    for name, before, text in shown_parts(url):
        start = at + len(before)
        at = start + len(text)
        note = f"{' ' if text else ''}({url.host.host_type})" if name == "host" and url.host is not None else ""
        yield f"  {name:<9} {f'{start}:{at}':<9} {cut(text, VALUE)}{note}".rstrip()


# The input, and marks under it


def picture(trace: Trace, text: str, base: LiteralURL | None, outcome: Outcome) -> Iterator[str]:
    url = outcome.url
    # The last one is why it fails, so it is shown in any case.
    marked = outcome.errors
    secrets = secret_places(trace, url)
    line, column_of = input_line(text, secrets, marked)
    yield f"input   {line}"
    numbered = list(enumerate(marked, 1))
    for number, error in numbered:
        start = column_of[error.position]
        width = max(column_of[error.end] - start, 1)
        yield f"        {' ' * start}^{'~' * (width - 1)} {number}"
    for number, error in numbered:
        failure = " (failure)" if url is None and error is marked[-1] else ""
        yield f"  {number}. {error.name}{failure}: {escape(message_of(error, text, base, url, secrets))}"
    if outcome.error_count > len(marked):
        yield f"  and {outcome.error_count - len(marked)} more before the last"


def secret_places(trace: Trace, url: LiteralURL | None) -> Places:
    """Where the credentials are, in the text."""
    places = hidden_places(trace.source, url)
    if trace.credentials_end is not None:
        position = trace.source.position
        start, end = position(trace.first["authority_state"]), position(trace.credentials_end)
        # Both start where the authority does, but for reversed solidi where these are none.
        for other_start, other_end in places:
            start, end = min(start, other_start), max(end, other_end)
        places = iter([(start, end)])
    return Places((start, end) for start, end in places if end > start)


def input_line(text: str, secrets: Places, errors: Sequence[RecordedError]) -> tuple[str, dict[int, int]]:
    """The line, and the columns of the errors' places in it."""
    places = sorted({place for error in errors for place in (error.position, error.end)})
    spans: list[tuple[int, int]] = [(0, len(text))]
    if len(text) > WHOLE:
        around = [(max(place - AROUND, 0), min(place + AROUND, len(text))) for place in places]
        spans = []
        for start, end in sorted([(0, HEAD), (len(text) - TAIL, len(text)), *around]):
            if spans and start <= spans[-1][1] + 3:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
    nowhere = (len(text), len(text))
    hidden = iter(secrets)
    hidden_start, hidden_end = next(hidden, nowhere)
    out: list[str] = []
    column = 0
    column_of: dict[int, int] = {}
    waiting = list(reversed(places))

    def put(shown_text: str, up_to: int) -> None:
        """Shows what ends before a place in the text."""
        nonlocal column
        while waiting and waiting[-1] < up_to:
            column_of[waiting.pop()] = column
        out.append(shown_text)
        column += columns(shown_text)

    at = 0
    for start, end in spans:
        if start > at:
            put(ELLIPSIS, start)
        at = max(at, start)
        while at < end:
            while hidden_end <= at:
                hidden_start, hidden_end = next(hidden, nowhere)
            if hidden_start <= at:
                at = hidden_end
                put(HIDDEN, at)
            else:
                put(escape_character(text[at]), at + 1)
                at += 1
    for place in waiting:
        column_of[place] = column
    return "".join(out), column_of


# What was changed


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


def count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def input_changes(trace: Trace, text: str) -> Iterator[Change]:
    lone = sum("\ud800" <= c <= "\udfff" for c in text)
    if lone:
        paired = len(text) - len(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        detail = []
        if lone > 2 * paired:
            detail.append(f"{count(lone - 2 * paired, 'lone surrogate')} replaced by U+FFFD")
        if paired:
            detail.append(f"{count(paired, 'surrogate pair')} joined")
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
        # What the scheme state misses, the file state goes without.
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
            yield change("backslashes to slashes", str(number), anchor(state))


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
    yield from encoded("query", trace.part("query_state") or "", query_set, f"{name}-percent-encode-set")
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
        details.append(f"and {count(len(pairs) - PAIRS_SHOWN, 'more character')}")
    if details:
        yield change(f"{part} percent-encoded", ", ".join(details), fragment)
