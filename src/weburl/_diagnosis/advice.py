"""What a text was meant to be: better sentences for mistakes that people make often."""

from __future__ import annotations

import re
from typing import Final

from weburl._diagnosis.credentials import C0_CONTROL_OR_SPACE
from weburl._diagnosis.escapes import quoted

# How much of a text is looked at, and how much of it is shown.
READ: Final = 200
SCHEMES: Final = r"(?:https?|wss?|ftp|file)"
MISSING: Final = frozenset({"none", "null", "nil", "undefined", "nan", "nat", "<na>"})
PLACEHOLDER: Final = re.compile(r"\$?\{+[^{}/?#@]{0,40}\}+|%\([^()/@]{1,40}\)s|%s|<\w[\w. -]{0,40}>|\$\w+")
REPR: Final = re.compile(r"b['\"]|(?:URL|Url|ParseResult|SplitResult|furl|HttpUrl|AnyUrl|PosixPath|WindowsPath)\(")
QUOTED: Final = re.compile(rf"[\"'`<(\[\u201c\u2018\u00ab]+\s*{SCHEMES}:", re.IGNORECASE)
NO_COLON: Final = re.compile(rf"({SCHEMES})[;,.]?/+", re.IGNORECASE)
WINDOWS: Final = re.compile(r"\\\\[^\\/]+[\\/]|\.{0,2}\\\w")
RELATIVE: Final = re.compile(r"\.{0,2}[/?#]|\.{1,2}\Z")
MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
GIT: Final = re.compile(r"(\w[\w.-]*@[\w-]+(?:\.[\w-]+)*):([^/:@]+/[^:@]*)")
HOST: Final = re.compile(
    r"(?:localhost|(?:[\w-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
NEITHER: Final = re.compile(r"[^A-Za-z0-9+.-]")
ADDRESS: Final = re.compile("[0-9A-Fa-f:.]+")
URL_START: Final = re.compile(rf"[\s\x00-\x1f]*{SCHEMES}:", re.IGNORECASE)
HOST_AND_PORT: Final = re.compile(r"[^\s/?#\\@:\[\]]+:\d{1,5}")


def without_scheme(text: str) -> str | None:
    """On a text without a scheme, and without a base."""
    start = text[:READ].lstrip(C0_CONTROL_OR_SPACE)
    if "@" in text:
        # What is before it may be credentials, which no message quotes.
        return other_text(start)
    if not start:
        return "The URL is empty: write one, or check for a missing value first." if len(text) <= READ else None
    if start.strip().lower() in MISSING:
        return f"{quoted(start)} is the text of a missing value: check for it before you call str()."
    if not start[0].isprintable() and not start[0].isspace():
        return f"The URL starts with {quoted(start[0])}, which cannot be seen: remove it."
    if REPR.match(start):
        return "The text is the repr() of an object: decode bytes with .decode(), and write str(url) for a URL."
    placeholder = PLACEHOLDER.search(start.partition("://")[0] if "://" in start else start)
    if placeholder and placeholder.start() <= 1:
        return f"The URL starts with the placeholder {quoted(placeholder[0])}: put its value in first."
    if QUOTED.match(start):
        return f"The URL is in quotes or brackets: remove the {quoted(start[0])} before it, and the one after it."
    return without_colon(start) or other_text(start)


def without_colon(start: str) -> str | None:
    match = NO_COLON.match(start)
    if match:
        return f"The colon is missing after {quoted(match[1])}: write {match[1].lower()}://."
    scheme, colon, _ = start.partition("://")
    if not colon or len(scheme) > 30 or re.search(r"[/?#@\\]", scheme):
        return None
    if not scheme:
        return "The scheme is missing before '://': write https://, for example."
    wrong = NEITHER.search(scheme)
    if wrong and wrong[0] == " " and re.search(rf"\b{SCHEMES}\Z", scheme, re.IGNORECASE):
        return "There is text before the URL: remove it."
    if wrong:
        return f"A scheme has letters, digits, +, - and dots only, and {quoted(scheme)} has {quoted(wrong[0])}."
    return f"A scheme starts with a letter, and {quoted(scheme)} does not."


def other_text(start: str) -> str | None:
    if start.startswith("//"):
        return "Only the scheme is missing: write https: before the slashes, or give a base."
    if WINDOWS.match(start):
        return "This is a path of Windows: use URL.from_path(path, windows=True), with an absolute path."
    if start.startswith("~/"):
        return "This is a path of a file: use URL.from_path(os.path.expanduser(path))."
    if RELATIVE.match(start):
        or_path = " For a path of a file, use URL.from_path(path)." if start[0] == "/" else ""
        return f"This is a relative URL: give an absolute URL as the base, as in URL(url, base).{or_path}"
    git = GIT.match(start)
    if git:
        return "This is git's short form: write ssh://, and a slash in place of the colon after the host."
    if MAIL.fullmatch(start.strip()):
        return "This is an e-mail address: write mailto: before it."
    if "@" in start:
        return None
    if is_ipv6(start):
        return f"This is an IPv6 address: write http://[{start}]/."
    if HOST.fullmatch(start) and len(start) <= 60 and start.isprintable():
        is_local = start.startswith(("localhost", "127.", "["))
        return f"The URL has no scheme: write {'http' if is_local else 'https'}://{start}, or give a base."
    return None


def is_ipv6(text: str) -> bool:
    if not 2 <= len(text) <= 45 or text.count(":") < 2 or not ADDRESS.fullmatch(text):
        return False
    from ipaddress import IPv6Address

    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def without_brackets(text: str, position: int) -> str | None:
    """On an IPv6 address without brackets, at a place of a URL."""
    start, end = position, position
    while start > 0 and position - start < 45 and ADDRESS.fullmatch(text[start - 1]):
        start -= 1
    while end < len(text) and end - position < 45 and ADDRESS.fullmatch(text[end]):
        end += 1
    # A port after the address may be part of it: both readings need brackets.
    if is_ipv6(text[start:end]):
        return f"An IPv6 address in a URL is in brackets: write [{text[start:end]}]."
    return None


def placeholder_in(text: str, start: int, end: int) -> str | None:
    """On a placeholder that has not been replaced, around a place of a URL."""
    for match in PLACEHOLDER.finditer(text, max(0, start - 50), end + 50):
        if match.start() < max(end, start + 1) and start < match.end():
            return f"{quoted(match[0])} is a placeholder: put its value in first."
    return None


def not_a_host(text: str) -> str | None:
    """On a text that is given alone as a host."""
    if is_ipv6(text):
        return f"An IPv6 address as a host is in brackets: write [{text}]."
    if URL_START.match(text) and "//" in text:
        return "This is a URL, not a host: parse it with URL(), which has its hostname."
    if HOST_AND_PORT.fullmatch(text):
        return "This is a host and a port: give the port as port=."
    return None


def swapped(text: str, base: str) -> str | None:
    """On a base that does not parse, with a URL that needs none."""
    if URL_START.match(text) and not URL_START.match(base):
        return "the URL needs no base, so check the order of the arguments"
    if base and HOST.fullmatch(base[:READ]) and not base.startswith(("/", ".")):
        return "start it with a scheme, such as https://"
    return None
