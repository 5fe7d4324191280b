"""The corpus of redaction: what each policy hides and leaves, and that the rows have no key in them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import pytest
from support.redaction_corpus import FORM, cases, is_gone
from support.redaction_lists import KEY_HEADERS, SECRET_FIELDS
from support.redaction_peers import PEERS, datadog, opentelemetry, sentry

from weburl import URL
from weburl.bulk import redact_many
from weburl.redact import redact, redactions
from weburl.text import redact_text

ROOT = Path(__file__).resolve().parents[1]
FILES = {"secret": 1600, "secret_held_out": 400, "harmless": 1712, "harmless_held_out": 428}
HEADERS = {"secret_headers": 465, "harmless_headers": 368}
KEYS = {"keys": 183}
# Shapes of keys that are left. docs/redact-rules.md says why.
LEFT = frozenset(
    "apify-api-token authress-service-client-access-key clickhouse-cloud-api-secret-key "
    "dropbox-long-lived-api-token facebook-access-token gocardless-api-token huggingface-organization-api-token "
    "infracost-api-token lob-api-key mailchimp-api-key mailgun-private-api-token mailgun-signing-key "
    "maxmind-license-key notion-internal-token okta-access-token plaid-api-token resend-api-key sumologic-access-id "
    "twilio-api-key twitter-access-token twitter-bearer-token vault-service-token-legacy yandex-access-token "
    "yandex-aws-access-token".split()
)
KEY = re.compile(
    r"(?:AKIA|ghp_|glpat-|xox[bp]-|sk_live_|AIza|npm_|SG\.)[A-Za-z0-9-]{8}|hooks\.slack\.com/services/T[A-Z0-9]"
)


def as_it_was(text: str, shown: str) -> bool:
    url = URL.parse(text)
    return shown == text or (url is not None and shown == url.href)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_secrets_are_gone(seed: int) -> None:
    for policy in ("logs", "logs-strict"):
        for names in (["secret", "secret_held_out"], ["secret_held_out"]):
            found = [case for name in names for case in cases(name, seed)]
            left = [case for case in found if not is_gone(case, redact(case.text, policy))]
            assert len(left) <= 0.005 * len(found) + (names == ["secret_held_out"]), left


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_harmless_texts_stay(seed: int) -> None:
    for names in (["harmless", "harmless_held_out"], ["harmless_held_out"]):
        found = [case for name in names for case in cases(name, seed)]
        touched = [case for case in found if not as_it_was(case.text, redact(case.text))]
        assert len(touched) <= 0.01 * len(found), touched


def test_results_are_their_own_results() -> None:
    for policy in ("logs", "logs-strict", "otel"):
        texts = [case.text for name in FILES for case in cases(name)]
        shown = [redact(text, policy) for text in texts]
        assert [redact(text, policy) for text in shown] == shown
        assert redact_many(texts, policy).to_pylist() == shown


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_headers_with_keys(seed: int) -> None:
    for policy in ("logs", "logs-strict"):
        left = [case for case in cases("secret_headers", seed) if not is_gone(case, redact_text(case.text, policy))]
        assert not left
    touched = [case for case in cases("harmless_headers", seed) if redact_text(case.text) != case.text]
    assert not touched


@pytest.mark.parametrize("form", ["K", "key K end", '{"a":"K","b":1}', "a=K b=1", "x 'K',", "https://h/?x=K&y=1"])
def test_shapes_of_keys(form: str) -> None:
    """Of a list that is not made from the table in secrets.py: tests/data/redaction/keys.tsv."""
    for seed in range(5):
        left = set()
        for case in cases("keys", seed):
            text = form.replace("K", quote(case.text, safe="") if "?" in form else case.text)
            if not is_gone(case, redact_text(text)):
                left.add(case.kind)
        assert left <= LEFT
        # In a parameter, other rules hide some of these.
        assert left == LEFT or "?" in form


def test_what_only_looks_like_a_key() -> None:
    for text in (
        "API-GATEWAY-TIMEOUT-EXCEEDED-XYZAB", "sk-bratislava-hotel-and-conference-center-2026",
        "pat.findFirstElement.by", "sha256~", ".atlasv1.", "abc8Q~x",
        "patternmatching1.example.com", "xoxo-gossip-girl-forever",
        "v1.0-20261129.tar.gz", "pul-station-of-the-old-town-in-the-city-of-x", "A3T5",
    ):  # fmt: skip
        assert redact_text(f"a {text} b") == f"a {text} b"
        assert redact(f"https://h/{text}/?x=1") == f"https://h/{text}/?x=1"


def test_identifiers_of_clicks_are_plain() -> None:
    names = "gclid fbclid wbraid gbraid dclid msclkid _ga _gl yclid ttclid twclid li_fat_id igshid srsltid".split()
    for name in names:
        url = f"https://h/?a=1&{name}=Cj0KCQiA{'a1Bc' * 12}&b=2"
        assert redact(url) == url
        assert redact(url, "logs-strict") == f"https://h/?a=1&{name}=REDACTED&b=2"
        assert "k1" * 12 not in redact(f"https://h/?{name}=ghp_{'k1' * 18}")


def test_the_page_counts_the_lines_with_headers() -> None:
    page = (ROOT / "docs" / "redact-rules.md").read_text("utf-8")
    for name, start in (
        ("secret_headers", "Of {} lines with a secret in"),
        ("harmless_headers", "Of {} lines with other"),
    ):
        assert start.format(HEADERS[name]) in page


def test_each_header_has_a_row() -> None:
    names = [case.text.lower().replace("_", "-") for case in cases("secret_headers")]
    assert not [header for header in (*KEY_HEADERS, *SECRET_FIELDS) if sum(header in name for name in names) < 5]


@pytest.mark.parametrize("name", FILES | HEADERS | KEYS)
def test_rows(name: str) -> None:
    rows = list(cases(name))
    assert len(rows) == (FILES | HEADERS | KEYS)[name]
    assert len({case.text for case in rows}) == len(rows)
    assert all(case.kind and case.source for case in rows)
    assert all(bool(case.secrets) == name.startswith(("secret", "keys")) for case in rows)
    text = (ROOT / "tests" / "data" / "redaction" / f"{name}.tsv").read_text("utf-8")
    assert not KEY.search(text)
    templates = [line.split("\t")[2] for line in text.splitlines()]
    assert not redactions(FORM.sub("", " ".join(templates)), "logs").get("key")


def test_no_row_is_held_out_and_not() -> None:
    for name in ("secret", "harmless"):
        folder = ROOT / "tests" / "data" / "redaction"
        tuned, held = [{*(folder / f"{name}{end}.tsv").read_text("utf-8").splitlines()} for end in ("", "_held_out")]
        assert tuned
        assert held
        assert not tuned & held


def test_the_check_notices() -> None:
    case = next(case for case in cases("secret") if case.kind == "key")
    assert not is_gone(case, case.text)
    assert not is_gone(case, f"https://h/?x={case.secrets[0][:8]}")
    assert is_gone(case, "https://h/?x=REDACTED")


def test_mistakes_of_others() -> None:
    """What the page says about them, and what redact() does with the same."""
    assert sentry("https://h/?authenticated=1&max_tokens=100") == "https://h/?authenticated=***&max_tokens=***"
    assert datadog("https://h/?nextPageToken=CAUQAA") == "https://h/?nextPage***"
    assert opentelemetry("https://h/?access_token=q8Zx&sig=1") == "https://h/?access_token=q8Zx&sig=***"
    harmless = "https://h/?authenticated=1&max_tokens=100&nextPageToken=CAUQAA"
    assert redact(harmless) == harmless
    assert redact("https://h/?access_token=q8Zx&sig=1") == "https://h/?access_token=REDACTED&sig=REDACTED"
    for function in PEERS.values():
        assert "hunter2" not in function("https://user:hunter2@h/?a=1")


def test_otel_is_exact() -> None:
    """https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/"""
    names = (
        "X-Amz-Signature X-Amz-Credential X-Amz-Security-Token AWSAccessKeyId Signature sig X-Goog-Signature".split()
    )
    for name in names:
        assert redact(f"https://h/?a=1&{name}=x&b=2", "otel") == f"https://h/?a=1&{name}=REDACTED&b=2"
        for other in (name.swapcase(), f"x{name}", f"{name}x", name[1:], name.replace("-", "_") + "_"):
            url = f"https://h/?a=1&{other}=x&b=2"
            assert redact(url, "otel") == url
    assert Counter(redactions("https://u:p@h/?sig=1&token=2#sig=3", "otel")) == Counter(credentials=1, name=1)
    for url in (
        "https://h/a@b.example/?token=1&ip=1.2.3.4&q=a%40b.example#access_token=2",
        "https://h/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        "/cb?token=1",
        "https://h/?sig=&sig",
        "https://h/?s%69g=1",
    ):
        assert redact(url, "otel") == url


def test_strict_hides_identifiers() -> None:
    url = "https://h/?gclid=1&_ga=2&mc_eid=3&fbclid=4&client_id=5&first_name=Ada&userName=6&page=7&lang=en"
    assert not any(redactions(url).values())
    assert redact(url, "logs-strict/1") == (
        "https://h/?gclid=REDACTED&_ga=REDACTED&mc_eid=REDACTED&fbclid=REDACTED&client_id=REDACTED&first_name=REDACTED"
        "&userName=REDACTED&page=7&lang=en"
    )
    addresses = "https://h/?ip=203.0.113.77&via=2001:db8::1&version=1.2.3.4"
    assert redact(addresses, "logs-strict") == "https://h/?ip=REDACTED&via=REDACTED&version=1.2.3.4"
    assert redact(addresses) == "https://h/?ip=203.0.113.0&via=2001:db8::&version=1.2.3.4"


@pytest.mark.parametrize(
    "harmless",
    [
        "logo@2x.png", "a/icon@3x.webp", "?max_tokens=100", "?page_token=CAUQAA", "?nextPageToken=CAUQAA",
        "?password_reset=true",
        "?secretary=bob", "?pin=52.5,13.4", "?sha256=" + "a1" * 32, "?build_sha=" + "a1" * 20, "?release=10.0.0.1",
        "?utm_campaign=BlackFridayEmailWave2NewCustomersDE", "?x=SpringSaleNewCustomersRetargeting2026",
        "?q={%22max_tokens%22:100}", "?next=%2Fx%3Fsha256%3D" + "a1" * 32, "?iban=DE88370400440532013000",
        "services/T0123/B0123/aBcDeFgHiJkLmNoPqRsTuVw1",
    ],
)  # fmt: skip
def test_what_was_hidden_wrongly(harmless: str) -> None:
    assert redact(f"https://h/{harmless}") == f"https://h/{harmless}"


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("services/T0123ABCD/B0123ABCD/" + "aBc1" * 6, "key"), ("bot123456789:AA" + "a" * 33 + "/getMe", "key"),
        ("reset-password/7f9c2c1e-3b5a-4d2b-9f1e-0a1b2c3d4e5f", "name"), ("magic-link?t=kbhzqpxwmqrtnA17", "name"),
        ("?to=DE89370400440532013000", "card"), ("?to=DE89+3704+0044+0532+0130+00", "card"), ("?tok=q8", "name"),
        ("?tkn=q8", "name"), ("?sid=0123456789abcdef", "name"), ("?refresh=0123456789abcdef", "name"),
        ("?pin=1234", "name"),
        ("?tokens=q8Zx", "name"), ("?q={%22tokens%22:%22q8Zx%22}", "name"),
    ],
)  # fmt: skip
def test_what_was_missed(secret: str, kind: str) -> None:
    assert Counter(redactions(f"https://h/{secret}")) == Counter([kind])
