"""The examples of how-to pages that need other packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pyspark.sql import SparkSession
from support.pages import DOCS, run_examples


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    spark = SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
    yield spark
    spark.stop()


# PySpark says that it does not yet fully support pandas 3, which nothing here uses.
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_logs(spark: Any) -> None:
    assert run_examples(DOCS / "howto/logs.md") > 3


def test_the_readme() -> None:
    names: dict[str, Any] = {}
    assert run_examples(DOCS.parent / "README.md", names) == 5
    assert names["hosts"]["url"].to_list() == ["example.com", "127.0.0.1", None]
    client = TestClient(names["app"], follow_redirects=False)
    for target, location in (("/basket", "/basket"), ("//evil.example", "/"), ("https:evil.example", "/")):
        assert client.get("/login", params={"next": target}).headers["location"] == location
