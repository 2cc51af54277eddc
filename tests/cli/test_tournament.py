"""A director's evening on the command line."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.messages.catalogue import LANGUAGES
from tests.cli.conftest import Run


@pytest.fixture
def cup(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "cup.jsonl"
    run("tournament", "new", file, "--name", "Cup", "--format", "swiss", "--rounds", 2, "--seed", "4-2")
    run("tournament", "enter", file, "Ann", "Bó", "Cyd", "Dan", "Eve")
    return file


def test_the_seed_is_shown_before_anybody_enters(run: Run, tmp_path: Path) -> None:
    said = run(
        "tournament", "new", tmp_path / "a.jsonl", "--name", "Cup", "--format", "swiss", "--seed", "4-2"
    )
    assert "Seed of the draw: 4-2" in said
    said = run("tournament", "new", tmp_path / "b.jsonl", "--name", "Cup", "--format", "swiss")
    assert re.search(r"Seed of the draw: [0-9a-f]{8}\.", said)


def test_an_evening_from_entries_to_standings(run: Run, cup: Path) -> None:
    drawn = run("tournament", "draw", cup)
    assert "Seed of the draw: 4-2" in drawn
    assert "Round 1 of 2, to 7 points" in drawn
    pairs = re.findall(r"^ +(\d+) +(\w+) +- (\w+)$", drawn, re.MULTILINE)
    assert len(pairs) == 3
    run("tournament", "enter", cup, "Fay")
    shown = run("tournament", "show", cup)
    assert "bye" not in shown
    for number, *_ in pairs:
        said = run("tournament", "result", cup, number, "7-3")
    assert "the next draw can follow" in said
    run("tournament", "draw", cup)
    second = re.findall(r"^ +(\d+) +(\w+) +- (\w+)$", run("tournament", "show", cup), re.MULTILINE)
    run("tournament", "withdraw", cup, second[0][1])
    for _, one, other in second[1:]:
        said = run("tournament", "result", cup, other, one, "7 : 0")
    assert "The tournament is over." in said
    assert "1 walk-over" in run("tournament", "show", cup, "--all")
    standings = run("tournament", "standings", cup)
    assert "Buchholz" in standings
    assert "withdrawn" in standings
    assert "Walk-overs do not count" in run("tournament", "ratings", cup)
    assert run("tournament", "show", cup, "--log").count("result: match") == 5


def test_undone_results_leave_what_is_shown_as_it_was(run: Run, cup: Path) -> None:
    run("tournament", "draw", cup)
    before = run("tournament", "show", cup, "--all"), run("tournament", "standings", cup)
    run("tournament", "result", cup, 1, "7-3")
    assert (run("tournament", "show", cup, "--all"), run("tournament", "standings", cup)) != before
    assert "undone: 8  result: match 1" in run("tournament", "undo", cup)
    assert (run("tournament", "show", cup, "--all"), run("tournament", "standings", cup)) == before


def test_a_trial_changes_nothing(run: Run, cup: Path) -> None:
    before = cup.read_bytes()
    trial = run("tournament", "draw", cup, "--trial")
    assert cup.read_bytes() == before
    assert run("tournament", "draw", cup) == trial


def test_a_list_of_players_is_read_with_any_separator(run: Run, cup: Path, tmp_path: Path) -> None:
    for number, mark in enumerate(",;\t"):
        names = tmp_path / "names.csv"
        names.write_text(
            f"\ufeffName{mark}Club{mark}Rating\nX{number}{mark}Pest{mark}1512.5\n\nY{number}\n", "utf-8"
        )
        assert "2 players entered" in run("tournament", "enter", cup, "--from", names)
    rows = list(csv.DictReader(io.StringIO(run_csv(run, cup, tmp_path, "players"))))
    assert [row["rating"] for row in rows if row["club"] == "Pest"] == ["1512.5"] * 3


def run_csv(run: Run, cup: Path, folder: Path, table: str) -> str:
    out = folder / f"{table}.csv"
    run("tournament", "export", cup, "--format", "csv", "--table", table, "--out", out)
    return out.read_bytes().decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chosen", ["double-elimination", "groups-knockout", "three-lives", "consolation"])
def test_every_sheet_can_be_written_in_every_language(
    run: Run, tmp_path: Path, language: str, chosen: str
) -> None:
    file = tmp_path / "cup.jsonl"
    run(
        "tournament",
        "new",
        file,
        "--name",
        "<Cup> & Co",
        "--format",
        chosen,
        "--clock",
        "bronstein",
        "--length",
        5,
    )
    run("tournament", "enter", file, *"ABCDEFGHIJ", "=1+1 <b>")
    run("tournament", "draw", file, "--language", language)
    for command in ("show", "standings", "ratings"):
        assert run("tournament", command, file, "--language", language)
    for option in ("--all", "--players", "--log"):
        assert run("tournament", "show", file, option, "--language", language)
    for form in ("csv", "json", "html"):
        out = tmp_path / f"cup.{form}"
        run("tournament", "export", file, "--format", form, "--out", out, "--language", language)
    assert len(json.loads((tmp_path / "cup.json").read_text("utf-8"))["players"]) == 11
    page = (tmp_path / "cup.html").read_text("utf-8")
    assert "<b>" not in page
    assert "&lt;Cup&gt; &amp; Co" in page
    assert " =1+1 <b>" in {
        row["name"] for row in csv.DictReader(io.StringIO(run_csv(run, file, tmp_path, "players")))
    }
    if chosen in ("double-elimination", "consolation"):
        drawing = tmp_path / "cup.svg"
        run("tournament", "export", file, "--format", "svg", "--out", drawing, "--language", language)
        root = ElementTree.fromstring(drawing.read_text("utf-8"))
        assert (root.get("width"), root.get("height")) == ("420mm", "297mm")


def test_the_bracket_shows_every_player_inside_the_sheet(run: Run, tmp_path: Path) -> None:
    file, out, names = tmp_path / "cup.jsonl", tmp_path / "cup.svg", tmp_path / "names.csv"
    run("tournament", "new", file, "--name", "Cup", "--format", "consolation")
    names.write_text("name\n" + "".join(f"Player {each}\n" for each in range(100)))
    run("tournament", "enter", file, "--from", names)
    run("tournament", "draw", file)
    run("tournament", "export", file, "--format", "svg", "--out", out)
    texts = list(ElementTree.fromstring(out.read_text()).iter("{http://www.w3.org/2000/svg}text"))
    assert {f"Player {each}" for each in range(100)} <= {each.text for each in texts}
    for each in texts:
        assert 0 < float(each.get("x", "-1")) < 420
        assert 0 < float(each.get("y", "-1")) < 297


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("new", "CUP", "--name", "x", "--format", "swiss"), "exists already; name a new file"),
        (("new", "NEW", "--name", "x", "--format", "swis"), "perhaps swiss is meant"),
        (("new", "NEW", "--name", "x", "--format", "swiss", "--length", "7,x"), "'x' is no match length"),
        (("new", "NEW", "--name", "x", "--format", "consolation", "--rounds", "3"), "leave it out"),
        (("new", "NEW", "--name", " ", "--format", "swiss"), "is no name of a tournament"),
        (("enter", "CUP"), "nobody was named"),
        (("enter", "CUP", "ann"), "has entered already"),
        (("enter", "CUP", "\u202ex"), "signs that cannot be seen"),
        (("enter", "CUP", "X", "Y", "--rating", "1500"), "--rating is for one player"),
        (("enter", "CUP", "X", "--rating", "99999"), "is no rating; give 0 to 4000"),
        (("enter", "NEW", "X"), "there is no such file"),
        (("withdraw", "CUP", "Bob"), 'There is no player "Bob"; check the name (show --players lists them).'),
        (("result", "CUP", "1", "7-3"), "There is no match 1; check its number (show lists the matches)."),
        (("result", "CUP", "Ann", "Bó", "7-3"), "are not paired; no match is open"),
        (("result", "CUP", "Ann", "7"), '"7" is no score'),
        (("result", "CUP", "Ann", "Bó", "Cyd", "7-3"), "names no match"),
        (("result", "CUP", "1", "--walkover"), "needs both players"),
        (("draw", "CUP", "--pair", "Ann"), "is no pair"),
        (("undo", "CUP", "99"), "There is no event 99; check its number (show --log lists the events)."),
        (("undo", "CUP", "1"), "beginning of a tournament cannot be undone"),
        (("export", "CUP", "--format", "svg", "--out", "NEW"), "has no such bracket to draw"),
        (("export", "CUP", "--format", "json", "--out", "CUP"), "is what is being read"),
        (("show", "CUP", "--language", "xx"), 'There are no texts in "xx"'),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(
    run: Run, cup: Path, words: tuple[str, ...], complaint: str
) -> None:
    before = cup.read_bytes()
    places = {"CUP": str(cup), "NEW": str(cup.with_name("new.jsonl"))}
    said = run("tournament", *(places.get(each, each) for each in words), status=2)
    assert complaint in said
    assert len(said.strip().splitlines()) == 1
    assert cup.read_bytes() == before
    assert not cup.with_name("new.jsonl").exists()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"event": 7, "kind": "result", "match": 1}', "line 7: something is missing or wrong"),
        ('{"event": 7, "kind": "joke"}', "line 7: there is no event 'joke'"),
        ('{"event": 7, "kind": "tournament", "version": 99}', "line 7: a newer Pointsman"),
        ('{"event": 7, "kind": "withdraw", "player": 77}', "player 77, who withdrew"),
        ('{"event": 7, "kind": "draw", "seed": "1", "totals": {}, "matches": [{"match": 1, "bracket": "main", '
         '"round": 1, "of": [["winner", 1], ["bye", 0]], "length": 7}]}', "line 7: something is missing or wrong"),
    ],
)  # fmt: skip
def test_a_file_that_was_tampered_with_is_refused(run: Run, cup: Path, line: str, complaint: str) -> None:
    cup.write_text(cup.read_text("utf-8") + line + "\n", "utf-8")
    assert complaint in run("tournament", "show", cup, status=2)


def test_a_torn_last_line_is_told(run: Run, cup: Path) -> None:
    cup.write_text(cup.read_text("utf-8") + '{"event": 7, "ki', "utf-8")
    run("tournament", "enter", cup, "Fay")
    assert "Fay" in run("tournament", "show", cup, "--players")
    assert "6 players" in run("tournament", "show", cup)


def test_fees_are_shared_out_and_side_pools_have_a_pot_of_their_own(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    new = ("tournament", "new", file, "--name", "Cup", "--format", "swiss", "--rounds", 1)
    assert "--fee ten is no amount" in run(*new, "--fee", "ten", status=2)
    assert "110 percent together" in run(*new, "--shares", "60,50", status=2)
    run(*new, "--fee", "12.50", "--shares", "60,40")
    run("tournament", "enter", file, "Ann", "Bob", "Cyd")
    run("tournament", "draw", file)
    open_ = re.search(r"(\w+) +- (?!bye)(\w+)$", run("tournament", "show", file), re.MULTILINE)
    assert open_ is not None
    run("tournament", "result", file, *open_.groups(), "7-2")
    prizes = re.findall(r"\d+\.\d\d", run("tournament", "standings", file))
    assert sum(round(100 * float(each)) for each in prizes) == 3750
    assert "pot of its own" in run("tournament", "prizes", file, "--among", "Ann", status=2)
    pool = run("tournament", "prizes", file, "--pot", 10, "--among", open_[1], "--among", open_[2])
    assert re.search(rf"{open_[1]} +6.00", pool)


def test_a_match_length_reaches_every_bracket_and_another_one_may_be_given_for_each(
    run: Run, tmp_path: Path
) -> None:
    def lengths(name: str, *options: object) -> dict[str, set[int]]:
        file = tmp_path / name
        run("tournament", "new", file, "--name", "Cup", "--format", "consolation", *options)
        run("tournament", "enter", file, *"ABCDEFGH")
        run("tournament", "draw", file)
        drawn = json.loads(file.read_text("utf-8").splitlines()[-1])
        found: dict[str, set[int]] = {}
        for match in drawn["matches"]:
            found.setdefault(match["bracket"], set()).add(match["length"])
        return found

    assert lengths("a.jsonl") == {"main": {9}, "consolation": {7}, "last_chance": {5}}
    assert lengths("b.jsonl", "--length", 1) == {"main": {1}, "consolation": {1}, "last_chance": {1}}
    assert lengths("c.jsonl", "--length", 11, "--last-chance", 3) == {
        "main": {11},
        "consolation": {11},
        "last_chance": {3},
    }


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--format", "free", "--rounds", 3), "no number of rounds"),
        (("--format", "single-elimination", "--rounds", 3), "no number of rounds"),
        (("--format", "swiss", "--consolation", 3), "no consolation"),
        (("--format", "consolation", "--knockout", 3), "no knockout"),
        (("--format", "consolation", "--consolation", "x"), "--consolation x"),
    ],
)
def test_what_a_format_does_not_have_cannot_be_chosen(
    run: Run, tmp_path: Path, options: tuple[object, ...], complaint: str
) -> None:
    file = tmp_path / "cup.jsonl"
    assert complaint in run("tournament", "new", file, "--name", "Cup", *options, status=2)
    assert not file.exists()
