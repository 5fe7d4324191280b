"""The option --policy of commands that hide secrets, and the policy that it names."""

from __future__ import annotations

from typing import Any

from weburl._redact.redact import LogPolicy, find_log_policy
from weburl.cli._arguments import argument_text, option
from weburl.cli._exit import UsageError


def log_policy_option() -> Any:
    return option(
        "--policy",
        metavar="POLICY",
        default="logs",
        help="what is hidden: logs, logs-strict, otel, or your own, such as LogPolicy(whole_addresses=True) (default: "
        "%(default)s)",
    )


def log_policy(text: str) -> LogPolicy:
    """The policy that --policy names."""
    try:
        return find_log_policy(argument_text(text))
    except ValueError as error:
        raise UsageError(f"--policy: {error}") from None
