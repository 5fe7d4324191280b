"""weburl links: prints the links of pages of HTML."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from weburl import URL
from weburl._unicode.labels import find_label
from weburl.cli._arguments import LowArgs, flag, option
from weburl.cli._exit import ExitCode, InputError, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, quoted
from weburl.cli._options import base_of, files_argument, memory_option
from weburl.cli._parser import ArgumentParser
from weburl.cli.readers.files import name_in_errors
from weburl.cli.readers.open_files import open_file, unlike_text
from weburl.cli.readers.reading import STDIN
from weburl.cli.readers.signatures import SIZE
from weburl.crawl import page_links, sitemap_links

if TYPE_CHECKING:
    from weburl.crawl import LinkTable

KINDS: Final = ("link", "image", "script", "style", "frame", "form", "refresh", "media")
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")  # HTML may be in it
EXAMPLES: Final = r"""examples:
  curl -sL https://example.com/a/ | weburl links --base https://example.com/a/
  weburl links --kinds image,media --json page.html
  weburl links --base https://example.com/ --charset windows-1251 pages/*.html
  weburl links --sitemap --json sitemap.xml

It prints the URL of each link, as a browser resolves it. With --json, each link is an object with file, kind, tag,
attribute, value, text, rel, hreflang, type, href, registrable_domain, key and error, and for a sitemap lastmod. Without
--base, the URL of a page is that of its file.

"""


class LinksArgs(LowArgs):
    names: list[str] = files_argument(help="a page of HTML; - is standard input (default: -)")
    base: str | None = option(
        "--base", metavar="URL", help="the URL of the page, after redirects; it is used for all pages"
    )
    charset: str | None = option(
        "--charset", metavar="LABEL", help="the charset in the Content-Type of the page; it is used for all pages"
    )
    fallback_charset: str | None = option(
        "--fallback-charset", metavar="LABEL", help="the encoding of pages that declare none"
    )
    sitemap: bool = flag(
        "--sitemap", help="the files are sitemaps or feeds, as XML or text; all their links are printed"
    )
    kinds: str = option(
        "--kinds",
        metavar="KINDS",
        default="link,frame,refresh",
        help=f"which kinds of links: some of {','.join(KINDS)} (default: %(default)s)",
    )
    json: bool = flag("--json", help="print an object for each link, also for links that are not URLs")
    memory: int = memory_option()


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl links",
        LinksArgs,
        description="Prints the links of HTML pages, which are files or standard input.",
        examples=EXAMPLES,
    )


class LinksHiArgs(NamedTuple):
    """What links does."""

    names: Sequence[str]
    base: str | None  # serialized
    charset: str | None
    fallback_charset: str | None
    sitemap: bool
    kinds: Sequence[Any]
    as_json: bool
    memory: int


def decided(low: LinksArgs) -> LinksHiArgs:
    base = base_of(low.base)
    kinds = low.kinds.split(",")
    if not set(kinds) <= set(KINDS):
        raise UsageError(f"--kinds takes some of {','.join(KINDS)}, with commas between them, not {quoted(low.kinds)}")
    if low.fallback_charset is not None and find_label(low.fallback_charset) is None:
        raise UsageError(f"--fallback-charset takes the name of an encoding, not {quoted(low.fallback_charset)}")
    names = low.names or [STDIN]
    return LinksHiArgs(names, base, low.charset, low.fallback_charset, low.sitemap, kinds, low.json, low.memory)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, LinksArgs()))
    links = 0
    errors: Counter[str] = Counter()
    for name in args.names:
        shown = "standard input" if name == STDIN else name
        with limited_memory(shown, args.memory, 1):
            table = _links(name, shown, args)
            for warning in table.warnings:
                complain(f"{shown}: {warning}")
            links += len(table)
            errors.update(table.errors)
            if args.as_json:
                for row in table:
                    print(json.dumps({"file": name, **row}))
            else:
                for href in table["href"]:
                    if href is not None:
                        print(href)
    if errors:
        summary = ", ".join(f"{error}: {count}" for error, count in errors.most_common())
        wrong = errors.total()
        complain(f"{wrong} of {links} links {'is not a URL' if wrong == 1 else 'are not URLs'} ({summary})")
    return ExitCode.OK


def _links(name: str, shown: str, args: LinksHiArgs) -> LinkTable:
    """The links of a file, which is read whole."""
    with open_file(name) as file, name_in_errors(shown):
        html = file.read()
        may_be_binary = args.sitemap or html.startswith(UTF_16)
        why = None if may_be_binary else unlike_text(html[:SIZE])
        if why is not None:
            raise InputError(why)
    page_url = args.base or ("about:blank" if name == STDIN else None)
    url = URL(page_url) if page_url else URL.from_path(os.path.abspath(name))
    if args.sitemap:
        return sitemap_links(html, url, charset=args.charset)
    return page_links(html, url, charset=args.charset, fallback_charset=args.fallback_charset, kinds=args.kinds)
