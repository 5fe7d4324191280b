"""Policies: what makes two URLs the same page; docs/crawl.md has the definitions."""

cimport cython
from libc.stdint cimport uint8_t, uint16_t
from libc.stdlib cimport calloc, free

from weburl._core.ascii cimport to_lower
from weburl._core.buffer cimport Buffer, release, start
from weburl._core.percent cimport ascii_text
from weburl._crawl.escapes cimport NAME_DECODED, PATH_DECODED, PATH_ESCAPED, QUERY_ESCAPED, push_respelled

from weburl._crawl.tracking import INDEX_NAMES, SESSION_PARAMETERS, TRACKING_PARAMETERS

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX

cdef dict FRAGMENTS = {"remove": NO_FRAGMENT, "hashbang": HASHBANG, "keep": ANY_FRAGMENT}


cdef bint contains(const Words* words, const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef uint8_t first
    cdef const uint8_t* q
    cdef Py_ssize_t word, i, length
    if n == 0:
        return False
    first = to_lower(p[0])
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
        if i == length:
            return True
    return False


cdef bytes open_words(Words* words, object names):
    """Fills in the table; returns what it points into."""
    cdef list ordered = sorted(names)
    cdef Py_ssize_t i, place = 0
    cdef int first
    pool = b"".join(ordered)
    words.ends = <Py_ssize_t*> calloc(len(ordered) + 1, sizeof(Py_ssize_t))
    if words.ends == NULL:
        raise MemoryError
    words.pool = <const uint8_t*> <char*> pool
    for i in range(len(ordered)):
        place += len(ordered[i])
        words.ends[i + 1] = place
    i = 0
    for first in range(256):
        words.starts[first] = i
        while i < len(ordered) and ordered[i][0] == first:
            i += 1
    words.starts[256] = i
    return pool


cdef object checked_names(object names, str what):
    if isinstance(names, str):
        raise TypeError(f"{what} must be a collection of str, not a str")
    result = frozenset(names)
    for name in result:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be of str, not {type(name).__name__}")
    return frozenset([str.__str__(name) for name in result])


cdef str quoted(str name):
    from weburl._diagnosis.messages import shown_argument

    return shown_argument(name)


# The name as it is spelled in a canonical form, in lower case.
cdef bytes spelled_name(str name, str what, str separators, uint16_t escaped, uint16_t decoded):
    cdef uint8_t[256] scratch
    cdef Buffer out
    cdef bytes given
    if not name.isascii():
        raise ValueError(f"{what}: {quoted(name)} is not a name as it stands in a URL, in ASCII")
    if name != name.lower():
        raise ValueError(f"{what}: {quoted(name)} is not in lower case; case makes no difference")
    text = name.removesuffix("*")
    if not text:
        raise ValueError(f"{what}: {quoted(name)} is not a name as it stands in a URL, or the beginning of one")
    start(&out, scratch, sizeof(scratch), PY_SSIZE_T_MAX)
    try:
        given = text.encode()
        push_respelled(&out, <const uint8_t*> <const char*> given, len(given), escaped, decoded)
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


cdef object own_name(object name):
    if name is None:
        return None
    if not isinstance(name, str):
        raise TypeError(f"name must be a str or None, not {type(name).__name__}")
    name = str.__str__(name)
    if name in ("whatwg", "whatwg-no-fragment", "crawl", "surt"):
        raise ValueError(f"name: {name!r} is a policy of weburl's own")
    if not name or not all([c.isascii() and (c.isalnum() or c in "-_.") for c in name]):
        raise ValueError(f"name: {quoted(name)} has something else than ASCII letters, digits and - _ .")
    return name


# Another rule gets another name, also where none is given: one made of what differs from `defaults`.
cdef int set_name(Policy self, str kind, object name, object version, dict defaults) except -1:
    self.own_name = own_name(name)
    if not isinstance(version, int) or not 1 <= version <= 1 << 30:
        raise ValueError("version must be an int from 1 on")
    self.version = version
    changes = {knob: value for knob, value in self.knobs.items() if value != defaults[knob]}
    if self.own_name is not None:
        self.name = self.own_name
        return 0
    if version != 1:
        raise ValueError("a version goes with a name")
    self.name = kind
    if changes:
        from weburl._crawl.blake2b import digest

        rules = [
            (knob, sorted(value) if isinstance(value, frozenset) else value) for knob, value in sorted(changes.items())
        ]
        self.name += "-" + digest(repr(rules).encode())[:4].hex()
    return 0


cdef bint flag(str knob, object value) except -1:
    if not isinstance(value, bool):
        raise TypeError(f"{knob} must be a bool, not {type(value).__name__}")
    return value


cdef class Policy:
    """How canonicalize() changes a URL; see docs/crawl.md."""

    def __cinit__(self, *args, **knobs):
        self.name = "whatwg"
        self.version = 1
        self.knobs = {}
        self.rules.kind = WHATWG

    def __dealloc__(self):
        free(self.rules.parameters.ends)
        free(self.rules.index_names.ends)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}/{self.version}>"

    def __getattr__(self, knob):
        if knob not in self.knobs:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {knob!r}", name=knob, obj=self)
        return self.knobs[knob]

    def __dir__(self):
        return [*object.__dir__(self), *self.knobs]

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        cdef Policy theirs = <Policy> other
        return self.name == theirs.name and self.version == theirs.version and self.knobs == theirs.knobs

    def __hash__(self):
        return hash((self.name, self.version, frozenset(self.knobs.items())))

    def __reduce__(self):
        if not self.knobs:
            return restore_policy, (self.name, {})
        kind = "crawl" if self.rules.kind == CRAWL else "surt"
        return restore_policy, (kind, {**self.knobs, "name": self.own_name, "version": self.version})


