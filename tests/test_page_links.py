"""The links of pages: tests/engines/test_links_chromium.py compares them with a browser's."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from support.growth import is_linear  # type: ignore[attr-defined]
