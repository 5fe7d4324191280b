"""What all engines need: their functions, made from the verbs. A module of an engine has what is its own."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.make_functions import ENCODING, OTHER_BASE, Signature, make_function, paragraphs, with_common
from weburl._verbs.options import FIELDS, shown
from weburl._verbs.verb import REQUIRED, Option, Verb, engine_verbs, row
from weburl._verbs.work import evaluate, names_of, prepare, split_options

if TYPE_CHECKING:
    from weburl._arrow.job import Job

    Result = str | tuple[str, ...]

# What `parse_column` gives, in each engine.
PARSED_COLUMNS: Final = "with the parts of one of its columns: `url_hostname` and so on for a column `url`."


@row
class Engine:
    """An engine: how its functions are typed, described and shown in examples.

    tools/verb_pages.py reads the arguments without an import of the module: all are literals.
    """

    # The name of the module, and what is imported for it.
    name: str
    # The type of a column; of a column of bases, if that is another; of a result; and of a struct, if that is another.
    column: str = "Any"
    bases: str = ""
    result_type: str = "Any"
    struct: str = ""
    # Whether columns are called `urls`, and not `url`.
    plural_names: bool = False
    # Whether functions take the options of `weburl.bulk`, such as `threads`.
    takes_bulk_options: bool = False
    # The class whose methods the functions are.
    namespace: str = ""
    # The types of options that differ from those of verbs.
    types: Mapping[str, str] = {}
    # Sentences after the words of a verb, by its name.
    notes: Mapping[str, str] = {}
    # What replaces some words in those of verbs.
    words: Mapping[str, str] = {}
    # Whether there are functions of SQL, and which have another name there.
    sql: bool = False
    sql_names: Mapping[str, str] = {}
    # Whether there are functions of Python.
    functions: bool = True
    # How one writes an example. `imports`: its first lines. `column`: what is made of a column; or `frame`: what is
    # made of the columns `rows`, and `frame_column`: how one of them is named. `result`, `struct`, `pairs`: how a list
    # is made of a result of this kind.
    example: Mapping[str, str] = {}

    def name_of(self, verb: Verb) -> str:
        return verb.method if self.namespace else verb.function

    def doc_of(self, verb: Verb) -> str:
        """The docstring of a function."""
        doc = self.in_own_words(verb.doc)
        notes = [self.notes.get(verb.name, ""), *[option.doc for option in verb.engine_options]]
        return paragraphs(doc, self.example_of(verb), *notes)

    def example_of(self, verb: Verb) -> str:
        """The lines of an example of the function."""
        texts, example = self.example, verb.example
        if not texts or isinstance(example, str):
            return ""
        columns, arguments, result = example
        *before, arguments = arguments.split("\n")
        names = [f"{name}s" if self.plural_names or self.namespace else name for name in verb.columns]
        if "frame" in texts:
            pairs = ", ".join([f'"{name}": {column}' for name, column in zip(names, columns, strict=True)])
            lines = [f"rows = {{{pairs}}}", texts["frame"]]
            given = [texts["frame_column"].format(name) for name in names]
        else:
            made = [texts["column"].format(column) for column in columns]
            lines = [f"{name} = {column}" for name, column in zip(names, made, strict=True)]
            given = names
        subject = f"{given.pop(0)}.weburl." if self.namespace else ""
        call = f"{subject}{self.name_of(verb)}({', '.join(filter(None, (*given, arguments)))})"
        shown = texts.get(verb.result, texts["result"])
        lines = "\n".join([texts["imports"], *before, *lines, shown.format(call)]).split("\n")
        return "\n".join([*[f">>> {line}" for line in lines], result])

    def in_own_words(self, doc: str) -> str:
        for words, own in self.words.items():
            doc = doc.replace(words, own)
        return doc

    def sql_signature(self, verb: Verb) -> str:
        """A call in SQL."""
        least = verb.sql_counts.start
        names = sql_names(verb)
        optional = "".join([f"[, {name}" for name in names[least:]]) + "]" * (len(names) - least)
        arguments = ", ".join(names[:least]) + (", ..." if verb.any_number else optional)
        return f"{self.sql_names.get(verb.function, verb.function)}({arguments})"

    def filled(self, doc: str) -> str:
        """Fills the marks of a docstring, or of a text with docstrings.

        `{functions}` becomes the list of the functions of SQL and of `register`'s arguments; `{parts}` becomes what
        `parse_column` adds.
        """
        doc = doc.replace("{parts}", PARSED_COLUMNS)
        if "{functions}" not in doc:
            return doc
        before, indent, after = re.split(r"^( *)\{functions\}", doc, maxsplit=1, flags=re.MULTILINE)
        listed: list[str] = []
        for verb in engine_verbs().values():
            text = f"- `{self.sql_signature(verb)}`: {verb.sql_doc or verb.doc}"
            listed += textwrap.wrap(
                text, 112, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
            )
        words = dict.fromkeys([each.sql_doc for verb in engine_verbs().values() for each in verb.options])
        options = textwrap.wrap(" ".join(filter(None, words)), 116, initial_indent=indent, subsequent_indent=indent)
        return before + "\n".join([*listed, "", *options]) + after

    def signature(self, verb: Verb) -> Signature:
        """Of the function for a verb."""
        columns = [(f"{name}s" if self.plural_names else name, self.column) for name in verb.columns]
        if len(columns) == 2:
            columns[0] = (columns[0][0], self.bases or self.column)
        if self.namespace:
            columns = [("self", ""), *[(f"{name}s", self.bases) for name, _ in columns[1:]]]
        own = [self._typed(option) for option in with_common(verb, verb.engine_options)]
        returns = (self.struct or self.result_type) if verb.is_struct else self.result_type
        name, doc = self.name_of(verb), self.doc_of(verb)
        return Signature(name, tuple(columns), tuple(own), returns, doc, self.takes_bulk_options)

    def _typed(self, option: Option) -> Option:
        return Option(**{**vars(option), "type": self.types.get(option.name, option.type)})

    def written_signature(
        self, name: str, parameters: Iterable[Option], cls: type[Sql | ParsedColumns], returns: str, doc: str
    ) -> Signature:
        """Of a function that a module has. Instead of an object of `cls`, users pass the arguments of that class."""
        options: list[Option] = []
        for option in parameters:
            options += cls.parameters(self) if option.type == cls.__name__ else [option]
        options.sort(key=lambda option: option.keyword)
        return Signature(name, (), tuple(options), returns, doc, self.takes_bulk_options and cls.takes_bulk_options)

    def with_options_of(self, cls: type[Sql | ParsedColumns]) -> Callable[[Any], Any]:
        """Makes the function that users call, from one with a parameter of the type `cls`.

        Users pass the arguments of `cls`, and the function gets the object that is made from them. With `Sql`,
        `register(spark, *, sql: Sql)` becomes `register(spark, fields=None, *, bits=64, routes=None, ...)`.
        """

        def decorate(function: Any) -> Any:
            parameters = parameters_of(function)
            (replaced,) = [option.name for option in parameters if option.type == cls.__name__]
            own = {option.name for option in parameters} - {replaced}

            def use(_: object, columns: object, options: dict[str, Any]) -> Any:
                given = {name: options.pop(name) for name in [*options] if name in own}
                return function(**given, **{replaced: cls(**options)})

            doc = self.filled(function.__doc__ or "")
            returns = function.__annotations__["return"]
            signature = self.written_signature(function.__name__, parameters, cls, returns, doc)
            return make_function(signature, None, use, function.__globals__)

        return decorate

    def add_functions(self, module: dict[str, Any], use: Callable[..., Any]) -> list[str]:
        """Adds the functions to a module; returns their names. A function calls `use(verb, columns, options)`."""
        verbs = {self.name_of(verb): verb for verb in engine_verbs().values()}
        for name, verb in verbs.items():
            module[name] = make_function(self.signature(verb), verb, use, module)
        return [*verbs]

    def add_methods(self, namespace: type, module: dict[str, Any], use: Callable[..., Any]) -> None:
        """Adds the methods to the class of a namespace."""
        for verb in engine_verbs().values():
            name = self.name_of(verb)
            qualname = f"{namespace.__qualname__}.{name}"
            setattr(namespace, name, make_function(self.signature(verb), verb, use, module, qualname))


def parameters_of(function: Any) -> list[Option]:
    """Of a function that is written: `inspect` would take longer to import than all else here."""
    code, annotations = function.__code__, function.__annotations__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    positional, values = names[: code.co_argcount], function.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    defaults |= function.__kwdefaults__ or {}
    return [
        Option(name, annotations[name], defaults.get(name, REQUIRED), keyword=name not in positional) for name in names
    ]


def sql_names(verb: Verb) -> tuple[str, ...]:
    """The arguments of a call in SQL. Of several groups or keys, there is one."""
    return (*verb.columns, *[option.text_name for option in verb.sql_arguments])


class Task:
    """The options of a verb, checked before any work: `arguments` for the function, and the kind of its `result`, which
    is the names of a struct."""

    def __init__(self, verb: Verb, options: Mapping[str, Any]) -> None:
        common, own = split_options(options)
        checked = verb.checked(own)
        names = names_of(verb, checked, **common)
        self.result = names if verb.is_struct else verb.result_with(checked)
        self.arguments = {**checked, **common}


# How many jobs a registration keeps, for different functions, keys and patterns.
MOST_JOBS: Final = 256


class Sql:
    """What is the same in all calls from SQL: the arguments of `register`, checked."""

    takes_bulk_options = False

    @staticmethod
    def parameters(engine: Engine) -> list[Option]:
        """The arguments of `register`. All but the first are keyword only."""
        made: list[Option] = []
        for option in options_of_register():
            kind, default = option.type, option.default
            if option.sql != "register":
                kind, default = f"Mapping[str, {kind}] | None", None
            elif option.is_required:
                kind, default = f"{kind} | None", None
            made.append(Option(option.name, kind, default, keyword=bool(made)))
        return made

    def __init__(self, **given: Any) -> None:
        self.values_of_register = {option.name: checked_value(option, given) for option in options_of_register()}
        for verb in engine_verbs().values():
            if verb.names in self.values_of_register:
                # Raises now, and not with the first row, if what a field needs is not installed.
                self.values_of_register[verb.names] = names_of(verb, {verb.names: self.values_of_register[verb.names]})
        self._jobs: dict[Any, Job] = {}

    def __getstate__(self) -> dict[str, Any]:
        # Workers of engines make their own jobs.
        return {**vars(self), "_jobs": {}}

    def job(self, verb: Verb, values: Mapping[str, Any], views: bool) -> Job:
        """The job for values that are the same for all rows. Those of the last values are kept."""
        key = (verb.function, views, *values.items())
        job = self._jobs.get(key)
        if job is None:
            if len(self._jobs) >= MOST_JOBS:
                self._jobs.clear()
            job = self._jobs[key] = prepare(verb, self.options(verb, values), views=views)
        return job

    def verbs(self) -> dict[str, Verb]:
        """Those that SQL has, by the names of their functions: url_route needs routes, url_robots_allowed robots."""
        return {
            name: verb.in_sql()
            for name, verb in engine_verbs().items()
            if all(self.values_of_register[option.name] is not None for option in verb.options if option.needs_register)
        }

    def values(self, verb: Verb, given: Sequence[Any]) -> dict[str, Any]:
        """The options of a call: its values after its columns, of which the last may be left out.

        With any number of values, all are of one option, and NULL is left out.
        """
        names = [option.name for option in verb.sql_options]
        if not verb.any_number:
            return dict(zip(names, given, strict=False))
        if not given:
            raise ValueError(f"{verb.function}() takes a URL and {names[0]}")
        return {names[0]: tuple(given)}

    def options(self, verb: Verb, values: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a verb, with the values of those that are columns."""
        options: dict[str, Any] = {}
        for option in verb.options:
            if option.sql == "register":
                options[option.name] = self.values_of_register[option.name]
            elif option.name in values:
                options[option.name] = self._read(option, values[option.name])
        return options

    def _read(self, option: Option, value: Any) -> Any:
        """The value of an option, from a column: what has this name, or what the text says."""
        named = self.values_of_register.get(option.name, {})
        if value in named:
            return named[value]
        if option.sql == "name":
            argument = f"register({option.name}=...)"
            raise ValueError(f"{option.name} must be one of the names that you pass to {argument}, not {shown(value)}")
        return option.read_sql(value)

    def result(self, verb: Verb) -> Result:
        """The kind of the result; of a struct, the names of its fields."""
        names: tuple[str, ...] | None = self.values_of_register[verb.names] if verb.is_struct else None
        return names or verb.result_with(self.values_of_register)


