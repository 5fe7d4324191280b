"""What a LogPolicy is made of: its settings, what they may be, and the tables that are compiled from them.

docs/redact-policies.md says what each setting does.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable, Mapping
from typing import Any, Final

from weburl._core.arguments import wrong_type
from weburl._named_tuple import NamedTuple
from weburl._redact import secrets
from weburl._redact.secrets import SECRET_NAMES, TOKEN_NAMES, Automaton, checked_globs, checked_names
from weburl.url import URL

# The settings of logs/1, and how weburl's other policies differ from it.
DEFAULTS: Final[dict[str, Any]] = {
    "secret_names": SECRET_NAMES, "token_names": TOKEN_NAMES, "exact_names": frozenset(), "whole_addresses": False,
    "kept_names": frozenset(), "field_names": frozenset(), "path_rules": frozenset(), "host_rules": frozenset(),
    "key_env": "",
}  # fmt: skip
LOGS: Final[dict[str, dict[str, Any]]] = {
    "logs": {},
    "logs-strict": {"secret_names": SECRET_NAMES | secrets.IDENTIFIER_NAMES, "whole_addresses": True},
    "otel": {"exact_names": secrets.OTEL_NAMES},
}

# What a rule for a host does with what it names.
HIDE, KEEP, PATH = "hide", "keep", "path"
ANY, SECRET = "*", "{secret}"
# A rule has one bit of an integer of 64.
MOST_PATHS: Final = 64
MOST_HOSTS: Final = 1000
# Hosts with the same rules share tables.
MOST_SETS: Final = 64
MOST_SEGMENTS: Final = 32
LONGEST_RULE: Final = 1024
VARIABLE: Final = "[A-Z_][A-Z0-9_]*"
# BLAKE2b takes at most 64 bytes.
SHORTEST_KEY, LONGEST_KEY = 16, 64


def shown(value: object) -> str:
    from weburl._diagnosis.messages import shown_argument

    return shown_argument(value)


# Checks.


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a policy, as they are compared and pickled."""
    exact_names = checked_names(settings["exact_names"], "exact_names")
    kept_names = checked_globs(settings["kept_names"], "kept_names")
    if exact_names and kept_names:
        raise ValueError("kept_names: leave these names out of exact_names, besides which nothing is hidden by name")
    field_names = checked_globs(settings["field_names"], "field_names")
    if exact_names and field_names:
        raise ValueError("field_names: with exact_names, no field is hidden")
    whole_addresses = settings["whole_addresses"]
    if not isinstance(whole_addresses, bool):
        raise wrong_type(whole_addresses, "whole_addresses must be a bool")
    return {
        "secret_names": checked_globs(settings["secret_names"], "secret_names"),
        "token_names": checked_globs(settings["token_names"], "token_names"),
        "exact_names": exact_names,
        "whole_addresses": whole_addresses,
        "kept_names": kept_names,
        "field_names": field_names,
        "path_rules": checked_paths(settings["path_rules"], "path_rules"),
        "host_rules": checked_host_rules(settings["host_rules"], "host_rules", is_exact=bool(exact_names)),
        "key_env": checked_variable(settings["key_env"], "key_env"),
    }


def texts_of(texts: Iterable[str], what: str) -> list[str]:
    if isinstance(texts, str):
        raise TypeError(f"{what} must be a collection of str, not a str")
    checked = []
    for text in texts:
        if not isinstance(text, str):
            raise wrong_type(text, f"{what} must be of str")
        checked.append(str.__str__(text))
    return checked


def checked_paths(rules: Iterable[str], what: str) -> frozenset[str]:
    """Rules such as `/reset/{secret}`."""
    checked = frozenset(texts_of(rules, what))
    for rule in checked:
        segments = rule.split("/")
        if len(rule) > LONGEST_RULE or len(segments) > MOST_SEGMENTS + 1:
            raise ValueError(f"{what}: a rule has at most {MOST_SEGMENTS} segments and {LONGEST_RULE} characters")
        if segments[0] or "" in segments[1:] or SECRET not in segments:
            raise ValueError(
                f"{what}: {shown(rule)} is not a path such as '/reset/{SECRET}', with a slash before each segment and "
                f"{SECRET} for one or more of them"
            )
        for segment in segments:
            is_text = segment.isprintable() and not {*segment} & {*" *{}?#;\\"} and segment not in (".", "..")
            if not (is_text or segment in (ANY, SECRET)):
                raise ValueError(
                    f"{what}: the segment {shown(segment)} is neither a text, nor * for any segment, nor {SECRET}"
                )
    if len(checked) > MOST_PATHS:
        raise ValueError(f"{what}: there are more than {MOST_PATHS} rules")
    return checked


