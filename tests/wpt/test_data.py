"""The data is what wpt_data/MANIFEST.json says, and every case of it becomes a test."""

from __future__ import annotations

import pytest
from support.wpt_cases import DATA, MANIFEST, NO_DATA, SYNC, read_cases


@pytest.mark.parametrize("case", list(MANIFEST) if DATA else [NO_DATA])
def test_file_matches_manifest(case: str) -> None:
    assert DATA is not None
    problem = SYNC.mismatch(case, DATA[case].read_bytes(), MANIFEST[case])
    assert problem is None
    assert len(read_cases(DATA[case])) == MANIFEST[case]["cases"]
