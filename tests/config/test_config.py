"""One TOML file configures a table; whatever is wrong in it is one sentence with the line."""

import dataclasses
import re
from pathlib import Path

import pytest

from controller.config import Config, ConfigError, load_config
from controller.config.config import SECTIONS, all_keys, parse_config
from controller.config.sample import sample
from controller.config.sections import LightsAt
from controller.devices.link.happenings import Button
from controller.referee.caution import Caution, Strictness
from controller.referee.table.settings import DiceFrom, End, Premature
from controller.rules.game.clock import Delay
from controller.rules.game.match import Form
from controller.tomlfile.checks import Key, Number, keys_of
from controller.tomlfile.document import LARGEST
from tests.rows import each_row

THRESHOLDS = tuple(key for key in keys_of(Caution) if isinstance(key.check, Number))

OLDER = """
misread misread_unsure pile pile_doubt mixed intruder moved touched lead void void_die surprise unseen
missed_turn moved_dice opening_order illegal rare each_rule lost_checker witnesses witness most_rules
most_rules_seen readings seen_once calm pushed rolled_again dice_certain passes fits other_board
certainly_other set_up_anew lifted reported_late_s cube_late_s stood_s stood_partial_s kept kept_within
kept_after misread_die likely_roll dice_lead die_near
agrees certain_die cube_turn_s doubt doubt_of_guilt empty_hand faint_die four_or_six glitches gone_die
hidden_intruder hint_clear hint_fits hint_known least_certain legal_rest likely lone_die look_only lost_after_s
misread_tray open_turns open_turns_seen other_look other_rest patient_die same_deg same_light same_look same_mm
settled shifted_alike shifted_far shown_at_once steady_cube steady_die sure_cube sure_die tell_deg tell_light
tell_mm unchanged unseen_change weight_more weight_two
"""


def read(text: str, folder: Path = Path("club")) -> Config:
    return parse_config(text, "table.toml", folder)


def complaint(text: str, folder: Path = Path("club")) -> str:
    with pytest.raises(ConfigError) as told:
        read(text, folder)
    sentence = str(told.value)
    assert sentence.startswith("table.toml")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


# --- what it means --------------------------------------------------------------------------------------------


def test_an_empty_file_is_a_whole_configuration() -> None:
    config = read("")
    assert dataclasses.replace(config, label="", folder=Path()) == Config()
    settings = config.settings()
    assert settings.terms.form is Form.MATCH
    assert settings.terms.profiles[0].name == "standard-match"
    assert settings.dice is DiceFrom.CAMERA
    assert not settings.clock
    assert config.time_control() is None


def test_what_is_written_reaches_the_referee() -> None:
    config = read(
        """
        [match]
        light = "Kuulo"
        dark = "Šťastný Žižka"
        length = 11
        profile = "hubgf-match"
        event = "Cup"
        [table]
        ends = ["rest", "clock"]
        rest_s = 2.5
        premature = "ask"
        consent = true
        languages = ["et", "sk"]
        [clock]
        kind = "bronstein"
        delay_s = 10
        [dice]
        source = "board"
        [caution]
        strictness = "strict"
        stood_s = 4
        readings = 3
        """
    )
    settings = config.settings()
    assert settings.terms.length == 11
    assert settings.terms.profiles[0].name == "hubgf-match"
    assert settings.ends == {End.REST, End.CLOCK}
    assert settings.rest_s == 2.5
    assert settings.premature is Premature.ASK
    assert settings.consent
    assert settings.clock
    assert settings.dice is DiceFrom.ELECTRONIC
    assert settings.caution.strictness is Strictness.STRICT
    assert settings.caution.stood_s == 4.0
    assert settings.caution.readings == 3
    assert settings.caution.rules == settings.terms.profiles[0].movement
    assert config.table.languages == ("et", "sk")
    assert (config.match.light, config.match.dark) == ("Kuulo", "Šťastný Žižka")
    assert config.match.event == "Cup"
    control = config.time_control()
    assert control is not None
    assert (control.reserve_s, control.delay_s, control.delay) == (11 * 120.0, 10.0, Delay.BRONSTEIN)


