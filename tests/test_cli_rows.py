"""One row makes a compression, an input format, an output format and an option of the command, in all places."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Bytes that are turned by one, after the mark "ROT1\0".
COMPRESSION = """

class _TurnedFile:
    def __init__(self, file):
        self.file = file
        file.read(5)

    def read(self, size):
        return bytes((byte - 1) % 256 for byte in self.file.read(size) or b"")


class _Turned:
    def __init__(self):
        self.begin = b"ROT1\\0"

    def compress(self, data):
        begin, self.begin = self.begin, b""
        return begin + bytes((byte + 1) % 256 for byte in data)

    def flush(self):
        return self.compress(b"\\n#")


PACKINGS += (Packing("rot", rb"ROT1\\0", ".rot", lambda file, memory: (_TurnedFile(file), ValueError), _Turned),)
"""
INPUT_FORMAT = '''

def _read_commented(stream, reading, keep):
    """Lines, without those that begin with #."""
    from weburl.cli.readers.text import read_text

    lines = stream.read(1 << 20).splitlines(keepends=True)
    import io
    from weburl.cli.readers.byte_stream import ByteStream

    rest = b"".join(line for line in lines if not line.startswith(b"#"))
    return read_text(ByteStream(io.BytesIO(rest), stream.name), reading.limit)


ROWS += (Format("commented", _read_commented, (".hash",)),)
'''
OUTPUT_FORMAT = """

class BracketWriter(CsvWriter):
    option = "--brackets"
    help = "write CSV, with brackets around names"

    def header_cell(self, label):
        return f"[{label}]"


WRITERS += [BracketWriter]
"""
# Runs a command line with a module to whose text, before the line that begins in this way, something is added.
PROGRAM = """
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

name, begin, text, *arguments = sys.argv[1:]
spec = find_spec(name)
source = Path(spec.origin).read_text("utf-8")
place = source.index(begin)
module = ModuleType(name)
module.__spec__, module.__file__ = spec, spec.origin
sys.modules[name] = module
exec(compile(source[:place] + text + source[place:], spec.origin, "exec"), vars(module))
parent, _, short = name.rpartition(".")
setattr(sys.modules[parent], short, module)
from weburl.cli import main
sys.exit(main(arguments))
"""
PLACES = {
    COMPRESSION: ("weburl.cli._packings", "# By the ends of files' names"),
    INPUT_FORMAT: ("weburl.cli.readers.formats", "FORMATS: Final"),
    OUTPUT_FORMAT: ("weburl.cli.writers.formats", "ChosenWriter ="),
}


def run(row: str, *arguments: str, folder: Path) -> str:
    command = [sys.executable, "-c", PROGRAM, *PLACES[row], row, *arguments]
    done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def help_of(row: str, *command: str, folder: Path) -> str:
    return " ".join(run(row, *command, "--help", folder=folder).split())


def test_a_compression(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"GET /?token=q8Zx\nhttp://u:p@h/")
    run(COMPRESSION, "redact", "log", "-o", "log.rot", folder=tmp_path)
    packed = (tmp_path / "log.rot").read_bytes()
    assert packed.startswith(b"ROT1\0")
    assert b"REDACTED" not in packed
    assert (
        run(COMPRESSION, "redact", "log.rot", folder=tmp_path) == "GET /?token=REDACTED\nhttp://REDACTED:REDACTED@h/\n#"
    )
    (tmp_path / "urls.csv.rot").write_bytes(b"ROT1\0" + bytes(byte + 1 for byte in b"n,u\n1,http://a/?b\n"))
    assert run(COMPRESSION, "--column", "u", "-f", "urls.csv.rot", folder=tmp_path) == "http://a/?b\n"
    assert "gzip, bzip2, xz, zstd and rot are decompressed" in help_of(COMPRESSION, folder=tmp_path)
    assert "ends in .gz, .bz2, .xz, .zst or .rot," in help_of(COMPRESSION, "redact", folder=tmp_path)


def test_an_input_format(tmp_path: Path) -> None:
    (tmp_path / "a.hash").write_bytes(b"# a\nhttp://h/#b\n#c\nhttp://i")
    assert run(INPUT_FORMAT, "-f", "a.hash", folder=tmp_path) == "http://h/#b\nhttp://i/\n"
    (tmp_path / "a").write_bytes(b"#\nhttp://h/\n")
    assert run(INPUT_FORMAT, "--input", "commented", "-f", "a", folder=tmp_path) == "http://h/\n"
    assert "cdxj or commented. gzip" in help_of(INPUT_FORMAT, folder=tmp_path)


def test_an_output_format(tmp_path: Path) -> None:
    assert run(OUTPUT_FORMAT, "--brackets", "-g", "{host}", "http://h/", folder=tmp_path) == "[host]\nh\n"
    assert "--arrow or --brackets, the names" in help_of(OUTPUT_FORMAT, folder=tmp_path)
    assert "--brackets" in run(OUTPUT_FORMAT, "completion", "bash", folder=tmp_path)
