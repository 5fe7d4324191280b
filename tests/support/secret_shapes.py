"""URLs with a secret in each, in 40 shapes; and URLs that are made of what rules of redaction look at."""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from support.redaction_lists import CARD_RANGES

ALPHANUMERIC = string.ascii_letters + string.digits
URL_SAFE = ALPHANUMERIC + "-_"
UPPER = string.ascii_uppercase + string.digits


class Secret(NamedTuple):
    """A URL, and what must not be left of it."""

    shape: str
    url: str
    secret: str


class Maker:
    """Makes secrets, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self, characters: str, n: int) -> str:
        return "".join(self.random.choices(characters, k=n))

    def some(self, characters: str, least: int, most: int) -> str:
        return self.text(characters, self.random.randint(least, most))

    def word(self) -> str:
        """A password, which has no digits, or few."""
        return self.some(string.ascii_lowercase + string.digits, 5, 20) + "q"

    def hex(self) -> str:
        return self.random.randbytes(self.random.choice((16, 20, 32, 64))).hex()

    def base64(self) -> str:
        return base64.b64encode(self.random.randbytes(self.random.randint(24, 66))).decode()

    def base64url(self) -> str:
        return base64.urlsafe_b64encode(self.random.randbytes(self.random.randint(24, 66))).decode()

    def jwt(self) -> str:
        header = {"alg": self.random.choice(("HS256", "RS256", "none")), "typ": "JWT"}
        claims = {"sub": self.some(string.digits, 1, 9), "iat": self.random.randrange(2**31)}
        parts = [json.dumps(part).encode() for part in (header, claims)]
        parts.append(self.random.randbytes(32))
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)

    def key(self) -> str:
        prefix, characters, n = self.random.choice(
            (
                ("AKIA", UPPER, 16), ("AIza", URL_SAFE, 35), ("ghp_", ALPHANUMERIC, 36), ("glpat-", URL_SAFE, 20),
                ("xoxb-", string.digits, 12), ("sk_live_", ALPHANUMERIC, 24), ("npm_", ALPHANUMERIC, 36),
                ("shpat_", "0123456789abcdef", 32), ("ya29.", URL_SAFE, 60), ("hf_", ALPHANUMERIC, 34),
            )
        )  # fmt: skip
        return prefix + self.text(characters, n)

    def email(self) -> str:
        name = self.some(string.ascii_lowercase, 2, 12) + self.random.choice(("", ".x", "_7", "-b"))
        host = self.some(string.ascii_lowercase + string.digits, 2, 12) + "a"
        return f"{name}@{host}.{self.random.choice(('com', 'co.uk', 'de', 'org', 'example'))}"

    def card(self) -> str:
        first, last, lengths = self.random.choice(CARD_RANGES)
        digits = str(self.random.randint(first, last))
        digits += self.text(string.digits, self.random.choice(lengths) - 1 - len(digits))
        total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(reversed(digits)))
        return digits + str(-total % 10)

    def name(self, *names: str) -> str:
        return self.random.choice(names)

    def host(self) -> str:
        return self.some(string.ascii_lowercase, 3, 10) + ".example"

    def page(self) -> str:
        return f"https://{self.host()}/{self.some(string.ascii_lowercase, 3, 9)}"


def spaced(card: str, by: str) -> str:
    return by.join(card[place : place + 4] for place in range(0, len(card), 4))


def everywhere_escaped(text: str) -> str:
    return "".join(f"%{octet:02x}" for octet in text.encode())


Shape = Callable[[Maker], tuple[str, str]]


def in_query(name: str, value: Callable[[Maker], str], encode: Callable[[str], str] = str) -> Shape:
    def make(maker: Maker) -> tuple[str, str]:
        secret = value(maker)
        return f"{maker.page()}?a=1&{name}={encode(secret)}&b=2", secret

    return make


def named(name: Callable[[Maker], str]) -> Shape:
    def make(maker: Maker) -> tuple[str, str]:
        secret = maker.word()
        return f"{maker.page()}?a=1&{name(maker)}={secret}&b=2", secret

    return make


def written(form: str, value: Callable[[Maker], str]) -> Shape:
    """`form` has the places of the page (P), the host (H) and the secret (S, or E for it in an escaped text)."""

    def make(maker: Maker) -> tuple[str, str]:
        secret = value(maker)
        given = {"P": maker.page(), "H": maker.host(), "S": secret, "E": quote(secret, safe="")}
        return form.format(**given), secret

    return make


SHAPES: dict[str, Shape] = {
    "user and password": written("https://user:{S}@{H}/a", Maker.word),
    "password of a URL that does not parse": written("https://user:{S}/x@{H}:99999/a", Maker.word),
    "username alone": written("https://{S}@{H}/a?b=1", Maker.key),
    "URL in a URL": in_query("next", lambda maker: maker.word(), lambda word: quote(f"https://u:{word}@h/", safe="")),
    "URL in a path": written("{P}/https://u:{S}@{H}/x", Maker.word),
    "blob": written("blob:https://u:{S}@{H}/1", Maker.word),
    "bearer": in_query("x", Maker.word, lambda word: f"Bearer%20{word}"),
    "access_token": named(lambda maker: maker.name("access_token", "accessToken", "ID-TOKEN", "my.token")),
    "api key": named(lambda maker: maker.name("api_key", "apikey", "X-Api-Key", "apiKey", "user_api_key", "accessKey")),
    "password": named(lambda maker: maker.name("password", "passwd", "pwd", "userPassword", "new_password_2", "pass")),
    "client secret": named(lambda maker: maker.name("secret", "client_secret", "app-secret-1", "SECRETKEY")),
    "Amazon": named(lambda maker: maker.name("X-Amz-Signature", "X-Amz-Credential", "AWSAccessKeyId")),
    "signature": named(lambda maker: maker.name("sig", "Signature", "X-Goog-Signature", "sig", "hmac")),
    "session": named(lambda maker: maker.name("PHPSESSID", "jsessionid", "session_id", "ASPSESSIONIDABCD", "CFTOKEN")),
    "name in brackets": named(lambda maker: maker.name("user[password]", "a%5Bpwd%5D", "b[0][token]", "x[otp][]")),
    "escaped name": named(lambda maker: everywhere_escaped(maker.name("token", "password", "api_key"))),
    "name escaped twice": named(lambda maker: everywhere_escaped("token").replace("%", "%25")),
    "name after &amp;": written("{P}?a=1&amp;token={S}&amp;b=2", Maker.word),
    "name after a semicolon": written("{P}?a=1;token={S};b=2", Maker.word),
    "name in a query in a query": written("{P}?next=%2Fcb%3Fa%3D1%26access_token%3D{S}", Maker.word),
    "name in JSON": written('{P}?data={{"user":1,"password":"{S}"}}', Maker.word),
    "name in a fragment": written("{P}#access_token={S}&token_type=bearer", Maker.word),
    "name in a path of a fragment": written("{P}#/cb/a?id_token={S}&x=1", Maker.word),
    "name in a path": written("{P}/a;jsessionid={S}?b=1", Maker.word),
    "name in a text without a scheme": written("/cb?token={S}&a=1", Maker.word),
    "name in a URL that does not parse": written("http://a b/?token={S}", Maker.word),
    "OAuth code": in_query("code", lambda maker: "4/0A" + maker.some(URL_SAFE, 30, 60) + "1"),
    "segment after reset-password": written("{P}/reset-password/{S}/", lambda maker: "gG1" + maker.base64url()[:32]),
    "JWT": in_query("x", Maker.jwt),
    "JWT in a path": written("{P}/{S}/b", Maker.jwt),
    "JWT in a fragment": written("{P}#{S}", Maker.jwt),
    "key of a service": in_query("x", Maker.key),
    "key of a service in a path": written("{P}/{S}/b", Maker.key),
    "hex": in_query("x", Maker.hex),
    "base64": in_query("x", Maker.base64, lambda text: quote(text, safe="")),
    "base64url": in_query("x", Maker.base64url),
    "e-mail": in_query("x", Maker.email, lambda text: text.replace("@", "%40")),
    "e-mail in a path": written("{P}/{S}/b", Maker.email),
    "card": in_query("x", Maker.card),
    "card in groups": in_query("x", lambda maker: spaced(maker.card(), "-")),
}  # fmt: skip


def secrets(count: int, seed: int) -> list[Secret]:
    maker = Maker(seed)
    shapes = list(SHAPES.items())
    return [Secret(name, *make(maker)) for name, make in (shapes[index % len(shapes)] for index in range(count))]


# fmt: off
PIECES = [
    "token", "access_token", "%74oken", "password", "sid", "code", "key", "v", "ip", "reset", "a", "x", "1", "webhooks",
    "=", "=", "=", "&", "&", ";", "?", "#", "/", "/", "/", "//", "\\", ":", ":", "@", "@", ".", "-", "_", "+", "[", "]",
    "%20", "%2B", "%40", "%3D", "%26", "%2F", "%2540", "%25", "%", "%3A", " ", "\t", "é", "%ff", '"', "{", "}", ",",
    "http:", "https://", "http://", "blob:", "mailto:", "x:", "//h", "h.example", "1.2.3.4", "10.0.0.255", ":80", "..",
    "[::1]", "2001:db8:1:2::3", "::", "1::", "1:0:2::", "::ffff:1.2.3.4", "1.2.3.0", "%7Bint%7D", "{int}", "%7B",
    "123", "12345678", "deadbeef1", "7f9c2c1e-3b5a-4d2b-9f1e-0a1b2c3d4e5f", "2024-01-31", ".html", ".json", "Basic ",
    "Bearer%20x", "bearer+", "a@b.com", "u:p@", "x@1.2", "x@1.2.js", "x@a.1", "x@-.a", "@b.com", "a@b.xn--p1ai",
    "4111111111111111", "4111 1111 1111 1111", "4111111111111112", "3782-822463-10005", "0x", "ab12" * 8, "gH1-" * 4,
    "gH1_" * 8, "Ab+/" * 8, "==", "eyJhbGciOiJI", "eyJhbGciOiJIUzI1NiJ9.e30", "AKIA" + "A1B2" * 4,
    "session=", "a@b..c", "sk_live_" + "a1" * 9, "{redacted}", "token[", "token]=", '"token":', "b=c", "%2e",
    "REDACTED", "redacted", '\\"', "\\n", "\\u003d", "token=}", "token=,", "%23", ";x", "\nbearer a1", "https://u:p/",
    "4111-1111-1111-1111-1", "5500005555555559+", "..", "%0A",
    "\\u0040", "\\u0040b.com", "//&", "a@", "C:", "/C:/", "C%3A/", "[u:p/", "max_tokens=", "pin=", "pin", "true",
    "sha256=", "utm_x=", "secretary=", "&sid=", "@2x.png", "/magic/", "T0123ABCD/B0123ABCD/", "/T0123ABCD/B0123ABCD/",
    "aBcD1" * 5, "123456789:AA" + "a1-" * 11, "DE89370400440532013000", "GB33 BUKB 2020 1555 5555 55",
    "NO93 8601 1117 947",
    "SpringSaleNewCustomersRetargeting2026", "/reset?x=", "http://[u:p#", "http://@u:p", "x;",
]
STARTS = [
    "", "https://h/?x=", "https://h/?x=", "https://h/", "https://h/?", "https://h/#", "https://u:p@h/a?", "x://h/",
    "x:", "//", "/", "https://h/#", "https://h/#a@b.com=&",
]
# fmt: on


def hostile(random: Random) -> str:
    """A text of pieces that the rules look at."""
    return random.choice(STARTS) + "".join(random.choices(PIECES, k=random.randint(1, 9)))
