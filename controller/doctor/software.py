"""The programs: Python, the packages, the networks, the engines."""

import importlib
import platform
import re
import shutil
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from typing import Final

import numpy as np

from controller.analysis.engine import EngineError
from controller.analysis.gnubg import binary
from controller.config.config import Config
from controller.config.sections import Engine
from controller.doctor.finding import Finding, absent, fail, missing, ok, warn
from controller.errors import UserError
from controller.vision.dice.spots import heat_map
from controller.vision.fitted.network import NETWORKS, choose_runner, load_network

LOOK: Final = (352, 448, 4)
"""Rows, columns and channels of what the dice are looked for on: a board of usual size."""
SLOW_S: Final = 0.25
MODULES: Final = {
    "argon2-cffi": "argon2",
    "opencv-python": "cv2",
    "opencv-python-headless": "cv2",
    "paho-mqtt": "paho.mqtt",
    "pyserial": "serial",
}
"""Packages whose module has another name."""


def python() -> Finding:
    """Which Python on which machine."""
    return ok("python", f"{platform.python_version()} on {platform.machine()}, {platform.system()}")


def needed_packages() -> tuple[str, ...]:
    """What Pointsman needs, as `name<bound,>=bound`; empty if it was not installed, only copied."""
    try:
        listed = requires("pointsman") or []
    except PackageNotFoundError:
        return ()
    return tuple(each for each in listed if ";" not in each)


def packages(needed: Iterable[str], installed: Callable[[str], str]) -> Iterator[Finding]:
    """One line for each package; `installed` gives a version, or raises ImportError with the reason."""
    for requirement in needed:
        name = re.split(r"[<>=!~ \[]", requirement, maxsplit=1)[0]
        try:
            found = installed(name)
        except (ImportError, OSError, ValueError) as error:  # ValueError: built on another NumPy
            yield fail(
                f"package {name}",
                f"cannot be loaded: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
                "Install Pointsman anew: run ./install.sh, or in a checkout make clean and make setup.",
            )
            continue
        if _fits(found, requirement):
            yield ok(f"package {name}", found)
        else:
            yield warn(
                f"package {name}",
                f"{found} is not within {requirement[len(name) :]}",
                "Install the tested versions: run ./install.sh, or in a checkout make clean and make setup.",
            )


def installed_version(name: str) -> str:
    """The version of a package, after loading it. Raises ImportError, or what else loading raises."""
    module = importlib.import_module(MODULES.get(name, name.lower().replace("-", "_")))
    try:
        return version(name)
    except PackageNotFoundError:  # from the system's packages, which have other names
        return str(getattr(module, "__version__", "of unknown version"))


def _fits(found: str, requirement: str) -> bool:
    """Whether a version is within the bounds; one that is no number is let pass."""
    if not found[:1].isdigit():
        return True
    for sign, bound in re.findall(r"(>=|<)\s*([0-9.]+)", requirement):
        if (_numbers(found) >= _numbers(bound)) != (sign == ">="):
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def networks(config: Config, clock: Callable[[], float] = time.perf_counter) -> Finding:
    """Whether the learned networks run as the configuration wants, and how fast."""
    name = "networks"
    board, runner = np.zeros(LOOK, np.uint8), config.camera.networks
    try:
        choose_runner(runner)
    except UserError as error:
        return warn(name, "OpenCV computes them", str(error))
    try:
        for each in NETWORKS:
            load_network(each)
        heat_map("dice_map", board)
        times = []
        for _ in range(3):
            began = clock()
            heat_map("dice_map", board)
            times.append(clock() - began)
    except (UserError, RuntimeError) as error:
        return fail(name, str(error), "Install Pointsman anew, with OpenCV 4.8 or newer.")
    spent = statistics.median(times)
    told = f"{len(NETWORKS)} load with {runner}; looking for dice takes {spent * 1000:.0f} ms"
    if spent > SLOW_S:
        return warn(
            name,
            told,
            "Close other programs and cool the machine; a Pi 4 or newer is quick enough by itself.",
        )
    return ok(name, told)


def engine(config: Config) -> Finding:
    """Whether something knows best plays, if anything is to."""
    name, use = "engine", config.engine.use
    if use is Engine.NONE:
        return absent(name, "none is wanted")
    found = [each for each, there in ((Engine.BGSAGE, _has_bgsage), (Engine.GNUBG, _has_gnubg)) if there()]
    if use is Engine.AUTO:
        needed = config.table.hint == 3
        if found:
            return ok(name, f"{found[0].value} is installed")
        return missing(name, "neither bgsage nor gnubg is installed", _INSTALL, needed=needed)
    if use in found:
        return ok(name, f"{use.value} is installed")
    return missing(name, f"{use.value} is not installed", _INSTALL, needed=True)


def voice(config: Config) -> Finding:
    """Whether the programs that speak and play sounds are there, if anything is to be said aloud."""
    name, told = "voice", config.speech
    if not told.use:
        return absent(name, "nothing is said aloud")
    programs = config.voice_programs()
    wanted = [programs.speaker(config.spoken_language())[0]]
    if told.sounds or not told.command:
        wanted.append(programs.player()[0])
    lacking = [program for program in wanted if shutil.which(program) is None]
    if lacking:
        return missing(name, f"{' and '.join(lacking)} not found", _SPEAK, needed=True)
    return ok(name, f"{' and '.join(wanted)} are there" if len(wanted) > 1 else f"{wanted[0]} is there")


_SPEAK: Final = "Run ./install.sh --speech, or name a program of your own as speech.command."
_INSTALL: Final = "For best plays and analysis run: sudo apt install gnubg."


def _has_bgsage() -> bool:
    return find_spec("bgsage") is not None and find_spec("gvanalysis") is not None


def _has_gnubg() -> bool:
    try:
        binary()
    except EngineError:
        return False
    return True
