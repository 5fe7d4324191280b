"""The option --policy of commands that hide secrets, and the policy that it names."""

from __future__ import annotations

from typing import Any

from weburl._redact.redact import LogPolicy
from weburl.cli._arguments import option
from weburl.cli._log_policy import log_policy as named_policy


def log_policy_option() -> Any:
    return option(
        "--policy",
        metavar="POLICY",
        default="logs",
        help="what is hidden: logs, logs-strict, otel, a file such as shop.toml, or your own, such as "
        "LogPolicy(whole_addresses=True) (default: %(default)s)",
    )


def log_policy(text: str) -> LogPolicy:
    """The policy that --policy names: it can be a file."""
    return named_policy("--policy", text)
