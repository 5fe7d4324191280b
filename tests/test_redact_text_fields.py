"""Fields, tokens and lists in texts, and what is like them: what redact_text() makes of real-looking lines."""

from __future__ import annotations

import ctypes
import json
import mmap
import sys
from random import Random

import pytest
from support import redact_text_model
from support.arrow import AsArray
from test_scan import guarded_pages

from weburl.text import redact_text, redact_text_many

CASES = {
    '{"password": ["q8Zx", 1e-05, "q9Zx"]}': '{"password": ["REDACTED", 1e-05, "REDACTED"]}',
    '{"password": ["q8Zx", 12345678, "q9Zx"]}': '{"password": ["REDACTED", "REDACTED", "REDACTED"]}',
    '{"password": ["q8Zx", nil, {}, [], "q9Zx"]}': '{"password": ["REDACTED", nil, {}, [], "REDACTED"]}',
    '{"password": [{}, "q9Zx"]}': '{"password": [{}, "REDACTED"]}',
    '{"password": [[], "q9Zx"]}': '{"password": [[], "REDACTED"]}',
    '{"password": [1234567, "q9Zx"], "a": 1}': '{"password": ["REDACTED", "REDACTED"], "a": 1}',
    '{"password": 123456789, "api_key":-1234.5e6}': '{"password": "REDACTED", "api_key":"REDACTED"}',
    "{'password': 1234567}": "{'password': 'REDACTED'}",
    '{"authorization": 1234567, "password": 12345}': '{"authorization": "REDACTED", "password": 12345}',
    r'{"m":"{\"password\":1234567,\"a\":1}"}': r'{"m":"{\"password\":\"REDACTED\",\"a\":1}"}',
    'password=1234567 headers["password"] = 1234567': 'password=REDACTED headers["password"] = REDACTED',
    '"password"=>1234567': '"password"=>REDACTED',
    '"authorization": Bearer 1234567': '"authorization": Bearer REDACTED',
    '"Set-Cookie: a=q8Zx; Path=/\\r\\nAuthorization: Bearer q9Zx\\r\\nHost: h"': (
        '"Set-Cookie: a=REDACTED; Path=/\\r\\nAuthorization: Bearer REDACTED\\r\\nHost: h"'
    ),
    '"Authorization: Bearer q9Zx\\r\\nHost: h\\r\\n"': '"Authorization: Bearer REDACTED\\r\\nHost: h\\r\\n"',
    "'password': (b'q8Zx', b'q9Zx')": "'password': (b'REDACTED', b'REDACTED')",
    "'password': (None, 'q9Zx')": "'password': (None, 'REDACTED')",
    "password = N'q8Zx', x": "password = N'REDACTED', x",
    'password = @"q8Zx", x': 'password = @"REDACTED", x',
    "password = E'q8Zx', x": "password = E'REDACTED', x",
    "'password': rb'q8Zx', x": "'password': rb'REDACTED', x",
    '"APIKey": "q8Zx"': '"APIKey": "REDACTED"',
    '"IDToken": "q8Zx"': '"IDToken": "REDACTED"',
    '"apikey": "q8Zx"': '"apikey": "REDACTED"',
    '%}APIKey": "q8Zx"': '%}APIKey": "REDACTED"',
    "apikey: q8Zx": "apikey: REDACTED",
    "password=hawk": "password=REDACTED",
    '"password": "basic"': '"password": "REDACTED"',
    "token=q8Zx3f7aK1b9Lm2c user=ada": "token=REDACTED user=ada",
    '{"token": "q8Zx3f7aK1b9Lm2c"}': '{"token": "REDACTED"}',
    "Server=h;User Id=sa;Pwd=q8Zx;Encrypt=yes": "Server=h;User Id=sa;Pwd=REDACTED;Encrypt=yes",
    "secret_key=q8Zx3f7a": "secret_key=REDACTED",
    "password_hash=$2b$12$q8Zx": "password_hash=REDACTED",
    "{'password1': ['q8Zx']}": "{'password1': ['REDACTED']}",
    '{"password": "q8 Zx", "n": 1}': '{"password": "REDACTED", "n": 1}',
    '{"password": [\n  null,\n  "q9Zx"\n]}': '{"password": [\n  null,\n  "REDACTED"\n]}',
    '{"password": [\n  "q8Zx",\n  null,\n  "q9Zx"\n]}': '{"password": [\n  "REDACTED",\n  null,\n  "REDACTED"\n]}',
    "{'msg': 'bad Cookie: sid', 'password': 'hunter2', 'url': '/?a=b'}": ("{'msg': 'bad Cookie: REDACTED"),
    (
        "{'msg': 'x Cookie: a=b', 'ua': 'Mozilla/5.0 (X11; Linux x86_64)', 'password': 'hunter2', 'q': 'a=b'}"
    ): "{'msg': 'x Cookie: a=REDACTED; REDACTED",
    '{"token":"3|q8Zx3f7aK1b9Lm2cW5tYq8Zx3f7aK1b9Lm2cW5tY"}': '{"token":"REDACTED"}',
    '{"fcm_token":"LLSPFaMc_68nZZWsZmF5zg:APA91bq1HF4630eqkjhFsYBRVr"}': ('{"fcm_token":"REDACTED"}'),
    '{"token":"Bearer q8Zx3f7aK1b9Lm2cW5tY"}': '{"token":"Bearer REDACTED"}',
    "csrfmiddlewaretoken=q8Zx3f7aK1b9Lm2cW5tY&username=ada": "csrfmiddlewaretoken=REDACTED&username=ada",
    "<QueryDict: {'csrfmiddlewaretoken': ['q8Zx3f7aK1b9Lm2cW5tY'], 'a': ['b']}>": (
        "<QueryDict: {'csrfmiddlewaretoken': ['REDACTED'], 'a': ['b']}>"
    ),
    "Driver={x};Server=h;UID=sa;DB_PWD=/K9xz33;": "Driver={x};Server=h;UID=sa;DB_PWD=REDACTED;",
    '{"db_pwd":"~khcO#wY"}': '{"db_pwd":"REDACTED"}',
    "User{password={bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe, name=x}": ("User{password=REDACTED, name=x}"),
    "userPassword={SSHA}q8Zx3f7aK1b9Lm2cW5tY": "userPassword=REDACTED",
    "user%5Bemail%5D=a&user%5Bpassword%5D=hunter2&commit=1": "user%5Bemail%5D=a&user%5Bpassword%5D=REDACTED&commit=1",
    "secret=#015#012ada@example.com= x": "secret=#015#012ada@example.com= x",
    "/pwd=.?a=1": "/pwd=REDACTED?a=1",
    "user[password][]=q8Zx&password[]=q8Zy": "user[password][]=REDACTED&password[]=REDACTED",
    "user%5Bpassword%5D%5B%5D=q8Zx&password%5B%5D=q8Zy&a=1": (
        "user%5Bpassword%5D%5B%5D=REDACTED&password%5B%5D=REDACTED&a=1"
    ),
    '{"api_key":[null,["q8Zx"]]}': '{"api_key":[null,["REDACTED"]]}',
    '{"password":[["q8Zx","q8Zy"], ["q9Zx",1], [[],["q9Zy"]], "q9Zz"],"a":["b"]}': (
        '{"password":[["REDACTED","REDACTED"], ["REDACTED",1], [[],["REDACTED"]], "REDACTED"],"a":["b"]}'
    ),
    '{"password":[[null],[1,"q8Zx"]],"a":"b"}': '{"password":[[null],[1,"REDACTED"]],"a":"b"}',
    '{"password": [\n  [\n    "q8Zx"\n  ],\n  [\n    "q9Zx"\n  ]\n],\n"a": ["b"]}': (
        '{"password": [\n  [\n    "REDACTED"\n  ],\n  [\n    "REDACTED"\n  ]\n],\n"a": ["b"]}'
    ),
    "{'password': [['q8Zx'],\n ['q9Zx']], 'a': ['b']}": "{'password': [['REDACTED'],\n ['REDACTED']], 'a': ['b']}",
    "{'password': ('q8Zx', ['q9Zx'], 'q9Zy'), 'a': 'b'}": (
        "{'password': ('REDACTED', ['REDACTED'], 'REDACTED'), 'a': 'b'}"
    ),
    '{"password":[["q8Zx"],[[]],"q9Zx",[{}],[["q9Zy",[]],()], "q9Zz"],"a":["b"]}': (
        '{"password":[["REDACTED"],[[]],"REDACTED",[{}],[["REDACTED",[]],()], "REDACTED"],"a":["b"]}'
    ),
    '{"password": [\n  [\n    []\n  ],\n  "q8Zx"\n],\n"a": ["b"]}': (
        '{"password": [\n  [\n    []\n  ],\n  "REDACTED"\n],\n"a": ["b"]}'
    ),
    '{"a": "{\\n \\"api_key\\": [\\n  [\\n   \\"q8Zx\\"\\n  ],\\n  [\\n   \\"q9Zx\\"\\n  ]\\n ]\\n}"}': (
        '{"a": "{\\n \\"api_key\\": [\\n  [\\n   \\"REDACTED\\"\\n  ],\\n  [\\n   \\"REDACTED\\"\\n  ]\\n ]\\n}"}'
    ),
    '{"Cookie":["a=q8Zx", 200]}': '{"Cookie":["a=REDACTED", 200]}',
    "password[0]=q8Zx&user%5Bpassword%5D%5B1%5D=q8Zy": "password[0]=REDACTED&user%5Bpassword%5D%5B1%5D=REDACTED",
    "pwd[]=q8Zx access_token[0]=q8Zy": "pwd[]=REDACTED access_token[0]=REDACTED",
    "facebook_page_token=q8Zx3f7a FB_PAGE_TOKEN=q8Zx3f7b": "facebook_page_token=REDACTED FB_PAGE_TOKEN=REDACTED",
    '{"fbPageToken": "q8Zx3f7a", "next_page_token": "q8Zx3f7a"}': (
        '{"fbPageToken": "REDACTED", "next_page_token": "q8Zx3f7a"}'
    ),
    "GET /?exchange_token=q8Zx&conversion_token=q8Zy exchange_token=q8Zx3f7a": (
        "GET /?exchange_token=REDACTED&conversion_token=REDACTED exchange_token=REDACTED"
    ),
    "GET /?my_fb_page_token=q8Zx&page_token=q8Zx": "GET /?my_fb_page_token=REDACTED&page_token=q8Zx",
    '"secret" : "q8Zx" "secret" : q8Zx': '"secret" : "REDACTED" "secret" : REDACTED',
    '"secret" : letters, "a": 1': '"secret" : REDACTED, "a": 1',
    '"secret" : letters two3 "secret" : letters b=1': '"secret" : REDACTED two3 "secret" : REDACTED b=1',
    '"api-key" : Bearer letters "api-key" : letters, "secret": letters two': (
        '"api-key" : Bearer REDACTED "api-key" : REDACTED, "secret": REDACTED two'
    ),
    "password=hidden password=*q8Zx* password=[hidden2] password=(q8Zx) password=**q8": (
        "password=REDACTED password=REDACTED password=[REDACTED] password=REDACTED) password=REDACTED"
    ),
    "token=2026-11-29T10:00:00q8Zx3f7aK1b9 token=2026-11-29": "token=REDACTED token=2026-11-29",
    '{"password[]": "q8Zx"}': '{"password[]": "REDACTED"}',
    "token[]=q8Zx3f7aK1b9Lm2c": "token[]=REDACTED",
    '{"user[password]":"hunter2"}': '{"user[password]":"REDACTED"}',
    'authorization=Digest username="ada", uri="/x", response="6629fae4" z=1': ("authorization=Digest REDACTED z=1"),
    '["Host","h","Cookie","sid=q8Zx","Authorization","Basic dXNlcjpwYXNz"]': (
        '["Host","h","Cookie","sid=REDACTED","Authorization","Basic REDACTED"]'
    ),
    'body="{\\"password\\":" password="S77"': 'body="{\\"password\\":" password="REDACTED"',
    "Cookie: s=QUFB%0D%0AS77; sid=S78": "Cookie: s=REDACTED; sid=REDACTED",
    "user%5Baccess_token%5D=S77&x=1": "user%5Baccess_token%5D=REDACTED&x=1",
    "Host: h%0D%0ACookie: a=b%0D%0AHost: x": "Host: h%0D%0ACookie: a=REDACTED%0D%0AHost: x",
    "2026-11-28 password: pass8word9": "2026-11-28 password: REDACTED",
    "token=tokBBB4 x": "token=REDACTED x",
    "Uid=sa;Pwd=/q8Zx9;": "Uid=sa;Pwd=REDACTED;",
    '{"pwd":"./src"}': '{"pwd":"REDACTED"}',
    "password=$b9 cookie: a=$$1": "password=REDACTED cookie: a=REDACTED",
}
PLAIN = [
    # Not a name and its value in a list: the name is a value itself.
    'kind="token", "hunter22x"',
    "kind:'token','hunter22x'",
    '"kind"=>b"api_key", b"hunter22x"',
    "cookie: a=",
    "token=2026-11-29T10:00:00Z token=2026-11-29T10:00:00.123456789+01:00 token: 2026-11-29t10:00:00",
    "password=(null) secret=N/A api_key=n/a password=[hidden] password=[FILTERED] password=*** password=<redacted>",
    "Authorization: [Filtered]",
    "Authorization: Bearer ***",
    "Cookie: a=[FILTERED]; b=***; c=(null)",
    '{"password":"********","secret":"[FILTERED]","api_key":"<redacted>","pwd":"(sensitive)","cookie":"[Filtered]"}',
    '"password"=>"[FILTERED]"',
    'MountVolume.SetUp failed for volume "x-secret" : secret "x" not found',
    '{"message":"failed for volume \\"x-secret\\" : secret \\"x\\" not found"}',
    'failed for volume "my-api-key" : failed to sync secret cache: timed out waiting for the condition',
    "versionToken=q8Zx3f7a paging_token=q8Zx3f7a changeToken=q8Zx3f7a syncToken=q8Zx3f7a nextPageToken=q8Zx3f7a",
    "GET /?versionToken=q8Zx3f7a&paging_token=q8Zx3f7a&changeToken=q8Zx3f7a&continuationToken=q8Zx3f7a",
    r'{"a": "{\n \"api_key\": [\n  {}\n ],\n \"b\": 1\n}"}',
    "secret=[[],{} ] secret=[{}]",
    '{"Cookie":[200]} {"Cookie":[200, null]} {"Cookie":[[200],[404]]}',
    "password[]: letters password[x]=1 password[0 token[]=item42",
    '{"http_cookie":"-","http_authorization":"-"}',
    '{"msg":"missing \\"password\\":","level":"info"}',
    "Set-Cookie: a=true; b=",
    "Authorization: Bearer ",
    "password: 8 characters",
    "Wrong password: try again",
    "token=item42",
    "token: abc12D",
    '{"msg": "send Authorization:", "next": "x1"}',
    '{"msg": "send Cookie: ", "next": "x1"}',
    '{"msg": "set API-Key:", "next": "x1"}',
    "npm_package_config_registry_something_quite_long_here",
    "tag v1.0-0123456789abcdef0123456789abcdef01234567 pushed",
    "sb_secret_rotation_policy_for_all_projects_x",
    'secret "x-y" not found',
    'secrets "db-secret" not found',
    '["id","access_token","email"]',
    '{"next_page_token": "q8Zx3f7aK1b9Lm2c"}',
    "PWD=/home/ada",
    "Could not load 'X, Version=1.0.0.0, Culture=neutral, PublicKeyToken=31bf3856ad364e35'",
    '{"nextForwardToken":"f/34608865146958241658","paginationToken":"q8Zx3f7aK1b9Lm2cW5tY"}',
    "bos_token: reserved_special_token_0",
    "Unexpected token: END_OF_STREAM_12345",
    "token=user-service-account-2023",
    '{"PWD":"/srv"} PWD=. OLDPWD=/home PWD=/x',
    '{"b": "{\\n \\"m\\": \\"enter password:\\"\\n}"}',
    'UPDATE "users" SET "encrypted_password" = $1 WHERE "id" = $2',
    '["Content-Type","Authorization","X-Requested-With"]',
    '{"Vary":["Cookie","Accept-Encoding"]}',
]


