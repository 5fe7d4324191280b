"""Writes the tables of docs/tasks.md: the forty tasks of tests/tasks with weburl and with seven other libraries.

    PYTHONPATH=tests:benchmarks python tools/task_page.py --measure    # asks the libraries, then writes the page
    PYTHONPATH=tests:benchmarks python tools/task_page.py              # writes the page from what they answered
    PYTHONPATH=tests:benchmarks python tools/task_page.py --check      # writes nothing; fails if not current

Lines are counted in the sources. Answers are in benchmarks/peer_tasks/answers.json, so that the libraries need not be
installed to write the page; a change of a task or of a solution makes them stale.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import hashlib
import json
import platform
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from support.tasks import (
    Check,
    Crash,
    Refusal,
    Task,
    answer_of,
    body_of,
    code,
    definitions_of,
    find_tasks,
    in_words,
    lines_of,
    load_task,
    sentence_of,
    solution_of,
    text_of,
)

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tasks.md"
FOLDER = ROOT / "benchmarks" / "peer_tasks"
ANSWERS = FOLDER / "answers.json"
PEERS = ("yarl", "furl", "hyperlink", "crup", "httpx", "pydantic", "urllib")


def source_of(peer: str) -> str:
    return (FOLDER / f"{peer}.py").read_text("utf-8")


def constant_of(source: str, name: str) -> Any:
    """A constant of a module that is not imported, as what it imports need not be installed."""
    for node in body_of(source):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise KeyError(name)


def digest_of(task: Task) -> str:
    """What answers depend on: the task and the solutions."""
    texts = [task.path.read_text("utf-8"), *(solution_of(source_of(peer), task.name) or "" for peer in PEERS)]
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=6).hexdigest()


# Asking the libraries.


def shown(answer: object) -> str:
    if isinstance(answer, Refusal):
        return f"an error: {answer.message}" if answer.message else "an error"
    return answer.error if isinstance(answer, Crash) else repr(answer)


def call_of(task: Task, check: Check) -> str:
    """An input as a call. A long one is cut."""
    return f"{task.name}({', '.join(map(repr, check.given))})"


def measure(task: Task) -> dict[str, Any]:
    """What is wrong in the answers to a task: for each library the number of the check and the answer."""
    checks: Sequence[Check] = load_task(task).CHECKS
    wrong: dict[str, dict[str, str]] = {}
    for peer in PEERS:
        module = import_module(f"peer_tasks.{peer}")
        if task.name not in module.CANNOT:
            solve = getattr(module, task.name)
            answers = [answer_of(solve, check, module.REFUSES) for check in checks]
            wrong[peer] = {
                str(number): shown(answer)
                for number, (check, answer) in enumerate(zip(checks, answers, strict=True))
                if not check.is_right(answer)
            }
    numbers = sorted({int(number) for each in wrong.values() for number in each})
    return {
        "digest": digest_of(task),
        "asked": len(checks),
        "checks": {
            str(number): {
                "call": call_of(task, checks[number]),
                "right": in_words(checks[number].want),
                "why": checks[number].why,
            }
            for number in numbers
        },
        "wrong": wrong,
    }


def versions() -> dict[str, str]:
    names = {peer: constant_of(source_of(peer), "DISTRIBUTION") for peer in PEERS}
    return {peer: version(name) if name else f"CPython {platform.python_version()}" for peer, name in names.items()}


def measure_all() -> dict[str, Any]:
    return {
        "date": datetime.date.today().isoformat(),
        "versions": {"weburl": version("weburl"), **versions()},
        "tasks": {task.name: measure(task) for task in find_tasks()},
    }


# The page.


def cell(task: Task, peer: str, answers: dict[str, Any]) -> str:
    lines = lines_of(source_of(peer), task.name)
    if lines is None:
        return "–"
    wrong = len(answers["wrong"][peer])
    return f"{lines}, {wrong} wrong" if wrong else str(lines)


def own_lines(task: Task) -> int:
    lines = lines_of(task.path.read_text("utf-8"), task.name)
    assert lines is not None, f"{task.path.name} has no function {task.name}"
    return lines


def table(found: dict[str, Any]) -> str:
    rows = [f"| task | checks | weburl | {' | '.join(PEERS)} |", "|---|---:|" + "---:|" * (len(PEERS) + 1)]
    tasks = find_tasks()
    for task in tasks:
        answers = found["tasks"][task.name]
        cells = [cell(task, peer, answers) for peer in PEERS]
        link = f"{task.number}. [{task.name.replace('_', ' ')}](#task-{task.number})"
        rows.append(f"| {link} | {answers['asked']} | {own_lines(task)} | {' | '.join(cells)} |")
    of = found["tasks"]
    solved = [[task for task in tasks if peer in of[task.name]["wrong"]] for peer in PEERS]
    right = [sum(not of[task.name]["wrong"][peer] for task in able) for peer, able in zip(PEERS, solved, strict=True)]
    rows.append(f"| **tasks without a wrong answer** | | {len(tasks)} | {' | '.join(map(str, right))} |")
    totals = []
    for peer, able in zip(PEERS, solved, strict=True):
        lines = sum(lines_of(source_of(peer), task.name) or 0 for task in able)
        totals.append(f"{lines} ({sum(map(own_lines, able))})")
    rows.append(
        f"| **lines in all** (of weburl for the same tasks) | | {sum(map(own_lines, tasks))} | {' | '.join(totals)} |"
    )
    asked = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    return "\n".join([*rows, "", f"Asked on {found['date']}: {asked}."]) + "\n"


def own_solution(task: Task) -> str:
    """The solution with weburl as the page shows it: with what it imports."""
    source = task.path.read_text("utf-8")
    solution = "\n\n\n".join(text_of(source, node) for node in definitions_of(source, task.name))
    imports = []
    for node in body_of(source):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [each.asname or each.name.partition(".")[0] for each in node.names]
            used = any(re.search(rf"\b{name}\b", solution) for name in names)
            is_ours = "support" in ast.unparse(node)
            # One that registers something, such as the expressions of Polars, is used without its name.
            if not is_ours and (used or "weburl." in ast.unparse(node)):
                imports.append(ast.unparse(node))
    return "\n".join([*imports, "", "", solution])


def fewest_checks(answers: dict[str, Any]) -> list[str]:
    """Checks that show a wrong answer of each library that gives one: first those that most give a wrong answer to."""
    left = {peer: set(wrong) for peer, wrong in answers["wrong"].items() if wrong}
    found: list[str] = []
    while left:
        numbers = sorted({number for each in left.values() for number in each}, key=int)
        best = max(numbers, key=lambda number: sum(number in each for each in left.values()))
        found.append(best)
        left = {peer: each for peer, each in left.items() if best not in each}
    return sorted(found, key=int)


def wrong_answers(answers: dict[str, Any], number: str) -> str:
    """Who answers what to a check: libraries with the same answer stand together."""
    peers: dict[str, list[str]] = {}
    for peer in PEERS:
        answer = answers["wrong"].get(peer, {}).get(number)
        if answer is not None:
            peers.setdefault(answer, []).append(peer)
    return "; ".join(f"{', '.join(names)}: {shown_text(answer)}" for answer, names in peers.items())


def shown_text(text: str) -> str:
    return text if text == "an error" else code(text)


def details(found: dict[str, Any]) -> str:
    """For each task the solution with weburl, and checks that show what other libraries get wrong."""
    parts = []
    for task in find_tasks():
        answers = found["tasks"][task.name]
        text = [f"(task-{task.number})=", f"### {task.number}. {task.name}", "", sentence_of(task), ""]
        text += ["```{code-block} python", own_solution(task), "```", ""]
        for number in fewest_checks(answers):
            check = answers["checks"][number]
            why = f" ({check['why']})" if check["why"] else ""
            right = f"{code(check['call'])} must give {check['right']}{why}."
            text.append(f"- {right} {wrong_answers(answers, number)}.")
        reasons = {peer: constant_of(source_of(peer), "CANNOT").get(task.name) for peer in PEERS}
        for reason in dict.fromkeys(filter(None, reasons.values())):
            text.append(f"- Not with {', '.join(peer for peer in PEERS if reasons[peer] == reason)}: {reason}.")
        if not text[-1]:
            text.append("- All libraries are right.")
        parts.append("\n".join(text).rstrip("\n") + "\n")
    return "\n".join(parts)


def stale(found: dict[str, Any]) -> list[str]:
    """The tasks whose answers are not those of the sources."""
    recorded = {name: answers["digest"] for name, answers in found["tasks"].items()}
    current = {task.name: digest_of(task) for task in find_tasks()}
    return sorted(name for name in recorded.keys() | current.keys() if recorded.get(name) != current.get(name))


def page(found: dict[str, Any]) -> str:
    text = PAGE.read_text("utf-8")
    for name, made in (("tasks", table(found)), ("answers", details(found))):
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{made}\n{end}{rest.split(end)[1]}"
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--measure", action="store_true", help="ask the libraries")
    options = parser.parse_args(arguments)
    if options.measure:
        ANSWERS.write_text(json.dumps(measure_all(), ensure_ascii=True, indent=1) + "\n", "utf-8")
    found = json.loads(ANSWERS.read_text("utf-8"))
    changed = stale(found)
    if changed:
        print(f"the answers to these tasks are stale, run tools/task_page.py --measure: {', '.join(changed)}")
        return 1
    made = page(found)
    is_current = made == PAGE.read_text("utf-8")
    if not is_current:
        print(f"{PAGE.relative_to(ROOT)} is not current")
        if not options.check:
            PAGE.write_text(made, "utf-8")
    return int(options.check and not is_current)


if __name__ == "__main__":
    sys.exit(main())
