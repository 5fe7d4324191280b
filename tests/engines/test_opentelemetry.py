"""Spans and records of logs that OpenTelemetry exports have no secrets, and nothing else changes."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from inspect import getfullargspec, signature
from operator import itemgetter
from random import Random
from threading import Thread
from types import FrameType
from typing import Any

import pytest
from opentelemetry._logs import LogRecord
from opentelemetry.attributes import BoundedAttributes
from opentelemetry.sdk._logs import (
    Logger,
    LoggerProvider,
    LoggingHandler,
    LogRecordLimits,
    ReadableLogRecord,
    ReadWriteLogRecord,
)
from opentelemetry.sdk._logs import LogRecordProcessor as Processor
from opentelemetry.sdk._logs.export import (
    BatchLogRecordProcessor,
    LogRecordExporter,
    LogRecordExportResult,
    SimpleLogRecordProcessor,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, EventBase, ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags, _LinkBase
from rows import check_examples
from support import log_texts
from support.redaction_corpus import cases, is_gone

from weburl.ext import opentelemetry as ext
from weburl.ext.opentelemetry import RedactingLogRecordProcessor, RedactingSpanExporter
from weburl.redact import LogPolicy, redact
from weburl.text import redact_text

SECRET = "q8Zx" + "3f7aK1vB9m"
URL_TEXT = f"https://ada:{SECRET}@h.example/a?token={SECRET}&page=2"
SHOWN = "https://REDACTED:REDACTED@h.example/a?token=REDACTED&page=2"
RESOURCE = Resource({"service.name": "shop"})
CONTEXT = SpanContext(0x1234, 0x56, is_remote=True, trace_flags=TraceFlags(1))
PROCESSORS = pytest.mark.parametrize("processor", [SimpleSpanProcessor, BatchSpanProcessor])
LOG_PROCESSORS = pytest.mark.parametrize("processor", [SimpleLogRecordProcessor, BatchLogRecordProcessor])


class Kept(SpanExporter):  # type: ignore[misc]
    """An exporter that keeps what it gets, as an object and as the text that exporters write."""

    def __init__(self, result: SpanExportResult = SpanExportResult.SUCCESS) -> None:
        self.spans: list[Any] = []
        self.result = result
        self.said: list[Any] = []

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.spans.extend(spans)
        return self.result

    def shutdown(self, timeout_millis: float = 0) -> None:
        self.said.append(("shutdown", timeout_millis))

    def force_flush(self, timeout_millis: int = 0) -> bool:
        self.said.append(("force_flush", timeout_millis))
        return timeout_millis < 5


class KeptLogs(LogRecordExporter):  # type: ignore[misc]
    def __init__(self) -> None:
        self.records: list[Any] = []

    def export(self, batch: Sequence[ReadableLogRecord]) -> LogRecordExportResult:
        self.records.extend(batch)
        return LogRecordExportResult.SUCCESS

    def shutdown(self) -> None:
        pass

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return True


def redacted(span: ReadableSpan, policy: str = "logs", times: int = 1) -> Any:
    """What an exporter gets of a span."""
    kept = Kept()
    exporter: Any = kept
    for _ in range(times):
        exporter = RedactingSpanExporter(exporter, policy)
    assert exporter.export((span,)) is SpanExportResult.SUCCESS
    assert len(kept.spans) == 1
    return kept.spans[0]


def attributes_of(given: Any, policy: str = "logs") -> dict[str, Any]:
    """Attributes of a span, an event, a link and a record, which are the same; and what is left of them."""
    span = ReadableSpan("GET", CONTEXT, attributes=given, events=(Event("a", given),), links=(Link(CONTEXT, given),))
    shown = redacted(span, policy)
    kept = KeptLogs()
    provider = LoggerProvider(RESOURCE, shutdown_on_exit=False)
    provider.add_log_record_processor(RedactingLogRecordProcessor(SimpleLogRecordProcessor(kept), policy))
    provider.get_logger("shop").emit(body="a", attributes=given)
    found = [dict(each.attributes) for each in (shown, *shown.events, *shown.links, kept.records[0].log_record)]
    assert found == found[:1] * 4
    return found[0]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("url.full", URL_TEXT, SHOWN),
        ("url.full", "HTTPS://H/%7e?a=1", None),
        ("url.full", "HTTPS://H/%7e?token=1", "HTTPS://H/%7e?token=REDACTED"),
        ("url.full", f"//ada:{SECRET}@h/", "//REDACTED:REDACTED@h/"),
        ("url.full", f"https://h/?q=a b'c\"&token={SECRET}", "https://h/?q=a%20b%27c%22&token=REDACTED"),
        ("url.full", "https://h/?q=a b", None),
        ("url.full", f"https://h/reset/{SECRET}XY", "https://h/reset/REDACTED"),
        ("browser.document.url.full", URL_TEXT, SHOWN),
        ("http.url", URL_TEXT, SHOWN),
        ("http.target", f"/a?token={SECRET}", "/a?token=REDACTED"),
        ("http.target", f"/reset/{SECRET}XY", "/reset/REDACTED"),
        ("http.target", "*", None),
        ("url.path", f"/reset/{SECRET}XY", "/reset/REDACTED"),
        ("url.path", f"/a b/reset/{SECRET}XY", "/a b/reset/REDACTED"),
        ("url.path", "/books/7", None),
        ("url.path", "", None),
        ("url.query", f"token={SECRET}&page=2", "token=REDACTED&page=2"),
        ("url.query", f"q=a b&token={SECRET}", "q=a b&token=REDACTED"),
        ("url.query", (f"token={SECRET}", "page=2"), ("token=REDACTED", "page=2")),
        ("http.query", f"token={SECRET}&page=2", "token=REDACTED&page=2"),
        ("query_string", f"token={SECRET}", "token=REDACTED"),
        ("http.fragment", f"token={SECRET}", "token=REDACTED"),
        ("app.map", {"url.original": URL_TEXT, "session.id": "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"}, None),
        ("app.pair", ("password", "reset"), None),
        ("app.pairs", {"a": ("password", "reset")}, None),
        ("url.query", "page=2", None),
        ("url.query", "", None),
        ("url.fragment", f"access_token={SECRET}", "access_token=REDACTED"),
        ("url.fragment", "top", None),
        ("url.original", URL_TEXT, None),
        ("url.original", (URL_TEXT,), None),
        ("http.request.header.authorization", (f"Bearer {SECRET}",), ("REDACTED",)),
        ("http.request.header.cookie", (f"sid={SECRET}", "a=b"), ("REDACTED", "REDACTED")),
        ("http.request.header.referer", (URL_TEXT,), (SHOWN,)),
        ("http.request.header.accept", ("*/*",), None),
        ("process.command_args", ("curl", URL_TEXT), ("curl", SHOWN)),
        ("process.command_line", f"curl {URL_TEXT}", f"curl {SHOWN}"),
        ("tags", ("password", "reset"), None),
        ("exception.stacktrace", f'File "a.py"\nKeyError: "{URL_TEXT}"', f'File "a.py"\nKeyError: "{SHOWN}"'),
        ("app.password", SECRET, "REDACTED"),
        ("app.token", 12345, "REDACTED"),
        ("app.form", {"password": SECRET, "page": 2}, {"password": "REDACTED", "page": 2}),
        ("app.forms", ({"password": SECRET}, {"u": (URL_TEXT,)}), ({"password": "REDACTED"}, {"u": (SHOWN,)})),
        ("app.data", f"/?token={SECRET}".encode(), b"/?token=REDACTED"),
        ("gen_ai.request.max_tokens", 100, None),
        ("session.id", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", None),
        ("aws.s3.key", "backups/2026/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.gz", None),
        ("server.port", 443, None),
        ("a", True, None),
        ("b", (1, 2, 3), None),
        ("c", (), None),
        ("d", 0.5, None),
    ],
)
def test_attributes(name: str, value: Any, shown: Any) -> None:
    given = {"first": "GET", name: value, "last": "tea"}
    found = attributes_of(given)
    assert found == (given if shown is None else given | {name: shown})


def test_spans_without_secrets_are_not_copied() -> None:
    attributes = {"url.full": "https://h/?a=1", "url.original": URL_TEXT, "n": 5, "list": ("a", "b"), "session.id": "a"}
    events = (Event("cache miss", {"key": "a"}),)
    span = ReadableSpan("GET", CONTEXT, attributes=attributes, events=events, links=(Link(CONTEXT, {"a": 1}),))
    assert redacted(span) is span
    assert redacted(ReadableSpan("GET")).attributes == {}


def spans_of(provider: TracerProvider) -> None:
    """Spans with secrets in all their parts, beside parts without."""
    tracer = provider.get_tracer("shop", "1.0", attributes={"a": "b"})
    links = [Link(CONTEXT, {"http.url": URL_TEXT}), Link(CONTEXT, {"a": 1}), Link(CONTEXT)]
    attributes = {"url.full": URL_TEXT, "n": 5, "form": {"password": SECRET}}
    with tracer.start_as_current_span("parent", kind=SpanKind.SERVER) as parent:
        parent.add_event("plain", {"a": 1}, timestamp=5)
        with tracer.start_as_current_span(f"GET /?token={SECRET}", attributes=attributes, links=links) as span:
            span.add_event("retry", {"url.query": f"token={SECRET}", "n": 1}, timestamp=7)
            span.add_event(f"at {URL_TEXT}", timestamp=8)
            span.add_event("plain", timestamp=9)
            span.set_status(Status(StatusCode.ERROR, f"cannot reach {URL_TEXT}"))
        span = tracer.start_span("failing")
        try:
            raise ConnectionError(URL_TEXT)
        except ConnectionError as error:
            span.record_exception(error, timestamp=10)
        span.end()


def as_text(span: Any) -> Any:
    """All that an exporter can read of a span."""
    parts = json.loads(span.to_json())
    assert parts["attributes"] == json.loads(json.dumps(dict(span.attributes)))
    scope = span.instrumentation_scope
    counts = [span.dropped_attributes, span.dropped_events, span.dropped_links]
    inner = [each.dropped_attributes for each in (*span.events, *span.links)]
    return parts, scope.name, scope.version, dict(scope.attributes), counts, inner


@PROCESSORS
def test_every_part_of_a_span(processor: Any) -> None:
    """What is exported is the span with its secrets replaced, and nothing else."""
    plain, kept = Kept(), Kept()
    limits = SpanLimits(max_span_attributes=3, max_events=3, max_links=3, max_event_attributes=3)
    provider = TracerProvider(resource=RESOURCE, span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(processor(plain))
    provider.add_span_processor(processor(RedactingSpanExporter(kept)))
    spans_of(provider)
    provider.shutdown()
    assert len(plain.spans) == len(kept.spans) == 3
    for before, after in zip(plain.spans, kept.spans, strict=True):
        shown = repr(as_text(before)).replace(URL_TEXT, SHOWN).replace(SECRET, "REDACTED")
        assert repr(as_text(after)) == shown
        assert (after is before) is (SECRET not in repr(as_text(before)))
        assert isinstance(after, ReadableSpan)
        assert (after.context, after.parent, after.kind) == (before.context, before.parent, before.kind)
        assert after.resource is before.resource
    assert [span.name for span in kept.spans] == ["GET /?token=REDACTED", "failing", "parent"]
    assert SECRET in repr(as_text(plain.spans[0]))


@pytest.mark.parametrize("way", ["subclass", "other names", "plain parts"])
def test_other_spans(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spans of other classes, of another version of the SDK, and of other libraries are read as users do."""

    class Other(ReadableSpan):  # type: ignore[misc]
        pass

    plain = Kept()
    provider = TracerProvider(resource=RESOURCE, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(plain))
    spans_of(provider)
    for before in plain.spans:
        span = before
        if way == "subclass":
            span = Other.__new__(Other)
            span.__dict__.update(vars(before))
        elif way == "other names":
            monkeypatch.setattr(ext, "HELD", itemgetter("_nothing"))
        else:
            span = ReadableSpan(
                before.name, before.context, before.parent, before.resource, dict(before.attributes), before.events,
                before.links, before.kind, status=before.status, start_time=before.start_time,
                end_time=before.end_time, instrumentation_scope=before.instrumentation_scope,
            )  # fmt: skip
        text = repr(as_text(before))
        after = redacted(span)
        assert repr(as_text(after)) == text.replace(URL_TEXT, SHOWN).replace(SECRET, "REDACTED")
        assert (after is span) is (SECRET not in text)


