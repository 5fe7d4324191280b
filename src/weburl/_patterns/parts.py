"""Pattern strings as lists of parts, and back: https://urlpattern.spec.whatwg.org/#parsing-pattern-strings"""

from __future__ import annotations

from typing import NamedTuple

from weburl._patterns.names import continues_name, shown_name
from weburl._patterns.tokens import (
    ASTERISK,
    CHAR,
    CLOSE,
    END,
    ESCAPED_CHAR,
    NAME,
    OPEN,
    OTHER_MODIFIER,
    REGEXP,
    SPECIAL,
    tokenize,
)
from weburl.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from weburl._patterns.tokens import Token

# The types of parts.
FIXED_TEXT, REGEXP_PART, SEGMENT_WILDCARD, FULL_WILDCARD = range(4)

# Tokens that can follow the prefix of a group.
MATCHING = (NAME, REGEXP, ASTERISK)
FULL_WILDCARD_VALUE: Final = ".*"
MUST_ESCAPE = frozenset("+*?:{}()\\")
MUST_ESCAPE_IN_REGEXP = frozenset(".+*?^${}()[]|/\\")
SAID = {CLOSE: "a group that begins with { needs a }", END: "this has no meaning here: escape it with a backslash"}


class Options(NamedTuple):
    """https://urlpattern.spec.whatwg.org/#options"""

    delimiter: str = ""
    prefix: str = ""
    ignore_case: bool = False

    @property
    def segment_wildcard(self) -> str:
        """https://urlpattern.spec.whatwg.org/#generate-a-segment-wildcard-regexp"""
        return f"[^{escape(self.delimiter, MUST_ESCAPE_IN_REGEXP)}]+?"


class Part(NamedTuple):
    """https://urlpattern.spec.whatwg.org/#part"""

    type: int
    value: str
    modifier: str
    name: str = ""
    prefix: str = ""
    suffix: str = ""
    position: int = 0


def escape(text: str, characters: frozenset[str]) -> str:
    if characters.isdisjoint(text):
        return text
    return "".join([f"\\{character}" if character in characters else character for character in text])


