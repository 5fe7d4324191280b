"""Policies in pickles of 0.2.0, in which a policy had fewer settings, and None for a name.

`_redact/old_pickles.py` uses `policy_of_settings` and `texts_of`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, TypeVar

P = TypeVar("P")

# All settings that a pickle has, by the kind of its policy.
SETTINGS: Final = {
    "crawl": frozenset(
        (
            "tracking_parameters index_names remove_session_ids sort_query remove_repeated_pairs remove_trailing_slash "
            "remove_trailing_dot remove_www remove_credentials merge_schemes fragment name version"
        ).split()
    ),
    "surt": frozenset("with_scheme trailing_comma keep_www name version".split()),
}
# Digests of the lists that 0.2.0 had as defaults. The defaults of today are others.
OLD_DEFAULTS: Final = {"tracking_parameters": "01a7c0a86e0f4c85"}


def restore(kind: str, settings: Mapping[str, Any], classes: Mapping[str, Callable[..., P]], own: Mapping[str, P]) -> P:
    """The policy of a kind: one of `classes`, or one of weburl's own that has no settings."""
    if kind in ("whatwg", "whatwg-no-fragment") and not settings:
        return own[kind]
    if kind not in SETTINGS or settings.keys() != SETTINGS[kind]:
        raise TypeError("not the pickle of a policy")
    changed = {name: value for name, value in settings.items() if name != "name" or value is not None}
    for name in ("tracking_parameters", "index_names"):
        if name in changed:
            # `@` now separates a name from a host, as in `si@youtube.com`.
            changed[name] = frozenset(text.replace("@", "%40") for text in texts_of(changed[name]))
    return policy_of_settings(classes[kind], kind, changed, OLD_DEFAULTS)


def texts_of(names: object) -> frozenset[str]:
    if not isinstance(names, frozenset) or not all(isinstance(name, str) for name in names):
        raise TypeError("not the pickle of a policy")
    return names


def policy_of_settings(
    cls: Callable[..., P], own_name: str, settings: Mapping[str, Any], old_defaults: Mapping[str, str]
) -> P:
    """A policy with these settings. If they were the defaults of 0.2.0, today's default policy."""
    others = {
        name: value
        for name, value in settings.items()
        if name not in old_defaults or digest_of(value) != old_defaults[name]
    }
    try:
        if "name" not in settings and cls(**others) == cls():
            return cls(name=own_name)
        return cls(**settings)
    except ValueError as error:
        raise ValueError(f"weburl cannot make this policy of 0.2.0 any more: {error}") from None


def digest_of(names: Iterable[str]) -> str:
    return sha256(" ".join(sorted(names)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
