"""Scripts, look-alikes of ASCII and digits of the characters that a domain may have, in Unicode 18.0.0.

The characters are those that UTS #46 has as valid, so nothing here tells of upper case or of what is mapped. The tables
are made by tools/confusables.py and guarded by tests/test_spoofing.py.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from typing import Final

SOURCE: Final = "Unicode 18.0.0: confusables.txt (UTS #39), Scripts.txt, ScriptExtensions.txt, UnicodeData.txt"

ANY: Final = frozenset(("Common", "Inherited"))


@cache
def _starts() -> tuple[list[int], list[frozenset[str]]]:
    ranges = []
    scripts: frozenset[str] = frozenset()
    for token in " ".join(SCRIPT_STARTS.split()).replace("+ ", "+").split():
        if token == token.upper():
            ranges.append((int(token, 16), scripts))
        else:
            scripts = frozenset(token.split("+"))
    ranges.sort(key=lambda item: item[0])
    return [start for start, _ in ranges], [scripts for _, scripts in ranges]


@lru_cache(maxsize=4096)
def scripts_of(character: str) -> frozenset[str]:
    """Script_Extensions; ANY or a part of it for what goes with every script. ASCII is Latin or goes with every one."""
    if character.isascii():
        return frozenset(("Latin" if character.isalpha() else "Common",))
    starts, scripts = _starts()
    return scripts[bisect_right(starts, ord(character)) - 1]


@cache
def _prototypes() -> dict[str, str]:
    return {chr(int(code, 16)): prototype for prototype, codes in PROTOTYPES.items() for code in codes.split()}


def prototype_of(character: str) -> str | None:
    """The ASCII that a character which is not ASCII looks like."""
    return _prototypes().get(character)


@cache
def _zeros() -> list[int]:
    return [int(code, 16) for code in ZEROS.split()]


def digit_of(character: str) -> tuple[str, int] | None:
    """The zero of its numbering system, and its value."""
    zeros = _zeros()
    zero = zeros[bisect_right(zeros, ord(character)) - 1] if character >= "0" else -10
    value = ord(character) - zero
    return (chr(zero), value) if value < 10 else None


# A set of scripts, and the first code point of each of its ranges; a range ends where the next one begins.
SCRIPT_STARTS: Final = """
Adlam 1E922 Adlam+ Arabic 204F Adlam+ Arabic+ Garay+ Hanifi_Rohingya+ Nko+ Syriac+ Thaana+ Yezidi 61F Adlam+ Arabic+
Hanifi_Rohingya+ Mandaic+ Manichaean+ Old_Uyghur+ Psalter_Pahlavi+ Sogdian+ Syriac 640 Adlam+ Arabic+ Old_Hungarian
2E41 Ahom 11700 Anatolian_Hieroglyphs 14400 Arabic 606 60D 61D 620 641 656 66A 671 6D5 750 870 FBB2 FD40 FDFE FE73
10E60 10EC2 1EEF0 Arabic+ Coptic 102E0 Arabic+ Garay+ Hanifi_Rohingya+ Nko+ Syriac+ Thaana+ Yezidi 60C 61B Arabic+
Hanifi_Rohingya 6D4 Arabic+ Nko FD3E Arabic+ Syriac 64B 670 Arabic+ Thaana FDFD Arabic+ Thaana+ Yezidi 660 Armenian 559
58A Armenian+ Cyrillic+ Duployan+ Gothic+ Greek+ Hebrew+ Latin+ Old_Permic+ Syriac+ Tai_Le+ Tifinagh 308 Armenian+
Georgian+ Glagolitic 589 Avestan 10B00 Avestan+ Carian+ Coptic+ Duployan+ Elbasan+ Georgian+ Glagolitic+ Gothic+ Greek+
Gunjala_Gondi+ Han+ Latin+ Lydian+ Mahajani+ Old_Permic+ Shavian B7 Avestan+ Carian+ Georgian+ Kaithi+ Lydian+
Old_Hungarian+ Samaritan 2E31 Avestan+ Old_Turkic 2E30 Balinese 1B00 Bamum A6A0 16800 Bassa_Vah 16AD0 Batak 1BC0
Bengali 980 9F0 1CF5 11DF0 Bengali+ Chakma+ Syloti_Nagri 9E6 Bengali+ Cyrillic+ Devanagari+ Latin+ Lisu+ Thai+ Toto 2BC
Bengali+ Devanagari 1CE1 Bengali+ Devanagari+ Dogra+ Grantha+ Gujarati+ Gunjala_Gondi+ Gurmukhi+ Gurung_Khema+ Kannada+
Khudawadi+ Limbu+ Mahajani+ Malayalam+ Masaram_Gondi+ Nandinagari+ Ol_Onal+ Oriya+ Sinhala+ Syloti_Nagri+ Takri+ Tamil+
Telugu+ Tirhuta 965 Bengali+ Devanagari+ Dogra+ Grantha+ Gujarati+ Gunjala_Gondi+ Gurmukhi+ Kannada+ Khudawadi+
Mahajani+ Malayalam+ Masaram_Gondi+ Nandinagari+ Ol_Onal+ Oriya+ Sinhala+ Syloti_Nagri+ Takri+ Tamil+ Telugu+ Tirhuta
964 Bengali+ Devanagari+ Grantha+ Gujarati+ Gurmukhi+ Kannada+ Latin+ Malayalam+ Nandinagari+ Newa+ Oriya+ Sharada+
Tamil+ Telugu+ Tirhuta 951 Bengali+ Devanagari+ Grantha+ Gujarati+ Gurmukhi+ Kannada+ Latin+ Malayalam+ Newa+ Oriya+
Tamil+ Telugu+ Tirhuta 952 Bengali+ Devanagari+ Grantha+ Kannada 1CD0 1CD2 Bengali+ Devanagari+ Grantha+ Kannada+
Malayalam+ Nandinagari+ Oriya+ Sinhala+ Telugu+ Tirhuta+ Tulu_Tigalari 1CF2 Bengali+ Devanagari+ Newa+ Sharada 1CED
Bengali+ Devanagari+ Newa+ Telugu 1CD8 Bengali+ Devanagari+ Newa+ Telugu+ Tirhuta 1CD5 Bengali+ Devanagari+ Sharada
1CEA Bengali+ Devanagari+ Telugu 1CD6 Bengali+ Devanagari+ Tulu_Tigalari A8F1 Beria_Erfe 16EBB Bhaiksuki 11C00 Bopomofo
2EA 3105 31A0 Bopomofo+ Han 302A Bopomofo+ Han+ Hangul+ Hiragana+ Katakana 3003 3013 301C 3030 3037 FE45 Bopomofo+ Han+
Hangul+ Hiragana+ Katakana+ Lisu+ Mongolian+ Tibetan+ Yi 300A Bopomofo+ Han+ Hangul+ Hiragana+ Katakana+ Mongolian+
Tibetan+ Yi 3008 Bopomofo+ Han+ Hangul+ Hiragana+ Katakana+ Mongolian+ Yi 3001 Bopomofo+ Han+ Hangul+ Hiragana+
Katakana+ Yi 300C 3014 30FB Bopomofo+ Latin 2C7 2C9 Brahmi 11000 Braille 2800 Buginese 1A00 Buginese+ Javanese A9CF
Buhid 1740 Buhid+ Hanunoo+ Tagalog+ Tagbanwa 1735 Canadian_Aboriginal 1400 18B0 11AB0 Carian 102A0 Carian+ Georgian+
Glagolitic+ Lycian+ Old_Hungarian+ Old_Turkic 205A Carian+ Greek+ Meroitic_Hieroglyphs+ Old_Hungarian 205D
Caucasian_Albanian 10530 Caucasian_Albanian+ Cherokee+ Coptic+ Cyrillic+ Gothic+ Greek+ Latin+ Osage+ Syriac+ Tifinagh+
Todhri 304 Caucasian_Albanian+ Cherokee+ Gothic+ Latin+ Sunuwar+ Syriac+ Thai 331 Caucasian_Albanian+ Latin+ Todhri 35E
Chakma 11100 Chakma+ Myanmar+ Tai_Le 1040 Cham AA00 Cherokee 13A0 Cherokee+ Coptic+ Cyrillic+ Greek+ Latin+ Old_Permic+
Sunuwar+ Tai_Le 300 Cherokee+ Cyrillic+ Greek+ Latin+ Osage+ Sunuwar+ Tai_Le+ Todhri 301 Cherokee+ Cyrillic+ Latin+
Osage 30B Cherokee+ Cyrillic+ Latin+ Tifinagh 302 Cherokee+ Duployan+ Katakana+ Latin+ Syriac+ Tifinagh 323 Cherokee+
Duployan+ Latin+ Syriac 324 Cherokee+ Latin+ Syriac 330 Cherokee+ Latin+ Tai_Le 30C Chorasmian 10FB0 Common A1 BB F7
2B9 2BD 2C8 2CC 2CE 2DE 2EC E3F FD5 2010 2050 205B 205E 2104 214F 218A 2900 2E00 2E18 2E32 2E3D 2E42 2E44 3004 3012
3020 3248 4DC0 A708 A788 AB5B AB6A 10190 101D0 1CC00 1CF50 1D129 1D16A 1D183 1D18C 1D1AE 1D250 1D25D 1D372 1DB00 1EC71
1F000 Coptic 3E3 2C81 Coptic+ Duployan+ Hebrew+ Latin+ Old_Permic+ Syriac+ Tai_Le+ Tifinagh+ Todhri 307 Coptic+
Elbasan+ Glagolitic+ Gothic+ Katakana+ Latin 305 Coptic+ Greek 375 Coptic+ Latin 2E17 Cuneiform 12000 12587 1258E 1264C
Cuneiform+ Proto_Cuneiform 12550 1258C 1259A Cypriot 10800 Cypriot+ Cypro_Minoan+ Linear_B 10100 Cypriot+ Linear_A+
Linear_B 10107 Cypriot+ Linear_B 10102 10137 Cypro_Minoan 12F90 Cyrillic 430 488 1C8A 1D2B 2DE0 A641 A670 FE2E 1E08F
Cyrillic+ Glagolitic 484 487 2E43 A66F Cyrillic+ Greek+ Latin+ Old_Permic+ Tifinagh 306 Cyrillic+ Latin 485 Cyrillic+
Latin+ Syriac 1DF8 Cyrillic+ Latin+ Todhri 311 Cyrillic+ Old_Permic 483 Deseret 10428 Devanagari 900 955 970 1CD1 1CD4
1CDB 1CDE 1CE3 1CEC 1CEE A8E0 A8F2 A8F4 11B00 Devanagari+ Dogra+ Gujarati+ Gurmukhi+ Kaithi+ Kannada+ Khojki+
Khudawadi+ Mahajani+ Malayalam+ Modi+ Nandinagari+ Sharada+ Takri+ Tirhuta+ Tulu_Tigalari A830 Devanagari+ Dogra+
Gujarati+ Gurmukhi+ Kaithi+ Kannada+ Khojki+ Khudawadi+ Mahajani+ Modi+ Nandinagari+ Sharada+ Takri+ Tirhuta+
Tulu_Tigalari A833 Devanagari+ Dogra+ Gujarati+ Gurmukhi+ Kaithi+ Khojki+ Khudawadi+ Mahajani+ Modi+ Sharada+ Takri+
Tirhuta A838 Devanagari+ Dogra+ Gujarati+ Gurmukhi+ Kaithi+ Khojki+ Khudawadi+ Mahajani+ Modi+ Takri+ Tirhuta A836 A839
Devanagari+ Dogra+ Kaithi+ Mahajani 966 Devanagari+ Grantha 1CF3 1CF8 Devanagari+ Grantha+ Kannada 1CD3 Devanagari+
Grantha+ Kannada+ Tulu_Tigalari 1CF4 Devanagari+ Grantha+ Latin 20F0 Devanagari+ Kannada+ Malayalam+ Oriya+ Tamil+
Telugu 1CDA Devanagari+ Nandinagari+ Newa 1CE9 Devanagari+ Newa 1CEB Devanagari+ Newa+ Sharada 1CD7 Devanagari+ Newa+
Tirhuta 1CE2 Devanagari+ Sharada 1CD9 1CDC 1CE0 Devanagari+ Tamil A8F3 Dives_Akuru 11900 Dogra 11800 Duployan 2E3C
1BC00 Duployan+ Latin+ Syriac 30A Egyptian_Hieroglyphs 13000 Elbasan 10500 Elymaic 10FE0 Ethiopic 1200 2D80 AB01 1E7E0
Ethiopic+ Latin 30E Garay 10D40 Georgian 10D0 10FD 2D00 Georgian+ Glagolitic+ Latin 10FB Glagolitic 2C30 1E000
Glagolitic+ Latin+ Sunuwar+ Syriac+ Thai 303 Gothic 10330 Grantha 11300 11302 11305 1133D Grantha+ Tamil BE6 11301
11303 1133B 11FD0 11FD3 Greek 342 371 377 3F3 1D26 1DC0 1F00 AB65 10140 101A0 1D200 Greek+ Latin+ Old_Permic+ Todhri
313 Gujarati A81 AF0 Gujarati+ Khojki AE6 Gunjala_Gondi 11D60 Gurmukhi A01 A70 Gurmukhi+ Multani A66 Gurung_Khema 16100
Han 2E80 3005 3021 303B 303E 3190 31C0 3400 4E00 FA0E 16FE2 16FF0 1D360 20000 Han+ Hiragana+ Katakana 303C Han+ Latin
A700 Hangul 1100 302E A960 AC00 Hanifi_Rohingya 10D00 Hanunoo 1720 Hatran 108E0 Hebrew 591 FB1E Hiragana 3041 309D
1B001 1B132 Hiragana+ Katakana 3031 3099 30A0 30FC Imperial_Aramaic 10840 Inherited 30F 312 314 326 32F 332 346 359 35F
953 1AB0 1DC2 1DF9 1DFB 200C 20D0 FE20 101FD 1CF00 1D127 1D167 1D17B 1D185 1D1AA 1D25B Inscriptional_Pahlavi 10B60
Inscriptional_Parthian 10B40 Javanese A980 A9D0 Jurchen 18E00 Kaithi 11080 Kannada C80 CF1 Kannada+ Malayalam+ Tamil+
Telugu B83 Kannada+ Nandinagari+ Tulu_Tigalari CE6 Katakana 30A1 30FD 31F0 1AFF0 1B120 1B155 Kawi 11F00 Kayah_Li A900
A92F Kayah_Li+ Latin+ Myanmar A92E Kharoshthi 10A00 Khitan_Small_Script 16FE4 18B00 Khmer 1780 19E0 Khojki 11200
Khudawadi 112B0 Kirat_Rai 16D40 Lao E81 Latin DF F8 363 1D00 1D2F 1E01 214E 2180 2C61 A723 A78C AB30 AB60 AB66 10780
1DF00 Latin+ Lisu 2CD Latin+ Osage 358 Latin+ Sunuwar 30D 310 Latin+ Sunuwar+ Syriac 32D Latin+ Syriac 325 32E Latin+
Thai 2D7 Latin+ Tifinagh 309 Lepcha 1C00 Limbu 1900 Linear_A 10600 Linear_B 10000 Lisu A4D0 11FB0 Lycian 10280 Lydian
10920 Mahajani 11150 Makasar 11EE0 Malayalam D00 Mandaic 840 Manichaean 10AC0 10AF3 Manichaean+ Old_Uyghur 10AF2
Marchen 11C70 Masaram_Gondi 11D00 Medefaidrin 16E60 Meetei_Mayek AAE0 ABC0 Mende_Kikakui 1E800 Meroitic_Cursive 109A0
Meroitic_Hieroglyphs 10980 Miao 16F00 Modi 11600 Mongolian 1800 1804 1806 11660 Mongolian+ Phags_Pa 1802 1805 Mro 16A40
Multani 11280 Myanmar 1000 104A A9E0 AA60 116D0 Nabataean 10880 Nag_Mundari 1E4D0 Nandinagari 1CFA 119A0 New_Tai_Lue
1980 Newa 11400 Nko 7C0 Nushu 16FE1 1B170 Nyiakeng_Puachue_Hmong 1E100 Ogham 1681 Ol_Chiki 1C50 Ol_Onal 1E5D0
Old_Hungarian 10CC0 Old_Italic 10300 Old_North_Arabian 10A80 Old_Permic 10350 Old_Persian 103A0 Old_Sogdian 10F00
Old_South_Arabian 10A60 Old_Turkic 10C00 Old_Uyghur 10F70 Oriya B01 Osage 104D8 Osmanya 10480 Pahawh_Hmong 16B00
Palmyrene 10860 Pau_Cin_Hau 11AC0 Phags_Pa A840 Phoenician 10900 Proto_Cuneiform 125A8 Psalter_Pahlavi 10B80 Rejang
A930 Runic 16A0 Samaritan 800 Saurashtra A880 Seal 3D000 Sharada 11180 11B60 Shavian 10450 Siddham 11580 Sidetic 10940
SignWriting 1D800 Sinhala D81 111E1 Sogdian 10F30 Sora_Sompeng 110D0 Soyombo 11A50 Sundanese 1B80 1CC0 Sunuwar 11BC0
Syloti_Nagri A800 Syriac 700 860 1DFA Tagalog 1700 Tagbanwa 1760 Tai_Le 1950 Tai_Tham 1A20 Tai_Viet AA80 Tai_Yo 1E6C0
Takri 11680 Tamil B82 B85 BF4 11FC0 11FD2 11FD4 Tangsa 16A70 Tangut 16FE0 17000 18D00 Telugu C00 Thaana 780 Thai E01
E40 Tibetan F00 FD9 Tifinagh 2D30 Tirhuta 11480 Todhri 105C0 Tolong_Siki 11DB0 Toto 1E290 Tulu_Tigalari 11380 Ugaritic
10380 Vai A500 Vithkuqi 10597 Wancho 1E2C0 Warang_Citi 118C0 Yezidi 10E80 Yi A000 Zanabazar_Square 11A00
"""

# An ASCII string, and the code points that have it as their prototype in confusables.txt.
PROTOTYPES: Final[dict[str, str]] = {
    " ": "2800",
    "!": "1C3 2D51",
    "$": "586",
    "&": "1F672 1F674 1F675 A778",
    "'": (
        "55D 2CFF 2018 2019 201B 5F3 2032 2035 55A 55B 2B9 2C8 2CA 2CB 2F4 2BB 2BD 2BC 2BE A78C 5D9 7F4 7F5 "
        "144A 16CC 1E94B 16F51 16F52"
    ),
    "''": "1CD3 201C 201D 201F 5F4 3003 2BA 2F6 2EE 5F2",
    "(": "2768 2772 3014 2E62 FD3E 10141",
    "((": "2E28",
    ")": "2769 2773 3015 2E63 FD3F 10140",
    "))": "2E29",
    "*": "204E 66D 2217 1031F",
    "**": "156F",
    "+": "16ED 2795 11055 1E6E9 1429 1540 16869 1029B",
    ",": "60D 66B 201A 2E12 A4F9 16F53",
    "-": "2010 2012 2013 6D4 2043 2D7 2212 2796 10191 2CBB 174D 1BF3 AA7D",
    "-.": "A4FE",
    ".": "1D16D ABEC 701 702 A60E 10A50 660 6F0 1ECAE A4F8",
    ".,": "A4FB",
    "..": "A4FA",
    "/": "1735 2041 2215 2044 2571 27CB 29F8 1D23A 31D2 31D3 3033 2CC7 30CE 4E3F",
    "//": "2AFD",
    "///": "2AFB",
    "2": "14BF 1616 A6EF",
    "3": "1D206 969 AE9 1702 16F3B 118CA",
    "4": "16E82 13CE",
    "6": "2CD3 431 13EE A543 118D5",
    "7": "1D1FE 1D212 16E8A 172A 118C6",
    "8": "B03 11445 9EA A6A 1E8CB 223 A589 169FE 1031A",
    "9": "A67 B68 1E2F2 9ED D6D A76F 2CCB 169C1 118CC 118D6",
    ":": (
        "903 A83 11002 11082 11182 115BE 116AC 11838 589 703 704 831 1361 16EC 1803 1809 205A 5C3 10AF5 1123A "
        "2F8 1393 A789 2236 1D108 2D0 1015B 11DD9 A4FD"
    ),
    "::": "2E2C 2237",
    ":=": "2254",
    "<": "2039 276E 2C2 1D236 2D66 1438 16B2 16AEC 1032D",
    "<<": "226A",
    "<<<": "22D8",
    "=": "1400 2E40 30A0 A4FF A78A 10190 11053 A60C",
    "=:": "2255",
    ">": "203A 276F 2C3 1D237 1433 16F3F",
    "><": "2AA5",
    ">>": "226B 2A20",
    ">>>": "22D9",
    "?": "294 97D 13AE A6EB",
    "A": "13AA 15C5 A4EE 16F40 102A0",
    "AR": "1F707",
    "B": "13F4 15F7 A557 A4D0 10282 102A1 10301",
    "C": "1F74C 118E9 118F2 13DF A4DA 102A2 10302 1051B",
    "D": "13A0 15DE 15EA A4D3",
    "E": "22FF 1DF81 2D39 13AC A5CB A4F0 10286",
    "F": "1D213 7D3 15B4 A4DD 118C2 10287 102A5 10525",
    "G": "13C0 13F3 A4D6",
    "H": "13BB 157C A4E7 102CF",
    "J": "13AB 148D A4D9",
    "K": "13E6 16D5 A4D7 10518",
    "L": "1D22A 13DE 14AA A4E1 16F16 10526",
    "M": "13B7 15F0 16D6 10C21 A4DF 102B0 10311",
    "MB": "1F76B",
    "N": "11ABE A4E0 10513",
    "O": "7C0 CE6 3007 118E0 11DE0 1E140 1E2F0 2D54 12D0 B20 10C17 16AE9 A4F3 10292 102AB 1030F 10516",
    "P": "13E2 146D A4D1 10295",
    "P'": "1486",
    "Q": "2D55",
    "QE": "1F700",
    "R": "1D216 13A1 13D2 1587 A4E3 16F35",
    "S": "10FD 13D5 13DA A576 16AD6 A4E2 16F3A 10296",
    "T": "22A4 27D9 1F768 1D373 7E0 13A2 A50B 3112 A4D4 16F0A 10297 102B1 10315 4E05",
    "U": "222A 22C3 1200 144C A4F4 16F42",
    "U'": "1467",
    "V": "1CEFC 1D20D 1E145 667 6F7 2D38 13D9 142F 10C1F A6DF A4E6 16F08 1051D",
    "VB": "1F76C",
    "W": "1D20C 118E6 118EF 13B3 13D4 A4EA",
    "X": "166D 2573 10322 10CFC 118EC 2D5D 1CF5 16B7 10C13 A4EB 10290 102B4 10317 10527",
    "Y": "7CC 13A9 13BD 10C20 311A A4EC 16F43 102B2 4E2B",
    "Z": "118E5 102F5 13C3 11ABC A6C9 A4DC 10507",
    "\\": "2216 2572 27CD 29F5 29F9 1D20F 1D23B 31D4 4E36",
    "\\\\": "2CF9 244A",
    "^": "2C4 2C6 18D4",
    "_": "640 7FA 145C1",
    "a": "237A 1DF5A 251 AB64 3B1 430",
    "aa": "A733",
    "ae": "E6 4D5",
    "ao": "A735",
    "au": "A737",
    "av": "A739 A73B",
    "ay": "A73D",
    "b": "1D207 7D5 13CF 1472 15AF 1031C",
    "b'": "1488",
    "c": "1D134 1D04 2CA5 441 1004 105A 1043D",
    "co": "AB43",
    "d": "1018B 501 13E7 146F A4D2",
    "d'": "1487",
    "dz": "2A3",
    "e": "212E AB32 435 4BD",
    "f": "1017E AB35 A799 192 284 1E9D 584",
    "g": "261 1D83 18D 581",
    "h": "4BB 570 13C2",
    "i": "A1 2373 131 26A 269 3B9 2C93 456 A647 582 13A5 118C3",
    "ie": "1DF5D",
    "j": "237 3F3 458 575",
    "l": (
        "964 A8CE 104A AA5D 11047 110C0 11141 111C5 113D4 1144B 11641 11C41 5C0 115C5 21BF 2223 23FD 2502 "
        "2503 1D100 661 6F1 10320 10CFA 11DE1 1D377 1E141 1E8C7 1ED01 A830 A7FE A781 1C0 4CF 5D5 5DF 627 7CA "
        "2D4A 2D4F 11DDA 16C1 16D0 10C3E A56F A4F2 16F28 1028A 10926 10309 1050E 16D63"
    ),
    "l'": "5F1",
    "ll": "965 A8CF 104B 11048 110C1 11142 111C6 113D5 1144C 11642 11C42 2016 2225 1D262 1C1 5F0",
    "lll": "A516",
    "ls": "2AA",
    "lt": "20B6",
    "lz": "2AB",
    "n": "578 57C",
    "o": (
        "C02 C82 D02 D82 11302 966 9E6 A66 AE6 B66 BE6 C66 D66 E50 ED0 1040 17E0 1A80 1A90 114D0 665 6F5 1D0F "
        "1D11 AB3D 3BF 3C3 2C9F 3ED 43E 10FF 585 5E1 647 6BE 6C1 6D5 840 7CB D20 1BEA 101D 10D07 11124 1A45 "
        "104EA 110B 11BC 118C8 118D7 1092C 1042C"
    ),
    "oe": "153",
    "oi": "1DF5E",
    "oo": "221E A74F A699 1147 11EE",
    "ou": "1DF5F",
    "oy": "479",
    "p": "2374 FE 1BF 3C1 3F8 2CA3 2CCF 440",
    "q": "51B 563 566",
    "r": "AB47 AB48 1D26 2C85 433 16A19",
    "r'": "491",
    "rn": "118E3 560 11700",
    "s": "A731 1BD 455 D1F 118C1 10448",
    "sss": "1F75C",
    "tf": "A777",
    "th": "1DF64",
    "ts": "2A6",
    "u": "A79F 1D1C AB4E AB52 28B 3C5 57D 104F6 118D8",
    "ue": "1D6B",
    "uo": "AB63",
    "v": "2228 22C1 1D20 3BD 475 5D8 11706 118C0",
    "w": "29E2 1DF7D 26F A7FA 1D21 2CBD 461 448 51D 561 1170A 1170E 1170F",
    "wh": "1DF65",
    "x": "166E D7 292B 292C 2A2F 445 1763 1BEC 1541 157D 10CC2",
    "y": "263 1D8C 28F 1EFF AB5A 3B3 2CA9 443 4AF 10E7 118C4 118DC",
    "z": "1D22 2C6C 2C8D 2D2D",
    "{": "2774 1D114",
    "}": "2775",
    "~": "2053 301C 223C",
}

# The first of the ten digits of each numbering system.
ZEROS: Final = """
30 660 6F0 7C0 966 9E6 A66 AE6 B66 BE6 C66 CE6 D66 DE6 E50 ED0 F20 1040 1090 17E0 1810 1946 19D0 1A80 1A90 1B50 1BB0
1C40 1C50 A620 A8D0 A900 A9D0 A9F0 AA50 ABF0 104A0 10D30 10D40 11066 110F0 11136 111D0 112F0 11450 114D0 11650 116C0
116D0 116DA 11730 118E0 11950 11BF0 11C50 11D50 11DA0 11DE0 11F50 16130 16A60 16AC0 16B50 16D70 1E140 1E2F0 1E4F0 1E5F1
1E950
"""
