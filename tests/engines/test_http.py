"""The page on what clients of HTTP have in common. What the adapters send and refuse is in test_clients_send.py."""

from __future__ import annotations

from rows import check_examples


def test_examples() -> None:
    check_examples("http")
