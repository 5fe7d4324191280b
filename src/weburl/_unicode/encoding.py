"""The encodings of the Encoding Standard, by their labels."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from codecs import charmap_build, charmap_encode
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from typing import Any

# Bytes are a str here, with a code point up to U+00FF for each, so that tables and regular expressions turn text into
# text. A code point that cannot be encoded stays as it is; if it would look like a byte, 0xDC00 is added. The text to
# encode has no surrogates.

# fmt: off
# The code points of the standard's indexes (of 2024-09-18), from each pointer on, where Python's codecs have others:
# its gb18030 is of the year 2000, its big5hkscs of 2004. Guarded by the digests in test_encoding.py.
DIFFERENCES: dict[str, dict[int, str]] = {
    "koi8_u": {46: "ў", 62: "Ў"},
    "cp1255": {74: "\u05ba"},
    "euc_jp": {116: "\uff5e"},
    "gb18030": {
        6555: "\u3000", 7182: "︐︒︑︓︔︕︖", 7201: "︗︘", 7208: "︙", 7533: "ḿ", 23775: "龴", 23783: "龵",
        23788: "龶龷", 23795: "龸", 23812: "龹", 23829: "龺", 23845: "龻",
    },
    "big5hkscs": {
        1000: "㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏"
        "䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋",
        2082: "箸", 2088: "簆", 2103: "糎", 2114: "緒", 2123: "縝", 2148: "者", 2151: "耨", 2221: "菁", 2239: "蒨",
        2244: "萏", 2303: "覦覩", 2354: "起", 2400: "都", 2413: "銹", 2477: "靜", 2498: "響", 2605: "鼖", 2673: "蔃",
        2746: "兙兛兝兞", 2771: "鍮", 2780: "瑹", 2990: "浧", 3087: "禛", 3259: "邗", 3301: "靝", 3436: "瀞",
        3451: "嬨", 4136: "爁", 4138: "矗", 4141: "纇", 4182: "駖", 4206: "釔", 4220: "惞", 4230: "澶", 4241: "輶",
        4258: "侻", 4273: "營", 4279: "鄄", 4282: "鷰", 4294: "菏", 4329: "尐秣", 4349: "婧", 4419: "輋", 4422: "筑",
        4494: "拐", 4624: "恢", 4694: "痹", 4708: "汊", 4742: "鬮", 4748: "鼗", 4815: "僭", 4828: "弌", 4902: "蠏",
        4922: "拎", 4982: "瑨", 4992: "煢", 4997: "牐", 5029: "\u2027", 5038: "\ufe51", 5120: "\xaf", 5153: "\uff5e",
        5168: "\u2295\u2299", 5182: "\u2215\ufe68", 5185: "\uffe5", 5187: "\uffe0\uffe1",
        5432: "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€", 10942: "廴", 10946: "无", 10948: "癶", 10950: "隶", 10957: "〃仝",
        19028: "倩", 19035: "偽", 19088: "包", 19096: "卄", 19112: "卿", 19162: "嘅", 19240: "婷", 19299: "幵",
        19305: "廐", 19326: "彘", 19355: "悤", 19398: "撐", 19439: "晴", 19454: "杞", 19553: "沜渝", 19557: "港",
        19611: "煮", 19643: "猪", 19672: "瑜", 19697: "瓩", 19748: "砉",
    },
}

# The code points of the two-byte part of GB18030-2000 at the same pointers.
GB18030_2000 = {
    6555: "\ue5e5", 7182: "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793", 7201: "\ue794\ue795", 7208: "\ue796",
    7533: "\ue7c7", 23775: "\ue81e", 23783: "\ue826", 23788: "\ue82b\ue82c", 23795: "\ue832", 23812: "\ue843",
    23829: "\ue854", 23845: "\ue864",
}
# fmt: on

# https://encoding.spec.whatwg.org/#names-and-labels
UTF_8_LABELS = {"unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"}

# Labels that webencodings 0.5.1 does not know or has for another encoding.
NEWER_LABELS = {
    **dict.fromkeys(("csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff"), "utf-16le"),
    **dict.fromkeys(("csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"), "replacement"),
    "koi8-ru": "koi8-u",
    "ms932": "shift_jis",
    "replacement": "replacement",
    "unicodefffe": "utf-16be",
}

ERROR = "\ufffd"


def chars(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


def pairs(leading: Iterable[str], trailing: Iterable[str]) -> list[str]:
    return [lead + trail for lead in leading for trail in trailing]


HALFWIDTH_KATAKANA = chars(0xFF61, 0xFF9F)
# https://encoding.spec.whatwg.org/#index-iso-2022-jp-katakana
FULLWIDTH_KATAKANA = (
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
    "゛゜"
)


# https://encoding.spec.whatwg.org/#indexes
def index(codec: str, sequences: list[str], keys: list[str] | None = None) -> dict[str, str]:
    """The code points of byte sequences, given in the order of their pointers; the keys are the sequences or `keys`."""
    code_points = "\n".join(sequences).encode("latin-1").decode(codec, "replace").split("\n")
    for pointer, different in DIFFERENCES.get(codec, {}).items():
        code_points[pointer : pointer + len(different)] = different
    pairs = zip(keys or sequences, code_points, strict=True)
    return {key: code_point for key, code_point in pairs if len(code_point) == 1 and code_point != ERROR}


def encode_table(code_points: dict[str, str]) -> dict[int, str]:
    """The first sequence of each code point."""
    table = {code: chr(0xDC00 + code) for code in range(0x80, 0x100)}
    table.update((ord(code_point), sequence) for sequence, code_point in reversed(code_points.items()))
    return table


class DecodeTable(dict[str, str]):
    def __missing__(self, sequence: str) -> str:
        if sequence.isascii():
            return sequence
        return ERROR + sequence[-1] if sequence[-1].isascii() else ERROR


Tables = tuple[DecodeTable, dict[int, str]]


# In pieces, as in idna.py.
NOT_ASCII = re.compile(r"[^\x00-\x7f]{1,1024}")
NOT_BYTE = re.compile(r"([^\x00-\xff])")


def split_encoded(encoded: str) -> list[bytes | int]:
    parts: list[bytes | int] = []
    for part in NOT_BYTE.split(encoded):
        if part >= "\u0100":
            code = ord(part)
            parts.append(code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code)
        elif part:
            parts.append(part.encode("latin-1"))
    return parts


class Encoding(ABC):
    """An encoding of the standard."""

    is_utf8 = False
    has_encoder = True

    def __init__(self, name: str) -> None:
        self.name = name
        # What label_of() returns.
        self.label = name.lower()

    def encode(self, text: str) -> list[bytes | int]:
        """The encoder's output; for each error, the code point stands between the bytes. `text` has no surrogates."""
        raise ValueError(f"{self.name} has no encoder")

    @abstractmethod
    def decode(self, data: bytes) -> str:
        """The decoder's output, with U+FFFD for each error. A byte order mark is not special."""


