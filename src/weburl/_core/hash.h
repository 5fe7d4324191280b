/* Hashes of bytes for tables whose texts others choose: nobody can choose texts that collide, as nobody knows the key. */
#ifndef WEBURL_HASH_H
#define WEBURL_HASH_H

#include "bits.h"

/* Random words. */
typedef struct {
    uint64_t words[3];
} HashKey;

static inline uint64_t load_8(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

static inline uint64_t load_4(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, 4);
    return word;
}

/* At most 8 bytes as a word, which is another one for each text of this length. The two halves may overlap. */
static inline uint64_t short_word(const uint8_t *p, size_t n)
{
    if (n >= 4)
        return load_4(p) | load_4(p + n - 4) << 32;
    return n ? p[0] | (uint64_t)p[n >> 1] << 8 | (uint64_t)p[n - 1] << 16 : 0;
}

#define HASH_MULTIPLIER 6364136223846793005u /* of PCG's 64-bit generator */

/* Extends the hash of a path by a word; the first hash is a random word. The low half of the product alone has pairs of words
   that collide for half of all keys, and its low bits, which choose the place in a table, depend on few bits of a word. */
static inline uint64_t hash_step(uint64_t hash, uint64_t word)
{
    return folded_product(hash ^ word, HASH_MULTIPLIER);
}

/* The length is in the last multiplier, as two texts can have the same words. Added to the hash, it could be undone by a bit
   of a word. */
static inline uint64_t extend_hash(uint64_t hash, const uint8_t *p, size_t n)
{
    uint64_t multiplier = HASH_MULTIPLIER + 2 * (uint64_t)n;
    for (; n > 8; p += 8, n -= 8)
        hash = hash_step(hash, load_8(p));
    return folded_product(hash ^ short_word(p, n), multiplier);
}

static inline uint64_t hash_pair(const HashKey *key, uint64_t one, uint64_t other)
{
    return folded_product(one ^ key->words[0], other ^ key->words[1]);
}

static inline uint64_t hash_bytes(const HashKey *key, const uint8_t *p, size_t n)
{
    uint64_t hash = key->words[1], first = 0, last = 0, length = n;
    while (n > 16) {
        hash = folded_product(load_8(p) ^ key->words[0], load_8(p + 8) ^ hash);
        p += 16;
        n -= 16;
    }
    /* The two halves of what is left may overlap. */
    if (n >= 8) {
        first = load_8(p);
        last = load_8(p + n - 8);
    } else if (n >= 4) {
        first = load_4(p);
        last = load_4(p + n - 4);
    } else {
        first = short_word(p, n);
    }
    return folded_product(folded_product(first ^ key->words[0], last ^ hash) ^ length, key->words[2]);
}
#endif
