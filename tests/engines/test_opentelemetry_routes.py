"""url.template and url.domain: few values, whatever URLs come."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from weburl import URL, FrozenURL
from weburl.ext.opentelemetry import RedactingSpanExporter, URLTemplateSpanProcessor, url_attributes
from weburl.patterns import PatternList, learn_routes
from weburl.redact import path_template

ROUTES = PatternList(
    {
        "/users/{int}": "*://*.example.com/users/:id(\\d+)",
        "/users/{int}/orders": "*://*.example.com/users/:id/orders",
        "/{slug}": "*://*.example.com/blog/*",
        "{other}": "*://*.example.com/*",
    }
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://api.example.com/users/7?page=2", {"url.template": "/users/{int}", "url.domain": "api.example.com"}),
        ("http://a.example.com/x", {"url.template": "{other}", "url.domain": "a.example.com"}),
        # No pattern matches.
        ("https://[::1]/users/7", {"url.domain": "[::1]"}),
        ("https://192.0.2.7/", {"url.domain": "192.0.2.7"}),
        ("mailto:a@b.com", {}),
        ("not a URL", {}),
        ("/users/7", {}),
        ("", {}),
    ],
)
def test_attributes(url: str, expected: dict[str, str]) -> None:
    assert url_attributes(url, ROUTES) == expected
    if expected:
        assert url_attributes(URL(url), ROUTES) == url_attributes(FrozenURL(url), ROUTES) == expected
    template = {"url.template": path_template(url)} if URL.can_parse(url) else {}
    domain = {"url.domain": expected["url.domain"]} if "url.domain" in expected else {}
    assert url_attributes(url) == template | domain


def requests(count: int, seed: int) -> list[str]:
    """URLs of many shapes, most of them different."""
    random = Random(seed)
    words = ["".join(random.choices("abcdefgh", k=random.randrange(3, 9))) for _ in range(500)]
    paths = (
        lambda: f"users/{random.randrange(10**6)}",
        lambda: f"users/{random.randrange(10**6)}/orders?page={random.randrange(9)}",
        lambda: f"blog/{'-'.join(random.sample(words, 3))}",
        lambda: "/".join(random.choices(words, k=random.randrange(1, 6))),
        lambda: f"%{random.randrange(256):02x}?token={random.random()}",
    )
    hosts = ("api.example.com", "www.example.com")
    return [f"https://{random.choice(hosts)}/{random.choice(paths)()}" for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_from_requests_to_a_metric_with_few_names(seed: int) -> None:
    count = 2000 + 500 * seed
    reader = InMemoryMetricReader()
    histogram = (
        MeterProvider(metric_readers=[reader]).get_meter("shop").create_histogram("http.client.request.duration")
    )
    urls = requests(count, seed)
    assert len(set(urls)) > count / 2
    for url in urls:
        histogram.record(1, url_attributes(url, ROUTES))
    data: Any = reader.get_metrics_data()
    [metric] = data.resource_metrics[0].scope_metrics[0].metrics
    points = metric.data.data_points
    assert sum(point.count for point in points) == count
    assert {point.attributes["url.template"] for point in points} == {key for key, _ in ROUTES}
    # Of each host, and of each route.
    assert len(points) <= 2 * len(ROUTES)
    # The rules alone have no such bound.
    assert len({url_attributes(url)["url.template"] for url in urls}) > 10 * len(ROUTES)


def spans_of(*attributes: Any, routes: PatternList | None = ROUTES) -> list[dict[str, Any]]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(URLTemplateSpanProcessor(routes))
    provider.add_span_processor(SimpleSpanProcessor(RedactingSpanExporter(exporter)))
    tracer = provider.get_tracer("shop")
    for each in attributes:
        tracer.start_span("GET", attributes=each).end()
    provider.shutdown()
    return [dict(span.attributes or {}) for span in exporter.get_finished_spans()]


def test_spans() -> None:
    url = "https://api.example.com/users/7"
    named = {"url.template": "/users/{int}", "url.domain": "api.example.com"}
    given: list[Any] = [
        {"url.full": url},
        {"http.url": url},
        {"url.full": url, "url.template": "/mine"},
        {"url.full": f"{url}?token=q8Zx"},
        {"url.full": "x"},
        {"url.full": ["x"]},
        {"url.path": "/users/7", "http.route": "/users/:id"},
        None,
    ]
    expected: list[Any] = [
        {"url.full": url} | named,
        {"http.url": url} | named,
        {"url.full": url} | named | {"url.template": "/mine"},
        {"url.full": f"{url}?token=REDACTED"} | named,
        {"url.full": "x"},
        {"url.full": ("x",)},
        {"url.path": "/users/7", "http.route": "/users/:id"},
        {},
    ]
    assert spans_of(*given) == expected
    assert spans_of({"url.full": "https://h/5"}, routes=None) == [
        {"url.full": "https://h/5", "url.template": "/{int}", "url.domain": "h"}
    ]


def test_a_processor_that_fails_does_not_end_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr("weburl.ext.opentelemetry.url_attributes", fail)
    assert spans_of({"url.full": "https://h/5"}) == [{"url.full": "https://h/5"}]


@pytest.mark.parametrize("seed", range(3))
def test_learnt_routes_name_metrics_and_spans(seed: int) -> None:
    """Of a day's requests routes are learnt; requests of the next day have their names, and no others."""
    random = Random(seed)
    most = random.randrange(20, 40)
    learnt = learn_routes(requests(2000 + 300 * seed, seed), max_routes=most)
    keys = {route.key for route in learnt.routes}
    assert len(keys) <= most
    # Another seed has other words and numbers.
    urls = requests(1500, seed + 100)
    reader = InMemoryMetricReader()
    histogram = MeterProvider(metric_readers=[reader]).get_meter("shop").create_histogram("duration")
    for url in urls:
        histogram.record(1, url_attributes(url, learnt.patterns))
    data: Any = reader.get_metrics_data()
    [metric] = data.resource_metrics[0].scope_metrics[0].metrics
    counts: Counter[str] = Counter()
    for point in metric.data.data_points:
        counts[point.attributes["url.template"]] += point.count
    assert counts.total() == len(urls)
    assert set(counts) <= keys
    for host in ("api.example.com", "www.example.com"):
        for rest in ("users/{int}", "users/{int}/orders"):
            path = rest.replace("{int}", "")
            same = [url for url in urls if url.startswith(f"https://{host}/users/")]
            assert counts[f"{host}/{rest}"] == sum(("/orders" in url) == ("orders" in path) for url in same) > 0
    # Spans have the same names, and no route of a framework.
    some = random.sample(urls, 100)
    spans = spans_of(*({"url.full": url} for url in some), routes=learnt.patterns)
    assert [span["url.template"] for span in spans] == [
        url_attributes(url, learnt.patterns)["url.template"] for url in some
    ]
    assert all("http.route" not in span for span in spans)
