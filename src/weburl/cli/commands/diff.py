"""weburl diff: tells whether two inputs mean the same URL, and where they differ; or what changes for a crawler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from weburl import URL, InvalidURL
from weburl._diagnosis.credentials import HIDDEN, without_inner_credentials, without_secret_values, without_secrets
from weburl.cli._arguments import RESOLVES, base_option, flag, json_option, option
from weburl.cli._exit import ExitCode, UsageError
from weburl.cli._options import InputArgs, base_of, policy_option, positive, reading_of
from weburl.cli._parser import ArgumentParser
from weburl.cli._policies import crawl_policy

EXAMPLES: Final = r"""examples:
  weburl diff 'HTTP://Example.com:80/a/../b' 'http://example.com/b'
  weburl diff 'https://example.com/?q=1' 'https://example.com/?q=2'
  weburl diff --base https://example.com/a/ ../b 'https://example.com/b#c' --ignore-fragment
  weburl diff --from scrapy -f requests.txt

The exit status is 0 if they are the same URL. It is 1 if they differ, or if one of them is not a URL.
With --from, it is 1 if a request or a key changes.

"""

if TYPE_CHECKING:
    from weburl._crawl.policy import Policy
    from weburl.cli.readers.reading import Reading

PARTS: Final = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
DELIMITERS: Final = {"path": "", "query": "?", "fragment": "#"}
BEFORE, WIDTH = 30, 100  # characters of a long part: before the first difference, and in all


class DiffArgs(InputArgs):
    a: str | None = option(metavar="A", nargs="?")
    b: str | None = option(metavar="B", nargs="?")
    base: str | None = base_option(RESOLVES)
    ignore_fragment: bool = flag("--ignore-fragment", help="ignore the fragments")
    before: str | None = option(
        "--from", choices=["w3lib", "scrapy"],
        help="read URLs from the files after -f, and count what changes for a crawler that moves from w3lib to "
        "weburl.compat.w3lib, or from Scrapy without the add-on to Scrapy with it: requests, and keys of pages. "
        "It needs w3lib",
    )  # fmt: skip
    policy: str | None = policy_option("with --from scrapy: the policy of the fingerprints (default: crawl/1)")
    examples: int | None = option(
        "--examples", metavar="N", type=positive, help="with --from: the most examples of each change (default: 2)"
    )
    json: bool = json_option("with --from: print an object")


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl diff",
        DiffArgs,
        description="Says whether two inputs are the same URL to a browser, and where they differ. Usernames, "
        "passwords and the values of parameters such as token are not shown.",
        examples=EXAMPLES,
    )


class DiffHiArgs(NamedTuple):
    """What diff does."""

    texts: tuple[str, str]
    base: str | None  # serialized
    ignores_fragment: bool


class MoveHiArgs(NamedTuple):
    """What diff --from does."""

    before: str
    policy: Policy
    reading: Reading
    examples: int
    as_json: bool


def decided(low: DiffArgs) -> DiffHiArgs | MoveHiArgs:
    if low.before is not None:
        return move_of(low, low.before)
    if low.a is None or low.b is None:
        raise UsageError("the following arguments are required: A and B, or --from and -f FILE")
    own = {"--policy": low.policy, "--examples": low.examples, "--json": low.json or None, "-f": low.files or None}
    for name, value in own.items():
        if value is not None:
            raise UsageError(f"{name} goes with --from only")
    return DiffHiArgs((low.a, low.b), base_of(low.base), low.ignore_fragment)


def move_of(low: DiffArgs, before: str) -> MoveHiArgs:
    if low.a is not None or not low.files:
        raise UsageError("--from reads URLs from files only: -f FILE")
    if low.base is not None or low.ignore_fragment:
        raise UsageError("--from does not go with --base and --ignore-fragment")
    if low.policy is not None and before != "scrapy":
        raise UsageError("--policy goes with --from scrapy only")
    policy = crawl_policy("--policy", low.policy or "crawl/1")
    return MoveHiArgs(before, policy, reading_of(low), low.examples or 2, low.json)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, DiffArgs()))
    if isinstance(args, MoveHiArgs):
        from weburl.cli.commands import _moves

        return _moves.compare_all(*args)
    urls = []
    for name, text in zip("AB", args.texts, strict=True):
        try:
            urls.append(URL(text, args.base))
        except InvalidURL as error:
            print(f"{name} is not a URL: {error}")
    if len(urls) < 2:
        return ExitCode.FOUND
    if args.ignores_fragment:
        urls = [url.replace(fragment=None) for url in urls]
    a, b = urls
    if a == b:
        print("The same URL:", repr(without_secrets(a.href)))
        return ExitCode.OK
    differing = [part for part in PARTS if value_of(a, part) != value_of(b, part)]
    print(f"Not the same URL: {', '.join(differing)}.\n")
    for part in PARTS:
        for line in rows(part, a, b):
            print(line.rstrip())
    return ExitCode.FOUND


def value_of(url: URL, part: str) -> str | None:
    """A part of a URL, or None if it does not have that part."""
    if part == "host":
        return url.hostname if url.host_type else None
    if part == "path":
        return url.pathname
    value: str | None = getattr(url, part)
    return value if part in ("query", "fragment") else value or None


def shown_value(url: URL, part: str) -> str | None:
    value = value_of(url, part)
    if value is not None and part in ("username", "password"):
        return HIDDEN
    if value is None or part not in DELIMITERS:
        return value
    if part == "path" and url.has_opaque_path:
        value = without_inner_credentials(value)
    # The delimiter says that a parameter begins.
    return without_secret_values(DELIMITERS[part] + value)[len(DELIMITERS[part]) :]


def rows(part: str, a: URL, b: URL) -> Iterator[str]:
    texts = shown_value(a, part), shown_value(b, part)
    if value_of(a, part) == value_of(b, part):
        if texts[0] is not None:
            yield f"  {part:<9} {cut(texts[0], 0)}"
        return
    first, second = (text or "" for text in texts)
    at = 0
    while at < min(len(first), len(second)) and first[at] == second[at]:
        at += 1
    start = max(at - BEFORE, 0) if max(len(first), len(second)) > WIDTH else 0
    for sign, text in zip("-+", texts, strict=True):
        yield f"{sign} {part:<9} {'(none)' if text is None else cut(text, start) or '(empty)'}"
    if texts[0] == texts[1]:
        yield f"  {'':<9} (the hidden text differs)"
    elif all(texts):
        yield f"  {'':<9} {' ' * (at - start + (start > 0))}^"


def cut(text: str, start: int) -> str:
    """A text from the character at `start`, shortened to WIDTH."""
    before = "…" if start else ""
    after = "…" if len(text) > start + WIDTH else ""
    return f"{before}{text[start : start + WIDTH]}{after}"
