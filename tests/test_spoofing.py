"""What in a domain may deceive, and the tables that say so."""

from __future__ import annotations

import dataclasses
import hashlib
import pickle
import re
import unicodedata
from pathlib import Path

import confusables
import idna
import pytest
from hypothesis import given
from hypothesis import strategies as st
from idna.idnadata import scripts as idna_scripts
from support import idn_labels

from weburl import URL, InvalidURL
from weburl._hosts.spoofing import RIGHT_TO_LEFT
from weburl._unicode import confusables as _confusables
from weburl._unicode.confusables import ANY, digit_of, prototype_of, scripts_of
from weburl._unicode.deceptive import DELIMITERS
from weburl.display import SpoofingRisk, display_host, display_url, spoofing_risks
from weburl.hosts import domain_to_unicode, parse_host


@pytest.mark.parametrize(
    ("host", "risks"),
    [
        ("example.com", {}),
        ("bücher.example", {}),
        ("日本語カタカナひらがなabc.jp", {}),
        ("中文ㄅㄆabc.tw", {"restricted-character": "has U+3105, U+3106"}),
        ("한국漢字abc.kr", {}),
        ("пример.рф", {}),
        ("ελληνικά.gr", {}),
        ("हिन्दी१२.भारत", {}),
        ("مثال.إختبار", {}),
        ("naïve-café.fr", {}),
        ("аррӏе.com", {"ascii-lookalike": "looks like apple"}),
        ("xn--80ak6aa92e.com", {"ascii-lookalike": "looks like apple"}),
        ("ＷＷＷ.аррӏе.com", {"ascii-lookalike": "looks like apple"}),
        ("pаypal.com", {"mixed-script": "mixes Cyrillic, Latin", "ascii-lookalike": "looks like paypal"}),
        ("gооgle.com", {"mixed-script": "mixes Cyrillic, Latin", "ascii-lookalike": "looks like google"}),
        ("αβγabc.com", {"mixed-script": "mixes Greek, Latin"}),
        ("한국ひらがな.com", {"mixed-script": "mixes Hangul, Hiragana"}),
        ("ไทยเดva.com".replace("เด", "ເ"), {"mixed-script": "mixes Lao, Latin, Thai"}),
        ("αcafé.com", {"mixed-script": "mixes Greek, Latin"}),
        ("gıthub.com", {"ascii-lookalike": "looks like github"}),
        (
            "ᏢᎪᎩ.com",
            {"ascii-lookalike": "looks like pay", "restricted-character": "has U+13A9, U+13AA, U+13E2"},
        ),
        ("סוס.com", {"ascii-lookalike": "looks like olo"}),
        ("סווו.com", {"ascii-lookalike": "looks like lllo"}),
        ("ه\u200cه.com", {"ascii-lookalike": "looks like oo", "restricted-character": "has U+200C"}),
        (
            "२2.com",
            {
                "ascii-lookalike": "looks like Latin letters or digits",
                "mixed-digits": "has digits of the systems with the zeros U+0030, U+0966",
            },
        ),
        ("ক৪.com", {}),
        (
            "द৪.com",
            {
                "mixed-script": "mixes Bengali/Chakma/Syloti_Nagri, Devanagari",
                "confusable-digits": "U+09EA is a 4 and looks like 8",
            },
        ),
        ("क०१३.com", {}),
        (
            "৪2.com",
            {
                "ascii-lookalike": "looks like 82",
                "mixed-digits": "has digits of the systems with the zeros U+0030, U+09E6",
                "confusable-digits": "U+09EA is a 4 and looks like 8",
            },
        ),
        (
            "com\u2044x.com",
            {
                "ascii-lookalike": "looks like com/x",
                "deceptive-character": "has U+2044",
                "restricted-character": "has U+2044",
            },
        ),
        (
            "com\u30ceé.com",
            {
                "mixed-script": "mixes Katakana, Latin",
                "deceptive-character": "has U+30CE",
                "misplaced-character": "has U+30CE",
            },
        ),
        ("🔒bank.com", {"deceptive-character": "has U+1F512", "restricted-character": "has U+1F512"}),
        ("😀.com", {"restricted-character": "has U+1F600"}),
        ("1.2.3.4", {}),
        ("[::1]", {}),
    ],
)
def test_spoofing_risks(host: str, risks: dict[str, str]) -> None:
    found = spoofing_risks(host)
    assert {risk.kind: risk.detail for risk in found} == risks
    assert len(found) == len(risks)
    assert spoofing_risks(parse_host(host)) == spoofing_risks(URL(f"https://{host}/x")) == found
    for risk in found:
        assert risk.label in domain_to_unicode(str(parse_host(host))).split(".")
        assert re.fullmatch(
            r"Unicode 18\.0\.0: .*confusables\.txt.*|Unicode 17\.0\.0: IdentifierStatus\.txt.*", risk.source
        )
        assert risk.detail.isascii()


