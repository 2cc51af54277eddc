"""The keys of one line: each is looked at before it is believed."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Self

from controller.devices import Button
from controller.errors import UserError
from controller.json_object import parse_object
from controller.rules import Position, Side
from controller.rules.position import CHECKERS

MOST_POINTS: Final = 10_000
MOST_PLIES: Final = 100_000
BUTTONS: Final = tuple(button.name.lower() for button in Button)


class TableLineError(UserError):
    """A line that is no input of the referee; the message names the key and what it must be."""


@dataclass(frozen=True, slots=True)
class Keys:
    """One JSON object. A key that is left out is null; methods raise `TableLineError` for what it cannot take."""

    content: Mapping[str, Any]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The object in a line of text."""
        try:
            return cls(parse_object(text))
        except ValueError as error:
            raise TableLineError(
                f'The line is not a JSON object ({error}); write one with "t" and "kind".'
            ) from None

    def only(self, names: Iterable[str]) -> None:
        """Refuse every key that is not among ``names``."""
        known = tuple(names)
        strange = [key for key in self.content if key not in known]
        if strange:
            raise TableLineError(
                f"The key {_quote(strange[0])} has no meaning here; use {_list_words(known)}."
            )

    def has(self, name: str) -> bool:
        """Whether the key is there and not null."""
        return self.content.get(name) is not None

    def word(self, name: str, words: Iterable[str]) -> str:
        """One of the words."""
        allowed = tuple(words)
        value: str = self._require(name, f"one of {_list_words(allowed)}", lambda it: it in allowed)
        return value

    def text(self, name: str) -> str:
        """Any text, empty if there is none."""
        return self._require(name, "a text", lambda it: it is None or isinstance(it, str)) or ""

    def button(self, name: str = "button") -> Button:
        """A button."""
        return Button[self.word(name, BUTTONS).upper()]

    def number(self, name: str, least: float = 0.0) -> float:
        """A number, ``least`` or more."""
        return float(self._require(name, f"a number of {least:g} or more", lambda it: _is_number(it, least)))

    def whole(self, name: str, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``."""
        wanted = f"a whole number from {least} to {most}"
        value: int = self._require(name, wanted, lambda it: type(it) is int and least <= it <= most)
        return value

    def one_of(self, name: str, numbers: Iterable[int]) -> int:
        """One of the whole numbers."""
        allowed = tuple(numbers)
        wanted = f"one of {_list_words(map(str, allowed))}"
        value: int = self._require(name, wanted, lambda it: type(it) is int and it in allowed)
        return value

    def truth(self, name: str, *, otherwise: bool) -> bool:
        """True or false; ``otherwise`` where the key is left out."""
        value = self._require(name, "true or false", lambda it: it is None or isinstance(it, bool))
        return otherwise if value is None else bool(value)

    def side(self, name: str = "side") -> Side:
        """A side."""
        return Side(self.word(name, Side))

    def position(self, name: str) -> Position:
        """A compact position of at most fifteen checkers a side. Raises PositionError too."""
        return Position.from_compact(self._compact(name))

    def seen_position(self, name: str) -> Position:
        """A compact position as it may lie on a real board, with any number of checkers. Raises PositionError too."""
        return Position.seen_compact(self._compact(name))

    def positions(self, name: str) -> tuple[Position, ...]:
        """A list of compact positions. Raises PositionError too."""
        wanted = "a list of compact positions"
        value = self._require(
            name, wanted, lambda it: isinstance(it, list) and all(isinstance(e, str) for e in it)
        )
        return tuple(map(Position.from_compact, value))

    def numbers(self, name: str) -> tuple[float, ...]:
        """A list of numbers of 0 or more."""
        wanted = "a list of numbers of 0 or more"
        value = self._require(
            name, wanted, lambda it: isinstance(it, list) and all(_is_number(each, 0.0) for each in it)
        )
        return tuple(map(float, value))

    def dice(self, name: str) -> tuple[int, int]:
        """Two dice in their order."""
        return self._pair(name, self.content.get(name))

    def pairs(self, name: str) -> tuple[tuple[int, int], ...]:
        """Pairs of dice; none where the key is left out."""
        wanted = "a list of pairs such as [[3, 1]], or null"
        value = self._require(name, wanted, lambda it: it is None or isinstance(it, list))
        return tuple(self._pair(name, each) for each in value or ())

    def points(self, name: str) -> frozenset[int]:
        """Points from 1 to 24; none where the key is left out."""
        return frozenset(self._require(name, "a list of points from 1 to 24", _is_points) or ())

    def required_points(self, name: str) -> frozenset[int]:
        """Points from 1 to 24; the key must be there."""
        wanted = "a list of points from 1 to 24"
        return frozenset(self._require(name, wanted, lambda it: it is not None and _is_points(it)))

    def counts(self, name: str) -> tuple[int | None, int | None]:
        """Light's and dark's checkers in one place; None where that is not known."""
        wanted = 'null or {"light": n, "dark": n} with numbers from 0 to 15'
        value = self._require(name, wanted, _is_counts) or {}
        return value.get(Side.LIGHT), value.get(Side.DARK)

    def inner(self, name: str) -> "Keys":
        """An object within the line."""
        return Keys(self._require(name, "a JSON object", lambda it: isinstance(it, dict)))

    def objects(self, name: str, example: str) -> "tuple[Keys, ...] | None":
        """The objects in a list, each such as ``example``; None where the key is left out."""
        wanted = f"a list of JSON objects such as [{example}], or null"
        value = self._require(name, wanted, _is_objects)
        return None if value is None else tuple(map(Keys, value))

    def _compact(self, name: str) -> str:
        wanted = "a compact position of 26 characters"
        value: str = self._require(name, wanted, lambda it: isinstance(it, str))
        return value

    def _pair(self, name: str, value: object) -> tuple[int, int]:
        if isinstance(value, list) and len(value) == 2 and all(type(n) is int and 1 <= n <= 6 for n in value):
            return value[0], value[1]
        raise TableLineError(f'"{name}" has the dice {_quote(value)}, but dice are two numbers from 1 to 6.')

    def _require(self, name: str, wanted: str, fits: Callable[[Any], bool]) -> Any:
        """The value of a key, which must be what is wanted."""
        value = self.content.get(name)
        if fits(value):
            return value
        if name not in self.content:
            raise TableLineError(f'The line has no "{name}"; it must be {wanted}.')
        raise TableLineError(f'"{name}" is {_quote(value)}, but must be {wanted}.')


def _is_number(value: Any, least: float) -> bool:
    try:
        return type(value) in (int, float) and isfinite(value) and bool(value >= least)
    except OverflowError:
        return False


def _is_points(value: object) -> bool:
    return value is None or (
        isinstance(value, list) and all(type(each) is int and 1 <= each <= 24 for each in value)
    )


def _is_objects(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(each, dict) for each in value))


def _is_counts(value: object) -> bool:
    return value is None or (
        isinstance(value, dict)
        and set(value) <= set(Side)
        and all(each is None or (type(each) is int and 0 <= each <= CHECKERS) for each in value.values())
    )


def _quote(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _list_words(words: Iterable[str]) -> str:
    return ", ".join(str(word) for word in words)
