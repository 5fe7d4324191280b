"""The setters of the URL class, as far as they change the URL record: the parser with a state override.

The tests compare the setters of weburl.URL with them.
"""

from __future__ import annotations

from weburl._literal.percent import USERINFO_PERCENT_ENCODE_SET, utf_8_percent_encode_string
from weburl._literal.record import LiteralURL
from weburl._literal.source import Source
from weburl._literal.states import Outcome, parse


# https://url.spec.whatwg.org/#dom-url-protocol
def set_protocol(url: LiteralURL, value: str) -> Outcome:
    return parse(value + ":", url=url, state_override="scheme_start_state")


# https://url.spec.whatwg.org/#dom-url-username
# https://url.spec.whatwg.org/#set-the-username
def set_username(url: LiteralURL, value: str) -> Outcome:
    if not url.cannot_have_a_username_password_port:
        url.username = utf_8_percent_encode_string(Source(value).text, USERINFO_PERCENT_ENCODE_SET)
    return Outcome(url, [])


# https://url.spec.whatwg.org/#dom-url-password
# https://url.spec.whatwg.org/#set-the-password
def set_password(url: LiteralURL, value: str) -> Outcome:
    if not url.cannot_have_a_username_password_port:
        url.password = utf_8_percent_encode_string(Source(value).text, USERINFO_PERCENT_ENCODE_SET)
    return Outcome(url, [])


# https://url.spec.whatwg.org/#dom-url-host
def set_host(url: LiteralURL, value: str) -> Outcome:
    if url.has_opaque_path:
        return Outcome(url, [])
    return parse(value, url=url, state_override="host_state")


# https://url.spec.whatwg.org/#dom-url-hostname
def set_hostname(url: LiteralURL, value: str) -> Outcome:
    if url.has_opaque_path:
        return Outcome(url, [])
    return parse(value, url=url, state_override="hostname_state")


# https://url.spec.whatwg.org/#dom-url-port
def set_port(url: LiteralURL, value: str) -> Outcome:
    if url.cannot_have_a_username_password_port:
        return Outcome(url, [])
    if value == "":
        url.port = None
        return Outcome(url, [])
    return parse(value, url=url, state_override="port_state")


# https://url.spec.whatwg.org/#dom-url-pathname
def set_pathname(url: LiteralURL, value: str) -> Outcome:
    if url.has_opaque_path:
        return Outcome(url, [])
    url.path = []
    return parse(value, url=url, state_override="path_start_state")


# https://url.spec.whatwg.org/#dom-url-search
def set_search(url: LiteralURL, value: str) -> Outcome:
    if value == "":
        url.query = None
        return Outcome(url, [])
    url.query = ""
    return parse(value.removeprefix("?"), url=url, state_override="query_state")


# https://url.spec.whatwg.org/#dom-url-hash
def set_hash(url: LiteralURL, value: str) -> Outcome:
    if value == "":
        url.fragment = None
        return Outcome(url, [])
    url.fragment = ""
    return parse(value.removeprefix("#"), url=url, state_override="fragment_state")
