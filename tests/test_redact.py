"""weburl.redact: what is hidden in URLs, what is left, and the templates of paths."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import re
import string
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from support import hostile, placements, redact_model, secret_shapes, template_model
from support.arrow import AsArray
from support.redaction_lists import (
    CARD_RANGES,
    COUNT_NAMES,
    EXTENSIONS,
    IDENTIFIER_NAMES,
    KEY_PREFIXES,
    LINK_SEGMENTS,
    NUMBER_NAMES,
    OTEL_NAMES,
    PLAIN_NAMES,
    PLAIN_VALUES,
    TOKEN_SEGMENTS,
)
from test_linear import check
from tiers.redaction import clean_values

from weburl import URL, InvalidURL
from weburl._core.parser import LONGEST, set_max_length
from weburl.bulk import path_template_many, redact_many, redactions_many
from weburl.redact import SECRET_NAMES, TOKEN_NAMES, LogPolicy, path_template, redact, redactions

# Of the page, in its order.
KINDS = ("credentials", "name", "jwt", "key", "email", "card", "hex", "base64", "address")
PAGES = [Path(__file__).resolve().parents[1] / "docs" / name for name in ("redact.md", "redact-rules.md")]
SECRETS = secret_shapes.secrets(10_000, 1)
RANDOM = Random(7)
TEXTS = [secret_shapes.hostile(RANDOM) for _ in range(9000)]
# In a build with offsets of 16 bits, some have 64 KiB: the models would take minutes for each.
TEXTS += [case.url for case in itertools.islice(hostile.inputs(9), 1000) if len(case.url) < 10_000]
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

# What each kind is, and what nearly is it. A text of fewer characters than another has no secret.
HIDDEN = {
    "https://u:p@h/": {"credentials": 1},
    "https://u@h/": {"credentials": 1},
    "https://:p@h/": {"credentials": 1},
    "https://h/x=1:2:3::4//%7B%401": {"address": 1, "credentials": 1},
    "https://h/x=1:2:3::4/a/%7B%401": {"address": 1},
    "https://h/x/https://u:p@h/": {"credentials": 1},
    "https://h//u:p@h/x//u@h#//u:p@h": {"credentials": 3},
    r"x://h/a\\u:p@h": {"credentials": 1},
    "https://h/?u=//a:b@h": {"credentials": 1},
    "https://h/?u=%2f%2Fa:b%40h": {"credentials": 1},
    "https://h/?u=ftp:a:b@h": {"credentials": 1},
    "https://h/?u=https:/u:p@h": {"credentials": 1},
    "https://h/?u=%20h%09ttps:%5C%0A/u:p@h": {"credentials": 1},
    "https://h/?u=/%09/u:p@h": {"credentials": 1},
    f"//[::1]{JWT}://u:p@h": {"jwt": 1, "credentials": 1},
    "https://h/?a=basic+eDp5": {"credentials": 1},
    "user:password@host/": {"credentials": 1},
    "https://h/?password=1&Pass=2&PWD=3": {"name": 3},
    "https://h/?x-my%5ftoken=1": {"name": 1},
    "https://h/?%2561pi_key=1": {"name": 1},
    "https://h/?a[secret]=1": {"name": 1},
    "https://h/?t\u00f6ken=1&to%6b%65n=1": {"name": 1},
    "https://h/?key=0123456789abcdef": {"name": 1},
    "https://h/a;jsessionid=1;b=2": {"name": 1},
    "https://h/password-reset/gggggggggggggG1/hhhhhhhhhhhhhH22": {"name": 1},
    "https://h/#!access_token=1": {"name": 1},
    "https://h/#/a?token=1": {"name": 1},
    "https://h/#//u@=&:/b@": {"credentials": 1},
    'https://h/?q={"a":{"token":"1"}}': {"name": 1},
    f"https://h/{JWT}?x={JWT}#{JWT}": {"jwt": 3},
    "https://h/?x=a.b:ghp_" + "a" * 36: {"key": 1},
    "https://h/?x=me%40example.com": {"email": 1},
    "https://h/to/me@163.com": {"email": 1},
    "https://h/?x=4111+1111+1111+1111": {"card": 1},
    "https://h/?x=" + "a1" * 16: {"hex": 1},
    "https://h/?x=0x" + "A1" * 16: {"hex": 1},
    "https://h/?" + "gH1" * 11 + "==": {"base64": 1},
    "https://h/?x=1.2.3.4&ip=::1": {"address": 2},
    # What is known raw is known quoted, in each place.
    "https://h/p/token%3D1": {"name": 1},
    "https://h/p%3Btoken%3D1": {"name": 1},
    "https://h/p;token%3D1/;a%3D1%2526token%253D1": {"name": 2},
    "https://h/p/https%3A%2F%2Fdb%2Fx%3Ftoken%3D1": {"name": 1},
    "https://h/https%3A//admin%3Ahunter2%40db/x": {"credentials": 1},
    "https://h/https%253A//admin%253Ahunter2%2540db/x": {"credentials": 1},
    "https://h/u%3Dhttps%3A//u:p@db/x": {"credentials": 1},
    "https://h/a;u=https%3A//u:p@db/x": {"credentials": 1},
    "https://h/%7B%22u%22:%22https:%5C/%5C/u:p@db%22%7D": {"credentials": 1},
    "https://h/?u=https%3A%2F%2Fu:a%252Fb%40db": {"credentials": 1},
    '["https:u:p@h"]': {"credentials": 1},
    "https://h/#https%3A//u%3Ap%40db": {"credentials": 1},
    "https://h/#https%3A//db/x%3Ftoken%3D1": {"name": 1},
    "https://h/#a=b&token=1": {"name": 1},
    "https://h/p/%7B%22token%22%3A%20%221%22%7D": {"name": 1},
    "https://h/?q=%22%7B%5C%22token%5C%22:1%7D%22": {"name": 1},
    r"https://h/?q=a\u0026to\u006ben\u003d1": {"name": 1},
    r"https://h/?q=\\u0026token\\u003d1": {"name": 1},
    r"https://h/?\u0074oken=1&\u0070w=1&x\\\u0070w=1&%5Cu00%36bey=0123456789abcdef&\\u0070in=1": {"name": 5},
    r"https://h/p;%5Cu0074oken=1#a=b&\u0074oken=1": {"name": 2},
    r"x://h/p;\u0074oken=1": {"name": 1},
    'https://h/p/{"tokens":["","a"]}/x;x=%5B"",{"tokens":[[],%20"","a"]}%5D#{"tokens":["","a"]}': {"name": 3},
    "https://h/?tokens=1234567890&x={%22tokens%22:%22a%22}": {"name": 2},
    'https://h/?q={"code":["","0123456789abcdef"]}': {"name": 1},
    "https://h/?a%26token%3D1%26b=2": {"name": 1},
    "https://h/?u=/cb%3Fcode%3D0123456789abcdef": {"name": 1},
    "https://h/?key=%220123456789abcdef%22": {"name": 1},
    "https://h/?u=https%3A%2F%2Fh%2Freset%2FgggggggggggggG12%3Fa": {"name": 1},
    "https://h/reset/gggggggggggggG12%3Fa": {"name": 1},
    "https://h/?u=h%3Fx%3D" + "gH1" * 11: {"base64": 1},
    "https://h/p/x%3Fy%3D" + "a1" * 16 + "/x%23y%3D" + "a1" * 16: {"hex": 2},
    "https://h/?a=bearer%091&b=Bearer%20%20+1&c=[%22bearer%20x%22]&d=x,%20bearer%20x&e='Bearer+x'": {"credentials": 5},
    '"basic YTpiY2Rl"': {"credentials": 1},
    "https://h/?x=a4111111111111111&x=card4111-1111-1111-1111": {"card": 2},
    "https://h/key-AKIAIOSFODNN7EXAMPLE/x_" + JWT: {"key": 1, "jwt": 1},
    "https://h/key-glpat-aB1-cD2-eF3-gH4-iJ5-": {"key": 1},
    "https://h/?x=me!@example.com": {"email": 1},
    "https://h/?u=https://u:p/@db&u=a%20redis%3A//:p%23q%40db&u=x,http:u:p%3F/%40db": {"credentials": 3},
    "https://h/a/https%3A%2F%2Fu%3Ap%2Fq%40db": {"credentials": 1},
    "https://h/?x=5500005555555559+4111111111111111&x=4111-1111-1111-1111-12-29&x=1+3782-822463-10005+1": {"card": 3},
    "https://h/?x=eyJhbGciOiJkaXIifQ..c2ln": {"jwt": 1},
    "x:/token=}\\": {"name": 1},
    r"x://h//&a@\u0040b.com": {"credentials": 1, "email": 1},
    "https://h/?u=http://[u:p/w@db/&u=https://http:u:p%23q@db": {"credentials": 2},
    "http://[u:p/w@h": {"credentials": 1},
    "https://h/?code=0123456789abcdef%0A&x={%22code%22:[%0D%0A%220123456789abcdef%22]}": {"name": 2},
    "https://h/?a=[/reset/gggggggggggggG12]&b=(/share/gggggggggggggG12)&c=x,/sso/gggggggggggggG12,y": {"name": 3},
    "https://h/?a=see+https://h/reset/gggggggggggggG12.+Now&b=/reset/gggggggggggggG12%0A": {"name": 2},
    "https://h/reset/gggggggggggggG12==/x;a=b;gggggggggggggG12=": {"name": 2},
    "https://h/?u=/verify?t=gggggggggggggG12&u=verify%23gggggggggggggG12&/reset?t=gggggggggggggG12": {"name": 3},
    "https://h/verify/x%3Ft%3DgggggggggggggG12#/confirm?t=gggggggggggggG12": {"name": 2},
    "https://h/go/https%3A%2F%2Fh%2Fverify%3Fa%3D1%26t%3DgggggggggggggG12": {"name": 1},
    "https://h/?a=%3Chttps://hooks.slack.com/services/T01234567/B01234567/ggggggggggggggggggggg1%3E": {"name": 1},
    "https://h/?%2Fx%5C/T01234567%5C/B01234567%5C/ggggggggggggggggggggg1": {"name": 1},
    "https://h/services%5C/T01234567%5C/B01234567%5C/ggggggggggggggggggggg1": {"key": 1},
    r'https://h/?x={"t":"\uff1aAKIAIOSFODNN7EXAMPLE"}&y="\u20ac4111111111111111"&z="me@\u4f8b\u3048.com"': {
        "key": 1,
        "card": 1,
        "email": 1,
    },
    r"x://h//k\u:p@h": {"credentials": 1},
    "https://h/?x=u:+http:u:p@h&x=%22ht%09tps:u:p@h%22&x=+ftp:u:p@h&x=x,%20w%0As:u:p%2Fq@h": {"credentials": 4},
    "https://h/?x=" + "gH1" * 11 + "%0A&x=" + "gH1" * 11 + "=/y": {"base64": 2},
}
TEXTS += HIDDEN
SHOWN = (
    "https://h/?token=&token&=&&a",
    "https://h/?token=REDACTED",
    "https://h/?tokens_left=1&token_type=bearer&design=2&spin=3&keyboard=4",
    "https://h/?key=0123456789abcde&key=aaaaaaaaaaaaaaaaaaaa&sid=12345678901234567890",
    "https://h/" + "a1" * 16 + "/" + "gH1" * 11,
    "https://h/password-reset/ggggggggggggG1/gggggggggggggggggggggG",
    "https://h/?x=" + "a1" * 15 + "b",
    "https://h/?x=" + "a" * 32,
    "https://h/?x=" + "1" * 32,
    "https://h/?x=" + "gH1" * 10 + "a",
    "https://h/?x=Internationalization_considerations_everywhere",
    "https://h/?x=eyJhbGciOi.e30&x=eyJhbGciOiJIUzI1NiJ9&x=eyMhbGciOiJIUzI1NiJ9.e30",
    "https://h/?x=xghp_" + "a" * 36,
    "https://h/?x=ghp_" + "a" * 35,
    "https://h/u:p@h//@scope//a/b@c/x:80//",
    "https://h/@scope/react@18.2.0/jquery@3.6.0.min.js/a@b",
    "https://h/?x=4111111111111112&x=1111111111111117&x=41111111111111110&x=4111111111111111a&x=0.4111111111111111",
    "https://h/?x=1.2.3.0&x=2001:db8:1::&x=1.2.3.256&x=1.2.3&x=1.2.3.4.5&x=01.2.3.4&x=12:30&x=a:b",
    "https://h/?v=1.2.3.4&app_version=10.0.19045.1",
    "https://1.2.3.4/1.2.3.4",
    "https://h/token:1/token%3A1/%3Ftoken/token%3D/%22token%22:%22%22,/token%3D,a",
    'https://h/{"tokens":[],"a":1}/{"tokens":["",[""]],"a":1}/{"tokens":["",""]}/{"tokens":"","a":1}',
    r"https://h/?\u0074oke=1&toke\n=1&\u0074oken&\u0074oken=",
    "https://h/?q=visual+basic+training&q=ring+bearer+pillow&q=a,basic+training&q=a,bearer+of+bad+news&q=bearer",
    "https://h/NEWS-ASIA-PACIFIC-SUMMIT-2024/NEWS_ASIA_PACIFIC_SUMMIT/AKIAIOSFODNN7EXAMPL/xAKIAIOSFODNN7EXAMPLE",
    "https://h/how-to-publish-on-pypi-with-GitHub-actions-and-trusted-publishers-in-2024",
    "https://h/?x=@a.com&x='@a.com&x=/!@a.com&x={@a.com",
    "https://h/?x=a1b4111111111111111&x=a_4111111111111111&x=a_b4111111111111111",
    "https://h/?u=https%3A%2F%2Fshare.example%2FgggggggggggggG12&u=/reset/gggggggggggggG12.html",
    "https://h/https%3A/x/x@/https%3A//@x",
    "https://h/?x=see+http:u:p@h&x=shttp:u:p@h&x=a%20%09ftp:u:p",
    "https://h/?u=/verify?v=gggggggggggggG12&u=https://verify.h/?t=gggggggggggggG12&confirm=gggggggggggggG12",
    "https://h/reset/gggggggggggggG12.html/gggggggggggggG12=1",
    'https://h/?a={"ip":"203.0.113.0"}&a={"version":"1.2.3.4"}&a=http://1.2.3.4/&a=ip:1.2.3.4&a=(1.2.3.4)&a="1.2.3"',
    'https://h/"1.2.3"/1.2.3.4,1/x=1.2.3.4.5&a=[1.2.3.4]',
    "https://h/?u=https://h:80/@x&u=https://[::1]:a/@x&u=//a:b/@x&u=http://a:/@x&u=http://a:b/%20@x&u=x:a:b/@x",
    "https://h/?x=4111-1111-1111-1111_1&x=14111-1111-1111-1111-1&x=4111-1111-1111-1112-12-29&x=1-eyJhbGciOiJkaXIifQ..",
    "file:///C:/x@y/5",
    "https://h/file:///C:/x@y",
    "mailto:",
    "x:a",
)  # fmt: skip


def counts(**found: int) -> dict[str, int]:
    """With the kinds that are not there."""
    assert {*found} <= {*KINDS}
    return dict.fromkeys(KINDS, 0) | found


@pytest.mark.parametrize(("url", "found"), HIDDEN.items(), ids=ascii)
def test_what_is_hidden(url: str, found: dict[str, int]) -> None:
    assert redactions(url) == counts(**found)
    assert ("REDACTED" in redact(url)) == (found.keys() != {"address"})


@pytest.mark.parametrize(
    "card",
    [
        "30569309025904", "3056 930902 5904", "3056 9309 0259 04", "378282246310005", "3782 822463 10005",
        "3782 8224 6310 005", "4111111111111111", "4111 1111 1111 1111", "62509410065285907", "6250 9410 0652 8590 7",
        "625094100652859017", "6250 9410 0652 8590 17", "4111111111111110237", "4111 1111 1111 1110 237",
    ],
)  # fmt: skip
def test_cards_of_each_length_among_other_numbers(card: str) -> None:
    for around in ("{}", "{} 12", "{} 12 29", "1 {}", "1 {} 12 29", "{}. 1", "1. {}"):
        for separator in "-+":
            text = around.format(card).replace(" ", separator)
            assert redactions(f"https://h/?x={text}") == counts(card=1), text
    # Another digit at its end is that of no card.
    assert redactions(f"https://h/?x={card[:-1]}{9 - int(card[-1])}".replace(" ", "+")) == counts()


@pytest.mark.parametrize(("port", "is_port"), [("65535", True), ("65536", False), ("065535", True), ("100000", False)])
def test_what_cannot_be_a_port_is_a_password(port: str, is_port: bool) -> None:
    """With a delimiter in it that should have been escaped."""
    for delimiter in "/?":
        assert redactions(f"https://h/?x=http://u:{port}{delimiter}p@h/") == counts(credentials=1 - is_port)


def test_the_shortest_jwt() -> None:
    for before in ("", "?x=", "?", "#", "#/", "p/", "p;", "p;x=", "?x=a+", "#/p/"):
        assert redactions(f"https://h/{before}eyJ01234567.a") == counts(jwt=1), before
        assert redactions(f"https://h/{before}eyJ01234567.") == counts(), before
        assert redactions(f"https://h/{before}eyJ0123456.a") == counts(), before


@pytest.mark.parametrize("url", SHOWN)
def test_what_is_shown(url: str) -> None:
    assert redact(url) == URL(url).href
    assert redactions(url) == counts()


@pytest.mark.parametrize("shape", secret_shapes.SHAPES)
def test_none_of_the_secrets_is_left(shape: str) -> None:
    """Of 250 URLs of each shape."""
    assert len(secret_shapes.SHAPES) == 40
    mine = [each for each in SECRETS if each.shape == shape]
    assert len(mine) == 250
    for each in mine:
        shown = redact(each.url)
        assert each.secret not in shown
        assert each.secret not in redact_model.decoded(shown)
        assert any(redactions(each.url).values())


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(3))
def test_no_run_of_a_secret_is_left_in_any_place(part: int) -> None:
    """Each kind in each place with each wrapper around it, and some with more; `make redaction` tries more of them."""
    shapes = [shape for depth in (0, 1) for shape in placements.shapes(depth)]
    maker = secret_shapes.Maker(part)
    places, kinds = Counter[str](), Counter[str]()
    found = (placements.place(kind, names, where, maker) for kind, names, where in shapes[part::9])
    for placed in itertools.chain(filter(None, found), itertools.islice(placements.deeper(maker), 1300)):
        shown = redact(placed.url)
        assert placements.remains(placed.secret, placed.url)
        assert not placements.remains(placed.secret, shown), placed
        assert redact(shown) == shown
        if URL.can_parse(placed.url):
            assert not placements.remains(placed.secret, path_template(placed.url)), placed
        where, *_, kind = placed.shape.split(" < ")
        places[where] += 1
        kinds[kind] += 1
    assert ({*places}, {*kinds}) == ({*placements.PLACES}, {*placements.ITEMS})
    assert places.total() > 3000


def test_an_authority_within_another() -> None:
    """The scheme of a second URL follows what seems to be the authority of a first one."""
    for text in ("https://h/?x=%26//%20=https://u:p/@b.com", "https://h/?x=//a=https:u:p/@b.com"):
        assert redact(text) == "https://h/?x=REDACTED"


@pytest.mark.parametrize("seed", range(4))
def test_passwords_with_delimiters_in_inner_urls(seed: int) -> None:
    """That should have been escaped, in a URL in a value, quoted or not: as in a URL that does not parse."""
    maker = secret_shapes.Maker(seed)
    for _ in range(500):
        secret = maker.text(string.ascii_letters, maker.random.randint(8, 20))
        place = maker.random.randint(1, len(secret))
        password = secret[:place] + maker.random.choice("/?#") + secret[place:]
        scheme = maker.random.choice(("https", "postgres", "redis", "wss", "git+ssh"))
        url = f"{scheme}://{maker.random.choice(('', 'me'))}:{password}@db"
        for _ in range(maker.random.randint(1, 4)):
            url = quote(url, safe="")
        for start in ("?u=", "?u=x,", "?", "a/", "a;u=", "#u=", "#"):
            shown = redact(f"https://h/{start}{url}")
            assert not placements.remains(secret, shown), (start, url)
            assert redact(shown) == shown


@pytest.mark.parametrize("start", ["?", "?u=", "?x&", "#", "#/", "#/a/", "#?", "a;u=", "/a?"])
def test_passwords_with_equals_signs(start: str) -> None:
    """The URL is not cut there, as a parameter with a name and a value."""
    maker = secret_shapes.Maker(5)
    for _ in range(200):
        secret = maker.text(string.ascii_letters, maker.random.randint(8, 20))
        place = maker.random.randint(1, len(secret))
        password = secret[:place] + maker.random.choice(("=", "==", "=a=")) + secret[place:]
        scheme = maker.random.choice(("https://", "postgres://", "//", "https:"))
        url = f"{scheme}{maker.random.choice(('', 'me'))}:{password}@{maker.random.choice(('db', 'a.example/b?c=d'))}"
        if maker.random.random() < 0.3:
            url = quote(url, safe="=")
        shown = redact(f"https://h/{start}{url}")
        assert not placements.remains(secret, shown), (start, url, shown)
        assert redact(shown) == shown
    assert redact("https://h/?u=https://me:a=b@db&x:y=z@z") == "https://h/?u=REDACTED&x:y=z@z"


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_escapes_within_escapes(seed: int) -> None:
    """JSON in JSON, with percent-escapes of the letters and digits of its escapes."""
    random = Random(seed)
    maker = secret_shapes.Maker(seed)

    def some_in_json(text: str) -> str:
        return "".join(json.dumps(c)[1:-1] if random.random() < 0.7 else f"\\u{ord(c):04x}" for c in text)

    def some_percent(text: str) -> str:
        return "".join(f"%{ord(c):02x}" if c in '%&#;+ "' or random.random() < 0.3 else c for c in text)

    for _ in range(3000):
        secret = maker.text(string.ascii_letters, random.randint(8, 16))
        text = random.choice((f"https://me:{secret}@db/x", f"a=1;password={secret}", f'{{"api_key":"{secret}"}}'))
        for _ in range(random.randint(0, 3)):
            text = some_in_json(text)
        for _ in range(random.randint(0, 3)):
            text = some_percent(text)
        for start in ("?x=", "a/", "#/"):
            url = f"https://h/{start}{quote(text, safe='')}"
            assert not placements.remains(secret, redact(url)), url


def test_the_search_for_runs_notices() -> None:
    for shown in ("x%3Dhunter2x", "hunter2", "hunte%72", "hunte%257", r"\u0068unter2", r"{\"a\":\"h\u0075nter2\"}"):
        assert (placements.remains("hunter2", shown) is None) == (shown == "hunte%257")


@pytest.mark.sample(4)
@pytest.mark.parametrize("start", range(0, len(TEXTS), 500))
def test_model(start: int) -> None:
    """The same text, the same counts, and the same template as in the model; each is its own result."""
    for text in TEXTS[start : start + 500]:
        expected, found = redact_model.redacted(text)
        shown = redact(text)
        assert (shown, redactions(text)) == (expected, counts(**found))
        assert (redact(shown), redactions(shown)) == (shown, counts())
        assert shown.isascii()
        assert shown.isprintable()
        url = URL.parse(text)
        if url is None:
            if text.startswith("/"):
                template = path_template(text)
                assert template == template_model.template_of_path(text)
                assert path_template(template) == template
            continue
        after = URL(shown)
        assert (after.href, after.protocol, after.host) == (shown, url.protocol, url.host)
        template = path_template(url)
        assert redactions("x://h" + template.replace("{value}", "")) == counts()
        assert template == template_model.template(url)
        assert template[:1] == "/"
        assert path_template(template) == template


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_plus_at_either_end_of_base64(seed: int) -> None:
    """Texts with about as many changes as base64 has at least, so that one place more or less decides."""
    random = Random(seed)
    kinds: Counter[str] = Counter()
    for _ in range(2000):
        words = [random.choice(("Ab", "A-c", "ABc_", "Abc_")) for _ in range(random.randint(9, 14))]
        text = "".join(words)
        text = random.choice(("+", "++", "-", "A", "")) + text + random.choice(("+", "++", "=+", "+=", ""))
        url = f"https://h/#x=&{text}" if random.random() < 0.5 else f"https://h/?x={text}"
        expected, found = redact_model.redacted(url)
        assert (redact(url), redactions(url)) == (expected, counts(**found))
        kinds.update(redactions(url))
    assert 200 < kinds["base64"] < 1800


CREDENTIALS = (
    *("http:", "ws:", "ftp:", "x:", "//", "://", "h.example", "REDACTED", "%2F", "%3A", "%40", "%5C", "%09", "%0A"),
    *"aup18:/\\@@[]\"' <>?#&={,+\n",
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_model_of_credentials(seed: int) -> None:
    """Authorities in all orders, with line ends between their solidi, and at signs without a name before them."""
    random = Random(seed)
    hidden = 0
    for _ in range(2500):
        start = random.choice(("?x=", "#", "", "a;x=", "?"))
        text = f"https://h/{start}" + "".join(random.choices(CREDENTIALS, k=random.randint(3, 16)))
        expected, found = redact_model.redacted(text)
        shown = redact(text)
        assert (shown, redactions(text)) == (expected, counts(**found))
        assert redact(shown) == shown
        hidden += found["credentials"] > 0
    assert 100 < hidden < 1000


def test_the_texts_have_all_kinds() -> None:
    kinds: Counter[str] = Counter()
    for text in TEXTS:
        kinds.update(redactions(text))
    assert tuple(kinds) == KINDS
    assert min(kinds.values()) > 10


def test_clean_values_of_real_links() -> None:
    """At most 1 % of 10,000 are touched; `make redaction` lists them."""
    values = clean_values()
    if not values:
        pytest.skip("the real links are not here")
    assert len(values) == 10_000
    assert sum(redact(url) != url for url in values) <= 100


def test_columns() -> None:
    """Each row gives what the scalar functions give, also where it does not parse."""
    rows: list[str | None] = [*TEXTS, None, *(each.url for each in SECRETS[:2000])]
    urls = [None if text is None else URL.parse(text) for text in rows]
    policy = LogPolicy(secret_names=["a"], token_names=[])
    for threads in (1, 2):
        shown = redact_many(rows, threads=threads)
        assert shown.to_pylist() == [None if text is None else redact(text) for text in rows]
        assert shown.errors == {}
        found = redactions_many(rows, threads=threads)
        assert found.column_names == KINDS
        assert found.to_pylist() == [dict.fromkeys(KINDS) if text is None else redactions(text) for text in rows]
        templates = path_template_many(rows, threads=threads).to_pylist()
        own = [
            text if url is None and (text or "").startswith("/") else url for text, url in zip(rows, urls, strict=True)
        ]
        assert templates == [None if each is None else path_template(each) for each in own]
    mine = redact_many(rows, policy).to_pylist()
    assert mine == [None if text is None else redact(text, policy) for text in rows]
    based = redact_many(["?token=1", "//x/a@b.com"], base="https://u@h/")
    assert based.to_pylist() == ["https://REDACTED@h/?token=REDACTED", "https://x/REDACTED"]
    assert path_template_many(["7", "/b/8#f"], base="https://h/a/").to_pylist() == ["/a/{int}", "/b/{int}"]
    with pytest.raises(InvalidURL, match="row 1"):
        path_template_many(["x:", "x"], on_error="raise")


def test_a_row_ends_before_the_next_one() -> None:
    """The bytes of the next row, a digit, follow in the same buffer."""
    texts = ["https://h/?ip=10.0.0.1:", "https://h/7", "https://h/?a=%3", *HIDDEN]
    rows = [row for text in texts for row in (text, "8")]
    for function, scalar in ((redact_many, redact), (path_template_many, path_template)):
        found = function(AsArray([rows], "U")).to_pylist()
        taken = [URL.can_parse(row) or scalar is redact or row.startswith("/") for row in rows]
        assert found == [scalar(row) if is_taken else None for row, is_taken in zip(rows, taken, strict=True)]


def test_credentials() -> None:
    assert redact("https://user:pass@example.com/") == "https://REDACTED:REDACTED@example.com/"
    assert redact("https://user@example.com/") == "https://REDACTED@example.com/"
    assert redact("https://:pass@example.com/") == "https://:REDACTED@example.com/"
    assert redact("https://REDACTED:pass@example.com/") == "https://REDACTED:REDACTED@example.com/"


def test_addresses() -> None:
    def shown(value: str) -> str:
        return redact(f"https://h/?ip={value}").removeprefix("https://h/?ip=")

    assert shown("203.0.113.77") == "203.0.113.0"
    assert shown("203.0.113.77:8080,198.51.100.1:8") == "203.0.113.0:8080,198.51.100.0:8"
    assert shown("203.0.113.77,%20198.51.100.1") == "203.0.113.0,198.51.100.0"
    assert shown("2001:db8:85a3:8d3:1319:8a2e:370:7348") == "2001:db8:85a3::"
    assert shown("2001%3Adb8%3A85a3%3A%3A1") == "2001:db8:85a3::"
    assert shown("[2001:DB8::1]:443") == "[2001:db8::]:443"
    assert shown("::ffff:203.0.113.77") == "::"
    assert shown("0:0:5::1") == "0:0:5::"
    assert shown("1:2:3:4:5:6:7:8:9") == "1:2:3:4:5:6:7:8:9"
    assert shown("203.0.113.77, x") == "203.0.113.77,%20x"
    for value in (
        '"203.0.113.77"',
        "203.0.113.77%0A",
        r"\u0032\u0030\u0033.0.113.77",
        "%20'203.0.113.77'",
        "\\u0022203.0.113.77",
    ):
        assert shown(value) == "203.0.113.0"
    for url, expected in {
        '?a={"ip":"203.0.113.77"}&b=/x?ip=203.0.113.77': "?a=REDACTED&b=REDACTED",
        '?ip%3D2001:db8::1=&c="203.0.113.77"&d=%5Cu0032%30.0.113.77': "?REDACTED=&c=203.0.113.0&d=20.0.113.0",
        '?a=["203.0.113.0","203.0.113.77"]&b=x=203.0.113.0,203.0.113.77:80': "?a=REDACTED&b=REDACTED",
        "p/ip%3D203.0.113.77;a=x%3D[::1]": "p/REDACTED;a=REDACTED",
    }.items():
        assert redact(f"https://h/{url}") == f"https://h/{expected}"
        assert redactions(f"https://h/{url}")["address"] == len(re.findall("REDACTED|[.]0(?=&|$)", expected))
    # All of what has an address in it is hidden; a strict policy also hides networks.
    for value in (
        '{"ip":"203.0.113.S"}',
        "https%3A%2F%2Fx%2F%3Fip%3D203.0.113.S",
        r"\u007b\u0022ip\u0022:\u0022203.0.113.S\u0022",
    ):
        assert shown(value.replace("S", "7")) == "REDACTED"
        assert "203.0.113.0" in shown(value.replace("S", "0"))
        assert redact(f"https://h/?ip={value.replace('S', '0')}", "logs-strict") == "https://h/?ip=REDACTED"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/a?token=1#x", "/a?token=REDACTED#x"),
        ("//u:p@h/?token=1", "//REDACTED:REDACTED@h/?token=REDACTED"),
        ("http://a b/?token=1#password=2", "http://a b/?token=REDACTED#password=REDACTED"),
        # This is a URL without its password, which has a solidus.
        ("HTTP://u:p/q@H/?token=1", "http://REDACTED:REDACTED@h/?token=REDACTED"),
        ("/cb?token=1&next=//u:p@h/", "/cb?token=REDACTED&next=REDACTED"),
        ("/\u00e9\n?to\tken=\ud800", "/%C3%A9?token=REDACTED"),
        (" not a URL ", "not a URL"),
        ("", ""),
    ],
)
def test_texts_that_do_not_parse(text: str, expected: str) -> None:
    assert redact(text) == expected


def test_arguments() -> None:
    class Text(str):
        pass

    assert redact(Text("https://h/?pin=1"), "logs") == redact(URL("https://h/?pin=1")) == "https://h/?pin=REDACTED"
    assert type(redact(Text("https://h/"))) is type(path_template(Text("https://h/"))) is str
    assert path_template(URL("https://h/5"), "paths") == path_template("https://h/5", policy="paths/1") == "/{int}"
    for call, argument in ((redact, "logs/2"), (redactions, "crawl"), (path_template, "paths/2")):
        with pytest.raises(ValueError, match="/1 or without"):
            call("x:", argument)
    wrong: Any
    for call in (redact, redactions, path_template):
        for wrong in (None, b"x:", 1):
            with pytest.raises(TypeError):
                call(wrong)
            with pytest.raises(TypeError):
                call("x:", wrong)


def test_policies() -> None:
    policy = LogPolicy(secret_names=SECRET_NAMES | {"customer*", "*plate", "*vin*"})
    url = "https://h/?customer_id=1&license-plate=2&myVinNo=3&pin=4&plates=5"
    assert redactions(url, policy) == counts(name=4)
    assert redactions(url) == counts(name=1)
    assert (policy.name, policy.version, str(policy)) == ("custom", 1, "custom/1")
    for other in (pickle.loads(pickle.dumps(policy)), copy.copy(policy), copy.deepcopy(policy)):
        assert other.secret_names == policy.secret_names
        assert redact(url, other) == redact(url, policy)
    wrong: Any
    for wrong in ("token", [1], None):
        with pytest.raises(TypeError):
            LogPolicy(secret_names=wrong)
    for name in ("", "*", "**", "a_b", "A", "a*b", "**a", "\u00e9", "a" * 65):
        with pytest.raises(ValueError, match="secret_names: "):
            LogPolicy(secret_names=[name])
        with pytest.raises(ValueError, match="token_names: "):
            LogPolicy(token_names=[name])
    with pytest.raises(ValueError, match="65,535"):
        LogPolicy(secret_names=[f"{index:04}{60 * 'a'}" for index in range(1100)])
    assert redact("https://h/?token=1", LogPolicy(secret_names=[], token_names=[])) == "https://h/?token=1"


def test_a_result_above_the_limit() -> None:
    """It would not parse; nothing of it is shown."""
    url = "https://h/?" + "pin=1&" * 100
    before = set_max_length(len(url))
    try:
        with pytest.raises(InvalidURL, match="too-long") as caught:
            redact(url)
        assert caught.value.input == "REDACTED"
        column = redact_many([url, "https://h/?pin=1"])
        assert column.to_pylist() == [None, "https://h/?pin=REDACTED"]
        assert column.errors == {"too-long": 1}
        # A text above the limit does not parse, either.
        assert redact(url + "pin=2") == "https://h/?" + "pin=REDACTED&" * 100 + "pin=REDACTED"
    finally:
        set_max_length(before)


@pytest.mark.parametrize(
    "unit", ["a", "%61", "=", "&", "a=1&", ";", "@", "a@", "/", "//", "1", "1 ", "a1", "gH1", ".", ":"]
)
def test_long(unit: str) -> None:
    n = min(2**20, LONGEST - 100) // len(unit) // 3
    for start in ("https://h/", "https://h/?x=", "https://h/?", "https://h/#", "http://a b/"):
        shown = redact(start + n * unit)
        assert redact(shown) == shown
        path_template("https://h/" + n * unit)


@pytest.mark.timed
@pytest.mark.long
@pytest.mark.parametrize("start", ["https://h/", "https://h/?x=", "https://h/?", "https://h/#", "x:", "http://a b/?"])
def test_linear(start: str) -> None:
    units = [
        "a",
        "%",
        "%25",
        "=",
        "&",
        ";",
        "@",
        "a@b.",
        "/",
        "//@",
        "reset/",
        "1 ",
        "4-",
        "a1",
        "gH1",
        "eyJ",
        ":",
        "token:",
    ]
    units += [
        "%3D",
        "%2F",
        "%253A",
        "%25253D",
        "token%3D",
        "key=",
        "key=a1",
        "bearer ",
        ",basic+/",
        "ey-",
        "https%3A//",
    ]
    units += ["https%3A%2F%2F", "!@", '"', '\\"', "\\", "\\u0022", "\\u0025", "a-", "ghp-xoxb-", "?", "%3F", "[", "+"]
    units += ["/reset/gggggggggggggG12.", "token: ", '["",', 'token=["",', "\\u0074oken=", "&\\u0074oken=1"]
    units += ["/verify?", "/verify?t=[", "=1.2.3.0,", '="', "%5C/", "/reset/gggggggggggggG12=", "\\u20ac"]
    units += ['"10.0.0.0,', "'1::,", "%2210.0.0.0,", "%27[1::],", "'1::\"", '\\"10.0.0.0,']
    for unit in [*units, "aaaaaaaaaaaaagH1/", "http:", "x=1.2.3.4&", "1.2.3.4,", "[", "ghp_", "ghp_ghp-"]:
        check(lambda n, unit=unit: start + unit * (n // len(unit)), redact)  # type: ignore[misc]
        check(lambda n, unit=unit: "https://h/" + unit * (n // len(unit)), path_template)  # type: ignore[misc]


def test_the_page_has_the_lists() -> None:
    page = "".join(page.read_text("utf-8") for page in PAGES)
    listed: list[tuple[Any, str]] = [
        (SECRET_NAMES, "Names of secrets"), (TOKEN_NAMES, "Names of tokens"), (TOKEN_SEGMENTS, "Names of segments"),
        (PLAIN_NAMES, "Plain names"), (KEY_PREFIXES, "Prefixes of keys"), (COUNT_NAMES, "Names of counts"),
        (NUMBER_NAMES, "Names of numbers"), (LINK_SEGMENTS, "Segments of links in mails"),
        (PLAIN_VALUES, "Plain values"), (EXTENSIONS, "Ends of file names"), (IDENTIFIER_NAMES, "Names of identifiers"),
        (OTEL_NAMES, "Names of OpenTelemetry"),
    ]  # fmt: skip
    for names, title in listed:
        section = page.split(f"**{title}**")[1].split("\n**")[0].split("\n#")[0]
        assert {*re.findall("`([^`]+)`", section)} >= {*names}, title
    for first, last, _ in CARD_RANGES:
        assert (f"{first}" if first == last else f"{first}-{last}") in page
    for kind in KINDS:
        assert f"| `{kind}` |" in page


def test_imported_late() -> None:
    """Making the automata takes time, so this is done when they are first asked for."""
    code = (
        "import sys, weburl\n"
        "assert not [name for name in sys.modules if name.startswith('weburl._crawl')]\n"
        "import weburl.redact, gc\n"
        "assert not [each for each in gc.get_objects() if type(each).__name__ == 'Automaton']"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
