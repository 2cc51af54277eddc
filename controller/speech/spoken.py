"""The spoken forms of each language: numbers, points, rolls and plays as players say them."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from controller.messages.catalogue import PLURALS, Catalogue
from controller.messages.table_words import Names, side_words
from controller.rules import Move, Play, Roll, Side
from controller.rules.notation import BAR, OFF, format_play

SPOKEN: Final = tuple(PLURALS)
"""The languages that have spoken forms: those that ship with the product."""


def spoken_language(language: str) -> str:
    """The language to speak in for people who read ``language``: English where it has no spoken forms."""
    return language if language in SPOKEN else SPOKEN[0]


@cache
def spoken_forms(language: str) -> Catalogue:
    """The spoken forms of one of `SPOKEN`."""
    text = files("controller.speech").joinpath("forms", f"{language}.toml").read_text(encoding="utf-8")
    return Catalogue(tomllib.loads(text), PLURALS[language])


@dataclass(frozen=True, slots=True)
class Spoken:
    """How things are said in one language.

    Attributes:
        language: one of `SPOKEN`.
        names: what the players are called.
    """

    language: str = "en"
    names: Names | None = None

    def say(self, *path: str, **arguments: object) -> str:
        """A sentence; sides, rolls and numbers among the arguments are said as players say them."""
        words = {name: self._worded(value) for name, value in arguments.items()}
        text = spoken_forms(self.language).text(*path, **words)
        return text[:1].upper() + text[1:]

    def has(self, table: str, entry: str) -> bool:
        """Whether there is such a sentence."""
        return entry in spoken_forms(self.language).names(table)

    def side(self, side: Side) -> str:
        """What a side is called."""
        return side_words(side, self.language, self.names)

    def number(self, number: int) -> str:
        """A number; one that has no word of its own is left to the voice, in digits."""
        words = self._list("numbers")
        return words[number] if 0 <= number < len(words) else str(number)

    def roll(self, high: int, low: int) -> str:
        """A roll: `six-one`, `double sixes`."""
        if high == low:
            return self._list("doubles")[high - 1]
        named = {"high": self.number(high), "low": self.number(low)}
        return spoken_forms(self.language).text("roll", "pair", **named)

    def dice(self, dice: Sequence[int]) -> str:
        """Dice as they are told: a roll, or one die alone."""
        return self.roll(max(dice), min(dice)) if len(dice) > 1 else "".join(map(self.number, dice))

    def place(self, place: int) -> str:
        """A point 1..24, the bar or the tray, by itself: `the eight point`."""
        if place in (BAR, OFF):
            return spoken_forms(self.language).text("place", "bar" if place == BAR else "off")
        return self._list("points")[place - 1]

    def places(self, places: Sequence[int]) -> str:
        """Several points, one after another."""
        return ", ".join(self.place(place) for place in places)

    def step(self, source: int, target: int) -> str:
        """One checker on its way, forwards or back: `thirteen to eight`, `six off`."""
        texts = spoken_forms(self.language)
        return texts.text(
            "leg", "off" if target == OFF else "move", source=self._from(source), target=self._to(target)
        )

    def play(self, play: Play) -> str:
        """A whole play: `thirteen to eight; six to five`; equal moves are counted."""
        return self.notation(format_play(play)) if play else ""

    def notation(self, text: str) -> str:
        """A play as `format_play` writes it, in words."""
        return "; ".join(self._part(part) for part in text.split())

    def steps(self, moves: Sequence[Move]) -> str:
        """Moves one after another, each said by itself."""
        return ", ".join(self.step(move.source, move.target) for move in moves)

    def _part(self, part: str) -> str:
        """One part of a play in notation, such as ``13/8*(2)``."""
        texts = spoken_forms(self.language)
        path, _, times = part.removesuffix(")").partition("(")
        source, target = (_number(stop.rstrip("*")) for stop in path.split("/"))
        said = self.step(source, target)
        if times:
            said = texts.text("leg", f"times_{times}", leg=said)
        return texts.text("leg", "hit", leg=said) if path.endswith("*") else said

    def _from(self, place: int) -> str:
        if place in (BAR, OFF):
            return spoken_forms(self.language).text("place", "from_bar" if place == BAR else "from_off")
        return self._list("from")[place - 1]

    def _to(self, place: int) -> str:
        if place in (BAR, OFF):
            return spoken_forms(self.language).text("place", "to_bar" if place == BAR else "off")
        return self._list("to")[place - 1]

    def _worded(self, value: object) -> object:
        match value:
            case Side():
                return self.side(value)
            case Roll():
                return self.roll(value.high, value.low)
            case int():
                return self.number(value)
        return value

    def _list(self, name: str) -> list[str]:
        words: list[str] = list(spoken_forms(self.language).entries(name))
        return words


def _number(stop: str) -> int:
    return BAR if stop == "bar" else OFF if stop == "off" else int(stop)