def test_other_events_and_links() -> None:
    """Those of other libraries have only what their base classes ask for."""

    class OtherEvent(EventBase):  # type: ignore[misc]
        attributes = {"url.full": URL_TEXT}  # noqa: RUF012

    class OtherLink(_LinkBase):  # type: ignore[misc]
        attributes = {"url.full": URL_TEXT}  # noqa: RUF012

    span = redacted(ReadableSpan("a", CONTEXT, events=(OtherEvent("b", 5),), links=(OtherLink(CONTEXT),)))
    assert (span.name, span.events[0].name, span.events[0].timestamp) == ("a", "b", 5)
    assert span.events[0].attributes == span.links[0].attributes == {"url.full": SHOWN}
    assert span.links[0].context is CONTEXT
    assert (span.events[0].dropped_attributes, span.links[0].dropped_attributes) == (0, 0)


def test_what_was_dropped_is_counted() -> None:
    kept = Kept()
    limits = SpanLimits(max_span_attributes=2, max_events=1, max_links=1, max_event_attributes=1, max_link_attributes=1)
    provider = TracerProvider(resource=RESOURCE, span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(RedactingSpanExporter(kept)))
    several = {"a": 1, "b": 2, "url.full": URL_TEXT}
    links = [Link(CONTEXT, dict(several)) for _ in range(4)]
    span = provider.get_tracer("shop").start_span("GET", attributes=several | {"c": URL_TEXT}, links=links)
    for _ in range(3):
        span.add_event("a", several)
    span.end()
    shown = kept.spans[0]
    assert SECRET not in shown.to_json()
    assert (shown.dropped_attributes, shown.dropped_events, shown.dropped_links) == (2, 2, 3)
    assert (shown.events[0].dropped_attributes, shown.links[0].dropped_attributes) == (2, 2)


