from typing import Any

from weburl._arrow.batch import Batch
from weburl._arrow.input import Input

def evaluate(job: dict[str, Any], columns: list[list[Input]]) -> list[Batch]: ...
