"""Five styles of routes that were held out at first: no rule was changed for them, but their results were seen."""

from __future__ import annotations

from random import Random

from learning.site import BASE62, Site, characters, integer, pool, uuid, word, words


def version(random: Random) -> str:
    return f"{random.randrange(12)}.{random.randrange(30)}.{random.randrange(40)}"


def point(random: Random) -> str:
    return f"{random.uniform(-90, 90):.4f},{random.uniform(-180, 180):.4f}"


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
VIDEO = characters(f"{BASE62}-_", 11)

SEEN = [
    Site(
        "weather.example",
        [
            (10, "/"), (30, "/<country>/<city>"), (9, "/<country>"), (6, "/<country>/<city>/hourly"), (4, "/radar"),
            (12, "/api/forecast/<point>"),
        ],
        {
            "country": pool(characters("abcdefghijklmnopqrstuvwxyz", 2), 180), "city": pool(word, 30_000, 0.9),
            "point": point,
        },
    ),
    Site(
        "video.example",
        [
            (30, "/watch"), (12, "/embed/<id>"), (9, "/shorts/<id>"), (6, "/channel/<channel>"), (9, "/@<handle>"),
            (4, "/@<handle>/videos"), (5, "/feed/trending"), (3, "/playlist"),
        ],
        {"id": VIDEO, "channel": characters(f"{BASE62}-_", 22, "UC"), "handle": pool(word, 40_000)},
    ),
    Site(
        "packages.example",
        [
            (30, "/package/<name>"), (12, "/package/<name>/v/<version>"), (6, "/~<user>"), (5, "/search"),
            (9, "/<name>/-/<name>-<version>.tgz"), (3, "/advisories/<advisory>"),
        ],
        {
            "name": pool(lambda random: words(random, 1, 3), 50_000, 1.1), "version": version,
            "user": pool(word, 20_000),
            "advisory": characters("23456789cfghjmpqrvwx", 12, "GHSA-"),
        },
    ),
    Site(
        "<tenant>.desk.example",
        [
            (10, "/"), (20, "/tickets/<n>"), (5, "/tickets/<n>/reply"), (9, "/kb/<slug>"), (6, "/files/<uuid>"),
            (4, "/agents/<agent>"),
        ],
        {
            "tenant": pool(word, 300, 0.5), "n": integer(10**6), "slug": pool(words, 9000), "uuid": uuid,
            "agent": pool(word, 2000),
        },
    ),
    Site(
        "travel.example",
        [
            (10, "/"), (20, "/flights/<airport>-<airport>/<date>"), (15, "/hotels/<city>/<hotel>"),
            (6, "/booking/<code>"), (3, "/account/trips"), (9, "/hotels/<city>"),
        ],
        {
            "airport": pool(characters(LETTERS, 3), 400), "city": pool(word, 3000), "hotel": pool(words, 60_000, 0.5),
            "code": characters(f"{LETTERS}23456789", 6),
            "date": lambda random: f"2026-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}",
        },
    ),
]  # fmt: skip
