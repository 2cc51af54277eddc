"""What a learned network is made from, and the sheet beside it that says so."""

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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
    """SHA-256 over a recipe's sources: of a module what it does, of any other file its bytes.

    Where a module lies, what it imports from where, its comments, docstrings and annotations decide nothing that
    is learned, and are left out. Raises ``FileNotFoundError`` for a lost source.
    """
    return source_digest(recipe.sources)


def source_digest(sources: Iterable[str]) -> str:
    """The same over any files or folders inside the package."""
    total = hashlib.sha256()
    for file in sorted(_files(sources), key=lambda file: file.name):
        content = (
            _doings(ast.parse(file.read_bytes())).encode() if file.suffix == ".py" else file.read_bytes()
        )
        total.update(file.name.encode() + b"\0" + hashlib.sha256(content).digest())
    return total.hexdigest()


def make(recipe: Recipe, tell: Tell, folder: Path = MODELS) -> None:
    """Train and write ``NAME.onnx`` with its sheet ``NAME.json`` (digests of recipe and model, figures)."""
    model, figures = recipe.train(tell)
    (folder / f"{recipe.name}.onnx").write_bytes(model)
    sheet = {"recipe": digest(recipe), "model": hashlib.sha256(model).hexdigest(), "figures": dict(figures)}
    (folder / f"{recipe.name}.json").write_text(json.dumps(sheet, indent=1) + "\n")


def _files(sources: Iterable[str]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        path = PACKAGE / source
        if path.is_dir():
            found += [
                file
                for file in path.rglob("*")
                if file.is_file() and file.suffix != ".pyc" and file.name != "__init__.py"
            ]
        elif path.is_file():
            found.append(path)
        else:
            raise FileNotFoundError(f"the recipe names {source}, which is not in the package")
    return sorted(found)


def _doings(node: object) -> str:
    """A syntax tree as text that is the same under every Python: what is empty or decides nothing is left out."""
    if isinstance(node, list):
        return f"[{' '.join(filter(None, map(_doings, node)))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Import | ast.ImportFrom) or _says_only(node):
        return ""
    fields = [
        f"{name}={_doings(value)}"
        for name, value in ast.iter_fields(node)
        if value not in (None, []) and name not in ("annotation", "returns", "kind", "type_comment", "ctx")
    ]
    return f"({type(node).__name__} {' '.join(fields)})"


def _says_only(node: ast.AST) -> bool:
    """Whether a statement is a docstring or names a type of arrays."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("NDArray[")
