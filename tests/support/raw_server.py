"""A server on loopback that keeps requests as they came, and answers with bytes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

# What is sent for the head of a request; each piece is sent by itself, and may be waited for.
Answer = Callable[[bytes], bytes | Iterator[bytes]]


def response(status: str = "200 OK", headers: bytes = b"", body: bytes = b"ok") -> bytes:
    return b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s" % (status.encode(), headers, len(body), body)


def redirect(location: bytes, status: int = 302, headers: bytes = b"") -> bytes:
    return response(f"{status} Found", b"Location: %s\r\n%s" % (location, headers), b"")


class RawServer:
    """`heads` are the heads of all requests, as bytes."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.heads: list[bytes] = []
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.ended = False

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def targets(self) -> list[bytes]:
        """The second words of the request lines."""
        return [head.split(b"\r\n")[0].split(b" ", 1)[1].removesuffix(b" HTTP/1.1") for head in self.heads]

    def hosts(self) -> list[bytes]:
        return [header_of(head, b"host") for head in self.heads]

    def serve(self) -> None:
        while True:
            sock, _ = self.listener.accept()
            if self.ended:
                sock.close()
                return
            self.connections += 1
            threading.Thread(target=self.talk, args=(sock,), daemon=True).start()

    def talk(self, sock: socket.socket) -> None:
        waiting = b""
        with sock, suppress(OSError):
            sock.settimeout(30)
            while True:
                while b"\r\n\r\n" not in waiting:
                    data = sock.recv(1 << 16)
                    if not data:
                        return
                    waiting += data
                head, _, waiting = waiting.partition(b"\r\n\r\n")
                self.heads.append(head)
                answer = self.answer(head)
                for piece in (answer,) if isinstance(answer, bytes) else answer:
                    sock.sendall(piece)
                if not isinstance(answer, bytes):
                    return


def header_of(head: bytes, name: bytes) -> bytes:
    (found,) = (line.partition(b":")[2].strip() for line in head.split(b"\r\n") if line.lower().startswith(name + b":"))
    return found


@contextmanager
def serving(answer: Answer, kind: type[RawServer] = RawServer) -> Iterator[RawServer]:
    server = kind(answer)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended = True
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", server.port)).close()
        thread.join(10)
        server.listener.close()