@PROCESSORS
@pytest.mark.parametrize("times", [1, 2, 3])
def test_threads(processor: Any, times: int) -> None:
    """Eight threads share an exporter; no span is lost, and each is as it should be, however often it is wrapped."""
    kept = Kept()
    exporter: Any = kept
    for _ in range(times):
        exporter = RedactingSpanExporter(exporter)
    provider = TracerProvider(resource=RESOURCE, shutdown_on_exit=False)
    options = {"max_queue_size": 4000} if processor is BatchSpanProcessor else {}
    provider.add_span_processor(processor(exporter, **options))
    tracer = provider.get_tracer("shop")

    def work(number: int) -> None:
        for index in range(200):
            attributes = {"url.full": URL_TEXT, f"app.{number}.{index}": f"/?token={SECRET}", "n": number, "i": index}
            with tracer.start_as_current_span("GET", attributes=attributes) as span:
                span.add_event("a", {"url.query": f"token={SECRET}"})

    in_threads(work)
    provider.shutdown()
    found = sorted((span.attributes["n"], span.attributes["i"]) for span in kept.spans)
    assert found == [(number, index) for number in range(8) for index in range(200)]
    for span in kept.spans:
        name = f"app.{span.attributes['n']}.{span.attributes['i']}"
        assert (span.attributes["url.full"], span.attributes[name]) == (SHOWN, "/?token=REDACTED")
        assert span.events[0].attributes == {"url.query": "token=REDACTED"}


