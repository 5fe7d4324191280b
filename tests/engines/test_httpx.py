"""The page on httpx. What the adapters send and refuse is in test_clients_send.py and its neighbours."""

from __future__ import annotations

from rows import check_examples


def test_examples() -> None:
    check_examples("httpx")
