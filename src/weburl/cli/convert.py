"""weburl: parts of URLs."""

from __future__ import annotations

import argparse

from weburl.cli._input import add_input_options, sources
from weburl.cli._output import open_output


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="weburl")
    parser.add_argument("urls", nargs="*")
    parser.add_argument("-o", dest="output")
    add_input_options(parser)
    options = parser.parse_intermixed_args(arguments)
    from weburl._bulk import Job

    job = Job(("href",))
    with open_output(options.output) as out:
        for source in sources(options, options.urls):
            for block in source.blocks:
                for piece in block.pieces():
                    batch = job.run(*piece)
                    assert batch is not None
                    for text in batch.entries(0):
                        out.write((text or "").encode() + b"\n")
    return 0
