"""requests with a browser's URLs, and without requests to private addresses.

>>> import requests
>>> from weburl.ext.requests import fetch, mount
>>> with requests.Session() as session:
...     mount(session)
...     fetch(session, "http://127.0.0.1/")
Traceback (most recent call last):
weburl.ext.requests.NotFetched: not fetched: '127.0.0.1' is private
"""

from __future__ import annotations

import io
import socket
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from copy import copy
from functools import partial
from typing import Any

try:
    import requests
    import urllib3
    from requests.adapters import HTTPAdapter
    from requests.cookies import RequestsCookieJar, extract_cookies_to_jar
    from requests.structures import CaseInsensitiveDict
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
except ModuleNotFoundError as _error:
    raise ImportError("this needs requests: pip install requests weburl") from _error

from weburl.crawl import redirect_target
from weburl.errors import InvalidURL
from weburl.ext._http.addresses import IsRefused, find_addresses
from weburl.ext._http.fetching import (
    REDIRECT_LIMIT,
    SIZE_LIMIT,
    TIME_LIMIT,
    Body,
    Redirects,
    check_scheme,
    checked_limits,
    deadline,
    errors_of_client,
    for_hosts,
    raw_headers,
    seconds_left,
    target_of,
    within,
)
from weburl.ext._http.redirecting import Redirected, is_dropped
from weburl.ext.http import Fetched
from weburl.ext.http import NotFetched as NotFetchedByAny
from weburl.hosts import is_private_host
from weburl.url import URL, FrozenURL

__all__ = ["Adapter", "Fetched", "NotFetched", "fetch", "mount", "prepare"]


def __dir__() -> list[str]:
    return __all__


class NotFetched(requests.RequestException, NotFetchedByAny):  # type: ignore[misc]
    """`weburl.ext.http.NotFetched`, and a `requests.RequestException`.

    >>> import requests
    >>> issubclass(NotFetched, requests.RequestException)
    True
    """


class TimedOut(requests.Timeout, TimeoutError):  # type: ignore[misc]
    """What `fetch` raises after its time limit."""


own_errors: Callable[[], AbstractContextManager[None]] = partial(errors_of_client, NotFetched, TimedOut)


