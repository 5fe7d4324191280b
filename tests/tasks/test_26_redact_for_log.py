"""Write a URL into a log, without the passwords and tokens that are in it."""

from support.tasks import Shows, all_right, gives

from weburl.redact import redact


def redact_for_log(link: str) -> str:
    return redact(link)


CHECKS = [
    gives("https://example.com/a?page=2", want="https://example.com/a?page=2"),
    gives("https://me:hunter2@example.com/a", want=Shows("example.com/a", hides=["hunter2"])),
    gives("https://example.com/?token=s3cr3t&page=2", want=Shows("example.com/", "page=2", hides=["s3cr3t"])),
    gives(
        "https://hunter2@example.com/",
        want=Shows("example.com/", hides=["hunter2"]),
        why="a token can stand in place of a user",
    ),
    gives(
        "https://example.com/?t%6fken=s3cr3t",
        want=Shows("example.com/", hides=["s3cr3t"]),
        why="the name can be percent-encoded",
    ),
    gives(
        "https://example.com/?ACCESS-TOKEN=s3cr3t",
        want=Shows("example.com/", hides=["s3cr3t"]),
        why="the name has many spellings",
    ),
    gives(
        "https://example.com/?api_key=s3cr3t&api_key=s3cr3t2",
        want=Shows("example.com/", hides=["s3cr3t"]),
        why="a parameter can be there twice",
    ),
    gives(
        "https://example.com/#access_token=s3cr3t",
        want=Shows("example.com/", hides=["s3cr3t"]),
        why="OAuth puts tokens into the fragment",
    ),
    gives(
        "https://me:hun%3Cter2@example.com/",
        want=Shows("example.com/", hides=["ter2"]),
        why="the password can be percent-encoded",
    ),
    gives(
        "https://me:hunter2@exa mple.com/", want=Shows(hides=["hunter2"]), why="it is not a URL, and somebody logs it"
    ),
    gives(
        "https://example.com/go?to=https%3A//me%3Ahunter2%40db.example/",
        want=Shows("example.com/", hides=["hunter2"]),
        why="a parameter can have another URL in it",
    ),
    gives(
        "https://example.com/a?q=tok%65n+ring&v=1.2.3.4",
        want=Shows("ring", "1.2.3.4"),
        why="a log that hides all is of no use",
    ),
]


def test_redact_for_log() -> None:
    assert all_right(redact_for_log, CHECKS)
