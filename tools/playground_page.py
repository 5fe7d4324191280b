"""The forms of docs/playground.md, and the files that they load: Pyodide and the package's wheel, if these are built.

An extension of Sphinx. `make wasm TESTS=--build` makes the wheel, and npm has Pyodide. Neither is in the repository:
they are copied into the site. Without them, the page shows pictures instead of forms.
"""

from __future__ import annotations

import shutil
import zipfile
from functools import cache
from html import escape
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "wasm"
CODE = ROOT / "docs" / "_static"
PAGE = "playground"
# What Pyodide itself loads.
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
# What the page has of its own.
LOADED = ("playground_worker.js", "playground.py")
# What the package needs, which is Python only.
NEEDED = "idna"


class Field(NamedTuple):
    """A field of a form: `lines` is how many it shows. A private text is not in a link."""

    name: str
    label: str
    value: str
    lines: int = 1
    is_private: bool = False


class Form(NamedTuple):
    button: str
    fields: tuple[Field, ...]


BASE = Field("base", "Base, for a relative URL", "")
FORMS = {
    "explain": Form("Explain", (Field("url", "URL", "https://example.com\\@evil.example/../a b?c"), BASE)),
    "redact": Form(
        "Redact",
        (
            Field(
                "text",
                "Text",
                "GET https://ada:hunter2@example.com/reset?page=2&access_token=q8Zx3f7aK1vB9mTe 200\n"
                "Authorization: Bearer mF_9.B5f-4.1JqM",
                4,
                is_private=True,
            ),
        ),
    ),
    "template": Form(
        "Make templates",
        (
            Field(
                "paths",
                "Paths or URLs, one in each line",
                "/users/123/orders/8f14e45f-ceea-467f-a9e3-0123456789ab\n/users/7/orders\n"
                "https://example.com/posts/2026-11-29/ten-minutes-with-weburl?page=2",
                4,
            ),
        ),
    ),
    "compare": Form(
        "Compare",
        (
            Field("first", "First URL", "HTTP://Example.com:80/a/../index.html?b=2&utm_source=x&a=1#top"),
            Field("second", "Second URL", "http://example.com/?a=1&b=2"),
        ),
    ),
    "pattern": Form(
        "Test the pattern",
        (
            Field("pattern", "Pattern", "https://*.example.com/books/:id"),
            Field("url", "URL", "https://www.example.com/book/7"),
            Field("base", "Base, for a relative pattern or URL", ""),
        ),
    ),
    "robots": Form(
        "Test robots.txt",
        (
            Field(
                "robots",
                "robots.txt",
                "User-agent: *\nDisallow: /private\nAllow: /private/faq$\nDisalow: /*?sort=",
                6,
            ),
            Field("agent", "Product token of the crawler", "ExampleBot"),
            Field("url", "URL", "https://example.com/a/../private/%7Eada"),
        ),
    ),
}


class Built(NamedTuple):
    """What the forms load, but for the code of the page."""

    wheel: Path
    pyodide: Path

    @classmethod
    def within(cls, folder: Path) -> Built | None:
        """What is in the folder of `make wasm`, if all of it is there."""
        pyodide, wheels = folder / "node_modules" / "pyodide", sorted((folder / "dist").glob("*.whl"))
        is_there = wheels and all((pyodide / name).exists() for name in PYODIDE)
        return cls(wheels[0], pyodide) if is_there else None

    def megabytes(self) -> str:
        """What the browser gets from a server that does not compress."""
        files = [self.wheel, *(self.pyodide / name for name in PYODIDE), *(CODE / name for name in LOADED)]
        return f"{(len(needed()) + sum(file.stat().st_size for file in files)) / 1e6:.1f}"

    def copy(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        # The last one names the licence of Pyodide.
        for file in (self.wheel, *(self.pyodide / name for name in PYODIDE), self.pyodide / "package.json"):
            shutil.copyfile(file, folder / file.name)
        (folder / f"{NEEDED}.zip").write_bytes(needed())


@cache
def needed() -> bytes:
    """A ZIP file with the modules and the licence of the package that is needed, as it is installed here."""
    file_of_zip = BytesIO()
    with zipfile.ZipFile(file_of_zip, "w") as archive:
        for file in sorted(distribution(NEEDED).files or ()):
            if file.suffix == ".py" or "licenses" in file.parts or file.name in ("METADATA", "LICENSE.md"):
                # Each build makes the same bytes.
                info = zipfile.ZipInfo(file.as_posix())
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, Path(str(file.locate())).read_bytes())
    return file_of_zip.getvalue()


def field_markup(tool: str, field: Field) -> str:
    name = f"playground-{tool}-{field.name}"
    private = " data-private" * field.is_private
    return (
        f'<label for="{name}">{escape(field.label)}</label>\n'
        f'<textarea id="{name}" name="{field.name}" rows="{field.lines}" spellcheck="false" autocapitalize="off" '
        # HTML drops the first line end.
        f'autocomplete="off"{private}>\n{escape(field.value)}</textarea>'
    )


def form_markup(tool: str, built: Built) -> str:
    form = FORMS[tool]
    fields = "\n".join(field_markup(tool, field) for field in form.fields)
    load = f"Load {built.megabytes()} MB and {form.button[0].lower()}{form.button[1:]}"
    files = f'data-wheel="{escape(built.wheel.name)}" data-needed="{NEEDED}.zip"'
    return f"""<form class="playground" data-tool="{tool}" {files} aria-label="{form.button}">
{fields}
<p class="playground-buttons"><button data-run="{form.button}" data-load="{load}">{load}</button>
<button type="button" class="playground-stop" hidden>Stop</button></p>
<p class="playground-status" role="status"></p>
<div class="playground-answer"></div>
<p class="playground-link" hidden></p>
</form>"""


def built_for(app: Any) -> Built | None:
    return Built.within(Path(app.config.playground_built))


def directive() -> type:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Playground(Directive):  # type: ignore[misc]
        """`{playground} explain` is a form. What is in `{playground} with` is shown if there are forms, and what is in
        `{playground} without` if there are none."""

        required_arguments = 1
        has_content = True

        def run(self) -> list[Any]:
            argument, built = self.arguments[0], built_for(self.state.document.settings.env)
            if argument in FORMS:
                return [nodes.raw("", form_markup(argument, built), format="html")] if built else []
            if argument not in ("with", "without"):
                raise self.error(f"there is no form {argument}")
            if argument != ("with" if built else "without"):
                return []
            content = nodes.Element()
            self.state.nested_parse(self.content, self.content_offset, content)
            return list(content.children)

    return Playground


def outdated(app: Any, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The page is read anew in each build: the wheel may have come or gone."""
    return [PAGE] if PAGE in env.found_docs else []


def add_files(app: Any, name: str, template: str, context: Any, tree: Any) -> None:
    if name == PAGE and built_for(app):
        app.add_css_file("playground.css")
        app.add_js_file("playground.js", loading_method="defer")


def finish(app: Any, error: Exception | None) -> None:
    """Puts what the forms load into the site, and removes what an earlier build has put there."""
    if error is not None or app.builder.name != "html":
        return
    folder, built = Path(app.outdir) / "_static" / "pyodide", built_for(app)
    shutil.rmtree(folder, ignore_errors=True)
    if built:
        built.copy(folder)


def setup(app: Any) -> None:
    app.add_config_value("playground_built", str(BUILT), "env", str)
    app.add_directive("playground", directive())
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", add_files)
    app.connect("build-finished", finish)
