"""Compares the public suffixes of weburl with those of publicsuffixlist."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from weburl.hosts import domain_to_ascii, public_suffix, registrable_domain

LIST = (pkgutil.get_data("publicsuffixlist", "public_suffix_list.dat") or b"").decode()
RULES = [line.split()[0] for line in LIST.splitlines() if line.strip() and not line.startswith("//")]
LABELS = ["a", "www", "city", "kobe", "xn--mnchen-3ya", "mm", "b-c", "co", "com", "1x", "x" * 63]

OTHER: dict[bool, Any] = {
    private: importlib.import_module("publicsuffixlist").PublicSuffixList(only_icann=not private)
    for private in (True, False)
}


def hosts(count: int, seed: int) -> Iterator[str]:
    """Names of the list, with more labels, with fewer, or with one changed; and other names."""
    random = Random(seed)
    names = [domain_to_ascii(rule.removeprefix("!").replace("*", "x")) for rule in RULES]
    for _ in range(count):
        labels = random.choice(names).split(".")
        kind = random.randrange(8)
        if kind == 0:
            labels = labels[1:] or labels
        elif kind == 1:
            labels[random.randrange(len(labels))] = random.choice(LABELS)
        elif kind == 2:
            labels = random.choices(LABELS, k=random.randint(1, 5))
        yield ".".join(random.choices(LABELS, k=random.randrange(4)) + labels)


# By the list's formal algorithm, which the URL Standard cites, *.kobe.jp says nothing of kobe.jp itself;
# publicsuffixlist takes such a name for a public suffix: https://github.com/publicsuffix/list/issues/1989
IMPLIED = {
    rule[2:] for rule in RULES if rule[:2] == "*." and not {rule[2:], "*." + rule[2:].partition(".")[2]} & set(RULES)
}


def by_the_algorithm(host: str, private: bool) -> tuple[str, str | None]:
    """The suffix and the registrable domain of a name that is the parent of a wildcard, but not a rule."""
    above = host.partition(".")[2]
    suffix: str = OTHER[private].publicsuffix(above or host)
    return suffix, ".".join(host.split(".")[-suffix.count(".") - 2 :]) if above else None


def differences(count: int, seed: int, excused: list[str]) -> Iterator[tuple[str, bool]]:
    for index, host in enumerate(hosts(count, seed)):
        private = index % 4 != 0
        dot = "." if index % 5 == 0 else ""
        expected = OTHER[private].publicsuffix(host), OTHER[private].privatesuffix(host)
        if expected == (host, None) and host in IMPLIED:
            expected = by_the_algorithm(host, private)
            excused.append(host)
        suffix, registrable = expected
        ours = public_suffix(host + dot, private=private), registrable_domain(host + dot, private=private)
        if ours != (suffix + dot, registrable and registrable + dot):
            yield host + dot, private


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hosts", type=int, nargs="?", default=1_000_000)
    options = parser.parse_args(arguments)
    excused: list[str] = []
    found = list(differences(options.hosts, 1, excused))
    excuses = f"{len(excused)} that only a wildcard implies"
    print(f"{options.hosts:,} hosts, {len(found)} differences, {excuses}", *found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
