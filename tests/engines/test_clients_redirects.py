"""What a request loses at a redirect: with every client, for every way to set it, on every way through two servers."""

from __future__ import annotations

import asyncio
import itertools
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest
import requests
from clients import allow
from support.redirect_routes import (
    ABOUT_A_BODY,
    FOR_ONE_ORIGIN,
    HARMLESS,
    ROUTES,
    STATUSES,
    BodyServer,
    Route,
    two_servers,
)

import weburl.ext.aiohttp
import weburl.ext.httpx
import weburl.ext.requests
from weburl import URL

SSL = ssl.create_default_context()


@dataclass
class Given:
    """What a caller sets: for one request, or for all requests of a client."""

    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    auth: tuple[str, str] | None = None
    for_all: bool = False
    # Adds its headers to each request, as a hook or a middleware of the client does.
    added: dict[str, str] = field(default_factory=dict)

    @property
    def body(self) -> bytes | None:
        return b"the body" if self.method == "POST" else None

    def once(self) -> dict[str, Any]:
        return {} if self.for_all else self.named()

    def always(self) -> dict[str, Any]:
        return self.named() if self.for_all else {}

    def named(self) -> dict[str, Any]:
        named = {"headers": self.headers, "cookies": self.cookies, "auth": self.auth}
        return {name: value for name, value in named.items() if value}


def with_requests(url: str, given: Given, exact: bool = False, fetch: bool = False) -> None:
    def add(request: Any) -> Any:
        request.headers.update(given.added)
        return request

    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        always, once = given.always(), given.once()
        session.headers.update(always.get("headers", {}))
        session.cookies.update(always.get("cookies", {}))
        session.auth = always.get("auth")
        if given.added:
            session.auth = add
        if fetch:
            weburl.ext.requests.fetch(session, url, **once)
        elif exact:
            session.send(weburl.ext.requests.prepare(session, given.method, url, data=given.body, **once))
        else:
            session.request(given.method, url, data=given.body, **once)


def httpx_options(given: Given, asynchronous: bool) -> dict[str, Any]:
    def add(request: httpx.Request) -> None:
        request.headers.update(given.added)

    async def add_soon(request: httpx.Request) -> None:
        add(request)

    return {"event_hooks": {"request": [add_soon if asynchronous else add]}, "follow_redirects": True, **given.always()}


def with_httpx(url: str, given: Given, exact: bool = False, fetch: bool = False) -> None:
    transport = weburl.ext.httpx.Transport(is_refused=allow, ssl_context=SSL)
    with httpx.Client(transport=transport, **httpx_options(given, False)) as client:
        if fetch:
            weburl.ext.httpx.fetch(client, url, **given.once())
        elif exact:
            once = given.once()
            auth = once.pop("auth", httpx.USE_CLIENT_DEFAULT)
            request = weburl.ext.httpx.build_request(client, given.method, url, content=given.body, **once)
            client.send(request, auth=auth)
        else:
            client.request(given.method, url, content=given.body, **given.once())


def with_httpx_async(url: str, given: Given, exact: bool = False, fetch: bool = False) -> None:
    async def run() -> None:
        transport = weburl.ext.httpx.AsyncTransport(is_refused=allow, ssl_context=SSL)
        async with httpx.AsyncClient(transport=transport, **httpx_options(given, True)) as client:
            if fetch:
                await weburl.ext.httpx.fetch_async(client, url, **given.once())
            elif exact:
                once = given.once()
                auth = once.pop("auth", httpx.USE_CLIENT_DEFAULT)
                request = weburl.ext.httpx.build_request(client, given.method, url, content=given.body, **once)
                await client.send(request, auth=auth)
            else:
                await client.request(given.method, url, content=given.body, **given.once())

    asyncio.run(run())


def with_aiohttp(url: str, given: Given, exact: bool = False, fetch: bool = False) -> None:
    async def add(request: Any, handler: Any) -> Any:
        request.headers.update(given.added)
        return await handler(request)

    def authorized(options: dict[str, Any]) -> dict[str, Any]:
        if "auth" in options:
            options["auth"] = aiohttp.BasicAuth(*options["auth"])
        return options

    async def run() -> None:
        connector = weburl.ext.aiohttp.Connector(is_refused=allow)
        always = authorized(given.always())
        async with aiohttp.ClientSession(connector=connector, middlewares=(add,), **always) as session:
            once = authorized(given.once())
            if fetch:
                await weburl.ext.aiohttp.fetch(session, url, **once)
                return
            target: Any = weburl.ext.aiohttp.yarl_url(url) if exact else url
            async with session.request(given.method, target, data=given.body, **once) as response:
                await response.read()

    asyncio.run(run())


LIBRARIES = {
    "requests": with_requests,
    "httpx": with_httpx,
    "httpx-async": with_httpx_async,
    "aiohttp": with_aiohttp,
}
WAYS: dict[str, dict[str, bool]] = {"": {}, "exact": {"exact": True}, "fetch": {"fetch": True}}
# aiohttp 3.14 says that auth= will go away.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*'?auth.*:DeprecationWarning"),
    pytest.mark.parametrize("way", WAYS),
    pytest.mark.parametrize("library", LIBRARIES),
]


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, BodyServer]]:
    with two_servers() as servers:
        yield servers


