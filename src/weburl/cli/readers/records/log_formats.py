"""The formats of logs that have names. To add one, write its row in FORMATS."""

from __future__ import annotations

import argparse
from typing import Final

from weburl.cli._messages import listed, quoted
from weburl.cli.readers.records.log_format import LogFormat, template

# A line of W3C has more fields if no quotes are right, and nobody has so many.
MOST_FIELDS: Final = 512
FIELDS: Final = b"#Fields:"

# https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
ALB: Final = (
    "type time elb client backend request_processing_time target_processing_time response_processing_time status "
    "target_status_code bytes_received bytes request agent ssl_cipher ssl_protocol target_group_arn trace_id "
    "domain_name chosen_cert_arn matched_rule_priority request_creation_time actions_executed redirect_url "
    "error_reason backend_list target_status_code_list classification classification_reason conn_trace_id"
).split()
# https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html
S3: Final = (
    "bucket_owner bucket time client requester request_id operation key request status error_code bytes object_size "
    "total_time turn_around_time referrer agent version_id host_id signature_version cipher_suite auth_type host "
    "tls_version access_point_arn acl_required"
).split()
# https://www.w3.org/TR/WD-logfile.html, and what IIS and CloudFront have besides:
# https://learn.microsoft.com/en-us/windows/win32/http/w3c-logging
# https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
W3C: Final = {
    "cs-method": "method", "cs-uri": "url", "cs-uri-stem": "target", "cs-uri-path": "target", "cs-uri-query": "query",
    "cs-uri-scheme": "scheme", "cs-protocol": "scheme", "cs-uri-port": "port",
    "x-host-header": "host", "cs-host": "host", "cs(host)": "host", "cs-uri-host": "host",
    "cs-version": "version", "cs-protocol-version": "version", "sc-status": "status", "sc-bytes": "bytes",
    "cs(referer)": "referrer", "cs(referrer)": "referrer", "cs(user-agent)": "agent",
    "c-ip": "client", "cs-username": "user", "date": "date", "time": "time", "s-port": "s-port",
}  # fmt: skip
# https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#default-format-string
ENVOY: Final = (
    '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS% '
    "%BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "
    '"%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"'
)

# Each field, and the paths that it has in a line: the first one with a value counts.
# https://caddyserver.com/docs/caddyfile/directives/log
CADDY: Final = {
    "target": "request.uri", "host": "request.host", "tls_version": "request.tls.version", "method": "request.method",
    "version": "request.proto", "status": "status", "bytes": "size", "time": "ts",
    "client": "request.client_ip request.remote_ip request.remote_addr", "user": "user_id",
    "referrer": "request.headers.Referer[]", "agent": "request.headers.User-Agent[]", "duration": "duration",
}  # fmt: skip
# Those that it writes with the option log_credentials.
CADDY_HEADERS: Final = (
    "request.headers.Authorization[] request.headers.Cookie[] request.headers.Proxy-Authorization[] "
    "resp_headers.Set-Cookie[]"
).split()
# https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#format-dictionaries
# https://istio.io/latest/docs/tasks/observability/logs/access-log/
ENVOY_JSON: Final = {
    "target": "path :path x_envoy_original_path", "host": "authority :authority host",
    "scheme": "scheme :scheme x_forwarded_proto", "method": "method :method", "version": "protocol",
    "status": "response_code", "bytes": "bytes_sent", "time": "start_time",
    "client": "downstream_remote_address", "referrer": "referer", "agent": "user_agent",
    "response_flags": "response_flags", "duration": "duration", "request_id": "request_id",
    "upstream_host": "upstream_host", "upstream_cluster": "upstream_cluster", "x_forwarded_for": "x_forwarded_for",
}  # fmt: skip
# https://www.elastic.co/docs/reference/ecs/ecs-url
ECS: Final = {
    "url": "url.full url.original", "target": "url.path", "query": "url.query", "host": "url.domain",
    "port": "url.port", "scheme": "url.scheme", "method": "http.request.method", "version": "http.version",
    "status": "http.response.status_code", "bytes": "http.response.body.bytes http.response.bytes",
    "time": "@timestamp", "client": "client.ip source.ip client.address source.address", "user": "user.name",
    "referrer": "http.request.referrer", "agent": "user_agent.original",
}  # fmt: skip
# https://opentelemetry.io/docs/specs/semconv/http/http-spans/, and the names before its version 1.21
OTLP: Final = {
    "url": "url.full http.url", "target": "http.target url.path", "query": "url.query",
    "host": "server.address http.host net.host.name", "port": "server.port net.host.port",
    "scheme": "url.scheme http.scheme", "method": "http.request.method http.method",
    "version": "network.protocol.version http.flavor", "status": "http.response.status_code http.status_code",
    "bytes": "http.response.body.size http.response_content_length",
    "time": "startTimeUnixNano timeUnixNano observedTimeUnixNano", "client": "client.address http.client_ip",
    "referrer": "http.request.header.referer", "agent": "user_agent.original http.user_agent", "name": "name",
    "trace_id": "traceId", "span_id": "spanId",
}  # fmt: skip
# https://opentelemetry.io/docs/specs/semconv/registry/attributes/http/
OTLP_HEADERS: Final = (
    "http.request.header.authorization http.request.header.cookie http.request.header.proxy-authorization "
    "http.response.header.set-cookie"
).split()
# https://pkg.go.dev/github.com/kr/logfmt, and the names of Heroku's router:
# https://devcenter.heroku.com/articles/http-routing#heroku-router-log-format
LOGFMT: Final = {
    "url": "url request_url uri request_uri", "target": "path request_path target", "request": "request",
    "query": "query query_string", "host": "host http_host authority", "scheme": "scheme protocol proto",
    "method": "method http_method", "status": "status status_code http_status",
    "bytes": "bytes size bytes_sent", "time": "time ts timestamp", "client": "client_ip remote_ip remote_addr ip fwd",
    "user": "user", "referrer": "referer referrer http_referer", "agent": "user_agent agent http_user_agent",
    "level": "level", "msg": "msg",
}  # fmt: skip
# Names that people give to headers.
HEADERS: Final = "authorization cookie http_authorization http_cookie proxy_authorization set_cookie".split()


