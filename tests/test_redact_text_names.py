"""Names of a policy as those of fields in texts: what redact_text() hides and keeps because of them."""

from __future__ import annotations

import json
from random import Random

import pytest
from support import redact_model, redact_text_model, secret_texts
from support.redaction_lists import IDENTIFIER_NAMES

from weburl._redact import stream
from weburl._redact.stream import TextStream
from weburl.ext._values import Values
from weburl.ext.logging import explain_values, redact_values
from weburl.redact import SECRET_NAMES, TOKEN_NAMES, LogPolicy
from weburl.text import explain_redaction, redact_text, redact_text_many

SHOP = LogPolicy.from_toml(
    "hide = ['session', '*pin', 'customer*', '*plate*', 'q']\nhide_random = ['blob']\n"
    "keep = ['password', 'csrftoken', 'mypin']"
)
# How a name is written.
SPELLINGS = {
    "session": ("session", "Session", "SESSION", "sess-ion", "s_e_s_s_i_o_n"),
    "*pin": ("pin", "PIN", "card_pin", "cardPin", "x-pin", "a.b.pin"),
    "customer*": ("customer", "customer_id", "customerName2"),
    "*plate*": ("plate", "number_plate", "plate_no", "templates"),
    "q": ("q", "Q"),
}
OTHERS = ("sessions", "mysession", "pins", "pin2", "xcustomer", "qq", "a.session", "my_pin", "session_", "spinning")
# What is around a value in each form. A backslash is before each quote for each level of escapes.
FORMS = {
    "logfmt": ("{name}=", ""),
    "logfmt in quotes": ('{name}="', '"'),
    "single quotes": ("{name}='", "'"),
    "JSON": ('{{"a": 1, "{name}": "', '", "b": "c"}}'),
    "JSON without spaces": ('{{"{name}":"', '","b":"c"}}'),
    "a list": ('{{"{name}": ["', '", null]}}'),
    "repr": ("{{'{name}': '", "', 'b': 'c'}}"),
    "spaces": ('{name} = "', '"'),
    "a hash of Ruby": ('{{"{name}"=>"', '"}}'),
    "an entry": ('fields["{name}"] = "', '"'),
    "a pair": ('{{"name":"{name}","value":"', '"}}'),
    "a form": ("a=1&user[{name}]=", "&b=2"),
    "a form with escapes": ("a=1&user%5B{name}%5D=", "&b=2"),
    "JSON of Go": ('{{"body":"a=1\\u0026{name}=', '"}}'),
    "a header": ("{name}: ", ""),
    "a call": ('{name}: Some("', '")'),
    "colours": ("\x1b[36m{name}\x1b[0m=", " \x1b[0mb"),
}
PLACES = (("", ""), ("10:02 INFO ", " status=200"), ("[", "]"), ("https://h/?a=1 ", " /b?token=REDACTED"), ("é ", "\n"))


def written(name: str, form: str, place: tuple[str, str], value: str, levels: int) -> str:
    before, after = (part.format(name=name) for part in FORMS[form])
    for _ in range(levels):
        before, after = (part.replace("\\", "\\\\").replace('"', '\\"') for part in (before, after))
    return f"{place[0]}{before}{value}{after}{place[1]}"


@pytest.mark.sample(9)
@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_field(form: str) -> None:
    draw = Random(form)
    levels = (0,) if form in ("JSON of Go", "colours") else (0, 1, 2)
    for glob, names in SPELLINGS.items():
        for name in names:
            for place in draw.sample(PLACES, 2):
                for level in levels:
                    text = written(name, form, place, "q8Zx", level)
                    expected = written(name, form, place, "REDACTED", level)
                    assert redact_text(text, SHOP) == expected
                    assert redact_text(expected, SHOP) == expected
                    assert redact_text(text) == redact_text(text, LogPolicy(kept_names={"b"})) == text
                    if form != "colours":
                        assert [(each.rule, each.source) for each in explain_redaction(text, SHOP)] == [
                            (glob, "the policy")
                        ]