def routes(servers: dict[str, BodyServer], way: str) -> Iterator[tuple[Route, str, str]]:
    """Every route, with every status and method. fetch() has one method."""
    methods = ("GET",) if way == "fetch" else ("GET", "POST")
    for (name, places), status, method in itertools.product(ROUTES.items(), STATUSES, methods):
        yield Route(servers, places, status), name, method


def send(library: str, way: str, url: str, given: Given) -> None:
    LIBRARIES[library](url, given, **WAYS[way])


# What a library drops by itself at each redirect, although the origin is the same.
DROPPED_EVERYWHERE: dict[tuple[str, str], set[str]] = {
    ("requests", ""): {"Proxy-Authorization"},
    ("requests", "exact"): {"Proxy-Authorization"},
}


@pytest.mark.parametrize("for_all", [False, True], ids=["request", "client"])
def test_headers(library: str, way: str, for_all: bool, servers: dict[str, BodyServer]) -> None:
    names = (*FOR_ONE_ORIGIN, *HARMLESS)
    headers = {name: f"value-{name}." for name in names}
    seen = 0
    for route, _, method in routes(servers, way):
        send(library, way, route.start, Given(method, headers=headers, for_all=for_all))
        for number, station in enumerate(route.stations()):
            found = {name for name in names if f"value-{name}.".encode() in station.values()}
            expected = set(HARMLESS) if station.left_origin else set(names)
            if number and not station.left_origin:
                expected -= DROPPED_EVERYWHERE.get((library, way), set())
            assert found == expected, (route.start, station)
            assert station.fields[b"host"] == [station.url.host.encode()]
            seen += station.left_origin
    assert seen >= 40


def test_host(library: str, way: str, servers: dict[str, BodyServer]) -> None:
    """One that the caller has set goes with its origin: `prepare`, `build_request` and `fetch` set it themselves."""
    for route, _, method in routes(servers, way):
        send(library, way, route.start, Given(method, headers={"Host": "virtual.example"}))
        for station in route.stations():
            by_caller = not station.left_origin and (way == "" or (library, way) == ("aiohttp", "exact"))
            host = b"virtual.example" if by_caller else station.url.host.encode()
            assert station.fields[b"host"] == [host]


@pytest.mark.parametrize("for_all", [False, True], ids=["request", "client"])
def test_cookie_headers(library: str, way: str, for_all: bool, servers: dict[str, BodyServer]) -> None:
    for route, _, method in routes(servers, way):
        send(library, way, route.start, Given(method, headers={"cookie": "by=hand-secret"}, for_all=for_all))
        stations = route.stations()
        assert b"hand-secret" in stations[0].values()
        for station in stations[1:]:
            # requests and httpx drop it at each redirect that they follow.
            kept = not station.left_origin and (way == "fetch" or library == "aiohttp")
            assert (b"hand-secret" in station.values()) == kept


@pytest.mark.parametrize("for_all", [False, True], ids=["request", "client"])
def test_cookies(library: str, way: str, for_all: bool, servers: dict[str, BodyServer]) -> None:
    """Those without a domain. Those with one are in test_clients_misuse.py."""
    if not for_all and (way == "fetch" or library.startswith("httpx")):
        # They have no such option, or httpx warns of it.
        return
    for route, _, method in routes(servers, way):
        send(library, way, route.start, Given(method, cookies={"for": "one-secret"}, for_all=for_all))
        stations = route.stations()
        assert b"one-secret" in stations[0].values()
        for station in stations:
            if (library, way) in (("httpx", ""), ("httpx-async", "")):
                # A transport does not know its client: cookies of any kind stay at their host, whatever the port is.
                kept = station.url.hostname == stations[0].url.hostname
            else:
                kept = not station.left_origin
            assert (b"one-secret" in station.values()) == kept


@pytest.mark.parametrize("for_all", [False, True], ids=["request", "client"])
def test_authentication(library: str, way: str, for_all: bool, servers: dict[str, BodyServer]) -> None:
    if way == "fetch" and not for_all:
        # It has no such option.
        return
    for route, _, method in routes(servers, way):
        send(library, way, route.start, Given(method, auth=("user", "secret"), for_all=for_all))
        for station in route.stations():
            assert (b"authorization" in station.fields) == (not station.left_origin)


def test_credentials_of_the_url(library: str, way: str, servers: dict[str, BodyServer]) -> None:
    """Nor are those that a redirect to another origin has in its URL: who redirects does not say who the caller is."""
    for route, name, method in routes(servers, way):
        start = route.start.replace("//", "//user:secret@")
        send(library, way, start, Given(method))
        stations = route.stations()
        assert b"authorization" in stations[0].fields
        for station in stations[1:]:
            if station.left_origin:
                assert b"authorization" not in station.fields
                assert b"of-the-redirect" not in station.values()
            elif name == "same" and station is stations[1]:
                # A path alone is at the same URL.
                assert b"authorization" in station.fields


