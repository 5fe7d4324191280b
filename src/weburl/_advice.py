"""What to write in place of an argument, or of a name, that is for another library.

Nothing imports this module until such an error is raised, and it imports nothing of weburl: it knows other libraries by
the names of their classes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

__all__ = ["NAMES", "no_attribute", "type_name", "wrong_type"]

# Arguments that are whole URLs.
URL_ARGUMENTS: Final = frozenset(
    {
        "a", "about_base_url", "b", "base", "base_href", "base_url", "document_url", "href", "location", "other", "ref",
        "target", "url",
    }
)  # fmt: skip
# Arguments that are URLs or other texts.
TEXT_ARGUMENTS: Final = frozenset({"data", "html", "input", "qs", "string", "text"})
# Arguments that are a part of a URL: the attribute that has it.
PART_OF: Final = {
    **dict.fromkeys(("host", "hostname", "domain", "entry", "entries", "hosts", "allow"), "hostname"),
    **dict.fromkeys(("params", "parameters", "init", "pairs"), "search_params"),
    **{name: name for name in ("fragment", "hash", "password", "pathname", "port", "protocol", "query")},
    **{name: name for name in ("path_segments", "scheme", "search", "username")},
}
OUR_URL: Final = "weburl.URL weburl.FrozenURL"
COLUMNS: Final = "urls refs hrefs texts"
# What to write for an argument of these names whose class is one of these. The first row that fits counts.
ROWS: Final = (
    ("path source file", OUR_URL, "use {}.to_path() for the path of a file URL"),
    ("input", "pathlib.PurePath", "use URL.from_path(input), or os.fspath(input) for a relative URL or a pattern"),
    ("pattern left right", OUR_URL, "use URLPattern({}.href)"),
    ("patterns routes", OUR_URL, "write [URLPattern({}.href)]"),
    ("href input text data location base_href string", OUR_URL, "use {}.href"),
    (COLUMNS, OUR_URL, "put it into a list, as in [url]"),
    ("patterns routes", "str weburl.URLPattern", "put it into a list, as in [pattern]"),
    (f"{COLUMNS} base", "str", "put it into a list, as in [text]"),
    (COLUMNS, "bytes bytearray memoryview", "parse_lines() takes lines"),
    (COLUMNS, "NoneType int float", "a column is a list, an array or a series"),
    ("path_segments", "str", "use pathname= for a whole path, or path_segments=[path_segments] for one segment"),
    ("query search", "dict list tuple weburl.URLSearchParams", "use params={}"),
    ("pairs", "str", "use parse_form(pairs) to read form data"),
    ("port", "bool", "write a number from 0 to 65535"),
    ("policy", "int", "the number of bits is a keyword, as in bits=128"),
    ("policy", "NoneType", "leave it out for the default"),
    ("policy", "list tuple set frozenset dict", "make a policy of them, with CrawlPolicy(...) or LogPolicy(...)"),
    ("segment", "list tuple", "add its items one by one, or use replace(path_segments=...)"),
    ("hosts entries allow patterns routes fields keys schemes kinds", "NoneType", "write [] for none"),
    ("path source file", "int", "a path is a text, such as 'urls.txt'"),
    ("input url", "weburl.URLPattern", "it is a pattern: use it as it is, or call its method test(url)"),
    ("other", "str", "use URL(other)"),
    ("left right", "str", "use URLPattern({})"),
    ("groups", "list tuple str", "write a mapping, as in {'id': '7'}"),
    ("init params", "int", "write a mapping, as in {'page': 2}"),
    ("function", "NoneType", "write a function of a URLSpan, as in lambda span: span.url.href"),
)  # fmt: skip
# Classes that stand for a URL or have one, by the package and the name of the class: the text of that URL.
URL_TEXTS: Final = {
    "ada_url.URL": "{}.href",
    "aiohttp.ClientResponse": "str({}.url)",
    "boltons.URL": "{}.to_text()",
    "bs4.Tag": "{}['href']",
    "can_ada.URL": "str({})",
    "crup.ParsedURL": "{}.href",
    "crup.URL": "{}.href",
    "django.HttpRequest": "{}.build_absolute_uri()",
    "django.__proxy__": "str({})",
    "furl.furl": "{}.url",
    "httpx.Request": "str({}.url)",
    "httpx.Response": "str({}.url)",
    "httpx.URL": "str({})",
    "httpx2.Request": "str({}.url)",
    "httpx2.Response": "str({}.url)",
    "httpx2.URL": "str({})",
    "hyperlink.DecodedURL": "{}.to_text(with_password=True)",
    "hyperlink.URL": "{}.to_text(with_password=True)",
    "ipaddress.IPv4Address": "f'http://{{{}}}/'",
    "ipaddress.IPv6Address": "f'http://[{{{}}}]/'",
    "lxml._Element": "{}.get('href')",
    "pydantic._BaseMultiHostUrl": "str({})",
    "pydantic._BaseUrl": "str({})",
    "pydantic_core.MultiHostUrl": "str({})",
    "pydantic_core.Url": "str({})",
    "pywhatwgurl.URL": "{}.href",
    "requests.PreparedRequest": "{}.url",
    "requests.Request": "{}.url",
    "requests.Response": "{}.url",
    "rfc3986.URIReference": "{}.unsplit()",
    "scrapy.Link": "{}.url",
    "scrapy.Request": "{}.url",
    "scrapy.Response": "{}.url",
    "sqlalchemy.URL": "{}.render_as_string(hide_password=False)",
    "starlette.Request": "str({}.url)",
    "starlette.URL": "str({})",
    "upa_url.URL": "{}.href",
    "urllib.DefragResult": "{}.url",
    "urllib.DefragResultBytes": "{}.url.decode()",
    "urllib.ParseResult": "{}.geturl()",
    "urllib.ParseResultBytes": "{}.geturl().decode()",
    "urllib.Request": "{}.full_url",
    "urllib.SplitResult": "{}.geturl()",
    "urllib.SplitResultBytes": "{}.geturl().decode()",
    "urllib3.Url": "{}.url",
    "weburl.Host": "f'https://{{{}}}/'",
    "werkzeug.Request": "{}.url",
    "yarl.URL": "str({})",
}
# Classes of Python itself that are none of a text.
TEXTS: Final = {
    "bytes": "decode it first, with {}.decode()",
    "bytearray": "decode it first, with {}.decode()",
    "memoryview": "decode it first, with bytes({}).decode()",
    "coroutine": "await it first",
    "function": "call it first",
    "method": "call it first",
    "builtin_function_or_method": "call it first",
    "Enum": "use {}.value",
    "Pattern": "use {}.pattern",
    "_IOBase": "read it first, with {}.read()",
}


# Arguments that are a mapping or pairs.
PARAMETERS: Final = ("init", "params", "parameters")
# Attributes that can be assigned to, which are keywords of build(), too.
PARTS: Final = ("username", "password", "host", "hostname", "port", "pathname", "search", "hash")
# Arguments and attributes that are removed by an empty text.
REMOVABLE: Final = frozenset({*PARTS, "fragment", "query"}) - {"host", "hostname"}


def wrong_type(value: object, must: str) -> TypeError:
    """The TypeError for an argument: `must` says what it has to be, and starts with its name."""
    hint = _hint(value, must)
    return TypeError(f"{must}, not {type_name(value)}{hint and ': '}{hint}")


def nearest(name: str, names: Iterable[str]) -> str:
    """A question that names what is nearest to a wrong name; empty if nothing is near."""
    near = _nearest(name, names)
    return f": did you mean {near}?" if near else ""


def _nearest(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in names}
    return "".join(by_lower[near] for near in get_close_matches(name.lower(), list(by_lower), 1))


# The names of `weburl.bulk`, from the table of verbs.
IN_BULK: Final = (
    "Column Table can_parse_many canonicalize_many common_crawl_many component_many defang_many find_urls_many "
    "fingerprint_many host_group_many host_in_many is_private_url_many join_many normalize_many parse_lines "
    "parse_many path_template_many pattern_extract_many pattern_test_many percent_decode_many query_get_many "
    "query_pairs_many query_values_many redact_many redact_text_many redactions_many refang_many robots_allowed_many "
    "route_many shard_many trap_key_many"
)  # tools/verb_pages.py
# The names of the public modules, without those that the package has itself.
MODULES: Final = {
    "archives": "ArchiveError ArchiveRecord read_warc",
    "bulk": IN_BULK,
    "crawl": "CrawlPolicy DocumentBase INDEX_NAMES ImportantParams LinkTable PageEncoding ParameterUse RobotsDirectives"
    " SurtPolicy TRACKING_PARAMETERS canonicalize fingerprint host_group important_params label_of link_header"
    " page_links redirect_target shard sitemap_links ssurt surt_range trap_key without_tracking",
    "display": "SpoofingRisk display_host display_url spoofing_risks",
    "errors": "",
    "forms": "parse_form serialize_form",
    "hosts": "Host HostSet Origin PublicSuffixList SkippedLine default_port domain_to_ascii domain_to_unicode"
    " host_matches"
    " is_private_host is_private_url is_safe_link is_safe_redirect is_special_scheme is_valid_domain is_valid_host"
    " parse_host public_suffix registrable_domain same_origin same_origin_domain same_site schemelessly_same_site"
    " url_host_matches",
    "patterns": "LearntRoutes PatternList URLPatternComponentResult URLPatternResult from_path_to_regexp learn_routes",
    "percent": "PercentEncodeSet percent_decode percent_decode_text percent_encode",
    "redact": "LogPolicy SECRET_NAMES TOKEN_NAMES path_template redact redactions",
    "robots": "Robots RobotsCache RobotsRule RobotsWarning product_token robots_allowed_many",
    "text": "Redaction URLSpan WEB_SCHEMES defang explain_redaction find_urls find_urls_many redact_text"
    " redact_text_many refang replace_urls",
    "validation": "",
}


# Functions of urllib.parse, and what to write.
OF_URLLIB: Final = {
    **dict.fromkeys(("urlparse", "urlsplit", "urldefrag"), "URL"),
    **dict.fromkeys(("urlunparse", "urlunsplit"), "URL.build"),
    **dict.fromkeys(("parse_qs", "parse_qsl", "urlencode"), "URLSearchParams"),
    **dict.fromkeys(("quote", "quote_plus", "quote_from_bytes"), "percent.percent_encode"),
    **dict.fromkeys(("unquote", "unquote_plus"), "percent.percent_decode_text"),
    "unquote_to_bytes": "percent.percent_decode",
    "urljoin": "join",
}


def not_in_package(name: str, own: Iterable[str]) -> str:
    """What to write for a name that the package does not have, but perhaps one of its modules."""
    message = f"module 'weburl' has no attribute {name!r}"
    if name in MODULES:
        return f"{message}: it is a module, so import weburl.{name} first"
    if name.startswith("_"):
        return message
    owners = {each: f"{module}." for module, names in MODULES.items() for each in names.split()}
    if name in owners:
        return f"{message}: use weburl.{owners[name]}{name}"
    if name in OF_URLLIB:
        return f"{message}: use weburl.{OF_URLLIB[name]}"
    near = _nearest(name, [*owners, *own, *MODULES])
    return f"{message}: did you mean weburl.{owners.get(near, '')}{near}?" if near else message


# The keywords of constructors.
KEYWORDS: Final = {
    "URL": ("url", "base", "encoding"), "FrozenURL": ("url", "base", "encoding"), "URLSearchParams": ("init",),
}  # fmt: skip
# Keywords of URL.build() that are none of these.
BUILD: Final = (*PARTS, "scheme", "protocol", "path_segments", "query", "params", "fragment")


def unknown_keyword(cls: type, error: TypeError) -> TypeError:
    """The TypeError of a call of a class, with its name; for a keyword that it does not have, with the nearest one."""
    message, text = " got an unexpected keyword argument ", str(error)
    if cls.__name__ not in KEYWORDS or not text.startswith("__init__() "):
        return error
    if not text.startswith(f"__init__(){message}"):
        return TypeError(f"{cls.__name__}{text.removeprefix('__init__')}")
    name = text.removeprefix(f"__init__(){message}").strip("'")
    if "url" in KEYWORDS[cls.__name__] and name in BUILD:
        return TypeError(f"{cls.__name__}(){message}{name!r}: use {cls.__name__}.build({name}=...)")
    if cls.__name__ == "URLSearchParams" and name != "params":
        return TypeError(f"URLSearchParams(){message}{name!r}: write parameters as a mapping, as in {{{name!r}: ...}}")
    return TypeError(f"{cls.__name__}(){message}{name!r}{nearest(name, KEYWORDS[cls.__name__])}")


def type_name(value: object) -> str:
    """The name of a class: `yarl.URL` or `int`."""
    cls = type(value)
    package = _package(cls)
    return cls.__name__ if package in ("builtins", "__main__") else f"{package}.{cls.__name__}"


def _package(cls: type) -> str:
    module = cls.__module__ if isinstance(cls.__module__, str) else ""
    package = module.partition(".")[0]
    # Python has these two one level down.
    return module if module in ("urllib.parse", "urllib.request", "__main__") else package.lstrip("_")


def _hint(value: object, must: str) -> str:
    name = must.partition(" must be ")[0]
    is_url = name in URL_ARGUMENTS
    row_name = "host" if must.endswith(" of a host") else name.removeprefix("an ").removeprefix("a ")
    if not name.isidentifier():
        # "a value must be", "row 3 must be"
        is_url, name = name.startswith("row "), "value"
    names = [(cls.__module__ or "", cls.__name__) for cls in type(value).__mro__]
    keys = [own if module == "builtins" else f"{module.partition('.')[0]}.{own}" for module, own in names]
    for arguments, classes, hint in ROWS:
        if row_name in arguments.split() and not set(keys).isdisjoint(classes.split()):
            return hint.replace("{}", name)
    part = PART_OF.get(row_name)
    if part is not None and not set(keys).isdisjoint(OUR_URL.split()):
        return f"use {'url' if name == part else name}.{part}"
    text = next((URL_TEXTS[key] for key in keys if key in URL_TEXTS), "")
    if text:
        return _instead_of_a_whole_url(text.format(name), name, part, is_url)
    for _, own in names:
        if own in TEXTS:
            return TEXTS[own].format(name)
    if hasattr(type(value), "__fspath__"):
        return f"use URL.from_path({name})" if is_url else f"use os.fspath({name})"
    if isinstance(value, type):
        return "this is the class itself"
    if value is None:
        return _instead_of_none(name, row_name, is_url)
    if is_url:
        return _instead_of_a_url(value, name)
    return _instead_of_a_text(value, name, must)


def _instead_of_a_whole_url(text: str, name: str, part: str | None, is_url: bool) -> str:
    if part is not None:
        return f"use URL({text}).{part}"
    if name in ("path", "source", "file"):
        return f"use URL({text}) for a URL"
    whole = f"use {text}"
    return whole if is_url or name == "value" or name in TEXT_ARGUMENTS else f"{whole} for a whole URL"


def _instead_of_none(name: str, row_name: str, is_url: bool) -> str:
    if is_url or name in TEXT_ARGUMENTS or name in ("path", "source", "file"):
        return "check for a missing value first"
    if name in PARAMETERS:
        return "leave it out for none"
    if row_name in ("protocol", "scheme"):
        return "every URL has a scheme"
    if row_name == "value":
        return "write '' for an empty one; without_params() or delete() removes a parameter"
    if name in REMOVABLE:
        return "write '' to remove it"
    return "check for a missing value first"


def _instead_of_a_url(value: object, name: str) -> str:
    if isinstance(value, dict):
        return f"use URL.build(**{name})"
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(type(value), "__next__"):
        return "pass its items one by one, or use weburl.bulk for a column"
    if isinstance(value, (int, float)):
        return "a URL is a text, such as 'https://example.com/'"
    if "url" in type(value).__name__.lower() or "uri" in type(value).__name__.lower():
        return "pass its text"
    return ""


def _instead_of_a_text(value: object, name: str, must: str) -> str:
    if name in ("host", "hostname") and isinstance(value, int):
        return f"use ipaddress.ip_address({name})"
    if isinstance(value, bool):
        return "write 'true' or 'false'" if name == "value" else ""
    is_number = isinstance(value, float) or (isinstance(value, str) and " str" not in must)
    if is_number and " int" in must and name != "value":
        return f"use int({name})"
    if name == "value" and hasattr(type(value), "__iter__") and not hasattr(type(value), "keys"):
        if " list " not in must:
            return "add a pair for each of its items"
        return "" if isinstance(value, (list, tuple)) else f"use list({name})"
    if name in PARAMETERS or (name == "name" and hasattr(type(value), "__iter__")):
        return ""
    if hasattr(type(value), "isoformat"):
        return f"use {name}.isoformat()"
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return ""
    return f"use str({name})"


# Names of other libraries, and of JavaScript, that URL and URLSearchParams do not have, and what to write.
NAMES: Final[dict[str, dict[str, str]]] = {
    "URL": {
        # urllib.parse
        "geturl": "href",
        "netloc": "host, username and password",
        "params": "search_params",
        "path": "pathname",
        # yarl
        "extend_query": "add_params(...)",
        "human_repr": "weburl.display.display_url(url)",
        "is_absolute": "nothing: every URL is absolute",
        "joinpath": "/, as in url / segment",
        "path_qs": "pathname + url.search",
        "query_string": "query",
        "raw_host": "hostname",
        "raw_path": "pathname",
        "raw_query_string": "query",
        "update_query": "with_params(...)",
        "user": "username",
        "with_fragment": "replace(fragment=...)",
        "with_host": "replace(hostname=...)",
        "with_name": "parent / name",
        "with_password": "replace(password=...)",
        "with_path": "replace(pathname=...)",
        "with_port": "replace(port=...)",
        "with_query": "with_params(...), or replace(query=...)",
        "with_scheme": "replace(scheme=...)",
        "with_user": "replace(username=...)",
        "without_query_params": "without_params(...)",
        # httpx, Starlette
        "copy_add_param": "add_params(...)",
        "copy_merge_params": "with_params(...)",
        "copy_remove_param": "without_params(name)",
        "copy_set_param": "with_params(...)",
        "copy_with": "replace(...)",
        "include_query_params": "with_params(...)",
        "remove_query_params": "without_params(...)",
        "replace_query_params": "replace(params=...)",
        "userinfo": "username and password",
        # furl, hyperlink, pydantic
        "args": "search_params",
        "add": "add_params(...)",
        "asdict": "parts()",
        "authority": "host, username and password",
        "child": "/, as in url / segment",
        "remove": "without_params(name)",
        "set": "replace(...)",
        "to_text": "href",
        "to_uri": "href",
        "unicode_host": "weburl.display.display_host(url)",
        "unicode_string": "href",
        "url": "href",
        # JavaScript
        "canParse": "can_parse",
        "searchParams": "search_params",
        "toJSON": "to_json()",
        "toString": "href",
        # What people guess.
        "domain": "hostname, or weburl.hosts.registrable_domain(url)",
        "filename": "name",
        "query_params": "search_params",
        "subdomain": "hostname, and weburl.hosts.registrable_domain(url) for the rest of it",
        "tld": "weburl.hosts.public_suffix(url)",
    },
    "URLSearchParams": {
        "add": "append",
        "copy": "URLSearchParams(params)",
        "extend": "append for each pair",
        "getAll": "get_all",
        "get_list": "get_all",
        "getall": "get_all",
        "getlist": "get_all",
        "lists": "to_dict_of_lists()",
        "multi_items": "items()",
        "poplist": "get_all and delete",
        "remove": "delete",
        "setlist": "update({name: values})",
        "toString": "str(params)",
        "to_dict": "dict(params), which has the first value of each name",
        "urlencode": "str(params)",
    },
}


def no_attribute(cls: type, name: str) -> AttributeError:
    """The AttributeError for a name that another library has."""
    own = next((each.__name__ for each in cls.__mro__ if name in NAMES.get(each.__name__, ())), "URL")
    return AttributeError(f"{cls.__name__} has no attribute {name!r}: {instead_of(own, name)}", name=name)


def instead_of(cls: str, name: str) -> str:
    instead = NAMES[cls][name]
    return instead.removeprefix("nothing: ") if instead.startswith("nothing") else f"use {instead}"
