"""Object storage and https://, with servers of their kinds on this machine."""

from __future__ import annotations

import os
import random
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow
import pytest
from pyarrow import ipc, parquet
from support.command import run
from support.waiting import wait_for

COMMAND = [sys.executable, "-m", "weburl"]
SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
KEY = "AKIAIOSFODNN7EXAMPLE"
TOKEN = "FwoGZXIvYXdzEXAMPLETOKEN"
S3 = """\
import os, sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
os.dup2(2, 1)
sys.stdin.read()
"""
GS = """\
import os, sys
from gcp_storage_emulator.server import create_server
server = create_server("127.0.0.1", int(sys.argv[1]), in_memory=True, default_bucket="logs")
server.start()
print(sys.argv[1], flush=True)
os.dup2(2, 1)
sys.stdin.read()
"""
ROWS = 90_000
FAILED = "the connection or the server failed"


class Ended(NamedTuple):
    status: int
    out: str
    err: str


class Server:
    """A server of objects in a process of its own, and the command with it."""

    def __init__(self, script: str, variable: str) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        while not line.strip().isdigit():
            assert line
            line = self.process.stdout.readline()
        self.port = int(line)
        self.variable = variable

    def env(self, port: int | None = None) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GOOGLE_"))}
        return kept | {
            self.variable: f"http://127.0.0.1:{port or self.port}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_SESSION_TOKEN": TOKEN,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_MAX_ATTEMPTS": "1",
        }

    def ask(self, method: str, path: str) -> bytes:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        # moto does not check the signature, but that there is one.
        scope = f"Credential={KEY}/20261129/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
        connection.request(method, path, headers={"Authorization": f"AWS4-HMAC-SHA256 {scope}"})
        with closing(connection):
            answer = connection.getresponse()
            data = answer.read()
            return data if answer.status < 300 else b""

    def run(self, *arguments: str, port: int | None = None, stdin: bytes = b"") -> Ended:
        ended = subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, env=self.env(port))
        err = ended.stderr.decode()
        for secret in (SECRET, KEY, TOKEN):
            assert secret not in err
        return Ended(ended.returncode, ended.stdout.decode(), err)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class S3Server(Server):
    def __init__(self) -> None:
        super().__init__(S3, "AWS_ENDPOINT_URL")
        self.ask("PUT", "/logs")

    def names(self) -> list[str]:
        return re.findall(r"<Key>(.*?)</Key>", self.ask("GET", "/logs?list-type=2").decode())

    def clear(self, begin: str) -> None:
        """Removes objects; also those of requests that are still in work after their client has ended."""
        for _ in range(2):
            while names := [name for name in self.names() if name.startswith(begin)]:
                for name in names:
                    self.ask("DELETE", f"/logs/{name}")
            time.sleep(0.3)

    def uploads(self) -> list[str]:
        return re.findall(r"<Upload>.*?<Key>(.*?)</Key>", self.ask("GET", "/logs?uploads").decode(), re.S)


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with closing(S3Server()) as server:
        yield server


