"""What the people at a table read in the terminal: a line for each verdict and each message."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from controller.messages.device_words import Words
from controller.referee import Action, Flagged, Told, TurnJudged
from controller.referee.actions import FrameSkipped
from controller.referee.table.state import PLAYERS
from controller.rules import Party, Side
from controller.telling.table import action_text


class LineScreen:
    """Writes lines that both players may read."""

    def __init__(
        self, write: Callable[[str], object], languages: tuple[str, ...], names: Mapping[Side, str]
    ) -> None:
        """``write`` takes text with its line end; each message comes in every one of the languages."""
        self._write, self._languages, self._names = write, tuple(dict.fromkeys(languages)), names

    def show(self, action: Action, may_know: frozenset[Party]) -> None:
        """An action in words, if it has any; ``may_know`` are those who may be told of illegal plays."""
        if isinstance(action, FrameSkipped) or not _hearers(action) >= PLAYERS:
            return
        if isinstance(action, TurnJudged) and not may_know >= PLAYERS:
            action = replace(action, legal=True, reasons=(), also=(), stands=False, instead=None)
        for language in self._languages:
            text = action_text(action, language, self._names)
            if text is not None:
                self.say(text)

    def tell(self, words: Words) -> None:
        """A line in every one of the languages."""
        for language in self._languages:
            self.say(words(language))

    def say(self, text: str) -> None:
        """A line. If nobody can read it, because the terminal is gone or lacks a letter, play goes on without."""
        with suppress(OSError, ValueError):
            self._write(text + "\n")


def _hearers(action: Action) -> frozenset[Party]:
    return action.to if isinstance(action, Told | Flagged) else PLAYERS