def checked_host(host: str, what: str) -> str:
    """The host as it is in a URL."""
    if not isinstance(host, str):
        raise wrong_type(host, f"{what} must be of str")
    url = None if {*host} & {*"/\\?#@ \t\n\r*%"} else URL.parse(f"https://{host}/")
    # Its port would be another one.
    if url is None or url.port or host.endswith(":") or host.startswith("."):
        raise ValueError(f"{what}: {shown(host)} is not a host; the hosts below a domain need no star and no dot")
    return url.hostname.removesuffix(".")


def checked_host_rules(rules: Iterable[str], what: str, *, is_exact: bool = False) -> frozenset[str]:
    """Rules such as `example.com hide plate`."""
    checked = set()
    for rule in texts_of(rules, what):
        host, action, named = [*rule.split(" ", 2), "", ""][:3]
        if action not in (HIDE, KEEP, PATH):
            raise ValueError(
                f"{what}: {shown(rule)} is not like 'example.com {HIDE} plate', with {HIDE}, {KEEP} or {PATH}"
            )
        if action == PATH:
            checked_paths([named], what)
        elif is_exact:
            checked_names([named], what)
        else:
            checked_globs([named], what)
        checked.add(f"{checked_host(host, what)} {action} {named}")
    if len({rule.partition(" ")[0] for rule in checked}) > MOST_HOSTS:
        raise ValueError(f"{what}: there are more than {MOST_HOSTS} hosts")
    return frozenset(checked)


def checked_variable(name: str, what: str) -> str:
    if not isinstance(name, str):
        raise wrong_type(name, f"{what} must be a str")
    # The text is not shown: it may be the key.
    if name and not re.fullmatch(VARIABLE, name):
        raise ValueError(f"{what} must be the name of an environment variable, of capitals, digits and _")
    return str.__str__(name)


def key_in(variable: str) -> bytes:
    """The key in an environment variable; b"" without one."""
    if not variable:
        return b""
    value = os.environ.get(variable)
    if value is None:
        raise ValueError(f"key_env: the environment has no variable {variable}")
    key = value.encode("utf-8", "surrogateescape")
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise ValueError(
            f"key_env: {variable} has {len(key)} bytes; a key has {SHORTEST_KEY} to {LONGEST_KEY}, such as that of "
            "secrets.token_hex()"
        )
    return key


# Tables.


class PathTable(NamedTuple):
    """Rules of paths: where the segments of each begin; each is a part of `pool`, or has -1 or -2 for its length."""

    number: int
    starts: bytes
    segments: bytes
    pool: bytes


class NameTable(NamedTuple):
    """What is hidden on some hosts."""

    automaton: Automaton
    exact: bytes  # names, each after a line end and before one; b"" if names are compared by the automaton
    own: int  # which lists with names of the policy itself there are
    paths: PathTable


class Tables(NamedTuple):
    """A policy, compiled. `hosts` are sorted; `sets` has the number of a table in `of_hosts` for each of them."""

    names: NameTable
    host_count: int
    hosts: bytes
    host_ends: bytes
    sets: bytes
    of_hosts: tuple[NameTable, ...]


