# What Cython has no words for, of types: calls without a tuple, and what a class takes over from its base. For URL,
# URLSearchParams and URL.build.

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
    // Descriptors of a base check that an object is of a subclass, which takes time; and what Cython makes for a subclass
    // in another module calls the base. So this class gets both for itself. A class without fields needs nothing else.
    static CYTHON_UNUSED int weburl_inherit(PyTypeObject *type, PyTypeObject *base) {
        PyObject *name, *value, *own;
        Py_ssize_t i = 0;
        type->tp_new = base->tp_new;
        type->tp_dealloc = base->tp_dealloc;
        type->tp_traverse = base->tp_traverse;
        type->tp_clear = base->tp_clear;
        while (PyDict_Next(base->tp_dict, &i, &name, &value)) {
            if (PyDict_Contains(type->tp_dict, name))
                continue;
            if (Py_IS_TYPE(value, &PyGetSetDescr_Type))
                own = PyDescr_NewGetSet(type, ((PyGetSetDescrObject *)value)->d_getset);
            else if (Py_IS_TYPE(value, &PyMethodDescr_Type))
                own = PyDescr_NewMethod(type, ((PyMethodDescrObject *)value)->d_method);
            else
                continue;
            if (own == NULL || PyDict_SetItem(type->tp_dict, name, own) < 0) {
                Py_XDECREF(own);
                return -1;
            }
            Py_DECREF(own);
        }
        PyType_Modified(type);
        return 0;
    }
    #define weburl_has_new_of(type, base) (((PyTypeObject *)(type))->tp_new == ((PyTypeObject *)(base))->tp_new)
    #define weburl_new_object(type, arguments) (((PyTypeObject *)(type))->tp_new((PyTypeObject *)(type), arguments, NULL))
    #define weburl_delete_attribute(self, name) PyObject_GenericSetAttr(self, name, NULL)
    #define weburl_call_type(type, arguments, keywords) PyType_Type.tp_call(type, arguments, keywords)
    """
    # Calls of a class, but not of its subclasses, go to the function: https://peps.python.org/pep-0590/
    void set_vectorcall "weburl_set_vectorcall" (type cls, Vectorcall function)
    int set_attribute "weburl_set_attribute" (type cls, str name, object value) except -1
    int inherit "weburl_inherit" (PyTypeObject* cls, PyTypeObject* base) except -1
    bint has_new_of "weburl_has_new_of" (object cls, type base)
    object new_object "weburl_new_object" (object cls, tuple arguments)
    # What `del` does if nothing else is said.
    int delete_attribute "weburl_delete_attribute" (object self, object name) except -1
    object call_type "weburl_call_type" (object cls, tuple arguments, PyObject* keywords)


# Calls a class in the usual way, with a tuple and a dict.
cdef inline object call_slowly(object cls, PyObject** args, size_t nargsf, PyObject* names):
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf), i
    cdef tuple arguments = PyTuple_New(n)
    cdef dict keywords = None
    for i in range(n):
        Py_INCREF(<object> args[i])
        PyTuple_SET_ITEM(arguments, i, <object> args[i])
    if names != NULL:
        keywords = {}
        for name in <tuple> names:
            keywords[name] = <object> args[n]
            n += 1
    try:
        return call_type(cls, arguments, NULL if keywords is None else <PyObject*> keywords)
    except TypeError as error:
        from weburl._advice import unknown_keyword
        raise unknown_keyword(cls, error) from None
