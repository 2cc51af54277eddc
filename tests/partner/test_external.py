"""An engine behind a socket: gnubg itself answers, and what is lost or nonsense is not waited for."""

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from controller.analysis.gnubg import binary
from controller.partner.external import ANSWER_S, ExternalMind, _Line
from controller.partner.mind import RuleOfThumb
from controller.rules import Position, Roll, Side, is_result, load_profile
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import STANDARD
from controller.rules.position import START
from tests.ports import free_port

THREE_ONE = Roll.from_dice(3, 1)
POINT = "b...BD.B...eE...c.e....B.."
HERE = "127.0.0.1"


@pytest.fixture(scope="module")
def gnubg() -> Iterator[int]:
    """gnubg, waiting for a connection; its port."""
    port = free_port()
    with subprocess.Popen(
        [binary(), "-t", "-q"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"external {HERE}:{port}\n")
        process.stdin.flush()
        while "Waiting for a connection" not in process.stdout.readline():
            pass
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield port
        process.kill()


def test_gnubg_behind_a_socket_plays_doubles_and_takes_for_either_side(gnubg: int) -> None:
    mind = ExternalMind(HERE, gnubg)
    after = mind.play(START, MatchState(), THREE_ONE, STANDARD)
    assert after.compact() == POINT
    dark = mind.play(START, MatchState(on_roll=Side.DARK, length=7), THREE_ONE, STANDARD)
    assert dark == after.mirrored()
    assert not mind.doubles(START, MatchState())
    assert mind.takes(START, MatchState())
    ahead = Position.from_compact(".A.A...................b..")
    assert mind.doubles(ahead, MatchState(length=7))
    assert not mind.takes(Position.from_compact("A..A...................b.."), MatchState(length=7))
    mind.close()


@pytest.mark.parametrize("said", [b"", b"\n", b"nonsense\n", b"24/12\n", b"\xff\xfe\n"])
def test_what_makes_no_sense_or_is_lost_is_decided_by_rules_of_thumb(said: bytes) -> None:
    with socket.create_server((HERE, 0)) as server:
        thread = threading.Thread(target=_answer_once, args=(server, said), daemon=True)
        thread.start()
        mind = ExternalMind(HERE, server.getsockname()[1])
        after = mind.play(START, MatchState(), THREE_ONE, STANDARD)
        assert is_result(START, Side.LIGHT, THREE_ONE, after)
        mind.close()
        thread.join()


def _answer_once(server: socket.socket, said: bytes) -> None:
    line, _ = server.accept()
    with line:
        line.recv(4096)
        line.sendall(said)


def _serve(server: socket.socket, says: Callable[[socket.socket], None]) -> None:
    line, _ = server.accept()
    with line, suppress(OSError):
        says(line)


@contextmanager
def engine(says: Callable[[socket.socket], None], answer_s: float = ANSWER_S) -> Iterator[ExternalMind]:
    """An engine of which the test says how it speaks."""
    with socket.create_server((HERE, 0)) as server:
        thread = threading.Thread(target=_serve, args=(server, says), daemon=True)
        thread.start()
        mind = ExternalMind(HERE, server.getsockname()[1], answer_s)
        yield mind
        mind.close()
        thread.join()


def test_an_engine_that_says_a_letter_now_and_then_has_no_more_time_than_others() -> None:
    def drip(line: socket.socket) -> None:
        while True:
            line.sendall(b"8")
            time.sleep(0.1)

    with engine(drip, answer_s=0.5) as mind:
        assert is_result(START, Side.LIGHT, THREE_ONE, mind.play(START, MatchState(), THREE_ONE, STANDARD))


def test_what_an_engine_says_without_being_asked_is_no_answer() -> None:
    greeted = threading.Event()

    def greet(line: socket.socket) -> None:
        line.sendall(b"drop\n")
        greeted.set()
        line.recv(4096)
        line.sendall(b"drop\nrubbish\n")
        line.recv(4096)
        line.sendall(b"8/5 6/5\n")

    with engine(greet) as mind:
        # The line is open, and the greeting there, when the first question goes.
        mind._line = _Line(mind.host, mind.port, mind.answer_s, mind.clock)
        greeted.wait(60)
        assert not mind.takes(START, MatchState())
        assert mind.play(START, MatchState(), THREE_ONE, STANDARD).compact() == POINT


@pytest.mark.parametrize("said", [b"dro", b"t", b"take", b"what?\n", b"take" * 2_000 + b"\n"])
def test_an_answer_to_a_double_that_is_cut_or_makes_no_sense_is_no_take(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def say(line: socket.socket) -> None:
        line.recv(4096)
        line.sendall(said)

    monkeypatch.setattr(RuleOfThumb, "takes", lambda *_: False)
    with engine(say) as mind:
        assert not mind.takes(START, MatchState())


def test_an_engine_that_is_not_there_is_not_waited_for() -> None:
    mind, begun = ExternalMind(HERE, free_port()), time.monotonic()
    assert is_result(START, Side.LIGHT, THREE_ONE, mind.play(START, MatchState(), THREE_ONE, STANDARD))
    assert mind.doubles(START, MatchState()) in (True, False)
    assert mind.takes(START, MatchState())
    assert time.monotonic() - begun < 60


def test_a_game_that_engines_do_not_know_is_not_asked_about() -> None:
    rules = load_profile("hypergammon").movement
    position = Position.from_compact("aaa..................AAA..")
    after = ExternalMind(HERE, free_port()).play(position, MatchState(), THREE_ONE, rules)
    assert is_result(position, Side.LIGHT, THREE_ONE, after, rules)
