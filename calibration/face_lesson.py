"""A table is shown its dice, one number after the other: what is asked for next, and what became of a picture."""

from dataclasses import dataclass, replace
from typing import Final

from calibration.faces import (
    CUBE_FACES,
    NUMBERS,
    SURE,
    FaceError,
    FaceFault,
    FacesSeen,
    FacesShown,
    has_changed,
    look_at_faces,
)
from controller.arrays import Picture
from controller.vision import Board, read_board
from controller.vision.watch import Read

MOST_DICE: Final = 4
"""So many are seen in one picture."""
DOUBTS: Final = frozenset({FaceFault.OTHER_NUMBER, FaceFault.OTHER_FACE})
"""What people can overrule who know what lies there."""


@dataclass(frozen=True, eq=False)
class FaceLesson:
    """How far the table was shown its dice.

    Attributes:
        dice: how many lie there at once; None for as many as are seen at first.
        cube: whether the cube is shown as well.
        seen: the pictures that were taken, in their order.
        trouble: why the last picture could not be used; None where it could, or where nothing has changed.
    """

    dice: int | None = 2
    cube: bool = False
    seen: tuple[FacesSeen, ...] = ()
    trouble: FaceError | None = None

    @property
    def usual(self) -> int | None:
        """How many dice are to be seen; None for any number."""
        return len(self.seen[0].dice) if self.dice is None and self.seen else self.dice

    @property
    def number(self) -> int:
        """The number that is to be shown next: of those that were shown least often the lowest."""
        return min(NUMBERS, key=lambda number: (self._shown(number), number))

    @property
    def face(self) -> int | None:
        """The face of the cube that is to be shown with it."""
        return CUBE_FACES[self.number] if self.cube else None

    @property
    def done(self) -> int:
        """How many numbers were shown in this round."""
        return sum(self._shown(number) > self._shown(self.number) for number in NUMBERS)

    @property
    def whole(self) -> bool:
        """Whether every number was shown, and each as often."""
        return bool(self.seen) and self.done == 0

    @property
    def doubted(self) -> bool:
        """Whether the last picture seems to show something else than was asked for: people may know better."""
        return self.trouble is not None and self.trouble.fault in DOUBTS

    def without(self, number: int) -> "FaceLesson":
        """The lesson without the last picture of a number."""
        last = max(place for place, one in enumerate(self.seen) if one.number == number)
        return replace(self, seen=self.seen[:last] + self.seen[last + 1 :])

    def _shown(self, number: int) -> int:
        return sum(one.number == number for one in self.seen)


def show_faces(
    lesson: FaceLesson, picture: Picture, board: Board, read: Read = read_board, *, sure: bool = False
) -> FaceLesson:
    """The lesson after a picture, (h, w, 3) BGR uint8, of a board at rest.

    It is taken if as many dice lie there as should, each turned or moved since the picture before. One that plainly
    shows another number is asked for again, unless somebody is ``sure``.
    """
    name = f"the picture of the {lesson.number}"
    try:
        seen = look_at_faces(FacesShown(name, picture, lesson.number, lesson.face, sure), board, read)
        before = lesson.seen[-1] if lesson.seen else None
        if not has_changed(seen, before):
            return replace(lesson, trouble=None)
        _check_shown(lesson, seen)
    except FaceError as trouble:
        return replace(lesson, trouble=trouble)
    return replace(lesson, seen=(*lesson.seen, seen), trouble=None)


def _check_shown(lesson: FaceLesson, seen: FacesSeen) -> None:
    """Raise ``FaceError`` if other dice lie there than were asked for."""
    usual = lesson.usual
    if usual is not None and len(seen.dice) != usual:
        raise FaceError(
            f"{seen.name} shows {len(seen.dice)} dice, not {usual}; lay all of them well apart.",
            FaceFault.COUNT,
            seen=len(seen.dice),
            usual=usual,
        )
    if seen.other_face is not None:
        face, shown = seen.other_face
        raise FaceError(
            f"in {seen.name} the cube seems to show the {shown}, not the {face}; turn it.",
            FaceFault.OTHER_FACE,
            face=face,
            told=shown,
        )
    for told, chance in seen.told:
        if told != seen.number and chance >= SURE and not seen.sure:
            raise FaceError(
                f"{seen.name} seems to show the {told}; turn that die.",
                FaceFault.OTHER_NUMBER,
                number=seen.number,
                told=told,
            )
