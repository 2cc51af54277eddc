"""A format as values: how an event is drawn, how long its matches are, how it is scored. The dataclasses are the
schema.

Sources: moreswiss.com and chicagoopenbg.com (players leave after the fourth loss, byes, pairing), bkgm.com (the
rating of FIBS), the British federation's rules 1.3 (points for coming late), backgammon-hotspot.com and
bellinghambackgammon.com (round robins, points for a club evening).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

from controller.rules.profile.catalogue import profile_names
from controller.tomlfile.checks import Flag, Number, OneOf, Several, key, keys_of
from controller.tournament.fault import RefusalError
from controller.tournament.match import Bracket

LONGEST_MATCH: Final = 99
"""Points."""
LENGTH: Final = Number(1, LONGEST_MATCH, whole=True)
POINTS: Final = Number(0, 100)
SHARE: Final = Number(0, 100, "percent")
AMOUNT: Final = Number(0, 1_000_000)
Value = TypeVar("Value")


class StageKind(StrEnum):
    """How matches come about."""

    BRACKETS = "brackets"
    """All at once: who wins goes on."""
    ROUNDS = "rounds"
    """Drawn anew for each round, from the results so far."""
    ROUND_ROBIN = "round_robin"
    """Everybody against everybody, in one group or several."""
    FREE = "free"
    """The director makes every pair, whenever two are free."""


class Seeding(StrEnum):
    """Who stands where in brackets and groups."""

    RANDOM = "random"
    RATING = "rating"


class Family(StrEnum):
    """What players may share who should not meet at once."""

    FAMILY = "family"
    CLUB = "club"
    COUNTRY = "country"


class Criterion(StrEnum):
    """What a round that is drawn anew keeps small, added up over all its pairs."""

    SECOND_BYE = "second_bye"
    """The byes that whoever gets this one has had already."""
    REMATCH = "rematch"
    """How often the two have met."""
    BYE_RECORD = "bye_record"
    """How much better the record of whoever gets the bye is than the worst one."""
    RECORD = "record"
    """The difference of the two records, squared, so that one far apart is worse than several close by."""
    FLOAT = "float"
    """1 for whoever meets a better record now and did last time, 1 for a worse one again."""
    APART = "apart"
    """In the first round: 4 for one family, 2 for one club, 1 for one country."""


class TieBreak(StrEnum):
    """What decides between players with equal points."""

    LOSSES = "losses"
    IN_REACH = "in_reach"
    DIRECT = "direct"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT = "buchholz_cut"
    BUCHHOLZ_MEDIAN = "buchholz_median"
    SONNEBORN_BERGER = "sonneborn_berger"
    DIFFERENCE = "difference"
    PLAY_OFF = "play_off"
    LOT = "lot"


class LateEntry(StrEnum):
    """What becomes of the rounds that somebody missed who enters when the event has begun."""

    REFUSED = "refused"
    LOSS = "loss"
    BYE = "bye"


class WithdrawnFrom(StrEnum):
    """What becomes of the results of somebody who leaves a round robin before half of it."""

    KEPT = "kept"
    ANNULLED = "annulled"


class EventClock(StrEnum):
    """Which clock is used; the words of the table's configuration."""

    NONE = "none"
    SIMPLE = "simple"
    BRONSTEIN = "bronstein"


def of_round(values: Sequence[Value], turn: int) -> Value:
    """The value for this round, from 1; the last one is for all later rounds."""
    return values[min(turn, len(values)) - 1]


