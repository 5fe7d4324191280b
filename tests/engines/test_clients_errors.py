"""What the clients of weburl.ext raise is also an error of the client itself."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import aiohttp
import httpx
import pytest
import requests
import urllib3
from clients import CLIENTS, Fetcher, allow
from support.raw_server import redirect, response, serving

import weburl.ext.aiohttp
import weburl.ext.httpx
import weburl.ext.requests
from weburl import InvalidURL
from weburl.ext.http import NotFetched
from weburl.hosts import is_private_host

# What programs catch, and what is more exact after a time limit.
OWN: dict[str, tuple[type[Exception], type[Exception]]] = {
    "httpx": (httpx.RequestError, httpx.TimeoutException),
    "httpx-async": (httpx.RequestError, httpx.TimeoutException),
    "aiohttp": (aiohttp.ClientError, TimeoutError),
    "requests": (requests.RequestException, requests.Timeout),
}
each_client = pytest.mark.parametrize("client", CLIENTS)

REFUSED = {
    "http://10.0.0.7/": "'10.0.0.7' is private",
    "http://localhost/": "'localhost' is private",
    "ftp://h/": "ftp: is not a scheme for the web",
    "http://h:22/": "port 22 is one that browsers block",
    "http://a b/": "domain-to-ASCII",
    "no URL": "missing-scheme-non-relative-URL",
}


def raised(call: Callable[[], object]) -> BaseException:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def check(error: BaseException, client: str) -> None:
    assert isinstance(error, NotFetched)
    assert isinstance(error, OWN[client][0])
    assert isinstance(error, ValueError)
    assert str(error).startswith("not fetched: ")
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied)) == (type(error), str(error))


@each_client
@pytest.mark.parametrize("url", REFUSED)
def test_what_is_refused(client: str, url: str) -> None:
    error = raised(lambda: CLIENTS[client]([url], is_private_host))
    check(error, client)
    assert REFUSED[url] in str(error)
    assert isinstance(error.__cause__, InvalidURL) == (" " in url)


@each_client
@pytest.mark.parametrize(
    "url", ["http://me:hunter2@a b/", "http://me:hunter2@10.0.0.7/", "x://me:hunter2@h", "http://me:hunter2@h:99999/"]
)
def test_passwords_are_not_shown(client: str, url: str) -> None:
    error = raised(lambda: CLIENTS[client]([url], is_private_host))
    check(error, client)
    assert "hunter2" not in f"{error}{error!r}{error.__cause__!r}{error.__context__!r}"


@each_client
@pytest.mark.parametrize("location", [b"http://a b/", b"ftp://h/", b"/", b"http://h:22/", b""])
def test_redirects(client: str, location: bytes) -> None:
    with serving(lambda _: redirect(location)) as server:
        check(raised(lambda: CLIENTS[client]([f"{server.origin}/"])), client)


@each_client
@pytest.mark.parametrize("coding", [b"br", b"gzip"])
def test_bodies(client: str, coding: bytes) -> None:
    with serving(lambda _: response(headers=b"Content-Encoding: %s\r\n" % coding)) as server:
        check(raised(lambda: CLIENTS[client]([f"{server.origin}/"])), client)


@each_client
def test_time(client: str) -> None:
    def slow(_: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        time.sleep(1)

    with serving(slow) as server:
        error = raised(lambda: CLIENTS[client]([f"{server.origin}/"], time_limit=0.2))
    assert isinstance(error, TimeoutError)
    assert isinstance(error, OWN[client][0])
    assert isinstance(error, OWN[client][1])
    assert not isinstance(error, NotFetched)
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied)) == (type(error), str(error))


@each_client
def test_what_the_client_raises_is_left(client: str) -> None:
    with serving(lambda _: b"not HTTP\r\n\r\n") as server:
        error = raised(lambda: CLIENTS[client]([f"{server.origin}/"]))
    assert isinstance(error, OWN[client][0])
    assert not isinstance(error, (NotFetched, TimeoutError))
    assert not type(error).__module__.startswith("weburl")


def by_httpx(url: str, redirected: bool) -> object:
    with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=ALLOWED[redirected])) as client:
        return client.get(url, follow_redirects=True)


def by_httpx_async(url: str, redirected: bool) -> object:
    async def run() -> object:
        transport = weburl.ext.httpx.AsyncTransport(is_refused=ALLOWED[redirected])
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(url, follow_redirects=True)

    return asyncio.run(run())


def by_aiohttp(url: str, redirected: bool) -> object:
    async def run() -> object:
        connector = weburl.ext.aiohttp.Connector(is_refused=ALLOWED[redirected])
        async with aiohttp.ClientSession(connector=connector) as session, session.get(url) as response:
            return response

    return asyncio.run(run())


def by_requests(url: str, redirected: bool) -> object:
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=ALLOWED[redirected])
        # Nothing is tried again that was refused.
        retries = urllib3.Retry(3, backoff_factor=100)
        session.get_adapter(url).max_retries = retries
        return session.get(url)


# All, or the address of the tests' server and nothing else.
ALLOWED = {False: is_private_host, True: lambda host: str(host) != "127.0.0.1" and is_private_host(host)}
GET = {"httpx": by_httpx, "httpx-async": by_httpx_async, "aiohttp": by_aiohttp, "requests": by_requests}


@each_client
def test_requests_of_the_client_itself(client: str) -> None:
    check(raised(lambda: GET[client]("http://127.0.0.1/", False)), client)
    with serving(lambda _: redirect(b"http://10.0.0.7/")) as server:
        check(raised(lambda: GET[client](f"{server.origin}/", True)), client)


def test_a_request_is_in_the_errors_of_httpx() -> None:
    error = raised(lambda: by_httpx("http://127.0.0.1/a", False))
    assert isinstance(error, httpx.RequestError)
    assert str(error.request.url) == "http://127.0.0.1/a"


def test_requests_for_one_url() -> None:
    for url in ("ftp://h/", "http://a b/"):
        with requests.Session() as session:
            check(raised(partial(weburl.ext.requests.prepare, session, "GET", url)), "requests")
        with httpx.Client() as client:
            check(raised(partial(weburl.ext.httpx.build_request, client, "GET", url)), "httpx")
        check(raised(partial(weburl.ext.aiohttp.yarl_url, url)), "aiohttp")


@each_client
def test_wrong_arguments_are_not_errors_of_the_client(client: str) -> None:
    fetch: Fetcher = CLIENTS[client]
    assert type(raised(lambda: fetch([5]))) is TypeError
    assert type(raised(lambda: fetch(["http://a/"], size_limit=-1))) is ValueError


def test_the_session_of_requests_get_is_not_ours() -> None:
    """docs/engines/http.md says so in its first line."""
    with serving(lambda _: response(body=b"internal")) as server, requests.Session() as session:
        weburl.ext.requests.mount(session)
        with pytest.raises(NotFetched):
            session.get(f"{server.origin}/")
        assert requests.get(f"{server.origin}/", timeout=9).content == b"internal"
        assert httpx.get(f"{server.origin}/").content == b"internal"
    assert allow("127.0.0.1") is False


PROGRAM = """
import sys
import weburl, weburl.ext.http, weburl.ext._http.fetching
assert not {"requests", "urllib3", "httpx", "httpx2", "httpcore", "aiohttp", "yarl"} & set(sys.modules)
import weburl.ext.requests
assert not {"httpx", "httpx2", "httpcore", "aiohttp", "yarl"} & set(sys.modules)
"""


def test_clients_are_imported_by_their_own_adapter_only() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
