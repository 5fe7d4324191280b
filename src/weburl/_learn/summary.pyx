"""What is kept of URLs while routes are learnt: how often each host has each template of a path, in bounded memory.

The summary depends on which URLs there are, and not on their order; docs/learn.md says how.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from weburl._arrow.arrow cimport has_bit
from weburl._arrow.batch cimport STRINGS, Batch, ColumnBuffers, validity_of
from weburl._arrow.columns cimport WHOLE_URL, ParsedRow, VerbState, Worker, bound, component, verb_state, with_arguments
from weburl._arrow.job cimport move_row
from weburl._core.ascii cimport is_alpha, is_digit, is_hex_digit
from weburl._core.buffer cimport MOST_POOL, PY_SSIZE_T_MAX, Buffer, push, push_run
from weburl._core.hash cimport HashKey, draw_key, hash_bytes
from weburl._core.record cimport HREF, PATHNAME, Span, URLView, has_opaque_path, is_special, span
from weburl._core.status cimport NO_MEMORY, OK, RAISED, TOO_LONG, Status
from weburl._redact.redact cimport LogPolicy, Names, path_policy_in_use, push_template

# The text of a row: the host with its port, and the template of the path. It is empty for a URL without a host.

cdef enum:
    LONGEST_HOST = 300          # bytes, with the port
    LONGEST_SEGMENT = 80        # what is longer is {opaque}
    MOST_SEGMENTS = 24          # what comes after them is {other}
    MARK = 1                    # after a text; then comes a path
    HEX_DIGITS = 8              # {hex} has so many or more
    MOST_DIGITS = 20            # no name has so many
    MOST_NUMBERS = 5            # of a text that has a placeholder: see is_numbered in tree.py, too
    LONGEST_AROUND = 40         # bytes around them


# The pattern of a template has to match the path. Templates leave out what follows a semicolon, and see through escapes;
# patterns do neither. So `5;v=1` becomes `{int};{value}`, whose pattern has a semicolon, and `%37` becomes `{id}`.

cdef enum:
    PARAMETERS_LENGTH = 8       # of `;{value}`


# Whether a path may have another template.
cdef bint is_odd(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] == c'%' or p[i] == c';' or p[i] == c':' or p[i] == c'@' or p[i] == c'=':
            return True
    return False


# Whether no pattern with the scheme `*` matches: it has the host in lower case, and no backslash in the path.
cdef bint has_no_pattern(const URLView* url, const Span* path) noexcept nogil:
    cdef Py_ssize_t i
    if is_special(&url.record):
        return False
    for i in range(url.record.host_start, url.record.path_start):
        if c'A' <= url.href[i] <= c'Z' or url.href[i] == c'%':
            return True
    return path.start == path.end or memchr(url.href + path.start, c'\\', path.end - path.start) != NULL


# Extensions of files that are packed, signed or summed up: see PACKED in tree.py.
cdef bint is_packed(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint32_t text = 0
    cdef Py_ssize_t i
    if n > 4:
        return False
    for i in range(n):
        text = text << 8 | p[i] | 0x20
    return (
        text == 0x617363 or text == 0x6272 or text == 0x627A32 or text == 0x677A or text == 0x6D6170
        or text == 0x6D6435 or text == 0x73686131 or text == 0x736967 or text == 0x787A or text == 0x7A7374
    )


# Where the extension of a segment begins, at its dot, or n.
cdef Py_ssize_t extension_at(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = last_extension_at(p, n)
    return last_extension_at(p, i) if i < n and is_packed(p + i + 1, n - i - 1) else i


cdef Py_ssize_t last_extension_at(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = n
    while i > max(n - 5, 2) and (is_alpha(p[i - 1]) or is_digit(p[i - 1])):
        i -= 1
    return i - 1 if i < n and i > 1 and p[i - 1] == c'.' and is_alpha(p[i]) else n


# Whether a placeholder matches only certain segments. These have no escapes.
cdef bint is_strict(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return (n == 5 and (memcmp(p, b"{int}", 5) == 0 or memcmp(p, b"{hex}", 5) == 0)) or (
        n == 6 and (memcmp(p, b"{date}", 6) == 0 or memcmp(p, b"{uuid}", 6) == 0)
    )


# Whether the pattern of a template matches a segment.
cdef bint fits(const uint8_t* p, Py_ssize_t n, const uint8_t* template, Py_ssize_t length) noexcept nogil:
    cdef const uint8_t* open = <const uint8_t*> memchr(template, c'{', length)
    cdef Py_ssize_t before, after = length
    if open == NULL:
        return n == length and memcmp(p, template, n) == 0
    before = open - template
    while after > before and template[after - 1] != c'}':
        after -= 1
    return (
        n > before + (length - after) and memcmp(p, template, before) == 0
        and memcmp(p + n - (length - after), template + after, length - after) == 0
        and not (
            is_strict(open, after - before)
            and memchr(p + before, c'%', n - before - (length - after)) != NULL
        )
    )


# Adds the template of a path with odd segments. False if that template does not fit the path.
cdef bint push_fitting(Buffer* out, const uint8_t* p, Py_ssize_t n, Py_ssize_t begin) noexcept nogil:
    cdef const uint8_t* semicolon
    cdef const uint8_t* template
    cdef Py_ssize_t i = 0, end, stem, at = begin, stop, length, first = out.length, dot
    while i < n:
        if at >= first or out.data[at] != c'/':
            return False
        end, stop = i + 1, at + 1
        while end < n and p[end] != c'/':
            end += 1
        while stop < first and out.data[stop] != c'/':
            stop += 1
        semicolon = <const uint8_t*> memchr(p + i + 1, c';', end - i - 1)
        stem = end if semicolon == NULL else semicolon - p
        length = stop - at - 1
        template = out.data + at + 1
        if semicolon != NULL:
            # Placeholders match no empty text.
            if stem == i + 1 or stem + 1 == end:
                return False
            if length and template[length - 1] == c';':
                length -= 1
        dot = extension_at(p + i + 1, stem - i - 1)
        if fits(p + i + 1, stem - i - 1, template, length):
            # Pushing may move what was pushed.
            push_run(out, b"/", 1)
            if not push_copy(out, at + 1, length):
                return False
        elif stem == i + 1:
            return False
        else:
            push_run(out, b"/{id}", 5)
            push_run(out, p + i + 1 + dot, stem - i - 1 - dot)
        if semicolon != NULL:
            push_run(out, b";{value}", PARAMETERS_LENGTH)
            # Patterns with an extension match such parameters. Only counts need it.
            dot = i + 1 + extension_at(p + i + 1, end - i - 1)
            if dot > stem:
                push_run(out, p + dot, end - dot)
        i, at = end, stop
    if at != first or out.status:
        return False
    length = out.length - first
    for i in range(length):
        out.data[begin + i] = out.data[first + i]
    out.length = begin + length
    return True


# Adds a part of the buffer at its end.
cdef bint push_copy(Buffer* out, Py_ssize_t begin, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        push(out, out.data[begin + i])
    return out.status == OK


# Makes the template that begins there bounded. A long segment keeps what patterns of others could match: its extension
# and its parameters.
cdef void bound_template(Buffer* out, Py_ssize_t begin) noexcept nogil:
    cdef uint8_t* p = out.data
    cdef Py_ssize_t i = begin, to = begin, end, stem, length = out.length
    cdef int count = 0
    if length - begin <= LONGEST_SEGMENT:
        # Too short for a long segment; not always for many.
        if length - begin < 2 * MOST_SEGMENTS:
            return
    while i < length:
        count += 1
        if count > MOST_SEGMENTS:
            out.length = to
            push_run(out, b"/{other}", 8)
            return
        end = i + 1
        while end < length and p[end] != c'/':
            end += 1
        if end - i - 1 > LONGEST_SEGMENT:
            stem = i + 1 + extension_at(p + i + 1, end - i - 1)
            if memcmp(p + stem - PARAMETERS_LENGTH, b";{value}", PARAMETERS_LENGTH) == 0:
                stem -= PARAMETERS_LENGTH
                stem = i + 1 + extension_at(p + i + 1, stem - i - 1)
            # The pattern of {hex} matches letters, too.
            i += 1
            while i < stem and is_hex_digit(p[i]):
                i += 1
            if i == stem:
                memcpy(p + to, b"/{hex}", 6)
                to += 6
            else:
                memcpy(p + to, b"/{opaque}", 9)
                to += 9
            i = stem
        while i < end:
            p[to] = p[i]
            to += 1
            i += 1
    out.length = to


# A template leaves out what patterns can see: whether a number can be hexadecimal, what is around the number of `tea-1200`,
# what is before the value of `in-3fa9c2`, and extensions of addresses. So a text goes on with a mark and a path. The
# values in its segments match the same patterns as those of the URL.

# Whether a text is one that tree.py has a placeholder for: one to five numbers with a sign between them, and few bytes
# around. Then it says how many digits there are.
cdef bint is_numbered(const uint8_t* p, Py_ssize_t n, Py_ssize_t* digits) noexcept nogil:
    cdef Py_ssize_t i
    cdef int numbers = 0
    cdef bint is_apart = True
    digits[0] = 0
    for i in range(n):
        if is_digit(p[i]):
            digits[0] += 1
            if i == 0 or not is_digit(p[i - 1]):
                numbers += 1
                if not is_apart:
                    return False
                is_apart = False
        elif p[i] == c'%':
            return False
        elif not is_alpha(p[i]):
            is_apart = True
    return 0 < numbers <= MOST_NUMBERS and 0 < n - digits[0] <= LONGEST_AROUND


# Adds it with other numbers, of so many digits.
cdef void push_numbered(Buffer* out, const uint8_t* p, Py_ssize_t n, Py_ssize_t digits) noexcept nogil:
    cdef Py_ssize_t i, k
    for i in range(n):
        if not is_digit(p[i]):
            push(out, p[i])
        elif i == 0 or not is_digit(p[i - 1]):
            for k in range(digits):
                push(out, c'9')


# The text before a value: letters and a sign, or a name and a bracket; or 0.
cdef Py_ssize_t prefix_length(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i = 0
    while i < n and is_alpha(p[i]):
        i += 1
    if i + 1 < n and memchr(b"-_~@:!$", p[i], 7) != NULL:
        return i + 1
    if p[n - 1] != c')':
        return 0
    while i + 2 < n and (is_alpha(p[i]) or is_digit(p[i]) or p[i] == c'.' or p[i] == c'_'):
        i += 1
    return i + 1 if p[i] == c'(' else 0


# Adds another segment for one whose template is in the buffer. False if the template says all that patterns can see.
cdef bint push_value(Buffer* out, Py_ssize_t begin, Py_ssize_t n, const uint8_t* p, Py_ssize_t length) noexcept nogil:
    cdef const uint8_t* template = out.data + begin
    cdef const uint8_t* found = <const uint8_t*> memchr(template, c';', n)
    cdef Py_ssize_t after = n if found == NULL else found - template, open, close, stem, digits, i
    cdef bint is_hex, is_of_hex = True
    found = <const uint8_t*> memchr(p, c';', length)
    if found != NULL:
        length = found - p
    found = <const uint8_t*> memchr(template, c'{', after)
    if found == NULL or (n == 7 and memcmp(template, b"{other}", 7) == 0):
        return False
    open = found - template
    close = open + 1
    while close < after and template[close - 1] != c'}':
        close += 1
    if close - open == 5 and memcmp(found, b"{int}", 5) == 0:
        digits = 0
        while open + digits < length and is_digit(p[open + digits]):
            digits += 1
        if digits < HEX_DIGITS:
            return False
        push_copy(out, begin, open)
        push_run(out, b"10000000", HEX_DIGITS)
        push_copy(out, begin + close, n - close)
        return True
    is_hex = close - open == 5 and memcmp(found, b"{hex}", 5) == 0
    if open > 0 or (is_strict(found, close - open) and not is_hex):
        return False
    # A template has a part of the extension, or all of it.
    stem = extension_at(p, length)
    if length - stem < after - close:
        stem = length - (after - close)
    if stem <= 0:
        return False
    if is_numbered(p, stem, &digits):
        for i in range(stem):
            is_of_hex &= is_hex_digit(p[i])
        if is_hex:
            digits = HEX_DIGITS
        elif is_of_hex:
            # A name has fewer, {hex} has more.
            digits = max(HEX_DIGITS - 1 - (stem - digits), 1)
        else:
            digits = MOST_DIGITS
        push_numbered(out, p, stem, digits)
    elif is_hex:
        return False
    else:
        i = 0 if n >= 7 and memcmp(template, b"{email}", 7) == 0 else prefix_length(p, stem)
        if i == 0 and length - stem == after - close:
            return False
        push_run(out, p, i)
        push_copy(out, begin, close)
        if i > 0 and p[i - 1] == c'(':
            push(out, c')')
    push_run(out, p + stem, length - stem)
    push_copy(out, begin + after, n - after)
    return True


# Adds a mark and another path to a template, if that does not say all that patterns can see.
cdef void push_values(Buffer* out, const uint8_t* p, Py_ssize_t n, Py_ssize_t begin) noexcept nogil:
    cdef Py_ssize_t first = out.length, at = begin, stop, i = 0, end
    cdef bint is_needed = False
    if memchr(out.data + begin, c'{', first - begin) == NULL:
        return
    push(out, MARK)
    while at < first and i < n and not out.status:
        end, stop = i + 1, at + 1
        while end < n and p[end] != c'/':
            end += 1
        while stop < first and out.data[stop] != c'/':
            stop += 1
        push(out, c'/')
        if push_value(out, at + 1, stop - at - 1, p + i + 1, end - i - 1):
            is_needed = True
        else:
            push_copy(out, at + 1, stop - at - 1)
        i, at = end, stop
    if not is_needed or out.status:
        out.length = first
    if out.status == TOO_LONG:
        # Of a row that is nearly too long, the template is enough.
        out.status = OK


cdef Status shape_row(void* state, Worker* worker, Batch batch, ParsedRow* row) except RAISED nogil:
    cdef Buffer* out = &worker.result
    cdef URLView url
    cdef Py_ssize_t host
    cdef Span path
    url.href = row.href if row.arena < 0 else batch.arena + row.arena
    url.length = row.length
    url.record = row.record
    out.length = 0
    host = url.record.path_start - url.record.host_start
    path = span(&url.record, url.length, PATHNAME)
    if (
        url.record.host_type and url.record.host_start < url.record.host_end and host <= LONGEST_HOST
        and not has_opaque_path(url.href, url.length, &url.record) and not has_no_pattern(&url, &path)
    ):
        push_run(out, url.href + url.record.host_start, host)
        push_template(out, &worker.base_buffer, &url, <const Names*> state)
        if (
            out.status == OK and is_odd(url.href + path.start, path.end - path.start)
            and not push_fitting(out, url.href + path.start, path.end - path.start, host) and out.status == OK
        ):
            out.length = 0
        if out.status == OK and out.length:
            bound_template(out, host)
            if not out.status:
                push_values(out, url.href + path.start, path.end - path.start, host)
    if out.status == TOO_LONG:
        out.status = OK
        return TOO_LONG
    if out.status:
        return NO_MEMORY
    row.length = out.length
    return move_row(worker, batch, out.data, row)


FIELDS = {each.name: with_arguments(each) for each in (
    component("shape", HREF, WHOLE_URL, False, "the host, and the template of the path"),
)}


def shapes(policy):
    """The field of hosts with the templates of their paths."""
    cdef LogPolicy used = path_policy_in_use(policy)
    cdef VerbState state = verb_state(used, &used.names)
    state.change_row = shape_row
    state.hides = True
    return bound(FIELDS["shape"], state)


# The summary. Below a bound, all texts and their counts are kept. Above it:
#
# - Of the texts, a sample is kept, with all their counts: those whose hash, which is the same in each process, is below a
#   limit. The limit is the largest power of two that leaves so few texts. Whenever one of them comes, it is kept: so its
#   count is right.
# - A sketch counts all lines: https://doi.org/10.1016/j.jalgor.2003.12.001 (Count-Min). Texts that have a share of all lines
#   are kept, too. Their counts are those of the sketch, which are a little too high, and do not depend on the order.

cdef enum:
    MOST_TEXTS = 1 << 17        # of a sample
    MOST_ROWS = 1 << 15         # of these, for a tree; the others are only counted
    MOST_BYTES = 1 << 24
    ROWS = 4                    # of the sketch
    WIDTH = 1 << 18
    SHARES = 1 << 14            # a text is frequent if it has one of so many shares of the lines
    FINER = 4                   # so many times less is enough for counts
    MOST_FREQUENT = 1 << 17

cdef HashKey table_key, fixed_key
draw_key(&table_key)
# The first digits of pi, after the point: nothing is hidden in them.
fixed_key.words[0] = <uint64_t> 0x243F6A8885A308D3
fixed_key.words[1] = <uint64_t> 0x13198A2E03707344
fixed_key.words[2] = <uint64_t> 0xA4093822299F31D0


ctypedef struct Entry:
    uint64_t hash               # where the text is in the table
    uint64_t mark               # the hash that decides whether it is in the sample
    int64_t count               # of one in the sample
    uint32_t offset             # of the text, in the pool
    uint32_t length


cdef class Summary:
    """Summary(is_bounded=True)"""
    cdef Entry* entries
    cdef Py_ssize_t n, capacity
    cdef uint32_t* slots        # the number of an entry, from 1; or 0
    cdef uint64_t mask
    cdef uint8_t* pool
    cdef Py_ssize_t pool_length, pool_capacity
    cdef Py_ssize_t sampled, sampled_bytes
    cdef Py_ssize_t most_texts, most_bytes
    cdef uint64_t limit         # of the marks
    cdef readonly int halvings
    cdef int64_t factor         # of what is frequent
    cdef int64_t* sketch        # or NULL
    cdef readonly int64_t total # lines
    cdef readonly int64_t without_host
    cdef readonly Summary marked    # of the texts with a mark; None of these themselves

    def __cinit__(self, is_bounded=True, Py_ssize_t most_texts=MOST_TEXTS, has_marked=True):
        if has_marked:
            self.marked = Summary(is_bounded, most_texts, False)
        self.most_texts = most_texts if is_bounded else PY_SSIZE_T_MAX
        self.most_bytes = MOST_BYTES if is_bounded else PY_SSIZE_T_MAX
        self.limit = <uint64_t> -1
        self.factor = 1
        if not make_table(self, 256):
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)
        free(self.slots)
        free(self.pool)
        free(self.sketch)

    def clear(self):
        """Forgets everything, but not the memory. A bounded summary is not cleared."""
        memset(self.slots, 0, (self.mask + 1) * sizeof(uint32_t))
        self.n = self.pool_length = self.sampled = self.sampled_bytes = 0
        self.total = self.without_host = 0
        if self.marked is not None:
            self.marked.clear()

    def add(self, Batch batch not None, Batch routes=None, Summary known=None):
        """Counts the rows of a batch of shapes. Those that have a route in the other batch are counted there, instead."""
        cdef bint is_added
        if batch.n_columns != 1 or batch.columns[0].type != STRINGS:
            raise ValueError("this is not a column of shapes")
        if routes is not None and (routes.length != batch.length or routes.columns[0].type != STRINGS or known is None):
            raise ValueError("these are not the routes of the rows")
        with nogil:
            is_added = add_batch(self, batch, routes, known)
        if not is_added:
            raise MemoryError

    def merge(self, Summary other not None):
        """Adds what an unbounded summary has counted."""
        cdef bint is_added = True
        cdef const Entry* entry
        cdef Py_ssize_t i
        if other.sketch != NULL:
            raise ValueError("a sample is not merged")
        with nogil:
            for i in range(other.n):
                entry = other.entries + i
                if not add_text(self, other.pool + entry.offset, entry.length, entry.hash, entry.count):
                    is_added = False
                    break
        if not is_added:
            raise MemoryError
        self.total += other.total
        self.without_host += other.without_host
        if self.marked is not None:
            self.marked.merge(other.marked)

    @property
    def share(self):
        """From how many lines on `rows` has all texts; 0 if it has all of them."""
        return share_of(self) if halvings_for(self, MOST_ROWS) + self.halvings else 0

    def __len__(self):
        return self.n

    def rows(self, Py_ssize_t most=MOST_ROWS):
        """Texts, each with the number of its lines, and with how many such texts it stands for.

        A sample has at most so many of them. What is frequent is there, too, and stands for itself.
        """
        return sorted(list_rows(self, 0, self.n, halvings_for(self, most), share_of(self)))

    def kept(self, Py_ssize_t begin, Py_ssize_t end):
        """The same of all texts that are kept, from one to another, in no order."""
        return list_rows(self, begin, min(end, self.n), 0, max(share_of(self) // FINER, 2))


# How often the sample has to be halved so that it has at most so many texts.
cdef int halvings_for(Summary self, Py_ssize_t most) noexcept nogil:
    cdef uint64_t limit = self.limit
    cdef Py_ssize_t count = self.sampled, i
    cdef int halvings = 0
    while count > most:
        limit >>= 1
        halvings += 1
        count = 0
        for i in range(self.n):
            count += self.entries[i].mark <= limit
    return halvings


cdef list list_rows(Summary self, Py_ssize_t begin, Py_ssize_t end, int halvings, int64_t share):
    cdef const Entry* entry
    cdef int64_t count
    cdef uint64_t limit = self.limit >> halvings
    cdef Py_ssize_t i
    cdef list found = []
    for i in range(begin, end):
        entry = self.entries + i
        count = entry.count if self.sketch == NULL else estimate(self, entry.mark)
        if count < share and entry.mark > limit:
            continue
        text = self.pool[entry.offset:entry.offset + entry.length].decode("utf-8", "replace")
        if entry.mark <= self.limit:
            found.append((text, entry.count, 1 if count >= share else 1 << (halvings + self.halvings)))
        else:
            found.append((text, count, 1))
    return found


cdef bint make_table(Summary self, Py_ssize_t size) noexcept nogil:
    cdef uint32_t* slots = <uint32_t*> calloc(size, sizeof(uint32_t))
    cdef Py_ssize_t i
    cdef uint64_t place
    if slots == NULL:
        return False
    free(self.slots)
    self.slots = slots
    self.mask = size - 1
    for i in range(self.n):
        place = self.entries[i].hash & self.mask
        while slots[place]:
            place = (place + 1) & self.mask
        slots[place] = <uint32_t> (i + 1)
    return True


cdef inline int64_t share_of(Summary self) noexcept nogil:
    return max(self.factor * (self.total // SHARES), 2)


# A text that has so many lines is kept: it may become frequent.
cdef inline int64_t least_of(Summary self) noexcept nogil:
    return share_of(self) // (2 * FINER)


cdef inline uint64_t place_in(uint64_t mark, int row) noexcept nogil:
    # 18 bits of a product, another one for each row.
    cdef uint64_t word = (mark + <uint64_t> row * <uint64_t> 0x9E3779B97F4A7C15) * <uint64_t> 0xD6E8FEB86659FD93
    word = (word ^ word >> 32) * <uint64_t> 0xD6E8FEB86659FD93
    return <uint64_t> row * WIDTH + (word >> 46)


cdef int64_t estimate(Summary self, uint64_t mark) noexcept nogil:
    cdef int64_t least = self.sketch[place_in(mark, 0)]
    cdef int row
    for row in range(1, ROWS):
        least = min(least, self.sketch[place_in(mark, row)])
    return least


cdef void count_in_sketch(Summary self, uint64_t mark, int64_t count) noexcept nogil:
    cdef int row
    for row in range(ROWS):
        self.sketch[place_in(mark, row)] += count


# Leaves out the texts that are neither in the sample nor frequent.
cdef bint leave_out(Summary self) noexcept nogil:
    cdef int64_t share = least_of(self)
    cdef Entry* entry
    cdef Py_ssize_t i, kept = 0, length = 0
    self.sampled = self.sampled_bytes = 0
    for i in range(self.n):
        entry = self.entries + i
        if entry.mark <= self.limit:
            self.sampled += 1
            self.sampled_bytes += entry.length
        elif estimate(self, entry.mark) < share:
            continue
        # Entries are in the order of their texts.
        memmove_text(self, entry.offset, length, entry.length)
        self.entries[kept] = entry[0]
        self.entries[kept].offset = <uint32_t> length
        length += entry.length
        kept += 1
    self.n = kept
    self.pool_length = length
    return make_table(self, <Py_ssize_t> self.mask + 1)


cdef inline void memmove_text(Summary self, Py_ssize_t source, Py_ssize_t to, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if source != to:
        for i in range(n):
            self.pool[to + i] = self.pool[source + i]


# There are too many texts.
cdef bint make_room(Summary self) noexcept nogil:
    cdef Py_ssize_t i
    if self.sketch == NULL:
        self.sketch = <int64_t*> calloc(ROWS * WIDTH, sizeof(int64_t))
        if self.sketch == NULL:
            return False
        for i in range(self.n):
            count_in_sketch(self, self.entries[i].mark, self.entries[i].count)
    while self.sampled > self.most_texts or self.sampled_bytes > self.most_bytes:
        self.limit >>= 1
        self.halvings += 1
        if not leave_out(self):
            return False
    while self.n - self.sampled > MOST_FREQUENT:
        if not leave_out(self):
            return False
        if self.n - self.sampled > MOST_FREQUENT // 2:
            # Only texts that are made to collide are so many.
            self.factor *= 2
    return True


cdef bint insert(Summary self, const uint8_t* p, Py_ssize_t n, uint64_t hash, uint64_t mark, int64_t count) noexcept nogil:
    cdef Entry* entries
    cdef uint8_t* pool
    cdef Py_ssize_t size
    cdef uint64_t place
    if self.n == self.capacity:
        size = max(2 * self.capacity, 128)
        entries = <Entry*> realloc(self.entries, size * sizeof(Entry))
        if entries == NULL:
            return False
        self.entries = entries
        self.capacity = size
    if n > self.pool_capacity - self.pool_length:
        if self.pool_length + n > (MOST_POOL - 1024) // 2:
            return False
        size = 2 * (self.pool_length + n) + 1024
        pool = <uint8_t*> realloc(self.pool, size)
        if pool == NULL:
            return False
        self.pool = pool
        self.pool_capacity = size
    if 2 * self.n >= <Py_ssize_t> self.mask and not make_table(self, 2 * (<Py_ssize_t> self.mask + 1)):
        return False
    place = hash & self.mask
    while self.slots[place]:
        place = (place + 1) & self.mask
    memcpy(self.pool + self.pool_length, p, n)
    self.entries[self.n] = Entry(hash, mark, count, <uint32_t> self.pool_length, <uint32_t> n)
    self.pool_length += n
    self.n += 1
    self.slots[place] = <uint32_t> self.n
    if mark <= self.limit:
        self.sampled += 1
        self.sampled_bytes += n
        if self.sampled > self.most_texts or self.sampled_bytes > self.most_bytes:
            return make_room(self)
    elif self.n - self.sampled > MOST_FREQUENT:
        return make_room(self)
    return True


cdef bint add_text(Summary self, const uint8_t* p, Py_ssize_t n, uint64_t hash, int64_t count) noexcept nogil:
    cdef uint64_t place = hash & self.mask, mark
    cdef Entry* entry = NULL
    while self.slots[place]:
        entry = self.entries + self.slots[place] - 1
        if entry.hash == hash and entry.length == n and memcmp(self.pool + entry.offset, p, n) == 0:
            entry.count += count
            if self.sketch != NULL:
                count_in_sketch(self, entry.mark, count)
            return True
        place = (place + 1) & self.mask
    mark = hash_bytes(&fixed_key, p, n)
    if self.sketch != NULL:
        count_in_sketch(self, mark, count)
        if mark > self.limit and estimate(self, mark) < least_of(self):
            return True
    return insert(self, p, n, hash, mark, count)


cdef inline const int64_t* bounds_of(const ColumnBuffers* column) noexcept nogil:
    return <const int64_t*> column.slots


# Texts of rows one after the other are often the same.
cdef bint add_batch(Summary self, Batch batch, Batch routes, Summary known) noexcept nogil:
    cdef const ColumnBuffers* column = &batch.columns[0]
    cdef const ColumnBuffers* other = NULL
    cdef const int64_t* bounds = bounds_of(column)
    cdef const uint8_t* valid = NULL
    cdef const uint8_t* p
    cdef const uint8_t* mark
    cdef Py_ssize_t row, n
    if routes is not None:
        other = &routes.columns[0]
        valid = validity_of(routes, other)
    for row in range(batch.length):
        if not has_bit(batch.validity, row):
            continue
        if other != NULL and has_bit(valid, row):
            p = other.data + bounds_of(other)[row]
            n = bounds_of(other)[row + 1] - bounds_of(other)[row]
            known.total += 1
            if not add_text(known, p, n, hash_bytes(&table_key, p, n), 1):
                return False
            continue
        n = bounds[row + 1] - bounds[row]
        if n == 0:
            self.without_host += 1
            continue
        p = column.data + bounds[row]
        self.total += 1
        mark = <const uint8_t*> memchr(p, MARK, n)
        if mark != NULL:
            if self.marked is not None:
                self.marked.total += 1
                if not add_text(self.marked, p, n, hash_bytes(&table_key, p, n), 1):
                    return False
            n = mark - p
        if not add_text(self, p, n, hash_bytes(&table_key, p, n), 1):
            return False
    return True
