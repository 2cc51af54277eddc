"""Resigning: by level (single, gammon, backgammon) or for a number of points, as the rules say.

Source: levels as GNU Backgammon knows them; free points, and going on after a refusal, from the HUNBG club.
"""

from dataclasses import dataclass

from controller.rules.cube import Cube
from controller.rules.position import Side
from controller.rules.profile import BackgammonRule, Profile, ResignForm, ResignRules
from controller.rules.refusal import Refusal, RefusedError
from controller.rules.result import Ending, Result
from controller.rules.scoring import Level, game_value, most_points


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer of ``by`` to lose; ``amount`` is a level or a number of points."""

    by: Side
    amount: int


def offer(side: Side, amount: int, cube: Cube, profile: Profile) -> Resignation:
    """The resignation of ``side``. Raises RefusedError for an amount that no game can be lost by."""
    if amount < 1:
        raise RefusedError(Refusal.RESIGNATION_TOO_SMALL, side=side, amount=amount)
    maximum = largest(cube, profile)
    if maximum is not None and amount > maximum:
        raise RefusedError(Refusal.RESIGNATION_TOO_LARGE, side=side, amount=amount, maximum=maximum)
    return Resignation(side, amount)


def largest(cube: Cube, profile: Profile) -> int | None:
    """The largest amount that can be offered; None where the cube, and so the points, have no limit."""
    if profile.resign.form is ResignForm.FREE_POINTS:
        return most_points(cube, profile)
    return Level.GAMMON if profile.score.backgammon is BackgammonRule.NEVER else Level.BACKGAMMON


def answered(resignation: Resignation | None, side: Side) -> Resignation:
    """The resignation that ``side`` may answer. Raises RefusedError if there is none, or it is its own."""
    if resignation is None:
        raise RefusedError(Refusal.NO_OFFER, side=side)
    if resignation.by is side:
        raise RefusedError(Refusal.OWN_OFFER, side=side)
    return resignation


def refused(resignation: Resignation | None, side: Side, rules: ResignRules) -> None:
    """Raise RefusedError if ``side`` cannot refuse: see `answered`, and ``resign.must_accept``."""
    answered(resignation, side)
    if rules.must_accept:
        raise RefusedError(Refusal.RESIGNATION_MUST_BE_ACCEPTED, side=side)


def result(resignation: Resignation, cube: Cube, profile: Profile) -> Result:
    """The result of a game that ends with this resignation."""
    winner = resignation.by.opponent
    if profile.resign.form is ResignForm.FREE_POINTS:
        return Result(winner, resignation.amount, Ending.RESIGNED)
    value = game_value(Level(resignation.amount), cube, profile)
    return Result(winner, value.points, Ending.RESIGNED, value)
