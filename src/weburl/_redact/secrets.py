"""What the policies `logs`, `logs-strict` and `otel` hide in URLs.

docs/redact-rules.md says where each entry is from. A name is compared without case, and without characters that are
neither letters nor digits: `api_key`, `apiKey` and `api-key` are `apikey`. A star stands for any letters and digits.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from typing import Final

from weburl._core.arguments import wrong_type

# Names that count before plain names, besides those that a policy adds: of a page of Facebook, not of a list.
# https://developers.facebook.com/docs/facebook-login/guides/access-tokens/#pagetokens
FIRM_NAMES: Final = frozenset(("*facebookpagetoken", "*fbpagetoken"))

# Parameters whose values are always hidden.
SECRET_NAMES: Final = FIRM_NAMES | frozenset(
    (
        "*password* *passwd* *passphrase* pass userpass dbpass servicepass adminpass rootpass loginpass mypass newpass "
        "oldpass authpass keypass storepass smtppass ftppass pwd *pwd pw psw "
        "*passwort *kennwort contrasea *contrasena *senha motdepasse *wachtwoord "
        "*secret* *credential* *token *tokens *jwt* bearer *authorization auth oauth "
        "*apikey *apikeys *accesskey *accesskeyid *privatekey *authkey *signingkey *encryptionkey *consumerkey "
        "*sessionkey *signature sig *hmac "
        "*sessionid *sessid aspsessionid* cfid "
        "*samlresponse *samlrequest *assertion *codeverifier *authcode *magiclink "
        "otp totp cvv cvv2 cvc ssn *cardnumber *creditcard* ccnumber tok tkn"
    ).split()
)

# Parameters whose values are hidden if they look random: of 16 characters or more, with letters and digits.
TOKEN_NAMES: Final = frozenset(
    "code key *key hash *hash sid *sid session *session state nonce *nonce ticket mac policy sign *sign *auth "
    "cookie *cookie refresh".split()
)

# Segments of a path after which segments that look random are hidden, besides the names of secrets.
TOKEN_SEGMENTS: Final = frozenset(
    "reset* verify* verification confirm* activate* activation invite* invitation* unsubscribe* session* sso share* "
    "*webhook webhook* magic* workflows triggers".split()
)

# Segments of a path after which values of the query that look random are hidden: those of links in mails.
LINK_SEGMENTS: Final = frozenset("magic* *magiclink reset* *reset verif* confirm* activat* unsubscribe* invit*".split())

# Parameters whose values are hidden if they are digits: a `pin` can be on a map.
NUMBER_NAMES: Final = frozenset("pin".split())

# Parameters whose values are hidden, but not if they are numbers or words such as `true`: `max_tokens=100`.
COUNT_NAMES: Final = frozenset(
    "*tokens *passwordreset* *resetpassword* *forgotpassword* *passwordless* *passwordchanged* *passwordstrength* "
    "*passwordexpire* *passwordlength *passwordcount *passwordscount *passwordrequired *passwordenabled haspassword "
    "usepassword rememberpassword showpassword savepassword withpassword requirepassword *secretsanta*".split()
)

# Values that are not secrets, whatever the name.
PLAIN_VALUES: Final = frozenset("true false yes no on off null nil none nan undefined include omit".split())

# What programs write for a value that they hide, in brackets such as `[FILTERED]` and `(null)`: Rails, Sentry, Kafka,
# Terraform, Pulumi, C, and others.
HIDDEN_WORDS: Final = frozenset(
    "filtered hidden masked null nil none protected redacted removed secret sensitive".split()
)

# Clicks on advertisements: plain, but identifiers for `logs-strict`.
CLICK_NAMES: Final = frozenset(
    "gclid gclsrc dclid gbraid wbraid fbclid fbp fbc msclkid ttclid twclid yclid ga gl gid lifatid igshid srsltid epik "
    "rdtcid sccid cjevent irclickid".split()
)

# Parameters whose values are not secrets by name, are no addresses, and may be hexadecimal or base64: versions,
# checksums, identifiers of traces, cursors, lists, campaigns.
PLAIN_NAMES: Final = CLICK_NAMES | frozenset(
    "v ver *version rel release *release build *build *buildid sha *sha sha1 *sha1 sha256 *sha256 sha512 *sha512 "
    "md5 *md5 *checksum digest *digest etag integrity commit *commit *commitid *commitsha rev *revision "
    "*pagetoken *nexttoken *continuationtoken *synctoken *skiptoken pagingtoken versiontoken changetoken "
    "*cursor cursor *tokenizer *secretar* "
    "trace traceid *traceid *tracecontext spanid *spanid traceparent tracestate *requestid *correlationid "
    "*versionid list utm* campaign *campaign *campaignname".split()
)

# What `logs-strict` hides besides: identifiers of people, browsers and programs.
IDENTIFIER_NAMES: Final = CLICK_NAMES | frozenset(
    "clientid *clientid mceid mccid mktok hsenc hsmi veroid *visitorid *anonymousid "
    "*deviceid *userid uid *customerid *accountid *memberid "
    "user *username login name firstname *firstname lastname *lastname *fullname surname *surname givenname familyname "
    "middlename nickname *email mail *phone *phonenumber mobile tel dob *birthday *birthdate "
    "*dateofbirth street *address postcode postalcode zipcode zip passport *passportnumber".split()
)

# https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/: these names as they are written.
OTEL_NAMES: Final = frozenset(
    "X-Amz-Signature X-Amz-Credential X-Amz-Security-Token AWSAccessKeyId Signature sig X-Goog-Signature".split()
)

# Ends of file names that are not top-level domains: `logo@2x.png`.
EXTENSIONS: Final = frozenset(
    "png jpg jpeg gif webp svg ico bmp avif css js mjs cjs ts jsx tsx vue json xml html htm pdf txt csv woff woff2 ttf "
    "otf map mp3 webm gz tgz whl jar".split()
)

# What is decided by a name and the shape of a value: the lists of names above, the shape, and what happens. The first
# row that fits counts, but a plain name or one of a count counts before that of a secret: see docs/redact-rules.md.
DECISIONS: Final = (
    (
        "a plain name: `sha256`, `page_token`, `gclid`",
        "hexadecimal or base64 text, an IP address, words, numbers",
        "stays",
    ),
    ("a plain name", "another form of a secret, such as a JWT", "hidden"),
    ("a name of a count: `max_tokens`", "up to nine digits, or a plain value such as `true`", "stays"),
    ("a name of a count", "anything else", "hidden"),
    ("a name of a secret: `token`, `password`", "a plain value such as `true`", "stays"),
    ("a name of a secret", "anything else", "hidden"),
    ("a name of a number: `pin`", "digits only", "hidden"),
    ("a name of a token: `code`, `sid`", "text that looks random", "hidden"),
    (
        "any other name, after a path with a segment of a link in a mail: `/magic-link?t=`",
        "text that looks random",
        "hidden",
    ),
    ("any other name", "a form of a secret: see the kinds", "hidden"),
    ("any other name", "an IP address", "shortened"),
    ("any other name", "anything else", "stays"),
)

# How the keys of services begin, and how many characters follow at least: letters, digits, `-` and `_`, or those of
# KEY_CHARACTERS. Beginnings that many words have are left out: see docs/redact-rules.md.
KEY_PREFIXES: Final = {
    "AKIA": 16, "ASIA": 16, "ABIA": 16, "ACCA": 16, "A3T": 17, "ABSK": 109, "bedrock-api-key-": 40,  # Amazon
    "LTAI": 16, "AIza": 35, "GOCSPX-": 20, "ya29.": 20,  # Alibaba, Google
    "ghp_": 36, "gho_": 36, "ghu_": 36, "ghs_": 36, "ghr_": 36, "github_pat_": 22,  # GitHub
    "glpat-": 20, "gldt-": 20, "glrt-": 20, "glptt-": 40, "glft-": 20, "glsoat-": 20, "glcbt-": 20,  # GitLab
    "gloas-": 40, "glagent-": 40, "glimt-": 20, "glffct-": 20, "GR1348941": 20,  # GitLab
    "xoxb-": 10, "xoxp-": 10, "xoxa-": 10, "xoxr-": 10, "xoxs-": 10, "xoxo-": 10, "xoxe-": 20, "xapp-": 10,  # Slack
    "sk_live_": 10, "sk_test_": 10, "sk_prod_": 10, "rk_live_": 10, "rk_test_": 10, "rk_prod_": 10,  # Stripe
    "whsec_": 24,  # Stripe
    "sk-ant-": 20, "sk-proj-": 20, "sk-svcacct-": 20, "sk-admin-": 20, "sk-": 32, "gsk_": 40,  # AI: OpenAI and others
    "sk-or-v1-": 60, "r8_": 37, "pplx-": 40, "xai-": 60, "nvapi-": 40, "tvly-": 24, "pcsk_": 40,  # AI
    "lsv2_pt_": 32, "lsv2_sk_": 32, "hf_": 30,  # AI: LangSmith, Hugging Face
    "SG.": 20, "xkeysib-": 64, "PMAK-": 24, "sq0csp-": 40, "sq0atp-": 22, "EAAA": 56, "EAA": 100,  # mail, Square, Meta
    "NRAK-": 27, "NRII-": 32, "NRJS-": 19,  # New Relic
    "npm_": 36, "pypi-": 50, "rubygems_": 48, "CLOJARS_": 60, "oy2": 43,  # npm, PyPI, RubyGems, Clojars, NuGet
    "dckr_pat_": 27, "dckr_oat_": 27, "sha256~": 43, "fo1_": 43, "fm1a_": 100, "fm1r_": 100, "fm2_": 100,  # Docker, Fly
    "dop_v1_": 64, "doo_v1_": 64, "dor_v1_": 64, "dapi": 32, "pul-": 40, "tk-us-": 48,  # DigitalOcean, Databricks
    "hvs.": 24, "hvb.": 90, "hvr.": 24, "ops_eyJ": 100, "A3-": 33, "AGE-SECRET-KEY-1": 58,  # Vault, 1Password, age
    "dp.pt.": 40, "dp.st.": 40, "dp.st.dev.": 40, "dp.st.stg.": 40, "dp.st.prd.": 40, "dp.ct.": 40,  # Doppler
    "dp.sa.": 40,  # Doppler
    "shpat_": 32, "shpss_": 32, "shpca_": 32, "shppa_": 32, "shippo_live_": 40, "shippo_test_": 40,  # Shopify, Shippo
    "lin_api_": 40, "lin_oauth_": 40, "pscale_tkn_": 32, "pscale_pw_": 32, "pscale_oauth_": 32,  # Linear, PlanetScale
    "glsa_": 32, "glc_": 32, "eyJrIjoi": 60, "sntryu_": 64, "sntrys_": 64,  # Grafana, Sentry
    "ATATT3": 60, "ATCTT3": 60,  # Atlassian
    "ATBB": 28, "HRKU-AA": 58, "dt0c01.": 24, "sgp_": 40, "pnu_": 36, "bkua_": 40,  # Atlassian, Heroku, Dynatrace
    "sb_secret_": 30, "sbp_": 40, "napi_": 60, "tskey-": 20, "nfp_": 36, "CFPAT-": 40, "CCIPAT_": 40,  # Supabase, Neon
    "figd_": 40, "ntn_": 40, "rdme_": 70, "tfp_": 40, "EZAK": 54, "EZTK": 54, "AKCp": 60, "cmVmd": 59,  # and others
    "sqp_": 40, "squ_": 40, "sqa_": 40, "duffel_live_": 40, "duffel_test_": 40, "FLWSECK-": 32, "FLWSECK_TEST-": 12,
    "sm_aat_": 16, "sm_pat_": 16, "sm_sat_": 16, "fio-u-": 40, "API-": 26, "p8e-": 32, "v1.0-": 24,
    "s-s4t2ud-": 64, "s-s4t2af-": 64, "dnkey-": 60, "AQVN": 35, "sl.": 130, "sl.u.": 100, "ZXlK": 60,
    "pat": 14, "pat.": 22, "sat.": 22, "pat-na1-": 36, "pat-eu1-": 36,
}  # fmt: skip

# Those that other characters follow. The prefixes of three characters are here, so that they are not found in words.
KEY_CHARACTERS: Final = {
    "letters": ("sk-", "EAA", "oy2", "ATBB", "cmVmd", "p8e-", "pat", "pnu_"),  # and digits
    "hex": ("pul-", "v1.0-", "s-s4t2ud-", "s-s4t2af-", "shippo_live_", "shippo_test_"),
    "capitals": ("A3T", "API-"),  # and digits
    "groups": ("A3-",),  # of capitals and digits, with hyphens between them
    "numbers": ("xoxo-",),  # with hyphens between them
    "base64": ("ABSK", "bedrock-api-key-", "fm1a_", "fm1r_", "fm2_", "ops_eyJ", "glc_", "eyJrIjoi", "sntrys_", "ZXlK"),
}
# After exactly the number of characters, a dot or a hyphen, and at least so many letters and digits: of Airtable,
# Harness and Cloudflare.
KEY_TAILS: Final = {"pat": 64, "pat.": 24, "sat.": 24, "v1.0-": 100}

# The first three characters of all of them, and of others that text.pxi looks for, in groups. The scan also finds what
# has the first of one of a group, the second of another and the third of a third, so each group has few different ones
# that are frequent in texts.
KEY_GROUPS: Final = (
    "A3- A3T AGE AIz bed bku gld gsk lin lsv npm ntn",
    "dt0 duf pat pul r8_ rdm rk_ rub sat sk_",
    "PMA ZXl dck dnk dp. hvs p8e pcs pnu ppl psc tk- tsk tvl xke",
    "CFP CLO FLW SG. fig fio gho ghp ghr ghs ghu gla glc glf gli glo glp glr gls s-s sgp sha shi shp sl. "
    "sm_ sq0 squ sv1 v1. whs",
    "EZT eyI eyJ git ops oy2 pyp sk- snt",
    "0Q~ ABI ABS ACC AKC AKI API AQV ASI ATA ATB ATC CCI EAA EZA GOC GR1 LTA NRA NRI cmV dap dop fm1 fm2 fo1 tfp ya2",
    "HRK NRJ doo dor hf_ hvb hvr nap nfp nva sb_ sbp sqa sqp xai xap xox",
)

# Those that only capitals and digits follow.
CAPITAL_PREFIXES: Final = frozenset(("AKIA", "ASIA", "ABIA", "ACCA"))

# Schemes of the header Authorization with one word after them, and with anything after them.
# https://www.iana.org/assignments/http-authschemes/http-authschemes.xhtml
TOKEN_SCHEMES: Final = frozenset("basic bearer dpop negotiate ntlm token apikey api-key oauth2 privatetoken".split())
AUTHORIZATION_SCHEMES: Final = frozenset(
    "concealed digest gnap hoba mutual oauth scram-sha-1 scram-sha-256 vapid aws aws4-hmac-sha256 hawk hmac signature "
    "sharedkey sharedkeylite sharedaccesssignature googlelogin".split()
)

# Headers with a key or a token, by the last two words of their names, and where each is from: `X-Api-Key` is one, and
# `http_x_api_key`.
KEY_HEADERS: Final = {
    "access-key": "gitleaks generic-api-key",
    "access-token": "RFC 6749",  # X-Shopify-Access-Token, X-MS-TOKEN-AAD-ACCESS-TOKEN
    "account-token": "Postmark API",
    "api-key": "OpenAPI apiKey",  # X-Api-Key, X-Goog-Api-Key, DD-API-KEY
    "api-token": "OpenAPI apiKey",
    "application-key": "Datadog API",  # DD-APPLICATION-KEY
    "auth-key": "Cloudflare API",
    "auth-token": "OpenStack Keystone",
    "circle-token": "CircleCI API",
    "consul-token": "Consul API",
    "csrf-token": "OWASP CSRF",
    "customer-key": "AWS S3 SSE-C",
    "deploy-token": "GitLab API",
    "encryption-key": "Azure Blob customer-provided keys",
    "figma-token": "Figma API",
    "functions-key": "Azure Functions",
    "gitlab-token": "GitLab webhooks",
    "id-token": "OpenID Connect Core",
    "job-token": "GitLab API",
    "master-key": "Parse REST API",
    "metadata-token": "AWS EC2 IMDSv2",
    "nomad-token": "Nomad API",
    "plex-token": "Plex API",
    "private-key": "gitleaks generic-api-key",
    "private-token": "GitLab API",
    "rapidapi-key": "RapidAPI",
    "refresh-token": "RFC 6749",
    "sas-key": "Azure Event Grid",
    "secret-key": "gitleaks generic-api-key",  # of Django, AWS and others
    "secret-token": "Telegram Bot API",
    "security-token": "AWS SigV4",  # X-Amz-Security-Token
    "server-token": "Postmark API",
    "session-token": "Parse REST API",
    "signing-key": "gitleaks generic-api-key",
    "subject-token": "OpenStack Keystone",
    "subscription-key": "Azure API Management",  # Ocp-Apim-Subscription-Key
    "vault-token": "Vault API",
    "xsrf-token": "OWASP CSRF",
}

# Ends of names of fields whose values are secrets, in JSON and logfmt: `"db_password": "q8Zx"`, `client_secret=q8Zx`;
# and what may follow them: `"password_confirmation"`, `password2`.
SECRET_FIELDS: Final = ("passphrase", "passwd", "password", "pwd", "secret")
FIELD_TAILS: Final = ("hash", "digest", "confirm", "confirmation", "repeat", "again", "1", "2")
# Words before `token` in names whose values are not secrets: `next_page_token`. `paging` is from Marketo and Stellar,
# `change` from SharePoint and AWS WAF. A `version` is what a writer must have read before.
PLAIN_TOKENS: Final = tuple(
    "page nextpage paging version change next previous prev continuation pagination cursor scroll forward backward "
    "start starting marker delta resume sync skip consistency lock creation idempotency cancellation hashed key bos "
    "eos pad unk sep cls mask".split()
)

# Words before these that make the names those of secrets: `fb_page_token`.
PAGE_OWNERS: Final = ("facebook", "fb")

# Attributes of the header Set-Cookie, whose values are not secrets.
# https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1
COOKIE_ATTRIBUTES: Final = frozenset(
    "domain path expires max-age secure httponly samesite priority partitioned version comment".split()
)

# First digits of card numbers, from and to, and how many digits these cards have.
CARD_RANGES: Final = (
    (4, 4, (16, 19)),  # Visa
    (51, 55, (16,)),  # Mastercard
    (2221, 2720, (16,)),
    (34, 34, (15,)),  # American Express
    (37, 37, (15,)),
    (6011, 6011, (16, 19)),  # Discover
    (644, 659, (16, 19)),
    (300, 305, (14, 16)),  # Diners Club
    (36, 36, (14, 16)),
    (38, 39, (14, 16)),
    (3528, 3589, (16, 19)),  # JCB
    (62, 62, (16, 17, 18, 19)),  # UnionPay
)

# How long the numbers of bank accounts are that begin with the letters of a country.
# https://www.swift.com/standards/data-standards/iban-international-bank-account-number
IBAN_LENGTHS: Final = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU XK", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip

# What is found, in the order of `redactions`.
KINDS: Final = ("credentials", "name", "jwt", "key", "email", "card", "hex", "base64", "address")
HIDDEN: Final = "REDACTED"
# After it and a dash, a hash with a key has sixteen of these. They are no digits, and no vowels: they are never random
# text, a number or a name.
TAG_LETTERS: Final = "bcdfghjklmnpqrst"
TAG_LENGTH: Final = 16

# What an automaton of names accepts, one bit each.
SECRET, TOKEN, SEGMENT, PLAIN, NUMBER, COUNT, LINK, FIRM = 1, 2, 4, 8, 32, 64, 128, 256
KEPT, HOST_HIDDEN, HOST_KEPT, OWN, OWN_TOKEN = 512, 1024, 2048, 4096, 8192
CHARACTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
# Before the first character of a name.
BEGIN: Final = len(CHARACTERS)
WIDTH: Final = BEGIN + 1


def checked_globs(globs: Iterable[str], what: str) -> frozenset[str]:
    if isinstance(globs, str):
        raise TypeError(f"{what} must be a collection of str, not a str")
    checked = frozenset(globs)
    for glob in checked:
        if not isinstance(glob, str):
            raise wrong_type(glob, f"{what} must be of str")
        word = glob.strip("*")
        if not word or glob.strip("*") != glob.removeprefix("*").removesuffix("*") or not set(word) <= set(CHARACTERS):
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(
                f"{what}: {shown_argument(glob)} is not a name of small letters and digits, with a star before or "
                "after it or without"
            )
        if len(word) > 64:
            raise ValueError(f"{what}: {word[:64]!r}... is longer than 64 characters")
    return checked


def checked_names(names: Iterable[str], what: str) -> frozenset[str]:
    """Names that are compared as they are written in a query."""
    if isinstance(names, str):
        raise TypeError(f"{what} must be a collection of str, not a str")
    checked = frozenset(names)
    for name in checked:
        if not isinstance(name, str):
            raise wrong_type(name, f"{what} must be of str")
        if not (0 < len(name) <= 64 and name.isascii() and name.isprintable() and not {*name} & {*" &=#/:@?;"}):
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(f"{what}: {shown_argument(name)} is not the name of a parameter as it is in a query")
    return checked


class Automaton:
    """Automaton(lists): all names of several lists, to be compared with a name at once.

    `lists` gives globs for each bit. A state has a next state for each character, and the bits that it accepts: in
    `now` for globs that end with a star, in `at_end` for the others. https://doi.org/10.1145/360825.360855
    """

    __slots__ = ("at_end", "next", "now", "start")

    def __init__(self, lists: Iterable[tuple[int, Collection[str]]]) -> None:
        children: list[dict[int, int]] = [{}]
        now, at_end = [0], [0]
        for bit, globs in lists:
            for glob in globs:
                state = 0
                word = [CHARACTERS.index(character) for character in glob.strip("*")]
                for character in word if glob[0] == "*" else [BEGIN, *word]:
                    if character not in children[state]:
                        children[state][character] = len(children)
                        children.append({})
                        now.append(0)
                        at_end.append(0)
                    state = children[state][character]
                (now if glob[-1] == "*" else at_end)[state] |= bit
        if len(children) > 0xFFFF:
            raise ValueError("the names have more than 65,535 characters")
        rows: list[list[int]] = [[]] * len(children)
        rows[0] = [children[0].get(character, 0) for character in range(WIDTH)]
        # Each state with the one for the longest end of its text that is another state.
        queue = [(state, 0) for state in children[0].values()]
        for state, shorter in queue:
            now[state] |= now[shorter]
            at_end[state] |= at_end[shorter]
            rows[state] = list(rows[shorter])
            # No items(): where memory runs out in it, CPython 3.11 crashes.
            for character in children[state]:
                child = children[state][character]
                queue.append((child, rows[shorter][character]))
                rows[state][character] = child
        self.next = array("H", [state for row in rows for state in row]).tobytes()
        self.now = array("H", now).tobytes()
        self.at_end = array("H", at_end).tobytes()
        self.start = rows[0][BEGIN]


# How often a letter follows another one in words. For each letter, a digit for each letter after it: 5 is as often as
# in random letters, and each step up is 1.4 times as often. Counted in words of 48,000 links and of Python's library.
LETTER_PAIRS: Final = (
    "38982371705989070999653351"
    "72317000610710600551500030"
    "91538109607730920758600020"
    "73359320900421720562500020"
    "96997762502989473999265840"
    "60116600800500700535400000"
    "50009025600414500652400000"
    "80008000700111710325300010"
    "76977670003989960799060305"
    "30002000000000300010100000"
    "40007000500200200041100000"
    "92369210902831930166610070"
    "94229000800441770052500010"
    "82899591804325830299550020"
    "45772661404889770987856200"
    "90339115600710860856400040"
    "00000000000000000000600000"
    "93669350904565940688531050"
    "72739317904543872389713040"
    "92639418900542950987613060"
    "55435230500768160877000000"
    "60009000600000300010000000"
    "60006003600002500330000000"
    "10203000300010040005000000"
    "20102000100223150143000000"
    "20005000200000100000000000"
)
