Status: int
BASE: int
TOO_LONG: int
