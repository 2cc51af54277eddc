"""What a game is recorded as: turns, the acts beside them (opening, cube, resignation, award), and notes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.errors import UserError
from controller.rules.game.events import Event, Played, TakenBack
from controller.rules.notation import Play
from controller.rules.position import Position, Roll, Side
from controller.rules.reasons import Argument, Reason


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
        roll: the dice. Where the rules let the starter play only his own die, both dice of the opening roll.
        play: the moves, empty if nothing could be moved, `None` if what was done is no play of this roll.
        text: the play as players write it, also where `play` is `None`.
        legal: the judge's verdict.
        reasons: the rules that were broken; empty if legal.
        stands: whether an illegal play was left standing.
        before: the confirmed position the turn began with.
        after: the position that was judged.
        frame: the number of the picture it was judged on, `None` if there is none.
        t: seconds since the film or the match began, when it was judged; `None` if no clock ran.
        utc: the time of day it was judged, ISO 8601 in UTC, `None` if it is not known.
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
    frame: int | None = None
    t: float | None = None
    utc: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the game went on from this turn: it was legal, or illegal and left standing."""
        return self.legal or self.stands


@dataclass(frozen=True, slots=True)
class Act:
    """Something done beside the turns that the rules know.

    Attributes:
        event: an opening roll (each tie is an act of its own), a double, take, pass, beaver or raccoon, a
            resignation and its answer, an award, a forfeit; a roll only where no turn followed it (the player
            resigned instead of playing, say) or it was voided.
        t: as for a turn.
        utc: as for a turn.

    Raises:
        RecordError: for a play, which is a `Turn`, or one that was taken back, which is a turn that was put
            right.
    """

    event: Event
    t: float | None = None
    utc: str | None = None

    def __post_init__(self) -> None:
        """Refuse what a turn tells."""
        if isinstance(self.event, Played | TakenBack):
            raise RecordError("A play is recorded as a turn, not as an act beside the turns.")


@dataclass(frozen=True, slots=True)
class Note:
    """Something else worth recording between the turns, such as a bump of the board or a director's ruling.

    Attributes:
        kind: one word, such as `bump`, `unsure`, `dice_void`, `light_changed` or `ruling`.
        frame: the number of the picture it was noticed on, `None` if it was not on a picture.
        t: seconds, as for a turn.
        arguments: plain values for JSON, without the names above.
    """

    kind: str
    frame: int | None
    t: float | None
    arguments: Mapping[str, Argument | float] = field(default_factory=dict)


Entry = Turn | Act | Note
