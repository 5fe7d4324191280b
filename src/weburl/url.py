# cython: embedsignature=True, embedsignature.format=clinic
"""The classes URL and FrozenURL, and functions for URLs as strings."""

from __future__ import annotations

import cython

from weburl._parsed import ParsedURL

# For type checkers: the compiled module takes these names from url.pxd.
if not cython.compiled:
    from weburl._core.parts import wrong_type
    from weburl._core.record import Record
    from weburl._core.status import Status
    from weburl._core.texts import parse_text
    from weburl._parsed import UTF_8 as DEFAULT_ENCODING
    from weburl._parsed import failure, is_equal, resolve, set_classes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["URL", "FrozenURL", "join", "normalize"]


def __dir__() -> list[str]:
    return __all__


UTF_8: Final = "utf-8"


@cython.cclass
class URL(ParsedURL):
    """URL(url, base=None, *, encoding='utf-8')\n--\n\nA URL, parsed as browsers parse it.

        >>> url = URL("../img?q=1", "HTTPS://Example.com/a/b")
        >>> url.href, url.hostname
        ('https://example.com/img?q=1', 'example.com')

    `url` is a str, a URL or a FrozenURL. A relative one needs a `base`. InvalidURL is raised if the URL does not parse.
    `encoding` is the character encoding of the page that contains the URL, a label of the Encoding Standard; the query
    of an http, https, ftp or file URL is encoded with it. https://url.spec.whatwg.org/#url-class

    The parts are attributes. Assigning to one does what a browser does: a value that does not fit is ignored. `replace`
    raises instead. Two URLs are equal if their serializations are equal. A URL is mutable, so it is not hashable: use a
    FrozenURL as a key.
    """

    __match_args__ = ("href",)

    def __eq__(self, other: object) -> bool:
        return is_equal(self, other)

    __hash__ = None  # type: ignore[assignment]


@cython.cclass
class FrozenURL(ParsedURL):
    """FrozenURL(url, base=None, *, encoding='utf-8')\n--\n\nA URL that does not change, so that it can be a key.

        >>> start = FrozenURL("https://example.com/a?q=1")
        >>> start.with_params(q=2)
        FrozenURL('https://example.com/a?q=2')
        >>> {start: "seen"}[FrozenURL("HTTPS://example.com:443/a?q=1")]
        'seen'

    It is to URL what frozenset is to set: it has the same attributes and methods, except that no attribute can be
    assigned to, and `search_params` is read-only. It equals a URL with the same serialization. FrozenURLs are ordered
    by their serializations.
    """

    __match_args__ = ("href",)

    def __eq__(self, other: object) -> bool:
        if type(other) is FrozenURL:
            return self._href == cython.cast(FrozenURL, other)._href
        return is_equal(self, other)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href < cython.cast(FrozenURL, other)._href

    def __le__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href <= cython.cast(FrozenURL, other)._href

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href > cython.cast(FrozenURL, other)._href

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, FrozenURL):
            return NotImplemented
        return self._href >= cython.cast(FrozenURL, other)._href

    def __hash__(self) -> int:
        return hash(self._href)


set_classes(URL, FrozenURL)


def normalize(url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None, *, encoding: str = "utf-8") -> str:
    """The serialization of a URL; the argument itself if it is the serialization already.

        >>> normalize("HTTP://EXAMPLE.com:80/a/../b")
        'http://example.com/b'

    `base` and `encoding` are those of `URL`.
    """
    record = cython.declare(Record)
    status = cython.declare(Status)
    if type(url) is str and base is None and encoding is UTF_8:
        # Most calls.
        href = parse_text(url, None, cython.NULL, None, cython.address(record), cython.address(status))
    else:
        href = resolve(url, base, encoding, cython.address(record), cython.address(status))
    if href is None:
        raise failure(url, base, status)
    return href


def join(base: str | URL | FrozenURL, ref: str, *, encoding: str = "utf-8") -> str:
    """Resolves a reference, such as a relative URL, against a base; returns the serialization.

        >>> join("https://example.com/a/b", "../c?d")
        'https://example.com/c?d'

    `encoding` is that of `URL`: the query of `ref` is encoded with it.
    """
    record = cython.declare(Record)
    status = cython.declare(Status)
    if base is None:
        raise wrong_type(base, "base must be a str or a URL")
    if encoding is UTF_8:
        # The same object as in that module.
        encoding = DEFAULT_ENCODING
    href = resolve(ref, base, encoding, cython.address(record), cython.address(status))
    if href is None:
        raise failure(ref, base, status)
    return href
