"""Output: its formats, and where it is written."""

STANDARD_OUTPUT = "standard output"  # in messages
