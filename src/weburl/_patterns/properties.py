"""Unicode's properties as ECMAScript's regular expressions name them, for the characters that an ASCII text can match.

The names are ECMAScript's tables of properties and PropertyValueAliases.txt, the members those of Unicode 17. Both were
read from ICU 78 through Node's RegExp, which `make pattern-regexps` compares with these tables again.
"""

from __future__ import annotations

from functools import cache
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits, punctuation
from unicodedata import category

# ASCII, and the two characters that match a letter of ASCII without regard to case: a long s and a Kelvin sign.
LONG_S = 0x17F
KELVIN = 0x212A
ASCII = "".join(map(chr, range(128)))
OTHERS = chr(LONG_S) + chr(KELVIN)
CHARACTERS = ASCII + OTHERS


def mask_of(characters: str) -> int:
    """A bit for each of the characters; those that are not in CHARACTERS have none."""
    return sum(1 << index for index, character in enumerate(CHARACTERS) if character in characters)


# https://tc39.es/ecma262/#table-binary-unicode-properties
BINARY = {
    name: mask_of(characters)
    for characters, names in (
        (ASCII, "ASCII"),
        (CHARACTERS, "Any Assigned"),
        (ASCII[32:127] + OTHERS, "Grapheme_Base Gr_Base"),
        (hexdigits, "ASCII_Hex_Digit AHex Hex_Digit Hex"),
        (ascii_letters + OTHERS, "Alphabetic Alpha Cased ID_Start IDS XID_Start XIDS Changes_When_Casemapped CWCM"),
        (ascii_letters + digits + "_" + OTHERS, "ID_Continue IDC XID_Continue XIDC"),
        (ascii_uppercase + chr(KELVIN), "Uppercase Upper Changes_When_Lowercased CWL"),
        (ascii_uppercase + OTHERS, "Changes_When_Casefolded CWCF Changes_When_NFKC_Casefolded CWKCF"),
        (
            ascii_lowercase + chr(LONG_S),
            "Lowercase Lower Changes_When_Titlecased CWT Changes_When_Uppercased CWU",
        ),
        ("()<>[]{}", "Bidi_Mirrored Bidi_M"),
        ("'.:^`", "Case_Ignorable CI"),
        ("-", "Dash"),
        ("^`", "Diacritic Dia"),
        ("#*" + digits, "Emoji Emoji_Component EComp"),
        ("+<=>^|~", "Math"),
        (punctuation.replace("_", ""), "Pattern_Syntax Pat_Syn"),
        ("\t\n\v\f\r ", "Pattern_White_Space Pat_WS White_Space space"),
        ("\"'", "Quotation_Mark QMark"),
        ("!.?", "Sentence_Terminal STerm"),
        ("ij", "Soft_Dotted SD"),
        ("!,.:;?", "Terminal_Punctuation Term"),
        (
            "",
            "Bidi_Control Bidi_C Default_Ignorable_Code_Point DI Deprecated Dep Emoji_Modifier EMod "
            "Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext "
            "Grapheme_Extend Gr_Ext IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST Ideographic Ideo "
            "Join_Control Join_C Logical_Order_Exception LOE Noncharacter_Code_Point NChar Radical "
            "Regional_Indicator RI Unified_Ideograph UIdeo Variation_Selector VS",
        ),
    )
    for name in names.split()
}

# https://tc39.es/ecma262/#table-binary-unicode-properties-of-strings: no string of theirs is of ASCII only.
OF_STRINGS = frozenset(
    "Basic_Emoji Emoji_Keycap_Sequence RGI_Emoji RGI_Emoji_Flag_Sequence RGI_Emoji_Modifier_Sequence "
    "RGI_Emoji_Tag_Sequence RGI_Emoji_ZWJ_Sequence".split()
)

# The names of each value of General_Category, the shortest first.
CATEGORIES = {
    name: line.split()[0]
    for line in """\
C Other
Cc Control cntrl
Cf Format
Cn Unassigned
Co Private_Use
Cs Surrogate
L Letter
LC Cased_Letter
Ll Lowercase_Letter
Lm Modifier_Letter
Lo Other_Letter
Lt Titlecase_Letter
Lu Uppercase_Letter
M Mark Combining_Mark
Mc Spacing_Mark
Me Enclosing_Mark
Mn Nonspacing_Mark
N Number
Nd Decimal_Number digit
Nl Letter_Number
No Other_Number
P Punctuation punct
Pc Connector_Punctuation
Pd Dash_Punctuation
Pe Close_Punctuation
Pf Final_Punctuation
Pi Initial_Punctuation
Po Other_Punctuation
Ps Open_Punctuation
S Symbol
Sc Currency_Symbol
Sk Modifier_Symbol
Sm Math_Symbol
So Other_Symbol
Z Separator
Zl Line_Separator
Zp Paragraph_Separator
Zs Space_Separator""".splitlines()
    for name in line.split()
}

