"""Reads the Public Suffix List: https://github.com/publicsuffix/list/wiki/Format"""

from __future__ import annotations

import io
import pkgutil
import re
from os import PathLike
from typing import TextIO

from weburl._core.arguments import wrong_type

# As in _hosts/suffixes.pxd.
RULE, WILDCARD, EXCEPTION, PRIVATE = 1, 2, 4, 3


def shipped_list() -> TextIO:
    """The list of the publicsuffixlist package."""
    data = pkgutil.get_data("publicsuffixlist", "public_suffix_list.dat")
    if data is None:
        message = "the Public Suffix List needs publicsuffixlist: pip install weburl[psl]"
        raise ImportError(message, name="publicsuffixlist")
    return io.StringIO(data.decode())


def read_text(file: str | PathLike[str] | TextIO) -> str:
    if isinstance(file, (str, PathLike)):
        with open(file, encoding="utf-8-sig") as opened:
            return opened.read()
    if not hasattr(file, "read"):
        raise wrong_type(file, "file must be a path or an open file")
    text = file.read()
    if not isinstance(text, str):
        raise TypeError("the file of a list must be open as text")
    return text


# https://github.com/publicsuffix/list/wiki/Format#format
def parse_list(text: str) -> tuple[str, dict[bytes, int]]:
    """A list's version, and its rules by name, with 0 for names that are only parents of others."""
    names: dict[bytes, int] = {}
    shift = 0
    for line in text.split("\n"):
        rule = line.split(maxsplit=1)[0] if line.strip() else "//"
        if rule[:2] == "//":
            if line.startswith("// ===BEGIN PRIVATE DOMAINS==="):
                shift = PRIVATE
            elif line.startswith("// ===END PRIVATE DOMAINS==="):
                shift = 0
            continue
        kind = EXCEPTION if rule[0] == "!" else WILDCARD if rule[:2] == "*." else RULE
        name = in_ascii(rule.removeprefix("!") if kind == EXCEPTION else rule.removeprefix("*."))
        # Without its first label, an exception is a public suffix.
        if name is not None and (kind != EXCEPTION or b"." in name):
            names[name] = names.get(name, 0) | kind << shift
    for name in list(names):
        while b"." in name:
            name = name.partition(b".")[2]
            names.setdefault(name, 0)
    version = re.search(r"^// VERSION: (\S+)", text, re.MULTILINE)
    return version[1] if version else "", names


def in_ascii(name: str) -> bytes | None:
    """A rule's name as it appears in hosts; None if no host can have it."""
    if name.isascii():
        ascii_name: str | None = name.lower()
    else:
        from weburl._unicode.idna import domain_parser

        ascii_name = domain_parser(name)
    # The DNS has no longer names, and the table has 16 bits for a length.
    return ascii_name.encode() if ascii_name is not None and 0 < len(ascii_name) <= 255 else None
