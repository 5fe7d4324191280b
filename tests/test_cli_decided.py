"""What options mean is decided once: a run does not change it, and a second run does the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import run

from weburl.cli._options import ConvertArgs, decided
from weburl.cli.commands import convert, join, redact, stats
from weburl.cli.commands.convert import ConvertCommand
from weburl.cli.commands.join import JoinCommand
from weburl.cli.commands.redact import RedactCommand


@pytest.mark.parametrize(
    ("options", "text", "without"),
    [
        (["--field", "u"], '{"u": "http://me:pw@h/"}\n', '{"v": "x"}\n'),
        (["--column", "2"], "1,http://me:pw@h/\n", "1\n"),
        (["--log", "%s %r"], "200 GET http://me:pw@h/ HTTP/1.1\n", "x\n"),
    ],
)
def test_redact(options: list[str], text: str, without: str, tmp_path: Path) -> None:
    """What was found in a file is not a part of the address."""
    good, other = tmp_path / "good", tmp_path / "other"
    good.write_text(text)
    other.write_text(without)
    words = [*options, str(good), "-o", str(tmp_path / "out")]
    args = redact.decided(redact.make_parser().parse_args(words, redact.RedactArgs()))
    for names, finds in (([str(good)], True), ([str(other)], False), ([str(good)], True)):
        command = RedactCommand(args._replace(names=names))
        command.run()
        assert args.address is not None
        assert (args.address.missing(command.redaction.files) is None) == finds
        assert len(command.redaction.files) == 1


def test_join(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The columns of the other file are added to a copy."""
    other = tmp_path / "other.csv"
    other.write_text("u,owner\nhttp://h/,ann\n")
    words = ["--with", str(other), "--with-column", "u", "http://h/"]
    args = join.decided(convert.parsed(join.make_parser, words, join.JoinArgs()))
    before = list(args.output.template), args.output.keep
    command = JoinCommand(args)
    command.run()
    assert (list(args.output.template), args.output.keep) == before
    assert [part for part in command.args.template if part not in before[0]] != []
    assert run("join", *words).out == "http://h/\thttp://h/\tann\n"


@pytest.mark.parametrize(
    ("options", "threads"),
    [
        ([], 3), (["-g", "{query:a}"], 3), (["--policy", "crawl"], 3), (["-g", "{scheme}", "--as-idn"], 3),
        (["--sort-query"], 1), (["-g", "{hostname}", "--as-idn"], 1), (["-g", "{query-all:a}"], 1),
        (["-g", "{default:port}"], 1),
    ],
)  # fmt: skip
def test_threads(options: list[str], threads: int) -> None:
    """Where most of the time goes into Python code, more threads do not help."""
    low = convert.parsed(convert.make_parser, [*options, "--threads", "3"], ConvertArgs())
    args = decided(low)
    assert args.reading.threads == threads
    assert ConvertCommand(args).args is args


@pytest.mark.parametrize(("by", "threads"), [("hostname", 3), ("query:a", 3), ("query-all:a", 1), ("default:port", 1)])
def test_threads_of_stats(by: str, threads: int) -> None:
    args = stats.decided(stats.make_parser().parse_args(["--by", by, "--threads", "3"], stats.StatsArgs()))
    assert args.reading.threads == threads
