"""Which segments of paths get a placeholder: 3,000 segments with their templates, and what may look like them."""

from __future__ import annotations

import string
import uuid
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from support import template_model

from weburl import URL
from weburl.bulk import path_template_many
from weburl.patterns import PatternList, learn_routes
from weburl.redact import path_template

FOLDER = Path(__file__).parent / "data" / "segments"
LEAST = 0.99
# Of those that should stay: a name such as tokyo2020 looks like an id.
LEAST_THAT_STAYS = 0.98
# Of kinds that are labelled by what they are, not by what can be known: a hash that looks like a word.
LEAST_OF_A_KIND = 0.9


class Labelled(NamedTuple):
    """A segment, the template that is wanted, the kind of thing, and where such segments are documented."""

    segment: str
    template: str
    kind: str
    source: str


def corpus(name: str) -> list[Labelled]:
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [Labelled(*line.split("\t")) for line in lines]


def of_segment(segment: str) -> str:
    return path_template(f"/{segment}")[1:]


def is_placed(template: str) -> bool:
    return "{" in template


@pytest.mark.parametrize(("name", "size"), [("written", 2000), ("held_out", 1000)])
def test_the_corpus(name: str, size: int) -> None:
    """Precision is of the segments that got a placeholder, recall of those that should: how many have the template."""
    rows = corpus(name)
    assert len(rows) == size
    kinds: dict[str, list[tuple[Labelled, str]]] = defaultdict(list)
    for row in rows:
        kinds[row.kind].append((row, of_segment(row.segment)))
    kinds["all"] = [pair for pairs in kinds.values() for pair in pairs]
    print(f"\n{name}: kind, segments, precision, recall, segments that stay as they should")
    for kind, pairs in sorted(kinds.items()):
        right = sum(made == row.template for row, made in pairs)
        wanted = [made == row.template for row, made in pairs if is_placed(row.template)]
        found = [made == row.template for row, made in pairs if is_placed(made)]
        plain = [made == row.template for row, made in pairs if not is_placed(row.template)]
        precision, recall, stay = ((sum(each) / len(each) if each else 1.0) for each in (found, wanted, plain))
        print(f"{kind:24}{len(pairs):6}{precision:8.1%}{recall:8.1%}{stay:8.1%}")
        if kind == "all":
            assert precision >= LEAST
            assert recall >= LEAST
            assert stay >= LEAST_THAT_STAYS
        else:
            wrong = [(row.segment, row.template, made) for row, made in pairs if made != row.template]
            assert right / len(pairs) >= LEAST_OF_A_KIND, wrong


@pytest.mark.parametrize("name", ["written", "held_out"])
def test_the_model_and_columns_agree(name: str) -> None:
    rows = corpus(name)
    paths = [f"/{row.segment}" for row in rows]
    made = [path_template(path) for path in paths]
    assert made == [template_model.template(URL(f"a://a{path}")) for path in paths]
    assert made == path_template_many(paths).to_pylist()
    # Each is its own template, also as a URL, and among others.
    assert [path_template(f"https://h{template}") for template in made] == made
    assert path_template("".join(paths)) == path_template("".join(made))


