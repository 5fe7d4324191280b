"""Verbs in plans of Polars, which may come from anywhere. Polars itself is not needed."""

from __future__ import annotations

import json
import os
import pickle
import random
import struct
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URL, InvalidURL, URLPattern
from weburl._arrow.columns import Field
from weburl._arrow.input import Input, from_objects
from weburl._patterns.canonical import COMPONENTS
from weburl._verbs.verb import URL_FIELDS, engine_verbs
from weburl.bulk import Column, Table
from weburl.crawl import CrawlPolicy, SurtPolicy
from weburl.ext import _polars
from weburl.ext._engines import polars_plans as plans
from weburl.forms import serialize_form
from weburl.redact import LogPolicy
from weburl.robots import Robots

VERBS = engine_verbs()
# Verbs with their options; the second part of a struct's options are the names that it has.
Spec = tuple[str, dict[str, Any]]
JOBS: list[Spec] = [
    ("url_normalize", {}),
    ("url_parse", {"fields": tuple(URL_FIELDS)}),
    ("url_parse", {"fields": ("registrable_domain", "public_suffix"), "base": "http://h/%20?a=b&c"}),
    ("url_can_parse", {"base": "foo://h/"}),
    ("url_params", {}),
    ("url_param", {"key": ""}),
    ("url_param", {"key": "a&b=c+d %é😀\0\n"}),
    ("url_param", {"key": "é" * 100_000, "base": "http://h/"}),
    ("url_query", {"keys": ("b", "", "a"), "base": "http://h/"}),
    ("url_canonicalize", {"policy": "surt"}),
    ("url_fingerprint", {"policy": "crawl/1", "base": "http://h/"}),
    ("url_fingerprint", {"policy": SurtPolicy(keep_www=True), "bits": 96}),
    ("url_canonicalize", {"policy": CrawlPolicy(tracking_parameters={"a[]", "b'\\\"*"})}),
    ("url_redact", {"policy": LogPolicy(secret_names={"a*"}, name="own", version=7)}),
    ("url_path_template", {"policy": LogPolicy(token_names=())}),
    ("url_percent_decode", {"errors": "strict"}),
    ("url_redact", {"base": "http://h/"}),
    ("url_path_template", {}),
    ("parse_url", {"part": "FILE"}),
    ("parse_url", {"part": "authority"}),
    ("parse_url", {"part": "USERINFO"}),
    ("url_is_private", {"base": "http://h/"}),
]
BOOKS = URLPattern("https://:site.example.com/books/:id&é=%")
HOST_JOBS: list[Spec] = [
    ("url_host_in", {"hosts": ["*.example.com", "é.example", "=a", "[1::2]"]}),
    ("url_host_in", {"hosts": [], "base": "http://h/"}),
]
FILE = "User-agent: *\nDisallow: /a\nDisallow: /é\xff?%2f*$\nAllow: /index.html\nUser-agent: \u0130\nDisallow: /"
ROBOTS_JOBS: list[Spec] = [
    ("url_robots_allowed", {"robots": Robots.parse(FILE, agent="ExampleBot")}),
    ("url_robots_allowed", {"robots": Robots.parse(FILE, agent="\u0130", compat="google")}),
    ("url_robots_allowed", {"robots": Robots.parse(b"", agent="*", compat="rfc9309")}),
]
PATTERN_JOBS: list[Spec] = [
    ("url_pattern_test", {"pattern": BOOKS}),
    ("url_pattern_test", {"pattern": URLPattern(pathname="/:a"), "base": "http://h/"}),
    ("url_pattern_extract", {"pattern": BOOKS, "groups": ("id", "hostname.site")}),
    ("url_route", {"routes": {}}),
    ("url_route", {"routes": [
        ("a&b", BOOKS), ("", BOOKS), ("é", URLPattern(search=":q", ignore_case=True)), ("é", URLPattern("*://*/*"))]}),
]  # fmt: skip


# A pattern, as a job has it.
ONE = serialize_form([("pattern", ""), *((name, "/:id" if name == "pathname" else "*") for name in COMPONENTS)])


def plan_for(job: Spec) -> plans.Plan:
    return plans.plan_of(VERBS[job[0]], job[1])


def pickled(job: Spec) -> bytes:
    """Pickles as Polars does."""
    return pickle.dumps(plan_for(job).arguments(), protocol=5)


def given_text(text: str) -> bytes:
    return pickle.dumps({"job": text}, protocol=5)


