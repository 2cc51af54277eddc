"""Broken rules in words, in any of the languages."""

from collections.abc import Mapping, Sequence
from typing import Final

from controller.messages.catalogue import Catalogue, catalogue
from controller.rules.reasons import Argument, Reason, ReasonCode

PLACES: Final = frozenset({"source", "target", "point", "rearmost", "found"})
"""Arguments that are places, told from light's side."""


def reason_words(reason: Reason, language: str = "en") -> str:
    """Which rule was broken and by what, as one sentence; points are numbered from the side it is about.

    Raises LanguageError.
    """
    texts = catalogue(language)
    return texts.text("reason", _entry(reason), **_arguments(reason, texts))


def _entry(reason: Reason) -> str:
    """The text for a reason; some codes have a second one for what is less certain."""
    if reason.code is ReasonCode.DICE_MISMATCH and not reason.arguments["would_be"]:
        return "dice_unmatched"
    if reason.code is ReasonCode.HIT_NOT_ON_BAR and reason.arguments["found"] is not None:
        return "hit_found"
    return str(reason.code)


def _arguments(reason: Reason, texts: Catalogue) -> dict[str, object]:
    told = reason.arguments
    dark = told["side"] == "dark"
    words: dict[str, object] = dict(told)
    words["side"] = texts.text("term", str(told["side"]))
    for name in PLACES & told.keys():
        words[name] = "" if told[name] is None else _place(told[name], texts, dark=dark)
    words["place"] = words.get("point", words.get("rearmost"))
    if "source" in told and "target" in told:
        times = f"({told['count']})" if told.get("count", 1) != 1 else ""
        words["step"] = f"{_number(told['source'], dark=dark)}/{_number(told['target'], dark=dark)}{times}"
    if "outside" in told:
        words["places"] = ", ".join(_place(each, texts, dark=dark) for each in _listed(told["outside"]))
    if "dice" in told:
        words["dice"] = words["rolled"] = "-".join(map(str, _listed(told["dice"])))
    if "would_be" in told:
        rolls = (each for each in _listed(told["would_be"]) if isinstance(each, list))
        words["rolls"] = ", ".join("-".join(map(str, roll)) for roll in rolls)
    return words


def _place(place: object, texts: Catalogue, *, dark: bool) -> str:
    number = _number(place, dark=dark)
    return texts.text("place", "point", n=number) if number.isdecimal() else texts.text("place", number)


def _number(place: object, *, dark: bool) -> str:
    """A point in the numbering of its side, or `bar` or `off`."""
    text = str(place)
    return str(25 - int(text)) if dark and text.isdecimal() else text


def _listed(argument: Argument | Mapping[str, object]) -> Sequence[object]:
    return argument if isinstance(argument, list) else []
