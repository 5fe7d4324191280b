from weburl._columns.arrow cimport ArrowArray, ArrowSchema
from weburl._columns.batch cimport Batch

cdef int export_schema(Batch batch, ArrowSchema* out) except -1
cdef int export_batch(Batch batch, ArrowArray* out) except -1
