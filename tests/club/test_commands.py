"""Commands from the hub: only the hub's own, for this table, about this match, in time."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.commands import AHEAD_MS, CommandFault, CommandGate, signature_holds
from controller.club.messages import TableCommand
from controller.club.topics import TableAddress
from tests.club.signing import OTHER, PUBLIC, command, signed
from tests.rows import each_row

GATE = CommandGate(TableAddress("club", "table-1"), PUBLIC)
GOOD = command("a" * 16, what="pause")
NOW = GOOD.issued + 5


def fault(said: TableCommand, at: int = NOW, journal: str = "a" * 16) -> CommandFault | None:
    return GATE.fault_of(said, journal, at)


def test_a_command_of_the_hub_counts() -> None:
    assert fault(GOOD) is None


@each_row(
    ("said", "why"),
    [
        (replace(GOOD, signature=""), CommandFault.UNSIGNED),
        (replace(GOOD, signature="zz"), CommandFault.FORGED),
        (replace(GOOD, signature="00" * 64), CommandFault.FORGED),
        (signed(GOOD, OTHER), CommandFault.UNKNOWN_KEY),
        (replace(signed(GOOD, OTHER), key=PUBLIC), CommandFault.FORGED),
        (signed(replace(GOOD, table="club/table-2")), CommandFault.OTHER_TABLE),
        (signed(replace(GOOD, table="other/table-1")), CommandFault.OTHER_TABLE),
        (signed(replace(GOOD, journal="b" * 16)), CommandFault.OTHER_MATCH),
        (signed(replace(GOOD, journal="")), CommandFault.OTHER_MATCH),
        (signed(replace(GOOD, by="viewer")), CommandFault.UNKNOWN_ROLE),
        (
            signed(replace(GOOD, issued=NOW + AHEAD_MS + 1, expires=NOW + 2 * AHEAD_MS)),
            CommandFault.TOO_EARLY,
        ),
    ],
)
def test_every_other_command_is_refused_with_its_reason(said: TableCommand, why: CommandFault) -> None:
    assert fault(said) is why


def test_a_command_that_comes_too_late_is_refused_by_the_hubs_time() -> None:
    assert fault(GOOD, at=GOOD.expires) is None
    assert fault(GOOD, at=GOOD.expires + 1) is CommandFault.EXPIRED


def test_a_table_that_knows_no_key_believes_nobody() -> None:
    gate = CommandGate(TableAddress("club", "table-1"), "")
    assert gate.fault_of(GOOD, "a" * 16, NOW) is CommandFault.UNKNOWN_KEY


def test_a_match_may_be_wanted_where_another_one_was_played_before() -> None:
    wanted = command(what="start_match", light="Ada", dark="Anu", length=5)
    assert fault(wanted, wanted.issued) is None
    assert fault(wanted, wanted.issued, journal="") is None
    assert fault(command("b" * 16, what="message", text="x"), wanted.issued) is CommandFault.OTHER_MATCH


# Without what no store can keep: NUL, and halves of characters.
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@settings(max_examples=30)
@given(
    st.sampled_from(["id", "table", "journal", "seen", "by", "name", "body", "issued", "expires"]),
    NAMES,
    st.integers(0, 2**53),
)
def test_whatever_is_changed_in_a_signed_command_breaks_its_signature(
    name: str, text: str, number: int
) -> None:
    values = {"seen": number, "issued": number, "expires": number, "body": {"what": text}}
    value = values.get(name, text)
    changed = replace(GOOD, **{name: value})
    assert signature_holds(changed) == (getattr(GOOD, name) == value)


@settings(max_examples=30)
@given(NAMES, NAMES, st.dictionaries(NAMES, st.none() | st.booleans() | st.integers() | NAMES))
def test_a_command_reads_back_as_it_was_signed(name: str, journal: str, body: dict[str, object]) -> None:
    said = signed(replace(GOOD, name=name, journal=journal, body=body))  # type: ignore[arg-type]
    assert signature_holds(TableCommand.decode(said.encode()))
