"""Policies: what makes two URLs the same page; docs/crawl.md has the definitions. Before them what canonical forms consist
of: the spelling of bytes, the order of parameters, and BLAKE2b."""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from weburl._core.ascii cimport is_alpha, is_digit, is_hex_digit, to_lower
from weburl._core.buffer cimport PY_SSIZE_T_MAX, Buffer, push, push_run, release, start
from weburl._core.arguments import need_iterable, wrong_type
from weburl._core.percent cimport ascii_text
from weburl._hosts.suffixes cimport list_in_use

from weburl._crawl.tracking import INDEX_NAMES, SESSION_PARAMETERS, TRACKING_PARAMETERS

# One spelling for each byte of a component: raw or escaped.

cdef const char* UPPER_HEX = b"0123456789ABCDEF"


# What stands raw is all that is not said to be escaped.
cdef int classify(bytes characters, uint16_t raw, uint16_t decoded) except -1:
    cdef uint8_t c
    for c in characters:
        escape_class[c] = escape_class[c] & ~raw | decoded
    return 0


for _byte in range(256):
    escape_class[<int> _byte] = PATH_ESCAPED | QUERY_ESCAPED | USERINFO_ESCAPED

# What RFC 3986 allows raw in a component and the URL parser leaves as it is, but for the separators:
# https://www.rfc-editor.org/rfc/rfc3986#section-3.3 and #section-3.4, https://url.spec.whatwg.org/#path-percent-encode-set
# and the sets after it. A plus is one more separator: some servers read it as a space.
classify(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$()*,",
    PATH_ESCAPED | QUERY_ESCAPED | USERINFO_ESCAPED,
    PATH_DECODED | NAME_DECODED | VALUE_DECODED | USERINFO_DECODED,
)
classify(b":@", PATH_ESCAPED | QUERY_ESCAPED, PATH_DECODED | NAME_DECODED | VALUE_DECODED)
classify(b"&'", PATH_ESCAPED | USERINFO_ESCAPED, PATH_DECODED | USERINFO_DECODED)
classify(b"=", PATH_ESCAPED | QUERY_ESCAPED, PATH_DECODED | VALUE_DECODED)
classify(b";/", PATH_ESCAPED | QUERY_ESCAPED, NAME_DECODED | VALUE_DECODED)
classify(b"?", QUERY_ESCAPED, NAME_DECODED | VALUE_DECODED)
classify(b"&", QUERY_ESCAPED, 0)
classify(b"+", PATH_ESCAPED | QUERY_ESCAPED | USERINFO_ESCAPED, USERINFO_DECODED)
classify(b";(", 0, OPENS_SESSION)
classify(b"&=", 0, ENDS_PARAMETER)


cdef uint16_t push_respelled(
    Buffer* out, const uint8_t* p, Py_ssize_t n, uint16_t escaped, uint16_t decoded
) noexcept nogil:
    cdef Py_ssize_t i = 0, run
    cdef uint16_t seen = 0
    cdef uint8_t c
    while True:
        run = i
        i = scan_classes(p, i, n, escaped, &seen)
        push_run(out, p + run, i - run)
        if i == n:
            return seen
        c = p[i]
        if is_escape(p, i, n):
            c = escaped_byte(p, i)
            i += 3
            if escape_class[c] & decoded:
                seen |= escape_class[c]
                push(out, c)
                continue
        else:
            i += 1
        push(out, c'%')
        push(out, UPPER_HEX[c >> 4])
        push(out, UPPER_HEX[c & 15])


# The parameters of a query, in order.

cdef int compare(const uint8_t* p, Py_ssize_t n, const uint8_t* q, Py_ssize_t m) noexcept nogil:
    cdef int order = memcmp(p, q, min(n, m))
    return order if order else (n > m) - (n < m)


# By name, then by value; a name alone before the same with an empty value.
cdef int compare_parameters(const Parameter* a, const Parameter* b) noexcept nogil:
    cdef int order = compare(a.p, a.name_length, b.p, b.name_length)
    return order if order else compare(
        a.p + a.name_length, a.length - a.name_length, b.p + b.name_length, b.length - b.name_length
    )


