"""What a match file of another program cannot say, as plain English sentences that stand in it as notes.

A note about a turn begins with `Game 1, ply 5`, the number of the game from 1 and of the turn from 0. Where a
record came with remarks about a turn, they take the place of what would be said about it here, so that a file
that was read and written again says the same.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from controller.errors import UserError
from controller.record.files.games import foreign_games, game_name, is_foreign
from controller.record.match.match import PASSES, RULED, Act, Entry, GameRecord, MatchRecord, Note, Turn
from controller.record.match.playthrough import Moment, RecordFault, left_rolls
from controller.rules import Ending, Form, Position, Profile, Side, first_position
from controller.rules.game.events import (
    GameAwarded,
    MatchForfeited,
    OpeningRoll,
    ResignationRefused,
    Rolled,
    RollVoided,
)
from controller.rules.moves.movement import STANDARD as STANDARD_MOVES
from controller.rules.moves.movement import Variant
from controller.rules.profile.profile import STANDARD, Combine, ResignForm, Tie

RULING: Final = "ruling"
"""The kind of a note that belongs into every file; its argument `text` is the director's sentence."""
BEGINS: Final = "the game begins at "
"""Comes before a compact position."""
AUTOMATIC: Final = "the cube was doubled by opening rolls of "
"""Comes before the ties: `3-3, 5-5`."""
RULED_BOARD: Final = "the director ruled how the game goes on"
"""The note before a turn that goes on from a ruling; behind it stand who rolls and a compact position."""
AWARDED: Final = "the game was awarded to"
"""Begins the note about an award; behind it stand the side and the points: `light for 2`."""
FORFEITED: Final = "forfeited the match"
"""Ends the note about a forfeit; before it stands the side."""
UNREACHED: Final = "was played from a position that the turns before it do not reach"
"""Ends the note about a turn; behind it stands that position, compact."""
LEFT_TURN: Final = "left the turn without rolling"
"""Ends the note about a side that no number could bring in; before it stands the side."""
LEFT_OUT: Final = "left more than fifteen checkers of a side on the board and is left out"
"""Ends the note about a turn that no file can hold."""
NO_RESULT: Final = "the game is over by the rules, and the record gives it no result"
"""The note about a game whose result the director took away."""
COMMON: Final = "common"
"""The name of rules that came from a file which names none; it is not written."""
UNCONFIRMED: Final = "is not confirmed"
"""Ends the note about a turn that nobody confirmed; behind it stands how probable it is: `(0.87)`."""
_ABOUT: Final = re.compile(r"Game (\d{1,9}), ply (\d{1,9})(?!\d)")
_NOT_CONFIRMED: Final = re.compile(rf"{_ABOUT.pattern}, .* {UNCONFIRMED}(?: \(([01]\.\d\d)\))?")
_RULED: Final = re.compile(rf"{_ABOUT.pattern}: {RULED_BOARD}: (light|dark) rolls at (\S+)")
_AWARDED: Final = re.compile(rf"{_ABOUT.pattern}: {AWARDED} (light|dark) for (\d{{1,7}})")
_FORFEITED: Final = re.compile(rf"{_ABOUT.pattern}: (light|dark) {FORFEITED}")
_UNREACHED: Final = re.compile(rf"{_ABOUT.pattern}, .* {UNREACHED}: (\S+)")
_LEFT_TURN: Final = re.compile(rf"{_ABOUT.pattern}: (light|dark) {LEFT_TURN}")
_LEFT_OUT: Final = re.compile(rf"{_ABOUT.pattern}, .* {LEFT_OUT}")
_ANYWHERE: Final = (0, -1)
NotePlace = tuple[int, int]


def notes(match: MatchRecord, played: Sequence[Moment]) -> list[str]:
    """Everything a file should say beside what its columns say, in the order of the match.

    ``played`` are the moments of the match.
    """
    given: dict[NotePlace, list[str]] = {}
    for remark in match.remarks:
        given.setdefault(_place(remark), []).append(remark)
    own: dict[NotePlace, list[str]] = {}
    for place, sentence in _own(match, played):
        own.setdefault(place, []).append(sentence)
    return [sentence for place in sorted({*given, *own}) for sentence in given.get(place, own.get(place, []))]


def remarks_by_game(remarks: Iterable[str]) -> dict[int, list[str]]:
    """The remarks about each game, which are counted from 0; those about none are left out."""
    found: dict[int, list[str]] = {}
    for remark in remarks:
        found.setdefault(_place(remark)[0] - 1, []).append(remark)
    return found


def _place(remark: str) -> NotePlace:
    about = _ABOUT.match(remark)
    return (int(about[1]), int(about[2])) if about else _ANYWHERE


def rulings(remarks: Iterable[str]) -> dict[int, tuple[Side, Position]]:
    """How the director had a game go on, by the ply that followed, as remarks of ours about that game tell.

    Raises:
        PositionError: a position is none.
    """
    told = (found for remark in remarks if (found := _RULED.fullmatch(remark)))
    return {int(found[2]): (Side(found[3]), Position.from_compact(found[4])) for found in told}