# https://encoding.spec.whatwg.org/#utf-8
class UTF8(Encoding):
    is_utf8 = True

    def encode(self, text: str) -> list[bytes | int]:
        return [text.encode()] if text else []

    def decode(self, data: bytes) -> str:
        return data.decode("utf-8", "replace")


# https://encoding.spec.whatwg.org/#shared-utf-16-decoder
class UTF16(Encoding):
    has_encoder = False

    def decode(self, data: bytes) -> str:
        text = data[: len(data) & ~1].decode(self.name, "surrogatepass")
        if len(data) & 1 and not "\ud800" <= text[-1:] <= "\udbff":
            text += ERROR
        return re.sub("[\ud800-\udfff]", ERROR, text)


# https://encoding.spec.whatwg.org/#replacement
class Replacement(Encoding):
    has_encoder = False

    def decode(self, data: bytes) -> str:
        return ERROR if data else ""


class TableEncoding(Encoding):
    """An encoding that has ASCII as the same bytes."""

    def __init__(self, name: str, make_tables: Callable[[], Tables], sequence: str) -> None:
        super().__init__(name)
        self.make_tables = make_tables
        # What the decoder takes at once, ASCII apart. After an error, it gives a last byte that is ASCII back.
        self.sequence = sequence

    @cached_property
    def tables(self) -> Tables:
        return self.make_tables()

    def encode(self, text: str) -> list[bytes | int]:
        table = self.tables[1]
        return split_encoded(NOT_ASCII.sub(lambda match: match[0].translate(table), text))

    def decode(self, data: bytes) -> str:
        table = self.tables[0]
        return "".join(map(table.__getitem__, re.findall(rf"[\x00-\x7f]+|{self.sequence}", data.decode("latin-1"))))


