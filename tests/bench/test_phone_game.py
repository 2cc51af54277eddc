"""The cuts of a filmed game lie in it, and what was told of a ply is held against its truth."""

from tests.bench.bench_phone import CUTS_S
from tests.bench.films import compact
from tests.bench.phone_game import accused_plies, cuts_of, right_plies

START = {"points": [0] * 24, "bar": {"light": 0, "dark": 0}}


def test_each_cut_lies_in_its_own_part_of_the_film_and_before_its_end() -> None:
    cuts = cuts_of([CUTS_S[number % len(CUTS_S)] for number in range(20)], 529.0)
    assert [length for _, length in cuts] == [1.0, 3.0, 10.0, 30.0] * 5
    begins = [at for at, _ in cuts]
    assert begins == sorted(begins)
    assert begins[0] > 0
    assert begins[-1] < 529


def test_a_ply_is_right_if_its_last_line_is_and_accused_if_any_line_of_a_legal_play_is() -> None:
    def truth(ply: int, *, legal: bool) -> dict[str, object]:
        return {"ply": ply, "player": "light", "dice": [6, 1], "legal": legal, "after": START}

    def line(*, legal: bool, dice: list[int]) -> dict[str, object]:
        return {"position": compact(START), "player": "light", "dice": dice, "legal": legal}

    plies = [truth(0, legal=True), truth(1, legal=True), truth(2, legal=False), truth(3, legal=True)]
    lines = {
        0: [line(legal=True, dice=[1, 6])],
        1: [line(legal=False, dice=[6, 1]), line(legal=True, dice=[6, 1])],
        2: [line(legal=False, dice=[5, 1])],
    }
    assert right_plies(plies, lines) == {0, 1}
    assert accused_plies(plies, lines) == {1}
