"""--key: by what rows are compared."""

from __future__ import annotations

from typing import Final

from weburl._arrow.cutting import Piece
from weburl._arrow.job import Job
from weburl._crawl.columns import canonical_forms
from weburl._verbs.table import columns_of
from weburl.cli._conversion import Cancelled
from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted
from weburl.cli._policies import crawl_policy
from weburl.cli.keys.key_set import digests_of
from weburl.cli.readers.row_blocks import RowBlock

# The fields that are the key: the second where the first has no text.
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "hostname": ("hostname",), "registrable_domain": ("registrable_domain", "hostname"),
}  # fmt: skip


class Keys:
    """Keys(key, base, skips_empty): the keys of rows, of 16 bytes each. Hosts and domains are those after --base."""

    job: Job

    def __init__(self, key: str, base: str | None, skips_empty: bool) -> None:
        self.skips_empty = skips_empty
        if key in FIELDS:
            self.job = Job(columns_of(FIELDS[key]), is_struct=True, base=base)
            return
        try:
            policy = crawl_policy("--key", key)
        except UsageError:
            if "(" in key:
                raise
            raise UsageError(f"--key takes hostname, registrable_domain or a policy, not {quoted(key)}") from None
        self.job = Job(canonical_forms(policy, 128)[1:], is_struct=True, base=base)

    def __call__(self, block: RowBlock, piece: Piece) -> tuple[bytes, bytes]:
        """The keys of a piece, and a byte for each row: 1 where it has one."""
        if self.skips_empty:
            piece, _ = block.without_empty(piece)
        batch = self.job.run(piece.rows, piece.begin, piece.end)
        if batch is None:
            raise Cancelled
        return digests_of(batch)
