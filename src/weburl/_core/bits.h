/* Bits of words, and a hint for the cache. */
#ifndef WEBURL_BITS_H
#define WEBURL_BITS_H

#include <stdint.h>
#include <string.h>

/* Microsoft's compiler, and not Clang in its place, which has what GCC has. */
#if defined(_MSC_VER) && !defined(__clang__)
#define IS_MSVC 1
#include <intrin.h>
#else
#define IS_MSVC 0
#endif

/* Memory that is soon read; the address may be beyond it. */
static inline void prefetch(const void *address)
{
#if IS_MSVC
    (void)address;
#else
    __builtin_prefetch(address);
#endif
}

/* Of a word that is not 0. */
static inline unsigned lowest_bit(uint64_t mask)
{
#if IS_MSVC
    unsigned long index;
    _BitScanForward64(&index, mask);
    return index;
#else
    return (unsigned)__builtin_ctzll(mask);
#endif
}

static inline unsigned highest_bit(uint64_t mask)
{
#if IS_MSVC
    unsigned long index;
    _BitScanReverse64(&index, mask);
    return index;
#else
    return 63 ^ (unsigned)__builtin_clzll(mask);
#endif
}

/* One bit for each byte, of a mask that has four bits for each. */
static inline uint64_t every_fourth(uint64_t mask)
{
    mask &= 0x1111111111111111;
    mask = (mask | mask >> 3) & 0x0303030303030303;
    mask = (mask | mask >> 6) & 0x000F000F000F000F;
    mask = (mask | mask >> 12) & 0x000000FF000000FF;
    return (mask | mask >> 24) & 0xFFFF;
}

/* Which of 8 bytes are dots: a bit for each, the lowest for the first. */
static inline uint64_t dots_of_8(const uint8_t *p)
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7F;
    uint64_t word;
    memcpy(&word, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    word ^= 0x2E2E2E2E2E2E2E2E;
    word = ~(((word & low) + low) | word | low);
    return (word >> 7) * 0x0102040810204080 >> 56;
}

/* Both halves of a product, one over the other. */
static inline uint64_t folded_product(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    const uint64_t low = 0xFFFFFFFF;
    uint64_t middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
    uint64_t other = (a & low) * (b >> 32) + (middle & low);
    return a * b ^ ((a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32));
#endif
}
#endif
