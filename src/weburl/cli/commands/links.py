"""weburl links: prints the links of pages of HTML, also of those in WARC files."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from weburl import URL, InvalidURL
from weburl._unicode.labels import find_label
from weburl.cli._arguments import LowArgs, base_option, flag, json_option, option
from weburl.cli._exit import ExitCode, InputError, UsageError, WrongOptionError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain, quoted
from weburl.cli._options import base_of, files_argument, memory_option
from weburl.cli._packings import Rejoined, Unpacked, packing_of
from weburl.cli._parser import ArgumentParser
from weburl.cli.readers.archived_links import archived_links
from weburl.cli.readers.byte_stream import BOM, head_of, name_in_errors
from weburl.cli.readers.formats import marked_format
from weburl.cli.readers.open_files import open_file, unlike_text
from weburl.cli.readers.reading import STDIN
from weburl.cli.readers.signatures import SIZE
from weburl.crawl import page_links, sitemap_links

if TYPE_CHECKING:
    from weburl.archives import ArchiveRecord
    from weburl.crawl import LinkKind, LinkTable

KINDS: Final[tuple[LinkKind, ...]] = ("link", "image", "script", "style", "frame", "form", "refresh", "media")
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")  # HTML may be in it
HTML: Final = ("text/html", "application/xhtml+xml")
MAYBE_HTML: Final = (*HTML, None)
MOST_PROBLEMS: Final = 9
PAGES: Final = 1 << 4  # by this, --memory has the bytes of the longest page of an archive that is read
EXAMPLES: Final = r"""examples:
  curl -sL https://example.com/a/ | weburl links --base https://example.com/a/
  weburl links --kinds image,media --json page.html
  weburl links --base https://example.com/ --charset windows-1251 pages/*.html
  weburl links --sitemap --json sitemap.xml
  weburl links --json crawl.warc.gz

It prints the URL of each link, as a browser resolves it. With --json, each link is an object with file, kind, tag,
attribute, value, text, rel, hreflang, type, href, registrable_domain, key and error, and for a sitemap lastmod. Without
--base, the URL of a page is that of its file. Of a WARC file, the HTML pages are read, and with --json, each link also
has page, the URL of its page; of WAT, the links are those that it lists.

