/* The kernels for one width of one instruction set, whose macros kernels.h defines. Each step looks at WIDTH bytes; the
   last one begins early enough to end with the input, and leaves out what has been seen. Shorter inputs go to the kernels
   that are NARROWER; marks() looks at the first and the last EIGHTS of some of them. */

static TARGET ptrdiff_t NAMED(run)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class)
{
    Chunk low, high;
    if (n < WIDTH)
        return NARROWER(run)(p, i, n, class);
    low = TABLE(low_halves[lowest_bit(class)]);
    high = TABLE(high_halves);
    while (i < n) {
        ptrdiff_t at = i < n - WIDTH ? i : n - WIDTH;
        Mask found = IN_SET(p + at, low, high) >> MASK_BITS * (i - at);
        if (found)
            return i + lowest_bit(found) / MASK_BITS;
        i = at + WIDTH;
    }
    return n;
}

static TARGET ptrdiff_t NAMED(domain)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, ptrdiff_t *label)
{
    Chunk low, high;
    if (n < WIDTH)
        return NARROWER(domain)(p, i, n, label);
    *label = i;
    low = TABLE(low_halves[lowest_bit(CLASS_NOT_DOMAIN)]);
    high = TABLE(high_halves);
    while (i < n) {
        ptrdiff_t at = i < n - WIDTH ? i : n - WIDTH;
        Mask found = IN_SET(p + at, low, high) >> MASK_BITS * (i - at);
        Mask dots = EQUAL(p + at, '.') >> MASK_BITS * (i - at);
        dots &= (found - 1) & ~found; /* those before what was found */
        if (dots)
            *label = i + highest_bit(dots) / MASK_BITS + 1;
        if (found)
            return i + lowest_bit(found) / MASK_BITS;
        i = at + WIDTH;
    }
    return n;
}

static TARGET ptrdiff_t NAMED(path)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n)
{
    Chunk low, high;
    /* The byte before the first is looked at, too. */
    if (n <= WIDTH)
        return NARROWER(path)(p, i, n);
    low = TABLE(low_halves[lowest_bit(CLASS_PATH_STOP)]);
    high = TABLE(high_halves);
    while (i < n) {
        ptrdiff_t at = i < n - WIDTH ? i : n - WIDTH;
        Mask found = IN_SET_OR_DOT(p + at, low, high) >> MASK_BITS * (i - at);
        if (found)
            return i + lowest_bit(found) / MASK_BITS;
        i = at + WIDTH;
    }
    return n;
}

static TARGET uint64_t NAMED(marks)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class)
{
    Chunk low, high;
    ptrdiff_t k, end = n - i < 64 ? n : i + 64;
    uint64_t marks = 0;
    if (n < WIDTH && (WIDTH > 16 || n < 8))
        return NARROWER(marks)(p, i, n, class);
    low = TABLE(low_halves[lowest_bit(class)]);
    high = TABLE(high_halves);
    if (n < WIDTH) {
        marks = BITS(SET_OF(EIGHTS(p, p + n - 8), low, high));
        return ((marks & 0xFF) | marks >> 8 << (n - 8)) >> i;
    }
    for (k = i; k < end; k += WIDTH) {
        ptrdiff_t at = k < n - WIDTH ? k : n - WIDTH;
        Mask found = IN_SET(p + at, low, high) >> MASK_BITS * (k - at);
        marks |= (uint64_t)BITS(found) << (k - i);
    }
    return marks;
}
