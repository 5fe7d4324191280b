"""weburl redact --field, --column and --log: no secret passes; what is not a record is redacted as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from time import monotonic
from typing import NamedTuple

import pytest
from test_cli_redact_values import run

from weburl import URL
from weburl.redact import redact, redactions
from weburl.text import redact_text

# Each secret of an addressed URL begins and ends with one of these.
BEGIN, END = "Qx9Begin", "Qx9End"
OTHERS = ("https://u:p@other.example/?token=q8ZxQ1", "x", "level", "5 disk")
ENDS = (b"\n", b"\r\n")


def secret(random: Random, more: str) -> str:
    return BEGIN + "".join(random.choices(f" \"'é,;:=x<>{{}}[]|\u2028{more}", k=random.randrange(8))) + END


def url(random: Random, more: str = "") -> str:
    """A URL with two secrets, or a text without one."""
    kind = random.randrange(5)
    if kind == 0:
        return random.choice(("", "plain text", "https://h.example/?page=2", "é", 'say "hi"'))
    target = f"/{random.choice(('', 'a/b', 'x y'))}?page=1&token={secret(random, more)}&z=1"
    return target if kind == 1 else f"https://u:{secret(random, '')}@h.example{target}"


def expected(value: str) -> str:
    """What the value becomes: a text ends where a URL goes on, and then it is redacted as a URL."""
    is_path = value.startswith("/") and "?" not in value
    text = redact_text(value + "?" * is_path).removesuffix("?") if is_path else redact_text(value)
    if (value.startswith("/") or URL.can_parse(value)) and any(redactions(text).values()):
        return redact_text(redact(value))
    return text


class Line(NamedTuple):
    """A line, and the places of its values; None if it is not a record."""

    data: bytes
    places: list[tuple[int, int]] | None


def joined(*parts: str, values: tuple[int, ...]) -> Line:
    """A line of parts, of which some are values."""
    data = b""
    places = []
    for number, part in enumerate(parts):
        if number in values:
            places.append((len(data), len(data) + len(part.encode())))
        data += part.encode()
    return Line(data, places)


def json_text(random: Random, value: str) -> str:
    text = json.dumps(value, ensure_ascii=random.random() < 0.5)[1:-1]
    if random.random() < 0.3:
        text = text.replace("/", "\\/")
    while random.random() < 0.2 and text.count("h"):
        text = text.replace("h", "\\u0068", 1)
    return text


def json_lines(random: Random) -> Line:
    value, other = (json_text(random, text) for text in (url(random, "\\\n\t"), random.choice(OTHERS)))
    kind = random.randrange(8)
    if kind == 0:
        whole = f'{{"url":"{value}"}}'
        broken = (
            f"[{whole}]",
            f"data: {whole}",
            f"\x1e{whole}",
            whole[:-1],
            f'{{"url":"{value}",}}',
            f"url={other} x=1",
        )
        return Line(random.choice(broken).encode(), None)
    digits = "7" * random.choice((1, 5000))
    if kind == 1:
        return joined(
            '{"n":' + digits + ',"url":["', value, '",[{"k":"', value, '"}]],"o":"' + other + '"}', values=(1, 3)
        )
    space = random.choice(("", " ", "\t"))
    before = f'{space}{{"other":"{other}",{space}"nested":{{"url":"{other}"}},"url"{space}:{space}"'
    return joined(before, value, f'"{space},"n":{digits}}}', values=(1,))


def logfmt(random: Random) -> Line:
    def quoted(text: str) -> str:
        return text.replace("\\", "\\\\").replace('"', '\\"')

    value, other = url(random), random.choice(OTHERS)
    kind = random.randrange(6)
    if kind == 0:
        broken = ('a="x"b url="', 'data: url="', '{"a" url="', '"x" url="')
        return Line(f'{random.choice(broken)}{quoted(value)}" n="{quoted(other)}"'.encode(), None)
    if kind == 1:
        return Line(f'msg="url={quoted(other)}" flag'.encode(), [])
    return joined(
        f'level=info xurl="{quoted(other)}" flag url="', quoted(value), f'" url2="{quoted(other)}"', values=(1,)
    )


def log(random: Random) -> Line:
    def escaped(text: str) -> str:
        text = text.replace("\\", "\\\\").replace('"', random.choice(('\\"', "\\x22")))
        return re.sub("[\x00-\x1f]", lambda match: f"\\x{ord(match[0]):02x}", text)

    value, other = escaped(url(random, "\n\\").replace("é", "e")) or "/", escaped(random.choice(OTHERS))
    begin = f'10.0.0.7 - {"u"} [22/Nov/2026:10:00:00 +0000] "GET '
    kind = random.randrange(6)
    if kind == 0:
        return Line(random.choice((begin + value, value, f'{begin}{value}" 200', "[" + value)).encode(), None)
    referrer = escaped(url(random, "\\"))
    return joined(begin, value, ' HTTP/1.1" 200 5 "', referrer, f'" "{other}"', values=(1, 3))


LINES: dict[str, tuple[list[str], Callable[[Random], Line], str]] = {
    "JSON": (["--field", "url", "--input", "jsonl"], json_lines, '{"url":""}'),
    "JSON that shows": (["--field", "url"], json_lines, '{"url":"x"}'),
    "logfmt": (["--field", "url"], logfmt, "url=x"),
    "combined": (["--log", "combined"], log, ""),
}


def decoded(name: str, value: bytes) -> str:
    if name.startswith("JSON"):
        return str(json.loads(b'"' + value + b'"'))
    text = value.decode()
    if name == "combined":
        text = re.sub(r"\\x([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), text.replace("\\\\", "\\x5c"))
    return re.sub(r'\\(["\\])', r"\1", text)


def check_value(name: str, before: bytes, after: bytes) -> None:
    text = decoded(name, before)
    assert decoded(name, after) == expected(text)
    if expected(text) == text:
        assert after == before


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("seed", range(6))
def test_lines(name: str, seed: int) -> None:
    random = Random(f"{name} {seed}")
    options, make, head = LINES[name]
    # The first line decides what the others are.
    lines = [Line(head.encode(), [])] * bool(head) + [make(random) for _ in range(80)]
    ends = [random.choice(ENDS) for _ in lines]
    mark = random.choice((b"", b"\xef\xbb\xbf"))
    data = mark + b"".join(line.data + end for line, end in zip(lines, ends, strict=True))
    ended = run(*options, stdin=data)
    shown = ended.out.removeprefix(mark).split(b"\n")
    assert len(shown) == len(lines) + 1
    assert sum(line.places is None for line in lines) in range(3, 60)
    for line, end, after in zip(lines, ends, shown[:-1], strict=True):
        if line.places is None:
            assert after + b"\n" == redact_text(line.data + end)
            continue
        assert BEGIN.encode() not in after
        assert END.encode() not in after
        # From the end, the other bytes are equal, and between them are the values.
        at, copied, rest = 0, 0, [*line.places, (len(line.data), len(line.data))]
        for number, (begin, stop) in enumerate(rest):
            between = line.data[copied:begin]
            assert after[at : at + len(between)] == between
            at, copied = at + len(between), stop
            if number < len(line.places):
                following = line.data[stop : rest[number + 1][0]] + end * (number + 2 == len(rest))
                value_end = after.find(following.removesuffix(b"\n"), at)
                assert value_end >= 0
                check_value(name, line.data[begin:stop], after[at:value_end])
                at = value_end
    # What the reader of other commands finds is the same before and after.
    if not any("JSON" in name and b"[" in line.data for line in lines) and name != "logfmt":
        reader = [*options, "-g", "{redacted}", *(["--base", "http://h/"] if name == "combined" else [])]
        assert run(*reader, stdin=data, command="").out == run(*reader, stdin=ended.out, command="").out


# CSV: which records there are, one character after the other. This takes quadratic time.


def record_end(data: bytes, begin: int, delimiter: bytes) -> tuple[int, list[tuple[int, int]]]:
    """Where a record ends, and its cells; -1 if it is none."""
    cells = []
    place = begin
    while True:
        cell = place
        if data[place : place + 1] == b'"':
            place = cell = place + 1
            while data[place : place + 2] == b'""' or (place < len(data) and data[place : place + 1] != b'"'):
                place += 1 + (data[place : place + 2] == b'""')
            cells.append((cell, place))
            if place == len(data):
                return -1, cells
            place += 1
        else:
            while place < len(data) and data[place : place + 1] not in (delimiter, b"\n", b"\r"):
                place += 1
            cells.append((cell, place))
        if data[place : place + 1] == delimiter:
            place += 1
        elif place == len(data) or data[place : place + 1] == b"\n":
            return min(place + 1, len(data)), cells
        else:
            return (place + 2 if data[place : place + 2] == b"\r\n" else -1), cells


def records(data: bytes, delimiter: bytes) -> list[tuple[bytes, list[tuple[int, int]] | None]]:
    found: list[tuple[bytes, list[tuple[int, int]] | None]] = []
    begin = 0
    while begin < len(data):
        end, cells = record_end(data, begin, delimiter)
        if end < 0:
            end = data.find(b"\n", begin) + 1 or len(data)
            found.append((data[begin:end], None))
        else:
            found.append((data[begin:end], [(cell - begin, stop - begin) for cell, stop in cells]))
        begin = end
    return found


@pytest.mark.parametrize("name", ["csv", "tsv"])
@pytest.mark.parametrize("seed", range(12))
def test_records(name: str, seed: int) -> None:
    random = Random(f"{name} {seed}")
    comma = {"csv": ",", "tsv": "\t"}[name]

    def cell(text: str) -> str:
        if random.random() < 0.5 or any(c in text for c in f'"{comma}\r\n'):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = []
    for _ in range(60):
        row = [cell(random.choice((*OTHERS, '5" disk'))) for _ in range(3)]
        row[1:1] = [cell(url(random, f"{comma}\n"))]
        row.append(cell(url(random)))
        kind = random.randrange(12)
        if kind == 0:
            row.insert(random.randrange(4), random.choice(('"', '"x', '"abc"x', "a\rb", '5" x', '"""')))
        elif kind == 1:
            del row[1:]
        elif kind == 2:
            row = [""]
        lines.append(comma.join(row).encode() + random.choice(ENDS))
    head = comma.join(("id", "url", "note", "more", "url")).encode() + b"\n"
    mark = random.choice((b"", b"\xef\xbb\xbf"))
    data = head + b"".join(lines)
    options = ["--column", "url", "--input", name]
    ended = run(*options, stdin=mark + data)
    assert ended.out.startswith(mark + head)
    out = ended.out.removeprefix(mark)
    before, after = records(data, comma.encode()), records(out, comma.encode())
    assert len(before) == len(after)
    for (record, cells), (shown, places) in zip(before[1:], after[1:], strict=True):
        if record.strip(b"\r\n") and (cells is None or len(cells) < 5):
            assert shown == redact_text(record)
            continue
        assert cells is not None
        assert places is not None
        assert len(cells) == len(places)
        for number, ((begin, stop), (first, last)) in enumerate(zip(cells, places, strict=True)):
            old, new = record[begin:stop], shown[first:last]
            if number in (1, 4):
                # A record that is broken can end within a URL.
                if old.count(BEGIN.encode()) == old.count(END.encode()):
                    assert BEGIN.encode() not in new
                    assert END.encode() not in new
                is_quoted = record[begin - 1 : begin] == b'"' and begin > 0
                text = (old.replace(b'""', b'"') if is_quoted else old).decode()
                assert (new.replace(b'""', b'"') if is_quoted else new).decode() == expected(text)
            else:
                assert old == new
        assert re.sub(rb"[^,\t\"\r\n]", b"", shown[places[-1][1] :]) == record[cells[-1][1] :]
    # However the file is cut, and as the reader of other commands has it.
    reader = ["--input", name, "--column", "url", "-g", "{redacted}"]
    assert run(*reader, stdin=mark + data, command="").out == run(*reader, stdin=ended.out, command="").out
    # If records are too long, no secret passes that a text shows.
    short = run(*options, "--max-line", "150", stdin=data).out
    assert redact_text(short) == short or b'"' in data
    assert short.count(b"\n") <= data.count(b"\n")


