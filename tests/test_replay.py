"""Filmed games from the pictures' files to the match files; what the pictures show is scripted."""

import json
from collections.abc import Iterator
from dataclasses import replace as replaced
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, cast

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.cli import main
from controller.config import Config
from controller.devices.film import ReportedRoll, open_film
from controller.errors import UserError
from controller.record.evidence.store import EvidenceStore
from controller.record.files.ogxmfile import read_ogxm
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.referee.actions import TurnJudged
from controller.referee.events import FrameSeen, RollReported
from controller.referee.table.settings import DiceFrom, Settings
from controller.replay import replay
from controller.rules.position import START, Position
from controller.rules.profile.conduct import DeviceRole
from controller.vision.board.board import Board
from controller.vision.reading import Reading
from tests.record.replaying import replay_inputs
from tests.referee.staging import Film
from tests.striped import BOARD, number_in, picture_of

AFTER_31 = Position.from_compact("b...BD.B...eE...c.e....B..")
LOVER = Position.from_compact("a...BD.B...fE...c.e....B..")
LIVE = Config().settings()
WRONG_31 = Position.from_compact("b....E.C...eE...c.e.AA....")
FILES = ["events.jsonl", "journal.db", "journal.evidence.db", "journal.head", "match.mat", "match.ogxm"]


def whole(picture: Picture, _: Board) -> Picture:
    return picture


class Filmed:
    """A film on disk: every picture carries in its stripes the number of the reading it stands for."""

    def __init__(self, film: Film, folder: Path) -> None:
        self.folder = folder
        self.readings: list[Reading] = []
        self.rolls = tuple(ReportedRoll(e.t, e.dice) for e in film.events if isinstance(e, RollReported))
        folder.mkdir()
        lines = []
        for event in film.events:
            if isinstance(event, FrameSeen):
                name = f"{event.frame:05d}.png"
                assert cv2.imwrite(str(folder / name), picture_of(len(self.readings)))
                lines.append(json.dumps({"file": name, "t": event.t}))
                self.readings.append(replaced(event.reading, dice=()))
        (folder / "times.jsonl").write_text("\n".join(lines))

    def read(self, picture: Picture, _: Board) -> Reading:
        """What the reader says of a picture."""
        return self.readings[number_in(picture)]

    def replay(self, out: Path, live: Settings | None = None, start: Position | None = None) -> Iterator[str]:
        """The transcript of the film."""
        ticks = count()
        clock = lambda: f"2026-01-01T00:00:{next(ticks):02d}Z"  # noqa: E731
        film = open_film(self.folder)
        return replay(film, self.rolls, BOARD, out, clock, start, read=self.read, crop=whole, live=live)


@pytest.fixture
def filmed(tmp_path: Path) -> Filmed:
    film = Film(Random(2))
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(WRONG_31, 3)
    film.hand(WRONG_31)
    film.rest(AFTER_31)
    film.roll((6, 5))
    film.rest(AFTER_31)
    film.rest(LOVER)
    return Filmed(film, tmp_path / "frames")


def lines_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()]


def turns_of(out: Path) -> list[dict[str, Any]]:
    """The lines that are turns."""
    return [line for line in lines_of(out) if "kind" not in line]


def test_the_transcript_tells_every_play_and_what_was_wrong_with_it(filmed: Filmed, tmp_path: Path) -> None:
    transcript = list(filmed.replay(tmp_path / "out"))
    assert len(transcript) == 3
    assert transcript[0].split()[:3] == ["0", "Light", "3-1"]
    assert "24/22 24/21  ILLEGAL, corrected: " in transcript[0]
    assert "A legal play is " in transcript[0]
    assert transcript[1].endswith("Light  3-1  8/5 6/5")
    assert transcript[2].endswith("Dark   6-5  24/13")


def test_every_turn_is_a_line_of_events(filmed: Filmed, tmp_path: Path) -> None:
    list(filmed.replay(tmp_path / "out"))
    wrong, right, answer = turns_of(tmp_path / "out")
    assert (wrong["ply"], wrong["legal"], wrong["player"]) == (0, False, "light")
    assert {reason["code"] for reason in wrong["reasons"]} & {"wrong_distance", "unused_die"}
    assert "stands" not in wrong
    assert (right["ply"], right["legal"], right["move"]) == (0, True, "8/5 6/5")
    assert right["position"] == AFTER_31.compact()
    assert right["t"] == pytest.approx(filmed.rolls[1].t, abs=0.001)
    assert (answer["ply"], answer["dice"], answer["reasons"]) == (1, [6, 5], [])


