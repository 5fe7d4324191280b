"""https://encoding.spec.whatwg.org, as of commit a985b62 (21 May 2026).

The digests are of what the standard's algorithms, written down on their own, make of its indexes of 18 September 2024:

    index Big5                  8dfc771062e7be0810919082c2c06baa2236147909e0ecc235b1cb9ad782ac82
    index EUC-KR                1d97134cbf187263585bc8f593ca4196654ed4c7a673f5672eaad4f5d9fdc4ba
    index gb18030               ff1c9a923b5d24f9761b3a2de2c0f07b395f9f6f36519508944de4f0415be81c
    index gb18030 ranges        f963aaa1653f630c523e7b04729fb4e4458f35806c45eb5c179445623138f0c0
    index jis0208               cbaa91f3deb7d0841faf5c33041fc15a285da0e87e64ab802c4bf04b7c4da861
    index jis0212               83bf90dd1c591a4355730d8c4567efc499d74da7490531019ef22a879991cfb7
    index ISO-2022-JP katakana  6ffc12c11f6eab1ccb3dada740d9b0db096ef0b0783c3bd5ec951dcb4a44b95e
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import pairwise
from time import process_time
from types import ModuleType

import pytest

from weburl._unicode import encoding
from weburl._unicode.encoding import Encoding, get_encoding, get_output_encoding

LABELS = {
    "UTF-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "IBM866": "866 cp866 csibm866 ibm866",
    "ISO-8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "ISO-8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "ISO-8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "ISO-8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "ISO-8859-6": (
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
        "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    "ISO-8859-7": (
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 "
        "iso_8859-7 iso_8859-7:1987 sun_eu_greek"
    ),
    "ISO-8859-8": (
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
        "iso_8859-8 iso_8859-8:1988 visual"
    ),
    "ISO-8859-8-I": "csiso88598i iso-8859-8-i logical",
    "ISO-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "ISO-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "ISO-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "ISO-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "ISO-8859-16": "iso-8859-16",
    "KOI8-R": "cskoi8r koi koi8 koi8-r koi8_r",
    "KOI8-U": "koi8-ru koi8-u",
    "macintosh": "csmacintosh mac macintosh x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1250": "cp1250 windows-1250 x-cp1250",
    "windows-1251": "cp1251 windows-1251 x-cp1251",
    "windows-1252": (
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
        "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252"
    ),
    "windows-1253": "cp1253 windows-1253 x-cp1253",
    "windows-1254": (
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 "
        "latin5 windows-1254 x-cp1254"
    ),
    "windows-1255": "cp1255 windows-1255 x-cp1255",
    "windows-1256": "cp1256 windows-1256 x-cp1256",
    "windows-1257": "cp1257 windows-1257 x-cp1257",
    "windows-1258": "cp1258 windows-1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "GBK": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "Big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "EUC-JP": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "ISO-2022-JP": "csiso2022jp iso-2022-jp",
    "Shift_JIS": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "EUC-KR": (
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"
    ),
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    "UTF-16BE": "unicodefffe utf-16be",
    "UTF-16LE": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "x-user-defined": "x-user-defined",
}

# Of the decoded sequences() in UTF-8, each followed by a newline.
DECODED = {
    "Big5": "53641e054484af72df3d1ea9d2bf5eb6f2a7c8a5e0965c43b490f21094238875",
    "EUC-JP": "ecd4f255ffa53d4400e5779f5934f920073187b6dab8feeedca4022fe78f36a1",
    "EUC-KR": "7d7370c5a3dff9bda2d4dddf2236fecf79a8c40f30a47f0e628b98be8704ab5d",
    "gb18030": "36cce8762c3396d528d5a543949f4a1bf17fd45a92799cdbcc86b32b40f11543",
    "GBK": "36cce8762c3396d528d5a543949f4a1bf17fd45a92799cdbcc86b32b40f11543",
    "IBM866": "5a856a1cc72f92ffbb8ce0162a6bfdeb61a47f5351af5bbea3cb3454e97456aa",
    "ISO-2022-JP": "e788b256a39032e331d2be5469f372194737efef90d356c168a3f902f00e229e",
    "ISO-8859-10": "34e36339240c8d8b8d806076f2a2520a435ad1dac730de005625fe4bf4c1a40f",
    "ISO-8859-13": "3bac58e9cc8e52cd4df446e0d7daf8d4091c72ecfd57adbb784444ae023b56d4",
    "ISO-8859-14": "ec2339ae801d510724002c02aa6408fde36be0b9fcf7cd59ddeddaa8ac6c7f37",
    "ISO-8859-15": "e3f0667fe89309a7a28ff1aedf7c57ee9a0f97ff95158b81dfe2d1eaf813b72a",
    "ISO-8859-16": "c68ff962b68531cb6405f331efa26baf538126c68784f61f09fe308e792a075e",
    "ISO-8859-2": "5e9a0811bf08daf58df287360cbdaf477467d8cbc67cb99dfe84cf3c458070ca",
    "ISO-8859-3": "6555258335579b899c0c622ba0528f4e8c834d4b64f99970b05ec92ea9dbfb8f",
    "ISO-8859-4": "08e4e0f402fac5883b8573a2cd95f808ac9d1e0a6fd66a78fc16e342eb20d032",
    "ISO-8859-5": "df3e28bbb226e1cd358fb027479c723de0a9881f47fd8655301ac9aefb80eadf",
    "ISO-8859-6": "ac5e5b97608b416e246b69f432529465f63b34b5e6afc814d1a1cbaf40aaf63c",
    "ISO-8859-7": "9f68204513e94f00597667930e375d4ec65b56ea57f2ebc0fb8e5c4a35b25345",
    "ISO-8859-8": "16b842dbf1779d836c12a728691869562d1b0cceaaf4b321b0abd86b4ffbc766",
    "ISO-8859-8-I": "16b842dbf1779d836c12a728691869562d1b0cceaaf4b321b0abd86b4ffbc766",
    "KOI8-R": "e18c51434de748aab4b8f2f9992422ddc1c32a0903831b60ab24f3046e532154",
    "KOI8-U": "09ca3df06fe07cf28f82ffec077644e53340fb185decac955565f65320944546",
    "macintosh": "a6af4ef8837ca7fcfc64bb66b0a02b6544188c657f266216031659d3ea5921b0",
    "replacement": "214dd36bc3ed48125027b060d86e0435acad39e13472dac7570c073d0ba2a4e3",
    "Shift_JIS": "0d8b06d08c1e7f69efe3b189c3a04730498d0f040624019376d05166fede7ede",
    "UTF-16BE": "012434f0254c0c8d86b4671058a1d5a1c02f15dab1eb642bf91659c49b0280a0",
    "UTF-16LE": "1e0ad28d5598fff829def56fc935c52b043b33aa6d1f91e8024b3f4e1acac83a",
    "UTF-8": "ee73b0806a4c23d2c3870d4623608d71168620d22dd87b44b96d1a723c56dcc7",
    "windows-1250": "697d3e9c20631e29a0560863a139067b4795d824460d8323d7f517d04f33b620",
    "windows-1251": "046cabf3dd731926e96942c89b8f4acc183af9663d9186030073aa80f6295fc9",
    "windows-1252": "b45da48fcc29fa511892fc703434d75be08fb57c4c24c1630cead3db3d24bac9",
    "windows-1253": "b86ba26ea99fb62200b6c15a1043ea9a86ce2a4075dd7cedd8cefbdd59700c92",
    "windows-1254": "233441a35d0b7823beb38db16454a8c22e3ad7314d3ab9a67f324ba084488977",
    "windows-1255": "63cacbae4c945413fcd9af375b392813e66013550a651e89db1b2c69294b35da",
    "windows-1256": "8f0f0e8f96c6e90cc01fe554a051f617d84fa17348deeb0342f4661e3aa9cfe5",
    "windows-1257": "a2e34bb97e73154aa1bc2268e55c271d3e44f8b82734e57e39ca9f3dbac81c95",
    "windows-1258": "7ab8842d941a6717aacec13ab4318947f244dbb0d5e12079465857603e96c55c",
    "windows-874": "328a1a499919669ed62ec06063b0dfe363bbfa3b380f85f6d9d5c3ff7d47cdbf",
    "x-mac-cyrillic": "b84eb464bfafed2870415356e89e5338b8af8b8068b66dd6c284d2b8d6eacfb7",
    "x-user-defined": "87337a75680cce3d8274db1fbbc95a93f319defe1d5c871e9f53e67fe2a4fabc",
}

# Of SCALAR_VALUES, encoded with the error mode "html".
ENCODED = {
    "Big5": "72f3551392659eee7199d01655e72c0076632c1ac0561c3e1593a36ba3f70a95",
    "EUC-JP": "ec9f04bac326ff21e939c6868d24f58acc080feb5d561d1cfa15d584bf3cefe0",
    "EUC-KR": "f5e3a79c69bdfa8c259a74a0a97188760c3c40977fb02aab72f3ae27f6173e28",
    "gb18030": "26aeeb7e775abca6dc559dab51d1225e03fb7afb36268bcb265c330efbb9e1fb",
    "GBK": "5de3d51c5a69954034b2200bc460f4f44771f4079ae8c1a1d24fc70c299225a1",
    "IBM866": "7914359c0a23656db47b09b5abbe6aea401b58a5c031e97e493311702d148732",
    "ISO-2022-JP": "a08c4c028a64c20e93c816223e75ad8f1d88d5bfabb9993c7311c2dafc2ca6ae",
    "ISO-8859-10": "2e3120bab24000b2631c14d71f81f1086d2aa655722661940f624f9462120cfd",
    "ISO-8859-13": "0c14b19d2a71111797c96168305a52115546aefab86dc13e5689d5360ba8c0d9",
    "ISO-8859-14": "4d3a93a695013ffd66f26c445aa0b5328373b0b463b0e494a3a5b9944c760196",
    "ISO-8859-15": "778fedfe8431097ffc8e1d2a43919bcc5882519892acbe9b64a9b7a6648d4831",
    "ISO-8859-16": "d3f6ac8e492b4ca123df442f6f97352b1df97be6e765ea2cc1f63f6dfe9fc1d9",
    "ISO-8859-2": "f86b9e4ffb4a1422d51de1aab47c91bfb520b871d42639ed5dbeab5723273f7e",
    "ISO-8859-3": "72236932ad8e929a85beafd4e49de514f2bfdf3905bc241ff5e4fa84a33b6f48",
    "ISO-8859-4": "1382857dbb0478999605d3f3853e9fb17617f275c3e604bfed268e2038a86065",
    "ISO-8859-5": "6847bb3df0c21b4874b413816bc3a8555e8cf813e0e701d47d5015779088b055",
    "ISO-8859-6": "9afcea37bc2139d638b0dfce69519d0948ff62fb937199a0ef69d9caa27bd45d",
    "ISO-8859-7": "5f1cbc2a8623015fc953e7416c294e10b8c19385b5437aa1fb92ac95bd7731ce",
    "ISO-8859-8": "0a8deaed81f3d6a5501f221e0cbedf180a764527bd0e88e047e2df112eb34e94",
    "ISO-8859-8-I": "0a8deaed81f3d6a5501f221e0cbedf180a764527bd0e88e047e2df112eb34e94",
    "KOI8-R": "8b4d487bb0eb93e8652fbaeb928d8ff0644bbd419ca7abcc257a80ff1772e921",
    "KOI8-U": "b2550089c9c0c916e5d66c52ca4fedf40998eea5f3b16f52614cb294dbfea81c",
    "macintosh": "0260f38340a8c8cfc307489e4cb587283f8fa5b1a0705217945bd055a1fd1ab1",
    "Shift_JIS": "1d2cbc215fd4399483840a99acc2bb7e4512693f8a5d186e5d9bda4743714960",
    "UTF-8": "fb57c1dd440c17bb1a6f1a96640141f835e0482766f5390910e483775a00afc8",
    "windows-1250": "03df52955576cbe3beb2d5eef08fec9f2dc377089c9eda5e2de65f163fe6fbdb",
    "windows-1251": "252f6cb296ee44476e32ac4a726a20b7aee0420b127cf39eb7aaeb517c6ab08a",
    "windows-1252": "fc7d6c0329bdf44ab1d96a628257b225c9174cb04b91aee263200357a23169a5",
    "windows-1253": "80d89c0ad4977d433e019d93123c0f5f03ca042e2d1bba23f1f9a2931efaef99",
    "windows-1254": "653b9099762427b40970f0ba3cc8797fefb6f19711c631f9270bbf379820f3b6",
    "windows-1255": "8b88ad35d1701cf61ebeaac4e09a2fd4336f69bb62719faa35637b2aa9d385d7",
    "windows-1256": "dc0f1b41bbe734e5209b49aa59dabe864a781f4781c4ceba7311d7245a37e1bd",
    "windows-1257": "a68fc3d894a13869a8e40423f9626461fd5414ce43abd023434006439669ad0d",
    "windows-1258": "cd4de79226c2ef3e185df6919f1c5d3c8209e7284bbe4e29a2676e25c45b6d10",
    "windows-874": "1833063f0b6ba2c9ac2cc5860f22a703cbab12c9da56b07b7df8196e15f732bc",
    "x-mac-cyrillic": "c370b5d7b3abb4966ef1971ac957971ea72121b8514742cb6fdadb7566312062",
    "x-user-defined": "2f08f119a5b86457ddb3b6f79bc34e155cf09ae3f77e6c0f01a795b42fb11148",
}

WITHOUT_ENCODER = ["replacement", "UTF-16BE", "UTF-16LE"]
SINGLE_BYTE = [name for name in LABELS if name.startswith(("IBM", "ISO-8859", "KOI8", "mac", "windows", "x-"))]
# Planes above 2 have nothing that an encoder of before Unicode knows: their ends.
SCALAR_VALUES = "".join(
    map(
        chr,
        (*range(0xD800), *range(0xE000, 0x30000), *(n for n in range(0x30000, 0x110000) if (n + 256) & 0xFFFF < 512)),
    )
)


def digest(chunks: Iterable[bytes]) -> str:
    result = sha256()
    for chunk in chunks:
        result.update(chunk)
    return result.hexdigest()


def html(parts: list[bytes | int]) -> bytes:
    return b"".join(part if isinstance(part, bytes) else b"&#%d;" % part for part in parts)


def four_bytes(pointer: int) -> bytes:
    second = 0x30 + pointer // 1260 % 10
    return bytes((0x81 + pointer // 12600, second, 0x81 + pointer // 10 % 126, 0x30 + pointer % 10))


def sequences(name: str) -> list[bytes]:
    """Every pointer of the encoding's indexes, and bytes that are not pointers."""
    one = [bytes((first,)) for first in range(256)]
    if name in SINGLE_BYTE:
        return one
    two = [bytes((first, second)) for first in range(256) for second in range(256)]
    more: list[bytes] = []
    if name in ("GBK", "gb18030"):
        pointers = (*range(39500), *range(39500, 126 * 12600, 331), 188999, 189000, 1237575, 1237576)
        more = [four_bytes(pointer) for pointer in pointers]
    elif name == "EUC-JP":
        more = [b"\x8f" + pair for pair in two]
    elif name == "ISO-2022-JP":
        more = [b"\x1b" + escape + byte for escape in (b"(J", b"(I", b"$@") for byte in one]
        more += [b"\x1b$B" + pair for pair in two]
    return one + two + more


