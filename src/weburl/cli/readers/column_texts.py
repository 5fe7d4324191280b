"""The texts of columns of Arrow that are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

from weburl.cli._exit import InputError
from weburl.cli.readers.reading import Keep
from weburl.cli.readers.row_blocks import KeptColumn

# How Arrow writes times: what it cannot write, and the end of one with a zone.
OUT_OF_RANGE: Final = "<value out of range"
ZONE: Final = re.compile(r"([+-][0-9]{2})([0-9]{2})\Z")
SHARED: Final = 4  # a dictionary with 2**4 values for a row, or more, is for other rows, too
NUMBER_BYTES: Final = 32  # of the text of a number, a time or a truth value


def is_slow(kind: Any) -> bool:
    """Whether values have parts: their texts are written one by one, as only then it is known how long they are."""
    from pyarrow import types

    return bool(types.is_nested(_value_type(kind)))


def _value_type(kind: Any) -> Any:
    from pyarrow import types

    return kind.value_type if types.is_dictionary(kind) or types.is_run_end_encoded(kind) else kind


def slow_text(value: Any) -> str | None:
    """The text of a scalar of Arrow: JSON, if it has parts or is a number."""
    from pyarrow import types

    python_value = value.as_py()
    if python_value is None:
        return None
    kind = _value_type(value.type)
    return _json_of(python_value) if types.is_nested(kind) or types.is_floating(kind) else _text_of(python_value)


def check_indices(indices: Any, count: int) -> None:
    """Refuses indices that lead outside a dictionary with so many values."""
    from pyarrow import compute

    ends = compute.min_max(indices).as_py()
    if ends["min"] is not None and not 0 <= ends["min"] <= ends["max"] < count:
        raise InputError("an index leads outside its dictionary")


def with_used_values(column: Any) -> Any:
    """A dictionary column with the values that its rows have, if the dictionary has many more than there are rows.

    Then all batches of a file take time for their rows, and not for the dictionary that they share.
    """
    import pyarrow
    from pyarrow import compute

    if not pyarrow.types.is_dictionary(column.type) or len(column.dictionary) <= len(column) << SHARED:
        return column
    used = column.indices.unique().drop_null()
    try:
        values = column.dictionary.take(used)
    except pyarrow.ArrowNotImplementedError:
        return column
    return pyarrow.DictionaryArray.from_arrays(compute.index_in(column.indices, value_set=used), values)


def filtered(values: Any, mask: Any) -> Any:
    """The values where a mask is true."""
    import pyarrow

    try:
        return values.filter(mask)
    except pyarrow.ArrowNotImplementedError:
        # pyarrow's indices_nonzero() crashes over an empty mask.
        kept = [number for number, is_kept in enumerate(mask.to_pylist()) if is_kept]
        return taken(values, pyarrow.array(kept, pyarrow.int64()))


def taken(values: Any, numbers: Any) -> Any:
    """Values by their numbers, also those of types that pyarrow does not take: views and runs, and what has them."""
    import pyarrow

    try:
        return values.take(numbers)
    except pyarrow.ArrowNotImplementedError:
        parts = [values.slice(0, 0), *[values.slice(number, 1) for number in numbers.to_pylist()]]
        chunks = [chunk for part in parts for chunk in getattr(part, "chunks", [part])]
        return pyarrow.concat_arrays(chunks) if chunks else values


def _is_text(kind: Any) -> bool:
    import pyarrow

    types = pyarrow.types
    return any(
        is_one(kind)
        for is_one in (
            types.is_string, types.is_large_string, types.is_string_view,
            types.is_binary, types.is_large_binary, types.is_binary_view,
        )
    )  # fmt: skip


def text_bytes(columns: Sequence[Any], enough: int) -> list[int] | None:
    """How many bytes the texts of each row have, about; None if all together have no more than `enough`."""
    import pyarrow

    types = pyarrow.types
    if not any(types.is_dictionary(column.type) or not _is_plain(column.type) for column in columns):
        size = sum(column.nbytes + NUMBER_BYTES * len(column) * (not _is_text(column.type)) for column in columns)
        if size <= enough:
            return None
    from pyarrow import compute

    total = None
    for column in columns:
        sizes = _sizes(column)
        total = sizes if total is None else compute.add(total, sizes)
    if total is None or (compute.sum(total).as_py() or 0) <= enough:
        return None
    lengths: list[int] = total.to_pylist()
    return lengths


def _is_plain(kind: Any) -> bool:
    """Whether rows of a column have their own bytes. Those of others may share them."""
    import pyarrow

    types = pyarrow.types
    shared = (types.is_string_view, types.is_binary_view, types.is_run_end_encoded, types.is_nested)
    return not any(is_one(kind) for is_one in shared)


def _sizes(column: Any) -> Any:
    """The bytes of each row, as int64."""
    import pyarrow
    from pyarrow import compute

    kind = column.type
    if pyarrow.types.is_dictionary(kind):
        return compute.fill_null(_sizes(column.dictionary).take(column.indices), 0)
    if pyarrow.types.is_run_end_encoded(kind):
        whole = pyarrow.RunEndEncodedArray.from_arrays(column.run_ends, _sizes(column.values))
        return compute.run_end_decode(whole.slice(column.offset, len(column)))
    if _is_text(kind):
        if pyarrow.types.is_string_view(kind) or pyarrow.types.is_binary_view(kind):
            return _view_sizes(column)
        return compute.fill_null(compute.binary_length(column), 0).cast(pyarrow.int64())
    width = NUMBER_BYTES
    if pyarrow.types.is_fixed_size_binary(kind):
        width += kind.byte_width
    elif len(column):
        width += column.nbytes // len(column)
    return pyarrow.repeat(pyarrow.scalar(width, pyarrow.int64()), len(column))


def _view_sizes(column: Any) -> Any:
    """A view is 16 bytes; the first four are a length."""
    import pyarrow

    views = column.buffers()[1]
    words = pyarrow.Array.from_buffers(pyarrow.int32(), 4 * (column.offset + len(column)), [None, views])
    lengths = words.take(pyarrow.array(range(4 * column.offset, len(words), 4), pyarrow.int64()))
    return lengths.cast(pyarrow.int64())


def kept_column(values: Any, keep: Keep, texts: list[str | None] | None) -> KeptColumn:
    """A column as it is kept. `texts` are those of a column whose values have parts."""
    import pyarrow

    if texts is not None:
        return KeptColumn(pyarrow.array(texts, pyarrow.string()), keep.as_json)
    if keep.as_arrow or pyarrow.types.is_string(values.type):
        return KeptColumn(values)
    kind = values.type
    if pyarrow.types.is_dictionary(kind):
        return kept_column(values.dictionary_decode(), keep, None)
    if pyarrow.types.is_run_end_encoded(kind):
        from pyarrow import compute

        return kept_column(compute.run_end_decode(values), keep, None)
    if pyarrow.types.is_large_string(kind) or pyarrow.types.is_string_view(kind):
        return KeptColumn(values)
    # What JSON has: numbers, true and false, lists and objects. The rest is a string in it.
    is_json = keep.as_json
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind):
        return KeptColumn(values.cast(pyarrow.string()), is_json)
    if is_json and pyarrow.types.is_floating(kind):
        return KeptColumn(pyarrow.array(map(slow_text, values), pyarrow.string()), is_json)
    if pyarrow.types.is_temporal(kind):
        return KeptColumn(_times(values))
    texts = [None if value is None else _text_of(value) for value in values.to_pylist()]
    return KeptColumn(pyarrow.array(texts, pyarrow.string()))


def _times(values: Any) -> Any:
    """Times as in ISO 8601, also those with nanoseconds, for which Python has no object."""
    import pyarrow

    kind = values.type
    if getattr(kind, "unit", "") == "ns":
        is_duration = pyarrow.types.is_duration(kind)
        is_time = pyarrow.types.is_time(kind)
        microseconds = pyarrow.time64("us") if is_time else pyarrow.duration("us") if is_duration else None
        try:
            values = values.cast(microseconds or pyarrow.timestamp("us", kind.tz))
        except pyarrow.ArrowInvalid:
            if is_duration:
                raise ValueError("it has a duration with nanoseconds") from None
            return _as_arrow_writes(values)
    try:
        texts = [None if value is None else _text_of(value) for value in values.to_pylist()]
    except (ValueError, OverflowError, KeyError):  # the last for a time zone that is not known
        return _as_arrow_writes(values)
    return pyarrow.array(texts, pyarrow.string())


def _as_arrow_writes(values: Any) -> Any:
    """Times as Arrow writes them, which is nearly ISO 8601."""
    import pyarrow

    texts = values.cast(pyarrow.string()).to_pylist()
    if any(text is not None and text.startswith(OUT_OF_RANGE) for text in texts):
        raise ValueError("it has a time that is out of range")
    texts = [None if text is None else ZONE.sub(r"\1:\2", text.replace(" ", "T")) for text in texts]
    return pyarrow.array(texts, pyarrow.string())


def _json_of(value: Any) -> str:
    import json

    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_text_of)
    except ValueError:
        return _json_of(_finite(value))


def _finite(value: Any) -> Any:
    """A value in which null stands for the numbers that JSON does not have."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(member) for name, member in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def _text_of(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
