"""A setting is the URL of a callback. It must be https, on example.com or below, without a password."""

from typing import Annotated

import pytest
from support.tasks import AnyOf, Refused, all_right, gives, refuses

pytest.importorskip("pydantic", reason="pydantic is not installed")

from pydantic import BaseModel

from weburl import FrozenURL
from weburl.ext.pydantic import URLConstraints


class Settings(BaseModel):
    callback: Annotated[
        FrozenURL, URLConstraints(allowed_schemes=["https"], hosts=["example.com"], no_credentials=True)
    ]


def pydantic_field(text: str) -> str:
    return str(Settings.model_validate({"callback": text}).callback)


CHECKS = [
    gives("https://api.example.com/hook?id=1", want="https://api.example.com/hook?id=1"),
    gives("HTTPS://example.com/", want="https://example.com/"),
    refuses("http://example.com/"),
    refuses("https://evil.example/"),
    refuses("https://example.com.evil.example/", why="the text begins with an allowed host"),
    refuses("https://notexample.com/", why="the host ends with the letters of an allowed host"),
    refuses("https://evil.example\\@example.com/", why="a browser ends the host at the backslash"),
    gives(
        "https://API.EXAMPLE.com./",
        want=AnyOf("https://api.example.com./", Refused()),
        why="the dot at the end is the root of DNS",
    ),
    gives(
        "https:example.com/",
        want=AnyOf("https://example.com/", Refused()),
        why="a browser adds the slashes, and does not take this for a path",
    ),
    gives(
        "https://example.com/a%2Fb/é",
        want="https://example.com/a%2Fb/%C3%A9",
        why="only what must be encoded is encoded",
    ),
    refuses("https://me:hunter2@example.com/", why="the error must not show the password", hides=["hunter2"]),
    refuses(
        "https://me:hunter2@exa mple.com/",
        why="the error must not show the password of a wrong URL either",
        hides=["hunter2"],
    ),
]


def test_pydantic_field() -> None:
    assert all_right(pydantic_field, CHECKS)
