/* The kernels for one instruction set, whose macros kernels.h defines. What is left at the end, less than a vector, is
   read with the bytes before it; an input that is shorter than a vector goes to the table loops. */

static TARGET ptrdiff_t NAMED(run)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, uint16_t class)
{
    Chunk low, high;
    Mask found;
    if (n < WIDTH)
        return run_plain(p, i, n, class);
    low = TABLE(low_halves[lowest_bit(class)]);
    high = TABLE(high_halves);
    for (; n - i >= WIDTH; i += WIDTH) {
        found = FOUND(IN_SET(LOAD(p + i), low, high));
        if (found)
            return i + lowest_bit(found) / MASK_BITS;
    }
    if (i == n)
        return n;
    found = FOUND(IN_SET(LOAD(p + n - WIDTH), low, high)) >> MASK_BITS * (WIDTH - (n - i));
    return found ? i + lowest_bit(found) / MASK_BITS : n;
}

static TARGET ptrdiff_t NAMED(domain)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n, ptrdiff_t *label)
{
    Chunk v, low, high;
    Mask found, dots;
    unsigned seen;
    *label = i;
    if (n < WIDTH)
        return domain_plain(p, i, n, label);
    low = TABLE(low_halves[lowest_bit(CLASS_NOT_DOMAIN)]);
    high = TABLE(high_halves);
    for (; n - i >= WIDTH; i += WIDTH) {
        v = LOAD(p + i);
        found = FOUND(IN_SET(v, low, high));
        dots = EQUAL_BYTES(EQUALS(v, '.'));
        if (found)
            goto end;
        if (dots)
            *label = i + highest_bit(dots) / MASK_BITS + 1;
    }
    if (i == n)
        return n;
    seen = MASK_BITS * (unsigned)(WIDTH - (n - i));
    v = LOAD(p + n - WIDTH);
    found = FOUND(IN_SET(v, low, high)) >> seen;
    dots = EQUAL_BYTES(EQUALS(v, '.')) >> seen;
end:
    dots &= found - 1 & ~found; /* those before it */
    if (dots)
        *label = i + highest_bit(dots) / MASK_BITS + 1;
    return found ? i + lowest_bit(found) / MASK_BITS : n;
}

static TARGET ptrdiff_t NAMED(path)(const uint8_t *p, ptrdiff_t i, ptrdiff_t n)
{
    Chunk low, high;
    Mask found;
    if (n <= WIDTH)
        return path_plain(p, i, n);
    low = TABLE(low_halves[lowest_bit(CLASS_PATH_STOP)]);
    high = TABLE(high_halves);
#define PATH_STOPS(at) \
    FOUND(OR(IN_SET(LOAD(at), low, high), \
             AND(OR(EQUALS(LOAD(at), '.'), EQUALS(LOAD(at), '%')), EQUALS(LOAD((at) - 1), '/'))))
    for (; n - i >= WIDTH; i += WIDTH) {
        found = PATH_STOPS(p + i);
        if (found)
            return i + lowest_bit(found) / MASK_BITS;
    }
    if (i == n)
        return n;
    found = PATH_STOPS(p + n - WIDTH) >> MASK_BITS * (WIDTH - (n - i));
    return found ? i + lowest_bit(found) / MASK_BITS : n;
}
#undef PATH_STOPS

static const Kernels NAMED(kernels) = {NAMED(run), NAMED(domain), NAMED(path), INSTRUCTION_SET};
