from weburl._redact.redact import LogPolicy
from weburl.url import URL, FrozenURL

def path_template(url: str | URL | FrozenURL, policy: str | LogPolicy = "paths/1") -> str: ...
