"""The URL Pattern Standard as it is written, over the literal URL parser: it decides who is wrong.

Its regular expressions run in Node's RegExp with the flag `v`, as the text has it: regexp.mjs. The text is that of
203d435 with change #286.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from support.patterns import COMPONENTS

from weburl._literal.record import LiteralURL, serialize_host, serialize_path
from weburl._literal.setters import set_password, set_username
from weburl._literal.states import parse

SPECIAL_SCHEMES = {"ftp": "21", "file": None, "http": "80", "https": "443", "ws": "80", "wss": "443"}
FULL_WILDCARD = ".*"
MODIFIER_TEXT = {"none": "", "optional": "?", "zero-or-more": "*", "one-or-more": "+"}
MODIFIER_NAMES = {"?": "optional", "*": "zero-or-more", "+": "one-or-more"}
# Compiles an expression, and runs it on inputs: None where it does not compile, else the captures of each, or None.
RegExp = Callable[[str, str, Sequence[str]], "list[list[str | None] | None] | None"]


class Refused(Exception):
    """A TypeError of the text, with the algorithm that throws it."""


class Token(NamedTuple):
    type: str
    start: int
    value: str


@dataclass
class Part:
    type: str
    value: str
    modifier: str
    name: str = ""
    prefix: str = ""
    suffix: str = ""


class Options(NamedTuple):
    delimiter: str = ""
    prefix: str = ""


class Component(NamedTuple):
    pattern: str
    expression: str
    flags: str
    names: list[str]
    has_regexp_groups: bool


DEFAULT, HOSTNAME, PATHNAME = Options(), Options("."), Options("/", "/")


# https://urlpattern.spec.whatwg.org/#is-a-valid-name-code-point
def is_valid_name_code_point(c: str, first: bool) -> bool:
    # Python's identifiers are NFKC-normalized, which JavaScript's are not: one by one, by Unicode's properties.
    category = unicodedata.category(c)
    is_start = c in "$_\u1885\u1886\u2118\u212e\u309b\u309c" or category in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl")
    # Pattern_Syntax and Pattern_White_Space are not in ID_Start.
    is_start &= c not in "\u2e2f"
    if first or is_start:
        return is_start
    return category in (
        "Mn",
        "Mc",
        "Nd",
        "Pc",
    ) or c in "\u200c\u200d\u00b7\u0387\u1369\u136a\u136b\u136c\u136d\u136e" + ("\u136f\u1370\u1371\u19da\u30fb\uff65")


# https://urlpattern.spec.whatwg.org/#tokenize
def tokenize(text: str, strict: bool) -> list[Token]:
    tokens: list[Token] = []
    index = 0

    def add(type: str, next_index: int, start: int, length: int | None = None) -> None:
        nonlocal index
        end = next_index if length is None else start + length
        tokens.append(Token(type, index, text[start:end]))
        index = next_index

    def error(next_index: int, start: int) -> None:
        if strict:
            raise Refused("tokenize")
        add("invalid-char", next_index, start)

    while index < len(text):
        c = text[index]
        if c == "*":
            add("asterisk", index + 1, index)
        elif c in "+?":
            add("other-modifier", index + 1, index)
        elif c == "\\":
            if index == len(text) - 1:
                error(index + 1, index)
            else:
                add("escaped-char", index + 2, index + 1)
        elif c == "{":
            add("open", index + 1, index)
        elif c == "}":
            add("close", index + 1, index)
        elif c == ":":
            start = position = index + 1
            while position < len(text) and is_valid_name_code_point(text[position], position == start):
                position += 1
            if position <= start:
                error(start, index)
            else:
                add("name", position, start)
        elif c == "(":
            end = end_of_regexp(text, index + 1)
            if end is None:
                error(index + 1, index)
            else:
                add("regexp", end, index + 1, end - index - 2)
        else:
            add("char", index + 1, index)
    add("end", index, index)
    return tokens


def end_of_regexp(text: str, start: int) -> int | None:
    depth, position = 1, start
    while position < len(text):
        c = text[position]
        if not c.isascii() or (position == start and c == "?"):
            return None
        if c == "\\":
            if position == len(text) - 1 or not text[position + 1].isascii():
                return None
            position += 2
            continue
        if c == ")":
            depth -= 1
            if depth == 0:
                return position + 1 if position > start else None
        elif c == "(":
            depth += 1
            if position == len(text) - 1 or text[position + 1] != "?":
                return None
        position += 1
    return None


# https://urlpattern.spec.whatwg.org/#parse-a-pattern-string
@dataclass
class PatternParser:
    tokens: list[Token]
    encode: Callable[[str], str]
    options: Options
    parts: list[Part] = field(default_factory=list)
    pending: str = ""
    index: int = 0
    next_name: int = 0

    def take(self, *types: str) -> Token | None:
        token = self.tokens[self.index]
        if token.type not in types:
            return None
        self.index += 1
        return token

    def require(self, type: str) -> None:
        if self.take(type) is None:
            raise Refused("consume-a-required-token")

    def text(self) -> str:
        found = ""
        while (token := self.take("char", "escaped-char")) is not None:
            found += token.value
        return found

    def parse(self) -> list[Part]:
        while self.index < len(self.tokens):
            char = self.take("char")
            name = self.take("name")
            matcher = self.take("regexp") or (None if name else self.take("asterisk"))
            if name or matcher:
                prefix = char.value if char else ""
                if prefix and prefix != self.options.prefix:
                    self.pending += prefix
                    prefix = ""
                self.flush()
                self.add(prefix, name, matcher, "", self.take("other-modifier", "asterisk"))
                continue
            fixed = char or self.take("escaped-char")
            if fixed:
                self.pending += fixed.value
                continue
            if self.take("open"):
                prefix = self.text()
                name = self.take("name")
                matcher = self.take("regexp") or (None if name else self.take("asterisk"))
                suffix = self.text()
                self.require("close")
                self.add(prefix, name, matcher, suffix, self.take("other-modifier", "asterisk"))
                continue
            self.flush()
            self.require("end")
        return self.parts

    def flush(self) -> None:
        if self.pending:
            value, self.pending = self.encode(self.pending), ""
            self.parts.append(Part("fixed-text", value, "none"))

    def add(self, prefix: str, name: Token | None, matcher: Token | None, suffix: str, modifier: Token | None) -> None:
        how = MODIFIER_NAMES[modifier.value] if modifier else "none"
        if not name and not matcher and how == "none":
            self.pending += prefix
            return
        self.flush()
        if not name and not matcher:
            if prefix:
                self.parts.append(Part("fixed-text", self.encode(prefix), how))
            return
        segment = segment_wildcard(self.options)
        value = segment if matcher is None else FULL_WILDCARD if matcher.type == "asterisk" else matcher.value
        type = {segment: "segment-wildcard", FULL_WILDCARD: "full-wildcard"}.get(value, "regexp")
        if name:
            text = name.value
        else:
            text = str(self.next_name)
            self.next_name += 1
        if any(part.name == text for part in self.parts):
            raise Refused("is-a-duplicate-name")
        kept = value if type == "regexp" else ""
        self.parts.append(Part(type, kept, how, text, self.encode(prefix), self.encode(suffix)))


def segment_wildcard(options: Options) -> str:
    return f"[^{escape_regexp(options.delimiter)}]+?"


# https://urlpattern.spec.whatwg.org/#escape-a-regexp-string
def escape_regexp(text: str) -> str:
    return "".join([f"\\{c}" if c in ".+*?^${}()[]|/\\" else c for c in text])


# https://urlpattern.spec.whatwg.org/#escape-a-pattern-string
def escape_pattern(text: str) -> str:
    return "".join([f"\\{c}" if c in "+*?:{}()\\" else c for c in text])


# https://urlpattern.spec.whatwg.org/#generate-a-regular-expression-and-name-list
def expression_of(parts: Sequence[Part], options: Options) -> tuple[str, list[str]]:
    made, names = "^", []
    for part in parts:
        modifier = MODIFIER_TEXT[part.modifier]
        if part.type == "fixed-text":
            text = escape_regexp(part.value)
            made += text if part.modifier == "none" else f"(?:{text}){modifier}"
            continue
        names.append(part.name)
        value = {"segment-wildcard": segment_wildcard(options), "full-wildcard": FULL_WILDCARD}.get(
            part.type, part.value
        )
        prefix, suffix = escape_regexp(part.prefix), escape_regexp(part.suffix)
        is_single = part.modifier in ("none", "optional")
        if not prefix and not suffix:
            made += f"({value}){modifier}" if is_single else f"((?:{value}){modifier})"
        elif is_single:
            made += f"(?:{prefix}({value}){suffix}){modifier}"
        else:
            made += f"(?:{prefix}((?:{value})(?:{suffix}{prefix}(?:{value}))*){suffix})"
            made += "?" if part.modifier == "zero-or-more" else ""
    return made + "$", names


# https://urlpattern.spec.whatwg.org/#generate-a-pattern-string
def pattern_of(parts: Sequence[Part], options: Options) -> str:
    made = ""
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else None
        after = parts[index + 1] if index + 1 < len(parts) else None
        modifier = MODIFIER_TEXT[part.modifier]
        if part.type == "fixed-text":
            text = escape_pattern(part.value)
            made += text if part.modifier == "none" else f"{{{text}}}{modifier}"
            continue
        is_custom = not ("0" <= part.name[0] <= "9")
        grouping = bool(part.suffix) or (bool(part.prefix) and part.prefix != options.prefix)
        if (
            not grouping and is_custom and part.type == "segment-wildcard" and part.modifier == "none"
            and after and not after.prefix and not after.suffix
        ):  # fmt: skip
            if after.type == "fixed-text":
                grouping = after.value != "" and is_valid_name_code_point(after.value[0], False)
            else:
                grouping = "0" <= after.name[0] <= "9"
        if not grouping and not part.prefix and before and before.type == "fixed-text":
            grouping = options.prefix != "" and before.value.endswith(options.prefix)
        made += ("{" if grouping else "") + escape_pattern(part.prefix) + (f":{part.name}" if is_custom else "")
        if part.type == "regexp":
            made += f"({part.value})"
        elif part.type == "segment-wildcard" and not is_custom:
            made += f"({segment_wildcard(options)})"
        elif part.type == "full-wildcard":
            is_star = not is_custom and (
                before is None or before.type == "fixed-text" or before.modifier != "none" or grouping or part.prefix
            )
            made += "*" if is_star else f"({FULL_WILDCARD})"
        if (
            part.type == "segment-wildcard"
            and is_custom
            and part.suffix
            and is_valid_name_code_point(part.suffix[0], False)
        ):
            made += "\\"
        made += escape_pattern(part.suffix) + ("}" if grouping else "") + modifier
    return made


# https://urlpattern.spec.whatwg.org/#canon-encoding-callbacks
def dummy() -> LiteralURL:
    url = parse("https://dummy.invalid/").url
    assert url is not None
    return url


def overridden(value: str, url: LiteralURL, state: str, rule: str) -> LiteralURL:
    if parse(value, url=url, state_override=state).failure:
        raise Refused(rule)
    return url


def canonicalize_protocol(value: str) -> str:
    if not value:
        return value
    outcome = parse(f"{value}://dummy.invalid/")
    if outcome.failure or outcome.url is None:
        raise Refused("canonicalize-a-protocol")
    return outcome.url.scheme


def canonicalize_username(value: str) -> str:
    url = dummy()
    set_username(url, value)
    return url.username


def canonicalize_password(value: str) -> str:
    url = dummy()
    set_password(url, value)
    return url.password


def canonicalize_hostname(value: str) -> str:
    if not value:
        return value
    url = overridden(value, dummy(), "hostname_state", "canonicalize-a-hostname")
    return "" if url.host is None else serialize_host(url.host)


def canonicalize_ipv6_hostname(value: str) -> str:
    if any(c not in "0123456789abcdefABCDEF[]:" for c in value):
        raise Refused("canonicalize-an-ipv6-hostname")
    return value.lower()


def canonicalize_port(value: str, protocol: str | None = None) -> str:
    if not value:
        return value
    url = dummy()
    # Change #286: without a protocol, no port is the default port.
    url.scheme = "dummy" if protocol is None else protocol
    url = overridden(value, url, "port_state", "canonicalize-a-port")
    return "" if url.port is None else str(url.port)


def canonicalize_pathname(value: str) -> str:
    if not value:
        return value
    has_slash = value.startswith("/")
    url = dummy()
    url.path = []
    parse(value if has_slash else "/-" + value, url=url, state_override="path_start_state")
    return serialize_path(url)[0 if has_slash else 2 :]


def canonicalize_opaque_pathname(value: str) -> str:
    if not value:
        return value
    url = dummy()
    url.path = ""
    return serialize_path(overridden(value, url, "opaque_path_state", "canonicalize-an-opaque-pathname"))


def canonicalize_search(value: str) -> str:
    if not value:
        return value
    url = dummy()
    url.query = ""
    parse(value, url=url, state_override="query_state")
    return url.query or ""


def canonicalize_hash(value: str) -> str:
    if not value:
        return value
    url = dummy()
    url.fragment = ""
    parse(value, url=url, state_override="fragment_state")
    return url.fragment or ""


ENCODINGS = {
    "protocol": canonicalize_protocol, "username": canonicalize_username, "password": canonicalize_password,
    "hostname": canonicalize_hostname, "port": canonicalize_port, "pathname": canonicalize_pathname,
    "search": canonicalize_search, "hash": canonicalize_hash,
}  # fmt: skip


# https://urlpattern.spec.whatwg.org/#process-a-urlpatterninit
def process_init(init: Mapping[str, str], type: str, start: Mapping[str, str]) -> dict[str, str]:
    made = dict(start)
    base = None
    if "baseURL" in init:
        base = parse(init["baseURL"]).url
        if base is None:
            raise Refused("process-a-urlpatterninit")

        def inherit(name: str, value: str, *unless: str) -> None:
            if not any(other in init for other in unless):
                made[name] = escape_pattern(value) if type == "pattern" else value

        inherit("protocol", base.scheme, "protocol")
        if type != "pattern":
            inherit("username", base.username, "protocol", "hostname", "port", "username")
            inherit("password", base.password, "protocol", "hostname", "port", "username", "password")
        earlier = ["protocol", "hostname"]
        inherit("hostname", "" if base.host is None else serialize_host(base.host), *earlier)
        for name, value in (
            ("port", "" if base.port is None else str(base.port)), ("pathname", serialize_path(base)),
            ("search", base.query or ""), ("hash", base.fragment or ""),
        ):  # fmt: skip
            earlier.append(name)
            inherit(name, value, *earlier)
    strip: dict[str, Callable[[str], str]] = {
        "protocol": lambda value: value.removesuffix(":"), "search": lambda value: value.removeprefix("?"),
        "hash": lambda value: value.removeprefix("#"),
    }  # fmt: skip
    for name in COMPONENTS:
        if name not in init:
            continue
        value = strip.get(name, str)(init[name])
        if (
            name == "pathname"
            and base is not None
            and not base.has_opaque_path
            and not is_absolute_pathname(value, type)
        ):
            path = serialize_path(base)
            path = escape_pattern(path) if type == "pattern" else path
            value = path[: path.rfind("/") + 1] + value
        if type == "pattern":
            made[name] = value
        elif name == "port":
            made[name] = canonicalize_port(value, made.get("protocol", ""))
        elif name == "pathname" and made.get("protocol", "") not in ("", *SPECIAL_SCHEMES):
            made[name] = canonicalize_opaque_pathname(value)
        else:
            made[name] = ENCODINGS[name](value)
    return made


# https://urlpattern.spec.whatwg.org/#is-an-absolute-pathname
def is_absolute_pathname(text: str, type: str) -> bool:
    return text.startswith("/") or (type == "pattern" and text.startswith(("\\/", "{/")))


# https://urlpattern.spec.whatwg.org/#parse-a-constructor-string
class ConstructorStringParser:
    AUTHORITY = ("protocol", "authority", "username", "password")

    def __init__(self, text: str, matches_special: Callable[[str], bool]) -> None:
        self.text, self.matches_special = text, matches_special
        self.tokens = tokenize(text, strict=False)
        self.result: dict[str, str] = {}
        self.start = self.index = self.depth = self.brackets = 0
        self.increment = 1
        self.is_special = False
        self.state = "init"

    def is_char(self, index: int, value: str) -> bool:
        token = self.tokens[min(index, len(self.tokens) - 1)]
        return token.value == value and token.type in ("char", "escaped-char", "invalid-char")

    def is_search_prefix(self) -> bool:
        if self.is_char(self.index, "?"):
            return True
        if self.tokens[self.index].value != "?":
            return False
        before = self.tokens[self.index - 1].type if self.index else ""
        return before not in ("name", "regexp", "close", "asterisk")

    def component(self) -> str:
        start = self.tokens[min(self.start, len(self.tokens) - 1)].start
        return self.text[start : self.tokens[self.index].start]

    def rewind(self, state: str | None = None) -> None:
        self.index, self.increment = self.start, 0
        self.state = state or self.state

    def change(self, state: str, skip: int) -> None:
        if self.state not in ("init", "authority", "done"):
            self.result[self.state] = self.component()
        if self.state != "init" and state != "done":
            if self.state in self.AUTHORITY and state in ("port", "pathname", "search", "hash"):
                self.result.setdefault("hostname", "")
            before_path = (*self.AUTHORITY, "hostname", "port")
            if self.state in before_path and state in ("search", "hash"):
                self.result.setdefault("pathname", "/" if self.is_special else "")
            if self.state in (*before_path, "pathname") and state == "hash":
                self.result.setdefault("search", "")
        self.state = state
        self.index += skip
        self.start = self.index
        self.increment = 0

    def parse(self) -> dict[str, str]:
        while self.index < len(self.tokens):
            self.increment = 1
            type = self.tokens[self.index].type
            if type == "end":
                if self.state == "init":
                    self.rewind()
                    if self.is_char(self.index, "#"):
                        self.change("hash", 1)
                    elif self.is_search_prefix():
                        self.change("search", 1)
                    else:
                        self.change("pathname", 0)
                elif self.state == "authority":
                    self.rewind("hostname")
                else:
                    self.change("done", 0)
                    break
            elif type == "open":
                self.depth += 1
            elif self.depth and type != "close":
                pass
            else:
                self.depth -= bool(self.depth)
                getattr(self, f"{self.state}_state")()
            self.index += self.increment
        if "hostname" in self.result:
            self.result.setdefault("port", "")
        return self.result

    def init_state(self) -> None:
        if self.is_char(self.index, ":"):
            self.rewind("protocol")

    def protocol_state(self) -> None:
        if not self.is_char(self.index, ":"):
            return
        self.is_special = self.matches_special(self.component())
        if self.is_char(self.index + 1, "/") and self.is_char(self.index + 2, "/"):
            self.change("authority", 3)
        else:
            self.change("authority" if self.is_special else "pathname", 1)

    def authority_state(self) -> None:
        if self.is_char(self.index, "@"):
            self.rewind("username")
        elif self.is_char(self.index, "/") or self.is_search_prefix() or self.is_char(self.index, "#"):
            self.rewind("hostname")

    def username_state(self) -> None:
        if self.is_char(self.index, ":"):
            self.change("password", 1)
        elif self.is_char(self.index, "@"):
            self.change("hostname", 1)

    def password_state(self) -> None:
        if self.is_char(self.index, "@"):
            self.change("hostname", 1)

    def hostname_state(self) -> None:
        if self.is_char(self.index, "["):
            self.brackets += 1
        elif self.is_char(self.index, "]"):
            self.brackets -= 1
        elif self.is_char(self.index, ":") and self.brackets == 0:
            self.change("port", 1)
        else:
            self.port_state()

    def port_state(self) -> None:
        if self.is_char(self.index, "/"):
            self.change("pathname", 0)
        else:
            self.pathname_state()

    def pathname_state(self) -> None:
        if self.is_search_prefix():
            self.change("search", 1)
        else:
            self.search_state()

    def search_state(self) -> None:
        if self.is_char(self.index, "#"):
            self.change("hash", 1)

    def hash_state(self) -> None:
        pass


class Pattern:
    """https://urlpattern.spec.whatwg.org/#url-pattern-create"""

    def __init__(self, run: RegExp, input: Any = None, *others: Any) -> None:
        self.run = run
        options = others[-1] if others and isinstance(others[-1], Mapping) else {}
        base = others[0] if others and isinstance(others[0], str) else None
        if len(others) > 1 and (base is None or isinstance(others[1], str)):
            raise Refused("urlpattern-class")
        if isinstance(input, str):
            init = ConstructorStringParser(input, self.matches_special_scheme).parse()
            if base is None and "protocol" not in init:
                raise Refused("url-pattern-create")
            init |= {} if base is None else {"baseURL": base}
        elif base is not None:
            raise Refused("url-pattern-create")
        else:
            init = input or {}
        made = dict.fromkeys(COMPONENTS, "*") | process_init(init, "pattern", {})
        if made["port"] and SPECIAL_SCHEMES.get(made["protocol"]) == made["port"]:
            made["port"] = ""
        self.flags = "vi" if options.get("ignoreCase") else "v"
        self.components: dict[str, Component] = {}
        for name in COMPONENTS:
            self.components[name] = self.compiled(name, made[name])
            setattr(self, name, self.components[name].pattern)

    def compiled(self, name: str, text: str) -> Component:
        encode, options, flags = ENCODINGS[name], DEFAULT, "v"
        if name == "hostname":
            options = HOSTNAME
            if len(text) >= 2 and text.startswith(("[", "{[", "\\[")):
                encode = canonicalize_ipv6_hostname
        elif name == "pathname":
            flags = self.flags
            if self.is_special(self.components["protocol"]):
                options = PATHNAME
            else:
                encode = canonicalize_opaque_pathname
        elif name in ("search", "hash"):
            flags = self.flags
        return self.compile(text, encode, options, flags)

    # https://urlpattern.spec.whatwg.org/#compile-a-component
    def compile(self, text: str, encode: Callable[[str], str], options: Options, flags: str) -> Component:
        parts = PatternParser(tokenize(text, strict=True), encode, options).parse()
        expression, names = expression_of(parts, options)
        if self.run(expression, flags, []) is None:
            raise Refused("compile-a-component")
        has_groups = any(part.type == "regexp" for part in parts)
        return Component(pattern_of(parts, options), expression, flags, names, has_groups)

    # https://urlpattern.spec.whatwg.org/#protocol-component-matches-a-special-scheme
    def is_special(self, component: Component) -> bool:
        found = self.run(component.expression, component.flags, list(SPECIAL_SCHEMES))
        return found is not None and any(one is not None for one in found)

    def matches_special_scheme(self, text: str) -> bool:
        return self.is_special(self.compile(text, canonicalize_protocol, DEFAULT, "v"))

    # https://urlpattern.spec.whatwg.org/#url-pattern-match
    def exec(self, input: Any = None, *others: str) -> dict[str, Any] | None:
        inputs = [{} if input is None else input, *others]
        if isinstance(input, str):
            base = None
            if others:
                base = parse(others[0]).url
                if base is None:
                    return None
            url = parse(input, base).url
            if url is None:
                return None
            found = {
                "protocol": url.scheme, "username": url.username, "password": url.password,
                "hostname": "" if url.host is None else serialize_host(url.host),
                "port": "" if url.port is None else str(url.port), "pathname": serialize_path(url),
                "search": url.query or "", "hash": url.fragment or "",
            }  # fmt: skip
        else:
            if others:
                raise Refused("url-pattern-match")
            try:
                found = process_init(input or {}, "url", dict.fromkeys(COMPONENTS, ""))
            except Refused:
                return None
        results: dict[str, Any] = {"inputs": inputs}
        for name, component in self.components.items():
            captures = self.run(component.expression, component.flags, [found[name]])
            assert captures is not None
            if captures[0] is None:
                return None
            groups = dict(zip(component.names, captures[0][1:], strict=False))
            results[name] = {"input": found[name], "groups": groups}
        return results


class Literal:
    """An implementation of observe.py, over a process that runs regular expressions."""

    refusals = (Refused,)

    def __init__(self, run: RegExp) -> None:
        self.run = run

    def make(self, arguments: Sequence[Any]) -> Pattern:
        return Pattern(self.run, *arguments)

    def has_regexp_groups(self, pattern: Pattern) -> bool:
        return any(component.has_regexp_groups for component in pattern.components.values())

    def test(self, pattern: Pattern, arguments: Sequence[Any]) -> bool:
        return pattern.exec(*arguments) is not None

    def exec(self, pattern: Pattern, arguments: Sequence[Any]) -> Mapping[str, Any] | None:
        return pattern.exec(*arguments)
