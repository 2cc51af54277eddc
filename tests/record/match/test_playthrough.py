from dataclasses import replace

from controller.record.match.match import Act, GameRecord, MatchRecord, RecordedResult, Turn
from controller.record.match.playthrough import RecordFault, moments, objections
from controller.rules.game.events import Doubled, GameAwarded, OpeningRoll, Passed, Resigned, Rolled, Taken
from controller.rules.game.match import Crawford, Terms
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.record.matches import misplayed, played, terms_of
from tests.record.simulated import MIDDLE, Habits, simulated
from tests.rows import each_row

ROLL = Roll.from_dice(3, 1)
OPENING = played(0, Side.LIGHT, ROLL, START, legal_plays(START, Side.LIGHT, ROLL)[0])
ANSWER = played(1, Side.DARK, ROLL, OPENING.after, legal_plays(OPENING.after, Side.DARK, ROLL)[0])

WILD = Habits(
    illegal=0.04, corrected=0.04, told_anew=0.03, void=0.03, award=0.005, broken_off=0.1, forfeit=0.002
)


def faults(record: MatchRecord) -> list[RecordFault]:
    return [objection.fault for objection in objections(record)]


def one_game(*entries: Turn | Act, result: RecordedResult | None = None, length: int = 5) -> MatchRecord:
    return MatchRecord("A", "B", terms_of(length), (GameRecord(tuple(entries), result=result),))


@each_row("seed", range(18))
def test_the_rules_object_to_nothing_in_a_match_they_made_but_to_plays_it_says_were_illegal(
    seed: int,
) -> None:
    profile, length = [
        ("standard-match", 5),
        ("standard-money", 0),
        ("hubgf-money", 0),
        ("hunbg-club", 9),
        ("terebess", 7),
        ("sk-box", 5),
    ][seed % 6]
    record = simulated(seed, profile, length, replace(WILD, start=None if seed % 5 else MIDDLE))
    standing = [turn for game in record.games for turn in game.played if not turn.legal]
    told = list(objections(record))
    assert [objection.fault for objection in told] == [RecordFault.ILLEGAL_PLAY] * len(standing)
    assert [objection.reasons for objection in told] == [turn.reasons for turn in standing]
    entries = [moment.entry for moment in moments(record)]
    assert entries == [entry for game in record.games for entry in (*game.course, None)]


def test_each_moment_knows_the_board_the_cube_and_the_player_on_roll() -> None:
    record = one_game(
        Act(OpeningRoll(3, 1)), OPENING, Act(Doubled(Side.DARK)), Act(Taken(Side.LIGHT)), ANSWER
    )
    games = [moment.match.game for moment in moments(record)]
    assert [game.position for game in games] == [START, START, *[OPENING.after] * 3, ANSWER.after]
    assert [game.cube.value for game in games] == [1, 1, 1, 1, 2, 2]
    assert games[1].dice == (3, 1)
    assert games[3].to_answer is Side.LIGHT
    assert games[5].cube.owner is Side.LIGHT
    assert games[5].turn is Side.LIGHT
    assert faults(record) == []


def test_a_first_turn_without_an_opening_roll_tells_who_won_it() -> None:
    assert faults(one_game(OPENING, ANSWER)) == []
    doubles = played(
        0, Side.DARK, Roll.from_dice(2, 2), START, legal_plays(START, Side.DARK, Roll.from_dice(2, 2))[0]
    )
    assert faults(one_game(doubles)) == []


def test_a_game_may_begin_anywhere() -> None:
    turn = played(0, Side.DARK, ROLL, MIDDLE, legal_plays(MIDDLE, Side.DARK, ROLL)[0])
    cube = (Act(Doubled(Side.DARK)), Act(Taken(Side.LIGHT)))
    game = GameRecord((*cube, turn), MIDDLE)
    assert faults(MatchRecord("A", "B", terms_of(5), (game,))) == []


def test_an_illegal_play_that_stands_is_told_with_its_reasons() -> None:
    wrong = misplayed(0, Side.LIGHT, ROLL, START, START, stands=True)
    [objection] = objections(one_game(wrong))
    assert (objection.fault, objection.game, objection.ply, objection.player) == (
        RecordFault.ILLEGAL_PLAY,
        1,
        0,
        Side.LIGHT,
    )
    assert objection.reasons == wrong.reasons
    assert objection.text


