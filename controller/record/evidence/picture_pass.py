"""A pass for one picture: the hub's signature, with which its table hands the picture out and to nobody else.

A pass holds as long as the picture is kept. It opens nothing but the picture that it names, at the table that it
names, so whoever overhears one has learned no more than by overhearing the picture.
"""

from controller.record.journal.seal import SigningKey, is_signed


def sign_pass(key: SigningKey, table: str, sha256: str) -> str:
    """The pass for a picture, 128 hex digits.

    Args:
        key: of the hub.
        table: the table's address, such as ``tartu/table-7``.
        sha256: of the picture, 64 hex digits.
    """
    return key.sign_text(_text(table, sha256))


def pass_holds(given: str, hub_key: str, table: str, sha256: str) -> bool:
    """Whether the hub with this public key (64 hex digits) has signed this pass; no key signs none."""
    return bool(hub_key) and is_signed(_text(table, sha256), given, hub_key)


def _text(table: str, sha256: str) -> str:
    """What is signed, each line with its end."""
    return f"pointsman picture 1\ntable {table}\nsha256 {sha256}\n"
