/* Where a URL can begin in a text, by the width of a vector. Guarded by tests/test_text_model.py. */
#ifndef WEBURL_FIND_H
#define WEBURL_FIND_H

#include "bits.h"
#include "scan.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define FIND_WIDTH 16
#define FIND_VECTOR __m128i
#define FIND_LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define FIND_BYTES(c) _mm_set1_epi8((char)(c))
#define FIND_EQUAL(v, w) _mm_cmpeq_epi8(v, w)
#define FIND_AND(v, w) _mm_and_si128(v, w)
#define FIND_OR(v, w) _mm_or_si128(v, w)
#define FIND_MASK(v) ((uint64_t)(unsigned)_mm_movemask_epi8(v))
#define FIND_BITS 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define FIND_WIDTH 16
#define FIND_VECTOR uint8x16_t
#define FIND_LOAD(p) vld1q_u8(p)
#define FIND_BYTES(c) vdupq_n_u8(c)
#define FIND_EQUAL(v, w) vceqq_u8(v, w)
#define FIND_AND(v, w) vandq_u8(v, w)
#define FIND_OR(v, w) vorrq_u8(v, w)
#define FIND_MASK(v) vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)), 0)
#define FIND_BITS 4
#endif

/* What follows a colon where a URL can begin: a solidus, or one of two other bytes. */
static inline int is_url_mark(const uint8_t *p, uint8_t second, uint8_t third)
{
    if (p[0] == ':')
        return p[1] == '/' || p[1] == second || p[1] == third;
    return (p[0] | 0x20) == 'w' && (p[1] | 0x20) == 'w';
}

#if defined(FIND_WIDTH)
static inline FIND_VECTOR url_marks(const uint8_t *p, uint8_t second, uint8_t third)
{
    const FIND_VECTOR first = FIND_LOAD(p), next = FIND_LOAD(p + 1), lower = FIND_BYTES(0x20), w = FIND_BYTES('w');
    FIND_VECTOR slashes = FIND_OR(FIND_EQUAL(next, FIND_BYTES('/')), FIND_EQUAL(next, FIND_BYTES(second)));
    slashes = FIND_OR(slashes, FIND_EQUAL(next, FIND_BYTES(third)));
    return FIND_OR(FIND_AND(FIND_EQUAL(first, FIND_BYTES(':')), slashes),
                   FIND_AND(FIND_EQUAL(FIND_OR(first, lower), w), FIND_EQUAL(FIND_OR(next, lower), w)));
}
#endif

/* The first index from i on of a colon with one of these bytes after it, or of two w in any case; else n. */
static inline ptrdiff_t find_url_mark(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint8_t second, uint8_t third)
{
#if defined(FIND_WIDTH)
    while (n - i > 2 * FIND_WIDTH) {
        FIND_VECTOR low = url_marks(p + i, second, third), high = url_marks(p + i + FIND_WIDTH, second, third);
        if (FIND_MASK(FIND_OR(low, high))) {
            uint64_t mask = FIND_MASK(low);
            if (mask)
                return i + lowest_bit(mask) / FIND_BITS;
            return i + FIND_WIDTH + lowest_bit(FIND_MASK(high)) / FIND_BITS;
        }
        i += 2 * FIND_WIDTH;
    }
#endif
    for (; i + 1 < n; i++)
        if (is_url_mark(p + i, second, third))
            return i;
    return n;
}
#endif