@dataclass(frozen=True, slots=True)
class StageRules:
    """How the event is drawn and scored."""

    kind: StageKind = key(
        StageKind.BRACKETS,
        OneOf(StageKind),
        "`brackets`: all at once, who wins goes on. `rounds`: each round is drawn from the results so far. "
        "`round_robin`: everybody against everybody. `free`: the director makes every pair, at any time.",
    )
    seeding: Seeding = key(
        Seeding.RANDOM, OneOf(Seeding), "Who stands where in brackets and groups: by lot, or by rating."
    )
    apart: tuple[Family, ...] = key(
        (Family.FAMILY, Family.CLUB, Family.COUNTRY),
        Several(OneOf(Family), 3),
        "What players share who are kept apart in the first round, and in groups.",
    )
    rounds: int | None = key(
        None,
        OneOf((*range(1, 100), None)),
        "With `rounds`: after how many it is over. With `round_robin`: matches that everybody plays, or one more.",
    )
    lives: int | None = key(
        None, OneOf((*range(1, 20), None)), "With `rounds`: after how many lost matches a player is out."
    )
    lives_to_win: int | None = key(
        None,
        OneOf((*range(1, 20), None)),
        "With `lives`: it is over when no more than one player has lost fewer matches than this.",
        otherwise="`lives`",
    )
    play_off_at: int | None = key(
        None,
        OneOf((*range(2, 100), None)),
        "With `lives`: as soon as no more players than this are left, such as there are places to pay, rounds end "
        "and play-offs decide.",
    )
    groups_of: int | None = key(
        None, OneOf((*range(3, 33), None)), "With `round_robin`: the most players in a group."
    )
    legs: int = key(1, Number(1, 4, whole=True), "With `round_robin`: how often everybody meets everybody.")
    win: float = key(1.0, POINTS, "Points for a win.")
    loss: float = key(0.0, POINTS, "Points for a loss.")
    bye: float = key(1.0, POINTS, "Points for a bye.")
    pairing: tuple[Criterion, ...] = key(
        (
            Criterion.SECOND_BYE,
            Criterion.REMATCH,
            Criterion.BYE_RECORD,
            Criterion.APART,
            Criterion.RECORD,
            Criterion.FLOAT,
        ),
        Several(OneOf(Criterion), len(Criterion)),
        "With `rounds`: what the draw keeps small, the most important first; the lot decides what is left.",
    )
    tie_breaks: tuple[TieBreak, ...] = key(
        (TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER),
        Several(OneOf(TieBreak), 12, repeat=True),
        "What decides between equal points, in this order; play-offs come last where they are not named. Who is "
        "still equal shares the place.",
    )
    late: LateEntry = key(
        LateEntry.LOSS,
        OneOf(LateEntry),
        "With `rounds`: what each missed round is to somebody who enters late. Brackets give a late entry the "
        "place of a bye.",
    )
    withdrawn: WithdrawnFrom = key(
        WithdrawnFrom.ANNULLED,
        OneOf(WithdrawnFrom),
        "With `round_robin`: what becomes of the results of somebody who leaves before half of the matches.",
    )

    @property
    def to_win(self) -> int | None:
        """After how many lost matches a player cannot win any more; `None` where lives do not count."""
        return self.lives if self.lives_to_win is None else self.lives_to_win


@dataclass(frozen=True, slots=True)
class ConsolationRules:
    """A bracket for those who lost in the main one."""

    rounds: int = key(
        0,
        Number(0, 9, whole=True),
        "From how many first rounds of the main bracket losers drop into it; 0: there is none.",
    )
    returns: bool = key(
        False,
        Flag(),
        "Losers of all rounds drop into it, and its winner plays the winner of the main bracket, whom they must "
        "beat twice.",
    )


@dataclass(frozen=True, slots=True)
class LastChanceRules:
    """A bracket for those who lost in the consolation."""

    rounds: int = key(
        0,
        Number(0, 9, whole=True),
        "From how many first rounds of the consolation losers drop into it; 0: there is none.",
    )


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """A bracket that follows groups or rounds."""

    qualify: int = key(
        0,
        Number(0, 128, whole=True),
        "How many go on into it, from each group or from the one table; 0: there is none.",
    )


