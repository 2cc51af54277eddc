"""What the referee tells: phases, verdicts, doubts, messages and lights; sentences are made at the edge."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from controller.devices import LightFrame
from controller.referee.events import Timed
from controller.rules import Party, Play, Position, Reason, Roll, Side
from controller.rules.game import events as ruled
from controller.rules.game.match import Score
from controller.rules.game.scoring import Result
from controller.rules.reasons import Argument
from controller.vision import Owner
from controller.vision.reading import Fault


class Phase(StrEnum):
    """The states of the referee; hardware_docs/referee.md has the table of what each event does in each."""

    SET_UP = "set_up"
    """The checkers are to be laid out: at the start of a game, or to rebuild a position."""
    OPENING_ROLL = "opening_roll"
    """One die each is to be rolled."""
    TO_ROLL = "to_roll"
    """The side on turn may double, or roll. The turn before can still be corrected until it does."""
    MOVING = "moving"
    """A roll is being played; checkers may be tried and taken back until the turn ends."""
    TURN_ENDED = "turn_ended"
    """The turn is over, but the board was not yet seen well enough to judge it."""
    PUT_RIGHT = "put_right"
    """An illegal play stands on the board and is to be corrected, or the opponent is to choose."""
    CUBE_OFFERED = "cube_offered"
    """A double, beaver or raccoon is to be answered."""
    RESIGNATION_OFFERED = "resignation_offered"
    """A resignation is to be answered."""
    DISPUTE = "dispute"
    """The players called for a ruling; nothing is judged until there is one."""
    PAUSED = "paused"
    """The clock stands and nothing is judged."""
    GAME_OVER = "game_over"
    """A game is won; the checkers are to be set up for the next one."""
    MATCH_OVER = "match_over"
    """The match, or the session, is over."""


@dataclass(frozen=True)
class TurnJudged:
    """A turn is over and judged.

    A legal turn carries its ``play``. One that is not certain is not confirmed: ``legal`` is None, ``after`` is the
    board as it was seen, and ``play`` or ``text`` say what was likeliest. An illegal one carries ``reasons``
    (``also`` those of explanations that are as simple), the change on the board in words of notation (``text``) and a
    legal play that would have been possible (``instead``); ``stands`` is true when the game goes on from it and false
    when it was put right (another ``TurnJudged`` with the same ``ply`` follows). ``frame`` is the last picture in
    which ``after`` was seen, ``t`` the time of the judgement. ``revises`` marks a turn that was told before and was
    something else in the light of what followed. ``probability`` is how sure the referee is of all that (0 to 1).
    """

    ply: int
    side: Side
    roll: Roll
    play: Play | None
    text: str
    legal: bool | None
    reasons: tuple[Reason, ...]
    also: tuple[Reason, ...]
    instead: Play | None
    stands: bool
    before: Position
    after: Position
    frame: int | None
    t: float
    revises: bool = False
    probability: float = 1.0


@dataclass(frozen=True)
class TurnUndone(Timed):
    """The turn ``ply`` of ``side`` was taken back, and all that came of it: the same ``roll`` is played again.

    The board is to stand at ``position`` again. ``by`` is whose word it was: ``players`` or ``director``.
    """

    ply: int
    side: Side
    roll: Roll
    position: Position
    by: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a turn that is not certain may have been.

    Attributes:
        text: in notation from the mover's side; empty where there is none for it.
        legal: whether it would be legal; None where even that is not known.
        after: the board that it leaves.
        probability: how probable it is, 0 to 1.
        side: whose turn it was; None where that is not told.
    """

    text: str
    legal: bool | None
    after: Position
    probability: float
    side: Side | None = None


