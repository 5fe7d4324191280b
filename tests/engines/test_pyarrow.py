"""Functions of pyarrow's arrays give what the scalar API gives."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pytest
from rows import (
    ARGUMENTS,
    GROUPS,
    KEYS,
    PARTS,
    PATTERN,
    ROUTES,
    ROWS,
    SCALAR,
    check_examples,
    encoded,
    extracted,
    joined,
    matching,
    routed,
    scalar,
    structs,
    valid,
    values,
)
from support.fields import FIELDS

import weburl.ext.pyarrow as ext
from weburl import InvalidURL
from weburl.bulk import route_many
from weburl.crawl import CrawlPolicy, canonicalize, fingerprint
from weburl.percent import percent_decode_text

ARRAYS: dict[str, Callable[[list[str | None]], Any]] = {
    "string": lambda rows: pa.array(rows, pa.string()),
    "large_string": lambda rows: pa.array(rows, pa.large_string()),
    "string_view": lambda rows: pa.array(rows, pa.string_view()),
    "dictionary": lambda rows: pa.array(rows, pa.string()).dictionary_encode(),
    "binary": lambda rows: pa.array(rows, pa.string()).cast(pa.binary()),
    "large_binary": lambda rows: pa.array(rows, pa.string()).cast(pa.large_binary()),
    "binary_view": lambda rows: pa.array([*map(encoded, rows)], pa.binary_view()),
    "slice": lambda rows: pa.array(["x", "y", "z", *rows, "w"])[3:-1],
    "chunks": lambda rows: pa.chunked_array([rows[:5], [], rows[5:6], rows[6:]], pa.string()),
    "slice of chunks": lambda rows: pa.chunked_array([["x", *rows[:5]], rows[5:]], pa.string())[1:],
    "no chunk": lambda rows: pa.chunked_array([rows] if rows else [], pa.string()),
}


@pytest.fixture(params=ARRAYS)
def make(request: pytest.FixtureRequest) -> Callable[[list[str | None]], Any]:
    return ARRAYS[request.param]


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    """Arrow's functions cannot be registered twice in a process."""
    ext.register()


def rows_of(result: Any, like: Any) -> list[Any]:
    """The rows of a valid array of the same kind as the input's."""
    result.validate(full=True)
    assert isinstance(result, pa.ChunkedArray) == isinstance(like, pa.ChunkedArray)
    rows: list[Any] = result.to_pylist()
    return rows


@pytest.mark.parametrize("name", SCALAR)
def test_functions(name: str, make: Callable[[list[str | None]], Any]) -> None:
    for rows in (ROWS, []):
        array = make(rows)
        result = getattr(ext, f"url_{name}")(array, *ARGUMENTS.get(name, ()))
        assert rows_of(result, array) == scalar(SCALAR[name], rows)


@pytest.mark.parametrize("part", PARTS)
def test_parse_url(part: str, make: Callable[[list[str | None]], Any]) -> None:
    for rows in (ROWS, []):
        array = make(rows)
        assert rows_of(ext.parse_url(array, part.lower()), array) == scalar(PARTS[part], rows)


def test_parse_url_with_a_key() -> None:
    array = pa.array(ROWS)
    assert ext.parse_url(array, "QUERY", "q").to_pylist() == scalar(SCALAR["param"])
    with pytest.raises(ValueError, match="a key goes with QUERY, not with 'HOST'"):
        ext.parse_url(array, "HOST", "q")
    with pytest.raises(ValueError, match=r"part must be one of HOST, .*, not 'PORT'"):
        ext.parse_url(array, "PORT")


def test_parse(make: Callable[[list[str | None]], Any]) -> None:
    array = make(ROWS)
    assert rows_of(ext.url_parse(array, FIELDS), array) == structs()
    assert rows_of(ext.url_parse(array, FIELDS, views=True), array) == structs()
    assert ext.url_parse(array, ["error"]).type == pa.struct({"error": pa.dictionary(pa.int8(), pa.string())})


