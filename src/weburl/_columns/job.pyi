from weburl._arrow.batch import Batch
from weburl._arrow.input import Input
from weburl._columns.matches import Matching
from weburl._crawl.policy import Policy
from weburl._hosts.matching import HostPatterns
from weburl._hosts.suffixes import PublicSuffixList
from weburl._redact.redact import LogPolicy

DECODE_ERRORS: dict[str, int]

class Job:
    cancelled: bool
    def __init__(
        self,
        fields: tuple[str, ...],
        *,
        is_struct: bool = False,
        views: bool = False,
        base: str | None = None,
        keys: tuple[str, ...] | None = None,
        decode_errors: str | None = None,
        encoding: str = "utf-8",
        policy: str | Policy | None = None,
        bits: int = 64,
        redaction: str | LogPolicy | None = None,
        rules: str | None = None,
        psl: PublicSuffixList | None = None,
        hosts: HostPatterns | None = None,
        matching: Matching | None = None,
    ) -> None: ...
    def run(
        self, rows: Input, begin: int, end: int, bases: Input | None = None, bases_begin: int = 0
    ) -> Batch | None: ...
    def row_text(self, rows: Input, begin: int, end: int, row: int) -> str | None: ...

class Runner:
    def __init__(self, job: Job, most_rows: int) -> None: ...
