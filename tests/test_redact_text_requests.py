"""Paths of requests without a query, as in `GET /reset/q8Zx HTTP/1.1`: what redact_text() makes of them."""

from __future__ import annotations

from random import Random

import pytest
from support import redact_text_model

from weburl._redact.stream import TextStream
from weburl.redact import redact
from weburl.text import explain_redaction, redact_text

TOKEN = "aB3xY9kQ" + "7LmN2pR4"
CASES = {
    f'"GET /reset/{TOKEN} HTTP/1.1" 200': '"GET /reset/REDACTED HTTP/1.1" 200',
    f"DELETE /invite/{TOKEN}/x HTTP/2": "DELETE /invite/REDACTED/x HTTP/2",
    f'{{"request":"PUT /verify/{TOKEN} HTTP/1.1"}}': '{"request":"PUT /verify/REDACTED HTTP/1.1"}',
    "GET /users/ada@example.com HTTP/1.1": "GET /users/REDACTED HTTP/1.1",
    "GET /cart;jsessionid=q8Zx HTTP/1.0": "GET /cart;jsessionid=REDACTED HTTP/1.0",
    f"GET //reset/{TOKEN} HTTP/1.1": "GET //reset/REDACTED HTTP/1.1",
}
# Paths that are not those of requests: of files, of images in a registry, and a request that was cut.
PLAIN = [
    f"read /reset/{TOKEN} HTTP/1.1",
    f"GET /reset/{TOKEN}",
    f"GET /reset/{TOKEN} HTTP",
    f"GET  /reset/{TOKEN}  HTTP/1.1",
    f"/reset/{TOKEN} HTTP/1.1",
    f"GO /reset/{TOKEN} HTTP/1.1",
    "GET /static/app.3f9a1c2b.js HTTP/1.1",
    "GET / HTTP/1.1",
    "GET * HTTP/1.1",
]
SEGMENTS = ("reset", "magic-link", "verify", "x", "cart;sid=", "u:p@", "%2Freset%2F", "ada@", "card", "", "..")
ALPHABETS = ("0123456789", "abcdefghij", "abcABC0123456789", "0123456789abcdef", "aB3-_.~;=@:%&!$+,", "ABCDEF", "é")


@pytest.mark.parametrize("text", CASES)
def test_paths_of_requests(text: str) -> None:
    assert redact_text(text) == CASES[text]
    assert redact_text(text.encode()) == CASES[text].encode()
    assert len(explain_redaction(text)) == 1


@pytest.mark.parametrize("text", PLAIN)
def test_other_paths_stay(text: str) -> None:
    assert redact_text(text) == text


def path_of(draw: Random) -> str:
    segments = []
    for _ in range(draw.randint(1, 5)):
        alphabet = draw.choice(ALPHABETS)
        made = "".join(draw.choices(alphabet, k=draw.randint(0, 40)))
        segments.append(draw.choice((made, draw.choice(SEGMENTS), draw.choice(SEGMENTS) + made)))
    return "/" + "/".join(segments)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_generated_requests(seed: int) -> None:
    """As the model has them, and in a stream that is cut anywhere."""
    draw = Random(seed)
    for _ in range(1500):
        before = draw.choice(('"GET ', "PUT ", "x POST ", "GET  ", "ab ", "OK ", "token=1 PATCH "))
        after = draw.choice(
            (' HTTP/1.1"', " HTTP/2", " HTTP", " HTTP/", " http/1.1", "", ' HTTP/1.1" "https://u:p@h/"')
        )
        text = before + path_of(draw) + after
        shown = redact_text(text)
        assert shown == redact_text_model.redacted(text)[0], text
        data = text.encode()
        stream = TextStream()
        cut, other = sorted((draw.randint(0, len(data)), draw.randint(0, len(data))))
        parts = (
            stream.redact(data[:cut]) + stream.redact(data[cut:other]) + stream.redact(data[other:]) + stream.finish()
        )
        assert parts == shown.encode(), text


@pytest.mark.parametrize("seed", range(2))
def test_a_path_has_the_secrets_of_its_url(seed: int) -> None:
    """`redact` reads the same path in a URL."""
    draw = Random(seed)
    for _ in range(1500):
        segments = ("".join(draw.choices(draw.choice(ALPHABETS[:4]), k=draw.randint(1, 40))) for _ in range(3))
        path = f"/{draw.choice(SEGMENTS[:4])}/{'/'.join(segments)}"
        assert redact_text(f"GET {path} HTTP/1.1") == f"GET {redact('https://h' + path)[9:]} HTTP/1.1"
