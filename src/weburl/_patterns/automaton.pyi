NODE_KINDS: tuple[int, int, int, int, int, int, int]
ASSERTIONS: dict[str, int]
MOST_NODES: int
