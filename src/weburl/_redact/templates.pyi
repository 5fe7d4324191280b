from weburl._redact.redact import LogPolicy
from weburl.url import URL

def path_template(url: str | URL, policy: str | LogPolicy = "paths/1") -> str: ...
