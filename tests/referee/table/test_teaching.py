"""A table at which people learn: hints whenever asked, and plays taken back."""

from controller.referee.actions import BestPlayWanted, DiceVoid, Message, Phase, TurnUndone
from controller.referee.events import BestPlayFound, HintAsked, Said
from controller.referee.table.choices import choices_of
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules import Position, Side, load_profile
from controller.rules.game import events as ruled
from tests.referee.table.evening import Evening, match_terms

POINT = Position.from_compact("b...BD.B...eE...c.e....B..")


def lesson(hint: int = 0) -> Evening:
    evening = Evening(Settings(match_terms(load_profile("teaching")), hint=hint))
    evening.start()
    return evening


def take_back(evening: Evening, side: Side) -> None:
    evening.tell(Said(evening.t, ruled.TakenBack(side), by=str(side)))


def test_the_best_play_is_looked_up_when_it_is_asked_for_after_the_roll() -> None:
    evening = lesson()
    assert not evening.of(BestPlayWanted)
    evening.tell(HintAsked(evening.t, 3))
    assert len(evening.of(BestPlayWanted)) == 1
    evening.tell(HintAsked(evening.t, 0))
    evening.tell(HintAsked(evening.t, 4))
    assert len(evening.of(BestPlayWanted)) == 2


def test_asking_for_more_does_not_ask_the_engine_again() -> None:
    evening = lesson(hint=1)
    for level in (2, 3, 4):
        evening.tell(HintAsked(evening.t, level))
    evening.look()
    assert len(evening.of(BestPlayWanted)) == 1


def test_the_next_best_plays_are_known_with_what_they_lose() -> None:
    evening = lesson(hint=4)
    other, wrong = evening.legal(3), Position.from_compact("bA..BD.B...eE...c.e....A..")
    evening.tell(BestPlayFound(evening.t, 0, POINT, (other, wrong), (0.1, 0.2)))
    assert evening.table.advised == ((POINT, 0.0), (other, 0.1))


def test_what_comes_after_the_play_is_still_known_of_it() -> None:
    evening = lesson(hint=1)
    evening.move(POINT)
    evening.done()
    evening.tell(BestPlayFound(evening.t, 0, POINT))
    assert evening.table.rated is not None
    assert (evening.table.rated.ply, evening.table.advised) == (0, ())


def test_one_press_takes_a_play_back() -> None:
    evening = lesson()
    evening.move(POINT)
    evening.done()
    assert [choice.side for choice in choices_of(evening.table, "dark") if choice.what == "undo"] == [
        Side.DARK
    ]
    take_back(evening, Side.LIGHT)
    assert len(evening.of(TurnUndone)) == 1
    assert Message.UNDO_ASKED not in evening.messages()
    evening.look(evening.table.position)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.LIGHT)


def test_a_whole_game_can_be_taken_back_play_by_play() -> None:
    evening = lesson()
    positions = []
    for number in range(5):
        positions.append(evening.table.position)
        if number:
            evening.roll(4 + number % 3, 2)
        evening.move(evening.legal(number))
        evening.done()
    while positions:
        last = evening.table.last_turn
        assert last is not None
        assert last.entry.side is not None
        take_back(evening, last.entry.side)
        assert evening.table.position == positions.pop()
        evening.look(evening.table.position)
    assert evening.table.ply == 0
    take_back(evening, Side.LIGHT)
    assert evening.messages()[-1] is Message.NOT_NOW


def test_who_starts_is_said_where_only_the_pictures_tell_the_opening_roll() -> None:
    evening = Evening(Settings(match_terms(load_profile("teaching")), dice=DiceFrom.CAMERA))
    evening.look(evening.table.position)
    evening.film.roll((3, 1), reported=False)
    evening.look(pictures=3)
    assert evening.table.thrown is not None
    assert evening.table.thrown.side is None
    told = [choice for choice in choices_of(evening.table, "light") if choice.what == "opening_roll"]
    assert [dict(choice.arguments) for choice in told] == [{"light": 3, "dark": 1}, {"light": 1, "dark": 3}]
    evening.say(ruled.OpeningRoll(1, 3))
    assert evening.table.thrown.side is Side.DARK
    assert not evening.of(DiceVoid)


def test_nobody_is_asked_who_starts_where_both_threw_the_same() -> None:
    evening = Evening(Settings(match_terms(load_profile("teaching")), dice=DiceFrom.CAMERA))
    evening.look(evening.table.position)
    evening.film.roll((4, 4), reported=False)
    evening.look(pictures=3)
    assert evening.table.thrown is not None
    assert not [choice for choice in choices_of(evening.table, "light") if choice.what == "opening_roll"]
