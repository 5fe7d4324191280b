"""Policies as texts, for where there are no objects: on the command line, in SQL, and in plans.

The text is the policy's repr. It may come from anywhere: it is read and not evaluated, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

P = TypeVar("P")

# It is compiled when it is first used.
TOKEN: Final = (
    r"""\s*(?:(?P<name>[A-Za-z_]+)|(?P<number>[0-9]{1,10})(?![0-9])|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<mark>[(){}=,|-])|(?P<end>\Z))"""
)
FLAGS: Final = {"True": True, "False": False}
MOST: Final = 1 << 20


def read_policy(
    text: str, classes: Mapping[str, Callable[..., P]], constants: Mapping[str, frozenset[str]], names: str
) -> P:
    """The policy that a text stands for: one of `classes`, whose settings may use `constants`."""
    kind = re.match(r"\s*([A-Za-z]+)\s*\(", text)
    if kind is None or kind[1] not in classes or len(text) > MOST:
        from weburl._diagnosis.messages import shown_argument

        *others, last = classes
        known = " or ".join([", ".join(others), last] if others else [last])
        raise ValueError(f"policy must be {names}, or {known} as an object or a text, not {shown_argument(text)}")
    made: P = made_from(text, classes[kind[1]], tuple(constants.items()))
    return made


# The same text comes with each batch of rows.
@lru_cache(16)
def made_from(text: str, kind: Callable[..., Any], constants: tuple[tuple[str, frozenset[str]], ...]) -> Any:
    settings = Reader(text, dict(constants)).settings()
    try:
        return kind(**settings)
    except TypeError as error:
        raise ValueError(f"policy: {error}") from None


class Reader:
    def __init__(self, text: str, constants: Mapping[str, frozenset[str]]) -> None:
        self.text = text
        self.constants = constants
        self.start = self.place = 0
        self.advance()

    def advance(self) -> None:
        """To the next token."""
        match = re.compile(TOKEN).match(self.text, self.place)
        if match is None:
            self.start = self.place
            raise self.error("a setting, as remove_www=True")
        self.kind = str(match.lastgroup)
        self.token = match[self.kind]
        self.start, self.place = match.start(self.kind), match.end()

    def error(self, wanted: str) -> ValueError:
        from weburl._diagnosis.messages import shown_argument

        rest = self.text[self.start :].strip()
        return ValueError(f"policy: {wanted} is expected, not {shown_argument(rest) if rest else 'the end'}")

    def take(self, kind: str, wanted: str, token: str | None = None) -> str:
        taken = self.token
        if self.kind != kind or (token is not None and taken != token):
            raise self.error(wanted)
        self.advance()
        return taken

    def is_next(self, *marks: str) -> bool:
        return self.kind == "mark" and self.token in marks

    def settings(self) -> dict[str, Any]:
        self.take("name", "the name of a class")
        self.take("mark", "an opening parenthesis", "(")
        settings: dict[str, Any] = {}
        while not self.is_next(")"):
            name = self.take("name", "a setting, as remove_www=True")
            if name in settings:
                raise ValueError(f"policy: {name} is there twice")
            self.take("mark", "an equals sign", "=")
            settings[name] = self.value()
            if not self.is_next(")"):
                self.take("mark", "a comma or a closing parenthesis", ",")
        self.advance()
        if self.kind != "end":
            raise self.error("the end")
        return settings

    def value(self) -> Any:
        if self.kind == "text":
            return self.literal()
        if self.kind == "number":
            return int(self.take("number", ""))
        if self.kind == "name" and self.token in FLAGS:
            return FLAGS[self.take("name", "")]
        value = set(self.names())
        while self.is_next("|", "-"):
            change = value.update if self.take("mark", "") == "|" else value.difference_update
            change(self.names())
        return frozenset(value)

    def names(self) -> frozenset[str]:
        if self.kind == "name" and self.token in self.constants:
            return self.constants[self.take("name", "")]
        if self.is_next("("):
            self.advance()
            self.take("mark", "a closing parenthesis", ")")
            return frozenset()
        self.take("mark", "a text, a number, True, False, or names in braces", "{")
        names = [self.literal()]
        while not self.is_next("}"):
            self.take("mark", "a comma or a closing brace", ",")
            if not self.is_next("}"):
                names.append(self.literal())
        self.advance()
        return frozenset(names)

    def literal(self) -> str:
        from ast import literal_eval

        token = self.take("text", "a text in quotes")
        try:
            return str(literal_eval(token))
        except (ValueError, SyntaxError):
            raise ValueError("policy: a text in quotes has a wrong escape") from None
