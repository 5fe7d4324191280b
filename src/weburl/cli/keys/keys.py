"""--key: by what rows are compared."""

from __future__ import annotations

from argparse import Namespace, _ArgumentGroup
from typing import Final

from weburl._arrow.job import Job
from weburl._arrow.pieces import Piece
from weburl._crawl.columns import canonical_forms
from weburl._verbs.table import columns_of
from weburl.cli._conversion import Cancelled
from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted
from weburl.cli.keys.key_set import digests_of

# The fields that are the key: the second where the first has no text.
FIELDS: Final = {"host": ("hostname",), "site": ("site", "hostname")}
DEFAULT: Final = "crawl"


def add_key_option(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--key", metavar="KEY", default=DEFAULT,
        help="what is compared: host, site, or the canonical form by a policy, as crawl (the default) or whatwg",
    )  # fmt: skip


class Keys:
    """Keys(options): the keys of rows, of 16 bytes each. Hosts and sites are those of the rows, after --base."""

    def __init__(self, options: Namespace) -> None:
        if options.iterations:
            raise UsageError("--iterate does not go with keys")
        key: str = options.key
        if key in FIELDS:
            self.job = Job(columns_of(FIELDS[key]), is_struct=True, base=options.base)
            return
        try:
            self.job = Job(canonical_forms(key, 128)[1:], is_struct=True, base=options.base)
        except ValueError:
            raise UsageError(f"--key takes host, site or the name of a policy, not {quoted(key)}") from None

    def __call__(self, piece: Piece) -> tuple[bytes, bytes]:
        """The keys of a piece, and a byte for each row: 1 where it has one."""
        batch = self.job.run(piece.rows, piece.begin, piece.end)
        if batch is None:
            raise Cancelled
        return digests_of(batch)
