"""The tables of the pages, made from the file of figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import instructions
from engine_work import CAN_ADA, FIELDS, ONE_CALL, OWN_SIX, SCAN, SIX
from engines import Run, find, ns

WORKS = {
    "hostname": "`-g '{hostname}'`",
    "policy": "`--policy crawl`",
    "stats": "`stats`",
    "dedup": "`dedup`",
    "CSV": "CSV, `-g '{hostname}'`",
    "JSON": "JSON Lines, `-g '{hostname}'`",
    "Parquet": "CSV to Parquet, `-g '{href} {hostname}'`",
}
# The rows of README.md: the work, its inputs, and the libraries' function in the table of everybody, if it has one.
# Beside weburl stands the fastest peer of all that did the work in the same run, whatever its language.
HEADLINES = (
    ("URL(s)", "links", "parse"),
    ("URL(s), hostname, pathname, search", "links", "parse_parts"),
    ("normalize(s)", "links", "normalize"),
    ("URL(s), raise and catch", "failing", "fail"),
    ("join(base, ref)", "relative", "join"),
    ("URLSearchParams(q), list, str", "queries", "params_all"),
    ("component_many(urls, 'hostname')", "links", ""),
    ("href, hostname, pathname, search", "links", ""),
    ("DuckDB url_hostname(url)", "links", ""),
)
# Whose answers a peer's are, where its name says what was measured.
ANSWERS = {
    "ada::parse in C++": "ada_url",
    "chdb domain()": "chdb, hosts",
    "chdb, six parts": "chdb, hosts",
    "chdb, six parts to Arrow": "chdb, hosts",
    "polars-istr": "polars-istr, hosts",
    "Arrow UDF over can_ada": "can_ada",
}

MISS = "MISS"

# What measures each section. `make bench` runs the programs that the Makefile lists there.
COMMANDS = {
    "answers": "python benchmarks/bench.py",
    "scalar": "python benchmarks/bench.py",
    "bulk": "python benchmarks/bench_bulk.py",
    "patterns": "python benchmarks/bench_patterns.py",
    "pure patterns": "python benchmarks/bench_patterns.py --pure",
    "lengths": "python benchmarks/bench_lengths.py",
    "command": "python benchmarks/cli.py",
    "start": "python benchmarks/start.py",
    "functions": "python benchmarks/bench_engine_functions.py",
    "log functions": "python benchmarks/bench_engine_functions.py --only logs",
    "engines": "python benchmarks/engines.py",
    "spans": "python benchmarks/bench_spans.py",
    "text": "python benchmarks/bench_text.py",
    "robots": "python benchmarks/bench_robots.py",
    "crawl": "python benchmarks/bench_crawl.py",
    "redact command": "python benchmarks/bench_redact.py",
    "archives": "python benchmarks/bench_archives.py",
    "log tables": "python benchmarks/bench_log_tables.py",
    "crawl demo": "python benchmarks/demo_crawl.py",
    "wild crawl": "python benchmarks/crawl_wild.py",
    "learn": "python benchmarks/learn.py",
    "learn before": "python benchmarks/learn.py --before",
    "trained": "python benchmarks/trained.py --usual FILE… --trained FILE…",
}
# What the programs need that `make bench` does not run.
NEEDS = {
    "pure patterns": "Python 3.12, for yarlpattern",
    "command": "Miller, jq, trurl and adaparse on the path; it reads 10,000,000 lines",
    "start": "an environment that has only weburl and idna",
    "log functions": "a part of the whole run that `make bench` has",
    "engines": "Java, Spark, Daft and Ray; ten minutes",
    "crawl demo": "Scrapy and aiohttp: `make demo-crawl` installs them",
    "wild crawl": "Scrapy and aiohttp; a run for each row and column of the page",
    "learn": "the packages of benchmarks/learning/requirements.txt",
    "learn before": "the version before a change of the rules",
    "trained": "results of bench.py and bench_bulk.py, of both builds",
}

Report = Mapping[str, Any]


def tables(figures: Report) -> dict[str, str]:
    """The tables by the names that pages give them."""
    scalar, bulk, engines = figures["scalar"], figures["bulk"], figures["engines"]
    rows = [row for row in scalar["limits"] if row["unit"]]
    links = [row for row in scalar["limits"] if row["work"].startswith("page_links(")]
    runs = [Run(**run) for run in engines["runs"]]
    return {
        "headlines": lines([*headlines(figures), "", of_headlines(figures)]),
        "one at a time": f"{of_links(figures)}{later(rows)}\n\n{limits(rows)}",
        "columns": f"{of_columns(figures)}\n\n{limits(bulk['limits'])}",
        "patterns": f"{described(figures, 'patterns')}.\n\n{limits(figures['patterns']['limits'])}",
        "pure patterns": (
            f"{described(figures, 'pure patterns')}.\n\n"
            + limits([row for row in figures["pure patterns"]["limits"] if row["theirs"]])
        ),
        "links": f"{described(figures, 'scalar', ['scrapy', 'weburl'])}.\n\n{limits(links)}",
        "instructions": lines(of_instructions(figures)),
        "command": lines(of_the_command(figures)),
        "start": lines(of_starts(figures)),
        "functions": lines(of_functions(figures)),
        "log functions": lines(of_log_functions(figures)),
        "spans": lines(of_spans(figures)),
        "text": lines(of_text(figures)),
        "robots": lines(of_robots(figures)),
        "crawl": lines(of_crawl(figures)),
        "archives": lines([of_archive_file(figures), "", *of_archives(figures["archives"])]),
        "log tables": lines(of_log_tables(figures)),
        "crawl demo": lines(of_crawl_demo(figures)),
        "wild crawl": lines(of_wild_crawl(figures)),
        "shares of a crawl": lines(of_shares(figures)),
        "learn": lines(of_learning(figures)),
        "learn, beside others": lines(of_learners(figures)),
        "trained": lines(of_training(figures)),
        "sections": lines(of_sections()),
        "redaction": lines(of_redaction(figures)),
        "files": lines(of_redacted_files(figures)),
        "plan": lines([calculated(figures), "", *plan(runs, engines["bytes"])]),
        "bytes": lines([calculated(figures), "", *moved(engines["bytes"])]),
        "costs": lines([calculated(figures), "", *costs(runs, engines["bytes"])]),
        "engines": lines([f"{described(figures, 'engines')}.", "", *measured(runs)]),
    }


def headlines(figures: Report) -> Iterator[str]:
    """A row for each work: weburl beside the fastest of its peers, and how many of this peer's answers are right."""
    counts = figures["answers"]["counts"]
    yield "| work | inputs | weburl | fastest peer | its time | ratio | its right answers |"
    yield "|---|---|---:|---|---:|---:|---:|"
    for work, inputs, function in HEADLINES:
        ratio, ours, peer, theirs = max(measured_beside(figures, work, inputs, function))
        right, asked = counts.get(ANSWERS.get(peer, peer.partition(":")[0]), (0, 0))
        share = f"{right / asked:.1%}" if asked else ""
        cells = [*shown_work({"work": work, "inputs": inputs}), amount(ours, "ns"), peer, amount(theirs, "ns")]
        yield f"| {' | '.join([*cells, f'{ratio:.2f}', share])} |".replace("|  |", "| |")


