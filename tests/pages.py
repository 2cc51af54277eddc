"""Writes into the pages what the program knows: `make pages`. Their tests fail until that is done."""

from pathlib import Path

from controller.config.sample import tables
from tests.referee.table import page as states
from tests.training import cards

CONFIGURATION = Path(__file__).resolve().parent.parent / "hardware_docs" / "configuration.md"


def write() -> None:
    """The tables of the configuration, what the referee answers in every state, and the networks' cards."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    first = tables().splitlines()[0]
    CONFIGURATION.write_text(text[: text.index(f"{first}\n")] + tables().rstrip() + "\n", encoding="utf-8")
    cards.PAGE.write_text(cards.written(cards.PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    known = states.PAGE.read_text(encoding="utf-8")
    states.PAGE.write_text(states.written(known, states.walk()), encoding="utf-8")


if __name__ == "__main__":
    write()
