/* The front door for the rows of a block, by masks of 64 bytes with a bit for each. What it lets in is its own serialization:
   read_prefix() of texts.pyx finds the same record. Of http and https URLs, most come in; not those with a port. Written
   once for all instruction sets. Guarded by tests/test_block_door.py. */

typedef struct {
    DoorVector not_domain, any_stop, high_halves, low_bits, dots, percents, solidi;
} NAMED(DoorTables);

#define MASK_64(part) ((uint64_t)part(0) | (uint64_t)part(second) << second)
#define STOP_32(k) DOOR_SET(p + (k), t->any_stop)
#define DOT_32(k) (DOOR_EQUAL(p + (k), t->dots) | DOOR_EQUAL(p + (k), t->percents))
#define SOLIDUS_32(k) DOOR_EQUAL(p + (k), t->solidi)

/* What the path, the query or the fragment state may look at in the 32 bytes from p on, and the 32 from `second` on, which is
   at most 32; `solidus` says whether one is before them. */
static DOOR_INLINE TARGET uint64_t NAMED(stops)(const NAMED(DoorTables) *t, const uint8_t *p, unsigned second, int solidus)
{
    return MASK_64(STOP_32) | (MASK_64(DOT_32) & (MASK_64(SOLIDUS_32) << 1 | (uint64_t)solidus));
}

/* Whether nothing changes in a path that begins in text[0:64], nor after it. `marks` are those of these bytes. */
static DOOR_INLINE TARGET int NAMED(passes)(const NAMED(DoorTables) *t, const uint8_t *text, ptrdiff_t n, uint64_t marks,
                                            Offset *query, Offset *fragment)
{
    uint16_t class = CLASS_PATH_STOP;
    ptrdiff_t at = 0, seen = 64;
    for (;;) {
        for (; marks; marks &= marks - 1) {
            ptrdiff_t i = at + lowest_bit(marks);
            uint16_t found = byte_class[text[i]];
            if (found & class) {
                if (text[i] == '?' && class == CLASS_PATH_STOP) {
                    *query = (Offset)i;
                    class = SET_SPECIAL_QUERY;
                } else if (text[i] == '#') {
                    *fragment = (Offset)i;
                    class = SET_FRAGMENT;
                } else {
                    return 0;
                }
            } else if (class == CLASS_PATH_STOP && (found & CLASS_DOT)) {
                /* Perhaps a dot segment; a percent sign before anything but the 2 of %2E begins none. */
                if (text[i] == '.' || i + 1 == n || text[i + 1] == '2')
                    return 0;
            }
        }
        if (seen >= n)
            return 1;
        /* The last 64 bytes end with the text. What has been seen of them is left out. */
        at = seen < n - 64 ? seen : n - 64;
        marks = NAMED(stops)(t, text + at, 32, text[at - 1] == '/') & ~(uint64_t)0 << (seen - at);
        seen = at + 64;
    }
}

static DOOR_INLINE TARGET uint64_t NAMED(let_in)(ParsedRow *rows, int count, const Door *door, int64_t *length,
                                                 int status_only, int host_only)
{
    NAMED(DoorTables) tables = {
        DOOR_TABLE(low_halves[lowest_bit(CLASS_NOT_DOMAIN)]), DOOR_TABLE(any_stop), DOOR_TABLE(high_halves),
        DOOR_ALL(15), DOOR_ALL('.'), DOOR_ALL('%'), DOOR_ALL('/'),
    };
    const NAMED(DoorTables) *const t = &tables;
    const uint8_t *const readable = door->end;
    const size_t longest = door->longest - 8;
    uint64_t in = 0;
    int64_t total = 0;
    int k;
    DOOR_KEEP(tables.low_bits);
    DOOR_KEEP(tables.dots);
    DOOR_KEEP(tables.percents);
    DOOR_KEEP(tables.solidi);
    for (k = 0; k < count; k++) {
        ParsedRow *row = rows + k;
        const uint8_t *text = row->href, *p = text;
        ptrdiff_t n = row->length;
        uint64_t start, beyond, ends, dots;
        unsigned secure, begin, end, label, second = 32;
        Offset query = WEBURL_OMITTED, fragment = WEBURL_OMITTED;
        uint8_t copy[32];
        if ((size_t)n - 8 > longest)
            continue;
        if (n < 64) {
            if (n >= 32) {
                second = (unsigned)n - 32;
            } else if (!readable || readable - p < 64) {
                copy_to_32(copy, p, n);
                p = copy;
                second = 0;
            }
        }
        memcpy(&start, p, 8);
        secure = p[4] == 's';
        if ((start ^ door_starts[secure].word) & door_masks[secure].word)
            continue;
        begin = 7 + secure;
        beyond = n < 64 ? ~(uint64_t)0 << n : 0;
        ends = DOOR_SET(p, t->not_domain) | beyond;
        dots = DOOR_EQUAL(p, t->dots);
        if (!((uint32_t)ends >> begin)) {
            ends |= (uint64_t)DOOR_SET(p + second, t->not_domain) << second;
            dots |= (uint64_t)DOOR_EQUAL(p + second, t->dots) << second;
            if (!(ends >> begin))
                continue;
        }
        end = begin + lowest_bit(ends >> begin);
        /* Where there is no dot, the label begins after the solidus. */
        label = highest_bit((dots & (((uint64_t)1 << end) - 1)) | (uint64_t)64 << secure) + 1;
        /* A last label that begins with a letter is not a number. */
        if (label == end || !IS_LOWER(p[label]) || ((ptrdiff_t)end == n ? !host_only : p[end] != '/'))
            continue;
        if (!host_only) {
            uint64_t marks = NAMED(stops)(t, p, second, 0) & ~(uint64_t)1 << end & ~beyond;
            if (!NAMED(passes)(t, text, n, marks, &query, &fragment))
                continue;
        }
        in |= (uint64_t)1 << k;
        row->status = 0;
        if (status_only)
            continue;
        row->arena = -1;
        row->record = door->records[secure];
        row->record.host_end = row->record.path_start = (Offset)end;
        if (host_only) {
            n = row->length = end;
        } else {
            row->record.query_start = query;
            row->record.fragment_start = fragment;
        }
        total += n;
    }
    *length += total;
    return in;
}

/* Which rows are let in: a bit for each. They have a record then, and the length of what is known; other rows stay as they
   are. */
static TARGET uint64_t NAMED(door)(ParsedRow *rows, int count, const Door *door, int64_t *length)
{
    if (door->status_only)
        return NAMED(let_in)(rows, count, door, length, 1, 1);
    if (door->host_only)
        return NAMED(let_in)(rows, count, door, length, 0, 1);
    return NAMED(let_in)(rows, count, door, length, 0, 0);
}

#undef MASK_64
#undef STOP_32
#undef DOT_32
#undef SOLIDUS_32
#undef DoorVector
#undef DOOR_TABLE
#undef DOOR_ALL
#undef DOOR_KEEP
#undef DOOR_SET
#undef DOOR_EQUAL
