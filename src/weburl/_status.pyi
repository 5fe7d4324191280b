Status: int
BASE: int
IGNORED: int
OK: int
TOO_LONG: int
