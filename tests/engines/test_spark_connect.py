"""PySpark's functions give the same over Spark Connect. Its server cannot share a process with another session."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SETTINGS = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.maxRecordsPerBatch": "100"}


def test_over_connect() -> None:
    here = Path(__file__).resolve()
    environment = os.environ | {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": os.pathsep.join([str(here.parent), str(here.parents[1])]),
        "PYTHONWARNINGS": "ignore",
        # Any free port, not always the same.
        "SPARK_TESTING": "1",
    }
    ran = subprocess.run([sys.executable, str(here)], env=environment, capture_output=True, text=True)
    assert ran.stdout.splitlines()[-1:] == ["as expected"], ran.stderr[-4000:]


def check() -> None:
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F
    from rows import ARGUMENTS, HOSTS, ROWS, SCALAR, scalar, sql_calls, structs, valid
    from support.fields import FIELDS

    import weburl.ext.pyspark as ext

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [pair.asDict() for pair in value]
        # Spark's numbers have a sign.
        return value % 2**64 if type(value) is int else value

    spark = SparkSession.builder.remote("local[2]").config(map=SETTINGS).getOrCreate()
    assert "connect" in type(spark).__module__
    frame = spark.createDataFrame(list(enumerate(ROWS)), "n int, u string").repartition(3, "n")
    frame.createOrReplaceTempView("t")
    rows = ext.parse_column(frame, "u", FIELDS).orderBy("n").collect()
    assert [{field: row[f"u_{field}"] for field in FIELDS} for row in rows] == structs()

    ext.register(spark, hosts={"named": HOSTS})
    calls = {**sql_calls(), "valid": "url_can_parse(u)", "set": "url_host_in(u, 'named')"}
    functions = {name: getattr(ext, f"url_{name}")("u", *ARGUMENTS.get(name, ())) for name in SCALAR}
    for columns in (
        {name: F.expr(call) for name, call in calls.items()},
        {**functions, "valid": ext.url_can_parse("u"), "set": ext.url_host_in("u", HOSTS)},
    ):
        named = [column.alias(name) for name, column in columns.items()]
        rows = spark.table("t").select("n", *named).orderBy("n").collect()
        for name, function in SCALAR.items():
            assert [plain(row[name]) for row in rows] == scalar(function), name
        assert [row["valid"] for row in rows] == valid()
        assert [row["set"] for row in rows] == scalar(SCALAR["host_in"])
    print("as expected", flush=True)


if __name__ == "__main__":
    check()
