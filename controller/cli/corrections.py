"""``pointsman correct``: what the director puts right in a recorded match."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Final

import typer

from controller.cli.matches import ChosenMatch, read_number, split_words
from controller.cli.options import MatchId, OldJournal
from controller.cli.output import note, put, utc_now
from controller.messages.game_words import offence_words
from controller.record.files.match_text import header_text
from controller.record.journal.journal import Event, Journal
from controller.record.match.corrections import CUBE_WORDS, CorrectionError, Director, game_of_ply
from controller.record.match.history import Correction, read_history
from controller.rules.position import Roll, Side

NAMING: Final = "MATCH is a match folder or its journal.db, and may be left out for the newest match."
WINNERS: Final = (*Side, "none")


def _words(usage: str, meaning: str = "") -> Any:
    """The words of a command: they may begin with a match."""
    told = f"{meaning} {NAMING}".strip()
    return typer.Argument(metavar=usage, help=told, show_default=False)


Ply = Annotated[
    int | None, typer.Option("--ply", metavar="PLY", help="Number of the turn in its game, from 0.")
]
GameNumber = Annotated[
    int | None,
    typer.Option("--game", metavar="GAME", help="Number of the game, from 1, where the ply does not tell."),
]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who corrects it.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")]


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
        put(f"Correction {event.id}: {text}")

    def turn(self, event: Event, game: int, ply: int) -> None:
        """Tell how a turn reads now, and whether the next one fits it."""
        played = list(self.director.history().games[game - 1].record().played)
        place = next(number for number, turn in enumerate(played) if turn.ply == ply)
        turn = played[place]
        verdict = "legal" if turn.legal else "ILLEGAL, stands: " + " ".join(offence_words(turn.reasons))
        self.done(event, f"game {game}, ply {ply}, {turn.player} {turn.roll} {turn.text}, {verdict}")
        if place + 1 < len(played) and played[place + 1].before != turn.after:
            note(f"Note: ply {played[place + 1].ply} begins from another position; correct that too.")


@contextmanager
def _desk(chosen: ChosenMatch, by: str) -> Iterator[_Desk]:
    Journal(chosen.journal, read_only=True).close()
    with Journal(chosen.journal) as opened:
        yield _Desk(Director(opened, chosen.name_in(opened), utc_now, by))


def list_corrections(
    words: Annotated[list[str] | None, _words("[MATCH]")] = None,
    match: MatchId = None,
    journal: OldJournal = None,
) -> None:
    """List the corrections of a match with their numbers."""
    chosen, _ = split_words(words or (), (0, 0), match, journal)
    with Journal(chosen.journal, read_only=True) as opened:
        history = read_history(opened, chosen.name_in(opened))
        games = {game.event: number for number, game in enumerate(history.games, start=1)}
        for each in history.corrections:
            put(_line(each, games))


def undo(
    words: Annotated[list[str] | None, _words("[MATCH] [PLY]", "Without PLY the last turn.")] = None,
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Take back a turn and everything after it in its game."""
    chosen, own = split_words(words or (), (0, 1), match, journal, str.isdigit)
    ply = read_number(own[0], "PLY") if own else None
    with _desk(chosen, by) as desk:
        number = desk.game(game, ply)
        desk.done(
            desk.director.undo(number, ply, why), f"game {number} goes on from ply {_next(desk, number)}"
        )


