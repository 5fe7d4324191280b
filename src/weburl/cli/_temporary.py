"""The temporary files of what --memory has no room for. They have no name, and end with the process."""

from __future__ import annotations

from weburl.cli._exit import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO


def open_temporary(what: str) -> IO[bytes]:
    """A new file; `what` says in errors what it has."""
    import tempfile

    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError as error:
        raise failure(what, error) from None


def write_all(file: IO[bytes], data: bytes, what: str) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[file.write(view) :]
    except OSError as error:
        raise failure(what, error) from None


def read_exactly(file: IO[bytes], place: int, size: int, what: str) -> bytes:
    """So many bytes that begin there."""
    parts = []
    try:
        file.seek(place)
        while size:
            part = file.read(size)
            if not part:
                raise InputError(f"a temporary file of {what}: it is cut off")
            parts.append(part)
            size -= len(part)
    except OSError as error:
        raise failure(what, error) from None
    return parts[0] if len(parts) == 1 else b"".join(parts)


def failure(what: str, error: OSError) -> InputError:
    why = str(error.strerror or error)
    return InputError(f"a temporary file of {what}: {why[:1].lower()}{why[1:]}")