def evaluate(data: bytes, columns: int = 1) -> list[Any]:
    chunks: list[list[Input]] = [[from_objects(["http://ü.example:80/?a=%41", "x", None])] for _ in range(columns)]
    return Column(_polars.evaluate(plans.job_from(data, columns), chunks)).to_pylist()


def vars_of(field: Field) -> tuple[object, ...]:
    return field.name, field.is_default, field.kind, field.doc, field.has_nulls, field.is_any_text


@pytest.mark.parametrize("job", [*JOBS, *HOST_JOBS, *ROBOTS_JOBS, *PATTERN_JOBS], ids=lambda job: job[0])
def test_what_is_written_is_read(job: Spec) -> None:
    plan = plan_for(job)
    data = pickled(job)
    read = plans.read(data)
    assert (read.verb, read.base) == (plan.verb, plan.base)
    assert read.pairs() == plan.pairs()
    assert read.arguments() == plan.arguments()
    of_both = [{**made.job(1), "fields": [vars_of(field) for field in made.job(1)["fields"]]} for made in (read, plan)]
    assert of_both[0] == of_both[1]
    # Unframed, as some other pickler may write it.
    assert data[2:3] == b"\x95"
    assert plans.read(data[:2] + data[11:]).arguments() == plan.arguments()
    assert len(evaluate(data)) == 3
    # Made once for all batches of a plan.
    assert plans.job_from(data, 1) is plans.job_from(data, 1)


def test_parts() -> None:
    url = "https://u@h.example:8/p/f?q=%41#r"
    for part, value in (("HOST", "h.example"), ("path", "/p/f"), ("FILE", "/p/f?q=%41"), ("USERINFO", "u")):
        job = plans.job_from(pickled(("parse_url", {"part": part})), 1)
        assert Column(_polars.evaluate(job, [[from_objects([url])]])).to_pylist() == [value]
    job = plans.job_from(pickled(("parse_url", {"part": "QUERY", "key": "q"})), 1)
    assert Column(_polars.evaluate(job, [[from_objects([url])]])).to_pylist() == ["A"]
    encoded = plans.job_from(pickled(("parse_url", {"part": "QUERY", "encoding": "latin1"})), 1)
    assert Column(_polars.evaluate(encoded, [[from_objects(["http://h/?é"])]])).to_pylist() == ["%E9"]


