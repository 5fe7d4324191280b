"""url/url-tojson.any.js"""

from __future__ import annotations

import json

from weburl import URL


def test_json() -> None:
    url = URL("https://example.com/")
    assert json.dumps(url.to_json()) == '"https://example.com/"'
    assert json.dumps(url, default=URL.to_json) == '"https://example.com/"'
