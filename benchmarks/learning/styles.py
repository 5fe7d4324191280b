"""Fifteen styles of routes, which the rules of learning were tuned with."""

from __future__ import annotations

from random import Random

from learning.site import (
    BASE62,
    Site,
    characters,
    hexadecimal,
    integer,
    one_of,
    pool,
    uuid,
    word,
    words,
)

RESOURCES = (
    "users", "orders", "products", "invoices", "shipments", "reviews", "coupons", "baskets", "warehouses", "suppliers",
    "payments", "returns", "addresses", "vouchers", "webhooks", "reports",
)  # fmt: skip
LANGUAGES = "de en es fr it ja nl pl pt sv tr zh pt-BR en-GB".split()


def title(random: Random) -> str:
    return "_".join([word(random).title() for _ in range(random.randint(1, 4))])


def date(random: Random) -> str:
    return f"20{random.randrange(10, 27)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}"


SITES = [
    Site(
        "api.shop.example",
        [
            *((10 / n, f"/api/v1/{name}") for n, name in enumerate(RESOURCES, 1)),
            *((30 / n, f"/api/v1/{name}/<id>") for n, name in enumerate(RESOURCES, 1)),
            (9, "/api/v1/users/<id>/orders"),
            (4, "/api/v1/users/<id>/orders/<id>"),
            (3, "/health"),
            (1, "/api/v2/users/<id>"),
        ],
        {"id": integer(10**7)},
    ),
    Site(
        "code.example",
        [
            (10, "/"), (6, "/login"), (4, "/explore"), (3, "/settings/profile"), (2, "/notifications"), (5, "/search"),
            (12, "/<user>"), (20, "/<user>/<repo>"), (9, "/<user>/<repo>/issues"), (9, "/<user>/<repo>/issues/<n>"),
            (6, "/<user>/<repo>/pull/<n>"), (4, "/<user>/<repo>/commit/<sha>"), (2, "/<user>/<repo>/releases"),
        ],
        {
            "user": pool(word, 60_000), "repo": pool(lambda random: words(random, 1, 3), 90_000), "n": integer(5000),
            "sha": hexadecimal(40),
        },
    ),
    Site(
        "www.shop.example",
        [
            (10, "/"), (25, "/product/<slug>"), (12, "/category/<category>"), (5, "/cart"), (3, "/checkout"),
            (2, "/checkout/<order>/confirm"), (4, "/search"), (6, "/brand/<brand>"),
        ],
        {
            "slug": pool(words, 80_000, 0.8), "category": pool(word, 60, 0.7), "brand": pool(word, 400),
            "order": characters("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10, "ORD-"),
        },
    ),
    Site(
        "blog.example",
        [
            (10, "/"), (5, "/feed"), (30, "/<year>/<month>/<slug>"), (3, "/<year>/<month>"), (6, "/tag/<tag>"),
            (3, "/author/<author>"), (2, "/about"),
        ],
        {
            "year": integer(26), "month": lambda random: f"{random.randrange(1, 13):02}", "slug": pool(words, 20_000),
            "tag": pool(word, 900), "author": pool(word, 70),
        } | {"year": lambda random: str(random.randrange(2008, 2027))},
    ),
    Site(
        "orders.example",
        [(20, "/orders/<uuid>"), (9, "/orders/<uuid>/items"), (9, "/orders/<uuid>/items/<uuid>"), (2, "/orders")],
        {"uuid": uuid},
    ),
    Site(
        "static.example",
        [
            (20, "/assets/<hash>.js"), (12, "/assets/<hash>.css"), (9, "/img/<name>.png"), (9, "/img/<name>.jpg"),
            (5, "/fonts/<font>.woff2"), (4, "/favicon.ico"), (3, "/robots.txt"), (6, "/avatars/<n>.png"),
        ],
        {
            "hash": hexadecimal(20), "name": pool(lambda random: words(random, 1, 3), 4000), "font": one_of(*"abcdef"),
            "n": integer(10**6),
        },
    ),
    Site(
        "help.example",
        [
            (10, "/<lang>"), (20, "/<lang>/articles/<id>"), (8, "/<lang>/search"), (6, "/<lang>/contact"),
            (4, "/<lang>/categories/<id>"), (2, "/status"),
        ],
        {"lang": one_of(*LANGUAGES), "id": integer(10**9)},
    ),
    Site(
        "pay.example",
        [
            (12, "/v1/customers/<cus>"), (12, "/v1/charges/<ch>"), (5, "/v1/customers/<cus>/sources"),
            (5, "/v1/customers"), (5, "/v1/charges/<ch>/refunds"), (3, "/v1/balance"),
        ],
        {"cus": characters(BASE62, 14, "cus_"), "ch": characters(BASE62, 24, "ch_")},
    ),
    Site(
        "forum.example",
        [
            (10, "/latest"), (20, "/t/<slug>/<n>"), (12, "/t/<slug>/<n>/<m>"), (9, "/u/<user>"),
            (4, "/u/<user>/summary"), (5, "/c/<category>"), (3, "/c/<category>/<m>"),
        ],
        {
            "slug": pool(words, 50_000, 0.9), "n": integer(10**6), "m": integer(300), "user": pool(word, 30_000),
            "category": one_of("support", "meta", "general", "announcements", "plugins", "themes"),
        },
    ),
    Site(
        "tiles.example",
        [(60, "/tiles/<z>/<x>/<x>.png"), (20, "/vector/<z>/<x>/<x>.pbf"), (3, "/styles/<style>/style.json")],
        {"z": integer(19), "x": integer(2**17), "style": one_of("streets", "dark", "satellite", "outdoors")},
    ),
    Site(
        "wiki.example",
        [(60, "/wiki/<title>"), (5, "/w/index.php"), (4, "/w/api.php"), (5, "/wiki/Special:Search")],
        {"title": pool(title, 200_000)},
    ),
    Site(
        "archive.example",
        [(30, "/download/<sha>/<file>.zip"), (9, "/download/<sha>"), (5, "/browse/<date>"), (4, "/browse")],
        {"sha": hexadecimal(40), "file": pool(word, 3000), "date": date},
    ),
    Site(
        "docs.example",
        [(30, "/d/<id>/edit"), (20, "/d/<id>"), (9, "/folders/<id>"), (3, "/templates"), (5, "/d/<id>/export")],
        {"id": characters(f"{BASE62}-_", 33, "1")},
    ),
    Site(
        "legacy.example",
        [
            (30, "/viewtopic.php"), (12, "/page<n>.html"), (9, "/news-<n>.html"), (8, "/index.php"),
            (5, "/memberlist.php"), (5, "/archive/<year>/index.html"),
        ],
        {"n": integer(10**5), "year": lambda random: str(random.randrange(1998, 2027))},
    ),
    Site(
        "mongo.example",
        [
            (20, "/projects/<oid>/boards/<oid>"), (9, "/projects/<oid>"), (6, "/projects/<oid>/members/<email>"),
            (5, "/projects"), (3, "/inbox"),
        ],
        {"oid": hexadecimal(24), "email": lambda random: f"{word(random)}.{word(random)}@example.com"},
    ),
]  # fmt: skip
