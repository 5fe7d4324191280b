"""The output formats. To add one, write an `OutputWriter` and list it here."""

from __future__ import annotations

from collections.abc import Sequence

from weburl.cli._exit import UsageError
from weburl.cli.writers.output_writer import OutputWriter
from weburl.cli.writers.tables import ArrowWriter, ParquetWriter
from weburl.cli.writers.text import CsvWriter, JsonWriter, LineWriter, SafeCsvWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Each has an option. Without one, the output is that of LineWriter.
WRITERS: Final[list[type[OutputWriter]]] = [JsonWriter, CsvWriter, SafeCsvWriter, ParquetWriter, ArrowWriter]


ChosenWriter = tuple[type[OutputWriter], str | None]


def chosen_writer(chosen: Sequence[ChosenWriter], output: str | None) -> ChosenWriter:
    """The writer that the options ask for, each with the file that it names, and the file to write if there is one."""
    paths = dict(chosen)
    asked = [writer for writer in WRITERS if writer in paths]
    if asked == [CsvWriter, SafeCsvWriter]:
        # --csv --csv-safe is --csv-safe.
        asked = [SafeCsvWriter]
    if len(asked) > 1:
        raise UsageError(f"{asked[0].option} is not allowed with {asked[1].option}")
    writer = asked[0] if asked else LineWriter
    path = paths.get(writer)
    if path is not None and output is not None:
        raise UsageError(f"{writer.option} OUT says where to write: -o OUT is one too many")
    path = output if path is None else path
    if path == "":
        raise UsageError("OUT needs the name of a file, not ''")
    return writer, path
