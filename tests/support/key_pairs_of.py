"""Pairs of rows that have one key, without their texts."""

from __future__ import annotations

from weburl._arrow import input
from weburl.cli.keys.key_set import KeyIndex, Pairs
from weburl.cli.readers.rows.text_column import RowStore, kept_texts

PAIR = 64 + 8  # bytes of a pair whose texts are null


def store_of(*columns: list[str | None]) -> RowStore:
    store = RowStore(len(columns))
    store.append([kept_texts(input.from_objects(texts), 0, len(texts), b"\1" * len(texts)) for texts in columns])
    return store


def pairs_of(ours: tuple[bytes, bytes], theirs: tuple[bytes, bytes], *, is_left: bool = False) -> Pairs:
    """The pairs of rows by their keys and marks."""
    index = KeyIndex(*map(bytearray, theirs))
    return Pairs(index, store_of([None] * len(theirs[1])), *ours, bytearray(8 * len(ours[1])), is_left)


def taken_pairs(pairs: Pairs, most: int = 1 << 40) -> list[tuple[int, int]]:
    """All pairs, in steps."""
    found: list[tuple[int, int]] = []
    while pairs.row < pairs.count:
        found += zip(*(memoryview(rows).cast("q") for rows in pairs.take(most)), strict=True)
    return found