@pytest.mark.parametrize("form", FORMS)
def test_other_names_stay(form: str) -> None:
    for name in OTHERS:
        for place in PLACES:
            text = written(name, form, place, "q8Zx", 0)
            assert redact_text(text, SHOP) == text


@pytest.mark.parametrize("form", FORMS)
def test_names_that_are_kept(form: str) -> None:
    """Their values stay, but not other secrets in them."""
    for name in ("password", "Password", "csrf_token", "csrfToken", "my_pin"):
        for place in PLACES:
            text = written(name, form, place, "q8Zx3f7aK1b9Lm2c", 0)
            assert redact_text(text, SHOP) == text
            secret = written(name, form, place, secret_texts.KEY, 0)
            assert redact_text(secret, SHOP) == written(name, form, place, "REDACTED", 0)
    for name in ("db_password", "csrf_token2", "secret"):
        text = written(name, "JSON", ("", ""), "q8Zx", 0)
        assert (redact_text(text, SHOP) == text) is (name == "csrf_token2")


Json = str | float | list["Json"] | dict[str, "Json"] | None


def made(draw: Random, depth: int) -> Json:
    if depth < 3 and draw.random() < 0.4:
        return [made(draw, depth + 1) for _ in range(draw.randint(0, 3))]
    return draw.choice(
        (None, True, False, 0, 7, -1.5, 4711, 123456789, 1e20, "", "q8Zx", "two words", 'a"b', "x\\y", [], {})
    )


def hidden(value: Json) -> Json:
    if isinstance(value, list):
        return [hidden(each) for each in value]
    is_plain = value is None or isinstance(value, (bool, dict)) or value == ""
    return value if is_plain else "REDACTED"


@pytest.mark.parametrize("seed", range(4))
def test_json_stays_json(seed: int) -> None:
    """Texts and numbers of each length become texts, also in lists and in JSON in JSON."""
    draw = Random(seed)
    for _ in range(400):
        names = [draw.choice(SPELLINGS[glob]) for glob in ("session", "*pin", "customer*")]
        fields: dict[str, Json] = {"a": made(draw, 2), **{name: made(draw, 0) for name in names}, "b": {"pins": 1}}
        shown = {name: hidden(value) if name in names else value for name, value in fields.items()}
        separators = draw.choice((None, (",", ":")))
        indent = draw.choice((None, 1))
        line, expected = (json.dumps(each, separators=separators, indent=indent) for each in (fields, shown))
        assert redact_text(line, SHOP) == expected
        if indent is None:
            assert redact_text(json.dumps({"m": line}), SHOP) == json.dumps({"m": expected})
        assert redact_text_many([line], SHOP).to_pylist() == [expected]


def test_what_looks_random() -> None:
    assert redact_text('blob=q8Zx3f7a blob=hello "blob": "hello" blob: q8Zx3f7a', SHOP) == (
        'blob=REDACTED blob=hello "blob": "hello" blob: q8Zx3f7a'
    )
    assert redact_text('{"blob":"q8Zx3f7a", "Blob": 12345678}', SHOP) == '{"blob":"REDACTED", "Blob": 12345678}'


def test_a_percent_sign_that_is_no_escape() -> None:
    """The whole name follows it; but what follows two hexadecimal digits is a name of its own."""
    draw = Random(40)
    for _ in range(300):
        name = "".join(draw.choices("abcdefgxyz0189", k=draw.randint(2, 9)))
        policy = LogPolicy(secret_names=SECRET_NAMES | {name})
        is_escape = all(each in "0123456789abcdef" for each in name[:2])
        for before in ("%", "100%", "a=1 %", '{"'):
            text = f"{before}{name}=q8Zx1"
            shown = text if is_escape and before[-1] == "%" else text.replace("q8Zx1", "REDACTED")
            assert redact_text(text, policy) == shown
            digits = "".join(draw.choices("0123456789abcdefABCDEF", k=2))
            assert redact_text(f"{before}%{digits}{name}=q8Zx1", policy) == f"{before}%{digits}{name}=REDACTED"


