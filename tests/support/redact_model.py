"""The rules of docs/redact-rules.md once more, in plain Python with regular expressions, line by line."""

from __future__ import annotations

import base64
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from support.escapes_model import decoded as decoded
from support.escapes_model import plain_of, views
from support.redaction_lists import (
    CAPITAL_PREFIXES,
    COUNT_NAMES,
    FIRM_NAMES,
    KEY_CHARACTERS,
    KEY_PREFIXES,
    KEY_TAILS,
    LINK_SEGMENTS,
    NUMBER_NAMES,
    PLAIN_NAMES,
    PLAIN_VALUES,
    SECRET_NAMES,
    TOKEN_NAMES,
    TOKEN_SEGMENTS,
)
from support.value_model import has_bot_key, has_card, has_iban, is_domain, network, networks, no_words

from weburl import URL
from weburl._diagnosis.credentials import credentials_in, is_port
from weburl.redact import LogPolicy

Found = Counter[str]
HIDDEN = "REDACTED"
# Perhaps with a hash.
HIDDEN_FORM = f"{HIDDEN}(?:-[bcdfghjklmnpqrst]{{16}})?"
WORD = "[A-Za-z0-9_-]"
# Characters of decoded texts are bytes; those from 0x80 on are letters of another alphabet.
JWT = re.compile(rf"(?<![A-Za-z0-9])ey[I-L]{WORD}{{8,}}\.\.?{WORD}")
# What follows the prefix of a key.
KEY_CLASSES = {
    "letters": "[A-Za-z0-9]", "hex": "[A-Fa-f0-9]", "capitals": "[A-Z0-9]", "groups": "[A-Z0-9-]", "numbers": "[0-9-]",
    "base64": "[A-Za-z0-9_+/-]",
}  # fmt: skip
CLASS_OF = {prefix: KEY_CLASSES[name] for name, prefixes in KEY_CHARACTERS.items() for prefix in prefixes}
TAIL_OF = {prefix: rf"[.-][A-Za-z0-9]{{{tail}}}" for prefix, tail in KEY_TAILS.items()}
# The body, and what is known to follow it.
KEY_FORMS = {
    prefix: (f"{CLASS_OF.get(prefix, WORD)}{{{least}}}", TAIL_OF.get(prefix, ""))
    for prefix, least in KEY_PREFIXES.items()
}
KEYS = "|".join(re.escape(prefix) + no_words(prefix) + body + tail for prefix, (body, tail) in KEY_FORMS.items())
KEY = re.compile(f"(?<!{WORD})(?:{KEYS})")
BODIES = (
    f"(?={re.escape(prefix)}(?P<b{k}>{body}){tail})(?P<p{k}>{re.escape(prefix)})"
    for k, (prefix, (body, tail)) in enumerate(KEY_FORMS.items())
)
LATER_KEYS = [re.compile(rf"(?<=[_-])(?={each})") for each in BODIES]
# The secrets of Azure's clients, and the tokens of Terraform.
AZURE = r"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{31}"
TERRAFORM = rf"[A-Za-z0-9]{{14}}\.atlasv1\.{WORD}{{60}}"
AROUND = re.compile(f"{AZURE}|{TERRAFORM}")
KNOWN = re.compile(
    "|".join(
        [
            *(
                f"{re.escape(prefix)}{KEY_CLASSES['base64']}{{{KEY_PREFIXES[prefix]},}}=*"
                for prefix in KEY_CHARACTERS["base64"]
            ),
            *(re.escape(prefix) + no_words(prefix) + body + tail for prefix, (body, tail) in sorted(KEY_FORMS.items())),
            AZURE + "[A-Za-z0-9_.~-]*",
            r"[A-Za-z0-9]{14}\.atlasv1\.",
        ]
    )
)
MAIL = re.compile(r"@([A-Za-z0-9.\x80-\xff-]*)")
MAILBOX_END = re.compile(r"[A-Za-z0-9_.+\x80-\xff-][!$%*^~]*\Z")
NUMBERS = re.compile(r"[A-Za-z0-9]+")
UUID = re.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


# Names.


numbers = itertools.count()


