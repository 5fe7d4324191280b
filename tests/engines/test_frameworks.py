"""The recipes of docs/frameworks.md, each run against the real package, and what people do around them."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import json
import os
import pickle
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import attrs
import click.testing
import fastapi
import fastapi.encoders
import fastapi.testclient
import flask
import httpx
import msgspec
import orjson
import pydantic
import pytest
import requests
import sqlalchemy
import sqlalchemy.orm
import yarl
from django.http import HttpResponseRedirect
from django_app import configure
from rows import ROWS
from support.pages import DOCS, PYTHON, blocks, run_examples

from weburl import URL, FrozenURL, InvalidURL, URLSearchParams
from weburl.ext.aiohttp import yarl_url
from weburl.ext.pydantic import URLConstraints
from weburl.hosts import Origin, is_safe_redirect, url_host_matches

SECRET = "hunter2"
WRONG = f"https://me:{SECRET}@a b/"
HREFS = list(dict.fromkeys(url.href for row in ROWS if row is not None and (url := URL.parse(row)) is not None))
# What other software likes to write in another way.
SPELLINGS = [
    URL(text).href
    for text in (
        "https://example.com/a|b^`{}~!$&'()*+,;=:@%7e%2f%2F%00",
        "https://example.com/?q=a+b%20c&&x=%2f&y=|'\"%ff;",
        "https://user:pa%3Ass@xn--bcher-kva.example:8080//a//../b?#",
        "https://example.com/?",
        "https://example.com/#",
        "http://[1::2]/",
        "mailto:me@example.com",
    )
]

PAGE = (DOCS / "frameworks.md").read_text("utf-8")
TITLES = re.findall(r"^## (.*)", PAGE, re.MULTILINE)


def recipe(title: str) -> str:
    """The program that follows a title."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    programs = [text for language, text in blocks(section) if language in PYTHON and not text.startswith(">>>")]
    assert len(programs) == 1, title
    return programs[0]


def run(title: str) -> dict[str, Any]:
    """What is defined by the recipe, pasted into a new file."""
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(recipe(title), title, "exec", dont_inherit=True), names)
    return names


def test_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    configure()
    # Classes ask for the module that they are from.
    monkeypatch.setitem(sys.modules, "frameworks", ModuleType("frameworks"))
    assert run_examples(DOCS / "frameworks.md") > 25


@pytest.mark.parametrize("title", TITLES)
def test_each_recipe_works_when_pasted(title: str) -> None:
    configure()
    text = recipe(title)
    assert len([line for line in text.splitlines() if line.strip()]) <= 10
    if "django" not in title.lower():  # a model can be defined once
        run(title)


def without_empty_parts(url: FrozenURL) -> str:
    """As software writes a URL that has no empty query and no empty fragment."""
    return url.replace(query=url.query or None, fragment=url.fragment or None).href


def serve(app: Any) -> fastapi.testclient.TestClient:
    return fastapi.testclient.TestClient(app, follow_redirects=False)


Web = Annotated[FrozenURL, URLConstraints(allowed_schemes=["http", "https"], no_credentials=True, max_length=2000)]


class Page(pydantic.BaseModel):  # type: ignore[misc]
    url: Web
    links: list[URL] = []
    by_url: dict[FrozenURL, int] = {}


def fastapi_app() -> fastapi.FastAPI:
    app = fastapi.FastAPI()

    @app.get("/query")  # type: ignore[untyped-decorator]
    def query(url: FrozenURL, more: Annotated[list[FrozenURL], fastapi.Query()] = []) -> list[FrozenURL]:  # noqa: B006
        assert type(url) is FrozenURL
        return [url, *more]

    @app.get("/path/{url:path}")  # type: ignore[untyped-decorator]
    def path(url: FrozenURL) -> FrozenURL:
        return url

    @app.post("/body")  # type: ignore[untyped-decorator]
    def body(page: Page) -> Page:
        return page

    @app.get("/unsaid")  # type: ignore[untyped-decorator]
    def unsaid(url: FrozenURL):  # type: ignore[no-untyped-def]
        return {"url": url}

    @app.get("/redirect")  # type: ignore[untyped-decorator]
    def redirect(url: FrozenURL) -> fastapi.Response:
        return fastapi.Response(status_code=307, headers={"Location": url.href})

    return app


