"""Counts the public names, and says which of them no page for users needs.

    PYTHONPATH=tests python tools/public_names.py [--list]

A public name is one of an `__all__`. A page needs it if an example, a table or a sentence of docs/, outside of
docs/reference/, or of README.md has it as code. Names that follow from the table of verbs are on the pages of engines.
"""

from __future__ import annotations

import argparse
import sys

from check_source import unused_names
from source_tree import ROOT, Tree


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="all names, and not only counts")
    options = parser.parse_args(arguments)
    tree = Tree(ROOT)
    unused = set(unused_names(tree))
    total = 0
    for module, names in sorted(tree.public_names.items()):
        total += len(names)
        print(f"{module}: {len(names)}")
        if options.list:
            print(
                *(f"    {name}{'  (no page)' if (module, name) in unused else ''}" for name in sorted(names)), sep="\n"
            )
    print(f"{total} public names in {len(tree.public_names)} modules; {len(unused)} are on no page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
