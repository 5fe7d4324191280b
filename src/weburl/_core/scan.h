/* Byte classes, and what kernels are asked. Guarded by tests/test_scan.py. */
#ifndef WEBURL_SCAN_H
#define WEBURL_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "rows.h"

#if SIZE_MAX <= 0xFFFFFFFF
#error "weburl needs a 64-bit processor: it computes lengths up to 4 GiB, and three times that, in size_t"
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

/* What cannot stand in the serialization of a domain as it is. */
#define IN_NOT_DOMAIN(c) (IN_FORBIDDEN_DOMAIN(c) || IS_UPPER(c) || (c) > 0x7F)
/* What the path state and the opaque path state look at. */
#define IN_PATH_STOP(c) (IN_PATH(c) || (c) == '\\')
#define IN_OPAQUE_STOP(c) (IN_C0_CONTROL(c) || (c) == ' ' || (c) == '?' || (c) == '#')
/* What the path state, the query state of a special URL or the fragment state looks at. */
#define IN_ANY_STOP(c) (IN_PATH_STOP(c) || IN_SPECIAL_QUERY(c) || IN_FRAGMENT(c))

enum {
    SET_C0_CONTROL = 1 << 0,
    SET_FRAGMENT = 1 << 1,
    SET_QUERY = 1 << 2,
    SET_SPECIAL_QUERY = 1 << 3,
    SET_PATH = 1 << 4,
    SET_USERINFO = 1 << 5,
    SET_COMPONENT = 1 << 6,
    SET_FORM = 1 << 7,
    CLASS_OPAQUE_STOP = 1 << 8,
    CLASS_NOT_DOMAIN = 1 << 9,
    CLASS_PATH_STOP = 1 << 10, /* the last one that kernels have a table for */
    CLASS_DOT = 1 << 11,       /* what a dot segment can start with */
    CLASS_NOT_SCHEME = 1 << 12, /* what cannot stand in the serialization of a scheme as it is */
    CLASS_FORBIDDEN_HOST = 1 << 13,
    CLASS_FORBIDDEN_DOMAIN = 1 << 14,
    CLASS_HEX = 1 << 15
};

#define CLASS(c)                                                                                                       \
    ((IN_C0_CONTROL(c) ? SET_C0_CONTROL : 0) | (IN_FRAGMENT(c) ? SET_FRAGMENT : 0) | (IN_QUERY(c) ? SET_QUERY : 0)     \
     | (IN_SPECIAL_QUERY(c) ? SET_SPECIAL_QUERY : 0) | (IN_PATH(c) ? SET_PATH : 0)                                     \
     | (IN_USERINFO(c) ? SET_USERINFO : 0) | (IN_COMPONENT(c) ? SET_COMPONENT : 0) | (IN_FORM(c) ? SET_FORM : 0)       \
     | (IN_FORBIDDEN_HOST(c) ? CLASS_FORBIDDEN_HOST : 0) | (IN_FORBIDDEN_DOMAIN(c) ? CLASS_FORBIDDEN_DOMAIN : 0)       \
     | (IN_NOT_DOMAIN(c) ? CLASS_NOT_DOMAIN : 0)                                                                       \
     | (IS_LOWER(c) || IS_DIGIT(c) || (c) == '+' || (c) == '-' || (c) == '.' ? 0 : CLASS_NOT_SCHEME)                   \
     | (IN_PATH_STOP(c) ? CLASS_PATH_STOP : 0) | ((c) == '.' || (c) == '%' ? CLASS_DOT : 0)                             \
     | (IN_OPAQUE_STOP(c) ? CLASS_OPAQUE_STOP : 0)                                                                     \
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

/* What the parser asks of a run of bytes. No kernel reads outside p[0:n]. */
typedef struct {
    /* The first index from i on whose byte is in one class, of those up to CLASS_PATH_STOP; else n. */
    ptrdiff_t (*run)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class);
    /* The same for CLASS_NOT_DOMAIN. `label` gets the start of the last label before it. */
    ptrdiff_t (*domain)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, ptrdiff_t *label);
    /* From i > 0 on: the first index that the path state looks at, which is a byte of CLASS_PATH_STOP, or one of
       CLASS_DOT after a solidus; else n. */
    ptrdiff_t (*path)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n);
    /* The bytes of p[i:i + 64] that are in the class of `run`: a bit for each, the lowest for the first. */
    uint64_t (*marks)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class);
    /* See door.h; or NULL. It adds to `length`. */
    uint64_t (*door)(ParsedRow *rows, int count, const Door *door, int64_t *length);
    const char *name;
} Kernels;

#endif