def test_fastapi() -> None:
    client = serve(fastapi_app())
    for href in SPELLINGS:
        assert client.get("/query", params={"url": href, "more": ["x:y", href]}).json() == [href, "x:y", href]
        response = client.get("/redirect", params={"url": href})
        assert response.headers["location"] == href
    assert client.get("/path/http://a.example//b").json() == "http://a.example//b"
    assert client.get("/path/http://a.example/b?q").json() == "http://a.example/b"
    given = {"url": "HTTP://A", "links": ["http://b"], "by_url": {"http://c": 1}}
    expected = {"url": "http://a/", "links": ["http://b/"], "by_url": {"http://c/": 1}}
    assert client.post("/body", json=given).json() == expected


@pytest.mark.parametrize("text", [WRONG, f"ftp://me:{SECRET}@h/", f"http://me:{SECRET}@h/", f"http://me:{SECRET}@h:x/"])
def test_errors_of_fastapi(text: str) -> None:
    client = serve(fastapi_app())
    response = client.post("/body", json={"url": text})
    assert response.status_code == 422
    assert SECRET not in response.text
    (problem,) = response.json()["detail"]
    assert problem["type"] in ("url_parsing", "url_scheme", "url_credentials")
    assert problem["loc"] == ["body", "url"]
    if not URL.can_parse(text):
        response = client.get("/query", params={"url": text})
        assert response.status_code == 422
        assert SECRET not in response.text


