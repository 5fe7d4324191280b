/* The integers that a record and a view store. With 16 bits, what could wrap at 4 GiB
   wraps at 64 KiB, for tests. */
#ifndef WEBURL_OFFSETS_H
#define WEBURL_OFFSETS_H

#include <stdint.h>

#ifndef WEBURL_OFFSET_BITS
#define WEBURL_OFFSET_BITS 32
#endif

#if WEBURL_OFFSET_BITS == 32
typedef uint32_t Offset;
typedef int32_t ViewOffset;
#if SIZE_MAX > 0xFFFFFFFF
#define WEBURL_OMITTED UINT32_MAX
#else /* one more is a Py_ssize_t, too */
#define WEBURL_OMITTED ((uint32_t)INT32_MAX - 1)
#endif
#elif WEBURL_OFFSET_BITS == 16
typedef uint16_t Offset;
typedef int16_t ViewOffset;
#define WEBURL_OMITTED UINT16_MAX
#else
#error "WEBURL_OFFSET_BITS is 32 or 16"
#endif

/* The longest serialization: OMITTED says that a component is omitted. Where sizes have 32 bits, a Py_ssize_t must be able
   to say the length of a text whose every byte becomes three, with what such texts are put together to. */
#if SIZE_MAX > 0xFFFFFFFF || WEBURL_OFFSET_BITS == 16
#define WEBURL_MAX_LENGTH ((int64_t)WEBURL_OMITTED - 1)
#else
#define WEBURL_MAX_LENGTH ((int64_t)1 << 28)
#endif

/* A view has a signed offset. So memory above 2**WINDOW_BITS bytes is exported as several buffers, which begin at
   multiples of that; a view's offset counts from the start of its buffer. Then the end of the longest text is a
   ViewOffset, too. */
#define WEBURL_WINDOW_BITS (WEBURL_OFFSET_BITS - 2)
#define WEBURL_MAX_VIEW_LENGTH ((int64_t)1 << WEBURL_WINDOW_BITS)
#define WEBURL_MAX_VIEW_OFFSET (2 * WEBURL_MAX_VIEW_LENGTH - 1)
#define WEBURL_WINDOW_MASK (WEBURL_MAX_VIEW_LENGTH - 1)

/* How many buffers the views of one array can point to, without those of an arena: as many again are below INT32_MAX. */
#define WEBURL_MOST_VIEW_BUFFERS ((int64_t)1 << 30)

/* How many rows, and how large an offset, an array from outside can have: 16 bytes for each are less than an object can
   have. */
#if SIZE_MAX > 0xFFFFFFFF
#define WEBURL_MOST_ROWS ((int64_t)1 << 48)
#else
#define WEBURL_MOST_ROWS ((int64_t)1 << 25)
#endif

/* How long a buffer from outside can be, and where a text can end in it: no address is as large. */
#if SIZE_MAX > 0xFFFFFFFF
#define WEBURL_MOST_BYTES ((int64_t)1 << 56)
#else
#define WEBURL_MOST_BYTES ((int64_t)INT32_MAX)
#endif

/* The most bytes of a pool whose offsets are uint32_t: as many as these can tell, or as an object can have. */
#if SIZE_MAX > 0xFFFFFFFF
#define WEBURL_MOST_POOL ((int64_t)UINT32_MAX)
#else
#define WEBURL_MOST_POOL ((int64_t)INT32_MAX)
#endif

/* Fails to compile if the condition is false. */
#define WEBURL_ASSERT(name, condition) typedef char weburl_##name[(condition) ? 1 : -1]

WEBURL_ASSERT(a_view_offset_can_be_computed, WEBURL_MAX_VIEW_OFFSET == ((int64_t)1 << (8 * sizeof(ViewOffset) - 1)) - 1);
WEBURL_ASSERT(a_serialization_has_a_length, 3 * WEBURL_MAX_LENGTH <= PTRDIFF_MAX);
WEBURL_ASSERT(omitted_is_no_length, WEBURL_MAX_LENGTH < WEBURL_OMITTED);

#endif
