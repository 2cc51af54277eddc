"""``pointsman run``: the referee at a real table."""

import signal
import threading
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import typer

from controller.app.live import LiveTable
from controller.app.opening import open_table
from controller.cli.boards import read_board_file
from controller.cli.output import put
from controller.config import load_config
from controller.record.table.sequence import discard_if_blank


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

    Ctrl-C stops; run it again to resume. A terminal that is closed stops it, too, and nothing is lost.
    """
    known = load_config(config)
    stop = threading.Event()
    tables: list[LiveTable] = []

    def end(_: int, __: FrameType | None) -> None:
        stop.set()
        for table in tables:
            table.wake()

    before = {number: signal.signal(number, end) for number in _ENDING}
    try:
        tables.append(open_table(known, read_board_file(known.board_file()), _say, new=new))
        tables[0].run(stop)
        path = tables[0].path
        blank = discard_if_blank(path)
        with suppress(OSError, ValueError):
            put("Nothing was played, so no match was kept." if blank else f"The match lies in {path}.")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, `kill`, and a terminal that was closed."""


def _say(text: str) -> None:
    put(text.removesuffix("\n"))
