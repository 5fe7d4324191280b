"""The output formats. To add one, write an `OutputWriter` and list it here."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from weburl.cli._exit import UsageError
from weburl.cli.writers.output_writer import OutputWriter
from weburl.cli.writers.tables import ArrowWriter, ParquetWriter
from weburl.cli.writers.text import CsvWriter, JsonWriter, LineWriter, SafeCsvWriter

if TYPE_CHECKING:
    from argparse import _ArgumentGroup

# Each has an option. Without one, the output is that of LineWriter.
WRITERS: Final[list[type[OutputWriter]]] = [JsonWriter, CsvWriter, SafeCsvWriter, ParquetWriter, ArrowWriter]


def add_format_options(group: _ArgumentGroup) -> None:
    for writer in WRITERS:
        if writer.takes_file:
            group.add_argument(writer.option, metavar="OUT", help=writer.help)
        else:
            group.add_argument(writer.option, action="store_true", help=writer.help)


def chosen_writer(options: Namespace) -> tuple[type[OutputWriter], str | None]:
    """The writer that the options ask for, and the file to write if one is named."""
    given = [writer for writer in WRITERS if _value(options, writer) not in (None, False)]
    # --csv --csv-safe is --csv-safe.
    given = [writer for writer in given if not any(writer in other.__bases__ for other in given)]
    if len(given) > 1:
        raise UsageError(f"{given[0].option} is not allowed with {given[1].option}")
    writer = given[0] if given else LineWriter
    path = _value(options, writer) if writer.takes_file else None
    if path is not None and options.output is not None:
        raise UsageError(f"{writer.option} OUT says where to write: -o OUT is one too many")
    path = options.output if path is None else str(path)
    if path == "":
        raise UsageError("OUT needs the name of a file, not ''")
    return writer, path


def _value(options: Namespace, writer: type[OutputWriter]) -> object:
    value: object = getattr(options, writer.option.removeprefix("--").replace("-", "_"))
    return value
