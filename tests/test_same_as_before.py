"""The tables of what differs from the last release: they explain what they say, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.since_0_2 import ACCEPTED, GONE, RENAMED, STEPS, alike, hides_more
from tiers.same_as_before import differences

import weburl
from weburl.crawl import TRACKING_PARAMETERS
from weburl.redact import SECRET_NAMES

ROOT = Path(__file__).resolve().parent.parent
REFUSED = ("raised", "InvalidURL", "missing-scheme-non-relative-URL")


def reasons(name: str, row: object, before: object, after: object) -> list[str]:
    return [each.reason for each in ACCEPTED if re.match(each.names, name) and each.accepts(row, before, after)]


def test_rows() -> None:
    assert reasons("bulk.can_parse_many() base='no'", None, REFUSED, ("raised", "InvalidURL", "base"))
    assert reasons("bulk.parse_many() encoding='latin1'", None, ("raised", "TypeError", ""), [["x"], {}])
    assert reasons("pyarrow.parse_url('FILE',) {'base': 'http://b/'}", None, ["/x"], ("raised", "TypeError", ""))
    assert reasons("bulk.redact_many()", "a", None, "a")
    assert reasons("polars.redact() {}", "http://u:p@h/", "http://u:p@h/", "http://REDACTED:REDACTED@h/")
    assert reasons("bulk.redactions_many()", "a", {"name": 0, "jwt": 0}, {"name": 1, "jwt": 0})
    assert reasons("bulk.redact_many()", "http://h/u:/u:p@h/", "http://h/u:/REDACTED/", "http://h/u:/u:p@h/")
    both, one = {"credentials": 1, "email": 1}, {"credentials": 1, "email": 0}
    assert reasons("bulk.redactions_many()", "http://u@v@h/", both, one)
    assert not reasons("bulk.redactions_many()", "http://u@v@h/", both, {"credentials": 0, "email": 1})


@pytest.mark.parametrize(("name", "row", "before", "after"), [
    ("bulk.normalize_many()", "a", None, "a"),
    ("bulk.normalize_many()", "http://a", "http://a/", "http://A/"),
    ("bulk.can_parse_many()", None, REFUSED, ("raised", "InvalidURL", "base")),
    ("bulk.can_parse_many() base='no'", None, [[True], {}], ("raised", "InvalidURL", "base")),
    ("bulk.can_parse_many() base='no'", None, REFUSED, [[True], {}]),
    ("bulk.parse_many() encoding='latin1'", None, [["y"], {}], [["x"], {}]),
    ("polars.parse_url('FILE',) {'base': 'http://b/'}", None, ["x"], ("raised", "TypeError", "")),
    ("pandas.parse_url('FILE',) {'base': 'http://b/'}", None, ["/x"], ["/y"]),
    ("pandas.parse_url('FILE',) {}", None, ["/x"], ("raised", "TypeError", "")),
    ("bulk.redact_many()", "http://h/", "http://h/", None),
    ("bulk.redact_many()", "http://h/?a=1", "http://h/?a=REDACTED", "http://h/?a=1"),
    ("bulk.redact_many()", "http://h/?a=1&b=2", "http://h/?a=1&b=2", "http://h/?a=REDACTED&b=3"),
    ("bulk.redactions_many()", "a", {"name": 1, "jwt": 0}, {"name": 0, "jwt": 0}),
    ("polars.hostname() {}", "http://a", "a", None),
])  # fmt: skip
def test_other_rows(name: str, row: object, before: object, after: object) -> None:
    assert reasons(name, row, before, after) == []


@pytest.mark.parametrize(("before", "after"), [
    ("http://h/a", "http://h/REDACTED"), ("a.b\n", "REDACTED\n"), ("/u/5", "/u/{int}"), ("a+b+c", "a+REDACTED+c"),
])  # fmt: skip
def test_what_hides_more(before: str, after: str) -> None:
    assert hides_more(before, after)
    assert not hides_more(after, before)
    assert not hides_more(before, f"{after}x")


def test_words_that_are_shown() -> None:
    before, after = "http://h/?REDACTED&b", "http://h/?springSALENewCustomersRETargetingOfpeople&b"
    assert reasons("bulk.redact_many()", after, before, after) == ["words in capital and small letters are not base64"]
    counts = {"base64": 1, "name": 2}
    assert reasons("bulk.redactions_many()", after, counts, {**counts, "base64": 0})
    assert not reasons("bulk.redactions_many()", after, counts, {"base64": 0, "name": 1})
    assert not reasons("bulk.redactions_many()", "http://h/", counts, {**counts, "base64": 0})
    assert not reasons("bulk.redact_many()", after, before, "http://h/?Zq7Kx0Lm3Np9Rt2Vb5Xc8Wd1Fg4Hj6Ks2&b")
    assert not reasons("bulk.redact_many()", after, before, "http://h/?spring&b")
    assert not reasons("bulk.redact_many()", after, before, after.replace("http", "ftp"))


OTHER_PLAN = ("raised", "ValueError", "the job is from another version of weburl: of its form '1', not '2'")
OTHER_POLICY = ("raised", "ValueError", "weburl cannot make this policy of 0.2.0 any more: name: x")
PICKLES: list[tuple[str, object, object, object]] = [
    ("pickle InvalidURL str", "", "a", "b"),
    ("pickle PatternError repr", "", "a", "b"),
    ("pickle URLPattern repr", "", "URLPattern(username='u', port='')", "URLPattern(username='***', port='')"),
    ("pickle CrawlPolicy repr", "{}", "<CrawlPolicy crawl/1>", "CrawlPolicy(name='crawl')"),
    ("pickle LogPolicy str", "{}", "<LogPolicy logs/1>", "logs/1"),
    ("pickle LogPolicy equal", "{}", False, True),
    ("pickle SurtPolicy name", "{'keep_www': True}", "surt-6aa6d8ea", "custom"),
    ("pickle LogPolicy name", "{'token_names': ()}", "logs", "custom"),
    ("pickle CrawlPolicy tracking_parameters", "{}", ["a"], sorted(TRACKING_PARAMETERS)),
    ("pickle LogPolicy secret_names", "{}", ["a"], sorted(SECRET_NAMES)),
    ("pickle CrawlPolicy index_names", "{'index_names': {'a@b'}}", ["a@b", "c"], ["a%40b", "c"]),
    ("pickle CrawlPolicy use", "{}", ["http://h/?a=1&sid=2", "x:"], ["http://h/?a=1", "x:"]),
    ("pickle LogPolicy use", "{}", ["http://h/", "http://h/a"], ["http://h/", "http://h/REDACTED"]),
    ("pickle SurtPolicy", "{'name': 'logs'}", {"name": "logs"}, OTHER_POLICY),
    ("pickle name", "weburl.redact.path_template", {}, ("raised", "ModuleNotFoundError", "No module named 'x'")),
    ("plan b'version=1'", None, ["http://h/"], OTHER_PLAN),
]


@pytest.mark.parametrize(("name", "row", "before", "after"), PICKLES)
def test_pickles(name: str, row: object, before: object, after: object) -> None:
    assert len(reasons(name, row, before, after)) == 1
    # Not of another object, and not with any other difference; nor the other way round, unless these are any two texts.
    assert not reasons("pickle URL href", row, before, after)
    assert not reasons(name, row, before, ("raised", "ValueError", "x"))
    assert not reasons(name, row, after, before) or before == "a"


def test_what_differs_in_a_pickle() -> None:
    before = {"repr": "URL('http://h/')", "href": "http://h/"}
    assert [*differences("pickle URL HTTP://h /", (), before, {**before, "href": "x"})] == [
        ("pickle URL href", "HTTP://h /", "http://h/", "x")
    ]
    assert [*differences("pickle URL x", (), before, OTHER_PLAN)] == [("pickle URL", "x", before, OTHER_PLAN)]
    assert [*differences("pickle URL x", (), before, {**before})] == []
    assert [*differences("plan x", (), ["a"], ["b"])] == [("plan x", None, ["a"], ["b"])]


OUT = b"http://h/\n"
ENDS: list[tuple[str, tuple[object, ...], tuple[object, ...]]] = [
    ("weburl //h/x", (0, b"\n", b"weburl: missing-scheme-non-relative-URL in '//h/x': A.\n", b""),
        (1, b"\n", b"weburl: missing-scheme-non-relative-URL in '//h/x': B.\n", b"")),
    ("weburl -g {no}", (2, b"", b"weburl: x", b""), (2, b"", b"weburl: y", b"")),
    ("weburl --csv -g {registrable_domain}", (0, b"href,site\na,b\n", b"", b""),
        (0, b"href,registrable_domain\na,b\n", b"", b"")),
    ("weburl stats", (0, b"sites: 2\n", b"", b""), (0, b"registrable domains: 2\n", b"", b"")),
    ("weburl --routes r -g {route}", (0, b"\na\n", b"", b""), (0, b"(none)\na\n", b"", b"")),
    ("weburl explain http://h", (0, b"a", b"", b""), (0, b"b", b"", b"")),
    ("weburl diff a http://h/?token=secret", (1, b"token=secret", b"", b""), (1, b"token=***", b"", b"")),
    ("weburl join --csv --json", (3, b"", b"x", b""), (2, b"", b"y", b"")),
    ("weburl --column x -f t", (3, b"", b"weburl: t: there is no column 'x'", b""),
        (1, b"", b"weburl: t: there is no column 'x'", b"")),
    ("weburl --keep=n -f t", (3, b"", b"weburl: t: there is no column 'n' to keep", b""),
        (1, b"", b"weburl: t: there is no column 'n' to keep", b"")),
    ("weburl --csv --keep", (3, b"", b"weburl: t: its lines have no columns: --column x", b""),
        (2, b"", b"weburl: t: its lines have no columns: --column x", b"")),
    ("weburl --csv --keep -f t", (3, OUT, b"weburl: t: JSON Lines have no header: --keep needs names here", b""),
        (2, OUT, b"weburl: t: JSON Lines have no header: --keep needs names here", b"")),
    ("weburl links --json", (0, b'{"rel": null, "href": null}', b"", b""),
        (0, b'{"rel": null, "hreflang": null, "type": null, "href": null}', b"", b"")),
    ("weburl dedup --policy crawl", (0, b"a", b"", b""), (2, b"", b"weburl: --policy is for {href}, x", b"")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after"), ENDS)
def test_lines(name: str, before: tuple[object, ...], after: tuple[object, ...]) -> None:
    assert alike(name, before, after)
    # With any other difference, they are not alike.
    assert not alike("weburl -f x", before, (*after[:3], b"another file"))
    assert not alike(name, before, (130, *after[1:]))
    if not name.startswith("weburl explain"):
        assert not alike(name, before, (after[0], b"another", *after[2:])) or after[0] == 2


def test_what_is_equal_needs_no_step() -> None:
    assert alike("weburl", (0, OUT, b"", b""), (0, OUT, b"", b"")) == []
    reasons = [*(each.reason for each in ACCEPTED), *(each.reason for each in STEPS)]
    assert len({*reasons}) == len(reasons)


def test_the_changelog_has_the_new_names() -> None:
    page = (ROOT / "CHANGELOG.md").read_text("utf-8").partition("### Old names and new names")[2].partition("\n## [")[0]
    for new, old in RENAMED.items():
        assert re.search(rf"^\|.*\b{old}\b.*\|.*\b{new}\b.*\|$", page, re.M), (old, new)
    for name, instead in GONE.items():
        if name.startswith("weburl.cli."):
            command, _, option = name.removeprefix("weburl.cli.commands.").partition("--")
            word = f"--{option}" if option else f"weburl {command}"
            assert re.search(rf"^\|.*{word}\b.*\|.*{re.escape(instead)}.*\|$", page, re.M), name


def test_two_builds(tmp_path: Path) -> None:
    """Of this build with itself, whose names are not the old ones: it says so."""
    library = Path(str(weburl.__file__)).parent.parent
    program = "from tiers.same_as_before import Build\nfrom pathlib import Path\nimport json\n"
    program += f"with Build(Path({str(library)!r}), ['http://A/', None, 'x'], is_old=False) as build:\n"
    program += "    for request in json.loads(input()):\n        build.ask(tuple(request))\n"
    program += "        print(json.dumps(build.answer(), default=repr))\n"
    asked = [
        ["bulk", "normalize_many", [], {}, None], ["bulk", "component_many", ["hostname"], {"base": "no"}, None],
        ["names", "weburl.bulk"], ["line", ["-g", "{hostname}", "http://A/"]],
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(asked), capture_output=True, text=True, check=False,
        cwd=ROOT / "tests",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows, refused, names, line = map(json.loads, done.stdout.splitlines())
    assert rows == [["http://a/", None, None], {"missing-scheme-non-relative-URL": 1}]
    assert refused == ["raised", "InvalidURL", "base"]
    assert "weburl.bulk.normalize_many(urls)" in names
    assert line[:2] == [0, repr(b"a\n")]
