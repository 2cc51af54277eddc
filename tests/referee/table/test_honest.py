"""Whatever honest players press, say and ask for, nobody is accused, and the record has what was played."""

import pytest

from controller.referee.actions import Flagged, Phase, TurnJudged
from controller.referee.table.settings import Settings
from tests.amounts import amount
from tests.referee.table.honest import DEEDS, SAY_OTHER, Honest, electronic, in_pictures

TURNS = 25


@pytest.mark.parametrize("seed", range(amount(3, 300)))
@pytest.mark.parametrize("settings", [electronic(), in_pictures()], ids=["electronic", "in pictures"])
def test_nobody_is_accused_whatever_honest_players_do(settings: Settings, seed: int) -> None:
    game = Honest.at(settings, seed)
    done: list[str] = []
    for _ in range(TURNS):
        deed = game.rng.choice(DEEDS)
        done.append(deed.__name__)
        deed(game)
        game.settle()
        evening = game.evening
        assert not evening.of(Flagged), done
        assert not [
            turn for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged) and turn.legal is False
        ]
        if evening.table.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
            break
        assert evening.table.phase is Phase.TO_ROLL, done
        assert evening.table.on_turn is game.side.opponent, done
        assert deed in SAY_OTHER or evening.table.position == game.end, done
        if not game.go_on():
            break
    # Which other play was said in the last turn nobody has contradicted yet.
    *told, _ = game.told().values()
    assert not {*told} - {*game.played}, done
