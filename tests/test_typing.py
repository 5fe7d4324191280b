"""mypy --strict on a user's program, against the package as it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")

RIGHT = """
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import assert_type

from weburl import URL, InvalidURL, URLSearchParams, ValidationError, explain, is_valid, join, normalize, validate
from weburl import bulk, display, forms, hosts, percent

url = URL("http://u:p@h:8080/a/b?q#f")
assert_type(url, URL)
assert_type(URL("c", url), URL)
assert_type(URL("c", base="http://h/", encoding="latin1"), URL)
assert_type(URL(url), URL)
assert_type(URL.parse("c", "http://h/", encoding="utf-8"), URL | None)
assert_type(URL.parse(url), URL | None)
assert_type(URL.can_parse("c", url), bool)
assert_type(url.href, str)
assert_type(url.protocol, str)
assert_type(url.username, str)
assert_type(url.password, str)
assert_type(url.host, str)
assert_type(url.hostname, str)
assert_type(url.port, str)
assert_type(url.pathname, str)
assert_type(url.search, str)
assert_type(url.hash, str)
assert_type(url.origin, str)
assert_type(url.search_params, URLSearchParams)
assert_type(url.scheme, str)
assert_type(url.port_number, int | None)
assert_type(url.path_segments, tuple[str, ...] | None)
assert_type(url.query, str | None)
assert_type(url.fragment, str | None)
assert_type(url.ip_address, IPv4Address | IPv6Address | None)
assert_type(url.is_special, bool)
assert_type(url.has_opaque_path, bool)
assert_type(url.includes_credentials, bool)
assert_type(url.join("c"), URL)
assert_type(url.join(url), URL)
assert_type(url.join("?q", encoding="latin1"), URL)
assert_type(URL.from_path("/a"), URL)
assert_type(URL.from_path(b"/a", windows=None), URL)
assert_type(URL.from_path(Path("/a"), windows=False), URL)
assert_type(URL("file:///a").to_path(), str)
assert_type(URL("file:///C:/a").to_path(windows=True), str)
assert_type(url.replace(scheme="https", port=81, query=None, fragment=None), URL)
assert_type(url.replace(href="x:", protocol="x", username="", password="", host="h", port="1"), URL)
assert_type(url.replace(pathname="", search="", hash="", query="", fragment=""), URL)
assert_type(url.replace(path_segments=["a"], params={"a": "b"}), URL)
assert_type(url.replace(path_segments=iter("ab"), params=url.search_params), URL)
assert_type(URL.build(scheme="http", host="h", port=80, username="u", password="p", pathname="/", query=""), URL)
URL.build(scheme="x", host=IPv4Address("1.2.3.4"), port="80", path_segments=("a",), params=[["a", "b"]], fragment="")
URL.build(scheme="http", host=hosts.parse_host("h"), params=url.search_params)
URL.build(scheme="http", host=IPv6Address("::1"), port=None, pathname=None, query=None, fragment=None, params=None)
assert_type(URL.build(**url.parts()), URL)
assert_type(url.parts()["scheme"], str)
assert_type(url.parts()["hostname"], str | None)
assert_type(url.parts()["port"], int | None)
assert_type(url.parts()["query"], str | None)
assert_type(url / "a", URL)
assert_type(url.decoded_segments, tuple[str, ...] | None)
assert_type(url.serialize(), str)
assert_type(url.serialize(exclude_fragment=True), str)
assert_type(url.equals(url, exclude_fragments=True), bool)
assert_type(url.to_json(), str)
assert_type(url == url, bool)
assert_type(str(url), str)
assert_type(repr(url), str)
kind: str | None = url.host_type
if url.host_type == "ipv4":
    pass
url.href = "http://h/"
url.port = 80
url.port = "80"
url.protocol = url.username = url.password = url.host = url.hostname = url.pathname = url.search = url.hash = "x"
match url:
    case URL(href):
        assert_type(href, str)


class Sub(URL):
    pass


