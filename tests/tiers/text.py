"""Compares find_urls with sentences whose URLs are known, and with its model on hostile texts.

Of the URLs of the sentences, 99.9 % must be found, and 99.9 % of what is found must be one of them: the same place, and
the same meaning. Columns must find the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from support import find_model
from support.sentences import Sentence, sentence
from support.text_shapes import hostile_text, options

from weburl import URL
from weburl.bulk import defang_many, find_urls_many, refang_many
from weburl.text import defang, find_urls, refang

ENOUGH = 0.999
BLOCK = 1000


def known(each: Sentence) -> Counter[tuple[int, str, str]]:
    """The URLs of a sentence: the place, the text, and the serialization."""
    found: Counter[tuple[int, str, str]] = Counter()
    end = 0
    for text, meaning in each.urls:
        start = each.text.index(text, end)
        end = start + len(text)
        found[start, text, URL(meaning).href] += 1
    return found


def compared(count: int, seed: int) -> Iterator[tuple[str, int, int, int, str]]:
    """For each sentence: its kind, how many URLs it has, how many are found, how many are right, and a line."""
    random = Random(seed)
    for _ in range(count):
        each = sentence(random)
        kind = ", ".join(f"{name}={value}" for name, value in each.options.items()) or "text"
        expected = known(each)
        as_bytes = random.random() < 0.5
        spans = find_urls(each.text.encode() if as_bytes else each.text, **each.options)
        found: Counter[tuple[int, str, str]] = Counter()
        for span in spans:
            start = span.start if not as_bytes else len(each.text.encode()[: span.start].decode())
            text = span.text if isinstance(span.text, str) else span.text.decode()
            found[start, text, span.url.href] += 1
        right = (found & expected).total()
        line = "" if found == expected else f"{kind}: {each.text!a}: {[*found - expected]}, not {[*expected - found]}"
        yield kind, expected.total(), found.total(), right, line


def differences(count: int, seed: int) -> Iterator[str]:
    """Hostile texts that have other URLs than in the model."""
    random = Random(seed)
    for _ in range(count):
        text, how = hostile_text(random), options(random)
        expected = find_model.spans(text, **how)
        found = [(span.start, span.end, span.text, span.url.href) for span in find_urls(text, **how)]
        if found != expected:
            yield f"{text!a} {how}: {found}, in the model {expected}"


def columns(count: int, seed: int) -> Iterator[str]:
    """Texts of which columns have other URLs."""
    random = Random(seed)
    for begin in range(0, count, BLOCK):
        how = options(random)
        texts = [text for _ in range(BLOCK) if isinstance(text := hostile_text(random), str)]
        found = find_urls_many(texts, **how).to_pylist()
        some = {name: how[name] for name in ("schemes", "bare")}
        others = [*zip(defang_many(texts, **some), refang_many(texts, **some), strict=True)]
        for text, urls, other in zip(texts, found, others, strict=True):
            scalar = text.replace("\ud800", "\ufffd")
            if urls != [span.url.href for span in find_urls(text, **how)]:
                yield f"{text!a} {how}: {urls} in a column of block {begin}"
            elif other != (defang(scalar, **some), refang(scalar, **some)):
                yield f"{text!a} {some}: {other} in a column of block {begin}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100_000, help="how many sentences are generated")
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    failed = 0
    totals: dict[str, list[int]] = {}
    shown = 0
    for kind, expected, found, right, line in compared(parsed.count, parsed.seed):
        for name in (kind, "all"):
            numbers = totals.setdefault(name, [0, 0, 0])
            for place, number in enumerate((expected, found, right)):
                numbers[place] += number
        if line and shown < 20:
            shown += 1
            print(f"  {line}")
    print(f"{parsed.count:,} sentences: URLs, precision and recall")
    for kind, (expected, found, right) in sorted(totals.items()):
        precision, recall = right / max(found, 1), right / max(expected, 1)
        print(f"  {kind:18} {expected:9,} {precision:9.3%} {recall:9.3%}")
        failed += precision < ENOUGH or recall < ENOUGH
    for what, lines in (
        ("differences from the model", differences(parsed.count, parsed.seed)),
        ("differences of columns", columns(parsed.count, parsed.seed)),
    ):
        number = 0
        for line in lines:
            number += 1
            if number <= 20:
                print(f"FAILED {line}")
        print(f"{parsed.count:,} hostile texts, {number:,} {what}")
        failed += number
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
