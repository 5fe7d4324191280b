"""The recipes of the cookbook that need other packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django_app import configure
from pyspark.sql import SparkSession
from support.pages import DOCS
from support.recipes import run_recipes


@pytest.fixture
def spark() -> Iterator[Any]:
    """The session that getOrCreate() gives to a recipe."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    spark = SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
    yield spark
    spark.stop()


# PySpark says that it does not yet fully support pandas 3, which nothing here uses.
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_data_frames(spark: Any, tmp_path: Path) -> None:
    assert run_recipes(DOCS / "cookbook/data-frames.md", tmp_path) >= 10


def test_web(tmp_path: Path) -> None:
    configure()
    assert run_recipes(DOCS / "cookbook/web.md", tmp_path) >= 8