def test_records_that_are_too_long_are_counted() -> None:
    """A value that only its place shows is not found in a text."""
    attribute = b'{"key":"%s","value":{"stringValue":"%s"}}'
    pairs = attribute % (b"url.path", b"/"), attribute % (b"url.query", b"token=q8Zx")
    span = b'{"attributes":[%s]}' % b",".join(pairs)
    line = b'{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}\n'
    data = [line % b",".join([span] * count) for count in (1, 20, 30)]
    limit = str(len(data[0]))
    hidden = b"".join(data).replace(b"q8Zx", b"REDACTED")
    assert run("--log", "otlp", stdin=b"".join(data)) == (0, hidden, "51 secrets (name: 51)\n")
    for given, said in ((data, "2 records are"), (data[:2], "1 record is")):
        ended = run("--log", "otlp", "--max-line", limit, stdin=b"".join(given))
        assert ended.status == 0
        assert ended.err.splitlines()[1].startswith(f"weburl: {said} longer than --max-line: ")
        assert ended.err.endswith(" redacted as text\n")
    # Also if no record could be read.
    ended = run("--log", "otlp", "--max-line", limit, stdin=data[1])
    assert (ended.status, ended.err.count("longer than --max-line")) == (1, 1)


@pytest.mark.timed
@pytest.mark.parametrize("line", ['"\n', '""x\n', 'a,"\n', '"a\n"b\n', "a\n", '"",""\n', 'a"b\n'])
@pytest.mark.parametrize("limit", ["100", "1M", "0"])
def test_open_quotes_take_linear_time(line: str, limit: str) -> None:
    data = b'a,b\n"x\n' + line.encode() * (300_000 // len(line)) + b'"y\n'
    begin = monotonic()
    ended = run("--column", "1", "--max-line", limit, stdin=data)
    assert ended.out == data
    # Quadratic time would be minutes.
    assert monotonic() - begin < 30


def test_headers_that_cannot_be_read() -> None:
    ended = run("--column", "url", stdin=b'id,"url\n1,https://u:p@h/\n')
    assert (ended.status, ended.out) == (1, b"")
    assert "there is no column 'url': the header cannot be read: a quote or a carriage return is wrong" in ended.err
    ended = run("--column", "url", "--max-line", "9", stdin=b"id,url,more\n1,https://u:p@h/\n")
    assert (ended.status, ended.out) == (1, b"")
    assert "there is no column 'url': the header cannot be read: it has more than 9 bytes (--max-line)" in ended.err
    assert run("--column", "2", stdin=b'id,"url\n1,https://u:p@h/\n').out.endswith(b"1,https://REDACTED:REDACTED@h/\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--input", "tsv", "--field", "a"], "--input tsv is for --column, which says which values are redacted"),
        (["--input", "csv"], "--input csv is for --column"),
        (["--input", "jsonl", "--column", "a"], "--input jsonl is for --field"),
    ],
)
def test_formats_that_do_not_fit(options: list[str], message: str) -> None:
    ended = run(*options, stdin=b"")
    assert ended.status == 2
    assert message in ended.err


