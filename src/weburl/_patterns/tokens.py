"""Splits pattern strings into tokens: https://urlpattern.spec.whatwg.org/#tokenizing

Code points without a meaning are one CHAR token for a run of them, as no step tells them apart.
"""

from __future__ import annotations

import re

from weburl._patterns.names import continues_name, starts_name
from weburl.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The type, the index of the first code point, and the value.
    Token = tuple[int, int, str]

OPEN, CLOSE, REGEXP, NAME, CHAR, ESCAPED_CHAR, OTHER_MODIFIER, ASTERISK, END, INVALID_CHAR = range(10)

# What has a meaning of its own, in a pattern and between the components of one.
SPECIAL = frozenset("*+?\\{}:(")
STOPS = SPECIAL.union("/#@[]")
STOP = re.compile(f"[{re.escape(''.join(STOPS))}]")
SIMPLE = {"*": ASTERISK, "+": OTHER_MODIFIER, "?": OTHER_MODIFIER, "{": OPEN, "}": CLOSE}


def tokenize(text: str, *, lenient: bool = False) -> list[Token]:
    """The tokens of a pattern string; what is wrong is an error or, if lenient, an INVALID_CHAR."""
    tokens: list[Token] = []
    add = tokens.append
    i, n = 0, len(text)
    while i < n:
        character = text[i]
        if character not in STOPS:
            stop = STOP.search(text, i)
            end = n if stop is None else stop.start()
            add((CHAR, i, text[i:end]))
            i = end
            if i == n:
                break
            character = text[i]
        if character not in SPECIAL:
            add((CHAR, i, character))
            i += 1
            continue
        kind = SIMPLE.get(character)
        if kind is not None:
            add((kind, i, character))
            i += 1
            continue
        start = end = i + 1  # After an INVALID_CHAR, too.
        if character == "\\":
            if start < n:
                add((ESCAPED_CHAR, i, text[start]))
                i += 2
                continue
            problem = "nothing follows the backslash"
        elif character == ":":
            end = name_end(text, start)
            if end > start:
                add((NAME, i, text[start:end]))
                i = end
                continue
            problem = "a colon begins a name, but no name follows: write \\: for a colon"
        else:
            end, problem = regexp_end(text, start)
            if not problem:
                add((REGEXP, i, text[start : end - 1]))
                i = end
                continue
            end = start
        if not lenient:
            raise PatternError(problem, i)
        add((INVALID_CHAR, i, character))
        i = end
    add((END, n, ""))
    return tokens


def name_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and (continues_name(text[end]) if end > start else starts_name(text[end])):
        end += 1
    return end


def regexp_end(text: str, start: int) -> tuple[int, str]:
    """Where a regular expression ends, after its parenthesis; and what is wrong with it, or an empty text."""
    depth, i, n = 1, start, len(text)
    while i < n:
        character = text[i]
        if character > "\x7f":
            return i, "a regular expression has ASCII characters only"
        if character == "?" and i == start:
            return i, "a regular expression cannot begin with '?'"
        if character == "\\":
            if i + 1 == n:
                return i, "nothing follows the backslash"
            if text[i + 1] > "\x7f":
                return i, "a regular expression has ASCII characters only"
            i += 2
            continue
        if character == ")":
            depth -= 1
            if depth == 0:
                return (i + 1, "") if i > start else (i, "a regular expression cannot be empty")
        elif character == "(":
            depth += 1
            if i + 1 == n:
                break
            if text[i + 1] != "?":
                return i, "a group in a regular expression cannot capture: begin it with (?:"
        i += 1
    return i, "a regular expression lacks its closing parenthesis"
