"""Measure what RedactingSpanExporter adds to the export of a span of OpenTelemetry."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from time import thread_time_ns
from typing import Any

import figures
from bench import describe_machine, print_table
from timing import alternate

# Microseconds a span, at most.
MOST = 3.0
# The attributes of a request that a client has sent, by the conventions; and its URL.
ATTRIBUTES: dict[str, Any] = {
    "http.request.method": "GET",
    "server.address": "example.com",
    "server.port": 443,
    "http.response.status_code": 200,
    "network.protocol.version": "1.1",
    "network.peer.address": "203.0.113.7",
    "user_agent.original": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "url.scheme": "https",
    "url.template": "/books/{id}",
}
SPANS: dict[str, dict[str, Any]] = {
    "without attributes": {},
    "9 attributes": ATTRIBUTES,
    "and a URL": ATTRIBUTES | {"url.full": "https://example.com/books/7?page=2&lang=en"},
    "and a URL with a secret": ATTRIBUTES | {"url.full": "https://example.com/books/7?page=2&token=q8Zx3f7aK1"},
}
BATCH = 512


def spans() -> dict[str, Any]:
    """Spans as the SDK gives them to an exporter, when they have ended."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({}), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    for name, attributes in SPANS.items():
        provider.get_tracer("shop").start_span(name, attributes=attributes).end()
    return {span.name: span for span in kept.get_finished_spans()}


def exporters() -> dict[str, Callable[[Any], None]]:
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    from weburl.ext.opentelemetry import RedactingSpanExporter

    class Nowhere(SpanExporter):  # type: ignore[misc]
        def export(self, spans: Any) -> Any:
            return SpanExportResult.SUCCESS

    return {"alone": Nowhere().export, "redacting": RedactingSpanExporter(Nowhere()).export}


def spent(export: Callable[[Any], None], batch: list[Any], turn: int) -> float:
    start = thread_time_ns()
    export(batch)
    return (thread_time_ns() - start) / len(batch)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run: 3 rounds")
    parser.add_argument("--rounds", type=int, help="rounds a span; else WEBURL_BENCH_ROUNDS, else 200")
    parser.add_argument("--require-peers", action="store_true", help="fail when opentelemetry-sdk is missing")
    arguments = figures.parsed(parser, "spans")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "200"))
    try:
        contenders, batches = exporters(), {name: [span] * BATCH for name, span in spans().items()}
    except ImportError as error:
        print(f"MISSING PEER opentelemetry-sdk: {error}")
        return int(arguments.require_peers)
    rows = []
    for name, batch in batches.items():
        times = alternate({each: partial(spent, export, batch) for each, export in contenders.items()}, rounds)
        rows.append({"span": name, **asdict(times["redacting"]), "alone": times["alone"].best})
    print(f"{describe_machine()}, one thread, best of {rounds} rounds of {BATCH} spans", end="\n\n")
    cells = ([row["span"], f"{row['best']:,.0f} ns", f"{row['median']:,.0f} ns"] for row in rows)
    print_table(("span", "best", "median"), cells, (26, 10, 10))
    most = max(row["best"] for row in rows) / 1000
    print(f"at most {most:.1f} us a span, at most {MOST}: {'OK' if most <= MOST else 'MISS'}")
    if arguments.json:
        versions = {name: version(name) for name in ("opentelemetry-sdk", "weburl")}
        section = {"machine": describe_machine(), "rounds": rounds, "versions": versions, "rows": rows}
        figures.add(arguments.json, "spans", section)
    # Three rounds on a machine with neighbours say nothing about a time: a smoke run prints the verdict, and goes on.
    return int(most > MOST and not arguments.short)


if __name__ == "__main__":
    sys.exit(main())
