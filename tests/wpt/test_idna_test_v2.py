"""url/IdnaTestV2.any.js and url/IdnaTestV2-removed.any.js, over the files of these names."""

from __future__ import annotations

import idna.idnadata
import pytest
from support.wpt_cases import STORAGE_KINDS, Case, each_case

from weburl import URL, InvalidURL
from weburl.hosts import domain_to_ascii

# U+3E8AC was not assigned when the data was made; Unicode 18 assigned it.
ASSIGNED_IN_UNICODE_18 = "\U0003e8ac"
ASSIGNED = int(idna.idnadata.__version__.partition(".")[0]) >= 18
# What ends a host: as WPT does, each is percent-encoded, so that the host parser sees it.
ENDS_HOST = str.maketrans({character: f"%{ord(character):02X}" for character in ":/?#\\"})


def expected(case: Case) -> str | None:
    if ASSIGNED and ASSIGNED_IN_UNICODE_18 in case["input"]:
        assert case["output"] is None
        return "xn--t92s.xn--znb.xn--5-y88f"
    output: str | None = case["output"]
    return output


def check(case: Case) -> None:
    host = case["input"].translate(ENDS_HOST)
    output = expected(case)
    if not case["input"]:
        # Unicode ToASCII maps nothing to nothing; the standard's domain parser fails on it.
        assert output == ""
        output = None
    for fragment in ("", *(f"#{character}" for character in STORAGE_KINDS)):
        # Without the path an empty host stays one: `https:///x` has the host `x`.
        text = f"https://{host}/x{fragment}" if host else f"https://{fragment}"
        if output is None:
            with pytest.raises(InvalidURL):
                URL(text)
        else:
            url = URL(text)
            assert (url.host, url.hostname, url.pathname) == (output, output, "/x")
            assert url.serialize(exclude_fragment=True) == f"https://{output}/x"
    if output is None:
        with pytest.raises(InvalidURL):
            domain_to_ascii(case["input"])
    else:
        assert domain_to_ascii(case["input"]) == output


@each_case("IdnaTestV2.json")
def test_idna_test_v2(case: Case) -> None:
    check(case)


@each_case("IdnaTestV2-removed.json")
def test_removed(case: Case) -> None:
    check(case)
