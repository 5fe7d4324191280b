"""The page of the package, its licences and its bill of materials, and how it is built: tools/package.py."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path

import package
import pytest
from check_repository import files, licence_of
from setuptools import Extension
from source_tree import Tree

ROOT = Path(__file__).resolve().parents[1]
PROJECT = package.read_project()
ADDRESS = PROJECT["tool"]["weburl"]["repository"]
# The page.


def test_all_links_of_the_page_are_absolute() -> None:
    page, version = package.description(), PROJECT["project"]["version"]
    assert package.links_of(page) == []
    for address in re.findall(rf"""(?<=[("])({re.escape(ADDRESS)}[^)"\s]*)""", page):
        kind, tag, path = address.removeprefix(f"{ADDRESS}/").split("/", 2)
        path, _, _ = path.partition("#")
        assert (ROOT / path).is_file(), address
        assert tag == f"v{version}"
        assert kind == ("raw" if path.endswith((".svg", ".png")) else "blob")
    # Nothing else changes.
    assert re.sub(rf"{re.escape(ADDRESS)}/(?:raw|blob)/v{version}/", "", page) == (ROOT / "README.md").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](d/a.md#b) [c](#d) [e](https://e.example/f.md) [g](mailto:h@i)", ["d/a.md"]),
        ('<img src="a.svg"><source srcset="b.svg"><a href="c.md">', ["a.svg", "b.svg", "c.md"]),
        ('<img src="http://a.example/b.svg"> (d.md) "e.md"', []),
    ],
)
def test_links(text: str, links: list[str]) -> None:
    assert package.links_of(text) == links


def test_addresses() -> None:
    for name, address in package.addresses().items():
        assert address.startswith(ADDRESS), name
        _, found, path = address.partition(f"/v{PROJECT['project']['version']}/")
        assert not found or (ROOT / path).is_file(), name


# The bill of materials.


def test_bill_of_materials() -> None:
    bill = package.bill_of_materials()
    assert bill == package.bill_of_materials()
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    subject = bill["metadata"]["component"]
    assert subject["purl"] == f"pkg:pypi/weburl@{PROJECT['project']['version']}"
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert set(parts) == set(bill["dependencies"][0]["dependsOn"])
    assert parts["pkg:pypi/idna"]["type"] == "library"
    held = {
        value["value"]
        for part in parts.values()
        for value in part.get("properties", ())
        if value["name"] == "weburl:file"
    }
    tree = Tree(ROOT)
    foreign = [name for name in files(tree) if "Unicode" in (licence_of(tree, name, named=True) or "")]
    assert held == {name.removeprefix("src/") for name in foreign}


# The build.


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["setup.py", "egg_info"], False),
        (["setup.py", "-q", "dist_info", "--output-dir", "x"], False),
        (["setup.py", "sdist", "--formats", "gztar"], False),
        (["setup.py", "bdist_wheel"], True),
        (["setup.py", "-q", "egg_info", "--egg-base", "x", "build"], True),
        (["setup.py", "editable_wheel"], True),
        (["setup.py", "--version"], True),
    ],
)
def test_what_compiles(words: list[str], expected: bool) -> None:
    assert package.compiles(words) is expected


def test_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAX_JOBS", raising=False)
    if hasattr(os, "sched_getaffinity"):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5})
        assert package.jobs() == 3
        monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert package.jobs() == 7
    monkeypatch.setenv("MAX_JOBS", "2")
    assert package.jobs() == 2
    for wrong in ("0", "-1", "two"):
        monkeypatch.setenv("MAX_JOBS", wrong)
        with pytest.raises(SystemExit, match=f"^MAX_JOBS must be a number from 1 on, not '{wrong}'$"):
            package.jobs()


def built_with(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "setup.py", *words]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True)


def test_the_flags_of_the_user_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-O0 -DNAME='a b'")
    assert package.own_flags() == ["-O0", "-DNAME=a b"]
    read = "import setup; print({tuple(each.extra_compile_args[-2:]) for each in setup.extensions})"
    printed = subprocess.check_output([sys.executable, "-c", read], cwd=ROOT, text=True)
    assert printed == f"{ {('-O0', '-DNAME=a b')} }\n"


@pytest.mark.skipif(os.name != "posix", reason="there, setuptools adds nothing")
def test_the_flags_of_the_user_switch_no_assertion_on() -> None:
    """setuptools leaves Python's own flags out if CFLAGS is set."""
    read = "import setup; print([each.extra_compile_args for each in setup.extensions])"
    environment = {**os.environ, "CFLAGS": "-Wall", "WEBURL_DEBUG": "0", "WEBURL_SANITIZE": "0"}
    printed = subprocess.check_output([sys.executable, "-c", read], cwd=ROOT, env=environment, text=True)
    for flags in ast.literal_eval(printed):
        assert {"-DNDEBUG", "-fwrapv", "-Wall"} <= set(flags)


@pytest.mark.skipif(os.name != "posix", reason="there, setuptools itself says what is missing")
def test_without_a_compiler() -> None:
    ended = built_with("build_ext", CC="no-such-compiler -pthread")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.rstrip("\n") == package.no_compiler("no-such-compiler")
    assert ended.stderr.count("\n") == 1
    assert shlex.split(package.no_compiler("cc"))


@pytest.mark.skipif(os.name != "posix", reason="there, setuptools itself says what is missing")
def test_without_a_compiler_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As most people meet it: nothing is set, and the compiler that Python was built with is not there."""
    monkeypatch.delenv("CC", raising=False)
    name = shlex.split(sysconfig.get_config_var("CC") or "cc")[0]
    if os.path.isabs(name):
        pytest.skip(f"this Python asks for {name}, wherever PATH leads")
    ended = built_with("bdist_wheel", PATH=str(tmp_path))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.rstrip("\n") == package.no_compiler(name)


def test_the_metadata_needs_no_compiler(tmp_path: Path) -> None:
    ended = built_with("-q", "egg_info", "--egg-base", str(tmp_path), CC="no-such-compiler")
    assert ended.returncode == 0, ended.stderr
    text = (tmp_path / "weburl.egg-info" / "PKG-INFO").read_text("utf-8")
    assert "License-Expression: BSD-3-Clause AND Unicode-3.0\n" in text
    assert "License-File: LICENSE\nLicense-File: LICENSES/Unicode-3.0.txt\n" in text
    for name, address in package.addresses().items():
        assert f"Project-URL: {name}, {address}\n" in text
    assert text.endswith(package.description())


@pytest.mark.slow
def test_a_warning_of_cython_is_an_error_if_one_of_the_compiler_is(tmp_path: Path) -> None:
    module = tmp_path / "module.pyx"
    module.write_text("cdef bytes last(bytes text):\n    return text[-1:] + bytes([text[-1]])\nprint(last(b'a'))\n")
    code = f"""
import sys
sys.path.insert(0, "tools")
import package
from setuptools import Extension
extension = Extension("module", [{str(module)!r}])
package.modules([extension], {{"language_level": 3, "wraparound": False}}, {str(tmp_path / "build")!r})
"""
    for flags, status in (("-Wall", 0), ("-Wall -Werror", 1)):
        module.touch()
        environment = {**os.environ, "CFLAGS": flags, "MAX_JOBS": "1"}
        ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert ended.returncode == status, ended.stderr
        assert "negative indices" in ended.stdout + ended.stderr


def test_a_header_that_changes_is_seen_by_each_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by modules of other rooms, into which functions of `_core` are inlined."""
    kept: list[Extension] = []
    monkeypatch.setattr("Cython.Build.cythonize", lambda extensions, **_: kept.extend(extensions))
    monkeypatch.setattr(sys, "argv", ["setup.py", "build_ext"])
    package.modules([Extension("a", ["src/weburl/_redact/redact.pyx"]), Extension("b", ["src/weburl/url.py"])], {}, "x")
    for extension, own in zip(kept, ({"_redact/triggers.h"}, set()), strict=True):
        headers = {Path(name).relative_to("src/weburl").as_posix() for name in extension.depends}
        assert {f"_core/{path.name}" for path in (ROOT / "src/weburl/_core").glob("*.h")} <= headers
        assert own <= headers


# What builds a release.


@pytest.mark.parametrize("group", ["build", "release", "test"])
def test_packages_that_build_are_pinned_by_hash(group: str) -> None:
    text = (ROOT / ".ci" / "requirements" / f"{group}.txt").read_text("utf-8")
    lines = text.replace(" \\\n", " ").splitlines()
    pinned: dict[str, str] = {}
    for line in lines:
        if not line.startswith("#"):
            found = re.fullmatch(r"([\w.-]+)==([\w.]+)(?: ; [^\\]+?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)", line)
            assert found, line
            pinned[found[1].lower()] = found[2]
    assert f"--generate-hashes --no-annotate --group {group} " in text
    for requirement in PROJECT["dependency-groups"][group]:
        name, allowed = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
        assert fulfils(pinned[name.lower()], allowed), requirement


def numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".") if number != "*"]


