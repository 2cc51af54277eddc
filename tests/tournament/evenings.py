"""Whole tournaments, played by chance: results of all kinds, people who leave, people who come late."""

import random
from collections.abc import Sequence

from controller.tournament.catalogue import load_format
from controller.tournament.changes import EntryWish, begin, draw, enter, withdraw
from controller.tournament.draw import is_over
from controller.tournament.events import MatchesDrawn, PlayerEntered, ResultReported, TournamentEvent
from controller.tournament.fault import TournamentError
from controller.tournament.format import StageKind, TournamentFormat
from controller.tournament.match import MatchEnding, ReportedResult, SourceKind, TournamentMatch
from controller.tournament.tournament import DrawnMatch, Progress, Tournament, fold

MOST_DRAWS = 40


def opening(
    chosen: str | TournamentFormat, players: int, clubs: int = 0, seed: str = "1"
) -> list[TournamentEvent]:
    """A tournament that nothing has been drawn in."""
    made = load_format(chosen) if isinstance(chosen, str) else chosen
    events: list[TournamentEvent] = [begin("Cup", made, seed)]
    wishes = [
        EntryWish(f"P{each}", club=f"C{each % clubs}" if clubs else "") for each in range(1, players + 1)
    ]
    return [*events, *enter(events, wishes)] if players <= 20 else [*events, *_entered(wishes)]


def _entered(wishes: Sequence[EntryWish]) -> list[PlayerEntered]:
    """Many entries at once, without asking before each whether the name is taken."""
    first = enter([begin("Cup", load_format("swiss"), "1")], wishes[:1])[0].entry
    return [
        PlayerEntered(type(first)(number, wish.name, club=wish.club))
        for number, wish in enumerate(wishes, start=1)
    ]


def open_matches(tournament: Tournament) -> list[DrawnMatch]:
    return [each for each in tournament.states().values() if each.progress is Progress.OPEN]


def any_result(state: DrawnMatch, chance: random.Random, wild: float = 0) -> ReportedResult:
    """A result of an open match; with `wild` sometimes a walk-over."""
    first, second = state.players
    if chance.random() < wild:
        if chance.random() < 0.4:
            return ReportedResult((first, second), (0, 0), MatchEnding.DOUBLE_WALKOVER)
        return ReportedResult((first, second), chance.choice([(1, 0), (0, 1)]), MatchEnding.WALKOVER)
    score = [state.match.length, chance.randrange(state.match.length)]
    chance.shuffle(score)
    return ReportedResult((first, second), (score[0], score[1]))


def play_on(
    events: Sequence[TournamentEvent], chance: random.Random, wild: float = 0
) -> list[TournamentEvent]:
    """The tournament to its end; with `wild` also with walk-overs, withdrawals and late entries."""
    played = list(events)
    for _ in range(MOST_DRAWS):
        while opened := open_matches(tournament := fold(played)):
            chance.shuffle(opened)
            for state in opened:
                played.append(ResultReported(state.match.number, any_result(state, chance, wild)))
            if chance.random() < wild:
                played += _come_or_go(played, chance)
        if is_over(tournament) and not free_pairs(tournament, chance):
            return played
        try:
            played.append(draw(played, pairs=free_pairs(tournament, chance)))
        except TournamentError:
            return played
    raise AssertionError("the tournament does not end")


def free_pairs(tournament: Tournament, chance: random.Random) -> list[tuple[str, str]]:
    """Where the director makes the pairs: new ones until everybody who is here has been paired."""
    if tournament.format.stage.kind is not StageKind.FREE:
        return []
    here = [each for each in tournament.entries if each not in tournament.withdrawn]
    chance.shuffle(here)
    paired = {player for state in tournament.states().values() for player in state.players}
    here.sort(key=lambda each: each in paired)
    if len(here) < 2 or here[0] in paired:
        return []
    return [
        (tournament.entries[one].name, tournament.entries[other].name)
        for one, other in zip(here[::2], here[1::2], strict=False)
    ]


def _come_or_go(events: Sequence[TournamentEvent], chance: random.Random) -> list[TournamentEvent]:
    tournament = fold(events)
    try:
        if chance.random() < 0.5:
            return [withdraw(events, chance.choice([*tournament.entries.values()]).name)]
        return [*enter(events, [EntryWish(f"Late {len(events)}")])]
    except TournamentError:
        return []


def drawn_pairs(draw_event: MatchesDrawn) -> list[tuple[int, ...]]:
    """The players of each match of a draw that names them; a bye has one."""
    return [_named(match) for match in draw_event.matches]


def _named(match: TournamentMatch) -> tuple[int, ...]:
    return tuple(each.number for each in match.sources if each.kind is SourceKind.ENTRY)
