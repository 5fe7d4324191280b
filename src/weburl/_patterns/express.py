"""The paths of Express 5 as URL patterns. Their language is that of the package path-to-regexp 8.

There, a group in braces is optional. A path means its alternatives, each group with what is in it or without: the
first alternative that matches counts. A URL pattern decides about each group where it stands, from left to right. So
`Comparison` looks for a text that the two would take apart in different ways, and a path that has one is refused.
"""

from __future__ import annotations

import re
from itertools import chain, groupby
from typing import NamedTuple, NoReturn

from weburl._core.percent import SETS, encode
from weburl._patterns.names import continues_name, shown_name, starts_name
from weburl._patterns.path_to_regexp import Piece, joined, member, own_name, regexp_of
from weburl.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The package's own limit.
MOST_ALTERNATIVES = 256
# Of tokens in all alternatives, of their characters, and of pairs of states in a `Comparison`: time and memory.
MOST_WORK = 100_000
TOO_LONG = "this is too long for its number of groups"
SHOWN_ALTERNATIVES = 4
SHOWN_CHARACTERS = 60

TEXT, PARAMETER, WILDCARD = range(3)
# They have no meaning in these paths, and had one in version 6.
RESERVED = frozenset("()[]+?!")
# Dots after a slash that would be a segment of dots if the text ended with them, and where one surely is one.
LAST_DOTS = re.compile(r"(?<=/)(?:\.|%2e){1,2}\Z", re.IGNORECASE)
DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:/|\Z)", re.IGNORECASE)


class Token(NamedTuple):
    """A text, percent-encoded, or a name; with how it is written, and where."""

    kind: int
    value: str
    source: str
    position: int


class Group(NamedTuple):
    items: list[Token | Group]
    position: int


class Matcher(NamedTuple):
    """What a name takes: one or more of `unit`, or else what `other` is, a regular expression after its `|`.

    These are one or more characters that are not `excluded`, or one `character` alone: all of them and maybe more.
    """

    unit: str
    excluded: frozenset[str]
    other: str = ""
    character: str = ""

    def regexp(self, is_lazy: bool) -> str:
        """Empty for what a name takes in a URL pattern."""
        if is_lazy and self == SEGMENT:
            return ""
        return f"{self.unit}+{'?' * is_lazy}{self.other}"


SEGMENT = Matcher("[^\\/]", frozenset("/"))
ANYTHING = Matcher(".", frozenset())
# What one step takes: this character, or each character but these.
Step = str | frozenset[str]


def translated_express(text: str, strict: bool) -> str:
    if not strict and text != "/":
        # As Express does before path-to-regexp sees the path.
        text = text.rstrip("/")
    return Translation(text, strict).text