def fulfils(version: str, allowed: str) -> bool:
    """Of what a specifier can say, this project uses the following."""
    for each in filter(None, allowed.split(",")):
        sign, of = re.fullmatch(r"(>=|<|!=|==)([\d.]+\*?)", each).groups()  # type: ignore[union-attr]
        one, other = numbers(version), numbers(of)
        if not {">=": one >= other, "<": one < other, "!=": one != other, "==": one[: len(other)] == other}[sign]:
            return False
    return True


def test_the_build_floats_where_users_build() -> None:
    requires = PROJECT["build-system"]["requires"]
    assert requires == PROJECT["dependency-groups"]["build"][: len(requires)]
    assert not [requirement for requirement in requires if "==" in requirement]


# What runs elsewhere. An sdist has none of it.

GITHUB = ROOT / ".github"


@pytest.mark.skipif(not GITHUB.exists(), reason="an sdist has no workflows")
def test_wheels_are_built_for_each_processor() -> None:
    read = "import release_check as r; print([r.INTERPRETERS, {n: a.split() for n, a in r.ARCHITECTURES.items()}])"
    printed = subprocess.check_output([sys.executable, "-c", read], cwd=ROOT / ".ci", text=True)
    interpreters, architectures = ast.literal_eval(printed)
    text = (GITHUB / "workflows" / "wheels.yml").read_text("utf-8")
    jobs = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", text, re.MULTILINE))
    (others,) = re.findall(r"processor: \[(.*)\]", jobs["processors"])
    assert {"x86_64", "aarch64", *others.split(", ")} == set(architectures["linux"])
    # What pip says where there is no compiler.
    (named,) = re.findall(r"Linux \((.*)\), macOS or 64-bit Windows", package.no_compiler("cc"))
    names = {"x86-64": "x86_64", "AArch64": "aarch64", "ARMv7": "armv7l", "RISC-V": "riscv64"}
    assert [names.get(name, name) for name in named.split(", ")] == architectures["linux"]
    assert set(architectures["windows"]) == {"AMD64", "ARM64"}
    assert set(architectures["macos"]) == {"x86_64", "arm64"}
    for name in ("wheels", "processors"):
        (versions,) = re.findall(r" python: \[(.*)\]", jobs[name])
        assert tuple(versions.split(", ")) == interpreters
        assert "python -m cibuildwheel --output-dir wheelhouse dist/weburl-*.tar.gz" in jobs[name]
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["build"] == [f"{each}-*" for each in interpreters]
    # Each wheel is tested: the tests of those that are emulated are fewer.
    (override,) = settings["overrides"]
    assert override["select"] == f"*linux_{{{others.replace(', ', ',')}}}"
    for command in (settings["test-command"], override["test-command"]):
        named = re.findall(r"{project}/(\S+)", command)
        assert named
        assert all((ROOT / file).exists() for file in named)
    # What is published is all of it.
    assert "needs: [wheels, processors, pyodide]" in jobs["materials"]
    for name in ("wheels", "processors", "pyodide"):
        assert re.search(r"upload-artifact@.*\n        with:\n          name: wheels-", jobs[name])


