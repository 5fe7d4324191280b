from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcmp

from weburl._core.buffer cimport Buffer, push, push_run


# Whether a text has a pattern, in which 0 is any digit, a any letter, and + also -.
cdef inline bint has_pattern(const uint8_t* p, const char* pattern, int length) noexcept nogil:
    cdef int i
    for i in range(length):
        if pattern[i] == c'0':
            if not c'0' <= p[i] <= c'9':
                return False
        elif pattern[i] == c'+':
            if p[i] != c'+' and p[i] != c'-':
                return False
        elif pattern[i] != c'a' and p[i] != pattern[i]:
            return False
    return True


cdef inline void push_digits(Buffer* out, int64_t number, int count) noexcept nogil:
    cdef int64_t unit = 1
    cdef int i
    for i in range(count - 1):
        unit *= 10
    while unit:
        push(out, <uint8_t> (c'0' + number // unit % 10))
        unit //= 10


# https://howardhinnant.github.io/date_algorithms.html#civil_from_days
cdef inline void push_seconds(Buffer* out, int64_t seconds) noexcept nogil:
    cdef int64_t days = seconds // 86400 + 719468, era = days // 146097, of_era = days - era * 146097
    cdef int64_t year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    cdef int64_t of_year = of_era - (365 * year + year // 4 - year // 100), month = (5 * of_year + 2) // 153
    seconds %= 86400
    push_digits(out, year + era * 400 + (month >= 10), 4)
    push(out, c'-')
    push_digits(out, month + 3 - 12 * (month >= 10), 2)
    push(out, c'-')
    push_digits(out, of_year - (153 * month + 2) // 5 + 1, 2)
    push(out, c'T')
    push_digits(out, seconds // 3600, 2)
    push(out, c':')
    push_digits(out, seconds // 60 % 60, 2)
    push(out, c':')
    push_digits(out, seconds % 60, 2)


# The seconds since 1970, or thousandths, millionths or billionths of them: as many digits as they have now. False if a text
# is not such a number.
cdef inline bint push_epoch(Buffer* out, const uint8_t* p, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t digits = 0, i
    cdef int unit
    cdef int64_t whole = 0
    cdef uint8_t[20] fraction
    while digits < length and c'0' <= p[digits] <= c'9':
        digits += 1
    if not 9 <= digits <= 19 or length > digits and (
        p[digits] != c'.' or length - digits > 10 or length == digits + 1
    ):
        return False
    for i in range(digits + 1, length):
        if not c'0' <= p[i] <= c'9':
            return False
    unit = 0 if digits < 12 else 3 if digits < 15 else 6 if digits < 18 else 9
    for i in range(digits - unit):
        whole = whole * 10 + p[i] - c'0'
    push_seconds(out, whole)
    unit = 0
    for i in range(i + 1, length):
        if p[i] != c'.' and unit < 20:
            fraction[unit] = p[i]
            unit += 1
    while unit and fraction[unit - 1] == c'0':
        unit -= 1
    if unit:
        push(out, c'.')
        push_run(out, fraction, unit)
    push_run(out, <const uint8_t*> b"+00:00", 6)
    return True


# Writes a time as ISO 8601 has it; false if it is not known what it is.
#
# 10/Oct/2000:13:55:36 -0700 as 2000-10-10T13:55:36-07:00, and so the date and time of W3C, and seconds. False for others.
cdef inline bint push_time(Buffer* out, const uint8_t* p, Py_ssize_t length) noexcept nogil:
    cdef const char* months = b"JanFebMarAprMayJunJulAugSepOctNovDec"
    cdef int i, month = -1
    if length == 26 and has_pattern(p, b"00/aaa/0000:00:00:00 +0000", 26):
        for i in range(12):
            if memcmp(p + 3, months + 3 * i, 3) == 0:
                month = i + 1
    if month < 0:
        if length >= 19 and has_pattern(p, b"0000-00-00a00:00:00", 19) and (p[10] == c' ' or p[10] == c'\t'):
            push_run(out, p, 10)
            push(out, c'T')
            push_run(out, p + 11, length - 11)
            push_run(out, <const uint8_t*> b"+00:00", 6)
            return True
        return push_epoch(out, p, length)
    push_run(out, p + 7, 4)
    push(out, c'-')
    push_digits(out, month, 2)
    push(out, c'-')
    push_run(out, p, 2)
    push(out, c'T')
    push_run(out, p + 12, 8)
    push_run(out, p + 21, 3)
    push(out, c':')
    push_run(out, p + 24, 2)
    return True