def measured_beside(
    figures: Report, work: str, inputs: str, function: str
) -> Iterator[tuple[float, float, str, float]]:
    """The ratio, the time of weburl, and each peer with its time, from all comparisons in which the work was done."""
    everybody = figures["scalar"]["everybody"].get(f"{function}, {inputs}", {})
    for peer, time in everybody.items():
        if peer != "weburl":
            ours = everybody["weburl"]["best"]
            yield ours / time["best"], ours, peer, time["best"]
    for row in (*figures["scalar"]["limits"], *figures["bulk"]["limits"]):
        if (row["work"], row["inputs"]) == (work, inputs) and row["theirs"]:
            yield row["ratio"], row["ours"]["best"], row["peer"], row["theirs"]["best"]


def missed(figures: Report) -> set[tuple[str, str]]:
    """The work and the inputs of each row that misses its goal."""
    rows = [row for section in ("scalar", "bulk", "patterns") for row in figures[section]["limits"]]
    return {shown_work(row) for row in rows if row["verdict"] == MISS}


def lines(each: Iterable[str]) -> str:
    return "\n".join(each) + "\n"


def described(figures: Report, section: str, names: Iterable[str] | None = None) -> str:
    """The command, the day, the machine and the versions: all, or those of these names."""
    report = figures[section]
    chosen = report["versions"].keys() & (report["versions"] if names is None else names)
    numbers = {name: report["versions"][name] for name in chosen}
    rounds = f", best of {report['rounds']} rounds" if "rounds" in report else ""
    return f"`{COMMANDS[section]}`, {report['date']}: {report['machine']}{rounds}; {versions(numbers)}".rstrip("; ")


def versions(numbers: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(numbers.items(), key=lambda item: item[0].lower()))


def of_spans(figures: Report) -> Iterator[str]:
    yield f"{described(figures, 'spans')}. One thread."
    yield ""
    yield "| a span | best | median |"
    yield "|---|---:|---:|"
    for row in figures["spans"]["rows"]:
        yield f"| {row['span']} | {row['best'] / 1000:.1f} µs | {row['median'] / 1000:.1f} µs |"


