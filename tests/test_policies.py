"""Policies are values: equal, hashed, pickled, copied, printed and read as what they say."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.redaction_lists import OTEL_NAMES

from weburl._crawl.policy import PolicyValue, text_of
from weburl.bulk import canonicalize_many, fingerprint_many, path_template_many, redact_many
from weburl.crawl import INDEX_NAMES, TRACKING_PARAMETERS, CrawlPolicy, SurtPolicy, canonicalize, fingerprint
from weburl.redact import SECRET_NAMES, TOKEN_NAMES, LogPolicy, path_template, redact, redactions

NAMESPACE = {
    "CrawlPolicy": CrawlPolicy, "SurtPolicy": SurtPolicy, "LogPolicy": LogPolicy, "INDEX_NAMES": INDEX_NAMES,
    "TRACKING_PARAMETERS": TRACKING_PARAMETERS, "SECRET_NAMES": SECRET_NAMES, "TOKEN_NAMES": TOKEN_NAMES,
}  # fmt: skip
CLASSES: tuple[type[Any], ...] = (CrawlPolicy, SurtPolicy, LogPolicy)
URLS = [
    "https://u:p@www.Example.com:81/index.html?b=2&utm_source=x&a=1&token=q8Zx&plate=AB1#!/top",
    "http://www.a.example./a/5/index.php//?%7e=%41&ref=x&ref=x",
    "http://h/verify/kbhzqpxwmqrtnA17;jsessionid=1?code=kbhzqpxwmqrtnA17",
    "mailto:a@b.com",
    "no URL",
]

# What classes take: a new setting without a line here fails test_the_settings_are_generated.
PARAMETER = st.one_of(
    st.sampled_from(sorted(TRACKING_PARAMETERS)),
    st.text(st.sampled_from("abz09_-.[]'\"\\ ~%\t"), min_size=1, max_size=6).filter(lambda text: text.lower() == text),
    st.sampled_from(["b*", "b=hex32", "b*=digits", "b@a.example", "b*=time@xn--p1ai", "b=dotted@1.2.3.4"]),
)
SEGMENT = st.sampled_from([*sorted(INDEX_NAMES), "index.*", "x|", "a'b", 'a"b'])
GLOB = st.sampled_from([*sorted(SECRET_NAMES), "plate", "*plate", "a*", "*b*"])
PATHS = ["/reset/{secret}", "/*/{secret}", "/é'\"/{secret}", "/{secret}/{secret}"]
HOST_RULES = ["example.com hide plate", "xn--p1ai keep b", "[::1] path /*/{secret}", "example.com keep token"]
KEY_VARIABLE = "WEBURL_TEST_KEY_OF_POLICIES"
os.environ[KEY_VARIABLE] = "0123456789abcdef"


def names(each: st.SearchStrategy[str], default: frozenset[str]) -> st.SearchStrategy[frozenset[str]]:
    """Some names, or the default with some more and without some."""
    few = st.frozensets(each, max_size=4)
    less = st.frozensets(st.sampled_from(sorted(default)), max_size=3)
    return st.one_of(few, st.builds(lambda more, less: (default | more) - less, few, less))


SETTINGS: dict[type[Any], dict[str, st.SearchStrategy[Any]]] = {
    CrawlPolicy: {
        "tracking_parameters": names(PARAMETER, TRACKING_PARAMETERS),
        "index_names": names(SEGMENT, INDEX_NAMES),
        "fragment": st.sampled_from(["remove", "hashbang", "keep"]),
        **{
            name: st.booleans()
            for name in (
                "remove_session_ids", "sort_query", "remove_repeated_pairs", "merge_slashes", "remove_trailing_slash",
                "remove_amp", "remove_trailing_dot", "remove_www", "remove_mobile", "remove_credentials",
                "merge_schemes",
            )
        },
    },
    SurtPolicy: {name: st.booleans() for name in ("with_scheme", "trailing_comma", "keep_www", "archive_exact")},
    LogPolicy: {
        "secret_names": names(GLOB, SECRET_NAMES),
        "token_names": names(GLOB, TOKEN_NAMES),
        "exact_names": names(st.sampled_from([*sorted(OTEL_NAMES), "plate", "a[b]"]), OTEL_NAMES),
        "whole_addresses": st.booleans(),
        "kept_names": st.frozensets(GLOB, max_size=3),
        "field_names": st.frozensets(GLOB, max_size=3),
        "path_rules": st.frozensets(st.sampled_from(PATHS), max_size=3),
        "host_rules": st.frozensets(st.sampled_from(HOST_RULES), max_size=3),
        "key_env": st.sampled_from(["", KEY_VARIABLE]),
    },
}  # fmt: skip
IDENTITY = {
    "name": st.text(st.sampled_from("abcXYZ019-_."), min_size=1, max_size=8).map(lambda text: f"own{text}"),
    "version": st.integers(1, 1 << 30),
}


def chosen(kind: type[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the settings, with their values."""
    return st.fixed_dictionaries({}, optional={**SETTINGS[kind], **IDENTITY})


