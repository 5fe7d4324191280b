"""weburl links: prints the links of pages of HTML."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from weburl import URL
from weburl.cli._arguments import ArgumentParser
from weburl.cli._exit import ExitCode, InputError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, quoted
from weburl.cli.readers.files import name_in_errors
from weburl.cli.readers.inputs import add_memory_option, open_file
from weburl.cli.readers.signatures import SIZE, unlike_text
from weburl.crawl import page_links

if TYPE_CHECKING:
    from weburl.bulk import Table

KINDS: Final = ("link", "image", "script", "style", "frame", "form", "refresh", "media")
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")  # HTML may be in it
EXAMPLES: Final = r"""examples:
  curl -sL https://example.com/a/ | weburl links --url https://example.com/a/
  weburl links --kinds image,media --json page.html
  weburl links --url https://example.com/ --charset windows-1251 pages/*.html

It prints the URL of each link, as a browser finds it. With --json, each link is an object on its own line, with file,
kind, tag, attribute, value, text, rel, href, site, key and error. Without --url, the URL of a page is that of its file.

"""


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "weburl links",
        description="Prints the links of pages of HTML: of files, or of standard input.",
        examples=EXAMPLES,
    )
    parser.add_argument("names", nargs="*", metavar="FILE", help="a page; - is standard input (default)")
    parser.add_argument("--url", metavar="URL", help="the URL of each page, after redirects")
    parser.add_argument("--charset", metavar="LABEL", help="the charset that the Content-Type of each page has")
    parser.add_argument(
        "--kinds", metavar="KINDS", default="link,frame,refresh", help=f"of {','.join(KINDS)} (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print objects, also for links that are not URLs")
    add_memory_option(parser)
    return parser


def main(arguments: list[str]) -> int:
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.url is not None and not URL.can_parse(options.url):
        parser.refuse(f"--url: {quoted(options.url)} is not a URL")
    kinds = options.kinds.split(",")
    if not set(kinds) <= set(KINDS):
        parser.refuse(f"argument --kinds: some of {','.join(KINDS)}, with commas between them")
    links = 0
    errors: Counter[str] = Counter()
    for name in options.names or ["-"]:
        shown = "standard input" if name == "-" else name
        with limited_memory(shown, options.memory, 1):
            table = _links(name, shown, options, kinds)
            links += len(table)
            errors.update(table.errors)
            if options.json:
                for row in table:
                    print(json.dumps({"file": name, **row}))
            else:
                for href in table["href"]:
                    if href is not None:
                        print(href)
    if errors:
        found = ", ".join(f"{error}: {count}" for error, count in errors.most_common())
        wrong = errors.total()
        complain(f"{wrong} of {links} links {'is not a URL' if wrong == 1 else 'are not URLs'} ({found})")
    return ExitCode.OK


def _links(name: str, shown: str, options: Namespace, kinds: Sequence[Any]) -> Table:
    """The links of a file, which is read whole."""
    with open_file(name) as file, name_in_errors(shown):
        html = file.read()
        why = None if html.startswith(UTF_16) else unlike_text(html[:SIZE])
        if why is not None:
            raise InputError(why)
    given = options.url or ("about:blank" if name == "-" else None)
    url = URL(given) if given else URL.from_path(os.path.abspath(name))
    return page_links(html, url, charset=options.charset, kinds=kinds)
