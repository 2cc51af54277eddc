"""What the director puts right in a recorded match. Nothing is overwritten: a correction is an event of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from controller.errors import UserError
from controller.record.journal.journal import EventLog, JournalEvent, Json
from controller.record.match.history import (
    CORRECTION,
    CorrectionAction,
    GameHistory,
    MatchHistory,
    RecordedEntry,
    read_history,
)
from controller.record.match.json_values import act_record, result_record, turn_record
from controller.record.match.match import Act, Note, RecordedResult, Turn
from controller.record.match.moves_made import carry_out
from controller.referee.belief.steps import change_text
from controller.rules import (
    Judgement,
    MovementRules,
    Play,
    Position,
    Roll,
    Side,
    format_play,
    judge,
    parse_play,
)
from controller.rules.game import events as ruled
from controller.rules.moves.movement import STANDARD
from controller.rules.packed import PLACES

CUBE_WORDS: Final[
    Mapping[str, type[ruled.Doubled | ruled.Taken | ruled.Passed | ruled.Beavered | ruled.Raccooned]]
] = {
    "double": ruled.Doubled,
    "take": ruled.Taken,
    "drop": ruled.Passed,
    "beaver": ruled.Beavered,
    "raccoon": ruled.Raccooned,
}
CUBE_TALKS: Final = frozenset(
    {
        (),
        *(
            ("double", *more, answer)
            for more in ((), ("beaver",), ("beaver", "raccoon"))
            for answer in ("take", "drop")
        ),
    }
)
"""What can be done with the cube before a roll, from the first offer to the last answer."""
ENDINGS: Final = (
    ruled.Rolled,
    ruled.Resigned,
    ruled.ResignationAccepted,
    ruled.GameAwarded,
    ruled.MatchForfeited,
)
"""What ends a game after its last turn, the cube aside; a roll may come before it."""
NOTE_LENGTH: Final = 2000
"""Characters of a ruling or a reason that are kept."""


class CorrectionError(UserError):
    """A correction that cannot be made."""


@dataclass(frozen=True, slots=True)
class Director:
    """Puts right one match in a journal; each call writes one event, which is on the disk when it returns.

    Games are counted from 1 as the match stands with the corrections made so far, plies from 0 in each game.

    Attributes:
        journal: where the match is recorded.
        match: its name there.
        clock: gives the time in UTC, ISO 8601.
        by: who makes the corrections, empty if that is not to be recorded.

    Raises:
        CorrectionError: by every method, if there is no such game, ply or correction, or what it would be
            changed to is impossible. Nothing is written then.
        JournalError: if the match cannot be read, or the correction not be written.
    """

    journal: EventLog
    match: str
    clock: Callable[[], str]
    by: str = ""

    def history(self) -> MatchHistory:
        """The match as it stands."""
        return read_history(self.journal, self.match)

    def undo(self, game: int, ply: int | None = None, why: str = "") -> JournalEvent:
        """Take back a ply and all that came after it in its game; without a ply, the last one."""
        first, _ = _of_ply(_game(self.history(), game), ply, first=True)
        return self._write(CorrectionAction.UNDO, why, game, {"from": first.event})

    def change_play(self, game: int, ply: int, play: str, why: str = "") -> JournalEvent:
        """Say what was really played: in notation, or as the compact position after it.

        It is judged with the roll as recorded; what no rule allows is then an illegal play that stands.
        """
        return self._change_turn(
            game, ply, why, lambda turn, rules: (turn.roll, after_play(turn.before, turn.player, play, rules))
        )

    def change_roll(self, game: int, ply: int, roll: Roll, why: str = "") -> JournalEvent:
        """Say what was really rolled; the play is judged anew."""
        return self._change_turn(game, ply, why, lambda turn, _: (roll, turn.after))

    def _change_turn(
        self, game: int, ply: int, why: str, change: Callable[[Turn, MovementRules], tuple[Roll, Position]]
    ) -> JournalEvent:
        history = self.history()
        entry, turn = _of_ply(_game(history, game), ply)
        rules = history.heading.profile(game - 1).movement
        judged = _judge_again(turn, *change(turn, rules), rules)
        return self._write(CorrectionAction.TURN, why, game, {"of": entry.event, "turn": turn_record(judged)})

    def change_cube(self, game: int, ply: int | None, words: tuple[str, ...], why: str = "") -> JournalEvent:
        """Say what was done with the cube before a ply (after the last one, without a ply).

        `words` are such as `("double", "take")`, the player on roll first; none at all if the cube was left
        alone.
        """
        if words not in CUBE_TALKS:
            raise CorrectionError(
                f"{' '.join(words)!r} is nothing that is done with a cube; say nothing, double take, double "
                "drop, double beaver take, double beaver drop, or the two with beaver raccoon."
            )
        played = _game(self.history(), game)
        place, player = _before(played, ply)
        acts: list[Json] = [
            dict(act_record(Act(CUBE_WORDS[word](player if number % 2 == 0 else player.opponent))))
            for number, word in enumerate(words)
        ]
        before: Json = played.entries[place].event if place < len(played.entries) else None
        gone: list[Json] = [each.event for each in _cube_acts(played, place)]
        return self._write(
            CorrectionAction.CUBE, why, game, {"before": before, "replaces": gone, "acts": acts}
        )

    def change_score(self, game: int, light: int, dark: int, why: str = "") -> JournalEvent:
        """Set the score before a game."""
        length = self.history().heading.length
        for points in (light, dark):
            if points < 0 or (length and points >= length):
                raise CorrectionError(
                    f"{points} is no score before a game; give 0 or more"
                    + (f", less than the {length} points of the match." if length else ".")
                )
        return self._write(CorrectionAction.SCORE, why, game, {"light": light, "dark": dark})

    def change_result(self, game: int, winner: Side | None, points: int = 0, why: str = "") -> JournalEvent:
        """Say who won a game and how many points; with no winner, that it is not over."""
        if winner is not None and points < 1:
            raise CorrectionError(f"A won game scores {points} points; give at least 1.")
        result: Json = None if winner is None else result_record(RecordedResult(winner, points))
        return self._write(CorrectionAction.RESULT, why, game, {"result": result})

    def void(self, game: int, why: str = "") -> JournalEvent:
        """Take a whole game out of the match. The scores before later games stay as they are."""
        return self._write(CorrectionAction.VOID, why, game, {})

    def rule(self, game: int, ply: int | None, text: str, why: str = "") -> JournalEvent:
        """Mark a ruling, on a ply or on the game as it stands."""
        if not text.strip():
            raise CorrectionError("A ruling needs words; say what was decided.")
        of: Json = None if ply is None else _of_ply(_game(self.history(), game), ply)[0].event
        return self._write(CorrectionAction.RULING, why, game, {"of": of, "text": text[:NOTE_LENGTH]})

    def revoke(self, correction: int, why: str = "") -> JournalEvent:
        """Take back a correction, named by the number of its event; a revocation can be taken back too."""
        known = {each.event: each for each in self.history().corrections}
        if correction not in known:
            numbers = ", ".join(map(str, known)) or "none"
            raise CorrectionError(f"There is no correction {correction} of this match; there are: {numbers}.")
        if known[correction].revoked is not None:
            raise CorrectionError(f"Correction {correction} has been taken back already.")
        return self._append(CorrectionAction.REVOKE, why, {"revokes": correction})

    def _write(self, action: CorrectionAction, why: str, game: int, more: dict[str, Json]) -> JournalEvent:
        return self._append(action, why, {"game": _game(self.history(), game).event, **more})

    def _append(self, action: CorrectionAction, why: str, more: dict[str, Json]) -> JournalEvent:
        payload: dict[str, Json] = {"action": str(action), "by": self.by, "why": why[:NOTE_LENGTH], **more}
        return self.journal.append(self.match, CORRECTION, payload, utc=self.clock())


def after_play(before: Position, player: Side, text: str, rules: MovementRules = STANDARD) -> Position:
    """The position after a play in words: in notation from the player's side, or compact.

    Every checker is moved as it is said, whether a rule allows it or not; a blot it lands on is hit.

    Raises:
        CorrectionError: if a checker is to leave a place where there is none.
        UserError: if it is neither a play nor a position.
    """
    if _is_position(text):
        return Position.seen_compact(text)
    return after_moves(before, player, parse_play(text), rules)


def named_play(text: str) -> Play:
    """The moves that a play in words names; none where it is a compact position.

    Raises:
        UserError: if it is neither.
    """
    return () if _is_position(text) else parse_play(text)


def _is_position(text: str) -> bool:
    board = text.partition("/pinned")[0].partition("/hand")[0]
    return len(board) == PLACES and " " not in text


def after_moves(before: Position, player: Side, play: Play, rules: MovementRules = STANDARD) -> Position:
    """The position after moves, whether a rule allows them or not.

    Raises:
        CorrectionError: if a checker is to leave a place where there is none, or to land on a point that is held.
    """
    moves = carry_out(before, player, play, rules)
    if moves.refused:
        raise CorrectionError(moves.refused[0])
    return moves.after


def _judge_again(turn: Turn, roll: Roll, after: Position, rules: MovementRules) -> Turn:
    """The turn with another roll or another end, judged anew; what is illegal stands.

    What the referee thought of it counts no more.
    """
    verdict = judge(turn.before, turn.player, roll, after, rules)
    done = change_text(turn.before, after, turn.player, roll, rules=rules)
    text = format_play(verdict.play or ()) if verdict.legal or not done else done
    return with_verdict(replace(turn, roll=roll, after=after, text=text, probability=None), verdict)


def with_verdict(turn: Turn, verdict: Judgement) -> Turn:
    """The turn judged otherwise; if that is illegal, it stands."""
    return replace(
        turn,
        play=verdict.play,
        legal=verdict.legal,
        reasons=verdict.reasons,
        stands=not verdict.legal,
    )


def _game(history: MatchHistory, number: int) -> GameHistory:
    if not 1 <= number <= len(history.games):
        games = f"1 to {len(history.games)}" if len(history.games) > 1 else "1" if history.games else "none"
        raise CorrectionError(f"There is no game {number} in this match; its games are {games}.")
    return history.games[number - 1]


def _of_ply(game: GameHistory, ply: int | None, *, first: bool = False) -> tuple[RecordedEntry, Turn]:
    """The turn of a ply that counts, or the first try at it; without a ply, of the last one."""
    turns = [(each, each.entry) for each in game.entries if isinstance(each.entry, Turn)]
    if not turns:
        raise CorrectionError("No turn of this game is recorded, so there is none to put right.")
    wanted = turns[-1][1].ply if ply is None else ply
    tries = [(each, turn) for each, turn in turns if turn.ply == wanted]
    if not tries:
        last = max(turn.ply for _, turn in turns)
        raise CorrectionError(f"There is no ply {wanted} in this game; its plies are 0 to {last}.")
    if first:
        return tries[0]
    return next((found for found in reversed(tries) if found[1].counts), tries[-1])


def _before(game: GameHistory, ply: int | None) -> tuple[int, Side]:
    """Where in a game something before a ply belongs, and who is on roll there."""
    each, turn = _of_ply(game, ply, first=ply is not None)
    if ply is None:
        return _place_of_end(game), turn.player.opponent
    return game.entries.index(each), turn.player


def _place_of_end(game: GameHistory) -> int:
    """Where in a game what ended it beside the board begins: a resignation, an award, a forfeit, or a roll before."""
    place = len(game.entries)
    for number in range(len(game.entries) - 1, -1, -1):
        entry = game.entries[number].entry
        if isinstance(entry, Act) and isinstance(entry.event, ENDINGS):
            place = number
        elif not isinstance(entry, Note):
            break
    return place


def _cube_acts(game: GameHistory, place: int) -> list[RecordedEntry]:
    """What was done with the cube between the turn before a place in a game and that place."""
    found: list[RecordedEntry] = []
    for each in reversed(game.entries[:place]):
        if isinstance(each.entry, Turn):
            break
        if isinstance(each.entry, Act) and isinstance(each.entry.event, tuple(CUBE_WORDS.values())):
            found.append(each)
    return found


def game_of_ply(history: MatchHistory, ply: int) -> int:
    """The number of the only game of a match that has a ply.

    Raises:
        CorrectionError: if no game or several have it.
    """
    having = [
        number
        for number, game in enumerate(history.games, start=1)
        if any(isinstance(each.entry, Turn) and each.entry.ply == ply for each in game.entries)
    ]
    if len(having) == 1:
        return having[0]
    if having:
        raise CorrectionError(
            f"Games {', '.join(map(str, having))} all have a ply {ply}; say which with --game."
        )
    raise CorrectionError(f"No game of this match has a ply {ply}; check the number.")
