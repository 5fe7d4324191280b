"""weburl completion: prints a script that completes commands and options in a shell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from shlex import quote
from typing import Final, NamedTuple

from weburl.cli._arguments import LowArgs, option
from weburl.cli._exit import ExitCode
from weburl.cli._parser import ArgumentParser
from weburl.cli.commands import COMMANDS

EXAMPLES: Final = r"""examples:
  weburl completion bash > ~/.local/share/bash-completion/completions/weburl
  weburl completion zsh > "${fpath[1]}/_weburl"
  weburl completion fish > ~/.config/fish/completions/weburl.fish

"""

# Patterns for a shell: the command before the first word is read, and a first word that is a command.
NAMED: Final = "|".join(f"convert:{name}" for name in COMMANDS)


class Value(NamedTuple):
    """A value: one of some words, or a file, or a text that cannot be completed."""

    words: tuple[str, ...] = ()
    is_file: bool = False


class CompletedOption(NamedTuple):
    names: tuple[str, ...]
    help: str
    value: Value | None


class Command(NamedTuple):
    name: str
    help: str
    options: list[CompletedOption]
    arguments: Value

    @property
    def names(self) -> str:
        return " ".join(name for each in self.options for name in each.names)


class CompletionArgs(LowArgs):
    shell: str = option(choices=["bash", "zsh", "fish"])


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl completion",
        CompletionArgs,
        description="Prints a script for your shell, which then completes commands and options.",
        examples=EXAMPLES,
    )


class CompletionHiArgs(NamedTuple):
    """What completion does."""

    script: Callable[[list[Command]], Iterator[str]]


def decided(low: CompletionArgs) -> CompletionHiArgs:
    return CompletionHiArgs(SHELLS[low.shell])


def main(arguments: list[str]) -> int:
    args = decided(make_parser().parse_args(arguments, CompletionArgs()))
    print("\n".join(args.script([described(name) for name in ("convert", *COMMANDS)])))
    return ExitCode.OK


def described(name: str) -> Command:
    """The options and arguments of a command; `convert` is the one without a name."""
    module = import_module(f"weburl.cli.commands.{name}")
    parser = module.make_parser()
    options = []
    arguments = Value()
    for action in parser._actions:
        value = Value(tuple(action.choices or ()), action.metavar in ("FILE", "OUT"))
        if action.option_strings:
            names = tuple(action.option_strings)
            options.append(CompletedOption(names, action.help.replace("%%", "%"), None if action.nargs == 0 else value))
        else:
            arguments = value
    return Command(name, (module.__doc__ or "").partition(": ")[2].rstrip("."), options, arguments)


def values(commands: list[Command]) -> Iterator[tuple[str, Value]]:
    """Each command and option that take a value, with the value."""
    for command in commands:
        for each in command.options:
            if each.value is not None:
                for name in each.names:
                    yield f"{command.name}:{name}", each.value


def bash(commands: list[Command]) -> Iterator[str]:
    """The script for bash. It completes the name of a file if there are no words."""
    yield "# bash completion of weburl"
    yield "_weburl() {"
    yield "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=start words="
    yield "    (( COMP_CWORD == 1 )) || command=convert"
    yield f"    case $command:${{COMP_WORDS[1]}} in {NAMED}) command=${{COMP_WORDS[1]}} ;; esac"
    yield "    case $command:$prev in"
    for place, value in values(commands):
        yield f"        {place}) words='{' '.join(value.words)}' ;;"
    start = commands[0]._replace(name="start", arguments=Value(COMMANDS))
    for command in (start, *commands):
        yield f"        {command.name}:*) words='{' '.join(command.arguments.words)}'"
        yield f"            [[ $cur != -* ]] || words='{command.names}' ;;"
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield "}"
    yield "complete -o default -F _weburl weburl"


def zsh(commands: list[Command]) -> Iterator[str]:
    yield "#compdef weburl"
    yield "_weburl() {"
    yield "    local command=start"
    yield "    local -a found"
    yield "    (( CURRENT == 2 )) || command=convert"
    yield f"    case $command:$words[2] in ({NAMED}) command=$words[2] ;; esac"
    yield "    case $command:$words[CURRENT-1] in"
    for place, value in values(commands):
        action = f"compadd -- {' '.join(value.words)}" if value.words else "_files" if value.is_file else "true"
        yield f"        ({place}) {action}; return ;;"
    yield "    esac"
    yield "    case $command in"
    helps = {command.name: command.help for command in commands}
    start = commands[0]._replace(name="start", arguments=Value(COMMANDS))
    for command in (start, *commands):
        yield f"        ({command.name})"
        yield "            if [[ $PREFIX == -* ]]; then"
        described = [quote(f"{name}:{each.help}") for each in command.options for name in each.names]
        yield f"                found=({' '.join(described)})"
        yield "            else"
        described = [quote(f"{word}:{helps.get(word, word)}") for word in command.arguments.words]
        yield f"                found=({' '.join(described)})"
        yield "            fi ;;"
    yield "    esac"
    yield "    if (( $#found )); then _describe weburl found; else _files; fi"
    yield "}"
    yield 'if [ "$funcstack[1]" = _weburl ]; then _weburl "$@"; else compdef _weburl weburl; fi'


def fish(commands: list[Command]) -> Iterator[str]:
    yield "# fish completion of weburl"
    for command in commands:
        seen = f"__fish_seen_subcommand_from {' '.join(COMMANDS) if command.name == 'convert' else command.name}"
        when = quote(f"not {seen}" if command.name == "convert" else seen)
        if command.name != "convert":
            yield f"complete -c weburl -n __fish_use_subcommand -a {command.name} -d {quote(command.help)}"
        if command.arguments.words:
            yield f"complete -c weburl -n {when} -f -a {quote(' '.join(command.arguments.words))}"
        for each in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in each.names)
            value = ""
            if each.value is not None:
                value = " -r -F" if each.value.is_file else f" -x -a {quote(' '.join(each.value.words))}"
            yield f"complete -c weburl -n {when} {names}{value} -d {quote(each.help)}"


SHELLS: Final[dict[str, Callable[[list[Command]], Iterator[str]]]] = {"bash": bash, "zsh": zsh, "fish": fish}
