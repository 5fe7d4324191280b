"""Outputs are whole or not at all, at each call that writes them: killed there, or told that it fails.

A random moment rarely comes between the last write and the name, or into the call that closes a file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a library before others, as of Linux"),
    pytest.mark.skipif(COMPILER is None, reason="no C compiler is here"),
]
# Counts the calls that are about the folder OUT_DIR. The one with the number FAIL_AT fails with the error FAIL_WITH, or
# kills the process if that is 0.
LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_ours(const char *path)
{
    return strncmp(path, getenv("OUT_DIR"), strlen(getenv("OUT_DIR"))) == 0;
}

static int is_open(int fd)
{
    char link[64], path[4096];
    ssize_t n;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    path[n < 0 ? 0 : n] = 0;
    return is_ours(path);
}

static int fails(void)
{
    static int calls = 0;
    if (++calls != atoi(getenv("FAIL_AT")))
        return 0;
    errno = atoi(getenv("FAIL_WITH"));
    if (errno == 0)
        kill(getpid(), SIGKILL);
    return 1;
}

#define REAL(name)                                                                                                    \
    static __typeof__(name) *real;                                                                                    \
    if (!real)                                                                                                        \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t n)
{
    REAL(write);
    return is_open(fd) && fails() ? -1 : real(fd, data, n);
}

int close(int fd)
{
    int error;
    REAL(close);
    if (!is_open(fd) || !fails())
        return real(fd);
    error = errno;
    real(fd);
    errno = error;
    return -1;
}

int fsync(int fd)
{
    REAL(fsync);
    return is_open(fd) && fails() ? -1 : real(fd);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    mode_t mode;
    REAL(open64);
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
    return flags & (O_WRONLY | O_RDWR) && is_ours(path) && fails() ? -1 : real(path, flags, mode);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(mkdir);
    return is_ours(path) && fails() ? -1 : real(path, mode);
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    return is_ours(to) && fails() ? -1 : real(from, to);
}
"""
KINDS = {
    "parquet": ["--parquet", "{}"],
    "arrow": ["--arrow", "{}"],
    "partitions": ["--parquet", "{}", "--partition-by", "host"],
    "lines": ["-o", "{}"],
    "two outputs": ["--csv", "-o", "{}", "--invalid", "file={}.invalid"],
    "stats": ["stats", "--plot", "{}.svg"],
    "learn": ["learn", "-o", "{}"],
    "redact": ["redact", "-o", "{}"],
}
ENOSPC, EIO = 28, 5


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    source, made = folder / "fails.c", folder / "fails.so"
    source.write_text(LIBRARY)
    assert COMPILER is not None
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("error", [0, ENOSPC, EIO])
@pytest.mark.parametrize("kind", KINDS)
def test_each_call_that_writes(kind: str, error: int, library: Path, tmp_path: Path) -> None:
    if kind == "stats":
        pytest.importorskip("matplotlib")
    urls, folder = tmp_path / "urls.txt", tmp_path / "folder"
    urls.write_text(
        "".join(f"http://h{number % 3}.example/{number}?token=q8Zx{number}\n" for number in range(2000)) + "x\n"
    )
    options = [option.format(folder / "out") for option in KINDS[kind]]
    command = [
        sys.executable,
        "-m",
        "weburl",
        *options,
        *([str(urls)] if options[0] == "redact" else ["-f", str(urls)]),
    ]

    def run(at: int) -> subprocess.CompletedProcess[str]:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "other").write_bytes(b"other")
        more = {"LD_PRELOAD": str(library), "OUT_DIR": str(folder), "FAIL_AT": str(at), "FAIL_WITH": str(error)}
        return subprocess.run(command, env=os.environ | more, capture_output=True, text=True, check=False)

    assert run(0).returncode == 0
    whole = files_in(folder)
    assert len(whole) > 1
    for at in range(1, 100):
        ended = run(at)
        left = files_in(folder)
        assert left["other"] == b"other"
        for name, data in left.items():
            assert (name.startswith(".weburl-") and error == 0) or data == whole[name], (at, name)
        if (folder / "out").is_dir() and kind == "partitions":
            assert left == whole
        if ended.returncode == 0:
            break
        if error:
            assert ended.returncode == 3, ended
            assert ended.stderr.splitlines()[-1].startswith(f"weburl: {folder}"), ended.stderr
            assert os.strerror(error).lower() in ended.stderr.lower()
        else:
            assert ended.returncode == -9
    # All calls have failed once: to open a file, to write, to close and to name it, at least.
    assert at > 4
