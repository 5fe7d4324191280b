"""What a sanitizer reports, without most of the interpreter's frames, so that the end of an output has the report."""

from __future__ import annotations

import re

DEEP_FRAME = re.compile(r"^ *#(?:[2-9]\d|\d{3,}) .*\n", re.MULTILINE)


def shown(output: str) -> str:
    return DEEP_FRAME.sub("", output)[-8000:]