def test_query(make: Callable[[list[str | None]], Any]) -> None:
    array = make(ROWS)
    assert rows_of(ext.url_query(array, KEYS), array) == values()
    assert rows_of(ext.url_query(array, KEYS, views=True), array) == values()
    assert rows_of(ext.url_query(make([]), KEYS), make([])) == []


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"])
def test_views_are_into_the_column(kind: str) -> None:
    """What a URL has in its text is not copied; the arrays live as long as the views."""
    rows = [
        f"https://a-host-with-a-name-of-its-own-{number}.example.co.uk/a-long-path?a=a-long-value"
        for number in range(5000)
    ]
    # One row whose parts are elsewhere, as they are changed.
    column = ARRAYS[kind]([*rows, "HTTPS://A-HOST-WITH-A-NAME-OF-ITS-OWN.EXAMPLE/A/../LONGER-PATH?A=B"])
    given = [(buffer.address, buffer.address + buffer.size) for buffer in column.buffers()[1:]]
    for result in (
        ext.url_hostname(column, views=True),
        ext.url_path(column, views=True),
        ext.url_normalize(column, views=True),
        ext.url_parse(column, ["registrable_domain"], views=True).field(0),
        ext.url_query(column, ["a"], views=True).field(0),
    ):
        assert result.type == pa.string_view()
        # The C interface appends the sizes of the buffers to them; pyarrow does not show these.
        data = result.buffers()[2:]
        shared = [one for one in data if any(begin <= one.address < end for begin, end in given)]
        copied = sum(one.size for one in data if one not in shared)
        assert shared
        assert copied < 200
    expected = result.to_pylist()
    del column
    assert result.to_pylist() == expected


def test_policies() -> None:
    array = pa.array(ROWS)
    policy = CrawlPolicy(remove_www=True, name="own")
    assert ext.url_canonicalize(array, policy).to_pylist() == scalar(lambda url: canonicalize(url, policy))
    found = ext.url_fingerprint(array, policy)
    assert found.type == pa.uint64()
    assert found.to_pylist() == scalar(lambda url: fingerprint(url, policy))


def test_parse_column() -> None:
    table = pa.table({"n": range(len(ROWS)), "url": pa.chunked_array([ROWS[:9], ROWS[9:]])})
    parsed = ext.parse_column(table, "url", ["hostname", "error"])
    assert parsed.column_names == ["n", "url", "url_hostname", "url_error"]
    assert parsed["url_hostname"].to_pylist() == scalar(SCALAR["hostname"])
    assert parsed["url_error"].is_valid().to_pylist() == [ok is False for ok in valid()]
    assert parsed["n"].equals(table["n"])
    with pytest.raises(KeyError):
        ext.parse_column(table, "nonsense")


def test_parse_column_of_batches_and_streams() -> None:
    """The other columns, their metadata and their batches are kept."""
    field = pa.field("n", pa.int64(), nullable=False, metadata={"a": "b"})
    schema = pa.schema([field, pa.field("url", pa.large_binary())], {"c": "d"})
    texts = pa.array(ROWS, pa.large_string()).cast(pa.large_binary())
    table = pa.Table.from_arrays([pa.array(range(len(ROWS))), texts], schema=schema)
    fields = ["hostname", "error", "host_type"]
    whole = ext.parse_column(table, "url", iter(fields))
    assert whole.column_names == ["n", "url", "url_hostname", "url_error", "url_host_type"]
    assert (whole.schema.metadata, whole.schema.field("n")) == (schema.metadata, field)
    assert whole["url_hostname"].to_pylist() == scalar(SCALAR["hostname"])
    batches = table.to_batches(max_chunksize=700)
    for batch in (*batches, batches[0].slice(3, 50), batches[0].slice(0, 0)):
        part = ext.parse_column(batch, "url", fields, threads=1)
        part.validate(full=True)
        assert isinstance(part, pa.RecordBatch)
        begin = batch["n"][0].as_py() if len(batch) else 0
        assert pa.Table.from_batches([part]).equals(whole.slice(begin, len(batch)), check_metadata=True)
    read: list[int] = []

    def rows() -> Any:
        for number, batch in enumerate(batches):
            read.append(number)
            yield batch

    reader = ext.parse_column(pa.RecordBatchReader.from_batches(schema, rows()), "url", iter(fields))
    assert isinstance(reader, pa.RecordBatchReader)
    # As it is read.
    assert read == []
    first = reader.read_next_batch()
    assert (len(first), read) == (700, [0])
    assert pa.Table.from_batches([first, *reader]).equals(whole, check_metadata=True)

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return table.__arrow_c_stream__(requested_schema)

    assert ext.parse_column(Stream(), "url", fields).read_all().equals(whole, check_metadata=True)
    for wrong, base, error in (
        (("nonsense",), None, KeyError),
        (("url", ["nonsense"]), None, ValueError),
        (("url", None), "no base", InvalidURL),
    ):
        with pytest.raises(error):
            ext.parse_column(Stream(), *wrong, base=base)


def test_valid(make: Callable[[list[str | None]], Any]) -> None:
    array = make(ROWS)
    assert rows_of(ext.url_can_parse(array), array) == valid()


