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
from urllib.parse import unquote

import msgspec
import polars as pl
import yarl
from furl import furl
from publicsuffixlist import PublicSuffixList
from pydantic import AfterValidator, BaseModel
from sqlalchemy import String, TypeDecorator, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

DISTRIBUTION = "furl"
REFUSES = ()
CANNOT = {"file_url": "there are no paths of files", "display_url": "there is nothing for people"}


def validate_input(typed: str) -> str:
    url = furl(typed.strip())
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"not a web address: {typed}")
    return url.url


# A furl has no hash, so the keys are texts.
def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(furl(link).url for link in links)
    return sorted(visits.items())


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: str) -> None:
        fetched.append(url)

    for link in links:
        fetch(furl(link).url)
    return fetched


@dataclass(frozen=True)
class Bookmark:
    url: str
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(furl(link).url, title) for link, title in rows}
    return sorted((bookmark.url, bookmark.title) for bookmark in bookmarks)


def check_callback(text: str) -> str:
    url = furl(text)
    host = url.host or ""
    if url.scheme != "https" or not (host == "example.com" or host.endswith(".example.com")):
        raise ValueError("not an https URL on example.com")
    if url.username or url.password:
        raise ValueError("the URL has a password")
    return url.url


class Settings(BaseModel):
    callback: Annotated[str, AfterValidator(check_callback)]


def pydantic_field(text: str) -> str:
    return Settings.model_validate({"callback": text}).callback


class URLType(TypeDecorator):
    impl, cache_ok = String, True

    def process_bind_param(self, value: furl | None, dialect: Any) -> str | None:
        return None if value is None else value.url

    def process_result_value(self, value: str | None, dialect: Any) -> furl | None:
        return None if value is None else furl(value)


class Base(DeclarativeBase):
    type_annotation_map = {furl: URLType}


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[furl]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=furl(link)) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == furl(wanted)))
        return [visit.url.url for visit in found]


class Message(msgspec.Struct):
    url: furl


def decode_hook(kind: type[Any], value: Any) -> Any:
    return kind(value)


def msgspec_field(text: str) -> str:
    message = msgspec.json.decode(text, type=Message, dec_hook=decode_hook)
    return msgspec.json.encode(message, enc_hook=str).decode()


def url_argument(text: str) -> furl:
    try:
        return furl(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def argparse_type(arguments: list[str]) -> str:
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("url", type=url_argument)
    try:
        return parser.parse_args(arguments).url.url
    except ArgumentError as error:
        return f"error: {error.message}"


def read_params(link: str) -> tuple[str, list[str]]:
    params = furl(link).args
    return params.get("q") or "", [tag or "" for tag in params.getlist("tag")]


def add_params(link: str, tags: list[str], page: int) -> str:
    return furl(link).add({"tag": tags, "page": page}).url


def set_param(link: str, page: int) -> str:
    url = furl(link)
    url.args["page"] = page
    return url.url


def remove_param(link: str, name: str) -> str:
    return furl(link).remove([name]).url


def signed_url(link: str, part: int) -> str:
    url = furl(link)
    url.args["partNumber"] = part
    return url.url


TRACKING = {"gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "ttclid", "igshid", "dclid"}


def is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def remove_tracking(link: str) -> str:
    url = furl(link)
    return url.remove([name for name in url.args if is_tracking(name)]).url


def join_links(page: str, hrefs: list[str]) -> list[str]:
    urls = []
    for href in hrefs:
        try:
            urls.append(furl(page).join(href).url)
        except ValueError:
            continue
    return urls


def file_name(link: str) -> tuple[str, str, str]:
    url = furl(link).remove(query=True, fragment=True)
    name = url.path.segments[-1] if url.path.segments else ""
    url.path.segments = url.path.segments[:-1]
    return url.url, name, PurePosixPath(name).suffix


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    return furl(link).set(scheme=scheme, host=host, port=port).url


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    url = furl("https://api.example.com/", args={"label": labels, "page": page})
    url.path.segments = ["repos", owner, name, "issues"]
    return url.url


def compare_urls(a: str, b: str) -> bool:
    return furl(a) == furl(b)


def key_of(link: str) -> str:
    url = furl(link).remove(fragment=True)
    url.args = sorted(pair for pair in url.args.allitems() if not is_tracking(pair[0]))
    return url.url


def page_key(seen: str, link: str) -> bool:
    return key_of(seen) == key_of(link)


SUFFIXES = PublicSuffixList()


def registrable_domain(link: str) -> str | None:
    host = furl(link).host
    return SUFFIXES.privatesuffix(host) if host else None


def site_of(link: str) -> tuple[str, str | None]:
    return furl(link).scheme, registrable_domain(link) or furl(link).host


def fetch_site(page: str, link: str) -> str:
    if furl(page).origin == furl(link).origin:
        return "same-origin"
    return "same-site" if site_of(page) == site_of(link) else "cross-site"


def safe_redirect(target: str) -> bool:
    return furl("https://shop.example/").join(target).origin == "https://shop.example"


def safe_href(href: str) -> bool:
    return furl(href).scheme in (None, "http", "https", "mailto", "tel")


def block_internal(link: str) -> bool:
    host = furl(link).host
    if not host:
        raise ValueError("there is no host")
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".local", ".internal", ".localhost"))


