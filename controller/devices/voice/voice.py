"""A voice at the table: other programs speak, one sentence at a time, the newest above all."""

import contextlib
import logging
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from controller.devices.voice.status import VoiceCode, VoiceStatus
from controller.devices.voice.tones import tone

SPEAKER: Final = "espeak-ng"
PLAYER: Final = "aplay"
FULL: Final = 100
"""The amplitude at which espeak-ng is as loud as it is without being told."""
STALE_S: Final = 6.0
"""What had to wait for so long is not said any more: by then the table has gone on."""
LONGEST_S: Final = 30.0
"""No sentence takes so long: a program that runs longer hangs, and is ended."""

_LOGGER: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VoiceLine:
    """Something to be said.

    Attributes:
        text: what is said; empty where only a sound is made.
        language: `en`, `hu`, `et`, `sk`.
        sound: one of `tones.TONES`, made before; empty for none.
        weighty: whether it is heard to its end when only a line that waits comes after it.
        waits: whether it waits for a weighty one, and does not cut it off.
    """

    text: str
    language: str = "en"
    sound: str = ""
    weighty: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True)
class VoicePrograms:
    """What is run to speak, and how loud.

    Attributes:
        command: a program of the user's own, with its arguments; it gets the text at its standard input, with
            ``{language}`` in the place of the language and ``{volume}`` in that of 0 to 100. Empty for espeak-ng.
        voice: a voice of espeak-ng; empty for that of the language.
        output: the sound device of ALSA; empty for the usual one.
        volume: 0 to 1.
    """

    command: str = ""
    voice: str = ""
    output: str = ""
    volume: float = 1.0

    def speaker(self, language: str) -> list[str]:
        """What speaks: to the sound card where it is a command of the user's own, else to its standard output."""
        if self.command:
            filled = {"{language}": language, "{volume}": str(round(100 * self.volume))}
            return [_filled(word, filled) for word in shlex.split(self.command)]
        loud = str(round(FULL * self.volume))
        return [SPEAKER, "-v", self.voice or language, "-a", loud, "-b", "1", "--stdin", "--stdout"]

    def player(self) -> list[str]:
        """What plays a WAV file that comes at its standard input."""
        return [PLAYER, "-q", *(("-D", self.output) if self.output else ()), "-"]

    def pipelines(self, line: VoiceLine) -> list[tuple[list[list[str]], bytes]]:
        """What is run, one after another: programs that feed one another, and what the first of them is given."""
        made: list[tuple[list[list[str]], bytes]] = []
        if line.sound:
            made.append(([self.player()], tone(line.sound, self.volume)))
        if line.text:
            speaks = [self.speaker(line.language)]
            made.append((speaks if self.command else [*speaks, self.player()], f"{line.text}\n".encode()))
        return made


class Voice:
    """Says nothing: a table without a voice."""

    def say(self, line: VoiceLine) -> None:
        """Say something as soon as may be; returns at once."""

    def close(self) -> None:
        """Be silent from now on."""


