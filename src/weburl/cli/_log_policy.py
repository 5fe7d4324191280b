"""The policies that options name: which secrets are hidden."""

from __future__ import annotations

from weburl.cli._exit import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._redact.redact import LogPolicy


def log_policy(option: str, text: str) -> LogPolicy:
    """The policy that the text of an option names or is."""
    from weburl._redact.redact import find_log_policy

    try:
        return find_log_policy(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None
