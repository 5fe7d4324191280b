"""robots.txt: which URLs a crawler may fetch (RFC 9309)."""

from __future__ import annotations

from weburl._robots import robots
from weburl._robots.cache import RobotsCache
from weburl._robots.robots import Robots, RobotsRule, RobotsWarning, product_token
from weburl._robots.robots import restore_robots as restore_robots  # for pickles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from weburl.bulk import robots_allowed_many

__all__ = [
    "Robots",
    "RobotsCache",
    "RobotsRule",
    "RobotsWarning",
    "product_token",
    "robots_allowed_many",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The function for columns, which needs more modules."""
    if name != "robots_allowed_many":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from weburl import bulk

    return bulk.robots_allowed_many


def allowed_many(urls: Any, own: Robots, *, threads: int | None) -> Any:
    from weburl import bulk

    return bulk.robots_allowed_many(urls, own, threads=threads)


robots.robots_allowed_many = allowed_many