assert_type(Sub("http://h/"), Sub)
assert_type(Sub.parse("http://h/"), Sub | None)
assert_type(Sub.from_path("/a"), Sub)
assert_type(Sub("http://h/").join("x"), Sub)
assert_type(Sub("http://h/").replace(hash="x"), Sub)
assert_type(Sub.build(scheme="http", host="h"), Sub)
assert_type(Sub("http://h/") / "x", Sub)

params = url.search_params
assert_type(URLSearchParams("a=1"), URLSearchParams)
URLSearchParams(), URLSearchParams({"a": "1"}), URLSearchParams([("a", "1")]), URLSearchParams(params)
URLSearchParams(iter([("a", "1")])), URLSearchParams([["a", "1"]])
params.append("a", "1")
params.delete("a")
params.delete("a", "1")
params.set("a", "1")
params.sort()
assert_type(params.get("a"), str | None)
value_or: str | None = params.get("a", "b")
assert_type(params.get_all("a"), list[str])
assert_type(params.has("a"), bool)
assert_type(params.has("a", "1"), bool)
assert_type(params.size, int)
assert_type(len(params), int)
assert_type(params["a"], str)
params["a"] = "1"
del params["a"]
assert_type("a" in params, bool)
names: Iterator[str] = params.keys()
values: Iterator[str] = params.values()
items: Iterator[tuple[str, str]] = params.items()
for name, value in params:
    assert_type(name, str)
    assert_type(value, str)
assert_type(dict(params), dict[str, str])
assert_type(str(params), str)

assert_type(normalize("http://h", None), str)
assert_type(normalize("x", base=url), str)
assert_type(join(url, "x"), str)
assert_type(normalize("http://h/?x", encoding="latin1"), str)
assert_type(join(url, "?x", encoding="latin1"), str)
assert_type(validate("x", url, encoding="latin1"), list[ValidationError])
assert_type(explain("x", url, encoding="latin1"), str)
assert_type(display.display_host(url, max_width=20, omit_trivial_subdomains=True, isolate=False), str)
assert_type(display.display_url(url, omit_trivial_subdomains=True), str)
assert_type(hosts.default_port("http"), int | None)
assert_type(hosts.is_special_scheme("http:"), bool)

try:
    URL("x")
except InvalidURL as error:
    assert_type(error.input, str)
    assert_type(error.base, str | None)
    assert_type(error.error, str)
    wrong: ValueError = error

assert_type(percent.percent_encode("a", "path"), str)
assert_type(percent.percent_encode(b"a", "path"), str)
assert_type(percent.percent_encode("a", "special-query", encoding="latin1"), str)
assert_type(percent.percent_decode("a"), bytes)
assert_type(percent.percent_decode(b"a"), bytes)
assert_type(percent.percent_decode_text("a", errors="ignore"), str)
assert_type(forms.parse_form("a", encoding="utf-8", use_charset=True, isindex=True), list[tuple[str, str]])
assert_type(forms.parse_form(b"a"), list[tuple[str, str]])
assert_type(forms.serialize_form([("a", "b")], encoding="utf-8"), str)
assert_type(forms.serialize_form({"a": "b"}), str)
host = hosts.parse_host("h", opaque=False)
assert_type(host, hosts.Host)
assert_type(host.ip_address, IPv4Address | IPv6Address | None)
host_kind: str = host.host_type
assert_type(host.labels, tuple[str, ...])
assert_type(host.unicode, str)
assert_type(host.is_ip, bool)
assert_type(host < host, bool)
assert_type(sorted([host]), list[hosts.Host])
assert_type({host: 1}, dict[hosts.Host, int])
assert_type(url.host_value, hosts.Host | None)
assert_type(hosts.parse_host(url), hosts.Host)
def about_hosts(given: str | URL | hosts.Host | IPv4Address | IPv6Address) -> None:
    assert_type(hosts.parse_host(given), hosts.Host)
    assert_type(hosts.is_private_host(given), bool)
    assert_type(hosts.host_matches(given, ["h"]), bool)
    assert_type(hosts.registrable_domain(given), str | None)
    assert_type(hosts.public_suffix(given), str | None)
    assert_type(display.display_host(given, max_width=10), str)
    assert_type(display.spoofing_risks(given), tuple[display.SpoofingRisk, ...])

