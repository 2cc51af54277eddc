"""What became of board and light in the filmed game: one lamp went out, and one bump."""

import json
from dataclasses import replace
from random import Random

from controller.referee.actions import Action, Bumped, LightChanged
from controller.referee.events import FrameSeen
from controller.referee.seeing.environment import Environment, survey
from controller.rules.position import START
from controller.vision.board.drift import settle
from controller.vision.geometry.board_grid import surface_grid
from tests.calibration.pictures import GAME
from tests.referee.staging import Film
from tests.vision.test_film import board, shot

# The lamp went out before picture 29, the board was pushed by 7.3 mm before picture 80 and the light stayed.
STRETCHES = [*range(24, 34), *range(74, 90)]


def test_the_lamp_and_the_bump_of_the_filmed_game_are_told_once_each() -> None:
    known = board()
    grid = surface_grid(known.geometry)
    bare = known.appearance.bare_surface(known.geometry)
    truths = [json.loads(line) for line in (GAME / "truth.jsonl").read_text().splitlines()]
    environment, told = Environment(), list[Action]()
    reading = Film(Random(1)).read(START)
    for number in (n for n in STRETCHES if not truths[n]["hand"]):
        drift = settle(shot(number), known, grid, bare).drift
        seen = FrameSeen(truths[number]["t"], number, replace(reading, drift=drift))
        environment, news = survey(environment, seen)
        told += news
    lamp, bump = told
    assert isinstance(lamp, LightChanged)
    assert isinstance(bump, Bumped)
    assert 29 <= lamp.frame <= 30
    assert 0.6 < lamp.green < 0.9
    assert 80 <= bump.frame <= 81
    assert 6.5 < bump.shift_mm < 8.5
