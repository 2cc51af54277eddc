import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from controller.record.files.mat import mat_text
from controller.record.journal.journal import Journal, JournalError, Json
from controller.record.match.match import MONEY, Act, Facts, MatchRecord, Note, RecordError
from controller.record.match.match_log import MatchLog, read_match
from controller.rules.game.events import Doubled, OpeningRoll, Taken
from controller.rules.game.match_record import terms_record
from controller.rules.position import Position, Side
from tests.record.matches import random_game, random_match, terms_of

TERMS: Json = terms_record(MONEY)


def noon() -> str:
    return "2026-11-21T12:00:00Z"


def logged(journal: Journal, name: str, match: MatchRecord) -> None:
    log = MatchLog(journal, name, noon)
    log.begin_match(match.light, match.dark, match.terms, match.facts)
    for game in match.games:
        log.begin_game(game.start, game.light_score, game.dark_score)
        for entry in game.entries:
            log.add(entry)
        log.add(Note("bump", 3, 1.5, {"moved_mm": 4}))
        if game.result:
            log.end_game(game.result)


def test_a_match_comes_back_from_the_journal_as_it_was(tmp_path: Path) -> None:
    matches = {
        f"table-{seed}": random_match(seed, games=1, length=3 * seed, illegal=0.05, corrected=0.05)
        for seed in range(2)
    }
    start = Position.from_compact("A.c.bBBB..a.AaaC..bAb.BaAa")
    broken_off = random_game(random.Random(1), start=start, longest=5)
    matches["broken off"] = MatchRecord("", "Žofia", MONEY, (broken_off,))
    acts = (Act(OpeningRoll(3, 3), 0.5), Act(Doubled(Side.LIGHT)), Act(Taken(Side.DARK), 2.25, noon()))
    doubled = replace(broken_off, entries=(*acts, *broken_off.entries))
    matches["doubled"] = MatchRecord("A", "B", terms_of(5), (doubled,))
    matches["not begun"] = MatchRecord("A", "B", terms_of(7), (), Facts(date(2026, 1, 2), event="Spring"))
    with Journal(tmp_path / "journal.db") as journal:
        for name, match in matches.items():
            logged(journal, name, match)
        assert journal.matches() == tuple(matches)
        for name, match in matches.items():
            assert read_match(journal, name) == match
            assert mat_text(read_match(journal, name)) == mat_text(match)
        journal.verify()


def test_a_turn_that_was_taken_back_at_the_table_is_left_out_with_all_that_came_of_it(tmp_path: Path) -> None:
    game = random_game(random.Random(1), longest=6)
    *before, last = game.turns
    match = MatchRecord("A", "B", terms_of(5), (replace(game, entries=tuple(before), result=None),))
    with Journal(tmp_path / "journal.db") as journal:
        logged(journal, "1", match)
        log = MatchLog(journal, "1", noon)
        log.add(last)
        log.add(Act(Doubled(last.player.opponent)))
        log.add(Act(Taken(last.player)))
        log.add(Note("undone", None, 9.0, {"ply": last.ply, "player": str(last.player)}))
        assert read_match(journal, "1") == match
        log.add(last)
        assert read_match(journal, "1").games[0].turns == game.turns


def test_a_match_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        logged(journal, "table-1", MatchRecord("A", "B", terms_of(7)))
        with pytest.raises(JournalError, match=r"no match 'table-2' in .*; it holds: table-1\."):
            read_match(journal, "table-2")


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("turn", {"ply": 0}),
        ("game", {"start": "nonsense", "light_score": 0, "dark_score": 0}),
        ("result", {"winner": "red", "points": 1}),
        ("match", {"light": "A", "dark": "B", "terms": {**TERMS, "length": -1}, "facts": {}}),
        ("match", {"light": "A", "dark": "B", "terms": TERMS, "facts": {"played_on": "yesterday"}}),
        ("match", {"light": "A", "dark": "B", "terms": TERMS, "facts": {"colour": "red"}}),
        ("act", {"event": "doubled", "side": "red"}),
        ("act", {"event": "played", "side": "light", "after": "b....E.C...eE...c.e....B..", "play": None}),
    ],
)
def test_an_event_that_makes_no_sense_is_named(tmp_path: Path, kind: str, payload: dict[str, Json]) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        journal.append("m", kind, payload, utc=noon())
        with pytest.raises(JournalError, match=rf"Event 1 of .* is not a {kind} that can be read"):
            read_match(journal, "m")


def test_a_note_cannot_pass_for_a_turn(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal, pytest.raises(RecordError, match="'turn'"):
        MatchLog(journal, "m", noon).add(Note("turn", None, 0.0))


def pushed(board: Position) -> Position:
    """The same board with a checker of dark pushed to a free point."""
    counts = list(board.points)
    source = next(at for at, count in enumerate(counts) if count < 0)
    target = next(at for at, count in enumerate(counts) if count == 0)
    counts[source] += 1
    counts[target] -= 1
    return Position.from_counts(counts, board.bar(Side.LIGHT), board.bar(Side.DARK))


@pytest.mark.parametrize("plies", [range(3, 30), range(4, 5)])
def test_a_legal_turn_ends_where_its_play_ends_however_the_checkers_lay_after_it(
    tmp_path: Path, plies: range
) -> None:
    match = random_match(1, games=1)
    (game,) = match.games
    lying = tuple(
        replace(turn, after=pushed(turn.after)) if turn.ply in plies else turn for turn in game.turns
    )
    with Journal(tmp_path / "journal.db") as journal:
        logged(journal, "1", replace(match, games=(replace(game, entries=lying),)))
        assert read_match(journal, "1").games == match.games


def test_what_nobody_confirmed_stays_as_it_lay(tmp_path: Path) -> None:
    match = random_match(1, games=1)
    (game,) = match.games
    doubted = replace(game.turns[3], after=pushed(game.turns[3].after), legal=None, probability=0.8)
    entries = (*game.entries[:3], doubted, *game.entries[4:])
    with Journal(tmp_path / "journal.db") as journal:
        logged(journal, "1", replace(match, games=(replace(game, entries=entries),)))
        assert read_match(journal, "1").games[0].turns[3].after == doubted.after
