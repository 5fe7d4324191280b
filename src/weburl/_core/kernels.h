/* Scans by the width of a vector, written once for all instruction sets. Guarded by tests/test_scan.py. */
#ifndef WEBURL_KERNELS_H
#define WEBURL_KERNELS_H

#include "bits.h"
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

static uint64_t marks_plain(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class)
{
    ptrdiff_t k, end = n - i < 64 ? n : i + 64;
    uint64_t found = 0;
    for (k = i; k < end; k++)
        found |= (uint64_t)((byte_class[p[k]] & class) != 0) << (k - i);
    return found;
}

#define MOST_KERNELS 3

static const Kernels plain_kernels = {run_plain, domain_plain, path_plain, marks_plain, NULL, "c"};

/* A byte is in a set if two tables of 16 have a common bit at its low and its high half: bit h of the first table's
   entry l says whether the byte 16 * h + l is in the set, and entry h of the second is bit h. Bytes beyond ASCII have all
   bits there: they are in all these sets, and so are the controls, so that no entry of the first table is 0. */
#if defined(__SSE2__) || defined(_M_X64) || defined(__aarch64__) || defined(_M_ARM64)
/* In the order of the classes' bits. */
static const uint8_t low_halves[11][16] = {LOW_HALVES};
static const uint8_t any_stop[16] = ANY_STOP_HALVES;
static const uint8_t high_halves[16] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 255, 255, 255, 255, 255, 255, 255};

/* How the rows begin that the door of door.h knows, and which of these bytes count. */
static const union {
    uint8_t bytes[8];
    uint64_t word;
} door_starts[2] = {{{'h', 't', 't', 'p', ':', '/', '/'}}, {{'h', 't', 't', 'p', 's', ':', '/', '/'}}},
  door_masks[2] = {{{255, 255, 255, 255, 255, 255, 255}}, {{255, 255, 255, 255, 255, 255, 255, 255}}};

/* 8 to 31 bytes, where 32 can be read. */
static inline void copy_to_32(uint8_t *to, const uint8_t *p, ptrdiff_t n)
{
    const ptrdiff_t rest = n >= 16 ? n - 16 : n - 8;
    memset(to, 0, 32);
    if (n >= 16) {
        memcpy(to, p, 16);
        memcpy(to + rest, p + rest, 16);
    } else {
        memcpy(to, p, 8);
        memcpy(to + rest, p + rest, 8);
    }
}

#if IS_MSVC
#define DOOR_INLINE __forceinline
#define DOOR_KEPT(v, registers)
#else
#define DOOR_INLINE inline __attribute__((always_inline))
/* GCC would make a constant anew for each row. */
#define DOOR_KEPT(v, registers) __asm__("" : registers(v))
#endif
#endif

/* For each kind of processor: its vectors, its kernels, and usable_kernels(), which finds those that the processor has, at
   most MOST_KERNELS, best first.

   The bytes of a vector that are in a set are not 0 in IN_SET_16; those of CLASS_DOT after a solidus are not 0 in DOT_16.
   Masks have MASK_BITS bits a byte; in BITS, they have one. */
#if defined(__SSE2__) || defined(_M_X64)
#if IS_MSVC
#include <intrin.h>
#define TARGET
#else
#include <cpuid.h>
#include <immintrin.h>
#define TARGET __attribute__((target("ssse3")))
#endif
#define Chunk __m128i
#define Mask uint32_t
#define MASK_BITS 1
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define EIGHTS(p, q) _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(p)), _mm_loadl_epi64((const __m128i *)(q)))
#define TABLE(table) LOAD(table)
#define EQUALS(v, c) _mm_cmpeq_epi8(v, _mm_set1_epi8(c))
#define LOW_HALF(v) _mm_and_si128(v, _mm_set1_epi8(15))
#define MASK_OF(v) (Mask) _mm_movemask_epi8(v)
#define BITS(mask) (mask)
#define IS_ZERO(v) _mm_cmpeq_epi8(v, _mm_setzero_si128())
#define SET_OF(v, low, high) (MASK_OF(IS_ZERO(in_set_16(v, low, high))) ^ 0xFFFF)

static inline TARGET Chunk in_set_16(Chunk v, Chunk low, Chunk high)
{
    return _mm_and_si128(_mm_shuffle_epi8(low, LOW_HALF(v)), _mm_shuffle_epi8(high, LOW_HALF(_mm_srli_epi16(v, 4))));
}

