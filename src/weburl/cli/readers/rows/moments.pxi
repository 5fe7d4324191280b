# A part of text_column.pyx: rows that have certain numbers or times, and how these are read. row_filter.py uses it.

from libc.stdint cimport int64_t, uint8_t, uint64_t

from weburl._arrow.input cimport Input, RowReader, RowText, open_reader, read_row
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, release, start

cdef enum:
    DIGITS = 19                 # of a number, and of a time as a number
    SECOND = 1000000            # microseconds
    DAY = 86400

KINDS = ("number", "instant", "clock")


# What is read of a text: a number; or a time in microseconds as clocks show it, and by how much they are ahead.
ctypedef struct Moment:
    int64_t clock
    int64_t offset
    bint has_zone


def leave_out(Input rows not None, bytearray marks not None, bytes ranges not None, str kind not None):
    """leave_out(rows, marks, ranges, kind): makes the mark of each row 0 that is in none of the ranges, which are pairs of
    64-bit integers. A null whose mark is 2 keeps it. Returns how many rows could be read."""
    cdef const int64_t* ends = <const int64_t*> <const char*> ranges
    cdef Py_ssize_t count = len(ranges) // (2 * sizeof(int64_t)), n = len(marks), row, i, known = 0
    cdef uint8_t* mark = <uint8_t*> <char*> marks
    cdef int which = <int> KINDS.index(kind)
    cdef uint8_t[512] memory
    cdef Buffer scratch
    cdef RowReader reader
    cdef RowText text
    cdef Moment moment
    cdef bint is_known, stays
    start(&scratch, memory, sizeof(memory), PY_SSIZE_T_MAX)
    try:
        with nogil:
            open_reader(&reader, &rows.rows, 0, n)
            for row in range(n):
                if not read_row(&reader, &text, &scratch) or scratch.status:
                    break
                if text.data == NULL and mark[row] == 2:
                    continue
                is_known = text.data != NULL and read_moment(&moment, text.data, text.length, which == 0)
                stays = False
                # What a clock shows is not an instant.
                is_known = is_known and (which != 1 or moment.has_zone)
                known += is_known
                if is_known:
                    if which == 1:
                        moment.clock -= moment.offset
                    for i in range(count):
                        stays = stays or ends[2 * i] <= moment.clock <= ends[2 * i + 1]
                if not stays:
                    mark[row] = 0
        if scratch.status:
            raise MemoryError
    finally:
        release(&scratch)
    return known


def read_time(bytes text not None):
    """A time in microseconds as clocks show it, and by how much they are ahead, which is None if it has no zone."""
    cdef Moment moment
    if not read_moment(&moment, <const uint8_t*> <const char*> text, len(text), False):
        return None
    return moment.clock, moment.offset if moment.has_zone else None


# The number that begins at p, with so many digits at least and at most, which is negative if there is none.
cdef int64_t read_digits(const uint8_t** p, const uint8_t* end, int least, int most) noexcept nogil:
    cdef uint64_t number = 0
    cdef int digits = 0
    while digits < most and p[0] < end and c'0' <= p[0][0] <= c'9':
        number = 10 * number + <uint64_t> (p[0][0] - c'0')
        p[0] += 1
        digits += 1
    return <int64_t> number if digits >= least else -1


cdef inline bint skips(const uint8_t** p, const uint8_t* end, uint8_t c) noexcept nogil:
    if p[0] < end and p[0][0] == c:
        p[0] += 1
        return True
    return False


cdef inline int days_of(int64_t year, int64_t month) noexcept nogil:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 + (month + (month > 7)) % 2


# A number, or a time: that of RFC 3339, also without its end and with a space for the T; or a number of seconds, and one
# that is too large for it of milliseconds, microseconds or nanoseconds. Quotes around it, as in JSON, are left out.
cdef bint read_moment(Moment* moment, const uint8_t* p, Py_ssize_t n, bint is_number) noexcept nogil:
    cdef const uint8_t* end = p + n
    cdef const uint8_t* first
    cdef int64_t year, month, day, number
    if n >= 2 and p[0] == c'"' and (end - 1)[0] == c'"':
        p += 1
        end -= 1
    first = p
    moment.offset = 0
    moment.has_zone = False
    number = read_digits(&p, end, 1, DIGITS)
    if number < 0 or (p < end and c'0' <= p[0] <= c'9'):
        return False
    if is_number:
        moment.clock = number
        return p == end
    if p - first != 4 or p == end or p[0] != c'-':
        moment.has_zone = True
        return read_epoch(moment, number, p, end)
    year = number
    p += 1
    month = read_digits(&p, end, 2, 2)
    day = read_digits(&p, end, 2, 2) if skips(&p, end, c'-') else -1
    if not 1 <= month <= 12 or not 1 <= day <= days_of(year, month):
        return False
    # https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    year -= month <= 2
    number = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    number += 365 * year + year // 4 - year // 100 + year // 400 - 719468
    moment.clock = number * DAY * SECOND
    if p == end:
        return True
    return (skips(&p, end, c'T') or skips(&p, end, c't') or skips(&p, end, c' ')) and read_clock(moment, p, end)


cdef bint read_epoch(Moment* moment, int64_t number, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef int64_t unit = SECOND
    while unit > 1 and number >= <int64_t> 100000000000 * (SECOND // unit):
        unit //= 1000
    if number >= <int64_t> 100000000000 * SECOND:
        number //= 1000
    moment.clock = number * unit
    return p == end or (unit == SECOND and read_fraction(moment, &p, end) and p == end)


# The digits after a point, of a second.
cdef bint read_fraction(Moment* moment, const uint8_t** p, const uint8_t* end) noexcept nogil:
    cdef int64_t unit = SECOND
    if not (skips(p, end, c'.') or skips(p, end, c',')):
        return False
    while p[0] < end and c'0' <= p[0][0] <= c'9':
        unit //= 10
        moment.clock += unit * (p[0][0] - c'0')
        p[0] += 1
    return True


cdef bint read_clock(Moment* moment, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef int64_t hour = read_digits(&p, end, 2, 2), minute = -1, second = 0
    cdef int sign
    if skips(&p, end, c':'):
        minute = read_digits(&p, end, 2, 2)
    if skips(&p, end, c':'):
        second = read_digits(&p, end, 2, 2)
    if not 0 <= hour <= 24 or not 0 <= minute <= 59 or not 0 <= second <= 60:
        return False
    moment.clock += (hour * 3600 + minute * 60 + second) * SECOND
    read_fraction(moment, &p, end)
    skips(&p, end, c' ')
    if p == end:
        return True
    moment.has_zone = True
    if skips(&p, end, c'Z') or skips(&p, end, c'z'):
        return p == end
    sign = 1 if skips(&p, end, c'+') else -1 if skips(&p, end, c'-') else 0
    hour = read_digits(&p, end, 2, 2)
    skips(&p, end, c':')
    minute = 0 if p == end else read_digits(&p, end, 2, 2)
    moment.offset = sign * (hour * 3600 + minute * 60) * SECOND
    return sign != 0 and 0 <= hour <= 24 and 0 <= minute <= 59 and p == end
