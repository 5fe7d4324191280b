from typing import Any

from weburl._columns.batch import Batch
from weburl._columns.input import Input

def evaluate(job: dict[str, Any], columns: list[list[Input]]) -> list[Batch]: ...
