"""What people call a camera or a port, from the names that the system has for them."""

import re
from typing import Final

FOLDERS: Final = ("/dev/v4l/by-id/", "/dev/serial/by-id/", "/dev/serial/by-path/")
TAILS: Final = re.compile(r"-(video-index\d+|if\d+(-port\d+)?)$")
USB_ID: Final = re.compile(r"^[0-9a-f]{4}$", re.IGNORECASE)
SERIAL: Final = re.compile(r"^(?=.*\d)[0-9A-F]{6,}$", re.IGNORECASE)


def plain_name(path: str) -> str:
    """A device as people know it: `usb-046d_HD_Pro_Webcam_C920_5A2B-video-index0` is "HD Pro Webcam C920".

    Two devices may have the same name. Whatever is not named by what it is stays as it is.
    """
    folder = next((known for known in FOLDERS if path.startswith(known)), None)
    if folder is None:
        return path
    name = TAILS.sub("", path.removeprefix(folder)).removeprefix("usb-")
    words = [word for word in re.split(r"_+", name) if word]
    while len(words) > 1 and USB_ID.match(words[0]):
        words = words[1:]
    while len(words) > 1 and SERIAL.match(words[-1]):
        words = words[:-1]
    return " ".join(words)
