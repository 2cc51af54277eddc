"""What was played: the value every match file is written from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from controller.errors import UserError
from controller.rules.notation import Play
from controller.rules.position import START, Position, Side
from controller.rules.reasons import Argument, Reason
from controller.rules.roll import Roll


class RecordError(UserError):
    """A record that no match can have."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished turn, or one try at it that had to be put right.

    An illegal play that was put right is followed by another turn with the same `ply`; one that was left
    standing has `stands` set and the game went on from its `after`. Where what followed shows that something
    else was played than was told, a later turn with the same `ply` takes the place of the first.

    Attributes:
        ply: the number of the turn in its game, from 0.
        player: whose turn it was.
        roll: the dice.
        play: the moves, empty if nothing could be moved, `None` if what was done is no play of this roll.
        text: the play as players write it, also where `play` is `None`.
        legal: the judge's verdict.
        reasons: the rules that were broken; empty if legal.
        stands: whether an illegal play was left standing.
        before: the confirmed position the turn began with.
        after: the position that was judged.
        frame: the number of the picture it was judged on, `None` if there is none.
        t: seconds since the film or the match began, when it was judged.
    """

    ply: int
    player: Side
    roll: Roll
    play: Play | None
    text: str
    legal: bool
    reasons: tuple[Reason, ...]
    stands: bool
    before: Position
    after: Position
    frame: int | None
    t: float

    @property
    def counts(self) -> bool:
        """Whether the game went on from this turn: it was legal, or illegal and left standing."""
        return self.legal or self.stands


@dataclass(frozen=True, slots=True)
class Note:
    """Something else worth recording between the turns, such as a bump of the board or void dice.

    Attributes:
        kind: one word, such as `bump`, `unsure`, `dice_void` or `light_changed`.
        frame: the number of the picture it was noticed on, `None` if it was not on a picture.
        t: seconds, as for a turn.
        arguments: plain values for JSON, without the names above.
    """

    kind: str
    frame: int | None
    t: float
    arguments: Mapping[str, Argument | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    `points` is what the winner scores, the cube counted in.

    Raises:
        RecordError: if the winner would score nothing.
    """

    winner: Side
    points: int

    def __post_init__(self) -> None:
        """Refuse a result without points."""
        if self.points < 1:
            raise RecordError(f"A won game scores {self.points} points, but must score at least 1.")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a match.

    Attributes:
        turns: every turn in the order it was finished, tries that were put right among them.
        start: the position it began with.
        light_score: points of light before this game.
        dark_score: points of dark before this game.
        result: how it ended, `None` if it was broken off.
    """

    turns: tuple[Turn, ...]
    start: Position = START
    light_score: int = 0
    dark_score: int = 0
    result: Result | None = None

    @property
    def played(self) -> Iterator[Turn]:
        """The turns that count: of each ply the last that was told, tries that were put right left out."""
        return iter({turn.ply: turn for turn in self.turns if turn.counts}.values())

    @property
    def end(self) -> Position:
        """The last position that the game reached."""
        position = self.start
        for turn in self.played:
            position = turn.after
        return position


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match or a money session.

    Attributes:
        light: the name of the player of the light checkers, as it is spelt; may be empty.
        dark: the name of the player of the dark checkers.
        length: points to play to, 0 for a money session.
        played_on: the day, `None` if it is not known.
        games: the games in their order.

    Raises:
        RecordError: if the length is negative.
    """

    light: str
    dark: str
    length: int
    played_on: date | None
    games: tuple[GameRecord, ...]

    def __post_init__(self) -> None:
        """Refuse a length that no match has."""
        if self.length < 0:
            raise RecordError(
                f"A match has {self.length} points, but must have 1 or more, or 0 for money play."
            )

    def name(self, side: Side) -> str:
        """The name of a side's player."""
        return self.light if side is Side.LIGHT else self.dark
