"""The rights of files that the command writes with the help of packages."""

from __future__ import annotations

import pytest
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
