"""One way to call each client of HTTP that weburl.ext has."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import aiohttp
import httpx
import requests

import weburl.ext.aiohttp
import weburl.ext.httpx
import weburl.ext.requests
from weburl import URL

Host = str | IPv4Address | IPv6Address
Fetcher = Callable[..., list[Any]]


def allow(host: Host) -> bool:
    """Nothing is refused: the tests' servers are on loopback."""
    return False


def with_httpx(urls: Iterable[str | URL], is_refused: Any = allow, authority: str = "", **options: Any) -> list[Any]:
    context = ssl.create_default_context(cafile=authority) if authority else None
    transport = weburl.ext.httpx.Transport(is_refused=is_refused, ssl_context=context)
    with httpx.Client(transport=transport) as client:
        return [weburl.ext.httpx.fetch(client, url, **options) for url in urls]


def with_httpx_async(
    urls: Iterable[str | URL], is_refused: Any = allow, authority: str = "", **options: Any
) -> list[Any]:
    context = ssl.create_default_context(cafile=authority) if authority else None

    async def run() -> list[Any]:
        transport = weburl.ext.httpx.AsyncTransport(is_refused=is_refused, ssl_context=context)
        async with httpx.AsyncClient(transport=transport) as client:
            return [await weburl.ext.httpx.fetch_async(client, url, **options) for url in urls]

    return asyncio.run(run())


def with_aiohttp(urls: Iterable[str | URL], is_refused: Any = allow, authority: str = "", **options: Any) -> list[Any]:
    async def run() -> list[Any]:
        context: Any = ssl.create_default_context(cafile=authority) if authority else True
        connector = weburl.ext.aiohttp.Connector(is_refused=is_refused, ssl=context)
        async with aiohttp.ClientSession(connector=connector) as session:
            return [await weburl.ext.aiohttp.fetch(session, url, **options) for url in urls]

    return asyncio.run(run())


def with_requests(urls: Iterable[str | URL], is_refused: Any = allow, authority: str = "", **options: Any) -> list[Any]:
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=is_refused)
        if authority:
            session.verify = authority
        return [weburl.ext.requests.fetch(session, url, **options) for url in urls]


CLIENTS: dict[str, Fetcher] = {
    "httpx": with_httpx,
    "httpx-async": with_httpx_async,
    "aiohttp": with_aiohttp,
    "requests": with_requests,
}
