"""Says aloud at the table what happens there, through a voice that plays for everybody who sits around it."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from controller.app.room import Room
from controller.config import Config
from controller.devices.voice.voice import ProgramVoice, Voice, VoiceLine
from controller.messages.device_words import status_words
from controller.speech.phrase import Utterance
from controller.speech.spoken import Spoken
from controller.web.listening import Listening
from controller.web.table_service import News

MakeVoice = Callable[[Config], Voice]
_LOGGER: Final = logging.getLogger(__name__)


class Announcer:
    """Hears all news of a room, and has a voice say what is worth it; for any thread."""

    def __init__(self, config: Config, make_voice: MakeVoice) -> None:
        """Nothing has been heard yet; ``make_voice`` makes the voice of a configuration that has one."""
        self._make_voice, self._voice = make_voice, Voice()
        self._turn = threading.Lock()
        self._heard = Listening()
        self._use(config)

    def change(self, config: Config) -> None:
        """Speak as this configuration says from now on, and let people hear how that sounds."""
        with self._turn:
            before = self._voice
            self._use(config)
            sample = Spoken(self._language).say("request", "sample")
            self._voice.say(VoiceLine(sample, self._language, "legal" if self._sounds else ""))
        before.close()  # outside of the lock: it may be about to tell the table something

    def _use(self, config: Config) -> None:
        self._language, self._topics = config.spoken_language(), frozenset(config.speech.topics)
        self._sounds = config.speech.sounds
        self._voice = self._make_voice(config) if config.speech.use else Voice()

    def on_news(self, news: News) -> None:
        """Something happened at the table."""
        with self._turn:
            try:
                said = self._heard.utterance(news, self._topics, self._language, sounds=self._sounds)
            except Exception:  # a sentence that cannot be said stops nobody from playing
                _LOGGER.exception("What happened cannot be said aloud.")
                said = None
            self._heard = self._heard.after(news)
            if said is not None:
                self._voice.say(voice_line(said))

    def close(self) -> None:
        """Say nothing more."""
        self._voice.close()


def voice_line(said: Utterance) -> VoiceLine:
    """An utterance for a voice."""
    sound = "" if said.sound is None else str(said.sound)
    return VoiceLine(said.text, said.language, sound, weighty=said.weighty, waits=said.only_asks)


def open_announcer(room: Room) -> Announcer:
    """Have what happens in a room said aloud, by the programs that its configuration names, if it names any."""

    def make_voice(config: Config) -> Voice:
        return ProgramVoice(
            config.voice_programs(), lambda status: room.tell(status_words(status)), room.clock
        )

    announcer = Announcer(room.config, make_voice)
    room.speak_as = announcer.change
    room.subscribe(announcer.on_news)
    return announcer