OUT_OF_PLACE = """
comノsignin漢 comノ漢 comノé漢 com-ノ漢 com😀ノ漢 1ノ漢 com1ノ漢字 comノート ノsignin漢 漢字comノ漢
comノノ漢 com丿漢 com丶漢 com۰漢 comꓸж comꓸ漢 comः漢 comʔж comʔé aːж aꝸж comᐩж comⳇж
한국ノ漢 комノж жノsignin comノノート
"""
IN_PLACE = """
ノート ノート漢 一ノ瀬 井ノ頭線 木ノ下abc テクノpop abcテクノ pcテクノé 竹ノ塚2 山-ノ-手 きノこ キノコé 丶漢字 八丿漢
مثال١٠ متن۰۱ \u0926\u0941\u0903\u0916 ꓡꓳꓸꓡж ᐁᐩж
"""


@pytest.mark.parametrize("label", OUT_OF_PLACE.split())
def test_a_letter_like_a_delimiter_that_is_out_of_place(label: str) -> None:
    """Whatever else is in the label."""
    url = URL(f"https://google.{label}.evil.com/")
    assert "deceptive-character" in {risk.kind for risk in spoofing_risks(url)}
    assert display_url(url) == url.href
    assert display_host(url) == display_host(url.hostname) == url.hostname


@pytest.mark.parametrize("label", IN_PLACE.split())
def test_a_letter_like_a_delimiter_in_its_place(label: str) -> None:
    assert not DELIMITERS.isdisjoint("".join([prototype_of(c) or "" for c in label if not c.isascii()]))
    url = URL(f"https://{label}.example.com/")
    kinds = {risk.kind for risk in spoofing_risks(url)}
    assert "deceptive-character" not in kinds
    # Others may hold against the rest of the label.
    shown = url.hostname if kinds else f"{label}.example.com"
    assert display_host(url, isolate=False) == shown
    assert kinds <= {"mixed-script", "restricted-character"}
    assert not kinds or not {"ж", "é"}.isdisjoint(label)


def test_what_is_added_switches_nothing_off() -> None:
    """A label that may be taken for a host and a path keeps its risk with any one character more at its end."""
    for delimiter in "ノ丿丶ʔ٠ꓸः":
        for more in "漢字ж한กéאა日ाß😀ـ々ー":
            label = f"com{delimiter}signin{more}"
            try:
                host = parse_host(f"google.{label}.evil.com")
            except InvalidURL:
                continue
            risks = [risk for risk in spoofing_risks(host) if risk.kind == "deceptive-character"]
            assert risks, label
            assert f"U+{ord(delimiter):04X}" in risks[0].detail


def test_spoofing_risks_of_no_domain() -> None:
    assert spoofing_risks(URL("foo://xn--80ak6aa92e.com/")) == ()
    assert spoofing_risks(URL("mailto:a@b")) == ()
    assert spoofing_risks(parse_host("xn--80ak6aa92e", opaque=True)) == ()


