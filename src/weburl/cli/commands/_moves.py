"""weburl diff --from: which requests and keys change when a crawler moves to weburl."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import ExitStack, closing
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from weburl import URL, InvalidURL
from weburl.cli._exit import ExitCode, InputError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import hide_credentials, printable
from weburl.cli.keys.key_set import KeySet
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.row_blocks import blank_of
from weburl.crawl import canonicalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from weburl._crawl.policy import Policy
    from weburl.cli.readers.reading import Reading

BATCH: Final = 4096  # keys
SHOWN: Final = 300  # characters of a URL
PARTS: Final = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?", re.DOTALL)
# What differs, in the order in which it is listed. A URL counts once, for the first that holds.
CLASSES: Final = {
    "refused": "weburl raises an error: it is not a URL",
    "accepted": "only weburl takes it as a URL",
    "scheme": "the scheme differs",
    "host": "another host, port or user",
    "spelling": "the same host, port and user, spelt in another way",
    "dots": "dot segments are resolved",
    "path": "another path",
    "order": "the same parameters in another order",
    "parameters": "other parameters",
    "empty": "an empty path or query is spelt in another way",
    "escapes": "other characters are escaped",
}
DOTS: Final = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)


class Compared(NamedTuple):
    """A URL as both sides have it; None if it is not a URL to one."""

    request: tuple[str | None, str | None]
    key: tuple[str | None, str | None]
    kept: str | None  # the key if only the request changes, and not what makes keys


class Move(NamedTuple):
    """Where a crawler comes from: a row of `MOVES`."""

    title: str
    keys: str
    entries: str
    compare: Callable[[str, Policy], Compared]
    has_new_keys: bool  # which have nothing in common with the old ones, whatever they are made of


def result_of(function: Callable[..., str], *arguments: str | None) -> str | None:
    """What a function returns, or None if it does not take an argument."""
    if arguments[0] is None:
        return None
    try:
        return function(*arguments)
    except ValueError:
        return None


def from_w3lib(text: str, policy: Policy) -> Compared:
    from w3lib.url import canonicalize_url, safe_url_string

    from weburl.compat import w3lib as compat

    new = result_of(compat.canonicalize_url, text)
    return Compared(
        (result_of(safe_url_string, text), result_of(compat.safe_url_string, text)),
        (result_of(canonicalize_url, text), new),
        new,
    )


def from_scrapy(text: str, policy: Policy) -> Compared:
    from w3lib.url import canonicalize_url, safe_url_string

    from weburl.compat import w3lib as compat

    old = request_of(result_of(safe_url_string, text))
    parsed = URL.parse(text)
    # The add-on leaves to Scrapy what is not a URL.
    new = request_of(result_of(compat.safe_url_string, text) if parsed is None else parsed.href)
    key = new if new is None or URL.parse(new) is None else canonicalize(new, policy)
    return Compared((old, new), (result_of(canonicalize_url, old), key), result_of(compat.canonicalize_url, new))


# https://docs.scrapy.org/en/latest/topics/request-response.html#request-objects
def request_of(url: str | None) -> str | None:
    """The URL of a request, or None if Scrapy raises an error for it."""
    return url if url is None or "://" in url or url.startswith(("about:", "data:")) else None


MOVES: Final = {
    "w3lib": Move("weburl.compat.w3lib", "results of canonicalize_url", "keys", from_w3lib, False),
    "scrapy": Move("weburl.ext.scrapy.AddOn", "pages by their fingerprints", "fingerprints", from_scrapy, True),
}


def place_of(url: str) -> tuple[object, ...] | None:
    """Whom a browser asks for a URL."""
    try:
        parsed = URL(url)
    except InvalidURL:
        return None
    return parsed.hostname, parsed.port, parsed.username, parsed.password


def class_of(old: str | None, new: str | None) -> str | None:
    """What differs, or None."""
    if old is None or new is None:
        return None if old is new else "refused" if new is None else "accepted"
    if old == new:
        return None
    one, other = PARTS.fullmatch(old.partition("#")[0]), PARTS.fullmatch(new.partition("#")[0])
    assert one is not None
    assert other is not None
    (scheme, authority, path, query), (new_scheme, new_authority, new_path, new_query) = one.groups(), other.groups()
    if scheme != new_scheme:
        return "scheme"
    place = place_of(old)
    if authority != new_authority and (place is None or place != place_of(new)):
        return "host"
    if unquote_to_bytes(path or "/") != unquote_to_bytes(new_path or "/"):
        return "dots" if DOTS.search(path) and not DOTS.search(new_path) else "path"
    pieces, new_pieces = pieces_of(query), pieces_of(new_query)
    if pieces != new_pieces:
        return "order" if sorted(pieces) == sorted(new_pieces) else "parameters"
    if authority != new_authority:
        return "spelling"
    if bool(path) != bool(new_path) or (query is None) != (new_query is None):
        return "empty"
    return "escapes" if (path, query) != (new_path, new_query) else None


def pieces_of(query: str | None) -> list[bytes]:
    """The parameters of a query, decoded."""
    return [unquote_to_bytes(piece) for piece in (query or "").split("&")] if query else []


class Entries:
    """How many there are, in bounded memory: texts are added one by one, and count in batches."""

    def __init__(self, memory: int) -> None:
        self.keys = KeySet(memory)
        self.waiting = bytearray()

    def __len__(self) -> int:
        self.flush()
        return len(self.keys)

    def add(self, *texts: str) -> None:
        text = "\0".join(texts).encode("utf-8", "surrogatepass")
        self.waiting += blake2b(text, digest_size=16).digest()
        if len(self.waiting) >= 16 * BATCH:
            self.flush()

    def flush(self) -> None:
        self.keys.add(bytes(self.waiting), b"\1" * (len(self.waiting) // 16))
        self.waiting.clear()

    def close(self) -> None:
        self.keys.close()


class Changes:
    """How many URLs change, by what changes, and the first ones of each class."""

    def __init__(self, examples: int) -> None:
        self.most = examples
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[tuple[str, str | None, str | None]]] = {}

    def add(self, text: str, old: str | None, new: str | None) -> None:
        name = class_of(old, new)
        if name is not None:
            self.counts[name] += 1
            examples = self.examples.setdefault(name, [])
            if len(examples) < self.most:
                examples.append((text, old, new))

    def lines(self) -> Iterator[str]:
        for name, what in CLASSES.items():
            if self.counts[name]:
                yield f"  {name:<10} {self.counts[name]:>10,}  {what}"
                for text, old, new in self.examples[name]:
                    yield f"      {cut(text)}"
                    yield f"    - {'(an error)' if old is None else cut(old)}"
                    yield f"    + {'(an error)' if new is None else cut(new)}"

    def as_json(self) -> dict[str, object]:
        return {
            name: {
                "count": self.counts[name],
                "examples": [
                    {"url": cut(text), "old": old and cut(old), "new": new and cut(new)}
                    for text, old, new in self.examples[name]
                ],
            }
            for name in CLASSES
            if self.counts[name]
        }


def cut(text: str) -> str:
    return printable(hide_credentials(text if len(text) <= SHOWN else f"{text[:SHOWN]}…"))


def w3lib_version() -> str:
    try:
        import w3lib.url  # noqa: F401

        return version("w3lib")
    except (ModuleNotFoundError, PackageNotFoundError):
        raise InputError("--from needs w3lib, whose results it compares: pip install w3lib") from None


def compare_all(name: str, policy: Policy, reading: Reading, examples: int, as_json: bool) -> int:
    """Prints what changes; the status is 1 if something does."""
    move = MOVES[name]
    w3lib = w3lib_version()
    inputs = Inputs(reading)
    requests, keys = Changes(examples), Changes(examples)
    count = neither = 0
    with ExitStack() as stack:
        stack.enter_context(limited_memory("--from", reading.memory, 1))
        old, moved, new, pairs, same, kept = (
            stack.enter_context(closing(Entries(max(reading.memory // 6, 1 << 20)))) for _ in range(6)
        )
        for _, _, text in inputs.numbered(blank_of(None)):
            count += 1
            compared = move.compare(text, policy) if isinstance(text, str) else None
            if compared is None or (compared.request == (None, None) and compared.key == (None, None)):
                neither += 1
                continue
            assert isinstance(text, str)
            requests.add(text, *compared.request)
            keys.add(text, *compared.key)
            before, after = compared.key
            if before is not None:
                old.add(before)
                if before == after:
                    same.add(before)
                if before == compared.kept:
                    kept.add(before)
                if after is not None:
                    moved.add(before)
                    new.add(after)
                    pairs.add(before, after)
        counts = {
            "urls": count,
            "not_urls": neither,
            "old_keys": len(old),
            "new_keys": len(new),
            "invalid": len(old) if move.has_new_keys else len(old) - len(same),
            "invalid_with_old_fingerprinter": len(old) - len(kept) if move.has_new_keys else None,
            "together": len(pairs) - len(new),
            "apart": len(pairs) - len(moved),
        }
    status = ExitCode.FOUND if requests.counts or keys.counts else ExitCode.OK
    if as_json:
        shown = {"from": f"w3lib {w3lib}", "to": move.title, **counts}
        print(json.dumps({**shown, "requests": requests.as_json(), "keys": keys.as_json()}))
        return inputs.status or status
    print(f"{count:,} URLs, from w3lib {w3lib} to {move.title}")
    if neither:
        print(f"{neither:,} are not URLs to either, and do not count")
    print(f"\nRequests: {requests.counts.total():,} change")
    for line in requests.lines():
        print(line)
    print(f"\n{move.keys.capitalize()}: {keys.counts.total():,} change")
    for line in keys.lines():
        print(line)
    print(f"\nEntries of a cache or a job: {counts['old_keys']:,}. Of these, {counts['invalid']:,} become invalid")
    if move.has_new_keys:
        print(
            "  because weburl's fingerprints are other hashes. With REQUEST_FINGERPRINTER_CLASS set to Scrapy's own "
            f"class: {counts['invalid_with_old_fingerprinter']:,}"
        )
    print(f"  {counts['together']:,} get a key that another entry gets, too")
    print(f"  {counts['apart']:,} are added, as URLs that had one key now have several")
    return inputs.status or status
