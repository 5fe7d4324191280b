/* Byte classes and scans, in C. Guarded by tests/test_scan.py. */
#ifndef WEBURL_SCAN_H
#define WEBURL_SCAN_H

#include <stddef.h>
#include <stdint.h>

#if SIZE_MAX <= 0xFFFFFFFF
#error "weburl needs a 64-bit platform"
#endif

/* https://url.spec.whatwg.org/#percent-encoded-bytes: one bit for each set; as in the standard, a set extends
   a smaller one. */
#define IN_C0_CONTROL(c) ((c) < 0x20 || (c) > '~')
#define IN_FRAGMENT(c) (IN_C0_CONTROL(c) || (c) == ' ' || (c) == '"' || (c) == '<' || (c) == '>' || (c) == '`')
#define IN_QUERY(c) (IN_C0_CONTROL(c) || (c) == ' ' || (c) == '"' || (c) == '#' || (c) == '<' || (c) == '>')
#define IN_SPECIAL_QUERY(c) (IN_QUERY(c) || (c) == '\'')
#define IN_PATH(c) (IN_QUERY(c) || (c) == '?' || (c) == '^' || (c) == '`' || (c) == '{' || (c) == '}')
#define IN_USERINFO(c)                                                                                              \
    (IN_PATH(c) || (c) == '/' || (c) == ':' || (c) == ';' || (c) == '=' || (c) == '@' || ((c) >= '[' && (c) <= ']') \
     || (c) == '|')
#define IN_COMPONENT(c) (IN_USERINFO(c) || ((c) >= '$' && (c) <= '&') || (c) == '+' || (c) == ',')
#define IN_FORM(c) (IN_COMPONENT(c) || (c) == '!' || ((c) >= '\'' && (c) <= ')') || (c) == '~')

/* https://url.spec.whatwg.org/#forbidden-host-code-point, #forbidden-domain-code-point */
#define IN_FORBIDDEN_HOST(c)                                                                                      \
    ((c) == 0 || (c) == '\t' || (c) == '\n' || (c) == '\r' || (c) == ' ' || (c) == '#' || (c) == '/' || (c) == ':' \
     || (c) == '<' || (c) == '>' || (c) == '?' || (c) == '@' || ((c) >= '[' && (c) <= '^') || (c) == '|')
#define IN_FORBIDDEN_DOMAIN(c) (IN_FORBIDDEN_HOST(c) || (c) < 0x20 || (c) == '%' || (c) == 0x7F)

#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define IS_LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

enum {
    SET_C0_CONTROL = 1 << 0,
    SET_FRAGMENT = 1 << 1,
    SET_QUERY = 1 << 2,
    SET_SPECIAL_QUERY = 1 << 3,
    SET_PATH = 1 << 4,
    SET_USERINFO = 1 << 5,
    SET_COMPONENT = 1 << 6,
    SET_FORM = 1 << 7,
    CLASS_FORBIDDEN_HOST = 1 << 8,
    CLASS_FORBIDDEN_DOMAIN = 1 << 9,
    CLASS_NOT_DOMAIN = 1 << 10,  /* what cannot stand in the serialization of a domain as it is */
    CLASS_NOT_SCHEME = 1 << 11,  /* what cannot stand in the serialization of a scheme as it is */
    CLASS_PATH_STOP = 1 << 12,   /* what the path state looks at: to be percent-encoded, or a reverse solidus */
    CLASS_DOT = 1 << 13,         /* what a dot segment can start with */
    CLASS_OPAQUE_STOP = 1 << 14, /* what the opaque path state looks at */
    CLASS_HEX = 1 << 15
};

#define CLASS(c)                                                                                                       \
    ((IN_C0_CONTROL(c) ? SET_C0_CONTROL : 0) | (IN_FRAGMENT(c) ? SET_FRAGMENT : 0) | (IN_QUERY(c) ? SET_QUERY : 0)     \
     | (IN_SPECIAL_QUERY(c) ? SET_SPECIAL_QUERY : 0) | (IN_PATH(c) ? SET_PATH : 0)                                     \
     | (IN_USERINFO(c) ? SET_USERINFO : 0) | (IN_COMPONENT(c) ? SET_COMPONENT : 0) | (IN_FORM(c) ? SET_FORM : 0)       \
     | (IN_FORBIDDEN_HOST(c) ? CLASS_FORBIDDEN_HOST : 0) | (IN_FORBIDDEN_DOMAIN(c) ? CLASS_FORBIDDEN_DOMAIN : 0)       \
     | (IN_FORBIDDEN_DOMAIN(c) || IS_UPPER(c) || (c) > 0x7F ? CLASS_NOT_DOMAIN : 0)                                    \
     | (IS_LOWER(c) || IS_DIGIT(c) || (c) == '+' || (c) == '-' || (c) == '.' ? 0 : CLASS_NOT_SCHEME)                   \
     | (IN_PATH(c) || (c) == '\\' ? CLASS_PATH_STOP : 0) | ((c) == '.' || (c) == '%' ? CLASS_DOT : 0)                  \
     | (IN_C0_CONTROL(c) || (c) == ' ' || (c) == '?' || (c) == '#' ? CLASS_OPAQUE_STOP : 0)                            \
     | (IS_DIGIT(c) || ((c) >= 'A' && (c) <= 'F') || ((c) >= 'a' && (c) <= 'f') ? CLASS_HEX : 0))
