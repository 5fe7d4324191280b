"""What differs from 0.2.0 on purpose: names, and results. CHANGELOG.md tells users the same.

`tiers.same_as_before` compares two builds by these tables. A difference that no row explains fails, and so does a row
that explains none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

# The commit of the release.
RELEASE = "f04202d9"

# New name: old name. Of methods of engines and of functions of SQL, behind `url_`.
RENAMED = {"registrable_domain": "site", "can_parse": "valid", "hostname": "host"}
# Of fields and columns: `host` and `hostname` were such before, too.
RENAMED_FIELDS = {"registrable_domain": "site"}
# Of keys of `weburl dedup` and `weburl join`.
RENAMED_KEYS = {"registrable_domain": "site", "hostname": "host"}
# Of arguments of a function.
RENAMED_OPTIONS = {("path_template_many", "policy"): "rules"}


def engine_names() -> Iterator[tuple[str, str]]:
    for new, old in RENAMED.items():
        for engine in ("daft", "pyarrow", "pyspark", "ray"):
            yield f"weburl.ext.{engine}.url_{old}", f"url_{new}"
        for engine in ("pandas", "polars"):
            yield f"weburl.ext.{engine}.WebURL.{old}", new


# Public names of 0.2.0 that are no more, with what to use. A parameter is in parentheses.
GONE: dict[str, str] = {
    **dict(engine_names()),
    "weburl.bulk.path_template_many(rules)": "policy",
    "weburl.cli.commands.bench": "make bench",
    **{f"weburl.cli.commands.{name}--redact": "-g '{redacted}'" for name in ("convert", "dedup", "join")},
    **{f"weburl.cli.commands.{name}--template": "-g '{template}'" for name in ("convert", "dedup", "join")},
    "weburl.cli.commands.links--url": "--base",
    # As the signature of an exception of Python's own; it takes the same arguments.
    **{f"{module}.InvalidURL({name})": "its own parameters" for module in ("weburl", "weburl.errors")
        for name in ("args", "kwargs")},
    **{f"weburl.percent.{name}": "the name of the set, such as \"path\"" for name in (
        "C0_CONTROL", "COMPONENT", "FORM", "FRAGMENT", "PATH", "QUERY", "SPECIAL_QUERY", "USERINFO",
    )},
    **{f"weburl.redact.LogPolicy.{name}": "the same attribute of a policy, not of the class" for name in (
        "secret_names", "token_names",
    )},
    # No page named them: they were public by mistake.
    "weburl.ext.scrapy.RequestFingerprinter.of_page": "RequestFingerprinter.fingerprint",
    "weburl.ext.scrapy.ScopeMiddleware.given": "the settings of the crawler",
    "weburl.ext.scrapy.ScopeMiddleware.scope_of_crawl": "ScopeMiddleware.scope",
    "weburl.validation": "import weburl.validation",
}  # fmt: skip


class Accepted(NamedTuple):
    """A reason why some results differ: for which requests, and for which rows and results of these."""

    reason: str
    names: str  # a regular expression
    accepts: Callable[[Any, Any, Any], bool]


def is_raised(found: Any, *types: str) -> bool:
    return isinstance(found, tuple) and found[0] == "raised" and (not types or found[1] in types)


def hides_more(before: Any, after: Any) -> bool:
    """Whether a text is the one before, but for REDACTED, a placeholder or a network in place of some parts."""
    if not isinstance(before, str) or not isinstance(after, str):
        return False
    # What an extension of a file has as an escape, a template has decoded.
    before, after = (re.sub("%2[eE]", ".", text) for text in (before, after))
    parts = re.split(r"(?:REDACTED|\{[a-z]\w*\}|[0-9a-f:]*::|(?:[0-9]+\.){3}0)", after)
    first, *middle, last = (*parts, "") if len(parts) == 1 else parts
    place = len(first)
    for part in middle:
        found = before.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    is_last = len(before) - len(last) >= place and before.endswith(last)
    return len(parts) > 1 and before.startswith(first) and is_last


def has_words(text: str) -> bool:
    """Whether there is a long value whose characters seldom change kind."""
    for value in re.findall(r"[\w+/%=-]{32,}", text):
        decoded = re.sub("%([0-9A-Fa-f]{2})", lambda escape: chr(int(escape[1], 16)), value)
        capitals = sum(first.isupper() and second.isupper() for first, second in pairwise(decoded))
        changes = sum(
            (first.islower() and second.isupper()) or first.isdigit() != second.isdigit()
            for first, second in pairwise(decoded)
        )
        if 4 * (changes + capitals) <= len(decoded) or 10 * changes <= len(decoded):
            return True
    return False


def shows_words(row: str, before: Any, after: Any) -> bool:
    """Whether nothing differs, but that words in a value are not hidden, or not counted."""
    if isinstance(before, dict):
        return has_words(row) and after["base64"] < before["base64"] and {**after, "base64": before["base64"]} == before
    return hides_more(after, before) and has_words(after)


def counts_more(before: Any, after: Any) -> bool:
    return isinstance(before, dict) and None not in before.values() and sum(after.values()) >= sum(before.values())


def counts_once(before: Any, after: Any) -> bool:
    """Whether no kind is counted more often, and credentials are there as before."""
    if not isinstance(before, dict) or None in before.values():
        return False
    return bool(after.get("credentials")) and all(after[kind] <= count for kind, count in before.items())


def follows_drive(row: str, before: Any, after: Any) -> bool:
    if isinstance(before, dict):
        return (
            re.search(r"(?s)\b[A-Za-z][:|][/\\].*(?:@|%40)", row) is not None
            and after["credentials"] < before["credentials"]
        )
    return isinstance(before, str) and re.search(r"\b[A-Za-z][:|]/(?:REDACTED|\{redacted\})", before) is not None


def removes_more(before: list[str], after: list[str]) -> bool:
    """Whether keys are those before, but for parameters that are removed."""
    for old, new in zip(before, after, strict=True):
        (old_path, _, old_query), (new_path, _, new_query) = old.partition("?"), new.partition("?")
        if old_path != new_path or not {*filter(None, new_query.split("&"))} <= {*old_query.split("&")}:
            return False
    return True


def is_own_list(names: Any) -> bool:
    """Whether it is a list of weburl's own policies of today."""
    from weburl import crawl, redact

    own = crawl.TRACKING_PARAMETERS, redact.SECRET_NAMES, redact.TOKEN_NAMES
    return names in [sorted(each) for each in own]


