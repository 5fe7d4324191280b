/* Where something begins in a text that can be a secret, 64 bytes at a time. Guarded by tests/test_redact_text.py. */
#ifndef WEBURL_TRIGGERS_H
#define WEBURL_TRIGGERS_H

#include "bits.h"
#include "scan.h"

/* Three bytes begin a secret if the tables of these three have a common bit. A bit stands for some of the texts that are
   looked for, so that a few others are found, too. `low` and `high` are the same by halves of bytes. */
typedef struct {
    uint8_t exact[3][256];
    uint8_t low[3][16], high[3][16];
} Triggers;

static inline int follows_colon(uint8_t c)
{
    return c == '/' || c == '\\' || c == 'A';
}

static inline int is_trigger(const uint8_t *p, ptrdiff_t n, const Triggers *triggers)
{
    if (*p == '?' || *p == '#')
        return 1;
    if (n < 3)
        return 0;
    if (*p == ':')
        return follows_colon(p[1]);
    return (triggers->exact[0][p[0]] & triggers->exact[1][p[1]] & triggers->exact[2][p[2]]) != 0;
}

static uint64_t triggers_plain(const uint8_t *p, ptrdiff_t n, const Triggers *triggers)
{
    uint64_t found = 0;
    int k, end = n < 64 ? (int)n : 64;
    for (k = 0; k < end; k++)
        found |= (uint64_t)is_trigger(p + k, n - k, triggers) << k;
    return found;
}

#if defined(__SSE2__) || defined(_M_X64)
#if IS_MSVC
#define TRIGGERS_TARGET
#else
#define TRIGGERS_TARGET __attribute__((target("ssse3")))
#endif
#include <immintrin.h>
#define EQUAL_16(v, c) _mm_cmpeq_epi8(v, _mm_set1_epi8(c))
#define HALVES_16(v, k)                                                                                                \
    _mm_and_si128(_mm_shuffle_epi8(low[k], _mm_and_si128(v, _mm_set1_epi8(15))),                                       \
                  _mm_shuffle_epi8(high[k], _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15))))

/* Reads p[0:66]. */
static TRIGGERS_TARGET uint64_t triggers_vector(const uint8_t *p, const Triggers *triggers)
{
    __m128i low[3], high[3];
    uint64_t found = 0;
    int k;
    for (k = 0; k < 3; k++) {
        low[k] = _mm_loadu_si128((const __m128i *)triggers->low[k]);
        high[k] = _mm_loadu_si128((const __m128i *)triggers->high[k]);
    }
    for (k = 0; k < 64; k += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(p + k)), b = _mm_loadu_si128((const __m128i *)(p + k + 1));
        __m128i c = _mm_loadu_si128((const __m128i *)(p + k + 2));
        __m128i three = _mm_and_si128(_mm_and_si128(HALVES_16(a, 0), HALVES_16(b, 1)), HALVES_16(c, 2));
        __m128i marks = _mm_or_si128(EQUAL_16(a, '?'), EQUAL_16(a, '#'));
        __m128i colon = _mm_or_si128(EQUAL_16(b, '/'), _mm_or_si128(EQUAL_16(b, '\\'), EQUAL_16(b, 'A')));
        marks = _mm_or_si128(marks, _mm_and_si128(EQUAL_16(a, ':'), colon));
        three = _mm_andnot_si128(marks, _mm_cmpeq_epi8(three, _mm_setzero_si128()));
        found |= (uint64_t)(uint16_t)~_mm_movemask_epi8(three) << k;
    }
    return found;
}
#define HAS_TRIGGERS_VECTOR 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define EQUAL_16(v, c) vceqq_u8(v, vdupq_n_u8(c))
#define HALVES_16(v, k)                                                                                                \
    vandq_u8(vqtbl1q_u8(low[k], vandq_u8(v, vdupq_n_u8(15))), vqtbl1q_u8(high[k], vshrq_n_u8(v, 4)))

static uint64_t triggers_vector(const uint8_t *p, const Triggers *triggers)
{
    uint8x16_t low[3], high[3];
    uint64_t found = 0;
    int k;
    for (k = 0; k < 3; k++) {
        low[k] = vld1q_u8(triggers->low[k]);
        high[k] = vld1q_u8(triggers->high[k]);
    }
    for (k = 0; k < 64; k += 16) {
        uint8x16_t a = vld1q_u8(p + k), b = vld1q_u8(p + k + 1), c = vld1q_u8(p + k + 2), three, marks;
        uint64_t mask;
        three = vandq_u8(vandq_u8(HALVES_16(a, 0), HALVES_16(b, 1)), HALVES_16(c, 2));
        marks = vorrq_u8(EQUAL_16(b, '/'), vorrq_u8(EQUAL_16(b, '\\'), EQUAL_16(b, 'A')));
        marks = vandq_u8(EQUAL_16(a, ':'), marks);
        marks = vorrq_u8(marks, vorrq_u8(EQUAL_16(a, '?'), EQUAL_16(a, '#')));
        marks = vorrq_u8(marks, vtstq_u8(three, three));
        mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(marks), 4)), 0);
        /* Four bits a byte become one. */
        mask &= 0x1111111111111111;
        mask = (mask | mask >> 3) & 0x0303030303030303;
        mask = (mask | mask >> 6) & 0x000F000F000F000F;
        mask = (mask | mask >> 12) & 0x000000FF000000FF;
        found |= ((mask | mask >> 24) & 0xFFFF) << k;
    }
    return found;
}
#define HAS_TRIGGERS_VECTOR 1
#endif

/* One after the other. */
typedef struct {
    const uint8_t *p;
    ptrdiff_t n, begin; /* where the block begins */
    uint64_t left;      /* its triggers that are still to be found */
    int is_plain;
    const Triggers *triggers;
} TriggerScan;

static inline uint64_t triggers_of_block(const TriggerScan *scan)
{
    ptrdiff_t n = scan->n - scan->begin;
#ifdef HAS_TRIGGERS_VECTOR
    if (!scan->is_plain && n >= 66)
        return triggers_vector(scan->p + scan->begin, scan->triggers);
#endif
    return triggers_plain(scan->p + scan->begin, n, scan->triggers);
}

static inline void start_triggers(TriggerScan *scan, const uint8_t *p, ptrdiff_t n, const Triggers *triggers, int is_plain)
{
    scan->p = p;
    scan->n = n;
    scan->begin = 0;
    scan->triggers = triggers;
    scan->is_plain = is_plain;
    scan->left = n ? triggers_of_block(scan) : 0;
}

/* The next one from i on, and n if there is none; i never becomes less. */
static inline ptrdiff_t next_trigger(TriggerScan *scan, ptrdiff_t i)
{
    if (i >= scan->n)
        return scan->n;
    if (i - scan->begin >= 64) {
        scan->begin = i & ~(ptrdiff_t)63;
        scan->left = triggers_of_block(scan);
    }
    if (i > scan->begin)
        scan->left &= ~(uint64_t)0 << (i - scan->begin);
    for (;;) {
        while (!scan->left) {
            scan->begin += 64;
            if (scan->begin >= scan->n)
                return scan->n;
            scan->left = triggers_of_block(scan);
        }
        i = scan->begin + lowest_bit(scan->left);
        /* Vectors look at halves of bytes. */
        if (is_trigger(scan->p + i, scan->n - i, scan->triggers))
            return i;
        scan->left &= scan->left - 1;
    }
}

#endif
