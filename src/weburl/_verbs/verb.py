"""What a verb is: one thing that weburl does with columns of URLs. Each has a row in `table`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from weburl._verbs.columns import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Literal, TypeVar, dataclass_transform

    from weburl._arrow.columns import Field

    Result = Literal["text", "bool", "number", "digest", "pairs", "texts", "struct", "map"]
    Row = TypeVar("Row")
    Example = tuple[tuple[str, ...], str, str]
else:

    def dataclass_transform(**options: bool) -> Any:
        return unchanged


class Required:
    """The default of an option that has none."""


REQUIRED: Final = Required()


def unchanged(value: Any) -> Any:
    return value


# The module dataclasses takes longer to import than the whole table.
@dataclass_transform(kw_only_default=False)
def row(cls: type[Row]) -> type[Row]:
    """A class of records: its attributes in order are the arguments, with the defaults that they have in the class."""
    names = tuple(cls.__annotations__)
    defaults = {name: vars(cls)[name] for name in names if name in vars(cls)}
    known = {*names}

    def __init__(self: Any, *values: Any, **others: Any) -> None:
        own = {**defaults, **dict(zip(names, values, strict=False)), **others}
        if own.keys() != known or len(values) > len(names) or not others.keys().isdisjoint(names[: len(values)]):
            raise TypeError(f"{cls.__name__} has the attributes {', '.join(names)}")
        vars(self).update(own)

    cls.__init__ = __init__  # type: ignore[method-assign]
    return cls


@row
class EngineTypes:
    """The type that each engine uses for a kind of result. `arrow` is the name that pyarrow has for Arrow's type."""

    arrow: str
    duckdb: str
    spark: str


# Kinds with one value. Each engine builds its lists, maps and structs from its own type for text.
ENGINE_TYPES: Final[dict[str, EngineTypes]] = {
    "text": EngineTypes("large_string", "VARCHAR", "string"),
    "bool": EngineTypes("bool", "BOOLEAN", "boolean"),
    "number": EngineTypes("uint64", "UBIGINT", "bigint"),
    "digest": EngineTypes("binary", "BLOB", "binary"),
}


@row
class Option:
    """An argument of a verb, beside its columns.

    `check` returns the value that `Verb.work` takes, raises for a wrong one, and takes what it has returned, too.
    `type` is an annotation, and `doc` a sentence for functions of engines.

    `sql` says what the option is in SQL, where None means that it is not there:
    - "column": a column.
    - "named": a column. A value may be a key of a mapping that users pass to `register`.
    - "name": a column. Each value is such a key.
    - "register": an argument of `register`.

    A column that is `sql_optional` can be left out. `sql_check` reads the texts of a column, if `check` does not.
    `sql_doc` is said of the argument of `register`, or of the column.

    A plan of Polars has the option as a text, or as several: then `several` is the name of one, as a call in SQL has
    it. `to_text` makes each text, and `from_text` makes of it what `check` takes.
    """

    name: str
    type: str
    default: Any = REQUIRED
    check: Callable[[Any], Any] = unchanged
    doc: str = ""
    keyword: bool = False
    in_engines: bool = True
    sql: Literal["column", "named", "name", "register"] | None = None
    sql_check: Callable[[Any], Any] | None = None
    sql_optional: bool = False
    sql_doc: str = ""
    several: str = ""
    to_text: Callable[[Any], str] = str.__str__
    from_text: Callable[[str], Any] = unchanged

    @property
    def is_required(self) -> bool:
        return self.default is REQUIRED

    @property
    def text_name(self) -> str:
        """The name of one text."""
        return self.several or self.name

    @property
    def is_sql_column(self) -> bool:
        return self.sql in ("column", "named", "name")

    @property
    def is_argument_of_register(self) -> bool:
        """Whether it is an argument of `register`: its value, or its values by their names."""
        return self.sql in ("register", "named", "name")

    @property
    def needs_register(self) -> bool:
        """Whether functions with this option exist only if `register` gets a value for it."""
        return self.is_required and self.sql in ("register", "name")

    def in_sql(self) -> Option:
        """The option as SQL has it: what `read_sql` returns needs no other check."""
        own = {"check": unchanged, "sql_check": self.sql_check or self.check}
        return Option(**{**vars(self), **own}) if self.sql else self

    def read_sql(self, text: Any) -> Any:
        return (self.sql_check or self.check)(text)


# In SQL, the base of relative URLs is the last argument. NULL is no base.
SQL_BASE: Final = Option("base", "str | None", None, sql="column", sql_optional=True)