#define CLASS4(c) CLASS(c), CLASS((c) + 1), CLASS((c) + 2), CLASS((c) + 3)
#define CLASS16(c) CLASS4(c), CLASS4((c) + 4), CLASS4((c) + 8), CLASS4((c) + 12)
#define CLASS64(c) CLASS16(c), CLASS16((c) + 16), CLASS16((c) + 32), CLASS16((c) + 48)

static const uint16_t byte_class[256] = {CLASS64(0), CLASS64(64), CLASS64(128), CLASS64(192)};

/* The first index from i on whose byte is in one of the classes of the mask, else n. */
static inline ptrdiff_t scan_class(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t mask)
{
    while (i < n && !(byte_class[p[i]] & mask))
        i++;
    return i;
}

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

#define EQUALS(v, c) _mm_cmpeq_epi8(v, _mm_set1_epi8((char)(c)))
/* Whether first <= byte < first + size. */
#define IN_RANGE(v, first, size) \
    _mm_cmplt_epi8(_mm_add_epi8(v, _mm_set1_epi8((char)(128 - (first)))), _mm_set1_epi8((char)((size) - 128)))

/* One bit a byte: not a lower-case letter, a digit, '-', '.' or '_'. */
static inline unsigned not_plain_domain_16(const uint8_t *p)
{
    __m128i v = _mm_loadu_si128((const __m128i *)p);
    __m128i other = _mm_andnot_si128(EQUALS(v, '/'), IN_RANGE(v, '-', '9' - '-' + 1));
    __m128i plain = _mm_or_si128(_mm_or_si128(IN_RANGE(v, 'a', 26), other), EQUALS(v, '_'));
    return ~(unsigned)_mm_movemask_epi8(plain) & 0xFFFF;
}

/* One bit a byte: CLASS_PATH_STOP, or CLASS_DOT after a solidus of the same 16. */
static inline unsigned path_stop_16(const uint8_t *p, unsigned *dots)
{
    __m128i v = _mm_loadu_si128((const __m128i *)p);
    __m128i bit1 = _mm_or_si128(v, _mm_set1_epi8(2));
    __m128i stop = _mm_cmplt_epi8(v, _mm_set1_epi8('!'));           /* controls, space, beyond ASCII */
    stop = _mm_or_si128(stop, EQUALS(_mm_or_si128(v, _mm_set1_epi8(1)), '#')); /* "# */
    stop = _mm_or_si128(stop, EQUALS(bit1, '>'));                   /* <> */
    stop = _mm_or_si128(stop, EQUALS(v, '?'));
    stop = _mm_or_si128(stop, EQUALS(bit1, '^'));                   /* \\ and ^ */
    stop = _mm_or_si128(stop, EQUALS(v, '`'));
    stop = _mm_or_si128(stop, EQUALS(bit1, 0x7F));                  /* } and DELETE */
    stop = _mm_or_si128(stop, EQUALS(v, '{'));
    *dots = (unsigned)_mm_movemask_epi8(_mm_or_si128(EQUALS(v, '.'), EQUALS(v, '%')));
    return (unsigned)_mm_movemask_epi8(stop) | (*dots & (unsigned)_mm_movemask_epi8(EQUALS(v, '/')) << 1);
}

static inline unsigned lowest_bit(unsigned mask)
{
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanForward(&index, mask);
    return index;
#else
    return (unsigned)__builtin_ctz(mask);
#endif
}
#define HAS_SIMD 1
#endif

/* The first index from i on whose byte cannot stand in the serialization of a domain as it is, else n. */
static inline ptrdiff_t scan_domain(const uint8_t *p, ptrdiff_t i, ptrdiff_t n)
{
#ifdef HAS_SIMD
    while (n - i >= 16) {
        unsigned mask = not_plain_domain_16(p + i);
        if (mask) {
            i += lowest_bit(mask);
            break;
        }
        i += 16;
    }
#endif
    return scan_class(p, i, n, CLASS_NOT_DOMAIN);
}

/* From i on, where `before` is the byte before it: the first index that the path state looks at, which is a byte of
   CLASS_PATH_STOP, or one that can be the first of a dot segment. */
static inline ptrdiff_t scan_path(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint8_t before)
{
#ifdef HAS_SIMD
    while (n - i >= 16) {
        unsigned dots, mask = path_stop_16(p + i, &dots);
        mask |= dots & (before == '/');
        if (mask)
            return i + lowest_bit(mask);
        i += 16;
        before = p[i - 1];
    }
    if (i < n && n >= 16) { /* the last 16 bytes, some of them for the second time */
        unsigned dots, seen = (unsigned)(16 - (n - i)), mask = path_stop_16(p + n - 16, &dots);
        mask = (mask >> seen) | (dots >> seen & (before == '/'));
        return mask ? i + lowest_bit(mask) : n;
    }
#endif
    for (; i < n; i++) {
        uint16_t found = byte_class[p[i]] & (CLASS_PATH_STOP | CLASS_DOT);
        if (found && ((found & CLASS_PATH_STOP) || before == '/'))
            break;
        before = p[i];
    }
    return i;
}

#endif