SECRETS = {"token", "access_token", "access-token", "api_key", "key", "password", "secret"}


def redact_for_log(link: str) -> str:
    url = furl(link).remove(username=True, password=True, fragment=True)
    for name in url.args:
        if name.lower() in SECRETS:
            url.args[name] = "***"
    return url.url


def idn_host(typed: str) -> tuple[str, str]:
    url = furl(scheme="https", host=typed)
    return url.netloc, url.host


def decode_path(link: str) -> list[str]:
    return list(furl(link).path.segments)


def default_port(link: str) -> tuple[str, int | None]:
    url = furl(link)
    return url.host, url.port


def host_or_none(link: str) -> str | None:
    try:
        return furl(link).host
    except ValueError:
        return None


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").map_elements(host_or_none, return_dtype=pl.String))
    return frame["host"].to_list()


def count_hosts(lines: list[str]) -> dict[str, int]:
    return dict(Counter(host for line in lines if (host := host_or_none(line.strip()))))


def match_route(link: str) -> tuple[str, str] | None:
    url = furl(link)
    host, path = url.host or "", str(url.path)
    if url.scheme == "https" and host == "shop.example":
        if found := re.fullmatch(r"/books/([0-9]+)", path):
            return "book", found[1]
        if found := re.fullmatch(r"/users/([^/]+)", path):
            return "user", unquote(found[1])
    if url.scheme == "https" and host.endswith(".shop.example") and path.startswith("/files/"):
        return "file", unquote(path.removeprefix("/files/"))
    return None


def api_client(base: str, path: str) -> str:
    root = base.rstrip("/") + "/"
    url = furl(root).join(path.lstrip("/")).url
    if not url.startswith(root):
        raise ValueError(f"the path leaves the API: {path}")
    return url


def save_and_load(link: str) -> tuple[bool, str]:
    url = furl(link)
    seen = {url.url}
    return pickle.loads(pickle.dumps(url)).url in seen, json.dumps({"url": url}, default=str)


def threads(link: str, pages: int) -> list[str]:
    start = furl(link)

    def page_of(page: int) -> str:
        url = start.copy()
        url.args["page"] = page
        return url.url

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(page_of, range(pages)))


def authorization_header(link: str) -> tuple[str, str | None]:
    url = furl(link)
    if not url.username and not url.password:
        return url.url, None
    credentials = f"{url.username or ''}:{url.password or ''}"
    return url.remove(username=True, password=True).url, f"Basic {b64encode(credentials.encode()).decode()}"


def convert(link: str) -> tuple[str, str]:
    theirs = yarl.URL(furl(link).url, encoded=True)
    return str(theirs), furl(str(theirs)).url


def explain_error(typed: str) -> str:
    try:
        url = furl(typed)
    except ValueError as error:
        return str(error)
    return "" if url.scheme and url.host else "a URL has a scheme and a host"
