"""The extension modules; everything else is in pyproject.toml."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

debug = os.environ.get("WEBURL_DEBUG") == "1"
sanitize = os.environ.get("WEBURL_SANITIZE") == "1"

compile_args: list[str] = []
link_args: list[str] = []
if os.name == "posix":
    compile_args = ["-O1", "-g"] if debug or sanitize else ["-O3"]
    if sanitize:
        compile_args += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
        link_args = ["-fsanitize=address,undefined"]

modules = [
    "_percent.pyx",
    "_host.pyx",
    "_parser.pyx",
    "_setters.pyx",
    "_urlencoded.pyx",
    "_record.pyx",
    "search_params.py",
    "url.py",
]
directives = {
    "language_level": 3,
    "annotation_typing": False,
    "binding": False,
    "boundscheck": debug,
    "cdivision": True,
    "freethreading_compatible": True,
    "wraparound": False,
}

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"weburl.{name.split('.')[0]}",
                [f"src/weburl/{name}"],
                extra_compile_args=compile_args,
                extra_link_args=link_args,
            )
            for name in modules
        ],
        compiler_directives=directives,
        build_dir="build",
        gdb_debug=debug,
    ),
)
