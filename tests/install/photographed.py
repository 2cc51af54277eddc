"""QR codes as a phone's camera finds them: on a machine's console, which is letters, and on a screen, a picture."""

import re
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

MODULE_PX: Final = 8
QUIET: Final = 4
"""Modules of the dark console around a square; the square brings its own light margin."""
CONTROL: Final = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9])|\r")
LIT: Final = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
"""Which half of a letter shines; the console is dark."""


def square_on_console(shown: str) -> str:
    """What the newest square says that stands on a console; empty where there is none."""
    for block in reversed(_blocks(CONTROL.sub("", shown).split("\n"))):
        said = square_in(_painted(block))
        if said:
            return said
    return ""


def square_in(picture: NDArray[np.uint8]) -> str:
    """What the square in a picture says; empty where none can be read.

    OpenCV does not find one square in a hundred in a picture that is as straight as this. Whoever holds a phone moves
    it until the square is read: so it is looked at in other sizes and a little turned, too.
    """
    for size, degrees in product((1.0, 1.5, 0.75), (0, 4, -7)):
        seen = cv2.resize(picture, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
        height, width = seen.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 0.9 if degrees else 1.0)
        said, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.warpAffine(seen, turn, (width, height)))
        if said:
            return said
    return ""


def _blocks(lines: list[str]) -> list[list[str]]:
    """Lines that follow each other and have squares in them."""
    found: list[list[str]] = [[]]
    for line in lines:
        if "█" in line or "▀" in line or "▄" in line:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [block for block in found if block]


def _painted(block: list[str]) -> NDArray[np.uint8]:
    wide = max(map(len, block))
    lit = np.zeros((2 * len(block), wide), bool)
    for row, line in enumerate(block):
        for column, letter in enumerate(line):
            lit[2 * row : 2 * row + 2, column] = LIT.get(letter, (False, False))
    shining = np.pad(lit, QUIET).astype(np.uint8) * 255
    return np.kron(shining, np.ones((MODULE_PX, MODULE_PX), np.uint8))
