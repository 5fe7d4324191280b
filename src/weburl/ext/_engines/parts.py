"""The parts of a URL by their names in SQL's parse_url()."""

# The fields of columns.
PART_FIELDS = {
    "HOST": "hostname",
    "PATH": "pathname",
    "QUERY": "query",
    "REF": "fragment",
    "PROTOCOL": "scheme",
    "FILE": "file",
    "AUTHORITY": "authority",
    "USERINFO": "userinfo",
}


def check_part(part: str, key: object = None) -> str:
    """The name in upper case."""
    name = str(part).upper()
    if name not in PART_FIELDS:
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"part must be one of {', '.join(PART_FIELDS)}, not {shown_argument(part)}")
    if key is not None and name != "QUERY":
        raise ValueError(f"a key goes with QUERY, not with {part!r}")
    return name
