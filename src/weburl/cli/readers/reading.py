"""How inputs are read, as the options of a command say: decided before anything is read."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from weburl._named_tuple import NamedTuple
from weburl.cli._memory import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from weburl._redact.redact import LogPolicy
    from weburl.cli.readers.records.log_format import LogFormat

STDIN = "-"
# Stands for the name of the column with all members of an object: no name has a lone surrogate.
ALL_MEMBERS = "\udfff"


# The columns of a filter.
STATUS = "status"
TIME = "time"


class Moment(NamedTuple):
    """What --since and --until take, in microseconds from 1970 on: an instant, or what clocks show in each zone."""

    microseconds: int
    kind: Literal["instant", "clock"]
    ago: str = ""  # how it was written, if it counts back from now


class RowFilter(NamedTuple):
    """Which records are read, by their columns. What is not asked for is () or None."""

    statuses: tuple[tuple[int, int], ...]  # the first and the last one of ranges
    since: Moment | None
    until: Moment | None

    @property
    def columns(self) -> tuple[str, ...]:
        has_times = self.since is not None or self.until is not None
        return (STATUS,) * bool(self.statuses) + (TIME,) * has_times


class Reading(NamedTuple):
    """Which files are read, and how."""

    files: Sequence[str] = ()
    column: str | None = None
    field: str | None = None
    format: str | None = None  # a name in FORMATS, whatever the names of the files
    log: LogFormat | None = None
    limit: int = sys.maxsize  # the most bytes of a line
    memory: int = MEMORY
    threads: int = 1
    base: str | None = None  # of the requests of logs
    takes_urls: bool = False  # the command takes URLs as arguments, too
    filter: RowFilter | None = None  # of --status, --since and --until


class Keep(NamedTuple):
    """Which columns of an input are kept: those with these names, or all. What the writer takes says in which form."""

    names: tuple[str, ...] | None = ()  # None is all
    as_json: bool = False
    as_arrow: bool = False
    left_out: frozenset[str] = frozenset()  # names that new columns have
    is_exact: bool = False  # the file has no others
    redacts: LogPolicy | None = None  # of all, not the column with the URLs; and referrers without the secrets of this
    or_lines: bool = False  # lines have no columns, but are read
    option: str = "--keep"
    more: tuple[str, ...] = ()  # with all: names that are also columns of their own, where objects are kept whole


class SeenFields:
    """The fields of records that are asked for, and those that have a value in some record. Threads add to it."""

    def __init__(self) -> None:
        self.wanted: tuple[str, ...] = ()
        self.seen: set[str] = set()
        self.has_records = False
        # Columns of a filter, and whether some record has a value there that can be read.
        self.filtered: dict[str, bool] = {}
        # Whether a filter has left some record.
        self.has_left = False

    @property
    def missing(self) -> list[str]:
        """The fields that have no value in any record."""
        return [name for name in self.wanted if name not in self.seen] if self.has_records else []

    @property
    def unread(self) -> list[str]:
        """The columns of a filter that have no value in any record that can be read."""
        missing = self.missing
        unread = [name for name, is_read in self.filtered.items() if not is_read and name not in missing]
        return unread if self.has_records else []
