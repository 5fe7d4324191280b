"""Each field of a format by each name that it has in logs: what its column and the URL are, and that no secret stays.

The names are written down here, too, as the documents of the vendors have them: a test that took them from the tables
of `log_formats.py` would agree with any mistake in these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from support.command import run
from support.log_lines import SAMPLES

from weburl.cli.readers.records.log_format import NAMES, OTHER_URLS, WHOLE, LogFormat
from weburl.cli.readers.records.log_formats import FORMATS, W3C

SECRET = "s3cr3tval"
HIDDEN = "REDACTED"
# Names in lines, the first one that has a value before the others.
JSON_NAMES = {
    "caddy": {
        "target": ["request.uri"], "host": ["request.host"], "tls_version": ["request.tls.version"],
        "method": ["request.method"], "version": ["request.proto"], "status": ["status"], "bytes": ["size"],
        "time": ["ts"], "client": ["request.client_ip", "request.remote_ip", "request.remote_addr"],
        "user": ["user_id"], "referrer": ["request.headers.Referer[]"], "agent": ["request.headers.User-Agent[]"],
        "duration": ["duration"],
    },
    "envoy-json": {
        "target": ["path", ":path", "x_envoy_original_path"], "host": ["authority", ":authority", "host"],
        "scheme": ["scheme", ":scheme", "x_forwarded_proto"], "method": ["method", ":method"],
        "version": ["protocol"], "status": ["response_code"], "bytes": ["bytes_sent"], "time": ["start_time"],
        "client": ["downstream_remote_address"], "referrer": ["referer"], "agent": ["user_agent"],
        "response_flags": ["response_flags"], "duration": ["duration"], "request_id": ["request_id"],
        "upstream_host": ["upstream_host"], "upstream_cluster": ["upstream_cluster"],
        "x_forwarded_for": ["x_forwarded_for"],
    },
    "ecs": {
        "url": ["url.full", "url.original"], "target": ["url.path"], "query": ["url.query"], "host": ["url.domain"],
        "port": ["url.port"], "scheme": ["url.scheme"], "method": ["http.request.method"],
        "version": ["http.version"], "status": ["http.response.status_code"],
        "bytes": ["http.response.body.bytes", "http.response.bytes"], "time": ["@timestamp"],
        "client": ["client.ip", "source.ip", "client.address", "source.address"], "user": ["user.name"],
        "referrer": ["http.request.referrer"], "agent": ["user_agent.original"],
    },
    "otlp": {
        "url": ["url.full", "http.url"], "target": ["http.target", "url.path"], "query": ["url.query"],
        "host": ["server.address", "http.host", "net.host.name"], "port": ["server.port", "net.host.port"],
        "scheme": ["url.scheme", "http.scheme"], "method": ["http.request.method", "http.method"],
        "version": ["network.protocol.version", "http.flavor"],
        "status": ["http.response.status_code", "http.status_code"],
        "bytes": ["http.response.body.size", "http.response_content_length"],
        "time": ["startTimeUnixNano", "timeUnixNano", "observedTimeUnixNano"],
        "client": ["client.address", "http.client_ip"], "referrer": ["http.request.header.referer"],
        "agent": ["user_agent.original", "http.user_agent"],
        "name": ["name"], "trace_id": ["traceId"], "span_id": ["spanId"],
    },
    "logfmt": {
        "url": ["url", "request_url", "uri", "request_uri"], "target": ["path", "request_path", "target"],
        "request": ["request"], "query": ["query", "query_string"], "host": ["host", "http_host", "authority"],
        "scheme": ["scheme", "protocol", "proto"], "method": ["method", "http_method"],
        "status": ["status", "status_code", "http_status"], "bytes": ["bytes", "size", "bytes_sent"],
        "time": ["time", "ts", "timestamp"], "client": ["client_ip", "remote_ip", "remote_addr", "ip", "fwd"],
        "user": ["user"], "referrer": ["referer", "referrer", "http_referer"],
        "agent": ["user_agent", "agent", "http_user_agent"], "level": ["level"], "msg": ["msg"],
    },
}  # fmt: skip
# Names of W3C, the first one before the others, too.
W3C_NAMES = {
    "method": ["cs-method"], "url": ["cs-uri"], "target": ["cs-uri-stem", "cs-uri-path"], "query": ["cs-uri-query"],
    "scheme": ["cs-uri-scheme", "cs-protocol"], "port": ["cs-uri-port"],
    "host": ["x-host-header", "cs-host", "cs(Host)", "cs-uri-host"],
    "version": ["cs-version", "cs-protocol-version"], "status": ["sc-status"], "bytes": ["sc-bytes"],
    "referrer": ["cs(Referer)", "cs(Referrer)"], "agent": ["cs(User-Agent)"], "client": ["c-ip"],
    "user": ["cs-username"], "date": ["date"], "time": ["time"], "s-port": ["s-port"],
}  # fmt: skip
# Fields in the order that they have in lines; a quote or a bracket is before those that have them.
WORDS = {
    "alb": (
        "type time elb client backend request_processing_time target_processing_time response_processing_time status "
        'target_status_code bytes_received bytes "request "agent ssl_cipher ssl_protocol target_group_arn "trace_id '
        '"domain_name "chosen_cert_arn matched_rule_priority request_creation_time "actions_executed "redirect_url '
        '"error_reason "backend_list "target_status_code_list "classification "classification_reason conn_trace_id'
    ),
    "s3": (
        'bucket_owner bucket [time client requester request_id operation key "request status error_code bytes '
        'object_size total_time turn_around_time "referrer "agent version_id host_id signature_version cipher_suite '
        "auth_type host tls_version access_point_arn acl_required"
    ),
    "common": 'client identity user [time "request status bytes',
    "combined": 'client identity user [time "request status bytes "referrer "agent',
    "envoy": (
        '[time "request version status response_flags bytes_received bytes duration x_envoy_upstream_service_time '
        '"x_forwarded_for "agent "x_request_id "host "upstream_host'
    ),
}
TIME = "2026-11-22T10:00:05Z"
PATH = f"/t?token={SECRET}"
# What a field is, the column with it, and the URL; others are as ANY, and the URL is BASE.
BASE = "http://h.example/x"
VALUES = {
    "url": (f"https://u.example/u?token={SECRET}", f"https://u.example/u?token={SECRET}"),
    "target": (PATH, f"http://h.example{PATH}"),
    "query": (f"token={SECRET}", f"{BASE}?token={SECRET}"),
    "request": (f"PUT {PATH} HTTP/1.1", f"http://h.example{PATH}"),
    "host": ("other.example", "http://other.example/x"),
    "scheme": ("https", "https://h.example/x"),
    "port": ("8443", "http://h.example:8443/x"),
    "s-port": ("443", "https://h.example/x"),
    "tls_version": ("TLSv1.3", "https://h.example/x"),
    "referrer": (f"https://r.example/?token={SECRET}", BASE),
    "redirect_url": (f"https://r.example/?token={SECRET}", BASE),
    "time": (TIME, BASE),
    "status": ("418", BASE),
    "bytes": ("77", BASE),
}  # fmt: skip
ANY = "some-value"
NUMBERS = ("status", "bytes")


class Line(NamedTuple):
    """A line, its column that is tested, what that is, and the URL."""

    text: str
    name: str
    column: str
    value: Any
    url: str


def line(format: str, name: str, column: str, others: list[str]) -> Line:
    """A line with one field under this name, those that follow it under their names with other values, and a URL."""
    value, url = VALUES.get(column, (ANY, BASE))
    # A request comes as its parts.
    found = ("version", "HTTP/1.1") if column == WHOLE else (column, int(value) if column in NUMBERS else value)
    fields = {name: value} | dict.fromkeys(others, "1" if column in NUMBERS else "no")
    names = W3C_NAMES if format == "w3c" else JSON_NAMES[format]
    if column not in ("url", "target", WHOLE):
        fields[names["target"][0]] = "/x"
    if column != "host":
        fields[names["host"][-1]] = "h.example"
    return Line(written(format, fields), name, *found, url)


def written(format: str, fields: dict[str, str]) -> str:
    if format == "w3c":
        return f"#Fields: {' '.join(fields)}\n{chr(9).join(fields.values())}"
    if format == "logfmt":
        return " ".join(f'{name}="{value}"' for name, value in fields.items())
    if format == "otlp":
        # Attributes have dots; others are members of the span.
        record: dict[str, Any] = {name: value for name, value in fields.items() if "." not in name}
        record["attributes"] = [
            {"key": name, "value": {"stringValue": value}} for name, value in fields.items() if "." in name
        ]
        return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [record]}]}]})
    entry: dict[str, Any] = {}
    for path, value in fields.items():
        *steps, last = path.removesuffix("[]").split(".")
        inner = entry
        for step in steps:
            inner = inner.setdefault(step, {})
        inner[last] = [value] if path.endswith("[]") else value
    return json.dumps(entry)


def named_lines(format: str) -> Iterator[Line]:
    names = W3C_NAMES if format == "w3c" else JSON_NAMES[format]
    for column, known in names.items():
        for number, name in enumerate(known):
            yield line(format, name, column, [])
            if format == "w3c":
                yield line(format, name.upper(), column, [])
            if number + 1 < len(known):
                yield line(format, name, column, known[number + 1 :])


def word_lines(format: str) -> Iterator[Line]:
    """A line whose fields all differ."""
    names = [field.lstrip('["') for field in WORDS[format].split()]
    values = {name: VALUES.get(name, (f"value-{number}", ""))[0] for number, name in enumerate(names)}
    numbers = (*NUMBERS, "bytes_received", "duration")
    values |= {name: str(number + 100) for number, name in enumerate(names) if name in numbers}
    values |= {"host": "h.example"} if "host" in names else {}
    target = f"https://h.example{PATH}" if format == "alb" else PATH
    method, version = "PUT", values.get("version", "HTTP/1.1")
    values["request"] = f"{method} {target}" if "version" in names else f"{method} {target} {version}"
    text = " ".join(
        f'"{values[name]}"' if field[0] == '"' else f"[{values[name]}]" if field[0] == "[" else values[name]
        for name, field in zip(names, WORDS[format].split(), strict=True)
    )
    if format == "envoy":
        # The version is in the quotes of the request.
        text = text.replace(f'{target}" {version}', f'{target} {version}"')
    scheme = "https" if format in ("alb", "s3") else "http"
    columns = values | {"method": method, "target": target, "version": version}
    del columns["request"]
    for name, value in columns.items():
        yield Line(text, name, name, int(value) if name in NUMBERS else value, f"{scheme}://h.example{PATH}")


def lines_of(format: str) -> list[Line]:
    return [*word_lines(format)] if format in WORDS else [*named_lines(format)]


def read(format: str, lines: list[Line], *keep: str, field: str = "href") -> list[dict[str, Any]]:
    base = ["--base", "http://h.example"] if format in ("common", "combined") else []
    text = "".join(f"{each.text}\n" for each in lines)
    ended = run("--log", format, *base, "--json", *keep, "-g", f"{{{field}}}", stdin=text)
    assert ended.status == 0, ended.err
    rows = [json.loads(row) for row in ended.lines]
    assert len(rows) == len(lines)
    return rows


FORMATS_HERE = pytest.mark.parametrize("format", FORMATS)


def test_the_names_are_all() -> None:
    """A name that is added to a format belongs here, too."""
    named: dict[str, LogFormat] = {name: format for name, format in FORMATS.items() if format.sources}
    assert {name: dict(zip(format.names, format.sources, strict=True)) for name, format in named.items()} == JSON_NAMES
    assert {name.lower(): column for column, names in W3C_NAMES.items() for name in names} == W3C
    assert {*FORMATS} == {*WORDS, *JSON_NAMES, "w3c"}


@FORMATS_HERE
def test_columns_and_urls(format: str) -> None:
    lines = lines_of(format)
    keep = "--keep=" + ",".join(dict.fromkeys(each.column for each in lines))
    for each, row in zip(lines, read(format, lines, keep), strict=True):
        assert (each.name, row[each.column], row["href"]) == (each.name, each.value, each.url), each.text


@FORMATS_HERE
def test_secrets(format: str) -> None:
    lines = [each for each in lines_of(format) if SECRET in each.text]
    assert lines
    for each in lines:
        [row] = read(format, [each], "--keep", field="redacted")
        assert SECRET not in json.dumps(row)
        assert row["redacted"] == each.url.replace(SECRET, HIDDEN)
        if each.column in OTHER_URLS:
            assert row[each.column] == each.value.replace(SECRET, HIDDEN)
    text = "".join(f"{each.text}\n" for each in lines)
    ended = run("redact", "--log", format, stdin=text)
    assert ended.out == text.replace(SECRET, HIDDEN)


# Headers with secrets, and what stays of them.
HEADERS = {
    "Cookie": [
        (f"sid={SECRET};%20b={SECRET}", f"sid={HIDDEN};%20b={HIDDEN}"),
        (f"sid={SECRET};+b=1", f"sid={HIDDEN};+b={HIDDEN}"),
        (SECRET, HIDDEN), (f"/?a={SECRET}", f"/?a={HIDDEN}"),
    ],
    "Authorization": [(SECRET, HIDDEN), (f"Bearer%20{SECRET}", HIDDEN)],
    "Proxy-Authorization": [(SECRET, HIDDEN)],
    "Set-Cookie": [(f"sid={SECRET};Path=/", f"sid={HIDDEN};Path=/"), (f"sid={SECRET};Secure", f"sid={HIDDEN};Secure")],
}  # fmt: skip
SPACED = {
    "Cookie": [(f"sid={SECRET}; b={SECRET}", f"sid={HIDDEN}; b={HIDDEN}")],
    "Authorization": [(f"Basic {SECRET}", f"Basic {HIDDEN}"), (f"Bearer {SECRET}", f"Bearer {HIDDEN}")],
    "Proxy-Authorization": [(f"Digest a={SECRET}, b={SECRET}", f"Digest {HIDDEN}")],
    "Set-Cookie": [(f"sid={SECRET}; Path=/; Secure", f"sid={HIDDEN}; Path=/; Secure")],
}


class Written(NamedTuple):
    """How lines of a format have a header: --log, the line around the value, and the name of its column."""

    format: str
    before: str
    after: str
    column: str


def with_header(header: str) -> Iterator[Written]:
    low = header.lower().replace("-", "_")
    kind = "sc" if header == "Set-Cookie" else "cs"
    yield Written("w3c", f"#Fields: cs-uri {kind}({header}) cs-method\n{BASE}\t", "\tGET", f"{kind}({header})")
    variable = "$sent_http_set_cookie" if header == "Set-Cookie" else f"$http_{low}"
    yield Written(f'"$request" $host "{variable}" $status', '"GET /x HTTP/1.1" h.example "', '" 200', variable[1:])
    yield Written(f'"%r" %{{Host}}i "%{{{header}}}i" %s', '"GET /x HTTP/1.1" h.example "', '" 200', low)
    yield Written(f'"%REQ(:PATH)%" %REQ(HOST)% "%REQ({header})%"', '"/x" h.example "', '"', low)
    if header == "Cookie":
        yield Written('"$request" $host "$cookie_sid"', '"GET /x HTTP/1.1" h.example "', '"', "cookie_sid")
    yield Written("logfmt", f'url={BASE} {low}="', '" status=200', low)
    yield Written("envoy-json", f'{{"path":"/x","host":"h.example","{low}":"', '","method":"GET"}', low)
    path = f"request.headers.{header}[]" if kind == "cs" else f"resp_headers.{header}[]"
    before = '{"request":{"uri":"/x","host":"h.example","headers":{'
    before += f'"{header}":["' if kind == "cs" else f'}}}},"resp_headers":{{"{header}":["'
    yield Written("caddy", before, '"]}}}' if kind == "cs" else '"]}}', path)
    name = f"http.{'request' if kind == 'cs' else 'response'}.header.{header.lower()}"
    for opening, end in (('{"stringValue":"', '"}'), ('{"arrayValue":{"values":[{"stringValue":"', '"}]}}')):
        before = f'{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"attributes":[{{"key":"{name}","value":{opening}'
        yield Written(
            "otlp", before, f'{end}}},{{"key":"url.full","value":{{"stringValue":"{BASE}"}}}}]}}]}}]}}]}}', name
        )


@pytest.mark.parametrize("header", HEADERS)
def test_headers_with_secrets(header: str) -> None:
    """They are read as headers, not as texts: these do not say what they are."""
    for each in with_header(header):
        for value, hidden in HEADERS[header] + SPACED[header]:
            line = f"{each.before}{value}{each.after}\n"
            wanted = f"{each.before}{hidden}{each.after}\n"
            assert run("redact", "--log", each.format, stdin=line).out == wanted
            assert run("redact", "--log", each.format, "--field", each.column, stdin=line).out == wanted
            ended = run("--log", each.format, "--json", f"--keep={each.column}", "-g", "{redacted}", stdin=line)
            assert SECRET not in ended.out
            assert json.loads(ended.out)["redacted"] == BASE
            assert json.loads(ended.out)[each.column] == hidden
            # Without {redacted}, nothing is.
            ended = run("--log", each.format, "--json", f"--keep={each.column}", "-g", "{href}", stdin=line)
            assert value in ended.out


@pytest.mark.parametrize("policy", ["logs", "logs-strict", "otel"])
@pytest.mark.parametrize("name", ["token=q8Zx;cookie", "-", ")", "a:b", "AKIAIOSFODNN7EXAMPLE-cookie", "a" * 5000, "é"])
def test_names_of_fields_that_are_odd(name: str, policy: str) -> None:
    """What is put before a value is not left there."""
    line = f"#Fields: cs-uri cs({name}) cs(Cookie)\n{BASE} abc sid=q8Zx\n"
    ended = run("redact", "--log-policy", policy, "--log", "w3c", stdin=line)
    cookie = "sid=q8Zx" if policy == "otel" else f"sid={HIDDEN}"
    assert ended.out in (line.replace("sid=q8Zx", cookie), line.replace("abc sid=q8Zx", f"{HIDDEN} {cookie}"))
    ended = run(
        "--log", "w3c", "--log-policy", policy, "--json", f"--keep=cs({name})", "-g", "{redacted}", stdin=line
    )  # fmt: skip
    assert json.loads(ended.out)[f"cs({name})"] in ("abc", HIDDEN)


@pytest.mark.parametrize("odd", ["'", "<", ">", "`", "\x01", "%22", "\x7f", ",", ")", "\\x22", "\\x5C", '""'])
def test_a_cookie_with_odd_characters(odd: str) -> None:
    """What would end it in a text does not."""
    value = f"a=x{odd}y;b={SECRET};c={odd}{SECRET}"
    for each in with_header("Cookie"):
        if (odd[0] == "\\" and "$" not in each.format) or (odd == '""' and each.format != "w3c"):
            continue
        line = f"{each.before}{value}{each.after}\n"
        if odd == '""':
            line = f'{each.before}"{value}"{each.after}\n'
        for arguments in (["redact"], ["--json", f"--keep={each.column}", "-g", "{redacted}"]):
            ended = run(*arguments, "--log", each.format, stdin=line)
            assert SECRET not in ended.out, (each.format, ended.out)


ZONES = {
    "": None, "Z": "Z", "z": "Z", "+00:00": "+00:00", "+0100": "+01:00", "-07:30": "-07:30", "+05": "+05:00",
    " +0100": "+01:00", " -07:00": "-07:00", " UTC": "Z", " GMT": "Z", " Z": "Z", " CET": None, "+1": None, " ": None,
    "+01:000": None, "Europe": None, "+01:": None, "+010": None, "+11:59": "+11:59",
}  # fmt: skip
CLOCKS = {
    "10:00": "10:00", "10:00:05": "10:00:05", "10:00:05.5": "10:00:05.5", "10:00:05,250": "10:00:05.250",
    "10:00:05.123456789": "10:00:05.123456789", "10:00:05.": None, "10:00:": None, "10:00:5": None,
}  # fmt: skip


def timed(format: str, time: str) -> str:
    """A line with a time."""
    if format in WORDS:
        return lines_of(format)[0].text.replace(TIME, time)
    if format == "w3c":
        return written(format, {"date": time[:10], "time": time[11:], "cs-uri": BASE})
    url = {"caddy": "request.uri", "envoy-json": "path"}.get(format, JSON_NAMES[format].get("url", [""])[0])
    host = {JSON_NAMES[format]["host"][0]: "h.example"} if format in ("caddy", "envoy-json") else {}
    return written(format, {JSON_NAMES[format]["time"][0]: time, url: "/x" if host else BASE, **host})


@FORMATS_HERE
def test_times(format: str) -> None:
    """With a zone, a date and time as ISO 8601 has it. Without one it stays, but for W3C, whose times are in UTC."""
    separators = " " if format == "w3c" else "T" if format == "alb" else "Tt "
    wanted: list[tuple[str, str]] = []
    instants: list[tuple[datetime, str]] = []
    for separator, (clock, as_clock), (zone, as_zone) in product(separators, CLOCKS.items(), ZONES.items()):
        if zone == " " or (format == "alb" and " " in zone):
            continue
        text = f"2026-11-22{separator}{clock}{zone}"
        if format == "w3c" and not zone:
            as_zone = "+00:00"
        is_known = as_clock is not None and as_zone is not None
        shown = text if format != "w3c" else text.replace(" ", "\t", 1)
        known = f"2026-11-22T{as_clock}{as_zone}"
        wanted.append((timed(format, text), known if is_known else shown))
        if is_known:
            instants.append((datetime.fromisoformat(known), wanted[-1][0]))
    base = ["--base", "http://h.example"] if format in ("common", "combined") else []
    log = "".join(f"{line}\n" for line, _ in wanted)
    ended = run("--log", format, *base, "--json", "--keep=time", "-g", "{href}", stdin=log)
    assert [json.loads(row)["time"] for row in ended.lines] == [time for _, time in wanted]
    # What is compared with an instant is one.
    log = "".join(f"{line}\n" for _, line in instants)
    for bound, _ in sorted(instants)[:: len(instants) // 8]:
        since = sum(time >= bound for time, _ in instants)
        for option, left in (("--since", since), ("--until", len(instants) - since)):
            ended = run("--log", format, *base, option, bound.isoformat(), "-g", "{time}", stdin=log)
            assert len(ended.lines) == left, bound


def test_times_without_a_zone_are_no_instants() -> None:
    """They are compared with what is written without a zone, too."""
    log = 'path=/ host=h time="2026-11-22 10:00:05"\n'
    assert run("--log", "logfmt", "--since", "2026-11-22T10:00", "-g", "{time}", stdin=log).lines == [
        "2026-11-22 10:00:05"
    ]
    ended = run("--log", "logfmt", "--since", "2026-11-22T10:00Z", stdin=log)
    assert ended == (1, "", "weburl: no record has a time that can be read\n")


def typed(random: Random, depth: int) -> tuple[dict[str, Any], Any]:
    """A value as OTLP has it, and as JSON."""
    kind = random.choice(
        ["stringValue", "intValue", "boolValue", "doubleValue", "", *["arrayValue", "kvlistValue"] * 2]
    )
    if kind in ("arrayValue", "kvlistValue") and depth:
        parts = [typed(random, depth - 1) for _ in range(random.randrange(4))]
        if kind == "arrayValue":
            whole, plain = [part for part, _ in parts], [each for _, each in parts]
            return {kind: {"values": whole} if parts or random.random() < 0.5 else {}}, plain
        pairs = [{"key": f"k{number}", "value": part} for number, (part, _) in enumerate(parts)]
        # A member without a value is not there.
        return {kind: {"values": pairs}}, {f"k{number}": each for number, (part, each) in enumerate(parts) if part}
    values = {
        "stringValue": random.choice(["", "{", 'a"b', "é"]),
        "intValue": "7",
        "boolValue": True,
        "doubleValue": 0.5,
    }
    return ({kind: values[kind]}, values[kind]) if kind in values else ({}, None)


def first_of(value: Any) -> str | None:
    """What a column has of a value."""
    value = value[0] if isinstance(value, list) and value else None if value == [] else value
    return (
        value
        if value is None or isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )


@pytest.mark.parametrize("seed", range(8))
def test_values_of_otlp(seed: int) -> None:
    random = Random(seed)
    values = [typed(random, 7) for _ in range(150)]
    record = "resourceLogs", "scopeLogs", "logRecords"
    url = {"key": "url.full", "value": {"stringValue": BASE}}
    for place in ("attribute", "body"):
        records: list[Any] = []
        for whole, _ in values:
            attributes = [url, {"key": "it", "value": whole}] if place == "attribute" else [url]
            records.append({"attributes": attributes} | ({"body": whole} if place == "body" else {}))
        for name in reversed(record):
            records = [{name: records}]
        name = "it" if place == "attribute" else "body"
        text = json.dumps(records[0], ensure_ascii=False, separators=(",", ":"))
        ended = run("--log", "otlp", "--json", f"--keep={name}", "-g", "{href}", stdin=text)
        rows = [json.loads(row) for row in ended.lines]
        assert [row[name] or None for row in rows] == [first_of(plain) or None for _, plain in values]
        assert all(row["href"] == BASE for row in rows)


def test_values_of_otlp_that_are_deep() -> None:
    """So many levels are read, whatever their number is, and time is linear."""
    for levels in (1, 8, 9, 100):
        value = '{"arrayValue":{"values":[' * levels + '{"stringValue":"x"}' + "]}}" * levels
        text = f'{{"key":"url.full","value":{{"stringValue":"{BASE}"}}}},{{"key":"a","value":{value}}}'
        line = f'{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"attributes":[{text}]}}]}}]}}]}}'
        [row] = run("--log", "otlp", "--json", "--keep=a", "-g", "{href}", stdin=line).lines
        found = json.loads(row)["a"]
        wanted = "x" if levels == 1 else "[" * min(levels - 1, 7)
        assert found.startswith(wanted), levels


# https://istio.io/latest/docs/tasks/observability/logs/access-log/#default-access-log-format
ISTIO = (
    '[2026-11-22T10:00:05.310Z] "GET /x HTTP/1.1" 418 - via_upstream - "-" 0 135 4 4 "-" "curl/8.5.0" "84961386" '
    '"httpbin:8000" "127.0.0.1:80" inbound|8000|| 127.0.0.1:41854 10.44.1.27:80 10.44.1.23:37652 outbound_.8000 default'
)


@pytest.mark.parametrize("format", ["common", "combined", "envoy"])
def test_numbers_that_are_none(format: str) -> None:
    """Such a line is of another format, or has a quote that is not escaped: what was read of it would be wrong."""
    numbers = [*NUMBERS, *(("bytes_received", "duration") if format == "envoy" else ())]
    good = lines_of(format)[0].text
    for name in numbers:
        [value] = {str(each.value) for each in lines_of(format) if each.name == name}
        begin = good.index(f" {value} " if f" {value} " in good else f" {value}") + 1
        for other in ("via_upstream", "1.5", "-1", '"-"', "1e3", "٣"):
            line = f"{good[:begin]}{other}{good[begin + len(value) :]}\n"
            ended = run("check", "--log", format, "--base", "http://h", stdin=line)
            why = f"it is not of this format: {name} is not a number"
            assert f"standard input:1:{begin + 1}: invalid-record: {why}" in ended.out
        for other in ("-", "000", "9" * 40):
            line = f"{good[:begin]}{other}{good[begin + len(value) :]}\n"
            assert run("check", "--log", format, "--base", "http://h", stdin=line).status == 0


def test_istio_is_not_envoy() -> None:
    ended = run("--log", "envoy", "--json", "--keep", "-g", "{href}", stdin=ISTIO)
    assert not any(json.loads(ended.out).values())
    column = ISTIO.index("via_upstream") + 1
    assert f"standard input:1:{column}: invalid-record: it is not of this format: bytes_received is not" in ended.err


# https://devcenter.heroku.com/articles/log-drains#https-drains
@pytest.mark.parametrize(
    ("line", "time"),
    [
        (f"2026-11-22T10:00:05.123456+00:00 heroku[router]: url={BASE}", "2026-11-22T10:00:05.123456+00:00"),
        (f"83 <158>1 2026-11-22T10:00:05+01:00 host heroku router - url={BASE}", "2026-11-22T10:00:05+01:00"),
        (f"  2026-11-22T10:00:05Z\turl={BASE}", "2026-11-22T10:00:05Z"),
        (f"2026-11-22T10:00:05 url={BASE}", "2026-11-22T10:00:05"),
        (f"2026-11-22T10:00:05Z url={BASE} time=2026-11-23T10:00:05Z", "2026-11-23T10:00:05Z"),
        (f"{TIME} url={BASE} timestamp=2026-11-23T10:00:05Z ts=2026-11-24T10:00:05Z", "2026-11-24T10:00:05Z"),
        (f"2026-11-22T10:00:05Z 2026-11-23T10:00:05Z url={BASE}", "2026-11-22T10:00:05Z"),
        (f"url={BASE} 2026-11-22T10:00:05Z", None),
        (f"a=2026-11-22T10:00:05Z url={BASE}", None),
        (f"2026-11-22T10:00:05Z=a url={BASE}", None),
        (f"2026-11-22 url={BASE}", None),
    ],
)  # fmt: skip
def test_times_before_the_pairs(line: str, time: str | None) -> None:
    ended = run("--log", "logfmt", "--json", "--keep=time", "-g", "{href}", stdin=line)
    assert json.loads(ended.out) == {"time": time, "href": BASE}
    if time is not None and time[-1] == "Z":
        assert run("--log", "logfmt", "--since", time, stdin=line).lines == [BASE]


@pytest.mark.parametrize("seed", range(12))
def test_several_files_of_w3c(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any order: a field that one file has is there, and one that none has is named once."""
    monkeypatch.chdir(tmp_path)
    random = Random(seed)
    names = ["bytes", "status", "method", "client", "x-extra"]
    known = {"bytes": "sc-bytes", "status": "sc-status", "method": "cs-method", "client": "c-ip"}
    files, rows = [], []
    for number in range(random.randrange(2, 5)):
        text = ""
        for part in range(random.randrange(1, 3)):
            fields = random.sample(names, random.randrange(1, len(names)))
            text += f"#Fields: cs-uri {' '.join(known.get(name, name) for name in fields)}\n"
            for _ in range(random.randrange(3)):
                values = {name: random.choice(["7", "-"]) for name in fields}
                text += f"http://h/{number}/{part} {' '.join(values.values())}\n"
                rows.append([f"http://h/{number}/{part}", *(values.get(name, "").strip("-") for name in names)])
        Path(f"{number}.log").write_text(text)
        files.append(text)
    declared = {name for name in names if any(f" {known.get(name, name)}" in text for text in files)}
    missing = [name for name in names if name not in declared]
    template = "{href}" + "".join(f",{{column:{name}}}" for name in names)
    paths = [f"{number}.log" for number in range(len(files))]
    ended = run("--log", "w3c", "-g", template, "-f", *paths)
    assert [line.split(",") for line in ended.lines] == rows
    said = "".join(f"weburl: no record has a value in the field {name!r}\n" for name in missing)
    assert (ended.status, ended.err) == ((1, said) if missing and rows else (0, ""))


