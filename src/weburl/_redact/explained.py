"""Why redact_text() hides a part of a text: by which rule, and where that rule is from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import AnyStr, Final, NamedTuple
from urllib.parse import unquote

from weburl._redact import secrets
from weburl._redact.redact import LogPolicy, find_log_policy, hidden_spans
from weburl._redact.rules import own


class Redaction(NamedTuple):
    """A part of a text that redact_text() hides. It does not hold the secret.

    >>> explain_redaction("GET /cb?access_token=q8Zx")[0].rule
    '*token'

    `start` and `end` count characters of a str, and bytes of bytes. `kind` is one of the kinds of
    `weburl.redact.redactions`. `rule` is the name or the form that was found, and `source` says where the rule is from.
    """

    start: int
    end: int
    kind: str
    rule: str
    source: str


Redaction.__module__ = "weburl.text"
Redaction.start.__doc__ = "Where the part begins: a number of characters, or of bytes if the text was bytes."
Redaction.end.__doc__ = "Where the part ends."
Redaction.kind.__doc__ = "One of the kinds of `weburl.redact.redactions`, such as 'name'."
Redaction.rule.__doc__ = "The name or the form that was found."
Redaction.source.__doc__ = "Where the rule is from, such as an RFC."

# Where rules are from. The corpus in tests/data/redaction has texts of each.
OF_KINDS: Final = {
    "jwt": ("a JSON Web Token", "RFC 7519"),
    "email": ("an e-mail address", "RFC 5321"),
    "hex": ("32 or more hexadecimal digits", "detect-secrets high entropy"),
    "base64": ("32 or more characters of base64", "detect-secrets high entropy"),
    "address": ("an IP address", "Google Analytics"),
}
HEADERS: Final = {"authorization": "RFC 9110, section 11.6.2", "cookie": "RFC 6265, section 4"}
OF_NAMES: Final = {
    "*token": "RFC 6749", "*tokens": "RFC 6749", "*facebookpagetoken": "Facebook Graph API",
    "*fbpagetoken": "Facebook Graph API", "*secret*": "RFC 6749", "*authcode": "RFC 6749", "bearer": "RFC 6750",
    "code": "RFC 6749", "state": "RFC 6749", "*assertion": "RFC 7521", "*codeverifier": "RFC 7636", "*jwt*": "RFC 7519",
    "nonce": "OpenID Connect Core", "*nonce": "OpenID Connect Core", "*password*": "detect-secrets keyword",
    "*samlresponse": "SAML bindings 3.4", "*samlrequest": "SAML bindings 3.4", "sig": "Azure SAS",
    "*signature": "AWS SigV4 query", "*accesskeyid": "AWS SigV2 query", "*credential*": "AWS SigV4 query",
    "policy": "Google signed URLs", "*sessionid": "OWASP session", "*sessid": "PHP sessions",
    "*session": "OWASP session",
    "session": "OWASP session", "aspsessionid*": "OWASP session", "cfid": "ColdFusion", "*sid": "OWASP session",
    "sid": "OWASP session", "*apikey": "gitleaks generic-api-key", "*apikeys": "gitleaks generic-api-key",
    "*accesskey": "gitleaks generic-api-key", "*privatekey": "gitleaks generic-api-key",
    "*key": "gitleaks generic-api-key", "key": "gitleaks generic-api-key", "otp": "Twilio Verify",
    "totp": "Twilio Verify",
    "cvv": "PCI DSS", "cvv2": "PCI DSS", "cvc": "PCI DSS", "*cardnumber": "PCI DSS",
    "*creditcard*": "PCI DSS", "ccnumber": "PCI DSS", "ssn": "NIST SP 800-122", "pin": "PCI DSS",
    "*magiclink": "links in mails", "refresh": "RFC 6749", "*hmac": "Shopify admin", "*hash": "Supabase",
    "ticket": "Auth0", "tok": "CredData InURL", "tkn": "CredData InURL", "auth": "CredData InURL",
    **dict.fromkeys(
        "*passwd* pwd *pwd contrasea *contrasena dbpass keypass *authkey".split(), "detect-secrets keyword"
    ),
}  # fmt: skip
ESCAPE: Final = re.compile(r"(?:%|\\u00|\\x)([0-9A-Fa-f]{2})")
SEPARATOR: Final = re.compile(r"[&;?#,{}/\\<>|()\n\r\[\]\"' \t=:]+")
# How far before a part its name is looked for.
LONGEST_NAME: Final = 256
NAMED: Final = re.compile(r"([^?&;#/\s\"'<>=]*)=\\*[\"']?\Z")
PARAMETER: Final = re.compile(r"[?&#][^?&;#/\s\"'<>=]*=\Z")
# Only where a name can begin: no character is read twice.
INNER_NAME: Final = re.compile(r"(?<![^&;?#,{}/<>|()\n\r=:])([^&;?#,{}/<>|()\n\r=:]*)[=:]")
PATH: Final = re.compile(r"(?::[/\\]{2,}([^/\\?#\s]*))?((?:[/\\][^/\\?#\s\"'<>=]*)*[/\\])\Z")
# What a path in a text can follow.
BEFORE_PATH: Final = tuple("=:,;([{|")
# What can follow a name in brackets, and what can be before a value: in a list, also line ends.
BRACKETS: Final = r"(?:%5D|\])?(?:(?:\[|%5B)[0-9]*(?:\]|%5D))?"
BLANK: Final = r"(?:[ \t]|(?:\x1b|#033|\^\[|\\{1,4}(?:e|033|x1[bB]|u001[bB]))\[[0-9:;]{0,16}[mK])*"
BREAK_IN_LIST: Final = r"(?:(?<=[\[(,])[ \t]*\r?\n|\r?\n(?=[ \t]*\]))"
# The last name of a header counts.
HEADER: Final = re.compile(
    rf"\A.*(authorization|cookie){BRACKETS}\\*[\"']?[ \t]*(?::|=>?|,)(?:{BREAK_IN_LIST}|[^\n?])*\Z",
    re.IGNORECASE | re.DOTALL,
)
KEY_HEADER: Final = re.compile(
    rf"\A.*((?:{'|'.join(secrets.KEY_HEADERS).replace('-', '[-_]?')})|token"
    rf"|(?:{'|'.join(secrets.SECRET_FIELDS)})(?:[-_]?(?:{'|'.join(secrets.FIELD_TAILS)}))?){BRACKETS}"
    r"\\*[\"']?[ \t\]]*(?::|=>?|,)\s*"
    rf"(?:\\*[\"']?value\\*[\"']?[ \t]*[:=])?(?:{BREAK_IN_LIST}|[^?=:\n])*\Z",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
# What follows the name of a field that only the policy names, before its value. A name can be after an escape.
RUN: Final = re.compile(r"[A-Za-z0-9_.\x80-\xff-]*[A-Za-z0-9](?![A-Za-z0-9_.\x80-\xff-])")
AFTER_NAME: Final = re.compile(
    rf"{BRACKETS}\\*[\"']?{BLANK}\]?{BLANK}(?::|=>?|,)\s*"
    rf"(?:\\*[\"']?value\\*[\"']?{BLANK}[:=])?(?:{BREAK_IN_LIST}|[^?=:\n])*",
    re.IGNORECASE,
)
# A sign in UTF-8 that is not ASCII is in no name.
SIGN: Final = r"(?:\xc2[\x80-\xbf]|(?:\xe2[\x80-\xaf]|\xe3\x80|\xef\xbc)[\x80-\xbf])"
BEFORE_NAME: Final = re.compile(r"(?<=%)[0-9A-Fa-f]{2}|(?<=\\)(?:[nrt]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})")
# Between two texts of a list.
BETWEEN: Final = re.compile(rb"(?:[\s\"'\\\[\](){},.0-9+-]|\\[nr]|(?i:null|none|nil|true|false))*")
REQUEST: Final = re.compile(r"[A-Z]{3} /[^\s?#=:\"']*\Z")


def explain_redaction(text: AnyStr, policy: str | LogPolicy = "logs/1") -> list[Redaction]:
    """What redact_text() hides in a text, and why: a `Redaction` for each part, in order.

    >>> for redaction in explain_redaction("GET /login?user=ada&password=q8Zx HTTP/1.1"):
    ...     print(redaction)
    Redaction(start=29, end=33, kind='name', rule='*password*', source='detect-secrets keyword')

    The policy is the same as for redact_text().
    """
    octets, spans = hidden_spans(text, policy)
    used = find_log_policy(policy)
    found = []
    characters = place = 0
    for (start, end, kind), (rule, source) in zip(spans, rules_of(octets, spans, used), strict=True):
        if isinstance(text, str):
            characters += len(octets[place:start].decode("utf-8", "surrogatepass"))
            place, start = start, characters
            characters += len(octets[place:end].decode("utf-8", "surrogatepass"))
            place, end = end, characters
        found.append(Redaction(start, end, kind, rule, source))
    return found


def rules_of(octets: bytes, spans: Iterable[tuple[int, int, str]], policy: LogPolicy) -> Iterator[tuple[str, str]]:
    """The rule and the source of each span. A text of a list has those of the text before it."""
    last, previous, rule = 0, "", ("", "")
    for start, end, kind in spans:
        if kind != previous or kind not in ("name", "credentials") or not BETWEEN.fullmatch(octets, last, start):
            rule = rule_of(octets, start, end, kind, policy)
        last, previous = end, kind
        yield rule


def rule_of(octets: bytes, start: int, end: int, kind: str, policy: LogPolicy) -> tuple[str, str]:
    if kind in OF_KINDS:
        return OF_KINDS[kind]
    hidden = octets[start:end].decode("latin-1")
    before = octets[max(start - LONGEST_NAME, 0) : start].decode("latin-1")
    if kind == "card":
        return (
            ("an account number", "ISO 13616") if re.search("[A-Z]{2}[0-9]{2}", hidden) else ("a card", "ISO/IEC 7812")
        )
    if kind == "key":
        return key_rule(hidden)
    if kind == "credentials" and re.search(r"//(?:[^/?#]*:)?\Z", before.replace("\\", "")):
        return "a username or a password", "RFC 3986, section 3.2.1"
    header, key_header = HEADER.search(before), KEY_HEADER.search(before)
    own_name, own_begin = own_rule(before, policy) if kind == "name" else ("", -1)
    if kind != "name" or policy.exact_names:
        key_header = None
    elif PARAMETER.search(before) or REQUEST.search(before):
        header = key_header = None
        own_name = ""
    # The last one counts.
    if own_name and own_begin >= max(each.start(1) if each else -1 for each in (header, key_header)):
        return own_name, "the policy"
    if key_header and (header is None or key_header.start(1) > header.start(1)):
        name = re.sub("[-_]", "", before[: key_header.end(1)].lower())
        known = next((each for each in secrets.KEY_HEADERS if name.endswith(each.replace("-", ""))), None)
        if known:
            return f"a header that ends with {known}", secrets.KEY_HEADERS[known]
        field = next((each for each in secrets.SECRET_FIELDS if each in key_header[1].lower()), "token")
        rule = f"*{field}" if field in ("pwd", "token") else f"*{field}*"
        return rule, source_of(rule)
    if header:
        name = header[1].lower()
        return f"the header {name}", HEADERS[name]
    if kind == "credentials":
        return "credentials in a value", "RFC 3986, RFC 6750, RFC 7617"
    return name_rule(before, hidden, policy)


def own_rule(before: str, policy: LogPolicy) -> tuple[str, int]:
    """The name of the policy's own that the field of a value has, and where that field's name ends; or ("", -1)."""
    names = own_names(policy)
    for run in reversed([*RUN.finditer(before)] if names else []):
        escape = BEFORE_NAME.match(before, run.start())
        name = before[escape.end() if escape else run.start() : run.end()]
        word = re.sub("[^a-z0-9]", "", re.split(SIGN, name)[-1].lower())
        is_own = matcher(names).fullmatch(word) and not matcher(policy.kept_names).fullmatch(word)
        if is_own and AFTER_NAME.fullmatch(before, run.end()):
            return max((glob for glob in names if fits(glob, word)), key=lambda glob: (len(glob), glob)), run.end() - 1
    return "", -1


@lru_cache(maxsize=64)
def own_names(policy: LogPolicy) -> frozenset[str]:
    hidden, tokens = own({name: getattr(policy, name) for name in ("secret_names", "token_names", "field_names")})
    return frozenset() if policy.exact_names else hidden | tokens


def key_rule(hidden: str) -> tuple[str, str]:
    prefixes = [prefix for prefix in secrets.KEY_PREFIXES if hidden.startswith(prefix)]
    if not prefixes and not re.search(r"[0-9]Q~|\.atlasv1\.", hidden):
        prefixes = [prefix for prefix in secrets.KEY_PREFIXES if prefix in hidden]
    if prefixes:
        return max(prefixes, key=len), "gitleaks, and what the service documents"
    for mark in ("Q~", ".atlasv1."):
        if mark in hidden:
            return mark, "gitleaks, and what the service documents"
    return ("the key of a bot", "Telegram Bot API") if ":" in hidden else ("a webhook", "Slack incoming webhooks")


def path_rule(before: str, policy: LogPolicy) -> str | None:
    """The rule that hides the segment after a text."""
    found = PATH.search(before)
    if not found:
        return None
    host = f".{(found[1] or '').rpartition('@')[2].partition(':')[0].lower()}"
    rules = [*policy.path_rules]
    for rule in policy.host_rules:
        own, action, named = rule.split(" ", 2)
        if action == "path" and host.endswith(f".{own}"):
            rules.append(named)
    texts = re.split(r"[/\\]+", found[2])[1:-1]
    # Other paths may have begun in this one, as in `/a,/b`.
    begins = [0, *(index for index, text in enumerate(texts, 1) if text[-1:] in BEFORE_PATH)]
    for rule in sorted(rules):
        wanted = rule.split("/")[1:]
        for begin in begins:
            count = len(texts) - begin
            if len(wanted) > count and wanted[count] == "{secret}":
                pairs = zip(texts[begin:], wanted[:count], strict=True)
                if all(each in ("*", "{secret}") or unquote(each) == plain_segment(text) for text, each in pairs):
                    return rule
    return None


def plain_segment(text: str) -> str:
    return unquote(text.partition(";")[0])


def name_rule(before: str, hidden: str, policy: LogPolicy) -> tuple[str, str]:
    if rule := path_rule(before, policy):
        return rule, "the policy"
    hosts = frozenset(rule.split(" ", 2)[2] for rule in policy.host_rules if rule.split(" ", 2)[1] == "hide")
    if policy.exact_names:
        named = NAMED.search(before)
        # Only a name of the policy is shown: what is before an equals sign may have another secret.
        words = SEPARATOR.split(unescaped(named[1])) if named else []
        rule = words[-1] if words and words[-1] in policy.exact_names | hosts else "a name"
        return rule, "OpenTelemetry's conventions for URLs" if rule in secrets.OTEL_NAMES else "the policy"
    lists = (policy.secret_names, hosts, policy.token_names, secrets.COUNT_NAMES, secrets.NUMBER_NAMES)
    known = set()
    for name in names_before(before, hidden):
        for word in words_of(name):
            if word in known:
                continue
            known.add(word)
            for globs in lists:
                if not matcher(globs).fullmatch(word):
                    continue
                matching = [glob for glob in globs if fits(glob, word)]
                if matching:
                    rule = max(matching, key=lambda glob: (len(glob), glob))
                    return rule, "the policy" if rule in own_names(policy) else source_of(rule)
    return "text that looks random after the name of a link", "links in mails"


def names_before(before: str, hidden: str) -> Iterator[str]:
    """The name of the value, and names in it."""
    if named := NAMED.search(before):
        yield named[1]
    plain = hidden
    for _ in range(8):
        yield from (match[1] for match in INNER_NAME.finditer(plain))
        plain, last = unescaped(plain), plain
        if plain == last:
            break


def unescaped(text: str) -> str:
    return ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def words_of(name: str) -> list[str]:
    name = unescaped(name)
    return [re.sub("[^a-z0-9]", "", word.lower()) for word in SEPARATOR.split(name)]


@lru_cache(maxsize=64)
def matcher(globs: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(glob).replace(r"\*", ".*") for glob in sorted(globs)) or "(?!)", re.DOTALL)


def fits(glob: str, word: str) -> bool:
    core = glob.strip("*")
    if glob[0] == glob[-1] == "*":
        return core in word
    if glob[0] == "*":
        return word.endswith(core)
    return word.startswith(core) if glob[-1] == "*" else word == core


def source_of(rule: str) -> str:
    if rule in secrets.IDENTIFIER_NAMES:
        return "identifiers of people, browsers and programs"
    own = secrets.SECRET_NAMES | secrets.TOKEN_NAMES | secrets.COUNT_NAMES | secrets.NUMBER_NAMES
    return OF_NAMES.get(rule, "weburl's lists") if rule in own else "the policy"


explain_redaction.__module__ = "weburl.text"