def options_of_register() -> list[Option]:
    """The options of verbs whose values `register` takes."""
    found = [option for verb in engine_verbs().values() for option in verb.options if option.is_argument_of_register]
    return [*{option.name: option for option in found}.values()]


def checked_value(option: Option, given: Mapping[str, Any]) -> Any:
    """What `register` got for an option, checked. None: SQL has no function with it."""
    default = None if option.is_required else option.default
    value = given.get(option.name, default)
    if option.sql == "register":
        return option.check(value) if value is not None or not option.is_required else None
    if value is None:
        return None if option.needs_register else {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"{option.name} must be {option.type} by their names, each a str, not {shown(value)}")
    return {name: option.check(each) for name, each in value.items()}


class ParsedColumns:
    """What `parse_column` adds to a frame: a field of the URL, one of `fields`, as each of the columns `columns`.

    Raises here for wrong arguments, before any work. To check them, it parses an empty column.
    """

    # Whether it takes the options of `weburl.bulk`, such as `threads`, if the engine's functions do.
    takes_bulk_options = True

    @staticmethod
    def parameters(engine: Engine) -> list[Option]:
        return [Option("name", "str"), FIELDS, OTHER_BASE, *([] if engine.takes_bulk_options else [ENCODING])]

    def __init__(self, name: str, fields: Iterable[str] | None = None, **options: Any) -> None:
        parse = engine_verbs()["url_parse"]
        self.name = name
        self.fields = evaluate(parse, ((),), {"fields": fields, **options})[0].names
        self.columns = [f"{name}_{field}" for field in self.fields]
        self.options = options


def type_of(result: Result, types: Mapping[str, Any], struct: Callable[[tuple[str, ...]], Any]) -> Any:
    """An engine's type for a kind of result, or for a struct of texts with these names."""
    return struct(result) if isinstance(result, tuple) else types[result]
