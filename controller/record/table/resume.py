"""Where a live table stood when its program ended, from the journal alone.

The referee is pure and its inputs are in the journal, so the running game is simply put through it again, from the
end of the game before. What comes of that must be what the journal says came of it at the time. If it is not, because
another version of the program judges differently or the director corrected something meanwhile, the record holds:
then the table stands where the record says.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.record.journal.journal import EventLog, JournalError, JournalEvent, Json
from controller.record.match.history import (
    ACT,
    CORRECTION,
    GAME,
    INPUT,
    RESULT,
    TABLE,
    TURN,
    UNDONE,
    history_of,
)
from controller.record.match.match import PASSES, Act, GameRecord, MatchRecord, Note
from controller.record.match.playthrough import by_game, moments
from controller.record.table.inputs import InputError, input_from, settings_from, start_from
from controller.record.table.table_log import contents_of
from controller.referee import Action, Phase, Table, begin
from controller.referee.belief.branches import first_beam
from controller.referee.events import Corrected, Resumed
from controller.referee.events import Event as Input
from controller.referee.seeing.cube_watch import CubeWatch, Shown
from controller.referee.table import machine
from controller.referee.table.state import Thrown
from controller.rules import Match, Roll, new_match
from controller.rules.game import game as ruled
from controller.rules.game.events import OpeningRoll

RefereeStep = Callable[[Table, Input], tuple[Table, tuple[Action, ...]]]
_Content = tuple[str, dict[str, Json]]

_CONFIRMED: Final = frozenset({GAME, TURN, ACT, RESULT, UNDONE})
"""Kinds of events that must come out of the inputs again."""
_ENDED: Final = frozenset({Phase.GAME_OVER, Phase.MATCH_OVER})
_PHASES: Final = {
    ruled.GamePhase.OPENING: Phase.OPENING_ROLL,
    ruled.GamePhase.TO_ROLL: Phase.TO_ROLL,
    ruled.GamePhase.TO_PLAY: Phase.MOVING,
    ruled.GamePhase.TO_NAME_DOUBLE: Phase.TO_ROLL,
    ruled.GamePhase.CUBE_OFFERED: Phase.CUBE_OFFERED,
    ruled.GamePhase.RESIGNATION_OFFERED: Phase.RESIGNATION_OFFERED,
}


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match that was played at a live table, as far as its table is to be followed.

    Attributes:
        journal: where it lies, for messages.
        name: the match in it.
        events: its events in their order; inputs from before the running game may be missing.
    """

    journal: EventLog
    name: str
    events: tuple[JournalEvent, ...]

    @classmethod
    def read(cls, journal: EventLog, name: str) -> "LiveMatch":
        """What is needed to know where it stands: all but the inputs of games that are over.

        Raises:
            JournalError: if the journal cannot be read, or the match was not played at a live table.
        """
        events = tuple(journal.events(name, without=INPUT))
        since = _last_end(events)
        if since is None:
            raise JournalError(
                f"The match {name!r} in {journal.path} was not played at a live table and cannot be resumed; "
                "begin a new match."
            )
        inputs = (event for event in journal.events(name, after=since.id) if event.kind == INPUT)
        return cls(journal, name, tuple(sorted((*events, *inputs), key=lambda event: event.id)))

    def table(self, step: RefereeStep = machine.step) -> Table:
        """Where the table stands after the last event."""
        end = _last_end(self.events)
        assert end is not None
        table, made, kept, follows = self._table_after_game(end), list[_Content](), list[_Content](), True
        told_rightly = True
        for number, event in enumerate(self.events):
            if event.id <= end.id:
                continue
            if event.kind in _CONFIRMED:
                kept.append((event.kind, _without_probability(event.payload)))
            elif event.kind == CORRECTION:
                told_rightly, follows = follows and made == kept, False
            elif event.kind == INPUT:
                happened = _read_input(event)
                if isinstance(happened, Corrected) and told_rightly:
                    table, _ = replace(self, events=self.events[:number]).corrected(table)
                    made, kept, follows = [], [], True
                elif isinstance(happened, Resumed | Corrected):
                    if not follows or made != kept:
                        table, _ = replace(self, events=self.events[:number])._table_of_record()
                    made, kept, follows, told_rightly = [], [], True, True
                if happened is None or not follows:
                    follows = False
                    continue
                table, actions = step(table, happened)
                made += _select_confirmed(actions)
        return table if follows and made == kept else self._table_of_record()[0]

    def corrected(self, table: Table) -> tuple[Table, bool]:
        """A table whose record was put right while it went on.

        Where that leaves the running game as it stands, the turn under way goes on. Else the table stands where the
        record says, and the checkers are to be laid out like that. Beside it: whether the running game is over by
        what was put right in it, and has no result yet.
        """
        standing, ended = self._table_of_record()
        return self._going_on(table, standing), ended

    def _going_on(self, table: Table, standing: Table) -> Table:
        """A table that went on while its record was put right, which has it stand elsewhere perhaps."""
        now, then = table.match.game, standing.match.game
        kept = replace(
            standing,
            t=table.t,
            views=table.views[-1:],
            environment=table.environment,
            hint=table.hint,
            consent=table.consent,
            clock=table.clock,
            lit=table.lit,
        )
        if standing.phase in _ENDED:
            return kept
        beam = first_beam(then.position, then.turn, standing.ply)
        if table.ply == standing.ply and now.position == then.position and now.turn is then.turn:
            game = replace(now, cube=then.cube, cube_in_play=then.cube_in_play, away=then.away)
            match = replace(standing.match, game=game)
            cube = table.cube if now.cube == then.cube else table.cube.after_agreement(table.t)
            return replace(table, match=match, beam=beam, closings=(), cube=cube, warned=())
        return replace(kept, phase=Phase.SET_UP, back=(standing.phase,), target=then.position)

    def _record(self, events: Sequence[JournalEvent]) -> MatchRecord:
        return history_of(tuple(events), self.journal, self.name).record()

    def _table_after_game(self, end: JournalEvent) -> Table:
        """The table at the end of a game, or before the first one."""
        record = self._record([event for event in self.events if event.id <= end.id])
        settings = settings_from(end.payload, record.terms)
        table = begin(settings, end.t or 0.0, start_from(end.payload))
        if not record.games:
            return table
        games = tuple(replace(game, entries=()) for game in record.games)
        match = _last(replace(record, games=games))
        if match.winner is not None:
            return _standing(table, _last(record), Phase.MATCH_OVER, 0)
        return _standing(table, match, Phase.GAME_OVER, 0)

    def _table_of_record(self) -> tuple[Table, bool]:
        """The table as the record has it, with nothing that only the inputs tell; and see `corrected`."""
        end = next(event for event in reversed(self.events) if event.kind == TABLE)
        t = max((event.t for event in self.events if event.t is not None), default=0.0)
        record = self._record(self.events)
        table = begin(settings_from(end.payload, record.terms), t)
        if not record.games:
            return table, False
        *_, played = by_game(moments(record))
        running, match = record.games[-1], played[-1].match
        ended = running.result is None and len(match.results) > len(played[0].match.results)
        if match.winner is not None:
            return _standing(table, match, Phase.MATCH_OVER, 0), ended
        if running.result is not None or ended:
            return _standing(table, match, Phase.GAME_OVER, 0), ended
        return _running(table, running, match, t), False


