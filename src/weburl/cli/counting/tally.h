/* Counts of texts, in bounded memory. The functions are for one module, which includes them once. */
#ifndef WEBURL_TALLY_H
#define WEBURL_TALLY_H

#include <stdlib.h>

#include "hash.h"
#include "sketch.h"

#define LONGEST 200 /* bytes of a text that are kept */
#define RECENT (1 << 11)
#define FEWEST 256 /* slots */
#define AHEAD 16   /* entries */

typedef enum { COUNTED, FULL, OUT_OF_MEMORY } Outcome;

typedef struct {
    uint64_t hash; /* of the whole text */
    int64_t count;
    int64_t missed;  /* by how much the count may be too low */
    uint32_t length; /* of the whole text; it stops at the largest number */
    uint32_t offset; /* of its beginning, in the pool */
} Entry;

/* How often each text occurs. Texts of one hash and one length are one text. Nobody can choose two such texts, because
   the hash is keyed, and among 10**7 texts there are two by chance with a probability of 3 in a million.

   When there is no room for more texts, the rarest half is forgotten. An upper bound of each text's count is its count
   and what may have been missed before it came; `missed` is the largest upper bound of a text that was forgotten. It is
   that of the algorithm of Misra and Gries, https://doi.org/10.1016/0167-6423(82)90012-0: at most twice the sum of all
   counts divided by the number of texts for which there was room.

   From then on, different texts are estimated. The registers are NULL until then. */
typedef struct {
    Entry *entries; /* in the order in which they came, as are their texts */
    ptrdiff_t n, capacity;
    uint32_t *slots; /* by hash: the number of an entry, from 1, or 0; of count_text(), RECENT of them */
    uint64_t mask;   /* how many slots there are, less one */
    uint8_t *pool;
    ptrdiff_t pool_length, pool_capacity;
    ptrdiff_t most_texts; /* beyond which count_text() answers FULL */
    ptrdiff_t most_bytes;
    int64_t total;  /* of all counts */
    int64_t missed; /* the largest count that a text without an entry can have */
    uint8_t *registers;
} Tally;

static inline ptrdiff_t kept_length(const Entry *entry)
{
    return entry->length < LONGEST ? (ptrdiff_t)entry->length : LONGEST;
}

static inline void open_tally(Tally *self, ptrdiff_t most_texts, ptrdiff_t most_bytes)
{
    memset(self, 0, sizeof(Tally));
    self->most_texts = most_texts;
    self->most_bytes = most_bytes;
}

static inline void close_tally(Tally *self)
{
    free(self->entries);
    free(self->slots);
    free(self->pool);
    free(self->registers);
}

static inline void clear_tally(Tally *self)
{
    if (self->n)
        memset(self->slots, 0, (self->mask + 1) * sizeof(uint32_t));
    self->n = self->pool_length = 0;
    self->total = self->missed = 0;
    free(self->registers);
    self->registers = NULL;
}

/* Puts the entries into slots, which are empty. */
static inline void fill_slots(Tally *self)
{
    ptrdiff_t i;
    for (i = 0; i < self->n; i++) {
        uint64_t place = self->entries[i].hash & self->mask;
        if (i + AHEAD < self->n)
            prefetch(self->slots + (self->entries[i + AHEAD].hash & self->mask));
        while (self->slots[place])
            place = (place + 1) & self->mask;
        self->slots[place] = (uint32_t)(i + 1);
    }
}

static inline ptrdiff_t most_of(ptrdiff_t a, ptrdiff_t b, ptrdiff_t c)
{
    a = a > b ? a : b;
    return a > c ? a : c;
}

