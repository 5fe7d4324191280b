import json
import pickle
import re
from argparse import ArgumentError, ArgumentParser, ArgumentTypeError
from base64 import b64encode
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from pathlib import PurePosixPath
from typing import Annotated, Any
from urllib.parse import parse_qs, quote, unquote, urlencode

import msgspec
import polars as pl
import yarl
from publicsuffixlist import PublicSuffixList
from pydantic import AfterValidator, AnyUrl, BaseModel, HttpUrl, UrlConstraints, ValidationError
from sqlalchemy import String, TypeDecorator, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

DISTRIBUTION = "pydantic"
# Of a port that is too large.
REFUSES = (OverflowError,)
CANNOT = {
    "join_links": "there are no relative URLs",
    "safe_redirect": "there are no relative URLs",
    "safe_href": "there are no relative URLs",
    "file_url": "there are no paths of files",
}


def validate_input(typed: str) -> str:
    return str(HttpUrl(typed))


def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(map(AnyUrl, links))
    return [(str(url), visits[url]) for url in sorted(visits)]


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: AnyUrl) -> None:
        fetched.append(str(url))

    for link in links:
        fetch(AnyUrl(link))
    return fetched


@dataclass(frozen=True)
class Bookmark:
    url: AnyUrl
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(AnyUrl(link), title) for link, title in rows}
    return sorted((str(bookmark.url), bookmark.title) for bookmark in bookmarks)


def check_callback(url: AnyUrl) -> AnyUrl:
    host = url.host or ""
    if not (host == "example.com" or host.endswith(".example.com")):
        raise ValueError("not on example.com")
    if url.username or url.password:
        raise ValueError("the URL has a password")
    return url


class Settings(BaseModel):
    callback: Annotated[AnyUrl, UrlConstraints(allowed_schemes=["https"]), AfterValidator(check_callback)]


def pydantic_field(text: str) -> str:
    return str(Settings.model_validate({"callback": text}).callback)


class URLType(TypeDecorator):
    impl, cache_ok = String, True

    def process_bind_param(self, value: AnyUrl | None, dialect: Any) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Any) -> AnyUrl | None:
        return None if value is None else AnyUrl(value)


class Base(DeclarativeBase):
    type_annotation_map = {AnyUrl: URLType}


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[AnyUrl]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=AnyUrl(link)) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == AnyUrl(wanted)))
        return [str(visit.url) for visit in found]


class Message(msgspec.Struct):
    url: AnyUrl


def decode_hook(kind: type[Any], value: Any) -> Any:
    return kind(value)


def msgspec_field(text: str) -> str:
    message = msgspec.json.decode(text, type=Message, dec_hook=decode_hook)
    return msgspec.json.encode(message, enc_hook=str).decode()


def url_argument(text: str) -> AnyUrl:
    try:
        return AnyUrl(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def argparse_type(arguments: list[str]) -> str:
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("url", type=url_argument)
    try:
        return str(parser.parse_args(arguments).url)
    except ArgumentError as error:
        return f"error: {error.message}"


def read_params(link: str) -> tuple[str, list[str]]:
    pairs = AnyUrl(link).query_params()
    return next((value for name, value in pairs if name == "q"), ""), [value for name, value in pairs if name == "tag"]


def with_query(url: AnyUrl, query: str) -> AnyUrl:
    return AnyUrl.build(
        scheme=url.scheme,
        username=url.username,
        password=url.password,
        host=url.host or "",
        port=url.port,
        path=(url.path or "").removeprefix("/"),
        query=query or None,
        fragment=url.fragment,
    )


def add_params(link: str, tags: list[str], page: int) -> str:
    url = AnyUrl(link)
    added = urlencode({"tag": tags, "page": page}, doseq=True)
    return str(with_query(url, f"{url.query}&{added}" if url.query else added))


def set_param(link: str, page: int) -> str:
    url = AnyUrl(link)
    params = parse_qs(url.query or "", keep_blank_values=True)
    params["page"] = [str(page)]
    return str(with_query(url, urlencode(params, doseq=True)))


def remove_param(link: str, name: str) -> str:
    url = AnyUrl(link)
    return str(with_query(url, urlencode([pair for pair in url.query_params() if pair[0] != name])))


def signed_url(link: str, part: int) -> str:
    url = AnyUrl(link)
    params = parse_qs(url.query or "", keep_blank_values=True)
    params["partNumber"] = [str(part)]
    return str(with_query(url, urlencode(params, doseq=True)))


TRACKING = {"gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "ttclid", "igshid", "dclid"}


def is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def remove_tracking(link: str) -> str:
    url = AnyUrl(link)
    return str(with_query(url, urlencode([pair for pair in url.query_params() if not is_tracking(pair[0])])))


def file_name(link: str) -> tuple[str, str, str]:
    url = AnyUrl(link)
    folder, _, name = (url.path or "").rpartition("/")
    parent = AnyUrl.build(scheme=url.scheme, host=url.host or "", port=url.port, path=folder.removeprefix("/"))
    name = unquote(name)
    return str(parent), name, PurePosixPath(name).suffix


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    url = AnyUrl(link)
    return str(
        AnyUrl.build(
            scheme=scheme,
            username=url.username,
            password=url.password,
            host=host,
            port=port,
            path=(url.path or "").removeprefix("/"),
            query=url.query,
            fragment=url.fragment,
        )
    )


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    path = f"repos/{quote(owner, safe='')}/{quote(name, safe='')}/issues"
    query = urlencode({"label": labels, "page": page}, doseq=True)
    return str(AnyUrl.build(scheme="https", host="api.example.com", path=path, query=query))


def compare_urls(a: str, b: str) -> bool:
    return AnyUrl(a) == AnyUrl(b)


def key_of(link: str) -> str:
    url = AnyUrl(link)
    pairs = sorted(pair for pair in url.query_params() if not is_tracking(pair[0]))
    return str(with_query(url, urlencode(pairs))).partition("#")[0]


def page_key(seen: str, link: str) -> bool:
    return key_of(seen) == key_of(link)


SUFFIXES = PublicSuffixList()


def registrable_domain(link: str) -> str | None:
    host = AnyUrl(link).host
    return SUFFIXES.privatesuffix(host) if host else None


def origin_of(link: str) -> tuple[str, str | None, int | None]:
    url = AnyUrl(link)
    return url.scheme, url.host, url.port


def site_of(link: str) -> tuple[str, str | None]:
    return AnyUrl(link).scheme, registrable_domain(link) or AnyUrl(link).host


def fetch_site(page: str, link: str) -> str:
    if origin_of(page) == origin_of(link):
        return "same-origin"
    return "same-site" if site_of(page) == site_of(link) else "cross-site"


def block_internal(link: str) -> bool:
    host = (AnyUrl(link).host or "").strip("[]")
    if not host:
        raise ValueError("there is no host")
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".local", ".internal", ".localhost"))


