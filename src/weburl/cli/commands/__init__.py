"""The commands: each module has `make_parser` and `main`. Without the name of a command, `convert` runs."""

COMMANDS = (
    "explain", "check", "diff", "dedup", "join", "stats", "find", "redact", "links", "view", "completion",
)  # fmt: skip

# Words that may be taken for commands, and what does it. Others that are nearly the same have the same hint.
POLICY = "--policy POLICY prints the canonical form, as --policy crawl"
RECORDS = "--json, --csv or -g FORMAT prints the parts"
RESOLVED = "--base URL resolves relative URLs"
MATCHING = "--match PATTERN prints only URLs that match"
FOUND = "weburl find prints the URLs in a text"
ERRORS = "weburl check lists errors, and --verify tells whether there are some"
HINTS = {
    "canonical": POLICY, "canonicalize": POLICY, "clean": POLICY, "surt": POLICY,
    "normalize": "weburl prints normalized URLs, and --policy POLICY the canonical form",
    "template": "-g '{template}' prints the template of the path",
    "parse": RECORDS, "parts": RECORDS, "split": RECORDS, "get": RECORDS, "convert": RECORDS,
    "json": RECORDS, "csv": RECORDS,
    "host": "-g '{hostname}' prints the host", "site": "-g '{registrable_domain}' prints the registrable domain",
    "resolve": RESOLVED, "absolute": RESOLVED, "set": "-s PART=VALUE sets a part",
    "sort": "--sort-query sorts the parameters", "trim": "--qtrim GLOB removes parameters",
    "match": MATCHING, "filter": MATCHING, "route": "--routes FILE is for {route} in -g",
    "unique": "weburl dedup prints the first line of each page", "count": "weburl stats counts",
    "validate": ERRORS, "verify": ERRORS, "grep": FOUND,
    "extract": f"{FOUND}, and weburl links the links of a page",
    "help": "weburl --help lists the options", "version": "weburl --version prints the version",
}  # fmt: skip
