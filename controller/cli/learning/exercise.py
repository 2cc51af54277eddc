"""``pointsman exercise``."""

import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from controller.app.eyes import Eyes
from controller.cli.matches import read_roll
from controller.cli.options import (
    STANDARD_NAME,
    BoardFile,
    CameraSource,
    Frames,
    Language,
    Plies,
    ProfileName,
    need_level,
)
from controller.config.board import read_board_file
from controller.devices import CameraStatus, FilmFrame, LightFrame, StripOrder
from controller.devices.camera.camera import Frame, Wish
from controller.devices.camera.live import LiveCamera
from controller.devices.film import open_film
from controller.devices.lights.backends import FirmwareLights
from controller.devices.lights.palette import Dimming
from controller.devices.link.link import Link
from controller.errors import UserError
from controller.exercise import AskEngine, Exercise, Task, asker, practise
from controller.messages.device_words import status_words
from controller.messages.table_words import capital
from controller.rules import Side, from_xgid, load_profile
from controller.rules.forms.gnuid import from_gnu_id, is_gnu_id
from controller.telling.table import lamp_words
from controller.vision import Board

PICTURE_S = 0.5
"""How long a picture is waited for before time goes on without one."""
EngineChoice = Literal["auto", "gnubg", "bgsage", "none"]


def exercise(
    xgid: Annotated[str, typer.Argument(metavar="XGID", help="The position, with its dice; or a GNU id.")],
    board: BoardFile,
    frames: Frames = None,
    camera: CameraSource = None,
    dice: Annotated[
        str | None, typer.Option(metavar="ROLL", help="The roll, such as 31; else that of the XGID.")
    ] = None,
    hint: Annotated[
        int,
        typer.Option(
            metavar="0..3", help="0 nothing, 1 movable checkers, 2 landing points, 3 the best play."
        ),
    ] = 2,
    port: Annotated[
        str | None, typer.Option(help="Port of the electronics with the lights, or auto; else in words.")
    ] = None,
    engine: Annotated[EngineChoice, typer.Option(help="Who judges how good the play was.")] = "auto",
    plies: Plies = 0,
    profile: ProfileName = STANDARD_NAME,
    language: Language = "en",
) -> None:
    """Practise a position: set it up with the lights' help, play it, hear how good that was."""
    watched = WatchedBoard(board, frames, camera, port, language)
    need_level("--plies", plies)
    need_level("--hint", hint)
    task = _task(xgid, dice, profile, hint)
    practise_on(watched, task, None if engine == "none" else asker(engine, plies))


@dataclass(frozen=True, slots=True)
class WatchedBoard:
    """A board that is watched: its board file, a film or a camera, the lights' port, and the language of the texts.

    Raises:
        UserError: unless there is a film or a camera, and one of them only.
    """

    board: Path
    frames: Path | None
    camera: str | None
    port: str | None
    language: str

    def __post_init__(self) -> None:
        """Refuse a board that nobody watches, or two do."""
        if (self.frames is None) == (self.camera is None):
            raise UserError("The board is watched either in a film or live: give --frames or --camera.")


def practise_on(watched: WatchedBoard, task: Task, ask: AskEngine | None) -> Exercise:
    """Practise a position on a board; gives what came of it. What is to be said goes to standard output."""
    known, language = read_board_file(watched.board), watched.language
    with ExitStack() as stack:
        shown: _WrittenLights | FirmwareLights = _WrittenLights(language, task.state.on_roll)
        if watched.port is not None:
            shown = stack.enter_context(closing(_lamps(watched.port, known, str(watched.board), stack)))
        pictures = (
            open_film(watched.frames)
            if watched.frames is not None
            else _live(watched.camera or "auto", known, stack, language)
        )
        practised = Exercise(task, ask, shown.show, language)
        for line in practise(practised, Eyes(known), pictures):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return practised


def _task(xgid: str, dice: str | None, profile: str, hint: int) -> Task:
    if is_gnu_id(xgid):
        position, told = from_gnu_id(xgid)
        state = told.match_state()
    else:
        position, state = from_xgid(xgid)
    roll = state.roll if dice is None else read_roll(dice, f"--dice {dice}")
    if roll is None:
        raise UserError("The id holds no roll; give it with --dice, such as --dice 31.")
    return Task(position, state, roll, load_profile(profile), hint)


class _WrittenLights:
    """What lamps would show, in words: each point by its number as the player counts."""

    def __init__(self, language: str, viewer: Side) -> None:
        self._language, self._viewer = language, viewer
        self._last = LightFrame()

    def show(self, frame: LightFrame) -> None:
        if frame != self._last:
            self._last = frame
            told = [capital(words) for _, words in lamp_words(frame, self._language, self._viewer)]
            sys.stderr.write("".join(f"  {each}.\n" for each in told))


def _lamps(port: str, board: Board, name: str, stack: ExitStack) -> FirmwareLights:
    order = StripOrder.as_delivered() if board.lights is None else StripOrder.of_table(board.lights, name)
    link = Link(port, host_session=secrets.randbelow(2**32 - 1) + 1, deliver=lambda _: None)
    return FirmwareLights(stack.enter_context(link), order, Dimming())


def _live(source: str, board: Board, stack: ExitStack, language: str) -> Iterator[FilmFrame]:
    size = (board.camera.width, board.camera.height)
    wish = Wish(source, size, lens_position=board.lens_position)
    return _shots(stack.enter_context(LiveCamera(wish, tell=partial(_say, language=language))))


def _shots(camera: LiveCamera) -> Iterator[FilmFrame]:
    """The pictures of a camera for ever; while none comes time goes on with the last one."""
    last: Frame | None = None
    late_s = 0.0
    while True:
        shot = camera.read(PICTURE_S)
        last, late_s = (last, late_s + PICTURE_S) if shot is None else (shot, 0.0)
        if last is not None:
            yield FilmFrame(last.number, f"picture {last.number}", last.t_s + late_s, last.picture)


def _say(status: CameraStatus, language: str) -> None:
    sys.stderr.write(status_words(status)(language) + "\n")
