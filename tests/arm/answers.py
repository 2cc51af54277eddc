"""What is asked of both processors: `python -m tests.arm.answers NAME ARGUMENT...` prints JSON."""

import importlib
import json
import math
import pkgutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

NOT_HERE: Final = ("controller.__main__", "controller.analysis.inside_gnubg", "calibration.training")
"""What begins the program; what gnubg runs in a Python of its own; training, which needs PyTorch."""


def imports() -> list[str]:
    """The modules of the product, each imported."""
    import calibration
    import controller

    names = []
    for package in (controller, calibration):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not each.name.startswith(NOT_HERE):
                importlib.import_module(each.name)
                names.append(each.name)
    return names


def readings(board_file: str, *pictures: str) -> list[dict[str, Any]]:
    """What is read in pictures, with the chances of each count that the referee weighs."""
    from controller.devices.pictures import load_picture
    from controller.vision import read_board
    from controller.vision.board.board import load_board

    board = load_board(Path(board_file).read_text(encoding="utf-8"), board_file)
    found = []
    for each in pictures:
        reading = read_board(load_picture(Path(each)), board)
        found.append(
            {
                "points": reading.points,
                "bar": [reading.bar.light, reading.bar.dark],
                "dice": [die.value for die in reading.dice],
                "cube": None if reading.cube is None else [reading.cube.value, str(reading.cube.owner)],
                "hand": reading.hand,
                "unsure": sorted(reading.unsure),
                "chances": [_chances(each) for each in (*reading.likelihoods, reading.bar_likelihoods)],
            }
        )
    return found


def _chances(likelihoods: Mapping[Any, float]) -> dict[str, float]:
    """The share of each count, from logarithms."""
    most = max(likelihoods.values())
    shares = {str(count): math.exp(each - most) for count, each in likelihoods.items()}
    whole = sum(shares.values())
    return {count: share / whole for count, share in shares.items()}


ASKED: Final[dict[str, Callable[..., object]]] = {"imports": imports, "readings": readings}


if __name__ == "__main__":
    json.dump(ASKED[sys.argv[1]](*sys.argv[2:]), sys.stdout)
