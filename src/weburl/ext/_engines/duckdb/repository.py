"""The file that DuckDB loads where it takes only signed extensions: from a repository that it trusts for a moment.

DuckDB keeps the repositories that it trusts, and their keys, in files of the user. A database of our own permits
another one and adds it. The user's database loads the file from there, and its settings stay as they are. Then the
repository is removed.
"""

from __future__ import annotations

import atexit
import gzip
import os
import re
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from weburl.ext._engines.duckdb.library import content_of, open_library
from weburl.ext._engines.duckdb.signing import Key


class Repository:
    """The repository of this process, and its key. What is installed from it stays until the process ends."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.name = f"weburl_{self.pid}_{secrets.token_hex(8)}"
        self.key = Key()
        self.directories: set[Path] = set()
        atexit.register(self.remove)

    def remove(self) -> None:
        # A process that was forked from this one has the same directories.
        if os.getpid() == self.pid:
            for directory in self.directories:
                shutil.rmtree(directory, ignore_errors=True)

    def load(self, con: Any, name: str, platform: str) -> None:
        places = Places(con)
        with (
            duckdb.connect(config={**places.settings, "allow_extension_repositories": "allowed"}) as own,
            tempfile.TemporaryDirectory(prefix="weburl-") as prefix,
        ):
            quoted = prefix.replace("'", "''")
            own.execute(
                f"create extension repository {self.name} with prefix '{quoted}' using public key '{self.key.public()}'"
            )
            try:
                if places.installed(self.name, name) is None:
                    version = own.execute("select library_version from pragma_version()").fetchone()[0]
                    self.write(Path(prefix, version, platform, f"{name}.duckdb_extension.gz"), content_of(platform))
                    own.execute(f"install {name} from {self.name}")
                path = places.installed(self.name, name)
                if path is None:
                    raise duckdb.IOException(f"DuckDB has not installed {name} below {places.extensions}")
                self.directories.add(path.parent)
                open_library(path)
                con.execute(f"load {name} from {self.name}")
            finally:
                own.execute(f"drop extension repository {self.name}")

    def write(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress(content + self.key.sign(content), 1))


class Places:
    """Where a database looks for extensions and repositories."""

    def __init__(self, con: Any) -> None:
        names = ("home_directory", "extension_repository_directory", "extension_directory", "extension_directories")
        query = ", ".join([f"current_setting('{name}')" for name in names])
        home, repositories, directory, directories = con.execute(f"select {query}").fetchone()
        directory = directory or next(iter(directories or ()), "~/.duckdb/extensions")
        # DuckDB's own meaning of ~ is a setting.
        self.extensions = Path(re.sub("^~", lambda _: home or str(Path.home()), directory))
        given = {"home_directory": home, "extension_repository_directory": repositories}
        self.settings = {name: value for name, value in given.items() if value}
        self.settings["extension_directory"] = str(self.extensions)

    def installed(self, repository: str, name: str) -> Path | None:
        return next(self.extensions.glob(f"*/*/repositories/{repository}/{name}.duckdb_extension"), None)


_repository: Repository | None = None


def load(con: Any, name: str, platform: str) -> None:
    """Loads the file under a name into a database."""
    global _repository
    if _repository is None or _repository.pid != os.getpid():
        _repository = Repository()
    _repository.load(con, name, platform)
