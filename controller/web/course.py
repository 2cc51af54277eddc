"""What a table told lately: the last plays, and the sentences told last."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Self

from controller.messages.device_words import LocalText
from controller.referee import Flagged, Message, Phase, Told, TurnJudged
from controller.referee.actions import (
    Acted,
    Candidate,
    GameEnded,
    GameOpened,
    MatchEnded,
    TurnAsked,
    TurnUndone,
    Unsure,
)
from controller.referee.table.state import Table, audience
from controller.rules import Party, Side
from controller.web.audience import Audience
from controller.web.table_service import News, RoomView

PLAYS: Final = 3
"""This many plays are shown."""
KEPT: Final = 12
"""This many are remembered: tries and plays that were corrected stand among them."""
LINES: Final = 12
"""This many things that were told make up the course of events."""
SILENT: Final = frozenset({Message.SET_UP_RIGHT, Message.RESUMED})
KEPT_S: Final = 60.0
"""How long a sentence of the program stays, if nothing else is said: it is about no moment of the game."""
Moment = tuple[object, ...]
"""What a table waits for and what was asked at it; another one once something has come of that."""


@dataclass(frozen=True, slots=True)
class RecentTurn:
    """A turn that was told.

    Attributes:
        game: the number of its game, from 1.
        turn: as it was judged, or flagged.
        to: those who may know that it was illegal; everybody may see a legal one, and one that nobody confirmed.
        sure: whether it was certain.
        open: whether it is flagged only, and can still be put right.
        candidates: what it may have been, the likeliest first, where nobody confirmed it and that is known.
    """

    game: int
    turn: TurnJudged
    to: frozenset[Party]
    sure: bool = True
    open: bool = False
    candidates: tuple[Candidate, ...] = ()

    @property
    def place(self) -> tuple[int, int]:
        """Its game and its ply."""
        return self.game, self.turn.ply

    def as_shown_to(self, audience: Audience) -> TurnJudged | None:
        """The turn as this audience sees it; None if nothing of it is.

        Those who may not know that a play is illegal see it as any legal one, and no try that was put right.
        """
        if self.turn.legal is not False or audience.hears(self.to, self.turn.side):
            return self.turn
        if not self.open and not self.turn.stands:
            return None
        return replace(self.turn, legal=True, stands=False, reasons=(), also=(), instead=None)


def moment_of(view: RoomView) -> Moment:
    """The moment that a table is in."""
    table = view.referee
    if table is None:
        return (view.state,)
    game, thrown = table.match.game, table.thrown
    roll = None if thrown is None else (thrown.roll, thrown.again)
    cube = (game.cube, game.offer, game.resignation, table.cube.shown)
    asked = (table.early, table.warned, table.consent)
    return (table.match.number, table.ply, table.phase, table.on_turn, roll, cube, asked)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that was told.

    Attributes:
        words: by the referee, or by the program.
        to: those whom it is for; what the program says is for everybody.
        mover: whose turn it was.
        moment: the moment of the table that a sentence of the referee is about.
        t_s: when it was told, seconds of the match.
    """

    words: LocalText | Told
    to: frozenset[Party] = field(default_factory=lambda: frozenset(Party))
    mover: Side | None = None
    moment: Moment = ()
    t_s: float = 0.0

    @property
    def silent(self) -> bool:
        """Whether it says nothing about what is to be done now, so that it does not stay on the page."""
        return isinstance(self.words, Told) and self.words.message in SILENT

    def holds(self, view: RoomView) -> bool:
        """Whether it still says something about how the table is."""
        if isinstance(self.words, Told):
            return self.moment == moment_of(view)
        return view.t_s < self.t_s + KEPT_S


@dataclass(frozen=True, slots=True)
class CourseLine:
    """Something that was told, at ``t_s`` seconds of the match."""

    t_s: float
    told: RecentTurn | Sentence


@dataclass(frozen=True, slots=True)
class PlayUndone:
    """A turn of a game, from 1, and all that followed it in this game were taken back."""

    game: int
    ply: int

    def left_of(self, turns: tuple[RecentTurn, ...]) -> tuple[RecentTurn, ...]:
        """The turns without those that were taken back."""
        return tuple(each for each in turns if each.game != self.game or each.turn.ply < self.ply)


@dataclass(frozen=True, slots=True)
class RecentDoubt:
    """What a turn of a game, from 1, may have been."""

    game: int
    ply: int
    candidates: tuple[Candidate, ...]

    def is_asked(self, table: Table) -> bool:
        """Whether the table asks about just this turn."""
        here = (self.game, self.ply) == (table.match.number, table.ply)
        return here and table.phase is Phase.TURN_ENDED


Occurrence = Acted | GameOpened | GameEnded | MatchEnded | PlayUndone | RecentDoubt


