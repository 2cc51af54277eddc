"""What has to be done to a board until it stands as it should, in an order that people can follow.

For setting up, for a board that was knocked over, and for a play that is to be put right: the checkers that lie
wrong are taken first, then the places that miss some are filled.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import PLACES, Place
from controller.referee.caution import USUAL, Caution
from controller.referee.seeing.evidence import MOST, WITNESS, CountTable, Evidence
from controller.rules import Position, Side

AGREES: Final = 1.0
"""A place lies as it should if no other count is likelier by so much (log-odds): the height of a pile is never
certain."""


@dataclass(frozen=True, slots=True)
class Surplus:
    """By how many checkers of one side a place differs: ``number`` are to be taken, or to be put if negative."""

    place: Place
    side: Side
    number: int


@dataclass(frozen=True, slots=True)
class Differences:
    """What lies otherwise than it should.

    Attributes:
        surplus: what is to be taken and to be put, in the order in which to do it: first all that is to be taken
            from points and bars, then what light is missing there (it may lie in the tray), then dark.
        unsure: places of which it cannot be told.
    """

    surplus: tuple[Surplus, ...] = ()
    unsure: tuple[Place, ...] = ()

    @property
    def to_remove(self) -> tuple[Place, ...]:
        """Places that hold checkers that do not belong there."""
        return tuple(dict.fromkeys(each.place for each in self.surplus if each.number > 0))

    @property
    def points(self) -> tuple[int, ...]:
        """The points (1..24, light's side) that differ, in their order."""
        return tuple(sorted({each.place for each in self.surplus if isinstance(each.place, int)}))

    @property
    def none(self) -> bool:
        """Whether everything certainly lies as it should."""
        return not self.surplus and not self.unsure


def differences(evidence: Evidence, target: Position) -> Differences:
    """What the board seen differs by from ``target``.

    ``evidence`` is that of the board at rest, weighed, what is covered left out (`SettledView.visible`). A
    place is wrong if it speaks against the target by `WITNESS`, and unsure if by less or if nothing is known of it;
    a tray that cannot be seen is neither.
    """
    surplus: list[Surplus] = []
    unsure: list[Place] = []
    for point, wanted in enumerate(target.points, start=1):
        row = evidence.points[point - 1]
        seen = _find_count(row, (wanted + MOST,)) if row.any() else None
        if seen is None:
            unsure.append(point)
        else:
            surplus += _on_point(point, seen[0] - MOST, wanted)
    bars = (target.bar(Side.LIGHT), target.bar(Side.DARK))
    on_bar = _find_count(evidence.bar, bars) if evidence.bar.any() else None
    if on_bar is None:
        unsure += [f"bar-{side}" for side in Side]
    else:
        surplus += _of_sides("bar", on_bar, bars)
    for number, side in enumerate(Side):
        wanted, row = target.off(side, evidence.checkers), evidence.off[number]
        in_tray = _find_count(row, (wanted,))
        # Checkers that have not been entered yet may lie in the tray or beside the board.
        if in_tray is not None and row.any() and not target.hand(side):
            surplus += _of_side(f"tray-{side}", side, in_tray[0] - wanted)
    return Differences(_sort(surplus), tuple(unsure))


def between(now: Position, target: Position) -> Differences:
    """What one position differs by from another."""
    surplus: list[Surplus] = []
    for point, (count, wanted) in enumerate(zip(now.points, target.points, strict=True), start=1):
        surplus += _on_point(point, count, wanted)
    surplus += _of_sides("bar", [now.bar(side) for side in Side], [target.bar(side) for side in Side])
    surplus += _of_sides("tray", [now.off(side) for side in Side], [target.off(side) for side in Side])
    return Differences(_sort(surplus))


def next_steps(found: Differences, caution: Caution = USUAL) -> tuple[Surplus, ...]:
    """What to do now: everything if that is little, else what is to be cleared, else one side's after the other's."""
    if len({each.place for each in found.surplus}) <= caution.shown_at_once:
        return found.surplus
    cleared = tuple(each for each in found.surplus if _clears(each))
    return cleared or tuple(each for each in found.surplus if each.side is found.surplus[0].side)


def restoring_frame(found: Differences, caution: Caution = USUAL) -> LightFrame:
    """The lights that guide people: where to take, where to put, where to look.

    The status lamp waits as long as anything is to be done. A place with checkers to take and others to put shows the
    taking first.
    """
    steps = next_steps(found, caution)
    frame = LightFrame(status=Signal.DARK if found.none else Signal.WAITING)
    frame = frame.lit(Signal.UNSURE, found.unsure)
    frame = frame.lit(Signal.PUT, [each.place for each in steps if each.number < 0])
    return frame.lit(Signal.TAKE, [each.place for each in steps if each.number > 0])


def _find_count(table: CountTable, wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """What log-likelihoods show, the wanted index if nothing speaks against it; None if that cannot be told."""
    flat = int(table.argmax())
    lead = float(table.max() - table[wanted])
    if lead < AGREES:
        return wanted
    if lead < WITNESS:
        return None
    return (flat,) if table.ndim == 1 else divmod(flat, table.shape[1])


def _on_point(point: int, count: int, wanted: int) -> Iterator[Surplus]:
    yield from _of_side(point, Side.LIGHT, max(count, 0) - max(wanted, 0))
    yield from _of_side(point, Side.DARK, max(-count, 0) - max(-wanted, 0))


def _of_sides(place: str, counts: Iterable[int], wanted: Iterable[int]) -> Iterator[Surplus]:
    for side, count, want in zip(Side, counts, wanted, strict=True):
        yield from _of_side(f"{place}-{side}", side, count - want)


def _of_side(place: Place, side: Side, number: int) -> Iterator[Surplus]:
    if number:
        yield Surplus(place, side, number)


def _sort(surplus: Iterable[Surplus]) -> tuple[Surplus, ...]:
    return tuple(
        sorted(
            surplus,
            key=lambda each: (
                not _clears(each),
                each.side is Side.DARK,
                each.number < 0,
                PLACES.index(each.place),
            ),
        )
    )


def _clears(step: Surplus) -> bool:
    """Whether a step clears a place that another checker may need; a tray is never in the way."""
    return step.number > 0 and step.place != f"tray-{step.side}"
