"""What a PatternError says, without secrets: its message, and the text of str()."""

from __future__ import annotations

import re
from typing import Final

from weburl._diagnosis.credentials import HIDDEN, redact, without_inner_credentials, without_secret_values
from weburl._diagnosis.escapes import ELLIPSIS, columns, escape, in_quotes

# Code points that are shown on each side of the place.
AROUND: Final = 40
SECRET: Final = ("username", "password")
ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
QUOTED: Final = re.compile(r"(['\"]).*?\1")


def without_secrets(pattern: str, secret: tuple[int, int] | None) -> str:
    """A pattern with `***` in place of what may be credentials."""
    safe = pattern if secret is None else f"{pattern[: secret[0]]}{HIDDEN}{pattern[secret[1] :]}"
    # A path alone has none, but a URL in it can have some.
    is_path = safe[:1] == "/" and safe[1:2] not in ("/", "\\")
    return without_secret_values(without_credentials(safe) if is_path else redact(safe))


def without_credentials(pattern: str) -> str:
    """The pattern of a component, such as the path of blob:https://user:password@host/, without them.

    Characters that a backslash stands before lose it if there are some.
    """
    plain = ESCAPED.sub(r"\1", pattern)
    safe = without_inner_credentials(plain)
    return pattern if safe == plain else safe


def safe_message(message: str, pattern: str, component: str | None, secret: tuple[int, int] | None) -> str:
    """A message without what it quotes, if that may be of what is hidden."""
    if component in SECRET or without_secrets(pattern, secret) != pattern:
        return QUOTED.sub(f"'{HIDDEN}'", message)
    return message


def pattern_error_text(
    message: str, pattern: str, component: str | None, position: int | None, secret: tuple[int, int] | None
) -> str:
    """A sentence, and where it is known, a line with the pattern and one with a mark below the place."""
    where = f" in the {component}" if component else ""
    safe = without_secrets(pattern, secret)
    if component in SECRET or safe != pattern:
        shown = HIDDEN if component in SECRET else safe
        at = "" if position is None else f" at {position}"
        return f"{message}{where}{at} of {in_quotes(shown)}"
    if position is None:
        position = 0
        mark = ""
    else:
        mark = "^"
    start, end = max(0, position - AROUND), min(len(pattern), position + AROUND)
    before = (ELLIPSIS if start else "") + escape(pattern[start:position])
    after = escape(pattern[position:end]) + (ELLIPSIS if end < len(pattern) else "")
    lines = [f"{message}{where}:", f"  {before}{after}"]
    if mark:
        lines.append(" " * (2 + columns(before)) + mark)
    return "\n".join(lines)
