"""Arguments that are read by the table of options alone are what argparse would see."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from weburl.cli._arguments import LowArgs, Option, scanned
from weburl.cli._options import ConvertArgs, KeyedArgs
from weburl.cli._parser import ArgumentParser
from weburl.cli.commands import convert, dedup, join
from weburl.cli.commands.join import JoinArgs

TABLES: dict[type[LowArgs], Callable[[], ArgumentParser]] = {
    ConvertArgs: convert.make_parser,
    KeyedArgs: dedup.make_parser,
    JoinArgs: join.make_parser,
}
# Values of options, and arguments: right and wrong ones, and what looks like an option.
TEXTS = [
    "", "-", "a", "http://h/", "a b", "-1", "-1.5", "--", "-x", "-a b", "--x y", "=", "a=b", "keep", "drop", "file=a",
    "csv", "jsonl", "64K", "12", "0", "x12", "combined", "$request", "{hostname}", "*", "é", "\udcff", "@a", "--csv",
]  # fmt: skip


def some_arguments(random: Random, rows: list[Option]) -> list[str]:
    arguments: list[str] = []
    for _ in range(random.randrange(5)):
        flags = random.choice(rows).flags or ("",)
        flag = random.choice(flags)
        spelling = random.randrange(12)
        if spelling == 0:
            flag = flag[: random.randrange(len(flag) + 1)]
        elif spelling == 1:
            flag += random.choice(TEXTS)
        elif spelling < 5:
            flag += "=" + random.choice(TEXTS)
        elif spelling == 5:
            flag = flag.upper()
        arguments += [flag] * (spelling != 6)
        arguments += random.choices(TEXTS, k=random.choice((0, 0, 1, 1, 1, 2, 3)))
    return [argument for argument in arguments if argument != "--"]


def by_argparse(make: Callable[[], ArgumentParser], table: type[LowArgs], arguments: list[str]) -> Any:
    try:
        return vars(make().parse_intermixed_args(arguments, table()))
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize("table", TABLES)
def test_the_same_as_argparse(table: type[LowArgs], capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row for options in table.rows.values() for row in options]
    random = Random(38)
    count = 0
    for number in range(2000):
        # One row after the other, and then any.
        arguments = some_arguments(random, [rows[number % len(rows)], random.choice(rows)])
        if table is JoinArgs and random.randrange(4):
            arguments = [f"--with={random.choice(TEXTS)}", *arguments]
        low = table()
        if scanned(arguments, low):
            count += 1
            assert vars(low) == by_argparse(TABLES[table], table, arguments), arguments
        else:
            assert vars(low) == {}, arguments
    capsys.readouterr()
    assert count > 300


@pytest.mark.parametrize("row", [row for options in JoinArgs.rows.values() for row in options if row.flags])
def test_each_option_is_read_without_argparse(row: Option) -> None:
    """Without it, the fast way would be lost, and nobody would notice."""
    action, needs_value = row.more.get("action", "store"), "action" not in row.more or "type" in row.more
    value = row.more.get("choices", ["12" if row.more.get("type") else "a"])[0]
    times = {"--since": "12h", "--until": "12h"}
    value = {"--log": "combined", "--compression": "zstd:3", **times}.get(row.flags[0], value)
    for flag in row.flags:
        given = [flag, value] if needs_value or action in ("append", "extend") else [flag]
        assert scanned(["--with", "b", *given], JoinArgs()), given
        if flag.startswith("--") and len(given) == 2:
            assert action == "extend" or scanned(["--with", "b", f"{flag}={value}"], JoinArgs())
