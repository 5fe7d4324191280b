from libc.stdint cimport int32_t, uint8_t

from weburl._patterns.matcher cimport Patterns
from weburl._patterns.routes cimport Routes


# A group of a pattern that a column has.
ctypedef struct Group:
    const uint8_t* name
    Py_ssize_t length
    int component
    int32_t place               # among all groups of the pattern


# One of the patterns.
ctypedef struct Target:
    const uint8_t* key
    Py_ssize_t length
    const Group* groups
    int32_t group_count


# What rows are matched against: a pattern, or a list of them.
ctypedef struct Matches:
    const Patterns* pattern     # or NULL, and then:
    const Routes* routes
    Target* targets             # one for each pattern
    int32_t* columns            # for each pattern, which of its groups each column of a group has, or -1
    int32_t column_count
    int32_t most_spans          # of any pattern, how many groups it has at all,
    int32_t most_groups         # and how many of them are in columns


cdef class Matching:
    cdef Matches matches
    cdef readonly tuple columns     # the names of the columns of groups
    cdef readonly bint host_only    # nothing after the port is looked at
    cdef Group* groups
    cdef list kept
