"""Pictures of disputes: the hub has them while the table is there, only with its own signature, and within bounds."""

import hashlib
import json
import os
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from controller.club.messages import TablePresence
from controller.hub.evidence.content import evidence_content
from controller.hub.evidence.desk import TRIES, EvidenceDesk
from controller.hub.evidence.fetch import FetchFault, PictureFetchError, fetch_picture
from controller.hub.evidence.keep import DisputedTurn, EvidenceFolder
from controller.messages.catalogue import LANGUAGES
from controller.record.evidence.picture_pass import pass_holds, sign_pass
from controller.record.journal.seal import SigningKey
from controller.referee import Phase
from controller.web.evidence import PictureOfTurn
from controller.web.wire.authority import OwnAuthority
from controller.web.wire.certificates import utc_now
from tests.hub.evidence.disputed_table import HUB, DisputedTable, disputed_table
from tests.hub.hubs import until
from tests.hub.stand_in import StandInHall
from tests.referee.table.scenes import SCENES
from tests.web.served_table import TableHouse
from tests.web.wire.secure_table import NAMES, secure_table

UTC = "2026-11-23T18:00:00.000+00:00"
JPEG = b"\xff\xd8\xff" + bytes(1000)


def signed(table: str, sha256: str) -> str:
    return sign_pass(HUB, f"club/{table}", sha256)


def desk_of(
    hall: StandInHall, folder: Path, sign: Callable[[str, str], str] = signed, again_s: float = 0.05
) -> EvidenceDesk:
    return EvidenceDesk(hall, folder / "evidence", sign, lambda: UTC, again_s=again_s)


@pytest.fixture
def hall(tmp_path: Path) -> StandInHall:
    made = StandInHall(tmp_path, 3)
    made.show("table-2", Phase.DISPUTE, title="Table 2", match={"light": "Anna", "dark": "Béla"})
    return made


def are_here(desk: EvidenceDesk) -> bool:
    turns = desk.turns()
    return bool(turns) and all(desk.kept.has(each.sha256) for turn in turns for each in turn.pictures)


def test_a_dispute_brings_its_pictures_to_the_hub_and_they_stay_when_the_table_is_gone(
    tmp_path: Path, hall: StandInHall
) -> None:
    with disputed_table(tmp_path / "table") as table, desk_of(hall, tmp_path) as desk:
        table.dispute(hall)
        until(lambda: are_here(desk))
        hall.show("table-2", Phase.MOVING)
    again = EvidenceFolder(tmp_path / "evidence")
    (turn,) = again.turns()
    assert (turn.table, turn.game, turn.ply, turn.players) == ("table-2", 1, 0, ("Anna", "Béla"))
    assert [(each.role, each.number) for each in turn.pictures] == [("before", 1), ("after", 4)]
    for each in turn.pictures:
        jpeg = again.picture(each.sha256)
        assert jpeg is not None
        assert hashlib.sha256(jpeg).hexdigest() == each.sha256
    held = [*(tmp_path / "evidence").iterdir()]
    assert all(path.stat().st_mode & 0o077 == 0 for path in held)


def test_a_table_that_comes_back_later_is_asked_again(tmp_path: Path, hall: StandInHall) -> None:
    with desk_of(hall, tmp_path) as desk:
        with disputed_table(tmp_path / "table") as table:
            table.dispute(hall, pages="http://127.0.0.1:1/")
            until(lambda: [*desk.faults().values()] == [FetchFault.UNREACHABLE])
            (told,) = evidence_content(desk, hall.tables(), "en")
            assert told["why"].startswith("The pictures of Table 2 cannot be fetched just now.")
            assert not any(each["here"] for each in told["pictures"])
            table.dispute(hall)
            until(lambda: are_here(desk))
        until(lambda: not desk.faults())
        (told,) = evidence_content(desk, hall.tables(), "en")
        assert told["why"] == ""
        assert all(each["here"] for each in told["pictures"])


