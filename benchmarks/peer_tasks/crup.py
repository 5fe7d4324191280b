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
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode

import crup
import msgspec
import polars as pl
import yarl
from pydantic import AfterValidator, BaseModel
from sqlalchemy import String, TypeDecorator, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

DISTRIBUTION = "crup"
# Of a port that is too large.
REFUSES = (OverflowError,)
CANNOT = {
    "join_links": "there are no relative URLs",
    "safe_redirect": "there are no relative URLs",
    "safe_href": "there are no relative URLs",
    "display_url": "there is nothing for people",
    "idn_host": "there is no Unicode form of a host",
    "file_url": "there are no paths of files",
    "save_and_load": "URLs cannot be pickled",
}


def validate_input(typed: str) -> str:
    url = crup.parse(typed)
    if url.scheme not in ("http", "https"):
        raise ValueError(f"not a web address: {typed}")
    return url.href


def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(map(crup.parse, links))
    return sorted((url.href, count) for url, count in visits.items())


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: crup.ParsedURL) -> None:
        fetched.append(url.href)

    for link in links:
        fetch(crup.parse(link))
    return fetched


@dataclass(frozen=True)
class Bookmark:
    url: crup.ParsedURL
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(crup.parse(link), title) for link, title in rows}
    return sorted((bookmark.url.href, bookmark.title) for bookmark in bookmarks)


def check_callback(text: str) -> str:
    url = crup.parse(text)
    host = url.hostname or ""
    if url.scheme != "https" or not (host == "example.com" or host.endswith(".example.com")):
        raise ValueError("not an https URL on example.com")
    if url.username or url.password:
        raise ValueError("the URL has a password")
    return url.href


class Settings(BaseModel):
    callback: Annotated[str, AfterValidator(check_callback)]


def pydantic_field(text: str) -> str:
    return Settings.model_validate({"callback": text}).callback


class URLType(TypeDecorator):
    impl, cache_ok = String, True

    def process_bind_param(self, value: crup.ParsedURL | None, dialect: Any) -> str | None:
        return None if value is None else value.href

    def process_result_value(self, value: str | None, dialect: Any) -> crup.ParsedURL | None:
        return None if value is None else crup.parse(value)


class Base(DeclarativeBase):
    type_annotation_map = {crup.ParsedURL: URLType}


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[crup.ParsedURL]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=crup.parse(link)) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == crup.parse(wanted)))
        return [visit.url.href for visit in found]


class Message(msgspec.Struct):
    url: crup.ParsedURL


def decode_hook(kind: type[Any], value: Any) -> Any:
    return crup.parse(value)


def msgspec_field(text: str) -> str:
    message = msgspec.json.decode(text, type=Message, dec_hook=decode_hook)
    return msgspec.json.encode(message, enc_hook=str).decode()


