"""Seals: what one vouches for, and what shows when somebody tries to get around it."""

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.record.journal.copies import copy_journal
from controller.record.journal.journal import Journal
from controller.record.journal.seal import (
    Seal,
    SealError,
    SealFault,
    Signer,
    SigningKey,
    Statement,
    check_seals,
    countersign,
    fingerprint,
    plain_code,
    seal_draft,
    seal_from,
    sealed_event,
    state,
)
from tests.record.sealing import TABLE_KEY, UTC, key_of, put_seal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        for number in range(5):
            opened.append("1", "bump", {"number": number}, utc=UTC, t=number / 4)
        yield opened


def faults(journal: Journal, key: str | None = None) -> list[SealFault | None]:
    return [each.fault for each in check_seals(journal.events(), key).checks]


def test_a_seal_covers_all_before_it(journal: Journal) -> None:
    put_seal(journal)
    report = check_seals(journal.events())
    assert faults(journal) == [None]
    assert (report.sealed, report.last, report.open) == (5, 6, 0)
    journal.append("1", "bump", {}, utc=UTC)
    assert check_seals(journal.events()).open == 1


def test_what_was_sealed_twice_in_a_row_leaves_nothing_open(journal: Journal) -> None:
    put_seal(journal)
    put_seal(journal)
    report = check_seals(journal.events())
    assert (report.sealed, report.last, report.open) == (6, 7, 0)


def test_the_text_that_is_signed_is_plain_lines(journal: Journal) -> None:
    *_, last = journal.events()
    said = state(Signer.LIGHT, "Žofia", last, TABLE_KEY.public, UTC)
    lines = said.text().splitlines()
    assert lines[0] == "pointsman seal 1"
    assert lines[1:6] == ["by light", "name Žofia", f"utc {UTC}", "event 5", f"chain {last.chain}"]


def test_a_journal_that_was_written_anew_does_not_fit_its_old_seal(tmp_path: Path, journal: Journal) -> None:
    seal = seal_from(put_seal(journal).payload)
    with Journal(tmp_path / "anew.db") as anew:
        for number in range(5):
            anew.append("1", "bump", {"number": 7 * number}, utc=UTC)
        anew.append_all((seal_draft("1", seal, UTC),))
        assert faults(anew) == [SealFault.OTHER_CHAIN]


def test_a_forged_seal_and_one_of_another_table_show(journal: Journal) -> None:
    put_seal(journal)
    put_seal(journal, key=key_of("another table"))
    *_, last = journal.events()
    signed = TABLE_KEY.sign(state(Signer.DIRECTOR, "", last, TABLE_KEY.public, UTC))
    journal.append_all((seal_draft("1", replace(signed, signature="00" * 64), UTC),))
    journal.append("1", "seal", {"by": "table"}, utc=UTC)
    assert faults(journal) == [None, SealFault.OTHER_KEY, SealFault.FORGED, SealFault.UNREADABLE]
    assert check_seals(journal.events()).sealed == 5


def test_the_key_that_is_expected_decides(journal: Journal) -> None:
    put_seal(journal)
    assert faults(journal, TABLE_KEY.public) == [None]
    assert faults(journal, key_of("another table").public) == [SealFault.OTHER_KEY]


def test_a_seal_survives_a_copy(tmp_path: Path, journal: Journal) -> None:
    put_seal(journal)
    copy_journal(journal.path, tmp_path / "copy.db")
    with Journal(tmp_path / "copy.db", read_only=True) as copy:
        assert faults(copy) == [None]


texts = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


@given(
    name=texts, event=st.integers(1, 10**9), other=st.sampled_from(["by", "name", "utc", "event", "chain"])
)
def test_no_line_of_a_statement_can_be_changed(name: str, event: int, other: str) -> None:
    said = Statement(Signer.LIGHT, name, UTC, event, "ab" * 32, "0.1.0", TABLE_KEY.public)
    seal = TABLE_KEY.sign(said)
    assert seal.holds()
    changes = {"by": Signer.DARK, "name": f"{name}x", "utc": "", "event": event + 1, "chain": "ac" * 32}
    changed = replace(said, **{other: changes[other]})  # type: ignore[arg-type]
    assert not Seal(changed, seal.signature).holds()
    assert changed.code != said.code