def test_a_wrong_verdict_is_told_either_way() -> None:
    called_legal = replace(misplayed(0, Side.LIGHT, ROLL, START, START, stands=True), legal=True, reasons=())
    [objection] = objections(one_game(called_legal))
    assert objection.fault is RecordFault.MISJUDGED
    assert objection.reasons
    called_illegal = replace(OPENING, legal=False, stands=True)
    assert faults(one_game(called_illegal)) == [RecordFault.MISJUDGED]


def test_a_turn_from_another_board_a_turn_out_of_turn_and_other_dice_are_told() -> None:
    far = replace(ANSWER, before=START)
    assert RecordFault.GAP in faults(one_game(OPENING, far))
    again = played(1, Side.LIGHT, ROLL, OPENING.after, legal_plays(OPENING.after, Side.LIGHT, ROLL)[0])
    [missing] = objections(one_game(OPENING, again))
    assert (missing.fault, missing.ply, missing.player) == (RecordFault.MISSING, 1, Side.DARK)
    assert missing.text == "Dark's turn is missing."
    assert faults(one_game(Act(OpeningRoll(6, 1)), OPENING)) == [RecordFault.OTHER_DICE]


def test_a_play_that_is_left_out_is_missed_once_where_it_belongs_and_accuses_nobody() -> None:
    """A Rolled without its play: who rolled it is told to have it missing, not the other to be out of turn."""
    left = Act(Rolled(Side.DARK, Roll.from_dice(6, 2)))
    later = played(1, Side.LIGHT, ROLL, OPENING.after, legal_plays(OPENING.after, Side.LIGHT, ROLL)[0])
    far = played(2, Side.DARK, ROLL, MIDDLE, legal_plays(MIDDLE, Side.DARK, ROLL)[0])
    unfit = replace(misplayed(3, Side.LIGHT, ROLL, far.after, far.after, stands=True), reasons=())
    told = list(objections(one_game(OPENING, left, later, far, unfit)))
    assert [(objection.fault, objection.ply, objection.player) for objection in told] == [
        (RecordFault.MISSING, 1, Side.DARK)
    ]
    assert told[0].text == "Dark's play of 6-2 is missing (14 are legal)."
    doubled = one_game(OPENING, left, Act(Doubled(Side.LIGHT)), Act(Passed(Side.DARK)))
    assert faults(doubled) == [RecordFault.MISSING, RecordFault.RESULT]
    out_of_turn = one_game(OPENING, Act(Doubled(Side.LIGHT)), Act(Taken(Side.DARK)))
    assert [objection.text for objection in objections(out_of_turn)] == ["Dark's turn is missing."]


def test_a_game_that_stops_after_its_first_roll_is_in_order() -> None:
    """Without a play, the first roll tells who won the opening as well as one that is played."""
    assert faults(one_game(Act(Rolled(Side.LIGHT, Roll.from_dice(6, 2))))) == []
    resigned = (Act(Rolled(Side.DARK, Roll.from_dice(6, 2))), Act(Resigned(Side.DARK, 1)))
    assert faults(one_game(*resigned)) == []


def test_a_position_that_no_turn_leads_to_is_a_gap_and_no_illegal_play() -> None:
    far = replace(misplayed(0, Side.LIGHT, ROLL, START, MIDDLE, stands=True), reasons=())
    assert faults(one_game(far)) == [RecordFault.GAP]


def test_an_act_that_was_not_possible_is_told_once_and_a_double_is_followed() -> None:
    cube = (Act(Doubled(Side.DARK)), Act(Taken(Side.LIGHT)))
    reply = played(2, Side.LIGHT, ROLL, ANSWER.after, legal_plays(ANSWER.after, Side.LIGHT, ROLL)[0])
    record = one_game(OPENING, *cube, ANSWER, reply, *cube)
    told = list(objections(record))
    assert [objection.fault for objection in told] == [RecordFault.REFUSED]
    assert told[0].ply == 3
    assert told[0].text == "Dark cannot double: the cube belongs to Light."
    assert list(moments(record))[-1].match.game.cube.value == 4
    assert faults(one_game(Act(Taken(Side.DARK)), OPENING)) == [RecordFault.REFUSED]


