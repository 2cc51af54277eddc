"""``pointsman correct``: what the director puts right in a recorded match."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from math import inf
from typing import Annotated, Any, Final

import typer

from controller.cli.evidence.seals import table_key
from controller.cli.matches import is_no_place, open_journal, read_number, read_roll, split_words
from controller.cli.options import GameNumber, MatchId
from controller.cli.output import note, put
from controller.messages.game_words import offence_words
from controller.record import Journal
from controller.record.files.match_text import one_line
from controller.record.journal.journal import JournalEvent, utc_now
from controller.record.journal.seal import SealError, SigningKey, check_seals, table_seal
from controller.record.match.corrections import CUBE_WORDS, CorrectionError, Director, game_of_ply
from controller.record.match.history import Correction, read_history
from controller.record.match.playthrough import RecordFault, objections
from controller.record.table.match_folder import is_played
from controller.rules import Side

NAMING: Final = "MATCH is a match folder or its journal.db, and may be left out for the newest match."
WINNERS: Final = (*Side, "none")
OPTIONS: Final[Mapping[str, tuple[Any, object]]] = {
    "ply": (
        Annotated[
            int | None, typer.Option("--ply", metavar="PLY", help="Number of the turn in its game, from 0.")
        ],
        None,
    ),
    "game": (GameNumber, None),
    "match": (MatchId, None),
    "by": (Annotated[str, typer.Option("--by", metavar="NAME", help="Who corrects it.")], ""),
    "why": (Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")], ""),
}
"""The options of these commands in their order, with what each is if it is not given."""


@dataclass(frozen=True, slots=True)
class _Desk:
    """A director at work on one match, and the options that were given."""

    director: Director
    ply: int | None = None
    game: int | None = None
    why: str = ""

    def number(self, ply: int | None) -> int:
        """The number of the game that is meant."""
        history = self.director.history()
        if self.game is not None:
            return self.game
        if ply is not None:
            return game_of_ply(history, ply)
        if len(history.games) == 1:
            return 1
        raise CorrectionError(f"The match has {len(history.games)} games; say which with --game.")

    def done(self, event: JournalEvent, text: str) -> None:
        """Tell what was done, and how to take it back."""
        put(f"Correction {event.id}: {text}")

    def tell_odd_result(self, game: int, remedy: str) -> None:
        """Tell if a game has another result than what was played and said in it comes to, and what to do."""
        for each in objections(self.director.history().record()):
            if each.game == game and each.fault is RecordFault.RESULT:
                note(f"Note: {each.text} {remedy}")

    def turn(self, event: JournalEvent, game: int, ply: int) -> None:
        """Tell how a turn reads now, and whether the next one fits it."""
        played = list(self.director.history().games[game - 1].record().played)
        place = next(number for number, turn in enumerate(played) if turn.ply == ply)
        turn = played[place]
        verdict = "legal"
        if turn.legal is None:
            verdict = "not confirmed"
        elif not turn.legal:
            verdict = "ILLEGAL, stands: " + " ".join(offence_words(turn.reasons))
        self.done(event, f"game {game}, ply {ply}, {turn.player} {turn.roll} {turn.text}, {verdict}")
        if place + 1 < len(played) and played[place + 1].before != turn.after:
            note(f"Note: ply {played[place + 1].ply} begins from another position; correct that too.")


def _words(usage: str, meaning: str = "") -> Any:
    """The words of a command: they may begin with a match."""
    return typer.Argument(metavar=usage, help=f"{meaning} {NAMING}".strip(), show_default=False)


def _correction(
    usage: str,
    meaning: str,
    counts: tuple[int, float],
    options: str = "game match by why",
    own: Callable[[str], bool] = is_no_place,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of what a director types at the desk; `own` as `split_words` takes it."""

    def make(correct: Callable[..., None]) -> Callable[..., None]:
        def command(words: list[str] | None, match: str | None, by: str, **given: Any) -> None:
            chosen, told = split_words(words or (), counts, match, own)
            Journal(chosen.journal, read_only=True).close()
            with Journal(chosen.journal) as opened:
                name = chosen.name_in(opened)
                key = _sealing_key(opened)
                correct(_Desk(Director(opened, name, utc_now, by), **given), *told)
                if is_played(chosen.journal.parent):
                    note(
                        "Note: a table plays this match now and does not hear of it; correct it on the page of its "
                        "director, or start the table anew."
                    )
                if key is not None:
                    *_, last = opened.events()
                    opened.append_all((table_seal(last, name, key, utc_now()),))

        parameters = [
            Parameter(
                "words",
                Parameter.KEYWORD_ONLY,
                annotation=Annotated[list[str] | None, _words(usage, meaning)],
                default=Parameter.empty if counts[0] else None,
            )
        ]
        for name in options.split():
            kind, default = OPTIONS[name]
            parameters.append(Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default))
        command.__doc__ = correct.__doc__
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command

    return make


def _sealing_key(journal: Journal) -> SigningKey | None:
    """The table's key, if it is here and has sealed all that was written so far; then a correction is sealed, too.

    Where something has no seal yet, a seal over the correction would vouch for that as well.
    """
    try:
        key = table_key(journal.path)
    except SealError as error:
        note(f"Note: {error} The correction is not sealed.")
        return None
    if key is None:
        return None
    report = check_seals(journal.events(), key.public)
    return key if report.sealed and not (report.open or report.faults) else None


