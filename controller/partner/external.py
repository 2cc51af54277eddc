"""An engine behind a socket that speaks the protocol of GNU Backgammon's external players.

GNU Backgammon itself answers so after its command `external HOST:PORT`, and so do engines that it plays against. A
position goes out as a line of the server FIBS (`board:...`), seen from the side that is asked; back comes a play such
as `8/5 6/5`, or `roll`, `double`, `take`, `drop`.
"""

import logging
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from controller.analysis.engine import EngineError
from controller.partner.mind import Mind, RuleOfThumb
from controller.record.match.corrections import CorrectionError, after_moves
from controller.rules import MovementRules, Position, Roll, Side, is_result, parse_play
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import STANDARD
from controller.rules.moves.plays import resolve
from controller.rules.notation import NotationError
from controller.rules.position import CHECKERS

_LOGGER: Final = logging.getLogger(__name__)
CONNECT_S: Final = 5.0
ANSWER_S: Final = 120.0
"""How long it may think: far above what gnubg takes at 2 plies, so that a slow machine is not cut short."""
LONGEST: Final = 4096
"""Bytes of an answer; one is shorter than 100."""
UNLIMITED: Final = 9999
"""What FIBS writes as the length of a money session."""
PASSES: Final = frozenset({"drop", "reject", "pass"})
TAKES: Final = frozenset({"take", "accept", "beaver", "redouble"})
PART: Final = 65_536


def fibs_board(position: Position, asked: Side, state: MatchState, *, doubled: bool = False) -> str:
    """A position as FIBS writes it, seen from ``asked``; ``doubled`` says that it is to answer a double.

    The numbers are the opponent's bar, the 24 points, the own bar; whose turn, dice, cube; and constants that say
    that the own checkers move down to 0.
    """
    facing = position if asked is Side.LIGHT else position.mirrored()
    mine, theirs = state.score if asked is Side.LIGHT else state.score[::-1]
    dice = (0, 0) if state.roll is None else state.roll.dice
    on_roll = state.on_roll is asked
    open_to = {side: state.owner in (None, side) and not state.crawford for side in Side}
    fields: list[object] = [
        "board", "You", "Opponent", state.length or UNLIMITED, mine, theirs,
        -facing.bar(Side.DARK), *facing.points, facing.bar(Side.LIGHT),
        1 if on_roll else -1, *(dice if on_roll else (0, 0)), *((0, 0) if on_roll else dice),
        state.cube, int(open_to[asked]), int(open_to[asked.opponent]), int(doubled),
        1, -1, 0, 25,
        facing.off(Side.LIGHT, CHECKERS), facing.off(Side.DARK, CHECKERS),
        facing.bar(Side.LIGHT), facing.bar(Side.DARK),
        0, 0, int(state.crawford), 0,
    ]  # fmt: skip
    return ":".join(map(str, fields))


@dataclass(slots=True)
class ExternalMind:
    """An engine behind a socket; where it cannot be asked, or answers nonsense, rules of thumb decide.

    Attributes:
        host: where it listens.
        port: at which port.
        answer_s: how long it may think.
        clock: seconds that never run backwards.
    """

    host: str
    port: int
    answer_s: float = ANSWER_S
    clock: Callable[[], float] = time.monotonic
    _line: "_Line | None" = None
    _else: Mind = field(default_factory=RuleOfThumb)

    def play(self, position: Position, state: MatchState, roll: Roll, rules: MovementRules) -> Position:
        """See `Mind`."""
        if rules == STANDARD:
            try:
                return self._played(position, replace(state, roll=roll), roll)
            except (EngineError, NotationError, CorrectionError) as error:
                _LOGGER.warning("The external engine made no play: %s", error)
        return self._else.play(position, state, roll, rules)

    def doubles(self, position: Position, state: MatchState) -> bool:
        """See `Mind`."""
        try:
            return (
                self._ask(fibs_board(position, state.on_roll, replace(state, roll=None), doubled=False))
                == "double"
            )
        except EngineError as error:
            _LOGGER.warning("The external engine said nothing of the cube: %s", error)
            return self._else.doubles(position, state)

    def takes(self, position: Position, state: MatchState) -> bool:
        """See `Mind`."""
        asked = state.on_roll.opponent
        try:
            said = self._ask(fibs_board(position, asked, replace(state, roll=None), doubled=True))
        except EngineError as error:
            _LOGGER.warning("The external engine said nothing of the double: %s", error)
            said = ""
        return said in TAKES if said in TAKES | PASSES else self._else.takes(position, state)

    def close(self) -> None:
        """See `Mind`."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _played(self, position: Position, state: MatchState, roll: Roll) -> Position:
        said = self._ask(fibs_board(position, state.on_roll, state, doubled=False))
        play = parse_play(said)
        after = after_moves(position, state.on_roll, play)
        if is_result(position, state.on_roll, roll, after):
            return after
        return resolve(position, state.on_roll, roll, play).after

    def _ask(self, board: str) -> str:
        """Its answer to a board, in small letters; a lost line is begun anew with the next question."""
        try:
            if self._line is None:
                self._line = _Line(self.host, self.port, self.answer_s, self.clock)
            return self._line.ask(board)
        except OSError as error:
            self.close()
            raise EngineError(f"The engine at {self.host}:{self.port} does not answer ({error}).") from None


class _Line:
    """A connection to an engine."""

    def __init__(self, host: str, port: int, answer_s: float, clock: Callable[[], float]) -> None:
        self._socket = socket.create_connection((host, port), CONNECT_S)
        self._answer_s, self._clock = answer_s, clock

    def ask(self, line: str) -> str:
        """Its answer to a line: a whole line of its own that came after it, and in time however slowly it comes."""
        self._pass_over()
        until = self._clock() + self._answer_s
        self._socket.settimeout(self._answer_s)
        self._socket.sendall((line + "\n").encode("ascii"))
        said = b""
        while b"\n" not in said:
            left = until - self._clock()
            if left <= 0:
                raise TimeoutError("timed out")
            self._socket.settimeout(left)
            part = self._socket.recv(PART)
            if not part:
                raise ConnectionError("it closed the line")
            said += part
            if len(said) > LONGEST:
                raise ConnectionError("it says more than an answer")
        first = said.partition(b"\n")[0].decode("ascii", "replace").strip().lower()
        if not first:
            raise ConnectionError("it said nothing")
        return first

    def _pass_over(self) -> None:
        """What it has said without being asked answers nothing."""
        self._socket.setblocking(False)
        try:
            if len(self._socket.recv(PART)) in (0, PART):
                raise ConnectionError("it closed the line, or speaks without end")
        except BlockingIOError:
            pass

    def close(self) -> None:
        self._socket.close()
