# cython: boundscheck=False, wraparound=False, cdivision=True
"""The hot core under libFuzzer, with no Python in between; tests/tiers/fuzz.py builds and runs it.

An input is a byte of options and fields with 0xFF between them: a URL, a base, and up to eight values to assign, each
after a byte that says to which part. The core is a debug build, so every record is checked where it is made.
"""

from libc.math cimport sqrt
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

from weburl._core.ascii cimport (
    SET_C0_CONTROL, SET_COMPONENT, SET_FORM, SET_FRAGMENT, SET_PATH, SET_QUERY, SET_SPECIAL_QUERY, SET_USERINFO,
    byte_class,
)
from weburl._core.buffer cimport Buffer, release, start
from weburl._core.host cimport HOST_NULL, DomainToASCII, HostType, close_to_ascii, open_to_ascii, parse_host
from weburl._core.parser cimport (
    Parser, State, close_parser, length_limit, open_parser, parse,
)
from weburl._core.percent cimport is_utf8, percent_decode, percent_encode, push_decoded, push_utf8
from weburl._core.record cimport FILE, HASH, PROTOCOL, Part, Record, URLView
from weburl._core.texts cimport open_at, read_prefix, set_part, set_query
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, OK, TOO_LONG, Status
from weburl._crawl.canonical cimport push_canonical
from weburl._crawl.policy cimport Policy, Rules, policy_in_use
from weburl._redact.redact cimport KINDS, LogPolicy, log_policy_in_use, push_template, redact_text_into, redact_url

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from *:
    """
    #include "target.h"
    FUZZ_TARGET(native)

    size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
    """
    size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size) noexcept nogil

cdef enum:
    # Options.
    WITH_BASE = 1
    LEGACY_ENCODING = 2
    CODECS = 4
    HOSTS = 8
    CANONICAL = 16
    HOST_ONLY = 32
    # If both bits are set: the parser does all the work itself.
    NO_DOOR = 64 | 128
    MOST_VALUES = 8
    SEPARATOR = 0xFF
    SHORT = 4096

# Of the input that is run.
cdef bint through_door

cdef Policy crawl = policy_in_use("crawl"), surt = policy_in_use("surt")
cdef const Rules* crawl_rules = &crawl.rules
cdef const Rules* surt_rules = &surt.rules
cdef LogPolicy logs = log_policy_in_use("logs")

cdef uint16_t[8] sets
sets[:] = [
    SET_C0_CONTROL, SET_FRAGMENT, SET_QUERY, SET_SPECIAL_QUERY, SET_PATH, SET_USERINFO, SET_COMPONENT, SET_FORM
]


