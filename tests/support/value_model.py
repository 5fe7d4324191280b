"""Values that are secrets wherever they are, and IP addresses: a part of redact_model.py."""

from __future__ import annotations

import ipaddress
import re
import string

from support.redaction_lists import CAPITAL_PREFIXES, CARD_RANGES, EXTENSIONS, IBAN_LENGTHS, KEY_PREFIXES

DIGITS = re.compile(r"[0-9]+(?:[ +-][0-9]+)*")
WORD = "[A-Za-z0-9_-]"


def network(text: str) -> str | None:
    match = re.fullmatch(r"([0-9.]+)(:[0-9]+)?|\[([0-9A-Fa-f:.]+)\](:[0-9]+)?|([0-9A-Fa-f:.]+)", text)
    if match is None:
        return None
    v4, v4_port, bracketed, v6_port, v6 = match.groups()
    try:
        if v4 is not None and "." in v4:
            ipaddress.IPv4Address(v4)
            return v4.rpartition(".")[0] + ".0" + (v4_port or "")
        address = ipaddress.IPv6Address(bracketed or v6 or text)
    except ValueError:
        return None
    numbers = [int(piece, 16) for piece in address.exploded.split(":")[:3]]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    short = ":".join(f"{number:x}" for number in numbers) + "::"
    return short if bracketed is None else f"[{short}]{v6_port or ''}"


def networks(text: str) -> str | None:
    shortened = [network(part.strip(" +\t\n\r\"'\\")) for part in text.split(",")]
    return None if None in shortened else ",".join(filter(None, shortened))


def is_domain(text: str) -> bool:
    labels = text.rstrip(".-").split(".")
    return (
        len(labels) > 1
        and all(labels)
        and sum(re.fullmatch("[0-9]+", label) is not None for label in labels) < 2
        and re.fullmatch(r"[A-Za-z\x80-\xff]{2,}|xn--.*", labels[-1], re.IGNORECASE | re.ASCII) is not None
        and labels[-1].lower() not in EXTENSIONS
    )


def is_card(digits: str) -> bool:
    issued = any(
        first <= int(digits[: len(str(first))]) <= last
        for first, last, lengths in CARD_RANGES
        if len(digits) in lengths
    )
    doubled = "".join(str(int(digit) * (1 + place % 2)) for place, digit in enumerate(reversed(digits)))
    return issued and sum(map(int, doubled)) % 10 == 0


def has_card(text: str) -> bool:
    for match in DIGITS.finditer(text):
        before, after = text[: match.start()].rstrip(string.ascii_letters)[-1:], text[match.end() :][:1]
        groups = re.split("[^0-9]", match[0])
        # What is part of another number or name is not looked at.
        if re.fullmatch("[A-Za-z0-9_]", after):
            groups[-1] = ""
        if re.fullmatch("[0-9_.]", before):
            groups[0] = ""
        if "" not in groups and 14 <= len("".join(groups)) <= 19 and is_card("".join(groups)):
            return True
        for start in range(len(groups)):
            for count in (1, 3, 4, 5):
                some = groups[start : start + count]
                lengths = " ".join(str(len(group)) for group in some)
                if re.fullmatch("1[4-9]|4 6 [45]|4 4 4 [234]|4 4 4 4 [123]", lengths) and is_card("".join(some)):
                    return True
    return False


def has_iban(text: str) -> bool:
    for match in re.finditer("(?<![A-Za-z0-9_-])(?=([A-Z]{2})[0-9]{2})", text):
        length = IBAN_LENGTHS.get(match[1], 0)
        form = "[ +-]?".join(["[A-Z0-9]{4}"] * (length // 4) + [f"[A-Z0-9]{{{length % 4}}}"] * (length % 4 > 0))
        found = re.match(f"({form})(?![A-Za-z0-9_-])", text[match.start() :]) if length else None
        if found:
            account = re.sub("[ +-]", "", found[1])
            if int("".join(str(int(c, 36)) for c in account[4:] + account[:4])) % 97 == 1:
                return True
    return False


def has_bot_key(text: str) -> bool:
    return re.search(f"(?<![0-9])[0-9]{{8,12}}:AA{WORD}{{33}}(?!{WORD})", text) is not None


def no_words(prefix: str) -> str:
    """What follows the prefix is not words with hyphens: it has a digit, or a capital after a small letter."""
    capital = "" if prefix in CAPITAL_PREFIXES else "|(?<=[a-z])[A-Z]"
    least = KEY_PREFIXES[prefix]
    return rf"(?!(?=[^_-]{{0,{least - 1}}}[_-])[^0-9](?:(?![0-9]{capital}).){{{least - 1}}})"