@dataclass(frozen=True)
class Unsure(Timed):
    """The turn could not be told for certain: a person should look at these points (1..24).

    ``candidates`` are what it may have been, the likeliest first and three at most; none where they are not known.
    """

    frame: int | None
    ply: int
    points: tuple[int, ...]
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnAsked(Timed):
    """People are asked what a turn was before it counts; ``candidates`` are the answers, the likeliest first."""

    ply: int
    points: tuple[int, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class DiceVoid(Timed):
    """A roll that did not count: it was rolled again before anything moved."""

    roll: Roll


@dataclass(frozen=True)
class FrameSkipped(Timed):
    """A picture was lost; the game goes on without it."""

    frame: int
    name: str
    why: str


@dataclass(frozen=True)
class Bumped(Timed):
    """The board was pushed, or the camera moved, and it is followed from there.

    By ``shift_mm`` and ``turn_deg`` against where it stood before; ``x_mm`` and ``y_mm`` (nominal mm, board frame)
    are all pushes since the calibration together.
    """

    frame: int
    shift_mm: float
    turn_deg: float
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class LightChanged(Timed):
    """The light is another one: by these factors brighter than it was at the calibration."""

    frame: int
    red: float
    green: float
    blue: float


@dataclass(frozen=True)
class BoardLost(Timed):
    """The board cannot be read any more: it was moved too far to be followed, the camera was, or it is dark.

    ``fault`` is why, and ``shift_mm`` how far it stands off where that is known.
    """

    frame: int
    fault: Fault = "no_board"
    shift_mm: float = 0.0


@dataclass(frozen=True)
class BoardBack(Timed):
    """A board that was lost is seen again."""

    frame: int


@dataclass(frozen=True)
class Covered(Timed):
    """Something lies on the board that is no hand; what is on these ``points`` (1..24, light's) cannot be seen."""

    frame: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class CubeUnclear(Timed):
    """The cube lies differently, and no double that was taken explains how; a person should be asked."""

    frame: int
    owner: Owner
    value: int


EnvironmentChange = Bumped | LightChanged | BoardLost | BoardBack | Covered
Remark = Unsure | DiceVoid | FrameSkipped | EnvironmentChange | CubeUnclear


class Message(StrEnum):
    """What the device says, beside verdicts. The catalogues have a sentence for each, under ``table``."""

    SET_UP = "set_up"
    """Lay the checkers out: ``points`` differ."""
    BOARD_TURNED = "board_turned"
    """The checkers are set up, but as on a board that was turned by half a turn."""
    HOMES_MIRRORED = "homes_mirrored"
    """The checkers are set up, but with the home boards on the other side."""
    COLOURS_EXCHANGED = "colours_exchanged"
    """The checkers are set up, but each side's stand where the other's belong."""
    SET_UP_RIGHT = "set_up_right"
    SET_UP_WRONG = "set_up_wrong"
    """A roll came before the checkers stood rightly; it does not count: ``points`` differ."""
    ROLL_TO_START = "roll_to_start"
    TIE = "tie"
    STARTS = "starts"
    """``side`` starts with ``dice``."""
    TO_ROLL = "to_roll"
    NAME_DOUBLE = "name_double"
    """``side`` names the double that it plays next."""
    PLAYS_DOUBLE = "plays_double"
    """``side`` plays the double ``dice`` next, without a roll."""
    ROLLS_AGAIN = "rolls_again"
    """``side`` has played everything and rolls once more."""
    NO_PLAY = "no_play"
    """``side`` cannot move."""
    LOOK = "look"
    """The play is not certain: look at ``points``."""
    WHICH_ROLL = "which_roll"
    """The dice look like ``first``, but may show ``dice``: then the play is another one. Which roll was it?"""
    ANNOUNCED = "announced"
    """``side``, which an engine plays, plays ``play``: a person moves its checkers."""
    OTHER_PLAY = "other_play"
    """The engine of ``side`` plays ``play``, and the board shows another play: ``moves`` are still to be made."""
    PUT_BACK = "put_back"
    """The play is to be corrected; see the verdict."""
    CHOOSE = "choose"
    """``side`` may let the illegal play stand or have it corrected."""
    STANDS = "stands"
    PLAY_AGAIN = "play_again"
    """The checkers are back where they were; ``side`` plays its roll again."""
    UNDO_ASKED = "undo_asked"
    """``side`` asks to take back the last turn, in which ``player`` rolled ``dice``; ``other`` may agree to it."""
    UNDONE = "undone"
    """The last turn was taken back: ``side`` plays ``dice`` again."""
    MOVED_OUT_OF_TURN = "moved_out_of_turn"
    """Checkers were moved at ``points``, which belongs to no play; they have lain so for ``since_s`` seconds."""
    ROLL_NOT_DUE = "roll_not_due"
    """A roll that nobody was to make, and does not count."""
    ROLL_TOO_EARLY = "roll_too_early"
    """Rolled ``dice`` before the turn of ``side`` was over: it does not count, or with ``ask`` that side decides."""
    ROLL_BEFORE_ANSWER = "roll_before_answer"
    OTHER_DICE = "other_dice"
    """Rolled with the own dice of ``owner`` while ``side`` was to roll."""
    OPENING_DICE = "opening_dice"
    """Rolled with both dice of ``owner`` where each side was to roll one of its own."""
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
    CUBE_DUE = "cube_due"
    """The cube is yet to be laid as was agreed: with ``owner``, showing ``value``."""
    RESIGNS = "resigns"
    RESIGNATION_REFUSED = "resignation_refused"
    REFUSED = "refused"
    """The rules do not allow it now: ``code`` and its arguments, as in `rules.refusal`."""
    NOT_NOW = "not_now"
    """It makes no sense now; ``why`` is the `Cause`, or the `Phase` whose end the table waits for."""
    DIRECTOR_ONLY = "director_only"
    """A player said what only the director may say."""
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
    BOARD_TROUBLE = "board_trouble"
    """Something is the matter with the electronics: ``trouble``, ``count`` and ``why`` as in `BoardTroubled`."""
    OTHER_ASKED = "other_asked"
    """The other table is asked to do what was said here: the side that is to act sits there."""
    TOO_LATE = "too_late"
    """What one table asked of the other came too late there."""
    ROLL_AGAIN = "roll_again"
    """The roll that is awaited may have been lost."""
    BOARD_OTHER = "board_other"
    """What is seen is not this position at all: ``points`` differ."""
    CHECKER_MISSING = "checker_missing"
    """``side`` has fewer checkers in sight than it must have."""
    GAME_WON = "game_won"
    GAME_DRAWN = "game_drawn"
    """Nobody has won the game."""
    MATCH_WON = "match_won"
    RESUMED = "resumed"
    CORRECTED = "corrected"
    """The director put the record right."""


class Cause(StrEnum):
    """Why something makes no sense now, if not for the phase; the catalogues have a sentence under ``not_now``."""

    NOTHING_OFFERED = "nothing_offered"
    """There is no double, resignation or question to answer."""
    NOTHING_ILLEGAL = "nothing_illegal"
    """There is no illegal play to let stand."""
    NOTHING_TO_CORRECT = "nothing_to_correct"
    """There is no illegal play that could still be corrected."""
    NOTHING_TO_UNDO = "nothing_to_undo"
    """There is no play that could be taken back."""
    NO_ROLL = "no_roll"
    """No roll is being played."""
    NO_EARLY_ROLL = "no_early_roll"
    """No roll came before the end of a turn."""
    NOT_INTERRUPTED = "not_interrupted"
    """Play is going on already."""
    NO_SESSION = "no_session"
    """A match is not just stopped, as a session for money is."""
    OTHER_TABLE = "other_table"
    """It is for the side that plays at the other table."""
    BETWEEN_GAMES = "between_games"
    """A session is stopped between two games."""


@dataclass(frozen=True, slots=True)
class Told(Timed):
    """Something to say or to show on a screen, to these parties only."""

    message: Message
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    to: frozenset[Party] = frozenset(Party)


@dataclass(frozen=True, slots=True)
class Flagged(Timed):
    """An illegal play was noticed and can still be corrected: for these parties to see, not yet for the record.

    What became of it comes as `TurnJudged`: put right (two of them with one ply), or left standing.
    """

    turn: TurnJudged
    to: frozenset[Party]


@dataclass(frozen=True, slots=True)
class Acted(Timed):
    """Something the rules know happened beside the turns: an opening roll, the cube, a resignation, an award."""

    event: ruled.RulesEvent


@dataclass(frozen=True, slots=True)
class GameOpened(Timed):
    """A game begins from ``start``, with the score before it; its first turn has the number ``ply``."""

    number: int
    start: Position
    score: Score
    ply: int = 0


@dataclass(frozen=True, slots=True)
class GameEnded(Timed):
    """A game is over."""

    result: Result
    score: Score


@dataclass(frozen=True, slots=True)
class MatchEnded(Timed):
    """The match is over; ``winner`` is None when a money session just stops."""

    winner: Side | None
    score: Score


@dataclass(frozen=True, slots=True)
class Lit:
    """The lights show this from now on."""

    frame: LightFrame


@dataclass(frozen=True, slots=True)
class PhaseBegun(Timed):
    """The table waits for something else now; ``on_turn`` is whom it concerns."""

    phase: Phase
    on_turn: Side | None


@dataclass(frozen=True, slots=True)
class RollAllowed(Timed):
    """The electronic dice may be thrown once."""


@dataclass(frozen=True, slots=True)
class ClockRuns(Timed):
    """The clock of this side runs from now on; None: both stand."""

    side: Side | None


@dataclass(frozen=True, slots=True)
class BestPlayWanted(Timed):
    """A learner is to be shown the best play of this roll; an engine may answer with `BestPlayFound`."""

    ply: int
    position: Position
    side: Side
    dice: tuple[int, ...]


Action = (
    TurnJudged
    | Unsure
    | TurnAsked
    | DiceVoid
    | FrameSkipped
    | EnvironmentChange
    | CubeUnclear
    | TurnUndone
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