def test_players_and_director_countersign_what_the_table_sealed(journal: Journal) -> None:
    with pytest.raises(SealError, match="has sealed nothing of match 1"):
        sealed_event(journal, "1")
    put_seal(journal)
    key, sealed = key_of("Éva's phone"), sealed_event(journal, "1")
    assert sealed.id == 5
    countersign(journal, "1", key.sign(state(Signer.DIRECTOR, "Éva", sealed, key.public, UTC)), UTC)
    report = check_seals(journal.events())
    assert [each.fault for each in report.checks] == [None, None]
    assert report.open == 0


def test_a_countersignature_that_does_not_fit_is_refused(journal: Journal) -> None:
    put_seal(journal)
    key, sealed = key_of("phone"), sealed_event(journal, "1")
    good = state(Signer.LIGHT, "Anna", sealed, key.public, UTC)
    for seal, said in (
        (Seal(good, "00" * 64), "does not belong"),
        (key.sign(replace(good, chain="00" * 32)), "another journal"),
        (key.sign(replace(good, event=99)), "another journal"),
        (key.sign(replace(good, by=Signer.TABLE)), "Only the table itself"),
    ):
        with pytest.raises(SealError, match=said):
            countersign(journal, "1", seal, UTC)
    assert journal.head()[0] == 6


@pytest.mark.parametrize("name", ["two\nlines", "x" * 81, "\u202eback"])
def test_a_name_that_could_deceive_is_not_signed(journal: Journal, name: str) -> None:
    *_, last = journal.events()
    with pytest.raises(SealError, match="cannot be signed"):
        state(Signer.LIGHT, name, last, TABLE_KEY.public, UTC)


def test_a_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "matches" / "table.key"
    made = SigningKey.make(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SigningKey.make(path).public == SigningKey.read(path).public == made.public
    assert [each.name for each in path.parent.iterdir()] == ["table.key"]
    assert "BEGIN" not in repr(made)


def test_a_key_in_a_folder_of_another_user_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    for name in ("exists", "read_bytes"):
        monkeypatch.setattr(Path, name, refuse)
    with pytest.raises(SealError, match=r"cannot be read \(Permission denied\)"):
        SigningKey.make(tmp_path / "table.key")


def test_a_key_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SealError, match="There is no key"):
        SigningKey.read(tmp_path / "table.key")
    (tmp_path / "table.key").write_text("rubbish")
    with pytest.raises(SealError, match="holds no Ed25519 key; move it away"):
        SigningKey.make(tmp_path / "table.key")
    (tmp_path / "file").write_text("")
    with pytest.raises(SealError, match="cannot be made"):
        SigningKey.make(tmp_path / "file" / "table.key")


def test_a_pin_gives_the_same_key_again_but_another_for_each_person_and_journal() -> None:
    made = {
        SigningKey.from_pin("four plain short words", by, chain).public
        for by in (Signer.LIGHT, Signer.DARK)
        for chain in ("ab" * 32, "cd" * 32)
    }
    assert len(made) == 4
    assert SigningKey.from_pin("four plain short words", Signer.LIGHT, "ab" * 32).public in made
    with pytest.raises(SealError, match="has 4 signs"):
        SigningKey.from_pin("1234", Signer.LIGHT, "ab" * 32)


@given(st.binary(max_size=40))
def test_a_code_is_read_however_it_is_typed(content: bytes) -> None:
    code = fingerprint(content)
    assert [len(group) for group in code.split("-")] == [5] * 5
    assert plain_code(code.lower().replace("-", " ")) == code
    assert plain_code(code.replace("0", "o").replace("1", "l")) == code


def test_a_cut_tail_leaves_no_seal_with_the_code_of_the_sheet(journal: Journal) -> None:
    put_seal(journal)
    journal.append("1", "bump", {}, utc=UTC)
    code = seal_from(put_seal(journal).payload).statement.code
    journal._database.execute("DROP TRIGGER event_is_not_deleted")
    journal._database.execute("DELETE FROM event WHERE id > 6")
    journal.verify()
    assert code not in [
        each.seal.statement.code for each in check_seals(journal.events()).checks if each.seal
    ]


def test_an_older_journal_has_no_seals() -> None:
    path = Path(__file__).parents[2] / "data" / "record" / "journal-v1.db"
    with Journal(path, read_only=True) as journal:
        assert check_seals(journal.events()).checks == ()
