"""The live channel of one audience: a numbered ring of messages, and everybody who follows it."""

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

from controller.record.journal.journal import Json
from controller.web.snapshot import VERSION, State

MESSAGES: Final = 512
"""This many messages are kept for pages that come back."""
BYTES: Final = 1 << 20
"""How much room they may take together."""
WAITING: Final = 64
"""This many messages may wait for one page; a page that lets more pile up is cut off and comes back by itself."""
BEAT_S: Final = 2.0
"""At least so often the table tells the pages that it is still there, and what time it is by its own clock."""
CLOCK_S: Final = 0.5
"""A clock that a page works out to within this many seconds is not sent again."""


class Follower:
    """A page that follows a channel; its messages wait here until it takes them."""

    def __init__(self) -> None:
        """Nothing waits."""
        self.queue: asyncio.Queue[str] = asyncio.Queue(WAITING)
        self.cut = asyncio.Event()

    def give(self, text: str) -> None:
        """One more message; a page that does not take what waits for it is cut off."""
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.cut.set()


class Channel:
    """What one audience is told, in order. For the thread of the web server.

    Attributes:
        run: the start of the program that the numbers belong to.
        seq: the number of the latest message.
        event: the newest event of the journal that is in the state.
        state: the state after it.
        followers: the pages that are there now.
    """

    def __init__(self, run: str, state: State, event: int) -> None:
        """A channel that has told nothing yet."""
        self.run, self.seq, self.event, self.state = run, 0, event, state
        self.followers: set[Follower] = set()
        self._ring: deque[tuple[int, str, frozenset[str]]] = deque()
        self._bytes = 0
        self._skipped = False

    def beat(self, at_ms: int) -> None:
        """Every second time tell the pages that the table is still there, and what time it is there.

        A page reckons with the clock of its own device, which may be set at any time.
        """
        if self._skipped:
            self._give(encode({"v": VERSION, "kind": "beat", "at_ms": at_ms}))
        self._skipped = not self._skipped

    def change(self, state: State, event: int, bodies: Iterable[State]) -> None:
        """The state is another one; ``bodies`` tell what happened, each with its ``kind``.

        The changes go out with the first message about a play, or with the first one, so that a page can move the
        checkers from the old position to the new one.
        """
        changed = changes(self.state, state)
        told = list(bodies)
        if changed and not told:
            told = [{"kind": _kind(changed)}]
        self.state, self.event = state, event
        first = next((number for number, body in enumerate(told) if body["kind"] in ("turn", "flagged")), 0)
        for number, body in enumerate(told):
            self._send(body, changed if number == first else {})

    def _send(self, body: State, changed: State) -> None:
        self.seq += 1
        content = {"v": VERSION, **body, "seq": self.seq, "event": self.event, "set": changed}
        text = encode(content)
        self._ring.append((self.seq, text, frozenset(changed)))
        self._bytes += len(text)
        while len(self._ring) > MESSAGES or self._bytes > BYTES:
            self._bytes -= len(self._ring.popleft()[1])
        self._give(text)

    def say(self, body: State) -> None:
        """Have the pages that are there now read something aloud; a page that comes back is never told it late."""
        self._give(encode({"v": VERSION, "kind": "speech", **body}))

    def _give(self, text: str) -> None:
        for follower in tuple(self.followers):
            follower.give(text)

    def snapshot(self, now: State) -> State:
        """The message that holds everything; ``now`` are keys of the state that age, such as the clock."""
        return {
            "v": VERSION,
            "kind": "snapshot",
            "run": self.run,
            "seq": self.seq,
            "event": self.event,
            "state": self.state | now,
        }

    def since(self, run: str, seq: int) -> list[str] | None:
        """The messages after number ``seq``; None if they cannot all be had any more, or it is not of this run."""
        if run != self.run or seq > self.seq:
            return None
        if seq < self.seq and (not self._ring or self._ring[0][0] > seq + 1):
            return None
        return [text for number, text, _ in self._ring if number > seq]

    def changed_since(self, seq: int) -> frozenset[str] | None:
        """The keys of the state that have changed after message ``seq``; None if that is not known any more."""
        if self.since(self.run, seq) is None:
            return None
        return frozenset[str]().union(*(keys for number, _, keys in self._ring if number > seq))


def changes(before: State, after: State) -> State:
    """The keys that are different, with their new values."""
    return {name: value for name, value in after.items() if not _same(name, before.get(name), value)}


def encode(content: Mapping[str, Json]) -> str:
    """A message as JSON."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _same(name: str, before: Json, after: Json) -> bool:
    if before == after:
        return True
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    if name == "clock":
        return _is_as_reckoned(before, after)
    return name == "seen" and {**before, "t": 0} == {**after, "t": 0}


def _is_as_reckoned(before: dict[str, Json], after: dict[str, Json]) -> bool:
    """Whether a page that was told a clock reckons the later one by itself."""
    if before["runs"] != after["runs"]:
        return False
    told, due = reckon(before, int(str(after["at_ms"]))), after
    return all(
        abs(float(str(told[name])) - float(str(due[name]))) <= CLOCK_S
        for name in ("light_s", "dark_s", "delay_s")
    )


def reckon(clock: dict[str, Json], at_ms: int) -> dict[str, Json]:
    """A clock as it stands at a later time, if nobody presses it."""
    runs = clock["runs"]
    if runs is None:
        return {**clock, "at_ms": at_ms}
    gone = max(0.0, (at_ms - int(str(clock["at_ms"]))) / 1000)
    delay = float(str(clock["delay_s"]))
    left = max(0.0, gone - delay)
    name = f"{runs}_s"
    return {
        **clock,
        "delay_s": round(max(0.0, delay - gone), 1),
        name: round(max(0.0, float(str(clock[name])) - left), 1),
        "at_ms": at_ms,
    }


def _kind(changed: State) -> str:
    """What a change is called that nothing was told about."""
    for kind, names in _KINDS.items():
        if changed.keys() & names:
            return kind
    return "state"


_KINDS: Final[Mapping[str, frozenset[str]]] = {
    "cube": frozenset({"cube"}),
    "game": frozenset({"match"}),
    "dice": frozenset({"dice"}),
    "phase": frozenset({"phase", "on_turn"}),
    "device": frozenset({"devices"}),
    "clock": frozenset({"clock"}),
}
