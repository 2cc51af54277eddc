"""The order of the strip, found by a camera that is simulated and by a person who is."""

import random
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.lights import Glow, LightsError, ask_order, glow_of, place_at, see_order, see_pixels
from controller.arrays import Float32Array, FloatArray, Picture
from controller.devices.lights.frame import PLACES, Place
from controller.devices.lights.order import StripOrder, key_of
from controller.vision.board.board import Board
from controller.vision.geometry.geometry import BoardGeometry
from tests.amounts import amount
from tests.rows import each_row
from tests.vision.boards import learned, picture

REACH = 32


@cache
def board() -> Board:
    return learned("board6")


@cache
def noises() -> Float32Array:
    """Of a few pictures, in grey levels."""
    shape = (5, board().camera.height, board().camera.width, 3)
    return np.random.default_rng(1).normal(0, 2.5, shape).astype(np.float32)


def painted_glow() -> Float32Array:
    """A lamp and its halo under translucent wood, warm white."""
    lamp = np.zeros((2 * REACH + 1, 2 * REACH + 1), np.float32)
    cv2.circle(lamp, (REACH, REACH), 4, 1.0, -1)
    glow = cv2.GaussianBlur(lamp, (0, 0), 2) * 90 + cv2.GaussianBlur(lamp, (0, 0), 9) * 120
    return np.asarray(glow[..., None] * np.array([0.4, 0.75, 1.0]), np.float32)


GLOW = painted_glow()


def centre_of(place: Place, geometry: BoardGeometry) -> FloatArray:
    """Where a place's lamp is built in (mm): half way along its point, bar or tray; status on the other side."""
    x, y = 0.0, geometry.surface_height_mm / 4
    if isinstance(place, int):
        return np.array([geometry.column_x(place), geometry.side_of(place) * y, 0.0])
    if place != "status":
        y *= -1 if place.endswith("light") else 1
    if not place.startswith("bar"):
        x = geometry.surface_width_mm / 2 + geometry.tray_gap_mm + geometry.tray_width_mm / 2
        x *= (1 if geometry.home == "right" else -1) * (-1 if place == "status" else 1)
    return np.array([x, y, 0.0])


class Table:
    """A board with a strip under it and a camera over it."""

    def __init__(self, order: StripOrder, seed: int = 1, *, dead: tuple[int, ...] = ()) -> None:
        self.where = {lamp: centre_of(place, board().geometry) for place, lamp in order.lamps.items()}
        self.lamp: int | None = 0
        self.dead = dead
        self.hands = 0
        self.base = picture("board6_000").astype(np.float32) * 0.55  # the room is dimmed
        self.chance = np.random.default_rng(seed)

    def shine(self, lamp: int | None) -> None:
        self.lamp = lamp

    def look(self) -> Picture:
        noise = noises()[self.chance.integers(len(noises())), : len(self.base)]
        shown = self.base + noise + float(self.chance.uniform(-4, 4))
        if self.lamp is not None and self.lamp in self.where and self.lamp not in self.dead:
            x, y = (round(float(v)) for v in board().camera.project(self.where[self.lamp]))
            across, down = (slice(max(0, at - REACH), at + REACH + 1) for at in (x, y))
            spot = shown[down, across]
            left, top = REACH - x + across.start, REACH - y + down.start
            spot += GLOW[top : top + spot.shape[0], left : left + spot.shape[1]]
        if self.hands and self.lamp is not None:
            self.hands -= 1
            shown[100:300, 200:500] = (90, 120, 190)
        return np.clip(shown, 0, 255).astype(np.uint8)


def shuffled(seed: int) -> StripOrder:
    places = list(PLACES)
    random.Random(seed).shuffle(places)
    return StripOrder({place: lamp for lamp, place in enumerate(places)})


@pytest.mark.parametrize("seed", amount([1], [1, 2]))
def test_a_camera_finds_any_order(seed: int) -> None:
    order = shuffled(seed)
    table = Table(order, seed)
    assert see_order(29, table.shine, table.look, board().camera, board().geometry) == order
    assert table.lamp is None


def test_lamps_beyond_the_places_and_a_status_lamp_out_of_sight_do_not_matter() -> None:
    order = shuffled(3)
    table = Table(order, dead=(order.lamps["status"],))
    assert see_order(29, table.shine, table.look, board().camera, board().geometry) == order