# The values of Script and Script_Extensions. All characters that matter are Latin or Common, in both properties.
SCRIPTS = frozenset(
    """
    Adlam Adlm Aghb Ahom Anatolian_Hieroglyphs Arab Arabic Armenian Armi Armn Avestan Avst Bali Balinese Bamu Bamum
    Bass Bassa_Vah Batak Batk Beng Bengali Berf Beria_Erfe Bhaiksuki Bhks Bopo Bopomofo Brah Brahmi Brai Braille Bugi
    Buginese Buhd Buhid Cakm Canadian_Aboriginal Cans Cari Carian Caucasian_Albanian Chakma Cham Cher Cherokee
    Chorasmian Chrs Common Copt Coptic Cpmn Cprt Cuneiform Cypriot Cypro_Minoan Cyrillic Cyrl Deseret Deva Devanagari
    Diak Dives_Akuru Dogr Dogra Dsrt Dupl Duployan Egyp Egyptian_Hieroglyphs Elba Elbasan Elym Elymaic Ethi Ethiopic
    Gara Garay Geor Georgian Glag Glagolitic Gong Gonm Goth Gothic Gran Grantha Greek Grek Gujarati Gujr Gukh
    Gunjala_Gondi Gurmukhi Guru Gurung_Khema Han Hang Hangul Hani Hanifi_Rohingya Hano Hanunoo Hatr Hatran Hebr Hebrew
    Hira Hiragana Hluw Hmng Hmnp Hung Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Ital Java
    Javanese Kaithi Kali Kana Kannada Katakana Kawi Kayah_Li Khar Kharoshthi Khitan_Small_Script Khmer Khmr Khoj Khojki
    Khudawadi Kirat_Rai Kits Knda Krai Kthi Lana Lao Laoo Latin Latn Lepc Lepcha Limb Limbu Lina Linb Linear_A Linear_B
    Lisu Lyci Lycian Lydi Lydian Mahajani Mahj Maka Makasar Malayalam Mand Mandaic Mani Manichaean Marc Marchen
    Masaram_Gondi Medefaidrin Medf Meetei_Mayek Mend Mende_Kikakui Merc Mero Meroitic_Cursive Meroitic_Hieroglyphs Miao
    Mlym Modi Mong Mongolian Mro Mroo Mtei Mult Multani Myanmar Mymr Nabataean Nag_Mundari Nagm Nand Nandinagari Narb
    Nbat New_Tai_Lue Newa Nko Nkoo Nshu Nushu Nyiakeng_Puachue_Hmong Ogam Ogham Ol_Chiki Ol_Onal Olck Old_Hungarian
    Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Onao Oriya
    Orkh Orya Osage Osge Osma Osmanya Ougr Pahawh_Hmong Palm Palmyrene Pau_Cin_Hau Pauc Perm Phag Phags_Pa Phli Phlp
    Phnx Phoenician Plrd Prti Psalter_Pahlavi Qaac Qaai Rejang Rjng Rohg Runic Runr Samaritan Samr Sarb Saur Saurashtra
    Sgnw Sharada Shavian Shaw Shrd Sidd Siddham Sidetic Sidt SignWriting Sind Sinh Sinhala Sogd Sogdian Sogo Sora
    Sora_Sompeng Soyo Soyombo Sund Sundanese Sunu Sunuwar Sylo Syloti_Nagri Syrc Syriac Tagalog Tagb Tagbanwa Tai_Le
    Tai_Tham Tai_Viet Tai_Yo Takr Takri Tale Talu Tamil Taml Tang Tangsa Tangut Tavt Tayo Telu Telugu Tfng Tglg Thaa
    Thaana Thai Tibetan Tibt Tifinagh Tirh Tirhuta Tnsa Todhri Todr Tolong_Siki Tols Toto Tulu_Tigalari Tutg Ugar
    Ugaritic Unknown Vai Vaii Vith Vithkuqi Wancho Wara Warang_Citi Wcho Xpeo Xsux Yezi Yezidi Yi Yiii Zanabazar_Square
    Zanb Zinh Zyyy Zzzz
    """.split()
)
LATIN = mask_of(ascii_letters + OTHERS)
COMMON = mask_of(CHARACTERS) & ~LATIN
SCRIPT_MASKS = {"Latin": LATIN, "Latn": LATIN, "Common": COMMON, "Zyyy": COMMON}


@cache
def category_mask(name: str) -> int:
    """The characters of a General_Category, by its shortest name."""
    categories = ("Lu", "Ll", "Lt") if name == "LC" else (name,)
    return mask_of("".join(character for character in CHARACTERS if category(character).startswith(categories)))


def property_mask(name: str, value: str | None) -> int | None:
    """What `\\p{name}` or `\\p{name=value}` matches; None if it is not ECMAScript's."""
    if value is None:
        if name in CATEGORIES:
            return category_mask(CATEGORIES[name])
        return 0 if name in OF_STRINGS else BINARY.get(name)
    if name in ("General_Category", "gc") and value in CATEGORIES:
        return category_mask(CATEGORIES[value])
    if name in ("Script", "sc", "Script_Extensions", "scx") and value in SCRIPTS:
        return SCRIPT_MASKS.get(value, 0)
    return None
