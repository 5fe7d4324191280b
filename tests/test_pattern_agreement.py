"""URL patterns against the text of their standard, and the program of `make pattern-agreement`, without its peers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import pytest
from support.wpt_cases import Case, each_case
from tiers import pattern_agreement, route_agreement
from tiers.pattern_agreement import WEBURL, explain, plain, simpler
from tiers.pattern_oracles import cases as made
from tiers.pattern_oracles.cases import scalar
from tiers.pattern_oracles.deviations import DEVIATIONS, Deviation
from tiers.pattern_oracles.in_python import TEXT, is_like_in_python
from tiers.pattern_oracles.literal import Refused
from tiers.pattern_oracles.observe import observed
from tiers.pattern_oracles.places import Difference, differences

from weburl.patterns import PatternList, URLPattern

ZEROS = next(i for i, one in enumerate(DEVIATIONS) if "zeros" in one.reason)
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "file": None, "x": None, "*": None}


def of_seeds(seeds: range, count: int) -> Iterator[made.Case]:
    for seed in seeds:
        yield from (case for case in islice(made.cases(seed), count) if is_like_in_python(case[0]))


@pytest.mark.parametrize("seed", range(3))
def test_patterns_are_as_the_text_says(seed: int) -> None:
    count = matches = 0
    for case in of_seeds(range(seed, seed + 1), 400):
        right = plain(observed(TEXT, case))
        ours = plain(observed(WEBURL, case))
        explained = {explain("weburl", one) for one in differences(case, right, ours)}
        assert explained <= {ZEROS}, case
        count += 1
        matches += 0 if ours is None else sum(isinstance(match, list) for match in ours[2])
    assert count > 60
    assert matches > 40


@pytest.mark.sample(2)
@pytest.mark.parametrize("protocol", DEFAULT_PORTS)
def test_zeros_before_a_port(protocol: str) -> None:
    random = Random(f"zeros {protocol}")
    default = DEFAULT_PORTS[protocol]
    for number in {0, 21, 80, 443, 65535, *(random.randrange(65536) for _ in range(50))}:
        shown = "" if number == default else str(number)
        port = f"{'0' * random.choice((1, 2, 5, 100))}{number}"
        mapping = URLPattern(protocol=protocol, hostname="h", port=port)
        for pattern in (mapping, URLPattern(f"{protocol}://h:{port}"), URLPattern(f"{protocol}://h:{port}/*?*#*")):
            assert pattern.port == shown
            if protocol != "*":
                assert pattern.test(f"{protocol}://h:{number}/") is (protocol != "file")
        # All others are as the text says.
        for other in (
            f"{{{port}}}",
            f"{port}*",
            f"*{port}",
            f"{port}?",
            f"({port})",
            f"\\{port}",
            f"{port}x",
            f"\t{port}",
        ):
            case: made.Case = [{"protocol": protocol, "port": other}], [[{"protocol": "https", "port": str(number)}]]
            if is_like_in_python(case[0]):
                assert plain(observed(WEBURL, case)) == plain(observed(TEXT, case)), case


@each_case("urlpatterntestdata.json", lambda case: is_like_in_python(case["pattern"]))
def test_the_text_passes_the_platform_tests(case: Case) -> None:
    arguments, inputs = scalar(case["pattern"]), scalar(case.get("inputs", []))
    if case.get("expected_obj") == "error":
        with pytest.raises(Refused):
            TEXT.make(arguments)
        return
    pattern = TEXT.make(arguments)
    for name, text in case.get("expected_obj", {}).items():
        assert getattr(pattern, name) == text
    if case.get("expected_match") == "error":
        with pytest.raises(Refused):
            pattern.exec(*inputs)
        return
    found, expected = pattern.exec(*inputs), case["expected_match"]
    assert (found is None) is (expected is None)
    for name, part in ({} if expected is None else expected).items():
        assert found is not None
        assert name == "inputs" or found[name] == part


def test_cases_are_deterministic_and_of_all_kinds() -> None:
    some = list(islice(made.cases(7), 400))
    assert some == list(islice(made.cases(7), 400))
    assert some != list(islice(made.cases(8), 400))
    texts = [ascii(arguments) for arguments, _ in some]
    for part in ("ignoreCase", "baseURL", "(?<", "(?=", "\\\\p{", "&&", "}?", "}*", "}+", "\\u", "pathname", "://"):
        assert any(part in text for text in texts), part


def test_a_fault_is_found_and_minimized(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the peer is a weburl that takes a group for another."""

    class Faulty(pattern_agreement.Weburl):
        def test(self, pattern: object, arguments: Sequence[object]) -> bool:
            return "x" not in ascii(arguments) and super().test(pattern, arguments)  # type: ignore[arg-type]

        def exec(self, pattern: object, arguments: Sequence[object]) -> object:  # type: ignore[override]
            return super().exec(pattern, arguments) if self.test(pattern, arguments) else None  # type: ignore[arg-type]

    faulty = Faulty()

    def found(case: made.Case) -> Difference | None:
        answers = [plain(observed(one, case)) for one in (TEXT, faulty)]  # type: ignore[arg-type]
        return next(differences(case, *answers), None)

    case: made.Case | None = ([{"pathname": "/:a", "hash": "*"}], [["https://h/ab"], ["https://h/axb#c"]])
    least = case
    while case is not None:
        least = case
        case = next((one for one in map(scalar, simpler(case)) if found(one) is not None), None)
    assert least is not None
    shown = found(least)
    assert shown is not None
    assert (shown.place, shown.other) == ("match", False)
    assert len(ascii(least)) < 30
    assert explain("weburl", shown) is None


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda one: f"{one.who}: {one.reason}")
def test_a_deviation_explains_no_other_difference(deviation: Deviation) -> None:
    case: made.Case = ([{"pathname": "/a"}], [["https://h/b"]])
    assert not deviation.explains(Difference(case, "inputs", case[1][0], ["https://h/b"], [], ["*"] * 8))
    assert not deviation.explains(Difference(case, "pathname", None, "/a", "/b", ["*"] * 8))
    assert not deviation.explains(Difference(case, "constructor", None, None, [], ["*"] * 8))
    assert not deviation.explains(Difference(case, "match", case[1][0], True, "error", ["*"] * 8))


@pytest.mark.parametrize("seed", range(4))
def test_a_list_is_a_loop(seed: int) -> None:
    report = route_agreement.run((seed, 300))
    assert report.different == []
    assert report.inputs == 300


def test_a_list_that_is_not_a_loop_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_but_the_last(routes: PatternList, url: str, *, base: str | None) -> object:
        return every(routes, url, base=base)[:-1]

    every = PatternList.all
    monkeypatch.setattr(PatternList, "all", all_but_the_last)
    report = route_agreement.run((3, 300))
    assert len(report.different) == report.matches > 50
    assert "the loop gives" in report.different[0]
