"""What the policy `logs` hides in URLs. Version 1 never changes: another list is another version.

docs/redact.md says where each entry is from. A name is compared without case, and without characters that are neither
letters nor digits: `api_key`, `apiKey` and `api-key` are `apikey`. A star stands for any letters and digits.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from typing import Final

# Parameters whose values are always hidden.
SECRET_NAMES: Final = frozenset(
    (
        "*password* *passwd* *passphrase* passwort pass userpass dbpass pwd *pwd pw psw "
        "*secret* *credential* *token *tokens *jwt* bearer *authorization auth oauth "
        "*apikey *apikeys *accesskey *accesskeyid *privatekey *authkey *signingkey *encryptionkey *consumerkey "
        "*sessionkey *signature sig *hmac "
        "*sessionid *sessid aspsessionid* cfid "
        "*samlresponse *samlrequest *assertion *codeverifier *authcode *magiclink "
        "otp totp pin cvv cvv2 cvc ssn *cardnumber *creditcard* ccnumber"
    ).split()
)

# Parameters whose values are hidden if they look random: of 16 characters or more, with letters and digits.
TOKEN_NAMES: Final = frozenset(
    "code key *key hash *hash sid *sid session *session state nonce *nonce ticket digest mac policy sign *sign *auth "
    "cookie *cookie".split()
)

# Segments of a path after which segments that look random are hidden, besides the names of secrets.
TOKEN_SEGMENTS: Final = frozenset(
    "reset* verify* verification confirm* activate* activation invite* invitation* unsubscribe* session* sso share* "
    "webhook*".split()
)

# Parameters whose values look like IPv4 addresses and are none.
VERSION_NAMES: Final = frozenset("v *ver *version".split())

# How the keys of services begin, and how many letters, digits, `-` and `_` follow at least.
KEY_PREFIXES: Final = {
    "AKIA": 16, "ASIA": 16, "ABIA": 16, "ACCA": 16,  # Amazon
    "AIza": 35, "GOCSPX-": 20, "ya29.": 20,  # Google
    "ghp_": 36, "gho_": 36, "ghu_": 36, "ghs_": 36, "ghr_": 36, "github_pat_": 22,  # GitHub
    "glpat-": 20,  # GitLab
    "xoxb-": 10, "xoxp-": 10, "xoxa-": 10, "xoxr-": 10, "xoxs-": 10, "xapp-": 10,  # Slack
    "sk_live_": 10, "sk_test_": 10, "rk_live_": 10, "rk_test_": 10,  # Stripe
    "sk-ant-": 20, "sk-proj-": 20,  # Anthropic, OpenAI
    "SG.": 20,  # SendGrid
    "npm_": 36, "pypi-": 50,  # npm, PyPI
    "dop_v1_": 64, "shpat_": 32, "shpss_": 32, "hf_": 30,  # DigitalOcean, Shopify, Hugging Face
}  # fmt: skip

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

# What is found, in the order of `redactions`.
KINDS: Final = ("credentials", "name", "jwt", "key", "email", "card", "hex", "base64", "address")
HIDDEN: Final = "REDACTED"

# What an automaton of names accepts, one bit each.
SECRET, TOKEN, SEGMENT, VERSION = 1, 2, 4, 8
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
            raise TypeError(f"{what} must be of str, not {type(glob).__name__}")
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
            for character, child in children[state].items():
                queue.append((child, rows[shorter][character]))
                rows[state][character] = child
        self.next = array("H", [state for row in rows for state in row]).tobytes()
        self.now = bytes(now)
        self.at_end = bytes(at_end)
        self.start = rows[0][BEGIN]
