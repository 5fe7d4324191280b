"""WEBURL_PGO=1: tools/profiled.py, on a module that compiles in a moment, with each compiler of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import profiled
import pytest

TOOLS = Path(profiled.__file__).parent
SETUP = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(TOOLS)!r})
import package, profiled
from setuptools import Extension, setup
profiled.ROOT = Path(__file__).resolve().parent
modules = [Extension("probe", ["probe.c"])]
setup(name="x", py_modules=[], ext_modules=modules, cmdclass={{"build_ext": package.Extensions}})
"""
# What is rare comes first, unless the compiler knows better.
PROBE = """
#include <Python.h>
static PyObject *run(PyObject *self, PyObject *number)
{
    long i, n = PyLong_AsLong(number), sum = 0;
    for (i = 0; i < n; i++) {
        if (i % 1000 == 999)
            sum += i * 7 % 13;
        else
            sum ^= i;
    }
    return PyLong_FromLong(sum);
}
static PyMethodDef methods[] = {{"run", run, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef probe = {PyModuleDef_HEAD_INIT, "probe", NULL, -1, methods};
PyMODINIT_FUNC PyInit_probe(void) { return PyModule_Create(&probe); }
"""
COMPILERS = [name for name in ("gcc", "clang", "clang-14") if shutil.which(name)]
pytestmark = pytest.mark.skipif(os.name != "posix" or not COMPILERS, reason="there is no GCC and no Clang")


def build(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "tools").mkdir(parents=True, exist_ok=True)
    (folder / "setup.py").write_text(SETUP)
    (folder / "probe.c").write_text(PROBE)
    (folder / "tools" / "training.py").write_text("import probe; print('trained', probe.run(100000))")
    shutil.rmtree(folder / "build", ignore_errors=True)
    return subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=folder,
        env={**os.environ, "WEBURL_PGO": "", "CFLAGS": "-O2", **variables},
        capture_output=True,
        text=True,
    )


def built(folder: Path, **variables: str) -> bytes:
    done = build(folder, **variables)
    assert done.returncode == 0, done.stderr
    assert ("trained" in done.stdout) is (variables.get("WEBURL_PGO") == "1")
    (library,) = folder.glob("probe.*.so")
    found = library.read_bytes()
    library.unlink()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_second_build_knows_what_the_first_has_counted(compiler: str, tmp_path: Path) -> None:
    variables = {"CC": compiler, "LDSHARED": f"{compiler} -shared"}
    plain = built(tmp_path, **variables)
    assert built(tmp_path, WEBURL_PGO="0", **variables) == plain
    trained = built(tmp_path, WEBURL_PGO="1", **variables)
    assert trained != plain
    # It counts nothing any more, and is the same when it is built again.
    assert b"gcda" not in trained
    assert b"__llvm_profile" not in trained
    assert built(tmp_path, WEBURL_PGO="1", **variables) == trained


def test_a_wrong_word(tmp_path: Path) -> None:
    done = build(tmp_path, WEBURL_PGO="yes")
    assert done.returncode != 0
    assert "WEBURL_PGO must be 0 or 1, not 'yes'" in done.stderr


def test_kinds_of_compilers() -> None:
    assert profiled.kind_of("Debian clang version 14.0.6\nTarget: x86_64") == "clang"
    assert profiled.kind_of("Apple clang version 17.0.0") == "clang"
    assert profiled.kind_of("gcc (Debian) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.") == "gcc"
    with pytest.raises(SystemExit, match=r"^WEBURL_PGO=1 needs GCC or Clang, not 'tcc 0\.9'$"):
        profiled.kind_of("tcc 0.9\nx")


def test_training_that_fails_stops_the_build(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    build(folder)
    (folder / "tools" / "training.py").write_text("raise SystemExit(3)")
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=folder,
        env={**os.environ, "WEBURL_PGO": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "training.py" in done.stderr
