from ipaddress import IPv4Address, IPv6Address

HOST_TYPE_NAMES: tuple[str | None, ...]

def ip_address_of(host_type: str | None, host: str) -> IPv4Address | IPv6Address | None: ...
