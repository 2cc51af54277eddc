"""Match files of other programs and our own, in and out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.errors import UserError
from controller.rules.position import Position as Checkers
from controller.rules.position import Roll, Side
from controller.rules.profile.profile import Profile
from pointsman.board import Board
from pointsman.engines import NAMES
from pointsman.judging import Reason
from pointsman.position import Position

if TYPE_CHECKING:  # loaded where a file is read: `import pointsman` stays quick
    from controller.record.match.match import GameRecord, MatchRecord
    from controller.record.match.match import Turn as TurnRecord

JOURNAL: Final = "journal.db"
SUFFIXES: Final = {"mat": "mat", "txt": "text", "html": "html", "sgf": "sgf", "ogxm": "ogxm", "json": "json"}
"""What is written into a file by how its name ends."""


class Turn:
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


class Game:
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


class Match:
    """A match, a money session or a series of games, as it is recorded. Read one with `read_match`."""

    def __init__(self, record: "MatchRecord") -> None:
        """Of the record of `controller.record`; see also `of`."""
        self._record = record

    @classmethod
    def of(cls, boards: Board | Sequence[Board], light: str = "", dark: str = "", length: int = 0) -> "Match":
        """The match of games that were played on boards, each push with its roll.

        Args:
            boards: one board for each game, in their order.
            light: the name of the player of the light checkers; `dark` that of the other.
            length: the points that win; 0 for a money session.

        Raises:
            UserError: the roll of a play is not known, or there is no board.
        """
        from controller.record.files.foreign import settle_results
        from controller.record.match.match import GameRecord, MatchRecord, RecordError
        from controller.rules.game.match import Form, Terms

        played = [boards] if isinstance(boards, Board) else list(boards)
        if not played:
            raise RecordError("A match needs at least one board that it was played on.")
        terms = Terms(
            Form.MATCH if length else Form.MONEY, length or None, _profiles(board.start for board in played)
        )
        record = MatchRecord(light, dark, terms)
        score = dict.fromkeys(Side, 0)
        for board in played:
            start = board.start.checkers
            game = GameRecord(_turns(board), start, score[Side.LIGHT], score[Side.DARK])
            record = settle_results(replace(record, games=(*record.games, game)))
            if result := record.games[-1].result:
                score[result.winner] += result.points
        return cls(record)

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
            start = turns[0].before.with_roll(None) if turns else None
            games.append(Game(number + 1, record, start or _start(record.start, profile), turns))
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

        path = Path(path)
        data = self._data(form or SUFFIXES.get(path.suffix.removeprefix(".").lower(), path.suffix))
        refuse_loss(path)
        if path.exists() and not overwrite:
            raise UserError(f"{path} is there already; choose another name, or give overwrite=True.")
        try:
            path.write_bytes(data)
        except OSError as error:
            raise UserError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
        return path

    def ratings(
        self,
        engine: str = "gnubg",
        plies: int = 0,
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

        if engine not in NAMES:
            raise UserError(f'There is no engine "{engine}"; take {" or ".join(NAMES)}.')
        ask = bgsage.analyse if engine == "bgsage" else gnubg.analyse
        found = ask(self._record, progress or _ignore, plies)
        return {side: found.skill(side).pr for side in Side}

    def __repr__(self) -> str:
        """Who played, to how many points, and how many games there are."""
        points = f"to {self.length}" if self.length else "for money"
        return f"<Match {self.light or 'light'} - {self.dark or 'dark'} {points}, {len(self._record.games)} games>"

    def _data(self, form: str) -> bytes:
        from controller.record.files.formats import Format, format_match

        if form not in list(Format):
            raise UserError(f"The form {form!r} is not one of {', '.join(Format)}; name one of them.")
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

    path = Path(path)
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


def _start(checkers: Checkers, profile: Profile) -> Position:
    return Position.start(profile).handed_over(checkers).with_turn(Side.LIGHT)


def _profiles(starts: Iterable[Position]) -> tuple[Profile, ...]:
    """The rules of the games: one, where all are played by the same."""
    profiles = [start.profile for start in starts]
    return tuple(profiles) if len({profile.name for profile in profiles}) > 1 else (profiles[0],)


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
