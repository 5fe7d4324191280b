"""What recipes of docs/cookbook say can go wrong: it does so, page by page, in the order of the recipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from weburl import URL, FrozenURL, InvalidURL, URLPattern, URLSearchParams, is_valid, join, normalize
from weburl.bulk import component_many, join_many, parse_lines, query_get_many, route_many
from weburl.crawl import (
    TRACKING_PARAMETERS,
    CrawlPolicy,
    DocumentBase,
    canonicalize,
    fingerprint,
    page_links,
    redirect_target,
)
from weburl.display import display_host
from weburl.hosts import (
    HostSet,
    Origin,
    is_private_host,
    is_private_url,
    is_safe_link,
    is_safe_redirect,
    registrable_domain,
    same_origin,
    url_host_matches,
)
from weburl.patterns import PatternList
from weburl.percent import percent_decode_text, percent_encode
from weburl.redact import LogPolicy, path_template, redact, redactions
from weburl.text import defang, find_urls, refang

PASSWORD = "https://ann:s3cret@example.com/"


def test_reading() -> None:
    assert URL.parse("www.example.com") is None
    assert URL.can_parse("javascript:alert(1)")
    assert not is_valid("https://example.com/a b")
    with pytest.raises(InvalidURL) as raised:
        URL("https://ann:s3cret@exa mple.com/")
    assert raised.value.error == "domain-to-ASCII"
    assert "s3cret" in str(raised.value.input)
    assert URL("localhost:8000").scheme == "localhost"
    assert URL("https://mailto:ann@example.com").username == "mailto"
    assert [registrable_domain(host) for host in ("192.0.2.7", "localhost", "co.uk")] == [None, None, None]
    assert "faß.de".encode("idna") == b"fass.de"
    assert URL("https://faß.de/").hostname == "xn--fa-hia.de"
    assert URL("https://example.com/a/").name == ""
    assert URL("https://example.com/a%2Fb%00").name == "a/b\0"
    assert percent_encode("https://a/", "component") == "https%3A%2F%2Fa%2F"
    assert percent_encode("%20", "component") == "%2520"
    assert percent_decode_text("a+b") == "a+b"
    assert URLPattern("https://example.com/books/:id").test("HTTPS://EXAMPLE.com:443/books/7")
    assert URLPattern(r"https://example.com/*\?page=*").test("https://example.com/a?page=1")


def test_changing() -> None:
    url = URL("http://old.example:8080/shop?page=2#top")
    assert url.replace(host="new.example").port == "8080"
    with pytest.raises(InvalidURL):
        url.replace(port="x")
    url.port = "x"
    assert url.port == "8080"
    assert join("https://example.com/docs", "setup") == "https://example.com/setup"
    assert (url / "a").href == "http://old.example:8080/shop/a"
    for segment in (".", ".."):
        with pytest.raises(InvalidURL):
            url / segment
    assert url.parent.join("a").pathname == url.join("../a").pathname == "/a"
    assert URL("https://example.com/").parent.href == "https://example.com/"
    built = URL.build(scheme="https", host="example.com", pathname="/50%25", query="q=%20")
    assert built.href == "https://example.com/50%25?q=%20"
    assert f"{URL(PASSWORD)}" == str(URL(PASSWORD)) == PASSWORD
    assert "s3cret" not in repr(URL(PASSWORD))
    for path in ("a.txt", "/a/../b"):
        with pytest.raises(InvalidURL):
            URL.from_path(path, windows=False)
    for path in ("C:a.txt", r"\a.txt"):
        with pytest.raises(InvalidURL, match="relative-path"):
            URL.from_path(path, windows=True)


def test_query_parameters() -> None:
    url = URL("https://example.com/?a=1&b=%2f&a=2")
    with pytest.raises(KeyError):
        url.search_params["c"]
    assert dict(url.search_params)["a"] == url.search_params["a"] == url.search_params.get("a") == "1"
    assert url.add_params({"X-Id": "7"}).href.endswith("?a=1&b=%2f&a=2&X-Id=7")
    for wrong in (None, True, 1.5):
        with pytest.raises(TypeError):
            url.with_params(a=wrong)  # type: ignore[arg-type]
    assert url.without_params("A").href == url.href
    assert url.without_params("a", "b").href == "https://example.com/"
    assert {"ref", "source"} & TRACKING_PARAMETERS == set()
    assert all("*" not in name[:-1] and "[" not in name and "?" not in name for name in TRACKING_PARAMETERS)
    assert str(URLSearchParams({"page": 2, "tag": ["a", 3]})) == "page=2&tag=a&tag=3"
    for wrong in (None, True, 1.5):
        with pytest.raises(TypeError):
            URLSearchParams({"page": wrong})
    assert URL("https://example.com/login?next=https://example.com/?a=1&b=2#top").search_params["b"] == "2"


def test_comparing() -> None:
    with pytest.raises(InvalidURL):
        normalize("no URL")
    assert fingerprint("https://example.com/") > 1 << 63
    with pytest.raises(TypeError):
        {URL("https://example.com/")}
    assert FrozenURL("https://example.com/#a") != FrozenURL("https://example.com/#b")
    assert canonicalize("https://example.com/?sid=0f9a") == "https://example.com/?sid=0f9a"
    default = CrawlPolicy(name="default")
    assert (default.remove_www, default.merge_schemes, default.remove_trailing_slash) == (False, False, False)
    for text in ("file:///a", "data:,x"):
        assert not same_origin(text, text)
    assert canonicalize("http://www.example.com/A", "surt") == canonicalize("https://example.com/a", "surt")


def test_safety() -> None:
    assert not is_private_url("https://example.com/")
    with pytest.raises(InvalidURL):
        is_private_host("http://localhost/")
    ads = HostSet(["ads.example.com"])
    assert [ads.match(URL(f"{scheme}://ads.example.com/")) for scheme in ("https", "wss", "ftp")] == [
        "ads.example.com", "ads.example.com", None,
    ]  # fmt: skip
    assert is_safe_link("https://evil.example/")
    url = URL("https://bank.example@evil.example/")
    assert url.includes_credentials
    assert not url.password
    for host in ("paypa1.com", "paypal.com.evil.example"):
        assert display_host(host) == host
    assert URL("https://example.com@evil.example/").hostname == "evil.example"
    native = URL("http://127.0.0.1:49152/callback")
    assert native.replace(port=None).href == "http://127.0.0.1/callback"
    assert not is_safe_redirect("https://shop.example.com/")
    assert is_safe_redirect("http://localhost:8000/", allow=[Origin.of("http://localhost:8000")])


def test_crawling() -> None:
    assert page_links("<a href=//[>", "https://example.com/")["href"].to_pylist() == [None]
    bases = ["https://a.example/x/", "https://b.example/"]
    assert join_many(bases, ["y", "y"]).to_pylist() == ["https://a.example/x/y", "https://b.example/y"]
    base = DocumentBase("https://example.com/", encoding="iso-8859-1")
    resolved = base.resolve("ß?ß")
    assert resolved is not None
    assert resolved.href == "https://example.com/%C3%9F?%DF"
    assert redirect_target(b"file:///etc/passwd", "https://example.com/").scheme == "file"
    text = b"caf\xc3\xa9".decode("latin-1")
    assert redirect_target(text, "https://example.com/") != redirect_target(
        text.encode("latin-1"), "https://example.com/"
    )
    assert not url_host_matches("https://example.com.evil.example/", ["example.com"])
    assert PatternList(["https://*/*"]).first("https://example.com:8443/") is None
    assert registrable_domain("ann.github.io") == "ann.github.io"
    table = parse_lines(b"no\nhttps://example.com/\n", ["href", "hostname"])
    assert table.to_pylist()[0] == {"href": None, "hostname": None}
    with pytest.raises(InvalidURL):
        parse_lines(b"no\n", ["href"], on_error="raise")


def test_logs() -> None:
    assert "swordfish" in redact("https://example.com/?x=swordfish")
    assert [span.text for span in find_urls("https://example.com/aのような")] == ["https://example.com/aのような"]
    assert [span.url.href for span in find_urls(r'{"u":"https:\/\/a.com"}', syntax="json")] == ["https://a.com/"]
    assert defang("see evil.com") == "see evil.com"
    assert refang(defang("see evil.com", bare=True), bare=True) == "see evil.com"
    names = ("customer_id", "customerId", "CUSTOMER-ID")
    shop = LogPolicy(name="shop", secret_names={"customer*"})
    for name in names:
        assert redact(f"https://example.com/?{name}=17", shop) == f"https://example.com/?{name}=REDACTED"
    assert "q8Zx" in redact("https://example.com/?token=q8Zx", shop)
    assert not any(redactions("https://example.com/?x=swordfish").values())
    assert path_template("/shop/red-shoes") == "/shop/red-shoes"
    routes = {"a book": "https://example.com/books/:id", "new books": "https://example.com/books/new"}
    assert route_many(["https://example.com/books/new"], routes)["route"].to_pylist() == ["a book"]
    log = ["no URL", "https://example.com/"]
    assert Counter(query_get_many(log, "utm_source")) == {None: 2}
    assert Counter(component_many(log, "hostname")) == {None: 1, "example.com": 1}


def test_json() -> None:
    with pytest.raises(TypeError):
        json.dumps({FrozenURL("https://example.com/"): 1}, default=str)
    assert "s3cret" in json.dumps(URL(PASSWORD), default=str)


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "links.txt").write_text("no URL\nhttps://example.com/?gclid=1\n")
    command = [sys.executable, "-m", "weburl", "--qtrim", "gclid", "-f", "links.txt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "\nhttps://example.com/\n"
    assert "1 of 2 lines is not a URL" in done.stderr
    done = subprocess.run([*command, "--invalid", "drop"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "https://example.com/\n"
