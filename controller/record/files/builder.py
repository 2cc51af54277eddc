"""A game of a match file built up from what the file tells.

Every play is checked by the rules core as it is added. One that is not legal becomes an illegal play that was
left standing, with the position it leads to as far as it can be carried out.

Where a file leaves out a play, nobody knows the board from there on. Then a play counts if it is legal from a board
that the missing one may have led to. One that fits none of them is kept as a roll, with a remark: it is no illegal
play.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from controller.record.files.games import is_foreign
from controller.record.files.limits import (
    AUTOMATIC,
    BEGINS,
    absent_turns,
    decreed_end,
    is_about_turn,
    rulings,
    unreached,
)
from controller.record.files.possible_boards import ReachedBoard
from controller.record.match.match import (
    PASSES,
    RULED,
    Act,
    Entry,
    GameRecord,
    Note,
    NoteValue,
    RecordedResult,
    Turn,
)
from controller.record.match.moves_made import carry_out
from controller.record.match.playthrough import is_one_turn, told_points
from controller.rules import (
    MovementRules,
    Play,
    Position,
    Profile,
    Reason,
    ReasonCode,
    Roll,
    Side,
    Terms,
    first_position,
    format_play,
    is_result,
    judge,
    play_between,
    results,
)
from controller.rules.game.cube import Cube, automatic_double
from controller.rules.game.events import (
    Beavered,
    Doubled,
    GameAwarded,
    MatchForfeited,
    OpeningRoll,
    Passed,
    Raccooned,
    ResignationAccepted,
    Resigned,
    Rolled,
    RulesEvent,
    Taken,
)
from controller.rules.game.scoring import Level, game_value
from controller.rules.moves.plays import LegalPlay, resolve
from controller.rules.notation import NotationError
from controller.rules.position import CHECKERS
from controller.rules.profile.profile import ResignForm, Tie

UNTOLD: Final = "illegal play"
"""Stands for a play of which only the position after it is known."""
MOST_TIES: Final = 100
"""Opening rolls of equal dice before a game that are read."""
UNFINISHED: Final = {ReasonCode.UNUSED_DIE, ReasonCode.LARGER_DIE, ReasonCode.NOTHING_MOVED}
"""What a play breaks that was begun and not ended."""


@dataclass(slots=True)
class GameBuilder:
    """One game as it is being read.

    Attributes:
        profile: the rules the plays are checked by.
        reached: the position reached, as far as it is known.
        length: the points of the match, `None` for money.
        patience: how many illegal plays are still explained; beyond that the file is no record of a game, and to
            look for what may have happened would take longer than anybody waits.
        number: the number of the game, from 0.
        remarks: what the record has no other place for.
    """

    profile: Profile
    reached: ReachedBoard
    light_score: int = 0
    dark_score: int = 0
    length: int | None = None
    patience: int = 0
    number: int = 0
    start: Position = field(init=False)
    entries: list[Entry] = field(default_factory=list)
    ply: int = 0
    cube: Cube = field(default_factory=Cube)
    offered: int | None = None
    result: RecordedResult | None = None
    remarks: list[str] = field(default_factory=list)
    mover: Side | None = field(default=None, init=False)
    """Who rolled last, as far as the file says."""
    unplayed: Roll | None = field(default=None, init=False)
    """What they rolled, if the file gives no play for it."""
    rulings: dict[int, tuple[Side, Position]] = field(default_factory=dict, init=False)
    """How the director had the game go on, by the ply that followed."""
    unreached: dict[int, Position] = field(default_factory=dict, init=False)
    """The boards from which plies went on that the turns before do not reach."""
    absent: dict[int, Side | None] = field(default_factory=dict, init=False)
    """The plies that the file has no turn for, with the side that left it without rolling."""
    decreed: GameAwarded | MatchForfeited | None = field(default=None, init=False)
    """The award or the forfeit that ended the game, where the file tells of one."""
    again: Roll | None = field(default=None, init=False)
    """Dice of theirs after their own turn: not rolled if the game ends there, else the other's turn is left out."""

    def __post_init__(self) -> None:
        """The game begins on the board it is given."""
        self.start = self.reached.board

    @classmethod
    def begin(cls, terms: Terms, number: int, light_score: int, dark_score: int, patience: int = 0) -> Self:
        """Game ``number``, counted from 0, of a match or session."""
        profile = terms.profiles[number % len(terms.profiles)]
        return cls(
            profile,
            ReachedBoard(first_position(profile)),
            light_score,
            dark_score=dark_score,
            length=terms.length,
            patience=patience,
            number=number,
        )

    def take_remarks(self, remarks: Iterable[str], number: int) -> None:
        """What remarks of ours tell of game ``number``, counted from 0.

        They are its start, its automatic doubles, rulings, plies without a turn, boards that no turn leads to, and
        an award or a forfeit.

        Raises:
            PositionError: the start, or another board that they tell, is no position.
        """
        remarks = tuple(remarks)
        self.rulings, self.unreached = rulings(remarks), unreached(remarks)
        self.absent, self.decreed = absent_turns(remarks), decreed_end(remarks)
        place = f"Game {number + 1}, ply 0: "
        for remark in remarks:
            if remark.startswith(place + BEGINS):
                self.stand(Position.from_compact(remark.removeprefix(place + BEGINS)))
            elif remark.startswith(place + AUTOMATIC):
                ties = remark.removeprefix(place + AUTOMATIC)[: 4 * MOST_TIES]
                self.add_ties(re.findall(r"([1-6])-\1", ties))

    def play(self, side: Side, roll: Roll, play: Play, *, t: float | None = None) -> None:
        """A turn given by its moves, in any spelling; see `controller.rules.moves.plays.resolve`.

        A blot on a point that is named is hit, whether or not that is marked.
        """
        self._follow_remarks()
        self._notice_missing(side, roll)
        rules = self.profile.movement
        made = self.reached.fit(lambda board: _legal_play(board, side, roll, play, rules))
        if made is not None:
            self._add(side, roll, made.play, format_play(made.play), made.after, t)
        elif self.reached.lost or self.reached.inferred:
            self._leave_out(
                side, roll, f"{format_play(play)} fits no position that the plays told may lead to", t
            )
        else:
            moves = carry_out(self.reached.board, side, play, self.profile.movement)
            self._add(side, roll, None, format_play(play), moves.after, t)

    def reach(
        self, side: Side, roll: Roll, after: Position, *, t: float | None = None, text: str = UNTOLD
    ) -> None:
        """A turn given by the position after it, which is known from here on."""
        rules = self.profile.movement

        def legal(board: Position) -> LegalPlay | None:
            if not is_result(board, side, roll, after, rules):
                return None
            return LegalPlay.known(play_between(board, side, roll, after, rules) or (), after)

        self._follow_remarks()
        self._notice_missing(side, roll)
        made = self.reached.fit(legal)
        if made is not None:
            self._add(side, roll, made.play, format_play(made.play), after, t)
        else:
            self._add(side, roll, None, text, after, t)
        self.reached.stand(self.reached.board)

    def _follow_remarks(self) -> None:
        """Before the next turn, and at the end: what came before it and stands in no row.

        A turn may have been left without rolling, and the director may have said how the game goes on.
        """
        while self.ply in self.absent:
            passed_by = self.absent.pop(self.ply)
            if passed_by is not None:
                passed: dict[str, NoteValue] = {"ply": self.ply, "player": str(passed_by)}
                passed["position"] = self.reached.board.compact()
                self.entries.append(Note(PASSES, None, None, passed))
                self.mover = passed_by
            self.ply += 1
        ruled = self.rulings.pop(self.ply, None)
        if ruled is not None:
            side, board = ruled
            self.entries.append(Note(RULED, None, None, {"side": str(side), "position": board.compact()}))
            self.reached.stand(board)
            self.mover, self.unplayed, self.again = None, None, None

    def _notice_missing(self, side: Side, roll: Roll) -> None:
        """Before a roll of a side: the other's play, or their whole turn, may be left out.

        Or the record has the turn begin on a board that those before it do not reach.
        """
        if self.mover is side and self.unplayed == roll:
            self.unplayed = None  # only now the file gives its play
            self.mover = side.opponent
        self._notice_missing_turn(side)
        board = self.unreached.pop(self.ply, None)
        if board is not None:
            self.reached.stand(board)

    def _notice_missing_turn(self, side: Side) -> None:
        """Before a turn of a side: as before a roll."""
        if self.mover is not None and self.again is not None:
            self.reached.follow(self.mover.opponent, None, self.profile.movement)
            self.entries.append(Act(Rolled(self.mover, self.again)))
            self.unplayed, self.again = self.again, None
        if self.mover is not None and self.unplayed is not None:
            self.reached.follow(self.mover, self.unplayed, self.profile.movement)
        if self.mover is side and not is_foreign(self.profile):
            self.reached.follow(side.opponent, None, self.profile.movement)
        self.unplayed = None
        if self.mover is not None:
            self.mover = side.opponent

    def _leave_out(self, side: Side, roll: Roll, why: str, t: float | None) -> None:
        self._remark(side, roll, why)
        self.entries.append(Act(Rolled(side, roll), t))
        self.mover, self.unplayed = side, None
        self.reached.lose()

    def _remark(self, side: Side, roll: Roll, what: str) -> None:
        self.remarks.append(f"Game {self.number + 1}, ply {self.ply}, {side} {roll.high}{roll.low}: {what}")

    def _add(
        self, side: Side, roll: Roll, play: Play | None, text: str, after: Position, t: float | None
    ) -> None:
        reasons: tuple[Reason, ...] = ()
        before, lost = self.reached.board, self.reached.lost
        if play is None and self.patience > 0 and not lost and is_one_turn(before, after, side):
            reasons = judge(before, side, roll, after, self.profile.movement).reasons
            self.patience -= 1
        legal = play is not None
        self.entries.append(
            Turn(
                self.ply,
                side,
                roll,
                play=play,
                text=text,
                legal=legal,
                reasons=reasons,
                stands=not legal,
                before=before,
                after=after,
                frame=None,
                t=t,
                utc=None,
            )
        )
        self.ply += 1
        self.reached.board = after
        self.mover, self.unplayed = side, None

    def stand(self, board: Position) -> None:
        """The board was set: the start of the game, or what was on it when the play went on."""
        if not self.ply and self.rulings.get(0, (None, None))[1] != board:
            self.start = board
        self.reached.stand(board)
        self.mover, self.unplayed = None, None

    def add_ties(self, dice: Sequence[str]) -> None:
        """Opening rolls of equal dice, which turn the cube where the rules say so."""
        rules = self.profile.opening
        for die in map(int, dice):
            self.entries.append(Act(OpeningRoll(die, die)))
            if rules.tie is Tie.AUTO_DOUBLE:
                self.cube = automatic_double(self.cube, self.profile.cube, rules.auto_double_limit)

    def double_automatically(self, times: int) -> None:
        """The cube was doubled before the first roll, by ties that are not in the file: taken for ones."""
        if self.profile.opening.tie is Tie.AUTO_DOUBLE:
            self.add_ties(["1"] * times)

    def add_roll(self, side: Side, roll: Roll, *, t: float | None = None) -> None:
        """A roll that was not played, or without a play in the file."""
        if self.mover is side:
            self._follow_remarks()
        self._notice_missing(side, roll)
        self.entries.append(Act(Rolled(side, roll), t))
        self.mover, self.unplayed = side, roll

    def add_untold(self, side: Side, roll: Roll) -> None:
        """A roll whose play was illegal and is not in the file: from here on nobody knows the board."""
        self.add_roll(side, roll)
        self.unplayed = None
        self.reached.lose()

    def add_roll_or_dance(self, side: Side, roll: Roll, *, t: float | None = None) -> None:
        """A roll without a play in the file; where nothing could be moved it is a dance."""
        codes = results(self.reached.board, side, roll, self.profile.movement)[0]
        if codes == {self.reached.board.code}:
            self.play(side, roll, (), t=t)
        else:
            self.add_roll(side, roll, t=t)

    def add_roll_or_forced(self, side: Side, roll: Roll) -> None:
        """A roll without a play in the file, from programs that leave out forced plays, as gnubg takes it.

        After a turn of the same side nobody rolled if the game ends there: programs write so that the side resigned.
        """
        last = self.entries[-1] if self.entries else None
        if isinstance(last, Turn) and last.player is side:
            self.again = roll
            return
        self._notice_missing(side, roll)
        if self.reached.lost:
            self.add_roll(side, roll)
            return
        codes = results(self.reached.board, side, roll, self.profile.movement)[0]
        if len(codes) == 1 and codes == results(self.reached.board, side, roll)[0]:
            self.reach(side, roll, Position(*codes))
        else:
            self.add_roll_or_dance(side, roll)

    def double(self, side: Side, *, t: float | None = None) -> None:
        """A double, or where one waits for an answer, a beaver or raccoon."""
        event: RulesEvent
        if self.offered is None:
            self._follow_remarks()
            self._notice_missing_turn(side)
            event, self.offered = Doubled(side), 2 * self.cube.value
        else:
            raised = any(
                isinstance(entry, Act) and isinstance(entry.event, Beavered) for entry in self.entries[-1:]
            )
            event = Raccooned(side) if raised else Beavered(side)
            self.offered *= 2
        self.entries.append(Act(event, t))

    def take(self, side: Side, *, t: float | None = None) -> None:
        """The offer is accepted."""
        if self.offered is not None:
            self.cube = replace(self.cube, value=self.offered, doubled=True)
            self.offered = None
        self.entries.append(Act(Taken(side), t))

    def drop(self, side: Side, *, t: float | None = None) -> None:
        """The offer is refused."""
        self.entries.append(Act(Passed(side), t))

    def wins(self, winner: Side, points: int) -> None:
        """The result; where nothing before it ended the game, the loser resigned, or it was awarded or forfeited.

        Points beyond what the winner needs to win the match are read as what a loser can lose at once.
        """
        if self.result == RecordedResult(winner, points):
            return
        self._follow_remarks()
        if self.decreed == GameAwarded(winner, points):
            self.entries.append(Act(self.decreed))
            self.decreed, self.result = None, RecordedResult(winner, points)
            return
        self._break_off_play(winner)
        last = self.entries[-1].event if self.entries and isinstance(self.entries[-1], Act) else None
        if self.reached.board.off(winner) < CHECKERS and not isinstance(
            last, Passed | GameAwarded | ResignationAccepted | MatchForfeited
        ):
            events, points = _end_events(self, winner, points)
            self.entries += [Act(event) for event in events]
        self.result = RecordedResult(winner, points)

    def _break_off_play(self, winner: Side) -> None:
        """Take a last play that is no whole one for a roll that was not played.

        Programs write so that a player resigned in the middle of the turn, their own or the other's.
        """
        last = self.entries[-1] if self.entries else None
        if not isinstance(last, Turn) or last.legal or last.text == UNTOLD:
            return
        unfinished = {reason.code for reason in last.reasons} <= UNFINISHED
        if last.player is not winner or (last.reasons and unfinished):
            self.entries.pop()
            self.ply, self.reached.board, self.mover = last.ply, last.before, last.player.opponent
            self._remark(last.player, last.roll, f"{last.text} is no whole play; the game was resigned there")
            self.entries.append(Act(Rolled(last.player, last.roll), last.t))

    def concede(self, loser: Side, points: int | None, level: int | None = None) -> None:
        """The loser's word that the game is lost, for points, or at a level, or for a single game."""
        if self.result is None:
            self.wins(loser.opponent, points or (level or 1) * self.cube.value)

    def record(self) -> GameRecord:
        """The game as it was read."""
        self._follow_remarks()
        if isinstance(self.decreed, MatchForfeited) and self.result is None:
            self.entries.append(Act(self.decreed))
            self.decreed = None
        return GameRecord(tuple(self.entries), self.start, self.light_score, self.dark_score, self.result)