@pytest.mark.parametrize(("text", "expected"), [*CASES.items(), *((text, text) for text in PLAIN)])
def test_lines(text: str, expected: str) -> None:
    assert redact_text(text) == expected
    assert redact_text(expected) == expected
    assert redact_text_model.redacted(text)[0] == expected


Json = str | float | list["Json"] | dict[str, "Json"] | None


def made(draw: Random, depth: int, texts: tuple[str, ...]) -> Json:
    """A value of a field: lists in lists, whose texts have marks of JSON in them, and what is no secret."""
    if depth < 4 and draw.random() < 0.5:
        return [made(draw, depth + 1, texts) for _ in range(draw.randint(0, 4))]
    plain: tuple[Json, ...] = (None, True, 1, -3.5, 12345, {}, [], 123456, -1.25e20)
    return draw.choice(plain) if draw.random() < 0.3 else draw.choice(texts)


def hidden(value: Json) -> Json:
    if isinstance(value, list):
        return [hidden(each) for each in value]
    is_long = isinstance(value, (int, float)) and abs(value) > 99999
    return "REDACTED" if isinstance(value, str) or is_long else value


@pytest.mark.parametrize("seed", range(4))
def test_json_stays_json(seed: int) -> None:
    """Every text in the lists of a field is hidden, however the JSON is written, also as a text in JSON."""
    draw = Random(seed)
    secrets = tuple(
        f"q8{between}Zx3f" for between in ("", " ", '"', "\\", ",", "]", "[", "'", "{", "é", "\n", " ]", ", ")
    )
    for _ in range(1000):
        name = draw.choice(("password", "client_secret", "apiKey", "user[pwd]", "passphrase[]"))
        around = made(draw, 2, ("x", "a]b", "two words", 'q"q', "it's"))
        value = [made(draw, 0, secrets), made(draw, 1, secrets)]
        indent, separators = draw.choice(((None, None), (None, (",", ":")), (draw.randint(0, 5), None)))
        lines = [
            json.dumps({"a": around, name: shown, "b": around}, indent=indent, separators=separators)
            for shown in (value, hidden(value))
        ]
        assert redact_text(lines[0]) == lines[1]
        assert redact_text(json.dumps(lines[0])) == json.dumps(lines[1])


class AtPageEnd(AsArray):
    """A column whose texts end where a page ends; the next page cannot be read."""

    memory: mmap.mmap
    end: bytes

    def buffer(self, data: bytes | None) -> int | None:
        if not data or not data.endswith(self.end):
            return super().buffer(data)
        at = 2 * mmap.PAGESIZE - len(data)
        self.memory[at : 2 * mmap.PAGESIZE] = data
        return ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) + at


@pytest.mark.skipif(sys.platform != "linux", reason="protects a page as Linux does")
def test_nothing_is_read_beyond_a_column() -> None:
    """Nor of a text that is cut."""
    AtPageEnd.memory = guarded_pages()
    for text in [*CASES, *PLAIN]:
        data = text.encode()
        for length in range(1, len(data) + 1):
            AtPageEnd.end = data[:length]
            shown = redact_text_many(AtPageEnd([[data[:length]]], format="U")).to_pylist()
            assert shown == [redact_text(data[:length]).decode()]
