from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM

cdef extern from "Python.h":
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf)
    PyTypeObject PyType_Type

ctypedef object (*Vectorcall)(object, PyObject**, size_t, PyObject*)

cdef extern from *:
    """
    #define weburl_set_vectorcall(type, function) \\
        ((void)(((PyTypeObject *)(type))->tp_vectorcall = (vectorcallfunc)(void (*)(void))(function)))
    #define weburl_set_attribute(type, name, value) \\
        (PyDict_SetItem(((PyTypeObject *)(type))->tp_dict, name, value) < 0 ? -1 : (PyType_Modified((PyTypeObject *)(type)), 0))
    #define weburl_call_type(type, arguments, keywords) PyType_Type.tp_call(type, arguments, keywords)
    """
    # Calls of a class, but not of its subclasses, go to the function: https://peps.python.org/pep-0590/
    void set_vectorcall "weburl_set_vectorcall" (type cls, Vectorcall function)
    int set_attribute "weburl_set_attribute" (type cls, str name, object value) except -1
    object call_type "weburl_call_type" (object cls, tuple arguments, PyObject* keywords)


# Calls a class in the usual way, with a tuple and a dict.
cdef inline object call_slowly(object cls, PyObject** args, size_t nargsf, PyObject* names):
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef tuple arguments = PyTuple_New(n)
    cdef dict keywords
    for i in range(n):
        Py_INCREF(<object> args[i])
        PyTuple_SET_ITEM(arguments, i, <object> args[i])
    if names == NULL:
        return call_type(cls, arguments, NULL)
    keywords = {}
    for name in <tuple> names:
        keywords[name] = <object> args[n]
        n += 1
    return call_type(cls, arguments, <PyObject*> keywords)
