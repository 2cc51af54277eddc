"""Tie-breaks, each with its working: players dispute what they cannot check."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.tournament.format import TieBreak
from controller.tournament.lot import lot
from controller.tournament.record import Encounter, PlayerRecord


@dataclass(frozen=True, slots=True)
class TieBreakValue:
    """What a tie-break says of a player; more is better.

    Attributes:
        rule: which one.
        value: the sum.
        working: of each opponent that counts, and what they add; what was cut off is left out.
    """

    rule: TieBreak
    value: float
    working: tuple[tuple[int, float], ...] = ()


Rule = Callable[[PlayerRecord, Sequence[int], Mapping[int, PlayerRecord], str], TieBreakValue]


def tie_break(
    rule: TieBreak, player: int, tied: Sequence[int], records: Mapping[int, PlayerRecord], seed: str
) -> TieBreakValue | None:
    """What `rule` says of a player, who is one of the `tied`; `None` where it does not apply.

    So with the direct encounter of more than two, or of two who have not met, and with play-offs of a player who
    played none.
    """
    own = records[player]
    if rule is TieBreak.DIRECT and (len(tied) != 2 or not _met(own.encounters, tied)):
        return None
    if rule is TieBreak.PLAY_OFF and not _met(own.play_offs, tied):
        return None
    return _RULES[rule](own, tied, records, seed)


def _met(encounters: Sequence[Encounter], players: Sequence[int]) -> bool:
    return any(each.opponent in players for each in encounters)


def _losses(own: PlayerRecord, *_: object) -> TieBreakValue:
    return TieBreakValue(TieBreak.LOSSES, -own.losses)


def _in_reach(own: PlayerRecord, *_: object) -> TieBreakValue:
    return TieBreakValue(TieBreak.IN_REACH, own.in_reach)


def _direct(own: PlayerRecord, tied: Sequence[int], _: Mapping[int, PlayerRecord], __: str) -> TieBreakValue:
    working = tuple((each.opponent, float(each.won)) for each in own.encounters if each.opponent in tied)
    return _sum(TieBreak.DIRECT, working)


def _opponents(own: PlayerRecord, records: Mapping[int, PlayerRecord]) -> list[tuple[int, float]]:
    """The points of each opponent whom the player has really met, the fewest first."""
    met = [(each.opponent, records[each.opponent].points) for each in own.encounters if each.played]
    return sorted(met, key=lambda each: (each[1], each[0]))


def _buchholz(rule: TieBreak, low: int, high: int) -> Rule:
    """The opponents' points without a number of the lowest and of the highest."""

    def value(
        own: PlayerRecord, _: Sequence[int], records: Mapping[int, PlayerRecord], __: str
    ) -> TieBreakValue:
        met = _opponents(own, records)
        return _sum(rule, tuple(met[low : len(met) - high]))

    return value


def _sonneborn_berger(
    own: PlayerRecord, _: Sequence[int], records: Mapping[int, PlayerRecord], __: str
) -> TieBreakValue:
    beaten = [
        (each.opponent, records[each.opponent].points) for each in own.encounters if each.played and each.won
    ]
    return _sum(TieBreak.SONNEBORN_BERGER, tuple(beaten))


def _difference(own: PlayerRecord, *_: object) -> TieBreakValue:
    working = tuple((each.opponent, float(each.own - each.other)) for each in own.encounters if each.played)
    return _sum(TieBreak.DIFFERENCE, working)


def _play_off(
    own: PlayerRecord, tied: Sequence[int], _: Mapping[int, PlayerRecord], __: str
) -> TieBreakValue:
    """Wins less losses: of three, the one who beats the winner of the first play-off comes before that player."""
    working = ((each.opponent, 1.0 if each.won else -1.0) for each in own.play_offs if each.opponent in tied)
    return _sum(TieBreak.PLAY_OFF, tuple(working))


def _lot(own: PlayerRecord, _: Sequence[int], __: Mapping[int, PlayerRecord], seed: str) -> TieBreakValue:
    return TieBreakValue(TieBreak.LOT, -(lot(seed, "tie", own.player) % 1_000_000))


def _sum(rule: TieBreak, working: tuple[tuple[int, float], ...]) -> TieBreakValue:
    return TieBreakValue(rule, sum(amount for _, amount in working), working)


_RULES: Final[Mapping[TieBreak, Rule]] = {
    TieBreak.LOSSES: _losses,
    TieBreak.IN_REACH: _in_reach,
    TieBreak.DIRECT: _direct,
    TieBreak.BUCHHOLZ: _buchholz(TieBreak.BUCHHOLZ, 0, 0),
    TieBreak.BUCHHOLZ_CUT: _buchholz(TieBreak.BUCHHOLZ_CUT, 1, 0),
    TieBreak.BUCHHOLZ_MEDIAN: _buchholz(TieBreak.BUCHHOLZ_MEDIAN, 1, 1),
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.DIFFERENCE: _difference,
    TieBreak.PLAY_OFF: _play_off,
    TieBreak.LOT: _lot,
}
