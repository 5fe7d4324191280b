"""PyPI urlpattern-py, in a folder of its own: its module has the name of PyPI urlpattern's."""

import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DISTRIBUTION = "urlpattern-py"
# `make bench` installs it there.
FOLDER = Path(__file__).parents[2] / "build" / "urlpattern-py"


def loaded() -> Any:
    package = FOLDER / "urlpattern"
    spec = importlib.util.spec_from_file_location(
        "urlpattern_py", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    if spec is None or spec.loader is None or not package.is_dir():
        raise ImportError("no urlpattern-py in build/urlpattern-py")
    sys.path.append(str(FOLDER))  # the last, for its version
    module = sys.modules["urlpattern_py"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


URLPattern = loaded().URLPattern


def pattern(given: Any) -> Any:
    return URLPattern(given)


def make_patterns(patterns: Iterable[Any]) -> None:
    for given in patterns:
        URLPattern(given)


def pattern_test(made: Any, urls: Iterable[str]) -> None:
    for url in urls:
        made.test(url)


def pattern_groups(made: Any, urls: Iterable[str]) -> None:
    for url in urls:
        made.exec(url)["pathname"]["groups"]
