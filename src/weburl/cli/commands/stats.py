"""weburl stats: counts hosts, sites, schemes, parameters and errors in files of URLs."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import Any, Final

from weburl import URL
from weburl._columns.input import TooLong
from weburl._columns.job import Job
from weburl._columns.schedule import count_threads, run_job
from weburl.cli._arguments import ArgumentParser
from weburl.cli._exit import ExitCode, InputError
from weburl.cli._messages import printable
from weburl.cli._progress import Progress
from weburl.cli.readers.inputs import add_input_options, open_inputs
from weburl.cli.readers.rows import Fault, RowBlock
from weburl.cli.readers.text_column import TextColumn
from weburl.cli.writers.output_file import open_output

EXAMPLES: Final = r"""examples:
  weburl stats urls.txt
  weburl stats --top 3 --json urls.txt
  weburl stats --plot hosts.png logs.csv --column url
  zcat -f urls.txt | weburl stats

Hosts are counted as browsers see them. A site is the registrable domain of a host (pip install weburl[psl]), and a
parameter is a decoded name in the query. Blank lines are skipped. Memory is bounded: if there are more than a million
different hosts, the rarest are forgotten, and the table says by how much a count may be too low.

"""

BLANK: Final = re.compile(rb"^[ \t\r]*(?:\n|\Z)", re.MULTILINE)
DIFFERENT: Final = 1_000_000  # texts of each kind
LONGEST: Final = 200  # characters of a text that are counted
SHOWN: Final = 80  # and printed
MOST_BARS: Final = 50
PLOTS: Final = (".png", ".svg", ".pdf")
WHAT: Final = {"schemes": "scheme", "hosts": "hostname", "sites": "site", "parameters": "query_pairs"}


class Tally:
    """How often each text occurs. If there are too many different texts, the rarest are forgotten."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.total = 0
        # By how much a count may be too low.
        self.short = 0

    def top(self, number: int) -> list[tuple[str, int]]:
        """The most frequent texts, with their counts."""
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:number]

    def add(self, texts: list[str]) -> None:
        self.total += len(texts)
        if max(map(len, texts), default=0) > LONGEST:
            texts = [text if len(text) <= LONGEST else f"{text[:LONGEST]}…" for text in texts]
        self.counts.update(texts)
        if len(self.counts) > DIFFERENT:
            ranked = self.counts.most_common()
            self.short += ranked[DIFFERENT // 2][1]
            self.counts = Counter(dict(ranked[: DIFFERENT // 2]))


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "weburl stats",
        description="Counts schemes, hosts, sites, parameter names and errors in the URLs of files, one on each line, "
        "or of standard input.",
        examples=EXAMPLES,
    )
    parser.add_argument("names", nargs="*", metavar="FILE")
    parser.add_argument("--base", metavar="URL", help="resolve relative URLs against this URL; without it they fail")
    parser.add_argument(
        "--top", type=positive, default=10, metavar="N", help="show the N most frequent of each (default: 10)"
    )
    parser.add_argument("--json", action="store_true", help="print an object instead of the table")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw bars into FILE (png, svg or pdf) instead of printing the table"
    )
    parser.add_argument(
        "--threads", type=positive, metavar="N", help="use at most N threads, instead of one for each core"
    )
    add_input_options(parser)
    return parser


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main(arguments: list[str]) -> int:
    parser = make_parser()
    options = parser.parse_args(arguments)
    options.files = options.names + options.files
    parser.check_base(options.base)
    if options.plot is not None:
        if suffix(options.plot) not in PLOTS:
            parser.refuse(f"--plot takes a FILE that ends in {', '.join(PLOTS)}")
        import_pyplot()
    tallies = counted(options)
    if options.plot is not None:
        plot(tallies, min(options.top, MOST_BARS), options.plot)
    elif options.json:
        print(json.dumps(as_json(tallies, options.top)))
    else:
        print("\n".join(table(tallies, options.top)))
    return ExitCode.OK


def suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def counted(options: argparse.Namespace) -> dict[str, Tally]:
    """The tally of each kind. "invalid" counts errors by their names; "urls" has only a total."""
    base = None if options.base is None else URL(options.base).href
    kinds = [kind for kind in WHAT if kind != "parameters"]
    try:
        job = Job(tuple(WHAT[kind] for kind in kinds), is_struct=True, base=base)
    except ImportError:
        kinds.remove("sites")
        job = Job(tuple(WHAT[kind] for kind in kinds), is_struct=True, base=base)
    threads = count_threads(options.threads)
    queries = Job((WHAT["parameters"],), base=base)
    tallies = {kind: Tally() for kind in ("urls", "invalid", *kinds, "parameters")}
    for source in open_inputs(options, []):
        with closing(Progress(source.size, shown=True)) as progress:
            for whole in source.row_blocks():
                block = without_blank(whole)
                faults = [row for row in whole.texts() if isinstance(row, Fault)] if whole.faults else []
                wrong = Counter(fault.name for fault in faults)
                tallies["invalid"].total += wrong.total()
                tallies["invalid"].counts.update(wrong)
                for _, batch in run_job(job, block.pieces(), threads):
                    failed = sum(batch.errors.values())
                    tallies["urls"].total += batch.length - batch.null_count
                    tallies["invalid"].total += failed
                    tallies["invalid"].counts.update(batch.errors)
                    for index, kind in enumerate(kinds):
                        tallies[kind].add(list(filter(None, batch.entries(index))))
                for _, batch in run_job(queries, block.pieces(), threads):
                    tallies["parameters"].add([name for pairs in batch.entries(0) if pairs for name, _ in pairs])
                progress(whole.done)
    return tallies


def without_blank(block: RowBlock) -> RowBlock:
    if isinstance(block.rows, bytes):
        rows: Any = BLANK.sub(b"", block.rows[: block.size])
    elif isinstance(block.rows, (list, TextColumn)):
        rows = [row for row in block.texts() if isinstance(row, TooLong) or (isinstance(row, str) and row.strip())]
    else:
        return block
    return RowBlock(rows, len(rows))


def as_json(tallies: dict[str, Tally], number: int) -> dict[str, Any]:
    result: dict[str, Any] = {"urls": tallies["urls"].total, "invalid": tallies["invalid"].total}
    result["errors"] = dict(tallies["invalid"].top(number))
    for kind in WHAT:
        if kind in tallies:
            tally = tallies[kind]
            distinct = len(tally.counts)
            result[kind] = {"distinct": distinct, "too_low_by": tally.short, "top": dict(tally.top(number))}
    return result


def shown(text: str) -> str:
    text = printable(text) or "(empty)"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def table(tallies: dict[str, Tally], number: int) -> Iterator[str]:
    yield f"{tallies['urls'].total:>12,} URLs"
    yield f"{tallies['invalid'].total:>12,} invalid"
    for kind in (*WHAT, "invalid"):
        if kind not in tallies:
            yield "\nsites: to count them, pip install weburl[psl]"
        elif tallies[kind].counts:
            tally = tallies[kind]
            short = f"; the counts are up to {tally.short:,} too low" if tally.short else ""
            distinct = f"{'more than ' if short else ''}{len(tally.counts):,} different"
            yield f"\n{kind}: {distinct}{short}"
            for text, count in tally.top(number):
                yield f"{count:>12,} {count / tally.total:>6.1%}  {shown(text)}"


def import_pyplot() -> Any:
    try:
        import_module("matplotlib").use("agg")
    except ImportError:
        raise InputError("--plot needs matplotlib: pip install weburl[plot]") from None
    return import_module("matplotlib.pyplot")


def plot(tallies: dict[str, Tally], number: int, path: str) -> None:
    pyplot = import_pyplot()
    kinds = [kind for kind in (*WHAT, "invalid") if kind in tallies and tallies[kind].counts]
    # Names come from the input: matplotlib must not read them as formulas.
    with pyplot.rc_context({"text.parse_math": False}):
        bars = [max(min(number, len(tallies[kind].counts)), 2) for kind in kinds]
        figure, axes = pyplot.subplots(
            max(len(kinds), 1), figsize=(8, 1.2 + sum(bars) * 0.28 + len(kinds) * 0.5), squeeze=False,
            gridspec_kw={"height_ratios": bars or [1]}, layout="constrained",
        )  # fmt: skip
        urls, invalid = tallies["urls"].total, tallies["invalid"].total
        figure.suptitle(f"{urls:,} URLs, {invalid:,} invalid")
        for kind, (axis,) in zip(kinds, axes, strict=False):
            texts, counts = zip(*tallies[kind].top(number), strict=True)
            # A font does not have all characters that a name can have.
            names = [text if text.isascii() else ascii(text)[1:-1] for text in map(shown, texts)]
            bar = axis.barh(range(len(counts)), counts, tick_label=[name[:40] for name in names])
            axis.bar_label(bar, [f"{count:,}" for count in counts], padding=3)
            axis.set_title(kind, loc="left")
            axis.invert_yaxis()
            axis.spines[["top", "right", "bottom"]].set_visible(False)
            axis.xaxis.set_visible(False)
            axis.margins(x=0.12)
        with open_output(path) as file:
            figure.savefig(file, format=suffix(path)[1:], dpi=120)
        pyplot.close(figure)