@dataclass(frozen=True, slots=True)
class RecentCourse:
    """What was told lately.

    Attributes:
        turns: the latest turn first; several of one ply where it was corrected.
        said: the sentences of the last news that had any, the last one last, for as long as they hold.
        lines: the course of events, the last one last.
        doubt: what the turn may have been that the table asks about.
    """

    turns: tuple[RecentTurn, ...] = ()
    said: tuple[Sentence, ...] = ()
    lines: tuple[CourseLine, ...] = ()
    doubt: RecentDoubt | None = None

    @classmethod
    def from_view(cls, view: RoomView) -> Self:
        """What can still be told of a table that has been playing for a while."""
        table = view.referee
        if table is None:
            return cls()
        ended = [closing for closing in table.closings if closing.turn is not None]
        to, game = audience(table), table.match.number
        return cls(
            tuple(
                RecentTurn(game, closing.turn, to, closing.sure, closing.open)
                for closing in reversed(ended)
                if closing.turn is not None
            )
        )

    def after(self, news: News) -> Self:
        """What was told lately, once this was told, too."""
        told = tuple(told_in(self, news))
        # Which plays a correction has changed is not told; the record knows.
        turns = () if corrects(news) else self.turns
        doubt = next((each for each in reversed(told) if isinstance(each, RecentDoubt)), self.doubt)
        table = news.view.referee
        if doubt is not None and (table is None or not doubt.is_asked(table)):
            doubt = None
        for each in told:
            if isinstance(each, RecentTurn):
                turns = (each, *(old for old in turns if not (old.open and old.place == each.place)))
            elif isinstance(each, PlayUndone):
                turns = each.left_of(turns)
        t, moment = news.view.t_s, moment_of(news.view)
        said = tuple(
            replace(each, moment=moment, t_s=t)
            for each in told
            if isinstance(each, Sentence) and not each.silent
        )
        kept = tuple(each for each in self.said if each.holds(news.view))
        lines = tuple(CourseLine(t, each) for each in told if isinstance(each, RecentTurn | Sentence))
        return type(self)(turns[:KEPT], said or kept, (*self.lines, *lines)[-LINES:], doubt)

    def answers(self, table: Table) -> tuple[Candidate, ...]:
        """What the turn may have been about which a table asks the players now; those that have a notation."""
        if self.doubt is None or not self.doubt.is_asked(table):
            return ()
        return tuple(each for each in self.doubt.candidates if each.text)

    def plays(self, audience: Audience) -> tuple[RecentTurn, ...]:
        """The last plays as an audience sees them, the latest first and each ply once."""
        shown: dict[tuple[int, int], RecentTurn] = {}
        for each in self.turns:
            turn = each.as_shown_to(audience)
            if turn is not None and each.place not in shown:
                shown[each.place] = replace(each, turn=turn)
        return tuple(shown.values())[:PLAYS]


def told_in(course: RecentCourse, news: News) -> Iterator[RecentTurn | Sentence | Occurrence]:
    """What news tell that follow on a course: turns, sentences, and what happened to cube, games and match."""
    table = news.view.referee
    if table is not None:
        known = {each.place: each.to for each in reversed(course.turns) if each.turn.legal is False}
        doubted = {action.ply: action.candidates for action in news.actions if isinstance(action, Unsure)}
        number, last = _first_game(news, table), frozenset(Party)
        for action in news.actions:
            match action:
                case GameOpened(number=opened):
                    number = opened
                    yield action
                case TurnJudged():
                    last = known.get((number, action.ply), audience(table))
                    told = doubted.get(action.ply, ()) or _asked_about(course, number, action.ply)
                    candidates = told if action.legal is None else ()
                    sure = action.ply not in doubted
                    yield RecentTurn(number, action, last, sure, candidates=candidates)
                case Unsure(ply=ply, candidates=candidates) | TurnAsked(ply=ply, candidates=candidates):
                    yield RecentDoubt(number, ply, candidates)
                case Flagged(turn=turn, to=to):
                    known[number, turn.ply] = to
                    yield RecentTurn(number, turn, to, open=True)
                case TurnUndone(ply=ply):
                    yield PlayUndone(number, ply)
                case Told(message=message, to=to):
                    yield Sentence(action, to & last if message is Message.STANDS else to, table.on_turn)
                case Acted() | GameEnded() | MatchEnded():
                    yield action
    for words in news.words:
        yield Sentence(words)


def _asked_about(course: RecentCourse, game: int, ply: int) -> tuple[Candidate, ...]:
    """What a turn may have been, if people were asked about it."""
    doubt = course.doubt
    return doubt.candidates if doubt is not None and (doubt.game, doubt.ply) == (game, ply) else ()


def corrects(news: News) -> bool:
    """Whether somebody has put the record right by hand."""
    return any(isinstance(each, Told) and each.message is Message.CORRECTED for each in news.actions)


def _first_game(news: News, table: Table) -> int:
    """The number of the game that the first of the news belong to."""
    ended = any(isinstance(action, GameEnded) for action in news.actions)
    return len(table.match.results) if ended else table.match.number
