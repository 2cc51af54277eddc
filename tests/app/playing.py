"""Two players at a live table, without pictures: what happens next follows from what the table waits for."""

from dataclasses import dataclass, field
from random import Random

from controller.devices.link.happenings import Button
from controller.referee.actions import Phase
from controller.referee.events import (
    BoardTrouble,
    BoardTroubled,
    ConsentGiven,
    DeviceChanged,
    Disputed,
    Event,
    FrameLost,
    FrameMoving,
    FrameSeen,
    GoOn,
    HintAsked,
    LetStand,
    Pause,
    Pressed,
    Rebuild,
    RollReported,
    Said,
    Ticked,
)
from controller.referee.table.state import Table
from controller.rules.game import events as ruled
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import Remedy
from tests.referee.staging import CHEATS, Film, cheated


@dataclass
class Players:
    """Plays at random. ``board`` is how the checkers really stand; the rest is how often things happen."""

    rng: Random
    t: float = 0.0
    board: Position = START
    cheats: float = 0.05
    doubles: float = 0.02
    resigns: float = 0.002
    talk: float = 0.03
    frame: int = 0
    film: Film = field(init=False)

    def __post_init__(self) -> None:
        self.film = Film(self.rng)

    def next(self, table: Table) -> list[Event]:
        """What happens now at a table that waits for this."""
        if table.phase is not Phase.MATCH_OVER and self.rng.random() < self.talk:
            return [self._talk()]
        match table.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                self.board = table.target or table.position
                return [self._moving(), self._seen(), self._seen()]
            case Phase.OPENING_ROLL:
                return [self._rolled()]
            case Phase.TO_ROLL:
                return self._to_roll(table)
            case Phase.MOVING:
                return self._play(table)
            case Phase.TURN_ENDED:
                return self._told_or_shown(table)
            case Phase.PUT_RIGHT:
                return self._put_right(table)
            case Phase.CUBE_OFFERED | Phase.RESIGNATION_OFFERED:
                taken = self.rng.random() < 0.7
                return [Pressed(self._later(), Button.TAKE if taken else Button.DROP)]
            case Phase.DISPUTE | Phase.PAUSED:
                return [GoOn(self._later())]
        return []

    def _to_roll(self, table: Table) -> list[Event]:
        if self.rng.random() < self.doubles:
            return [Pressed(self._later(), Button.DOUBLE)]
        side = table.match.game.turn
        if self.rng.random() < self.resigns and side is not None:
            return [Said(self._later(), ruled.Resigned(side, 1), str(side))]
        return [self._rolled()]

    def _play(self, table: Table) -> list[Event]:
        assert table.thrown is not None
        side, roll = table.thrown.side, table.thrown.roll
        after = self.rng.choice(legal_plays(table.position, side, roll)).after
        if self.rng.random() < self.cheats:
            after = self._cheat(table.position, side, roll) or after
        events: list[Event] = []
        if after != self.board:
            self.board = after
            events += [self._moving(), self._seen(), self._seen()]
        return [*events, Pressed(self._later(), Button.DONE)]

    def _told_or_shown(self, table: Table) -> list[Event]:
        """A turn that is not judged yet: the board is shown again, or somebody says how it stands."""
        if self.rng.random() < 0.5 or table.thrown is None:
            return [self._seen()]
        return [Said(self._later(), ruled.Played(table.thrown.side, self.board, None), "director")]

    def _cheat(self, position: Position, side: Side, roll: Roll) -> Position | None:
        return cheated(self.rng.choice(sorted(CHEATS)), position, side, roll, self.rng)

    def _put_right(self, table: Table) -> list[Event]:
        may = Remedy.LET_STAND in table.match.game.profile.conduct.remedies()
        if may and self.rng.random() < 0.5:
            return [LetStand(self._later())]
        self.board = table.position
        return [self._moving(), self._seen(), self._seen()]

    def _talk(self) -> Event:
        t = self._later()
        others: list[Event] = [
            Pause(t),
            Disputed(t),
            HintAsked(t, self.rng.randrange(4)),
            ConsentGiven(t, self.rng.random() < 0.5),
            Rebuild(t),
            Ticked(t),
            BoardTroubled(t, self.rng.choice([*BoardTrouble]), self.rng.randrange(4)),
            DeviceChanged(t, "camera", self.rng.random() < 0.5, "unplugged"),
            FrameLost(t, self.frame, "picture", "cut short"),
            RollReported(t, (self.rng.randint(1, 6), self.rng.randint(1, 6))),
            Pressed(t, self.rng.choice(list(Button))),
        ]
        return self.rng.choice(others)

    def _rolled(self) -> RollReported:
        return RollReported(self._later(), (self.rng.randint(1, 6), self.rng.randint(1, 6)))

    def _moving(self) -> FrameMoving:
        return FrameMoving(self._later(), self.frame)

    def _seen(self) -> FrameSeen:
        return FrameSeen(self._later(), self.frame, self.film.read(self.board))

    def _later(self) -> float:
        self.t += self.rng.uniform(0.1, 2.0)
        self.frame += 1
        return round(self.t, 3)
