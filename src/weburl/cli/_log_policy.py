"""The policies that options name: which secrets are hidden."""

from __future__ import annotations

import re

from weburl.cli._arguments import argument_text
from weburl.cli._exit import InputError, UsageError
from weburl.cli._messages import hide_credentials
from weburl.cli._system import openable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from weburl._redact.redact import LogPolicy

# One of weburl's own, or the text of a policy. Any other text with a slash is the path of a file.
NAME: Final = re.compile(r"[a-z-]+(?:/[0-9]+)?\Z|\s*LogPolicy\s*\(")


def log_policy(option: str, text: str) -> LogPolicy:
    """The policy that the text of an option names or is: a file of TOML, or as in Python."""
    from weburl._redact.redact import LogPolicy, find_log_policy

    is_file = text.endswith(".toml") or (("/" in text or "\\" in text) and not NAME.match(text))
    try:
        return LogPolicy.from_file(openable(text)) if is_file else find_log_policy(argument_text(text))
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None
    except OSError as error:
        raise InputError(f"{option}: {hide_credentials(text)}: {(error.strerror or str(error)).lower()}") from None
