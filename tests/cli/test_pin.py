"""`pointsman pin` chooses the director's PIN at the machine, or shows a code with which a phone does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from controller.app.fitting.welcoming import shared_code
from controller.app.pages import KEYS
from controller.web.keys import PageKeys
from tests.cli.conftest import Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pointsman.toml").write_text("")
    return tmp_path