def unreached(remarks: Iterable[str]) -> dict[int, Position]:
    """The boards from which turns were played that the turns before do not reach, by ply, as remarks of ours tell.

    Raises:
        PositionError: a position is none.
    """
    told = (found for remark in remarks if (found := _UNREACHED.fullmatch(remark)))
    return {int(found[2]): Position.from_compact(found[3]) for found in told}


def absent_turns(remarks: Iterable[str]) -> dict[int, Side | None]:
    """The plies that a file has no turn for, as remarks of ours tell, with the side that left it without rolling."""
    absent: dict[int, Side | None] = {}
    for remark in remarks:
        if found := _LEFT_TURN.fullmatch(remark):
            absent[int(found[2])] = Side(found[3])
        elif found := _LEFT_OUT.fullmatch(remark):
            absent[int(found[2])] = None
    return absent


def decreed_end(remarks: Iterable[str]) -> GameAwarded | MatchForfeited | None:
    """The award or the forfeit that ended a game, as remarks of ours about that game tell; None if none did."""
    for remark in remarks:
        if (found := _AWARDED.fullmatch(remark)) and int(found[4]):
            return GameAwarded(Side(found[3]), int(found[4]))
        if found := _FORFEITED.fullmatch(remark):
            return MatchForfeited(Side(found[3]))
    return None


def _own(match: MatchRecord, played: Sequence[Moment]) -> Iterator[tuple[NotePlace, str]]:
    for sentence in about_rules(match):
        yield _ANYWHERE, sentence
    for number, game in enumerate(match.games):
        if game.start != first_position(match.profile(number)):
            yield _locate(number, 0, f": {BEGINS}{game.start.compact()}")
        if ties := _automatic(match, number):
            yield _locate(number, 0, f": {AUTOMATIC}{', '.join(ties)}")
        for at, sentence in _tries_and_rulings(game):
            yield _locate(number, at, sentence)
        for turn in _unreached(game):
            yield _locate(number, turn.ply, f"{_turn(turn)} {UNREACHED}: {turn.before.compact()}")
    ply, left = 0, left_rolls(played)
    for number, moment in enumerate(played):
        entry = moment.entry
        if isinstance(entry, Turn):
            for told in _about_turn(entry):
                yield _locate(moment.game, entry.ply, told)
            ply = entry.ply + 1
        elif isinstance(entry, Act):
            if about := _about_act(moment, entry, left=number in left):
                yield _locate(moment.game, ply, f": {about}")
        else:
            game = match.games[moment.game]
            if _lacks_result(moment, game):
                yield _locate(moment.game, ply, f": {NO_RESULT}")
            if game.result is not None and _is_decreed(moment, game):
                yield _locate(moment.game, ply, f": {AWARDED} {game.result.winner} for {game.result.points}")
            ply = 0


def _lacks_result(end: Moment, game: GameRecord) -> bool:
    """Whether a game that the rules end has no result in the record; `end` is its last moment."""
    return game.result is None and any(objection.fault is RecordFault.RESULT for objection in end.objections)


def _is_decreed(end: Moment, game: GameRecord) -> bool:
    """Whether a game has its result by the director's word alone, with nothing before it that made it."""
    acts = (entry.event for entry in game.course if isinstance(entry, Act))
    return (
        any(objection.fault is RecordFault.RESULT for objection in end.objections)
        and end.match.results[-1:] != ()
        and end.match.results[-1].ending is Ending.AWARDED
        and not any(isinstance(event, GameAwarded) for event in acts)
    )


def is_about_turn(remark: str) -> bool:
    """Whether a remark is one of ours about a turn, which may be told more than once."""
    return _ABOUT.match(remark) is not None


def _locate(game: int, ply: int, sentence: str) -> tuple[NotePlace, str]:
    return (game + 1, ply), f"Game {game + 1}, ply {ply}{sentence}"


def mark_unconfirmed(match: MatchRecord) -> MatchRecord:
    """A match that was read, with the turns that remarks of ours tell as not confirmed: they accuse nobody."""
    told = {
        (int(found[1]) - 1, int(found[2])): None if found[3] is None else float(found[3])
        for remark in match.remarks
        if (found := _NOT_CONFIRMED.fullmatch(remark))
    }

    def marked(number: int, entry: Entry) -> Entry:
        if not isinstance(entry, Turn) or (number, entry.ply) not in told:
            return entry
        sure = told[number, entry.ply]
        return replace(entry, legal=None, reasons=(), stands=False, probability=sure)

    games = (
        replace(game, entries=tuple(marked(number, entry) for entry in game.entries))
        for number, game in enumerate(match.games)
    )
    return replace(match, games=tuple(games)) if told else match


def rule_names(match: MatchRecord) -> str:
    """The names of the rules of a match as files carry them; empty if they came from a file which names none."""
    return ", ".join(profile.name for profile in match.terms.profiles if profile.name != COMMON)


