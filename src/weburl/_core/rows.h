/* URL records, rows of a block that have them, and how the front door takes such rows. */
#ifndef WEBURL_ROWS_H
#define WEBURL_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "offsets.h"

/* The fields are explained in record.pxd. */
typedef struct {
    Offset scheme_end;
    Offset username_end;
    Offset host_start;
    Offset host_end;
    Offset path_start;
    Offset query_start;
    Offset fragment_start;
    uint16_t port;
    uint8_t scheme_type;
    uint8_t host_type;
} Record;

/* And these in _arrow/columns.pxd. */
typedef struct {
    const uint8_t *href;
    ptrdiff_t length;
    ptrdiff_t arena;
    int32_t buffer;
    ViewOffset offset;
    int status;
    Record record;
} ParsedRow;

typedef struct {
    Record records[2];  /* of "http://" and of "https://" */
    const uint8_t *end; /* the texts can be read up to here; if it is NULL, each up to its own end */
    size_t longest;     /* the longest row that is let in */
    int status_only;    /* a row needs no record */
    int host_only;      /* a row needs nothing after the host */
} Door;

#endif
