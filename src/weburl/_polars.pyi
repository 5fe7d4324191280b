from typing import Any

from weburl._batch import Batch
from weburl._rows import Input

def evaluate(job: dict[str, Any], columns: list[list[Input]]) -> list[Batch]: ...
