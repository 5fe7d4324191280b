"""Each rule of tools/check_source.py finds a bad sample, at its place, and nothing in a good one."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_imports import is_allowed
from check_source import LONGEST, exists, main, place_pattern
from imported_constants import IMPORTED
from source_tree import ROOT, RULES, Tree, rows_of
from support.imports import cycles, read_tree

SOURCE = "src/weburl/"
CLI = f"{SOURCE}cli/"
LOW = "class XArgs(LowArgs): ...\n"
TABLE = "## Where things are\n\n| `{}` | what | {}| {}|\n"
ANCHORS = "".join(f"s{number}-state\n" for number in range(20)) + "hostname-state concept-url api"
CITED = "".join(f"# https://url.spec.whatwg.org/#s{number}-state\n" for number in range(20))
OPEN_TREE = {SOURCE + "a.py": "import weburl.b\n", SOURCE + "b.py": ""}
DIR = '__all__ = ["f"]\ndef __dir__() -> list[str]:\n    return __all__\n'
ENGINE = {
    "docs/engines/x.md": "`f`\n",
    "docs/engines/dask.md": "",
    "docs/engines/datafusion.md": "",
    "docs/engines/index.md": "| [X](x.md) |\n| [Dask](dask.md) |\n| [D](datafusion.md) |\n",
    "docs/reference/ext.md": "`weburl.ext.x`\n",
    SOURCE + "ext/x.py": DIR,
}
ACCESSOR = '__all__ = ["WebURL"]\nclass WebURL:\n    def f(self): ...\n    def g(self): ...\n'
PART = "# A part of a.pyx: something\n"
WORKFLOW = ".github/workflows/{}.yml"
PINNED = "uses: a/b@" + "0123456789" * 4 + " # v{}.2.3\n"


def reuse(*tables: str) -> str:
    """Tables of REUSE.toml: the paths of each, and its licence."""
    pairs = (table.split(" = ") for table in tables)
    return "".join(
        f'[[annotations]]\npath = {paths}\nSPDX-License-Identifier = "{licence}"\n' for paths, licence in pairs
    )


BSD = '"**" = BSD-3-Clause'
UNICODE = '["src/weburl/u.py"] = BSD-3-Clause AND Unicode-3.0'
TEXTS = {"LICENSE": "x", "LICENSES/BSD-3-Clause.txt": "x"}
OWN_TABLE = {"REUSE.toml": reuse(BSD, '["tests/data/anchors.txt"] = BSD-3-Clause')} | TEXTS


# Of pyproject.toml: the licence of the wheel, its texts and what is Unicode's; and how cibuildwheel installs.
WHEEL = """\
[project]
license = "BSD-3-Clause AND Unicode-3.0"
license-files = ["LICENSE", "LICENSES/Unicode-3.0.txt"]
[[tool.weburl.materials]]
files = ["weburl/u.py"]
"""
BUILD = """\
[tool.cibuildwheel]
before-build = "python -m pip install --require-hashes -r {project}/.ci/requirements/build.txt"
before-test = "python -m pip install --require-hashes -r {project}/.ci/requirements/build.txt"
build-frontend = {args = ["--no-isolation"]}
"""
DRAWING = "## The layers\n\n{}\n```text\n{}\n```\n"

# Of each rule: files, and the places and beginnings of what is said.
BAD: list[tuple[str, dict[str, str], list[str]]] = [
    ("parts", {SOURCE + "a.pyx": 'x\n  include "x.pxi"\n'}, ["a.pyx:2: write `include"]),
    ("parts", {SOURCE + "a.pxd": 'include "x.pxi"\n'}, ["a.pxd:1: write `include"]),
    ("parts", {SOURCE + "x.pxi": PART, SOURCE + "a.pyx": ""}, ["x.pxi:1: it must be a part of one module, not of 0"]),
    ("parts", {SOURCE + f"{name}.pyx": 'include "x.pxi"\n' for name in "ab"} | {SOURCE + "x.pxi": PART}, [
        "x.pxi:1: it must be a part of one module, not of 2", "x.pxi:1: it must begin with",
    ]),
    ("parts", {SOURCE + "a.pyx": 'include "x.pxi"\n', SOURCE + "x.pxi": "", SOURCE + "x.py": ""}, [
        "x.pxi:1: a module has its name", "x.pxi:1: it must begin with",
    ]),
    # Used before they are: functions, also of the module itself, constants, types and variables in capitals.
    ("parts", {
        SOURCE + "a.pyx": '"""x.org/#a"""\ninclude "x.pxi"\ninclude "y.pxi"\ncdef int f() noexcept:\n    return g()\n',
        SOURCE + "x.pxi": PART + "# g()\ns = c'#'; x.g(); g(f())\n",
        SOURCE + "y.pxi": PART + "cdef inline const int* g() noexcept:\n    return x.f(f)\n",
    }, ["x.pxi:3: it uses g, which y.pxi", "x.pxi:3: it uses f, which a.pyx"]),
    ("parts", {
        SOURCE + "a.pyx": 'include "x.pxi"\ninclude "y.pxi"\n',
        SOURCE + "x.pxi": PART + "x = ONE\ncdef Kind y\ncdef Run z\nTEXTS[0]\n",
        SOURCE + "y.pxi": PART + "cdef enum Kind:\n    # ZERO\n    ONE = 1\nctypedef int (*Run)(int)\nTEXTS = 1\n",
    }, ["x.pxi:2: it uses ONE", "x.pxi:3: it uses Kind", "x.pxi:4: it uses Run", "x.pxi:5: it uses TEXTS"]),
    ("parts", {
        SOURCE + "a.pyx": 'include "x.pxi"\ninclude "y.pxi"\n', SOURCE + "x.pxi": PART + "texts, kinds = 1, 2\n",
        SOURCE + "y.pxi": PART + "cdef int[3] texts\n",
    }, ["x.pxi:1: y.pxi defines texts, too"]),
    ("banned", {SOURCE + "a.pxd": "DEF X = 1\nIF X:\n"}, ["a.pxd:1: DEF", "a.pxd:2: DEF"]),
    ("banned", {SOURCE + "a.pyx": "from x cimport *\n"}, ["a.pyx:1: cimport *"]),
    ("banned", {SOURCE + "a.pyx": "\ncdef unsigned char x\n"}, ["a.pyx:2: char with a sign"]),
    ("exceptions", {SOURCE + "a.pyx": "cdef int f()\n"}, ["a.pyx:1: a cdef function"]),
    ("exceptions", {SOURCE + "a.pyx": "\n\ncdef inline bint f(const x* p) nogil:\n"}, ["a.pyx:3: a cdef function"]),
    ("exceptions", {SOURCE + "a.pyx": "cdef int f(\n    int a,\n):\n"}, ["a.pyx:1: a cdef function"]),
    ("exceptions", {SOURCE + "a.pyx": "cdef void f(X* x)\ncdef Status g(X* x)\n"}, ["a.pyx:1: a", "a.pyx:2: a"]),
    ("cimports", {SOURCE + "a.pyx": "from x cimport a, b\na\n"}, ["a.pyx:1: b is cimported"]),
    ("cimports", {SOURCE + "a.pxd": "from x cimport (\n    a as c,\n)\n"}, ["a.pxd:1: c is cimported"]),
    ("lengths", {SOURCE + "a.py": "\n" * 801, "tests/b.py": "\n" * 801}, ["a.py:801: it has 801", "b.py:801: it"]),
    ("lengths", {"Makefile": "\n" * 56, "setup.py": "\n" * 41}, ["setup.py:41: it has 41", "Makefile:56: it has 56"]),
    ("folders", {f"{SOURCE}x/a{number}.py": "" for number in range(25)}, ["x:1: it has 25 modules"]),
    ("compiled", {f"{SOURCE}{n % 3}/{n}.pyx": "" for n in range(41)}, ["weburl:1: it has 41 compiled"]),
    ("compiled", {f"{SOURCE}{n}.{end}": "" for n in range(41) for end in ("py", "pxd")}, ["weburl:1: it has 41"]),
    ("merges", {"docs/a.md": "a\n<<<<<<< b\n", "tools/a.py": ">>>>>>> x\n"}, ["a.py:1: left", "a.md:2: left"]),
    ("anchors", {SOURCE + "a.py": "\n# https://url.spec.whatwg.org/#nothing\n"}, ["a.py:2: the standard has no"]),
    ("anchors", {SOURCE + "a.h": "// url.spec.whatwg.org#api\n"}, ["a.h:1: an anchor comes after /#"]),
    ("states", {SOURCE + "a.py": CITED.replace("s7-state", "s8-state")}, ["anchors.txt:1: no code cites s7-state"]),
    ("states", {"tests/data/anchors.txt": "a-state\n", SOURCE + "a.py": ""}, [
        "anchors.txt:1: it has 1 states", "anchors.txt:1: no code cites a-state",
    ]),
    ("headers", {
        SOURCE + "r/a.pyx": 'cdef extern from "bits.h":\ncdef extern from "r/x.h":\ncdef extern from "s/y.h":\n',
        SOURCE + "r/s/b.pxi": 'cdef extern from "r/s/z.h" nogil:\ncdef extern from "../x.h":\n',
        SOURCE + "s/y.h": '#include "bits.h"\n#include "s/w.h"\n# include "r/x.h"\n',
    }, ["a.pyx:3: y.h is another room's", "b.pxi:2: x.h is another room's", "y.h:3: x.h is another room's"]),
    ("imports", OPEN_TREE | {"CONTRIBUTING.md": TABLE.format("a.py", "", "`b` ")}, ["a.py:1: it must not import"]),
    ("imports", {SOURCE + "a.py": "def f(x):\n    __import__(x)\n"}, ["a.py:2: it imports a module by a name"]),
    ("permissions", OPEN_TREE | {"CONTRIBUTING.md": TABLE.format("a.py", "`b` ", "")}, ["b.py:1: CONTRIBUTING.md has"]),
    ("permissions", {SOURCE + "a.py": "", "CONTRIBUTING.md": TABLE.format("a.py", "`b` ", "`c` ")}, [
        "CONTRIBUTING.md:3: a may import b, and does not", "CONTRIBUTING.md:3: a may import c, and does not",
    ]),
    ("permissions", {"CONTRIBUTING.md": TABLE.format("a.py", "", "")}, ["CONTRIBUTING.md:3: there is no a"]),
    ("circles", {SOURCE + "a.py": "import weburl.b\n", SOURCE + "b.py": "def f():\n    import weburl.a\n"}, [
        "a.py:1: these modules import each other: weburl.a, weburl.b",
    ]),
    ("drawing", {"docs/design.md": DRAWING.format("", "a.py\nb.py"), "CONTRIBUTING.md":
        TABLE.format("a.py", "", "") + "| `b.py` | what | `a` | |\n"}, ["design.md:6: b imports a"]),
    ("drawing", {"docs/design.md": DRAWING.format("", "a.py\nc.py "), "CONTRIBUTING.md":
        TABLE.format("a.py", "", "")}, ["design.md:6: the lines of the drawing", "design.md:5: c is in the drawing"]),
    ("public", {SOURCE + "a.py": '__all__ = ["f"]\n'}, ["a.py:1: it has not the function"]),
    ("public", {SOURCE + "a.py": DIR.replace('["f"]', '["f", "f"]')}, ["a.py:1: `__all__` must"]),
    ("public", {SOURCE + "a.py": DIR.replace('["f"]', '["_f"]')}, ["a.py:1: `__all__` must"]),
    ("public", {SOURCE + "a.py": DIR.replace("__all__ = ", "names = ")}, ["a.py:1: it has no", "a.py:1: `__all"]),
    ("needed", {SOURCE + "a.py": DIR, "docs/a.md": "f g", "docs/reference/a.md": "`f`"}, ["a.py:1: no page needs"]),
    ("named", {SOURCE + "a.py": DIR, "docs/a.md": "\nweburl.a.g(), weburl.a.f()\n"}, ["a.md:2: weburl.a.g is not"]),
    ("named", {SOURCE + "a.py": DIR, "README.md": "```python\n>>> from weburl.a import f, g\n```\n"}, ["README.md:2:"]),
    ("engines", {**ENGINE, "docs/engines/y.md": ""}, ["index.md:1: y is not a module, a page and a row"]),
    ("engines", {**ENGINE, "docs/engines/index.md": "| [D](dask.md) |\n| [D](datafusion.md) |\n"}, ["index.md:1: x"]),
    ("engines", {**ENGINE, "docs/engines/x.md": ""}, ["x.md:1: it does not name f"]),
    ("engines", {**ENGINE, "docs/reference/ext.md": ""}, ["ext.md:1: it does not name weburl.ext.x"]),
    ("engines", {**ENGINE, SOURCE + "ext/x.py": ACCESSOR, "docs/engines/x.md": "`f`, u.weburl.h()"}, [
        "x.md:1: it does not name the method g", "x.md:1: it names h, which is not a method",
    ]),
    ("options", {CLI + "a.py": LOW + "class C:\n  def __init__(self, low: XArgs):\n    self.low = low\n"}, [
        "a.py:4: self.low keeps",
    ]),
    ("options", {CLI + "a.py": LOW + "class C:\n    low: XArgs\n"}, ["a.py:3: low keeps what"]),
    ("options", {CLI + "a.py": LOW + "class YArgs(XArgs): ...\nclass C:\n  def f(self):\n    self.x: YArgs = x\n"}, [
        "a.py:5: self.x keeps what",
    ]),
    ("options", {CLI + "a.py": LOW + "def f(low: XArgs) -> None:\n    low.keep = 1\n"}, ["a.py:3: low.keep changes"]),
    ("options", {CLI + "a.py": LOW + "def f(low: XArgs) -> None:\n    low.urls += []\n"}, ["a.py:3: low.urls changes"]),
    ("options", {CLI + "a.py": LOW + "def f():\n    args = XArgs()\n    setattr(args, 'keep', 1)\n"}, [
        "a.py:4: setattr changes",
    ]),
    ("options", {CLI + "a.py": "def f():\n    low = read()\n    print(low.json)\n"}, ["a.py:3: f decides by low.json"]),
    ("options", {CLI + "a.py": "class HiArgs:\n    x: int\n"}, ["a.py:1: HiArgs is not a NamedTuple"]),
    ("options", {CLI + "commands/a.py": LOW}, ["a.py:1: it has options, and no function `decided`"]),
    ("options", {CLI + "commands/a.py": LOW + "def decided(low: XArgs) -> dict: ...\n"}, ["a.py:1: it has options"]),
    ("compressions", {CLI + "a.py": 'x = "\n" + ".xz"\n'}, ["a.py:2: the table of _packings.py has it"]),
    ("clocks", {"tests/test_a.py": "import time\n\ndef f():\n    a = time.monotonic()\n"}, ["test_a.py:3: f reads a"]),
    ("clocks", {"tests/test_a.py": "def test_a():\n    def f():\n        return perf_counter()  # clock: soon\n"}, [
        "test_a.py:1: test_a reads a",
    ]),
    ("clocks", {"tests/b.py": "class A:\n  @pytest.mark.slow\n  def f(self):\n    time.time()\n"}, ["b.py:3: f"]),
    ("clocks", {"tests/test_a.py": "P = 'x = time.time()'\ndef run():\n    exec(P)\ndef test_a():\n    run()\n"}, [
        "test_a.py:4: test_a reads a",
    ]),
    ("clocks", {"tests/test_a.py": "from test_b import (\n    check,\n)\ndef test_a():\n    check()\n",
        "tests/test_b.py": "from support.c import cost\ndef check():\n    cost()\n", "tests/support/c.py":
        "def cost():\n    time.time()  # clock: timed\n"}, ["test_a.py:4: test_a reads a"]),
    ("figures", {SOURCE + "a.py": "X: Final = 1 << 4\nY, Z = -1.5, 2\n", "tests/test_a.py":
        "from weburl.a import X, Y\n\nfrom weburl import a\nprint(a.Z)\n"}, [
        "test_a.py:1: it imports weburl.a.X", "test_a.py:1: it imports weburl.a.Y",
        "test_a.py:4: it imports weburl.a.Z",
    ]),
    ("figures", {SOURCE + "_a.py": "X: Final = Y | frozenset('a b'.split())\nY = {1: 2}\nZ = 'a b'.split()\n",
        SOURCE + "cli/b.pyx": "A: Final = (\n    1,\n)\nB = 5\n", "tests/support/a.py":
        "from weburl._a import X, Y, Z\nfrom weburl.cli.b import A, B\n"}, [
        "a.py:1: it imports weburl._a.X", "a.py:1: it imports weburl._a.Y", "a.py:1: it imports weburl._a.Z",
        "a.py:2: it imports weburl.cli.b.A", "a.py:2: it imports weburl.cli.b.B",
    ]),
    ("figures", {SOURCE + "_a/__init__.py": "X = ('a',)\nY = re.compile('a')\n", SOURCE + "_b.pyx":
        "Z: Final = re.compile('a')\n", "tests/a.py": "from weburl._a import X, Y\nfrom weburl._b import Z\n"}, [
        "a.py:1: it imports weburl._a.X", "a.py:1: it imports weburl._a.Y", "a.py:2: it imports weburl._b.Z",
    ]),
    ("figures", {"tools/imported_constants.py": "", "tests/test_a.py": ""}, [
        f"tools/imported_constants.py:1: no test imports {name}" for name in sorted(IMPORTED)
    ]),
    ("speeds", {"docs/a.md": "a\n\nIt takes\n5 ns.\n"}, ["a.md:4: '5 ns' has no date"]),
    ("speeds", {"docs/a.md": "<!-- figure: x -->5 ns<!-- /figure -->, 0.3 GB/s\n"}, ["a.md:1: '0.3 GB/s' has no"]),
    *(
        ("speeds", {"docs/a.md": f"It takes {text} long.\n"}, [f"a.md:1: '{text}' has no date"])
        for text in ("2 ms", "4.6 s", "21 min", "66 microseconds", "34 seconds", "1.6 times as", "3 times the time")
    ),
    *(
        ("speeds", {"README.md": f"It takes {text} as before.\n"}, [f"README.md:1: '{text}' has no date"])
        for text in ("116 MB a second", "twice as long", "half as fast")
    ),
    ("fences", {"docs/a.md": "\n```rust\nx\n```\n"}, ["a.md:3: a fence must not be of rust"]),
    ("fences", {"docs/a.md": "\n```text\n>>> x\n```\n"}, ["a.md:3: an example of Python is in a fence of text"]),
    ("fences", {"docs/a.md": "a\n\n    >>> x\n"}, ["a.md:3: an example of", "a.md:3: what is"]),
    ("fences", {"README.md": "```python\nx\n"}, ["README.md:1: a fence does not end"]),
    ("links", {"docs/a.md": "\nsee [](b.md), [ ](c.md#d)\n", "tests/x/a.md": "[](https://example.com/)"}, [
        "docs/a.md:2: the link to b.md", "docs/a.md:2: the link to c.md#d", "tests/x/a.md:1: the link to https:",
    ]),
    ("elsewhere", {"docs/links.md": "", "docs/engines/x.md": "", "tests/engines/test_x.py": 'check_examples("x")'}, [
        "links.md:1: its examples are not run by tests/engines",
    ]),
    ("elsewhere", {"docs/from/x.md": "", "docs/from/urllib.md": ""}, [
        "x.md:1: its examples are not run by tests/engines/test_from_pages.py",
    ]),
    ("compiled", {SOURCE + "a.h": "x\n" * 1761, SOURCE + "byte_classes.h": "x\n"}, ["weburl:1: it has 1761 lines"]),
    ("targets", {"Makefile": ".PHONY: a\n", "docs/a.md": "`make a`, `make b`\n"}, ["a.md:1: make has no target b"]),
    ("steps", {"Makefile": "TIERS := a b c\n", ".ci/run": "tier a N=5\n# tier b\n", "docs/reliability.md": "x\n"}, [
        "reliability.md:1: b is not in .ci/run", "reliability.md:1: c is not in .ci/run",
    ]),
    ("steps", {"Makefile": "TIERS := a\n", ".ci/run": "make a\n", "docs/reliability.md":
        "It runs no `make` command of these: `a`, `b`.\n"}, ["reliability.md:1: a is a", "reliability.md:1: b is a"]),
    ("paths", {"docs/a.md": "\nsee tests/no.py and docs/a.md\n"}, ["a.md:2: there is no tests/no"]),
    ("paths", {SOURCE + "_core/__init__.py": "", SOURCE + "a.py": "# _core/no.pyx\n"}, ["a.py:1: there is no _core"]),
    ("paths", {"CONTRIBUTING.md": "\n`no.py` `CONTRIBUTING.md`\n"}, ["CONTRIBUTING.md:2: there is no file no.py"]),
    ("ways", {SOURCE + "a.py": "def f(): ...\n", "docs/design.md": "| `a.py` | `f` | \n| `a.py` | `g` | \n"}, [
        "design.md:2: a.py does not define g",
    ]),
    ("readme", {"README.md": '[a](https://a/) [b](#b)\n[c](docs/c.md#d) <img src="e.svg">\n'}, [
        "README.md:2: there is no file docs/c.md", "README.md:2: there is no file e.svg",
    ]),
    ("licences", {"REUSE.toml": reuse(BSD), "a/b.json": "{}", "a/requirements-x.txt": ""} | TEXTS, [
        "b.json:1: no table", "anchors.txt:1: no table",
    ]),
    ("licences", OWN_TABLE | {"REUSE.toml": OWN_TABLE["REUSE.toml"] + reuse('["a/*.json"] = MIT'), "a/b/c.json": ""}, [
        "c.json:1: no table", "REUSE.toml:8: there is no file a/*.json", "REUSE.toml:1: MIT is used",
    ]),
    ("licences", OWN_TABLE | {"LICENSE": "y", "LICENSES/MIT.txt": ""}, [
        "REUSE.toml:1: MIT is used", "LICENSE:1: it is not LICENSES/BSD",
    ]),
    ("wheel_licences", {"pyproject.toml": WHEEL, "REUSE.toml": reuse(BSD), SOURCE + "u.py": ""}, [
        "pyproject.toml:1: the files of the wheel have the licences BSD-3-Clause",
        "pyproject.toml:1: its license-files must be LICENSE", "u.py:1: its licence in REUSE.toml must be",
    ]),
    ("wheel_licences", {"pyproject.toml": WHEEL, "REUSE.toml": reuse(BSD, UNICODE), SOURCE + "u.py": "",
        SOURCE + "v.py": "# From Unicode's tables, Unicode 18\n"}, ["v.py:1: it is made from Unicode's files"]),
    ("actions", {WORKFLOW.format("a"): f"- uses: a/c@v4\n- {PINNED.format(1)}", WORKFLOW.format("b"):
        f"- {PINNED.format(2)}"}, ["a.yml:1: a/c@v4 is not pinned", "b.yml:1: a/b@0123456789"]),
    ("installs", {WORKFLOW.format("ci"): "\n- run: pip install x\n", "pyproject.toml": BUILD}, [
        "ci.yml:2: x is not pinned",
    ]),
    ("installs", {WORKFLOW.format("a"): "", "pyproject.toml": BUILD.replace("--no-", "")}, [
        "pyproject.toml:1: cibuildwheel must not install",
    ]),
    ("installs", {WORKFLOW.format("a"): "", "pyproject.toml": BUILD.replace("--require-hashes", "")}, [
        "pyproject.toml:1: before-build of", "pyproject.toml:1: before-test of",
    ]),
    ("systems", {WORKFLOW.format("ci"): " os: [a, b]\n", WORKFLOW.format("wheels"): " os: [a, c]\n"}, [
        "wheels.yml:1: it must have one list of systems",
    ]),
    ("dependabot", {".github/dependabot.yml": 'x\ndirectories: [/a, "/b/*"]\n', "c/requirements.txt": "",
        "b/d/requirements.txt": ""}, ["dependabot.yml:2: it does not look at c", "dependabot.yml:2: a has no"]),
    ("dependabot", {".github/dependabot.yml": "version: 2\n"}, ["dependabot.yml:1: it has no list"]),
    ("conformance", {"wpt_data/MANIFEST.json": '{"files": {"a.json": {"cases": 1000}}}', "docs/conformance.md":
        "| `a.json` | 999 |\n| 2 passed, 1 failure |\n", "tests/wpt/test_a.py": '"""url/b.any.js"""',
        "tests/wpt/test_c.py": "x = 1\n", "tests/wpt/test_d.py": '@each_case("a.json")\ndef test_d(): ...\n'}, [
        "conformance.md:1: it has no row for a.json with 1,000", "conformance.md:1: it has no row for the scripts of",
        "test_c.py:1: it names no script", "test_d.py:1: tools/conformance_page.py does not say",
        "conformance.md:2: a test of the",
    ]),
]  # fmt: skip
# What looks alike, and is allowed.
GOOD: list[tuple[str, dict[str, str]]] = [
    ("banned", {SOURCE + "a.pyx": 'cdef extern from "x.h":\n# DEF X = 1\nDEFAULT = 1\nfrom x cimport y\n'}),
    ("banned", {SOURCE + "a.py": "IF = 1\ncimport = 2\n"}),
    ("exceptions", {SOURCE + "a.pyx": "cdef int f() noexcept nogil\ncdef int g(\n    int a,\n) except -1:\n"}),
    ("exceptions", {SOURCE + "a.pyx": "cdef object f(int a):\ncdef str g(int a)\ncdef int x = f(1)\n"}),
    ("exceptions", {SOURCE + "a.pyx": "cdef class URL(X):\n    pass\ncdef URL f(int x)\n"}),
    ("cimports", {SOURCE + "a.pxd": "from x cimport a\n", SOURCE + "a.pyx": "a()\n"}),
    ("cimports", {
        SOURCE + "a.pxd": "from x cimport a\n", SOURCE + "a.pyx": 'include "b.pxi"\n', SOURCE + "b.pxi": "a()\n",
    }),
    # A name in a text, a method of the same name, what comes before it, and a part at the end.
    ("parts", {
        SOURCE + "a.pyx": 'include "x.pxi"\ncdef int f() noexcept:\n    return g()\ninclude "y.pxi"\n',
        SOURCE + "x.pxi": PART + 'cdef int g() noexcept:\n    """>>> f(1)"""\n    return h("f(1)")\n'
            "cdef class X:\n    def f(self):\n        pass\n",
        SOURCE + "y.pxi": PART + "x = f(g())\n",
    }),
    ("lengths", {SOURCE + "a.py": "\n" * 800}),
    ("folders", {f"{SOURCE}x/a{number}.{end}": "" for number in range(24) for end in ("py", "pyi", "pxd")}),
    ("compiled", {f"{SOURCE}a{number}.{end}": "" for number in range(40) for end in ("py", "pxd", "pyi")}),
    ("anchors", {SOURCE + "a.py": "# (https://url.spec.whatwg.org/#api)\n"}),
    ("states", {SOURCE + "a.py": CITED}),
    ("imports", OPEN_TREE | {"CONTRIBUTING.md": TABLE.format("a.py", "`b` ", "")}),
    ("imports", {SOURCE + "_a/x.py": "import weburl._a.y\n", SOURCE + "_a/y.py": "", "CONTRIBUTING.md":
        TABLE.format("_a/", "", "")}),
    ("permissions", OPEN_TREE | {"CONTRIBUTING.md": TABLE.format("a.py", "`b` ", "") + "| `b.py` | what | | |\n"}),
    ("circles", OPEN_TREE),
    ("drawing", {"docs/design.md": DRAWING.format("", "b.py\na.py"), "CONTRIBUTING.md":
        TABLE.format("a.py", "", "") + "| `b.py` | what | `a` | |\n"}),
    ("drawing", {"docs/design.md": DRAWING.format("`b` uses `a`.", "a.py\nb.py"), "CONTRIBUTING.md":
        TABLE.format("a.py", "", "") + "| `b.py` | what | `a` | |\n"}),
    ("public", {SOURCE + "a.py": DIR, SOURCE + "_b.py": "", SOURCE + "cli/c.py": ""}),
    ("needed", {SOURCE + "a.py": DIR, "docs/a.md": "```python\n>>> f(1)\n```\n"}),
    ("options", {CLI + "_arguments.py": "def scanned(low: LowArgs) -> None:\n    setattr(low, 'keep', 1)\n"}),
    ("engines", ENGINE),
    ("fences", {"docs/a.md": "```python\n>>> x\n```\n\n    make x\n\n```{note}\n>>> y\n```\n"}),
    ("steps", {"Makefile": "TIERS := a b\n", ".ci/run": "X=1 tier a\n", "docs/reliability.md":
        "It runs no `make` command of these: `b`.\n\n`c`\n"}),
    ("clocks", {"tests/test_a.py": "@pytest.mark.timed\ndef test_a():\n    time.time()\n", "tests/tiers/b.py":
        "def f():\n    time.time()\n", "tests/c.py": "def f():\n    time.time()  # clock: deadline\n"}),
    ("clocks", {"tests/test_a.py": "from support.b import wait\nfrom test_c import f\ndef test_a():\n    wait(f)\n",
        "tests/support/b.py": "def wait():\n    time.time()  # clock: deadline\n",
        "tests/test_c.py": "def f(): ...\n"}),
    ("clocks", {"tests/test_a.py": "pytestmark = [pytest.mark.timed]\ndef test_a():\n    time.time()\n"}),
    ("figures", {SOURCE + "a.py": "X = 'a'\nY = (1,)\nZ = True\nclass A:\n    Q = 1\n", "tests/test_a.py":
        "from weburl.a import X, Y, Z\n", "tests/b.py": "from weburl.a import Q\n"}),
    ("figures", {SOURCE + "_a.py": "X = 'a'\nY = compile('a')\ndef f(): ...\nZ = f()\n", SOURCE + "cli/b.py":
        "C = 5\n", "tests/test_a.py": "from weburl._a import X, Y, Z, f\n", "tests/tiers/a.py":
        "from weburl.cli.b import C\n"}),
    ("speeds", {"docs/a.md": "<!-- figures: x -->\n5 ns\n<!-- /figures -->\n\nA call takes 5 ns (5 May 2026).\n\n"
        "It costs 6 ns a byte, as promised.\n\n```text\n7 µs\n```\n"}),
    ("speeds", {"docs/a.md": "<!-- figure: x -->4.6<!-- /figure --> s, and 7 s (<!-- figure: y -->5 May 2026<!-- "
        "/figure -->).\n\nIt tries again every 10 seconds, after 10 minutes and 24 hours, up to 5 times a day, "
        "twice as JSON, with 2 settings, 50 MB, and in version 3 since 2 MBps.\n"}),
    ("links", {"docs/a.md": "[b](b.md) `[](c.md)` f([], [])() [ x ](y.md)\n"}),
    ("paths", {"docs/a.md": "https://example.com/docs/b /tests/b tests/*.py\n", "tests/c.py": ""}),
    ("readme", {"README.md": "[a](https://a/b.md) [b](#b) [c](docs/c.md#d)\n", "docs/c.md": ""}),
    ("licences", OWN_TABLE | {"a/package.json": "", "a/b.py": "", "a/requirements-x.txt": ""}),
    ("wheel_licences", {"pyproject.toml": WHEEL, "REUSE.toml": reuse(BSD, UNICODE), SOURCE + "u.py": "# Unicode 18\n"}),
    ("actions", {WORKFLOW.format(name): f"- uses: ./x\n- {PINNED.format(1)}" for name in "ab"}),
    ("installs", {WORKFLOW.format("ci"): "pip install --upgrade pip\npip install --no-build-isolation .\n",
        WORKFLOW.format("b"): "pip install x\n", "pyproject.toml": BUILD}),
    ("installs", {"pyproject.toml": ""}),
    ("systems", {WORKFLOW.format("ci"): " os: [a, b]\n", WORKFLOW.format("wheels"): " os: [b, a]\n"}),
    ("dependabot", {".github/dependabot.yml": 'directories: [/a, "/b/*"]\n', "a/requirements.txt": "",
        "b/d/requirements.txt": ""}),
    ("conformance", {"docs/conformance.md": "| `b.any.js` | `test_a.py` |\n", "tests/wpt/test_a.py":
        '"""url/b.any.js"""', "tests/wpt/test_data.py": ""}),
]  # fmt: skip


