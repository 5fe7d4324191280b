"""Public suffixes and registrable domains, over the list that publicsuffixlist ships."""

from __future__ import annotations

import copy
import io
import re
import subprocess
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tiers.psl_agreement import IMPLIED, LIST, OTHER, RULES, differences

from weburl import URL, InvalidURL
from weburl._hosts.psl import parse_list
from weburl.bulk import parse_many
from weburl.hosts import PublicSuffixList, domain_to_ascii, parse_host, public_suffix, registrable_domain


# https://url.spec.whatwg.org/#example-host-psl
@pytest.mark.parametrize(
    ("host", "suffix", "registrable"),
    [
        ("com", "com", None),
        ("example.com", "com", "example.com"),
        ("www.example.com", "com", "example.com"),
        ("sub.www.example.com", "com", "example.com"),
        ("EXAMPLE.COM", "com", "example.com"),
        ("example.com.", "com.", "example.com."),
        ("github.io", "github.io", None),
        ("whatwg.github.io", "github.io", "whatwg.github.io"),
        ("إختبار", "xn--kgbechtv", None),
        ("example.إختبار", "xn--kgbechtv", "example.xn--kgbechtv"),
        ("sub.example.إختبار", "xn--kgbechtv", "example.xn--kgbechtv"),
        ("[2001:0db8:85a3:0000:0000:8a2e:0370:7334]", None, None),
    ],
)
def test_example_table(host: str, suffix: str | None, registrable: str | None) -> None:
    url = URL(f"https://{host}/")
    for given_host in (host, parse_host(host), url):
        assert public_suffix(given_host) == suffix
        assert registrable_domain(given_host) == registrable


# The test vectors of publicsuffix.org, which are in the public domain: a host and its registrable domain.
VECTORS = """
COM -  example.COM example.com  WwW.example.COM example.com
.com -  .example -  .example.com -  .example.example -
example -  example.example example.example  b.example.example example.example  a.b.example.example example.example
biz -  domain.biz domain.biz  b.domain.biz domain.biz  a.b.domain.biz domain.biz
example.com example.com  b.example.com example.com  a.b.example.com example.com
uk.com -  example.uk.com example.uk.com  b.example.uk.com example.uk.com  a.b.example.uk.com example.uk.com
test.ac test.ac
mm -  c.mm -  b.c.mm b.c.mm  a.b.c.mm b.c.mm
jp -  test.jp test.jp  www.test.jp test.jp  ac.jp -  test.ac.jp test.ac.jp  www.test.ac.jp test.ac.jp
kyoto.jp -  test.kyoto.jp test.kyoto.jp  ide.kyoto.jp -  b.ide.kyoto.jp b.ide.kyoto.jp  a.b.ide.kyoto.jp b.ide.kyoto.jp
c.kobe.jp -  b.c.kobe.jp b.c.kobe.jp  a.b.c.kobe.jp b.c.kobe.jp
city.kobe.jp city.kobe.jp  www.city.kobe.jp city.kobe.jp
ck -  test.ck -  b.test.ck b.test.ck  a.b.test.ck b.test.ck  www.ck www.ck  www.www.ck www.ck
us -  test.us test.us  www.test.us test.us  ak.us -  test.ak.us test.ak.us  www.test.ak.us test.ak.us
k12.ak.us -  test.k12.ak.us test.k12.ak.us  www.test.k12.ak.us test.k12.ak.us
食狮.com.cn xn--85x722f.com.cn  食狮.公司.cn xn--85x722f.xn--55qx5d.cn  www.食狮.公司.cn xn--85x722f.xn--55qx5d.cn
shishi.公司.cn shishi.xn--55qx5d.cn  公司.cn -  食狮.中国 xn--85x722f.xn--fiqs8s  www.食狮.中国 xn--85x722f.xn--fiqs8s
shishi.中国 shishi.xn--fiqs8s  中国 -
xn--85x722f.com.cn xn--85x722f.com.cn  xn--85x722f.xn--55qx5d.cn xn--85x722f.xn--55qx5d.cn
www.xn--85x722f.xn--55qx5d.cn xn--85x722f.xn--55qx5d.cn  shishi.xn--55qx5d.cn shishi.xn--55qx5d.cn  xn--55qx5d.cn -
xn--85x722f.xn--fiqs8s xn--85x722f.xn--fiqs8s  www.xn--85x722f.xn--fiqs8s xn--85x722f.xn--fiqs8s
shishi.xn--fiqs8s shishi.xn--fiqs8s  xn--fiqs8s -
""".split()


