"""The extension modules. pyproject.toml has what can be said there, tools/package.py what setuptools does not do."""

import os
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, setup

sys.path.insert(0, "tools")
import package

sanitize = os.environ.get("WEBURL_SANITIZE") == "1"
debug = sanitize or os.environ.get("WEBURL_DEBUG") == "1"
compile_args: list[str] = []
if os.name == "posix":
    compile_args = ["-O2", *(["-g", "-DWEBURL_DEBUG=1", "-DCYTHON_USE_FREELISTS=0"] if debug else [])]
    # The first two are of Python's own flags, whose place CFLAGS takes.
    compile_args += ["-DNDEBUG", "-fwrapv", "-g0"] * (not debug)
    compile_args += ["-fno-plt"] * (sys.platform == "linux" and not debug)
link_args = ["-fsanitize=address,undefined"] * sanitize
compile_args += [*link_args, "-fno-wrapv", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"] * sanitize
directives = {"language_level": 3, "annotation_typing": False, "binding": False, "boundscheck": debug}
directives |= {"auto_pickle": False, "cdivision": True, "freethreading_compatible": True, "wraparound": False}
sources = sorted(glob("src/weburl/**/*.pyx", recursive=True))
sources += [f"src/weburl/{name}.py" for name in ("_parsed", "_unicode/idna", "search_params", "url")]
# The bits: see offsets.h. Compressed strings would make `import weburl` import zlib.
macros = [("WEBURL_OFFSET_BITS", os.environ.get("WEBURL_OFFSET_BITS", "32")), ("CYTHON_COMPRESS_STRINGS", "0")]
settings = {"define_macros": macros, "extra_link_args": link_args, "depends": ["setup.py"]}
# What runs for each URL is made fast, what makes objects small. A function that begins a cache line is fast anywhere.
hot = (*"_arrow _core _crawl _hosts.c _learn _parsed _patterns _redact.c _robots _text _verbs ext search url".split(),)
cold = tuple("_arrow.export _unicode cli.keys compat".split())
extensions = []
for path in sources:
    room = ".".join(Path(path).with_suffix("").parts[2:])
    level = ["-Os"] if room.startswith(cold) else ["-O3", "-falign-functions=64"] * room.startswith(hot)
    compiled = compile_args + (level + package.inlines(path)) * (os.name == "posix" and not debug) + package.own_flags()
    extensions.append(Extension(f"weburl.{room}", [path], extra_compile_args=compiled, **settings))
if __name__ == "__main__":  # Where a process is no fork, those that translate the modules import this file.
    setup(ext_modules=package.modules(extensions, directives, "build/debug" if debug else "build"), **package.WORDS)
