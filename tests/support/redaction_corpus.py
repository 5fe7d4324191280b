"""The corpus of redaction: harmless URLs and texts, and ones with a secret, from the rows of tests/data/redaction/.

A row has a kind, the source of its rule, and a template. A template has forms in braces, such as `{hex,32}`, for which
a value is made: keys are not in the repository, as scanners would take them for real. What a form makes is a secret,
but not where a `~` is before its name.
"""

from __future__ import annotations

import base64
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from support.redact_model import decoded
from support.secret_shapes import ALPHANUMERIC, URL_SAFE, Maker, spaced

from weburl._redact.secrets import IBAN_LENGTHS

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
