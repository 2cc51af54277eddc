"""Scenes told to the referee, in this process or as the command."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

from controller.app.filter import Filter
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.profile.profile import STANDARD
from tests.scenes.stage import LENGTH, Scene

Answers = list[Mapping[str, Any]]
COMMAND: Final = (sys.executable, "-m", "controller", "referee")


def told_in_process(scene: Scene, *, hands: bool = False) -> Answers:
    """What the referee answers, asked as `pointsman referee` asks it.

    Raises:
        AssertionError: if it could not deal with a line.
    """
    failed = list[str]()
    settings = Settings(Terms.match(STANDARD, LENGTH), clock=scene.clock)
    table = Filter(settings, (scene.position, scene.on_roll), failed.append)
    answers = [
        json.loads(answer)
        for number, line in enumerate(scene.told(hands=hands), start=1)
        for answer in table.put(line, number)
    ]
    assert not failed, f"{scene.kind}, {scene.seed}: {failed}"
    return answers


def told_to_command(scene: Scene, *, hands: bool = False) -> Answers:
    """What `pointsman referee` answers, as a process of its own."""
    beginning = (
        "--position",
        scene.position.compact(),
        "--on-roll",
        str(scene.on_roll),
        "--length",
        str(LENGTH),
    )
    clock = ("--clock",) if scene.clock else ()
    told = subprocess.run(
        [*COMMAND, *beginning, *clock, "-"],
        input="\n".join(scene.told(hands=hands)) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, f"{scene.kind}, {scene.seed}: {told.stderr}"
    return [json.loads(line) for line in told.stdout.splitlines()]
