"""Compares the keys of `crawl` with what a server sees, and with the keys of other libraries.

Of generated pairs of URLs, those have one key that ask a server for the same, if it splits before it decodes. Then each
library takes the URLs of its own tests and real links. Where it finds two URLs alike and weburl does not, or the other
way round, a reason has to explain it: docs/crawl-keys.md says who is right. The libraries are installed into an
environment in build/keys. Their tests are cloned there, too, or are in folders of their names below --tests.

On a generated site whose duplicates are known, it counts pages that share a key, and pages with more than one. The
SURTs of `SurtPolicy(archive_exact=True)` are compared with those of surt: of serialized URLs, and of texts. A reason
has to explain each difference.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import unicodedata
import venv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from itertools import count as count_up
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from publicsuffixlist import PublicSuffixList
from support.key_pairs import disagreements
from support.key_site import OTHER_FORMS, page, together_and_apart, visit
from support.surt_texts import text, why

from weburl import URL
from weburl.bulk import canonicalize_many
from weburl.crawl import CrawlPolicy, SurtPolicy, canonicalize
from weburl.hosts import registrable_domain

BUILD = Path(__file__).resolve().parents[2] / "build" / "keys"


class Peer(NamedTuple):
    requirement: str
    repository: str
    program: str  # defines `key`
    policy: str = "crawl"  # or "surt", or "site": then its keys are registrable domains


PEERS = {
    "courlan": Peer("courlan==1.4.0", "adbar/courlan", "from courlan import clean_url as key"),
    "crup": Peer(
        "crup==0.2.0",
        "inueni/crup",
        "import crup\ndef key(url): return crup.parse(url, psl=crup.psl.ALL).domain",
        "site",
    ),
    "samepage": Peer("samepage==0.1.1", "marksher/samepage", "from samepage import normalize_url as key"),
    "surt": Peer("surt==0.3.1", "internetarchive/surt", "from surt import surt as key", "surt"),
    "tldextract": Peer(
        "tldextract==5.4.0",
        "john-kurkowski/tldextract",
        "import tldextract\n"
        "extract = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True, cache_dir=None)\n"
        "def key(url): return extract(url).top_domain_under_public_suffix or None",
        "site",
    ),
    "ural": Peer("ural==1.6.2", "medialab/ural", "from ural import normalize_url as key"),
    "url-normalize": Peer(
        "url-normalize==3.1.0", "niksite/url-normalize", "from url_normalize import url_normalize as key"
    ),
    "urlcanon": Peer(
        "urlcanon==0.3.1",
        "iipc/urlcanon",
        "import urlcanon\ndef key(url): return str(urlcanon.semantic(urlcanon.parse_url(url)))",
    ),
    "w3lib": Peer("w3lib==2.5.0", "scrapy/w3lib", "from w3lib.url import canonicalize_url as key"),
}
# Reads a list of URLs, and writes their keys; null where the library refuses one.
READER = """
import json, sys
def keys(key):
    for url in json.load(sys.stdin):
        try:
            found = key(url)
        except Exception:
            found = None
        print(json.dumps(found.decode() if isinstance(found, bytes) else found))
