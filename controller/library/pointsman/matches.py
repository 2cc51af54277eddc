"""Match files of other programs and our own, in and out."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, SupportsIndex

from controller.errors import UserError, short_repr
from controller.rules.position import Roll, Side
from controller.rules.profile.profile import Profile
from pointsman.board import Board
from pointsman.engines import NAMES, engine_of, plies_of
from pointsman.judging import Reason
from pointsman.position import MOST_POINTS, Position
from pointsman.spelling import name_of, path_of, row_of, text_of, truth_of, whole_from
from pointsman.value import Value

if TYPE_CHECKING:  # loaded where a file is read: `import pointsman` stays quick
    from controller.record.match.match import GameRecord, MatchRecord
    from controller.record.match.match import Turn as TurnRecord
    from controller.record.match.playthrough import Moment

JOURNAL: Final = "journal.db"
SUFFIXES: Final = {"mat": "mat", "txt": "text", "html": "html", "sgf": "sgf", "ogxm": "ogxm", "json": "json"}
"""What is written into a file by how its name ends."""


class Turn(Value):
    """One turn of a recorded game.

    Attributes:
        player: whose turn it was.
        roll: the dice.
        play: the play in notation.
        legal: what the judge says; `None` where nobody confirmed what was played.
        reasons: the rules that were broken; empty if legal.
        before: the position before it, with cube and score; `after` the one after it.
    """

    __slots__ = ("_record", "after", "before", "legal", "play", "player", "reasons", "roll")

    player: Side
    roll: Roll
    play: str
    legal: bool | None
    reasons: tuple[Reason, ...]
    before: Position
    after: Position

    def __init__(self, record: "TurnRecord", before: Position) -> None:
        """Of a recorded turn and the position it began in."""
        self._record = record
        self.player, self.roll, self.play = record.player, record.roll, record.text
        self.legal, self.reasons = record.legal, tuple(map(Reason, record.reasons))
        self.before = before
        self.after = before.handed_over(record.after)

    def __str__(self) -> str:
        """Such as `light 3-1: 8/5 6/5`."""
        return f"{self.player} {self.roll}: {self.play}"

    def __repr__(self) -> str:
        """The turn in short."""
        return f"<Turn {self}>"


class Game(Value):
    """One game of a match.

    Attributes:
        number: which it is, from 1.
        start: the position it began with.
        turns: the turns that count, in their order.
        score: the points of light and of dark before it.
        winner: who won it; `None` if it was broken off, or nobody won.
        points: what the winner scored, 0 without one.
    """

    __slots__ = ("number", "points", "score", "start", "turns", "winner")

    number: int
    start: Position
    turns: tuple[Turn, ...]
    score: tuple[int, int]
    winner: Side | None
    points: int

    def __init__(self, number: int, record: "GameRecord", start: Position, turns: Iterable[Turn]) -> None:
        """Of a recorded game."""
        self.number, self.start, self.turns = number, start, tuple(turns)
        self.score = (record.light_score, record.dark_score)
        won = record.result is not None and not record.result.is_drawn
        self.winner = record.result.winner if record.result is not None and won else None
        self.points = record.result.points if record.result is not None else 0

    def __repr__(self) -> str:
        """The game in short."""
        return f"<Game {self.number}: {len(self.turns)} turns>"


class Match(Value):
    """A match, a money session or a series of games, as it is recorded. Read one with `read_match`."""

    def __init__(self, record: "MatchRecord") -> None:
        """Of the record of `controller.record`; see also `of`."""
        self._record = record

    @classmethod
    def of(
        cls,
        boards: Board | Iterable[Board],
        light: str = "",
        dark: str = "",
        length: SupportsIndex | None = None,
    ) -> "Match":
        """The match of games that were played on boards, each push with its roll.

        Args:
            boards: one board for each game, in their order. Where a position that one began with has a length or a
                score, the match has them, too.
            light: the name of the player of the light checkers; `dark` that of the other.
            length: the points that win; 0 for a money session. Without it, that of the boards' positions.

        Raises:
            UserError: the roll of a play is not known, there is no board, or a board began with a cube or at a score
                that a match does not have there.
        """
        from controller.record.files.foreign import settle_results
        from controller.record.match.match import GameRecord, MatchRecord, RecordError
        from controller.rules.game.match import Form, Terms

        played = _boards(boards)
        if not played:
            raise RecordError("A match needs at least one board that it was played on.")
        points = _length(played, length)
        terms = Terms(
            Form.MATCH if points else Form.MONEY, points or None, _profiles(board.start for board in played)
        )
        record = MatchRecord(_name(light, "light"), _name(dark, "dark"), terms)
        score = dict(zip(Side, played[0].start.score, strict=True))
        for board in played:
            start = board.start.checkers
            game = GameRecord(_turns(board), start, score[Side.LIGHT], score[Side.DARK])
            record = settle_results(replace(record, games=(*record.games, game)))
            if result := record.games[-1].result:
                score[result.winner] += result.points
        match = cls(record)
        for board, written in zip(played, match.games, strict=True):
            _refuse_other_start(board, written)
        return match

    def _told(self) -> object:
        return self.light, self.dark, self.length, self.games, self.remarks

    @property
    def light(self) -> str:
        """The name of the player of the light checkers."""
        return self._record.light

    @property
    def dark(self) -> str:
        """The name of the player of the dark checkers."""
        return self._record.dark

    @property
    def length(self) -> int:
        """The points that win; 0 for a money session."""
        return self._record.length

    @property
    def record(self) -> "MatchRecord":
        """The record of `controller.record`; not part of the stable library."""
        return self._record

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that came with the file and that nothing else tells."""
        return self._record.remarks

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The games in their order."""
        from controller.record.match.playthrough import by_game, moment_state, moments

        games = []
        for number, played in enumerate(by_game(moments(self._record))):
            record, profile = self._record.games[number], self._record.profile(number)
            turns = [
                Turn(moment.entry, Position(moment.entry.before, moment_state(moment), profile))
                for moment in played
                if isinstance(moment.entry, _turn_type())
            ]
            start = turns[0].before.with_roll(None) if turns else _unplayed(record, played[0], profile)
            games.append(Game(number + 1, record, start, turns))
        return tuple(games)

    def text(self, form: str = "mat") -> str:
        """The match in a form: `mat`, `sgf`, `snowie`, `json`, `text` or `html`. Raises UserError."""
        return self._data(form).decode("utf-8")

    def write(self, path: str | Path, form: str | None = None, *, overwrite: bool = False) -> Path:
        """Write the match into a file, and return its path.

        Args:
            path: where to; how it ends says what is written: `.mat`, `.sgf`, `.ogxm`, `.json`, `.txt`, `.html`.
            form: what to write, if the name does not tell: these, or `snowie`.
            overwrite: whether a file that is there may be replaced. A journal never is.

        Raises:
            UserError: the form is not known, cannot hold this game, or the file cannot be written.
        """
        from controller.record.table.destination import refuse_loss

        path = path_of(path, "the match file")
        named = SUFFIXES.get(path.suffix.removeprefix(".").lower(), path.suffix) if form is None else form
        data = self._data(named)
        refuse_loss(path)
        if path.exists() and not truth_of(overwrite, "overwrite"):
            raise UserError(f"{path} is there already; choose another name, or give overwrite=True.")
        try:
            path.write_bytes(data)
        except OSError as error:
            raise UserError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
        return path

    def ratings(
        self,
        engine: str = "gnubg",
        plies: SupportsIndex = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[Side, float | None]:
        """How well each side played, as a performance rating: 0 is perfect, world champions have about 3.

        Args:
            engine: one of `engines`.
            plies: how far it looks ahead, 0 to 3; each takes some twenty times as long as the one before.
            progress: is told how many decisions of how many are judged.

        Raises:
            UserError: the engine is not installed, or does not know the game.
        """
        from controller.analysis import bgsage, gnubg

        ask = bgsage.analyse if engine_of(engine, NAMES) == "bgsage" else gnubg.analyse
        found = ask(self._record, progress or _ignore, plies_of(plies))
        return {side: found.skill(side).pr for side in Side}

    def __repr__(self) -> str:
        """Who played, to how many points, and how many games there are."""
        points = f"to {self.length}" if self.length else "for money"
        return f"<Match {self.light or 'light'} - {self.dark or 'dark'} {points}, {len(self._record.games)} games>"

    def _data(self, form: str) -> bytes:
        from controller.record.files.formats import Format, format_match

        if not isinstance(form, str) or form not in list(Format):
            raise UserError(
                f"The form {short_repr(form)} is not one of {', '.join(Format)}; name one of them."
            )
        return format_match(self._record, Format(form))


def read_match(path: str | Path, encoding: str | None = None) -> Match:
    """The match in a file, whatever program wrote it: `.mat`, SGF, OGXM, XG, BGBlitz, our JSON or a journal.

    Args:
        path: a match file, a journal, or the folder of a match.
        encoding: that of a text which is not UTF-8, if it is known.

    Raises:
        UserError: the file cannot be read, or is no match.
    """
    from controller.record.files.formats import SQLITE, read_match_file
    from controller.record.files.match_text import check_encoding

    path = path_of(path, "the match file")
    if encoding is not None:
        encoding = check_encoding(name_of(encoding, "The encoding", '"windows-1250"'))
    if path.is_dir():
        path = path / JOURNAL
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file; check the path.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}); give a match file.") from None
    if data.startswith(SQLITE):
        return _from_journal(path)
    return Match(read_match_file(data, str(path), encoding))


def _from_journal(path: Path) -> Match:
    from controller.record import Journal
    from controller.record.journal.soundness import newest_copy
    from controller.record.match.match_log import read_match as read_from

    with Journal(newest_copy(path), read_only=True) as journal:
        names = journal.matches()
        if len(names) != 1:
            raise UserError(f"{path} holds {len(names)} matches, not one; write one with pointsman export.")
        return Match(read_from(journal, names[0]))


def _ignore(done: int, of: int) -> None:
    """Of nobody's interest."""