def test_each_label_once_in_order() -> None:
    found = spoofing_risks("gıthub.аррӏе.gıthub.com")
    assert [risk.label for risk in found] == ["gıthub", "аррӏе"]
    assert spoofing_risks("аррӏе..аррӏе.com") == spoofing_risks("аррӏе") == spoofing_risks("аррӏе.com.")


def test_risk_is_a_frozen_record() -> None:
    (risk,) = spoofing_risks("аррӏе")
    assert risk == SpoofingRisk("ascii-lookalike", "аррӏе", "looks like apple")
    assert pickle.loads(pickle.dumps(risk)) == risk
    assert hash(risk) == hash(dataclasses.replace(risk))
    with pytest.raises(dataclasses.FrozenInstanceError):
        risk.label = "x"  # type: ignore[misc]


@given(st.lists(st.sampled_from("aàαаا٠०০0ノ漢한ㄅ⁄🔒-ıoс।\u0301é"), min_size=1, max_size=6).map("".join))
def test_risks_of_any_label(label: str) -> None:
    try:
        host = parse_host(f"{label}.example")
    except InvalidURL:
        return
    found = spoofing_risks(host)
    assert len({risk.kind for risk in found if risk.label == domain_to_unicode(str(host)).split(".")[0]}) == len(found)


def test_right_to_left_blocks() -> None:
    """They have each character that is written from right to left, but for a mark, and none from left to right."""
    found = {code for code in range(0x110000) if RIGHT_TO_LEFT.match(chr(code))}
    assert found == idn_labels.RIGHT_TO_LEFT
    classes = [unicodedata.bidirectional(chr(code)) for code in range(0x110000)]
    assert {code for code, name in enumerate(classes) if name in ("R", "AL", "AN")} - found == {0x200F}
    assert not any(classes[code] == "L" for code in found)


def is_valid(character: str) -> bool:
    try:
        return idna.uts46_remap(character, std3_rules=False) == character
    except idna.IDNAError:
        return False


VALID = [character for character in map(chr, range(0x80, 0x32000)) if is_valid(character)]


def test_tables_are_as_made() -> None:
    """tools/confusables.py makes the tables from the files of Unicode that it names; nobody has edited them."""
    module = confusables.MODULE.read_text("utf-8")
    tables = module[module.index(confusables.FIRST_LINE) :]
    assert hashlib.sha256(tables.encode()).hexdigest() == (
        "9c3aa4eae9cfb59e96a269526b2449d47894e7a1460fbead67938ffacdc71233"
    )
    starts: dict[str, list[int]] = {}
    name = ""
    for token in re.sub(r"\+\s+", "+", _confusables.SCRIPT_STARTS).split():
        if token == token.upper():
            starts[name].append(int(token, 16))
        else:
            name = token
            starts[name] = []
    prototypes = {name: [int(code, 16) for code in codes.split()] for name, codes in _confusables.PROTOTYPES.items()}
    zeros = [int(code, 16) for code in _confusables.ZEROS.split()]
    assert confusables.source(confusables.Tables(starts, prototypes, zeros)) == tables


def test_tables_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "IdnaMappingTable.txt": "0061..007A ; valid # a\n00DF ; deviation ; 0073\n0430..0432;valid\n"
        "0660..0661 ; valid\n0410 ; mapped ; 0430\n",
        "PropertyValueAliases.txt": "sc ; Arab ; Arabic\nsc ; Thaa ; Thaana\ngc ; Lu ; Uppercase_Letter\n",
        "ScriptExtensions.txt": "0661 ; Thaa Arab # one\n",
        "Scripts.txt": "00DF ; Latin\n0410..0432 ; Cyrillic\n\n0660..0661 ; Common\n",
        "UnicodeData.txt": "0030;ZERO;Nd;0;EN;;0\n0660;ZERO;Nd;0;AN;;0\n0661;ONE;Nd;0;AN;;1\n07C0;ZERO;Nd;0;R;;0\n",
        "confusables.txt": "\ufeff# x\n0430 ;\t0061 ;\tMA\n0410 ;\t0041 ;\tMA\n0431 ; 0036 ; MA\n0661 ; 0431 ; MA\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(SystemExit, match=r"IdnaMappingTable\.txt is not the file"):
        confusables.read(tmp_path)
    for name, text in files.items():
        monkeypatch.setitem(confusables.SOURCES, name, hashlib.sha256(text.encode()).hexdigest())
    assert confusables.read(tmp_path) == (
        {"Latin": [0xDF], "Cyrillic": [0x430], "Common": [0x660], "Arabic+Thaana": [0x661]},
        {"a": [0x430], "6": [0x431]},
        [0x30, 0x660],
    )


