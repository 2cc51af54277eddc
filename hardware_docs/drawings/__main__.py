"""Draw every diagram anew into hardware_docs/pictures."""

from pathlib import Path

from hardware_docs.drawings.sheets import SHEETS, svg

FOLDER = Path(__file__).resolve().parent.parent / "pictures"

for name in SHEETS:
    (FOLDER / f"{name}.svg").write_text(svg(name), encoding="utf-8")
