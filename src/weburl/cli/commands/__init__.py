"""The commands: each module has `make_parser` and `main`. Without the name of a command, `convert` runs."""

COMMANDS = ("explain", "check", "diff", "dedup", "join", "stats", "links", "bench", "view", "completion")

# Words that may be taken for commands, and what does it.
POLICY = "--policy POLICY prints the canonical form, as --policy crawl"
RECORDS = "--json, --csv or -g FORMAT prints the parts"
RESOLVED = "--base URL resolves relative URLs"
SAME_KEY = "weburl dedup prints the first line of each page"
HINTS = {
    "canonical": POLICY, "canonicalize": POLICY, "canonicalise": POLICY, "clean": POLICY, "surt": POLICY,
    "normalize": "weburl prints normalized URLs, and --policy POLICY the canonical form",
    "normalise": "weburl prints normalized URLs, and --policy POLICY the canonical form",
    "redact": "-g '{redacted}' prints URLs without their secrets",
    "template": "-g '{template}' prints the template of the path",
    "parse": RECORDS, "parts": RECORDS, "split": RECORDS, "get": RECORDS, "convert": RECORDS,
    "host": "-g '{hostname}' prints the host", "hosts": "-g '{hostname}' prints the host",
    "site": "-g '{site}' prints the registrable domain",
    "resolve": RESOLVED, "absolute": RESOLVED,
    "set": "-s PART=VALUE sets a part", "edit": "-s PART=VALUE sets a part",
    "sort": "--sort-query sorts the parameters", "trim": "--qtrim GLOB removes parameters",
    "match": "--match PATTERN prints only URLs that match", "filter": "--match PATTERN prints only URLs that match",
    "route": "--routes FILE is for {route} in -g", "routes": "--routes FILE is for {route} in -g",
    "unique": SAME_KEY, "uniq": SAME_KEY, "count": "weburl stats counts",
    "validate": "weburl check lists errors, and --verify tells whether there are some",
    "verify": "weburl check lists errors, and --verify tells whether there are some",
    "extract": "weburl links prints the links of a page", "help": "weburl --help lists the options",
    "version": "weburl --version prints the version",
}  # fmt: skip
