"""The inputs that the fuzzers start with, and how they change them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

from support import secret_texts
from support.hostile import NAMES, inputs
from support.patterns import COMPONENTS
from tiers.pattern_oracles.cases import Cases

HERE = Path(__file__).with_name("fuzz")
SHORT = 4096


def read(name: str) -> Iterator[tuple[str, bytes]]:
    """Reads the targets and inputs of a file in tests/tiers/fuzz."""
    for line in (HERE / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            target, _, text = line.partition(" ")
            yield target, ast.literal_eval("b'" + text.replace("'", "\\'") + "'")


def line_of(target: str, data: bytes) -> str:
    """What read() reads."""
    return f"{target} {ascii(data)[2:-1]}".replace("\\'", "'")


def generated(target: str, count: int) -> Iterator[bytes]:
    """Hostile URLs as inputs of a target."""
    for case in islice(inputs(1), count):
        url, base = (text.encode("utf-8", "surrogatepass") for text in (case.url, case.base or ""))
        values = [
            bytes([NAMES.index(name)]) + value.encode("utf-8", "surrogatepass") for name, value in case.assignments
        ]
        if target == "native":
            yield b"\xff".join([b"\x21" + url, base, *values] if base else [b"\x00" + url, *values])
        elif target == "scans":
            yield bytes([len(url) % 64, len(base) % 256]) + url
        elif target == "setters":
            yield b"\xff".join([url, *values])
        elif target in ("parse", "idna"):
            yield url
        elif target in ("base", "compat", "people"):
            yield b"\xc0" + url + b"\xff" + base
        elif target == "host_sets":
            hosts = [part for part in (url, base) for part in part.split(b"/")]
            yield b"\n".join([*hosts, *(b"*." + host for host in hosts)]) + b"\xff" + b"\xffa.".join([*hosts, url])
        elif target == "files":
            yield b"\x01" + (url if url.startswith(b"file:") else b"C:\\" + url)
            yield b"\x00/" + url
        elif target == "build":
            yield bytes([len(url) * 7 % 256]) + b"\xff".join([url, *(value[1:] for value in values)])
        elif target == "records":
            yield from of_records(len(url) + len(base), url, base)
        elif target == "secrets":
            yield secret_texts.hostile(Random(len(url) * 7 + len(base))) + b" " + url + b" " + base
        elif target == "redaction":
            text = secret_texts.hostile(Random(len(url) * 7 + len(base)))
            yield bytes([len(url) % 256, len(base) % 256, len(text) % 256]) + b"%b /a,%b %b" % (text, base, url)
        elif target == "counts":
            texts = [text.replace(b"\n", b"") for text in (url, base)]
            yield bytes([len(url) % 256]) + b"\n".join([*texts, *(b"http://h/?" + text for text in texts), *texts])
        elif target == "logs":
            yield b'h - u [10/Oct/2000:13:55:36 -0700] "GET %b HTTP/1.1" 200 1 "%b" "a"\n' % (url, base)
        elif target == "texts":
            yield bytes([len(url) * 11 % 256]) + b"(%b), %b %b.com/\\u0041 hxxp[:]//%b" % (url, base, url, base)
        elif target == "robots":
            rules = b"User-agent: *\nDisallow: /a*%b$\nDisalow: %b\n" % (url[-9:], base[-9:])
            yield bytes([len(url) % 256]) + rules + b"\xff" + url
        elif target == "patterns":
            yield from of_patterns(len(url) + len(base), url, base)
        elif target == "bulk":
            yield url.replace(b"\n", b"") + b"\xff" + base.replace(b"\n", b"") + b"\nhttp://h/?q=1\n\0\xff\0"


def of_patterns(seed: int, url: bytes, base: bytes) -> Iterator[bytes]:
    """Patterns of the generated ones, on an input that they may match; and what is hostile as a pattern, on itself."""
    arguments, inputs = Cases(seed).case()
    first = arguments[0] if arguments else ""
    named = {"text": first} if isinstance(first, str) else first
    texts = {index: named[name] for index, name in enumerate((*COMPONENTS, "text")) if name in named}
    text = next((one[0] for one in inputs if one and isinstance(one[0], str)), "https://example.com/a")
    for index, pattern in sorted(texts.items()):
        fields = [str(one).encode("utf-8", "surrogatepass") for one in (pattern, text)]
        yield bytes([index]) + b"\xff".join([*fields, base])
    yield b"\x48" + b"\xff".join([url, url, base])


def of_records(seed: int, url: bytes, base: bytes) -> Iterator[bytes]:
    """Files of CSV and JSON Lines, with what is hostile as a URL in them."""
    random = Random(seed)
    texts = [text.decode("utf-8", "surrogatepass") for text in (url, base)]
    cells = [b'"' + text.replace(b'"', b'""') + b'"' if random.random() < 0.7 else text for text in (url, base)]
    end = random.choice([b"\n", b"\r\n"])
    rows = [random.choice([b",", b"\t", b",,"]).join(random.sample([*cells, b"1"], 3)) for _ in range(4)]
    yield bytes([2 * random.randrange(128)]) + end.join([*rows, b""])
    objects = [{"u": texts[0], "a": {"b": texts[1]}}, {texts[0]: 1.5, "a.b": [None, True]}, {"u": texts[0], "n": -0.0}]
    lines = [json.dumps(each, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass") for each in objects]
    yield bytes([2 * random.randrange(128) + 1]) + end.join(lines)


def mutated(data: bytes, size: int, seed: int, change: Callable[[bytes, int], bytes]) -> bytes:
    """The same as LLVMFuzzerCustomMutator() in native.pyx."""
    random = Random(seed)
    if random.random() < 0.9:
        target = min(size, SHORT >> random.randrange(10))
        if len(data) > target:
            begin = random.randrange(len(data) - target)
            data = data[:1] + data[begin + 1 : begin + target]
        return change(data, target)
    target = min(size, int(SHORT / (random.random() + 2**-16) ** 0.5))
    data = change(data[:target], target)
    if 2 <= len(data) < target:
        begin = random.randrange(1, len(data))
        piece = data[begin : begin + 1 + random.randrange(32)]
        repeated = piece * (-(-(target - len(data)) // len(piece)))
        data = data[:begin] + repeated[: target - len(data)] + data[begin:]
    return data