static inline int grow_tally(Tally *self, ptrdiff_t texts, ptrdiff_t bytes, ptrdiff_t slots)
{
    if (texts > self->capacity) {
        ptrdiff_t size = most_of(texts, 2 * self->capacity, FEWEST);
        void *grown = realloc(self->entries, (size_t)size * sizeof(Entry));
        if (grown == NULL)
            return 0;
        self->entries = grown;
        self->capacity = size;
    }
    if (self->pool == NULL || bytes > self->pool_capacity) {
        ptrdiff_t size = most_of(bytes, 2 * self->pool_capacity, 16 * FEWEST);
        void *grown = realloc(self->pool, (size_t)size);
        if (grown == NULL)
            return 0;
        self->pool = grown;
        self->pool_capacity = size;
    }
    if (self->slots == NULL || (uint64_t)slots > self->mask + 1) {
        void *grown = calloc((size_t)slots, sizeof(uint32_t));
        if (grown == NULL)
            return 0;
        free(self->slots);
        self->slots = grown;
        self->mask = (uint64_t)slots - 1;
        fill_slots(self);
    }
    return 1;
}

/* Room for so many more texts, and at least so many slots, a power of two. Afterwards there is a pool, even if all texts
   are empty. */
static inline int reserve_tally(Tally *self, ptrdiff_t texts, ptrdiff_t bytes, ptrdiff_t slots)
{
    texts += self->n;
    bytes += self->pool_length;
    return (texts <= self->capacity && bytes <= self->pool_capacity && self->slots != NULL
            && (uint64_t)slots <= self->mask + 1)
           || grow_tally(self, texts, bytes, slots);
}

/* Adds an entry, for which there is room. */
static inline void add_entry(Tally *self, uint64_t place, uint64_t hash, const uint8_t *p, uint32_t n, int64_t count)
{
    Entry *entry = self->entries + self->n;
    entry->hash = hash;
    entry->count = count;
    entry->missed = self->missed;
    entry->length = n;
    entry->offset = (uint32_t)self->pool_length;
    memcpy(self->pool + self->pool_length, p, (size_t)kept_length(entry));
    self->pool_length += kept_length(entry);
    self->n++;
    self->slots[place] = (uint32_t)self->n;
}

/* Counts a text, so many times, in a tally that is not the whole: only the texts that were counted last are looked for,
   where a processor has them at hand, so that a text can have several entries. add_tally() joins them. */
static inline Outcome count_hashed(Tally *self, uint64_t hash, const uint8_t *p, ptrdiff_t length, int64_t times)
{
    uint32_t n = (uint64_t)length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    uint64_t place = hash & (RECENT - 1);
    if (self->n && self->slots[place]) {
        Entry *entry = self->entries + (self->slots[place] - 1);
        if (entry->hash == hash && entry->length == n) {
            entry->count += times;
            self->total += times;
            return COUNTED;
        }
    }
    if (self->n == self->most_texts || self->pool_length + LONGEST > self->most_bytes)
        return FULL;
    if (!reserve_tally(self, 1, LONGEST, RECENT))
        return OUT_OF_MEMORY;
    add_entry(self, place, hash, p, n, times);
    self->total += times;
    return COUNTED;
}

static inline void join_entry(Tally *self, const Entry *other, const uint8_t *p)
{
    uint64_t place = other->hash & self->mask;
    while (self->slots[place]) {
        Entry *entry = self->entries + (self->slots[place] - 1);
        if (entry->hash == other->hash && entry->length == other->length) {
            entry->count += other->count;
            return;
        }
        place = (place + 1) & self->mask;
    }
    add_entry(self, place, other->hash, p, other->length, other->count);
}

/* Each loop asks memory for what the next one reads. */
static inline void add_entries(Tally *self, const Tally *other, ptrdiff_t begin, ptrdiff_t end)
{
    ptrdiff_t i;
    for (i = begin; i < end; i++)
        prefetch(self->slots + (other->entries[i].hash & self->mask));
    for (i = begin; i < end; i++) {
        uint32_t number = self->slots[other->entries[i].hash & self->mask];
        if (number)
            prefetch(self->entries + (number - 1));
    }
    for (i = begin; i < end; i++) {
        const Entry *entry = other->entries + i;
        if (self->registers != NULL)
            put_register(self->registers, entry->hash);
        join_entry(self, entry, other->pool + entry->offset);
    }
}

