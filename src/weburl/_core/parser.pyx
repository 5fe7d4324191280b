"""The basic URL parser."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport malloc
from libc.string cimport memchr, memcmp, memmove

from weburl._core.ascii cimport (
    CLASS_NOT_SCHEME, CLASS_OPAQUE_STOP, SET_FRAGMENT, SET_QUERY, SET_SPECIAL_QUERY, SET_USERINFO, byte_class,
    contains_tab_or_newline, is_alpha, is_digit, is_hex_digit, is_tab_or_newline, scan_class, to_lower,
)
from weburl._core.buffer cimport (
    MAX_LENGTH, OMITTED, Buffer, Offset, end_offset, grow, is_kept, keep, push, push_run, release, start,
)
from weburl._core.host cimport HOST_EMPTY, HOST_NULL, HostType, open_to_ascii, parse_host
from weburl._core.invariants cimport check
from weburl._core.percent cimport percent_encode, percent_encode_from, scan_path, scan_run
from weburl._core.record cimport (
    FILE, FTP, HTTP, HTTPS, NOT_SPECIAL, PATHNAME, QUERY, WS, WSS, Record, SchemeType, Span, URLView,
    has_opaque_path, is_special, path_end, span,
)
from weburl._core.status cimport (
    HAS_TAB_OR_NEWLINE, HOST_MISSING, MISSING_SCHEME_NON_RELATIVE_URL, NEED_ENCODE, NO_MEMORY, OK, PORT_INVALID,
    PORT_OUT_OF_RANGE, Status,
)

length_limit = MAX_LENGTH
LONGEST = MAX_LENGTH


def set_max_length(Py_ssize_t length):
    """Lowers the limit on a serialization's length, for tests; returns the limit before."""
    global length_limit
    if not 0 < length <= MAX_LENGTH:
        raise ValueError(f"a limit from 1 to {MAX_LENGTH}")
    before, length_limit = length_limit, length
    return before