def test_the_match_file_and_the_journal_lie_beside_it(filmed: Filmed, tmp_path: Path) -> None:
    out = tmp_path / "out"
    list(filmed.replay(out))
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert "31: 8/5 6/5" in (out / "match.mat").read_text()
    with_times = read_ogxm((out / "match.ogxm").read_bytes(), "match.ogxm")
    assert [turn.t for turn in with_times.games[0].turns] == sorted(
        turn.t or 0 for turn in with_times.games[0].turns
    )
    with Journal(out / "journal.db", read_only=True) as journal:
        assert read_match(journal, "1") == with_times
    with Journal(out / "journal.db", read_only=True) as journal:
        journal.verify()
        assert [event.kind for event in journal.events()].count("turn") == 3


def test_the_pictures_before_and_after_each_turn_are_kept_and_vouched_for(
    filmed: Filmed, tmp_path: Path
) -> None:
    list(filmed.replay(tmp_path / "out"))
    with (
        Journal(tmp_path / "out" / "journal.db", read_only=True) as journal,
        EvidenceStore(tmp_path / "out" / "journal.evidence.db", read_only=True) as store,
    ):
        told = {event.id: event for event in journal.events()}
        vouched: list[Any] = [event.payload for event in told.values() if event.kind == "evidence"]
        turns: list[Any] = [told[each["of"]].payload for each in vouched]
        assert [turn["legal"] for turn in turns] == [False, True, True]
        for turn, each in zip(turns, vouched, strict=True):
            first, *between, last = each["pictures"]
            assert (first["role"], last["role"], last["frame"]) == ("before", "after", turn["frame"])
            assert seen_surely(first) <= told_points(turn["before"])
            assert seen_surely(last) <= told_points(turn["position"])
            assert [picture["role"] for picture in between] == ["between"] * len(between)
            assert turn["legal"] == (not between)
            for picture in each["pictures"]:
                jpeg = store.picture(picture["sha256"])
                assert jpeg is not None
                kept = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
                assert kept is not None
                number = number_in(np.asarray(kept, np.uint8))
                assert list(filmed.readings[number].points) == picture["seen"]["points"]


def seen_surely(picture: Any) -> set[tuple[int, int]]:
    """What was read of the points without a pile; the staged reader is in doubt about those."""
    read = enumerate(picture["seen"]["points"], start=1)
    return {(point, count) for point, count in read if abs(count) < 5}


def told_points(compact: str) -> set[tuple[int, int]]:
    return {*enumerate(Position.from_compact(compact).points, start=1)}


def test_a_picture_that_cannot_be_decoded_is_reported_and_the_game_goes_on(
    filmed: Filmed, tmp_path: Path
) -> None:
    broken = sorted(filmed.folder.glob("*.png"))[5]
    broken.write_bytes(broken.read_bytes()[:60])
    transcript = list(filmed.replay(tmp_path / "out"))
    assert sum(broken.name in line for line in transcript) == 1
    kinds = [line.get("kind", "turn") for line in lines_of(tmp_path / "out")]
    assert sorted(kinds) == ["frame_lost", "game_begun", "opening_roll", "turn", "turn", "turn"]


