"""Two tables that play one match conclude the same, whatever becomes of the line between them."""

from controller.referee.actions import Flagged
from tests.partner.far_tables import far_match


def test_both_tables_record_the_same_match_over_a_line_that_breaks_all_the_time() -> None:
    match = far_match(1, 1, cheats=0.1, doubles=0.05)
    match.play(share=0.7)
    light, dark = match.tables
    assert match.cuts > 20
    assert light.turns() == dark.turns()
    assert light.table.match.results == dark.table.match.results
    assert light.table.match.score == dark.table.match.score
    flagged = [sum(isinstance(each, Flagged) for each in table.actions) for table in match.tables]
    assert flagged[0] == flagged[1] > 0
