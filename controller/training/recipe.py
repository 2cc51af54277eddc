"""What a learned network is made from, and the sheet beside it that says so."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
MODELS = PACKAGE / "vision" / "models"

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A network that ``python -m controller.training NAME`` makes.

    ``sources`` are files or folders inside the package that decide what is learned (the recipe's modules, what
    prepares a network's input, pictures); ``train`` tells its progress and returns the ONNX file with the
    figures it reached.
    """

    name: str
    sources: tuple[str, ...]
    train: Callable[[Tell], tuple[bytes, Mapping[str, float]]]


def digest(recipe: Recipe) -> str:
    """SHA-256 over the names and contents of a recipe's sources; raises ``FileNotFoundError`` for a lost one."""
    total = hashlib.sha256()
    for file in _files(recipe.sources):
        total.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def make(recipe: Recipe, tell: Tell, folder: Path = MODELS) -> None:
    """Train and write ``NAME.onnx`` with its sheet ``NAME.json`` (digests of recipe and model, figures)."""
    model, figures = recipe.train(tell)
    (folder / f"{recipe.name}.onnx").write_bytes(model)
    sheet = {"recipe": digest(recipe), "model": hashlib.sha256(model).hexdigest(), "figures": dict(figures)}
    (folder / f"{recipe.name}.json").write_text(json.dumps(sheet, indent=1) + "\n")


def shipped(name: str) -> tuple[bytes, Mapping[str, object]]:
    """The network of that name that ships with the product, and its sheet."""
    folder = resources.files("controller.vision").joinpath("models")
    sheet: Mapping[str, object] = json.loads(folder.joinpath(f"{name}.json").read_text())
    return folder.joinpath(f"{name}.onnx").read_bytes(), sheet


def _files(sources: Iterable[str]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        path = PACKAGE / source
        if path.is_dir():
            found += [file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
        elif path.is_file():
            found.append(path)
        else:
            raise FileNotFoundError(f"the recipe names {source}, which is not in the package")
    return sorted(found)
