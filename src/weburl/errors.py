"""The exceptions of the package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._diagnosis.validation_error import ValidationError

__all__ = ["InvalidURL", "PatternError"]


def __dir__() -> list[str]:
    return __all__


def refuse_arguments(**arguments: object) -> None:
    """Raises a TypeError for the first one that is neither a str nor None."""
    for name, argument in arguments.items():
        if not (argument is None or isinstance(argument, str)):
            from weburl._advice import wrong_type

            raise wrong_type(argument, f"{name} must be a str")


class InvalidURL(ValueError):
    """Raised for a text that does not parse as a URL, or as a part of one.

    >>> try:
    ...     URL("https://exa mple.com/")
    ... except InvalidURL as error:
    ...     print(error.error, error.position, error.message, sep="\\n")
    domain-to-ASCII
    8
    The label 'exa mple' of the domain has ' ', which no domain can have.

    `error` is the URL Standard's name for what is wrong, or a name of weburl's own: "base" if the base does not parse,
    "ignored" if the standard ignores this part for such a URL, "too-long" and a few more. docs/errors.md lists all
    names. `position` and `message` say where the error is and what to write instead. They are computed when you read
    them.

    `input` is the text that you passed, and `base` is the base. If the text is a part of a URL, `part` is the name of
    the part, such as "port". For the path of a file in `URL.from_path` and `URL.to_path`, it is "POSIX path" or
    "Windows path". In a column, `row` is the number of the row. `str()` hides credentials.
    """

    __slots__ = {
        "base": "The base that you passed, or None.",
        "error": "The name of the error.",
        "input": "The text that you passed.",
        "part": "The name of the part that the text is, or None for a whole URL.",
        "row": "The number of the row in a column, or None.",
    }

    input: str
    base: str | None
    error: str
    part: str | None
    row: int | None
    # Said of the whole input in place of the message, if a text was given to a function that it is not for.
    _advice: str | None = None

    def __init__(self, input: str = "", base: str | None = None, error: str = "", part: str | None = None) -> None:
        if not (
            isinstance(input, str)
            and (base is None or isinstance(base, str))
            and isinstance(error, str)
            and (part is None or isinstance(part, str))
        ):
            refuse_arguments(input=input, base=base, error=error, part=part)
        self.input = input
        self.base = base
        self.error = error
        self.part = part
        self.row = None

    def __new__(cls, *args: object, **kwargs: object) -> InvalidURL:
        # The arguments are kept out of BaseException's own args.
        return super().__new__(cls)

    # For inspect.signature(), which else gives the signature of __new__().
    __new__.__wrapped__ = __init__  # type: ignore[attr-defined]

    @property
    def position(self) -> int | None:
        """Where in `input` the error is, in code points; None if it is not in `input`.

        >>> InvalidURL("http://a.b:8o/", error="port-invalid").position
        12
        """
        if self._advice is not None:
            return 0
        first = self._found()
        return None if first is None or self.error == "base" else first.position

    @property
    def message(self) -> str:
        """One sentence on what is wrong, and what to write instead.

        >>> InvalidURL("example.com/a", error="missing-scheme-non-relative-URL").message
        'The URL has no scheme: write https://example.com/a, or give a base.'
        """
        if self._advice is not None:
            return self._advice
        from weburl._diagnosis.messages import failure_message

        return failure_message(*self._names(), self._found())

    def _names(self) -> tuple[str, str | None]:
        """The names of the error and of the part, without credentials: who makes an error may mix up the arguments."""
        from weburl._diagnosis.credentials import without_secrets

        return without_secrets(self.error), None if self.part is None else without_secrets(self.part)

    def _found(self) -> ValidationError | None:
        # The literal parser has no such error.
        if self.error == "too-long":
            return None
        from weburl._diagnosis.validation import failure_of

        return failure_of(self.input, self.base, self.error, self.part)

    @property
    def args(self) -> tuple[str]:  # type: ignore[override]
        """The text of the error, as its only argument: credentials are hidden in it.

        >>> InvalidURL("http://ada:secret@h:99999/", error="port-out-of-range").args
        ("port-out-of-range in 'http://***@h:99999/': The port '99999' is too large: the largest is 65535.",)
        """
        return (str(self),)

    def __str__(self) -> str:
        from weburl._diagnosis.messages import failure_text

        row = "" if self.row is None else f"row {self.row}: "
        return row + failure_text(self.input, *self._names(), self._found(), self._advice)

    def __repr__(self) -> str:
        return f"InvalidURL({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        state = {name: value for name, value in (("row", self.row), ("_advice", self._advice)) if value is not None}
        return type(self), (self.input, self.base, self.error, self.part), state


class PatternError(ValueError):
    """Raised for a text that is not a URL pattern.

    >>> try:
    ...     URLPattern(pathname="/books/:id(")
    ... except PatternError as error:
    ...     print(error.component, error.position, error.message, sep="\\n")
    pathname
    10
    a regular expression lacks its closing parenthesis

    `message` says what is wrong. `pattern` is the text that you passed: a component or a whole pattern. `position` is
    the place in this text, in code points, or None. `component` is the name of the component, or None. In a list of
    patterns, `row` is the number of the pattern. In a file of patterns, `line` is the number of the line. `str()` shows
    the place. `str()`, `repr()`, `args` and `message` hide what could be a password.
    """

    position: int | None
    pattern: str | None = None
    component: str | None = None
    # Where the pattern has credentials, if its components are known.
    _secret: tuple[int, int] | None = None
    # Of a pattern in a list, and of one in a file.
    row: int | None = None
    line: int | None = None

    def __init__(self, message: str = "", position: int | None = None) -> None:
        if not isinstance(message, str):
            from weburl._advice import wrong_type

            raise wrong_type(message, "message must be a str")
        super().__init__()
        self._message = message
        self.position = position

    def __new__(cls, *args: object, **kwargs: object) -> PatternError:
        # The arguments are kept out of BaseException's own args.
        return super().__new__(cls)

    # For inspect.signature(), which else gives the signature of __new__().
    __new__.__wrapped__ = __init__  # type: ignore[attr-defined]

    def __setstate__(self, state: dict[str, object] | None) -> None:
        # In a pickle of 0.2.0, which had an attribute.
        if isinstance(state, dict) and "message" in state:
            state = {"_message" if name == "message" else name: value for name, value in state.items()}
        super().__setstate__(state)

    @property
    def message(self) -> str:
        """One sentence on what is wrong with the pattern.

        >>> try:
        ...     URLPattern(pathname="/books/{:id")
        ... except PatternError as error:
        ...     print(error.message)
        a group that begins with { needs a }
        """
        from weburl._diagnosis.credentials import without_inner_credentials
        from weburl._diagnosis.pattern_errors import safe_message

        if self.pattern is None:
            return without_inner_credentials(self._message)

        return safe_message(self._message, self.pattern, self.component, self._secret)

    @property
    def args(self) -> tuple[str]:  # type: ignore[override]
        """The text of the error, as its only argument: what could be a password is hidden in it.

        >>> try:
        ...     URLPattern(pathname="/books/:id/:id")
        ... except PatternError as error:
        ...     print(error.args[0])
        two groups have the name 'id' in the pathname:
          /books/:id/:id
                    ^
        """
        return (str(self),)

    def __repr__(self) -> str:
        return f"PatternError({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._message, self.position), self.__dict__

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        if self.row is not None:
            place = f"pattern {self.row}: "
        if self.pattern is None:
            return place + self.message
        from weburl._diagnosis.pattern_errors import pattern_error_text

        return place + pattern_error_text(self.message, self.pattern, self.component, self.position, self._secret)
