"""Templates of paths: the placeholders, and what has none."""

from __future__ import annotations

import pytest
from support import secret_shapes

from weburl import URL, InvalidURL
from weburl.redact import LogPolicy, path_template, redact

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

TEMPLATES = {
    "https://h/users/123/7f9c2c1e-3b5a-4d2b-9f1e-0a1b2c3d4e5f": "/users/{int}/{uuid}",
    "https://h/a/2024-01-31/deadbeef1/deadbeef/dec2019": "/a/{date}/{hex}/deadbeef/dec2019",
    "https://h/5.html/7f9c2c1e1.min.js/a5.html/.5/5.": "/{int}.html/{id}.js/a5.html/.5/5.",
    "https://h/01ARZ3NDEKTSV4RRFFQ69G5FAV/" + "gH1" * 11: "/{id}/{id}",
    "https://h/me@example.com/" + JWT: "/{email}/{redacted}",
    "https://h/reset/gggggggggggggG1/hhhhhhhhhhhhhH22": "/reset/gggggggggggggG1/{redacted}",
    "https://h/page=5/token=a/x;jsessionid=1/;a": "/page={value}/token={value}/x/",
    "https://h/a;b/..;/%2e;x": "/a/..;/%2e;",
    "https://h/reset/a&hhhhhhhhhhhhhH22/AT&T/x&http:u:p@b": "/reset/{redacted}/AT&T/{redacted}",
    "https://h/x&bearer%20a&b=1/x&b=bearer%20a": "/{redacted}/x&b={value}",
    "https://h/ab:;b/p@c/ab:/;b/p@c/a;:/p@c/a/;b/p@c": "/ab:/{redacted}/ab://{redacted}/a/{redacted}/a//{redacted}",
    # The letter of a drive is not a scheme.
    "file:///C:/x@y/7": "/C:/x@y/{int}",
    "/C:/Users/me@home/7": "/C:/Users/me@home/{int}",
    "/C:/u:p/me@home": "/C:/u:p/me@home",
    "https://h//a//": "//a//",
    "https://h/%31%32/%7Bint%7D/{uuid}/{other}": "/{int}/{int}/{uuid}/%7Bother%7D",
    "https://h": "/",
    "x://h": "/",
    "x://h/a\\5": "/a\\{int}",
    "x://h/a/token=&\\5/token=": "/a/{redacted}/token={value}",
    "mailto:me@example.com": "/{opaque}",
    "file:///C:/7": "/C:/{int}",
    "/users/12?a#b": "/users/{int}",
    "//users/12": "//users/{int}",
    # Of a URL within a path, also if a password has a delimiter.
    "//u:p@h/": "//{redacted}/",
    "https://h//u:p@h/b": "//{redacted}/b",
    "https://h/a//u@h;x//@b/c@d": "/a//{redacted}//@b/c@d",
    "https://h//;x/u:p@h": "///{redacted}",
    "https://h/u:p@h": "/u:p@h",
    "https://h/a//u:p;q@h/5": "/a//{redacted}/{int}",
    "https://h/a/https%3A//u%3Ap;q%40h/h;a@b": "/a/https%3A//{redacted}/h",
    "https://h/a//h;x=1/;a@b": "/a//h/",
    "https://h/a//u:p/q@h/c/d@e/5": "/a//{redacted}/{int}",
    "https://h/https://u:p/q@h/5": "/https://{redacted}/{int}",
    "https://h//u:80/q@h//[1:2]/@x": "//u:80/q@h//[1:2]/@x",
    "https://h//u;v:p/q@h//u:p;v/x@y": "//{redacted}",
    "https://h//u:p/x": "//u:p/x",
    "https://h//u:p?x@y": "//u:p",
    r"x://h/a\\u:p\q@h\5/5": r"/a\\{redacted}/{int}",
    "//u:p/q@h/a?b": "//{redacted}/a",
    "//u:p?q@h/a": "//{redacted}",
    "/\t/u:p#q@h": "//{redacted}",
    r"/\u:p/a?q@h": r"/\{redacted}",
    "/u:p?q@h": "/u:p",
    "/{opaque}": "/{opaque}",
    "https://h/12:34/1:02:03/23:59:60/12:34:5/12:34:567": "/{time}/{time}/{time}/12:34:5/12:34:567",
    "https://h/20260102T12/20260102T1x/20260102Tx2/2026-01-02_1x:34": "/{time}/{id}/{id}/2026-01-02_1x:34",
}


