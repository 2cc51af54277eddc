"""Match files in and out, and games that were played on boards."""

import random
from pathlib import Path

import pytest

import pointsman
from pointsman import Board, Match, Position, UserError, read_match
from tests.test_imports import ROOT

RECORDS = ROOT / "tests" / "data" / "record"
MAT = RECORDS / "gammonview" / "hQ8sVn2LbTdF4wRm.mat"


def played(seed: int, variant: str = "standard") -> Board:
    board, dice = Board(variant=variant), random.Random(seed)
    while not board.is_over:
        roll = dice.randint(1, 6), dice.randint(1, 6)
        board.push(dice.choice(board.legal_plays(roll)))
    return board


@pytest.mark.parametrize("name", ["final.mat", "final.sgf", "final.json", "final.ogxm"])
def test_a_match_comes_back_from_the_file_it_was_written_to(tmp_path: Path, name: str) -> None:
    match = Match.of([played(1), played(2)], "Anna", "Bela", length=9)
    assert match.write(tmp_path / name) == tmp_path / name
    again = read_match(tmp_path / name)
    assert (again.light, again.dark, again.length) == ("Anna", "Bela", 9)
    assert [game.winner for game in again.games] == [game.winner for game in match.games]
    assert [str(turn) for game in again.games for turn in game.turns] == [
        str(turn) for game in match.games for turn in game.turns
    ]


def test_results_and_scores_follow_from_the_boards() -> None:
    match = Match.of([played(1), played(2), played(3)], length=25)
    first, second, _ = match.games
    assert first.winner is played(1).winner
    assert first.points in (1, 2, 3)
    assert sum(second.score) == first.points
    assert first.turns[-1].after.is_over
    assert all(turn.legal and not turn.reasons for turn in first.turns)


def test_a_broken_off_game_has_no_winner() -> None:
    board = Board()
    board.push("8/5 6/5", (3, 1))
    (game,) = Match.of(board).games
    assert (game.winner, game.points, len(game.turns)) == (None, 0, 1)
    assert game.start == Position.start()


def test_a_game_that_was_not_played_begins_as_all_games_do() -> None:
    (game,) = Match.of(Board()).games
    assert (game.start, game.turns) == (Position.start(), ())


def test_a_game_of_another_kind_is_kept_with_its_name(tmp_path: Path) -> None:
    match = Match.of(played(4, "plakoto"))
    assert read_match(match.write(tmp_path / "match.json")).games[0].start.variant == "plakoto"
    with pytest.raises(UserError, match="plakoto"):
        match.write(tmp_path / "match.sgf")


def test_positions_have_the_cube_and_the_score_of_their_moment() -> None:
    games = read_match(MAT).games
    assert games[1].turns[0].before.score == games[1].score
    assert any(turn.before.cube > 1 for game in games for turn in game.turns)
    assert all(turn.before.roll == turn.roll for game in games for turn in game.turns)


def test_the_other_programs_files_are_read_by_what_is_in_them() -> None:
    for path in sorted((RECORDS / "gammonview").glob("*.xg")):
        match = read_match(path)
        assert match.games
        assert str(len(match.games)) in repr(match)


def test_a_journal_is_read_and_never_written_over(tmp_path: Path) -> None:
    match = Match.of(played(5))
    (tmp_path / "journal.db").write_bytes(b"SQLite format 3\0")
    with pytest.raises(UserError):
        match.write(tmp_path / "journal.db", "mat", overwrite=True)
    with pytest.raises(UserError):
        read_match(tmp_path)


def test_a_file_that_is_there_is_only_replaced_on_demand(tmp_path: Path) -> None:
    match, path = Match.of(played(6)), tmp_path / "match.mat"
    match.write(path)
    with pytest.raises(UserError, match="overwrite=True"):
        match.write(path)
    assert match.write(path, overwrite=True).read_text() == match.text("mat")


@pytest.mark.parametrize(
    ("name", "says"),
    [("missing.mat", "there is no such file"), (".", "there is no such file"), ("empty.mat", "is empty")],
)
def test_what_is_no_match_is_told_in_one_sentence(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "empty.mat").touch()
    with pytest.raises(UserError, match=says):
        read_match(tmp_path / name)


def test_unknown_forms_and_engines_and_rolls_are_told_in_one_sentence(tmp_path: Path) -> None:
    match = Match.of(played(7))
    with pytest.raises(UserError, match="not one of mat, sgf"):
        match.write(tmp_path / "match.pdf")
    with pytest.raises(UserError, match="There is no engine"):
        match.ratings("jellyfish")
    with pytest.raises(UserError, match="There is no engine"):
        pointsman.best_plays(Position.start(), (3, 1), engine="jellyfish")
    with pytest.raises(UserError, match="0 to 3 plies"):
        pointsman.best_plays(Position.start(), (3, 1), plies=9)
    with pytest.raises(UserError, match="No engine knows the rules"):
        pointsman.best_plays(Position.start("plakoto"), (3, 1))
    last = Board(Position.of([1] + [0] * 22 + [-1]))
    last.push("1/off")
    with pytest.raises(UserError, match="push it with its roll"):
        Match.of(last)
    with pytest.raises(UserError, match="at least one board"):
        Match.of([])


def from_score(light: int, dark: int, length: int, *, crawford: bool = False) -> Board:
    return Board(Position.start().with_score(light, dark, length, crawford=crawford))


def test_a_match_begins_at_the_score_that_its_boards_began_at(tmp_path: Path) -> None:
    board = from_score(3, 1, 7)
    board.push("8/5 6/5", (3, 1))
    match = Match.of(board, "Anna", "Bela")
    assert match.length == 7
    assert match.games[0].score == match.games[0].start.score == (3, 1)
    assert match.games[0].start == board.start
    again = read_match(match.write(tmp_path / "match.mat"))
    assert (again.length, again.games[0].score) == (7, (3, 1))


def test_a_game_without_a_turn_keeps_its_score_too() -> None:
    (game,) = Match.of(from_score(6, 1, 7, crawford=True)).games
    assert (game.start.score, game.start.length, game.start.is_crawford) == ((6, 1), 7, True)


def test_later_games_may_tell_the_score_or_leave_it_out() -> None:
    first = played(1)
    points = Match.of(first).games[0].points
    won = (points, 0) if first.winner is pointsman.LIGHT else (0, points)
    for second in (Board(), from_score(*won, 25)):
        games = Match.of([first, second], length=25).games
        assert games[1].start.score == games[1].score == won
    with pytest.raises(UserError, match=r"Board 2 began at 9-9 to 25, but its game in the match begins at"):
        Match.of([first, from_score(9, 9, 25)], length=25)


@pytest.mark.parametrize(
    ("board", "length", "says"),
    [
        (Board(Position.start().with_cube(2, "dark")), None, "began with the cube on 2 with dark"),
        (Board(Position.start().with_cube(2)), 7, "began with the cube on 2, and"),
        (from_score(3, 1, 7), 5, "began at 3-1 to 7, but its game in the match begins at 3-1 to 5"),
        (from_score(3, 1, 7), 0, "begins at 3-1 for money"),
        (from_score(7, 1, 7), None, "when the match was over"),
        (from_score(6, 1, 7), None, r"is the Crawford game.*crawford=True"),
        (from_score(5, 1, 7, crawford=True), None, r"is not the Crawford game.*crawford=False"),
    ],
)
def test_a_cube_or_a_score_that_the_match_cannot_have_is_refused(
    board: Board, length: int | None, says: str
) -> None:
    with pytest.raises(UserError, match=says):
        Match.of(board, length=length)
