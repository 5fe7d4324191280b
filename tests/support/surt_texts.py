"""Texts whose SURTs are compared with those of the library surt, and why they can differ."""

from __future__ import annotations

import re
from random import Random

from weburl import URL

HEX = "0123456789abcdefABCDEF0123456789"
ASP, LETTERS = "abcdefghijklmnopqrstuvwx", "ABCDEFGHIJKLMNOPQRSTUVWX"
SCHEMES = {
    "http://": 30,
    "https://": 30,
    "HTTP://": 3,
    "http:": 2,
    "ftp://": 3,
    "ws://": 2,
    "x://": 3,
    "file://": 1,
    "file:///": 1,
    "urn:": 1,
    "urn:pageinfo:http://": 1,
    "screenshot:http://": 1,
    "mailto:": 1,
    "data:": 1,
    "dns:": 1,
    "filedesc://": 1,
    "httpx:/": 1,
    "http://http://": 1,
    "javascript:": 1,
}
HOSTS = [
    "example.com",
    "www.example.com",
    "WWW2.Example.com",
    "www.www.com",
    "www.com",
    "wwwx.com",
    "www12.a.b.c",
    "1.2.3.4",
    "0x7f.1",
    "127.1",
    "[::1]",
    "[2001:db8:0::FF]",
    "a..b",
    "a.",
    "a...",
    "..a",
    ".",
    "xn--bcher-kva.de",
    "b\u00fccher.de",
    "fa\u00df.de",
    "localhost",
    "a,b",
    "a(b)",
    "a_b.c",
    "%41.com",
    "user@h.com",
    "u:p@www.h.com",
    "www.",
    "www1.",
]
PORTS = {"": 30, ":80": 2, ":443": 2, ":8080": 2, ":0": 1, ":": 1}
PATHS = [
    "/",
    "//",
    "/a",
    "/B",
    "/.",
    "/..",
    "/%2e%2e",
    "/%2E",
    "/index.html",
    "/%25%32%35",
    "%41",
    "%2f",
    "%3f",
    "%23",
    "%5c",
    "%",
    "\u00e9",
    "%e9",
    "%E2%82%AC",
    f"/(S({ASP}))",
    f"/(a({LETTERS})b({ASP}))",
    f"/({ASP})",
    "/p.aspx",
    ".ASPX",
    ";jsessionid=ABC",
    *"~&='\"<>{}|^` +,:@!$*\\#",
]
QUERIES = [
    "&",
    "=",
    "a=1",
    "b",
    "B=2",
    f"jsessionid={HEX}",
    f"PHPSESSID={HEX}",
    f"sid={HEX}",
    f"xsid={HEX}",
    f"sid={HEX}x",
    f"ASPSESSIONIDabcdefgh={LETTERS}",
    f"aspsessionidABCDEFG1={LETTERS}",
    "cfid=1&cftoken=2",
    "cfid=&cftoken=2",
    "cfid=1",
    "cftoken=3",
    "&&",
    "%26",
    "%3d",
    "%2541",
    "\u00e9",
    "?",
    "#",
    "%",
    "+",
    " ",
    "%20",
    f"s%69d={HEX}",
    "'",
    "\\",
]


def text(random: Random) -> str:
    scheme = random.choices([*SCHEMES], [*SCHEMES.values()])[0]
    host = random.choice(HOSTS) + random.choices([*PORTS], [*PORTS.values()])[0] if "//" in scheme[-2:] else ""
    path = "".join(random.choices(PATHS, k=random.randrange(7)))
    query = "?" + "".join(random.choices(QUERIES, k=random.randrange(6))) if random.random() < 0.6 else ""
    return scheme + host + path + query + random.choice(("", "", "", "#x"))


def why(given: str, theirs: str | None, ours: str) -> str:
    """The reason for which two SURTs differ; a question mark if there is none."""
    url = URL(given)
    # A browser strips spaces; all others in the host are refused.
    given = given.strip(" ")
    authority = re.match(r"\w+://([^/?#\\]*)", given)
    host = authority[1].rpartition("@")[2] if authority else ""
    if re.match(r"(https?://)+https?:/", given, re.IGNORECASE):
        return "a scheme twice"
    if url.scheme.startswith("http") and url.scheme not in ("http", "https"):
        return "a scheme that begins with http"
    if url.host_type == "opaque":
        return "the host of a scheme that browsers do not know"
    if "\\" in given:
        return "backslashes"
    if theirs is None:
        return "refused"
    if url.scheme == "file" and re.search(r"/[a-z]\|", given, re.IGNORECASE):
        return "the drive letter of a file URL"
    if url.scheme == "filedesc":
        return "a scheme whose URLs surt does not change"
    if url.scheme == "file" and host.partition(":")[0].lower() == "localhost":
        return "localhost in a file URL"
    if url.scheme in ("http", "https", "ftp", "ws", "wss", "file") and (
        authority is None or not host.partition(":")[0] or given[:7].lower() == "http:/?"
    ):
        return "no host after two slashes"
    if not host.isascii() or "%" in host or "xn--" in host:
        return "a host that is not ASCII, or escaped"
    if url.host_type == "ipv4" and not re.match(r"(\d+\.){3}\d+(:|$)", host):
        return "another spelling of an IPv4 address"
    if url.host_type == "ipv6" and theirs.partition(")")[2] == ours.partition(")")[2]:
        return "another spelling of an IPv6 address"
    if theirs.lower() == ours.lower():
        return "the case of a scheme"
    if re.search(r"[:/](?:\.|%2e){1,2}(?:[/?#\s]|$)", given, re.IGNORECASE) or host in (".", "..."):
        return "dot segments"
    if re.search(r":\d*$", host):
        return "the default port of ftp and ws"
    return "?"
