"""Inputs for the benchmarks and the demo: the real links of WEBURL_DATA, and generated ones, the same every time."""

import os
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

SEED = 20260702

NAMES = (
    "acme alpine amber atlas aurora beacon birch bluebird bridge cedar city clover coast comet compass copper coral "
    "crest daily delta dune eagle echo ember falcon fern field forge forest garden gazette glacier granite harbor "
    "hazel herald horizon island juniper lake lantern library linden lotus lunar maple market meadow mercury mirror "
    "mountain museum nova oak ocean olive orbit orchid panda pearl pine planet prairie quartz raven ridge river robin "
    "sage sierra silver solar spruce star stone summit sunrise thistle tide timber tribune tulip valley velvet violet "
    "vista walnut wave willow winter zenith"
).split()
WORDS = (
    "about account archive article autumn basket best book bread camera category chapter city climate coffee "
    "collection color concert contact country course cycling data day design download edition education energy event "
    "family festival film finance food free game garden gear gift guide health history home hotel house image index "
    "interview issue job journal kids kitchen language learn letter life light list local magazine map market member "
    "money mountain music nature network news notes office old online open order page paper park people photo plan "
    "planet policy press price product project question quick radio recipe report research review road school science "
    "season service shop song sport spring story street student study summer support team theme ticket tool topic "
    "town train travel tree update user vegan video village water weather week winter wood work world year young"
).split()
UNICODE_WORDS = (
    "café naïve straße señor über crème brûlée Łódź Győr Ærø Тула погода новости Αθήνα καιρός ירושלים القاهرة مدينة "
    "दिल्ली ข่าว 東京 ニュース 天气 新闻 서울 날씨 日本語 Привет façade résumé"
).split()
TLDS = (
    "com com com com com com com com com com org org org org net net edu gov io co.uk de fr jp com.br info eu"
).split()
# Labels that IDNA takes as they stand; two of one script make a host.
IDN_LABELS = (
    "bücher müller straßen köln grün schön führer käse".split(),
    "année forêt hôtel théâtre élève crème été garçon".split(),
    "żółw książka łąka świat źródło gęś miód ćma".split(),
    "новости погода книга город школа музыка дом река".split(),
    "νέα καιρός βιβλίο πόλη σχολείο μουσική σπίτι ποτάμι".split(),
    "新闻 天气 图书 城市 学校 音乐 大学 中文".split(),
    "ニュース 天気 図書館 東京 学校 おんがく ひかり さくら".split(),
    "뉴스 날씨 도서관 서울 학교 음악 강남 한국".split(),
    "أخبار طقس كتاب مدينة مدرسة موسيقى بيت نهر".split(),
    "חדשות מזג ספר עיר מוזיקה בית נהר".split(),
    "समाचार मौसम किताब शहर विद्यालय संगीत".split(),
    "ข่าว อากาศ หนังสือ เมือง โรงเรียน ดนตรี".split(),
)


def real_links() -> list[str] | None:
    """The 48,010 links of ada-url/url-various-datasets, where WEBURL_DATA has them."""
    data = os.environ.get("WEBURL_DATA")
    path = Path(data, "urls", "web_links_48k.txt") if data else None
    if path is None or not path.is_file():
        return None
    return path.read_text(encoding="utf-8-sig").splitlines()


def longer(links: Sequence[str]) -> list[str]:
    """The links with more of a path and of a query, so that they have about 90 bytes, as those of shops and of
    newspapers; their hosts, and what is not ASCII or not normalized in them, stay."""
    random = Random(f"{SEED} longer")
    return [_longer(random, link) for link in links]


def _generate(count: int, one: Callable[[Random], str]) -> list[str]:
    random = Random(f"{SEED} {one.__name__}")
    return [one(random) for _ in range(count)]


def _slug(random: Random, low: int = 1, high: int = 4) -> str:
    return "-".join(random.choice(WORDS) for _ in range(random.randint(low, high)))


def _host(random: Random) -> str:
    name = "-".join(random.choice(NAMES) for _ in range(random.choice((1, 1, 1, 2))))
    prefix = random.choice(("www.", "www.", "www.", "", "", "blog.", "en.", "news.", "static."))
    return f"{prefix}{name}.{random.choice(TLDS)}"


def _pairs(random: Random, count: int) -> str:
    def value() -> str:
        kind = random.random()
        if kind < 0.5:
            return random.choice(WORDS)
        if kind < 0.75:
            return str(random.randrange(10**6))
        return f"{random.choice(WORDS)} {random.choice(UNICODE_WORDS if kind > 0.95 else WORDS)}"

    return urlencode([(random.choice(("q", "id", "page", "lang", "sort", *WORDS)), value()) for _ in range(count)])