"""


class LinksArgs(LowArgs):
    names: list[str] = files_argument(help="a page of HTML, or a WARC file; - is standard input (default: -)")
    base: str | None = base_option("the URL of the page, after redirects; it is used for all pages")
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
    json: bool = json_option("print an object for each link, also for links that are not URLs")
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
    kinds: Sequence[LinkKind]
    as_json: bool
    memory: int


def decided(low: LinksArgs) -> LinksHiArgs:
    base = base_of(low.base)
    asked = low.kinds.split(",")
    if not set(asked) <= set(KINDS):
        raise UsageError(f"--kinds takes some of {','.join(KINDS)}, with commas between them, not {quoted(low.kinds)}")
    if low.fallback_charset is not None and find_label(low.fallback_charset) is None:
        raise UsageError(f"--fallback-charset takes the name of an encoding, not {quoted(low.fallback_charset)}")
    names = low.names or [STDIN]
    kinds = [kind for kind in KINDS if kind in asked]
    return LinksHiArgs(names, base, low.charset, low.fallback_charset, low.sitemap, kinds, low.json, low.memory)


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, LinksArgs()))
    done = _Done()
    for name in args.names:
        shown = "standard input" if name == STDIN else name
        for table, of in _tables(name, shown, args):
            _print(table, {"file": name, **of}, shown, args, done)
            # The links of a page do not wait for the next one, which may come late.
            sys.stdout.flush()
            del table
    if done.errors:
        summary = ", ".join(f"{error}: {count}" for error, count in done.errors.most_common())
        wrong = done.errors.total()
        complain(f"{wrong} of {done.links} links {'is not a URL' if wrong == 1 else 'are not URLs'} ({summary})")
    return ExitCode.OK


class _Done:
    """How many links were found, and how many of them have each error."""

    def __init__(self) -> None:
        self.links = 0
        self.errors: Counter[str] = Counter()


class Archive:
    """The unpacked bytes of a WARC file."""

    def __init__(self, file: Any) -> None:
        self.file = file


class _Whole:
    """A file whose first bytes have been read."""

    def __init__(self, head: bytes, file: Any) -> None:
        self.head = head
        self.file = file

    def read(self) -> bytes:
        more: bytes = self.file.read()
        return self.head + more


def _unpacked(file: Any, memory: int) -> Archive | _Whole:
    """What to read a file with. Only archives are unpacked."""
    head = head_of(file)
    packing = packing_of(head)
    if packing is None:
        is_archive = _is_archive(head)
        return Archive(Rejoined(head, file)) if is_archive else _Whole(head, file)
    unpacked = Unpacked(packing, Rejoined(head, file), 1, memory)
    first = head_of(unpacked)
    return Archive(Rejoined(first, unpacked)) if _is_archive(first) else _Whole(head, file)


def _is_archive(head: bytes) -> bool:
    format = marked_format(head.removeprefix(BOM))
    return format is not None and format.name == "warc"


def _tables(name: str, shown: str, args: LinksHiArgs) -> Iterator[tuple[LinkTable, dict[str, Any]]]:
    """The links of each page of a file, and what else is known of the page."""
    with limited_memory(shown, args.memory, 1), open_file(name) as file, name_in_errors(shown):
        reader = file if args.sitemap else _unpacked(file, args.memory)
        if isinstance(reader, Archive):
            yield from _archive_tables(reader, shown, args)
            return
        table = _links(reader.read(), name, args)
    yield table, {}


def _archive_tables(archive: Archive, shown: str, args: LinksHiArgs) -> Iterator[tuple[LinkTable, dict[str, Any]]]:
    """The links of each page of a WARC file; those before the place where it is cut off or damaged."""
    from weburl.archives import ArchiveError, read_warc

    if args.base is not None:
        raise WrongOptionError("it is a WARC file, which has the URLs of its pages: leave out --base")
    skipped: Counter[str] = Counter()
    error = None
    try:
        for record in read_warc(archive.file, bodies=True, most=args.memory // PAGES):
            if record.problem is not None and record.mime in MAYBE_HTML:
                # The names of codings are those that servers send.
                is_known = record.problem in skipped or len(skipped) < MOST_PROBLEMS
                skipped[record.problem if is_known else "other problems"] += 1
            if record.mime not in HTML or (record.body is None and record.envelope is None):
                continue
            try:
                table = _page_links(record, args)
            except InvalidURL:
                skipped["it has no URL"] += 1
                continue
            if table is None:
                skipped["its links need more memory: give it more with --memory"] += 1
                continue
            yield table, {"page": record.url}
            # A page is given back before the next one is read.
            del table, record
    except ArchiveError as raised:
        error = raised
    for problem, count in skipped.most_common():
        complain(f"{shown}: {count} page{'s' * (count > 1)}: {problem}")
    if error is not None:
        raise InputError(str(error)) from None


def _page_links(record: ArchiveRecord, args: LinksHiArgs) -> LinkTable | None:
    """The links of a page of an archive, or None if there is no memory for them.

    This function is short: where it ends, all of the page is given back, and before that there is no memory for more.
    See `limited_memory`.
    """
    try:
        return archived_links(record, args.charset, args.fallback_charset, args.kinds)
    except MemoryError:
        return None


def _print(table: LinkTable, of: dict[str, Any], shown: str, args: LinksHiArgs, done: _Done) -> None:
    for warning in table.warnings:
        complain(f"{shown}: {warning}")
    done.links += len(table)
    done.errors.update(table.errors)
    if args.as_json:
        for row in table:
            print(json.dumps({**of, **row}))
    else:
        for href in table["href"]:
            if href is not None:
                print(href)


def _links(html: bytes, name: str, args: LinksHiArgs) -> LinkTable:
    """The links of a file, which has been read whole."""
    may_be_binary = args.sitemap or html.startswith(UTF_16)
    why = None if may_be_binary else unlike_text(html[:SIZE])
    if why is not None:
        raise InputError(why)
    page_url = args.base or ("about:blank" if name == STDIN else None)
    url = URL(page_url) if page_url else URL.from_path(os.path.abspath(name))
    if args.sitemap:
        return sitemap_links(html, url, charset=args.charset)
    return page_links(html, url, charset=args.charset, fallback_charset=args.fallback_charset, kinds=args.kinds)
