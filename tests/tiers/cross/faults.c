/* What must be reported: a size that is cut to 32 bits, and a shift that is wrong where `long` has 32 bits. */
#include <Python.h>

int narrowed(Py_ssize_t size);
long long shifted(long number);

int narrowed(Py_ssize_t size)
{
    return size;
}

long long shifted(long number)
{
    return number << 32;
}
