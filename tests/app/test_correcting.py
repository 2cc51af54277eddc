"""The director puts the record right while play goes on."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from controller.app.desk import Desk
from controller.devices.link.happenings import Button
from controller.record.journal.journal import Journal
from controller.record.match.corrections import CorrectionError
from controller.record.match.history import GAME, INPUT
from controller.record.match.match_log import read_match
from controller.record.match.playthrough import objections
from controller.record.table.resume import LiveMatch
from controller.referee.actions import Action, ClockRuns, MatchEnded, Phase
from controller.referee.events import (
    DIRECTOR,
    ConsentGiven,
    Disputed,
    Event,
    FrameMoving,
    FrameSeen,
    GoOn,
    PositionRuled,
    Pressed,
    RollReported,
    Said,
)
from controller.referee.table.settings import Settings
from controller.referee.table.state import Table
from controller.rules.game import events as ruled
from controller.rules.game.match import Terms
from controller.rules.moves.plays import results
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.amounts import amount
from tests.app.opened import FIVE, NAME, book_in, play, standing
from tests.app.playing import Players
from tests.referee.staging import Film


def played_desk(journal: Journal, seed: int, most: int) -> tuple[Desk, Players]:
    desk, players = Desk.open(FIVE, book_in(journal)), Players(Random(seed), resigns=0.0, doubles=0.05)
    play(desk, players, most=most)
    return desk, players


def see_that_the_journal_tells_the_same(desk: Desk) -> None:
    again = LiveMatch.read(desk.book.log.journal, NAME).table()
    assert standing(again) == standing(desk.table)


@pytest.mark.parametrize("most", amount([60, 133], [60, 90, 133, 200]))
def test_another_score_leaves_the_turn_under_way_as_it_was(journal: Journal, most: int) -> None:
    desk, players = played_desk(journal, 3, most)
    before = desk.table
    game = before.match.number
    desk.correct(lambda director: director.change_score(game, 3, 2), before.t, by="director")
    after = desk.table
    assert (after.match.score.light, after.match.score.dark) == (3, 2)
    assert (after.phase, after.ply, after.thrown, after.position) == (
        before.phase,
        before.ply,
        before.thrown,
        before.position,
    )
    see_that_the_journal_tells_the_same(desk)
    play(desk, players, most=150)
    see_that_the_journal_tells_the_same(desk)


def test_a_ply_taken_back_has_the_board_laid_out_as_it_was_before_it(journal: Journal) -> None:
    desk, _ = played_desk(journal, 5, amount(150, 400))
    record = read_match(desk.book.log.journal, NAME)
    game = len(record.games)
    played = list(record.games[-1].played)
    assert played
    last = played[-1]
    desk.correct(lambda director: director.undo(game), desk.table.t, by="director")
    assert desk.table.position == last.before
    assert desk.table.ply == last.ply
    assert desk.table.phase is Phase.SET_UP
    see_that_the_journal_tells_the_same(desk)
    desk.put(GoOn(desk.table.t))
    assert desk.table.phase is Phase.TO_ROLL
    assert desk.table.match.game.turn is last.player
    see_that_the_journal_tells_the_same(desk)


def test_what_cannot_be_put_right_changes_nothing(journal: Journal) -> None:
    desk, _ = played_desk(journal, 5, 60)
    before = desk.table
    with pytest.raises(CorrectionError, match="ply 900"):
        desk.correct(lambda director: director.undo(1, 900), before.t)
    assert desk.table is before


def test_a_correction_names_who_made_it(journal: Journal) -> None:
    desk, _ = played_desk(journal, 5, 60)
    desk.correct(lambda director: director.change_score(1, 1, 0), desk.table.t, by="director", command="c1")
    last = [event for event in desk.book.log.journal.events(NAME) if event.kind == "input"][-1]
    assert (last.payload["input"], last.payload["by"], last.payload["command"]) == (
        "corrected",
        "director",
        "c1",
    )


class Corrected:
    """A game that is played turn by turn, and whose record the director puts right."""

    def __init__(self, journal: Journal, profile: str, *, clock: bool = False, laid_out: bool = True) -> None:
        """The checkers are set up, if they are ``laid_out``."""
        settings = Settings(Terms.match(load_profile(profile), 5), clock=clock)
        self.desk, self.film, self.t = Desk.open(settings, book_in(journal)), Film(Random(1)), 0.0
        if laid_out:
            self.lay(self.table.position)

    @property
    def table(self) -> Table:
        return self.desk.table

    def now(self) -> float:
        self.t += 1.0
        return self.t

    def record(self) -> list[tuple[object, ...]]:
        """The games with the score before them, their turns and their winner."""
        record = read_match(self.desk.book.log.journal, NAME)
        assert not list(objections(record))
        return [
            (
                (game.light_score, game.dark_score),
                len(list(game.played)),
                game.result and game.result.winner,
            )
            for game in record.games
        ]

    def put(self, event: Callable[[float], Event]) -> tuple[Action, ...]:
        return self.desk.put(event(self.now()))

    def say(self, event: ruled.RulesEvent) -> None:
        self.put(lambda t: Said(t, event, DIRECTOR))

    def lay(self, position: Position) -> None:
        self.put(lambda t: FrameMoving(t, int(t)))
        for _ in range(3):
            self.put(lambda t: FrameSeen(t, int(t), self.film.read(position)))

    def roll(self, *dice: int) -> None:
        self.put(lambda t: RollReported(t, (dice[0], dice[1])))

    def play(self) -> None:
        thrown = self.table.thrown
        assert thrown is not None
        assert thrown.side is not None
        rules = self.table.match.game.profile.movement
        after = Position(min(results(self.table.position, thrown.side, thrown.roll, rules)[0]))
        self.lay(after)
        self.say(ruled.Played(thrown.side, after, None))

    def turn(self, *dice: int) -> None:
        self.roll(*dice)
        self.play()

    def rule(self, position: Position, side: Side) -> None:
        self.put(lambda t: PositionRuled(t, position, side, DIRECTOR))
        self.lay(position)

    def change_score(self) -> None:
        """The director sets another score before the running game, which leaves the game as it stands."""
        before = self.game()
        self.desk.correct(lambda director: director.change_score(1, 2, 1), self.now())
        score = self.table.match.score
        assert (score.light, score.dark) == (2, 1)
        assert self.game() == before
        self.see_that_the_record_tells_the_same()

    def game(self) -> tuple[object, ...]:
        """How the running game stands."""
        table = self.table
        game = replace(table.match.game, away=None, undo=None)
        return table.phase, table.back, game, table.on_turn, table.ply, table.thrown

    def see_that_the_record_tells_the_same(self) -> None:
        """A table that is resumed stands here; so does one that has nothing but the record to go by."""
        see_that_the_journal_tells_the_same(self.desk)
        kept = LiveMatch.read(self.desk.book.log.journal, NAME)
        without_inputs = replace(kept, events=tuple(each for each in kept.events if each.kind != INPUT))
        again, table = without_inputs.table(), self.table
        assert (again.position, again.on_turn, again.ply, again.phase) == (
            table.position,
            table.on_turn,
            table.ply,
            table.back[-1] if table.back else table.phase,
        )
        assert (again.thrown and again.thrown.roll) == (table.thrown and table.thrown.roll)


def test_another_score_after_a_ruling_leaves_the_board_as_it_was_ruled(journal: Journal) -> None:
    match = Corrected(journal, "standard-match")
    match.turn(3, 1)
    match.turn(6, 4)
    match.roll(5, 2)
    match.rule(Position.from_compact("b...BD.B...eE...c.e....B.."), Side.DARK)
    match.change_score()
    match.turn(6, 2)
    match.see_that_the_record_tells_the_same()
    assert not list(objections(read_match(journal, NAME)))


def test_another_score_after_a_turn_that_was_left_without_rolling_leaves_whose_turn_it_is(
    journal: Journal,
) -> None:
    match = Corrected(journal, "standard-match")
    match.turn(3, 1)
    match.rule(Position.from_compact("BBBBBBA.....B...c.e....f.a"), Side.LIGHT)
    match.turn(2, 1)
    match.put(lambda t: Pressed(t, Button.DONE))
    assert match.table.on_turn is Side.LIGHT
    match.change_score()


def test_another_score_while_a_double_is_to_be_named_leaves_it_due(journal: Journal) -> None:
    match = Corrected(journal, "acey-deucey")
    match.roll(6, 1)
    match.turn(2, 1)
    match.change_score()
    match.say(ruled.DoubleNamed(Side.LIGHT, 4))
    match.see_that_the_record_tells_the_same()
    match.play()
    match.desk.correct(lambda director: director.undo(1), match.now())
    assert match.table.back == (Phase.MOVING,)
    assert match.table.thrown is not None
    assert match.table.thrown.roll == Roll.from_dice(4, 4)


def test_a_rising_double_that_is_taken_back_is_played_again(journal: Journal) -> None:
    match = Corrected(journal, "gul-bara")
    match.roll(3, 1)
    for _ in range(9):
        match.turn(6, 5)
    match.turn(1, 1)
    assert match.table.thrown is not None
    assert match.table.thrown.roll == Roll.from_dice(2, 2)
    match.see_that_the_record_tells_the_same()
    match.play()
    match.desk.correct(lambda director: director.undo(1), match.now())
    assert match.table.thrown is not None
    assert match.table.thrown.roll == Roll.from_dice(2, 2)


def test_a_ruling_while_a_double_is_to_be_named_leaves_nothing_due(journal: Journal) -> None:
    match = Corrected(journal, "acey-deucey")
    match.roll(6, 1)
    match.turn(2, 1)
    match.rule(match.table.position, Side.DARK)
    match.turn(6, 3)
    assert (match.table.phase, match.table.on_turn) == (Phase.TO_ROLL, Side.LIGHT)


def test_a_correction_that_ends_the_game_ends_it_at_the_table_too(journal: Journal) -> None:
    match = Corrected(journal, "standard-match", clock=True)
    match.turn(3, 1)
    match.turn(6, 4)
    match.put(lambda t: ConsentGiven(t, True))
    actions = match.desk.correct(
        lambda director: director.change_cube(1, None, ("double", "drop")), match.now()
    )
    assert [each.side for each in actions if isinstance(each, ClockRuns)] == [None]
    assert match.table.phase is Phase.GAME_OVER
    assert match.table.consent
    match.see_that_the_record_tells_the_same()
    match.lay(START)
    match.turn(6, 1)
    match.see_that_the_record_tells_the_same()
    record = read_match(journal, NAME)
    assert [(game.light_score, game.dark_score, len(list(game.played))) for game in record.games] == [
        (0, 0, 2),
        (1, 0, 1),
    ]
    assert not list(objections(record))


def test_a_correction_that_ends_the_match_ends_it_at_the_table_too(journal: Journal) -> None:
    match = Corrected(journal, "standard-match")
    match.turn(3, 1)
    match.desk.correct(lambda director: director.change_score(1, 4, 1), match.now())
    match.turn(6, 4)
    actions = match.desk.correct(
        lambda director: director.change_cube(1, None, ("double", "drop")), match.now()
    )
    assert match.table.phase is Phase.MATCH_OVER
    assert [each.winner for each in actions if isinstance(each, MatchEnded)] == [Side.LIGHT]
    match.see_that_the_record_tells_the_same()


def test_a_score_that_makes_the_running_game_the_crawford_game_stops_the_cube(journal: Journal) -> None:
    match = Corrected(journal, "standard-match")
    match.turn(3, 1)
    match.desk.correct(lambda director: director.change_score(1, 4, 1), match.now())
    match.say(ruled.Doubled(Side.DARK))
    assert match.table.phase is Phase.TO_ROLL
    match.see_that_the_record_tells_the_same()


def test_another_score_leaves_it_to_the_winner_to_begin(journal: Journal) -> None:
    match = Corrected(journal, "portes")
    match.roll(3, 1)
    match.turn(6, 4)
    match.say(ruled.GameAwarded(Side.DARK, 1))
    match.lay(match.table.position)
    assert (match.table.phase, match.table.on_turn) == (Phase.TO_ROLL, Side.DARK)
    before = match.game()
    match.desk.correct(lambda director: director.change_score(2, 1, 1), match.now())
    assert match.game() == before
    match.see_that_the_record_tells_the_same()


@pytest.mark.parametrize("paused", [False, True])
def test_a_game_that_is_awarded_before_it_begins_is_a_game_of_the_record(
    journal: Journal, paused: bool
) -> None:
    match = Corrected(journal, "standard-match", laid_out=False)
    if paused:
        match.put(Disputed)
    match.say(ruled.GameAwarded(Side.LIGHT, 1))
    match.see_that_the_record_tells_the_same()
    match.say(ruled.GameAwarded(Side.DARK, 2))
    match.see_that_the_record_tells_the_same()
    match.lay(START)
    match.turn(3, 1)
    match.say(ruled.GameAwarded(Side.LIGHT, 1))
    match.see_that_the_record_tells_the_same()
    assert match.record() == [
        ((0, 0), 0, Side.LIGHT),
        ((1, 0), 0, Side.DARK),
        ((1, 2), 1, Side.LIGHT),
    ]


@pytest.mark.parametrize("games", [0, 1])
def test_a_match_that_is_forfeited_between_games_can_be_read(journal: Journal, games: int) -> None:
    match = Corrected(journal, "standard-match", laid_out=False)
    for _ in range(games):
        match.say(ruled.GameAwarded(Side.LIGHT, 1))
    match.say(ruled.MatchForfeited(Side.DARK))
    assert match.table.phase is Phase.MATCH_OVER
    see_that_the_journal_tells_the_same(match.desk)
    won: list[tuple[object, ...]] = [((0, 0), 0, Side.LIGHT)]
    assert match.record() == [*won[:games], ((games, 0), 0, None)]


def test_a_journal_of_a_version_that_began_no_game_for_an_award_can_be_read(journal: Journal) -> None:
    match = Corrected(journal, "standard-match", laid_out=False)
    match.say(ruled.GameAwarded(Side.LIGHT, 1))
    with Journal(journal.path.with_name("older.db")) as older:
        for event in journal.events():
            if event.kind != GAME:
                older.append(event.match, event.kind, event.payload, t=event.t, utc=event.utc)
        (game,) = read_match(older, NAME).games
    assert game.result is not None
    assert (game.start, game.result.winner) == (START, Side.LIGHT)
