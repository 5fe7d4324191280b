"""Escapes in values, as docs/redact-rules.md has them: what a text says, however it is quoted."""

from __future__ import annotations

import re

ESCAPE = re.compile("%([0-9A-Fa-f]{2})")


def decoded(text: str) -> str:
    """Without escapes, including those that decoding makes."""
    out: list[str] = []
    for character in text:
        out.append(character)
        while len(out) > 2 and (match := ESCAPE.fullmatch("".join(out[-3:]))):
            out[-3:] = [chr(int(match[1], 16))]
    return "".join(out)


# A percent sign, a digit, or a letter.
ESCAPED_WORD = re.compile("%(25|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])")
JSON_ESCAPE = re.compile(r"\\(?:u00([0-9A-Fa-f]{2})|([\"\\/'bfnrt])|u[0-9A-Fa-f]{4})")
EITHER = re.compile(f"{ESCAPE.pattern}|{JSON_ESCAPE.pattern}")
CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    # What is not ASCII is a letter of another alphabet.
    return chr(int(code, 16)) if code else CONTROLS.get(match[3], match[3]) if match[3] else "\x80"


def plain_of(text: str) -> str:
    """Without the escapes of URLs and of JSON, including those that decoding makes."""
    out = ""
    for character in text:
        out += character
        while match := re.search(rf"(?:{EITHER.pattern})\Z", out[-6:]):
            out = out[: len(out[:-6]) + match.start()] + unescaped(match)
    return out


def views(text: str) -> list[str]:
    """What is looked at: the text without its escapes, without those of JSON, and as decodings leave it one by one."""
    found = [decoded(text)]
    in_json = "\\" in found[0]
    if in_json:
        found.append(plain_of(found[0]))
    texts = [text] if in_json or "%25" in text[:-2] else []
    if in_json and (("\\" in text and ESCAPE.search(text)) or ESCAPED_WORD.search(text)):
        texts.append(found[0])
    for text in texts:
        for _ in range(8):
            text, before = EITHER.sub(unescaped, text), text
            if text == before:
                break
            found.append(text)
    return found
