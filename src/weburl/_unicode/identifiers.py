"""Which characters the label of a domain may have where people see it: UTS #39, and what Chromium's policy adds.

The table of allowed characters is made by tools/identifiers.py, and guarded by tests/test_displayed_labels.py.
https://chromium.googlesource.com/chromium/src/+/main/docs/idn.md
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

SOURCE: Final = "Unicode 17.0.0: IdentifierStatus.txt (UTS #39)"

# Rare Latin, Cyrillic and Greek; overlays, hyphens, quotation marks, Kra.
NOT_SHOWN: Final = re.compile(
    "[\u0138\u01cd-\u01dc\u02bb\u02bc\u02ec\u0338\u058a\u1c80-\u1c8f\u1e00-\u1e9b\u1f00-\u1fff\u2010\u2019\u2027\u30a0"
    "\ua640-\ua69f\ua720-\ua7ff]"
)
# Letters that only some languages have, and the top-level domains of these: eth, thorn and schwa.
AT_HOME: Final = {"\u00f0": ("is", "fo"), "\u00fe": ("is", "fo"), "\u0259": ("az",)}

# The country codes under which words in a script are shown even if they look like ASCII. Others need that script.
COUNTRIES: Final = {
    "am": "Armenian",
    **dict.fromkeys(("bg", "by", "kz", "ru", "su", "ua", "uz"), "Cyrillic"),
    "er": "Ethiopic",
    "et": "Ethiopic",
    "ge": "Georgian",
    "gr": "Greek",
    "il": "Hebrew",
    "mm": "Myanmar",
    "th": "Thai",
}

# Letters and digits that are look-alikes of ASCII for Chromium 150, which does not show a label of these alone, and not
# in confusables.txt. Measured on Linux, where it has more Thai letters than on other systems.
LOOKALIKES: Final = """
Armenian 567 56C 573 577 Bengali 993 9E8 Cyrillic 437 43A 43F 442 44A 44B 44C 44E 499 4E1 Devanagari 909 968
Ethiopic 1220 1230 1235 1260 1270 1290 12A8 12D5 12D8 1320 1350 Georgian 10D5 10D8 10D9 10DD 10DE 10EB 10EE
Greek 3B7 3B8 3BA 3C4 3C9 Gujarati A9F AA1 AE7 AE8 AED Gurmukhi A24 A5C Hebrew 5D3 5D7 Kannada CE7 CE9 CED
Malayalam D27 D28 D31 Myanmar 1001 1002 1011 1012 1015 1042 105C Tamil B9F BAA
Thai E14 E17 E19 E1A E1B E1E E1F E21 E23 E25 E2B E40 E41
"""
# Those of them, and of confusables.txt, that look like digits: they look so in a word of their language, too.
LIKE_DIGITS: Final = frozenset("\u03b8\u0437\u0499\u04e1\u0573\u0909\u0993\u0a24\u0a5c\u1012\u10d5\u10d9\u10de")

# Letters that look like hyphens, slashes and Latin letters: Chromium 150 does not show the first ones before or after a
# character that is not East Asian, and the others not between two such characters. Measured.
STROKES: Final = frozenset(
    "\u3007\u4e00\u4e01\u4e03\u4e05\u4e28\u4e36\u4e5b\u4e85\u4e8c\u4ea0\u5196\u5341\u5b80\u5ddb\u5de5\u8ba0"
)
BETWEEN: Final = frozenset("\u30bd\u30be\u30ce\u30f3\u4e3f\u4e40\u4e41")


@cache
def lookalikes() -> frozenset[str]:
    """Letters and digits that look like ASCII, though confusables.txt does not say so."""
    return frozenset([chr(int(token, 16)) for token in LOOKALIKES.split() if token == token.upper()])


@cache
def _edges() -> list[int]:
    return list(accumulate([int(run, 16) for run in RUNS.split()]))


@lru_cache(maxsize=4096)
def may_be_shown(character: str) -> bool:
    """Whether a character that is not ASCII is allowed in identifiers, and is not one that the policy takes out."""
    return bisect_right(_edges(), ord(character)) % 2 == 1 and NOT_SHOWN.match(character) is None


# How many code points are not allowed, and how many are after them, and so on, in hexadecimal.
RUNS: Final = """
B7 1 8 17 1 1F 1 1C 2 16 2 4 2 4 1 6 2 8 1 4 2 6 2 A 2 1B 2 1 4 1 2 2 3 5 1 1 1 4 3 1 2 2 D 2 1 3 2 1 15 8 8 1 8 4 4 2
8 2 1E 4 28 1 7 2 5 2 1 2 1 1 1 1 7 1 4 2 8 1 16 1 1 1 6 1 28 2 43 5 1 7 E 1 7 1 2 3 8 1 54 1 1 3 1 1 1 14 1 2C 32 C 1
42 1 C 1 2 30 C 2 8 2 10 2 7 E B 2 E 4 8 2 2 2A 2 B 26 A 26 3 1 45 1B 8 2 2B 1B 2 1 3 12 1 2 A A 6 1 1 1 1 1 4 17 1 A 4
2 1 1 1 8 1 5 1 1 1 3 2 5 1 14 1 1 18 C 3 3 51 2 3 1 9 1 1 2 2 3 1 1 3 4 E 32 DD 1 10 1 1 8 11 8 4 1 39 3 1 7 1 1C 1 A
1 8 1 6 1 9 1 1 6 2 E A 2 6 3 2 1 2 1 3 1 7 3 2 2 16 1 7 1 1 3 4 2 1 1 7 2 2 2 4 17 C 10 1 2 6 4 2 2 16 1 7 1 1 2 1 2 2
2 1 1 5 4 2 2 3 E 1 13 2 10 2 1 9 1 3 1 16 1 7 1 2 1 5 2 1 1 8 1 3 1 3 18 A 11 3 1 7 3 2 2 16 1 7 1 2 2 4 2 1 1 6 3 2 2
3 8 1 8 1 11 1 11 1 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 C 4 5 3 3 1 4 34 2 1 7 2 3 1 17 1 7 1 2 1 5 4 7 1 3 1 4 34 2 1 7
2 3 1 17 1 7 1 2 1 5 4 6 2 3 1 4 18 A 12 2 1 7 2 3 1 17 1 10 4 6 2 3 1 2 1 1 9 1 22 6 2 2 1 9 3 6 3 4 1 13 1 9 1 1 2 7
3 1 4 6 1 1 1 7 13 1 E 32 1 7 5 E 2 A 27 2 1 1 2 2 1 1 2 1 6 4 1 7 1 3 1 1 1 1 2 2 1 2 1 3 1 6 1 3 2 5 1 1 1 6 2 A 31 1
14 A 16 3 1 4 1 4 1 4 1 4 1 4 1 C 8 2 1 1 5 7 3 1 B 3 1 4 1 4 1 4 1 4 1 4 1 1 3 8 1 3 43 4A 10 B 10 16 4 1 37 1 5 1 2
21 10F 7 1 41 1 4 2 7 1 1 1 4 2 27 1 1 1 4 2 1F 1 1 1 4 2 7 1 1 1 4 2 F 1 20 8 F 1 1 1 4 2 7 1 27 1 12 426 1D 2 4 2 3 2
A 2 18 2 1 1 1 D A 4A6 2B 2 3 14C 2 4 2 C 2 2 2 10 2 4 4 2 A E 2 6 2 8 2 2 2 1A 2 4 2 A 1 1 5A A6 10 2 3 37 1 23 1 8 1
D 1 FDD 3 39 56 6 2 1 5F 348 1 2B 1 70 1 92 1 26 1 2 1 B 1 11 1 E 1 24 1 A 1 F 1 B 1 2FD 1 47 1 D 1 60 2 A 1 3 1 18 1 5
1 19 1 39 1 9 1 A 1 B 1 C5 1 14 1 54 1 CA 1 71 1 106 1 3 1 88 1 5B 1 185 1 E 1 4 1 50 1 23 1 57 1 27 1 1D7 1 74 1 4 1
21 1 9 1 65 1 92 1 13 1 11B 1 45 1 14 1 C1 1 5 1 52 1 10 1 66 1 8D 1 C4 1 32 1 2 1 4 2 1 2 14 1 3 1 16 2 5A 1 A5 1 1BE
1 5 1 3 1 3 1 17 7 6F 7 94 1 51 12 1 16 1 3E 1 10 1 1C 1 C 1 18 1 F 1 1A 1 10 3 1 1 1 1 8 1 E 1 11 1 8 1 3 1 1 1 8 1 3
1 2C 1 1A 1 1 1 13 1 1A 1 8 1 1 1 3 1 15 1 19 2 12 1 23 1 3 1 4 1 4 1 F 1 5 1 23 1 4 1 11 1 3 1 7 3 17 1 9 1 14 1 6 1 1
2 8 1 8 1 2 1 23 1 C 1 2 1 16 1 7 1 4 1 3 1 4 1 7 1 3 1 D 1 B 1 4 2 9 1 12 1 1 1 9 1 A 1 1 1 7 1 F 2 B 1 C 1 1 1 3 1 60
1 12 1 12 1 B 1 8 1 35 1 3 1 3 1 1 1 2 1 2 1 C 1 3 1 8 1 14 2 13 1 2 1 2 1 8 1 1 1 8 1 2 2 B 1 18 1 1 1 C 1 2 1 12 1 20
1 8 2 3 1 A 1 A 1 9 1 D 2 8 1 17 2 19 1 7 1 29 1 10 1 B 1 20 1 2A 1 40 1 1E 1 2 2 2D 1 18 1 19 1 65 1 17 1 11 2 14 1 A
1 B 1 4 1 7 1 6 1 5 1 4 1 8 1 1 1 13 1 7 1 A 1 2 1 A 1 7 1 1B 1 14 1 9 1 C 1 F 1 1 1 2 2 8 1 B 1 5 1 9 1 2 1 18 1 5 1 4
1 C 2 1 1 A 1 14 1 8 1 5 1 E 1 11 1 21 1 6 1 9 1 3B 2 37 1 5 1 9 1 5 2 F 1 1D 1 14 1 B 1 9 1 2 2 8 1 2 1 10 1 4 1 E 1 B
1 3 1 2 1 8 1 1 1 F 1 F 1 2 1 22 1 1 1 5B 1 2F 1 3C 1 1 1 5 1 3 1 23 1 4 1 15 1 1 1 15 1 5 1 1D 1 27 1 1B 2 19 1 2 1 2B
1 C 1 8 1 2 1 D 2 D 1 9 1 4 1 7 1 9 1 18 1 8 1 4 1 4 1 B 1 11 1 25 1 1A 1 7 1 2 1 2 1 C 1 23 1 2A 1 2E 1 4 1 1B 1 7 1
17 1 35 1 3 1 B 1 17 1 3 1 8 1 22 1 12 1 C 2 6 1 7 1 5 1 A 1 12 1 2 1 1 1 19 1 1B 1 35 1 8 1 40 1 27 1 5 1 2A 1 D 1 14
1 2C 1 1 1 51 1 A 1 8 2 B 1 11 1 B 1 C 1 6 1 9 1 F 1 26 1 32 1 A 1 F 1 2 1 1C 1 1 1 11 1 2C 1 3 1 7 1 6 1 17 1 4 1 4 1
9 1 C 1 12 1 1 1 1 1 2 2 26 1 1A 1 3 1 6 1 10 1 4 1 1C 1 1 1 17 1 1 1 16 1 2 1 15 1 2F 1 3 1 1D 1 35 1 F 1 40 1 B 1 1F
1 C 1 19 1 5 1 23 1 2F 1 7 1 3D 1 69 2 C 1 10 1 23 1 7 1 1A 1 D 1 6 1 11 1 C 1 18 1 6 1 3 1 8 1 7 1 14 1 8 1 17 1 1 1
17 1 4 1 1D 1 C 1 F 1 1A 1 8 1 9 2 7 1 6 1 3 1 7 1 5 1 E 1 4 1 18 1 14 1 A 2 F 1 4 1 12 1 2 1 2E 1 9 1 1 1 D 2 22 1 2 1
3 1 7 1 F 1 12 1 4 1 11 1 A 1 4 1 3D 1 20 1 D 1 26 1 1 1 15 1 1 1 21 1 7 1 13 1 11 1 8 1 27 1 1 1 3 1 1B 1 1A 1 3 1 B 1
12 1 A 1 15 1 8 1 2 1 23 1 34 1 E 1 51 1 2 1 1D 1 10 2 2 3 2B 1 18 1 7 1 12 1 12 1 11 1 11 1 1 1 15 1 3 1 4 1 9 1 3 1
13 1 C 1 1 1 3 1 4 1 E 1 10 1 24 1 C 1 12 1 6 1 A 1 16 2 4 1 A 1 3 1 1 1 2 1 3 1 7 1 3A 1 30 1 7 1 2 1 5 1 F 1 11 1 10
1 E 1 8 1 26 1 1 1 31 1 37 1 1B 1 D 1 19 1 7 1 4C 1 F 1 14 1 19 2 4 1 47 2 1 2 3 1 B 1 5 1 11 1 21 1 1F 1 E 3 D 1 9 1
45 1 7 1 20 1 6 1 36 1 5 1 1 1 2E 1 1E 1 1 1 4 1 17 1 D 1 A 1 2 1 21 1 7 1 12 1 2 1 33 1 3 1 2 1 23 2 7 1 5 1 B 1 9 1 3
1 E 1 7 1 3 1 1E 1 28 1 9 1 1B 1 E 2 22 1 13 1 1 1 1F 1 8 1 F 1 4 1 A 1 15 1 6 1 1F 1 6 1 10 1 5 1 3 1 1 1 8 1 3 2 9 1
4 1 10 1 8 1 1 1 4 1 55 1 12 1 43 1 D 1 17 1 2A 1 48 1 24 1 31 1 7 1 1C 1 20 1 4 1 8 1 1 1 E 1 22 1 8 1 11 1 6 1 29 1 1
1 2 1 1E 1 34 1 20 1 10 1 2 1 8 1 2 1 F 1 9 1 9 1 23 1 D 1 24 1 11 1 3D 1 17 2 B 1 3 1 1D 1 19 1 13 2 2 1 2 1 A 1 2 1 A
1 9 1 D 1 11 1 14 1 1 1 B 1 12 1 9 1 13 1 2 1 21 1 31 1 D 1 19 1 2 1 10 1 A 1 6 1 1 1 D 2 2E 1 11 1 B 1 3 1 4 1 2A 1 11
1 39 1 4 1 A 1 1D 1 7 1 7 1 7 1 4 1 7 1 9 2 11 1 3 1 22 1 12 1 1 1 6 2 F 2 16 1 A 1 12 1 7 1 2 1 4 1 7 1 2 1 29 1 5 1 1
1 22 1 B 1 1 1 29 1 5 1 4 1 12 1 17 2 1D 1 1 3 4 1 3 1 22 1 B 1 6 1 A 1 17 1 7 1 1 1 18 1 10 1 4F 1 1 1 A 1 1 1 47 1 20
1 12 2 22 1 2 1 7 1 18 1 10 1 B 1 6 1 11 1 26 1 6 2 5 1 1 1 1 2 15 1 2 1 23 1 6 1 2 1 1A 1 4 1 C 1 9 1 13 1 9 1 12 1 2
1 B 1 3 1 24 1 5 1 11 1 5 1 11 3 18 1 42 1 8 1 38 1 9D 2 4 1 4 1 12 1 2A 1 B 1 6 1 1 1 1A 1 21 1 6 1 6 1 25 1 24 1 C 1
3 1 25 1 21 1 5 1 5 1 11 3 A 1 5 1 25 1 23 2 2F 2 4E 1 B 1 5 1 34 1 18 1 A 2 22 1 10 1 1C 1 23 1 26 1 25 1 2F 1 19 1 D
1 5 1 1F 1 24 1 68 1 27 1 6 1 26 1 1 2 7 1 38 1 2A 1 11 1 21 1 B 1 29 1 17 1 A 1 21 2 18 1 3 1 2E 1 13 1 1E 1 8 1 10 1
21 1 4 1 8 1 6 1 9 2 1 1 4 1 7 1 19 1 1F 1 1D 1 13 1 8 1 D 1 5 1 2E 1 A 1 6 1 15 1 1F 1 11 1 D 1 7 1 2B 1 1C 1 A 1 40 1
15 1 16 1 A 1 1A 1 C 1 C 1 10 1 3 1 2 1 1A 1 6B 1 2 1 3 1 15 1 B 1 14 1 40 1 F 1 7 1 F 1 2 1 3 1 4 1 16 1 3 1 6 2 31 1
6 1 3 1 3 1 7 2 D 1 4 1 6 2 9 1 11 1 D 1 18 1 13 1 4 1 A 1 16 1 F 1 7 1 18 1 1B 1 3C 1 8 1 5 1 6 1 21 2 6 1 B 1 6 1 4 1
5 1 5 1 1 1 B 1 9C 1 7 1 3 1 C 3 4 1 1B 1 A 1 3 1 3 1 3 1 F 1 A 1 24 1 A 1 1 1 10 1 D 1 9 1 F 2 69 1 29 1 19 1 24 1 1B
1 9 1 26 1 13 1 8 1 1E 1 6 1 1 1 1 1 21 1 6 1 10 1 2 2 9 1 2 1 14 1 16 1 1E 1 1D 1 C 1 6 1 5B 1 6 1 E 1 F 1 6 1 1C 1 42
1 1 1 A 1 8 1 5 1 64 1 20 2 4 1 23 1 13 1 31 2 1B 1 21 1 19 1 2 1 10 1 15 1 4 1 1B 1 E 1 23 1 B 1 2 1 20 1 25 2 16 1 2
1 19 1 1E 1 16 1 6 1 6 1 39 1 13 2 30 1 5 1 2 1 3 1 3 1 4 1 6 1 1 1 9 1 10 1 3 1 A 1 F 1 24 1 12 1 E 1 14 1 4 1 1 2 4 1
1E 1 A 1 1D 1 E 1 FC 2 4 1 6 1 11 1 1B 2 3 1 8 1 17 1 3 1 47 2 2 1 14 1 17 2 21 1 1 1 3 1 1 2 9 1 9 1 3 1 2 1 1 1 B 1 3
1 5 1 2E 1 1 2 14 1 17 1 2 1 2 2 17 2 2 1 8 2 B 1 9 1 B 1 11 1 11 1 1 1 11 1 D 1 6 2 3 1 8 1 1 1 11 1 29 1 22 1 5 1 4 1
8 1 6 1 3 1 3 1 4 1 E 1 F 1 1 1 4E 1 12 1 19 1 7 1 4 1 6 1 2 1 1D 1 21 1 8 1 15 1 2 1 61 1 20 1 5 1 4 1 9 1 1A 1 6 2 22
1 15 1 6 1 4 1 5 1 45 1 13 1 A 1 E 1 8 1 3 1 3 2 6 1 F 1 1 1 6 1 A 1 6 1 18 1 8 1 2 1 F 1 6 1 A 1 F 1 16 1 2 1 C 1 28 1
33 1 9 2 1 1 3E 1 C 1 1 1 F 1 2 1 16 1 90 2 3 1 15 1 D 1 6 1 30 1 27 1 18 1 E 1 2 1 29 1 11 1 11 1 7 1 5 1 5E 1 13 2 7
1 5 1 3 1 8 2 4 1 3A 1 4 1 11 1 D 1 2 1 11 1 1E 1 D 1 19 1 33 1 1 1 2 7E7 1 1C 1 2D0 1 184 2BA4 3B5D 1 1 1 38 1 D4A3 7
1 4 1 2 1 F 1F0F 1 22 1 47 1 4D9 1 24 1 1D 1 38 1 5 1 3F 1 66 1 2 1 8E 2 67 1 25 1 4 1 34 1 21 2 32 2 1D 1 67 1 7 1 2D
1 71 1 12 1 5 2 4 1 45 1 7 1 10F 1 EED 1 6ED 1 31F 1 6D 1 86 1 86 1 3 1 6C 1 45 1 43 1 1A 1 14B 1 E03 1 81B 1 8E4 1 31
1 340 1 112C 1 573 1 225 1 7 1 1043 1 71E 1 A9 1 DA 1 9E7 1 2 1 4 1 10C5 1
"""