def escape_pattern(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#escape-a-pattern-string"""
    return escape(text, MUST_ESCAPE)


def parse_pattern(text: str, options: Options, encode: Callable[[str], str]) -> list[Part]:
    """https://urlpattern.spec.whatwg.org/#parse-a-pattern-string"""
    if text and SPECIAL.isdisjoint(text):
        # A shortcut; the same as below.
        return [Part(FIXED_TEXT, encoded(encode, text, 0), "")]
    return PatternParser(tokenize(text), options, encode).parse()


class PatternParser:
    """https://urlpattern.spec.whatwg.org/#pattern-parser"""

    def __init__(self, tokens: list[Token], options: Options, encode: Callable[[str], str]) -> None:
        self.tokens = tokens
        self.options = options
        self.encode = encode
        self.index = 0
        self.parts: list[Part] = []
        self.names: set[str] = set()
        self.pending: list[str] = []
        self.pending_position = 0
        self.next_number = 0

    def parse(self) -> list[Part]:
        tokens, prefix_code_point = self.tokens, self.options.prefix
        while True:
            kind, start, value = tokens[self.index]
            if kind == CHAR:
                self.index += 1
                if value != prefix_code_point or tokens[self.index][0] not in MATCHING:
                    self.push_pending(value, start)
                else:
                    self.parse_group(start, value)
            elif kind in MATCHING:
                self.parse_group(start, "")
            elif kind == ESCAPED_CHAR:
                self.index += 1
                self.push_pending(value, start)
            elif kind == OPEN:
                self.index += 1
                prefix = self.consume_text()
                name = self.consume(NAME)
                matching = self.consume_matching(name)
                suffix = self.consume_text()
                self.require(CLOSE)
                self.add_part(start, prefix, name, matching, suffix, self.consume_modifier())
            else:
                self.add_pending()
                self.require(END)
                return self.parts

    def parse_group(self, start: int, prefix: str) -> None:
        name = self.consume(NAME)
        matching = self.consume_matching(name)
        self.add_part(start, prefix, name, matching, "", self.consume_modifier())

    def consume(self, kind: int) -> Token | None:
        token = self.tokens[self.index]
        if token[0] != kind:
            return None
        self.index += 1
        return token

    def consume_modifier(self) -> str:
        kind, _, value = self.tokens[self.index]
        if kind != OTHER_MODIFIER and kind != ASTERISK:
            return ""
        self.index += 1
        return value

    def consume_matching(self, name: Token | None) -> Token | None:
        token = self.consume(REGEXP)
        return self.consume(ASTERISK) if token is None and name is None else token

    def require(self, kind: int) -> None:
        if self.consume(kind) is None:
            raise PatternError(SAID[kind], self.tokens[self.index][1])

    def consume_text(self) -> str:
        characters = []
        while (token := self.consume(CHAR) or self.consume(ESCAPED_CHAR)) is not None:
            characters.append(token[2])
        return "".join(characters)

    def push_pending(self, text: str, position: int) -> None:
        if not self.pending:
            self.pending_position = position
        if text:
            self.pending.append(text)

    def add_pending(self) -> None:
        """https://urlpattern.spec.whatwg.org/#maybe-add-a-part-from-the-pending-fixed-value"""
        if self.pending:
            # The part stays if the encoded text is empty.
            text = encoded(self.encode, "".join(self.pending), self.pending_position)
            self.parts.append(Part(FIXED_TEXT, text, "", position=self.pending_position))
            self.pending.clear()

    def add_part(
        self, position: int, prefix: str, name: Token | None, matching: Token | None, suffix: str, modifier: str
    ) -> None:
        """https://urlpattern.spec.whatwg.org/#add-a-part"""
        if name is None and matching is None:
            if not modifier:
                self.push_pending(prefix, position)
                return
            self.add_pending()
            if prefix:
                self.parts.append(Part(FIXED_TEXT, encoded(self.encode, prefix, position), modifier, position=position))
            return
        self.add_pending()
        kind, value = REGEXP_PART, ""
        if matching is None:
            kind = SEGMENT_WILDCARD
        elif matching[0] == ASTERISK or matching[2] == FULL_WILDCARD_VALUE:
            kind = FULL_WILDCARD
        elif matching[2] == self.options.segment_wildcard:
            kind = SEGMENT_WILDCARD
        else:
            value = matching[2]
        if name is not None:
            said = name[2]
        else:
            said = str(self.next_number)
            self.next_number += 1
        if said in self.names:
            raise PatternError(f"two groups have the name {shown_name(said)}", position)
        self.names.add(said)
        prefix = encoded(self.encode, prefix, position)
        suffix = encoded(self.encode, suffix, position)
        at = position if matching is None else matching[1]
        self.parts.append(Part(kind, value, modifier, said, prefix, suffix, at))


def encoded(encode: Callable[[str], str], text: str, position: int) -> str:
    if not text:
        return ""
    try:
        return encode(text)
    except PatternError as error:
        error.position = position
        raise


def pattern_text(parts: tuple[Part, ...], options: Options) -> str:
    """https://urlpattern.spec.whatwg.org/#generate-a-pattern-string"""
    result = []
    for index, part in enumerate(parts):
        if part.type == FIXED_TEXT:
            text = escape_pattern(part.value)
            result.append(f"{{{text}}}{part.modifier}" if part.modifier else text)
            continue
        previous = parts[index - 1] if index else None
        following = parts[index + 1] if index + 1 < len(parts) else None
        custom = not ("0" <= part.name[0] <= "9")
        grouped = needs_grouping(part, previous, following, custom, options)
        text = escape_pattern(part.prefix)
        if custom:
            text += f":{part.name}"
        if part.type == REGEXP_PART:
            text += f"({part.value})"
        elif part.type == SEGMENT_WILDCARD:
            if not custom:
                text += f"({options.segment_wildcard})"
            elif part.suffix and continues_name(part.suffix[0]):
                text += "\\"
        elif not custom and (
            previous is None or previous.type == FIXED_TEXT or previous.modifier or grouped or part.prefix
        ):
            text += "*"
        else:
            text += f"({FULL_WILDCARD_VALUE})"
        text += escape_pattern(part.suffix)
        result.append(f"{{{text}}}{part.modifier}" if grouped else text + part.modifier)
    return "".join(result)


def needs_grouping(part: Part, previous: Part | None, following: Part | None, custom: bool, options: Options) -> bool:
    if part.suffix or part.prefix not in ("", options.prefix):
        return True
    if (
        custom
        and part.type == SEGMENT_WILDCARD
        and not part.modifier
        and following is not None
        and not following.prefix
        and not following.suffix
    ):
        if following.type != FIXED_TEXT:
            if "0" <= following.name[0] <= "9":
                return True
        elif following.value and continues_name(following.value[0]):
            return True
    return (
        not part.prefix
        and previous is not None
        and previous.type == FIXED_TEXT
        and options.prefix != ""
        and previous.value.endswith(options.prefix)
    )
