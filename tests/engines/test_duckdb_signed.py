"""Native functions in databases that take only signed extensions."""

from __future__ import annotations

import base64
import hashlib
import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from weburl.ext._engines.duckdb import repository
from weburl.ext._engines.duckdb.native import OLDEST_NATIVE
from weburl.ext._engines.duckdb.signing import Key, is_prime
from weburl.ext._engines.versions import is_older
from weburl.ext.duckdb import register

pytestmark = pytest.mark.skipif(is_older(duckdb.__version__, OLDEST_NATIVE), reason="has no repositories")


MIB = 1 << 20


@pytest.fixture(scope="module")
def key() -> Key:
    return Key()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


@pytest.fixture
def con(home: Path) -> Iterator[Any]:
    with duckdb.connect() as con:
        yield con


def files(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*") if path.is_file())


def hosts(con: Any) -> list[Any]:
    return [
        row[0] for row in con.execute("select url_hostname('x', base := 'http://H' || i) from range(3) r(i)").fetchall()
    ]


def settings(con: Any) -> list[Any]:
    found: list[Any] = con.execute("select name, value from duckdb_settings() order by name").fetchall()
    return found


# Keys.


def test_signatures(key: Key) -> None:
    """What the standard says of a signature holds, whatever the content."""
    generator = random.Random(3)
    assert key.modulus.bit_length() == 2048
    for size in (0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 17):
        content = generator.randbytes(size)
        parts = [hashlib.sha256(content[at : at + MIB]).digest() for at in range(0, size, MIB)]
        opened = pow(int.from_bytes(key.sign(content), "big"), 65537, key.modulus).to_bytes(256, "big")
        assert opened[:2] == b"\0\1"
        assert opened[2:-52] == b"\xff" * 202
        assert opened[-32:] == hashlib.sha256(b"".join(parts)).digest()
    assert key.modulus.to_bytes(256, "big") in base64.b64decode(key.public())


def test_keys_are_new(key: Key) -> None:
    assert Key().modulus != key.modulus


def test_primes() -> None:
    sieve = [True] * 20_000
    for number in range(2, 20_000):
        if sieve[number]:
            sieve[number * number :: number] = [False] * len(sieve[number * number :: number])
    assert [n for n in range(5, 20_000, 2) if is_prime(n)] == [n for n in range(5, 20_000, 2) if sieve[n]]
    # Numbers that other tests take for primes.
    for number in (561, 1105, 825_265, 321_197_185, 3_825_123_056_546_413_051, 2**1279 - 1 + 2):
        assert not is_prime(number)
    assert is_prime(2**1279 - 1)


# Databases.


def test_the_settings_of_the_database_stay(home: Path, con: Any) -> None:
    before = settings(con)
    assert register(con, native=True) == "native"
    assert hosts(con) == ["h0", "h1", "h2"]
    assert settings(con) == before
    # DuckDB trusts the repository no longer.
    assert not [name for name in files(home) if name.endswith(".repo.json")]


def test_it_is_asked_for(home: Path, con: Any) -> None:
    """By the argument or by the setting. Otherwise nothing is written."""
    assert register(con) == "arrow"
    assert files(home) == []
    with duckdb.connect(config={"allow_extension_repositories": "allowed"}) as other:
        assert register(other) == "native"
        assert hosts(other) == ["h0", "h1", "h2"]


def test_every_name_of_the_file(con: Any) -> None:
    for number in range(10):
        assert register(con, ["host", "error"][: number % 2 + 1], bits=32 + number, native=True) == "native"
    with pytest.raises(ValueError, match="9 times"):
        register(con, ["port"], native=True)
    assert hosts(con) == ["h0", "h1", "h2"]


def test_more_databases_share_the_file(home: Path, con: Any) -> None:
    assert register(con, native=True) == "native"
    before = files(home)
    for _ in range(5):
        with duckdb.connect() as other:
            assert register(other, native=True) == "native"
            assert hosts(other) == ["h0", "h1", "h2"]
    assert files(home) == before


@pytest.mark.parametrize("setting", ["extension_directory", "extension_repository_directory", "home_directory"])
def test_directories_of_a_database(home: Path, setting: str) -> None:
    other = home / "it's ours"
    other.mkdir()
    with duckdb.connect(config={setting: str(other)}) as con:
        assert register(con, native=True) == "native"
        assert hosts(con) == ["h0", "h1", "h2"]
    assert not [name for name in files(home) if name.endswith(".repo.json")]
    assert ("weburl.duckdb_extension" in files(other)) == (setting != "extension_repository_directory")


@pytest.mark.parametrize("place", [0, 1000, -1, -256])
def test_a_changed_file_is_refused(home: Path, con: Any, place: int, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte of the module, of the metadata or of the signature. The repository is removed again."""
    sign = Key.sign

    def write(self: Any, path: Path, content: bytes) -> None:
        signed = bytearray(content + sign(self.key, content))
        signed[place] ^= 1
        path.parent.mkdir(parents=True)
        path.with_suffix("").write_bytes(signed)

    monkeypatch.setattr(repository, "_repository", None)
    monkeypatch.setattr(repository, "Key", lambda: key)
    monkeypatch.setattr(repository.Repository, "write", write)
    with pytest.raises(duckdb.Error, match=r"signature|not a DuckDB extension|metadata"):
        register(con, native=True)
    assert not [name for name in files(home) if name.endswith(".repo.json")]
    assert register(con) == "arrow"
    assert con.execute("select url_hostname('http://A')").fetchall() == [("a",)]


def test_a_home_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "file"
    home.write_bytes(b"")
    monkeypatch.setenv("HOME", str(home))
    with duckdb.connect() as con:
        with pytest.raises(duckdb.Error):
            register(con, native=True)
        assert register(con) == "arrow"


@pytest.mark.skipif(os.name != "posix", reason="removes a file that is in use")
def test_nothing_is_left(home: Path) -> None:
    program = """
    import duckdb, weburl.ext.duckdb
    con = duckdb.connect()
    assert weburl.ext.duckdb.register(con, native=True) == "native"
    assert con.execute("select url_hostname('http://A')").fetchall() == [("a",)]
    """
    temporary = home / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=120, env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert files(home) == []
