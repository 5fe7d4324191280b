"""The forty tasks, and how solutions are counted. tests/engines/test_peer_tasks.py runs those of other libraries."""

from __future__ import annotations

import ast
import copy
import json
from pathlib import Path
from typing import Any

import pytest
import task_page
from support.tasks import (
    AnyOf,
    Check,
    Crash,
    Query,
    Refusal,
    Refused,
    SamePieces,
    Shows,
    Task,
    all_right,
    answer_of,
    code,
    find_tasks,
    gives,
    in_words,
    lines_of,
    refuses,
    sentence_of,
)


def test_there_are_forty() -> None:
    tasks = find_tasks()
    assert [task.number for task in tasks] == list(range(1, 41))
    assert len({task.name for task in tasks}) == 40


@pytest.mark.parametrize("task", find_tasks(), ids=lambda task: task.name)
def test_each_has_a_sentence_a_solution_and_a_test(task: Any) -> None:
    source = task.path.read_text("utf-8")
    functions = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert sentence_of(task).endswith(".")
    assert f"test_{task.name}" in functions
    assert f"assert all_right({task.name}, CHECKS)" in source
    assert 1 < task_page.own_lines(task) < 30


@pytest.mark.parametrize("peer", task_page.PEERS)
def test_each_library_has_a_solution_or_a_reason(peer: str) -> None:
    source = task_page.source_of(peer)
    names = {task.name for task in find_tasks()}
    reasons = task_page.constant_of(source, "CANNOT")
    solved = {name for name in names if lines_of(source, name) is not None}
    assert solved | reasons.keys() == names
    assert not solved & reasons.keys()
    assert all(reasons.values())


def test_a_change_makes_answers_stale(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(task_page.ANSWERS.read_text("utf-8"))
    assert task_page.stale(found) == []
    older = copy.deepcopy(found)
    older["tasks"]["set_param"]["digest"] = "0"
    del older["tasks"]["convert"]
    assert task_page.stale(older) == ["convert", "set_param"]
    source_of = task_page.source_of
    monkeypatch.setattr(task_page, "source_of", lambda peer: source_of(peer).replace("update_query(page", "add(page"))
    assert task_page.stale(found) == ["set_param", "threads"]
    assert task_page.main(["--check"]) == 1
    assert "stale" in capsys.readouterr().out


SOURCE = '''
from library import URL, parse

LIMIT = 3
OTHER = 4


class Field:
    """A docstring."""

    url: URL

    # A comment.
    def text(self) -> str:
        return str(self.url)


def helper(text: str) -> Field:
    """A docstring
    of two lines."""
    return Field(parse(text)[:LIMIT])


@decorated
def task(text: str) -> str:

    def inner() -> str:
        """One more."""
        return text

    return helper(inner()).text()


def test_task() -> None:
    assert task("a") == OTHER
'''


def test_counted_are_the_lines_of_a_function_and_of_what_it_uses() -> None:
    # LIMIT; Field, url, text() of two; helper() of two; the decorator, task(), inner() of two, and what it returns.
    assert lines_of(SOURCE, "task") == 1 + 4 + 2 + 5
    assert lines_of(SOURCE, "helper") == 1 + 4 + 2
    assert lines_of(SOURCE, "LIMIT") is None
    assert lines_of(SOURCE, "parse") is None
    assert lines_of(SOURCE, "absent") is None


def fails(text: str) -> str:
    if text == "refused":
        raise ValueError("no: hunter2")
    if text == "crashed":
        raise AttributeError("x")
    return text.upper()


def test_answers() -> None:
    assert answer_of(fails, gives("a", want="A")) == "A"
    assert answer_of(fails, refuses("refused")) == Refusal("no: hunter2")
    assert answer_of(fails, refuses("crashed")) == Crash("AttributeError: x")
    assert answer_of(fails, refuses("crashed"), (AttributeError,)) == Refusal("x")


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (gives(want="a"), ["a"], ["b", None, Refusal("a"), Crash("a")]),
        (gives(want=True), [True], [1, False]),
        (gives(want=0), [0], [False]),
        (refuses(), [Refusal("")], ["a", Crash("")]),
        (refuses(hides=["pw"]), [Refusal("no")], [Refusal("a pw b"), "no"]),
        (gives(want=Shows("Port", "a", hides=["pw"])), ["a port"], ["a", "port", "a port pw", "a port PW"]),
        (gives(want=Shows("x")), [Refusal("x")], [None]),
        (gives(want=AnyOf("a", Shows("b"))), ["a", "bc"], ["c"]),
        (
            gives(want=Query("h?a", [("a", "1 2")], "f")),
            ["h?a=1+2#f", "h?a=1%202#f"],
            ["h?a=1+2", "h?b=1+2#f", "h?a=1+2&a#f", 1],
        ),
        (
            gives(want=SamePieces("h?a=1&b")),
            ["h?a=1&b", "h?b&a=1"],
            ["h?a=1&b=", "g?a=1&b", "h?a=1", "h?a=1&b&b", None],
        ),
    ],
)
def test_what_is_right(check: Check, right: list[object], wrong: list[object]) -> None:
    assert [answer for answer in right if not check.is_right(answer)] == []
    assert [answer for answer in wrong if check.is_right(answer)] == []


