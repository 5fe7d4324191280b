MOST_OPEN_ELEMENTS: int
MOST_ATTRIBUTES_OF_A_TAG: int

def cut(html: bytes) -> tuple[list[bytes], bool]: ...