static inline TARGET Chunk in_set_or_dot_16(const uint8_t *p, Chunk low, Chunk high)
{
    Chunk v = LOAD(p), dots = _mm_or_si128(EQUALS(v, '.'), EQUALS(v, '%'));
    return _mm_or_si128(in_set_16(v, low, high), _mm_and_si128(dots, EQUALS(LOAD(p - 1), '/')));
}

#define WIDTH 16
#define NAMED(name) name##_ssse3_16
#define NARROWER(name) name##_plain
#define IN_SET(p, low, high) SET_OF(LOAD(p), low, high)
#define IN_SET_OR_DOT(p, low, high) (MASK_OF(IS_ZERO(in_set_or_dot_16(p, low, high))) ^ 0xFFFF)
#define EQUAL(p, c) MASK_OF(EQUALS(LOAD(p), c))
#include "kernel.h"
#undef WIDTH
#undef NAMED
#undef NARROWER
#undef IN_SET
#undef IN_SET_OR_DOT
#undef EQUAL

/* Two vectors a step: most hosts and many paths end in the first one or the second, which no branch can foresee. */
#define WIDTH 32
#define NAMED(name) name##_ssse3_32
#define NARROWER(name) name##_ssse3_16
#define BOTH(first, second) ~(MASK_OF(IS_ZERO(first)) | MASK_OF(IS_ZERO(second)) << 16)
#define IN_SET(p, low, high) BOTH(in_set_16(LOAD(p), low, high), in_set_16(LOAD((p) + 16), low, high))
#define IN_SET_OR_DOT(p, low, high) BOTH(in_set_or_dot_16(p, low, high), in_set_or_dot_16((p) + 16, low, high))
#define EQUAL(p, c) (MASK_OF(EQUALS(LOAD(p), c)) | MASK_OF(EQUALS(LOAD((p) + 16), c)) << 16)
#include "kernel.h"

#define DoorVector Chunk
#define DOOR_TABLE(table) TABLE(table)
#define DOOR_ALL(c) _mm_set1_epi8(c)
#define DOOR_KEEP(v) DOOR_KEPT(v, "+x")
#define DOOR_BITS(v, w) ((uint32_t)_mm_movemask_epi8(v) | (uint32_t)_mm_movemask_epi8(w) << 16)
#define DOOR_16(p, low) \
    _mm_and_si128(_mm_shuffle_epi8(low, _mm_and_si128(LOAD(p), t->low_bits)), \
                  _mm_shuffle_epi8(t->high_halves, _mm_and_si128(_mm_srli_epi16(LOAD(p), 4), t->low_bits)))
#define DOOR_SET(p, low) ~DOOR_BITS(IS_ZERO(DOOR_16(p, low)), IS_ZERO(DOOR_16((p) + 16, low)))
#define DOOR_EQUAL(p, v) DOOR_BITS(_mm_cmpeq_epi8(LOAD(p), v), _mm_cmpeq_epi8(LOAD((p) + 16), v))
#include "door.h"

static const Kernels kernels_ssse3 = {run_ssse3_32, domain_ssse3_32, path_ssse3_32, marks_ssse3_32, door_ssse3_32, "ssse3"};

#undef NAMED
#define NAMED(name) name##_avx2
#if !IS_MSVC
#undef TARGET
#define TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#endif
#define DoorVector __m256i
#define DOOR_TABLE(table) _mm256_broadcastsi128_si256(LOAD(table))
#define DOOR_ALL(c) _mm256_set1_epi8(c)
#define DOOR_KEEP(v) DOOR_KEPT(v, "+x")
#define DOOR_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define DOOR_32(p, low) \
    _mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(DOOR_LOAD(p), t->low_bits)), \
                     _mm256_shuffle_epi8(t->high_halves, _mm256_and_si256(_mm256_srli_epi16(DOOR_LOAD(p), 4), t->low_bits)))
#define DOOR_SET(p, low) ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(DOOR_32(p, low), _mm256_setzero_si256()))
#define DOOR_EQUAL(p, v) (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(DOOR_LOAD(p), v))
#include "door.h"

static const Kernels kernels_avx2 = {run_ssse3_32, domain_ssse3_32, path_ssse3_32, marks_ssse3_32, door_avx2, "avx2"};