def test_a_film_of_which_no_picture_can_be_decoded_leaves_nothing(filmed: Filmed, tmp_path: Path) -> None:
    for path in filmed.folder.glob("*.png"):
        path.write_bytes(b"no picture")
    with pytest.raises(UserError, match="None of the pictures can be used"):
        list(filmed.replay(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_film_that_is_not_followed_to_its_end_leaves_nothing(filmed: Filmed, tmp_path: Path) -> None:
    transcript = cast(Any, filmed.replay(tmp_path / "out"))
    assert next(transcript)
    transcript.close()
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_another_match_is_left_as_it_is(filmed: Filmed, tmp_path: Path) -> None:
    out = tmp_path / "out"
    list(filmed.replay(out))
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(UserError, match=r"holds another match \(journal.db\); name a new folder"):
        list(filmed.replay(out))
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_what_else_lies_in_the_folder_is_kept_if_the_run_fails(filmed: Filmed, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    for path in filmed.folder.glob("*.png"):
        path.write_bytes(b"no picture")
    with pytest.raises(UserError):
        list(filmed.replay(out))
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


def test_live_the_table_is_run_as_configured_and_says_what_it_would_have_said(
    filmed: Filmed, tmp_path: Path
) -> None:
    recorded, live = list(filmed.replay(tmp_path / "out")), list(filmed.replay(tmp_path / "live", LIVE))
    assert any("Light starts with 3-1" in line for line in live)
    assert not any("Light starts with 3-1" in line for line in recorded)
    agreed = []
    for out in ("out", "live"):
        with Journal(tmp_path / out / "journal.db", read_only=True) as journal:
            agreed.append(read_match(journal, "1").terms)
    assert agreed[1] == LIVE.terms
    assert agreed[0].length is None
    assert agreed[0].profiles[0].conduct.device_role is DeviceRole.SILENT_RECORDER
    told = turns_of(tmp_path / "live")
    assert [(line["ply"], line["legal"], line["move"]) for line in told[:2]] == [
        (0, False, "24/22 24/21"),
        (0, True, "8/5 6/5"),
    ]


def test_live_the_dice_are_those_of_the_film_whatever_the_table_has(filmed: Filmed, tmp_path: Path) -> None:
    list(filmed.replay(tmp_path / "out", replaced(LIVE, dice=DiceFrom.CAMERA)))
    with Journal(tmp_path / "out" / "journal.db", read_only=True) as journal:
        (told,) = [event.payload for event in journal.events() if event.kind == "table"]
    assert told["dice"] == "electronic"


def test_a_film_may_begin_in_the_middle_of_a_game(tmp_path: Path) -> None:
    film = Film(Random(2))
    film.rest(AFTER_31)
    film.roll((5, 6))
    film.rest(AFTER_31)
    film.rest(LOVER)
    film.roll((4, 2))
    film.rest(LOVER)
    out = tmp_path / "out"
    list(Filmed(film, tmp_path / "frames").replay(out, start=AFTER_31))
    (turn,) = turns_of(out)[:1]
    assert (turn["move"], turn["player"], turn["position"]) == ("24/13", "dark", LOVER.compact())
    with Journal(out / "journal.db", read_only=True) as journal:
        assert read_match(journal, "1").games[0].start == AFTER_31
        again = [action for _, actions in replay_inputs(journal, "1") for action in actions]
    judged = [action.after for action in again if isinstance(action, TurnJudged)]
    assert [position.compact() for position in judged] == [line["position"] for line in turns_of(out)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--dice", "{tmp}/dice.jsonl"], "dice.jsonl, line 1: a die shows 7"),
        (["--frames", "{tmp}/empty"], "empty holds no pictures"),
        (["--frames", "{tmp}/nothing"], "nothing: there is no such folder or video"),
        (["--board", "{tmp}/none.toml"], "none.toml: there is no such board file"),
        (["--board", "{tmp}/old.toml"], "old.toml"),
        (["--position", "b....E"], "b....E"),
    ],
    ids=["a seven", "no pictures", "no film", "no board", "other version", "no position"],
)
def test_bad_input_is_one_sentence_and_exit_2_and_leaves_nothing(
    filmed: Filmed,
    tmp_path: Path,
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "dice.jsonl").write_text('{"t": 1, "dice": [7, 1]}')
    (tmp_path / "old.toml").write_text("format = 999\n")
    given = {
        "--board": str(tmp_path / "old.toml"),
        "--frames": str(filmed.folder),
        "--out": str(tmp_path / "out"),
    }
    given.update(zip(arguments[::2], (a.format(tmp=tmp_path) for a in arguments[1::2]), strict=True))
    call = ["pointsman", "replay", *(part for pair in given.items() for part in pair)]
    monkeypatch.setattr("sys.argv", call)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_film_without_dice_says_what_is_missing(filmed: Filmed, tmp_path: Path) -> None:
    film = open_film(filmed.folder)
    transcript = list(replay(film, None, BOARD, tmp_path / "out", lambda: "", read=filmed.read, crop=whole))
    assert transcript[-1].strip() == "no roll was seen in the pictures: give those of a dice set with --dice"
