"""GNU Backgammon kept running: its start takes a quarter of a second, an answer at 0 plies a hundredth."""

import json
import queue
import re
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.analysis.engine import EngineError
from controller.analysis.gnubg import COMPLAINT, MARK, start

SILENCE_S: Final = 30.0
"""How long it may think about one question at 0 plies; each further ply takes some twenty times as long."""
LINES: Final = 10_000
"""As many lines wait to be read at most: gnubg draws the board with each question."""
SCRIPT: Final = """
import json
import sys
import gnubg
print("@{}", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    for kind in ("chequerplay", "cubedecision"):
        gnubg.command("set evaluation %s evaluation plies %d" % (kind, asked["plies"]))
    gnubg.command("set xgid " + asked["xgid"])
    said = gnubg.hint(9999) if asked["what"] == "plays" else {"cube": gnubg.cfevaluate()}
    print("@" + json.dumps(said), flush=True)
"""
"""Run inside gnubg, which carries a Python of its own."""
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """What a double is worth to the side on roll, in units of the cube before it.

    Attributes:
        no_double: the equity without it.
        taken: the equity if it is taken.
        passed: the equity if it is passed.
    """

    no_double: float
    taken: float
    passed: float

    @property
    def doubles(self) -> bool:
        """Whether the side on roll should double."""
        return min(self.taken, self.passed) > self.no_double

    @property
    def takes(self) -> bool:
        """Whether the other side should take."""
        return self.taken <= self.passed


class KeptGnubg:
    """One gnubg that answers question after question; begun at the first one, and anew after a failure."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._running: _Running | None = None
        self._turn = threading.Lock()

    def plays(self, xgid: str, plies: int = 0) -> Answer:
        """What gnubg says to the roll of an XGID, as `gnubg.hint` has it. Raises EngineError."""
        return self._ask({"what": "plays", "xgid": xgid, "plies": plies})

    def cube(self, xgid: str, plies: int = 0) -> CubeEquities:
        """What a double is worth to the side on roll in an XGID without dice. Raises EngineError."""
        _, no_double, taken, passed, *_ = self._ask({"what": "cube", "xgid": xgid, "plies": plies})["cube"]
        return CubeEquities(float(no_double), float(taken), float(passed))

    def close(self) -> None:
        """Let it end; another question begins it anew."""
        with self._turn:
            if self._running is not None:
                self._running.close()
            self._running = None

    def _ask(self, question: dict[str, Any]) -> Answer:
        with self._turn:
            if self._running is None or not self._running.alive:
                self._running = _Running()
            try:
                return self._running.ask(question)
            except EngineError:
                self._running.close()
                self._running = None
                raise


class _Running:
    """A gnubg that runs, and the thread that reads what it prints."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pointsman-gnubg-")
        try:
            self._process = start(SCRIPT, Path(self._folder.name), asked=True)
        except EngineError:
            self._folder.cleanup()
            raise
        self._lines: queue.Queue[str | None] = queue.Queue(LINES)
        self._listener = threading.Thread(target=self._listen, name="pointsman-gnubg", daemon=True)
        self._listener.start()
        self._answer(SILENCE_S)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: dict[str, Any]) -> Answer:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError(f"gnubg has ended ({error}); ask again.") from None
        return self._answer(SILENCE_S * 20 ** int(question["plies"]))

    def close(self) -> None:
        self._process.kill()
        self._listener.join()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._folder.cleanup()

    def _answer(self, silence_s: float) -> Answer:
        """The next answer; what gnubg complains of before it makes it none."""
        complaint = ""
        while True:
            try:
                line = self._lines.get(timeout=silence_s)
            except queue.Empty:
                raise EngineError("gnubg did not answer in time; let it look fewer plies ahead.") from None
            if line is None:
                raise EngineError("gnubg ended without an answer; ask again.")
            if line.startswith(MARK):
                break
            if re.search(COMPLAINT, line):
                complaint = line.strip()
        if complaint:
            raise EngineError(f"gnubg did not take the position ({complaint}).")
        said = json.loads(line.removeprefix(MARK))
        return said if isinstance(said, dict) else {}

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)
        self._lines.put(None)