def test_several_pixels_at_a_point_belong_to_it_and_those_beside_the_board_stay_dark() -> None:
    table = Table(shuffled(6))
    places = {lamp: place for place, lamp in shuffled(6).lamps.items()}
    # Pixels 29 and 30 lie beside those of points 1 and 24, and 31 and 32 at no place.
    for pixel, place in ((29, 1), (30, 24), (31, "status"), (32, "status")):
        table.where[pixel] = centre_of(place, board().geometry) * (1, 0.8, 1)
    found = see_pixels(33, table.shine, table.look, board().camera, board().geometry)
    wanted = {place: (lamp,) for lamp, place in places.items() if place != "status"}
    assert found.pixels == {**wanted, 1: (*wanted[1], 29), 24: (*wanted[24], 30)}


def test_a_point_without_a_pixel_is_named() -> None:
    order = shuffled(7)
    table = Table(order, dead=(order.lamps[9],))
    with pytest.raises(LightsError, match=r"No lamp was found for point-9; .*lamps not seen at all"):
        see_pixels(29, table.shine, table.look, board().camera, board().geometry)


def test_a_hand_that_passes_is_waited_for_and_one_that_stays_is_told() -> None:
    order = shuffled(4)
    table = Table(order)
    table.hands = 2
    assert see_order(29, table.shine, table.look, board().camera, board().geometry) == order
    table.hands = 1000
    with pytest.raises(LightsError, match="moved before the camera"):
        see_order(29, table.shine, table.look, board().camera, board().geometry)


def test_a_lamp_that_does_not_burn_is_named_with_its_place_and_the_way_out() -> None:
    order = shuffled(5)
    lamp = order.lamps[7]
    table = Table(order, dead=(lamp,))
    with pytest.raises(LightsError, match=rf"for point-7; .*lamps not seen at all: {lamp}\..*--ask"):
        see_order(29, table.shine, table.look, board().camera, board().geometry)


def test_two_lamps_under_one_point_are_named() -> None:
    table = Table(StripOrder.as_delivered())
    table.where[5] = table.where[2]
    with pytest.raises(LightsError, match="Lamps 2 and 5 are both seen at point-2;"):
        see_order(29, table.shine, table.look, board().camera, board().geometry)


def test_without_any_lamp_nothing_is_invented() -> None:
    table = Table(StripOrder.as_delivered())
    table.where.clear()
    with pytest.raises(LightsError, match="No lamp was found for point-1, "):
        see_order(29, table.shine, table.look, board().camera, board().geometry)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_noise_and_a_lamp_of_the_room_that_is_dimmed_are_no_glow(seed: int) -> None:
    table = Table(StripOrder.as_delivered(), seed)
    table.lamp = None
    dark = table.look()
    assert glow_of(dark, np.clip(table.look() * 0.97, 0, 255).astype(np.uint8)) is None


@each_row("place", [p for p in PLACES if p != "status"], ids=str)
@each_row("along", [0.3, 1.0, 1.9])
def test_a_lamp_may_lie_anywhere_along_its_point(place: Place, along: float) -> None:
    spot = centre_of(place, board().geometry) * (1, along, 1)
    x, y = board().camera.project(spot)

    assert place_at(Glow(float(x), float(y)), board().camera, board().geometry) == place


def test_between_two_points_and_on_the_middle_line_lies_no_place() -> None:

    geometry = board().geometry
    between = (geometry.column_x(3) + geometry.column_x(4)) / 2
    for spot in ((between, -80.0, 0.0), (geometry.column_x(3), 2.0, 0.0)):
        x, y = board().camera.project(np.array(spot))
        assert place_at(Glow(float(x), float(y)), board().camera, geometry) is None


def test_a_person_names_the_places_and_may_go_back() -> None:
    lit: list[int | None] = []
    questions: list[str] = []
    told = iter(
        ["24", "nowhere", "-", "24", "3", "back", "2", *map(str, range(3, 24)), "1", *map(str, PLACES[24:])]
    )

    def ask(question: str) -> str:
        questions.append(question)
        return next(told)

    order = ask_order(40, lit.append, ask)
    assert order.lamps[24] == 0
    assert order.lamps[2] == 2
    assert order.lamps["status"] == 29
    assert 'There is no place "nowhere". Lamp 1 is lit.' in questions[2]
    assert "point-24 has lamp 0 already. Lamp 2 is lit." in questions[4]
    assert lit[-1] is None


def test_places_that_nobody_named_are_told() -> None:
    with pytest.raises(LightsError, match="No lamp was found for point-1, "):
        ask_order(29, lambda _: None, lambda _: "-")


def test_every_key_is_a_place_that_can_be_typed() -> None:
    order = StripOrder.as_delivered()
    told = iter([key_of(place) for place in sorted(PLACES, key=lambda place: order.lamps[place])])
    assert ask_order(29, lambda _: None, lambda _: next(told)) == order
