"""The room around a match: what people ask of it from any thread, and one match after the other."""

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.app.room import Room, home_in_picture
from controller.config import Config
from controller.config.sections import BoardSection, CameraSection, ClockKind, ClockSection, MatchSection
from controller.devices import Button
from controller.devices.dice.source import DeviceRoll
from controller.record.evidence.packet import unpack
from controller.record.journal.journal import Journal
from controller.record.journal.seal import KEY_FILE, SigningKey, check_seals
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee import Phase
from controller.referee.actions import GameEnded, PhaseBegun
from controller.referee.events import FrameLost, FrameMoving, FrameSame, FrameSeen, Pressed
from controller.rules import START, Side
from controller.vision import Board
from controller.web.audience import Audience
from controller.web.evidence import packet_of
from controller.web.snapshot import matters_of
from controller.web.table_service import News, Reply, Role, RoomState
from tests.app.test_live import Running, Scene
from tests.referee.staging import Film
from tests.striped import BOARD
from tests.threads import no_thread_left

PATIENCE_S = 120.0


def config_in(folder: Path) -> Config:
    return Config(
        folder=folder,
        match=MatchSection(light="Anna", dark="Béla", length=3),
        board=BoardSection(port="none"),
        clock=ClockSection(kind=ClockKind.SIMPLE),
    )


def ask(room: Room, by: str, command: str = "", **saying: object) -> Reply:
    return room.ask(saying, by, command).result(PATIENCE_S)  # type: ignore[arg-type]


def lay_under_camera(room: Room, board: Board) -> None:
    """The thread that steps the room learns of the board, as it does from set-up."""
    assert room.inbox.ask(lambda: room.know_board(board)).result(PATIENCE_S).done


def words(reply: Reply) -> str:
    assert reply.words is not None
    return reply.words("en")


def begin_game(table: Running) -> None:
    table.until_phase(Phase.OPENING_ROLL)
    assert ask(table.room, "light", what="opening_roll", light=3, dark=1).done
    table.until_phase(Phase.MOVING)


def inputs_of(folder: Path) -> list[dict[str, object]]:
    with Journal(folder / JOURNAL, read_only=True) as journal:
        return [dict(event.payload) for event in journal.events(NAME) if event.kind == "input"]


def test_what_a_person_says_reaches_the_referee_and_the_journal_names_who_said_it(tmp_path: Path) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        begin_game(table)
        reply = ask(table.room, "light", "c-7", what="played", side="light", play="8/5 6/5")
        assert reply.done
        assert reply.event > 0
        table.until_phase(Phase.TO_ROLL)
    said = [each for each in inputs_of(table.table.path) if each["input"] == "said"]
    assert [each["by"] for each in said] == ["light", "light"]
    assert said[-1]["command"] == "c-7"


def test_a_command_that_comes_twice_counts_once_and_has_the_same_reply(tmp_path: Path) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        begin_game(table)
        first = ask(table.room, "dark", "c-1", what="pause")
        again = ask(table.room, "dark", "c-1", what="pause")
        assert first.done
        assert again == first
        table.until_phase(Phase.PAUSED)
    with Running(config_in(tmp_path), Scene()) as resumed:
        assert ask(resumed.room, "dark", "c-1", what="pause").done
        assert resumed.table.state.phase is Phase.PAUSED
    assert sum(each["input"] == "pause" for each in inputs_of(table.table.path)) == 1


