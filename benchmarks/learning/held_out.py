"""Five styles of routes that are newer than the rules of learning, but for the last ones: see docs/learn.md."""

from __future__ import annotations

from random import Random

from learning.site import Site, characters, hexadecimal, integer, one_of, pool, uuid, word, words

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
SECTIONS = "world politics business sport culture science travel opinion".split()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def day(random: Random) -> str:
    return f"{random.randrange(2005, 2027)}/{random.choice(MONTHS)}/{random.randrange(1, 29):02}"


def tag(random: Random) -> str:
    version = f"{random.randrange(5)}.{random.randrange(30)}.{random.randrange(20)}"
    return random.choice(["latest", "stable", version, f"v{version}", f"{version}-alpine", f"{version}-slim"])


def reference(random: Random) -> str:
    return tag(random) if random.random() < 0.6 else f"sha256:{random.getrandbits(256):064x}"


HELD_OUT = [
    # A newspaper, whose articles have the day with the name of the month.
    Site(
        "news.example",
        [
            (12, "/"), (10, "/<section>"), (40, "/<section>/<day>/<slug>"), (5, "/<section>/live/<day>/<slug>"),
            (6, "/profile/<author>"), (3, "/crosswords/quick/<n>"), (2, "/help/contact-us"), (4, "/<section>/rss"),
        ],
        {
            "section": one_of(*SECTIONS), "day": day, "slug": pool(lambda random: words(random, 4, 9), 60_000, 0.8),
            "author": pool(word, 1200, 0.9), "n": integer(20_000),
        },
    ),
    # A registry of container images.
    Site(
        "registry.example",
        [
            (10, "/v2/"), (8, "/token"), (30, "/v2/<owner>/<image>/manifests/<reference>"),
            (40, "/v2/<owner>/<image>/blobs/sha256:<digest>"), (5, "/v2/<owner>/<image>/tags/list"),
            (4, "/v2/<owner>/<image>/blobs/uploads/<uuid>"), (3, "/v2/<owner>/<image>/blobs/uploads/"),
        ],
        {
            "owner": pool(word, 8000, 1.1), "image": pool(lambda random: words(random, 1, 3), 20_000),
            "reference": reference, "digest": hexadecimal(64), "uuid": uuid,
        },
    ),
    # Video in segments, live and stored.
    Site(
        "stream.example",
        [
            (6, "/live/<channel>/index.m3u8"), (40, "/live/<channel>/<height>p/segment_<n>.ts"),
            (9, "/live/<channel>/<height>p/playlist.m3u8"), (5, "/vod/<uuid>/manifest.mpd"),
            (30, "/vod/<uuid>/<kind>/<rate>k/<n>.m4s"), (6, "/vod/<uuid>/<kind>/<rate>k/init.mp4"),
            (3, "/thumbs/<uuid>_<width>x<height>.jpg"), (2, "/keys/<key>"),
        ],
        {
            "channel": pool(lambda random: words(random, 1, 2), 90, 0.8), "height": one_of("240", "360", "720", "1080"),
            "n": integer(10**6), "uuid": uuid, "kind": one_of("audio", "video"), "width": one_of("320", "640"),
            "rate": one_of("64", "128", "400", "1200", "2500", "5000"), "key": hexadecimal(32),
        },
    ),
    # A business's data as OData.
    Site(
        "erp.example",
        [
            (3, "/odata/v4/$metadata"), (9, "/odata/v4/Customers"), (20, "/odata/v4/Customers('<customer>')"),
            (9, "/odata/v4/Customers('<customer>')/Orders"), (20, "/odata/v4/Orders(<n>)"),
            (12, "/odata/v4/Orders(<n>)/Items(<m>)"), (6, "/odata/v4/Orders/$count"), (5, "/odata/v4/Products(<uuid>)"),
            (3, "/odata/v4/$batch"), (2, "/odata/v4/Orders(<n>)/Ship"),
        ],
        {
            "customer": pool(characters(LETTERS, 5), 9000, 0.8), "n": integer(10**6), "m": integer(40), "uuid": uuid,
        },
    ),
    # Jobs, with the title, the firm and the number in one segment.
    Site(
        "jobs.example",
        [
            (10, "/"), (9, "/jobs"), (30, "/jobs/<title>-at-<firm>-<n>"), (12, "/jobs/in-<city>"),
            (9, "/companies/<firm>"), (5, "/companies/<firm>/reviews"), (4, "/salaries/<role>/<city>"),
            (3, "/apply/<n>/step-<step>"), (2, "/employers/post-a-job"), (2, "/saved"),
        ],
        {
            "title": pool(words, 9000, 0.7), "firm": pool(lambda random: words(random, 1, 2), 7000, 0.9),
            "city": pool(word, 800, 0.9), "n": integer(10**8), "role": pool(words, 400, 0.8), "step": integer(5),
        },
    ),
]  # fmt: skip
