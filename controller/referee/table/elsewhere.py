"""The side that plays at another table: what of this table does not count for it, and its illegal plays.

Each side rolls with the dice at its own table, and the play of the other side is carried out here like an engine's.
So a roll that is made here is never the other side's, and nothing that is pressed or seen here ends a turn of theirs.
"""

from dataclasses import replace

from controller.referee.actions import Cause, Flagged, Message, Phase, TurnJudged
from controller.referee.belief.branches import Kind
from controller.referee.belief.report import hypothesis_as_said, turn_judged
from controller.referee.events import OTHER_TABLE, IllegalElsewhere, PlayAnnounced
from controller.referee.table.state import Answer, Table, audience, conduct_of
from controller.rules import Side
from controller.rules.game import events as ruled
from controller.rules.profile.conduct import Remedy


def is_played_elsewhere(table: Table) -> bool:
    """Whether the roll being played is the other table's."""
    remote = table.settings.remote
    return remote is not None and table.thrown is not None and table.thrown.side is remote


def awaits_other_table(table: Table) -> bool:
    """Whether the other table is to roll, or to say how it plays."""
    remote = table.settings.remote
    if remote is None:
        return False
    if table.phase is Phase.TO_ROLL:
        return table.match.game.turn is remote
    return is_played_elsewhere(table) and table.announced is None


def decides_here(table: Table) -> bool:
    """Whether what takes back or ends play is decided at this table, and not asked of the other one.

    It is where the side sits that is to act: nothing is on its way there that this table does not know of, so the
    two never decide past each other. Before both dice of an opening it is where none was rolled, light's if neither.
    """
    remote, opening = table.settings.remote, table.opening
    if remote is None or table.announced is not None:
        return True
    if table.on_turn is None:
        return remote.opponent not in opening and (remote is Side.DARK or remote in opening)
    return table.on_turn is not remote


def ask_other_table(on: Answer) -> bool:
    """Have the other table decide, if that is where it is decided; whether it is asked."""
    asked = not decides_here(on.table)
    if asked:
        on.tell(Message.OTHER_ASKED)
    return asked


def may_roll_here(table: Table) -> bool:
    """Whether a roll made at this table may be due: the side that sits here is to roll, or rolls again."""
    remote = table.settings.remote
    if remote is None:
        return True
    if table.phase is Phase.OPENING_ROLL:
        return remote.opponent not in table.opening
    if table.phase is Phase.TO_ROLL:
        return table.match.game.turn is not remote
    return table.phase is Phase.MOVING and not is_played_elsewhere(table)


def refuses_words(on: Answer, saying: ruled.RulesEvent, by: str) -> bool:
    """Whether somebody here speaks for the side at the other table; it is said that they may not."""
    remote = on.table.settings.remote
    if remote is None or by == OTHER_TABLE or getattr(saying, "side", None) is not remote:
        return False
    on.refuse(Cause.OTHER_TABLE)
    return True


def tell_illegal(on: Answer, event: IllegalElsewhere) -> None:
    """An illegal play was noticed at the other table, or its checkers are back: both tables tell and record it."""
    table, flagged = on.table, on.table.flagged
    if table.phase is not Phase.MOVING or not is_played_elsewhere(table) or event.ply != table.ply:
        return
    if event.back:
        if flagged is not None:
            on.do(replace(flagged, stands=False, t=table.t))
            on.change_roll(flagged=None)
    elif flagged is None or flagged.after != event.after:
        turn = keep_as_told(on, event, legal=False)
        on.do(Flagged(table.t, turn, audience(table)))


def keep_as_told(on: Answer, event: IllegalElsewhere | PlayAnnounced, *, legal: bool | None) -> TurnJudged:
    """Keep the play of the other table as this referee judges it: unconfirmed where the two do not agree."""
    table, rules = on.table, on.table.match.game.profile.movement
    entry = hypothesis_as_said(table.ply, event.side, table.playing.roll, table.position, event.after, rules)
    agreed = legal is (entry.kind is Kind.LEGAL)
    turn = turn_judged(entry, None, table.t, rules, confirmed=agreed)
    on.change_roll(flagged=turn)
    return turn


def can_let_stand(table: Table) -> bool:
    """Whether this side may let an illegal play stand that lies on the board at the other table."""
    elsewhere = table.phase is Phase.MOVING and is_played_elsewhere(table) and table.announced is None
    return elsewhere and table.flagged is not None and Remedy.LET_STAND in conduct_of(table).remedies()