@pytest.mark.parametrize(("host", "expected"), list(zip(VECTORS[::2], VECTORS[1::2], strict=True)))
def test_vectors(host: str, expected: str) -> None:
    assert (registrable_domain(host) or "-") == expected
    if expected != "-":
        assert registrable_domain(host + ".") == expected + "."


@pytest.mark.parametrize(
    "host", ["1.2.3.4", "0x7f.1", "[::1]", ".com", "a..com", "example..com", ".", "..", "com..", "a.com.."]
)
def test_none(host: str) -> None:
    assert public_suffix(host) is None
    assert registrable_domain(host) is None


def test_other_hosts() -> None:
    for url in ("foo://example.com/", "mailto:a@example.com", "file:///c", "foo:///x", "data:,example.com"):
        assert public_suffix(URL(url)) is None
        assert registrable_domain(URL(url)) is None
    assert public_suffix(parse_host("example.com", opaque=True)) is None
    assert registrable_domain(URL("https://u:p@a.b.example.co.uk:81/x")) == "example.co.uk"
    assert registrable_domain(parse_host("a.example.com")) == "example.com"
    assert public_suffix(ip_address("::1")) is registrable_domain(ip_address("1.2.3.4")) is None


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.ＥＸＡＭＰＬＥ。ｃｏｍ", "example.com"),
        ("a%2eexample.com", "example.com"),
        ("ＷＷＷ.BÜCHER.de", "xn--bcher-kva.de"),
        ("x.faß.de", "xn--fa-hia.de"),
    ],
)
def test_through_the_host_parser(host: str, expected: str) -> None:
    assert registrable_domain(host) == expected


@pytest.mark.parametrize("host", ["", "a b", "exa/mple.com", "[::1", "a.256", "\u200b", "xn--\u0661"])
def test_not_a_host(host: str) -> None:
    for function in (public_suffix, registrable_domain):
        with pytest.raises(InvalidURL):
            function(host)


@pytest.mark.parametrize("host", [None, b"example.com", 1, ["example", "com"]])
def test_wrong_type(host: object) -> None:
    for function in (public_suffix, registrable_domain):
        with pytest.raises(TypeError, match="a str, a Host, a URL or an address"):
            function(host)  # type: ignore[arg-type]


SAMPLE = """\
// VERSION: 2026-01-02_03-04-05_UTC
// ===BEGIN ICANN DOMAINS===
tld
co.tld   and a comment
*.wild.tld
!kept.wild.tld
deep.kept.wild.tld

*
münchen.tld
// ===END ICANN DOMAINS===
  spaced.tld
//x.tld
*.only
*.the.deepest.of.tld
"""


@pytest.fixture(scope="module")
def sample() -> PublicSuffixList:
    return PublicSuffixList(io.StringIO(SAMPLE))


