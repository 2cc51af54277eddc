"""The log: levels, places, and that neither names nor PINs stand in it."""

import io
import logging
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import __version__
from controller.logs.defect import Defect, DefectScene, doing, scene_of
from controller.logs.handlers import DefectHandler
from controller.logs.level import LogLevel
from controller.logs.log import DEFECT_FILE, LOG_FILE, begin_log, is_journald
from controller.logs.privacy import hide, without_private

LOGGER = logging.getLogger("controller.tests")


def log_in(folder: Path) -> str:
    return (folder / LOG_FILE).read_text("utf-8")


def fail(text: str = "thrown") -> None:
    raise KeyError(text)


def test_a_defect_is_logged_with_its_traceback_and_where_the_table_stood(tmp_path: Path) -> None:
    with begin_log(LogLevel.INFO, tmp_path):
        try:
            fail()
        except KeyError:
            LOGGER.exception("It failed.", extra=DefectScene("referee", 12, "ab12", "one").extra)
    text = log_in(tmp_path)
    assert "ERROR controller.tests [MainThread] It failed. (event 12, state ab12, table one)" in text
    assert "in fail" in text
    assert '"event": 12' in (tmp_path / DEFECT_FILE).read_text("utf-8")


def test_the_level_is_that_of_the_command_and_is_changed_while_it_runs(tmp_path: Path) -> None:
    with begin_log(LogLevel.WARNING, tmp_path) as log:
        LOGGER.info("too little")
        os.kill(os.getpid(), signal.SIGUSR1)
        LOGGER.debug("every detail")
        assert log.level is LogLevel.DEBUG
        os.kill(os.getpid(), signal.SIGUSR1)
        LOGGER.info("too little again")
        assert log.level is LogLevel.WARNING
    text = log_in(tmp_path)
    assert "every detail" in text
    assert "too little" not in text


def test_the_level_that_counts_again_is_the_one_wished_for_by_then(tmp_path: Path) -> None:
    with begin_log(LogLevel.INFO, tmp_path, lambda: LogLevel.ERROR) as log:
        log.switch()
        log.switch()
        assert log.level is LogLevel.ERROR


def test_of_two_names_that_begin_alike_nothing_of_the_longer_one_is_left() -> None:
    hide(["Wilhelmina", "Wilhelmina Quennell"])
    assert "Quennell" not in without_private("Wilhelmina Quennell rolled 3-1.")


def test_neither_names_nor_pins_stand_in_the_log(tmp_path: Path) -> None:
    hide(["Wilhelmina Ottoline", "2026-11-24-wilhelmina"])
    with begin_log(LogLevel.INFO, tmp_path):
        LOGGER.info("%s has the PIN 4711", "Wilhelmina Ottoline")
        try:
            fail("Wilhelmina Ottoline")
        except KeyError:
            LOGGER.exception("In matches/2026-11-24-wilhelmina/journal.db, code ABCD-1234.")
    for file in (LOG_FILE, DEFECT_FILE):
        text = (tmp_path / file).read_text("utf-8")
        for word in ("Wilhelmina", "wilhelmina", "Ottoline", "4711", "ABCD"):
            assert word not in text


def test_a_defect_that_comes_again_at_once_is_counted_and_not_told(tmp_path: Path) -> None:
    with begin_log(LogLevel.INFO, tmp_path):
        for _ in range(100):
            try:
                fail()
            except KeyError:
                LOGGER.exception("It failed.")
    assert log_in(tmp_path).count("Traceback") == 1


@pytest.fixture
def journald(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[io.TextIOWrapper]:
    """Standard error as it is under systemd."""
    with (tmp_path / "stderr").open("w+", encoding="utf-8") as stream:
        status = os.fstat(stream.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
        yield stream


def test_under_systemd_every_line_has_its_priority(journald: io.TextIOWrapper, tmp_path: Path) -> None:
    assert is_journald(journald, os.environ)
    with begin_log(LogLevel.DEBUG, tmp_path, stderr=journald):
        LOGGER.debug("a detail")
        LOGGER.warning("careful")
        try:
            fail()
        except KeyError:
            LOGGER.exception("It failed.")
    lines = (tmp_path / "stderr").read_text("utf-8").splitlines()
    assert lines[0].startswith("<7>DEBUG")
    assert lines[1].startswith("<4>WARNING")
    assert all(line.startswith("<3>") for line in lines[2:])
    assert any("in fail" in line for line in lines)
    assert not (tmp_path / LOG_FILE).exists()


def test_a_folder_that_cannot_be_written_to_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with begin_log(LogLevel.INFO, tmp_path / "file" / "below"):
        LOGGER.error("nobody hears it")


def test_a_log_in_which_nothing_stands_makes_no_folder(tmp_path: Path) -> None:
    with begin_log(LogLevel.WARNING, tmp_path / "new"):
        LOGGER.info("too little")
    assert not (tmp_path / "new").exists()


def test_a_program_that_runs_says_so_in_its_first_line(tmp_path: Path) -> None:
    with begin_log(LogLevel.INFO, tmp_path) as log:
        log.begin()
        LOGGER.info("a line")
    first, _ = log_in(tmp_path).splitlines()
    assert first.endswith(f"Pointsman {__version__} begins, process {os.getpid()}.")


def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    with begin_log(LogLevel.INFO, tmp_path / "new"):
        LOGGER.info("a line")
    assert (tmp_path / "new" / LOG_FILE).stat().st_mode & 0o077 == 0


def test_what_ends_a_thread_is_logged(tmp_path: Path) -> None:
    with begin_log(LogLevel.INFO, tmp_path):
        thread = threading.Thread(target=fail, name="worker")
        thread.start()
        thread.join()
    assert "A defect has ended the thread worker." in log_in(tmp_path)


def test_whoever_keeps_defects_is_told_what_was_being_done() -> None:
    heard: list[Defect] = []
    with DefectHandler(heard.append):
        try:
            with doing("pages", {"path": "/"}, "one"):
                fail()
        except KeyError:
            LOGGER.exception("It failed.")
    (defect,) = heard
    assert (defect.during, defect.table, dict(defect.task)) == ("pages", "one", {"path": "/"})
    assert (defect.kind, defect.function) == ("KeyError", "fail")


def test_a_defect_survives_being_written_down() -> None:
    try:
        fail()
    except KeyError as error:
        defect = Defect.from_error(error, DefectScene("referee", 3, "ff", "", {"a": 1}))
    assert Defect.from_record(defect.record()) == defect


def test_a_record_without_a_scene_is_of_its_room() -> None:
    record = logging.LogRecord("controller.web.x", logging.ERROR, "", 1, "said", None, None)
    assert scene_of(record).during == "web.x"


def test_what_is_short_is_not_hidden() -> None:
    hide(["a"])
    assert without_private("a line") == "a line"