def test_covers_every_encoding() -> None:
    assert DECODED.keys() == LABELS.keys()
    assert sorted([*ENCODED, *WITHOUT_ENCODER]) == sorted(LABELS)
    assert sum(len(labels.split()) for labels in LABELS.values()) == 228


@pytest.mark.sample(14)
@pytest.mark.parametrize("name", LABELS)
def test_decodes_every_sequence(name: str) -> None:
    encoding = get_encoding(name)
    assert digest(encoding.decode(data).encode() + b"\n" for data in sequences(name)) == DECODED[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ENCODED)
def test_encodes_all_of_unicode(name: str) -> None:
    parts = get_encoding(name).encode(SCALAR_VALUES)
    assert digest([html(parts)]) == ENCODED[name]


@pytest.mark.parametrize("name", ENCODED)
def test_encodes_into_runs(name: str) -> None:
    parts = get_encoding(name).encode(SCALAR_VALUES[:0x4000] + "a")
    assert b"" not in parts
    assert not any(isinstance(one, bytes) and isinstance(other, bytes) for one, other in pairwise(parts))
    assert {type(part) for part in parts} <= {bytes, int}


@pytest.mark.parametrize("name", WITHOUT_ENCODER)
def test_has_no_encoder(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} has no encoder$"):
        get_encoding(name).encode("a")


