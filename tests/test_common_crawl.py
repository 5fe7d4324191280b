"""common_crawl_many: the columns of Common Crawl's index, as facts from its own tests and from its index."""

from __future__ import annotations

import random
from io import StringIO
from typing import Any

import pytest
from support.verb_calls import Row, common_crawl_of

from weburl.bulk import common_crawl_many, parse_many
from weburl.hosts import PublicSuffixList

# https://github.com/commoncrawl/cc-index-table/blob/fe3a5e0/src/main/resources/schema/cc-index-schema-flat.json
NAMES = """\
url_surtkey url url_host_name url_host_tld url_host_2nd_last_part url_host_3rd_last_part url_host_4th_last_part
url_host_5th_last_part url_host_registry_suffix url_host_registered_domain url_host_private_suffix
url_host_private_domain url_host_name_reversed url_protocol url_port url_path url_query""".split()


def row(url: str, psl: PublicSuffixList | None = None) -> dict[str, Any]:
    [only] = common_crawl_many([url], psl=psl)
    return only


def test_names() -> None:
    assert list(common_crawl_many([]).column_names) == NAMES


def test_the_examples_of_the_schema() -> None:
    values = row("https://www.example.com/path/index.html")
    assert values["url_surtkey"] == "com,example)/path/index.html"
    assert values["url_host_name"] == "www.example.com"
    assert [values[name] for name in NAMES[3:8]] == ["com", "example", "www", None, None]
    assert values["url_host_name_reversed"] == "com.example.www"
    assert (values["url_protocol"], values["url_port"], values["url_path"], values["url_query"]) == (
        "https", None, "/path/index.html", None,
    )  # fmt: skip
    values = row("https://host1.sub2.subdomain.example.com:8443/search?q=abc&lang=en")
    assert (values["url_host_5th_last_part"], values["url_host_4th_last_part"]) == ("host1", "sub2")
    assert (values["url_port"], values["url_query"]) == (8443, "q=abc&lang=en")
    values = row("https://www.bbc.co.uk/")
    assert [values[name] for name in NAMES[8:12]] == ["co.uk", "bbc.co.uk"] * 2
    assert values["url_host_2nd_last_part"] == "co"
    values = row("https://mypublicbucket.s3.amazonaws.com/")
    assert [values[name] for name in NAMES[8:12]] == [
        "com", "amazonaws.com", "s3.amazonaws.com", "mypublicbucket.s3.amazonaws.com",
    ]  # fmt: skip


# The column, the URL and the value in the Java tests of cc-index-table, without the calls.
FACTS = [
    ("url_host_name", "http://www.example.com/path/q?a=b&c=d", "www.example.com"),
    ("url_protocol", "http://www.example.com/path/q?a=b&c=d", "http"),
    ("url_port", "http://www.example.com/path/q?a=b&c=d", None),
    ("url_path", "http://www.example.com/path/q?a=b&c=d", "/path/q"),
    ("url_query", "http://www.example.com/path/q?a=b&c=d", "a=b&c=d"),
    ("url_host_name_reversed", "http://www.example.com/path/q?a=b&c=d", "com.example.www"),
    *[
        (name, f"http://{host}/index.html", "123.123.123.123" if name == "url_host_name" else None)
        for host in ("123.123.123.123", "123.123.31611", "123.8092539", "2071690107", "123.123.123.123.")
        for name in ("url_host_name", "url_host_registered_domain", "url_host_registry_suffix", "url_host_tld")
    ],
    ("url_host_registered_domain", "http://example.invalid/", None),
    ("url_host_registry_suffix", "http://example.invalid/", None),
    ("url_host_tld", "http://example.invalid/", "invalid"),
    ("url_host_registered_domain", "http://www.example%2ecom/", "example.com"),
    ("url_host_private_domain", "http://www.example%2ecom/", "example.com"),
    ("url_host_name", "http://www.exæmple.com/", "www.xn--exmple-qua.com"),
    ("url_host_registered_domain", "http://www.exæmple.com/", "xn--exmple-qua.com"),
    ("url_host_name", "http://www.example.%d0%a0%d0%a4/", "www.example.xn--p1ai"),
    ("url_host_tld", "http://www.example.%d0%a0%d0%a4/", "xn--p1ai"),
    ("url_host_registered_domain", "http://www.example.%d0%a0%d0%a4/", "example.xn--p1ai"),
    ("url_host_private_domain", "http://myblog.blogspot.com/", "myblog.blogspot.com"),
    ("url_host_registered_domain", "http://myblog.blogspot.com/", "blogspot.com"),
    ("url_host_tld", "http://www.example.com./path/q", "com"),
    ("url_host_registered_domain", "http://www.example.com./path/q", "example.com"),
    ("url_host_name", "https://www.example.com/path with space", "www.example.com"),
    ("url_host_name", "http://www.🧠.com/", "www.xn--qv9h.com"),
    ("url_host_name", "http://%f0%9f%a7%a0.s.country/", "xn--qv9h.s.country"),
    ("url_host_name", "http://münchen.de/", "xn--mnchen-3ya.de"),
    ("url_host_name", "https:////www.google.com/robots.txt", "www.google.com"),
    ("url_host_name", "http:/www.google.com/robots.txt", "www.google.com"),
    ("url_host_name", "http://sites.google.com////robots.txt", "sites.google.com"),
    ("url_path", "http://sites.google.com////robots.txt", "////robots.txt"),
    ("url_host_name", "metadata://gnu.org/software/wget/warc/MANIFEST.txt", "gnu.org"),
]
# Of the list in which these were written, blogspot.com was a private suffix.
LIST = PublicSuffixList(StringIO("""\
com
country
de
invalid.example
org
рф
// ===BEGIN PRIVATE DOMAINS===
blogspot.com
// ===END PRIVATE DOMAINS===
"""))  # fmt: skip


