"""Emscripten's compiler in place of the one that setuptools calls: as that of a side module of Pyodide."""

import os
import sys
from pathlib import Path

# What other compilers take.
OTHERS = ("-fno-plt", "-pthread", "-shared", "-falign-functions=64")

arguments = [argument for argument in sys.argv[1:] if argument not in OTHERS]
if "-c" not in arguments:
    module = Path(arguments[arguments.index("-o") + 1]).name.partition(".")[0]
    # A side module that exports only what is named. Without WASM_BIGINT, imports with 64-bit integers do not match.
    arguments += ["-sSIDE_MODULE=2", "-sWASM_BIGINT", f"-sEXPORTED_FUNCTIONS=_PyInit_{module}"]
os.execvp("emcc", ["emcc", *arguments])
