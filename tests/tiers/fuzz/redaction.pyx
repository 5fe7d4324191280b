# cython: boundscheck=False, wraparound=False, cdivision=True
"""Texts under libFuzzer: redaction under several policies, also in parts, and URLs in them; tests/tiers/fuzz.py builds
and runs it.

An input is three bytes of options and a text. Each text is redacted, and URLs are looked for in it, by the compiled code
alone. What is in Python around that, such as a text in parts, takes a hundred times as long: of each N_PYTHON texts, one
is given to it. One of each N_LONG is repeated first, until it is long. A hash of the input chooses them, so that the
same input is always looked at in the same way.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memcmp, memcpy

from weburl._core.buffer cimport Buffer, release, start
from weburl._core.parser cimport Parser, parse
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, NO_MEMORY, OK, Status
from weburl._core.texts cimport continue_parser
from weburl._redact.redact cimport HiddenSpan, LogPolicy, Names, redact_text_into
from weburl._text.spans cimport Finder, FindOptions, FindRules, close_finder, find_next, open_finder, start_finding

import os
import traceback

from weburl._redact import stream
from weburl.redact import LogPolicy as Policy
from weburl.text import WEB_SCHEMES, defang, explain_redaction, find_urls, redact_text, refang, replace_urls

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
    N_PYTHON = 128
    N_LONG = 8192
    LONG = 1 << 17              # more than what a stream reads of a word
    MOST_RULES = 32

FILE = """
hide = ["plate", "x"]
keep = ["state", "a"]
hide_random = ["basket"]
paths = ["/reset/{secret}", "/*/x/{secret}", "/a/{secret}/b", "/%61/{secret}"]
[[rules]]
hosts = ["h", "b.com", "example.com"]
hide = ["q"]
keep = ["token"]
paths = ["/{secret}", "/a/*/{secret}"]
"""
KEYED = "replacement = {key_env = 'WEBURL_FUZZ_KEY'}\n"
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
cdef list rules = [
    FindRules(WEB_SCHEMES, bool(how & BARE), SYNTAXES[how & 7], bool(how & DEFANGED)) for how in range(MOST_RULES)
]
cdef (const FindOptions*)[MOST_RULES] options
for index, rule in enumerate(rules):
    options[<int> index] = &(<FindRules> rule).options


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
        # More can be hidden then, if seldom: what was hidden may have begun a path, or have been a quote.
        spans.length = 0
        if redact_text_into(&again, &decoded, out.data, out.length, names[number], &spans):
            if again.status != OK or spans.status != OK:
                fail("redacting again has failed", out.data, out.length)
            check_spans(&spans, &again, out.data, out.length)
    elif spans.length > 0:
        fail("spans of a text that stays", p, n)
    release(&spans)
    release(&again)
    release(&decoded)
    release(&out)


# What the parser asks for. No memory is missing here.
cdef Status run_parser(void* context, Parser* parser) noexcept nogil:
    cdef Status status = parse(parser)
    return go_on(parser, status) if status == NEED_DOMAIN or status == NEED_ENCODE else status


cdef Status go_on(Parser* parser, Status status) noexcept with gil:
    return continue_parser(parser, status, None)


# URLs are in order, do not overlap, and are not empty.
cdef void check_finding(int how, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Finder finder
    cdef Py_ssize_t end = 0
    cdef int found
    open_finder(&finder, options[how], run_parser, NULL)
    start_finding(&finder, p, n)
    found = find_next(&finder)
    while found == 1:
        if not end <= finder.start < finder.end <= n:
            fail("a URL is not in order", p, n)
        end = finder.end
        found = find_next(&finder)
    close_finder(&finder)
    if found != 0:
        fail("finding has failed", p, n)


# A text in parts of sizes that two bytes choose is the text as a whole, if no word is too long.
def check_stream(policy, bytes text, bint short_words, uint32_t random):
    cdef Py_ssize_t begin = 0, size
    cdef int least = 12 if len(text) >= LONG else 0
    longest = stream.LONGEST
    try:
        if short_words:
            stream.LONGEST = 24
        parts = stream.TextStream(policy, ignore if random & 1 else None)
        shown = []
        while begin < len(text):
            random = random * <uint32_t> 1664525 + <uint32_t> 1013904223
            size = 1 + (random >> 16) % (1 << (least + (random >> 8 & 7)))
            shown.append(parts.redact(text[begin:begin + size]))
            begin += size
        shown.append(parts.finish())
        if short_words or (len(text) > longest and stream.LONG in parts.counts):
            return
        if b"".join(shown) != redact_text(text, policy):
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


cdef int check_in_python(int number, const uint8_t* data, const uint8_t* p, Py_ssize_t n) except -1 with gil:
    cdef bytes text = p[:n]
    policy = policies[number]
    try:
        check_stream(policy, text, data[0] & SHORT_WORDS, data[1] << 8 | data[2])
        for redaction in explain_redaction(text, policy):
            if not 0 <= redaction.start <= redaction.end <= len(text):
                raise AssertionError("an explanation is outside of the text")
        if len(text) < LONG:
            check_urls(text, data[1])
        if data[0] & AS_TOML and len(text) < LONGEST_TOML:
            try:
                redact_text(text, Policy.from_toml(text.decode("utf-8", "replace")))
            except ValueError:
                pass
    except BaseException:
        traceback.print_exc()
        fail("an exception", p, n)
    return 0


# https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
cdef uint32_t hash_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint32_t value = 2166136261U
    cdef Py_ssize_t i
    for i in range(n):
        value = (value ^ p[i]) * <uint32_t> 16777619
    return value ^ value >> 16


cdef public int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) noexcept nogil:
    cdef Py_ssize_t n = <Py_ssize_t> size - 3, length, i = 0
    cdef uint8_t* copy
    cdef uint32_t chosen
    cdef int number
    if n < 0:
        return 0
    number = data[0] % MOST_POLICIES
    chosen = hash_of(data, n + 3)
    length = n
    if n > 0 and chosen % N_LONG == 0:
        length = n * (LONG // n + 1)
    # A block of its own, so that a read after its end is caught.
    copy = <uint8_t*> malloc(length)
    if copy == NULL and length > 0:
        abort()
    while i < length:
        memcpy(copy + i, data + 3, n)
        i += n
    check_text(number, copy, length)
    check_finding(data[1] % MOST_RULES, copy, length)
    if chosen % N_PYTHON == 0:
        check_in_python(number, data, copy, length)
    free(copy)
    return 0
