"""What lies on the board is told from hands: it looks as before while other things are moved."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.hands.hands import Clear, clear_look, find_hands
from controller.vision.hands.obstacle import LIES_S, Obstacles, find_obstacles, judge_obstacles
from controller.vision.hands.occlusion import Occlusion, hidden_cells
from controller.vision.hands.overview import COLUMNS, ROWS
from controller.vision.reader import read_board
from controller.vision.reading import Count, Reading
from controller.vision.watch import watch_of, watch_picture
from tests.rows import each_row
from tests.vision.boards import learned, picture, with_arm
from tests.vision.hands.test_hands import GEOMETRY, arm, box

GLASS = box((80, 160), (-160, -80))
PLAIN = np.full((ROWS, COLUMNS, 3), 90, np.uint8)
LATER = LIES_S + 1


def look(hidden: Float32Array | None, *, seed: int = 0, shade: int = 30) -> Clear:
    """A look in which something of this shade hides some cells, each seed with its own noise."""
    seen = PLAIN + np.random.default_rng(seed).integers(-3, 4, PLAIN.shape)
    if hidden is not None:
        there = cv2.resize(hidden, (COLUMNS, ROWS), interpolation=cv2.INTER_NEAREST) > 0.5
        seen[there] += shade
    return Clear(seen.astype(np.uint8), learned("board1").camera, hidden)


def known_after(*looks: tuple[float, int, Clear]) -> Obstacles | None:
    """What is known after these looks, each with its time and the number of its scene."""
    known: Obstacles | None = None
    for t, scene, one in looks:
        known = find_obstacles(known, one, t, scene)
    return known


def seen(*looks: tuple[float, int, Clear]) -> Occlusion | None:
    """What is hidden in the last of these looks by things that are known to lie there."""
    known = known_after(*looks)
    return None if known is None else judge_obstacles(known, looks[-1][2], GEOMETRY)


def glass(t: float, scene: int, hidden: Float32Array = GLASS, shade: int = 30) -> tuple[float, int, Clear]:
    return t, scene, look(hidden, seed=scene, shade=shade)


def test_what_lies_still_while_something_is_moved_is_no_hand() -> None:
    lying = seen(glass(0.0, 1), glass(LATER, 2))
    assert lying is not None
    assert not lying.hand
    assert lying.points


@each_row(
    "looks",
    [
        [glass(0.0, 1)],
        [glass(0.0, 1), glass(LATER, 1)],
        [glass(0.0, 1), glass(LIES_S / 2, 2)],
        [glass(0.0, 1), glass(LATER, 2, shade=80)],
        [glass(0.0, 1), (LATER, 2, look(box((-160, -80), (-160, -80)), seed=2))],
    ],
    ids=["seen once", "nothing moved", "too short", "looks otherwise", "lies elsewhere"],
)
def test_it_may_be_a_hand_as_long_as_nothing_tells_otherwise(looks: list[tuple[float, int, Clear]]) -> None:
    assert seen(*looks) is None


def test_a_hand_beside_what_lies_there_is_a_hand() -> None:
    both = np.maximum(GLASS, arm(1, -100, 60))
    lies = [glass(0.0, 1), glass(LATER, 2), glass(2 * LATER, 3, both)]
    assert seen(*lies) is None
    assert seen(*lies, glass(9 * LATER, 4)) is not None


def test_points_of_which_it_hides_a_little_are_not_known() -> None:
    middle = GEOMETRY.column_x(3)
    thing = box((middle - 80, middle - 10), (-200, -120))
    lying = seen(glass(0.0, 1, thing), glass(LATER, 2, thing))
    assert lying is not None
    assert lying.points == {
        point for point in range(1, 7) if abs(GEOMETRY.column_x(point) - (middle - 45)) < 50
    }
    assert not lying.bar


def test_over_the_bar_it_hides_what_is_on_the_bar() -> None:
    thing = box((-35, 35), (40, 120))
    lying = seen(glass(0.0, 1, thing), glass(LATER, 2, thing))
    assert lying is not None
    assert lying.bar


def test_what_lies_there_hides_points_in_a_picture_in_which_the_network_overlooks_it() -> None:
    overlooked = replace(look(GLASS, seed=9), hidden=None)
    lying = seen(glass(0.0, 1), glass(LATER, 2), (2 * LATER, 3, overlooked))
    assert lying is not None
    assert lying.points


def test_what_was_taken_away_is_forgotten() -> None:
    gone = known_after(glass(0.0, 1), glass(LATER, 2), (2 * LATER, 3, look(None, seed=3)))
    assert gone is None
    assert seen(glass(0.0, 1), glass(LATER, 2), (2 * LATER, 3, look(None)), glass(3 * LATER, 4)) is None


def with_glass(image: Picture, x_mm: float, y_mm: float) -> Picture:
    """The picture with a glass of tea on the board, 70 mm wide."""
    shown = image.copy()
    camera = learned("board1").camera
    (x, y), (edge, _) = camera.project(np.array([[x_mm, y_mm, 60.0], [x_mm + 40, y_mm, 60.0]]))
    for share, colour in ((1.0, (40, 70, 110)), (0.7, (30, 50, 80))):
        cv2.circle(shown, (round(x), round(y)), round(share * (edge - x)), colour, -1, cv2.LINE_AA)
    return shown


def test_a_hand_that_passes_what_lies_there_is_told_without_it() -> None:
    board = learned("board1")
    rest = with_glass(picture("board1_002"), board.geometry.column_x(9), -120.0)
    plain = clear_look(rest, board.camera, np.ones(3))
    clear = replace(plain, hidden=hidden_cells(plain.picture, board.camera, board))
    assert find_hands(rest, plain, board)
    assert find_hands(rest, clear, board) == ()
    (hand,) = find_hands(with_arm(rest, board.geometry.column_x(4), 1, 60.0), clear, board)
    assert hand.side == "dark"


def readings_with_glass(x_mm: float, y_mm: float, last: Callable[[Picture], Picture]) -> list[Reading]:
    """What is read where a glass is put down before a play; ``last`` is what is done to the last two pictures."""
    board, plain = learned("board1"), picture("board1_002")
    rest = with_glass(plain, x_mm, y_mm)
    watch, readings = watch_of(board), list[Reading]()
    passing = with_arm(rest, board.geometry.column_x(4), -1, -60.0)
    shown = [plain, plain, rest, rest, passing, last(rest), last(rest)]
    times = [0.0, 0.1, 1.0, 1.1, LATER + 1.0, LATER + 1.2, LATER + 1.4]
    for t, image in zip(times, shown, strict=True):
        watch, reading = watch_picture(watch, image, t, read_board)
        if reading is not None:
            readings.append(reading)
    return readings


def test_a_board_with_a_glass_on_it_is_read_after_the_next_play() -> None:
    geometry = learned("board1").geometry
    readings = readings_with_glass(geometry.column_x(9), 120.0 * geometry.side_of(9), lambda rest: rest)
    assert readings[1].hand or readings[2].hand
    assert not readings[-1].hand
    assert 9 in readings[-1].covered
    assert readings[-1].covered <= readings[-1].unsure
    assert readings[-1].bar == readings[0].bar
    known = set(range(1, 25)) - readings[-1].covered
    assert all(readings[-1].points[point - 1] == readings[0].points[point - 1] for point in known)


def test_an_arm_beside_the_glass_is_a_hand() -> None:
    geometry = learned("board1").geometry
    x, y = geometry.column_x(9), 120.0 * geometry.side_of(9)
    *_, last = readings_with_glass(x, y, lambda rest: with_arm(rest, geometry.column_x(4), -1, 60.0))
    assert last.hand


def test_what_is_on_the_bar_is_not_known_while_a_glass_stands_on_it() -> None:
    *_, last = readings_with_glass(0.0, 100.0, lambda rest: rest)
    assert not last.hand
    assert last.bar == Count(None, None)
    assert len(set(last.bar_likelihoods.values())) == 1
