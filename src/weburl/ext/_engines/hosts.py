"""Sets of hosts, as engines take them and as text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from weburl._diagnosis.messages import shown_argument
from weburl.hosts import HostSet

if TYPE_CHECKING:
    from weburl.bulk import Hosts


def host_set(hosts: Hosts) -> HostSet:
    """The set that a caller gives, or what makes one."""
    return hosts if isinstance(hosts, HostSet) else HostSet(hosts)


def host_sets(hosts: Mapping[str, Hosts] | None) -> dict[str, HostSet]:
    """The sets that a caller gives names to."""
    named = {} if hosts is None else hosts
    if not isinstance(named, Mapping) or not all(isinstance(name, str) for name in named):
        raise TypeError(f"hosts must be sets by their names, each a str, not {shown_argument(hosts)}")
    return {name: host_set(each) for name, each in named.items()}


def hosts_text(hosts: Hosts) -> str:
    """The entries, as a text that `hosts_of` reads."""
    return " ".join(host_set(hosts))


# A query has the same text for each batch of rows.
@lru_cache(8)
def hosts_of(text: str) -> HostSet:
    """The set of entries with white space between them. No entry has any."""
    return HostSet(text.split())
