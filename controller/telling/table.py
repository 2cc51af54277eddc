"""What people at a table are told of each action of its referee, in any of the languages."""

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import PLACES, Place
from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.game_words import offence_words, play_words
from controller.messages.sight_words import centimetres
from controller.messages.table_words import Names, capital, message_words, side_words
from controller.referee import Action, Flagged, Told, TurnJudged
from controller.referee.actions import (
    BoardBack,
    BoardLost,
    Bumped,
    Covered,
    CubeUnclear,
    DiceVoid,
    FrameSkipped,
    LightChanged,
    Remark,
    Unsure,
)
from controller.referee.belief.steps import moves_between
from controller.rules import Position, Side, format_play
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.rules.notation import BAR, CANNOT_MOVE, OFF
from controller.rules.position import Direction, side_point
from controller.vision.reading import Fault

LOST: Final[Mapping[Fault, str]] = {
    "moved": "board_moved",
    "turned": "board_turned",
    "tilted": "board_tilted",
    "other_board": "board_other",
}
"""What is said of a board that cannot be read, by why; for other reasons that it cannot be seen."""


class PlayedTurn(Protocol):
    """A turn, as it was judged or as the record has it."""

    @property
    def text(self) -> str:
        """The play in notation."""

    @property
    def legal(self) -> bool | None:
        """Whether it was legal; None where nobody confirmed it."""

    @property
    def before(self) -> Position:
        """How the checkers lay before it."""

    @property
    def after(self) -> Position:
        """How they lay after it."""


def action_text(
    action: Action,
    language: str = "en",
    names: Names | None = None,
    viewer: Side = Side.LIGHT,
    rules: MovementRules = STANDARD,
) -> str | None:
    """An action in words; None for one that has none, such as a change of the lights. Raises LanguageError.

    What comes with a message of its own (a game that begins or ends, the cube) is left to that.
    """
    match action:
        case Told():
            return told_text(action, language, names, viewer, rules.direction)
        case Flagged(turn=turn):
            return verdict_text(turn, language, names, back=True, rules=rules)
        case TurnJudged():
            return verdict_text(action, language, names)
        case (
            Unsure()
            | DiceVoid()
            | FrameSkipped()
            | Bumped()
            | LightChanged()
            | BoardLost()
            | BoardBack()
            | Covered()
        ):
            return remark_text(action, language, viewer, rules.direction)
        case CubeUnclear() | _:
            return None


def told_text(
    told: Told,
    language: str = "en",
    names: Names | None = None,
    viewer: Side = Side.LIGHT,
    direction: Direction = Direction.OPPOSED,
) -> str:
    """A message in words; points are numbered from the side of ``viewer``. Raises LanguageError."""
    return message_words(str(told.message), told.arguments, language, names, viewer, direction)


def verdict_text(
    turn: TurnJudged,
    language: str = "en",
    names: Names | None = None,
    *,
    back: bool = False,
    rules: MovementRules = STANDARD,
) -> str:
    """A turn and what is to be said of it, to the player who made it.

    An illegal one is told with every rule it breaks and one legal play; with ``back`` also with the way on which the
    checkers go back, else with whether it stands. Of one that nobody confirmed is told what is likeliest. Points are
    numbered from the mover's side. Raises LanguageError.
    """
    texts = catalogue(language)
    player = side_words(turn.side, language, names)
    play = played_words(turn, language)
    told = [capital(texts.text("verdict", _verdict(turn), side=player, roll=turn.roll, play=play))]
    if turn.legal is False:
        told += fault_words(turn, language)
        steps = way_back(turn, language, rules) if back else []
        if steps:
            told.append(texts.text("verdict", "back", steps=", ".join(steps)))
        elif turn.stands and not back:
            told.append(texts.text("verdict", "stands"))
    return " ".join(told)


def played_words(turn: PlayedTurn, language: str = "en") -> str:
    """What was played, in notation from the mover's side, or in words. Raises LanguageError."""
    return play_words(turn.text, language, legal=turn.legal, moved=turn.after != turn.before)


def _verdict(turn: TurnJudged) -> str:
    """The entry for a verdict: none is given of a turn that nobody confirmed.

    A turn without notation may be shown to those who may not know that it was illegal: of it is told what was done.
    """
    if turn.legal is None:
        return "plain"
    if turn.text not in ("", CANNOT_MOVE):
        return "legal" if turn.legal else "illegal"
    if not turn.legal:
        return "unwritten"
    return "dance" if turn.text else "plain"


