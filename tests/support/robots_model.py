"""robots.txt once more, in plain Python: line by line, and rule by rule."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from weburl import URL, InvalidURL
from weburl.robots import Robots

Compat = Literal["rfc9309", "google"] | None
KEYS = {
    "agent": ("user-agent", "useragent", "user agent"),
    "allow": ("allow",),
    "disallow": ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
}
SPACE = b" \t\n\v\f\r"
UNRESERVED = re.compile(rb"[A-Za-z0-9\-._~]")
AS_IT_IS = re.compile(rb"[A-Za-z0-9\-._~!&'()+,;=#%]")
DELIMITERS = (b":", b"/", b"?", b"@", b"[", b"]")
GOOGLE_LINE = 16663


class Rule(NamedTuple):
    line: int
    allows: bool
    pattern: bytes


class Groups(NamedTuple):
    own: list[Rule]
    others: list[Rule]
    is_named: bool


def kind_of(key: bytes, compat: str | None) -> str | None:
    text = key.decode("latin-1").lower()
    for kind, words in KEYS.items():
        if text == words[0] or (compat != "rfc9309" and text.startswith(words)):
            return kind
    return None


def pair_of(line: bytes, compat: str | None) -> tuple[bytes, bytes] | None:
    if compat == "google":
        line = line[:GOOGLE_LINE]
    line = line.partition(b"\0")[0].partition(b"#")[0].strip(SPACE)
    key, colon, value = line.partition(b":")
    if not colon:
        words = [word for word in re.split(rb"[ \t]+", line) if word]
        if len(words) != 2 or compat == "rfc9309":
            return None
        key, value = words
    return key.strip(SPACE), value.strip(SPACE)


def lines_of(body: bytes) -> list[bytes]:
    for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"):
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    lines = re.split(rb"(\r|\n)", body)
    found, before = [], b""
    for text, end in zip(lines[::2], [*lines[1::2], b""], strict=True):
        if not (text == b"" and before == b"\r" and end == b"\n"):
            found.append(text)
        before = end
    return found


def groups_of(body: bytes, agent: str, compat: str | None) -> Groups:
    groups = Groups([], [], False)
    own = everyone = seen_rule = False
    token = rb"[A-Za-z_-]*" if compat else rb"[A-Za-z0-9_-]*"
    for number, line in enumerate(lines_of(body), 1):
        pair = pair_of(line, compat)
        kind = None if pair is None else kind_of(pair[0], compat)
        if pair is None or kind is None:
            continue
        value = pair[1]
        if kind == "agent":
            if seen_rule:
                own = everyone = seen_rule = False
            if re.match(rb"\*(?:$|[ \t\n\v\f\r])", value):
                everyone = True
            elif (found := re.match(token, value)) and found[0].decode().lower() == agent.lower():
                own = True
                groups = groups._replace(is_named=True)
            continue
        seen_rule = True
        rule = Rule(number, kind == "allow", value)
        if own:
            groups.own.append(rule)
        elif everyone:
            groups.others.append(rule)
    return groups


def upper_escapes(text: bytes) -> bytes:
    return re.sub(rb"%[0-9A-Fa-f]{2}", lambda found: found[0].upper(), text)


def google_pattern(value: bytes) -> bytes:
    return re.sub(rb"[\x80-\xff]", lambda found: b"%%%02X" % found[0][0], upper_escapes(value))


def mark(delimiter: bytes) -> bytes:
    """A byte that no spelling has: it stands for a delimiter and for its escape."""
    return bytes([delimiter[0] | 0x80])


def spelt(text: bytes, is_rule: bool, marks: bool, first_too: bool = False) -> bytes:
    """RFC 9309, section 2.2.2. In a rule, * and a last $ stay. `marks` are in place of escaped delimiters, and of those
    after the first "?"; with `first_too`, also in its place."""
    out = b""
    i, in_query = 0, False
    while i < len(text):
        byte = text[i : i + 1]
        i += 1
        if byte == b"%" and re.match(rb"[0-9A-Fa-f]{2}", text[i : i + 2]):
            decoded = bytes.fromhex(text[i : i + 2].decode())
            if UNRESERVED.match(decoded):
                out += decoded
            elif marks and decoded in DELIMITERS:
                out += mark(decoded)
            else:
                out += b"%" + text[i : i + 2].upper()
            i += 2
        elif byte in DELIMITERS:
            is_marked = marks and (in_query or (first_too and byte == b"?"))
            out += mark(byte) if is_marked else byte
            in_query = in_query or byte == b"?"
        elif (is_rule and (byte == b"*" or (byte == b"$" and i == len(text)))) or AS_IT_IS.match(byte):
            out += byte
        else:
            out += b"%%%02X" % byte[0]
    return out


def is_match(pattern: bytes, path: bytes) -> bool:
    """By the places in the path that the pattern can have reached."""
    anchored = pattern.endswith(b"$")
    places = {0}
    for byte in pattern[: len(pattern) - anchored]:
        if byte == ord("*"):
            places = {*range(min(places), len(path) + 1)}
        else:
            places = {place + 1 for place in places if place < len(path) and path[place] == byte}
        if not places:
            return False
    return not anchored or len(path) in places


def google_path(url: bytes) -> bytes:
    start = 2 if url.startswith(b"//") else 0
    early = re.search(rb"[/?;]", url[start:])
    protocol = url.find(b"://", start)
    after = start
    if protocol >= 0 and not (early and start + early.start() < protocol):
        after = protocol + 3
    found = re.search(rb"[/?;]", url[after:])
    mark = url.find(b"#", start)
    if found is None or 0 <= mark < after + found.start():
        return b"/"
    path = url[after + found.start() : None if mark < 0 else mark]
    return path if path.startswith(b"/") else b"/" + path


def verdict(body: bytes, agent: str, url: str, compat: str | None) -> tuple[bool, int | None]:
    """Whether the URL is allowed, and by which line."""
    groups = groups_of(body, agent, compat)
    rules = [rule for rule in (groups.own if groups.is_named else groups.others) if rule.pattern]
    if compat is None:
        parsed = URL(url)
        path = (parsed.pathname + parsed.search).encode()
        if parsed.has_opaque_path:
            return True, None
        if parsed.query == "":
            path += b"?"
        path = path if path.startswith(b"/") else b"/" + path
    else:
        path = google_path(url.encode("utf-8", "replace"))
    if compat == "google":
        path = path.partition(b"\0")[0]
        paths = [path]
        patterns = [(pattern, rule, len(pattern)) for rule in rules for pattern in [google_pattern(rule.pattern)]]
        for pattern, rule, _ in [*patterns]:
            begin = pattern.rfind(b"/") + 1
            if rule.allows and begin and pattern[begin:].startswith(b"index.htm"):
                patterns.append((pattern[:begin] + b"$", rule, begin + 1))
    else:
        paths = [spelt(path, False, False), spelt(path, False, True)]
        patterns = []
        for rule in rules:
            plain, marked = spelt(rule.pattern, True, False), spelt(rule.pattern, True, True)
            marks = sum(byte >= 0x80 for byte in marked)
            length = len(marked) + 2 * marks
            patterns.append((plain, rule, length))
            if marks:
                patterns.append((marked, rule, length))
                # The first "?" of such a rule need not be that of the URL.
                if b"*" in rule.pattern.partition(b"?")[0]:
                    patterns.append((spelt(rule.pattern, True, True, first_too=True), rule, length))
        if paths[0] == b"/robots.txt":
            return True, None
    best: tuple[int, bool, int] | None = None
    for pattern, rule, length in patterns:
        if any(is_match(pattern, path) for path in paths):
            rank = (length, rule.allows, -rule.line)
            best = rank if best is None else max(best, rank)
    return (True, None) if best is None else (best[1], -best[2])


def check(index: int, data: bytes) -> None:
    """A file, and after its last 0xFF a URL, for the fuzzers: weburl gives the same as the model."""
    compat: Compat = (None, "rfc9309", "google")[index % 3]
    body, _, text = data[:5000].rpartition(b"\xff")
    if compat is None and body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        body = body[2:]
    url = text.decode("utf-8", "replace")
    robots = Robots.parse(body, agent="a", compat=compat)
    assert robots.warnings is not None
    try:
        expected = verdict(body, "a", url, compat)
    except InvalidURL:
        return
    rule = robots.rule(url)
    assert (robots.allowed(url), None if rule is None else rule.line) == expected
    assert robots.allowed_many([url], threads=1).to_pylist() == [expected[0]]
