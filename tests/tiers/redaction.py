"""Compares redact and redact_text with their models on generated texts; checks that no secret of a corpus is left, nor
six characters of a secret in any place; and lists which values of real links are touched.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from support import (
    log_policies,
    log_texts,
    placements,
    redact_model,
    redact_text_model,
    redaction_corpus,
    secret_shapes,
    secret_texts,
    template_model,
)

from weburl import URL
from weburl.redact import LogPolicy, path_template, redact, redactions
from weburl.text import redact_text

CLEAN = 10_000
# Of so many hostile texts, one may have something more that is hidden the second time; see docs/redact-text.md.
SELDOM = 25_000
HASH = re.compile("REDACTED-[bcdfghjklmnpqrst]{16}")
# Of the clean values, how many may be touched.
TOUCHED = 0.01
# Of random texts in base64 a few have so few changes that the page's rule leaves them. It says how many.
CHANCE = {"base64", "base64url"}


def left(count: int, seed: int) -> Iterator[str]:
    """The secrets that are left."""
    for secret in secret_shapes.secrets(count, seed):
        shown = redact(secret.url)
        if secret.shape in CHANCE and not redact_model.is_base64(secret.secret):
            continue
        if secret.secret in redact_model.decoded(shown) or not any(redactions(secret.url).values()):
            yield f"{secret.shape}: {secret.url} -> {shown}"
        elif URL.can_parse(secret.url) and secret.secret in path_template(secret.url):
            yield f"{secret.shape}, template: {secret.url}"


def survivors(count: int, seed: int) -> Iterator[str]:
    """The placements after which a run of the secret is left. See support/placements.py."""
    for placed in placements.placements(count, seed):
        shown = redact(placed.url)
        texts = [shown]
        if URL.can_parse(placed.url):
            texts.append(path_template(placed.url))
        runs = [run for text in texts if (run := placements.remains(placed.secret, text))]
        if runs:
            yield f"{placed.shape}: {placed.url} -> {shown}: {runs[0]}"
        elif redact(shown) != shown or (len(texts) == 2 and URL(shown).href != shown):
            yield f"{placed.shape}: {placed.url} -> {shown}, then {redact(shown)}"


def differences(count: int, seed: int) -> Iterator[str]:
    random = Random(seed)
    for _ in range(count):
        text = secret_shapes.hostile(random)
        shown, found = redact_model.redacted(text)
        counts = redactions(text)
        if (redact(text), counts) != (shown, {kind: found[kind] for kind in counts}):
            yield f"{text!a}: {redact(text)} {counts}, in the model {shown} {dict(found)}"
        elif redact(shown) != shown or any(redactions(shown).values()):
            yield f"{text!a}: {shown}, then {redact(shown)}"
        url = URL.parse(text)
        if url is not None or text.startswith("/"):
            template = path_template(text if url is None else url)
            expected = template_model.template_of_path(text) if url is None else template_model.template(url)
            if template != expected or path_template(template) != template:
                yield f"{text!a}: {template}, in the model {expected}, then {path_template(template)}"
        if url is None:
            continue
        after = URL(shown)
        if (after.href, after.protocol, after.host) != (shown, url.protocol, url.host):
            yield f"{text!a}: {shown} is another URL"


FILE = """
hide = ["plate"]
keep = ["lang"]
hide_random = ["basket"]
paths = ["/plate/{secret}"]
replacement = {key_env = "WEBURL_REDACTION_KEY"}
[[rules]]
hosts = ["own.example"]
hide = ["page"]
"""


def survivors_of_a_file(count: int, seed: int) -> Iterator[str]:
    """The same as survivors(), under a policy of a file that writes hashes."""
    os.environ["WEBURL_REDACTION_KEY"] = "0123456789abcdef"
    policy = LogPolicy.from_toml(FILE)
    for placed in placements.placements(count, seed):
        shown = redact(placed.url, policy)
        # The letters of a hash are of no secret.
        texts = [HASH.sub("", shown)]
        if URL.can_parse(placed.url):
            texts.append(path_template(placed.url, policy))
        runs = [run for text in texts if (run := placements.remains(placed.secret, text))]
        if runs:
            yield f"{placed.shape}: {placed.url} -> {shown}: {runs[0]}"
        elif redact(shown, policy) != shown or HASH.sub("REDACTED", shown).lower() != redact(placed.url).lower():
            yield f"{placed.shape}: {placed.url} -> {shown}, then {redact(shown, policy)}"


def hides_more(text: bytes, again: bytes) -> bool:
    """Whether nothing but REDACTED was written into a text."""
    return re.fullmatch(b".*".join(map(re.escape, again.split(b"REDACTED"))), text, re.DOTALL) is not None


def differences_under_policies(count: int, seed: int) -> Iterator[str]:
    """URLs and texts that policies made at random redact otherwise than their models."""
    random = Random(seed)
    for _ in range(count // 20):
        policy = LogPolicy(**log_policies.settings(random))
        with redact_model.under(policy):
            for _ in range(10):
                text, line = log_policies.url(random), log_policies.text(random)
                shown, expected = redact(text, policy), redact_model.redacted(text)[0]
                if shown != expected or redact(shown, policy) != shown:
                    yield f"{policy!r} {text!a}: {shown}, in the model {expected}, then {redact(shown, policy)}"
                octets = redact_text(line, policy)
                other = redact_text_model.redacted(line.decode("latin-1"))[0].encode("latin-1")
                again = redact_text(octets, policy)
                has_paths = policy.path_rules or any(" path " in rule for rule in policy.host_rules)
                # A path may begin where something was hidden.
                if octets != other or not (hides_more(octets, again) if has_paths else again == octets):
                    yield f"{policy!r} {line!a}: {octets!a}, in the model {other!a}, then {again!a}"


def text_differences(count: int, seed: int) -> Iterator[str]:
    """Texts that redact_text() and its model redact otherwise, and those whose result is redacted further too often."""
    left = max(1, count // SELDOM)
    random = Random(seed)
    for _ in range(count):
        text = secret_texts.hostile(random)
        shown = redact_text(text)
        expected = redact_text_model.redacted(text.decode("latin-1"))[0].encode("latin-1")
        again = redact_text(shown)
        if again != shown and shown == expected and hides_more(shown, again) and left > 0:
            left -= 1
            print(f"  {text!a}: {shown!a}, then {again!a}")
        elif shown != expected or again != shown:
            yield f"{text!a}: {shown!a}, in the model {expected!a}, then {again!a}"


def left_in_logs(count: int, seed: int) -> Iterator[str]:
    """Lines of logs in which a secret is left, or in which something else has changed."""
    for line in log_texts.lines(count, seed):
        shown = redact_text(line.text)
        lost = [text for text in line.stays if text not in shown.replace("\\", "")]
        if lost or any(secret in shown for secret in line.secrets) or redact_text(shown) != shown:
            yield f"{line.format}: {line.text!a} -> {shown!a}: {lost}"


def survivors_of_the_corpus(count: int, seed: int) -> Iterator[str]:
    """Rows of the corpus in places, and places in lines of logs, of which something is left."""
    for case, text, is_url in islice(redaction_corpus.placed_cases(seed), count):
        # How many are hidden where they stand alone is counted by test_redaction_corpus.
        if not redaction_corpus.is_gone(case, redact(case.text)):
            continue
        for policy in ("logs", "logs-strict"):
            shown = redact(text, policy) if is_url else redact_text(text, policy)
            if not all(redaction_corpus.is_gone(case, view) for view in placements.views(shown)):
                yield f"{case.kind}, {policy}: {text!a} -> {shown!a}"


def clean_values() -> list[str]:
    """URLs with one value each: all parameters of real links that have one, and segments of their paths."""
    data = os.environ.get("WEBURL_DATA")
    path = Path(data, "urls", "web_links_48k.txt") if data else None
    if path is None or not path.exists():
        return []
    links = [url for line in path.read_text("utf-8").splitlines() if (url := URL.parse(line)) is not None]
    queries = (f"https://h/?{piece}" for url in links for piece in (url.query or "").split("&") if piece)
    segments = (f"https://h/{segment}" for url in links for segment in url.path_segments or () if segment)
    found = list(dict.fromkeys(queries))
    others = list(dict.fromkeys(segments))
    Random(1).shuffle(others)
    return [*found, *others][:CLEAN]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100_000, help="how many texts are generated")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    failed = 0
    for what, lines in (
        ("secrets that are left", left(options.count, options.seed)),
        ("placements with a run of a secret that is left", survivors(options.count, options.seed)),
        (
            "placements with such a run under a policy of a file",
            survivors_of_a_file(options.count, options.seed),
        ),
        (
            "rows of the corpus in places, of which something is left",
            survivors_of_the_corpus(options.count, options.seed),
        ),
        ("differences under policies", differences_under_policies(options.count, options.seed)),
        ("differences from the model", differences(options.count, options.seed)),
        ("texts with differences from the model", text_differences(options.count, options.seed)),
        ("lines of logs with a secret that is left", left_in_logs(options.count, options.seed)),
    ):
        number = 0
        for line in lines:
            number += 1
            if number <= 20:
                print(f"FAILED {line}")
        print(f"{options.count:,} texts, {number:,} {what}")
        failed += number
    clean = clean_values()
    touched = [url for url in clean if redact(url) != url]
    for url in touched:
        print(f"  {url} -> {redact(url).removeprefix('https://h')}")
    print(f"{len(clean):,} values of real links, {len(touched):,} touched")
    return 1 if failed or len(touched) > TOUCHED * len(clean) else 0


if __name__ == "__main__":
    sys.exit(main())
