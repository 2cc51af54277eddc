"""What a learned network is made from, and the card beside it that says so.

Identity is that of data: of the files it learns from and of its weights. How the code is written decides nothing.
"""

import datetime
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "controller" / "vision" / "models"

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A network that ``python -m calibration.training NAME`` makes.

    ``data`` are the files or folders it learns from, as paths in the project. ``train`` tells its progress and
    returns the ONNX file with the figures it reached.
    """

    name: str
    data: tuple[str, ...]
    train: Callable[[Tell], tuple[bytes, Mapping[str, float]]]


def digest(sources: Iterable[str]) -> str:
    """SHA-256 over files and folders of the project: the bytes of each file, and where in its folder it lies.

    Raises ``FileNotFoundError`` for a lost one.
    """
    total = hashlib.sha256()
    for source in sources:
        for name, file in _files(ROOT / source):
            total.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def make(recipe: Recipe, tell: Tell, today: datetime.date, folder: Path = MODELS) -> None:
    """Train and write ``NAME.onnx`` with its card ``NAME.json``: day, digests of data and weights, figures."""
    model, figures = recipe.train(tell)
    (folder / f"{recipe.name}.onnx").write_bytes(model)
    card = {
        "made": today.isoformat(),
        "data": digest(recipe.data),
        "weights": hashlib.sha256(model).hexdigest(),
        "figures": dict(figures),
    }
    (folder / f"{recipe.name}.json").write_text(json.dumps(card, indent=1) + "\n")


def _files(source: Path) -> Iterator[tuple[str, Path]]:
    """The file, or all in the folder, by name; nothing is learned from what is compiled or written for people."""
    if not source.exists():
        raise FileNotFoundError(f"{source} is to be learned from and is not there")
    if source.is_file():
        yield source.name, source
        return
    for file in sorted(source.rglob("*")):
        if file.is_file() and file.suffix not in (".pyc", ".md"):
            yield file.relative_to(source).as_posix(), file