/* Adds the counts of a tally that has not forgotten a text. There is always room. */
static inline Outcome add_tally(Tally *self, const Tally *other)
{
    ptrdiff_t i, size = FEWEST;
    while (size < 2 * (self->n + other->n))
        size *= 2;
    if (!reserve_tally(self, other->n, other->pool_length, size))
        return OUT_OF_MEMORY;
    for (i = 0; i < other->n; i += AHEAD)
        add_entries(self, other, i, i + AHEAD < other->n ? i + AHEAD : other->n);
    self->total += other->total;
    return COUNTED;
}

/* Gives back what is not needed now: other tallies may need it. */
static inline void shrink_tally(Tally *self)
{
    ptrdiff_t texts = most_of(self->n, FEWEST, 0), bytes = most_of(self->pool_length, FEWEST, 0);
    void *shrunk = texts < self->capacity ? realloc(self->entries, (size_t)texts * sizeof(Entry)) : NULL;
    if (shrunk != NULL) {
        self->entries = shrunk;
        self->capacity = texts;
    }
    shrunk = bytes < self->pool_capacity ? realloc(self->pool, (size_t)bytes) : NULL;
    if (shrunk != NULL) {
        self->pool = shrunk;
        self->pool_capacity = bytes;
    }
}

/* Keeps an entry as the n-th, with its text at this place in the pool. Returns the end of the text. */
static inline ptrdiff_t keep_entry(Tally *self, ptrdiff_t i, ptrdiff_t n, ptrdiff_t place)
{
    Entry entry = self->entries[i];
    memmove(self->pool + place, self->pool + entry.offset, (size_t)kept_length(&entry));
    entry.offset = (uint32_t)place;
    self->entries[n] = entry;
    return place + kept_length(&entry);
}

/* Ends with n entries, after others have been left out. */
static inline void keep_entries(Tally *self, ptrdiff_t n, ptrdiff_t length)
{
    self->n = n;
    self->pool_length = length;
    shrink_tally(self);
    memset(self->slots, 0, (self->mask + 1) * sizeof(uint32_t));
    fill_slots(self);
}

/* Forgets half of the texts, at least. */
static inline Outcome forget_half(Tally *self, uint64_t random)
{
    ptrdiff_t i, n = 0, length = 0;
    int64_t *bounds;
    if (self->n == 0)
        return COUNTED;
    if (self->registers == NULL) {
        self->registers = calloc(REGISTERS, 1);
        if (self->registers == NULL)
            return OUT_OF_MEMORY;
        for (i = 0; i < self->n; i++)
            put_register(self->registers, self->entries[i].hash);
    }
    bounds = malloc((size_t)self->n * sizeof(int64_t));
    if (bounds == NULL)
        return OUT_OF_MEMORY;
    for (i = 0; i < self->n; i++)
        bounds[i] = self->entries[i].count + self->entries[i].missed;
    self->missed = select_number(bounds, self->n, (self->n - 1) / 2, random);
    free(bounds);
    for (i = 0; i < self->n; i++)
        if (self->entries[i].count + self->entries[i].missed > self->missed)
            length = keep_entry(self, i, n++, length);
    keep_entries(self, n, length);
    return COUNTED;
}

/* Whether there is a text with this hash. */
static inline int has_hash(const Tally *self, uint64_t hash)
{
    uint64_t place = hash & self->mask;
    if (self->n == 0)
        return 0;
    while (self->slots[place]) {
        if (self->entries[self->slots[place] - 1].hash == hash)
            return 1;
        place = (place + 1) & self->mask;
    }
    return 0;
}

/* How many different texts there are. */
static inline double estimate_different(const Tally *self)
{
    return self->registers == NULL ? (double)self->n : estimate_of_registers(self->registers);
}
#endif
