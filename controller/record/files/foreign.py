"""Matches from files of other programs: their terms, and games built up from what the files tell.

Every play is checked by the rules core as it is added. One that is not legal becomes an illegal play that was
left standing, with the position it leads to as far as it can be carried out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from controller.errors import UserError
from controller.record.files.games import game_name, game_profile
from controller.record.files.limits import AUTOMATIC, BEGINS, COMMON
from controller.record.files.match_text import MatchFileError
from controller.record.match.corrections import carry_out, with_verdict
from controller.record.match.match import Act, Entry, GameRecord, MatchRecord, RecordedResult, Turn
from controller.record.match.playthrough import RecordFault, moments
from controller.rules import (
    Form,
    Play,
    Position,
    Profile,
    Reason,
    Roll,
    Side,
    Terms,
    first_position,
    format_play,
    is_result,
    judge,
    load_profile,
    play_between,
    profile_names,
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
from controller.rules.moves.plays import resolve
from controller.rules.notation import NotationError
from controller.rules.position import CHECKERS
from controller.rules.profile.profile import DeadCube, Layout, MatchKind, ResignForm, Tie

UNTOLD: Final = "illegal play"
"""Stands for a play of which only the position after it is known."""
LONGEST: Final = 32_767
"""The longest match that gnubg knows; a longer one is no match."""
MOST_POINTS: Final = 1_000_000
"""The highest score or result that is taken for one."""
MOST_TIES: Final = 100
"""Opening rolls of equal dice before a game that are read."""
FEW_EXPLAINED: Final = 10
"""Illegal plays that are explained in any file."""
SIZE_EXPLAINED: Final = 300
"""Characters of a file for each further one: some seven turns of both players."""


GAMES: Final = {
    Layout.NACKGAMMON: "nackgammon",
    Layout.HYPERGAMMON: "hypergammon",
    Layout.LONGGAMMON: "longgammon",
}
"""The profiles of games that differ from backgammon in their start."""


def patience_for(size: int) -> int:
    """How many illegal plays are explained in a file of so many characters or bytes."""
    return FEW_EXPLAINED + size // SIZE_EXPLAINED


def common_profile(
    *,
    crawford: bool = True,
    jacoby: bool = False,
    beaver: bool = True,
    layout: Layout = Layout.BACKGAMMON,
    cube_max: int | None = None,
) -> Profile:
    """The rules that programs go by: standard from one of the starts they know, and a dead cube may be turned."""
    standard = load_profile(GAMES.get(layout, "standard-match"))
    cube = replace(
        standard.cube,
        beaver=beaver,
        raccoon=beaver,
        jacoby=jacoby,
        max=cube_max,
        dead=DeadCube.ALLOWED,
    )
    return replace(
        standard,
        cube=cube,
        match=replace(standard.match, kind=MatchKind.EITHER, crawford=crawford),
        opening=replace(standard.opening, layout=layout),
        name=COMMON,
        title="Standard rules as programs know them",
        origins={},
    )


def check_length(length: int, where: str) -> int:
    """The points of a match. Raises MatchFileError, naming `where` it was read, if no match is so long."""
    if length > LONGEST:
        raise MatchFileError(f"{where}: a match to {length} points is longer than any; give its true length.")
    return length


def cube_limit(text: str) -> int | None:
    """The largest value of the cube as a file tells it; `None` if it tells none."""
    return int(text) if re.fullmatch(r"\d{1,7}", text) and int(text) > 1 else None


def terms_of(
    length: int, common: Profile, names: str, *, series: bool = False, games: Sequence[str] = ()
) -> Terms:
    """The terms of a file: of the profiles it names as far as they ship with the product, else the common rules.

    ``length`` is 0 for a money session, which is no series; ``names`` are as `rule_names` wrote them. A
    profile that is not known keeps its name, with the common rules, or with those of its game if ``games`` names one
    that no other program knows.

    Raises:
        MatchFileError: the games do not tell which of them an unknown profile of a series plays.
    """
    told = [name for name in names.split(", ") if name and name != COMMON]
    own = [game_profile(game) or common for game in games]
    unknown = [name for name in told if name not in profile_names()]
    if unknown and len(own) not in (0, 1, len(told)) and any(base is not common for base in own):
        raise MatchFileError(
            f"The file does not tell which of the games {', '.join(games)} has the rules {unknown[0]}; give the "
            "match as json, which holds all rules."
        )
    if len(own) != len(told):
        own = (own if len(own) == 1 else [common]) * len(told)
    profiles = [
        load_profile(name) if name in profile_names() else replace(base, name=name, title=name, origins={})
        for name, base in zip(told, own, strict=True)
    ] or [common]
    if series and length:
        return Terms.series(length, *profiles)
    form = Form.MATCH if length else Form.MONEY
    return Terms(form, length or None, tuple(profiles))


@dataclass(slots=True)
class GameBuilder:
    """One game as it is being read.

    Attributes:
        profile: the rules the plays are checked by.
        board: the position reached.
        length: the points of the match, `None` for money.
        patience: how many illegal plays are still explained; after so many the file is no record of a game, and to
            look for what may have happened would take longer than anybody waits.
    """

    profile: Profile
    board: Position
    light_score: int = 0
    dark_score: int = 0
    length: int | None = None
    patience: int = 0
    start: Position = field(init=False)
    entries: list[Entry] = field(default_factory=list)
    ply: int = 0
    cube: Cube = field(default_factory=Cube)
    offered: int | None = None
    result: RecordedResult | None = None

    def __post_init__(self) -> None:
        """The game begins on the board it is given."""
        self.start = self.board

    @classmethod
    def begin(cls, terms: Terms, number: int, light_score: int, dark_score: int, patience: int = 0) -> Self:
        """Game ``number``, counted from 0, of a match or session."""
        profile = terms.profiles[number % len(terms.profiles)]
        return cls(profile, first_position(profile), light_score, dark_score, terms.length, patience)

    def take_remarks(self, remarks: Iterable[str], number: int) -> None:
        """The start of game ``number``, counted from 0, and its automatic doubles, where remarks of ours tell them.

        Raises:
            PositionError: the start is no position.
        """
        place = f"Game {number + 1}, ply 0: "
        for remark in remarks:
            if remark.startswith(place + BEGINS):
                self.stand(Position.from_compact(remark.removeprefix(place + BEGINS)))
            elif remark.startswith(place + AUTOMATIC):
                ties = remark.removeprefix(place + AUTOMATIC)[: 4 * MOST_TIES]
                self.add_ties(re.findall(r"([1-6])-\1", ties))

    def play(self, side: Side, roll: Roll, play: Play, *, t: float | None = None) -> None:
        """A turn told by its moves, in any spelling; see `controller.rules.moves.plays.resolve`.

        A blot on a point that is named is hit, whether or not that is marked.
        """
        rules = self.profile.movement
        moves = carry_out(self.board, side, play, rules)
        if not moves.refused and is_result(self.board, side, roll, moves.after, rules):
            known = play_between(self.board, side, roll, moves.after, rules) or ()
            self._add(side, roll, known, format_play(known), moves.after, t)
            return
        for spelling in dict.fromkeys((moves.play, play)):
            try:
                legal = resolve(self.board, side, roll, spelling, rules)
            except NotationError:
                continue
            self._add(side, roll, legal.play, format_play(legal.play), legal.after, t)
            return
        self._add(side, roll, None, format_play(play), moves.after, t)

    def reach(
        self, side: Side, roll: Roll, after: Position, *, t: float | None = None, text: str = UNTOLD
    ) -> None:
        """A turn told by the position after it."""
        play = None
        if is_result(self.board, side, roll, after, self.profile.movement):
            play = play_between(self.board, side, roll, after, self.profile.movement) or ()
            text = format_play(play)
        self._add(side, roll, play, text, after, t)

    def _add(
        self, side: Side, roll: Roll, play: Play | None, text: str, after: Position, t: float | None
    ) -> None:
        reasons: tuple[Reason, ...] = ()
        if play is None and self.patience > 0:
            reasons = judge(self.board, side, roll, after, self.profile.movement).reasons
            self.patience -= 1
        legal = play is not None
        self.entries.append(
            Turn(
                self.ply, side, roll, play, text, legal, reasons, not legal, self.board, after, None, t, None
            )
        )
        self.ply += 1
        self.board = after

    def stand(self, board: Position) -> None:
        """The board was set: the start of the game, or what was on it when the play went on."""
        if not self.ply:
            self.start = board
        self.board = board

    def add_ties(self, dice: Sequence[str]) -> None:
        """Opening rolls of equal dice, which turn the cube where the rules say so."""
        rules = self.profile.opening
        for die in map(int, dice):
            self.entries.append(Act(OpeningRoll(die, die)))
            if rules.tie is Tie.AUTO_DOUBLE:
                self.cube = automatic_double(self.cube, self.profile.cube, rules.auto_double_limit)

    def double_automatically(self, times: int) -> None:
        """The cube was doubled before the first roll, by ties that are not told: they are taken for ones."""
        if self.profile.opening.tie is Tie.AUTO_DOUBLE:
            self.add_ties(["1"] * times)

    def add_roll(self, side: Side, roll: Roll, *, t: float | None = None) -> None:
        """A roll that was not played."""
        self.entries.append(Act(Rolled(side, roll), t))

    def add_roll_or_dance(self, side: Side, roll: Roll, *, t: float | None = None) -> None:
        """A roll of which no play is told; where nothing could be moved it is a dance."""
        codes = results(self.board, side, roll, self.profile.movement)[0]
        if codes == {self.board.code}:
            self.play(side, roll, (), t=t)
        else:
            self.add_roll(side, roll, t=t)

    def add_roll_or_forced(self, side: Side, roll: Roll) -> None:
        """A roll of which no play is told, where programs leave out plays that are forced, as gnubg takes it.

        After a turn of the same side nobody rolled: programs write so that he resigned.
        """
        last = self.entries[-1] if self.entries else None
        if isinstance(last, Turn) and last.player is side:
            return
        codes = results(self.board, side, roll, self.profile.movement)[0]
        if len(codes) == 1 and codes == results(self.board, side, roll)[0]:
            self.reach(side, roll, Position(*codes))
        else:
            self.add_roll_or_dance(side, roll)

    def double(self, side: Side, *, t: float | None = None) -> None:
        """A double, or where one waits for an answer, a beaver or raccoon."""
        event: RulesEvent
        if self.offered is None:
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
        last = self.entries[-1].event if self.entries and isinstance(self.entries[-1], Act) else None
        if self.board.off(winner) < CHECKERS and not isinstance(
            last, Passed | GameAwarded | ResignationAccepted | MatchForfeited
        ):
            events, points = self._end_events(winner, points)
            self.entries += [Act(event) for event in events]
        self.result = RecordedResult(winner, points)

    def concede(self, loser: Side, points: int | None, level: int | None = None) -> None:
        """The loser's word that the game is lost, for points, or at a level, or for a single game."""
        if self.result is None:
            self.wins(loser.opponent, points or (level or 1) * self.cube.value)

    def needed(self, side: Side) -> int | None:
        """The points that a side needs to win the match; `None` for money."""
        return (
            None
            if self.length is None
            else self.length - (self.light_score if side is Side.LIGHT else self.dark_score)
        )

    def _end_events(self, winner: Side, points: int) -> tuple[list[RulesEvent], int]:
        """What ended the game that is not over on the board, and the points it counts."""
        loser, needed = winner.opponent, self.needed(winner)
        match_won = needed is not None and points >= needed
        if self.offered is not None and (
            points == self.cube.value or (points == needed and points < self.cube.value)
        ):
            return [Passed(loser)], points
        if self.offered is not None or not self.ply:
            return [GameAwarded(winner, points)], points
        if self.profile.resign.form is ResignForm.FREE_POINTS:
            return [Resigned(loser, points), ResignationAccepted(winner)], points
        values = [game_value(level, self.cube, self.profile).points for level in Level]
        for level, value in zip(Level, values, strict=True):
            if value == points or (points == needed and value > points):
                return [Resigned(loser, level.value), ResignationAccepted(winner)], points
        if match_won and needed is not None and values[-1] >= needed:
            return [Resigned(loser, Level.BACKGAMMON.value), ResignationAccepted(winner)], values[-1]
        if match_won and needed is not None:
            return [MatchForfeited(loser)], needed
        return [GameAwarded(winner, points)], points

    def record(self) -> GameRecord:
        """The game as it was read."""
        return GameRecord(tuple(self.entries), self.start, self.light_score, self.dark_score, self.result)


