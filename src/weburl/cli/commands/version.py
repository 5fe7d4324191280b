"""weburl --version: prints the versions of weburl and of the URL Standard, and the kernels."""

from __future__ import annotations

import weburl
from weburl._core.percent import kernel_name
from weburl.cli._exit import ExitCode

STANDARD = "2 July 2026 with the changes up to 7 October 2026"


def main(arguments: list[str]) -> int:
    print(f"weburl {weburl.__version__}, the URL Standard of {STANDARD}, kernels: {kernel_name()}")
    if arguments:
        from weburl.cli.commands._ages import sources

        print(*sources(), sep="\n")
    return ExitCode.OK