def in_threads(work: Callable[[int], None]) -> None:
    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_names_are_forgotten() -> None:
    """Names of attributes that a program makes up do not fill the memory."""
    exporter = RedactingSpanExporter(Kept())
    for start in range(0, 3 * 4096, 100):
        exporter.export([ReadableSpan("a", attributes={f"n{start + k}": "a" for k in range(100)})])
    redactor: Any = exporter.redactor
    assert redactor.shape.cache_info().currsize <= 4096
    assert len(redactor.shapes) <= 4096


def test_twice() -> None:
    for case in cases("secret"):
        given = {"url.full": case.text, "url.query": case.text.partition("?")[2], "a": f"at {case.text}"}
        once = redacted(ReadableSpan("a", attributes=given))
        again = redacted(once)
        assert dict(again.attributes) == dict(once.attributes), case.text


def test_the_corpus() -> None:
    """As `url.full`, secrets are gone and harmless URLs untouched where redact() has it so."""
    for file in ("secret", "secret_held_out", "harmless", "harmless_held_out"):
        for case in cases(file):
            shown = redacted(ReadableSpan("a", attributes={"url.full": case.text})).attributes["url.full"]
            if file.startswith("secret"):
                assert is_gone(case, shown) or not is_gone(case, redact(case.text)), case.text
            else:
                assert shown == case.text or redact(case.text) != case.text, case.text


class Broken:
    def __str__(self) -> str:
        raise ValueError(URL_TEXT)

    __repr__ = __str__


