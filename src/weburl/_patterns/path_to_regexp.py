"""The paths of Next.js as URL patterns.

Their language is that of the package path-to-regexp 6.3. Text, names and groups mean the same
there. Its regular expressions have no flag: with the flag `v`, which URL patterns have, other characters need
a backslash.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from weburl._patterns.names import continues_name
from weburl._patterns.regexp import CLASS_SYNTAX_CHARACTERS, DOUBLE_PUNCTUATORS, SYNTAX_CHARACTERS
from weburl.errors import PatternError

ONE, SET, DASH = range(3)
MODIFIERS = frozenset("*+?")
# What has a meaning in a URL pattern.
SYNTAX = frozenset("*+?:{}()\\")
# They belong to the name or regular expression after them, so that a modifier is for both.
PREFIXES = frozenset("./")
NAME = re.compile("[0-9A-Z_a-z]+")
LOOKAHEADS = ("(?=", "(?!")
QUANTIFIER = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
# Escapes that mean the same with every flag. Others are the character itself.
ESCAPE = re.compile(r"\\(?:[dDwWsSbBfnrtv]|[1-9]|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|k<[^<>]*>)")
# Without a flag, these are characters by their number, and in a class also `\c` with a digit or `_`.
OCTAL = re.compile(r"\\([0-3][0-7]{0,2}|[4-7][0-7]?)")
CONTROL = re.compile(r"\\c[0-9_]")


class Piece(NamedTuple):
    """A text; or, with a name or a regular expression, what matches between two texts."""

    prefix: str
    name: str = ""
    regexp: str = ""
    suffix: str = ""
    modifier: str = ""


def translated(text: str, strict: bool) -> str:
    pieces = Reader(text).pieces()
    if not strict:
        pieces.append(Piece("/", modifier="?"))
    return joined(pieces)


def joined(pieces: list[Piece]) -> str:
    """The text of a URL pattern."""
    out = [""]
    for piece in reversed(pieces):
        # No text is left out, so that the last one is what comes next.
        if text_of_piece := written(piece, out[-1]):
            out.append(text_of_piece)
    return "".join(reversed(out))


def written(piece: Piece, after: str) -> str:
    """As a URL pattern, before a text of one."""
    prefix, suffix = escaped(piece.prefix), escaped(piece.suffix)
    if not piece.name and not piece.regexp:
        return f"{{{prefix}{suffix}}}{piece.modifier}" if piece.modifier else prefix + suffix
    name = f":{piece.name}" if piece.name else ""
    matcher = f"{name}({piece.regexp})" if piece.regexp else name
    # A name goes on as far as it can, and what comes after it could be its modifier or regular expression.
    ends_here = (
        piece.regexp or piece.modifier or not (after[:1] in MODIFIERS | {"("} or continues_name(after[:1] or "/"))
    )
    if not suffix and (prefix == "/" or not (prefix or piece.modifier)) and ends_here:
        return prefix + matcher + piece.modifier
    if name and not piece.regexp and piece.suffix and continues_name(piece.suffix[0]):
        matcher += "\\"
    return f"{{{prefix}{matcher}{suffix}}}{piece.modifier}"


def escaped(text: str) -> str:
    return "".join([f"\\{character}" if character in SYNTAX else character for character in text])


class Reader:
    """Reads a path from its start."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        # With how many groups had the name.
        self.names: dict[str, int] = {}

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        error = PatternError(message, self.position if position is None else position)
        error.component, error.pattern = "pathname", self.text
        raise error

    def pieces(self) -> list[Piece]:
        text = self.text
        found: list[Piece] = []
        fixed = prefix = ""
        while self.position < len(text):
            character = text[self.position]
            if character == "\\":
                # A point or slash that is escaped belongs to the text.
                fixed += prefix + self.escape()
                prefix = ""
            elif character in ":({":
                found += [Piece(fixed)] * bool(fixed)
                if character == "{":
                    found += [Piece(prefix)] * bool(prefix)
                    found.append(self.group(fixed + prefix))
                else:
                    found.append(Piece(prefix, *self.matcher(prefix or fixed), "", self.modifier()))
                fixed = prefix = ""
            elif character == "}":
                self.fail("no group is open: write \\} for a brace")
            elif character in MODIFIERS:
                self.fail(f"nothing to repeat: write \\{character} for the character, or (.*) for any text")
            else:
                fixed += prefix
                prefix = character if character in PREFIXES else ""
                fixed += "" if prefix else character
                self.position += 1
        return found + [Piece(fixed + prefix)] * bool(fixed + prefix)

    def group(self, before: str) -> Piece:
        start = self.position
        self.position += 1
        prefix = self.fixed()
        name, regexp = self.matcher(prefix or before)
        suffix = self.fixed()
        if not self.text.startswith("}", self.position):
            self.fail("a group has one name or regular expression, and ends with }", start)
        self.position += 1
        return Piece(prefix, name, regexp, suffix, self.modifier())

    def fixed(self) -> str:
        fixed = ""
        while (character := self.text[self.position : self.position + 1]) and character not in "*+?:{}(":
            if character == "\\":
                fixed += self.escape()
            else:
                fixed += character
                self.position += 1
        return fixed

    def escape(self) -> str:
        escaped = self.text[self.position + 1 : self.position + 2]
        if not escaped:
            self.fail("nothing stands after \\")
        self.position += 2
        return escaped

    def modifier(self) -> str:
        modifier = self.text[self.position : self.position + 1]
        if modifier not in MODIFIERS:
            return ""
        self.position += 1
        return modifier

    def matcher(self, before: str) -> tuple[str, str]:
        """A name and a regular expression, each empty if there is none, after a text."""
        name = ""
        if self.text.startswith(":", self.position):
            found = NAME.match(self.text, self.position + 1)
            if found is None:
                self.fail("a colon begins a name, but no name follows: write \\: for a colon")
            name = found[0]
            self.position = found.end()
            name = own_name(f"_{name}" if name[0].isdigit() else name, self.names)
        if self.text.startswith("(", self.position):
            return name, self.regexp()
        if name and before and "/" not in before:
            # So that "-" ends the first name of /:a-:b, and is not in the second one.
            return name, f"(?:(?!{regexp_of(before)})[^\\/])+?"
        return name, ""

    def regexp(self) -> str:
        text, start = self.text, self.position
        depth, position = 1, start + 1
        while depth:
            character = text[position : position + 1]
            if not character:
                self.fail("a regular expression lacks its closing parenthesis", start)
            if character == "\\":
                position += 1
            elif character == "(":
                depth += 1
                if text[position + 1 : position + 2] != "?":
                    self.fail("a group in a regular expression cannot capture: begin it with (?:", position)
            elif character == ")":
                depth -= 1
            position += 1
        source = text[start + 1 : position - 1]
        if not source:
            self.fail("a regular expression cannot be empty", start)
        if source[0] == "?":
            self.fail("a regular expression cannot begin with '?'", start)
        self.position = position
        return with_flag_v(source)


