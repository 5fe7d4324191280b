"""Labels of domains that people may take for something else, beside those of many languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import chain
from random import Random

from weburl import InvalidURL
from weburl._hosts.spoofing import EAST_ASIAN
from weburl._unicode.confusables import PROTOTYPES, scripts_of
from weburl._unicode.identifiers import may_be_shown
from weburl.hosts import Host, parse_host

# The code points of the blocks for right-to-left characters: Hebrew to Arabic Extended-A, the presentation forms of
# Hebrew and of Arabic, and two parts of the plane above.
RIGHT_TO_LEFT = frozenset(
    chain(
        range(0x590, 0x900), range(0xFB1D, 0xFE00), range(0xFE70, 0xFF00), range(0x10800, 0x11000),
        range(0x1E800, 0x1F000),
    )
)  # fmt: skip
ALPHABETS = {
    "Latin": "abcdefghijklmnopqrstuvwxyz"
    "\u00e0\u00e9\u00ee\u00f6\u00fc\u00f1\u00e5\u00f8\u00e6\u0153\u0142\u0111\u015f\u011f\u0131\u1ea1\u1ed9",
    "Cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґў",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψωάέή",
    "Armenian": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    "Hebrew": "אבגדהוזחטיכלמנסעפצקרשתןםך",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "Devanagari": "अआइईउऊकखगघचछजझटठडढतथदधनपफबभमयरलवशषसह",
    "Bengali": "অআইঈউকখগঘচছজঝটঠডঢতথদধনপফবভমযরলশষসহ",
    "Thai": "กขคงจฉชซญดตถทธนบปผฝพฟภมยรลวศษสหอฮเแโใไ",
    "Georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    "Ethiopic": "ሀለሐመሠረሰቀበተነአከወዘየደገጠጸፈፐ",
    "Hangul": "가나다라마바사아자차카타파하한국",
    "Hiragana": "あいうえおかきくけこさしすせそたちつてとなにのはひふへほまみむめもやゆよらりるれろわん",
    "Katakana": "アイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモヤユヨラリルレロワンー",
    "Han": "日本国中文東京大学山川工一二十七丁人口木水火金土",
    "Bopomofo": "ㄅㄆㄇㄈㄉㄊㄋㄌ",
    "Cherokee": "ꭰꭱꭲꭺꭻꮃꮪ",
}
LIKE_ASCII = {
    "Cyrillic": "асеорхуіјѕһԁԛԝӏҽпкзтъыью",
    "Greek": "αονρυικτωηθ",
    "Armenian": "ոսօհզցքյգէլ",
    "Hebrew": "וסטחד",
    "Georgian": "იოყძხ",
    "Thai": "บพเแทนหรล",
    "Ethiopic": "ሠሰስበተ",
    "Devanagari": "०उ२",
    "Myanmar": "ဝငပထဂ",
}
DIGITS = "0123456789٠١٢٣۰۱۵०१२३৪৭২੧੨૧૨೧೩๐๑၀၁"
MARKS = "\u0300\u0301\u0307\u0308\u0327\u0331\u0338\u0323\u3099\u309a\u093c\u0e31"
SPECIAL = (
    "ßςþðə·ʻʼŀĸıȷƅɩæœǎḍạἀꙁꜣ\u200c\u200d\u30fb\u30fc\u30fd\u30fe\u3007\u2018\u2019\u2010\u05f4\u05f3\u2044\u29f8"
    "☃🔒😀★♥ª²ⅰﬁー丶丿乀ノソンゾへヘべペ"
)
ENDINGS = (
    "com",
    "com",
    "com",
    "org",
    "ru",
    "xn--p1ai",
    "gr",
    "is",
    "az",
    "cat",
    "th",
    "il",
    "jp",
    "am",
    "ge",
    "bg",
    "mk",
)


def labels(count: int, seed: int) -> list[str]:
    """Hosts of one label each below a name that nobody imitates; in ASCII."""
    random = Random(seed)
    names = list(ALPHABETS)
    prototypes = [chr(int(code, 16)) for codes in PROTOTYPES.values() for code in codes.split()]

    def word(letters: Sequence[str], longest: int = 6) -> str:
        return "".join(random.choices(letters, k=random.randint(1, longest)))

    def replaced(text: str, other: str) -> str:
        place = random.randrange(len(text) + 1)
        return text[:place] + other + text[place + random.randint(0, 1) :]

    def label() -> str:
        kind = random.random()
        one, two = random.choice(names), random.choice(names)
        if kind < 0.25:
            text = word(ALPHABETS[one])
        elif kind < 0.4:
            text = word(LIKE_ASCII[random.choice(list(LIKE_ASCII))])
        elif kind < 0.55:
            text = replaced(word(ALPHABETS[one]), word(ALPHABETS[two], 2))
        elif kind < 0.65:
            text = replaced(random.choice(("paypal", "google", "apple", "bank")), random.choice(prototypes))
        elif kind < 0.72:
            text = word(DIGITS) + random.choice(("", "", word(ALPHABETS[one], 2)))
        elif kind < 0.82:
            text = replaced(word(ALPHABETS[one]), random.choice(MARKS) * random.choice((1, 1, 2)))
        elif kind < 0.95:
            text = replaced(word(ALPHABETS[one]), word(SPECIAL, 2))
        else:
            text = f"{word(ALPHABETS['Latin'], 3)}{random.choice(('-', ''))}{word(ALPHABETS[one])}"
        return replaced(text, random.choice("0123456789-")) if random.random() < 0.1 else text

    found: dict[str, None] = {}
    while len(found) < count:
        host = parsed(f"{label()}.weburl-test.{random.choice(ENDINGS)}")
        if host is not None and host.labels[0].startswith("xn--") and len(host.labels) == 3:
            found[str(host)] = None
    return list(found)


def letters() -> list[str]:
    """Each letter and digit that identifiers may have, twice; those of East Asia between two letters of Latin."""
    found: dict[str, None] = {}
    for character in filter(may_be_shown, map(chr, range(0x80, 0x110000))):
        is_east_asian = not EAST_ASIAN.isdisjoint(scripts_of(character))
        if "Hangul" in scripts_of(character) or unicodedata.category(character)[0] not in "LN":
            continue
        host = parsed(f"{f'a{character}a' if is_east_asian else character * 2}.weburl-test.com")
        if host is not None and host.labels[0].startswith("xn--"):
            found[str(host)] = None
    return list(found)


def parsed(text: str) -> Host | None:
    """The host, if its Unicode form parses to it again."""
    try:
        host = parse_host(text)
        return host if str(parse_host(host.unicode)) == str(host) else None
    except InvalidURL:
        return None


def is_right_to_left(text: str) -> bool:
    """Whether a character is of a block for right-to-left characters."""
    return not RIGHT_TO_LEFT.isdisjoint(map(ord, text))
