"""Ten lines of each format of logs that has a name, and what is read of them: the URLs, or why there is none.

The lines are invented. What the fields are, the documents of the vendors say, which `log_formats.py` names.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"


class Sample(NamedTuple):
    """Lines of a format, and for each row its URL, or where the reason is and what it says.

    `first` is what some columns of the first row are.
    """

    format: str
    lines: tuple[str, ...]
    urls: tuple[str | tuple[int, int, str], ...]
    first: dict[str, Any]
    # Lines before that are not rows.
    head: tuple[str, ...] = ()
    base: str | None = None

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in (*self.head, *self.lines))


def combined(request: str, status: int = 200, referrer: str = "-") -> str:
    return f'203.0.113.7 - - [22/Nov/2026:10:00:05 +0000] "{request}" {status} 1532 "{referrer}" "{AGENT}"'


def iis(stem: str, query: str = "-", *, port: int = 443, host: str = "shop.example", status: int = 200) -> str:
    agent = AGENT.replace(" ", "+")
    return f"2026-11-22 10:00:05 10.0.0.4 GET {stem} {query} {port} - 203.0.113.7 {agent} - {host} {status} 0 0 1532 31"


def cloudfront(stem: str, query: str = "-", *, scheme: str = "https", host: str = "shop.example") -> str:
    fields = (
        "2026-11-22", "10:00:05", "FRA60-P4", "1532", "203.0.113.7", "GET", "d111111abcdef8.cloudfront.net", stem,
        "200", "-", AGENT.replace(" ", "%20"), query, "-", "Hit", "kX3uZ9qEXAMPLE==", host, scheme, "412", "0.031",
    )  # fmt: skip
    return "\t".join(fields)


def alb(request: str, *, kind: str = "h2", status: str = "200", agent: str = AGENT, redirect: str = "-") -> str:
    arn = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/shop/73e2d6bc24d8a067"
    return (
        f"{kind} 2026-11-22T10:00:05.186641Z app/shop/50dc6c495c0c9188 203.0.113.7:2817 10.0.0.1:80 0.001 0.021 0.000 "
        f'{status} {status} 412 1532 "{request}" "{agent}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.3 {arn} '
        f'"Root=1-58337281-1d84f3d73c47ec4e58577259" "shop.example" "-" 0 2026-11-22T10:00:05.165000Z "forward" '
        f'"{redirect}" "-" "10.0.0.1:80" "{status}" "-" "-" TID_1234abcd'
    )


def s3(request: str, *, status: str = "200", tls: str = "TLSv1.3", host: str = "shop.s3.amazonaws.com") -> str:
    owner = "79a59df900b949e55d96a1e698fbaced"
    return (
        f"{owner} shop [22/Nov/2026:10:00:05 +0000] 203.0.113.7 {owner} 3E57427F3EXAMPLE REST.GET.OBJECT a.png "
        f'{request} {status} - 1532 1532 17 9 "-" "{AGENT}" - s9lzHYrFp76ZVxRcpX9+EXAMPLE= SigV4 '
        f"TLS_AES_128_GCM_SHA256 AuthHeader {host} {tls} - -"
    )


def caddy(uri: str, *, host: str = "shop.example", has_tls: bool = True, referrer: str | None = None) -> str:
    headers = {"User-Agent": [AGENT]} | ({"Referer": [referrer]} if referrer else {})
    request = {
        "remote_ip": "203.0.113.7", "remote_port": "41342", "client_ip": "203.0.113.7", "proto": "HTTP/2.0",
        "method": "GET", "host": host, "uri": uri, "headers": headers,
    }  # fmt: skip
    if has_tls:
        request["tls"] = {"resumed": False, "version": 772, "cipher_suite": 4865, "proto": "h2", "server_name": host}
    entry = {
        "level": "info", "ts": 1795341605.524102, "logger": "http.log.access", "msg": "handled request",
        "request": request, "bytes_read": 0, "user_id": "", "duration": 0.000929675, "size": 1532, "status": 200,
    }  # fmt: skip
    return json.dumps(entry, separators=(",", ":"))


def envoy(request: str, *, host: str = "shop.example", agent: str = AGENT) -> str:
    return (
        f'[2026-11-22T10:00:05.310Z] "{request}" 200 - 0 1532 31 28 "203.0.113.7" "{agent}" '
        f'"cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "{host}" "10.0.2.1:80"'
    )


def envoy_json(path: str | None, **more: Any) -> str:
    entry = {
        "start_time": "2026-11-22T10:00:05.310Z", "method": "GET", "path": path, "protocol": "HTTP/2",
        "response_code": 200, "response_flags": "-", "bytes_received": 0, "bytes_sent": 1532, "duration": 31,
        "authority": "shop.example", "user_agent": AGENT, "upstream_host": "10.0.2.1:80", "x_forwarded_for": None,
    }  # fmt: skip
    return json.dumps(entry | more)


def ecs(url: Any, **more: Any) -> str:
    entry = {
        "@timestamp": "2026-11-22T10:00:05.310Z", "message": "GET", "ecs": {"version": "8.11.0"},
        "http": {"request": {"method": "GET"}, "response": {"status_code": 200, "body": {"bytes": 1532}}},
        "client": {"ip": "203.0.113.7"}, "url": url,
    }  # fmt: skip
    return json.dumps(entry | more)


def span(name: str, **attributes: Any) -> dict[str, Any]:
    """Two underscores in the name of an attribute stand for a dot."""
    values = [
        {"key": key.replace("__", "."), "value": {"intValue" if isinstance(value, int) else "stringValue": value}}
        for key, value in attributes.items()
    ]
    return {
        "traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174", "name": name, "kind": 2,
        "startTimeUnixNano": "1795341605310000000", "endTimeUnixNano": "1795341605341000000", "attributes": values,
    }  # fmt: skip


def spans(*records: dict[str, Any]) -> str:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    scopes = [{"scope": {"name": "http"}, "spans": [*records]}]
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}, separators=(",", ":"))


def logs(*records: dict[str, Any]) -> str:
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [*records]}]}]})


IIS_FIELDS = (
    "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) "
    "cs-host sc-status sc-substatus sc-win32-status sc-bytes time-taken"
)
CLOUDFRONT_FIELDS = (
    "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) "
    "cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes "
    "time-taken"
)
NO_REQUEST = "it has no request"
NO_TARGET = "what it requests is neither a path nor a URL"
S3_PREFIX = s3("-").index(" - 200") + 2
ALB_PREFIX = len(alb("").split('"')[0]) + 2

SAMPLES = {
    "combined": Sample(
        "combined",
        (
            combined("GET / HTTP/1.1"),
            combined("GET /cart?id=17&token=s3cr3tval HTTP/2.0"),
            combined("GET //evil.example/?q=\\x22a\\x22 HTTP/1.1", 404),
            combined("POST /login HTTP/1.1", 302, "https://shop.example/?token=s3cr3tval"),
            combined("OPTIONS * HTTP/1.0"),
            combined("CONNECT db.example:443 HTTP/1.1", 405),
            combined("GET http://other.example/x HTTP/1.1"),
            combined("\\x16\\x03\\x01\\x02", 400),
            combined("-", 408),
            '203.0.113.7 - - [22/Nov/2026:10:00:05 +0000] "GET /cut HTTP/1.1" 200',
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval",
            "https://shop.example//evil.example/?q=%22a%22", "https://shop.example/login", "https://shop.example/",
            "https://db.example/", "http://other.example/x", (8, 47, NO_REQUEST), (9, 47, NO_REQUEST),
            (10, 66, "it is not of this format: ' ' is not there after status"),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05+00:00", "agent": AGENT},
        base="https://shop.example",
    ),
    "IIS": Sample(
        "w3c",
        (
            iis("/"),
            iis("/cart", "id=17&token=s3cr3tval"),
            iis("/cart", "id=17", port=80),
            iis("/p/straße", host="shop.example:8443"),
            iis("/a%20b", status=404),
            iis("/x", host="-"),
            iis("index.html"),
            "2026-11-22 10:00:05 10.0.0.4 GET",
            iis("/x") + " 7",
            iis("-"),
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval", "http://shop.example/cart?id=17",
            "https://shop.example:8443/p/stra%C3%9Fe", "https://shop.example/a%20b",
            (9, 34, "it has no host, and there is no --base"), (10, 34, NO_TARGET),
            (11, 33, "it is not of this format: it ends before target"),
            (12, len(iis("/x")) + 2, "it has more fields than the line #Fields: names"), (13, 1, NO_REQUEST),
        ),
        {
            "status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05+00:00", "client": "203.0.113.7",
            "time-taken": "31", "agent": AGENT.replace(" ", "+"),
        },
        head=("#Software: Microsoft Internet Information Services 10.0", "#Version: 1.0", IIS_FIELDS),
    ),
    "CloudFront": Sample(
        "w3c",
        (
            cloudfront("/"),
            cloudfront("/cart", "id=17&token=s3cr3tval"),
            cloudfront("/cart", scheme="http"),
            cloudfront("/live", scheme="wss"),
            cloudfront("/x", host="-"),
            "#Fields: date time cs-method cs-uri-stem x-host-header cs-protocol",
            "2026-11-22\t10:00:05\tGET\t/new\tshop.example\thttps",
            "2026-11-22\t10:00:05\tGET\t/new",
            '2026-11-22 10:00:05 GET "/a ""b""" shop.example https',
            "2026-11-22\t10:00:05\t-\t-\tshop.example\thttps",
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval", "http://shop.example/cart",
            "wss://shop.example/live", (7, cloudfront("/x").index("/x") + 1, "it has no host, and there is no --base"), "https://shop.example/new",
            (10, 29, "it is not of this format: it ends before host"), "https://shop.example/a%20%22b%22",
            (12, 1, NO_REQUEST),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05+00:00", "time-taken": "0.031"},
        head=("#Version: 1.0", CLOUDFRONT_FIELDS),
    ),
    "ALB": Sample(
        "alb",
        (
            alb("GET https://shop.example:443/ HTTP/2.0"),
            alb("GET https://shop.example:443/cart?id=17&token=s3cr3tval HTTP/2.0"),
            alb("GET http://shop.example:80/cart HTTP/1.1", kind="http"),
            alb("POST https://shop.example:8443/login HTTP/1.1", redirect="https://id.example/?token=s3cr3tval"),
            alb("GET https://shop.example:443/x HTTP/2.0", agent='curl \\"8\\" \\\\', status="404"),
            alb("GET https://shop.example:443/x HTTP/2.0").split(' "shop.example"')[0],
            alb("GET https://shop.example:443/x HTTP/2.0") + ' "added later"',
            alb("- http://shop.example:80- -", kind="http", status="400"),
            alb("-", status="460"),
            alb("GET https://shop.example:443/cut")[: ALB_PREFIX + 20],
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval", "http://shop.example/cart",
            "https://shop.example:8443/login", "https://shop.example/x", "https://shop.example/x",
            "https://shop.example/x", "http://shop.example:80- -", (9, ALB_PREFIX, NO_REQUEST),
            (10, ALB_PREFIX - 1, "a quote has no end"),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05.186641Z", "agent": AGENT},
    ),
    "S3": Sample(
        "s3",
        (
            s3('"GET /a.png HTTP/1.1"'),
            s3('"GET /a.png?X-Amz-Signature=s3cr3tval HTTP/1.1"'),
            s3('"GET /a.png HTTP/1.1"', tls="-"),
            s3('"GET /?versioning HTTP/1.1"'),
            s3('"PUT /a%20b.png HTTP/1.1"', status="403"),
            s3('"GET /shop/a.png HTTP/1.1"', host="s3.eu-central-1.amazonaws.com"),
            s3("-"),
            s3('"GET /a.png HTTP/1.1"').split(" s9lz")[0],
            s3('"GET /a.png HTTP/1.1"', host="-"),
            s3('"GET /a.png')[:-40],
        ),
        (
            "https://shop.s3.amazonaws.com/a.png", "https://shop.s3.amazonaws.com/a.png?X-Amz-Signature=s3cr3tval",
            "http://shop.s3.amazonaws.com/a.png", "https://shop.s3.amazonaws.com/?versioning",
            "https://shop.s3.amazonaws.com/a%20b.png", "https://s3.eu-central-1.amazonaws.com/shop/a.png",
            (7, S3_PREFIX, NO_REQUEST), (8, S3_PREFIX + 5, "it has no host, and there is no --base"),
            (9, S3_PREFIX + 5, "it has no host, and there is no --base"),
            (10, len(s3('"GET /a.png')) - 39, "it is not of this format: it ends before referrer"),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05+00:00", "agent": AGENT},
    ),
    "Caddy": Sample(
        "caddy",
        (
            caddy("/"),
            caddy("/cart?id=17&token=s3cr3tval"),
            caddy("/cart", has_tls=False),
            caddy("/cart", host="shop.example:8443", referrer="https://shop.example/?token=s3cr3tval"),
            caddy("/a").replace("/a", "\\/\\u0061"),
            caddy("//evil.example/"),
            caddy("*"),
            '{"level":"info","ts":1795341605.5,"logger":"tls","msg":"cleaning storage unit"}',
            caddy("/cut")[:60],
            '["/"]',
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval", "http://shop.example/cart",
            "https://shop.example:8443/cart", "https://shop.example/a", "https://shop.example//evil.example/",
            (7, 1, NO_TARGET), (8, 1, NO_REQUEST), (9, 61, "it is not JSON: it ends too early"),
            (10, 1, "it is not an object of JSON"),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05.524102+00:00", "agent": AGENT},
    ),
    "Envoy": Sample(
        "envoy",
        (
            envoy("GET / HTTP/2"),
            envoy("GET /cart?id=17&token=s3cr3tval HTTP/2"),
            envoy("POST /login HTTP/1.1", host="shop.example:8443"),
            envoy("GET /a\\b HTTP/1.1"),
            envoy("GET /x HTTP/1.1", agent='back\\'),
            envoy("GET /x HTTP/1.1", host="10.0.0.1"),
            envoy("- - -", host="-"),
            envoy("GET /x HTTP/1.1", host="-"),
            envoy("GET x HTTP/1.1"),
            envoy("GET /cut HTTP/1.1")[:80],
        ),
        (
            "http://shop.example/", "http://shop.example/cart?id=17&token=s3cr3tval", "http://shop.example:8443/login",
            "http://shop.example/a/b", "http://shop.example/x", "http://10.0.0.1/x", (7, 1, NO_REQUEST),
            (8, 33, "it has no host, and there is no --base"), (9, 33, NO_TARGET),
            (10, 68, "it is not of this format: '\" \"' is not there after x_forwarded_for"),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05.310Z", "agent": AGENT},
    ),
    "Envoy in JSON": Sample(
        "envoy-json",
        (
            envoy_json("/"),
            envoy_json("/cart?id=17&token=s3cr3tval"),
            envoy_json("/login", authority="shop.example:8443", method="POST"),
            envoy_json("/x", scheme="https"),
            envoy_json("/x", x_forwarded_proto="https"),
            envoy_json("/x", referer="https://shop.example/?token=s3cr3tval"),
            envoy_json(None),
            envoy_json("/x", authority="-"),
            envoy_json("/x") + "}",
            envoy_json("-"),
        ),
        (
            "http://shop.example/", "http://shop.example/cart?id=17&token=s3cr3tval", "http://shop.example:8443/login",
            "https://shop.example/x", "https://shop.example/x", "http://shop.example/x", (7, 1, NO_REQUEST),
            (8, 1, "it has no host, and there is no --base"),
            (9, len(envoy_json("/x")) + 1, f"it is not JSON: character {len(envoy_json('/x')) + 1} is wrong"),
            (10, 1, NO_REQUEST),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05.310Z", "agent": AGENT},
    ),
    "ECS": Sample(
        "ecs",
        (
            ecs({"full": "https://shop.example/"}),
            ecs({"original": "/cart?id=17&token=s3cr3tval", "domain": "shop.example", "scheme": "https"}),
            ecs({"path": "/cart", "query": "id=17&token=s3cr3tval", "domain": "shop.example", "port": 8443}),
            ecs(None, **{"url.full": "https://shop.example/flat"}),
            ecs({"original": "/x", "full": "https://shop.example/full"}),
            ecs({"path": "/x", "domain": "::1", "port": 80, "scheme": "http"}),
            ecs({"full": "https://shop.example/"}, **{"http.request.referrer": "https://shop.example/?token=s3cr3tval"}),
            ecs({"path": "/x"}),
            ecs("https://shop.example/"),
            '{"url":{"full":"https://shop.example/',
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval",
            "http://shop.example:8443/cart?id=17&token=s3cr3tval", "https://shop.example/flat",
            "https://shop.example/full", "http://[::1]/x", "https://shop.example/",
            (8, 1, "it has no host, and there is no --base"), (9, 1, NO_REQUEST),
            (10, 38, "it is not JSON: it ends too early"),
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "time": "2026-11-22T10:00:05.310Z", "client": "203.0.113.7"},
    ),
    "OTLP": Sample(
        "otlp",
        (
            spans(span("GET /", url__full="https://shop.example/", http__request__method="GET",
                http__response__status_code=200)),
            spans(span("GET /cart", url__full="https://shop.example/cart?id=17&token=s3cr3tval"), span("SELECT")),
            spans(span("GET", url__scheme="https", server__address="shop.example", server__port=8443, url__path="/a",
                url__query="token=s3cr3tval")),
            spans(span("GET", http__url="http://shop.example/old")),
            spans(span("GET", http__scheme="https", http__host="shop.example", http__target="/old?x")),
            logs(span("log", url__full="https://shop.example/log")),
            spans(span("GET", url__path="/x")),
            '{"resourceMetrics":[]}',
            spans(span("GET"))[:-1],
            "{}",
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval", (2, 1, NO_REQUEST),
            "https://shop.example:8443/a?token=s3cr3tval", "http://shop.example/old", "https://shop.example/old?x",
            "https://shop.example/log", (7, 1, "it has no host, and there is no --base"), (8, 1, NO_REQUEST),
            (9, len(spans(span("GET"))), "it is not JSON: it ends too early"), (10, 1, NO_REQUEST),
        ),
        {"status": 200, "method": "GET", "time": "2026-11-22T10:00:05.31+00:00", "name": "GET /"},
    ),
    "logfmt": Sample(
        "logfmt",
        (
            'at=info method=GET path="/" host=shop.example fwd="203.0.113.7" protocol=https status=200 bytes=1532',
            "time=2026-11-22T10:00:05Z level=info method=GET url=https://shop.example/cart?id=17&token=s3cr3tval",
            'ts=1795341605.31 msg="say \\"hi\\"" path=/a query=token=s3cr3tval host=shop.example',
            'request="GET /x HTTP/1.1" host=shop.example:8443 referer="https://shop.example/?token=s3cr3tval"',
            "2026-11-22T10:00:05+00:00 heroku[router]: at=info path=/y host=shop.example",
            "level=info msg=started",
            "path=/x",
            "started",
            'msg="open path=/x',
            'url="/\\u00e9\\x41" host=shop.example',
        ),
        (
            "https://shop.example/", "https://shop.example/cart?id=17&token=s3cr3tval",
            "http://shop.example/a?token=s3cr3tval", "http://shop.example:8443/x", "http://shop.example/y",
            (6, 1, NO_REQUEST), (7, 6, "it has no host, and there is no --base"), (8, 1, "it has no name=value"),
            (9, 5, "a quote has no end"), "http://shop.example/%C3%A9A",
        ),
        {"status": 200, "bytes": 1532, "method": "GET", "client": "203.0.113.7"},
    ),
}  # fmt: skip
