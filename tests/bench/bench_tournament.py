"""How long a draw of 128 players takes, and what follows from the events of an evening: time of the processor."""

import random
import time
from typing import Any

from controller.tournament.catalogue import format_names
from controller.tournament.changes import draw
from controller.tournament.events import MatchesDrawn, ResultReported, TournamentEvent
from controller.tournament.fault import TournamentError
from controller.tournament.tournament import fold
from tests.tournament.evenings import any_result, free_pairs, open_matches, opening

Row = dict[str, Any]
PLAYERS = 128
ROUNDS = 5
MOST_S = 1.0


def run() -> list[Row]:
    """The slowest draw of each format, and the fold of the longest of the logs."""
    rows, longest = [], list[TournamentEvent]()
    for name in format_names():
        chance, worst = random.Random(1), 0.0
        events = opening(name, PLAYERS, clubs=9)
        for _ in range(ROUNDS):
            try:
                pairs = free_pairs(fold(events), chance)
                start = time.process_time()
                drawn: MatchesDrawn = draw(events, pairs=pairs)
            except TournamentError:
                break
            worst = max(worst, time.process_time() - start)
            events.append(drawn)
            while opened := open_matches(fold(events)):
                events += [ResultReported(state.match.number, any_result(state, chance)) for state in opened]
        longest = max(longest, events, key=len)
        rows.append(
            {"name": f"draw of {PLAYERS} players, {name}", "value": worst, "unit": "s", "target": MOST_S}
        )
    start = time.process_time()
    fold(longest)
    spent = time.process_time() - start
    rows.append({"name": f"a tournament read from {len(longest)} events", "value": spent, "unit": "s"})
    return rows


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:55} {row['value']:.3f} {row['unit']}")