cdef void fail(const char* what, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    fprintf(stderr, "weburl: %s: %.*s\n", what, <int> n, <const char*> p)
    abort()


# A block of its own, so that a read after its end is caught.
cdef uint8_t* copied(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t* block = <uint8_t*> malloc(n)
    if block == NULL:
        abort()
    memcpy(block, p, n)
    return block


ctypedef struct Field:
    uint8_t* data
    Py_ssize_t length


ctypedef struct Fields:
    const uint8_t* rest
    Py_ssize_t length           # -1 at the end


cdef Field next_field(Fields* self) noexcept nogil:
    cdef const uint8_t* end
    cdef Field field
    if self.length < 0:
        return Field(NULL, -1)
    end = <const uint8_t*> memchr(self.rest, SEPARATOR, self.length)
    field.length = end - self.rest if end != NULL else self.length
    field.data = copied(self.rest, field.length)
    self.rest += field.length + 1
    self.length -= field.length + 1
    return field


# Stands for ToASCII: any function of the domain will do that gives ASCII.
cdef void answer_domain(DomainToASCII* to_ascii) noexcept nogil:
    cdef const char* letters = b"xn--abcdefghijkl.0123456789.0x%|"
    cdef uint8_t* answer = copied(to_ascii.domain.data, to_ascii.domain.length)
    cdef Py_ssize_t i
    if to_ascii.answer != NULL:
        fail("asked twice for a domain", answer, to_ascii.domain.length)
    to_ascii.answer_length = to_ascii.domain.length
    for i in range(to_ascii.answer_length):
        if answer[i] == 0xC2:
            to_ascii.answer_length = i
            break
        to_ascii.failed = to_ascii.failed or answer[i] == 0xC4
        if answer[i] >= 0x80:
            answer[i] = letters[answer[i] & 31]
    to_ascii.answer = answer


# Stands for a legacy encoding.
cdef void answer_query(Parser* parser) noexcept nogil:
    cdef Buffer out
    cdef uint8_t[64] scratch
    if parser.query != NULL:
        fail("asked twice for a query", parser.input, parser.end)
    start(&out, scratch, sizeof(scratch), length_limit)
    percent_encode(&out, parser.input + parser.pointer, parser.query_end - parser.pointer, SET_SPECIAL_QUERY)
    parser.query = copied(out.data, out.length)
    parser.query_length = out.length
    release(&out)


cdef Status parse_all(
    Parser* parser, const uint8_t* p, Py_ssize_t n, const URLView* base, bint utf8, bint host_only
) noexcept nogil:
    cdef State state
    cdef Record record
    cdef Py_ssize_t pointer = 0
    cdef Status status
    if through_door:
        state = read_prefix(p, n, host_only, &record, &pointer)
        if open_at(parser, p, n, base, utf8, host_only, state, pointer, &record):
            return OK
    else:
        open_parser(parser, p, n, base, utf8)
        parser.host_only = host_only
    while True:
        status = parse(parser)
        if status == NEED_DOMAIN:
            answer_domain(&parser.to_ascii)
        elif status == NEED_ENCODE:
            answer_query(parser)
        else:
            return status


cdef void close(Parser* parser) noexcept nogil:
    free(<void*> parser.to_ascii.answer)
    free(<void*> parser.query)
    close_parser(parser)


# What is serialized parses to itself.
cdef void check_reads_back(const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    cdef Parser again
    cdef uint8_t* copy = copied(href, length)
    if (
        parse_all(&again, copy, length, NULL, True, False) != OK or again.out.length != length
        or memcmp(again.out.data, href, length) != 0 or memcmp(&again.record, record, sizeof(Record)) != 0
    ):
        fail("parses to another URL", href, length)
    close(&again)
    free(copy)


cdef void check_canonical(const URLView* url) noexcept nogil:
    cdef uint8_t[64] scratch, again_scratch
    cdef Buffer out, again
    cdef Parser parser
    cdef URLView view
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&again, again_scratch, sizeof(again_scratch), PY_SSIZE_T_MAX)
    push_canonical(&out, url, crawl_rules)
    if out.length > length_limit:
        release(&out)
        return
    if out.status != OK or parse_all(&parser, out.data, out.length, NULL, True, False) != OK:
        fail("canonical form does not parse", out.data, out.length)
    view = URLView(parser.out.data, parser.out.length, parser.record)
    push_canonical(&again, &view, crawl_rules)
    if again.length != out.length or memcmp(again.data, out.data, out.length) != 0:
        fail("canonical form has another", out.data, out.length)
    push_canonical(&again, url, surt_rules)
    if again.status != OK:
        fail("canonical form as a SURT", url.href, url.length)
    close(&parser)
    release(&again)
    release(&out)


cdef void check_redacted(const URLView* url) noexcept nogil:
    cdef uint8_t[64] scratch, again_scratch, decoded_scratch
    cdef Py_ssize_t[<int> KINDS] counts
    cdef Buffer out, again, decoded
    cdef Parser parser
    cdef URLView view
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&again, again_scratch, sizeof(again_scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    memset(counts, 0, sizeof(counts))
    if redact_url(&out, &decoded, url, &logs.names, counts) and out.status == OK:
        if parse_all(&parser, out.data, out.length, NULL, True, False) != OK:
            fail("redacted URL does not parse", out.data, out.length)
        view = URLView(parser.out.data, parser.out.length, parser.record)
        if view.length != out.length or memcmp(view.href, out.data, out.length) != 0:
            fail("redacted URL is not its serialization", out.data, out.length)
        if redact_url(&again, &decoded, &view, &logs.names, counts):
            fail("redacted URL has another", out.data, out.length)
        close(&parser)
    push_template(&again, &decoded, url, &logs.names)
    if again.status != OK or again.length == 0 or again.data[0] != c'/':
        fail("template does not begin with a solidus", url.href, url.length)
    release(&again)
    release(&decoded)
    release(&out)


# Of any bytes.
cdef void check_redacted_text(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[64] scratch, again_scratch, decoded_scratch
    cdef Buffer out, again, decoded
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&again, again_scratch, sizeof(again_scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    if redact_text_into(&out, &decoded, p, n, &logs.names, NULL) and redact_text_into(
        &again, &decoded, out.data, out.length, &logs.names, NULL
    ):
        fail("redacted text has another", out.data, out.length)
    release(&again)
    release(&decoded)
    release(&out)


# One setter; `url` becomes what it gives.
cdef void assign(URLView* url, Part part, const uint8_t* value, Py_ssize_t n, bint reads_back) noexcept nogil:
    cdef uint8_t[64] scratch
    cdef Buffer out
    cdef DomainToASCII to_ascii
    cdef Record record
    cdef Status status
    open_to_ascii(&to_ascii)
    start(&out, scratch, sizeof(scratch), length_limit)
    status = set_part(url, part, value, n, &to_ascii, &out, &record)
    if status == NEED_DOMAIN:
        answer_domain(&to_ascii)
        status = set_part(url, part, value, n, &to_ascii, &out, &record)
    if status >= TOO_LONG and out.length:
        fail("a setter that failed changes the URL", out.data, out.length)
    if out.length:
        free(<void*> url.href)
        url.href = copied(out.data, out.length)
        url.length = out.length
        url.record = record
        if reads_back or record.scheme_type != FILE:
            check_reads_back(url.href, url.length, &url.record)
    free(<void*> to_ascii.answer)
    close_to_ascii(&to_ascii)
    release(&out)


cdef void check_query(const URLView* url, const uint8_t* query, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[64] scratch, encoded_scratch
    cdef Buffer out, encoded
    cdef Record record
    start(&encoded, encoded_scratch, sizeof(encoded_scratch), length_limit)
    start(&out, scratch, sizeof(scratch), length_limit)
    percent_encode(&encoded, query, n, SET_FORM)
    set_query(url, encoded.data, encoded.length, &out, &record)
    release(&out)
    release(&encoded)


# With two of the sets.
cdef void check_codecs(const uint8_t* p, Py_ssize_t n, int first) noexcept nogil:
    cdef uint8_t[64] scratch, again_scratch
    cdef Buffer out, again
    cdef Py_ssize_t i
    cdef int k, kind, shift
    cdef uint16_t each
    cdef uint32_t* wide
    start(&again, again_scratch, sizeof(again_scratch), PY_SSIZE_T_MAX)
    for k in range(first, 8, 4):
        each = sets[k]
        start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
        percent_encode(&out, p, n, each)
        for i in range(out.length):
            if byte_class[out.data[i]] & each and out.data[i] != c'%' and (out.data[i] != c'+' or each != SET_FORM):
                fail("not percent-encoded", p, n)
        if each == SET_COMPONENT or each == SET_FORM:
            again.length = 0
            percent_decode(&again, out.data, out.length, each == SET_FORM)
            if again.length != n or memcmp(again.data, p, n) != 0:
                fail("percent-decodes to something else", p, n)
        release(&out)
    again.length = 0
    push_decoded(&again, p, n, True)
    if not is_utf8(again.data, again.length):
        fail("not UTF-8", p, n)
    if is_utf8(p, n) and (again.length != n or memcmp(again.data, p, n) != 0):
        fail("UTF-8 changed", p, n)
    for shift in range(3):
        kind = 1 << shift
        again.length = 0
        wide = <uint32_t*> copied(p, n // kind * kind)
        if kind == 4:
            for i in range(n // 4):
                wide[i] %= 0x110000
        push_utf8(&again, kind, wide, n // kind)
        if again.status or not is_utf8(again.data, again.length):
            fail("not UTF-8 of a str", p, n)
        free(wide)
    release(&again)


cdef void check_host(const uint8_t* p, Py_ssize_t n, bint is_opaque) noexcept nogil:
    cdef uint8_t[64] scratch, again_scratch
    cdef Buffer out, again
    cdef DomainToASCII to_ascii
    cdef HostType host_type = HOST_NULL, type_again = HOST_NULL
    cdef Status status
    open_to_ascii(&to_ascii)
    start(&out, scratch, sizeof(scratch), length_limit)
    status = parse_host(&out, p, n, is_opaque, &to_ascii, &host_type)
    if status == NEED_DOMAIN:
        answer_domain(&to_ascii)
        status = parse_host(&out, p, n, is_opaque, &to_ascii, &host_type)
    free(<void*> to_ascii.answer)
    close_to_ascii(&to_ascii)
    if status == OK and out.status == OK:
        open_to_ascii(&to_ascii)
        start(&again, again_scratch, sizeof(again_scratch), length_limit)
        status = parse_host(&again, out.data, out.length, is_opaque, &to_ascii, &type_again)
        if (
            status != OK or host_type != type_again or out.length != again.length
            or memcmp(out.data, again.data, out.length) != 0
        ):
            fail("host parses to another", p, n)
        close_to_ascii(&to_ascii)
        release(&again)
    release(&out)


cdef public int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) noexcept nogil:
    global through_door
    cdef Fields fields
    cdef Field url, other
    cdef Parser parser, base, host_only
    cdef URLView view, base_view
    cdef Status status
    cdef Part part
    cdef bint with_base, utf8, reads_back = True
    if size == 0:
        return 0
    with_base = data[0] & WITH_BASE
    utf8 = not data[0] & LEGACY_ENCODING
    through_door = data[0] & NO_DOOR != NO_DOOR
    fields = Fields(data + 1, size - 1)
    url = next_field(&fields)
    if data[0] & CODECS:
        check_redacted_text(data + 1, size - 1)
        check_codecs(url.data, url.length, data[0] >> 6)
    if data[0] & HOSTS and url.length:
        check_host(url.data, url.length, False)
        check_host(url.data, url.length, True)
    if with_base:
        other = next_field(&fields)
        status = parse_all(&base, other.data, other.length, NULL, True, False)
        if other.data == NULL or status != OK:
            with_base = False
            close(&base)
            free(other.data)
        else:
            base_view = URLView(base.out.data, base.out.length, base.record)
    status = parse_all(&parser, url.data, url.length, &base_view if with_base else NULL, utf8, False)
    if data[0] & HOST_ONLY:
        if parse_all(&host_only, url.data, url.length, &base_view if with_base else NULL, utf8, True) != status:
            fail("can_parse() says something else", url.data, url.length)
        close(&host_only)
    if status == OK:
        view = URLView(copied(parser.out.data, parser.out.length), parser.out.length, parser.record)
        check_reads_back(view.href, view.length, &view.record)
        if data[0] & CANONICAL:
            check_canonical(&view)
            check_redacted(&view)
    close(&parser)
    if with_base:
        close(&base)
        free(other.data)
    free(url.data)
    if status != OK:
        return 0
    for i in range(MOST_VALUES):
        other = next_field(&fields)
        if other.length > 0:
            # The standard's own exceptions to reading back begin with a protocol set to file.
            part = <Part> (other.data[0] % (HASH + 1))
            reads_back = reads_back and part != PROTOCOL
            if data[0] & CODECS:
                check_query(&view, other.data, other.length)
            assign(&view, part, other.data + 1, other.length - 1, reads_back)
        free(other.data)
    free(<void*> view.href)
    return 0


# Nine of ten inputs stay below 4 KiB, most of them far below. A tenth is longer: as some piece is repeated they grow to up
# to 1 MiB, to twice the length a quarter as often.
cdef public size_t LLVMFuzzerCustomMutator(
    uint8_t* data, size_t size, size_t max_size, unsigned int seed
) noexcept nogil:
    cdef uint64_t random = (<uint64_t> seed + 1) * <uint64_t> 6364136223846793005
    cdef size_t target, begin, piece, tail, i
    if (random >> 32) % 10:
        target = min(max_size, <size_t> SHORT >> (random >> 36) % 10)
        if size > target:
            begin = (random >> 16) % (size - target)
            memmove(data + 1, data + 1 + begin, target - 1)
            size = target
        return LLVMFuzzerMutate(data, size, target)
    target = min(max_size, <size_t> (SHORT / sqrt(((random >> 40) % 65536 + 1) / 65536.0)))
    size = LLVMFuzzerMutate(data, min(size, target), target)
    if 2 <= size < target:
        begin = 1 + (random >> 8) % (size - 1)
        piece = 1 + (random >> 20) % min(size - begin, <size_t> 32)
        tail = size - begin - piece
        memmove(data + target - tail, data + begin + piece, tail)
        for i in range(begin + piece, target - tail):
            data[i] = data[i - piece]
        size = target
    return size
