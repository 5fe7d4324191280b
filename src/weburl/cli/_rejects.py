"""--invalid file=PATH: the rows that fail, with their lines and the reasons, in JSON Lines."""

from __future__ import annotations

import json

from weburl.cli.readers.row_blocks import Fault, Row
from weburl.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from weburl._redact.redact import LogPolicy


class Rejects:
    """Rejects(out, redacts): writes rows that fail."""

    def __init__(self, out: IO[bytes], redacts: LogPolicy | None) -> None:
        self.out = out
        self.redacts = redacts

    def write(self, file: str, line: int, row: Row, error: str, message: str) -> None:
        place = {"line": line, "column": row.column} if isinstance(row, Fault) and row.column else {"line": line}
        record = {"file": file, **place, "error": error, "message": message}
        if isinstance(row, Fault):
            record["record"] = self._text(row.record)
        else:
            record["input"] = self._text(row if isinstance(row, str) else None)
        self.out.write(json.dumps(record).encode() + b"\n")

    def _text(self, text: str | None) -> str | None:
        return text if text is None or self.redacts is None else redact(text, self.redacts)
