"""Twenty matches to 5 against gnubg: all end, and each of its plays is carried out as it was announced."""

import sys
from dataclasses import replace
from pathlib import Path

from controller.partner.mind import EngineMind
from controller.referee.actions import Message
from tests.demo.test_engine_seat import AGAINST, played

MATCHES = 20
FEWEST_MISCARRIED = 30


def test_twenty_matches_against_gnubg_end_and_every_other_carrying_is_named(tmp_path: Path) -> None:
    miscarried = 0
    for seed in range(1, MATCHES + 1):
        plan = replace(AGAINST, length=5, seed=seed, miscarries=0.08)
        floor, heard = played(tmp_path / str(seed), plan, EngineMind)
        assert heard.carried == heard.announced
        assert heard.counts[Message.OTHER_PLAY] == floor.miscarried
        assert heard.illegal == 0
        miscarried += floor.miscarried
        sys.stderr.write(
            f"{seed}: {len(heard.carried)} plays, {floor.miscarried} carried out otherwise first\n"
        )
    assert miscarried >= FEWEST_MISCARRIED
