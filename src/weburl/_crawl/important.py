"""Which parameters change the pages of a site: learnt from pages that were fetched."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from weburl._core.arguments import need_iterable, wrong_type
from weburl._crawl.canonical import canonicalize, host_group
from weburl._crawl.policy import find_policy
from weburl._hosts.suffixes import public_suffix
from weburl.errors import InvalidURL

if TYPE_CHECKING:
    from typing import Literal

    from weburl._crawl.policy import Policy
    from weburl._hosts.suffixes import PublicSuffixList
    from weburl.url import URL, FrozenURL

    Verdict = Literal["changes", "ignored", "unknown"]

# More parameters than a page needs: each is compared with all others.
MOST_NAMES = 32
MISSING: Final[Any] = object()


class ParameterUse(NamedTuple):
    """What was learnt of one parameter, in the URLs of one site that have the same names.

    >>> use = ParameterUse("example.com", ("page", "view"), "view", 40, 1, "ignored")
    >>> use.differing / use.pairs
    0.025

    `site` is the `host_group`, `names` are all names of the query, sorted, and `name` is one of them. Of `pairs` of
    URLs that differ only in the value of `name`, `differing` have other contents. `verdict` is "changes", "ignored", or
    "unknown" if there are too few pairs.
    """

    site: str
    names: tuple[str, ...]
    name: str
    pairs: int
    differing: int
    verdict: Verdict


ParameterUse.__module__ = "weburl.crawl"


class ImportantParams:
    """What `important_params` has learnt.

    >>> urls = [f"https://example.com/?id={i % 3}&view={i}" for i in range(60)]
    >>> learnt = important_params(urls, [i % 3 for i in range(60)])
    >>> sorted(learnt.ignored)
    ['view@example.com']

    `uses` and `skipped` are as they were given: `important_params` makes them.
    """

    __slots__ = ("_skipped", "_uses")

    def __init__(self, uses: Iterable[ParameterUse], skipped: int) -> None:
        need_iterable(uses, "uses must be a list of ParameterUse")
        self._uses = list(uses)
        for use in self._uses:
            if not isinstance(use, ParameterUse):
                raise wrong_type(use, "uses must be of ParameterUse")
        self._skipped = skipped

    @property
    def uses(self) -> list[ParameterUse]:
        """What was learnt of each parameter.

        >>> important_params(["https://example.com/?id=1"], ["page 1"]).uses
        [ParameterUse(site='example.com', names=('id',), name='id', pairs=0, differing=0, verdict='unknown')]
        """
        return self._uses

    @property
    def skipped(self) -> int:
        """How many URLs were not read.

        They are not http or https URLs, have a host that is a public suffix of several labels, such as github.io, or
        have more than 32 names.

        >>> important_params(["https://example.com/?id=1", "no URL"], ["page 1", "page 2"]).skipped
        1
        """
        return self._skipped

    @property
    def ignored(self) -> frozenset[str]:
        """The parameters that change nothing, as rules for `CrawlPolicy`: "view@example.com".

        >>> urls = [f"https://example.com/?view={i}" for i in range(60)]
        >>> important_params(urls, ["one page"] * 60).ignored
        frozenset({'view@example.com'})

        A parameter is one of them if its verdict is "ignored" for at least one set of names of its site, and "changes"
        for none.
        """
        verdicts: dict[tuple[str, str], set[Verdict]] = {}
        for use in self._uses:
            # The rules match in any case.
            verdicts.setdefault((use.site, use.name.lower()), set()).add(use.verdict)
        return frozenset(
            f"{name.replace('@', '%40')}@{site}"
            for (site, name), found in verdicts.items()
            if "ignored" in found and "changes" not in found and name and ":" not in site + name and "*" not in name
        )

    def __repr__(self) -> str:
        return f"<ImportantParams of {len(self.uses)} uses>"


ImportantParams.__module__ = "weburl.crawl"


def important_params(
    urls: Iterable[str | URL | FrozenURL],
    content_keys: Iterable[Hashable],
    *,
    min_pairs: int = 20,
    threshold: float = 0.05,
    policy: str | Policy = "crawl/1",
    psl: PublicSuffixList | None = None,
    max_groups: int = 500_000,
) -> ImportantParams:
    """Learns from fetched pages which parameters change them, for each site.

    >>> urls = [f"https://example.com/?id={i % 3}&view={i}" for i in range(60)]
    >>> for use in important_params(urls, [f"page {i % 3}" for i in range(60)]).uses:
    ...     print(use.name, use.pairs, use.differing, use.verdict)
    id 0 0 unknown
    view 57 0 ignored

    Each URL has a content key in the same place, such as a hash of the page's text: equal keys mean that the pages are
    the same. For each site, for each set of names and for each name, pairs of URLs that differ only in the value of
    that name are compared. The parameter changes pages if the share of pairs with different contents is above
    `threshold`. With fewer than `min_pairs` pairs that is unknown.

    URLs are first canonicalized under `policy`. Memory is bounded by `max_groups`, of about 200 bytes each: when there
    are more, half of them are dropped, chosen by a hash. ValueError is raised if there are not as many keys as URLs.
    """
    from hashlib import blake2b

    if not isinstance(min_pairs, int) or min_pairs < 1 or not isinstance(max_groups, int) or max_groups < 1:
        raise ValueError("min_pairs and max_groups must be an int from 1")
    if not isinstance(threshold, (int, float)) or not 0 <= threshold < 1:
        raise ValueError("threshold must be a number from 0, below 1")
    used = find_policy(policy)
    if isinstance(urls, (str, bytes)):
        raise wrong_type(urls, "urls must be a collection of URLs")
    need_iterable(urls, "urls must be a collection of URLs")
    need_iterable(content_keys, "content_keys must be a collection")
    counts: dict[tuple[str, tuple[str, ...], str], list[int]] = {}
    groups: dict[int, tuple[int, int]] = {}
    limit = 1 << 64
    skipped = 0
    for url, content in zip_longest(urls, content_keys, fillvalue=MISSING):
        if url is MISSING or content is MISSING:
            raise ValueError(
                f"there must be as many content_keys as urls: there are {'more' if url is MISSING else 'fewer'}"
            )
        try:
            form = canonicalize(url, used)
            site = rule_host(form, psl)
        except InvalidURL:
            form, site = "", None
        form, _, fragment = form.partition("#")
        head, _, query = form.partition("?")
        pairs: dict[str, list[str]] = {}
        for piece in query.split("&") if query else ():
            pairs.setdefault(piece.partition("=")[0], []).append(piece)
        if site is None or len(pairs) > MOST_NAMES:
            skipped += 1
            continue
        names = tuple(sorted(pairs))
        for name in names:
            use = site, names, name
            if use not in counts:
                # A site may have any number of names: they are bounded, too.
                if len(counts) >= max_groups:
                    continue
                counts[use] = [0, 0]
            rest = "\0".join([head, fragment, name, *["&".join(pairs[other]) for other in names if other != name]])
            group = int.from_bytes(blake2b(rest.encode(), digest_size=8).digest(), "big")
            if group >= limit:
                continue
            value = hash("&".join(pairs[name]))
            first = groups.setdefault(group, (value, hash(content)))
            if first[0] != value:
                counts[use][0] += 1
                counts[use][1] += first[1] != hash(content)
        while len(groups) > max_groups:
            limit >>= 1
            groups = {group: first for group, first in groups.items() if group < limit}
    uses = [
        ParameterUse(*use, compared, differing, verdict_of(compared, differing, min_pairs, threshold))
        for use, (compared, differing) in sorted(counts.items())
    ]
    return ImportantParams(uses, skipped)


ParameterUse.site.__doc__ = "The site, as `host_group` gives it."
ParameterUse.names.__doc__ = "All names of the query, sorted."
ParameterUse.name.__doc__ = "The parameter: one of the names."
ParameterUse.pairs.__doc__ = "How many pairs of URLs differ only in its value."
ParameterUse.differing.__doc__ = "How many of these pairs have different contents."
ParameterUse.verdict.__doc__ = "One of changes, ignored and unknown: the last if there are too few pairs."


def rule_host(url: str, psl: PublicSuffixList | None) -> str | None:
    """The `host_group`, or None where a rule for this host would be for none, or for sites of others."""
    site = host_group(url, psl=psl)
    if site is None or site.endswith(".") or not url.startswith(("http:", "https:")):
        return None
    return None if "." in site and public_suffix(site, psl=psl) == site else site


def verdict_of(pairs: int, differing: int, min_pairs: int, threshold: float) -> Verdict:
    if pairs < min_pairs:
        return "unknown"
    return "changes" if differing > threshold * pairs else "ignored"
