"""Code points and percent-encoding, as the standard defines them."""

from __future__ import annotations

from weburl._unicode.encoding import UTF_8, Encoding
from weburl._unicode.text_buffer import TextBuffer

# https://url.spec.whatwg.org/#eof-code-point: it can be in sets of code points, but is not a code point.
EOF = ""

ASCII_DIGITS = frozenset("0123456789")
ASCII_HEX_DIGITS = frozenset("0123456789ABCDEFabcdef")
ASCII_ALPHA = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
ASCII_ALPHANUMERIC = ASCII_DIGITS | ASCII_ALPHA
ASCII_TAB_OR_NEWLINE = frozenset("\t\n\r")
C0_CONTROL = frozenset(map(chr, range(0x20)))
C0_CONTROL_OR_SPACE = C0_CONTROL | {" "}

# https://url.spec.whatwg.org/#percent-encode-set: sets of the isomorphs of bytes.
# https://url.spec.whatwg.org/#c0-control-percent-encode-set
C0_CONTROL_PERCENT_ENCODE_SET = C0_CONTROL | frozenset(map(chr, range(0x7F, 0x100)))
# https://url.spec.whatwg.org/#fragment-percent-encode-set
FRAGMENT_PERCENT_ENCODE_SET = C0_CONTROL_PERCENT_ENCODE_SET | frozenset(' "<>`')
# https://url.spec.whatwg.org/#query-percent-encode-set
QUERY_PERCENT_ENCODE_SET = C0_CONTROL_PERCENT_ENCODE_SET | frozenset(' "#<>')
# https://url.spec.whatwg.org/#special-query-percent-encode-set
SPECIAL_QUERY_PERCENT_ENCODE_SET = QUERY_PERCENT_ENCODE_SET | frozenset("'")
# https://url.spec.whatwg.org/#path-percent-encode-set
PATH_PERCENT_ENCODE_SET = QUERY_PERCENT_ENCODE_SET | frozenset("?^`{}")
# https://url.spec.whatwg.org/#userinfo-percent-encode-set
USERINFO_PERCENT_ENCODE_SET = PATH_PERCENT_ENCODE_SET | frozenset("/:;=@[\\]|")

# https://url.spec.whatwg.org/#url-code-points: the ASCII ones
ASCII_URL_CODE_POINTS = ASCII_ALPHANUMERIC | frozenset("!$&'()*+,-./:;=?@_~")


# https://url.spec.whatwg.org/#url-code-points
def is_url_code_point(c: str) -> bool:
    return c in ASCII_URL_CODE_POINTS or ("\u00a0" <= c <= "\U0010fffd" and not is_noncharacter(c))


# https://infra.spec.whatwg.org/#noncharacter
def is_noncharacter(c: str) -> bool:
    return "\ufdd0" <= c <= "\ufdef" or ord(c) & 0xFFFE == 0xFFFE


# https://url.spec.whatwg.org/#percent-encode
def percent_encode(byte: int) -> str:
    return f"%{byte:02X}"


# https://url.spec.whatwg.org/#string-percent-encode-after-encoding
def percent_encode_after_encoding(encoding: Encoding, input: str, percent_encode_set: frozenset[str]) -> str:
    output = TextBuffer()
    for encode_output in encoding.encode(input):
        if isinstance(encode_output, int):
            output.append(f"%26%23{encode_output}%3B")
        else:
            for isomorph in encode_output.decode("latin-1"):
                output.append(percent_encode(ord(isomorph)) if isomorph in percent_encode_set else isomorph)
    return str(output)


# https://url.spec.whatwg.org/#utf-8-percent-encode
def utf_8_percent_encode(scalar_value: str, percent_encode_set: frozenset[str]) -> str:
    if scalar_value.isascii() and scalar_value not in percent_encode_set:
        return scalar_value
    return percent_encode_after_encoding(UTF_8, scalar_value, percent_encode_set)


# https://url.spec.whatwg.org/#string-utf-8-percent-encode
def utf_8_percent_encode_string(input: str, percent_encode_set: frozenset[str]) -> str:
    return percent_encode_after_encoding(UTF_8, input, percent_encode_set)


# https://url.spec.whatwg.org/#percent-decode
def percent_decode(input: bytes) -> bytes:
    output = bytearray()
    index = 0
    while index < len(input):
        byte = input[index]
        index += 1
        if byte != 0x25:
            output.append(byte)
            continue
        byte_point = input[index : index + 2].decode("latin-1")
        if not starts_with_two_hex_digits(byte_point, 0):
            output.append(byte)
        else:
            output.append(int(byte_point, 16))
            index += 2
    return bytes(output)


# https://url.spec.whatwg.org/#string-percent-decode
def percent_decode_string(input: str) -> bytes:
    return percent_decode(input.encode())


# https://url.spec.whatwg.org/#percent-encoded-byte
def starts_with_two_hex_digits(input: str, index: int) -> bool:
    digits = input[index : index + 2]
    return len(digits) == 2 and ASCII_HEX_DIGITS.issuperset(digits)
