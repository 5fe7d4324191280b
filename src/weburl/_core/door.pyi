NOTHING_KNOWN: int
PATH_BEGUN: int
ALL_KNOWN: int

def leaves_off(url: bytes, host_only: bool = False) -> tuple[int, int]: ...
