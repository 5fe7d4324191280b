"""Public suffixes: https://url.spec.whatwg.org/#host-public-suffix"""

cimport cython
from libc.stdint cimport UINT32_MAX, uint8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from weburl._core.buffer cimport Buffer, release, start
from weburl._core.host cimport HOST_DOMAIN, HOST_EMPTY, DomainToASCII, HostType, close_to_ascii, open_to_ascii, parse_host
from weburl._core.parser cimport length_limit
from weburl._core.percent cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, Utf8Text, ascii_text, close_utf8, open_utf8,
)
from weburl._core.record cimport HOSTNAME, Record, Span, span
from weburl._core.status cimport OK, Status
from weburl.url cimport URL, snapshot

from os import urandom

cdef PublicSuffixList default_list = None
cdef object lock = object()


cdef const Node* find_node(
    const Suffixes* suffixes, uint32_t hash, const uint8_t* name, Py_ssize_t n
) noexcept nogil:
    cdef uint32_t place = hash & suffixes.mask
    cdef const Node* node
    while suffixes.nodes[place].length:
        node = &suffixes.nodes[place]
        if node.hash == hash and node.length == n and memcmp(suffixes.pool + node.offset, name, n) == 0:
            return node
        place = (place + 1) & suffixes.mask
    return NULL


cdef Site find_site(
    const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n, bint private
) noexcept nogil:
    cdef Site site
    cdef Py_ssize_t i, name = n, below
    cdef uint32_t hash = suffixes.seed
    cdef uint32_t rules, above = 0
    cdef const Node* node
    site.public_suffix = site.registrable_domain = -1
    if n and domain[n - 1] == c'.':
        n -= 1
        name = n
    # The list's algorithm has no empty labels.
    if n == 0 or domain[0] == c'.' or domain[n - 1] == c'.':
        return site
    for i in range(1, n):
        if domain[i] == c'.' and domain[i - 1] == c'.':
            return site
    while name > 0:
        below = name
        name -= 1
        hash = hash_byte(hash, domain[name])
        while name > 0 and domain[name - 1] != c'.':
            name -= 1
            hash = hash_byte(hash, domain[name])
        node = find_node(suffixes, hash, domain + name, n - name)
        rules = 0
        if node != NULL:
            rules = node.rules | node.rules >> PRIVATE if private else node.rules
        if rules & EXCEPTION:
            site.public_suffix = below + 1
            break
        if rules & RULE or above & WILDCARD or site.public_suffix < 0:
            site.public_suffix = name
        if node == NULL or name == 0:
            break
        above = rules
        # Over the dot, to the label below.
        name -= 1
        hash = hash_byte(hash, c'.')
    if site.public_suffix > 0:
        i = site.public_suffix - 1
        while i > 0 and domain[i - 1] != c'.':
            i -= 1
        site.registrable_domain = i
    return site


cdef class PublicSuffixList:
    """PublicSuffixList(file)

    A list in the format of publicsuffix.org, from a file by its path, or open as text. `version` is what the list calls
    itself, or the empty string.
    """

    def __cinit__(self, file):
        from weburl._hosts.psl import parse_list, read_text

        self.suffixes.nodes = NULL
        self.version, rules = parse_list(read_text(file))
        self.pool = fill(&self.suffixes, rules)

    @staticmethod
    def default():
        """default()

        The list that the publicsuffixlist package ships; it is read at first use.
        """
        return list_in_use(None)

    def __repr__(self):
        return f"<PublicSuffixList {self.version or 'of no version'}>"

    def __dealloc__(self):
        free(self.suffixes.nodes)


cdef bytes fill(Suffixes* self, dict rules):
    cdef bytes name, pool
    cdef const uint8_t* p
    cdef Py_ssize_t size = 64, offset = 0, i, n
    cdef uint32_t hash, place
    cdef Node* node
    while 2 * size < 3 * len(rules):
        size *= 2
    pool = b"".join(rules)
    if len(pool) > UINT32_MAX:
        raise ValueError("the list is longer than 4 GiB")
    self.nodes = <Node*> calloc(size, sizeof(Node))
    if self.nodes == NULL:
        raise MemoryError
    self.pool = <const uint8_t*> <char*> pool
    self.mask = <uint32_t> size - 1
    self.seed = <uint32_t> int.from_bytes(urandom(4), "little")
    for name, kinds in rules.items():
        p = <const uint8_t*> <char*> name
        n = len(name)
        hash = self.seed
        for i in range(n - 1, -1, -1):
            hash = hash_byte(hash, p[i])
        place = hash & self.mask
        while self.nodes[place].length:
            place = (place + 1) & self.mask
        node = &self.nodes[place]
        node.hash = hash
        node.offset = <uint32_t> offset
        node.length = <uint32_t> n
        node.rules = kinds
        offset += n
    return pool


