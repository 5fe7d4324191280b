"""redact_text: only secrets change; the same as its model; linear; kernels agree; explanations without secrets."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from support import log_texts, placements, redact_text_model, redaction_corpus, secret_shapes, secret_texts
from support.log_texts import FORMATS
from support.redaction_lists import KEY_PREFIXES
from support.secret_texts import BOT, JWT, KEY

from weburl._core import percent as kernels
from weburl._redact.explained import HEADERS, OF_KINDS, OF_NAMES, rules_of
from weburl._redact.stream import TextStream
from weburl.redact import LogPolicy
from weburl.text import Redaction, explain_redaction, redact_text

NOTHING = LogPolicy(name="nothing", exact_names=["no-such-name"])

# fmt: off
CASES = {
    "HTTP://H:80/%7e?token=x": "HTTP://H:80/%7e?token=REDACTED",
    '"GET /login?token=abc&x=1 HTTP/1.1" 200': '"GET /login?token=REDACTED&x=1 HTTP/1.1" 200',
    "path=/reset?password=hunter2 ok": "path=/reset?password=REDACTED ok",
    "(see https://h/?token=x).": "(see https://h/?token=REDACTED).",
    "<https://u:p@h/>": "<https://REDACTED:REDACTED@h/>",
    "https://u@h/ https://:p@h/ https://@h/": "https://REDACTED@h/ https://:REDACTED@h/ https://@h/",
    "jdbc:postgresql://me:pa/ss@db/x?y=1": "jdbc:postgresql://REDACTED:REDACTED@db/x?y=1",
    "http:///u:p@h/ x:///u:p@h/": "http:///REDACTED:REDACTED@h/ x:///u:p@h/",
    "http://h:80/a@b": "http://h:80/a@b",
    "http://h/reset/aB3aB3aB3aB3aB3aB3 done": "http://h/reset/REDACTED done",
    "https://hooks.example/T0123ABCD/B0123ABCD/" + "aB" * 12: "https://hooks.example/T0123ABCD/B0123ABCD/REDACTED",
    r'{"u":"https:\/\/u:p@h\/a?b=1\u0026token=x\u0026c=2"}':
        r'{"u":"https:\/\/REDACTED:REDACTED@h\/a?b=1\u0026token=REDACTED\u0026c=2"}',
    r'{"l":"{\"u\":\"https:\\\/\\\/h\\\/?token=x\"}"}': r'{"l":"{\"u\":\"https:\\\/\\\/h\\\/?token=REDACTED\"}"}',
    r"a\nhttps://h/?token=x\nb": r"a\nhttps://h/?token=REDACTED\nb",
    "'https://h/?token=x','b'": "'https://h/?token=REDACTED','b'",
    "https://h/?a=it's&token=it's b": "https://h/?a=it's&token=REDACTED b",
    "example.com/login?token=x": "example.com/login?token=REDACTED",
    "login?token=x": "login?token=REDACTED",
    "why? token=x": "why? token=x",
    "#123 C# a#b@c.com": "#123 C# a#b@c.com",
    "/a#b@c.com": "/a#REDACTED",
    "/a?ip=1.2.3.4 from 1.2.3.4": "/a?ip=1.2.3.0 from 1.2.3.4",
    "mail a@b.com, card 4111111111111111": "mail a@b.com, card 4111111111111111",
    f"key={KEY}, jwt {JWT}.": "key=REDACTED, jwt REDACTED.",
    f"/files/{KEY}.txt x{KEY}": f"/files/REDACTED.txt x{KEY}",
    f"bot {BOT} and https://h/bot{BOT}/x": "bot REDACTED and https://h/REDACTED/x",
    f"a-{KEY}-b {BOT}c": f"a-REDACTED {BOT}c",
    f"{JWT}..{KEY}": "REDACTED",
    "Authorization: Bearer abc.def status=200": "Authorization: Bearer REDACTED status=200",
    "Authorization: abc def\nHost: h": "Authorization: REDACTED\nHost: h",
    "Proxy-Authorization: Basic dTpw": "Proxy-Authorization: Basic REDACTED",
    'Authorization: Digest username="me", nonce="n"\r\nHost: h': "Authorization: Digest REDACTED\r\nHost: h",
    '{"Authorization": "Bearer abc", "x": 1}': '{"Authorization": "Bearer REDACTED", "x": 1}',
    r'{"a":"{\"authorization\":\"Basic dTpw\",\"x\":1}"}': r'{"a":"{\"authorization\":\"Basic REDACTED\",\"x\":1}"}',
    r'{"a":"Host: h\r\nAuthorization: x y\r\nA: b","c":1}':
        r'{"a":"Host: h\r\nAuthorization: REDACTED\r\nA: b","c":1}',
    "authorization=abc x=1": "authorization=REDACTED x=1",
    'authorization="Bearer a b" x=1': 'authorization="Bearer REDACTED" x=1',
    "authorization=Bearer abc x=1": "authorization=Bearer REDACTED x=1",
    '{"authorization":null,"cookie":null}': '{"authorization":null,"cookie":null}',
    '{"cookie": 123456, "b": 2}': '{"cookie": "REDACTED", "b": 2}',
    "{'Authorization': None, 'x': 1}": "{'Authorization': None, 'x': 1}",
    '"cookie": a=b; c=d\n"x": 1': '"cookie": a=REDACTED; c=REDACTED\n"x": 1',
    "cookie= authorization= status=200": "cookie= authorization= status=200",
    'cookie = "a=b"': 'cookie = "a=REDACTED"',
    "authorization=true": "authorization=true",
    "Authorization: none": "Authorization: none",
    "reauthorization: 5, authorizations: 5": "reauthorization: 5, authorizations: 5",
    "proxyAuthorization: abc": "proxyAuthorization: REDACTED",
    '"HTTP_AUTHORIZATION"=>"Bearer x"': '"HTTP_AUTHORIZATION"=>"Bearer REDACTED"',
    '{"name":"Authorization","value":"Bearer x"}': '{"name":"Authorization","value":"Bearer REDACTED"}',
    "[(b'authorization', b'Bearer x'), ('cookie', 'a=b')]":
        "[(b'authorization', b'Bearer REDACTED'), ('cookie', 'a=REDACTED')]",
    "map[Authorization:[Bearer x] Cookie:[a=b; c=d] H:[x]]":
        "map[Authorization:[Bearer REDACTED] Cookie:[a=REDACTED; c=REDACTED] H:[x]]",
    '"cookie":["a=b; c=d", "e=f"],"g":"h=i"': '"cookie":["a=REDACTED; c=REDACTED", "e=REDACTED"],"g":"h=i"',
    "Cookie: a=b; c=d e; f": "Cookie: a=REDACTED; c=REDACTED; REDACTED",
    'Cookie: a="b c"; d=e': "Cookie: a=REDACTED; d=REDACTED",
    '"got Cookie: a=b; c=d","x":1': '"got Cookie: a=REDACTED; c=REDACTED","x":1',
    "cookie=a=b;c=d x=1": "cookie=a=REDACTED;c=REDACTED x=1",
    "curl -H 'Cookie: a=b' -H \"Set-Cookie: c=d; Path=/\" u":
        "curl -H 'Cookie: a=REDACTED' -H \"Set-Cookie: c=REDACTED; Path=/\" u",
    "Set-Cookie: a=b; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly":
        "Set-Cookie: a=REDACTED; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly",
    "Set-Cookie: a=b; Path=/, c=d": "Set-Cookie: a=REDACTED; Path=REDACTED",
    "cookies: {}, cookie: {}": "cookies: {}, cookie: {}",
    "<h>Cookie: a=b</h>": "<h>Cookie: a=REDACTED</h>",
    '{"Vary":"Cookie","Set-Cookie":"sid=x"}': '{"Vary":"Cookie","Set-Cookie":"sid=REDACTED"}',
    "{'Vary': 'Authorization', 'Authorization': 'Bearer x'}":
        "{'Vary': 'Authorization', 'Authorization': 'Bearer REDACTED'}",
    '{"vary": "Accept-Encoding, Cookie", "set-cookie": "sid=x"}':
        '{"vary": "Accept-Encoding, Cookie", "set-cookie": "sid=REDACTED"}',
    r'{"a":"{\"vary\":\"cookie\",\"authorization\":\"Bearer x\"}"}':
        r'{"a":"{\"vary\":\"cookie\",\"authorization\":\"Bearer REDACTED\"}"}',
    '{"event":"authorization","status":"ok"}': '{"event":"authorization","status":"ok"}',
    "['Vary', 'Cookie', 'Set-Cookie', 'sid=x']": "['Vary', 'Cookie', 'Set-Cookie', 'sid=REDACTED']",
    '"Cookie": "a=b", "c": "d"': '"Cookie": "a=REDACTED", "c": "d"',
    r'"GET /?q=\x22a\x22&token=x HTTP/1.1"': r'"GET /?q=\x22a\x22&token=REDACTED HTTP/1.1"',
    r'"GET /graphql?query={user(id:\x22a\x22)}&access_token=x HTTP/2.0"':
        r'"GET /graphql?query={user(id:\x22a\x22)}&access_token=REDACTED HTTP/2.0"',
    r'/?a=\u003cb\u003e&password=x': r'/?a=\u003cb\u003e&password=REDACTED',
    r'{"u":"/x?q=a\"b&token=x"}': r'{"u":"/x?q=a\"b&token=REDACTED"}',
    r"'/?f=\'a\'&token=x'": r"'/?f=\'a\'&token=REDACTED'",
    r'/?path=C:\new&token=x': r'/?path=C:\new&token=REDACTED',
    r'{"u":"/x?q=\\n&token=x"}': r'{"u":"/x?q=\\n&token=REDACTED"}',
    r'{"u":"/x?q=\\n\u0026token=x"}': r'{"u":"/x?q=\\n\u0026token=REDACTED"}',
    r'GET /?q=<b>&token=x HTTP/1.1': r'GET /?q=<b>&token=REDACTED HTTP/1.1',
    r'"GET /?f={\"a\":\"b\",\"c\":1}&token=x HTTP/1.1"':
        r'"GET /?f={\"a\":\"b\",\"c\":1}&token=REDACTED HTTP/1.1"',
    r'{"m":"{\"u\": \"a https://h/?token=x\"}"}': r'{"m":"{\"u\": \"a https://h/?token=REDACTED\"}"}',
    r'{"m":"{\"u\":\"see https://h/?a=1 and https://h/?token=x\"}"}':
        r'{"m":"{\"u\":\"see https://h/?a=1 and https://h/?token=REDACTED\"}"}',
    r'{"a":"\u003ca href=\u0022https://h/?token=x\u0022\u003eb\u003c/a\u003e"}':
        r'{"a":"\u003ca href=\u0022https://h/?token=REDACTED\u0022\u003eb\u003c/a\u003e"}',
    r'<loc>https://h/?token=x</loc>': r'<loc>https://h/?token=REDACTED</loc>',
    r'a\n/?token=x\n\nb=1&c=2': r'a\n/?token=REDACTED\n\nb=1&c=2',
    r"/?token=\x22S\x22": "/?token=REDACTED",
    r"/?password=a\u003cS": "/?password=REDACTED",
    r"https://h/?a=1\u0020https://u:p@h2/?token=x": "https://h/?a=REDACTED",
    '{"cookie":12,"a":1}': '{"cookie":12,"a":1}',
    '"cookie": Basic ; b=c\n': '"cookie": REDACTED ; b=REDACTED\n',
    'Authorization: Token token="x"': "Authorization: Token REDACTED",
    'Authorization: Bearer "x" y': "Authorization: Bearer REDACTED y",
    '{"a":"Authorization: Bearer ","b":"c"}': '{"a":"Authorization: Bearer ","b":"c"}',
    'authorization=Digest username="a", response="x" b=c': "authorization=Digest REDACTED b=c",
    "authorization=AWS4-HMAC-SHA256 Credential=a, Signature=x b=c": "authorization=AWS4-HMAC-SHA256 REDACTED b=c",
    "{'Authorization': ('Bearer', 'x'), 'a': 1}": "{'Authorization': ('Bearer', 'REDACTED'), 'a': 1}",
    "{u'Cookie': u'sid=x', 'a': r'b'}": "{u'Cookie': u'sid=REDACTED', 'a': r'b'}",
    "?=tok=\"cookie\",'H": "?=REDACTED\"cookie\",'H",
    "'cookie','Authorization:':": "'cookie','Authorization:':",
    'Cookie::"cookie","&': 'Cookie:REDACTED"cookie","&',
    'Authorization: Token user="ada", token="x"': "Authorization: Token REDACTED",
    'Authorization: Bearer a="b", token=x, c': "Authorization: Bearer REDACTED, c",
    r'{"a":"Authorization: Token user=\"ada\", token=\"x\"","b":1}': r'{"a":"Authorization: Token REDACTED","b":1}',
    "Authorization: Basic YTpi, path=/x": "Authorization: Basic REDACTED, path=/x",
    "Authorization: Bearer 'x' y": "Authorization: Bearer REDACTED y",
    "Authorization: Bearer `x` y": "Authorization: Bearer REDACTED y",
    "Authorization: Bearer 'x y\nz": "Authorization: Bearer REDACTED\nz",
    "-H 'Authorization: Bearer x' 'y'": "-H 'Authorization: Bearer REDACTED' 'y'",
    'http.Header{"Cookie":[]string{"sid=x", "a=b"}, "A":[]string{"b"}}':
        'http.Header{"Cookie":[]string{"sid=REDACTED", "a=REDACTED"}, "A":[]string{"b"}}',
    '{"Authorization":[]string{"Bearer x"}}': '{"Authorization":[]string{"Bearer REDACTED"}}',
    r'{"a":"\uff1aAKIAIOSFODNN7EXAMPLE\u2026"}': r'{"a":"\uff1aREDACTED\u2026"}',
    r"\u000aAKIAIOSFODNN7EXAMPLE \x0aAKIAIOSFODNN7EXAMPLE \u007fAKIAIOSFODNN7EXAMPLE":
        r"\u000aREDACTED \x0aREDACTED \u007fREDACTED",
    r"b'\xe2\x82\xacAKIAIOSFODNN7EXAMPLE'": r"b'\xe2\x82\xacREDACTED'",
    r"\ud83d\ude00/?token=x": r"\ud83d\ude00/?token=REDACTED",
    "set-cookie: domain=x; HttpOnly": "set-cookie: domain=REDACTED; HttpOnly",
    "Set-Cookie: path=/x; path=/": "Set-Cookie: path=REDACTED; path=/",
    '{"name": "Cookie",\n  "value": "sid=x"\n}': '{"name": "Cookie",\n  "value": "sid=REDACTED"\n}',
    '"Cookie": [\r\n  "sid=x",\n  "a=b"\n ]': '"Cookie": [\r\n  "sid=REDACTED",\n  "a=REDACTED"\n ]',
    "{ cookie:\n   'sid=x',\n a: 'b' }": "{ cookie:\n   'sid=REDACTED',\n a: 'b' }",
    "[ 'Authorization',\n 'Bearer x' ]": "[ 'Authorization',\n 'Bearer REDACTED' ]",
    "authorization:\n  'enabled': true": "authorization:\n  'enabled': true",
    "": "",
    "\ud800 https://h/?token=\udc00 é": "\ud800 https://h/?token=REDACTED é",
}
# fmt: on


def in_model(text: bytes) -> bytes:
    return redact_text_model.redacted(text.decode("latin-1"))[0].encode("latin-1")


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_what_changes(text: str, expected: str) -> None:
    assert redact_text(text) == expected
    assert redact_text(expected) == expected
    octets = text.encode("utf-8", "surrogatepass")
    assert redact_text(octets) == expected.encode("utf-8", "surrogatepass") == in_model(octets)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(8))
def test_model(seed: int) -> None:
    """The same as in the model, on text of what the rules look at; each result is its own result."""
    random = Random(seed)
    kinds: Counter[str] = Counter()
    for _ in range(1500):
        text = secret_texts.hostile(random)
        shown = redact_text(text)
        assert shown == in_model(text), text
        assert redact_text(shown) == shown, text
        kinds.update(redaction.kind for redaction in explain_redaction(text))
    assert {"credentials", "name", "jwt", "key", "email", "card"} <= {*kinds}


LINE_ENDS = [
    "#015#012", "#012", r"\015\012", r"\012", r"\x0D\x0A", r"\x0d\x0a", r"\u000D\u000A", r"\u000a", "%0D%0A", "%0a",
    r"\r\n", "\n",
]  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("end", LINE_ENDS)
def test_escaped_line_ends_of_requests(end: str) -> None:
    """Each header of a dump ends with its line, and the next one is found."""
    random = Random(4)
    headers = {
        "Authorization: Bearer q8Zx": "Authorization: Bearer REDACTED",
        "Authorization: ApiKey2 q8Zx": "Authorization: REDACTED",
        "authorization: Basic q8Zx": "authorization: Basic REDACTED",
        "Cookie: a=q8Zx; b=q8Zx": "Cookie: a=REDACTED; b=REDACTED",
        "Set-Cookie: a=q8Zx; Path=/": "Set-Cookie: a=REDACTED; Path=/",
        "Proxy-Authorization: Digest q8Zx": "Proxy-Authorization: Digest REDACTED",
        "Host: h": "Host: h",
        "Accept: */*": "Accept: */*",
        "X: https://h/?token=q8Zx": "X: https://h/?token=REDACTED",
    }
    for _ in range(300):
        chosen = random.choices(list(headers), k=random.randint(1, 5))
        before = random.choice(["GET / HTTP/1.1", '{"a":"GET /b?c=1 HTTP/1.1', "at "])
        text = end.join([before, *chosen, "Age: 1"])
        assert redact_text(text) == end.join([before, *(headers[line] for line in chosen), "Age: 1"])
        assert redact_text(text.encode()) == in_model(text.encode())


ESCAPES = ["\x1b", r"\x1b", r"\x1B", r"\u001b", r"\u001B", r"\033", r"\e", "#033", "^[", r"\\x1b", r"\\\\u001b"]


@pytest.mark.parametrize("escape", ESCAPES)
def test_colours(escape: str) -> None:
    random = Random(3)
    secrets = {
        "{}authorization{}={}Bearer {}q8Zx{}": "Bearer ", "{}cookie{}={}sid=q8Zx{}": "sid=",
        "{}Authorization{}: {}Bearer q8Zx{}": "Bearer ", '{}"Cookie"{}:{} "sid=q8Zx{}"': "sid=",
        "{}" + KEY + "{}": "", "{}" + JWT + "{} ": "",
        "{}/?token=q8Zx{} ": "token=", "{}https://h/?token=q8Zx{}": "token=",
        "{}x-authorization{} = {}q8Zx{}": "",
    }  # fmt: skip
    for form in secrets:
        for _ in range(40):
            numbers = random.choices(["", "0", "36", "39;49;00", "38:5:1"], k=5)
            codes = [f"{escape}[{number}{random.choice('mmK')}" for number in numbers]
            text = random.choice(["", "a ", "level=", "INFO "]) + form.format(*codes) + " b"
            shown = redact_text(text)
            assert shown.endswith(" b") or "Cookie" in form
            assert "REDACTED" in shown
            assert not [secret for secret in ("q8Zx", KEY, JWT) if secret in shown], text
            assert redact_text(shown) == shown
            assert shown.encode() == in_model(text.encode())


ESCAPED_ENDS = {
    "": [r"\x22", r"\u0022", r"\u003c", r"\u003C", r"\x3e", r"\u0020", r"\x27", r"\\x22", r"\'"],
    '"': [r"\"", r"\\\"", r"\x22", "'", "`", r"\'"],
    "'": [r"\'", r"\\\'", r"\u003c"],
    r"\"": [r"\\\"", r"\\\\\\\"", r"\u003c"],
}
OTHER_ENDS = ["<", ">", r"\n", r"\\n", r"\r\n", r"\t", r"\u003c"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("quote", ESCAPED_ENDS)
def test_a_query_goes_on_after_what_is_escaped(quote: str) -> None:
    random = Random(9)
    for _ in range(600):
        is_other = random.random() < 0.3
        ends = OTHER_ENDS if is_other else [*ESCAPED_ENDS[quote], "x="]
        parts = [random.choice([*ends, "a", "[", "{", ",", "%"]) for _ in range(random.randint(1, 6))]
        url = random.choice(["/", "/a/b", "https://h/"]) + f"?q={''.join(parts)}&token=q8Zx"
        text = random.choice(["", "a ", "GET ", "[{"]) + f"{quote}{url}{quote} b"
        shown = redact_text(text)
        assert "q8Zx" not in shown, text
        assert shown.encode() == in_model(text.encode())
        assert redact_text(shown) == shown
        assert shown.endswith(f"{quote} b")


@pytest.mark.parametrize("format", FORMATS)
def test_logs(format: str) -> None:
    """No secret of a log is left, and everything else stays."""
    found = [line for line in log_texts.lines(1300, seed=2) if line.format == format]
    for line in found:
        shown = redact_text(line.text)
        assert not [secret for secret in line.secrets if secret in shown], line.text
        assert [text for text in line.stays if text not in shown.replace("\\", "")] == [], line.text
        assert redact_text(shown) == shown
        assert shown.encode() == in_model(line.text.encode())
    whole = "\n".join(line.text for line in found)
    assert redact_text(whole) == "\n".join(redact_text(line.text) for line in found)
    whole = re.sub(r"[^/ ]*@", "", whole)
    assert redact_text(whole, NOTHING) is whole


@pytest.mark.parametrize("name", ["secret", "secret_held_out"])
def test_secrets_of_the_corpus_are_gone_in_lines(name: str) -> None:
    """Of the URLs with a secret, in lines; those without a scheme or a query are found by their keys only."""
    left = []
    cases = [case for case in redaction_corpus.cases(name) if "://" in case.text or re.match(r"/[^ ]*[?#]", case.text)]
    assert len(cases) > (1500 if name == "secret" else 350)
    for case in cases:
        if re.search(r"[\s\"<>]", case.text):
            continue
        for form in ("at {} x", '"{}"', "url={},", "({})"):
            shown = redact_text(form.format(case.text))
            if not redaction_corpus.is_gone(case, shown):
                left.append((case.text, shown))
                break
    assert len(left) <= 0.005 * len(cases) + 1, left


@pytest.mark.parametrize("name", ["harmless", "harmless_held_out"])
def test_harmless_texts_stay(name: str) -> None:
    cases = list(redaction_corpus.cases(name))
    touched = [case.text for case in cases if redact_text(f"at {case.text} x") != f"at {case.text} x"]
    assert len(touched) <= 0.01 * len(cases), touched


def test_a_policy_that_hides_nothing_changes_no_byte() -> None:
    random = Random(5)
    texts = [line.text.encode() for line in log_texts.lines(2000, seed=5)]
    texts += [random.randbytes(random.randint(0, 300)) for _ in range(2000)]
    texts += [secret_texts.hostile(random) for _ in range(2000)]
    for given in texts:
        # This policy hides credentials of URLs.
        text = re.sub(rb"@|\\u0040", b"", given)
        assert redact_text(text, NOTHING) == text


def test_random_bytes_stay() -> None:
    """Between secrets, and without any, with line ends of all kinds, NUL, and no line end at the end."""
    random = Random(6)
    for _ in range(500):
        parts = [re.sub(rb"[#-&/:;=?A-z]", b".", random.randbytes(random.randint(0, 90))) for _ in range(3)]
        before, between, after = parts
        text = before + b" https://h/?token=q8Zx " + between + b" " + KEY.encode() + b"\r\n" + after
        expected = before + b" https://h/?token=REDACTED " + between + b" REDACTED\r\n" + after
        assert redact_text(text) == expected


def test_each_place_and_each_length() -> None:
    """What begins a secret is found at each place of a block, and at the end, by each set of instructions."""
    before = kernels.kernel_name()
    try:
        for name in kernels.kernel_names():
            kernels.choose_kernels(name)
            for n in range(140):
                for secret, shown in (
                    ("https://u:p@h", "https://REDACTED:REDACTED@h"), ("/?token=1", "/?token=REDACTED"), (KEY,
                    "REDACTED"),
                    ("cookie=a", "cookie=REDACTED"), ("authorization=x", "authorization=REDACTED"), (BOT, "REDACTED"),
                ):  # fmt: skip
                    for after in ("", " " + "." * (n % 70)):
                        assert redact_text("." * n + " " + secret + after) == "." * n + " " + shown + after
    finally:
        kernels.choose_kernels(before)


def test_every_key_begins_with_a_trigger() -> None:
    maker = secret_shapes.Maker(3)
    for prefix in KEY_PREFIXES:
        for _ in range(5):
            assert redact_text(f"x {placements.key(prefix)(maker)} y") == "x REDACTED y"


@pytest.mark.parametrize("policy", ["logs", "logs-strict", "otel"])
def test_policies(policy: str) -> None:
    text = f"https://u:p@h/?ip=1.2.3.4&gclid=1&token=2&sig=3 {KEY} Cookie: a=b"
    shown = {
        "logs": "?ip=1.2.3.0&gclid=1&token=REDACTED&sig=REDACTED REDACTED Cookie: a=REDACTED",
        "logs-strict": "?ip=REDACTED&gclid=REDACTED&token=REDACTED&sig=REDACTED REDACTED Cookie: a=REDACTED",
        "otel": f"?ip=1.2.3.4&gclid=1&token=2&sig=REDACTED {KEY} Cookie: a=b",
    }
    assert redact_text(text, policy) == f"https://REDACTED:REDACTED@h/{shown[policy]}"


def test_types() -> None:
    class Text(str):
        pass

    assert redact_text(Text("a ?token=1")) == "a ?token=REDACTED"
    assert type(redact_text(Text("a"))) is str
    assert redact_text(b"a") == b"a"

    class Octets(bytes):
        def __getitem__(self, index: object) -> bytes:  # type: ignore[override]
            raise AssertionError

    for octets in (Octets(b"a"), Octets(b"a ?token=1"), Octets()):
        assert type(redact_text(octets)) is bytes
        assert redact_text(octets) == redact_text(bytes(octets))
        assert explain_redaction(octets) == explain_redaction(bytes(octets))
    for wrong in (None, 5, bytearray(b"a"), memoryview(b"a"), ["a"]):
        with pytest.raises(TypeError, match="text must be a str or bytes"):
            redact_text(wrong)  # type: ignore[type-var]
        with pytest.raises(TypeError, match="text must be a str or bytes"):
            explain_redaction(wrong)  # type: ignore[type-var]
    with pytest.raises(ValueError, match="logs"):
        redact_text("", "no policy")


# What programs write around a header.

SECRET = "S3cr3tq8ZxV"
BEFORE_TEXTS = [
    "Some(", "HeaderValue(", "Some(HeaderValue(", "SecretStr(", "std::optional(", "(string) (len=20) ", "&", "&&",
    "!!str ", "!secret ", "str = ", "Option[str] = ", "= ", "f", "b", "Just ", "vault.get( ",
]  # fmt: skip


def check(text: str, shown: str) -> None:
    assert SECRET not in shown, text
    assert "REDACTED" in shown
    assert redact_text(shown) == shown
    assert shown.encode() == in_model(text.encode())


@pytest.mark.sample(6)
@pytest.mark.parametrize("before", BEFORE_TEXTS)
def test_texts_in_what_programs_write_around_them(before: str) -> None:
    """The secret is hidden, not what is before it; and the next field stays."""
    end = ")" * before.count("(") if "len" not in before else ""
    for name in ("authorization", "Proxy-Authorization", "cookie", "http_authorization"):
        for sign in (": ", ":", " = ", "="):
            for scheme in ("", "Bearer ", "Token ") if "cookie" not in name else ("sid=",):
                if sign[-1] == "=" and before.startswith("="):
                    continue
                if before == "Just " and ("cookie" in name or "=" in sign):
                    continue
                text = f'{{ {name}{sign}{before}"{scheme}{SECRET}"{end}, user: "ada" }}'
                for _ in range(3):
                    shown = redact_text(text)
                    check(text, shown)
                    if before != "Just ":
                        assert "ada" in shown
                        assert before in shown.replace("\\", "")
                    # As a text in JSON.
                    text = json.dumps({"m": text, "n": 1})


@pytest.mark.sample(3)
@pytest.mark.parametrize("form", [
    '{{"msg":"a {}","user":"ada"}}', '{{"msg":"a {}", "user":"ada"}}', 'msg="a {}" user="ada"', '["a {}"] user',
    '{{"msg":"a {}"}} user', '"a {}": "user"', '("a {}") user', '"a {}";user',
])  # fmt: skip
def test_a_quote_after_padding_ends_a_text(form: str) -> None:
    random = Random(11)
    for _ in range(50):
        value = SECRET + "A" * random.randint(0, 3) + "=" * random.randint(1, 2)
        for header in (f"Cookie: a=1; sid={value}", f"Authorization: {value}", f"Authorization: Digest {value}"):
            text = form.format(header)
            for _ in range(3):
                shown = redact_text(text)
                check(text, shown)
                assert "user" in shown, text
                text = json.dumps({"m": text, "after": 1})


def test_copies_of_json() -> None:
    """With quotes in values, with line ends between them, in JSON, in the repr() of Python, and in lists."""
    random = Random(12)
    for _ in range(600):
        values = [f'Digest username="u", response="{SECRET}"', f'Token user="ada", token="{SECRET}"', f"Token {SECRET}"]
        name, value = random.choice(["Authorization", "authorization"]), random.choice(values)
        if random.random() < 0.4:
            name, value = "Cookie", random.choice([f"sid={SECRET}", f'a="1"; sid={SECRET}'])
        shape = random.choice([
            {name: value, "user": "ada"}, [[name, value], ["user", "ada"]], {name: [value, value], "user": "ada"},
            {"headers": [{"name": name, "value": value}], "user": "ada"}, {"u": f'https://h/?a="1"&token={SECRET}'},
        ])  # fmt: skip
        if isinstance(shape, list) and '"' in value:
            continue
        text = json.dumps(shape, indent=random.choice([None, None, 1, 2]))
        for _ in range(random.randint(0, 2)):
            text = json.dumps(random.choice([text, {"m": text, "n": 1}]))
        if random.random() < 0.5:
            text = repr(random.choice([text, [text], {"b": text}]))
        shown = redact_text(text)
        check(text, shown)
        assert "ada" not in text or "user" in shown


def test_entries_of_dictionaries() -> None:
    for name in ("Authorization", "cookie", "Set-Cookie", "proxy-authorization", "HTTP_COOKIE"):
        for form in (
            'headers["{}"] = "{}{}"', "$h['{}'] = '{}{}'", '["{}"]="{}{}"', "h['{}']  = f'{}{}'", "h['{}'] = b'{}{}'",
            "[{}] => {}{}", '["{}"] => "{}{}"', 'if h["{}"] == "{}{}":', 'h["{}"] = Some("{}{}")', '{} := "{}{}"',
            'Header {{ name: "{}", value: "{}{}" }}', "_M(key='{}', value='{}{}')",
        ):  # fmt: skip
            text = form.format(name, "sid=" if "ookie" in name.lower() else "Bearer ", SECRET)
            for line in (text, f"  {text}\n  user", json.dumps({"m": text, "n": 1})):
                shown = redact_text(line)
                check(line, shown)
                assert name in shown
    for text in ("[authorization] user ada", "[cookie]: upstream sent", "x['cookie'] user", "a[authorization], b"):
        assert redact_text(text) == text


def test_names_after_letters() -> None:
    for before in ("X", "-H", "my", "HTTP2X", "curl -H"):
        for name in ("Authorization: Bearer ", "Cookie: sid=", "Authorization:Bearer\\ "):
            check(f"{before}{name}{SECRET}", redact_text(f"{before}{name}{SECRET}"))
    for text in ("REAUTHORIZATION: 5", "reauthorization: 5", "x2Authorization: 5", "XCOOKIE: a=b"):
        assert redact_text(text) == text


@pytest.mark.parametrize("form", [
    "jdbc:sqlserver://h:1433;databaseName=db;user=sa;{}={};encrypt=true", "jdbc:sqlserver://h;{}={}", "x://{}={}",
    "jdbc:mysql://(host=h,port=1,{}={})/db", "jdbc:mysql://address=(host=h)(port=1)({}={})/db?a=1", "sqlserver://h;{}={}",
    "https://h:1433;{}={}", "x://h:1;a=b&{}={}/db", "jdbc:db2://u:p@h:1;{}={};",
])  # fmt: skip
def test_properties_of_a_host(form: str) -> None:
    for name in ("password", "token", "clientSecret", "accessToken"):
        text = form.format(name, SECRET)
        for line in (text, f"at {text} user", f'"{text}"', json.dumps({"u": text}).replace("/", "\\/")):
            shown = redact_text(line)
            check(line, shown)
            assert shown.replace("REDACTED:REDACTED@", "u:p@") == line.replace(SECRET, "REDACTED")


# Explanations.


def test_explanations() -> None:
    text = f"é GET /a?user=1&password=q8Zx https://u:p@h/?ip=1.2.3.4&x={JWT} {KEY} Cookie: sid=abcd"
    found = explain_redaction(text)
    assert [redaction.kind for redaction in found] == [
        "name", "credentials", "credentials", "address", "jwt", "key", "name",
    ]  # fmt: skip
    assert [redaction.rule for redaction in found] == [
        "*password*", "a username or a password", "a username or a password", "an IP address", "a JSON Web Token",
        "ghp_",
        "the header cookie",
    ]  # fmt: skip
    assert [text[redaction.start : redaction.end] for redaction in found] == [
        "q8Zx",
        "u",
        "p",
        "1.2.3.4",
        JWT,
        KEY,
        "abcd",
    ]
    octets = text.encode()
    assert [octets[start:end] for start, end, *_ in explain_redaction(octets)] == [
        text[start:end].encode() for start, end, *_ in found
    ]
    assert found[0] == Redaction(25, 29, "name", "*password*", "detect-secrets keyword")


def test_explanations_have_the_spans_of_what_changes_and_no_secret() -> None:
    for line in log_texts.lines(1300, seed=7):
        found = explain_redaction(line.text)
        place, out = 0, ""
        shown = redact_text(line.text)
        for redaction in found:
            assert place <= redaction.start < redaction.end
            out += line.text[place : redaction.start]
            assert shown.startswith(out + "REDACTED")
            out += "REDACTED"
            place = redaction.end
            assert redaction.rule
            assert redaction.source
            words = f"{redaction.rule} {redaction.source}"
            assert not [secret for secret in line.secrets if secret in words]
        assert out + line.text[place:] == shown
        assert explain_redaction(shown) == []


@pytest.mark.parametrize("between", ["&", "\\u0026", "\\x26", "%26", "\\/", "\\u0026amp;", ";", "\\\\u0026"])
@pytest.mark.parametrize("end", ["=", "\\u003d"])
def test_names_as_they_are_written_are_the_only_words_of_a_rule(between: str, end: str) -> None:
    """What is before the equals sign can have another secret, with an escape between it and the name."""
    names = {"sig", "X-Amz-Credential", "token"}
    policy = LogPolicy(name="own", exact_names=names)
    for first in sorted(names):
        text = f"{{'u':'https://h/?{first}=S3cr3tq8ZxV{between}sig{end}T0k3nq8Zx'}}"
        found = explain_redaction(text, policy)
        assert {redaction.rule for redaction in found} <= {*names, "a name"}
        assert found == [] or found[0].rule in (first, "a name")


def test_the_last_name_of_a_header_is_the_rule() -> None:
    for first, second in (("authorization", "cookie"), ("cookie", "authorization")):
        text = f'{{"{first}":"a=q8Zx3f7a","{second}":"b=q8Zx3f7a"}}'
        rules = [redaction.rule for redaction in explain_redaction(text)]
        assert rules == [f"the header {first}", f"the header {second}"]
    assert explain_redaction("https://h/?page=1&authorization=q8Zx")[0].rule == "*authorization"


@pytest.mark.parametrize("seed", range(4))
def test_a_text_of_a_list_has_the_rule_of_the_name(seed: int) -> None:
    """Wherever the lines of the JSON end, also for the command, which reads lines."""
    draw = Random(seed)
    rules = {"db_password": "*password*", "X-Api-Key": "a header that ends with api-key", "Cookie": "the header cookie"}
    texts = ("q8Zx", "q8:Zx", "q8?Zx", "q8,Zx", 'q8"Zx', "q8=Zx")
    for _ in range(300):
        name, rule = draw.choice([*rules.items()])
        items = ["sid=q8Zx"] * draw.randint(1, 4) if name == "Cookie" else draw.choices(texts, k=draw.randint(1, 4))
        value = draw.choice([items, [items], [[1, items[0]], [None], *items], [[], items]])
        text = json.dumps({"a": ["x"], name: value}, indent=draw.choice((None, 0, 1, 4)))
        found = explain_redaction(text)
        assert len(found) == redact_text(text).count("REDACTED")
        assert {each.rule for each in found} == {rule}, text
    text = '{\n "password": [\n  [\n   "q8Zx"\n  ],\n  [\n   "q9Zx"\n  ]\n ]\n}\n'
    shown: list[str] = []
    stream = TextStream(
        explain=lambda data, spans, *_: shown.extend(rule for rule, _ in rules_of(data, spans, LogPolicy()))
    )
    for line in text.splitlines(keepends=True):
        stream.redact(line.encode())
    stream.finish()
    assert shown == ["*password*", "*password*"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("cookie[]=a=q8Zx", "the header cookie"),
        ('cookie[0]="sid=q8Zx"', "the header cookie"),
        ("authorization%5B1%5D=q8Zx", "the header authorization"),
        (f"token=1 GET /reset/{'aB3x' * 4} HTTP/1.1", "text that looks random after the name of a link"),
        (f"cookie, GET /reset/{'aB3x' * 4} HTTP/1.1", "text that looks random after the name of a link"),
    ],
)
def test_the_name_of_a_rule_can_have_an_index_and_a_path_has_none(text: str, rule: str) -> None:
    assert [each.rule for each in explain_redaction(text)] == [rule]


# Time.

LONG = [
    "://", ":/", "?", "#", "a?", "'a?", "`?", "/?", "=?", "cookie:", "cookie=", 'cookie:="', "cookie:[", '"cookie":["',
    "\\", '\\"cookie', "authorization", "authorization,", "\\u0026", "\\/", "http:\\/\\/", "eyJ", "ey", KEY, KEY + ".",
    BOT, ":AA", "1:AA", "u:p/", "@", "http://u:p/", "setcookie", "set", "cookie: ", "cookie=a; ", "Bearer ", "gh",
    "?a=b&", "/a;b=c&", "\\n", "#a=", '"cookie"' + " ", '"authorization",' + '"value"', "//@", "-", "a-", "%25",
    "cookie=[a]", "cookie:{", "authorization:{", "cookie:[{", "set-cookie=[a];", "authorization:[x],", "cookie=[/]",
    "'cookie=[a]cookie=[a]", '"cookie","', "/?<", "/?a\\n", '/?\\"', "/?\\'", "/?a\\x22", "\\x22/?a", "#012",
    "%0A", "\\x0A", "#012a: ", "\\015a", "\x1b[0m", "\x1b[", "0;", "\\e[0m", "\\e[1;1;1", "m", "cookie\x1b[m",
    "authorization: Some(", "authorization=((", "authorization: (a) ", "cookie:\\n", "cookie=[[",
    "authorization: a \"b", "#033[", "^[[", "\\\\\\\\x1b", "x://a=", "://h;a=b", "(a=", '\\\\",', "['cookie'] ",
    "authorization: str = ", "cookie:&",
    "'10.0.0.0,", "'1::,", "'1::\\'", "\\'10.0.0.0,", "%2210.0.0.0,",
]  # fmt: skip


@pytest.mark.sample(24)
@pytest.mark.parametrize("unit", LONG)
def test_long(unit: str) -> None:
    """A long text ends in time: what is not linear takes minutes here."""
    text = unit * (400_000 // len(unit))
    shown = redact_text(text)
    assert redact_text(shown) == shown
    redact_text("https://h/?x=" + text)
    redact_text("a: " + text)
    redact_text("Cookie: " + text)


def test_spans_are_copied() -> None:
    """They are in bytes, where no number is aligned: a pointer to a struct there is undefined."""
    sources = Path(__file__).parents[1] / "src" / "weburl" / "_redact"
    for path in (*sources.glob("*.pyx"), *sources.glob("*.pxi")):
        assert not re.search(r"<(const )?HiddenSpan\*>", path.read_text("utf-8")), path.name


def test_text_has_the_function_for_columns() -> None:
    from weburl import bulk, text

    assert text.redact_text_many is bulk.redact_text_many
    assert "redact_text_many" in dir(text)


def test_threads() -> None:
    texts = [line.text for line in log_texts.lines(400, seed=8)]
    expected = [redact_text(text) for text in texts]
    failed: list[str] = []

    def work() -> None:
        failed.extend(text for text, shown in zip(texts, expected, strict=True) if redact_text(text) != shown)

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_the_page_of_rules_has_every_source() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "redact-rules.md").read_text("utf-8")
    table = page.partition("## Where this is from")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    words = {word.strip() for row in rows for word in row.split(",")} | set(rows)
    sources = [*OF_NAMES.values(), *HEADERS.values(), *(source for _, source in OF_KINDS.values())]
    known = {source for source in sources if source in words or any(source.startswith(f"{word} ") for word in words)}
    assert {*sources} - known == set()


@pytest.mark.parametrize("seed", range(200))
def test_the_reason_is_that_of_the_last_header(seed: int) -> None:
    random = Random(seed)
    values = {"cookie": "sid=%s", "authorization": "Bearer %s", "x-api-key": "%s", "private-token": "%s"}
    rules = {
        "cookie": "the header cookie", "authorization": "the header authorization",
        "x-api-key": "a header that ends with api-key", "private-token": "a header that ends with private-token",
    }  # fmt: skip
    names = random.sample([*values], random.randrange(1, 5))
    pairs = [(random.choice((name, name.title())), values[name] % f"q{index}Zx") for index, name in enumerate(names)]
    text = random.choice(
        [
            json.dumps(dict(pairs)),
            json.dumps({"headers": {name: [value] for name, value in pairs}}),
            "".join([f"{name}: {value}\r\n" for name, value in pairs]),
            " ".join([f'{name.replace("-", "_")}="{value}"' for name, value in pairs]),
            repr(pairs),
        ]
    )
    found = {text[each.start : each.end]: each.rule for each in explain_redaction(text)}
    assert found == {f"q{index}Zx": rules[name] for index, name in enumerate(names)}, text


@pytest.mark.parametrize("before", ["?", "?page=2&", "#", "#/a?", "#page=2&"])
@pytest.mark.parametrize("name", ["access_token", "token", "api_key", "x-api-key", "private_token"])
def test_a_parameter_is_no_header(before: str, name: str) -> None:
    [found] = explain_redaction(f"GET https://example.com/{before}{name}=q8Zx")
    assert found.kind == "name"
    assert "header" not in found.rule
