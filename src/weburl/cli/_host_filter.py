"""The filter of --hosts and --not-hosts: which rows are left out because of their hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from weburl._arrow.job import Job
from weburl.cli._arguments import WHICH, LowArgs, repeated
from weburl.cli._memory import limited_memory
from weburl.cli._messages import complain
from weburl.cli._system import openable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._hosts.host_files import SkippedLine
    from weburl._hosts.host_set import HostSet


class HostArgs(LowArgs):
    hosts: list[str] = repeated("--hosts", group=WHICH, metavar="FILE",
        help="only URLs whose host is in FILE. FILE is a list with a host on each line, a "
        "file like /etc/hosts, or a blocklist of an ad blocker")  # fmt: skip
    not_hosts: list[str] = repeated("--not-hosts", group=WHICH, metavar="FILE",
        help="only URLs whose host is not in FILE")  # fmt: skip


def host_jobs(low: HostArgs, base: str | None, memory: int) -> list[tuple[Job, bool]]:
    """A job for each of the options that is given, with the answer that keeps a row.

    What is not a web page is on no list of what may be fetched, but is on a list of what to keep out.
    """
    if not low.hosts and not low.not_hosts:
        return []
    from weburl._hosts.columns import hosts_in
    from weburl._hosts.schemes import WEB_SCHEMES
    from weburl._hosts.suffixes import HostPatterns

    chosen = ((low.hosts, WEB_SCHEMES, True), (low.not_hosts, None, False))
    return [
        (Job([hosts_in(HostPatterns(read_hosts(names, memory), schemes))], base=base), answer)
        for names, schemes, answer in chosen
        if names
    ]


def read_hosts(names: Sequence[str], memory: int) -> HostSet:
    """The hosts of all these files, which share --memory; says on standard error what is skipped."""
    from weburl._hosts.host_set import HostSet

    with limited_memory(",".join(names), memory, 1):
        sets = [_read_file(name, memory) for name in names]
        return sets[0] if len(sets) == 1 else HostSet(chain.from_iterable(sets))


def _read_file(name: str, memory: int) -> HostSet:
    from weburl._hosts.host_set import HostSet
    from weburl.cli.readers.byte_stream import name_in_errors
    from weburl.cli.readers.open_files import check_file_of_text

    skipped: Counter[str] = Counter()
    first = 0

    def skip(line: SkippedLine) -> None:
        nonlocal first
        first = first or line.line
        skipped[line.reason] += 1

    check_file_of_text(name)
    with limited_memory(name, memory, 1), name_in_errors(name):
        hosts = HostSet.read(openable(name), on_skip=skip)
    if skipped:
        count = sum(skipped.values())
        ranked = sorted(skipped.items(), key=lambda item: (-item[1], item[0]))
        reasons = ", ".join(f"{reason}: {number:,}" for reason, number in ranked)
        what = f"line {first} is skipped" if count == 1 else f"{count:,} lines are skipped, the first is {first}"
        complain(f"{name}: {what} ({reasons})")
    return hosts
