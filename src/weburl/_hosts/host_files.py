"""Files of hosts: an entry on each line, hosts(5), and rules of Adblock for whole domains."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, ip_address
from itertools import takewhile
from os import PathLike, fsdecode
from typing import Final, NamedTuple

from weburl.errors import InvalidURL

# Most lines.
PLAIN: Final = re.compile(r"[\w.*=-]+", re.ASCII)
# https://help.adblockplus.org/hc/en-us/articles/360062733293; names that are not hosts fail later.
DOMAIN_RULE: Final = re.compile(r"\|\|([^\s=/|^$~,:@#]+)\^")
HEADER: Final = re.compile(r"\[[^:\]]*\]")
# What other lines are; the first that fits.
OTHER_RULES: Final = [
    (re.compile(r"!#(?:if|else|endif|include|safari_cb_affinity)\b"), "a directive"),
    (re.compile(r"@@"), "an exception"),
    (re.compile(r".*#[@?$%]*#"), "a rule for parts of pages"),
    (re.compile(r"(?:\|\|.*\^|/.*/)\$"), "a rule with options"),
    (re.compile(r"\||/"), "a rule that is not for a whole domain"),
]
SEVERAL: Final = "several hosts"
NOT_ENTRY: Final = "not an entry"

# The names that hosts files give to the machine itself and to groups of machines.
OWN_NAMES: Final = frozenset(
    "localhost localhost.localdomain localhost4 localhost4.localdomain4 localhost6 localhost6.localdomain6 local "
    "broadcasthost ip6-localhost ip6-loopback ip6-localnet ip6-mcastprefix ip6-allnodes ip6-allrouters ip6-allhosts "
    "0.0.0.0".split()
)


class SkippedLine(NamedTuple):
    """A line of a file that `HostSet.read` skips: its number as `line`, its `text`, and the `reason`.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "blocklist.txt")
    ...     _ = file.write_text("ads.example\\n||track.example^$third-party\\n")
    ...     _ = HostSet.read(file, on_skip=print)
    SkippedLine(line=2, text='||track.example^$third-party', reason='a rule with options')

    If the text is not a host, the reason is the standard's name for the error.
    """

    line: int
    text: str
    reason: str


SkippedLine.__module__ = "weburl.hosts"
SkippedLine.line.__doc__ = "The number of the line, from 1."
SkippedLine.text.__doc__ = "The line, without the spaces around it."
SkippedLine.reason.__doc__ = "Why the line is skipped: a few words, or the standard's name for an error of a host."


def read_file(
    path: str | PathLike[str], add: Callable[[str], object], on_skip: Callable[[SkippedLine], object] | None
) -> None:
    """Adds the entries in a file; `add` raises ValueError for what is not one."""
    is_plain = PLAIN.fullmatch
    with open(path, encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            entries = (text,) if is_plain(text) else entries_of(text)
            if isinstance(entries, str):
                if on_skip is None:
                    raise ValueError(
                        f"{fsdecode(path)}:{number}: {entries}, not a host, an address and names, or ||domain^"
                    )
                on_skip(SkippedLine(number, text, entries))
                continue
            for entry in entries:
                try:
                    add(entry)
                except ValueError as error:
                    if on_skip is None:
                        raise ValueError(f"{fsdecode(path)}:{number}: {error}") from None
                    on_skip(SkippedLine(number, text, error.error if isinstance(error, InvalidURL) else NOT_ENTRY))


def entries_of(text: str) -> Sequence[str]:
    """The entries of a line, or as a str why it has none."""
    words = text.split()
    if "#" in text:
        words = list(takewhile(is_no_comment, words))
    if not words or (words[0][0] == "[" and HEADER.fullmatch(text)):
        return ()
    first = words[0]
    if first[0] in "!@|/" or "#" in first:
        rule = DOMAIN_RULE.fullmatch(first)
        if rule and len(words) == 1:
            return (rule[1],)
        for pattern, reason in OTHER_RULES:
            if pattern.match(first):
                return reason
        if first[0] == "!":
            return ()
    if len(words) == 1:
        return ((":" in first and address_of(first)) or first,)
    if address_of(first) is None:
        return SEVERAL
    return [f"={name}" for name in words[1:] if name.lower() not in OWN_NAMES]


def is_no_comment(word: str) -> bool:
    return word[0] != "#"


@lru_cache(16)
def address_of(text: str) -> str | None:
    """An address without brackets as a host; None if it is not one."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return text if isinstance(address, IPv4Address) else f"[{text}]"