GENERATED = st.sampled_from(CLASSES).flatmap(lambda kind: st.tuples(st.just(kind), chosen(kind)))


def made(kind: type[Any], options: dict[str, Any]) -> Any | None:
    """A policy, or None if a name is one that the class refuses."""
    try:
        return kind(**options)
    except ValueError:
        return None


def results(policy: Any) -> list[Any]:
    """What it gives for single URLs and for columns."""
    if isinstance(policy, LogPolicy):
        texts = [redact(url, policy) for url in URLS]
        paths = [path_template(url, policy) for url in URLS[:-1]]
        columns = redact_many(URLS, policy).to_pylist(), path_template_many(URLS, policy).to_pylist()
        assert columns == (texts, [*paths, None])
        return [*texts, *paths, *(redactions(url, policy) for url in URLS)]
    forms = [canonicalize(url, policy) for url in URLS[:-1]]
    keys = [fingerprint(url, policy, bits=bits) for bits in (64, 96, 128) for url in URLS[:-1]]
    assert canonicalize_many(URLS, policy).to_pylist() == [*forms, None]
    assert [
        key for bits in (64, 96, 128) for key in fingerprint_many(URLS, policy, bits=bits).to_pylist()[:-1]
    ] == keys  # fmt: skip
    return [*forms, *keys]


def check_same(policy: Any, other: Any) -> None:
    assert type(other) is type(policy)
    assert other == policy
    assert (other != policy) is False
    assert hash(other) == hash(policy)
    assert {policy: 1}[other] == 1
    assert (repr(other), str(other)) == (repr(policy), str(policy))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(GENERATED, st.randoms())