class Loud(BaseException):
    pass


class Failing(Mapping[str, str]):
    def _fail(self, *arguments: Any) -> Any:
        raise Loud(URL_TEXT)

    __iter__ = __len__ = __getitem__ = __str__ = __repr__ = _fail


class Text(str):
    """A str that is not what it shows."""

    def __str__(self) -> str:
        return "plain"


def test_no_attribute_loses_a_span() -> None:
    """Exporters get attributes of any type from other libraries that make spans."""
    random = Random(7)
    loop: list[Any] = [URL_TEXT]
    loop.append(loop)
    values: list[Any] = [
        None, 5, 0.5, True, "a", "", URL_TEXT, "\ud800", f"\ud800{URL_TEXT}", b"\xff", URL_TEXT.encode(),
        Text(URL_TEXT), bytearray(URL_TEXT.encode()), 1j, (), (URL_TEXT,), [URL_TEXT, 5], ("a", None, 1), {},
        ((URL_TEXT,), ((),)), {"a": URL_TEXT}, {5: URL_TEXT}, {"password": SECRET}, {URL_TEXT: 1}, Broken(),
        (Broken(), URL_TEXT), object(), Failing(), {"a": Failing()}, loop, URL_TEXT * 500, "?" * 5000, "//" * 3000,
    ]  # fmt: skip
    names: list[Any] = [
        "url.full", "url.query", "url.path", "url.fragment", "http.url", "http.target", "http.request.header.cookie",
        "app.password", "session.id", "a", "", "\ud800", "x" * 5000, 5, None, ("a",),
    ]  # fmt: skip
    kept = Kept()
    exporter = RedactingSpanExporter(RedactingSpanExporter(kept))
    for index in range(3000):
        given = {name: random.choice(values) for name in random.sample(names, 6)}
        events = (Event("a", dict(given)), Event("b", None))
        links = (Link(CONTEXT, dict(given)),)
        assert exporter.export([ReadableSpan("a", CONTEXT, attributes=given, events=events, links=links)])
        assert len(kept.spans) == index + 1
        span = kept.spans[-1]
        assert span.context is CONTEXT
        for attributes in (span.attributes, span.events[0].attributes, span.links[0].attributes):
            assert attributes.keys() == given.keys()
            for name, value in attributes.items():
                # Keys of dictionaries are texts, too; what cannot be shown is hidden.
                assert not is_shown(value), (name, given[name])


def is_shown(value: Any) -> bool:
    """Whether a secret can be read in a value."""
    if isinstance(value, str):
        return SECRET in str.__str__(value)
    if isinstance(value, (bytes, bytearray)):
        return SECRET.encode() in value
    if isinstance(value, Mapping):
        return any(is_shown(name) or is_shown(entry) for name, entry in value.items())
    return isinstance(value, (list, tuple)) and any(entry is not value and is_shown(entry) for entry in value)


@pytest.mark.parametrize("part", ["name", "attributes", "events", "links", "status"])
def test_spans_that_cannot_be_read(part: str) -> None:
    """Their place in the trace is exported, and nothing that may be a secret."""

    class Span(ReadableSpan):  # type: ignore[misc]
        pass

    reads = 0

    def fail(span: Any) -> Any:
        nonlocal reads
        reads += 1
        if part == "status" and reads > 2:
            return Status(StatusCode.ERROR, URL_TEXT)
        raise ValueError(URL_TEXT)

    setattr(Span, part, property(fail))
    span = redacted(Span(URL_TEXT, CONTEXT, attributes={"url.full": URL_TEXT}, start_time=5, end_time=6))
    assert (span.name, dict(span.attributes), span.context) == ("REDACTED", {}, CONTEXT)
    assert (span.start_time, span.end_time) == (5, 6)
    assert SECRET not in span.to_json()


def test_interrupts_are_not_swallowed() -> None:
    class Interrupting(Failing):
        def items(self) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        redacted(ReadableSpan("a", attributes={"a": Interrupting()}))


def test_policies() -> None:
    given = {"url.full": f"{URL_TEXT}&sig=1&first_name=Ada"}
    assert attributes_of(given, "otel") == {
        "url.full": f"https://REDACTED:REDACTED@h.example/a?token={SECRET}&page=2&sig=REDACTED&first_name=Ada"
    }
    assert attributes_of(given, "logs-strict") == {"url.full": f"{SHOWN}&sig=REDACTED&first_name=REDACTED"}
    for make in (RedactingSpanExporter, RedactingLogRecordProcessor):
        with pytest.raises(ValueError, match="logs"):
            make(None, "no policy")


