"""What it costs to start: importing modules, and the command with one URL, above an interpreter that does nothing.

    python benchmarks/start.py [--json benchmarks/figures.json] [--rounds 40] [--python PYTHON]

Processes alternate. The best processor time of each is compared with the best of an empty one, since all else on the
machine only makes them slower. With valgrind, the instructions of each process are counted, too.

The environment should have weburl, idna and no other package: files that end in .pth, as those of editable installs and
of setuptools, run at each start of Python. Packages that pip installs are compiled; a tree of sources is compiled
again at each start if PYTHONDONTWRITEBYTECODE is set, which costs more than all else here.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Final

import figures
from bench import describe_machine
from timing import Timing, alternate

COMMAND: Final = "import sys; from weburl.cli import main; sys.exit(main())"
URL: Final = "https://example.org/a?b"
EMPTY: Final = "python -c pass"
# The goals are in milliseconds above an empty interpreter.
STARTS: Final[dict[str, tuple[list[str], float | None]]] = {
    EMPTY: (["pass"], None),
    "import weburl": (["import weburl"], 8),
    "weburl --version": ([COMMAND, "--version"], 15),
    "weburl -g '{hostname}' URL": ([COMMAND, "-g", "{hostname}", URL], 35),
    "import weburl.patterns": (["import weburl.patterns"], None),
    "import weburl.crawl": (["import weburl.crawl"], None),
    "import weburl.bulk": (["import weburl.bulk"], None),
    "import weburl.hosts": (["import weburl.hosts"], None),
    "import weburl.redact": (["import weburl.redact"], None),
    "import weburl.display": (["import weburl.display"], None),
    "import weburl.compat.w3lib": (["import weburl.compat.w3lib"], None),
    "import typing": (["import typing"], None),
    "import argparse": (["import argparse"], None),
    "import urllib.parse": (["import urllib.parse"], None),
}


def run(arguments: Sequence[str], python: str, turn: int = 0) -> float:
    """The milliseconds that a process keeps a processor busy: by the clock it would also wait for other processes."""
    process = subprocess.Popen([python, "-c", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return (usage.ru_utime + usage.ru_stime) * 1000


def times(names: Sequence[str], python: str, rounds: int) -> dict[str, Timing]:
    return alternate({name: partial(run, STARTS[name][0], python) for name in names}, rounds)


def instructions(arguments: Sequence[str], python: str) -> float | None:
    """The instructions of a process, in millions; None without valgrind."""
    if shutil.which("valgrind") is None:
        return None
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", python, "-c", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": "0"})
    found = re.search(r"Collected : (\d+)", done.stderr)
    return None if found is None else int(found[1]) / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--python", default=sys.executable, help="the interpreter whose weburl is measured")
    options = figures.parsed(parser, "start")
    timings = times(list(STARTS), options.python, options.rounds)
    counts = {name: instructions(arguments, options.python) for name, (arguments, _) in STARTS.items()}
    empty, least = timings[EMPTY].best, counts[EMPTY]
    rows = []
    for name, (_, goal) in STARTS.items():
        count = counts[name]
        above = None if count is None or least is None else count - least
        more = timings[name].best - empty
        rows.append({"start": name, "milliseconds": more, "instructions": above, "goal": goal})
        shown = "" if above is None else f"{above:8.1f} million instructions"
        print(f"{name:30} {more:7.1f} ms{shown}{'' if goal is None else f', goal {goal} ms'}")
    print(f"above {empty:.1f} ms, and {least} million instructions")
    if options.json:
        machine = f"{describe_machine()}; best of {options.rounds} rounds"
        measured = {"machine": machine, "versions": {"weburl": version("weburl")}, "empty": empty, "rows": rows}
        figures.add(options.json, "start", measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
