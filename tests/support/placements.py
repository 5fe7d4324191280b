"""Secrets in places: each thing that redaction knows, quoted and nested in each place of a URL where it can be.

A secret is a value, or a pair of a name and a value. A wrapper puts it into another text (a URL, a form, JSON), and
that text is a value again, so that wrappers nest. At last, the text is put into a place of a URL.
"""

from __future__ import annotations

import base64
import itertools
import json
import re
import string
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from support.redaction_lists import KEY_CHARACTERS, KEY_PREFIXES, KEY_TAILS
from support.secret_shapes import ALPHANUMERIC, UPPER, URL_SAFE, Maker, spaced

RUN = 6  # characters of a secret that must not be left


class Placed(NamedTuple):
    """A URL, what must not be left of it, and how it was made."""

    shape: str
    url: str
    secret: str


class Item(NamedTuple):
    """A value that is a secret; one with a name is a secret because of the name."""

    name: str | None
    value: str
    secret: str


# Secrets.

PLAIN = string.ascii_lowercase + string.digits
# How many letters and digits a key has after its prefix, if not the least number; and which.
KEY_BODIES = {
    "AKIA": UPPER,
    "ASIA": UPPER,
    "ABIA": UPPER,
    "ACCA": UPPER,
    "AIza": URL_SAFE,
    "shpat_": "0123456789abcdef",
    **{
        prefix: characters
        for kind, characters in {
            "hex": "0123456789abcdef",
            "capitals": UPPER,
            "groups": UPPER,
            "numbers": string.digits,
        }.items()
        for prefix in KEY_CHARACTERS[kind]
    },
}
SECRET_PARAMETERS = (
    "token access_token id-token X-Auth-Token password userPassword passwd pwd pass client_secret secret api_key "
    "apiKey X-Amz-Signature AWSAccessKeyId "
    "sig signature PHPSESSID jsessionid session_id otp auth Authorization credential"
).split()
TOKEN_PARAMETERS = "code state nonce key hash sid session ticket user_session sign".split()


def password(maker: Maker) -> str:
    return maker.text(ALPHANUMERIC, maker.random.randint(8, 16))


def odd_password(maker: Maker) -> str:
    """With characters that are delimiters elsewhere, escaped as in a userinfo."""
    return password(maker) + maker.random.choice("/?#@:&;=") + password(maker)


def random_value(maker: Maker) -> str:
    return "a1B" + maker.text(ALPHANUMERIC, maker.random.randint(20, 40))


def with_credentials(form: str, secret: Callable[[Maker], str]) -> Callable[[Maker], Item]:
    def make(maker: Maker) -> Item:
        made = secret(maker)
        return Item(None, form.replace("S", quote(made, safe="")), made)

    return make


def value(form: Callable[[Maker], str], before: str = "", after: str = "") -> Callable[[Maker], Item]:
    def make(maker: Maker) -> Item:
        made = form(maker)
        return Item(None, before + made + after, made)

    return make


def named(names: list[str], form: Callable[[Maker], str]) -> Callable[[Maker], Item]:
    def make(maker: Maker) -> Item:
        made = form(maker)
        return Item(maker.random.choice(names), made, made)

    return make


def key(prefix: str) -> Callable[[Maker], str]:
    def make(maker: Maker) -> str:
        characters, tail = KEY_BODIES.get(prefix, ALPHANUMERIC), KEY_TAILS.get(prefix, 0)
        if tail:
            return f"{prefix}{maker.text(characters, KEY_PREFIXES[prefix])}.{maker.text(PLAIN, tail)}"
        return prefix + maker.text(characters, KEY_PREFIXES[prefix] + maker.random.choice((0, 0, 4)))

    return make


def basic(maker: Maker) -> str:
    text = base64.b64encode(f"{maker.text(PLAIN, 6)}:{password(maker)}".encode()).decode()
    return text.replace("/", "a")


def base64_text(maker: Maker) -> str:
    """Without solidi, at which a path is split."""
    return "aB1" + base64.b64encode(maker.random.randbytes(36)).decode().replace("/", "a")


