"""What was played: turns, the acts beside them and notes, in games; the value every match file is written from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Self

from controller.errors import UserError
from controller.messages.game_words import result_words
from controller.rules import START, Ending, Form, Play, Position, Profile, Reason, Roll, Side, Terms
from controller.rules.game import scoring as ruled
from controller.rules.game.events import Played, RulesEvent, TakenBack
from controller.rules.profile.profile import STANDARD
from controller.rules.reasons import Argument


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
        roll: the dice. Where the rules let the starter play only their own die, both dice of the opening roll.
        play: the moves, empty if nothing could be moved, `None` if what was done is no play of this roll.
        text: the play as players write it, also where `play` is `None`.
        legal: the judge's verdict; None where nobody has confirmed what was played: `after` is the position as it was
            seen, `play` or `text` tell what is likeliest.
        reasons: the rules that were broken; empty if legal.
        stands: whether an illegal play was left standing.
        before: the confirmed position the turn began with.
        after: the position that was judged.
        frame: the number of the picture it was judged on, `None` if there is none.
        t: seconds since the film or the match began, when it was judged; `None` if no clock ran.
        utc: the time of day it was judged, ISO 8601 in UTC, `None` if it is not known.
        probability: how sure the referee was of it, 0 to 1; `None` if it is not known, as in other programs' files.
    """

    ply: int
    player: Side
    roll: Roll
    play: Play | None
    text: str
    legal: bool | None
    reasons: tuple[Reason, ...]
    stands: bool
    before: Position
    after: Position
    frame: int | None = None
    t: float | None = None
    utc: str | None = None
    probability: float | None = None

    @property
    def counts(self) -> bool:
        """Whether the game went on from this turn: it was no illegal play, or one that was left standing."""
        return self.legal is not False or self.stands


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

    event: RulesEvent
    t: float | None = None
    utc: str | None = None

    def __post_init__(self) -> None:
        """Refuse what a turn tells."""
        if isinstance(self.event, Played | TakenBack):
            raise RecordError("A play is recorded as a turn, not as an act beside the turns.")


NoteValue = Argument | float | list[dict[str, str | float | None]]
"""What a note tells under one name: a plain value for JSON."""


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
    arguments: Mapping[str, NoteValue] = field(default_factory=dict)


Entry = Turn | Act | Note
RULED: Final = "ruled"
"""The kind of the note of a live table that the director ruled how the board stands, and who rolls."""
PASSES: Final = "passes"
"""The kind of the note of a live table that a closed-out side left its turn to the other without rolling."""


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """How a game ended.

    Attributes:
        winner: who won it; of a drawn game who ended it.
        points: what the winner scores, the cube counted in; 0 only in a drawn game.
        ending: what ended it, `None` if that is not known.
        working: how the points come about, as players say it (`gammon 2 × cube 4 = 8`); empty if not known.

    Raises:
        RecordError: if the winner would score nothing.
    """

    winner: Side
    points: int
    ending: Ending | None = None
    working: str = ""

    def __post_init__(self) -> None:
        """Refuse a result without points."""
        if self.points < 1 and not self.is_drawn:
            raise RecordError(f"A won game scores {self.points} points, but must score at least 1.")

    @property
    def is_drawn(self) -> bool:
        """Whether nobody won."""
        return self.ending is Ending.DRAWN and self.points == 0

    @classmethod
    def from_result(cls, result: ruled.Result) -> Self:
        """The record of a result of the rules core."""
        return cls(result.winner, result.points, result.ending, result_words(result))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a match.

    Attributes:
        entries: everything in the order it happened, tries that were put right among them.
        start: the position it began with.
        light_score: points of light before this game.
        dark_score: points of dark before this game.
        result: how it ended, `None` if it was broken off.
    """

    entries: tuple[Entry, ...]
    start: Position = START
    light_score: int = 0
    dark_score: int = 0
    result: RecordedResult | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every turn in the order it was finished, tries that were put right among them."""
        return tuple(entry for entry in self.entries if isinstance(entry, Turn))

    @property
    def course(self) -> tuple[Turn | Act, ...]:
        """What makes up the game: its acts and the turns that count, in the order of the game.

        Of each ply it is the last turn that was told, in the place of the first; tries that were put right
        are left out.
        """
        return tuple(entry for entry in self.course_and_notes if not isinstance(entry, Note))

    @property
    def course_and_notes(self) -> tuple[Entry, ...]:
        """The course of the game, with what was noted in its place."""
        last = {turn.ply: turn for turn in self.turns if turn.counts}
        course: list[Entry] = []
        listed: set[int] = set()
        for entry in self.entries:
            if not isinstance(entry, Turn):
                course.append(entry)
            elif entry.counts and entry.ply not in listed:
                listed.add(entry.ply)
                course.append(last[entry.ply])
        return tuple(course)

    @property
    def played(self) -> Iterator[Turn]:
        """The turns that count: of each ply the last one, without tries that were put right."""
        return (entry for entry in self.course if isinstance(entry, Turn))

    @property
    def end(self) -> Position:
        """The last position that the game reached."""
        return [self.start, *(turn.after for turn in self.played)][-1]

    def score(self, side: Side) -> int:
        """The points of a side before this game."""
        return self.light_score if side is Side.LIGHT else self.dark_score


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about a match beside its games; an empty text is something that is not known.

    Attributes:
        played_on: the day.
        place: the club or the town.
        event: the tournament.
        round: such as `Final` or `3`.
        table: such as `Table 4`.
        transcriber: who or what wrote it down.
    """

    played_on: date | None = None
    place: str = ""
    event: str = ""
    round: str = ""
    table: str = ""
    transcriber: str = ""


MONEY: Terms = Terms(Form.MONEY, None, (STANDARD,))
"""Standard rules for single games, where nothing is known about what they are played for."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match, a money session or a series of games.

    Attributes:
        light: the name of the player of the light checkers, as it is spelt; may be empty.
        dark: the name of the player of the dark checkers.
        terms: what was agreed: form, length and the rules of the games.
        games: the games in their order.
        facts: when and where it was.
        remarks: sentences that came with the record and that nothing else in it tells; those about a turn
            begin with `Game 1, ply 5`.

    Raises:
        RecordError: if the terms name no rules, or a length that no match has.
    """

    light: str
    dark: str
    terms: Terms = MONEY
    games: tuple[GameRecord, ...] = ()
    facts: Facts = field(default_factory=Facts)
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse terms that no match has."""
        length = self.terms.length
        if not self.terms.profiles or (length is not None and length < 1):
            raise RecordError(
                f"A match has {length} points, but must have 1 or more, or none for money play, and rules."
            )

    @property
    def length(self) -> int:
        """The points to play to, 0 for a money session."""
        return self.terms.length or 0

    def name(self, side: Side) -> str:
        """The name of a side's player."""
        return self.light if side is Side.LIGHT else self.dark

    def profile(self, game: int) -> Profile:
        """The rules of a game, counted from 0."""
        return self.terms.profiles[game % len(self.terms.profiles)]
