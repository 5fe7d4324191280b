"""examples/crawler on sites with all that a crawler meets: it fetches exactly what it should, also after SIGKILLs."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from sqlite3 import connect

import pytest
from crawl.wild_site import DELAY, HOSTS, SLOW, WildSite, problems
from crawl_wild import Wild, environment, serving
from crawler.crawl import REQUESTS
from crawler.frontier import Frontier, Page, create

PAGES, TRAP_LIMIT = 400, 12


@pytest.fixture(scope="module")
def server() -> Iterator[Wild]:
    with serving(PAGES, TRAP_LIMIT) as wild:
        yield wild


@pytest.fixture
def wild(server: Wild) -> Wild:
    server.ask("clear")
    return server


@pytest.fixture
def frontier(tmp_path: Path) -> Path:
    return tmp_path / "crawl.sqlite"


def run(wild: Wild, frontier: Path, *options: str) -> str:
    process = wild.crawl(frontier, *options)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return output


def states(frontier: Path) -> Counter[str]:
    with closing(connect(frontier)) as db:
        return Counter(state for (state,) in db.execute("SELECT state FROM pages"))


def results(frontier: Path, like: str) -> set[str]:
    with closing(connect(frontier)) as db:
        return {result for (result,) in db.execute("SELECT result FROM pages WHERE url LIKE ?", [like])}


def test_exactly_what_it_should(wild: Wild, frontier: Path) -> None:
    output = run(wild, frontier)
    assert not any(wild.problems().values()), wild.problems()
    assert states(frontier).keys() == {"done"}
    assert results(frontier, "http://down.example.org%") == {"robots.txt cannot be read"}
    # Links to pages of the same host are not even queued.
    assert results(frontier, "%/private/first") == {"forbidden by robots.txt"}
    assert results(frontier, "%/private/b") == results(frontier, "%/x~y") == set()
    assert results(frontier, "%//internal.example.com%") == {"robots.txt cannot be read"}
    shown = re.fullmatch(r"shard 0: (\d+) requests, \d+ a second\. [\d.]+ ms of CPU each\n", output)
    assert shown is not None
    assert int(shown[1]) >= wild.ask("requests")
    # Another start finds that there is nothing left.
    before = wild.ask("requests")
    assert run(wild, frontier).startswith("shard 0: 0 requests,")
    assert wild.ask("requests") == before


def test_two_processes_together(wild: Wild, frontier: Path) -> None:
    output = run(wild, frontier, "--shards", "2")
    assert not any(wild.problems().values()), wild.problems()
    counts = [int(count) for count in re.findall(r"shard \d: (\d+) requests", output)]
    assert len(counts) == 2
    assert min(counts) > PAGES // 8


def check_kills(wild: Wild, frontier: Path, kills: int, random: Random) -> None:
    """Nothing is lost, and of what was fetched, at most the requests in flight are repeated."""
    in_flight = wild.crawl_with_kills(frontier, kills, random, "--shards", "2")
    found = wild.problems()
    again = found.pop("again")
    # A process that has just been started owes a site no pause.
    found.pop("too early")
    assert not any(found.values()), found
    assert states(frontier).keys() == {"done"}
    assert len(in_flight) == kills
    assert len(again) <= sum(map(len, in_flight))
    for sites in in_flight:
        assert len(sites) <= 2 * REQUESTS
        # No site has two requests at a time.
        assert len(set(sites)) == len(sites)


def test_after_kills_nothing_is_lost(wild: Wild, frontier: Path) -> None:
    check_kills(wild, frontier, 5, Random(5))


@pytest.mark.slow
def test_twenty_kills_in_twenty_thousand_pages(frontier: Path) -> None:
    with serving(20_000, 200) as wild:
        check_kills(wild, frontier, 20, Random(20))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_finishes_what_is_in_flight(wild: Wild, frontier: Path, number: int) -> None:
    for moment in (60, 300):
        process = wild.crawl(frontier, "--shards", "2")
        while process.poll() is None and wild.ask("requests") < moment:
            pass
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == 0
        assert states(frontier).keys() == {"done", "queued"}
    run(wild, frontier, "--shards", "2")
    # Nothing at all is fetched again.
    found = wild.problems()
    found.pop("too early")
    assert not any(found.values()), found


def test_each_process_can_be_killed_alone(wild: Wild, frontier: Path) -> None:
    create(frontier, 2)
    first, second = (wild.crawl(frontier, "--shards", "2", "--shard", str(shard)) for shard in range(2))
    while second.poll() is None and wild.ask("requests") < 300:
        pass
    second.kill()
    second.communicate()
    # The other one waits for pages that are found by it, and finds pages for it.
    with pytest.raises(subprocess.TimeoutExpired):
        first.communicate(timeout=3)
    second = wild.crawl(frontier, "--shards", "2", "--shard", "1")
    for process in (first, second):
        process.communicate(timeout=120)
        assert process.returncode == 0
    found = wild.problems()
    assert len(found.pop("again")) <= REQUESTS
    found.pop("too early")
    assert not any(found.values()), found


def test_if_one_process_fails_all_stop(wild: Wild, frontier: Path) -> None:
    with closing(Frontier(frontier, 1, 2, TRAP_LIMIT)) as other:
        # Without a signal, the process of the other shard would wait for this page.
        other.add([Page(7, "https://example.com/", 1, "example.com", "example.com/")])
        process = wild.crawl(frontier, "--shards", "2")
        process.communicate(timeout=60)
    assert process.returncode == 1
    assert "in flight" not in states(frontier)
    assert states(frontier)["queued"]


@pytest.fixture
def opened(frontier: Path) -> Iterator[list[Frontier]]:
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Frontier(frontier, shard, 2, 3))) for shard in range(2)]


def test_a_frontier_has_one_process_for_each_shard(frontier: Path, opened: list[Frontier]) -> None:
    found = Page(7, "https://example.com/", 0, "example.com", "example.com/")
    first, second = opened
    first.add([found])
    page = first.claim("example.com")
    assert page is not None
    with pytest.raises(SystemExit, match="another process crawls shard 0 of "):
        Frontier(frontier, 0, 2, 3)
    with pytest.raises(SystemExit, match="is for 2 shards, not for 3"):
        Frontier(frontier, 1, 3, 3)
    # The other shard's process waits for the page that is in flight, and does not take it.
    assert not second.is_finished()
    assert second.claim("example.com") is None
    assert [*second.sites()] == []
    first.finish(page, "200", [found, found._replace(key=8, shard=1)])
    assert [*second.sites()] == ["example.com"]
    assert first.claim("example.com") is None


def test_a_trap_has_a_limit_for_all_processes(opened: list[Frontier]) -> None:
    pages = [Page(key, f"https://example.com/{key}", 0, "example.com", "trap") for key in range(5)]
    # A page that is known does not count again.
    for number, page in enumerate((pages[0], pages[0], *pages)):
        opened[number % 2].add([page])
    assert opened[0].unknown(range(5)) == {3, 4}


def test_the_command_says_what_it_takes() -> None:
    command = [sys.executable, "-m", "crawler", "--help"]
    ran = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert "--trap-limit" in ran.stdout


def test_the_site_notices_what_is_wrong() -> None:
    site = WildSite(64, 3)
    expected = site.expected()
    nothing = {*expected.once, *(f"{name}: 0 of 3" for name in expected.limited)}
    assert {*problems(site.told(), expected)["missed"]} == nothing
    for host, target in (
        (HOSTS[0], "/hub"), (HOSTS[0], "/hub"), (HOSTS[0], "/private/a"), (HOSTS[0], "/followed/1"), (HOSTS[0], "/x"),
        ("localhost", "/"), (HOSTS[0], "/calendar?day=3"), (SLOW, "/?0"), (SLOW, "/?1"),
    ):  # fmt: skip
        site.answer(target.encode(), f"{host}:1")
    found = problems(site.told(), expected)
    assert found["again"] == [f"{HOSTS[0]} hub"]
    assert [line.partition(" ")[2] for line in found["forbidden"]] == ["/private/a", "/followed/1", "/"]
    assert found["wrong"] == [f"{HOSTS[0]}:1 /x"]
    assert found["too much"] == [f"{HOSTS[0]} calendar 3"]
    assert len(found["too early"]) == 1
    assert float(found["too early"][0].split()[0]) < DELAY


def test_the_same_crawl_in_scrapy(wild: Wild, tmp_path: Path) -> None:
    wild.crawl_with_scrapy(tmp_path / "job")
    found = wild.problems()
    # Scrapy does not read Crawl-delay.
    found.pop("too early")
    assert not any(found.values()), found
