"""ECMAScript's regular expressions with the flag `v`, as far as an automaton can match them.

Subjects are ASCII, so that a class is a mask of 128 bits. Backreferences are refused; so capturing groups are only
their content, in lookarounds, too.
"""

from __future__ import annotations

from typing import NoReturn

from weburl._patterns.expressions import Assertion, Chars, Choice, Look, Node, Repeat, Sequence
from weburl._patterns.names import continues_name, starts_name
from weburl._patterns.properties import (
    CHARACTERS,
    KELVIN,
    LONG_S,
    OF_STRINGS,
    mask_of,
    property_mask,
)


class RegexpError(ValueError):
    """RegexpError(message, position)

    The text is not a regular expression of ECMAScript, or needs more than an automaton.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message, position)
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return f"{self.message} (position {self.position})"


# Whoever walks the nodes may be recursive: a group adds at most three levels.
MOST_NESTED = 50
# No subject is this long. A minimum above it is as good, a maximum above it is as good as none.
LONGEST = 2**32 - 1

EMPTY = Sequence(())
BEGIN, END = Assertion("begin"), Assertion("end")
BOUNDARIES = {"b": Assertion("boundary"), "B": Assertion("not-boundary")}

# Masks within this module have a bit for each of CHARACTERS: the Python side of ECMAScript's CharSets.
ASCII = (1 << 128) - 1
ALL = (1 << len(CHARACTERS)) - 1
LOWER = mask_of("abcdefghijklmnopqrstuvwxyz")
UPPER = mask_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
LONG_S_BIT, KELVIN_BIT = 1 << 128, 1 << 129
FOLDED = ASCII & ~UPPER

DIGIT = mask_of("0123456789")
WORD = LOWER | UPPER | DIGIT | mask_of("_")
SPACE = mask_of("\t\n\v\f\r ")
CLASS_ESCAPES = {"d": DIGIT, "s": SPACE, "w": WORD}
NOT_LINE_END = ALL & ~mask_of("\n\r")

# https://tc39.es/ecma262/#prod-SyntaxCharacter
SYNTAX_CHARACTERS = "^$\\.*+?()[]{}|"
# https://tc39.es/ecma262/#prod-ClassSetSyntaxCharacter
CLASS_SYNTAX_CHARACTERS = frozenset("()[]{}/-\\|")
# https://tc39.es/ecma262/#prod-ClassSetReservedDoublePunctuator
DOUBLE_PUNCTUATORS = frozenset("&!#$%*+,.:;<=>?@^`~")
# https://tc39.es/ecma262/#prod-CharacterEscape
ESCAPES = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B} | {c: ord(c) for c in SYNTAX_CHARACTERS + "/"}
# https://tc39.es/ecma262/#prod-ClassSetCharacter
CLASS_ESCAPED = ESCAPES | {c: ord(c) for c in "&-!#%,:;<=>@`~"} | {"b": 0x08}
HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
DIGITS = frozenset("0123456789")
QUANTIFIERS = frozenset("*+?{")
# Whether they look ahead, and whether they are negated.
LOOKAROUNDS = {"?=": (True, False), "?!": (True, True), "?<=": (False, False), "?<!": (False, True)}


def fold(mask: int) -> int:
    # https://tc39.es/ecma262/#sec-maybesimplecasefolding
    folded = mask & FOLDED | (mask & UPPER) << 32
    if mask & LONG_S_BIT:
        folded |= 1 << ord("s")
    if mask & KELVIN_BIT:
        folded |= 1 << ord("k")
    return folded


def fold_code(code: int) -> int:
    if 0x41 <= code <= 0x5A:
        return code | 0x20
    return {LONG_S: 0x73, KELVIN: 0x6B}.get(code, code)


def complement(mask: int, ignore_case: bool) -> int:
    # https://tc39.es/ecma262/#sec-charactercomplement
    return (FOLDED if ignore_case else ALL) & ~mask


def matched(mask: int, ignore_case: bool) -> Chars:
    # https://tc39.es/ecma262/#sec-runtime-semantics-charactersetmatcher-abstract-operation
    return Chars(mask | (mask & LOWER) >> 32 if ignore_case else mask & ASCII)


def bit(code: int) -> int:
    if code < 128:
        return 1 << code
    return {LONG_S: LONG_S_BIT, KELVIN: KELVIN_BIT}.get(code, 0)


def span(first: int, last: int) -> int:
    mask = ((1 << last + 1) - (1 << first)) if last < 128 else (ASCII >> first << first if first < 128 else 0)
    for code in (LONG_S, KELVIN):
        if first <= code <= last:
            mask |= bit(code)
    return mask


LITERALS = {
    ignore_case: [matched(fold(1 << code) if ignore_case else 1 << code, ignore_case) for code in range(128)]
    for ignore_case in (False, True)
}
# https://tc39.es/ecma262/#prod-PatternCharacter
PATTERN_CHARACTERS = {
    ignore_case: {chr(code): chars for code, chars in enumerate(literals) if chr(code) not in SYNTAX_CHARACTERS}
    for ignore_case, literals in LITERALS.items()
}


class Group:
    """A group that is open: its flags, what stands in it so far, and the names of groups in it."""

    __slots__ = ("alternatives", "dot_all", "ignore_case", "items", "look", "names", "names_before", "start")

    def __init__(self, start: int, ignore_case: bool, dot_all: bool, look: tuple[bool, bool] | None = None) -> None:
        self.start = start
        self.ignore_case = ignore_case
        self.dot_all = dot_all
        # Of a lookaround.
        self.look = look
        self.alternatives: list[Node] = []
        self.items: list[Node] = []
        # With their positions: of this alternative, and of those before it.
        self.names: dict[str, int] = {}
        self.names_before: dict[str, int] = {}

    def end_alternative(self) -> None:
        self.alternatives.append(self.items[0] if len(self.items) == 1 else Sequence(tuple(self.items)))
        self.items = []
        self.names_before = united(self.names_before, self.names)
        self.names = {}

    def node(self) -> Node:
        self.end_alternative()
        found = self.alternatives[0] if len(self.alternatives) == 1 else Choice(tuple(self.alternatives))
        return found if self.look is None else Look(found, *self.look)


class Class:
    """A class that is open: the operands so far as one set, and the operator between them."""

    __slots__ = ("has_strings", "mask", "negated", "operands", "operator", "start", "strings", "wants_operand")

    def __init__(self, start: int, negated: bool) -> None:
        self.start = start
        self.negated = negated
        self.mask = 0
        # The strings that are not of one character, and whether ECMAScript takes it that there are some.
        self.strings: set[str] = set()
        self.has_strings = False
        self.operands = 0
        # "" for a union, of one operand too.
        self.operator = ""
        self.wants_operand = False

    def add(self, mask: int, strings: set[str], has_strings: bool) -> None:
        """Each set of strings is used once, so that all of it takes the time of the smaller sets."""
        self.operands += 1
        self.wants_operand = False
        if self.operator == "&&":
            self.mask &= mask
            self.strings &= strings
            self.has_strings = self.has_strings and has_strings
        elif self.operator == "--":
            self.mask &= ~mask
            self.strings -= strings
        else:
            self.mask |= mask
            if len(self.strings) < len(strings):
                self.strings, strings = strings, self.strings
            self.strings |= strings
            self.has_strings = self.has_strings or has_strings


def united(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    """Both, in the larger of them: the time is that of the smaller."""
    if len(first) < len(second):
        first, second = second, first
    first.update(second)
    return first


class Parser:
    """Groups and classes that are open are on stacks: no text is too deep for the interpreter."""

    def __init__(self, text: str, ignore_case: bool) -> None:
        self.text = text
        self.position = 0
        self.groups = [Group(0, ignore_case, False)]

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        raise RegexpError(message, self.position if position is None else position)

    # https://tc39.es/ecma262/#prod-Disjunction
    def parse(self) -> Node:
        text = self.text
        size = len(text)
        group = self.groups[-1]
        pattern_characters = PATTERN_CHARACTERS[group.ignore_case]
        while (position := self.position) < size:
            character = text[position]
            node: Node | None = pattern_characters.get(character)
            if node is not None:
                self.position = position + 1
            elif character == "(":
                self.open_group()
                group = self.groups[-1]
                pattern_characters = PATTERN_CHARACTERS[group.ignore_case]
                continue
            elif character == ")":
                is_look = group.look is not None
                node = self.close_group()
                group = self.groups[-1]
                pattern_characters = PATTERN_CHARACTERS[group.ignore_case]
                if is_look:
                    # Nothing repeats it.
                    group.items.append(node)
                    continue
            elif character == "|":
                group.end_alternative()
                self.position = position + 1
                continue
            elif character in "^$":
                group.items.append(BEGIN if character == "^" else END)
                self.position = position + 1
                continue
            elif character == "\\" and (boundary := BOUNDARIES.get(text[position + 1 : position + 2])):
                group.items.append(boundary)
                self.position = position + 2
                continue
            else:
                node = self.other_atom(character, group)
            if self.position < size and text[self.position] in QUANTIFIERS:
                node = self.quantified(node)
            group.items.append(node)
        if len(self.groups) > 1:
            self.fail("a group is not closed", group.start)
        return group.node()

    def other_atom(self, character: str, group: Group) -> Node:
        # https://tc39.es/ecma262/#prod-Atom
        if character == "\\":
            return self.atom_escape(group.ignore_case)
        if character == "[":
            return self.character_class(group.ignore_case)
        if character == ".":
            self.position += 1
            return matched(ALL if group.dot_all else NOT_LINE_END, False)
        if character in QUANTIFIERS:
            self.fail("nothing to repeat")
        self.fail(f"{character} needs a \\ before it")

    # https://tc39.es/ecma262/#prod-Quantifier
    def quantified(self, item: Node) -> Node:
        text, start = self.text, self.position
        character = text[start]
        self.position = start + 1
        minimum = 1 if character == "+" else 0
        maximum: int | None = 1 if character == "?" else None
        if character == "{":
            minimum, maximum = self.numbers(start)
        greedy = not text.startswith("?", self.position)
        if not greedy:
            self.position += 1
        return Repeat(item, minimum, maximum, greedy)

    def numbers(self, start: int) -> tuple[int, int | None]:
        first = last = self.digits()
        if first and self.text.startswith(",", self.position):
            self.position += 1
            last = self.digits()
        if not first or not self.text.startswith("}", self.position):
            self.fail("{ begins no quantifier: {n}, {n,} or {n,m}", start)
        self.position += 1
        first, last = first.lstrip("0"), last and (last.lstrip("0") or "0")
        if last and (len(first), first) > (len(last), last):
            self.fail("the numbers of a quantifier are out of order", start)
        # Python reads only some thousands of digits.
        minimum = min(int(first[:11] or "0"), LONGEST)
        maximum = int(last[:11]) if last else LONGEST
        return minimum, maximum if maximum < LONGEST else None

    def digits(self) -> str:
        text, start = self.text, self.position
        end = start
        while end < len(text) and text[end] in DIGITS:
            end += 1
        self.position = end
        return text[start:end]

    def open_group(self) -> None:
        text, start = self.text, self.position
        group = self.groups[-1]
        if len(self.groups) > MOST_NESTED:
            self.fail(f"groups are nested deeper than {MOST_NESTED}")
        if not text.startswith("?", start + 1):
            self.fail("a group begins with (?:")
        behind = text.startswith("<", start + 2)
        opening = text[start + 1 : start + 3 + behind]
        look = LOOKAROUNDS.get(opening)
        if look is not None:
            self.position = start + 1 + len(opening)
            self.groups.append(Group(start, group.ignore_case, group.dot_all, look))
        elif behind:
            self.position = start + 3
            name = self.group_name()
            if name in group.names:
                self.fail("two groups have the same name", start)
            group.names[name] = start
            self.groups.append(Group(start, group.ignore_case, group.dot_all))
        else:
            self.position = start + 2
            self.groups.append(self.modified(start, group))

    # https://tc39.es/ecma262/#prod-RegularExpressionModifiers
    def modified(self, start: int, group: Group) -> Group:
        text = self.text
        ignore_case, dot_all = group.ignore_case, group.dot_all
        seen = ""
        added = True
        while (character := text[self.position : self.position + 1]) != ":":
            if character == "-" and added:
                added = False
            elif not character or character not in "ims":
                self.fail("a group begins with (?:", start)
            elif character in seen:
                self.fail("a modifier stands twice")
            else:
                seen += character
                if character == "i":
                    ignore_case = added
                elif character == "s":
                    dot_all = added
                # Subjects are lines: m changes nothing.
            self.position += 1
        if not (added or seen):
            self.fail("no modifier before or after -")
        self.position += 1
        return Group(start, ignore_case, dot_all)

    def close_group(self) -> Node:
        if len(self.groups) == 1:
            self.fail("no group is open")
        group = self.groups.pop()
        node = group.node()
        names, around = group.names_before, self.groups[-1]
        # https://tc39.es/ecma262/#sec-patterns-static-semantics-early-errors: they may not both take part in a match.
        if not names.keys().isdisjoint(around.names.keys()):
            both = min(names, around.names, key=len)
            name = next(name for name in both if name in names and name in around.names)
            self.fail("two groups have the same name", max(names[name], around.names[name]))
        around.names = united(around.names, names)
        self.position += 1
        return node

    # https://tc39.es/ecma262/#prod-GroupName
    def group_name(self) -> str:
        text, start = self.text, self.position
        name: list[str] = []
        while (character := text[self.position : self.position + 1]) != ">":
            position = self.position
            self.position += 1
            if character == "\\":
                if not text.startswith("u", self.position):
                    self.fail("not the name of a group", position)
                self.position += 1
                character = chr(self.unicode_escape(position))
            if not character or not (continues_name(character) if name else starts_name(character)):
                self.fail("not the name of a group", position)
            name.append(character)
        if not name:
            self.fail("not the name of a group", start)
        self.position += 1
        return "".join(name)

    # https://tc39.es/ecma262/#prod-AtomEscape
    def atom_escape(self, ignore_case: bool) -> Node:
        start = self.position
        kind = self.text[start + 1 : start + 2]
        if kind and kind in "123456789k":
            self.fail("a backreference is not supported")
        escaped = self.class_escape(ignore_case)
        if escaped is not None:
            return matched(escaped[0], ignore_case)
        return self.one(self.character_escape(ESCAPES), ignore_case)

    def one(self, code: int, ignore_case: bool) -> Chars:
        if code < 128:
            return LITERALS[ignore_case][code]
        return matched(fold(bit(code)) if ignore_case else 0, ignore_case)

    # https://tc39.es/ecma262/#prod-CharacterClassEscape
    def class_escape(self, ignore_case: bool) -> tuple[int, bool] | None:
        """The characters of `\\d` and its like, and whether ECMAScript takes it that there are strings among them."""
        text, start = self.text, self.position
        kind = text[start + 1 : start + 2]
        mask: int | None = CLASS_ESCAPES.get(kind.lower())
        of_strings = False
        self.position += 2
        if mask is None:
            if kind not in ("p", "P"):
                self.position = start
                return None
            end = text.find("}", self.position)
            if not text.startswith("{", self.position) or end < 0:
                self.fail(f"\\{kind} needs a property in braces", start)
            name, equals, value = text[self.position + 1 : end].partition("=")
            self.position = end + 1
            mask = property_mask(name, value if equals else None)
            if mask is None:
                self.fail("not a property of ECMAScript", start)
            of_strings = name in OF_STRINGS
            if of_strings and kind == "P":
                self.fail("a property of strings has no complement", start)
        if ignore_case:
            mask = fold(mask)
        return complement(mask, ignore_case) if kind.isupper() else mask, of_strings

    # https://tc39.es/ecma262/#prod-CharacterEscape
    def character_escape(self, escapes: dict[str, int]) -> int:
        text, start = self.text, self.position
        kind = text[start + 1 : start + 2]
        code = escapes.get(kind)
        self.position = start + 2
        if code is not None:
            return code
        if not kind:
            self.fail("nothing stands after \\", start)
        following = text[start + 2 : start + 3]
        if kind == "0":
            if following and following in DIGITS:
                self.fail("no digit may stand after \\0", start)
            return 0
        if kind == "c":
            if not following.isascii() or not following.isalpha():
                self.fail("\\c needs a letter", start)
            self.position += 1
            return ord(following) & 31
        if kind == "x":
            return self.hex_digits(2, start)
        if kind == "u":
            return self.unicode_escape(start)
        self.fail("not an escape of ECMAScript", start)

    # https://tc39.es/ecma262/#prod-RegExpUnicodeEscapeSequence
    def unicode_escape(self, start: int) -> int:
        text = self.text
        if text.startswith("{", self.position):
            end = text.find("}", self.position)
            digits = text[self.position + 1 : max(end, 0)]
            if not digits or not HEX_DIGITS.issuperset(digits):
                self.fail("\\u{ needs hexadecimal digits and }", start)
            digits = digits.lstrip("0") or "0"
            if len(digits) > 6 or int(digits, 16) > 0x10FFFF:
                self.fail("not a code point", start)
            self.position = end + 1
            return int(digits, 16)
        code = self.hex_digits(4, start)
        if 0xD800 <= code < 0xDC00 and text.startswith("\\u", self.position):
            # https://tc39.es/ecma262/#prod-HexLeadSurrogate
            digits = text[self.position + 2 : self.position + 6]
            if len(digits) == 4 and HEX_DIGITS.issuperset(digits) and 0xDC00 <= int(digits, 16) < 0xE000:
                self.position += 6
                return 0x10000 + ((code & 0x3FF) << 10 | int(digits, 16) & 0x3FF)
        return code

    def hex_digits(self, count: int, start: int) -> int:
        digits = self.text[self.position : self.position + count]
        if len(digits) != count or not HEX_DIGITS.issuperset(digits):
            self.fail(f"\\{self.text[start + 1]} needs {count} hexadecimal digits", start)
        self.position += count
        return int(digits, 16)

    # https://tc39.es/ecma262/#prod-CharacterClass
    def character_class(self, ignore_case: bool) -> Node:
        text = self.text
        open_classes = [self.open_class()]
        while True:
            current = open_classes[-1]
            character = text[self.position : self.position + 1]
            if character == "]":
                if current.wants_operand:
                    self.fail(f"nothing stands after {current.operator}")
                self.position += 1
                if current.negated:
                    if current.has_strings:
                        self.fail("a class with strings has no complement", current.start)
                    current.mask = complement(current.mask, ignore_case)
                open_classes.pop()
                if not open_classes:
                    return class_node(current, ignore_case)
                open_classes[-1].add(current.mask, current.strings, current.has_strings)
            elif not character:
                self.fail("a class is not closed", current.start)
            elif current.operands and not current.wants_operand and text.startswith(("&&", "--"), self.position):
                self.operator(current)
            elif current.operator and not current.wants_operand:
                self.fail(f"{current.operator} stands between single operands")
            elif character == "[":
                open_classes.append(self.open_class())
            else:
                self.class_operand(character, current, ignore_case)

    def open_class(self) -> Class:
        start = self.position
        negated = self.text.startswith("^", start + 1)
        self.position = start + 1 + negated
        return Class(start, negated)

    # https://tc39.es/ecma262/#prod-ClassIntersection and https://tc39.es/ecma262/#prod-ClassSubtraction
    def operator(self, current: Class) -> None:
        operator = self.text[self.position : self.position + 2]
        if current.operator != operator and (current.operator or current.operands > 1):
            self.fail(f"{operator} stands between single operands")
        self.position += 2
        if operator == "&&" and self.text.startswith("&", self.position):
            self.fail("& needs a \\ before it")
        current.operator = operator
        current.wants_operand = True

    # https://tc39.es/ecma262/#prod-ClassSetOperand and https://tc39.es/ecma262/#prod-ClassSetRange
    def class_operand(self, character: str, current: Class, ignore_case: bool) -> None:
        text, start = self.text, self.position
        if character == "\\":
            if text.startswith("q{", start + 1):
                current.add(*self.strings(ignore_case))
                return
            escaped = self.class_escape(ignore_case)
            if escaped is not None:
                current.add(escaped[0], set(), escaped[1])
                return
        first = self.class_character(character)
        if not text.startswith("-", self.position) or text.startswith("--", self.position):
            mask = bit(first)
        elif current.operator:
            self.fail(f"{current.operator} stands between single operands")
        else:
            self.position += 1
            last = self.class_character(text[self.position : self.position + 1])
            if first > last:
                self.fail("the ends of a range are out of order", start)
            mask = span(first, last)
            # A range is not an operand of && and --.
            current.operands += 1
        current.add(fold(mask) if ignore_case else mask, set(), False)

    # https://tc39.es/ecma262/#prod-ClassSetCharacter
    def class_character(self, character: str) -> int:
        if character == "\\":
            return self.character_escape(CLASS_ESCAPED)
        if not character:
            self.fail("a class is not closed")
        if character in CLASS_SYNTAX_CHARACTERS:
            self.fail(f"{character} needs a \\ before it")
        if character in DOUBLE_PUNCTUATORS and self.text.startswith(character, self.position + 1):
            self.fail(f"{character}{character} is reserved: each needs a \\ before it")
        self.position += 1
        return ord(character)

    # https://tc39.es/ecma262/#prod-ClassStringDisjunction
    def strings(self, ignore_case: bool) -> tuple[int, set[str], bool]:
        """The characters, the strings that are not of one character, and whether there are some, of `\\q{...}`."""
        text, start = self.text, self.position
        self.position += 3
        mask = 0
        strings: set[str] = set()
        has_strings = False
        codes: list[int] = []
        while True:
            character = text[self.position : self.position + 1]
            if not character:
                self.fail("\\q{ is not closed", start)
            if character in "|}":
                if len(codes) == 1:
                    mask |= bit(codes[0])
                else:
                    has_strings = True
                    if ignore_case:
                        codes = [fold_code(code) for code in codes]
                    # A string that is not ASCII matches nothing, and is not one that is.
                    if max(codes, default=0) < 128:
                        strings.add("".join(map(chr, codes)))
                codes = []
                self.position += 1
                if character == "}":
                    return fold(mask) if ignore_case else mask, strings, has_strings
            else:
                codes.append(self.class_character(character))


# https://tc39.es/ecma262/#sec-compileatom
def class_node(operand: Class, ignore_case: bool) -> Node:
    chars = matched(operand.mask, ignore_case)
    if not operand.strings:
        return chars
    literals = LITERALS[ignore_case]
    items: list[Node] = [
        Sequence(tuple([literals[ord(character)] for character in string]))
        for string in sorted(operand.strings, key=lambda string: (-len(string), string))
    ]
    if chars.mask:
        items.insert(len(items) - ("" in operand.strings), chars)
    return items[0] if len(items) == 1 else Choice(tuple(items))


def parse_regexp(text: str, ignore_case: bool) -> Node:
    """Reads the text between the parentheses of a URL pattern, which is ASCII."""
    return parse_with_names(text, ignore_case)[0]


def parse_with_names(text: str, ignore_case: bool) -> tuple[Node, dict[str, int]]:
    """The same, and the positions of its named groups."""
    if not text.isascii():
        raise RegexpError("not ASCII", next(index for index, character in enumerate(text) if character > "\x7f"))
    parser = Parser(text, ignore_case)
    node = parser.parse()
    return node, parser.groups[0].names_before
