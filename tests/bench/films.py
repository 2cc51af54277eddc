"""Films with known truth, through the settings of `pointsman replay`: each picture is read once for all of them.

The folder of a film holds `film.mp4` or numbered pictures in `frames` (with `times.jsonl`), and

- `events.jsonl`, the truth, one line for each ply: `ply`, `player`, `dice`, `move`, `legal`, `illegal_kind`,
  `t_roll`, `t_settled`, perhaps `t_turn_over` and `t_dice_lifted` (seconds of the film), `before` and `after` (each
  with the 24 `points` of a position and its `bar`);
- `dice.jsonl`, what an electronic dice set would have reported;
- `start.jpg` and `start2.jpg`, the start position; without them the first two pictures show it;
- perhaps `setup.json`, whose `light_home_in_image` is as `pointsman calibrate board --light-home` takes it.
"""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.calibrate import CalibrationPicture, calibrate
from calibration.finder import Quadrant
from controller.arrays import Picture
from controller.cli.games import live_settings
from controller.cli.rules import STANDARD_NAME
from controller.devices.film import load_rolls, open_film
from controller.errors import UserError
from controller.record.journal.journal import Journal
from controller.record.table.match_folder import EVENTS, JOURNAL
from controller.referee.actions import Action, Flagged, TurnJudged
from controller.referee.events import Event, FrameSeen
from controller.referee.table.machine import step
from controller.referee.table.state import Table
from controller.replay import replay
from controller.rules.position import START, Position
from controller.rules.profile.catalogue import load_profile
from controller.vision.baseline import Baseline
from controller.vision.board.board import Board
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.record.replaying import replay_inputs

SHIPPED: Final = Path(__file__).parent.parent / "data" / "game"
FILMS: Final = "FILMS"
"""The environment variable that names a folder of further films."""

KINDS: Final = {
    "wrong_pip_count": {"wrong_distance", "dice_mismatch", "unused_die"},
    "ignored_bar": {"bar_first"},
    "landed_on_made_point": {"blocked_point"},
    "only_one_die": {"unused_die", "larger_die"},
    "moved_opponents_checker": {"opponent_moved"},
    "bore_off_early": {"bear_off_early"},
}
"""Kinds of illegal plays in the films, with the codes that name what was broken."""

Line = dict[str, Any]


class FilmsError(UserError):
    """A folder in which there is no film to measure."""


@dataclass
class Remembered:
    """A reader that reads the same picture once for each reading it goes on from."""

    known: dict[tuple[bytes, int], Reading] = field(default_factory=dict)
    bases: list[Baseline | None] = field(default_factory=lambda: [None])

    def read(self, picture: Picture, board: Board, baseline: Baseline | None = None) -> Reading:
        """The reading of a picture of one board, going on from an earlier one."""
        earlier = next(number for number, known in enumerate(self.bases) if known is baseline)
        key = hashlib.blake2b(np.ascontiguousarray(picture).data, digest_size=16).digest(), earlier
        if key not in self.known:
            self.known[key] = read_board(picture, board, baseline)
            self.bases.append(self.known[key].baseline)
        return self.known[key]


@dataclass(frozen=True)
class FilmFolder:
    """A film with its truth.

    Attributes:
        folder: where it lies.
        board: the board in it.
        truth: a line for each ply.
        reader: reads its pictures.
    """

    folder: Path
    board: Board
    truth: tuple[Line, ...]
    reader: Remembered

    @classmethod
    def of(cls, folder: Path) -> "FilmFolder":
        """The film in a folder, its board calibrated from its pictures of the start position."""
        return cls(folder, _board(folder), tuple(lines_of(folder / "events.jsonl")), Remembered())


@dataclass(frozen=True)
class Told:
    """What came of a film.

    Attributes:
        lines: those of `events.jsonl`, by ply.
        verdicts: when each ply was first told something about, in seconds of the film.
        accused: when each ply was first called illegal, to whomever.
        spent: processor seconds of the referee alone for each picture that was read.
    """

    lines: dict[int, list[Line]]
    verdicts: dict[int, float]
    accused: dict[int, float]
    spent: tuple[float, ...]


