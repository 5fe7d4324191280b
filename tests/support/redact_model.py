"""What `weburl.redact` does, once more, in plain Python with regular expressions: docs/redact.md, line by line."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter

from weburl import URL
from weburl._diagnosis.credentials import credentials_in
from weburl._redact.secrets import (
    CARD_RANGES,
    KEY_PREFIXES,
    SECRET_NAMES,
    TOKEN_NAMES,
    TOKEN_SEGMENTS,
    VERSION_NAMES,
)

Found = Counter[str]
HIDDEN = "REDACTED"
ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
WORD = "[A-Za-z0-9_-]"
# Characters of decoded texts are bytes; those from 0x80 on are letters of another alphabet.
JWT = re.compile(rf"(?<!{WORD})ey[I-L]{WORD}{{8,}}\.{WORD}")
KEYS = "|".join(f"{re.escape(prefix)}{WORD}{{{least}}}" for prefix, least in KEY_PREFIXES.items())
KEY = re.compile(f"(?<!{WORD})(?:{KEYS})")
MAIL = re.compile(r"(?<=[A-Za-z0-9_.+\x80-\xff-])@([A-Za-z0-9.\x80-\xff-]*)")
DIGITS = re.compile(r"[0-9]+(?:[ +-][0-9]+)*")
NUMBERS = re.compile(r"[A-Za-z0-9]+")
PLACEHOLDER = re.compile(r"\{(?:int|uuid|hex|date|id|email|redacted|value|opaque)\}")


def decoded(text: str) -> str:
    """Without escapes, including those that decoding makes."""
    out: list[str] = []
    for character in text:
        out.append(character)
        while len(out) > 2 and (match := ESCAPE.fullmatch("".join(out[-3:]))):
            out[-3:] = [chr(int(match[1], 16))]
    return "".join(out)


# Names.


def one_of(globs: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(glob).replace(r"\*", ".*") for glob in sorted(globs)), re.DOTALL)


SECRET, TOKEN, VERSION = map(one_of, (SECRET_NAMES, TOKEN_NAMES, VERSION_NAMES))
SEGMENT = one_of(SECRET_NAMES | TOKEN_SEGMENTS)
SEPARATORS = re.compile(r"[\[\]\"' \t&;?#,{}/\\<>|()\n\r=:]")


def is_named(globs: re.Pattern[str], text: str) -> bool:
    words = SEPARATORS.split(decoded(text))
    return any(globs.fullmatch(re.sub("[^a-z0-9]", "", word.lower())) for word in words)


def has_parameter(text: str) -> bool:
    names = re.split(r"[&;?#,{}/\\<>|()\n\r]", text)
    for name in names:
        # Each of `a:b=c` has its own.
        for part in re.split("[=:]", name)[:-1]:
            if is_named(SECRET, part.replace("%", "")):
                return True
    return False


# Forms.


def has_credentials(text: str) -> bool:
    if re.match(r"(?:bearer|basic)[ +]+[^ +]", text, re.IGNORECASE | re.ASCII):
        return True
    text = re.sub("[\t\n\r]", "", text).lstrip(bytes(range(33)).decode())
    inner = re.search(r"[/\\]{2}[^/\\?#]+@", text)
    return bool(inner or re.match(r"(?:https?|wss?|ftp):[/\\]*[^/\\?#]+@", text, re.IGNORECASE | re.ASCII))


def is_domain(text: str) -> bool:
    labels = text.rstrip(".-").split(".")
    return (
        len(labels) > 1
        and all(labels)
        and sum(re.fullmatch("[0-9]+", label) is not None for label in labels) < 2
        and re.fullmatch(r"[A-Za-z\x80-\xff]{2,}|xn--.*", labels[-1], re.IGNORECASE | re.ASCII) is not None
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
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        digits = re.sub("[^0-9]", "", match[0])
        if re.fullmatch("[A-Za-z0-9_.]", before) or re.fullmatch("[A-Za-z0-9_]", after):
            continue
        if 14 <= len(digits) <= 19 and is_card(digits):
            return True
    return False


def is_hex(text: str) -> bool:
    return re.fullmatch("(?=.*[0-9])(?=.*[A-Fa-f])[0-9A-Fa-f]+", text) is not None


def is_base64(text: str) -> bool:
    match = re.fullmatch("(?=.*[A-Z])(?=.*[a-z])([A-Za-z0-9+/_-]{32,})={0,2}", text)
    return match is not None and 4 * len(re.findall("[a-z]", match[1])) <= 3 * len(match[1])


def form_of(text: str, in_path: bool) -> str | None:
    if has_credentials(text):
        return "credentials"
    if not in_path and has_parameter(text):
        return "name"
    if JWT.search(text) or KEY.search(text):
        places = [(match.start(), kind) for kind, form in (("jwt", JWT), ("key", KEY)) if (match := form.search(text))]
        return min(places)[1]
    if any(is_domain(match[1]) for match in MAIL.finditer(text)):
        return "email"
    if has_card(text):
        return "card"
    if in_path:
        return None
    words = (re.sub("^0x", "", word) if len(word) > 2 else word for word in NUMBERS.findall(text))
    if any(len(word) >= 32 and is_hex(word) for word in words):
        return "hex"
    return "base64" if is_base64(text) else None


def is_random(text: str) -> bool:
    return re.fullmatch("(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+/_=.~:-]{16,}", text) is not None


def is_random_segment(text: str) -> bool:
    if not re.fullmatch("(?=.*[0-9])[A-Za-z0-9_-]{16,}", text):
        return False
    return bool(re.search("[A-Z]", text) and re.search("[a-z]", text)) or (len(text) >= 32 and is_hex(text))


# Addresses.


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
    shortened = [network(part.strip(" +")) for part in text.split(",")]
    return None if None in shortened else ",".join(filter(None, shortened))


# A URL.


def redact_value(text: str, name: str, in_path: bool, found: Found) -> str:
    if text in ("", HIDDEN):
        return text
    plain = decoded(text)
    if is_named(SECRET, name) or (is_named(TOKEN, name) and is_random(plain)):
        found["name"] += 1
        return HIDDEN
    if kind := form_of(plain, in_path):
        found[kind] += 1
        return HIDDEN
    shortened = networks(plain)
    if shortened is None or shortened == text or is_named(VERSION, name):
        return text
    found["address"] += 1
    return shortened


def may_be_secret(text: str) -> bool:
    return len(text) >= 13 or re.search("[@=:;&%]", text) is not None


def redact_parameter(text: str, in_path: bool, found: Found) -> str:
    name, equals, value = text.partition("=")
    if not equals:
        return redact_value(text, "", in_path, found)
    kind = form_of(decoded(name), in_path) if may_be_secret(name) else None
    if kind not in (None, "name"):
        found[str(kind)] += 1
        return f"{HIDDEN}="
    return f"{name}={redact_value(value, name, in_path, found)}"


def redact_query(text: str, found: Found) -> str:
    return "&".join([redact_parameter(piece, False, found) for piece in text.split("&")])


def kind_of_segment(text: str, before: str, follows_colon: bool) -> str | None:
    if text == HIDDEN:
        return None
    plain = decoded(text)
    if follows_colon and "@" in plain[1:]:
        return "credentials"
    if is_random_segment(plain) and any(is_named(SEGMENT, part) for part in before.split(HIDDEN)):
        return "name"
    return form_of(plain, True)


def redact_segment(text: str, before: str, follows_colon: bool, found: Found) -> str:
    if not may_be_secret(text):
        return text
    pieces = re.split("([;&])", text)
    if (len(pieces) == 1 and "=" not in text) or follows_colon:
        kind = kind_of_segment(text, before, follows_colon)
        if kind or (len(pieces) == 1 and "=" not in text):
            found[kind or ""] += bool(kind)
            return HIDDEN if kind else text
    for index, piece in enumerate(pieces):
        if index % 2 == 0 and "=" in piece:
            pieces[index] = redact_parameter(piece, True, found)
        elif index % 2 == 0 and piece:
            kind = kind_of_segment(piece, before + "".join(re.split("([;&])", text)[:index]), follows_colon)
            found[kind or ""] += bool(kind)
            pieces[index] = HIDDEN if kind else piece
    return "".join(pieces)


def redact_path(text: str, found: Found, *, is_opaque: bool = False) -> str:
    parts = re.split(r"([/\\])", text)
    follows_colon = is_opaque
    for index in range(0, len(parts), 2):
        before = re.split(r"([/\\])", text)[:index]
        part = parts[index]
        if part:
            parts[index] = redact_segment(part, "".join(before), follows_colon, found)
            follows_colon = part.endswith(":") or parts[index].endswith(":")
    return "".join(parts)


def redact_fragment(text: str, found: Found) -> str:
    path, mark, query = text.partition("?")
    if "=" in path:
        return redact_query(text, found)
    return redact_path(path, found) + mark + redact_query(query, found)


def parts_of(href: str) -> tuple[str, str | None, str | None]:
    href, number_sign, fragment = href.partition("#")
    href, mark, query = href.partition("?")
    return href, query if mark else None, fragment if number_sign else None


def redacted(text: str) -> tuple[str, Found]:
    """The URL without its secrets, and what was hidden; also for a text that does not parse."""
    found: Found = Counter()
    url = URL.parse(text)
    if url is None:
        text = redact_text(text, found)
        url = URL.parse(text)
        if url is None:
            return redact_text(text, found), +found
    rest, query, fragment = parts_of(url.href)
    path_start = len(rest) - len(url.pathname)
    start = rest[:path_start]
    if url.username or url.password:
        hidden = (url.username and HIDDEN) + (url.password and ":" + HIDDEN)
        given = url.username + (url.password and ":" + url.password)
        found["credentials"] += hidden != given
        start = start.replace(f"//{given}@", f"//{hidden}@", 1)
    out = start + redact_path(rest[path_start:], found, is_opaque=url.has_opaque_path)
    out += "" if query is None else "?" + redact_query(query, found)
    return out + ("" if fragment is None else "#" + redact_fragment(fragment, found)), +found


def redact_text(text: str, found: Found) -> str:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip("".join(map(chr, range(0x21))))
    octets = re.sub("[\t\n\r]", "", text).encode()
    text = "".join(chr(octet) if 0x20 <= octet < 0x7F else f"%{octet:02X}" for octet in octets)
    place = credentials_in(text) if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/\\|\\/|\\\\", text) else None
    start = ""
    if place:
        given = text[slice(*place)]
        name, colon, password = given.partition(":")
        hidden = (name and HIDDEN) + (colon and ":") + (password and HIDDEN)
        found["credentials"] += given != hidden
        host = re.compile(r"[^/\\?#]*").match(text, place[1] + 1)
        assert host
        start = text[: place[0]] + hidden + "@" + host[0]
        text = text[host.end() :]
    path, query, fragment = parts_of(text)
    out = start + redact_path(path, found) + ("" if query is None else "?" + redact_query(query, found))
    return out + ("" if fragment is None else "#" + redact_fragment(fragment, found))


# Templates.


def class_of(text: str) -> str | None:
    if PLACEHOLDER.fullmatch(text):
        return text
    for name, form in (
        ("int", "[0-9]+"),
        ("uuid", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"),
        ("date", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    ):
        if re.fullmatch(form, text):
            return f"{{{name}}}"
    if len(text) >= 8 and is_hex(text):
        return "{hex}"
    digits = len(re.findall("[0-9]", text))
    if re.fullmatch("(?=.*[A-Za-z])[A-Za-z0-9]{20,}", text):
        return "{id}" if digits > 3 else None
    return "{id}" if digits and is_base64(text) else None


def template_of_segment(text: str, before: str, follows_colon: bool) -> str:
    text, semicolon, _ = text.partition(";")

    def is_secret(part: str) -> bool:
        return may_be_secret(part) and kind_of_segment(part, before, follows_colon) is not None

    name, equals, _ = text.partition("=")
    pieces = re.split("(&)", name)
    secret = is_secret(text) or any(
        piece and kind_of_segment(piece, before + "".join(pieces[:index]), follows_colon)
        for index, piece in enumerate(pieces)
        if len(pieces) > 1 and piece != "&"
    )
    if equals and not secret:
        if not is_base64(text) and not is_secret(name):
            return name + "={value}"
        secret = True
    plain = decoded(text)
    found, extension = class_of(plain), ""
    if found is None and (match := re.fullmatch(r"(.+)(\.[A-Za-z][A-Za-z0-9]{0,4})", plain, re.DOTALL)):
        found, extension = class_of(match[1]), match[2]
    if found is not None:
        return found + extension
    if secret:
        return "{email}" if not follows_colon and form_of(plain, True) == "email" else "{redacted}"
    return text + semicolon if plain in (".", "..") else text


def template(url: URL) -> str:
    if url.has_opaque_path:
        return "/{opaque}"
    path = url.pathname
    parts = re.split(r"([/\\])", path)
    follows_colon = False
    for index in range(0, len(parts), 2):
        text = parts[index]
        if text:
            before = "".join(re.split(r"([/\\])", path)[:index])
            parts[index] = template_of_segment(text, before, follows_colon)
            stem = text.partition(";")[0]
            follows_colon = text.endswith(":") or (stem.endswith(":") if stem else follows_colon)
    return "".join(parts) or "/"
