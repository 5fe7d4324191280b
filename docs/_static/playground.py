"""What the playground of the docs answers: from what was typed to what is shown. It runs in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from weburl import URL, InvalidURL, explain
from weburl.cli.viewer.page_data import errors_of, hidden_in, matched, parts
from weburl.crawl import canonicalize
from weburl.redact import path_template
from weburl.robots import Robots
from weburl.text import redact_text

Typed = Mapping[str, str]
Shown = dict[str, Any]

LIMIT: Final = 100_000  # characters of a field
MOST_ERRORS: Final = 10_000  # of validate()
PATHS: Final = 200
WARNINGS: Final = 100
LINK: Final = 8_000  # characters of all fields in a link
NO_LINK: Final[Shown] = {"link": None, "is_redacted": False}


def answer_json(tool: str, typed: str) -> str:
    return json.dumps(answer(tool, json.loads(typed)))


def answer(tool: str, typed: Typed) -> Shown:
    """What a tool shows: a status, how it is, and blocks of text; and what a link to it has."""
    for name, text in typed.items():
        if len(text) > LIMIT:
            said = f"Too long: {name} has {len(text):,} characters; at most {LIMIT:,} are taken."
            return {**fails(said), **NO_LINK}
    try:
        shown = TOOLS[tool](typed)
    except (InvalidURL, ValueError) as error:
        shown = fails(str(error))
    return {**shown, **link_of(tool, typed)}


def status(state: str, text: str, *blocks: Shown) -> Shown:
    """`state` is "fine", "notes" or "fails"."""
    return {"state": state, "status": text, "blocks": [*blocks]}


def fails(text: str, *blocks: Shown) -> Shown:
    return status("fails", text, *blocks)


def text_block(title: str, text: str, *, is_picture: bool = False) -> Shown:
    """A picture has its own lines, which must not be broken."""
    return {"title": title, "text": text, "is_picture": is_picture}


def table(title: str, head: list[str], rows: list[list[str]]) -> Shown:
    return {"title": title, "head": head, "rows": rows}


def counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + "s" * (count != 1)


def link_of(tool: str, typed: Typed) -> Shown:
    """What a link has, which stays in the history of the browser: what looks like a secret is left out.

    The text of the form for redaction is not there at all.
    """
    kept = {} if tool == "redact" else {name: redact_text(text) for name, text in typed.items()}
    if sum(map(len, kept.values())) > LINK:
        return NO_LINK
    return {"link": kept, "is_redacted": tool != "redact" and kept != typed}


def explain_url(typed: Typed) -> Shown:
    text, base_text = typed["url"], typed["base"]
    base = URL.parse(base_text) if base_text else None
    picture = text_block("How a browser reads it", explain(text, base_text or None), is_picture=True)
    if base_text and base is None:
        return fails("The base does not parse.", picture)
    if URL.parse(text, base) is None:
        return fails("It does not parse: a browser refuses it.", picture)
    count = errors_of(text, base)["count"]
    said = counted(count, "validation error") if count else "no validation error"
    if count >= MOST_ERRORS:
        said += " or more"
    return status("notes" if count else "fine", f"It parses, with {said}.", picture)


def redact(typed: Typed) -> Shown:
    hidden = hidden_in(typed["text"])
    if not hidden["count"]:
        return status("fine", "Nothing is hidden.", text_block("The text", typed["text"]))
    rows = [[f"{row['start']} to {row['end']}", row["kind"], row["rule"], row["source"]] for row in hidden["rows"]]
    why = table("Why", ["Characters", "Kind", "Rule", "Source"], rows)
    said = f"{counted(hidden['count'], 'part')} of the text {'is' if hidden['count'] == 1 else 'are'} hidden."
    if len(rows) < hidden["count"]:
        said += f" The table has the first {len(rows)}."
    return status("notes", said, text_block("Without secrets", hidden["text"]), why)


def template(typed: Typed) -> Shown:
    lines = [line.strip() for line in typed["paths"].splitlines() if line.strip()]
    if not lines:
        return fails("Type a path or a URL in each line.")
    rows, templates, failed = [], set(), 0
    for line in lines[:PATHS]:
        try:
            made = path_template(line)
            templates.add(made)
        except InvalidURL as error:
            made, failed = f"not a URL, nor a path that begins with a slash ({error.error})", failed + 1
        # The template has no secrets. So the path beside it has none, either.
        rows.append([redact_text(line), made])
    said = f"{counted(len(rows) - failed, 'path')}, {counted(len(templates), 'template')}."
    if failed:
        said += f" {counted(failed, 'line')} without a template."
    if len(lines) > PATHS:
        said += f" Only the first {PATHS} of {len(lines):,} lines are read."
    return status("fails" if failed else "fine", said, table("Templates", ["Path", "Template"], rows))


def compare(typed: Typed) -> Shown:
    urls = []
    for which, text in (("first", typed["first"]), ("second", typed["second"])):
        try:
            urls.append(URL(text))
        except InvalidURL as error:
            return fails(
                f"The {which} is not a URL: {error.message}", text_block("Why", explain(text), is_picture=True)
            )
    first, second = (named_parts(url) for url in urls)
    rows = [
        [name, "=" if first[name] == second[name] else "≠", first[name], second[name]]
        for name in first
        if first[name] or second[name]
    ]
    differ = [name for name in first if first[name] != second[name] and name not in ("href", "crawl key")]
    shown = table("Part by part", ["Part", "", "First", "Second"], rows)
    if first["href"] == second["href"]:
        return status("fine", "They are the same URL.", shown)
    said = f"These parts differ: {', '.join(differ)}." if differ else "Only a delimiter differs."
    if first["crawl key"] == second["crawl key"]:
        return status("notes", f"They are two URLs of one page, for a crawler. {said}", shown)
    return status("notes", f"They are two URLs, and two pages for a crawler. {said}", shown)


def named_parts(url: URL) -> dict[str, str]:
    found = dict.fromkeys(("scheme", "username", "password", "host", "port", "path", "query", "fragment"), "")
    # The delimiters tell a query that is empty from none.
    found |= {
        name: ("?" if name == "query" else "#" if name == "fragment" else "") + text for _, name, text in parts(url)
    }
    return {"href": url.href, **found, "crawl key": canonicalize(url)}


def pattern(typed: Typed) -> Shown:
    base = URL.parse(typed["base"]) if typed["base"] else None
    if typed["base"] and base is None:
        return fails("The base does not parse.", text_block("Why", explain(typed["base"]), is_picture=True))
    url = URL.parse(typed["url"], base)
    said = matched(typed["pattern"], base, url)
    if said["error"] is not None:
        if said["position"] is None:
            return fails(f"This is not a pattern: {said['error']}.")
        return fails(f"This is not a pattern: {said['error']}.", pointed_at(typed["pattern"], said["position"]))
    if url is None:
        why = explain(typed["url"], typed["base"] or None)
        return fails("It does not match: this is not a URL.", text_block("Why", why, is_picture=True))
    rows = [
        [row["name"], "matches" if row["matches"] else "fails", row["pattern"], row["text"] + stopped(row)]
        for row in said["rows"]
        if row["text"] or not row["matches"]
    ]
    blocks = [table("Component by component", ["Component", "", "Pattern", "URL"], rows)]
    if said["groups"]:
        blocks.append(table("Groups", ["Component", "Group", "Text"], [list(group) for group in said["groups"]]))
    if said["matches"]:
        return status("fine", "The URL matches.", *blocks)
    failed = ", ".join(row["name"] for row in said["rows"] if not row["matches"])
    return status("fails", f"The URL does not match: {failed}.", *blocks)


def stopped(row: Shown) -> str:
    """Where the pattern stops, and what it needs there."""
    if row["stop"] is None:
        return ""
    before = row["text"][: row["stop"]]
    return f" ({f'after {before!r}' if before else 'at the start'}: {row['needs']})"


def pointed_at(text: str, place: int) -> Shown:
    """A text, and a mark below the place. Only the text around it is shown, in one line."""
    start = max(place - 60, 0)
    around = "".join(c if c.isprintable() else "?" for c in text[start : place + 40])
    return text_block("Where", f"{around}\n{' ' * (place - start)}^", is_picture=True)


def robots(typed: Typed) -> Shown:
    rules = Robots.parse(typed["robots"], agent=typed["agent"])
    verdict, _, why = rules.explain(typed["url"]).partition("\n")
    blocks = [table("Why", ["What", "Value"], [list(line.partition(": ")[::2]) for line in why.split("\n")])]
    if rules.warnings:
        shown = [[str(line), text, message] for line, _, message, text in rules.warnings[:WARNINGS]]
        blocks.append(table("What is wrong with the file", ["Line", "Text", "Problem"], shown))
    state = "fine" if rules.allowed(typed["url"]) else "fails"
    return status(state, verdict[0].upper() + verdict[1:], *blocks)


TOOLS: Final[dict[str, Callable[[Typed], Shown]]] = {
    "explain": explain_url,
    "redact": redact,
    "template": template,
    "compare": compare,
    "pattern": pattern,
    "robots": robots,
}
