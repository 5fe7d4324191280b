"""What a LogPolicy hides and keeps, compared with the model in support/redact_model.py; and its hashes."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from support import log_policies, redact_model, redact_text_model, secret_shapes, template_model

from weburl import URL
from weburl._redact.stream import TextStream
from weburl.bulk import path_template_many, redact_many, redact_text_many, redactions_many
from weburl.ext.logging import redact_values
from weburl.redact import SECRET_NAMES, LogPolicy, path_template, redact, redactions
from weburl.text import explain_redaction, redact_text

VARIABLE = "WEBURL_TEST_KEY"
# `make redaction` has more of them.
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))]
KEY = "0123456789abcdef" * 2
# Globs that match a placeholder of templates.
NAMES_PLACEHOLDER = re.compile(r"'(?:redacted|\*d|ip)'| (?:redacted|\*d|ip)\b")
# Without the hash: a parser may have taken the word for a host, and written it in small letters.
WORD = re.compile("(REDACTED|redacted)-[bcdfghjklmnpqrst]{16}")
TAG = re.compile(b"REDACTED-[bcdfghjklmnpqrst]{16}")


def tag_of(secret: bytes, key: str = KEY) -> str:
    digest = hashlib.blake2b(secret, key=key.encode(), digest_size=8).hexdigest()
    return "REDACTED-" + digest.translate(str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst"))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)


def policies(count: int, seed: int) -> Iterator[tuple[Random, LogPolicy]]:
    random = Random(seed)
    for _ in range(count):
        yield random, LogPolicy(**log_policies.settings(random))


def check_url(text: str, policy: LogPolicy) -> None:
    with redact_model.under(policy):
        expected, found = redact_model.redacted(text)
        url = URL.parse(text)
        template = (
            template_model.template(url) if url else template_model.template_of_path(text) if text[:1] == "/" else None
        )
    counts = redactions(text, policy)
    shown = redact(text, policy)
    assert (shown, counts) == (expected, {kind: found[kind] for kind in counts})
    assert redact(shown, policy) == shown
    assert not any(redactions(shown, policy).values())
    if template is not None:
        made = path_template(text, policy)
        assert path_template(made, policy) == made
        # In the model, placeholders are no names.
        if not NAMES_PLACEHOLDER.search(repr(policy)):
            assert made == template
    if url is not None:
        after = URL(shown)
        assert (after.href, after.scheme, after.host) == (shown, url.scheme, url.host)


@pytest.mark.parametrize("seed", SEEDS)
def test_urls_as_in_the_model(seed: int) -> None:
    for random, policy in policies(12, seed):
        texts = [log_policies.url(random) for _ in range(25)]
        for text in texts:
            check_url(text, policy)
        meanings = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
        assert redact_many(meanings, policy).to_pylist() == [redact(text, policy) for text in meanings]
        columns = redactions_many(meanings, policy).to_pylist()
        assert columns == [redactions(text, policy) for text in meanings]
        templates = path_template_many(meanings, policy).to_pylist()
        made = [path_template(text, policy) if URL.can_parse(text) or text[:1] == "/" else None for text in meanings]
        assert templates == made


ADDRESS_PIECES = (
    '10.0.0.0 10.0.0.7 1:: 1::5 [1::] [1::5] :: 1:2:3:: 1.2.3 256.0.0.0 from= a= = = " \' %22 %27 \\" , , , ,+ + : :80'
    " ] [ \\ x %0A %20 5"
).split()


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_addresses_as_in_the_model(seed: int) -> None:
    """A walk along a list ends where an earlier one did, and says the same; a start within a list can say more."""
    random = Random(400 + seed)
    for policy in (LogPolicy(), LogPolicy(whole_addresses=True), LogPolicy(token_names=["from"], kept_names=["a"])):
        for _ in range(120):
            # Few pieces, again and again: long lists, and starts in each place of them.
            pieces = random.sample(ADDRESS_PIECES, 5) + random.choices(['"1::', "'10.0.0.0,", ',"', "1::,"], k=2)
            check_url("https://h/?x=" + "".join(random.choices(pieces, k=random.randrange(2, 24))), policy)


@pytest.mark.parametrize("seed", SEEDS)
def test_texts_as_in_the_model(seed: int) -> None:
    for random, policy in policies(12, 100 + seed):
        texts = [log_policies.text(random) for _ in range(25)]
        for data in texts:
            shown = redact_text(data, policy)
            with redact_model.under(policy):
                assert shown.decode("latin-1") == redact_text_model.redacted(data.decode("latin-1"))[0]
            assert redact_text(shown, policy) == shown
        lines = [data.decode("utf-8", "replace") for data in texts]
        assert redact_text_many(lines, policy).to_pylist() == [redact_text(line, policy) for line in lines]


def names_a_hash(policy: LogPolicy) -> bool:
    """Whether a glob of the policy can match letters of a hash."""
    names = [*policy.secret_names, *policy.token_names, *policy.kept_names, *policy.field_names]
    names += [rule.split(" ", 2)[2] for rule in policy.host_rules if " path " not in rule]
    return any("*" in name and not {*name.strip("*")} - {*"bcdfghjklmnpqrst"} for name in names)


def keyed(policy: LogPolicy) -> LogPolicy:
    names = (
        "secret_names",
        "token_names",
        "kept_names",
        "field_names",
        "path_rules",
        "host_rules",
        "whole_addresses",
        "exact_names",
    )
    return LogPolicy(**{name: getattr(policy, name) for name in names}, key_env=VARIABLE)


@pytest.mark.parametrize("seed", range(4))
def test_hashes_stand_where_the_word_stands(seed: int) -> None:
    """The result is the same but for the hashes, is its own result, and has the hashes that Python makes."""
    for random, policy in policies(10, 200 + seed):
        hashing = keyed(policy)
        for _ in range(20):
            text = log_policies.url(random)
            shown = redact(text, hashing)
            assert redact(shown, hashing) == shown
            assert redact(shown, policy) == shown
            assert not any(redactions(shown, policy).values())
            if URL.can_parse(text):
                assert path_template(text, hashing) == path_template(text, policy)
                assert URL(shown).href == shown
            if not names_a_hash(policy):
                assert WORD.sub(r"\1", shown) == redact(text, policy)
                assert redactions(text, hashing) == redactions(text, policy)
            line = log_policies.text(random)
            redacted = redact_text(line, hashing)
            if not names_a_hash(policy):
                assert WORD.sub(r"\1", redacted.decode("latin-1")) == redact_text(line, policy).decode("latin-1")
            # A path may begin where something was hidden.
            if not (policy.path_rules or any(" path " in rule for rule in policy.host_rules)):
                assert redact_text(redacted, hashing) == redacted == redact_text(redacted, policy)
            if any(each.kind == "address" for each in explain_redaction(line, policy)):
                continue
            if b"\\" in line:
                assert TAG.findall(redacted) == [tag.encode() for tag in tags_of(line, policy)]
            else:
                assert redacted == with_tags(line, policy)
        texts = [log_policies.url(random) for _ in range(20)]
        assert redact_many(texts, hashing).to_pylist() == [redact(text, hashing) for text in texts]
        assert redact_text_many(texts, hashing).to_pylist() == [redact_text(text, hashing) for text in texts]


# As encoders of JSON and programs of logs write it, in JSON that is a text of JSON, too. They escape no other ASCII.
ESCAPES = re.compile(
    rb"\\+(?:(/)|u([Dd][89ABab]..)\\+u([Dd][C-Fc-f]..)|u((?!00[2-7])[0-9A-Fa-f]{4}|00[2-7].)|x([0-9A-Fa-f]{2}))"
)


def without_escapes(secret: bytes) -> bytes:
    def unescaped(match: re.Match[bytes]) -> bytes:
        solidus, *units, byte = match.groups()
        if solidus or byte:
            octets = solidus or bytes([int(byte, 16)])
        else:
            units_of_text = b"".join(int(unit, 16).to_bytes(2, "big") for unit in units if unit)
            octets = units_of_text.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")
        return match[0] if re.fullmatch(rb"[A-Za-z0-9_\-.:?#\\]", octets) else octets

    return ESCAPES.sub(unescaped, secret)


def tags_of(line: bytes, policy: LogPolicy) -> list[str]:
    """Of what is hidden, but for shortened addresses."""
    spans = [line[each.start : each.end] for each in explain_redaction(line, policy) if each.kind != "address"]
    plain = [
        re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), without_escapes(span)) for span in spans
    ]
    return [tag_of(secret) for secret in plain]


def with_tags(line: bytes, policy: LogPolicy) -> bytes:
    """By what explain_redaction() says; of a secret with an equals sign at its end, that can stay, as without a key."""
    shown = redact_text(line, policy)
    out, place, at = b"", 0, 0
    for each in explain_redaction(line, policy):
        secret, before = line[each.start : each.end], line[place : each.start]
        plain = re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), secret)
        # A number in JSON becomes a text.
        quote = b'"' * shown[at + len(before) :].startswith(b'"')
        out += before + quote + tag_of(plain).encode() + quote
        at += len(before) + len("REDACTED") + 2 * len(quote)
        place = each.end
        if b"=" in secret and shown[at:].startswith(b"=" + line[place : place + 1]):
            out += b"="
            at += 1
    return out + line[place:]


@pytest.mark.parametrize("seed", range(3))
def test_texts_in_parts(seed: int) -> None:
    for random, policy in policies(10, 300 + seed):
        for rules in (policy, keyed(policy)):
            whole = b"\n".join(log_policies.text(random) for _ in range(12))
            stream = TextStream(rules)
            out, place = b"", 0
            while place < len(whole):
                size = random.choice([1, 2, 7, 50, 200])
                out += stream.redact(whole[place : place + size])
                place += size
            assert out + stream.finish() == redact_text(whole, rules)


@pytest.mark.parametrize("length", [1, 15, 16, 127, 128, 129, 255, 256, 257, 1000])
@pytest.mark.parametrize("size", [16, 17, 63, 64])
def test_a_hash_of_any_length(length: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    key = (KEY * 2)[:size]
    monkeypatch.setenv(VARIABLE, key)
    policy = LogPolicy(key_env=VARIABLE)
    random = Random(length)
    secret = bytes(random.choices([*range(256)], k=length))
    expected = tag_of(secret, key)
    escaped = "".join(f"%{byte:02X}" for byte in secret)
    assert redact(f"https://h/?token={escaped}", policy) == f"https://h/?token={expected}"
    assert redact_text(f"GET /?token={escaped} HTTP/1.1", policy) == f"GET /?token={expected} HTTP/1.1"
    assert redact(f"https://{escaped}:{escaped}@h/", policy) == f"https://{expected}:{expected}@h/"


def test_equal_secrets_have_equal_hashes() -> None:
    policy = LogPolicy(key_env=VARIABLE, path_rules=["/reset/{secret}"])
    tag = tag_of(b"q8Zx")
    line = 'GET https://h/reset/q8Zx?token=q8Zx&code=1 "Authorization: Bearer q8Zx" Cookie: a=q8Zx'
    assert redact_text(line, policy) == (
        f'GET https://h/reset/{tag}?token={tag}&code=1 "Authorization: Bearer {tag}" Cookie: a={tag}'
    )
    assert redact("https://h/?token=q%38Zx&%74oken=q8Zx", policy) == f"https://h/?token={tag}&%74oken={tag}"
    assert redact("http://q8Zx:q8Zx@h h/?token=q8Zx", policy) == f"http://{tag}:{tag}@h h/?token={tag}"
    assert redact_values({"password": "q8Zx", "token": b"q8Zx"}, policy) == {"password": tag, "token": tag}
    assert redact_values({"password": tag}, policy) == {"password": tag}


SECRETS = [
    *("пароль", "секрет", "a\x01", "a\x02", "\U0001f600", "\U0001f601", "\ud83d", "\ud83dz", "\ude00\ud83d", "é", "é1"),
    *("a\u2028b", "日本", "日本語", "a/b", "\x80", "\uffff", "q8Zx", "qé/8Zx%C3%A9"),
]


def test_escapes_do_not_change_a_hash() -> None:
    """In JSON, with escapes and without, in JSON that is a text of JSON, in a cookie and in a parameter."""
    policy = LogPolicy(key_env=VARIABLE)
    tags = set()
    for secret in SECRETS:
        plain = re.sub(b"%C3%A9", "é".encode(), secret.encode("utf-8", "surrogatepass"))
        tag = tag_of(plain)
        tags.add(tag)
        for value in (f"https://h/?a=1&token={secret}#a", f"https://h:x@h/?token={secret}&code=1"):
            for is_ascii, is_slashed in ((True, False), (False, False), (True, True)):
                line = json.dumps(
                    {"u": value, "v": json.dumps([value]), "Cookie": f"a={secret}"}, ensure_ascii=is_ascii
                )
                shown = redact_text(line.replace("/", "\\/") if is_slashed else line, policy)
                assert shown.count(tag) == 3, (shown, tag)
                assert redact_text(shown, policy) == shown
        assert tag in redact_text(json.dumps({"Authorization": f"Bearer {secret}"}), policy)
    assert len(tags) == len(SECRETS)
    # The bytes of UTF-8, as servers write them.
    assert redact_text(r"GET /?token=\xC3\xA9&a=1", policy) == f"GET /?token={tag_of('é'.encode())}&a=1"
    assert redact_text(r"GET /?token=a\b&a=1", policy) == f"GET /?token={tag_of(bytes([97, 92, 98]))}&a=1"


def test_the_key_is_read_when_a_policy_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = LogPolicy(name="a", key_env=VARIABLE)
    shown = redact("https://h/?token=1", policy)
    assert KEY not in repr(policy) + str(vars(type(policy)))
    assert KEY.encode() not in pickle.dumps(policy)
    same = pickle.loads(pickle.dumps(policy))
    assert (same == policy, hash(same) == hash(policy), same.key_env) == (True, True, VARIABLE)
    assert LogPolicy(name="a") != policy
    monkeypatch.setenv(VARIABLE, KEY[::-1])
    assert redact("https://h/?token=1", policy) == shown
    other = pickle.loads(pickle.dumps(policy))
    assert other != policy
    assert hash(other) == hash(policy)
    assert redact("https://h/?token=1", other) != shown
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ValueError, match=f"key_env: the environment has no variable {VARIABLE}"):
        pickle.loads(pickle.dumps(policy))
    assert redact("https://h/?token=1", policy) == shown


@pytest.mark.parametrize("value", ["", "short", "x" * 15, "x" * 65, "é" * 40])
def test_a_wrong_key_is_not_shown(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ValueError, match=f"key_env: {VARIABLE} has {len(value.encode())} bytes") as raised:
        LogPolicy(key_env=VARIABLE)
    assert not value or value not in str(raised.value)


@pytest.mark.parametrize("name", ["a", "lower_case", "A-B", "A=", "1A", "A B", "A\n", "É"])
def test_what_is_not_a_variable_is_not_shown(name: str) -> None:
    with pytest.raises(ValueError, match="key_env must be the name of an environment variable") as raised:
        LogPolicy(key_env=name)
    assert len(name) == 1 or name not in str(raised.value)


CHILD = """
import pickle, sys
from weburl.redact import redact
policy = pickle.load(sys.stdin.buffer)
print(str(policy), redact("https://h.example/u/9?token=q8Zx&plate=1&csrftoken=2", policy), hash(policy) is None)
"""


def test_another_process_hides_the_same() -> None:
    policy = LogPolicy(
        name="shop", version=3, secret_names=SECRET_NAMES | {"plate"}, kept_names=["csrftoken"], key_env=VARIABLE,
        host_rules=["example path /u/{secret}"],
    )  # fmt: skip
    for environment in ({**os.environ}, {**os.environ, VARIABLE: KEY[::-1]}):
        done = subprocess.run(
            [sys.executable, "-c", CHILD], input=pickle.dumps(policy), env=environment, capture_output=True, check=True
        )
        tags = [tag_of(secret, environment[VARIABLE]) for secret in (b"9", b"q8Zx", b"1")]
        shown = "https://h.example/u/{}?token={}&plate={}&csrftoken=2".format(*tags)
        assert done.stdout.decode().split() == ["shop/3", shown, "False"]
    lacking = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run([sys.executable, "-c", CHILD], input=pickle.dumps(policy), env=lacking, capture_output=True)
    assert done.returncode == 1
    assert b"the environment has no variable" in done.stderr


def test_the_order_of_rules() -> None:
    """Rules for hosts come first, in each of them what is kept; then those of the policy."""
    policy = LogPolicy(
        secret_names=SECRET_NAMES | {"a", "b"}, kept_names=["b", "c", "token"],
        host_rules=["h hide b", "h hide token", "h hide d", "h keep d", "h keep a"],
    )  # fmt: skip
    query = "?a=1&b=1&c=1&d=1&token=1"
    assert redact(f"https://x/{query}", policy) == "https://x/?a=REDACTED&b=1&c=1&d=1&token=1"
    assert redact(f"https://h/{query}", policy) == "https://h/?a=1&b=REDACTED&c=1&d=1&token=REDACTED"
    assert redact(f"https://sub.h/{query}", policy) == "https://sub.h/?a=1&b=REDACTED&c=1&d=1&token=REDACTED"
    assert redact(f"https://ah/{query}", policy) == "https://ah/?a=REDACTED&b=1&c=1&d=1&token=1"


def test_what_is_kept_may_still_have_a_key() -> None:
    maker = secret_shapes.Maker(1)
    policy = LogPolicy(kept_names=["next", "mail", "id", "card"])
    for value in ("a@b.com", "1.2.3.4", "ab12" * 8, "4111111111111111", "gH1-" * 8, "password"):
        for name in ("next", "mail", "id", "card", "user[id]"):
            assert redact(f"https://h/?{name}={value}", policy) == f"https://h/?{name}={value}"
    for value in (maker.jwt(), "Bearer%20x", "https://u:p@h/", "/login?token=1", "a@b.com%26token=1"):
        assert redact(f"https://h/?next={value}", policy) == "https://h/?next=REDACTED"
    assert (
        redact("https://h/?next[token]=1&token[next]=1", policy)
        == "https://h/?next[token]=REDACTED&token[next]=REDACTED"
    )


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("kept_names", ["A"], "kept_names: 'A' is not a name of small letters"),
        ("kept_names", "a", "kept_names must be a collection of str, not a str"),
        ("field_names", ["A"], "field_names: 'A' is not a name of small letters"),
        ("path_rules", "/{secret}", "path_rules must be a collection of str, not a str"),
        ("path_rules", [1], "path_rules must be of str, not int"),
        ("path_rules", ["/a"], "is not a path such as '/reset/{secret}'"),
        ("path_rules", ["{secret}"], "is not a path such as"),
        ("path_rules", ["/a//{secret}"], "is not a path such as"),
        ("path_rules", ["/{secret}/"], "is not a path such as"),
        ("path_rules", ["/a*/{secret}"], "the segment 'a*' is neither"),
        ("path_rules", ["/{id}/{secret}"], "the segment '{id}' is neither"),
        ("path_rules", ["/../{secret}"], "the segment '..' is neither"),
        ("path_rules", ["/a b/{secret}"], "the segment 'a b' is neither"),
        ("path_rules", ["/" + "a/" * 32 + "{secret}"], "at most 32 segments"),
        ("path_rules", [f"/{index}/{{secret}}" for index in range(65)], "more than 64 rules"),
        ("host_rules", ["h"], "is not like 'example.com hide plate'"),
        ("host_rules", ["h drop a"], "is not like 'example.com hide plate'"),
        ("host_rules", ["*.h hide a"], "is not a host; the hosts below a domain need no star"),
        ("host_rules", ["h:80 hide a"], "is not a host"),
        ("host_rules", ["https://h hide a"], "is not a host"),
        ("host_rules", ["h/x hide a"], "is not a host"),
        ("host_rules", ["h hide A"], "host_rules: 'A' is not a name"),
        ("host_rules", ["h path /a"], "is not a path such as"),
        ("host_rules", [f"h{index} hide a{index}" for index in range(65)], "more than 64 hosts with different rules"),
        ("host_rules", [f"h{index} hide a" for index in range(1001)], "more than 1000 hosts"),
        ("key_env", None, "key_env must be a str, not NoneType"),
    ],
)
def test_wrong_settings(setting: str, value: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        LogPolicy(**{setting: value})


def test_exact_names_have_rules() -> None:
    policy = LogPolicy(
        exact_names=["sig", "Key"],
        path_rules=["/a/{secret}"],
        host_rules=["h hide X", "h keep sig", "h path /b/{secret}"],
    )
    assert (
        redact("https://x/a/1/b?sig=1&Key=2&key=3&X=4", policy)
        == "https://x/a/REDACTED/b?sig=REDACTED&Key=REDACTED&key=3&X=4"
    )
    assert (
        redact("https://h/b/1/b?sig=1&Key=2&X=4#/a/2", policy)
        == "https://h/b/REDACTED/b?sig=1&Key=REDACTED&X=REDACTED#/a/REDACTED"
    )
    assert redact("https://h/?sig=1", LogPolicy(exact_names=["sig"], host_rules=["h keep sig"])) == "https://h/?sig=1"
    with pytest.raises(ValueError, match="kept_names: leave these names out of exact_names"):
        LogPolicy(exact_names=["sig"], kept_names=["a"])


def test_hosts_of_any_spelling() -> None:
    policy = LogPolicy(host_rules=["bücher.example hide q", "EXAMPLE.com. hide q", "[::1] hide q", "127.1 hide q"])
    assert policy.host_rules == {
        "xn--bcher-kva.example hide q", "example.com hide q", "[::1] hide q", "127.0.0.1 hide q"
    }  # fmt: skip
    for host in (
        "bücher.example",
        "a.Bücher.example",
        "example.com",
        "a.example.COM:81",
        "[0:0::1]",
        "127.0.0.1",
        "2130706433",
    ):
        assert redact(f"https://{host}/?q=1", policy).endswith("/?q=REDACTED")
    for host in ("example.com.org", "anexample.com", "com", "example", "[::2]", "1.127.0.0"):
        assert redact(f"https://{host}/?q=1", policy).endswith("/?q=1")
    assert redact_text("a https://x.Example.com:80/?q=1 http://[::1]:8/?q=1", policy) == (
        "a https://x.Example.com:80/?q=REDACTED http://[::1]:8/?q=REDACTED"
    )


@pytest.mark.parametrize("before", ["", "a", "/a", "from=/a/b", "/reset/q8Zx"])
@pytest.mark.parametrize("delimiter", [*"=:,;([{|"])
@pytest.mark.parametrize("after", ["", "?a=1", ",/a", ";u=https://h/?a=1", "/c)."])
def test_each_path_of_a_word_is_looked_at(before: str, delimiter: str, after: str) -> None:
    policy = LogPolicy(path_rules=["/reset/{secret}", "/b/{secret}/c"])
    text = f"GET {before}{delimiter}/reset/S3cr3tq8{after} x"
    shown = redact_text(text, policy)
    assert "S3cr3t" not in shown
    assert f"{delimiter}/reset/REDACTED" in shown
    assert redact_text(shown, policy) == shown
    assert {found.source for found in explain_redaction(text, policy)} == {"the policy"}
    # In a URL, there is one path.
    url = URL(f"https://h/a{delimiter}/reset/q8Zx").href
    assert redact(url, policy) == url


def test_a_key_before_a_url_is_hidden_as_a_whole() -> None:
    policy = LogPolicy(path_rules=["/reset/{secret}"])
    for key in ("12345678:AA" + "b1" * 16 + "c", "gh" + "p_" + "A1b2" * 9):
        assert redact_text(f"/reset/{key}://h/a", policy) == "/reset/REDACTED://h/a"


def test_many_rules_take_linear_time() -> None:
    """64 rules of 32 segments for each of 64 hosts, and a path and a host of many parts."""
    rules = [f"/{'a/' * (index % 30)}{index}/{{secret}}" for index in range(64)]
    policy = LogPolicy(path_rules=rules, host_rules=[f"{'a.' * 60}h{index} keep a" for index in range(1000)])
    for count in (100, 10_000):
        url = f"https://{'a.' * min(count, 100)}h/{'a/' * count}?q=1"
        assert redact(url, policy) == url


@pytest.mark.parametrize("text", ['{"ip":"%s"}', "/x?ip=%s", "a='%s'", "%%7B%%22ip%%22%%3A%%22%s%%22%%7D"])
def test_addresses_without_a_digit_in_values(text: str) -> None:
    for address in ("dead:beef::cafe", "a:b:c:d:e:f:a:b", "fe::", "abcd::ef:a"):
        url = f"https://h/?d={text % address}"
        assert ("REDACTED" in redact(url)) is (network_of(address) != address)


def network_of(address: str) -> str:
    shown = redact(f"https://h/?ip={address}")
    return shown.partition("=")[2]