def _named(fields: dict[str, str], syntax: str, headers: list[str], *, is_otlp: bool = False) -> LogFormat:
    sources = [names.split() for names in fields.values()]
    return LogFormat([*fields], syntax=syntax, sources=sources, headers=headers, is_otlp=is_otlp)


# https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#examples
TEMPLATES: Final = {
    "common": '%h %l %u %t "%r" %>s %b',
    "combined": '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"',
    "envoy": ENVOY,
}
# Those of AWS have got fields at their end, and may get more: `needed` is what was there first.
FORMATS: Final = {
    **{name: template(text, ()) for name, text in TEMPLATES.items()},
    "w3c": LogFormat((), syntax="w3c"),
    "alb": LogFormat(ALB, syntax="words", needed=18),
    "s3": LogFormat(S3, syntax="words", needed=18),
    "caddy": _named(CADDY, "columns", CADDY_HEADERS),
    "envoy-json": _named(ENVOY_JSON, "columns", HEADERS),
    "ecs": _named(ECS, "columns", []),
    "otlp": _named(OTLP, "columns", OTLP_HEADERS, is_otlp=True),
    "logfmt": _named(LOGFMT, "pairs", HEADERS),
}
# What the help says beside names that say little.
WHOSE: Final = {"w3c": "IIS, CloudFront"}
# What people may write who have these.
OTHER_NAMES: Final = {
    "iis": "w3c", "cloudfront": "w3c", "nginx": "combined", "apache": "combined", "elastic": "ecs",
    "istio": "envoy-json", "opentelemetry": "otlp", "otel": "otlp", "heroku": "logfmt",
}  # fmt: skip


def names_of_formats() -> str:
    """The names, for the help of --log."""
    return listed([f"{name} ({WHOSE[name]})" if name in WHOSE else name for name in FORMATS], "or")


def log_format(text: str) -> LogFormat:
    """What --log takes: the name of a format, or one as in the configuration of nginx, Apache or Envoy."""
    known = FORMATS.get(text)
    name = OTHER_NAMES.get(text.lower())
    if known is None and name is not None:
        raise argparse.ArgumentTypeError(f"the format {quoted(text)} has another name: --log {name}")
    return template(text, [*FORMATS]) if known is None else known


def w3c_format(directive: bytes) -> LogFormat:
    """The format that a line #Fields: names; without fields if it names none, or more than anybody has."""
    fields = directive.removeprefix(FIELDS).split(maxsplit=MOST_FIELDS)
    if len(fields) > MOST_FIELDS:
        fields = []
    named = [name.decode("utf-8", "replace") for name in fields]
    # Of several fields that are called the same here, the one that is first in the table; the others keep their names.
    best: dict[str, str] = {}
    for name in W3C:
        if name in (each.lower() for each in named):
            best.setdefault(W3C[name], name)
    names = [W3C[name.lower()] if name.lower() in best.values() else name for name in named]
    return LogFormat(names, syntax="w3c", needed=len(names))
