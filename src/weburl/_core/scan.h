/* Byte classes, and the interface of kernels.h: what a kernel is asked. Guarded by tests/test_scan.py. */
#ifndef WEBURL_SCAN_H
#define WEBURL_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "byte_classes.h"
#include "rows.h"

#define IS_LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

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
