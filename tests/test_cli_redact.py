"""weburl redact: that only secrets change, wherever a text is cut, and what is written where."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest
from support import log_texts, secret_texts
from support.missing import noticing
from support.waiting import wait_for

from weburl._redact import stream
from weburl.cli import main
from weburl.cli.readers import byte_stream
from weburl.cli.redacting import mirror, totals
from weburl.text import explain_redaction, redact_text

# Hides nothing but credentials of URLs.
NOTHING = "LogPolicy(exact_names={'no-such-name'})"
LOG = (
    b"\xef\xbb\xbfGET /?token=q8Zx HTTP\r\n\0\xff https://u:p@h/\r\r\n\n"
    b'{"Cookie":\n\t"a=q8Zx1"}\xe2\x82 /?a=b#token=q9Zx'
)
REDACTED = redact_text(LOG)


class Ended(NamedTuple):
    status: int
    out: bytes
    err: str


def run(*arguments: str, stdin: bytes = b"") -> Ended:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin))
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", given), noticing():
        status = main(["redact", *arguments])
    assert isinstance(out.buffer, io.BytesIO)
    return Ended(status, out.buffer.getvalue(), err.getvalue())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log").write_bytes(LOG)
    return tmp_path


def test_only_secrets_change(folder: Path) -> None:
    assert REDACTED.count(b"REDACTED") == 5
    ended = run("log")
    assert (ended.status, ended.out) == (0, REDACTED)
    assert ended.err == "5 secrets (name: 3, credentials: 2)\n"
    assert run(stdin=LOG).out == run("-", stdin=LOG).out == run("-o", "-", stdin=LOG).out == REDACTED
    assert run("log", "log").out == REDACTED * 2
    assert run(stdin=b"") == (0, b"", "0 secrets\n")
    (folder / "other").write_bytes(b"?token=q8Zx")
    assert run("log", "other").err == "6 secrets (name: 4, credentials: 2) in 2 of 2 files\n"


def lines_of_formats(count: int, seed: int) -> bytes:
    """Lines of thirteen formats, without what the policy that hides nothing hides."""
    lines = [line.text for line in log_texts.lines(min(count, 13_000), seed)]
    return re.sub(rb"@|\\u0040", b"", "\n".join(lines).encode()) + b"\n"


@pytest.mark.parametrize("count", [10_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_policy_that_hides_nothing_changes_no_byte(count: int, folder: Path) -> None:
    """Thirteen formats, and random bytes, with line ends of all kinds."""
    random = Random(count)
    data = lines_of_formats(count, count) * max(1, count // 13_000)
    assert data.count(b"\n") >= count
    others = [random.randbytes(random.randint(1, 3000)) for _ in range(count // 1000)]
    noise = b"x" + b"".join(random.choice((b"\n", b"\r\n", b"\0", b" ")) + other for other in others)
    for text in (data, data[:-1], data.replace(b"\n", b"\r\n"), re.sub(rb"@|%40|\\", b"", noise), noise[:-1] + b"\r"):
        (folder / "file").write_bytes(text)
        ended = run("--log-policy", NOTHING, "file", "-o", "out")
        assert ended.status == 0
        assert (folder / "out").read_bytes() == (text if b"@" not in text else redact_text(text, NOTHING))


@pytest.mark.parametrize("policy", ["logs", "logs-strict", "otel"])
def test_logs(policy: str, folder: Path) -> None:
    """What the function does with the whole text, in blocks of any size."""
    data = "\n".join(line.text for line in log_texts.lines(4000, 7)).encode()
    (folder / "file").write_bytes(data)
    for block in (1 << 21, 1000, 65_537):
        with patch.object(byte_stream, "BLOCK", block):
            assert run("--log-policy", policy, "file").out == redact_text(data, policy)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(4))
def test_any_bytes_in_any_blocks(seed: int, folder: Path) -> None:
    """Lines within --max-line are redacted whole, wherever the file is cut."""
    random = Random(seed)
    for _ in range(40):
        data = b"x" + random.choice((b"\n", b" ")).join(secret_texts.hostile(random) for _ in range(40))
        (folder / "file").write_bytes(data)
        for block in (1, 7, 64, 1 << 20):
            limit = random.choice(("0", "100K", "20"))
            with patch.object(byte_stream, "BLOCK", block):
                assert run("--max-line", limit, "file").out == redact_text(data)


def test_long_lines(folder: Path) -> None:
    """Of a word that is longer than what is held, the rest is replaced; all other secrets of the line are hidden."""
    data = b"/?token=q8Zx " * 100_000 + b"https://h/?token=" + b"d" * (3 << 20) + b" /?token=q8Zx\nb"
    (folder / "file").write_bytes(data)
    ended = run("--max-line", "64K", "file")
    assert ended.out == b"/?token=REDACTED " * 100_000 + b"https://h/REDACTED /?token=REDACTED\nb"
    assert ended.err == "100,002 secrets (name: 100,001, long: 1)\n"
    assert run("--max-line", "0", "file").out == redact_text(data)
    assert run("file").out.startswith(b"/?token=REDACTED " * 100_000)


def test_explain(folder: Path) -> None:
    ended = run("--explain", "log")
    lines = ended.out.decode().splitlines()
    assert lines[0] == "log:1:13\tname\t*token\tRFC 6749"
    expected = []
    for each in explain_redaction(LOG):
        begin = LOG.rfind(b"\n", 0, each.start) + 1
        line, column = LOG.count(b"\n", 0, begin) + 1, len(LOG[begin : each.start].decode("utf-8-sig", "replace")) + 1
        expected.append(f"log:{line}:{column}\t{each.kind}\t{each.rule}\t{each.source}")
    assert lines == expected
    for secret in ("q8Zx", "q9Zx", "u:p"):
        assert secret not in ended.out.decode() + ended.err
    assert not (folder / "out").exists()
    assert run("--explain", "log", "-o", "out").out == ended.out
    assert (folder / "out").read_bytes() == REDACTED
    assert run("--explain", "--log-policy", "otel", stdin=b"/?sig=q8Zx").out == (
        b"standard input:1:7\tname\tsig\tOpenTelemetry's conventions for URLs\n"
    )
    word = b"a" * 200_000
    assert run("--explain", "--max-line", "1K", stdin=b"x\n\n " + word).out == (
        b"standard input:3:2\tlong\tthe rest of a text of more than 64 KiB\t--max-line\n"
    )


def test_policies(folder: Path) -> None:
    data = b"GET /?gclid=q8Zx1&sig=q9Zx1&token=q7Zx1"
    assert run("--log-policy", "logs-strict", stdin=data).out == redact_text(data, "logs-strict")
    assert run("--log-policy", "otel/1", stdin=data).out == b"GET /?gclid=q8Zx1&sig=REDACTED&token=q7Zx1"
    own = "LogPolicy(exact_names={'gclid'})"
    assert run("--log-policy", own, stdin=data).out == b"GET /?gclid=REDACTED&sig=q9Zx1&token=q7Zx1"
    ended = run("--log-policy", "none", stdin=data)
    assert (ended.status, ended.out) == (2, b"")
    assert "--log-policy: policy must be logs, logs-strict, otel" in ended.err
    assert run("--log-policy", "no.toml").err == "weburl: --log-policy: no.toml: no such file or directory\n"


def test_in_place(folder: Path) -> None:
    path = folder / "log"
    path.chmod(0o640)
    assert run("log", "-o", "log") == (0, b"", "5 secrets (name: 3, credentials: 2)\n")
    assert path.read_bytes() == REDACTED
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir()) == ["log"]
    # A second time, there is nothing to hide.
    assert run("log", "-o", "log").err == "0 secrets\n"


def test_a_file_is_not_replaced_if_an_input_cannot_be_read(folder: Path) -> None:
    packed = gzip.compress(os.urandom(100_000))[:-9]
    (folder / "a.gz").write_bytes(packed)
    (folder / "out").write_text("old")
    for names in (["a.gz", "-o", "a.gz"], ["log", "a.gz", "-o", "out"], ["nothing", "-o", "out"], ["no*", "-o", "out"]):
        ended = run(*names)
        assert (ended.status, ended.out) == (3, b"")
        assert ended.err.count("\n") == 1
    assert (folder / "a.gz").read_bytes() == packed
    assert (folder / "out").read_text() == "old"
    assert sorted(os.listdir()) == ["a.gz", "log", "out"]


def test_goes_on_after_what_cannot_be_read(folder: Path) -> None:
    (folder / "cut.gz").write_bytes(gzip.compress(LOG)[:-9])
    (folder / "pic.png").write_bytes(b"\x89PNG\r\n")
    ended = run("nothing", "cut.gz", "log", "no*", "pic.png")
    assert (ended.status, ended.out.endswith(REDACTED)) == (3, True)
    assert ended.err.splitlines() == [
        "weburl: nothing: no such file or directory",
        "weburl: cut.gz: it is cut off: its gzip data has no end",
        "weburl: no*: no file matches",
        "weburl: pic.png: it is a picture: give a file of text",
        "5 secrets (name: 3, credentials: 2)",
    ]


PACKINGS = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}


def test_packed(folder: Path) -> None:
    for name, packed in (("a.gz", gzip.compress(LOG)), ("b.bz2", bz2.compress(LOG)), ("c.xz", lzma.compress(LOG))):
        (folder / name).write_bytes(packed)
        assert run(name).out == REDACTED
        for ending, unpack in PACKINGS.items():
            run(name, "-o", f"out{ending.upper()}")
            assert unpack((folder / f"out{ending.upper()}").read_bytes()) == REDACTED
        run(name, "-o", name)
        assert PACKINGS[Path(name).suffix]((folder / name).read_bytes()) == REDACTED
        run(name, "-o", "plain")
        assert (folder / "plain").read_bytes() == REDACTED


def test_zstd(folder: Path) -> None:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        zstd = pytest.importorskip("backports.zstd")
    (folder / "a.zst").write_bytes(zstd.compress(LOG))
    assert run("a.zst").out == REDACTED
    run("a.zst", "-o", "b.zst")
    assert zstd.decompress((folder / "b.zst").read_bytes()) == REDACTED


def test_wrong_arguments(folder: Path) -> None:
    (folder / "d").mkdir()
    for more, said in (
        (["https://example.com/?token=q8Zx"], "a URL is not a file"),
        (["--jobs", "2", "log"], "--jobs is for a folder"),
        (["--jobs", "0", "log"], "N is a number"),
        (["-", "-o", "d"], "standard input has no name in a folder"),
        (["log", "d/../log", "-o", "d"], "would be one file in"),
        (["log", "-o", "x", "--metrics", "d/../x"], "-o and --metrics name one file: 'x'"),
        (["-", "log", "-"], "standard input can be read only once"),
        (["d", "-o", "log"], "'log' is not a folder, and the input 'd' is one: -o FOLDER says which folder is written"),
        (["d", "-o", os.devnull], "is not a folder, and the input 'd' is one"),
        (["log", "-o", "log/"], "'log/' is not a folder: -o FOLDER says which folder is written"),
    ):
        ended = run(*more)
        assert (ended.status, ended.out) == (2, b"")
        assert said in ended.err
        assert "q8Zx" not in ended.err


METRICS = """\
# HELP weburl_redact_files_total Files that were read to their end.
# TYPE weburl_redact_files_total counter
weburl_redact_files_total 2
# HELP weburl_redact_failed_files_total Files that could not be read or written.
# TYPE weburl_redact_failed_files_total counter
weburl_redact_failed_files_total 1
# HELP weburl_redact_skipped_files_total Files that an earlier run had done.
# TYPE weburl_redact_skipped_files_total counter
weburl_redact_skipped_files_total 0
# HELP weburl_redact_read_bytes_total Bytes of text that were read, after decompression.
# TYPE weburl_redact_read_bytes_total counter
weburl_redact_read_bytes_total {read}
# HELP weburl_redact_written_bytes_total Bytes of text that were written, before compression.
# TYPE weburl_redact_written_bytes_total counter
weburl_redact_written_bytes_total {written}
# HELP weburl_redact_lines_total Line ends that were read.
# TYPE weburl_redact_lines_total counter
weburl_redact_lines_total {lines}
"""


def test_metrics(folder: Path) -> None:
    (folder / "a.gz").write_bytes(gzip.compress(LOG))
    ended = run("log", "a.gz", "nothing", "--metrics", "metrics.prom")
    text = (folder / "metrics.prom").read_text()
    assert text.startswith(METRICS.format(read=2 * len(LOG), written=2 * len(REDACTED), lines=2 * LOG.count(b"\n")))
    seconds = re.search(r"^weburl_redact_seconds ([0-9]+\.[0-9]{3})$", text, re.M)
    assert seconds
    assert 0 <= float(seconds[1]) < 60
    counts = dict(re.findall(r'^weburl_redact_secrets_total{kind="(\w+)"} ([0-9]+)$', text, re.M))
    assert {kind: int(count) for kind, count in counts.items() if count != "0"} == {"name": 6, "credentials": 4}
    assert len(counts) == 10
    assert text.endswith("\n")
    assert ended.status == 3
    assert sorted(os.listdir()) == ["a.gz", "log", "metrics.prom"]
    # https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
    name = "weburl_redact_[a-z_]+"
    form = rf'# HELP {name} [^\n]+|# TYPE {name} (?:counter|gauge)|{name}(?:\{{kind="[a-z0-9]+"\}})? [0-9.]+'
    assert all(re.fullmatch(form, line) for line in text.splitlines())
    # The file of a run that fails.
    assert run("nothing", "-o", "out", "--metrics", "metrics.prom").status == 3
    assert "\nweburl_redact_failed_files_total 1\n" in (folder / "metrics.prom").read_text()


def test_metrics_while_the_input_goes_on(folder: Path) -> None:
    """Also of a run that is ended."""
    with patch.object(totals, "EVERY", 0.0), patch.object(stream.TextStream, "finish", side_effect=KeyboardInterrupt):
        (folder / "file").write_bytes(LOG * 100_000)
        written = []
        metrics = totals.Totals.write_metrics

        def write(self: totals.Totals) -> None:
            metrics(self)
            written.append((folder / "m").read_text())

        with patch.object(totals.Totals, "write_metrics", write):
            assert run("file", "--metrics", "m").status == 130
    reads = [int(re.findall(r"^weburl_redact_read_bytes_total (\d+)", text, re.M)[0]) for text in written]
    assert len(reads) > 3
    assert reads == sorted(reads)
    assert reads[-1] > len(LOG) * 90_000
    read = (LOG * 100_000)[: reads[-1]]
    assert f'secrets_total{{kind="credentials"}} {2 * read.count(b"u:p@")}\n' in written[-1]
    assert 'secrets_total{kind="name"} 0' not in written[1]


def secrets_in(text: str) -> int:
    return sum(map(int, re.findall(r"^weburl_redact_secrets_total.* ([0-9]+)$", text, re.M)))


def test_counts_of_metrics_do_not_go_down(folder: Path) -> None:
    """The secrets of all files that are read at once count, up to their ends."""
    counts = totals.Totals("m")
    with patch.object(totals, "EVERY", 0.0):
        counts.next = 0.0
        counts.go_on("a", {"name": 100})
        assert secrets_in((folder / "m").read_text()) == 100
        counts.go_on("b", {"name": 5})
        assert secrets_in((folder / "m").read_text()) == 105
        counts.add_file("a", {"name": 101}, is_whole=True)
        counts.go_on("b", {"name": 6, "key": 1})
        assert secrets_in((folder / "m").read_text()) == 108


def test_metrics_of_many_threads(folder: Path) -> None:
    (folder / "in").mkdir()
    for number in range(12):
        (folder / "in" / str(number)).write_bytes(b"GET /?token=q8Zx HTTP\n" * 3000)
    seen = []
    metrics = totals.Totals._metrics

    def made(self: totals.Totals) -> str:
        seen.append(secrets_in(metrics(self)))
        return metrics(self)

    with (
        patch.object(totals, "EVERY", 0.0),
        patch.object(byte_stream, "BLOCK", 10_000),
        patch.object(totals.Totals, "_metrics", made),
    ):
        assert run("in", "-o", "out", "--jobs", "4", "--metrics", "m").status == 0
    assert len(seen) > 20
    assert seen == sorted(seen)
    assert seen[-1] == 36_000


def test_metrics_replace_neither_an_input_nor_an_output(folder: Path) -> None:
    fill(folder)
    before = tree(folder)
    for arguments, said in (
        (["log", "in/*.log", "--metrics", "in/a.log"], "a file that is read: 'in/a.log'"),
        (["log", "--metrics", "in/../log"], "a file that is read: 'log'"),
        (["nothing", "no*", "log", "-o", "x", "--metrics", "log"], "a file that is read: 'log'"),
        (["in", "-o", "out", "--metrics", "in/x/y/d"], "a file that is read: 'in/x/y/d'"),
        (["in", "-o", "out", "--metrics", "out/x/y/d"], "a file that is written: 'out/x/y/d'"),
        (["in", "-o", "out", "--metrics", f"out/{mirror.RECORD}"], "a file that is written: 'out/.weburl-redact'"),
    ):
        ended = run(*arguments)
        assert (ended.status, ended.out) == (2, b"")
        assert f"--metrics names {said}" in ended.err.replace("\\\\", "/")
        assert tree(folder) == before
    assert run("in", "-o", "out", "--metrics", "out/metrics.prom").status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--metrics log < log > other", "--metrics names a file that is read: log"),
        ("- --metrics log < log > other", "--metrics names a file that is read: log"),
        ("log --metrics other > other", "--metrics names a file that is written: other"),
        ("log -o - --metrics other > other", "--metrics names a file that is written: other"),
        ("log --log-policy p.toml --metrics p.toml > other", "--metrics names the file of the policy: p.toml"),
        ("log --log-policy p.toml -o p.toml", "-o names the file of the policy: p.toml"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the command is for a shell of Unix")
def test_metrics_do_not_replace_a_stream_or_the_policy(arguments: str, said: str, folder: Path) -> None:
    (folder / "p.toml").write_text("hide = ['x']")
    script = f'"{sys.executable}" -m weburl redact {arguments}'
    ended = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert said in ended.stderr.replace("'", "")
    assert (folder / "log").read_bytes() == LOG
    assert (folder / "p.toml").read_text() == "hide = ['x']"


def test_utf_32_without_a_mark(folder: Path) -> None:
    for encoding in ("UTF-32LE", "UTF-32BE"):
        for text in ("GET /?token=q8Zx\n", "Привет /?token=q8Zx\n"):
            (folder / "file").write_bytes(text.encode(encoding))
            ended = run("file")
            assert (ended.status, ended.out) == (3, b"")
            assert ended.err.startswith(
                f"weburl: file: it is in UTF-32: only UTF-8 is read: convert it, as with iconv -f {encoding} -t UTF-8\n"
            )
    # A log that was cut while it was open.
    for length in range(20):
        data = b"\0" * length + b"GET /?a=1\n\0\0"
        assert run(stdin=data).out == data


# Folders.


def fill(folder: Path) -> dict[str, bytes]:
    """A tree of files, and what is to be made of them."""
    data = {"a.log": LOG, "x/b.log.gz": gzip.compress(LOG), "x/y/c.log": b"no secret\n", "x/y/d": LOG * 3, "e": b""}
    for name, text in data.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(text)
    return {name: redact_text(gzip.decompress(text) if name.endswith(".gz") else text) for name, text in data.items()}


def tree(folder: Path) -> dict[str, bytes]:
    """The files that are not hidden, unpacked."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and path.name != mirror.RECORD:
            text = path.read_bytes()
            found[path.relative_to(folder).as_posix()] = gzip.decompress(text) if path.suffix == ".gz" else text
    return found


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_folders(jobs: str, folder: Path) -> None:
    expected = fill(folder)
    ended = run("in", "-o", "out", "--jobs", jobs)
    assert (ended.status, ended.out) == (0, b"")
    assert ended.err == "25 secrets (name: 15, credentials: 10) in 3 of 5 files\n"
    assert tree(folder / "out") == expected
    assert tree(folder / "in").keys() == expected.keys()
    # Some files, and globs.
    for names in (["in/a.log", "in/x/y/d"], ["in/*.log", "in/x/y/[d]"]):
        run(*names, "-o", f"some{len(names[0])}/", "--jobs", jobs)
        assert tree(folder / f"some{len(names[0])}") == {"a.log": expected["a.log"], "d": expected["x/y/d"]}
    run("in/**", "-o", "deep/")
    assert tree(folder / "deep") == expected
    run("in/x", "-o", "part")
    assert tree(folder / "part") == {name[2:]: text for name, text in expected.items() if name.startswith("x/")}


