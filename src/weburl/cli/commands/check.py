"""weburl check: lists the errors in files of URLs, as a linter does."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from typing import Final, NamedTuple

from weburl import URL, InvalidURL, ValidationError, validate
from weburl._arrow.input import TooLong
from weburl.cli._arguments import ERRORS_WITHOUT, base_option, flag, json_option
from weburl.cli._exit import ExitCode
from weburl.cli._messages import hide_credentials, printable
from weburl.cli._options import FileArgs, base_of, reading_of
from weburl.cli._parser import ArgumentParser
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.reading import Reading
from weburl.cli.readers.row_blocks import TOO_LONG_NAME, Fault, blank_of, too_long_message

EXAMPLES: Final = r"""examples:
  weburl check urls.txt
  weburl check --failures --json urls.txt
  weburl check links.csv --column href --base https://example.com/
  grep -rhoE 'https?://[^ >)]+' docs | weburl check

Each validation error is a line: file:line:column: name: message. The name is that of the URL Standard. The column is in
characters, from 1. Blank lines are skipped.

"""

# A URL like this has no validation error if it is its own serialization: its domain has only letters and digits.
LABEL: Final = "(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
PLAIN: Final = re.compile(
    rf"https?://(?=[^/:]{{1,253}}[/:])(?:{LABEL}\.)*{LABEL}(?::[0-9]{{1,5}})?"
    r"/[\w\-.~!$&'()*+,;=:@/%]*(?:\?[\w\-.~!$&'()*+,;=:@/?%]*)?(?:#[\w\-.~!$&'()*+,;=:@/?%]*)?",
    re.ASCII,
)
STRAY_PERCENT: Final = re.compile("%(?![0-9A-Fa-f]{2})")
# To find where the errors are takes a microsecond for each character.
LONGEST: Final = 1 << 20  # characters


class CheckArgs(FileArgs):
    base: str | None = base_option(ERRORS_WITHOUT)
    failures: bool = flag("--failures", help="list only the errors that make a URL fail to parse")
    json: bool = json_option("print an object for each error: file, line, column, end, name, failure, message")


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl check",
        CheckArgs,
        description="Lists all errors in the URLs of files or of standard input. Each line is a URL.",
        examples=EXAMPLES,
    )


class CheckHiArgs(NamedTuple):
    """What check does."""

    reading: Reading
    base: str | None  # serialized
    blank: str  # the characters of a line that is skipped
    only_failures: bool
    as_json: bool


def decided(low: CheckArgs) -> CheckHiArgs:
    base = base_of(low.base)
    return CheckHiArgs(reading_of(low, base), base, blank_of(base), low.failures, low.json)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, CheckArgs()))
    inputs = Inputs(args.reading)
    counts: Counter[str] = Counter()
    urls = wrong = 0
    for source, line, text in inputs.numbered(args.blank):
        urls += 1
        if isinstance(text, TooLong):
            errors = [ValidationError(TOO_LONG_NAME, 0, 0, True, too_long_message(args.reading.limit))]
        elif isinstance(text, Fault):
            begin = max(text.column - 1, 0)
            errors = [ValidationError(text.name, begin, begin, True, text.message)]
        else:
            errors = failures(text, args.base) if args.only_failures else errors_of(text, args.base)
        wrong += bool(errors)
        for error in errors:
            counts[error.name] += 1
            file = hide_credentials(source.name)
            if args.as_json:
                place = {"file": file, "line": line, "column": error.position + 1, "end": error.end + 1}
                rest = {"name": error.name, "failure": error.failure, "message": error.message}
                print(json.dumps(place | rest))
            else:
                print(f"{printable(file)}:{line}:{error.position + 1}: {error.name}: {error.message}")
    summary = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    if not args.as_json:
        sys.stdout.flush()
        checked = f"{urls} URL" if urls == 1 else f"{urls} URLs"
        print(f"{wrong} of {checked}: {summary}" if counts else f"{checked}, nothing found", file=sys.stderr)
    return ExitCode.FOUND if counts else inputs.status


def errors_of(text: str, base: str | None) -> list[ValidationError]:
    if PLAIN.fullmatch(text) and not STRAY_PERCENT.search(text) and (url := URL.parse(text)) and url.href == text:
        return []
    return validate(text, base) if len(text) <= LONGEST else failures(text, base)


def failures(text: str, base: str | None) -> list[ValidationError]:
    """The error that makes a URL fail to parse, if there is one."""
    if URL.can_parse(text, base):
        return []
    if len(text) <= LONGEST:
        return validate(text, base)[-1:]
    try:
        URL(text, base)
    except InvalidURL as error:
        message = f"This has {len(text)} characters: the place of the error is given for at most {LONGEST}."
        return [ValidationError(error.error, 0, len(text), True, message)]
    return []
