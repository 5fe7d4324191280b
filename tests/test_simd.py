"""WEBURL_SIMD chooses the kernels when weburl is imported. With each of them, the parser and columns do the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_agreement import SEEDS

from weburl._core.percent import kernel_names

TESTS = Path(__file__).parent
NAME = "from weburl._core.percent import kernel_name; print(kernel_name())"


def run(simd: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "WEBURL_SIMD": simd},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("simd", ["", *kernel_names()])
def test_the_kernels_are_chosen_at_import(simd: str) -> None:
    done = run(simd, "-c", NAME)
    assert (done.stderr, done.stdout) == ("", f"{simd or kernel_names()[0]}\n")
    assert f"kernels: {simd or kernel_names()[0]}\n" in run(simd, "-m", "weburl", "--version", "--verbose").stdout


@pytest.mark.parametrize("simd", ["mmx", "C", "c,avx2", "\N{SNOWMAN}"])
def test_a_word_that_names_none_is_an_error(simd: str) -> None:
    done = run(simd, "-c", "import weburl")
    assert done.returncode == 1
    shown = simd if simd.isascii() else "\\\\xe2\\\\x98\\\\x83"
    names = ", ".join(kernel_names())
    assert done.stderr.endswith(f"ValueError: WEBURL_SIMD is '{shown}'; for this processor, it can be {names}\n")


@pytest.mark.parametrize("simd", kernel_names()[1:])
@pytest.mark.parametrize(
    "tests",
    [
        ["tests/test_agreement.py::test_hostile[{seed}]", "tests/test_door.py"],
        pytest.param(["tests/test_verb_agreement.py"], marks=pytest.mark.slow),
    ],
    ids=["parser", "columns"],
)
def test_all_kernels_agree(tests: list[str], simd: str) -> None:
    """The others of this processor: the whole suite runs with the first."""
    tests = [test.format(seed=SEEDS[kernel_names().index(simd)]) for test in tests]
    done = run(simd, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests)
    assert done.returncode == 0, done.stdout
