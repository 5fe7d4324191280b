"""Access logs: the requests that a server has answered, each on a line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from weburl import URL
from weburl._arrow import input
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.records.line_records import read_line_records
from weburl.cli.readers.records.log_records import KINDS, LogLayout, read_log
from weburl.cli.readers.rows import (
    Keep,
    KeptColumn,
    LineNumbers,
    RecordBlock,
    RowBlock,
    invalid_record,
    keep_of,
    kept_names,
)
from weburl.cli.readers.text_column import TextColumn, kept_texts
from weburl.redact import redact

# https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#examples
FORMATS: Final = {
    "common": '%h %l %u %t "%r" %>s %b',
    "combined": '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"',
}
# https://nginx.org/en/docs/varindex.html
NGINX: Final = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)\})", re.ASCII)
# https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats
APACHE: Final = re.compile(r"%(?:!?[0-9,]+)?[<>]?(?:\{(?P<of>[^}]*)\})?(?P<letter>\^t[io]|[A-Za-z]|%)")
ESCAPE: Final = re.compile(r'\\([\\"tn])')
ESCAPED: Final = {"t": "\t", "n": ""}
# What the fields of both are called here; others have their own names.
NAMES: Final = {
    "request_method": "method", "request_uri": "target", "server_protocol": "version", "body_bytes_sent": "bytes",
    "http_referer": "referrer", "http_user_agent": "agent", "remote_addr": "client", "remote_user": "user",
    "time_local": "time", "time_iso8601": "time", "http_host": "host", "server_name": "server",
    "%h": "client", "%a": "client", "%l": "identity", "%u": "user", "%t": "time", "%r": "request",
    "%m": "method", "%U": "target",
    "%H": "version", "%s": "status", "%b": "bytes", "%B": "bytes", "%O": "bytes_sent", "%I": "bytes_received",
    "%v": "server", "%V": "server", "%p": "port", "%D": "microseconds", "%T": "seconds",
    "%{referer}i": "referrer", "%{user-agent}i": "agent", "%{host}i": "host",
}  # fmt: skip
# These come of a request.
PARTS: Final = ("method", "target", "version")
NUMBERS: Final = ("status", "bytes")
WHOLE: Final = "request"


class LogFormat(NamedTuple):
    """The names of the fields, and the texts before, between and after them."""

    names: Sequence[str]
    texts: Sequence[str]

    @property
    def columns(self) -> dict[str, int]:
        """What a line has, with the numbers by which `read_log` knows them."""
        columns: dict[str, int] = {}
        for number, name in enumerate(self.names):
            if name == WHOLE:
                columns |= {part: len(self.names) + index for index, part in enumerate(PARTS)}
            else:
                columns.setdefault(name, number)
        return columns

    @property
    def host(self) -> str | None:
        return next((name for name in ("host", "server") if name in self.names), None)

    def layout(self, scheme: str, authority: str) -> LogLayout:
        steps = [
            (after.encode(), before.endswith('"') and after.startswith('"'), name in NUMBERS)
            for name, before, after in zip(self.names, self.texts, self.texts[1:], strict=False)
        ]
        places = {name: self.names.index(name) for name in (WHOLE, "method", "target", "scheme") if name in self.names}
        if self.host is not None:
            places["host"] = self.names.index(self.host)
        return LogLayout(self.texts[0].encode(), steps, places, scheme.encode(), authority.encode())


def log_format(text: str) -> LogFormat:
    """What --log takes: the name of a format, or one as in the configuration of nginx or Apache."""
    format = FORMATS.get(text, text)
    is_nginx = NGINX.search(format) is not None
    names: list[str] = []
    texts = [""]
    end = 0
    for match in (NGINX if is_nginx else APACHE).finditer(format):
        texts[-1] += _plain(format[end : match.start()])
        end = match.end()
        name = match["plain"] or match["braced"] if is_nginx else _apache_name(match["of"], match["letter"])
        known = NAMES.get(name, name)
        if name == "%%":
            texts[-1] += "%"
        elif name == "%q" and texts[-1] == "" and names[-1:] == ["target"]:
            pass  # The query, right after the path.
        else:
            # It has brackets of its own.
            brackets = name == "%t" and match["of"] is None
            texts[-1] += "[" * brackets
            names.append(known.removeprefix("%") if known not in names else name.removeprefix("%"))
            texts.append("]" * brackets)
    texts[-1] += _plain(format[end:])
    if not {WHOLE, "target"} & set(names):
        needed = "$request or $request_uri" if is_nginx else "%r or %U"
        what = f"has no {needed}" if names else f"is not {' or '.join(FORMATS)}, and has no $request or %r"
        raise argparse.ArgumentTypeError(f"the format {quoted(text)} {what}")
    for first, second, between in zip(names, names[1:], texts[1:], strict=False):
        if not between:
            raise argparse.ArgumentTypeError(
                f"nothing is between {first} and {second}: nobody knows where {first} ends"
            )
    return LogFormat(names, texts)


def _plain(text: str) -> str:
    return ESCAPE.sub(lambda match: ESCAPED.get(match[1], match[1]), text)


def _apache_name(of: str | None, letter: str) -> str:
    if letter == "t":
        return "time" if of is not None else "%t"
    if of is None:
        return f"%{letter}"
    name = f"%{{{of.lower()}}}{letter}"
    return name if name in NAMES else re.sub(r"\W", "_", of.lower())


def read_access_log(stream: ByteStream, options: argparse.Namespace) -> Iterator[RowBlock | RecordBlock]:
    format: LogFormat = options.log
    base = getattr(options, "base", None)
    url = None if base is None else URL(base)
    if url is None and format.host is None:
        raise InputError("its lines have no host: --base URL says whose log it is")
    if url is not None and not url.host:
        raise InputError("--base needs a host, which the requests of a log were for")
    layout = format.layout(url.scheme if url else "http", url.host if url else "")
    keep = keep_of(options)
    names = kept_names([*format.columns], keep, "target")
    parse = partial(_parse, layout=layout, format=format, keep=keep, names=names)
    yield from read_line_records(stream, options, names, parse)


def _parse(
    data: bytes,
    begin: int,
    end: int,
    line: int,
    *,
    layout: LogLayout,
    format: LogFormat,
    keep: Keep,
    names: tuple[str, ...],
) -> RowBlock:
    columns = format.columns
    wanted = tuple((columns[name], KINDS[_kind(name)]) for name in names)
    (urls, *kept), lines, wrong = read_log(layout, data, begin, end, wanted)
    faults = {row: invalid_record(_why(why, format), text) for row, (why, text) in wrong.items()}
    numbers = LineNumbers(lines, line)
    found = [_kept(column, name, keep) for name, column in zip(names, kept, strict=True)]
    return RowBlock(urls, len(lines), numbers, names=names, kept=found, faults=faults)


def _kind(name: str) -> str:
    return "number" if name in NUMBERS else "time" if name == "time" else "text"


def _kept(column: TextColumn, name: str, keep: Keep) -> KeptColumn:
    if name == "referrer" and not keep.urls:
        texts = [None if text is None else redact(text) for text in column.texts(0, len(column))]
        return KeptColumn(kept_texts(input.from_objects(texts), 0, len(texts), b"\1" * len(texts)))
    if name not in NUMBERS:
        return KeptColumn(column)
    if keep.as_arrow:
        import pyarrow

        return KeptColumn(KeptColumn(column).arrow().cast(pyarrow.int64()))
    return KeptColumn(column, keep.as_json)


def _why(why: str | int, format: LogFormat) -> str:
    if isinstance(why, str):
        return why
    after = format.texts[why + 1] if why < len(format.names) else ""
    return f"it is not of this format: {quoted(after)} is not there after {format.names[why]}"
