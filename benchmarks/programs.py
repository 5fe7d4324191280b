"""The peers that are programs: ada in C++, Bun and Node. Each reads links from a file, and measures its own loop."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from weburl import URL

HERE = Path(__file__).parent
# `make bench` installs benchmarks/package.json there.
NPM = HERE.parent / "build" / "javascript" / "node_modules" / ".bin"

# What the programs in C++ are compiled into.
BUILT = HERE.parent / "build" / "ada"

# Bun and Node: the work, as javascript.mjs names it, and what it adds up for a URL.
IN_JAVASCRIPT: dict[str, Callable[[URL], int]] = {
    "new URL(s)": lambda url: 1,
    "URL.parse(s)": lambda url: 1,
    "hostname, pathname, search": lambda url: len(url.hostname) + len(url.pathname) + len(url.search),
    "URL.canParse(s)": lambda url: 1,
    "URL.parse(s).href": lambda url: len(url.href),
}


def write_lines(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    return path


class Program:
    """A process that answers each work on its stdin with the nanoseconds of CPU that it took for all lines, and with a
    sum that shows that it did the work."""

    def __init__(self, command: Sequence[Path | str], sums: Mapping[str, int], count: int) -> None:
        self._sums, self._count = sums, count
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def spent(self, work: str) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(work, file=self._process.stdin, flush=True)
        nanoseconds, found = json.loads(self._process.stdout.readline())
        assert found == self._sums[work], f"{work}: {found} instead of {self._sums[work]}"
        return float(nanoseconds)

    def a_line(self, work: str) -> float:
        return self.spent(work) / self._count

    def close(self) -> None:
        self._process.communicate()


class Ada:
    """ada itself, in C++: built from the sources that the package ada-url has, or from a checkout of ada."""

    def __init__(self, folder: Path, checkout: Path | None = None) -> None:
        compiler = shutil.which("g++")
        if compiler is None:
            raise ImportError("no g++")
        if checkout is None:
            package = find_spec("ada_url")
            if package is None or package.origin is None:
                raise ImportError("no package ada-url")
            sources = headers = Path(package.origin).parent
            date = re.search(r"auto-generated on (\S+)", (sources / "ada.h").read_text("utf-8"))
            origin = f"ada-url {version('ada-url')}" + (f", generated on {date[1]}" if date else "")
        else:
            sources, headers = checkout / "src", checkout / "include"
            if not (sources / "ada.cpp").is_file():
                raise ImportError(f"no ada.cpp in {sources}")
            asked = ["git", "-C", str(checkout), "rev-parse", "--short=12", "HEAD", "--show-toplevel"]
            commit, _, top = subprocess.run(asked, capture_output=True, text=True).stdout.strip().partition("\n")
            origin = f"commit {commit}" if top and checkout.samefile(top) else "no commit"
        number = next(
            found[1]
            for path in headers.rglob("*.h")
            if (found := re.search(r'#define ADA_VERSION "([^"]+)"', path.read_text("utf-8")))
        )
        self.version = f"{number} ({origin})"
        self._program = folder / f"ada_lines-{number}-{checkout is None}"
        options = ("-O3", "-std=c++20", "-DADA_INCLUDE_URL_PATTERN=0", f"-I{headers}", f"-I{sources}")
        inputs = (HERE / "ada_lines.cpp", sources / "ada.cpp")
        made = self._program.stat().st_mtime if self._program.exists() else 0
        if made < max(path.stat().st_mtime for path in inputs):
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run([compiler, *options, "-o", self._program, *inputs], check=True)

    def over(self, lines: Path, urls: Sequence[str]) -> Program:
        return Program([self._program, lines], dict.fromkeys(("parse", "can_parse"), len(urls)), len(urls))


class JavaScript:
    """Bun or Node."""

    def __init__(self, name: str) -> None:
        self._program = NPM / name.lower()
        if not self._program.exists():
            raise ImportError(f"no {name} in build/javascript")
        asked = subprocess.run([self._program, "--version"], check=True, capture_output=True, text=True)
        self.version = asked.stdout.strip().removeprefix("v")

    def over(self, lines: Path, urls: Sequence[str]) -> Program:
        parsed = list(map(URL, urls))
        sums = {work: sum(map(add, parsed)) for work, add in IN_JAVASCRIPT.items()}
        return Program([self._program, HERE / "javascript.mjs", lines], sums, len(urls))

    def run(self, script: str, *arguments: Path) -> str:
        """What a script of this folder prints."""
        ran = subprocess.run([self._program, HERE / script, *arguments], check=True, capture_output=True)
        return ran.stdout.decode("utf-8", "surrogatepass")
