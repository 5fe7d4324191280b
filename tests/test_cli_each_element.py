"""--field with brackets: a row for each string that a path has in a record."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from test_cli_redact_values import run

from weburl.cli.readers.field_path import EACH, field_path

PATHS = ("a[]", "a[].b", "a.b[]", "a[][]", 'a[]."u.v"', "a[].b[].c", "u.v[]")
NAMES = ("a", "b", "c", "u.v", "a[]", "é", "a[].b")


def value_of(random: Random, depth: int) -> Any:
    kind = random.randrange(10)
    if not depth or kind < 4:
        return random.choice(("https://h/a", "https://h/\u00e9/\U0001f600", "https://h/\"\\'", None, 5, True, "", "x"))
    if kind < 7:
        return [value_of(random, depth - 1) for _ in range(random.randrange(4))]
    return {random.choice(NAMES): value_of(random, depth - 1) for _ in range(random.randrange(4))}


def shaped(random: Random, steps: tuple[str | None, ...]) -> Any:
    """A value that mostly is as a path says."""
    if not steps or random.random() < 0.1:
        return value_of(random, 3)
    if steps[0] is EACH:
        return [shaped(random, steps[1:]) for _ in range(random.randrange(5))]
    return {random.choice(NAMES): 1, steps[0]: shaped(random, steps[1:]), random.choice(NAMES): "x"}


def found(value: Any, steps: tuple[str | None, ...], strings: list[str]) -> bool:
    """Notes the strings under a path; false if something is not as the path says."""
    if value is None:
        return True
    if not steps:
        if isinstance(value, str):
            strings.append(value)
        return isinstance(value, str)
    if steps[0] is EACH:
        # All are noted, also after one that is wrong.
        rights = [found(each, steps[1:], strings) for each in value] if isinstance(value, list) else [False]
        return all(rights)
    return isinstance(value, dict) and found(value.get(steps[0]), steps[1:], strings)


def expected(record: Any, path: str) -> list[str | None]:
    """The rows of a record; None is one without a URL."""
    strings: list[str] = []
    is_whole = isinstance(record, dict) and path in record
    is_right = isinstance(record, dict) and found(record, (path,) if is_whole else field_path(path), strings)
    return [*strings] if strings and is_right else [*strings, None]


@pytest.mark.parametrize("path", PATHS)
def test_there_is_a_row_for_each_string(path: str) -> None:
    random = Random(path)
    records: list[Any] = []
    for number in range(400):
        record = shaped(random, field_path(path))
        if isinstance(record, dict) and random.random() < 0.5:
            record["n"] = number
        records.append(record)
    lines = [json.dumps(each, ensure_ascii=random.random() < 0.5) for each in records]
    data = "\n".join(lines).encode()
    for threads in ("1", "2"):
        ended = run(
            *("--input", "jsonl", "--field", path, "--json", "--keep=n", "--threads", threads, "--invalid", "keep"),
            stdin=data,
            command="",
        )
        rows = [json.loads(line) for line in ended.out.splitlines()]
        wanted = [
            (text, record.get("n") if isinstance(record, dict) else None)
            for record in records
            for text in expected(record, path)
        ]
        assert [(row["input"], row["n"]) for row in rows] == wanted
        assert sum(text is not None for text, _ in wanted) > len(records) // 4


def kept_value(record: Any, path: str) -> Any:
    value = record
    for step in (path,) if isinstance(record, dict) and path in record else field_path(path):
        value = value.get(step) if isinstance(value, dict) else None
    return value


@pytest.mark.parametrize("path", ["a.b[]", "a.b[].c", "a.b.c[].b[].c", "a[].b.c"])
def test_other_fields_of_the_same_objects(path: str) -> None:
    """Fields inside the objects that a path goes through, some of which have empty names."""
    random = Random(path)
    kept = ("a.x", "a.b.x", "a.b.c.x", "a.y", "x")
    records = []
    for _ in range(400):
        record = shaped(random, field_path(path))
        value = record
        while isinstance(value, dict):
            value |= {name: random.randrange(100) for name in ("x", "y", "") if random.random() < 0.5}
            value = value.get("b" if "b" in value else "a")
        records.append(record)
    ended = run(
        *("--input", "jsonl", "--field", path, "--json", f"--keep={','.join(kept)}", "--invalid", "keep"),
        stdin="\n".join(map(json.dumps, records)).encode(),
        command="",
    )
    rows = [json.loads(line) for line in ended.out.splitlines()]
    wanted = [
        [text, *(kept_value(record, name) for name in kept)] for record in records for text in expected(record, path)
    ]
    assert [[row["input"], *(row[name] for name in kept)] for row in rows] == wanted
    assert all(any(row[place] is not None for row in wanted) for place in (0, 1, len(kept)))


def test_faults_name_the_path_and_the_line() -> None:
    data = b'{"a":["https://h/"]}\n{"a":[1,"https://h/b",2]}\n{"a":{}}\n'
    ended = run("--field", "a[]", "--invalid", "drop", stdin=data, command="")
    assert ended.out == b"https://h/\nhttps://h/b\n"
    assert "standard input:2: invalid-record: a value of the field 'a[]' is not a string" in ended.err
    ended = run("--field", "a[]", stdin=data.splitlines()[2], command="")
    assert "a value of the field 'a[]' is not where its path says" in ended.err
    assert "no record has a text in the field 'a[]'" in ended.err
    assert ended.status == 1


def test_what_is_kept_beside_each_value_is_bounded() -> None:
    count = 20_000
    line = json.dumps({"k": "y" * count, "a": ["https://h/"] * count}).encode()
    ended = run("--field", "a[]", "--json", "--keep=k", stdin=line + b"\n" + line, command="")
    assert ended.status == 1
    assert "the field 'a[]' has too many values to keep other fields beside each" in ended.err
    assert len(ended.out) < 10 * count
    few = json.dumps({"k": "y" * count, "a": ["https://h/"] * 60}).encode()
    ended = run("--field", "a[]", "-g", "{column:k}", stdin=few, command="")
    assert ended.out == (b"y" * count + b"\n") * 60
    assert run("--field", "a[]", stdin=line, command="").out == b"https://h/\n" * count


def test_only_the_field_of_the_urls_has_several_values() -> None:
    for options in (("--json", "--keep=a[].b"), ("-g", "{column:a[].b}")):
        ended = run("--field", "u", *options, stdin=b'{"u":"https://h/"}\n', command="")
        assert ended.status == 2
        assert "'a[].b' is several values of one record" in ended.err
    ended = run("--field", "a[]", "--json", "--keep", stdin=b'{"a":["https://h/"]}\n', command="")
    assert ended.status == 2
    assert "'a[]' is several rows of one record: --keep needs names here" in ended.err