# Merge sort: its cost does not depend on the order.
cdef void sort_parameters(Parameter* parameters, Py_ssize_t n, Parameter* other) noexcept nogil:
    cdef Py_ssize_t half = n // 2, i = 0, j = half, k = 0
    if n < 2:
        return
    sort_parameters(parameters, half, other)
    sort_parameters(parameters + half, n - half, other)
    if compare_parameters(&parameters[half - 1], &parameters[half]) <= 0:
        return
    memcpy(other, parameters, half * sizeof(Parameter))
    while i < half:
        if j == n or compare_parameters(&other[i], &parameters[j]) <= 0:
            parameters[k] = other[i]
            i += 1
        else:
            parameters[k] = parameters[j]
            j += 1
        k += 1


cdef bint open_list(ParameterList* self, const uint8_t* query, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, most = 1
    if n >= FEW:
        for i in range(n):
            most += query[i] == c'&'
    self.count = 0
    self.items = self.few
    if most > FEW:
        self.items = <Parameter*> malloc(2 * most * sizeof(Parameter))
    return self.items != NULL


cdef void close_list(ParameterList* self) noexcept nogil:
    if self.items != self.few:
        free(self.items)


# Those that are not sorted are sorted beside, and found there: of equal ones, the first is the earliest.
cdef bint drop_repeated(ParameterList* self, bint is_sorted) noexcept nogil:
    cdef Parameter* items = self.items
    cdef Parameter* ordered = NULL
    cdef Py_ssize_t i, low, high, middle, n = self.count, kept = 0
    if not is_sorted:
        ordered = <Parameter*> malloc(2 * max(n, 1) * sizeof(Parameter))
        if ordered == NULL:
            return False
        memcpy(ordered, items, n * sizeof(Parameter))
        sort_parameters(ordered, n, ordered + n)
    for i in range(n):
        if is_sorted:
            if kept and compare_parameters(&items[kept - 1], &items[i]) == 0:
                continue
        else:
            low = 0
            high = n
            while low < high:
                middle = (low + high) // 2
                if compare_parameters(&ordered[middle], &items[i]) < 0:
                    low = middle + 1
                else:
                    high = middle
            if ordered[low].p != items[i].p:
                continue
        items[kept] = items[i]
        kept += 1
    self.count = kept
    free(ordered)
    return True


cdef void push_list(Buffer* out, const ParameterList* self) noexcept nogil:
    cdef Py_ssize_t i
    if self.count == 1 and self.items[0].length == 0:
        return
    for i in range(self.count):
        push(out, c'&' if i else c'?')
        push_run(out, self.items[i].p, self.items[i].length)


include "blake2b.pxi"


# The rules of canonical forms.

cdef dict FRAGMENTS = {"remove": NO_FRAGMENT, "hashbang": HASHBANG, "keep": ANY_FRAGMENT}


# The names of shapes, as policies have them.
cdef dict SHAPES = {"": ANY_VALUE, "hex32": HEX32, "digits": DIGITS, "time": TIME, "dotted": DOTTED}


cdef bint has_shape(ValueShape shape, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, dots = 0
    if shape == DOTTED:
        if n == 0 or not is_alpha(p[0]) or p[n - 1] == c'.':
            return False
        for i in range(n):
            dots += p[i] == c'.'
            if not (is_alpha(p[i]) or is_digit(p[i]) or p[i] == c'.' or p[i] == c'-' or p[i] == c'_'):
                return False
        return dots >= 2
    if shape == HEX32:
        if n != 32:
            return False
        for i in range(n):
            if not is_hex_digit(p[i]):
                return False
        return True
    if n == 0 or n > 20 or (shape == TIME and ((n != 10 and n != 13) or p[0] != c'1')):
        return False
    for i in range(n):
        if not is_digit(p[i]):
            return False
    return True


# Whether the host is the domain or one of its subdomains; it may end with a dot.
cdef bint is_within(const uint8_t* host, Py_ssize_t n, const uint8_t* domain, Py_ssize_t length) noexcept nogil:
    if n > 1 and host[n - 1] == c'.':
        n -= 1
    return (
        n >= length and memcmp(host + n - length, domain, length) == 0
        and (n == length or host[n - length - 1] == c'.')
    )


cdef bint holds(
    const Words* words, const Condition* condition, const Parameter* parameter, const URLView* url
) noexcept nogil:
    cdef Py_ssize_t host = url.record.host_start, value = parameter.name_length + 1
    if condition.host_length and not is_within(
        url.href + host, url.record.host_end - host, words.pool + condition.host, condition.host_length
    ):
        return False
    return condition.shape == ANY_VALUE or (
        value <= parameter.length and has_shape(condition.shape, parameter.p + value, parameter.length - value)
    )


cdef bint contains(
    const Words* words, const uint8_t* p, Py_ssize_t n, const Parameter* parameter, const URLView* url
) noexcept nogil:
    cdef uint8_t first
    cdef const uint8_t* q
    cdef Py_ssize_t word, i, length
    if n == 0:
        return False
    first = to_lower(p[0])
    if not words.lengths[first] >> min(n, 63) & 1:
        return False
    for word in range(words.starts[first], words.starts[first + 1]):
        q = words.pool + words.ends[word]
        length = words.ends[word + 1] - words.ends[word]
        if q[length - 1] == c'*':
            length -= 1
            if n < length:
                continue
        elif n != length:
            continue
        i = 1
        while i < length and to_lower(p[i]) == q[i]:
            i += 1
        if i == length and (parameter == NULL or holds(words, &words.conditions[word], parameter, url)):
            return True
    return False


cdef bytes open_words(Words* words, object rules):
    """Fills in the table, from triples of a name, a shape and a host; returns what it points into."""
    cdef list ordered = sorted(rules)
    cdef dict hosts = {host: 0 for _, _, host in ordered}
    cdef Py_ssize_t i, length, place = 0
    cdef int first, ends
    cdef bytes name
    pool = b"".join([name for name, _, _ in ordered] + list(hosts))
    words.ends = <Py_ssize_t*> calloc(len(ordered) + 1, sizeof(Py_ssize_t))
    words.conditions = <Condition*> calloc(len(ordered) + 1, sizeof(Condition))
    if words.ends == NULL or words.conditions == NULL:
        raise MemoryError
    words.pool = <const uint8_t*> <char*> pool
    memset(words.lengths, 0, sizeof(words.lengths))
    for i in range(len(ordered)):
        name = ordered[i][0]
        place += len(name)
        words.ends[i + 1] = place
        first = name[0]
        ends = name.endswith(b"*")
        length = min(len(name) - ends, 63)
        words.lengths[first] |= (~(<uint64_t> 0) if ends else <uint64_t> 1) << length
    for host in hosts:
        hosts[host] = place
        place += len(host)
    for i in range(len(ordered)):
        words.conditions[i].shape = <ValueShape> <int> ordered[i][1]
        words.conditions[i].host = hosts[ordered[i][2]]
        words.conditions[i].host_length = len(ordered[i][2])
    i = 0
    for first in range(256):
        words.starts[first] = i
        while i < len(ordered) and ordered[i][0][0] == first:
            i += 1
    words.starts[256] = i
    return pool


cdef object checked_names(object names, str what):
    if isinstance(names, str):
        raise TypeError(f"{what} must be a collection of str, not a str")
    result = frozenset(need_iterable(names, f"{what} must be a collection of str"))
    for name in result:
        if not isinstance(name, str):
            raise wrong_type(name, f"{what} must be of str")
    return frozenset([str.__str__(name) for name in result])


cdef str quoted(str name):
    from weburl._diagnosis.messages import shown_argument
    return shown_argument(name)


# The name as it is spelled in a canonical form, in lower case.
cdef bytes spelled_name(str name, str what, str separators, uint16_t escaped, uint16_t decoded):
    cdef uint8_t[256] scratch
    cdef Buffer out
    cdef bytes raw
    if not name.isascii():
        raise ValueError(f"{what}: {quoted(name)} is not a name as it stands in a URL, in ASCII")
    if name != name.lower():
        raise ValueError(f"{what}: {quoted(name)} is not in lower case; case makes no difference")
    # The repr shows all names.
    if ":" in name and "@" in name:
        raise ValueError(f"{what}: {quoted(name)} is like a URL with credentials, and not a name")
    text = name.removesuffix("*")
    if not text:
        raise ValueError(f"{what}: {quoted(name)} is not a name as it stands in a URL, or the beginning of one")
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        raw = text.encode()
        push_respelled(&out, <const uint8_t*> <const char*> raw, len(raw), escaped, decoded)
        if out.status:
            raise MemoryError
        spelled = ascii_text(out.data, out.length)
    finally:
        release(&out)
    if "*" in spelled:
        raise ValueError(f"{what}: {quoted(name)} has a star that is not at its end")
    if any([c in spelled for c in separators]):
        raise ValueError(f"{what}: {quoted(name)} matches no name: {' and '.join(separators)} are not part of one")
    return spelled.lower().encode() + b"*" * (text != name)


cdef str host_in_urls(str host, str what, str rule):
    from weburl.url import URL

    url = URL.parse(f"http://{host}/")
    if url is None or url.hostname != host or url.href != f"http://{host}/" or host.endswith("."):
        raise ValueError(f"{what}: {quoted(rule)} has a host that is not as it stands in a URL")
    return host


# A rule for parameters, as NAME, NAME=SHAPE, NAME@HOST or NAME=SHAPE@HOST: the name as it is spelled, the shape of the
# value, and the host.
cdef tuple parameter_rule(str rule, str what):
    before, at, host = rule.partition("@")
    name, equals, shape = before.partition("=")
    # A text with credentials is refused as a whole.
    spelled = spelled_name(rule if at and ":" in rule else name, what, "&=", QUERY_ESCAPED, NAME_DECODED)
    if equals and not (shape and shape in SHAPES):
        raise ValueError(f"{what}: {quoted(rule)} has a shape that is not one of {', '.join(filter(None, SHAPES))}")
    return spelled, SHAPES[shape], host_in_urls(host, what, rule).encode() if at else b""


# What is the same for all policies.

# The names of weburl's own policies.
cdef frozenset OWN_NAMES = frozenset(("whatwg", "whatwg-no-fragment", "crawl", "surt", "logs", "logs-strict", "otel", "paths"))


# What a constructor is given beside its settings.
cdef int refuse_others(PolicyValue self, tuple values, dict others) except -1:
    what = type(self).__name__
    if values:
        raise TypeError(f"{what} takes its settings by name, as {what}({next(iter(self.settings))}=...)")
    if others:
        from weburl._diagnosis.messages import shown_argument
        settings = ", ".join(["name", "version", *self.settings])
        raise TypeError(f"{what} has no setting {', '.join(map(shown_argument, others))}; its settings are {settings}")
    return 0


# A name of weburl's own stands for its own rules alone.
cdef int set_identity(PolicyValue self, str own_name, object name, object version) except -1:
    if not isinstance(name, str):
        raise wrong_type(name, "name must be a str")
    name = str.__str__(name)
    if not name or not all([c.isascii() and (c.isalnum() or c in "-_.") for c in name]):
        raise ValueError(f"name: {quoted(name)} must consist of ASCII letters, digits and - _ .")
    if not isinstance(version, int) or not 1 <= version <= 1 << 30:
        raise ValueError("version must be an int from 1 on")
    if name in OWN_NAMES and (name != own_name or version != 1 or self.settings != self.defaults):
        raise ValueError(f"name: {name}/{version:d} is for a policy of weburl's own; these rules need another name")
    self.label = name
    self.number = version
    return 0


def text_of(PolicyValue policy not None):
    """The text that stands for a policy: its name and version if it is weburl's own, otherwise its repr."""
    return str(policy) if policy.label in OWN_NAMES else repr(policy)


cdef str source_of_names(object names):
    return "{" + ", ".join(map(repr, sorted(names))) + "}" if names else "()"


# A list of names is shorter as a change of the default, which has the setting's name in capitals.
cdef str source_of(str setting, object value, object default):
    if not isinstance(value, frozenset):
        return repr(value)
    added = value - default
    removed = default - value
    if len(added) + len(removed) >= len(value):
        return source_of_names(value)
    source = setting.upper()
    source += f" - {source_of_names(removed)}" if removed else ""
    return source + (f" | {source_of_names(added)}" if added else "")


cdef class PolicyValue:
    """Rules with a name and a version, which do not change: equal if all of these are."""

    def __cinit__(self):
        self.label = "custom"
        self.number = 1
        self.settings = self.defaults = {}

    @property
    def name(self):
        """The name of the policy, which labels the results that you store.

        >>> from weburl.crawl import CrawlPolicy
        >>> CrawlPolicy(name="shop", version=2).name
        'shop'
        """
        return self.label

    @property
    def version(self):
        """The number of the policy's version, from 1.

        >>> from weburl.crawl import CrawlPolicy
        >>> CrawlPolicy(name="shop", version=2).version
        2
        """
        return self.number

    def __repr__(self):
        cdef list parts = [] if self.label == "custom" else [f"name={self.label!r}"]
        if self.number != 1:
            parts.append(f"version={self.number}")
        for setting, value in self.settings.items():
            if value != self.defaults[setting]:
                parts.append(f"{setting}={source_of(setting, value, self.defaults[setting])}")
        return f"{type(self).__name__}({', '.join(parts)})"

    def __str__(self):
        return f"{self.label}/{self.number}"

    def __getattr__(self, setting):
        if setting not in self.settings:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {setting!r}", name=setting, obj=self)
        return self.settings[setting]

    def __dir__(self):
        return [*object.__dir__(self), *self.settings]

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        cdef PolicyValue theirs = <PolicyValue> other
        return self.label == theirs.label and self.number == theirs.number and self.settings == theirs.settings

    def __hash__(self):
        return hash((self.label, self.number, frozenset(self.settings.items())))

    def __reduce__(self):
        # Sorted: equal policies have equal pickles. And all settings, not those that differ from a default.
        settings = {
            setting: tuple(sorted(value)) if isinstance(value, frozenset) else value
            for setting, value in self.settings.items()
        }
        return self.restorer(), (type(self).__name__, {"name": self.label, "version": self.number, **settings})

    cdef object restorer(self):
        return restore_policy


cdef bint flag(str setting, object value) except -1:
    if not isinstance(value, bool):
        raise wrong_type(value, f"{setting} must be a bool")
    return value


cdef class Policy(PolicyValue):
    """How canonicalize() changes a URL; see docs/crawl.md."""

    def __cinit__(self):
        self.label = "whatwg"
        self.rules.kind = WHATWG

    def __dealloc__(self):
        free(self.rules.parameters.ends)
        free(self.rules.parameters.conditions)
        free(self.rules.index_names.ends)
        free(self.rules.index_names.conditions)


def restore_policy(kind, settings):
    """Makes a policy from its pickle."""
    if isinstance(kind, str) and isinstance(settings, dict):
        if kind == "Policy":
            return policy_in_use(settings.get("name"))
        if kind in CLASSES:
            return CLASSES[kind](**settings)
        from weburl._crawl.old_pickles import restore
        return restore(kind, settings, {"crawl": CrawlPolicy, "surt": SurtPolicy}, POLICIES)
    raise TypeError("not the pickle of a policy")


restore_policy.__module__ = "weburl.crawl"


@cython.final
cdef class CrawlPolicy(Policy):
    """CrawlPolicy(*, name="custom", version=1, tracking_parameters=..., index_names=..., \
remove_session_ids=True, sort_query=True, remove_repeated_pairs=False, merge_slashes=False, \
remove_trailing_slash=False, remove_amp=False, remove_trailing_dot=False, remove_www=False, remove_mobile=False, \
remove_credentials=False, merge_schemes=False, fragment="remove")
--

    The policy `crawl/1` with other rules; docs/crawl.md explains each.

    >>> canonicalize("https://www.example.com/?ref=x", CrawlPolicy(tracking_parameters={"ref"}, remove_www=True))
    'https://example.com/'

    `tracking_parameters` are names of query parameters, by default TRACKING_PARAMETERS. `index_names` are last segments
    of paths, by default INDEX_NAMES. Write the names in lower case; they match in any case. A star at the end matches
    any rest. A name of a parameter can have a condition: `sid=hex32` matches only if the value is 32 hexadecimal
    digits, and `si@youtube.com` only at this host and its subdomains. Shapes are hex32, digits, time (a Unix time in
    seconds or milliseconds) and dotted (as a.b.c). `fragment` is "remove", "keep", or "hashbang", which keeps only fragments that begin with an exclamation
    mark. `name` and `version` label the keys that you store.

    A policy is a value: it does not change, and two policies are equal if their name, version and rules are. You cannot
    subclass it.
    """

    def __cinit__(
        self, *values, name="custom", version=1, tracking_parameters=TRACKING_PARAMETERS, index_names=INDEX_NAMES,
        remove_session_ids=True, sort_query=True, remove_repeated_pairs=False, merge_slashes=False,
        remove_trailing_slash=False, remove_amp=False, remove_trailing_dot=False, remove_www=False,
        remove_mobile=False, remove_credentials=False, merge_schemes=False, fragment="remove", **others,
    ):
        cdef Rules* rules = &self.rules
        self.settings = CRAWL_DEFAULTS
        refuse_others(self, values, others)
        rules.kind = CRAWL
        tracking_parameters = checked_names(tracking_parameters, "tracking_parameters")
        index_names = checked_names(index_names, "index_names")
        rules.session_ids = flag("remove_session_ids", remove_session_ids)
        parameters = tracking_parameters | SESSION_PARAMETERS if rules.session_ids else tracking_parameters
        self.parameter_pool = open_words(
            &rules.parameters, {parameter_rule(each, "tracking_parameters") for each in parameters}
        )
        names = {
            (spelled_name(each, "index_names", "/", PATH_ESCAPED, PATH_DECODED), 0, b"") for each in index_names
        }
        self.index_pool = open_words(&rules.index_names, names)
        rules.sort_query = flag("sort_query", sort_query)
        rules.remove_repeated_pairs = flag("remove_repeated_pairs", remove_repeated_pairs)
        rules.merge_slashes = flag("merge_slashes", merge_slashes)
        rules.remove_trailing_slash = flag("remove_trailing_slash", remove_trailing_slash)
        rules.remove_amp = flag("remove_amp", remove_amp)
        rules.remove_mobile = flag("remove_mobile", remove_mobile)
        self.psl = list_in_use(None) if rules.remove_mobile else None
        rules.suffixes = NULL if self.psl is None else &self.psl.suffixes
        rules.remove_trailing_dot = flag("remove_trailing_dot", remove_trailing_dot)
        rules.remove_www = flag("remove_www", remove_www)
        rules.remove_credentials = flag("remove_credentials", remove_credentials)
        rules.merge_schemes = flag("merge_schemes", merge_schemes)
        rules.changes_authority = (
            rules.remove_trailing_dot or rules.remove_www or rules.remove_mobile or rules.remove_credentials
            or rules.merge_schemes
        )
        if not isinstance(fragment, str) or fragment not in FRAGMENTS:
            from weburl._diagnosis.messages import shown_argument
            raise ValueError(f"fragment must be one of {', '.join(FRAGMENTS)}, not {shown_argument(fragment)}")
        rules.fragment = <FragmentKept> <int> FRAGMENTS[fragment]
        self.settings = {
            "tracking_parameters": tracking_parameters, "index_names": index_names,
            "remove_session_ids": remove_session_ids, "sort_query": sort_query,
            "remove_repeated_pairs": remove_repeated_pairs, "merge_slashes": merge_slashes,
            "remove_trailing_slash": remove_trailing_slash, "remove_amp": remove_amp,
            "remove_trailing_dot": remove_trailing_dot, "remove_www": remove_www, "remove_mobile": remove_mobile,
            "remove_credentials": remove_credentials, "merge_schemes": merge_schemes, "fragment": str.__str__(fragment),
        }
        self.defaults = CRAWL_DEFAULTS
        set_identity(self, "crawl", name, version)


# Those of crawl/1 and surt/1, which never change.
cdef dict CRAWL_DEFAULTS = {
    "tracking_parameters": TRACKING_PARAMETERS, "index_names": INDEX_NAMES, "remove_session_ids": True,
    "sort_query": True, "remove_repeated_pairs": False, "merge_slashes": False, "remove_trailing_slash": False,
    "remove_amp": False, "remove_trailing_dot": False, "remove_www": False, "remove_mobile": False,
    "remove_credentials": False, "merge_schemes": False, "fragment": "remove",
}
cdef dict SURT_DEFAULTS = {"with_scheme": False, "trailing_comma": False, "keep_www": False, "archive_exact": False}


@cython.final
cdef class SurtPolicy(Policy):
    """SurtPolicy(*, name="custom", version=1, with_scheme=False, trailing_comma=False, keep_www=False, \
archive_exact=False)
--

    The policy `surt/1` in another form.

    >>> canonicalize("https://www.example.com/a", SurtPolicy(with_scheme=True))
    'https://(com,example)/a'

    `with_scheme` keeps the scheme, `trailing_comma` puts a comma before the closing parenthesis, and `keep_www` keeps
    the labels of `www` and digits. `archive_exact` writes what the library surt 0.3.1 writes for the serialized URL, byte
    for byte; docs/crawl-rules.md says what differs. `name` and `version` are as in `CrawlPolicy`.
    """

    def __cinit__(
        self, *values, name="custom", version=1, with_scheme=False, trailing_comma=False, keep_www=False,
        archive_exact=False, **others,
    ):
        self.settings = self.defaults = SURT_DEFAULTS
        refuse_others(self, values, others)
        self.rules.kind = SURT
        self.rules.with_scheme = flag("with_scheme", with_scheme)
        self.rules.trailing_comma = flag("trailing_comma", trailing_comma)
        self.rules.keep_www = flag("keep_www", keep_www)
        self.rules.archive_exact = flag("archive_exact", archive_exact)
        self.settings = {
            "with_scheme": with_scheme, "trailing_comma": trailing_comma, "keep_www": keep_www,
            "archive_exact": archive_exact,
        }
        set_identity(self, "surt", name, version)


cdef Policy no_fragment_policy():
    cdef Policy policy = Policy()
    policy.label = "whatwg-no-fragment"
    policy.rules.kind = WHATWG_NO_FRAGMENT
    return policy


cdef dict CLASSES = {"CrawlPolicy": CrawlPolicy, "SurtPolicy": SurtPolicy}
cdef dict CONSTANTS = {"TRACKING_PARAMETERS": TRACKING_PARAMETERS, "INDEX_NAMES": INDEX_NAMES}
cdef dict POLICIES = {
    policy.name: policy
    for policy in (Policy(), no_fragment_policy(), CrawlPolicy(name="crawl"), SurtPolicy(name="surt"))
}
POLICIES.update({f"{name}/1": policy for name, policy in POLICIES.items()})


cdef Policy policy_in_use(object policy):
    if isinstance(policy, Policy):
        return <Policy> policy
    if not isinstance(policy, str):
        raise wrong_type(policy, "policy must be a str, a CrawlPolicy or a SurtPolicy")
    named = POLICIES.get(policy)
    if named is not None:
        return <Policy> named
    from weburl._crawl.policy_text import read_policy

    return <Policy> read_policy(
        str.__str__(policy), CLASSES, CONSTANTS, "whatwg, crawl or surt, with /1 or without, whatwg-no-fragment"
    )


def find_policy(policy):
    """The policy that an argument `policy` names or is."""
    return policy_in_use(policy)