@pytest.mark.parametrize("script", idna_scripts)
def test_scripts_are_those_of_idna(script: str) -> None:
    ranges = [range(packed >> 32, packed & 0xFFFFFFFF) for packed in idna_scripts[script]]
    for character in VALID:
        in_idna = any(ord(character) in codes for codes in ranges)
        if in_idna:
            assert script in scripts_of(character), hex(ord(character))
        elif unicodedata.category(character)[0] == "L" and character != "\u3006":  # Common, used with Han alone
            assert scripts_of(character) != {script}, hex(ord(character))


NAMES = {
    "Canadian Aboriginal": "CANADIAN SYLLABICS",
    "Phags Pa": "PHAGS-PA",
    "Meroitic Hieroglyphs": "MEROITIC HIEROGLYPHIC",
    "Cypro Minoan": "CYPRO-MINOAN",
    "Tulu Tigalari": "TULU-TIGALARI",
    "Egyptian Hieroglyphs": "EGYPTIAN HIEROGLYPH",
    "Anatolian Hieroglyphs": "ANATOLIAN HIEROGLYPH",
}


def test_scripts_are_those_of_the_names() -> None:
    """A letter's name starts with that of its script, with those exceptions."""
    checked = 0
    for character in VALID:
        name = unicodedata.name(character, "")
        scripts = scripts_of(character)
        if unicodedata.category(character)[0] == "L" and name and len(scripts) == 1 and ANY.isdisjoint(scripts):
            script = min(scripts).replace("_", " ")
            if script != "Han" and not name.startswith(("VEDIC", "MODIFIER LETTER", "TURNED SMALL", "HENTAIGANA")):
                assert name.startswith(NAMES.get(script, script.upper()))
                checked += 1
    assert checked > 25_000
    assert scripts_of("a") == {"Latin"}
    assert scripts_of("0") == scripts_of("-") == {"Common"}


def test_digits_are_those_of_the_interpreter() -> None:
    for character in ("0", "5", "a", "-", "é", *VALID):
        value = unicodedata.decimal(character, None)
        if value is not None:
            assert digit_of(character) == (chr(ord(character) - value), value)
        elif unicodedata.category(character) != "Cn":
            assert digit_of(character) is None


def test_prototypes() -> None:
    sources = [character for codes in _confusables.PROTOTYPES.values() for character in codes.split()]
    assert len(sources) == len(set(sources)) == 728
    assert all(is_valid(chr(int(code, 16))) for code in sources)
    assert all(prototype.isascii() for prototype in _confusables.PROTOTYPES)
    cyrillic = "\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043e\u0440\u051b\u0433\u0455\u051d\u0445\u0443"
    assert "".join([prototype_of(c) or "?" for c in cyrillic]) == "acdehijlopqrswxy"
    assert prototype_of("a") is None
    assert prototype_of("é") is None


def test_no_prototype_needs_normalization() -> None:
    """`ascii_lookalike` relies on it: no character that has a decomposition looks like ASCII."""
    for character in VALID:
        decomposed = unicodedata.normalize("NFD", character)
        if decomposed != character:
            assert not all(c.isascii() or prototype_of(c) for c in decomposed)
            assert prototype_of(character) is None