def test_a_process_that_has_imported_nothing_else() -> None:
    """Polars loads the module from a plan."""
    code = (
        f"from weburl.ext import _polars\nprint(_polars.job_from({pickled(('url_normalize', {}))!r}, 1)['is_struct'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_surrogates_of_a_key() -> None:
    for key, meaning in (("\ud83d\ude00", "😀"), ("\ud800a\udfff", "\ufffda\ufffd")):
        assert plans.read(pickled(("url_param", {"key": key}))).options["key"] == meaning


def test_what_patterns_give() -> None:
    urls = ["https://a.example.com/books/7&é=%", "http://h/?Q", "no URL", None]
    jobs = [plan_for(job).job(1) for job in (*PATTERN_JOBS, HOST_JOBS[0])]
    found = [Column(_polars.evaluate(job, [[from_objects(urls)]])).to_pylist() for job in jobs[:1]]
    assert found == [[True, False, False, None]]
    assert Column(_polars.evaluate(jobs[4], [[from_objects(urls)]])).to_pylist() == ["a&b", "é", None, None]
    groups = Table(_polars.evaluate(jobs[2], [[from_objects(urls)]])).to_pylist()
    assert groups[:2] == [{"id": "7", "hostname.site": "a"}, {"id": None, "hostname.site": None}]
    assert Column(_polars.evaluate(jobs[5], [[from_objects(urls)]])).to_pylist() == [True, False, None, None]


class Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("exploited",)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize(
    "arguments",
    [
        {"fields": ("href",)},
        {"job": {"fields": ("href",)}},
        {"job": b"version=2&verb=url_normalize"},
        {"job": None},
        {"job": ["version=2&verb=url_normalize"]},
        {"job": Exploit()},
        {"job": "version=2&verb=url_normalize", "a": Exploit()},
        {"job": "version=2&verb=url_normalize", "jobs": "version=2&verb=url_normalize"},
        {"jo": "version=2&verb=url_normalize"},
        {"job": "version=2&verb=url_normalize\n"},
        {"job": "version=2&verb=url_normälize"},
        {"job": "version=2&verb=url_normalize\udcff"},
        {"fields": ("fingerprint",), "bits": 1 << 40},
        Exploit(),
        [],
        {},
        "version=2&verb=url_normalize",
        None,
    ],
)
def test_other_pickles(arguments: Any, protocol: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"^these are not the arguments of a job$"):
        plans.read(pickle.dumps(arguments, protocol))
    assert os.listdir() == []


@pytest.mark.parametrize("protocol", range(5))
def test_other_protocols(protocol: int) -> None:
    with pytest.raises(ValueError, match=r"^these are not the arguments of a job$"):
        plans.read(pickle.dumps({"job": "version=2&verb=url_normalize"}, protocol))


def test_lengths_that_lie() -> None:
    text = b"version=2&verb=url_normalize"
    head, tail = b"\x80\x05}\x94\x8c\x03job\x94", b"\x94s."
    assert plans.read(head + b"\x8c" + bytes([len(text)]) + text + tail).verb.name == "normalize"
    assert plans.read(head + b"X" + struct.pack("<I", len(text)) + text + tail).verb.name == "normalize"
    for length in (0, len(text) - 1, len(text) + 1, len(text) + 3, 255, 2**31, 2**32 - 1, 2**32 - len(text)):
        lies = [b"X" + struct.pack("<I", length), b"\x8d" + struct.pack("<Q", length)]
        for lie in [b"\x8c" + bytes([length]), *lies] if length < 256 else lies:
            for data in (head + lie + text + tail, head + lie + text, head + lie + text + tail + b"."):
                with pytest.raises(ValueError, match=r"^these are not the arguments of a job$"):
                    plans.read(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "another version"),
        ("verb=url_normalize", "another version"),
        ("version=1&field=site", "another version of weburl: of its form '1', not '2'"),
        ("version=3&verb=url_normalize", "another version of weburl: of its form '3', not '2'"),
        ("version=3&verb=new&later=1&later=1", "another version of weburl: of its form '3', not '2'"),
        (f"version={'9' * 10**6}&verb=url_normalize", "another version of weburl: of its form '9{39}, not '2'"),
        ("version=2", "a job begins with its version and its verb"),
        ("version=2&version=2&verb=url_normalize", "a job begins with its version and its verb"),
        ("verb=url_normalize&version=2", "a job begins with its version and its verb"),
        ("version=2&base=a:&verb=url_normalize", "a job begins with its version and its verb"),
        ("version=2&field=href", "a job begins with its version and its verb"),
        ("version=2&verb=normalize", "there is no function 'normalize'"),
        ("version=2&verb=", "there is no function ''"),
        # Not of engines.
        ("version=2&verb=url_redactions", "there is no function 'url_redactions'"),
        (f"version=2&verb={'a' * 10**6}", r"there is no function 'a{59}$"),
        ("version=2&verb=url_normalize&verb=url_normalize", "normalize has no option 'verb'"),
        ("version=2&verb=url_normalize&nonsense=1", "normalize has no option 'nonsense'"),
        (f"version=2&verb=url_normalize&{'a' * 10**6}=1", r"normalize has no option 'a{59}$"),
        ("version=2&verb=url_normalize&views=1", "normalize has no option 'views'"),
        ("version=2&verb=url_normalize&is_struct=1", "normalize has no option 'is_struct'"),
        ("version=2&verb=url_normalize&policy=crawl", "normalize has no option 'policy'"),
        ("version=2&verb=url_normalize&base=a:&base=b:", "normalize has no option 'base'"),
        ("version=2&verb=url_normalize&encoding=nope", "unknown encoding label: 'nope'"),
        ("version=2&verb=url_normalize&base=b:&encoding=", "unknown encoding label: ''"),
        ("version=2&verb=url_shard&n=21474836479", "not a number of at most ten digits: '21474836479'"),
        (f"version=2&verb=url_shard&n={'1' * 10**6}", "not a number of at most ten digits: '1111"),
        ("version=2&verb=url_normalize&encoding=latin1&base=b:", "normalize has no option 'base'"),
        ("version=2&verb=url_fingerprint&policy=crawl&bits=4096", "bits must be an int from 1 to 64, or 96 or 128"),
        ("version=2&verb=url_fingerprint&policy=crawl&bits=x", "not a number of at most ten digits: 'x'"),
        ("version=2&verb=url_fingerprint&policy=crawl&bits=+6_4+", "not a number of at most ten digits: ' 6_4 '"),
        ("version=2&verb=url_fingerprint", "fingerprint needs policy, bits"),
        ("version=2&verb=url_canonicalize&policy=CrawlPolicy(remove_www%3D1)", "remove_www must be a bool, not int"),
        ("version=2&verb=url_canonicalize&policy=nonsense", "policy must be whatwg, crawl or surt"),
        ("version=2&verb=url_canonicalize&policy=crawl&policy=crawl", "canonicalize has one policy, not more"),
        ("version=2&verb=url_canonicalize", "canonicalize needs policy"),
        ("version=2&verb=url_percent_decode&errors=strict&encoding=latin1", "percent_decode has no option 'encoding'"),
        ("version=2&verb=url_percent_decode&encoding=latin1&errors=strict", "percent_decode has no option 'encoding'"),
        ("version=2&verb=url_percent_decode&errors=strict&base=a:", "percent_decode has no option 'base'"),
        ("version=2&verb=url_percent_decode&base=a:&errors=strict", "percent_decode has no option 'base'"),
        ("version=2&verb=url_percent_decode", "percent_decode needs errors"),
        ("version=2&verb=url_percent_decode&errors=nonsense", "errors must be one of replace"),
        ("version=2&verb=url_can_parse&encoding=latin1", "can_parse has no option 'encoding'"),
        ("version=2&verb=url_find_urls&scheme=http&bare=2&syntax=text&defanged=0", "a flag is 0 or 1"),
        ("version=2&verb=url_find_urls&bare=0&syntax=text&defanged=0", "find_urls needs schemes"),
        ("version=2&verb=url_parse&field=href&field=href", "fields must be one or more names, each once"),
        ("version=2&verb=url_parse&field=valid", "a field must be one of href, "),
        ("version=2&verb=url_parse&field=", "a field must be one of href, "),
        ("version=2&verb=url_parse&fields=href", "parse has no option 'fields'"),
        ("version=2&verb=url_param&key=a&key=b", "param has one key, not more"),
        ("version=2&verb=url_query&key=a&key=a", "keys must be one or more names, each once"),
        ("version=2&verb=url_query", "query needs keys"),
        ("version=2&verb=parse_url", "parse_url needs part"),
        ("version=2&verb=parse_url&part=PORT", "part must be one of HOST"),
        ("version=2&verb=parse_url&part=HOST&key=q", "a key goes with QUERY, not with 'HOST'"),
        ("version=2&verb=parse_url&base=a:&part=HOST", "parse_url has no option 'base'"),
        ("version=2&verb=url_host_in", "host_in needs hosts"),
        ("version=2&verb=url_host_in&hosts=a&hosts=b", "host_in has one hosts, not more"),
        ("version=2&verb=url_host_in&hosts=a.*.b", "an entry is a host"),
        ("version=2&verb=url_robots_allowed", "robots_allowed needs robots"),
        ("version=2&verb=url_robots_allowed&robots=a", "not a Robots"),
        ("version=2&verb=url_robots_allowed&robots=bing%0Aa%0A0%0A", 'compat must be None, "rfc9309" or "google"'),
        ("version=2&verb=url_robots_allowed&robots=%0Aa+b%0A0%0A", "agent must be a product token"),
        ("version=2&verb=url_robots_allowed&robots=%0Aa%0A0%0A%E2%82%AC%0A", "not a Robots"),
        ("version=2&verb=url_robots_allowed&robots=%0Aa%0A0%0Aallow:/&robots=a", "robots_allowed has one robots, not"),
        ("version=2&verb=url_robots_allowed&base=a:&robots=%0Aa%0A0%0A", "robots_allowed has no option 'base'"),
        ("version=2&verb=url_pattern_test", "have one pattern"),
        ("version=2&verb=url_pattern_extract&group=id", "have one pattern"),
        (f"version=2&verb=url_pattern_test&{ONE}&{ONE}", "have one pattern"),
        (f"version=2&verb=url_normalize&{ONE}", "normalize has no option 'pattern'"),
        (f"version=2&verb=url_pattern_test&group=id&{ONE}", "pattern_test has no option 'group'"),
        (f"version=2&verb=url_pattern_extract&group=x&{ONE}", "no group is named 'x'"),
        (f"version=2&verb=url_pattern_extract&group=id&group=id&{ONE}", "each once"),
        ("version=2&verb=url_pattern_test&pattern=", "a pattern has all components"),
        ("version=2&verb=url_route&routes=a", "route has no option 'routes'"),
        (f"version=2&verb=url_pattern_test&{ONE}&ignore_case=0", "a pattern has all components"),
        (f"version=2&verb=url_pattern_test&{ONE}&hash=x", "pattern_test has no option 'hash'"),
        (f"version=2&verb=url_pattern_test&hash=x&{ONE}", "pattern_test has no option 'hash'"),
        (f"version=2&verb=url_pattern_test&{ONE.replace('%3Aid', '(')}", "a regular expression lacks"),
    ],
)
def test_other_plans(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(given_text(text))


def test_bases() -> None:
    with pytest.raises(InvalidURL):
        evaluate(given_text("version=2&verb=url_normalize&base=no+base"))
    with pytest.raises(InvalidURL, match=r"\*\*\*") as raised:
        evaluate(given_text("version=2&verb=url_normalize&base=http://user:secret@x:y/"))
    assert "secret" not in str(raised.value)


def test_columns() -> None:
    assert evaluate(given_text("version=2&verb=url_normalize"), 2) == ["http://xn--tda.example/?a=%41", None, None]
    for columns in (0, 3, 9):
        with pytest.raises(ValueError, match=f"one column or two, .*not {columns}"):
            evaluate(given_text("version=2&verb=url_normalize"), columns)
    for text in ("version=2&verb=url_normalize&base=a:", "version=2&verb=url_percent_decode&errors=strict"):
        with pytest.raises(ValueError, match="one column or two"):
            evaluate(given_text(text), 2)


def any_outcome(data: bytes, columns: int) -> bool:
    try:
        return len(evaluate(data, columns)) == 3
    except ValueError:
        return False


NAMES = [
    "version",
    "verb",
    "field",
    "encoding",
    "policy",
    "part",
    "base",
    "key",
    "errors",
    "hosts",
    "robots",
    "bits",
    "group",
    "pattern",
    *COMPONENTS,
]
VALUES = [
    *"012é\0",
    "",
    "href",
    "registrable_domain",
    "decoded",
    "query_get",
    "query_pairs",
    "fingerprint",
    "error",
    "can_parse",
    "strict",
    "a:",
    "pattern_test",
    "route",
    "host_in",
    "robots_allowed",
    "\na\n0\nallow:/\n",
    ":id",
    "*",
]


@given(
    st.lists(st.tuples(st.sampled_from(NAMES) | st.text(), st.sampled_from(VALUES) | st.text())),
    st.integers(0, 3),
)
def test_any_text(pairs: list[tuple[str, str]], columns: int) -> None:
    any_outcome(given_text(serialize_form([("version", plans.VERSION), ("verb", "url_normalize"), *pairs])), columns)
    any_outcome(given_text(serialize_form([("version", plans.VERSION), *pairs])), columns)
    for function in engine_verbs():
        any_outcome(given_text(serialize_form([("version", plans.VERSION), ("verb", function), *pairs])), columns)
    whole = [("version", plans.VERSION), ("verb", "url_route"), ("pattern", "k"), *((name, "*") for name in COMPONENTS)]
    any_outcome(given_text(serialize_form([*whole, *pairs])), columns)


def test_damaged_plans() -> None:
    """Bytes are changed, removed, added and moved: the result is a job, or an error."""
    source = random.Random(13)
    whole = [pickled(job) for job in (*JOBS, *HOST_JOBS, *PATTERN_JOBS) if len(pickled(job)) < 1000]
    parts = [b"\x80", b"\x05", b"\x95", b"\x94", b"\x8c", b"\xff", *(bytes([c]) for c in b"}Xs.cR&=%")]
    read = 0
    for _ in range(20_000):
        data = bytearray(source.choice(whole))
        for _ in range(source.choice((1, 1, 2, 5))):
            at = source.randrange(len(data) + 1)
            kind = source.randrange(4)
            if kind == 0:
                data[at : at + 1] = source.randbytes(1)
            elif kind == 1:
                del data[at : at + source.choice((1, 1, 8, 100))]
            elif kind == 2:
                data[at:at] = source.choice(parts)
            else:
                other = source.choice(whole)
                data[at:] = other[source.randrange(len(other)) :]
        read += any_outcome(bytes(data), source.choice((1, 1, 2)))
    # Such as one whose key has changed.
    assert 100 < read < 10_000
    for size in (0, 1, 2, 10, 100, 1000, 100_000):
        for _ in range(20):
            assert not any_outcome(source.randbytes(size), 1)


@pytest.mark.long
def test_deep_and_long() -> None:
    """A long text needs no deep stack, and only linear time."""
    for text in (
        "[" * 10**6,
        json.dumps([[1]] * 10**5),
        "a=" * 10**6,
        "&" * 10**6,
        "version=2&verb=url_parse&" + "field=href&" * 10**5,
    ):
        with pytest.raises(ValueError, match=r"job|fields"):
            evaluate(given_text(text))
    key = "%" * 10**6
    assert plans.read(pickled(("url_param", {"key": key}))).options["key"] == key
    assert URL(plan_for(("url_normalize", {"base": "HTTP://h/" + "a" * 10**6})).job(1)["base"]).scheme == "http"
