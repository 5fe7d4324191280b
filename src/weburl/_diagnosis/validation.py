"""The validation errors of a URL, which the literal parser finds, each with its message."""

from __future__ import annotations

import re
from typing import Final

from weburl import _literal
from weburl._diagnosis.advice import HOST_AND_PORT, not_a_host, swapped
from weburl._diagnosis.credentials import Places, hidden_places, without_secrets
from weburl._diagnosis.failures import FOUND_IN_PARTS, SENTENCES
from weburl._diagnosis.messages import MORE_ERRORS, SHOWN_IN_MESSAGE, message_of, shown
from weburl._diagnosis.validation_error import ValidationError
from weburl._literal import LiteralURL, Outcome
from weburl._literal.percent import EOF
from weburl._literal.states import Parser

# The length of the longest list of errors.
MOST_ERRORS: Final = 10_000


def validation_errors(
    text: str, base: str | None, most: int = MOST_ERRORS, known_failure: str | None = None
) -> list[ValidationError]:
    """The validation errors of a text, at most `most` of them: the first ones, how many are left out, and the last.

    If `most` is 1, that is the last one alone; `known_failure` is its name, if the caller knows it.
    """
    base_url = None
    if base is not None:
        base_url, base_errors, _ = parse_base(base)
        if base_url is None:
            where = shown(without_secrets(base), SHOWN_IN_MESSAGE)
            advice = swapped(text, base) or "give another one"
            message = f"The base {where} does not parse ({base_errors[-1].name}): {advice}."
            return [ValidationError("base", 0, 0, True, message)]
    url, errors, count = _literal.parse(text, base_url, most_errors=most, failure=known_failure)
    failure = errors[-1] if url is None else None
    hidden = hidden_in(text, url) if errors and "@" in text else Places()
    described = [
        ValidationError(*error[:3], error is failure, message_of(error, text, base_url, url, hidden))
        for error in errors
    ]
    if count > most > 1:
        more = described[-2]
        described[-2] = more._replace(name="more-errors", message=MORE_ERRORS.format(count=count - most + 1))
    return described


def hidden_in(text: str, url: LiteralURL | None) -> Places:
    return Places(hidden_places(Parser(text, None, "utf-8", None, None).source, url))


class BaseParser(Parser):
    """A parser that stops before the path.

    Errors and messages do not depend on the rest of a base, and a path would take memory for each of its segments.
    """

    __slots__ = ()

    def run(self) -> Outcome:
        while self.state not in AFTER_THE_HOST:
            result = self.state(self, self.input[self.pointer] if self.pointer < self.length else EOF)
            if result is not None:
                return self.outcome(result)
            self.pointer += 1
        return self.outcome(None)


# The states from which on nothing fails.
AFTER_THE_HOST: Final = (Parser.path_start_state, Parser.path_state, Parser.opaque_path_state)


def parse_base(base: str) -> Outcome:
    """A base up to its path or, if it does not parse, the error that makes it fail."""
    return BaseParser(base, None, "utf-8", None, None, most_errors=1).run()


# The state that parses a part of a URL, or a host alone.
PART_STATES: Final = {"host": "host_state", "hostname": "hostname_state", "domain": "host_state", "port": "port_state"}
# The part of a text that can be a scheme, and the characters that would end the host in a URL.
SCHEME: Final = re.compile("(?:[A-Za-z][A-Za-z0-9+.-]*)?")
HOST_DELIMITER: Final = re.compile(r"[/?#\\\t\n\r]")
# The URL of a part is not known here, so a scheme of each kind is tried.
SCHEMES: Final = ("http", "file", "x")


def failure_of(text: str, base: str | None, name: str, part: str | None) -> ValidationError | None:
    """The error of this name that makes a URL, a part of one or a path fail; None if it is not found."""
    from weburl._diagnosis import file_paths

    if name in file_paths.SENTENCES and part in (None, file_paths.POSIX_PATH, file_paths.WINDOWS_PATH):
        return file_paths.file_failure(text, name, part)
    if part is None or part == "href":
        errors = validation_errors(text, base, 1, name)
        return errors[0] if errors and errors[0].name == name else None
    if name in FOUND_IN_PARTS:
        fine = SCHEME.match(text) if name == "scheme-invalid" else None
        position = 0 if fine is None else fine.end()
        end = {"scheme-invalid": min(position + 1, len(text)), "relative-path": 0}.get(name, len(text))
        return ValidationError(name, position, end, True, SENTENCES[name])
    if name == "ignored":
        if part != "hostname" or HOST_AND_PORT.fullmatch(text) is None:
            return None
        message = "This URL cannot have this hostname: pass the port as port=."
        return ValidationError(name, 0, len(text), True, message)
    if PART_STATES.get(part) in ("host_state", "hostname_state"):
        special = not_a_host(text)
        if special is not None:
            return ValidationError(name, 0, len(text), True, special)
    delimiter = HOST_DELIMITER.search(text) if PART_STATES.get(part) in ("host_state", "hostname_state") else None
    if delimiter is not None and name in ("domain-to-ASCII", "host-invalid-code-point"):
        message = f"A host cannot have {shown(delimiter[0])}: remove it."
        return ValidationError(name, delimiter.start(), delimiter.end(), True, message)
    return failure_of_part(text, name, PART_STATES[part]) if part in PART_STATES else None


def failure_of_part(text: str, name: str, state: str) -> ValidationError | None:
    hidden = Places([(0, text.rfind("@"))] if "@" in text else [])
    for scheme in SCHEMES:
        url = LiteralURL(scheme)
        errors = _literal.parse(text, url=url, state_override=state, most_errors=1, failure=name).errors
        if errors and errors[-1].name == name:
            return ValidationError(*errors[-1][:3], True, message_of(errors[-1], text, None, None, hidden))
    return None
