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
from controller.messages.catalogue import catalogue
from controller.rules import START, Position, Side
from controller.simulation.boards.arranging import arrange
from controller.vision import Board
from controller.vision.counting.appearance import Appearance
from controller.web.server.application import serve
from controller.web.server.picture import board_jpeg
from controller.web.table_service import Role
from tests.browser import open_browser
from tests.calibration.pictures import picture
from tests.calibration.test_things import SEED, painter, setting
from tests.referee.table.test_turns import GOOD
from tests.web.browsers import SEAT, SETTINGS, TABLE, opened
from tests.web.layout_walk import SEARCH_MS
from tests.web.setup.still import SetUpHall, StillSetUp
from tests.web.shown_states import MATTERS, STATES, Staged, state_in
from tests.web.test_learning import THREE_ONE, lesson_house
from tests.web.windows import Feed, Size, fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EDGE = (200, 208, 216)
"""The colour between pictures, blue first."""
FOLDER: Final = Path(__file__).parents[2] / "hardware_docs" / "pictures"
NAMES: Final = {Side.LIGHT: "Anna Kovács", Side.DARK: "Béla Szabó"}
QUALITY: Final = 82
SETTLED_MS: Final = 1000
"""From the first picture on the set-up page to the press: it looks at one before it takes any."""
WIDE: Final = 1100
"""Pictures of desks are made smaller to this width, pixels."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the table's page or the spectators': its address, the state, and the windows, side by side."""

    path: str
    state: str
    sizes: tuple[Size, ...]


DESK: Final = (1440, 900)
ALL: Final[Mapping[str, tuple[Size, int]]] = {
    "screen_all_desk": (DESK, 3),
    "screen_all_low": ((1024, 600), 3),
    "screen_all_phone": ((360, 640), 5),
}
"""Pictures of every state of the table's page, each in a window of a size, so many beside each other."""
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
        for name, (size, across) in ALL.items():
            shown = [_table_shot(browser, Shot("/", state, (size,))) for state in STATES]
            _save(name, _beside(shown, across))
        _save("screen_tour", _tour_shot(browser))
        _save("screen_exercise", _exercise_shot(browser))
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


def _tour_shot(browser: "Browser") -> Picture:
    """An illegal play in the first minute of a demo, one of its checkers in the hand of whoever puts it right."""
    shown = _called(STATES["illegal"]())
    flagged = shown.house.evening.table.flagged
    assert flagged is not None
    names = {"visitor": "Béla", "other": "Anna", "light": "Anna", "dark": "Béla"}
    text = catalogue("en").text("demo", "put_right", **names)
    hands = {"position": flagged.after.compact(), "side": str(flagged.side)}
    state = state_in(shown, "en") | {"demo": {"text": text, "hands": hands}}
    with serve(shown.house, SETTINGS) as server, fed_page(browser, server.address) as feed:
        feed.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        feed.show(state)
        _take_hold(feed.page, "light-4", (-230, -80))
        return _photograph(feed)


def _exercise_shot(browser: "Browser") -> Picture:
    """An exercise with a checker that was chosen, and where it may land, on a low screen and on a phone."""
    pictures: list[Picture] = []
    with opened(lesson_house(moving=False)) as hall:
        for width, height in ((1024, 600), (360, 640)):
            context = browser.new_context(
                viewport={"width": width, "height": height}, extra_http_headers={SEAT: TABLE}
            )
            page = context.new_page()
            page.goto(f"{hall.server.address}/learn#exercise")
            page.locator(".one-form input").first.fill(THREE_ONE)
            page.locator(".one-form button[type=submit]").first.click()
            page.locator('.tap[data-place="8"]').click()
            page.locator(".tap.landing").first.wait_for()
            page.mouse.move(1, 1)
            pictures.append(_taken(page))
            context.close()
    low, phone = pictures
    wide = round(phone.shape[1] * low.shape[0] / phone.shape[0])
    small = np.asarray(cv2.resize(phone, (wide, low.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(np.hstack([low, np.full((low.shape[0], 12, 3), 208, np.uint8), small]), np.uint8)


def _take_hold(page: "Page", pile: str, away: tuple[int, int]) -> None:
    """Have a checker in the hand, so far away from where it lay."""
    box = page.locator(f'.checker[data-pile="{pile}"]').last.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + away[0], y + away[1], steps=3)
    page.locator(".in-hand").wait_for()


def _director_shot(browser: "Browser") -> Picture:
    shown = _called(MATTERS["unconfirmed"]())
    # A board as it was calibrated, whose looks nobody asks for.
    board = Board(setting().camera, setting().geometry, cast(Appearance, None))
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
    painted = painter().paint(arrange(setting(), position, rng, sloppiness=0.4), np.random.default_rng(SEED))
    return board_jpeg(painted.picture, board, home)


def _set_up_shot(browser: "Browser", folder: Path) -> Picture:
    with SetUpHall(StillSetUp(picture("game"), folder)) as hall:
        address = f"{hall.server.address}/setup#aim"
        with fed_page(browser, address, extra_http_headers={SEAT: TABLE}) as feed:
            feed.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
            # Before the camera's first picture there is nothing to be found, and the button does nothing.
            feed.page.wait_for_event(
                "response", lambda told: "/setup/picture" in told.url and told.status == 200
            )
            feed.page.wait_for_timeout(SETTLED_MS)
            feed.page.locator("#main-button:not(:empty):enabled").click()
            feed.page.locator("#straight").wait_for(timeout=SEARCH_MS)
            return _photograph(feed)


def _look(feed: Feed, size: Size, state: dict[str, Any]) -> Picture:
    feed.page.set_viewport_size({"width": size[0], "height": size[1]})
    feed.show(state)
    return _photograph(feed)


def _photograph(feed: Feed) -> Picture:
    return _taken(feed.page)


def _taken(page: "Page") -> Picture:
    data = np.frombuffer(page.screenshot(), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _beside(pictures: list[Picture], across: int = 0) -> Picture:
    """Pictures of one size, so many in a row; without a number upright ones in one row, others two and two."""
    if len(pictures) == 1:
        return pictures[0]
    framed = [cv2.copyMakeBorder(each, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=EDGE) for each in pictures]
    across = across or (len(framed) if pictures[0].shape[0] > pictures[0].shape[1] else 2)
    framed += [np.full_like(framed[0], EDGE)] * (-len(framed) % across)
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
