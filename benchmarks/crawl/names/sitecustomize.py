"""Names for a local site: with this folder on PYTHONPATH, Python's look-up of names gives addresses of this machine."""

from __future__ import annotations

import socket
from typing import Any

# A public name can have a private address. Such a request would be noticed: the site answers there, too.
INTERNAL = b"internal.example.com"
look_up = socket.getaddrinfo


def local(host: Any, *arguments: Any, **options: Any) -> Any:
    name = host.encode() if isinstance(host, str) else host
    if name is None or not name[-1:].isalpha():
        return look_up(host, *arguments, **options)
    return look_up("127.0.0.2" if name == INTERNAL else "127.0.0.1", *arguments, **options)


socket.getaddrinfo = local
