"""Pickles that 0.2.0 wrote, by protocol 2, of each public class that it could pickle: they are read.

`make same-as-before` compares thousands of them with 0.2.0 itself.
"""

from __future__ import annotations

import pickle
import sys
from base64 import b64decode
from typing import Any

import pytest
from support.pickled import raised, told

import weburl.bulk
import weburl.compat.w3lib
import weburl.crawl
import weburl.display
import weburl.hosts
import weburl.redact
import weburl.validation
from weburl._crawl.policy import find_policy, restore_policy
from weburl._redact.redact import restore_log_policy
from weburl.crawl import CrawlPolicy, SurtPolicy, canonicalize
from weburl.patterns import PatternList
from weburl.redact import LogPolicy, redact

# What makes such an object today, and the pickle.
PICKLES = {
    "weburl.URL('https://u:p@h:81/a?b#c')": (
        "gAJjd2VidXJsLnVybApyZXN0b3JlCnEAY3dlYnVybC51cmwKVVJMCnEBWBYAAABodHRwczovL3U6cEBoOjgxL2E/YiNjcQJOh3EDUnEELg=="
    ),
    "weburl.URLSearchParams('a=1&b=2&a=')": (
        "gAJjd2VidXJsLnNlYXJjaF9wYXJhbXMKVVJMU2VhcmNoUGFyYW1zCnEAXXEBKFgBAAAAYXECWAEAAAAxcQOGcQRYAQAAAGJxBVgBAAAAMnEG"
        "hnEHWAEAAABhcQhYAAAAAHEJhnEKZYVxC1JxDC4="
    ),
    "failure(lambda: weburl.URL('a b', 'http://h:1x/'))": (
        "gAJjd2VidXJsLmVycm9ycwpJbnZhbGlkVVJMCnEAKFgDAAAAYSBicQFYDAAAAGh0dHA6Ly9oOjF4L3ECWAQAAABiYXNlcQNOdHEEUnEFfXEG"
        "Yi4="
    ),
    "failure(lambda: weburl.bulk.normalize_many(['a:', 'http://h:1x/'], on_error='raise'))": (
        "gAJjd2VidXJsLmVycm9ycwpJbnZhbGlkVVJMCnEAKFgMAAAAaHR0cDovL2g6MXgvcQFOWAwAAABwb3J0LWludmFsaWRxAk50cQNScQR9cQVY"
        "AwAAAHJvd3EGSwFzYi4="
    ),
    "failure(lambda: weburl.URLPattern('https://u:p@h/:a/:a'))": (
        "gAJjd2VidXJsLmVycm9ycwpQYXR0ZXJuRXJyb3IKcQBYHAAAAHR3byBncm91cHMgaGF2ZSB0aGUgbmFtZSAnYSdxAYVxAlJxA31xBChYBwAA"
        "AG1lc3NhZ2VxBWgBWAgAAABwb3NpdGlvbnEGSxBYCQAAAGNvbXBvbmVudHEHWAgAAABwYXRobmFtZXEIWAcAAABwYXR0ZXJucQlYEwAAAGh0"
        "dHBzOi8vdTpwQGgvOmEvOmFxClgHAAAAX3NlY3JldHELSwhLC4ZxDHViLg=="
    ),
    "failure(lambda: PatternList(['a:', 'https://h/{b']))": (
        "gAJjd2VidXJsLmVycm9ycwpQYXR0ZXJuRXJyb3IKcQBYJAAAAGEgZ3JvdXAgdGhhdCBiZWdpbnMgd2l0aCB7IG5lZWRzIGEgfXEBhXECUnED"
        "fXEEKFgHAAAAbWVzc2FnZXEFaAFYCAAAAHBvc2l0aW9ucQZLDFgJAAAAY29tcG9uZW50cQdYCAAAAHBhdGhuYW1lcQhYBwAAAHBhdHRlcm5x"
        "CVgMAAAAaHR0cHM6Ly9oL3ticQpYBwAAAF9zZWNyZXRxC05YAwAAAHJvd3EMSwF1Yi4="
    ),
    "weburl.PatternError('wrong', 3)": (
        "gAJjd2VidXJsLmVycm9ycwpQYXR0ZXJuRXJyb3IKcQBYBQAAAHdyb25ncQGFcQJScQN9cQQoWAcAAABtZXNzYWdlcQVoAVgIAAAAcG9zaXRp"
        "b25xBksDdWIu"
    ),
    "weburl.URLPattern('https://*.example.com/:id', ignore_case=True)": (
        "gAJjd2VidXJsLnBhdHRlcm5zCnJlc3RvcmUKcQAoY3dlYnVybC5wYXR0ZXJucwpVUkxQYXR0ZXJuCnEBfXECKFgIAAAAcHJvdG9jb2xxA1gF"
        "AAAAaHR0cHNxBFgIAAAAdXNlcm5hbWVxBVgBAAAAKnEGWAgAAABwYXNzd29yZHEHaAZYCAAAAGhvc3RuYW1lcQhYDQAAACouZXhhbXBsZS5j"
        "b21xCVgEAAAAcG9ydHEKWAAAAABxC1gIAAAAcGF0aG5hbWVxDFgEAAAALzppZHENWAYAAABzZWFyY2hxDmgGWAQAAABoYXNocQ9oBnWITnRx"
        "EFJxES4="
    ),
    "weburl.URLPattern('https://*.example.com/:id').exec('https://a.example.com/7').pathname": (
        "gAJjd2VidXJsLnBhdHRlcm5zClVSTFBhdHRlcm5Db21wb25lbnRSZXN1bHQKcQBYAgAAAC83cQF9cQJYAgAAAGlkcQNYAQAAADdxBHOGcQWB"
        "cQYu"
    ),
    "PatternList([('a', 'https://h/:id'), ('b', '*://*/*')])": (
        "gAJjd2VidXJsLnBhdHRlcm5zClBhdHRlcm5MaXN0CnEAWAEAAABhcQFjd2VidXJsLnBhdHRlcm5zCnJlc3RvcmUKcQIoY3dlYnVybC5wYXR0"
        "ZXJucwpVUkxQYXR0ZXJuCnEDfXEEKFgIAAAAcHJvdG9jb2xxBVgFAAAAaHR0cHNxBlgIAAAAdXNlcm5hbWVxB1gBAAAAKnEIWAgAAABwYXNz"
        "d29yZHEJaAhYCAAAAGhvc3RuYW1lcQpYAQAAAGhxC1gEAAAAcG9ydHEMWAAAAABxDVgIAAAAcGF0aG5hbWVxDlgEAAAALzppZHEPWAYAAABz"
        "ZWFyY2hxEGgIWAQAAABoYXNocRFoCHWJTnRxElJxE4ZxFFgBAAAAYnEVaAIoaAN9cRYoaAVoCGgHaAhoCWgIaApoCGgMaA1oDlgCAAAALypx"
        "F2gQaAhoEWgIdYlOdHEYUnEZhnEahnEbhXEcUnEdLg=="
    ),
    "weburl.hosts.parse_host('é.example.com')": (
        "gAJjd2VidXJsLmhvc3RzCnJlc3RvcmVfaG9zdApxAFgGAAAAZG9tYWlucQFYEwAAAHhuLS05Y2EuZXhhbXBsZS5jb21xAoZxA1JxBC4="
    ),
    "weburl.hosts.HostSet(['example.com', '*.org', '=a.b', '10.0.0.1', '[::1]'])": (
        "gAJjd2VidXJsLmhvc3RzCnJlc3RvcmVfaG9zdF9zZXQKcQBYJgAAAGV4YW1wbGUuY29tCioub3JnCj1hLmIKMTAuMC4wLjEKWzo6MV0KcQGF"
        "cQJScQMu"
    ),
    "weburl.hosts.Origin.of('https://h:81/')": (
        "gAJjd2VidXJsLmhvc3RzCk9yaWdpbgpxACmBcQFdcQIoWAUAAABodHRwc3EDY3dlYnVybC5ob3N0cwpyZXN0b3JlX2hvc3QKcQRYBgAAAGRv"
        "bWFpbnEFWAEAAABocQaGcQdScQhLUU5OZWIu"
    ),
    "weburl.hosts.SkippedLine(3, 'b c', 'what')": (
        "gAJjd2VidXJsLmhvc3RzClNraXBwZWRMaW5lCnEASwNYAwAAAGIgY3EBWAQAAAB3aGF0cQKHcQOBcQQu"
    ),
    "weburl.display.spoofing_risks('xn--pypal-4ve.com')[0]": (
        "gAJjd2VidXJsLmRpc3BsYXkKU3Bvb2ZpbmdSaXNrCnEAKYFxAV1xAihYDAAAAG1peGVkLXNjcmlwdHEDWAcAAABw0LB5cGFscQRYFQAAAG1p"
        "eGVzIEN5cmlsbGljLCBMYXRpbnEFZWIu"
    ),
    "weburl.validation.validate('http:a')[0]": (
        "gAJjd2VidXJsLnZhbGlkYXRpb24KVmFsaWRhdGlvbkVycm9yCnEAKFgoAAAAc3BlY2lhbC1zY2hlbWUtbWlzc2luZy1mb2xsb3dpbmctc29s"
        "aWR1c3EBSwVLBYlYOQAAAFRoZSBzY2hlbWUgaXMgbm90IGZvbGxvd2VkIGJ5IHR3byBzbGFzaGVzOiB3cml0ZSAvLyBoZXJlLnECdHEDgXEE"
        "Lg=="
    ),
    "weburl.bulk.normalize_many(['HTTP://h', 'x', None])": (
        "gAJjd2VidXJsLmJ1bGsKcmVzdG9yZV9yb3dzCnEAY3dlYnVybC5idWxrCkNvbHVtbgpxAV1xAihYBAAAAGhyZWZxA4VxBIl9cQVYHwAAAG1p"
        "c3Npbmctc2NoZW1lLW5vbi1yZWxhdGl2ZS1VUkxxBksBc0sDY19jb2RlY3MKZW5jb2RlCnEHWAEAAAABcQhYBgAAAGxhdGluMXEJhnEKUnEL"
        "XXEMKFgHAAAAc3RyaW5nc3ENSwNOTmgHWCAAAAAAAAAAAAAAAAkAAAAAAAAACQAAAAAAAAAJAAAAAAAAAHEOaAmGcQ9ScRBoB1gJAAAAaHR0"
        "cDovL2gvcRFoCYZxElJxE3RxFGFjX19idWlsdGluX18KYnl0ZXMKcRUpUnEWdHEXYYZxGFJxGS4="
    ),
    "weburl.bulk.query_pairs_many(['http://h/?a=1&b', None])": (
        "gAJjd2VidXJsLmJ1bGsKcmVzdG9yZV9yb3dzCnEAY3dlYnVybC5idWxrCkNvbHVtbgpxAV1xAihYCwAAAHF1ZXJ5X3BhaXJzcQOFcQSJfXEF"
        "SwJjX2NvZGVjcwplbmNvZGUKcQZYAQAAAAFxB1gGAAAAbGF0aW4xcQiGcQlScQpdcQsoKFgFAAAAcGFpcnNxDEsCTk5oBlgYAAAAAAAAAAAA"
        "AAACAAAAAAAAAAIAAAAAAAAAcQ1oCIZxDlJxD2NfX2J1aWx0aW5fXwpieXRlcwpxEClScRF0cRIoWAcAAABzdHJpbmdzcRNLAk5OaAZYGAAA"
        "AAAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAHEUaAiGcRVScRZoBlgCAAAAYWJxF2gIhnEYUnEZdHEaKGgTSwJOTmgGWBgAAAAAAAAAAAAAAAEA"
        "AAAAAAAAAQAAAAAAAABxG2gIhnEcUnEdaAZYAQAAADFxHmgIhnEfUnEgdHEhZWgRdHEiYYZxI1JxJC4="
    ),
    "weburl.bulk.fingerprint_many(['http://h/', 'x'], bits=64)": (
        "gAJjd2VidXJsLmJ1bGsKcmVzdG9yZV9yb3dzCnEAY3dlYnVybC5idWxrCkNvbHVtbgpxAV1xAihYCwAAAGZpbmdlcnByaW50cQOFcQSJfXEF"
        "WB8AAABtaXNzaW5nLXNjaGVtZS1ub24tcmVsYXRpdmUtVVJMcQZLAXNLAmNfY29kZWNzCmVuY29kZQpxB1gBAAAAAXEIWAYAAABsYXRpbjFx"
        "CYZxClJxC11xDChYBwAAAG51bWJlcnNxDUsCTk5oB1gWAAAAQsKpwqLDscK0w6PDolwAAAAAAAAAAHEOaAmGcQ9ScRBjX19idWlsdGluX18K"
        "Ynl0ZXMKcREpUnESdHETYWgSdHEUYYZxFVJxFi4="
    ),
    "weburl.bulk.parse_many(['http://h/a', 'x'], ['hostname', 'port', 'error'])": (
        "gAJjd2VidXJsLmJ1bGsKcmVzdG9yZV9yb3dzCnEAY3dlYnVybC5idWxrClRhYmxlCnEBXXECKFgIAAAAaG9zdG5hbWVxA1gEAAAAcG9ydHEE"
        "WAUAAABlcnJvcnEFh3EGiH1xB1gfAAAAbWlzc2luZy1zY2hlbWUtbm9uLXJlbGF0aXZlLVVSTHEISwFzSwJjX2NvZGVjcwplbmNvZGUKcQlY"
        "AQAAAAFxClgGAAAAbGF0aW4xcQuGcQxScQ1dcQ4oKFgHAAAAc3RyaW5nc3EPSwJOTmgJWBgAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAABx"
        "EGgLhnERUnESaAlYAQAAAGhxE2gLhnEUUnEVdHEWKGgPSwJOTmgJWBgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABxF2gLhnEYUnEZY19f"
        "YnVpbHRpbl9fCmJ5dGVzCnEaKVJxG3RxHChYBQAAAGNvZGVzcR1LAihYDwAAAGRvbWFpbi10by1BU0NJSXEeWBcAAABob3N0LWludmFsaWQt"
        "Y29kZS1wb2ludHEfWBMAAABJUHY0LXRvby1tYW55LXBhcnRzcSBYFQAAAElQdjQtbm9uLW51bWVyaWMtcGFydHEhWBYAAABJUHY0LW91dC1v"
        "Zi1yYW5nZS1wYXJ0cSJYDQAAAElQdjYtdW5jbG9zZWRxI1gYAAAASVB2Ni1pbnZhbGlkLWNvbXByZXNzaW9ucSRYFAAAAElQdjYtdG9vLW1h"
        "bnktcGllY2VzcSVYGQAAAElQdjYtbXVsdGlwbGUtY29tcHJlc3Npb25xJlgXAAAASVB2Ni1pbnZhbGlkLWNvZGUtcG9pbnRxJ1gTAAAASVB2"
        "Ni10b28tZmV3LXBpZWNlc3EoWBwAAABJUHY0LWluLUlQdjYtdG9vLW1hbnktcGllY2VzcSlYHwAAAElQdjQtaW4tSVB2Ni1pbnZhbGlkLWNv"
        "ZGUtcG9pbnRxKlgeAAAASVB2NC1pbi1JUHY2LW91dC1vZi1yYW5nZS1wYXJ0cStYGgAAAElQdjQtaW4tSVB2Ni10b28tZmV3LXBhcnRzcSxo"
        "CFgMAAAAaG9zdC1taXNzaW5ncS1YEQAAAHBvcnQtb3V0LW9mLXJhbmdlcS5YDAAAAHBvcnQtaW52YWxpZHEvWAgAAAB0b28tbG9uZ3EwWAQA"
        "AABiYXNlcTFYDQAAAGludmFsaWQtVVRGLThxMnRxM2gJWAEAAAACcTRoC4ZxNVJxNmgJWAIAAAAAD3E3aAuGcThScTloG3RxOmVoG3RxO2GG"
        "cTxScT0u"
    ),
    "weburl.crawl.DocumentBase('http://h/a', 'b/', encoding='latin1')": (
        "gAJjd2VidXJsLmNyYXdsCkRvY3VtZW50QmFzZQpxACmBcQFOfXECKFgFAAAAX2Jhc2VxA2N3ZWJ1cmwudXJsCnJlc3RvcmUKcQRjd2VidXJs"
        "LnVybApVUkwKcQVYCwAAAGh0dHA6Ly9oL2IvcQZOh3EHUnEIWAkAAABfZW5jb2RpbmdxCVgMAAAAd2luZG93cy0xMjUycQp1hnELYi4="
    ),
    "weburl.compat.w3lib.parse_data_uri('data:text/plain,a')": (
        "gAJjd2VidXJsLmNvbXBhdC53M2xpYgpQYXJzZURhdGFVUklSZXN1bHQKcQBYCgAAAHRleHQvcGxhaW5xAX1xAmNfY29kZWNzCmVuY29kZQpx"
        "A1gBAAAAYXEEWAYAAABsYXRpbjFxBYZxBlJxB4dxCIFxCS4="
    ),
    "weburl.crawl.CrawlPolicy(name='crawl')": (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAUAAABjcmF3bHEBfXECKFgTAAAAdHJhY2tpbmdfcGFyYW1ldGVyc3EDY19fYnVp"
        "bHRpbl9fCmZyb3plbnNldApxBF1xBShYBQAAAG10bV8qcQZYBgAAAGdicmFpZHEHWAQAAABlcGlrcQhYCgAAAHBrX2tleXdvcmRxCVgSAAAA"
        "bWxfc3Vic2NyaWJlcl9oYXNocQpYBQAAAHRibGNpcQtYBgAAAHR0Y2xpZHEMWAYAAABfX2hzdGNxDVgJAAAAbGlfZmF0X2lkcQ5YCQAAAF9v"
        "cGVuc3RhdHEPWAMAAABfa3hxEFgIAAAAcGtfZ3JvdXBxEVgHAAAAc3JzbHRpZHESWAUAAAB1dG1fKnETWAYAAABwa19rd2RxFFgHAAAAbXNj"
        "bGtpZHEVWA4AAABwaXdpa19jYW1wYWlnbnEWWAYAAABtY19jaWRxF1gGAAAAcGtfY3BucRhYBQAAAGRjbGlkcRlYBwAAAHNfa3djaWRxGlgF"
        "AAAAeWNsaWRxG1gLAAAAcGtfY2FtcGFpZ25xHFgGAAAAZmJjbGlkcR1YDgAAAGdhZF9jYW1wYWlnbmlkcR5YBwAAAHZlcm9faWRxH1gJAAAA"
        "dmVyb19jb252cSBYBQAAAGhzYV8qcSFYBgAAAHdicmFpZHEiWAYAAABfaHNlbmNxI1gGAAAAaWdzaGlkcSRYDQAAAG1sX3N1YnNjcmliZXJx"
        "JVgHAAAAcmR0X2NpZHEmWAYAAABtY19laWRxJ1gGAAAAeXNjbGlkcShYCQAAAGlyY2xpY2tpZHEpWAUAAABkaWNib3EqWAcAAABta3RfdG9r"
        "cStYDwAAAG1hdG9tb19jYW1wYWlnbnEsWAYAAABfX2hzc2NxLVgFAAAAZWZfaWRxLlgKAAAAb2x5X2VuY19pZHEvWAYAAABnY2xzcmNxMFgD"
        "AAAAX2dscTFYCAAAAG1pYmV4dGlkcTJYBgAAAF9faHNmcHEzWA0AAABoc2N0YXRyYWNraW5ncTRYCgAAAGdhZF9zb3VyY2VxNVgLAAAAb2x5"
        "X2Fub25faWRxNlgIAAAAd2lja2VkaWRxN1gKAAAAcGtfY29udGVudHE4WAQAAABpZ3NocTlYAwAAAF9nYXE6WAUAAABnY2xpZHE7WAwAAABw"
        "a19wbGFjZW1lbnRxPFgGAAAAdHdjbGlkcT1YCQAAAHBrX3NvdXJjZXE+WAYAAABwa19jaWRxP1gFAAAAX2hzbWlxQFgKAAAAbWF0b21vX2t3"
        "ZHFBWAkAAABwa19tZWRpdW1xQlgFAAAAc2NjaWRxQ1gJAAAAcGl3aWtfa3dkcURYBQAAAHNfY2lkcUVlhXFGUnFHWAsAAABpbmRleF9uYW1l"
        "c3FIaARdcUkoWAkAAABpbmRleC5waHBxSlgMAAAAZGVmYXVsdC5hc3B4cUtYCgAAAGluZGV4LmFzcHhxTFgKAAAAaW5kZXguaHRtbHFNWAkA"
        "AABpbmRleC5odG1xTlgLAAAAaW5kZXguc2h0bWxxT1gMAAAAZGVmYXVsdC5odG1scVBYCQAAAGluZGV4LmpzcHFRWAsAAABkZWZhdWx0Lmh0"
        "bXFSWAsAAABkZWZhdWx0LmFzcHFTWAkAAABpbmRleC5hc3BxVGWFcVVScVZYEgAAAHJlbW92ZV9zZXNzaW9uX2lkc3FXiFgKAAAAc29ydF9x"
        "dWVyeXFYiFgVAAAAcmVtb3ZlX3JlcGVhdGVkX3BhaXJzcVmJWBUAAAByZW1vdmVfdHJhaWxpbmdfc2xhc2hxWolYEwAAAHJlbW92ZV90cmFp"
        "bGluZ19kb3RxW4lYCgAAAHJlbW92ZV93d3dxXIlYEgAAAHJlbW92ZV9jcmVkZW50aWFsc3FdiVgNAAAAbWVyZ2Vfc2NoZW1lc3FeiVgIAAAA"
        "ZnJhZ21lbnRxX1gGAAAAcmVtb3ZlcWBYBAAAAG5hbWVxYU5YBwAAAHZlcnNpb25xYksBdYZxY1JxZC4="
    ),
    (
        "weburl.crawl.CrawlPolicy(tracking_parameters={'ref', 'a%40b'}, index_names=(), remove_session_ids=False,"
        " sort_query=False, remove_repeated_pairs=True)"
    ): (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAUAAABjcmF3bHEBfXECKFgTAAAAdHJhY2tpbmdfcGFyYW1ldGVyc3EDY19fYnVp"
        "bHRpbl9fCmZyb3plbnNldApxBF1xBShYAwAAAGFAYnEGWAMAAAByZWZxB2WFcQhScQlYCwAAAGluZGV4X25hbWVzcQpoBF1xC4VxDFJxDVgS"
        "AAAAcmVtb3ZlX3Nlc3Npb25faWRzcQ6JWAoAAABzb3J0X3F1ZXJ5cQ+JWBUAAAByZW1vdmVfcmVwZWF0ZWRfcGFpcnNxEIhYFQAAAHJlbW92"
        "ZV90cmFpbGluZ19zbGFzaHERiVgTAAAAcmVtb3ZlX3RyYWlsaW5nX2RvdHESiVgKAAAAcmVtb3ZlX3d3d3ETiVgSAAAAcmVtb3ZlX2NyZWRl"
        "bnRpYWxzcRSJWA0AAABtZXJnZV9zY2hlbWVzcRWJWAgAAABmcmFnbWVudHEWWAYAAAByZW1vdmVxF1gEAAAAbmFtZXEYTlgHAAAAdmVyc2lv"
        "bnEZSwF1hnEaUnEbLg=="
    ),
    (
        "weburl.crawl.CrawlPolicy(tracking_parameters=(), index_names=['x'], remove_trailing_slash=True, "
        "remove_trailing_dot=True, remove_www=True, remove_credentials=True, merge_schemes=True, "
        "fragment='hashbang', name='shop', version=3)"
    ): (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAUAAABjcmF3bHEBfXECKFgTAAAAdHJhY2tpbmdfcGFyYW1ldGVyc3EDY19fYnVp"
        "bHRpbl9fCmZyb3plbnNldApxBF1xBYVxBlJxB1gLAAAAaW5kZXhfbmFtZXNxCGgEXXEJWAEAAAB4cQphhXELUnEMWBIAAAByZW1vdmVfc2Vz"
        "c2lvbl9pZHNxDYhYCgAAAHNvcnRfcXVlcnlxDohYFQAAAHJlbW92ZV9yZXBlYXRlZF9wYWlyc3EPiVgVAAAAcmVtb3ZlX3RyYWlsaW5nX3Ns"
        "YXNocRCIWBMAAAByZW1vdmVfdHJhaWxpbmdfZG90cRGIWAoAAAByZW1vdmVfd3d3cRKIWBIAAAByZW1vdmVfY3JlZGVudGlhbHNxE4hYDQAA"
        "AG1lcmdlX3NjaGVtZXNxFIhYCAAAAGZyYWdtZW50cRVYCAAAAGhhc2hiYW5ncRZYBAAAAG5hbWVxF1gEAAAAc2hvcHEYWAcAAAB2ZXJzaW9u"
        "cRlLA3WGcRpScRsu"
    ),
    "weburl.crawl.SurtPolicy(name='surt')": (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAQAAABzdXJ0cQF9cQIoWAsAAAB3aXRoX3NjaGVtZXEDiVgOAAAAdHJhaWxpbmdf"
        "Y29tbWFxBIlYCAAAAGtlZXBfd3d3cQWJWAQAAABuYW1lcQZOWAcAAAB2ZXJzaW9ucQdLAXWGcQhScQku"
    ),
    "weburl.crawl.SurtPolicy(with_scheme=True, trailing_comma=True)": (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAQAAABzdXJ0cQF9cQIoWAsAAAB3aXRoX3NjaGVtZXEDiFgOAAAAdHJhaWxpbmdf"
        "Y29tbWFxBIhYCAAAAGtlZXBfd3d3cQWJWAQAAABuYW1lcQZOWAcAAAB2ZXJzaW9ucQdLAXWGcQhScQku"
    ),
    "weburl.crawl.SurtPolicy(keep_www=True, name='archive', version=2)": (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAQAAABzdXJ0cQF9cQIoWAsAAAB3aXRoX3NjaGVtZXEDiVgOAAAAdHJhaWxpbmdf"
        "Y29tbWFxBIlYCAAAAGtlZXBfd3d3cQWIWAQAAABuYW1lcQZYBwAAAGFyY2hpdmVxB1gHAAAAdmVyc2lvbnEISwJ1hnEJUnEKLg=="
    ),
    "weburl._crawl.policy.find_policy('whatwg')": (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWAYAAAB3aGF0d2dxAX1xAoZxA1JxBC4="
    ),
    "weburl._crawl.policy.find_policy('whatwg-no-fragment')": (
        "gAJjd2VidXJsLmNyYXdsCnJlc3RvcmVfcG9saWN5CnEAWBIAAAB3aGF0d2ctbm8tZnJhZ21lbnRxAX1xAoZxA1JxBC4="
    ),
    "weburl.redact.LogPolicy(name='logs')": (
        "gAJjd2VidXJsLnJlZGFjdApyZXN0b3JlX2xvZ19wb2xpY3kKcQBjX19idWlsdGluX18KZnJvemVuc2V0CnEBXXECKFgEAAAAYXV0aHEDWAcA"
        "AAAqYXBpa2V5cQRYCwAAACpjYXJkbnVtYmVycQVYAwAAAG90cHEGWAQAAABjZmlkcQdYDQAAACpzYW1scmVzcG9uc2VxCFgEAAAAY3Z2MnEJ"
        "WA4AAAAqYXV0aG9yaXphdGlvbnEKWAUAAAAqand0KnELWAoAAAAqc2lnbmF0dXJlcQxYDAAAACpzYW1scmVxdWVzdHENWAoAAAAqc2Vzc2lv"
        "bmlkcQ5YAgAAAHB3cQ9YAwAAAHNpZ3EQWAgAAABjY251bWJlcnERWAsAAAAqcHJpdmF0ZWtleXESWAYAAABkYnBhc3NxE1gEAAAAdG90cHEU"
        "WAMAAABzc25xFVgMAAAAKmNyZWRpdGNhcmQqcRZYBgAAACp0b2tlbnEXWAMAAABwd2RxGFgLAAAAKnNpZ25pbmdrZXlxGVgKAAAAKmFzc2Vy"
        "dGlvbnEaWAUAAAAqaG1hY3EbWAkAAAAqYXV0aGNvZGVxHFgKAAAAKnBhc3N3b3JkKnEdWAMAAABwc3dxHlgDAAAAY3ZjcR9YAwAAAGN2dnEg"
        "WAoAAAAqYWNjZXNza2V5cSFYCAAAAHVzZXJwYXNzcSJYBgAAAGJlYXJlcnEjWAwAAAAqYWNjZXNza2V5aWRxJFgHAAAAKnNlc3NpZHElWAgA"
        "AAAqcGFzc3dkKnEmWAwAAAAqcGFzc3BocmFzZSpxJ1gOAAAAKmVuY3J5cHRpb25rZXlxKFgFAAAAb2F1dGhxKVgIAAAAKnNlY3JldCpxKlgK"
        "AAAAKm1hZ2ljbGlua3ErWAgAAABwYXNzd29ydHEsWAQAAAAqcHdkcS1YDQAAAGFzcHNlc3Npb25pZCpxLlgIAAAAKmF1dGhrZXlxL1gDAAAA"
        "cGlucTBYCwAAACpzZXNzaW9ua2V5cTFYBAAAAHBhc3NxMlgMAAAAKmNyZWRlbnRpYWwqcTNYCAAAACphcGlrZXlzcTRYBwAAACp0b2tlbnNx"
        "NVgNAAAAKmNvZGV2ZXJpZmllcnE2WAwAAAAqY29uc3VtZXJrZXlxN2WFcThScTloAV1xOihYBgAAAGRpZ2VzdHE7WAYAAAB0aWNrZXRxPFgI"
        "AAAAKnNlc3Npb25xPVgDAAAAa2V5cT5YBgAAACpub25jZXE/WAUAAAAqc2lnbnFAWAQAAABzaWducUFYBQAAAHN0YXRlcUJYBAAAACprZXlx"
        "Q1gDAAAAc2lkcURYBgAAAGNvb2tpZXFFWAYAAABwb2xpY3lxRlgEAAAAY29kZXFHWAcAAABzZXNzaW9ucUhYBQAAACphdXRocUlYBAAAAGhh"
        "c2hxSlgDAAAAbWFjcUtYBQAAAG5vbmNlcUxYBAAAACpzaWRxTVgFAAAAKmhhc2hxTlgHAAAAKmNvb2tpZXFPZYVxUFJxUYZxUlJxUy4="
    ),
    "weburl.redact.LogPolicy(secret_names={'plate', '*x'}, token_names=())": (
        "gAJjd2VidXJsLnJlZGFjdApyZXN0b3JlX2xvZ19wb2xpY3kKcQBjX19idWlsdGluX18KZnJvemVuc2V0CnEBXXECKFgFAAAAcGxhdGVxA1gC"
        "AAAAKnhxBGWFcQVScQZoAV1xB4VxCFJxCYZxClJxCy4="
    ),
    "weburl.crawl.canonicalize": ("gAJjd2VidXJsLl9jcmF3bC5jYW5vbmljYWwKY2Fub25pY2FsaXplCnEALg=="),
    "weburl.bulk.parse_many": ("gAJjd2VidXJsLmJ1bGsKcGFyc2VfbWFueQpxAC4="),
    "weburl.URL": ("gAJjd2VidXJsLnVybApVUkwKcQAu"),
}
NAMES = {"weburl": weburl, "PatternList": PatternList, "failure": raised}


