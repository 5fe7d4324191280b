"""Constants that tests may import, each with a reason. In general they may not: a test that imports a list passes
whatever the list is.

The rule `figures` of tools/check_source.py refuses all others, and rows that nothing imports.
"""

from __future__ import annotations

from typing import Final

REASONS: Final[dict[str, tuple[str, ...]]] = {
    "Each row is a case: another test has a table of its own, with a case for each row, and fails if one is missing.": (
        "weburl._arrow.batch.COLUMN_TYPES",  # of MAKERS in tests/test_column_copies.py
        "weburl._core.failures.FAILURE_NAMES",  # of docs/names.md, and of tests/test_literal.py
        "weburl._diagnosis.failures.FAILURES",
        "weburl._diagnosis.failures.MESSAGES",
        "weburl._diagnosis.file_paths.SENTENCES",
        "weburl._diagnosis.grammar.ALONE",
        "weburl._diagnosis.grammar.RELATIVE",
        "weburl._diagnosis.messages.RULES",
        "weburl._diagnosis.messages.WARNINGS",
        "weburl._verbs.verb.VERBS",  # of tests/support/verb_calls.py
        "weburl.cli.commands._moves.CLASSES",
        "weburl.cli.readers.records.log_format.NAMES",
        "weburl.cli.readers.records.log_formats.FORMATS",  # of tests/support/log_lines.py
        "weburl.cli.readers.records.log_formats.W3C",
    ),
    "The test compares it with a page or a list that is written by hand.": (
        "weburl._advice.MODULES",
        "weburl._advice.NAMES",
        "weburl._core.parts.ABSENT",
        "weburl._crawl.tracking.SESSIONS",  # docs/tracking.md
        "weburl._crawl.tracking.TRACKERS",
        "weburl._redact.explained.HEADERS",  # docs/redact-rules.md
        "weburl._redact.explained.OF_KINDS",
        "weburl._redact.explained.OF_NAMES",
        "weburl.cli.commands._ages.SOURCES",  # docs/conformance.md, and the data
    ),
    "The test compares it with Unicode, with the Web Platform Tests, or with another implementation.": (
        "weburl._hosts.spoofing.EAST_ASIAN",
        "weburl._hosts.spoofing.RIGHT_TO_LEFT",
        "weburl._literal.percent.C0_CONTROL_PERCENT_ENCODE_SET",
        "weburl._literal.percent.FRAGMENT_PERCENT_ENCODE_SET",
        "weburl._literal.percent.PATH_PERCENT_ENCODE_SET",
        "weburl._literal.percent.QUERY_PERCENT_ENCODE_SET",
        "weburl._literal.percent.SPECIAL_QUERY_PERCENT_ENCODE_SET",
        "weburl._literal.percent.USERINFO_PERCENT_ENCODE_SET",
        "weburl._patterns.properties.BINARY",
        "weburl._patterns.properties.CATEGORIES",
        "weburl._patterns.properties.OF_STRINGS",
        "weburl._patterns.properties.SCRIPTS",
        "weburl._unicode.confusables.ANY",
        "weburl._unicode.confusables.PROTOTYPES",
        "weburl._unicode.deceptive.DELIMITERS",
        "weburl._unicode.encoding.ENCODINGS",
        "weburl._unicode.idna._DECOMPOSITIONS",
        "weburl._unicode.idna._MARK",
        "weburl._unicode.idna._RECENT",
        "weburl._unicode.idna_tables.COMPOSITES",
        "weburl._unicode.idna_tables.PROPERTIES",
        "weburl._unicode.identifiers.LIKE_DIGITS",
        "weburl.cli.commands.check.PLAIN",  # with validate(), of texts that it matches and of others
    ),
    "The test takes its rows to call something with; what the rows are is tested elsewhere.": (
        "weburl._arrow.batch.DICTIONARIES",
        "weburl._crawl.columns.FIELDS",
        "weburl._crawl.pages.KINDS",
        "weburl._crawl.pages.TAGS",
        "weburl._crawl.tracking.SESSION_PARAMETERS",
        "weburl._crawl.tracking.TRACKING_PARAMETERS",
        "weburl._hosts.columns.FIELDS",
        "weburl._patterns.canonical.COMPONENTS",
        "weburl._patterns.columns.FIELDS",
        "weburl._redact.columns.FIELDS",
        "weburl._verbs.columns.FIELDS",
        "weburl._verbs.options.PART_FIELDS",
        "weburl._verbs.verb.URL_FIELDS",
        "weburl.cli.commands.COMMANDS",
        "weburl.cli.commands._moves.MOVES",
        "weburl.cli.commands.completion.SHELLS",
        "weburl.cli.counting.counts.FIELDS",
        "weburl.cli.counting.counts.NAMES",
        "weburl.cli.readers.records.log_format.OTHER_URLS",
        "weburl.cli.readers.records.log_formats.TEMPLATES",
    ),
    "The test says how large the figure must be.": (
        "weburl.cli.counting.chart.SMALL",
        "weburl.cli.counting.chart.WIDTH",
    ),
}
IMPORTED: Final = frozenset(name for names in REASONS.values() for name in names)
