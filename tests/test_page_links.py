"""The links of pages: tests/engines/test_links_chromium.py compares them with a browser's."""

from __future__ import annotations
