"""Totals of a run: what it has read, hidden and written. Its summary, and its metrics in the format of Prometheus."""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import Final

from weburl._redact.secrets import KINDS
from weburl._redact.stream import LONG
from weburl.cli.writers.output_file import open_output

EVERY: Final = 10.0  # seconds between two versions of the metrics, while the input goes on
PREFIX: Final = "weburl_redact_"


class Totals:
    """Totals(path): the numbers of a run. `path` is where its metrics are written, or None. Threads add to it."""

    def __init__(self, path: str | None) -> None:
        self.path: str | None = path
        self.lock: Lock = Lock()
        self.begin: float = monotonic()
        self.next: float = self.begin + EVERY
        self.files: int = 0
        self.failed: int = 0
        self.skipped: int = 0  # done by an earlier run
        self.with_secrets: int = 0
        self.read: int = 0  # bytes of unpacked text
        self.written: int = 0
        self.lines: int = 0
        self.kinds: dict[str, int] = {}
        # The secrets so far of each file that is read.
        self.running: dict[object, dict[str, int]] = {}
        self.write_lock: Lock = Lock()

    def add(self, read: bytes, written: bytes) -> None:
        """Adds a part of a file."""
        lines = 0 if self.path is None else read.count(b"\n")
        with self.lock:
            self.read += len(read)
            self.written += len(written)
            self.lines += lines

    def go_on(self, file: object, counts: dict[str, int]) -> None:
        """Takes the secrets so far of a file that is read, and writes the metrics if they are due."""
        now = monotonic()
        with self.lock:
            self.running[file] = counts
            if now < self.next:
                return
            self.next = now + EVERY
        self.write_metrics()

    def add_file(self, file: object, counts: dict[str, int], *, is_whole: bool) -> None:
        """Adds the secrets of a file that was read, perhaps to its end."""
        with self.lock:
            self.running.pop(file, None)
            self.files += is_whole
            self.with_secrets += bool(counts)
            for kind, count in counts.items():
                self.kinds[kind] = self.kinds.get(kind, 0) + count

    def add_failure(self) -> None:
        with self.lock:
            self.failed += 1

    def add_skipped(self) -> None:
        with self.lock:
            self.skipped += 1

    def summary(self) -> str:
        secrets = sum(self.kinds.values())
        ranked = sorted(self.kinds.items(), key=lambda item: (-item[1], item[0]))
        kinds = ", ".join(f"{kind}: {count:,}" for kind, count in ranked)
        text = f"{secrets:,} secret{'s' * (secrets != 1)}{f' ({kinds})' if kinds else ''}"
        if self.files > 1:
            text += f" in {self.with_secrets:,} of {self.files:,} files"
        return text + (f"; {self.skipped:,} done before" if self.skipped else "")

    def write_metrics(self) -> None:
        """Writes the metrics, with the secrets so far of files that are read. A reader never sees a part of them."""
        if self.path is not None:
            # One after the other: numbers never go down.
            with self.write_lock, open_output(self.path) as out:
                with self.lock:
                    text = self._metrics()
                out.write(text.encode())

    def _metrics(self) -> str:
        counted = (self.kinds, *self.running.values())
        kinds = {kind: sum(counts.get(kind, 0) for counts in counted) for kind in (*KINDS, LONG)}
        rows = (
            ("files_total", "counter", "Files that were read to their end.", self.files),
            ("failed_files_total", "counter", "Files that could not be read or written.", self.failed),
            ("skipped_files_total", "counter", "Files that an earlier run had done.", self.skipped),
            ("read_bytes_total", "counter", "Bytes of text that were read, after decompression.", self.read),
            ("written_bytes_total", "counter", "Bytes of text that were written, before compression.", self.written),
            ("lines_total", "counter", "Line ends that were read.", self.lines),
            ("seconds", "gauge", "Seconds that the run took.", f"{monotonic() - self.begin:.3f}"),
        )
        text = "".join(
            f"# HELP {PREFIX}{name} {help}\n# TYPE {PREFIX}{name} {kind}\n{PREFIX}{name} {value}\n"
            for name, kind, help, value in rows
        )
        name = f"{PREFIX}secrets_total"
        text += f"# HELP {name} Secrets that were hidden.\n# TYPE {name} counter\n"
        text += "".join(f'{name}{{kind="{kind}"}} {count}\n' for kind, count in kinds.items())
        return text