def test_the_format_is_that_of_the_name(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "q.tsv").write_bytes(b"a,b\turl\n1\thttps://u:p@h/\n")
    ended = run("--column", "url", str(folder / "q.tsv"))
    assert (ended.status, ended.out) == (0, b"a,b\turl\n1\thttps://REDACTED:REDACTED@h/\n")
    assert "no record" not in ended.err
    # A file of JSON lines has no line of logfmt, not even before the first object.
    line = b"url=x other=https://u:p@h/\n"
    (folder / "a.jsonl").write_bytes(line)
    assert b"u:p" not in run("--field", "url", str(folder / "a.jsonl")).out
    assert run("--field", "url", stdin=line).out == line
    # In a file with an object, other lines are texts; and before a line with the field.
    assert b"u:p" not in run("--field", "url", stdin=b"{}\n" + line).out
    assert b"u:p" not in run("--field", "url", stdin=b"other=https://u:p@h/\n").out
    # What several files were joined to can have the mark in it.
    assert b"u:p" not in run("--field", "url", stdin=b"url=x\n\xef\xbb\xbfurl=https://u:p@h/\n").out


OF_NGINX = '$remote_addr "$request" $status $body_bytes_sent "$http_user_agent"'


@pytest.mark.parametrize("format", ["common", "combined", OF_NGINX])
def test_a_quote_that_was_not_escaped_moves_no_secret_out_of_the_log(format: str) -> None:
    """Where the status is, there is then a part of the request."""
    random = Random(format)
    for _ in range(100):
        before, after = random.choice(("", "x", "x y")), random.choice(("", "b", "b/c", "7x"))
        target = f'/?a={before}" {after}?page=1&token={BEGIN}{END}'
        rest = '"-" "-"' if format == "combined" else '"-"' * format.startswith("$")
        start = "h" if format.startswith("$") else "h - - [22/Nov/2026:10:00:00 +0000]"
        line = f'{start} "GET {target} HTTP/1.1" 200 5 {rest}'.rstrip().encode() + random.choice(ENDS)
        assert run("--log", format, stdin=line).out == redact_text(line)
        assert BEGIN.encode() not in redact_text(line)
    for numbers in ("200 -", "- 5", "000 0", "200 5 more"):
        line = f'h - - [x] "GET /?token={BEGIN}" {numbers}\n'.encode()
        assert run("--log", "common", stdin=line).out == line.replace(BEGIN.encode(), b"REDACTED")


def test_a_space_or_a_quote_in_a_target_of_envoy_moves_no_secret_out_of_the_log() -> None:
    """Where the status or the version is, there is then a part of the target."""
    random = Random(1)
    for _ in range(100):
        cut = random.choice((" ", '" ', '" "', ' "'))
        target = f"/?a={random.choice(('', 'x'))}{cut}{random.choice(('', 'b'))}?page=1&token={BEGIN}{END}"
        rest = '- 0 5 1 1 "-" "agent" "id" "h.example" "1.2.3.4:80"'
        line = f'[2026-11-22T10:00:00.000Z] "GET {target} HTTP/1.1" 200 {rest}'.encode() + random.choice(ENDS)
        ended = run("--log", "envoy", stdin=line)
        assert BEGIN.encode() not in ended.out
        assert ended.out == redact_text(line)