def is_null(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and {*value.values()} == {None})


# Of rows.
ACCEPTED: tuple[Accepted, ...] = (
    Accepted("a base that does not parse raises InvalidURL with the error `base`",
        r".*base='no'",
        lambda _, before, after: is_raised(before, "InvalidURL") and after == ("raised", "InvalidURL", "base")),
    Accepted("of two wrong arguments, another one is reported",
        r".*base='no'", lambda _, before, after: is_raised(before) and is_raised(after)),
    Accepted("`encoding` is an argument where a query is parsed",
        r"bulk.*encoding='latin1'",
        lambda _, before, after: is_raised(before, "TypeError") and not is_raised(after, "TypeError")),
    Accepted("`parse_url` of pyarrow and pandas takes no base any more",
        r"(?:pyarrow|pandas)\.parse_url\(.*\{'base'",
        lambda _, before, after: not is_raised(before) and is_raised(after, "TypeError")),
    Accepted("what is not a URL gets redacted text, or the template of its path, and counts",
        r".*(?:redact|redactions|path_template)", lambda _, before, after:
            (is_null(before) or is_raised(before, "InvalidURL")) and not (is_null(after) or is_raised(after))),
    Accepted("a row that is no URL has a template, so that another row is the first that raises",
        r".*path_template.*on_error='raise'",
        lambda _, before, after: is_raised(before, "InvalidURL") and is_raised(after, "InvalidURL")),
    Accepted("more secrets are hidden, and nothing else is changed",
        r".*(?:redact|path_template)", lambda _, before, after: hides_more(before, after)),
    Accepted("words in capital and small letters are not base64",
        r".*(?:redact|path_template|redactions)", lambda row, before, after: shows_words(row, before, after)),
    Accepted("more secrets are counted",
        r".*redactions", lambda _, before, after: counts_more(before, after)),
    Accepted("what is within credentials that are hidden is not counted, too",
        r".*redactions", lambda _, before, after: counts_once(before, after)),
    Accepted("the letter of a Windows drive is not a scheme, so that no credentials follow it",
        r".*(?:redact|path_template|redactions)", lambda row, before, after: follows_drive(row, before, after)),
    Accepted("what an exception says is what to write",
        r"pickle (?:InvalidURL|PatternError) (?:repr|str)$",
        lambda _, before, after: isinstance(before, str) and isinstance(after, str)),
    Accepted("the repr of a pattern hides usernames",
        r"pickle URLPattern (?:repr|str)$",
        lambda _, before, after: re.sub(r"(?<=username=)('|\").*?\1", "'***'", before) == after),
    Accepted("the repr of a policy makes the policy, and its str is the label",
        r"pickle \w+Policy (?:repr|str)$", lambda _, before, after:
            before.startswith("<") and re.fullmatch(r"\w+Policy\(.*\)|[\w.-]+/\d+", str(after)) is not None),
    Accepted("a LogPolicy is a value",
        "pickle LogPolicy equal$", lambda _, before, after: (before, after) == (False, True)),
    Accepted("without a name, other rules than those of weburl's own policies are `custom`",
        r"pickle \w+Policy name$", lambda row, before, after:
            row != "{}" and re.fullmatch("logs|(?:crawl|surt)-[0-9a-f]{8}", before) is not None and after == "custom"),
    Accepted("weburl's own policies have other lists",
        r"pickle \w+Policy \w+(?:names|parameters)$", lambda row, _, after: row == "{}" and is_own_list(after)),
    Accepted("an @ in the name of a parameter or of a file is written %40, since a host can follow it",
        r"pickle CrawlPolicy \w+(?:names|parameters)$",
        lambda _, before, after: after == [name.replace("@", "%40") for name in before]),
    Accepted("more session identifiers and tracking parameters are removed",
        r"pickle CrawlPolicy use$", lambda _, before, after: removes_more(before, after)),
    Accepted("a LogPolicy in a pickle hides more",
        r"pickle LogPolicy use$", lambda _, before, after:
            all(old == new or hides_more(old, new) for old, new in zip(before, after, strict=True))),
    Accepted("names of weburl's own policies are not for other rules, which the exception says",
        r"pickle (?:Crawl|Surt)Policy$", lambda _, before, after:
            is_raised(after, "ValueError") and after[2].startswith("weburl cannot make this policy of 0.2.0 any more")),
    Accepted("a function is pickled as the name of its module, which is another for path_template",
        r"pickle name$",
        lambda row, before, after: row == "weburl.redact.path_template" and is_raised(after, "ModuleNotFoundError")),
    Accepted("a plan of Polars is of another version, which the exception says",
        r"plan ", lambda _, before, after: not is_raised(before) and is_raised(after, "ValueError")
            and after[2] == "the job is from another version of weburl: of its form '1', not '2'"),
)  # fmt: skip


