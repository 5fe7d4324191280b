"""What a server sees of a request, if it splits a URL before it decodes the parts; and pairs of URLs to compare."""

from __future__ import annotations

from collections import Counter
from random import Random
from urllib.parse import unquote_to_bytes

from weburl import URL
from weburl.crawl import CrawlPolicy, canonicalize

# Bytes of a part, between the pluses that stand in it: some servers read those as spaces.
Decoded = tuple[bytes, ...]


def decode(part: str) -> Decoded:
    return tuple(map(unquote_to_bytes, part.split("+")))


def seen_by_server(href: str) -> tuple[object, ...]:
    """The path as segments, each with its parameters after semicolons; the query as pairs, in no order."""
    url = URL(href)
    path = tuple(tuple(map(decode, segment.split(";"))) for segment in url.pathname.split("/"))
    pairs: Counter[tuple[Decoded, Decoded | None]] = Counter()
    for piece in (url.query or "").split("&"):
        name, equals, value = piece.partition("=")
        if piece:
            pairs[decode(name), decode(value) if equals else None] += 1
    credentials = unquote_to_bytes(url.username), unquote_to_bytes(url.password)
    return url.protocol, credentials, url.host, path, frozenset(pairs.items())


TEXTS = [" ", "%", "%2", "%25", "%zz", "é", "\U0001f600", "\ud800", "index", "utm", ".", "..", "a", "1", "4"]


def part(random: Random, separators: str) -> list[str]:
    """Raw characters, escapes and separators."""
    return [
        random.choice(
            (
                chr(random.randrange(0x20, 0x7F)),
                f"%{random.randrange(256):02{random.choice('xX')}}",
                random.choice(TEXTS),
                random.choice(separators),
                random.choice(separators),
            )
        )
        for _ in range(random.randrange(5))
    ]


def respelled(random: Random, units: list[str]) -> list[str]:
    """The units, one or more of them in another spelling: escaped, raw, in another case, or in another place."""
    result = list(units)
    for _ in range(random.randrange(3)):
        if not result:
            break
        i = random.randrange(len(result))
        unit = result[i]
        if len(unit) == 3 and unit[0] == "%" and unit != "%zz":
            byte = int(unit[1:], 16)
            result[i] = random.choice((unit.upper(), unit.lower(), chr(byte) if 0x20 <= byte < 0x7F else unit))
        elif len(unit) == 1 and unit.isascii():
            result[i] = random.choice((f"%{ord(unit):02X}", f"%{ord(unit):02x}", "%" + f"%{ord(unit):02x}"))
        elif random.random() < 0.5:
            j = random.randrange(len(result))
            result[i], result[j] = result[j], result[i]
    return result


def pair(random: Random) -> tuple[str, str]:
    """Two URLs that often, but not always, ask for the same."""
    path, query = part(random, "/;+=&"), part(random, "&&==+;/")
    user = part(random, "+!")[:2] if random.random() < 0.1 else []
    other_path, other_query, other_user = (
        respelled(random, units) if random.random() < 0.6 else units for units in (path, query, user)
    )
    shuffled = random if random.random() < 0.2 else None
    return written(path, query, user), written(other_path, other_query, other_user, shuffled)


def written(path: list[str], query: list[str], user: list[str], shuffled: Random | None = None) -> str:
    text = "".join(query)
    if shuffled:
        pieces = text.split("&")
        shuffled.shuffle(pieces)
        text = "&".join(pieces)
    before = without("".join(user), "/?#\\")
    return f"http://{before}{'@' * bool(before)}h/{without(''.join(path), '?#')}?{without(text, '#')}"


def without(text: str, characters: str) -> str:
    return text.translate(dict.fromkeys(map(ord, characters)))


def disagreements(seed: int, count: int) -> tuple[list[tuple[str, str]], Counter[bool]]:
    """Pairs whose keys, by the escaping rules alone, say something else than the server; how many ask for the same."""
    policy = CrawlPolicy(tracking_parameters=(), index_names=(), remove_session_ids=False)
    random = Random(seed)
    wrong = []
    counts: Counter[bool] = Counter()
    while counts.total() < count:
        one, other = pair(random)
        if one == other or not (URL.can_parse(one) and URL.can_parse(other)):
            continue
        key = canonicalize(one, policy)
        same = seen_by_server(one) == seen_by_server(other)
        counts[same] += 1
        if same != (key == canonicalize(other, policy)) or canonicalize(key, policy) != key or URL(key).href != key:
            wrong.append((one, other))
    return wrong, counts