class SingleByteEncoding(TableEncoding):
    """An encoding that has a byte for each character."""

    def __init__(self, name: str, make_tables: Callable[[], Tables]) -> None:
        super().__init__(name, make_tables, r"[\x80-\xff]")

    @cached_property
    def charmap(self) -> Any:
        """What Python's codecs encode with: all in C."""
        table = self.tables[1]
        characters = {sequence: chr(code) for code, sequence in table.items() if sequence <= "\xff"}
        # U+FFFE stands for no character.
        return charmap_build(chars(0, 0x7F) + "".join(characters.get(byte, "\ufffe") for byte in chars(0x80, 0xFF)))

    def encode(self, text: str) -> list[bytes | int]:
        try:
            return [charmap_encode(text, "strict", self.charmap)[0]] if text else []
        except UnicodeEncodeError:
            return super().encode(text)


# https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
def single_byte_tables(codec: str) -> Tables:
    code_points = index(codec, list(chars(0x80, 0xFF)))
    for control in chars(0x80, 0x9F):
        code_points.setdefault(control, control)
    return DecodeTable(code_points), encode_table(code_points)


# https://encoding.spec.whatwg.org/#x-user-defined
def x_user_defined_tables() -> Tables:
    code_points = dict(zip(chars(0x80, 0xFF), chars(0xF780, 0xF7FF), strict=True))
    return DecodeTable(code_points), encode_table(code_points)


# https://encoding.spec.whatwg.org/#euc-kr
def euc_kr_tables() -> Tables:
    code_points = index("cp949", pairs(chars(0x81, 0xFE), chars(0x41, 0xFE)))
    return DecodeTable(code_points), encode_table(code_points)


# https://encoding.spec.whatwg.org/#big5
def big5_tables() -> Tables:
    code_points = index("big5hkscs", pairs(chars(0x81, 0xFE), chars(0x40, 0x7E) + chars(0xA1, 0xFE)))
    two = {"\x88\x62": "Ê\u0304", "\x88\x64": "Ê\u030c", "\x88\xa3": "ê\u0304", "\x88\xa5": "ê\u030c"}
    # https://encoding.spec.whatwg.org/#index-big5-pointer
    encodable = {sequence: code_point for sequence, code_point in code_points.items() if sequence >= "\xa1"}
    last = {ord(code_point): sequence for sequence, code_point in encodable.items() if code_point in "═╞╡╪十卅"}
    return DecodeTable(code_points | two), encode_table(encodable) | last


def shift_jis_pairs() -> list[str]:
    return pairs(chars(0x81, 0x9F) + chars(0xE0, 0xFC), chars(0x40, 0x7E) + chars(0x80, 0xFC))


def jis0208(base: int) -> dict[str, str]:
    """The index by pairs of bytes from `base` on. Pointers outside these pairs are duplicates of others."""
    square = pairs(chars(base, base + 93), chars(base, base + 93))
    return index("cp932", shift_jis_pairs()[: len(square)], square)


def japanese_encode_table(code_points: dict[str, str], katakana: Iterable[str]) -> dict[int, str]:
    table = encode_table(code_points) | {0xA5: "\\", 0x203E: "~"}
    table[0x2212] = table[0xFF0D]
    table.update(zip(map(ord, HALFWIDTH_KATAKANA), katakana, strict=True))
    return table


