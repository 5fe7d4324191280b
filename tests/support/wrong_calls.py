"""Calls that people make and that are wrong, each with what weburl says. tools/message_page.py makes tables of them."""

# ruff: noqa: E501 (the messages are longer than a line)

from __future__ import annotations

from typing import Final, NamedTuple


class Group(NamedTuple):
    title: str
    # A call as text, and the message.
    calls: list[tuple[str, str]]


# Names that calls use, beside those of weburl: what each stands for.
NAMES: Final = {
    "url": "URL('https://example.com/')",
    "frozen": "FrozenURL('https://example.com/')",
    "params": "URLSearchParams('a=1')",
    "pattern": "URLPattern(pathname='/:id')",
    "routes": "weburl.patterns.PatternList(['https://example.com/:id'])",
    **{
        name: f"weburl.{module}.{name}"
        for module, names in (
            ("bulk", "fingerprint_many host_in_many join_many normalize_many parse_lines pattern_test_many route_many"),
            ("crawl", "DocumentBase fingerprint page_links redirect_target"),
            ("forms", "parse_form"),
            ("hosts", "HostSet default_port host_matches is_safe_redirect is_valid_domain parse_host same_origin"),
            ("patterns", "PatternList"),
            ("percent", "percent_encode"),
            ("text", "find_urls redact_text"),
        )
        for name in names.split()
    },
}
# The modules that calls use: those that are not Python's own need not be installed.
MODULES: Final = (
    "furl", "httpx", "hyperlink", "ipaddress", "pathlib", "pydantic", "requests", "urllib.parse", "yarl",
)  # fmt: skip

