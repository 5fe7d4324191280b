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

from docutils import nodes
from docutils.parsers.rst import Directive

BUILT = Path(__file__).resolve().parents[1] / "build" / "wasm"
PAGE = "playground"
# What Pyodide itself loads.
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
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


def wheel() -> Path | None:
    """The package's wheel, if it is built and Pyodide is there."""
    wheels = sorted((BUILT / "dist").glob("*.whl"))
    return wheels[0] if wheels and all((pyodide() / name).exists() for name in PYODIDE) else None


def pyodide() -> Path:
    return BUILT / "node_modules" / "pyodide"


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


def copy_files(site: Path) -> None:
    """Puts what the forms load into the site, or removes what an earlier build has put there."""
    folder, built = site / "_static" / "pyodide", wheel()
    shutil.rmtree(folder, ignore_errors=True)
    if built is None:
        return
    folder.mkdir(parents=True)
    # The last one names the licence of Pyodide.
    for file in (*(pyodide() / name for name in (*PYODIDE, "package.json")), built):
        shutil.copy(file, folder)
    (folder / f"{NEEDED}.zip").write_bytes(needed())


def megabytes() -> str:
    """How much the forms load: what the browser gets from a server that does not compress."""
    built = wheel()
    assert built is not None
    code = Path(__file__).resolve().parents[1] / "docs" / "_static"
    files = [*(pyodide() / name for name in PYODIDE), built, code / "playground.py", code / "playground_worker.js"]
    return f"{(len(needed()) + sum(file.stat().st_size for file in files)) / 1e6:.1f}"


def field_markup(tool: str, field: Field) -> str:
    name = f"playground-{tool}-{field.name}"
    private = " data-private" * field.is_private
    return (
        f'<label for="{name}">{escape(field.label)}</label>\n'
        f'<textarea id="{name}" name="{field.name}" rows="{field.lines}" spellcheck="false" autocapitalize="off" '
        # HTML drops the first line end.
        f'autocomplete="off"{private}>\n{escape(field.value)}</textarea>'
    )


def form_markup(tool: str) -> str:
    form, built = FORMS[tool], wheel()
    assert built is not None
    fields = "\n".join(field_markup(tool, field) for field in form.fields)
    load = f"Load {megabytes()} MB and {form.button[0].lower()}{form.button[1:]}"
    files = f'data-wheel="{escape(built.name)}" data-needed="{NEEDED}.zip"'
    return f"""<form class="playground" data-tool="{tool}" {files} aria-label="{form.button}">
{fields}
<p class="playground-buttons"><button data-run="{form.button}" data-load="{load}">{load}</button>
<button type="button" class="playground-stop" hidden>Stop</button></p>
<p class="playground-status" role="status"></p>
<div class="playground-answer"></div>
<p class="playground-link" hidden></p>
</form>"""


class Playground(Directive):
    """`{playground} explain` is a form. What is in `{playground} with` is shown if there are forms, and what is in
    `{playground} without` if there are none."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[Any]:
        argument, is_built = self.arguments[0], wheel() is not None
        if argument in FORMS:
            return [nodes.raw("", form_markup(argument), format="html")] if is_built else []
        if argument != ("with" if is_built else "without"):
            return []
        content = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, content)
        return list(content.children)


def outdated(app: Any, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The page is read anew in each build: the wheel may have come or gone."""
    return [PAGE] if PAGE in env.found_docs else []


def add_files(app: Any, name: str, template: str, context: Any, tree: Any) -> None:
    if name == PAGE and wheel() is not None:
        app.add_css_file("playground.css")
        app.add_js_file("playground.js", loading_method="defer")


def finish(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        copy_files(Path(app.outdir))


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("playground", Playground)
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", add_files)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
