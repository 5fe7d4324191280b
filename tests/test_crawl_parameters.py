"""The parameters and other versions of pages that the policy `crawl` and its knobs remove."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.key_site import OTHER_FORMS, page, together_and_apart, visit

from weburl import URL
from weburl._crawl.tracking import SESSIONS, TRACKERS, Tracker
from weburl.crawl import INDEX_NAMES, TRACKING_PARAMETERS, CrawlPolicy, canonicalize, without_tracking

DOCS = Path(__file__).resolve().parent.parent / "docs"

# Of docs/tracking.md.
SESSION_PARAMETERS = {
    "_=time", "aspsessionid*", "cfid", "cftoken", "jsessionid", "oscsid", "phpsessid", "replytocom=digits",
    "session_id=hex32", "sessionid=hex32", "sid=hex32", "zenid",
}  # fmt: skip
HEX = "0123456789abcdefABCDEF"


def of_shape(random: Random, shape: str) -> str:
    """A value that has the shape."""
    if shape == "hex32":
        return "".join(random.choices(HEX, k=32))
    if shape == "digits":
        return "".join(random.choices("0123456789", k=random.randint(1, 20)))
    if shape == "time":
        return "1" + "".join(random.choices("0123456789", k=random.choice((9, 12))))
    if shape == "dotted":
        parts = ["".join(random.choices("azAZ09-_", k=random.randint(1, 5))) for _ in range(random.randint(2, 6))]
        return random.choice("azAZ") + ".".join([*parts, "x"])
    return random.choice(("", "1", "a.b"))


def has_shape(shape: str, value: str) -> bool:
    patterns = {
        "hex32": "[0-9A-Fa-f]{32}", "digits": "[0-9]{1,20}", "time": "1[0-9]{9}|1[0-9]{12}",
        "dotted": r"[A-Za-z][A-Za-z0-9_.-]*\.[A-Za-z0-9_.-]*\.[A-Za-z0-9_.-]*(?<!\.)", "": ".*",
    }  # fmt: skip
    return re.fullmatch(patterns[shape], value, re.DOTALL) is not None


def parts_of(rule: str) -> tuple[str, str, str]:
    """The name, the shape and the host."""
    before, _, host = rule.partition("@")
    name, _, shape = before.partition("=")
    return name, shape, host


def test_every_name_of_the_lists() -> None:
    random = Random(1)
    for rule in TRACKING_PARAMETERS | SESSION_PARAMETERS:
        name, shape, host = parts_of(rule)
        value, host = of_shape(random, shape), host or "h"
        url = f"http://{host}/?{name.replace('*', 'x').upper()}={value}&a&x{name}={value}"
        assert canonicalize(url) == f"http://{host}/?a&x{name}={value}"
    endings = {"default": "asp aspx htm html", "index": "asp aspx htm html jsp php shtml"}
    assert {f"{name}.{end}" for name, ends in endings.items() for end in ends.split()} == INDEX_NAMES
    for name in INDEX_NAMES:
        assert canonicalize(f"http://h/a/{name.upper()}?b") == "http://h/a/?b"
    # All characters count.
    for rule in TRACKING_PARAMETERS | SESSION_PARAMETERS:
        name, shape, host = parts_of(rule.replace("*", "x"))
        for other in (chr(ord(name[0]) - 1) + name[1:], chr(ord(name[0]) + 1) + name[1:]):
            if other[0].isalpha():
                url = f"http://{host or 'h'}/?{other}={of_shape(random, shape)}"
                assert canonicalize(url) == url
    for name in INDEX_NAMES:
        for other in (chr(ord(name[0]) - 1) + name[1:], chr(ord(name[0]) + 1) + name[1:], name[:-1] + "!"):
            assert canonicalize(f"http://h/{other}") == f"http://h/{other}"
    for names in (TRACKING_PARAMETERS, SESSION_PARAMETERS, INDEX_NAMES):
        assert all(name == name.lower() and name.isascii() for name in names)
        # None is one of those that another stands for.
        for glob in (name[:-1] for name in names if name.endswith("*")):
            assert [name for name in names if name.startswith(glob)] == [glob + "*"]


@given(
    st.sampled_from(["", "hex32", "digits", "time", "dotted"]),
    st.sampled_from(["", "a.example", "b.a.example", "example"]),
    st.sampled_from(["a.example", "b.a.example", "xa.example", "a.example.", "example", "c.b.a.example:81", "1.2.3.4"]),
    st.text(st.sampled_from("0123456789abfAFg.-_"), max_size=34),
    st.sampled_from(["", "hex32", "digits", "time", "dotted"]),
    st.randoms(),
)
def test_conditions(shape: str, host: str, of_url: str, text: str, like: str, random: Random) -> None:
    """A rule counts where its shape and its host do, whatever stands beside it."""
    rule = "n" + f"={shape}" * bool(shape) + f"@{host}" * bool(host)
    value = of_shape(random, like) if like else text
    policy = CrawlPolicy(tracking_parameters={rule, "other=hex32", "n2@example"}, remove_session_ids=False)
    name = of_url.partition(":")[0].rstrip(".")
    holds = has_shape(shape, value) and (not host or name == host or name.endswith("." + host))
    url = f"http://{of_url}/?n={value}&z"
    assert canonicalize(url, policy) == (f"http://{of_url}/?z" if holds else url)
    # Escapes in the name and the value make no difference.
    escaped = "".join(f"%{ord(c):02x}" for c in value)
    assert canonicalize(f"http://{of_url}/?%6E={escaped}&z", policy) == canonicalize(url, policy)
    assert canonicalize(f"http://{of_url}/?n&z", policy) == (
        f"http://{of_url}/?n&z" if shape or not (not host or name == host or name.endswith("." + host))
        else f"http://{of_url}/?z"
    )  # fmt: skip
    assert without_tracking(url, {rule}) == (f"http://{of_url}/?z" if holds else url)
    assert CrawlPolicy(tracking_parameters=[rule]).tracking_parameters == {rule}


def test_pages_with_the_same_names_stay_apart() -> None:
    """What a name alone would have taken for a session."""
    for query in (
        "sid=251", "sid=2024/11/28/article", "s=80", "s=search+words", "s=" + "a" * 32, "hsa_x=1", "mtm_page=2",
        "at_home=1", "session_id=42", "_=1", "_=2024", "_=x",
        "replytocom=x", "spm=1.2.3", "spm=abc", "sid=0123456789abcdef0123456789abcdeg", "sid=" + "a" * 31,
        "sid=" + "a" * 33, "sessionid=welcome", "_=12345678901", "si=AbC", "ref_src=twsrc",
    ):  # fmt: skip
        assert canonicalize(f"http://h/?{query}") == f"http://h/?{query}"
    assert canonicalize("http://youtube.com.example/?si=AbC") == "http://youtube.com.example/?si=AbC"
    assert canonicalize("http://notyoutube.com/?si=AbC") == "http://notyoutube.com/?si=AbC"
    assert canonicalize("https://www.youtube.com/watch?v=1&si=AbC") == "https://www.youtube.com/watch?v=1"


OTHER_VERSIONS = [
    ("merge_slashes", "http://h//a///b//", "http://h/a/b/"),
    ("merge_slashes", "http://h//a//index.html?b//c", "http://h/a/?b//c"),
    ("merge_slashes", "http://h//(S(abcdefghijklmnopqrstuvwx))//a", "http://h/a"),
    ("remove_mobile", "http://m.example.com:81/", "http://example.com:81/"),
    ("remove_mobile", "http://mobile.m.example.com/", "http://example.com/"),
    ("remove_mobile", "http://m.com/", "http://m.com/"),
    ("remove_mobile", "http://m.co.uk/", "http://m.co.uk/"),
    ("remove_mobile", "http://mobile.com.au./", "http://mobile.com.au./"),
    ("remove_mobile", "http://m.m.co.uk/", "http://m.co.uk/"),
    ("remove_mobile", "http://m.github.io/", "http://m.github.io/"),
    ("remove_mobile", "http://mobile.m.github.io./", "http://m.github.io./"),
    ("remove_mobile", "http://m.ada.github.io/", "http://ada.github.io/"),
    ("remove_mobile", "http://m.kawasaki.jp/", "http://m.kawasaki.jp/"),
    ("remove_mobile", "http://m.b.kawasaki.jp/", "http://m.b.kawasaki.jp/"),
    ("remove_mobile", "http://m.city.kawasaki.jp/", "http://city.kawasaki.jp/"),
    ("remove_mobile", "http://m.a.co.uk/", "http://a.co.uk/"),
    ("remove_mobile", "http://m.site.uk/", "http://site.uk/"),
    ("remove_mobile", "http://m.abc.com/", "http://abc.com/"),
    ("remove_mobile", "http://mx.example.com/", "http://mx.example.com/"),
    ("remove_mobile", "http://en.m.example.com/", "http://en.m.example.com/"),
    ("remove_mobile", "http://m.1.example./", "http://1.example./"),
    ("remove_amp", "http://h/a/amp", "http://h/a"),
    ("remove_amp", "http://h/a/amp/", "http://h/a/"),
    ("remove_amp", "http://h/amp", "http://h/"),
    ("remove_amp", "http://h/amp/", "http://h/"),
    ("remove_amp", "http://h/amp/amp/amp", "http://h/"),
    ("remove_amp", "http://h/a/index.html/amp", "http://h/a/"),
    ("remove_amp", "http://h/a.amp.html", "http://h/a.html"),
    ("remove_amp", "http://h/index.amp.html", "http://h/"),
    ("remove_amp", "http://h/.amp.html", "http://h/.amp.html"),
    ("remove_amp", "http://h/..amp.html", "http://h/..html"),
    ("remove_amp", "http://h/lamp?amp=1&a", "http://h/lamp?a"),
    ("remove_amp", "http://h/?amp", "http://h/"),
    ("remove_amp", "http://h/?amp=&outputType=amp&amp=true", "http://h/"),
    ("remove_amp", "http://h/?amp=2&amps=1&outputType=json", "http://h/?amp=2&amps=1&outputType=json"),
]


@pytest.mark.parametrize(("knob", "url", "expected"), OTHER_VERSIONS)
def test_other_versions(knob: str, url: str, expected: str) -> None:
    policy = CrawlPolicy(**{knob: True})  # type: ignore[arg-type]
    assert canonicalize(url, policy) == canonicalize(expected, policy) == expected


ROUGH = st.lists(
    st.sampled_from(
        ["/", "/", "amp", ".amp", ".html", "index", "..", ";jsessionid=1", "a", "(S(abcdefghijklmnopqrstuvwx))"]
    )
).map("".join)


@given(
    st.sampled_from(["m.", "www.", "mobile.", "h.", "m.www.m."]), ROUGH,
    st.lists(st.sampled_from(["amp", "=", "1", "&", "outputType", "a", "%61mp"])).map("".join),
    st.fixed_dictionaries({
        name: st.booleans()
        for name in ("merge_slashes", "remove_mobile", "remove_amp", "remove_www", "remove_trailing_slash")
    }),
)  # fmt: skip
def test_knobs_together(labels: str, path: str, query: str, knobs: dict[str, bool]) -> None:
    """A canonical form is a URL, and its own canonical form."""
    policy = CrawlPolicy(**knobs)  # type: ignore[arg-type]
    form = canonicalize(f"http://{labels}example/{path}?{query}", policy)
    assert canonicalize(form, policy) == form == URL(form).href
    if knobs["merge_slashes"]:
        assert "//" not in URL(form).pathname
    if knobs["remove_mobile"]:
        assert not URL(form).hostname.startswith(("m.h.", "mobile.h."))


def test_trackers_have_sources() -> None:
    """The list, and the tables that the documentation makes of it."""
    names = [name for tracker in TRACKERS for name in tracker.names.split()]
    assert len(names) == len(set(names)) == len(TRACKING_PARAMETERS)
    assert [name for session in SESSIONS for name in session.names.split()] == [
        *dict.fromkeys(name for session in SESSIONS for name in session.names.split())
    ]
    assert {name for session in SESSIONS for name in session.names.split()} == SESSION_PARAMETERS
    assert [tracker.names for tracker in (*TRACKERS, *SESSIONS) if tracker.source is None] == ["mibextid"]
    page = (DOCS / "tracking.md").read_text("utf-8")
    addresses = dict(re.findall(r"^\[(\w+)\]: (\S+)$", page, re.MULTILINE))
    rows = re.findall(
        r"^\| (.*?) \| (`[^|]*`) \| (?:\[[^]]*\](?:\((\S*)\)|\[(\w+)\])|nobody.*) \|$", page, re.MULTILINE
    )
    table = [
        Tracker(vendor, listed.replace("`", ""), url or addresses.get(name) or None)
        for vendor, listed, url, name in rows
    ]
    assert table == [*TRACKERS, *SESSIONS]


@pytest.mark.parametrize("seed", range(3))
def test_a_site_whose_duplicates_are_known(seed: int) -> None:
    """No two pages have one key, and no page has two."""
    random = Random(seed)
    visits = [(of, visit(random, of)) for of in (page(random) for _ in range(1500)) for _ in range(6)]
    pages, together, apart = together_and_apart((of, canonicalize(url)) for of, url in visits)
    assert pages > 700
    assert (together, apart) == (0, 0)


@pytest.mark.parametrize("knob", OTHER_FORMS)
def test_other_forms_of_pages(knob: str) -> None:
    """What only a knob brings together: apart without it, one key with it, and still no two pages in one."""
    random = Random(1)
    policy = CrawlPolicy(**{knob: True})  # type: ignore[arg-type]
    chosen = [of for of in (page(random) for _ in range(500)) if not of[0].startswith("www.")]
    visits = [(of, form(visit(random, of))) for of in chosen for form in (str, OTHER_FORMS[knob])]
    visits = [(of, url.partition("#")[0]) for of, url in visits]
    assert together_and_apart((of, canonicalize(url, policy)) for of, url in visits)[1:] == (0, 0)
    assert together_and_apart((of, canonicalize(url)) for of, url in visits)[2] > 100
