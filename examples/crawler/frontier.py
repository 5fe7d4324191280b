"""The frontier: which pages are known, and what became of each. It is a file of SQLite that all processes share.

Each change is one transaction. So after a SIGKILL, each page is queued, in flight or done, and none is lost.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY,       -- pages are fetched in the order in which they were found
    key INTEGER NOT NULL UNIQUE,  -- fingerprint(url, bits=63)
    url TEXT NOT NULL,
    shard INTEGER NOT NULL,       -- shard(url, shards): the process that fetches it
    site TEXT NOT NULL,           -- host_group(url)
    trap TEXT NOT NULL,           -- trap_key(url)
    before TEXT NOT NULL,         -- the URLs that redirected to it, with spaces between them
    state TEXT NOT NULL,          -- queued, in flight, done
    result TEXT                   -- a status, or why there is none
);
CREATE INDEX IF NOT EXISTS queue ON pages (state, shard, site, id);
CREATE TABLE IF NOT EXISTS traps (key TEXT PRIMARY KEY, pages INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS crawl (shards INTEGER NOT NULL);
"""


class Page(NamedTuple):
    """A page that a link leads to."""

    key: int
    url: str
    shard: int
    site: str
    trap: str
    before: str = ""


def create(path: Path, shards: int) -> None:
    """Makes the file, unless it is there. If several processes are started, call it before."""
    with closing(sqlite3.connect(path, timeout=60)) as db, db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(SCHEMA)
        db.execute("INSERT INTO crawl SELECT ? WHERE NOT EXISTS (SELECT * FROM crawl)", [shards])
        (before,) = db.execute("SELECT shards FROM crawl").fetchone()
    if before != shards:
        raise SystemExit(f"{path} is for {before} shards, not for {shards}")


class Frontier:
    """The frontier, as one process sees it: it fetches the pages of one shard, and finds those of all."""

    def __init__(self, path: Path, shard: int, shards: int, trap_limit: int) -> None:
        create(path, shards)
        self.shard = shard
        self.trap_limit = trap_limit
        # Held until the process ends, however it ends: two processes for one shard would fetch its pages twice.
        self.lock = sqlite3.connect(f"{path}.shard-{shard}", isolation_level=None, timeout=0)
        try:
            self.lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self.lock.close()
            raise SystemExit(f"another process crawls shard {shard} of {path}") from error
        # `with self.db` is a transaction. It begins with the first change, and other processes wait until it ends.
        self.db = sqlite3.connect(path, isolation_level="IMMEDIATE", timeout=60)
        # No sync for each change. A loss of power can undo the last changes, but breaks nothing.
        self.db.execute("PRAGMA synchronous = NORMAL")
        with self.db:
            # A process that was killed did not finish these.
            self.db.execute("UPDATE pages SET state = 'queued' WHERE state = 'in flight' AND shard = ?", [shard])

    def close(self) -> None:
        self.db.close()
        self.lock.close()

    def unknown(self, keys: Iterable[int]) -> set[int]:
        """Those keys whose pages are not in the frontier."""
        found = "SELECT 1 FROM pages WHERE key = ?"
        return {key for key in keys if self.db.execute(found, [key]).fetchone() is None}

    def add(self, pages: Iterable[Page]) -> None:
        with self.db:
            self.insert(pages)

    def insert(self, pages: Iterable[Page]) -> None:
        """Queues pages that are new, unless they are in a trap: the number of pages with their trap key is limited."""
        queued = (
            "INSERT OR IGNORE INTO pages SELECT NULL, ?, ?, ?, ?, ?, ?, 'queued', NULL"
            " WHERE coalesce((SELECT pages FROM traps WHERE key = ?), 0) < ?"
        )
        counted = "INSERT INTO traps VALUES (?, 1) ON CONFLICT DO UPDATE SET pages = pages + 1"
        for page in pages:
            if self.db.execute(queued, [*page, page.trap, self.trap_limit]).rowcount:
                self.db.execute(counted, [page.trap])

    def sites(self) -> Iterator[str]:
        """The sites of this shard that have queued pages."""
        query = "SELECT min(site) FROM pages WHERE state = 'queued' AND shard = ? AND site > ?"
        site = ""
        while (site := self.db.execute(query, [self.shard, site]).fetchone()[0]) is not None:
            yield site

    def claim(self, site: str) -> Page | None:
        """The next page of a site, which is now in flight."""
        query = (
            "UPDATE pages SET state = 'in flight' WHERE id = (SELECT min(id) FROM pages WHERE state = 'queued'"
            " AND shard = ? AND site = ?) RETURNING key, url, shard, site, trap, before"
        )
        with self.db:
            row = self.db.execute(query, [self.shard, site]).fetchone()
        return None if row is None else Page(*row)

    def finish(self, page: Page, result: str, found: Iterable[Page] = ()) -> None:
        """The page is done, and what was found there is queued: both or, after a SIGKILL, neither."""
        with self.db:
            self.insert(found)
            self.db.execute("UPDATE pages SET state = 'done', result = ? WHERE key = ?", [result, page.key])

    def is_finished(self) -> bool:
        """Whether all shards have fetched everything. Until then, they can still find pages for this one."""
        return self.db.execute("SELECT 1 FROM pages WHERE state IN ('queued', 'in flight')").fetchone() is None
