"""Which rules a host is under: public suffixes, https://url.spec.whatwg.org/#host-public-suffix, private hosts, and lists."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from weburl._core.buffer cimport MOST_POOL
from weburl._core.hash cimport draw_words, extend_hash
from weburl._core.host cimport HOST_DOMAIN, HOST_IPV4, HOST_IPV6, HostType, has_empty_label
from weburl._core.arguments import wrong_type
from weburl._core.percent cimport ascii_text
from weburl._hosts.host_set cimport (
    ParsedHost, close_host, close_table, find_host, find_name, host_set_of, open_names, read_host, read_in_http, start_host,
)

cdef extern from "bits.h":
    unsigned highest_bit(uint64_t mask) nogil
    uint64_t dots_of_8(const uint8_t* p) nogil

# The list that is shipped, and private hosts, made when they are first asked for. A dict, since threads may ask at the
# same time.
cdef dict made = {}


cdef inline const Node* find_node(
    const Suffixes* suffixes, uint64_t hash, const uint8_t* name, Py_ssize_t n
) noexcept nogil:
    cdef uint32_t place = <uint32_t> hash & suffixes.mask
    cdef const Node* node
    # Most names that are looked up are not there, and the filter is small enough for a processor's cache.
    if not suffixes.filter[hash >> 32 & (FILTER_WORDS - 1)] >> (hash >> 58) & 1:
        return NULL
    while suffixes.nodes[place].length:
        node = &suffixes.nodes[place]
        if node.hash == <uint32_t> hash and node.length == n and memcmp(suffixes.pool + node.offset, name, n) == 0:
            return node
        place = (place + 1) & suffixes.mask
    return NULL


# The dots of a domain of at most 64 bytes: a bit for each byte.
cdef inline uint64_t dots_of(const uint8_t* domain, Py_ssize_t n) noexcept nogil:
    cdef uint64_t dots = 0
    cdef Py_ssize_t i = 0
    if n < 8:
        for i in range(n):
            dots |= <uint64_t> (domain[i] == c'.') << i
        return dots
    while i < n - 8:
        dots |= dots_of_8(domain + i) << i
        i += 8
    return dots | dots_of_8(domain + n - 8) << (n - 8)


cdef inline Py_ssize_t start_of_label(const uint8_t* domain, Py_ssize_t end, uint64_t dots, bint is_short) noexcept nogil:
    if is_short:
        dots &= (<uint64_t> 1 << (end - 1)) - 1
        return highest_bit(dots) + 1 if dots else 0
    end -= 1
    while end > 0 and domain[end - 1] != c'.':
        end -= 1
    return end


cdef Site find_site(
    const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n, bint private
) noexcept nogil:
    cdef Site site
    cdef Py_ssize_t name, below
    cdef uint64_t hash = suffixes.seed, dots = 0
    cdef uint32_t rules, above = 0
    cdef const Node* node
    cdef bint is_short
    site.public_suffix = site.registrable_domain = -1
    site.is_listed = False
    if n and domain[n - 1] == c'.':
        n -= 1
    name = n
    is_short = n <= 64
    # The list's algorithm has no empty labels.
    if n == 0 or domain[0] == c'.' or domain[n - 1] == c'.':
        return site
    if is_short:
        dots = dots_of(domain, n)
    if (dots & dots >> 1) != 0 if is_short else has_empty_label(domain, n):
        return site
    while name > 0:
        below = name
        name = start_of_label(domain, below, dots, is_short)
        hash = extend_hash(hash, domain + name, <size_t> (below - name))
        node = find_node(suffixes, hash, domain + name, n - name)
        rules = 0
        if node != NULL:
            rules = node.rules | node.rules >> PRIVATE if private else node.rules
        # An exception of one label would leave nothing; psl.py has none.
        if rules & EXCEPTION and below < n:
            site.public_suffix = below + 1
            site.is_listed = True
            break
        if rules & RULE or above & WILDCARD:
            site.public_suffix = name
            site.is_listed = True
        elif site.public_suffix < 0:
            site.public_suffix = name
        if node == NULL or name == 0:
            break
        above = rules
        # Over the dot, to the label below.
        name -= 1
    if site.public_suffix > 0:
        site.registrable_domain = start_of_label(domain, site.public_suffix - 1, dots, is_short)
    return site


cdef bint has_listed_end(const Suffixes* suffixes, const uint8_t* domain, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t begin
    if n and domain[n - 1] == c'.':
        n -= 1
    begin = start_of_label(domain, n, 0, False) if n else 0
    return begin < n and find_node(
        suffixes, extend_hash(suffixes.seed, domain + begin, <size_t> (n - begin)), domain + begin, n - begin
    ) != NULL


cdef class PublicSuffixList:
    """PublicSuffixList(file)\n--\n

    A list of public suffixes, such as com and co.uk, read from a file in the format of publicsuffix.org.

    >>> from io import StringIO
    >>> own = PublicSuffixList(StringIO("uk\\nco.uk\\n"))
    >>> registrable_domain("www.example.co.uk", psl=own)
    'example.co.uk'

    The file is a path, or is open as text. `version` is what the list calls itself, or the empty string.
    """

    def __cinit__(self, file):
        from weburl._hosts.psl import parse_list, read_text

        self.suffixes.nodes = NULL
        self.number, rules = parse_list(read_text(file))
        self.pool = fill(&self.suffixes, rules)

    @property
    def version(self):
        """What the list calls its version, or the empty string.

        >>> from io import StringIO
        >>> PublicSuffixList(StringIO("// VERSION: 2026-11-01\\ncom\\n")).version
        '2026-11-01'
        """
        return self.number

    @staticmethod
    def default():
        """default()\n--\n

        The list of the package publicsuffixlist, which is read when it is first used.

        >>> registrable_domain("www.example.co.uk", psl=PublicSuffixList.default())
        'example.co.uk'
        """
        return list_in_use(None)

    def __repr__(self):
        return f"<PublicSuffixList {self.number or 'of no version'}>"

    # It does not change.
    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __dealloc__(self):
        free(self.suffixes.nodes)


cdef bytes fill(Suffixes* self, dict rules):
    cdef bytes name, pool
    cdef const uint8_t* p
    cdef Py_ssize_t size = 64, offset = 0, begin, below, n
    cdef uint64_t hash
    cdef uint32_t place
    cdef Node* node
    while 2 * size < 3 * len(rules):
        size *= 2
    pool = b"".join(rules)
    if len(pool) > MOST_POOL:
        raise ValueError("the list is longer than 4 GiB")
    self.nodes = <Node*> calloc(size, sizeof(Node))
    if self.nodes == NULL:
        raise MemoryError
    self.pool = <const uint8_t*> <char*> pool
    self.mask = <uint32_t> size - 1
    draw_words(&self.seed, 1)
    for name, kinds in rules.items():
        p = <const uint8_t*> <char*> name
        n = len(name)
        hash = self.seed
        below = n
        while below > 0:
            begin = below - 1
            while begin > 0 and p[begin - 1] != c'.':
                begin -= 1
            hash = extend_hash(hash, p + begin, <size_t> (below - begin))
            below = begin - 1
        place = <uint32_t> hash & self.mask
        while self.nodes[place].length:
            place = (place + 1) & self.mask
        node = &self.nodes[place]
        node.hash = <uint32_t> hash
        self.filter[hash >> 32 & (FILTER_WORDS - 1)] |= <uint64_t> 1 << (hash >> 58)
        node.offset = <uint32_t> offset
        node.length = <uint32_t> n
        node.rules = kinds
        offset += n
    return pool


cdef PublicSuffixList list_in_use(object psl):
    """The list for an argument `psl`."""
    if psl is not None:
        if not isinstance(psl, PublicSuffixList):
            raise wrong_type(psl, "psl must be a PublicSuffixList or None")
        return <PublicSuffixList> psl
    default = made.get("list")
    if default is None:
        from weburl._hosts.psl import shipped_list

        default = made.setdefault("list", PublicSuffixList(shipped_list()))
    return <PublicSuffixList> default


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


cdef object part_of_host(object host, bint registrable, bint private, bint unicode, object psl):
    cdef PublicSuffixList suffixes = list_in_use(psl)
    cdef ParsedHost parsed
    cdef object owner
    start_host(&parsed)
    try:
        owner = read_host(&parsed, host, "registrable_domain(URL(url))" if registrable else "public_suffix(URL(url))")
        if parsed.host_type != HOST_DOMAIN:
            return None
        return part_of(suffixes, parsed.data, parsed.length, registrable, private, unicode)
    finally:
        close_host(&parsed)


def public_suffix(host, *, bint private=True, bint unicode=False, psl=None):
    """public_suffix(host, *, private=True, unicode=False, psl=None)\n--\n

    The public suffix of a host, below which people register names; None if the host is not a domain.

    >>> public_suffix("www.example.co.uk"), public_suffix("ada.github.io"), public_suffix("127.0.0.1")
    ('co.uk', 'github.io', None)

    A str is parsed as a host; InvalidURL is raised if it is not a host. For the text of a URL write
    `public_suffix(URL(text))`. A host with an empty label has none. The result keeps the host's trailing dot, and is in
    ASCII unless `unicode` is true. Without `private`, the list's section of private domains, such as github.io,
    is ignored. `psl` is a PublicSuffixList, by default that of the publicsuffixlist package. Do not use it for security
    decisions, because lists differ: https://url.spec.whatwg.org/#warning-avoid-psl
    """
    return part_of_host(host, False, private, unicode, psl)


def registrable_domain(host, *, bint private=True, bint unicode=False, psl=None):
    """registrable_domain(host, *, private=True, unicode=False, psl=None)\n--\n

    The domain that somebody has registered, such as example.co.uk; None if there is none.

    >>> registrable_domain(URL("https://www.shop.example.co.uk/")), registrable_domain("co.uk")
    ('example.co.uk', None)

    It is the public suffix and the label before it. The arguments are those of public_suffix().
    """
    return part_of_host(host, True, private, unicode, psl)


# Private hosts, and hosts on a list, without the GIL.

cdef enum:
    IPV4
    GLOBAL
    IPV6
    WITH_IPV4


cdef class HostPatterns:
    """HostPatterns(hosts, schemes)

    The hosts of url_host_matches(), and the schemes that are looked at, or None for all.
    """

    def __cinit__(self, hosts, schemes):
        from weburl._hosts.schemes import parse_schemes

        self.rules.all_schemes = schemes is None
        if schemes is not None:
            open_names(&self.rules.schemes, [scheme.encode() for scheme in parse_schemes(schemes)])
        self.hosts = host_set_of(hosts)
        self.rules.names = self.hosts.table

    @staticmethod
    def private():
        """The names and networks of private hosts."""
        patterns = made.get("private")
        if patterns is None:
            from weburl._hosts.special_use import (
                GLOBAL_UNICAST, IPV4_IN_IPV6, IPV4_NETWORKS, IPV6_NETWORKS, PRIVATE_NAMES,
            )

            new = HostPatterns(PRIVATE_NAMES, None)
            add_networks(new, (IPV4_NETWORKS, GLOBAL_UNICAST, IPV6_NETWORKS, IPV4_IN_IPV6))
            patterns = made.setdefault("private", new)
        return <HostPatterns> patterns

    def __dealloc__(self):
        close_table(&self.rules.schemes)


cdef int add_networks(HostPatterns self, tuple groups) except -1:
    from ipaddress import ip_network

    cdef HostRules* rules = &self.rules
    cdef Network* network
    cdef int count = 0, group
    if sum(map(len, groups)) > MOST_NETWORKS:
        raise ValueError("too many networks")
    for group in range(4):
        for text in groups[group]:
            parsed = ip_network(text)
            address, mask = int(parsed.network_address), int(parsed.netmask)
            network = &rules.networks[count]
            network.high = address >> 64
            network.low = address & 0xFFFFFFFFFFFFFFFF
            network.high_mask = mask >> 64
            network.low_mask = mask & 0xFFFFFFFFFFFFFFFF
            count += 1
        rules.ends[group] = count
    return 0


cdef bint is_in(const HostRules* self, int group, uint64_t high, uint64_t low) noexcept nogil:
    cdef int i
    cdef const Network* network
    for i in range(self.ends[group - 1] if group else 0, self.ends[group]):
        network = &self.networks[i]
        if high & network.high_mask == network.high and low & network.low_mask == network.low:
            return True
    return False


# Addresses as the host serializer writes them.

cdef uint32_t read_ipv4(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint32_t address = 0, number = 0
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] == c'.':
            address = address << 8 | number
            number = 0
        else:
            number = 10 * number + p[i] - c'0'
    return address << 8 | number


cdef void read_ipv6(const uint8_t* p, Py_ssize_t n, uint64_t* high, uint64_t* low) noexcept nogil:
    cdef uint16_t[8] pieces
    cdef uint64_t[2] halves
    cdef uint16_t piece
    cdef int count = 0, compress = 8, zeros, at
    cdef Py_ssize_t i = 1, end = n - 1
    if p[i] == c':':
        compress = 0
        i += 2
    while i < end and count < 8:
        piece = 0
        while i < end and p[i] != c':':
            piece = <uint16_t> (piece << 4 | (p[i] - c'0' if p[i] <= c'9' else p[i] - c'a' + 10))
            i += 1
        pieces[count] = piece
        count += 1
        i += 1
        if i < end and p[i] == c':':
            compress = count
            i += 1
    zeros = 8 - count
    halves[0] = halves[1] = 0
    for at in range(8):
        piece = 0
        if at < compress:
            piece = pieces[at]
        elif at >= compress + zeros:
            piece = pieces[at - zeros]
        halves[at >> 2] = halves[at >> 2] << 16 | piece
    high[0] = halves[0]
    low[0] = halves[1]


cdef bint has_dot(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if p[i] == c'.':
            return True
    return False


cdef bint is_private(const HostRules* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint64_t high = 0, low = 0
    if host_type == HOST_DOMAIN:
        if n and p[n - 1] == c'.':
            n -= 1
        return has_empty_label(p, n) or not has_dot(p, n) or find_host(&self.names, HOST_DOMAIN, p, n) >= 0
    if host_type == HOST_IPV4:
        return is_in(self, IPV4, 0, read_ipv4(p, n))
    if host_type != HOST_IPV6 or n < 4:
        return True
    read_ipv6(p, n, &high, &low)
    if is_in(self, WITH_IPV4, high, low):
        return is_in(self, IPV4, 0, <uint32_t> low)
    return not is_in(self, GLOBAL, high, low) or is_in(self, IPV6, high, low)


cdef bint is_match(const HostRules* self, HostType host_type, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return find_host(&self.names, host_type, p, n) >= 0


cdef bint is_looked_at(const HostRules* self, const uint8_t* scheme, Py_ssize_t n) noexcept nogil:
    return self.all_schemes or find_name(&self.schemes, scheme, n, False) >= 0


def has_private_host(host, str for_urls not None):
    """Whether the host that a function was called with is private; `for_urls` is what to use for a URL's text."""
    cdef HostPatterns rules = HostPatterns.private()
    cdef ParsedHost parsed
    cdef object owner
    start_host(&parsed)
    try:
        owner = read_host(&parsed, host, for_urls)
        read_in_http(&parsed)
        return is_private(&rules.rules, parsed.host_type, parsed.data, parsed.length)
    finally:
        close_host(&parsed)
