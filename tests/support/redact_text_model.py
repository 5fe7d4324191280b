"""The rules of docs/redact-text.md once more, in plain Python with regular expressions.

A text is a str with a character for each byte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from support import redact_model
from support.field_model import (
    ASSIGNMENT,
    BLANK,
    BREAK_IN_LIST,
    COLOUR,
    ITEM,
    LITERAL,
    LITERALS,
    NUMBER,
    OWN_ASSIGNMENT,
    OWN_LITERAL,
    OWN_LITERALS,
    PREFIX,
    QUOTES,
    RUN,
    SENTENCE,
    SPACES,
    WORD,
    begins_name,
    closes,
    closes_at,
    is_place,
    key_name,
    lists_in,
    looks_random,
    may_be_password,
    opening,
    own_name,
)
from support.redact_model import HIDDEN, HIDDEN_FORM, Found, is_hidden, is_secret_value
from support.redaction_lists import (
    AUTHORIZATION_SCHEMES,
    COOKIE_ATTRIBUTES,
    FIELD_TAILS,
    PLAIN_VALUES,
    SECRET_FIELDS,
    TOKEN_SCHEMES,
)

from weburl._diagnosis.credentials import is_port

LINE_ESCAPE = r"(?:\\(?:01[25]|x0[adAD]|u000[adAD])|#01[25]|%0[adAD])"
LINE_BREAK = rf"{LINE_ESCAPE}{{1,2}}(?={WORD}+:(?:[ \t]|{COLOUR}))"
ESCAPED_GAP = rf"\\[nrt]|{LINE_BREAK}|{COLOUR}"
TOKEN = re.compile(rf"(?:(?!{ESCAPED_GAP})[^{SPACES}{QUOTES}])+")
GAP = re.compile(rf"{ESCAPED_GAP}|[{SPACES}{QUOTES}]")
REQUEST = re.compile(r"[A-Z]{3} \Z")
URL_COLON = re.compile(r":\\*/\\*/")
TRAILING = ".,;:)]}'\\"
BOT_KEY = re.compile(f"(?<![0-9])[0-9]{{8,12}}:AA{WORD}{{33}}(?!{WORD})")
# Only what is not part of a word, of a scheme and of what URLs are found by.
ESCAPE = re.compile(
    r"\\+(?:(/)|(?:u00|x)(?!7[Ff])([2-7][0-9A-Fa-f])|(u(?!00)[0-9A-Fa-f]{4}|(?:u00|x)(?:[0189A-Fa-f][0-9A-Fa-f]|7[Ff])))"
)
UNESCAPED = frozenset(map(chr, range(0x20, 0x7F))) - frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:?#\\"
)


# Where URLs and headers are.
Seen = tuple[int, int]


def redacted(text: str) -> tuple[str, Found]:
    """The text without its secrets, and what was hidden."""
    found: Found = Counter()
    out = ""
    place = 0
    seen: list[Seen] = []
    while place < len(text):
        if gap := GAP.match(text, place):
            shown, end = gap[0], gap.end()
        else:
            shown, end = redact_token(text, place, found, seen)
        out += shown
        place = end
    return out, +found


def token_end(text: str, place: int) -> int:
    token = TOKEN.match(text, place)
    return token.end() if token else place


def url_end(text: str, place: int, end: int) -> int:
    """Where a URL ends that begins in a token: it can have quotes, unless one is before it."""
    if place > 0 and text[place - 1] in QUOTES:
        return end
    while text[end : end + 1] in {*QUOTES} and text[end - 1] != "\\":
        end = token_end(text, end + 1)
    return end


def find_url(text: str, place: int, end: int, limit: int) -> int:
    for index in range(place, end):
        assigns = re.compile(r"=|\\(?:u00|x)3[dD]").search(text, index, limit)
        is_mark = text[index] in "?#" and ("/" in text[place:index] or assigns is not None)
        if is_mark or URL_COLON.match(text, index, end):
            return index
    return -1


def goes_on(text: str, place: int) -> bool:
    """Whether another parameter follows what ends a token."""
    pattern = r"""(?:(?!\\u0026.|&)(?::(?=AA)|[^\x00-\x20\x7f"'`?#=:&]))*(?:&|\\u0026)[A-Za-z0-9_.\[\]%-]+="""
    return re.compile(pattern, re.DOTALL).match(text, place) is not None


def last_quote(text: str, place: int, seen: list[Seen]) -> int:
    """How many backslashes the last quote of the line has that is not in a URL or a header; -1 if there is none."""
    for begin, end in reversed(seen):
        text = text[:begin] + "." + text[end:]
        place -= end - begin - 1
    match = re.search(r'(\\*)"[^"\n\r]*\Z', text[:place])
    return len(match[1]) if match else -1


def has_query(text: str, url: int, end: int) -> bool:
    """Whether a URL has a query, and not in a password that should have been escaped."""
    host = re.split(r"[/\\?#]", text[url + 1 : end].lstrip("/\\"))[0].rpartition("@")[2]
    is_host = text[url] != ":" or (host.startswith("[") and "]" in host) or is_port(host.partition(":")[2])
    return is_host and re.search("[?#]", text[url:end]) is not None


def query_end(text: str, place: int, end: int, quote: int) -> int:
    before = text[place - 1 : place]
    opening = len(text[: place - 1]) - len(text[: place - 1].rstrip("\\")) if place else 0
    while end < len(text):
        last = end
        if text[end] == "\\":
            end += 2
            if not goes_on(text, end):
                return last
        elif text[end] in '"' + QUOTES:
            run = end - len(text[:end].rstrip("\\"))
            if run == 0:
                is_end = text[end] == '"' or before in {*QUOTES}
            elif before in {"'", '"'}:
                is_end = text[end] == before and closes_at(text, end, run, opening, in_url=True)
            else:
                is_end = text[end] == "`" or (
                    text[end] == '"' and quote >= 0 and closes_at(text, end, run, quote, in_url=True)
                )
            if is_end:
                return last
            end += 1
        elif text[end] in "<>":
            end += 1
            if before in {"<", ">"} or not goes_on(text, end):
                return last
        else:
            return end
        end = token_end(text, end)
    return end


def redact_token(text: str, place: int, found: Found, seen: list[Seen]) -> tuple[str, int]:
    end = token_end(text, place)
    limit = url_end(text, place, end)
    url = find_url(text, place, end, limit)
    header = find_header(text, place, end if url < 0 else url)
    if header:
        # The word that the name is in.
        begin = place + len(re.sub(f"{WORD}*\\Z", "", text[place : header.begin]))
        before = redact_part(text, place, begin, found) + text[begin : header.begin]
        value, end = redact_header(text, header, place, found)
        seen.append((place, end))
        return before + value, end
    if url < 0 and REQUEST.search(text[:place]) and text[place] == "/" and text.startswith(" HTTP/", end):
        seen.append((place, end))
        return redact_part(text, place, end, found, is_request=True), end
    if url >= 0:
        end = limit
        if has_query(text, url, end):
            quote = last_quote(text, place, seen)
            end = query_end(text, place, end, quote)
            limit = before_quote(text, place, end, quote)
        seen.append((place, end))
        return redact_part(text, place, limit, found) + text[limit:end], end
    return redact_part(text, place, end, found), end


def before_quote(text: str, place: int, end: int, quote: int) -> int:
    """A quote with backslashes at the end of a URL is not one of the URL if it can end a text."""
    match = re.search(rf'(\\+)"[{re.escape(TRAILING)}]*\Z', text[place:end])
    if not match:
        return end
    if opening := re.search(r"(\\*)([\"'])\Z", text[:place]):
        quote = len(opening[1]) if opening[2] == '"' else -1
    return place + match.end(1) if quote >= 0 and closes(len(match[1]), quote) else end


def redact_part(text: str, place: int, end: int, found: Found, *, is_request: bool = False) -> str:
    if "\\" not in text[place:end]:
        return applied(text, spans_of_plain(text, place, end, found, is_request=is_request), place, end)
    # Characters of the copy, and what each is written as.
    copy, written = "", []
    while place < end:
        escape = ESCAPE.match(text, place, end)
        character = escape and (escape[1] or ("\x80" if escape[3] else chr(int(escape[2], 16))))
        if escape and character and (escape[1] or escape[3] or character in UNESCAPED):
            copy += character
            written.append(escape[0])
            place = escape.end()
        else:
            run = re.compile(r"\\+|.", re.DOTALL).match(text, place, end)
            assert run
            copy += run[0]
            written += run[0]
            place = run.end()
    spans = []
    place = 0
    while place < len(copy):
        if gap := GAP.match(copy, place):
            place = gap.end()
            continue
        end = token_end(copy, place)
        limit = url_end(copy, place, end)
        url = find_url(copy, place, end, limit)
        if url >= 0:
            end = limit
            if has_query(copy, url, end):
                # It ends with a quote if it begins with one.
                before = copy[place - 1 : place] if place else ""
                last = {"<": ">", ">": "<"}.get(before, before)
                end = (copy + last).find(last, end) if last in {*'<>"', *QUOTES} else len(copy)
        spans += spans_of_plain(copy, place, end, found)
        place = end
    return applied(written, spans, 0, len(written))


Span = tuple[int, int, str]


def applied(written: Sequence[str], spans: list[Span], place: int, end: int) -> str:
    out = ""
    for begin, last, shown in spans:
        out += "".join(written[place:begin]) + shown
        place = last
    return out + "".join(written[place:end])


def spans_of_plain(text: str, place: int, end: int, found: Found, *, is_request: bool = False) -> list[Span]:
    """What is hidden in a token without escapes; a span may have more than the secret."""
    url = find_url(text, place, end, end)
    if url < 0 and not is_request:
        return word_spans(text, place, end, end, found)
    url = max(url, place)
    last = url + len(text[url:end].rstrip(TRAILING))
    if text[url] == ":":
        # Before the word that the scheme is in.
        word = max(place + len(re.sub(r"[A-Za-z0-9_+.\x80-\xff-]*\Z", "", text[place:url])) - 1, place)
        return word_spans(text, place, word, url, found) + authority_spans(text, place, url, last, found)
    solidus = text.find("/", place, url)
    begin = url if solidus < 0 else solidus
    last = begin + len(text[begin:end].rstrip(TRAILING))
    return key_spans(text, place, begin, found) + target_spans(text, begin, last, found, has_paths=True)


def word_spans(text: str, place: int, end: int, limit: int, found: Found) -> list[Span]:
    """Of a token that is not a URL, or what is before a URL: it can have paths, whose segments rules hide."""
    path = re.compile(r"(?:\A|(?<=[=:,;(\[{|\\]))/").search(text[place:end])
    if not redact_model.rules.paths or not path:
        return key_spans(text, place, limit, found)
    begin = place + path.start()
    spans = key_spans(text, place, begin, found)
    units = redact_model.Units("path")
    last = begin + len(text[begin:end].rstrip(TRAILING))
    parts = re.split(r"([/\\])", text[begin:last])
    for index in range(0, len(parts), 2):
        segment = parts[index]
        is_last = index == len(parts) - 1
        if index and parts[index - 1] == "/" and parts[index - 2].endswith(redact_model.BEFORE_PATH):
            units.begin_path()
        units.units.append(segment)
        segment_end = begin + len(segment)
        if units.is_hidden_by_rule():
            if is_last and end < limit and key_spans(text, begin, limit, Counter()):
                segment_end = limit
            elif parts[index + 1 : index + 2] == ["/"] and segment.endswith(redact_model.BEFORE_PATH):
                segment_end -= 1
            if begin < segment_end and not is_hidden(text[begin:segment_end]):
                found["name"] += 1
                spans.append((begin, segment_end, HIDDEN))
        else:
            spans += key_spans(text, begin, limit if is_last and end < limit else segment_end, found)
        begin += len(segment) + 1
    return spans


def key_spans(text: str, place: int, end: int, found: Found) -> list[Span]:
    spans = []
    while place < end:
        part = text[place:end]
        candidates = [(at, kind) for at, kind in redact_model.keys(part) if len(part) - at >= 13]
        if bot := BOT_KEY.search(part):
            candidates.append((bot.start(), "bot"))
        if not candidates:
            break
        at, kind = min(candidates, key=lambda candidate: (candidate[0], candidate[1] == "bot"))
        if kind == "bot":
            assert bot
            last = bot.end()
        else:
            last = key_end(part, at, kind)
        found["key" if kind == "bot" else kind] += 1
        spans.append((place + at, place + last, HIDDEN))
        place += last
    return spans


def key_end(part: str, at: int, kind: str) -> int:
    if kind == "jwt":
        match = re.compile(r"[A-Za-z0-9_.-]*").match(part, at)
    else:
        known = redact_model.KNOWN.match(part, at)
        match = re.compile(rf"{WORD}*(?:\.{WORD}{{16,}})*").match(part, known.end() if known else at)
        assert match
        return len(part[: match.end()].rstrip("."))
    assert match
    return at + len(match[0].rstrip("."))


def differences(begin: int, given: str, shown: str, separators: str) -> list[Span]:
    """What differs: one span for each part between separators, so that escapes in other parts stay."""
    if given == shown:
        return []
    for index, separator in enumerate(separators):
        ones, others = given.split(separator), shown.split(separator)
        if separator == "=":
            # The name stays, or all is hidden.
            ones, others = given.split("=", 1), shown.split("=", 1)
            if ones[0] != others[0]:
                break
        if 1 < len(ones) == len(others):
            spans = []
            for one, other in zip(ones, others, strict=True):
                spans += differences(begin, one, other, separators[index + 1 :])
                begin += len(one) + 1
            return spans
    return [(begin, begin + len(given), shown)]


def target_spans(text: str, begin: int, end: int, found: Found, *, has_paths: bool = False) -> list[Span]:
    target = text[begin:end]
    path, query, fragment = redact_model.parts_of(target)
    spans = differences(begin, path, redact_model.redact_path(path, found, has_paths=has_paths), "/\\;&=")
    if has_paths and redact_model.rules.paths:
        # What is before another path stays, also as it is escaped.
        spans = [
            (start, last - 1, HIDDEN) if shown == HIDDEN + text[last - 1] and text[last : last + 1] == "/" else span
            for span in spans
            for start, last, shown in [span]
        ]
    if query is not None:
        spans += differences(begin + len(path) + 1, query, redact_model.redact_query(query, found, path), "&=")
    if fragment is not None:
        start = begin + len(target) - len(fragment)
        shown = redact_model.redact_fragment(fragment, found, path)
        if "=" in fragment.partition("?")[0]:
            return spans + differences(start, fragment, shown, "&=")
        spans += differences(start, fragment.partition("?")[0], shown.partition("?")[0], "/\\;&=")
        start += len(fragment.partition("?")[0]) + 1
        spans += differences(start, fragment.partition("?")[2], shown.partition("?")[2], "&=")
    return spans


def authority_spans(text: str, place: int, url: int, end: int, found: Found) -> list[Span]:
    begin = url + 3
    if re.search(r"(?<![A-Za-z0-9+._-])(?:https?|wss?|ftp)\Z", text[place:url], re.IGNORECASE | re.ASCII):
        while begin < end and text[begin] in "/\\":
            begin += 1
    begin = min(begin, end)
    authority = re.split(r"[/\\?#]", text[begin:end])[0]
    host_end = begin + len(authority)
    at = authority.rfind("@")
    host = authority[at + 1 :]
    at = begin + at if at >= 0 else -1
    is_address = host.startswith("[") and "]" in host
    if not is_address and not is_port(host.partition(":")[2]) and text.rfind("@", host_end, end) > 0:
        at = text.rfind("@", host_end, end)
        host_end = at + 1 + len(re.split(r"[/\\?#]", text[at + 1 : end])[0])
    spans = []
    if at > begin:
        name, _, password = text[begin:at].partition(":")
        for given, start in ((name, begin), (password, begin + len(name) + 1)):
            if given and not is_hidden(given):
                spans.append((start, start + len(given), HIDDEN))
                found["credentials"] += 1
    with redact_model.on_host(redact_model.host_of(text[max(begin, at + 1) : host_end])):
        return (
            spans + property_spans(text, max(begin, at + 1), host_end, found) + target_spans(text, host_end, end, found)
        )


def property_spans(text: str, begin: int, end: int, found: Found) -> list[Span]:
    """Of what drivers of databases have in place of a host, or after it."""
    spans = []
    for piece in re.split("[;,()&]", text[begin:end]):
        if "=" in piece and not re.fullmatch(f"(?:{HIDDEN_FORM})*", piece.partition("=")[2]):
            spans += differences(begin, piece, redact_model.redact_parameter(piece, "path", found, ""), "=")
        begin += len(piece) + 1
    return spans


# Headers.


class Header(NamedTuple):
    begin: int
    value: int
    is_cookie: bool
    is_set_cookie: bool
    is_key: bool
    is_quoted: bool
    is_assigned: bool
    is_list: bool
    quote: str
    backslashes: int
    is_field: bool
    is_random: bool
    depth: int
    is_own: bool
    name_quote: str


NAME = re.compile(
    rf"cookie|authorization|(?P<key>key|token)"
    rf"|(?P<field>(?:{'|'.join(SECRET_FIELDS)})(?:[-_]?(?:{'|'.join(FIELD_TAILS)})(?![A-Za-z0-9]))?)",
    re.IGNORECASE | re.ASCII,
)


def find_header(text: str, place: int, end: int) -> Header | None:
    run_end = kept = place
    for index in range(place, end):
        names: list[tuple[re.Match[str], str | None, bool]] = []
        if index >= run_end and (run := RUN.match(text, index, end)):
            run_end = run.end()
            name, is_kept = own_name(text, run)
            kept = run_end if is_kept else kept
            header_name = re.search(r"(?:cookie|authorization)\Z", run[0], re.IGNORECASE)
            if name and not (header_name and begins_name(text, index + header_name.start(), place)):
                names.append((name, "random" if name["key"] else None, name["field"] is not None))
        if name := NAME.match(text, index, end):
            kind = key_name(text[place : name.end()]) if name["key"] else None
            is_key = kind is not None or name["field"] is not None
            if index >= kept if is_key else name["key"] is None and begins_name(text, index, place):
                names.append((name, kind, False))
        for name, kind, is_own in names:
            if header := header_at(text, place, name, kind, is_own=is_own):
                return header
    return None


def header_at(text: str, place: int, name: re.Match[str], kind: str | None, *, is_own: bool) -> Header | None:
    """The header with this name, if a value follows that can be hidden."""
    index = name.start()
    is_cookie = not is_own and name[0].lower() == "cookie"
    assignment = (OWN_ASSIGNMENT if is_own else ASSIGNMENT).match(text, name.end())
    if assignment is None or re.match(r"=[ \t]", text[assignment.end("end") :]):
        return None
    if text.startswith("[]", assignment.end("space")) and not assignment["list"]:
        return None
    value = (
        assignment.end() if assignment["list"] else after_wrapper(text, assignment.end(), assignment["sign"], is_cookie)
    )
    value, quote, run = opening(text, value, assignment["list"] is not None)
    if value < 0 or (quote in ('"', "'") and run < len(assignment["quoted"] or ".") - 1):
        return None
    if assignment["sign"] is None and assignment["named"] is None:
        if name["field"] is not None:
            return None
        # A name and a value in a list, if the text is not what another name has.
        word = place + len(re.sub(f"{WORD}*\\Z", "", text[place:index]))
        before = re.match(rf"""{assignment["quoted"][-1]}\\*[bur]?{BLANK}([^\t ]|\Z)""", text[:word][::-1])
        if text[word - 1 : word] != assignment["quoted"][-1] or before is None or (before[1] or ",") in ":=>":
            return None
        if re.search(rf"""{HIDDEN_FORM}[ \t]*[bur]?\\*{assignment["quoted"][-1]}\Z""", text[:word]):
            return None
    if (assignment["sign"] is None and assignment["named"] is None) or re.search(r"\n|\\n", assignment["space"]):
        last = quoted_end(text, value, quote, run)
        shown = text[value:last]
        if re.fullmatch(f"{WORD}*", shown) and (
            shown.lower().endswith(("cookie", "authorization")) or key_name(shown) == "key"
        ):
            return None
        needed = "=" if is_cookie else "[0-9 ]"
        if assignment["sign"] is None and assignment["named"] is None and not re.search(needed, shown):
            return None
        if re.match(rf"\\*{quote}{BLANK}(?:[:=]|{HIDDEN})", text[last:]):
            return None
    is_path = re.match(r"[/~.]|[A-Za-z0-9]:[/\\]", text[value:])
    is_variable = name[0][1:2] == "W" if assignment["quoted"] else (assignment["sign"] or "").startswith("=")
    prefix = re.search(f";?{WORD}*\\Z", text[place:index])
    if (
        name[0].lower()[:3] == "pwd"
        and not is_own
        and is_path
        and is_variable
        and prefix
        and prefix[0].lower() in ("", "old", ";old")
    ):
        return None
    if assignment["quoted"] and assignment["sign"] == ":" and not quote and not assignment["list"]:
        is_apart = assignment.end("end") < assignment.start("sign")
        is_key = kind is not None or name["field"] is not None
        if is_apart and is_key and SENTENCE.match(text, value) and after_scheme(text, value, len(text))[0] == value:
            return None
    if not assignment["quoted"] and quote != "{":
        if quote and re.match(FOLLOWS_TEXT, text[value:]):
            return None
        is_sentence = (
            text[value] == "="
            if text[value - 1] == "="
            else not may_be_password(name, assignment, text[value:], is_own=is_own)
        )
        if name["field"] and not quote and not assignment["list"] and is_sentence:
            return None
    header = Header(
        index,
        value,
        is_cookie,
        re.search("set[-_]?\\Z", text[place:index], re.IGNORECASE) is not None,
        kind is not None or name["field"] is not None,
        assignment["quoted"] is not None,
        (assignment["sign"] or "").startswith("="),
        assignment["list"] is not None,
        quote,
        run,
        name["field"] is not None,
        kind == "random",
        lists_in(assignment["list"] or ""),
        is_own,
        assignment["quoted"] or "",
    )
    last = len(text) if quote or header.is_list else next_break(text, header)
    if not header.is_random or looks_random(text[after_scheme(text, value, last)[0] : last], shortest(header)):
        return header
    return None


def shortest(header: Header) -> int:
    """A token that looks random has so many characters."""
    return 6 if header.is_quoted or header.is_assigned else 16


# What programs write between a name and a text in quotes: types, calls and tags.
UNIT = re.compile(
    rf"""[&*]|\([^()"'\r\n]*\)[ \t]+|(?P<word>(?P<call>(?:{WORD}|[.:\[\]!])*\([ \t]*)|!(?:{WORD}|[.:\[\]!])*[ \t]+"""
    rf"""|(?:{WORD}|[.:\[\]])(?:{WORD}|[.:\[\]!])*[ \t]+=[ \t]+)"""
)
LONGEST_WRAPPER = 48
FOLLOWS_TEXT = r"(?:[,}\]):; \t\r\n]|\\+(?:[nrt]|\Z)|\Z)"


def after_wrapper(text: str, value: int, sign: str | None, is_cookie: bool) -> int:
    limit = value + LONGEST_WRAPPER
    equals = re.compile(r"(?:=[ \t]*)?(?:(?<==)=[ \t]*)?").match(text, value, limit)
    assert equals
    place, is_call = equals.end(), False
    while unit := UNIT.match(text, place, limit):
        # What was hidden may have been anything.
        word = re.compile(rf"(?:{WORD}|[.:\[\]!])*").match(text, place, limit)
        if unit["word"] is not None and word and re.search(rf"{HIDDEN_FORM}[.:\[\]!]*\Z", text[: word.end()]):
            break
        place = unit.end()
        is_call = is_call or unit["call"] is not None
    if re.compile(rf"""{PREFIX}\\*["'](?!{FOLLOWS_TEXT})""").match(text, place):
        return place
    if is_call and not is_cookie and (sign or "").startswith("=") and after_scheme(text, place, len(text))[0] > place:
        return place
    return value


def quoted_end(text: str, value: int, quote: str, opening: int) -> int:
    for match in re.compile(r"(\\*)([^\\]|\Z)", re.DOTALL).finditer(text, value):
        run = len(match[1])
        if match[2] == quote and closes_at(text, match.end() - 1, run, opening):
            return match.start()
        if match[2] in ("\n", "\r", ""):
            return match.end() - len(match[2])
    return len(text)


def line_end(text: str, value: int, is_cookie: bool) -> int:
    part = rf'(?<==)\\*"(?!{FOLLOWS_TEXT})[^"\n\r]*"|\\*[^\\"<\n\r\x00]'
    if not is_cookie:
        part = r'(?<=[ \t(\[{&])\\*"(?=[A-Za-z0-9])[^"\n\r]*"|' + part
    line = re.compile(rf"(?:(?!\\+[nr]|\\*{LINE_BREAK})(?:{part})|\\+(?=[<\n\r\x00]|\Z))*", re.DOTALL)
    match = line.match(text, value)
    assert match
    end = match.end()
    # The value cannot begin with a quote.
    first = re.compile(r'\\*"').match(text, value)
    return value if first else end


def without_delimiters(text: str, begin: int, end: int) -> int:
    return begin + len(text[begin:end].rstrip(" \t,;)]}\\"))


def credentials_end(text: str, begin: int, has_quotes: bool, is_token: bool) -> int:
    place = begin
    parameter = re.compile(rf"{WORD}+=[A-Za-z0-9_\"'`\\-]").match(text, begin)
    has_parameters = has_quotes and (not is_token or parameter is not None)
    while True:
        place = token_end(text, place)
        quote = text[place : place + 1]
        run = place - len(text[:place].rstrip("\\"))
        begins = place - run <= begin or text[place - run - 1] == "="
        if has_quotes and quote in {*QUOTES, '"'} and re.match("[A-Za-z0-9_/-]", text[place + 1 :]) and begins:
            last = quoted_end(text, place + 1, quote, run)
            last = len(text) - len(text[last:].lstrip("\\"))
            if text[last : last + 1] != quote:
                return last
            place = last + 1
        elif has_parameters and place > begin and re.match(f", {WORD}+=", text[place - 1 :]):
            place += 1
        else:
            return place


def after_scheme(text: str, begin: int, end: int) -> tuple[int, bool]:
    match = re.compile(rf"([A-Za-z0-9-]*)({BLANK})").match(text, begin, end)
    assert match
    word = match[1].lower()
    if (match[2] or (match.end() == end and end > begin)) and word in TOKEN_SCHEMES | AUTHORIZATION_SCHEMES:
        return match.end(), word in TOKEN_SCHEMES
    return begin, False


CARRIAGE_RETURN = r"(?:[#\\]015|\\x0[dD]|\\u000[dD])"
LINE_FEED = r"(?:[#\\]012|\\x0[aA]|\\u000[aA])"


def value_end(text: str, header: Header, token: int) -> int:
    last = len(text) if header.quote or header.is_list else next_break(text, header)
    return whole_value_end(text[:last], header, token)


def next_break(text: str, header: Header) -> int:
    ends = [CARRIAGE_RETURN + LINE_FEED, "[\r\n]"]
    if not header.is_assigned:
        line_feed = f"(?:{LINE_FEED}|%0[aA])"
        ends += [CARRIAGE_RETURN + line_feed, rf"%0[dD]{line_feed}(?={WORD}+:(?:[ \t]|{COLOUR}))"]
    match = re.compile("|".join(ends)).search(text, header.value)
    return match.start() if match and match[0] not in ("\r", "\n") else len(text)


def whole_value_end(text: str, header: Header, token: int) -> int:
    value = header.value
    if header.quote == "{":
        return value
    if header.quote:
        return quoted_end(text, value, header.quote, header.backslashes)
    if header.is_list:
        can_be_word = header.is_quoted or text[value - 1] in "])}"
        match = (can_be_word and ITEM.match(text, value)) or re.compile(r"[^\]\n\r]*").match(text, value)
        assert match
        return match.end()
    if header.is_cookie and header.is_assigned:
        end = token_end(text, value)
        while (
            end > value and text[end - 1] == ";" and text[end : end + 1] == " " and not is_gap(text[end + 1 : end + 2])
        ):
            end = token_end(text, end + 1)
        return without_delimiters(text, value, end)
    if header.is_quoted and not header.is_assigned:
        match = re.compile(r"[A-Za-z0-9+.-]+(?=[ \t]*(?:[,\]}\r\n]|\Z))").match(text, value)
        if match and len(match[0]) <= 5 and not header.is_own and re.fullmatch(NUMBER, match[0]):
            return value
        if match and (re.match("[0-9-]", match[0]) or is_hidden(match[0]) or match[0].lower() in PLAIN_VALUES):
            return match.end()
    if header.is_key:
        begin = value if header.is_field else after_scheme(text, value, len(text))[0]
        if hidden := re.compile(rf"{HIDDEN_FORM}(?=[^A-Za-z0-9_-])").match(text, begin):
            return hidden.end()
        match = re.compile("[^&,;]*").match(text, begin, token_end(text, begin))
        assert match
        end = match.end()
        while header.is_field and text[begin:end].endswith(":"):
            end = without_delimiters(text, begin, end - 1)
        return without_delimiters(text, begin, end)
    if not header.is_cookie:
        begin, is_token = after_scheme(text, value, len(text))
        if is_token or header.is_assigned:
            is_after = begin > value
            return without_delimiters(text, begin, credentials_end(text, begin, is_after, is_token))
    before = text[token - 1 : token]
    if re.fullmatch(f"{WORD}*", text[token : header.begin]) and before and before in "\"'":
        run = token - 1 - len(text[: token - 1].rstrip("\\"))
        return line_end_in_quotes(text, value, quoted_end(text, value, before, run))
    end = line_end(text, value, header.is_cookie)
    return value + len(text[value:end].rstrip(" \t\\"))


def line_end_in_quotes(text: str, value: int, end: int) -> int:
    """Where the line ends in a text in quotes: at an escaped line end before another header or before the end."""
    found = re.compile(rf"(?<!\\)(?:\\+[nr])+(?={WORD}+:(?:[ \t]|{COLOUR})|\Z)").search(text[:end], value)
    return found.start() if found else end


def is_gap(character: str) -> bool:
    return character == "" or re.match(rf"[{SPACES}{QUOTES}]", character) is not None


def hidden_value(text: str, kind: str, found: Found, before: str) -> str:
    if is_place(text, before):
        return text
    if not text or is_hidden(text) or not is_secret_value(lambda globs: globs is redact_model.SECRET, text):
        return text
    found[kind] += 1
    return HIDDEN


def redact_cookies(text: str, is_set_cookie: bool, found: Found, before: str) -> str:
    pieces = text.split(";")
    for index, piece in enumerate(pieces):
        rest = piece.lstrip(" \t")
        cookie = rest.rstrip(" \t")
        name, equals, value = cookie.partition("=")
        if re.search(rf"[{SPACES}{QUOTES},]", name):
            name, equals, value = cookie, "", ""
        if is_set_cookie and index > 0 and name.lower() in COOKIE_ATTRIBUTES and "=" not in value:
            continue
        if equals:
            shown = name + equals + hidden_value(value, "name", found, equals)
        else:
            shown = hidden_value(name, "name", found, before if index == 0 and rest == piece else ";")
        pieces[index] = piece[: len(piece) - len(rest)] + shown + rest[len(cookie) :]
    return ";".join(pieces)


def in_quotes(shown: str, text: str, header: Header) -> str:
    """A number in JSON becomes a text, in quotes as its name is."""
    is_json = shown == HIDDEN != text and not header.quote and not header.is_assigned and re.fullmatch(NUMBER, text)
    return f"{header.name_quote}{shown}{header.name_quote}" if is_json else shown


def redact_header(text: str, header: Header, token: int, found: Found) -> tuple[str, int]:
    out, place = "", header.begin
    while True:
        end = value_end(text, header, token)
        out += text[place : header.value]
        is_word = header.is_list and header.is_quoted and not header.quote
        literal = OWN_LITERAL if header.is_own else LITERAL
        if is_word and re.fullmatch(literal, text[header.value : end], re.IGNORECASE):
            out += text[header.value : end]
        elif header.is_cookie:
            shown = redact_cookies(text[header.value : end], header.is_set_cookie, found, text[header.value - 1])
            out += in_quotes(shown, text[header.value : end], header)
        else:
            begin = header.value if header.is_field else after_scheme(text, header.value, end)[0]
            item = text[begin:end]
            out += text[header.value : begin]
            if header.is_random and not looks_random(item, shortest(header)):
                out += item
            else:
                shown = hidden_value(item, "name" if header.is_key else "credentials", found, text[begin - 1])
                out += in_quotes(shown, text[header.value : end], header)
        place = end
        if not header.is_list or header.quote == "{":
            break
        closing = rf"\\*{header.quote}" if header.quote else ""
        ends = rf"(?P<ends>(?:{BLANK}(?:(?:\r?\n|(?-i:(?:\\+r)?\\+n)){BLANK})?\]){{0,{max(header.depth - 1, 0)}}})"
        literals = OWN_LITERALS if header.is_own else LITERALS
        following = re.compile(rf"{closing}{ends}{BLANK},{BREAK_IN_LIST}(?P<literals>{literals})", re.IGNORECASE).match(
            text, end
        )
        if not following:
            break
        value, quote, run = opening(text, following.end(), in_list=True)
        if value < 0 or quote == "{" or (not quote and not ITEM.match(text, value)):
            break
        depth = header.depth - re.sub(COLOUR, "", following["ends"]).count("]") + lists_in(following["literals"])
        header = header._replace(value=value, quote=quote, backslashes=run, is_quoted=True, depth=depth)
    escapes = re.compile(rf"{BLANK}{LINE_ESCAPE}{LINE_ESCAPE}").match(text, end)
    return (out + escapes[0], escapes.end()) if escapes else (out, end)
