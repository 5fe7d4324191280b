Status: int
BASE: int
OK: int
TOO_LONG: int
