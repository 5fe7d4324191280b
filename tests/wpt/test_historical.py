"""url/historical.any.js"""

from __future__ import annotations

import pytest

from weburl import URL, InvalidURL


def test_href_setter_has_no_base() -> None:
    url = URL("./foo", "http://www.example.org")
    assert url.href == "http://www.example.org/foo"
    with pytest.raises(InvalidURL):
        url.href = "./bar"


@pytest.mark.parametrize("name", ["domainToASCII", "domainToUnicode", "domain_to_ascii", "domain_to_unicode"])
def test_domain_functions_are_not_on_the_class(name: str) -> None:
    assert not hasattr(URL, name)
