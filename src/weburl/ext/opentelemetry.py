"""Secrets in what OpenTelemetry exports: in spans, and in records of logs.

>>> from opentelemetry.sdk.trace import TracerProvider
>>> from opentelemetry.sdk.trace.export import SimpleSpanProcessor
>>> from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
>>> exporter = InMemorySpanExporter()
>>> provider = TracerProvider()
>>> provider.add_span_processor(SimpleSpanProcessor(RedactingSpanExporter(exporter)))
>>> with provider.get_tracer("shop").start_as_current_span("GET") as span:
...     span.set_attribute("url.full", "https://ada:pw@example.com/?token=q8Zx")
>>> exporter.get_finished_spans()[0].attributes["url.full"]
'https://REDACTED:REDACTED@example.com/?token=REDACTED'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from functools import lru_cache, partial
from inspect import signature
from typing import Any, Final

try:
    from opentelemetry.sdk._logs import LogRecordProcessor, ReadWriteLogRecord
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
    from opentelemetry.sdk.util import BoundedList
    from opentelemetry.trace import Link, Status, StatusCode
except ImportError as _error:
    raise ImportError("this needs opentelemetry-sdk 1.39 or later: pip install 'opentelemetry-sdk>=1.39'") from _error

from weburl._redact.redact import LogPolicy, find_log_policy, redact, redactions
from weburl._redact.text import redact_each, redact_text
from weburl.ext.logging import HIDDEN, Values, attempt

__all__ = ["RedactingLogRecordProcessor", "RedactingSpanExporter"]


def __dir__() -> list[str]:
    return __all__


# https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/: instrumentations shall not redact it.
ORIGINAL: Final = "url.original"
# Attributes that are a URL or a part of one, by the ends of their names, and what makes the part a target of a request.
URLS: Final = ("url.full", ".url", ".uri")
PATHS: Final = ("url.path", "http.target")
PARTS: Final = {"url.query": "/?", "url.fragment": "/#"}
# Names of the conventions that are like those of secrets or, in "logs-strict", of people, but are of other things.
PLAIN_NAMES: Final = frozenset(
    (
        *("artifact.attestation.hash", "artifact.hash", "aws.s3.key", "azure.client.id", "cloud.account.id"),
        *("cloudfoundry.process.id", "db.cosmosdb.client_id", "faas.id", "feature_flag.key", "messaging.client.id"),
        *("messaging.gcp_pubsub.message.ordering_key", "messaging.kafka.message.key", "network.local.address"),
        *("messaging.rabbitmq.destination.routing_key", "process.executable.build_id.htlhash", "server.address"),
        *("session.id", "session.previous_id", "user.hash"),
    )
)
# In a text, a URL ends before these.
ENDS_URL: Final = re.compile(r"[\s\"'`<>\\\x00-\x1f\x7f]")
# How many names, and how many tuples of names, are remembered. Programs have few.
MOST_NAMES: Final = 4096

# Gives the value of an attribute without secrets: the same object if it has none.
Way = Callable[[str, Any], Any]


class Redactor:
    """Redactor(policy)

    Looks for secrets in attributes, by their names. All threads can use one.
    """

    def __init__(self, policy: str | LogPolicy) -> None:
        self.policy: LogPolicy = find_log_policy(policy)
        self.way: Callable[[str], Way | None] = lru_cache(MOST_NAMES)(self._way)
        self.plan: Callable[[tuple[str, ...]], dict[str, Way]] = lru_cache(MOST_NAMES)(self._plan)

    def changes(self, given: dict[str, Any]) -> dict[str, Any]:
        """The attributes that have secrets, without them."""
        names = (*given,)
        values = [*given.values()]
        plan = self.plan(names)
        try:
            found = redact_each(values, self.policy)
        except MemoryError:
            found = dict(enumerate(values))
        changed: dict[str, Any] = {}
        for place, shown in found.items():
            name, value = names[place], values[place]
            if name not in plan:
                changed[name] = safely(self._value, name, value) if shown is value else shown
        for name, way in plan.items():
            changed[name] = safely(way, name, given[name])
        return {name: value for name, value in changed.items() if value is not given[name]} if changed else changed

    def value(self, value: Any) -> Any:
        """A value without a name: the same object if it has no secret."""
        return redact_text(value, self.policy) if type(value) is str else self._found(value, None)

    def _plan(self, names: tuple[str, ...]) -> dict[str, Way]:
        """Those of these names whose values are more than texts, and how to redact these."""
        return {name: way for name in names if (way := self.way(name)) is not None}

    def _way(self, name: str) -> Way | None:
        if not isinstance(name, str):
            return self._value
        if name == ORIGINAL:
            return unchanged
        if name.endswith(URLS):
            return self._url
        if name.endswith(PATHS):
            return self._path
        for end, start in PARTS.items():
            if name.endswith(end):
                return partial(self._part, start)
        return self._value if name not in PLAIN_NAMES and Values(self.policy).can_hide(name) else None

    def _url(self, name: str, value: Any) -> Any:
        if type(value) is not str:
            return self._value(name, value)
        if ENDS_URL.search(value) is None and not value.startswith("//"):
            return redact_text(value, self.policy)
        shown = redact(value, self.policy) if any(redactions(value, self.policy).values()) else value
        return value if shown == value else shown

    def _path(self, name: str, value: Any) -> Any:
        if type(value) is not str or "?" in value or "#" in value:
            return self._url(name, value)
        shown = self._url(name, f"{value}?")[:-1]
        return value if shown == value else shown

    def _part(self, start: str, name: str, value: Any) -> Any:
        if type(value) is not str:
            return self._value(name, value)
        shown = self._url(name, f"{start}{value}")[len(start) :]
        return value if shown == value else shown

    def _value(self, name: Any, value: Any) -> Any:
        """A value of any type. Two texts in a tuple are not a name and its value: all sequences are tuples here."""
        given = as_lists(value)
        shown = self._found(given, None if name in PLAIN_NAMES else name)
        if shown is given:
            return value
        return as_tuples(shown) if isinstance(value, (tuple, dict)) else shown

    def _found(self, value: Any, name: Any) -> Any:
        return Values(self.policy).without_secrets(value, name)


def unchanged(name: str, value: Any) -> Any:
    return value


def safely(way: Way, name: str, value: Any) -> Any:
    """What cannot be read is hidden."""
    try:
        return way(name, value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return HIDDEN


def as_lists(value: Any) -> Any:
    if isinstance(value, tuple):
        return [as_lists(entry) for entry in value]
    return {name: as_lists(entry) for name, entry in value.items()} if type(value) is dict else value


def as_tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple([as_tuples(entry) for entry in value])
    return {name: as_tuples(entry) for name, entry in value.items()} if type(value) is dict else value


def entries_of(attributes: Any) -> dict[str, Any]:
    """Attributes as a dict. To read them one by one takes longer."""
    if attributes is None:
        return {}
    try:
        entries = attributes.copy()
    except AttributeError:
        entries = attributes
    return entries if type(entries) is dict else dict(entries)


class RedactedEvent(Event):  # type: ignore[misc]
    """A copy of an event. What was dropped because of limits is counted as in the event."""

    def __init__(self, event: Any, name: str, attributes: dict[str, Any]) -> None:
        super().__init__(name, attributes, event.timestamp)
        self.dropped: int = event.dropped_attributes

    @property
    def dropped_attributes(self) -> int:
        return self.dropped


class RedactedLink(Link):  # type: ignore[misc]
    """A copy of a link."""

    def __init__(self, link: Any, attributes: dict[str, Any]) -> None:
        super().__init__(link.context, attributes)
        self.dropped: int = link.dropped_attributes

    @property
    def dropped_attributes(self) -> int:
        return self.dropped


class RedactedSpan(ReadableSpan):  # type: ignore[misc]
    """A copy of a span."""

    def __init__(
        self, span: Any, name: str, attributes: dict[str, Any], events: Any, links: Any, status: Status
    ) -> None:
        # To ask for `instrumentation_info` as users do is deprecated.
        super().__init__(
            name, span.context, span.parent, span.resource, attributes, events, links, span.kind,
            getattr(span, "_instrumentation_info", None), status, span.start_time, span.end_time,
            span.instrumentation_scope,
        )  # fmt: skip
        self.dropped: tuple[int, int, int] = (span.dropped_attributes, span.dropped_events, span.dropped_links)

    @property
    def dropped_attributes(self) -> int:
        return self.dropped[0]

    @property
    def dropped_events(self) -> int:
        return self.dropped[1]

    @property
    def dropped_links(self) -> int:
        return self.dropped[2]


class RedactingSpanExporter(SpanExporter):  # type: ignore[misc]
    """An exporter of OpenTelemetry that hides secrets in spans, and gives them to another exporter.

    >>> from opentelemetry.sdk.trace import TracerProvider
    >>> from opentelemetry.sdk.trace.export import BatchSpanProcessor
    >>> from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    >>> exporter = InMemorySpanExporter()
    >>> provider = TracerProvider()
    >>> provider.add_span_processor(BatchSpanProcessor(RedactingSpanExporter(exporter)))
    >>> with provider.get_tracer("shop").start_as_current_span("GET", attributes={"url.query": "page=2&token=q8Zx"}):
    ...     pass
    >>> provider.force_flush()
    True
    >>> exporter.get_finished_spans()[0].attributes["url.query"]
    'page=2&token=REDACTED'
    >>> provider.shutdown()

    It looks at the name, the attributes, the events, the links and the status of a span. The policy is the same as for
    `weburl.text.redact_text`. A span with secrets is copied, because a span that has ended cannot be changed. Other
    spans are given on as they are.
    """

    def __init__(self, exporter: SpanExporter, policy: str | LogPolicy = "logs/1") -> None:
        self.exporter = exporter
        self.redactor = Redactor(policy)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self.exporter.export([self._redacted(span) for span in spans])

    def shutdown(self, timeout_millis: float = 30_000) -> None:
        if "timeout_millis" in signature(self.exporter.shutdown).parameters:
            self.exporter.shutdown(timeout_millis=timeout_millis)
        else:
            self.exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        flushed: bool = self.exporter.force_flush(timeout_millis)
        return flushed

    def _redacted(self, span: ReadableSpan) -> ReadableSpan:
        try:
            return self._without_secrets(span)
        except KeyboardInterrupt:
            raise
        except BaseException:
            # Of a span that cannot be read, its place in the trace is left.
            return RedactedSpan(
                span, HIDDEN, {}, (), (), Status(attempt(lambda: span.status.status_code, StatusCode.UNSET))
            )

    def _without_secrets(self, span: ReadableSpan) -> ReadableSpan:
        redactor = self.redactor
        given = entries_of(span.attributes)
        changed = redactor.changes(given)
        given_name, given_status = span.name, span.status
        name, status = redactor.value(given_name), given_status
        description = given_status.description
        if description:
            shown = redactor.value(description)
            if shown is not description:
                status = Status(given_status.status_code, shown)
        given_events, given_links = several(span, "events"), several(span, "links")
        events = given_events and self._each(given_events, self._event)
        links = given_links and self._each(given_links, self._link)
        if (
            not changed and name is given_name and status is given_status
            and events is given_events and links is given_links
        ):  # fmt: skip
            return span
        return RedactedSpan(span, name, given | changed, events, links, status)

    def _each(self, given: Sequence[Any], redacted: Callable[[Any], Any]) -> Sequence[Any]:
        shown = [redacted(one) for one in given]
        return given if all(one is other for one, other in zip(shown, given, strict=True)) else shown

    def _event(self, event: Any) -> Any:
        name = self.redactor.value(event.name)
        given = entries_of(event.attributes)
        changed = self.redactor.changes(given)
        return RedactedEvent(event, name, given | changed) if changed or name is not event.name else event

    def _link(self, link: Any) -> Any:
        given = entries_of(link.attributes)
        changed = self.redactor.changes(given)
        return RedactedLink(link, given | changed) if changed else link


def several(span: ReadableSpan, name: str) -> Sequence[Any]:
    """The events or the links of a span. Most spans have none, which can be seen without a copy of the list."""
    if type(span) is ReadableSpan:
        held = vars(span).get(f"_{name}", span)
        if type(held) is BoundedList and not len(held):
            return ()
    found: Sequence[Any] = getattr(span, name)
    return found


class RedactingLogRecordProcessor(LogRecordProcessor):  # type: ignore[misc]
    """A processor of OpenTelemetry that hides secrets in records of logs, and gives them to another processor.

    >>> from opentelemetry.sdk._logs import LoggerProvider
    >>> from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, InMemoryLogRecordExporter
    >>> exporter = InMemoryLogRecordExporter()
    >>> provider = LoggerProvider()
    >>> provider.add_log_record_processor(RedactingLogRecordProcessor(BatchLogRecordProcessor(exporter)))
    >>> provider.get_logger("shop").emit(body="GET https://example.com/?token=q8Zx failed")
    >>> provider.force_flush()
    True
    >>> exporter.get_finished_logs()[0].log_record.body
    'GET https://example.com/?token=REDACTED failed'
    >>> provider.shutdown()

    It looks at the body, the attributes, the exception and the name of the event. The other processor gets a copy of a
    record that has secrets. Without another processor, it changes the record, so that those that are added after it get
    the record without secrets.
    """

    def __init__(self, processor: LogRecordProcessor | None = None, policy: str | LogPolicy = "logs/1") -> None:
        self.processor = processor
        self.redactor = Redactor(policy)

    def on_emit(self, log_record: ReadWriteLogRecord) -> None:
        record = log_record.log_record
        changed = self._changes(record)
        if self.processor is None:
            vars(record).update(changed)
            return
        if changed:
            log_record = copy(log_record)
            log_record.log_record = copy(record)
            vars(log_record.log_record).update(changed)
        self.processor.on_emit(log_record)

    def enabled(self, **options: Any) -> bool:
        # Alone, it emits nothing: the other processors say whether they do.
        return self.processor is not None and bool(self.processor.enabled(**options))

    def shutdown(self) -> None:
        if self.processor is not None:
            self.processor.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self.processor is None or bool(self.processor.force_flush(timeout_millis))

    def _changes(self, record: Any) -> dict[str, Any]:
        """The parts of a record that have secrets, without them."""
        changed: dict[str, Any] = {}
        attributes = attempt(lambda: self._attributes(record.attributes), {})
        if attributes is not record.attributes:
            changed["attributes"] = attributes
        for name in ("body", "event_name"):
            given = getattr(record, name, None)
            shown = self.redactor.value(given)
            if shown is not given:
                changed[name] = shown
        # Its text is among the attributes.
        exception = getattr(record, "exception", None)
        if exception is not None and self.redactor.value(exception) is not exception:
            changed["exception"] = None
        return changed

    def _attributes(self, given: Any) -> Any:
        changed = self.redactor.changes(entries_of(given))
        if not changed:
            return given
        # It counts what was dropped because of limits.
        attributes = deepcopy(given)
        attributes.update(changed)
        return attributes