def play(
    words: Annotated[
        list[str],
        _words(
            "[MATCH] PLY PLAY",
            'PLY is the number of the turn in its game, PLAY such as "8/5 6/5", or the compact position after it.',
        ),
    ],
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Say what was really played; it is judged with the recorded roll."""
    chosen, (ply, text) = split_words(words, (2, 2), match, journal)
    turn = read_number(ply, "PLY")
    with _desk(chosen, by) as desk:
        number = desk.game(game, turn)
        desk.turn(desk.director.change_play(number, turn, text, why), number, turn)


def roll(
    words: Annotated[
        list[str],
        _words(
            "[MATCH] PLY ROLL",
            "PLY is the number of the turn in its game, ROLL such as 31 or 3-1.",
        ),
    ],
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Say what was really rolled; the play is judged again."""
    chosen, (ply, dice) = split_words(words, (2, 2), match, journal)
    turn = read_number(ply, "PLY")
    with _desk(chosen, by) as desk:
        number = desk.game(game, turn)
        desk.turn(desk.director.change_roll(number, turn, _roll(dice), why), number, turn)


def cube(
    words: Annotated[
        list[str] | None,
        _words(
            "[MATCH] [WORDS]...",
            "WORDS such as: double take, double drop, double beaver take; none if the cube was left alone.",
        ),
    ] = None,
    ply: Ply = None,
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Say what was done with the cube before a turn, or at the end of the game without --ply."""
    chosen, own = split_words(words or (), (0, inf), match, journal, CUBE_WORDS.__contains__)
    with _desk(chosen, by) as desk:
        number = desk.game(game, ply)
        done = desk.director.change_cube(number, ply, tuple(own), why)
        place = "after the last ply" if ply is None else f"before ply {ply}"
        desk.done(done, f"game {number}, {place}: {' '.join(own) or 'nothing with the cube'}")


def score(
    words: Annotated[
        list[str], _words("[MATCH] LIGHT DARK", "LIGHT and DARK are the points of each side before the game.")
    ],
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Set the score before a game."""
    chosen, own = split_words(words, (2, 2), match, journal)
    light, dark = read_number(own[0], "LIGHT"), read_number(own[1], "DARK")
    with _desk(chosen, by) as desk:
        number = desk.game(game, None)
        desk.done(
            desk.director.change_score(number, light, dark, why),
            f"game {number} begins at light {light}, dark {dark}",
        )


def result(
    words: Annotated[
        list[str],
        _words(
            "[MATCH] light|dark|none [POINTS]",
            "The winner, none if the game is not over, and the points scored, the cube included.",
        ),
    ],
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Say who won a game, and how many points."""
    chosen, own = split_words(words, (1, 2), match, journal, WINNERS.__contains__)
    side, points = _side(own[0]), read_number(own[1], "POINTS") if len(own) == 2 else 0
    with _desk(chosen, by) as desk:
        number = desk.game(game, None)
        done = desk.director.change_result(number, side, points, why)
        told = "is not over" if side is None else f"was won by {side}, {points} points"
        desk.done(done, f"game {number} {told}")


def void(
    words: Annotated[list[str], _words("[MATCH] GAME", "GAME is the number of the game, from 1.")],
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Take a whole game out of the match; the scores before later games stay as they are."""
    chosen, (number,) = split_words(words, (1, 1), match, journal)
    game = read_number(number, "GAME")
    with _desk(chosen, by) as desk:
        desk.done(desk.director.void(game, why), f"game {game} does not count")


def ruling(
    words: Annotated[list[str], _words("[MATCH] TEXT", "TEXT is what was decided, in quotation marks.")],
    ply: Ply = None,
    game: GameNumber = None,
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
) -> None:
    """Note a ruling on a turn, or without --ply on a game as it stands."""
    chosen, (text,) = split_words(words, (1, 1), match, journal)
    with _desk(chosen, by) as desk:
        number = desk.game(game, ply)
        done = desk.director.rule(number, ply, text)
        desk.done(
            done, f"ruling on game {number}{'' if ply is None else f', ply {ply}'}: {header_text(text)}"
        )


def revoke(
    words: Annotated[
        list[str], _words("[MATCH] NUMBER", "NUMBER is one that `pointsman correct list` shows.")
    ],
    match: MatchId = None,
    journal: OldJournal = None,
    by: By = "",
    why: Why = "",
) -> None:
    """Take back a correction."""
    chosen, (own,) = split_words(words, (1, 1), match, journal)
    number = read_number(own, "NUMBER")
    with _desk(chosen, by) as desk:
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