@pytest.fixture(scope="module")
def gs() -> Iterator[Server]:
    with closing(Server(GS, "STORAGE_EMULATOR_HOST")) as server:
        yield server


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than two parts of an upload."""
    draw = random.Random(44)
    path = tmp_path_factory.mktemp("urls") / "urls.txt"
    with path.open("w") as file:
        for number in range(ROWS):
            file.write(f"http://h{number % 7}.example/{draw.getrandbits(1600):x}?q={number}\n")
    return path


TABLE = ["-g", "{host} {path}", "--compression", "none"]


def table_of(data: bytes, option: str = "--parquet") -> pyarrow.Table:
    source = pyarrow.BufferReader(data)
    return ipc.open_file(source).read_all() if option == "--arrow" else parquet.read_table(source)


def test_lines_and_tables_go_there_and_back(s3: S3Server, gs: Server, urls: Path) -> None:
    lines = urls.read_text()
    for server, scheme in ((s3, "s3"), (gs, "gs")):
        begin = f"{scheme}://logs/there"
        for data in (lines, "http://a.example/\n", ""):
            assert server.run("-o", f"{begin}/a.txt", stdin=data.encode()) == (0, "", "")
            assert server.run("-f", f"{begin}/a.txt") == (0, data, "")
        for option in ("--parquet", "--arrow"):
            assert server.run(*TABLE, option, f"{begin}/b", "-f", str(urls)) == (0, "", "")
            ended = server.run("-f", f"{begin}/b", "--column", "host", "--base", "http://x/", "-g", "{input}")
            assert (ended.status, ended.err) == (0, "")
            assert ended.out.split() == [line.split("/")[2] for line in lines.split()]
    assert table_of(s3.ask("GET", "/logs/there/b"), "--arrow").num_rows == ROWS
    assert s3.uploads() == []


def test_packed_objects_folders_and_globs(s3: S3Server, tmp_path: Path) -> None:
    for name, text in {
        "2026/a.txt": "http://a/",
        "2026/b/c.txt": "http://c/",
        "2026/b//d.txt": "http://d/",
        "2026/b/.e/f.txt": "x",
        "2026/_b": "x",
        "2027/a.txt": "b:",
    }.items():
        assert s3.run("-o", f"s3://logs/many/{name}", text).status in (0, 1)
    # Two slashes are a part of a name. What ends with one is a folder itself, as consoles make it.
    s3.ask("PUT", "/logs/many/2026/")
    for folder in ("s3://logs/many/2026/", "s3://logs/many/2026"):
        assert s3.run("-f", folder).out == "http://a/\nhttp://d/\nhttp://c/\n"
    assert s3.run("-f", "s3://logs/many/*/a.txt").out == "http://a/\nb:\n"
    assert s3.run("-f", "s3://logs/many/*/z") == (3, "", "weburl: s3://logs/many/*/z: no object matches\n")
    ended = s3.run("-f", "s3://logs/many/none")
    assert ended == (3, "", "weburl: s3://logs/many/none: there is no such object\n")


def test_partitions_are_uploaded_at_the_end(s3: S3Server, gs: Server, urls: Path) -> None:
    for server, scheme in ((s3, "s3"), (gs, "gs")):
        more = [*TABLE, "--parquet", f"{scheme}://logs/parts", "--partition-by", "host", "-f", str(urls)]
        assert server.run(*more) == (0, "", "")
        said = f"weburl: {scheme}://logs/parts: there is something: --partition-by needs a new folder\n"
        assert server.run(*more) == (3, "", said)
        ended = server.run(
            "-f", f"{scheme}://logs/parts/", "--column", "path", "--base", "http://x/", "-g", "{column:host}"
        )
        assert sorted(set(ended.out.split())) == [f"h{number}.example" for number in range(7)]
        assert len(ended.out.split()) == ROWS
    names = [name for name in s3.names() if name.startswith("parts")]
    assert names == ["parts/_SUCCESS", *(f"parts/host=h{number}.example/part-{number}.parquet" for number in range(7))]


def test_what_cannot_be(s3: S3Server, tmp_path: Path) -> None:
    for arguments, said in {
        ("-o", "s3://logs", "http://a"): "s3://logs: the name of an object is missing after the bucket",
        ("-o", "s3://no-bucket/x", "http://a"): "s3://no-bucket/x: there is no such object (NoSuchBucket)",
        ("-f", "s3://no-bucket/x"): "s3://no-bucket/x: there is no such object (NoSuchBucket)",
        ("-f", f"s3://{KEY}:{SECRET}@logs/x"): f"s3://***@logs/x: {FAILED} (ParamValidationError)",
        ("-o", "https://u:pw@a.example/x?sig=q8Zx", "b:"): "https://***@a.example/x: https:// can be read, not written",
    }.items():
        assert s3.run(*arguments) == (3, "", f"weburl: {said}\n")
    # An error of the input leaves no object.
    broken = tmp_path / "in.csv"
    broken.write_text('u\n"')
    assert s3.run("-f", str(broken), "--column", "v", "-o", "s3://logs/broken").status == 1
    assert "broken" not in s3.names()


@pytest.mark.parametrize("missing", ["fsspec", "aiohttp", "s3fs"])
def test_the_extra_is_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    scheme = "https" if missing == "aiohttp" else "s3"
    ended = run("-f", f"{scheme}://a.example/x")
    said = f"weburl: {scheme}://a.example/x: {scheme}:// needs more packages: pip install weburl[storage]"
    hint = "; all that follows -f is a file: URLs go before it" if scheme == "https" else ""
    assert ended == (3, "", f"{said}{hint}\n")


# A lost connection.


class Cut:
    """A proxy that passes so many bytes to the server or from it, then none, and takes no more connections.

    Answers may wait until they are let through, from the first request on that writes.
    """

    def __init__(self, port: int, left: int = 1 << 40, *, answers: bool = True) -> None:
        self.to = port
        self.left = left
        self.holds = not answers
        self.answers = threading.Event()
        self.answers.set()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.pairs: list[socket.socket] = []
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.to))
            self.pairs += [client, server]
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self.passing, args=(one, other), daemon=True).start()

    def passing(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(1 << 16):
                if one.getpeername()[1] == self.to:
                    self.answers.wait()
                elif self.holds and data.startswith((b"PUT ", b"POST ")):
                    self.holds = False
                    self.answers.clear()
                with self.lock:
                    data = data[: self.left]
                    self.left -= len(data)
                other.sendall(data)
                if not self.left:
                    self.close()
        except OSError:
            pass
        finally:
            for each in (one, other):
                each.close()

    def close(self) -> None:
        for each in (self.server, *self.pairs):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


@pytest.mark.parametrize("kind", ["--parquet", "--arrow", "--partition-by"])
def test_a_lost_connection_while_it_is_written(kind: str, s3: S3Server, urls: Path) -> None:
    """At any byte: the object is not there, or it is whole."""
    name = f"lost{kind}"
    more = [*TABLE, "-f", str(urls), *(["--arrow"] if kind == "--arrow" else ["--parquet"]), f"s3://logs/{name}"]
    more += [kind, "host"] if kind == "--partition-by" else []
    whole = Cut(s3.port, 1 << 40)
    assert s3.run(*more, port=whole.port) == (0, "", "")
    most = (1 << 40) - whole.left
    whole.close()
    draw = random.Random(kind)
    statuses = set()
    for number in range(10):
        s3.clear(name)
        # Of some, the last answers are lost.
        cut = Cut(s3.port, most - draw.randrange(1, 3000) if number < 5 else draw.randrange(most))
        ended = s3.run(*more, port=cut.port)
        cut.close()
        statuses.add(ended.status)
        there = [found for found in s3.names() if found.startswith(name)]
        if ended.status:
            assert (ended.status, ended.out) == (3, "")
            assert re.fullmatch(
                rf"weburl: s3://logs/{name}\S*: the connection or the server failed \(\w+(, \w+)*\)\n", ended.err
            )
        elif kind == "--partition-by":
            assert f"{name}/_SUCCESS" in there
        rows = [table_of(s3.ask("GET", f"/logs/{each}"), kind).num_rows for each in there if "_SUCC" not in each]
        if kind != "--partition-by":
            assert rows in ([], [ROWS])
        elif f"{name}/_SUCCESS" in there:
            assert sum(rows) == ROWS
    assert 3 in statuses


def test_a_lost_connection_while_it_is_read(s3: S3Server, urls: Path, tmp_path: Path) -> None:
    """What is cut off does not pass for the whole."""
    assert s3.run("-o", "s3://logs/read.txt", "-f", str(urls)) == (0, "", "")
    draw = random.Random(3)
    out = tmp_path / "out"
    for _ in range(6):
        cut = Cut(s3.port, draw.randrange(urls.stat().st_size))
        ended = s3.run("-f", "s3://logs/read.txt", "-o", str(out), port=cut.port)
        cut.close()
        assert ended.status == 3
        assert re.fullmatch(r"weburl: s3://logs/read.txt: the connection or the server failed \(.*\)\n", ended.err)
        assert not out.exists()


@pytest.mark.parametrize("kind", ["--parquet", "--partition-by"])
def test_a_kill_while_it_is_written(kind: str, s3: S3Server, urls: Path) -> None:
    name = f"kill{kind}"
    more = [*COMMAND, *TABLE, "-f", str(urls), "--parquet", f"s3://logs/{name}"]
    more += [kind, "host"] if kind == "--partition-by" else []
    subprocess.run(more, check=True, env=s3.env())
    draw = random.Random(kind)
    ends = set()
    for _ in range(10):
        s3.clear(name)
        process = subprocess.Popen(more, env=s3.env())
        # It takes two seconds, or more beside other work.
        time.sleep(draw.uniform(0.6, 2.5))
        process.kill()
        ends.add(process.wait())
        there = [found for found in s3.names() if found.startswith(name)]
        rows = [table_of(s3.ask("GET", f"/logs/{each}")).num_rows for each in there if "_SUCC" not in each]
        if kind == "--parquet":
            assert rows in ([], [ROWS])
        elif f"{name}/_SUCCESS" in there:
            assert sum(rows) == ROWS
    assert -9 in ends


@pytest.mark.parametrize("server", ["answers", "answers later", "is lost", "is silent"])
@pytest.mark.parametrize("kind", ["--parquet", "--partition-by"])
@pytest.mark.parametrize("number", [2, 15])
def test_a_signal_aborts_the_upload(number: int, kind: str, server: str, s3: S3Server, urls: Path) -> None:
    """Also if the server has begun the upload, and its answer comes later than the signal, or never."""
    name = f"signal-{number}{kind}-{server.replace(' ', '-')}"
    with uploading(s3, urls, name, kind, answers=server == "answers") as (process, proxy):
        process.send_signal(number)
        if server != "answers":
            time.sleep(0.5)
        if server == "answers later":
            proxy.answers.set()
        elif server == "is lost":
            proxy.close()
        # By default, the libraries ask a silent server for minutes.
        _, said = process.communicate(timeout=60)
        proxy.answers.set()
    assert process.returncode == 128 + number
    assert said in (b"", b"weburl: interrupted\n")
    # An object, or the sign of a whole folder.
    assert not {name, f"{name}/_SUCCESS"} & {*s3.names()}
    if server.startswith("answers"):
        assert [found for found in [*s3.uploads(), *s3.names()] if found.startswith(name)] == []


@pytest.mark.parametrize(("kind", "later"), [("--parquet", 0.5), ("--partition-by", 0.5), ("--partition-by", 11.5)])
def test_a_second_signal_ends_the_command_at_once(kind: str, later: float, s3: S3Server, urls: Path) -> None:
    """In the ten seconds for the request in work, and in those for what removes the upload."""
    name = f"twice{kind}-{later}"
    with uploading(s3, urls, name, kind, answers=False) as (process, _):
        process.send_signal(2)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(later)
        begin = time.monotonic()  # clock: deadline
        process.send_signal(2)
        _, said = process.communicate(timeout=60)
        # An end takes about a second: the interpreter has imported much.
        assert time.monotonic() - begin < 7  # clock: deadline
    assert (process.returncode, said) == (130, b"weburl: interrupted\n")


@contextmanager
def uploading(
    s3: S3Server, urls: Path, name: str, kind: str, *, answers: bool
) -> Iterator[tuple[subprocess.Popen[bytes], Cut]]:
    """A command that has begun an upload, and what is between it and the server."""
    proxy = Cut(s3.port, answers=answers)
    more = ["-f", "-"] if kind == "--parquet" else [kind, "host"]
    process = subprocess.Popen(
        [*COMMAND, *TABLE, "-f", str(urls), *more, "--parquet", f"s3://logs/{name}"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=s3.env(proxy.port),
    )
    try:
        wait_for(lambda: any(found.startswith(name) for found in [*s3.uploads(), *s3.names()]), process)
        yield process, proxy
    finally:
        process.kill()
        process.communicate()
        proxy.close()


# https://


class Web(ThreadingHTTPServer):
    data = b""
    sent: int | None = None
    daemon_threads = True


class Handler(BaseHTTPRequestHandler):
    server: Web
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        data = self.server.data
        if not self.path.startswith("/log?X-Goog-Signature="):
            self.send_error(404 if self.path == "/none" else 403, "x-secret-reason")
            return
        self.send_response(200)
        if self.path.endswith("chunked"):
            self.send_header("Transfer-Encoding", "chunked")
            data = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (data[:9], data[9:])) + b"0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: self.server.sent])
        self.close_connection = True

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, *names]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with Web(("localhost", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("SSL_CERT_FILE", certificate)
        yield server
        server.shutdown()


def fetched(*arguments: str) -> Ended:
    ended = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def test_https_is_read(web: Web, tmp_path: Path) -> None:
    at = f"https://u:hunter2@localhost:{web.server_port}/log?X-Goog-Signature=q8Zxabc%2Fd"
    web.data = "".join(f"http://a.example/{number}\n" for number in range(100_000)).encode()
    for end in ("", "&a=chunked"):
        assert fetched("-f", at + end) == (0, web.data.decode(), "")
    path = tmp_path / "in.parquet"
    parquet.write_table(pyarrow.table({"u": web.data.decode().split()}), path)
    web.data = path.read_bytes()
    ended = fetched("-f", at, "--column", "u")
    assert (ended.status, len(ended.out.split()), ended.err) == (0, 100_000, "")


def test_https_that_is_cut_off(web: Web, tmp_path: Path) -> None:
    web.data = b"http://a.example/\n" * 20_000
    draw = random.Random(9)
    out = tmp_path / "out"
    for end in ("", "&a=chunked"):
        for _ in range(4):
            web.sent = draw.randrange(len(web.data))
            at = f"https://u:hunter2@localhost:{web.server_port}/log"
            ended = fetched("-f", f"{at}?X-Goog-Signature=q8Zxabc{end}", "-o", str(out))
            shown = f"https://***@localhost:{web.server_port}/log"
            said = rf"weburl: {re.escape(shown)}: the connection or the server failed \(ClientPayloadError(, \w+)*\)\n"
            assert ended.status == 3
            assert re.fullmatch(said, ended.err)
            assert not out.exists()


def test_https_that_is_refused(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    at = f"https://u:hunter2@localhost:{web.server_port}"
    shown = f"https://***@localhost:{web.server_port}"
    for path, said in {
        "/none": "there is no such object",
        "/no?X-Goog-Signature=q8Zxabc": "the connection or the server failed (ClientResponseError, 403)",
    }.items():
        assert fetched("-f", at + path) == (3, "", f"weburl: {shown}{path.partition('?')[0]}: {said}\n")
    monkeypatch.delenv("SSL_CERT_FILE")
    ended = fetched("-f", f"{at}/log?X-Goog-Signature=q8Zxabc")
    assert ended.status == 3
    assert ended.err.startswith(
        f"weburl: {shown}/log: the connection or the server failed (ClientConnectorCertificateError"
    )
    assert "q8Zx" not in ended.err


def test_http_is_a_url_and_not_a_file() -> None:
    ended = run("-f", "http://a.example/")
    said = "http://a.example/: no such file or directory; all that follows -f is a file: URLs go before it"
    assert ended == (3, "", f"weburl: {said}\n")
