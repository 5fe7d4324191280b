"""Names that queries are searched for, all in one pass."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from weburl._core.percent cimport usv_text

cdef enum:
    MOST_KEYS = 1 << 20


cdef class QueryKeys:
    """QueryKeys(names)"""

    def __cinit__(self, tuple names not None):
        cdef Keys* keys = &self.keys
        cdef bytes text
        cdef Key* key
        cdef uint64_t slot, size = 4
        cdef int32_t number, count = <int32_t> min(len(names), MOST_KEYS)
        if len(names) > MOST_KEYS:
            raise ValueError(f"there are more than {MOST_KEYS} keys")
        while size < 2 * <uint64_t> count:
            size *= 2
        self.texts = [usv_text(name).encode() for name in names]
        if len(set(self.texts)) < count:
            raise ValueError("keys must be one or more names, each once")
        keys.keys = <Key*> calloc(count + 1, sizeof(Key))
        keys.slots = <int32_t*> malloc(size * sizeof(int32_t))
        if keys.keys == NULL or keys.slots == NULL:
            raise MemoryError
        memset(keys.slots, 0xFF, size * sizeof(int32_t))
        keys.mask = size - 1
        keys.count = count
        for number in range(count):
            text = self.texts[number]
            key = &keys.keys[number]
            key.text = <const uint8_t*> <const char*> text
            key.length = len(text)
            keys.lengths |= <uint64_t> 1 << (key.length & 63)
            keys.shortest = key.length if number == 0 else min(keys.shortest, key.length)
            slot = hash_name(key.text, key.length) & keys.mask
            while keys.slots[slot] >= 0:
                slot = slot + 1 & keys.mask
            keys.slots[slot] = number

    def __dealloc__(self):
        free(self.keys.keys)
        free(self.keys.slots)


cdef void set_only_key(Keys* self, Key* key, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    key.text = p
    key.length = n
    self.keys = key
    self.count = 1
    self.lengths = <uint64_t> 1 << (n & 63)
    self.shortest = n


cdef inline uint64_t mix(uint64_t hash, uint64_t word) noexcept nogil:
    hash = (hash ^ word) * <uint64_t> 0x9E3779B97F4A7C15
    return hash ^ hash >> 32


# Reads words, which may overlap: most names are short.
cdef inline uint64_t hash_name(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t hash = <uint64_t> n, word = 0
    cdef uint32_t first = 0, last = 0
    cdef Py_ssize_t i = 0
    if n >= 8:
        while i + 8 < n:
            memcpy(&word, p + i, 8)
            hash = mix(hash, word)
            i += 8
        memcpy(&word, p + n - 8, 8)
    elif n >= 4:
        memcpy(&first, p, 4)
        memcpy(&last, p + n - 4, 4)
        word = <uint64_t> first << 32 | last
    elif n:
        word = <uint64_t> p[0] << 16 | <uint64_t> p[n >> 1] << 8 | p[n - 1]
    return mix(hash, word)


cdef int32_t find_key(const Keys* self, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef const Key* key = self.keys
    cdef uint64_t slot
    if self.count == 1:
        return 0 if key.length == n and memcmp(key.text, p, n) == 0 else -1
    slot = hash_name(p, n) & self.mask
    while self.slots[slot] >= 0:
        key = &self.keys[self.slots[slot]]
        if key.length == n and memcmp(key.text, p, n) == 0:
            return self.slots[slot]
        slot = slot + 1 & self.mask
    return -1