def jwe(maker: Maker) -> str:
    return f"eyJhbGciOiJkaXIi{maker.text(URL_SAFE, 12)}..{maker.text(ALPHANUMERIC, 16)}.{maker.text(ALPHANUMERIC, 22)}"


def email(maker: Maker) -> str:
    local = maker.text(PLAIN, 9) + maker.random.choice(("", "", "!", ".x", "+tag", "_"))
    return f"{local}@{maker.text(string.ascii_lowercase, 8)}.{maker.random.choice(('com', 'example'))}"


# What is before and after a path in a sentence, in a list and in other texts.
AROUND = (
    ("", ""), ("", ""), ("see ", " now"), ("see ", "."), ("[", "]"), ("(", ")"), ("<", ">"), ("{", "}"), ("a,", ",b"),
    ("a|", "|b"), ("a;", ";b"), ("", "\n"), ("a\r\n", "\r\nb"), ("a\t", "\tb"), ("`", "`"), ('"', '"'), ("", "!"),
    ("\u20ac ", "\u2026"),
)  # fmt: skip


def segment(maker: Maker) -> Item:
    made = "a1B" + maker.text(ALPHANUMERIC, 20)
    start = maker.random.choice(("/reset-password/", "/a/verify/", "https://db.example/invite/x/", "/share/"))
    before, after = maker.random.choice(AROUND)
    return Item(None, before + start + made + maker.random.choice(("", "", "==")) + after, made)


def hook(maker: Maker) -> Item:
    made = maker.text(ALPHANUMERIC, 24)
    team, channel = (first + maker.text(UPPER, maker.random.randint(8, 11)) for first in "TB")
    before, after = maker.random.choice(AROUND)
    return Item(None, f"{before}https://hooks.slack.com/services/{team}/{channel}/{made}{after}", made)


def link(maker: Maker) -> Item:
    """The link of a mail, whose query has a value that looks random."""
    choice = maker.random.choice
    paths = ("/verify", "https://db.example/reset-password", "https://db.example/users/confirm/x", "/unsubscribe")
    path = choice(paths)
    before, after = choice([around for around in AROUND if around[1] not in {".", "!", "`", "\u2026"}])
    made = random_value(maker)
    start = f"{before}{path}{choice('?#')}{choice(('', 'a=1&', 'x;'))}{choice(('t=', 'u=', ''))}"
    return Item(None, f"{start}{made}{after}", made)


def address(maker: Maker) -> str:
    """What is left is its network, without the last three digits."""
    # The last number is none of the others, which stay.
    return f"203.0.113.{maker.random.choice([number for number in range(101, 256) if number != 113])}"


def addresses(maker: Maker) -> Item:
    made = address(maker)
    forms = ("S", "S", "S:8080", " S\n", '"S"', "198.51.100.0, S", "[::ffff:S]")
    name = maker.random.choice(("ip", "client_ip", "x-forwarded-for", "w"))
    return Item(name, maker.random.choice(forms).replace("S", made), made[made.rindex(".") :])


def beside_others(form: Callable[[Maker], str]) -> Callable[[Maker], Item]:
    """With characters that are not ASCII before and after it, for which JSON has escapes."""

    def make(maker: Maker) -> Item:
        made = form(maker)
        choice = maker.random.choice
        return Item(None, choice("\u20ac\uff1a\u201c\u00a0\U0001f600") + made + choice("\u2013\u201d\u00e9"), made)

    return make


