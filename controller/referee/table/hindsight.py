"""The latest turns stay open for a while: what follows may show that one of them was something else."""

from dataclasses import replace

from controller.referee.actions import Acted, Action, DiceVoid, TurnJudged, Unsure
from controller.referee.caution import Caution
from controller.referee.table.settings import DiceFrom
from controller.referee.table.state import Answer, Closing, Table
from controller.referee.weighing.proof import differing_points, is_proven
from controller.referee.weighing.report import play_to, turn_judged
from controller.referee.weighing.tracks import RollOutcome, Track, TrackEntry, keep_entries
from controller.rules import Game, Match, Position, Side, advance
from controller.rules.game import events as ruled
from controller.rules.game.game import advance_game


def is_calm(table: Table, before: int | None = None) -> bool:
    """Whether the turns just before one were certain (``before`` which closing; None: before the one being played).

    Where dice are read from pictures nothing odd must have been seen in several turns before.
    """
    earlier = table.closings if before is None else table.closings[:before]
    if table.settings.dice is not DiceFrom.CAMERA:
        return all(closing.sure for closing in earlier[-1:])
    lately = earlier[max(len(earlier) - table.caution.calm, 0) :]
    return all(closing.sure and closing.surprise >= -table.caution.lead for closing in lately)


def keep(on: Answer, closing: Closing, tracks: tuple[Track, ...]) -> None:
    """One more turn is over. ``tracks`` have it as the last of their histories; the oldest turn may drop out."""
    closings = (*on.table.closings, closing)
    on.change(closings=closings, tracks=tracks)
    forget(on, max(on.table.settings.open_turns, 1))


def forget(on: Answer, most: int) -> None:
    """Leave only the latest turns open; what older ones were is settled, and nothing else is thought of."""
    table = on.table
    drop = len(table.closings) - most
    if drop <= 0:
        return
    told = table.closings[:drop]
    on.change(
        settled=next((closing for closing in reversed(told) if closing.turn is not None), table.settled)
    )
    agreeing = tuple(
        track
        for track in table.tracks
        if all(_same(entry, closing.entry) for entry, closing in zip(track.history, told, strict=False))
    )
    left = table.closings[drop:]
    on.change(closings=left, tracks=keep_entries(agreeing or table.tracks, len(left)))


def revise(on: Answer) -> None:
    """Tell anew what was told, where another course of the game has become clearly likelier."""
    table = on.table
    if not table.closings:
        return
    best = table.tracks[0]
    told = next((track for track in table.tracks if _tells(track, table.closings)), None)
    if told is not None and best.score - told.score < table.caution.lead:
        _become_sure(on, told)
        return
    near = [track for track in table.tracks if best.score - track.score < table.caution.lead]
    closings, actions = list(table.closings), list[Action]()
    for number, (closing, entry) in enumerate(zip(table.closings, best.history, strict=True)):
        if not _same(entry, closing.entry):
            clear = all(track.history[number].kind is RollOutcome.ILLEGAL for track in near)
            closings[number], news = _tell_anew(table, number, closing, entry, clear=clear)
            actions += news
    on.change(closings=tuple(closings), ply=best.ply)
    on.do(*actions)
    follow(on, best.position, best.side)


def follow(on: Answer, position: Position, side: Side | None) -> None:
    """Go on from a board, and with a side to roll or to play, that are not what was told."""
    table, game = on.table, on.table.match.game
    if position == game.position and side is game.turn:
        return
    on.change(match=replace(table.match, game=replace(game, position=position, turn=side, undo=None)))
    if table.thrown is not None:
        on.change(thrown=replace(table.thrown, side=side))


def after_entry(match: Match, entry: TrackEntry, caution: Caution) -> Match:
    """The match after a turn, and after those that followed before another roll was seen."""
    for one in entry.chain:
        assert one.side is not None
        game = game_before(match.game, one)
        play = play_to(one, one.after, caution.rules) if one.kind is RollOutcome.LEGAL else None
        match = advance(replace(match, game=game), ruled.Played(one.side, one.after, play))
    return match


