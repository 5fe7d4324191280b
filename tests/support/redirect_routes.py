"""Ways through two servers on loopback, and what each request has: for clients of HTTP that follow redirects."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from support.raw_server import Answer, RawServer, redirect, response, serving

from weburl import URL

STATUSES = (301, 302, 303, 307, 308)
# The host and the server of each station, and whether its path alone is written.
ROUTES: dict[str, list[str]] = {
    "same": ["a/", "/", "a/"],
    "port": ["a/", "b/", "/"],
    "host": ["a/", "localhost/", "/"],
    "user": ["a/", "user@b/"],
    "there and back": ["a/", "b/", "a/", "/"],
}
# One for each rule by which a header is for one origin.
FOR_ONE_ORIGIN = (
    "Authorization", "Proxy-Authorization", "WWW-Authenticate", "Cookie2", "Origin", "Referer", "If-None-Match",
    "If-Modified-Since", "If-Match", "If-Range", "If-Unmodified-Since", "X-Api-Key", "Api_Key", "Private-Token",
    "X-Auth-Key", "X-CSRF-Token", "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "X-Client-Secret",
    "X-Session-Id", "X-Hub-Signature", "X-Password", "aUTH", "Authentication", "DPoP", "X-Bearer", "X-OTP",
    "X-Hub-Signature-256", "X-PIN", "X-Api-Key2", "Token1",
)  # fmt: skip
ABOUT_A_BODY = ("Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Content-MD5", "Digest")
HARMLESS = ("User-Agent", "Accept", "Accept-Language", "X-Other", "X-Request-Id", "Traceparent", "Range", "DNT")


class BodyServer(RawServer):
    """One that reads bodies, too."""

    def __init__(self, answer: Answer) -> None:
        self.bodies: list[bytes] = []
        super().__init__(answer)

    def talk(self, sock: socket.socket) -> None:
        with sock, suppress(OSError), sock.makefile("rb") as file:
            sock.settimeout(30)
            while True:
                lines = []
                while (line := file.readline()) not in (b"\r\n", b""):
                    lines.append(line.rstrip(b"\r\n"))
                if not lines:
                    return
                head = b"\r\n".join(lines)
                self.heads.append(head)
                self.bodies.append(file.read(int(fields(head).get(b"content-length", [b"0"])[0])))
                answer = self.answer(head)
                assert isinstance(answer, bytes)
                sock.sendall(answer)


def fields(head: bytes) -> dict[bytes, list[bytes]]:
    """The headers, by names in lower case."""
    found: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        found.setdefault(name.lower(), []).append(value.strip())
    return found


@dataclass
class Station:
    """What came to a station; and whether a station before it has another origin."""

    url: URL
    left_origin: bool
    method: str
    fields: dict[bytes, list[bytes]]
    body: bytes

    def values(self) -> bytes:
        return b"\n".join(value for values in self.fields.values() for value in values)


class Route:
    """A way through the servers: `start` is its first URL, and `stations()` what has been received, in its order."""

    def __init__(self, servers: dict[str, BodyServer], places: list[str], status: int) -> None:
        self.servers = servers
        self.urls: list[URL] = []
        self.locations: dict[bytes, bytes] = {}
        for number, place in enumerate(places):
            user, _, rest = place.rpartition("@")
            host, _, _ = rest.partition("/")
            if host:
                at = f"{user}:of-the-redirect@" if user else ""
                name = "127.0.0.1" if host in servers else host
                location = f"http://{at}{name}:{servers.get(host, servers['a']).port}/{number}"
            else:
                location = f"/{number}"
            if number:
                self.locations[b"/%d" % (number - 1)] = location.encode()
            self.urls.append(URL(location, str(self.urls[-1]) if self.urls else None))
        self.start = self.urls[0].href
        self.status = status
        for server in servers.values():
            server.heads.clear()
            server.bodies.clear()
            server.answer = self.answer

    def answer(self, head: bytes) -> bytes:
        location = self.locations.get(head.split(b" ")[1])
        return response() if location is None else redirect(location, self.status)

    def stations(self) -> list[Station]:
        received = {}
        for server in self.servers.values():
            for head, body in zip(server.heads, server.bodies, strict=True):
                method, target, _ = head.split(b"\r\n")[0].split(b" ")
                assert target not in received, "twice at the same station"
                received[int(target[1:])] = (method.decode(), fields(head), body)
        found, left = [], False
        for number, url in enumerate(self.urls):
            left = left or url.origin != self.urls[0].origin
            found.append(Station(url, left, *received[number]))
        assert len(received) == len(self.urls)
        return found


@contextmanager
def two_servers() -> Iterator[dict[str, BodyServer]]:
    def nothing(head: bytes) -> bytes:
        return response()

    with serving(nothing, BodyServer) as a, serving(nothing, BodyServer) as b:
        assert isinstance(a, BodyServer)
        assert isinstance(b, BodyServer)
        yield {"a": a, "b": b}
