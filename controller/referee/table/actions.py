"""What is to be done about it. Sentences are made at the edge, from codes with arguments.

Turns, doubts, void rolls, lost pictures and what befalls board and light are the actions of a film
(`controller.referee.actions`); a `TurnJudged` with the ply of an earlier one takes its place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from controller.devices.lights.frame import LightFrame
from controller.referee.actions import CubeUnclear, DiceVoid, FrameSkipped, Surrounding, TurnJudged, Unsure
from controller.referee.table.phase import Phase
from controller.rules import events as ruled
from controller.rules.conduct import Party
from controller.rules.match import Score
from controller.rules.position import Position, Side
from controller.rules.reasons import Argument
from controller.rules.result import Result


class Message(StrEnum):
    """What the device says, beside verdicts. The catalogues have a sentence for each, under ``table``."""

    SET_UP = "set_up"
    """Lay the checkers out: ``points`` differ."""
    SET_UP_RIGHT = "set_up_right"
    SET_UP_WRONG = "set_up_wrong"
    """A roll came before the checkers stood rightly; it does not count: ``points`` differ."""
    ROLL_TO_START = "roll_to_start"
    TIE = "tie"
    STARTS = "starts"
    """``side`` starts with ``dice``."""
    TO_ROLL = "to_roll"
    NO_PLAY = "no_play"
    """``side`` cannot move."""
    LOOK = "look"
    """The play is not certain: look at ``points``."""
    PUT_BACK = "put_back"
    """The play is to be corrected; see the verdict."""
    CHOOSE = "choose"
    """``side`` may let the illegal play stand or have it corrected."""
    STANDS = "stands"
    PLAY_AGAIN = "play_again"
    """The checkers are back where they were; ``side`` plays its roll again."""
    MOVED_OUT_OF_TURN = "moved_out_of_turn"
    """Checkers were moved at ``points``, which belongs to no play; they have lain so for ``since_s`` seconds."""
    ROLL_NOT_DUE = "roll_not_due"
    """A roll that nobody was to make, and does not count."""
    ROLL_TOO_EARLY = "roll_too_early"
    """Rolled ``dice`` before the turn of ``side`` was over: it does not count, or with ``ask`` that side decides."""
    ROLL_BEFORE_ANSWER = "roll_before_answer"
    COCKED = "cocked"
    """A die leans: the roll ``dice`` of ``side`` is void and is to be rolled again."""
    ROLLED_AGAIN = "rolled_again"
    """``side`` had rolled ``first`` and rolled ``dice``, although nothing was wrong with the first roll."""
    PASSES = "passes"
    """``side`` cannot enter with any number, and leaves its turn to the other without rolling."""
    NOTHING_MOVED = "nothing_moved"
    NOT_YOUR_CLOCK = "not_your_clock"
    ANSWER_IS_OTHERS = "answer_is_others"
    """The answer belongs to ``side``: it presses a button of its own, or somebody says so in its name."""
    CONSENT_ASKED = "consent_asked"
    """Before the match: may the device tell both players of illegal plays?"""
    DOUBLES = "doubles"
    """``side`` doubles to ``value``."""
    BEAVERS = "beavers"
    TAKES = "takes"
    DROPS = "drops"
    CUBE_MOVED = "cube_moved"
    """The cube lies with ``owner`` and shows ``value``, but nobody doubled: what was agreed?"""
    RESIGNS = "resigns"
    RESIGNATION_REFUSED = "resignation_refused"
    REFUSED = "refused"
    """The rules do not allow it now: ``code`` and its arguments, as in `rules.refusal`."""
    NOT_NOW = "not_now"
    """It makes no sense now."""
    NO_AIDS = "no_aids"
    """The rules of this match forbid aids."""
    PROFILE_FIXED = "profile_fixed"
    DISPUTE = "dispute"
    RULED = "ruled"
    PAUSED = "paused"
    GOES_ON = "goes_on"
    TIME_OVER = "time_over"
    DEVICE_GONE = "device_gone"
    DEVICE_BACK = "device_back"
    BOARD_OTHER = "board_other"
    """What is seen is not this position at all: ``points`` differ."""
    CHECKER_MISSING = "checker_missing"
    """``side`` has fewer than fifteen checkers in sight."""
    GAME_WON = "game_won"
    MATCH_WON = "match_won"
    RESUMED = "resumed"


@dataclass(frozen=True, slots=True)
class Told:
    """Something to say or to show on a screen, to these parties only."""

    t: float
    message: Message
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    to: frozenset[Party] = frozenset(Party)


@dataclass(frozen=True, slots=True)
class Flagged:
    """An illegal play was noticed and can still be corrected: for these parties to see, not yet for the record.

    What became of it comes as `TurnJudged`: put right (two of them with one ply), or left standing.
    """

    t: float
    turn: TurnJudged
    to: frozenset[Party]


@dataclass(frozen=True, slots=True)
class Acted:
    """Something the rules know happened beside the turns: an opening roll, the cube, a resignation, an award."""

    t: float
    event: ruled.Event


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A game begins from ``start``, with the score before it; its first turn has the number ``ply``."""

    t: float
    number: int
    start: Position
    score: Score
    ply: int = 0


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over."""

    t: float
    result: Result
    score: Score


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; ``winner`` is None when a money session just stops."""

    t: float
    winner: Side | None
    score: Score


@dataclass(frozen=True, slots=True)
class Lit:
    """The lights show this from now on."""

    frame: LightFrame


@dataclass(frozen=True, slots=True)
class PhaseBegun:
    """The table waits for something else now; ``on_turn`` is whom it concerns."""

    t: float
    phase: Phase
    on_turn: Side | None


@dataclass(frozen=True, slots=True)
class RollAllowed:
    """The electronic dice may be thrown once."""

    t: float


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """The clock of this side runs from now on; None: both stand."""

    t: float
    side: Side | None


@dataclass(frozen=True, slots=True)
class BestPlayWanted:
    """A learner is to be shown the best play of this roll; an engine may answer with `BestPlayFound`."""

    t: float
    ply: int
    position: Position
    side: Side
    dice: tuple[int, ...]


Action = (
    TurnJudged
    | Unsure
    | DiceVoid
    | FrameSkipped
    | Surrounding
    | CubeUnclear
    | Told
    | Flagged
    | Acted
    | GameOpened
    | GameEnded
    | MatchEnded
    | Lit
    | PhaseBegun
    | RollAllowed
    | ClockRuns
    | BestPlayWanted
)
