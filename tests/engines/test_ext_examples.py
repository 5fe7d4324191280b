"""What the modules of `weburl.ext` say of their public names: a sentence and an example, which is true."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.public import NAMES, members, without_words, words, wrong_examples

ROOT = Path(__file__).resolve().parents[2]
MODULES = [name for name in NAMES if name.startswith("weburl.ext.")]
# PySpark says that it does not yet fully support pandas 3.
pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning",
    "ignore::DeprecationWarning",
    "ignore::FutureWarning",
)


# What Scrapy, Django and pydantic call or read, by the names that they have for it.
HOOKS = {
    "RequestFingerprinter": {"from_crawler", "fingerprint"},
    "URLField": {"from_db_value"},
    "AddOn": {"update_settings"},
    "OffsiteMiddleware": {"update_hosts"},
    "ScopeMiddleware": {"from_crawler", "process_request", "request_scheduled"},
    "URLConstraints": {"defined_constraints"},
}


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the examples of an engine need beside its import."""
    module = request.node.callspec.params["module"]
    pytest.importorskip(module, exc_type=ImportError)
    if module == "weburl.ext.pyspark":
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"], os.environ["SPARK_LOCAL_IP"] = sys.executable, "127.0.0.1"
        session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        yield
        session.stop()
    elif module == "weburl.ext.ray":
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = False
        yield
        ray.shutdown()
    else:
        yield


@pytest.mark.parametrize("module", MODULES)
def test_every_docstring_has_a_sentence_and_an_example(module: str) -> None:
    pytest.importorskip(module, exc_type=ImportError)
    hooks = {f"{owner}.{name}" for owner, names in HOOKS.items() for name in names}
    assert [said for said in without_words(module) if said.partition(":")[0] not in hooks] == []


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("module", MODULES)
def test_the_examples_are_true(module: str) -> None:
    assert any(">>>" in words(name, documented) for name, _, documented in members(module))
    if module == "weburl.ext.pyarrow":
        # Its example registers functions, which a process can do once: tests/engines/test_pyarrow.py does it, too.
        program = "from support.public import wrong_examples as wrong; print(wrong('weburl.ext.pyarrow'))"
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "tests", ROOT / "tools")))}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "[]\n"
    else:
        assert wrong_examples(module) == []