keys(key)
"""


# What a library does to a key of weburl's, so that two become one.


def pairs_of(key: str, change: Callable[[list[str]], Iterable[str]]) -> str:
    head, mark, query = key.partition("?")
    return head + mark + "&".join(change(query.split("&")))


def path_of(key: str, change: Callable[[str], str]) -> str:
    before, path, after = re.match(r"(\w+://[^/?]*)([^?]*)(.*)", key, re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{before}{change(path)}{after}"


def composed(key: str) -> str:
    text = unquote_to_bytes(key).decode("utf-8", "replace")
    return quote_from_bytes(unicodedata.normalize("NFC", text).encode(), "/?&=;:")


def decoded(key: str) -> str:
    """Until nothing changes."""
    octets = key.encode()
    while (shorter := unquote_to_bytes(octets)) != octets:
        octets = shorter
    return octets.decode("latin-1")


LOOSER: dict[str, Callable[[str], str]] = {
    "http and https": lambda key: re.sub("^http:", "https:", key),
    "www": lambda key: re.sub(r"//(?:www\d*|m|mobile)\.", "//", key),
    "credentials": lambda key: re.sub("//[^/]*@", "//", key),
    "dot at the end of a host": lambda key: re.sub(r"^(\w+://[^/]*?)\.+(?=[:/])", r"\1", key),
    "escapes that separate": lambda key: unquote_to_bytes(key).decode("latin-1"),
    "escapes of escapes": decoded,
    "slash at the end": lambda key: path_of(key, lambda path: path.rstrip("/")),
    "empty segments": lambda key: path_of(key, lambda path: re.sub("/+", "/", path)),
    "index names": lambda key: path_of(key, lambda path: re.sub(r"/(?:index|default|home)(?:\.\w+)?/?$", "/", path)),
    "values that are empty": lambda key: pairs_of(key, lambda pairs: (pair.removesuffix("=") for pair in pairs)),
    "plus as a space": lambda key: pairs_of(key, lambda pairs: (pair.replace("+", "%20") for pair in pairs)),
    "control characters": lambda key: re.sub(r"%(?:[01].|7F)", "", key),
    "Unicode normalization": composed,
    "other pairs": lambda key: key.partition("?")[0],
    "a cut at a delimiter": lambda key: re.sub(r"(?://)?(?:%22|%3C|%3E|%7B|[\"<>{&]).*", "", key),
}
# These look at the texts: an address in another, a text that a browser reads with another host.
INSIDE = re.compile(r".+(?:https?:|%3A%2F%2F|=[\w.]*%2F|\.ampproject\.org/|[./?&=]amp\b|/l\.php|/url\?)", re.IGNORECASE)
ODD_HOST = re.compile(r"""^\s*\w+:[/\\]*[^/\\?#]*["_`{}*|'&,;<>()!$=~ ]|^\s*\w+:(?!//[^/])|^\s*\w+://[^/]*__https""")

# The policy without a rule, so that what weburl takes for one page is two.
TIGHTER: dict[str, dict[str, Any]] = {
    "tracking parameters": {"tracking_parameters": ()},
    "index names": {"index_names": ()},
    "session identifiers": {"remove_session_ids": False},
    "the order of pairs": {"sort_query": False},
    "fragments": {"fragment": "keep"},
}


def key_without(rules: Iterable[str], url: str) -> str:
    return canonicalize(url, CrawlPolicy(**{name: value for rule in rules for name, value in TIGHTER[rule].items()}))


def given(text: str) -> str:
    """Without what a browser strips."""
    return text.strip("".join(map(chr, range(0x21))))


def why_they_merge(one: str, other: str) -> str:
    keys = canonicalize(one), canonicalize(other)
    for count in (1, 2, 3):
        for names in combinations(LOOSER, count):
            changed = keys
            for name in names:
                changed = LOOSER[name](changed[0]), LOOSER[name](changed[1])
            if changed[0] == changed[1]:
                return " and ".join(names)
    for name, texts in (("an address in another", INSIDE), ("a host read differently", ODD_HOST)):
        if texts.search(given(one)) or texts.search(given(other)):
            return name
    return "?"


def why_we_merge(one: str, other: str) -> str:
    for count in range(1, len(TIGHTER) + 1):
        for names in combinations(TIGHTER, count):
            if key_without(names, one) != key_without(names, other):
                return " and ".join(names)
    if URL(one).href != URL(other).href:
        return "escapes"
    return "the URL Standard's parser"


# The same for SURTs, of which the text is compared.
def why_surts_differ(url: str, theirs: str | None) -> str:
    ours = canonicalize(url, "surt")
    if "\\" in url:
        return "backslashes"
    if "//(" in url:
        return "a SURT with a scheme, read as a URL"
    host = URL(url).hostname
    if re.match(r"\w+://\w+:(?:/|$)|\w+://https?://", url):
        return "a host that is a scheme"
    if host.endswith(".."):
        return "dots at the end of a host"
    if theirs is None:
        return "refused"
    if re.search(r"\((?:[a-z]\([0-9a-z]{24}\))+\)/|;jsessionid=", url, re.IGNORECASE):
        return "session identifiers in paths"
    for name, change in SURT_CHANGES.items():
        if change(theirs) == change(ours):
            return name
    return "?"


# The same for the registrable domain. Without a base, that is of the host as the standard has it.
def site_of(url: str) -> str | None:
    host = URL(url).hostname
    return registrable_domain(host) if host else None


def why_sites_differ(url: str, theirs: str | None, of_href: str | None) -> str:
    """`of_href` is theirs for the serialization of the URL."""
    host, ours = URL(url).hostname, site_of(url)
    if of_href == ours:
        return "a host that is read as it is written"
    if host.startswith(".") or host.endswith("."):
        return "empty labels"
    if theirs is None and LISTED.publicsuffix(host) is None:
        return "a suffix that is not in the list"
    if theirs is None and "xn--" in host:
        return "refused, for a label with xn--"
    return "?"


LISTED = PublicSuffixList(accept_unknown=False)

SURT_CHANGES: dict[str, Callable[[str], str]] = {
    "escapes": lambda text: unquote_to_bytes(text).decode("latin-1").lower(),
    "empty segments and dots": lambda text: re.sub("/+", "/", text.replace("/.", "/")),
    "escapes of escapes": lambda text: unquote_to_bytes(unquote_to_bytes(text)).decode("latin-1"),
    "an empty query": lambda text: text.rstrip("?/&"),
    "the host": lambda text: text.partition(")")[2],
    "what follows a number sign": lambda text: text.partition("#")[0].partition("%23")[0],
}


class Difference(NamedTuple):
    peer: str
    corpus: str
    who: str
    why: str
    urls: tuple[str, ...]


def partition(urls: Sequence[str], keys: Sequence[object], others: Sequence[object]) -> Iterator[tuple[str, str]]:
    """URLs of the same key, but for which the others differ: each beside the first of its key."""
    seen: defaultdict[object, dict[object, str]] = defaultdict(dict)
    for url, key, other in zip(urls, keys, others, strict=True):
        if key is None or other is None:
            continue
        known = seen[key]
        if known and other not in known:
            yield next(iter(known.values())), url
        known.setdefault(other, url)


def differences(
    name: str, corpus: str, urls: list[str], theirs: list[str | None], of_hrefs: list[str | None]
) -> Iterator[Difference]:
    if PEERS[name].policy == "surt":
        for url, key in zip(urls, theirs, strict=True):
            if key != canonicalize(url, "surt"):
                yield Difference(name, corpus, "another SURT", why_surts_differ(url, key), (url,))
        return
    if PEERS[name].policy == "site":
        for url, key, of_href in zip(urls, theirs, of_hrefs, strict=True):
            if key != site_of(url):
                yield Difference(name, corpus, "another site", why_sites_differ(url, key, of_href), (url,))
        return
    ours = list(map(canonicalize, urls))
    for one, other in partition(urls, theirs, ours):
        yield Difference(name, corpus, "one there, two here", why_they_merge(one, other), (one, other))
    for one, other in partition(urls, ours, theirs):
        yield Difference(name, corpus, "two there, one here", why_we_merge(one, other), (one, other))


# URLs.


def is_taken(text: str) -> bool:
    url = URL.parse(text)
    return url is not None and url.scheme in ("http", "https") and "\n" not in text


def texts_of(path: Path) -> Iterator[str]:
    if path.suffix == ".json":
        yield from strings(json.loads(path.read_bytes()))
    else:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                yield node.value if isinstance(node.value, str) else node.value.decode("utf-8", "replace")


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from strings(each)


def urls_of_tests(folder: Path) -> list[str]:
    files = [
        path
        for path in folder.rglob("*")
        if path.suffix in (".py", ".json") and "test" in str(path.relative_to(folder))
    ]
    return sorted({text for path in files for text in texts_of(path) if is_taken(text)})


def links() -> list[str]:
    path = Path(os.environ.get("WEBURL_DATA", ""), "urls", "web_links_48k.txt")
    return list(filter(is_taken, path.read_text("utf-8").splitlines())) if path.is_file() else []


# The libraries.


def install(peer: Peer, name: str, tests: Path | None) -> tuple[Path, Path]:
    """Its interpreter, and where its tests are."""
    home = BUILD / name
    python = home / "bin" / "python"
    if not (home / peer.requirement).exists():
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", peer.requirement], check=True)
        (home / peer.requirement).touch()
    if tests is not None:
        return python, tests / name
    source = home / "source"
    if not source.exists():
        url = f"https://github.com/{peer.repository}"
        subprocess.run(["git", "clone", "-q", "--depth", "1", url, source], check=True)
    return python, source


def keys_of(python: Path, peer: Peer, urls: list[str]) -> list[str | None]:
    program = [str(python), "-I", "-W", "ignore", "-c", peer.program + READER]
    done = subprocess.run(program, input=json.dumps(urls), capture_output=True, text=True, check=True)
    keys = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(keys) == len(urls)
    return keys


def compare(name: str, tests: Path | None) -> list[Difference]:
    peer = PEERS[name]
    python, source = install(peer, name, tests)
    found: list[Difference] = []
    for corpus, urls in (("own tests", urls_of_tests(source)), ("links", links())):
        keys = keys_of(python, peer, urls)
        print(f"{peer.requirement}, {corpus}: {len(urls)} URLs, {keys.count(None)} refused", flush=True)
        of_hrefs = keys_of(python, peer, [URL(url).href for url in urls]) if peer.policy == "site" else []
        found += differences(name, corpus, urls, keys, of_hrefs)
    return found


# A site whose duplicates are known.


def site(seed: int, count: int) -> int:
    """How many pages share a key, or have more than one, that should not."""
    random = Random(seed)
    visits = [(of, visit(random, of)) for of in (page(random) for _ in range(count // 10)) for _ in range(10)]
    pages, together, apart = together_and_apart((of, canonicalize(url)) for of, url in visits)
    print(
        f"a generated site: {len(visits)} URLs of {pages} pages: {together} share a key, {apart} have several",
        flush=True,
    )
    plain = [(of, url.partition("#")[0]) for of, url in visits if not of[0].startswith("www.")]
    for knob, form in OTHER_FORMS.items():
        both = [*plain, *[(of, form(url)) for of, url in plain]]
        policy = CrawlPolicy(**{knob: True})  # type: ignore[arg-type]
        without = together_and_apart((of, canonicalize(url)) for of, url in both)
        with_it = together_and_apart((of, canonicalize(url, policy)) for of, url in both)
        print(
            f"{knob}: without it {without[2]} pages have several keys; with it {with_it[2]}, and {with_it[1]} share one"
        )
        together += without[1] + with_it[1]
        apart += with_it[2]
    return together + apart


def real_links() -> None:
    """What falls together of the real links, by the rules that do it."""
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for url in links():
        groups[canonicalize(url)].add(canonicalize(url, "whatwg-no-fragment"))
    several = [sorted(group) for group in groups.values() if len(group) > 1]
    whys = Counter(why_we_merge(group[0], other) for group in several for other in group[1:])
    print(f"real links: {len(groups)} keys; {len(several)} of them for more than one URL")
    for reason, found in whys.most_common():
        print("real links", reason, found, sep=" | ")


# SURTs as the archives have them.


def exact_surts(seed: int, count: int) -> int:
    """How many SURTs differ without a reason."""
    python, _ = install(PEERS["surt"], "surt", Path())
    random = Random(seed)
    made = (text(random) for _ in count_up())
    urls = list(islice(filter(URL.can_parse, chain(links(), made)), count))
    hrefs = [URL(url).href for url in urls]
    ours = canonicalize_many(urls, SurtPolicy(archive_exact=True)).to_pylist()
    of_hrefs, of_texts = (keys_of(python, PEERS["surt"], each) for each in (hrefs, urls))
    reasons: Counter[str] = Counter()
    shortest: dict[str, tuple[str, str | None, str]] = {}
    for url, href, mine, of_href, of_text in zip(urls, hrefs, ours, of_hrefs, of_texts, strict=True):
        for kind, given, theirs in (("serialized", href, of_href), ("as written", url, of_text)):
            if theirs != mine:
                reason = f"{kind} | {why(given, theirs, mine)}"
                reasons[reason] += 1
                row = url, theirs, mine
                shortest[reason] = min(shortest.get(reason, row), row, key=lambda each: len(each[0]))
    same = sum(mine == theirs for mine, theirs in zip(ours, of_hrefs, strict=True))
    print(f"exact SURTs: {len(urls)} URLs, {same} the same when serialized")
    for reason, found in reasons.most_common():
        print("exact SURTs", reason, found, *map(ascii, shortest[reason]), sep=" | ")
    return sum(found for reason, found in reasons.items() if "?" in reason)


def show(found: list[Difference]) -> None:
    counts = Counter(each[:4] for each in found)
    shortest = {each[:4]: each.urls for each in sorted(found, key=lambda each: -len("".join(each.urls)))}
    for key in sorted(counts):
        print(*key, counts[key], *map(ascii, shortest[key]), sep=" | ")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100_000, help="of generated pairs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=Path, help="a folder with the libraries' tests")
    parser.add_argument("--no-peers", action="store_true", help="compare with a server only")
    options = parser.parse_args(arguments)
    wrong, counts = disagreements(options.seed, options.count)
    print(f"{options.count} pairs, {counts[True]} of them alike to a server: {len(wrong)} keys say something else")
    for one, other in wrong[:10]:
        print(ascii(one), ascii(other))
    lost = site(options.seed, options.count)
    real_links()
    lost += 0 if options.no_peers else exact_surts(options.seed, options.count)
    found = [] if options.no_peers else [each for name in PEERS for each in compare(name, options.tests)]
    show(found)
    unexplained = [each for each in found if "?" in each.why]
    if found:
        print(f"{len(found)} differences, {len(unexplained)} without a reason")
    for each in unexplained[:20]:
        print(each)
    return bool(wrong or unexplained or lost)


if __name__ == "__main__":
    sys.exit(main())