@pytest.mark.parametrize("name", LABELS)
def test_nothing(name: str) -> None:
    encoding = get_encoding(name)
    assert encoding.decode(b"") == ""
    if name in ENCODED:
        assert encoding.encode("") == []


@pytest.mark.parametrize("name", LABELS)
def test_labels(name: str) -> None:
    for label in LABELS[name].split():
        encoding = get_encoding(label)
        assert encoding.name == name
        assert encoding.is_utf8 == (name == "UTF-8")
        assert get_encoding(f"\t\n\f\r {label.upper()} \r\f\n\t") is encoding
        output = get_output_encoding(label)
        assert output is (get_encoding("utf-8") if name in WITHOUT_ENCODER else encoding)


UNKNOWN = [
    "",
    " ",
    "latin_1",
    "utf_8",
    "utf-8\0",
    "utf-8\v",
    "\xa0utf-8",
    "u tf-8",
    "cp65001",
    "utf-7",
    "\u212aoi8-r",
    "\ud800",
    "é" * 9999,
]


@pytest.mark.parametrize("label", UNKNOWN)
@pytest.mark.parametrize("get", [get_encoding, get_output_encoding])
def test_unknown_label(label: str, get: Callable[[str], Encoding]) -> None:
    with pytest.raises(LookupError, match=r"^unknown encoding label: '[ -~]{0,700}'$"):
        get(label)


