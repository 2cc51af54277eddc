"""What is chosen on the set-up page: used at once, and written into the configuration."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from controller.app.room import Room
from controller.app.wiring import give_lights
from controller.config import Config
from controller.config.config import parse_config, pin_used_twice
from controller.config.error import ConfigError
from controller.config.sections import ButtonsSection
from controller.config.writing import Values, with_values, write_values
from controller.errors import UserError
from controller.messages.device_words import LocalText, program_words
from controller.record.journal.journal import Json
from controller.web.table_service import Reply

SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "match": ("table",),
    "table": ("languages", "ends", "rest_s"),
    "clock": ("kind", "reserve_per_point_s", "delay_s"),
    "buttons": tuple(field.name for field in fields(ButtonsSection)),
    "lights": ("brightness", "night", "dark_room", "limit_ma", "colours"),
    "caution": ("strictness",),
    "web": ("open",),
}
"""What may be chosen on the page beside devices and match. Nothing of it names a program or a file."""


def settings_of(config: Config) -> Mapping[str, Mapping[str, Json]]:
    """What holds now of all that may be chosen, by section and key."""
    return {
        section: {name: _plain(getattr(getattr(config, section), name)) for name in names}
        for section, names in SETTINGS.items()
    }


def _plain(value: Any) -> Json:
    """A value as a file and a page write it."""
    return [str(each) for each in value] if isinstance(value, tuple) else value


class Keeping:
    """Uses and keeps what is chosen. `use` is for the thread that steps the table, `keep` for any."""

    def __init__(
        self, room: Room, file: Path | None, let_in: Callable[[bool], None] = lambda _: None
    ) -> None:
        """``file`` is where it is written, and begun where it is not there; None for the one that was
        read, or nowhere where none was, as in the demo.

        ``let_in`` is told whether other machines may open the pages from now on.
        """
        label = room.config.label
        self._room, self._let_in = room, let_in
        self._file = file or (Path(label) if label else None)

    def keep(self, values: Values, about: str = "settings") -> LocalText:
        """Write values into the configuration; what became of that, in the sentences about a kind of device."""
        if self._file is None:
            return program_words(f"{about}_no_file")
        try:
            write_values(self._file, values)
        except UserError as error:
            return program_words(f"{about}_not_written", why=error)
        return program_words(f"{about}_kept", file=str(self._file))

    def use(self, values: Values) -> Reply:
        """Use values from now on. A match that is on keeps its own, so nothing but the network changes then."""
        if self._room.match.playing and set(values) != {"web"}:
            return Reply(False, program_words("match_on"))
        try:
            self._room.config = _with_values(self._room.config, values)
        except UserError as error:
            return Reply.refusing(error)
        self._take_effect(values)
        return Reply(True)

    def _take_effect(self, values: Values) -> None:
        room = self._room
        if "lights" in values:
            give_lights(room.electronics, room.config, room.board, room.tell)
        if "buttons" in values:
            room.use(room.config.board)
        if "table" in values:
            room.screen.speak(room.config.table.languages)
            room.speak_as(room.config)
        if "open" in values.get("web", {}):
            self._let_in(bool(room.config.web.open))
        room.news.hear_actions(())


def _with_values(config: Config, values: Values) -> Config:
    """The configuration with other values. Raises ConfigError for what cannot be."""
    text = ""
    for section, chosen in values.items():
        text = with_values(text, section, chosen)
    told = parse_config(text, "The setting", config.folder)
    changes: dict[str, Any] = {
        section: replace(
            getattr(config, section), **{name: getattr(getattr(told, section), name) for name in chosen}
        )
        for section, chosen in values.items()
    }
    made = replace(config, **changes)
    twice = pin_used_twice(made)
    if twice is not None:
        raise ConfigError(twice[1])
    return made