def mixed(random: Random) -> str:
    """Runs of letters, digits and marks, as they may stand in a segment."""
    pieces = []
    for _ in range(random.randrange(1, 7)):
        alphabet = random.choice(
            (string.digits, string.ascii_lowercase, string.ascii_letters, "0123456789abcdef", string.ascii_uppercase)
        )
        pieces.append("".join(random.choices(alphabet, k=random.randrange(1, 11))))
        pieces.append(
            random.choice(("", "-", "_", ".", "~", ":", ",", "(", ")", "'", "=", ";", "%20", "+", "é", "T", "x"))
        )
    return "".join(pieces[: random.choice((-1, len(pieces)))])


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_generated_segments(seed: int) -> None:
    """As in the model; and a template is its own template."""
    random = Random(seed)
    pick, number = random.choice, random.randrange
    forms = (
        lambda: str(uuid.UUID(int=random.getrandbits(128))),
        lambda: f"{number(1800, 2200)}-{number(15)}-{number(35)}",
        lambda: f"{number(1900, 2100)}-{number(20):02}{pick('-_T')}{number(99):02}",
        lambda: ".".join(str(number(300)) for _ in range(number(3, 6))),
        lambda: ":".join(f"{number(65536):x}" for _ in range(number(2, 10))),
        lambda: ",".join(f"{random.uniform(-200, 200):.{number(5)}f}" for _ in range(number(2, 4))),
        lambda: f"{mixed(random)}({pick((chr(39) + 'a' + chr(39), '7', 'x', 'a=1', ''))})",
        lambda: f"{number(30)}:{number(99):02}{pick(('', ':07', ':7'))}",
        lambda: pick("aeqzQ~9") + "".join(random.choices("abcdefq", k=number(10))) + str(number(10 ** number(1, 6))),
    )
    for _ in range(3000):
        segment = random.choice(forms)() if random.random() < 0.3 else mixed(random)
        if random.random() < 0.2:
            segment += random.choice((".js", ".x", ".min.js", ".tar.gz", ".mp3", "."))
        path = f"/{segment}"
        made = path_template(path)
        assert made == template_model.template(URL(f"a://a{path}")), segment
        assert path_template(made) == made, segment


@pytest.mark.parametrize(
    "unit", ["a1", "a-", "1-", "1.", "1:", "1,", "aB1", "A", "(", "x(1)", "'", ".a", "-a1b2c3d4", "%31"]
)
def test_long_segments(unit: str) -> None:
    """A segment of a megabyte is read in linear time; `make complexity` measures that."""
    for size in (1000, 1_000_000):
        path = f"/{unit * (size // len(unit))}"
        made = path_template(path)
        assert path_template(made) == made


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(30))
def test_keys_in_brackets_have_extensions(seed: int) -> None:
    """A key as in OData leaves its brackets and what follows them, and words in brackets are no key."""
    random = Random(seed)
    quoted = ["'{}'", "a={}", "a={},b=2", "id%3D{}", "%27{}%27"]
    for _ in range(100):
        name = random.choice(["Orders", "a", "Get.Items", "Order_Details", "Products2", "x.y.z", "functionImport"])
        values = {
            "{int}": str(random.randrange(10**6)),
            "{value}": random.choice(quoted).format(random.randrange(999)),
            "{uuid}": str(uuid.UUID(int=random.getrandbits(128))),
            "abc": "abc",
        }
        kind = random.choice([*values])
        end = random.choice(["", ".b", ".xml", ".json", ".mp4", ".jsonp"])
        segments = f"/{name}({values[kind]}){end}", f"/{name}({kind}){end}"
        for before, after in (("", ""), ("/v2", "/Items"), ("/odata", "/$count")):
            url = f"https://h{before}{segments[0]}{after}"
            expected = f"{before}{segments[1]}{after}"
            assert path_template(url) == expected, url
            assert path_template_many([url]).to_pylist() == [expected]
            assert template_model.template(URL(url)) == expected
            assert path_template(f"https://h{expected}") == expected
        if kind == "{value}" and end:
            urls = [f"https://h/{name}(a={n}){end}" for n in range(20)] + [
                f"https://h/{name}(b={n})" for n in range(20)
            ]
            learnt = learn_routes(urls)
            assert [(route.key, route.lines) for route in learnt.routes] == [
                (f"/{name}({{value}})", 20), (f"/{name}({{value}}){end}", 20), ("{other}", 0),
            ]  # fmt: skip
            routes = PatternList([(route.key, route.pattern) for route in learnt.routes])
            found = [first[0] for url in urls if (first := routes.first(url))]
            assert found == [f"/{name}({{value}}){end}"] * 20 + [f"/{name}({{value}})"] * 20