class Reader:
    """Reads a path from its start: its tree, and its alternatives in their order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.work = 0
        self.items: list[Token | Group] = []
        self.alternatives: list[list[Token]] = [[]]
        # With the empty groups, which are left out of the tree.
        self.count = 1

    def fail(self, message: str, position: int) -> NoReturn:
        error = PatternError(message, position)
        error.component, error.pattern = "pathname", self.text
        raise error

    def spend(self, work: int, position: int) -> None:
        self.work += work
        if self.work > MOST_WORK:
            self.fail(TOO_LONG, position)

    def read(self) -> None:
        text = self.text
        outer: list[tuple[list[Token | Group], list[list[Token]], int, int]] = []
        while self.position < len(text):
            start, character = self.position, text[self.position]
            if character == "{":
                outer.append((self.items, self.alternatives, self.count, start))
                self.items, self.alternatives, self.count = [], [[]], 1
                self.position += 1
            elif character == "}":
                if not outer:
                    self.fail("no group is open: write \\} for a brace", start)
                self.close(*outer.pop())
            elif character in RESERVED:
                self.fail(f"{character} has no meaning in a path of Express 5: write \\{character}", start)
            else:
                self.add(self.capture(character) if character in ":*" else self.fixed())
        if outer:
            self.fail("a group that begins with { needs a }", outer[-1][-1])

    def close(self, items: list[Token | Group], alternatives: list[list[Token]], count: int, start: int) -> None:
        self.position += 1
        count *= self.count + 1
        if count > MOST_ALTERNATIVES:
            self.fail(f"this has more than {MOST_ALTERNATIVES} alternatives", start)
        inner = self.alternatives
        if len(self.items) == 1 and isinstance(self.items[0], Group):
            # Two pairs of braces mean what one does.
            items.append(self.items[0])
        elif self.items:
            items.append(Group(self.items, start))
            inner.append([])
        self.spend(sum([len(one) + 1 for one in alternatives]) * len(inner), start)
        self.spend(sum([len(one) + 1 for one in inner]) * len(alternatives), start)
        self.items, self.count = items, count
        self.alternatives = [before + after for before in alternatives for after in inner]

    def add(self, token: Token) -> None:
        if len(self.alternatives) > 1:
            self.spend(len(self.alternatives), token.position)
        self.items.append(token)
        for alternative in self.alternatives:
            alternative.append(token)

    def fixed(self) -> Token:
        text, start = self.text, self.position
        found = []
        while (
            self.position < len(text)
            and (character := text[self.position]) not in "{}:*"
            and (character not in RESERVED)
        ):
            if character == "\\":
                self.position += 1
                if self.position == len(text):
                    self.fail("nothing stands after \\", self.position - 1)
            found.append(text[self.position])
            self.position += 1
        # As it stands in a URL.
        value = encode("".join(found), SETS["path"]).replace("\\", "%5C")
        return Token(TEXT, value, text[start : self.position], start)

    def capture(self, character: str) -> Token:
        text, start = self.text, self.position
        self.position += 1
        if text.startswith('"', self.position):
            name = self.quoted()
        else:
            end = self.position
            while end < len(text) and (continues_name if end > self.position else starts_name)(text[end]):
                end += 1
            name, self.position = text[self.position : end], end
        if not name:
            self.fail(f"{character} begins a name, but no name follows: write \\{character} for the character", start)
        return Token(PARAMETER if character == ":" else WILDCARD, name, character + name, start)

    def quoted(self) -> str:
        text, start = self.text, self.position
        found = []
        self.position += 1
        while not text.startswith('"', self.position):
            self.position += text.startswith("\\", self.position)
            if self.position >= len(text):
                self.fail('a name that begins with " needs another "', start)
            found.append(text[self.position])
            self.position += 1
        self.position += 1
        name = "".join(found)
        if name and not (starts_name(name[0]) and all(map(continues_name, name))):
            self.fail(f"a URL pattern cannot have the name {shown_name(name)}", start)
        return name


class Translation:
    """A path as a pattern's text."""

    def __init__(self, text: str, strict: bool) -> None:
        self.reader = Reader(text)
        self.reader.read()
        self.strict = strict
        self.matchers: dict[int, Matcher] = {}
        # How many of the same name there were, as in paths of version 6.
        self.names: dict[str, int] = {}
        found = [list(matchers_of(self.reader, merged(one))) for one in self.reader.alternatives]
        for token, matcher in chain.from_iterable(found):
            if self.matchers.setdefault(token.position, matcher) != matcher:
                self.refuse(f"say what {shown_name(token.value)} takes with a group and without it", token.position)
        self.pieces: list[Piece] = []
        self.fixed = ""
        self.add_items()
        self.text = joined(self.pieces)

    def refuse(self, what: str, position: int) -> NoReturn:
        alternatives = self.reader.alternatives
        paths = [shown_path(one) for one in alternatives[:SHOWN_ALTERNATIVES]]
        more = len(alternatives) - len(paths)
        paths += [f"{more} more"] * bool(more)
        self.reader.fail(
            f"write this as {len(alternatives)} paths, {', '.join(paths[:-1])} and {paths[-1]}: "
            f"one URL pattern cannot {what}",
            position,
        )

    def add_items(self) -> None:
        lazy = self.lazy()
        for item in self.reader.items:
            if isinstance(item, Token) and item.kind == TEXT:
                self.fixed += item.value
            elif isinstance(item, Token):
                # The dots of `/.:name` are no segment of their own.
                found = LAST_DOTS.search(self.fixed)
                prefix = found[0] if found else ""
                self.fixed = self.fixed[: len(self.fixed) - len(prefix)]
                self.add_fixed(item.position)
                self.pieces.append(self.piece(prefix, item, "", "", lazy))
            else:
                self.add_fixed(item.position)
                for prefix, capture, suffix in self.optional(item):
                    self.pieces.append(self.piece(prefix, capture, suffix, "?", lazy))
        self.add_fixed(len(self.reader.text))
        if not self.strict:
            self.pieces.append(Piece("/", modifier="?"))

    def add_fixed(self, position: int) -> None:
        self.check_dots(self.fixed, position)
        self.pieces += [Piece(self.fixed)] * bool(self.fixed)
        self.fixed = ""

    def check_dots(self, text: str, position: int) -> None:
        if DOTS.search(text):
            self.reader.fail("no URL has such a segment of dots", position)

    def piece(self, prefix: str, token: Token | None, suffix: str, modifier: str, lazy: set[int]) -> Piece:
        if token is None:
            return Piece(prefix + suffix, modifier=modifier)
        regexp = self.matchers[token.position].regexp(token.position in lazy)
        return Piece(prefix, own_name(token.value, self.names), regexp, suffix, modifier)

    def optional(self, group: Group) -> Iterator[tuple[str, Token | None, str]]:
        """A group and the groups at its end, each in the one before: they match the same, so each is optional alone.

        What one takes without the one before it, the one before takes.
        """
        first: tuple[str, Matcher | None, str] | None = None
        while True:
            tokens = [item for item in group.items if isinstance(item, Token)]
            inner = [item for item in group.items if isinstance(item, Group)]
            captures = [token for token in tokens if token.kind != TEXT]
            if len(captures) > 1:
                self.refuse("have a group with two names", group.position)
            capture = captures[0] if captures else None
            at = tokens.index(capture) if capture else len(tokens)
            prefix, suffix = ("".join([token.value for token in one]) for one in (tokens[:at], tokens[at + 1 :]))
            shape = prefix, self.matchers[capture.position] if capture else None, suffix
            if len(inner) > 1 or (inner and group.items[-1] is not inner[0]) or shape != (first or shape):
                self.refuse("have this group in a group", group.position)
            for text in (prefix, suffix):
                self.check_dots(text, group.position)
            yield prefix, capture, suffix
            if not inner:
                return
            first, group = shape, inner[0]

    def lazy(self) -> set[int]:
        """The names that take as little as they can, as a name of URL patterns does. Others take as much as they can.

        In the package, all do the latter. But it tries each alternative with all lengths before the next alternative.
        """
        ways = [Way(one, self.matchers, self.strict, self.reader) for one in self.reader.alternatives]
        tokens = {token.position: token for way in ways for token, _, _ in way.captures}
        comparison = Comparison()
        # Those that could take too little in such a pattern, and too much if they take as much as they can.
        too_little: set[int] = set()
        too_much: set[int] = set()
        for way in ways:
            for token, index, _ in way.captures:
                if token.position not in too_little and comparison.takes_more(way, way, index):
                    too_little.add(token.position)
        for number, first in enumerate(ways):
            for second in ways[number + 1 :]:
                for (token, index, key), (_, _, other_key) in zip(first.captures, second.captures, strict=False):
                    if key != other_key:
                        # A group before it is in the first one only, and the pattern tries that first, too.
                        break
                    if token.position not in too_little and comparison.takes_more(first, second, index):
                        too_little.add(token.position)
                    if token.position not in too_much and comparison.takes_more(second, first, index):
                        too_much.add(token.position)
        if comparison.work > MOST_WORK and len(ways) > 1:
            self.reader.fail(TOO_LONG, 0)
        for position in sorted(too_much & too_little):
            self.refuse(f"say where {shown_name(tokens[position].value)} ends", position)
        plain = {position for position, matcher in self.matchers.items() if matcher == SEGMENT}
        return too_much | (plain - too_little)


