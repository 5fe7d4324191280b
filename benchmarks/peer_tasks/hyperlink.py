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

import msgspec
import polars as pl
import yarl
from hyperlink import URL, DecodedURL, parse
from publicsuffixlist import PublicSuffixList
from pydantic import AfterValidator, BaseModel
from sqlalchemy import String, TypeDecorator, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

DISTRIBUTION = "hyperlink"
# Of a URL that has no slash after its scheme.
REFUSES = (NotImplementedError,)
CANNOT = {"file_url": "there are no paths of files"}


def text_of(url: DecodedURL) -> str:
    return url.to_uri().to_text(with_password=True)


def validate_input(typed: str) -> str:
    url = parse(typed.strip()).normalize()
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"not a web address: {typed}")
    return text_of(url)


def dict_key(links: list[str]) -> list[tuple[str, int]]:
    visits = Counter(parse(link).normalize() for link in links)
    return sorted((text_of(url), count) for url, count in visits.items())


def cached_function(links: list[str]) -> list[str]:
    fetched = []

    @cache
    def fetch(url: DecodedURL) -> None:
        fetched.append(text_of(url))

    for link in links:
        fetch(parse(link).normalize())
    return fetched


@dataclass(frozen=True)
class Bookmark:
    url: DecodedURL
    title: str


def frozen_dataclass(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    bookmarks = {Bookmark(parse(link).normalize(), title) for link, title in rows}
    return sorted((text_of(bookmark.url), bookmark.title) for bookmark in bookmarks)


def check_callback(text: str) -> str:
    url = parse(text).normalize()
    if url.scheme != "https" or not (url.host == "example.com" or url.host.endswith(".example.com")):
        raise ValueError("not an https URL on example.com")
    if url.user:
        raise ValueError("the URL has a password")
    return text_of(url)


class Settings(BaseModel):
    callback: Annotated[str, AfterValidator(check_callback)]


def pydantic_field(text: str) -> str:
    return Settings.model_validate({"callback": text}).callback


class URLType(TypeDecorator):
    impl, cache_ok = String, True

    def process_bind_param(self, value: DecodedURL | None, dialect: Any) -> str | None:
        return None if value is None else text_of(value)

    def process_result_value(self, value: str | None, dialect: Any) -> DecodedURL | None:
        return None if value is None else parse(value)


class Base(DeclarativeBase):
    type_annotation_map = {DecodedURL: URLType}


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[DecodedURL]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=parse(link).normalize()) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == parse(wanted).normalize()))
        return [text_of(visit.url) for visit in found]


class Message(msgspec.Struct):
    url: DecodedURL


def decode_hook(kind: type[Any], value: Any) -> Any:
    return parse(value).normalize()


def msgspec_field(text: str) -> str:
    message = msgspec.json.decode(text, type=Message, dec_hook=decode_hook)
    return msgspec.json.encode(message, enc_hook=text_of).decode()


def url_argument(text: str) -> str:
    try:
        return text_of(parse(text).normalize())
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def argparse_type(arguments: list[str]) -> str:
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("url", type=url_argument)
    try:
        return parser.parse_args(arguments).url
    except ArgumentError as error:
        return f"error: {error.message}"


def read_params(link: str) -> tuple[str, list[str]]:
    url = parse(link)
    return next(iter(url.get("q")), None) or "", [tag or "" for tag in url.get("tag")]


def add_params(link: str, tags: list[str], page: int) -> str:
    url = parse(link)
    for tag in tags:
        url = url.add("tag", tag)
    return text_of(url.add("page", str(page)))


def set_param(link: str, page: int) -> str:
    return text_of(parse(link).set("page", str(page)))


def remove_param(link: str, name: str) -> str:
    return text_of(parse(link).remove(name))


# Its documentation says that URL keeps the encoding, where DecodedURL does not.
def signed_url(link: str, part: int) -> str:
    return URL.from_text(link).set("partNumber", str(part)).to_text(with_password=True)