def one_of(globs: Collection[str]) -> re.Pattern[str]:
    # No two are the same object, whatever they match.
    number = f"(?#{next(numbers)})"
    return (
        re.compile("(?!)" + number)
        if not globs
        else re.compile(number + "|".join(re.escape(glob).replace(r"\*", ".*") for glob in sorted(globs)), re.DOTALL)
    )


SECRET, TOKEN, PLAIN, COUNT = map(one_of, (SECRET_NAMES, TOKEN_NAMES, PLAIN_NAMES, COUNT_NAMES))
NUMBER, LINK = one_of(NUMBER_NAMES), one_of(LINK_SEGMENTS)
SEGMENT = one_of(SECRET_NAMES | TOKEN_SEGMENTS)
FIRM = one_of(FIRM_NAMES)


class Rules(NamedTuple):
    """What the policy in use has besides, on a host."""

    kept: re.Pattern[str]
    host_hidden: re.Pattern[str]
    host_kept: re.Pattern[str]
    paths: tuple[str, ...]
    hides_addresses: bool


rules = Rules(one_of(()), one_of(()), one_of(()), (), False)
policy_in_use: LogPolicy | None = None


@contextmanager
def under(policy: LogPolicy) -> Iterator[None]:
    """With the rules of a policy, which has no exact names, in place of those of logs/1."""
    global policy_in_use
    policy_in_use = policy
    try:
        with on_host(""):
            yield
    finally:
        policy_in_use = None


@contextmanager
def on_host(host: str) -> Iterator[None]:
    """With those for a host, too."""
    global SECRET, TOKEN, SEGMENT, FIRM, rules
    before = SECRET, TOKEN, SEGMENT, FIRM, rules
    policy = policy_in_use
    if policy is not None:
        hidden, kept, paths = (
            {
                named
                for own, verb, named in (rule.split(" ", 2) for rule in policy.host_rules)
                if verb == action and f".{host.lower().removesuffix('.')}".endswith(f".{own}")
            }
            for action in ("hide", "keep", "path")
        )
        names = policy.secret_names | hidden
        SECRET, TOKEN, SEGMENT = map(one_of, (names, policy.token_names, names | TOKEN_SEGMENTS))
        FIRM = one_of(names - (SECRET_NAMES - FIRM_NAMES))
        all_paths = (*policy.path_rules, *paths)
        rules = Rules(one_of(policy.kept_names), one_of(hidden), one_of(kept), all_paths, policy.whole_addresses)
    try:
        yield
    finally:
        SECRET, TOKEN, SEGMENT, FIRM, rules = before


