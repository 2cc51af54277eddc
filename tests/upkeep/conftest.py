"""What belongs to a user is in a folder of the test."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this user's exercises lie."""
    folder = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder
