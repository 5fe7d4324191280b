"""The jobs in plans of Polars, which may come from anywhere. Polars itself is not needed."""

from __future__ import annotations

import json
import os
import pickle
import random
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URL, InvalidURL
from weburl._columns.fields import URL_FIELDS
from weburl._columns.input import Input, from_objects
from weburl.bulk import Column
from weburl.ext import _jobs, _polars
from weburl.forms import serialize_form

JOBS: list[dict[str, Any]] = [
    {"fields": ("href",)},
    {"fields": tuple(URL_FIELDS), "is_struct": True},
    {"fields": ("site", "public_suffix"), "is_struct": True, "base": "http://h/%20?a=b&c"},
    {"fields": ("valid",), "base": "foo://h/"},
    {"fields": ("query_pairs",)},
    {"fields": ("query_get",), "key": ""},
    {"fields": ("query_get",), "key": "a&b=c+d %é😀\0\n"},
    {"fields": ("query_get",), "key": "é" * 100_000, "base": "http://h/"},
    {"fields": ("decoded",), "decode_errors": "strict"},
]  # fmt: skip


def pickled(job: dict[str, Any]) -> bytes:
    """Pickles as Polars does."""
    return pickle.dumps(_jobs.arguments(job), protocol=5)


def given_text(text: str) -> bytes:
    return pickle.dumps({"job": text}, protocol=5)


def evaluate(data: bytes, columns: int = 1) -> list[Any]:
    chunks: list[list[Input]] = [[from_objects(["http://ü.example:80/?a=%41", "x", None])] for _ in range(columns)]
    return Column(_polars.evaluate(_jobs.read(data), chunks)).to_pylist()


@pytest.mark.parametrize("job", JOBS)
def test_what_is_written_is_read(job: dict[str, Any]) -> None:
    plain = {"is_struct": False} | job
    assert _jobs.read(pickled(job)) == plain
    assert _jobs.checked(plain, 1) == plain
    # Unframed, as some other pickler may write it.
    data = pickled(job)
    assert data[2:3] == b"\x95"
    assert _jobs.read(data[:2] + data[11:]) == plain
    assert len(evaluate(pickled(job))) == 3


def test_surrogates_of_a_key() -> None:
    for key, meaning in (("\ud83d\ude00", "😀"), ("\ud800a\udfff", "\ufffda\ufffd")):
        assert _jobs.read(pickled({"fields": ("query_get",), "key": key}))["key"] == meaning


class Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("exploited",)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize(
    "arguments",
    [
        {"fields": ("href",)},
        {"job": {"fields": ("href",)}},
        {"job": b"version=1&field=href"},
        {"job": None},
        {"job": ["version=1&field=href"]},
        {"job": Exploit()},
        {"job": "version=1&field=href", "a": Exploit()},
        {"job": "version=1&field=href", "jobs": "version=1&field=href"},
        {"jo": "version=1&field=href"},
        {"job": "version=1&field=href\n"},
        {"job": "version=1&field=hréf"},
        {"job": "version=1&field=href\udcff"},
        {"fields": ("fingerprint",), "bits": 1 << 40},
        Exploit(),
        [],
        {},
        "version=1&field=href",
        None,
    ],
)
def test_other_pickles(arguments: Any, protocol: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"^these are not the arguments of a job$"):
        _jobs.read(pickle.dumps(arguments, protocol))
    assert os.listdir() == []


@pytest.mark.parametrize("protocol", range(5))
def test_other_protocols(protocol: int) -> None:
    with pytest.raises(ValueError, match=r"^these are not the arguments of a job$"):
        _jobs.read(pickle.dumps({"job": "version=1&field=href"}, protocol))


def test_lengths_that_lie() -> None:
    text = b"version=1&field=href"
    head, tail = b"\x80\x05}\x94\x8c\x03job\x94", b"\x94s."
    assert _jobs.read(head + b"\x8c" + bytes([len(text)]) + text + tail) == {"fields": ("href",), "is_struct": False}
    assert _jobs.read(head + b"X" + struct.pack("<I", len(text)) + text + tail)["fields"] == ("href",)
    for length in (0, len(text) - 1, len(text) + 1, len(text) + 3, 255, 2**31, 2**32 - 1, 2**32 - len(text)):
        lies = [b"X" + struct.pack("<I", length), b"\x8d" + struct.pack("<Q", length)]
        for lie in [b"\x8c" + bytes([length]), *lies] if length < 256 else lies:
            for data in (head + lie + text + tail, head + lie + text, head + lie + text + tail + b"."):
                with pytest.raises(ValueError, match=r"^these are not the arguments of a job$"):
                    _jobs.read(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "another version"),
        ("field=href", "another version"),
        ("version=2&field=href", "another version"),
        ("version=1&version=1&field=href", "another argument, or one twice"),
        ("version=1&field=href&nonsense=1", "another argument, or one twice"),
        ("version=1&field=href&views=1", "another argument, or one twice"),
        ("version=1&field=fingerprint&bits=4096", "another argument, or one twice"),
        ("version=1&field=href&encoding=latin1", "another argument, or one twice"),
        ("version=1&field=canonical&policy=crawl", "another argument, or one twice"),
        ("version=1&field=href&base=a:&base=b:", "another argument, or one twice"),
        ("version=1&field=href&is_struct=2", "is_struct is 1 or not given"),
        ("version=1", "a job has fields, each once"),
        ("version=1&field=href&field=href&is_struct=1", "a job has fields, each once"),
        ("version=1&field=href&field=host", "several fields are those of a struct"),
        ("version=1&field=nonsense", "a field is one of href, "),
        ("version=1&field=", "a field is one of href, "),
        ("version=1&field=fingerprint", "a field is one of href, "),
        ("version=1&field=canonical", "a field is one of href, "),
        ("version=1&field=valid&is_struct=1", "a field is one of href, "),
        ("version=1&field=decoded&field=href&is_struct=1&decode_errors=strict", "a field is one of href, "),
        ("version=1&field=query_get", "a key goes with query_get"),
        ("version=1&field=href&key=q", "a key goes with query_get"),
        ("version=1&field=decoded", "with decoded goes one of replace, strict, ignore"),
        ("version=1&field=decoded&decode_errors=nonsense", "with decoded goes one of replace"),
        ("version=1&field=href&decode_errors=strict", "with decoded goes one of replace"),
        ("version=1&field=decoded&decode_errors=strict&base=a:", "decoded texts have no base"),
    ],
)
def test_other_jobs(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(given_text(text))


def test_bases() -> None:
    with pytest.raises(InvalidURL):
        evaluate(given_text("version=1&field=href&base=no+base"))
    with pytest.raises(InvalidURL, match=r"\*\*\*") as raised:
        evaluate(given_text("version=1&field=href&base=http://user:secret@x:y/"))
    assert "secret" not in str(raised.value)


def test_columns() -> None:
    assert evaluate(given_text("version=1&field=href"), 2) == ["http://xn--tda.example/?a=%41", None, None]
    for columns in (0, 3, 9):
        with pytest.raises(ValueError, match=f"one column or two, .*not {columns}"):
            evaluate(given_text("version=1&field=href"), columns)
    for text in ("version=1&field=href&base=a:", "version=1&field=decoded&decode_errors=strict"):
        with pytest.raises(ValueError, match="one column or two"):
            evaluate(given_text(text), 2)


def any_outcome(data: bytes, columns: int) -> bool:
    try:
        return len(evaluate(data, columns)) == 3
    except ValueError:
        return False


NAMES = ["version", "field", "is_struct", "base", "key", "decode_errors", "bits"]
VALUES = [
    *"012é\0",
    "",
    "href",
    "site",
    "decoded",
    "query_get",
    "query_pairs",
    "fingerprint",
    "error",
    "valid",
    "strict",
    "a:",
]


@given(
    st.lists(st.tuples(st.sampled_from(NAMES) | st.text(), st.sampled_from(VALUES) | st.text())),
    st.integers(0, 3),
)
def test_any_text(pairs: list[tuple[str, str]], columns: int) -> None:
    any_outcome(given_text(serialize_form([("version", "1"), ("field", "href"), *pairs])), columns)
    any_outcome(given_text(serialize_form([("version", "1"), *pairs])), columns)


def test_damaged_jobs() -> None:
    """Bytes are changed, removed, added and moved: the result is a job, or an error."""
    source = random.Random(13)
    whole = [pickled(job) for job in JOBS if len(pickled(job)) < 1000]
    parts = [b"\x80", b"\x05", b"\x95", b"\x94", b"\x8c", b"\xff", *(bytes([c]) for c in b"}Xs.cR&=%")]
    read = 0
    for _ in range(20_000):
        data = bytearray(source.choice(whole))
        for _ in range(source.choice((1, 1, 2, 5))):
            at = source.randrange(len(data) + 1)
            kind = source.randrange(4)
            if kind == 0:
                data[at : at + 1] = source.randbytes(1)
            elif kind == 1:
                del data[at : at + source.choice((1, 1, 8, 100))]
            elif kind == 2:
                data[at:at] = source.choice(parts)
            else:
                other = source.choice(whole)
                data[at:] = other[source.randrange(len(other)) :]
        read += any_outcome(bytes(data), source.choice((1, 1, 2)))
    # Such as one whose key has changed.
    assert 100 < read < 10_000
    for size in (0, 1, 2, 10, 100, 1000, 100_000):
        for _ in range(20):
            assert not any_outcome(source.randbytes(size), 1)


@pytest.mark.long
def test_deep_and_long() -> None:
    """A long text needs no deep stack, and only linear time."""
    for text in (
        "[" * 10**6,
        json.dumps([[1]] * 10**5),
        "a=" * 10**6,
        "&" * 10**6,
        "version=1&" + "field=href&" * 10**5,
    ):
        with pytest.raises(ValueError, match=r"job|fields"):
            evaluate(given_text(text))
    key = "%" * 10**6
    assert _jobs.read(pickled({"fields": ("query_get",), "key": key}))["key"] == key
    assert URL(_jobs.checked({"fields": ("href",), "base": "HTTP://h/" + "a" * 10**6}, 1)["base"]).scheme == "http"