class CheckedSocket:
    """A connected socket whose operations end with the fetch that runs."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sock, name)

    def limit_time(self) -> None:
        self.sock.settimeout(seconds_left(self.sock.gettimeout()))

    def sendall(self, data: bytes) -> None:
        self.limit_time()
        self.sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(CheckedReader(self))


class CheckedReader(io.RawIOBase):
    def __init__(self, sock: CheckedSocket) -> None:
        self.sock = sock
        self.raw: socket.SocketIO = sock.sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self.sock.limit_time()
        return self.raw.readinto(buffer)

    def close(self) -> None:
        self.raw.close()
        super().close()


class Target(dict[str, str]):
    """The headers of a request, and its exact target. urllib3 escapes the target, and passes on the headers."""

    target: str

    def copy(self) -> Target:
        copied = Target(self)
        copied.target = self.target
        return copied


class _SentHeaders(CaseInsensitiveDict):  # type: ignore[misc]
    """The headers of a request that was sent. requests copies the request, for one that follows a redirect."""

    def __init__(self, headers: Any, before: Redirected, has_body: bool) -> None:
        super().__init__(headers)
        self.before = before
        self.has_body = has_body

    def copy(self) -> _CopiedHeaders:
        return _CopiedHeaders(self.items(), self.before, self.has_body)


class _CopiedHeaders(_SentHeaders):
    """The headers of a request that was copied, before any is dropped."""


class Checked:
    """What both kinds of connections have: they connect to checked addresses, and send the exact target."""

    is_refused: IsRefused

    def _new_conn(self) -> socket.socket:
        connection: Any = self
        return connect(connection, self.is_refused)

    def connect(self) -> None:
        super().connect()  # type: ignore[misc]
        connection: Any = self
        connection.sock = CheckedSocket(connection.sock)

    def request(self, method: str, url: str, body: Any = None, headers: Any = None, **options: Any) -> None:
        if isinstance(headers, Target):
            url = headers.target
        super().request(method, url, body=body, headers=headers, **options)  # type: ignore[misc]

    def getresponse(self) -> Any:
        response = super().getresponse()  # type: ignore[misc]
        if deadline.get() is not None:
            # urllib3 would read all of a body before it tries again.
            response.drain_conn = response.close
        return response


def connect(connection: Any, is_refused: IsRefused) -> socket.socket:
    """A socket that is connected to a checked address, with the exceptions of urllib3."""
    timeout = connection.timeout if isinstance(connection.timeout, (int, float)) else None
    try:
        addresses = find_addresses(connection._dns_host, connection.port, is_refused, seconds_left(timeout))
    except socket.gaierror as error:
        raise urllib3.exceptions.NameResolutionError(connection.host, connection, error) from error
    except TimeoutError as error:
        raise urllib3.exceptions.ConnectTimeoutError(connection, str(error)) from error
    failure = OSError("no address")
    for address in addresses:
        try:
            sock = socket.create_connection(
                (address, connection.port), seconds_left(timeout), source_address=connection.source_address
            )
        except OSError as error:
            failure = error
            continue
        for option in connection.socket_options or ():
            sock.setsockopt(*option)
        # TLS begins with this one.
        sock.settimeout(seconds_left(timeout))
        return sock
    if isinstance(failure, TimeoutError):
        raise urllib3.exceptions.ConnectTimeoutError(connection, str(failure)) from failure
    raise urllib3.exceptions.NewConnectionError(connection, str(failure)) from failure


class Adapter(HTTPAdapter):  # type: ignore[misc]
    """Adapter(*, is_refused=is_private_host, **options)

    An adapter for `session.mount` that connects only to public addresses, and sends `request.url` as it is.

    >>> import requests
    >>> with requests.Session() as session:
    ...     session.mount("https://", Adapter())
    ...     try:
    ...         session.get("https://10.0.0.1/")
    ...     except NotFetched as error:
    ...         print(error)
    not fetched: '10.0.0.1' is private

    A name is looked up once. If one of its addresses is private, or the port is one that browsers block, NotFetched
    is raised; otherwise the connection goes to one of the addresses that were checked. Redirects that requests
    follows are checked, too; those to another origin lose the headers that were for the first one. A proxy is
    refused. `is_refused` is called with the name, then with each address as an object of the module ipaddress.
    `options` are those of `requests.adapters.HTTPAdapter`.
    """

    # For pickles.
    __attrs__: Any = (*HTTPAdapter.__attrs__, "is_refused")

    def __init__(self, *, is_refused: IsRefused = is_private_host, **options: Any) -> None:
        self.is_refused = is_refused
        super().__init__(**options)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        # Classes, as urllib3 makes connections itself.
        rule = {"is_refused": staticmethod(self.is_refused)}
        plain = type("CheckedHTTPConnection", (Checked, HTTPConnection), rule)
        secure = type("CheckedHTTPSConnection", (Checked, HTTPSConnection), rule)
        self.poolmanager.pool_classes_by_scheme = {
            "http": type("CheckedHTTPConnectionPool", (ExactPool, HTTPConnectionPool), {"ConnectionCls": plain}),
            "https": type("CheckedHTTPSConnectionPool", (ExactPool, HTTPSConnectionPool), {"ConnectionCls": secure}),
        }

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        raise NotFetched("not fetched: the addresses that a proxy connects to cannot be checked")

    def request_url(self, request: requests.PreparedRequest, proxies: Any) -> str:
        return target_of(URL(request.url))

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> requests.Response:
        with own_errors():
            url = URL(request.url)
            left_origin = follow(request, url)
            before = Redirected(url, request.method or "", left_origin)
            request.headers = _SentHeaders(request.headers, before, request.body is not None)
            # A certificate of the client shows who it is.
            return super().send(request, stream, timeout, verify, None if left_origin else cert, proxies)

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        response = super().build_response(req, resp)
        location = resp.headers.get("Location")
        if location is not None:
            # requests decodes it as UTF-8, or raises. A redirect that does not parse is left to it.
            with suppress(InvalidURL):
                response.headers["Location"] = redirect_target(location.encode("latin-1"), req.url).href
        return response


def follow(request: requests.PreparedRequest, url: URL) -> bool:
    """Drops what a request must not have that follows a redirect. Whether it has left its first origin."""
    if not isinstance(request.headers, _CopiedHeaders):
        return False
    before = request.headers.before
    left_origin = before.leads_away(url)
    left_body = request.method != before.method or (request.headers.has_body and request.body is None)
    drop_headers(request, left_origin=left_origin, left_body=left_body)
    if left_origin:
        request.headers["Host"] = url.host
        request.prepare_cookies(for_hosts(request._cookies or (), RequestsCookieJar()))
    return left_origin


def drop_headers(request: requests.PreparedRequest, *, left_origin: bool, left_body: bool) -> None:
    for name in [*request.headers]:
        if is_dropped(name, left_origin=left_origin, left_body=left_body):
            del request.headers[name]


class ExactPool:
    def urlopen(
        self,
        method: str,
        url: str,
        body: Any = None,
        headers: Any = None,
        retries: Any = None,
        *rest: Any,
        **options: Any,
    ) -> Any:
        # urllib3 calls it again, with its own spelling of the target, to try once more.
        if not isinstance(headers, Target):
            headers = Target(headers or {})
            headers.target = url
        if deadline.get() is not None:
            retries = limited(retries)
            options["pool_timeout"] = seconds_left(options.get("pool_timeout"))
        return super().urlopen(method, url, body, headers, retries, *rest, **options)  # type: ignore[misc]


class LimitedRetry:
    """What a Retry is during a fetch: it does not wait for longer than that may take."""

    def sleep(self, response: Any = None) -> None:
        retry: Any = self
        retry.backoff_max = seconds_left(retry.backoff_max)
        super().sleep(response)  # type: ignore[misc]

    def get_retry_after(self, response: Any) -> float | None:
        seconds = super().get_retry_after(response)  # type: ignore[misc]
        return None if seconds is None else seconds_left(seconds)


def limited(retries: Any) -> Any:
    # As urllib3 does with a number.
    retries = urllib3.Retry.from_int(retries, redirect=False)
    if not isinstance(retries, LimitedRetry):
        retries = copy(retries)
        retries.__class__ = type("LimitedRetry", (LimitedRetry, type(retries)), {})
    return retries


def mount(session: requests.Session, *, is_refused: IsRefused = is_private_host) -> None:
    """Makes a session use an `Adapter` for all URLs, and no proxies or passwords of the environment.

    >>> import requests
    >>> with requests.Session() as session:
    ...     mount(session)
    ...     try:
    ...         session.get("http://127.0.0.1:8000/admin")
    ...     except NotFetched as error:
    ...         print(error)
    not fetched: '127.0.0.1' is private
    """
    session.trust_env = False
    # An adapter for a longer prefix would be used in its place.
    session.adapters.clear()
    for prefix in ("http://", "https://"):
        session.mount(prefix, Adapter(is_refused=is_refused))


def prepare(
    session: requests.Session, method: str, url: str | URL | FrozenURL, **options: Any
) -> requests.PreparedRequest:
    """Prepares a request of a session that an `Adapter` sends with exactly this URL.

    >>> import requests
    >>> with requests.Session() as session:
    ...     prepare(session, "GET", "https://example.com/?sig=a%2fb|").url
    'https://example.com/?sig=a%2fb|'

    `options` are those of `requests.Request`, but for `params`, which would change the URL.
    """
    if "params" in options:
        raise TypeError("params would change the URL: add them to it, with url.with_params()")
    with own_errors():
        exact = URL(url)
        check_scheme(exact)
    href = exact.serialize(exclude_fragment=True)
    request = session.prepare_request(requests.Request(method, href, **options))
    request.url = href
    request.headers["Host"] = exact.host
    return request


def fetch(
    session: requests.Session,
    url: str | URL | FrozenURL,
    *,
    headers: Mapping[str, str] | None = None,
    size_limit: int = SIZE_LIMIT,
    redirect_limit: int = REDIRECT_LIMIT,
    time_limit: float = TIME_LIMIT,
) -> Fetched:
    """Gets a URL with a session that `mount` has prepared: exactly this URL, and redirects as in a browser.

    >>> import requests
    >>> with requests.Session() as session:
    ...     mount(session)
    ...     try:
    ...         fetch(session, "http://169.254.169.254/latest/meta-data/")
    ...     except NotFetched as error:
    ...         print(error)
    not fetched: '169.254.169.254' is private

    At most `size_limit` bytes of the decoded body are read. After a redirect to another origin, credentials among the
    `headers`, and those of the session, are not sent. NotFetched is raised for what is not a URL, or not one with
    http: or https:, also in a redirect; for a private address, a port that browsers block, more than `redirect_limit`
    redirects, and a body in a coding that was not asked for. TimeoutError is raised after `time_limit` seconds. These
    errors, too, are a `requests.RequestException`. The session's hooks are not called.
    """
    time_limit = checked_limits(size_limit, redirect_limit, time_limit)
    with own_errors(), within(time_limit):
        redirects = Redirects(url, headers, redirect_limit)
        while True:
            request = next_request(session, redirects)
            # Not by the session, which reads all of the body that a redirect has.
            adapter = session.get_adapter(redirects.url.href)
            certificate = None if redirects.left_origin else session.cert
            response = adapter.send(
                request,
                stream=True,
                timeout=time_limit,
                verify=session.verify,
                cert=certificate,
                proxies=session.proxies,
            )
            try:
                extract_cookies_to_jar(session.cookies, request, response.raw)
                response_headers = raw_headers(response.raw.headers.items())
                if redirects.follow(response.status_code, response_headers):
                    continue
                body = Body(response_headers, size_limit, redirects.url)
                while piece := read(response, request):
                    if body.add(piece):
                        break
                return redirects.end(response.status_code, response_headers, body)
            finally:
                response.close()


def next_request(session: requests.Session, redirects: Redirects) -> requests.PreparedRequest:
    if not isinstance(session.get_adapter(redirects.url.href), Adapter):
        raise TypeError("fetch() needs a session with the adapter of weburl.ext.requests: mount(session)")
    headers = redirects.headers()
    if not redirects.left_origin:
        return prepare(session, "GET", redirects.url, headers=headers)
    # The session's own authentication would be asked for this request, too.
    request = prepare(session, "GET", redirects.url, headers=headers, auth=unauthenticated)
    drop_headers(request, left_origin=True, left_body=False)
    request.headers["Host"] = redirects.url.host
    request.prepare_cookies(for_hosts(session.cookies, RequestsCookieJar()))
    return request


def unauthenticated(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def read(response: requests.Response, request: requests.PreparedRequest) -> bytes:
    try:
        data: bytes = response.raw.read(1 << 16, decode_content=False)
    except urllib3.exceptions.ReadTimeoutError as error:
        raise requests.ReadTimeout(error, request=request) from error
    except urllib3.exceptions.HTTPError as error:
        raise requests.ConnectionError(error, request=request) from error
    return data
