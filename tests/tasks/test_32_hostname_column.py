"""A data frame has a column of links. Add a column with their hosts; where a link is not a URL, the host is null."""

import pytest
from support.tasks import AnyOf, all_right, gives

pytest.importorskip("polars", reason="polars is not installed")

import polars as pl

import weburl.ext.polars


def hostname_column(links: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"link": links}, {"link": pl.String})
    frame = frame.with_columns(host=pl.col("link").weburl.hostname())
    return frame["host"].to_list()


CHECKS = [
    gives(["https://example.com/a", "http://www.example.org"], want=["example.com", "www.example.org"]),
    gives(["https://EXAMPLE.com:8443/"], want=["example.com"]),
    gives(
        ["https://example.com/", None, "not a URL"], want=["example.com", None, None], why="data has gaps and errors"
    ),
    gives(
        ["http://[1::/", "http://a b/", "http://h:99999/"],
        want=[None, None, None],
        why="a wrong row must not end the job",
    ),
    gives(["http://me:pw@example.com\\@evil.example/"], want=["example.com"], why="the host ends at the backslash"),
    gives(
        ["http://bücher.example/", "http://xn--bcher-kva.example/"],
        want=AnyOf(["xn--bcher-kva.example"] * 2, ["bücher.example"] * 2),
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives(["http://0x7f.1/"], want=["127.0.0.1"], why="an IPv4 address has many spellings"),
    gives(["http://[0::1]/"], want=AnyOf(["[::1]"], ["::1"]), why="an IPv6 address has many spellings"),
    gives([], want=[], why="a column can be empty"),
]


def test_hostname_column() -> None:
    assert all_right(hostname_column, CHECKS)
