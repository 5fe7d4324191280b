"""Logs of thirteen formats with secrets in them, and what must not be left of each line."""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple
from urllib.parse import quote

from support.secret_shapes import ALPHANUMERIC, URL_SAFE, Maker


class Line(NamedTuple):
    """A line of a log; the secrets in it; and what must stay."""

    format: str
    text: str
    secrets: tuple[str, ...]
    stays: tuple[str, ...]


class Writer:
    """What lines are made of, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.maker = Maker(seed)
        self.random: Random = self.maker.random
        self.secrets: list[str] = []
        self.stays: list[str] = []

    def secret(self, characters: str = ALPHANUMERIC, least: int = 8, most: int = 40) -> str:
        text = self.maker.some(characters, least, most)
        self.secrets.append(text)
        return text

    def kept(self, text: str) -> str:
        self.stays.append(text)
        return text

    def word(self) -> str:
        return self.kept(self.maker.some(string.ascii_lowercase, 4, 10))

    def name(self) -> str:
        return self.random.choice(("token", "access_token", "password", "api_key", "client_secret", "sig", "otp"))

    def key(self) -> str:
        text = self.maker.key() if self.random.random() < 0.5 else self.maker.jwt()
        self.secrets.append(text)
        return text

    def query(self) -> str:
        pairs = [f"{self.word()}={self.random.randint(0, 99)}" for _ in range(self.random.randint(0, 3))]
        for _ in range(self.random.randint(1, 2)):
            pairs.insert(self.random.randint(0, len(pairs)), f"{self.name()}={self.secret()}")
        return "&".join(pairs)

    def target(self) -> str:
        fragment = f"#{self.word()}" if self.random.random() < 0.5 else ""
        return f"/{self.word()}/{self.word()}?{self.query()}{fragment}"

    def url(self) -> str:
        scheme = self.random.choice(("https", "http", "HTTP", "postgres", "redis", "wss"))
        userinfo = f"{self.secret(string.ascii_lowercase)}:{self.secret()}@" if self.random.random() < 0.4 else ""
        return self.kept(scheme + "://") + userinfo + self.word() + ".example" + self.target()

    def host_url(self) -> str:
        return f"https://{self.word()}.example/{self.word()}"

    def bearer(self) -> str:
        scheme = self.random.choice(("Bearer", "bearer", "Basic", "Token"))
        if scheme == "Basic":
            made = base64.b64encode(f"{self.maker.word()}:{self.maker.word()}".encode()).decode()
            self.secrets.append(made)
            return f"Basic {made}"
        return f"{scheme} {self.secret(URL_SAFE + '.~', 12, 60)}"

    def cookies(self) -> str:
        count = self.random.randint(1, 4)
        return "; ".join(f"{self.word()}={self.secret(URL_SAFE + '%', 8, 40)}" for _ in range(count))

    def time(self) -> str:
        two = self.random.randint
        return self.kept(f"2026-11-{two(10, 28)}T{two(10, 23)}:{two(10, 59)}:{two(10, 59)}.{two(100, 999)}Z")

    def address(self) -> str:
        return self.kept(".".join(str(self.random.randint(1, 254)) for _ in range(4)))


def combined(write: Writer) -> str:
    return (
        f'{write.address()} - - [{write.time()}] "GET {write.target()} HTTP/1.1" 200 512 "{write.url()}" "Mozilla/5.0 ('
        f'X11; Linux x86_64)" "{write.word()}"'
    )


def nginx_error(write: Writer) -> str:
    return (
        f'{write.time()} [error] 7#7: *1 timed out, client: {write.address()}, request: "POST {write.target()} '
        f'HTTP/2.0", upstream: "{write.url()}", host: "{write.word()}"'
    )


def logfmt(write: Writer) -> str:
    return (
        f'time={write.time()} level=info msg="{write.word()}" path={write.target()} authorization="{write.bearer()}" '
        f"x_auth_token={write.secret(URL_SAFE + '+/')} url={write.url()} "
        f"{write.random.choice(('password', 'client_secret', 'DB_PASSWD'))}={write.secret(URL_SAFE + '+/')} status=200"
    )


def json_lines(write: Writer) -> str:
    record = {
        "time": write.time(),
        "url": write.url(),
        "headers": {
            "Authorization": write.bearer(),
            "X-Api-Key": write.secret(URL_SAFE),
            "Cookie": write.cookies(),
            "X-Request-Id": write.word(),
        },
        write.random.choice(("password", "dbPassword", "client_secret")): write.secret(URL_SAFE + "+/ !%"),
        "path": write.target(),
        "n": 5,
    }
    text = json.dumps(record, separators=write.random.choice(((",", ":"), (", ", ": "))))
    return text.replace("/", "\\/").replace("&", "\\u0026") if write.random.random() < 0.5 else text


def json_in_json(write: Writer) -> str:
    text = json_lines(write)
    for _ in range(write.random.randint(1, 2)):
        text = json.dumps({"log": text, "stream": "stdout"})
    return text


def spring(write: Writer) -> str:
    return (
        f"{write.time()}  INFO 1 --- [nio-8080-exec-1] o.s.w.c.RestTemplate : HTTP GET {write.url()} key={write.key()}"
    )


def python_traceback(write: Writer) -> str:
    return (
        f"requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: {write.url()} (headers: "
        f"{{'Authorization': '{write.bearer()}', 'Cookie': '{write.cookies()}', 'X': '{write.word()}'}})"
    )


def raw_headers(write: Writer) -> str:
    end = write.random.choice(("\n", "\r\n"))
    lines = [
        f"GET {write.target()} HTTP/1.1",
        f"Host: {write.word()}",
        f"{write.random.choice(('Authorization', 'Proxy-Authorization', 'authorization'))}: {write.bearer()}",
        f"Cookie: {write.cookies()}",
        f"Set-Cookie: sid={write.secret()}; Path=/{write.word()}; HttpOnly",
        f"{write.random.choice(('Private-Token', 'X-Amz-Security-Token', 'api-key'))}: {write.secret(URL_SAFE + '+/')}",
        f"X-Trace: {write.word()}",
        f"Api-Version: {write.word()}",
    ]
    return end.join(lines)


def go_map(write: Writer) -> str:
    values = write.word(), write.bearer(), write.cookies(), write.word(), write.secret()
    return "map[Accept:[{}] Authorization:[{}] Cookie:[{}] Host:[{}] X-Vault-Token:[{}]]".format(*values)


def curl(write: Writer) -> str:
    header = f"-H 'Authorization: {write.bearer()}'"
    header += f" -H 'Ocp-Apim-Subscription-Key: {write.secret()}'"
    return f"+ curl -sS {header} -H \"Cookie: {write.cookies()}\" '{write.url()}' -o {write.word()}"


def syslog(write: Writer) -> str:
    return (
        f"<134>1 {write.time()} {write.word()} app 12 - - callback ({write.url()}), then {write.key()}: {write.word()}"
    )


def ltsv(write: Writer) -> str:
    return "\t".join(
        (f"time:{write.time()}", f"host:{write.address()}", f"req:GET {write.target()}", f"referer:{write.url()}",
         f"http_cookie={write.cookies()}", f"size:{write.word()}")
    )  # fmt: skip


def har(write: Writer) -> str:
    headers = [{"name": "Authorization", "value": write.bearer()}, {"name": "cookie", "value": write.cookies()}]
    kept = len(write.stays)
    next_url = quote(write.url(), safe="")
    # A URL in a value is hidden as a whole.
    del write.stays[kept:]
    return json.dumps(
        {"request": {"url": f"{write.host_url()}?next={next_url}", "headers": headers}, "id": write.word()}
    )


FORMATS: dict[str, Callable[[Writer], str]] = {
    each.__name__: each
    for each in (
        combined, nginx_error, logfmt, json_lines, json_in_json, spring, python_traceback, raw_headers, go_map, curl,
        syslog, ltsv, har,
    )
}  # fmt: skip


def lines(count: int, seed: int) -> list[Line]:
    formats = list(FORMATS.items())
    made = []
    writer = Writer(seed)
    for index in range(count):
        name, write = formats[index % len(formats)]
        writer.secrets, writer.stays = [], []
        text = write(writer)
        made.append(Line(name, text, tuple(writer.secrets), tuple(writer.stays)))
    return made
