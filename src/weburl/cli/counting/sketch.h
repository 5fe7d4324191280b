/* What counts are summed up by: the k-th of many numbers, how many different hashes there are, and buckets of numbers. */
#ifndef WEBURL_SKETCH_H
#define WEBURL_SKETCH_H

#include <math.h>

#include "bits.h"

/* The k-th of the numbers, from the smallest; it changes their order. A pivot is chosen at random, so that no order of
   them is slow. */
static inline int64_t select_number(int64_t *numbers, ptrdiff_t n, ptrdiff_t k, uint64_t state)
{
    ptrdiff_t begin = 0, end = n - 1;
    while (begin < end) {
        ptrdiff_t i = begin, j = end;
        int64_t pivot;
        state = state * 6364136223846793005u + 1442695040888963407u;
        pivot = numbers[begin + (ptrdiff_t)((state >> 33) % (uint64_t)(end - begin + 1))];
        while (i <= j) {
            while (numbers[i] < pivot)
                i++;
            while (numbers[j] > pivot)
                j--;
            if (i <= j) {
                int64_t number = numbers[i];
                numbers[i++] = numbers[j];
                numbers[j--] = number;
            }
        }
        if (k <= j)
            end = j;
        else if (k >= i)
            begin = i;
        else
            break;
    }
    return numbers[k];
}

/* https://doi.org/10.46298/dmtcs.3545 (HyperLogLog) */
#define REGISTER_BITS 14
#define REGISTERS (1 << REGISTER_BITS)

static inline void put_register(uint8_t *registers, uint64_t hash)
{
    uint64_t rest = hash << REGISTER_BITS;
    uint8_t rank = (uint8_t)(rest ? 64 - highest_bit(rest) : 65 - REGISTER_BITS);
    uint8_t *place = registers + (hash >> (64 - REGISTER_BITS));
    if (rank > *place)
        *place = rank;
}

static inline double estimate_of_registers(const uint8_t *registers)
{
    double m = REGISTERS, inverse = 0, estimate;
    int i, zeros = 0;
    for (i = 0; i < REGISTERS; i++) {
        inverse += ldexp(1, -registers[i]);
        zeros += registers[i] == 0;
    }
    estimate = 0.7213 / (1 + 1.079 / m) * m * m / inverse;
    return zeros && estimate <= 2.5 * m ? m * log(m / zeros) : estimate;
}

/* The number of a bucket, for a number that is not negative: numbers with the same exponent and the same first bits
   share one. Integers below 128 have their own; of the others, the least of a bucket is at most 1.6 % below each. */
#define BUCKET_SHIFT 46

static inline uint32_t bucket_of(double number)
{
    uint64_t word;
    memcpy(&word, &number, 8);
    return (uint32_t)(word >> BUCKET_SHIFT);
}

static inline double least_of_bucket(uint32_t bucket)
{
    uint64_t word = (uint64_t)bucket << BUCKET_SHIFT;
    double number;
    memcpy(&number, &word, 8);
    return number;
}

/* A decimal number, also with an exponent, and with quotes as in JSON; -1 for what is not one, or is negative. */
static inline double read_number(const uint8_t *p, ptrdiff_t n)
{
    const uint8_t *end = p + n;
    double number = 0, scale = 1;
    int digits = 0, is_fraction = 0, exponent = 0, sign = 1;
    if (n >= 2 && *p == '"' && end[-1] == '"') {
        p++;
        end--;
    }
    for (; p < end; p++) {
        if (*p >= '0' && *p <= '9') {
            number = number * 10 + (*p - '0');
            scale *= is_fraction ? 10 : 1;
            digits++;
        } else if (*p == '.' && !is_fraction) {
            is_fraction = 1;
        } else {
            break;
        }
    }
    if (digits == 0 || digits > 300)
        return -1;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '-' || *p == '+'))
            sign = *p++ == '-' ? -1 : 1;
        if (p == end)
            return -1;
        while (p < end && *p >= '0' && *p <= '9' && exponent < 1000)
            exponent = exponent * 10 + (*p++ - '0');
    }
    number = number / scale * pow(10, sign * exponent);
    return p == end && number <= 1e300 ? number : -1;
}
#endif
