"""Everything that the referee of a table can say has words in every language."""

from itertools import product

from controller.messages.catalogue import LANGUAGES
from controller.referee.actions import (
    Action,
    BoardBack,
    BoardLost,
    Bumped,
    Covered,
    CubeUnclear,
    DiceVoid,
    Flagged,
    FrameSkipped,
    LightChanged,
    Told,
    Unsure,
)
from controller.rules.position import Roll
from controller.telling.table import action_text
from controller.telling.transcript import transcript_line
from tests.referee.table.scenes import SCENES, happenings
from tests.rows import each_row

REMARKS: tuple[Action, ...] = (
    Unsure(1.0, 2, 3, (6, 8)),
    Unsure(1.0, 2, 3, ()),
    DiceVoid(1.0, Roll(3, 1)),
    FrameSkipped(1.0, 2, "00002.jpg", "cut short"),
    Bumped(1.0, 2, 4.0, 0.5, 1.0, 1.0),
    LightChanged(1.0, 2, 0.5, 0.5, 0.5),
    BoardLost(1.0, 2),
    BoardBack(1.0, 2),
    Covered(1.0, 2, (6, 7)),
    CubeUnclear(1.0, 2, "dark", 4),
    CubeUnclear(1.0, 2, "center", 1),
)


def test_all_that_is_said_in_any_state_to_any_event_has_words_in_every_language() -> None:
    for make in SCENES.values():
        for name in happenings(make()):
            evening = make()
            actions = evening.tell(happenings(evening)[name])
            for action, language in product(actions, LANGUAGES):
                words = action_text(action, language)
                assert words is None or "{" not in words
                if isinstance(action, Told | Flagged):
                    assert words


@each_row("language", LANGUAGES)
@each_row("remark", REMARKS, ids=repr)
def test_every_remark_about_a_film_has_words(remark: Action, language: str) -> None:
    line = transcript_line(remark, language)
    assert line.startswith("      ")
    assert "{" not in line


def test_the_english_remarks_are_plain() -> None:
    assert transcript_line(Bumped(1.0, 2, 4.2, 0.54, 1.0, 1.0)) == (
        "      the board moved by 4 mm and turned by 0.5 degrees; Pointsman follows it"
    )
