"""The recipes of the cookbook that need other packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from django_app import configure
from pydantic import BaseModel, ConfigDict, ValidationError
from pyspark.sql import SparkSession
from support.pages import DOCS
from support.recipes import run_recipes

import weburl.ext.duckdb
import weburl.ext.pandas
import weburl.ext.polars
from weburl import FrozenURL
from weburl.bulk import host_in_many
from weburl.ext.httpx import Transport


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


def test_what_can_go_wrong() -> None:
    """As the recipes say."""
    frame = pl.DataFrame({"url": ["https://example.com/", "no URL", "no", None], "error": [1, 2, 3, 4]})
    url = pl.col("url").weburl
    assert frame.with_columns(url.parse(["hostname"]))["url"].dtype == pl.Struct({"hostname": pl.String})
    assert frame.with_columns(url.parse(["error"]).struct.field("error"))["error"][0] is None
    assert frame.with_columns(page=url.canonicalize()).unique("page").height == 2
    assert frame.select(url.can_parse()).to_series().to_list() == [True, False, False, None]

    links = pd.Series(["https://a.example/", "no URL", "no"])
    assert len(links.to_frame("url").assign(page=links.weburl.canonicalize()).drop_duplicates("page")) == 2
    assert links.weburl.join(pd.Series(["x", "y"], index=[5, 0])).to_list()[0] == "https://a.example/y"
    assert links.weburl.join(pd.Series(["x"], index=[5])).isna().all()
    assert pd.Series(["https://a.example/?page=2"]).weburl.param("page")[0] == "2"

    with duckdb.connect() as con:
        weburl.ext.duckdb.register(con)
        regex = "select regexp_extract('https://ann:s3cret@example.com:8080/a', '//([^/]+)', 1)"
        assert con.execute(regex).fetchone() == ("ann:s3cret@example.com:8080",)
        assert con.execute("select url_redact('http://a b/?token=q8Zx')").fetchone() == ("http://a b/?token=REDACTED",)
        pair = "select url_query('https://a.example/?utm_source=b', 'utm_source', 'utm_medium')"
        assert con.execute(pair).fetchone() == ({"utm_source": "b"},)

    keep = host_in_many(["ftp://ads.example.com/", "no URL"], ["ads.example.com"], schemes=None)
    assert keep.to_pylist() == [True, None]
    with pytest.raises(TypeError, match="proxy"):
        Transport(proxy="http://gate.example")


def test_passwords_in_errors() -> None:
    class Hook(BaseModel):  # type: ignore[misc]
        name: str
        url: FrozenURL

    class Hidden(Hook):
        model_config = ConfigDict(hide_input_in_errors=True)

    for model, shown in ((Hook, True), (Hidden, False)):
        with pytest.raises(ValidationError) as raised:
            model(url="https://ann:s3cret@example.com/")
        assert ("s3cret" in str(raised.value)) == shown
