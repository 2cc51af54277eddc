"""A simulated table with its pages, and what people do at it: hands move checkers, all else is clicked."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controller.app.pages import RoomPages, open_pages
from controller.demo.preparing import Prepared
from controller.referee.actions import Phase
from controller.rules.position import Position, Side
from controller.simulation.boards.arranging import colour_of
from controller.simulation.tabletop.gestures import MoveAway, TurnCube
from tests.demo.seated import Seated, sitting_in
from tests.ports import free_port
from tests.web.walk.visitor import Visitor


@dataclass
class Evening:
    """A table, and the server of its pages, which may go and come back."""

    seated: Seated
    server: RoomPages

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server.port}"

    def close_pages(self) -> None:
        self.server.close()

    def open_pages_again(self) -> None:
        """At the same address."""
        section = replace(self.seated.room.config.web, port=self.server.port)
        self.server = open_pages(self.seated.room, section)

    def turn_cube(self, side: Side, value: int) -> None:
        """The cube is laid at the side that owns it."""
        self.seated.table.do(side, [TurnCube(value, colour_of(side)), MoveAway(0.3)])

    def lay(self, visitor: Visitor, after: Position) -> None:
        """The player on turn moves checkers until the board lies so; the page is told that it was played."""
        seated = self.seated
        side, before = seated.known.on_turn, (seated.known.phase, seated.known.ply)
        assert side is not None
        seated.table.move(side, after)
        seated.until(lambda: seated.table.at_rest)
        played = visitor.button(visitor.words("live", "choice", "done"))
        visitor.until(
            lambda: (seated.known.phase, seated.known.ply) != before,
            lambda: played.is_visible() and played.click(),
        )

    def roll(self, visitor: Visitor, first: int, second: int, choice: str = "roll") -> None:
        """A roll is entered at the page."""
        # A page that is behind closes what was opened for the turn before.
        die = visitor.button(visitor.words("page", "table", "die", value=first))
        visitor.until(die.is_visible, lambda: visitor.choose(choice))
        for value in (first, second):
            visitor.press(visitor.words("page", "table", "die", value=value))
        visitor.press(visitor.words("page", "table", "send"))
        self.seated.until_phase(Phase.MOVING)

    def say_played(self, visitor: Visitor, text: str) -> None:
        """A play is said at the page."""
        field = visitor.page.locator("#play-field")
        visitor.until(field.is_visible, lambda: visitor.choose("played"))
        visitor.page.fill("#play-field", text)
        visitor.press(visitor.words("page", "table", "send"))


@contextmanager
def evening(prepared: Prepared, folder: Path, **changes: Any) -> Iterator[Evening]:
    """A table whose pages are open."""
    with Seated(prepared, sitting_in(folder, port=0, **changes)) as seated:
        opened = Evening(seated, open_pages(seated.room, replace(seated.room.config.web, port=free_port())))
        try:
            yield opened
        finally:
            opened.close_pages()