# The names of these begin with `path ` if they are secrets in a path by themselves, with `query ` if only elsewhere.
ITEMS: dict[str, Callable[[Maker], Item]] = {
    **{f"named {index}": named(SECRET_PARAMETERS[index::4], password) for index in range(4)},
    **{f"token {index}": named(TOKEN_PARAMETERS[index::2], random_value) for index in range(2)},
    "credentials": with_credentials("https://admin:S@db.example/x", password),
    "username": with_credentials("wss://S@db.example/x", password),
    "odd password": with_credentials("https://admin:S@db.example/x?a=1", odd_password),
    "no solidi": with_credentials("ftp:admin:S@db.example", password),
    "bearer": value(password, "Bearer "),
    "bearer tab": value(password, "bearer\t"),
    "bearer spaces": value(password, "BEARER   "),
    "bearer list": value(password, "x, Bearer ", ", y"),
    "bearer quotes": value(password, '"Bearer ', '"'),
    "basic": value(basic, "Basic "),
    "basic quotes": value(basic, "'basic  ", "'"),
    "jwt": value(Maker.jwt),
    "jwt prefix": value(Maker.jwt, "id_token-"),
    "jwe without a key": value(jwe),
    **{f"key {prefix}": value(key(prefix)) for prefix in KEY_PREFIXES},
    "key prefix": lambda maker: value(key(maker.random.choice([*KEY_PREFIXES])), "key-")(maker),
    "key other prefix": lambda maker: value(key(maker.random.choice([*KEY_PREFIXES])), "x_")(maker),
    "email": value(email),
    "email name": value(email, "Me <", ">"),
    "card": value(Maker.card),
    "card in groups": value(lambda maker: spaced(maker.card(), maker.random.choice(" -"))),
    "card after letters": value(Maker.card, "card"),
    "card before a date": value(lambda maker: spaced(maker.card(), " "), "", " 12/29"),
    "cards": value(Maker.card, "5500005555555559 ", "-123"),
    "segment": segment,
    "hook": hook,
    "link": link,
    "address": addresses,
    "key beside others": lambda maker: beside_others(key(maker.random.choice([*KEY_PREFIXES])))(maker),
    "card beside others": beside_others(Maker.card),
    "jwt beside others": beside_others(Maker.jwt),
    "hex": value(Maker.hex),
    "base64": value(base64_text),
}  # fmt: skip
# In a path, these are the names of things.
NOT_IN_PATHS = {"hex", "base64"}


# Wrappers: from an item to a text that has it. Each gives None where the item does not fit.


def pairs(item: Item, encode: Callable[[str], str]) -> str:
    return f"{item.name or 'w'}={encode(item.value)}"


def all_escaped(text: str) -> str:
    return "".join(f"%{octet:02X}" for octet in text.encode())


def strict(text: str) -> str:
    return quote(text, safe="")


def json_text(item: Item) -> str:
    return json.dumps({"a": 1, item.name or "w": item.value, "b": [2]})


def javascript_text(item: Item) -> str:
    """JSON as it is written into pages."""
    text = json.dumps({item.name or "w": item.value}, separators=(",", ":"))
    escaped = {
        "/": r"\/",
        "&": r"\u0026",
        "=": r"\u003d",
        "<": r"\u003c",
        ">": r"\u003E",
        "'": r"\u0027",
        "%": r"\u0025",
    }
    return "".join(escaped.get(character, character) for character in text)


def letters(text: str) -> str:
    """An escape of JSON for each character."""
    octets = text.encode("utf-16-be")
    return "".join(f"\\u{octets[place]:02x}{octets[place + 1]:02x}" for place in range(0, len(octets), 2))


def letters_text(item: Item) -> str:
    return f'{{"{letters(item.name or "w")}" : "{letters(item.value)}"}}'


def letters_pair(item: Item) -> str:
    return f"{letters(item.name or 'w')}={strict(item.value)}"


def mixed_text(item: Item) -> str:
    """JSON with characters that are not ASCII, as escapes."""
    return json.dumps({"\u00e9": "\u20ac", item.name or "w": item.value, "\u2014": "\U0001f600"})


def list_text(item: Item) -> str:
    """JSON with an array whose first items are empty."""
    return json.dumps({item.name or "w": ["", [], item.value], "b": 2}, separators=(",", ":"))


Wrapper = Callable[[Item], str | None]


def only_values(wrapper: Callable[[str], str]) -> Wrapper:
    return lambda item: wrapper(item.value) if item.name is None else None


