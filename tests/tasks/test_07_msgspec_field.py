"""A message in JSON has a URL. Decode it, and encode it again."""

from typing import Any

import pytest
from support.tasks import all_right, gives, refuses

pytest.importorskip("msgspec", reason="msgspec is not installed")

import msgspec

from weburl import FrozenURL


class Message(msgspec.Struct):
    url: FrozenURL


def decode_hook(kind: type[Any], value: Any) -> Any:
    return kind(value)


def msgspec_field(text: str) -> str:
    message = msgspec.json.decode(text, type=Message, dec_hook=decode_hook)
    return msgspec.json.encode(message, enc_hook=str).decode()


CHECKS = [
    gives('{"url":"https://example.com/a?b=1"}', want='{"url":"https://example.com/a?b=1"}'),
    gives('{"url":"HTTPS://EXAMPLE.com/"}', want='{"url":"https://example.com/"}'),
    gives(
        r'{"url":"https:\\\\example.com\\a"}',
        want='{"url":"https://example.com/a"}',
        why="a browser reads a backslash as a slash",
    ),
    gives(
        '{"url":"https://example.com/\\u00fc?q=1%2B1+x"}',
        want='{"url":"https://example.com/%C3%BC?q=1%2B1+x"}',
        why="only what must be encoded is encoded",
    ),
    refuses('{"url":"https://"}', why="there is no host"),
    refuses('{"url":"/a"}', why="a relative URL is not a URL"),
    refuses('{"url":"https://me:hunter2@exa mple.com/"}', why="the error shows no password", hides=["hunter2"]),
]


def test_msgspec_field() -> None:
    assert all_right(msgspec_field, CHECKS)