def url_argument(text: str) -> crup.ParsedURL:
    try:
        return crup.parse(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def argparse_type(arguments: list[str]) -> str:
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("url", type=url_argument)
    try:
        return parser.parse_args(arguments).url.href
    except ArgumentError as error:
        return f"error: {error.message}"


def read_params(link: str) -> tuple[str, list[str]]:
    params = parse_qs(crup.parse(link).query or "", keep_blank_values=True)
    return params.get("q", [""])[0], params.get("tag", [])


def add_params(link: str, tags: list[str], page: int) -> str:
    url = crup.URL.parse(link)
    added = urlencode({"tag": tags, "page": page}, doseq=True)
    url.query = f"{url.query}&{added}" if url.query else added
    return url.href


def set_param(link: str, page: int) -> str:
    url = crup.URL.parse(link)
    params = parse_qs(url.query or "", keep_blank_values=True)
    params["page"] = [str(page)]
    url.query = urlencode(params, doseq=True)
    return url.href


def remove_param(link: str, name: str) -> str:
    url = crup.URL.parse(link)
    pairs = [pair for pair in parse_qsl(url.query or "", keep_blank_values=True) if pair[0] != name]
    url.query = urlencode(pairs) or None
    return url.href


def signed_url(link: str, part: int) -> str:
    url = crup.URL.parse(link)
    params = parse_qs(url.query or "", keep_blank_values=True)
    params["partNumber"] = [str(part)]
    url.query = urlencode(params, doseq=True)
    return url.href


TRACKING = {"gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "ttclid", "igshid", "dclid"}


def is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def remove_tracking(link: str) -> str:
    url = crup.URL.parse(link)
    pairs = [pair for pair in parse_qsl(url.query or "", keep_blank_values=True) if not is_tracking(pair[0])]
    url.query = urlencode(pairs) or None
    return url.href


def file_name(link: str) -> tuple[str, str, str]:
    url = crup.URL.parse(link)
    url.path, _, name = url.path.rpartition("/")
    url.query = url.fragment = None
    name = unquote(name)
    return url.href, name, PurePosixPath(name).suffix


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    url = crup.URL.parse(link)
    url.scheme, url.hostname, url.port = scheme, host, port
    return url.href


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    url = crup.URL.parse("https://api.example.com/")
    url.path = f"/repos/{quote(owner, safe='')}/{quote(name, safe='')}/issues"
    url.query = urlencode({"label": labels, "page": page}, doseq=True)
    return url.href


def compare_urls(a: str, b: str) -> bool:
    return crup.parse(a) == crup.parse(b)


def key_of(link: str) -> str:
    url = crup.URL.parse(link)
    pairs = [pair for pair in parse_qsl(url.query or "", keep_blank_values=True) if not is_tracking(pair[0])]
    url.query, url.fragment = urlencode(sorted(pairs)) or None, None
    return url.href


def page_key(seen: str, link: str) -> bool:
    return key_of(seen) == key_of(link)


def registrable_domain(link: str) -> str | None:
    return crup.parse(link, psl=crup.psl.ALL).domain


PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


def origin_of(link: str) -> tuple[str, str | None, int | None]:
    url = crup.parse(link)
    return url.scheme, url.hostname, url.port


def site_of(link: str) -> tuple[str, str | None]:
    url = crup.parse(link, psl=crup.psl.ALL)
    return url.scheme, url.domain or url.hostname


def fetch_site(page: str, link: str) -> str:
    if origin_of(page) == origin_of(link):
        return "same-origin"
    return "same-site" if site_of(page) == site_of(link) else "cross-site"


def block_internal(link: str) -> bool:
    host = (crup.parse(link).hostname or "").strip("[]")
    if not host:
        raise ValueError("there is no host")
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".local", ".internal", ".localhost"))


SECRETS = {"token", "access_token", "access-token", "api_key", "key", "password", "secret"}


def redact_for_log(link: str) -> str:
    url = crup.URL.parse(link)
    pairs = parse_qsl(url.query or "", keep_blank_values=True)
    shown = [(name, "***" if name.lower() in SECRETS else value) for name, value in pairs]
    url.username, url.password, url.fragment = None, None, None
    url.query = urlencode(shown) or None
    return url.href


def decode_path(link: str) -> list[str]:
    return [unquote(part) for part in crup.parse(link).path_parts()]


def default_port(link: str) -> tuple[str, int | None]:
    url = crup.parse(link)
    return (url.hostname or "").strip("[]"), url.port if url.port is not None else PORTS.get(url.scheme)


def host_or_none(link: str) -> str | None:
    try:
        return crup.parse(link).hostname
    except ValueError:
        return None


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").map_elements(host_or_none, return_dtype=pl.String))
    return frame["host"].to_list()


def count_hosts(lines: list[str]) -> dict[str, int]:
    return dict(Counter(host for line in lines if (host := host_or_none(line.strip()))))


def match_route(link: str) -> tuple[str, str] | None:
    url = crup.parse(link)
    host, path = url.hostname or "", url.path
    if url.scheme == "https" and host == "shop.example":
        if found := re.fullmatch(r"/books/([0-9]+)", path):
            return "book", found[1]
        if found := re.fullmatch(r"/users/([^/]+)", path):
            return "user", unquote(found[1])
    if url.scheme == "https" and host.endswith(".shop.example") and path.startswith("/files/"):
        return "file", unquote(path.removeprefix("/files/"))
    return None


def api_client(base: str, path: str) -> str:
    root = crup.parse(base.rstrip("/") + "/").href
    url = crup.parse(root + path.lstrip("/")).href
    if not url.startswith(root):
        raise ValueError(f"the path leaves the API: {path}")
    return url


def threads(link: str, pages: int) -> list[str]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda page: set_param(link, page), range(pages)))


def authorization_header(link: str) -> tuple[str, str | None]:
    url = crup.URL.parse(link)
    if not url.username and not url.password:
        return url.href, None
    credentials = f"{unquote(url.username)}:{unquote(url.password or '')}"
    url.username, url.password = None, None
    return url.href, f"Basic {b64encode(credentials.encode()).decode()}"


def convert(link: str) -> tuple[str, str]:
    theirs = yarl.URL(crup.parse(link).href, encoded=True)
    return str(theirs), crup.parse(str(theirs)).href


def explain_error(typed: str) -> str:
    try:
        crup.parse(typed)
    except ValueError as error:
        return str(error)
    return ""
