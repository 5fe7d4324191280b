"""What the first bytes of a file say that it is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


UNPACK: Final = "unpack it first"
UTF_8: Final = "only UTF-8 is read: convert it, as with iconv -f {} -t UTF-8"
REFUSED: Final = {
    pattern: (name, advice)
    for pattern, name, advice in (
        (rb"\xff\xfe\0\0|\0\0\xfe\xff", "in UTF-32", UTF_8.format("UTF-32")),
        (rb"\xff\xfe|\xfe\xff|(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4}", "in UTF-16", UTF_8.format("UTF-16")),
        (rb"PK(?:\x03\x04|\x05\x06|\x07\x08)", "a zip archive", "unpack it first, as with unzip -p"),
        (rb"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
        (rb"Rar!\x1a\x07", "a rar archive", UNPACK),
        (rb".{257}ustar[\0 ]", "a tar archive", "unpack it first, as with tar -xO"),
        (rb"PARE..\0\0", "an encrypted Parquet file", "decrypt it first"),
        (rb"FEA1\0", "a Feather file of version 1", "write it as version 2"),
        (rb"ORC[\0-\x08\x0e-\x1f\x80-\xff]", "an ORC file", "write it as Parquet"),
        (rb"Obj\x01", "an Avro file", "write it as Parquet"),
        (rb"SQLite format 3\0", "a SQLite database", "write the URLs to a text file"),
        (rb"\x89HDF\r\n", "an HDF5 file", "write it as Parquet"),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1", "an Office document", "save it as CSV in UTF-8"),
        (rb"%PDF-\d", "a PDF document", "give a file of text"),
        (rb"\x89PNG|\xff\xd8\xff|GIF8[79]a", "a picture", "give a file of text"),
        (rb"\x7fELF|MZ[\x80-\xff\0]\0|\xcf\xfa\xed\xfe", "a program", "give a file of text"),
    )
}
# The bytes of text are few among these. A long run of NUL is no sign: a log that was cut while it was open begins so.
CONTROLS: Final = bytes(c for c in range(1, 32) if c not in b"\a\b\t\n\v\f\r\x1b") + b"\x7f"
MOST_CONTROLS: Final = 0.05
ENOUGH: Final = 64  # bytes to judge by
SIZE: Final = 512  # bytes to read; a tar archive has its mark at 257
LONGEST: Final = 10  # bytes of the other marks


def refusal_of(head: bytes) -> str | None:
    """A sentence that says what a file is, and what to do, if it cannot be read."""
    import re

    for mark, (name, advice) in REFUSED.items():
        if re.match(mark, head, re.DOTALL):
            return f"it is {name}: {advice}"
    return None


def is_text(head: bytes) -> bool:
    """Whether a file may have lines of text, by its first bytes."""
    return len(head) < ENOUGH or len(head) - len(head.translate(None, CONTROLS)) <= MOST_CONTROLS * len(head)
