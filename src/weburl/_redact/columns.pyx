"""The columns without secrets: redacted URLs and texts, how many secrets each URL hides, templates of paths, and keys of
traps. Also values that have names, such as attributes."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memset

from weburl._arrow.batch cimport NUMBERS, Batch, ColumnBuffers
from weburl._arrow.columns cimport (
    BLOCK_ROWS, WHOLE_URL, Block, Field, ParsedRow, VerbState, Worker, bound, check_signals, component, field,
    keep_error, run_parser, verb_state, with_arguments,
)
from weburl._arrow.input cimport RowText
from weburl._arrow.job cimport move_row
from weburl._core.ascii cimport is_digit
from weburl._core.buffer cimport OMITTED, PY_SSIZE_T_MAX, Buffer, push, push_run, release, reserve, start
from weburl._core.parser cimport Parser, close_parser, open_parser
from weburl._core.percent cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, ascii_text, raise_for, utf8_text
from weburl._core.record cimport HREF, QUERY as URL_QUERY, Record, Span, URLView, clear_record, span, view_text
from weburl._core.status cimport NO_MEMORY, OK, RAISED, TOO_LONG, Status
from weburl._core.texts cimport output_encoding
from weburl._crawl.canonical cimport href_of
from weburl._crawl.policy cimport (
    NAME_DECODED, QUERY_ESCAPED, Parameter, ParameterList, Policy, Rules, close_list, contains, open_list, policy_in_use,
    push_respelled, sort_parameters,
)
from weburl._parsed cimport failure
from weburl._redact.redact cimport (
    KINDS, LogPolicy, Names, ends, is_word, log_policy_in_use, next_query_mark, path_policy_in_use, push_template, push_url_of_path,
    redact_text_into, redact_url, redacted_anyway,
)

from weburl._redact.secrets import KINDS as KIND_NAMES
from weburl.errors import InvalidURL

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

# How redact_each() reads a text.
cdef enum Shape:
    ANY_TEXT, THE_URL, PATH, QUERY, FRAGMENT, OTHER, KEPT

SHAPES = (ANY_TEXT, THE_URL, PATH, QUERY, FRAGMENT, OTHER, KEPT)


# How many secrets of each kind are hidden in the rows of a block.
ctypedef struct RedactState:
    const Names* names
    Py_ssize_t[BLOCK_ROWS * <int> KINDS] counts


cdef void* open_redact_state(const void* shared) noexcept nogil:
    cdef RedactState* self = <RedactState*> malloc(sizeof(RedactState))
    if self != NULL:
        self.names = <const Names*> shared
    return self


cdef Status redact_row(void* state, Worker* worker, Batch batch, ParsedRow* row) except RAISED nogil:
    cdef RedactState* self = <RedactState*> state
    cdef Py_ssize_t* counts = self.counts + KINDS * (row - worker.block.rows)
    cdef URLView url
    view_row(&url, batch, row)
    worker.result.length = 0
    memset(counts, 0, KINDS * sizeof(Py_ssize_t))
    if not redact_url(&worker.result, &worker.base_buffer, &url, self.names, counts) and not worker.result.status:
        return OK
    return take_result(worker, batch, row)


# A text that does not parse.
cdef Status redact_text(
    void* state, Worker* worker, Batch batch, const RowText* text, ParsedRow* row
) except RAISED:
    cdef RedactState* self = <RedactState*> state
    cdef Py_ssize_t* counts = self.counts + KINDS * (row - worker.block.rows)
    cdef str result
    check_signals(worker)
    memset(counts, 0, KINDS * sizeof(Py_ssize_t))
    try:
        result = redacted_anyway(utf8_text(text.data, text.length), self.names, counts)
    except InvalidURL:
        return TOO_LONG
    return take_text(worker, batch, row, result)


# As in the worker: what raises is called as if it did not, so that the exception can be kept.
ctypedef Status (*Rescue)(void*, Worker*, Batch, const RowText*, ParsedRow*) noexcept


cdef Status rescue_redacted(
    void* state, Worker* worker, Batch batch, const RowText* text, ParsedRow* row, Status status
) noexcept nogil:
    with gil:
        status = (<Rescue> redact_text)(state, worker, batch, text, row)
        if status == RAISED:
            keep_error(worker)
            return NO_MEMORY
    return status


# A text that does not parse can be a path. With a base, a path is relative to it.
cdef Status rescue_template(
    void* state, Worker* worker, Batch batch, const RowText* text, ParsedRow* row, Status status
) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Parser* parser = &worker.parser
    cdef Buffer joined
    cdef URLView url
    cdef Status of_path
    if text.length == 0 or text.data[0] != c'/' or worker.base.href != NULL:
        return status
    start(&joined, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    push_url_of_path(&joined, text.data, text.length)
    of_path = joined.status
    if of_path == OK:
        open_parser(parser, joined.data, joined.length, NULL, True)
        of_path = run_parser(worker, parser)
        if of_path == OK:
            url.href = parser.out.data
            url.length = parser.out.length
            url.record = parser.record
            worker.result.length = 0
            push_template(&worker.result, &worker.base_buffer, &url, <const Names*> state)
            clear_record(&row.record)
            of_path = take_result(worker, batch, row)
        close_parser(parser)
    release(&joined)
    return of_path if of_path == OK or of_path == NO_MEMORY else status


cdef inline Status take_text(Worker* worker, Batch batch, ParsedRow* row, str text) noexcept:
    clear_record(&row.record)
    row.length = PyUnicode_GET_LENGTH(text)
    return move_row(worker, batch, <const uint8_t*> PyUnicode_DATA(text), row)


cdef Status template_row(void* state, Worker* worker, Batch batch, ParsedRow* row) except RAISED nogil:
    cdef URLView url
    view_row(&url, batch, row)
    worker.result.length = 0
    push_template(&worker.result, &worker.base_buffer, &url, <const Names*> state)
    return take_result(worker, batch, row)


# One key for the pages of a trap, such as a calendar: the template of the path and the names of the query.

cdef enum:
    LONGEST_REPEAT = 8      # segments
    FEW_SEGMENTS = 64       # room for them without malloc


# What placeholders stand for, and which parameters do not count.
ctypedef struct TrapRules:
    const Names* names
    const Rules* rules


# Keeps one of segments, or runs of segments, that follow themselves, from there on. Where each one begins is kept, as
# a search for it could read a long one many times.
cdef void fold(Buffer* out, Py_ssize_t begin) noexcept nogil:
    cdef uint8_t* p = out.data + begin
    cdef Py_ssize_t n = out.length - begin, i, to = 0, slashes = 0, depth = 0, one, other
    cdef Py_ssize_t[FEW_SEGMENTS] few
    cdef Py_ssize_t* starts = few
    cdef int count
    for i in range(n):
        slashes += p[i] == c'/'
    if slashes > FEW_SEGMENTS:
        starts = <Py_ssize_t*> malloc(slashes * sizeof(Py_ssize_t))
        if starts == NULL:
            out.status = NO_MEMORY
            return
    for i in range(n):
        if p[i] == c'/':
            starts[depth] = to
            depth += 1
        p[to] = p[i]
        to += 1
        if i + 1 < n and p[i + 1] != c'/':
            continue
        for count in range(1, LONGEST_REPEAT + 1):
            if 2 * count > depth:
                break
            one = starts[depth - count]
            other = starts[depth - 2 * count]
            if to - one == one - other and memcmp(p + one, p + other, to - one) == 0:
                to = one
                depth -= count
                break
    out.length = begin + to
    if starts != few:
        free(starts)


# A name, with each run of digits as one word.
cdef void push_name(Buffer* out, Buffer* spelled, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    spelled.length = 0
    push_respelled(spelled, p, n, QUERY_ESCAPED, NAME_DECODED)
    for i in range(spelled.length):
        # Not those of an escape.
        if not is_digit(spelled.data[i]) or (i and spelled.data[i - 1] == c'%') or (i > 1 and spelled.data[i - 2] == c'%'):
            push(out, spelled.data[i])
        elif i == 0 or out.data[out.length - 1] != c'}':
            push_run(out, b"{int}", 5)


cdef void push_names(Buffer* out, Buffer* spelled, const URLView* url, const TrapRules* self) noexcept nogil:
    cdef uint8_t[512] scratch
    cdef Buffer names
    cdef ParameterList parameters
    cdef Parameter* parameter
    cdef Parameter given
    cdef Span s = span(&url.record, url.length, URL_QUERY)
    cdef const uint8_t* p = url.href + s.start
    cdef const uint8_t* end
    cdef Py_ssize_t n = s.end - s.start, i = 0, begin, last = -1
    if not open_list(&parameters, p, n):
        out.status = NO_MEMORY
        return
    # A compiler does not see that nothing reads the rest of it.
    memset(&names, 0, sizeof(names))
    start(&names, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    # Room for all, so that nothing moves.
    if reserve(&names, 5 * n):
        while i <= n:
            given.p = p + i
            end = <const uint8_t*> memchr(given.p, c'&', n - i)
            given.length = n - i if end == NULL else end - given.p
            i += given.length + 1
            end = <const uint8_t*> memchr(given.p, c'=', given.length)
            given.name_length = given.length if end == NULL else end - given.p
            if given.name_length == 0 or contains(
                &self.rules.parameters, given.p, given.name_length, &given, url
            ):
                continue
            begin = names.length
            push_name(&names, spelled, given.p, given.name_length)
            parameter = parameters.items + parameters.count
            parameter.p = names.data + begin
            parameter.length = parameter.name_length = names.length - begin
            parameters.count += 1
        sort_parameters(parameters.items, parameters.count, parameters.items + parameters.count)
        for i in range(parameters.count):
            parameter = parameters.items + i
            if last >= 0 and parameter.length == parameters.items[last].length and memcmp(
                parameter.p, parameters.items[last].p, parameter.length
            ) == 0:
                continue
            push(out, c'?' if last < 0 else c'&')
            push_run(out, parameter.p, parameter.length)
            last = i
    out.status = out.status or names.status
    close_list(&parameters)
    release(&names)


cdef void push_trap_key(Buffer* out, Buffer* spelled, const URLView* url, const TrapRules* self) noexcept nogil:
    cdef Py_ssize_t begin
    if url.record.host_type:
        push_run(out, url.href + url.record.host_start, url.record.path_start - url.record.host_start)
    begin = out.length
    push_template(out, spelled, url, self.names)
    if out.status == OK:
        fold(out, begin)
    if url.record.query_start != OMITTED:
        push_names(out, spelled, url, self)
    out.status = out.status or spelled.status


cdef class TrapKeys:
    """The rules of trap keys, which are those of `paths/1` and `crawl/1`."""
    cdef LogPolicy paths
    cdef Policy policy
    cdef TrapRules rules

    def __cinit__(self):
        self.paths = path_policy_in_use("paths/1")
        self.policy = policy_in_use("crawl/1")
        self.rules.names = &self.paths.names
        self.rules.rules = &self.policy.rules


cdef Status trap_row(void* state, Worker* worker, Batch batch, ParsedRow* row) except RAISED nogil:
    cdef URLView url
    view_row(&url, batch, row)
    worker.result.length = 0
    push_trap_key(&worker.result, &worker.base_buffer, &url, <const TrapRules*> state)
    return take_result(worker, batch, row)


cdef inline void view_row(URLView* url, Batch batch, const ParsedRow* row) noexcept nogil:
    url.href = row.href if row.arena < 0 else batch.arena + row.arena
    url.length = row.length
    url.record = row.record


# The result is the text of the row.
cdef inline Status take_result(Worker* worker, Batch batch, ParsedRow* row) noexcept nogil:
    cdef Buffer* result = &worker.result
    if result.status == TOO_LONG:
        result.status = OK
        return TOO_LONG
    if result.status:
        return NO_MEMORY
    row.length = result.length
    return move_row(worker, batch, result.data, row)


# Texts of any kind.
cdef Status redact_any_text(
    void* state, Worker* worker, Batch batch, const RowText* text, const URLView* base, ParsedRow* row
) except RAISED nogil:
    worker.result.length = worker.base_buffer.length = 0
    if redact_text_into(
        &worker.result, &worker.base_buffer, text.data, text.length, <const Names*> state, NULL
    ) or worker.result.status:
        return take_result(worker, batch, row)
    row.length = text.length
    return move_row(worker, batch, text.data, row)


# How many secrets of the column's kind are hidden.
cdef Status put_redactions(void* state, Batch batch, ColumnBuffers* column, Worker* worker) except RAISED nogil:
    cdef const RedactState* self = <const RedactState*> state
    cdef const Block* block = &worker.block
    cdef uint64_t* numbers = <uint64_t*> column.slots + column.count
    cdef int i
    for i in range(block.count):
        numbers[i] = self.counts[KINDS * i + column.part] if block.ok >> i & 1 else 0
    column.count += block.count
    return OK


cdef Field count(str name, int kind):
    cdef Field self = field(name, NUMBERS, WHOLE_URL, False, put_redactions, f"how many secrets are hidden: {name}")
    self.part = kind
    return self


cdef Field any_text(str name, str doc):
    cdef Field self = component(name, HREF, WHOLE_URL, False, doc)
    self.is_any_text = True
    return self


FIELDS = {each.name: with_arguments(each) for each in (
    component("redacted", HREF, WHOLE_URL, False, "the URL without its secrets"),
    component("template", HREF, WHOLE_URL, False, "the template of the path"),
    component("trap_key", HREF, WHOLE_URL, False, "one key for the pages of a trap"),
    any_text("redacted_text", "the text without its secrets"),
    *[count(name, kind) for kind, name in enumerate(KIND_NAMES)],
)}


def redactions(policy, names=("redacted",)):
    """Fields by their names: that of redacted URLs, and those of how many secrets of each kind are hidden."""
    cdef LogPolicy used = log_policy_in_use(policy)
    cdef VerbState state = verb_state(used, &used.names)
    state.open = open_redact_state
    state.change_row = redact_row
    state.rescue_row = rescue_redacted
    state.hides = True
    return tuple([bound(FIELDS[name], state) for name in names])


def templates(policy):
    """The field of templates of paths."""
    cdef LogPolicy used = path_policy_in_use(policy)
    cdef VerbState state = verb_state(used, &used.names)
    state.change_row = template_row
    state.rescue_row = rescue_template
    state.hides = True
    return bound(FIELDS["template"], state)


def trap_keys():
    """The field of keys for traps."""
    cdef TrapKeys keys = TrapKeys()
    cdef VerbState state = verb_state(keys, &keys.rules)
    state.change_row = trap_row
    state.hides = True
    return bound(FIELDS["trap_key"], state)


def redacted_texts(policy):
    """The field of texts without their secrets."""
    cdef LogPolicy used = log_policy_in_use(policy)
    cdef VerbState state = verb_state(used, &used.names)
    state.make_row = redact_any_text
    state.hides = True
    return bound(FIELDS["redacted_text"], state)


cdef enum:
    # Of letters, digits, dots and dashes, a shorter text has no key, no address of a path and no name with a value.
    SHORTEST_SECRET = 13


cdef inline bint is_short_word(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if n >= SHORTEST_SECRET:
        return False
    for i in range(n):
        if not (is_word(p[i]) or p[i] == c'.'):
            return False
    return True


# A text without its secrets: the same object if it has none. Such texts are short, so no other thread runs meanwhile.
cdef object without_secrets(str text, LogPolicy used):
    cdef bytes octets
    cdef const uint8_t* p
    cdef Py_ssize_t n
    cdef uint8_t[1024] scratch, decoded_scratch
    cdef Buffer out, decoded
    if PyUnicode_IS_ASCII(text):
        p = <const uint8_t*> PyUnicode_DATA(text)
        n = PyUnicode_GET_LENGTH(text)
        if is_short_word(p, n):
            return text
    else:
        octets = text.encode("utf-8", "surrogatepass")
        p = octets
        n = len(octets)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&decoded, decoded_scratch, sizeof(decoded_scratch), PY_SSIZE_T_MAX)
    try:
        changed = redact_text_into(&out, &decoded, p, n, &used.names, NULL)
        raise_for(&out)
        return out.data[:out.length].decode("utf-8", "surrogatepass") if changed else text
    finally:
        release(&out)
        release(&decoded)


# Whether a text has something that would end a URL in a text, or a path that begins with an authority.
cdef bint has_end(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if ends[p[i]] or p[i] == c'\\':
            return True
    return n > 1 and p[0] == c'/' and p[1] == c'/'


# A text that is a URL or a part of one, without its secrets. None if something in it would end a URL in a text.
cdef object redacted_in_full(str text, int shape, LogPolicy used):
    cdef str before = "/?" if shape == QUERY else "/#" if shape == FRAGMENT else ""
    cdef str whole = before + text if before else text
    cdef bytes octets
    cdef const uint8_t* p
    cdef Py_ssize_t n, added = 0
    if PyUnicode_IS_ASCII(whole):
        p = <const uint8_t*> PyUnicode_DATA(whole)
        n = PyUnicode_GET_LENGTH(whole)
    else:
        octets = whole.encode("utf-8", "surrogatepass")
        p = octets
        n = len(octets)
    if has_end(p, n):
        return None
    if shape == PATH and next_query_mark(p, 0, n) == n:
        whole += "?"
        added = 1
    shown = without_secrets(whole, used)
    if shown is whole:
        return text
    return shown[len(before):len(shown) - added] if before or added else shown


def redact_each(list values, bytes shapes, policy):
    """The texts that have secrets, without them, by their places; and the values that are left to the caller."""
    cdef LogPolicy used = log_policy_in_use(policy)
    cdef dict found = {}
    cdef Py_ssize_t place
    cdef int shape
    for place in range(min(len(values), len(shapes))):
        value = values[place]
        shape = shapes[place]
        kind = type(value)
        if shape == KEPT or shape == ANY_TEXT and (value is None or kind is int or kind is bool or kind is float):
            continue
        if kind is str and shape == ANY_TEXT:
            shown = without_secrets(value, used)
        elif kind is str and shape != OTHER:
            shown = redacted_in_full(value, shape, used)
        else:
            shown = None
        if shown is not value:
            found[place] = shown
    return found


def trap_key(url, *, encoding="utf-8"):
    """The key of `weburl.crawl.trap_key`."""
    cdef TrapKeys keys = TrapKeys()
    cdef uint8_t[1024] scratch, spelled_scratch
    cdef Buffer out, spelled
    cdef Record record
    cdef URLView view
    cdef Status status = OK
    cdef str href = href_of(url, None if encoding == "utf-8" else output_encoding(encoding), &record, &status)
    if href is None:
        raise failure(url, None, status)
    view_text(&view, href, &record)
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    start(&spelled, spelled_scratch, sizeof(spelled_scratch), PY_SSIZE_T_MAX)
    try:
        push_trap_key(&out, &spelled, &view, &keys.rules)
        raise_for(&out)
        return ascii_text(out.data, out.length)
    finally:
        release(&out)
        release(&spelled)
