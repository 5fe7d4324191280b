"""Jobs of fields: which go together, and which must first be bound to their arguments."""

from __future__ import annotations

import gc
from itertools import combinations

import pytest
from support.rooms import FIELDS

from weburl import URL, InvalidURL
from weburl._arrow.batch import DICTIONARIES
from weburl._arrow.columns import Field
from weburl._arrow.input import from_objects
from weburl._arrow.job import Job, Runner
from weburl._crawl.columns import canonical_forms
from weburl._hosts.columns import hosts_in, private_hosts, sites
from weburl._hosts.suffixes import HostPatterns
from weburl._patterns.columns import matches
from weburl._redact.columns import redactions, templates
from weburl._verbs.columns import decoded, query_map, query_values
from weburl.patterns import PatternList, URLPattern

TEXTS = (
    "https://user:pass@www.example.co.uk/a/12?id=%41&utm_source=x#f",
    "http://10.0.0.1/",
    None,
    "x",
    "mailto:a@b.example",
)
NAMED = URLPattern("https://*/:first/:second?*")._matching(["first", "second"])
ROUTED = PatternList({"a": "https://*/a/*", "all": "*://*/*"})._matching(())
REDACTED = ("credentials", "name", "jwt", "key", "email", "card", "hex", "base64", "address")
MADE = {
    "decoded": [decoded("replace")],
    "canonical": [*canonical_forms("crawl")],
    "canonical, surt": [*canonical_forms("surt", 128)],
    "redacted": [
        *redactions("logs/1", ("redacted", *"credentials name jwt key email card hex base64 address".split()))
    ],
    "template": [templates("paths/1")],
}
READ = {
    "sites": [*sites()],
    "is_private": [private_hosts()],
    "host_in": [hosts_in(HostPatterns(["*.example.co.uk"], None))],
    "query_values": [*query_values(("id", "utm_source", "none"))],
    "query_map": [query_map(("id", "x"))],
    "pattern": [*matches(NAMED, ("pattern_test",))],
    "groups": [*matches(NAMED)],
    "routes": [*matches(ROUTED, ("route", "groups"))],
    "plain": [field for field in FIELDS.values() if not field.needs_arguments],
}


def rows(fields: list[Field], texts: tuple[str | None, ...] = TEXTS) -> list[list[object]]:
    batch = Job(fields, is_struct=True).run(from_objects(texts), 0, len(texts))
    assert batch is not None
    return [batch.entries(index) for index in range(len(fields))]


def test_what_needs_arguments_is_refused_without() -> None:
    needy = {name for name, field in FIELDS.items() if field.needs_arguments}
    assert needy > {"registrable_domain", "is_private", "query_get", "pattern_test", "route", "redacted", "host_group"}
    # The others are run without, as "plain".
    for name in needy:
        for others in ([], [FIELDS["href"]]):
            with pytest.raises(ValueError, match=f"^{name} has not been bound"):
                Job([*others, FIELDS[name]])
    with pytest.raises(TypeError):
        Job(["href"])  # type: ignore[list-item]


@pytest.mark.parametrize("fields", [[], [FIELDS["href"], FIELDS["host"]]], ids=len)
def test_a_column_has_one_field(fields: list[Field]) -> None:
    """Such as a verb would give whose field is not among those that its work makes: `column[0]` of no field crashed."""
    with pytest.raises(ValueError, match=f"has one field, not {len(fields)}$"):
        Job(fields)
    assert Job(fields, is_struct=True).run(from_objects(TEXTS), 0, len(TEXTS)) is not None


@pytest.mark.parametrize("name", READ)
def test_verbs_beside_each_other(name: str) -> None:
    """All that reads rows can be in one job: each column is as alone, also twice, by the same state and by another."""
    alone = rows(READ[name])
    for other, fields in READ.items():
        count = len(fields)
        found = rows([*READ[name], *fields, *READ[name]])
        assert found == [*alone, *found[len(alone) : len(alone) + count], *alone], other
        assert found[len(alone) : len(alone) + count] == rows(fields)


@pytest.mark.parametrize("name", MADE)
def test_made_texts(name: str) -> None:
    """Beside them are only fields of the same verb, and those that say whether a row is a URL."""
    fields = MADE[name]
    alone = rows(fields)
    status = [FIELDS["error"], FIELDS["can_parse"]]
    assert rows([*fields, *status])[: len(fields)] == alone
    assert rows([status[0], *fields, status[1]])[1:-1] == alone
    for other in FIELDS.values():
        if not other.needs_arguments and other.name not in ("error", "can_parse"):
            with pytest.raises(ValueError, match=f"^{other.name} cannot be beside"):
                Job([*fields, other])
    for field in [field for each in READ.values() for field in each if field.name not in ("error", "can_parse")]:
        with pytest.raises(ValueError, match="cannot be beside"):
            Job([field, *fields])


@pytest.mark.parametrize(("one", "other"), [*combinations(MADE, 2)])
def test_one_verb_makes_the_texts(one: str, other: str) -> None:
    with pytest.raises(ValueError, match="cannot be beside"):
        Job([*MADE[one], *MADE[other]])


def test_whatwg_makes_nothing() -> None:
    fields = [*canonical_forms("whatwg"), FIELDS["href"], FIELDS["host_type"]]
    canonical, fingerprint, href, _ = rows(fields)
    assert canonical == href
    assert fingerprint == rows([FIELDS["fingerprint"]])[0]


@pytest.mark.parametrize("name", ["redacted", "template"])
def test_no_views_of_secrets(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} cannot be views$"):
        Job(MADE[name], is_struct=True, views=True)


def test_fields_outlive_their_arguments() -> None:
    """A bound field holds what its functions read."""
    found = []
    for _ in range(3):
        texts = [f"k{number}" for number in range(100)]
        found = rows(
            [*query_values(tuple(texts)), hosts_in(HostPatterns(["example.org"], ["http"]))],
            ("http://example.org/?k7=1",),
        )
        del texts
        gc.collect()
    assert found[7] == ["1"]
    assert found[100] == [True]


def test_runners_of_every_verb() -> None:
    """A runner makes the states that it gives back."""
    for fields in (*MADE.values(), *READ.values()):
        for _ in range(3):
            Runner(Job(fields, is_struct=True), 100)


def test_the_rows_that_fail_have_names() -> None:
    """A row of a column fails with the name that URL() gives, or with that of text that is not UTF-8."""
    texts = ("http://[1::2::3]", "x", "http://h:99999", "http://" + "a" * 10, "%ff")
    errors = rows([FIELDS["error"]], texts)[0]
    for text, error in zip(texts, errors, strict=True):
        if error is None:
            URL(text)
        else:
            with pytest.raises(InvalidURL) as raised:
                URL(text)
            assert raised.value.error == error
    batch = Job([decoded("strict")]).run(from_objects(texts), 0, len(texts))
    assert batch is not None
    assert batch.errors == {"invalid-UTF-8": 1}
    assert batch.first_failed == 4


def test_the_names_of_failures_end_with_the_last_that_rows_have() -> None:
    _, names = DICTIONARIES
    assert (len(names), names[0], names[-1]) == (22, "domain-to-ASCII", "invalid-UTF-8")
