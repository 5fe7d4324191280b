"""The forty tasks: all are right with weburl, and other libraries answer what docs/tasks.md says."""

from __future__ import annotations

import json
import platform

import pytest
import task_page
from support.tasks import Task, all_right, find_tasks, load_task

FOUND = json.loads(task_page.ANSWERS.read_text("utf-8"))


@pytest.mark.parametrize("task", find_tasks(), ids=lambda task: task.name)
def test_weburl(task: Task) -> None:
    module = load_task(task)
    assert all_right(getattr(module, task.name), module.CHECKS)


@pytest.mark.parametrize("task", find_tasks(), ids=lambda task: task.name)
def test_other_libraries(task: Task) -> None:
    asked = FOUND["versions"]
    installed = task_page.versions()
    # With another version of Python, urllib and ipaddress answer otherwise.
    if platform.python_version_tuple()[:2] != tuple(asked["urllib"].split()[1].split(".")[:2]):
        pytest.skip(f"the answers are those of {asked['urllib']}")
    assert {peer: asked[peer] for peer in task_page.PEERS if peer != "urllib"} == {
        peer: installed[peer] for peer in task_page.PEERS if peer != "urllib"
    }, "run tools/task_page.py --measure"
    assert task_page.measure(task) == FOUND["tasks"][task.name], "run tools/task_page.py --measure"