SECRETS = {"token", "access_token", "access-token", "api_key", "key", "password", "secret"}


def redact_for_log(link: str) -> str:
    url = AnyUrl(link)
    shown = [(name, "***" if name.lower() in SECRETS else value) for name, value in url.query_params()]
    return str(
        AnyUrl.build(
            scheme=url.scheme,
            host=url.host or "",
            port=url.port,
            path=(url.path or "").removeprefix("/"),
            query=urlencode(shown) or None,
        )
    )


def display_url(link: str) -> str:
    url = AnyUrl(link)
    path = (url.path or "").removeprefix("/")
    bare = AnyUrl.build(scheme=url.scheme, host=url.host or "", port=url.port, path=path, query=url.query)
    return bare.unicode_string()


def idn_host(typed: str) -> tuple[str, str]:
    url = AnyUrl.build(scheme="https", host=typed)
    return url.host or "", url.unicode_host() or ""


def decode_path(link: str) -> list[str]:
    return [unquote(segment) for segment in (AnyUrl(link).path or "").split("/")[1:]]


def default_port(link: str) -> tuple[str, int | None]:
    url = AnyUrl(link)
    return (url.host or "").strip("[]"), url.port


def host_or_none(link: str) -> str | None:
    try:
        return AnyUrl(link).host
    except ValueError:
        return None


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").map_elements(host_or_none, return_dtype=pl.String))
    return frame["host"].to_list()


def count_hosts(lines: list[str]) -> dict[str, int]:
    return dict(Counter(host for line in lines if (host := host_or_none(line.strip()))))


def match_route(link: str) -> tuple[str, str] | None:
    url = AnyUrl(link)
    host, path = url.host or "", url.path or ""
    if url.scheme == "https" and host == "shop.example":
        if found := re.fullmatch(r"/books/([0-9]+)", path):
            return "book", found[1]
        if found := re.fullmatch(r"/users/([^/]+)", path):
            return "user", unquote(found[1])
    if url.scheme == "https" and host.endswith(".shop.example") and path.startswith("/files/"):
        return "file", unquote(path.removeprefix("/files/"))
    return None


def api_client(base: str, path: str) -> str:
    root = str(AnyUrl(base.rstrip("/") + "/"))
    url = str(AnyUrl(root + path.lstrip("/")))
    if not url.startswith(root):
        raise ValueError(f"the path leaves the API: {path}")
    return url


def save_and_load(link: str) -> tuple[bool, str]:
    url = AnyUrl(link)
    seen = {url}
    return pickle.loads(pickle.dumps(url)) in seen, json.dumps({"url": url}, default=str)


def threads(link: str, pages: int) -> list[str]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda page: set_param(link, page), range(pages)))


def authorization_header(link: str) -> tuple[str, str | None]:
    url = AnyUrl(link)
    if not url.username and not url.password:
        return str(url), None
    credentials = f"{unquote(url.username or '')}:{unquote(url.password or '')}"
    bare = AnyUrl.build(
        scheme=url.scheme,
        host=url.host or "",
        port=url.port,
        path=(url.path or "").removeprefix("/"),
        query=url.query,
        fragment=url.fragment,
    )
    return str(bare), f"Basic {b64encode(credentials.encode()).decode()}"


def convert(link: str) -> tuple[str, str]:
    theirs = yarl.URL(str(AnyUrl(link)), encoded=True)
    return str(theirs), str(AnyUrl(str(theirs)))


def explain_error(typed: str) -> str:
    try:
        AnyUrl(typed)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return ""
