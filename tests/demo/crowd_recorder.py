"""Records matches at a simulated table: ``python -m tests.demo.crowd_recorder FOLDER``."""

import json
import lzma
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from controller.demo.crowd.recording import (
    DESK,
    PLACEHOLDERS,
    SCREEN,
    SUFFIX,
    Entry,
    RecordedMoment,
    State,
)
from controller.demo.show import NAMES, Evening, Plan, Show
from controller.record import MatchFolder
from controller.record.journal.seal import SEAL
from controller.record.match.history import BEGUN, INPUT
from controller.referee import Action
from controller.rules import load_profile
from controller.web.audience import Audience
from controller.web.channel import changes
from controller.web.course import RecentCourse
from controller.web.snapshot import state_of
from controller.web.table_service import DeviceShown, MatchShown, News, Role, RoomState, RoomView
from tests.demo.truthful import truthful

AUDIENCES: Final = {SCREEN: Audience(), DESK: Audience(Role.DIRECTOR)}
PLANS: Final = ((11, 3, 1.0), (12, 3, 0.0), (13, 5, 2.0), (14, 1, 1.0), (15, 5, 0.0), (16, 7, 0.5))
"""Of each match the seed, the length, and illegal plays in a game."""
LEFT_OUT: Final = frozenset({"frame_seen", "frame_moving", "ticked"})
"""Inputs that a recording does without: nine tenths of a journal, and no hub needs them."""


class MatchRecorder:
    """Watches a match from its beginning to its end."""

    def __init__(self, folder: MatchFolder) -> None:
        """Nothing has happened yet; ``folder`` is that of the match."""
        self._folder, self._written = folder, 0
        self._course = RecentCourse()
        self._states: dict[str, State] = {SCREEN: {}, DESK: {}}
        self._actions: list[Action] = []
        self.moments: list[RecordedMoment] = []

    def on_action(self, action: Action) -> None:
        """The referee wants something done."""
        self._actions.append(action)

    def attend(self, show: Show) -> None:
        """A picture's time has gone by."""
        entries = tuple(self._entries())
        actions, self._actions = tuple(self._actions), []
        if not entries and not actions:
            return
        view = self._view(show)
        self._course = self._course.after(News(view, actions))
        changed = {}
        for part, audience in AUDIENCES.items():
            state = state_of(view, self._course, audience, round(show.t * 1000))
            if difference := changes(self._states[part], state):
                changed[part] = difference
            self._states[part] = state
        if entries or changed:
            self.moments.append(RecordedMoment(round(show.t, 2), entries, changed))

    def _entries(self) -> Iterator[Entry]:
        for event in self._folder.journal.events(after=self._written):
            self._written = event.id
            payload = dict(event.payload)
            if event.kind in (BEGUN, SEAL) or (event.kind == INPUT and payload["input"] in LEFT_OUT):
                continue
            yield event.kind, event.t, without_names(payload)

    def _view(self, show: Show) -> RoomView:
        state = RoomState.OVER if show.desk.table.match.winner else RoomState.PLAYING
        devices = tuple(
            DeviceShown(name, True, lambda _, text=text: text)  # type: ignore[misc]
            for name, text in (("camera", "The camera works."), ("board", "The board's electronics work."))
        )
        match = MatchShown(self._folder.path.name, self._folder.path, PLACEHOLDERS)
        return RoomView(state, self._written, show.desk.table, match, None, devices, t_s=show.t)


def without_names(payload: dict[str, Any]) -> dict[str, Any]:
    """What an entry says, with placeholders for the players."""
    text = json.dumps(payload)
    for side, name in NAMES.items():
        text = text.replace(name, PLACEHOLDERS[side])
    found: dict[str, Any] = json.loads(text)
    return found


def record(seed: int, length: int, cheats: float) -> tuple[RecordedMoment, ...]:
    """Play one match by the rules of tournaments, looking straight at the truth, and record it."""
    plan = Plan(99, length, load_profile("standard-match"), seed, cheats, firmware=False)
    evening = Evening(plan, truthful(plan))
    with tempfile.TemporaryDirectory() as place:
        with evening.folder(Path(place) / "match") as folder:
            recorder = MatchRecorder(folder)
            evening.match(0, folder, recorder.on_action, recorder.attend)
        return tuple(recorder.moments)


def write_recording(moments: Iterable[RecordedMoment], path: Path) -> None:
    """Write a recording; raises OSError."""
    lines = (
        json.dumps(
            {"t": each.t, "entries": each.entries, "changed": each.changed},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for each in moments
    )
    text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def main(arguments: Iterable[str]) -> None:
    """Record every match of `PLANS` into a folder."""
    (folder,) = map(Path, arguments)
    for seed, length, cheats in PLANS:
        path = folder / f"match-{seed}-{length}{SUFFIX}"
        moments = record(seed, length, cheats)
        write_recording(moments, path)
        entries = sum(len(each.entries) for each in moments)
        sys.stderr.write(f"{path}: {entries} entries, {moments[-1].t:.0f} s, {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