def _link(random: Random) -> str:
    origin = ("https" if random.random() < 0.9 else "http") + "://" + _host(random)
    date = f"{random.randint(2004, 2026)}/{random.randint(1, 12):02}/{random.randint(1, 28):02}"
    title = quote(random.choice(UNICODE_WORDS)) if random.random() < 0.1 else random.choice(NAMES).title()
    path = random.choice(
        (
            lambda: "/",
            lambda: f"/{_slug(random)}/",
            lambda: f"/{_slug(random, 1, 2)}/{_slug(random)}",
            lambda: f"/{date}/{_slug(random, 3, 7)}.html",
            lambda: f"/wiki/{title}",
            lambda: f"/{random.choice(WORDS)}/index.php",
            lambda: f"/images/{random.randrange(10**5)}/{_slug(random, 1, 2)}_{random.randint(1, 9)}.jpg",
        )
    )()
    query = "?" + _pairs(random, random.randint(1, 4)) if random.random() < 0.2 else ""
    fragment = "#" + _slug(random, 1, 2) if random.random() < 0.06 else ""
    return origin + path + query + fragment


def _longer(random: Random, link: str) -> str:
    rest, mark, fragment = link.partition("#")
    path, question, query = rest.partition("?")
    path = f"{path.rstrip('/')}/{_slug(random, 2, 6)}"
    path += random.choice(("", "/", ".html", f"/{random.randrange(10**6)}"))
    queries = [query] if query else []
    if random.random() < 0.45:
        queries.append(_pairs(random, random.randint(1, 3)))
    return "?".join([path, *(["&".join(queries)] if question or queries else [])]) + mark + fragment


def _defect(random: Random, url: str) -> str:
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    word = random.choice(UNICODE_WORDS)
    return random.choice(
        (
            lambda: f"{scheme.upper()}://{host.title()}/{path}",
            lambda: f" {url}\n",
            lambda: f"{scheme}://{host}/{word}/{path}",
            lambda: f"{scheme}://{host}/{_slug(random)}?q={word}+{random.choice(WORDS)}",
            lambda: f"{scheme}://{host}/{random.choice(WORDS)} {random.choice(WORDS)}/{path}",
            lambda: f"{scheme}://{host}/{random.choice(WORDS)}/../{random.choice(('', './'))}{path}",
            lambda: f"{scheme}://{host}:{443 if scheme == 'https' else 80}/{path}",
            lambda: f"{scheme}://{host}",
            lambda: f"{scheme}:\\\\{host}\\{path}",
        )
    )()


def _not_normalized(random: Random) -> str:
    return _defect(random, _link(random))


def _not_ascii(random: Random) -> str:
    write = random.choice((quote, str))
    path, query = (write(random.choice(UNICODE_WORDS)) for _ in range(2))
    return f"https://{_host(random)}/{_slug(random)}/{path}?q={query}&{_pairs(random, 1)}"


def _other(random: Random) -> str:
    """Other schemes, IP addresses, credentials, files."""

    def ipv4() -> str:
        return ".".join(str(random.randrange(256)) for _ in range(4))

    def ipv6() -> str:
        pieces = [f"{random.randrange(65536):x}" for _ in range(8)]
        if random.random() < 0.7:
            start = random.randrange(7)
            pieces[start : start + 2] = ["0", "0"]
        return "[" + ":".join(pieces) + "]"

    rest = "/" + _slug(random, 1, 2)
    return random.choice(
        (
            lambda: f"mailto:{random.choice(WORDS)}@{_host(random)}",
            lambda: f"tel:+{random.randrange(10**11)}",
            lambda: f"data:text/plain,{_slug(random, 3, 6)}",
            lambda: f"javascript:void({random.randrange(10)})",
            lambda: f"urn:isbn:{random.randrange(10**12)}",
            lambda: f"git+ssh://git@{_host(random)}{rest}.git",
            lambda: f"redis://{_host(random)}:6379/{random.randrange(16)}",
            lambda: f"ftp://{_host(random)}{rest}.zip",
            lambda: f"wss://{_host(random)}:8443{rest}",
            lambda: f"http://{ipv4()}{rest}",
            lambda: f"http://{ipv4()}:8080{rest}",
            lambda: f"http://0x{random.randrange(2**24):x}{rest}",
            lambda: f"http://{ipv6()}{rest}",
            lambda: f"https://{ipv6()}:8443{rest}",
            lambda: f"https://{random.choice(NAMES)}:{_slug(random, 1, 1)}@{_host(random)}{rest}",
            lambda: f"https://{random.choice(NAMES)}@{_host(random)}{rest}",
            lambda: f"file:///{random.choice('CDE')}:/{_slug(random)}/{_slug(random)}.txt",
            lambda: f"file:///home/{random.choice(NAMES)}/{_slug(random)}.pdf",
            lambda: f"file://{random.choice(NAMES)}{rest}",
        )
    )()


def _failing(random: Random) -> str:
    host, rest = _host(random), "/" + _slug(random)
    return random.choice(
        (
            lambda: f"http://{random.choice(NAMES)} {host}{rest}",
            lambda: f"https://{host}:{random.randint(65536, 999999)}{rest}",
            lambda: f"https://{host}:http{rest}",
            lambda: f"{rest}?{_pairs(random, 2)}",
            lambda: host + rest,
            lambda: "https://",
            lambda: f"http://[{random.randrange(65536):x}:{random.randrange(65536):x}::1{rest}",
            lambda: f"http://{random.randint(256, 999)}.1.1.1{rest}",
            lambda: f"http://user@{rest.replace('/', '?')}",
            lambda: f"http://<{host}>{rest}",
            lambda: f"http://%zz.{host}{rest}",
        )
    )()


