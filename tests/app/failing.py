"""A process that plays matches on a disk that fails now and then, and tells what it told people."""

import json
import sys
from pathlib import Path
from random import Random

from controller.app.desk import Desk
from controller.messages.device_words import LocalText
from controller.record.table.match_folder import NAME, MatchFolder
from tests.app.damages import confirmed_in
from tests.app.opened import FIVE, UTC, play
from tests.app.playing import Players


def play_on(path: Path, switch: Path, seed: int, recovers: bool) -> dict[str, object]:
    """Play 150 inputs; the disk fails at a random one, and works again later if it `recovers`.

    Gives what was said, and how many confirmed turns and results there were.
    """
    rng, said, time = Random(seed), list[str](), [0.0]

    def tell(words: LocalText) -> None:
        said.append(words("en"))

    switch.write_text("-")
    folder = MatchFolder(path, lambda: UTC, tell, lambda: time[0], begun={"number": 1})
    desk = Desk.open(FIVE, folder.book, folder.follow)
    players = Players(Random(seed), doubles=0.05)
    play(desk, players, most=rng.randrange(1, 100))
    switch.write_text(rng.choice("FE"))
    play(desk, players, most=rng.randrange(1, 50))
    if recovers:
        switch.write_text("-")
        time[0] += 60.0
        play(desk, players, most=rng.randrange(1, 50))
    confirmed = confirmed_in(folder.journal.events(NAME)).total()
    folder.write_match()
    folder.close()
    return {"said": said, "confirmed": confirmed}


if __name__ == "__main__":
    _, place, times, recovers = sys.argv
    played = [
        play_on(Path(place) / f"match-{seed}", Path(place) / "switch", seed, recovers == "recovers")
        for seed in range(int(times))
    ]
    sys.stdout.write(json.dumps(played))
