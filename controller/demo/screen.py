"""The table on a terminal: board, lights, score, cube, dice, and what the device says."""

from collections import deque
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from controller.demo.show import Show
from controller.devices.lights.backends import as_text
from controller.record.files.textboard import diagram
from controller.referee.actions import Action
from controller.telling import lines

KEPT: Final = 12
"""Lines of the transcript that are shown."""
SPACING_S: Final = 0.1


class DemoScreen:
    """Draws a show again and again; used in a ``with`` block through `live`."""

    def __init__(self, language: str) -> None:
        """``language`` is that of the texts."""
        self.live = Live(auto_refresh=False, screen=False)
        self._language = language
        self._told: deque[str] = deque(maxlen=KEPT)
        self._drawn_t = float("-inf")

    def tell(self, action: Action) -> None:
        """One more action of the referee."""
        self._told.extend(lines(action, self._language))

    def attend(self, show: Show) -> None:
        """Draw the table if it is time to."""
        if show.t - self._drawn_t < SPACING_S:
            return
        self._drawn_t = show.t
        known = show.desk.table
        score, cube = known.match.score, known.match.game.cube
        owner = "-" if cube.owner is None else str(cube.owner)
        dice = "-" if show.dice is None else "-".join(map(str, show.dice))
        turn = "" if known.on_turn is None else f" {known.on_turn}"
        head = (
            f"{known.phase}{turn}   {score.light} : {score.dark}   cube {cube.value} ({owner})   dice {dice}"
        )
        lights = Text.from_ansi(as_text(show.probe.frame, colours=True))
        board = Panel(Text(diagram(show.table.position())), title="what lies there", expand=False)
        self.live.update(Group(Text(head), board, lights, Text("\n".join(self._told))), refresh=True)
