/* URLs in texts: where one can begin, by the width of a vector; and what bytes of a text stand for. Guarded by
   tests/test_text_model.py. */
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
#define FIND_ONES(v) FIND_MASK(v)
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
#define FIND_ONES(v) every_fourth(FIND_MASK(v))
#define FIND_BITS 4
#endif

/* Which of the bytes p[i:i + 64] equal one: a bit for each, the lowest for the first. Reads nothing outside of p[0:n]. The
   ends of texts differ, so where there are 64 bytes, no branch is about them. */
static inline uint64_t bytes_equal(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint8_t byte)
{
    uint64_t found = 0;
    ptrdiff_t k;
#if defined(FIND_WIDTH)
    if (n >= 64) {
        const FIND_VECTOR wanted = FIND_BYTES(byte);
        const ptrdiff_t at = i < n - 64 ? i : n - 64;
        for (k = 0; k < 64; k += FIND_WIDTH)
            found |= FIND_ONES(FIND_EQUAL(FIND_LOAD(p + at + k), wanted)) << k;
        return i < n ? found >> (i - at) : 0;
    }
#endif
    for (k = i; k < n && k < i + 64; k++)
        found |= (uint64_t)(p[k] == byte) << (k - i);
    return found;
}

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

/* Classes of bytes. */
enum {
    FIND_ENDS = 1 << 0,        /* a URL */
    FIND_ESCAPES = 1 << 1,     /* can begin what stands for another character */
    FIND_HIGH = 1 << 2,        /* can begin white space, or punctuation that is not ASCII */
    FIND_DELIMITER = 1 << 3,   /* ends an authority */
    FIND_NOT_HOST = 1 << 4,    /* is not in a host with its port */
    FIND_NOT_DOMAIN = 1 << 5,  /* is not in a domain */
    FIND_BRACKET = 1 << 6,     /* ends a URL in Markdown if it is not opened there */
    FIND_TRIMMED = 1 << 7,     /* is not the end of a URL */
    FIND_WORD = 1 << 8,        /* no scheme begins after it */
    FIND_NOT_BEFORE_WWW = 1 << 9,
    FIND_NOT_BEFORE_BARE = 1 << 10
};

typedef enum { FIND_TEXT, FIND_JSON, FIND_HTML, FIND_MARKDOWN, FIND_SHELL } FindSyntax;

/* Of punctuation beyond ASCII, what ends sentences or encloses them. */
typedef enum { FIND_NO_PUNCTUATION, FIND_MARK, FIND_OPENING, FIND_CLOSING } FindPunctuation;

typedef struct {
    const uint8_t *name;  /* in lower case */
    const uint8_t *other; /* as hxxp is for http, or NULL */
    ptrdiff_t length;
    int is_special; /* its host is not empty */
} FindScheme;

typedef struct {
    FindSyntax syntax;
    int defanged;
    int is_plain;         /* every byte stands for itself */
    const void *suffixes; /* of bare domains, or NULL */
    const FindScheme *schemes;
    int n_schemes;
    uint8_t second, third; /* what can follow a colon where a URL begins, beside a solidus */
    uint16_t classes[256];
} FindOptions;

/* Whether p[0:n] begins with white space or with a control, beyond ASCII. */
static inline int is_wide_space(const uint8_t *p, ptrdiff_t n)
{
    if (n >= 2 && p[0] == 0xC2)
        return p[1] >= 0x80 && p[1] <= 0xA0;
    if (n < 3)
        return 0;
    if (p[0] == 0xE2)
        return (p[1] == 0x80 && ((p[2] >= 0x80 && p[2] <= 0x8A) || p[2] == 0xA8 || p[2] == 0xA9 || p[2] == 0xAF))
            || (p[1] == 0x81 && p[2] == 0x9F);
    return (p[0] == 0xE1 && p[1] == 0x9A && p[2] == 0x80) || (p[0] == 0xE3 && p[1] == 0x80 && p[2] == 0x80);
}

/* The punctuation that p[0:n] begins with. */
static inline FindPunctuation wide_punctuation(const uint8_t *p, ptrdiff_t n)
{
    uint8_t c;
    if (n >= 2 && p[0] == 0xC2)
        return p[1] == 0xAB || p[1] == 0xBB ? FIND_MARK : FIND_NO_PUNCTUATION;
    if (n < 3)
        return FIND_NO_PUNCTUATION;
    c = p[2];
    if (p[0] == 0xE2 && p[1] == 0x80 && ((c >= 0x98 && c <= 0x9F) || c == 0xA6 || c == 0xB9 || c == 0xBA))
        return FIND_MARK;
    if (p[0] == 0xE3 && p[1] == 0x80) {
        if (c == 0x81 || c == 0x82)
            return FIND_MARK;
        if (c >= 0x88 && c <= 0x91)
            return c & 1 ? FIND_CLOSING : FIND_OPENING;
    }
    if (p[0] == 0xEF && p[1] == 0xBC) {
        if (c == 0x81 || c == 0x8C || c == 0x9A || c == 0x9B || c == 0x9F)
            return FIND_MARK;
        if (c == 0x88 || c == 0x89)
            return c & 1 ? FIND_CLOSING : FIND_OPENING;
    }
    return FIND_NO_PUNCTUATION;
}

static inline int hex_digit(uint8_t c)
{
    return byte_class[c] & CLASS_HEX ? (c & 15) + 9 * (c >> 6) : -1;
}