# The finders of benchmarks/bench_text.py, as the page has them.
FINDERS = {
    "find_urls": "`find_urls`",
    "find_urls, bytes": "`find_urls`, of `bytes`",
    "find_urls, bare": "`find_urls`, `bare=True`",
    "weburl find": "`weburl find --only`",
    "re.findall": "`re.findall`",
    "rg -o": "`rg -o`",
    "linkify-it-py": "linkify-it-py",
    "urlextract": "urlextract",
    "ioc-finder": "ioc-finder",
}


def of_text(figures: Report) -> Iterator[str]:
    rows = {(row["finder"], row["text"]): row for row in figures["text"]["rows"]}
    yield f"{described(figures, 'text')}. One thread."
    yield ""
    yield "| finder | text without URLs | a URL in a log | a URL in JSON |"
    yield "|---|---:|---:|---:|"
    for finder, name in FINDERS.items():
        if (finder, "log without URLs") in rows:
            each = [of_each(rows.get((finder, text))) for text in ("log with URLs", "JSON lines")]
            yield f"| {name} | {speed(rows[finder, 'log without URLs'])} | {' | '.join(each)} |".replace("|  |", "| |")


# The readers of benchmarks/bench_robots.py, as the page has them.
READERS = {
    "Robots.allowed_many": "`Robots.allowed_many`",
    "Robots.allowed": "`Robots.allowed`",
    "Robots.allowed, rfc9309": '`Robots.allowed`, `compat="rfc9309"`',
    "Robots.allowed, google": '`Robots.allowed`, `compat="google"`',
    "Protego": "Protego",
    "urllib.robotparser": "urllib.robotparser",
    "robotspy": "robotspy",
    "fastrobots": "fastrobots",
    "Robots.parse": "`Robots.parse`, for each rule",
}


def of_robots(figures: Report) -> Iterator[str]:
    rows = {row["reader"]: row for row in figures["robots"]["rows"]}
    yield f"{described(figures, 'robots')}. One thread."
    yield ""
    yield "| reader | a URL |"
    yield "|---|---:|"
    for reader, name in READERS.items():
        if reader in rows:
            yield f"| {name} | {amount(rows[reader]['time']['best'] / rows[reader]['count'], 'ns')} |"


def of_crawl(figures: Report) -> Iterator[str]:
    """A row for each library beside weburl, for what it is made for."""
    rows = {(row["job"], row["library"]): row["time"]["best"] / row["count"] for row in figures["crawl"]["rows"]}
    yield f"{described(figures, 'crawl')}. One thread."
    yield ""
    yield "| job | library | its time a URL | weburl | weburl, a column |"
    yield "|---|---|---:|---:|---:|"
    for (job, library), time in sorted(rows.items()):
        if not library.startswith("weburl"):
            ours = [rows[job, name] for name in ("weburl", "weburl, a column")]
            yield f"| {' | '.join([job, library, *(amount(each, 'ns') for each in (time, *ours))])} |"


def of_each(row: Report | None) -> str:
    if row is None:
        return ""
    return amount(row["time"]["best"] / row["urls"], "ns") if row["urls"] else "finds none"


def speed(row: Report) -> str:
    gigabytes = row["size"] / row["time"]["best"]
    megabytes = gigabytes * 1000
    return f"{gigabytes:.1f} GB/s" if gigabytes >= 1 else f"{megabytes:.{int(megabytes < 10)}f} MB/s"


def of_redaction(figures: Report) -> Iterator[str]:
    rows = {(row["finder"], row["text"]): row for row in figures["text"]["rows"]}
    yield f"{described(figures, 'text', ['weburl'])}. One thread."
    yield ""
    yield "| text | `str` | `bytes` | `re.sub` |"
    yield "|---|---:|---:|---:|"
    for text, name in (
        ("log without URLs", "log without URLs"),
        ("access log", "access log, with two URLs in each line and a secret in each fifth"),
        ("log with URLs", "log with a URL in each line"),
        ("JSON lines", "JSON with a URL in each line, whose slashes are escaped"),
    ):
        speeds = [speed(rows[finder, text]) for finder in ("redact_text", "redact_text, bytes", "re.sub")]
        yield f"| {name} | {' | '.join(speeds)} |"


def of_redacted_files(figures: Report) -> Iterator[str]:
    text = figures["text"]
    yield f"`{COMMANDS['text']} --files`, {text['date']}: {text['machine']}; weburl {text['versions']['weburl']}."
    yield "CPU time of a process, with its start; the bytes are those of the unpacked text."
    yield ""
    yield "| an access log | speed |"
    yield "|---|---:|"
    for row in figures["text"]["rows"]:
        if row["finder"] == "weburl redact":
            what = row["text"].partition(", ")[2] or "from text to text"
            yield f"| {what} | {speed(row)} |"