def test_values(given: tuple[type[Any], dict[str, Any]], random: Any) -> None:
    kind, options = given
    policy = made(kind, options)
    if policy is None:
        return
    items = list(options.items())
    random.shuffle(items)
    check_same(policy, kind(**dict(items)))
    copies = [pickle.loads(pickle.dumps(policy, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in (copy.copy(policy), copy.deepcopy(policy), eval(repr(policy), dict(NAMESPACE)), *copies):
        check_same(policy, other)
    every = {name: getattr(policy, name) for name in (*SETTINGS[kind], *IDENTITY)}
    check_same(policy, kind(**every))
    assert pickle.dumps(kind(**every)) == pickle.dumps(policy)
    assert {name: every[name] for name in options} == options
    assert str(policy) == f"{every['name']}/{every['version']}"
    # Each setting counts.
    for name in every:
        value = other_value(every[name], name)
        assert made(kind, {**every, name: value}) != policy
    expected = results(policy)
    for other in (copies[-1], text_of(policy)):
        assert results_under(kind, other) == expected


def other_value(value: Any, name: str = "") -> Any:
    if name in ("path_rules", "host_rules"):
        return value ^ {PATHS[0] if name == "path_rules" else HOST_RULES[0]}
    if name == "key_env":
        return "" if value else KEY_VARIABLE
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value % (1 << 30) + 1
    if isinstance(value, str):
        return {"remove": "keep", "keep": "hashbang", "hashbang": "remove"}.get(value, f"{value}-x")
    return value ^ {"xyz"}


def results_under(kind: type[Any], policy: Any) -> list[Any]:
    if isinstance(policy, str):
        if kind is LogPolicy:
            texts = [*(redact(url, policy) for url in URLS), *(path_template(url, policy) for url in URLS[:-1])]
            return [*texts, *(redactions(url, policy) for url in URLS)]
        keys = [fingerprint(url, policy, bits=bits) for bits in (64, 96, 128) for url in URLS[:-1]]
        return [*(canonicalize(url, policy) for url in URLS[:-1]), *keys]
    return results(policy)


def test_the_settings_are_generated() -> None:
    for kind, strategies in SETTINGS.items():
        assert [*inspect.signature(kind).parameters] == ["name", "version", *inspect.signature(kind).parameters][2:]
        assert {*inspect.signature(kind).parameters} == {*strategies, *IDENTITY}
        assert all(each.kind is each.KEYWORD_ONLY for each in inspect.signature(kind).parameters.values())
    modules = [sys.modules["weburl.crawl"], sys.modules["weburl.redact"]]
    public = {
        each for module in modules for name in module.__all__
        if isinstance(each := getattr(module, name), type) and issubclass(each, PolicyValue)
    }  # fmt: skip
    assert public == {*CLASSES}


def test_pickles_between_processes() -> None:
    policies = [
        CrawlPolicy(tracking_parameters=TRACKING_PARAMETERS | {"ref", "a'b"}, index_names=(), name="shop", version=2),
        SurtPolicy(with_scheme=True),
        LogPolicy(secret_names=SECRET_NAMES | {"*plate"}, token_names=TOKEN_NAMES - {"code"}),
        *(kind() for kind in CLASSES),
    ]
    program = (
        "import pickle, sys\n"
        "policies = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps([(each, repr(each), pickle.dumps(each)) for each in policies]))"
    )
    for seed in ("0", "1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", program], input=pickle.dumps(policies), capture_output=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout  # fmt: skip
        for policy, (other, shown, pickled) in zip(policies, pickle.loads(found), strict=True):
            check_same(policy, other)
            # Whatever the order of its sets.
            assert (shown, pickled) == (repr(policy), pickle.dumps(policy))
            assert results(other) == results(policy)


def test_names_of_weburls_own() -> None:
    for name, policy in (("crawl", CrawlPolicy(name="crawl")), ("surt", SurtPolicy(name="surt"))):
        for alias in (name, f"{name}/1", repr(policy), policy):
            assert [canonicalize(url, alias) for url in URLS[:-1]] == [canonicalize(url, name) for url in URLS[:-1]]
        assert (text_of(policy), str(policy)) == (f"{name}/1", f"{name}/1")
    for name, function in (("logs", redact), ("paths", path_template)):
        logs = LogPolicy(name=name)
        for own in (name, f"{name}/1", repr(logs), logs):
            assert [function(url, own) for url in URLS[:-1]] == [function(url, name) for url in URLS[:-1]]
        assert text_of(logs) == f"{name}/1"
    # The same rules under another name are another policy.
    assert CrawlPolicy() != CrawlPolicy(name="crawl")
    assert repr(CrawlPolicy()) == "CrawlPolicy()"


def test_reprs() -> None:
    more = CrawlPolicy(tracking_parameters=TRACKING_PARAMETERS - {"gclid"} | {"ref", "a"}, index_names=(), name="shop")
    assert repr(more) == (
        "CrawlPolicy(name='shop', tracking_parameters=TRACKING_PARAMETERS - {'gclid'} | {'a', 'ref'}, index_names=())"
    )
    assert repr(LogPolicy(secret_names={"b", "a"}, version=2)) == "LogPolicy(version=2, secret_names={'a', 'b'})"
    assert repr(SurtPolicy(keep_www=True)) == "SurtPolicy(keep_www=True)"


def test_policies_do_not_change_and_have_no_subclasses() -> None:
    for kind in CLASSES:
        policy = kind(name="mine")
        for name in (*SETTINGS[kind], *IDENTITY, "other"):
            with pytest.raises(AttributeError):
                setattr(policy, name, None)
        with pytest.raises(AttributeError, match=f"'{kind.__name__}' object has no attribute 'other'"):
            _ = policy.other
        assert {*SETTINGS[kind], *IDENTITY} <= {*dir(policy)}
        with pytest.raises(TypeError, match="is not an acceptable base type"):
            type("Mine", (kind,), {})
    # The same name is not enough.
    different: list[object] = [SurtPolicy(name="a"), LogPolicy(name="a"), "a/1", None]
    assert CrawlPolicy(name="a") not in different


@pytest.mark.parametrize(
    ("kind", "options", "error", "message"),
    [
        (
            CrawlPolicy,
            {"remove_ww": True},
            TypeError,
            "CrawlPolicy has no setting 'remove_ww'; its settings are name, ",
        ),
        (LogPolicy, {"secrets": ()}, TypeError, "its settings are name, version, secret_names, token_names"),
        (SurtPolicy, {"name": None}, TypeError, "name must be a str, not NoneType"),
        (LogPolicy, {"name": "a/b"}, ValueError, "must consist of ASCII letters, digits and - _ ."),
        (LogPolicy, {"version": 0}, ValueError, "version must be an int from 1 on"),
        (LogPolicy, {"name": "logs", "secret_names": ()}, ValueError, "logs/1 is for a policy of weburl's own"),
        (LogPolicy, {"name": "paths", "version": 2}, ValueError, "paths/2 is for a policy of weburl's own"),
        (SurtPolicy, {"name": "crawl"}, ValueError, "crawl/1 is for a policy of weburl's own"),
    ],
)
def test_wrong_settings(kind: type[Any], options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        kind(**options)


@pytest.mark.parametrize("kind", CLASSES)
def test_settings_by_place(kind: type[Any]) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} takes its settings by name, as {kind.__name__}\\("):
        kind(["a"])


WRONG_TEXTS = [
    ("CrawlPolicy(", "a setting, as remove_www=True is expected, not the end"),
    ("CrawlPolicy(remove_www", "an equals sign is expected, not the end"),
    ("CrawlPolicy(remove_www=", "a text, a number, True, False, or names in braces is expected, not the end"),
    ("CrawlPolicy(remove_www=True", "a comma or a closing parenthesis is expected, not the end"),
    ("CrawlPolicy(remove_www=True) or 1", "the end is expected, not 'or 1'"),
    ("CrawlPolicy(remove_www=True, remove_www=True)", "remove_www is there twice"),
    ("CrawlPolicy(index_names={1})", "a text in quotes is expected"),
    ("CrawlPolicy(index_names=SECRET_NAMES)", "names in braces is expected, not 'SECRET_NAMES"),
    ("CrawlPolicy(index_names={'\\x'})", "a wrong escape"),
    ("CrawlPolicy(name=open('x'))", "names in braces is expected, not"),
    ("CrawlPolicy(version=99999999999)", "is expected, not"),
    ("CrawlPolicy(nonsense=True)", "CrawlPolicy has no setting 'nonsense'"),
    ("CrawlPolicy(fragment={'a'})", "fragment must be one of remove, hashbang, keep"),
    ("LogPolicy()", "policy must be whatwg, crawl or surt"),
    ("crawl/2", "policy must be whatwg, crawl or surt"),
    ("CrawlPolicy()" + " " * (1 << 20), "policy must be"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_TEXTS)
def test_wrong_texts(text: str, message: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: canonicalize("http://h/", text), lambda: canonicalize_many([], text), lambda: fingerprint("x", text),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ValueError, match=message):
            call()


@given(GENERATED, st.integers(0, 1 << 30), st.sampled_from(["", "(", ")", "{", "'", ",", "=", "|", " ", "\\", "x"]))
def test_spoiled_texts(given: tuple[type[Any], dict[str, Any]], place: int, put: str) -> None:
    """A text stands for an equal policy, or it is refused with a ValueError."""
    kind, options = given
    policy = made(kind, options)
    if policy is None:
        return
    text = repr(policy)
    place %= len(text)
    spoiled = text[:place] + put + text[place + 1 :]
    try:
        expected = eval(spoiled, dict(NAMESPACE))
    except Exception:
        expected = None
    function: Callable[..., object] = redact if kind is LogPolicy else canonicalize
    try:
        found = [function(url, spoiled) for url in URLS[:2]]
    except ValueError:
        return
    if isinstance(expected, kind):
        assert found == [function(url, expected) for url in URLS[:2]]
