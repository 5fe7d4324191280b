"""The commands: each module has `make_parser` and `main`. Without the name of a command, `convert` runs."""

COMMANDS = ("explain", "check", "diff", "dedup", "join", "stats", "links", "bench", "view", "completion")