def about_rules(match: MatchRecord) -> Iterator[str]:
    """What sets the rules of a match apart from those that other programs know."""
    if games := " and ".join(foreign_games(match)):
        yield (
            f"No other program knows {games}: each player's plays are numbered along that player's own way, and only "
            "Pointsman can check them."
        )
    if match.terms.form is Form.SERIES:
        yield "A series of single games without the cube."
    elif match.length and not match.profile(0).match.crawford:
        yield "Played without the Crawford rule, which some programs take for granted."
    for profile in dict.fromkeys(profile.name for profile in match.terms.profiles):
        rules = next(each for each in match.terms.profiles if each.name == profile)
        if is_foreign(rules):
            continue
        if rules.movement.variant in (Variant.PORTES, Variant.TAVLA):
            yield f"The game is {game_name(rules.movement.variant)}; other programs take it for backgammon."
        changed = [*_changed_rules(rules)]
        if changed:
            yield f"The rules {rules.name} differ from those that other programs know: {'; '.join(changed)}."


def _changed_rules(rules: Profile) -> Iterator[str]:
    same_game = replace(rules.movement, variant=STANDARD_MOVES.variant, checkers=STANDARD_MOVES.checkers)
    if same_game != STANDARD_MOVES:
        yield "checkers are moved by other rules, and a play that standard rules forbid is set as a position"
    if rules.score.combine is Combine.ADD:
        yield "the cube is added to the game and not multiplied"
    if (rules.score.gammon, rules.score.backgammon) != (STANDARD.score.gammon, STANDARD.score.backgammon):
        yield "gammons and backgammons are counted by other rules"
    elif rules.score.backgammon_requires_hit_checker:
        yield "a backgammon needs a checker that had been hit"
    if rules.cube.drop_pays is not STANDARD.cube.drop_pays:
        yield "a drop costs what a single game would have"
    if rules.resign.form is ResignForm.FREE_POINTS:
        yield "a player may resign for any number of points"


def _automatic(match: MatchRecord, number: int) -> list[str]:
    """The ties of the opening roll, where they turn the cube."""
    if match.profile(number).opening.tie is not Tie.AUTO_DOUBLE:
        return []
    acts = [entry.event for entry in match.games[number].entries if isinstance(entry, Act)]
    rolls = [event for event in acts if isinstance(event, OpeningRoll)]
    return [f"{roll.light}-{roll.dark}" for roll in rolls if roll.light == roll.dark]


def _tries_and_rulings(game: GameRecord) -> Iterator[tuple[int, str]]:
    ply = due = 0
    for entry in game.entries:
        if isinstance(entry, Turn):
            ply = entry.ply
            due = ply + 1 if entry.counts else ply
            if not entry.counts:
                yield ply, f"{_turn(entry)} was illegal ({_codes(entry)}) and was put right"
        elif isinstance(entry, Note) and entry.kind == RULING:
            yield ply, f": ruling: {entry.arguments.get('text', '')}"
        elif isinstance(entry, Note) and entry.kind == PASSES:
            ply = due
            due = ply + 1
            yield ply, f": {entry.arguments.get('player')} {LEFT_TURN}"
        elif isinstance(entry, Note) and entry.kind == RULED:
            told = entry.arguments
            yield due, f": {RULED_BOARD}: {told.get('side')} rolls at {told.get('position')}"


def _unreached(game: GameRecord) -> Iterator[Turn]:
    """The turns that begin from another board than the game had come to, where a file can hold that board."""
    board = game.start
    for entry in game.course_and_notes:
        if isinstance(entry, Turn):
            if entry.before != board and all(entry.before.off(side) >= 0 for side in Side):
                yield entry
            board = entry.after
        elif isinstance(entry, Note) and entry.kind == RULED:
            with suppress(UserError):
                board = Position.from_compact(str(entry.arguments.get("position")))


def _about_turn(turn: Turn) -> Iterator[str]:
    if any(turn.after.off(side) < 0 for side in Side):
        yield f"{_turn(turn)} {LEFT_OUT}"
        return
    if turn.legal is None:
        sure = "" if turn.probability is None else f" ({turn.probability:.2f})"
        yield f"{_turn(turn)} {UNCONFIRMED}{sure}"
    elif not turn.legal:
        yield f"{_turn(turn)} was illegal ({_codes(turn)}) and was left standing"


def _about_act(moment: Moment, act: Act, *, left: bool) -> str | None:
    game = moment.match.game
    match act.event:
        case GameAwarded(winner, points):
            return f"{AWARDED} {winner} for {points}"
        case MatchForfeited(loser):
            return f"{loser} {FORFEITED}"
        case ResignationRefused(side) if game.resignation is not None:
            return f"{side} refused a resignation for {game.resignation.amount}"
        case Rolled(side, roll) if left:
            return f"{side} rolled {roll} and did not play it"
        case RollVoided(side):
            return f"the roll of {side} was void"
        case _:
            return None


def _turn(turn: Turn) -> str:
    done = f": {turn.text}" if turn.text else ""
    return f", {turn.player} {turn.roll.high}{turn.roll.low}{done}"


def _codes(turn: Turn) -> str:
    return ", ".join(dict.fromkeys(str(reason.code) for reason in turn.reasons))
