"""The lessons: every one can be solved, every wrong answer gets words, and the right ones are those of the engine."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

import pytest

from controller.analysis.advice import advise
from controller.analysis.kept import KeptGnubg
from controller.analysis.lessons.lesson import (
    LEARNER,
    CourseLesson,
    CoursePart,
    LessonNameError,
    LessonQuestion,
    all_lessons,
    lesson_named,
)
from controller.analysis.lessons.lesson_words import lesson_idea, lesson_text, lesson_title, task_text
from controller.analysis.lessons.marking import (
    ACCEPTS,
    answers_to,
    best_play,
    is_accepted,
    mark_answer,
    mark_play,
    mark_word,
)
from controller.analysis.why.facts import ROLLS
from controller.messages.catalogue import LANGUAGES, PLURALS
from controller.rules import Position, Side, results, xgid
from controller.rules.profile.catalogue import load_profile
from tests.analysis.engines import ENGINES
from tests.prose import NEXT
from tests.rows import each_row

COUNTED = 40
PLAYS = [lesson for lesson in all_lessons() if lesson.asked is LessonQuestion.PLAY]
WORDS = [lesson for lesson in all_lessons() if lesson.asked is not LessonQuestion.PLAY]
FAMILY = {
    "acey-deucey", "fevga", "gul-bara", "hypergammon", "jacquet", "longgammon",
    "moultezim", "nackgammon", "narde", "plakoto", "portes", "tavla",
}  # fmt: skip
CLOSE = 0.02
"""Points of equity by which two builds of gnubg may differ about one play at 2 plies."""


def wrong_plays(lesson: CourseLesson) -> Iterator[Position]:
    """The legal plays of a lesson that are not right."""
    ends, _ = results(lesson.position, LEARNER, lesson.roll, lesson.profile.movement)
    return (after for after in map(Position, ends) if not is_accepted(lesson, after))


def name_of(lesson: CourseLesson) -> str:
    return lesson.name


def test_the_course_has_forty_lessons_in_five_parts_and_a_first_one_of_each_other_game() -> None:
    parts = Counter(lesson.part for lesson in all_lessons())
    assert set(parts) == set(CoursePart)
    assert sum(parts.values()) - parts[CoursePart.FAMILY] == COUNTED
    assert {lesson.rules for lesson in all_lessons() if lesson.part is CoursePart.FAMILY} == FAMILY
    assert len({lesson.name for lesson in all_lessons()}) == len(all_lessons())


def test_all_fifteen_first_rolls_are_taught() -> None:
    rolls = {lesson.roll.dice for lesson in all_lessons() if lesson.part is CoursePart.OPENINGS}
    assert rolls == {(high, low) for high in range(1, 7) for low in range(1, high)}


@each_row("lesson", all_lessons(), ids=name_of)
def test_the_checkers_of_a_lesson_are_those_of_its_game(lesson: CourseLesson) -> None:
    game = load_profile(lesson.rules).movement
    for side in Side:
        assert 0 <= lesson.position.off(side, game.checkers) < game.checkers


@each_row("lesson", PLAYS, ids=name_of)
def test_the_best_play_of_a_lesson_is_right_and_every_wrong_one_is_answered_with_words(
    lesson: CourseLesson,
) -> None:
    found = mark_play(lesson, best_play(lesson), "en")
    assert (found.right, found.legal) == (True, True)
    why = lesson_text(lesson.name, "why", "en")
    for after in wrong_plays(lesson):
        mark = mark_play(lesson, after, "en")
        assert (mark.right, mark.legal) == (False, True)
        assert mark.sentences[0] == "Not the best."
        assert "etter was" in mark.sentences[1] or "It is close" in mark.sentences[1]
        assert mark.sentences[-1] == why


@each_row("lesson", PLAYS, ids=name_of)
def test_an_illegal_play_is_explained_and_asked_again(lesson: CourseLesson) -> None:
    mark = mark_play(lesson, lesson.position, "en")
    assert not mark.legal
    assert len(mark.sentences) > 1
    assert mark.sentences[-1] == task_text(lesson, "en")


@pytest.mark.parametrize(
    ("name", "said", "words"),
    [
        ("blocked", "24/18 8/4", "The 18-point is closed"),
        ("enter", "bar/19 6/5", "The 19-point is closed"),
        ("opening_31", "8/4 6/5", "which the roll 3-1 does not allow"),
        ("last_take", "perhaps", "take or pass"),
    ],
)
def test_a_play_that_no_rule_allows_is_told_which_rule(name: str, said: str, words: str) -> None:
    mark = mark_answer(lesson_named(name), said, "en")
    assert not mark.legal
    assert words in mark.sentences[0]


@pytest.mark.parametrize("said", ["24/13", "24/18/13", "24/18 18/13", "24-18-13"])
def test_a_play_may_be_written_in_several_ways(said: str) -> None:
    assert mark_answer(lesson_named("opening_65"), said, "en").right


@each_row("lesson", WORDS, ids=name_of)
def test_a_word_or_a_number_is_right_or_answered_with_words(lesson: CourseLesson) -> None:
    assert mark_word(lesson, f" {lesson.answer.upper()} ", "en").right
    others = set(answers_to(lesson)) - {lesson.answer} or {str(int(lesson.answer) + 1)}
    for other in others:
        mark = mark_word(lesson, other, "en")
        assert (mark.right, mark.legal) == (False, True)
        assert len(mark.sentences) == 3
    assert not mark_word(lesson, "perhaps", "en").legal


@each_row("lesson", PLAYS, ids=name_of)
def test_something_can_be_got_wrong_wherever_a_lesson_does_not_take_any_legal_play(
    lesson: CourseLesson,
) -> None:
    assert lesson.accepted.split()[0] in ACCEPTS
    assert (lesson.accepted != "legal") == any(True for _ in wrong_plays(lesson))


@pytest.mark.parametrize("language", PLURALS)
def test_the_words_of_every_language_are_complete(language: str) -> None:
    english, own = (
        tomllib.loads(
            files("controller.analysis.lessons").joinpath("words", f"{name}.toml").read_text("utf-8")
        )
        for name in ("en", language)
    )
    assert {table: set(entries) for table, entries in own.items()} == {
        table: set(entries) for table, entries in english.items()
    }
    for lesson in all_lessons():
        texts = [lesson_title(lesson, language), lesson_idea(lesson, language), task_text(lesson, language)]
        texts += [lesson_text(lesson.name, entry, language) for entry in ("hint", "why")]
        for sentence in (each for text in texts for each in NEXT.split(text)):
            assert 0 < len(sentence.split()) <= 35, sentence


def test_a_language_of_a_plug_in_would_read_the_course_in_english() -> None:
    assert set(LANGUAGES) >= set(PLURALS)
    with pytest.raises(LessonNameError, match="--list"):
        lesson_named("no such lesson")


@pytest.fixture(scope="module")
def gnubg() -> KeptGnubg:
    if "gnubg" not in ENGINES:
        pytest.fail("The tests need gnubg: make setup installs it.")
    return KeptGnubg()


def test_gnubg_agrees_with_the_right_plays_of_all_lessons(gnubg: KeptGnubg) -> None:
    for lesson in PLAYS:
        if lesson.accepted == "legal" or lesson.part is CoursePart.FAMILY:
            continue
        said = advise(lesson.position, lesson.state, "gnubg", 2, gnubg)
        assert is_accepted(lesson, said.best.after), lesson.name
        for after, loss in lesson.plays:
            assert said.loss(after) == pytest.approx(loss, abs=CLOSE), lesson.name
    gnubg.close()


def test_gnubg_agrees_with_the_right_answers_about_the_cube(gnubg: KeptGnubg) -> None:
    for lesson in WORDS:
        if lesson.asked is LessonQuestion.PIPS:
            assert int(lesson.answer) == lesson.position.pips(LEARNER)
            continue
        said = gnubg.cube(xgid(lesson.position, lesson.state), 2)
        found = (said.no_double, said.taken, said.passed)
        assert found == pytest.approx(lesson.equities, abs=CLOSE), lesson.name
        if lesson.asked is LessonQuestion.TAKE:
            assert lesson.answer == ("take" if said.takes else "pass")
        else:
            # After the Crawford game gnubg holds both for equal: the double only must not be late.
            doubles = min(said.taken, said.passed) >= said.no_double - CLOSE
            assert lesson.answer == ("double" if doubles else "roll"), lesson.name
    gnubg.close()


def thorp(position: Position, side: Side) -> int:
    """Thorp's count before the leader's tenth."""
    own = position if side is Side.LIGHT else position.mirrored()
    counts = own.points
    home = sum(count > 0 for count in counts[:6])
    return own.pips(Side.LIGHT) + 2 * sum(count for count in counts if count > 0) + max(counts[0], 0) - home


def keith(position: Position, side: Side) -> int:
    """Keith's count before the doubler's seventh."""
    own = position if side is Side.LIGHT else position.mirrored()
    one, two, three, *rest = (max(count, 0) for count in own.points[:6])
    waste = 2 * max(one - 1, 0) + max(two - 1, 0) + max(three - 3, 0) + sum(not count for count in rest)
    return own.pips(Side.LIGHT) + waste


def test_the_formulas_lead_to_the_answers_that_the_lessons_give() -> None:
    race = lesson_named("thorp").position
    mine, theirs = thorp(race, Side.LIGHT) * 1.1, thorp(race, Side.DARK)
    assert (mine, theirs) == (pytest.approx(114.4), 114)
    assert theirs - 2 <= mine <= theirs + 2
    race = lesson_named("keith").position
    doubler, mine = keith(race, Side.DARK) * 8 // 7, keith(race, Side.LIGHT)
    assert (doubler, mine) == (72, 69)
    assert mine + 2 <= doubler <= mine + 4


def test_the_last_rolls_are_counted_rightly() -> None:
    """A roll wins where a play of it bears off both checkers."""
    for name, side, wins in (("last_double", LEARNER, 19), ("last_pass", LEARNER.opponent, 29)):
        position = lesson_named(name).position
        won = sum(
            any(Position(code).off(side) == 15 for code in results(position, side, roll)[0]) * times
            for roll, times in ROLLS
        )
        assert won == wins
