"""Which entries are for a host, by a plain loop: what HostSet is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from weburl.hosts import Host, parse_host


class Entry(NamedTuple):
    text: str
    kind: str  # "", "*." or "="
    host_type: str
    name: str


def parse_entry(text: str) -> Entry:
    """An entry that is known to be right."""
    kind = next((kind for kind in ("*.", "=") if text.startswith(kind)), "")
    host = parse_host(text[len(kind) :])
    name = str(host)
    if host.host_type == "domain":
        return Entry(text, kind, host.host_type, name.removesuffix("."))
    return Entry(text, "", host.host_type, name)


def is_for(entry: Entry, host: Host) -> bool:
    if entry.host_type != host.host_type:
        return False
    name = str(host)
    if host.host_type != "domain":
        return name == entry.name
    labels, above = name.removesuffix(".").split("."), entry.name.split(".")
    depth = len(labels) - len(above)
    if depth < 0 or labels[depth:] != above:
        return False
    return depth == 0 if entry.kind == "=" else depth > 0 if entry.kind == "*." else True


def best(entries: Iterable[Entry], host: Host) -> str | None:
    """The text of the entry with the longest name; of several, of one with a kind; of several, of the first."""
    found = [entry for entry in entries if is_for(entry, host)]
    # max() takes the first of several.
    return max(found, key=lambda entry: (len(entry.name), entry.kind != "")).text if found else None


LABELS = ["a", "b", "c", "com", "co", "example", "xn--9ca", "é", "=x", "1a", "A", "ex%61mple", "_", "-", "aa"]
ADDRESSES = ["1.2.3.4", "0x1.2.772", "127.1", "[::1]", "[0:0::1]", "[::ffff:1.2.3.4]", "256", "0.0.1.0"]


DEPTHS = (1, 2, 2, 3, 3, 4, 5, 12)


def hosts(random: Random, depths: Sequence[int] = DEPTHS) -> Iterator[str]:
    """Hosts without end, many of them below others."""
    while True:
        if random.random() < 0.1:
            yield random.choice(ADDRESSES)
            continue
        depth = random.choice(depths)
        yield ".".join(random.choices(LABELS, k=depth)) + "." * (random.random() < 0.1)


def entries(random: Random, depths: Sequence[int] = DEPTHS) -> Iterator[str]:
    for host in hosts(random, depths):
        kind = random.choice(("", "", "*.", "="))
        if host in ADDRESSES and kind == "*.":
            kind = ""
        # A host that begins with = is not that entry.
        yield kind + (host if kind else host.replace("=", "%3D"))
