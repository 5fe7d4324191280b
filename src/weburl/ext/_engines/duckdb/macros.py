"""Macros of DuckDB: they give the arguments of its functions names, defaults and comments.

A function that a program adds to DuckDB has arguments without names. A macro of the same name comes first in the search
path of its connection, and calls the function by its full name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weburl._verbs.verb import SQL_BASE, Option, Verb
from weburl.ext._adapter import sql_names

# Where DuckDB has the functions, and where the macros of a connection are.
FUNCTIONS: Final = "system.main"
MACROS: Final = "temp.main"
NONE: Final = "null::varchar"


def statements(verbs: Iterable[Verb]) -> list[str]:
    """Those that make the macros of these verbs."""
    made = []
    for verb in verbs:
        lists = parameters(verb)
        if not lists:
            continue
        overloads = ", ".join([overload(verb, names) for names in lists])
        made.append(f"create or replace temp macro {verb.function}{overloads}")
        made.append(f"comment on macro {MACROS}.{verb.function} is {quoted(comment(verb))}")
    return made


def removals(verbs: Iterable[Verb]) -> list[str]:
    return [f"drop macro if exists {MACROS}.{verb.function}" for verb in verbs]


def parameters(verb: Verb) -> list[dict[str, str]]:
    """The parameters of each overload with their defaults, or "" for none.

    DuckDB takes no other overload beside one with defaults, so those are only for verbs that need them: an argument is
    left out before another that is there.
    """
    if verb.any_number:
        # A macro has no way to take them.
        return []
    names = sql_names(verb)
    defaults = [default_of(option) for option in verb.sql_arguments if option.sql_optional]
    if len(defaults) > 1:
        least = verb.sql_counts[0]
        return [{**dict.fromkeys(names[:least], ""), **dict(zip(names[least:], defaults, strict=True))}]
    return [dict.fromkeys(names[:count], "") for count in verb.sql_counts]


def default_of(option: Option) -> str:
    return NONE if option.default is None else quoted(option.default)


def overload(verb: Verb, names: dict[str, str]) -> str:
    """A macro with these parameters.

    It leaves out the last arguments that have their defaults: DuckDB would write each into a column. Of the calls, one
    stays in a plan, if what the arguments are is known before rows are read.
    """
    listed = ", ".join([f'"{name}"' + (f" := {default}" if default else "") for name, default in names.items()])
    body = function_call(verb, names)
    rest: list[str] = []
    for name, default in reversed(names.items()):
        if default:
            rest.insert(0, f'"{name}" is null' if default == NONE else f'"{name}" = {default}')
            few = function_call(verb, list(names)[: -len(rest)])
            body = f"case when {' and '.join(rest)} then {few} else {body} end"
    return f"({listed}) as {body}"


def function_call(verb: Verb, names: Iterable[str]) -> str:
    called = ", ".join([f'"{name}"' for name in names])
    return f"{FUNCTIONS}.{verb.function}({called})"


def comment(verb: Verb) -> str:
    """What the function gives, and the defaults, which `duckdb_functions()` does not show."""
    words = [verb.doc]
    for option in verb.sql_arguments:
        if option is SQL_BASE:
            words.append("base is the URL that relative ones are resolved against; NULL, the default, is none.")
        elif option.sql_optional and option.default is not None:
            words.append(f"The default of {option.name} is {quoted(option.default)}.")
    return " ".join(words).replace("`", "")


def quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
