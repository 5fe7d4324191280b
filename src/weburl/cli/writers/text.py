"""The writers of text: lines, JSON Lines and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weburl.cli._line_format import parse_columns, parse_format
from weburl.cli._output_fields import ERROR, HREF, INPUT, MEMBERS, RECORD, OutputField
from weburl.cli._terminal import escape_controls
from weburl.cli.readers.reading import Keep
from weburl.cli.writers.lines import Layout
from weburl.cli.writers.output_writer import OutputColumn, OutputWriter, Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, ClassVar, Final

    from weburl.cli.writers.lines import LinePart, Style

# What begins a formula, where a cell begins: also after a semicolon in some locales, whatever the quotes.
STARTS: Final = "[-=+@\t\r\uff1d\uff0b\uff0d\uff20]"
FORMULA: Final = f'\\A(?={STARTS})|;(?="*{STARTS})'


class TextWriter(OutputWriter):
    style: ClassVar[Style]

    def __init__(self, out: IO[bytes], columns: Sequence[str | OutputColumn], *, drop: bool) -> None:
        self.out = out
        self.columns = columns
        self.layout: Layout = Layout(tuple(self.line()), self.style, drop, self.is_blank())

    def line(self) -> Iterable[LinePart]:
        """The parts of a line."""
        raise NotImplementedError

    def is_blank(self) -> bool:
        """Whether the line of a row that fails is empty."""
        return False

    def render(self, rows: Rows) -> bytes:
        kept = [(column.input(), column.is_json) for column in rows.kept]
        piece = rows.piece
        return self.layout.render(rows.batches, piece.rows, piece.begin, piece.end, kept, rows.replaced)

    def write(self, rendered: bytes) -> None:
        self.out.write(rendered)


class LineWriter(TextWriter):
    option = ""
    keep: ClassVar[Keep | None] = None
    style: ClassVar[Style] = "lines"

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        return [HREF] if format is None else parse_format(format)

    def line(self) -> Iterable[LinePart]:
        for column in self.columns:
            yield column.encode() if isinstance(column, str) else column.place

    def is_blank(self) -> bool:
        names = {column.field.name for column in self.columns if isinstance(column, OutputColumn)}
        return names.isdisjoint((INPUT, "error"))


class JsonWriter(TextWriter):
    option = "--json"
    help = "write JSON Lines: all parts and parameters"
    style: ClassVar[Style] = "json"
    keep: ClassVar[Keep | None] = Keep(as_json=True)

    def line(self) -> Iterable[LinePart]:
        import json

        before = "{"
        for column in self.columns:
            assert isinstance(column, OutputColumn)
            if column.field.name == MEMBERS and isinstance(column.place, int):
                # It ends with a comma, if there are some.
                yield b"{"
                yield -1 - column.place
                before = ""
                continue
            yield f"{before}{json.dumps(column.field.label)}:".encode()
            yield column.place
            before = ","
        yield b"}"


class CsvWriter(TextWriter):
    option = "--csv"
    help = (
        "write CSV with a header. A spreadsheet runs a cell that begins with = + - or @ as a formula: use "
        "--csv-safe for spreadsheets"
    )
    style: ClassVar[Style] = "csv"

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        return [*RECORD, ERROR] if format is None else parse_columns(format)

    def line(self) -> Iterable[LinePart]:
        for number, column in enumerate(self.columns):
            assert isinstance(column, OutputColumn)
            if number:
                yield b","
            yield column.place

    def start(self, nothing: bytes) -> None:
        labels = [column.field.label for column in self.columns if isinstance(column, OutputColumn)]
        self.out.write(",".join(map(self.header_cell, labels)).encode() + b"\n")

    def header_cell(self, label: str) -> str:
        return '"{}"'.format(label.replace('"', '""')) if set(label) & set('",\r\n') else label


class SafeCsvWriter(CsvWriter):
    option = "--csv-safe"
    help = "write CSV for spreadsheets, with a ' before cells that begin with = + - @, a tab or a carriage return"
    style: ClassVar[Style] = "csv-safe"

    def header_cell(self, label: str) -> str:
        import re

        return super().header_cell(re.sub(FORMULA, r"\g<0>'", escape_controls(label)))
