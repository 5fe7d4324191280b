"""The label of the Encoding Standard for an encoding that has another name."""

from __future__ import annotations

from encodings.aliases import aliases
from typing import Final

from weburl._unicode.encoding import get_encoding

# Python's codecs whose names are not labels, and the encoding of browsers for each.
CODECS: Final = {
    "big5hkscs": "big5",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "cp950": "big5",
    "hz": "hz-gb-2312",
    "iso2022-jp": "iso-2022-jp",
    "iso2022-kr": "iso-2022-kr",
    "iso8859-16": "iso-8859-16",
    "latin-1": "windows-1252",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "utf-8-sig": "utf-8",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
}
# https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
DEFAULT: Final = "windows-1252"


def label_of(*names: str | None) -> str:
    """The label of the first of these encodings that is known; "windows-1252" if none is.

    >>> label_of("latin-1"), label_of(None, "no-such", "cp932"), label_of()
    ('windows-1252', 'shift_jis', 'windows-1252')

    A name is a label of the Encoding Standard, as a header and a page have it, or the name of a codec of Python, as
    libraries have it (`cp936`, `latin-1`). None is for a header or an element that is not there. A browser, too,
    ignores names that it does not know. The result is the encoding's own name, in lower case.
    """
    for name in names:
        if name is not None:
            label = find_label(name)
            if label is not None:
                return get_encoding(label).label
    return DEFAULT


def find_label(name: str) -> str | None:
    """The label for a name, or None. Names come from strangers: codecs.lookup() would import a module for each, and
    keep each name."""
    if is_label(name):
        return name
    codec = name.strip("\t\n\f\r ").lower().replace("-", "_").replace(" ", "_")
    return label_of_codec(aliases.get(codec, codec))


def label_of_codec(codec: str) -> str | None:
    """The label for the name of a codec; None for one that browsers do not have."""
    name = codec.replace("_", "-")
    label = CODECS.get(name, name)
    return label if is_label(label) else None


def is_label(name: str) -> bool:
    try:
        get_encoding(name)
    except LookupError:
        return False
    return True
