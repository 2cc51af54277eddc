"""The table of the page on model cards, as the cards beside the networks have it."""

import json
from pathlib import Path

from calibration.training.recipe import MODELS
from calibration.training.recipes import RECIPES

PAGE = Path(__file__).resolve().parents[2] / "hardware_docs" / "model_cards.md"
BEGIN, END = "<!-- cards: begin -->\n", "<!-- cards: end -->\n"
SHOWN = 8
"""Digits of a digest."""


def table() -> str:
    """One row for each network: when it was made, its size, digests and figures."""
    return "| network | made | size | weights | data | figures |\n|---|---|---|---|---|---|\n" + "".join(
        _row(name) for name in sorted(RECIPES)
    )


def _row(name: str) -> str:
    card = json.loads((MODELS / f"{name}.json").read_text())
    size = (MODELS / f"{name}.onnx").stat().st_size
    figures = "; ".join(f"{what} {value:g}" for what, value in card["figures"].items())
    digests = (f"`{card[what][:SHOWN]}`" for what in ("weights", "data"))
    return f"| `{name}` | {card['made']} | {size / 1000:.0f} kB | {' | '.join(digests)} | {figures} |\n"


def written(page: str) -> str:
    """The page with the table in its place."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.split(END)[1]}"
