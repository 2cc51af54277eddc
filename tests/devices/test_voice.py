"""The voice at the table: what other programs are given to say, and what cuts off what."""

import contextlib
import io
import os
import signal
import stat
import threading
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from controller.devices.voice.status import VoiceCode, VoiceStatus
from controller.devices.voice.tones import TONES, tone
from controller.devices.voice.voice import PLAYER, SPEAKER, STALE_S, ProgramVoice, VoiceLine, VoicePrograms
from tests.threads import no_thread_left

PATIENCE_S = 60.0
SPEAKS = """#!/bin/sh
text=$(cat)
echo "begins $text" >> "{log}"
[ -e "{hold}" ] && sleep 60
echo "ends $text" >> "{log}"
"""


class Mouth:
    """A program that speaks by writing down what it is given; it goes on speaking while the file `hold` is there."""

    def __init__(self, folder: Path) -> None:
        self.log, self.hold = folder / "log", folder / "hold"
        self.log.touch()
        self.program = script(folder / "speak", SPEAKS.format(log=self.log, hold=self.hold))
        self.told: list[VoiceStatus] = []
        self.now = 0.0
        programs = VoicePrograms(command=str(self.program))
        self.voice = ProgramVoice(programs, self.told.append, lambda: self.now)

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()

    def until(self, line: str) -> None:
        wait(lambda: line in self.lines())

    def say(self, text: str, *, weighty: bool = False, waits: bool = False) -> None:
        self.voice.say(VoiceLine(text, weighty=weighty, waits=waits))


