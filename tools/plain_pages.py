"""Markdown beside each page of the built site, and llms.txt, which lists the pages for programs that read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INCLUDE = re.compile(
    r"^```\{include\} (?P<file>\S+)\n(?::relative-docs: (?P<folder>\S+)\n)?"
    r"(?::start-after: (?P<start>.*)\n:end-before: (?P<end>.*)\n)?```$",
    re.MULTILINE,
)
# Forms, and what is said of them.
PLAYGROUND = re.compile(r"^```\{playground\}.*?^```\n*", re.DOTALL | re.MULTILINE)
CODE_BLOCK = re.compile(r"^```\{code-block\} (\w+)\n(?::.*\n)*", re.MULTILINE)
LABEL = re.compile(r"^\(([\w-]+)\)=\n", re.MULTILINE)
NOTHING_TO_READ = re.compile(r"^<!--.*?-->\n*|<!--.*?-->", re.MULTILINE)
# Sphinx makes these pages from docstrings: they are written as text.
DIRECTIVE = "```{eval-rst}"


def for_frozen(lines: Iterable[str]) -> Iterator[str]:
    """A docstring that URL and FrozenURL share, as FrozenURL's page shows it: examples end before an assignment."""
    is_left_out = False
    for line in lines:
        is_left_out = bool(line.strip()) and (is_left_out or bool(re.match(r" *>>> \w+\.(\S+ = |set_search)", line)))
        if not is_left_out:
            yield re.sub(r"\bURL(?=[(.])", "FrozenURL", line)


def sections(docs: Path) -> Iterator[tuple[str, list[str]]]:
    """The captions of the front page's table of contents, each with the names of its pages, and of those below them."""
    for options in TOCTREE.findall((docs / "index.md").read_text("utf-8")):
        caption = re.search(r"^:caption: (.*)$", options, re.MULTILINE)
        assert caption
        yield caption[1], list(pages_of(docs, "", options))


def pages_of(docs: Path, folder: str, options: str) -> Iterator[str]:
    for line in options.splitlines():
        if line and not line.startswith(":"):
            path = docs / folder / f"{line}.md"
            name = path.relative_to(docs).with_suffix("").as_posix()
            yield name
            for below in TOCTREE.findall(path.read_text("utf-8")):
                yield from pages_of(docs, Path(name).parent.as_posix(), below)


def markdown(docs: Path, name: str) -> str:
    """The text of a page, with what it includes and without directives of the site's own."""
    path = docs / f"{name}.md"

    def included(found: re.Match[str]) -> str:
        text = (path.parent / found["file"]).read_text("utf-8")
        if found["folder"]:
            text = text.replace(f"]({found['folder']}", "](")
        if found["start"]:
            text = text.partition(found["start"])[2].partition(found["end"])[0]
        return text.strip()

    text = PLAYGROUND.sub("", TOCTREE.sub("", INCLUDE.sub(included, path.read_text("utf-8"))))
    text = NOTHING_TO_READ.sub("", CODE_BLOCK.sub(r"```\1\n", text))
    return LABEL.sub(r'<a id="\1"></a>\n', text).rstrip() + "\n"


def described(page: str) -> tuple[str, str]:
    """The title of a page, and its first sentence of prose."""
    title = re.search(r"^# (.*)$", page, re.MULTILINE)
    assert title
    prose = re.sub(r"^```.*?^```$|<!--.*?-->", "", page, flags=re.DOTALL | re.MULTILINE)
    # Not headings, tables, pictures, lists, and what is indented, which is for a shell.
    paragraphs = (part.strip("\n") for part in prose.split("\n\n"))
    first = next((each for each in paragraphs if each and each[0] not in "#|!- "), "")
    return title[1], re.split(r"(?<=[.?!])\s", " ".join(first.split()))[0]


def listing(docs: Path, address: str) -> str:
    """llms.txt: https://llmstxt.org/."""
    title, first = described(markdown(docs, "index"))
    lines = [f"# {title}", "", f"> {first}", ""]
    for caption, names in sections(docs):
        lines += [f"## {caption}", ""]
        for name in names:
            title, first = described(markdown(docs, name))
            lines.append(f"- [{title}]({address}{name}.md)" + f": {first}" * bool(first))
        lines.append("")
    return "\n".join(lines)


def write(app: Any, error: Exception | None) -> None:
    if error is not None or app.builder.name != "html":
        return
    docs, site = Path(app.srcdir), Path(app.outdir)
    (site / "llms.txt").write_text(listing(docs, app.config.html_baseurl), "utf-8")
    for name in app.env.found_docs:
        text = markdown(docs, name)
        if DIRECTIVE in text:
            text = in_plain_text(app, name)
        (site / f"{name}.md").write_text(with_images(text), "utf-8")


def with_images(page: str) -> str:
    """A page whose pictures are where Sphinx puts them: in one folder, at the top of the site."""
    return re.sub(r"(!\[[^\]]*\]\((?:\.\./)*)(?:\w+/)*images/", r"\1_images/", page)


def in_plain_text(app: Any, name: str) -> str:
    from docutils.io import StringOutput
    from sphinx.builders.text import TextBuilder
    from sphinx.writers.text import TextWriter

    builder = TextBuilder(app, app.env)
    builder.init()
    writer = TextWriter(builder)
    writer.write(app.env.get_doctree(name), StringOutput(encoding="unicode"))
    return str(writer.output)


def setup(app: Any) -> None:
    app.connect("build-finished", write)