@pytest.mark.parametrize("source", PICKLES, ids=lambda source: source[:40])
def test_pickles(source: str) -> None:
    data = b64decode(PICKLES[source])
    expected = eval(source, NAMES)
    kind = "name" if callable(expected) else type(expected).__name__
    if kind in ("Column", "Table") and sys.byteorder == "big":
        pytest.skip("numbers of columns are as in the memory of a machine with the other byte order")
    assert told(kind, [data, data]) == told(kind, [pickle.dumps(expected)] * 2)
    if kind.endswith("Policy"):
        assert pickle.loads(data) == expected


def test_exceptions() -> None:
    error = pickle.loads(b64decode(PICKLES["failure(lambda: weburl.URLPattern('https://u:p@h/:a/:a'))"]))
    assert error.message == "two groups have the name '***'"
    assert (error.component, error.position, error.pattern) == ("pathname", 16, "https://u:p@h/:a/:a")


CRAWL: dict[str, Any] = {
    "tracking_parameters": frozenset(), "index_names": frozenset(), "remove_session_ids": True, "sort_query": True,
    "remove_repeated_pairs": False, "remove_trailing_slash": False, "remove_trailing_dot": False, "remove_www": False,
    "remove_credentials": False, "merge_schemes": False, "fragment": "remove", "name": None, "version": 1,
}  # fmt: skip
SURT: dict[str, Any] = {"with_scheme": False, "trailing_comma": False, "keep_www": False, "name": None, "version": 1}