def _legal_play(
    board: Position, side: Side, roll: Roll, play: Play, rules: MovementRules
) -> LegalPlay | None:
    """What moves in any spelling are as a legal play from a board, if they are one."""
    moves = carry_out(board, side, play, rules)
    if not moves.refused and is_result(board, side, roll, moves.after, rules):
        return LegalPlay.known(play_between(board, side, roll, moves.after, rules) or (), moves.after)
    for spelling in dict.fromkeys((moves.play, play)):
        try:
            return resolve(board, side, roll, spelling, rules)
        except NotationError:
            continue
    return None


def _end_events(game: GameBuilder, winner: Side, points: int) -> tuple[list[RulesEvent], int]:
    """What ended the game that is not over on the board, and the points it counts."""
    loser = winner.opponent
    score = game.light_score if winner is Side.LIGHT else game.dark_score
    needed = None if game.length is None else game.length - score
    match_won = needed is not None and points >= needed

    def counts(value: int) -> bool:
        return points in told_points(value, needed, game.length)

    if game.offered is not None and counts(game.cube.value):
        return [Passed(loser)], points
    if game.offered is not None or (not game.ply and game.mover is None):
        return [GameAwarded(winner, points)], points
    if game.profile.resign.form is ResignForm.FREE_POINTS:
        return [Resigned(loser, points), ResignationAccepted(winner)], points
    values = [game_value(level, game.cube, game.profile).points for level in Level]
    for level, value in zip(Level, values, strict=True):
        if counts(value):
            return [Resigned(loser, level.value), ResignationAccepted(winner)], points
    if match_won and needed is not None and needed <= values[-1] <= points:
        return [Resigned(loser, Level.BACKGAMMON.value), ResignationAccepted(winner)], values[-1]
    if match_won and needed is not None and values[-1] < needed:
        return [MatchForfeited(loser)], needed
    return [GameAwarded(winner, points)], points


def all_remarks(told: Iterable[str], games: Iterable[GameBuilder]) -> tuple[str, ...]:
    """The remarks of a file and those that reading its games gave, each once: a file of ours has them already.

    Those of ours about a turn stay as often as they are told: a player may have tried the same thing twice.
    """
    kept: list[str] = []
    known: set[str] = set()
    for remark in told:
        if remark not in known or is_about_turn(remark):
            kept.append(remark)
            known.add(remark)
    found = dict.fromkeys(remark for game in games for remark in game.remarks)
    return (*kept, *(remark for remark in found if remark not in known))
