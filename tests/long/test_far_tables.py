"""Two tables over one match whose network is cut twenty times: nothing is lost or doubled, the clocks are right."""

from pathlib import Path

from tests.bench.bench_far_tables import play

CUTS = 20


def test_a_match_of_two_tables_survives_twenty_cuts(tmp_path: Path) -> None:
    played = play(tmp_path, CUTS)
    assert played.cuts == CUTS
    assert (played.lost, played.doubled) == (0, 0)
    assert played.clock_s < 1
