# The seeded hashes of hash.h, for tables of texts that other people choose. draw_key() makes the key of a table.

from libc.stdint cimport uint8_t, uint64_t

cdef extern from "hash.h" nogil:
    ctypedef struct HashKey:
        uint64_t[3] words

    # The hash of a text, or of two words.
    uint64_t hash_bytes(const HashKey* key, const uint8_t* p, size_t n)
    uint64_t hash_pair(const HashKey* key, uint64_t one, uint64_t other)

    # The hash of a path of texts, from that of the path before, or of numbers.
    uint64_t extend_hash(uint64_t hash, const uint8_t* p, size_t n)
    uint64_t hash_step(uint64_t hash, uint64_t word)

    # At most 8 bytes as a word, another one for each text of this length.
    uint64_t short_word(const uint8_t* p, size_t n)


cdef inline int draw_words(uint64_t* words, int count) except -1:
    from os import urandom

    cdef int i
    for i in range(count):
        words[i] = <uint64_t> int.from_bytes(urandom(8), "little")
    return 0


cdef inline int draw_key(HashKey* key) except -1:
    return draw_words(key.words, 3)