assert_type(hosts.is_private_url("http://h/"), bool)
assert_type(hosts.is_private_url(url), bool)
assert_type(hosts.url_host_matches(url, {"h"}, schemes=None), bool)
host_set = hosts.HostSet({"h", "*.example"})
assert_type(hosts.is_safe_redirect("/a"), bool)
assert_type(hosts.is_safe_redirect(url, allow=host_set), bool)
assert_type(hosts.is_safe_redirect(url, allow=["h", hosts.Origin.of(url)]), bool)
assert_type(hosts.is_safe_link(url), bool)
assert_type(host_set.match(url, schemes=None), str | None)
assert_type("h" in host_set, bool)
assert_type(list(host_set), list[str])
assert_type(hosts.HostSet.read("hosts.txt", on_skip=lambda line: print(line.reason)), hosts.HostSet)
assert_type(bulk.host_in_many(["http://h/"], host_set), bulk.Column)
assert_type(hosts.host_matches("h", host_set), bool)
assert_type(hosts.url_host_matches("http://h/", "h", schemes=["https"]), bool)
assert_type(bulk.is_private_url_many(["http://h/"], threads=1, on_error="raise"), bulk.Column)
assert_type(bulk.host_in_many(["http://h/"], ["h"], base=url, schemes="https"), bulk.Column)
assert_type(is_valid("a", kind="url-query"), bool)
assert_type(is_valid("a", "http://h/", kind="relative-url"), bool)
assert_type(hosts.is_valid_host("h", opaque=True), bool)
assert_type(str(host), str)
assert_type(hosts.domain_to_ascii("h", strict=True), str)
assert_type(hosts.domain_to_unicode("h"), str)
assert_type(hosts.is_valid_domain("h"), bool)
assert_type(hosts.is_valid_host("h"), bool)

from weburl import PatternError, URLPattern
from weburl.patterns import PatternList, URLPatternResult

pattern = URLPattern("/:id", url, ignore_case=True, regexp_groups=False)
assert_type(URLPattern(pathname="/:id", base_url=url), URLPattern)
assert_type(URLPattern({"pathname": "/:id"}), URLPattern)
assert_type(pattern.test("a", "http://h/"), bool)
assert_type(pattern.exec(url), URLPatternResult | None)
assert_type(pattern.match({"pathname": "/a"}), URLPatternResult | None)
assert_type(pattern.explain("a", url), str)
assert_type(pattern.pathname, str)
assert_type(pattern.generate("pathname", {"id": "7"}), str)
assert_type(URLPattern.compare("pathname", pattern, pattern), int)
if (match := pattern.exec("a")) is not None:
    assert_type(match["id"], str | None)
    assert_type(match.groups, dict[str, str | None])
    assert_type(match.pathname.input, str)
    assert_type(match.inputs, tuple[str | dict[str, str], ...])
