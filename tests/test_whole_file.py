"""Files that take the place of others whole, and for good."""

import os
from pathlib import Path

import pytest

from controller.whole_file import part_of, replace_file


def test_a_file_has_its_place_for_good_when_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name is a part of the folder: it is lost with the power as long as the folder is not written through."""
    path, done = tmp_path / "kept", []
    path.write_text("older")
    sync, move = os.fsync, os.replace

    def syncs(descriptor: int) -> None:
        sync(descriptor)
        folder = os.fstat(descriptor).st_ino == tmp_path.stat().st_ino
        done.append("folder through" if folder else "file through")

    def moves(old: Path, new: Path) -> None:
        move(old, new)
        done.append("moved")

    monkeypatch.setattr(os, "fsync", syncs)
    monkeypatch.setattr(os, "replace", moves)
    replace_file(path, b"newer")
    assert done == ["file through", "moved", "folder through"]


def test_a_folder_that_cannot_be_written_through_keeps_nobody_from_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def refuses(descriptor: int) -> None:
        if os.fstat(descriptor).st_ino == tmp_path.stat().st_ino:
            raise OSError(22, "Invalid argument")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", refuses)
    replace_file(tmp_path / "kept", b"newer")
    assert (tmp_path / "kept").read_bytes() == b"newer"


def write_half(path: Path) -> None:
    with part_of(path) as part:
        part.write_text("half")
        raise KeyboardInterrupt


def test_what_fails_leaves_all_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("older")
    with pytest.raises(KeyboardInterrupt):
        write_half(path)
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]
    assert path.read_text() == "older"