# https://url.spec.whatwg.org/#special-scheme
cdef SchemeType scheme_type(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if n == 5 and memcmp(p, b"https", 5) == 0:
        return HTTPS
    if n == 4:
        if memcmp(p, b"http", 4) == 0:
            return HTTP
        if memcmp(p, b"file", 4) == 0:
            return FILE
    elif n == 3:
        if memcmp(p, b"wss", 3) == 0:
            return WSS
        if memcmp(p, b"ftp", 3) == 0:
            return FTP
    elif n == 2 and memcmp(p, b"ws", 2) == 0:
        return WS
    return NOT_SPECIAL


# https://url.spec.whatwg.org/#default-port, or -1
cdef int default_port(int scheme) noexcept nogil:
    if scheme == HTTPS or scheme == WSS:
        return 443
    if scheme == HTTP or scheme == WS:
        return 80
    return 21 if scheme == FTP else -1


cdef Py_ssize_t remove_tab_and_newline(uint8_t* out, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, length = 0
    for i in range(n):
        if not is_tab_or_newline(p[i]):
            out[length] = p[i]
            length += 1
    return length


cdef inline bint is_c0_control_or_space(uint8_t c) noexcept nogil:
    return c <= c' '


cdef Py_ssize_t find_delimiter(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint special) noexcept nogil:
    while i < n and not is_delimiter(p[i], special):
        i += 1
    return i


# The colon outside brackets that starts a port, else n.
cdef Py_ssize_t find_port_colon(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    cdef bint inside_brackets = False
    while i < n and (p[i] != c':' or inside_brackets):
        if p[i] == c'[':
            inside_brackets = True
        elif p[i] == c']':
            inside_brackets = False
        i += 1
    return i


# The end of the digits that start at i. `port` gets their value; 65536 stands for every larger one.
cdef Py_ssize_t scan_port(const uint8_t* p, Py_ssize_t i, Py_ssize_t n, uint32_t* port) noexcept nogil:
    port[0] = 0
    while i < n and is_digit(p[i]):
        port[0] = <uint32_t> min(port[0] * 10 + (p[i] - c'0'), 65536)
        i += 1
    return i


cdef void push_port(Buffer* out, uint32_t port) noexcept nogil:
    cdef uint8_t[6] text
    cdef int i = 6
    while True:
        i -= 1
        text[i] = <uint8_t> (c'0' + port % 10)
        port //= 10
        if port == 0:
            break
    push(out, c':')
    push_run(out, text + i, 6 - i)


# https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
cdef bint starts_with_windows_drive_letter(const uint8_t* p, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    return (
        n - i >= 2 and is_alpha(p[i]) and (p[i + 1] == c':' or p[i + 1] == c'|')
        and (n - i == 2 or is_delimiter(p[i + 2], True))
    )


# https://url.spec.whatwg.org/#normalized-windows-drive-letter, as the first segment of a serialized path
cdef bint starts_with_normalized_drive(const uint8_t* path, Py_ssize_t n) noexcept nogil:
    return n >= 3 and is_alpha(path[1]) and path[2] == c':' and (n == 3 or path[3] == c'/')


# https://url.spec.whatwg.org/#shorten-a-urls-path: the length of a serialized path without its last segment. If a
# solidus follows that segment already, the caller leaves it out.
cdef Py_ssize_t shorten_path(const uint8_t* path, Py_ssize_t n, SchemeType scheme) noexcept nogil:
    if scheme == FILE and n == 3 and starts_with_normalized_drive(path, n):
        return n
    while n > 0:
        n -= 1
        if path[n] == c'/':
            break
    return n


# https://url.spec.whatwg.org/#single-dot-path-segment, #double-dot-path-segment: 1 or 2 if the segment at i is a dot
# segment, else 0; `end` gets the end of its dots.
cdef int dot_segment(
    const uint8_t* p, Py_ssize_t i, Py_ssize_t n, bint special, bint state_override, Py_ssize_t* end
) noexcept nogil:
    cdef int dots = 0
    while dots < 3:
        if i < n and p[i] == c'.':
            i += 1
        elif n - i >= 3 and p[i] == c'%' and p[i + 1] == c'2' and p[i + 2] | 0x20 == c'e':
            i += 3
        else:
            break
        dots += 1
    end[0] = i
    if dots < 3 and (i == n or is_solidus(p[i], special) or (not state_override and (p[i] == c'?' or p[i] == c'#'))):
        return dots
    return 0


# https://url.spec.whatwg.org/#path-state. `out` already has what is before: at least the solidus before the first
# segment, which begins the path or, for a relative reference, follows the path of the base. The standard's path is a list; here it is text, and "/" is
# the empty list. With a state override, nothing fails: the setters have removed tabs and newlines, and what is given to
# URL.build() has them percent-encoded.
cdef Status parse_path(
    Buffer* out, Py_ssize_t path_start, const uint8_t* p, Py_ssize_t* pointer, Py_ssize_t n, SchemeType scheme,
    bint state_override
) noexcept nogil:
    cdef Py_ssize_t i = pointer[0], run
    cdef bint special = scheme != NOT_SPECIAL
    # Without memory there may be nothing.
    cdef uint8_t before = out.data[out.length - 1] if out.length else c'/', c
    cdef int dots
    while True:
        if (
            scheme == FILE and before == c'/' and out.length == path_start + 1 and n - i >= 2 and p[i + 1] == c'|'
            and starts_with_windows_drive_letter(p, i, n)
            and not (state_override and n - i > 2 and (p[i + 2] == c'?' or p[i + 2] == c'#'))
        ):
            push(out, p[i])
            push(out, c':')
            i += 2
            before = c':'
        run = i
        i = scan_path(p, i, n, before)
        push_run(out, p + run, i - run)
        if i == n:
            break
        c = p[i]
        if c == c'.' or c == c'%':
            dots = dot_segment(p, i, n, special, state_override, &run)
            if dots == 0:
                push(out, c)
            else:
                if dots == 2 and out.length > path_start:
                    out.length = path_start + 1 + shorten_path(
                        out.data + path_start, out.length - path_start - 1, scheme
                    )
                i = run
                if i == n or not is_solidus(p[i], special):
                    break
                c = c'/'
        elif not state_override and (c == c'?' or c == c'#'):
            break
        elif c == c'\\':
            c = c'/' if special else c
            push(out, c)
        elif not state_override and is_tab_or_newline(c):
            return HAS_TAB_OR_NEWLINE
        else:
            i = percent_encode_from(out, p, i, n)
            before = c
            continue
        before = c
        i += 1
    pointer[0] = i
    return OK


cdef void open_parser(
    Parser* self, const uint8_t* input, Py_ssize_t length, const URLView* base, bint utf8
) noexcept nogil:
    cdef Py_ssize_t begin = 0
    while begin < length and is_c0_control_or_space(input[begin]):
        begin += 1
    while length > begin and is_c0_control_or_space(input[length - 1]):
        length -= 1
    self.input = input + begin
    self.end = length - begin
    self.base = base
    self.utf8 = utf8
    self.host_only = False
    self.stripped = NULL
    open_to_ascii(&self.to_ascii)
    start(&self.out, self.scratch, sizeof(self.scratch), length_limit)
    rewind(self)


cdef void rewind(Parser* self) noexcept nogil:
    self.pointer = 0
    self.state = SCHEME_START_STATE
    self.query = NULL
    self.out.length = 0
    keep(&self.out, self.input, self.end)
    self.record.scheme_type = NOT_SPECIAL
    self.record.host_type = HOST_NULL
    self.record.port = 0
    self.record.query_start = OMITTED
    self.record.fragment_start = OMITTED


cdef inline void begin_query(Parser* self) noexcept nogil:
    self.record.query_start = end_offset(&self.out)
    push(&self.out, c'?')


cdef inline void begin_fragment(Parser* self) noexcept nogil:
    self.record.fragment_start = end_offset(&self.out)
    push(&self.out, c'#')


cdef void copy_scheme(Parser* self) noexcept nogil:
    self.out.length = 0
    push_run(&self.out, self.base.href, self.base.record.scheme_end + 1)
    self.record.scheme_end = self.base.record.scheme_end
    self.record.scheme_type = self.base.record.scheme_type


# Copies the scheme, credentials, host and port of the base.
cdef void copy_authority(Parser* self) noexcept nogil:
    cdef const Record* base = &self.base.record
    self.record = base[0]
    self.record.path_start = base.path_start if base.host_type else <Offset> (base.scheme_end + 1)
    self.record.query_start = OMITTED
    self.record.fragment_start = OMITTED
    self.out.length = 0
    push_run(&self.out, self.base.href, self.record.path_start)


cdef void copy_query(Parser* self) noexcept nogil:
    cdef Span query = span(&self.base.record, self.base.length, QUERY)
    if self.base.record.query_start != OMITTED:
        begin_query(self)
        push_run(&self.out, self.base.href + query.start, query.end - query.start)


# For protect_path().
cdef void protect_slashes(Buffer* out, Record* record) noexcept nogil:
    cdef Py_ssize_t i = record.path_start
    cdef uint8_t* path
    if out.length - i >= 2 and out.data[i] == c'/' and out.data[i + 1] == c'/':
        push_run(out, <const uint8_t*> b"/.", 2)
        # A kept output cannot be written to.
        if out.status == OK and (not is_kept(out) or grow(out, 0)):
            path = out.data + i
            memmove(path + 2, path, out.length - i - 2)
            path[0] = c'/'
            path[1] = c'.'
            record.path_start += 2


# Copies the path of the base, and its query if the reference does not have one.
cdef void copy_path(Parser* self) noexcept nogil:
    cdef Span path = span(&self.base.record, self.base.length, PATHNAME)
    push_run(&self.out, self.base.href + path.start, path.end - path.start)
    protect_path(&self.out, &self.record)
    if self.pointer == self.end or self.input[self.pointer] != c'?':
        copy_query(self)


# Copies the path of the base, shortened, for a reference that continues it.
cdef void copy_shortened_path(Parser* self) noexcept nogil:
    cdef Span path = span(&self.base.record, self.base.length, PATHNAME)
    cdef const uint8_t* p = self.base.href + path.start
    push_run(&self.out, p, shorten_path(p, path.end - path.start, <SchemeType> self.record.scheme_type))


# Sets the offsets of a null host. The path comes next.
cdef void null_host(Parser* self) noexcept nogil:
    cdef Offset end = end_offset(&self.out)
    self.record.username_end = self.record.host_start = self.record.host_end = self.record.path_start = end


# "file://", with an empty host.
cdef void empty_file_host(Parser* self) noexcept nogil:
    self.out.length = 0
    push_run(&self.out, <const uint8_t*> b"file://", 7)
    null_host(self)
    self.record.scheme_end = 4
    self.record.scheme_type = FILE
    self.record.host_type = HOST_EMPTY


# https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
cdef Status parse_opaque_path(Parser* self) noexcept nogil:
    cdef const uint8_t* p = self.input
    cdef Py_ssize_t i = self.pointer, n = self.end, begin
    while True:
        begin = i
        i = scan_run(p, i, n, CLASS_OPAQUE_STOP)
        push_run(&self.out, p + begin, i - begin)
        if i == n or p[i] == c'?' or p[i] == c'#':
            self.pointer = i
            return OK
        if is_tab_or_newline(p[i]):
            return HAS_TAB_OR_NEWLINE
        if p[i] == c' ' and not (i + 1 < n and (p[i + 1] == c'?' or p[i + 1] == c'#')):
            push(&self.out, c' ')
            i += 1
        else:
            i = percent_encode_from(&self.out, p, i, n)


# Percent-encodes the input up to `stop`; to its end if that is NUL.
cdef Status percent_encode_run(Parser* self, uint16_t percent_encode_set, uint8_t stop) noexcept nogil:
    cdef const uint8_t* p = self.input
    cdef Py_ssize_t i = self.pointer, n = self.end, begin
    while True:
        begin = i
        i = scan_run(p, i, n, percent_encode_set)
        push_run(&self.out, p + begin, i - begin)
        if i == n or (stop and p[i] == stop):
            self.pointer = i
            return OK
        if is_tab_or_newline(p[i]):
            return HAS_TAB_OR_NEWLINE
        i = percent_encode_from(&self.out, p, i, n)


# https://url.spec.whatwg.org/#authority-state. Credentials go to `out`, and the host is input[pointer:host_end].
cdef Status parse_authority(Parser* self) noexcept nogil:
    cdef const uint8_t* p = self.input
    cdef Py_ssize_t i = self.pointer, begin = i, at = i, n = self.end, colon = n
    cdef bint special = is_special(&self.record), inside_brackets = False
    # All that matters is in the userinfo percent-encode set.
    while True:
        i = scan_class(p, i, n, SET_USERINFO)
        if i == n or is_delimiter(p[i], special):
            break
        if p[i] == c'@':
            at = i + 1
            colon = n
            inside_brackets = False
        elif p[i] == c'[':
            inside_brackets = True
            # Nearly always, an IPv6 address: nothing in it matters.
            while i + 1 < n and (is_hex_digit(p[i + 1]) or p[i + 1] == c':'):
                i += 1
        elif p[i] == c']':
            inside_brackets = False
        elif p[i] == c':' and colon == n and not inside_brackets:
            colon = i
        i += 1
    self.pointer = at
    self.host_end = min(colon, i)
    if at == begin:
        self.record.username_end = end_offset(&self.out)
    elif at == i:
        return HOST_MISSING
    elif self.stripped == NULL and contains_tab_or_newline(p + begin, at - begin):
        return HAS_TAB_OR_NEWLINE
    else:
        encode_credentials(self, begin, at - 1)
    self.record.host_start = end_offset(&self.out)
    return OK


# Those of input[begin:end].
cdef void encode_credentials(Parser* self, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const uint8_t* p = self.input
    cdef Py_ssize_t colon = begin
    while colon < end and p[colon] != c':':
        colon += 1
    percent_encode(&self.out, p + begin, colon - begin, SET_USERINFO)
    self.record.username_end = end_offset(&self.out)
    if colon < end - 1:
        push(&self.out, c':')
        percent_encode(&self.out, p + colon + 1, end - colon - 1, SET_USERINFO)
    if begin < colon or colon < end - 1:
        push(&self.out, c'@')


# https://url.spec.whatwg.org/#file-host-state: of a file URL, localhost is the empty host.
cdef void drop_localhost(Buffer* out, Record* record) noexcept nogil:
    if out.length == 16 and memcmp(out.data, b"file://localhost", 16) == 0:
        out.length = 7
        record.host_type = HOST_EMPTY


# The end of https://url.spec.whatwg.org/#file-host-state, for a buffer that is neither empty nor a drive letter.
cdef Status parse_file_host(Parser* self) noexcept nogil:
    cdef HostType host_type = HOST_EMPTY
    cdef Status status = parse_host(
        &self.out, self.input + self.pointer, self.host_end - self.pointer, False, &self.to_ascii, &host_type
    )
    if status:
        return status
    self.record.host_type = host_type
    drop_localhost(&self.out, &self.record)
    self.pointer = self.host_end
    self.record.host_end = self.record.path_start = end_offset(&self.out)
    return OK


# https://url.spec.whatwg.org/#query-state
cdef Status parse_query(Parser* self) noexcept nogil:
    cdef const uint8_t* p = self.input
    cdef const void* fragment
    cdef Py_ssize_t i
    cdef SchemeType scheme = <SchemeType> self.record.scheme_type
    if not (self.utf8 or scheme == NOT_SPECIAL or scheme == WS or scheme == WSS):
        fragment = memchr(p + self.pointer, c'#', self.end - self.pointer)
        self.query_end = <const uint8_t*> fragment - p if fragment else self.end
        if self.query != NULL:
            push_run(&self.out, self.query, self.query_length)
            self.pointer = self.query_end
            return OK
        for i in range(self.pointer, self.query_end):
            # ASCII is the same in every encoding, except for the bytes that switch states in ISO-2022-JP.
            if p[i] >= 0x80 or p[i] == 0x0E or p[i] == 0x0F or p[i] == 0x1B:
                return NEED_ENCODE
    return percent_encode_run(self, SET_QUERY if scheme == NOT_SPECIAL else SET_SPECIAL_QUERY, c'#')


# Tabs and newlines are rare, so the input is not searched for them first. If there are some, percent_encode_run() or
# parse_path() reports them, or the parser fails or asks. Then they are removed, and the parser starts again.
cdef Status parse(Parser* self) noexcept nogil:
    cdef Status status = run(self)
    if status and status != NO_MEMORY and self.stripped == NULL and contains_tab_or_newline(self.input, self.end):
        self.stripped = <uint8_t*> malloc(self.end)
        if self.stripped == NULL:
            return NO_MEMORY
        self.end = remove_tab_and_newline(self.stripped, self.input, self.end)
        self.input = self.stripped
        self.to_ascii.domain.length = 0
        release(&self.out)
        start(&self.out, self.scratch, sizeof(self.scratch), length_limit)
        rewind(self)
        status = run(self)
    if status == OK and not self.host_only:
        check(self.out.data, self.out.length, &self.record)
    return status


cdef Status run(Parser* self) noexcept nogil:
    cdef const uint8_t* p = self.input
    cdef Py_ssize_t n = self.end, i, lower
    cdef Record* record = &self.record
    cdef Buffer* out = &self.out
    cdef const URLView* base = self.base
    cdef Status status
    cdef HostType host_type = HOST_NULL
    cdef uint32_t port
    cdef uint8_t c
    while True:
        # The state machine's c. NUL stands for the EOF code point: every state treats a NUL of the input the same.
        c = p[self.pointer] if self.pointer < n else 0

        if self.state == SCHEME_START_STATE:
            # https://url.spec.whatwg.org/#scheme-start-state and https://url.spec.whatwg.org/#scheme-state.
            i = lower = scan_class(p, 0, n, CLASS_NOT_SCHEME)
            while i < n and not byte_class[to_lower(p[i])] & CLASS_NOT_SCHEME:
                i += 1
            if i == 0 or i == n or p[i] != c':' or not is_alpha(c):
                self.state = NO_SCHEME_STATE
                continue
            self.pointer = i + 1
            push_run(out, p, lower)
            for i in range(lower, i):
                push(out, to_lower(p[i]))
            if out.status:
                return out.status
            record.scheme_end = end_offset(out)
            record.scheme_type = scheme_type(out.data, out.length)
            push(out, c':')
            if record.scheme_type == FILE:
                self.state = FILE_STATE
            elif record.scheme_type != NOT_SPECIAL:
                if base != NULL and base.record.scheme_type == record.scheme_type:
                    self.state = SPECIAL_RELATIVE_OR_AUTHORITY_STATE
                else:
                    push_run(out, <const uint8_t*> b"//", 2)
                    # https://url.spec.whatwg.org/#special-authority-slashes-state differs in validation errors only.
                    self.state = SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
            elif self.pointer < n and p[self.pointer] == c'/':
                self.pointer += 1
                self.state = PATH_OR_AUTHORITY_STATE
            else:
                self.state = OPAQUE_PATH_STATE

        elif self.state == NO_SCHEME_STATE:
            # https://url.spec.whatwg.org/#no-scheme-state
            if base == NULL:
                return MISSING_SCHEME_NON_RELATIVE_URL
            if has_opaque_path(base.href, base.length, &base.record):
                if c != c'#':
                    return MISSING_SCHEME_NON_RELATIVE_URL
                record[0] = base.record
                record.fragment_start = OMITTED
                push_run(out, base.href, min(<Py_ssize_t> base.record.fragment_start, base.length))
                self.state = PATH_END_STATE
            else:
                self.state = FILE_STATE if base.record.scheme_type == FILE else RELATIVE_STATE

        elif self.state == SPECIAL_RELATIVE_OR_AUTHORITY_STATE:
            # https://url.spec.whatwg.org/#special-relative-or-authority-state
            if n - self.pointer >= 2 and c == c'/' and p[self.pointer + 1] == c'/':
                self.pointer += 2
                push_run(out, <const uint8_t*> b"//", 2)
                self.state = SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
            else:
                self.state = RELATIVE_STATE

        elif self.state == PATH_OR_AUTHORITY_STATE:
            # https://url.spec.whatwg.org/#path-or-authority-state
            if c == c'/':
                self.pointer += 1
                push_run(out, <const uint8_t*> b"//", 2)
                self.state = AUTHORITY_STATE
            else:
                null_host(self)
                self.state = PATH_STATE

        elif self.state == RELATIVE_STATE:
            # https://url.spec.whatwg.org/#relative-state
            if is_solidus(c, is_special(&base.record)):
                self.pointer += 1
                self.state = RELATIVE_SLASH_STATE
            else:
                copy_authority(self)
                if self.pointer == n or c == c'?' or c == c'#':
                    copy_path(self)
                    self.state = PATH_END_STATE
                else:
                    copy_shortened_path(self)
                    self.state = PATH_STATE

        elif self.state == RELATIVE_SLASH_STATE:
            # https://url.spec.whatwg.org/#relative-slash-state
            if is_solidus(c, is_special(&base.record)):
                self.pointer += 1
                copy_scheme(self)
                push_run(out, <const uint8_t*> b"//", 2)
                self.state = (
                    SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE if is_special(&base.record) else AUTHORITY_STATE
                )
            else:
                copy_authority(self)
                self.state = PATH_STATE

        elif self.state == SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE:
            # https://url.spec.whatwg.org/#special-authority-ignore-slashes-state
            while self.pointer < n and is_solidus(p[self.pointer], True):
                self.pointer += 1
            self.state = AUTHORITY_STATE

        elif self.state == AUTHORITY_STATE:
            status = parse_authority(self)
            if status:
                return status
            self.state = HOST_STATE

        elif self.state == HOST_STATE:
            # https://url.spec.whatwg.org/#host-state
            if self.host_end == self.pointer and (
                is_special(record) or (self.host_end < n and p[self.host_end] == c':')
            ):
                return HOST_MISSING
            status = parse_host(
                out, p + self.pointer, self.host_end - self.pointer, not is_special(record), &self.to_ascii, &host_type
            )
            if status:
                return status
            record.host_type = host_type
            record.host_end = end_offset(out)
            self.pointer = self.host_end
            self.state = PORT_STATE if self.pointer < n and p[self.pointer] == c':' else PATH_START_STATE

        elif self.state == PORT_STATE:
            # https://url.spec.whatwg.org/#port-state
            i = scan_port(p, self.pointer + 1, n, &port)
            if i < n and not is_delimiter(p[i], is_special(record)):
                return PORT_INVALID
            if port > 65535:
                return PORT_OUT_OF_RANGE
            if i > self.pointer + 1 and <int> port != default_port(record.scheme_type):
                record.port = <uint16_t> port
                push_port(out, port)
            self.pointer = i
            self.state = PATH_START_STATE

        elif self.state == FILE_STATE:
            # https://url.spec.whatwg.org/#file-state
            out.length = 0
            if is_solidus(c, True):
                self.pointer += 1
                self.state = FILE_SLASH_STATE
            elif base != NULL and base.record.scheme_type == FILE:
                copy_authority(self)
                if self.pointer == n or c == c'?' or c == c'#':
                    copy_path(self)
                    self.state = PATH_END_STATE
                else:
                    if not starts_with_windows_drive_letter(p, self.pointer, n):
                        copy_shortened_path(self)
                    self.state = PATH_STATE
            else:
                empty_file_host(self)
                self.state = PATH_STATE

        elif self.state == FILE_SLASH_STATE:
            # https://url.spec.whatwg.org/#file-slash-state
            if is_solidus(c, True):
                self.pointer += 1
                self.state = FILE_HOST_STATE
                continue
            if base != NULL and base.record.scheme_type == FILE:
                copy_authority(self)
                if (
                    not starts_with_windows_drive_letter(p, self.pointer, n)
                    and starts_with_normalized_drive(
                        base.href + base.record.path_start,
                        path_end(&base.record, base.length) - base.record.path_start,
                    )
                ):
                    push_run(out, base.href + base.record.path_start, 3)
            else:
                empty_file_host(self)
            self.state = PATH_STATE

        elif self.state == FILE_HOST_STATE:
            # https://url.spec.whatwg.org/#file-host-state
            if self.to_ascii.answer == NULL:
                empty_file_host(self)
            self.host_end = find_delimiter(p, self.pointer, n, True)
            if self.host_end - self.pointer == 2 and starts_with_windows_drive_letter(p, self.pointer, n):
                self.state = PATH_STATE
                continue
            if self.host_end > self.pointer:
                status = parse_file_host(self)
                if status:
                    return status
            self.state = PATH_START_STATE

        elif self.state == PATH_START_STATE:
            # https://url.spec.whatwg.org/#path-start-state
            record.path_start = end_offset(out)
            if self.host_only and record.scheme_type != FILE and 3 * <int64_t> (n - self.pointer) < out.limit - out.length:
                # There is no tab or newline before this, and those that follow do not change the host.
                break
            if is_solidus(c, is_special(record)):
                self.pointer += 1
                self.state = PATH_STATE
            else:
                self.state = PATH_STATE if is_special(record) or not (
                    self.pointer == n or c == c'?' or c == c'#'
                ) else PATH_END_STATE

        elif self.state == PATH_STATE or self.state == PATH_REST_STATE:
            if self.state == PATH_STATE:
                push(out, c'/')
            status = parse_path(
                out, record.path_start, p, &self.pointer, n, <SchemeType> record.scheme_type, False
            )
            if status:
                return status
            protect_path(out, record)
            self.state = PATH_END_STATE

        elif self.state == OPAQUE_PATH_STATE:
            # https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
            null_host(self)
            status = parse_opaque_path(self)
            if status:
                return status
            self.state = PATH_END_STATE

        elif self.state == PATH_END_STATE:
            # From the end of a path or a query to the query or the fragment state.
            if self.pointer == n:
                break
            self.pointer += 1
            if c == c'?':
                begin_query(self)
                self.state = QUERY_STATE
            else:
                begin_fragment(self)
                self.state = FRAGMENT_STATE

        elif self.state == QUERY_STATE:
            status = parse_query(self)
            if status:
                return status
            self.state = PATH_END_STATE

        else:
            # https://url.spec.whatwg.org/#fragment-state
            status = percent_encode_run(self, SET_FRAGMENT, 0)
            if status:
                return status
            break
    return out.status
