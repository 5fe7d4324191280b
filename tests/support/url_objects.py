"""Columns of URL and FrozenURL objects beside texts, and the same columns with texts alone."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from support.verb_calls import BASE, Call, all_calls

from weburl import URL, FrozenURL

CALLS: Final = {f"{call.label} {place}": call for place, call in enumerate(all_calls()) if call.verb.in_engines}
TEXTS: Final = [
    "https://user:pw@www.example.co.uk:8080/a/b?q=%C3%A9&a=1#f", "http://h/?token=1&q=é", "mailto:ada@example.com",
    "file:///c", "https://[1::2]/users/7?x", "http://1.2.0.3/", "https://bücher.example/%7e?a&&b=+", "no URL", "/a?q=1",
    "", "https://a b/",
]  # fmt: skip


class OwnURL(URL):
    """A subclass: what it says of itself does not count."""

    @property  # type: ignore[misc]
    def href(self) -> str:
        return "https://other.example/"

    def __str__(self) -> str:
        return self.href


def columns(seed: int, length: int) -> tuple[list[Any], list[str | None]]:
    """A column of objects, texts and None, and the same with texts and None."""
    random = Random(seed)
    objects: list[Any] = []
    texts: list[str | None] = []
    for _ in range(length):
        text = random.choice([*TEXTS, None])
        cls = random.choice([str, URL, FrozenURL, OwnURL])
        url = None if text is None else URL.parse(text, encoding=random.choice(["utf-8", "windows-1252"]))
        if url is None or cls is str:
            objects.append(text)
            texts.append(text)
        else:
            objects.append(cls(url))
            texts.append(url.href)
    return objects, texts


def options(call: Call, cls: Any) -> dict[str, Any]:
    """The options of a call, with a base that is an object."""
    return {name: cls(value) if name == "base" else value for name, value in call.options.items()}


def bases(seed: int, length: int) -> tuple[list[Any], list[str | None]]:
    random = Random(seed)
    texts = [random.choice([BASE, "http://h/a/", "x:opaque", None]) for _ in range(length)]
    return [None if text is None else random.choice([str, URL, FrozenURL])(text) for text in texts], texts
