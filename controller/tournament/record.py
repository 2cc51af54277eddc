"""What each player has done in rounds or in a group: wins, losses, byes, points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.tournament.format import LateEntry, StageKind, StageRules, WithdrawnFrom
from controller.tournament.match import NOBODY, Bracket
from controller.tournament.tournament import DrawnMatch, Progress, Tournament


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match that is over, as one of its players sees it.

    Attributes:
        match: its number.
        opponent: whom, `NOBODY` for a bye.
        won: whether it was won; a bye is.
        own, other: the points of both.
        played: whether it was, and not walked over.
    """

    match: int
    opponent: int
    won: bool
    own: int = 0
    other: int = 0
    played: bool = False


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player's matches so far; rounds that were missed count among losses or byes.

    Attributes:
        in_reach: rounds that were begun, or missed, while the player could still win; all where lives do not count.
        play_offs: matches that only decide between equals; they count among nothing else.
    """

    player: int
    encounters: tuple[Encounter, ...]
    wins: int
    losses: int
    byes: int
    points: float
    in_reach: int = 0
    play_offs: tuple[Encounter, ...] = ()

    def met(self, other: int) -> int:
        """How often the two were paired."""
        return sum(each.opponent == other for each in self.encounters)


def player_records(tournament: Tournament, states: Iterable[DrawnMatch]) -> dict[int, PlayerRecord]:
    """The records of all players from these matches, by number."""
    states = list(states)
    annulled = annulled_players(tournament, states)
    drawn = max((state.match.round for state in states if state.match.bracket is Bracket.ROUNDS), default=0)
    found: dict[int, list[Encounter]] = {number: [] for number in tournament.entries}
    for state in states:
        if state.progress not in (Progress.OVER, Progress.BYE) or not annulled.isdisjoint(state.players):
            continue
        for place, player in enumerate(state.seats):
            if player:
                found[player].append(_encounter(state, place))
    deciding = tournament.play_offs()
    absences = {
        number: [each for each in rounds if each <= drawn] for number, rounds in tournament.absences.items()
    }
    return {
        number: replace(
            _record(tournament, number, tuple(each), absences.get(number, ())),
            play_offs=_play_offs(deciding, number),
        )
        for number, each in found.items()
    }


def _play_offs(states: Iterable[DrawnMatch], player: int) -> tuple[Encounter, ...]:
    return tuple(
        _encounter(state, state.seats.index(player))
        for state in states
        if state.progress is Progress.OVER and player in state.seats
    )


def annulled_players(tournament: Tournament, states: Iterable[DrawnMatch]) -> frozenset[int]:
    """Those who left a round robin with less than half of their matches played, where their results do not count."""
    rules = tournament.format.stage
    if rules.kind is not StageKind.ROUND_ROBIN or rules.withdrawn is not WithdrawnFrom.ANNULLED:
        return frozenset()
    count = dict.fromkeys(tournament.withdrawn, (0, 0))
    for state in states:
        for player in state.players:
            if player in count:
                played, drawn = count[player]
                count[player] = (played + state.played(), drawn + 1)
    return frozenset(player for player, (played, drawn) in count.items() if 2 * played < drawn)


def _encounter(state: DrawnMatch, place: int) -> Encounter:
    opponent = state.seats[1 - place] or NOBODY
    won = state.winner == state.seats[place]
    if state.result is None:
        return Encounter(state.match.number, opponent, won)
    own, other = state.result.score[place], state.result.score[1 - place]
    return Encounter(state.match.number, opponent, won, own, other, state.played())


def _record(
    tournament: Tournament, player: int, encounters: tuple[Encounter, ...], absences: Sequence[int]
) -> PlayerRecord:
    rules = tournament.format.stage
    before = tournament.entries[player].missed
    missed = before + len(absences)
    late_bye = rules.late is LateEntry.BYE
    wins = sum(each.won and each.opponent != NOBODY for each in encounters)
    byes = sum(each.opponent == NOBODY for each in encounters) + (missed if late_bye else 0)
    losses = sum(not each.won for each in encounters) + (0 if late_bye else missed)
    points = wins * rules.win + losses * rules.loss + byes * rules.bye
    lost = _losses(tournament, encounters, () if late_bye else absences)
    return PlayerRecord(
        player,
        encounters,
        wins,
        losses=losses,
        byes=byes,
        points=points,
        in_reach=_in_reach(rules, lost, 0 if late_bye else before),
    )


def _losses(tournament: Tournament, encounters: Iterable[Encounter], absences: Sequence[int]) -> list[bool]:
    """Whether each round was lost, in the order in which they were drawn."""
    played = [(tournament.matches[each.match].round, not each.won) for each in encounters]
    return [lost for _, lost in sorted([*played, *((each, True) for each in absences)])]


def _in_reach(rules: StageRules, lost: Iterable[bool], missed: int) -> int:
    """The rounds that were begun with fewer losses than the last one that a player can win with."""
    rounds, losses = missed, missed
    for each in lost:
        if rules.to_win is not None and losses >= rules.to_win:
            break
        rounds, losses = rounds + 1, losses + each
    return rounds


def alive(tournament: Tournament, records: Mapping[int, PlayerRecord]) -> list[int]:
    """Those who play the next round: they are here, and have lives left where lives count."""
    lives = tournament.format.stage.lives
    return [
        number
        for number in sorted(tournament.entries)
        if number not in tournament.withdrawn and (lives is None or records[number].losses < lives)
    ]
