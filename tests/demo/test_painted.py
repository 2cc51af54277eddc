"""A table with painted pictures, the real calibration, the real eyes and the real firmware."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.app.eyes import board_of
from controller.cli.demo import ROLLS, Album
from controller.demo.looks import PaintedLooks
from controller.demo.preparing import Prepared
from controller.demo.show import Evening, Plan, Show
from controller.devices.film import load_rolls, open_film
from controller.referee.actions import Phase
from controller.replay import replay
from controller.rules.game.game import first_position
from controller.rules.position import Position, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD
from controller.simulation.boards.arranging import arrange
from controller.vision.geometry.seen import Hands
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.amounts import amount

PLIES, AGAIN = amount((3, 2), (4, 4))
"""So many plays of a game are seen, and so many of them once more."""


class EnoughError(Exception):
    """So many plays were seen."""


def beginning(
    prepared: Prepared, folder: Path, plies: int, keep: Callable[[Show], None] = lambda _: None
) -> tuple[Evening, Show, list[str]]:
    """The first plays of a game, and the lines they left."""
    evening = Evening(Plan(1, 5, STANDARD, 4), prepared)
    shows: list[Show] = []

    def attend(show: Show) -> None:
        shows[:] = [show]
        keep(show)
        if len(evening.ledger.verdicts) >= plies:
            raise EnoughError

    with pytest.raises(EnoughError), evening.folder(folder) as match:
        evening.match(0, match, lambda _: None, attend)
    return evening, shows[0], (folder / "events.jsonl").read_text().splitlines()


def test_pictures_are_painted_read_and_judged_and_the_same_seed_gives_the_same_lines(
    prepared: Prepared, tmp_path: Path
) -> None:
    film = tmp_path / "film"
    evening, show, lines = beginning(prepared, tmp_path / "first", PLIES, Album(film).keep)
    right, _ = evening.ledger.count_concluded()
    assert right == PLIES
    assert isinstance(show.looks, PaintedLooks)
    # Hands move in about half of the pictures of these plies; those of a board at rest are hardly ever painted.
    assert show.looks.painted < 0.6 * show.t * show.plan.fps
    _, _, again = beginning(prepared, tmp_path / "second", AGAIN)
    assert again == lines[: len(again)]
    assert len(plays(again)) >= AGAIN - 1
    assert len(plays(lines)) >= PLIES - 1
    [*_] = replay(
        open_film(film), load_rolls(film / ROLLS), prepared.board, tmp_path / "film-match", lambda: ""
    )
    filmed = (tmp_path / "film-match" / "events.jsonl").read_text().splitlines()
    assert plays(filmed)[: PLIES - 1] == plays(lines)[: PLIES - 1]


def test_where_every_picture_of_a_movement_is_painted_the_eyes_tell_whose_hand_it_was(
    prepared: Prepared, tmp_path: Path
) -> None:
    played = list[tuple[Side | None, Hands | None]]()

    def keep(show: Show) -> None:
        views = show.desk.table.views
        if show.desk.table.phase is Phase.MOVING and len(views) > 1:
            played.append((show.desk.table.on_turn, views[-1].hands))

    beginning(replace(prepared, all_moving=True), tmp_path, 1, keep)
    assert played
    assert all(hands and {hand.side for hand in hands} == {side} for side, hands in played)


def plays(lines: list[str]) -> list[tuple[str, str]]:
    """Who played what, by the lines of a match."""
    told = [json.loads(line) for line in lines]
    return [(each["player"], each["move"]) for each in told if "move" in each]


def reading_of(prepared: Prepared, game: str, position: Position, seed: int) -> Reading:
    """What the eyes say of a painted position of a game, without a cube."""
    profile, rng = load_profile(game), np.random.default_rng(seed)
    each = profile.movement.checkers
    scene = arrange(prepared.setting, position, rng, cube=None, sloppiness=0.6, each=each)
    return read_board(prepared.painter.paint(scene, rng).picture, board_of(prepared.board, [profile]))


@pytest.mark.parametrize(
    "text", ["g..c.B..Bb..C.b........G../pinned=6,15", "d.B.c.A....bC...bA.C.b.D../pinned=7,12,20"]
)
def test_of_a_pinned_pile_the_eyes_tell_what_lies_on_top_and_make_nothing_up(
    prepared: Prepared, text: str
) -> None:
    position = Position.from_compact(text)
    reading = reading_of(prepared, "plakoto", position, 5)
    assert reading.points == position.points
    assert (reading.bar.light, reading.bar.dark) == (0, 0)
    assert len(reading.unsure) <= 3


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_piles_of_fifteen_no_wrong_count_is_sure(prepared: Prepared, seed: int) -> None:
    start = first_position(load_profile("fevga"))
    reading = reading_of(prepared, "fevga", start, seed)
    wrong = {p for p in range(1, 25) if reading.points[p - 1] != start.points[p - 1]}
    assert wrong <= reading.unsure
    assert len(reading.unsure) <= 6


def test_three_checkers_a_side_are_not_filled_up_with_twelve_that_are_off(prepared: Prepared) -> None:
    position = Position.from_counts([0, 0, 1, 0, 0, -1, *[0] * 11, 1, 0, -1, -1, 0, 1, 0])
    reading = reading_of(prepared, "hypergammon", position, 4)
    assert reading.points == position.points
    assert (reading.off.light, reading.off.dark) == (0, 0)
    assert reading.unsure == frozenset()
