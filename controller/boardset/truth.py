"""What truly lies on the board at the moments of a contribution, and the pictures of these moments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.arrays import Picture
from controller.boardset.folder import MOMENTS, Contribution, ContributionError, RestMoment
from controller.devices.film import open_film
from controller.record.match.match import MatchRecord, Turn
from controller.record.match.playthrough import by_game, moments
from controller.rules import Position
from controller.rules.game.cube import Cube

LATEST_S = 1.0
"""The picture of a moment is taken so soon after it."""


@dataclass(frozen=True, eq=False, slots=True)
class KnownMoment:
    """A moment with the position and the cube that the match has there, and the picture of the film."""

    moment: RestMoment
    position: Position
    cube: Cube
    picture: Picture


def truths(given: Contribution) -> tuple[KnownMoment, ...]:
    """The moments of a contribution with what lies on the board there.

    Raises:
        ContributionError: the match has no such turn, or the film no such moment.
        UserError: the film cannot be decoded.
    """
    known = _standing(given.match)
    for moment in given.moments:
        if (moment.game, moment.turns) not in known:
            raise ContributionError(
                f"{given.folder / MOMENTS}, line {moment.line}: the match file has no {moment.turns} turns in game "
                f"{moment.game}; put the line or the match file right."
            )
    shown = dict(_pictures(given))
    for moment in given.moments:
        if moment not in shown:
            raise ContributionError(
                f"{given.folder / MOMENTS}, line {moment.line}: {given.film.name} has no picture at {moment.t:g} s; "
                "put the time right."
            )
    return tuple(
        KnownMoment(moment, *known[moment.game, moment.turns], shown[moment]) for moment in given.moments
    )


def _standing(match: MatchRecord) -> Mapping[tuple[int, int], tuple[Position, Cube]]:
    """Position and cube by game, from 1, and how many of its turns were finished: as they are right after it."""
    known: dict[tuple[int, int], tuple[Position, Cube]] = {}
    for number, of_game in enumerate(by_game(moments(match)), start=1):
        turns, position, cube = 0, match.games[number - 1].start, Cube()
        for moment in of_game:
            if moment.entry is not None:
                cube = moment.match.game.cube
            known.setdefault((number, turns), (position, cube))
            if isinstance(moment.entry, Turn):
                turns, position = turns + 1, moment.entry.after
    return known


def _pictures(given: Contribution) -> Iterator[tuple[RestMoment, Picture]]:
    """For each moment the first picture from then on."""
    waiting = list(given.moments)
    for frame in open_film(given.film):
        while waiting and frame.t >= waiting[0].t and frame.picture is not None:
            moment = waiting.pop(0)
            if frame.t <= moment.t + LATEST_S:
                yield moment, frame.picture
        if not waiting:
            return
