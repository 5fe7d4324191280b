"""Functions of Python, made from verbs: with the signatures, types and docstrings that written ones have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, Final, Literal

from weburl._verbs.verb import REQUIRED, Option, Verb, row
from weburl.url import URL, FrozenURL

# What most annotations name: `typing.get_type_hints` looks for it in the module of the function.
TYPES: Final = {
    "Any": Any, "FrozenURL": FrozenURL, "Iterable": Iterable, "Literal": Literal,
    "OnError": Literal["null", "raise"], "URL": URL,
}  # fmt: skip
BASE = Option("base", "str | URL | FrozenURL | None", None)
OTHER_BASE = Option("base", "str | URL | FrozenURL | None", None, keyword=True)
ENCODING = Option("encoding", "str", "utf-8", keyword=True)
THREADS = Option("threads", "int | None", None, keyword=True)
ON_ERROR = Option("on_error", "OnError", "null", keyword=True)
VIEWS = Option("views", "bool", False, keyword=True)


@row
class Signature:
    """The name, types and words of a function. `self` has no type; with `rest`, there are **options, too."""

    name: str
    columns: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]
    returns: str
    doc: str
    rest: bool = False

    def parameters(self) -> list[str]:
        """The source of each."""
        parameters = [f"{name}: {type}" if type else name for name, type in self.columns]
        for option in self.options:
            if option.keyword and "*" not in parameters:
                parameters.append("*")
            default = "" if option.default is REQUIRED else f" = {source_of(option.default)}"
            parameters.append(f"{option.name}: {option.type}{default}")
        return [*parameters, "**options: Any"] if self.rest else parameters


def source_of(value: Any) -> str:
    """The source of a default, with double quotes if there are no others in it."""
    source = repr(value)
    return source if '"' in source or "\\" in source else source.replace("'", '"')


def bulk_signature(verb: Verb, name: str) -> Signature:
    """Of the function in `weburl.bulk`."""
    own = [option for option in verb.options if not option.keyword]
    keywords = [option for option in verb.options if option.keyword]
    before, after = ([], [VIEWS, *keywords]) if verb.views else (keywords, [])
    options = [*with_common(verb, own), *before, THREADS, ON_ERROR, *after]
    columns = ("base", "refs") if len(verb.columns) == 2 else (f"{verb.columns[0]}s",)
    doc = paragraphs(verb.bulk_doc or verb.doc, bulk_example(verb, name, columns), verb.more)
    returns = "Table" if verb.is_struct else "Column"
    return Signature(name, tuple([(column, "Any") for column in columns]), tuple(options), returns, doc)


def bulk_example(verb: Verb, name: str, columns: Iterable[str]) -> str:
    """The lines of an example, with a variable for each column."""
    example = verb.bulk_example or verb.example
    if isinstance(example, str):
        return example
    values, arguments, result = example
    lines = [f">>> {column} = {value}" for column, value in zip(columns, values, strict=True)]
    call = f"{name}({', '.join(filter(None, (*columns, arguments)))})"
    return "\n".join([*lines, f">>> {call}.to_pylist()", result])


def with_common(verb: Verb, own: Iterable[Option]) -> list[Option]:
    """A verb's own options, with the base and the encoding; those that are keyword only are the last."""
    first = [BASE] if verb.takes_base and verb.base_is_second else []
    common = [OTHER_BASE] if verb.takes_base and not verb.base_is_second else []
    common += [ENCODING] if verb.takes_encoding else []
    return sorted([*first, *own, *common], key=lambda option: option.keyword)


def paragraphs(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))


def make_function(
    signature: Signature, verb: Verb | None, use: Callable[..., Any], names: dict[str, Any], qualname: str = ""
) -> FunctionType:
    """A function that calls `use` with the verb, its columns and its options; `names` are those of its module."""
    # For most users, other modules have imported it.
    import linecache

    columns = "".join([f"{name}, " for name, _ in signature.columns])
    options = [f'"{option.name}": {option.name}' for option in signature.options] + ["**options"] * signature.rest
    made: dict[str, Any] = {}
    for name, value in TYPES.items():
        names.setdefault(name, value)
    # Its annotations stay texts, as everywhere.
    source = (
        f"def make(_use, _verb):\n"
        f"    def {signature.name}({', '.join(signature.parameters())}) -> {signature.returns}:\n"
        f"        return _use(_verb, ({columns}), {{{', '.join(options)}}})\n"
        f"    return {signature.name}\n"
    )
    path = f"<{names['__name__']}.{qualname or signature.name}>"
    # Tracebacks and inspect.getsource() find it there. linecache.checkcache() keeps entries whose mtime is None.
    linecache.cache[path] = len(source), None, source.splitlines(keepends=True), path
    exec(compile(source, path, "exec"), names, made)
    function: FunctionType = made["make"](use, verb)
    function.__doc__ = signature.doc
    function.__qualname__ = qualname or signature.name
    return function
