"""Texts in parts: wherever they are cut, the result is that of redact_text; and what is too long is gone."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from support import log_texts, redact_text_model, secret_texts

from weburl._redact import stream
from weburl._redact.stream import TextStream
from weburl.text import explain_redaction, redact_text

# What decides about headers over line ends; secret_texts has the rest.
PIECES = [
    '"Cookie"', "'cookie'", "Cookie:", '"name":"cookie"', '"authorization"', "=", ":", ",", "[", "(", "{", "]", "\n",
    "\n", "\r\n", " ", "\t", '"', "'", '\\"', '"value"', "value", '"a=q8Zx1yy"', "'b=12345678a'", "Bearer ", "q8Zxabc",
    "Set-Cookie", "authorization", "; c=1q2w3e4r", "Path=/", '"x"', "\x1b[36m", "\\e[0m", "true", "123456", "b'", "=>",
    "https://h/?a=\\x22", "&token=q8Zx", "'",
]  # fmt: skip


def hostile(random: Random) -> bytes:
    """Some lines."""
    if random.random() < 0.5:
        return b"\n".join(secret_texts.hostile(random) for _ in range(random.randint(1, 4)))
    return "".join(random.choice(PIECES) for _ in range(random.randint(1, 30))).encode()


def in_parts(data: bytes, places: list[int], policy: str = "logs/1") -> bytes:
    """The result for a text that is cut at these places."""
    made = TextStream(policy)
    parts = [data[begin:end] for begin, end in zip([0, *places], [*places, len(data)], strict=True)]
    return b"".join(map(made.redact, parts)) + made.finish()


def cuts(random: Random, data: bytes) -> list[list[int]]:
    """Each byte, all lines, and some places."""
    lines = [match.end() for match in re.finditer(b"\n", data)]
    places = sorted(random.sample(range(len(data) + 1), random.randint(0, min(8, len(data)))))
    return [list(range(1, len(data))), lines, places]


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_any_cuts(seed: int) -> None:
    random = Random(seed)
    for _ in range(1500):
        data = hostile(random)
        policy = random.choice(("logs", "logs", "logs-strict", "otel"))
        expected = redact_text(data, policy)
        for places in cuts(random, data):
            assert in_parts(data, places, policy) == expected, (data, places)


@pytest.mark.parametrize("seed", range(3))
def test_logs_in_blocks(seed: int) -> None:
    random = Random(seed)
    data = "\n".join(line.text for line in log_texts.lines(600, seed)).encode()
    expected = redact_text(data)
    for size in (1, 7, 100, 4096):
        begin = random.randint(0, size)
        assert in_parts(data, list(range(begin, len(data), size))) == expected


JSON = b"""\
{
  "headers": {
    "Cookie": [
      "sid=q8Zx1234",
      "lang=en5678ab",
      'theme=zyxw4321'
    ],
    "authorization":
      "Bearer 3f7a9c",
    "other": "stays"
  },
  "list": [{"name": "cookie",
    "value":
    "sid=q9Zx1234"}]
}
"""


def test_headers_over_line_ends() -> None:
    """What is before the line end is not held longer than it must be: lists go on after each line."""
    expected = redact_text(JSON)
    assert expected.count(b"REDACTED") == 5
    for place in range(len(JSON) + 1):
        assert in_parts(JSON, [place]) == expected
    made = TextStream()
    lines = JSON.splitlines(keepends=True)
    written = [made.redact(line) for line in lines]
    assert written[3] == b'Cookie": [\n      "sid=REDACTED",\n'
    assert written[4] == b'      "lang=REDACTED",\n'
    assert written[7] == b'    "'
    assert made.finish() == b""


def test_a_list_without_end_takes_constant_memory() -> None:
    made = TextStream()
    made.redact(b'"Cookie": [\n')
    for number in range(3000):
        assert made.redact(b'"a=q8Zx%d",\n' % number).endswith(b'"a=REDACTED",\n')
        assert len(made.held) < 100
    assert made.redact(b'"b=q8Zx"]\n"c=q8Zx"\n') == b'"b=REDACTED"]\n"c=q8Zx"\n'


@pytest.mark.parametrize("seed", range(3))
def test_explanations(seed: int) -> None:
    """The spans are those of the whole text, at the same places, with the same rules."""
    random = Random(seed)
    for _ in range(300):
        data = hostile(random)
        found: list[tuple[int, int, str]] = []
        seen = 0

        def explain(text: bytes, spans: list[stream.Span], begin: int, end: int) -> None:
            nonlocal seen
            assert text[begin:end] == data[seen : seen + end - begin]  # noqa: B023
            for start, stop, kind in spans:
                assert begin <= start < stop
                found.append((seen + start - begin, seen + stop - begin, kind))  # noqa: B023
            seen += end - begin

        for places in cuts(random, data):
            found, seen = [], 0
            made = TextStream(explain=explain)
            for begin, stop in zip([0, *places], [*places, len(data)], strict=True):
                made.redact(data[begin:stop])
            made.finish()
            assert seen == len(data)
            expected = [(each.start, each.end, each.kind) for each in explain_redaction(data)]
            assert found == expected
            counted: dict[str, int] = {}
            for _, _, kind in expected:
                counted[kind] = counted.get(kind, 0) + 1
            assert made.counts == counted


LONG = [
    (b"x https://h/?token=%s y", b"x https://h/REDACTED y"),
    (b"x https://u:p%s@h/ y", b"x REDACTED y"),
    (b'"k":"https://h/a%s","l":"/?token=1"', b'"k":"https://h/REDACTED","l":"/?token=REDACTED"'),
    (b"%s", b"REDACTED"),
    (b"a /reset/%s?x b", b"a REDACTED b"),
    (b"Cookie: a=%s; b=1", b"Cookie: REDACTED"),
    (b"Cookie:\t%s ; b", b"Cookie:\tREDACTED"),
    (b'{"cookie":"a=%s; b=1","n":1}', b'{"cookie":"REDACTED","n":1}'),
    (b'{"cookie":["a=%s","b=q8Zx"],"n":1}', b'{"cookie":["REDACTED","b=REDACTED"],"n":1}'),
    (b'{"cookie":["c=q7Zx", "a=%s","b=q8Zx"],"n":1}', b'{"cookie":["c=REDACTED", "REDACTED","b=REDACTED"],"n":1}'),
    (b"Authorization: Bearer %s z", b"Authorization: REDACTED"),
    (b"authorization='%s' z", b"REDACTED"),
    (b"Cookie:a=%s; b=q9Zx", b"REDACTED"),
    (b"%s;cOOkie:a=1; b=q9Zx", b"REDACTED"),
    (b"%s,authorization: Basic q9Zx", b"REDACTED"),
    (b"x [Cookie: [a=%s] X:y]", b"x [Cookie: [REDACTED] X:y]"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "expected"), LONG)
@pytest.mark.parametrize("unit", [b"q8Zx", b"\\", b"=", b"a&b=", b"\xff", b"/", b"'"])
def test_what_is_too_long(form: bytes, expected: bytes, unit: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of what is longer than LONGEST in a part of a line is replaced, and what follows it is not."""
    monkeypatch.setattr(stream, "LONGEST", 1000)
    if unit in form or (unit == b"/" and b"//" in form):
        return
    data = b"see /?token=q8Zx\n" + form % (unit * (5000 // len(unit))) + b"\nnext /?token=q8Zx\n"
    for size in (64, 999, 2048):
        out = in_parts(data, list(range(size, len(data), size)))
        assert out.startswith(b"see /?token=REDACTED\n")
        assert out.endswith(b"\nnext /?token=REDACTED\n")
        if unit == b"q8Zx":
            assert out.split(b"\n")[1] == expected
        assert len(out) < 200 or unit not in (b"q8Zx", b"\xff")


def secret_lines(random: Random) -> tuple[bytes, list[bytes]]:
    """A long line, and its secrets, of which some are long."""
    made = log_texts.lines(40, random.randrange(10**6))
    secrets = [secret.encode() for line in made for secret in line.secrets]
    texts = [line.text.encode().replace(b"\n", b" ") for line in made]
    for _ in range(random.randint(0, 3)):
        filler = bytes(random.choice(b"abcxyz019_-.%") for _ in range(random.randint(100, 6000)))
        place = random.randrange(len(texts))
        texts[place] = texts[place].replace(random.choice(secrets), filler)
    return b" ".join(texts), secrets


@pytest.mark.parametrize("seed", range(6))
def test_no_secret_of_a_long_line_passes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts, with some that are too long: each secret that redact_text finds is gone."""
    random = Random(seed)
    monkeypatch.setattr(stream, "LONGEST", 700)
    for _ in range(12):
        data, secrets = secret_lines(random)
        whole = redact_text(data)
        size = random.choice((1, 50, 333, 5000))
        out = in_parts(data, list(range(random.randint(1, size), len(data), size)))
        assert [secret for secret in secrets if secret in out and secret not in whole] == []


# Headers and lists over line ends, with secrets that are numbered.
LONG_PIECES = [
    *PIECES, "\\'", "\\", '"a=@"', "'b=@'", "@", "; c=@", "&token=@", '": ["', "', '", '",\n "', '"@"', "'@'",
    "Cookie: sid=@", '"Cookie":\n "@"', '\\"cookie\\":\\"', 'cookie": ["@", "@"]', "a" * 34, " " * 30,
]  # fmt: skip


def numbered(random: Random) -> bytes:
    numbers = iter(range(1000))
    text = "".join(random.choice(LONG_PIECES) for _ in range(random.randint(1, 30)))
    return re.sub("@", lambda _: f"S3cr3t{next(numbers):03}q8Zx", text).encode()


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(4))
def test_no_secret_passes_after_what_is_too_long(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the text is cut: what redact_text hides is gone, and each byte is explained once."""
    random = Random(seed)
    for _ in range(500):
        data = numbered(random)
        longest = random.choice((16, 40, 40, 100))
        monkeypatch.setattr(stream, "LONGEST", longest)
        whole = redact_text(data)
        secrets = [secret for secret in re.findall(rb"S3cr3t[0-9]+q8Zx", data) if secret not in whole]
        for places in cuts(random, data):
            out = in_parts(data, places)
            assert [secret for secret in secrets if secret in out] == [], (data, places, longest)
            explained = bytearray()
            made = TextStream(explain=lambda text, spans, begin, end: explained.extend(text[begin:end]))  # noqa: B023
            for begin, stop in zip([0, *places], [*places, len(data)], strict=True):
                made.redact(data[begin:stop])
            made.finish()
            assert data.startswith(explained)


A, SPACES = "a" * 70_000, " " * 70_000


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        # The end of the value is there, but not what follows it.
        (["'cookie': ['", A + "',", " 'S3cr3t', 'T0k3n']\n"], "'cookie': ['REDACTED', 'REDACTED', 'REDACTED']\n"),
        (["'cookie': ['", A + "\\\\',", " 'S3cr3t'] x"], "'cookie': ['REDACTED\\\\', 'REDACTED'] x"),
        (["'cookie': ['" + A + "\\", "\\', 'S3cr3t'] x"], "'cookie': ['REDACTED\\\\', 'REDACTED'] x"),
        (['\\"cookie\\": [\\"', A + '\\",', ' \\"S3cr3t\\"] x'], '\\"cookie\\": [\\"REDACTED\\", \\"REDACTED\\"] x'),
        # A header in what is replaced goes on in the next line.
        (["Cookie: sid=" + A, '; "Cookie":', "\n", ' "S3cr3t"\nnext'], "Cookie: REDACTED\nnext"),
        (["Cookie: sid=" + A, '; "Cookie": \x1b[3', "6m\r", "\n\x1b[", '0m "S3cr3t"\nnext'], "Cookie: REDACTED\nnext"),
        (["Cookie: sid=" + A, '; "Cookie": ["b",', '\n"S3cr3t",\n "T0k3n"\n]'], "Cookie: REDACTED\n]"),
        (['"Cookie": ' + SPACES, ' "S3cr3t"\nnext'], '"Cookie": ' + SPACES + "REDACTED\nnext"),
        (['"Cookie": ["a"' + SPACES, ', "S3cr3t"]\nnext'], '"Cookie": ["REDACTED"' + SPACES + "REDACTED\nnext"),
        # A name without a value, and the begin of the next line.
        (["Authorization:" + SPACES + "\nhttps://ada:S3c", "r3tq8Zx@h/ x\n"], f"Authorization:{SPACES}\nREDACTED\n"),
        (["Authorization:" + SPACES + "\nx /?token=S3", "cr3t\n"], f"Authorization:{SPACES}\nx REDACTED\n"),
        # It does not.
        (["Cookie: sid=" + A, '; "Cookie":', "\n", " S3cr3t\nnext"], "Cookie: REDACTED\n S3cr3t\nnext"),
        (['"log": "Cookie: sid=' + A, '",\n', ' "b": "c"\n'], '"log": "Cookie: REDACTED\n "b": "c"\n'),
        (["Cookie: sid=" + A, '; "Cookie":\n'], "Cookie: REDACTED\n"),
    ],
)
def test_the_end_of_what_is_too_long(parts: list[str], expected: str) -> None:
    made = TextStream()
    assert b"".join(made.redact(part.encode()) for part in parts) + made.finish() == expected.encode()