@pytest.mark.parametrize("label", [None, b"utf-8", 8])
def test_label_of_another_type(label: str) -> None:
    with pytest.raises(TypeError, match=r"a str, not (NoneType|bytes|int)"):
        get_encoding(label)


def test_without_webencodings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "asked", {})
    monkeypatch.setitem(sys.modules, "webencodings", None)
    for label in LABELS["UTF-8"].split():
        assert get_encoding(f" {label.upper()}").is_utf8
        assert get_output_encoding(label).is_utf8
    for label in ("windows-1252", "utf-16", "replacement", "unicode", "no such thing"):
        with pytest.raises(ImportError, match=r"pip install weburl\[encodings\]") as caught:
            get_encoding(label)
        assert label in str(caught.value)


def test_with_old_webencodings(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = """csunicode iso-10646-ucs-2 iso-2022-cn iso-2022-cn-ext koi8-ru ms932 replacement ucs-2 unicode
    unicode11utf8 unicode20utf8 unicodefeff unicodefffe x-unicode20utf8""".split()
    other = ["csiso2022kr", "hz-gb-2312", "iso-2022-kr"]
    known = {label: name.lower() for name, labels in LABELS.items() for label in labels.split() if label not in missing}
    monkeypatch.setattr(encoding, "asked", {})
    old = ModuleType("webencodings")
    monkeypatch.setattr(old, "LABELS", known | dict(zip(other, other, strict=True)), raising=False)
    monkeypatch.setitem(sys.modules, "webencodings", old)
    for name, labels in LABELS.items():
        assert {get_encoding(label).name for label in labels.split()} == {name}


def test_import_builds_nothing() -> None:
    program = """
import sys, weburl._unicode.encoding as encoding
assert encoding.get_encoding("UTF8").decode(b"a") == "a"
assert not {"webencodings", "_multibytecodec", "_codecs_cn", "encodings.cp1252"} & sys.modules.keys()
encoding.get_encoding("gbk")
assert "_codecs_cn" not in sys.modules
assert encoding.get_encoding("gbk").decode(bytes((0xB0, 0xA1))) == chr(0x554A)
assert "_codecs_cn" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        # An error takes as many bytes as the standard says, and only an ASCII byte is put back.
        ("UTF-8", "EFBBBF 41", "\ufeffA"),
        ("UTF-8", "F0 90 80 41 ED A0 80 C0 AF FF", "\ufffdA\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"),
        ("Big5", "A4 40 A4", "一\ufffd"),
        ("Big5", "81 40 41", "\ufffd@A"),
        ("Big5", "81 A1 41", "\ufffdA"),
        ("Big5", "A1 80 41", "\ufffdA"),
        ("Big5", "80 FF 41", "\ufffd\ufffdA"),
        ("Big5", "88 62 88 64 88 A3 88 A5", "Ê\u0304Ê\u030cê\u0304ê\u030c"),
        ("Big5", "87 7A 8E 69 A3 E1 A1 45", "㡵箸€‧"),
        ("EUC-KR", "B0 A1 81 41 FE", "가갂\ufffd"),
        ("EUC-KR", "A1 41 C9 A1", "좥\ufffd"),
        ("EUC-KR", "C6 53 B0 22", '\ufffdS\ufffd"'),
        ("EUC-KR", "80 FF A4", "\ufffd\ufffd\ufffd"),
        ("Shift_JIS", "5C 7E 80 A0 A1 DF FD FE FF", "\\~\x80\ufffd｡ﾟ\ufffd\ufffd\ufffd"),
        ("Shift_JIS", "81 DF 81 7C 81", "≡－\ufffd"),
        ("Shift_JIS", "81 3F 85 40 85 80 81 FD", "\ufffd?\ufffd@\ufffd\ufffd"),
        ("Shift_JIS", "F0 40 F9 FC FA 40", "\ue000\ue757ⅰ"),
        ("EUC-JP", "8E B1 A4 A2 8F B0 A1 8F A2 B7", "ｱあ丂～"),
        ("EUC-JP", "8E 41 8E E0 41 A4 41 A9 A1 41", "\ufffdA\ufffdA\ufffdA\ufffdA"),
        ("EUC-JP", "8F 41 8F A1 41 8F A1 A1 41", "\ufffdA\ufffdA\ufffdA"),
        ("EUC-JP", "8F 8F A4 A2", "\ufffdあ"),
        ("EUC-JP", "8F A4", "\ufffd"),
        ("EUC-JP", "80 A0 FF A4", "\ufffd\ufffd\ufffd\ufffd"),
        ("GBK", "80 A2 E3 A3 A0 FF", "€€\u3000\ufffd"),
        ("GBK", "81 30 81 30 84 31 A4 37", "\x80\ufffd"),
        ("gb18030", "90 30 81 30 E3 32 9A 35 E3 32 9A 36 8F 39 FE 39", "\U00010000\U0010ffff\ufffd\ufffd"),
        ("gb18030", "81 35 F4 37 A8 BC 81 35 F4 36", "\ue7c7ḿḾ"),
        ("gb18030", "84 31 82 36 A6 D9 FE 59 82 35 90 37", "︐︐龴龴"),
        ("gb18030", "81", "\ufffd"),
        ("gb18030", "81 30", "\ufffd"),
        ("gb18030", "81 30 81", "\ufffd"),
        ("gb18030", "81 30 41 81 30 80", "\ufffd0A\ufffd0€"),
        ("gb18030", "81 30 81 41 81 30 B0 A1", "\ufffd0丄\ufffd0啊"),
        ("gb18030", "81 30 81 81 30 81 30", "\ufffd0亖0\ufffd"),
        ("gb18030", "81 3A 81 7F 81 FF 41", "\ufffd:\ufffd\x7f\ufffdA"),
        ("ISO-2022-JP", "41 0E 0F 80 5C 7E", "A\ufffd\ufffd\ufffd\\~"),
        ("ISO-2022-JP", "1B284A 41 0E 5C 7E 1B2842 5C", "A\ufffd¥‾\\"),
        ("ISO-2022-JP", "1B2849 20 21 5F 60 A1", "\ufffd｡ﾟ\ufffd\ufffd"),
        ("ISO-2022-JP", "1B2442 2422 1B2440 3021 1B2842 41", "あ亜A"),
        ("ISO-2022-JP", "1B2442 2422 24", "あ\ufffd"),
        ("ISO-2022-JP", "1B2442 24 1B2842 41", "\ufffdA"),
        ("ISO-2022-JP", "1B2442 24 0A 2422 0A A4 2422", "\ufffdあ\ufffd\ufffdあ"),
        ("ISO-2022-JP", "1B2442 2921 2422", "\ufffdあ"),
        ("ISO-2022-JP", "1B2842 1B284A", "\ufffd"),
        ("ISO-2022-JP", "1B284A 5C 1B2842 1B284A 5C 1B2842", "¥\ufffd¥"),
        ("ISO-2022-JP", "1B2842 1B 1B284A 5C", "\ufffd¥"),
        ("ISO-2022-JP", "1B", "\ufffd"),
        ("ISO-2022-JP", "1B 24", "\ufffd$"),
        ("ISO-2022-JP", "1B 28 41", "\ufffd(A"),
        ("ISO-2022-JP", "1B 1B 2442 2422", "\ufffdあ"),
        ("ISO-2022-JP", "1B2442 1B 2422", "\ufffdあ"),
        ("ISO-2022-JP", "1B2842 1B 41 1B284A 5C", "\ufffdA¥"),
        ("replacement", "41 42 C3", "\ufffd"),
        ("UTF-16BE", "FEFF D83D DE00 0041", "\ufeff😀A"),
        ("UTF-16LE", "3DD8 00DE 4100 3DD8", "😀A\ufffd"),
        ("UTF-16LE", "3DD8 4100 00DE 4100", "\ufffdA\ufffdA"),
        ("UTF-16LE", "3DD8 3DD8 00DE 41", "\ufffd😀\ufffd"),
        ("UTF-16LE", "4100 3DD8 00", "A\ufffd"),
        ("UTF-16LE", "00DE 00", "\ufffd\ufffd"),
        ("x-user-defined", "41 80 FF", "A\uf780\uf7ff"),
        ("windows-1252", "80 81 9D FF", "€\x81\x9dÿ"),
        ("windows-1253", "81 AA D2 FF", "\x81\ufffd\ufffd\ufffd"),
        ("windows-1255", "CA D9", "\u05ba\ufffd"),
        ("windows-874", "81 DB FC", "\x81\ufffd\ufffd"),
        ("KOI8-U", "AE BE", "ўЎ"),
        ("ISO-8859-8-I", "A1 E0", "\ufffdא"),
        ("macintosh", "DB F0", "€\uf8ff"),
    ],
)
def test_decode(name: str, data: str, text: str) -> None:
    assert get_encoding(name).decode(bytes.fromhex(data)) == text


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("UTF-8", "aé😀\0", [b"a\xc3\xa9\xf0\x9f\x98\x80\0"]),
        ("windows-1252", "a€é\x80\x81ÿ😀", [b"a\x80\xe9", 0x80, b"\x81\xff", 0x1F600]),
        ("windows-1252", "ÿabc", [b"\xffabc"]),
        ("ISO-8859-2", "éñ\x80", [b"\xe9", 0xF1, b"\x80"]),
        ("x-user-defined", "a\x80\uf77f\uf780\uf7ff\uf800", [b"a", 0x80, 0xF77F, b"\x80\xff", 0xF800]),
        # Not the Hong Kong part; the last pointer of six duplicates, the first of the others.
        ("Big5", "一㡵ê€\x80", [b"\xa4\x40", 0x3875, 0xEA, b"\xa3\xe1", 0x80]),
        ("Big5", "═╞╡╪十卅", [b"\xf9\xf9\xf9\xe9\xf9\xeb\xf9\xea\xa4\x51\xa4\xca"]),
        ("Big5", "兀嗀", [b"\xa4\x61\xdc\xd1"]),
        ("EUC-KR", "가갂ÿ", [b"\xb0\xa1\x81\x41", 0xFF]),
        (
            "GBK",
            "€啊\ue5e5\ue7c7ḿ\ue78d︐\u3000😀\x80",
            [b"\x80\xb0\xa1", 0xE5E5, 0xE7C7, b"\xa8\xbc\xa6\xd9\xa6\xd9\xa1\xa1", 0x1F600, 0x80],
        ),
        ("gb18030", "€\ue5e5\ue7c7", [b"\xa2\xe3", 0xE5E5, b"\x81\x35\xf4\x37"]),
        ("gb18030", "ḿ\ue78d︐\ue864龻\u3000", [b"\xa8\xbc\xa6\xd9\xa6\xd9\xfe\xa0\xfe\xa0\xa1\xa1"]),
        ("gb18030", "\x80😀\U0010ffff", [b"\x81\x30\x81\x30\x94\x39\xfc\x36\xe3\x32\x9a\x35"]),
        ("EUC-JP", "¥‾−－ｱあ丂", [b"\\~\xa1\xdd\xa1\xdd\x8e\xb1\xa4\xa2", 0x4E02]),
        ("Shift_JIS", "¥‾\x80−ｱあ", [b"\\~\x80\x81\x7c\xb1\x82\xa0"]),
        # NEC row 13 before IBM's, IBM's before NEC's selection of them.
        ("Shift_JIS", "∵Ⅰ纊ⅰ\ue000", [b"\x81\xe6\x87\x54\xfa\x5c\xfa\x40", 0xE000]),
        ("ISO-2022-JP", "aあb", [b"a\x1b$B\x24\x22\x1b(Bb"]),
        ("ISO-2022-JP", "あ", [b"\x1b$B\x24\x22\x1b(B"]),
        ("ISO-2022-JP", "¥a\\¥~‾", [b"\x1b(J\\a\x1b(B\\\x1b(J\\\x1b(B~\x1b(J~\x1b(B"]),
        ("ISO-2022-JP", "¥あ‾", [b"\x1b(J\\\x1b$B\x24\x22\x1b(J~\x1b(B"]),
        ("ISO-2022-JP", "\x0ea\x0f\x1b", [0xFFFD, b"a", 0xFFFD, 0xFFFD]),
        ("ISO-2022-JP", "あ\x1bい", [b"\x1b$B\x24\x22\x1b(B", 0xFFFD, b"\x1b$B\x24\x24\x1b(B"]),
        ("ISO-2022-JP", "あ😀い", [b"\x1b$B\x24\x22\x1b(B", 0x1F600, b"\x1b$B\x24\x24\x1b(B"]),
        ("ISO-2022-JP", "¥\x0f€¥", [b"\x1b(J\\", 0xFFFD, 0x20AC, b"\\\x1b(B"]),
        ("ISO-2022-JP", "\x80ÿ", [0x80, 0xFF]),
        ("ISO-2022-JP", "ｱﾞﾟ−", [b"\x1b$B\x25\x22\x21\x2b\x21\x2c\x21\x5d\x1b(B"]),
        ("ISO-2022-JP", "\x7fa\n", [b"\x7fa\n"]),
    ],
)
def test_encode(name: str, text: str, parts: list[bytes | int]) -> None:
    assert get_encoding(name).encode(text) == parts


# https://url.spec.whatwg.org/#example-percent-encode-operations
@pytest.mark.parametrize(
    ("name", "unescaped", "text", "encoded"),
    [
        ("Shift_JIS", None, " ", "%20"),
        ("Shift_JIS", None, "≡", "%81%DF"),
        ("Shift_JIS", None, "‽", "%26%238253%3B"),
        ("ISO-2022-JP", None, "¥", "%1B(J\\%1B(B"),
        ("Shift_JIS", "*-._", "1+1 ≡ 2%20‽", "1%2B1+%81%DF+2%2520%26%238253%3B"),
    ],
)
def test_percent_encode_after_encoding(name: str, unescaped: str | None, text: str, encoded: str) -> None:
    def percent_encode(byte: int) -> str:
        character = chr(byte)
        if unescaped is None:
            kept = "!" <= character <= "~" and character not in "\"#<>'"
        elif character == " ":
            return "+"
        else:
            kept = character.isascii() and (character.isalnum() or character in unescaped)
        return character if kept else f"%{byte:02X}"

    parts = get_output_encoding(name).encode(text)
    output = ("".join(map(percent_encode, part)) if isinstance(part, bytes) else f"%26%23{part}%3B" for part in parts)
    assert "".join(output) == encoded


def is_linear(run: Callable[[int], object]) -> bool:
    """Whether sixteen times the input costs less than 80 times the time; quadratic is 256."""
    costs = []
    for times in (1, 16):
        best = float("inf")
        for _ in range(3):
            start = process_time()  # clock: timed
            run(times)
            best = min(best, process_time() - start)
        costs.append(best)
    return costs[1] < 80 * max(costs[0], 1e-4)


@pytest.mark.timed
@pytest.mark.parametrize(
    ("name", "unit", "text"),
    [
        ("Big5", b"\x81\x81", "\ufffd"),
        ("EUC-JP", b"\x8f\xa1", "\ufffd"),
        ("gb18030", b"\x810\x810", "\x80"),
        ("ISO-2022-JP", b"\x1b", "\ufffd"),
        ("ISO-2022-JP", b"\x1b(J\x80", "\ufffd"),
        ("UTF-16LE", b"\0\xd8", "\ufffd"),
    ],
)
def test_decodes_errors_in_linear_time(name: str, unit: bytes, text: str) -> None:
    decode = get_encoding(name).decode
    data = unit * 10_000
    assert decode(data) == text * 10_000
    assert is_linear(lambda times: decode(data * times))


@pytest.mark.timed
@pytest.mark.parametrize("name", ["windows-1252", "Big5", "GBK", "ISO-2022-JP"])
def test_encodes_errors_in_linear_time(name: str) -> None:
    encode = get_encoding(name).encode
    text = "a😀" * 10_000
    assert encode(text) == [b"a", 0x1F600] * 10_000
    assert is_linear(lambda times: encode(text * times))
