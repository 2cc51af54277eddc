"""Two players with a camera and nothing else play a match by typing."""

from pathlib import Path
from random import Random

import pytest

from controller.app.keyboard import Keyboard
from controller.app.typed import TypedError, Typist
from controller.config import Config
from controller.config.sections import BoardSection, MatchSection, TableSection
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record.filter.keys import Keys
from controller.record.filter.line_reader import said_event
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee import Phase
from controller.rules import START, Side, format_play, legal_plays
from tests.app.test_live import Running, Scene
from tests.referee.table.scenes import SCENES
from tests.rows import each_row

NAMES = {Side.LIGHT: "Anna", Side.DARK: "Béla"}
ENGLISH = Typist(("en",), NAMES)


class Typing(Running):
    """A table at work, and its keyboard."""

    def __enter__(self) -> "Typing":
        super().__enter__()
        self.keyboard = Keyboard(self.room, self._stop.set)
        return self

    def type(self, line: str) -> None:
        self.keyboard.type(line)


def config_in(folder: Path, *languages: str) -> Config:
    return Config(
        folder=folder,
        match=MatchSection(light="Anna", dark="Béla", length=3),
        board=BoardSection(port="none"),
        table=TableSection(languages=languages or ("en",)),
    )


def test_a_match_is_played_to_its_end_by_typing(tmp_path: Path) -> None:
    scene, rng = Scene(), Random(7)
    with Typing(config_in(tmp_path), scene) as table:
        table.until_phase(Phase.OPENING_ROLL)
        table.type("roll 3 1")
        played = 0
        while played < 6:
            table.until_phase(Phase.MOVING)
            thrown = table.table.state.thrown
            assert thrown is not None
            assert thrown.side is not None
            position = table.table.state.position
            plays = legal_plays(position, thrown.side, thrown.roll)
            play = rng.choice(plays)
            if played % 2:
                table.type(f"played {format_play(play.play)}")
                scene.lay(play.after)
            else:
                scene.lay(play.after)
                table.until(
                    lambda after=play.after: bool(table.table.state.views[-1].visible.scores([after])[0] > -3)
                )
                table.type("done")
            table.until(lambda after=play.after: table.table.state.position == after)
            table.until_phase(Phase.TO_ROLL)
            played += 1
            if played < 6:
                table.type(f"{rng.randint(1, 6)}-{rng.randint(1, 6)}")
        table.type("double")
        table.until_phase(Phase.CUBE_OFFERED)
        table.type("take")
        table.until_phase(Phase.TO_ROLL)
        table.type("resign gammon")
        table.until_phase(Phase.RESIGNATION_OFFERED)
        table.type("accept")
        table.until_phase(Phase.MATCH_OVER)
        folder = table.table.path
        said = "".join(table.text)
        assert "Anna to roll." in said
        assert "rolled" in said
    with Journal(folder / JOURNAL, read_only=True) as journal:
        record = read_match(journal, NAME)
        inputs = [event.payload for event in journal.events(NAME) if event.kind == "input"]
    (game,) = record.games
    assert len(list(game.played)) == 6
    assert game.result is not None
    assert game.result.points == 4
    assert {str(each["by"]) for each in inputs if each["input"] == "said"} == {"light", "dark"}


def test_a_line_that_says_nothing_now_is_answered_with_what_can_be_typed(tmp_path: Path) -> None:
    with Typing(config_in(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        table.type("take")
        table.type("roll 77")
        said = "".join(table.text)
    assert '"take" says nothing to the table now. Type one of: roll' in said
    assert "Type it like this: roll 31" in said


def test_a_word_of_the_program_ends_it(tmp_path: Path) -> None:
    with Typing(config_in(tmp_path), Scene()) as table:
        table.until_phase(Phase.OPENING_ROLL)
        table.type("quit")
        table._thread.join(120)
        assert not table._thread.is_alive()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_its_own_words_and_takes_the_english_ones(language: str) -> None:
    typist, table = Typist((language,), NAMES), SCENES[Phase.CUBE_OFFERED]().table
    own = catalogue(language).text("typed", "take")
    for word in (own, own.upper(), "take"):
        assert typist.read(word, table).saying == {"what": "take", "side": "light"}


@pytest.mark.parametrize("speaker", ["light", "Light", "anna", "Anna "])
def test_a_name_or_a_side_before_a_line_says_who_speaks(speaker: str) -> None:
    table = SCENES[Phase.TO_ROLL]().table
    typed = ENGLISH.read(f"{speaker}: resign backgammon", table)
    assert typed.by == "light"
    assert typed.saying == {"what": "resign", "side": "light", "amount": 3}


def test_two_players_at_one_keyboard_take_a_turn_back_by_a_word_each() -> None:
    evening = SCENES[Phase.TO_ROLL]()
    speakers = []
    for _ in range(2):
        typed = ENGLISH.read("undo", evening.table)
        speakers.append(typed.by)
        evening.tell(said_event(evening.t, Keys({**typed.saying, "by": typed.by})))
    assert speakers == ["dark", "light"]
    assert evening.table.position == START


def test_rulings_and_awards_are_the_directors() -> None:
    table = SCENES[Phase.TO_ROLL]().table
    typed = ENGLISH.read(f"ruling {START.compact()} Béla", table)
    assert (typed.by, typed.saying) == (
        "director",
        {"what": "ruling", "position": START.compact(), "on_roll": "dark"},
    )
    assert ENGLISH.read("award anna 2", table).saying == {"what": "award", "winner": "light", "points": 2}


@each_row("line", ["ruling nonsense light", "award nobody 2", "award light many", "roll", "played"])
def test_what_is_missing_after_a_word_is_said(line: str) -> None:
    for phase in (Phase.TO_ROLL, Phase.MOVING):
        with pytest.raises(TypedError, match=r"[.]"):
            ENGLISH.read(line, SCENES[phase]().table)


def test_where_no_match_is_on_one_can_be_begun() -> None:
    assert ENGLISH.read("start", None).word == "start"
    with pytest.raises(TypedError, match="Type one of: start, help"):
        ENGLISH.read("double", None)
