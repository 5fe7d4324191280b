"""The rules of templates once more, in plain Python with regular expressions: see redact_model.py."""

from __future__ import annotations

import re

from support.redact_model import (
    PLACEHOLDER,
    Units,
    class_of,
    decoded,
    ends_with_colon,
    form_of,
    form_of_view,
    is_base64,
    is_hidden_by_rule,
    kind_of_segment,
    may_be_secret,
    on_host,
    segments,
    without_json,
)

from weburl import URL
from weburl._diagnosis.credentials import is_port


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
            return name + "={value}"
        secret = True
    plain = decoded(text)
    found, extension = class_of(plain), ""
    if found is None and (match := re.fullmatch(r"(.+)(\.[A-Za-z][A-Za-z0-9]{0,4})", plain, re.DOTALL)):
        found, extension = class_of(match[1]), match[2]
    if found is not None:
        return found + extension
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
