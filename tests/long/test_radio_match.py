"""A whole match at a live table with simulated GoDice and a simulated WLED: recorded, and nobody is accused."""

import random
from contextlib import ExitStack
from pathlib import Path

from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee import Phase
from controller.rules import Side
from tests.app.test_radio_dice import table_with
from tests.app.test_wled_lights import lit, wanted
from tests.devices.radio_dice import GoDiceLanguage
from tests.devices.simulated_wled import SimulatedWled

MOST_TURNS = 300


def test_a_match_with_godice_and_a_wled_is_whole_and_nobody_is_accused(tmp_path: Path) -> None:
    rng, wled = random.Random(11), SimulatedWled(29)
    lights = f'[lights]\nsource = "wled"\naddress = "{wled.address}"\n'
    played: list[tuple[Side, tuple[int, int]]] = []
    with ExitStack() as stack:
        stack.callback(wled.power_off)
        sitting = stack.enter_context(table_with(tmp_path, GoDiceLanguage(rng), lights))
        sitting.running.until_told("The lights are there")
        sitting.open(3, 1)
        for _ in range(MOST_TURNS):
            thrown = sitting.running.table.state.thrown
            if sitting.phase is Phase.MOVING and thrown is not None:
                played.append((thrown.side, thrown.roll.dice))
                sitting.play()
                sitting.running.until(lambda: lit(wled) == wanted(sitting.running))
            if sitting.phase is Phase.MATCH_OVER:
                break
            assert sitting.phase is Phase.TO_ROLL, "".join(sitting.running.text)
            side = sitting.running.table.state.on_turn
            assert side is not None
            faces = rng.randint(1, 6), rng.randint(1, 6)
            sitting.throw(side, *faces)
            sitting.running.until(lambda: sitting.phase is not Phase.TO_ROLL)
            now = sitting.running.table.state.thrown
            assert now is not None
            assert sorted(now.roll.dice) == sorted(faces)
        folder = sitting.running.table.path
    with Journal(folder / JOURNAL, read_only=True) as journal:
        (game,) = read_match(journal, NAME).games
    assert [(turn.player, turn.roll.dice) for turn in game.turns] == played
    assert all(turn.legal for turn in game.turns)
