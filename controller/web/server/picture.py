"""Pictures for a browser: what the camera sees, and an address to be photographed."""

import io

import cv2
import segno

from controller.arrays import Picture

QUALITY = 70


def jpeg_of(picture: Picture, width: int) -> bytes:
    """A picture as JPEG, at most ``width`` pixels wide."""
    if picture.shape[1] > width:
        height = round(picture.shape[0] * width / picture.shape[1])
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return bytes(data)


def svg_of(text: str) -> bytes:
    """A text as QR code, SVG: black on white with the margin that phones need, in light and in dark pages."""
    drawn = io.BytesIO()
    segno.make(text, micro=False).save(drawn, kind="svg", border=4, light="white", omitsize=True)
    return drawn.getvalue()
