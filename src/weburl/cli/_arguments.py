"""Tables of options: what a row is, and how arguments are read by a table. `_parser.py` has argparse for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from weburl._named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Final

# Groups of options in the help.
WHICH: Final = "which URLs"
CHANGES: Final = "changes, made in this order"
OUTPUT: Final = "output"
# The rows that `scanned` reads; argparse reads all.
SCANNED: Final = frozenset(("action", "choices", "const", "default", "help", "metavar", "nargs", "required", "type"))


class Option(NamedTuple):
    """A row of a table of options: its spellings, its group in the help, and what argparse takes."""

    flags: tuple[str, ...]
    group: str
    more: dict[str, Any]


class Options(list[Option]):
    """The options of an attribute of `LowArgs`. Most have one."""


def option(*flags: str, group: str = "", **more: Any) -> Any:
    """The value of an attribute of `LowArgs`, which it makes an option; without a flag, an argument."""
    return Options([Option(flags, group, more)])


def flag(*flags: str, help: str, group: str = "") -> Any:
    """An option without a value."""
    return option(*flags, group=group, action="store_true", help=help)


def repeated(*flags: str, metavar: str, help: str, group: str = "", **more: Any) -> Any:
    """An option that may be given several times."""
    return option(*flags, group=group, metavar=metavar, action="append", default=[], help=help, **more)


# The rows of options that several commands have.

RESOLVES: Final = "resolve relative URLs against this URL"
RESOLVES_ONE: Final = "resolve a relative URL against this URL"
ERRORS_WITHOUT: Final = f"{RESOLVES}; without it, relative URLs are errors"


def base_option(help: str, group: str = "", default: str | None = None) -> Any:
    return option("--base", group=group, metavar="URL", default=default, help=help)


def json_option(help: str) -> Any:
    return flag("--json", help=help)


def output_option(also: str, *, group: str = "", other: str = "", more: str = "") -> Any:
    """-o OUT. OUT may also be a file that is read; `other` is what else it may be."""
    return option("-o", "--output", group=group, metavar="OUT",
        help=f"write to the file OUT{other}. An existing OUT is replaced only when the command ends, so OUT "
        f"may also be {also}{more}")  # fmt: skip


class LowArgs:
    """What the arguments say. A subclass is a table of options: each attribute is one, with its type.

    It also has the options of its own base classes, before its own. `scanned` or `ArgumentParser` fills in an object.
    """

    rows: ClassVar[dict[str, Options]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: rows for name, rows in vars(cls).items() if isinstance(rows, Options)}
        inherited: dict[str, Options] = {}
        for base in reversed(cls.__mro__[1:]):
            inherited |= vars(base).get("rows", {})
        cls.rows = inherited | own
        for name in own:
            # argparse keeps the values that there are.
            delattr(cls, name)


class _Unscanned(Exception):
    """Raised where an argument is for argparse."""


def scanned(arguments: Sequence[str], low: LowArgs) -> bool:
    """Fills in an object of a table, as parse_intermixed_args of argparse does, if each argument is plain.

    If it is False, `low` is as before: something is wrong, or is spelled in a way that only argparse knows.
    """
    try:
        values = _values(arguments, low.rows)
    except _Unscanned:
        return False
    for name, value in values.items():
        setattr(low, name, value)
    return True


def _values(arguments: Sequence[str], table: dict[str, Options]) -> dict[str, Any]:
    """The value of each attribute."""
    values: dict[str, Any] = {}
    flags: dict[str, tuple[str, Option]] = {}
    missing: set[str] = set()
    arguments_of = ""
    for name, rows in table.items():
        for row in rows:
            default = row.more.get("default", False if row.more.get("action") == "store_true" else None)
            values.setdefault(name, default)
            if not SCANNED.issuperset(row.more) or (isinstance(default, str) and "type" in row.more):
                raise _Unscanned
            if row.more.get("required"):
                missing.add(name)
            flags |= dict.fromkeys(row.flags, (name, row))
            if not row.flags:
                if arguments_of or row.more.get("nargs") != "*" or "type" in row.more:
                    raise _Unscanned
                arguments_of = name
                values[name] = []
    place = 0
    while place < len(arguments):
        argument = arguments[place]
        place += 1
        if not _is_option(argument):
            if not arguments_of:
                raise _Unscanned
            values[arguments_of].append(argument)
            continue
        flag, equals, value = argument.partition("=")
        if flag not in flags or (equals and (value in ("", "--") or not flag.startswith("--"))):
            raise _Unscanned
        name, row = flags[flag]
        missing.discard(name)
        action, nargs = row.more.get("action", "store"), row.more.get("nargs")
        # The arguments that it may take.
        end = place
        while end < len(arguments) and not _is_option(arguments[end]):
            end += 1
        texts = arguments[place:end]
        if action == "store_true" and not equals:
            values[name] = True
        elif action == "append_const" and not equals:
            values[name] = [*values[name], row.more["const"]]
        elif action == "extend" and nargs == "+" and not equals and texts:
            values[name] = [*values[name], *(_value(text, row) for text in texts)]
            place = end
        elif action in ("store", "append") and nargs in (None, "?"):
            if equals:
                texts = [value]
            elif texts:
                place += 1
            elif nargs is None:
                raise _Unscanned
            made = _value(texts[0], row) if texts else row.more["const"]
            values[name] = made if action == "store" else [*values[name], made]
        else:
            raise _Unscanned
    if missing:
        raise _Unscanned
    return values


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


def _value(text: str, row: Option) -> Any:
    value: Any = text
    if "type" in row.more:
        try:
            value = row.more["type"](text)
        except Exception:
            # argparse calls it again, and says what is wrong.
            raise _Unscanned from None
    if "choices" in row.more and value not in row.more["choices"]:
        raise _Unscanned
    return value


def argument_text(argument: str) -> str:
    """An argument as text. Python gives bytes that are not UTF-8 as surrogates; they become U+FFFD."""
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in argument)
