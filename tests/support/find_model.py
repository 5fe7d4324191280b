"""What find_urls must give: slow, and written over characters. docs/text.md has the rules in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from publicsuffixlist import PublicSuffixList

from weburl import URL
from weburl.bulk import find_urls_many
from weburl.text import defang, find_urls, refang

MARKS = "«»‘’‚‛“”„‟…‹›、。！，：；？"
PAIRS = {")": "(", "]": "[", "}": "{", "〉": "〈", "》": "《", "」": "「", "』": "『", "】": "【", "）": "（"}
WIDE = MARKS + "〈〉《》「」『』【】（）"
WITH_HOST = ("http", "https", "ws", "wss", "ftp")
JSON = re.compile(r'\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)|\\u([0-9A-Fa-f]{4})|\\([/\\])|\\(["bfnrt])', re.DOTALL)
HTML = re.compile(
    r"&(?:(amp)|(lt|gt|quot|apos|nbsp)|#[xX]([0-9A-Fa-f]{1,7})|#([0-9]{1,7}));",
)
DEFANGED = re.compile(r"\(\.\)|\{\.\}|\[[.:/@]\]|\[dot\]|\(dot\)|\{dot\}", re.IGNORECASE | re.ASCII)
ESCAPE_BEFORE = re.compile(r"(?s:.*)(?:\\[nrtbf]|\\u[0-9A-Fa-f]{4})\Z")


class Found(NamedTuple):
    start: int
    end: int
    url: str


class Candidate(NamedTuple):
    kind: str
    start: int
    after: int
    prefix: str
    is_special: bool


def is_space(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Zs", "Zl", "Zp")


def is_host_char(char: str, others: str = "-._%:") -> bool:
    return char not in WIDE and (ord(char) > 0x7F or char.isalnum() or char in others)


class Model:
    """The URLs in a text. Each byte of `raw` that is not UTF-8 is a lone surrogate."""

    def __init__(
        self, text: str, schemes: tuple[str, ...] = WITH_HOST, bare: bool = False, syntax: str = "text",
        defanged: bool = False,
    ) -> None:  # fmt: skip
        self.text = text
        self.schemes = sorted(schemes, key=len, reverse=True)
        self.bare = bare
        self.syntax = syntax
        self.defanged = defanged
        self.ends = '<>"`' + {"html": "'", "shell": "'|", "markdown": "|"}.get(syntax, "")
        self.trimmed = ".,;:!?'*" + ("_~" if syntax == "markdown" else "")

    def is_end(self, char: str) -> bool:
        return char in self.ends or is_space(char)

    def token(self, i: int) -> tuple[str, int] | None:
        """The character at a place, and how many of the text stand for it; None if it ends a URL."""
        char = self.text[i]
        if self.is_end(char):
            return None
        if char == "\\" and self.syntax in ("markdown", "shell"):
            following = self.text[i + 1 : i + 2]
            if following > "\x7f" or (self.syntax == "markdown" and following.isascii() and following.isalnum()):
                return char, 1
            return (following, 2) if following and not self.is_end(following) else None
        if char == "\\" and self.syntax == "json":
            return self.escaped(JSON.match(self.text, i), i)
        if char == "&" and self.syntax == "html":
            return self.escaped(HTML.match(self.text, i), i)
        if self.defanged and (found := DEFANGED.match(self.text, i)):
            inner = found[0][1:-1]
            return (inner if len(inner) == 1 else "."), len(found[0])
        return char, 1

    def escaped(self, found: re.Match[str] | None, i: int) -> tuple[str, int] | None:
        if found is None:
            return self.text[i], 1
        if self.syntax == "html":
            if found[2]:
                return None
            char = "&" if found[1] else code_point(int(found[3], 16) if found[3] else int(found[4]))
            if char == "\0":
                return "&", 1
        elif found[1]:
            try:
                char = chr(0x10000 + ((int(found[1], 16) & 0x3FF) << 10 | (int(found[2], 16) & 0x3FF)))
            except ValueError:
                found = re.compile(r"\\u([0-9A-Fa-f]{4})").match(self.text, i)
                if found is None:
                    return "\\", 1
                char = code_point(int(found[1], 16))
        elif found[3]:
            char = code_point(int(found[3], 16))
        elif found[4]:
            char = found[4]
        else:
            return None
        return None if self.is_end(char) else (char, len(found[0]))

    def tokens(self, i: int) -> Iterator[tuple[str, int, int]]:
        """Each character with its place and the place after it, until a URL must end."""
        while i < len(self.text):
            token = self.token(i)
            if token is None:
                return
            yield token[0], i, i + token[1]
            i += token[1]

    def begins(self, i: int, not_before: str) -> bool:
        before = self.text[i - 1 : i]
        is_word = before.isascii() and before.isalnum()
        if not before or not (is_word or before in not_before):
            return True
        return bool(ESCAPE_BEFORE.match(self.text[max(0, i - 6) : i]))

    def scheme_at(self, colon: int, floor: int) -> Candidate | None:
        """The scheme before a colon, and where the authority after it begins."""
        text, end, close = self.text, colon, False
        i = colon + 1
        if self.defanged and text[colon - 1 : colon] == "[" and colon:
            end -= 1
            if text[i : i + 1] == "]":
                i += 1
            else:
                close = True
        for _ in range(2):
            token = self.token(i) if i < len(text) else None
            if token is None or token[0] != "/":
                return None
            i += token[1]
        if close:
            if text[i : i + 1] != "]":
                return None
            i += 1
        for scheme in self.schemes:
            start = end - len(scheme)
            written = text[max(start, 0) : end]
            name = written.lower()
            if self.defanged and scheme in ("http", "https", "ftp") and name.isascii():
                name = "".join(b if a == "x" and b == "t" else a for a, b in zip(name, scheme, strict=False))
            if start >= floor and name == scheme and self.begins(start, ""):
                if self.defanged and scheme in ("http", "https", "ftp"):
                    written = written.replace("x", "t").replace("X", "T")
                return Candidate("scheme", start, i, written + "://", scheme in WITH_HOST)
        return None

    def www_at(self, i: int, floor: int) -> Candidate | None:
        tokens = [char for (char, _, _), _ in zip(self.tokens(i + 3), range(2), strict=False)]
        if i < floor or self.text[i : i + 3].lower() != "www" or not self.begins(i, ".-@/\\+") or len(tokens) < 2:
            return None
        following = tokens[1]
        if tokens[0] != "." or not is_host_char(following, ""):
            return None
        return Candidate("www", i, i, "http://", True)

    def is_unopened(self, char: str, begin: int, end: int, depths: list[int]) -> bool:
        """Whether a bracket of Markdown closes none of the URL. Those that it opens are counted in `depths`."""
        if self.syntax != "markdown" or end != begin + 1 or char not in "()[]" or self.text[begin] != char:
            return False
        which = char in "[]"
        if char in "([":
            depths[which] += 1
        elif depths[which] == 0:
            return True
        else:
            depths[which] -= 1
        return False

    def url_of(self, candidate: Candidate) -> tuple[Found | None, int]:
        """The URL that a candidate is, and where its authority ends."""
        chars: list[tuple[str, int]] = [(char, candidate.start) for char in candidate.prefix]
        place = candidate.after
        depths = [0, 0]
        before_host = candidate.kind == "scheme" and candidate.is_special
        authority = len(chars)
        authority_end = -1
        stop = place
        for char, begin, end in self.tokens(candidate.after):
            if before_host and char in "/\\":
                chars.append((char, end))
                stop = place = end
                authority = len(chars)
                continue
            before_host = False
            is_delimiter = char in "/?#\\"
            if authority_end < 0 and candidate.kind != "scheme" and not is_delimiter and not is_host_char(char):
                break
            if authority_end < 0 and is_delimiter:
                stop = begin
                if char == "\\" and not candidate.is_special:
                    break
                authority_end = len(chars)
            if self.is_unopened(char, begin, end, depths):
                break
            self.restore_scheme(chars, begin)
            chars.append((char, end))
            place = end
            if authority_end < 0:
                stop = end
        if candidate.kind != "scheme" and authority_end < 0 and self.text[place : place + 1] == "@":
            return None, stop
        goes_on = authority_end >= 0
        if not goes_on:
            authority_end = len(chars)
        if candidate.kind == "scheme":
            texts = [char for char, _ in chars[authority:authority_end]]
            at = len(texts) - texts[::-1].index("@") if "@" in texts else 0
            host = at
            if texts[host : host + 1] == ["["]:
                host = texts.index("]", host) + 1 if "]" in texts[host:] else len(texts)
            while host < len(texts) and is_host_char(texts[host]):
                host += 1
            if host < len(texts):
                goes_on = False
                authority_end = authority + host
        if not goes_on:
            del chars[authority_end:]
            self.trim(chars, authority)
        if len(chars) <= authority and (candidate.is_special or not goes_on):
            return None, stop
        if goes_on:
            # What is an authority only with what is trimmed later is not one.
            if (authority_end == authority and candidate.is_special) or not parses(chars[:authority_end]):
                return None, stop
            self.trim(chars, authority)
            if len(chars) <= authority:
                return None, stop
        if not parses(chars):
            return None, stop
        end = chars[-1][1]
        return Found(candidate.start, end, "".join(char for char, _ in chars)), stop

    def restore_scheme(self, chars: list[tuple[str, int]], colon: int) -> None:
        """Before hxxps[:]// in a URL, the scheme is as it was."""
        if not self.defanged or self.text[colon : colon + 5] != "[:]//":
            return
        candidate = self.scheme_at(colon + 1, 0)
        if candidate is not None:
            scheme = candidate.prefix.removesuffix("://")
            chars[-len(scheme) :] = [
                (char, place) for char, (_, place) in zip(scheme, chars[-len(scheme) :], strict=True)
            ]

    def trim(self, chars: list[tuple[str, int]], least: int) -> None:
        while len(chars) > least:
            last = chars[-1][0]
            if last in PAIRS:
                texts = [char for char, _ in chars]
                if texts.count(last) <= texts.count(PAIRS[last]):
                    return
            elif last not in self.trimmed and last not in MARKS:
                return
            chars.pop()

    def bare_at(self, i: int) -> tuple[Found | None, int]:
        """The URL of a bare domain that would begin at a place, and the end of the domain."""
        chars: list[tuple[str, int]] = [(char, i) for char in "http://"]
        end = i
        goes_on = False
        for char, begin, after in self.tokens(i):
            if not is_host_char(char, "-._"):
                goes_on = char in "/?#\\" and begin == end
                break
            chars.append((char, after))
            end = after
        rest = self.text[end:]
        if end == i or not self.begins(i, "@/\\%+&#$") or rest.startswith(("@", ":/", ":\\", "[:]/", "[://")):
            return None, end
        port = re.compile(r":[0-9]+(?![A-Za-z0-9])").match(rest)
        if port:
            chars += [(char, end + 1 + k) for k, char in enumerate(port[0])]
            after = end + len(port[0])
            token = self.token(after) if after < len(self.text) else None
            goes_on = token is not None and token[0] in "/?#\\"
            place = after
        else:
            place = end
        if not goes_on:
            while chars[-1][0] in ".-_":
                chars.pop()
        if not parses(chars) or len(chars) <= 7:
            return None, end
        url = URL(text_of(chars))
        host = url.hostname.removesuffix(".")
        if url.host_type != "domain" or not is_listed(host):
            return None, end
        if goes_on:
            authority_end = len(chars)
            depths = [0, 0]
            for char, begin, after in self.tokens(place):
                if self.is_unopened(char, begin, after, depths):
                    break
                self.restore_scheme(chars, begin)
                chars.append((char, after))
            self.trim(chars, 7)
            if len(chars) < authority_end and (len(chars) <= 7 or not parses(chars)):
                return None, end
        return Found(i, chars[-1][1], "".join(char for char, _ in chars)), end

    def found(self) -> list[Found]:
        urls: list[Found] = []
        text = self.text
        position = bare = floor = 0
        while True:
            following, position = self.next_url(position, floor)
            limit = following.start if following else len(text)
            if self.bare:
                first, bare = self.next_bare(bare, limit)
                if first:
                    urls.append(first)
                    bare = floor = first.end
                    position = floor if limit < floor else limit
                    continue
            if following is None:
                return urls
            urls.append(following)
            position = floor = following.end
            bare = max(bare, floor)

    def next_url(self, i: int, floor: int) -> tuple[Found | None, int]:
        text = self.text
        while i < len(text):
            candidate = None
            if text[i] == ":":
                candidate = self.scheme_at(i, floor)
            elif text[i] in "wW":
                candidate = self.www_at(i, floor)
            if candidate is None:
                i += 1
                continue
            found, stop = self.url_of(candidate)
            if found:
                return found, i
            i = candidate.after if candidate.kind == "scheme" else max(i + 1, stop - (2 if self.defanged else 1))
        return None, i

    def next_bare(self, i: int, limit: int) -> tuple[Found | None, int]:
        text = self.text
        while i < limit:
            char = text[i]
            if not is_host_char(char, "") or is_space(char):
                escape = re.compile(r"\\[nrtbf]|\\u[0-9A-Fa-f]{4}").match(text, i)
                i += len(escape[0]) if escape else 1
                continue
            found, end = self.bare_at(i)
            if found:
                return found, i
            i = max(end, i + 1)
        return None, i


