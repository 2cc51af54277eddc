"""A recorded match played through the rules again: how it stood at each moment, and what the rules refuse."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final

from controller.messages.game_words import result_words
from controller.messages.table_words import refusal_words
from controller.record.match.json_values import READING_ERRORS, reasons_text
from controller.record.match.match import (
    PASSES,
    RULED,
    Act,
    GameRecord,
    MatchRecord,
    Note,
    RecordedResult,
    Turn,
)
from controller.rules import (
    Game,
    Match,
    Play,
    Position,
    Reason,
    Roll,
    Side,
    advance,
    is_result,
    judge,
    new_game,
    new_match,
    play_between,
    results,
    xgid,
)
from controller.rules.forms.xgid import IdError, MatchState, OfferCode
from controller.rules.game.cube import Offer, OfferKind
from controller.rules.game.events import (
    Doubled,
    DoubleNamed,
    GameAwarded,
    OpeningRoll,
    Played,
    RefusedError,
    Rolled,
    RollVoided,
)
from controller.rules.game.game import Away, GamePhase, lay_out
from controller.rules.game.hit_log import HitLog
from controller.rules.game.match import Crawford, Score
from controller.rules.game.scoring import Result
from controller.rules.judging.judge import ROLLS
from controller.rules.moves.movement import STANDARD_FAMILY
from controller.rules.notation import BAR
from controller.rules.profile.profile import RollUses

MOST_MOVED: Final = 4
"""Checkers that move in a turn."""


class RecordFault(StrEnum):
    """What is wrong with an entry."""

    ILLEGAL_PLAY = "illegal_play"
    UNCONFIRMED = "unconfirmed"
    MISJUDGED = "misjudged"
    GAP = "gap"
    MISSING = "missing"
    OTHER_DICE = "other_dice"
    REFUSED = "refused"
    SCORE = "score"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Objection:
    """Something in a record that the rules do not allow.

    Attributes:
        fault: an illegal play that the record says was left standing; a play that nobody confirmed and that is no
            legal one as it is written down; a verdict in the record that is wrong; a
            turn that does not begin where the last one ended, or ends where no turn leads; a play or a turn that is
            left out; a turn with other dice than were rolled; an act that was not possible; a score or a result that
            does not follow.
        game: the number of the game, from 1.
        ply: the number of the turn, or how many turns came before the act; `None` for a score or a result.
        player: whose entry it is or is left out, `None` for a score or a result.
        text: one sentence.
        reasons: the rules a play breaks.
    """

    fault: RecordFault
    game: int
    ply: int | None
    player: Side | None
    text: str
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """The match as it stood before an entry.

    Attributes:
        game: the number of the game, from 0.
        entry: the turn or act that comes now; `None` at the end of a game.
        match: the match before it, with the player of a turn on roll and the board it began with. At the end of
            a game whose result counted it stands at the next game already.
        objections: what the rules have against the entry (at the end of a game: against its result).
    """

    game: int
    entry: Turn | Act | None
    match: Match
    objections: tuple[Objection, ...] = ()


def moments(record: MatchRecord) -> Iterator[Moment]:
    """Each entry of each game's course with the match before it, then the end of the game.

    Where the rules refuse an entry the record is followed nevertheless: a turn is taken as it is told, an act
    that was not possible is passed over, but for a double, which is taken as offered.
    """
    match, fresh = new_match(record.terms), True
    for number in range(len(record.games)):
        walk = _Walk(record, number, match, fresh=fresh)
        yield from walk.follow()
        match, fresh = walk.match, walk.over


def by_game(played: Iterable[Moment]) -> list[list[Moment]]:
    """The moments of each game of a match."""
    return [list(of_game) for _, of_game in groupby(played, key=lambda moment: moment.game)]


def automatic_doubles(played: Sequence[Moment]) -> int:
    """How many times the cube of a game was doubled by opening rolls, `played` being its moments."""
    return max((moment.match.game.cube.automatic for moment in played[:-1]), default=0)


def single_moves(turn: Turn) -> Play:
    """The moves of a turn, one die each; where the record has none, or moves of several dice, they are found.

    So they are of a turn that nobody confirmed: what is likeliest need not lead to the board as it was seen.
    """
    play = turn.play
    if play is None or turn.legal is None or any(move.source - move.target > turn.roll.high for move in play):
        play = play_between(turn.before, turn.player, turn.roll, turn.after)
    return play or ()


def left_rolls(played: Sequence[Moment]) -> frozenset[int]:
    """The numbers of the moments whose act is a roll that was neither played, however much later, nor voided."""
    left: set[int] = set()
    taken_up_by: Side | None = None
    for number in range(len(played) - 1, -1, -1):
        entry = played[number].entry
        if entry is None:
            taken_up_by = None
        elif isinstance(entry, Turn):
            taken_up_by = entry.player
        elif isinstance(entry.event, RollVoided):
            taken_up_by = entry.event.side
        elif isinstance(entry.event, Rolled):
            if entry.event.side is not taken_up_by:
                left.add(number)
            taken_up_by = None
    return frozenset(left)


def told_points(due: int, needed: int | None, length: int | None) -> set[int]:
    """The points that programs tell for a game that counts ``due``, of which the winner ``needed`` some.

    Where the match was won, some give no more than were needed, and Galaxy no more than the match's length.
    """
    return {due, *(min(due, cap) for cap in (needed, length) if cap is not None)}


def is_one_turn(before: Position, after: Position, player: Side) -> bool:
    """Whether a turn of a player, legal or not, may lead from one board to another.

    They moved four checkers at most; of the other's some were hit at most, so that none came to a point.
    """
    moved = sum(max(_grown(before, after, player, place), 0) for place in range(BAR))
    brought = any(_grown(after, before, player.opponent, point) > 0 for point in range(1, BAR))
    return moved <= MOST_MOVED and not brought


def _grown(more: Position, fewer: Position, side: Side, place: int) -> int:
    """How many checkers of a side one board has more than another on a point, or on the bar as place 0."""
    counts = [board.checkers(side, place) if place else board.bar(side) for board in (more, fewer)]
    return counts[0] - counts[1]


def objections(record: MatchRecord) -> Iterator[Objection]:
    """Everything the rules have against a record, in its order."""
    for moment in moments(record):
        yield from moment.objections


class _Walk:
    """One game played through."""

    def __init__(self, record: MatchRecord, number: int, match: Match, *, fresh: bool) -> None:
        """``fresh`` tells that the match stands at the start of a game, not in one that was broken off."""
        self.record, self.number = record, number
        self.game: GameRecord = record.games[number]
        self.against: list[Objection] = []
        self.turns = 0
        self.lost = False
        """Whether something was left out, so that nobody knows the board."""
        self.match = self._start(match, fresh=fresh)
        self.finished_before = len(self.match.results)

    @property
    def over(self) -> bool:
        """Whether this game has its result, or the match was forfeited in it."""
        return len(self.match.results) > self.finished_before or self.match.winner is not None

    def follow(self) -> Iterator[Moment]:
        for entry in self.game.course_and_notes:
            if isinstance(entry, Note):
                self._note(entry)
                continue
            if not self.over:
                self._prepare(entry)
            before = self.match
            if isinstance(entry, Turn):
                self._turn(entry)
                self.turns = entry.ply + 1
            else:
                self._act(entry)
            yield Moment(self.number, entry, before, self._take_objections())
        self._end(self.game.result)
        yield Moment(self.number, None, self.match, self._take_objections())

    def _take_objections(self) -> tuple[Objection, ...]:
        taken, self.against = tuple(self.against), []
        return taken

    def _object(
        self,
        fault: RecordFault,
        text: str,
        *,
        ply: int | None = None,
        player: Side | None = None,
        reasons: tuple[Reason, ...] = (),
    ) -> None:
        self.against.append(Objection(fault, self.number + 1, ply, player, text, reasons))

    def _start(self, match: Match, *, fresh: bool) -> Match:
        """The match at the start of this game, with the score that the record gives."""
        score = Score(self.game.light_score, self.game.dark_score)
        length = match.terms.length
        if match.winner is not None:
            self._object(RecordFault.SCORE, f"The match was over; {match.winner} had won it.")
        elif length is not None and max(score.light, score.dark) >= length:
            self._object(
                RecordFault.SCORE, f"A game begins at {score.light}-{score.dark} in a match to {length}."
            )
        elif self.number and score != match.score:
            self._object(
                RecordFault.SCORE,
                f"The score before the game is {match.score.light}-{match.score.dark}, "
                f"but the record says {score.light}-{score.dark}.",
            )
        game = match.game
        if match.winner is not None or score != match.score or not fresh:
            starter = match.game.turn if fresh and match.winner is None else None
            match = replace(match, score=score, winner=None, crawford=self._crawford(match, score))
            game = new_game(
                self.record.profile(self.number),
                starter=starter,
                cube_in_play=match.crawford is not Crawford.NOW,
                away=None if length is None else Away(length - score.light, length - score.dark),
            )
        if self.game.start != game.position:
            game = replace(game, position=self.game.start, hits=HitLog.at_start(self.game.start))
        return replace(match, game=game)

    def _crawford(self, match: Match, score: Score) -> Crawford:
        """Whether this is the Crawford game; where games before it are not in the record, a double tells that it was.

        So it is with a record that begins in the middle of a match, or of which games are missing.
        """
        due = match.terms.length is not None and match.terms.length - 1 in (score.light, score.dark)
        if match.crawford is not Crawford.BEFORE or not due:
            return match.crawford
        doubled = any(
            isinstance(entry, Act) and isinstance(entry.event, Doubled) for entry in self.game.course
        )
        return Crawford.AFTER if doubled and score != match.score else Crawford.NOW

    def _set(self, game: Game) -> None:
        self.match = replace(self.match, game=game)

    def _prepare(self, entry: Turn | Act) -> None:
        """Bring the game to where the entry begins; what that takes beyond the rules is objected to."""
        if isinstance(entry, Act):
            self._prepare_act(entry)
            return
        side = entry.player
        self._notice_missing(side)
        game = self.match.game
        if game.phase is GamePhase.OPENING:
            self._open(game, side, entry.roll)
        elif game.dice and game.turn is side:
            both = game.profile.opening.roll_uses is not RollUses.OWN_DIE or not game.opening_dice
            if both and sorted(game.dice) != sorted(entry.roll.dice):
                text = f"{entry.roll} was played, but {game.dice[0]}-{game.dice[1]} had been rolled."
                self._object(RecordFault.OTHER_DICE, text, ply=entry.ply, player=side)
                self._set(replace(game, dice=entry.roll.dice))
        game = self.match.game
        if (
            game.turn is not side
            or game.to_answer is not None
            or (game.names_double and not entry.roll.is_double)
        ):
            try:
                advance(self.match, Rolled(side, entry.roll))
            except RefusedError as refusal:
                self._object(RecordFault.REFUSED, refusal_words(refusal), ply=entry.ply, player=side)
            self._set(replace(game, turn=side, dice=(), offer=None, resignation=None, names_double=False))
        if self.match.game.position != entry.before:
            if not self.lost:
                text = "The play begins from a position that the plays before it do not reach."
                self._object(RecordFault.GAP, text, ply=entry.ply, player=side)
            hits = HitLog(None, None)
            self._set(replace(self.match.game, position=entry.before, hits=hits))

    def _note(self, note: Note) -> None:
        """Follow a note of a live table that says how the game goes on; one that does not say so changes nothing."""
        game, told = self.match.game, note.arguments
        if self.over:
            return
        try:
            if note.kind == RULED:
                side, position = Side(str(told["side"])), Position.from_compact(str(told["position"]))
                self._set(lay_out(game, position, side))
            elif note.kind == PASSES and game.phase is GamePhase.TO_ROLL:
                self._set(replace(game, turn=Side(str(told["player"])).opponent, undo=None))
        except READING_ERRORS:
            return

    def _prepare_act(self, act: Act) -> None:
        game, event = self.match.game, act.event
        if isinstance(event, Rolled | Doubled):
            self._notice_missing(event.side)
            game = self.match.game
        elsewhere = self.game.start != new_game(game.profile).position
        side = getattr(event, "side", None)
        if game.phase is GamePhase.OPENING and side is not None and (elsewhere or isinstance(event, Rolled)):
            self._set(replace(game, turn=side))

    def _notice_missing(self, side: Side) -> None:
        """Before a turn of a side: the play of the roll before it, or the other's whole turn, may be left out.

        After the first such place in a game nobody knows the board, and what follows from that is nobody's fault.
        """
        game = self.match.game
        other, rules = side.opponent, game.profile.movement
        due = game.turn is other and game.phase in (GamePhase.TO_ROLL, GamePhase.TO_PLAY)
        if not due or len(game.dice) == 1 or rules.variant not in STANDARD_FAMILY:
            return
        rolls = (Roll.from_dice(*game.dice),) if len(game.dice) == 2 else ROLLS
        plays = {code for roll in rolls for code in results(game.position, other, roll, rules)[0]} - {
            game.position.code
        }
        if plays and not self.lost:
            name = str(other).capitalize()
            number = f"{len(plays)} {'is' if len(plays) == 1 else 'are'} legal"
            text = (
                f"{name}'s play of {rolls[0]} is missing ({number})."
                if game.dice
                else f"{name}'s turn is missing."
            )
            self._object(RecordFault.MISSING, text, ply=self.turns, player=other)
        self.lost = self.lost or bool(plays)
        self._set(replace(game, turn=side, dice=()))

    def _open(self, game: Game, side: Side, roll: Roll) -> None:
        """Without an opening roll in the record the first turn tells who won it."""
        rules = game.profile.opening
        if rules.roll_uses is not RollUses.REROLL_TWO and not roll.is_double:
            dice = (roll.high, roll.low) if side is Side.LIGHT else (roll.low, roll.high)
            self.match = advance(self.match, OpeningRoll(*dice))
        else:
            self._set(replace(game, turn=side))

    def _turn(self, turn: Turn) -> None:
        if self.over:
            self._object(RecordFault.REFUSED, "The game is over.", ply=turn.ply, player=turn.player)
            return
        if self.match.game.names_double and turn.roll.is_double:
            self.match = advance(self.match, DoubleNamed(turn.player, turn.roll.high))
        elif not self.match.game.dice:
            self._set(replace(self.match.game, names_double=False))
            self.match = advance(self.match, Rolled(turn.player, turn.roll))
        self._judge(turn)
        self.match = advance(self.match, Played(turn.player, turn.after, turn.play))

    def _judge(self, turn: Turn) -> None:
        game = self.match.game
        if len(game.dice) == 1:
            return
        rules = game.profile.movement
        reached = is_result(turn.before, turn.player, turn.roll, turn.after, rules)
        if turn.legal is None:
            if not reached and not self.lost:
                text = f"{turn.text or 'What was played'} is not confirmed, and no legal play of {turn.roll}."
                self._object(RecordFault.UNCONFIRMED, text, ply=turn.ply, player=turn.player)
        elif reached and not turn.legal:
            text = f"{turn.text} is recorded as illegal, but it is legal."
            self._object(RecordFault.MISJUDGED, text, ply=turn.ply, player=turn.player)
        elif not reached and not turn.legal and not turn.reasons and self._is_gap(turn):
            if not self.lost:
                text = "No turn leads from the position before it to the one after it."
                self._object(RecordFault.GAP, text, ply=turn.ply, player=turn.player)
        elif not reached:
            fault = RecordFault.MISJUDGED if turn.legal else RecordFault.ILLEGAL_PLAY
            reasons = turn.reasons
            if turn.legal:
                reasons = judge(turn.before, turn.player, turn.roll, turn.after, rules).reasons
            text = reasons_text(reasons) if reasons else f"This is no legal play of {turn.roll}."
            self._object(fault, text, ply=turn.ply, player=turn.player, reasons=reasons)

    def _is_gap(self, turn: Turn) -> bool:
        """Whether the entry is a position that left-out plays lead to, and no play."""
        return self.lost or not is_one_turn(turn.before, turn.after, turn.player)

    def _act(self, act: Act) -> None:
        event = act.event
        player = getattr(event, "side", None)
        if self.over:
            self._object(RecordFault.REFUSED, "The game is over.", ply=self.turns, player=player)
            return
        try:
            self.match = advance(self.match, event)
        except RefusedError as refusal:
            self._object(RecordFault.REFUSED, refusal_words(refusal), ply=self.turns, player=player)
            if isinstance(event, Doubled):
                game = self.match.game
                cube = game.cube
                kind = OfferKind.DOUBLE if cube.owner is None else OfferKind.REDOUBLE
                offer = Offer(kind, event.side, cube.value, 2 * cube.value, event.side.opponent)
                self._set(replace(game, turn=event.side, dice=(), offer=offer, resignation=None))

    def _end(self, result: RecordedResult | None) -> None:
        """Compare the result with what the rules make of the game; the record's counts for what follows."""
        if len(self.match.results) > self.finished_before:
            due = self.match.results[-1]
            ended = "nobody wins" if due.is_drawn else f"{due.winner} wins {due.points}"
            if result is None:
                text = f"The game is over ({ended}: {result_words(due)}) but has no result."
                self._object(RecordFault.RESULT, text)
            elif not self._is_result(result, due):
                told = "no points" if result.is_drawn else f"{result.winner} {result.points}"
                text = f"{ended.capitalize()} ({result_words(due)}), but the record gives {told}."
                self._object(RecordFault.RESULT, text)
        elif result is not None and result.is_drawn:
            self._object(RecordFault.RESULT, "Nothing in the record made the game a draw.")
        elif result is not None and self.match.winner is None:
            self._object(
                RecordFault.RESULT, f"Nothing in the record made {result.winner} win {result.points}."
            )
            self.match = advance(self.match, GameAwarded(result.winner, result.points))

    def _is_result(self, told: RecordedResult, due: Result) -> bool:
        """Whether a result is the one that is due."""
        length = self.match.terms.length
        needed = None if length is None else length - self.game.score(due.winner)
        if due.is_drawn:
            return told.is_drawn
        return told.winner is due.winner and told.points in told_points(due.points, needed, length)


