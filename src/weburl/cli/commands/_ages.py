"""How old the standards and lists of weburl are: for `--version --verbose`, and for tools/watch.py."""

from __future__ import annotations

# What weburl follows or ships, with the repository and the commit that tools/watch.py compares, and the date. The last
# text says how to use a newer one.
RELEASE = "a release of weburl"
SOURCES = (
    ("URL Standard, text", "whatwg/url", "6ae8486", "2026-07-02", RELEASE),
    ("URL Standard, changes up to", "whatwg/url", "fde3f74", "2026-10-07", RELEASE),
    ("URL Pattern Standard, text", "whatwg/urlpattern", "203d435", "2026-03-20", RELEASE),
    ("URL Pattern Standard, change #286", "whatwg/urlpattern", "", "2026-06-12", RELEASE),
    ("Web Platform Tests", "web-platform-tests/wpt", "", "2026-07-20", "wpt_data/sync.py, for the tests"),
    ("IANA's special-purpose addresses", "", "", "2025-10-09", "HostSet, beside is_private_host"),
    ("IANA's multicast addresses", "", "", "2026-06-26", "HostSet, beside is_private_host"),
    ("Tracking parameters", "", "", "2026-11-28", "a set of names, for without_tracking"),
)  # fmt: skip


def sources() -> list[str]:
    from datetime import UTC, date, datetime

    from weburl._hosts.psl import parse_list, shipped_list

    try:
        suffixes = parse_list(shipped_list().read())[0][:10]
    except ImportError:
        suffixes = ""
    lists = (("Public Suffix List", "publicsuffix/list", "", suffixes, "publicsuffixlist, or PublicSuffixList(path)"),)
    lines = [
        f"Unicode 18.0.0, for domains and look-alikes, and 17.0.0, for characters of identifiers; newer: {RELEASE}",
        "IANA's special-use domain names, up to RFC 9965; newer: HostSet, beside is_private_host",
    ]
    today = datetime.now(UTC).date()
    for name, _, commit, day, newer in (*SOURCES, *lists):
        dated = f"{day}, {(today - date.fromisoformat(day)).days:,} days old" if day else "not installed"
        lines.append(f"{name}: {dated}{f', commit {commit}' * bool(commit)}; newer: {newer}")
    return lines
