from libc.stdint cimport int32_t, uint8_t, uint64_t

from weburl._columns.arrow cimport ViewOffset
from weburl._columns.batch cimport Batch, Column
from weburl._core.record cimport FRAGMENT, Record
from weburl._core.status cimport Status
from weburl._core.urlencoded cimport FieldDecoder
from weburl._hosts.suffixes cimport Suffixes


# What a column can hold: a Part, or
cdef enum Field:
    ORIGIN = FRAGMENT + 1
    HOST_TYPE
    ERROR
    VALID               # whether the row parses
    QUERY_GET           # a value of the query
    QUERY_PAIRS
    # Of crawl_columns:
    SITE
    PUBLIC_SUFFIX
    FINGERPRINT         # of the row's text


cdef enum:
    BLOCK = 64                  # rows: the bits of a word
    NULL_ROW = -2               # beside a Status


ctypedef struct Row:
    const uint8_t* href
    Py_ssize_t length
    Py_ssize_t arena            # where it is in the arena, or -1
    int32_t buffer              # for views
    ViewOffset offset           # all of the href is within MAX_VIEW_OFFSET
    Status status               # or NULL_ROW
    Record record


# Rows that are parsed before their columns are written.
ctypedef struct Block:
    Row[BLOCK] rows
    int count
    Py_ssize_t index            # among the blocks
    Py_ssize_t length           # of all texts
    uint64_t ok                 # one bit a row
    uint64_t not_null
    const uint8_t* arena        # where the batch's was when the rows were settled
    # For the columns of queries.
    FieldDecoder decoder
    const uint8_t* key
    Py_ssize_t key_length
    # For the columns of crawl_columns.
    const Suffixes* suffixes
    int bits


# All but ORIGIN and those of crawl_columns. False where memory runs out.
cdef bint put_column(Batch batch, Column* column, Block* block) noexcept nogil

# Where the texts are that are in the arena, which moves when it grows.
cdef void settle(Batch batch, Block* block) noexcept nogil

# One text more for a column of strings. Where `row` is given, the text is part of its href.
cdef bint put_text(Batch batch, Column* column, const uint8_t* p, Py_ssize_t n, const Row* row) noexcept nogil
cdef void put_validity(Column* column, const Block* block, uint64_t valid) noexcept nogil
cdef void put_bits(uint8_t* bits, Py_ssize_t block, uint64_t word) noexcept nogil
cdef int count_bits(uint64_t word) noexcept nogil
