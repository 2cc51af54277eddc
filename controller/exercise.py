"""A position to practise: it is set up with the lights' help, played, and judged.

The table's own referee does the work: the exercise is a table that is to be rebuilt to the position, at which one
roll is thrown, and whose turn ends when the board lies at rest.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from controller.analysis.advice import Advice, EngineName, advise
from controller.analysis.engine import EngineError
from controller.app.eyes import Eyes
from controller.app.timeline import timeline
from controller.devices import Button, FilmFrame, LightFrame
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.messages.sight_words import unread_words
from controller.messages.table_words import capital, side_words
from controller.referee import (
    Action,
    DiceFrom,
    Event,
    Flagged,
    Message,
    Phase,
    Pressed,
    RollReported,
    Settings,
    Table,
    Told,
    TurnJudged,
    begin,
    step,
)
from controller.referee.actions import BestPlayWanted, Lit
from controller.referee.belief.branches import first_beam
from controller.referee.belief.decision import Outcome
from controller.referee.events import BestPlayFound, FrameSeen, Ticked
from controller.referee.table.closing import judge_turn
from controller.referee.table.lamps import BEST
from controller.referee.table.settings import End
from controller.referee.table.state import at_rest
from controller.rules import Position, Profile, Roll, Terms
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import STANDARD
from controller.rules.profile.conduct import DeviceRole, Leds
from controller.rules.profile.profile import MatchKind
from controller.telling.table import told_text, verdict_text

REST_S: Final = 3.0
"""How long the board lies at rest when a play is done; one that is not legal twice as long."""
BEGUN_S: Final = 30.0
"""How long the board lies at rest when a play of which a part is missing is taken for all that the player wants.
Chosen: nobody has counted how long players think in the middle of a play."""
UNREAD_S: Final = 3.0
"""How long a board cannot be read before that is told: pictures that a hand spoils come and go. Chosen."""
TELLING: Final = frozenset({Message.LOOK, Message.NOTHING_MOVED, Message.PLAY_AGAIN, Message.SET_UP_WRONG})
"""Messages of the referee that mean something here."""
EQUAL: Final = 0.0005
"""Points of equity below which two plays are equally good."""

AskEngine = Callable[[Position, MatchState], Advice]
"""Asks an engine; raises EngineError."""


class ExerciseError(UserError):
    """A position that cannot be practised."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be played.

    Attributes:
        position: how the checkers stand before.
        state: whose roll it is, cube and score.
        roll: the roll; None where the position is only set up, and asked about otherwise.
        rules: by which it is judged.
        hint: how much is shown meanwhile: 0 nothing, 1 movable checkers, 2 landing points, 3 the best play.
    """

    position: Position
    state: MatchState
    roll: Roll | None
    rules: Profile
    hint: int = 0

    def __post_init__(self) -> None:
        """Raises ExerciseError for a position in which the game is over."""
        side = self.state.on_roll
        if not self.position.pips(side) or not self.position.pips(side.opponent):
            raise ExerciseError(
                "The game is over in this position; give one in which both sides have checkers."
            )


class Exercise:
    """One position being practised. Feed it events; what it says comes out as sentences.

    Attributes:
        table: what the referee knows.
        set_up: whether the position lay on the board.
        result: the legal play that was made, once one was.
        done: whether there is nothing more to do.
    """

    def __init__(
        self,
        task: Task,
        ask: AskEngine | None,
        show: Callable[[LightFrame], object] = lambda _: None,
        language: str = "en",
    ) -> None:
        """``ask`` is None without an engine; ``show`` is given the lights. Raises LanguageError."""
        self.task, self.table = task, table_of(task)
        self._state = replace(task.state, roll=task.roll)
        self.result: TurnJudged | None = None
        self.set_up = self.done = False
        self._ask, self._show, self._language = ask, show, language
        self._judged_t: float | None = None
        self._unread: FrameSeen | None = None
        self._told_fault: str | None = None
        self._texts = catalogue(language)

    def begin(self) -> str:
        """What to do first."""
        return self._texts.text("exercise", "set_up")

    def put(self, event: Event) -> Iterator[str]:
        """Something happened; gives what is to be said about it."""
        yield from self._see(event)
        yield from self._put(event)
        if isinstance(event, Ticked) and self._is_begun_for_long():
            yield from self._put(Pressed(self.table.t, Button.DONE))

    def _put(self, event: Event) -> Iterator[str]:
        waiting = [event]
        while waiting and not self.done:
            self.table, actions = step(self.table, waiting.pop(0))
            for action in actions:
                yield from self._say(action)
            waiting += [answer for action in actions for answer in self._answers(action)]

    def give_up(self) -> Iterator[str]:
        """There will be no more pictures: the turn is over as the board was seen last."""
        for phase in (Phase.MOVING, Phase.TURN_ENDED):
            if self.table.phase is phase:
                yield from self._put(Pressed(self.table.t, Button.DONE))
        if not self.done:
            yield self._texts.text("exercise", "unseen")

    def _see(self, event: Event) -> Iterator[str]:
        """A board that cannot be read for a while is told of, once for each cause."""
        if isinstance(event, FrameSeen):
            if event.reading.recognised:
                self._unread = self._told_fault = None
            elif self._unread is None or self._unread.reading.fault != event.reading.fault:
                self._unread = event
        unread = self._unread
        if unread is None or event.t - unread.t < UNREAD_S or self._told_fault == unread.reading.fault:
            return
        self._told_fault = unread.reading.fault
        yield unread_words(unread.reading, self._language)

    def _is_begun_for_long(self) -> bool:
        """Whether a part of the play has lain there for so long that whoever plays waits for what is said; once."""
        table = self.table
        if table.phase is not Phase.MOVING or not at_rest(table):
            return False
        since = table.views[-1].resumed_t
        if table.t - since < BEGUN_S or self._judged_t == since:
            return False
        self._judged_t = since
        verdict = judge_turn(table)
        return verdict is not None and verdict.outcome is not Outcome.IDLE

    def _say(self, action: Action) -> Iterator[str]:
        match action:
            case Lit(frame=frame):
                self._show(frame)
            case Told(message=Message.GOES_ON):
                self.set_up, self.done = True, self.task.roll is None
                yield self._texts.text("exercise", "set_up_right")
                if self.task.roll is not None:
                    yield self._text("play", roll=self.task.roll)
            case Told(message=Message.NO_PLAY):
                self.done = True
                yield self._text("no_play", roll=self.task.roll)
            case Told(message=message) if message in TELLING:
                yield told_text(action, self._language, viewer=self.task.state.on_roll)
            case Flagged(turn=turn):
                yield f"{verdict_text(turn, self._language, back=True)} {self._texts.text('exercise', 'again')}"
            case TurnJudged(legal=True) if not self.done:
                yield from self._conclude(action)

    def _answers(self, action: Action) -> Iterator[Event]:
        """What happens because of an action: the roll is thrown, the engine names its play."""
        match action:
            case Told(message=Message.GOES_ON) if self.task.roll is not None:
                yield RollReported(self.table.t, self.task.roll.dice)
            case BestPlayWanted(t=t, ply=ply) if self._ask is not None and self.table.hint >= BEST:
                try:
                    yield BestPlayFound(t, ply, self._ask(self.task.position, self._state).best.after)
                except EngineError:
                    return

    def _conclude(self, turn: TurnJudged) -> Iterator[str]:
        self.result, self.done = turn, True
        yield f"{verdict_text(turn, self._language)} {self._rate(turn)}".rstrip()

    def _rate(self, turn: TurnJudged) -> str:
        """How good a legal play was, as far as an engine can tell."""
        if self._ask is None:
            return ""
        if self.task.rules.movement != STANDARD:
            return self._texts.text("heading", "engines")
        try:
            advice = self._ask(turn.before, self._state)
        except EngineError as error:
            return self._text("unrated", why=error)
        loss = advice.loss(turn.after)
        if loss is None or loss < EQUAL:
            return self._text("best") if loss is not None else ""
        return self._text("loss", loss=f"{loss:.3f}", best=advice.best.text)

    def _text(self, entry: str, **arguments: object) -> str:
        side = side_words(self.task.state.on_roll, self._language)
        return capital(self._texts.text("exercise", entry, side=side, **arguments))


def practise(exercise: Exercise, eyes: Eyes, frames: Iterable[FilmFrame]) -> Iterator[str]:
    """Follow pictures until the exercise is done or they end; gives what is to be said, line by line."""
    yield exercise.begin()
    for event, _ in timeline(frames, eyes):
        yield from exercise.put(event)
        if exercise.done:
            return
    yield from exercise.give_up()


def asker(engine: EngineName, plies: int = 0) -> AskEngine:
    """Asks this engine, which looks ``plies`` plies ahead."""
    return lambda position, state: advise(position, state, engine, plies)


def table_of(task: Task) -> Table:
    """A table at which the position is to be laid out; then the side whose roll it is rolls."""
    conduct = replace(task.rules.conduct, leds=Leds.TEACH, device_role=DeviceRole.TEACHER)
    rules = replace(task.rules, conduct=conduct)
    terms = Terms.match(rules, 1) if rules.match.kind is MatchKind.MATCH else Terms.money(rules)
    settings = Settings(
        terms, dice=DiceFrom.ELECTRONIC, ends=frozenset({End.REST}), rest_s=REST_S, hint=task.hint
    )
    table, side = begin(settings), task.state.on_roll
    game = replace(table.match.game, position=task.position, turn=side)
    return replace(
        table,
        match=replace(table.match, game=game),
        target=task.position,
        back=(Phase.TO_ROLL,),
        beam=first_beam(task.position, side),
    )
