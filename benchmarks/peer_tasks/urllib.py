import json
import pickle
import re
from argparse import ArgumentError, ArgumentParser
from base64 import b64encode
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import SplitResult, parse_qs, parse_qsl, quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

import polars as pl
import yarl
from publicsuffixlist import PublicSuffixList
from pydantic import BaseModel, field_validator
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

DISTRIBUTION = None
REFUSES = ()
CANNOT = {
    "msgspec_field": "there is no type for a URL that msgspec can decode to",
    "display_url": "there is nothing for people",
}


def validate_input(typed: str) -> str:
    url = urlsplit(typed.strip())
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(f"not a web address: {typed}")
    if url.port is not None and url.port > 65535:
        raise ValueError(f"not a port: {url.port}")
    return url.geturl()


def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(urlsplit(link).geturl() for link in links)
    return sorted(visits.items())


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: SplitResult) -> None:
        fetched.append(url.geturl())

    for link in links:
        fetch(urlsplit(link))
    return fetched


@dataclass(frozen=True)
class Bookmark:
    url: SplitResult
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(urlsplit(link), title) for link, title in rows}
    return sorted((bookmark.url.geturl(), bookmark.title) for bookmark in bookmarks)


class Settings(BaseModel):
    callback: str

    @field_validator("callback")
    @classmethod
    def check(cls, text: str) -> str:
        url = urlsplit(text)
        host = url.hostname or ""
        if url.scheme != "https" or not (host == "example.com" or host.endswith(".example.com")):
            raise ValueError("not an https URL on example.com")
        if url.username or url.password:
            raise ValueError("the URL has a password")
        return url.geturl()


def pydantic_field(text: str) -> str:
    return Settings.model_validate({"callback": text}).callback


class Base(DeclarativeBase):
    pass


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[str]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=urlsplit(link).geturl()) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == urlsplit(wanted).geturl()))
        return [visit.url for visit in found]


def argparse_type(arguments: list[str]) -> str:
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("url", type=urlsplit)
    try:
        return parser.parse_args(arguments).url.geturl()
    except ArgumentError as error:
        return f"error: {error.message}"


def read_params(link: str) -> tuple[str, list[str]]:
    params = parse_qs(urlsplit(link).query, keep_blank_values=True)
    return params.get("q", [""])[0], params.get("tag", [])


def add_params(link: str, tags: list[str], page: int) -> str:
    url = urlsplit(link)
    added = urlencode({"tag": tags, "page": page}, doseq=True)
    return urlunsplit(url._replace(query=f"{url.query}&{added}" if url.query else added))


def set_param(link: str, page: int) -> str:
    url = urlsplit(link)
    params = parse_qs(url.query, keep_blank_values=True)
    params["page"] = [str(page)]
    return urlunsplit(url._replace(query=urlencode(params, doseq=True)))


def remove_param(link: str, name: str) -> str:
    url = urlsplit(link)
    pairs = [pair for pair in parse_qsl(url.query, keep_blank_values=True) if pair[0] != name]
    return urlunsplit(url._replace(query=urlencode(pairs)))


def signed_url(link: str, part: int) -> str:
    url = urlsplit(link)
    params = parse_qs(url.query, keep_blank_values=True)
    params["partNumber"] = [str(part)]
    return urlunsplit(url._replace(query=urlencode(params, doseq=True)))


TRACKING = {"gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "ttclid", "igshid", "dclid"}


def is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def remove_tracking(link: str) -> str:
    url = urlsplit(link)
    pairs = [pair for pair in parse_qsl(url.query, keep_blank_values=True) if not is_tracking(pair[0])]
    return urlunsplit(url._replace(query=urlencode(pairs)))


def join_links(page: str, hrefs: list[str]) -> list[str]:
    urls = []
    for href in hrefs:
        try:
            urls.append(urljoin(page, href))
        except ValueError:
            continue
    return urls


def file_name(link: str) -> tuple[str, str, str]:
    url = urlsplit(link)
    path = PurePosixPath(url.path)
    if url.path.endswith("/") or not url.path:
        return url._replace(path=url.path.rstrip("/") or "/", query="", fragment="").geturl(), "", ""
    name = unquote(path.name)
    return url._replace(path=str(path.parent), query="", fragment="").geturl(), name, PurePosixPath(name).suffix


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    url = urlsplit(link)
    userinfo, at, _ = url.netloc.rpartition("@")
    return url._replace(scheme=scheme, netloc=f"{userinfo}{at}{host}:{port}").geturl()


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    path = "/".join(quote(part, safe="") for part in ("repos", owner, name, "issues"))
    query = urlencode({"label": labels, "page": page}, doseq=True)
    return f"https://api.example.com/{path}?{query}"


def compare_urls(a: str, b: str) -> bool:
    return urlsplit(a) == urlsplit(b)


def key_of(link: str) -> str:
    url = urlsplit(link)
    pairs = [pair for pair in parse_qsl(url.query, keep_blank_values=True) if not is_tracking(pair[0])]
    return url._replace(query=urlencode(sorted(pairs)), fragment="").geturl()


def page_key(seen: str, link: str) -> bool:
    return key_of(seen) == key_of(link)


SUFFIXES = PublicSuffixList()


def registrable_domain(link: str) -> str | None:
    host = urlsplit(link).hostname
    return SUFFIXES.privatesuffix(host) if host else None


PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


def origin_of(link: str) -> tuple[str, str | None, int | None]:
    url = urlsplit(link)
    return url.scheme, url.hostname, url.port if url.port is not None else PORTS.get(url.scheme)


def site_of(link: str) -> tuple[str, str | None]:
    url = urlsplit(link)
    return url.scheme, registrable_domain(link) or url.hostname


def fetch_site(page: str, link: str) -> str:
    if origin_of(page) == origin_of(link):
        return "same-origin"
    return "same-site" if site_of(page) == site_of(link) else "cross-site"


def safe_redirect(target: str) -> bool:
    url = urlsplit(urljoin("https://shop.example/", target))
    return url.scheme == "https" and url.netloc == "shop.example"


def safe_href(href: str) -> bool:
    return urlsplit(href).scheme in ("", "http", "https", "mailto", "tel")


def block_internal(link: str) -> bool:
    host = urlsplit(link).hostname
    if not host:
        raise ValueError("there is no host")
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".local", ".internal", ".localhost"))


