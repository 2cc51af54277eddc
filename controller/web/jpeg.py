"""Pictures as JPEG, no wider than a page needs them."""

from typing import Final

import cv2

from controller.arrays import Picture

QUALITY: Final = 70


def jpeg_of(picture: Picture, width: int) -> bytes:
    """A picture as JPEG, at most ``width`` pixels wide."""
    if picture.shape[1] > width:
        height = round(picture.shape[0] * width / picture.shape[1])
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return bytes(data)
