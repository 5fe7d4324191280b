"""The files that the command writes with the help of packages: their rights, and that terminals do not get them."""

from __future__ import annotations

import pytest
from support.terminal import run_in_terminal
from test_file_rights import acls, check_command, folder

__all__ = ["acls", "folder"]

COMMANDS = [
    ["--parquet", "{}", "http://h"],
    ["--arrow", "{}", "http://h"],
    ["stats", "--plot", "{}", "urls"],
]


@pytest.mark.usefixtures("acls")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_file_that_the_command_writes(
    command: list[str],
    folder: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_command(command, folder, monkeypatch)


@pytest.mark.parametrize("option", ["--parquet", "--arrow"])
def test_a_terminal_does_not_get_columns(option: str) -> None:
    shown = run_in_terminal([option, "-", "http://h"])
    assert (shown.status, shown.out) == (3, b"")
    assert shown.err == b"weburl: standard output: a terminal does not show such a file\n"