def wait(come_true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not come_true():
        assert time.monotonic() < end
        time.sleep(0.01)


def script(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def mouth(tmp_path: Path) -> Iterator[Mouth]:
    made = Mouth(tmp_path)
    yield made
    made.voice.close()


def test_what_is_said_is_given_to_the_program_to_its_last_letter(mouth: Mouth) -> None:
    mouth.say("Béla: tizenháromról nyolcra; -v \"$(reboot)\" 'x'")
    mouth.until("ends Béla: tizenháromról nyolcra; -v \"$(reboot)\" 'x'")


def test_what_is_new_cuts_off_what_is_being_said(mouth: Mouth) -> None:
    mouth.hold.touch()
    mouth.say("old", weighty=True)
    mouth.until("begins old")
    mouth.hold.unlink()
    mouth.say("new")
    mouth.until("ends new")
    assert mouth.lines() == ["begins old", "begins new", "ends new"]


def test_a_request_waits_for_the_end_of_what_is_weighty(mouth: Mouth) -> None:
    mouth.hold.touch()
    mouth.say("the score", weighty=True)
    mouth.until("begins the score")
    mouth.say("please roll", waits=True)
    mouth.say("please set up", waits=True)
    end_program(mouth.program)
    mouth.hold.unlink()
    mouth.until("ends please set up")
    assert "begins please roll" not in mouth.lines()


def test_a_request_that_had_to_wait_too_long_is_not_said_any_more(mouth: Mouth) -> None:
    mouth.hold.touch()
    mouth.say("the score", weighty=True)
    mouth.until("begins the score")
    mouth.say("please roll", waits=True)
    mouth.now = STALE_S + 1
    mouth.hold.unlink()
    end_program(mouth.program)
    wait(lambda: mouth.voice.idle)
    mouth.say("new")
    mouth.until("ends new")
    assert "begins please roll" not in mouth.lines()


def end_program(program: Path) -> None:
    """The program that speaks comes to its end.

    What it has just started bears its name until it is another program, and leads no group of its own.
    """
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and str(program) in _command(folder):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(int(folder.name), signal.SIGTERM)


def _command(folder: Path) -> str:
    try:
        return (folder / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def test_a_program_that_is_missing_is_told_once_and_stops_nothing(tmp_path: Path) -> None:
    told: list[VoiceStatus] = []
    voice = ProgramVoice(VoicePrograms(command=str(tmp_path / "none")), told.append, time.monotonic)
    for text in ("one", "two", "three"):
        voice.say(VoiceLine(text))
        wait(lambda: bool(told))
    voice.close()
    assert [(each.code, each.port) for each in told] == [(VoiceCode.MISSING, str(tmp_path / "none"))]


def test_a_program_that_fails_is_told_with_what_it_complained_of(tmp_path: Path) -> None:
    program = script(tmp_path / "speak", "#!/bin/sh\necho no sound card >&2\nexit 3\n")
    told: list[VoiceStatus] = []
    voice = ProgramVoice(VoicePrograms(command=str(program)), told.append, time.monotonic)
    voice.say(VoiceLine("one"))
    wait(lambda: bool(told))
    voice.close()
    assert told == [VoiceStatus(VoiceCode.FAILED, str(program), {"why": "no sound card"})]


def test_of_a_program_that_hangs_the_log_tells_the_name_and_not_what_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("controller.devices.voice.voice.LONGEST_S", 0.05)
    program = script(tmp_path / "hang", "#!/bin/sh\nexec sleep 60\n")
    hanging = ProgramVoice(VoicePrograms(command=f"{program} --key abcd-9876"), [].append, time.monotonic)
    hanging.say(VoiceLine("Anna to roll."))
    wait(lambda: "did not end by itself" in caplog.text)
    hanging.close()
    assert str(program) in caplog.text
    assert "abcd-9876" not in caplog.text


def test_without_a_command_espeak_ng_speaks_and_aplay_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = tmp_path / "heard"
    script(tmp_path / SPEAKER, f'#!/bin/sh\necho "$@" >> {tmp_path}/spoken\necho WAV of $(cat)\n')
    script(tmp_path / PLAYER, f'#!/bin/sh\necho "$@" >> {tmp_path}/played\ncat >> {heard}\n')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    told: list[VoiceStatus] = []
    programs = VoicePrograms(output="plughw:1", volume=0.5)
    voice = ProgramVoice(programs, told.append, time.monotonic)
    voice.say(VoiceLine("kolmeteistkümnelt kaheksale", "et", sound="legal"))
    wait(lambda: heard.exists() and b"kaheksale" in heard.read_bytes())
    voice.close()
    assert heard.read_bytes() == tone("legal", 0.5) + "WAV of kolmeteistkümnelt kaheksale\n".encode()
    assert (tmp_path / "spoken").read_text().split() == [
        "-v",
        "et",
        "-a",
        "50",
        "-b",
        "1",
        "--stdin",
        "--stdout",
    ]
    assert (tmp_path / "played").read_text().splitlines() == ["-q -D plughw:1 -"] * 2
    assert not told


def test_a_sound_that_cannot_be_played_is_no_reason_not_to_speak(
    mouth: Mouth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.voice.voice.PLAYER", "no-such-player")
    mouth.voice.say(VoiceLine("Anna rolls", sound="clock"))
    mouth.until("ends Anna rolls")
    assert [each.port for each in mouth.told] == ["no-such-player"]


def test_closing_cuts_off_and_leaves_neither_program_nor_thread(tmp_path: Path) -> None:
    with no_thread_left("pointsman-voice"):
        mouth = Mouth(tmp_path)
        mouth.hold.touch()
        mouth.say("long")
        mouth.until("begins long")
        mouth.voice.close()
        mouth.say("after the end")
    assert mouth.lines() == ["begins long"]
    wait(lambda: not any(str(mouth.program) in _command(each) for each in Path("/proc").iterdir()))


@pytest.mark.parametrize("sound", TONES)
def test_a_sound_is_a_short_wav_that_is_louder_with_the_volume(sound: str) -> None:
    def read(volume: float) -> tuple[float, int]:
        with wave.open(io.BytesIO(tone(sound, volume))) as file:
            samples = memoryview(file.readframes(file.getnframes())).cast("h")
            return file.getnframes() / file.getframerate(), max(samples)

    (seconds, loud), (_, quiet), (_, silent) = read(1.0), read(0.25), read(0.0)
    assert 0.05 < seconds < 0.5
    assert loud > 3 * quiet > 0 == silent


def test_whoever_is_told_that_a_program_is_missing_may_have_something_said_at_once(tmp_path: Path) -> None:
    """As at a table: news and complaints come from two threads, and each has the other one's lock to pass."""
    table = threading.Lock()
    told: list[str] = []

    def tell(status: VoiceStatus) -> None:
        with table:
            told.append(status.port)

    voice = ProgramVoice(VoicePrograms(command=str(tmp_path / "none")), tell, time.monotonic)
    with table:
        for text in ("one", "two"):
            voice.say(VoiceLine(text))
            time.sleep(0.05)
        voice.say(VoiceLine("three"))
    wait(lambda: bool(told))
    voice.close()
    assert told == [str(tmp_path / "none")]


def test_however_fast_news_come_nothing_is_said_after_something_newer_and_the_last_is_said(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    log.touch()
    program = script(tmp_path / "speak", f"#!/bin/sh\ncat >> {log}\nsleep 0.02\n")
    voice = ProgramVoice(VoicePrograms(command=str(program)), lambda _: None, time.monotonic)
    rng = Random(1)
    for number in range(100):
        voice.say(VoiceLine(str(number), weighty=rng.random() < 0.2, waits=rng.random() < 0.3))
        time.sleep(rng.random() * 0.03)
    voice.say(VoiceLine("100"))
    wait(lambda: "100" in log.read_text().split())
    voice.close()
    said = [int(each) for each in log.read_text().split()]
    assert said == sorted(set(said))
    assert said[-1] == 100
