"""Make the moving picture of the README anew, with Chromium to draw the words: `make pictures`."""

import base64
import html
import shutil
import sys
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

from controller.arrays import Picture
from controller.demo.show import NAMES
from controller.rules import Side
from hardware_docs.moving_picture.scene import FPS, FULL, WIDTH, Lamp, Moment, record

TARGET: Final = Path(__file__).resolve().parent.parent / "pictures" / "illegal_play.webp"
CAPTION: Final = 170
"""Height of the words below the board, in pixels."""
QUALITY: Final = 80
"""Of the frames, in WebP's measure; the file stays below 1.5 MB."""
PROGRAMS: Final = ("chromium", "chromium-browser")
REST_MS: Final = 1500
"""How long the last frame stays before it all begins again."""
PIPS: Final = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""Of the nine places of a die's face, which have a pip."""
STYLE: Final = """
* { box-sizing: border-box; margin: 0 }
body { background: #15181c; color: #eef0f2; font: 19px/1.35 "DejaVu Sans", "Noto Sans", sans-serif }
.board { position: relative; line-height: 0 }
.board svg { position: absolute; inset: 0 }
.words { display: flex; gap: 22px; padding: 16px 22px; align-items: flex-start }
.dice { display: flex; gap: 8px; min-width: 108px }
.die { width: 50px; height: 50px; border-radius: 9px; background: #f3efe6; padding: 7px; display: grid;
  grid-template-columns: repeat(3, 12px); grid-template-rows: repeat(3, 12px) }
.die i { margin: 1.5px; border-radius: 50% }
.die .pip { background: #22262b }
h1 { font-size: 25px; font-weight: 700; line-height: 1.25; margin-bottom: 4px }
.wrong h1 { color: #ff9157 }
"""


def page_of(moment: Moment) -> str:
    """The moment as a page: the board with its lamps, the dice, the words."""
    height = moment.picture.shape[0]
    png = base64.b64encode(cv2.imencode(".png", moment.picture)[1].tobytes()).decode()
    lamps = "".join(map(lamp_of, moment.lamps))
    head, _, rest = words_of(moment).partition(". ")
    mark = "." if rest else ""
    return (
        f"<!doctype html><style>{STYLE}</style><div class='board'>"
        f"<img src='data:image/png;base64,{png}'>"
        f"<svg width='{WIDTH}' height='{height}'><filter id='glow' x='-1' y='-1' width='3' height='3'>"
        f"<feGaussianBlur stdDeviation='8'/></filter>{lamps}</svg></div>"
        f"<div class='words {'wrong' if moment.wrong else ''}'><div class='dice'>{dice_of(moment)}</div>"
        f"<div><h1>{html.escape(head)}{mark}</h1><p>{html.escape(rest)}</p></div></div>"
    )


def lamp_of(lamp: Lamp) -> str:
    """A lamp with its glow. A dim one is a faint one of the same colour, as eyes see it."""
    bright = max(lamp.colour)
    colour = "rgb({},{},{})".format(*(round(FULL * each / bright) for each in lamp.colour))
    rings = ((26, 0.55, " filter='url(#glow)'"), (9, 1.0, ""), (4, 1.0, " style='fill:white'"))
    return "".join(
        f"<circle cx='{lamp.x:.1f}' cy='{lamp.y:.1f}' r='{radius}' fill='{colour}' "
        f"opacity='{share * bright / FULL:.2f}'{more}/>"
        for radius, share, more in rings
    )


def words_of(moment: Moment) -> str:
    """What stands below the board: the product's own sentences, else whose turn it is."""
    name = NAMES[Side.LIGHT]
    return moment.said or (
        f"{name} rolls." if moment.dice is None else f"{name} plays {'-'.join(map(str, moment.dice))}."
    )


def dice_of(moment: Moment) -> str:
    """The two faces, as they were rolled."""
    faces = (
        "".join(f"<i class='{'pip' if place in PIPS[value] else ''}'></i>" for place in range(9))
        for value in moment.dice or ()
    )
    return "".join(f"<div class='die'>{face}</div>" for face in faces)


def draw(page: Page, moment: Moment) -> Picture:
    """The moment as a picture."""
    page.set_content(page_of(moment))
    shot = np.frombuffer(page.screenshot(), np.uint8)
    return np.asarray(cv2.imdecode(shot, cv2.IMREAD_COLOR), np.uint8)


def main() -> None:
    """Write the moving picture."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit("No Chromium is installed: run `make setup`, or `sudo apt-get install chromium`.")
    moments = record()
    height = moments[0].picture.shape[0] + CAPTION
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page(viewport={"width": WIDTH, "height": height})
        frames = [draw(page, moment) for moment in moments]
        browser.close()
    moving = cv2.Animation()
    moving.frames = frames
    moving.durations = [round(1000 / FPS)] * (len(frames) - 1) + [REST_MS]
    if not cv2.imwriteanimation(str(TARGET), moving, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]):
        sys.exit(f"OpenCV cannot write {TARGET}.")
    sys.stderr.write(f"{TARGET}: {len(frames)} frames, {TARGET.stat().st_size / 1e6:.2f} MB\n")


if __name__ == "__main__":
    main()