/* Whether the processor has what TARGET says, and the system keeps the registers. */
static int has_avx2(void)
{
#if IS_MSVC
    int words[4], more[4];
    __cpuid(words, 1);
    if ((words[2] >> 27 & 3) != 3 || (_xgetbv(0) & 6) != 6)
        return 0;
    __cpuidex(words, 7, 0);
    __cpuid(more, (int)0x80000001);
#else
    unsigned int words[4] = {0, 0, 0, 0}, more[4] = {0, 0, 0, 0}, low, high;
    __get_cpuid(1, &words[0], &words[1], &words[2], &words[3]);
    if ((words[2] >> 27 & 3) != 3)
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6 || !__get_cpuid_count(7, 0, &words[0], &words[1], &words[2], &words[3]))
        return 0;
    __get_cpuid(0x80000001, &more[0], &more[1], &more[2], &more[3]);
#endif
    /* BMI1, AVX2, BMI2; LZCNT. */
    return (words[1] & 0x128) == 0x128 && (more[2] >> 5 & 1);
}

static int usable_kernels(const Kernels **found)
{
    int n = 0;
#if IS_MSVC
    int words[4];
    __cpuid(words, 1);
#else
    /* The library of some compilers says to __builtin_cpu_supports() that the processor has nothing. */
    unsigned int words[4] = {0, 0, 0, 0};
    __get_cpuid(1, &words[0], &words[1], &words[2], &words[3]);
#endif
    if (has_avx2())
        found[n++] = &kernels_avx2;
    if (words[2] >> 9 & 1)
        found[n++] = &kernels_ssse3;
    found[n++] = &plain_kernels;
    return n;
}

#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define TARGET
#define Chunk uint8x16_t
#define Mask uint64_t
#define MASK_BITS 4
#define TABLE(table) vld1q_u8(table)
#define EIGHTS(p, q) vcombine_u8(vld1_u8(p), vld1_u8(q))
#define EQUALS(v, c) vceqq_u8(v, vdupq_n_u8(c))
#define MASK_OF(v) vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)), 0)
#define BITS(mask) every_fourth(mask)

static inline Chunk in_set_16(Chunk v, Chunk low, Chunk high)
{
    return vtstq_u8(vqtbl1q_u8(low, vandq_u8(v, vdupq_n_u8(15))), vqtbl1q_u8(high, vshrq_n_u8(v, 4)));
}

static inline Chunk in_set_or_dot_16(const uint8_t *p, Chunk low, Chunk high)
{
    Chunk v = vld1q_u8(p), dots = vorrq_u8(EQUALS(v, '.'), EQUALS(v, '%'));
    return vorrq_u8(in_set_16(v, low, high), vandq_u8(dots, EQUALS(vld1q_u8(p - 1), '/')));
}

#define WIDTH 16
#define NAMED(name) name##_neon
#define NARROWER(name) name##_plain
#define SET_OF(v, low, high) MASK_OF(in_set_16(v, low, high))
#define IN_SET(p, low, high) SET_OF(vld1q_u8(p), low, high)
#define IN_SET_OR_DOT(p, low, high) MASK_OF(in_set_or_dot_16(p, low, high))
#define EQUAL(p, c) MASK_OF(EQUALS(vld1q_u8(p), c))
#include "kernel.h"

#define DoorVector Chunk
#define DOOR_TABLE(table) TABLE(table)
#define DOOR_ALL(c) vdupq_n_u8(c)
#define DOOR_KEEP(v) DOOR_KEPT(v, "+w")
#define DOOR_SET(p, low) \
    bits_32(in_set_16(vld1q_u8(p), low, t->high_halves), in_set_16(vld1q_u8((p) + 16), low, t->high_halves))
#define DOOR_EQUAL(p, v) bits_32(vceqq_u8(vld1q_u8(p), v), vceqq_u8(vld1q_u8((p) + 16), v))

/* A bit for each byte of two vectors of 0 and 255. */
static inline uint32_t bits_32(Chunk first, Chunk second)
{
    const Chunk each = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    Chunk sum = vpaddq_u8(vandq_u8(first, each), vandq_u8(second, each));
    sum = vpaddq_u8(sum, sum);
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sum), 0);
}

#include "door.h"

static const Kernels kernels_neon = {run_neon, domain_neon, path_neon, marks_neon, door_neon, "neon"};

static int usable_kernels(const Kernels **found)
{
    found[0] = &kernels_neon;
    found[1] = &plain_kernels;
    return 2;
}

#else
static int usable_kernels(const Kernels **found)
{
    found[0] = &plain_kernels;
    return 1;
}
#endif

#endif
