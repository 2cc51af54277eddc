"""The voice: how soon after a press the verdict is being said, and how much of a match is heard, in each language."""

import math
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from controller.app.aloud.announcer import Announcer
from controller.app.desk import Desk
from controller.config import Config
from controller.config.sections import SpeechSection
from controller.devices.voice.voice import ProgramVoice, VoicePrograms
from controller.record.journal.journal import Journal
from controller.referee.actions import Action, Flagged, GameEnded, Phase, Told, TurnJudged
from controller.referee.events import Event
from controller.referee.table.machine import step
from controller.referee.table.state import Table as RefereeTable
from controller.speech.announcement import CUBE, Heard, phrases
from controller.speech.phrase import SpokenTopic
from controller.speech.spoken import SPOKEN, Spoken
from controller.web.table_service import MatchShown, News, RoomState, RoomView
from tests.app.opened import FIVE, book_in
from tests.app.playing import Players
from tests.speech.blind import Blind
from tests.speech.listening import NAMES, Table, table_in

VERDICTS = 200
PATIENCE_S = 5.0
MATCHES, POINTS = (3, 5, 13), 3
"""The seeds of three matches to three points."""


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    with tempfile.TemporaryDirectory(prefix="pointsman-bench-") as folder:
        return [*_delays(Path(folder)), *_matches()]


def _delays(folder: Path) -> Iterator[dict[str, Any]]:
    """From the verdict, through the journal on the disk, to a program that has begun to speak."""
    log = folder / "log"
    program = folder / "speak"
    program.write_text(f"#!/bin/sh\ndate +%s.%N >> {log}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    log.touch()
    voice = ProgramVoice(VoicePrograms(command=str(program)), print, time.monotonic)
    announcer, delays = (
        Announcer(Config(speech=SpeechSection(use=True, sounds=False)), lambda _: voice),
        list[float](),
    )
    judged = 0.0

    def timed(table: RefereeTable, event: Event) -> tuple[RefereeTable, tuple[Action, ...]]:
        nonlocal judged
        after = step(table, event)
        judged = time.time()
        return after

    with Journal(folder / "journal.db") as journal:
        desk, players = Desk.open(FIVE, book_in(journal), step=timed), Players(Random(5), talk=0.0)
        while len(delays) < VERDICTS and desk.table.phase is not Phase.MATCH_OVER:
            for event in players.next(desk.table):
                said = len(log.read_text().splitlines())
                actions = desk.put(event)
                announcer.on_news(News(_view(desk, folder), actions))
                if any(isinstance(each, TurnJudged | Flagged) for each in actions):
                    delays.append(_heard_at(log, said) - judged)
                _until_idle(voice)
    announcer.close()
    delays.sort()
    p95 = delays[math.ceil(0.95 * len(delays)) - 1] * 1000
    yield {"name": "verdict in the referee to sound begun, p95", "value": p95, "unit": "ms", "target": 150}


def _view(desk: Desk, folder: Path) -> RoomView:
    return RoomView(RoomState.PLAYING, referee=desk.table, match=MatchShown("m", folder, NAMES))


def _heard_at(log: Path, said: int) -> float:
    """When the program that speaks began to, by its own clock."""
    end = time.monotonic() + PATIENCE_S
    while len(lines := log.read_text().splitlines()) <= said:
        if time.monotonic() > end:
            return math.inf
        time.sleep(0.0005)
    return float(lines[said])


def _until_idle(voice: ProgramVoice) -> None:
    while not voice.idle:
        time.sleep(0.001)


@dataclass
class Kept(Table):
    """A table of which all that happens is kept, to be said again in other languages."""

    happened: list[Heard] = field(default_factory=list)

    def tell(self, event: Event) -> tuple[Action, ...]:
        """One event."""
        before = self.table
        actions = super().tell(event)
        self.happened.append(Heard(before, self.table, actions))
        return actions


def _matches() -> Iterator[dict[str, Any]]:
    """Of all verdicts, cube actions and scores of three matches that were played by ear, those that are said."""
    happened = list[Heard]()
    for seed in MATCHES:
        made = table_in(seed=seed, length=POINTS)
        table = Kept(made.settings, Random(seed), language="en")
        Blind(table).play()
        happened += table.happened
    for language in SPOKEN:
        due = said = 0
        for heard in happened:
            for topic, count in _due(heard).items():
                told = [each for each in phrases(heard, Spoken(language, NAMES)) if each.topic is topic]
                due += count
                said += min(count, len(told))
        name = f"verdicts, cube and scores said of three matches by ear, {language}"
        yield {"name": name, "value": said / due, "unit": "", "target": 1.0}


def _due(heard: Heard) -> dict[SpokenTopic, int]:
    """How many phrases on a topic are due."""
    turns = [each for each in heard.actions if isinstance(each, TurnJudged)]
    cubes = [each for each in heard.actions if isinstance(each, Told) and each.message in CUBE]
    return {
        SpokenTopic.PLAY: sum(each.legal is not False for each in turns),
        SpokenTopic.ILLEGAL: sum(isinstance(each, Flagged) for each in heard.actions),
        SpokenTopic.CUBE: len(cubes),
        SpokenTopic.SCORE: sum(isinstance(each, GameEnded) for each in heard.actions),
    }
