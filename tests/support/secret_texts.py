"""Texts that are made of what the rules of redact_text look at."""

from __future__ import annotations

from random import Random

from support import redact_text_model, secret_shapes

from weburl._redact.stream import LONG, TextStream
from weburl.bulk import redact_text_many
from weburl.text import explain_redaction, redact_text

KEY = "gh" + "p_" + "aB3d" * 9
JWT = "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
BOT = "123456789:AA" + "a1-" * 11
# fmt: off
PIECES = [
    "Authorization", "authorization", "Cookie", "Set-Cookie", "setCookie", "proxy-authorization", "http_cookie", ": ",
    "=", "=>", " ", "  ", "\n", "\r\n", '"', "'", "`", '\\"', "\\'", '\\\\\\"', "\\/", "\\\\/", "\\u0026", "\\u003d",
    "\\u0022", "\\x22", "\\x2f", "\\u002f", "\\u005c", "\\n", "\\\\n", "\\t", "\\", "://", ":\\/\\/", "http",
    "https://", "http:///", "/a/b", "?", "#", "token=", "Bearer ", "Basic ", "Digest username=", "Negotiate", "[", "]",
    "(", ")", "{", "}", ",", ";", "; ", ".", "GET /login?token=", "path=/reset?password=", "value", '"cookie": ',
    '"authorization":', "null", "-12.5e3", ", ", '"value":"', "true", "REDACTED", KEY, JWT, BOT,
    "AK" + "IA" + "A1B2" * 4, "SG" + "." + "aB1" * 8 + "." + "cD2" * 10, "b'", "Path=/", "Expires=Wed, 21", "HttpOnly",
    "a=b", "\x00", "\x7f", "é", "\xff", "<", ">", "u:p@", "u:p/w@", "me@", "1.2.3.4", "x", "n", "r", "t", "set", "ey",
    "gh", "&token=", "/?q=", "\\u003c", "\\x3E", "\\u0020", "&a=", ":AA",
    "#015#012", "#012", "\\012", "\\x0D\\x0A", "\\u000a", "%0D%0A", "%0a",
    "\x1b[36m", "\\x1b[0m", "\\u001b[1;2m", "\x1b", "[0m", ",\n ", ":\n\"", "u'", "('", 'token="', ", response=",
    "\\e[K", "\\033[m", "a: ",
    "Some(", "str = ", "!!str ", "(string) ", "&\"", " = \"", "f'", "\\n \"", "\\\\n \\\"", "]", "[[", "XCookie",
    "value=", "value: ", "api",
    "X-Api-Key", "api_key", "private-token", "HTTP_X_AUTH_TOKEN", "-key", "_token", "access_token=", "id-token: ",
    "apikey=", "IDToken", "APIKey\": ", "token: ", "page_token=", "fb_", "Facebook", "PageToken=", "q8Zx3f7aK1b9Lm2c",
    "%5B", "%5D=", "]\"", "{bcrypt}$2", "$1", "3|aB1cD2eF3gH4iJ5k", "token=((", "oldpwd=.", "c:/x",
    "0xaB1cD2eF3gH4iJ5k", "uri=\"/x\", ",
    "publicKeyToken=", "'x Cookie: a'", "aaaaBB11ccccDD22=", "\\n\"", "csrfmiddlewaretoken=", "q8" * 130,
    "pwd=", "pwd\": \"/", "~", "_hash", "2", "-confirm=",
    "nil, ", "{}, ", "[]", "()", "1e-05", "1234567, ", "N'", "@\"", "rb'", "(None, ", "\\r\\n", "\\\\n", "Host: h",
    ",\n  ", "[\n ", "[\\n \\\"", "Set-Cookie: a=b; Path=/", "hawk", "signing_key", "npm" + "_" + "a-bc" * 10,
    "password", "Password=", '"db_passwd": ', "passphrase = ", "client_secret=", "SECRET: ", "apiKey=",
    '"accessToken":', "#015#012#015#012", "\\x0d\\x0a", "\\015\\012", ":[]string{", ":[null, ", "null,", "[1,", "-1 , ",
    "(\\\"", "[[\"", "],[", "], [\"", "\"],\n [", "\n]", "[null,[", "[]=", "[0]", "%5D%5B%5D=", "%5b1%5d: ",
    "xApi", "Key", "Token: ", "goog", "'secret'", "\" : secret \"", " : ", "not found", "pass", "secre", "***",
    "[FILTERED]", "(null)", "<redacted>", "N/A", "2026-11-29T10:00:00Z", "[hidden",
    "GET /reset/aB3xY9kQ7LmN2pR4", " HTTP/1.1", "PUT /", "/magic-link/q8Zx3f7aK1b9Lm2c HTTP/2", "POST ",
    "#033[0m", "^[[1m", "\\\\x1b[0m", "://h;token=", "://(a=b,password=", '\\\\"', '\\\\", ', '=",', " (\"", "[\"X\"] ",
]
# fmt: on


def hostile(random: Random) -> bytes:
    pieces = [
        random.choice(PIECES if random.random() < 0.75 else secret_shapes.PIECES) for _ in range(random.randint(1, 14))
    ]
    if random.random() < 0.2:
        pieces.insert(random.randint(0, len(pieces)), secret_shapes.hostile(random))
    return "".join(pieces).encode("utf-8" if random.random() < 0.5 else "latin-1", "replace")


def check(data: bytes, text: str, is_small: bool) -> None:
    """Asserts what holds for every text: the same as in the model, as a column, and after another time."""
    shown = redact_text(data)
    assert redact_text(shown) == shown
    if is_small:
        assert shown.decode("latin-1") == redact_text_model.redacted(data.decode("latin-1"))[0]
    assert redact_text(text).encode("utf-8", "surrogatepass") == redact_text(text.encode("utf-8", "surrogatepass"))
    meaning = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert redact_text_many([meaning]).to_pylist() == [redact_text(meaning)]
    stream = TextStream()
    half = len(data) // 2
    streamed = stream.redact(data[:half]) + stream.redact(data[half:]) + stream.finish()
    # Of a word longer than 64 KiB the rest is replaced, when its end has not been read: the stream counts it.
    assert streamed == shown or (len(data) > 65_536 and LONG in stream.counts), (half, data[:4096])
    hidden = explain_redaction(text)
    assert all(0 <= redaction.start < redaction.end <= len(text) for redaction in hidden)
    assert bool(hidden) is (redact_text(text) != text)
