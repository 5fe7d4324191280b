# A part of redact.pyx: `LogPolicy`, and which policy an argument names. rules.py makes its tables, policy_file.py reads
# files.

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from weburl._core.arguments import need_path, wrong_type
from weburl._crawl.policy cimport PolicyValue, open_key, refuse_others, set_identity

import os

from weburl._crawl.policy_text import read_policy
from weburl._redact import rules, secrets
from weburl._redact.rules import DEFAULTS, LOGS
from weburl._redact.secrets import SECRET_NAMES, TOKEN_NAMES

# The texts of all placeholders.
cdef bytes PLACEHOLDER_TEXTS = b"".join([TEXTS[i] for i in range(<int> PLACEHOLDERS)])


cdef int open_names(LogPolicy policy, Names* names, object table) except -1:
    automaton, paths = table.automaton, table.paths
    names.next = <const uint16_t*> <const char*> <bytes> automaton.next
    names.now = <const uint16_t*> <const char*> <bytes> automaton.now
    names.at_end = <const uint16_t*> <const char*> <bytes> automaton.at_end
    names.start = automaton.start
    names.are_of_placeholders = lists_of(names, PLACEHOLDER_TEXTS, len(PLACEHOLDER_TEXTS)) & SEGMENT
    names.hides_addresses = policy.settings["whole_addresses"]
    names.own = table.own
    if table.exact:
        names.exact = <const uint8_t*> <const char*> <bytes> table.exact
        names.exact_length = len(table.exact)
    names.paths.all = (1 << paths.number) - 1
    names.paths.starts = <const int32_t*> <const char*> <bytes> paths.starts
    names.paths.segments = <const int32_t*> <const char*> <bytes> paths.segments
    names.paths.pool = <const uint8_t*> <const char*> <bytes> paths.pool
    if policy.settings["key_env"]:
        names.keyed = policy.keyed
    return 0


@cython.final
cdef class LogPolicy(PolicyValue):
    """LogPolicy(*, name="custom", version=1, secret_names=..., token_names=..., exact_names=(), whole_addresses=False, \
kept_names=(), field_names=(), path_rules=(), host_rules=(), key_env="")
--

    The policy `logs/1` with other names of parameters.

    >>> redact("https://h/?plate=AB1", LogPolicy(secret_names=SECRET_NAMES | {"*plate"}))
    'https://h/?plate=REDACTED'

    Values of `secret_names`, by default SECRET_NAMES, are always hidden. Values of `token_names`, by default
    TOKEN_NAMES, are hidden if they look random. A name has lower-case letters and digits. A star before or after a name
    stands for any text. With `exact_names`, only usernames, passwords and the values of these parameters are hidden. These
    names are compared as they are written. With `whole_addresses`, IP addresses of clients are hidden. Otherwise, they are
    shortened. `name` and `version` label what you store. What you add to the names counts for fields in texts, too;
    `field_names` are names of fields alone.

    `kept_names` are names whose values stay. `path_rules` are paths such as "/reset/{secret}". `host_rules` are rules
    for a host and those below it, such as "example.com hide plate". `key_env` is an environment variable with a key:
    then `REDACTED-` and a hash stand for a secret. docs/redact-policies.md explains these.

    A policy is a value: it does not change, and two policies are equal if their name, version and rules are. You cannot
    subclass it.
    """

    def __cinit__(self, *values, name="custom", version=1, **settings):
        cdef bytes key
        cdef Py_ssize_t i
        own_name = "paths" if name == "paths" else name if isinstance(name, str) and name in LOGS else "logs"
        self.settings = self.defaults = {**DEFAULTS, **LOGS.get(own_name, {})}
        refuse_others(self, values, {other: value for other, value in settings.items() if other not in DEFAULTS})
        # A policy of weburl's own has its own defaults.
        self.settings = rules.checked_settings({**self.defaults, **settings})
        key = rules.key_in(self.settings["key_env"])
        if key:
            open_key(self.keyed, key, len(key))
        tables = rules.compiled(self.settings)
        self.tables = tables
        self.of_hosts = <Names*> calloc(max(len(tables.of_hosts), 1), sizeof(Names))
        if self.of_hosts == NULL:
            raise MemoryError
        for i, table in enumerate(tables.of_hosts):
            open_names(self, &self.of_hosts[i], table)
        open_names(self, &self.names, tables.names)
        self.names.of_hosts = self.of_hosts
        self.names.hosts.count = tables.host_count
        self.names.hosts.ends = <const int32_t*> <const char*> <bytes> tables.host_ends
        self.names.hosts.sets = <const uint16_t*> <const char*> <bytes> tables.sets
        self.names.hosts.pool = <const uint8_t*> <const char*> <bytes> tables.hosts
        # path_template() hides the same.
        set_identity(self, own_name, name, version)

    def __dealloc__(self):
        free(self.of_hosts)

    @classmethod
    def from_toml(cls, text, *, file="<toml>"):
        """from_toml(text, *, file="<toml>")
--

        The policy that a text of TOML has; docs/redact-policies.md has all keys.

        >>> redact("https://h/?plate=AB1", LogPolicy.from_toml("hide = ['*plate']"))
        'https://h/?plate=REDACTED'

        ValueError says which line is wrong, and calls the text `file`.
        """
        from weburl._redact.policy_file import read_text

        if not isinstance(text, str):
            raise wrong_type(text, "text must be a str")
        return read_text(text, file, LogPolicy)

    @classmethod
    def from_file(cls, path):
        """from_file(path)
--

        The policy in a file of TOML; docs/redact-policies.md has all keys.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "shop.toml")
        ...     _ = path.write_text("hide = ['*plate']")
        ...     policy = LogPolicy.from_file(path)
        >>> redact("https://h/?plate=AB1", policy)
        'https://h/?plate=REDACTED'

        ValueError says which line is wrong.
        """
        from weburl._redact.policy_file import read_file

        return read_file(os.fsdecode(need_path(path, "path must be a str or a path")), LogPolicy)

    def __eq__(self, other):
        # Also if the keys are the same.
        equal = PolicyValue.__eq__(self, other)
        if equal is True and memcmp(self.keyed, (<LogPolicy> other).keyed, sizeof(self.keyed)) != 0:
            return False
        return equal

    def __hash__(self):
        return PolicyValue.__hash__(self)

    cdef object restorer(self):
        return restore_log_policy