class ProgramVoice(Voice):
    """Speaks through other programs, in a thread of its own; all methods are for any thread.

    What is new cuts off what is being said, and takes the place of what waits. Only a line that waits lets a
    weighty one come to its end; if that takes too long, it is not said at all.
    """

    def __init__(
        self,
        programs: VoicePrograms,
        tell: Callable[[VoiceStatus], None],
        clock: Callable[[], float],
    ) -> None:
        """Nothing is said yet.

        Args:
            programs: what is run.
            tell: called, once for each program, when one is missing or fails.
            clock: monotonic seconds.
        """
        self._programs, self._tell, self._clock = programs, tell, clock
        self._turn = threading.Condition()
        self._queue: list[tuple[VoiceLine, float]] = []
        self._now: VoiceLine | None = None
        self._running: list[subprocess.Popen[bytes]] = []
        self._cut = self._closed = False
        self._complained: set[str] = set()
        self._thread = threading.Thread(target=self._work, name="pointsman-voice", daemon=True)
        self._thread.start()

    def say(self, line: VoiceLine) -> None:
        """See `Voice`."""
        with self._turn:
            if self._closed:
                return
            lets_end = line.waits and any(
                each is not None and each.weighty for each in (self._now, *(it for it, _ in self._queue))
            )
            self._queue = [each for each in self._queue if lets_end and not each[0].waits]
            self._queue.append((line, self._clock()))
            if not lets_end:
                self._end_running()
            self._turn.notify()

    @property
    def idle(self) -> bool:
        """Whether nothing is being said, and nothing waits."""
        with self._turn:
            return self._now is None and not self._queue

    def close(self) -> None:
        """See `Voice`; what is being said is cut off."""
        with self._turn:
            self._closed = True
            self._queue.clear()
            self._end_running()
            self._turn.notify()
        self._thread.join()

    def _work(self) -> None:
        while (line := self._next()) is not None:
            for programs, given in self._programs.pipelines(line):
                if not self._run(programs, given):
                    break

    def _next(self) -> VoiceLine | None:
        """The next line that is not stale; None when it is over."""
        with self._turn:
            self._now = None
            while True:
                self._turn.wait_for(lambda: self._queue or self._closed)
                if self._closed:
                    return None
                line, said = self._queue.pop(0)
                if not line.waits or self._clock() - said < STALE_S:
                    self._now, self._cut = line, False
                    return line

    def _run(self, programs: Sequence[Sequence[str]], given: bytes) -> bool:
        """Run programs that feed one another, to their end; whether what comes after them may follow."""
        with self._turn:
            if self._cut or self._closed:
                return False
            started, fault = _start(programs)
            self._running = started
        # Whoever is told may wait for somebody who has something said just now: never under the lock.
        if fault is not None:
            self._complain(fault)
            return True  # a sound that cannot be made is no reason not to speak
        _feed(started[0], given)
        ends = [_end_of(each, words[0]) for each, words in zip(started, programs, strict=True)]
        with self._turn:
            self._running = []
            cut = self._cut or self._closed
        for program, process, error in zip(programs, started, ends, strict=True):
            if process.returncode and not cut:
                self._complain(VoiceStatus(VoiceCode.FAILED, program[0], {"why": error}))
        return not cut

    def _end_running(self) -> None:
        self._cut = True
        for process in self._running:
            _kill(process)

    def _complain(self, status: VoiceStatus) -> None:
        if status.port not in self._complained:
            self._complained.add(status.port)
            self._tell(status)


def _start(programs: Sequence[Sequence[str]]) -> tuple[list[subprocess.Popen[bytes]], VoiceStatus | None]:
    """Start programs, each with what the one before it gives; if one cannot be started none runs, and why."""
    started: list[subprocess.Popen[bytes]] = []
    for number, program in enumerate(programs):
        try:
            process = subprocess.Popen(
                program,
                stdin=started[-1].stdout if started else subprocess.PIPE,
                stdout=subprocess.PIPE if number < len(programs) - 1 else subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            code = VoiceCode.MISSING if missing else VoiceCode.FAILED
            for each, words in zip(started, programs, strict=False):
                _kill(each)
                _end_of(each, words[0])
            return [], VoiceStatus(code, program[0], {"why": error.strerror or str(error)})
        if started and (feeds := started[-1].stdout) is not None:
            feeds.close()  # so that the feeding program hears when the other one is gone
        started.append(process)
    return started, None


def _filled(word: str, filled: dict[str, str]) -> str:
    for gap, value in filled.items():
        word = word.replace(gap, value)
    return word


def _feed(process: subprocess.Popen[bytes], given: bytes) -> None:
    """Give a program its input; one that was cut off meanwhile, or ended by itself, takes none."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(given)
    with contextlib.suppress(OSError):
        process.stdin.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _end_of(process: subprocess.Popen[bytes], program: str) -> str:
    """Wait for the end of a program, and end it if it hangs; the last line that it complained with."""
    try:
        process.wait(LONGEST_S)
    except subprocess.TimeoutExpired:
        # Not its arguments: the key of a service may be among them.
        _LOGGER.warning("%s did not end by itself.", program)
        _kill(process)
        process.wait()
    said = b""
    if process.stderr is not None:
        # Something that it started may still hold the other end: what is there is enough.
        os.set_blocking(process.stderr.fileno(), False)
        said = process.stderr.read() or b""
        process.stderr.close()
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"exit {process.returncode}"