TRACKING = {"gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "ttclid", "igshid", "dclid"}


def is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def remove_tracking(link: str) -> str:
    url = parse(link)
    return text_of(url.replace(query=[pair for pair in url.query if not is_tracking(pair[0])]))


def join_links(page: str, hrefs: list[str]) -> list[str]:
    base = parse(page)
    urls = []
    for href in hrefs:
        try:
            urls.append(text_of(base.click(href)))
        except (ValueError, NotImplementedError):
            continue
    return urls


def file_name(link: str) -> tuple[str, str, str]:
    url = parse(link)
    name = url.path[-1] if url.path else ""
    return text_of(url.replace(path=url.path[:-1], query=(), fragment="")), name, PurePosixPath(name).suffix


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    return text_of(parse(link).replace(scheme=scheme, host=host.strip("[]"), port=port))


API = parse("https://api.example.com/repos")


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    query = [("label", label) for label in labels] + [("page", str(page))]
    return text_of(API.child(owner, name, "issues").replace(query=query))


def compare_urls(a: str, b: str) -> bool:
    return parse(a).normalize() == parse(b).normalize()


def key_of(link: str) -> DecodedURL:
    url = parse(link).normalize()
    pairs = [(name, value or "") for name, value in url.query if not is_tracking(name)]
    return url.replace(query=sorted(pairs), fragment="")


def page_key(seen: str, link: str) -> bool:
    return key_of(seen) == key_of(link)


SUFFIXES = PublicSuffixList()


def registrable_domain(link: str) -> str | None:
    host = parse(link).normalize().to_uri().host
    return SUFFIXES.privatesuffix(host) if host else None


def origin_of(link: str) -> tuple[str, str, int | None]:
    url = parse(link).normalize()
    return url.scheme, url.host, url.port


def site_of(link: str) -> tuple[str, str | None]:
    return parse(link).scheme, registrable_domain(link) or parse(link).host


def fetch_site(page: str, link: str) -> str:
    if origin_of(page) == origin_of(link):
        return "same-origin"
    return "same-site" if site_of(page) == site_of(link) else "cross-site"


def safe_redirect(target: str) -> bool:
    url = parse("https://shop.example/").click(target)
    return (url.scheme, url.host, url.port) == ("https", "shop.example", 443)


def safe_href(href: str) -> bool:
    return parse(href).scheme in ("", "http", "https", "mailto", "tel")


def block_internal(link: str) -> bool:
    host = parse(link).host
    if not host:
        raise ValueError("there is no host")
    try:
        return not ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." not in name or name.endswith((".local", ".internal", ".localhost"))


SECRETS = {"token", "access_token", "access-token", "api_key", "key", "password", "secret"}


def redact_for_log(link: str) -> str:
    url = parse(link)
    shown = [(name, "***" if name.lower() in SECRETS else value) for name, value in url.query]
    return text_of(url.replace(userinfo=(), query=shown, fragment=""))


def display_url(link: str) -> str:
    return parse(link).replace(userinfo=()).to_iri().to_text()


def idn_host(typed: str) -> tuple[str, str]:
    url = URL(scheme="https", host=typed).normalize()
    return url.to_uri().host, url.to_iri().host


def decode_path(link: str) -> list[str]:
    return list(parse(link).path)


def default_port(link: str) -> tuple[str, int | None]:
    url = parse(link)
    return url.to_uri().host, url.port


def host_or_none(link: str) -> str | None:
    try:
        return parse(link).normalize().to_uri().host or None
    except ValueError:
        return None


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").map_elements(host_or_none, return_dtype=pl.String))
    return frame["host"].to_list()


def count_hosts(lines: list[str]) -> dict[str, int]:
    return dict(Counter(host for line in lines if (host := host_or_none(line.strip()))))


def match_route(link: str) -> tuple[str, str] | None:
    url = parse(link).normalize()
    match url.path:
        case ("books", id) if url.host == "shop.example" and url.scheme == "https" and re.fullmatch("[0-9]+", id):
            return "book", id
        case ("users", name) if url.host == "shop.example" and url.scheme == "https":
            return "user", name
        case ("files", *rest) if url.host.endswith(".shop.example") and url.scheme == "https":
            return "file", "/".join(rest)
    return None


def api_client(base: str, path: str) -> str:
    root = base.rstrip("/") + "/"
    url = text_of(parse(root).click(path.lstrip("/")))
    if not url.startswith(root):
        raise ValueError(f"the path leaves the API: {path}")
    return url


def save_and_load(link: str) -> tuple[bool, str]:
    url = parse(link).normalize()
    seen = {url}
    return pickle.loads(pickle.dumps(url)) in seen, json.dumps({"url": url}, default=text_of)


def threads(link: str, pages: int) -> list[str]:
    start = parse(link)
    with ThreadPoolExecutor(8) as pool:
        return [text_of(url) for url in pool.map(lambda page: start.set("page", str(page)), range(pages))]


def authorization_header(link: str) -> tuple[str, str | None]:
    url = parse(link)
    if not any(url.userinfo):
        return text_of(url), None
    name, password = (*url.userinfo, "")[:2]
    return text_of(url.replace(userinfo=())), f"Basic {b64encode(f'{name}:{password}'.encode()).decode()}"


def convert(link: str) -> tuple[str, str]:
    theirs = yarl.URL(text_of(parse(link).normalize()), encoded=True)
    return str(theirs), text_of(parse(str(theirs)))


def explain_error(typed: str) -> str:
    try:
        url = parse(typed)
    except ValueError as error:
        return str(error)
    return "" if url.absolute else "a URL has a scheme and a host"