def test_what_is_done_is_not_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is done again if it, its output, the policy or weburl has changed."""
    monkeypatch.setattr(mirror, "RECENT", 0)
    expected = fill(folder)
    assert run("in", "-o", "out").status == 0
    for again in (1, 2):
        assert run("in", "-o", "out").err == "0 secrets; 5 done before\n", again
    changes: dict[str, Callable[[], object]] = {
        "content of the same size and time": lambda: rewrite(folder / "in/a.log", LOG.replace(b"q8Zx", b"q7Zx")),
        "longer": lambda: (folder / "in/a.log").write_bytes(LOG + b"x"),
        "output": lambda: (folder / "out/a.log").write_bytes(LOG),
        "no output": lambda: (folder / "out/a.log").unlink(),
        "output of the same size and time": lambda: rewrite(folder / "out/a.log", b"y" * len(REDACTED + b"x")),
        "another file": lambda: replace(folder / "in/a.log", LOG),
    }
    for name, change in changes.items():
        change()
        assert run("in", "-o", "out").err.endswith("; 4 done before\n"), name
        text = (folder / "in/a.log").read_bytes()
        assert tree(folder / "out") == expected | {"a.log": redact_text(text)}, name
    assert "done before" not in run("in", "-o", "out", "--log-policy", "logs-strict").err
    assert run("in", "-o", "out", "--log-policy", "logs-strict").err.endswith("; 5 done before\n")
    assert "done before" not in run("in", "-o", "out").err
    monkeypatch.setattr("weburl.__version__", "0")
    assert "done before" not in run("in", "-o", "out").err
    # A record that is cut off, or that is something else.
    record = folder / "out" / mirror.RECORD
    record.write_bytes(record.read_bytes()[:-5])
    assert run("in", "-o", "out").err.endswith("; 4 done before\n")
    assert run("in", "-o", "out").err.endswith("; 5 done before\n")
    record.write_bytes(b'[1]\nx\n\xff\n["a.log", 1, 2, 3]\n{"a": 1}\n' + os.urandom(100))
    assert "done before" not in run("in", "-o", "out").err
    assert tree(folder / "out").keys() == expected.keys()


def rewrite(path: Path, text: bytes) -> None:
    """Writes a text, with the time of the file before."""
    before = path.stat()
    path.write_bytes(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: Path, text: bytes) -> None:
    """Puts an older file in its place."""
    other = path.with_name("other")
    other.write_bytes(text)
    os.utime(other, ns=(0, 0))
    os.replace(other, path)


def test_a_file_that_changed_just_now_is_done_again(folder: Path) -> None:
    """It may have changed after it was read, at the same time by its clock."""
    fill(folder)
    run("in", "-o", "out")
    assert "done before" not in run("in", "-o", "out").err
    for path in (folder / "in").rglob("*"):
        os.utime(path, ns=(0, 10**9))
    run("in", "-o", "out")
    assert run("in", "-o", "out").err.endswith("; 5 done before\n")


def test_a_folder_in_place(folder: Path) -> None:
    expected = fill(folder)
    for name in ("in", "in/"):
        assert run("in", "-o", name).status == 0
        assert tree(folder / "in") == expected
    assert run("in", "-o", "in").err == "0 secrets; 5 done before\n"
    (folder / "in/a.log").write_bytes(LOG)
    assert run("in", "-o", "in").err == "5 secrets (name: 3, credentials: 2); 4 done before\n"
    assert tree(folder / "in") == expected
    ended = run("in", "-o", "in/x")
    assert (ended.status, ended.err.splitlines()[-1]) == (
        2, "weburl: 'in/x' is in the folder that is read: its files would be read again",
    )  # fmt: skip


def test_a_folder_that_a_glob_reads_again(folder: Path) -> None:
    expected = fill(folder)
    said = "weburl: 'in/clean/' is in the folder that is read: its files would be read again"
    ended = run("in/**/*.log", "-o", "in/clean/")
    assert (ended.status, ended.err.splitlines()[-1]) == (2, said)
    assert not (folder / "in/clean").exists()
    # These do not match what they write, or match it only then.
    for name in ("in/*.log", "in/x/*/*", "in/[ae]*"):
        for _ in range(2):
            assert run(name, "-o", "in/clean/").status == 0
    assert tree(folder / "in/clean").keys() == {"a.log", "e", "y/c.log", "y/d"}
    for name in ("in/*", "in/*/a.log"):
        ended = run(name, "-o", "in/clean/")
        assert (ended.status, ended.err.splitlines()[-1]) == (2, said)
    assert run("in/clean/y/*", "-o", "in/clean/").status == 0
    assert run("in/clean/*", "-o", "in/clean/").status == 0
    assert (folder / "in/clean/a.log").read_bytes() == expected["a.log"]


def test_files_of_a_folder_that_cannot_be_read(folder: Path) -> None:
    expected = fill(folder)
    (folder / "in/x/cut.gz").write_bytes(gzip.compress(LOG)[:-9])
    (folder / "in/pic.png").write_bytes(b"\x89PNG\r\n")
    (folder / "out/x").mkdir(parents=True)
    (folder / "out/x/cut.gz").write_bytes(gzip.compress(b"old"))
    (folder / "out/e").mkdir()
    for jobs in ("1", "2"):
        ended = run("in", "-o", "out", "--jobs", jobs)
        assert ended.status == 3
        assert ended.err.splitlines()[:3] == [
            f"weburl: {os.path.join('out', 'e')}: is a directory",
            f"weburl: {os.path.join('in', 'pic.png')}: it is a picture: give a file of text",
            f"weburl: {os.path.join('in', 'x', 'cut.gz')}: it is cut off: its gzip data has no end",
        ]
    del expected["e"]
    assert tree(folder / "out") == expected | {"x/cut.gz": b"old"}


@pytest.mark.skipif(os.name != "posix", reason="needs modes of files")
@pytest.mark.skipif(sys.platform == "emscripten", reason="no file has its rights by umask there")
def test_rights_in_a_folder(folder: Path) -> None:
    """Nobody can open a copy who could not open the file."""
    fill(folder)
    (folder / "in/a.log").chmod(0o600)
    (folder / "in/e").chmod(0o666)
    before = os.umask(0o022)
    try:
        run("in", "-o", "out")
    finally:
        os.umask(before)
    modes = {name: stat.S_IMODE((folder / "out" / name).stat().st_mode) for name in ("a.log", "e")}
    assert modes == {"a.log": 0o600, "e": 0o644}


@pytest.mark.skipif(
    os.name != "posix" or sys.platform == "emscripten" or os.getuid() != 0, reason="only root can give files away"
)
@pytest.mark.parametrize(
    ("owner", "group", "mode", "expected"),
    [
        # The members of another group, and the owner who is now one of the others.
        (1000, 4, 0o640, 0o600),
        (1000, 4, 0o644, 0o604),
        (0, 4, 0o604, 0o600),
        (1000, 0, 0o640, 0o640),
        (1000, 0, 0o444, 0o444),
        (1000, 0, 0o244, 0o200),
    ],
)
def test_rights_of_a_file_of_somebody_else(owner: int, group: int, mode: int, expected: int, folder: Path) -> None:
    fill(folder)
    os.chown(folder / "in/a.log", owner, group)
    (folder / "in/a.log").chmod(mode)
    before = os.umask(0o022)
    try:
        run("in", "-o", "out")
    finally:
        os.umask(before)
    made = (folder / "out/a.log").stat()
    assert (made.st_gid, oct(stat.S_IMODE(made.st_mode))) == (os.getgid(), oct(expected))


def acl(*entries: tuple[int, int, int]) -> bytes:
    """An access control list as the kernel has it: tags, rights and numbers of users."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NOBODY = 0xFFFFFFFF
