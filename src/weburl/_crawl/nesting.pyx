"""Where a page is cut into pieces, so that its parser takes linear time.

A tree builder looks through its open elements at most start tags, and through all attributes of a tag for each of
them. Here the tags of a page are read, and the elements counted that it has open: all of them, and some that it has
closed, where its rules are long. Before there are too many, the page is cut.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp

cdef enum:
    MOST_OPEN = 512     # as in Chromium, which has no deeper trees
    MOST_ATTRIBUTES = 256
    SHORT = 8192        # bytes: what can follow where the rules are long, and is not cut
    LONGEST_NAME = 16
    # What the parser may repeat of elements such as `b`, which it opens again after what closes them: so many times the
    # page, and so many bytes besides. An element is worth some bytes more than its tag.
    MOST_REPEATED = 64
    REPEATED_BESIDES = 1 << 20
    ELEMENT = 64

MOST_OPEN_ELEMENTS = MOST_OPEN
MOST_ATTRIBUTES_OF_A_TAG = MOST_ATTRIBUTES

cdef enum Class:
    VOID = 1
    RAW = 2             # its content is text up to its end tag
    CLOSES_P = 4
    CLOSES_IMPLIED = 8  # its end tag closes elements of the class IMPLIED in it
    IMPLIED = 16
    TABLE_PART = 32
    BREAKOUT = 64       # closes foreign elements: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
    HEAD = 128          # may be before a frameset
    FORMATTING = 256    # https://html.spec.whatwg.org/multipage/parsing.html#formatting
    MAY_CLOSE = 512     # its start tag may close elements that have formatting elements in them

# The places of html, head and body are fixed.
cdef enum Name:
    OTHER, A, P, LI, DD, DT, OPTION, TABLE, SECTION, TR, CELL, SVG, MATH, FRAMESET, NOFRAMES, SCRIPT, PLAINTEXT, ROOT
    TEMPLATE, COL, FONT, GLYPH, ANNOTATION_XML, BR, SVG_POINT, MATH_POINT, TITLE, TEXTAREA

ctypedef struct Known:
    uint8_t[LONGEST_NAME] text
    int length
    int classes
    Name name

CLASSES = {
    VOID: "area base br col embed hr img image input link meta source track wbr param keygen basefont bgsound frame",
    RAW: "script style xmp iframe noembed noframes noscript textarea title",
    CLOSES_P: (
        "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup "
        "main menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing li dd dt xmp hr"
    ),
    CLOSES_IMPLIED: (
        "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header "
        "hgroup listing main menu nav ol pre search section summary ul"
    ),
    IMPLIED: "dd dt li optgroup option p rb rp rt rtc",
    TABLE_PART: "caption col colgroup table tbody td tfoot th thead tr",
    BREAKOUT: (
        "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
        "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
    ),
    HEAD: "html head title meta link base basefont bgsound script style noscript noframes",
    FORMATTING: "a b big code em font i nobr s small strike strong tt u",
    MAY_CLOSE: "a button caption col colgroup nobr option optgroup table tbody td tfoot th thead tr",
}
NAMES = {
    A: "a", P: "p", LI: "li", DD: "dd", DT: "dt", OPTION: "option", TABLE: "table", SECTION: "tbody thead tfoot",
    TR: "tr", CELL: "td th", SVG: "svg", MATH: "math", FRAMESET: "frameset", NOFRAMES: "noframes", SCRIPT: "script",
    PLAINTEXT: "plaintext", ROOT: "html head body", TEMPLATE: "template", COL: "col", FONT: "font",
    GLYPH: "mglyph malignmark", ANNOTATION_XML: "annotation-xml", BR: "br", SVG_POINT: "foreignobject desc",
    MATH_POINT: "mi mo mn ms mtext", TITLE: "title", TEXTAREA: "textarea",
}

cdef Known[160] table
# The first of each length.
cdef int[LONGEST_NAME + 2] first


cdef int fill_table() except -1:
    cdef dict classes = {}, names = {}
    cdef int i = 0, j
    for number, words in CLASSES.items():
        for word in words.split():
            classes[word] = classes.get(word, 0) | number
    for number, words in NAMES.items():
        for word in words.split():
            names[word] = number
    for word in sorted({*classes, *names}, key=lambda word: (len(word), word)):
        for j in range(len(word)):
            table[i].text[j] = ord(word[j])
        table[i].length = <int> len(word)
        table[i].classes = classes.get(word, 0)
        table[i].name = names.get(word, OTHER)
        i += 1
        for j in range(table[i - 1].length + 1, LONGEST_NAME + 2):
            first[j] = i
    return 0


fill_table()

cdef enum Kind:
    HTML, IN_SVG, IN_MATH

ctypedef struct Element:
    const uint8_t* text
    Py_ssize_t length
    Py_ssize_t size     # of the tag, if it is a formatting element
    int classes
    Name name
    Kind kind

ctypedef struct Tag:
    Element element
    const uint8_t* end          # after its >, or NULL if it does not end
    const uint8_t* attributes   # where the first begins that is one too many, or NULL
    int n_attributes
    bint is_end
    bint closes_itself

ctypedef struct Reader:
    const uint8_t* p
    const uint8_t* end
    Element[MOST_OPEN] open
    int n_open
    int n_foreign
    int n_templates
    bint has_content        # that a frameset cannot follow
    bint in_frameset
    int n_anchors
    int n_root_attributes   # of all tags of html and body, whose attributes the parser adds to one element
    const uint8_t* piece    # where this one begins
    Py_ssize_t formatting   # the size of the open formatting elements
    Py_ssize_t repeated     # what the parser may have repeated of them
    bint is_unusual         # may have foreign elements, or links in links


cdef inline uint8_t lower(uint8_t c) noexcept nogil:
    return c | 0x20 if c'A' <= c <= c'Z' else c


cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return c'a' <= (c | 0x20) <= c'z'


# https://infra.spec.whatwg.org/#ascii-whitespace
cdef inline bint is_ascii_whitespace(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'\n' or c == c'\t' or c == c'\r' or c == c'\f'


cdef bint same_name(const Element* self, const Element* other) noexcept nogil:
    cdef Py_ssize_t i
    if self.length != other.length:
        return False
    for i in range(self.length):
        if lower(self.text[i]) != lower(other.text[i]):
            return False
    return True


cdef void look_up(Element* self) noexcept nogil:
    cdef int i, j
    self.classes = 0
    self.name = OTHER
    self.kind = HTML
    if self.length > LONGEST_NAME:
        return
    for i in range(first[self.length], first[self.length + 1]):
        j = 0
        while j < self.length and table[i].text[j] == lower(self.text[j]):
            j += 1
        if j == self.length:
            self.classes = table[i].classes
            self.name = table[i].name
            return


# The parts of a page.

# https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state and those after it. `p` is after the < or the </.
cdef void read_tag(Tag* self, const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef const void* quote
    self.element.text = p
    self.end = self.attributes = NULL
    self.closes_itself = False
    self.element.size = self.n_attributes = 0
    while p < end and not is_ascii_whitespace(p[0]) and p[0] != c'/' and p[0] != c'>':
        p += 1
    self.element.length = p - self.element.text
    look_up(&self.element)
    while True:
        while p < end and (is_ascii_whitespace(p[0]) or p[0] == c'/'):
            self.closes_itself = p[0] == c'/'
            p += 1
        if p == end:
            return
        if p[0] == c'>':
            self.end = p + 1
            if self.element.classes & FORMATTING:
                self.element.size = self.end - self.element.text + ELEMENT
            return
        self.closes_itself = False
        self.n_attributes = <int> min(self.n_attributes + 1, MOST_ATTRIBUTES + 1)
        if self.n_attributes == MOST_ATTRIBUTES + 1 and self.attributes == NULL:
            self.attributes = p
        p += 1
        while p < end and not is_ascii_whitespace(p[0]) and p[0] != c'/' and p[0] != c'>' and p[0] != c'=':
            p += 1
        while p < end and is_ascii_whitespace(p[0]):
            p += 1
        if p == end or p[0] != c'=':
            continue
        p += 1
        while p < end and is_ascii_whitespace(p[0]):
            p += 1
        if p < end and (p[0] == c'"' or p[0] == c"'"):
            quote = memchr(p + 1, p[0], end - p - 1)
            p = end if quote == NULL else <const uint8_t*> quote + 1
        else:
            while p < end and not is_ascii_whitespace(p[0]) and p[0] != c'>':
                p += 1


cdef const uint8_t* after(const uint8_t* p, const uint8_t* end, uint8_t c) noexcept nogil:
    cdef const void* place = memchr(p, c, end - p)
    return end if place == NULL else <const uint8_t*> place + 1


cdef inline bint ends_with_dashes(const uint8_t* end) noexcept nogil:
    return (end - 1)[0] == c'-' and (end - 2)[0] == c'-'


# https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state; `p` is after the <!.
cdef const uint8_t* after_declaration(const uint8_t* p, const uint8_t* end, bint foreign) noexcept nogil:
    cdef const uint8_t* start
    if foreign and end - p >= 7 and memcmp(p, b"[CDATA[", 7) == 0:
        p += 7
        while True:
            p = after(p, end, c'>')
            if p == end or ((p - 2)[0] == c']' and (p - 3)[0] == c']'):
                return p
    if end - p < 2 or p[0] != c'-' or p[1] != c'-':
        return after(p, end, c'>')
    start = p = p + 2
    while True:
        p = after(p, end, c'>')
        # `<!-->` and `<!--->` are comments, too.
        if p == end or ends_with_dashes(p - 1) or ((p - 2)[0] == c'!' and p - start >= 4 and ends_with_dashes(p - 2)):
            return p


# Whether a tag with this name begins here.
cdef bint begins_tag(const uint8_t* p, const uint8_t* end, const Element* element) noexcept nogil:
    cdef Py_ssize_t i
    if end - p <= element.length:
        return False
    for i in range(element.length):
        if lower(p[i]) != lower(element.text[i]):
            return False
    p += element.length
    return is_ascii_whitespace(p[0]) or p[0] == c'/' or p[0] == c'>'


# The end tag of an element whose content is text, or the end of the page.
cdef const uint8_t* find_end(const uint8_t* p, const uint8_t* end, const Element* element) noexcept nogil:
    cdef const void* place
    # https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-state and #script-data-double-escaped-state
    cdef bint escaped = False, twice = False
    cdef const uint8_t* q
    while True:
        if escaped:
            while p < end and p[0] != c'<' and p[0] != c'>':
                p += 1
            if p == end:
                return end
            if p[0] == c'>':
                if ends_with_dashes(p):
                    escaped = twice = False
                p += 1
                continue
        else:
            place = memchr(p, c'<', end - p)
            if place == NULL:
                return end
            p = <const uint8_t*> place
        q = p + 1
        if q < end and q[0] == c'/':
            if begins_tag(q + 1, end, element):
                if not twice:
                    return p
                twice = False
        elif element.name == SCRIPT:
            if not escaped and end - q >= 3 and q[0] == c'!' and q[1] == c'-' and q[2] == c'-':
                escaped = True
                # Its dashes may be those of the end.
                q += 3
            elif escaped and not twice and begins_tag(q, end, element):
                twice = True
        p = q


# The open elements.

cdef inline Element* top_of(Reader* self) noexcept nogil:
    return &self.open[self.n_open - 1]


cdef void pop(Reader* self) noexcept nogil:
    self.n_open -= 1
    self.n_foreign -= self.open[self.n_open].kind != HTML
    self.n_templates -= self.open[self.n_open].name == TEMPLATE
    self.n_anchors -= self.open[self.n_open].name == A
    self.formatting -= self.open[self.n_open].size


cdef bint push(Reader* self, const Element* element, Kind kind) noexcept nogil:
    if self.n_open == MOST_OPEN:
        return False
    self.open[self.n_open] = element[0]
    self.open[self.n_open].kind = kind
    self.n_open += 1
    self.n_foreign += kind != HTML
    self.n_templates += element.name == TEMPLATE
    self.n_anchors += element.name == A
    self.formatting += element.size
    return True


# After a tag that may close what has the open formatting elements in it: whether the parser would repeat them too often.
cdef bint repeats_too_much(Reader* self, const Tag* tag) noexcept nogil:
    self.repeated += self.formatting
    return self.repeated > MOST_REPEATED * (tag.end - self.piece) + REPEATED_BESIDES


# How the children of the innermost open element are read.
cdef Kind kind_inside(const Reader* self) noexcept nogil:
    cdef const Element* top
    if self.n_open == 0:
        return HTML
    top = &self.open[self.n_open - 1]
    if top.kind == IN_SVG and (top.name == SVG_POINT or top.name == TITLE):
        return HTML
    return HTML if top.kind == IN_MATH and top.name == MATH_POINT else top.kind


# The place of an open element that has only elements with implied end tags in it, or -1.
cdef int below_implied(const Reader* self) noexcept nogil:
    cdef int i = self.n_open - 1
    while i >= 0 and self.open[i].kind == HTML and self.open[i].classes & IMPLIED:
        i -= 1
    return i


# From the inside: 4 is a cell, and 1 a table.
cdef inline int rank_in_table(Name name) noexcept nogil:
    return 4 if name == CELL else 3 if name == TR else 2 if name == SECTION else 1 if name == TABLE else 0


# The place of a part of the innermost table, if only other parts of that are open in it, or -1.
cdef int part_of_table(const Reader* self, Name part) noexcept nogil:
    cdef int i = below_implied(self), at = -1, outer = 5, rank
    while i >= 0 and self.open[i].kind == HTML:
        rank = rank_in_table(self.open[i].name)
        if rank == 0 or rank >= outer:
            return -1
        if rank >= rank_in_table(part):
            at = i
        if rank == 1:
            return at
        outer = rank
        i -= 1
    return -1


cdef void pop_to(Reader* self, int i) noexcept nogil:
    while self.n_open > i:
        pop(self)


cdef void break_out(Reader* self) noexcept nogil:
    while kind_inside(self) != HTML:
        pop(self)


# What reads a tag says of it.
cdef enum Step:
    GO_ON
    CUT     # before this tag
    CUT_NOW # also where little follows
    DROP    # this tag


cdef Step start_element(Reader* self, Tag* tag) noexcept nogil:
    cdef Element* element = &tag.element
    cdef Kind kind = kind_inside(self)
    cdef int i
    if element.name == ROOT:
        self.n_root_attributes = <int> min(self.n_root_attributes + tag.n_attributes, MOST_ATTRIBUTES + 1)
        if self.n_root_attributes > MOST_ATTRIBUTES:
            return DROP
    if self.in_frameset:
        if element.name == FRAMESET:
            return GO_ON if push(self, element, HTML) else CUT
        if element.name == NOFRAMES:
            self.p = find_end(tag.end, self.end, element)
        return GO_ON
    if element.name == FRAMESET:
        if self.has_content:
            return DROP
        self.in_frameset = True
        return GO_ON if push(self, element, HTML) else CUT
    if kind != HTML:
        if element.name == FONT or element.name == ANNOTATION_XML:
            return CUT
        if not element.classes & BREAKOUT:
            if tag.closes_itself:
                return GO_ON
            return GO_ON if push(self, element, kind) else CUT
        break_out(self)
    if not element.classes & HEAD:
        self.has_content = True
    if self.n_foreign and (element.classes & TABLE_PART or element.name == ROOT or element.name == GLYPH):
        return CUT
    if element.name == ROOT:
        return GO_ON
    if self.formatting and element.classes & (CLOSES_P | MAY_CLOSE) and repeats_too_much(self, tag):
        return CUT_NOW
    if element.name == COL and self.n_templates:
        return CUT
    if element.name == SVG or element.name == MATH:
        self.is_unusual = True
        if tag.closes_itself:
            return GO_ON
        return GO_ON if push(self, element, IN_SVG if element.name == SVG else IN_MATH) else CUT
    close_implied(self, element)
    if self.n_anchors and (element.name == A or element.name == TEXTAREA):
        self.is_unusual = True
    if element.classes & VOID:
        return GO_ON
    if not push(self, element, HTML):
        return CUT
    if element.classes & RAW:
        self.p = find_end(tag.end, self.end, element)
    elif element.name == PLAINTEXT:
        self.p = self.end
    return GO_ON


# Closes what a start tag closes.
cdef void close_implied(Reader* self, const Element* element) noexcept nogil:
    cdef Element* top
    cdef int i
    if self.n_open == 0:
        return
    top = top_of(self)
    if top.kind != HTML:
        return
    if element.name == LI or element.name == DD or element.name == DT:
        i = self.n_open - 1 - (top.name == P)
        if i >= 0 and self.open[i].kind == HTML:
            if self.open[i].name == element.name or (element.name != LI and (self.open[i].name == DD or self.open[i].name == DT)):
                pop_to(self, i)
                return
    if element.classes & CLOSES_P and top.name == P:
        pop(self)
    elif (element.name == OPTION and top.name == OPTION) or (element.name == A and top.name == A):
        pop(self)
    elif element.name == CELL or element.name == TR or element.name == SECTION:
        i = part_of_table(self, element.name)
        if i >= 0:
            pop_to(self, i)


cdef Step end_element(Reader* self, Tag* tag) noexcept nogil:
    cdef Element* element = &tag.element
    cdef Element* top
    cdef int i
    if self.n_open == 0:
        self.has_content = self.has_content or not element.classes & HEAD
        return GO_ON
    top = top_of(self)
    if top.kind != HTML:
        if element.name == P or element.name == BR:
            break_out(self)
            return GO_ON
        i = self.n_open - 1
        while i >= 0 and self.open[i].kind != HTML:
            if same_name(&self.open[i], element):
                pop_to(self, i)
                return GO_ON
            i -= 1
        return CUT
    if same_name(top, element):
        pop(self)
        return GO_ON
    if self.in_frameset:
        return GO_ON
    if self.formatting and repeats_too_much(self, tag):
        return CUT_NOW
    i = -1
    if element.classes & CLOSES_IMPLIED or element.name == LI or element.name == DD or element.name == DT:
        i = self.n_open - 1
        # An end tag of its own is not implied.
        while i >= 0 and self.open[i].kind == HTML and self.open[i].classes & IMPLIED and not same_name(&self.open[i], element):
            i -= 1
        if i >= 0 and not (self.open[i].kind == HTML and same_name(&self.open[i], element)):
            i = -1
    elif element.name == TABLE or element.name == SECTION or element.name == TR or element.name == CELL:
        i = part_of_table(self, element.name)
        if i >= 0 and not same_name(&self.open[i], element):
            i = -1
    if i >= 0:
        pop_to(self, i)
        return GO_ON
    return CUT if self.n_foreign else GO_ON


# Whether what follows is so little that it may hold anything.
cdef bint is_short(const Reader* self, const uint8_t* p) noexcept nogil:
    cdef int count = self.n_open
    if self.end - p > SHORT:
        return False
    while p + 1 < self.end:
        count += p[0] == c'<' and is_letter(p[1])
        p += 1
    return count <= MOST_OPEN


cdef void start_piece(Reader* self, const uint8_t* p) noexcept nogil:
    self.piece = p
    self.n_open = self.n_foreign = self.n_templates = self.n_anchors = 0
    self.formatting = self.repeated = 0
    self.has_content = self.in_frameset = False


def cut(bytes html not None):
    """The page, or the pieces to parse one by one; and whether it may have elements of SVG or MathML, or a link in a
    link or in a textarea. Of a tag with too many attributes, the last are left out."""
    cdef Reader self
    cdef Tag tag
    cdef const uint8_t* start = html
    cdef const uint8_t* piece = start
    cdef const void* place
    cdef const uint8_t* q
    cdef Step step
    cdef list pieces = [], kept = []
    self.p = start
    self.end = start + len(html)
    self.n_root_attributes = 0
    self.is_unusual = False
    start_piece(&self, start)
    while True:
        place = memchr(self.p, c'<', self.end - self.p)
        if not self.has_content:
            q = self.p
            while q < self.end and q[0] != c'<' and is_ascii_whitespace(q[0]):
                q += 1
            self.has_content = self.n_open == 0 and q < self.end and q[0] != c'<'
        if place == NULL or self.end - <const uint8_t*> place < 2:
            break
        q = <const uint8_t*> place
        tag.is_end = q[1] == c'/'
        if q[1] == c'!':
            self.p = after_declaration(q + 2, self.end, self.n_open and top_of(&self).kind != HTML)
            continue
        if q[1] == c'?' or (tag.is_end and self.end - q > 2 and not is_letter(q[2])):
            self.p = after(q + 2, self.end, c'>')
            continue
        if not is_letter(q[1]) and not tag.is_end:
            self.has_content = self.has_content or self.n_open == 0
            self.p = q + 1
            continue
        read_tag(&tag, q + 1 + tag.is_end, self.end)
        if tag.end == NULL:
            # The parser ignores it, after a look at its attributes.
            kept.append(piece[:q - piece])
            piece = self.end
            break
        self.p = tag.end
        step = end_element(&self, &tag) if tag.is_end else start_element(&self, &tag)
        if step != GO_ON:
            # What was open stays so for the parser.
            self.is_unusual = True
            if step != CUT_NOW and is_short(&self, q):
                break
        if step == CUT or step == CUT_NOW:
            kept.append(piece[:q - piece])
            pieces.append(b"".join(kept))
            kept = []
            piece = self.p = q
            start_piece(&self, q)
        elif step == DROP:
            kept.append(piece[:q - piece])
            piece = tag.end
        elif tag.attributes != NULL:
            kept.append(piece[:tag.attributes - piece])
            piece = tag.end - 1
    if not pieces and not kept:
        return [html], self.is_unusual
    kept.append(piece[:self.end - piece])
    pieces.append(b"".join(kept))
    return pieces, self.is_unusual