def test_signs_that_are_not_ascii() -> None:
    """They are in no name, but letters that are not ASCII are."""
    draw = Random(41)
    for _ in range(300):
        sign = chr(
            draw.choice((0xA0, 0xB7, 0xBB, 0x2014, 0x2026, 0x202F, 0x2192, 0x2502, 0x3000, 0x3001, 0xFF0C, 0xFF1B))
        )
        before = "".join(draw.choices("ab1é名.-=[ ", k=draw.randint(0, 6)))
        text = f"{before}{sign}session=q8Zx {before}1ésession=q8Zx customer_größe{sign}x=1"
        expected = text.replace("q8Zx", "REDACTED", 1)
        assert redact_text(text, SHOP) == expected
        assert redact_text(text.encode(), SHOP) == expected.encode()
        assert [(each.rule, each.source) for each in explain_redaction(text, SHOP)] == [("session", "the policy")]
        data = text.encode()
        place = draw.randint(0, len(data))
        made = TextStream(SHOP)
        assert made.redact(data[:place]) + made.redact(data[place:]) + made.finish() == expected.encode()


def test_values_that_stay() -> None:
    for text in (
        "session: none found",
        "wrong pin: try again",
        '{"pin": null, "session": true}',
        "pin=- session=N/A q=[FILTERED] pin=***",
        "session == x",
        "the session is q8Zx",
        "session=",
    ):
        assert redact_text(text, SHOP) == text


def test_names_of_weburl_are_no_own_names() -> None:
    """A policy that adds to them has them, too: only the others are those of fields."""
    text = "otp=1 email=a login=b gclid=c plate=d ga=e"
    assert redact_text(text, "logs-strict") == text
    for base in (SECRET_NAMES, SECRET_NAMES | IDENTIFIER_NAMES):
        policy = LogPolicy(secret_names=base | {"plate"})
        assert redact_text(text, policy) == text.replace("plate=d", "plate=REDACTED")
    policy = LogPolicy.from_toml("hide = ['plate']\nbase = 'logs-strict'")
    assert redact_text(text, policy) == text.replace("plate=d", "plate=REDACTED")
    policy = LogPolicy.from_toml("hide = ['*otp', '*email', 'login']")
    assert redact_text(text, policy) == "otp=REDACTED email=REDACTED login=REDACTED gclid=c plate=d ga=e"
    assert redact_text("code=q8Zx3f7aK1b9Lm2c", LogPolicy(token_names=TOKEN_NAMES | {"x"})) == "code=q8Zx3f7aK1b9Lm2c"


def test_names_of_fields() -> None:
    """What a file hides is the name of a field, also if the base has it; `field_names` says so in Python."""
    text = 'otp=1 {"otp": 2, "ga": "b", "token": "abc"} /?otp=3&ga=c plate=d'
    shown = 'otp=REDACTED {"otp": "REDACTED", "ga": "REDACTED", "token": "REDACTED"} /?otp=REDACTED&ga=GA plate=d'
    for base, ga in (("logs", "c"), ("logs-strict", "REDACTED")):
        policy = LogPolicy.from_toml(f"base = '{base}'\nhide = ['otp', 'token', 'ga']")
        assert redact_text(text, policy) == shown.replace("GA", "REDACTED")
        assert policy.field_names == ({"otp"} if base == "logs" else {"otp", "ga"})
        assert redact_values({"otp": "1", "ga": "b", "x": "/?ga=c"}, policy) == {
            "otp": "REDACTED", "ga": "REDACTED", "x": "/?ga=REDACTED",
        }  # fmt: skip
        secret_names = SECRET_NAMES if base == "logs" else SECRET_NAMES | IDENTIFIER_NAMES
        policy = LogPolicy(field_names=["otp", "token", "ga", "plate"], secret_names=secret_names)
        assert redact_text(text, policy) == shown.replace("GA", ga).replace("plate=d", "plate=REDACTED")
        assert explain_values({"plate": "d"}, policy)[0].rule == "plate"
        assert redact_values({"plate": "d", "y": {"otp": 5}, "x": "/?plate=d"}, policy) == {
            "plate": "REDACTED", "y": {"otp": "REDACTED"}, "x": "/?plate=d",
        }  # fmt: skip
    assert redact_text("otp=1", LogPolicy(field_names=["otp"], kept_names=["otp"])) == "otp=1"
    with pytest.raises(ValueError, match="field_names: with exact_names, no field is hidden"):
        LogPolicy(exact_names=["sig"], field_names=["a"])


