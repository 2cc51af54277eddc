"""What learners have learned: when a lesson comes again, what is asked next, and the file it is kept in."""

import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller.analysis.lessons.lesson import all_lessons
from controller.analysis.lessons.progress import (
    CourseProgress,
    ProgressError,
    ProgressFile,
    class_rows,
    learner_name,
    lesson_state,
    next_lesson,
    usual_progress,
)

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
FIRST, SECOND = all_lessons()[:2]


def answered(*answers: bool, hinted: bool = False) -> CourseProgress:
    """Anna's first lesson, answered rightly or wrongly on days one after another."""
    progress = CourseProgress()
    for day, right in enumerate(answers):
        progress = progress.answered("Anna", FIRST, right=right, hinted=hinted, now=NOW + timedelta(days=day))
    return progress


def test_a_lesson_answered_rightly_again_and_again_comes_less_and_less_often() -> None:
    once, more = (answered(*[True] * times).of("Anna")[FIRST.name] for times in (2, 3))
    assert once.due - (NOW + timedelta(days=1)) < more.due - (NOW + timedelta(days=2))
    assert (more.tries, more.right) == (3, 3)


def test_a_lesson_answered_with_the_hint_comes_sooner() -> None:
    alone, hinted = (answered(True, True, hinted=hint).of("Anna")[FIRST.name] for hint in (False, True))
    assert hinted.due < alone.due


def test_what_is_due_is_asked_before_new_lessons_and_the_longest_due_first() -> None:
    learned = answered(False).of("Anna")
    assert lesson_state(learned, FIRST.name, NOW) == "wrong"
    assert next_lesson(learned, NOW) == SECOND
    later = NOW + timedelta(days=1)
    assert next_lesson(learned, later) == FIRST
    assert next_lesson({}, NOW) == FIRST


def test_every_lesson_comes_once_before_one_comes_again() -> None:
    progress, learned = CourseProgress(), {}
    while (lesson := next_lesson(learned, NOW)) is not None:
        progress = progress.answered("Anna", lesson, right=True, hinted=False, now=NOW)
        learned = progress.of("Anna")
    assert len(learned) == len(all_lessons())


@pytest.mark.parametrize("again", ["anna", "ANNA", " Anna "])
def test_a_name_in_other_capital_letters_is_the_same_learner(tmp_path: Path, again: str) -> None:
    file = ProgressFile(tmp_path / "course.json")
    file.keep_answer("Anna", FIRST, right=True, hinted=False, now=NOW)
    learned = file.keep_answer(again, FIRST, right=False, hinted=False, now=NOW)
    assert (learned.tries, learned.right) == (2, 1)
    assert [*file.load().learners] == ["Anna"]
    assert file.load().of(learner_name(again)) == file.load().of("Anna")


def test_a_letter_with_an_accent_is_the_same_however_a_keyboard_makes_it() -> None:
    progress = CourseProgress().answered("B\u00e9la", FIRST, right=True, hinted=False, now=NOW)
    assert progress.of("be\u0301la") == progress.of("B\u00e9la") != {}


def test_a_teacher_sees_the_class_at_one_glance() -> None:
    progress = answered(True, False).answered("Béla", SECOND, right=True, hinted=False, now=NOW)
    anna, bela = class_rows(progress, NOW + timedelta(days=2))
    assert (anna.name, anna.known, anna.wrong, anna.tries, anna.right) == ("Anna", 0, (FIRST.name,), 2, 1)
    assert (bela.name, bela.known, bela.due) == ("Béla", 1, 1)


def test_what_was_learned_is_kept_and_read_again(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "new" / "course.json")
    assert file.load() == CourseProgress()
    file.save(answered(True))
    assert file.load() == answered(True)
    assert usual_progress().name == "course.json"


def test_two_answers_at_one_moment_are_both_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both, load = threading.Barrier(2), ProgressFile.load

    def slow(self: ProgressFile) -> CourseProgress:
        found = load(self)
        with suppress(threading.BrokenBarrierError):  # whoever is alone with the file waits in vain
            both.wait(0.3)
        return found

    monkeypatch.setattr(ProgressFile, "load", slow)
    answers = [
        threading.Thread(
            target=ProgressFile(tmp_path / "course.json").keep_answer,
            args=(name, FIRST),
            kwargs={"right": True, "hinted": False, "now": NOW},
        )
        for name in ("Anna", "Béla")
    ]
    for each in answers:
        each.start()
    for each in answers:
        each.join()
    assert {*load(ProgressFile(tmp_path / "course.json")).learners} == {"Anna", "Béla"}


def test_what_a_newer_version_wrote_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "course.json"
    path.write_text('{"version": 2, "learners": {}}')
    with pytest.raises(ProgressError, match="written by a newer Pointsman"):
        ProgressFile(path).keep_answer("Anna", FIRST, right=True, hinted=False, now=NOW)
    assert path.read_text() == '{"version": 2, "learners": {}}'


def test_a_card_that_the_scheduler_cannot_read_is_one_sentence(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "course.json")
    file.save(answered(True))
    file.path.write_text(file.path.read_text().replace('"state": ', '"state": 9'))
    with pytest.raises(ProgressError, match="name another file"):
        file.load()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "[" * 100_000, '{"learners": {"Anna": {"way": {}}}}', '{"learners": 3}', "\x00", "\xff"],
)
def test_a_file_that_holds_no_course_is_one_sentence_in_words_for_people(tmp_path: Path, text: str) -> None:
    path = tmp_path / "course.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ProgressError, match=r"name another file, or a new one") as told:
        ProgressFile(path).load()
    assert not any(word in str(told.value) for word in ("codec", "line 1", "'", "NoneType", "object"))


def test_a_place_that_is_no_file_is_told_with_what_the_system_says(tmp_path: Path) -> None:
    with pytest.raises(ProgressError, match=r"cannot be read .*; name another file"):
        ProgressFile(tmp_path).load()


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProgressError, match="cannot be written"):
        ProgressFile(tmp_path / "file" / "course.json").save(CourseProgress())


@pytest.mark.parametrize("name", ["", "  ", "a" * 41, "a\x00b"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ProgressError, match="1 to 40"):
        learner_name(name)


def test_a_name_has_forty_characters_at_most() -> None:
    assert learner_name("a" * 40) == "a" * 40


def test_spaces_around_a_name_do_not_make_another_learner() -> None:
    assert learner_name("  Anna   Kiss ") == "Anna Kiss"
