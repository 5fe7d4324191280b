"""What setup.py does beyond setuptools: the package's page, its bill of materials, and what the compiler is told."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import profiled
from setuptools import Extension
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

ROOT: Final = Path(__file__).resolve().parents[1]
# A link of Markdown, or an address in HTML, that is neither absolute nor within the page.
LINK: Final = re.compile(r"""(\]\(|\b(?:src|srcset|href)=")(?!#|[a-z][a-z+.-]*:)([^)"#\s]+)""")
IMAGES: Final = (".svg", ".png")
# What makes no module: for these, nothing is compiled.
OF_SOURCE: Final = {"dist_info", "egg_info", "sdist"}
OF_MODULES: Final = {"bdist_wheel", "build", "build_ext", "develop", "editable_wheel", "install"}
# Where there are wheels.
WHEELS: Final = "Linux (x86-64, AArch64, i686, ARMv7, ppc64le, s390x, RISC-V), macOS or 64-bit Windows"


def read_project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


# The page of the package.


def links_of(text: str) -> list[str]:
    """The paths of files that a page links to, relative to the repository."""
    return [path for _, path in LINK.findall(text)]


def description() -> str:
    """README.md with absolute links: those of pictures give the file itself."""
    project = read_project()
    address, version = project["tool"]["weburl"]["repository"], project["project"]["version"]

    def absolute(match: re.Match[str]) -> str:
        before, path = match.groups()
        return f"{before}{address}/{'raw' if path.endswith(IMAGES) else 'blob'}/v{version}/{path}"

    return LINK.sub(absolute, (ROOT / "README.md").read_text("utf-8"))


def addresses() -> dict[str, str]:
    """[project.urls], by the names that an index knows."""
    project = read_project()
    address, version = project["tool"]["weburl"]["repository"], project["project"]["version"]
    return {
        "Homepage": address,
        "Documentation": f"{address}/blob/v{version}/docs/index.md",
        "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
        "Source": address,
        "Issues": f"{address}/issues",
        "Security": f"{address}/blob/v{version}/SECURITY.md",
    }


# The bill of materials: https://cyclonedx.org/docs/1.6/json/, where https://peps.python.org/pep-0770/ has it.


def licences(expression: str) -> list[dict[str, Any]]:
    return [{"expression": expression}]


def bill_of_materials() -> dict[str, Any]:
    """What the wheel is made of, and what it needs. Of two builds, it is the same: it has no time and no number."""
    tables = read_project()
    project, materials = tables["project"], tables["tool"]["weburl"]["materials"]
    name, version = project["name"], project["version"]
    reference = f"pkg:pypi/{name}@{version}"
    subject = {
        "type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference,
        "description": project["description"], "licenses": licences(project["license"]),
    }  # fmt: skip
    data = [
        {
            "type": "data", "bom-ref": each["name"], "name": each["name"], "version": each["version"],
            "licenses": licences(each["license"]),
            "externalReferences": [{"type": "distribution", "url": each["url"]}],
            "properties": [{"name": "weburl:file", "value": file} for file in each["files"]],
        }
        for each in materials
    ]  # fmt: skip
    needs = [re.split(r"[^\w.-]", need, maxsplit=1)[0] for need in project["dependencies"]]
    libraries = [
        {"type": "library", "bom-ref": f"pkg:pypi/{need}", "name": need, "purl": f"pkg:pypi/{need}"} for need in needs
    ]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": subject, "lifecycles": [{"phase": "build"}]},
        "components": [*data, *libraries],
        "dependencies": [
            {"ref": reference, "dependsOn": sorted(part["bom-ref"] for part in (*data, *libraries))},
            *({"ref": part["bom-ref"]} for part in (*data, *libraries)),
        ],
    }


