"""A turn that is taken back: the files of the match follow, and so does a table that starts again."""

import json
from pathlib import Path

from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import EVENTS, JOURNAL, MAT, NAME
from controller.referee import Phase
from controller.referee.table.state import shows
from controller.rules import START
from tests.app.test_live import Running, Scene
from tests.app.test_room import ask, begin_game, config_in, words
from tests.referee.table.test_turns import GOOD, OTHER


def lines_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / EVENTS).read_text().splitlines()]


def test_a_turn_that_both_players_take_back_is_no_part_of_the_match_any_more(tmp_path: Path) -> None:
    scene = Scene()
    with Running(config_in(tmp_path), scene) as table:
        begin_game(table)
        scene.lay(GOOD)
        assert ask(table.room, "light", what="played", play="8/5 6/5").done
        table.until_phase(Phase.TO_ROLL)
        table.until(lambda: shows(table.table.state, GOOD))
        assert ask(table.room, "light", what="undo", side="light").done
        table.until_told("Anna asks to take back the last play (Anna, 3-1). Béla: agree, or just play on.")
        assert ask(table.room, "dark", what="undo", side="dark").done
        table.until_told("The last play is taken back.")
        table.until_phase(Phase.SET_UP)
        scene.lay(START)
        table.until_phase(Phase.MOVING)
        refused = ask(table.room, "dark", what="undo", side="dark")
        assert words(refused) == "There is no play to take back."
    with Journal(table.table.path / JOURNAL, read_only=True) as journal:
        assert not list(read_match(journal, NAME).games[0].played)
    with Running(config_in(tmp_path), scene) as again:
        assert again.table.state.position == START
        again.until_phase(Phase.MOVING)
        scene.lay(OTHER)
        assert ask(again.room, "light", what="played", play="24/23 13/10").done
        again.until_phase(Phase.TO_ROLL)
    kinds = [
        (line.get("kind", "turn"), line.get("ply"), line.get("move")) for line in lines_of(again.table.path)
    ]
    told = [line for line in kinds if line[0] in ("turn", "undone")]
    assert told == [("turn", 0, "8/5 6/5"), ("undone", 0, None), ("turn", 0, "24/23 13/10")]
    text = (again.table.path / MAT).read_text()
    assert "24/23 13/10" in text
    assert "8/5" not in text
