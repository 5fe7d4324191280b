"""NamedTuple, without the module typing: that one takes longer to import than all that `import weburl` brings.

It is for classes of our own that the command needs at its start. Public classes are those of typing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import NamedTuple as NamedTuple
else:
    from _operator import itemgetter

    class Meta(type):
        """Makes a property of each annotation, and keeps the defaults apart."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Meta:
            body["__slots__"] = ()
            made = super().__new__(cls, name, bases, body)
            names = tuple(made.__annotations__) if bases[0] is not tuple else ()
            made._fields = made.__match_args__ = names
            made._field_defaults = {each: body[each] for each in names if each in body}
            for index, each in enumerate(names):
                setattr(made, each, property(itemgetter(index)))
            return made

    class NamedTuple(tuple, metaclass=Meta):
        """The same as typing.NamedTuple, without the names that begin with an underscore but for these."""

        def __new__(cls, *values: Any, **named: Any) -> NamedTuple:
            rest = cls._fields[len(values) :]
            if rest:
                defaults = cls._field_defaults
                missing = [name for name in rest if name not in named and name not in defaults]
                if missing:
                    raise TypeError(f"{cls.__name__}() needs {', '.join(missing)}")
                values += tuple([named.pop(name) if name in named else defaults[name] for name in rest])
            if named or len(values) > len(cls._fields):
                raise TypeError(f"{cls.__name__}() takes {', '.join(cls._fields)}")
            return tuple.__new__(cls, values)

        def _replace(self, **named: Any) -> NamedTuple:
            return type(self)(
                *[named.pop(name, value) for name, value in zip(self._fields, self, strict=True)], **named
            )

        def __repr__(self) -> str:
            values = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(values)})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)
