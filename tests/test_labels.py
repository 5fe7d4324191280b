"""weburl.crawl.label_of: the encoding that libraries, headers and pages name."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
import sys
from encodings.aliases import aliases
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl._unicode.encoding import ENCODINGS, get_encoding
from weburl.crawl import DocumentBase, label_of


@pytest.mark.parametrize(
    ("names", "label"),
    [
        (("utf-8",), "utf-8"), (("UTF_8",), "utf-8"), (("utf8",), "utf-8"), (("utf_8_sig",), "utf-8"),
        (("U8",), "utf-8"), (("cp65001",), "utf-8"),
        (("latin1",), "windows-1252"), (("latin-1",), "windows-1252"), (("latin_1",), "windows-1252"),
        (("iso8859_1",), "windows-1252"), (("ascii",), "windows-1252"), (("cp1252",), "windows-1252"),
        (("gb2312",), "gbk"), (("cp936",), "gbk"), (("936",), "gbk"), (("GBK",), "gbk"), (("gb18030",), "gb18030"),
        (("cp932",), "shift_jis"), (("ms_kanji",), "shift_jis"), (("cp949",), "euc-kr"), (("ks_c_5601",), "euc-kr"),
        (("cp950",), "big5"), (("big5_hkscs",), "big5"), (("cp874",), "windows-874"), (("mac_roman",), "macintosh"),
        (("iso8859_16",), "iso-8859-16"), (("iso8859_15",), "iso-8859-15"), (("koi8_r",), "koi8-r"),
        (("utf_16_be",), "utf-16be"), (("utf-16",), "utf-16le"), (("iso2022_kr",), "replacement"),
        ((" GB2312\n",), "gbk"),
        # What browsers do with what they do not know.
        ((None,), "windows-1252"), ((), "windows-1252"), (("",), "windows-1252"), (("utf8mb4",), "windows-1252"),
        (("cp437",), "windows-1252"), (("utf-7",), "windows-1252"), (("utf_32",), "windows-1252"),
        (("rot13",), "windows-1252"), (("idna",), "windows-1252"), (("aliases",), "windows-1252"),
        (("utf-8\0",), "windows-1252"), (("\ud800",), "windows-1252"), (("utf－8",), "windows-1252"),
        # The first that is known.
        ((None, "utf-8"), "utf-8"), (("utf8mb4", "gb2312", "utf-8"), "gbk"), (("cp437", None, ""), "windows-1252"),
    ],
)  # fmt: skip
def test_label_of(names: tuple[str | None, ...], label: str) -> None:
    assert label_of(*names) == label
    assert label in ENCODINGS


def test_a_type() -> None:
    wrongs: list[Any] = [1, b"utf-8", ["utf-8"]]
    for wrong in wrongs:
        with pytest.raises(TypeError):
            label_of(wrong)
        with pytest.raises(TypeError):
            DocumentBase("http://h/", encoding=wrong)


def text_of(encoding: str) -> str:
    """Letters that the encoding has."""
    data = [bytes([byte]) for byte in range(0xA1, 0xFF)] + [bytes([0xB0 + row, 0xA1 + row]) for row in range(40)]
    text = "".join(piece.decode(encoding, "ignore") for piece in data)
    return "".join(letter for letter in text if letter.isalpha())


MODULES = {module.name for module in pkgutil.iter_modules(encodings.__path__)}
# Their encodings have no letters, or what is more than one of browsers' encodings can tell.
SPECIAL = {"aliases", "charmap", "idna", "punycode", "mbcs", "oem", "undefined"}


@pytest.mark.parametrize("name", sorted(MODULES - SPECIAL | set(aliases)))
def test_each_codec_of_python_has_the_encoding_that_browsers_have_for_it(name: str) -> None:
    """Most letters have the same bytes in both. A codec that browsers do not have has the default."""
    try:
        codec = codecs.lookup(name)
        text = text_of(name)
    except LookupError:
        # Of another platform, or not for text.
        assert label_of(name) == "windows-1252"
        return
    encoding = get_encoding(label_of(name))
    known = encoding.name != "windows-1252" or codec.name in ("iso8859-1", "cp1252", "ascii")
    if known and text and encoding.name not in ("UTF-16LE", "UTF-16BE", "replacement"):
        mark = b"".decode().encode(name)
        same = sum(encoding.encode(letter) == [letter.encode(name, "replace").removeprefix(mark)] for letter in text)
        assert same >= 0.9 * len(text)


def test_names_of_strangers_are_not_imported() -> None:
    """codecs.lookup() imports a module, and keeps every name that it does not find."""
    names = [f"no-such-encoding-{number}" for number in range(50)]
    kept = encodings._cache
    before, modules = len(kept), set(sys.modules)
    assert {label_of(name) for name in (*names, "mac_farsi", "cp1140")} == {"windows-1252"}
    assert len(kept) == before
    assert set(sys.modules) - modules == set()


@given(st.text())
def test_any_name(name: str) -> None:
    assert label_of(name) in ENCODINGS