def fault_words(turn: TurnJudged, language: str = "en") -> list[str]:
    """A sentence for each offence of an illegal turn, and a legal play if none of them names one.

    Raises LanguageError.
    """
    told = offence_words(turn.reasons, language)
    if turn.instead is not None and not any("example" in reason.arguments for reason in turn.reasons):
        told.append(catalogue(language).text("verdict", "instead", play=format_play(turn.instead)))
    return told


def remark_text(
    action: Remark,
    language: str = "en",
    viewer: Side = Side.LIGHT,
    direction: Direction = Direction.OPPOSED,
) -> str:
    """What a person reads of an action that is no turn; points are numbered from ``viewer``'s side.

    Raises LanguageError.
    """
    entry, arguments = _remark(action, language, viewer, direction)
    return catalogue(language).text("transcript", entry, **arguments)


def _remark(
    action: Remark, language: str, viewer: Side, direction: Direction
) -> tuple[str, dict[str, object]]:
    match action:
        case Unsure(points=points) if points:
            return "unsure_points", {"points": _counted(points, viewer, direction)}
        case Unsure():
            return "unsure_dice", {}
        case DiceVoid(roll=roll):
            return "dice_void", {"roll": roll}
        case FrameSkipped(name=name, why=why):
            return "frame_skipped", {"name": name, "why": why}
        case Bumped(shift_mm=shift, turn_deg=turn):
            return "bumped", {"shift": f"{shift:.0f}", "turn": f"{turn:.1f}"}
        case LightChanged(red=red, green=green, blue=blue):
            return "light_changed", {"percent": f"{100 * (red + green + blue) / 3:.0f}"}
        case BoardLost(fault=fault, shift_mm=shift):
            return LOST.get(fault, "board_lost"), {"shift": centimetres(shift)}
        case BoardBack():
            return "board_back", {}
        case Covered(points=points):
            return "covered", {"points": _counted(points, viewer, direction)}
        case CubeUnclear(owner="center", value=value):
            return "cube_unclear_center", {"value": value}
        case CubeUnclear(owner=owner, value=value):
            return "cube_unclear", {"owner": side_words(Side(owner), language), "value": value}


def _counted(points: tuple[int, ...], viewer: Side, direction: Direction) -> str:
    """Points of light's numbering as ``viewer`` counts them."""
    return ", ".join(map(str, sorted(side_point(point, viewer, direction) for point in points)))


def way_back(turn: TurnJudged, language: str = "en", rules: MovementRules = STANDARD) -> list[str]:
    """Where every checker that lies otherwise goes, such as `9 → 13`, from the mover's side. Raises LanguageError."""
    texts = catalogue(language)
    steps = [
        f"{_place(move.target, texts)} → {_place(move.source, texts)}"
        for move in moves_between(turn.before, turn.after, turn.side, turn.roll, rules)
    ]
    for move in moves_between(turn.before, turn.after, turn.side.opponent, turn.roll, rules):
        source, target = (
            _place(_others(place, rules.direction), texts) for place in (move.source, move.target)
        )
        steps.append(f"{texts.text('term', 'opponent')}: {target} → {source}")
    return steps


def _others(place: int, direction: Direction) -> int:
    """A place of one side as the other side counts it; bar and tray stay what they are."""
    return place if place in (BAR, OFF) else side_point(place, Side.DARK, direction)


def _place(place: int, texts: Catalogue) -> str:
    if place in (BAR, OFF):
        return texts.text("place", "bar" if place == BAR else "off")
    return str(place)


def lamp_words(
    frame: LightFrame,
    language: str = "en",
    viewer: Side = Side.LIGHT,
    direction: Direction = Direction.OPPOSED,
) -> Iterator[tuple[Signal, str]]:
    """Each signal that is shown, with what it means and where; points are numbered from the side of ``viewer``.

    Raises LanguageError.
    """
    texts = catalogue(language)
    for signal in Signal:
        places = [place for place in PLACES if frame[place] is signal]
        if signal is not Signal.DARK and places:
            names = sorted(
                (_number(place, viewer, direction), _name(place, texts, viewer, direction))
                for place in places
            )
            yield signal, texts.text("lamp", str(signal), places=", ".join(name for _, name in names))


def _number(place: Place, viewer: Side, direction: Direction) -> int:
    """A point in the numbering of ``viewer``; places that have none come after the points."""
    if isinstance(place, str):
        return 24 + PLACES.index(place)
    return side_point(place, viewer, direction)


def _name(place: Place, texts: Catalogue, viewer: Side, direction: Direction) -> str:
    if isinstance(place, int):
        return str(_number(place, viewer, direction))
    kind, _, side = place.partition("-")
    if not side:
        return kind
    return f"{texts.text('place', 'bar' if kind == 'bar' else 'off')} ({texts.text('term', side)})"
