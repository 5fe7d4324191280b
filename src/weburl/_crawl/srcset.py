"""The images of a srcset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

BEFORE: Final = re.compile(r"[\t\n\f\r ,]*")
URL: Final = re.compile(r"[^\t\n\f\r ]+")
# The descriptors of an image, up to the comma after them. A comma in parentheses does not end them.
DESCRIPTORS: Final = re.compile(r"(?:\([^)]*(?:\)|\Z)|[^,(]+)*")
DESCRIPTOR: Final = re.compile(r"(?:\([^)]*(?:\)|\Z)|[^\t\n\f\r (])+")
WIDTH: Final = re.compile(r"([0-9]++)w")
HEIGHT: Final = re.compile(r"([0-9]++)h")
DENSITY: Final = re.compile(r"(-?)((?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?)x")


# https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute
def parse_srcset(srcset: str) -> Iterator[str]:
    """The URLs of the images, as they are written."""
    position = 0
    while True:
        match = URL.match(srcset, BEFORE.match(srcset, position).end())  # type: ignore[union-attr]  # always matches
        if match is None:
            return
        position = match.end()
        url = match[0].rstrip(",")
        descriptors = ""
        if url == match[0]:
            descriptors = DESCRIPTORS.match(srcset, position)[0]  # type: ignore[index]  # always matches
            position += len(descriptors) + 1
        if are_valid(DESCRIPTOR.findall(descriptors)):
            yield url


def are_valid(descriptors: list[str]) -> bool:
    width = density = height = False
    for descriptor in descriptors:
        if match := WIDTH.fullmatch(descriptor):
            if width or density or not match[1].strip("0"):
                return False
            width = True
        elif match := DENSITY.fullmatch(descriptor):
            # A density of -0 is not below 0.
            if width or density or height or (match[1] and re.match("[0.]*[1-9]", match[2])):
                return False
            density = True
        elif match := HEIGHT.fullmatch(descriptor):
            if height or density or not match[1].strip("0"):
                return False
            height = True
        else:
            return False
    return width or not height
