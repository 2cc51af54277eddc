"""``pointsman run``: the referee at a real table."""

import signal
import threading
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from controller.app.room import Room
from controller.cli.boards import read_board_file
from controller.cli.output import put
from controller.config import load_config


def run(
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="How the table is set up.", show_default="pointsman.toml in this folder"
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new match even if the last one was interrupted.")
    ] = False,
) -> None:
    """Referee a match at a real table; a match that was interrupted goes on.

    Ctrl-C stops; run it again to resume.
    """
    known = load_config(config)
    stop = threading.Event()

    board = read_board_file(known.board_file())
    room = Room(known, board, lambda text: put(text.removesuffix("\n")))

    def end(_: int, __: FrameType | None) -> None:
        stop.set()
        room.inbox.wake()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        room.open_match(new=new)
        room.run(stop)
    finally:
        room.close()
        for number, handler in before.items():
            signal.signal(number, handler)