@pytest.mark.parametrize("payload", ["{", "[" * 30_000, '{"text":' + "[" * 900 + "]" * 900 + "}"])
def test_a_record_that_says_nothing_readable_keeps_no_pictures_of_other_tables_away(
    tmp_path: Path, hall: StandInHall, payload: str
) -> None:
    hall.show("table-1", Phase.DISPUTE)
    with disputed_table(tmp_path / "table") as table, desk_of(hall, tmp_path) as desk:
        hall.add("table-1", "ab" * 8, [(1, "1", UTC, 0.0, "match", payload, "c" * 64)])
        desk_of_one = dict(hall.shown("table-1").desk or {})
        need = {**desk_of_one["needs"][0], "recorded": True, "turn": {"game": 1, "ply": 0}}
        hall.change("table-1", desk={**desk_of_one, "needs": [need]}, journal="ab" * 8)
        until(lambda: all(each.left < TRIES for each in desk._wanted.values()))
        table.dispute(hall)
        until(lambda: are_here(desk))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_whose_pages_are_closed_says_so_in_a_sentence(
    tmp_path: Path, hall: StandInHall, language: str
) -> None:
    with disputed_table(tmp_path / "table") as table, desk_of(hall, tmp_path) as desk:
        table.dispute(hall, pages="")
        until(lambda: [*desk.faults().values()] == [FetchFault.CLOSED])
        (told,) = evidence_content(desk, hall.tables(), language)
        assert "Table 2" in told["why"]
        assert "open = true" in told["why"]


def test_a_table_gives_nothing_to_a_hub_that_it_does_not_know(tmp_path: Path, hall: StandInHall) -> None:
    other = SigningKey.from_secret(b"another hub in the same network.")
    with (
        disputed_table(tmp_path / "table", hub_key=other.public) as table,
        desk_of(hall, tmp_path) as desk,
    ):
        table.dispute(hall)
        until(lambda: [*desk.faults().values()] == [FetchFault.MISSING])
        assert not any(desk.kept.has(each.sha256) for each in desk.turns()[0].pictures)


def named(table: DisputedTable) -> str:
    """The digest of a picture that the table keeps."""
    listed = table._recorded.dispute().tries[0].pictures
    return listed[0].sha256


def test_a_pass_opens_one_picture_at_one_table_and_nothing_opens_without(tmp_path: Path) -> None:
    with disputed_table(tmp_path / "table") as table:
        digest, browser = named(table), table.server.browser()
        address = f"/api/v1/evidence/{digest}"

        def get(given: str | None) -> int:
            headers = {} if given is None else {"Authorization": given}
            return browser.get(address, headers=headers).status_code

        assert get(f"Bearer {signed('table-2', digest)}") == 200
        for given in (None, "Bearer", "Bearer zz", f"Basic {signed('table-2', digest)}"):
            assert get(given) == 404
        assert get(f"Bearer {signed('table-3', digest)}") == 404
        assert get(f"Bearer {signed('table-2', '0' * 64)}") == 404
        assert browser.get("/api/v1/evidence/../../etc/passwd").status_code == 404
        missing = "1" * 64
        asked = browser.get(
            f"/api/v1/evidence/{missing}", headers={"Authorization": f"Bearer {signed('table-2', missing)}"}
        )
        assert asked.status_code == 404


def test_a_table_without_a_hub_gives_pictures_to_nobody(tmp_path: Path) -> None:
    with disputed_table(tmp_path / "table", hub_key="") as table:
        digest = named(table)
        got = table.server.browser().get(
            f"/api/v1/evidence/{digest}", headers={"Authorization": f"Bearer {signed('table-2', digest)}"}
        )
        assert got.status_code == 404
    assert not pass_holds(signed("table-2", digest), "", "club/table-2", digest)


def test_a_picture_of_an_earlier_match_is_found_beside_the_one_that_is_on(tmp_path: Path) -> None:
    with disputed_table(tmp_path / "earlier") as table:
        digest = named(table)
    (tmp_path / "now").mkdir()
    with disputed_table(tmp_path / "now") as table:
        (tmp_path / "now" / "journal.evidence.db").unlink()
        pages = table.server.server.address
        assert fetch_picture(pages, digest, signed("table-2", digest))


def test_what_is_not_the_picture_that_was_named_is_not_taken(tmp_path: Path) -> None:
    with disputed_table(tmp_path / "table") as table:
        # The query swallows the rest of the address, so that another file of the server answers.
        address = f"{table.server.server.address}/static/icon.svg?"
        with pytest.raises(PictureFetchError) as caught:
            fetch_picture(address, "0" * 64, "")
        assert caught.value.fault is FetchFault.CHANGED
    for closed in ("", "file:///etc/", "table-2"):
        with pytest.raises(PictureFetchError) as caught:
            fetch_picture(closed, "0" * 64, "")
        assert caught.value.fault is FetchFault.CLOSED


