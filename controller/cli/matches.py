"""Which match is meant: it is named by its folder, by its journal, or not at all, which means the newest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.errors import UserError
from controller.record.journal.journal import EventLog
from controller.record.match.names import header_text
from controller.record.table.match_folder import JOURNAL, match_journals


@dataclass(frozen=True, slots=True)
class ChosenMatch:
    """A journal, and the match in it if one was named."""

    journal: Path
    match: str | None

    def name_in(self, journal: EventLog) -> str:
        """The match's name in its opened journal.

        Raises:
            UserError: if none was named and the journal does not hold exactly one.
        """
        return self.match if self.match is not None else only_match(journal)


def find_journals(place: Path | None) -> list[Path]:
    """The journals at a place, the newest last: of a match folder, of a folder of matches, or the file itself.

    Without a place it is `journal.db` in the current folder, else those of all matches under the configured place.

    Raises:
        UserError: if there are none, or the configuration cannot be read.
    """
    if place is None:
        if (here := Path(JOURNAL)).is_file():
            return [here]
        from controller.config import load_config  # loads much that only this needs

        place = load_config().record_folder()
    elif not place.is_dir():
        return [place]
    elif (place / JOURNAL).is_file():
        return [place / JOURNAL]
    found = match_journals(place)
    if not found:
        raise UserError(f"There is no match in {place}; name a match folder or its {JOURNAL}.")
    return found


def find_journal(place: Path | None) -> Path:
    """The newest of the journals at a place. Raises UserError as `find_journals`."""
    return find_journals(place)[-1]


def only_match(journal: EventLog) -> str:
    """The match of a journal that holds one. Raises UserError if it holds none or several."""
    names = journal.matches()
    if len(names) != 1:
        known = f" ({', '.join(map(header_text, names))})" if names else ""
        remedy = "name one with --match" if names else "name another journal"
        raise UserError(f"{journal.path} holds {len(names)} matches{known}; {remedy}.")
    return names[0]


def is_place(word: str) -> bool:
    """Whether a word names a folder or file that exists; a plain number is never one."""
    return not word.isdigit() and Path(word).exists()


def choose_match(name: str | None, match: str | None, journal: Path | None) -> ChosenMatch:
    """The match that is called `name`: a folder or journal, or a match within `journal` or the newest one.

    Args:
        name: what stands where a match is named.
        match: what `--match` says.
        journal: what `--journal` says.
    """
    if name is None or (journal is None and is_place(name)):
        return ChosenMatch(find_journal(journal if name is None else Path(name)), match)
    if journal is None and len(Path(name).parts) > 1:
        raise UserError(f"{name}: there is no such match folder or journal; check the path.")
    return ChosenMatch(find_journal(journal), name if match is None else match)


def split_words(
    words: Sequence[str], own: Callable[[Sequence[str]], bool], match: str | None, journal: Path | None
) -> tuple[ChosenMatch, list[str]]:
    """The match that the words of a command begin with, and the words after it.

    Args:
        words: all of them.
        own: whether words are the command's own, so that no match is named before them.
        match: what `--match` says.
        journal: what `--journal` says.
    """
    named = bool(words) and not own(words)
    chosen = choose_match(words[0] if named else None, match, journal)
    return chosen, list(words[named:])
