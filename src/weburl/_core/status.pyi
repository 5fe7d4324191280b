Status: int
BASE: int
IGNORED: int
OK: int
PORT_INVALID: int
TOO_LONG: int
