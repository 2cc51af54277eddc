"""What a command asks of the board without a match, with the real firmware in the simulator."""

from pathlib import Path

import pytest

from controller.devices.link.conversation import Conversation
from controller.devices.link.framing import frame
from controller.devices.link.happenings import Greeted
from controller.devices.link.messages import MAJOR, BoardSettings, Type
from controller.devices.link.status import LinkCode
from tests.devices.test_link import far_end, until
from tests.firmware.board import Board

PATIENCE_S = 120.0
"""How long to wait for a board that is there, however slow the machine is."""
ENDLESS_S = 10_000.0


def talk(port: str) -> Conversation:
    return Conversation(port, host_session=7, adjust=lambda kept: kept)


def test_what_the_board_told_first_and_last_is_kept_by_its_kind(tmp_path: Path) -> None:
    with Board(tmp_path) as board, talk(board.port) as talking:
        assert talking.await_settings(PATIENCE_S)
        greeted, kept = talking.last(Greeted), talking.last(BoardSettings)
        assert greeted is not None
        assert kept is not None
        assert talking.first(BoardSettings) == kept
        talking.settle()
        assert talking.await_settings(PATIENCE_S)
        assert talking.last(BoardSettings) == kept
        assert talking.last(Greeted) is greeted


@pytest.mark.parametrize("there", [False, True])
def test_a_port_that_cannot_become_a_board_is_not_waited_for(tmp_path: Path, there: bool) -> None:
    port = tmp_path / "port"
    if there:
        port.write_text("no board")
    with talk(str(port)) as talking:
        assert not talking.await_settings(ENDLESS_S)
        assert talking.last(BoardSettings) is None


def test_a_chip_of_another_version_is_not_waited_for() -> None:
    with far_end() as terminal, talk(terminal.port) as talking:
        until(lambda: talking.link.status.code is LinkCode.GREETING)
        terminal.say(frame(bytes([Type.HELLO_OK, MAJOR + 1, 4]) + bytes(20)))
        assert not talking.await_settings(ENDLESS_S)
        assert talking.link.status.code is LinkCode.VERSION
