"""weburl's main job: a file of links as a crawler meets them, parsed, normalized, and the bad ones named."""

from collections import Counter
from pathlib import Path
from time import perf_counter

import corpora

from weburl import URL, InvalidURL, normalize

COUNT = 100_000
ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "build" / "demo-urls.txt"
EXAMPLES = (
    "HTTPS://Example.COM:443/a/./b/../c?q=two words#top",
    "http://good.example\\@evil.example/",
    "https://Bücher.example/straße",
    "http://0x7f.1/admin",
    "http://[2001:0DB8:0:0:0:0:0:1]:80",
    "file:///C|/docs/../report.pdf",
)


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("".join(f"{url.strip()}\n" for url in corpora.messy(COUNT)), encoding="utf-8")
    lines = FILE.read_text("utf-8").splitlines()
    print(f"{FILE.relative_to(ROOT)}: {len(lines):,} links as a crawler meets them, generated\n")

    started = perf_counter()
    urls, refused = parse(lines)
    report("parsed", lines, started)

    hrefs = [url.href for url in urls]
    started = perf_counter()
    for href in hrefs:
        normalize(href)
    report("normalized", hrefs, started)

    started = perf_counter()
    hosts = Counter(url.hostname for url in urls)
    report("host counted", hrefs, started)
    print(f"\n{len(hosts):,} hosts, most often {', '.join(host for host, _ in hosts.most_common(4) if host)}")

    print("\nwhat a browser makes of")
    for example in EXAMPLES:
        print(f"  {example:52} -> {normalize(example)}")

    print(f"\n{len(refused):,} refused; the first of each kind:")
    for error, count in Counter(error.error for error in refused).most_common():
        print(f"  {count:4}  {next(each for each in refused if each.error == error)}")


def parse(lines: list[str]) -> tuple[list[URL], list[InvalidURL]]:
    urls, refused = [], []
    for line in lines:
        try:
            urls.append(URL(line))
        except InvalidURL as error:
            refused.append(error)
    return urls, refused


def report(done: str, lines: list[str], started: float) -> None:
    seconds = perf_counter() - started
    megabytes = sum(map(len, lines)) / 1e6
    rates = f"{len(lines) / seconds / 1e6:4.1f} million links/s, {megabytes / seconds:4.0f} MB/s"
    print(f"  {done:14} {len(lines):7,} in {seconds:.3f} s   {rates}")


if __name__ == "__main__":
    main()