def test_a_policy_with_names_of_fields_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also its key: what is in the environment later does not matter."""
    monkeypatch.setenv("WEBURL_TEST_KEY", "0123456789abcdef")
    policy = LogPolicy(field_names=["otp"], key_env="WEBURL_TEST_KEY")
    monkeypatch.delenv("WEBURL_TEST_KEY")
    shown = redact_values({"otp": "q8Zx", "x": "/?token=q8Zx"}, policy)
    assert shown == {"otp": "REDACTED-" + shown["otp"][-16:], "x": f"/?token={shown['otp']}"}
    assert explain_values({"otp": "q8Zx"}, policy)[0].rule == "otp"
    assert Values(policy).policy_of_names is Values(policy).policy_of_names


def test_rules_for_hosts_and_exact_names() -> None:
    """These are of URLs alone."""
    policy = LogPolicy.from_toml("[[rules]]\nhosts = ['example.com']\nhide = ['plate']\nkeep = ['password']")
    assert redact_text("https://example.com/?plate=1 plate=2 password=3", policy) == (
        "https://example.com/?plate=REDACTED plate=2 password=REDACTED"
    )
    policy = LogPolicy.from_toml("base = 'otel'\nhide = ['plate']")
    assert redact_text("/?plate=1 plate=2 password=3", policy) == "/?plate=REDACTED plate=2 password=3"


def test_headers_are_read_as_headers() -> None:
    """All cookies are hidden, and schemes stay, whatever a policy says."""
    text = "cookie=a=1; b=2 Authorization: Bearer abc"
    for toml in ("hide = ['cookie', '*authorization', 'auth*']", "keep = ['cookie', '*authorization']"):
        assert redact_text(text, LogPolicy.from_toml(toml)) == (
            "cookie=a=REDACTED; b=REDACTED Authorization: Bearer REDACTED"
        )


def test_keep_counts_before_hide() -> None:
    policy = LogPolicy(secret_names=SECRET_NAMES | {"*pin"}, kept_names={"mypin"})
    assert redact_text("my_pin=1 your_pin=2", policy) == "my_pin=1 your_pin=REDACTED"


def policy_of(draw: Random) -> LogPolicy:
    words = (
        "session",
        "pin",
        "q",
        "cookie",
        "token2",
        "apikey2",
        "kwd",
        "value",
        "a",
        "refreshtoken",
        "host",
        "x",
        "tok",
    )

    def names(most: int) -> frozenset[str]:
        count = draw.randint(0, most)
        return frozenset(
            f"{draw.choice(('', '', '*'))}{draw.choice(words)}{draw.choice(('', '', '*'))}" for _ in range(count)
        )

    return LogPolicy(
        secret_names=SECRET_NAMES | names(5) | draw.choice((frozenset(), IDENTIFIER_NAMES)),
        token_names=TOKEN_NAMES | names(3),
        field_names=names(2),
        kept_names=names(3) | draw.choice((frozenset(), frozenset(("password", "*token", "*key")))),
    )


PIECES = [*sum(SPELLINGS.values(), ()), *OTHERS, "token2", "api_key2", "refreshToken", "kwd=/x", "password", "value"]
PIECES += [
    before + name for before in ("\u3000", "x\xa0", "a\uff0c", "%", "%2") for name in ("session", "pin", "q", "a")
]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_hostile_texts_as_in_the_model(seed: int) -> None:
    """And in a stream that is cut anywhere."""
    draw = Random(seed)
    signs = (
        "=",
        '": "',
        '":',
        ": ",
        '="',
        "': '",
        ' = "',
        "=>",
        '\\":\\"',
        "[]=",
        '":["',
        ',"value":"',
        "\x1b[0m=",
        "",
    )
    for _ in range(15):
        policy = policy_of(draw)
        with redact_model.under(policy):
            for _ in range(40):
                data = secret_texts.hostile(draw)
                for _ in range(draw.randint(0, 3)):
                    place = draw.randint(0, len(data))
                    value = draw.choice(("", "q8Zx", "123", "12345678", "q8Zx3f7aK1b9Lm2c", "letters"))
                    field = draw.choice(PIECES) + draw.choice(signs) + value
                    data = data[:place] + field.encode() + data[place:]
                shown = redact_text(data, policy)
                assert shown.decode("latin-1") == redact_text_model.redacted(data.decode("latin-1"))[0], (policy, data)
                made = TextStream(policy)
                first, second = sorted((draw.randint(0, len(data)), draw.randint(0, len(data))))
                parts = made.redact(data[:first]) + made.redact(data[first:second]) + made.redact(data[second:])
                assert parts + made.finish() == shown, (policy, data, first, second)
                assert len(explain_redaction(data, policy)) == sum(made.counts.values())


@pytest.mark.parametrize("name", ["session", "card_pin", "customer_" + "x" * 100])
def test_long_values_in_a_stream(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a value is shown that does not fit into memory."""
    monkeypatch.setattr(stream, "LONGEST", 64 + 2 * len(name))
    draw = Random(name)
    for _ in range(300):
        quote = draw.choice(('"', '\\"', "'"))
        items = [f"{quote}{' '.join(['S3cr3tq8'] * draw.randint(1, 40))}{quote}" for _ in range(draw.randint(1, 4))]
        items.insert(draw.randint(0, len(items)), "4711")
        between = draw.choice((",", ", ", ",\n  ")[: 2 if quote == '\\"' else 3])
        text = f"{{{quote}{name}{quote}: [{between.join(items)}], {quote}b{quote}: 1}}\n"
        made = TextStream(SHOP)
        shown, place = b"", 0
        while place < len(text):
            end = min(len(text), place + draw.randint(1, 80))
            shown += made.redact(text[place:end].encode())
            place = end
        shown += made.finish()
        assert b"S3cr" not in shown
        assert b"4711" not in shown


def test_a_word_that_is_too_long_with_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows a name in it is gone, too."""
    monkeypatch.setattr(stream, "LONGEST", 64)
    made = TextStream(SHOP)
    shown = b"".join(
        made.redact(part) for part in (b"a" * 100, b"/" + b"b" * 100 + b"&sess", b"ion= ", b'"S3cr" x', b"\nb\n")
    )
    assert b"S3cr" not in shown + made.finish()


def test_a_name_at_the_end_of_a_part() -> None:
    """Its sign may come with the next one."""
    for text in (
        'a session = "q8Zx" b',
        '{"session" : "q8Zx"}',
        'q = "q8Zx"',
        '"q":"q8Zx"',
        'x\x1b[0m "session"\x1b[0m:"q8Zx"',
    ):
        data = text.encode()
        for place in range(len(data) + 1):
            made = TextStream(SHOP)
            assert made.redact(data[:place]) + made.redact(data[place:]) + made.finish() == redact_text(data, SHOP)
        assert b"q8Zx" not in redact_text(data, SHOP)