def films(named: str | None = None) -> list[Path]:
    """The game that ships, and the films in the folder that is named here or in the environment.

    Raises:
        FilmsError: if there is none in it.
    """
    named = named or os.environ.get(FILMS) or None
    if named is None:
        return [SHIPPED]
    root = Path(named)
    places = [root, *sorted(root.glob("*")), *sorted(root.glob("*/*"))]
    found = [place for place in places if (place / "events.jsonl").is_file() and pictures_of(place).exists()]
    if not found:
        raise FilmsError(
            f"There is no film in {root}: name a folder that holds, for each film, a folder with events.jsonl and "
            "film.mp4 or frames."
        )
    return [SHIPPED, *found]


def lines_of(file: Path) -> list[Line]:
    """The JSON lines of a file."""
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def compact(truth: Line) -> str:
    """The position of a line of truth."""
    return Position.from_counts(truth["points"], truth["bar"]["light"], truth["bar"]["dark"]).compact()


def follow(film: FilmFolder, *, dice: bool, live: bool) -> Told:
    """Put a film through what `pointsman replay` does, with or without its dice file and ``--live``."""
    rules = load_profile(STANDARD_NAME)
    before = compact(film.truth[0]["before"])
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        for _ in replay(
            open_film(pictures_of(film.folder)),
            load_rolls(film.folder / "dice.jsonl") if dice else None,
            film.board,
            out,
            lambda: "1970-01-01T00:00:00Z",
            None if before == START.compact() else Position.from_compact(before),
            read=film.reader.read,
            rules=rules,
            live=live_settings(STANDARD_NAME, rules) if live else None,
        ):
            pass
        by_ply: dict[int, list[Line]] = {}
        for line in lines_of(out / EVENTS):
            if "move" in line and "legal" in line:
                by_ply.setdefault(line["ply"], []).append(line)
        with Journal(out / JOURNAL, read_only=True) as journal:
            return _told_again(journal, by_ply)


def _told_again(journal: Journal, by_ply: dict[int, list[Line]]) -> Told:
    """The inputs of the journal once more through the referee, to time it alone and to see when it told what."""
    spent: list[float] = []
    verdicts: dict[int, float] = {}
    accused: dict[int, float] = {}

    def timed(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
        began = time.process_time()
        result = step(table, event)
        if isinstance(event, FrameSeen):
            spent.append(time.process_time() - began)
        return result

    for event, actions in replay_inputs(journal, "1", timed):
        for action in actions:
            if isinstance(action, Flagged | TurnJudged):
                turn = action.turn if isinstance(action, Flagged) else action
                verdicts.setdefault(turn.ply, event.t)
                if turn.legal is False:
                    accused.setdefault(turn.ply, event.t)
    return Told(by_ply, verdicts, accused, tuple(spent))


def pictures_of(folder: Path) -> Path:
    """The video of a film, or the folder of its pictures."""
    film = folder / "film.mp4"
    return film if film.is_file() else folder / "frames"


def _board(folder: Path) -> Board:
    return calibrate([_view(picture) for picture in start_pictures_of(folder)], home_of(folder)).board


def home_of(folder: Path) -> Quadrant | None:
    """Where light's home lies in the pictures of a film, such as ``bottom-right``, if the film says so."""
    setup = folder / "setup.json"
    home: Quadrant | None = json.loads(setup.read_text())["light_home_in_image"] if setup.is_file() else None
    return home


def start_pictures_of(folder: Path) -> Sequence[Path]:
    """The pictures of the start position that lie beside the film, or its first two."""
    beside = [folder / name for name in ("start.jpg", "start2.jpg") if (folder / name).is_file()]
    return beside or sorted((folder / "frames").glob("*.jpg"))[:2]


def _view(file: Path) -> CalibrationPicture:
    return CalibrationPicture(file.name, np.asarray(cv2.imread(str(file)), np.uint8), START.points)
