"""Secrets in what OpenTelemetry exports, in spans and records of logs; and templates of URLs, of which there are few.

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
from copy import copy
from functools import lru_cache
from inspect import signature
from operator import is_, itemgetter
from typing import Any, Final

try:
    from opentelemetry.attributes import BoundedAttributes
    from opentelemetry.sdk._logs import LogRecordProcessor, ReadWriteLogRecord
    from opentelemetry.sdk.trace import Event, ReadableSpan, Span, SpanProcessor
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
    from opentelemetry.trace import Link, Status, StatusCode
except ImportError as _error:
    raise ImportError("this needs opentelemetry-sdk 1.39 or later: pip install 'opentelemetry-sdk>=1.39'") from _error

from weburl._redact.columns import SHAPES, redact_each
from weburl._redact.redact import LogPolicy, find_log_policy, path_template, redact, redact_text, redactions
from weburl._redact.secrets import HIDDEN
from weburl.ext._values import Values, attempt
from weburl.patterns import PatternList
from weburl.url import URL, FrozenURL

__all__ = ["RedactingLogRecordProcessor", "RedactingSpanExporter", "URLTemplateSpanProcessor", "url_attributes"]


def __dir__() -> list[str]:
    return __all__


# https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/: instrumentations shall not redact it.
ORIGINAL: Final = "url.original"
# Attributes that are a URL or a part of one, by the ends of their names.
URLS: Final = ("url.full", ".url", ".uri")
PATHS: Final = ("url.path", "http.target")
QUERIES: Final = ("url.query", "http.query", "query_string")
FRAGMENTS: Final = ("url.fragment", "http.fragment")
# Names of the conventions that are like those of secrets or, in "logs-strict", of people, but are of other things.
PLAIN_NAMES: Final = frozenset(
    """
    artifact.attestation.hash artifact.hash aws.s3.key azure.client.id cloud.account.id cloudfoundry.process.id
    db.cosmosdb.client_id faas.id feature_flag.key messaging.client.id messaging.gcp_pubsub.message.ordering_key
    messaging.kafka.message.key messaging.rabbitmq.destination.routing_key messaging.rabbitmq.routing_key
    network.local.address process.executable.build_id.htlhash server.address session.id session.previous_id user.hash
    """.split()
)
# How redact_each() reads values, by their names.
ANY_TEXT, WHOLE_URL, PATH, QUERY, FRAGMENT, OTHER, KEPT = SHAPES
PARTS: Final = (WHOLE_URL, PATH, QUERY, FRAGMENT)
# How many names, and how many tuples of names, are remembered. Programs have few.
MOST_NAMES: Final = 4096

# How the parts of a span are read, of the class that the SDK makes.
HELD: Final = itemgetter("_name", "_attributes", "_events", "_links", "_status")


new_object: Final[Callable[[type[Any]], Any]] = object.__new__


class Redactor:
    """Redactor(policy)

    Looks for secrets in attributes, by their names. All threads can use one.
    """

    def __init__(self, policy: str | LogPolicy) -> None:
        self.policy: LogPolicy = find_log_policy(policy)
        self.shape: Callable[[Any], int] = lru_cache(MOST_NAMES)(self._shape)
        # By the names of all attributes of a span: those of many spans are the same.
        self.shapes: dict[tuple[str, ...], bytes] = {}

    def changes(self, attributes: dict[str, Any], name: Any = None) -> tuple[dict[str, Any], Any]:
        """The attributes that have secrets, without them; and the name of what they are of."""
        names = (*attributes,)
        values = [*attributes.values(), name]
        try:
            found: Any = redact_each(values, self.shapes.get(names) or self._shapes(names), self.policy)
        except MemoryError:
            found = dict.fromkeys(range(len(values)))
        if not found:
            return found, name
        changed: dict[str, Any] = {}
        for place, shown in found.items():
            value = values[place]
            if place == len(names):
                name = self.value(value) if shown is None else shown
                continue
            if shown is None:
                shown = self._hidden(names[place], value)
            if shown is not value:
                changed[names[place]] = shown
        return changed, name

    def value(self, value: Any) -> Any:
        """A value without a name: the same object if it has no secret."""
        if type(value) is str:
            return redact_text(value, self.policy)
        return NamedValues(self, has_pairs=True).without_secrets(value)

    def _shapes(self, names: tuple[str, ...]) -> bytes:
        if len(self.shapes) >= MOST_NAMES:
            self.shapes.clear()
        shapes = self.shapes[names] = bytes([*map(self.shape, names), ANY_TEXT])
        return shapes

    def _shape(self, name: Any) -> int:
        if not isinstance(name, str):
            return OTHER
        if name == ORIGINAL:
            return KEPT
        for ends, shape in ((URLS, WHOLE_URL), (PATHS, PATH), (QUERIES, QUERY), (FRAGMENTS, FRAGMENT)):
            if name.endswith(ends):
                return shape
        return OTHER if name not in PLAIN_NAMES and Values(self.policy).can_hide(name) else ANY_TEXT

    def _hidden(self, name: Any, value: Any) -> Any:
        """The value of an attribute without its secrets. What cannot be read is hidden."""
        # Two texts in a tuple are not a name and its value: all sequences are tuples here.
        return attempt(lambda: NamedValues(self, has_pairs=False).without_secrets(value, name), HIDDEN)

    def part(self, text: str, shape: int) -> str:
        """A text that is a URL or a part of one: the same object if it has no secret."""
        start = {QUERY: "/?", FRAGMENT: "/#"}.get(shape, "")
        end = "?" if shape == PATH and "?" not in text and "#" not in text else ""
        whole = f"{start}{text}{end}"
        if not any(redactions(whole, self.policy).values()):
            return text
        return redact(whole, self.policy).removeprefix(start).removesuffix(end)


class NamedValues(Values):
    """NamedValues(redactor, has_pairs)

    Looks for secrets in one value. The names of maps in it are read as those of attributes are.
    """

    def __init__(self, redactor: Redactor, *, has_pairs: bool) -> None:
        super().__init__(redactor.policy)
        self.redactor: Redactor = redactor
        self.has_pairs = has_pairs

    def named(self, name: Any, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        if not isinstance(name, str):
            return super().named(name, value, own, names, depth, objects)
        shape = self.redactor.shape(name)
        if shape == KEPT:
            return value
        if shape in PARTS and type(value) is str:
            return attempt(lambda: self.redactor.part(value, shape), HIDDEN)
        if shape in PARTS and type(value) in (list, tuple) and all(type(text) is str for text in value):
            if not self._can_read(len(value)):
                return HIDDEN
            shown = attempt(lambda: each(value, lambda text: self.redactor.part(text, shape)), HIDDEN)
            return value if shown is value else type(value)(shown) if shown is not HIDDEN else HIDDEN
        # A name of the conventions can be like that of a secret.
        return super().named(None if shape == ANY_TEXT else name, value, own, names, depth, objects)


def entries_of(attributes: Any) -> dict[str, Any]:
    """A copy of attributes. To read them one by one takes longer."""
    if attributes is None:
        return {}
    try:
        entries = attributes._dict.copy() if type(attributes) is BoundedAttributes else attributes.copy()
    except AttributeError:
        return dict(attributes)
    return entries if type(entries) is dict else dict(entries)


class RedactedEvent(Event):  # type: ignore[misc]
    """A copy of an event. What was dropped because of limits is counted as in the event."""

    def __init__(self, event: Any, name: str, attributes: dict[str, Any]) -> None:
        super().__init__(name, attributes, event.timestamp)
        self.dropped: int = getattr(event, "dropped_attributes", 0)

    @property
    def dropped_attributes(self) -> int:
        return self.dropped


class RedactedLink(Link):  # type: ignore[misc]
    """A copy of a link."""

    def __init__(self, link: Any, attributes: dict[str, Any]) -> None:
        super().__init__(link.context, attributes)
        self.dropped: int = getattr(link, "dropped_attributes", 0)

    @property
    def dropped_attributes(self) -> int:
        return self.dropped


class RedactedSpan(ReadableSpan):  # type: ignore[misc]
    """A copy of a span."""

    __slots__ = ("dropped",)
    dropped: tuple[int, int, int]

    @property
    def dropped_attributes(self) -> int:
        return self.dropped[0]

    @property
    def dropped_events(self) -> int:
        return self.dropped[1]

    @property
    def dropped_links(self) -> int:
        return self.dropped[2]


def parts_of(span: Any) -> Any:
    """The name, attributes, events, links and status. What a span gives of its lists are copies, which take longer."""
    if type(span) is ReadableSpan:
        try:
            return HELD(vars(span))
        except KeyError:
            pass
    return span.name, span.attributes, span.events, span.links, span.status


def copy_of(span: Any, name: str, attributes: dict[str, Any], events: Any, links: Any, status: Any) -> RedactedSpan:
    if type(span) is ReadableSpan:
        # The same as the constructor does, which takes longer.
        held: dict[str, Any] = vars(span).copy()
        try:
            dropped = held["_attributes"].dropped, held["_events"].dropped, held["_links"].dropped
        except (AttributeError, KeyError):
            pass
        else:
            # No attribute more: the class may be another one.
            size = len(held)
            held["_name"], held["_attributes"], held["_events"] = name, attributes, events
            held["_links"], held["_status"] = links, status
            if len(held) == size:
                copied: RedactedSpan = new_object(RedactedSpan)
                copied.dropped = dropped
                copied.__dict__ = held  # type: ignore[misc]
                return copied
    copied = RedactedSpan(
        name, span.context, span.parent, span.resource, attributes, events, links, span.kind, status=status,
        start_time=span.start_time, end_time=span.end_time, instrumentation_scope=span.instrumentation_scope,
    )  # fmt: skip
    copied.dropped = (span.dropped_attributes, span.dropped_events, span.dropped_links)
    return copied


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
        self.exporter: SpanExporter = exporter
        self.redactor: Redactor = Redactor(policy)

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
            code = attempt(lambda: span.status.status_code, StatusCode.UNSET)
            return copy_of(span, HIDDEN, {}, (), (), Status(code))

    def _without_secrets(self, span: ReadableSpan) -> ReadableSpan:
        given_name, attributes, given_events, given_links, given_status = parts_of(span)
        given = entries_of(attributes)
        changed, name = self.redactor.changes(given, given_name)
        status = given_status
        description = given_status.description
        if description:
            shown = self.redactor.value(description)
            if shown is not description:
                status = Status(given_status.status_code, shown)
        # The length of the SDK's own lists is a function of Python.
        events = each(given_events, self._event) if getattr(given_events, "_dq", given_events) else given_events
        links = each(given_links, self._link) if getattr(given_links, "_dq", given_links) else given_links
        if (
            changed or name is not given_name or events is not given_events or links is not given_links
            or status is not given_status
        ):  # fmt: skip
            given.update(changed)
            return copy_of(span, name, given, events, links, status)
        return span

    def _event(self, event: Any) -> Any:
        given = entries_of(event.attributes)
        changed, name = self.redactor.changes(given, event.name)
        return RedactedEvent(event, name, given | changed) if changed or name is not event.name else event

    def _link(self, link: Any) -> Any:
        given = entries_of(link.attributes)
        changed, _ = self.redactor.changes(given)
        return RedactedLink(link, given | changed) if changed else link


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
        self.processor: LogRecordProcessor | None = processor
        self.redactor: Redactor = Redactor(policy)

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
        # Its text is among the attributes. What it holds cannot be changed.
        exception = getattr(record, "exception", None)
        if exception is not None and (changed or self.redactor.value(exception) is not exception):
            changed["exception"] = None
        return changed

    def _attributes(self, given: Any) -> Any:
        entries = entries_of(given)
        changed, _ = self.redactor.changes(entries)
        if not changed:
            return given
        entries.update(changed)
        if type(given) is not BoundedAttributes:
            return entries
        limits = {"maxlen": given.maxlen, "max_value_len": given.max_value_len}
        attributes = BoundedAttributes(attributes=entries, immutable=False, extended_attributes=True, **limits)
        attributes.dropped = given.dropped
        return attributes


# https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/
TEMPLATE: Final = "url.template"
DOMAIN: Final = "url.domain"
# What has the URL of a request when its span starts; the last is of older instrumentations.
WHOLE_URLS: Final = ("url.full", "http.url")


def url_attributes(url: str | URL | FrozenURL, routes: PatternList | None = None) -> dict[str, str]:
    """The attributes of a URL that have few values, for a metric or a span: url.template and url.domain.

    >>> from weburl.patterns import PatternList
    >>> routes = PatternList({"/users/{int}": "*://*/users/:id", "/{other}": "*://*:*/*"})
    >>> url_attributes("https://api.example.com/users/123?page=2", routes)
    {'url.template': '/users/{int}', 'url.domain': 'api.example.com'}

    `url.template` is the key of the first pattern that matches. If none matches, there is no `url.template`. So it has
    at most as many values as `routes` has keys. Without `routes`, it is the result of `weburl.redact.path_template`:
    then the number of values has no bound. `url.domain` is the host. A text that is not a URL has no attributes.
    """
    parsed = URL.parse(url) if isinstance(url, str) else url
    if parsed is None:
        return {}
    if routes is None:
        attributes = {TEMPLATE: path_template(parsed)}
    else:
        found = routes.first(parsed)
        attributes = {} if found is None else {TEMPLATE: found[0]}
    if parsed.hostname:
        attributes[DOMAIN] = parsed.hostname
    return attributes


class URLTemplateSpanProcessor(SpanProcessor):  # type: ignore[misc]
    """A processor of OpenTelemetry that gives spans of HTTP clients the attributes of url_attributes().

    >>> from opentelemetry.sdk.trace import TracerProvider
    >>> from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    >>> from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    >>> from weburl.patterns import PatternList
    >>> exporter = InMemorySpanExporter()
    >>> provider = TracerProvider()
    >>> provider.add_span_processor(URLTemplateSpanProcessor(PatternList({"/users/{int}": "*://*/users/:id"})))
    >>> provider.add_span_processor(SimpleSpanProcessor(exporter))
    >>> attributes = {"url.full": "https://example.com/users/123"}
    >>> provider.get_tracer("shop").start_span("GET", attributes=attributes).end()
    >>> exporter.get_finished_spans()[0].attributes["url.template"]
    '/users/{int}'

    It reads `url.full` when a span starts. A span that has a `url.template` then keeps it. It never sets `http.route`,
    which only a framework knows.
    """

    def __init__(self, routes: PatternList | None = None) -> None:
        self.routes: PatternList | None = routes

    def on_start(self, span: Span, parent_context: Any = None) -> None:
        given = span.attributes or {}
        url = next((given[name] for name in WHOLE_URLS if name in given), None)
        # What instruments a program must not end it.
        found = attempt(lambda: url_attributes(url, self.routes), {}) if isinstance(url, str) else {}
        more = {name: value for name, value in found.items() if name not in given}
        if more:
            span.set_attributes(more)