# What an image of OSS-Fuzz does: it has neither pytest nor the data of the Web Platform Tests.
FUZZED = """
import sys

sys.modules["pytest"] = None
from tiers import fuzz_inputs, fuzz_targets

first = dict(reversed([*fuzz_inputs.read("seeds.txt")]))
for name, target in fuzz_targets.TARGETS.items():
    target(first[name])
sys.argv[1:] = ["--list"]
fuzz_targets.main()
"""


def test_each_fuzz_target_is_fuzzed_elsewhere_too() -> None:
    fuzz, fuzz_targets = import_module("tiers.fuzz"), import_module("tiers.fuzz_targets")

    assert tuple(fuzz_targets.TARGETS) == fuzz.PYTHON_TARGETS
    listed = subprocess.check_output(
        [sys.executable, "-c", FUZZED],
        cwd=ROOT / "tests",
        env={name: value for name, value in os.environ.items() if name != "WEBURL_DATA"},
        text=True,
    )
    assert listed.split() == list(fuzz.PYTHON_TARGETS)


@pytest.mark.skipif(not GITHUB.exists(), reason="an sdist has no workflows")
def test_a_fuzz_program_has_what_its_builder_does_not_see() -> None:
    lines = (GITHUB / "oss-fuzz" / "build.sh").read_text("utf-8").splitlines()
    (flags,) = (line.partition("flags=(")[2].rstrip(")") for line in lines if line.startswith("flags=("))
    given = shlex.split(flags)
    assert set(zip(given[::2], given[1::2], strict=True)) >= {
        ("--collect-submodules", "weburl"),
        ("--hidden-import", "idna"),
        ("--hidden-import", "atheris"),
        ("--collect-all", "publicsuffixlist"),
    }
    # In the words of a loop, a list that fails would be an empty one.
    assert [line for line in lines if line.startswith("for ") and "$(" in line] == []