@pytest.mark.parametrize(
    ("want", "words"),
    [
        ("a", "`'a'`"),
        (Refused(), "an error"),
        (Refused(["pw"]), "an error without `pw`"),
        (Shows("a", "b", hides=["c"]), "a text with `a`, `b` and without `c`"),
        (AnyOf(True, Refused()), "`True` or an error"),
        (SamePieces("h?a"), "`'h?a'`"),
        (Query("h?", [("a", "b")]), "`h?…` with the pairs `[('a', 'b')]`"),
        (Query("h?", [], "c"), "`h?…` with the pairs `[]` and the fragment `c`"),
    ],
)
def test_a_right_answer_in_words(want: object, words: str) -> None:
    assert in_words(want) == words


def test_a_wrong_answer_fails_with_its_input() -> None:
    checks = [gives("a", want="A"), gives("b", want="B", why="b"), gives("c", want="c", why="the case of c")]
    with pytest.raises(AssertionError, match=r"\('c',\) gives 'C', not 'c': the case of c"):
        all_right(fails, checks)
    with pytest.raises(AssertionError):
        all_right(fails, checks[:2])


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a`b", "``a`b``"), ("a\u202eb\n", "`a\\u202eb\\u000a`"), ("é" * 121, f"`{'é' * 119}…`")],
)
def test_code(text: str, shown: str) -> None:
    assert code(text) == shown


def test_what_the_page_shows_of_a_solution(tmp_path: Path) -> None:
    path = tmp_path / "test_01_task.py"
    path.write_text(f"import pytest\nfrom support.tasks import gives\nimport weburl.ext.polars\n{SOURCE}", "utf-8")
    shown = task_page.own_solution(Task(1, "task", path)).splitlines()
    assert shown[:5] == ["import weburl.ext.polars", "from library import URL, parse", "", "", "LIMIT = 3"]
    assert "    # A comment." in shown
    assert shown[-1] == "    return helper(inner()).text()"
    assert not any("OTHER" in line or "pytest" in line for line in shown)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({}, []),
        ({"a": {}}, []),
        ({"a": {"2": "x", "10": "x"}, "b": {"10": "y"}, "c": {}}, ["10"]),
        ({"a": {"2": "x"}, "b": {"10": "y"}, "c": {"2": "z", "10": "z"}}, ["2", "10"]),
    ],
)
def test_fewest_checks(wrong: dict[str, dict[str, str]], expected: list[str]) -> None:
    assert task_page.fewest_checks({"wrong": wrong}) == expected


def test_libraries_with_the_same_answer_stand_together() -> None:
    answers = {"wrong": {"httpx": {"1": "2"}, "yarl": {"1": "2", "3": "4"}, "furl": {"1": "an error"}}}
    assert task_page.wrong_answers(answers, "1") == "yarl, httpx: `2`; furl: an error"