def of_sections() -> Iterator[str]:
    """For CONTRIBUTING.md: what writes each section."""
    yield "| section | command, with `--json benchmarks/figures.json` | what it needs |"
    yield "|---|---|---|"
    for section, command in COMMANDS.items():
        yield f"| {section} | `{command}` | {NEEDS.get(section, '`make bench` runs it')} |"


def of_archive_file(figures: Report) -> str:
    report = figures["archives"]
    plain, packed = (report["bytes"][kind] / 1e6 for kind in ("plain", "packed"))
    return (
        f"{described(figures, 'archives')}. A generated file of {report['pages']:,} pages has {plain:.0f} MB, and "
        f"{packed:.0f} MB in gzip. The times are CPU time; MB are those of the unpacked file."
    )


def of_archives(report: Report) -> Iterator[str]:
    yield "| reader | gzip: MB/s | URLs/s | not packed: MB/s | URLs/s |"
    yield "|---|---:|---:|---:|---:|"
    for row in report["rows"]:
        each = [row[kind] for kind in ("packed", "plain")]
        speeds = (f"{report['bytes']['plain'] / one / 1e6:,.0f} | {report['pages'] / one:,.0f}" for one in each)
        yield f"| {row['reader']} | {' | '.join(speeds)} |"


def of_log_tables(figures: Report) -> Iterator[str]:
    yield f"{described(figures, 'log tables')}."
    yield ""
    yield "| | lines | s | CPU s | lines/s | most MB | MB written |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for row in figures["log tables"]["rows"]:
        times = f"{row['seconds']:.1f} | {row['cpu']:.1f} | {row['lines'] / row['seconds']:,.0f}"
        yield f"| {row['program']} | {row['lines']:,} | {times} | {row['most']:.0f} | {row['size']:.0f} |"


def of_crawl_demo(figures: Report) -> Iterator[str]:
    yield f"{described(figures, 'crawl demo')}."
    yield ""
    yield "| crawler | pages missed | fetched again | wrong requests | requests | CPU seconds |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in figures["crawl demo"]["rows"]:
        counts = [f"{row[column]:,}" for column in ("missed", "twice", "wrong", "requests")]
        yield f"| {row['crawler']} | {' | '.join(counts)} | {row['seconds']:.1f} |"


# The rows of benchmarks/crawl_wild.py, and the parts of a page's CPU time, as the page has them.
CRAWLS = {
    "shards 1": "`examples/crawler`",
    "shards 2": "the same in two processes",
    "shards 2, kills 20": "the same in two processes, with 20 times SIGKILL at random moments",
    "scrapy": "Scrapy with the add-on: `examples/crawler/with_scrapy.py`",
}
PARTS = {
    "HTML: its encoding, the tree, the attributes of links": (
        "HTML, in `page_links`: its encoding, the tree, the attributes of links"
    ),
    "the table of links, and what a page says to crawlers": (
        "the table that `page_links` returns, and what a page says to crawlers"
    ),
    "URLs: links, resolved, with sites and keys": "URLs: those of links, resolved, with their sites and keys",
    "URLs: robots.txt": "URLs: robots.txt",
    "URLs: scope, keys, shards and traps of what is new": "URLs: scope, keys, shards and traps of what is new",
    "URLs: what is sent, and redirects": "URLs: what is sent, and redirects",
    "SQLite: the frontier": "SQLite: the frontier",
    "aiohttp, asyncio and the rest": "aiohttp, asyncio and the rest",
}


def of_wild_crawl(figures: Report) -> Iterator[str]:
    yield f"{described(figures, 'wild crawl')}."
    yield ""
    yield "| crawler | pages missed | fetched again | forbidden or wrong requests | requests | CPU a request |"
    yield "|---|---:|---:|---:|---:|---:|"
    for key, name in CRAWLS.items():
        row = figures["wild crawl"]["rows"][key]
        counts = [f"{row[column]:,}" for column in ("missed", "again", "wrong", "requests")]
        yield f"| {name} | {' | '.join(counts)} | {milliseconds(row)} |".replace("|  |", "| |")


def milliseconds(row: Report) -> str:
    spent = row["milliseconds"]
    return "" if spent is None else f"{spent:.{2 if spent < 4 else 1}f} ms"