cdef PublicSuffixList list_in_use(object psl):
    """The list for an argument `psl`."""
    global default_list
    if psl is not None:
        if not isinstance(psl, PublicSuffixList):
            raise TypeError(f"psl must be a PublicSuffixList or None, not {type(psl).__name__}")
        return <PublicSuffixList> psl
    if default_list is None:
        from weburl._hosts.psl import shipped_list

        new = PublicSuffixList(shipped_list())
        # Another thread may have read it meanwhile.
        with cython.critical_section(lock):
            if default_list is None:
                default_list = new
    return default_list


# The part of a domain from where find_site() says, as a str.
cdef object part_of(
    PublicSuffixList psl, const uint8_t* domain, Py_ssize_t n, bint registrable, bint private, bint unicode
):
    cdef Site site = find_site(&psl.suffixes, domain, n, private)
    cdef Py_ssize_t begin = site.registrable_domain if registrable else site.public_suffix
    if begin < 0:
        return None
    if unicode:
        from weburl._unicode.idna import domain_to_unicode

        return domain_to_unicode(ascii_text(domain + begin, n - begin))
    return ascii_text(domain + begin, n - begin)


cdef object part_of_text(PublicSuffixList psl, object text, bint registrable, bint private, bint unicode):
    cdef uint8_t[256] scratch
    cdef Utf8Text utf8
    cdef Buffer out
    cdef DomainToASCII to_ascii
    cdef HostType host_type = HOST_EMPTY
    cdef Status status
    open_utf8(&utf8, text)
    open_to_ascii(&to_ascii)
    start(&out, scratch, sizeof(scratch), length_limit)
    try:
        if utf8.length:
            status = parse_host(&out, utf8.data, utf8.length, False, &to_ascii, &host_type)
            if status == OK and out.status == OK:
                if host_type != HOST_DOMAIN:
                    return None
                return part_of(psl, out.data, out.length, registrable, private, unicode)
    finally:
        release(&out)
        close_to_ascii(&to_ascii)
        close_utf8(&utf8)
    # Any other host: the whole parser maps it, or raises.
    return part_of_host(psl, text, registrable, private, unicode)


cdef object part_of_host(PublicSuffixList psl, object host, bint registrable, bint private, bint unicode):
    cdef str domain
    from weburl._hosts.arguments import host_of

    found = host_of(host, "registrable_domain(URL(url))" if registrable else "public_suffix(URL(url))")
    if found is None or found.host_type != "domain":
        return None
    domain = str(found)
    if not PyUnicode_IS_ASCII(domain):
        raise ValueError("the serialization of a Host is in ASCII")
    return part_of(
        psl, <const uint8_t*> PyUnicode_DATA(domain), PyUnicode_GET_LENGTH(domain), registrable, private, unicode
    )


cdef object part_of_url(PublicSuffixList psl, URL url, bint registrable, bint private, bint unicode):
    cdef Record record
    cdef str href = snapshot(url, &record)
    cdef Span host
    if record.host_type != HOST_DOMAIN:
        return None
    host = span(&record, PyUnicode_GET_LENGTH(href), HOSTNAME)
    return part_of(
        psl, <const uint8_t*> PyUnicode_DATA(href) + host.start, host.end - host.start, registrable, private, unicode
    )


cdef object answer(object host, bint registrable, bint private, bint unicode, object psl):
    cdef PublicSuffixList suffixes = list_in_use(psl)
    if isinstance(host, str):
        return part_of_text(suffixes, host, registrable, private, unicode)
    if isinstance(host, URL):
        return part_of_url(suffixes, <URL> host, registrable, private, unicode)
    return part_of_host(suffixes, host, registrable, private, unicode)


def public_suffix(host, *, bint private=True, bint unicode=False, psl=None):
    """public_suffix(host, *, private=True, unicode=False, psl=None)

    The host's public suffix, such as co.uk; None if the host is not a domain, or has an empty label.

    A str is parsed as a host; InvalidURL is raised if it is not a host. For the text of a URL write
    `public_suffix(URL(text))`. The result keeps the host's trailing dot, and
    is in ASCII unless `unicode` is true. Without `private`, the list's section of private domains, such as github.io,
    is ignored. `psl` is a PublicSuffixList, by default that of the publicsuffixlist package. Do not use it for security
    decisions, because lists differ: https://url.spec.whatwg.org/#warning-avoid-psl
    """
    return answer(host, False, private, unicode, psl)


def registrable_domain(host, *, bint private=True, bint unicode=False, psl=None):
    """registrable_domain(host, *, private=True, unicode=False, psl=None)

    The public suffix and the label before it, such as example.co.uk; None if the host does not have both.

    The arguments are those of public_suffix().
    """
    return answer(host, True, private, unicode, psl)
