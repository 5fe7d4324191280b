"""The build of the documentation: `make docs`."""

from __future__ import annotations

import ast
import os
import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src" / "weburl"
sys.path.insert(0, str(HERE.parent / "tools"))

from plain_pages import for_frozen  # noqa: E402

project = "weburl"
author = copyright = "weburl contributors"
release = version = version_of("weburl")

extensions = ["myst_parser", "sphinx.ext.autodoc", "plain_pages", "playground_page"]
exclude_patterns = ["requirements.txt"]
myst_heading_anchors = 3

html_theme = "furo"
# Where the site is, with a slash at the end: `WEBURL_DOCS=https://docs.example.org/ make docs`. Without it, links of
# llms.txt are relative.
html_baseurl = os.environ.get("WEBURL_DOCS", "")
html_title = f"weburl {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(HERE / "_static" / "search_order.js")
html_copy_source = html_show_sphinx = False

default_role = "code"
add_module_names = False
autodoc_member_order = "groupwise"
# Only this implementation calls add_signature() for compiled functions.
autodoc_use_legacy_class_based = True
# The engines need not be installed.
autodoc_mock_imports = [
    name for path in sorted(SOURCE.glob("ext/*.py")) for name in re.findall(r'needed\("(\w+)"', path.read_text("utf-8"))
]


class Declarations(ast.NodeVisitor):
    """Signatures and types of attributes, read from the source: compiled functions do not have them."""

    def __init__(self) -> None:
        self.signatures: dict[str, tuple[str, str | None]] = {}
        self.types: dict[str, str] = {}
        self.prefix = ""
        for file in (
            "url.pyi",
            "search_params.pyi",
            "_crawl/canonical.pyi",
            "_crawl/policy.pyi",
            "_redact/redact.pyi",
            "_hosts/suffixes.pyi",
        ):
            self.visit(ast.parse((SOURCE / file).read_text("utf-8")))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        # The members that URL and FrozenURL have in common.
        for name in ("URL", "FrozenURL") if node.name == "CommonURL" else (node.name,):
            self.prefix = f"{name}."
            self.generic_visit(node)
        self.prefix = ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        returns = ast.unparse(node.returns) if node.returns else None
        decorators = {ast.unparse(each) for each in node.decorator_list}
        name = f"{self.prefix}{node.name}"
        if "property" in decorators:
            self.types[name] = f"`{returns}`, read only"
        elif f"{node.name}.setter" in decorators:
            self.types[name] = self.types[name].removesuffix(", read only")
        elif "overload" not in decorators:
            arguments = ast.unparse(node.args)
            if self.prefix and "staticmethod" not in decorators:
                arguments = arguments.partition(", ")[2]
            self.signatures[name.removesuffix(".__init__")] = f"({arguments})", returns


def setup(app: Sphinx) -> None:
    declared = Declarations()

    def end_examples(app: Sphinx, name: str, source: list[str]) -> None:
        # An empty line ends the output of a doctest. A reader does not need it.
        source[0] = source[0].replace("\n\n```\n", "\n```\n")

    def add_signature(
        app: Sphinx, what: str, name: str, thing: Any, options: Any, text: str | None, returned: str | None
    ) -> tuple[str, str | None] | None:
        if what == "module":
            # A function can have the name of its module.
            return None
        signature, returns = declared.signatures.get(name.removeprefix("weburl."), (None, None))
        if signature is None and what in ("function", "class"):
            signature, returns = declared.signatures.get(name.rpartition(".")[2], (None, None))
        if signature is None and text:
            # As a program writes it.
            signature = text.replace("Ellipsis", "...").replace("<built-in function time>", "time.time")
            returns = returned
        return None if signature is None else (signature, None if what == "class" else returns)

    def add_type(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
        if name.removeprefix("weburl.") in declared.types and lines:
            lines[0] = f"{declared.types[name.removeprefix('weburl.')]}. {lines[0]}"

    def name_class(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
        if name.startswith("weburl.FrozenURL."):
            lines[:] = for_frozen(lines)

    def link_pages(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
        # A docstring names a page by its file, for help(). Here it is the page's title, with a link.
        lines[:] = [re.sub(r"\bdocs/([\w/-]+)\.md\b", r":doc:`/\1`", line) for line in lines]

    def level_captions(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: object) -> None:
        # A heading needs a level, for those who hear the page.
        context["furo_navigation_tree"] = context.get("furo_navigation_tree", "").replace(
            '<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'
        )

    app.connect("source-read", end_examples)
    app.connect("autodoc-process-signature", add_signature)
    app.connect("autodoc-process-docstring", add_type)
    app.connect("autodoc-process-docstring", name_class)
    app.connect("autodoc-process-docstring", link_pages)
    app.connect("html-page-context", level_captions, priority=900)
