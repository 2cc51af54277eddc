"""Reasons as English sentences, spoken to the player who moved; other languages are made at the edge."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from controller.rules.reasons import Argument, Reason, ReasonCode

Arguments = Mapping[str, Argument]


def explain(reason: Reason) -> str:
    """One sentence that says which rule was broken and by what, with points in the player's own numbering."""
    return _SENTENCES[reason.code](reason.arguments)


def _own(arguments: Arguments, name: str) -> str:
    """A place of the arguments in the numbering of the side they are about."""
    return _from_side(arguments[name], dark=arguments["side"] == "dark")


def _from_side(place: object, *, dark: bool) -> str:
    if isinstance(place, str) and not place.isdecimal():
        return place
    number = int(str(place))
    return str(25 - number if dark else number)


def _at(place: str) -> str:
    return "the bar" if place == "bar" else "the tray" if place == "off" else f"the {place}-point"


def _step(arguments: Arguments) -> str:
    return f"{_own(arguments, 'source')}/{_own(arguments, 'target')}"


def _listed(values: Sequence[object], word: str = "and") -> str:
    words = [str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def _values(argument: Argument) -> list[object]:
    return list(argument) if isinstance(argument, list) else []


def _rolls(argument: Argument) -> list[str]:
    return ["-".join(str(die) for die in roll) for roll in _values(argument) if isinstance(roll, list)]


def _checkers(number: Argument) -> str:
    return "a checker" if number == 1 else f"{number} checkers"


def _bar_first(a: Arguments) -> str:
    waiting = _checkers(a["waiting"])
    return f"{_step(a)} was played with {waiting} still on the bar: the bar must be entered first."


def _blocked_point(a: Arguments) -> str:
    holders = _checkers(a["checkers"])
    return f"{_step(a)} lands on {_at(_own(a, 'point'))}, which the opponent holds with {holders}."


def _stack_limit(a: Arguments) -> str:
    return f"{_step(a)} puts more than {a['limit']} checkers on {_at(_own(a, 'point'))}."


def _bear_off_early(a: Arguments) -> str:
    dark = a["side"] == "dark"
    places = _listed([_at(_from_side(place, dark=dark)) for place in _values(a["outside"])])
    return f"{_step(a)} bears off while not all checkers are home: there are still some on {places}."


def _bear_off_higher_exists(a: Arguments) -> str:
    return (
        f"{_step(a)} with a {a['die']} is not allowed while a checker is on {_at(_own(a, 'rearmost'))}: "
        "a larger number bears off only from the rearmost point."
    )


def _bear_off_number_too_small(a: Arguments) -> str:
    return (
        f"{_step(a)} with a {a['die']} is not allowed: "
        f"the {a['die']} is too small to bear off from {_at(_own(a, 'source'))}."
    )


def _bear_off_rearmost_only(a: Arguments) -> str:
    return (
        f"{_step(a)} is not allowed by these rules while a checker is on {_at(_own(a, 'rearmost'))}: "
        "only the rearmost checkers may be borne off."
    )


def _bear_off_exact_required(a: Arguments) -> str:
    return (
        f"{_step(a)} moves inside, but by these rules the {a['die']} must bear off from the {a['die']}-point."
    )


def _unused_die(a: Arguments) -> str:
    were = "was" if a["played"] == 1 else "were"
    return (
        f"Only {a['played']} of the {a['playable']} playable numbers {were} used, leaving "
        f"{_listed(_values(a['dice']))}: legal would be {a['example']}."
    )


def _larger_die(a: Arguments) -> str:
    return (
        f"Either number can be played but not both, so it must be the {a['die']}, not the {a['played']}: "
        f"legal would be {a['example']}."
    )


def _nothing_moved(a: Arguments) -> str:
    return (
        f"Nothing was moved, but {_listed(_values(a['dice']))} can be played: legal would be {a['example']}."
    )


def _backwards(a: Arguments) -> str:
    return f"A checker went backwards from {_at(_own(a, 'source'))} to {_at(_own(a, 'target'))}."


def _wrong_distance(a: Arguments) -> str:
    pips = "1 pip" if a["distance"] == 1 else f"{a['distance']} pips"
    return f"{_step(a)} is {pips}, which the roll {_listed(_values(a['dice']))} does not allow."


def _dice_mismatch(a: Arguments) -> str:
    rolled = "-".join(map(str, _values(a["dice"])))
    rolls = _rolls(a["would_be"])
    if not rolls:
        return f"What was moved cannot be matched with the roll {rolled}."
    return f"What was moved is not a play of {rolled}, but would be one of {_listed(rolls, 'or')}."


def _extra_checker_moved(a: Arguments) -> str:
    return f"{_step(a)} was moved as well, but the roll {_listed(_values(a['dice']))} was already used up."


def _extra_checker_off(a: Arguments) -> str:
    times = "" if a["count"] == 1 else f"({a['count']})"
    rolled = "-".join(map(str, _values(a["dice"])))
    return f"{_step(a)}{times} was played as well, but the roll {rolled} was already used up."


def _hit_not_on_bar(a: Arguments) -> str:
    point = _at(_own(a, "point"))
    found = ""
    if a["found"] is not None:
        found = f"; it is {'in' if a['found'] == 'off' else 'on'} {_at(_own(a, 'found'))}"
    return f"The opponent's checker that was hit on {point} must go to the bar{found}."


def _opponent_moved(a: Arguments) -> str:
    return f"A checker of the opponent was moved from {_at(_own(a, 'source'))} to {_at(_own(a, 'target'))}."


def _owners(a: Arguments) -> str:
    """A place in the numbering of the checkers' owner, who need not be the player who moved."""
    place = _own(a, "point")
    return f"{a['side']}'s {place}-point" if place.isdecimal() else _at(place)


def _checker_missing(a: Arguments) -> str:
    if a["count"] == 1:
        return f"A {a['side']} checker is missing; it was on {_owners(a)}."
    return f"{a['count']} {a['side']} checkers are missing; they were on {_owners(a)}."


def _checker_extra(a: Arguments) -> str:
    if a["count"] == 1:
        return f"There is one {a['side']} checker too many, on {_owners(a)}."
    return f"There are {a['count']} {a['side']} checkers too many, on {_owners(a)}."


_SENTENCES: Final[Mapping[ReasonCode, Callable[[Arguments], str]]] = {
    ReasonCode.BAR_FIRST: _bar_first,
    ReasonCode.BLOCKED_POINT: _blocked_point,
    ReasonCode.STACK_LIMIT: _stack_limit,
    ReasonCode.BEAR_OFF_EARLY: _bear_off_early,
    ReasonCode.BEAR_OFF_HIGHER_EXISTS: _bear_off_higher_exists,
    ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL: _bear_off_number_too_small,
    ReasonCode.BEAR_OFF_REARMOST_ONLY: _bear_off_rearmost_only,
    ReasonCode.BEAR_OFF_EXACT_REQUIRED: _bear_off_exact_required,
    ReasonCode.UNUSED_DIE: _unused_die,
    ReasonCode.LARGER_DIE: _larger_die,
    ReasonCode.NOTHING_MOVED: _nothing_moved,
    ReasonCode.BACKWARDS: _backwards,
    ReasonCode.WRONG_DISTANCE: _wrong_distance,
    ReasonCode.DICE_MISMATCH: _dice_mismatch,
    ReasonCode.EXTRA_CHECKER_MOVED: _extra_checker_moved,
    ReasonCode.EXTRA_CHECKER_OFF: _extra_checker_off,
    ReasonCode.HIT_NOT_ON_BAR: _hit_not_on_bar,
    ReasonCode.OPPONENT_MOVED: _opponent_moved,
    ReasonCode.CHECKER_MISSING: _checker_missing,
    ReasonCode.CHECKER_EXTRA: _checker_extra,
}
