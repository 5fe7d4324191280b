"""Policies from files of TOML; docs/redact-policies.md says what is in them. An error names the file and the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, NoReturn, TypeVar

from weburl._core.arguments import need_path
from weburl._redact.rules import (
    DEFAULTS,
    HIDE,
    KEEP,
    LOGS,
    PATH,
    checked_host,
    checked_paths,
    checked_variable,
    shown,
)
from weburl._redact.secrets import HIDDEN, checked_globs, checked_names
from weburl._redact.toml_lines import Place, lines_of

P = TypeVar("P")

KEYS: Final = (
    "name", "version", "base", "hide", "hide_random", "keep", "paths", "whole_addresses", "replacement", "rules",
)  # fmt: skip
RULE_KEYS: Final = ("hosts", "hide", "keep", "paths")
REPLACEMENT_KEYS: Final = ("key_env",)
# Where the settings of a LogPolicy come from.
PLACES: Final[dict[str, Place]] = {
    "name": ("name",), "version": ("version",), "token_names": ("hide_random",), "kept_names": ("keep",),
    "path_rules": ("paths",), "host_rules": ("rules",), "key_env": ("replacement", "key_env"),
}  # fmt: skip
# tomllib says so at the end of its messages.
AT_LINE: Final = re.compile(r" \(at (?:line ([0-9]+), column [0-9]+|end of document)\)\Z")
MOST: Final = 1 << 20


def read_file(path: str, make: Callable[..., P]) -> P:
    with open(need_path(path, "path must be a str or a path"), "rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"{path}: it is longer than {MOST} bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{line}: a byte is not part of UTF-8") from None
    return read_text(text, path, make)


def read_text(text: str, file: str, make: Callable[..., P]) -> P:
    """The policy that `make` makes from the settings in a text; `file` is what errors call it.

    Editors of Windows begin a file with a byte order mark.
    """
    import tomllib

    text = text.removeprefix("\ufeff")
    if len(text) > MOST:
        raise ValueError(f"{file}: it is longer than {MOST} characters")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        match = AT_LINE.search(message)
        line = match[1] if match and match[1] else text.rstrip().count("\n") + 1
        raise ValueError(f"{file}:{line}: it is not TOML: {AT_LINE.sub('', message)}") from None
    except (RecursionError, ValueError):
        raise ValueError(f"{file}: it has a number or an array that is too large") from None
    return PolicyFile(table, text, file).policy(make)


class PolicyFile:
    """PolicyFile(table, text, file): what tomllib has read, and what it has read it from."""

    def __init__(self, table: Mapping[str, Any], text: str, file: str) -> None:
        self.table = table
        self.text = text
        self.file = file
        self.is_exact = False

    def fail(self, place: Place, message: str) -> NoReturn:
        lines = lines_of(self.text)
        while place and place not in lines:
            place = place[:-1]
        raise ValueError(f"{self.file}:{lines.get(place, 1)}: {message}")

    def policy(self, make: Callable[..., P]) -> P:
        settings = self.settings()
        try:
            return make(**settings)
        except (ValueError, TypeError) as error:
            message = str(error)
            place = PLACES.get(re.split("[: ]", message)[0])
            if place is None:
                raise ValueError(f"{self.file}: {message}") from None
            self.fail(place, message.removeprefix("key_env: "))

    def settings(self) -> dict[str, Any]:
        self.check_keys(self.table, (), KEYS)
        base = self.base()
        self.is_exact = bool(base["exact_names"])
        hidden, kept = self.names((), HIDE), self.names((), KEEP)
        self.check_apart((), frozenset(hidden))
        names: dict[str, Any] = {}
        if self.is_exact:
            names["exact_names"] = (base["exact_names"] | {*hidden}) - {*kept}
            if not names["exact_names"]:
                self.fail((KEEP,), "keep: no name is left to hide")
            if "hide_random" in self.table:
                self.fail(("hide_random",), "hide_random: the base otel compares names alone")
        else:
            # Not those of the name, if it is one of weburl's own.
            names["exact_names"] = frozenset()
            names["secret_names"] = base["secret_names"] | {*hidden}
            names["kept_names"] = frozenset(kept)
            # What is not in the base is a name of fields anyway.
            names["field_names"] = base["secret_names"] & {*hidden}
            names["token_names"] = base["token_names"] | {*self.names((), "hide_random")}
        return {
            **{
                key: self.typed((key,), self.table[key], kind)
                for key, kind in (("name", str), ("version", int))
                if key in self.table
            },
            **names,
            "whole_addresses": self.typed(
                ("whole_addresses",), self.table.get("whole_addresses", base["whole_addresses"]), bool
            ),
            "path_rules": frozenset(self.paths(())),
            "host_rules": frozenset(self.host_rules()),
            "key_env": self.key_env(),
        }

    def base(self) -> dict[str, Any]:
        name = self.typed(("base",), self.table.get("base", "logs"), str).removesuffix("/1")
        if name not in LOGS:
            self.fail(("base",), f"base must be {', '.join(LOGS)}, with /1 or without, not {shown(name)}")
        return {**DEFAULTS, **LOGS[name]}

    def typed(self, place: Place, value: Any, kind: type[Any]) -> Any:
        words = {
            bool: "true or false", str: "a string", int: "an integer", float: "a float",
            list: "an array", dict: "a table",
        }  # fmt: skip
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            what = next((words[each] for each in words if isinstance(value, each)), "a date or a time")
            what = "a boolean" if isinstance(value, bool) else what
            name = place[-1] if isinstance(place[-1], str) else f"each item of {place[-2]}"
            self.fail(place, f"{name} must be {words[kind]}, not {what}")
        return value

    def check_keys(self, table: Mapping[str, Any], place: Place, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                close = get_close_matches(key, known, 1)
                hint = f"; do you mean {close[0]}?" if close else ""
                self.fail((*place, key), f"{shown(key)} is not one of {', '.join(known)}{hint}")

    def table_at(self, place: Place) -> Any:
        table: Any = self.table
        for key in place:
            table = table[key]
        return table

    def each(self, place: Place, key: str) -> list[str]:
        """The strings of an array."""
        values = self.typed((*place, key), self.table_at(place).get(key, []), list)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                self.typed((*place, key, index), value, str)
        return list(values)

    def checked(self, place: Place, key: str, check: Callable[[list[str]], Iterable[str]]) -> list[str]:
        texts: list[str] = []
        for index, text in enumerate(self.each(place, key)):
            try:
                texts += check([text])
            except ValueError as error:
                self.fail((*place, key, index), str(error))
        return texts

    def names(self, place: Place, key: str) -> list[str]:
        check = checked_names if self.is_exact else checked_globs
        return self.checked(place, key, lambda names: check(names, key))

    def paths(self, place: Place) -> list[str]:
        return self.checked(place, "paths", lambda rules: checked_paths(rules, "paths"))

    def check_apart(self, place: Place, hidden: frozenset[str]) -> None:
        for index, name in enumerate(self.table_at(place).get(KEEP, [])):
            if name in hidden:
                self.fail((*place, KEEP, index), f"keep: {name} is in hide, too")

    def host_rules(self) -> list[str]:
        rules = []
        for index, rule in enumerate(self.typed(("rules",), self.table.get("rules", []), list)):
            place: Place = ("rules", index)
            self.typed(place, rule, dict)
            self.check_keys(rule, place, RULE_KEYS)
            hosts = self.checked(place, "hosts", lambda hosts: [checked_host(host, "hosts") for host in hosts])
            if not hosts:
                self.fail((*place, "hosts"), "rules: a rule needs hosts, such as hosts = ['example.com']")
            hidden, kept, paths = self.names(place, HIDE), self.names(place, KEEP), self.paths(place)
            self.check_apart(place, frozenset(hidden))
            if not (hidden or kept or paths):
                self.fail(place, "rules: a rule needs hide, keep or paths")
            for host in hosts:
                for action, names in ((HIDE, hidden), (KEEP, kept), (PATH, paths)):
                    rules += [f"{host} {action} {name}" for name in names]
        return rules

    def key_env(self) -> str:
        value = self.table.get("replacement", HIDDEN)
        if isinstance(value, str):
            if value != HIDDEN:
                self.fail(("replacement",), f"replacement must be '{HIDDEN}', or a table with key_env")
            return ""
        self.typed(("replacement",), value, dict)
        self.check_keys(value, ("replacement",), REPLACEMENT_KEYS)
        place: Place = ("replacement", "key_env")
        if "key_env" not in value:
            self.fail(("replacement",), "replacement needs key_env, the name of an environment variable")
        name: str = self.typed(place, value["key_env"], str)
        try:
            if checked_variable(name, "key_env"):
                return name
        except ValueError as error:
            self.fail(place, str(error))
        self.fail(place, "key_env must not be empty")
