"""When something is asked again: the scheduler FSRS (the package `fsrs`, that of Anki), without its random spread."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

Card = Mapping[str, Any]
"""What the scheduler knows of one thing to be learned, as it is kept in files."""


class Recall(StrEnum):
    """How well something was known."""

    AGAIN = "Again"
    HARD = "Hard"
    GOOD = "Good"


def new_card(now: datetime) -> Card:
    """A card that is due now."""
    from fsrs import Card as FsrsCard

    return dict(FsrsCard(card_id=0, due=now).to_dict())


def review_card(card: Card, recall: Recall, now: datetime) -> Card:
    """The card after it was asked; without a random spread, so that days can be foretold."""
    from fsrs import Card as FsrsCard
    from fsrs import Rating, Scheduler

    kept = FsrsCard.from_dict(dict(card))  # type: ignore[arg-type]  # it was written by `to_dict`
    later, _ = Scheduler(enable_fuzzing=False).review_card(kept, Rating[recall.value], now)
    return dict(later.to_dict())


def card_from(values: Mapping[str, Any]) -> Card:
    """A card as a file keeps it. Raises ValueError, KeyError or TypeError for what is none."""
    from fsrs import Card as FsrsCard

    card = dict(FsrsCard.from_dict(dict(values)).to_dict())  # type: ignore[arg-type]  # checked by reading it
    if due_of(card).tzinfo is None:
        raise ValueError("a card without a time zone")
    return card


def due_of(card: Card) -> datetime:
    """When it is to be asked next."""
    return datetime.fromisoformat(str(card["due"]))