def _turn_type() -> "type[TurnRecord]":
    from controller.record.match.match import Turn as TurnRecord

    return TurnRecord


def _unplayed(record: "GameRecord", first: "Moment", profile: Profile) -> Position:
    """The start of a game without a turn; the moment of its result, if it has one, is in the game after it."""
    from controller.record.match.playthrough import moment_state

    state = replace(moment_state(first), score=(record.light_score, record.dark_score))
    return Position(record.start, state, profile)


def _profiles(starts: Iterable[Position]) -> tuple[Profile, ...]:
    """The rules of the games: one, where all are played by the same."""
    profiles = [start.profile for start in starts]
    return tuple(profiles) if len({profile.name for profile in profiles}) > 1 else (profiles[0],)


def _name(name: str, side: str) -> str:
    return text_of(name, f"The name of {side}", '"Anna"')


def _boards(boards: Board | Iterable[Board]) -> list[Board]:
    """The boards of the games. Raises UserError."""
    if isinstance(boards, Board):
        return [boards]
    played = row_of(boards, "The games must be a Board, or a row of boards")
    for board in played:
        if not isinstance(board, Board):
            raise UserError(f"The games hold {short_repr(board)}, but must hold a Board for each game.")
    return played


def _length(boards: Iterable[Board], length: SupportsIndex | None) -> int:
    """The points that win: those that are given, or those that the positions of the boards tell. Raises UserError."""
    if length is not None:
        return whole_from(length, "The length of the match", 0, MOST_POINTS)
    return next((board.start.length for board in boards if board.start.length), 0)