def test_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key, equal secrets stay equal; a second exporter changes nothing."""
    monkeypatch.setenv("KEY_OF_TESTS", "k" * 32)
    policy: Any = LogPolicy(name="keyed", key_env="KEY_OF_TESTS")
    given = {"url.full": URL_TEXT, "url.query": f"token={SECRET}", "app.password": SECRET, "body": f"at {URL_TEXT}"}
    once = redacted(ReadableSpan(f"GET /?token={SECRET}", CONTEXT, attributes=given), policy)
    assert SECRET not in str(once.attributes)
    (shown,) = re.findall("token=(.+)", once.attributes["url.query"])
    assert shown != "REDACTED"
    assert once.name == f"GET /?token={shown}"
    assert once.attributes["url.full"] == URL_TEXT.replace(f"={SECRET}", f"={shown}").replace(
        f"ada:{SECRET}", re.findall("//(.+)@", once.attributes["url.full"])[0]
    )
    assert once.attributes["app.password"] == shown
    assert redacted(once, policy, times=2) is once


def test_what_the_exporter_says() -> None:
    kept = Kept(SpanExportResult.FAILURE)
    exporter = RedactingSpanExporter(kept)
    assert exporter.export([]) is SpanExportResult.FAILURE
    assert (exporter.force_flush(4), exporter.force_flush(5)) == (True, False)
    assert "timeout_millis" in getfullargspec(exporter.shutdown).args
    exporter.shutdown(7)
    assert kept.said == [("force_flush", 4), ("force_flush", 5), ("shutdown", 7)]

    class Short(Kept):
        def shutdown(self) -> None:  # type: ignore[override]
            self.said.append("shutdown")

    short = Short()
    RedactingSpanExporter(short).shutdown(7)
    assert short.said == ["shutdown"]


# Names of the conventions whose values are hidden because of the name, by policy. Those that end with `tokens` have
# numbers, which stay; the last two are of metrics.
HIDDEN_NAMES = {"mcp.session.id", "gen_ai.server.time_per_output_token", "gen_ai.server.time_to_first_token"}
OF_PEOPLE = {"client.address", "enduser.id", "user.email", "user.full_name", "user.id", "user.name"}


@pytest.mark.parametrize("policy", ["logs", "logs-strict", "otel"])
def test_names_of_the_conventions(policy: str) -> None:
    """Of all names that the conventions have, only these hide what would stay without a name."""
    names = set()
    for path in walk(files("opentelemetry.semconv")):
        names |= set(re.findall(r'"((?:[a-z0-9_]+\.)+[a-z0-9_]+)"', path.read_text("utf-8")))
    assert len(names) > 500
    assert names > ext.PLAIN_NAMES
    found = set()
    for name in names - {"url.original"}:
        for value in ("9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "q8Zx3f7aK1vB9mTe5LwR2", "tea", 12345):
            is_count = name.endswith("tokens") and isinstance(value, str)
            if not is_count and attributes_of_span({name: value}, policy) != {name: value}:
                found.add(name)
    if policy == "logs-strict":
        assert found > OF_PEOPLE | (HIDDEN_NAMES & names)
        assert not found & ext.PLAIN_NAMES
    else:
        assert found == (HIDDEN_NAMES & names if policy == "logs" else set())


def attributes_of_span(given: dict[str, Any], policy: str = "logs") -> dict[str, Any]:
    return dict(redacted(ReadableSpan("a", attributes=given), policy).attributes)


def walk(folder: Any) -> Iterator[Any]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from walk(path)
        elif path.name.endswith(".py"):
            yield path


def calls(function: Callable[[], Any]) -> int:
    """How many functions of Python and of C a call runs."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def test_the_cost_of_a_span() -> None:
    """Figures in nanoseconds are in docs/engines/opentelemetry.md; this counts calls, which are the same everywhere."""
    exporter = RedactingSpanExporter(Kept())

    def cost(number: int, **more: Any) -> int:
        given = BoundedAttributes(attributes={f"a{k}": "GET" if k % 2 else 5 for k in range(number)} | more)
        span = ReadableSpan("GET", CONTEXT, attributes=given, resource=RESOURCE)
        exporter.export([span])  # names are remembered
        return calls(lambda: exporter.export([span]))

    none, several, many = cost(0), cost(10), cost(110)
    assert none < 40
    # A lookup of the name, and one call for each text.
    assert several - none <= 20
    assert many - several <= 200
    assert cost(10, **{"url.full": "https://h.example/?page=2"}) - several < 10
    assert cost(10, **{"url.full": URL_TEXT}) - several < 80


