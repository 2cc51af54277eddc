"""The play of an engine in a seat: announced, carried out by a person, and right only as it was announced."""

from collections.abc import Iterator

from controller.devices.lights.frame import Place
from controller.referee.actions import Message, Phase
from controller.referee.belief.decision import Outcome, Verdict
from controller.referee.events import PlayAnnounced
from controller.referee.table.elsewhere import is_played_elsewhere, keep_as_told
from controller.referee.table.restore import differences
from controller.referee.table.state import Answer, Table, shows
from controller.rules import Position, Side, format_play, is_result, play_between
from controller.rules.position import Direction, side_point


def announce(on: Answer, event: PlayAnnounced) -> None:
    """An engine or the other table says how it plays; what is no legal play of the roll being played is not heard.

    At the other table an illegal play may stand: it is carried out like a legal one, and stands here, too.
    """
    table = on.table
    thrown, rules = table.thrown, table.match.game.profile.movement
    if table.phase is not Phase.MOVING or thrown is None or event.ply != table.ply:
        return
    if thrown.side is not event.side:
        return
    if not (event.legal and event.sure) or not is_result(
        table.position, event.side, thrown.roll, event.after, rules
    ):
        if not is_played_elsewhere(table):
            return
        keep_as_told(on, event, legal=event.legal if event.sure else None)
    on.change_roll(announced=event.after)
    on.change(warned=())
    on.tell(Message.ANNOUNCED, side=str(event.side), play=announced_text(on.table))


def announced_text(table: Table) -> str:
    """The play that was announced, in notation; empty where none was."""
    thrown, rules = table.thrown, table.match.game.profile.movement
    if table.announced is None or thrown is None or thrown.side is None:
        return ""
    if table.flagged is not None and counts_there(table):
        return table.flagged.text
    return format_play(play_between(table.position, thrown.side, thrown.roll, table.announced, rules) or ())


def counts_there(table: Table) -> bool:
    """Whether what was announced is illegal and stands at the other table, or counts there unconfirmed."""
    flagged = table.flagged
    return flagged is not None and table.announced is not None and flagged.after == table.announced


def is_carried_out(table: Table, verdict: Verdict) -> bool:
    """Whether the board shows exactly the play that was announced."""
    if table.announced is None:
        return False
    if counts_there(table):
        return shows(table, table.announced)
    if verdict.outcome is Outcome.ILLEGAL:
        return False
    if verdict.outcome is Outcome.LEGAL:
        return verdict.entry.end == table.announced
    return shows(table, table.announced)


def take_dice_in_hand(on: Answer) -> None:
    """Have the play go on although its dice were taken up: that ends no turn of this roll any more."""
    on.change(phase=Phase.MOVING)
    on.change_roll(in_hand=True)


def ask_for_announced(on: Answer) -> None:
    """Another play lies on the board than was announced, or none: say which checkers still go where."""
    table = on.table
    assert table.announced is not None
    take_dice_in_hand(on)
    moves = ", ".join(_still_to_move(table, table.announced))
    side = str(table.playing.side)
    on.tell_once(Message.OTHER_PLAY, side=side, play=announced_text(table), moves=moves)


def _still_to_move(table: Table, target: Position) -> Iterator[str]:
    """From where to where the mover's checkers still go, as it counts the points: ``5 → 7``."""
    side = None if table.thrown is None else table.thrown.side
    if side is None or not table.views:
        return
    surplus = [each for each in differences(table.views[-1].visible, target).surplus if each.side is side]
    leave = [each.place for each in surplus for _ in range(each.number)]
    reach = [each.place for each in surplus for _ in range(-each.number)]
    direction = table.match.game.profile.movement.direction
    for start, end in zip(leave, reach, strict=False):
        yield f"{_own_name(start, side, direction)} → {_own_name(end, side, direction)}"


def _own_name(place: Place, side: Side, direction: Direction) -> str:
    """A place as notation has it: a point as the side counts it, ``bar`` or ``off``."""
    if isinstance(place, int):
        return str(side_point(place, side, direction))
    return "bar" if place.startswith("bar") else "off"
