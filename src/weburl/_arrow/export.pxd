# A batch as the structs of Arrow's C data interface, for Polars, which takes these instead of capsules.

from weburl._arrow.arrow cimport ArrowArray, ArrowSchema
from weburl._arrow.batch cimport Batch

cdef int export_schema(Batch batch, ArrowSchema* out) except -1
cdef int export_batch(Batch batch, ArrowArray* out) except -1