@pytest.mark.parametrize(("name", "url", "value"), FACTS)
def test_facts(name: str, url: str, value: str | int | None) -> None:
    assert row(url, LIST)[name] == value


# Where weburl's value is another; docs/archives.md says why. The value of Common Crawl's code is the last.
DIFFERENCES = [
    ("url_path", "https://www.example.com/path with space", "/path%20with%20space", "/path with space"),
    ("url_path", "https://www.example.com/a/../b", "/b", "/a/../b"),
    ("url_path", "https://www.example.com", "/", ""),
    ("url_port", "https://www.example.com:443/", None, 443),
    ("url_host_name", "dns:www.example.com", None, "www.example.com"),
    ("url_host_name", "whois://whois.iana.org/example.com", "whois.iana.org", "example.com"),
    ("url_host_name", "http://www.\u007f.com/", None, "www.\u007f.com"),
    ("url_host_registry_suffix", "http://www.city.kawasaki.jp/", "kawasaki.jp", "city.kawasaki.jp"),
    ("url_host_registered_domain", f"http://{'a' * 64}.com/", f"{'a' * 64}.com", None),
]


@pytest.mark.parametrize(("name", "url", "value", "theirs"), DIFFERENCES)
def test_differences(name: str, url: str, value: str | int | None, theirs: str | int | None) -> None:
    assert row(url)[name] == value != theirs


def test_rows_that_are_not_urls() -> None:
    table = common_crawl_many(["https://example.com/", "no URL", None])
    assert table.errors == {"missing-scheme-non-relative-URL": 1}
    assert table.to_pylist()[1:] == [dict.fromkeys(NAMES)] * 2
    assert table["url_port"].to_pylist() == [None] * 3
    assert parse_many(table["url"], ["hostname"])["hostname"].to_pylist()[0] == "example.com"


@pytest.mark.parametrize("seed", range(4))
def test_the_model(seed: int) -> None:
    """Random hosts, of the list's own suffixes and others."""
    draw = random.Random(seed)
    labels = [*"com co uk www jp kawasaki city github io ck bd a invalid рф 1".split(), ""]
    urls = []
    for _ in range(3000):
        host = ".".join(draw.choices(labels, k=draw.randint(1, 7)))
        host = draw.choice([host, host, host, "[1::2]", "1.2.3.4", "h" * draw.randrange(1, 600) + ".com"])
        end = draw.choice(["", ".", ":8080", ":443"]) + "/" + draw.choice(["", "A?b=1&a", "?", "%7e;jsessionid=1"])
        urls.append(f"{draw.choice(['http', 'https', 'ws', 'x'])}://{host}{end}")
    found = common_crawl_many(urls).to_pylist()
    expected = [
        common_crawl_of(Row(url, None, "utf-8"), None) if each["url"] else dict.fromkeys(NAMES)
        for url, each in zip(urls, found, strict=True)
    ]
    assert found == expected
    assert sum(each["url"] is not None for each in found) > 2000
    assert common_crawl_many(urls, threads=2).to_pylist() == found