# Those whose text is a path for the secret come last.
WRAPPERS: dict[str, Wrapper] = {
    "value": only_values(str),
    "form": lambda item: f"a=1&{pairs(item, quote_plus)}&b=2",
    "pair": lambda item: pairs(item, strict),
    "semicolons": lambda item: f"a=1;{pairs(item, strict)};b=2",
    "url query": lambda item: f"https://h.example/p?a=1&{pairs(item, strict)}&b=2",
    "relative": lambda item: f"/cb?{pairs(item, quote)}",
    "url fragment": lambda item: f"https://h.example/p#{pairs(item, strict)}&b=2",
    "route": lambda item: f"https://h.example/#/route?{pairs(item, strict)}",
    "json": json_text,
    "javascript": javascript_text,
    "letters": letters_text,
    "letters pair": letters_pair,
    "list": list_text,
    "mixed": mixed_text,
    "array": only_values(lambda text: json.dumps(["a", text])),
    "string": only_values(json.dumps),
    "all escaped": only_values(all_escaped),
    "url path": only_values(lambda text: f"https://h.example/p/{strict(text)}/q"),
    "matrix": lambda item: f"https://h.example/p;{pairs(item, strict)}/q?b=2",
    "segment pair": lambda item: f"/p/{pairs(item, strict)}/q",
    "fragment path": only_values(lambda text: f"https://h.example/p#/r/{strict(text)}"),
}
IN_PATH = {"url path", "matrix", "segment pair", "fragment path"}

# Places: from an item to a URL, or to a text that does not parse.
PLACES: dict[str, Wrapper] = {
    "query": lambda item: f"https://h.example/p?a=1&{pairs(item, strict)}&b=2#f",
    "query quote": lambda item: f"https://h.example/p?{pairs(item, quote)}",
    "query form": lambda item: f"https://h.example/p?a=1&{pairs(item, quote_plus)}",
    "query raw": lambda item: f"https://h.example/p?a=1&{pairs(item, query_raw)}",
    "query letters": lambda item: f"https://h.example/p?a=1&{letters_pair(item)}&b=2",
    "query alone": only_values(lambda text: f"https://h.example/p?{strict(text)}"),
    "query name": only_values(lambda text: f"https://h.example/p?{strict(text)}=1"),
    "query escaped": only_values(lambda text: f"https://h.example/p?w={strict(strict(text))}"),
    "fragment": lambda item: f"https://h.example/p#a=b&{pairs(item, strict)}",
    "fragment letters": lambda item: f"https://h.example/p#a=b&{letters_pair(item)}",
    "fragment route": lambda item: f"https://h.example/p#/route?{pairs(item, strict)}",
    "text": lambda item: f"http://a b/?{pairs(item, strict)}",
    "target": lambda item: f"/cb?{pairs(item, strict)}&b=2",
    "path": only_values(lambda text: f"https://h.example/p/{strict(text)}/q?b=2"),
    "path twice": only_values(lambda text: f"https://h.example/p/{strict(strict(text))}"),
    "path solidi": only_values(lambda text: f"https://h.example/p/{quote(text)}"),
    "path pair": lambda item: f"https://h.example/p/{pairs(item, strict)}/q",
    "path pair solidi": lambda item: f"https://h.example/p/{pairs(item, quote)}",
    "path quoted pair": lambda item: f"https://h.example/p/{strict(pairs(item, strict))}",
    "matrix": lambda item: f"https://h.example/p;a=1;{pairs(item, strict)};b=2/q",
    "matrix solidi": lambda item: f"https://h.example/p;{pairs(item, quote)}",
    "matrix letters": lambda item: f"https://h.example/p;a=1;{quote(letters_pair(item), safe='=%')}/q",
    "matrix quoted": lambda item: f"https://h.example/p;a%3D1%3B{strict(pairs(item, strict))}",
    "fragment alone": only_values(lambda text: f"https://h.example/p#{strict(text)}"),
    "fragment solidi": only_values(lambda text: f"https://h.example/p#!/r/{quote(text)}"),
    "opaque": only_values(lambda text: f"x:{strict(text)}"),
    "other scheme": only_values(lambda text: f"x://h.example/p/{strict(text)}"),
    "file": only_values(lambda text: f"file:///p/{strict(text)}"),
    "fragment raw": only_values(lambda text: f"https://h.example/p#{path_raw(text)}"),
    "opaque raw": only_values(lambda text: f"x:{path_raw(text)}"),
    "other scheme raw": only_values(lambda text: f"x://h.example/p/{path_raw(text)}"),
}  # fmt: skip
PATHS = set(list(PLACES)[list(PLACES).index("path") :])


