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

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from functools import lru_cache, partial
from inspect import signature
from operator import is_, itemgetter
from typing import Any, Final

try:
    from opentelemetry.sdk._logs import LogRecordProcessor, ReadWriteLogRecord
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
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
        *(
            "messaging.rabbitmq.destination.routing_key",
            "messaging.rabbitmq.routing_key",
            "process.executable.build_id.htlhash",
            "server.address",
        ),
        *("session.id", "session.previous_id", "user.hash"),
    )
)
# In a text, a URL ends before these.
ENDS_URL: Final = bytes([*range(0x21), *b"\"'`<>\\", 0x7F])
# How many names, and how many tuples of names, are remembered. Programs have few.
MOST_NAMES: Final = 4096

# How the parts of a span are read, of the class that the SDK makes.
HELD: Final = itemgetter("_name", "_attributes", "_events", "_links", "_status")
REST: Final = itemgetter(
    "_context", "_parent", "_resource", "_kind", "_instrumentation_info", "_start_time", "_end_time",
    "_instrumentation_scope",
)  # fmt: skip

# Gives the value of an attribute without secrets: the same object if it has none.
Way = Callable[[str, Any], Any]


class Redactor:
    """Redactor(policy)

    Looks for secrets in attributes, by their names. All threads can use one.
    """

    def __init__(self, policy: str | LogPolicy) -> None:
        self.policy: LogPolicy = find_log_policy(policy)
        self.way: Callable[[str], Way | None] = lru_cache(MOST_NAMES)(self._way)
        self.plan: Callable[[tuple[str, ...]], list[tuple[int, Way]]] = lru_cache(MOST_NAMES)(self._plan)

    def changes(self, given: dict[str, Any]) -> dict[str, Any]:
        """The attributes that have secrets, without them."""
        names = (*given,)
        values = [*given.values()]
        plan = self.plan(names)
        for place, _ in plan:
            values[place] = None
        try:
            found = redact_each(values, self.policy)
        except MemoryError:
            found = dict(enumerate(values))
        changed: dict[str, Any] = {}
        for place, shown in found.items():
            name, value = names[place], values[place]
            if shown is value:  # it is not a text
                shown = safely(self._value, name, value)
            if shown is not value:
                changed[name] = shown
        for place, way in plan:
            name = names[place]
            value = given[name]
            shown = safely(way, name, value)
            if shown is not value:
                changed[name] = shown
        return changed

    def value(self, value: Any) -> Any:
        """A value without a name: the same object if it has no secret."""
        return redact_text(value, self.policy) if type(value) is str else self._found(value, None)

    def _plan(self, names: tuple[str, ...]) -> list[tuple[int, Way]]:
        """The places of those names whose values are more than texts, and how to redact these."""
        ways = [(place, self.way(name)) for place, name in enumerate(names)]
        return [(place, way) for place, way in ways if way is not None]

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
        octets = value.encode("utf-8", "surrogatepass")
        if octets == octets.translate(None, ENDS_URL) and not octets.startswith(b"//"):
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

    def __init__(self, span: Any, name: str, attributes: dict[str, Any], events: Any, links: Any, status: Any) -> None:
        context, parent, resource, kind, info, start_time, end_time, scope = rest_of(span)
        super().__init__(
            name, context, parent, resource, attributes, events, links, kind, info, status, start_time, end_time, scope
        )
        self.dropped: tuple[int, int, int] = dropped_of(span)

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
        try:
            shown = [self._without_secrets(span) for span in spans]
        except KeyboardInterrupt:
            raise
        except BaseException:
            shown = [self._redacted(span) for span in spans]
        return self.exporter.export(shown)

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
        given_name, attributes, given_events, given_links, given_status = parts_of(span)
        given = entries_of(attributes)
        changed = redactor.changes(given)
        name, status = redactor.value(given_name), given_status
        description = given_status.description
        if description:
            shown = redactor.value(description)
            if shown is not description:
                status = Status(given_status.status_code, shown)
        events = each(given_events, self._event) if given_events else given_events
        links = each(given_links, self._link) if given_links else given_links
        if (
            changed or name is not given_name or events is not given_events or links is not given_links
            or status is not given_status
        ):  # fmt: skip
            return RedactedSpan(span, name, given | changed, events, links, status)
        return span

    def _event(self, event: Any) -> Any:
        name = self.redactor.value(event.name)
        given = entries_of(event.attributes)
        changed = self.redactor.changes(given)
        return RedactedEvent(event, name, given | changed) if changed or name is not event.name else event

    def _link(self, link: Any) -> Any:
        given = entries_of(link.attributes)
        changed = self.redactor.changes(given)
        return RedactedLink(link, given | changed) if changed else link


def parts_of(span: Any) -> Any:
    """The name, attributes, events, links and status. What a span gives of its lists are copies, which take longer."""
    if type(span) is ReadableSpan:
        try:
            return HELD(vars(span))
        except KeyError:
            pass
    return span.name, span.attributes, span.events, span.links, span.status


def rest_of(span: Any) -> Any:
    """The other parts that a span is made from."""
    if type(span) is ReadableSpan:
        try:
            return REST(vars(span))
        except KeyError:
            pass
    # To ask for `instrumentation_info` is deprecated.
    return (
        span.context, span.parent, span.resource, span.kind, getattr(span, "_instrumentation_info", None),
        span.start_time, span.end_time, span.instrumentation_scope,
    )  # fmt: skip


def dropped_of(span: Any) -> tuple[int, int, int]:
    if type(span) is ReadableSpan:
        try:
            _, attributes, events, links, _ = HELD(vars(span))
            return attributes.dropped, events.dropped, links.dropped
        except (AttributeError, KeyError):
            pass
    return span.dropped_attributes, span.dropped_events, span.dropped_links


def each(given: Sequence[Any], redacted: Callable[[Any], Any]) -> Sequence[Any]:
    """The same object if nothing in it has changed."""
    before = [*given]
    after = [redacted(one) for one in before]
    return given if all(map(is_, before, after)) else after


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