assert_type(PatternError("x").position, int | None)
routes = PatternList([("a", "http://h/a"), ("b", pattern)], base=url)
assert_type(PatternList(["http://h/a", pattern]), PatternList)
assert_type(PatternList({"a": "http://h/a"}), PatternList)
assert_type(PatternList.read(Path("a")), PatternList)
assert_type(routes.first(url), tuple[str, URLPatternResult] | None)
assert_type(routes.all("a", base="http://h/"), list[tuple[str, URLPatternResult]])
"""

WRONG = {
    'weburl.URLPattern("http://h/").pathname = "/a"': "misc",
    'weburl.URLPattern("http://h/").exec("http://h/")["id"]': "index",
    'weburl.URLPattern(b"http://h/")': "arg-type",
    "weburl.URLPattern(pathname=5.5)": "arg-type",
    'weburl.URLPattern("http://h/").test(5)': "arg-type",
    'URL(b"http://h/")': "arg-type",
    "URL(None)": "arg-type",
    "URL()": "call-arg",
    'URL("http://h/").origin = "x"': "misc",
    'URL("http://h/").search_params = URLSearchParams()': "misc",
    'URL("http://h/").hash = 5': "assignment",
    'URL("http://h/").searchParams': "attr-defined",
    'URL("http://h/").replace(origin="x")': "call-arg",
    'URL("http://h/").replace(hash=5)': "arg-type",
    'URL("http://h/").port_number + 1': "operator",
    'URL.parse("http://h/").href': "union-attr",
    'URL.can_parse("x", 5)': "arg-type",
    'URLSearchParams().append("a", 1.5)': "arg-type",
    'URLSearchParams()["a"] = 1.5': "assignment|call-overload|arg-type",
    'URLSearchParams().get("a").upper()': "union-attr",
    "normalize(5)": "arg-type",
    'join("http://h/")': "call-arg",
    'percent.percent_encode(5, "path")': "arg-type",
    "URL.from_path(5)": "arg-type",
    'URL.from_path("/a", True)': "misc|call-arg",
    'URL("file:///a").to_path(windows="nt")': "arg-type",
    'join("http://h/", "x", "utf-8")': "misc|call-arg",
    "hosts.default_port(80)": "arg-type",
    'percent.percent_decode_text("a").decode()': "attr-defined",
    'forms.parse_form("a", "utf-8")': "misc|call-arg",
    'hosts.parse_host("h").host_type = "x"': "misc",
    'hosts.parse_host("h").labels = ()': "misc",
    "hosts.parse_host(1)": "arg-type",
    'hosts.Host("h")': "arg-type",
    "class Subclass(hosts.Host): pass": "misc",
    'hosts.parse_host("h") < "h"': "operator",
    'hosts.is_private_url(hosts.parse_host("h"))': "arg-type",
    'hosts.is_private_host(b"h")': "arg-type",
    'hosts.host_matches("h", ["h"], schemes=None)': "call-arg",
    "hosts.HostSet([b'h'])": "list-item",
    "b'h' in hosts.HostSet()": "operator",
    'is_valid("a", kind="no-kind")': "arg-type",
    'URL("http://h/").host_value.labels': "union-attr",
    'URL("http://h/").host_value = None': "misc",
    "weburl.nothing": "attr-defined",
}


def mypy(path: Path, cache: Path) -> list[str]:
    """What mypy says of the program; what it says of the package itself is for `make lint`."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(cache),
        str(path),
    ]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(path.name + ":")]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    return tmp_path / "program.py"


@pytest.mark.slow
def test_a_right_program(program: Path, mypy_cache: Path) -> None:
    program.write_text(RIGHT)
    assert mypy(program, mypy_cache) == []


def test_a_wrong_program(program: Path, mypy_cache: Path) -> None:
    head = [
        "import weburl",
        "from weburl import URL, URLSearchParams, forms, hosts, is_valid, join, normalize, percent",
    ]
    program.write_text("\n".join([*head, *WRONG]) + "\n")
    errors: dict[int, str] = {}
    for line in mypy(program, mypy_cache):
        if ": error: " in line:
            errors.setdefault(int(line.split(":")[1]), line)
    for number, (statement, codes) in enumerate(WRONG.items(), len(head) + 1):
        assert number in errors, statement
        assert any(f"[{code}]" in errors[number] for code in codes.split("|")), errors[number]
    assert set(errors) == set(range(len(head) + 1, len(head) + len(WRONG) + 1))


def test_the_types_are_of_the_package(program: Path, mypy_cache: Path) -> None:
    """Not of a stub that says Any."""
    program.write_text("from weburl import URL\nreveal_type(URL('x').href)\nreveal_type(URL)\n")
    lines = mypy(program, mypy_cache)
    assert lines[0].endswith(('type is "str"', 'type is "builtins.str"'))
    assert "encoding" in lines[1]
