"""Keys as buttons on the set-up page: learned by pressing them, forgotten, kept in the configuration."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from controller.app.fitting.errands import have_done
from controller.app.fitting.keeping import Keeping
from controller.app.room import Room
from controller.app.wiring import give_keys
from controller.config.config import Config
from controller.config.sections import KeysSection
from controller.devices import Button
from controller.devices.keys.learned import LearnedKey
from controller.devices.keys.learning import KeyLearning
from controller.errors import UserError
from controller.messages.device_words import LocalText, program_words, status_words
from controller.web.setup.set_up import KeysView, LearnedButton
from controller.web.table_service import Reply

LISTEN_S: Final = 30.0
"""So long a key is waited for; then whoever wanted it has gone."""
ORDER: Final = (
    Button.DONE,
    Button.ROLL,
    Button.DOUBLE,
    Button.TAKE,
    Button.DROP,
    Button.CLOCK_LIGHT,
    Button.CLOCK_DARK,
    Button.PAUSE,
)
"""The buttons as they are offered, the most wanted first."""


class KeyFitting:
    """Learns the keys of one room; see `KeysSetUp`. `tick` and `leave` are for the thread that steps."""

    def __init__(self, room: Room, keeping: Keeping, folder: Path | None = None) -> None:
        """Nothing is learned; ``keeping`` writes what is learned; ``folder`` as in `Inputs`."""
        self._room, self._keeping, self._folder = room, keeping, folder
        self._learning: KeyLearning | None = None
        self._button, self._ends_s = "", 0.0
        self._said: LocalText | None = None

    def view(self) -> KeysView:
        """How it stands, for any thread."""
        config = self._room.config
        troubles = [each for each in list(self._room.electronics.keys_status.values()) if not each.ready]
        said = () if self._said is None else (self._said,)
        return KeysView(
            tuple(_learned_button(config, button) for button in ORDER),
            self._button,
            config.keys.grab,
            (*said, *(status_words(each) for each in troubles)),
        )

    def learn(self, button: str) -> Reply:
        """See `KeysSetUp`."""
        return have_done(self._room, lambda: self._learn(button))

    def end(self) -> Reply:
        """See `KeysSetUp`."""

        def end() -> Reply:
            self.leave()
            return Reply(True)

        return have_done(self._room, end)

    def forget(self, button: str) -> Reply:
        """See `KeysSetUp`."""
        return have_done(self._room, lambda: self._change_now({button: ""}))

    def grab(self, grab: bool) -> Reply:
        """See `KeysSetUp`."""
        return have_done(self._room, lambda: self._change_now({"grab": grab}))

    def leave(self) -> None:
        """Listen no more; the keys that were learned before are buttons again."""
        if self._learning is not None:
            self._listen_no_more()
            self._room.use(self._room.config.keys)
            self._button = ""

    def _learn(self, button: str) -> Reply:
        """Begin to listen. Raises LearnedKeyError without the library."""
        if self._room.match.playing:
            return Reply(False, program_words("match_on"))
        self.leave()
        # A device that is the table's alone tells nobody else, so the table lets go of all of them meanwhile.
        give_keys(self._room.electronics, replace(self._room.config, keys=KeysSection()), self._room.tell)
        try:
            self._learning = KeyLearning(self._folder)
        except UserError:
            self._room.use(self._room.config.keys)
            raise
        self._button, self._ends_s, self._said = button, self._room.clock() + LISTEN_S, None
        return Reply(True)

    def tick(self) -> None:
        """Look whether a key was pressed; call it often."""
        if self._learning is None:
            return
        button, now = self._button, self._room.clock()
        found = self._learning.poll(now)
        if found is not None:
            self._listen_no_more()
            self._said = self._change(self._moved(button, found)).words
            self._button = ""
        elif now >= self._ends_s:
            refused = not self._learning.can_hear()
            self._said = program_words("keys_forbidden" if refused else "keys_unheard")
            self.leave()

    def _listen_no_more(self) -> None:
        if self._learning is not None:
            self._learning.close()
            self._learning = None

    def _moved(self, button: str, found: LearnedKey) -> dict[str, str | bool | float]:
        """The values that make a key this button, and no other one any more."""
        had = self._room.config.button_keys()
        before = {
            other.name.lower(): ""
            for other, key in had.items()
            if key.bare == found.bare and other.name.lower() != button
        }
        return {**before, button: found.text}

    def _change_now(self, values: dict[str, str | bool | float]) -> Reply:
        self.leave()
        self._said = None
        return self._change(values)

    def _change(self, values: dict[str, str | bool | float]) -> Reply:
        """Use these values of the section from now on, and keep them."""
        changes: dict[str, Any] = dict(values)
        used = self._room.use(replace(self._room.config.keys, **changes))
        return Reply(True, self._keeping.keep({"keys": values}, "keys")) if used.done else used


def _learned_button(config: Config, button: Button) -> LearnedButton:
    name = button.name.lower()
    text = getattr(config.keys, name)
    key = LearnedKey.from_text(text) if text else None
    return LearnedButton(name) if key is None else LearnedButton(name, key.key, key.device)