class Way:
    """An alternative as what compares texts: at each place a character, or what a name takes.

    A state is twice the number of a place, and one more after the first character of a name.
    """

    def __init__(
        self, alternative: Sequence[Token], matchers: dict[int, Matcher], strict: bool, reader: Reader
    ) -> None:
        self.places: list[str | Matcher] = []
        # Each with its place, and a number for all that is before it.
        self.captures: list[tuple[Token, int, int]] = []
        self.may_end_with_slash = not strict
        key = 0
        for token in alternative:
            if token.kind == TEXT:
                self.places += token.value.lower()
                reader.spend(len(token.value) * (len(reader.alternatives) > 1), token.position)
            else:
                self.captures.append((token, len(self.places), key))
                self.places.append(matchers[token.position])
            key = hash((key, token.position))

    def steps(self, state: int) -> Iterator[tuple[Step, int]]:
        """What can be next, and the state after it."""
        index, is_inside = divmod(state, 2)
        if is_inside:
            yield self.matcher(index).excluded, state
            index += 1
        if index < len(self.places):
            place = self.places[index]
            if isinstance(place, str):
                yield place, 2 * index + 2
            else:
                yield place.excluded, 2 * index + 1
                if place.character:
                    yield place.character, 2 * index + 2
        elif index == len(self.places) and self.may_end_with_slash:
            yield "/", 2 * index + 2

    def matcher(self, index: int) -> Matcher:
        place = self.places[index]
        assert isinstance(place, Matcher)
        return place

    def is_last(self, state: int) -> bool:
        return (state + 1) // 2 >= len(self.places)


