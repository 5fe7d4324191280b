"""What a sanitizer reports, without the interpreter's many frames below ours: the end of an output holds all of it."""

from __future__ import annotations

import re

DEEP_FRAME = re.compile(r"^ *#(?:[2-9]\d|\d{3,}) .*\n", re.MULTILINE)


def shown(output: str, most: int = 8000) -> str:
    return DEEP_FRAME.sub("", output)[-most:]