def _refuse_other_start(board: Board, game: Game) -> None:
    """Raise UserError where a board began with a cube or at a score that its game in the match does not have."""
    told, kept = board.start, game.start
    if (told.cube, told.cube_owner) != (kept.cube, kept.cube_owner):
        owner = f" with {told.cube_owner}" if told.cube_owner else ""
        raise UserError(
            f"Board {game.number} began with the cube on {told.cube}{owner}, and how it came there cannot be written "
            "down; begin a game that is to be written with the cube in the middle, on 1."
        )
    if not told.length and not any(told.score):
        return  # Nothing was said of a score.
    if (told.score, told.length) != (kept.score, kept.length):
        raise UserError(
            f"Board {game.number} began at {_standing(told.score, told.length)}, but its game in the match begins at "
            f"{_standing(kept.score, kept.length)}; give both the same."
        )
    if max(told.score) >= told.length > 0:
        at = _standing(told.score, told.length)
        raise UserError(
            f"Board {game.number} began at {at}, when the match was over; give the score before the game."
        )
    if told.length > 1 and told.is_crawford is not kept.is_crawford:
        is_it = "is" if kept.is_crawford else "is not"
        raise UserError(
            f"Board {game.number}, at {_standing(told.score, told.length)}, {is_it} the Crawford game of the match; "
            f"begin it with_score(..., crawford={kept.is_crawford})."
        )


def _standing(score: tuple[int, int], length: int) -> str:
    points = f"{score[0]}-{score[1]}"
    return f"{points} to {length}" if length else f"{points} for money"


def _turns(board: Board) -> "tuple[TurnRecord, ...]":
    turns = []
    for ply, play in enumerate(board.plays):
        if play.roll is None:
            raise UserError(
                f"Play {ply + 1}, {play}, fits several rolls; push it with its roll, so that it can be written down."
            )
        before, after = play.before.checkers, play.after.checkers
        turns.append(
            _turn_type()(
                ply,
                play.before.turn,
                play.roll,
                play=play.moves,
                text=str(play),
                legal=True,
                reasons=(),
                stands=False,
                before=before,
                after=after,
            )
        )
    return tuple(turns)