class Comparison:
    """Looks for texts that two alternatives take apart in different ways."""

    work = 0

    def takes_more(self, longer: Way, shorter: Way, index: int) -> bool:
        """Whether, in some text, `longer` takes more than `shorter` at a name, after the same before.

        It may say so where there is no such text: it ignores upper and lower case, and it stops if the search takes too
        long.
        """
        # `longer` is still in the name, and `shorter` is after it.
        inside, behind = 2 * index + 1, 2 * index + 2
        inner = longer.matcher(index).excluded
        todo = [(inside, state) for step, state in shorter.steps(behind) if meet(inner, step)]
        seen = set(todo)
        self.work += 1
        while todo:
            self.work += 1
            if self.work > MOST_WORK:
                return True
            one, other = todo.pop()
            if longer.is_last(one) and shorter.is_last(other):
                return True
            for step, state in longer.steps(one):
                for other_step, other_state in shorter.steps(other):
                    pair = state, other_state
                    if pair not in seen and meet(step, other_step):
                        seen.add(pair)
                        todo.append(pair)
        return self.work > MOST_WORK


def meet(one: Step, other: Step) -> bool:
    """Whether a character is in both."""
    if isinstance(one, str):
        return one == other if isinstance(other, str) else one not in other
    return not isinstance(other, str) or other not in one


def merged(alternative: Sequence[Token]) -> list[Token]:
    """With one text where there are several."""
    found: list[Token] = []
    for is_text, tokens in groupby(alternative, lambda token: token.kind == TEXT):
        if is_text:
            first, *others = tokens
            found.append(first._replace(value="".join([first.value, *[token.value for token in others]])))
        else:
            found += tokens
    return found


def matchers_of(reader: Reader, tokens: Sequence[Token]) -> Iterator[tuple[Token, Matcher]]:
    """The names of an alternative, each with what it takes.

    That depends on the text before it, and on the other names of its segment: so that each text is taken apart in few
    ways, and a wildcard ends where the text after it is first found.
    """
    is_wildcard_next = [False]
    for token in reversed(tokens):
        is_next = token.kind == WILDCARD or (is_wildcard_next[-1] and not (token.kind == TEXT and "/" in token.value))
        is_wildcard_next.append(is_next)
    is_wildcard_next.reverse()
    # The text since the last name, and since the last wildcard if no parameter is between.
    text = since_wildcard = ""
    last = TEXT
    seen: set[int] = set()
    for index, token in enumerate(tokens):
        if token.kind == TEXT:
            text += token.value
            since_wildcard += token.value if last == WILDCARD else ""
            seen -= {PARAMETER, WILDCARD} if "/" in token.value else set()
            continue
        if last != TEXT and not text:
            reader.fail(f"a text is needed between {shown_name(token.value)} and the name before it", token.position)
        following = tokens[index + 1].value if index + 1 < len(tokens) and tokens[index + 1].kind == TEXT else ""
        matcher = SEGMENT if token.kind == PARAMETER else ANYTHING
        if token.kind == PARAMETER:
            if WILDCARD in seen:
                matcher = without("/", text)
            elif is_wildcard_next[index + 1]:
                matcher = without("/", following)
            elif PARAMETER in seen:
                matcher = without("/", text)
                character = text.lower() if len(text) == 1 else ""
                matcher = matcher._replace(other=f"|{regexp_of(text)}", character=character)
        elif WILDCARD in seen:
            matcher = without(text, "")
        elif since_wildcard:
            matcher = without(since_wildcard, "")
            if matcher != SEGMENT:
                # It may try more after less. But where alternatives differ here, they do at the first wildcard, too.
                matcher = Matcher(matcher.unit, frozenset(), "|[^\\/]+")
        yield token, matcher
        last = token.kind
        seen.add(last)
        text = ""
        since_wildcard = "" if last == WILDCARD else since_wildcard


def without(first: str, second: str) -> Matcher:
    """What takes no text that one of these begins. The second may be empty."""
    single = "".join(dict.fromkeys(one for one in (first, second) if len(one) == 1))
    longer = list(dict.fromkeys(one for one in (first, second) if len(one) > 1))
    character = "[^" + "".join([member(one, []) for one in single]) + "]" if single else "."
    if single == "/" and not longer:
        return SEGMENT
    if longer:
        character = f"(?:(?!{'|'.join(map(regexp_of, longer))}){character})"
    # A letter is left out, as it may be in the other case.
    return Matcher(character, frozenset([one for one in single if one.lower() == one.upper()]))


def shown_path(alternative: Sequence[Token]) -> str:
    path = path_of(alternative)
    return repr(path if len(path) <= SHOWN_CHARACTERS else f"{path[:SHOWN_CHARACTERS]}…")


def path_of(alternative: Sequence[Token]) -> str:
    """An alternative as a path, with a name in quotes where the text after it could be part of it."""
    found = []
    for index, token in enumerate(alternative):
        following = alternative[index + 1].source if index + 1 < len(alternative) else ""
        is_quoted = token.kind != TEXT and following and continues_name(following[0])
        found.append(f'{token.source[0]}"{token.value}"' if is_quoted else token.source)
    return "".join(found)