def plant(root: Path, files: dict[str, str]) -> Tree:
    for name, text in {"tests/data/anchors.txt": ANCHORS, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Tree(root)


def said(tree: Tree, rule: str) -> list[str]:
    return [f"{path.relative_to(tree.root)}:{line}: {what}" for path, line, what in RULES[rule].check(tree)]


@pytest.mark.parametrize(("rule", "files", "expected"), BAD, ids=[f"{rule}-{i}" for i, (rule, *_) in enumerate(BAD)])
def test_what_is_bad_is_found(rule: str, files: dict[str, str], expected: list[str], tmp_path: Path) -> None:
    found = said(plant(tmp_path, files), rule)
    assert len(found) == len(expected), found
    for one, other in zip(found, expected, strict=True):
        assert f"/{other}" in f"/{one}", found


@pytest.mark.parametrize(("rule", "files"), GOOD, ids=[f"{rule}-{i}" for i, (rule, _) in enumerate(GOOD)])
def test_what_is_good_is_not(rule: str, files: dict[str, str], tmp_path: Path) -> None:
    assert said(plant(tmp_path, files), rule) == []


def test_each_rule_can_fail() -> None:
    assert {rule for rule, *_ in BAD} == {*RULES}
    assert LONGEST["Makefile"] == 55


def test_the_program_says_what_it_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 2
    told = capsys.readouterr().out
    assert all(f"{name}: " in told for name in RULES)


# Imports, in each way that they are written.

PLANTED = {
    "top": (".py", "from weburl import errors\n"),
    "function": (".py", "def f():\n    from weburl.errors import InvalidURL\n"),
    "types": (".py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import weburl.errors\n"),
    "import_module": (".py", "from importlib import import_module\nimport_module('weburl.errors')\n"),
    "f-string": (".py", "import importlib\ndef f(x):\n    importlib.import_module(f'weburl.err{x}')\n"),
    "relative": (".py", "from ..errors import InvalidURL\n"),
    "relative package": (".py", "from .. import errors\n"),
    "cython": (".pyx", "from weburl.errors import InvalidURL\n"),
    "cython function": (".pyx", "cdef int f() except -1:\n    import weburl.errors as e\n"),
    "cimport": (".pxd", "from weburl cimport (\n    errors as e,\n)\n"),
    "cimport of a module": (".pxd", "cimport cython, weburl.errors\n"),
    "cython in one line": (".pyx", "x = 'y:'\ntry: import weburl.errors\nexcept ImportError: pass\n"),
    "cython after a semicolon": (".pyx", "x = 1; from weburl.errors import InvalidURL\n"),
    "cimport of compiled python": (".py", "from cython.cimports.weburl.errors import InvalidURL\n"),
    "stub": (".pyi", "from weburl.errors import InvalidURL\n"),
}
ROWS = TABLE.format("_core/", "", "`_unicode` ") + "| `_unicode/` | what | | |\n| `errors.py` | what | | |\n"
EMPTY = {SOURCE + name: "" for name in ("_core/__init__.py", "_unicode/__init__.py", "_unicode/idna.py", "errors.py")}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_forbidden_import_is_found(planted: str, tmp_path: Path) -> None:
    """In _core, which may not import errors in any way; together with an import back, it is a cycle."""
    suffix, text = PLANTED[planted]
    new = f"{SOURCE}_core/new{suffix}"
    files = {**EMPTY, "CONTRIBUTING.md": ROWS, new: text}
    tree = plant(tmp_path, files)
    line = 1 + text[: text.rindex("weburl" if "weburl" in text else "from .")].count("\n")
    assert said(tree, "imports") == [f"{new}:{line}: it must not import weburl.errors here"]
    assert said(tree, "circles") == []
    tree = plant(tmp_path, {**files, SOURCE + "errors.py": "def f():\n    from weburl._core.new import x\n"})
    assert cycles(read_tree(tree.source.parent).imports) == [["weburl._core.new", "weburl.errors"]]
    tree = plant(tmp_path, {new: "# from weburl import errors\n" + repr("import weburl.errors")})
    assert said(tree, "imports") == [f"{SOURCE}errors.py:2: it must not import weburl._core.new here"]


def test_a_cycle_through_a_part_is_found(tmp_path: Path) -> None:
    files = {
        SOURCE + "a.pyx": 'include "b.pxi"\n',
        SOURCE + "b.pxi": "from weburl.c cimport f\n",
        SOURCE + "c.pyx": "from weburl.a cimport g\n",
    }
    tree = plant(tmp_path, files)
    assert cycles(read_tree(tree.source.parent).imports) == [["weburl.a", "weburl.b", "weburl.c"]]


def test_what_may_be_imported_later_only(tmp_path: Path) -> None:
    text = "import weburl._unicode.idna\ndef f():\n    import weburl._unicode.idna\n"
    tree = plant(tmp_path, {**EMPTY, "CONTRIBUTING.md": ROWS, SOURCE + "_core/new.py": text})
    assert said(tree, "imports") == [f"{SOURCE}_core/new.py:1: it must not import weburl._unicode.idna here"]


def row(name: str, at_once: str = "", later: str = "") -> str:
    cells = (" ".join(f"`{each}`" for each in names.split()) for names in (at_once, later))
    return f"| `{name}.py` | what | {' | '.join(cells)} |\n"


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([row("a", "b"), row("b", "", "c _hosts"), row("c", "", "a")], []),
        ([row("a", "b"), row("b", "c", "_hosts"), row("c", "a")], []),
        ([row("a"), row("b", "", "_hosts.x c"), row("c", "", "a")], ["a.py:1: weburl.b", "b.py:2: weburl._hosts"]),
    ],
)
def test_long_ways_round(rows: list[str], wrong: list[str], tmp_path: Path) -> None:
    text = "def f(name):\n    import weburl.c, weburl._hosts\n    __import__(name)\n    import_module('.a', name)\n"
    files = {"a.py": "import weburl.b\n", "b.py": text, "c.pyi": "from weburl.a import x\n", "_hosts.py": ""}
    page = TABLE.split("|")[0] + "".join(rows)
    tree = plant(tmp_path, {"CONTRIBUTING.md": page, **{SOURCE + name: text for name, text in files.items()}})
    read = read_tree(tree.source.parent)
    assert cycles(read.imports) == [["weburl.a", "weburl.b", "weburl.c"]]
    assert read.unknown == ["weburl/b.py:3", "weburl/b.py:4"]
    forbidden = [each for each in read.imports if not is_allowed(each, tree)]
    assert [f"{each.place.removeprefix('weburl/')}: {each.imported}" for each in forbidden] == wrong


def test_the_table_is_read() -> None:
    rows = rows_of((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert rows["_unicode"] == ([], ["_advice"])
    assert rows["__main__"] == (["cli"], [])
    assert rows["_host"] == (["errors", "_core"], ["_unicode", "_advice"])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("`src/weburl/_core/parser.pyx`.", "src/weburl/_core/parser.pyx"),
        ("In the order of _core/status.pxd.", "_core/status.pxd"),
        ("`weburl/_hosts/psl`", "_hosts/psl"),
        ("see tests/tiers/fuzz*.py", "tests/tiers/fuzz*.py"),
        ("https://example.com/docs/a", None),
        ("/tests/a", None),
    ],
)
def test_paths_are_found(text: str, place: str | None) -> None:
    tree = Tree(ROOT)
    assert place_pattern(tree).findall(text) == ([] if place is None else [place])
    if place:
        assert exists(tree, place, ROOT)
        assert not exists(tree, place.replace("p", "q"), ROOT)