def _running(table: Table, running: GameRecord, match: Match, t: float) -> Table:
    """The table of a game that goes on."""
    table = _standing(table, match, _PHASES[match.game.phase], _next_ply(running))
    if table.phase is Phase.RESIGNATION_OFFERED:
        return replace(table, target=None, back=(Phase.TO_ROLL,))
    if table.phase is not Phase.MOVING or match.game.turn is None:
        return replace(table, target=None)
    high, low = match.game.dice
    acts = [entry.event for entry in running.entries if isinstance(entry, Act)]
    openings = [(act.light, act.dark) for act in acts if isinstance(act, OpeningRoll)]
    dice = openings[-1] if match.game.opening_dice else (high, low)
    return replace(table, target=None, thrown=Thrown(match.game.turn, Roll.from_dice(high, low), t, dice))


def _next_ply(running: GameRecord) -> int:
    """The number of the next turn of a game; a turn that was left without rolling has one, too."""
    plies = [turn.ply for turn in running.played]
    for entry in running.entries:
        if isinstance(entry, Note) and entry.kind == PASSES:
            ply = entry.arguments["ply"]
            assert isinstance(ply, int)
            plies.append(ply)
    return max(plies, default=-1) + 1


def _read_input(event: JournalEvent) -> Input | None:
    """The input of an event, ``None`` if this version cannot read it."""
    try:
        return input_from(event.payload)
    except InputError:
        return None


def _select_confirmed(actions: tuple[Action, ...]) -> list[_Content]:
    contents = [content for action in actions for content in contents_of(action)]
    return [(kind, _without_probability(payload)) for kind, payload, _ in contents if kind in _CONFIRMED]


def _without_probability(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The turns, however sure the referee was of them: journals of earlier versions do not say how sure."""
    return {name: value for name, value in payload.items() if name != "probability"}


def _last_end(events: Sequence[JournalEvent]) -> JournalEvent | None:
    """The last event of kind `table` that was written when no game was running."""
    end, running = None, False
    for event in events:
        if event.kind == GAME:
            running = True
        elif event.kind == RESULT:
            running = False
        elif event.kind == TABLE and not running:
            end = event
    return end


def _last(record: MatchRecord) -> Match:
    """The match as it stands at the end of a record."""
    match = new_match(record.terms)
    for moment in moments(record):
        match = moment.match
    return match


def _standing(table: Table, match: Match, phase: Phase, ply: int) -> Table:
    """The table with a match that stands like this, and nothing seen yet."""
    game = match.game
    return replace(
        table,
        match=match,
        phase=phase,
        ply=ply,
        beam=first_beam(game.position, game.turn, ply),
        target=game.position,
        cube=CubeWatch(Shown.due_for(game.cube)).after_agreement(table.t),
    )