def test_openapi() -> None:
    api = fastapi_app().openapi()
    uri = {"type": "string", "format": "uri", "minLength": 1}
    (parameter, more) = api["paths"]["/query"]["get"]["parameters"]
    assert parameter["in"] == "query"
    assert parameter["schema"] == {**uri, "title": "Url"}
    assert more["schema"]["items"] == uri
    assert api["paths"]["/path/{url}"]["get"]["parameters"][0]["schema"] == {**uri, "title": "Url"}
    properties = api["components"]["schemas"]["Page"]["properties"]
    assert properties["url"] == {**uri, "title": "Url", "maxLength": 2000}
    assert properties["links"]["items"] == uri
    answer = api["paths"]["/path/{url}"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {**uri, "title": answer["title"]}


def test_the_encoders_of_fastapi(monkeypatch: pytest.MonkeyPatch) -> None:
    url = FrozenURL("https://example.com")
    with pytest.raises(ValueError, match="not iterable"):
        fastapi.encoders.jsonable_encoder({"url": url})
    monkeypatch.setitem(fastapi.encoders.ENCODERS_BY_TYPE, FrozenURL, str)
    assert fastapi.encoders.jsonable_encoder({"url": url}) == {"url": "https://example.com/"}
    assert serve(fastapi_app()).get("/unsaid", params={"url": "HTTP://A"}).json() == {"url": "http://a/"}


# What targets of redirects are made of.
PIECES = "/ \\ // https: http: evil.example @ ? # %2f %5c . .. é : | %0a example.com www.example.com a \t \x00".split(
    " "
)


def test_redirects_to_safe_targets_stay() -> None:
    """Frameworks write a target anew for the header. A browser stays with what they write, too."""
    configure()
    login = run("Redirect to a `next` parameter")["login"]
    site = flask.Flask(__name__)
    source = random.Random(38)
    targets = {"".join(source.choices(PIECES, k=source.randrange(1, 7))) for _ in range(1500)}
    safe = [target for target in sorted(targets) if is_safe_redirect(target, allow=[Origin.of("https://example.com")])]
    assert 50 < len(safe) < len(targets) / 2
    for target in targets.difference(safe):
        with pytest.raises(fastapi.HTTPException):
            login(target)
    for target in safe:
        with site.app_context():
            written = [
                login(target).headers["Location"],
                flask.redirect(target).get_wsgi_headers({})["Location"],
                HttpResponseRedirect(target)["Location"],
            ]
        for location in written:
            for page in ("https://site.example/login/here", "http://site.example/?q"):
                assert url_host_matches(URL(location, page), ["=site.example", "example.com"]), (target, location)


def test_flask() -> None:
    app = run("Take a URL in Flask")["app"]
    app.json = run("Return URLs as JSON from Flask")["JSON"](app)
    app.add_url_rule("/go", "go", lambda: ("", 302, {"Location": FrozenURL(flask.request.args["url"]).href}))
    app.add_url_rule("/both", "both", lambda: {"url": URL("http://a"), "list": [FrozenURL("http://b")]})
    app.add_url_rule("/other", "other", lambda: {"other": object()})
    client = app.test_client()
    for href in SPELLINGS:
        assert client.get("/preview", query_string={"url": href}).json == {"url": href}
        location = client.get("/go", query_string={"url": href}).headers["Location"]
        assert location == without_empty_parts(FrozenURL(href)).replace("|", "%7C")
    assert client.get("/both").json == {"url": "http://a/", "list": ["http://b/"]}
    response = client.get("/preview", query_string={"url": WRONG})
    assert response.status_code == 400
    assert SECRET not in response.text
    assert client.get("/other").status_code == 500


def test_the_converter_of_flask() -> None:
    app = flask.Flask(__name__)
    app.url_map.converters["url"] = run("Have a URL in the path of a Flask route")["URLConverter"]
    app.url_map.merge_slashes = False
    app.add_url_rule("/go/<url:target>", "go", lambda target: {"url": str(target)})
    client = app.test_client()
    assert client.get("/go/no-URL").status_code == 404
    with app.test_request_context():
        for href in SPELLINGS:
            if not href.endswith("#"):
                assert client.get(flask.url_for("go", target=FrozenURL(href))).json == {"url": href}, href


def test_sqlalchemy() -> None:
    kind = run("Keep URLs in a column of SQLAlchemy")["URLType"]

    class Base(sqlalchemy.orm.DeclarativeBase):  # type: ignore[misc]
        pass

    class Page(Base):
        __tablename__ = "page"
        id = sqlalchemy.orm.mapped_column(sqlalchemy.Integer, primary_key=True)
        url = sqlalchemy.orm.mapped_column(kind(9999), unique=True)

    engine = sqlalchemy.create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    # SQLite ends a text at a null character, and it has UTF-8: URLs are ASCII.
    with sqlalchemy.orm.Session(engine) as session:
        session.add_all(Page(url=FrozenURL(href)) for href in HREFS)
        session.add(Page(url=None))
        session.commit()
        session.expire_all()
        urls = session.scalars(sqlalchemy.select(Page.url).order_by(Page.id)).all()
        assert [url and url.href for url in urls] == [*HREFS, None]
        assert {type(url) for url in urls} == {FrozenURL, type(None)}
        for href in HREFS[:50]:
            (found,) = session.scalars(sqlalchemy.select(Page).where(Page.url == FrozenURL(href)))
            assert found.url.href == href
            assert session.scalars(sqlalchemy.select(Page).where(Page.url.in_([FrozenURL(href)]))).one() is found
        assert session.scalars(sqlalchemy.select(Page.id).where(Page.url.startswith("http"))).all()
        assert session.scalars(sqlalchemy.select(Page.id).where(Page.url.is_(None))).one()
        found.url = FrozenURL("https://changed.example")
        assert session.is_modified(found)
        session.commit()
        session.add(Page(url=WRONG))
        with pytest.raises(sqlalchemy.exc.StatementError, match="domain-to-ASCII") as raised:
            session.commit()
        assert SECRET not in str(raised.value)
    raw = engine.raw_connection().cursor().execute("select count(*) from page where typeof(url) = 'text'")
    assert raw.fetchone() == (len(HREFS),)


def test_dataclasses_and_attrs() -> None:
    for title in ("Have a URL in a dataclass", "Have a URL in a class of attrs"):
        page = run(title)["Page"]
        assert (
            page("HTTPS://EXAMPLE.com") == page(FrozenURL("https://example.com/")) == page(URL("https://example.com"))
        )
        assert len({page(href) for href in HREFS} | {page(URL(href)) for href in HREFS}) == len(HREFS)
        assert type(page(URL("x:y")).url) is FrozenURL
        with pytest.raises(InvalidURL) as raised:
            page(WRONG)
        assert SECRET not in str(raised.value)

    @dataclasses.dataclass(frozen=True, order=True)
    class Link:
        # As a default, a URL that changes is refused.
        url: FrozenURL = FrozenURL("https://example.com")  # noqa: RUF009

    assert copy.deepcopy(Link()) == copy.copy(Link()) == Link()
    assert dataclasses.asdict(Link()) == {"url": FrozenURL("https://example.com")}
    assert dataclasses.replace(Link(), url=FrozenURL("x:y")) > Link()
    assert attrs.evolve(attrs.make_class("A", ["url"])(FrozenURL("x:y"))).url == FrozenURL("x:y")


def test_msgspec() -> None:
    names = run("Decode and encode URLs with msgspec")

    class Page(msgspec.Struct, frozen=True):  # type: ignore[misc, call-arg]
        url: FrozenURL
        more: list[URL] = []

    for module in (msgspec.json, msgspec.msgpack):
        for href in HREFS:
            page = Page(FrozenURL(href), [URL(href)])
            data = module.encode(page, enc_hook=names["enc_hook"])
            decoded = module.decode(data, type=Page, dec_hook=names["dec_hook"])
            assert decoded == page
            assert type(decoded.url) is FrozenURL
        for wrong in (WRONG, 5, None, ["https://a"]):
            data = module.encode({"url": wrong})
            with pytest.raises(msgspec.ValidationError, match=r"\$\.url") as raised:
                module.decode(data, type=Page, dec_hook=names["dec_hook"])
            assert SECRET not in str(raised.value)
    assert hash(Page(FrozenURL("x:y"), ())) == hash(Page(FrozenURL("x:y"), ()))
    with pytest.raises(NotImplementedError):
        msgspec.json.encode(object(), enc_hook=names["enc_hook"])


def test_json() -> None:
    assert run("Write URLs as JSON")["text"] == '{"url": "https://example.com/"}'
    for href in HREFS:
        for url in (URL(href), FrozenURL(href)):
            assert json.loads(json.dumps([url], default=str)) == [href]
            assert orjson.loads(orjson.dumps([url], default=str)) == [href]
    assert json.dumps([FrozenURL("x:y")], default=FrozenURL.to_json) == '["x:y"]'
    with pytest.raises(TypeError):
        json.dumps([object()], default=FrozenURL.to_json)
    with pytest.raises(TypeError, match="keys must be"):
        json.dumps({FrozenURL("x:y"): 1}, default=str)


def test_argparse() -> None:
    parser = run("Take a URL on the command line, with argparse")["parser"]
    for href in HREFS:
        assert parser.parse_args(["--", href]).url == FrozenURL(href)
    errors = io.StringIO()
    parser.exit_on_error = True
    with contextlib.redirect_stderr(errors), pytest.raises(SystemExit):
        parser.parse_args([WRONG])
    assert "argument url: domain-to-ASCII in 'https://***@a b/': " in errors.getvalue()
    assert SECRET not in errors.getvalue()


def test_click() -> None:
    kind = run("Take a URL on the command line, with click")["URLType"]

    @click.command()  # type: ignore[untyped-decorator]
    @click.argument("url", type=kind())  # type: ignore[untyped-decorator]
    @click.option("--proxy", type=kind(), default="http://gate.example")  # type: ignore[untyped-decorator]
    def get(url: FrozenURL, proxy: FrozenURL) -> None:
        assert type(url) is type(proxy) is FrozenURL
        click.echo(f"{url} {proxy}")

    runner = click.testing.CliRunner()
    assert runner.invoke(get, ["HTTPS://EXAMPLE.com"]).output == "https://example.com/ http://gate.example/\n"
    failed = runner.invoke(get, ["--", WRONG])
    assert failed.exit_code == 2
    assert "domain-to-ASCII in 'https://***@a b/': " in failed.output
    assert SECRET not in failed.output
    assert "--proxy URL" in runner.invoke(get, ["--help"]).output


def test_yarl() -> None:
    names = run("Convert to a yarl.URL, and back")
    kept = 0
    for href in [*HREFS, *SPELLINGS]:
        url = FrozenURL(href)
        if url.scheme not in ("http", "https"):
            continue
        # yarl's own parser has some limits for texts that are not from it.
        with contextlib.suppress(ValueError):
            converted = names["to_yarl"](url)
            expected = without_empty_parts(url)
            assert str(converted) == expected, href
            assert names["from_yarl"](converted).href == expected
            kept += 1
            if url.query == "":
                assert str(yarl_url(url)) == url.serialize(exclude_fragment=True)
    assert kept > 150
    assert str(names["from_yarl"](yarl.URL("https://example.com/ü?q=a b"))) == "https://example.com/%C3%BC?q=a+b"


class Echo(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.requestline}\r\n".encode("latin-1"))

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def origin() -> Any:
    with HTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("get", [requests.get, httpx.get], ids=["requests", "httpx"])
def test_clients(origin: str, get: Callable[..., Any]) -> None:
    names = run("Fetch a URL with requests, httpx or httpx2")
    assert names["prepared"].url == str(names["request"].url) == "https://example.com/a"
    sent = (lambda target: target.removesuffix("?")) if get is requests.get else str
    for target in ("/a%20b?q=%2F+x", "/?", "/"):
        response = get(str(FrozenURL(origin + target)), timeout=9)
        assert response.content == b"GET %s HTTP/1.1\r\n" % sent(target).encode()
        assert FrozenURL(str(response.url)).pathname == FrozenURL(origin + target).pathname


def test_what_clients_write_anew(origin: str) -> None:
    """As docs/frameworks.md says."""
    url = FrozenURL(f"{origin}/|?%2f")
    assert requests.get(str(url), timeout=9).content == b"GET /%7C?%2F HTTP/1.1\r\n"
    assert requests.get(url, timeout=9).content == b"GET /%7C?%2F HTTP/1.1\r\n"
    with pytest.raises(UnicodeError):
        httpx.Request("GET", str(FrozenURL("http://i❤.example")))
    with pytest.raises(TypeError, match="Expected str or httpx"):
        httpx.get(url)


# The block of docs/engines/httpx.md, and what it fetches and raises.
HTTPX2 = """
import httpx2
PROGRAM
from weburl.ext.httpx import NotFetched, build_request
allowed = Transport(is_refused=lambda host: False)
with httpx2.Client(transport=allowed) as client:
    assert fetch(client, ORIGIN + "/a|b?").body == b"GET /a|b? HTTP/1.1\\r\\n"
    assert client.send(build_request(client, "GET", ORIGIN + "/a|b")).content == b"GET /a|b HTTP/1.1\\r\\n"
with httpx2.Client(transport=Transport()) as client:
    for call in (lambda: fetch(client, ORIGIN), lambda: client.get(ORIGIN), lambda: fetch(client, "https://a b")):
        try:
            call()
        except httpx2.RequestError as error:
            assert isinstance(error, NotFetched), error
        else:
            raise AssertionError
assert httpx2.get(ORIGIN + "/a").content == b"GET /a HTTP/1.1\\r\\n"
"""


def test_httpx2(origin: str) -> None:
    page = (DOCS / "engines/httpx.md").read_text("utf-8").partition("## httpx2")[2]
    program = next(text for language, text in blocks(page) if language == "python")
    assert "alias_httpx()" in program
    head = program.partition("\nwith ")[0]
    text = HTTPX2.replace("PROGRAM", head).replace("ORIGIN", repr(origin))
    subprocess.run([sys.executable, "-c", text], check=True)


def test_clients_of_httpx_with_httpx2() -> None:
    """The tests of the adapter for httpx, with httpx2 in its place."""
    folder = Path(__file__).parent
    tests = [str(folder / f"test_clients_{name}.py") for name in ("errors", "origin")]
    # The plugin imports what pytest would rewrite, and AnyIO's own plugin is not needed.
    options = ["-p", "no:anyio", "-p", "aliased_httpx2", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-n", "0"]
    command = [sys.executable, "-m", "pytest", "-q", "-k", "httpx", *options, *tests]
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, cwd=folder.parents[1])
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 40


def test_pickles() -> None:
    for href in HREFS:
        for cls in (URL, FrozenURL):
            copied = pickle.loads(pickle.dumps(cls(href)))
            assert type(copied) is cls
            assert copied.href == href


@pytest.mark.parametrize(
    "name",
    [
        "starlette.datastructures.QueryParams",
        "httpx.QueryParams",
        "multidict.MultiDict",
        "werkzeug.datastructures.MultiDict",
        "django.http.QueryDict",
    ],
)
def test_mappings_with_several_values_keep_them(name: str) -> None:
    module, _, own = name.rpartition(".")
    pairs = [("a", "1"), ("a", "2&"), ("b", "\u00e9")]
    cls = getattr(pytest.importorskip(module), own)
    given = cls("a=1&a=2%26&b=%C3%A9", encoding="utf-8") if own == "QueryDict" else cls(pairs)
    assert list(URLSearchParams(given)) == pairs
    assert list(URL("https://h/?b=0&c=1").with_params(given).search_params) == [
        ("b", "\u00e9"), ("c", "1"), *pairs[:2],
    ]  # fmt: skip
