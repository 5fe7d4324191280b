Status: int
OK: int
TOO_LONG: int
