"""Which labels are shown in Unicode: the rule, its tables, and what Chromium shows."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from pathlib import Path

import identifiers as tool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import run
from support.idn_labels import ALPHABETS, MARKS, SPECIAL, labels, parsed
from support.pages import DOCS

from weburl import URL
from weburl._unicode import identifiers
from weburl._unicode.confusables import prototype_of, scripts_of
from weburl._unicode.identifiers import may_be_shown
from weburl.display import display_host, display_url, spoofing_risks
from weburl.hosts import parse_host

FACTS = (Path(__file__).parent / "data" / "displayed_labels.txt").read_text("utf-8").splitlines()
BROWSER, CHROMIUM = FACTS[0], [line.split() for line in FACTS[1:]]


def is_shown(host: str) -> bool:
    """Whether the first label of a host is shown in Unicode."""
    return not display_host(host, isolate=False).startswith("xn--")


def test_nothing_is_shown_that_chromium_does_not_show() -> None:
    assert len(CHROMIUM) == 3000
    in_ascii = [host for verdict, host in CHROMIUM if verdict == "ascii"]
    assert len(in_ascii) > 1000
    assert [host for host in in_ascii if is_shown(host)] == []


def test_the_page_has_the_counts() -> None:
    count = Counter((verdict, is_shown(host)) for verdict, host in CHROMIUM)
    more = [
        [risk.kind for risk in spoofing_risks(host)]
        for verdict, host in CHROMIUM
        if verdict == "shown" and not is_shown(host)
    ]
    assert all("ascii-lookalike" in kinds for kinds in more)
    sentence = (
        f"Of {len(CHROMIUM):,} generated labels, {BROWSER.removeprefix('# ')} shows "
        f"{count['shown', True] + count['shown', False]:,} in Unicode. "
        f"`display_host` shows {count['shown', True]:,} of these in Unicode, and no others."
    )
    assert sentence in " ".join((DOCS / "display.md").read_text("utf-8").split()), sentence


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        # Whole scripts that look like Latin, and where they are at home.
        ("аррӏе.com", False), ("аррӏе.ru", True), ("аррӏе.рф", True), ("оса.рф", True), ("оса.com", False),
        ("οικ.com", False), ("οικ.gr", True), ("ոսօ.am", True), ("ոսօ.ru", False), ("บพเ.th", True), ("บพเ.com", False),
        ("зз.ru", False), ("зк.ru", True), ("аррӏе", False), ("аррӏе.", False), ("аррӏе.ru.", True),
        # Scripts together.
        ("pаypal.com", False), ("pаypal.ru", False), ("αbc.gr", False), ("日本語カナabc.jp", True),
        ("한국漢字abc.kr", True),
        ("日本語é.jp", False), ("한국カナ.kr", False), ("ไทยабв.th", False),
        # Latin.
        ("bücher.de", True), ("straße.de", True), ("việtnam.vn", True), ("encyclopædia.com", True), ("œuvre.fr", True),
        ("gıthub.com", False), ("yıldız.com.tr", True), ("yıldız.tr", True), ("þing.is", True), ("þing.com", False),
        ("ðe.fo", True), ("azərbaycan.az", True), ("azərbaycan.com", False), ("ḍa.com", False), ("ǎa.com", False),
        ("paralŀel.cat", False), ("paral·lel.cat", True), ("paral·lel.com", False), ("a·b.cat", False),
        # Digits.
        ("१२३.भारत", True), ("१2.भारत", False), ("২৪.com", False), ("क१२.com", True), ("मैं৪.com", False),
        # What cannot be seen, or is out of place.
        ("क्\u200cष.भारत", False), ("a\u0301\u0301b.com", False), ("x\u0331y.com", True), ("क\u0301.भारत", False),
        ("i\u0307x.com", False), ("ı\u0307x.com", False), ("か\u309a.jp", False), ("aーb.jp", False),
        ("カーb.jp", True), ("a・b.jp", False), ("カ・カ.jp", True), ("aヽ.jp", False), ("カヽ.jp", True),
        ("カへカ.jp", False), ("かヘか.jp", False),
        ("ヘルプ.jp", True), ("へん.jp", True), ("a一b.jp", False), ("一番.jp", True), ("aノb.jp", False),
        ("ビタミンb6.jp", True), ("-カ.jp", False), ("カ-.jp", False), ("カ-カ.jp", True),
        # Not for identifiers.
        ("😀.com", False), ("★.com", False), ("𐌀𐌁.com", False), ("ꭰꭱ.com", False), ("ἀβγ.gr", False),
    ],
)  # fmt: skip
def test_the_rule(host: str, shown: bool) -> None:
    assert is_shown(host) is shown
    assert (spoofing_risks(host) == ()) is shown or "." in host.rstrip(".")
    ascii_host = str(parse_host(host))
    expected = parse_host(host).unicode.partition(".")[0] if shown else ascii_host.partition(".")[0]
    for text in (display_host(host, isolate=False), display_url(f"https://{host}/x", host_only=True, isolate=False)):
        assert text.partition(".")[0] == expected
    assert display_url(f"https://{host}/x", isolate=False).removeprefix("https://").startswith(f"{expected}")


def test_the_command_has_the_same_rule() -> None:
    hosts = [host for _, host in CHROMIUM[::30]]
    shown = run("--as-idn", "-g", "{hostname}", *[f"http://{host}/" for host in hosts]).lines
    assert shown == [display_host(host, isolate=False) for host in hosts]
    assert run("--as-idn", "http://аррӏе.bücher.example/").lines == ["http://xn--80ak6aa92e.bücher.example/"]


def test_a_label_is_shown_if_it_has_no_risk() -> None:
    for host in labels(300, 5):
        parsed_host = parse_host(host)
        risky = {risk.label for risk in spoofing_risks(host)}
        first = parsed_host.unicode.partition(".")[0]
        assert is_shown(host) is (first not in risky)
        assert display_host(URL(f"http://{host}/"), isolate=False).startswith("xn--" if first in risky else first)


LETTERS = st.sampled_from("".join(ALPHABETS.values()) + MARKS + SPECIAL + "abc012-")


@given(st.text(LETTERS, min_size=1, max_size=6), st.sampled_from(["com", "ru", "рф", "jp", "is", "cat"]))
def test_any_label(label: str, end: str) -> None:
    host = parsed(f"{label}.{end}")
    if host is None:
        return
    shown = display_host(host, isolate=False)
    assert str(parse_host(shown)) == str(host)
    for character in shown:
        assert character.isascii() or may_be_shown(character)
        assert character not in "\u200c\u200d\u2044\u30a0\u0338"


def is_shown_alone(character: str) -> bool:
    """Whether a label of this character twice is shown as it is."""
    host = parsed(f"{character * 2}.com") if unicodedata.category(character)[0] not in "CZ" else None
    return host is not None and host.unicode == f"{character * 2}.com" and is_shown(str(host))


@pytest.mark.slow
def test_each_character_alone_beside_itself() -> None:
    """No character that is not for identifiers is shown, whatever the interpreter knows of it."""
    characters = [chr(code) for code in range(0x80, 0x20000)]
    assert not [character for character in characters if not may_be_shown(character) and is_shown_alone(character)]
    # One in 16 of the others: most are shown.
    others = [character for character in characters if may_be_shown(character)][::16]
    assert sum(map(is_shown_alone, others)) > 15_000 // 16


def test_the_table_is_as_made() -> None:
    """tools/identifiers.py makes it from the file of Unicode that it names; nobody has edited it."""
    module = tool.MODULE.read_text("utf-8")
    table = module[module.index(tool.FIRST_LINE) :]
    codes = {code for code in range(0x110000) if bisect_right(identifiers._edges(), code) % 2}
    assert tool.source(codes) == table
    assert len(codes) == 33_724
    assert (
        hashlib.sha256(table.encode()).hexdigest() == "276c7ef496893007294010932f9fa11f08d823c3f08683898e5a3402505549d5"
    )


def test_the_table_from_a_file() -> None:
    content = (
        "\ufeff# x\n0030..0039 ; Allowed # digits\n00E0..00E2;Allowed\n00E4 ; Allowed\n00E5 ; Restricted\n".encode()
    )
    assert tool.allowed(content) == {0xE0, 0xE1, 0xE2, 0xE4}
    assert "E0 3 1 1" in tool.source(tool.allowed(content))


def test_what_is_measured_is_not_in_other_tables() -> None:
    for character in identifiers.lookalikes():
        assert prototype_of(character) is None
        assert may_be_shown(character)
        assert "Latin" not in scripts_of(character)
    named = re.findall(r"[A-Z][a-z]+", identifiers.LOOKALIKES)
    scripts = [min(scripts_of(c) & set(named)) for c in identifiers.lookalikes()]
    assert set(scripts) == set(named)
    assert all(c in identifiers.lookalikes() or unicodedata.category(c)[0] == "L" for c in identifiers.LIKE_DIGITS)
