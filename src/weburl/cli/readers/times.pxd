# Reads the times of logs, dates in many spellings and seconds since 1970, and writes them as ISO 8601.

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


# https://www.rfc-editor.org/rfc/rfc3339#section-5.6
#
# A date and a time as ISO 8601 has them, also with a space between them or before the zone, a comma in the fraction, or no colon
# in the zone. Without a zone, only if it is known that it is UTC: many servers write what their clocks show.
cdef inline bint push_date_and_time(Buffer* out, const uint8_t* p, Py_ssize_t length, bint is_utc) noexcept nogil:
    cdef Py_ssize_t point = 16, end, zone
    if length < 16 or not has_pattern(p, b"0000-00-00", 10) or not has_pattern(p + 11, b"00:00", 5) or (
        p[10] != c'T' and p[10] != c't' and p[10] != c' ' and p[10] != c'\t'
    ):
        return False
    if length >= 19 and has_pattern(p + 16, b":00", 3):
        point = 19
    end = point
    if point == 19 and length > 20 and (p[19] == c'.' or p[19] == c',') and has_pattern(p + 20, b"0", 1):
        end = 21
        while end < length and has_pattern(p + end, b"0", 1):
            end += 1
    zone = end + (length > end + 1 and p[end] == c' ')
    length -= zone
    p += zone
    if length == 0:
        if not is_utc:
            return False
    elif not (length == 1 and (p[0] == c'Z' or p[0] == c'z')) and not (
        length == 3 and (memcmp(p, b"UTC", 3) == 0 or memcmp(p, b"GMT", 3) == 0 or has_pattern(p, b"+00", 3))
    ) and not (length == 5 and has_pattern(p, b"+0000", 5)) and not (length == 6 and has_pattern(p, b"+00:00", 6)):
        return False
    p -= zone
    push_run(out, p, 10)
    push(out, c'T')
    push_run(out, p + 11, point - 11)
    if end > point:
        push(out, c'.')
        push_run(out, p + point + 1, end - point - 1)
    p += zone
    if length == 0:
        push_run(out, <const uint8_t*> b"+00:00", 6)
    elif p[0] != c'+' and p[0] != c'-':
        push(out, c'Z')
    else:
        push_run(out, p, 3)
        push(out, c':')
        push_run(out, p + length - 2 if length > 3 else <const uint8_t*> b"00", 2)
    return True


# Writes a time as ISO 8601 has it; false if it is not known what it is.
#
# 10/Oct/2000:13:55:36 -0700 as 2000-10-10T13:55:36-07:00, and so other dates and times, and seconds. `is_utc` is of those
# without a zone.
cdef inline bint push_time(Buffer* out, const uint8_t* p, Py_ssize_t length, bint is_utc) noexcept nogil:
    cdef const char* months = b"JanFebMarAprMayJunJulAugSepOctNovDec"
    cdef int i, month = -1
    if length == 26 and has_pattern(p, b"00/aaa/0000:00:00:00 +0000", 26):
        for i in range(12):
            if memcmp(p + 3, months + 3 * i, 3) == 0:
                month = i + 1
    if month < 0:
        return push_date_and_time(out, p, length, is_utc) or push_epoch(out, p, length)
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
