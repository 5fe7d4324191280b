"""Fields that Python makes of others: all values of a name, values between other separators, and default ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from weburl.cli._edits import pairs_of
from weburl.cli._output_fields import DEFAULT_PORT, QUERY_ALL, QUERY_VALUE, OutputField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class MadeFields:
    """MadeFields(fields, separator): those of the fields that no job makes, and what they need of it."""

    def __init__(self, fields: Sequence[OutputField], separator: str) -> None:
        self.separator = separator
        made = [(field.name, field.key) for field in fields if self._is_made(field)]
        self.places: list[tuple[str, str | None]] = list(dict.fromkeys(made))
        names = {name for name, _ in self.places}
        self.needed: list[str] = ["query"] if names & {QUERY_ALL, QUERY_VALUE} else []
        self.needed += ["scheme", "port"] if DEFAULT_PORT in names else []

    def _is_made(self, field: OutputField) -> bool:
        return field.name in (QUERY_ALL, DEFAULT_PORT) or (field.name == QUERY_VALUE and self.separator != "&")

    def texts(self, columns: Mapping[str, Sequence[Any]]) -> Iterator[list[str | None]]:
        """A column for each of the places, of the columns that are needed."""
        for name, key in self.places:
            if name == DEFAULT_PORT:
                yield [
                    scheme and (port or _port_of(scheme))
                    for scheme, port in zip(columns["scheme"], columns["port"], strict=True)
                ]
                continue
            rows = [[] if query is None else self._values(query, key) for query in columns["query"]]
            if name == QUERY_ALL:
                yield [" ".join(values) if values else None for values in rows]
            else:
                yield [values[0] if values else None for values in rows]

    def _values(self, query: str, key: str | None) -> list[str]:
        return [value for name, value in pairs_of(query, self.separator) if name == key]


def _port_of(scheme: str) -> str:
    from weburl.hosts import default_port

    port = default_port(scheme)
    return "" if port is None else str(port)
