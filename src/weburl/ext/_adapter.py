"""What all engines need: their functions, made from the verbs. A module of an engine has what is its own."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.functions import Signature, make_function, paragraphs, with_common
from weburl._verbs.options import check_bits, check_hosts, check_robots, check_routes, shown
from weburl._verbs.verb import Option, Verb, engine_verbs, row
from weburl._verbs.work import names_of, prepare, split_options

if TYPE_CHECKING:
    from weburl._arrow.job import Job
    from weburl._hosts.host_set import HostSet
    from weburl._robots.robots import Robots
    from weburl._verbs.options import Hosts, Routes
    from weburl.patterns import PatternList

# What is said of `register` in each engine, after its functions of SQL.
OPTIONS: Final = (
    "`fields` are those of `url_parse`, by default all. `url_route` exists if you pass `routes`: a `PatternList`, or a "
    "list or mapping of patterns. `hosts` gives names to sets: each is a `HostSet`, or a list of host patterns. The "
    "second argument of `url_host_in` is a text: one of these names, or host patterns with white space between them. "
    "`url_robots_allowed` exists if you pass `robots`, which gives names to `Robots`; its second argument is such a "
    "name. A policy is a text: the name of one of weburl's own, or the `repr` of a policy. `bits` are those of "
    "`url_fingerprint`: up to 64 give a number, 96 or 128 bytes."
)
# In SQL, the functions with any number of arguments.
ANY_NUMBER: Final = {"parse_url": "url, part[, key]", "url_query": "url, key, ..."}


@row
class Engine:
    """What is said of an engine: here, in its stub and on its page. tools/verb_pages.py reads it without an import.

    `column` is the type of a column, `bases` that of one of bases, and `gives` that of a result, `struct` of a struct.
    `example` is how one writes an example: the lines `imports`; what is made of a `column` or, as a `frame`, of
    the columns `rows`, and how its columns are named (`of`); and how a list is made of the `result`, or of a
    `struct` or `pairs`.

    With `plural`, columns are called `urls`; with `rest`, functions take the options of `weburl.bulk`; with
    `namespace`, the functions are methods of this class. `types` are those of options that differ, `notes` are added to
    the words of a verb, and `words` are replaced in them. `sql` says whether there are functions of SQL, and
    `sql_names` which have other names there.
    """

    name: str
    column: str = "Any"
    bases: str = ""
    gives: str = "Any"
    struct: str = ""
    plural: bool = False
    rest: bool = False
    namespace: str = ""
    types: Mapping[str, str] = {}
    notes: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    sql: bool = False
    sql_names: Mapping[str, str] = {}
    functions: bool = True
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
        names = [f"{name}s" if self.plural or self.namespace else name for name in verb.columns]
        if "frame" in texts:
            pairs = ", ".join([f'"{name}": {column}' for name, column in zip(names, columns, strict=True)])
            lines = [f"rows = {{{pairs}}}", texts["frame"]]
            given = [texts["of"].format(name) for name in names]
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
        arguments = ", ".join(names[:least]) + optional
        return f"{self.sql_names.get(verb.function, verb.function)}({ANY_NUMBER.get(verb.function, arguments)})"

    def with_functions(self, doc: str | None) -> str:
        """A docstring that has a mark where the functions of SQL are listed, and the options explained."""
        if doc is None:
            return ""
        before, indent, after = re.split(r"^( *)\{functions\}", doc, maxsplit=1, flags=re.MULTILINE)
        listed: list[str] = []
        for verb in engine_verbs().values():
            text = f"- `{self.sql_signature(verb)}`: {verb.sql_doc or verb.doc}"
            listed += textwrap.wrap(
                text, 112, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
            )
        options = textwrap.wrap(OPTIONS, 116, initial_indent=indent, subsequent_indent=indent)
        return before + "\n".join([*listed, "", *options]) + after

    def signature(self, verb: Verb) -> Signature:
        """Of the function for a verb."""
        columns = [(f"{name}s" if self.plural else name, self.column) for name in verb.columns]
        if len(columns) == 2:
            columns[0] = (columns[0][0], self.bases or self.column)
        if self.namespace:
            columns = [("self", ""), *[(f"{name}s", self.bases) for name, _ in columns[1:]]]
        own = [self._typed(option) for option in with_common(verb, verb.engine_options)]
        returns = (self.struct or self.gives) if verb.is_struct else self.gives
        return Signature(self.name_of(verb), tuple(columns), tuple(own), returns, self.doc_of(verb), self.rest)

    def _typed(self, option: Option) -> Option:
        return Option(**{**vars(option), "type": self.types.get(option.name, option.type)})

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


def sql_names(verb: Verb) -> tuple[str, ...]:
    """The arguments of a call in SQL. Of groups there is one."""
    names = (*verb.columns, *[option.name for option in verb.sql_arguments])
    return tuple([{"groups": "group"}.get(name, name) for name in names])


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
# Without these, SQL does not have the functions that take them.
NEEDED: Final = ("routes", "robots")


class Sql:
    """What is the same in all calls from SQL: the fields of url_parse, the routes of url_route, sets of hosts and files
    of robots.txt by their names, and how many bits url_fingerprint gives."""

    def __init__(
        self,
        fields: Any = None,
        routes: Routes | None = None,
        hosts: Mapping[str, Hosts] | None = None,
        bits: int = 64,
        robots: Mapping[str, Robots] | None = None,
    ) -> None:
        verbs = engine_verbs()
        self.bits = check_bits(bits)
        self.fields = names_of(verbs["url_parse"], {"fields": fields})
        self.routes: PatternList | None = None if routes is None else check_routes(routes)
        named = {} if hosts is None else hosts
        if not isinstance(named, Mapping) or not all(isinstance(name, str) for name in named):
            raise TypeError(f"hosts must be sets by their names, each a str, not {shown(hosts)}")
        self.hosts: dict[str, HostSet] = {name: check_hosts(each) for name, each in named.items()}
        files = {} if robots is None else robots
        if not isinstance(files, Mapping) or not all(isinstance(name, str) for name in files):
            raise TypeError(f"robots must be Robots by their names, each a str, not {shown(robots)}")
        self.robots: dict[str, Robots] | None = (
            None if robots is None else {name: check_robots(each) for name, each in files.items()}
        )

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
            if all(getattr(self, option.name) is not None for option in verb.options if option.name in NEEDED)
        }

    def options(self, verb: Verb, values: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a verb, with the values of those that are columns."""
        options: dict[str, Any] = {}
        for option in verb.options:
            if option.sql == "register":
                options[option.name] = getattr(self, option.name)
            elif option.name in values:
                value = values[option.name]
                named = getattr(self, option.name) if option.sql == "named" else {}
                options[option.name] = named[value] if value in named else option.read_sql(value)
        return options

    def result(self, verb: Verb) -> str | tuple[str, ...]:
        """The kind of the result; of a struct, the names of its fields."""
        return self.fields if verb.is_struct else verb.result_with(vars(self))


