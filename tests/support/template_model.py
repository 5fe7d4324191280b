"""The rules of templates once more, in plain Python with regular expressions: see redact_model.py."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from support.redact_model import (
    UUID,
    Units,
    decoded,
    ends_with_colon,
    form_of,
    form_of_view,
    is_base64,
    is_hex,
    is_hidden_by_rule,
    kind_of_segment,
    may_be_secret,
    on_host,
    segments,
    without_json,
)
from support.redaction_lists import LETTER_PAIRS

from weburl import URL
from weburl._diagnosis.credentials import is_port

PLACEHOLDER = re.compile(r"\{(?:int|uuid|hex|date|time|ip|coordinates|id|slug|email|redacted|value|opaque)\}")
YEAR = "(?:19|20)[0-9]{2}"
MONTH = "(?:0?[1-9]|1[0-2])"
DATE = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|{YEAR}(?P<a>[-_]){MONTH}(?P=a)[0-9]{{1,2}}"
    rf"|[0-9]{{1,2}}(?P<b>[-_])[0-9]{{1,2}}(?P=b){YEAR}|{YEAR}[-_](?:0[1-9]|1[0-2])|{YEAR}-?W[0-5][0-9]"
)
TIME = re.compile(
    r"(?:(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}|(?:19|20)[0-9]{6})[Tt_ -][0-9]{2}[0-9:.Zz+-]*"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
)
DEGREES = r"[+-]?[0-9]{1,3}"
COORDINATES = re.compile(rf"@?{DEGREES}(?:\.[0-9]+)?, ?{DEGREES}\.[0-9]+(?:,[0-9.]+[a-z]?)*")
# Characters of decoded texts are bytes.
TOKENS = re.compile("[0-9A-Za-z\x80-\xff]+")
KEY = re.compile(r"([A-Za-z](?:[A-Za-z0-9_.]*[A-Za-z0-9.])?)\((.+)\)(\.(?!x\Z)[A-Za-z][A-Za-z0-9]{0,4})?", re.DOTALL)


def form_of_segment(text: str) -> str | None:
    if PLACEHOLDER.fullmatch(text):
        return text
    if not re.search("[0-9]", text):
        return "{uuid}" if UUID.fullmatch(text) else None
    for name, form in (("int", re.compile("[0-9]+")), ("uuid", UUID), ("date", DATE), ("time", TIME)):
        if form.fullmatch(text):
            return f"{{{name}}}"
    if len(text) >= 8 and is_hex(text):
        return "{hex}"
    if is_ip(text):
        return "{ip}"
    if COORDINATES.fullmatch(text):
        return "{coordinates}"
    if re.fullmatch("(?=.*[A-Za-z])[A-Za-z0-9]{20,}", text):
        return "{id}" if len(re.findall("[0-9]", text)) > 3 else None
    return "{id}" if is_base64(text) else None


def is_ip(text: str) -> bool:
    try:
        IPv4Address(re.sub(":[0-9]+$", "", text))
    except AddressValueError:
        bare = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
        try:
            IPv6Address(bare)
        except AddressValueError:
            return False
        return "%" not in bare
    return "\n" not in text


def looks_random(text: str, *, is_relaxed: bool = False) -> bool:
    text = re.sub("[-_+ ]", "", text)
    digits, capitals = (len(re.findall(form, text)) for form in ("[0-9]", "[A-Z]"))
    letters = len(text) - digits
    if not text.isascii() or re.fullmatch("[vV][0-9].*[A-Za-z]{4}.*", text):
        return False
    changes = len(re.findall("(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])", text))
    if digits and letters:
        if is_hex(text) and (len(text) > 7 or (len(text) == 7 and changes > 2)):
            return True
        if re.fullmatch("[0-9]+x[0-9]+", text):
            return False
        is_year = re.fullmatch(f"(?:.|[qQ]..?){YEAR}", text)
        if digits > 5 or (re.fullmatch("[A-Za-z]{1,2}[0-9]{5}|[A-Za-z][0-9]{4}", text) and not is_year):
            return True
        if len(text) > 5 and changes > 3:
            return True
    elif capitals < 4 or not re.search("[a-z]", text):
        return False
    score = -3 * changes - capitals
    for pair in re.findall("(?=([A-Za-z]{2}))", text):
        score += int(LETTER_PAIRS[26 * (ord(pair[0].lower()) - 97) + ord(pair[1].lower()) - 97]) - 5
    if is_relaxed:
        return len(text) > 6 and score < 0
    return len(text) > 7 and score < (-4 if digits else -(len(text) // 2))


def class_of_words(text: str) -> str | None:
    words = numbers = 0
    has_long = False
    for token in TOKENS.finditer(text):
        if re.fullmatch("[0-9]+", token[0]):
            numbers += 1
            is_long = len(token[0]) > 3 and not re.fullmatch(YEAR, token[0])
            has_long |= is_long and "." not in (text[: token.start()][-1:], text[token.end() :][:1])
        else:
            words += 1
            # A digit or two at one end are those of words, but for capitals.
            is_word = re.fullmatch("[0-9]{0,2}[^0-9]+|[^0-9]+[0-9]{1,2}", token[0]) and len(token[0]) > 7
            if looks_random(token[0]) and not (is_word and len(re.findall("[A-Z]", token[0])) < 4):
                return "{id}"
    is_flat = len(text) > 9 and re.fullmatch(r"(?=.*[A-Z].*[A-Z].*[A-Z])[A-Za-z0-9_+ \x80-\xff-]+", text)
    mixed = re.compile("(?=.*[0-9]).*[^0-9].*|(?=.*[A-Z])[a-z][A-Za-z]*")
    is_mixed = any(map(mixed.fullmatch, TOKENS.findall(text)))
    if is_flat and is_mixed and words + numbers > 1 and looks_random(text):
        return "{id}"
    is_joined = not re.search("[^-_+ ]", TOKENS.sub("", text))
    if has_long:
        return "{slug}" if words > 1 and is_joined else "{id}"
    return "{slug}" if words > 2 and words + numbers > 4 and len(text) > 15 and is_joined else None


def class_of(text: str) -> str | None:
    return form_of_segment(text) or class_of_words(text)


def class_of_file(text: str, *, is_secret: bool) -> str | None:
    """The placeholder for a segment, with its extension."""
    file = re.fullmatch(r"(.+)(\.(?!x\Z)[A-Za-z][A-Za-z0-9]{0,4})", text, re.DOTALL)
    stem, extension = file.groups() if file else (text, "")
    found = form_of_segment(stem)
    if not found and not is_secret:
        found = class_of_words(stem)
        tail = stem[-8:]
        if not found and file and re.fullmatch("(?s:.)[-.][A-Za-z0-9_-]{8}", stem[-10:]):
            has_both = re.search("[A-Z]", tail) and re.search("[a-z]", tail)
            found = "{id}" if has_both and looks_random(tail, is_relaxed=True) else None
    return found + extension if found else None


def template_of_key(text: str) -> str | None:
    """That of a segment with a key in brackets."""
    match = KEY.fullmatch(text)
    if match is None:
        return None
    key = decoded(match[2])
    found = "{value}" if key[:1] == "'" or "=" in key else class_of(key)
    return f"{match[1]}({found}){match[3] or ''}" if found else None


def template_of_segment(text: str, before: str, may_be_authority: bool) -> str:
    # A password can have a semicolon.
    has_credentials = may_be_authority and "@" in without_json(decoded(text))[1:]
    text, semicolon, _ = text.partition(";")

    def is_secret(part: str) -> bool:
        return may_be_secret(part) and kind_of_segment(part, before, may_be_authority) is not None

    name, equals, _ = text.partition("=")
    pieces = re.split("(&)", name)
    secret = (
        has_credentials
        or is_secret(text)
        or any(
            piece and kind_of_segment(piece, before + "".join(pieces[:index]), may_be_authority)
            for index, piece in enumerate(pieces)
            if len(pieces) > 1 and piece != "&"
        )
    )
    if equals and not secret:
        if not is_base64(text) and not is_secret(name):
            return template_of_key(text) or name + "={value}"
        secret = True
    plain = decoded(text)
    found = (not secret and template_of_key(text)) or class_of_file(plain, is_secret=secret)
    if found:
        return found
    if secret:
        return "{email}" if not may_be_authority and form_of_view(plain, "path") == "email" else "{redacted}"
    return text + semicolon if plain in (".", "..") else text


def has_open_password(segment: str) -> bool:
    """Whether a segment, perhaps without its parameters, has a colon that no port follows: a password goes on."""
    return opens_password(segment) or opens_password(segment.partition(";")[0])


def opens_password(authority: str) -> bool:
    host = authority.rpartition("@")[2]
    return not re.match(r"\[.*\]", host, re.DOTALL) and not is_port(host.partition(":")[2])


def template_of_path(text: str) -> str:
    """That of a text that begins with a solidus and does not parse."""
    text = re.sub("[\t\n\r]", "", text)
    path = re.split("[?#]", text)[0]
    start = re.match(r"[/\\]*", path)
    assert start
    authority = re.split(r"[/\\]", path[start.end() :])[0]
    if start.end() > 1 and "@" in text[len(path) :] and opens_password(authority):
        text = start[0] + "{redacted}"
    return template(URL("a://a" + text))


def template(url: URL) -> str:
    with on_host(url.hostname):
        return template_on_host(url)


def template_on_host(url: URL) -> str:
    if url.has_opaque_path:
        return "/{opaque}"
    path = url.pathname
    parts = segments(path, "template")
    may_be_authority = False
    hidden = 0
    units = Units("template")
    for index in range(0, len(parts), 2):
        text = parts[index]
        separator = parts[index - 1] if index else ""
        place = len("".join(segments(path, "template")[:index]))
        segment = text.split("\\")[0]
        if place < hidden or (place == hidden > 0 and parts[index - 1] == "\\"):
            parts[index - 1] = parts[index] = ""
            continue
        units.add(separator, text)
        if may_be_authority and "@" in path[place + len(segment) :] and has_open_password(segment):
            parts[index] = "{redacted}"
            hidden = (path + "/").index("/", path.rindex("@"))
        elif "\\" in text:
            parts[index] = "{redacted}"
            may_be_authority = ends_with_colon(text, may_be_authority)
        elif text:
            before = "".join(segments(path, "template")[:index])
            is_hidden = is_hidden_by_rule(units.units)
            is_hidden = is_hidden and not PLACEHOLDER.fullmatch(decoded(text))
            parts[index] = "{redacted}" if is_hidden else template_of_segment(text, before, may_be_authority)
            stem = text.partition(";")[0]
            may_be_authority = (
                ends_with_colon(text, may_be_authority)
                or (ends_with_colon(stem, may_be_authority) if stem else may_be_authority or index > 0)
                or (may_be_authority and parts[index + 1 : index + 2] == ["\\"])
            )
        elif index:
            may_be_authority = True
        units.show(parts[index])
    # Without its parameters, a secret may begin a value: of what is between two solidi with a backslash among it.
    found = [
        "{redacted}" if "\\" in run and form_of(run, "template") else run for run in re.split("(/)", "".join(parts))
    ]
    return "".join(found) or "/"
