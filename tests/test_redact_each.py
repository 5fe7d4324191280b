"""redact_each: the values of many attributes at once, as redact_text has each of them."""

from __future__ import annotations

import re
from random import Random
from threading import Thread
from typing import Any

import pytest
from support import log_texts
from support.redaction_corpus import cases

from weburl import URL
from weburl._redact.columns import redact_each
from weburl.bulk import path_template_many
from weburl.redact import path_template
from weburl.text import redact_text

ANY_TEXT, WHOLE_URL, PATH, QUERY, FRAGMENT, OTHER, KEPT = range(7)
STARTS = {QUERY: "/?", FRAGMENT: "/#"}
PLAIN = (int, float, bool, type(None))
# What ends a URL in a text.
ENDS = {*map(chr, range(33)), *"\"'`<>\\\x7f"}
# A text with such a name is a header for redact_text(), but not as the path of a URL: it is left out.
HEADER = re.compile(
    r"(?:(?!://)[^?#])*(?:cookie|authorization|key|token|(?:passw(?:or)?d|passphrase|pwd|secret)[-_]?[a-z12]*)\]?[:=]",
    re.IGNORECASE,
)


def expected(value: Any, shape: int, policy: str) -> Any:
    """The value as it should be; None if it is left to the caller."""
    if shape == KEPT or (shape == ANY_TEXT and type(value) in PLAIN):
        return value
    if shape == OTHER or type(value) is not str:
        return None
    if shape == ANY_TEXT:
        return redact_text(value, policy)
    start = STARTS.get(shape, "")
    whole = start + value
    if ENDS & {*whole} or whole.startswith("//"):
        return None
    end = "?" if shape == PATH and not {"?", "#"} & {*value} else ""
    shown = redact_text(whole + end, policy)
    assert shown.startswith(start)
    assert shown.endswith(end)
    return shown[len(start) : len(shown) - len(end)]


def check(values: list[Any], shapes: bytes, policy: str = "logs") -> int:
    """Compares all of them; how many are changed or left."""
    values = [
        None if shape == PATH and type(value) is str and HEADER.match(value) else value
        for value, shape in zip(values, shapes, strict=True)
    ]
    before = values[:]
    found = redact_each(values, shapes, policy)
    wanted = {
        place: shown
        for place, (value, shape) in enumerate(zip(values, shapes, strict=True))
        if (shown := expected(value, shape, policy)) is None or type(shown) is not type(value) or shown != value
        if value is not None
    }
    assert found == wanted
    assert all(one is other for one, other in zip(values, before, strict=True))
    return len(found)


def texts() -> list[str]:
    random = Random(11)
    made = [line.text for line in log_texts.lines(300, seed=2)]
    made += [case.text for file in ("secret", "harmless") for case in cases(file)][::7]
    made += [text.partition("?")[2] for text in made] + [text[text.find("/", 9) :] for text in made]
    signs = [
        "/",
        "?",
        "#",
        "token=",
        "q8Zx3f7a",
        "&",
        " ",
        '"',
        "\\",
        "é",
        "\ud800",
        "//",
        "@",
        ":",
        "https:",
        "\n",
        "%",
    ]
    made += ["".join(random.choices(signs, k=random.randint(0, 12))) for _ in range(4000)]
    # Around the length from which other threads run.
    made += [f"{'a' * n}{rest}" for n in range(1000, 1040, 3) for rest in ("", "/?token=q8Zx", "é/?token=q8Zx")]
    return made


def test_texts_of_all_shapes() -> None:
    random = Random(12)
    made = texts()
    count = 0
    for shape in range(7):
        for start in range(0, len(made), 200):
            count += check(made[start : start + 200], bytes([shape]) * len(made[start : start + 200]))
    for policy in ("logs", "logs-strict", "otel"):
        for _ in range(200):
            values = random.choices(made, k=random.randint(0, 30))
            count += check(values, bytes(random.choices(range(7), k=len(values))), policy)
    assert count > 10_000


class Text(str):
    pass


@pytest.mark.parametrize("shape", range(7))
def test_values_of_other_types(shape: int) -> None:
    values: list[Any] = [
        None, 5, 2**70, 0.5, True, "", b"/?token=q8Zx", Text("/?token=q8Zx"), ("a",), [], {}, object(), 1j, bytearray(),
    ]  # fmt: skip
    check(values, bytes([shape]) * len(values))


def test_lists_of_two_lengths() -> None:
    """The shorter one counts, as in zip()."""
    secret = "/?token=q8Zx"
    assert redact_each([secret, secret, secret], bytes(2), "logs") == dict.fromkeys((0, 1), "/?token=REDACTED")
    assert redact_each([secret], bytes(5), "logs") == {0: "/?token=REDACTED"}
    assert redact_each([], b"", "logs") == {}


def test_threads() -> None:
    """A list that another thread changes."""
    values: list[Any] = ["/?token=q8Zx"] * 500

    def change() -> None:
        for n in range(3000):
            values[n % 400 :] = ["/?token=q8Zx"] * (n % 90 + 10)

    thread = Thread(target=change)
    thread.start()
    while thread.is_alive():
        try:
            found = redact_each(values, bytes(1000), "logs")
        except IndexError:  # it became shorter
            continue
        assert {*found.values()} <= {"/?token=REDACTED"}
    thread.join()


def test_a_template_of_two_slashes() -> None:
    """docs/redact.md: a path without a base, and a host with one, as for the function for one URL."""
    for name in ("example.com", "evil", "users"):
        text = f"//{name}/users/7"
        assert path_template_many([text]).to_pylist() == [path_template(text)] == [f"//{name}/users/{{int}}"]
        base = "https://a.example/x"
        assert path_template_many([text], base=base).to_pylist() == [path_template(URL(text, base))] == ["/users/{int}"]
