"""A real table at which an engine has a seat, and at which people learn."""

import socket
import threading
from dataclasses import replace
from pathlib import Path

from controller.config.sections import MatchSection, SeatOf, SeatsSection
from controller.record.match.corrections import after_play
from controller.referee import Phase
from controller.rules import Side
from controller.rules.position import START
from tests.app.test_live import Running, Scene
from tests.app.test_room import ask, config_in


def test_an_engine_plays_its_side_and_a_person_moves_its_checkers(tmp_path: Path) -> None:
    scene, config = Scene(), replace(config_in(tmp_path), seats=SeatsSection(dark=SeatOf.ENGINE))
    with Running(config, scene) as table:
        table.until_phase(Phase.OPENING_ROLL)
        assert ask(table.room, "light", what="opening_roll", light=1, dark=3).done
        table.until(lambda: table.table.state.announced is not None)
        after = table.table.state.announced
        assert after is not None
        scene.lay(after)
        table.until_phase(Phase.TO_ROLL)
        assert (table.table.state.on_turn, table.table.state.position) == (Side.LIGHT, after)
        assert ask(table.room, "light", what="roll", side="light", dice=[2, 1]).done
        assert ask(table.room, "light", what="resign", side="light", amount=1).done
        table.until_phase(Phase.GAME_OVER)
        assert table.table.state.match.score.dark == 1


def test_an_engine_behind_a_socket_plays_the_side_that_the_configuration_gives_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer, args=(server, b"24/23 13/10\n"), daemon=True).start()
        external = f"127.0.0.1:{server.getsockname()[1]}"
        seats = SeatsSection(dark=SeatOf.ENGINE, external=external)
        with Running(replace(config_in(tmp_path), seats=seats), Scene()) as table:
            table.until_phase(Phase.OPENING_ROLL)
            assert ask(table.room, "light", what="opening_roll", light=1, dark=3).done
            table.until(lambda: table.table.state.announced is not None)
            assert table.table.state.announced == after_play(START, Side.DARK, "24/23 13/10")


def _answer(server: socket.socket, said: bytes) -> None:
    line, _ = server.accept()
    with line:
        while line.recv(4096):
            line.sendall(said)


def test_learners_are_told_the_best_plays_of_a_roll_when_they_ask(tmp_path: Path) -> None:
    config = config_in(tmp_path)
    match = MatchSection(light="Anna", dark="Béla", length=3, profile=("teaching",))
    with Running(replace(config, match=match), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
        assert ask(table.room, "light", what="hint", level=4).done
        table.until(lambda: bool(table.table.state.advised))
        assert len(table.table.state.advised) > 3