def test_names() -> None:
    """Without a name, other rules are `custom`; with all rules of weburl's own, it is weburl's own of today."""
    assert restore_policy("crawl", CRAWL) == CrawlPolicy(tracking_parameters=(), index_names=())
    assert restore_policy("crawl", {**CRAWL, "name": "shop", "version": 7}).version == 7
    assert restore_policy("surt", SURT) == find_policy("surt/1")
    assert restore_policy("surt", {**SURT, "name": "custom"}) == SurtPolicy()
    assert restore_policy("surt", {**SURT, "keep_www": True}).name == "custom"


def test_at_signs() -> None:
    """They were part of a name."""
    policy = restore_policy("crawl", {**CRAWL, "tracking_parameters": frozenset(("a@b", "x:y@z"))})
    assert canonicalize("http://b/?a=1&a@b=2&x:y%40z=3", policy) == "http://b/?a=1"
    files = restore_policy("crawl", {**CRAWL, "index_names": frozenset(("x:y@z",))})
    assert canonicalize("http://b/x:y@z", files) == "http://b/"


@pytest.mark.parametrize("name", ["logs", "logs-strict", "otel", "paths"])
def test_what_cannot_be_made(name: str) -> None:
    message = f"^weburl cannot make this policy of 0.2.0 any more: name: {name}/1 is for a policy of weburl's own"
    with pytest.raises(ValueError, match=message):
        restore_policy("crawl", {**CRAWL, "name": name})
    with pytest.raises(ValueError, match=message):
        restore_policy("surt", {**SURT, "name": name})


