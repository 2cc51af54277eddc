"""A table with painted pictures, the real calibration, the real eyes and the real firmware."""

from pathlib import Path

import pytest

from controller.demo.looks import PaintedLooks
from controller.demo.preparing import Prepared
from controller.demo.show import Evening, Plan, Show
from controller.rules.profile.profile import STANDARD

PLIES = 4


class EnoughError(Exception):
    """So many plays were seen."""


def beginning(prepared: Prepared, folder: Path) -> tuple[Evening, Show, list[str]]:
    """The first plays of a game, and the lines they left."""
    evening = Evening(Plan(1, 5, STANDARD, 4), prepared)
    shows: list[Show] = []

    def attend(show: Show) -> None:
        shows[:] = [show]
        if len(evening.ledger.verdicts) >= PLIES:
            raise EnoughError

    with pytest.raises(EnoughError), evening.folder(folder) as match:
        evening.match(0, match, lambda _: None, attend)
    return evening, shows[0], (folder / "events.jsonl").read_text().splitlines()


def test_pictures_are_painted_read_and_judged_and_the_same_seed_gives_the_same_lines(
    prepared: Prepared, tmp_path: Path
) -> None:
    evening, show, lines = beginning(prepared, tmp_path / "first")
    right, _ = evening.ledger.count_concluded()
    assert right == PLIES
    assert isinstance(show.looks, PaintedLooks)
    # Hands move in about half of the pictures of these plies; those of a board at rest are hardly ever painted.
    assert show.looks.painted < 0.6 * show.t * show.plan.fps
    _, _, again = beginning(prepared, tmp_path / "second")
    assert again == lines
    assert len(lines) >= PLIES
