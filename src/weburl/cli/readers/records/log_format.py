"""What a format of logs is; formats as the configuration of nginx, Apache or Envoy has them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from weburl.cli._messages import quoted
from weburl.cli.readers.field_path import field_path
from weburl.cli.readers.records.cells import PLACE_NAMES, LogLayout

# https://nginx.org/en/docs/varindex.html
NGINX: Final = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)\})", re.ASCII)
# https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats
APACHE: Final = re.compile(r"%(?:!?[0-9,]+)?[<>]?(?:\{(?P<of>[^}]*)\})?(?P<letter>\^t[io]|[A-Za-z]|%)")
# https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#command-operators
ENVOY: Final = re.compile(r"%(?P<operator>[A-Z_]{2,})(?:\((?P<of>[^()]*)\))?(?::\d+)?%")
ESCAPE: Final = re.compile(r'\\([\\"tn])')
ESCAPED: Final = {"t": "\t", "n": ""}
# What the fields of all are called here; others have their own names.
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
# Of Envoy: operators, and headers of requests.
ENVOY_NAMES: Final = {
    "START_TIME": "time", "PROTOCOL": "version", "RESPONSE_CODE": "status", "BYTES_SENT": "bytes",
    "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT": "client", "DOWNSTREAM_REMOTE_ADDRESS": "client",
    ":method": "method", ":path": "target", "x-envoy-original-path": "target", ":authority": "host", "host": "host",
    ":scheme": "scheme", "x-forwarded-proto": "scheme", "referer": "referrer", "user-agent": "agent",
}  # fmt: skip
# These come of a request.
PARTS: Final = ("method", "target", "version")
NUMBERS: Final = ("status", "bytes")
# Of Envoy, what is not a number in a line of another format, such as that of Istio.
ENVOY_NUMBERS: Final = (*NUMBERS, "bytes_received", "duration")
WHOLE: Final = "request"
# The fields that a URL is made of, and other URLs.
OWN_URL: Final = ("url", "target", "query")
OTHER_URLS: Final = ("referrer", "redirect_url")
# A header as W3C names it, cs(Cookie), and a cookie as nginx does, $cookie_session.
W3C_HEADER: Final = re.compile(r"[a-z]{1,2}\((.+)\)", re.IGNORECASE)
NGINX_COOKIE: Final = re.compile(r"(?:upstream_)?cookie_\w+", re.ASCII)
COOKIE: Final = "cookie"
# What would end the value of a header in a text.
ENDS_HEADER: Final = re.compile(rb"[\x00-\x1f\x7f\"'<>`\\]")
# In a template, other fields can have any name.
TEMPLATE_PLACES: Final = ("request", "method", "target", "scheme", "user")


class LogFormat(NamedTuple):
    """The names of the fields, and how they are found.

    In a template, by the texts before, between and after them, with escapes or not. Words are in the order of the
    names; a line has at least the first `needed`. In pairs and columns, a field has other names, or paths of JSON: the
    first one that has a value counts.
    """

    names: Sequence[str]
    texts: Sequence[str] = ()
    syntax: str = "template"
    escapes: bool = True
    needed: int = 0
    sources: Sequence[Sequence[str]] = ()
    # Headers with secrets that a line may have, by their names or paths there.
    headers: Sequence[str] = ()
    # The records of lines of OTLP, each of which has several.
    is_otlp: bool = False

    @property
    def columns(self) -> dict[str, int]:
        """What a line has, with the numbers by which `read_log` knows them."""
        columns: dict[str, int] = {}
        for number, name in enumerate(self.names):
            if name == WHOLE:
                columns |= {part: len(self.names) + index for index, part in enumerate(PARTS) if part not in self.names}
            else:
                columns.setdefault(name, number)
        return columns

    @property
    def host(self) -> str | None:
        return next((name for name in ("host", "server") if name in self.names), None)

    @property
    def needs_base(self) -> bool:
        """Whether no line has a host."""
        return self.syntax == "template" and self.host is None

    @property
    def takes_names(self) -> bool:
        """Whether a line can have fields that the format does not name."""
        return self.syntax in ("pairs", "columns")

    @property
    def has_names_of_lines(self) -> bool:
        """Whether the lines say which fields they have. Those of W3C do so before their lines."""
        return self.takes_names or self.syntax == "w3c"

    def with_names(self, names: Sequence[str]) -> LogFormat:
        """The format with more fields, whose names are also those in lines."""
        added = [name for name in names if name not in self.columns]
        return self._replace(names=[*self.names, *added], sources=[*self.sources, *([name] for name in added)])

    def layout(self, scheme: str, authority: str) -> LogLayout:
        numbers = NUMBERS if self.escapes else ENVOY_NUMBERS
        steps = [
            (after.encode(), self.escapes and before.endswith('"') and after.startswith('"'), name in numbers)
            for name, before, after in zip(self.names, self.texts, self.texts[1:], strict=False)
        ]
        known = TEMPLATE_PLACES if self.syntax == "template" else PLACE_NAMES
        places = {name: self.names.index(name) for name in known if name in self.names}
        if self.host is not None:
            places["host"] = self.names.index(self.host)
        keys = [
            (key.encode(), number, rank)
            for number, keys in enumerate(self.sources)
            for rank, key in enumerate(keys)
            if self.syntax == "pairs"
        ]
        start = self.texts[0].encode() if self.texts else b""
        return LogLayout(
            self.syntax, len(self.names), places, scheme.encode(), authority.encode(),
            start=start, steps=steps, needed=self.needed, keys=keys, escapes=self.escapes,
        )  # fmt: skip


@lru_cache(1 << 10)
def before_secrets(name: str) -> bytes | None:
    """What a text has before the value of a field that is a header with secrets: `- cookie: `. None of other fields."""
    from weburl.text import redact_text

    match = W3C_HEADER.fullmatch(name)
    steps = [step for step in field_path(name) if step is not None]
    header = COOKIE if NGINX_COOKIE.fullmatch(name) else match[1] if match else steps[-1] if steps else name
    # Nobody takes it for the scheme of a URL.
    before = f"- {header}: "
    text = f"{before}a=q8Zx"
    shown = redact_text(text)
    # A name can have anything, also what looks like a secret.
    return before.encode() if shown != text and shown.startswith(before) else None


def template(text: str, known_formats: Sequence[str]) -> LogFormat:
    """A format as in the configuration of nginx, Apache or Envoy."""
    language = ENVOY if ENVOY.search(text) else NGINX if NGINX.search(text) else APACHE
    names: list[str] = []
    texts = [""]
    end = 0
    for match in language.finditer(text):
        texts[-1] += _plain(text[end : match.start()])
        end = match.end()
        name, known = _name_of(match, language)
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
    texts[-1] += _plain(text[end:])
    if not {WHOLE, "target"} & set(names):
        needed = {ENVOY: "%REQ(:PATH)%", NGINX: "$request or $request_uri", APACHE: "%r or %U"}[language]
        what = f"has no {needed}"
        if not names:
            what = f"is not {', '.join(known_formats[:-1])} or {known_formats[-1]}, and has no $request or %r"
        raise argparse.ArgumentTypeError(f"the format {quoted(text)} {what}")
    for first, second, between in zip(names, names[1:], texts[1:], strict=False):
        if not between:
            raise argparse.ArgumentTypeError(
                f"nothing is between {first} and {second}: nobody knows where {first} ends"
            )
    return LogFormat(names, texts, escapes=language is not ENVOY)


def _plain(text: str) -> str:
    return ESCAPE.sub(lambda match: ESCAPED.get(match[1], match[1]), text)


def _name_of(match: re.Match[str], language: re.Pattern[str]) -> tuple[str, str]:
    """The name of a directive, and what it is called here."""
    if language is NGINX:
        name = match["plain"] or match["braced"]
        return name, NAMES.get(name, name)
    if language is APACHE:
        name = _apache_name(match["of"], match["letter"])
        return name, NAMES.get(name, name)
    operator, of = match["operator"], match["of"]
    if of is None or operator == "START_TIME":
        return operator.lower(), ENVOY_NAMES.get(operator, operator.lower())
    header = of.split("?")[0].lower()
    name = re.sub(r"\W", "_", header).strip("_")
    if operator not in ("REQ", "REQUEST_HEADER"):
        return name, name
    return name, ENVOY_NAMES.get(header, name)


def _apache_name(of: str | None, letter: str) -> str:
    if letter == "t":
        return "time" if of is not None else "%t"
    if of is None:
        return f"%{letter}"
    name = f"%{{{of.lower()}}}{letter}"
    return name if name in NAMES else re.sub(r"\W", "_", of.lower())
