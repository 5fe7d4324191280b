"""The parts of a URL by their names in SQL's parse_url()."""

# Their names in `weburl.bulk`. The others are made of several fields.
PART_FIELDS = {"HOST": "hostname", "PATH": "pathname", "QUERY": "query", "REF": "fragment", "PROTOCOL": "scheme"}
COMPOSED = {
    "FILE": ("pathname", "search"),
    "AUTHORITY": ("username", "password", "host", "host_type"),
    "USERINFO": ("username", "password"),
}


def check_part(part: str, key: object = None) -> str:
    """The name in upper case."""
    name = str(part).upper()
    if name not in PART_FIELDS and name not in COMPOSED:
        raise ValueError(f"part must be one of {', '.join([*PART_FIELDS, *COMPOSED])}, not {part!r}")
    if key is not None and name != "QUERY":
        raise ValueError(f"a key goes with QUERY, not with {part!r}")
    return name
