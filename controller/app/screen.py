"""What the people at a table read in the terminal: a line for each verdict and each message."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from controller.messages.device_words import LocalText
from controller.messages.table_words import message_words, roll_words, score_words
from controller.referee import Action, Flagged, Message, Phase, Table, Told, TurnJudged
from controller.referee.actions import FrameSkipped, GameOpened
from controller.referee.table.state import PLAYERS
from controller.rules import Party, Side
from controller.rules.moves.movement import STANDARD
from controller.telling.table import action_text


class LineScreen:
    """Writes lines that both players may read.

    Attributes:
        names: what the players are called.
    """

    def __init__(
        self, write: Callable[[str], object], languages: tuple[str, ...], names: Mapping[Side, str]
    ) -> None:
        """``write`` takes text with its line end; each message comes in every one of the languages."""
        self.names = names
        self._write = write
        self.speak(languages)
        self._roll: object = None
        self._turn: object = None
        self._rules = STANDARD

    def speak(self, languages: tuple[str, ...]) -> None:
        """Each message comes in every one of these languages from now on."""
        self._languages = tuple(dict.fromkeys(languages))

    def call(self, names: Mapping[Side, str]) -> None:
        """The players are called so from now on."""
        self.names = names

    def print_action(self, action: Action, may_know: frozenset[Party]) -> None:
        """An action in words, if it has any; ``may_know`` are those who may be told of illegal plays."""
        if isinstance(action, FrameSkipped) or not _hearers(action) >= PLAYERS or _follows(action):
            return
        if isinstance(action, GameOpened):
            self._show_score(action)
        if isinstance(action, TurnJudged) and action.legal is False and not may_know >= PLAYERS:
            action = replace(action, legal=True, reasons=(), also=(), stands=False, instead=None)
        for language in self._languages:
            text = action_text(action, language, self.names, rules=self._rules)
            if text is not None:
                self.print_line(text)

    def show_roll(self, table: Table) -> None:
        """What was rolled, once for each roll, and anew if the pictures come to show another one."""
        self._rules = table.match.game.profile.movement
        thrown = table.thrown
        told = None if thrown is None else (table.match.number, table.ply, thrown.side, thrown.roll)
        if told is not None and thrown is not None and told != self._roll:
            self.print_words(roll_words(thrown.side, thrown.roll, self.names))
        self._roll = told

    def show_turn(self, table: Table) -> None:
        """Who is to roll, once for each turn."""
        side = table.match.game.turn if table.phase is Phase.TO_ROLL else None
        told = None if side is None else (table.match.number, table.ply, side)
        if side is not None and told != self._turn:
            for language in self._languages:
                self.print_line(message_words(Message.TO_ROLL, {"side": str(side)}, language, self.names))
        self._turn = told or self._turn

    def _show_score(self, opened: GameOpened) -> None:
        self.print_words(score_words(opened.number, opened.score, self.names))

    def print_words(self, words: LocalText) -> None:
        """A line in every one of the languages."""
        for language in self._languages:
            self.print_line(words(language))

    def print_line(self, text: str) -> None:
        """A line. If nobody can read it, because the terminal is gone or lacks a letter, play goes on without."""
        with suppress(OSError, ValueError):
            self._write(text + "\n")


def _follows(action: Action) -> bool:
    """Whether an action only says who is to roll, which `show_turn` does each turn."""
    return isinstance(action, Told) and action.message is Message.TO_ROLL


def _hearers(action: Action) -> frozenset[Party]:
    return action.to if isinstance(action, Told | Flagged) else PLAYERS