class Units:
    """The segments of a path as rules count them: a run between slashes that is hidden as a whole is one."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.units: list[str] = []
        self.run = 0
        self.given = self.shown = ""
        # Where other paths begin, if the text can have several.
        self.begins: list[int] = []

    def begin_path(self) -> None:
        self.begins.append(len(self.units))

    def is_hidden_by_rule(self) -> bool:
        return is_hidden_by_rule(self.units) or any(
            is_hidden_by_rule(["", *self.units[begin:]]) for begin in self.begins
        )

    def add(self, separator: str, text: str, *, begins_path: bool = False) -> None:
        if separator == "/":
            changed = self.where == "template" or self.given != self.shown
            is_hidden_run = is_hidden(self.shown) or self.shown == "{redacted}"
            if "\\" in self.given and changed and (is_hidden_run or form_of(self.shown, self.where)):
                self.units[self.run :] = [HIDDEN]
            self.run = len(self.units)
            self.given = self.shown = ""
        elif separator:
            self.given += separator
            self.shown += separator
        if begins_path:
            self.begin_path()
        self.given += text
        self.units.append(text)

    def show(self, text: str) -> None:
        self.shown += text


def is_hidden_by_rule(units: list[str]) -> bool:
    """Whether a rule hides the last segment of a path."""
    first, *others = units
    if first or not others or not others[-1]:
        return False
    texts = [text.partition(";")[0].encode("latin-1") for text in others if text]
    plain = [unquote_to_bytes(text).decode("latin-1") for text in texts]
    for rule in rules.paths:
        wanted = rule.split("/")[1:]
        if len(plain) <= len(wanted) and wanted[len(plain) - 1] == "{secret}":
            pairs = zip(plain, wanted[: len(plain)], strict=True)
            if all(
                each in ("*", "{secret}") or unquote_to_bytes(each).decode("latin-1") == text for text, each in pairs
            ):
                return True
    return False


def is_hidden(text: str) -> bool:
    return re.fullmatch(HIDDEN_FORM, text) is not None


ENDS_NAME, ENDS_WORD = "&;?#,{}/\\\\<>|()\n\r", "\\[\\]\"' \t"
DELIMITERS = f"{ENDS_NAME}{ENDS_WORD}=:"
SEPARATORS = re.compile(f"[{DELIMITERS}]")


def is_named(globs: re.Pattern[str], text: str) -> bool:
    """Whether the name of a parameter is one of these, however it is quoted."""
    return any(has_name(globs, view) for view in (views(text) if "\\" in decoded(text) else [decoded(text)]))


def has_name(globs: re.Pattern[str], text: str) -> bool:
    return any(is_word_of(globs, re.sub("[^a-z0-9]", "", word.lower())) for word in SEPARATORS.split(text))


def is_word_of(globs: re.Pattern[str], word: str) -> bool:
    """Of words that say that there is no secret, and of those of numbers, no other list counts. Rules count first."""
    if rules.host_kept.fullmatch(word) or (rules.kept.fullmatch(word) and not rules.host_hidden.fullmatch(word)):
        return globs in (PLAIN, rules.kept)
    if globs is rules.kept:
        return False
    if FIRM.fullmatch(word) or rules.host_hidden.fullmatch(word):
        return globs.fullmatch(word) is not None
    if PLAIN.fullmatch(word):
        return globs is PLAIN
    if COUNT.fullmatch(word) and globs in (SECRET, TOKEN):
        return False
    return globs.fullmatch(word) is not None


def is_secret_value(is_in: Callable[[re.Pattern[str]], bool], value: str) -> bool:
    """Whether a value is a secret because of the lists that its name is on, by its shape."""
    if is_in(SECRET) and is_in(FIRM):
        return True
    value = value.strip("\"'\\ \t\n\r")
    is_plain = value.lower() in PLAIN_VALUES
    if is_in(SECRET):
        return not is_plain
    # A name can have words of both lists: a count is decided before a number.
    if is_in(COUNT):
        return not is_plain and not re.fullmatch("[0-9]{1,9}", value)
    return is_in(NUMBER) and re.fullmatch("[0-9]+", value) is not None


def value_after(text: str) -> str:
    """What follows an equals sign or a colon after spaces, quotes and brackets, and after empty items of an array."""
    for index, character in enumerate(text):
        in_array = text[:index].count("[") > text[:index].count("]")
        if character not in "[]\"' \t+\n\r" and not (character == "," and in_array):
            return text[index:]
    return ""


def has_parameter(text: str, where: str) -> bool:
    for assigns in re.finditer("[=:]", text):
        name = re.split(f"[{ENDS_NAME}=:]", text[: assigns.start()])[-1]
        value = value_after(text[assigns.end() :])
        assigned = assigns[0] == "=" or re.search("[\"'][ +\t]*\\Z", text[: assigns.start()])
        has_value = where == "template" or re.match(f"(?!{HIDDEN_FORM}(?!{WORD}))[^&;#,}})>]", value)
        short = re.match(f"[^{DELIMITERS}]{{0,19}}", value)
        assert short
        if is_secret_value(lambda globs, name=name: has_name(globs, name), short[0]) and (  # type: ignore[misc]
            where in ("query", "kept") or (assigned and has_value)
        ):
            return True
        run = re.match("[A-Za-z0-9+/_=.~:-]*", value)
        assert run
        if (
            has_name(TOKEN, name)
            and assigned
            and is_random(run[0])
            and re.match(f"[{DELIMITERS}]|\\Z", value[run.end() :])
        ):
            return True
    return False


# Not in a word, and not before the extension of a file; perhaps after padding.
SEGMENT_END = r"=*(?!=)(?![A-Za-z0-9_-]|\.[A-Za-z0-9_-])"


def has_random_parameter(query: str) -> bool:
    place = 0
    for piece in re.split("[&;?#]", query):
        name, equals, _ = piece.partition("=")
        value = value_after(query[place + (len(name) + 1 if equals else 0) :])
        # All of it: what is before an equals sign in it is no value of its own.
        run = re.match(rf"([A-Za-z0-9+/_=.~:-]*)(?![A-Za-z0-9+/_=.~:-])(?:[{DELIMITERS}]|\Z)", value)
        if run and is_random(run[1]) and not (equals and has_name(PLAIN, name)):
            return True
        place += len(piece) + 1
    return False


def has_segment(text: str) -> bool:
    """A segment that looks random, after one with a name that says so, in a path in the text; or a link in a mail."""
    path, named = "", False
    place = 0
    tokens = re.compile(rf"[^{ENDS_NAME}{ENDS_WORD}=]*", re.DOTALL)
    while place < len(text):
        segment = tokens.match(text, place)
        assert segment
        end = segment.end()
        before = text[place - 1 : place]
        if follows_team(text[:place]) and begins_with_hook(text[place:]):
            return True
        run = re.compile(f"{WORD}*").match(text, place)
        assert run
        if before in ("/", "\\") and re.match(SEGMENT_END, text[run.end() :]) and is_random_segment(run[0]):
            named = named or has_name(SEGMENT, path)
            if named:
                return True
        path += segment[0]
        if text[end : end + 1] in {"?", "#"} and has_name(LINK, path) and has_random_parameter(text[end + 1 :]):
            return True
        solidi = re.compile(r"[/\\]{2,}").match(text, end)
        if solidi and (path == "" or text[end - 1 : end] == ":"):
            host = re.compile(rf"[^{ENDS_NAME}{ENDS_WORD}]*", re.DOTALL).match(text, solidi.end())
            assert host
            place, path, named = host.end(), "", False
            continue
        delimiter = text[end : end + 1]
        if delimiter in ("/", "\\", ";"):
            path += delimiter
        else:
            path, named = "", False
        place = end + 1
    return False


def follows_team(text: str) -> bool:
    solidus = r"(?:\\|%5[Cc])*/"
    return re.search(rf"/T[A-Z0-9]{{8,12}}{solidus}B[A-Z0-9]{{8,12}}{solidus}\Z", text) is not None


def begins_with_hook(text: str) -> bool:
    return re.match(f"[A-Za-z0-9]{{20,}}(?:{SEGMENT_END})", text) is not None


# Forms.


SCHEME = r"(?:https?|wss?|ftp):"
FLAGS = re.IGNORECASE | re.ASCII


def has_authorization(text: str, has_values: bool) -> bool:
    if re.match(r"[ +\t\n\r]*(?:bearer|basic)[ +\t\n\r]+[^ +\t\n\r]", text, re.IGNORECASE | re.ASCII):
        return True
    begin = rf"(?<=[{ENDS_NAME}\[\]\"'\t=:])[ +\t\n\r]*"
    if not has_values:
        return False
    token = "[A-Za-z0-9_/=.~:-]"
    for match in re.finditer(rf"{begin}bearer[ +\t\n\r]+(?={token})", text, re.IGNORECASE | re.ASCII):
        rest = text[match.end() :]
        run = re.match(f"{token}+", rest)
        assert run
        if re.search("[A-Z0-9]", run[0]) or re.match(rf"[{DELIMITERS}]|\Z", rest[run.end() :].lstrip(" +\t\n\r")):
            return True
    for match in re.finditer(rf"{begin}basic[ +\t\n\r]+", text, re.IGNORECASE | re.ASCII):
        run = re.match("[A-Za-z0-9+/_-]*", text[match.end() : match.end() + 256])
        assert run
        letters = run[0].replace("-", "+").replace("_", "/")
        octets = base64.b64decode(letters + "A" * (-len(letters) % 4))[: len(letters) * 6 // 8]
        if re.match(rb"[^\x00-\x1f:]*:", octets):
            return True
    return False


def has_credentials(text: str, has_values: bool) -> bool:
    if has_values:
        # A value can begin after a tab, or with a line.
        gap = r"[\t\n\r]*"
        schemes = "|".join(gap.join(f"{scheme}:") for scheme in ("https", "http", "wss", "ws", "ftp"))
        text = re.sub(rf"[\t\n\r](?={schemes})", ";", text, flags=re.IGNORECASE)
    text = re.sub("[\t\n\r]", "", text).lstrip(bytes(range(33)).decode())
    inner = re.search(r"[/\\]{2}[^/\\?#]+@", text)
    begin = rf"(?:\A[ +]*|[{ENDS_NAME}\[\]\"'=:][ +]*)" if has_values else r"\A"
    start = rf"(?::[/\\]{{2,}}|{begin}{SCHEME}[/\\]*)"
    # With a delimiter in the password.
    password = r"(?!\[[^/\\?#@]*\])[^/\\?#@:]*:([^/\\?#@]*)[/\\?#][^@\"' <>]*@"
    for match in re.finditer(rf"(?={start}(?={password}))", text, FLAGS):
        if not is_port(match[1]):
            return True
    return bool(inner or re.search(rf"{start}[^/\\?#]+@", text, FLAGS))


def is_hex(text: str) -> bool:
    return re.fullmatch("(?=.*[0-9])(?=.*[A-Fa-f])[0-9A-Fa-f]+", text) is not None


def is_base64(text: str) -> bool:
    match = re.fullmatch("(?=.*[A-Z])(?=.*[a-z])([A-Za-z0-9+/_-]{32,})={0,2}", text)
    if match is None or 4 * len(re.findall("[a-z]", match[1])) > 3 * len(match[1]):
        return False
    changes = re.findall(r"(?=[0-9][A-Za-z]|[A-Za-z][0-9]|[a-z][A-Z]|\+.|[^+]\+)", match[1])
    changes += re.findall(r"\A\+", match[1]) + re.findall(r"\+\Z", match[1])
    capitals = re.findall("(?=[A-Z]{2})", match[1])
    return 4 * (len(changes) + len(capitals)) > len(match[1]) < 10 * len(changes)


def has_base64(text: str) -> bool:
    runs = re.finditer("(?:\\A|(?<=[=\"']))(?<![A-Za-z0-9+/_-])([A-Za-z0-9+/_-]{32,}=*)", text)
    return any(
        is_base64(run[1])
        and re.match(r"[/\\?#&;\"' \t\n\r]|\Z", text[run.end() :])
        and not has_plain_name(text[: run.start()])
        for run in runs
    )


def has_plain_name(before: str) -> bool:
    """Whether a value has a name that says that it is no secret, by the text before it."""
    gap = re.search(r"[^=:;&%@?#\\\\]{0,64}\Z", before)
    assert gap
    rest = before[: gap.start()]
    if rest[-1:] not in ("=", ":"):
        return False
    return has_name(PLAIN, re.split(f"[{ENDS_NAME}=:]", rest[:-1])[-1][-64:])


def keys(text: str) -> Iterator[tuple[int, str]]:
    for kind, form in (("jwt", JWT), ("key", KEY)):
        if match := form.search(text):
            yield match.start(), kind
    if match := AROUND.search(text):
        yield match.start(), "key"
    for later in LATER_KEYS:
        for match in later.finditer(text):
            body, prefix = match[1], match[2]
            changes = len(re.findall("(?<=[a-z])[A-Z]|(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]", body))
            of_capitals = prefix in CAPITAL_PREFIXES
            if re.fullmatch("[A-Z0-9]+" if of_capitals else "[A-Za-z0-9+/]+", body) or (
                changes > 1 and not of_capitals
            ):
                yield match.start(), "key"


def form_of(text: str, where: str) -> str | None:
    """`where` is `query`, `name`, `path`, `template` (a path where empty values count) or `segment`."""
    for view in views(text):
        if kind := form_of_view(view, where):
            return kind
    texts = [view for view in views(text) if where != "segment" and re.search("[0-9]|:.*:", view, re.DOTALL)]
    return "address" if any(map(has_address, texts)) else None


def form_of_view(text: str, where: str) -> str | None:
    if has_authorization(text, where != "segment") or has_credentials(text, where != "segment"):
        return "credentials"
    if where != "segment" and (has_parameter(text, where) or has_segment(text)):
        return "name"
    if found := sorted(keys(text)):
        return found[0][1]
    if has_bot_key(text):
        return "key"
    if where == "kept":
        return None
    if any(is_domain(match[1]) and MAILBOX_END.search(text[: match.start()]) for match in MAIL.finditer(text)):
        return "email"
    if has_card(text) or has_iban(text):
        return "card"
    if where in ("query", "name"):
        for number in NUMBERS.finditer(text):
            word = re.sub("^0x", "", number[0]) if len(number[0]) > 2 else number[0]
            if len(word) >= 32 and is_hex(word) and not has_plain_name(text[: number.end() - len(word)]):
                return "hex"
        return "base64" if is_base64(text) or has_base64(text) else None
    if where in ("path", "template") and (match := re.search(r"\?|#(?=.*=)", text, re.DOTALL)):
        mark = re.search("[?#]", text)
        if mark and mark.start() == match.start():
            return form_of_view(text[match.end() :], "query")
    return None


def is_random(text: str) -> bool:
    return re.fullmatch("(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+/_=.~:-]{16,}", text) is not None


def is_random_segment(text: str) -> bool:
    if not re.fullmatch("(?=.*[0-9])[A-Za-z0-9_-]{16,}", text):
        return False
    if UUID.fullmatch(text):
        return True
    return bool(re.search("[A-Z]", text) and re.search("[a-z]", text)) or is_hex(text)


# Addresses.


def has_address(text: str) -> bool:
    """Whether there is an address after an equals sign or a quote that is not a network yet."""
    for before in re.finditer("[=\"'](?=([ +\t\n\r\\[]*))", text):
        begin = place = before.end() + len(before[1])
        while address := address_at(text, place):
            if (rules.hides_addresses or network(address) != address) and not has_plain_name(text[:begin]):
                return True
            others = re.compile(r"[ +\t\n\r\"'\\:\]0-9]*,[ +\t\n\r\"'\\\[]*").match(text, place + len(address))
            if others is None:
                break
            place = others.end()
    return False


def address_at(text: str, place: int) -> str | None:
    for form in ("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+", "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"):
        address = re.compile(form).match(text, place)
        if address and network(address[0]) and re.match(f"[{DELIMITERS}+]|\\Z", text[address.end() :]):
            return address[0]
    return None


# A URL.


def redact_value(text: str, name: str, where: str, found: Found, path: str) -> str:
    if not text or is_hidden(text):
        return text
    plain = decoded(text)
    random = is_random(plain.strip("\"'\\ \t\n\r"))
    if is_secret_value(lambda globs: is_named(globs, name), plain) or (is_named(TOKEN, name) and random):
        found["name"] += 1
        return HIDDEN
    is_plain = is_named(PLAIN, name)
    is_kept = is_named(rules.kept, name)
    kind = form_of(text, "kept" if is_kept and where == "query" else where)
    if kind is None and where == "query" and not is_plain and is_random(plain) and has_name(LINK, decoded(path)):
        kind = "name"
    is_harmless = is_plain and kind in (None, "hex", "base64", "address")
    if is_harmless or (is_kept and kind in ("email", "card")):
        return text
    shortened = networks(without_json(plain)) if kind in (None, "address") else None
    if shortened is None:
        shortened = HIDDEN if kind else text
    else:
        kind = "address"
        shortened = HIDDEN if rules.hides_addresses and shortened != text else shortened
    found[kind or ""] += shortened != text
    return shortened


def may_be_secret(text: str) -> bool:
    return len(text) >= 13 or re.search("[@=:;&%]", text) is not None


def redact_parameter(text: str, where: str, found: Found, path: str) -> str:
    name, equals, value = text.partition("=")
    if not equals:
        return redact_value(text, "", where, found, path)
    kind = form_of(name, "path" if where == "path" else "name") if may_be_secret(name) else None
    if kind:
        found[kind] += 1
        return f"{HIDDEN}="
    # A password can have an equals sign.
    has_at = re.search(r"[:;&%/\\]", name) and "@" in without_json(decoded(equals + value))[1:]
    if has_at and form_of(text, where) == "credentials" != form_of(value, where):
        found["credentials"] += 1
        return f"{HIDDEN}="
    # A URL without a name.
    if (
        is_named(LINK, name)
        and not is_named(PLAIN, name)
        and is_random(decoded(value))
        and form_of(text, where) == "name"
    ):
        found["name"] += 1
        return f"{name}={HIDDEN}"
    return f"{name}={redact_value(value, name, where, found, path)}"


def redact_query(text: str, found: Found, path: str) -> str:
    return "&".join([redact_parameter(piece, "query", found, path) for piece in text.split("&")])


def kind_of_segment(text: str, before: str, may_be_authority: bool) -> str | None:
    if is_hidden(text):
        return None
    plain = decoded(text)
    if may_be_authority and "@" in without_json(plain)[1:]:
        return "credentials"
    run = re.match("[A-Za-z0-9_-]*", plain)
    assert run
    if begins_with_hook(plain) and follows_team(before):
        return "key"
    if (
        is_random_segment(run[0])
        and re.match(SEGMENT_END, plain[run.end() :])
        and any(has_name(SEGMENT, decoded(part)) for part in re.split(HIDDEN_FORM, before))
    ):
        return "name"
    kind = form_of(text, "segment" if "=" in text else "path")
    plain = without_json(plain)
    mark = re.search("[?#]", plain) if "%" in text else None
    if (
        kind is None
        and mark
        and has_random_parameter(plain[mark.end() :])
        and any(has_name(LINK, decoded(part)) for part in re.split(HIDDEN_FORM, before))
    ):
        return "name"
    return kind


def without_json(plain: str) -> str:
    return plain_of(plain)


def ends_with_colon(text: str, may_be_authority: bool) -> bool:
    if "%" not in text:
        return text.endswith(":") and not re.fullmatch("[A-Za-z]:", text)
    text = text[-1] * (text[-1] == ":") or without_json(decoded(text)).rstrip("/\\\t\n\r")
    return text.endswith(":") if text else may_be_authority


def redact_segment(text: str, before: str, may_be_authority: bool, found: Found) -> str:
    if not may_be_secret(text):
        return text
    pieces = re.split("([;&])", text)
    if (len(pieces) == 1 and "=" not in text) or may_be_authority:
        kind = kind_of_segment(text, before, may_be_authority)
        if kind or (len(pieces) == 1 and "=" not in text):
            found[kind or ""] += bool(kind)
            return HIDDEN if kind else text
    for index, piece in enumerate(pieces):
        if index % 2 or not piece:
            continue
        # Padding can belong to a segment.
        kind = None
        if "=" not in piece.rstrip("="):
            kind = kind_of_segment(piece, before + "".join(re.split("([;&])", text)[:index]), may_be_authority)
        if kind:
            found[kind] += 1
            pieces[index] = HIDDEN
        elif "=" in piece:
            pieces[index] = redact_parameter(piece, "path", found, "")
    return "".join(pieces)


# What a path in a text can follow.
BEFORE_PATH = tuple("=:,;([{|\\")


def redact_path(
    text: str, found: Found, *, is_opaque: bool = False, authority_end: int = -1, has_paths: bool = False
) -> str:
    given = segments(text)
    parts = given.copy()
    starts = [0, *itertools.accumulate(map(len, given))]
    may_be_authority = is_opaque
    units = Units("path")
    if authority_end >= 0:
        # Rules count from there on; before the first slash is an empty segment.
        units.units.append("")
    for index in range(0, len(parts), 2):
        part = parts[index]
        is_counted = starts[index] > authority_end
        if is_counted:
            separator = parts[index - 1] if index else ""
            begins_path = has_paths and separator == "/" and given[index - 2].endswith(BEFORE_PATH)
            units.add(separator, part, begins_path=begins_path)
        if "\\" in part:
            found[form_of(part, "path") or ""] += 1
            parts[index] = HIDDEN
        elif is_counted and units.is_hidden_by_rule():
            # What is before another path stays.
            is_before = has_paths and parts[index + 1 : index + 2] == ["/"] and part.endswith(BEFORE_PATH)
            secret = part[:-1] if is_before else part
            if secret and not is_hidden(secret):
                found["name"] += 1
                parts[index] = HIDDEN + part[len(secret) :]
        elif part:
            parts[index] = redact_segment(part, text[: starts[index]], may_be_authority, found)
        if is_counted:
            units.show(parts[index])
        if index and not part:
            may_be_authority = True
        elif part:
            is_replaced = parts[index] != part
            may_be_authority = (
                ends_with_colon(part, may_be_authority)
                or (is_replaced and parts[index].endswith(":"))
                or (may_be_authority and parts[index + 1 : index + 2] == ["\\"])
            )
    # Without what was hidden, a run can have a secret as a whole.
    shown = "".join(parts)
    runs = []
    for run, after in zip(text.split("/"), shown.split("/"), strict=True):
        kind = form_of(after, "path") if "\\" in run and run != after and not is_hidden(after) else None
        found[kind or ""] += bool(kind)
        runs.append(HIDDEN if kind else after)
    return "/".join(runs)


def segments(path: str, where: str = "path") -> list[str]:
    """Those of a path, and what is between them. One with backslashes is whole if it has a secret."""
    parts = []
    for run in re.split("(/)", path):
        parts += [run] if "\\" in run and form_of(run, where) else re.split(r"(\\)", run)
    return parts


def redact_fragment(text: str, found: Found, url_path: str) -> str:
    path, mark, query = text.partition("?")
    if "=" in path:
        return redact_query(text, found, url_path)
    return redact_path(path, found) + mark + redact_query(query, found, f"{url_path}/{path}")


def parts_of(href: str) -> tuple[str, str | None, str | None]:
    href, number_sign, fragment = href.partition("#")
    href, mark, query = href.partition("?")
    return href, query if mark else None, fragment if number_sign else None


def redacted(text: str) -> tuple[str, Found]:
    """The URL without its secrets, and what was hidden; also for a text that does not parse."""
    found: Found = Counter()
    url = URL.parse(text)
    if url is None:
        text = redact_text(text, found)
        url = URL.parse(text)
        if url is None:
            return redact_text(text, found), +found
    with on_host(url.hostname):
        return redacted_url(url, found)


def redacted_url(url: URL, found: Found) -> tuple[str, Found]:
    rest, query, fragment = parts_of(url.href)
    path_start = len(rest) - len(url.pathname)
    start = rest[:path_start]
    if url.username or url.password:
        hidden = hidden_part(url.username) + (url.password and ":" + hidden_part(url.password))
        given = url.username + (url.password and ":" + url.password)
        found["credentials"] += hidden != given
        start = start.replace(f"//{given}@", f"//{hidden}@", 1)
    out = start + redact_path(rest[path_start:], found, is_opaque=url.has_opaque_path)
    out += "" if query is None else "?" + redact_query(query, found, rest[path_start:])
    return out + ("" if fragment is None else "#" + redact_fragment(fragment, found, rest[path_start:])), +found


def hidden_part(text: str) -> str:
    return text if not text or is_hidden(text) else HIDDEN


def host_of(text: str) -> str:
    """The host in what is written before a path."""
    address = re.match(r"\[[^\]]*\]", text)
    return address[0] if address else text.partition(":")[0]


def redact_text(text: str, found: Found) -> str:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip("".join(map(chr, range(0x21))))
    octets = re.sub("[\t\n\r]", "", text).encode()
    text = "".join(chr(octet) if 0x20 <= octet < 0x7F else f"%{octet:02X}" for octet in octets)
    place = credentials_in(text) if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/\\|\\/|\\\\", text) else None
    start, host = "", None
    if place:
        given = text[slice(*place)]
        name, colon, password = given.partition(":")
        hidden = hidden_part(name) + (colon and ":") + hidden_part(password)
        found["credentials"] += given != hidden
        host = re.compile(r"[^/\\?#]*").match(text, place[1] + 1)
        assert host
        start = text[: place[0]] + hidden + "@" + host[0]
        text = text[host.end() :]
    authority = None if place else re.match(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,}([^/\\?#]*)", text)
    end = authority.end() if authority else -1
    with on_host(host_of(authority[1]) if authority else host_of(host[0]) if host else ""):
        return start + redact_target(text, found, end)


def redact_target(text: str, found: Found, authority_end: int) -> str:
    path, query, fragment = parts_of(text)
    out = redact_path(path, found, authority_end=authority_end) + (
        "" if query is None else "?" + redact_query(query, found, path)
    )
    return out + ("" if fragment is None else "#" + redact_fragment(fragment, found, path))
