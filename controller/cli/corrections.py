"""``pointsman correct``: what the director puts right in a recorded match."""

import datetime
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from controller.record.files.match_text import header_text
from controller.record.journal.journal import Event, Journal
from controller.record.match.corrections import CorrectionError, Director, game_of_ply
from controller.record.match.history import Correction, read_history
from controller.rules.explain import explain
from controller.rules.position import Roll, Side

MatchName = Annotated[
    str, typer.Argument(metavar="MATCH", help="The match; `pointsman journal matches` lists them.")
]
Ply = Annotated[int, typer.Argument(metavar="PLY", help="Number of the turn in its game, from 0.")]
PlyOrNone = Annotated[int | None, typer.Option("--ply", help="Number of the turn in its game, from 0.")]
InJournal = Annotated[Path, typer.Option("--journal", help="The journal the match is in.")]
GameNumber = Annotated[
    int | None, typer.Option("--game", help="Number of the game, from 1, where the ply does not tell.")
]
By = Annotated[str, typer.Option("--by", help="Who puts it right.")]
Why = Annotated[str, typer.Option("--why", help="The reason.")]

JOURNAL = Path("journal.db")


def add_to(app: typer.Typer) -> None:
    """Add the director's commands."""
    correct_app = typer.Typer(
        no_args_is_help=True,
        help="Put right what was recorded. Nothing is overwritten, and `revoke` takes a correction back.",
    )
    for name, command in (
        ("list", listed),
        ("undo", undo),
        ("play", play),
        ("roll", roll),
        ("cube", cube),
        ("score", score),
        ("result", result),
        ("void", void),
        ("ruling", ruling),
        ("revoke", revoke),
    ):
        correct_app.command(name)(command)
    app.add_typer(correct_app, name="correct")


@dataclass(frozen=True, slots=True)
class _Desk:
    """A director at work on one match."""

    director: Director

    def game(self, number: int | None, ply: int | None) -> int:
        """The game that is meant."""
        history = self.director.history()
        if number is not None:
            return number
        if ply is not None:
            return game_of_ply(history, ply)
        if len(history.games) == 1:
            return 1
        raise CorrectionError(f"The match has {len(history.games)} games; say which with --game.")

    def done(self, event: Event, text: str) -> None:
        """Tell what was done, and how to take it back."""
        sys.stdout.write(f"Correction {event.id}: {text}\n")

    def turn(self, event: Event, game: int, ply: int) -> None:
        """Tell how a turn reads now, and whether the next one fits it."""
        played = list(self.director.history().games[game - 1].record().played)
        place = next(number for number, turn in enumerate(played) if turn.ply == ply)
        turn = played[place]
        verdict = "legal" if turn.legal else "ILLEGAL, stands: " + " ".join(map(explain, turn.reasons))
        self.done(event, f"game {game}, ply {ply}, {turn.player} {turn.roll} {turn.text}, {verdict}")
        if place + 1 < len(played) and played[place + 1].before != turn.after:
            sys.stderr.write(
                f"Mind: ply {played[place + 1].ply} begins from another position; put that right as well.\n"
            )


@contextmanager
def _desk(journal: Path, match: str, by: str) -> Iterator[_Desk]:
    Journal(journal, read_only=True).close()
    with Journal(journal) as opened:
        yield _Desk(Director(opened, match, _now, by))


def listed(match: MatchName, journal: InJournal = JOURNAL) -> None:
    """List the corrections of a match with their numbers."""
    with Journal(journal, read_only=True) as opened:
        history = read_history(opened, match)
        games = {game.event: number for number, game in enumerate(history.games, start=1)}
        for each in history.corrections:
            sys.stdout.write(_line(each, games) + "\n")


