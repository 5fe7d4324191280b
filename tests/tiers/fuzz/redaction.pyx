# cython: boundscheck=False, wraparound=False, cdivision=True
"""Texts under libFuzzer: redaction under several policies, also in parts, and URLs in them; tests/tiers/fuzz.py builds
and runs it.

An input is three bytes of options and a text. The compiled code is called without Python in between where it can be;
what is in Python around it, such as a text in parts, is called by this program, too.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memcmp, memcpy

from weburl._core.buffer cimport Buffer, release, start
from weburl._core.status cimport OK
from weburl._redact.forms cimport Names
from weburl._redact.redact cimport HiddenSpan, LogPolicy
from weburl._redact.text cimport redact_text_into

import os
import traceback

from weburl._redact import stream
from weburl.redact import LogPolicy as Policy
from weburl.text import defang, explain_redaction, find_urls, redact_text, refang, replace_urls

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from *:
    """
    #include "target.h"
    FUZZ_TARGET(redaction)
    """

cdef enum:
    MOST_POLICIES = 8
    # Bits of the first byte, besides the number of a policy.
    AS_TOML = 64
    SHORT_WORDS = 128           # what is longer in a stream is replaced
    # Of the second byte.
    BARE = 8
    DEFANGED = 16
    LONGEST_TOML = 300

FILE = """
hide = ["plate", "x"]
keep = ["state", "a"]
hide_random = ["basket"]
paths = ["/reset/{secret}", "/*/x/{secret}", "/a/{secret}/b", "/%61;/{secret}"]
[[rules]]
hosts = ["h", "b.com", "example.com"]
hide = ["q"]
keep = ["token"]
paths = ["/{secret}", "/a/*/{secret}"]
"""
KEYED = "[replacement]\nkey_env = 'WEBURL_FUZZ_KEY'\n"
os.environ["WEBURL_FUZZ_KEY"] = "0123456789abcdef"
cdef list policies = [
    Policy(name="logs"), Policy(name="logs-strict"), Policy(name="otel"), Policy.from_toml(FILE),
    Policy.from_toml(KEYED + FILE), Policy.from_toml("base = 'otel'\npaths = ['/{secret}', '/a/{secret}']"),
    Policy.from_toml("base = 'logs-strict'\n" + FILE), Policy.from_toml("whole_addresses = true\n" + KEYED),
]
cdef (const Names*)[MOST_POLICIES] names
for index, policy in enumerate(policies):
    names[<int> index] = &(<LogPolicy> policy).names
SYNTAXES = ("text", "json", "html", "markdown", "shell", "text", "json", "text")


cdef void fail(const char* what, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    fprintf(stderr, "weburl: %s: %.*s\n", what, <int> n, <const char*> p)
    abort()


# Spans are in order, do not overlap, and are where the output is another text.
cdef void check_spans(const Buffer* spans, const Buffer* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef HiddenSpan span
    cdef Py_ssize_t k, end = 0, at = 0
    for k in range(spans.length // <Py_ssize_t> sizeof(HiddenSpan)):
        memcpy(&span, spans.data + k * <Py_ssize_t> sizeof(HiddenSpan), sizeof(HiddenSpan))
        if not end <= span.begin <= span.end <= n:
            fail("spans are not in order", p, n)
        if k == 0 and (span.at != span.begin or memcmp(out.data, p, span.begin) != 0):
            fail("what is before the first secret has changed", p, n)
        if span.at < at or span.at > out.length:
            fail("a span is outside of the output", p, n)
        end = span.end
        at = span.at
    if n - end > out.length or memcmp(out.data + out.length - (n - end), p + end, n - end) != 0:
        fail("what is after the last secret has changed", p, n)


cdef void check_text(int number, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[64] scratch, again_scratch, decoded_scratch, spans_scratch
    cdef Buffer out, again, decoded, spans
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&again, again_scratch, sizeof(again_scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    start(&spans, spans_scratch, sizeof(spans_scratch), PY_SSIZE_T_MAX)
    if redact_text_into(&out, &decoded, p, n, names[number], &spans):
        if out.status != OK or spans.status != OK:
            fail("redacting has failed", p, n)
        check_spans(&spans, &out, p, n)
        # Under the other policies, more can be hidden: a path can begin where something was.
        if redact_text_into(&again, &decoded, out.data, out.length, names[number], NULL) and (number == 0 or number == 2):
            fail("redacted text has another", out.data, out.length)
    elif spans.length > 0:
        fail("spans of a text that stays", p, n)
    release(&spans)
    release(&again)
    release(&decoded)
    release(&out)


# A text in parts of sizes that two bytes choose is the text as a whole, if no word is too long.
def check_stream(policy, bytes text, bint short_words, uint32_t random):
    cdef Py_ssize_t begin = 0, size
    longest = stream.LONGEST
    try:
        if short_words:
            stream.LONGEST = 24
        parts = stream.TextStream(policy, ignore if random & 1 else None)
        shown = []
        while begin < len(text):
            random = random * <uint32_t> 1664525 + <uint32_t> 1013904223
            size = 1 + (random >> 16) % (1 << (random >> 8 & 7))
            shown.append(parts.redact(text[begin:begin + size]))
            begin += size
        shown.append(parts.finish())
        if not short_words and b"".join(shown) != redact_text(text, policy):
            raise AssertionError("a text in parts has another result")
    finally:
        stream.LONGEST = longest


def ignore(*said):
    pass


def text_of(span):
    return span.text


def check_urls(bytes text, int how):
    options = {"syntax": SYNTAXES[how & 7], "bare": bool(how & BARE), "defanged": bool(how & DEFANGED)}
    found = find_urls(text, **options)
    if replace_urls(text, text_of, **options) != text:
        raise AssertionError("each URL in place of itself is another text")
    if [text[span.start:span.end] for span in found] != [span.text for span in found]:
        raise AssertionError("a span is not its text")
    as_str = text.decode("utf-8", "replace")
    for given in (text, as_str):
        safe = defang(given, bare=bool(how & BARE))
        refang(safe, bare=bool(how & BARE))
        refang(given)


cdef int check_in_python(int number, const uint8_t* data, Py_ssize_t n) except -1 with gil:
    cdef bytes text = data[3:n]
    policy = policies[number]
    try:
        check_stream(policy, text, data[0] & SHORT_WORDS, data[1] << 8 | data[2])
        for redaction in explain_redaction(text, policy):
            if not 0 <= redaction.start <= redaction.end <= len(text):
                raise AssertionError("an explanation is outside of the text")
        check_urls(text, data[1])
        if data[0] & AS_TOML and len(text) < LONGEST_TOML:
            try:
                redact_text(text, Policy.from_toml(text.decode("utf-8", "replace")))
            except ValueError:
                pass
    except BaseException:
        traceback.print_exc()
        fail("an exception", data, n)
    return 0


cdef public int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) noexcept nogil:
    cdef Py_ssize_t n = <Py_ssize_t> size
    cdef uint8_t* copy
    cdef int number
    if n < 3:
        return 0
    number = data[0] % MOST_POLICIES
    # A block of its own, so that a read after its end is caught.
    copy = <uint8_t*> malloc(n - 3)
    if copy == NULL and n > 3:
        abort()
    memcpy(copy, data + 3, n - 3)
    check_text(number, copy, n - 3)
    free(copy)
    check_in_python(number, data, n)
    return 0
