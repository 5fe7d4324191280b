/* Prints what bits.h computes with the types of GCC, or without them as for Microsoft's compiler. */
#include <stdio.h>

#include "bits.h"

int main(void)
{
    uint64_t sum = 0, a = 1, b = 2;
    int i;
    for (i = 0; i < 1000000; i++) {
        a = a * 6364136223846793005 + 1442695040888963407;
        b = b * 3935559000370003845 + 2691343689449507681;
        sum = sum * 31 + folded_product(a >> (i % 64), i % 3 ? b : b | (uint64_t)0xFFFFFFFF << (i % 33));
    }
    printf("%llx\n", (unsigned long long)sum);
    return 0;
}
