"""weburl dedup: the first line of each key."""

from __future__ import annotations

import errno
import io
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from support.command import run
from support.peak import peak_of, peak_of_program

from weburl import URL
from weburl.cli.keys.key_set import KeySet, digests_of
from weburl.crawl import CrawlPolicy, canonicalize, fingerprint
from weburl.hosts import registrable_domain

LINES = (
    "http://a/", "http://a/?utm_source=1", "b", "HTTP://A/#x", "data:x", "http://www.a.co.uk/1", "http://b.a.co.uk",
    "data:x", "data:y", "http://127.0.0.1/", "http://127.0.0.1:8/", "b",
)  # fmt: skip
TEXT = "".join(f"{line}\n" for line in LINES)
SUMMARY = "weburl: 2 of 12 lines are not URLs (missing-scheme-non-relative-URL: 2)\n"


def expected(key: Any) -> list[str]:
    """Rows without a key are all there."""
    seen = set()
    found = []
    for line in LINES:
        url = URL.parse(line)
        value = None if url is None else key(url)
        if url is not None and (value is None or value not in seen):
            found.append(line)
            seen.add(value)
    return found


KEYS = {
    "crawl": lambda url: fingerprint(url, policy="crawl"),
    "whatwg": lambda url: url.href,
    "hostname": lambda url: url.hostname or None,
    "registrable_domain": lambda url: (url.hostname and registrable_domain(url.hostname)) or url.hostname or None,
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_keys(key: str, threads: str) -> None:
    ended = run("dedup", "--key", key, "--threads", threads, stdin=TEXT)
    assert ended == (0, "".join(f"{line}\n" for line in expected(KEYS[key])), SUMMARY)


def test_the_default_is_a_page() -> None:
    assert run("dedup", stdin=TEXT).lines == expected(KEYS["crawl"])


def test_what_is_not_a_url(tmp_path: Path) -> None:
    ended = run("dedup", "--key", "hostname", "--invalid", "keep", stdin=TEXT)
    assert ended.lines == ["http://a/", "b", "data:x", "http://www.a.co.uk/1", "http://b.a.co.uk", "data:x", "data:y",
                           "http://127.0.0.1/", "b"]  # fmt: skip
    ended = run(
        "dedup", "--key", "hostname", "--invalid", "fail", stdin="http://a/\nhttp://a/1\nhttp://b/\nb\nhttp://c/\n"
    )
    assert (ended.status, ended.lines) == (1, ["http://a/", "http://b/"])
    assert ended.err.startswith("weburl: standard input:4: missing-scheme-non-relative-URL in 'b'")
    rejects = tmp_path / "rejects"
    run("dedup", "--key", "hostname", "--invalid", f"file={rejects}", stdin=TEXT)
    assert [json.loads(line)["line"] for line in rejects.read_text().splitlines()] == [3, 12]


def test_other_options() -> None:
    # What the filter leaves out has not been there.
    for more in ([], ["--invalid", "fail"]):
        text = "http://a/\nhttp://a/#x\nhttp://b/#x\nhttp://a/#x\n" + "b\nhttp://c/#x\n" * len(more)
        ended = run("dedup", "--match", "http://*/#x", *more, stdin=text)
        assert ended.lines == ["http://a/#x", "http://b/#x"]
    assert run("dedup", "--key", "hostname", "-g", "{host}|{pathname}", stdin=TEXT).lines[0] == "a|/"
    assert run("dedup", "--key", "hostname", "--base", "http://h/", stdin="x\ny\n//h/z\n//g\n").lines == ["x", "//g"]
    assert run("dedup", "http://a", "http://a/", "http://b").lines == ["http://a", "http://b"]
    ended = run("dedup", "--key", "no-such", "http://a")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.endswith("weburl: --key takes hostname, registrable_domain or a policy, not 'no-such'\n")


def test_several_files_have_one_set(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(TEXT)
    names = [str(tmp_path / name) for name in "ab"]
    assert run("dedup", "-f", *names).lines == expected(KEYS["crawl"])


RECORDS = '{"u":"http://a/","n":1}\n{"u":"http://a/b","n":2}\n{"u"\n{"n":0,"u":"http://b","m":[3]}\n'


def test_records() -> None:
    ended = run("dedup", "--field", "u", "--key", "hostname", "--json", "--keep", stdin=RECORDS)
    assert ended.lines == ['{"u":"http://a/","n":1}', '{"n":0,"u":"http://b","m":[3]}']
    assert "weburl: standard input:3:5: invalid-record: " in ended.err
    assert "(invalid-record: 1)" in ended.err
    ended = run("dedup", "--field", "u", "--key", "hostname", "--json", "--keep", "--invalid", "keep", stdin=RECORDS)
    assert ended.lines[1] == "{}"
    options = ("--json", "--keep=n", "-g", "{error}", "--invalid", "keep")
    ended = run("dedup", "--field", "u", "--key", "hostname", *options, stdin=RECORDS)
    assert ended.lines == ['{"n":1,"error":null}', '{"n":null,"error":"invalid-record"}', '{"n":0,"error":null}']
    ended = run(
        "dedup",
        "--column",
        "u",
        "--key",
        "hostname",
        "--csv",
        "--keep",
        stdin='u,n\nhttp://a/,1\nx"\nhttp://a/x,"2\n"\n',
    )
    assert ended.out == "u,n\nhttp://a/,1\n"
    assert run("dedup", "--field", "u", "--key", "hostname", stdin=RECORDS).lines == ["http://a/", "http://b"]


# The set.


@pytest.mark.parametrize(
    ("memory", "lists", "spilled"),
    [
        (1, 1 << 24, True), (1 << 18, 1 << 24, True), (1 << 22, 1 << 24, False),
        # With few bits for each key on disk, or none, and few first keys of pages.
        *((1, lists, True) for lists in (0, 16, 100, 1000, 4000, 10_000, 30_000)),
    ],
)  # fmt: skip
def test_a_set(memory: int, lists: int, spilled: bool) -> None:
    """It is like a set of Python's, in memory and on disk."""
    source = random.Random(memory)
    seen: set[bytes] = set()
    with closing(KeySet(memory, lists)) as keys:
        check_set(keys, seen, source)
        assert bool(keys.n_runs) == spilled
        with pytest.raises(ValueError, match="a key has 16 bytes"):
            keys.add(b"1", b"1")
    assert len(keys) == 0


def check_set(keys: KeySet, seen: set[bytes], source: random.Random) -> None:
    for _ in range(100):
        some = [
            blake2b(str(source.randrange(30_000)).encode(), digest_size=16).digest()
            if source.random() < 0.99
            else bytes(16)
            for _ in range(500)
        ]
        marks = bytes(source.random() < 0.9 for _ in some)
        wanted = bytearray()
        for key, mark in zip(some, marks, strict=True):
            wanted.append(not mark or key not in seen)
            if mark:
                seen.add(key)
        assert keys.add(b"".join(some), marks) == wanted
        assert len(keys) == len(seen)


def test_keys_that_are_nearly_the_same() -> None:
    """Those of one half only are on the same page, and those of the other in the same place of the table."""
    rows = [
        (7 + number // 5000).to_bytes(8, sys.byteorder) + (number << 12 | 1).to_bytes(8, sys.byteorder)
        for number in range(9000)
    ]
    data = b"".join(rows)
    with closing(KeySet(1)) as keys:
        assert keys.add(data, b"\1" * len(rows)) == b"\1" * len(rows)
        assert keys.n_runs > 1
        assert keys.add(data, b"\1" * len(rows)) == bytes(len(rows))


def test_beyond_the_memory() -> None:
    lines = [f"http://h{number}/" for number in range(20_000)]
    text = "\n".join([*lines, *reversed(lines), *lines])
    assert run("dedup", "--memory", "1", stdin=text).lines == lines


def test_runs_are_few() -> None:
    """A key is looked for in a few runs for each level: their number is a logarithm of that of the keys."""
    source = random.Random(35)
    spilled, seen = 3 * 4096 // 4, [b""]
    with closing(KeySet(1)) as keys:
        for number in range(1, 150):
            some = source.randbytes(16 * spilled)
            assert keys.add(some, b"\1" * spilled) == b"\1" * spilled
            assert keys.n_runs <= 3 * (1 + math.log(number, 4))
            seen.append(some)
        assert len(keys) == 149 * spilled
        for some in source.sample(seen[1:], 20):
            assert keys.add(some, b"\1" * spilled) == bytes(spilled)


@pytest.mark.parametrize("lists", [1 << 12, 1 << 15, 1 << 24])
def test_what_says_where_keys_are_is_bounded(lists: int) -> None:
    source = random.Random(lists)
    with closing(KeySet(1, lists)) as keys:
        for _ in range(25):
            keys.add(source.randbytes(16 * 3100), b"\1" * 3100)
            # A run has one first key, whatever there is memory for.
            assert keys.list_memory <= lists + 16 * keys.n_runs


ALL_NEW = """
import random
from weburl.cli.keys.key_set import KeySet
source = random.Random(1)
keys = KeySet(1 << 20)
for _ in range(60):
    assert keys.add(source.randbytes(16 * 10_000), b"\\1" * 10_000) == b"\\1" * 10_000
assert len(keys) == 600_000
keys.close()
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
def test_the_peak_of_the_process(tmp_path: Path) -> None:
    """600,000 keys have 10 MB, and their table has 16 MB: with --memory 1M the process grows by less than 4 MB."""
    none = peak_of_program(ALL_NEW.replace("range(60)", "range(0)").replace("600_000", "0"))
    assert peak_of_program(ALL_NEW) < none + (4 << 20)
    path = tmp_path / "many"
    path.write_text("".join(f"http://h{number}/\n" for number in range(100_000)))
    status, peak = peak_of(["dedup", "--memory", "1M", "-f", str(path)])
    assert (status, peak < 100 << 20) == (0, True)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_full_disk(number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    closed: list[object] = []

    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(number, "No space left on device")

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    out = tmp_path / "out"
    text = "\n".join(f"http://h{number}/" for number in range(5000))
    ended = run("dedup", "--memory", "1", "-o", str(out), stdin=text)
    assert ended.status == 3
    assert ended.err == "weburl: a temporary file of keys: no space left on device\n"
    assert len(closed) == 1
    assert not out.exists()


@pytest.mark.parametrize("number", [errno.EIO, 0])
def test_a_disk_that_loses_keys(number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Losing(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            if number:
                raise OSError(number, "Input/output error")
            return super().read(size)[:-1]

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Losing(tmp_path / "keys", "w+"))
    lines = [f"http://h{number}/" for number in range(5000)]
    ended = run("dedup", "--memory", "1", "-o", str(tmp_path / "out"), stdin="\n".join(lines * 2))
    said = "input/output error" if number else "it is cut off"
    assert (ended.status, ended.err) == (3, f"weburl: a temporary file of keys: {said}\n")
    assert not (tmp_path / "out").exists()


def test_digests_are_of_texts() -> None:
    from weburl._arrow import input
    from weburl._arrow.job import Job
    from weburl._verbs.columns import FIELDS

    batch = Job([FIELDS["query_pairs"]], is_struct=True).run(input.from_objects(["http://h"]), 0, 1)
    assert batch is not None
    with pytest.raises(ValueError, match="a key is"):
        digests_of(batch)


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are those of POSIX")
def test_pipes_and_signals() -> None:
    command = [sys.executable, "-m", "weburl", "dedup"]
    lines = b"".join(b"http://h%d/\n" % number for number in range(100_000))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    # It answers before its input ends.
    process.stdin.write(b"http://a/\nhttp://a/\nhttp://b/\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"http://a/\n"
    assert process.stdout.readline() == b"http://b/\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate() == (b"", b"weburl: interrupted\n")
    assert process.returncode == 130
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines[:30])
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.communicate(lines * 20)
    assert process.returncode == 141


@pytest.mark.parametrize("command", ["dedup", "join"])
@pytest.mark.parametrize("policy", ["crawl", "surt", "CrawlPolicy(remove_www=True)"])
def test_a_policy_without_effect_is_refused(command: str, policy: str, tmp_path: Path) -> None:
    """Lines are printed as they are: what the policy would make is nowhere in the output."""
    path = tmp_path / "urls.txt"
    path.write_text("http://a.com/?b=1&a=2\n", "utf-8")
    words = [command, "--policy", policy, "-f", str(path), *(["--with", str(path)] if command == "join" else [])]
    ended = run(*words)
    assert (ended.status, ended.out) == (2, "")
    said = "weburl: --policy is for {href}, and lines are printed as they are: use --key POLICY, or -g '{href}'"
    assert ended.err.splitlines()[-1] == said
    used = CrawlPolicy(remove_www=True) if "(" in policy else policy
    assert run(*words, "-g", "{href}").out.strip() == canonicalize("http://a.com/?b=1&a=2", used)
    assert run(command, "--key", policy, *words[3:]).status == 0