def list_corrections(
    words: Annotated[list[str] | None, _words("[MATCH]")] = None,
    match: MatchId = None,
) -> None:
    """List the corrections of a match with their numbers."""
    chosen, _ = split_words(words or (), (0, 0), match)
    with open_journal(chosen.journal) as opened:
        history = read_history(opened, chosen.name_in(opened))
        games = {game.event: number for number, game in enumerate(history.games, start=1)}
        for each in history.corrections:
            put(_line(each, games))


@_correction("[MATCH] [PLY]", "Without PLY the last turn.", (0, 1), own=str.isdigit)
def undo(desk: _Desk, turn: str | None = None) -> None:
    """Take back a turn and everything after it in its game."""
    ply = None if turn is None else read_number(turn, "PLY")
    game = desk.number(ply)
    event = desk.director.undo(game, ply, desk.why)
    played = list(desk.director.history().games[game - 1].record().played)
    desk.done(event, f"game {game} goes on from ply {played[-1].ply + 1 if played else 0}")


@_correction(
    "[MATCH] PLY PLAY",
    'PLY is the number of the turn in its game, PLAY such as "8/5 6/5", or the compact position after it.',
    (2, 2),
)
def play(desk: _Desk, turn: str, text: str) -> None:
    """Say what was really played; it is judged with the recorded roll."""
    ply = read_number(turn, "PLY")
    game = desk.number(ply)
    desk.turn(desk.director.change_play(game, ply, text, desk.why), game, ply)


@_correction("[MATCH] PLY ROLL", "PLY is the number of the turn in its game, ROLL such as 31 or 3-1.", (2, 2))
def roll(desk: _Desk, turn: str, dice: str) -> None:
    """Say what was really rolled; the play is judged again."""
    ply = read_number(turn, "PLY")
    game = desk.number(ply)
    desk.turn(desk.director.change_roll(game, ply, read_roll(dice, repr(dice)), desk.why), game, ply)


@_correction(
    "[MATCH] [WORDS]...",
    "WORDS such as: double take, double drop, double beaver take; none if the cube was left alone.",
    (0, inf),
    "ply game match by why",
    CUBE_WORDS.__contains__,
)
def cube(desk: _Desk, *words: str) -> None:
    """Say what was done with the cube before a turn, or at the end of the game without --ply."""
    game = desk.number(desk.ply)
    event = desk.director.change_cube(game, desk.ply, words, desk.why)
    place = "after the last ply" if desk.ply is None else f"before ply {desk.ply}"
    desk.done(event, f"game {game}, {place}: {' '.join(words) or 'nothing with the cube'}")
    desk.tell_odd_result(game, "`pointsman correct result` puts that right.")


@_correction("[MATCH] LIGHT DARK", "LIGHT and DARK are the points of each side before the game.", (2, 2))
def score(desk: _Desk, light: str, dark: str) -> None:
    """Set the score before a game."""
    points = read_number(light, "LIGHT"), read_number(dark, "DARK")
    game = desk.number(None)
    event = desk.director.change_score(game, *points, desk.why)
    desk.done(event, f"game {game} begins at light {points[0]}, dark {points[1]}")


@_correction(
    "[MATCH] light|dark|none [POINTS]",
    "The winner, none if the game has no result, and the points scored, the cube included.",
    (1, 2),
    own=WINNERS.__contains__,
)
def result(desk: _Desk, winner: str, scored: str = "0") -> None:
    """Say who won a game, and how many points."""
    side, points = _side(winner), read_number(scored, "POINTS")
    game = desk.number(None)
    event = desk.director.change_result(game, side, points, desk.why)
    desk.done(
        event, f"game {game} {'has no result' if side is None else f'was won by {side}, {points} points'}"
    )
    if side is None:
        desk.tell_odd_result(
            game,
            "`pointsman correct undo` takes back its last turn and its end, and then it can go on; `void` takes it "
            "out of the match.",
        )


@_correction("[MATCH] GAME", "GAME is the number of the game, from 1.", (1, 1), "match by why")
def void(desk: _Desk, number: str) -> None:
    """Take a whole game out of the match; the scores before later games stay as they are."""
    game = read_number(number, "GAME")
    desk.done(desk.director.void(game, desk.why), f"game {game} does not count")


@_correction(
    "[MATCH] TEXT",
    "TEXT is what was decided, in quotation marks.",
    (1, 1),
    "ply game match by",
)
def ruling(desk: _Desk, text: str) -> None:
    """Note a ruling on a turn, or without --ply on a game as it stands."""
    game = desk.number(desk.ply)
    event = desk.director.rule(game, desk.ply, text)
    place = "" if desk.ply is None else f", ply {desk.ply}"
    desk.done(event, f"ruling on game {game}{place}: {one_line(text)}")


@_correction("[MATCH] NUMBER", "NUMBER is one that `pointsman correct list` shows.", (1, 1), "match by why")
def revoke(desk: _Desk, number: str) -> None:
    """Take back a correction."""
    correction = read_number(number, "NUMBER")
    desk.done(desk.director.revoke(correction, desk.why), f"correction {correction} is taken back")


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
    return one_line("  ".join(parts))


def _side(text: str) -> Side | None:
    if text == "none":
        return None
    if text not in tuple(Side):
        raise CorrectionError(f"{text!r} is no player; say light, dark or none.")
    return Side(text)
