"""Names of fields, lists, quotes, and values that may be secrets: a part of redact_text_model.py."""

from __future__ import annotations

import re

from support.redact_model import HIDDEN, HIDDEN_FORM

from weburl._redact.secrets import HIDDEN_WORDS, KEY_HEADERS, PAGE_OWNERS, PLAIN_TOKENS

# What tokens end at; a URL can go on after a quote of the second kind.
SPACES = r'\x00-\x20\x7f"<>'
QUOTES = "'`"
COLOUR = r"(?:\x1b|#033|\^\[|\\{1,4}(?:e|033|x1[bB]|u001[bB]))\[[0-9;:]{0,16}[mK]"
HUMP = "(?<=[a-z])(?=[A-Z])"


def key_name(text: str) -> str | None:
    """What a name that ends with `key` or `token` says of its value: that it is a key, or is one if it looks random."""
    match = re.search(r"([_-]?)(key|token)\Z", text, re.IGNORECASE)
    if match is None:
        return None
    before = re.split(f"{HIDDEN_FORM}|%(?!{HIDDEN_FORM})[A-Za-z0-9]{{2}}", text[: match.start()])[-1]
    run = re.search(r"[A-Za-z0-9]*\Z", before)
    assert run
    word = run[0] if match[1] else re.split(HUMP, run[0])[-1]
    if f"{word}-{match[2]}".lower() in KEY_HEADERS:
        return "key"
    if match[2].lower() != "token" or word.lower() not in PLAIN_TOKENS:
        return "random" if match[2].lower() == "token" else None
    owner = re.search(r"([A-Za-z0-9]*)([_-]?)\Z", before[: len(before) - len(word)])
    assert owner
    return "random" if (owner[1] if owner[2] else re.split(HUMP, owner[1])[-1]).lower() in PAGE_OWNERS else None


END_OF_VALUE = rf"[{SPACES}{QUOTES}&,;)\]}}\\]"


def may_be_password(name: re.Match[str], assignment: re.Match[str], text: str) -> bool:
    """Whether a word after `password: ` has letters and digits."""
    word = re.split(END_OF_VALUE, text[:66])[0]
    if "://" in word or text[0] in "/\\":
        return False
    word = word[:64]
    return (
        assignment["sign"] == ":"
        and name[0][0] in "pP"
        and bool(re.search("[0-9]", word) and re.search("[A-Za-z]", word))
    )


SENTENCE = re.compile(r"""[A-Za-z]+ (?:\\*["']|[A-Za-z]+(?=[\x00-\x20.,:;]|\Z))""")


def is_place(text: str, before: str) -> bool:
    """Whether another value will be in its place, or another program has hidden it; and what is before it."""
    bracket = r"[\[(<]?" if before in {*"[(<"} else r"[\[(<]"
    places = rf"\$[0-9]{{1,2}}|[?-]|\*+|N/A|{bracket}(?:{'|'.join(HIDDEN_WORDS)})[\])>]?"
    return re.fullmatch(places, text, re.IGNORECASE | re.ASCII) is not None


def lists_in(text: str) -> int:
    """How many lists begin in a text, without the empty ones."""
    return len(re.findall(r"\A\((?!\))|\{\Z|\[(?!\])", re.sub(COLOUR, "", text)))


def closes(run: int, opening: int) -> bool:
    return run < opening or run % (2 * (opening + 1)) == opening


def closes_at(text: str, index: int, run: int, opening: int, *, in_url: bool = False) -> bool:
    """Whether a quote ends a text, by what follows it, too: in the repr() of JSON, it can be one of the text."""
    if not closes(run, opening) or run <= opening:
        return closes(run, opening)
    follows = r"[}\]):,\r\n]|\Z" if in_url else r"""[}\]):\r\n]|\Z|, {0,8}(?:["'{\[\\\r\n]|\Z)"""
    return re.compile(follows).match(text, index + 1) is not None


def looks_random(text: str, least: int) -> bool:
    if hidden := re.match(HIDDEN_FORM, text):
        return re.match(rf"{END_OF_VALUE}|\Z", text[hidden.end() :]) is not None
    match = re.match(r"[A-Za-z0-9_+/.~:|!%-]*=*", text[:256])
    assert match
    value = match[0]
    body = len(value.rstrip("="))
    if any(found.start() < body for found in re.finditer(rf"://|{HIDDEN}", text[: body + 8])):
        return False
    changes = len(re.findall("(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]|(?<=[a-z])[A-Z]", value))
    if len(value) < least or not re.search("[0-9]", value) or changes < 2 or re.match("0[xX]", value):
        return False
    if len(value) > 15 and re.match("....-..-..[Tt]..:", value) and len(re.findall("[^0-9]", value)) <= 8:
        return False
    return len(value) == 256 or re.match(rf"{END_OF_VALUE}|\Z", text[len(value) :]) is not None
