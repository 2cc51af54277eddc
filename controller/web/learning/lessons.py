"""What a player learns on a page: positions to practise, the best plays after one's own, the mistakes of a match."""

from dataclasses import dataclass, replace
from typing import Final

from controller.analysis import bgsage, gnubg
from controller.analysis.advice import Advice, advise
from controller.analysis.answers import Answers, answers_path
from controller.analysis.engine import BLUNDER, Analysis, EngineError, PlayDecision, Progress
from controller.analysis.why.explaining import PlayMade, play_reason
from controller.analysis.wording import AnalysisWords, score_words
from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import PLACES, Place
from controller.errors import UserError
from controller.messages.game_words import offence_words
from controller.record import MatchRecord
from controller.record.journal.journal import Json
from controller.record.match.corrections import after_play
from controller.record.match.playthrough import Moment, moment_state
from controller.referee import Phase, TurnJudged
from controller.referee.table.coach import ways
from controller.referee.table.state import Table, conduct_of
from controller.rules import MovementRules, Play, Position, Roll, Side, format_play, from_xgid, judge_play
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import STANDARD
from controller.rules.notation import BAR, OFF
from controller.rules.position import Direction, side_point
from controller.telling.table import lamp_words
from controller.web.table_service import RoomState, RoomView

BEST: Final = 5
"""This many of the best plays are shown."""
MOST_MISTAKES: Final = 40
"""This many mistakes of a match are listed, the worst ones."""


class LessonError(UserError):
    """A position that cannot be practised, or a play that cannot be made in it."""


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """A position with a roll to be played."""

    position: Position
    state: MatchState
    roll: Roll

    @property
    def side(self) -> Side:
        """Who rolled."""
        return self.state.on_roll


def are_aids_allowed(view: RoomView) -> bool:
    """Whether a page may help a player: where no match is on, or its rules allow it."""
    table = view.referee
    if table is None or view.state is not RoomState.PLAYING or table.phase is Phase.MATCH_OVER:
        return True
    return conduct_of(table).shows_landing_points()


def aids_content(view: RoomView, language: str, viewer: Side) -> dict[str, Json]:
    """Whether aids are allowed, how much is shown, and what the lights show then: in words, and at which points."""
    table = view.referee
    allowed = are_aids_allowed(view)
    lit = table.lit if table is not None and allowed and table.hint else LightFrame()
    return {
        "allowed": allowed,
        "level": 0 if table is None or not allowed else table.hint,
        "text": [text for _, text in lamp_words(lit, language, viewer)],
        "points": [place for place in PLACES if isinstance(place, int) and lit[place] is not Signal.DARK],
    }


def lesson_place(text: str) -> LessonPlace:
    """The position of an XGID.

    Raises:
        LessonError: without dice, or with the game over.
        IdError: for a text that is none.
    """
    position, state = from_xgid(text)
    if state.roll is None:
        raise LessonError("This XGID has no dice; give one with a roll, such as 61 before the score.")
    if not all(position.pips(side) for side in Side):
        raise LessonError("The game is over in this position; give one in which both sides have checkers.")
    return LessonPlace(position, state, state.roll)


def place_of_turn(table: Table, turn: TurnJudged) -> LessonPlace:
    """The position before a turn of the match that is on."""
    state = moment_state(Moment(0, None, table.match))
    return LessonPlace(turn.before, replace(state, on_roll=turn.side, roll=turn.roll), turn.roll)


def place_content(place: LessonPlace, language: str) -> dict[str, Json]:
    """A position to practise as plain values."""
    state = place.state
    return {
        "position": place.position.compact(),
        "side": str(place.side),
        "dice": [*place.roll.dice],
        "cube": {
            "value": state.cube,
            "owner": state.owner and str(state.owner),
            "in_play": not state.crawford,
            "offer": None,
        },
        "text": score_words(state, language),
    }


def played_position(place: LessonPlace, play: str) -> Position:
    """The position after a play in notation. Raises UserError for what is none."""
    return after_play(place.position, place.side, play)