def test_of_two_answers_at_one_moment_only_the_first_is_taken(tmp_path: Path) -> None:
    """Two phones enter the opening roll: the one that is late has not thrown a second time."""
    with Running(config_in(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        shared = Audience(Role.PLAYER, None, "en")
        seen = matters_of(table.room.view(), shared)
        both_asked = threading.Event()
        table.room.inbox.ask(lambda: both_asked.wait(PATIENCE_S))
        first, late = (
            table.room.ask(
                {"what": "opening_roll", "light": light, "dark": dark},
                "light",
                name,
                lambda now: matters_of(now, shared) == seen,
            )
            for name, light, dark in (("c-1", 3, 1), ("c-2", 5, 2))
        )
        both_asked.set()
        assert first.result(PATIENCE_S).done
        reply = late.result(PATIENCE_S)
        assert (reply.done, reply.stale) == (False, True)
        table.until_phase(Phase.MOVING)
        assert "and then" not in "".join(table.text)
    assert sum(each["input"] == "said" for each in inputs_of(table.table.path)) == 1


def test_what_is_refused_is_told_to_whoever_asked_and_to_nobody_else(tmp_path: Path) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        before = len(table.text)
        reply = ask(table.room, "light", what="take")
        assert not reply.done
        assert words(reply)
        assert words(reply) not in "".join(table.text[before:])


@pytest.mark.parametrize(
    ("saying", "part"),
    [
        ({"what": "nonsense"}, "nonsense"),
        ({"what": "resign", "side": "light", "amount": 99_999}, "amount"),
        ({"what": "opening_roll", "light": 9, "dark": 1}, '"light" is 9'),
        ({"what": "ruling", "position": "short", "on_roll": "light"}, "short"),
        ({"what": "pressed", "button": "bell"}, "bell"),
        ({"what": "undo_ply", "game": 1, "ply": 44}, "No turn of this game"),
        ({"what": "change_score", "light": -1, "dark": 0}, '"light"'),
        ({}, '"what"'),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_changes_nothing(
    tmp_path: Path, saying: dict[str, object], part: str
) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        reply = ask(table.room, "director", **saying)
        assert not reply.done
        assert part in words(reply)
        assert table.table.state.phase is Phase.OPENING_ROLL


def test_the_director_puts_score_clock_and_a_play_right_while_play_goes_on(tmp_path: Path) -> None:
    scene = Scene()
    with Running(config_in(tmp_path), scene) as table:
        begin_game(table)
        assert ask(table.room, "light", what="played", side="light", play="8/5 6/5").done
        table.until_phase(Phase.TO_ROLL)
        assert ask(table.room, "director", what="change_score", light=1, dark=2, why="misread card").done
        assert ask(table.room, "director", what="set_clock", light_s=100, dark_s=50.5).done
        view = table.room.view()
        assert view.referee is not None
        assert (view.referee.match.score.light, view.referee.match.score.dark) == (1, 2)
        assert view.clock is not None
        assert view.clock.reserve_s[Side.LIGHT] == pytest.approx(100, abs=2)
        assert ask(table.room, "director", what="change_play", ply=0, play="24/23 13/10").done
        assert table.table.state.position != START
        assert table.table.state.phase is Phase.SET_UP
        assert ask(table.room, "director", what="undo_ply").done
        assert table.table.state.position == START
        table.until_phase(Phase.MOVING)


def test_who_follows_a_table_hears_all_that_comes_of_each_event(tmp_path: Path) -> None:
    heard: list[News] = []
    with Running(config_in(tmp_path), Scene()) as table:
        table.room.subscribe(heard.append)
        begin_game(table)
        assert ask(table.room, "light", what="resign", side="light", amount=1).done
        assert ask(table.room, "dark", what="accept", side="dark").done
        table.until_phase(Phase.GAME_OVER)
    actions = [action for news in heard for action in news.actions]
    assert any(isinstance(action, GameEnded) for action in actions)
    assert Phase.MOVING in {action.phase for action in actions if isinstance(action, PhaseBegun)}
    assert RoomState.PLAYING in {news.view.state for news in heard}
    events = [news.view.event for news in heard]
    assert events == sorted(events)


class Staying:
    """A room that waits for matches."""

    def __init__(self, config: Config, scene: Scene, *, known: bool) -> None:
        self.text: list[str] = []
        board = BOARD if known else None
        self.room = Room(config, board, self.text.append, open_camera=scene.open, read=scene.reading)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.room.run, args=(self._stop,), kwargs={"stays": True})

    def __enter__(self) -> Room:
        self._thread.start()
        return self.room

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self.room.inbox.wake()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


def test_one_match_follows_the_other_in_the_same_room(tmp_path: Path) -> None:
    staying = Staying(config_in(tmp_path), Scene(), known=True)
    with staying as room:
        assert room.view().state is RoomState.READY
        for _ in range(2):
            assert ask(room, "director", what="start").done
            assert room.view().state is RoomState.PLAYING
            refused = ask(room, "director", what="start")
            assert "A match is on." in words(refused)
            table = room.match.table
            assert table is not None
            while table.state.phase is not Phase.OPENING_ROLL:
                pass
            assert ask(room, "director", what="forfeit", loser="dark").done
            assert room.view().state is RoomState.OVER
    journals = list((tmp_path / "matches").glob("*/journal.db"))
    assert len(journals) == 2
    key = SigningKey.read(tmp_path / "matches" / KEY_FILE)
    for path in journals:
        with Journal(path, read_only=True) as journal:
            report = check_seals(journal.events(), key.public)
            assert any("lie" in event.payload for event in journal.events() if event.kind == "table")
        assert not report.faults
        assert report.sealed
        for check in report.checks:
            assert check.seal is not None
            assert check.seal.statement.code in "".join(staying.text)


def test_a_match_has_its_own_time_from_its_first_event_on_however_long_the_room_was_open(
    tmp_path: Path,
) -> None:
    """Its plays and its clock would else stand still for as long as the match before it took."""
    late = 5_000.0
    reading = Film(Random(1)).read(START)

    def begin(room: Room) -> Reply:
        room.inbox.put(FrameSeen(late, 1, reading))
        room.inbox.put(FrameSame(late, 2))
        room.inbox.put(Pressed(late, Button.PAUSE))
        return room.begin_match()

    with Staying(config_in(tmp_path), Scene(), known=True) as room:
        assert room.inbox.ask(lambda: begin(room)).result(PATIENCE_S).done
        table = room.match.table
        assert table is not None
        until(lambda: any(each["input"] == "pressed" for each in inputs_of(table.path)))
        assert table.state.t < PATIENCE_S
    assert max(float(str(each["t"])) for each in inputs_of(table.path)) < late


def test_what_comes_after_a_match_is_sealed_once_nothing_more_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People put the checkers away, and the director corrects the score; a packet then has no loose end."""
    monkeypatch.setattr("controller.app.live.QUIET_S", 0.2)
    with Staying(config_in(tmp_path), Scene(), known=True) as room:
        assert ask(room, "director", what="start").done
        table = room.match.table
        assert table is not None
        until(lambda: table.state.phase is Phase.OPENING_ROLL)
        assert ask(room, "director", what="forfeit", loser="dark").done
        assert ask(room, "director", what="change_score", game=1, light=1, dark=0).done
        key = SigningKey.read(tmp_path / "matches" / KEY_FILE).public

        def sealed() -> bool:
            with Journal(table.path / "journal.db", read_only=True) as journal:
                events = tuple(journal.events())
            report = check_seals(events, key)
            return report.open == 0 and any(e.kind == "correction" and e.id <= report.sealed for e in events)

        until(sealed)
        assert unpack(packet_of(table.path, "en"), "").signed_by == key


def test_a_match_that_is_stopped_is_sealed_as_far_as_it_was_played(tmp_path: Path) -> None:
    with Staying(config_in(tmp_path), Scene(), known=True) as room:
        assert ask(room, "director", what="start").done
        table = room.match.table
        assert table is not None
        until(lambda: table.state.phase is Phase.OPENING_ROLL)
        assert ask(room, "light", what="pause").done
    with Journal(table.path / "journal.db", read_only=True) as journal:
        report = check_seals(journal.events())
    assert (report.faults, report.open) == ((), 0)
    assert report.sealed


def until(come_true: Callable[[], bool]) -> None:
    """Wait for what another thread brings about."""
    end = time.monotonic() + PATIENCE_S
    while not come_true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_without_a_board_no_match_begins_and_it_is_said_what_to_do(tmp_path: Path) -> None:
    with Staying(config_in(tmp_path), Scene(), known=False) as room:
        assert room.view().state in (RoomState.NO_CAMERA, RoomState.NO_BOARD)
        assert "Set it up under the camera" in words(ask(room, "director", what="start"))
        lay_under_camera(room, BOARD)
        assert room.view().state is RoomState.READY
        assert ask(room, "director", what="start").done


def test_the_camera_is_run_as_the_match_needs_it_as_soon_as_the_board_is_known(tmp_path: Path) -> None:
    """While somebody aims it focus and exposure follow; then they are locked where the calibration had them."""
    scene = Scene()
    with Staying(config_in(tmp_path), scene, known=False) as room:
        board = replace(BOARD, lens_position=1.25)
        lay_under_camera(room, board)
        lay_under_camera(room, board)
        while room.glimpse() is None:
            pass
    aiming, playing = scene.wishes
    assert not aiming.lock
    assert playing.lock
    assert playing.lens_position == 1.25
    assert playing.size == (board.camera.width, board.camera.height)


@pytest.mark.parametrize("section", [CameraSection(source="another"), BoardSection(port="another")])
def test_in_the_middle_of_a_match_camera_and_board_stay_what_they_are(
    tmp_path: Path, section: CameraSection | BoardSection
) -> None:
    scene = Scene()
    with Running(config_in(tmp_path), scene) as table:
        begin_game(table)
        before, looks = table.room.config, len(scene.wishes)
        reply = table.room.inbox.ask(lambda: table.room.use(section)).result(PATIENCE_S)
        assert not reply.done
        assert words(reply)
        assert table.room.config == before
        assert len(scene.wishes) == looks
        assert ask(table.room, "light", what="played", side="light", play="8/5 6/5").done


@pytest.mark.parametrize("source", ["film.mp4", "http://table/1"])
def test_while_the_board_is_not_known_films_and_streams_may_have_any_size(
    tmp_path: Path, source: str
) -> None:
    scene = Scene()
    config = config_in(tmp_path)
    config = replace(config, camera=replace(config.camera, source=source))
    with Staying(config, scene, known=False) as room:
        lay_under_camera(room, BOARD)
    assert scene.wishes[0].size is None
    assert len(scene.wishes) == (1 if source == "film.mp4" else 2)


def test_nobody_is_left_waiting_when_a_room_closes(tmp_path: Path) -> None:
    with no_thread_left("pointsman"), Staying(config_in(tmp_path), Scene(), known=True) as room:
        pass
    with pytest.raises(Exception, match="closing"):
        ask(room, "light", what="pause")


def test_a_match_whose_players_were_named_on_the_page_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Nobody is in the configuration; the record knows who plays."""
    unnamed = replace(config_in(tmp_path), match=MatchSection(length=3))
    named = replace(unnamed, match=MatchSection(light="Cili", dark="Dani", length=1))
    with Running(named, Scene()) as table:
        begin_game(table)
        folder = table.table.path
    scene = Scene()
    room = Room(unnamed, BOARD, lambda _: None, open_camera=scene.open, read=scene.reading)
    try:
        assert room.resume_match()
        assert room.match.table is not None
        assert room.match.table.path == folder
        assert room.screen.names == {Side.LIGHT: "Cili", Side.DARK: "Dani"}
    finally:
        room.close()


def test_a_match_of_others_than_the_configuration_names_is_left_alone(tmp_path: Path) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        begin_game(table)
    scene = Scene()
    others = replace(config_in(tmp_path), match=MatchSection(light="Cili", dark="Dani"))
    room = Room(others, BOARD, lambda _: None, open_camera=scene.open, read=scene.reading)
    try:
        assert not room.resume_match()
    finally:
        room.close()


@pytest.mark.parametrize(
    ("turned", "home"),
    [((1, 1), "bottom-right"), ((-1, 1), "bottom-left"), ((1, -1), "top-right"), ((-1, -1), "top-left")],
)
def test_the_board_is_shown_as_the_camera_sees_it(
    turned: tuple[int, int], home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    across, down = turned

    def segments(_: object) -> list[tuple[int, int, int, int]]:
        places = []
        for point in range(1, 25):
            column = 13 - point if point <= 12 else point - 12
            x, y = 500 + across * 70 * (column - 6), 500 + down * (400 if point <= 12 else -400)
            places.append((x, y, x, y - down * 50))
        return places

    monkeypatch.setattr("controller.app.room.point_segments", segments)
    assert home_in_picture(BOARD) == home


def test_a_board_that_lies_reversed_is_shown_so_before_a_match_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lessons are set up on it while no match is on."""
    monkeypatch.setattr("controller.app.room.home_in_picture", lambda board: "top-left" if board else "none")
    room = Room(config_in(tmp_path), BOARD, lambda _: None, open_camera=Scene().open)
    try:
        assert room.view().match is None
        assert room.view().light_home == "top-left"
    finally:
        room.close()


def test_a_board_that_nobody_knows_is_shown_as_in_books() -> None:
    assert home_in_picture(None) == "bottom-right"


class OneRoll:
    """Dice that are thrown once, now."""

    def __init__(self) -> None:
        self.left = [DeviceRoll((3, 1), time.monotonic(), "text")]

    def poll(self, _: float) -> list[DeviceRoll]:
        thrown, self.left = self.left, []
        return thrown

    def expect(self, *, opening: bool, side: str = "") -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("read", [False, True])
def test_a_roll_counts_after_the_pictures_that_were_taken_before_it(tmp_path: Path, read: bool) -> None:
    """The last of them waits in line, or is still being read."""
    scene = Scene()
    room = Room(config_in(tmp_path), BOARD, lambda _: None, open_camera=scene.open, read=scene.reading)
    table = room.open_match()
    table.begin()
    room.inbox.put(FrameMoving(0.0, 1))
    moving = room.inbox.get(0.0)
    if not read:
        room.inbox.put(FrameLost(0.0, 2, "2", ""))
    room.electronics.dice = OneRoll()
    with room.inbox.looking() if read else nullcontext():
        room.turn(moving)
        if read:
            room.inbox.put(FrameLost(0.0, 2, "2", ""))
    while (item := room.inbox.get(0.0)) is not None:
        room.turn(item)
    told = [each["input"] for each in inputs_of(table.path)]
    room.close()
    assert [each for each in told if each in ("frame_moving", "frame_lost", "rolled")] == [
        "frame_moving",
        "frame_lost",
        "rolled",
    ]
