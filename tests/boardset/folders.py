"""The contributions of the set, and copies of one with something wrong in it."""

import shutil
from pathlib import Path

SET = Path(__file__).resolve().parent.parent / "data" / "boardset"
SAMPLE = SET / "rendered"


def contributions() -> list[Path]:
    """The folders of the set."""
    return sorted(path for path in SET.iterdir() if path.is_dir())


def changed(tmp_path: Path, name: str, old: str, new: str) -> Path:
    """A copy of the sample in which a file says something else."""
    folder = copied(tmp_path)
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def copied(tmp_path: Path) -> Path:
    """A copy of the sample."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "given"))
