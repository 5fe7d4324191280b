"""Sets of hosts: the entries that users give, and which of them a host is under."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

from weburl._core.buffer cimport MOST_POOL, PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.host cimport (
    HOST_DOMAIN, HOST_EMPTY, HOST_IPV4, HOST_IPV6, HOST_OPAQUE, HostType, has_empty_label,
)
from weburl._core.arguments import need_iterable, need_path, wrong_type
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, Utf8Text, close_utf8, open_utf8, utf8_text,
)
from weburl._core.record cimport HOSTNAME, Record, Span, span
from weburl._core.status cimport OK, TOO_LONG, Status
from weburl._core.texts cimport parse_any_host
from weburl._parsed cimport ParsedURL, snapshot
from weburl.url cimport is_url

cdef extern from "bits.h":
    void prefetch(const void* address) noexcept nogil

from os import urandom

from weburl._core.host import HOST_TYPE_NAMES
from weburl._hosts.arguments import host_of
from weburl._hosts.schemes import WEB_SCHEMES, parse_schemes

# The kinds of entries, and what else is in the pool besides names and texts, which have no control characters.
cdef enum:
    ALL = 1                     # a domain, and all below it
    BELOW = 2                   # all below a domain
    ALONE = 3                   # a domain
    ADDRESS = 4
    AFTER_NAME = 9              # a tab
    END = 10                    # a newline

cdef enum:
    FEWEST_SLOTS = 8


# The hash of a name is a polynomial of its bytes, from the last to the first, modulo 2**31 - 1, at a point that nobody
# knows. So two names collide with a probability of at most their length in 2**29, whoever chose them; and the hash of a
# name is a step towards those of the names below it. The last multiplication spreads neighbours over the slots.
cdef uint64_t[2] keys

cdef int draw_keys() except -1:
    keys[0] = int.from_bytes(urandom(4), "little") >> 3 | 1 << 29
    keys[1] = int.from_bytes(urandom(8), "little") | 1
    return 0

draw_keys()


# A state is below 2**33.
cdef inline uint64_t hash_byte(uint64_t state, uint8_t c) noexcept nogil:
    state = state * keys[0] + c
    return (state & 0x7FFFFFFF) + (state >> 31)


cdef inline uint32_t end_hash(uint64_t state) noexcept nogil:
    return <uint32_t> (state * keys[1] >> 32)


# Low bits, as high ones say which slot is the first.
cdef inline uint8_t tag_of(uint32_t hash) noexcept nogil:
    return <uint8_t> hash or 1


cdef inline Py_ssize_t first_slot(const HostTable* self, uint32_t hash) noexcept nogil:
    return <Py_ssize_t> (<uint64_t> hash * <uint64_t> self.size >> 32)


cdef inline Py_ssize_t next_slot(const HostTable* self, Py_ssize_t slot) noexcept nogil:
    return slot + 1 if slot + 1 < self.size else 0


cdef inline uint32_t hash_name(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t state = 1
    while n:
        n -= 1
        state = hash_byte(state, p[n])
    return end_hash(state)


# Whether an entry of this kind is for a name; if `whole` is false, for the names below it.
cdef inline bint is_for(uint8_t kind, bint whole) noexcept nogil:
    return kind == ALL or (kind != BELOW if whole else kind == BELOW)


cdef inline bint is_name(const HostTable* self, Py_ssize_t at, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    # A name does not have the bytes that come after one.
    return n < self.length - at and memcmp(self.pool + at, p, n) == 0 and self.pool[at + n] <= END


# The entry for a name of this hash: one for exactly this is more specific than one for the name and all below it.
cdef Py_ssize_t find_exactly(
    const HostTable* self, uint32_t hash, const uint8_t* p, Py_ssize_t n, bint whole
) noexcept nogil:
    cdef Py_ssize_t slot = first_slot(self, hash), at, entry = -1
    while self.tags[slot]:
        if self.slots[slot].hash == hash:
            at = self.slots[slot].offset
            if is_for(self.pool[at - 1], whole) and is_name(self, at, p, n):
                if self.pool[at - 1] != ALL:
                    return at
                entry = at
        slot = next_slot(self, slot)
    return entry


# Whether an entry with the hash is of a kind that counts.
cdef inline bint has_candidate(const HostTable* self, uint32_t hash, bint whole) noexcept nogil:
    cdef Py_ssize_t slot = first_slot(self, hash)
    cdef uint8_t wanted = tag_of(hash)
    while self.tags[slot]:
        if (
            self.tags[slot] == wanted and self.slots[slot].hash == hash
            and is_for(self.pool[self.slots[slot].offset - 1], whole)
        ):
            return True
        slot = next_slot(self, slot)
    return False


# Loads what has_candidate() looks at, so that it comes while the next name is hashed: of a large table, it is in no cache.
cdef inline void prefetch_slot(const HostTable* self, uint32_t hash) noexcept nogil:
    cdef Py_ssize_t slot = first_slot(self, hash)
    prefetch(self.tags + slot)
    prefetch(self.slots + slot)


# Names are compared only when all are hashed, and the longest first: otherwise entries that each end with the next would
# make this quadratic.
cdef Py_ssize_t find_name(const HostTable* self, const uint8_t* p, Py_ssize_t n, bint is_domain) noexcept nogil:
    cdef Py_ssize_t i, last, longest = -1, shortest = 0, entry
    cdef uint64_t state
    cdef uint32_t hash, last_hash = 0, longest_hash = 0
    if not self.count:
        return -1
    if not is_domain:
        return find_exactly(self, hash_name(p, n), p, n, True)
    while True:
        state = 1
        i = n
        last = -1
        while i > shortest:
            i -= 1
            state = hash_byte(state, p[i])
            if i == 0 or p[i - 1] == c'.':
                hash = end_hash(state)
                prefetch_slot(self, hash)
                if last >= 0 and has_candidate(self, last_hash, False):
                    longest = last
                    longest_hash = last_hash
                last = i
                last_hash = hash
        if last >= 0 and has_candidate(self, last_hash, last == 0):
            longest = last
            longest_hash = last_hash
        if longest < 0:
            return -1
        entry = find_exactly(self, longest_hash, p + longest, n - longest, longest == 0)
        if entry >= 0:
            return entry
        # Another name has that hash. That is rare.
        shortest = longest + 1
        longest = -1


cdef Py_ssize_t find_host(const HostTable* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    if host_type == HOST_DOMAIN:
        # One trailing dot makes no difference.
        return find_name(self, p, n - 1 if n and p[n - 1] == c'.' else n, True)
    return find_name(self, p, n, False) if host_type == HOST_IPV4 or host_type == HOST_IPV6 else -1


# What functions about hosts are given.

cdef object read_host(ParsedHost* self, object host, str for_urls):
    cdef Utf8Text text
    cdef str name
    cdef Status status
    if isinstance(host, str):
        open_utf8(&text, host)
        try:
            status = parse_any_host(&self.out, text.data, text.length, False, &self.host_type)
        finally:
            close_utf8(&text)
        if status == OK:
            self.data = self.out.data
            self.length = self.out.length
            return None
    elif is_url(host):
        return read_url(self, <ParsedURL> host)
    # A text that is not a host raises.
    value = host_of(host, for_urls)
    name = str(value)
    if not PyUnicode_IS_ASCII(name):
        raise ValueError("the serialization of a Host is in ASCII")
    self.host_type = <HostType> <int> HOST_TYPE_NAMES.index(value.host_type)
    self.data = <const uint8_t*> PyUnicode_DATA(name)
    self.length = PyUnicode_GET_LENGTH(name)
    return name


cdef inline object read_url(ParsedHost* self, ParsedURL url):
    cdef Record record
    cdef str href = snapshot(url, &record)
    cdef Span host = span(&record, PyUnicode_GET_LENGTH(href), HOSTNAME)
    self.scheme_end = record.scheme_end
    self.host_type = <HostType> record.host_type
    self.data = <const uint8_t*> PyUnicode_DATA(href) + host.start
    self.length = host.end - host.start
    return href


cdef int read_in_http(ParsedHost* self) except -1:
    cdef HostType host_type = HOST_EMPTY
    if self.host_type == HOST_OPAQUE and parse_any_host(&self.out, self.data, self.length, False, &host_type) == OK:
        self.host_type = host_type
        self.data = self.out.data
        self.length = self.out.length
    return 0


# Tables.

cdef void close_table(HostTable* self) noexcept nogil:
    free(self.pool)
    free(self.tags)
    free(self.slots)
    self.pool = self.tags = NULL
    self.slots = NULL
    self.length = self.size = self.count = 0


# The length of the name at a place, and of the line from there, with its end.
cdef inline Py_ssize_t name_length(const HostTable* self, Py_ssize_t at) noexcept nogil:
    cdef Py_ssize_t n = 0
    while self.pool[at + n] > END:
        n += 1
    return n


cdef inline Py_ssize_t line_length(const HostTable* self, Py_ssize_t at) noexcept nogil:
    return <uint8_t*> memchr(self.pool + at, END, self.length - at) - (self.pool + at) + 1


# Puts the lines into slots, and removes those whose kind and name an earlier one has.
cdef void fill_slots(HostTable* self) noexcept nogil:
    cdef Py_ssize_t begin = 0, end, to = 0, n, slot, at
    cdef uint32_t hash
    cdef bint is_there
    self.count = 0
    while begin < self.length:
        end = begin + line_length(self, begin)
        n = name_length(self, begin + 1)
        hash = hash_name(self.pool + begin + 1, n)
        slot = first_slot(self, hash)
        is_there = False
        while self.tags[slot] and not is_there:
            at = self.slots[slot].offset
            is_there = (
                self.slots[slot].hash == hash and self.pool[at - 1] == self.pool[begin]
                and is_name(self, at, self.pool + begin + 1, n)
            )
            slot = next_slot(self, slot)
        if not is_there:
            self.tags[slot] = tag_of(hash)
            self.slots[slot].hash = hash
            self.slots[slot].offset = <uint32_t> (to + 1)
            if to != begin:
                memmove(self.pool + to, self.pool + begin, end - begin)
            to += end - begin
            self.count += 1
        begin = end
    self.length = to


# A failure leaves the pool larger than it must be.
cdef void shrink_pool(HostTable* self) noexcept nogil:
    cdef uint8_t* pool = <uint8_t*> realloc(self.pool, max(self.length, 1))
    if pool != NULL:
        self.pool = pool


# Takes the lines for the pool; false without memory.
cdef bint take_lines(HostTable* self, Buffer* lines) noexcept nogil:
    self.length = lines.length
    if lines.data == lines.scratch:
        self.pool = <uint8_t*> malloc(max(self.length, 1))
        if self.pool == NULL:
            return False
        memcpy(self.pool, lines.data, self.length)
        lines.length = 0
    else:
        self.pool = lines.data
        start(lines, lines.scratch, lines.scratch_size, lines.limit)
        shrink_pool(self)
    return True


# Makes a table of the lines in its pool. Half of its slots are free.
cdef bint open_table(HostTable* self, Py_ssize_t count) noexcept nogil:
    while True:
        self.size = max(2 * count, FEWEST_SLOTS)
        self.tags = <uint8_t*> calloc(self.size, 1)
        self.slots = <Slot*> malloc(self.size * sizeof(Slot))
        if self.tags == NULL or self.slots == NULL:
            return False
        fill_slots(self)
        if self.count == count:
            return True
        # The table is smaller without the lines that were there twice.
        count = self.count
        free(self.tags)
        free(self.slots)
        self.tags = NULL
        self.slots = NULL
        shrink_pool(self)


cdef int raise_for_lines(Buffer* lines) except -1:
    if lines.status == TOO_LONG:
        raise ValueError("the hosts are longer than 4 GiB")
    if lines.status:
        raise MemoryError
    return 0


cdef int open_names(HostTable* self, object names) except -1:
    cdef uint8_t[512] scratch
    cdef Buffer lines
    cdef bytes name
    start(&lines, scratch, sizeof(scratch), MOST_POOL)
    try:
        for name in names:
            push_line(&lines, ALONE, <const uint8_t*> <const char*> name, len(name), NULL, 0)
        raise_for_lines(&lines)
        if not (take_lines(self, &lines) and open_table(self, len(names))):
            raise MemoryError
    finally:
        release(&lines)
    return 0


# Entries.

cdef void push_line(
    Buffer* lines, uint8_t kind, const uint8_t* name, Py_ssize_t n, const uint8_t* text, Py_ssize_t length
) noexcept nogil:
    push(lines, kind)
    push_run(lines, name, n)
    if length:
        push(lines, AFTER_NAME)
        push_run(lines, text, length)
    push(lines, END)


cdef inline Py_ssize_t prefix_length(uint8_t kind) noexcept nogil:
    return 2 if kind == BELOW else kind == ALONE


# What stands before the name in the text of an entry.
cdef inline void push_prefix(Buffer* out, uint8_t kind) noexcept nogil:
    if kind == BELOW:
        push_run(out, <const uint8_t*> b"*.", 2)
    elif kind == ALONE:
        push(out, c'=')


# Pushes the line of an entry whose host has this serialization.
cdef int push_parsed(
    Buffer* lines, object entry, const Utf8Text* text, uint8_t kind, HostType host_type, const uint8_t* p, Py_ssize_t n
) except -1:
    cdef Py_ssize_t prefix = prefix_length(kind)
    cdef bint is_domain = host_type == HOST_DOMAIN
    if is_domain and p[n - 1] == c'.':
        n -= 1
    if n == 0 or (kind == BELOW and not is_domain):
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"no host is below {shown_argument(str.__str__(entry)[prefix:])}")
    if is_domain and (has_empty_label(p, n) or memchr(p, c'*', n) != NULL):
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"an entry is a host, *. and a domain, or = and a host, not {shown_argument(entry)}")
    if not is_domain:
        kind = ADDRESS
    if prefix == prefix_length(kind) and text.length == prefix + n and memcmp(text.data + prefix, p, n) == 0:
        push_line(lines, kind, p, n, NULL, 0)
    else:
        push_line(lines, kind, p, n, text.data, text.length)
    return 0


cdef int push_entry(Buffer* lines, object entry) except -1:
    cdef Utf8Text text
    cdef ParsedHost host
    cdef uint8_t kind = ALL
    cdef Py_ssize_t prefix
    cdef object owner
    if not isinstance(entry, str):
        raise wrong_type(entry, "an entry must be a str")
    open_utf8(&text, entry)
    start_host(&host)
    try:
        if text.length and text.data[0] == c'=':
            kind = ALONE
        elif text.length > 1 and text.data[0] == c'*' and text.data[1] == c'.':
            kind = BELOW
        prefix = prefix_length(kind)
        owner = read_host(&host, str.__str__(entry)[prefix:] if prefix else entry, "its host alone")
        return push_parsed(lines, entry, &text, kind, host.host_type, host.data, host.length)
    finally:
        close_host(&host)
        close_utf8(&text)


@cython.final
cdef class Entries:
    """The entries of a set that is being made."""

    cdef Buffer lines
    cdef uint8_t[512] scratch
    cdef Py_ssize_t count

    def __cinit__(self):
        start(&self.lines, self.scratch, sizeof(self.scratch), MOST_POOL)

    def __dealloc__(self):
        release(&self.lines)

    def add(self, entry):
        """Adds an entry; ValueError if it is not one."""
        push_entry(&self.lines, entry)
        raise_for_lines(&self.lines)
        self.count += 1


cdef int open_entries(HostTable* self, Entries entries) except -1:
    cdef bint is_open = take_lines(self, &entries.lines)
    cdef Py_ssize_t count = entries.count
    with nogil:
        is_open = is_open and open_table(self, count)
    if not is_open:
        raise MemoryError
    return 0


# The text of the entry whose name is at a place, as it was given.
cdef void push_text(Buffer* out, const HostTable* self, Py_ssize_t at) noexcept nogil:
    cdef Py_ssize_t n = name_length(self, at)
    if self.pool[at + n] == AFTER_NAME:
        push_run(out, self.pool + at + n + 1, line_length(self, at) - n - 2)
    else:
        push_prefix(out, self.pool[at - 1])
        push_run(out, self.pool + at, n)


cdef str text_at(const HostTable* self, Py_ssize_t at):
    cdef uint8_t[512] scratch
    cdef Buffer out
    start(&out, scratch, sizeof(scratch), MOST_POOL)
    try:
        push_text(&out, self, at)
        if out.status:
            raise MemoryError
        return utf8_text(out.data, out.length)
    finally:
        release(&out)


cdef Py_ssize_t find(const HostTable* self, object host, const HostTable* schemes) except -2:
    cdef ParsedHost parsed
    cdef object owner
    start_host(&parsed)
    try:
        owner = read_host(&parsed, host, "URL(url)")
        if schemes != NULL and parsed.scheme_end:
            if find_name(schemes, <const uint8_t*> PyUnicode_DATA(owner), parsed.scheme_end, False) < 0:
                return -1
        read_in_http(&parsed)
        return find_host(self, parsed.host_type, parsed.data, parsed.length)
    finally:
        close_host(&parsed)


cdef HostTable web_schemes
open_names(&web_schemes, [scheme.encode() for scheme in WEB_SCHEMES])


@cython.final
cdef class HostSet:
    """HostSet(entries=())\n--\n

    A set of hosts that answers as fast for a million entries as for one; it cannot be changed.

    >>> blocked = HostSet(["example.com", "=tracker.example", "10.0.0.0"])
    >>> "ads.example.com" in blocked, "notexample.com" in blocked, "www.tracker.example" in blocked
    (True, False, False)

    An entry is a str: `example.com` is for that domain and all below it, `*.example.com` only for those below it, and
    `=example.com` for that domain alone; an address is for itself. Entries are parsed as hosts; InvalidURL is raised for
    one that is not a host, ValueError for one with a star elsewhere or an empty label.

    `host in hosts` is true if there is an entry for the host: a str, which is parsed as a host, a `Host`, an address of
    the ipaddress module, or a `URL` whose scheme is http, https, ws or wss: see `match`.

    The length is the number of entries, which iteration gives as they were given, in that order; of those that mean the
    same, the first. Sets are equal if their entries mean the same.
    """

    def __cinit__(self, entries=()):
        cdef Entries added = Entries()
        if isinstance(entries, str):
            entries = (entries,)
        for entry in need_iterable(entries, "entries must be hosts"):
            added.add(entry)
        open_entries(&self.table, added)

    def __dealloc__(self):
        close_table(&self.table)

    @staticmethod
    def read(path, *, on_skip=None):
        """read(path, *, on_skip=None)\n--\n

        Reads the hosts of a file: a blocklist, or an entry in each line.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "blocklist.txt")
        ...     _ = file.write_text("# ads\\n0.0.0.0 ads.example banner.example\\n||track.example^\\n")
        ...     list(HostSet.read(file))
        ['=ads.example', '=banner.example', 'track.example']

        A line is an entry; or an address and names, as in /etc/hosts, where each name is meant alone (`=name`); or a
        rule for a whole domain in the format of Adblock, `||example.com^`, which is the entry `example.com`. What follows
        `#` is a comment, and so is a line that begins with `!`. Names of the machine itself, as in `127.0.0.1 localhost`,
        are left out.

        Any other line, such as a rule with options or an exception, raises ValueError with the number of the line.
        If `on_skip` is given, it is called instead with a `SkippedLine`, and the line is skipped.
        """
        from weburl._hosts.host_files import read_file

        need_path(path, "path must be a str or a path")
        cdef Entries added = Entries()
        cdef HostSet self = HostSet()
        read_file(path, added.add, on_skip)
        close_table(&self.table)
        open_entries(&self.table, added)
        return self

    def match(self, host, *, schemes=WEB_SCHEMES):
        """match($self, host, *, schemes=("http", "https", "ws", "wss"))\n--\n

        The entry that matches a host, as you wrote it, or None.

        >>> HostSet(["example.com", "*.shop.example.com"]).match("eu.shop.example.com")
        '*.shop.example.com'

        If several entries match, this is the most specific one. That is the entry with the longest name. `=name` and
        `*.name` are more specific than `name`.

        If you pass a URL, it matches only if its scheme is one of `schemes`. With `schemes=None`, any scheme matches:
        use this for a blocklist. The host of a URL that is not special, such as ssh://h/, is read as in an http URL.
        """
        cdef HostTable looked_at
        cdef Py_ssize_t at
        if schemes is None or schemes is WEB_SCHEMES:
            at = find(&self.table, host, NULL if schemes is None else &web_schemes)
        else:
            names = [scheme.encode() for scheme in parse_schemes(schemes)]
            memset(&looked_at, 0, sizeof(looked_at))
            try:
                open_names(&looked_at, names)
                at = find(&self.table, host, &looked_at)
            finally:
                close_table(&looked_at)
        return None if at < 0 else text_at(&self.table, at)

    def __contains__(self, host):
        return find(&self.table, host, &web_schemes) >= 0

    def __len__(self):
        return self.table.count

    def __iter__(self):
        cdef Iterator iterator = Iterator()
        iterator.hosts = self
        iterator.at = 1
        return iterator

    def __repr__(self):
        return f"<HostSet: {self.table.count} {'entry' if self.table.count == 1 else 'entries'}>"

    def __eq__(self, other):
        if type(other) is not HostSet:
            return NotImplemented
        return self is other or is_equal(&self.table, &(<HostSet> other).table)

    def __hash__(self):
        with cython.critical_section(self):
            if self.hash == 0:
                self.hash = hash_table(&self.table)
            return self.hash

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return restore_host_set, (all_texts(&self.table),)


@cython.final
cdef class Iterator:
    """The entries of a set, one after the other."""

    cdef HostSet hosts
    cdef Py_ssize_t at

    def __iter__(self):
        return self

    def __next__(self):
        cdef const HostTable* table = &self.hosts.table
        cdef Py_ssize_t at
        with cython.critical_section(self):
            at = self.at
            if at >= table.length:
                raise StopIteration
            self.at = at + line_length(table, at) + 1
        return text_at(table, at)


cdef bint is_equal(const HostTable* self, const HostTable* other) noexcept nogil:
    cdef Py_ssize_t at = 1, n, entry, slot
    cdef uint32_t hash
    if self.count != other.count:
        return False
    while at < self.length:
        n = name_length(self, at)
        hash = hash_name(self.pool + at, n)
        slot = first_slot(other, hash)
        while True:
            if not other.tags[slot]:
                return False
            entry = other.slots[slot].offset
            if (
                other.slots[slot].hash == hash and other.pool[entry - 1] == self.pool[at - 1]
                and is_name(other, entry, self.pool + at, n)
            ):
                break
            slot = next_slot(other, slot)
        at += line_length(self, at) + 1
    return True


# The order of the entries makes no difference.
cdef Py_hash_t hash_table(const HostTable* self) noexcept nogil:
    cdef Py_ssize_t at = 1
    cdef uint64_t sum = <uint64_t> self.count, mixed
    while at < self.length:
        mixed = (<uint64_t> hash_name(self.pool + at, name_length(self, at)) << 8 | self.pool[at - 1]) * keys[1]
        sum += mixed ^ mixed >> 29
        at += line_length(self, at) + 1
    return <Py_hash_t> (sum >> 1) | 1


# A line for each entry.
cdef str all_texts(const HostTable* self):
    cdef uint8_t[512] scratch
    cdef Buffer out
    cdef Py_ssize_t at = 1
    scratch[0] = 0  # GCC would warn
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        while at < self.length:
            push_text(&out, self, at)
            push(&out, END)
            at += line_length(self, at) + 1
        if out.status:
            raise MemoryError
        return utf8_text(out.data, out.length)
    finally:
        release(&out)


def restore_host_set(text):
    """Makes a HostSet from its pickle."""
    from io import StringIO

    cdef Entries added = Entries()
    cdef HostSet self = HostSet()
    for line in StringIO(text, "\n"):
        added.add(line.removesuffix("\n"))
    close_table(&self.table)
    open_entries(&self.table, added)
    return self


restore_host_set.__module__ = "weburl.hosts"


cdef HostSet host_set_of(object hosts):
    return <HostSet> hosts if type(hosts) is HostSet else HostSet(need_iterable(hosts, "hosts must be a HostSet or entries"))