def test_join(make: Callable[[list[str | None]], Any]) -> None:
    refs = [*ROWS[1:], "../x"]
    array = make(refs)
    assert rows_of(ext.url_join(pa.array(ROWS), array), array) == joined(ROWS, refs)
    base = "https://base.example/a/b"
    assert rows_of(ext.url_join(base, array), array) == joined([base] * len(refs), refs)


def test_base_and_options() -> None:
    array = pa.array(ROWS)
    base = "https://base.example/a/b"
    assert ext.url_normalize(array, base, threads=1).to_pylist() == scalar(SCALAR["normalize"], base=base)
    assert ext.url_registrable_domain(array, base=base).to_pylist() == scalar(SCALAR["registrable_domain"], base=base)
    with pytest.raises(InvalidURL, match="no URL"):
        ext.url_hostname(array, on_error="raise")


def test_percent_decode() -> None:
    expected = [None if row is None else percent_decode_text(row) for row in ROWS]
    assert ext.url_percent_decode(pa.array(ROWS)).to_pylist() == expected
    assert ext.url_percent_decode(pa.array(["%ff", "%41"]), errors="strict").to_pylist() == [None, "A"]


def test_ill_formed_utf8() -> None:
    data = b"http://a/\xffhttp://\xc3\xa9/\xc3"
    offsets = pa.array([0, 10, len(data)], pa.int32()).buffers()[1]
    array = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(data))
    assert rows_of(ext.url_normalize(array), array) == ["http://a/%EF%BF%BD", "http://xn--9ca/%EF%BF%BD"]


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="must be a column of strings"):
        ext.url_hostname(pa.array([1]))


def test_register_without_the_public_suffix_list() -> None:
    """The functions are there; those that need the package say so when they are called."""
    script = """if True:
        import sys
        sys.modules["publicsuffixlist"] = None
        import pyarrow as pa, pyarrow.compute as pc
        from weburl.ext.pyarrow import register
        register()
        urls = pa.array(["https://a.example.com/"])
        assert pc.call_function("url_hostname", [urls]).to_pylist() == ["a.example.com"]
        try:
            pc.call_function("url_registrable_domain", [urls])
        except ImportError as error:
            assert "publicsuffixlist" in str(error)
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", script], check=True)


def test_compute_functions() -> None:
    array = pa.array(ROWS)
    for name in ("hostname", "path", "normalize", "registrable_domain"):
        assert pc.call_function(f"url_{name}", [array]).to_pylist() == scalar(SCALAR[name])
    assert pc.call_function("url_can_parse", [pa.chunked_array([ROWS[:7], ROWS[7:]])]).to_pylist() == valid()
    assert pc.call_function("url_join", [array, array]).to_pylist() == joined(ROWS, ROWS)
    base = "https://base.example/a/b"
    for column in (array, pa.chunked_array([ROWS[:7], ROWS[7:]])):
        found = pc.call_function("url_join", [pa.scalar(base), column])
        assert found.to_pylist() == joined([base] * len(ROWS), ROWS)
    assert pc.call_function("url_hostname", [pa.scalar("http://a:80/")]).as_py() == "a"
    table = ds.dataset(pa.table({"url": array})).to_table(
        columns={"host": pc.field("url")._call("url_hostname", [pc.field("url")])}
    )
    assert table["host"].to_pylist() == scalar(SCALAR["hostname"])


def test_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ext, "register", lambda: None)
    check_examples("pyarrow")


def test_patterns(make: Callable[[list[str | None]], Any]) -> None:
    array = make(ROWS)
    base = "https://www.example.com/books/"
    assert rows_of(ext.url_pattern_test(array, PATTERN), array) == matching()
    assert rows_of(ext.url_pattern_extract(array, PATTERN, GROUPS, base=base), array) == extracted(base=base)
    assert rows_of(ext.url_pattern_extract(array, PATTERN, GROUPS, views=True), array) == extracted()
    assert rows_of(ext.url_route(array, ROUTES), array) == routed()
    assert rows_of(ext.url_route(array, dict(ROUTES), base=base), array) == routed(base=base)
    assert rows_of(ext.url_route(make([]), ROUTES), make([])) == []
    table = route_many(array, ROUTES).to_pyarrow()
    table.validate(full=True)
    assert table.column("groups").type == pa.map_(pa.large_string(), pa.large_string())
    assert [dict(groups or ()) for groups in table.column("groups").to_pylist()] == [
        {}
        if row is None or (found := ROUTES.first(row)) is None
        else {name: text for name, text in found[1].groups.items() if text is not None}
        for row in ROWS
    ]
