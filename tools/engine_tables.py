"""Writes the tables of functions in docs/engines/: the list in ext/_engines/functions.py, as each engine has it.

    python tools/engine_tables.py

Signatures are read from the modules in weburl.ext, which are not imported: no engine is needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from weburl.ext._engines.functions import FUNCTIONS, Function
from weburl.ext._engines.versions import NEEDED

ROOT = Path(__file__).resolve().parent.parent
EXT = ROOT / "src" / "weburl" / "ext"
PAGES = ROOT / "docs" / "engines"
BEGIN, END = "<!-- functions -->\n", "<!-- /functions -->\n"

# As functions, as methods of a namespace, and in SQL.
MODULES = ("daft", "pyarrow", "pyspark", "ray")
NAMESPACES = ("pandas", "polars")
IN_SQL = ("daft", "duckdb", "pyspark")
ENGINES = ("daft", "duckdb", "pandas", "polars", "pyarrow", "pyspark", "ray")
# Spark has a function with this name.
SQL_NAMES = {("pyspark", "parse_url"): "session.parse_url"}
ANY_NUMBER = {"parse_url": "u, part[, key]", "url_query": "u, key, ..."}

LINKS = {
    "`weburl.bulk.parse_many`": "[`parse_many`](../bulk.md#fields)",
    "`weburl.bulk.pattern_extract_many`": "[`pattern_extract_many`](../bulk.md#patterns)",
    "`weburl.crawl.canonicalize`": "[`canonicalize`](../crawl.md#one-key-for-a-page)",
    "`weburl.crawl.fingerprint`": "[`fingerprint`](../crawl.md#fingerprints)",
    "`weburl.hosts.is_private_url`": "[`is_private_url`](../hosts.md#before-fetching)",
    "`weburl.redact.redact`": "[`redact`](../redact.md)",
    "`weburl.redact.path_template`": "[`path_template`](../redact.md#templates)",
    "`HostSet`": "[`HostSet`](../hosts.md#sets-of-hosts)",
    "a pattern;": "a [pattern](../bulk.md#patterns);",
    "A part by its name in SQL:": "[A part by its name in SQL](duckdb.md#parse_url):",
}


def functions_of(engine: str) -> dict[str, ast.FunctionDef]:
    """The public functions of a module, or the methods of its namespace."""
    body = ast.parse((EXT / f"{engine}.py").read_text("utf-8")).body
    if engine in NAMESPACES:
        (namespace,) = (one for one in body if isinstance(one, ast.ClassDef))
        body = namespace.body
    found = (one for one in body if isinstance(one, ast.FunctionDef))
    return {one.name: one for one in found if not one.name.startswith("_")}


def name_in(engine: str, function: Function) -> str:
    return function.name.removeprefix("url_") if engine in NAMESPACES else function.name


def signature(function: ast.FunctionDef) -> str:
    """The call, with the defaults. What all functions take is left out."""
    arguments = function.args
    names = [argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)]
    required = len(arguments.args) - len(arguments.defaults)
    defaults = [f"={ast.unparse(value)}" for value in (*arguments.defaults, *filter(None, arguments.kw_defaults))]
    given = [f"{name}{default}" for name, default in zip(names, [""] * required + defaults, strict=True)]
    return f"{function.name}({', '.join(each for each in given if each != 'self')})"


def sql_signature(engine: str, function: Function) -> str:
    names = (*function.columns, *function.options)[: function.sql_columns]
    given = ANY_NUMBER.get(function.name) or ", ".join(names).replace("url", "u").replace("text", "u")
    return f"{SQL_NAMES.get((engine, function.name), function.name)}({given.replace('groups', 'group')})"


def rows(engine: str) -> Iterator[tuple[str, ...]]:
    found = {} if engine == "duckdb" else functions_of(engine)
    yield (*(["function"] if found else []), *(["in SQL"] if engine in IN_SQL else []), "what it gives")
    for function in FUNCTIONS.values():
        own = found.get(name_in(engine, function))
        # A namespace has its own words.
        doc = function.sql_doc or function.doc if own is None else first_line(own)
        calls = [] if own is None else [signature(own)]
        calls += [sql_signature(engine, function)] if engine in IN_SQL else []
        yield (*(f"`{call}`" for call in calls), linked(doc, engine))
    if "parse_column" in found:
        own = found["parse_column"]
        yield (f"`{signature(own)}`", *([""] if engine in IN_SQL else []), linked(first_line(own), engine))


def first_line(function: ast.FunctionDef) -> str:
    return (ast.get_docstring(function) or "").partition("\n")[0]


def linked(doc: str, engine: str) -> str:
    for words, link in LINKS.items():
        if not (engine == "duckdb" and "duckdb.md" in link):
            doc = doc.replace(words, link)
    return doc.replace("|", "\\|")


def table(engine: str) -> str:
    head, *rest = rows(engine)
    lines = [f"| {' | '.join(row)} |\n" for row in (head, *rest)]
    return "".join([lines[0], "|---" * len(head), "|\n", *lines[1:]])


def page_with_table(engine: str) -> str:
    page = (PAGES / f"{engine}.md").read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    package, oldest = NEEDED[engine]
    install = f"`pip install weburl '{package}>={oldest}'`: older versions are refused."
    return f"{before}{BEGIN}\n{install}\n\n{table(engine)}\n{END}{after}"


if __name__ == "__main__":
    for engine in ENGINES:
        (PAGES / f"{engine}.md").write_text(page_with_table(engine), "utf-8")