@pytest.mark.parametrize(
    "unit",
    [b"a", b"\\", b"token=", b"&token=1", b"Cookie:", b'"', b"'", b"<", b"/?", b"://", b" ", b"\x1b[", b'cookie":["'],
)
def test_linear(unit: bytes) -> None:
    """A long line of one text, in blocks: what is held is bounded, and so is what is read again."""
    made = TextStream()
    block = unit * (100_000 // len(unit))
    for _ in range(30):
        made.redact(block)
        assert len(made.held) <= 65_536 + 4096 + len(block)
    made.finish()


SECRET = "S3cr3tq8ZxV"
# With places for a secret.
VALUES = [
    ("url", "https://h/?page=2&token={}"), ("path", "/reset?token={}"), ("m", "GET /reset?a=b&token={}"),
    ("m", "see https://h/#token={}"), ("url", "https://h/?token={}&page=2"), ("m", "https://{}@h/?page=2"),
]  # fmt: skip


def ends_with_backslashes(random: Random, form: tuple[str, str], secret: str) -> tuple[str, str]:
    """A record in JSON or logfmt, perhaps in strings of JSON, and what is left of it."""
    name, value = form
    record = {name: value.format(secret) + "\\" * random.randrange(4)}
    if random.random() < 0.7:
        record = {"before": "ada\\" * random.randrange(3)} | record | {"user": "ada\\" * random.randrange(3)}
    if random.random() < 0.3:
        record |= {"after": random.choice(['a "b"', "c=d", "https://h/?page=2", "\\", ""])}
    spaces = random.choice([None, (",", ":"), (", ", ": ")])
    text = json.dumps(record, separators=spaces, indent=random.choice([None, None, 1]))
    if random.random() < 0.5:
        text = random.choice([" ", "  ", "\t"]).join(f"{each}={json.dumps(record[each])}" for each in record)
    hidden = text.replace(secret, "REDACTED")
    for _ in range(random.randrange(4)):
        after = {"n": 1} if random.random() < 0.5 else {}
        text, hidden = json.dumps({"m": text} | after), json.dumps({"m": hidden} | after)
    return text, hidden


def somewhere(random: Random, text: str) -> list[int]:
    return sorted(random.randrange(len(text)) for _ in range(random.randrange(6)))


@pytest.mark.sample(40)
@pytest.mark.parametrize("seed", range(200))
def test_backslashes_before_the_last_quote(seed: int) -> None:
    """A value that ends with backslashes leaves its quote, at any depth, wherever a part ends."""
    random = Random(seed)
    for _ in range(8):
        text, hidden = ends_with_backslashes(random, random.choice(VALUES), SECRET)
        assert redact_text(text) == hidden, text
        assert redact_text_model.redacted(text)[0] == hidden, text
        assert in_parts(text.encode(), somewhere(random, text)) == hidden.encode(), text


@pytest.mark.parametrize(
    "form", ['authorization:"{}P', 'x authorization: [=\\"{}"', 'cookie: {}"{}2', "password=b{}'a"]
)
def test_backslashes_at_a_cut(form: str) -> None:
    """They can be more than what else decides about the begin of a value."""
    for count in (1, 20, 31, 32, 33, 34, 66, 100):
        data = form.format("\\" * count, "\\" * count).encode()
        shown = redact_text(data)
        for cut in range(1, len(data)):
            assert in_parts(data, [cut]) == shown, (count, cut)


@pytest.mark.parametrize("seed", range(100))
def test_an_escaped_quote_is_one_of_the_value(seed: int) -> None:
    """Also in the repr() of Python, where the quote of a value has two backslashes."""
    random = Random(seed)
    for _ in range(8):
        inner = random.choice(['"{0}"', 'a"{0}', '"a" {0}', '"a", {0}', '"a";{0}', '"a" b={0}', '"a" }} {0}', '"{0}" '])
        value = f"sid={inner.format(SECRET)}"
        if random.random() < 0.5 and " " not in inner:
            value = f"https://h/?page=2&token={inner.format(SECRET)}"
        name = "url" if "://" in value else "cookie"
        text = json.dumps({name: value, "user": "ada"})
        for _ in range(random.randrange(3)):
            text = json.dumps({"m": text})
        if random.random() < 0.5:
            text = repr(random.choice([text, [text]]))
        assert SECRET not in redact_text(text), text
        assert SECRET.encode() not in in_parts(text.encode(), somewhere(random, text)), text


@pytest.mark.parametrize("seed", range(20))
def test_lists_whose_texts_are_too_long(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With null and numbers between the texts, over lines, however they are cut: no more stays than of the whole."""
    random = Random(seed)
    for _ in range(150):
        monkeypatch.setattr(stream, "LONGEST", random.choice([32, 64, 200]))
        quote = random.choice(['"', '\\"', "'"])
        space = random.choice(["", " ", "\n", "\n  ", " \n"])
        texts = [f"{quote}{' '.join([SECRET] * random.choice([1, random.randrange(60)]))}{quote}" for _ in range(5)]
        texts = [random.choice(["", "", "b", "rb"]) + text for text in texts]
        others = ["null", "1", "true", "-2.5", "{}", "[]", "nil", "1e-05"]
        items = [random.choice(others) if random.random() < 0.25 else text for text in texts]
        name = random.choice(["cookie", "password", "x-api-key", "Authorization", "client_secret"])
        values = f",{space}".join(items[random.randrange(5) :])
        text = f"{{{quote}{name}{quote}:[{random.choice(['', space])}{values}],\n".encode()
        places = {*somewhere(random, text.decode()), *(end for end in range(len(text)) if text[end - 1 : end] == b"\n")}
        left = in_parts(text, sorted(place for place in places if random.random() < 0.7))
        assert left.count(SECRET.encode()) <= redact_text(text).count(SECRET.encode()), text


@pytest.mark.parametrize("step", [4096, 65_536, 70_001])
def test_a_long_text_in_a_list_of_a_list(step: int) -> None:
    """The lists that it is in go on after it."""
    for before, after in (
        ('[["q8Zx",["', '"],"q8Zy"],["q9Zx"]],"a":["b"]}\n'),
        ('[["q8Zx"],["', '"],["q9Zx"],"q9Zy"],"a":["b"]}\n'),
        ('["', '"],"a":["b"],"c":[["d"]]}\n'),
    ):
        data = f'{{"password":{before}{"x" * 200_000}{after}'.encode()
        stream = TextStream()
        shown = b"".join(stream.redact(data[place : place + step]) for place in range(0, len(data), step))
        shown += stream.finish()
        assert shown == redact_text(data)
        assert b"q8" not in shown
        assert b"q9" not in shown
        assert shown.endswith((b',"a":["b"]}\n', b',"c":[["d"]]}\n'))
