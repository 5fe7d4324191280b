"""Writes the tables of docs/redact-rules.md that come from the code: the decisions, and what is found in the corpus.

    PYTHONPATH=tests python tools/redaction_page.py [--check]

With --check, nothing is written: it fails if the page is not what it should be.
"""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from support.redaction_corpus import cases, is_gone
from support.redaction_peers import PEERS

from weburl import URL
from weburl._redact.secrets import (
    COUNT_NAMES,
    DECISIONS,
    EXTENSIONS,
    IDENTIFIER_NAMES,
    KEY_CHARACTERS,
    KEY_HEADERS,
    KEY_PREFIXES,
    LINK_SEGMENTS,
    NUMBER_NAMES,
    OTEL_NAMES,
    PLAIN_NAMES,
    PLAIN_VALUES,
    SECRET_NAMES,
    TOKEN_NAMES,
    TOKEN_SEGMENTS,
)  # fmt: skip
from weburl.redact import redact
from weburl.text import redact_text

PAGE = Path(__file__).resolve().parent.parent / "docs" / "redact-rules.md"
FILES = ("secret", "secret_held_out", "harmless", "harmless_held_out")
TOOLS: dict[str, Callable[[str], str]] = {
    "logs": redact,
    "logs-strict": partial(redact, policy="logs-strict"),
    "otel": partial(redact, policy="otel"),
    **PEERS,
}
FOLLOWING = {
    "letters": "letters and digits only",
    "hex": "hexadecimal digits only",
    "capitals": "capitals and digits only",
    "groups": "capitals, digits and `-` only",
    "numbers": "digits and `-` only",
    "base64": "`+`, `/` and, at the end, `=`, too",
}
LISTS: dict[str, Iterable[str]] = {
    "Names of secrets": SECRET_NAMES,
    "Names of tokens": TOKEN_NAMES,
    "Names of numbers": NUMBER_NAMES,
    "Names of counts": COUNT_NAMES,
    "Plain names": PLAIN_NAMES,
    "Plain values": PLAIN_VALUES,
    "Names of segments": TOKEN_SEGMENTS,
    "Segments of links in mails": LINK_SEGMENTS,
    "Ends of file names": EXTENSIONS,
    "Names of identifiers": IDENTIFIER_NAMES,
    "Names of OpenTelemetry": OTEL_NAMES,
}


def is_right(file: str, text: str, shown: str, gone: bool) -> bool:
    """A secret is gone; or a harmless text is as it was, or as the parser writes it."""
    if file.startswith("secret"):
        return gone
    url = URL.parse(text)
    return shown == text or (url is not None and shown == url.href)


def counts(function: Callable[[str], str], file: str) -> tuple[Counter[str], Counter[str]]:
    """How many cases there are by kind, and how many are right."""
    all_cases, right = Counter[str](), Counter[str]()
    for case in cases(file):
        shown = function(case.text)
        all_cases[case.kind] += 1
        right[case.kind] += is_right(file, case.text, shown, file[0] == "h" or is_gone(case, shown))
    return all_cases, right


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def result_rows() -> Iterator[str]:
    found = {tool: {file: counts(function, file) for file in FILES} for tool, function in TOOLS.items()}
    yield "| cases | number | " + " | ".join(TOOLS) + " |"
    yield "|---|---:|" + "---:|" * len(TOOLS)
    for start, what in (("secret", "secrets gone"), ("harmless", "harmless texts untouched")):
        files = [file for file in FILES if file.startswith(start)]
        kinds = sorted({kind for file in files for kind in found["logs"][file][0]})
        for kind in kinds:
            number = sum(found["logs"][file][0][kind] for file in files)
            cells = [share(sum(each[file][1][kind] for file in files), number) for each in found.values()]
            yield f"| {what}: {kind} | {number:,} | {' | '.join(cells)} |"
        for name, some in ((f"**{what}**", files), (f"{what}, held out", files[1:])):
            number = sum(found["logs"][file][0].total() for file in some)
            cells = [share(sum(each[file][1].total() for file in some), number) for each in found.values()]
            yield f"| {name} | {number:,} | {' | '.join(cells)} |"
    yield "| **precision** | | " + " | ".join(precision(each) for each in found.values()) + " |"


def precision(found: dict[str, tuple[Counter[str], Counter[str]]]) -> str:
    """Of what is hidden rightly or wrongly, the share that is a secret."""
    right = sum(found[file][1].total() for file in FILES[:2])
    wrong = sum(found[file][0].total() - found[file][1].total() for file in FILES[2:])
    return share(right, right + wrong)


def shapes_of_keys() -> str:
    """How many of a list that is not made from the prefixes are hidden."""
    every = list(cases("keys"))
    left = [case for case in every if not is_gone(case, redact_text(f"key: {case.text} end"))]
    names = ", ".join(case.kind for case in left)
    return (
        f"Of {len(every)} shapes of keys, `redact_text` hides {len(every) - len(left)} in a line of text. It does not "
        f"find the other {len(left)}: {names}."
    )


def wrapped(names: Iterable[str]) -> str:
    return "\n".join(textwrap.wrap(" ".join(names), 118, break_on_hyphens=False, break_long_words=False))


def blocks() -> Iterator[tuple[str, str]]:
    rows = [f"| {names} | {value} | {decision} |" for names, value, decision in DECISIONS]
    yield "decisions", "\n".join(["| name | value | what happens |", "|---|---|---|", *rows])
    yield "results", "\n".join(result_rows())
    for title, names in LISTS.items():
        yield title, f"**{title}**:\n\n" + wrapped(f"`{name}`" for name in sorted(names))
    headers = [f"| `{name}` | {source} |" for name, source in KEY_HEADERS.items()]
    yield "headers", "\n".join(["| the name ends with | source |", "|---|---|", *headers])
    yield "shapes of keys", wrapped([shapes_of_keys()])
    keys = ", ".join(f"`{prefix}` {least}" for prefix, least in KEY_PREFIXES.items())
    others = "\n".join(
        f"- {FOLLOWING[kind]}: " + ", ".join(f"`{prefix}`" for prefix in prefixes)
        for kind, prefixes in KEY_CHARACTERS.items()
    )
    yield (
        "Prefixes of keys",
        f"**Prefixes of keys**:\n\n{wrapped([keys])}\n\nAfter some, other characters count:\n\n{others}",
    )


def page(text: str) -> str:
    for name, block in blocks():
        begin, end = f"<!-- {name}: generated by tools/redaction_page.py -->", f"<!-- end of {name} -->"
        before, found, rest = text.partition(begin)
        _, also_found, after = rest.partition(end)
        if not (found and also_found):
            raise SystemExit(f"docs/redact-rules.md has no place for {name}")
        text = f"{before}{begin}\n{block}\n{end}{after}"
    return text


def main() -> int:
    written = PAGE.read_text("utf-8")
    current = page(written)
    if "--check" in sys.argv[1:]:
        if current != written:
            print("docs/redact-rules.md is not current: run PYTHONPATH=tests python tools/redaction_page.py")
        return int(current != written)
    PAGE.write_text(current, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