def test_what_hooks_add(library: str, way: str, servers: dict[str, BodyServer]) -> None:
    """Event hooks of httpx, middlewares of aiohttp and the `auth` of requests."""
    added = {"Authorization": "added-secret", "X-Api-Key": "added-secret"}
    for route, _, method in routes(servers, way):
        send(library, way, route.start, Given(method, added=added))
        for station in route.stations():
            count = station.values().count(b"added-secret")
            assert count == (0 if station.left_origin else 2)


@pytest.mark.parametrize("for_all", [False, True], ids=["request", "client"])
def test_headers_about_a_body(library: str, way: str, for_all: bool, servers: dict[str, BodyServer]) -> None:
    if way == "fetch":
        # It sends no body.
        return
    headers = {name: f"value-{name}." for name in ABOUT_A_BODY}
    for places, status in itertools.product(ROUTES.values(), STATUSES):
        route = Route(servers, places, status)
        send(library, way, route.start, Given("POST", headers=headers, for_all=for_all))
        for number, station in enumerate(route.stations()):
            if number and status < 307:
                assert (station.method, station.body) == ("GET", b"")
                names = set(station.fields)
                assert not {name for name in names if name.startswith(b"content-") and name != b"content-length"}
                assert not names & {b"digest", b"transfer-encoding"}
                assert station.fields.get(b"content-length", [b"0"]) == [b"0"]
            else:
                assert (station.method, station.body) == ("POST", b"the body")
                assert all(value.encode() in station.values() for value in headers.values())


def test_netrc(
    library: str, way: str, servers: dict[str, BodyServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a password for the other host: who redirects does not log the caller in there."""
    if way == "exact":
        # It is looked up in the same way.
        return
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login u password secret\nmachine localhost login u password other\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for route, _, _ in routes(servers, "fetch"):
        by_netrc(library, way, route.start, str(netrc))
        for station in route.stations():
            assert (b"authorization" in station.fields) == (not station.left_origin), station


def by_netrc(library: str, way: str, url: str, netrc: str) -> None:
    async def run() -> None:
        if library == "aiohttp":
            connector = weburl.ext.aiohttp.Connector(is_refused=allow)
            async with aiohttp.ClientSession(connector=connector, trust_env=True) as session:
                if way == "fetch":
                    await weburl.ext.aiohttp.fetch(session, url)
                else:
                    await (await session.get(url)).read()
            return
        transport = weburl.ext.httpx.AsyncTransport(is_refused=allow, ssl_context=SSL)
        auth = httpx.NetRCAuth(netrc)
        async with httpx.AsyncClient(transport=transport, auth=auth, follow_redirects=True) as client:
            await (weburl.ext.httpx.fetch_async(client, url) if way == "fetch" else client.get(url))

    if library == "requests":
        with requests.Session() as session:
            session.mount("http://", weburl.ext.requests.Adapter(is_refused=allow))
            if way == "fetch":
                weburl.ext.requests.fetch(session, url)
            else:
                session.get(url)
    elif library == "httpx":
        transport = weburl.ext.httpx.Transport(is_refused=allow, ssl_context=SSL)
        with httpx.Client(transport=transport, auth=httpx.NetRCAuth(netrc), follow_redirects=True) as client:
            if way == "fetch":
                weburl.ext.httpx.fetch(client, url)
            else:
                client.get(url)
    else:
        asyncio.run(run())


def test_the_request_of_the_caller_is_not_changed(library: str, way: str, servers: dict[str, BodyServer]) -> None:
    """It can be sent again: to the same URL, with everything."""
    if way != "exact" or library not in ("requests", "httpx"):
        # These make a request from what they get.
        return
    headers = {name: f"value-{name}." for name in FOR_ONE_ORIGIN}
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        transport = weburl.ext.httpx.Transport(is_refused=allow, ssl_context=SSL)
        with httpx.Client(transport=transport, follow_redirects=True) as client:
            if library == "requests":
                prepared = weburl.ext.requests.prepare(session, "GET", "http://h/", headers=headers)
                requested: Callable[[], Any] = lambda: session.send(prepared)  # noqa: E731
            else:
                prepared = weburl.ext.httpx.build_request(client, "GET", "http://h/", headers=headers)
                requested = lambda: client.send(prepared)  # noqa: E731
            for _ in range(2):
                route = Route(servers, ROUTES["there and back"], 302)
                url = URL(route.start)
                if library == "requests":
                    prepared.url, prepared.headers["Host"] = url.href, url.host
                else:
                    prepared.url, prepared.headers["Host"] = httpx.URL(url.href), url.host
                requested()
                first, *others = route.stations()
                assert all(value.encode() in first.values() for value in headers.values())
                assert not any(value.encode() in other.values() for value in headers.values() for other in others)