def note(number: int, pictures: tuple[PictureOfTurn, ...] = ()) -> DisputedTurn:
    utc = f"2026-11-23T18:{number:02d}:00.000+00:00"
    return DisputedTurn(
        "table-1", "Table 1", "9f" * 8, ("Anna", "Béla"), "Cup", 1, number, "Dispute", utc, pictures
    )


def test_when_there_is_no_room_the_oldest_pictures_go(tmp_path: Path) -> None:
    kept = EvidenceFolder(tmp_path / "evidence", most_bytes=3 * len(JPEG))
    jpegs = [JPEG + bytes([number]) for number in range(4)]
    digests = [hashlib.sha256(each).hexdigest() for each in jpegs]
    for age, (digest, jpeg) in enumerate(zip(digests, jpegs, strict=True)):
        kept.keep(digest, jpeg)
        path = tmp_path / "evidence" / f"{digest}.jpg"
        os.utime(path, ns=(age * 10**9, age * 10**9))
    assert [kept.has(each) for each in digests] == [False, False, True, True]
    assert kept.picture(digests[0]) is None
    assert kept.picture(digests[3]) == jpegs[3]


def dispute(kept: EvidenceFolder, table: str, ply: int, utc: str = UTC) -> str:
    """A disputed turn of a table with one picture; its digest."""
    jpeg = JPEG + f"{table} {ply:9}".encode()
    digest = hashlib.sha256(jpeg).hexdigest()
    kept.note(replace(note(ply, (PictureOfTurn("before", 7, 3.5, digest),)), table=table, utc=utc))
    kept.keep(digest, jpeg)
    return digest


def test_a_table_that_sends_pictures_without_end_drives_out_its_own_alone(tmp_path: Path) -> None:
    kept = EvidenceFolder(tmp_path / "evidence", most_bytes=8 * (len(JPEG) + 17))
    honest = [dispute(kept, "table-1", ply) for ply in range(3)]
    wild = [dispute(kept, "table-2", ply) for ply in range(20)]
    honest.append(dispute(kept, "table-1", 3))
    assert all(kept.has(each) for each in honest)
    assert [kept.has(each) for each in wild] == [False] * 16 + [True] * 4


def test_a_table_that_disputes_without_end_drives_out_notes_of_its_own_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.evidence.keep.MOST_TURNS", 6)
    kept = EvidenceFolder(tmp_path / "evidence")
    for ply in range(3):
        kept.note(note(ply))
    for ply in range(9):
        kept.note(replace(note(ply), table="table-2"))
    left = [(each.table, each.ply) for each in EvidenceFolder(tmp_path / "evidence").turns()]
    assert left == [*(("table-1", ply) for ply in range(3)), *(("table-2", ply) for ply in (6, 7, 8))]


def test_the_oldest_pictures_go_first_though_the_hubs_clock_was_in_1970_or_was_set_back(
    tmp_path: Path,
) -> None:
    place, room = tmp_path / "evidence", 4 * (len(JPEG) + 17)
    clock = ("2026-11-23T18:00:00", "2026-11-23T18:05:00", "1970-01-01T00:00:40", "2026-11-23T17:00:00")
    digests = []
    for ply, utc in enumerate(clock):
        digests.append(dispute(EvidenceFolder(place, room), "table-1", ply, utc + ".000+00:00"))
        seconds = datetime.fromisoformat(utc + "+00:00").timestamp()
        os.utime(place / f"{digests[-1]}.jpg", (seconds, seconds))
    again = EvidenceFolder(place, room)
    digests += [dispute(again, "table-1", ply, "1970-01-01T00:01:00.000+00:00") for ply in (4, 5)]
    assert [again.has(each) for each in digests] == [False, False, True, True, True, True]
    assert [each.ply for each in EvidenceFolder(place, room).turns()] == [0, 1, 2, 3, 4, 5]