def test_all_columns_of_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of the first file."""
    monkeypatch.chdir(tmp_path)
    for name in ("CloudFront", "IIS"):
        Path(name).write_text("\n".join((*SAMPLES[name].head, SAMPLES[name].lines[0])) + "\n")
    ended = run("--log", "w3c", "--json", "--keep", "-g", "{href}", "-f", "CloudFront", "CloudFront")
    assert (ended.status, ended.err) == (0, "")
    Path("short").write_text("#Fields: cs-uri-stem x-host-header sc-status\n/ h 200\n")
    ended = run("--log", "w3c", "--json", "--keep", "-g", "{href}", "-f", "CloudFront", "short")
    assert (ended.status, ended.err) == (0, "")
    first, second = (json.loads(row) for row in ended.lines)
    assert second == dict.fromkeys(first) | {"target": "/", "host": "h", "status": 200, "href": "http://h/"}


# What configurations of nginx and Apache call fields.
CONFIGURED = {
    "$request_method": "method", "$request_uri": "target", "$server_protocol": "version", "$body_bytes_sent": "bytes",
    "$http_referer": "referrer", "$http_user_agent": "agent", "$remote_addr": "client", "$remote_user": "user",
    "$time_local": "time", "$time_iso8601": "time", "$http_host": "host", "$server_name": "server",
    "%h": "client", "%a": "client", "%l": "identity", "%u": "user", "%t": "time", "%r": "request", "%m": "method",
    "%U": "target", "%H": "version", "%s": "status", "%b": "bytes", "%B": "bytes", "%O": "bytes_sent",
    "%I": "bytes_received", "%v": "server", "%V": "server", "%p": "port", "%D": "microseconds", "%T": "seconds",
    "%{Referer}i": "referrer", "%{User-Agent}i": "agent", "%{Host}i": "host",
}  # fmt: skip


@pytest.mark.parametrize(("directive", "column"), CONFIGURED.items())
def test_configured_formats(directive: str, column: str) -> None:
    # The port of a server is not that of the URL, and its name is that of a host.
    value, url = (
        VALUES["host"]
        if column == "server"
        else ("8443", BASE)
        if column == "port"
        else VALUES.get(column, (ANY, BASE))
    )
    is_nginx = directive[0] == "$"
    fields = {directive: value}
    if column not in ("request", "target"):
        fields["$request_uri" if is_nginx else "%r"] = "/x" if is_nginx else "GET /x HTTP/1.1"
    if column not in ("host", "server"):
        fields["$host" if is_nginx else "%{Host}i"] = "h.example"
    # Apache itself writes the brackets of %t.
    text = " ".join(f"[{value}]" if name == "%t" else f'"{value}"' for name, value in fields.items()) + "\n"
    format = " ".join(name if name == "%t" else f'"{name}"' for name in fields)
    name, wanted = ("target", PATH) if column == "request" else (column, int(value) if column in NUMBERS else value)
    ended = run("--log", format, "--json", f"--keep={name}", "-g", "{href}", stdin=text)
    assert json.loads(ended.out) == {name: wanted, "href": url}
    assert run("redact", "--log", format, stdin=text).out == text.replace(SECRET, HIDDEN)


def test_the_directives_are_all() -> None:
    found = {name if name[0] == "%" else f"${name}" for name in NAMES}
    assert {name.lower() if "{" in name else name for name in CONFIGURED} == found