def own_name(name: str, names: dict[str, int]) -> str:
    """URL patterns have no two groups of one name: the second one has another. `names` counts those of each name."""
    found = name
    while found in names:
        names[name] += 1
        found = f"{name}_{names[name]}"
    names[found] = 1
    return found


def regexp_of(text: str) -> str:
    return "".join([literal(character) for character in text])


def literal(character: str) -> str:
    if not character.isascii():
        # Not in the path of a URL.
        return f"\\u{{{ord(character):x}}}"
    return f"\\{character}" if character in SYNTAX_CHARACTERS else character


def with_flag_v(source: str) -> str:
    """The same regular expression with the flag `v`. What is wrong with each flag stays, and is refused later."""
    out: list[str] = []
    # Where groups begin: which are lookaheads, and their places in `out`.
    groups: list[tuple[bool, int]] = []
    position = 0
    while position < len(source):
        character = source[position]
        if character == "\\":
            position = add_escape(source, position, out)
        elif character == "[":
            position = add_class(source, position, out)
        elif character == "(":
            groups.append((source.startswith(LOOKAHEADS, position), len(out)))
            out.append("(")
            position += 1
        elif character == ")" and groups:
            is_lookahead, begin = groups.pop()
            position += 1
            out.append(")")
            # Only without the flag, a lookahead can be repeated.
            if is_lookahead and (source[position : position + 1] in MODIFIERS or QUANTIFIER.match(source, position)):
                out[begin] = "(?:("
                out.append(")")
        elif character == "{":
            found = QUANTIFIER.match(source, position)
            out.append("\\{" if found is None else found[0])
            position = position + 1 if found is None else found.end()
        else:
            out.append(
                f"\\{character}" if character in "]}" else character if character.isascii() else literal(character)
            )
            position += 1
    return "".join(out)


def add_escape(source: str, position: int, out: list[str]) -> int:
    found = ESCAPE.match(source, position)
    if found is not None:
        out.append(found[0])
        return found.end()
    following = source[position + 1 : position + 2]
    if following == "0" and (found := OCTAL.match(source, position)):
        out.append(f"\\x{int(found[1], 8):02x}")
        return found.end()
    if following == "c":
        # The backslash is one.
        out.append("\\\\")
        return position + 1
    out.append("\\/" if following == "/" else literal(following))
    return position + 2


def add_class(source: str, position: int, out: list[str]) -> int:
    """The members of a class, each as it has to be written with the flag `v`."""
    start = position
    negated = source.startswith("^", position + 1)
    position += 1 + negated
    # Each with what it is: ONE character, a SET of some, or a DASH, which may make a range.
    members: list[tuple[str, int]] = []
    while position < len(source) and source[position] != "]":
        found = ESCAPE.match(source, position)
        if found is not None and found[0][1] not in "Bk123456789":
            members.append((found[0], SET if found[0][1] in "dDwWsS" else ONE))
            position = found.end()
            continue
        if found := OCTAL.match(source, position):
            members.append((f"\\x{int(found[1], 8):02x}", ONE))
            position = found.end()
            continue
        if found := CONTROL.match(source, position):
            members.append((f"\\x{ord(found[0][2]) % 32:02x}", ONE))
            position = found.end()
            continue
        if source.startswith("\\c", position):
            members.append(("\\\\", ONE))
            position += 1
            continue
        kind = DASH if source[position] == "-" else ONE
        position += source[position] == "\\"
        members.append((member(source[position : position + 1], members), kind))
        position += 1
    if position >= len(source):
        out.append(source[start:])
        return position
    out.append("[^" if negated else "[")
    index = 0
    while index < len(members):
        text, kind = members[index]
        kinds = [kind for _, kind in members[index : index + 3]]
        if len(kinds) == 3 and kinds[1] == DASH and SET not in kinds:
            text += f"-{members[index + 2][0]}"
            index += 2
        out.append(text)
        index += 1
    out.append("]")
    return position + 1


def member(character: str, members: list[tuple[str, int]]) -> str:
    if not character.isascii():
        return f"\\u{{{ord(character):x}}}"
    is_doubled = character in DOUBLE_PUNCTUATORS and members and members[-1][0][-1:] == character
    return f"\\{character}" if character in CLASS_SYNTAX_CHARACTERS or is_doubled or character == "^" else character