OTHERS: Final = Group(
    "Objects of other libraries",
    [
        ("URL(yarl.URL('https://example.com/'))", "url must be a str or a URL, not yarl.URL: use str(url)"),
        ("URL(httpx.URL('https://example.com/'))", "url must be a str or a URL, not httpx.URL: use str(url)"),
        (
            "URL(pydantic.HttpUrl('https://example.com/'))",
            "url must be a str or a URL, not pydantic.HttpUrl: use str(url)",
        ),
        ("URL(furl.furl('https://example.com/'))", "url must be a str or a URL, not furl.furl: use url.url"),
        (
            "URL(hyperlink.parse('https://example.com/'))",
            "url must be a str or a URL, not hyperlink.DecodedURL: use url.to_text(with_password=True)",
        ),
        (
            "URL(requests.Request('GET', 'https://example.com/'))",
            "url must be a str or a URL, not requests.Request: use url.url",
        ),
        (
            "URL(urllib.parse.urlsplit('https://example.com/'))",
            "url must be a str or a URL, not urllib.parse.SplitResult: use url.geturl()",
        ),
        (
            "URL(urllib.parse.urlparse(b'https://example.com/'))",
            "url must be a str or a URL, not urllib.parse.ParseResultBytes: use url.geturl().decode()",
        ),
        (
            "URL(pathlib.PurePosixPath('/a'))",
            "url must be a str or a URL, not pathlib.PurePosixPath: use URL.from_path(url)",
        ),
        (
            "URL(ipaddress.ip_address('::1'))",
            "url must be a str or a URL, not ipaddress.IPv6Address: use f'http://[{url}]/'",
        ),
        (
            "URL('a', yarl.URL('https://example.com/'))",
            "base must be a str, a URL or None, not yarl.URL: use str(base)",
        ),
        ("url.replace(href=yarl.URL('https://example.com/'))", "href must be a str, not yarl.URL: use str(href)"),
        (
            "normalize_many([httpx.URL('https://example.com/')])",
            "urls: row 0 must be a str, a URL or None, not httpx.URL: use str(value)",
        ),
        (
            "parse_host(yarl.URL('https://example.com/'))",
            "host must be a str, a Host, a URL or an address of ipaddress, not yarl.URL: use URL(str(host)).hostname",
        ),
    ],
)
TYPES: Final = Group(
    "Built-in types",
    [
        ("URL(b'https://example.com/')", "url must be a str or a URL, not bytes: decode it first, with url.decode()"),
        (
            "URL(memoryview(b'https://example.com/'))",
            "url must be a str or a URL, not memoryview: decode it first, with bytes(url).decode()",
        ),
        ("URL(5)", "url must be a str or a URL, not int: a URL is a text, such as 'https://example.com/'"),
        ("URL(None)", "url must be a str or a URL, not NoneType: check for a missing value first"),
        (
            "URL(['https://example.com/'])",
            "url must be a str or a URL, not list: pass its items one by one, or use weburl.bulk for a column",
        ),
        ("URL({'scheme': 'https'})", "url must be a str or a URL, not dict: use URL.build(**url)"),
        ("URL(lambda: 'https://example.com/')", "url must be a str or a URL, not function: call it first"),
        ("URL(URL)", "url must be a str or a URL, not type: this is the class itself"),
        ("join(None, 'a')", "base must be a str or a URL, not NoneType: check for a missing value first"),
        (
            "validate(b'https://example.com/')",
            "url must be a str or a URL, not bytes: decode it first, with url.decode()",
        ),
        ("setattr(url, 'port', 8080.0)", "port must be a str or an int, not float: use int(port)"),
        ("setattr(url, 'port', None)", "port must be a str or an int, not NoneType: write '' to remove it"),
        ("setattr(url, 'search', None)", "search must be a str, not NoneType: write '' to remove it"),
        ("url.replace(scheme=None)", "scheme must be a str, not NoneType: every URL has a scheme"),
        (
            "url.replace(hostname=5)",
            "hostname must be a str, a Host, an address of ipaddress or None, not int: use ipaddress.ip_address(hostname)",
        ),
        (
            "URL.build(scheme='http', host=2130706433)",
            "host must be a str, a Host, an address of ipaddress or None, not int: use ipaddress.ip_address(host)",
        ),
    ],
)
VALUES: Final = "a value must be a str, an int or a list of them, not"
PARAMETERS: Final = Group(
    "Parameters",
    [
        ("url.with_params(page=None)", f"{VALUES} NoneType: write '' for an empty one; without_params() or delete() removes a parameter"),
        ("URLSearchParams({'all': True})", f"{VALUES} bool: write 'true' or 'false'"),
        ("URL.build(scheme='http', host='h', params={'price': 1.5})", f"{VALUES} float: use str(value)"),
        ("url.add_params(tag={'a', 'b'})", f"{VALUES} set: use list(value)"),
        ("url.with_params(tag=(tag for tag in 'ab'))", f"{VALUES} generator: use list(value)"),
        ("URLSearchParams({'a': b'b'})", f"{VALUES} bytes: decode it first, with value.decode()"),
        ("url.replace(params='a=1')", "params must be a mapping or pairs, not str: use query= for a whole query"),
        ("url.with_params('a=1')", "params must be a mapping, pairs or keywords, not str: use replace(query=...) for a whole query"),
        ("url.without_params(['a', 'b'])", "a name must be a str, not list: write without_params(*names)"),
        ("url.replace(query={'a': '1'})", "query must be a str or None, not dict: use params=query"),
        ("params.set('a', 1.5)", "a value must be a str or an int, not float: use str(value)"),
        ("params.append('a', ['b', 'c'])", "a value must be a str or an int, not list: add a pair for each of its items"),
    ],
)  # fmt: skip
ATTRIBUTES: Final = Group(
    "Attributes of other libraries",
    [
        (
            "url.netloc",
            "URL has no attribute 'netloc': use host, username and password",
        ),
        ("url.path", "URL has no attribute 'path': use pathname"),
        ("url.replace(hots='example.com')", "replace() got an unexpected keyword argument 'hots': did you mean host?"),
        ("URL('/a', bse='https://example.com/')", "URL() got an unexpected keyword argument 'bse': did you mean base?"),
        ("url.params", "URL has no attribute 'params': use search_params"),
        ("setattr(url, 'path', '/a')", "URL has no attribute 'path': use pathname"),
        ("setattr(url, 'query', 'a=1')", "query is read-only: assign to search, or use replace(query=...)"),
        ("setattr(url, 'scheme', 'http')", "scheme is read-only: assign to protocol, or use replace(scheme=...)"),
        ("setattr(frozen, 'query', 'a=1')", "a FrozenURL does not change: use replace(query=...)"),
        ("url.is_absolute()", "URL has no attribute 'is_absolute': every URL is absolute"),
        ("url.without_query_params('a')", "URL has no attribute 'without_query_params': use without_params(...)"),
        ("url.copy_set_param('a', 1)", "URL has no attribute 'copy_set_param': use with_params(...)"),
        ("url.replace(parent='/a')", "replace() has no parent: use path_segments"),
        (
            "URL(scheme='https', host='h')",
            "URL() got an unexpected keyword argument 'scheme': use URL.build(scheme=...)",
        ),
        (
            "URLSearchParams(page=2)",
            "URLSearchParams() got an unexpected keyword argument 'page': write parameters as a mapping, as in {'page': ...}",
        ),
        ("URL()", "URL() takes at least 1 positional argument (0 given)"),
        ("params.copy()", "URLSearchParams has no attribute 'copy': use URLSearchParams(params)"),
        ("url.geturl()", "URL has no attribute 'geturl': use href"),
        ("url.query_params", "URL has no attribute 'query_params': use search_params"),
        ("url.searchParams", "URL has no attribute 'searchParams': use search_params"),
        ("url.with_host('h')", "URL has no attribute 'with_host': use replace(hostname=...)"),
        ("url.copy_with(port=1)", "URL has no attribute 'copy_with': use replace(...)"),
        ("url.raw_path", "URL has no attribute 'raw_path': use pathname"),
        ("url.toString()", "URL has no attribute 'toString': use href"),
        ("params.getlist('a')", "URLSearchParams has no attribute 'getlist': use get_all"),
        ("params.add('a', 'b')", "URLSearchParams has no attribute 'add': use append"),
    ],
)
NO_SCHEME = "missing-scheme-non-relative-URL in"
WITHOUT_SCHEME: Final = Group(
    "Texts without a scheme",
    [
        ("URL('example.com')", f"{NO_SCHEME} 'example.com': The URL has no scheme: write https://example.com, or give a base."),
        ("URL('www.example.com/a?b')", f"{NO_SCHEME} 'www.example.com/a?b': The URL has no scheme: write https://www.example.com/a?b, or give a base."),
        ("URL('127.0.0.1:8000')", f"{NO_SCHEME} '127.0.0.1:8000': The URL has no scheme: write http://127.0.0.1:8000, or give a base."),
        ("URL('::1')", f"{NO_SCHEME} '::1': This is an IPv6 address: write http://[::1]/."),
        ("URL('//example.com/a')", f"{NO_SCHEME} '//example.com/a': Only the scheme is missing: write https: before the slashes, or give a base."),
        ("URL('/a/b')", f"{NO_SCHEME} '/a/b': This is a relative URL: give an absolute URL as the base, as in URL(url, base). For a path of a file, use URL.from_path(path)."),
        ("URL('../a')", f"{NO_SCHEME} '../a': This is a relative URL: give an absolute URL as the base, as in URL(url, base)."),
        ("URL('?a=1')", f"{NO_SCHEME} '?a=1': This is a relative URL: give an absolute URL as the base, as in URL(url, base)."),
        ("URL('a.html')", f"{NO_SCHEME} 'a.html': The URL has no scheme: write https://a.html, or give a base."),
        ("URL('')", f"{NO_SCHEME} '': The URL is empty: write one, or check for a missing value first."),
        ("URL('None')", f"{NO_SCHEME} 'None': 'None' is the text of a missing value: check for it before you call str()."),
        ("URL(str(b'https://example.com/'))", f"{NO_SCHEME} \"b'https://example.com/'\": The text is the repr() of an object: decode bytes with .decode(), and write str(url) for a URL."),
        ("URL(repr(url))", f"{NO_SCHEME} \"URL('https://example.com/')\": The text is the repr() of an object: decode bytes with .decode(), and write str(url) for a URL."),
        ("URL('{base}/a')", f"{NO_SCHEME} '{{base}}/a': The URL starts with the placeholder '{{base}}': put its value in first."),
        ("URL('${HOST}/a')", f"{NO_SCHEME} '${{HOST}}/a': The URL starts with the placeholder '${{HOST}}': put its value in first."),
        ("URL('%s/a')", f"{NO_SCHEME} '%s/a': The URL starts with the placeholder '%s': put its value in first."),
        ("URL('<https://example.com/>')", f"{NO_SCHEME} '<https://example.com/>': The URL is in quotes or brackets: remove the '<' before it, and the one after it."),
        ("URL('see https://example.com/')", f"{NO_SCHEME} 'see https://example.com/': There is text before the URL: remove it."),
        ("URL('http//example.com')", f"{NO_SCHEME} 'http//example.com': The colon is missing after 'http': write http://."),
        ("URL('://example.com')", f"{NO_SCHEME} '://example.com': The scheme is missing before '://': write https://, for example."),
        ("URL('my_app://a')", f"{NO_SCHEME} 'my_app://a': A scheme has letters, digits, +, - and dots only, and 'my_app' has '_'."),
        ("URL('\\ufeffhttps://example.com/')", f"{NO_SCHEME} '\\ufeffhttps://example.com/': The URL starts with '<U+FEFF>', which cannot be seen: remove it."),
        ("URL('me@example.com')", f"{NO_SCHEME} '***@example.com': This is an e-mail address: write mailto: before it."),
        ("URL('git@example.com:a/b.git')", f"{NO_SCHEME} '***@example.com:a/b.git': This is git's short form: write ssh://, and a slash in place of the colon after the host."),
        (r"URL('\\\\server\\share\\a')", rf"{NO_SCHEME} '\\\\server\\share\\a': This is a path of Windows: use URL.from_path(path, windows=True), with an absolute path."),
        ("URL('~/a')", f"{NO_SCHEME} '~/a': This is a path of a file: use URL.from_path(os.path.expanduser(path))."),
        ("URL.from_path('a/b', windows=False)", "relative-path in the POSIX path 'a/b': The path is not absolute: resolve it first, with os.path.abspath()."),
        (r"URL.from_path('C:\\a', windows=False)", r"relative-path in the POSIX path 'C:\\a': An absolute path starts with /; this is a Windows path, which needs windows=True."),
    ],
)  # fmt: skip
HOSTS: Final = Group(
    "Hosts and ports",
    [
        ("URL('https://')", "host-missing in 'https://': The host is missing: write it here."),
        ("URL('http://::1/')", "host-missing in 'http://::1/': An IPv6 address in a URL is in brackets: write [::1]."),
        ("URL('http://2001:db8::1/')", "port-invalid in 'http://2001:db8::1/': An IPv6 address in a URL is in brackets: write [2001:db8::1]."),
        ("URL('http://[fe80::1%eth0]/')", "IPv6-invalid-code-point in 'http://[fe80::1%eth0]/': A URL cannot have the zone of an IPv6 address: remove the % and what follows it."),
        ("URL('http://[::1/')", "IPv6-unclosed in 'http://[::1/': The IPv6 address '[::1' does not end with a bracket: write ] after the address."),
        ("URL('http://1.2.3.256/')", "IPv4-out-of-range-part in 'http://1.2.3.256/': The IPv4 address has '256', above 255: write four numbers up to 255."),
        ("URL('https://exa mple.com/')", "domain-to-ASCII in 'https://exa mple.com/': The label 'exa mple' of the domain has ' ', which no domain can have."),
        ("URL('https://a_b.exa mple/')", "domain-to-ASCII in 'https://a_b.exa mple/': The label 'exa mple' of the domain has ' ', which no domain can have."),
        ("URL('https://<host>/')", "domain-to-ASCII in 'https://<host>/': '<host>' is a placeholder: put its value in first."),
        ("URL('https://%s/')", "domain-to-ASCII in 'https://%s/': '%s' is a placeholder: put its value in first."),
        ("URL('http://localhost:{port}/')", "port-invalid in 'http://localhost:{port}/': '{port}' is a placeholder: put its value in first."),
        ("URL('http://localhost:http/')", "port-invalid in 'http://localhost:http/': A port cannot have 'h': write digits only."),
        ("URL('http://localhost:99999/')", "port-out-of-range in 'http://localhost:99999/': The port '99999' is too large: the largest is 65535."),
        ("URL('https://me:pass#word@example.com/')", "port-invalid in 'https://***@example.com/': The port is not valid: if a password starts here, percent-encode / ? # and \\ in it."),
        ("URL('https://me:secret@exa mple.com/')", "domain-to-ASCII in 'https://***@exa mple.com/': The label 'exa mple' of the domain has ' ', which no domain can have."),
        ("url.replace(hostname='::1')", "host-missing in the hostname '::1': An IPv6 address as a host is in brackets: write [::1]."),
        ("url.replace(hostname='example.com:80')", "ignored in the hostname 'example.com:80': This is a host and a port: pass it as host=, or pass the port as port=."),
        ("url.replace(hostname='a_b c')", "domain-to-ASCII in the hostname 'a_b c': The label 'a_b c' of the domain has ' ', which no domain can have."),
        ("url.replace(host='https://example.com/')", "domain-to-ASCII in the host 'https://example.com/': This is a URL, not a host: parse it with URL(), which has its hostname."),
        ("url.replace(hostname='example.com/a')", "domain-to-ASCII in the hostname 'example.com/a': A host cannot have '/': remove it."),
        ("url.replace(port='http')", "port-invalid in the port 'http': The port is not a number: write its digits alone, such as 8080."),
        ("url.replace(port=':8080')", "port-invalid in the port ':8080': The port is not a number: write its digits alone, such as 8080."),
        ("url.replace(port=-1)", "port-invalid in the port '-1': A port is not negative: write a number from 0 to 65535, or None for the scheme's default."),
        ("url.replace(host='example.com:80', port=81)", "replace() takes the port in host or as port, not both: use hostname for a host without a port"),
        ("url.replace(port=70000)", "port-out-of-range in the port '70000': The port '70000' is too large: the largest is 65535."),
        ("url.replace(scheme='https://')", "scheme-invalid in the scheme 'https://': A scheme is a letter, then letters, digits, +, - and dots, without its colon."),
        ("URL.build(scheme='https', host='::1')", "domain-to-ASCII in the host '::1': An IPv6 address as a host is in brackets: write [::1]."),
        ("URL.build(scheme='https', hostname='example.com:80')", "domain-to-ASCII in the hostname 'example.com:80': This is a host and a port: pass it as host=, or pass the port as port=."),
        ("parse_host('https://example.com/')", "domain-to-ASCII in the host 'https://example.com/': This is a URL, not a host: use URL(url).host_value."),
        ("parse_host('example.com:80')", "domain-to-ASCII in the host 'example.com:80': This is a host and a port: leave out the colon and the port."),
    ],
)  # fmt: skip
BASES: Final = Group(
    "Bases",
    [
        ("URL('a', 'example.com')", "base: The base 'example.com' does not parse (missing-scheme-non-relative-URL): start it with a scheme, such as https://."),
        ("URL('https://example.com/', '/a')", "base: The base '/a' does not parse (missing-scheme-non-relative-URL): the URL needs no base, so check the order of the arguments."),
        ("URL('a', 'mailto:me@example.com')", f"{NO_SCHEME} 'a': The base is a 'mailto' URL with an opaque path: only a fragment can be relative to it."),
    ],
)  # fmt: skip
WHERE: Final = Group(
    "Wrong arguments of functions",
    [
        ("url.replace(path_segments='a/b')", 'path_segments must be an iterable of str, not str: use pathname= for a whole path, or path_segments=[path_segments] for one segment'),
        ("URL.build(scheme='https', host=url)", 'host must be a str, a Host, an address of ipaddress or None, not weburl.URL: use host.hostname'),
        ('url.replace(host=url)', 'host must be a str, a Host, an address of ipaddress or None, not weburl.URL: use host.hostname'),
        ("url.replace(hostname=yarl.URL('https://example.com/'))", 'hostname must be a str, a Host, an address of ipaddress or None, not yarl.URL: use URL(str(hostname)).hostname'),
        ('URLPattern(hostname=url)', 'hostname must be a str, a Host, an address of ipaddress or None, not weburl.URL: use url.hostname'),
        ("is_safe_redirect('/a', allow=url)", 'allow must be hosts and origins, not weburl.URL: use allow.hostname'),
        ("is_safe_redirect('/a', ['example.com'])", 'is_safe_redirect() takes the allowed hosts by name: write is_safe_redirect(target, allow=...)'),
        ('is_safe_redirect(None)', 'target must be a str or a URL, not NoneType: if there may be none, write target or ""'),
        ('url.join(None)', 'ref must be a str or a URL, not NoneType: check for a missing value first'),
        ("url.join(yarl.URL('https://example.com/'))", 'ref must be a str or a URL, not yarl.URL: use str(ref)'),
        ('join(url, None)', 'ref must be a str or a URL, not NoneType: check for a missing value first'),
        ('url / 1', 'a segment must be a str, not int: use str(value)'),
        ('url / None', 'a segment must be a str, not NoneType: check for a missing value first'),
        ("url / pathlib.PurePosixPath('a')", 'a segment must be a str, not pathlib.PurePosixPath: use os.fspath(value)'),
        ("url / ['a', 'b']", 'a segment must be a str, not list: add its items one by one, or use replace(path_segments=...)'),
        ('url.replace(query={})', 'query must be a str or None, not dict: use params=query'),
        ("url.replace(search=[('a', '1')])", 'search must be a str, not list: use params=search'),
        ('url.replace(port=True)', 'port must be a str or an int, not bool: write a number from 0 to 65535'),
        ("redirect_target(yarl.URL('https://example.com/'), url)", 'location must be bytes or a str, not yarl.URL: use str(location)'),
        ("redirect_target('/a', None)", 'base must be a str or a URL, not NoneType: check for a missing value first'),
        ("redact_text(yarl.URL('https://example.com/'))", 'text must be a str or bytes, not yarl.URL: use str(text)'),
        ("redact_text(io.StringIO('a'))", 'text must be a str or bytes, not io.StringIO: read it first, with text.read()'),
        ("redact_text(io.BytesIO(b'a'))", 'text must be a str or bytes, not io.BytesIO: read it first, with text.read()'),
        ("find_urls(re.compile('a'))", 'text must be a str or bytes, not re.Pattern: use text.pattern'),
        ('redact_text(None)', 'text must be a str or bytes, not NoneType: check for a missing value first'),
        ('find_urls(url)', 'text must be a str or bytes, not weburl.URL: use text.href'),
        ("percent_encode(yarl.URL('https://example.com/'), 'path')", 'text must be a str or bytes, not yarl.URL: use str(text)'),
        ("percent_encode(None, 'path')", 'text must be a str or bytes, not NoneType: check for a missing value first'),
        ('parse_form(url)', 'data must be a str or bytes, not weburl.URL: use data.href'),
        ('parse_form(None)', 'data must be a str or bytes, not NoneType: check for a missing value first'),
        ('default_port(url)', 'scheme must be a str, not weburl.URL: use url.scheme'),
        ('default_port(None)', 'scheme must be a str, not NoneType: every URL has a scheme'),
        ("URL.from_path(yarl.URL('https://example.com/'))", 'path must be a str, bytes or a path, not yarl.URL: use URL(str(path)) for a URL'),
        ('URL.from_path(url)', 'path must be a str, bytes or a path, not weburl.URL: use path.to_path() for the path of a file URL'),
        ('URL.from_path(None)', 'path must be a str, bytes or a path, not NoneType: check for a missing value first'),
        ('HostSet([url])', 'an entry must be a str, not weburl.URL: use value.hostname'),
        ("HostSet([yarl.URL('https://example.com/')])", 'an entry must be a str, not yarl.URL: use URL(str(value)).hostname'),
        ('HostSet(None)', 'entries must be hosts, not NoneType: write [] for none'),
        ("host_matches('example.com', url)", 'hosts must be a HostSet or entries, not weburl.URL: use hosts.hostname'),
        ("same_origin(url, yarl.URL('https://example.com/'))", 'b must be a str or a URL, not yarl.URL: use str(b)'),
        ('is_valid_domain(url)', 'domain must be a str, the text of a host, not weburl.URL: use domain.hostname'),
        ('fingerprint(url, 64)', 'policy must be a str, a CrawlPolicy or a SurtPolicy, not int: the number of bits is a keyword, as in bits=128'),
        ('fingerprint(url, None)', 'policy must be a str, a CrawlPolicy or a SurtPolicy, not NoneType: leave it out for the default'),
        ("url.equals('https://example.com/')", 'other must be a URL, not str: use URL(other)'),
        ('page_links(None, url)', 'html must be bytes or str, not NoneType: check for a missing value first'),
        ('DocumentBase(None)', 'document_url must be a str or a URL, not NoneType: check for a missing value first'),
    ],
)  # fmt: skip
PATTERNS: Final = Group(
    "Patterns",
    [
        ("URLPattern(yarl.URL('https://example.com/'))", 'input must be a str or a mapping, not yarl.URL: use str(input)'),
        ("URLPattern(b'/a')", 'input must be a str or a mapping, not bytes: decode it first, with input.decode()'),
        ('URLPattern(None)', 'input must be a str or a mapping, not NoneType: check for a missing value first'),
        ("URLPattern(pathlib.PurePosixPath('/a'))", 'input must be a str or a mapping, not pathlib.PurePosixPath: use URL.from_path(input), or os.fspath(input) for a relative URL or a pattern'),
        ('URLPattern(url)', 'input must be a str or a mapping, not weburl.URL: use input.href'),
        ("URLPattern('/a', yarl.URL('https://example.com/'))", 'base must be a str, a URL or None, not yarl.URL: use str(base)'),
        ("pattern.test(yarl.URL('https://example.com/'))", 'input must be a str, a URL or a mapping, not yarl.URL: use str(input)'),
        ("pattern.test(b'https://example.com/')", 'input must be a str, a URL or a mapping, not bytes: decode it first, with input.decode()'),
        ('pattern.test(None)', 'input must be a str, a URL or a mapping, not NoneType: check for a missing value first'),
        ("pattern.test(pathlib.PurePosixPath('/a'))", 'input must be a str, a URL or a mapping, not pathlib.PurePosixPath: use URL.from_path(input), or os.fspath(input) for a relative URL or a pattern'),
        ('pattern.test(pattern)', 'input must be a str, a URL or a mapping, not weburl.URLPattern: it is a pattern: use it as it is, or call its method test(url)'),
        ("pattern.exec(httpx.URL('https://example.com/'))", 'input must be a str, a URL or a mapping, not httpx.URL: use str(input)'),
        ("pattern.exec('/a', b'https://example.com/')", 'base must be a str, a URL or None, not bytes: decode it first, with base.decode()'),
        ("routes.first(yarl.URL('https://example.com/'))", 'url must be a str, a URL or a mapping, not yarl.URL: use str(url)'),
        ("routes.first(b'https://example.com/')", 'url must be a str, a URL or a mapping, not bytes: decode it first, with url.decode()'),
        ('routes.first(None)', 'url must be a str, a URL or a mapping, not NoneType: check for a missing value first'),
        ("routes.first(pathlib.PurePosixPath('/a'))", 'url must be a str, a URL or a mapping, not pathlib.PurePosixPath: use URL.from_path(url)'),
        ("routes.first('/a', base=yarl.URL('https://example.com/'))", 'base must be a str, a URL or None, not yarl.URL: use str(base)'),
        ("PatternList('/a')", 'patterns must be a list or a mapping of patterns, not str: put it into a list, as in [pattern]'),
        ('PatternList([url])', 'a pattern must be a URLPattern, a str, or a pair of a key and one of these, not weburl.URL: use URLPattern(value.href)'),
        ("URLPattern.compare('pathname', pattern, '/a')", 'right must be a URLPattern, not str: use URLPattern(right)'),
        ("pattern.generate('pathname', ['7'])", "groups must be a mapping, not list: write a mapping, as in {'id': '7'}"),
        ("URLPattern(host='example.com')", 'a pattern has no host: use hostname and port'),
        ("URLPattern(path_segments=['a'])", 'a pattern has no path_segments: use pathname'),
        ("URLPattern(params={'a': '1'})", 'a pattern has no params: use search'),
    ],
)  # fmt: skip
COLUMNS: Final = Group(
    "Columns",
    [
        ("normalize_many('https://example.com/')", 'urls must be a column of str, not str: put it into a list, as in [text]'),
        ('normalize_many(url)', 'urls must be a column of str, not weburl.URL: put it into a list, as in [url]'),
        ('normalize_many(None)', 'urls must be a column of str, not NoneType: a column is a list, an array or a series'),
        ("normalize_many(b'https://example.com/')", 'urls must be a column of str, not bytes: parse_lines() takes lines'),
        ("normalize_many(['a'], base=yarl.URL('https://example.com/'))", 'base must be a str, a URL or None, not yarl.URL: use str(base)'),
        ("normalize_many(['a'], base=b'https://example.com/')", 'base must be a str, a URL or None, not bytes: decode it first, with base.decode()'),
        ("normalize_many(['a'], base=pathlib.PurePosixPath('/a'))", 'base must be a str, a URL or None, not pathlib.PurePosixPath: use URL.from_path(base)'),
        ("normalize_many(['a'], base=5)", "base must be a str, a URL or None, not int: a URL is a text, such as 'https://example.com/'"),
        ("join_many(url, '/a')", 'refs must be a column of str, not str: put it into a list, as in [text]'),
        ("fingerprint_many(['a'], 64)", 'policy must be a str, a CrawlPolicy or a SurtPolicy, not int: the number of bits is a keyword, as in bits=128'),
        ("pattern_test_many(['a'], url)", 'pattern must be a URLPattern or a str, not weburl.URL: use URLPattern(pattern.href)'),
        ("host_in_many(['a'], url)", 'hosts must be a HostSet or entries, not weburl.URL: use hosts.hostname'),
        ("route_many(['a'], '/a')", 'routes must be a PatternList or patterns, not str: put it into a list, as in [pattern]'),
        ('parse_lines(url)', 'source must be a path, bytes or a file, not weburl.URL: use source.to_path() for the path of a file URL'),
    ],
)  # fmt: skip
GROUPS: Final = (OTHERS, TYPES, PARAMETERS, WHERE, PATTERNS, COLUMNS, ATTRIBUTES, WITHOUT_SCHEME, HOSTS, BASES)