def test_money_and_series_have_their_own_terms() -> None:
    money = read('[match]\nform = "money"').terms()
    assert (money.form, money.length) == (Form.MONEY, None)
    series = read('[match]\nform = "series"\nlength = 5\nprofile = ["standard-match", "terebess"]').terms()
    assert [profile.name for profile in series.profiles] == ["standard-match", "terebess"]


def test_a_single_value_may_stand_for_a_list() -> None:
    assert read('[table]\nends = "rest"\nlanguages = "hu"').table.ends == (End.REST,)


def test_paths_are_those_of_the_files_folder(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('inherits = "standard-match"\n[stated]\n"cube.max" = 8\n')
    config = read('[match]\nprofile = "house.toml"\n[camera]\nboard = "eye.toml"', tmp_path)
    assert config.terms().profiles[0].cube.max == 8
    assert config.board_file() == tmp_path / "eye.toml"
    assert config.record_folder() == tmp_path / "matches"
    assert read('[record]\nfolder = "/media/stick"', tmp_path).record_folder() == Path("/media/stick")


def test_the_cameras_size_is_the_boards_unless_it_is_written() -> None:
    assert read("").wish((1920, 1080)).size == (1920, 1080)
    assert read("").wish(None).size == (1280, 720)
    assert read("[camera]\nwidth = 640\nheight = 480").wish((1920, 1080)).size == (640, 480)


def test_the_lens_is_held_where_the_calibration_had_it_unless_nothing_is_to_be_locked() -> None:
    assert read("").wish((1280, 720), 1.25).lens_position == 1.25
    assert read("").wish(None).lens_position is None
    assert read("[camera]\nlock = false").wish((1280, 720), 1.25).lens_position is None


def test_a_film_lies_where_the_configuration_does_and_a_camera_nowhere() -> None:
    assert read('[camera]\nsource = "film"').wish(None).source == "club/film"
    assert read('[camera]\nsource = "/tmp/film.mp4"').wish(None).source == "/tmp/film.mp4"
    for source in ("auto", "0", "picamera2", "http://eye/1"):
        assert read(f'[camera]\nsource = "{source}"').wish(None).source == source


def test_without_a_board_there_are_no_lights_on_it() -> None:
    assert read("").port() == "auto"
    config = read('[board]\nport = "none"')
    assert config.port() is None
    assert config.lights_at() is LightsAt.NONE
    assert read('[board]\nport = "none"\n[lights]\nsource = "strip"').lights_at() is LightsAt.STRIP


def test_buttons_are_named_as_on_the_wire() -> None:
    config = read("[buttons]\nroll = 5\nclock_dark = 13")
    assert config.button_pins() == {Button.ROLL: 5, Button.CLOCK_DARK: 13}
    named = {key.name for key in keys_of(SECTIONS["buttons"])}
    assert named == {button.name.lower() for button in Button}


def test_every_threshold_of_the_referee_can_be_set_and_has_its_words() -> None:
    fields = {field.name for field in dataclasses.fields(Caution)}
    assert {key.name for key in all_keys()["caution"]} == fields - {"rules"}
    words = " ".join(sample(everything=True).replace("\n# ", " ").split())
    assert [key.name for key in THRESHOLDS if key.words not in words] == []


@each_row("key", THRESHOLDS, ids=lambda key: key.name)
def test_a_threshold_takes_both_ends_of_its_range_and_nothing_beyond(key: Key) -> None:
    number = key.check
    assert isinstance(number, Number)
    for end in (number.low, number.high):
        assert getattr(read(f"[caution]\n{key.name} = {end}").caution, key.name) == end
    step = 1 if number.whole else (number.high - number.low) / 1000
    for beyond in (number.low - step, number.high + step, "true", '"2"', *([2.0] if number.whole else [])):
        told = complaint(f"[caution]\n{key.name} = {beyond}")
        assert f"caution.{key.name} cannot be" in told
        assert told.endswith(f"({number.unit}).")


def test_the_keys_of_older_configurations_are_still_known() -> None:
    """Files that people have written stay good."""
    names = {key.name for key in keys_of(Caution)} | Caution.RETIRED
    assert [name for name in re.findall(r"\w+", OLDER) if name not in names] == []
    assert not Caution.RETIRED & {key.name for key in keys_of(Caution)}


def test_a_threshold_that_does_nothing_any_more_may_still_be_written() -> None:
    config = read("[caution]\ncalm = 3\ndoubt_of_guilt = 0.02\nstood_s = 4.5")
    assert config.caution == Caution(stood_s=4.5)
    assert config.ignored == ("caution.calm", "caution.doubt_of_guilt")
    assert read("[caution]\nstood_s = 4.5").ignored == ()


def test_how_strict_the_referee_is_is_one_of_three_words() -> None:
    for word in Strictness:
        assert read(f'[caution]\nstrictness = "{word}"').caution.strictness is word
    told = complaint('[caution]\nstrictness = "harsh"')
    assert told.endswith('caution.strictness cannot be "harsh"; it is "lenient", "normal" or "strict".')


def test_every_default_is_allowed() -> None:
    for keys in all_keys().values():
        for key in keys:
            if key.otherwise == "":
                raw = list(key.default) if isinstance(key.default, tuple) else key.default
                assert key.check.value(raw) == key.default
            else:
                assert key.check.value(key.example) is not None


def test_all_examples_together_make_a_configuration() -> None:
    lines = [
        line[1:] if line.startswith("#") and not line.startswith("# ") else line
        for line in sample(everything=True).split("\n")
    ]
    config = read("\n".join(lines))
    assert config.button_pins()[Button.DONE] == 21
    assert config.match.event == "Spring Cup"


def test_the_example_as_it_is_changes_nothing() -> None:
    for everything in (False, True):
        text = sample(everything=everything)
        assert dataclasses.replace(read(text), label="", folder=Path()) == Config()


def test_a_beginner_is_shown_few_keys_and_told_of_the_others() -> None:
    short, whole = sample(), sample(everything=True)
    common = {f"{name}.{key.name}" for name, keys in all_keys().items() for key in keys if not key.expert}
    assert {"match.length", "table.languages", "camera.board", "dice.source"} <= common
    assert len(re.findall(r"^#\w+ = ", short, re.MULTILINE)) == len(common)
    assert len(re.findall(r"^#\w+ = ", whole, re.MULTILINE)) == sum(map(len, all_keys().values()))
    assert len(short.splitlines()) <= 105
    assert "[caution]\n" not in short
    assert f"{len(list(keys_of(Caution)))} in [caution]" in short.replace("\n# ", " ")


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[match]\nlight = \n", ["not a TOML file", "line 2"]),
        ("\n[mach]\n", ["line 2", 'unknown section "mach"', "perhaps match"]),
        ("[camera]\n\nwdth = 3", ["line 3", 'unknown key "camera.wdth"', "perhaps width"]),
        ("[camera]\nfps = 0", ["line 2", "camera.fps cannot be 0; it is a number from 1 to 60."]),
        ('[camera]\nfps = "fast"', ['camera.fps cannot be "fast"']),
        ("[camera]\nfps = nan", ["camera.fps cannot be nan"]),
        ("[camera]\nlock = 1", ["camera.lock cannot be 1; it is true or false."]),
        ("[camera]\nwidth = true", ["camera.width cannot be true; it is a whole number"]),
        ("[table]\nhint = 2.0", ["table.hint cannot be 2.0; it is a whole number from 0 to 4."]),
        ('[table]\nends = ["rest", "rest"]', ["table.ends cannot be", "different"]),
        ('[table]\nends = ["sleep"]', ['"rest"']),
        ('[match]\nlight = ""', ["match.light cannot be"]),
        ('[match]\nlight = "a\\nb"', ["match.light cannot be"]),
        ("[match]\nlength = 0", ["match.length cannot be 0"]),
        (
            "[match]\nlight = 1979-05-27",
            ["match.light cannot be 1979-05-27; it is a name in quotation marks"],
        ),
        ("\n[match.light]\nfirst = 1", ["line 2", "match.light cannot be a table; it is a name"]),
        ("[match]\n\nlihgt.first = 1", ["line 3", 'unknown key "match.lihgt"', "perhaps light"]),
        ("match = 3", ["match is a section", "[match]"]),
        ("[[match]]\n", ["match is a section"]),
        ('[match]\nprofile = "nobody"', ["line 2", 'There is no profile "nobody"']),
        ('[match]\nprofile = "standard-money"', ["line 2", "standard-money is for money play"]),
        ('[match]\nform = "money"\nprofile = "standard-match"', ["line 3", "is for matches"]),
        ('[match]\nprofile = ["standard-match", "terebess"]', ["line 2", "series"]),
        ('[match]\nprofile = "own.toml"', ["line 2", "cannot be refereed"]),
        ("[table]\nhint = 1", ["line 2", "standard-match allow no aids"]),
        ('[match]\nform = "money"\n[clock]\nkind = "simple"', ["line 4", "clock.reserve_s"]),
        ('[board]\nport = "none"\n[dice]\nsource = "board"', ["line 4", "board.port"]),
        ('[dice]\nsource = "text"', ["line 2", "dice.port"]),
        ('[dice]\nsource = "text"\nport = "/dev/x"\npattern = "(("', ["line 4", "no regular expression"]),
        ("[buttons]\nroll = 5\n\ndone = 5", ["line 4", "buttons.done and buttons.roll both use pin 5"]),
        ('[buttons]\nroll = 4\n[dice]\nsource = "pins"', ["dice.ready and buttons.roll both use pin 4"]),
        ("[seats]\nlevel = 8", ["seats.level cannot be 8; it is a whole number from 1 to 7."]),
        ('[seats]\nexternal = "here"', ["line 2", 'seats.external is "here"', "localhost:1234"]),
        ('[seats]\nexternal = "here:70000"', ["line 2", "give a host and a port"]),
        ('[seats]\nlight = "remote"\ndark = "remote"', ["Only one side can play at another table"]),
        ('[seats]\ncode = "K7QFW2MXAB"', ["line 2", "copy the whole line that the other table shows"]),
        ('[seats]\naddress = "here"', ["line 2", 'seats.address is "here"', "table.example.org:8080"]),
        ("a = " + "[" * 5000, ["not a TOML file"]),
        ("[camera]\nfps = " + "9" * 5000, ["table.toml"]),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(text: str, parts: list[str], tmp_path: Path) -> None:
    own_die = 'inherits = "standard-match"\n[stated]\n"opening.roll_uses" = "own_die"\n'
    (tmp_path / "own.toml").write_text(own_die)
    sentence = complaint(text, tmp_path)
    for part in parts:
        assert part in sentence
    assert len(sentence) < 900


def test_a_named_file_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file; `pointsman config`"):
        load_config(tmp_path / "nothing.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)


def test_a_file_that_is_no_text_or_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="UTF-8"):
        load_config(path)
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(ConfigError, match="larger than 1000 kB"):
        load_config(path)


def test_a_file_with_a_byte_order_mark_and_dos_lines_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b'\xef\xbb\xbf[match]\r\nlight = "Eszter"\r\n')
    assert load_config(path).match.light == "Eszter"


def test_without_a_name_the_file_in_the_current_folder_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_config() == Config()
    (tmp_path / "pointsman.toml").write_text('[match]\nlight = "Eszter"')
    assert load_config().match.light == "Eszter"


def test_every_section_is_asked_for() -> None:
    assert set(all_keys()) == set(SECTIONS)
    names = {field.name for field in dataclasses.fields(Config)}
    assert names == {*SECTIONS, "label", "folder", "ignored"}
