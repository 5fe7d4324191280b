"""The basic URL parser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from weburl._literal.hosts import parse_host, parse_number
from weburl._literal.percent import (
    ASCII_ALPHA,
    ASCII_ALPHANUMERIC,
    ASCII_DIGITS,
    ASCII_TAB_OR_NEWLINE,
    C0_CONTROL_OR_SPACE,
    C0_CONTROL_PERCENT_ENCODE_SET,
    EOF,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    is_url_code_point,
    percent_encode_after_encoding,
    starts_with_two_hex_digits,
    utf_8_percent_encode,
)
from weburl._literal.record import (
    DEFAULT_PORTS,
    EMPTY_HOST,
    Host,
    LiteralURL,
    is_normalized_windows_drive_letter,
    is_windows_drive_letter,
)
from weburl._literal.source import Source
from weburl._unicode.encoding import UTF_8, get_output_encoding
from weburl._unicode.idna import Failure
from weburl._unicode.text_buffer import TextBuffer


class RecordedError(NamedTuple):
    """A validation error, with its position and end in the string that the caller passed.

    They are equal for something that is missing. `detail` says why a domain does not have a strict ASCII form.
    """

    name: str
    position: int
    end: int
    detail: Sequence[Failure] = ()


class Outcome(NamedTuple):
    """The URL, or None for failure; the validation errors. For failure, the last error is the reason.

    `error_count` also counts errors that are not kept.
    """

    url: LiteralURL | None
    errors: list[RecordedError]
    error_count: int = 0

    @property
    def failure(self) -> bool:
        return self.url is None


class Result(Enum):
    """How a state ends the parser."""

    RETURN = "return"
    FAILURE = "return failure"


def parse(
    input: str,
    base: LiteralURL | None = None,
    *,
    encoding: str = "utf-8",
    url: LiteralURL | None = None,
    state_override: str | None = None,
    most_errors: int = sys.maxsize,
    failure: str | None = None,
) -> Outcome:
    """The basic URL parser. A state override is the name of a state's method: "host_state".

    If there are more than `most_errors` validation errors, the first ones and the last one are kept. `failure` is the
    name of the last one, if it is known and only its place is needed.
    """
    return Parser(input, base, encoding, url, state_override, most_errors, failure).run()


# https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
def starts_with_a_windows_drive_letter(input: str, pointer: int) -> bool:
    start = input[pointer : pointer + 3]
    return is_windows_drive_letter(start[:2]) and start[2:] in {EOF, "/", "\\", "?", "#"}


# https://url.spec.whatwg.org/#single-dot-path-segment
def is_single_dot(segment: str) -> bool:
    return segment in {".", "%2e", "%2E"}


# https://url.spec.whatwg.org/#double-dot-path-segment
def is_double_dot(segment: str) -> bool:
    return len(segment) <= 6 and segment.lower() in {"..", ".%2e", "%2e.", "%2e%2e"}


# https://url.spec.whatwg.org/#concept-basic-url-parser
class Parser:
    __slots__ = (
        "at_sign_seen",
        "base",
        "buffer",
        "encoding",
        "error_count",
        "errors",
        "failure",
        "input",
        "inside_brackets",
        "length",
        "most_errors",
        "password",
        "password_token_seen",
        "pointer",
        "removal_errors",
        "source",
        "state",
        "state_override",
        "url",
        "username",
    )

    def __init__(
        self,
        input: str,
        base: LiteralURL | None,
        encoding: str,
        url: LiteralURL | None,
        state_override: str | None,
        most_errors: int = sys.maxsize,
        failure: str | None = None,
    ) -> None:
        # With their places in the parser's input.
        self.errors: list[RecordedError] = []
        # Those of what is removed from the input, with their places in the string that the caller passed.
        self.removal_errors: list[RecordedError] = []
        self.error_count = 0
        self.most_errors = most_errors
        self.failure = failure
        self.source = Source(input)
        if url is None:
            url = LiteralURL()
            self.remove_c0_control_or_space()
        self.remove_ascii_tab_or_newline()
        self.input = self.source.text
        self.length = len(self.input)
        self.base = base
        self.url = url
        self.state_override = state_override
        self.state: State = getattr(Parser, state_override or "scheme_start_state")
        self.encoding = UTF_8 if encoding == "utf-8" else get_output_encoding(encoding)
        self.buffer = TextBuffer()
        self.at_sign_seen = self.inside_brackets = self.password_token_seen = False
        self.pointer = 0
        # What the authority state appends to the URL's username and password; joined when it ends.
        self.username = TextBuffer()
        self.password = TextBuffer()

    def remove_c0_control_or_space(self) -> None:
        text = self.source.text
        start, end = 0, len(text)
        while start < end and text[start] in C0_CONTROL_OR_SPACE:
            start += 1
        while start < end and text[end - 1] in C0_CONTROL_OR_SPACE:
            end -= 1
        if start > 0 or end < len(text):
            self.removal_error(*((0, start) if start > 0 else (end, len(text))))
            self.source.cut(start, end)

    def remove_ascii_tab_or_newline(self) -> None:
        if not ASCII_TAB_OR_NEWLINE.isdisjoint(self.source.text):
            first = next(index for index, c in enumerate(self.source.text) if c in ASCII_TAB_OR_NEWLINE)
            self.removal_error(first, first + 1)
            self.source.remove(ASCII_TAB_OR_NEWLINE)

    def run(self) -> Outcome:
        input, length = self.input, self.length
        while True:
            result = self.state(self, input[self.pointer] if self.pointer < length else EOF)
            if result is not None or self.pointer >= length:
                return self.outcome(result)
            self.pointer += 1

    def outcome(self, result: Result | None) -> Outcome:
        placed = [
            RecordedError(name, *self.source.place(start, end), detail) for name, start, end, detail in self.errors
        ]
        errors = self.removal_errors + placed
        if len(errors) > self.most_errors:
            errors = [*errors[: self.most_errors - 1], errors[-1]]
        return Outcome(None if result is Result.FAILURE else self.url, errors, self.error_count)

    def validation_error(self, name: str, start: int, end: int, detail: Sequence[Failure] = ()) -> None:
        """Records an error with its place in the input. It replaces the last one if no more are kept."""
        self.error_count += 1
        if len(self.errors) == self.most_errors:
            self.errors.pop()
        self.errors.append(RecordedError(name, start, end, detail))

    def removal_error(self, start: int, end: int) -> None:
        """Records what is removed before parsing, with its place in the string that the caller passed."""
        self.error_count += 1
        self.removal_errors.append(RecordedError("invalid-URL-unit", *self.source.place(start, end)))

    def validation_error_at_c(self, name: str) -> None:
        self.validation_error(name, self.pointer, min(self.pointer + 1, self.length))

    # https://url.spec.whatwg.org/#remaining
    def remaining_starts_with(self, text: str) -> bool:
        return self.input.startswith(text, self.pointer + 1)

    # https://url.spec.whatwg.org/#url-units
    #
    # A lone surrogate of a str is an error, too: the standard has none, for its input is a scalar value string.
    def check_url_unit(self, c: str) -> None:
        if c == "%":
            if not starts_with_two_hex_digits(self.input, self.pointer + 1):
                self.validation_error_at_c("invalid-URL-unit")
        elif not is_url_code_point(c) or self.source.is_lone_surrogate(self.pointer):
            self.validation_error_at_c("invalid-URL-unit")

    def parse_host(self, end: int) -> Host | None:
        """Parses the buffer, which is the end of the input up to `end`."""
        offset = end - len(self.buffer)

        def report(name: str, start: int, end: int, detail: Sequence[Failure] = ()) -> None:
            self.validation_error(name, offset + start, offset + end, detail)

        def is_lone_surrogate(index: int) -> bool:
            return self.source.is_lone_surrogate(offset + index)

        return parse_host(str(self.buffer), not self.url.is_special, report, self.failure, is_lone_surrogate)

    # https://url.spec.whatwg.org/#scheme-start-state
    def scheme_start_state(self, c: str) -> Result | None:
        if c in ASCII_ALPHA:
            self.buffer.append(c.lower())
            self.state = Parser.scheme_state
        elif self.state_override is None:
            self.state = Parser.no_scheme_state
            self.pointer -= 1
        else:
            return Result.FAILURE
        return None

    # https://url.spec.whatwg.org/#scheme-state
    def scheme_state(self, c: str) -> Result | None:
        if c in ASCII_ALPHANUMERIC or c in {"+", "-", "."}:
            self.buffer.append(c.lower())
        elif c == ":":
            url = self.url
            buffer = str(self.buffer)
            if self.state_override is not None:
                if url.is_special != (buffer in DEFAULT_PORTS):
                    return Result.RETURN
                if (url.includes_credentials or url.port is not None) and buffer == "file":
                    return Result.RETURN
                if url.scheme == "file" and url.host == EMPTY_HOST:
                    return Result.RETURN
            url.scheme = buffer
            if self.state_override is not None:
                if url.port == url.default_port:
                    url.port = None
                return Result.RETURN
            self.buffer.clear()
            if url.scheme == "file":
                if not self.remaining_starts_with("//"):
                    self.validation_error(
                        "special-scheme-missing-following-solidus", self.pointer + 1, self.pointer + 1
                    )
                self.state = Parser.file_state
            elif url.is_special and self.base is not None and self.base.scheme == url.scheme:
                self.state = Parser.special_relative_or_authority_state
            elif url.is_special:
                self.state = Parser.special_authority_slashes_state
            elif self.remaining_starts_with("/"):
                self.state = Parser.path_or_authority_state
                self.pointer += 1
            else:
                url.path = ""
                self.state = Parser.opaque_path_state
        elif self.state_override is None:
            self.buffer.clear()
            self.state = Parser.no_scheme_state
            self.pointer = -1
        else:
            return Result.FAILURE
        return None

    # https://url.spec.whatwg.org/#no-scheme-state
    def no_scheme_state(self, c: str) -> Result | None:
        url, base = self.url, self.base
        if base is None or (base.has_opaque_path and c != "#"):
            self.validation_error("missing-scheme-non-relative-URL", 0, self.length)
            return Result.FAILURE
        if base.has_opaque_path and c == "#":
            url.scheme = base.scheme
            url.path = base.path
            url.query = base.query
            url.fragment = ""
            self.state = Parser.fragment_state
        elif base.scheme != "file":
            self.state = Parser.relative_state
            self.pointer -= 1
        else:
            self.state = Parser.file_state
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#special-relative-or-authority-state
    def special_relative_or_authority_state(self, c: str) -> Result | None:
        if c == "/" and self.remaining_starts_with("/"):
            self.state = Parser.special_authority_ignore_slashes_state
            self.pointer += 1
        else:
            self.validation_error("special-scheme-missing-following-solidus", self.pointer, self.pointer)
            self.state = Parser.relative_state
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#path-or-authority-state
    def path_or_authority_state(self, c: str) -> Result | None:
        if c == "/":
            self.state = Parser.authority_state
        else:
            self.state = Parser.path_state
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#relative-state
    def relative_state(self, c: str) -> Result | None:
        url, base = self.url, self.base
        assert base is not None
        assert base.scheme != "file"
        url.scheme = base.scheme
        if c == "/":
            self.state = Parser.relative_slash_state
        elif url.is_special and c == "\\":
            self.validation_error_at_c("invalid-reverse-solidus")
            self.state = Parser.relative_slash_state
        else:
            url.username = base.username
            url.password = base.password
            url.host = base.host
            url.port = base.port
            url.path = base.segments.copy()
            url.query = base.query
            if c == "?":
                url.query = ""
                self.state = Parser.query_state
            elif c == "#":
                url.fragment = ""
                self.state = Parser.fragment_state
            elif c != EOF:
                url.query = None
                url.shorten_path()
                self.state = Parser.path_state
                self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#relative-slash-state
    def relative_slash_state(self, c: str) -> Result | None:
        url, base = self.url, self.base
        assert base is not None
        if url.is_special and c in {"/", "\\"}:
            if c == "\\":
                self.validation_error_at_c("invalid-reverse-solidus")
            self.state = Parser.special_authority_ignore_slashes_state
        elif c == "/":
            self.state = Parser.authority_state
        else:
            url.username = base.username
            url.password = base.password
            url.host = base.host
            url.port = base.port
            self.state = Parser.path_state
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#special-authority-slashes-state
    def special_authority_slashes_state(self, c: str) -> Result | None:
        self.state = Parser.special_authority_ignore_slashes_state
        if c == "/" and self.remaining_starts_with("/"):
            self.pointer += 1
        else:
            self.validation_error("special-scheme-missing-following-solidus", self.pointer, self.pointer)
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#special-authority-ignore-slashes-state
    def special_authority_ignore_slashes_state(self, c: str) -> Result | None:
        if c not in {"/", "\\"}:
            self.state = Parser.authority_state
            self.pointer -= 1
        else:
            self.validation_error_at_c("special-scheme-missing-following-solidus")
        return None

    # https://url.spec.whatwg.org/#authority-state
    def authority_state(self, c: str) -> Result | None:
        if c == "@":
            self.validation_error("invalid-credentials", self.pointer - len(self.buffer), self.pointer + 1)
            buffer = f"%40{self.buffer}" if self.at_sign_seen else str(self.buffer)
            self.at_sign_seen = True
            for code_point in buffer:
                if code_point == ":" and not self.password_token_seen:
                    self.password_token_seen = True
                    continue
                encoded_code_points = utf_8_percent_encode(code_point, USERINFO_PERCENT_ENCODE_SET)
                if self.password_token_seen:
                    self.password.append(encoded_code_points)
                else:
                    self.username.append(encoded_code_points)
            self.buffer.clear()
        elif c in {EOF, "/", "?", "#"} or (c == "\\" and self.url.is_special):
            if self.at_sign_seen and not self.buffer:
                self.validation_error("host-missing", self.pointer, self.pointer)
                return Result.FAILURE
            self.url.username = str(self.username)
            self.url.password = str(self.password)
            self.pointer -= len(self.buffer) + 1
            self.buffer.clear()
            self.state = Parser.host_state
        else:
            self.buffer.append(c)
        return None

    # https://url.spec.whatwg.org/#host-state
    # https://url.spec.whatwg.org/#hostname-state
    def host_state(self, c: str) -> Result | None:
        url = self.url
        if self.state_override is not None and url.scheme == "file":
            self.pointer -= 1
            self.state = Parser.file_host_state
        elif c == ":" and not self.inside_brackets:
            if not self.buffer:
                self.validation_error("host-missing", self.pointer, self.pointer)
                return Result.FAILURE
            if self.state_override == "hostname_state":
                return Result.FAILURE
            host = self.parse_host(self.pointer)
            if host is None:
                return Result.FAILURE
            url.host = host
            self.buffer.clear()
            self.state = Parser.port_state
        elif c in {EOF, "/", "?", "#"} or (c == "\\" and url.is_special):
            self.pointer -= 1
            if url.is_special and not self.buffer:
                self.validation_error("host-missing", self.pointer + 1, self.pointer + 1)
                return Result.FAILURE
            if self.state_override and not self.buffer and (url.includes_credentials or url.port is not None):
                return Result.FAILURE
            host = self.parse_host(self.pointer + 1)
            if host is None:
                return Result.FAILURE
            url.host = host
            self.buffer.clear()
            self.state = Parser.path_start_state
            if self.state_override is not None:
                return Result.RETURN
        else:
            if c == "[":
                self.inside_brackets = True
            if c == "]":
                self.inside_brackets = False
            self.buffer.append(c)
        return None

    hostname_state = host_state

    # https://url.spec.whatwg.org/#port-state
    def port_state(self, c: str) -> Result | None:
        url = self.url
        if c in ASCII_DIGITS:
            self.buffer.append(c)
        elif c in {EOF, "/", "?", "#"} or (c == "\\" and url.is_special) or self.state_override is not None:
            if self.buffer:
                port = parse_number(str(self.buffer), 10)
                if port > 2**16 - 1:
                    self.validation_error("port-out-of-range", self.pointer - len(self.buffer), self.pointer)
                    return Result.FAILURE
                url.port = None if port == url.default_port else port
                self.buffer.clear()
                if self.state_override is not None:
                    return Result.RETURN
            if self.state_override is not None:
                return Result.FAILURE
            self.state = Parser.path_start_state
            self.pointer -= 1
        else:
            self.validation_error_at_c("port-invalid")
            return Result.FAILURE
        return None

    # https://url.spec.whatwg.org/#file-state
    def file_state(self, c: str) -> Result | None:
        url, base = self.url, self.base
        url.scheme = "file"
        url.host = EMPTY_HOST
        if c in {"/", "\\"}:
            if c == "\\":
                self.validation_error_at_c("invalid-reverse-solidus")
            self.state = Parser.file_slash_state
        elif base is not None and base.scheme == "file":
            url.host = base.host
            url.path = base.segments.copy()
            url.query = base.query
            if c == "?":
                url.query = ""
                self.state = Parser.query_state
            elif c == "#":
                url.fragment = ""
                self.state = Parser.fragment_state
            elif c != EOF:
                url.query = None
                if not starts_with_a_windows_drive_letter(self.input, self.pointer):
                    url.shorten_path()
                else:
                    self.validation_error("file-invalid-Windows-drive-letter", self.pointer, self.pointer + 2)
                    url.path = []
                self.state = Parser.path_state
                self.pointer -= 1
        else:
            self.state = Parser.path_state
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#file-slash-state
    def file_slash_state(self, c: str) -> Result | None:
        base = self.base
        if c in {"/", "\\"}:
            if c == "\\":
                self.validation_error_at_c("invalid-reverse-solidus")
            self.state = Parser.file_host_state
        else:
            if base is not None and base.scheme == "file":
                self.url.host = base.host
                path = base.segments
                if (
                    not starts_with_a_windows_drive_letter(self.input, self.pointer)
                    and path
                    and is_normalized_windows_drive_letter(path[0])
                ):
                    self.url.segments.append(path[0])
            self.state = Parser.path_state
            self.pointer -= 1
        return None

    # https://url.spec.whatwg.org/#file-host-state
    def file_host_state(self, c: str) -> Result | None:
        url = self.url
        if c in {EOF, "/", "\\", "?", "#"}:
            self.pointer -= 1
            if self.state_override is None and is_windows_drive_letter(str(self.buffer)):
                end = self.pointer + 1
                self.validation_error("file-invalid-Windows-drive-letter-host", end - 2, end)
                self.state = Parser.path_state
            elif not self.buffer:
                url.host = EMPTY_HOST
                if self.state_override is not None:
                    return Result.RETURN
                self.state = Parser.path_start_state
            else:
                host = self.parse_host(self.pointer + 1)
                if host is None:
                    return Result.FAILURE
                if host == Host("domain", "localhost"):
                    host = EMPTY_HOST
                url.host = host
                if self.state_override is not None:
                    return Result.RETURN
                self.buffer.clear()
                self.state = Parser.path_start_state
        else:
            self.buffer.append(c)
        return None

    # https://url.spec.whatwg.org/#path-start-state
    def path_start_state(self, c: str) -> Result | None:
        url = self.url
        if url.is_special:
            if c == "\\":
                self.validation_error_at_c("invalid-reverse-solidus")
            self.state = Parser.path_state
            if c not in {"/", "\\"}:
                self.pointer -= 1
        elif self.state_override is None and c == "?":
            url.query = ""
            self.state = Parser.query_state
        elif self.state_override is None and c == "#":
            url.fragment = ""
            self.state = Parser.fragment_state
        elif c != EOF:
            self.state = Parser.path_state
            if c != "/":
                self.pointer -= 1
        elif self.state_override is not None and url.host is None:
            url.segments.append("")
        return None

    # https://url.spec.whatwg.org/#path-state
    def path_state(self, c: str) -> Result | None:
        url = self.url
        is_reverse_solidus = c == "\\" and url.is_special
        if c in {EOF, "/"} or is_reverse_solidus or (self.state_override is None and c in {"?", "#"}):
            path = url.segments
            buffer = str(self.buffer)
            if is_reverse_solidus:
                self.validation_error_at_c("invalid-reverse-solidus")
            if is_double_dot(buffer):
                url.shorten_path()
                if c != "/" and not is_reverse_solidus:
                    path.append("")
            elif is_single_dot(buffer) and c != "/" and not is_reverse_solidus:
                path.append("")
            elif not is_single_dot(buffer):
                if url.scheme == "file" and not path and is_windows_drive_letter(buffer):
                    buffer = f"{buffer[0]}:"
                path.append(buffer)
            self.buffer.clear()
            if c == "?":
                url.query = ""
                self.state = Parser.query_state
            if c == "#":
                url.fragment = ""
                self.state = Parser.fragment_state
        else:
            self.check_url_unit(c)
            self.buffer.append(utf_8_percent_encode(c, PATH_PERCENT_ENCODE_SET))
        return None

    # https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
    # What the standard appends to the URL's path is collected in the buffer until the state ends.
    def opaque_path_state(self, c: str) -> Result | None:
        url = self.url
        if c in {EOF, "?", "#"}:
            url.path = str(self.buffer)
            self.buffer.clear()
        if c == "?":
            url.query = ""
            self.state = Parser.query_state
        elif c == "#":
            url.fragment = ""
            self.state = Parser.fragment_state
        elif c == " ":
            self.validation_error_at_c("invalid-URL-unit")
            if self.remaining_starts_with("?") or self.remaining_starts_with("#"):
                self.buffer.append("%20")
            else:
                self.buffer.append(" ")
        elif c != EOF:
            self.check_url_unit(c)
            self.buffer.append(utf_8_percent_encode(c, C0_CONTROL_PERCENT_ENCODE_SET))
        return None

    # https://url.spec.whatwg.org/#query-state
    def query_state(self, c: str) -> Result | None:
        url = self.url
        if self.encoding is not UTF_8 and (not url.is_special or url.scheme in {"ws", "wss"}):
            self.encoding = UTF_8
        if (self.state_override is None and c == "#") or c == EOF:
            query_percent_encode_set = SPECIAL_QUERY_PERCENT_ENCODE_SET if url.is_special else QUERY_PERCENT_ENCODE_SET
            buffer = str(self.buffer)
            assert url.query is not None
            url.query += percent_encode_after_encoding(self.encoding, buffer, query_percent_encode_set)
            self.buffer.clear()
            if c == "#":
                url.fragment = ""
                self.state = Parser.fragment_state
        else:
            self.check_url_unit(c)
            self.buffer.append(c)
        return None

    # https://url.spec.whatwg.org/#fragment-state
    # What the standard appends to the URL's fragment is collected in the buffer until the state ends.
    def fragment_state(self, c: str) -> Result | None:
        if c != EOF:
            self.check_url_unit(c)
            self.buffer.append(utf_8_percent_encode(c, FRAGMENT_PERCENT_ENCODE_SET))
        else:
            self.url.fragment = str(self.buffer)
        return None


State = Callable[[Parser, str], Result | None]
