"""The page of weburl learn --report: the tree of the routes, with how many lines each has."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from weburl._learn.learning import EVERYTHING, Learnt, LearntRoute, counted, host_of
from weburl._learn.tree import STRICT
from weburl.cli._messages import printable

PLACEHOLDER: Final = re.compile(r"(\{[a-z]+\})")
# Of a pattern that was learnt.
GROUP: Final = re.compile(rf"\{{?:([a-z]+)\d*(?:{'|'.join(re.escape(f'({text})') for text in STRICT.values())})?\}}?")
# Deeper rows are closed at first, and so are all in a tree of more routes.
OPEN_DEPTH: Final = 3
OPEN_ROUTES: Final = 200
# Learnt keys are less deep. What comes deeper in a key of a person is one row.
MOST_DEPTH: Final = 64


class Branch:
    """A segment of keys: the routes that end there, and the segments below."""

    __slots__ = ("below", "lines", "routes")

    def __init__(self) -> None:
        self.below: dict[str, Branch] = {}
        self.routes: list[LearntRoute] = []
        self.lines: int = 0


def page_of(learnt: Learnt) -> str:
    """The page. It loads nothing, and has no script."""
    text = files("weburl.cli.viewer").joinpath("routes.html").read_text("utf-8")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    allowed = b64encode(sha256(style.group(1).encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    trees = trees_of(learnt.routes)
    is_open = len(learnt.routes) <= OPEN_ROUTES
    sections = "\n".join(
        section for host, tree in trees.items() for section in section_of(host, tree, learnt.lines, is_open)
    )
    about = f"{counted(len(learnt.routes), 'route')} of {counted(learnt.lines, 'line')}"
    if not learnt.is_exact:
        about += "; counts are estimates"
    if learnt.invalid:
        about += f"; {counted(learnt.invalid, 'line')} not URLs"
    parts = {"policy": policy, "about": about, "sections": sections}
    return re.sub(r"\{(policy|about|sections)\}", lambda match: parts[match.group(1)], text)


def path_of(route: LearntRoute) -> list[str]:
    """The segments of a key; of a pattern if a person has given the route a name."""
    if "/" in route.key:
        return route.key.partition("/")[2].split("/", MOST_DEPTH)
    path = "" if route.pattern == EVERYTHING else route.pattern.partition("://")[2].partition("/")[2]
    return GROUP.sub(r"{\1}", path).replace("\\", "").split("/", MOST_DEPTH) if path else []


def trees_of(routes: list[LearntRoute]) -> dict[str, Branch]:
    """A tree for each host. A route without a path stands alone."""
    trees: dict[str, Branch] = {}
    for route in routes:
        host = host_of(route.pattern)
        path = path_of(route)
        branch = trees.setdefault(host if path else route.key, Branch())
        branch.lines += route.lines
        for segment in path:
            branch = branch.below.setdefault(f"/{segment}", Branch())
            branch.lines += route.lines
        branch.routes.append(route)
    return dict(sorted(trees.items(), key=lambda item: (item[0] == "{other}", -item[1].lines, item[0])))


def section_of(host: str, tree: Branch, total: int, is_open: bool) -> Iterator[str]:
    yield "<section>"
    yield f"<h2>{marked(host)}</h2>"
    yield f'<p class="quiet">{counted(tree.lines, "line")}{badges(tree)}</p>'
    yield from list_of(tree, total, is_open, 0)
    yield "</section>"


def list_of(tree: Branch, total: int, is_open: bool, depth: int) -> Iterator[str]:
    if not tree.below:
        return
    yield "<ul>"
    for segment, branch in sorted(tree.below.items(), key=lambda item: (-item[1].lines, item[0])):
        yield "<li>"
        if branch.below:
            opened = " open" if is_open and depth < OPEN_DEPTH else ""
            yield f"<details{opened}><summary>{row(segment, branch, total)}</summary>"
            if branch.routes:
                ends = Branch()
                ends.routes = branch.routes
                ends.lines = sum(route.lines for route in branch.routes)
                yield f'<ul><li class="leaf">{row("", ends, total)}</li></ul>'
            yield from list_of(branch, total, is_open, depth + 1)
            yield "</details>"
        else:
            yield f'<div class="leaf">{row(segment, branch, total)}</div>'
        yield "</li>"
    yield "</ul>"


def row(segment: str, branch: Branch, total: int) -> str:
    share = branch.lines / total if total else 0
    text = marked(segment) if segment else '<span class="quiet">nothing more</span>'
    shown = f"{share:.1%}" if share >= 0.001 or not branch.lines else "&lt; 0.1%"
    return (
        f'<span class="row"><code class="text">{text}</code>{badges(branch) if not branch.below else ""}'
        f'<progress max="1" value="{share:.4f}" aria-hidden="true"></progress>'
        f'<span class="count">{branch.lines:,}</span><span class="share">{shown}</span></span>'
    )


def marked(text: str) -> str:
    """A text of a key, escaped, with its placeholders."""
    parts = PLACEHOLDER.split(printable(text))
    return "".join(
        f'<span class="value">{escape(part)}</span>' if index % 2 else escape(part) for index, part in enumerate(parts)
    )


def badges(branch: Branch) -> str:
    is_update = any(not route.is_new for route in branch.routes)
    died = ' <span class="badge died">no longer used</span>' if is_update and not branch.lines else ""
    names = [route.key for route in branch.routes if "/" not in route.key and path_of(route)]
    return "".join(f' <span class="badge">{escape(printable(name))}</span>' for name in names) + died
