"""The policies that options name: which URLs are the same page, and which secrets are hidden."""

from __future__ import annotations

from weburl.cli._arguments import argument_text
from weburl.cli._exit import InputError, UsageError
from weburl.cli._messages import hide_credentials
from weburl.cli._system import openable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from weburl._crawl.policy import Policy
    from weburl._redact.redact import LogPolicy

# One of weburl's own, or the text of a policy. Any other text with a slash is the path of a file.
NAME: Final = r"[a-z-]+(?:/[0-9]+)?\Z|\s*LogPolicy\s*\("


def crawl_policy(option: str, text: str) -> Policy:
    """The policy that the text of an option names or is, as in Python."""
    from weburl._crawl.policy import find_policy

    try:
        return find_policy(text)
    except ValueError as error:
        # The message begins with the name of the argument: policy.
        raise UsageError(f"--{error}" if option == "--policy" else f"{option}: {error}") from None


def log_policy(option: str, text: str) -> LogPolicy:
    """The policy that the text of an option names or is: a file of TOML, or as in Python."""
    import re

    from weburl._redact.redact import LogPolicy, find_log_policy

    is_file = text.endswith(".toml") or (("/" in text or "\\" in text) and not re.match(NAME, text))
    try:
        return LogPolicy.from_file(openable(text)) if is_file else find_log_policy(argument_text(text))
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None
    except OSError as error:
        raise InputError(f"{option}: {hide_credentials(text)}: {(error.strerror or str(error)).lower()}") from None
