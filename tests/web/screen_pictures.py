"""The pictures of the pages in the documents, made anew: ``make pictures``.

What the pages show is what a referee tells; the camera's pictures are painted.
"""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import cv2
import numpy as np

from controller.app.room import home_in_picture
from controller.arrays import Picture
from controller.rules import START, Position, Side
from controller.simulation.boards.arranging import arrange
from controller.vision import Board
from controller.vision.appearance import Appearance
from controller.web.server.picture import board_jpeg
from controller.web.server.thread import serve
from controller.web.table_service import Role
from tests.browser import open_browser
from tests.calibration.pictures import picture
from tests.calibration.test_things import PAINTER, SEED, SETTING
from tests.referee.table.test_turns import GOOD
from tests.web.browsers import SEAT, SETTINGS, TABLE
from tests.web.layout_walk import SEARCH_MS
from tests.web.setup.still import SetUpHall, StillSetUp
from tests.web.shown_states import MATTERS, STATES, Staged, state_in
from tests.web.windows import Feed, Size, fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER: Final = Path(__file__).parents[2] / "hardware_docs" / "pictures"
NAMES: Final = {Side.LIGHT: "Anna Kovács", Side.DARK: "Béla Szabó"}
QUALITY: Final = 82
WIDE: Final = 1100
"""Pictures of desks are made smaller to this width, pixels."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the table's page or the spectators': its address, the state, and the windows, side by side."""

    path: str
    state: str
    sizes: tuple[Size, ...]


DESK: Final = (1440, 900)
PHONES: Final = ("to-roll", "illegal", "unsure", "double")
SHOTS: Final[Mapping[str, tuple[Shot, ...]]] = {
    "screen_table": (Shot("/", "to-roll", (DESK,)),),
    "screen_illegal": (Shot("/", "illegal", (DESK,)),),
    "screen_phone": (Shot("/", "illegal", ((390, 844),)),),
    "screen_watch": (Shot("/watch?size=hall", "illegal", ((1920, 1080),)),),
    "screen_phone_states": tuple(Shot("/", state, ((360, 640),)) for state in PHONES),
    "screen_low_states": tuple(Shot("/", state, ((1024, 600),)) for state in PHONES),
}


def main() -> None:
    """Make them all."""
    with open_browser() as browser, tempfile.TemporaryDirectory() as folder:
        for name, shots in SHOTS.items():
            _save(name, _beside([_table_shot(browser, shot) for shot in shots]))
        _save("screen_director", _director_shot(browser))
        _save("screen_set_up", _set_up_shot(browser, Path(folder)))


def _called(shown: Staged) -> Staged:
    shown.house.names = dict(NAMES)
    shown.house.say()
    return shown


def _table_shot(browser: "Browser", shot: Shot) -> Picture:
    shown = _called(STATES[shot.state]())
    role = Role.PLAYER if shot.path == "/" else Role.VIEWER
    with serve(shown.house, SETTINGS) as server, fed_page(browser, f"{server.address}{shot.path}") as feed:
        return _beside([_look(feed, size, state_in(shown, "en", role)) for size in shot.sizes])


def _director_shot(browser: "Browser") -> Picture:
    shown = _called(MATTERS["unconfirmed"]())
    # A board as it was calibrated, whose looks nobody asks for.
    board = Board(SETTING.camera, SETTING.geometry, cast(Appearance, None))
    home = home_in_picture(board)
    pictures = {"before": _painted(START, board, home), "after": _painted(GOOD, board, home)}
    with (
        serve(shown.house, replace(SETTINGS, at_table=Role.DIRECTOR)) as server,
        fed_page(browser, f"{server.address}/director") as feed,
    ):
        kept = [{"role": role, "number": 211 + 46 * n, "t_s": 3.1 * n + 4} for n, role in enumerate(pictures)]
        turn = "**/api/v1/matches/*/turns/*/*"
        feed.page.route(turn, lambda route: route.fulfill(json={"pictures": kept}))
        for role, jpeg in pictures.items():
            _answer(feed, f"{turn}/{role}.jpg*", jpeg)
        state = state_in(shown, "en", Role.DIRECTOR)
        feed.page.set_viewport_size({"width": 1280, "height": 720})
        feed.show({**state, "light_home": home})
        feed.page.evaluate("(id) => { location.hash = `need/${id}`; }", state["needs"][0]["id"])
        feed.page.locator(".figures img").nth(1).wait_for()
        feed.page.wait_for_load_state("networkidle")
        return _photograph(feed)


def _answer(feed: Feed, pattern: str, jpeg: bytes) -> None:
    feed.page.route(pattern, lambda route: route.fulfill(body=jpeg, content_type="image/jpeg"))


def _painted(position: Position, board: Board, home: str) -> bytes:
    rng = np.random.default_rng(SEED)
    painted = PAINTER.paint(arrange(SETTING, position, rng, sloppiness=0.4), np.random.default_rng(SEED))
    return board_jpeg(painted.picture, board, home)


def _set_up_shot(browser: "Browser", folder: Path) -> Picture:
    with SetUpHall(StillSetUp(picture("game"), folder)) as hall:
        address = f"{hall.server.address}/setup#aim"
        with fed_page(browser, address, extra_http_headers={SEAT: TABLE}) as feed:
            feed.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
            feed.page.locator("#main-button:enabled").click()
            feed.page.locator("#straight").wait_for(timeout=SEARCH_MS)
            return _photograph(feed)


def _look(feed: Feed, size: Size, state: dict[str, Any]) -> Picture:
    feed.page.set_viewport_size({"width": size[0], "height": size[1]})
    feed.show(state)
    return _photograph(feed)


def _photograph(feed: Feed) -> Picture:
    data = np.frombuffer(feed.page.screenshot(), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _beside(pictures: list[Picture]) -> Picture:
    """Pictures of one size: upright ones in a row, others two and two."""
    if len(pictures) == 1:
        return pictures[0]
    framed = [
        cv2.copyMakeBorder(each, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=(200, 208, 216)) for each in pictures
    ]
    across = len(framed) if pictures[0].shape[0] > pictures[0].shape[1] else 2
    rows = [np.hstack(framed[first : first + across]) for first in range(0, len(framed), across)]
    return np.asarray(np.vstack(rows), np.uint8)


def _save(name: str, shown: Picture) -> None:
    height, width = shown.shape[:2]
    if width > WIDE:
        size = (WIDE, round(height * WIDE / width))
        shown = np.asarray(cv2.resize(shown, size, interpolation=cv2.INTER_AREA), np.uint8)
    path = FOLDER / f"{name}.webp"
    cv2.imwrite(str(path), shown, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