def logged(emit: Callable[[Any], None], *processors: Processor, policy: str = "logs", times: int = 1) -> list[Any]:
    """The records that an exporter gets."""
    kept = KeptLogs()
    processor: Any = SimpleLogRecordProcessor(kept)
    for _ in range(times):
        processor = RedactingLogRecordProcessor(processor, policy)
    provider = LoggerProvider(RESOURCE, shutdown_on_exit=False)
    for each in (*processors, processor):
        provider.add_log_record_processor(each)
    emit(provider)
    return kept.records


def test_bodies() -> None:
    loop: list[Any] = [URL_TEXT]
    loop.append(loop)
    for body, shown in (
        (f"at {URL_TEXT}", f"at {SHOWN}"),
        (f"Authorization: Bearer {SECRET}", "Authorization: Bearer REDACTED"),
        ({"password": SECRET, "n": 5}, {"password": "REDACTED", "n": 5}),
        ([URL_TEXT, "a"], [SHOWN, "a"]),
        (f"/?token={SECRET}".encode(), b"/?token=REDACTED"),
        ({"url": {"full": URL_TEXT}}, {"url": {"full": SHOWN}}),
        (Broken(), None),
        (loop, None),
    ):
        records = logged(lambda provider, body=body: provider.get_logger("shop").emit(body=body))  # type: ignore[misc]
        assert len(records) == 1
        found = records[0].log_record.body
        assert found == shown if shown is not None else not is_shown(found)
    harmless: list[Any] = ["a", "", None, 5, {"a": [1]}, b"a", ["a"]]
    for body in harmless:
        records = logged(lambda provider, body=body: provider.get_logger("shop").emit(body=body))  # type: ignore[misc]
        assert records[0].log_record.body is body


def failing(provider: LoggerProvider) -> None:
    try:
        raise ConnectionError(URL_TEXT)
    except ConnectionError as error:
        provider.get_logger("shop").emit(body="failed", exception=error, event_name=f"at {URL_TEXT}")


@pytest.mark.skipif("exception" not in signature(Logger.emit).parameters, reason="this version takes no exceptions")
def test_exceptions_and_names_of_events() -> None:
    record = logged(failing)[0].log_record
    assert record.event_name == f"at {SHOWN}"
    assert getattr(record, "exception", None) is None
    if record.attributes:
        assert record.attributes["exception.message"] == SHOWN
        assert f"ConnectionError: {SHOWN}" in record.attributes["exception.stacktrace"]
        assert SECRET not in str(dict(record.attributes))


class Sees(Processor):  # type: ignore[misc]
    """A processor that keeps what it sees, as a text."""

    def __init__(self) -> None:
        self.said: list[Any] = []

    def on_emit(self, log_record: ReadWriteLogRecord) -> None:
        record = log_record.log_record
        self.said.append(f"{record.body} {dict(record.attributes)} {log_record.dropped_attributes}")

    def shutdown(self) -> None:
        self.said.append("shutdown")

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        self.said.append(timeout_millis)
        return timeout_millis < 5

    def enabled(self, **options: Any) -> bool:
        return options != {}


def test_who_sees_what() -> None:
    """A processor that is wrapped gets a copy. One without another changes the record, for those after it."""

    def emit(provider: Any) -> None:
        provider.get_logger("shop").emit(body=f"at {URL_TEXT}", attributes={"url.full": URL_TEXT, "n": 5})

    plain = f"at {URL_TEXT} { ({'url.full': URL_TEXT, 'n': 5}) } 0"
    first, inner, last = Sees(), Sees(), Sees()
    records = logged(emit, first, RedactingLogRecordProcessor(inner), last)
    assert (first.said, last.said) == ([plain], [plain])
    assert SECRET not in inner.said[0]
    assert SHOWN in inner.said[0]
    assert SECRET not in str(records)
    before, after = Sees(), Sees()
    records = logged(emit, before, RedactingLogRecordProcessor(), after, times=0)
    assert before.said == [plain]
    assert SECRET not in after.said[0]
    assert after.said[0].startswith(f"at {SHOWN} ")
    record = records[0].log_record
    assert (record.body, dict(record.attributes)) == (f"at {SHOWN}", {"url.full": SHOWN, "n": 5})


