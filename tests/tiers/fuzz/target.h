/* What libFuzzer calls first: it starts Python, and imports the target, which is a module of the program. */
#ifndef WEBURL_FUZZ_TARGET_H
#define WEBURL_FUZZ_TARGET_H

#include <Python.h>

#define FUZZ_TARGET(name)                               \
    PyMODINIT_FUNC PyInit_##name(void);                 \
    int LLVMFuzzerInitialize(int *argc, char ***argv)   \
    {                                                   \
        PyImport_AppendInittab(#name, PyInit_##name);   \
        Py_Initialize();                                \
        if (!PyImport_ImportModule(#name)) {            \
            PyErr_Print();                              \
            abort();                                    \
        }                                               \
        PyEval_SaveThread();                            \
        return 0;                                       \
    }

#endif
