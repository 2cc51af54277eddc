"""What is sent to whoever helps tells of the fault, and neither of people nor of secrets."""

import json
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from controller.config import load_config
from controller.doctor.finding import ok, warn
from controller.messages.catalogue import LANGUAGES
from controller.messages.device_words import program_words
from controller.upkeep.names import stand_ins, without_names
from controller.upkeep.support import LOG, without_secrets, write_support
from tests.rows import each_row
from tests.upkeep.tables import CONFIG, UTC, make_table

SAID = "\n".join(
    [
        "The match in matches/1970-01-01-000010-anna-kovacs-cili continues.",
        *(
            program_words("pins", light="Anna Kovács", light_pin="4711", dark="Cili", dark_pin="4712")(
                language
            )
            for language in LANGUAGES
        ),
        "Anna: time is running low.",
    ]
)


def packed(folder: Path, *, names: bool = False) -> dict[str, str]:
    """The files of a support archive of a table."""
    config = make_table(folder)

    def ask(words: Sequence[str]) -> str | None:
        return SAID if tuple(words) == LOG else None

    findings = [ok("camera", "rtsp://admin:topsecret@192.0.2.7/live"), warn("clock", "1970", "Set it.")]
    write_support(config, folder / "s.tar.gz", findings, now_s=0.0, made=UTC, ask=ask, names=names)
    with tarfile.open(folder / "s.tar.gz") as tar:
        return {info.name: tar.extractfile(info).read().decode() for info in tar}  # type: ignore[union-attr]


def test_what_helps_is_in_it(tmp_path: Path) -> None:
    files = packed(tmp_path)
    assert set(files) == {
        "versions.json", "doctor.jsonl", "pointsman.toml", "log.txt", "match.jsonl", "manifest.json",
    }  # fmt: skip
    assert {"pointsman", "python", "packages"} <= set(json.loads(files["versions.json"]))
    assert [json.loads(line)["state"] for line in files["doctor.jsonl"].splitlines()] == ["ok", "warn"]
    kinds = [json.loads(line)["kind"] for line in files["match.jsonl"].splitlines()]
    assert {"begun", "match", "table"} <= set(kinds)


def test_nothing_tells_of_people_or_secrets(tmp_path: Path) -> None:
    whole = "".join(packed(tmp_path).values())
    for word in ("Anna", "Kovács", "kovacs", "anna", "Cili", "cili", "Béla", "topsecret", "admin"):
        assert word not in whole
    assert "4711" not in whole
    assert "4712" not in whole
    assert "192.0.2.7" in whole


def test_names_are_left_in_where_that_is_wished_and_secrets_never(tmp_path: Path) -> None:
    whole = "".join(packed(tmp_path, names=True).values())
    assert "Anna Kovács" in whole
    assert "anna-kovacs-cili" in whole
    assert "topsecret" not in whole
    assert "4711" not in whole


@each_row(
    "written",
    (
        'command = "/opt/say --key abcd-9876 --api-key=wxyz-5432 --language {language}"',
        "command = '/opt/say --key abcd-9876 --api-key=wxyz-5432'",
        'command = """/opt/say --key abcd-9876 \\\n  --api-key=wxyz-5432"""',
        'command = "/opt/say --key \\"abcd-9876\\" --api-key=wxyz-5432"',
    ),
)
def test_what_the_users_own_program_is_given_is_never_told(tmp_path: Path, written: str) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    make_table(folder / "table")
    (folder / "table" / "pointsman.toml").write_text(f"{CONFIG}[speech]\n{written}\nvolume = 0.4\n")
    config = load_config(folder / "table" / "pointsman.toml")
    assert "abcd-9876" in config.speech.command

    def ask(_: Sequence[str]) -> str:
        return "/opt/say: the key abcd-9876 is refused; wxyz-5432, too"

    write_support(config, folder / "s.tar.gz", [], now_s=0.0, made=UTC, ask=ask)
    with tarfile.open(folder / "s.tar.gz") as tar:
        files = {info.name: tar.extractfile(info).read().decode() for info in tar}  # type: ignore[union-attr]
    assert not [name for name, text in files.items() if "abcd-9876" in text or "wxyz-5432" in text]
    assert load_config(folder / "table" / "pointsman.toml").speech.volume == 0.4
    assert "volume = 0.4" in files["pointsman.toml"]
    assert "/opt/say: the key ..." in files["log.txt"]


NAMES = st.lists(st.text("abcdÁéő -'.", min_size=1, max_size=12), max_size=4)


@given(NAMES, st.lists(st.sampled_from(["said", "to", "rolls", "6-4"]), max_size=6), st.randoms())
def test_no_name_that_stands_by_itself_is_left(names: list[str], words: list[str], chance: object) -> None:
    people = {name.strip() for name in names if name.strip(" -'.")}
    mixed = [*words, *people]
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    left = without_names(" | ".join(mixed), stand_ins(people, ("Light", "Dark"))).split(" | ")
    assert not people & set(left)
    assert [word for word in left if word in words] == [word for word in mixed if word in words]


def test_the_usual_names_are_nobodys() -> None:
    assert stand_ins(["Light", "Dark", ""], ("Light", "Dark")) == {}


@each_row(
    ("told", "left"),
    (
        ("rtsp://admin:secret@10.0.0.1/live", "rtsp://...@10.0.0.1/live"),
        ("mqtt://table:se@cret@10.0.0.1/dice", "mqtt://...@10.0.0.1/dice"),
        ("'http://10.0.0.1/video.cgi?user=admin&pwd=secret'", "'http://10.0.0.1/video.cgi?...'"),
        ("https://10.0.0.1:8080/camera#RAVAY73V", "https://10.0.0.1:8080/camera#..."),
        (f'code = "10.0.0.1:8080/{"K7QFW2MXAB"}"', 'code = "10.0.0.1:8080/..."'),
        (f"10.0.0.1:8080/{'K7QFW2MXAB'}-{'A' * 26} is the code", "10.0.0.1:8080/... is the code"),
        (r'{"why": "\"http://10.0.0.1/?a=b\""}', r'{"why": "\"http://10.0.0.1/?...\""}'),
        ("the PIN of Light is 1234", "the PIN of Light is ..."),
        ("GET /api/v1/state, https://10.0.0.1:8080/watch", "GET /api/v1/state, https://10.0.0.1:8080/watch"),
    ),
)
def test_no_secret_is_left_in_whatever_form_it_stands(told: str, left: str) -> None:
    assert without_secrets(told) == left
