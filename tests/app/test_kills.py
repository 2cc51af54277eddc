"""Kills in the middle of play: every confirmed play is kept, and the match stands where it stood."""

import multiprocessing
import random
from pathlib import Path

from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import NAME
from controller.record.table.resume import LiveMatch
from tests.app.dying import play_until_killed
from tests.app.opened import standing

KILLS = 10


def test_whenever_the_program_is_killed_the_match_stands_where_it_stood(tmp_path: Path) -> None:
    kill_in_mid_match(tmp_path, KILLS)


def kill_in_mid_match(tmp_path: Path, kills: int) -> None:
    """Play matches in a process that is killed so often, at any moment, and look each time at what it left."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.app.dying"])
    rng = random.Random(5)
    folder, matches, turns, in_play = tmp_path, 0, 0, 0
    for number in range(kills):
        if turns == 0:
            matches += 1
            folder = tmp_path / str(matches)
            folder.mkdir()
        here, there = processes.Pipe(duplex=False)
        player = processes.Process(target=play_until_killed, args=(folder, number, there), daemon=True)
        player.start()
        there.close()
        lives_on, last = rng.choice([1, 5, 20, 60]), None
        while True:
            try:
                last = here.recv()
            except (EOFError, OSError):
                break
            lives_on -= 1
            if lives_on == 0:
                player.kill()
        player.join()
        here.close()
        assert last is not None
        event, told, over = last
        with Journal(folder / "journal.db") as journal:
            journal.verify()
            found = LiveMatch.read(journal, NAME)
            acknowledged = LiveMatch(journal, NAME, tuple(each for each in found.events if each.id <= event))
            assert repr(standing(acknowledged.table())) == told
            kept = sum(len(game.turns) for game in read_match(journal, NAME).games)
        assert kept >= turns
        turns = 0 if over else kept
        in_play += not over
    assert in_play > kills / 2