_OFFERS = {
    OfferKind.DOUBLE: OfferCode.DOUBLE,
    OfferKind.REDOUBLE: OfferCode.DOUBLE,
    OfferKind.BEAVER: OfferCode.BEAVER,
    OfferKind.RACCOON: OfferCode.RACCOON,
}
LARGEST_CUBE = 1024
"""What is written where the rules know no largest cube."""


def moment_state(moment: Moment) -> MatchState:
    """Everything but the checkers at a moment; before a turn with its dice."""
    match, game = moment.match, moment.match.game
    rules = game.profile
    turn = moment.entry if isinstance(moment.entry, Turn) else None
    money = match.terms.length is None
    return MatchState(
        on_roll=turn.player if turn else game.turn or Side.LIGHT,
        roll=turn.roll if turn else None,
        cube=game.cube.value,
        owner=game.cube.owner,
        offer=OfferCode.NONE if game.offer is None or turn else _OFFERS[game.offer.kind],
        length=match.terms.length or 0,
        score=(match.score.light, match.score.dark),
        crawford=match.crawford is Crawford.NOW,
        jacoby=money and rules.cube.jacoby,
        beavers=money and rules.cube.beaver,
        max_cube=rules.cube.max or LARGEST_CUBE,
    )


def moment_xgid(moment: Moment) -> str | None:
    """The XGID of a moment, before a turn with its dice; `None` where it has none.

    There is none of a board with too many checkers, nor of games other than backgammon and its nearest kin.
    """
    if moment.match.game.profile.movement.variant not in STANDARD_FAMILY:
        return None
    try:
        return xgid(moment.match.game.position, moment_state(moment))
    except IdError:
        return None
