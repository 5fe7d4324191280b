"""IP addresses shortened to their networks, in plain Python: a part of redact_model.py."""

from __future__ import annotations

import ipaddress
import re


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