def restore_log_policy(kind, settings):
    """Makes a policy from its pickle. In those of 0.2.0, the arguments are the two lists of names."""
    if kind == "LogPolicy" and isinstance(settings, dict):
        return LogPolicy(**settings)
    from weburl._redact.old_pickles import restore
    return restore(kind, settings, LogPolicy)


restore_log_policy.__module__ = "weburl.redact"

cdef dict CLASSES = {"LogPolicy": LogPolicy}
cdef dict CONSTANTS = {
    "SECRET_NAMES": SECRET_NAMES, "TOKEN_NAMES": TOKEN_NAMES, "IDENTIFIER_NAMES": secrets.IDENTIFIER_NAMES,
    "OTEL_NAMES": secrets.OTEL_NAMES,
}
# By their names, made when they are first asked for. Dicts, since threads may ask at the same time.
cdef dict logs = {}, paths = {}


cdef LogPolicy policy_among(dict made, tuple own, object policy):
    if isinstance(policy, LogPolicy):
        return <LogPolicy> policy
    if not isinstance(policy, str):
        raise wrong_type(policy, "policy must be a str or a LogPolicy")
    own_name = str.removesuffix(policy, "/1")
    if own_name not in own:
        return <LogPolicy> read_policy(str.__str__(policy), CLASSES, CONSTANTS, f"{', '.join(own)}, with /1 or without")
    named = made.setdefault(own_name, LogPolicy(name=own_name))
    return <LogPolicy> made.setdefault(f"{own_name}/1", named)


# The policy for an argument `policy`: of redact(), and of path_template().
cdef LogPolicy log_policy_in_use(object policy):
    named = logs.get(policy) if type(policy) is str else None
    return <LogPolicy> named if named is not None else policy_among(logs, tuple(LOGS), policy)


cdef LogPolicy path_policy_in_use(object policy):
    named = paths.get(policy) if type(policy) is str else None
    return <LogPolicy> named if named is not None else policy_among(paths, ("paths",), policy)


def find_log_policy(policy):
    """The policy that an argument `policy` of redact() names or is."""
    return log_policy_in_use(policy)


def find_path_policy(policy):
    """The same of path_template()."""
    return path_policy_in_use(policy)
