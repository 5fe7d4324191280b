"""Names for a local site: with this folder on PYTHONPATH, Python's look-up of names gives addresses of this machine."""

from __future__ import annotations

import socket
from typing import Any

# A public name can have a private address. Such a request would be noticed: the site answers there, too.
INTERNAL = "internal.example.com"


def local(look_up: Any) -> Any:
    def look_up_locally(host: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name and name[-1].isalpha():
            host = "127.0.0.2" if name == INTERNAL else "127.0.0.1"
        return look_up(host, *arguments, **options)

    return look_up_locally


socket.getaddrinfo = local(socket.getaddrinfo)
socket.gethostbyname = local(socket.gethostbyname)
