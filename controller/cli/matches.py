"""What the words of a command mean, and the match that they name.

A match is named by its folder, by its journal, or not at all: the newest. Commands that only read take a match file
of any form, too.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.cli.output import note
from controller.errors import UserError
from controller.record import Journal, MatchRecord
from controller.record.files.formats import SQLITE, is_text, read_match_file
from controller.record.files.match_text import check_encoding, encoding_of, is_guessed, one_line
from controller.record.journal.journal import EventLog
from controller.record.journal.soundness import newest_copy
from controller.record.match.match_log import read_match
from controller.record.table.destination import begins_with
from controller.record.table.doubts import list_doubts
from controller.record.table.match_folder import JOURNAL
from controller.record.table.sequence import match_journals
from controller.rules import Roll

STDIN: Final = "-"


@dataclass(frozen=True, slots=True)
class ChosenMatch:
    """A journal or a match file, and the match in it if one was named."""

    journal: Path
    match: str | None

    def name_in(self, journal: EventLog) -> str:
        """The match's name in its opened journal.

        Raises:
            UserError: if none was named and the journal does not hold exactly one.
        """
        if self.match is not None:
            return self.match
        names = journal.matches()
        if len(names) != 1:
            known = f" ({', '.join(map(one_line, names))})" if names else ""
            remedy = "name one with --match" if names else "name another journal"
            raise UserError(f"{journal.path} holds {len(names)} matches{known}; {remedy}.")
        return names[0]


def find_journals(place: Path | None) -> list[Path]:
    """The journals at a place, the newest last: of a match folder, of a folder of matches, or the file itself.

    Without a place it is `journal.db` in the current folder, else those of all matches under the configured place.

    Raises:
        UserError: if there are none, or the configuration cannot be read.
    """
    if place is None:
        if (here := newest_copy(Path(JOURNAL))).is_file():
            return [here]
        from controller.config import load_config  # loads much that only this needs

        place = load_config().record_folder()
    elif not place.is_dir():
        return [place]
    elif (journal := newest_copy(place / JOURNAL)).is_file():
        return [journal]
    found = match_journals(place)
    if not found:
        raise UserError(f"There is no match in {place}; name a match folder or its {JOURNAL}.")
    return found


def find_journal(place: Path | None) -> Path:
    """The newest of the journals at a place. Raises UserError as `find_journals`."""
    return find_journals(place)[-1]


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """Open a journal to read it; what is wrong with it is noted before anything else is said about it.

    Raises:
        JournalError: if nothing in it can be read.
    """
    for doubt in list_doubts(path):
        note(f"Note: {doubt}")
    with Journal(path, read_only=True) as opened:
        yield opened


def is_journal(path: Path) -> bool:
    """Whether a file is a journal, or by its name was one before it was damaged; else it is a match file."""
    return path.suffix == Path(JOURNAL).suffix or begins_with(path, SQLITE)


def read_chosen(chosen: ChosenMatch, encoding: str | None = None) -> MatchRecord:
    """The match that was chosen, of a journal or a match file.

    Raises:
        UserError: if it cannot be read, or one was named of a match file, which holds only one.
    """
    if is_journal(chosen.journal):
        with open_journal(chosen.journal) as journal:
            return read_match(journal, chosen.name_in(journal))
    if chosen.match is not None:
        raise UserError(f"{chosen.journal} is a match file and holds one match; leave out --match.")
    return read_file(chosen.journal, encoding)


def read_all(path: Path, encoding: str | None = None) -> list[MatchRecord]:
    """Every match of a journal, or the one of a match file."""
    if not is_journal(path):
        return [read_file(path, encoding)]
    with open_journal(path) as journal:
        return [read_match(journal, name) for name in journal.matches()]


def read_file(file: Path, encoding: str | None = None) -> MatchRecord:
    """The match of a match file; where nothing shows the encoding of its text, a note says which one was taken."""
    data = _bytes(file)
    record = read_match_file(data, str(file), None if encoding is None else check_encoding(encoding))
    if encoding is None and is_text(data) and is_guessed(data):
        note(
            f"{file} is not UTF-8: it was read as {encoding_of(data)}. If names look wrong, name its encoding "
            "with --encoding, such as shift_jis or windows-1250."
        )
    return record


def _bytes(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == STDIN else file.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file; check the path.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}); give a match file.") from None


def is_no_place(word: str) -> bool:
    """Whether a word names no folder or file that exists, nor standard input; a plain number never does."""
    return word.isdigit() or (word != STDIN and not Path(word).exists())


def choose_match(name: str | None, match: str | None) -> ChosenMatch:
    """The match that is called `name`: a folder or journal, or a match within the newest one.

    Args:
        name: what stands where a match is named.
        match: what `--match` says.
    """
    if name is None or not is_no_place(name):
        return ChosenMatch(find_journal(None if name is None else Path(name)), match)
    if len(Path(name).parts) > 1:
        raise UserError(f"{name}: there is no such match folder or journal; check the path.")
    return ChosenMatch(find_journal(None), name if match is None else match)


def split_words(
    words: Sequence[str],
    counts: tuple[int, float],
    match: str | None,
    own: Callable[[str], bool] = is_no_place,
) -> tuple[ChosenMatch, list[str]]:
    """The match that the words of a command begin with, if they do, and the words after it.

    Args:
        words: all of them.
        counts: how many follow the match, at least and at most.
        match: what `--match` says.
        own: whether a first word is the command's own, so that no match is named.

    Raises:
        UserError: if there are too few or too many, or no such match.
    """
    least, most = counts
    named = len(words) > most or (bool(words) and not own(words[0]))
    rest = list(words[named:])
    if not least <= len(rest) <= most:
        given = " ".join(words) or "nothing"
        raise UserError(f"{given} is not what this command takes; its --help says what to give.")
    return choose_match(words[0] if named else None, match), rest


def read_number(text: str, name: str) -> int:
    """A whole number. Raises UserError, by the name it has in the usage, for anything else."""
    if not (text.isascii() and text.isdigit()):
        raise UserError(f"{name} is a whole number, not {text!r}.")
    return int(text)


def read_roll(text: str, name: str) -> Roll:
    """A roll, such as 31 or 3-1. Raises UserError, by the name it has in the complaint, for anything else."""
    digits = [char for char in text if char not in "-, "]
    if len(digits) != 2 or not all(char in "123456" for char in digits):
        raise UserError(f"{name} is no roll; give two numbers from 1 to 6, as 31 or 3-1.")
    return Roll.from_dice(int(digits[0]), int(digits[1]))