def test_a_table_with_disputes_without_end_keeps_no_pictures_of_other_tables_away(
    tmp_path: Path, hall: StandInHall
) -> None:
    hall.show("table-1", Phase.DISPUTE)
    with disputed_table(tmp_path / "table") as table, desk_of(hall, tmp_path) as desk:
        desk_of_one = dict(hall.shown("table-1").desk or {})
        need: Any = {**desk_of_one["needs"][0], "recorded": True}
        needs = [{**need, "turn": {"game": 1, "ply": ply}} for ply in range(1000)]
        hall.change("table-1", desk={**desk_of_one, "needs": needs}, journal="ab" * 8)
        table.dispute(hall)
        until(lambda: are_here(desk))


def test_a_picture_that_was_changed_on_the_disk_is_none(tmp_path: Path) -> None:
    kept = EvidenceFolder(tmp_path / "evidence")
    digest = hashlib.sha256(JPEG).hexdigest()
    kept.keep(digest, JPEG)
    (tmp_path / "evidence" / f"{digest}.jpg").write_bytes(JPEG + b"!")
    assert kept.picture(digest) is None


def test_the_file_has_every_turn_since_a_time_with_its_pictures(tmp_path: Path) -> None:
    kept = EvidenceFolder(tmp_path / "evidence")
    digest = hashlib.sha256(JPEG).hexdigest()
    kept.keep(digest, JPEG)
    gone = PictureOfTurn("after", 9, 4.5, "0" * 64)
    kept.note(note(1))
    kept.note(note(5, (PictureOfTurn("before", 7, 3.5, digest), gone)))
    assert kept.write_zip(tmp_path / "all.zip", "2026-11-23T18:03:00.000+00:00") == 1
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        (told,) = json.loads(packed.read("disputes.json"))
        first, second = told["pictures"]
        assert packed.read(first["file"]) == JPEG
        assert first["file"] == "001-table-1-game-1-play-6-before-7.jpg"
    assert second["file"] is None
    assert (told["ply"], told["players"]) == (5, ["Anna", "Béla"])


def test_a_hub_whose_clock_does_not_know_the_day_yet_gives_the_turns_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = EvidenceFolder(tmp_path / "evidence")
    digest = hashlib.sha256(JPEG).hexdigest()
    kept.keep(digest, JPEG)
    kept.note(note(5, (PictureOfTurn("before", 7, 3.5, digest),)))
    local, gmtime = time.localtime, time.gmtime
    monkeypatch.setattr(time, "time", lambda: 40.0)
    monkeypatch.setattr(time, "localtime", lambda seconds=40.0: local(seconds))
    monkeypatch.setattr(time, "gmtime", lambda seconds=40.0: gmtime(seconds))
    assert kept.write_zip(tmp_path / "all.zip") == 1
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        assert packed.read("001-table-1-game-1-play-6-before-7.jpg") == JPEG


def test_a_note_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    EvidenceFolder(tmp_path / "evidence").note(note(1))
    (tmp_path / "evidence" / "other.json").write_text("{")
    assert [each.ply for each in EvidenceFolder(tmp_path / "evidence").turns()] == [1]


def test_the_pass_for_a_picture_goes_to_nobody_but_the_table_that_was_paired(tmp_path: Path) -> None:
    for folder in ("another", "tls"):
        (tmp_path / folder).mkdir()
    another = OwnAuthority.make(tmp_path / "another", "Another", utc_now(), NAMES)
    with secure_table(tmp_path / "tls", TableHouse(SCENES[Phase.TO_ROLL]())) as server:
        certificates = server.settings.certificates
        assert certificates is not None
        pages = f"https://127.0.0.1:{server.port}/"
        for authority, fault in (
            (certificates.authority.pem, FetchFault.MISSING),  # it was asked, and has no such picture
            (another.pem, FetchFault.UNREACHABLE),
            ("no certificate", FetchFault.UNREACHABLE),
        ):
            with pytest.raises(PictureFetchError) as caught:
                fetch_picture(pages, "0" * 64, "pass", authority)
            assert caught.value.fault is fault


def test_a_table_tells_the_hub_who_vouches_for_its_pages() -> None:
    told = TablePresence(True, journals={}, pages="https://192.0.2.7:8080/", authority="PEM")
    assert TablePresence.decode(told.encode()) == told
    assert TablePresence.decode(b'{"up": true}').authority == ""
