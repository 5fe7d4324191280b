from weburl._columns.batch cimport Batch, Column
from weburl._columns.columns cimport Block


# SITE, PUBLIC_SUFFIX and FINGERPRINT. False where memory runs out.
cdef bint put_crawl_column(Batch batch, Column* column, Block* block) noexcept nogil