class Wheel(bdist_wheel):  # type: ignore[misc, unused-ignore]
    """A wheel that has its bill of materials."""

    def write_wheelfile(self, wheelfile_base: str, *arguments: Any, **options: Any) -> None:
        super().write_wheelfile(wheelfile_base, *arguments, **options)
        folder = Path(wheelfile_base) / "sboms"
        folder.mkdir(exist_ok=True)
        text = json.dumps(bill_of_materials(), indent=2, ensure_ascii=False)
        (folder / "weburl.cdx.json").write_text(f"{text}\n", "utf-8")


# The compiler.


def compiles(arguments: Iterable[str]) -> bool:
    """Whether a call of setup.py makes modules, or their C code."""
    words = set(arguments)
    return bool(words & OF_MODULES) or not words & OF_SOURCE


def modules(extensions: list[Extension], directives: dict[str, Any], folder: str) -> list[Extension]:
    """The extensions with their C code in a folder, if this call of setup.py needs it: making it takes a minute."""
    if not compiles(sys.argv):
        return []
    require_compiler()
    from Cython.Build import cythonize
    from Cython.Compiler import Options

    Options.warning_errors = "-Werror" in own_flags()
    for extension in extensions:
        # Cython sees only headers beside the file that names them, and none that a header includes.
        rooms = {Path("src/weburl/_core"), Path(extension.sources[0]).parent}
        headers = sorted(str(header) for room in rooms for header in room.glob("*.h"))
        extension.depends = [*extension.depends, *headers]
    words: dict[str, Any] = {"compiler_directives": directives, "build_dir": folder, "nthreads": jobs()}
    made: list[Extension] = cythonize(extensions, **words)  # type: ignore[no-untyped-call, unused-ignore]
    return made


def jobs() -> int:
    """How many processes compile at once: MAX_JOBS, or one for each core that this process may use."""
    given = os.environ.get("MAX_JOBS", "")
    if given.isdecimal() and int(given):
        return int(given)
    if given:
        sys.exit(f"MAX_JOBS must be a number from 1 on, not {given!r}")
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def inlines(path: str) -> list[str]:
    """In a long file, gcc inlines less, so a module with parts may grow by twice as much. clang has no such limit."""
    has_parts = re.search('^include "', Path(path).read_text("utf-8"), re.M) is not None
    return ["--param=large-unit-insns=20000", "-Wno-unused-command-line-argument"] * has_parts


def own_flags() -> list[str]:
    """What the user wants of the compiler. It comes last, so that it counts."""
    return shlex.split(os.environ.get("CFLAGS", ""))


def no_compiler(name: str) -> str:
    """One sentence."""
    return (
        f"weburl has no wheel for this Python, and there is no C compiler ({name}) to compile it: install one, as with "
        "`apt install gcc python3-dev`, `apk add gcc musl-dev python3-dev` or `xcode-select --install`, or use CPython "
        f"3.11 to 3.15 on {WHEELS}, for which `pip install --only-binary weburl weburl` finds a wheel"
    )


def require_compiler() -> None:
    """Asks before a minute is spent on making C code. On Windows, setuptools says the same in its words."""
    if os.name == "posix":
        name = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
        if shutil.which(name) is None:
            sys.exit(no_compiler(name))


class Extensions(build_ext):  # type: ignore[misc, unused-ignore]
    def finalize_options(self) -> None:
        super().finalize_options()
        # A header of `_core` is included by its name, and one of another room as "ROOM/NAME.h".
        self.include_dirs[:0] = ["src/weburl/_core", "src/weburl"]
        if not self.parallel:  # type: ignore[has-type, unused-ignore]
            self.parallel = jobs()

    def run(self) -> None:
        to_compile, to_link = profiled.flags(self)
        for extension in self.extensions:
            extension.extra_compile_args = [*extension.extra_compile_args, *to_compile]
            extension.extra_link_args = [*extension.extra_link_args, *to_link]
        if to_compile:
            self.force = True
        super().run()


# What setup() is told.
WORDS: Final = {
    "cmdclass": {"bdist_wheel": Wheel, "build_ext": Extensions},
    "long_description": description(),
    "long_description_content_type": "text/markdown",
    "project_urls": addresses(),
}
