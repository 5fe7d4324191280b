"""One key for the pages of a trap, such as a calendar: the template of the path and the names of the query."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp

from weburl._core.ascii cimport is_digit
from weburl._core.buffer cimport OMITTED, Buffer, push, push_run, release, reserve, start
from weburl._core.percent cimport ascii_text, raise_for
from weburl._core.record cimport QUERY, Record, Span, URLView, span, view_text
from weburl._core.status cimport NO_MEMORY, OK, Status
from weburl._crawl.canonical cimport href_of
from weburl._crawl.policy cimport (
    NAME_DECODED, QUERY_ESCAPED, Parameter, ParameterList, close_list, contains, open_list, policy_in_use,
    push_respelled, sort_parameters,
)
from weburl._core.texts cimport output_encoding
from weburl._parsed cimport failure
from weburl._redact.redact cimport path_policy_in_use
from weburl._redact.templates cimport push_template

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    LONGEST_REPEAT = 8      # segments
    FEW_SEGMENTS = 64       # room for them without malloc

cdef str UTF_8 = "utf-8"


# Keeps one of segments, or runs of segments, that follow themselves, from there on. Where each one begins is kept, as
# a search for it could read a long one many times.
cdef void fold(Buffer* out, Py_ssize_t begin) noexcept nogil:
    cdef uint8_t* p = out.data + begin
    cdef Py_ssize_t n = out.length - begin, i, to = 0, room = 0, depth = 0, one, other
    cdef Py_ssize_t[FEW_SEGMENTS] few
    cdef Py_ssize_t* starts = few
    cdef int count
    for i in range(n):
        room += p[i] == c'/'
    if room > FEW_SEGMENTS:
        starts = <Py_ssize_t*> malloc(room * sizeof(Py_ssize_t))
        if starts == NULL:
            out.status = NO_MEMORY
            return
    for i in range(n):
        if p[i] == c'/':
            starts[depth] = to
            depth += 1
        p[to] = p[i]
        to += 1
        if i + 1 < n and p[i + 1] != c'/':
            continue
        for count in range(1, LONGEST_REPEAT + 1):
            if 2 * count > depth:
                break
            one = starts[depth - count]
            other = starts[depth - 2 * count]
            if to - one == one - other and memcmp(p + one, p + other, to - one) == 0:
                to = one
                depth -= count
                break
    out.length = begin + to
    if starts != few:
        free(starts)


# A name, with each run of digits as one word.
cdef void push_name(Buffer* out, Buffer* spelled, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    spelled.length = 0
    push_respelled(spelled, p, n, QUERY_ESCAPED, NAME_DECODED)
    for i in range(spelled.length):
        # Not those of an escape.
        if not is_digit(spelled.data[i]) or (i and spelled.data[i - 1] == c'%') or (i > 1 and spelled.data[i - 2] == c'%'):
            push(out, spelled.data[i])
        elif i == 0 or out.data[out.length - 1] != c'}':
            push_run(out, b"{int}", 5)


cdef void push_names(Buffer* out, Buffer* spelled, const URLView* url, const TrapRules* self) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Buffer names
    cdef ParameterList parameters
    cdef Parameter* parameter
    cdef Parameter given
    cdef Span s = span(&url.record, url.length, QUERY)
    cdef const uint8_t* p = url.href + s.start
    cdef const uint8_t* end
    cdef Py_ssize_t n = s.end - s.start, i = 0, begin, last = -1
    if not open_list(&parameters, p, n):
        out.status = NO_MEMORY
        return
    start(&names, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    # Room for all, so that nothing moves.
    if reserve(&names, 5 * n):
        while i <= n:
            given.p = p + i
            end = <const uint8_t*> memchr(given.p, c'&', n - i)
            given.length = n - i if end == NULL else end - given.p
            i += given.length + 1
            end = <const uint8_t*> memchr(given.p, c'=', given.length)
            given.name_length = given.length if end == NULL else end - given.p
            if given.name_length == 0 or contains(
                &self.rules.parameters, given.p, given.name_length, &given, url
            ):
                continue
            begin = names.length
            push_name(&names, spelled, given.p, given.name_length)
            parameter = parameters.items + parameters.count
            parameter.p = names.data + begin
            parameter.length = parameter.name_length = names.length - begin
            parameters.count += 1
        sort_parameters(parameters.items, parameters.count, parameters.items + parameters.count)
        for i in range(parameters.count):
            parameter = parameters.items + i
            if last >= 0 and parameter.length == parameters.items[last].length and memcmp(
                parameter.p, parameters.items[last].p, parameter.length
            ) == 0:
                continue
            push(out, c'?' if last < 0 else c'&')
            push_run(out, parameter.p, parameter.length)
            last = i
    out.status = out.status or names.status
    close_list(&parameters)
    release(&names)


cdef void push_trap_key(Buffer* out, Buffer* spelled, const URLView* url, const TrapRules* self) noexcept nogil:
    cdef Py_ssize_t begin
    if url.record.host_type:
        push_run(out, url.href + url.record.host_start, url.record.path_start - url.record.host_start)
    begin = out.length
    push_template(out, spelled, url, self.names)
    if out.status == OK:
        fold(out, begin)
    if url.record.query_start != OMITTED:
        push_names(out, spelled, url, self)
    out.status = out.status or spelled.status


cdef class TrapKeys:
    """The rules of trap keys, which are those of `paths/1` and `crawl/1`."""

    def __cinit__(self):
        self.paths = path_policy_in_use("paths/1")
        self.policy = policy_in_use("crawl/1")
        self.rules.names = &self.paths.names
        self.rules.rules = &self.policy.rules


def trap_key(url, *, encoding=UTF_8):
    """The key of `weburl.crawl.trap_key`."""
    cdef TrapKeys keys = TrapKeys()
    cdef uint8_t[1024] scratch, spelled_scratch
    cdef Buffer out, spelled
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef str href = href_of(url, None if encoding == UTF_8 else output_encoding(encoding), &record, &status)
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&spelled, spelled_scratch, sizeof(spelled_scratch), PY_SSIZE_T_MAX)
    try:
        push_trap_key(&out, &spelled, &view, &keys.rules)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        release(&spelled)
