"""What the command cannot read: each ends with a sentence and a status that is not 0, and prints nothing."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest
from support.command import reading_by, run

from weburl.cli._exit import InputError
from weburl.cli.readers import inputs, open_files
from weburl.cli.readers.file_names import _is_skipped, _matching

LINES = b"http://a.example/\nhttp://b.example/\n" * 50


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("urls.txt", LINES)
    return out.getvalue()


def archived() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo("urls.txt")
        member.size = len(LINES)
        archive.addfile(member, io.BytesIO(LINES))
    return out.getvalue()


def damaged(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(255 - c for c in data[middle : middle + 8]) + data[middle + 8 :]


UTF_16 = "it is in UTF-16: only UTF-8 is read: convert it, as with iconv -f UTF-16 -t UTF-8"
UTF_32 = UTF_16.replace("16", "32")
BINARY = "it is not text (--input text reads it as text)"
TEXT = LINES.decode()
# What a file has, and what is said of it.
XZ = lzma.compress(LINES)
CONTENTS: dict[str, tuple[bytes, str]] = {
    "zip": (zipped(), "it is a zip archive: unpack it first, as with unzip -p"),
    "empty zip": (b"PK\x05\x06" + bytes(18), "it is a zip archive: unpack it first, as with unzip -p"),
    "7z": (b"7z\xbc\xaf\x27\x1c\0\4", "it is a 7z archive: unpack it first"),
    "rar": (b"Rar!\x1a\x07\x01\0", "it is a rar archive: unpack it first"),
    "tar": (archived(), "it is a tar archive: unpack it first, as with tar -xO"),
    "tar.gz": (gzip.compress(archived()), "it is a tar archive: unpack it first, as with tar -xO"),
    "tar.xz": (lzma.compress(archived()), "it is a tar archive: unpack it first, as with tar -xO"),
    "zip in bzip2": (bz2.compress(zipped()), "it is a zip archive: unpack it first, as with unzip -p"),
    "lz4": (b"\x04\x22\x4d\x18dp\xb9\x12", "it is packed with lz4: unpack it first"),
    "snappy": (b"\xff\x06\0\0sNaPpY\0", "it is packed with snappy: unpack it first"),
    "lzop": (b"\x89LZO\0\r\n\x1a\n", "it is packed with lzop: unpack it first"),
    "lzip": (b"LZIP\x01\x0c", "it is packed with lzip: unpack it first"),
    "lzma": (lzma.compress(LINES, lzma.FORMAT_ALONE), "it is packed with lzma: unpack it first"),
    "compress": (b"\x1f\x9d\x90h\xe8", "it is packed with compress: unpack it first"),
    "gzip three times": (
        gzip.compress(gzip.compress(gzip.compress(LINES))),
        "it is packed more than twice: unpack it first",
    ),
    "gzip cut off": (gzip.compress(LINES)[:-9], "it is cut off: its gzip data has no end"),
    "gzip damaged": (damaged(gzip.compress(LINES)), "its gzip data "),
    "gzip and more": (gzip.compress(LINES) + b"more", "its gzip data is damaged"),
    "bzip2 cut off": (bz2.compress(LINES)[:-9], "it is cut off: its bzip2 data has no end"),
    "bzip2 damaged": (damaged(bz2.compress(LINES)), "its bzip2 data is damaged"),
    "xz cut off": (lzma.compress(LINES)[:-9], "it is cut off: its xz data has no end"),
    "bzip2, the second damaged": (bz2.compress(LINES) + damaged(bz2.compress(LINES)), "its bzip2 data is damaged"),
    "bzip2, more": (bz2.compress(LINES) + b"garbage", "its bzip2 data is damaged"),
    "bzip2, the second cut off": ((bz2.compress(LINES) * 2)[:-9], "it is cut off: its bzip2 data has no end"),
    "xz, the second damaged": (XZ + damaged(XZ), "its xz data cannot be unpacked: "),
    "xz, more": (XZ + b"garbage, and more of it", "its xz data cannot be unpacked: "),
    "xz, half of a padding": (XZ + b"\0" * 6, "it is cut off: its xz data has no end"),
    "xz, half of a padding between": (XZ + b"\0" * 3 + XZ, "its xz data cannot be unpacked: "),
    "xz damaged": (damaged(lzma.compress(LINES)), "its xz data cannot be unpacked: "),
    "UTF-16": (TEXT.encode("utf-16"), UTF_16),
    "UTF-16, big-endian": (b"\xfe\xff" + TEXT.encode("utf-16-be"), UTF_16),
    "UTF-16 without a mark": (TEXT.encode("utf-16-le"), UTF_16),
    "UTF-16 without a mark, big-endian": (TEXT.encode("utf-16-be"), UTF_16),
    "UTF-16 in gzip": (gzip.compress(TEXT.encode("utf-16")), UTF_16),
    "UTF-32": (TEXT.encode("utf-32"), UTF_32),
    "UTF-32, big-endian": (b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"), UTF_32),
    "an encrypted Parquet file": (b"PARE\x40\1\0\0", "it is an encrypted Parquet file: decrypt it first"),
    "Feather 1": (b"FEA1\0\0\0\0", "it is a Feather file of version 1: write it as version 2"),
    "ORC": (b"ORC\x08\x03\x10", "it is an ORC file: write it as Parquet"),
    "Avro": (b"Obj\x01\x04\x14avro.codec", "it is an Avro file: write it as Parquet"),
    "SQLite": (b"SQLite format 3\0\x10\0", "it is a SQLite database: write the URLs to a text file"),
    "HDF5": (b"\x89HDF\r\n\x1a\n", "it is an HDF5 file: write it as Parquet"),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "it is an Office document: save it as CSV in UTF-8"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3", "it is a PDF document: give a file of text"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is a picture: give a file of text"),
    "JPEG": (b"\xff\xd8\xff\xe0\0\x10JFIF", "it is a picture: give a file of text"),
    "ELF": (b"\x7fELF\2\1\1\0", "it is a program: give a file of text"),
    "a pickle": (bytes(range(128)), BINARY),
    "zlib": (zlib.compress(bytes(range(256)) * 4), BINARY),
    "JSON": (b'[{"url": "http://a.example/"}]', "it looks like JSON: --field NAME says which field has the URLs"),
    "JSON Lines": (b'{"url": "http://a/"}\n', "it looks like JSON: --field NAME says which field has the URLs"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTENTS)
def test_what_is_not_read(name: str, tmp_path: Path) -> None:
    data, said = CONTENTS[name]
    path = tmp_path / "urls.txt"
    path.write_bytes(data)
    status = 2 if "--field" in said else 3
    for ended, shown in ((run("-f", str(path)), str(path)), (run(stdin=data), "standard input")):
        assert (ended.status, ended.out) == (status, "")
        assert ended.err.startswith(f"weburl: {shown}: {said}")
        assert ended.err.count("\n") == 1
        assert ended.err.endswith((f"{said}\n",)) or said.endswith(" ")
    for command in ("check", "stats"):
        ended = run(command, str(path))
        assert (ended.status, ended.out) == (status, "")
        assert f"{path}: {said}" in ended.err


def folder_without_files(folder: Path) -> list[str]:
    (folder / "empty" / "more").mkdir(parents=True)
    (folder / "empty" / "_SUCCESS").touch()
    return ["-f", str(folder / "empty")]


def csv_in_utf_16(folder: Path) -> list[str]:
    (folder / "a.csv").write_text("u\nhttp://a\n", "utf-16")
    return ["-f", str(folder / "a.csv"), "--column", "u"]


def named_parquet(folder: Path) -> list[str]:
    (folder / "a.parquet").write_bytes(LINES)
    return ["-f", str(folder / "a.parquet")]


def named_feather(folder: Path) -> list[str]:
    (folder / "a.feather.gz").write_bytes(gzip.compress(LINES))
    return ["-f", str(folder / "a.feather.gz")]


def parquet_as_csv(folder: Path) -> list[str]:
    (folder / "a.csv").write_bytes(b"PAR1\x15\x04")
    return ["-f", str(folder / "a.csv"), "--input", "csv"]


def arrow_as_text(folder: Path) -> list[str]:
    (folder / "a.txt").write_bytes(b"\xff\xff\xff\xff\x00\x01")
    return ["-f", str(folder / "a.txt"), "--input", "text"]


def a_url_after_f(folder: Path) -> list[str]:
    return ["-f", "http://a.example/"]


def a_socket(folder: Path) -> list[str]:
    os.chdir(folder)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
    return ["-f", "s"]


def a_list_of_hosts(option: str, data: bytes) -> Callable[[Path], list[str]]:
    def made(folder: Path) -> list[str]:
        (folder / "list").write_bytes(data)
        return [option, str(folder / "list"), "-g", "{route}" if option == "--routes" else "{href}", "http://a"]

    return made


def links_of(data: bytes) -> Callable[[Path], list[str]]:
    def made(folder: Path) -> list[str]:
        (folder / "page.html").write_bytes(data)
        return ["links", str(folder / "page.html")]

    return made


PLACES: dict[str, tuple[Callable[[Path], list[str]], int, str]] = {
    "no such file": (lambda folder: ["-f", str(folder / "x")], 3, "/x: no such file or directory\n"),
    "a URL": (a_url_after_f, 3, "no such file or directory; all that follows -f is a file: URLs go before it\n"),
    "no file in a folder": (folder_without_files, 3, "/empty: no file is in this folder\n"),
    "a glob": (lambda folder: ["-f", str(folder / "*.gz")], 3, "/*.gz: no file matches\n"),
    "a folder of such": (lambda folder: csv_in_utf_16(folder) and ["-f", str(folder)], 3, f"/a.csv: {UTF_16}\n"),
    "CSV in UTF-16": (csv_in_utf_16, 3, f"/a.csv: {UTF_16}\n"),
    "text named .parquet": (named_parquet, 3, "/a.parquet: it is not parquet: its first bytes are not parquet's\n"),
    "text named .feather": (named_feather, 3, "/a.feather.gz: it is not arrow: its first bytes are not arrow's\n"),
    "--input csv": (parquet_as_csv, 2, "/a.csv: it is parquet, not csv: leave out --input csv\n"),
    "--input text": (arrow_as_text, 2, "/a.txt: it is arrow, not text: leave out --input text\n"),
    "--hosts packed": (a_list_of_hosts("--hosts", gzip.compress(b"a\n")), 3, "/list: it is packed with gzip: unpack"),
    "--not-hosts in UTF-16": (a_list_of_hosts("--not-hosts", "a\n".encode("utf-16")), 3, f"/list: {UTF_16}\n"),
    "--routes packed": (a_list_of_hosts("--routes", zipped()), 3, "/list: it is a zip archive: unpack it first"),
    "--hosts of Arrow": (a_list_of_hosts("--hosts", b"ARROW1\0\0"), 3, "/list: it is a file of Arrow, not of text\n"),
    "links of gzip": (links_of(gzip.compress(b"<a href=b>")), 3, "/page.html: it is packed with gzip: unpack it"),
    "links of a picture": (links_of(b"\x89PNG\r\n\x1a\n"), 3, "/page.html: it is a picture: give a file of text\n"),
    "a device without a right": (lambda folder: ["-f", str(folder / "no")], 3, "/no: permission denied\n"),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_that_are_not_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, status, said = PLACES[name]
    given = arguments(tmp_path)
    if given[-1].endswith("/no"):

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("builtins.open", refuse)
    ended = run(*given)
    assert (ended.status, ended.out) == (status, "")
    assert said in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="sockets are files of POSIX")
def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run(*a_socket(tmp_path))
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.startswith("weburl: s: ")


def test_what_is_not_read_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[IO[bytes]] = []

    def remembered(*arguments: Any, **options: Any) -> IO[bytes]:
        opened.append(open(*arguments, **options))  # noqa: SIM115
        return opened[-1]

    monkeypatch.setattr(open_files, "open", remembered, raising=False)
    path = tmp_path / "urls.csv"
    path.write_bytes(zipped())
    sources = iter(inputs.Inputs(reading_by("-f", str(path))))
    with pytest.raises(InputError):
        next(next(sources).blocks)
    assert [file.closed for file in opened] == [True]


def test_there_are_many() -> None:
    assert len(CONTENTS) + len(PLACES) > 55


def test_text_is_not_taken_for_something_else() -> None:
    for text in (b"PAR1\n", b"PAR1SE", b"BZh91", b"PK", b"ORC\n", b"Obj", b"MZ", b"LZIP", b"Rar!", b"FEA1", b"7z"):
        assert run("-g", "{input}", stdin=text).out == text.decode().rstrip("\n") + "\n"
    # A log that was cut while its writer had it open.
    ended = run(stdin=bytes(4096) + b"http://a/\nhttp://b/\n")
    assert (ended.status, ended.out) == (0, "http://a/\nhttp://b/\n")
    assert run("--input", "text", "-g", "{error}", stdin=bytes(range(128))).status == 0
    assert run("--input", "text", "--base", "http://h", stdin=b'{"a"').out == "http://h/%7B%22a%22\n"


def test_zstd_without_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression", "compression.zstd", "backports", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    ended = run(stdin=b"\x28\xb5\x2f\xfd\x04\0")
    why = "it is packed with zstd, which needs backports.zstd: pip install weburl[zstd]"
    assert ended == (3, "", f"weburl: standard input: {why}\n")


# Arguments.


def test_an_argument_that_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("http://a\n")
    Path("c:").touch()
    for name in ("a.txt", "c:", str(tmp_path)):
        ended = run("http://h", name)
        assert (ended.status, ended.out) == (2, "")
        assert ended.err.endswith(" is a file, not a URL: -f reads it, as in weburl -f FILE\n")
    assert run("--base", "http://h", "a.txt").out == "http://h/a.txt\n"
    assert run("--", "a.txt").out == "\n"
    assert run("b.txt").status == 1
    assert run("\0").status == 1


@pytest.mark.parametrize(
    ("typed", "meant"), [("chekc", "check"), ("explian", "explain"), ("Stats", "stats"), ("difff", "diff")]
)
def test_a_command_that_is_mistyped(typed: str, meant: str) -> None:
    for rest in ([], ["--json"], ["--failures", "x.txt"]):
        ended = run(typed, *rest)
        assert (ended.status, ended.out) == (2, "")
        last = f"weburl: '{typed}' is not a command: did you mean weburl {meant}? A URL goes after --"
        assert ended.err.splitlines()[-1] == last
    assert run(typed, "--base", "http://h").out == f"http://h/{typed}\n"
    assert run("--", typed).out == "\n"
    assert run("http", typed).out == "\n\n"


# Several files.


def test_all_up_to_the_next_option(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in "abc"]
    for name in names:
        Path(name).write_text(f"http://{Path(name).name}\n")
    assert run("http://x", "-f", *names[:2], "-g", "{host}", "-f", names[2]).lines == ["x", "a", "b", "c"]
    assert run("-f", *names, "--", "http://x").lines == ["http://x/", "http://a/", "http://b/", "http://c/"]
    assert run("stats", "--json", names[0], "-f", *names[1:]).out.startswith('{"urls": 3')


def test_folders_and_globs(tmp_path: Path) -> None:
    for name in ("b/2", "b/10", "a/x/1.csv", "a/.hidden", "a/_temporary/3", "c", "b/_SUCCESS", "d.bz2"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = f"{'u' * name.endswith('csv')}\nhttp://{Path(name).name}\n".lstrip().encode()
        (tmp_path / name).write_bytes(bz2.compress(text) if name.endswith("bz2") else text)
    options = ["-g", "{host}", "--invalid", "drop"]
    assert run("-f", str(tmp_path), *options).lines == ["c", "d.bz2", "1.csv", "0.0.0.10", "0.0.0.2"]
    assert run("-f", str(tmp_path / "?"), *options).lines == ["1.csv", "0.0.0.10", "0.0.0.2", "c"]
    assert run("-f", str(tmp_path / "**" / "*.csv"), *options).lines == ["1.csv"]
    assert run("-f", str(tmp_path / "**"), *options).lines == ["1.csv", "0.0.0.10", "0.0.0.2", "c", "d.bz2"]
    # A name that exists is no glob.
    (tmp_path / "c").rename(tmp_path / "[c]")
    assert run("-f", str(tmp_path / "[c]"), *options).lines == ["c"]


@pytest.mark.parametrize("padding", [0, 4, 8, 65536, 1 << 17])
@pytest.mark.parametrize("is_pipe", [False, True], ids=["file", "pipe"])
def test_streams_of_xz(padding: int, is_pipe: bool, tmp_path: Path) -> None:
    """The padding is of four bytes, or a multiple: section 2.2 of the format."""
    packed = (lzma.compress(b"http://a/\n") + b"\0" * padding) * 3
    (tmp_path / "x.xz").write_bytes(packed)
    ended = run(stdin=packed) if is_pipe else run("-f", str(tmp_path / "x.xz"))
    assert ended == (0, "http://a/\n" * 3, "")


def test_streams_of_bzip2() -> None:
    parts = [b"http://h/%d\n" % number * 10_000 for number in range(4)]
    ended = run(stdin=b"".join(map(bz2.compress, [*parts, b""])))
    assert (ended.status, ended.out.encode()) == (0, b"".join(parts))


@pytest.mark.skipif(sys.platform == "win32", reason="makes links")
def test_links_to_folders_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a/b").mkdir(parents=True)
    for name in ("a/1.txt", "a/b/2.txt", "a/b/.3.txt"):
        Path(name).write_text(f"http://h{name[-5]}/\n")
    for number in range(5):
        Path(f"a/b/loop{number}").symlink_to("..")
        Path(f"a/self{number}").symlink_to(".")
    assert run("-f", "*/", "a/b/../*.txt").lines == ["http://h1/", "http://h2/", "http://h1/"]
    for name in ("a/**/*.txt", "a/**", "**/*.txt", "./**/a/**/?.txt", f"{tmp_path}/**/*.txt"):
        assert run("-f", name).lines == ["http://h1/", "http://h2/"], name
    assert run("-f", "a/**/b/*.txt").lines == ["http://h2/"]
    assert run("-f", "a/**b/*.txt").lines == ["http://h2/"]
    assert run("-f", "none/**").err == "weburl: none/**: no file matches\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a path of Windows is shorter")
@pytest.mark.skipif(sys.platform == "emscripten", reason="os.stat takes as long as a path is deep there")
def test_folders_deeper_than_the_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    depth = sys.getrecursionlimit() + 500
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    Path("x.txt").write_text("http://h/\n")
    os.chdir(tmp_path)
    try:
        for name in (".", "**/*.txt", "d/**/d/*.txt"):
            assert run("-f", name).lines == ["http://h/"], name
        assert run("find", "--only", ".").lines == ["http://h/"]
    finally:
        # What removes folders calls itself for each, too.
        os.chdir("/".join(["d"] * depth))
        os.remove("x.txt")
        for _ in range(depth):
            os.chdir("..")
            os.rmdir("d")


NAMES = ["a", "b", "ab", "a.txt", "b.txt", ".a", "_b", "a[b]"]
PARTS = ["**", "**", "*", "a*", "?", "[ab]", "a", "b", "*.txt", "**b", ".*", ".."]


@pytest.mark.skipif(sys.platform in ("win32", "emscripten"), reason="makes links, and asks for `..` of a file")
def test_globs_find_what_pathlib_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(35)
    # Five times `..` is still a folder of this test.
    folder = tmp_path / "1" / "2" / "3" / "4" / "5"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    folders = [Path()]
    for _ in range(60):
        path = random.choice(folders) / random.choice(NAMES)
        if not os.path.lexists(path):
            kind = random.randrange(5)
            if kind < 3:
                path.mkdir()
                folders.append(path)
            elif kind == 3:
                path.write_text("http://h/\n")
            else:
                path.symlink_to(random.choice([".", "a.txt", "nowhere"]))
    found = 0
    for _ in range(300):
        parts = [random.choice(PARTS) for _ in range(random.randrange(1, 5))]
        parts.insert(random.randrange(len(parts) + 1), "**")
        expected = {
            str(path)
            for path in Path().glob("/".join(part if part == "**" else part.replace("**", "*") for part in parts))
            if not path.is_dir()
        }
        if parts[-1] == "**":
            inside = "/".join([*(part if part == "**" else part.replace("**", "*") for part in parts), "*"])
            expected = {str(path) for path in Path().glob(inside) if not path.is_dir()}
        # A link that leads nowhere is found by pathlib if the last part has a star, and here always.
        found_here = {path for path in _matching("/".join(parts)) if not os.path.isdir(path)}
        # What is hidden is not read.
        expected = {path for path in expected if not _is_skipped(path, "/".join(parts))}
        found_here = {path for path in found_here if not _is_skipped(path, "/".join(parts))}
        assert {*filter(os.path.exists, found_here)} == {*filter(os.path.exists, expected)}, parts
        assert expected <= found_here
        found += len(expected)
    assert found > 300


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a pipe")
def test_a_pipe_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("http://a/\n")
    os.mkfifo(tmp_path / "b")
    assert run("-f", str(tmp_path)).lines == ["http://a/"]
    (tmp_path / "c").symlink_to("none")
    assert run("-f", str(tmp_path)).status == 3
