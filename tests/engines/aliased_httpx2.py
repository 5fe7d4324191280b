"""A plugin of pytest: all that imports httpx gets httpx2, in this process."""

from __future__ import annotations

import httpx2

httpx2.alias_httpx()
