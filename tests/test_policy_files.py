"""Policies from files of TOML: what they say, and errors with the file and the line."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.redaction_lists import IDENTIFIER_NAMES, OTEL_NAMES

from weburl._redact.policy_file import PolicyFile
from weburl._redact.toml_lines import lines_of
from weburl.redact import SECRET_NAMES, TOKEN_NAMES, LogPolicy, redact

VARIABLE = "WEBURL_TEST_KEY"

WHOLE = """\
# The policy of a shop.
name = "shop"
version = 3
base = "logs"

hide = ["*plate", 'customer*']   # two
hide_random = ["basket"]
keep = [
  "csrftoken",  # in each form
  "state",
]
paths = ["/reset/{secret}"]
whole_addresses = true

[replacement]
key_env = "WEBURL_TEST_KEY"

[[rules]]
hosts = ["pay.example.com", "bücher.example"]
hide = ["q"]
keep = ["session"]

[[rules]]
hosts = ["t.example.com"]
paths = ["/{secret}", "/*/x/{secret}"]
"""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0123456789abcdef")


def test_all_keys(tmp_path: Path) -> None:
    policy = LogPolicy(
        name="shop", version=3, secret_names=SECRET_NAMES | {"*plate", "customer*"}, key_env=VARIABLE,
        token_names=TOKEN_NAMES | {"basket"}, kept_names=["csrftoken", "state"], path_rules=["/reset/{secret}"],
        whole_addresses=True,
        host_rules=[
            "pay.example.com hide q", "pay.example.com keep session", "xn--bcher-kva.example hide q",
            "xn--bcher-kva.example keep session", "t.example.com path /{secret}", "t.example.com path /*/x/{secret}",
        ],
    )  # fmt: skip
    path = tmp_path / "shop.toml"
    for text in (WHOLE, WHOLE.replace("\n", "\r\n")):
        path.write_bytes(text.encode())
        for made in (LogPolicy.from_toml(text), LogPolicy.from_file(path), LogPolicy.from_file(str(path))):
            assert (made, hash(made), repr(made)) == (policy, hash(policy), repr(policy))
    assert LogPolicy.from_file(os.fsencode(path)) == policy  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("base = 'logs/1'", {}),
        ("replacement = 'REDACTED'", {}),
        ("base = 'logs-strict'", {"secret_names": SECRET_NAMES | IDENTIFIER_NAMES, "whole_addresses": True}),
        (
            "base = 'logs-strict'\nwhole_addresses = false\nkeep = ['ga']\nhide = ['x']",
            {"secret_names": SECRET_NAMES | IDENTIFIER_NAMES | {"x"}, "kept_names": ["ga"]},
        ),
        ("hide = ['otp', 'x']", {"secret_names": SECRET_NAMES | {"x"}, "field_names": ["otp"]}),
        ("base = 'otel'", {"exact_names": OTEL_NAMES}),
        ("base = 'otel'\nhide = ['X-Key']\nkeep = ['sig']", {"exact_names": (OTEL_NAMES | {"X-Key"}) - {"sig"}}),
        (
            "base = 'otel'\nrules = [{hosts = ['h'], hide = ['A_b']}]",
            {"exact_names": OTEL_NAMES, "host_rules": ["h hide A_b"]},
        ),
        ("replacement = {key_env = 'WEBURL_TEST_KEY'}", {"key_env": VARIABLE}),
        ("replacement.key_env = 'WEBURL_TEST_KEY'", {"key_env": VARIABLE}),
    ],
)
def test_bases(text: str, expected: dict[str, Any]) -> None:
    assert LogPolicy.from_toml(text) == LogPolicy(**expected)


# A line that is wrong, and what the message says. @ marks the line that is named if it is not the first.
WRONG = [
    ("name = 1", "name must be a string, not an integer"),
    ("name = 'a b'", "name: 'a b' must consist of ASCII letters"),
    ("name = 'logs-strict'", "is for a policy of weburl's own"),
    ("version = '1'", "version must be an integer, not a string"),
    ("version = true", "version must be an integer, not a boolean"),
    ("version = 0", "version must be an int from 1 on"),
    ("version = 1.5", "version must be an integer, not a float"),
    ("base = 'crawl'", "base must be logs, logs-strict, otel, with /1 or without, not 'crawl'"),
    ("base = []", "base must be a string, not an array"),
    ("hide = 'a'", "hide must be an array, not a string"),
    ("hide = [\n'a', 'b',\n@5]", "each item of hide must be a string, not an integer"),
    ("hide = [\n'a',\n\n# '\n@'A', 'b']", "hide: 'A' is not a name of small letters and digits"),
    ('hide = [\n@"""\n""", "\\n",\n]', "hide: '' is not a name"),
    ("keep = [\n@{x = 1}]", "each item of keep must be a string, not a table"),
    ("keep = ['a', \n@'api_key']", "keep: 'api_key' is not a name"),
    ("hide = ['a']\nkeep = [\n'b',\n@'a']", "keep: a is in hide, too"),
    ("hide_random = [\n@'']", "hide_random: '' is not a name"),
    ("paths = [\n'/a/{secret}',\n@'/a']", "paths: '/a' is not a path such as"),
    ("paths = {}", "paths must be an array, not a table"),
    ("whole_addresses = 1", "whole_addresses must be true or false, not an integer"),
    ("hides = []", "'hides' is not one of name, version, base, hide, "),
    ("keeep = []", "do you mean keep?"),
    ("'' = 1", "'' is not one of"),
    ("a.b.c = 1", "'a' is not one of"),
    ("replacement = 'x'", "replacement must be 'REDACTED', or a table with key_env"),
    ("replacement = 1", "replacement must be a table, not an integer"),
    ("[replacement]", "replacement needs key_env"),
    ("[replacement]\n@key_env = 1", "key_env must be a string, not an integer"),
    ("[replacement]\n@key_env = ''", "key_env must not be empty"),
    ("[replacement]\n# no\n@key_env = 'low'", "key_env must be the name of an environment variable"),
    ("[replacement]\n@key_env = 'WEBURL_NO_SUCH'", "the environment has no variable WEBURL_NO_SUCH"),
    ("[replacement]\nkey_env = 'WEBURL_TEST_KEY'\n@key = 'x'", "'key' is not one of key_env"),
    ("rules = 1", "rules must be an array, not an integer"),
    ("rules = [1]", "each item of rules must be a table, not an integer"),
    ("rules = [\n{hosts = ['h'], hide = ['a']},\n@{hosts = ['h'], hide = ['B']},\n]", "hide: 'B' is not a name"),
    ("[rules]\nhosts = []", "rules must be an array, not a table"),
    ("[[rules]]\nhide = ['a']", "rules: a rule needs hosts"),
    ("[[rules]]\n@hosts = []\nhide = ['a']", "rules: a rule needs hosts"),
    ("[[rules]]\nhosts = ['h']", "rules: a rule needs hide, keep or paths"),
    ("[[rules]]\nhosts = ['h']\nhide = ['a']\n[[rules]]\n@hosts = ['h:1']\nhide = ['a']", "hosts: 'h:1' is not a host"),
    ("[[rules]]\nhosts = [\n'h',\n@'*.h']\nhide = ['a']", "the hosts below a domain need no star"),
    ("[[rules]]\nhosts = ['h']\n\n@paths = ['x']", "paths: 'x' is not a path such as"),
    ("[[rules]]\nhosts = ['h']\nhide = ['a']\n@keep = ['a']", "keep: a is in hide, too"),
    ("[[rules]]\nhosts = ['h']\n@path = []", "'path' is not one of hosts, hide, keep, paths; do you mean paths?"),
    ("[[rules]]\nhosts = ['h']\nhide = ['a']\n@[rules.x]\n", "'x' is not one of hosts"),
    ("hide = ['a'\n@name = 1", "it is not TOML: "),
    ("hide", "it is not TOML: "),
    ("name = 'a'\n@name = 'b'", "it is not TOML: Cannot overwrite a value"),
    ("name = 'a\n", "it is not TOML: "),
]
# Before a wrong line, and what may follow it.
BEFORE = [
    "",
    "\n",
    "# hide = ['B']\n\n",
    "version = 2 # x = 1\n",
    'name = "a-b" # "\n',
    "name = '''a'''\r\n\r\n",
    "hide_random = [\n'a',\n]\n",
]
AFTER = ["", "\n", "\n# end", "\n\n[[rules]]\nhosts = ['z']\nhide = ['z']\n"]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_errors_name_the_line(wrong: str, message: str) -> None:
    keys = {*re.findall("^@?([a-z_]+) *=", wrong, re.M)}
    checked = 0
    for before in BEFORE:
        if keys & {*re.findall("^([a-z_]+) *=", before, re.M)}:
            continue
        for after in AFTER:
            if "[[" in after and "rules" in wrong:
                continue
            if "not TOML" in message and "Cannot" not in message and after:
                continue
            text = before + wrong.replace("@", "") + after
            place = wrong.index("@") if "@" in wrong else 0
            line = (before + wrong[:place]).count("\n") + 1
            with pytest.raises(ValueError, match=f"^a/shop.toml:{line}: .*{re.escape(message)}"):
                LogPolicy.from_toml(text, file="a/shop.toml")
            checked += 1
    assert checked


def test_errors_without_a_line(tmp_path: Path) -> None:
    path = tmp_path / "shop.toml"
    with pytest.raises(FileNotFoundError):
        LogPolicy.from_file(path)
    path.write_bytes(b"name = 'a'\n# \xff\n")
    with pytest.raises(ValueError, match=re.escape(f"{path}:2: a byte is not part of UTF-8")):
        LogPolicy.from_file(path)
    path.write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(ValueError, match="longer than 1048576 bytes"):
        LogPolicy.from_file(path)
    for text in (f"version = {'9' * 5000}", "x = " + "[" * 5000 + "]" * 5000):
        with pytest.raises(ValueError, match="<toml>"):
            LogPolicy.from_toml(text)
    many = "\n".join(f"hide{index}" for index in range(3))
    with pytest.raises(ValueError, match="<toml>:1: it is not TOML"):
        LogPolicy.from_toml(many)
    with pytest.raises(ValueError, match="<toml>: the names have more than 65,535 characters"):
        LogPolicy.from_toml(f"hide = {[f'{index:04}{60 * chr(97)}' for index in range(1100)]}")
    with pytest.raises(TypeError, match="text must be a str, not bytes"):
        LogPolicy.from_toml(b"")  # type: ignore[arg-type]


def value(random: Random, depth: int) -> str:
    """TOML of any kind, perhaps on several lines."""
    scalars = [
        "1", "0x1F", "1_000.5e-3", "true", "1979-05-27 07:32:00Z", "inf", '"a#b]"', "'\\'", '"\\"["', "''", '""',
        '"""a\n"b""c\n\\"""" """', "'''\n]'',\n'''", '""""a""""', "'''a''''", '"""\\\n  x"""',
    ]  # fmt: skip
    if depth == 0 or random.random() < 0.6:
        return random.choice(scalars).replace('"""a\n"b""c\n\\"""" """', '"""a\n"b""c\n\\" """')
    if random.random() < 0.7:
        gap = random.choice(["", "\n", " # ] \n", "\n\n"])
        items = [value(random, depth - 1) for _ in range(random.randint(0, 3))]
        return f"[{gap}{f',{gap} '.join(items)}{random.choice(['', ','] if items else [''])}{gap}]"
    keys = random.sample(["a", '"b ="', "c.d", "'e'", "f-1"], random.randint(0, 3))
    return "{" + ", ".join(f"{key} = {value(random, 0)}" for key in keys) + "}"


def places_in(table: Any, place: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    found = {place} if place else set()
    if isinstance(table, (dict, list)):
        pairs: Any = table.items() if isinstance(table, dict) else enumerate(table)
        for key, each in pairs:
            found |= places_in(each, (*place, key))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_lines_of_any_toml(seed: int) -> None:
    """All keys and items that tomllib reads have a line: for those of the top, the one that they were written on."""
    random = Random(seed)
    for _ in range(50):
        text, table = "", ""
        lines: dict[tuple[str | int, ...], int] = {}
        for index in range(random.randint(1, 8)):
            text += random.choice(["", "\n", "# x = [\n", "  "])
            place: tuple[str | int, ...] = (f"k{index}",)
            if random.random() < 0.2:
                table = f"t{index}"
                lines[table,] = text.count("\n") + 1
                text += random.choice([f"[{table}]", f"[ '{table}' ] # ]", f'["{table}"]']) + "\n"
            if table:
                place = (table, *place)
            lines[place] = text.count("\n") + 1
            text += f"{random.choice([f'k{index}', repr(f'k{index}')])} = {value(random, 3)}\n"
        found = lines_of(text)
        assert {*found} == places_in(tomllib.loads(text)), text
        assert {place: found[place] for place in lines} == lines, text


def test_arrays_of_tables_have_lines() -> None:
    text = "[[a]]\nx = 1\n[a.b]\n[[a]]\n[[a.c]]\n[[a.c]]\ny = [1,\n2]\n[d.e]\n"
    assert lines_of(text) == {
        ("a",): 1, ("a", 0): 1, ("a", 0, "x"): 2, ("a", 0, "b"): 3, ("a", 1): 4, ("a", 1, "c"): 5, ("a", 1, "c", 0): 5,
        ("a", 1, "c", 1): 6, ("a", 1, "c", 1, "y"): 7, ("a", 1, "c", 1, "y", 0): 7, ("a", 1, "c", 1, "y", 1): 8,
        ("d",): 9, ("d", "e"): 9,
    }  # fmt: skip


def test_what_a_file_hides() -> None:
    policy = LogPolicy.from_toml(WHOLE.replace("[replacement]\nkey_env", "# key"))
    assert redact("https://a.com/reset/1?aplate=1&state=q8Zx3f7aK1vB9mTe5L&ip=1.2.3.4&q=1", policy) == (
        "https://a.com/reset/REDACTED?aplate=REDACTED&state=q8Zx3f7aK1vB9mTe5L&ip=REDACTED&q=1"
    )
    assert redact("https://x.pay.example.com/?q=1", policy) == "https://x.pay.example.com/?q=REDACTED"
    assert redact("https://T.example.com/1/x/2", policy) == "https://t.example.com/REDACTED/x/REDACTED"


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f600"])
def test_a_file_that_is_too_long_loses_no_rules(letter: str, tmp_path: Path) -> None:
    """Its length is counted in bytes, as what is read of it."""
    path = tmp_path / "shop.toml"
    size = len(letter.encode())
    for most, fits in ((1 << 20, True), ((1 << 20) + 1, False)):
        rules = "\nhide = ['plate']\nkeep = ['state']\n"
        comment = "#" + letter * ((most - len(rules) - 1) // size)
        text = comment + "#" * (most - len(comment.encode()) - len(rules)) + rules
        assert len(text.encode()) == most
        path.write_text(text, "utf-8")
        if fits:
            assert LogPolicy.from_file(path).kept_names == {"state"}
        else:
            with pytest.raises(ValueError, match="longer than 1048576 bytes"):
                LogPolicy.from_file(path)


def test_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "shop.toml"
    path.write_text("keep = ['state']", "utf-8-sig")
    assert LogPolicy.from_file(path).kept_names == {"state"}
    assert LogPolicy.from_toml(path.read_text("utf-8")).kept_names == {"state"}


def test_a_host_that_begins_with_a_dot() -> None:
    """As other programs write all hosts below a domain: no host is like that, so nothing would be hidden."""
    for host in (".example.com", "..example.com", "."):
        with pytest.raises(ValueError, match=r"shop\.toml:2: .*no star and no dot"):
            LogPolicy.from_toml(f"[[rules]]\nhosts = ['{host}']\nhide = ['q']", file="shop.toml")


@pytest.mark.parametrize("base", ["", "base = 'logs'", "base = 'logs-strict'", "base = 'otel'"])
@pytest.mark.parametrize("name", ["otel", "logs", "logs-strict", "paths", "shop"])
def test_a_name_chooses_no_rules(name: str, base: str) -> None:
    """Only the base does: a name of weburl's own is for its own rules."""
    try:
        policy = LogPolicy.from_toml(f"name = '{name}'\n{base}")
    except ValueError as error:
        assert name in str(error)  # noqa: PT017
        return
    same = LogPolicy.from_toml(f"name = 'other'\n{base}")
    for url in ("https://u:p@h/?token=q8Zx", "https://h/?sig=q8Zx&ip=203.0.113.7&first_name=Ada"):
        assert redact(url, policy) == redact(url, same)


def test_names_are_read_in_linear_time() -> None:
    """No clock: calls are counted, and the names in `hide` are put into a set before those in `keep` are looked up."""
    looks: list[int] = []
    for number in (250, 1000, 4000):
        names = [f"h{index:05}" for index in range(number)], [f"k{index:05}" for index in range(number)]
        for text in ("hide = {}\nkeep = {}", "[[rules]]\nhosts = ['h.example']\nhide = {}\nkeep = {}"):
            calls = 0

            def count(frame: Any, event: str, argument: Any) -> None:
                nonlocal calls
                calls += event in ("call", "c_call")

            sys.setprofile(count)
            try:
                LogPolicy.from_toml(text.format(*names))
            finally:
                sys.setprofile(None)
            looks.append(calls)
    for small, large in zip(looks, looks[2:], strict=False):
        assert large < 4.8 * small


@pytest.mark.parametrize("place", [(), ("rules", 0)])
def test_names_are_compared_in_linear_time(place: tuple[Any, ...]) -> None:
    counts = []
    for number in (250, 1000, 4000):
        compared = 0

        class Counted(str):
            __slots__ = ()

            def __eq__(self, other: object) -> bool:
                nonlocal compared
                compared += 1
                return str.__eq__(self, other)

            __hash__ = str.__hash__

        table: dict[str, Any] = {
            "hide": [Counted(f"h{index:05}") for index in range(number)],
            "keep": [Counted(f"k{index:05}") for index in range(number)],
        }
        if place:
            table = {"rules": [table | {"hosts": ["h.example"]}]}
        file = PolicyFile(table, "", "shop.toml")
        assert file.settings()["secret_names" if not place else "host_rules"]
        counts.append(compared)
    assert max(after / max(before, 250) for before, after in pairwise(counts)) < 8, counts