@pytest.mark.parametrize(
    ("host", "suffix"),
    [
        ("tld", "tld"), ("a.tld", "tld"), ("co.tld", "co.tld"), ("b.a.co.tld", "co.tld"), ("xco.tld", "tld"),
        ("wild.tld", "tld"), ("a.wild.tld", "a.wild.tld"), ("b.a.wild.tld", "a.wild.tld"),
        ("kept.wild.tld", "wild.tld"), ("a.kept.wild.tld", "wild.tld"), ("deep.kept.wild.tld", "wild.tld"),
        ("a.MÜNCHEN.tld", "xn--mnchen-3ya.tld"), ("unknown", "unknown"), ("a.unknown", "unknown"),
        ("x.tld", "tld"), ("a.spaced.tld", "spaced.tld"), ("only", "only"), ("a.only", "a.only"),
        ("b.a.only", "a.only"), ("b.a.the.deepest.of.tld", "a.the.deepest.of.tld"), ("the.deepest.of.tld", "tld"),
    ],
)  # fmt: skip
def test_rules(sample: PublicSuffixList, host: str, suffix: str) -> None:
    assert public_suffix(host, psl=sample) == suffix
    assert public_suffix(host + ".", psl=sample) == suffix + "."
    registrable = registrable_domain(host, psl=sample)
    assert (registrable is None) == (domain_to_ascii(host) == suffix)
    if registrable is not None:
        assert domain_to_ascii(host).endswith(registrable)
        assert registrable.removesuffix(suffix).count(".") == 1


def test_the_list_has_no_other_rules() -> None:
    """The list has no other kinds than names, and names with `*.` or `!` before them."""
    assert len(RULES) > 9000
    assert [rule for rule in RULES if not re.fullmatch(r"(?:!|\*\.)?[^!*\s.]+(?:\.[^!*\s.]+)*", rule)] == []
    assert {rule[:2] for rule in RULES if rule[0] in "!*"} >= {"*.", "!w"}


@pytest.mark.parametrize(
    ("host", "suffix", "icann"),
    [
        ("a.github.io", "github.io", "io"),
        ("github.io.", "github.io.", "io."),
        ("a.b.compute.amazonaws.com", "b.compute.amazonaws.com", "com"),
        ("b.compute.amazonaws.com", "b.compute.amazonaws.com", "com"),
        ("www.ck", "ck", "ck"),
        ("a.co.uk", "co.uk", "co.uk"),
        ("blogspot.com.example", "example", "example"),
    ],
)
def test_private_section(host: str, suffix: str, icann: str) -> None:
    assert public_suffix(host) == suffix
    assert public_suffix(host, private=False) == icann
    for url in (parse_host(host), URL(f"http://{host}/")):
        assert public_suffix(url, private=False) == icann
    assert registrable_domain("x." + host, private=False) == ".".join(("x." + host).split(".")[-icann.count(".") - 2 :])


SECTIONS = """\
tld
// ===BEGIN PRIVATE DOMAINS===
*.wild.tld
!kept.wild.tld
tld2
// ===END PRIVATE DOMAINS===
*.wild2.tld2
"""


@pytest.mark.parametrize(
    ("host", "suffix", "icann"),
    [
        ("a.wild.tld", "a.wild.tld", "tld"), ("kept.wild.tld", "wild.tld", "tld"), ("tld2", "tld2", "tld2"),
        ("a.wild2.tld2", "a.wild2.tld2", "a.wild2.tld2"), ("wild2.tld2", "tld2", "tld2"),
    ],
)  # fmt: skip
def test_sections(host: str, suffix: str, icann: str) -> None:
    psl = PublicSuffixList(io.StringIO(SECTIONS))
    assert public_suffix(host, psl=psl) == suffix
    assert public_suffix(host, private=False, psl=psl) == icann


@pytest.mark.parametrize(
    ("host", "suffix", "registrable"),
    [
        ("www.食狮.公司.cn", "公司.cn", "食狮.公司.cn"),
        ("www.xn--85x722f.xn--55qx5d.cn.", "公司.cn.", "食狮.公司.cn."),
        ("a.BÜCHER.de", "de", "bücher.de"),
        ("xn--a.com", "com", "xn--a.com"),  # which is the ASCII form of nothing
        ("127.0.0.1", None, None),
    ],
)
def test_unicode(host: str, suffix: str | None, registrable: str | None) -> None:
    for given_host in (host, parse_host(host), URL(f"https://{host}/")):
        assert public_suffix(given_host, unicode=True) == suffix
        assert registrable_domain(given_host, unicode=True) == registrable


def test_a_copy_is_the_list_itself(sample: PublicSuffixList) -> None:
    assert copy.copy(sample) is sample
    assert copy.deepcopy({"psl": [sample]})["psl"][0] is sample


