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
from typing import Annotated, Any
from urllib.parse import unquote

import msgspec
import polars as pl
from publicsuffixlist import PublicSuffixList
from pydantic import AfterValidator, BaseModel
from sqlalchemy import String, TypeDecorator, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from yarl import URL

DISTRIBUTION = "yarl"
REFUSES = ()
CANNOT = {"file_url": "there are no paths of files"}


def validate_input(typed: str) -> str:
    url = URL(typed.strip())
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"not a web address: {typed}")
    return str(url)


def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(map(URL, links))
    return [(str(url), visits[url]) for url in sorted(visits)]


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: URL) -> None:
        fetched.append(str(url))

    for link in links:
        fetch(URL(link))
    return fetched


@dataclass(frozen=True)
class Bookmark:
    url: URL
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(URL(link), title) for link, title in rows}
    return sorted((str(bookmark.url), bookmark.title) for bookmark in bookmarks)


def check_callback(url: URL) -> URL:
    host = url.host or ""
    if url.scheme != "https" or not (host == "example.com" or host.endswith(".example.com")):
        raise ValueError("not an https URL on example.com")
    if url.user or url.password:
        raise ValueError("the URL has a password")
    return url


class Settings(BaseModel):
    callback: Annotated[URL, AfterValidator(check_callback)]


def pydantic_field(text: str) -> str:
    return str(Settings.model_validate({"callback": text}).callback)


class URLType(TypeDecorator):
    impl, cache_ok = String, True

    def process_bind_param(self, value: URL | None, dialect: Any) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Any) -> URL | None:
        return None if value is None else URL(value)


class Base(DeclarativeBase):
    type_annotation_map = {URL: URLType}


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[URL]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=URL(link)) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == URL(wanted)))
        return [str(visit.url) for visit in found]


class Message(msgspec.Struct):
    url: URL


def decode_hook(kind: type[Any], value: Any) -> Any:
    return kind(value)


def msgspec_field(text: str) -> str:
    message = msgspec.json.decode(text, type=Message, dec_hook=decode_hook)
    return msgspec.json.encode(message, enc_hook=str).decode()


def url_argument(text: str) -> URL:
    try:
        return URL(text)
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
    params = URL(link).query
    return params.get("q", ""), params.getall("tag", [])


def add_params(link: str, tags: list[str], page: int) -> str:
    return str(URL(link).extend_query({"tag": tags, "page": page}))


def set_param(link: str, page: int) -> str:
    return str(URL(link).update_query(page=page))


def remove_param(link: str, name: str) -> str:
    return str(URL(link).without_query_params(name))


def signed_url(link: str, part: int) -> str:
    return str(URL(link, encoded=True).update_query(partNumber=part))


TRACKING = {"gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "ttclid", "igshid", "dclid"}


def is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def remove_tracking(link: str) -> str:
    url = URL(link)
    return str(url.without_query_params(*filter(is_tracking, url.query)))


def join_links(page: str, hrefs: list[str]) -> list[str]:
    base = URL(page)
    urls = []
    for href in hrefs:
        try:
            urls.append(str(base.join(URL(href))))
        except ValueError:
            continue
    return urls


def file_name(link: str) -> tuple[str, str, str]:
    url = URL(link)
    return str(url.parent), url.name, url.suffix


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    return str(URL(link).with_scheme(scheme).with_host(host.strip("[]")).with_port(port))


API = URL("https://api.example.com/repos")


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    return str((API / owner / name / "issues").with_query({"label": labels, "page": page}))


def compare_urls(a: str, b: str) -> bool:
    return URL(a) == URL(b)


def key_of(link: str) -> URL:
    url = URL(link)
    return url.with_query(sorted(pair for pair in url.query.items() if not is_tracking(pair[0]))).with_fragment(None)


def page_key(seen: str, link: str) -> bool:
    return key_of(seen) == key_of(link)


SUFFIXES = PublicSuffixList()


def registrable_domain(link: str) -> str | None:
    host = URL(link).raw_host
    return SUFFIXES.privatesuffix(host) if host else None


def site_of(link: str) -> tuple[str, str | None]:
    return URL(link).scheme, registrable_domain(link) or URL(link).host


def fetch_site(page: str, link: str) -> str:
    if URL(page).origin() == URL(link).origin():
        return "same-origin"
    return "same-site" if site_of(page) == site_of(link) else "cross-site"


def safe_redirect(target: str) -> bool:
    url = URL("https://shop.example/").join(URL(target))
    return url.is_absolute() and url.origin() == URL("https://shop.example")


def safe_href(href: str) -> bool:
    return URL(href).scheme in ("", "http", "https", "mailto", "tel")


def block_internal(link: str) -> bool:
    host = URL(link).host
    if not host:
        raise ValueError("there is no host")
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".local", ".internal", ".localhost"))


SECRETS = {"token", "access_token", "access-token", "api_key", "key", "password", "secret"}


def redact_for_log(link: str) -> str:
    url = URL(link).with_user(None).with_fragment(None)
    return str(url.update_query({name: "***" for name in url.query if name.lower() in SECRETS}))


def display_url(link: str) -> str:
    return URL(link).with_user(None).human_repr()


def idn_host(typed: str) -> tuple[str, str]:
    url = URL.build(scheme="https", host=typed)
    return url.raw_host or "", url.host or ""


def decode_path(link: str) -> list[str]:
    return list(URL(link).parts[1:])


def default_port(link: str) -> tuple[str, int | None]:
    url = URL(link)
    return url.raw_host or "", url.port


def host_or_none(link: str) -> str | None:
    try:
        return URL(link).raw_host
    except ValueError:
        return None


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").map_elements(host_or_none, return_dtype=pl.String))
    return frame["host"].to_list()


def count_hosts(lines: list[str]) -> dict[str, int]:
    return dict(Counter(host for line in lines if (host := host_or_none(line.strip()))))


def match_route(link: str) -> tuple[str, str] | None:
    url = URL(link)
    host = url.host or ""
    if url.scheme == "https" and host == "shop.example":
        if found := re.fullmatch(r"/books/([0-9]+)", url.raw_path):
            return "book", found[1]
        if found := re.fullmatch(r"/users/([^/]+)", url.raw_path):
            return "user", unquote(found[1])
    if url.scheme == "https" and host.endswith(".shop.example") and url.path.startswith("/files/"):
        return "file", url.path.removeprefix("/files/")
    return None


def api_client(base: str, path: str) -> str:
    root = URL(base.rstrip("/") + "/")
    url = str(root.join(URL(path.lstrip("/"))))
    if not url.startswith(str(root)):
        raise ValueError(f"the path leaves the API: {path}")
    return url


def save_and_load(link: str) -> tuple[bool, str]:
    url = URL(link)
    seen = {url}
    return pickle.loads(pickle.dumps(url)) in seen, json.dumps({"url": url}, default=str)


def threads(link: str, pages: int) -> list[str]:
    start = URL(link)
    with ThreadPoolExecutor(8) as pool:
        return [str(url) for url in pool.map(lambda page: start.update_query(page=page), range(pages))]


def authorization_header(link: str) -> tuple[str, str | None]:
    url = URL(link)
    if not url.user and not url.password:
        return str(url), None
    credentials = f"{url.user or ''}:{url.password or ''}"
    return str(url.with_user(None)), f"Basic {b64encode(credentials.encode()).decode()}"


def convert(link: str) -> tuple[str, str]:
    url = URL(link)
    return str(url), str(url)


def explain_error(typed: str) -> str:
    try:
        url = URL(typed)
    except ValueError as error:
        return str(error)
    return "" if url.is_absolute() else "a URL has a scheme and a host"