def _query(random: Random) -> str:
    return _pairs(random, 10)


def _phrase(random: Random) -> str:
    words = UNICODE_WORDS if random.random() < 0.2 else WORDS
    return " ".join(random.choice(words) for _ in range(random.randint(2, 7)))


def _messy(random: Random) -> str:
    kind = random.random()
    if kind < 0.9:
        return _link(random)
    if kind < 0.96:
        return _not_normalized(random)
    if kind < 0.97:
        return f"https://{random.choice(random.choice(IDN_LABELS))}.example/{_slug(random)}"
    return _other(random) if kind < 0.99 else _failing(random)


def links(count: int) -> list[str]:
    """Links as pages have them, nearly all already normalized."""
    return _generate(count, _link)


def not_normalized(count: int) -> list[str]:
    """Absolute links with upper case, spaces, non-ASCII, dot segments, a default port, no slash or backslashes."""
    return _generate(count, _not_normalized)


def not_ascii(count: int) -> list[str]:
    """Links with words that are not ASCII in path and query, half of the links percent-encoded."""
    return _generate(count, _not_ascii)


def other(count: int) -> list[str]:
    """Other schemes, IPv4, IPv6, credentials, files."""
    return _generate(count, _other)


def failing(count: int) -> list[str]:
    """Inputs that are not URLs."""
    return _generate(count, _failing)


def queries(count: int) -> list[str]:
    """Queries of ten pairs."""
    return _generate(count, _query)


def phrases(count: int) -> list[str]:
    """Search phrases of two to seven words, a fifth of them not ASCII."""
    return _generate(count, _phrase)


def messy(count: int) -> list[str]:
    """A crawl's mixture: nine in ten are links, the others of every kind above, one in a hundred fails."""
    return _generate(count, _messy)


def relative(count: int) -> list[tuple[str, str]]:
    """(reference, base) as on a page with some twenty links."""
    random = Random(f"{SEED} relative")
    base = ""
    pairs = []
    for index in range(count):
        if index % 20 == 0:
            base = _link(random)
        reference = random.choice(
            (
                lambda: f"/{_slug(random)}/{_slug(random)}",
                lambda: f"/{random.choice(WORDS)}?{_pairs(random, 2)}",
                lambda: f"{_slug(random)}.html",
                lambda: f"../{_slug(random)}/{_slug(random)}.html",
                lambda: f"./{_slug(random)}",
                lambda: f"../../images/{random.randrange(10**5)}.png",
                lambda: f"?page={random.randrange(100)}",
                lambda: f"#{_slug(random)}",
                lambda: f"//{_host(random)}/{_slug(random)}.js",
            )
        )()
        pairs.append((reference, base))
    return pairs


def pages(count: int) -> list[tuple[str, str]]:
    """(URL, HTML) of pages with twenty links each."""
    pairs = relative(20 * count)
    found = []
    for start in range(0, len(pairs), 20):
        links = (
            f'<p>Some text, <a href="{escape(ref)}">a link</a> and more.</p>' for ref, _ in pairs[start : start + 20]
        )
        found.append((pairs[start][1], f"<!doctype html><title>A page</title>{''.join(links)}"))
    return found


def large_pages(count: int, links: int, words: int) -> list[tuple[str, bytes]]:
    """(URL, HTML) of pages with many links, and so many words of text after each second one."""
    pairs = relative(links * count)
    text = "<p class=text>Lorem ipsum dolor <em>sit</em> amet, <span>consectetur</span> adipiscing elit.</p>"
    found = []
    for start in range(0, len(pairs), links):
        refs = [escape(ref) for ref, _ in pairs[start : start + links]]
        items = (
            f'<div class="item" id="i{i}"><h2><a href="{first}" title="Item {i}"><span>Item</span> <b>{i}</b></a>'
            f'</h2><p>Some text, <em>with</em> <a href="{second}">a link</a>.</p><img src="{i}.jpg" alt="">'
            f"{text * (words // 8)}</div>"
            for i, (first, second) in enumerate(zip(refs[::2], refs[1::2], strict=True))
        )
        page = f"<!doctype html><meta charset=utf-8><title>A page</title><body>{''.join(items)}"
        found.append((pairs[start][1], page.encode()))
    return found


def hosts(count: int) -> list[str]:
    """Hosts of links."""
    return _generate(count, _host)


def idn_hosts(count: int) -> list[str]:
    """URLs whose hosts are not ASCII, no two the same."""
    random = Random(f"{SEED} idn")
    hosts: dict[str, None] = {}
    while len(hosts) < count:
        labels = random.choice(IDN_LABELS)
        first, second = random.choice(labels), random.choice(labels)
        hosts[f"{first}{random.choice(('', '-', '.'))}{second}{random.randrange(1000)}.{random.choice(TLDS)}"] = None
    return [f"https://{host}/" for host in hosts]