def restore_policy(kind, knobs):
    """Makes a policy from its pickle."""
    if not knobs:
        return policy_in_use(kind)
    return {"crawl": CrawlPolicy, "surt": SurtPolicy}[kind](**knobs)


restore_policy.__module__ = "weburl.crawl"


@cython.final
cdef class CrawlPolicy(Policy):
    """CrawlPolicy(tracking_parameters=TRACKING_PARAMETERS, index_names=INDEX_NAMES, *, name=None, version=1, **rules)

    The policy `crawl` with other rules; docs/crawl.md has each. `tracking_parameters` are names of query parameters,
    `index_names` are last segments of paths. They are in lower case, and case makes no difference. A star at the end
    matches any rest. `fragment` is "remove", "hashbang", which keeps those that begin with an exclamation mark, or
    "keep". `name` and `version` are for labels of stored keys; without a name, the policy makes one of its rules.
    """

    def __cinit__(
        self, tracking_parameters=TRACKING_PARAMETERS, index_names=INDEX_NAMES, *, remove_session_ids=True,
        sort_query=True, remove_repeated_pairs=False, remove_trailing_slash=False, remove_trailing_dot=False,
        remove_www=False, remove_credentials=False, merge_schemes=False, fragment="remove", name=None, version=1,
    ):
        cdef Rules* rules = &self.rules
        rules.kind = CRAWL
        tracking_parameters = checked_names(tracking_parameters, "tracking_parameters")
        index_names = checked_names(index_names, "index_names")
        parameters = {
            spelled_name(name, "tracking_parameters", "&=", QUERY_ESCAPED, NAME_DECODED) for name in tracking_parameters
        }
        rules.session_ids = flag("remove_session_ids", remove_session_ids)
        if rules.session_ids:
            parameters.update([name.encode() for name in SESSION_PARAMETERS])
        self.parameter_pool = open_words(&rules.parameters, parameters)
        names = {spelled_name(name, "index_names", "/", PATH_ESCAPED, PATH_DECODED) for name in index_names}
        self.index_pool = open_words(&rules.index_names, names)
        rules.sort_query = flag("sort_query", sort_query)
        rules.remove_repeated_pairs = flag("remove_repeated_pairs", remove_repeated_pairs)
        rules.remove_trailing_slash = flag("remove_trailing_slash", remove_trailing_slash)
        rules.remove_trailing_dot = flag("remove_trailing_dot", remove_trailing_dot)
        rules.remove_www = flag("remove_www", remove_www)
        rules.remove_credentials = flag("remove_credentials", remove_credentials)
        rules.merge_schemes = flag("merge_schemes", merge_schemes)
        rules.changes_authority = (
            rules.remove_trailing_dot or rules.remove_www or rules.remove_credentials or rules.merge_schemes
        )
        if not isinstance(fragment, str) or fragment not in FRAGMENTS:
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(f"fragment must be one of {', '.join(FRAGMENTS)}, not {shown_argument(fragment)}")
        rules.fragment = <FragmentKept> <int> FRAGMENTS[fragment]
        self.knobs = {
            "tracking_parameters": tracking_parameters, "index_names": index_names,
            "remove_session_ids": remove_session_ids, "sort_query": sort_query,
            "remove_repeated_pairs": remove_repeated_pairs, "remove_trailing_slash": remove_trailing_slash,
            "remove_trailing_dot": remove_trailing_dot, "remove_www": remove_www,
            "remove_credentials": remove_credentials, "merge_schemes": merge_schemes, "fragment": str.__str__(fragment),
        }
        set_name(self, "crawl", name, version, CRAWL_1 if CRAWL_1 is not None else self.knobs)


@cython.final
cdef class SurtPolicy(Policy):
    """SurtPolicy(*, with_scheme=False, trailing_comma=False, keep_www=False, name=None, version=1)

    The policy `surt` in another form: with the scheme, as in `http://(com,example)/`; with a comma before the closing
    parenthesis; with the labels of `www` and digits.
    """

    def __cinit__(self, *, with_scheme=False, trailing_comma=False, keep_www=False, name=None, version=1):
        self.rules.kind = SURT
        self.rules.with_scheme = flag("with_scheme", with_scheme)
        self.rules.trailing_comma = flag("trailing_comma", trailing_comma)
        self.rules.keep_www = flag("keep_www", keep_www)
        self.knobs = {"with_scheme": with_scheme, "trailing_comma": trailing_comma, "keep_www": keep_www}
        set_name(self, "surt", name, version, dict.fromkeys(self.knobs, False))


cdef Policy no_fragment_policy():
    cdef Policy policy = Policy()
    policy.name = "whatwg-no-fragment"
    policy.rules.kind = WHATWG_NO_FRAGMENT
    return policy


cdef dict CRAWL_1 = None
CRAWL_1 = (<Policy> CrawlPolicy()).knobs
cdef dict POLICIES = {policy.name: policy for policy in (Policy(), no_fragment_policy(), CrawlPolicy(), SurtPolicy())}
POLICIES.update({f"{name}/1": policy for name, policy in POLICIES.items()})


cdef Policy policy_in_use(object policy):
    if isinstance(policy, str):
        found = POLICIES.get(policy)
        if found is None:
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(
                "policy must be whatwg, crawl or surt, with /1 or without, whatwg-no-fragment, a CrawlPolicy or a "
                f"SurtPolicy, not {shown_argument(policy)}"
            )
        return <Policy> found
    if not isinstance(policy, Policy):
        raise TypeError(f"policy must be a str or a CrawlPolicy, not {type(policy).__name__}")
    return <Policy> policy
