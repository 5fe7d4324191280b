# A part of policy.pyx: BLAKE2b, https://www.rfc-editor.org/rfc/rfc7693

cdef enum:
    BLOCK = 128
    ROUNDS = 12

cdef uint64_t[8] IV = [
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
]

# Message words of a round; that of round 10 is that of round 0 again.
cdef uint8_t[160] SIGMA = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
    11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
    7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
    9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
    2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
    12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
    13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
    6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
    10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
]


cdef inline uint64_t rotate(uint64_t x, int n) noexcept nogil:
    return x >> n | x << (64 - n)


cdef inline void mix(uint64_t* v, int a, int b, int c, int d, uint64_t x, uint64_t y) noexcept nogil:
    v[a] = v[a] + v[b] + x
    v[d] = rotate(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d]
    v[b] = rotate(v[b] ^ v[c], 24)
    v[a] = v[a] + v[b] + y
    v[d] = rotate(v[d] ^ v[a], 16)
    v[c] = v[c] + v[d]
    v[b] = rotate(v[b] ^ v[c], 63)


cdef void compress(uint64_t* h, const uint8_t* block, uint64_t counted, bint last) noexcept nogil:
    cdef uint64_t[16] v
    cdef uint64_t[16] m
    cdef const uint8_t* s
    cdef int i, j
    for i in range(16):
        m[i] = 0
        for j in range(8):
            m[i] |= <uint64_t> block[8 * i + j] << 8 * j
    for i in range(8):
        v[i] = h[i]
        v[i + 8] = IV[i]
    v[12] ^= counted
    if last:
        v[14] = ~v[14]
    for i in range(ROUNDS):
        s = &SIGMA[16 * (i % 10)]
        mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]])
        mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]])
        mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]])
        mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]])
        mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]])
        mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]])
        mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]])
        mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]])
    for i in range(8):
        h[i] ^= v[i] ^ v[i + 8]


cdef void blake2b(uint64_t* h, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[BLOCK] block
    cdef Py_ssize_t i = 0
    memcpy(h, IV, sizeof(IV))
    # Digest of 64 bytes, no key, no tree.
    h[0] ^= 0x01010040
    while n - i > BLOCK:
        i += BLOCK
        compress(h, p + i - BLOCK, i, False)
    memset(block, 0, BLOCK)
    memcpy(block, p + i, n - i)
    compress(h, block, n, True)


cdef void open_key(uint64_t* keyed, const uint8_t* key, Py_ssize_t n) noexcept nogil:
    cdef uint8_t[BLOCK] block
    memcpy(keyed, IV, sizeof(IV))
    keyed[0] ^= 0x01010008 ^ <uint64_t> n << 8
    memset(block, 0, BLOCK)
    memcpy(block, key, n)
    compress(keyed, block, BLOCK, False)


cdef uint64_t keyed_hash(const uint64_t* keyed, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t[8] h
    cdef uint8_t[BLOCK] block
    cdef Py_ssize_t i = 0, filled = 0
    # The key is a block, too.
    cdef uint64_t counted = BLOCK
    memcpy(h, keyed, sizeof(h))
    while i < n:
        if filled == BLOCK:
            counted += BLOCK
            compress(h, block, counted, False)
            filled = 0
        if is_escape(p, i, n):
            block[filled] = escaped_byte(p, i)
            i += 3
        else:
            block[filled] = p[i]
            i += 1
        filled += 1
    memset(block + filled, 0, BLOCK - filled)
    compress(h, block, counted + filled, True)
    return h[0]


def digest(data: bytes):
    """What hashlib.blake2b(data).digest() gives."""
    cdef uint64_t[8] h
    cdef int i
    blake2b(h, <const uint8_t*> <char*> data, len(data))
    return b"".join([h[i].to_bytes(8, "little") for i in range(8)])
