"""The picture of how a URL parses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weburl._diagnosis.changes import changes
from weburl._diagnosis.credentials import HIDDEN, Places, hidden_places, without_inner_credentials, without_secrets
from weburl._diagnosis.escapes import ELLIPSIS, TAIL, VALUE, WHOLE, columns, cut, escape, typed
from weburl._diagnosis.messages import message_of, shown
from weburl._diagnosis.story import story
from weburl._diagnosis.trace import STANDARD, Trace, anchor
from weburl._literal import LiteralURL, Outcome, RecordedError, parse, serialize_host, serialize_path

# Code points of a longer input that are shown: at the start, and on each side of an error.
HEAD: Final = 60
AROUND: Final = 10
# One of it is recorded for each slash that is missing or wrong.
SLASHES: Final = "special-scheme-missing-following-solidus"


def explain(text: str, base: str | None = None, encoding: str = "utf-8") -> str:
    base_url = None
    if base is not None:
        base_url = parse(base, most_errors=1).url
        if base_url is None:
            return f"base    {escape(shown(without_secrets(base)))} does not parse:\n\n{explain(base)}"
    trace = Trace(text, base_url, encoding)
    outcome = trace.run()
    url = outcome.url
    lines = list(picture(trace, text, base_url, outcome))
    if base_url is not None:
        lines.append(f"base    {cut(shown_href(base_url))}")
    if url is None:
        place, state = trace.source.position(trace.stopped_at), trace.stopped_in.replace("_", " ")
        lines += ["", f"It does not parse: failure at {place}, in the {state}"]
        lines.append(f"        {STANDARD}{anchor(trace.stopped_in)}")
        return "\n".join(lines)
    lines += [f"href    {cut(shown_href(url), 2 * WHOLE)}", "", *table(url), ""]
    told = story(trace, text, url)
    if told:
        lines.append("Step by step:")
        made_before = ""
        for sentence, made in told:
            lines.append(f"  {sentence}")
            if made != made_before:
                lines.append(f"        {made}")
            made_before = made
        lines.append("")
    made_changes = changes(trace, text, url)
    lines.append("Changes:" if made_changes else "No changes: the input is its own href.")
    for change in made_changes:
        lines += [f"  {change.kind}: {change.detail}", f"        {change.anchor}"]
    return "\n".join(lines)


def shown_parts(url: LiteralURL) -> Iterator[tuple[str, str, str]]:
    """The name and the text of each component, with the delimiters before it in the href that is shown."""
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
    # The last one makes the URL fail, so it is always shown.
    marked = outcome.errors
    secrets = secret_places(trace, url)
    line, column_of = input_line(text, secrets, marked)
    yield f"input   {line}"
    told = told_once([(error, message_of(error, text, base, url, secrets)) for error in marked])
    for number, (errors, _) in enumerate(told, 1):
        start = column_of[errors[0].position]
        width = max(column_of[errors[-1].end] - start, 1)
        yield f"        {' ' * start}^{'~' * (width - 1)} {number}"
    for number, (errors, message) in enumerate(told, 1):
        failure = " (failure)" if url is None and errors[-1] is marked[-1] else ""
        # One fault can be recorded for several slashes.
        times = f", {len(errors)} times" if len(errors) > 1 and errors[0].name != SLASHES else ""
        yield f"  {number}. {errors[0].name}{failure}{times}: {escape(message)}"
    if outcome.error_count > len(marked):
        yield f"  and {outcome.error_count - len(marked)} more before the last"


def told_once(errors: list[tuple[RecordedError, str]]) -> list[tuple[list[RecordedError], str]]:
    """Errors beside each other that one sentence is about: the slashes after a scheme, a run of spaces."""
    told: list[tuple[list[RecordedError], str]] = []
    for error, message in errors:
        before, said = told[-1] if told else ([], "")
        if (
            before
            and before[-1].name == error.name
            and error.position <= before[-1].end
            and (message == said or error.name == SLASHES)
        ):
            before.append(error)
        else:
            told.append(([error], message))
    return told


def secret_places(trace: Trace, url: LiteralURL | None) -> Places:
    """Where the credentials are, in the text."""
    places = hidden_places(trace.source, url)
    if trace.credentials_end is not None:
        position = trace.source.position
        start, end = position(trace.first["authority_state"]), position(trace.credentials_end)
        # Both start where the authority does, except after backslashes that the parser does not take for solidi.
        for other_start, other_end in places:
            start, end = min(start, other_start), max(end, other_end)
        places = iter([(start, end)])
    return Places((start, end) for start, end in places if end > start)


def input_line(text: str, secrets: Places, errors: Sequence[RecordedError]) -> tuple[str, dict[int, int]]:
    """The line, and the column of each error's start and end in it."""
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

    def put(shown: str, up_to: int) -> None:
        """Shows the text before a place."""
        nonlocal column
        while waiting and waiting[-1] < up_to:
            column_of[waiting.pop()] = column
        out.append(shown)
        column += columns(shown)

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
                put(typed(text[at]), at + 1)
                at += 1
    for place in waiting:
        column_of[place] = column
    return "".join(out), column_of
