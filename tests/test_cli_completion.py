"""weburl completion, by bash itself, and by zsh and fish if they are installed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import pytest

from weburl.cli import main
from weburl.cli.commands import COMMANDS
from weburl.cli.commands.completion import SHELLS, described

NAMES = ("convert", *COMMANDS)

# What is typed, and the completions of its last word.
LINES = {
    "weburl ": set(COMMANDS),
    "weburl di": {"diff"},
    "weburl --inv": {"--invalid"},
    "weburl --invalid ": {"keep", "drop", "fail", "file="},
    "weburl --invalid k": {"keep"},
    "weburl http://h/ che": set(),
    "weburl http://h/ --so": {"--sort-query"},
    "weburl check --fai": {"--failures"},
    "weburl check --input j": {"jsonl"},
    "weburl check di": set(),
    "weburl diff --ig": {"--ignore-fragment"},
    "weburl diff --sort": set(),
    "weburl view --base n": set(),
    "weburl completion ": {"bash", "zsh", "fish"},
    "weburl completion f": {"fish"},
    "weburl stats --plot x": set(),
    "weburl robots --comp": {"--compat"},
    "weburl robots --only f": {"forbidden"},
    "weburl find --sy": {"--syntax"},
    "weburl find --syntax j": {"json"},
}


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["completion", request.param]) == 0
    path = tmp_path / "script"
    path.write_text(capsys.readouterr().out)
    return path


def run(shell: str, *arguments: str, cwd: Path) -> str:
    """Runs in a folder without files, because their names are completed, too."""
    done = subprocess.run([shell, *arguments], capture_output=True, text=True, cwd=cwd, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


def answers(out: str) -> list[set[str]]:
    return [set(line.split()) for line in out.splitlines()]


@pytest.mark.skipif(which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash(script: Path) -> None:
    asked = "".join(
        f"COMP_WORDS=({line} {chr(39) * 2 if line.endswith(' ') else ''}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
        '_weburl; echo "${COMPREPLY[*]}"\n'
        for line in LINES
    )
    (script.parent / "empty").mkdir()
    out = run("bash", "--norc", "-c", f"set -u; source {script}; {asked}", cwd=script.parent / "empty")
    assert answers(out) == list(LINES.values())


ZSH = """
compdef() { [ "$*" = "_weburl weburl" ] || exit 1 }
compadd() { shift; given+=($*) }
_describe() { given+=(${${(P)2}%%:*}) }
_files() { : }
ask() { words=("$@"); CURRENT=$#; PREFIX=$words[-1]; given=(); _weburl; print -r -- ${(M)given:#$PREFIX*} }
"""


@pytest.mark.skipif(which("zsh") is None, reason="there is no zsh")
@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh(script: Path) -> None:
    asked = "".join(f"ask {line} {chr(39) * 2 if line.endswith(' ') else ''}\n" for line in LINES)
    assert answers(run("zsh", "-f", "-c", f"{ZSH}source {script}\n{asked}", cwd=script.parent)) == list(LINES.values())


@pytest.mark.skipif(which("fish") is None, reason="there is no fish")
@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish(script: Path) -> None:
    asked = "".join(f"echo (complete -C '{line}' | string replace -r '\\t.*' '')\n" for line in LINES)
    (script.parent / "empty").mkdir()
    out = run("fish", "--no-config", "-c", f"source {script}\n{asked}", cwd=script.parent / "empty")
    assert answers(out) == list(LINES.values())


@pytest.mark.parametrize("script", list(SHELLS), indirect=True)
@pytest.mark.parametrize("name", NAMES)
def test_all_options_are_there(script: Path, name: str) -> None:
    """Each script has all options of each parser."""
    text = script.read_text()
    command = described(name)
    assert {"-h", "--help"} <= set(command.names.split())
    for option in command.options:
        for spelled in option.names:
            assert spelled in text or f" -{'l' if spelled[1] == '-' else 's'} {spelled.lstrip('-')} " in text
        assert option.help
        for word in option.value.words if option.value else ():
            assert word in text
    assert command.help
    assert text.endswith("\n")


def test_kinds() -> None:
    """A value is a file, one of some words, or free text."""
    check = {name: option.value for option in described("check").options for name in option.names}
    assert check["--json"] is None
    assert check["--file"] == ((), True)
    assert check["--base"] == ((), False)
    assert check["--input"] is not None
    assert check["--input"].words[:2] == ("text", "csv")
    assert described("check").arguments == ((), True)
    assert described("diff").arguments == ((), False)


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion"]) == 2
    assert main(["completion", "tcsh"]) == 2
    assert capsys.readouterr().out == ""