def settle_results(match: MatchRecord) -> MatchRecord:
    """The match with the endings and workings of its results, where the rules come to the same result.

    A result that is capped at what the winner needed keeps its points. One that is left out where the game is over
    is put in.
    """
    games, finished = list(match.games), 0
    for moment in moments(match):
        if moment.entry is not None:
            continue
        result = games[moment.game].result
        if len(moment.match.results) > finished and (result is None or not moment.objections):
            settled = RecordedResult.of(moment.match.results[-1])
            if result is not None and settled.points != result.points:
                settled = replace(result, ending=settled.ending)
            games[moment.game] = replace(games[moment.game], result=settled)
        finished = len(moment.match.results)
    return replace(match, games=tuple(games))


def odd_results(match: MatchRecord) -> int:
    """How many results the rules would have otherwise."""
    return sum(
        objection.fault is RecordFault.RESULT for moment in moments(match) for objection in moment.objections
    )


def rejudge(match: MatchRecord, profile: Profile) -> MatchRecord:
    """The same match with every turn judged by other rules.

    Raises:
        UserError: if they are rules of another game than a game of the match.
    """
    for number in range(len(match.games)):
        own = match.profile(number)
        if not profile.movement.is_sister_of(own.movement):
            played = game_name(own.movement.variant)
            raise UserError(
                f"Game {number + 1} of the match is {played}, and {profile.name} are rules of "
                f"{game_name(profile.movement.variant)}: they cannot judge it. Name rules of {played}, or none."
            )
    series = match.terms.form is Form.SERIES
    terms = Terms.series(match.length, profile) if series else replace(match.terms, profiles=(profile,))
    games = tuple(
        replace(game, entries=tuple(_judge_by(entry, profile) for entry in game.entries))
        for game in match.games
    )
    return replace(match, terms=terms, games=games)


def _judge_by(entry: Entry, profile: Profile) -> Entry:
    if not isinstance(entry, Turn) or not entry.counts:
        return entry
    verdict = judge(entry.before, entry.player, entry.roll, entry.after, profile.movement)
    text = format_play(verdict.play) if verdict.play is not None and entry.play is None else entry.text
    return with_verdict(replace(entry, text=text), verdict)