def test_a_turn_while_an_offer_waits_is_told() -> None:
    assert faults(one_game(OPENING, Act(Doubled(Side.DARK)), ANSWER)) == [RecordFault.REFUSED]
    assert faults(one_game(OPENING, Act(Resigned(Side.DARK, 1)), ANSWER)) == [RecordFault.REFUSED]


def test_results_and_scores_must_follow_from_what_happened() -> None:
    passed = (OPENING, Act(Doubled(Side.DARK)), Act(Passed(Side.LIGHT)))
    assert faults(one_game(*passed, result=RecordedResult(Side.DARK, 1))) == []
    assert faults(one_game(*passed, result=RecordedResult(Side.DARK, 2))) == [RecordFault.RESULT]
    assert faults(one_game(*passed)) == [RecordFault.RESULT]
    assert faults(one_game(OPENING, result=RecordedResult(Side.DARK, 1))) == [RecordFault.RESULT]
    awarded = Act(GameAwarded(Side.DARK, 2))
    assert faults(one_game(OPENING, awarded, result=RecordedResult(Side.DARK, 2))) == []
    assert faults(one_game(OPENING, awarded, ANSWER, result=RecordedResult(Side.DARK, 2))) == [
        RecordFault.REFUSED
    ]
    first = one_game(*passed, result=RecordedResult(Side.DARK, 1)).games[0]
    for score, expected in (((0, 1), []), ((0, 2), [RecordFault.SCORE]), ((0, 5), [RecordFault.SCORE])):
        second = GameRecord((OPENING,), START, *score)
        assert faults(MatchRecord("A", "B", terms_of(5), (first, second))) == expected


def test_a_record_that_begins_in_the_middle_of_a_match_is_taken_as_it_is() -> None:
    """Nobody knows the games before it: a double tells that the Crawford game was one of them."""
    game = GameRecord((OPENING,), START, 4, 2)
    record = MatchRecord("A", "B", terms_of(5), (game,))
    assert next(moments(record)).match.crawford is Crawford.NOW
    doubled = replace(game, entries=(OPENING, Act(Doubled(Side.DARK))))
    record = replace(record, games=(doubled,))
    assert faults(record) == []
    assert next(moments(record)).match.crawford is Crawford.AFTER


def test_a_double_in_the_crawford_game_is_found_where_the_game_before_it_is_there() -> None:
    passed = (OPENING, Act(Doubled(Side.DARK)), Act(Passed(Side.LIGHT)))
    first = GameRecord(passed, START, 0, 3, RecordedResult(Side.DARK, 1))
    second = GameRecord((OPENING, Act(Doubled(Side.DARK))), START, 0, 4)
    [objection] = objections(MatchRecord("A", "B", terms_of(5), (first, second)))
    assert "Crawford" in objection.text


def test_the_next_game_begins_afresh_after_one_that_was_broken_off() -> None:
    cube = (OPENING, Act(Doubled(Side.DARK)), Act(Taken(Side.LIGHT)), Act(Rolled(Side.DARK, ROLL)))
    games = (GameRecord(cube), GameRecord((OPENING, ANSWER)))
    record = MatchRecord("A", "B", terms_of(5), games)
    assert faults(record) == []
    assert list(moments(record))[-1].match.game.cube.value == 1


def test_each_game_of_a_series_has_its_own_rules() -> None:
    profiles = (load_profile("terebess"), load_profile("standard-match"))
    terms = Terms.series(5, *profiles)
    games = tuple(
        GameRecord((OPENING, Act(GameAwarded(Side.LIGHT, 1))), START, score, 0, RecordedResult(Side.LIGHT, 1))
        for score in range(3)
    )
    record = MatchRecord("A", "B", terms, games)
    assert faults(record) == []
    assert [record.profile(number).name for number in range(3)] == ["terebess", "standard-match", "terebess"]


def test_only_the_movers_checkers_move_in_a_turn() -> None:
    """A position after which the other's checkers stand elsewhere is a gap: a record says so, and accuses nobody."""
    hit = misplayed(0, Side.LIGHT, ROLL, START, ANSWER.after, stands=True)
    assert faults(one_game(replace(hit, reasons=()))) == [RecordFault.GAP]
    assert faults(one_game(hit)) == [RecordFault.ILLEGAL_PLAY]
