"""The corpus of redaction: harmless URLs and texts, and ones with a secret, from the rows of tests/data/redaction/;
and those with a secret in places.

A row has a kind, the source of its rule, and a template. A template has forms in braces, such as `{hex,32}`, for which
a value is made: keys are not in the repository, as scanners would take them for real. What a form makes is a secret,
but not where a `~` is before its name.
"""

from __future__ import annotations

import base64
import itertools
import json
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from support import placements
from support.redact_model import decoded
from support.redaction_lists import IBAN_LENGTHS
from support.secret_shapes import ALPHANUMERIC, URL_SAFE, Maker, spaced

FOLDER = Path(__file__).parents[1] / "data" / "redaction"
FORM = re.compile(r"\{(~?)([a-z0-9%+-]+)(?:,([0-9]+))?\}")
PLAIN = string.ascii_lowercase + string.digits
CHARACTERS = {
    "alnum": ALPHANUMERIC,
    "alpha": string.ascii_letters,
    "azure": URL_SAFE + ".~",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "digits": string.digits,
    "hex": "0123456789abcdef",
    "lower": PLAIN,
    "pass": ALPHANUMERIC,
    "std64": ALPHANUMERIC + "+/",
    "upper": string.ascii_uppercase + string.digits,
    "upper32": string.ascii_uppercase + "234567",
    "url": URL_SAFE,
}


class Case(NamedTuple):
    """A URL or a text, and what must not be left of it: nothing, if it is harmless."""

    kind: str
    source: str
    text: str
    secrets: tuple[str, ...]


def uuid(maker: Maker) -> str:
    digits = maker.text(CHARACTERS["hex"], 32)
    return "-".join((digits[:8], digits[8:12], f"4{digits[13:16]}", f"a{digits[17:20]}", digits[20:]))


def iban(maker: Maker) -> str:
    country = maker.random.choice(("DE", "GB", "FR", "NL", "NO", "ES", "MT", "CH"))
    account = maker.text(string.digits, IBAN_LENGTHS[country] - 4)
    rest = int("".join(str(int(c, 36)) for c in f"{account}{country}00")) % 97
    return f"{country}{98 - rest:02}{account}"


OTHERS: dict[str, Callable[[Maker], str]] = {
    "uuid": uuid,
    "jwt": Maker.jwt,
    "mail": Maker.email,
    "mail%40": lambda maker: maker.email().replace("@", "%40"),
    "card": Maker.card,
    "card-": lambda maker: spaced(maker.card(), "-"),
    "iban": iban,
    "iban+": lambda maker: spaced(iban(maker), "+"),
}


def made_from(kind: str, source: str, template: str, maker: Maker) -> Case:
    secrets: list[str] = []

    def value(match: re.Match[str]) -> str:
        form, length = match[2], int(match[3] or 0)
        if form == "b64":
            made = quote(base64.b64encode(maker.random.randbytes(length * 3 // 4)).decode(), safe="")
        else:
            made = OTHERS[form](maker) if form in OTHERS else maker.text(CHARACTERS[form], length)
        if not match[1]:
            secrets.append(made)
        return made

    return Case(kind, source, FORM.sub(value, template), tuple(secrets))


def cases(name: str, seed: int = 1) -> Iterator[Case]:
    """Those of a file: `secret`, `harmless`; with `_held_out` those that no rule was tuned with; with `_headers`, texts
    with a header, for redact_text().
    """
    maker = Maker(seed)
    for line in (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines():
        kind, source, template = line.split("\t")
        yield made_from(kind, source, template, maker)


def is_gone(case: Case, shown: str) -> bool:
    """Whether no secret of a text is left, nor the first or the last eight characters of a longer one."""
    plain = decoded(shown)
    secrets = [decoded(secret) for secret in case.secrets]
    # Of an address, the host can end as another does.
    parts = [part for secret in secrets for part in ([secret] if "@" in secret else [secret[:8], secret[-8:]])]
    return not any(part in plain for part in parts)


# What a text does not show as a URL: without a solidus after the scheme, or with quotes and spaces as they are.
ONLY_URLS = {"opaque", "opaque raw", "other scheme raw", "fragment raw", "query raw"}
LINES = (
    "{}", "see {} now", "<{}>", "({})", "a={} b=1", "[{}]\r\n", "x\t{}\ty", "2026-11-29T10:00:00Z INFO got {}",
    'h - - [29/Nov/2026:10:00:00 +0000] "GET {} HTTP/1.1" 200 5 "-" "-"', "\u20ac {} \u2026",
)  # fmt: skip
OBJECTS: tuple[Callable[[str], object], ...] = (
    lambda text: {"u": text},
    lambda text: {"a": [1, text], "b": 2},
    lambda text: {"message": {"text": ["x", text]}},
)


class PlacedCase(NamedTuple):
    """A text with a row of the corpus in a place, the row, and whether it is one URL, for redact()."""

    case: Case
    text: str
    is_url: bool


def in_line(text: str, maker: Maker) -> str:
    """A URL as it stands in a line of a log: between other texts, in JSON, or in JSON that is a text in JSON."""
    choice = maker.random.choice
    if choice((True, False)):
        return choice(LINES).replace("{}", text)
    for _ in range(choice((1, 2, 3))):
        text = json.dumps(choice(OBJECTS)(text), ensure_ascii=choice((True, False)))
    return text


def placed_cases(seed: int) -> Iterator[PlacedCase]:
    """Rows with a secret, in up to three wrappers and a place each, without end. See support/placements.py."""
    maker = Maker(seed)
    choice = maker.random.choice
    rows = [case for name in ("secret", "secret_held_out") for case in cases(name, seed)]
    wrappers, places = [*placements.WRAPPERS.values()], [*placements.PLACES.items()]
    for number in itertools.count():
        if number % len(rows) == 0:
            maker.random.shuffle(rows)
        case = rows[number % len(rows)]
        text: str | None = case.text
        for wrapper in maker.random.choices(wrappers, k=choice((0, 0, 1, 1, 2, 3))):
            text = text and wrapper(placements.Item(None, text, ""))
        name, place = choice(places)
        text = text and place(placements.Item(None, text, ""))
        if not text:
            continue
        yield PlacedCase(case, text, True)
        if name not in ONLY_URLS:
            yield PlacedCase(case, in_line(text, maker), False)
