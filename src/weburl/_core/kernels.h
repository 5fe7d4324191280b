/* Scans by the width of a vector, written once for all instruction sets. Guarded by tests/test_scan.py. */
#ifndef WEBURL_KERNELS_H
#define WEBURL_KERNELS_H

#include "scan.h"

/* The table loops, which the others equal. */
static ptrdiff_t run_plain(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class)
{
    return scan_class(p, i, n, class);
}

static ptrdiff_t domain_plain(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, ptrdiff_t *label)
{
    *label = i;
    for (; i < n && !(byte_class[p[i]] & CLASS_NOT_DOMAIN); i++)
        if (p[i] == '.')
            *label = i + 1;
    return i;
}

static ptrdiff_t path_plain(const uint8_t *p, ptrdiff_t i, ptrdiff_t n)
{
    for (; i < n; i++) {
        uint16_t found = byte_class[p[i]] & (CLASS_PATH_STOP | CLASS_DOT);
        if (found && ((found & CLASS_PATH_STOP) || p[i - 1] == '/'))
            break;
    }
    return i;
}

static const Kernels plain_kernels = {run_plain, domain_plain, path_plain, "plain"};

/* A byte is in a set if two tables of 16 have a common bit at its low and its high half: bit h of the first table's
   entry l says whether the byte 16 * h + l is in the set, and entry h of the second is bit h. Bytes beyond ASCII have all
   bits there: they are in all these sets, and so are the controls, so that no entry of the first table is 0. */
#define HALVES(IN, l)                                                                                                \
    (uint8_t)((IN(l) ? 1 : 0) | (IN((l) + 16) ? 2 : 0) | (IN((l) + 32) ? 4 : 0) | (IN((l) + 48) ? 8 : 0)              \
              | (IN((l) + 64) ? 16 : 0) | (IN((l) + 80) ? 32 : 0) | (IN((l) + 96) ? 64 : 0) | (IN((l) + 112) ? 128 : 0))
#define HALVES4(IN, l) HALVES(IN, l), HALVES(IN, (l) + 1), HALVES(IN, (l) + 2), HALVES(IN, (l) + 3)
#define LOW_HALVES(IN) {HALVES4(IN, 0), HALVES4(IN, 4), HALVES4(IN, 8), HALVES4(IN, 12)}

#if defined(__SSE2__) || defined(_M_X64) || defined(__aarch64__) || defined(_M_ARM64)
/* In the order of the classes' bits. */
static const uint8_t low_halves[11][16] = {
    LOW_HALVES(IN_C0_CONTROL), LOW_HALVES(IN_FRAGMENT),  LOW_HALVES(IN_QUERY),     LOW_HALVES(IN_SPECIAL_QUERY),
    LOW_HALVES(IN_PATH),       LOW_HALVES(IN_USERINFO),  LOW_HALVES(IN_COMPONENT), LOW_HALVES(IN_FORM),
    LOW_HALVES(IN_OPAQUE_STOP), LOW_HALVES(IN_NOT_DOMAIN), LOW_HALVES(IN_PATH_STOP),
};
static const uint8_t high_halves[16] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 255, 255, 255, 255, 255, 255, 255};

static inline unsigned lowest_bit(uint64_t mask)
{
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanForward64(&index, mask);
    return index;
#else
    return (unsigned)__builtin_ctzll(mask);
#endif
}

static inline unsigned highest_bit(uint64_t mask)
{
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanReverse64(&index, mask);
    return index;
#else
    return 63 ^ (unsigned)__builtin_clzll(mask);
#endif
}
#endif

/* The vectors of an instruction set: WIDTH bytes each, and masks with MASK_BITS bits a byte. IN_SET is not 0 in the bytes
   that are in the set of a table; FOUND makes a mask of the bytes that are not 0. */
#if defined(__SSE2__) || defined(_M_X64)
#if defined(_MSC_VER)
#include <intrin.h>
#define TARGET
#else
#include <immintrin.h>
#define TARGET __attribute__((target("ssse3")))
#endif
#define INSTRUCTION_SET "ssse3"
#define NAMED(name) name##_ssse3
#define WIDTH 16
#define MASK_BITS 1
#define Mask unsigned
#define Chunk __m128i
#define TABLE(table) _mm_loadu_si128((const __m128i *)(table))
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define EQUALS(v, c) _mm_cmpeq_epi8(v, _mm_set1_epi8(c))
#define AND(a, b) _mm_and_si128(a, b)
#define OR(a, b) _mm_or_si128(a, b)
#define LOW_HALF(v) _mm_and_si128(v, _mm_set1_epi8(15))
#define IN_SET(v, low, high) \
    AND(_mm_shuffle_epi8(low, LOW_HALF(v)), _mm_shuffle_epi8(high, LOW_HALF(_mm_srli_epi16(v, 4))))
#define EQUAL_BYTES(v) (unsigned)_mm_movemask_epi8(v)
#define FOUND(v) (EQUAL_BYTES(_mm_cmpeq_epi8(v, _mm_setzero_si128())) ^ 0xFFFF)
#include "kernel.h"

static const Kernels *best_kernels(void)
{
#if defined(_MSC_VER)
    int words[4];
    __cpuid(words, 1);
    return words[2] >> 9 & 1 ? &kernels_ssse3 : &plain_kernels;
#else
    return __builtin_cpu_supports("ssse3") ? &kernels_ssse3 : &plain_kernels;
#endif
}

#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define TARGET
#define INSTRUCTION_SET "neon"
#define NAMED(name) name##_neon
#define WIDTH 16
#define MASK_BITS 4
#define Mask uint64_t
#define Chunk uint8x16_t
#define TABLE(table) vld1q_u8(table)
#define LOAD(p) vld1q_u8(p)
#define EQUALS(v, c) vceqq_u8(v, vdupq_n_u8(c))
#define AND(a, b) vandq_u8(a, b)
#define OR(a, b) vorrq_u8(a, b)
#define IN_SET(v, low, high) \
    vtstq_u8(vqtbl1q_u8(low, vandq_u8(v, vdupq_n_u8(15))), vqtbl1q_u8(high, vshrq_n_u8(v, 4)))
#define EQUAL_BYTES(v) vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)), 0)
#define FOUND(v) EQUAL_BYTES(v)
#include "kernel.h"

static const Kernels *best_kernels(void)
{
    return &kernels_neon;
}

#else
static const Kernels *best_kernels(void)
{
    return &plain_kernels;
}
#endif

#endif
