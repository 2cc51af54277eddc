"""What the seals of a journal say, in words for whoever checks it."""

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from controller.cli.output import counted
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record.journal.journal import JournalEvent
from controller.record.journal.seal import (
    KEY_FILE,
    SealCheck,
    SealReport,
    Signer,
    SigningKey,
    Statement,
    fingerprint,
    plain_code,
    read_seals,
)
from controller.record.match.history import GAME
from controller.record.table.match_folder import is_of_folder


class NotSealedError(UserError):
    """A record in which nothing was found changed, but for all of which nobody vouches."""

    status = 3


@dataclass(frozen=True, slots=True)
class SealsWanted:
    """What somebody who checks a record asks of its seals.

    Attributes:
        asked: whether there are to be any.
        key: the public key or its code that the table's are to bear.
        code: of a seal that is to be among them.
        known: public keys and their codes that are known to be those of players or the director.
    """

    asked: bool = False
    key: str | None = None
    code: str | None = None
    known: frozenset[str] = frozenset()

    @classmethod
    def from_options(cls, *, seals: bool, key: str | None, code: str | None, known: Iterable[str]) -> Self:
        """What the options of a command ask."""
        named = {each.strip() for each in known}
        keys = frozenset({each.lower() for each in named} | {plain_code(each) for each in named})
        return cls(seals or key is not None or code is not None or bool(named), key, code, keys)


def tell_seals(
    events: Callable[[], Iterable[JournalEvent]], report: SealReport, place: Path, wanted: SealsWanted
) -> Iterator[str]:
    """Lines about every seal of a journal whose chain was verified.

    Args:
        events: reads those of the whole journal, once more each time.
        report: what was found in them.
        place: where it lies, for messages.
        wanted: what the seals are to bear.

    Raises:
        UserError: if seals were asked for and there are none, one is not good, or none has the code.
    """
    if not report.checks and wanted.asked:
        raise UserError(
            f"{place} has no seals: it was not recorded at a live table, or no game was finished. Its chain alone "
            "does not show whether it was written anew."
        )
    games = [(event.id, event.match) for event in events() if event.kind == GAME]
    for check in report.checks:
        yield _line(check, games, report.key, wanted.known)
    if report.faults:
        first = report.faults[0]
        number = counted(len(report.faults), "seal")
        raise UserError(
            f"{number} of {place} cannot be relied on, first that in event {first.event}: {_fault(first)}"
        )
    if report.checks:
        yield from _summary(report)
    if wanted.code is not None:
        yield _find_code(report, wanted.code, place)


def refuse_open(report: SealReport, place: Path) -> None:
    """See to it that a table vouches for all of a journal.

    Raises:
        NotSealedError: saying up to where it does.
    """
    if not report.checks:
        raise NotSealedError(
            f"{place} is not sealed. It has no seals: whoever could write the journal could have written all of "
            "it anew."
        )
    if not report.sealed:
        raise NotSealedError(f"{place} is not sealed: none of its seals is a table's own.")
    if report.open:
        one = report.open == 1
        raise NotSealedError(
            f"{place} is sealed up to event {report.sealed}; the {counted(report.open, 'event')} after it "
            f"{'has' if one else 'have'} no seal: nobody vouches for {'it' if one else 'them'}."
        )


def sum_up_seals(report: SealReport) -> str:
    """In one sentence, how far a journal is sealed."""
    if not report.sealed or report.key is None:
        return "No seal of a table covers it." if report.checks else "It has no seals."
    return f"It is sealed up to event {report.sealed}, with the key of the code {key_code(report.key)}; " + (
        f"{counted(report.open, 'event')} came after that." if report.open else "nothing came after that."
    )


def table_key(journal: Path) -> SigningKey | None:
    """The key of the table at which a journal was written, if it lies beside its matches."""
    beside = journal.absolute().parent.parent / KEY_FILE
    return SigningKey.read(beside) if is_of_folder(journal) and beside.is_file() else None


def key_code(public: str) -> str:
    """The fingerprint of a public key."""
    return fingerprint(bytes.fromhex(public))


def _line(check: SealCheck, games: list[tuple[int, str]], table: str | None, known: Container[str]) -> str:
    if check.seal is None:
        return f"Event {check.event}: NOT GOOD: {_fault(check)}"
    said = check.seal.statement
    game = sum(number <= said.event and match == check.match for number, match in games)
    who = f"{said.by} {said.name}".strip()
    verdict = f"good{_whose_key(said, table, known)}" if check.fault is None else f"NOT GOOD: {_fault(check)}"
    return f"Game {game}, up to event {said.event}: {who}, {said.utc}, code {said.code}: {verdict}"


def _whose_key(said: Statement, table: str | None, known: Container[str]) -> str:
    """Of a countersignature, whether anybody here knows the key: by itself it shows only that some key signed."""
    if said.by is Signer.TABLE:
        return ""
    code = key_code(said.key)
    if said.key == table:
        return ", but with the table's own key"
    if said.key in known or code in known:
        return f", with the key of the code {code}, which you know"
    return f", but with a key that nobody here knows, code {code}; the name is only what was typed"


def _fault(check: SealCheck) -> str:
    return catalogue("en").text("seal", "fault", str(check.fault))


def _summary(report: SealReport) -> Iterator[str]:
    if report.key is None:
        yield "None of the seals is the table's own."
        return
    yield f"Key of the table: {report.key}, code {key_code(report.key)}"
    if report.open:
        pronoun = "it" if report.open == 1 else "them"
        yield f"{counted(report.open, 'event')} came after the table's last seal; nobody vouches for {pronoun}."
    else:
        yield "Nothing came after the table's last seal."


def _find_code(report: SealReport, code: str, place: Path) -> str:
    for check in report.checks:
        if check.seal is not None and check.seal.statement.code == plain_code(code):
            return f"The code {plain_code(code)} is that of the seal in event {check.event}."
    raise UserError(
        f"No seal of {place} has the code {plain_code(code)}: compare it with the score sheet again. If it is the "
        "same, the journal was cut or written anew after that sheet was printed."
    )


def expected_key(events: Iterable[JournalEvent], place: Path, expected: str | None) -> str | None:
    """The key in hex that the table's seals are to bear: as given, as in the file beside the matches, or any."""
    if expected is None:
        own = table_key(place)
        return None if own is None else own.public
    text = expected.strip().lower()
    if len(text) == 64 and all(char in "0123456789abcdef" for char in text):
        return text
    for _, seal in read_seals(events):
        if seal.statement.by is Signer.TABLE and key_code(seal.statement.key) == plain_code(expected):
            return seal.statement.key
    raise UserError(
        f"No seal of {place} bears the key {expected}; compare it with what pointsman journal key prints there."
    )