def undo(
    match: MatchName,
    ply: Annotated[int | None, typer.Argument(metavar="[PLY]", help="Else the last one.")] = None,
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Take back a ply and everything after it in its game."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, ply)
        desk.done(
            desk.director.undo(number, ply, why), f"game {number} goes on from ply {_next(desk, number)}"
        )


def play(
    match: MatchName,
    ply: Ply,
    text: Annotated[
        str, typer.Argument(metavar="PLAY", help='Such as "8/5 6/5", or the compact position after it.')
    ],
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Say what was really played; it is judged with the recorded roll."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, ply)
        desk.turn(desk.director.change_play(number, ply, text, why), number, ply)


def roll(
    match: MatchName,
    ply: Ply,
    dice: Annotated[str, typer.Argument(metavar="ROLL", help="Such as 31 or 3-1.")],
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Say what was really rolled; the play is judged anew."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, ply)
        desk.turn(desk.director.change_roll(number, ply, _roll(dice), why), number, ply)


def cube(
    match: MatchName,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]", help="Such as: double take, double drop, double beaver take."),
    ] = None,
    ply: PlyOrNone = None,
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Say what was done with the cube before a ply (else at the end); no words if it was left alone."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, ply)
        done = desk.director.change_cube(number, ply, tuple(words or ()), why)
        place = "after the last ply" if ply is None else f"before ply {ply}"
        desk.done(done, f"game {number}, {place}: {' '.join(words or ()) or 'nothing with the cube'}")


def score(
    match: MatchName,
    light: Annotated[int, typer.Argument(help="Points of light before the game.")],
    dark: Annotated[int, typer.Argument(help="Points of dark.")],
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Set the score before a game."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, None)
        desk.done(
            desk.director.change_score(number, light, dark, why),
            f"game {number} begins at light {light}, dark {dark}",
        )


def result(
    match: MatchName,
    winner: Annotated[str, typer.Argument(help="light, dark, or none if the game is not over.")],
    points: Annotated[int, typer.Argument(help="What the winner scores, the cube counted in.")] = 0,
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Say who won a game, and how many points."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, None)
        side = _side(winner)
        done = desk.director.change_result(number, side, points, why)
        told = "is not over" if side is None else f"was won by {side}, {points} points"
        desk.done(done, f"game {number} {told}")


def void(
    match: MatchName,
    game: Annotated[int, typer.Argument(metavar="GAME", help="Number of the game, from 1.")],
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Take a whole game out of the match; the scores before later games stay as they are."""
    with _desk(journal, match, by) as desk:
        desk.done(desk.director.void(game, why), f"game {game} does not count")


def ruling(
    match: MatchName,
    text: Annotated[str, typer.Argument(help="What was decided.")],
    ply: PlyOrNone = None,
    game: GameNumber = None,
    journal: InJournal = JOURNAL,
    by: By = "",
) -> None:
    """Mark a ruling on a ply, or on a game as it stands."""
    with _desk(journal, match, by) as desk:
        number = desk.game(game, ply)
        done = desk.director.rule(number, ply, text)
        desk.done(
            done, f"ruling on game {number}{'' if ply is None else f', ply {ply}'}: {header_text(text)}"
        )


def revoke(
    match: MatchName,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="A number of `pointsman correct list`.")],
    journal: InJournal = JOURNAL,
    by: By = "",
    why: Why = "",
) -> None:
    """Take back a correction."""
    with _desk(journal, match, by) as desk:
        desk.done(desk.director.revoke(number, why), f"correction {number} is taken back")


def _line(correction: Correction, games: Mapping[int, int]) -> str:
    known = {"action", "game", "by", "why", "turn", "acts", "replaces", "from", "of", "before"}
    more = {name: value for name, value in correction.payload.items() if name not in known}
    if isinstance(turn := correction.payload.get("turn"), dict):
        more |= {"ply": turn["ply"], "dice": turn["dice"], "move": turn["move"]}
    parts = [f"{correction.event}", correction.utc, str(correction.action)]
    if "game" in correction.payload:
        number = games.get(correction.payload["game"])
        parts.append("of a void game" if number is None else f"game={number}")
    parts += [f"{name}={value}" for name, value in more.items()]
    parts += [f"by {correction.by}"] if correction.by else []
    parts += [f"({correction.why})"] if correction.why else []
    parts += [f"taken back by {correction.revoked}"] if correction.revoked is not None else []
    return header_text("  ".join(parts))


def _next(desk: _Desk, game: int) -> int:
    played = list(desk.director.history().games[game - 1].record().played)
    return played[-1].ply + 1 if played else 0


def _roll(text: str) -> Roll:
    digits = [char for char in text if char not in "-, "]
    if len(digits) != 2 or not all(char in "123456" for char in digits):
        raise CorrectionError(f"{text!r} is no roll; give two numbers from 1 to 6, as 31 or 3-1.")
    return Roll.of(int(digits[0]), int(digits[1]))


def _side(text: str) -> Side | None:
    if text == "none":
        return None
    if text not in tuple(Side):
        raise CorrectionError(f"{text!r} is no player; say light, dark or none.")
    return Side(text)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
