"""The jobs in plans of Polars: written here, and read from plans that may come from anywhere.

Polars hands a function its arguments pickled. A job is one text, so its pickle has one shape. That shape is all that
is read of the format: nothing is unpickled. The text is form-urlencoded, so that it is flat and ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from weburl._hosts.matching import HostPatterns
from weburl._hosts.patterns import WEB_SCHEMES
from weburl._patterns.canonical import COMPONENTS
from weburl._redact.secrets import KINDS
from weburl._verbs.columns import DECODE_ERRORS
from weburl._verbs.fields import OWN_FIELDS, PARSE_FIELDS
from weburl.ext._engines.hosts import hosts_of
from weburl.forms import parse_form, serialize_form
from weburl.patterns import PatternList, URLPattern
from weburl.url import URL

if TYPE_CHECKING:
    from weburl._patterns.columns import Matching

# A key, the patterns of the eight components, and whether case is ignored.
Pattern = tuple[str, tuple[str, ...], bool]

VERSION = "1"
# The arguments that are one text. That of `hosts` is the entries.
TEXTS = ("base", "decode_errors", "hosts", "policy")

# Protocol 5: a dictionary of a short str "job" and a str of at most 255 or of more bytes. A frame says only how far to
# read ahead; a text above 64 KiB has none.
PICKLE = re.compile(
    rb"\x80\x05(?:\x95.{8})?\}\x94\x8c\x03job\x94(?:\x8c(?P<short>.)|X(?P<long>.{4}))(?P<text>[!-~]*)\x94s\.",
    re.DOTALL,
)

# The single columns that a plan can have: a plan has no arguments for the others.
ALONE = tuple(name for name in OWN_FIELDS if name not in ("group", "groups", "query_get", "query_map", *KINDS))
# The rules that these follow; a plan has no others.
RULES = {"redacted": {"redaction": "logs/1"}, "template": {"rules": "paths/1"}}


def arguments(job: dict[str, Any]) -> dict[str, str]:
    """The arguments that Polars pickles, for a job as `checked` takes it."""
    pairs = [("version", VERSION), *[("field", name) for name in job["fields"]]]
    if job.get("is_struct"):
        pairs.append(("is_struct", "1"))
    pairs += [(name, job[name]) for name in TEXTS if job.get(name) is not None]
    pairs += [("key", name) for name in job.get("keys", ())]
    pairs += [("group", name) for name in job.get("groups", ())]
    for key, components, ignore_case in job.get("patterns", ()):
        # What follows belongs to this pattern.
        pairs += [("pattern", key), *zip(COMPONENTS, components, strict=True)]
        pairs += [("ignore_case", "1")] * ignore_case
    return {"job": serialize_form(pairs)}


def read(pickled: bytes) -> dict[str, Any]:
    """The job in a pickle of arguments, not yet checked; ValueError for what `arguments` never writes."""
    match = PICKLE.fullmatch(pickled)
    if match is None or int.from_bytes(match["short"] or match["long"], "little") != len(match["text"]):
        raise ValueError("these are not the arguments of a job")
    fields = []
    keys = []
    groups = []
    patterns: list[tuple[str, dict[str, str]]] = []
    job: dict[str, Any] = {}
    pairs = parse_form(match["text"])
    # Before what another version may have, too.
    version = next((value for name, value in pairs if name == "version"), "")
    if version != VERSION:
        raise ValueError(f"the job is from another version of weburl: of its form {version!r:.40}, not {VERSION!r}")
    for name, value in pairs:
        if name == "field":
            fields.append(value)
        elif name == "key":
            keys.append(value)
        elif name == "group":
            groups.append(value)
        elif name == "pattern":
            patterns.append((value, {}))
        elif patterns and name in (*COMPONENTS, "ignore_case") and name not in patterns[-1][1]:
            patterns[-1][1][name] = value
        elif name in job or name not in ("version", "is_struct", *TEXTS):
            raise ValueError("a job has another argument, or one twice")
        else:
            job[name] = value
    del job["version"]
    is_struct = job.pop("is_struct", None)
    if is_struct not in (None, "1"):
        raise ValueError("is_struct is 1 or not given")
    job |= {"fields": tuple(fields), "is_struct": is_struct is not None}
    if keys:
        job["keys"] = tuple(keys)
    if groups:
        job["groups"] = tuple(groups)
    if patterns or fields == ["route"]:
        job["patterns"] = tuple([_pattern(key, given) for key, given in patterns])
    return job


def patterns_of(pairs: Iterable[tuple[str, URLPattern]]) -> tuple[Pattern, ...]:
    """Patterns with their keys, as a job has them."""
    return tuple(
        [(key, tuple([pattern._texts[name] for name in COMPONENTS]), pattern.ignore_case) for key, pattern in pairs]
    )


def _pattern(key: str, given: dict[str, str]) -> Pattern:
    ignore_case = given.pop("ignore_case", None)
    if ignore_case not in (None, "1") or given.keys() != {*COMPONENTS}:
        raise ValueError("a pattern has all components, and ignore_case is 1 or not given")
    return key, tuple([given[name] for name in COMPONENTS]), ignore_case is not None


# A plan calls for the same patterns again and again.
@lru_cache(16)
def matching_of(patterns: tuple[Pattern, ...], groups: tuple[str, ...], is_route: bool) -> Matching:
    """What columns are matched against."""
    made = [
        (key, URLPattern(dict(zip(COMPONENTS, components, strict=True)), ignore_case=ignore_case))
        for key, components, ignore_case in patterns
    ]
    if is_route:
        return PatternList(made)._matching(())
    if len(made) != 1:
        raise ValueError("pattern_test and groups have one pattern")
    return made[0][1]._matching(groups)


# A plan calls for the same job with each batch of rows.
@lru_cache(16)
def job_of(pickled: bytes, columns: int) -> dict[str, Any]:
    """The arguments of `Job` for so many columns, from a pickle of arguments."""
    return checked(read(pickled), columns)


def checked(job: dict[str, Any], columns: int) -> dict[str, Any]:
    """The arguments of `Job` from a column of URLs, or from one of bases and one of references; or ValueError."""
    fields: tuple[str, ...] = job["fields"]
    base, keys, decode_errors = job.get("base"), job.get("keys", ()), job.get("decode_errors")
    if columns not in (1, 2) or (columns == 2 and (base is not None or decode_errors is not None)):
        raise ValueError(f"a job has one column or two, and two without a base, not {columns}")
    patterns, groups = job.get("patterns"), job.get("groups", ())
    if len(set(fields)) != len(fields) or bool(fields) + bool(groups) + bool(keys) != 1:
        raise ValueError("a job has fields, each once, or groups, or keys")
    if (patterns is not None) != (bool(groups) or fields in (("pattern_test",), ("route",))):
        raise ValueError("patterns go with pattern_test, route and groups")
    if groups and not job.get("is_struct"):
        raise ValueError("groups are those of a struct")
    known = PARSE_FIELDS if job.get("is_struct") else (*PARSE_FIELDS, *ALONE)
    if not set(fields).issubset(known):
        raise ValueError(f"a field is one of {', '.join(known)}")
    if len(fields) > 1 and not job.get("is_struct"):
        raise ValueError("several fields are those of a struct")
    if len(keys) > 1 and not job.get("is_struct"):
        raise ValueError("several keys are those of a struct")
    if (fields in (("canonical",), ("fingerprint",))) != (job.get("policy") is not None):
        raise ValueError("a policy goes with canonical and fingerprint")
    if (fields == ("decoded",)) != (decode_errors is not None) or decode_errors not in (None, *DECODE_ERRORS):
        raise ValueError(f"with decoded goes one of {', '.join(DECODE_ERRORS)}")
    if (fields == ("host_in",)) != (job.get("hosts") is not None):
        raise ValueError("hosts go with host_in")
    if base is not None and decode_errors is not None:
        raise ValueError("decoded texts have no base")
    arguments = {name: value for name, value in job.items() if name not in ("patterns", "groups", "hosts")}
    if len(fields) == 1:
        arguments |= RULES.get(fields[0], {})
    if patterns is not None:
        arguments["matching"] = matching_of(patterns, groups, fields == ("route",))
    if fields == ("host_in",):
        arguments["hosts"] = HostPatterns(hosts_of(job["hosts"]), WEB_SCHEMES)
    return arguments if base is None else {**arguments, "base": URL(base).href}