def landings_content(place: LessonPlace, play: str) -> dict[str, Json]:
    """Where each checker may go next in a play that is made as far as ``play`` says, as the mover counts.

    Nothing, where it cannot become a legal play. Raises UserError for what is no play.
    """
    return next_moves((place.position, place.side, place.roll), play, STANDARD)


def next_moves(rolled: tuple[Position, Side, Roll], play: str, rules: MovementRules) -> dict[str, Json]:
    """As `landings_content`, by the rules of any game."""
    position, side, _ = rolled
    found = ways(*rolled, rules)
    stage = found.stage(after_play(position, side, play, rules) if play else position)
    if stage is None:
        return {"moves": []}
    moves = [
        (_own_number(source, side, rules.direction), _own_number(target, side, rules.direction))
        for source in found.movable(stage)
        for target in found.landings(stage, source)
    ]
    return {"moves": [{"from": source, "to": target} for source, target in sorted(moves, reverse=True)]}


def _own_number(place: Place, side: Side, direction: Direction) -> int:
    if isinstance(place, int):
        return side_point(place, side, direction)
    return BAR if place.startswith("bar") else OFF


def answer_content(place: LessonPlace, after: Position, language: str, named: Play = ()) -> dict[str, Json]:
    """What an engine says of a play, the best ones with their numbers beside it; slow.

    What is said against an illegal one speaks of the moves that were ``named``, if they are known.

    Raises:
        EngineError: without an engine, or where there is nothing to choose.
    """
    verdict = judge_play(place.position, place.side, place.roll, named, after)
    if verdict.play is None:
        reasons: list[Json] = [*offence_words(verdict.reasons, language)]
        return {"legal": False, "reasons": reasons, "engine": None, "why": None, "played": None, "plays": []}
    advice = advise(place.position, place.state)
    return {
        "legal": True,
        "reasons": [],
        "engine": advice.engine,
        "why": _why(place, after, advice, language),
        "played": _candidate_content(format_play(verdict.play), after, advice),
        "plays": [_candidate_content(each.text, each.after, advice) for each in advice.plays[:BEST]],
    }


def _why(place: LessonPlace, after: Position, advice: Advice, language: str) -> str | None:
    """One sentence why a play is good, or what the best one does better."""
    plays = [(each.after, advice.best.equity - each.equity) for each in advice.plays]
    return play_reason(PlayMade(place.position, place.side, place.roll, after), plays, language)


def analysed(record: MatchRecord, progress: Progress) -> Analysis:
    """What an engine says of a match; slow. Raises EngineError."""
    with Answers(answers_path()) as answers:
        try:
            return gnubg.analyse(record, progress, 0, answers)
        except EngineError:
            return bgsage.analyse(record, progress, 0)


def mistakes_content(
    record: MatchRecord, found: Analysis, side: Side | None, language: str
) -> dict[str, Json]:
    """The mistakes of one side, or of both, as plain values, the worst first."""
    words = AnalysisWords(record, found, language)
    listed: list[Json] = []
    for each in [one for one in found.mistakes if side in (None, one.player)][:MOST_MISTAKES]:
        plays = isinstance(each, PlayDecision)
        listed.append(
            {
                "game": each.game,
                "ply": each.ply,
                "player": str(each.player),
                "name": words.names[each.player],
                "where": words.where(each),
                "what": words.what(each),
                "made": words.made(each),
                "loss": round(each.loss, 3),
                "blunder": each.loss >= BLUNDER,
                "position": each.before.compact(),
                "after": each.played.after.compact() if isinstance(each, PlayDecision) else None,
                "best": each.best[0].after.compact() if isinstance(each, PlayDecision) else None,
                "dice": [*each.state.roll.dice] if plays and each.state.roll is not None else None,
                "options": [
                    {"text": line.text, "equity": line.equity, "gap": line.gap, "mark": line.mark}
                    for line in words.options(each)
                ],
            }
        )
    return {"notes": [*words.notes()], "mistakes": listed}


def _candidate_content(text: str, after: Position, advice: Advice) -> dict[str, Json]:
    loss = advice.loss(after)
    equity = None if loss is None else advice.best.equity - loss
    return {
        "text": text,
        "position": after.compact(),
        "equity": None if equity is None else round(equity, 3),
        "loss": None if loss is None else round(loss, 3),
    }