def of_shares(figures: Report) -> Iterator[str]:
    pages = sorted(figures["wild crawl"]["shares"].values(), key=lambda page: (page["text"], page["links"]))
    sizes = [f"{page['text'] // 1000} KB" if page["text"] else "400 bytes" for page in pages]
    links = [f"{size}, {8 + page['links']} links" for size, page in zip(sizes, pages, strict=True)]
    yield f"| | {' | '.join(links)} |"
    yield f"|---|{'---:|' * len(pages)}"
    yield f"| CPU a request | {' | '.join(map(milliseconds, pages))} |"
    for part, title in PARTS.items():
        digits = int(part.startswith("URLs"))
        shares = [f"{page['parts'].get(part, 0):.{digits}f} %" for page in pages]
        yield f"| {title} | {' | '.join(shares)} |"
    urls = [sum(share for part, share in page["parts"].items() if part.startswith("URLs")) for page in pages]
    yield f"| all work with URLs | {' | '.join(f'{share:.0f} %' for share in urls)} |"


KINDS = {
    "all": "all {} styles",
    "tuned": "{} styles with which the rules were tuned",
    "seen": "{} older styles, whose results were seen",
    "new": "{} new styles, with which rules were mended",
    "held-out": "{} new styles that are held out",
}
LEARNERS = {"weburl learn": "`weburl learn`", "ddtrace's http.endpoint": "the rules of ddtrace for `http.endpoint`"}


def of_learning(figures: Report) -> Iterator[str]:
    now, before = figures["learn"], figures["learn before"]
    yield f"| of {now['lines']:,} lines | right | before | routes for one true route, at most | before |"
    yield "|---|---:|---:|---:|---:|"
    for kind, title in KINDS.items():
        cells = [f"{each['kinds'][kind]['right']:.1%}" for each in (now, before)]
        cells += [str(each["kinds"][kind]["most"]) for each in (now, before)]
        yield f"| {title.format(now['styles'][kind])} | {' | '.join(cells)} |"


def of_learners(figures: Report) -> Iterator[str]:
    yield f"| of {figures['learn']['peer lines']:,} lines | groups | right | GA | FGA |"
    yield "|---|---:|---:|---:|---:|"
    for row in figures["learn"]["peers"]:
        shares = " | ".join(f"{row[name]:.1%}" for name in ("right", "GA", "FGA"))
        yield f"| {LEARNERS.get(row['name'], row['name'])} | {row['groups']:,} | {shares} |"


def of_training(figures: Report) -> Iterator[str]:
    """Of works that have one kind of inputs, the page leaves these out."""
    yield "| work | time |"
    yield "|---|---:|"
    for row in figures["trained"]["rows"]:
        work, inputs = shown_work(row)
        yield f"| {work}{f', {inputs}' * (row['work'] == 'URL(s)')} | {row['ratio']:.2f} |"


def measured_values(figures: Report) -> Iterator[tuple[str, str]]:
    """Within sentences: what was measured for one number, and when."""
    redact = figures["redact command"]
    for row in redact["rows"]:
        yield f"redact command: {row['work']}", f"{row['value']:.3g}"
        yield (
            f"redact command: {row['work']}, when",
            f"{row.get('date', redact['date'])}, {row.get('machine', redact['machine'])}",
        )
    robots = figures["robots"]
    for row in robots["rows"]:
        if row["work"] == "a hostile URL":
            yield f"robots: {row['reader']}", f"{row['time']['best'] / 1e6:.0f} ms"
            yield f"robots: {row['reader']}, when", row.get("date", robots["date"])
    archives = figures["archives"]
    readers = {row["reader"].strip("`"): row["packed"] for row in archives["rows"]}
    for ours in ("read_warc", "read_warc`, without isal"):
        yield f"archives: fastwarc beside {ours}".replace("`", ""), f"{readers[ours] / readers['fastwarc']:.1f}"
    columns = archives["columns"]
    yield "archives: common_crawl_many", f"{columns['nanoseconds']:,.0f} ns"
    yield "archives: links of common_crawl_many", f"{columns['urls']:,}"
    yield "archives: when", archives["date"]
    wild = figures["wild crawl"]
    yield "wild crawl: in flight at kills", f"{wild['rows']['shards 2, kills 20']['in flight']}"
    yield "wild crawl: repeated after kills", f"{wild['rows']['shards 2, kills 20']['again']}"
    learnt = figures["learn"]
    yield "learn: when", learnt["date"]
    yield "learn: versions", f"{learnt['date']}, with {versions(learnt['versions'])}"
    yield "learn: true routes", f"{learnt['true routes']:,}"
    yield "learn: routes", f"{learnt['routes']:,}"
    yield "learn: routes before", f"{figures['learn before']['routes']:,}"
    yield "learn: memory", f"{learnt['megabytes']:.0f} MB"
    yield "learn: million lines a second", f"{learnt['speed'] / 1e6:.1f}"
    trained = figures["trained"]
    yield "trained: when", f"{trained['date']}: {trained['machine']}"
    yield "trained: rounds", f"{trained['runs']} runs of {trained['rounds']} rounds"
    for row in figures["patterns"]["limits"]:
        if row["work"] == "URLPattern(...)":
            yield f"patterns: URLPattern(...), {row['inputs']}", f"{row['ours']['best'] / 1000:.0f} microseconds"
    yield "patterns: when", figures["patterns"]["date"]
    for row in (*figures["scalar"]["limits"], *figures["bulk"]["limits"]):
        if row["work"] == "LinkExtractor":
            yield "scalar: LinkExtractor beside that of Scrapy", f"{1 / row['ratio']:.1f}"
        elif row["ratio"]:
            yield f"ratio of {row['work']}, {row['inputs']}", f"{row['ratio']:.2f}"
    logs = {row["engine"]: row["nanoseconds"] for row in figures["log functions"]["costs"]}
    names = ("host", "path", "one parameter", "redact", "redact_text")
    for name, native, arrow in zip(names, logs["DuckDB, native"], logs["DuckDB, Arrow"], strict=True):
        yield f"log functions: DuckDB, Arrow beside native, {name}", f"{arrow / native:.1f}"
    yield "log functions: when", figures["log functions"]["date"]


