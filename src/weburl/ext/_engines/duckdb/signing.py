"""A signature that DuckDB checks: RSA with 2048 bits and SHA-256, by a key that this process makes and never stores.

The key signs one file, for one process. Its secret part is gone with the process.
"""

from __future__ import annotations

import base64
import hashlib
import secrets

EXPONENT = 65537
# DuckDB hashes a file in parts of this size, and then their hashes.
PART = 1 << 20
# What PKCS #1 puts before a hash of SHA-256, and X.509 before an RSA key. https://datatracker.ietf.org/doc/html/rfc8017
SHA_256 = bytes.fromhex("3031300d060960864801650304020105000420")
RSA = bytes.fromhex("300d06092a864886f70d0101010500")


class Key:
    """Makes a key, which takes some tenths of a second."""

    def __init__(self) -> None:
        p, q = new_prime(1024), new_prime(1024)
        self.modulus = p * q
        self._secret = pow(EXPONENT, -1, (p - 1) * (q - 1))

    def public(self) -> str:
        """The public part, as the base64 of its DER."""
        numbers = der(0x30, der_number(self.modulus) + der_number(EXPONENT))
        return base64.b64encode(der(0x30, RSA + der(3, b"\0" + numbers))).decode()

    def sign(self, content: bytes) -> bytes:
        parts = [hashlib.sha256(content[at : at + PART]).digest() for at in range(0, len(content), PART)]
        block = SHA_256 + hashlib.sha256(b"".join(parts)).digest()
        padded = b"\0\1" + (256 - 3 - len(block)) * b"\xff" + b"\0" + block
        return pow(int.from_bytes(padded, "big"), self._secret, self.modulus).to_bytes(256, "big")


def der(tag: int, content: bytes) -> bytes:
    """A value of ASN.1, of at most 65,535 bytes."""
    size = len(content)
    length = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def der_number(number: int) -> bytes:
    return der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def new_prime(bits: int) -> int:
    """A prime whose two highest bits are set, so that two of them make a modulus of twice the bits."""
    small = [n for n in range(3, 1 << 12, 2) if all(n % divisor for divisor in range(3, int(n**0.5) + 1, 2))]
    while True:
        number = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if all(number % prime for prime in small) and (number - 1) % EXPONENT and is_prime(number):
            return number


def is_prime(number: int) -> bool:
    """Whether an odd number is a prime, by the test of Miller and Rabin: wrong for fewer than one number in 2**100."""
    power = number - 1
    twos = (power & -power).bit_length() - 1
    for _ in range(8):
        value = pow(secrets.randbelow(number - 3) + 2, power >> twos, number)
        if value in (1, number - 1):
            continue
        for _ in range(twos - 1):
            value = value * value % number
            if value == number - 1:
                break
        else:
            return False
    return True