/* The value of four hexadecimal digits, or -1. */
static inline int read_hex(const uint8_t *p, ptrdiff_t n)
{
    int value = 0, k;
    if (n < 4)
        return -1;
    for (k = 0; k < 4; k++) {
        if (hex_digit(p[k]) < 0)
            return -1;
        value = value << 4 | hex_digit(p[k]);
    }
    return value;
}

/* What a syntax writes in another way. Each function returns how many bytes of p[0:n] stand for out[0:size], or 0 if they
   end a URL. */

static inline int take_code_point(const FindOptions *options, uint32_t c, int length, uint8_t *out, int *size)
{
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        c = 0xFFFD;
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        *size = 1;
        return options->classes[c] & FIND_ENDS ? 0 : length;
    }
    *size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    out[0] = (uint8_t)((0xF00 >> *size & 0xF0) | c >> 6 * (*size - 1));
    out[*size - 1] = (uint8_t)(0x80 | (c & 63));
    if (*size > 2)
        out[*size - 2] = (uint8_t)(0x80 | (c >> 6 & 63));
    if (*size > 3)
        out[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    return is_wide_space(out, *size) ? 0 : length;
}

static inline int read_json_escape(const FindOptions *options, const uint8_t *p, ptrdiff_t n, uint8_t *out, int *size)
{
    int c, low;
    switch (n > 1 ? p[1] : 0) {
    case '/':
    case '\\':
        out[0] = p[1];
        return 2;
    case '"':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return 0;
    case 'u':
        c = read_hex(p + 2, n - 2);
        break;
    default:
        return 1;
    }
    if (c < 0)
        return 1;
    if (c >= 0xD800 && c < 0xDC00 && n >= 12 && p[6] == '\\' && p[7] == 'u') {
        low = read_hex(p + 8, n - 8);
        if (low >= 0xDC00 && low < 0xE000)
            return take_code_point(options, (uint32_t)(0x10000 + ((c & 0x3FF) << 10 | (low & 0x3FF))), 12, out, size);
    }
    return take_code_point(options, (uint32_t)c, 6, out, size);
}

static inline int begins_exactly(const uint8_t *p, ptrdiff_t n, const char *name)
{
    return n >= (ptrdiff_t)strlen(name) && memcmp(p, name, strlen(name)) == 0;
}

/* A character reference of HTML. */
static inline int read_reference(const FindOptions *options, const uint8_t *p, ptrdiff_t n, uint8_t *out, int *size)
{
    uint32_t c = 0;
    int is_hex, begin, at;
    if (begins_exactly(p, n, "&amp;"))
        return 5;
    if (begins_exactly(p, n, "&lt;") || begins_exactly(p, n, "&gt;") || begins_exactly(p, n, "&quot;")
        || begins_exactly(p, n, "&apos;") || begins_exactly(p, n, "&nbsp;"))
        return 0;
    if (n < 4 || p[1] != '#')
        return 1;
    is_hex = (p[2] | 0x20) == 'x';
    begin = at = is_hex ? 3 : 2;
    for (; at < n && at < begin + 7 && (is_hex ? hex_digit(p[at]) >= 0 : IS_DIGIT(p[at])); at++)
        c = is_hex ? c << 4 | (uint32_t)hex_digit(p[at]) : 10 * c + p[at] - '0';
    if (at == begin || at == n || p[at] != ';' || c == 0)
        return 1;
    return take_code_point(options, c, at + 1, out, size);
}

/* Of a defanged URL: [.] (.) {.} [dot] (dot) {dot} [:] [/] [@]. */
static inline int read_defanged(const uint8_t *p, ptrdiff_t n, uint8_t *out)
{
    uint8_t close = p[0] == '(' ? ')' : (uint8_t)(p[0] + 2);
    if (n >= 3 && p[2] == close && (p[1] == '.' || (p[0] == '[' && (p[1] == ':' || p[1] == '/' || p[1] == '@')))) {
        out[0] = p[1];
        return 3;
    }
    if (n >= 5 && p[4] == close && (p[1] | 0x20) == 'd' && (p[2] | 0x20) == 'o' && (p[3] | 0x20) == 't') {
        out[0] = '.';
        return 5;
    }
    return 1;
}

static inline int read_escape(const FindOptions *options, const uint8_t *p, ptrdiff_t n, uint8_t *out, int *size)
{
    if (p[0] == '&')
        return read_reference(options, p, n, out, size);
    if (p[0] != '\\')
        return read_defanged(p, n, out);
    if (options->syntax == FIND_JSON)
        return read_json_escape(options, p, n, out, size);
    /* As in a word of a shell, or before the punctuation of Markdown. */
    if (n > 1 && (p[1] >= 0x80 || (options->syntax == FIND_MARKDOWN && options->classes[p[1]] & FIND_WORD)))
        return 1;
    if (n == 1 || options->classes[p[1]] & FIND_ENDS)
        return 0;
    out[0] = p[1];
    return 2;
}

/* The character at the start of p[0:n], or the byte if it stands for itself. */
static inline int read_token(const FindOptions *options, const uint8_t *p, ptrdiff_t n, uint8_t *out, int *size)
{
    uint16_t found = options->classes[p[0]];
    out[0] = p[0];
    *size = 1;
    if (!(found & (FIND_ENDS | FIND_ESCAPES | FIND_HIGH)))
        return 1;
    if (found & FIND_ENDS)
        return 0;
    if (found & FIND_HIGH)
        return !is_wide_space(p, n);
    return read_escape(options, p, n, out, size);
}
#endif