@pytest.mark.parametrize("arguments", [
    ("crawl", {}), ("surt", {}), ("surt", CRAWL), ("crawl", SURT), ("crawl", {**CRAWL, "more": 1}), ("whatwg", SURT),
    ("crawl", {**CRAWL, "tracking_parameters": ["a"]}), ("crawl", {**CRAWL, "tracking_parameters": frozenset((1,))}),
    ("crawl", {**CRAWL, "index_names": None}), ("logs", {}), ("whatwg/1", {}), (b"crawl", CRAWL), ("crawl", [*CRAWL]),
    ("whatwg-no-fragment", None), (frozenset(), frozenset()),
])  # fmt: skip
def test_what_no_version_wrote(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError, match=r"^not the pickle of a policy$"):
        restore_policy(*arguments)


@pytest.mark.parametrize("arguments", [
    (frozenset(), ()), ((), frozenset()), (frozenset((1,)), frozenset()), (frozenset("a"), {}), ("a", "b"), (5, None),
])  # fmt: skip
def test_what_no_version_wrote_for_logs(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError, match=r"^not the pickle of a policy$"):
        restore_log_policy(*arguments)


def test_wrong_settings() -> None:
    with pytest.raises(TypeError, match="remove_www must be a bool"):
        restore_policy("crawl", {**CRAWL, "remove_www": 1})
    with pytest.raises(TypeError, match="name must be a str"):
        restore_policy("surt", {**SURT, "name": 1})
    with pytest.raises(ValueError, match="any more: secret_names: 'A' is not a name"):
        restore_log_policy(frozenset("A"), frozenset())
    with pytest.raises(ValueError, match="any more: fragment must be one of"):
        restore_policy("crawl", {**CRAWL, "fragment": "x"})


def test_logs() -> None:
    """The policy of a pickle hides what it hid."""
    policy = restore_log_policy(frozenset({"plate"}), frozenset())
    assert policy == LogPolicy(secret_names={"plate"}, token_names=())
    assert redact("http://h/?plate=AB1&password=x", policy) == "http://h/?plate=REDACTED&password=x"