@contextmanager
def needed(name: str, oldest: str, package: str = "") -> Iterator[None]:
    """Around the imports of an engine: an ImportError names what is installed and what is needed.

    `name` is what is imported, and `package` what is installed, if that has another name.
    """
    advice = f"pip install '{package or name}>={oldest}'"
    try:
        yield
    except (ImportError, AttributeError) as error:
        installed = version_of(name)
        if installed is None:
            raise ImportError(f"this needs {name} {oldest} or later: {advice}") from error
        if not is_older(installed, oldest):
            raise
        raise ImportError(f"this needs {name} {oldest} or later, not {installed}: {advice}") from error
    installed = version_of(name)
    if installed is not None and is_older(installed, oldest):
        raise ImportError(f"this needs {name} {oldest} or later, not {installed}: {advice}")


def is_older(version: str, oldest: str) -> bool:
    """Whether a version comes before another; a release candidate counts as its release."""
    numbers, wanted = (
        [int(number) for number in re.findall(r"[0-9]+", text.partition("+")[0])] for text in (version, oldest)
    )
    return numbers < wanted


def version_of(name: str) -> str | None:
    """The version of a module that is imported; None if it is not, or does not say."""
    version = getattr(sys.modules.get(name), "__version__", None)
    return version if isinstance(version, str) else None
