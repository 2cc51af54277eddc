"""Pictures as JPEG, no wider than a page needs them."""

from typing import Final

from controller.arrays import Picture
from controller.devices.pictures import encode_jpeg

QUALITY: Final = 70
"""Of 100."""


def jpeg_of(picture: Picture, width: int) -> bytes:
    """A picture as JPEG, at most ``width`` pixels wide. Raises PictureError as `encode_jpeg` does."""
    return encode_jpeg(picture, width, QUALITY)
