"""For logs and metrics: URLs without their secrets, and templates of their paths."""

from __future__ import annotations

from weburl._redact.redact import LogPolicy, path_template, redact, redactions
from weburl._redact.redact import restore_log_policy as restore_log_policy  # for pickles
from weburl._redact.secrets import SECRET_NAMES, TOKEN_NAMES

__all__ = ["SECRET_NAMES", "TOKEN_NAMES", "LogPolicy", "path_template", "redact", "redactions"]


def __dir__() -> list[str]:
    return __all__