def test_records_without_secrets_are_not_copied() -> None:
    seen: list[Any] = []

    class Sees(SimpleLogRecordProcessor):  # type: ignore[misc]
        def on_emit(self, log_record: Any) -> None:
            seen.append((log_record, log_record.log_record, log_record.log_record.attributes))

    provider = LoggerProvider(RESOURCE, shutdown_on_exit=False)
    provider.add_log_record_processor(Sees(KeptLogs()))
    provider.add_log_record_processor(RedactingLogRecordProcessor(Sees(KeptLogs())))
    provider.get_logger("shop").emit(body="a", attributes={"url.original": URL_TEXT, "n": 5, "u": "https://h/?a=1"})
    assert all(one is other for one, other in zip(*seen, strict=True))


@pytest.mark.filterwarnings("ignore:Log record attributes were dropped:UserWarning")
def test_dropped_attributes_of_records() -> None:
    limits = LogRecordLimits(max_attributes=2)
    attributes = {"a": 1, "b": 2, "url.full": URL_TEXT}
    given = ReadWriteLogRecord(LogRecord(body="a", attributes=attributes), RESOURCE, limits=limits)
    sees = Sees()
    RedactingLogRecordProcessor(sees).on_emit(given)
    assert sees.said == [f"a { ({'b': 2, 'url.full': SHOWN}) } 1"]
    assert given.dropped_attributes == 1
    assert given.log_record.attributes["url.full"] == URL_TEXT


def test_what_the_processor_says() -> None:
    inner = Sees()
    processor = RedactingLogRecordProcessor(inner)
    assert (processor.enabled(), processor.enabled(event_name="a")) == (False, True)
    assert (processor.force_flush(4), processor.force_flush(5)) == (True, False)
    processor.shutdown()
    assert inner.said == [4, 5, "shutdown"]
    alone = RedactingLogRecordProcessor()
    assert (alone.enabled(), alone.force_flush()) == (False, True)
    alone.shutdown()


@LOG_PROCESSORS
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.filterwarnings("ignore:.*LoggingHandler.*:DeprecationWarning")
def test_threads_that_log(processor: Any, times: int) -> None:
    """Records of Python's logging, from eight threads."""
    kept = KeptLogs()
    options = {"max_queue_size": 4000} if processor is BatchLogRecordProcessor else {}
    inner: Any = processor(kept, **options)
    for _ in range(times):
        inner = RedactingLogRecordProcessor(inner)
    provider = LoggerProvider(RESOURCE, shutdown_on_exit=False)
    provider.add_log_record_processor(inner)
    logger = logging.Logger("shop")
    logger.addHandler(LoggingHandler(logger_provider=provider))

    def work(number: int) -> None:
        for index in range(100):
            logger.warning("%d %d %s", number, index, URL_TEXT, extra={"token": SECRET, "n": number})

    in_threads(work)
    provider.shutdown()
    expected = sorted(f"{number} {index} {SHOWN}" for number in range(8) for index in range(100))
    assert sorted(record.log_record.body for record in kept.records) == expected
    assert all(record.log_record.attributes["token"] == "REDACTED" for record in kept.records)
    assert SECRET not in str([dict(record.log_record.attributes) for record in kept.records])


def test_logs() -> None:
    """Lines of logs of all formats, as bodies, attributes, events and descriptions."""
    for line in log_texts.lines(400, seed=5):
        record = logged(lambda provider, line=line: provider.get_logger("shop").emit(body=line.text))[0]  # type: ignore[misc]
        assert record.log_record.body == redact_text(line.text)
        span = ReadableSpan(
            "a", CONTEXT, attributes={"log": line.text}, events=(Event(line.text),),
            status=Status(StatusCode.ERROR, line.text), resource=RESOURCE,
        )  # fmt: skip
        shown = redacted(span)
        assert shown.attributes["log"] == shown.events[0].name == shown.status.description == redact_text(line.text)
        assert not [secret for secret in line.secrets if secret in shown.to_json()]


def test_examples() -> None:
    check_examples("opentelemetry")