# https://encoding.spec.whatwg.org/#shift_jis
def shift_jis_tables() -> Tables:
    # cp932 includes the private use area that the standard's decoder has at pointers 8836 to 10715.
    code_points = index("cp932", shift_jis_pairs())
    katakana = chars(0xA1, 0xDF)
    single = {"\x80": "\x80", **dict(zip(katakana, HALFWIDTH_KATAKANA, strict=True))}
    # https://encoding.spec.whatwg.org/#index-shift_jis-pointer
    encodable = {sequence: code for sequence, code in code_points.items() if not "\xed" <= sequence < "\xfa"}
    return DecodeTable(code_points | single), japanese_encode_table(encodable, katakana) | {0x80: "\x80"}


# https://encoding.spec.whatwg.org/#euc-jp
def euc_jp_tables() -> Tables:
    code_points = jis0208(0xA1)
    katakana = pairs("\x8e", chars(0xA1, 0xDF))
    single = dict(zip(katakana, HALFWIDTH_KATAKANA, strict=True))
    jis0212 = index("euc_jp", pairs("\x8f", pairs(chars(0xA1, 0xFE), chars(0xA1, 0xFE))))
    return DecodeTable(code_points | single | jis0212), japanese_encode_table(code_points, katakana)


def gb18030_pairs() -> list[str]:
    return pairs(chars(0x81, 0xFE), chars(0x40, 0x7E) + chars(0x80, 0xFE))


@cache
def gb18030_index() -> dict[str, str]:
    return index("gb18030", gb18030_pairs())


def gb18030_2000() -> dict[str, str]:
    """The pairs that have other code points in GB18030-2000."""
    sequences = gb18030_pairs()
    return {
        sequence: code_point
        for pointer, code_points in GB18030_2000.items()
        for sequence, code_point in zip(sequences[pointer:], code_points, strict=False)
    }


# https://encoding.spec.whatwg.org/#index-gb18030-ranges: in order, the code points without a pair in GB18030-2000.
@cache
def gb18030_ranges() -> tuple[list[int], list[int]]:
    """The pointer and the code point at which each range begins."""
    two_byte = {*(gb18030_index() | gb18030_2000()).values(), *chars(0xD800, 0xDFFF)}
    rest = [code for code in range(0x80, 0x10000) if chr(code) not in two_byte]
    pointers = [pointer for pointer, code in enumerate(rest) if pointer == 0 or rest[pointer - 1] != code - 1]
    return [*pointers, 189000], [*(rest[pointer] for pointer in pointers), 0x10000]


class GB18030DecodeTable(DecodeTable):
    def __missing__(self, sequence: str) -> str:
        if sequence.isascii() or not "0" <= sequence[-1] <= "9":
            return super().__missing__(sequence)
        if len(sequence) < 4:
            return ERROR
        # https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
        first, second, third, fourth = sequence.encode("latin-1")
        pointer = (first - 0x81) * 12600 + (second - 0x30) * 1260 + (third - 0x81) * 10 + fourth - 0x30
        if 39419 < pointer < 189000 or pointer > 1237575:
            return ERROR
        pointers, code_points = gb18030_ranges()
        place = bisect_right(pointers, pointer) - 1
        return chr(code_points[place] + pointer - pointers[place])


class GB18030EncodeTable(dict[int, str]):
    # https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer
    def __missing__(self, code: int) -> str:
        pointers, code_points = gb18030_ranges()
        place = bisect_right(code_points, code) - 1
        pointer = pointers[place] + code - code_points[place]
        first, second = 0x81 + pointer // 12600, 0x30 + pointer // 1260 % 10
        third, fourth = 0x81 + pointer // 10 % 126, 0x30 + pointer % 10
        return f"{first:c}{second:c}{third:c}{fourth:c}"


