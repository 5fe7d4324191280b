"""weburl stats --by with each field of -g, beside a count of the rows that the conversion prints."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.command import run

COLUMNS = ("status", "time", "column:n")
OTHERS = ("method", "bytes", "referrer", "and")
WITH_NAMES = ("query:id", "query-all:id", "default:port", "group:name")
NAMES = run("-g", "{nope}").err.partition("the names are ")[2].split()
FIELDS = [*(name for name in NAMES if ":" not in name and name not in (*COLUMNS, *OTHERS)), *WITH_NAMES]
PIECE = 1 << 19  # bytes of lines that are counted at a time
ROWS = [
    "http://a/", "HTTPS://www.b.example:444/x/../users/17?id=1&id=2#top", "https://b.example/users/18/?id=%C3%A9",
    "ftp://[::1]/" + "x" * 160, "mailto:" + "a" * 160, "http://c.example/\u00e9?q", "http://127.1:80/?id", "/relative",
    "", "  ", "\t", "no", "http://a b/", "http://[/",
]  # fmt: skip
HOW = {"text": ["--input", "text"], "csv": ["--column", "u"], "jsonl": ["--field", "u"]}


def written(kind: str, rows: list[str], path: Path) -> list[str]:
    """The words that read the file of these rows."""
    if kind == "jsonl":
        records = ({"u": row, "n": f"n{place % 5}", "status": "200", "time": "x"} for place, row in enumerate(rows))
        text = "".join(json.dumps(record) + "\n" for record in records)
    elif kind == "csv":
        text = "u,n,status,time\n" + "".join(f'"{row}",n{place % 5},200,x\n' for place, row in enumerate(rows))
    else:
        text = "".join(f"{row}\n" for row in rows)
    path.write_text(text, "utf-8", newline="")
    return [*HOW[kind], "-f", str(path)]


def counted(
    found: dict[str, Any], by: list[str], before: tuple[str | None, ...] = ()
) -> Counter[tuple[str | None, ...]]:
    """How often each group of the last level occurs, with the names of those that it is in."""
    groups: Counter[tuple[str | None, ...]] = Counter()
    for each in found["top"]:
        names = (*before, each["name"])
        groups += counted(each["groups"], by[1:], names) if by[1:] else Counter({names: each["count"]})
    return groups


def test_these_are_all_fields() -> None:
    assert {"href", "fragment", "error", "host_group", "trap_key", "redacted", "route", "url", "path"} < {*FIELDS}
    with_names = {name.partition(":")[0] for name in NAMES if ":" in name}
    assert with_names == {name.partition(":")[0] for name in (*WITH_NAMES, "column:n", "must:NAME")}


@pytest.mark.parametrize("base", [[], ["--base", "http://h.example/d/"]], ids=" ".join)
@pytest.mark.parametrize("count", [1, 2, 15_000])
@pytest.mark.parametrize("kind", ["text", "csv", "jsonl"])
def test_groups_of_each_field_are_those_of_the_rows(kind: str, count: int, base: list[str], tmp_path: Path) -> None:
    pytest.importorskip("publicsuffixlist", reason="publicsuffixlist is not installed")
    random = Random(count)
    rows = ROWS[:count] if count < len(ROWS) else [random.choice(ROWS) for _ in range(count)]
    path, routes = tmp_path / f"in.{kind}", tmp_path / "routes"
    routes.write_text("user\thttp{s}?://*/users/:name\nhome\thttp://*/\n")
    words = [*written(kind, rows, path), *base, "--routes", str(routes)]
    assert count < 3 or path.stat().st_size > PIECE
    fields = [*FIELDS, *(COLUMNS if kind != "text" else ())]
    found = columns(words, fields)
    of_routes = ("route", "group:name")
    for by in ([field] for field in fields):
        check(words if by[0] in of_routes else words[:-2], by, found)
    for by in (["hostname", "input"], ["input", "template"], ["template", "input", "query:id", "scheme"]):
        check(words[:-2], by, found)


def columns(words: list[str], fields: list[str]) -> dict[str, list[str | None]]:
    """The fields of each row that is a URL. Two of them have the same label."""
    format = " ".join(f"{{{field}}}" for field in fields if field != "port")
    records = [json.loads(line) for line in run(*words, "--json", "-g", format, "--invalid", "drop").lines]
    ports = [json.loads(line)["port"] for line in run(*words[:-2], "--json", "--invalid", "drop").lines]
    found = zip(*(record.values() for record in records), strict=True)
    return dict(zip((field for field in fields if field != "port"), map(list, found), strict=True)) | {"port": ports}


def check(words: list[str], by: list[str], found: dict[str, list[str | None]]) -> None:
    wanted = Counter(zip(*(found[name] for name in by), strict=True))
    ended = run("stats", *words, "--json", "--top", "1000", "--by", ",".join(by))
    assert ended.status == 0, (by, ended.err)
    assert counted(json.loads(ended.out)["groups"], by) == wanted, by
