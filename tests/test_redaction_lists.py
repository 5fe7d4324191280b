"""The lists of redaction: they have the rows of tests/data/redaction/names.tsv, and each row does what it is for."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

import pytest
from support import placements, redaction_lists
from support.secret_shapes import Maker

from weburl._redact import secrets
from weburl.redact import redact
from weburl.text import redact_text

# Text that looks random, in a parameter and in a segment of a path. Neither is a secret by its form.
VALUE, SEGMENT, HEX = "q8Zx3f7aK1b9Lm2c", "kbhzqpxwmqrtnA17", "d41d8cd98f00b204e9800998ecf8427e"
# What secrets.py has besides them, and why.
NO_ROWS = {
    "HIDDEN": "one text, which most tests write",
    "TAG_LETTERS": "a test of hashes has them",
    "CHARACTERS": "letters and digits",
    "DECISIONS": "the text of docs/redact-rules.md",
    "KINDS": "tests/test_redact.py has them",
    "KEY_GROUPS": "how keys are looked for; the keys themselves are below",
}
LISTS = sorted(redaction_lists.ROWS)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_the_rows_of_the_file(name: str) -> None:
    expected = getattr(redaction_lists, name)
    entries = redaction_lists.ROWS[name]
    assert len({*entries}) == len(entries)
    own = getattr(secrets, name)
    assert (tuple(own) if name == "KEY_HEADERS" else own) == expected


def test_each_list_is_in_the_file() -> None:
    own = {name for name, value in vars(secrets).items() if name.isupper() and isinstance(value, Collection)}
    assert own == {*LISTS, *NO_ROWS}


def entries(name: str) -> list[Any]:
    return [pytest.param(entry, id=f"{name} {entry}") for entry in sorted(getattr(redaction_lists, name))]


def names_of(glob: str) -> list[str]:
    """Names with nothing, and with other characters, where the glob has a star."""
    return sorted({glob.replace("*", others) for others in ("", "x", "my9")})


def is_hidden(url: str, policy: str = "logs") -> bool:
    shown = redact(url, policy)
    assert shown == url or "REDACTED" in shown
    return shown != url


@pytest.mark.parametrize("glob", entries("SECRET_NAMES"))
def test_names_of_secrets(glob: str) -> None:
    for name in names_of(glob):
        assert redact(f"https://h/?{name}=q8Zx&b=2") == f"https://h/?{name}=REDACTED&b=2"
        assert redact(f"https://h/a;{name.upper()}=q8Zx") == f"https://h/a;{name.upper()}=REDACTED"


@pytest.mark.parametrize("glob", entries("FIRM_NAMES"))
def test_names_that_count_before_plain_ones(glob: str) -> None:
    for name in names_of(glob):
        assert is_hidden(f"https://h/?{name}=true")


@pytest.mark.parametrize("glob", entries("TOKEN_NAMES"))
def test_names_of_tokens(glob: str) -> None:
    for name in names_of(glob):
        assert is_hidden(f"https://h/?{name}={VALUE}")
        assert is_hidden(f"https://h/?{name}=q8Zx") == (name == "auth")
    assert not is_hidden(f"https://h/?other={VALUE}")


@pytest.mark.parametrize("glob", entries("TOKEN_SEGMENTS"))
def test_names_of_segments(glob: str) -> None:
    for name in names_of(glob):
        assert redact(f"https://h/{name}/{SEGMENT}") == f"https://h/{name}/REDACTED"
    assert not is_hidden(f"https://h/other/{SEGMENT}")


@pytest.mark.parametrize("glob", entries("LINK_SEGMENTS"))
def test_segments_of_links(glob: str) -> None:
    for name in names_of(glob):
        assert redact(f"https://h/{name}?t={VALUE}") == f"https://h/{name}?t=REDACTED"
    assert not is_hidden(f"https://h/other?t={VALUE}")


@pytest.mark.parametrize("name", entries("NUMBER_NAMES"))
def test_names_of_numbers(name: str) -> None:
    assert is_hidden(f"https://h/?{name}=1234")
    assert not is_hidden(f"https://h/?{name}=q8Zx")


@pytest.mark.parametrize("glob", entries("COUNT_NAMES"))
def test_names_of_counts(glob: str) -> None:
    for name in names_of(glob):
        assert not is_hidden(f"https://h/?{name}=123456789")
        assert is_hidden(f"https://h/?{name}=q8Zx")


@pytest.mark.parametrize("value", entries("PLAIN_VALUES"))
def test_plain_values(value: str) -> None:
    assert not is_hidden(f"https://h/?token={value}&password={value.upper()}")
    assert redact_text(f"password={value} token={value}") == f"password={value} token={value}"


@pytest.mark.parametrize("word", entries("HIDDEN_WORDS"))
def test_what_other_programs_have_hidden(word: str) -> None:
    text = f"password=[{word}] secret=({word.upper()})"
    assert redact_text(text) == text


@pytest.mark.parametrize("glob", entries("PLAIN_NAMES"))
def test_plain_names(glob: str) -> None:
    for name in names_of(glob):
        assert not is_hidden(f"https://h/?{name}={HEX}")
    assert is_hidden(f"https://h/?other={HEX}")


@pytest.mark.parametrize("glob", entries("IDENTIFIER_NAMES"))
def test_names_of_identifiers(glob: str) -> None:
    for name in names_of(glob):
        assert not is_hidden(f"https://h/?{name}=q8Zx")
        assert is_hidden(f"https://h/?{name}=q8Zx", "logs-strict")


@pytest.mark.parametrize("name", entries("CLICK_NAMES"))
def test_names_of_clicks(name: str) -> None:
    assert not is_hidden(f"https://h/?{name}={HEX}")
    assert is_hidden(f"https://h/?{name}={HEX}", "logs-strict")


@pytest.mark.parametrize("name", entries("OTEL_NAMES"))
def test_names_of_opentelemetry(name: str) -> None:
    assert redact(f"https://h/?{name}=q8Zx&token=1", "otel") == f"https://h/?{name}=REDACTED&token=1"
    assert not is_hidden(f"https://h/?{name.swapcase()}=q8Zx", "otel")


@pytest.mark.parametrize("extension", entries("EXTENSIONS"))
def test_ends_of_file_names(extension: str) -> None:
    assert not is_hidden(f"https://h/logo@2x.{extension}?a=logo@2x.{extension.upper()}")
    assert is_hidden("https://h/logo@2x.com")


# Keys.


@pytest.mark.parametrize("prefix", entries("KEY_PREFIXES"))
def test_prefixes_of_keys(prefix: str) -> None:
    maker, least = Maker(5), redaction_lists.KEY_PREFIXES[prefix]
    tail = redaction_lists.KEY_TAILS.get(prefix, 0)
    for _ in range(5):
        secret = placements.key(prefix)(maker)
        assert redact(f"https://h/{secret}/?a=1") == "https://h/REDACTED/?a=1"
        assert redact_text(f"a {secret} b") == "a REDACTED b"
        # One character fewer is not a key, unless it begins with a shorter prefix, too.
        end = len(prefix) + least
        short = secret[: end - 1] + (secret[end:] if tail else "")
        if not any(prefix != other and prefix.startswith(other) for other in redaction_lists.KEY_PREFIXES):
            assert redact_text(f"a {short} b") == f"a {short} b"


# What may not be in what follows, and what may.
OTHERS = {"letters": "_", "hex": "g", "capitals": "a", "groups": "a", "numbers": "a", "base64": "+"}
KEY_CHARACTERS = [(kind, prefix) for kind, prefixes in redaction_lists.KEY_CHARACTERS.items() for prefix in prefixes]


@pytest.mark.parametrize(("kind", "prefix"), KEY_CHARACTERS)
def test_characters_of_keys(kind: str, prefix: str) -> None:
    body = placements.key(prefix)(Maker(6))[len(prefix) :]
    text = f"a {prefix}{body[:4]}{OTHERS[kind]}{body[5:]} b"
    assert redact_text(text) == ("a REDACTED b" if kind == "base64" else text)


@pytest.mark.parametrize("prefix", entries("KEY_TAILS"))
def test_tails_of_keys(prefix: str) -> None:
    secret = placements.key(prefix)(Maker(7))
    assert redact_text(f"a {secret[:-1]} b") == f"a {secret[:-1]} b"
    assert redact_text(f"a {secret} b") == "a REDACTED b"


@pytest.mark.parametrize("prefix", entries("CAPITAL_PREFIXES"))
def test_keys_of_capitals(prefix: str) -> None:
    """A capital after a small letter is not a sign of one."""
    text = f"a {prefix}-ofTheseWordsWith-hyphens b"
    assert redact_text(text) == text


# Headers and fields.


@pytest.mark.parametrize("scheme", entries("TOKEN_SCHEMES"))
def test_schemes_with_one_word(scheme: str) -> None:
    assert redact_text(f"authorization={scheme} q8Zx b=c") == f"authorization={scheme} REDACTED b=c"
    assert redact_text(f"Authorization: {scheme.upper()} q8Zx, b") == f"Authorization: {scheme.upper()} REDACTED, b"


@pytest.mark.parametrize("scheme", entries("AUTHORIZATION_SCHEMES"))
def test_schemes_with_parameters(scheme: str) -> None:
    text = f'Authorization: {scheme} a="b", c=q8Zx'
    assert redact_text(text) == f"Authorization: {scheme} REDACTED"
    assert redact_text(text.upper()) == f"AUTHORIZATION: {scheme.upper()} REDACTED"


@pytest.mark.parametrize("header", entries("KEY_HEADERS"))
def test_headers_with_keys(header: str) -> None:
    name = header.title()
    assert redact_text(f"X-My-{name}: q8Zx") == f"X-My-{name}: REDACTED"
    name = header.replace("-", "_")
    assert redact_text(f'{{"http_{name}": "q8Zx", "b": 1}}') == f'{{"http_{name}": "REDACTED", "b": 1}}'


@pytest.mark.parametrize("field", entries("SECRET_FIELDS"))
def test_names_of_fields(field: str) -> None:
    assert redact_text(f'{{"db_{field}": "q8Zx", "b": 1}}') == f'{{"db_{field}": "REDACTED", "b": 1}}'
    text = f'{{"db_{field}_other": "q8Zx"}}'
    assert redact_text(text) == text


@pytest.mark.parametrize("tail", entries("FIELD_TAILS"))
def test_what_follows_names_of_fields(tail: str) -> None:
    for name in (f"password_{tail}", f"db-secret-{tail}", f"passwd{tail}", f"db_pwd-{tail}", f"PWD{tail.upper()}"):
        assert redact_text(f'{{"{name}": "q8Zx"}}') == f'{{"{name}": "REDACTED"}}'


@pytest.mark.parametrize("word", entries("PLAIN_TOKENS"))
def test_tokens_that_are_not_secrets(word: str) -> None:
    assert redact_text(f'{{"{word}_token": "{VALUE}"}}') == f'{{"{word}_token": "{VALUE}"}}'
    assert redact_text(f'{{"other_token": "{VALUE}"}}') == '{"other_token": "REDACTED"}'


@pytest.mark.parametrize("owner", entries("PAGE_OWNERS"))
def test_tokens_of_pages(owner: str) -> None:
    assert redact_text(f'{{"{owner}_page_token": "{VALUE}"}}') == f'{{"{owner}_page_token": "REDACTED"}}'


@pytest.mark.parametrize("attribute", entries("COOKIE_ATTRIBUTES"))
def test_attributes_of_cookies(attribute: str) -> None:
    text = f"Set-Cookie: a=q8Zx; {attribute}=b; {attribute.title()}=c"
    assert redact_text(text) == text.replace("q8Zx", "REDACTED")


# Numbers.


def card(digits: str, length: int, random: Random) -> str:
    digits += "".join(random.choices("0123456789", k=length - 1 - len(digits)))
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(reversed(digits)))
    return digits + str(-total % 10)


def is_card(digits: str, length: int) -> bool:
    return any(
        first <= int(digits[: len(str(first))]) <= last and length in lengths
        for first, last, lengths in redaction_lists.CARD_RANGES
    )


@pytest.mark.parametrize(("first", "last", "lengths"), redaction_lists.CARD_RANGES)
def test_numbers_of_cards(first: int, last: int, lengths: tuple[int, ...]) -> None:
    """Each length, at both ends of the range and beside them."""
    random = Random(8)
    for digits in sorted({first - 1, first, last, last + 1}):
        for length in range(14, 20):
            expected = is_card(str(digits), length)
            assert expected or digits not in (first, last) or length not in lengths
            for _ in range(4):
                number = card(str(digits), length, random)
                # The digits after those at the edge can make it one of a longer range.
                if is_card(number, length) == expected:
                    assert is_hidden(f"https://h/?n={number}") == expected, number


@pytest.mark.parametrize("country", entries("IBAN_LENGTHS"))
def test_numbers_of_accounts(country: str) -> None:
    random = Random(9)
    for more in (-1, 0, 1):
        account = "".join(random.choices("0123456789", k=redaction_lists.IBAN_LENGTHS[country] - 4 + more))
        rest = int("".join(str(int(c, 36)) for c in f"{account}{country}00")) % 97
        number = f"{country}{98 - rest:02}{account}"
        assert is_hidden(f"https://h/?n={number}") == (more == 0), number


@pytest.mark.parametrize(
    "name",
    [
        r"\\\%7500750070wd",
        r"p\\%5Cu0075007%37d",
        r"passwo\\\%7500750072d",
        r"toke%5C\\u0075006e",
        r"%73%65cr\\\u007%350065t",
        r"pa%5C\\u%300750073sword",
    ],
)
def test_names_with_escapes_that_make_escapes(name: str) -> None:
    """Of JSON, with percent-escapes within: only what the name says has them, and one makes another."""
    assert redact(f"https://h/?a=1&{name}=q8Zx9") == f"https://h/?a=1&{name}=REDACTED"