@pytest.mark.parametrize(("url", "expected"), TEMPLATES.items())
def test_templates(url: str, expected: str) -> None:
    assert path_template(url) == expected
    assert path_template(expected) == expected


def test_a_digit_and_a_key_at_each_place_of_a_segment() -> None:
    """Words are found eight bytes at a time; what is not one is found wherever it is."""
    for n in range(8, 36):
        assert path_template(f"/{'a' * n}/b") == f"/{'a' * n}/b"
        for place in range(n):
            assert path_template(f"/{'a' * place}5{'a' * (n - place - 1)}/b") == "/{hex}/b"
        for channel in ("Tkkk", "T" + "K" * 8):
            hook = f"/{channel}/B{'K' * 8}/{'a' * n}"
            is_hook = n >= 20 and channel != "Tkkk"
            assert path_template(hook) == (f"/{channel}/B{'K' * 8}/{{redacted}}" if is_hook else hook)
    for n in range(20):
        for word in ("a" * n, "a." * n):
            assert path_template(f"/{word}.xoxb-abcdefghij") == "/{redacted}"
            assert path_template(f"/{word}.eyJhbGciOiJ.a") == "/{redacted}"
            assert path_template(f"/{word}.eyJhbGciOi.a") == f"/{word}.eyJhbGciOi.a"
    assert path_template("/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee") == "/{uuid}"
    assert path_template("/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee.pdf") == "/{uuid}.pdf"


def test_templates_have_no_secret() -> None:
    for each in secret_shapes.secrets(10_000, 1):
        if URL.can_parse(each.url):
            assert each.secret not in path_template(each.url)


@pytest.mark.parametrize("name", ["redacted", "*ed", "re*", "*dact*"])
def test_what_is_hidden_has_no_name(name: str) -> None:
    policy = LogPolicy(secret_names=[name], token_names=[])
    for path in (
        "a@b.com/aaaaaaaaaaaaaA17",
        "x&a@b.com&aaaaaaaaaaaaaA17/aaaaaaaaaaaaaA17",
        "xREDACTEDx/aaaaaaaaaaaaaA17",
    ):
        shown = redact(f"https://h/{path}", policy)
        assert redact(shown, policy) == shown
    assert (
        redact("https://h/redacte/aaaaaaaaaaaaaA17", LogPolicy(secret_names=["redacte"], token_names=[]))
        == "https://h/redacte/REDACTED"
    )


@pytest.mark.parametrize("name", ["uuid", "id", "email", "value", "redacted", "*d", "i*"])
def test_a_placeholder_can_have_a_name(name: str) -> None:
    """What follows it is hidden, so that the template is its own template, and has no secret that redact() hides."""
    policy = LogPolicy(secret_names=[name], token_names=[])
    hidden = 0
    uuid = "7f9c2c1e-3b5a-4d2b-9f1e-0a1b2c3d4e5f"
    for segment in (uuid, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "a@b.com", "x=1", JWT, "5.html"):
        template = path_template(f"/{segment}/kbhzqpxwmqrtnA17", policy)
        assert path_template(template, policy) == template
        hidden += template.endswith("/{redacted}")
    assert hidden
    assert path_template("/a@b.com/kbhzqpxwmqrtnA17") == "/{email}/kbhzqpxwmqrtnA17"


def test_template_of_a_text_that_does_not_parse() -> None:
    with pytest.raises(InvalidURL) as caught:
        path_template("http://a b/?token=secret&x=1")
    assert caught.value.input == "http://a b/?token=REDACTED&x=1"
    assert caught.value.error == "domain-to-ASCII"