@row
class Verb:
    """A verb: `work` makes the fields of its columns from its options, and binds them to these. Without `work`, the
    column is one of a URL itself.

    `name` gives the names: `url_NAME` in engines and SQL, `NAME` in a namespace such as Polars', `NAME_many` in
    `weburl.bulk`. The last may be another (`many`), or None; without `in_engines`, engines do not have the verb.

    `doc` is one sentence, `more` what `weburl.bulk` says beyond it, and `bulk_doc` its own sentence if it has one.
    `example` is what docstrings show: the source of each column, that of the other arguments, after the lines that it
    needs, and the result; or the whole text. `bulk_example` is that of `weburl.bulk`, if it differs.

    In SQL the result, the words and the work may be others, and its only option may take `any_number` of columns.

    A base is keyword only, unless `base_is_second`. What a verb gives depends on the encoding of the query if
    `takes_encoding`. With `finds_key`, its option `key` names a parameter of the query: in SQL, each row has its own.

    `field` names the only column of the result among the fields that `work` makes; with `is_column`, `parse_many` and
    the command give it, too. A result that is a struct has a column for each name in the option that `names` says.
    Strings can be views of the input, unless they have `own_text`; with `views`, callers of `weburl.bulk` can ask for
    views.
    """

    name: str
    result: Result
    doc: str
    field: str = ""
    options: tuple[Option, ...] = ()
    work: Callable[..., Iterable[Field]] | None = None
    columns: tuple[str, ...] = ("url",)
    takes_base: bool = True
    base_is_second: bool = False
    takes_encoding: bool = False
    is_column: bool = False
    own_text: bool = False
    views: bool = False
    names: str = ""
    many: str | None = ""
    in_engines: bool = True
    more: str = ""
    bulk_doc: str = ""
    example: Example | str = ""
    bulk_example: Example | str = ""
    sql_result: Result | None = None
    sql_doc: str = ""
    sql_work: Callable[..., Iterable[Field]] | None = None
    any_number: bool = False
    finds_key: bool = False

    @property
    def function(self) -> str:
        """The name of the function, in engines and in SQL."""
        return self.name if self.name == "parse_url" else f"url_{self.name}"

    @property
    def method(self) -> str:
        """The name of the method of a namespace."""
        return self.name

    @property
    def bulk(self) -> str | None:
        """The name in `weburl.bulk`."""
        return f"{self.name}_many" if self.many == "" else self.many

    @property
    def is_struct(self) -> bool:
        return self.result == "struct"

    @property
    def engine_options(self) -> tuple[Option, ...]:
        return tuple([option for option in self.options if option.in_engines])

    @property
    def sql_options(self) -> tuple[Option, ...]:
        """Those that are columns in SQL."""
        return tuple([option for option in self.options if option.is_sql_column])

    @property
    def sql_arguments(self) -> tuple[Option, ...]:
        """What a call in SQL has after its columns: the options that are columns there, and perhaps a base."""
        return (*self.sql_options, SQL_BASE) if self.takes_base and not self.any_number else self.sql_options

    @property
    def sql_counts(self) -> range:
        """How many arguments a call in SQL can have. Those that can be left out are the last."""
        most = len(self.columns) + len(self.sql_arguments)
        return range(most - sum(option.sql_optional for option in self.sql_arguments), most + 1)

    def result_with(self, options: Mapping[str, Any]) -> Result:
        """The result with these options: a fingerprint of more than 64 bits is not a number."""
        has_bits = any(option.name == "bits" for option in self.options)
        return "digest" if has_bits and options.get("bits", 64) > 64 else self.result

    def in_sql(self) -> Verb:
        """The verb as SQL has it: with options that are read from the texts of columns."""
        options = tuple([option.in_sql() for option in self.options])
        own = {"result": self.sql_result, "doc": self.sql_doc, "work": self.sql_work, "options": options}
        return Verb(**{**vars(self), **{name: value for name, value in own.items() if value}})

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options, as `work` takes them."""
        checked = {}
        for option in self.options:
            value = options.get(option.name, option.default)
            if value is REQUIRED:
                raise TypeError(f"{self.name} needs {option.name}")
            checked[option.name] = option.check(value)
        for name in options:
            if name not in checked:
                raise TypeError(f"{self.name} has no option {name!r}")
        return checked

    def refuse(self, base: object, encoding: object) -> None:
        """Raises if there is a base or an encoding that the verb does not take; None is not there."""
        for name, value, is_taken in (("base", base, self.takes_base), ("encoding", encoding, self.takes_encoding)):
            if value is not None and not is_taken:
                raise TypeError(f"{self.name} has no option {name!r}")

    def fields(self, options: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields of the columns, from options that are checked."""
        if self.work is None:
            return (FIELDS[self.field],)
        return tuple([each for each in self.work(**options) if not self.field or each.name == self.field])


# What `parse_many` gives by default.
URL_FIELDS: Final = tuple([name for name, field in FIELDS.items() if field.is_default])

# The verbs, in the order of the pages: filled by `weburl._verbs.table`.
VERBS: Final[list[Verb]] = []


def engine_verbs() -> dict[str, Verb]:
    """The verbs that engines have, by the names of their functions."""
    return {verb.function: verb for verb in VERBS if verb.in_engines}


def column_names() -> tuple[str, ...]:
    """The columns that `parse_many` and the command can give."""
    return (*URL_FIELDS, *[verb.field for verb in VERBS if verb.is_column])
