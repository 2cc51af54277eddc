"""What the lights mean, in words: for screens, and for people who have no lamps."""

from collections.abc import Iterator

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import PLACES, Place
from controller.messages.catalogue import Catalogue, catalogue
from controller.rules import Side


def lamp_words(
    frame: LightFrame, language: str = "en", viewer: Side = Side.LIGHT
) -> Iterator[tuple[Signal, str]]:
    """Each signal that is shown, with what it means and where; points are numbered from the side of ``viewer``.

    Raises LanguageError.
    """
    texts = catalogue(language)
    for signal in Signal:
        places = [place for place in PLACES if frame[place] is signal]
        if signal is not Signal.DARK and places:
            names = sorted((_number(place, viewer), _name(place, texts, viewer)) for place in places)
            yield signal, texts.text("lamp", str(signal), places=", ".join(name for _, name in names))


def _number(place: Place, viewer: Side) -> int:
    """A point in the numbering of ``viewer``; places that have none come after the points."""
    if isinstance(place, str):
        return 24 + PLACES.index(place)
    return place if viewer is Side.LIGHT else 25 - place


def _name(place: Place, texts: Catalogue, viewer: Side) -> str:
    if isinstance(place, int):
        return str(_number(place, viewer))
    kind, _, side = place.partition("-")
    if not side:
        return kind
    return f"{texts.text('place', 'bar' if kind == 'bar' else 'off')} ({texts.text('term', side)})"