def path_table(rules: Iterable[str]) -> PathTable:
    from urllib.parse import unquote_to_bytes

    ordered = sorted(rules)
    if len(ordered) > MOST_PATHS:
        raise ValueError(f"path_rules: there are more than {MOST_PATHS} rules for one host")
    starts, segments, pool = [0], [], b""
    for rule in ordered:
        for segment in rule.split("/"):
            text = b"" if segment in (ANY, SECRET) else unquote_to_bytes(segment)
            segments += [len(pool), {ANY: -1, SECRET: -2}.get(segment, len(text))]
            pool += text
        starts.append(len(segments) // 2)
    return PathTable(len(ordered), array("i", starts).tobytes(), array("i", segments).tobytes(), pool)


def compiled(settings: Mapping[str, Any]) -> Tables:
    rules: dict[str, list[tuple[str, str]]] = {}
    for rule in settings["host_rules"]:
        host, action, named = rule.split(" ", 2)
        rules.setdefault(host, []).append((action, named))
    hosts = sorted(rules, key=str.encode)
    automata: dict[tuple[frozenset[str], frozenset[str]], Automaton] = {}
    tables: dict[frozenset[tuple[str, str]], tuple[int, NameTable]] = {}
    sets = []
    for host in hosts:
        labels = host.split(".")
        in_force = frozenset(rule for index in range(len(labels)) for rule in rules.get(".".join(labels[index:]), ()))
        if in_force not in tables:
            if len(tables) == MOST_SETS:
                raise ValueError(f"host_rules: there are more than {MOST_SETS} hosts with different rules")
            tables[in_force] = len(tables), name_table(settings, in_force, automata)
        sets.append(tables[in_force][0])
    return Tables(
        name_table(settings, frozenset(), automata),
        len(hosts),
        "".join(hosts).encode(),
        array("i", [len("".join(hosts[:index])) for index in range(len(hosts) + 1)]).tobytes(),
        array("H", sets).tobytes(),
        tuple(table for _, table in tables.values()),
    )


def name_table(
    settings: Mapping[str, Any],
    in_force: frozenset[tuple[str, str]],
    automata: dict[tuple[frozenset[str], frozenset[str]], Automaton],
) -> NameTable:
    hidden, kept, paths = (
        frozenset(named for action, named in in_force if action == wanted) for wanted in (HIDE, KEEP, PATH)
    )
    exact = b""
    if settings["exact_names"]:
        names = (settings["exact_names"] | hidden) - kept
        exact = "\n".join(["", *sorted(names), ""]).encode()
        hidden = kept = frozenset()
    if (hidden, kept) not in automata:
        automata[hidden, kept] = automaton_of(settings, hidden, kept)
    own_names, own_tokens = own(settings)
    lists = ((secrets.OWN, own_names), (secrets.OWN_TOKEN, own_tokens), (secrets.KEPT, settings["kept_names"]))
    bits = 0 if exact else sum(bit for bit, names in lists if names)
    return NameTable(automata[hidden, kept], exact, bits, path_table(settings["path_rules"] | paths))


def own(settings: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of fields in texts: of secrets, and of tokens. They are those that a policy has besides weburl's."""
    hidden: frozenset[str] = settings["secret_names"] - SECRET_NAMES
    # Those of logs-strict are all of them.
    if hidden >= secrets.IDENTIFIER_NAMES:
        hidden -= secrets.IDENTIFIER_NAMES
    return hidden | settings["field_names"], settings["token_names"] - TOKEN_NAMES


def automaton_of(settings: Mapping[str, Any], hidden: frozenset[str], kept: frozenset[str]) -> Automaton:
    """That of a policy's names, and of those that rules for a host hide and keep."""
    secret_names = settings["secret_names"] | hidden
    own_names, own_tokens = own(settings)
    return Automaton((
        (secrets.SECRET, secret_names),
        (secrets.TOKEN, settings["token_names"]),
        (secrets.SEGMENT, secret_names | secrets.TOKEN_SEGMENTS),
        (secrets.PLAIN, secrets.PLAIN_NAMES),
        (secrets.NUMBER, secrets.NUMBER_NAMES),
        (secrets.COUNT, secrets.COUNT_NAMES),
        (secrets.LINK, secrets.LINK_SEGMENTS),
        (secrets.FIRM, secret_names - (SECRET_NAMES - secrets.FIRM_NAMES)),
        (secrets.KEPT, settings["kept_names"]),
        (secrets.HOST_HIDDEN, hidden),
        (secrets.HOST_KEPT, kept),
        (secrets.OWN, own_names),
        (secrets.OWN_TOKEN, own_tokens),
    ))  # fmt: skip
