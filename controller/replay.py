"""A filmed game through the table's referee, as fast as it can: the transcript and the match files out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from controller.app.desk import Desk
from controller.app.eyes import Crop, Eyes, board_of
from controller.app.timeline import timeline
from controller.devices import FilmFrame
from controller.devices.film import ReportedRoll
from controller.messages.device_words import LocalText
from controller.record import MatchFolder
from controller.record.journal.delivery import Delivery
from controller.record.journal.journal import JournalEvent
from controller.record.table.destination import refuse_other_match
from controller.record.table.table_log import last_word, number_through
from controller.referee import Action, DiceFrom, Settings, TurnJudged
from controller.referee.events import FilmEnded
from controller.referee.table.settings import End
from controller.rules import Form, Position, Profile, Terms
from controller.rules.profile.conduct import DeviceRole, Leds
from controller.rules.profile.profile import STANDARD
from controller.telling.transcript import film_lines, lines
from controller.vision import Board, read_board
from controller.vision.board.board import board_part, point_segments
from controller.vision.watch import Read

INDENT = " " * 6


def replay(
    film: Iterable[FilmFrame],
    rolls: tuple[ReportedRoll, ...] | None,
    board: Board,
    out: Path,
    clock: Callable[[], str],
    start: Position | None = None,
    read: Read = read_board,
    rules: Profile = STANDARD,
    crop: Crop = board_part,
    live: Settings | None = None,
) -> Iterator[str]:
    """Follow a filmed game and yield its transcript line by line as it is judged.

    When the last line was taken, ``events.jsonl``, ``match.mat``, ``match.ogxm`` (where its codec
    is installed), ``journal.db`` and its pictures lie in the folder ``out``; if anything goes wrong on the way,
    or the iterator is closed before, nothing of them does.

    Args:
        film: its pictures.
        rolls: those that an electronic dice set reported; with None the dice are read from the pictures.
        board: the board in them.
        out: the folder for the results.
        clock: tells the time of writing (ISO 8601, UTC).
        start: where the film begins, if not at the start of a game.
        read: reads a picture.
        rules: those plays are judged by.
        crop: cuts the pictures that are kept as evidence to the board.
        live: how the table was run, to judge as it would have: ``events.jsonl`` then holds what was told when it was
            told. With None the referee only records, and the file holds the last word about each turn.

    Raises:
        UserError: no picture can be decoded or read, ``out`` holds another match or cannot be written to.
    """
    refuse_other_match(out)
    dice = DiceFrom.CAMERA if rolls is None else DiceFrom.ELECTRONIC
    settings = film_settings(rules, dice) if live is None else replace(live, dice=dice, film=True)
    said: list[str] = []

    def tell(words: LocalText) -> None:
        said.append(words("en"))

    with Delivery(out) as delivery:
        arrange = number_through if live is not None else _last_word
        with MatchFolder(delivery.folder, clock, tell, strict=True, arrange=arrange) as folder:
            turns = 0
            eyes = Eyes(board_of(board, settings.terms.profiles), read, crop=crop)
            for action in _actions(film, rolls or (), eyes, folder, settings, start):
                yield from film_lines(action) if live is None else lines(action, rules=rules.movement)
                turns += isinstance(action, TurnJudged)
            if rolls is None and not turns:
                yield f"{INDENT}no roll was seen in the pictures: give those of a dice set with --dice"
        yield from (INDENT + sentence for sentence in said)


def _last_word(events: Iterable[JournalEvent]) -> Iterator[JournalEvent]:
    return number_through(last_word(events))


def film_settings(rules: Profile, dice: DiceFrom) -> Settings:
    """A table of which only the film is known: single games, no clock, and nobody who hears what is said."""
    conduct = replace(rules.conduct, device_role=DeviceRole.SILENT_RECORDER, leds=Leds.OFF)
    terms = Terms(Form.MONEY, None, (replace(rules, conduct=conduct),))
    return Settings(terms, dice=dice, ends=frozenset({End.NEXT_ROLL, End.DICE_LIFTED}), film=True)


def _actions(
    film: Iterable[FilmFrame],
    rolls: tuple[ReportedRoll, ...],
    eyes: Eyes,
    folder: MatchFolder,
    settings: Settings,
    start: Position | None,
) -> Iterator[Action]:
    """What the referee does about everything that happens in the film, each on the disk by then."""
    desk: Desk | None = None
    t = 0.0
    for event, shot in timeline(film, eyes, rolls):
        t = event.t
        desk = desk or Desk.open(
            settings, folder.book, t=t, position=start, segments=point_segments(eyes.board)
        )
        yield from desk.put(event, shot=shot)
    if desk is not None:
        yield from desk.put(FilmEnded(t))
