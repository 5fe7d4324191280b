"""Characters that deceive wherever they are: https://url.spec.whatwg.org/#url-rendering-i18n"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from weburl._unicode.confusables import prototype_of

# What a reader takes for a delimiter or an escape.
DELIMITERS: Final = frozenset("/\\?#%@:;&=+.")

# Blank, though they are letters, marks or symbols: the default ignorable ones, and others.
BLANK: Final = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef"
)
# Locks, keys and shields: what a browser shows for a secure connection.
LOCKS: Final = "\u26bf\u26e8\U0001f50f-\U0001f513\U0001f5dd\U0001f6e1"
# Look-alikes not in confusables.txt: solidus overlays, per cent, per mille, question marks, full stop, sharp.
LOOKALIKES: Final = (
    "\u0337\u0338\u20e5\u20eb\u0609\u060a\u066a\u2030\u2031\u2052\u061f\u203d\u2e2e\u2753\u2754\u3002\u266f"
)
DECEPTIVE: Final = re.compile(f"[{BLANK}{LOCKS}{LOOKALIKES}]")


@lru_cache(maxsize=4096)
def is_deceptive(character: str) -> bool:
    """Whether a character is blank, a lock or, not being a letter, mark or digit, like a delimiter."""
    folded = unicodedata.normalize("NFKC", character)
    if DECEPTIVE.search(character + folded) or not DELIMITERS.isdisjoint(folded):
        return True
    prototype = prototype_of(character)
    return (
        prototype is not None
        and not DELIMITERS.isdisjoint(prototype)
        and unicodedata.category(character)[0] not in "LMN"
    )