class Ended(NamedTuple):
    """How a command line ended."""

    status: object
    out: bytes
    said: bytes
    file: bytes

    def replaced(self, pattern: bytes, by: bytes) -> Ended:
        out, said, file = (re.sub(pattern, by, text) for text in self[1:])
        return Ended(self.status, out, said, file)


class Step(NamedTuple):
    """A reason why command lines end in another way, and how the two ends become more alike by it."""

    reason: str
    names: str  # a regular expression
    change: Callable[[Ended, Ended], tuple[Ended, Ended]]


# What follows the name of an error, and what has it; in JSON; and why options are wrong.
MESSAGE = rb"(?<=missing-scheme-non-relative-URL)((?: in '[^'\n]*'| \(failure\))?: )[^\"\n]*"
MESSAGE_IN_JSON = rb'(?<="message": ")[^"\n]*'


NO_VALUE = rb"weburl: no record has a (?:value|text) in the field [^\n]*\n"
NO_FIT = rb": (?:its lines have no columns: --column|JSON Lines have no header: --keep needs names)"
NO_COLUMN = rb": there is no column '[xn]'(?: to keep)?"
HIDING = r".*\{(?:redacted|template)\}"


def without_messages(before: Ended, after: Ended) -> tuple[Ended, Ended]:
    before, after = (each.replaced(MESSAGE, rb"\1").replaced(MESSAGE_IN_JSON, b"") for each in (before, after))
    if before.status == after.status == 2:
        before, after = before._replace(said=b""), after._replace(said=b"")
    return before, after