def test_version(tmp_path: Path) -> None:
    version = PublicSuffixList.default().version
    assert f"VERSION: {version}\n" in LIST[:1000]
    assert re.fullmatch(r"20\d\d-\d\d-\d\d_\S+", version)
    assert PublicSuffixList.default() is PublicSuffixList.default()
    assert parse_list(SAMPLE)[0] == "2026-01-02_03-04-05_UTC"
    (tmp_path / "list").write_text("com", "utf-8")
    unversioned = PublicSuffixList(tmp_path / "list")
    assert PublicSuffixList(str(tmp_path / "list")).version == ""
    assert unversioned.version == ""
    assert version in repr(PublicSuffixList.default())
    with pytest.raises(AttributeError):
        unversioned.version = "x"  # type: ignore[misc]


def test_a_byte_order_mark_is_no_part_of_the_list(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("// VERSION: ours\n", "utf-8-sig")
    assert PublicSuffixList(tmp_path / "list").version == "ours"
    (tmp_path / "list").write_text("!www.ck\n*.ck\n", "utf-8-sig")
    assert registrable_domain("a.www.ck", psl=PublicSuffixList(tmp_path / "list")) == "www.ck"


def test_no_list(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        PublicSuffixList(tmp_path / "none")
    for psl in ("com", 1):
        with pytest.raises(TypeError, match="psl must be a PublicSuffixList"):
            public_suffix("a.com", psl=psl)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        PublicSuffixList.__new__(PublicSuffixList)
    assert public_suffix("a.co.uk", psl=PublicSuffixList(io.StringIO(""))) == "uk"


def test_odd_lists() -> None:
    """A name that no host can have matches nothing. Case makes no difference."""
    long = ".".join(["x" * 60] * 5)
    text = f"CO.UK\n{long}\n!\n*.\n\u200b\n" + "x\n".join(map(str, range(10**4))) + "x"
    psl = PublicSuffixList(io.StringIO(text))
    assert public_suffix("a.co.uk", psl=psl) == "co.uk"
    assert public_suffix(long, psl=psl) == "x" * 60
    assert public_suffix("a.9999x", psl=psl) == "9999x"


LABELS = st.sampled_from(["a", "www", "city", "kobe", "xn--mnchen-3ya", "mm"])


@given(st.lists(LABELS, max_size=3), st.sampled_from(RULES), st.booleans(), st.booleans())
def test_agrees_with_publicsuffixlist(labels: list[str], rule: str, dot: bool, private: bool) -> None:
    host = domain_to_ascii(".".join([*labels, rule.replace("*", "x").removeprefix("!")]))
    # Where only a wildcard speaks of a name the two differ: test_a_wildcard_implies_nothing.
    assume(host not in IMPLIED)
    suffix = OTHER[private].publicsuffix(host)
    assert public_suffix(host + "." * dot, private=private) == suffix + "." * dot
    registrable = OTHER[private].privatesuffix(host)
    assert registrable_domain(host + "." * dot, private=private) == (registrable and registrable + "." * dot)


def test_agrees_on_generated_hosts() -> None:
    """`make psl-agreement` does it for 10^6 of them."""
    excused: list[str] = []
    assert list(differences(20_000, 0, excused)) == []
    assert len(excused) < 100


@pytest.mark.parametrize("rules", ["!com", "!*.com", "!com\n!b.com\ncom", "// ===BEGIN PRIVATE DOMAINS===\n!com"])
def test_an_exception_of_one_label(rules: str) -> None:
    """It is no rule: without its first label, nothing is left."""
    psl = PublicSuffixList(io.StringIO(rules))
    for host, suffix in {"com": "com", "com.": "com.", "a.com": "com", "x.a.com": "com", "org": "org"}.items():
        assert public_suffix(host, psl=psl) == suffix
    rows = ["http://com/"] * 5000 + ["http://aaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbb/"] * 200
    for views in (False, True):
        table = parse_many(rows, ["public_suffix", "registrable_domain"], psl=psl, views=views)
        assert table["public_suffix"].to_pylist() == ["com"] * 5000 + ["b" * 24] * 200
        assert table["registrable_domain"].to_pylist() == [None] * 5000 + ["a" * 8 + "." + "b" * 24] * 200


@pytest.mark.parametrize("end", ["\u2028", "\x85", "\v", "\f", "\x1c"])
def test_a_comment_ends_with_its_line(end: str) -> None:
    psl = PublicSuffixList(io.StringIO(f"com\r\n// see{end}com.example\nb.example\n"))
    assert public_suffix("a.com.example", psl=psl) == "example"
    assert public_suffix("a.b.example", psl=psl) == "b.example"


@pytest.mark.parametrize("file", [None, 5, b"com", io.BytesIO(b"com")])
def test_not_a_list(file: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^(file must be a path or an open file, not \w+: .*|the file of a list must be open as text)$"
    ):
        PublicSuffixList(file)


def test_a_wildcard_implies_nothing() -> None:
    """By the formal algorithm: kobe.jp does not match *.kobe.jp, and jp is a rule."""
    assert (public_suffix("kobe.jp"), registrable_domain("kobe.jp")) == ("jp", "kobe.jp")


def test_without_the_package() -> None:
    code = """
import sys
sys.modules["publicsuffixlist"] = None
from weburl.hosts import PublicSuffixList, public_suffix, registrable_domain
for call in (lambda: public_suffix("a.com"), lambda: registrable_domain("a.com"), PublicSuffixList.default):
    try:
        call()
    except ImportError as error:
        assert "pip install weburl[psl]" in str(error)
    else:
        raise AssertionError
del sys.modules["publicsuffixlist"]
assert registrable_domain("www.a.com") == "a.com"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_loaded_by_many_threads() -> None:
    code = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from weburl.hosts import PublicSuffixList, registrable_domain
sys.setswitchinterval(1e-6)
barrier = Barrier(8)
def load(index):
    barrier.wait()
    return registrable_domain(f"www.h{index}.co.uk"), PublicSuffixList.default()
with ThreadPoolExecutor(8) as pool:
    found = list(pool.map(load, range(8)))
assert [domain for domain, _ in found] == [f"h{index}.co.uk" for index in range(8)]
assert len({psl for _, psl in found}) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_surrogates() -> None:
    assert registrable_domain("a.\ud835\udd68.com") == "w.com"
    with pytest.raises(InvalidURL):
        public_suffix("\ud800.com")


def test_loaded_late() -> None:
    code = (
        "import sys, weburl, weburl.hosts as h\n"
        "assert not {'publicsuffixlist', 'idna', 'weburl._hosts.psl'} & set(sys.modules)\n"
        "assert h.public_suffix('a.com') == 'com'\n"
        "assert 'publicsuffixlist' not in sys.modules or 'weburl._hosts.psl' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.long
@pytest.mark.parametrize("host", ["a." * 10**6 + "co.uk", "a" * 10**6 + ".co.uk", "a." + "uk." * 10**6, "x" * 10**6])
def test_long_hosts(host: str) -> None:
    """What this costs is counted in support/shapes.py."""
    parsed = parse_host(host)
    suffix, registrable = public_suffix(parsed), registrable_domain(parsed)
    assert suffix is not None
    assert str(parsed).endswith(registrable or suffix)


def test_hosts_of_each_length() -> None:
    """The dots of a short host are looked for word by word, those of a long one byte by byte."""
    for before in range(1, 140):
        for label in (1, 7, 8, 9, 63):
            site = "y" * label + ".co.uk"
            host = "x" * before + "." + site
            assert registrable_domain(host) == site
            assert registrable_domain(host + ".") == site + "."
            assert public_suffix("w." * before + site) == "co.uk"
        host = "a." * (before // 2) + "b" * 9 + ".co.uk"
        for place in (0, before % len(host), len(host) - 3):
            assert registrable_domain(f"{host[:place]}..{host[place:]}") is None
