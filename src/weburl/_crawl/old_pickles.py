"""Policies in pickles of 0.2.0, in which a policy had fewer settings, and None for a name."""

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
# Digests of the default lists of 0.2.0, which other lists follow now.
DEFAULTS: Final = {
    "tracking_parameters": "01a7c0a86e0f4c85",
    "secret_names": "131a94fdc6d100be",
    "token_names": "f5171400544f1799",
}


def restore(kind: str, settings: Mapping[str, Any], classes: Mapping[str, Callable[..., P]], own: Mapping[str, P]) -> P:
    """The policy of a kind: one of `classes`, or one of weburl's own that has no settings."""
    if kind in ("whatwg", "whatwg-no-fragment") and not settings:
        return own[kind]
    if kind not in SETTINGS or settings.keys() != SETTINGS[kind]:
        raise TypeError("not the pickle of a policy")
    changed = {name: value for name, value in settings.items() if name != "name" or value is not None}
    for name in ("tracking_parameters", "index_names"):
        if name in changed:
            # In a name now, a host follows it.
            changed[name] = frozenset(text.replace("@", "%40") for text in texts_of(changed[name]))
    return made(classes[kind], kind, changed)


def restore_logs(secret_names: object, token_names: object, kind: Callable[..., P]) -> P:
    """The policy with these names."""
    return made(kind, "logs", {"secret_names": texts_of(secret_names), "token_names": texts_of(token_names)})


def texts_of(names: object) -> frozenset[str]:
    if not isinstance(names, frozenset) or not all(isinstance(name, str) for name in names):
        raise TypeError("not the pickle of a policy")
    return names


def digest_of(names: Iterable[str]) -> str:
    return sha256(" ".join(sorted(names)).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def made(kind: Callable[..., P], own_name: str, settings: Mapping[str, Any]) -> P:
    """The policy with these settings; weburl's own, with the lists of today, if it was weburl's own."""
    others = {
        name: value for name, value in settings.items() if name not in DEFAULTS or digest_of(value) != DEFAULTS[name]
    }
    try:
        if "name" not in settings and kind(**others) == kind():
            return kind(name=own_name)
        return kind(**settings)
    except ValueError as error:
        raise ValueError(f"weburl cannot make this policy of 0.2.0 any more: {error}") from None