def values(figures: Report) -> dict[str, str]:
    """Figures that are within the text of a page, by the names that it gives them."""
    found = {
        f"instructions of {row['work']}, {row['inputs']}": f"{row['instructions']:,.0f}"
        for row in figures["scalar"]["instructions"]["rows"]
    }
    found["when instructions were counted"] = (
        f"{figures['scalar']['date']}, {figures['scalar']['instructions']['build']}"
    )
    found |= measured_values(figures)
    runs, writing = [Run(**run) for run in figures["engines"]["runs"]], figures["engines"]["bytes"]["writing"]

    def spent(engine: str, work: str, cores: int) -> float:
        run = find(runs, engine, work, cores)
        return ns(run.cpu, run)

    parsed = spent("bulk", SIX, 2) - spent("bulk", SCAN, 2)
    moved = spent("spark", ONE_CALL, 2) - spent("spark", SCAN, 2) - parsed
    for work, name in ((ONE_CALL, "parse_column"), (SIX, "url_parse")):
        for other in (OWN_SIX, CAN_ADA):
            found[f"spark: {name} beside {other}"] = f"{spent('spark', work, 1) / spent('spark', other, 1):.2f}"
    spark = sorted({run.work for run in runs if run.engine == "spark"})
    second = [find(runs, "spark", work, 1).wall / find(runs, "spark", work, 2).wall for work in spark]
    return found | {
        "bulk: all links on one core": duration(LINKS * (spent("bulk", SIX, 2) + writing) / 1e9),
        "bulk: share of parsing": f"{parsed / (spent('bulk', SIX, 2) + writing):.0%}",
        "bulk: share of writing": f"{writing / (spent('bulk', SIX, 2) + writing):.0%}",
        "spark: share of parsing": f"{parsed / (spent('spark', ONE_CALL, 2) + writing):.0%}",
        "spark: moving rows beside parsing": f"{moved / parsed:.1f}",
        "spark: two cores": f"{min(second):.1f} to {max(second):.1f}",
    }


def of_headlines(figures: Report) -> str:
    """Of the table that takes the strongest peer from two sections."""
    scalar, bulk = figures["scalar"], figures["bulk"]
    rounds = f"best of {scalar['rounds']} rounds, or of {bulk['rounds']} for columns"
    both = {**scalar["versions"], **bulk["versions"]}
    return (
        f"`make bench`, {scalar['date']}: {scalar['machine']}, one thread, {rounds}; {versions(both)}. "
        f"{real_links(scalar)} Right answers were counted on {figures['answers']['date']}."
    )


def of_links(figures: Report) -> str:
    return f"{described(figures, 'scalar')}. One thread. {real_links(figures['scalar'])}"


def real_links(scalar: Report) -> str:
    links = scalar["corpora"]["links"]
    return f"The links are {links['urls']:,} real ones; {links['kept_share']:.1%} are kept without a copy."


