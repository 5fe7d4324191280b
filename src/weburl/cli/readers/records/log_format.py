"""The formats of access logs, as the configuration of nginx and Apache has them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from weburl.cli._messages import quoted
from weburl.cli.readers.records.log_records import LogLayout

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
