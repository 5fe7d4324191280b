"""The man page has all that --help says, and groff reads it without a warning."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from man_page import escaped, man_page, parser_of

from weburl.cli.commands import COMMANDS

PAGE = man_page()
GROFF = shutil.which("groff")


@pytest.mark.parametrize("name", ["convert", *COMMANDS])
def test_it_has_every_option(name: str) -> None:
    own = PAGE.partition(f'.SS "weburl {name}"\n')[2].partition("\n.SS ")[0] if name != "convert" else PAGE
    shared = PAGE.partition(".SH COMMANDS")[0] if name in ("dedup", "join") else ""
    for action in parser_of(name)._actions:
        if action.dest == "help":
            continue
        for text in action.option_strings:
            assert f"\\fB{escaped(text)}\\fR" in own + shared
        help = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
        assert escaped(help)[1:] in own + shared


def shown(text: str) -> str:
    done = subprocess.run(
        [GROFF or "groff", "-ww", "-b", "-man", "-Tutf8", "-rLL=200n", "-rHY=0"],
        input=text, capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert done.stderr == ""
    plain = re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout)
    return " ".join(plain.split())


@pytest.mark.skipif(GROFF is None, reason="groff is not installed")
def test_groff_shows_what_help_says() -> None:
    page = shown(PAGE)
    for name in ("convert", *COMMANDS):
        for action in parser_of(name)._actions:
            help = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
            words = " ".join(help.split())[1:]
            assert action.dest == "help" or words in page, words


@pytest.mark.skipif(GROFF is None, reason="groff is not installed")
def test_every_character_is_shown_as_it_is() -> None:
    text = "".join(map(chr, range(33, 127)))
    assert f"a {text} b" in shown(f".TH X 1\n.nh\n.PP\n{escaped(f'a {text} b')}\n")
    for line in (".x", "'x", "\\n(.H", "-x"):
        assert line in shown(f".TH X 1\n.PP\n{escaped(line)}\n")
