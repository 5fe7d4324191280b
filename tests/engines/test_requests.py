"""The page on requests. What the adapters send and refuse is in test_clients_send.py and its neighbours."""

from __future__ import annotations

import pytest
import requests
from requests.adapters import HTTPAdapter
from rows import check_examples

from weburl.ext.requests import Adapter, NotFetched, mount


def test_examples() -> None:
    check_examples("requests")


@pytest.mark.parametrize("prefix", ["http://127.0.0.1", "http://127.0.0.1:8000/x", "HTTP://127.", "other://"])
def test_mount_removes_other_adapters(prefix: str) -> None:
    with requests.Session() as session:
        session.mount(prefix, HTTPAdapter())
        mount(session)
        assert all(isinstance(adapter, Adapter) for adapter in session.adapters.values())
        with pytest.raises(NotFetched, match="is private"):
            session.get("http://127.0.0.1:8000/x")
        with pytest.raises(requests.exceptions.InvalidSchema):
            session.get("other://h/")
