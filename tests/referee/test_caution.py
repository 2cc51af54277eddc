"""What operators may set makes sense and is read somewhere; every other number says what it is where it stands."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.devices.lights.frame import Signal
from controller.referee import caution as module
from controller.referee.actions import Bumped, Phase
from controller.referee.caution import Caution
from controller.referee.events import FrameSeen, Ticked
from controller.referee.table.settings import DiceFrom, End, Settings
from controller.referee.table.state import begin
from controller.rules.game.match import Terms
from controller.rules.moves.movement import MovementRules
from controller.rules.position import START, Position
from controller.rules.profile.profile import STANDARD
from controller.tomlfile.checks import Key, Number, keys_of
from controller.vision.reading import BoardDrift, CubeSeen
from tests.referee.table.evening import Evening
from tests.rows import each_row

ROOM = Path(module.__file__).parent
THRESHOLDS = tuple(key for key in keys_of(Caution) if isinstance(key.check, Number))
MOST_KEYS = 30
"""A person who runs a table cannot judge more of them."""
BOARD_AND_DICE = {
    "displaced.SIDE_ROW",
    "sightings.FOUR",
    "sightings.SIX",
}
"""What everybody who plays knows."""


def modules() -> dict[str, ast.Module]:
    """The modules of the room by name."""
    paths = sorted(ROOM.rglob("*.py"))
    return {
        path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in paths if path.stem != "__init__"
    }


def numbers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module binds to numbers, and what is written below each."""
    for node, below in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        values = [part for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
        plain = all(
            isinstance(
                part, ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.Load | ast.Attribute | ast.Name
            )
            for part in ast.walk(node.value)
        )
        if plain and any(type(each.value) in (int, float) for each in values):
            said = (
                below.value.value
                if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                else ""
            )
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (
                (part.id, str(said))
                for each in targets
                for part in ast.walk(each)
                if isinstance(part, ast.Name)
            )


NUMBERS = {f"{module}.{name}": said for module, tree in modules().items() for name, said in numbers(tree)}


def test_every_number_of_the_referee_says_what_it_is_where_it_stands() -> None:
    silent = {name for name, said in NUMBERS.items() if not re.search(r"[.]$", said.strip())}
    assert silent == BOARD_AND_DICE


def test_every_number_of_the_referee_is_used() -> None:
    used = {
        node.id if isinstance(node, ast.Name) else node.attr
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    assert [name for name in NUMBERS if name.split(".")[1] not in used] == []


def test_an_operator_has_few_keys_to_understand() -> None:
    assert len(list(keys_of(Caution))) <= MOST_KEYS


@each_row("key", THRESHOLDS, ids=lambda key: key.name)
def test_a_threshold_lies_in_its_range_and_is_explained_in_a_sentence(key: Key) -> None:
    number, default = key.check, key.default
    assert isinstance(number, Number)
    assert isinstance(default, int | float)
    assert number.low <= default <= number.high
    assert number.low < number.high
    assert number.unit
    assert key.words[0].isupper()
    assert key.words.endswith(".")
    assert "..." not in key.words
    assert type(number.low) is type(number.high) is type(default)
    assert number.whole is isinstance(default, int)


def test_no_two_thresholds_mean_the_same() -> None:
    words = [key.words for key in THRESHOLDS if not key.words.startswith("The same")]
    assert len(set(words)) == len(words)


def test_every_threshold_is_read_by_the_referee() -> None:
    read = {
        node.attr
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node.value).split(".")[-1] in ("caution", "self")
    }
    assert {key.name for key in THRESHOLDS} <= read


def test_a_table_is_careful_as_its_settings_say_under_the_rules_of_the_game_being_played() -> None:
    heaps = MovementRules(max_stack=5)
    other = replace(STANDARD, name="heaps", movement=heaps)
    settings = Settings(Terms.series(5, STANDARD, other), caution=Caution(stood_s=5.5))
    table = begin(settings)
    assert (table.caution.stood_s, table.caution.rules) == (5.5, STANDARD.movement)
    game = replace(table.match.game, profile=other)
    later = replace(table, match=replace(table.match, game=game))
    assert (later.caution.stood_s, later.caution.rules) == (5.5, heaps)
    unknown = replace(other, movement=MovementRules(max_stack=7))
    elsewhere = replace(table, match=replace(table.match, game=replace(game, profile=unknown)))
    assert elsewhere.caution == Caution(rules=unknown.movement, stood_s=5.5)


def test_a_table_does_not_make_its_caution_anew_each_time() -> None:
    table = begin(Settings(Terms.match(STANDARD, 5)))
    assert table.caution is table.caution


def test_settings_with_another_caution_are_no_less_careful_than_it_says() -> None:
    settings = replace(Settings(Terms.match(STANDARD, 5)), caution=Caution(stood_s=6.5))
    assert begin(settings).caution.stood_s == 6.5


def evening(caution: Caution) -> Evening:
    """An evening at a table of the standard rules."""
    return Evening(Settings(Terms.match(STANDARD, 5), clock=True, caution=caution))


@pytest.mark.parametrize(("tell_mm", "told"), [(2.0, 1), (5.0, 0)])
def test_how_far_the_board_is_pushed_before_that_is_told_can_be_set(tell_mm: float, told: int) -> None:
    at_table = evening(Caution(tell_mm=tell_mm))
    for number in range(4):
        drift = BoardDrift(3.0, 0.0, 0.0, (1.0, 1.0, 1.0), 0.8)
        reading = replace(at_table.film.read(START), drift=drift)
        at_table.tell(FrameSeen(number * 0.3, number, reading))
    assert len(at_table.of(Bumped)) == told


@pytest.mark.parametrize(("steady_cube", "phase"), [(2, Phase.CUBE_OFFERED), (3, Phase.TO_ROLL)])
def test_in_how_many_pictures_a_cube_is_believed_can_be_set(steady_cube: int, phase: Phase) -> None:
    at_table = evening(Caution(steady_cube=steady_cube))
    at_table.start(3, 1)
    at_table.move(at_table.legal())
    at_table.done()
    at_table.film.cube = CubeSeen(2, "light")
    at_table.look(pictures=2)
    assert at_table.table.phase is phase


@pytest.mark.parametrize(("shown_at_once", "put"), [(4, {8, 24}), (3, set[int]())])
def test_how_many_places_the_lights_show_at_once_can_be_set(shown_at_once: int, put: set[int]) -> None:
    at_table = evening(Caution(shown_at_once=shown_at_once))
    points = list(START.points)
    points[23] -= 1
    points[22] += 1
    points[7] -= 1
    points[9] += 1
    at_table.look(Position.from_counts(points))
    lit = at_table.table.lit
    assert {point for point in range(1, 25) if lit[point] is Signal.TAKE} == {10, 23}
    assert {point for point in range(1, 25) if lit[point] is Signal.PUT} == put


@pytest.mark.parametrize(("dice", "turns"), [(DiceFrom.ELECTRONIC, 1), (DiceFrom.CAMERA, 5)])
def test_how_many_turns_stay_open_can_be_set_by_who_tells_the_rolls(dice: DiceFrom, turns: int) -> None:
    settings = Settings(Terms.match(STANDARD, 5), dice=dice, caution=Caution(open_turns=1, open_turns_seen=5))
    assert settings.open_turns == turns
    assert replace(settings, hindsight=3).open_turns == 3


@pytest.mark.parametrize(("rest_s", "phase"), [(4.0, Phase.MOVING), (2.0, Phase.TO_ROLL)])
def test_how_long_a_play_must_rest_can_be_set(rest_s: float, phase: Phase) -> None:
    at_table = Evening(Settings(Terms.match(STANDARD, 5), ends=frozenset({End.REST}), rest_s=rest_s))
    at_table.start(3, 1)
    at_table.move(at_table.legal())
    at_table.tell(Ticked(at_table.t + 2.5))
    assert at_table.table.phase is phase
