# cython: boundscheck=False, wraparound=False, cdivision=True
"""The kernels and the front doors under libFuzzer; tests/tiers/fuzz.py builds and runs it.

An input is two bytes of options and a URL. All kernels that the processor has find what the table loops find, and a
parser that begins where the door leaves off gives what one gives that begins at the start. The door for blocks finds what
that for one text finds.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memcmp, memcpy, memset

from weburl._core.ascii cimport CLASS_PATH_STOP
from weburl._core.door cimport Door, open_door
from weburl._core.parser cimport (
    PATH_END_STATE, SCHEME_START_STATE, Parser, State, close_parser, open_parser, parse,
)
from weburl._core.percent cimport Kernels
from weburl._core.record cimport Record, URLView
from weburl._core.texts cimport open_at, read_prefix
from weburl._core.status cimport NEED_DOMAIN, NEED_ENCODE, OK, Status

cdef extern from "kernels.h":
    enum: MOST_KERNELS
    int usable_kernels(const Kernels** found) noexcept

cdef extern from "rows.h":
    ctypedef struct ParsedRow:
        const uint8_t* href
        Py_ssize_t length
        Record record

cdef extern from *:
    """
    #include "target.h"
    FUZZ_TARGET(scans)
    """

cdef enum:
    # Options.
    HOST_ONLY = 1
    LEGACY_ENCODING = 2
    WITH_BASE = 4
    # What is put before the input: most inputs that a fuzzer makes have no scheme that the door knows.
    STARTS = 8

cdef (const char*)[STARTS] starts
starts[:] = [b"", b"http://", b"https://", b"ws://", b"wss://", b"https://h/", b"http://[::1]:8/", b"https://1.2.3.4/?"]

cdef (const Kernels*)[MOST_KERNELS] usable
cdef int n_usable = usable_kernels(usable)

cdef const uint8_t* base_text = <const uint8_t*> b"https://base.example/a/b?c#d"
cdef Parser base_parser
open_parser(&base_parser, base_text, 28, NULL, True)
if parse(&base_parser) != OK:
    raise ValueError("the base does not parse")
cdef URLView base = URLView(base_parser.out.data, base_parser.out.length, base_parser.record)


cdef void fail(const char* what, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    fprintf(stderr, "weburl: %s: %.*s\n", what, <int> n, <const char*> p)
    abort()


cdef void check_kernels(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef const Kernels* plain = usable[n_usable - 1]
    cdef const Kernels* kernels
    cdef Py_ssize_t label = -1, label_again, end = plain.domain(p, i, n, &label)
    cdef uint16_t each
    cdef int k
    for k in range(n_usable - 1):
        kernels = usable[k]
        each = 1
        while each <= CLASS_PATH_STOP:
            if kernels.run(p, i, n, each) != plain.run(p, i, n, each):
                fail("a kernel finds another end of a run", p, n)
            if kernels.marks(p, i, n, each) != plain.marks(p, i, n, each):
                fail("a kernel finds other marks", p, n)
            each <<= 1
        label_again = -2
        if kernels.domain(p, i, n, &label_again) != end or label != label_again:
            fail("a kernel finds another domain", p, n)
        if i > 0 and kernels.path(p, i, n) != plain.path(p, i, n):
            fail("a kernel finds another end of a path", p, n)


# Answers with a constant what a parser asks: where it began does not matter then.
cdef Status parse_to_end(Parser* parser) noexcept nogil:
    cdef Status status
    while True:
        status = parse(parser)
        if status == NEED_DOMAIN:
            parser.to_ascii.answer = <const uint8_t*> b"xn--4ca.example"
            parser.to_ascii.answer_length = 15
        elif status == NEED_ENCODE:
            parser.query = <const uint8_t*> b"%E4"
            parser.query_length = 3
        else:
            return status


cdef void open_as_asked(Parser* parser, const uint8_t* p, Py_ssize_t n, uint8_t options) noexcept nogil:
    open_parser(parser, p, n, &base if options & WITH_BASE else NULL, not options & LEGACY_ENCODING)
    parser.host_only = options & HOST_ONLY


cdef bint is_same(const Parser* parser, const uint8_t* href, Py_ssize_t length, const Record* record) noexcept nogil:
    return (
        parser.out.length == length and memcmp(parser.out.data, href, length) == 0
        and memcmp(&parser.record, record, sizeof(Record)) == 0
    )


cdef void check_door(const uint8_t* p, Py_ssize_t n, uint8_t options) noexcept nogil:
    cdef Parser parser, again
    cdef Record record
    cdef Py_ssize_t pointer = -1
    cdef State state
    cdef Status status, ended
    # A field that nobody sets would be equal by chance if it were 0.
    memset(&record, 0xA5, sizeof(Record))
    state = read_prefix(p, n, options & HOST_ONLY, &record, &pointer)
    # A space keeps a URL from the door until a parser is opened, which strips it off.
    if state == SCHEME_START_STATE and (n == 0 or p[0] > c' '):
        return
    open_as_asked(&parser, p, n, options)
    status = parse_to_end(&parser)
    if state == PATH_END_STATE:
        if status != OK:
            fail("the door lets in what is not a URL", p, n)
        if (pointer != n and not options & HOST_ONLY) or not is_same(&parser, p, pointer, &record):
            fail("the door takes it for another URL", p, n)
    else:
        if open_at(
            &again, p, n, &base if options & WITH_BASE else NULL, not options & LEGACY_ENCODING, options & HOST_ONLY,
            state, pointer, &record,
        ):
            ended = OK
        else:
            ended = parse_to_end(&again)
        if ended != status:
            fail("ends in another way after the door", p, n)
        if status == OK and not options & HOST_ONLY:
            if not is_same(&again, parser.out.data, parser.out.length, &parser.record):
                fail("is another URL after the door", p, n)
        close_parser(&again)
    close_parser(&parser)


# What the door for blocks lets in, that for one text knows to its end, in the same way.
cdef void check_rows(ParsedRow* rows, int count, const Kernels* kernels, Door* door) noexcept nogil:
    cdef ParsedRow[3] before
    cdef Record record
    cdef Py_ssize_t pointer = -1
    cdef int64_t length = 0
    cdef uint64_t known
    cdef int k
    memcpy(before, rows, count * sizeof(ParsedRow))
    known = kernels.door(rows, count, door, &length)
    for k in range(count):
        if known >> k & 1:
            if read_prefix(before[k].href, before[k].length, door.host_only, &record, &pointer) != PATH_END_STATE:
                fail("the door for blocks lets in another text", before[k].href, before[k].length)
            if door.status_only:
                continue
            if pointer != rows[k].length or memcmp(&record, &rows[k].record, sizeof(Record)) != 0:
                fail("the door for blocks finds another URL", before[k].href, before[k].length)
            length -= rows[k].length
    if length:
        fail("the door for blocks finds another length", before[0].href, before[0].length)


cdef void check_block(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint alone) noexcept nogil:
    cdef ParsedRow[3] rows
    cdef Door door
    cdef int k, mode
    for k in range(n_usable - 1):
        for mode in range(3):
            if usable[k].door == NULL or not open_door(&door, mode == 2, mode > 0):
                continue
            if not alone:
                door.end = p + n
            memset(rows, 0xA5, sizeof(rows))
            rows[0].href = rows[1].href = p
            rows[2].href = p + i
            rows[0].length = n
            rows[1].length = i
            rows[2].length = n - i
            check_rows(rows, 3, usable[k], &door)


cdef public int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) noexcept nogil:
    cdef const char* before
    cdef uint8_t* p
    cdef Py_ssize_t n = 0, rest = <Py_ssize_t> size - 2, i
    if rest < 0:
        return 0
    before = starts[(data[0] >> 3) % STARTS]
    while before[n]:
        n += 1
    # A block of its own, so that a read after its end is caught.
    p = <uint8_t*> malloc(n + rest)
    if p == NULL:
        abort()
    memcpy(p, before, n)
    memcpy(p + n, data + 2, rest)
    n += rest
    i = data[1] % (n + 1)
    check_kernels(p, 0, n)
    check_kernels(p, i, n)
    check_kernels(p, n - i, n)
    check_door(p, n, data[0])
    check_block(p, i, n, False)
    check_block(p, i, n, True)
    free(p)
    return 0
