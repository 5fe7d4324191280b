# How a piece of the hot core ends. failures.py has the names that users see, in this order.
cdef enum Status:
    RAISED = -1         # only where there is a GIL: a Python exception is set
    OK = 0
    # Failures that the standard names: https://url.spec.whatwg.org/#validation-error
    DOMAIN_TO_ASCII
    HOST_INVALID_CODE_POINT
    IPV4_TOO_MANY_PARTS
    IPV4_NON_NUMERIC_PART
    IPV4_OUT_OF_RANGE_PART
    IPV6_UNCLOSED
    IPV6_INVALID_COMPRESSION
    IPV6_TOO_MANY_PIECES
    IPV6_MULTIPLE_COMPRESSION
    IPV6_INVALID_CODE_POINT
    IPV6_TOO_FEW_PIECES
    IPV4_IN_IPV6_TOO_MANY_PIECES
    IPV4_IN_IPV6_INVALID_CODE_POINT
    IPV4_IN_IPV6_OUT_OF_RANGE_PART
    IPV4_IN_IPV6_TOO_FEW_PARTS
    MISSING_SCHEME_NON_RELATIVE_URL
    HOST_MISSING
    PORT_OUT_OF_RANGE
    PORT_INVALID
    # Ours.
    TOO_LONG            # the serialization would pass the limit
    BASE                # the base does not parse
    INVALID_UTF8        # a text, percent-decoded, is not UTF-8
    LAST_OF_ROWS = INVALID_UTF8         # of those that rows of columns fail with
    IGNORED             # a part that the standard ignores for such a URL
    # Ours, of parts that are given alone.
    SCHEME_INVALID
    RELATIVE_PATH       # a path after a host does not start with a slash
    DOT_SEGMENT         # a segment is . or ..
    # Not failures.
    NO_MEMORY
    NEED_DOMAIN         # the caller maps a domain that is not ASCII, and resumes
    NEED_ENCODE         # the caller encodes a query, and resumes
    HAS_TAB_OR_NEWLINE  # the caller removes them, and starts again