SECRETS = {"token", "access_token", "access-token", "api_key", "key", "password", "secret"}


def redact_for_log(link: str) -> str:
    url = urlsplit(link)
    pairs = parse_qsl(url.query, keep_blank_values=True)
    shown = [(name, "***" if name.lower() in SECRETS else value) for name, value in pairs]
    return url._replace(netloc=url.netloc.rpartition("@")[2], query=urlencode(shown), fragment="").geturl()


def idn_host(typed: str) -> tuple[str, str]:
    host = typed.lower().encode("idna").decode()
    return host, host.encode().decode("idna")


def decode_path(link: str) -> list[str]:
    return [unquote(segment) for segment in urlsplit(link).path.split("/")[1:]]


def default_port(link: str) -> tuple[str, int | None]:
    url = urlsplit(link)
    return url.hostname or "", url.port if url.port is not None else PORTS.get(url.scheme)


def file_url(path: str, windows: bool) -> tuple[str, str]:
    kind = PureWindowsPath if windows else PurePosixPath
    url = kind(path).as_uri()
    parts = urlsplit(url)
    text = unquote(parts.path)
    if windows:
        text = f"//{parts.netloc}{text}" if parts.netloc else text.lstrip("/")
    return url, str(kind(text))


def host_or_none(link: str) -> str | None:
    try:
        return urlsplit(link).hostname
    except ValueError:
        return None


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").map_elements(host_or_none, return_dtype=pl.String))
    return frame["host"].to_list()


def count_hosts(lines: list[str]) -> dict[str, int]:
    return dict(Counter(host for line in lines if (host := host_or_none(line.strip()))))


def match_route(link: str) -> tuple[str, str] | None:
    url = urlsplit(link)
    host = url.hostname or ""
    if url.scheme == "https" and host == "shop.example":
        if found := re.fullmatch(r"/books/([0-9]+)", url.path):
            return "book", found[1]
        if found := re.fullmatch(r"/users/([^/]+)", url.path):
            return "user", unquote(found[1])
    if url.scheme == "https" and host.endswith(".shop.example") and url.path.startswith("/files/"):
        return "file", unquote(url.path.removeprefix("/files/"))
    return None


def api_client(base: str, path: str) -> str:
    root = base.rstrip("/") + "/"
    url = urljoin(root, path.lstrip("/"))
    if not url.startswith(root):
        raise ValueError(f"the path leaves the API: {path}")
    return url


def save_and_load(link: str) -> tuple[bool, str]:
    url = urlsplit(link)
    seen = {url}
    return pickle.loads(pickle.dumps(url)) in seen, json.dumps({"url": url.geturl()})


def threads(link: str, pages: int) -> list[str]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda page: set_param(link, page), range(pages)))


def authorization_header(link: str) -> tuple[str, str | None]:
    url = urlsplit(link)
    bare = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
    if not url.username and not url.password:
        return bare, None
    credentials = f"{unquote(url.username or '')}:{unquote(url.password or '')}"
    return bare, f"Basic {b64encode(credentials.encode()).decode()}"


def convert(link: str) -> tuple[str, str]:
    theirs = yarl.URL(urlsplit(link).geturl(), encoded=True)
    return str(theirs), urlsplit(str(theirs)).geturl()


def explain_error(typed: str) -> str:
    try:
        url = urlsplit(typed)
        if not url.scheme or not url.hostname:
            return "a URL has a scheme and a host"
        _ = url.port
    except ValueError as error:
        return str(error)
    return ""