def query_raw(text: str) -> str:
    """As people write a URL into a query, with what would end the parameter escaped."""
    return re.sub("[&#%+\t\n\r]", lambda match: strict(match[0]), text)


def path_raw(text: str) -> str:
    """As programs write JSON into a path or a fragment: with the backslashes, which the parser leaves as they are."""
    return re.sub("[/?#%=;&\t\n\r ]", lambda match: strict(match[0]), text)


def is_known(kind: str, wrappers: tuple[str, ...], place: str) -> bool:
    """Whether redaction knows it there."""
    if kind not in NOT_IN_PATHS:
        return True
    # The text around it says where it is: a query in a path is a query.
    inner = next((name for name in wrappers if name in IN_PATH or name.startswith(("url", "relative", "route"))), None)
    if inner is not None:
        return inner not in IN_PATH
    return place not in PATHS


def place(kind: str, wrappers: tuple[str, ...], where: str, maker: Maker) -> Placed | None:
    made = ITEMS[kind](maker)
    item = made
    for name in wrappers:
        text = WRAPPERS[name](item)
        if text is None:
            return None
        item = Item(None, text, made.secret)
    url = PLACES[where](item)
    return None if url is None else Placed(" < ".join((where, *reversed(wrappers), kind)), url, made.secret)


def shapes(depth: int) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """All of them: each kind, in each place, in so many wrappers."""
    for names in itertools.product(WRAPPERS, repeat=depth):
        for kind in ITEMS:
            for where in PLACES:
                if is_known(kind, names, where):
                    yield kind, names, where


def deeper(maker: Maker, deepest: int = 4) -> Iterator[Placed]:
    """Random ones in two wrappers or more, without end."""
    kinds, wrappers, wheres = list(ITEMS), list(WRAPPERS), list(PLACES)
    choice = maker.random.choice
    while True:
        kind, where = choice(kinds), choice(wheres)
        names = tuple(choice(wrappers) for _ in range(maker.random.randint(2, deepest)))
        if is_known(kind, names, where) and (placed := place(kind, names, where, maker)) is not None:
            yield placed


def placements(count: int, seed: int) -> Iterator[Placed]:
    """So many: all with no wrapper and with one, as far as the count goes, then those with more."""
    maker = Maker(seed)
    first = list(itertools.chain(shapes(0), shapes(1)))
    Random(seed).shuffle(first)
    placed = filter(None, (place(*shape, maker) for shape in first))
    return itertools.islice(itertools.chain(placed, deeper(maker)), count)


JSON_ESCAPE = re.compile(r"\\(?:u00([0-9A-Fa-f]{2})|(.))", re.DOTALL)


def views(text: str) -> Iterator[str]:
    """The text, and what any number of decodings makes of it."""
    from support.redact_model import decoded

    while True:
        yield text
        plain = decoded(text)
        plain = JSON_ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], plain)
        if plain == text:
            return
        text = plain


def remains(secret: str, shown: str) -> str | None:
    """A run of the secret that is left in a text, or None."""
    for view in views(shown):
        for index in range(max(len(secret) - RUN + 1, 1)):
            run = secret[index : index + RUN]
            if (run in view or run in view.replace("+", " ")) and run not in "https://h.example/ db.example":
                return run
    return None