FOR_A_USER = acl((1, 6, NOBODY), (2, 4, 1234), (4, 0, NOBODY), (16, 4, NOBODY), (32, 0, NOBODY))


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs access control lists")
def test_access_control_lists_in_a_folder(folder: Path) -> None:
    """The group bits of a mode are the mask of a list. A list of the folder OUT is not for the new file."""
    fill(folder)
    (folder / "out").mkdir()
    try:
        os.setxattr(folder / "in/a.log", "system.posix_acl_access", FOR_A_USER)
        os.setxattr(folder / "out", "system.posix_acl_default", FOR_A_USER)
    except OSError:
        pytest.skip("the file system has no access control lists")
    (folder / "in/e").chmod(0o600)
    assert stat.S_IMODE((folder / "in/a.log").stat().st_mode) == 0o640
    run("in", "-o", "out")
    for name in ("a.log", "e"):
        assert stat.S_IMODE((folder / "out" / name).stat().st_mode) == 0o600
        assert os.listxattr(folder / "out" / name) == []


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_killed_goes_on(number: int, folder: Path) -> None:
    """Each output is whole or not there, and what is there is not done again."""
    data = b"".join(b"GET /?token=q8Zx%d HTTP\n" % n for n in range(200_000))
    (folder / "in").mkdir()
    for n in range(12):
        (folder / "in" / f"{n:02}").write_bytes(data)
        os.utime(folder / "in" / f"{n:02}", ns=(0, 0))
    command = [sys.executable, "-m", "weburl", "redact", "in", "-o", "out", "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        wait_for((folder / "out/03").exists, process)
        process.send_signal(number)
        process.communicate()
        assert process.returncode == (-9 if number == signal.SIGKILL else 143)
    done = {path.name: path.stat().st_mtime_ns for path in (folder / "out").glob("[0-9]*")}
    expected = redact_text(data)
    assert all((folder / "out" / name).read_bytes() == expected for name in done)
    ended = run("in", "-o", "out")
    # The last ones may not be in the record.
    before = int(re.findall(r"; (\d+) done before", ended.err)[0])
    assert len(done) - 2 <= before <= len(done)
    kept = [name for name, time in done.items() if (folder / "out" / name).stat().st_mtime_ns == time]
    assert len(kept) == before
    assert all((folder / "out" / f"{n:02}").read_bytes() == expected for n in range(12))


def lines_one_by_one() -> Iterator[bytes]:
    """What comes out of a pipe that stays open, for one line that goes in at a time."""
    command = [sys.executable, "-m", "weburl", "redact"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(6):
            process.stdin.write(b"GET /?token=q8Zx%d HTTP\r\n" % number)
            process.stdin.flush()
            yield process.stdout.readline()
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.skipif(os.name != "posix", reason="reads a pipe while it is written")
def test_a_line_appears_at_once() -> None:
    """Before the next one is written."""
    assert [*lines_one_by_one()] == [b"GET /?token=REDACTED HTTP\r\n"] * 6


@pytest.mark.timed
@pytest.mark.skipif(os.name != "posix", reason="reads a pipe while it is written")
def test_a_line_appears_within_100_ms() -> None:
    """The best of some tries."""
    times = [time.monotonic() for _ in lines_one_by_one()]
    assert min(after - before for before, after in pairwise(times)) < 0.1


@pytest.mark.slow
@pytest.mark.timed
def test_as_fast_as_the_function(folder: Path) -> None:
    """At least 0.8 of its speed, on an access log: the best of some tries."""
    lines = [line.text for line in log_texts.lines(26_000, 3) if line.format == "combined"]
    data = "".join(
        f'10.0.0.{n % 250} - - [28/Nov/2026:08:00:{n % 60:02}] "GET /a/{n}?page={n} HTTP/1.1" 200 {n} '
        f'"https://h.example/{n}" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"\n'
        f"{lines[n % len(lines)] if n % 20 == 0 else '-'}\n"
        for n in range(200_000)
    ).encode()
    (folder / "file").write_bytes(data)
    function, command = [], []
    for _ in range(7):
        start = time.process_time()
        redact_text(data)
        middle = time.process_time()
        assert run("file", "-o", os.devnull).status == 0
        function.append(middle - start)
        command.append(time.process_time() - middle)
    assert min(function) >= 0.8 * min(command)


@pytest.mark.skipif(os.name != "posix", reason="closes a pipe")
def test_the_reader_ends() -> None:
    command = [sys.executable, "-m", "weburl", "redact"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.write(LOG * 10_000)
        with suppress(BrokenPipeError):
            process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141