def code_point(number: int) -> str:
    return "\ufffd" if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF else chr(number)


def text_of(chars: list[tuple[str, int]]) -> str:
    text = "".join(char for char, _ in chars)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if is_escaped(text) else text


def is_escaped(text: str) -> bool:
    return any(0xDC80 <= ord(char) <= 0xDCFF for char in text) and not any(
        0xD800 <= ord(char) < 0xDC80 or 0xDCFF < ord(char) <= 0xDFFF for char in text
    )


def parses(chars: list[tuple[str, int]]) -> bool:
    return URL.can_parse(text_of(chars))


@cache
def suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def is_listed(host: str) -> bool:
    """Whether a domain is below a public suffix whose last label is in the list."""
    return bool(host) and ".." not in f"{host}." and host[0] != "." and suffixes().privatesuffix(host) is not None


def spans(text: str | bytes, **options: object) -> list[tuple[int, int, str | bytes, str]]:
    """The start, the end, the text and the href of each URL."""
    if isinstance(text, str):
        return [(a, b, text[a:b], URL(url).href) for a, b, url in Model(text, **options).found()]  # type: ignore[arg-type]
    decoded = text.decode("utf-8", "surrogateescape")
    places = [0]
    for char in decoded:
        places.append(places[-1] + len(char.encode("utf-8", "surrogateescape")))
    return [
        (places[a], places[b], text[places[a] : places[b]], URL(text_of([(char, 0) for char in url])).href)
        for a, b, url in Model(decoded, **options).found()  # type: ignore[arg-type]
    ]


def check(how: int, data: bytes) -> None:
    """Compares `find_urls` with the model for bytes and for a str. The bits of a number say how."""
    syntax = ("text", "json", "html", "markdown", "shell", "text", "json", "text")[how & 7]
    options = {"syntax": syntax, "bare": bool(how & 8), "defanged": bool(how & 16)}
    if how & 32:
        options["schemes"] = ("ssh", "file", "git+https", "https")
    for text in (data, data.decode("utf-8", "replace")):
        found = [(span.start, span.end, span.text, span.url.href) for span in find_urls(text, **options)]  # type: ignore[arg-type]
        assert found == spans(text, **options)
    assert refang(defang(data)).count(b"\n") == data.count(b"\n")
    rows = data.decode("utf-8", "replace").split("\n")
    expected = [[span.url.href for span in find_urls(row, **options)] for row in rows]  # type: ignore[arg-type]
    assert find_urls_many(rows, threads=1, **options).to_pylist() == expected  # type: ignore[arg-type]
