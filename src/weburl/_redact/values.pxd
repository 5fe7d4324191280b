from libc.stdint cimport uint8_t


# Whether a word is one of those between line ends, without case.
cdef bint is_one_of(const uint8_t* words, Py_ssize_t length, const uint8_t* p, Py_ssize_t n) noexcept nogil

# These look anywhere in a text without escapes: for the number of a card or an account.
cdef bint has_email(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef bint has_card(const uint8_t* p, Py_ssize_t n) noexcept nogil
# Where the key of a bot begins, which has a colon and 35 bytes after its digits, or -1.
cdef Py_ssize_t find_bot_key(const uint8_t* p, Py_ssize_t n) noexcept nogil
cdef inline bint has_bot_key(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return find_bot_key(p, n) >= 0
# Whether a text begins with base64 of a name, a colon and a password.
cdef bint is_name_and_password(const uint8_t* p, Py_ssize_t n) noexcept nogil
