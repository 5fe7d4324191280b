"""The job for fields by their names, with the arguments that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weburl._arrow.job import Job
from weburl._crawl.columns import canonical_forms
from weburl._hosts.columns import hosts_in, private_hosts, sites
from weburl._patterns.columns import matches
from weburl._redact.columns import redactions, templates
from weburl._redact.secrets import KINDS
from weburl._verbs.columns import decoded, query_map, query_values
from weburl._verbs.fields import FIELDS

if TYPE_CHECKING:
    from weburl._arrow.columns import Field
    from weburl._crawl.policy import Policy
    from weburl._hosts.matching import HostPatterns
    from weburl._hosts.suffixes import PublicSuffixList
    from weburl._patterns.columns import Matching
    from weburl._redact.redact import LogPolicy

CANONICAL = frozenset({"canonical", "fingerprint"})
REDACTED = frozenset({"redacted", *KINDS})
SITES = frozenset({"site", "public_suffix"})
HOSTS = frozenset({"is_private", "host_in"})
MATCHED = frozenset({"pattern_test", "route", "groups"})


def job_of(
    fields: tuple[str, ...],
    *,
    is_struct: bool = False,
    views: bool = False,
    base: str | None = None,
    keys: tuple[str, ...] | None = None,
    decode_errors: str | None = None,
    encoding: str = "utf-8",
    policy: str | Policy | None = None,
    bits: int = 64,
    redaction: str | LogPolicy | None = None,
    rules: str | None = None,
    psl: PublicSuffixList | None = None,
    hosts: HostPatterns | None = None,
    matching: Matching | None = None,
) -> Job:
    """The job of these columns, and then of the values of the keys and of the groups of the patterns."""
    asked = frozenset(fields)
    bound: list[Field] = []
    added: tuple[Field, ...] = ()
    if (decode_errors is not None) != (fields == ("decoded",)):
        raise ValueError("decoded texts have no other columns")
    if decode_errors is not None:
        bound.append(decoded(decode_errors))
    if "query_get" in asked or ("query_map" in asked and keys is None):
        raise ValueError("values of queries go with keys")
    if keys is not None and "query_map" in asked:
        bound.append(query_map(keys))
    elif keys is not None:
        added = query_values(keys)
    if asked & CANONICAL:
        bound += canonical_forms(policy, bits)
    elif policy is not None:
        raise ValueError("a policy goes with canonical and fingerprint")
    redacted = asked & REDACTED
    hides = redaction is not None or rules is not None
    if hides and (views or policy is not None or matching is not None):
        raise ValueError("what has no secrets is not a view, and has no other policy or patterns")
    if bool(redacted) != (redaction is not None) or ("template" in asked) != (rules is not None):
        raise ValueError("redacted URLs and their counts go with a policy, templates with rules")
    if redaction is not None:
        bound += redactions(redaction, redacted)
    if rules is not None:
        bound.append(templates(rules))
    if psl is not None or asked & SITES:
        bound += sites(psl)
    if (hosts is not None) != ("host_in" in asked) or (len(fields) > 1 and asked & HOSTS):
        raise ValueError("patterns of hosts go with host_in, and private hosts have no other columns")
    if "is_private" in asked:
        bound.append(private_hosts())
    if hosts is not None:
        bound.append(hosts_in(hosts))
    matched = asked & MATCHED
    groups = matching.columns if matching is not None else ()
    if "group" in asked or (matching is None) == (bool(groups) or bool(matched)):
        raise ValueError("what matches patterns goes with patterns")
    if matching is not None:
        found = matches(matching, matched)
        bound += found[: len(matched)]
        added += found[len(matched) :]
    known = {field.name: field for field in bound}
    columns = [*[known.get(name) or FIELDS[name] for name in fields], *added]
    return Job(columns, is_struct=is_struct, views=views, base=base, encoding=encoding)
