"""The play of an engine in a seat: announced, carried out by a person, and right only as it was announced."""

from dataclasses import replace

from controller.referee.actions import Message, Phase
from controller.referee.belief.decision import Outcome, Verdict
from controller.referee.events import PlayAnnounced
from controller.referee.table.state import Answer, Table, shows, wrong_points
from controller.rules import format_play, is_result, play_between


def announce(on: Answer, event: PlayAnnounced) -> None:
    """An engine says how it plays; what is no legal play of the roll being played is not heard."""
    table = on.table
    thrown, rules = table.thrown, table.match.game.profile.movement
    if table.phase is not Phase.MOVING or thrown is None or event.ply != table.ply:
        return
    if thrown.side is not event.side or not is_result(
        table.position, event.side, thrown.roll, event.after, rules
    ):
        return
    on.change(announced=event.after, warned=())
    on.tell(Message.ANNOUNCED, side=str(event.side), play=announced_text(on.table))


def announced_text(table: Table) -> str:
    """The play that was announced, in notation; empty where none was."""
    thrown, rules = table.thrown, table.match.game.profile.movement
    if table.announced is None or thrown is None or thrown.side is None:
        return ""
    return format_play(play_between(table.position, thrown.side, thrown.roll, table.announced, rules) or ())


def is_carried_out(table: Table, verdict: Verdict) -> bool:
    """Whether the board shows exactly the play that was announced."""
    if table.announced is None or verdict.outcome is Outcome.ILLEGAL:
        return False
    if verdict.outcome is Outcome.LEGAL:
        return verdict.entry.end == table.announced
    return shows(table, table.announced)


def ask_for_announced(on: Answer) -> None:
    """Another play lies on the board than was announced, or none: say which it is to be; the turn goes on."""
    table = on.table
    assert table.announced is not None
    assert table.thrown is not None
    on.change(phase=Phase.MOVING, thrown=replace(table.thrown, in_hand=True))
    points = wrong_points(table, table.announced)
    on.ask(points, Message.OTHER_PLAY, side=str(table.thrown.side), play=announced_text(table))