def without_columns(before: Ended, after: Ended) -> tuple[Ended, Ended]:
    after = after.replaced(rb"(?m)^(weburl: [^\n]*?:\d+):\d+: invalid-record", rb"\1: invalid-record")
    after = after.replaced(rb'("line": \d+), "column": \d+, (?="error": "invalid-record")', rb"\1, ")
    after = after.replaced(rb"(?m)^((?!weburl: )[^\n]*?:\d+):\d+: invalid-record", rb"\1:1: invalid-record")
    name = b'"name": "invalid-record"'
    return before, after.replaced(rb'"column": \d+, "end": \d+, ' + name, b'"column": 1, "end": 1, ' + name)


# Of command lines, one after the other.
STEPS: tuple[Step, ...] = (
    Step("messages say what to write", "", without_messages),
    Step("`site` is `registrable_domain`", ".*(?:registrable_domain|stats|links)", lambda before, after: (
        before.replaced(rb"\bsites:", b"registrable domains:").replaced(rb'(?<=")site(?=s?": ?)', b"registrable_domain")
        .replaced(rb"(?m)^((?:[^,\n]*,)*)site(?=,|$)", rb"\1registrable_domain"), after,
    )),
    Step("{route} is (none) for a URL that no pattern matches", ".*--routes", lambda before, after: (
        before, after.replaced(rb'"\(none\)"', b"null").replaced(rb"\(none\)", b""),
    )),
    Step("the status is 1 if an argument is not a URL", r".*(?:no URL|//h/x|file:///c)", lambda before, after: (
        before, after._replace(status=0) if (before.status, after.status) == (0, 1) else after,
    )),
    Step("explain says step by step how a browser reads a URL", "weburl explain", lambda before, after: (
        (before._replace(out=b""), after._replace(out=b"")) if before.status == after.status else (before, after)
    )),
    Step("diff hides the values of parameters such as token", "weburl diff .*token=", lambda before, after: (
        before.replaced(rb"token=secret", b"token=***"), after,
    )),
    Step("all commands that read files take --memory", r".*--memory 64M", lambda before, after: (
        (after if b"unrecognized arguments: --memory" in before.said else before), after,
    )),
    Step("join says that options are wrong before it reads the other file", "weburl join", lambda before, after: (
        (after if (before.status, after.status) == (3, 2) else before), after,
    )),
    Step("a record that cannot be read has a column", ".*(?:--log|--field|jsonl|ndjson)", without_columns),
    Step("the status is 1 if no record has a value in a field", ".*--field", lambda before, after: (
        before, after.replaced(NO_VALUE, b"")._replace(status=0) if re.search(NO_VALUE, after.said) else after,
    )),
    Step("the status is 1 if there is no such column", ".*(?:--column x|--keep)", lambda before, after: (
        before, after._replace(status=3) if (before.status, after.status) == (3, 1) and re.search(NO_COLUMN, after.said)
        else after,
    )),
    Step("the status is 2 if options do not fit the format of a file", ".*--keep", lambda before, after: (
        before, after._replace(status=3) if (before.status, after.status) == (3, 2) and re.search(NO_FIT, after.said)
        else after,
    )),
    Step("links tells hreflang and type", "weburl links .*--json", lambda before, after: (
        before, after.replaced(rb'"hreflang": null, "type": null, ', b""),
    )),
    Step("dedup and join refuse --policy where it changes nothing", ".*--policy", lambda before, after: (
        (after if after.status == 2 and after.said.startswith(b"weburl: --policy is for {href}") else before), after,
    )),
    Step("{redacted} and {template} are fields, and the names of columns", HIDING, lambda before, after: (
        before, after.replaced(rb'(?m)^(?:redacted|template)(?=,|$)|(?<=[{,]")(?:redacted|template)(?=":)', b"href"),
    )),
    Step("{redacted} and {template} go with all options", HIDING, lambda before, after: (
        (after if before.status == 2 and b" do not go together" in before.said else before), after,
    )),
)  # fmt: skip


def alike(name: str, before: Any, after: Any) -> list[Step]:
    """The steps that make two ends of a command line equal, or none."""
    used: list[Step] = []
    one, other = Ended(*before), Ended(*after)
    for step in STEPS:
        if one == other:
            return used
        if re.match(step.names, name):
            changed = step.change(one, other)
            if changed != (one, other):
                used.append(step)
            one, other = changed
    return used if one == other else []
