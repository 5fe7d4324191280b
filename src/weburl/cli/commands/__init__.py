"""The commands: each module has `make_parser` and `main`. Without the name of a command, `convert` runs."""

COMMANDS = (
    "explain", "check", "diff", "dedup", "join", "stats", "find", "redact", "links", "robots", "learn", "view",
    "completion",
)  # fmt: skip

# Words that may be taken for commands, and what does it. Others that are nearly the same have the same hint.
POLICY = "--policy POLICY prints the canonical form, as --policy crawl"
TEMPLATE = "-g '{template}' prints the template of the path"
KEY = "--policy POLICY prints one text for all URLs of a page, as --policy crawl"
RECORDS = "--json, --csv or -g FORMAT prints the parts"
TRIM = "--qtrim GLOB removes parameters"
RESOLVED = "--base URL resolves relative URLs"
MATCHING = "--match PATTERN prints only URLs that match"
FOUND = "weburl find prints the URLs in a text"
HOST = "-g '{hostname}' prints the host"
SITE = "-g '{registrable_domain}' prints the registrable domain"
UNIQUE = "weburl dedup prints the first line of each page"
ERRORS = "weburl check lists errors, and --verify tells whether there are some"
HINTS = {
    "canonical": POLICY, "canonicalize": POLICY, "clean": POLICY, "surt": POLICY, "canon": POLICY,
    "normalize": "weburl prints normalized URLs, and --policy POLICY the canonical form",
    "href": "weburl prints the href of each URL", "pathtemplate": TEMPLATE, "template": TEMPLATE,
    "parse": RECORDS, "parts": RECORDS, "split": RECORDS, "get": RECORDS, "convert": RECORDS,
    "json": RECORDS, "csv": RECORDS,
    "redacted": "-g '{redacted}' prints URLs without secrets, and weburl redact a text without them",
    "host": HOST, "hostname": HOST, "site": SITE, "domain": f"{HOST}, and {SITE}",
    "scheme": "-g '{scheme}' prints the scheme", "port": "-g '{port}' prints the port",
    "path": "-g '{pathname}' prints the path, and -g '{template}' its template",
    "idn": "--as-idn prints hosts in Unicode",
    "resolve": RESOLVED, "absolute": RESOLVED, "set": "-s PART=VALUE sets a part",
    "sort": "--sort-query sorts the parameters", "trim": TRIM, "strip": TRIM, "tracking": TRIM,
    "match": MATCHING, "filter": MATCHING, "route": "--routes FILE is for {route} in -g",
    "compare": "weburl diff compares two URLs, or two lists of them",
    "unique": UNIQUE, "deduplicate": UNIQUE, "count": "weburl stats counts",
    "fingerprint": KEY, "key": KEY, "hash": KEY,
    "query": "-g '{query}' prints the query, and -g '{query:NAME}' the value of a parameter",
    "decode": "-g '{query:NAME}' prints a decoded value, and --as-idn prints hosts in Unicode",
    "encode": "weburl prints URLs percent-encoded, and -a query=NAME=VALUE encodes a parameter",
    "bench": "docs/performance.md has figures, and make bench in the source measures",
    "valid": ERRORS, "validate": ERRORS, "verify": ERRORS, "lint": ERRORS, "grep": FOUND,
    "extract": f"{FOUND}, and weburl links the links of a page",
    "help": "weburl --help lists the options", "version": "weburl --version prints the version",
}  # fmt: skip
