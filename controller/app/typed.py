"""What players type, as what they say to the referee: ``roll 31``, ``played 8/5 6/5``, ``dark: resign``."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.messages.table_words import side_words
from controller.record.journal.journal import Json
from controller.referee.events import DIRECTOR
from controller.referee.table.choices import Choice, choices_of
from controller.referee.table.state import Table
from controller.rules import Position, Side

PRESSED: Final = "pressed"
WORDS: Final = (
    "roll",
    "done",
    "double",
    "take",
    "pass",
    "beaver",
    "raccoon",
    "resign",
    "accept",
    "refuse",
    "let_stand",
    "correct",
    "played",
    "undo",
    "roll_void",
    "pause",
    "go_on",
    "dispute",
    "rebuild",
    "consent",
    "stop",
    "ruling",
    "award",
    "forfeit",
    "start",
    "help",
    "quit",
)
"""What can be typed; the catalogues have a word for each, under ``typed``."""
OWN: Final = ("start", "help", "quit")
"""Words that are the program's, not the referee's."""
_DICE: Final = re.compile(r"[1-6][- ]?[1-6]")
_LEVELS: Final = ("single", "gammon", "backgammon")
_SPEAKER: Final = re.compile(r"([^:]{1,60}):(.*)", re.DOTALL)
MOST_LETTERS: Final = 300


class TypedError(UserError):
    """A line that says nothing to the table now; the message says what can be typed."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that was understood.

    Attributes:
        word: one of `WORDS`.
        by: who says it: ``light``, ``dark`` or ``director``.
        saying: see `TableService.ask`; empty for a word of the program's own.
    """

    word: str
    by: str
    saying: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Typist:
    """Understands the lines of one table.

    Attributes:
        languages: in which words may be typed, beside English.
        names: what the players are called, which may stand before a line as who says it.
    """

    languages: tuple[str, ...]
    names: Mapping[Side, str]

    def read(self, line: str, table: Table | None) -> TypedLine:
        """What a line says to a table; None where no match is on.

        Raises:
            TypedError: for a line that says nothing now.
        """
        speaker, rest = self._speaker(line.strip()[:MOST_LETTERS])
        dice = _DICE.fullmatch(rest)
        head, _, tail = rest.partition(" ")
        word = "roll" if dice else self._word(head)
        if dice:
            tail = rest
        if word in OWN:
            return TypedLine(word, DIRECTOR, {})
        if word is None or table is None:
            raise self._lost(line, table)
        choices = [choice for choice in choices_of(table, DIRECTOR) if word_of(choice) == word]
        if speaker in tuple(Side):
            choices = [choice for choice in choices if choice.side in (None, Side(speaker))]
        if not choices:
            raise self._lost(line, table)
        choice = _preferred(choices, table.on_turn)
        by = speaker or str(choice.side or table.on_turn or Side.LIGHT)
        if speaker == "" and choice.what in _OF_DIRECTOR:
            by = DIRECTOR
        return TypedLine(word, by, self._saying(choice, choices, tail.strip()))

    def allowed(self, table: Table | None) -> tuple[str, ...]:
        """What can be typed now, in the words of the first language."""
        words = ["start"] if table is None else _words(choices_of(table, DIRECTOR))
        return tuple(self._texts(word) for word in (*words, "help"))

    def _texts(self, word: str) -> str:
        return catalogue(self.languages[0]).text("typed", word)

    def _lost(self, line: str, table: Table | None) -> TypedError:
        allowed = ", ".join(self.allowed(table))
        return TypedError(
            catalogue(self.languages[0]).text("keyboard", "lost", line=line.strip(), words=allowed)
        )

    def _speaker(self, line: str) -> tuple[str, str]:
        """Who says a line, empty if it does not tell, and what is said."""
        found = _SPEAKER.fullmatch(line)
        if found is None:
            return "", line
        name, rest = found[1].strip().casefold(), found[2].strip()
        for side in Side:
            called = {str(side), self.names.get(side, "").casefold()}
            called |= {side_words(side, language).casefold() for language in self.languages}
            if name in called:
                return str(side), rest
        return (DIRECTOR, rest) if name == DIRECTOR else ("", line)

    def _word(self, text: str) -> str | None:
        wanted = text.casefold()
        for language in (*self.languages, "en"):
            for word in WORDS:
                if catalogue(language).text("typed", word).casefold() == wanted:
                    return word
        return None

    def _saying(self, choice: Choice, choices: Sequence[Choice], tail: str) -> dict[str, Json]:
        """The choice with what was typed after its word."""
        saying: dict[str, Json] = {"what": choice.what, **_jsonable(choice.arguments)}
        if choice.side is not None and choice.what not in _WITHOUT_SIDE:
            saying["side"] = str(choice.side)
        match choice.what:
            case "roll":
                saying["dice"] = list(self._dice(tail))
            case "opening_roll":
                saying["light"], saying["dark"] = self._dice(tail)
            case "played":
                saying["play"] = tail or self._short("played", "played 8/5 6/5")
            case "resign":
                saying["amount"] = self._amount(choice, choices, tail)
            case "ruling":
                saying |= self._ruling(tail)
            case "award":
                side, _, points = tail.partition(" ")
                saying |= {"winner": self._side(side), "points": self._number(points)}
            case "forfeit":
                saying["loser"] = self._side(tail)
        return saying

    def _dice(self, text: str) -> tuple[int, int]:
        if not _DICE.fullmatch(text):
            self._short("roll", "roll 31")
        return int(text[0]), int(text[-1])

    def _amount(self, choice: Choice, choices: Sequence[Choice], tail: str) -> int:
        """The level of a resignation; the least one that the rules take where none is typed."""
        if choice.needs is not None:
            return self._number(tail)
        offered = [int(str(each.arguments["amount"])) for each in choices if each.side is choice.side]
        for language in (*self.languages, "en"):
            for amount, level in enumerate(_LEVELS, start=1):
                if tail.casefold() == catalogue(language).text("term", level).casefold() or tail == str(
                    amount
                ):
                    return amount
        if tail:
            self._short("resign", "resign gammon")
        return min(offered)

    def _ruling(self, tail: str) -> dict[str, Json]:
        position, _, side = tail.rpartition(" ")
        try:
            told = Position.from_compact(position.strip())
        except UserError:
            self._short("ruling", "ruling b....E.C...eE...c.e....B.. light")
        return {"position": told.compact(), "on_roll": self._side(side)}

    def _side(self, text: str) -> str:
        speaker, _ = self._speaker(f"{text.strip()}:")
        if speaker not in tuple(Side):
            raise TypedError(catalogue(self.languages[0]).text("keyboard", "side", text=text.strip()))
        return speaker

    def _number(self, text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= 4):
            raise TypedError(catalogue(self.languages[0]).text("keyboard", "number", text=text))
        return int(text)

    def _short(self, word: str, example: str) -> NoReturn:
        """Something is missing after a word."""
        known = self._texts(word)
        example = example.replace(word, known, 1)
        raise TypedError(
            catalogue(self.languages[0]).text("keyboard", "example", word=known, example=example)
        )


_OF_DIRECTOR: Final = frozenset({"ruling", "award", "forfeit"})
_WITHOUT_SIDE: Final = frozenset({"let_stand", "roll_stands"})


def word_of(choice: Choice) -> str:
    """The word that a choice is typed by."""
    if choice.what == PRESSED:
        button = str(choice.arguments["button"])
        return "done" if button == "done" else "accept"
    if choice.what == "roll_stands":
        return "accept" if choice.arguments["stands"] else "refuse"
    return "roll" if choice.what == "opening_roll" else choice.what


def _words(choices: Iterable[Choice]) -> list[str]:
    shown = [word_of(choice) for choice in choices if choice.what not in _OF_DIRECTOR]
    return list(dict.fromkeys(shown))


def _preferred(choices: Sequence[Choice], on_turn: Side | None) -> Choice:
    """The choice of the side on turn, where several sides have one."""
    return next((choice for choice in choices if choice.side is on_turn), choices[0])


def _jsonable(arguments: Mapping[str, object]) -> dict[str, Json]:
    return {name: value for name, value in arguments.items() if isinstance(value, str | int | bool | list)}
