"""Columns in which each text is empty: nothing is copied from them, nor to where they would be."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import run

URL_LINE, EMPTY_CELLS, EMPTY_MEMBERS = "http://h/?=", 'url,a,b\nfile:///,,""', '{"url":"x:","a":""}'
CASES = [
    ("txt", URL_LINE, ["-g", "{username}{hash}{query:}{query:x}"], ""),
    ("txt", URL_LINE, ["--csv", "-g", "{hash} {query:}"], ","),
    ("txt", URL_LINE, ["--base", "http://b", "--csv-safe", "-g", "{hash}{error}"], ","),
    ("txt", URL_LINE, ["--match", r"*://*/\?=:id(.*)", "--json", "-g", "{group:id} {hash}"],
     '{"group:id":"","hash":""}'),
    ("txt", URL_LINE, ["--sort-query", "-g", "{password}"], ""),
    ("txt", "", ["--base", "x:", "-g", "{href}"], ""),
    ("csv", EMPTY_CELLS, ["--column", "url", "-g", "{hostname}"], ""),
    ("csv", EMPTY_CELLS, ["--column", "url", "--keep", "--csv", "-g", "{host} {registrable_domain}"], "file:///,,,,"),
    ("csv", EMPTY_CELLS, ["--column", "url", "--keep", "--json", "-g", "{host}"],
     '{"url":"file:///","a":"","b":"","host":""}'),
    ("jsonl", EMPTY_MEMBERS, ["--field", "url", "--keep=a", "--csv", "-g", "{search}"], ","),
    ("jsonl", EMPTY_MEMBERS, ["--field", "url", "-g", "{pathname}{column:a}"], ""),
]  # fmt: skip


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("rows", [1, 5000])
@pytest.mark.parametrize(("suffix", "text", "arguments", "line"), CASES)
def test_empty(
    suffix: str, text: str, arguments: list[str], line: str, rows: int, threads: str, tmp_path: Path
) -> None:
    path = tmp_path / f"in.{suffix}"
    header, _, row = text.rpartition("\n")
    path.write_text(f"{header}\n" * bool(header) + f"{row}\n" * rows)
    ended = run(*arguments, "--threads", threads, "-f", str(path))
    has_header = "--csv" in arguments or "--csv-safe" in arguments
    assert (ended.status, ended.lines[has_header:]) == (0, [line] * rows)