def later(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows that were measured on another day."""
    works: dict[str, dict[str, None]] = {}
    for row in rows:
        if "date" in row:
            works.setdefault(row["date"], {})[shown_work(row)[0]] = None
    return "".join(f" Measured on {date}, with `--only`: {', '.join(each)}." for date, each in works.items())


def of_columns(figures: Report) -> str:
    bulk = figures["bulk"]
    sizes = ", ".join(f"{inputs} have {size:.0f} bytes" for inputs, size in bulk["bytes"].items())
    return f"{described(figures, 'bulk')}. Real links repeated to {bulk['rows']:,} rows. On average, {sizes}."


def calculated(figures: Report) -> str:
    """Of the tables that are calculated from the last one of their page."""
    report = figures["engines"]
    return f"From `{COMMANDS['engines']}`, {report['date']}: {report['machine']}."


def of_instructions(figures: Report) -> Iterator[str]:
    scalar = figures["scalar"]
    counts = scalar["instructions"]
    yield f"`{COMMANDS['scalar']}`, {scalar['date']}: {counts['build']}, {counts['valgrind']}."
    yield ""
    yield from instructions.table(counts["rows"])


def of_the_command(figures: Report) -> Iterator[str]:
    report = figures["command"]
    dates = "".join(f" {WORKS[work]}: {date}." for work, date in report.get("dates", {}).items())
    yield f"{described(figures, 'command')}.{dates}"
    yield ""
    yield "| work | program | million lines a second | processor time of a line | memory |"
    yield "|---|---|---:|---:|---:|"
    for key, title in WORKS.items():
        for name, spent in report["works"].get(key, {}).items():
            speed = spent["lines"] / spent["seconds"] / 1e6
            each = spent["processor"] / spent["lines"] * 1e9
            # What is on both sides of a vertical line is a pipeline.
            program = name.replace("|", "\\|")
            cells = [title, program, f"{speed:.1f}", f"{each:,.0f} ns", f"{spent['memory'] / 1e6:,.0f} MB"]
            yield f"| {' | '.join(cells)} |".replace("|  |", "| |")
            title = ""


def of_starts(figures: Report) -> Iterator[str]:
    report = figures["start"]
    yield f"{described(figures, 'start')}. `python -c pass` takes {report['empty']:.1f} ms of processor time."
    yield ""
    yield "| start | above `python -c pass` | instructions | goal |"
    yield "|---|---:|---:|---:|"
    for row in report["rows"]:
        if row["milliseconds"]:
            count = "" if row["instructions"] is None else f"{row['instructions']:,.1f} million"
            goal = "" if row["goal"] is None else f"{row['goal']} ms" + ", missed" * (row["milliseconds"] > row["goal"])
            yield f"| `{row['start']}` | {row['milliseconds']:.1f} ms | {count} | {goal} |".replace("|  |", "| |")


def of_functions(figures: Report) -> Iterator[str]:
    report = figures["functions"]
    yield f"{described(figures, 'functions')}; {report['rows']:,} rows."
    yield ""
    yield "| hosts of all links | two threads | two processes |"
    yield "|---|---:|---:|"
    for engine, speeds in report["hosts"].items():
        yield f"| {engine} | {' | '.join(f'{speed:.1f} million rows/s' for speed in speeds)} |"
    yield ""
    yield "| one thread | inputs | host | site, above host | one key of the query | seven keys | ratio |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for row in report["costs"]:
        host, site, one, seven = row["nanoseconds"]
        cells = [f"{each:.0f} ns" for each in (host, site - host, one, seven)]
        yield f"| {row['engine']} | {row['inputs']} | {' | '.join(cells)} | {seven / one:.2f} |"


def of_log_functions(figures: Report) -> Iterator[str]:
    report = figures["log functions"]
    yield f"{described(figures, 'log functions')}; {report['rows']:,} rows."
    yield ""
    yield "| URLs of a log, one thread | host | path | one parameter | redact | redact_text |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in report["costs"]:
        cells = [f"{each:.0f} ns" for each in row["nanoseconds"]]
        yield f"| {row['engine']} | {' | '.join([*cells, '', ''][:5])} |".replace("|  |", "| |")


def limits(rows: Iterable[Mapping[str, Any]]) -> str:
    drawn = ["| work | inputs | weburl | peer | its time | ratio | goal |", "|---|---|---:|---|---:|---:|---:|"]
    for row in rows:
        unit, theirs = row["unit"], row["theirs"]
        cells = [*shown_work(row), amount(row["ours"]["best"], unit), row["peer"]]
        cells += [amount(theirs["best"], unit), f"{row['ratio']:.2f}"] if theirs else ["", ""]
        goal = f"{row['limit']:.2f}" if row["peer"] else f"{row['limit']:,.0f} {unit}"
        cells.append(f"{goal}, missed" if row["verdict"] == MISS else goal)
        drawn.append(f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |"))
    return lines(drawn)


def shown_work(row: Mapping[str, Any]) -> tuple[str, str]:
    """The first two cells: the work and the inputs."""
    work, inputs = row["work"], row["inputs"]
    return f"`{work}`" if "(" in work else work, f"`{inputs}`" if "*" in inputs else inputs


def amount(value: float, unit: str) -> str:
    return f"{value:,.{1 if unit == 'ms' else 0}f} {unit}"


def measured(runs: list[Run]) -> Iterator[str]:
    """The table of what was measured. The last column is the time on two cores as a share of the two processes'."""
    yield (
        f"| {runs[0].rows:,} links | rows a second, one core | two cores | two processes | CPU ns a row, one core "
        "| two cores | time of two cores / two processes |"
    )
    yield "|---|---|---|---|---|---|---|"
    for one in runs:
        if (one.processes, one.cores) == (1, 1):
            two = find(runs, one.engine, one.work, 2)
            apart = find(runs, one.engine, one.work, 1, 2)
            speeds = [f"{run.rows / run.wall:,.0f}" for run in (one, two, apart)]
            costs = [f"{ns(run.cpu, run):,.0f}" for run in (one, two)]
            cells = [f"{one.engine}, {one.work}", *speeds, *costs, f"{two.wall / apart.wall:.2f}"]
            yield f"| {' | '.join(cells)} |"


# The plan.

LINKS = 3e9
NODE_CORES = 16
NODES = 100
NETWORK = 1.25e9  # bytes a second and node: 10 Gbit/s
PLANNED = (
    ("bulk", SIX),
    ("polars", SIX),
    ("duckdb", SIX),
    ("daft", ONE_CALL),
    ("ray", ONE_CALL),
    ("spark", ONE_CALL),
    ("spark", SIX),
    ("spark", OWN_SIX),
    ("spark", CAN_ADA),
)


def plan(runs: list[Run], sizes: Mapping[str, float]) -> Iterator[str]:
    """What LINKS cost, from what was measured: CPU time divided by the cores, or the network if that is slower."""
    moved = sizes["link stored"] + sizes["parts stored"]
    writing = LINKS * sizes["writing"] / 1e9
    network = LINKS * moved / NETWORK
    names = ["links to six parts", "CPU ns a link", "one core", f"a node of {NODE_CORES} cores", f"{NODES} nodes"]
    yield f"| {' | '.join(names)} | network in use |"
    yield "|---|---|---|---|---|---|"
    for engine, work in PLANNED:
        # On two cores, since a node has more than one.
        run = find(runs, engine, work, 2)
        alone = LINKS * run.cpu / run.rows + writing
        node = alone / NODE_CORES
        times = [duration(alone), duration(max(node, network)), duration(max(node, network) / NODES)]
        cells = [f"{engine}, {work}", f"{alone / LINKS * 1e9:,.0f}", *times, f"{min(network / node, 1):.0%}"]
        yield f"| {' | '.join(cells)} |"


def moved(sizes: Mapping[str, float]) -> Iterator[str]:
    yield "| bytes | a link | all links | one node's network | 100 nodes' |"
    yield "|---|---|---|---|---|"
    shuffled = sizes["host"] + 8
    for name, size in (
        ("links read, from Parquet", sizes["link stored"]),
        ("parts written, to Parquet", sizes["parts stored"]),
        ("Spark to Python and back, within a node", sizes["link"] + sizes["parts"] + 4 * (1 + len(FIELDS))),
        ("shuffled: host and a count, no partial sums", shuffled),
    ):
        seconds = LINKS * size / NETWORK
        times = ["", ""] if "within" in name else [duration(seconds), duration(seconds / NODES)]
        yield f"| {name} | {size:.0f} | {LINKS * size / 1e9:,.0f} GB | {' | '.join(times)} |"


def costs(runs: list[Run], sizes: Mapping[str, float]) -> Iterator[str]:
    yield "| where the CPU time goes, ns a link | bulk | Spark, `parse_column` |"
    yield "|---|---|---|"
    read, parsed = (ns(find(runs, "bulk", work, 2).cpu, find(runs, "bulk", work, 2)) for work in (SCAN, SIX))
    scan, whole = (ns(find(runs, "spark", work, 2).cpu, find(runs, "spark", work, 2)) for work in (SCAN, ONE_CALL))
    for name, *each in (
        ("reading Parquet", read, scan),
        ("weburl", parsed - read, parsed - read),
        ("rows to Arrow, to Python and back", 0, whole - scan - (parsed - read)),
        ("writing Parquet", sizes["writing"], sizes["writing"]),
    ):
        yield f"| {name} | {' | '.join(f'{cost:,.0f}' for cost in each)} |"


def duration(seconds: float) -> str:
    if seconds < 600:
        return f"{seconds:.{seconds < 10:d}f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