def game_before(game: Game, entry: TrackEntry) -> Game:
    """The game with the roll of a turn to be played; a double that it had to name first is named."""
    if game.names_double and game.turn is entry.side and entry.roll.is_double:
        assert entry.side is not None
        game = advance_game(game, ruled.DoubleNamed(entry.side, entry.roll.high))
    return replace(game, position=entry.before, turn=entry.side, dice=entry.roll.dice)


def verdicts_of(
    entry: TrackEntry,
    frame: int | None,
    t: float,
    caution: Caution,
    *,
    from_ply: int,
    doubt: tuple[int, ...] | None = None,
) -> list[TurnJudged | Unsure | Acted]:
    """What is told of a turn and those that followed it; one that is not certain has its doubt before it.

    ``from_ply`` is the number that the next turn has: earlier ones are told anew. ``doubt`` are the points to look at
    if the board was not clear; a roll that is doubted has none. A double played after another roll was named.
    """
    told: list[TurnJudged | Unsure | Acted] = []
    sequel = False
    for one in entry.chain:
        if sequel and one.side is not None and one.roll.is_double:
            told.append(Acted(t, ruled.DoubleNamed(one.side, one.roll.high)))
        sequel = one.then is not None and one.then.side is one.side and not one.roll.is_double
        if doubt is not None and one is entry.last:
            told.append(Unsure(t, frame, one.ply, doubt))
        elif one.dice_doubted:
            told.append(Unsure(t, frame, one.ply, ()))
        told.append(turn_judged(replace(one, then=None), frame, t, caution.rules, revises=one.ply < from_ply))
    return told


def _tell_anew(
    table: Table, number: int, closing: Closing, entry: TrackEntry, *, clear: bool
) -> tuple[Closing, list[Action]]:
    """A turn that was something else, and what is told of it; ``clear`` if nothing but broken rules comes near."""
    t, caution = table.t, table.caution
    frame = closing.rests[-1].last_frame if closing.rests else None
    changed = replace(closing, entry=entry, sure=True, points=(), open=False)
    if entry.kind is RollOutcome.NONE:
        return replace(changed, turn=None), []
    if entry.kind is RollOutcome.VOID:
        return replace(changed, turn=None), [DiceVoid(t, entry.roll)]
    judged = turn_judged(replace(entry.last, then=None), frame, t, caution.rules, revises=True)
    if entry.kind is RollOutcome.ILLEGAL and not (
        clear and is_calm(table, number) and is_proven(entry, closing.look, closing.throw, caution)
    ):
        points = differing_points(entry.after, closing.entry.last.after)
        doubt = Unsure(t, frame, entry.ply, points)
        return replace(changed, sure=False, points=points), [] if closing.open else [doubt]
    told = verdicts_of(entry, frame, t, caution, from_ply=entry.last.ply + 1)
    return replace(changed, turn=judged), list(told)


def _become_sure(on: Answer, told: Track) -> None:
    """Turns are certain by now if every rival of them has fallen behind."""
    table = on.table
    if told is not table.tracks[0] or all(closing.sure for closing in table.closings):
        return
    near = [track for track in table.tracks if told.score - track.score < table.caution.lead]
    closings = tuple(
        replace(closing, sure=True)
        if not (closing.sure or closing.hidden)
        and all(track.history[number].key == closing.entry.key for track in near)
        else closing
        for number, closing in enumerate(table.closings)
    )
    on.change(closings=closings)


def _tells(track: Track, closings: tuple[Closing, ...]) -> bool:
    return all(_same(entry, closing.entry) for entry, closing in zip(track.history, closings, strict=True))


def _same(entry: TrackEntry, other: TrackEntry) -> bool:
    return entry.key == other.key and entry.origin == other.origin and entry.ply == other.ply
