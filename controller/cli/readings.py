"""A reading in words, for people who want to see whether a picture is read right."""

from controller.record.files.textboard import diagram
from controller.rules.forms.ids import MatchState
from controller.rules.forms.xgid import xgid
from controller.rules.position import Position, Roll, Side
from controller.vision.reading import Reading


def reading_text(name: str, reading: Reading) -> str:
    """What was seen in the picture ``name``: one line in short, then the board, dice, cube and XGID.

    The XGID is left out where a side has more than fifteen checkers.
    """
    position = Position.seen(reading.points, reading.bar.light or 0, reading.bar.dark or 0)
    dice = "-".join(str(die.value) for die in reading.dice) or "none"
    points = ", ".join(map(str, sorted(reading.unsure)))
    doubt = f", not sure of {points}" if points else ""
    lines = [
        f"{name}: {position.compact()} dice {dice}, confidence {reading.confidence:.2f}{doubt}",
        *(f"  {line}" for line in diagram(position, reading.unsure).split("\n")),
        f"   O is Light and moves from 24 to 1, X is Dark; {_cube(reading)}; {_dice(reading)}",
    ]
    if points:
        lines.append(f"   ? not sure of {points}")
    if reading.hand:
        lines.append("   something covers part of the board")
    if min(position.off(side) for side in Side) >= 0:
        lines.append(f"   {_xgid(position, reading)}")
    return "\n".join(lines)


def _cube(reading: Reading) -> str:
    if reading.cube is None:
        return "no cube seen"
    owner = {"center": "in the middle", "light": "Light's", "dark": "Dark's"}[reading.cube.owner]
    return f"cube {reading.cube.value}, {owner}"


def _dice(reading: Reading) -> str:
    """The dice one by one, with whose they are where their colours tell."""
    told = [
        f"{die.value}{'' if die.owner is None else f' ({die.owner.capitalize()})'}{' cocked' if die.cocked else ''}"
        for die in reading.dice
    ]
    return f"dice {', '.join(told)}" if told else "no dice seen"


def _xgid(position: Position, reading: Reading) -> str:
    """The XGID of what was seen; who is on roll only the colour of the dice may tell."""
    owners = {die.owner for die in reading.dice}
    known = next(iter(owners)) if len(owners) == 1 else None
    roll = Roll.of(*(die.value for die in reading.dice)) if len(reading.dice) == 2 else None
    cube = reading.cube
    state = MatchState(
        on_roll=Side(known or Side.LIGHT),
        roll=roll,
        cube=1 if cube is None else cube.value,
        owner=None if cube is None or cube.owner == "center" else Side(cube.owner),
    )
    return xgid(position, state) + ("" if known else " (if Light is on roll)")
