"""What may be chosen at the beginning of a tournament in the place of what its format says."""

from collections.abc import Mapping
from dataclasses import replace

from controller.tournament.fault import RefusalError
from controller.tournament.format import LengthRules, StageKind, TournamentFormat
from controller.tournament.match import Bracket


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
