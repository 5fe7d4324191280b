"""Our named tuples do what those of typing do, as far as we use them."""

from __future__ import annotations

import pickle
import typing
from typing import Any

import pytest

from weburl import _named_tuple


class Ours(_named_tuple.NamedTuple):
    name: str
    size: int = 3
    rest: tuple[int, ...] = ()

    @property
    def double(self) -> int:
        return 2 * self.size


class Theirs(typing.NamedTuple):
    name: str
    size: int = 3
    rest: tuple[int, ...] = ()

    @property
    def double(self) -> int:
        return 2 * self.size


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}), (("a", 1), {}), (("a", 1, (2,)), {}), (("a",), {"rest": (1,)}), ((), {"size": 2, "name": "b"}),
    ((), {}), (("a", 1, (), 4), {}), (("a",), {"name": "b"}), (("a",), {"other": 1}), ((), {"size": 1}),
    (("a", 1, ()), {"size": 1}),
]  # fmt: skip


def outcome(cls: Any, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        made = cls(*values, **named)
    except TypeError:
        return TypeError
    return tuple(made), made.name, made.size, made.rest, made.double, hash(made), len(made)


@pytest.mark.parametrize(("values", "named"), CALLS)
def test_the_same_as_typing(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    assert outcome(Ours, values, named) == outcome(Theirs, values, named)


def test_it_is_not_that_of_typing() -> None:
    assert Ours.__mro__[1].__module__ == "weburl._named_tuple"


def test_copies() -> None:
    made = Ours("a", rest=(1,))
    assert repr(made) == "Ours(name='a', size=3, rest=(1,))"
    assert made._replace(size=4) == ("a", 4, (1,))
    assert type(made._replace(size=4)) is Ours
    with pytest.raises(TypeError):
        made._replace(other=1)  # type: ignore[call-arg]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(made, protocol))
        assert again == made
        assert type(again) is Ours
    with pytest.raises(AttributeError):
        made.name = "b"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        made.other = 1  # type: ignore[attr-defined]
    match made:
        case Ours(name, size):
            assert (name, size) == ("a", 3)
