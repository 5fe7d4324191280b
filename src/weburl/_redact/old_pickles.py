"""Policies of logs in pickles of 0.2.0, which had two settings: the two lists of names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from weburl._crawl.old_pickles import policy_of_settings, texts_of

P = TypeVar("P")

# Digests of the lists that 0.2.0 had as defaults. The defaults of today are others.
OLD_DEFAULTS: Final = {"secret_names": "131a94fdc6d100be", "token_names": "f5171400544f1799"}


def restore(secret_names: object, token_names: object, cls: Callable[..., P]) -> P:
    """The policy with these names."""
    settings = {"secret_names": texts_of(secret_names), "token_names": texts_of(token_names)}
    return policy_of_settings(cls, "logs", settings, OLD_DEFAULTS)
