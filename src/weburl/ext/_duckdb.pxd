from libc.stdint cimport uint8_t, uint64_t

from weburl._arrow.input cimport Pointer, Rows


# What DuckDB finds in the file that it loads.
cdef extern from *:
    """
    #include <stdbool.h>

    typedef struct Access {
        void (*set_error)(void *, const char *);
        void **(*get_database)(void *);
        const void *(*get_api)(void *, const char *);
    } Access;

    Py_EXPORTED_SYMBOL extern int (*weburl_duckdb_load)(void *, const Access *);
    int (*weburl_duckdb_load)(void *, const Access *) = NULL;

    static bool enter(void *info, const Access *access) {
        if (weburl_duckdb_load != NULL) return weburl_duckdb_load(info, access) != 0;
        access->set_error(info, "only weburl.ext.duckdb.register() loads this");
        return false;
    }

    /* A database never loads two files of one name. */
    #define ENTRY(name) \\
        Py_EXPORTED_SYMBOL bool name##_init_c_api(void *, const Access *); \\
        bool name##_init_c_api(void *info, const Access *access) { return enter(info, access); }
    ENTRY(weburl) ENTRY(weburl_1) ENTRY(weburl_2) ENTRY(weburl_3) ENTRY(weburl_4) ENTRY(weburl_5) ENTRY(weburl_6)
    ENTRY(weburl_7) ENTRY(weburl_8) ENTRY(weburl_9)

    #if PY_VERSION_HEX < 0x030D0000
    #define Py_IsFinalizing _Py_IsFinalizing
    #endif
    """
    ctypedef struct Access:
        void (*set_error)(void*, const char*) noexcept nogil
        void** (*get_database)(void*) noexcept nogil
        const void* (*get_api)(void*, const char*) noexcept nogil

    int (*weburl_duckdb_load)(void*, const Access*) noexcept nogil
    bint Py_IsInitialized() nogil
    bint Py_IsFinalizing() nogil


# What is used of DuckDB's API. All of it is functions.
ctypedef struct Api:
    int (*connect)(void* database, void** connection) noexcept nogil
    void (*disconnect)(void** connection) noexcept nogil
    uint64_t (*vector_size)() noexcept nogil
    void* (*create_type)(int type) noexcept nogil
    void* (*create_list_type)(void* type) noexcept nogil
    void* (*create_map_type)(void* key, void* value) noexcept nogil
    void* (*create_struct_type)(void** types, const char** names, uint64_t count) noexcept nogil
    void (*destroy_type)(void** type) noexcept nogil
    uint64_t (*get_column_count)(void* chunk) noexcept nogil
    void* (*get_vector)(void* chunk, uint64_t column) noexcept nogil
    uint64_t (*get_size)(void* chunk) noexcept nogil
    void* (*get_data)(void* vector) noexcept nogil
    uint64_t* (*get_validity)(void* vector) noexcept nogil
    void (*make_validity)(void* vector) noexcept nogil
    void (*assign_string)(void* vector, uint64_t row, const char* text, uint64_t length) noexcept nogil
    void* (*get_list_child)(void* vector) noexcept nogil
    uint64_t (*get_list_size)(void* vector) noexcept nogil
    int (*set_list_size)(void* vector, uint64_t size) noexcept nogil
    int (*reserve_list)(void* vector, uint64_t size) noexcept nogil
    void* (*get_struct_child)(void* vector, uint64_t index) noexcept nogil
    void* (*create_function)() noexcept nogil
    void (*destroy_function)(void** function) noexcept nogil
    void (*set_name)(void* function, const char* name) noexcept nogil
    void (*set_varargs)(void* function, void* type) noexcept nogil
    void (*set_special_handling)(void* function) noexcept nogil
    void (*add_parameter)(void* function, void* type) noexcept nogil
    void (*set_return_type)(void* function, void* type) noexcept nogil
    void (*set_extra_info)(void* function, void* info, void (*destroy)(void*) noexcept nogil) noexcept nogil
    void (*set_function)(void* function, void (*run)(void*, void*, void*) noexcept nogil) noexcept nogil
    void* (*get_extra_info)(void* info) noexcept nogil
    void (*set_error)(void* info, const char* message) noexcept nogil
    void* (*create_set)(const char* name) noexcept nogil
    void (*destroy_set)(void** functions) noexcept nogil
    int (*add_to_set)(void* functions, void* function) noexcept nogil
    int (*register_set)(void* connection, void* functions) noexcept nogil


# A column of texts that are the arguments of rows.
ctypedef struct Texts:
    const Pointer* pointers
    const uint8_t* validity     # or NULL


# The columns of a call, and the rows that have the same arguments.
ctypedef struct Vectors:
    void* chunk
    Rows urls
    Rows bases
    Texts keys
    const Texts* values
    Py_ssize_t count            # of the columns of values
    bint is_constant            # each row has the same key and values
