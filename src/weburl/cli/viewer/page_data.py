"""What the viewer's page shows of a URL, a base and a pattern."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

from weburl import URL, InvalidURL, validate
from weburl._diagnosis.changes import changes
from weburl._diagnosis.story import story
from weburl._diagnosis.trace import Trace
from weburl._literal import parse
from weburl._patterns.constructor import components_of
from weburl._patterns.reach import compare, groups
from weburl.cli._messages import hide_credentials
from weburl.display import display_url, spoofing_risks
from weburl.hosts import Origin, parse_host, public_suffix, registrable_domain
from weburl.patterns import PatternError, URLPattern
from weburl.text import explain_redaction, redact_text

if TYPE_CHECKING:
    from weburl.robots import Robots

ERRORS: Final = 100  # the most that are shown
SECRETS: Final = 100
PARAMS: Final = 500


def page_of_url(text: str, base_text: str, pattern: str, *, robots: Robots | None = None) -> dict[str, Any]:
    """What the page shows: of a URL and, if they are not empty, a base and a pattern; and for a robots.txt."""
    base = URL.parse(base_text) if base_text else None
    result: dict[str, Any] = {
        # What may be in the address of the page, and so in the history of the browser.
        "address": {"url": hide_credentials(text), "base": hide_credentials(base_text)}
        | {"pattern": hide_credentials(pattern)},
        "base": errors_of(base_text, None) if base_text else {"errors": [], "count": 0},
    }
    if base_text and base is None:
        return result | {"errors": [], "count": 0, "parses": False}
    url = URL.parse(text, base)
    if pattern:
        result["pattern"] = matched(pattern, base, url)
    result |= errors_of(text, base) | {"parses": url is not None} | compared(text, base_text, url)
    result["redaction"] = hidden_in(text if url is None else url.href)
    if url is not None:
        trace = Trace(text, parse(base.href).url if base else None)
        literal = trace.run().url
        assert literal is not None
        result |= {
            "parts": list(parts(url)),
            "origin": url.origin,
            "display": display_url(url),
            **site_of(url),
            "params": list(islice(url.search_params, PARAMS)),
            "params_count": len(url.search_params),
            "risks": [f"{risk.label}: {risk.detail}" for risk in spoofing_risks(url)],
            "story": [step._asdict() for step in story(trace, text, literal)],
            "changes": [change._asdict() for change in changes(trace, text, literal)],
        }
        if robots is not None:
            said = robots.explain(text, base).partition("\n")
            result["robots"] = {"allowed": robots.allowed(text, base), "verdict": said[0], "why": said[2].split("\n")}
    return result


def errors_of(text: str, base: URL | None) -> dict[str, Any]:
    errors = validate(text, base)
    # The last one says why it fails.
    shown = errors if len(errors) <= ERRORS else [*errors[: ERRORS - 1], errors[-1]]
    return {"errors": [error._asdict() for error in shown], "count": len(errors)}


def parts(url: URL) -> Iterator[tuple[str, str, str]]:
    """The components of the href: the delimiter before each, its name, and its text."""
    yield "", "scheme", url.scheme
    before = ":"
    if url.host_type is not None:
        before = "://"
        for name, text in (("username", url.username), ("password", url.password)):
            if text:
                yield before + ":" * (name == "password"), name, text
                before = ""
        yield before + "@" * url.includes_credentials, "host", url.hostname
        before = ""
        if url.port:
            yield ":", "port", url.port
    elif not url.has_opaque_path and url.pathname.startswith("//"):
        before = ":/."
    yield before, "path", url.pathname
    if url.query is not None:
        yield "?", "query", url.query
    if url.fragment is not None:
        yield "#", "fragment", url.fragment


def hidden_in(text: str) -> dict[str, Any]:
    """What redact_text() hides in a text, where and why, and the text without that. It never has a secret."""
    hidden = explain_redaction(text)
    rows = [part._asdict() for part in hidden[:SECRETS]]
    return {"rows": rows, "count": len(hidden), "text": redact_text(text) if hidden else ""}


def site_of(url: URL) -> dict[str, str | None]:
    """The site, and the public suffix of its host. https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site"""
    origin = Origin.of(url)
    if origin.host is None:
        return {"site": None, "suffix": None}
    try:
        site = registrable_domain(origin.host) or origin.host
        return {"site": f"{origin.scheme}://{site}", "suffix": public_suffix(origin.host)}
    except ImportError as error:
        return {"site": None, "suffix": None, "no_list": str(error)}


def matched(text: str, base: URL | None, url: URL | None) -> dict[str, Any]:
    """How a URL matches a pattern, as in `URLPattern.explain`; or why the text is not a pattern, and where."""
    try:
        pattern = URLPattern(text, base)
    except PatternError as error:
        where = f" in the {error.component}" if error.component else ""
        # The place can be in the text of a component.
        return {"error": error.message + where, "position": error.position if error.pattern == text else None}
    if url is None:
        return {"error": None, "matches": False, "rows": [], "groups": []}
    texts = components_of(url, None)
    match = pattern._matcher.match_components(texts)
    return {
        "error": None,
        "matches": match is not None,
        "rows": [row._asdict() for row in compare(texts, pattern._components, pattern._mismatches(texts))],
        "groups": list(groups(match, pattern._components)),
    }


def compared(text: str, base: str, url: URL | None) -> dict[str, Any]:
    """The components by weburl and by urllib.parse: a name, two texts, and whether they are equal.

    `other_host` is the host by urllib.parse if a browser goes to another one.
    """
    ours: dict[str, str] = {}
    if url is not None:
        ours = {"href": url.href, "scheme": url.scheme, "username": url.username, "password": url.password}
        ours |= {"host": url.hostname, "port": url.port, "path": url.pathname}
        ours |= {"query": url.query or "", "fragment": url.fragment or ""}
    try:
        theirs = by_urllib(urljoin(base, text))
    except ValueError as error:
        rows = [[name, text, None, False] for name, text in ours.items()]
        return {"rows": rows, "urllib_error": str(error), "other_host": None}
    host = theirs["host"]
    is_other = bool(ours and host) and host_of(host, url) != ours["host"]
    rows = [[name, ours.get(name), text, ours.get(name) == text] for name, text in theirs.items()]
    return {"rows": rows, "urllib_error": None, "other_host": host if is_other else None}


def host_of(text: str, url: URL | None) -> str | None:
    try:
        return str(parse_host(text, opaque=url is not None and not url.is_special))
    except InvalidURL:
        return None


def by_urllib(text: str) -> dict[str, str]:
    split = urlsplit(text)
    host = split.hostname or ""
    try:
        port = "" if split.port is None else str(split.port)
    except ValueError as error:
        port = f"ValueError: {error}"
    return {
        "href": split.geturl(),
        "scheme": split.scheme,
        "username": split.username or "",
        "password": split.password or "",
        "host": f"[{host}]" if ":" in host else host,
        "port": port,
        "path": split.path,
        "query": split.query,
        "fragment": split.fragment,
    }