@cache
def gb18030_decode_table() -> DecodeTable:
    return GB18030DecodeTable(gb18030_index() | {"\x80": "€", "\x81\x35\xf4\x37": "\ue7c7"})


def gb18030_two_byte_encode_table() -> dict[int, str]:
    older = {ord(code_point): sequence for sequence, code_point in gb18030_2000().items()}
    del older[0xE5E5], older[0xE7C7]
    return encode_table(gb18030_index()) | older


# https://encoding.spec.whatwg.org/#gbk
def gbk_tables() -> Tables:
    return gb18030_decode_table(), gb18030_two_byte_encode_table() | {0x20AC: "\x80"}


# https://encoding.spec.whatwg.org/#gb18030
def gb18030_tables() -> Tables:
    two_byte = {code: sequence for code, sequence in gb18030_two_byte_encode_table().items() if sequence < "\u0100"}
    return gb18030_decode_table(), GB18030EncodeTable(two_byte | {0xE5E5: "\ue5e5", 0xE7C7: "\x81\x35\xf4\x37"})


# https://encoding.spec.whatwg.org/#iso-2022-jp
class ISO2022JP(Encoding):
    ASCII, ROMAN, KATAKANA, JIS0208, JIS0208_1978 = "(B", "(J", "(I", "$B", "$@"

    @cached_property
    def single_byte_tables(self) -> dict[str, str]:
        control = dict.fromkeys((0x0E, 0x0F), ERROR)
        ascii_table = chars(0, 0x7F).translate(control) + ERROR * 128
        return {
            self.ASCII: ascii_table,
            self.ROMAN: ascii_table.translate({0x5C: "¥", 0x7E: "‾"}),
            self.KATAKANA: ERROR * 0x21 + HALFWIDTH_KATAKANA + ERROR * 0xA0,
        }

    @cached_property
    def jis0208(self) -> dict[str, str]:
        return jis0208(0x21)

    @cached_property
    def encode_table(self) -> dict[int, str]:
        table = encode_table(self.jis0208)
        table = japanese_encode_table(self.jis0208, [table[ord(kana)] for kana in FULLWIDTH_KATAKANA])
        return table | dict.fromkeys((0x0E, 0x0F, 0x1B), ERROR)

    def encode(self, text: str) -> list[bytes | int]:
        output = []
        state = self.ASCII
        for run in re.findall(r"[\x00-\x0d\x10-\x1a\x1c-\x5b\x5d-\x7d\x7f]+|[\x00-\U0010ffff]", text):
            encoded = run.translate(self.encode_table)
            needed = self.ASCII if state == self.JIS0208 else state
            if run in "\\~":
                needed = self.ASCII
            elif run in "¥‾":
                needed = self.ROMAN
            elif run >= "\x80" and encoded < "\x80":
                needed = self.JIS0208
            if needed != state:
                output.append("\x1b" + needed)
                state = needed
            output.append(encoded)
        if state != self.ASCII:
            output.append("\x1b" + self.ASCII)
        return split_encoded("".join(output))

    def decode(self, data: bytes) -> str:
        first, *rest = data.decode("latin-1").split("\x1b")
        state = self.ASCII
        output = [self.decode_run(state, first)]
        after_escape = False
        for piece in rest:
            escape, run = piece[:2], piece[2:]
            if escape in (self.ASCII, self.ROMAN, self.KATAKANA, self.JIS0208, self.JIS0208_1978):
                state = escape
                if after_escape:
                    output.append(ERROR)
                after_escape = True
            else:
                run = piece
                output.append(ERROR)
                after_escape = False
            if run:
                output.append(self.decode_run(state, run))
                after_escape = False
        return "".join(output)

    def decode_run(self, state: str, run: str) -> str:
        if state in self.single_byte_tables:
            return run.translate(self.single_byte_tables[state])
        # A lead byte takes any byte after it as its trail byte.
        sequences = re.findall(r"[\x21-\x7e][\x00-\xff]?|[\x00-\xff]", run)
        return "".join(self.jis0208.get(sequence, ERROR) for sequence in sequences)