@dataclass(frozen=True, slots=True)
class LengthRules:
    """How long matches are. A list has a length for each round; its last one is for all later rounds."""

    length: tuple[int, ...] = key((7,), Several(LENGTH, 30, 1, repeat=True), "Points, round by round.")
    consolation: tuple[int, ...] = key(
        (), Several(LENGTH, 30, repeat=True), "In the consolation.", otherwise="as `length`"
    )
    last_chance: tuple[int, ...] = key(
        (), Several(LENGTH, 30, repeat=True), "In the last chance.", otherwise="as `consolation`"
    )
    knockout: tuple[int, ...] = key(
        (), Several(LENGTH, 30, repeat=True), "In a knockout that follows.", otherwise="as `length`"
    )
    final: int | None = key(None, OneOf((*range(1, 100), None)), "In the final.", otherwise="as its round")


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The clock of every match; the keys are those of `[clock]` in a table's configuration. A list has a value for
    each round; its last one is for all later rounds."""

    kind: EventClock = key(EventClock.NONE, OneOf(EventClock), "Which clock is used.")
    reserve_s: float | None = key(
        None,
        Number(1, 86_399),
        "Seconds that each side has for the whole match.",
        otherwise="`reserve_per_point_s` times the match's length",
    )
    reserve_per_point_s: tuple[float, ...] = key(
        (120.0,),
        Several(Number(1, 3600), 30, 1, repeat=True),
        "Seconds that each side has for every point of the match, round by round.",
    )
    delay_s: tuple[float, ...] = key(
        (12.0,), Several(Number(0, 3600), 30, 1, repeat=True), "Seconds for each move, round by round."
    )

    def reserve_for(self, length: int, turn: int) -> float:
        """Seconds that each side has for a match of this length in points, in this round, from 1."""
        return of_round(self.reserve_per_point_s, turn) * length if self.reserve_s is None else self.reserve_s

    def delay_for(self, turn: int) -> float:
        """Seconds for each move in this round, from 1."""
        return of_round(self.delay_s, turn)


@dataclass(frozen=True, slots=True)
class LatenessRules:
    """What it costs to come late: points that the opponent begins with. Where both come late, the difference."""

    first_min: int = key(
        5, Number(1, 999, whole=True), "From how many minutes late on the opponent gets the first point."
    )
    each_min: int = key(5, Number(1, 999, whole=True), "For how many more the opponent gets another point.")
    lost_above: float = key(
        50.0, SHARE, "More points than this part of the match's length: the match is lost."
    )

    def points(self, minutes: int) -> int:
        """What the opponent gets when a player is this many minutes late."""
        return 0 if minutes < self.first_min else 1 + (minutes - self.first_min) // self.each_min

    def is_lost(self, minutes: int, length: int) -> bool:
        """Whether a match of this length in points is lost by coming this late."""
        return self.points(minutes) * 100 > self.lost_above * length


@dataclass(frozen=True, slots=True)
class PrizeRules:
    """What part of the pot each place gets. Who shares a place shares the parts of these places alike."""

    fee: float = key(0.0, AMOUNT, "What each player adds to the pot.")
    added: float = key(0.0, AMOUNT, "What is added to it besides.")
    shares: tuple[float, ...] = key(
        (), Several(SHARE, 128, repeat=True), "Percent for the first place, the second, and so on."
    )
    consolation: tuple[float, ...] = key(
        (), Several(SHARE, 128, repeat=True), "The same in the consolation, of the whole pot."
    )
    last_chance: tuple[float, ...] = key(
        (), Several(SHARE, 128, repeat=True), "The same in the last chance, of the whole pot."
    )

    @property
    def total(self) -> float:
        """Percent of the pot that is given."""
        return sum((*self.shares, *self.consolation, *self.last_chance))


@dataclass(frozen=True, slots=True)
class EventRules:
    """The rules of every match."""

    profile: str = key(
        "standard-match",
        OneOf(profile_names()),
        "The rules that tables are sent with a match: a name that `pointsman profiles` lists.",
    )


@dataclass(frozen=True, slots=True)
class RatingRules:
    """The constants of the rating (bkgm.com: the formula of FIBS)."""

    start: float = key(1500.0, Number(0, 10_000), "The rating of somebody who has none.")
    swing: float = key(4.0, Number(0.1, 100), "What a match of one point between equals moves, twice over.")
    spread: float = key(2000.0, Number(100, 10_000), "How many points of rating weigh how much.")
    newcomer: float = key(5.0, Number(1, 20), "How many times as fast a newcomer's rating moves.")
    settled: float = key(
        400.0,
        Number(0, 100_000),
        "The experience, in points of match length, from which on it moves at the usual pace.",
    )


@dataclass(frozen=True, slots=True)
class TournamentFormat:
    """One format. `name` is that of its file."""

    name: str = "single-elimination"
    title: str = "Single elimination"
    stage: StageRules = field(default_factory=StageRules)
    consolation: ConsolationRules = field(default_factory=ConsolationRules)
    last_chance: LastChanceRules = field(default_factory=LastChanceRules)
    knockout: KnockoutRules = field(default_factory=KnockoutRules)
    match: LengthRules = field(default_factory=LengthRules)
    clock: ClockRules = field(default_factory=ClockRules)
    rules: EventRules = field(default_factory=EventRules)
    rating: RatingRules = field(default_factory=RatingRules)
    lateness: LatenessRules = field(default_factory=LatenessRules)
    prizes: PrizeRules = field(default_factory=PrizeRules)


TABLES: Final[Mapping[str, type]] = {
    "stage": StageRules,
    "consolation": ConsolationRules,
    "last_chance": LastChanceRules,
    "knockout": KnockoutRules,
    "match": LengthRules,
    "clock": ClockRules,
    "rules": EventRules,
    "rating": RatingRules,
    "lateness": LatenessRules,
    "prizes": PrizeRules,
}
"""The tables of a format file."""


def format_values(chosen: TournamentFormat) -> dict[str, dict[str, Any]]:
    """All values of a format as TOML and JSON write them, table by table; `None`, always the default, is left out."""
    return {
        table: {
            each.name: _plain(value)
            for each in keys_of(kind)
            if (value := getattr(getattr(chosen, table), each.name)) is not None
        }
        for table, kind in TABLES.items()
    }


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, StrEnum) else value


# --- what is chosen at the beginning in the place of what a format says ----------------------------------


def takes_rounds(made: TournamentFormat) -> bool:
    """Whether a number of rounds may be chosen: those of brackets follow from the players, free pairs have no end."""
    return made.stage.kind in (StageKind.ROUNDS, StageKind.ROUND_ROBIN)


def later_brackets(made: TournamentFormat) -> tuple[Bracket, ...]:
    """The brackets beside the main one, or after rounds and groups: their matches may have lengths of their own."""
    there = {
        Bracket.CONSOLATION: made.consolation.rounds,
        Bracket.LAST_CHANCE: made.last_chance.rounds,
        Bracket.KNOCKOUT: made.knockout.qualify,
    }
    return tuple(bracket for bracket, many in there.items() if many)


def later_lengths(made: TournamentFormat) -> dict[Bracket, tuple[int, ...]]:
    """The match lengths in each of these brackets, as the format says or leaves it to others."""
    rules = made.match
    consolation = rules.consolation or rules.length
    found = {
        Bracket.CONSOLATION: consolation,
        Bracket.LAST_CHANCE: rules.last_chance or consolation,
        Bracket.KNOCKOUT: rules.knockout or rules.length,
    }
    return {bracket: found[bracket] for bracket in later_brackets(made)}


def choose_rounds(made: TournamentFormat, rounds: int) -> TournamentFormat:
    """The format with another number of rounds. Raises RefusalError if it has none to choose."""
    if not takes_rounds(made):
        raise RefusalError("no_rounds")
    return replace(made, stage=replace(made.stage, rounds=rounds))


def choose_lengths(
    made: TournamentFormat, lengths: tuple[int, ...], later: Mapping[Bracket, tuple[int, ...]]
) -> TournamentFormat:
    """The format with other match lengths.

    Args:
        made: the format.
        lengths: of every match in whatever bracket, round by round; empty: as the format says.
        later: of the matches in one of `later_brackets`, likewise; empty: as `lengths`, or else as the format says.

    Raises:
        RefusalError: for a bracket that the format does not have.
    """
    for bracket, own in later.items():
        if own and bracket not in later_brackets(made):
            raise _missing(bracket)
    rules = LengthRules(lengths) if lengths else made.match
    chosen = replace(
        rules,
        consolation=later.get(Bracket.CONSOLATION) or rules.consolation,
        last_chance=later.get(Bracket.LAST_CHANCE) or rules.last_chance,
        knockout=later.get(Bracket.KNOCKOUT) or rules.knockout,
    )
    return replace(made, match=chosen)


def _missing(bracket: Bracket) -> RefusalError:
    match bracket:
        case Bracket.CONSOLATION:
            return RefusalError("no_consolation")
        case Bracket.LAST_CHANCE:
            return RefusalError("no_last_chance")
        case _:
            return RefusalError("no_knockout")
