"""Names of fields, lists, quotes, and values that may be secrets: a part of redact_text_model.py."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from support import redact_model
from support.redact_model import HIDDEN, HIDDEN_FORM
from support.redaction_lists import (
    HIDDEN_WORDS,
    IDENTIFIER_NAMES,
    KEY_HEADERS,
    PAGE_OWNERS,
    PLAIN_TOKENS,
    PLAIN_VALUES,
    SECRET_NAMES,
    TOKEN_NAMES,
)

# What tokens end at; a URL can go on after a quote of the second kind.
SPACES = r'\x00-\x20\x7f"<>'
QUOTES = "'`"
COLOUR = r"(?:\x1b|#033|\^\[|\\{1,4}(?:e|033|x1[bB]|u001[bB]))\[[0-9;:]{0,16}[mK]"
HUMP = "(?<=[a-z])(?=[A-Z])"
WORD = "[A-Za-z0-9_-]"


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


def may_be_password(name: re.Match[str], assignment: re.Match[str], text: str, *, is_own: bool) -> bool:
    """Whether a word after `password: ` has letters and digits; or after a name of the policy's own, digits."""
    word = re.split(END_OF_VALUE, text[:66])[0]
    if "://" in word or text[0] in "/\\":
        return False
    word = word[:64]
    return (
        assignment["sign"] == ":"
        and (is_own or name[0][0] in "pP")
        and bool(re.search("[0-9]", word) and (is_own or re.search("[A-Za-z]", word)))
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


# Assignments.


BLANK = rf"(?:[ \t]|{COLOUR})*"
BREAK = rf"{BLANK}(?:\r?\n{BLANK}(?=[\"'])|(?-i:(?:\\+r)?\\+n){BLANK}(?=\\*[\"']))?"
# Before an item of a list, which may be no text: a number, a word, an empty list.
BREAK_IN_LIST = (
    rf"{BLANK}(?:\r?\n{BLANK}(?=[\"'A-Za-z0-9.+[{{(@$-])|(?-i:(?:\\+r)?\\+n){BLANK}(?=\\*[\"']|[A-Za-z0-9.+[{{(@$-]))?"
)
NUMBER = "(?:-|-?[0-9.][0-9.eE+-]*)"
EMPTY = r"(?:\[\]|\{\}|\(\))"
# A list can be in a list, and an item empty after an empty list or object. Numbers of a field that only the policy
# names are secrets.
LITERAL, OWN_LITERAL = (
    rf"(?:{number}{'|'.join(sorted(PLAIN_VALUES))})(?![A-Za-z0-9.+-])"
    for number in (rf"(?![A-Za-z0-9.+-]{{6}}){NUMBER}|", "")
)
LITERALS, OWN_LITERALS = (
    rf"(?:(?:{EMPTY}|{literal}){BLANK},{BREAK_IN_LIST}|\[(?!\]){BREAK_IN_LIST})*{EMPTY}?"
    for literal in (LITERAL, OWN_LITERAL)
)
ITEM = re.compile(rf"(?:[A-Za-z0-9.+-]+|(?<=[\])}}]))(?=(?>{BLANK})(?:[,\])}}\r\n\\]|\Z))")
PREFIX = r"""(?:[burfneBURFNE@$]{1,2}(?=\\*["']))?"""
# The bracket that a name is in, and an index.
BRACKETS = r"""(?:(?:%5d|\])?(?:\[|%5b)[0-9]*(?:\]|%5d)|%5d|\](?=\\*["']))?"""
ASSIGNMENT, OWN_ASSIGNMENT = (
    re.compile(
        rf"""(?P<end>{BRACKETS}(?P<quoted>\\*["'])?)(?P<entry>{BLANK}\](?={BLANK}=))?{BLANK}"""
        rf"""(?:(?P<sign>:|=>?)|(?(quoted),|(?!))(?P<named>{BREAK}(?:\\*["']value\\*["']|value){BLANK}[:=])?"""
        rf"""(?={BREAK}{PREFIX}\\*["']))"""
        rf"""(?P<space>{BREAK})(?P<list>\[\]string\{{(?=\\*["'])|(?=\[(?!\])){literals}"""
        rf"""|\({BLANK}{literals}(?={PREFIX}\\*["']))?""",
        re.IGNORECASE | re.ASCII,
    )
    for literals in (LITERALS, OWN_LITERALS)
)
OPENING = re.compile(rf"""{PREFIX}(?P<run>\\*)(?P<quote>["'])""")


def opening(text: str, place: int, in_list: bool) -> tuple[int, str, int]:
    """Where a value begins, or -1; the quote before it, and how many backslashes are before that."""
    match = OPENING.match(text, place)
    value = match.end() if match else place
    ends = {""} if in_list and text[value - 1] in "])}" else {"", "\n", "\r"}
    if text[value : value + 1] in ends:
        return -1, "", 0
    if match is None:
        is_object = text[value] == "{" and not re.match(r"\{[A-Za-z0-9_-]{1,47}\}[A-Za-z0-9$]", text[value:])
        return value, "{" if is_object else "", 0
    return value, match["quote"], len(match["run"])


def begins_word(text: str, index: int, place: int) -> bool:
    before = text[place:index][-1:]
    return not re.fullmatch("[A-Za-z0-9]", before) or (
        text[index].isupper() and not before.isdigit() and (before >= "a" or text[index + 1] >= "a")
    )


def begins_name(text: str, index: int, place: int) -> bool:
    return begins_word(text, index, place) or (
        text[place:index][-3:].lower() == "set" and begins_word(text, index - 3, place)
    )


# Names of a policy.


RUN = re.compile(r"[A-Za-z0-9_.\x80-\xff-]+")
OWN_FIELD = re.compile(rf"(?P<field>{RUN.pattern})(?P<key>(?!))?")
# One that is not ASCII, in UTF-8.
SIGN = r"(?:\xc2[\x80-\xbf]|(?:\xe2[\x80-\xaf]|\xe3\x80|\xef\xbc)[\x80-\xbf])"
OWN_TOKEN = re.compile(rf"(?P<key>{RUN.pattern})(?P<field>(?!))?")


def own_name(text: str, run: re.Match[str]) -> tuple[re.Match[str] | None, bool]:
    """The name in a run of characters that the policy in use has besides weburl's; and whether the policy keeps it."""
    policy = redact_model.policy_in_use
    hidden = re.match(rf".*(?:{HIDDEN_FORM}|{SIGN})", run[0], re.DOTALL)
    escape = re.compile(r"(?<=%)[0-9A-Fa-f]{2}|(?<=\\)(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})").match(
        text, run.start(), run.end()
    )
    begin = run.start() + hidden.end() if hidden else escape.end() if escape else run.start()
    if policy is None or not re.match("[A-Za-z0-9]", text[run.end() - 1 : run.end()]) or begin == run.end():
        return None, False
    name = re.sub("[^a-z0-9]", "", text[begin : run.end()].lower())
    if redact_model.rules.kept.fullmatch(name):
        return None, True
    base = SECRET_NAMES | (IDENTIFIER_NAMES if policy.secret_names >= IDENTIFIER_NAMES else frozenset())
    if matches(policy.secret_names - base | policy.field_names, name):
        return OWN_FIELD.match(text, begin, run.end()), False
    if matches(policy.token_names - TOKEN_NAMES, name) and redact_model.is_word_of(redact_model.TOKEN, name):
        return OWN_TOKEN.match(text, begin, run.end()), False
    return None, False


def matches(globs: frozenset[str], name: str) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