UTF_8 = UTF8("UTF-8")

SINGLE_BYTE = {
    "IBM866": "cp866",
    **{f"ISO-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "ISO-8859-8-I": "iso8859_8",
    "KOI8-R": "koi8_r",
    "KOI8-U": "koi8_u",
    "macintosh": "mac_roman",
    **{f"windows-{page}": f"cp{page}" for page in (874, *range(1250, 1259))},
    "x-mac-cyrillic": "mac_cyrillic",
}

PAIR = r"[\x81-\xfe][\x00-\xff]?|[\x80\xff]"
EUC_JP_SEQUENCE = r"\x8f[\xa1-\xfe][\x00-\xff]?|[\x8e\x8f\xa1-\xfe][\x00-\xff]?|[\x80-\xff]"
SHIFT_JIS_SEQUENCE = r"[\x81-\x9f\xe0-\xfc][\x00-\xff]?|[\x80-\xff]"
GB18030_SEQUENCE = r"[\x81-\xfe](?:[0-9](?:[\x81-\xfe][0-9]|[\x81-\xfe]?\Z)|[^0-9])?|[\x80\xff]"

ENCODINGS: dict[str, Encoding] = {
    encoding.label: encoding
    for encoding in (
        UTF_8,
        *(SingleByteEncoding(name, partial(single_byte_tables, codec)) for name, codec in SINGLE_BYTE.items()),
        TableEncoding("GBK", gbk_tables, GB18030_SEQUENCE),
        TableEncoding("gb18030", gb18030_tables, GB18030_SEQUENCE),
        TableEncoding("Big5", big5_tables, PAIR),
        TableEncoding("EUC-JP", euc_jp_tables, EUC_JP_SEQUENCE),
        ISO2022JP("ISO-2022-JP"),
        TableEncoding("Shift_JIS", shift_jis_tables, SHIFT_JIS_SEQUENCE),
        TableEncoding("EUC-KR", euc_kr_tables, PAIR),
        Replacement("replacement"),
        UTF16("UTF-16BE"),
        UTF16("UTF-16LE"),
        SingleByteEncoding("x-user-defined", x_user_defined_tables),
    )
}


# Those that were asked for, by their labels in lower case: not more than there are labels.
asked: dict[str, Encoding] = {}


# https://encoding.spec.whatwg.org/#concept-encoding-get
def get_encoding(label: str) -> Encoding:
    """The encoding with this label. LookupError if there is none; ImportError if webencodings is needed to tell."""
    if not isinstance(label, str):
        from weburl._advice import wrong_type

        raise wrong_type(label, "encoding must be a str")
    encoding = asked.get(label)
    if encoding is not None:
        return encoding
    key = label.strip("\t\n\f\r ")
    if key.isascii():
        key = key.lower()
        if key in UTF_8_LABELS:
            return UTF_8
        try:
            from webencodings import LABELS
        except ImportError as error:
            message = f"the encoding {_shown(label)} needs webencodings: pip install weburl[encodings]"
            raise ImportError(message) from error
        name = NEWER_LABELS.get(key) or LABELS.get(key)
        if name is not None:
            asked[str.__str__(key)] = encoding = ENCODINGS[name]
            return encoding
    raise LookupError(f"unknown encoding label: {_shown(label)}")


def _shown(label: str) -> str:
    """A label in quotes. Somebody may have given a URL for it: what may be its credentials or its query is hidden."""
    _, at, rest = label.rpartition("@")
    shown = f"***@{rest}"[:100] if at else label[:100]
    place = next((place for place, character in enumerate(shown) if character in "?#&;="), None)
    return ascii(shown if place is None else f"{shown[: place + 1]}***")


# https://encoding.spec.whatwg.org/#get-an-output-encoding
def get_output_encoding(label: str) -> Encoding:
    """The encoding for output: UTF-8 if the encoding with this label cannot encode."""
    encoding = get_encoding(label)
    return encoding if encoding.has_encoder else UTF_8
