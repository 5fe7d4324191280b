"""What a reader needs to know of a host: for the story of `explain`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from weburl._diagnosis.escapes import VALUE, quoted
from weburl._literal.hosts import find_percent_encoded_byte
from weburl._literal.percent import percent_decode_string
from weburl._literal.record import serialize_host, serialize_ipv4
from weburl._unicode.confusables import ANY, prototype_of, scripts_of
from weburl._unicode.idna import domain_parser, domain_to_unicode

if TYPE_CHECKING:
    from weburl._literal.record import Host

# The end of a name at which a reader may stop.
ENDS: Final = frozenset({"com", "org", "net", "edu", "gov"})
# Characters that IDNA maps or removes and that are named.
MAPPED: Final = 4
# IDNA reads no more of a label than this for the story.
LONG_LABEL: Final = 100
# Different characters that are not ASCII, and labels, that are looked at.
READ: Final = 64


def host_sentences(written: str, host: Host | None) -> Iterator[str]:
    """Sentences on a host as it is written."""
    if host is None:
        return
    if host.host_type == "ipv6":
        yield from ipv6_sentences(written, host)
        return
    if host.host_type == "opaque":
        if "\\" in written or serialize_host(host) != written or written != written.lower():
            yield "The scheme is not special, so the host is a text: it is neither lower-cased nor decoded."
        return
    domain = written
    if find_percent_encoded_byte(written) is not None:
        domain = percent_decode_string(written).decode(errors="replace")
        yield f"A host is percent-decoded: {quoted(domain)}."
    if not domain.isascii():
        yield from mapped_sentences(domain)
    if host.host_type == "ipv4":
        yield from ipv4_sentences(domain_parser(domain) or domain, host)
    elif host.host_type == "domain":
        yield from domain_sentences(str(host), written)


def mapped_sentences(domain: str) -> Iterator[str]:
    """What the domain parser makes of the characters that are not ASCII."""
    removed, dots, mapped = [], [], []
    for c in islice((c for c in dict.fromkeys(domain) if not c.isascii()), READ):
        result = domain_parser(f"a{c}b") or ""
        if c == "\xdf":
            yield "'ß' is not 'ss' in a domain: the name with 'ss' is another one."
        elif c in "\u3002\uff0e\uff61":
            dots.append(c)
        elif result == "ab":
            removed.append(c)
        elif result and not result.startswith("xn--"):
            mapped.append(f"{quoted(c)} is {quoted(result[1:-1])}")
    if removed:
        do, are = ("does", "is") if len(removed) == 1 else ("do", "are")
        yield f"{listed(removed)} in a domain {do} not count, and {are} removed."
    if dots:
        yield f"{listed(dots)} in a domain {'is a dot' if len(dots) == 1 else 'are dots'}."
    if mapped:
        more = f", and {len(mapped) - MAPPED} more" if len(mapped) > MAPPED else ""
        yield f"In a domain, {', '.join(mapped[:MAPPED])}{more}."


def listed(characters: list[str]) -> str:
    names = list(map(quoted, characters[:MAPPED]))
    if len(characters) > MAPPED:
        names.append(f"{len(characters) - MAPPED} more")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def ipv4_sentences(domain: str, host: Host) -> Iterator[str]:
    address = serialize_host(host)
    if domain != address:
        yield f"{quoted(domain)} is the IPv4 address {address}."
        parts = domain.removesuffix(".").split(".")
        forms = []
        if any(part.startswith("0x") for part in parts):
            forms.append("0x starts a hexadecimal number")
        if any(len(part) > 1 and part[0] == "0" and part[1] != "x" for part in parts):
            octal = "an octal one" if forms else "starts an octal number"
            forms.append(f"0 before other digits {octal}")
        if len(parts) < 4:
            forms.append("the last number fills what is left of the address")
        if forms:
            sentence = ", and ".join(forms)
            yield f"{sentence[0].upper()}{sentence[1:]}."
    yield from place_sentences(address)


def ipv6_sentences(written: str, host: Host) -> Iterator[str]:
    address = serialize_host(host)
    if written != address:
        yield f"It is the same as {address}."
    pieces = host.value
    assert isinstance(pieces, tuple)
    if pieces[:5] == (0,) * 5 and pieces[5] == 0xFFFF:
        ipv4 = serialize_ipv4(pieces[6] * 0x10000 + pieces[7])
        yield f"The IPv6 address has the IPv4 address {ipv4} in it: a connection may go there."
        yield from place_sentences(ipv4)
    else:
        yield from place_sentences(address[1:-1])


def place_sentences(text: str) -> Iterator[str]:
    from ipaddress import ip_address

    address = ip_address(text)
    if address.is_loopback or address.is_unspecified:
        yield f"{text} is this machine."
    elif address.is_link_local:
        in_a_cloud = ", where machines in a cloud get their credentials" if text == "169.254.169.254" else ""
        yield f"{text} is a link-local address{in_a_cloud}."
    elif address.is_private:
        yield f"{text} is a private address."


def domain_sentences(domain: str, written: str) -> Iterator[str]:
    labels = domain.removesuffix(".").split(".")
    if domain.endswith(".") and len(labels) > 1:
        yield "The dot at the end stays: to a browser, the host without it is another one."
    for label in islice(dict.fromkeys(labels), READ):
        if label.startswith("xn--") and len(label) <= LONG_LABEL:
            yield from label_sentences(label, label in written.lower())
    if "localhost" in labels[-1:]:
        yield f"{quoted(domain)} is this machine."
    inner = [i for i, label in enumerate(labels[:-2]) if label in ENDS and i > 0]
    if inner and inner[0] + 3 <= len(labels):
        start, end = ".".join(labels[: inner[0] + 1]), ".".join(labels[inner[0] + 1 :])
        yield f"{quoted(start)} is only the start of the host: a name belongs to whoever has its end, {quoted(end)}."
    elif len(domain) > VALUE:
        end = quoted(".".join(labels[-2:]))
        yield f"The host has {len(domain)} characters. A name belongs to whoever has its end, {end}."
    if ";" in domain or "&" in domain or "=" in domain:
        yield "Only / ? # and the backslash end the name: what else looks like a delimiter is part of it."


def label_sentences(label: str, is_written: bool) -> Iterator[str]:
    text = domain_to_unicode(label)
    if text == label:
        return
    ascii_form, form = quoted(label), quoted(text)
    yield f"{ascii_form} is {form} in Unicode." if is_written else f"{form} is {ascii_form} in ASCII."
    likes = [c if c.isascii() else prototype_of(c) for c in text if c not in "\u200c\u200d"]
    scripts = sorted({script for c in set(text) if ANY.isdisjoint(names := scripts_of(c)) for script in names})
    if None not in likes:
        yield f"It only looks like {quoted(''.join(map(str, likes)).lower())}: its letters are others."
    elif "Latin" in scripts and not {"Cyrillic", "Greek", "Armenian"}.isdisjoint(scripts):
        yield f"It mixes letters of {' and '.join(scripts)}: some of them look the same."
