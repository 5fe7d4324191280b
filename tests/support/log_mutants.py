"""Lines of logs that were changed, and what must hold for each: it gives rows, each a URL or a reason."""

from __future__ import annotations

import json
from random import Random

from support.command import run, run_for_bytes
from support.log_lines import Sample

PIECES = (
    '"', '""', "\\", '\\"', "\\x2", "\\u00", "\\ud800", " ", "  ", "\t", "-", "[", "]", "{", "}", ":", ",", "=", "/",
    "//", "*", "?", "#", "#Fields: ", "\x00", "\x7f", "é", "\ufeff", "http://", "CONNECT ", "OPTIONS * ", "null", "1e9",
    "::1", '"a":', '{"key":"url.full","value":{}}', "443", "\u2028",
)  # fmt: skip


def mutated(random: Random, sample: Sample) -> bytes:
    """A line of a sample with up to four changes, which may be none."""
    line = random.choice((*sample.head[-1:], *sample.lines)).encode()
    for _ in range(random.randrange(5)):
        begin = random.randrange(len(line) + 1)
        end = begin + random.choice((0, 0, 1, 1, 2, random.randrange(40)))
        kind = random.randrange(4)
        if kind == 0:
            change = random.choice(PIECES).encode()
        elif kind == 1:
            change = random.randbytes(random.randrange(4))
        elif kind == 2:
            other = random.choice(sample.lines).encode()
            at = random.randrange(len(other))
            change = other[at : at + random.randrange(30)]
        else:
            change = line[begin:end] * random.randrange(3)
        line = line[:begin] + change + line[end:]
    return line.replace(b"\n", b"")


def check_lines(sample: Sample, lines: list[bytes], random: Random) -> None:
    """Reads and redacts the lines: no line is lost, and what is not read has a reason with a place in it."""
    head = "".join(f"{line}\n" for line in sample.head).encode()
    data = head + b"".join(line + random.choice((b"\n", b"\r\n")) for line in lines)
    base = ["--base", "http://h"] if sample.base or random.random() < 0.5 else []
    ended = run(
        "--log", sample.format, *base, "--json", "--keep=status,bytes,method,time", "-g", "{href} {error}",
        stdin=data,
    )  # fmt: skip
    rows = [json.loads(line) for line in ended.lines]
    assert ended.status == 0, ended.err
    assert all((row["href"] is None) == (row["error"] is not None) for row in rows)
    checked = run("check", "--failures", "--json", "--log", sample.format, *base, stdin=data)
    wrong = [json.loads(line) for line in checked.lines]
    assert len(wrong) == sum(row["error"] is not None for row in rows)
    texts = data.split(b"\n")
    for each in wrong:
        assert each["message"]
        text = texts[each["line"] - 1].decode("utf-8", "replace")
        if each["name"] == "invalid-record":
            assert 1 <= each["column"] <= len(text) + 1
    count = sum(bool(line.strip(b"\r")) and not (sample.format == "w3c" and line.startswith(b"#")) for line in lines)
    if sample.format != "otlp":
        blank = sum(not line.strip(b" \t\r") and bool(line.strip(b"\r")) for line in lines)
        assert count - blank <= len(rows) <= count
    status, out, _ = run_for_bytes("redact", "--log", sample.format, stdin=data)
    assert status in (0, 1)
    assert out.count(b"\n") == data.count(b"\n")
