"""What other tools hide in URLs by default, written anew from their documentation: names and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable

HIDDEN = "***"
# Sentry's Relay looks for these anywhere in the name of a field:
# https://docs.sentry.io/security-legal-pii/scrubbing/server-side-scrubbing/
SENTRY_WORDS = (
    "password secret passwd api_key apikey auth credentials mysql_pwd privatekey private_key set-cookie token otp "
    "two_factor two-factor"
).split()
# Datadog's libraries look for these before an equals sign:
# https://docs.datadoghq.com/tracing/configure_data_security/
DATADOG_WORDS = [
    "password", "passwd", "pwd", "pwrd", "pass", "passphrase", "pass_phrase", "secret", "token", "sign", "signed",
    "signature", "auth", "authentication", "authorization",
    *(f"consumer{dash}{word}" for dash in ("", "_") for word in ("id", "key", "secret")),
    *(
        f"{word}{dash}key{end}"
        for word in ("api", "private", "public", "access", "secret") for dash in ("", "_") for end in ("", "id", "_id")
    ),
]  # fmt: skip
DATADOG_FORMS = [
    r"bearer(?:\s|%20)+[a-z0-9._-]+", r"token(?::|%3a)[a-z0-9]{13}", r"gh[opsu]_[0-9a-z]{36}",
    r"ey[i-l](?:[\w=-]|%3d)+\.ey[i-l](?:[\w=-]|%3d)+(?:\.(?:[\w.+/=-]|%3d|%2f|%2b)+)?",
]  # fmt: skip
# https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/
OTEL_NAMES = set(
    "X-Amz-Signature X-Amz-Credential X-Amz-Security-Token AWSAccessKeyId Signature sig X-Goog-Signature".split()
)

CREDENTIALS = re.compile(r"(?<=//)[^/?#@]*(?=@)")
PARAMETER = re.compile(r"([^?&#=]+)=([^&#]*)")


def with_parameters(text: str, is_secret: Callable[[str], bool]) -> str:
    """The URL with another text in place of values of its query."""
    start, mark, query = text.partition("?")
    return start + mark + PARAMETER.sub(lambda m: f"{m[1]}={HIDDEN}" if is_secret(m[1]) else m[0], query)


def sentry(text: str) -> str:
    shown = CREDENTIALS.sub(HIDDEN, text)
    return with_parameters(shown, lambda name: any(word in name.lower() for word in SENTRY_WORDS))


DATADOG = re.compile(
    rf"(?:{'|'.join(sorted(DATADOG_WORDS, key=len, reverse=True))})(?:(?:\s|%20)*(?:=|%3d)[^&]+"
    rf'|(?:"|%22)(?:\s|%20)*(?::|%3a)(?:\s|%20)*(?:"|%22)(?:%2[^2]|%[^2]|[^"%])+(?:"|%22))|{"|".join(DATADOG_FORMS)}',
    re.IGNORECASE,
)


def datadog(text: str) -> str:
    """Of the query; credentials of the URL are hidden, too."""
    start, mark, query = CREDENTIALS.sub(HIDDEN, text).partition("?")
    return start + mark + DATADOG.sub(HIDDEN, query)


def opentelemetry(text: str) -> str:
    return with_parameters(CREDENTIALS.sub("REDACTED:REDACTED", text), OTEL_NAMES.__contains__)


PEERS: dict[str, Callable[[str], str]] = {"Sentry": sentry, "Datadog": datadog, "OpenTelemetry": opentelemetry}
