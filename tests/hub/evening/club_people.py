"""A director and players at a club's evening, who do whatever people do, in any order and two at a time."""

import itertools
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from controller.errors import UserError
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.server.deeds import DeedSent, carry_out
from controller.messages.catalogue import LANGUAGES
from controller.rules import Side
from controller.tournament.catalogue import format_names
from controller.tournament.events import TournamentEvent
from controller.tournament.fault import RefusalError
from controller.tournament.match import MatchEnding, ReportedResult
from controller.tournament.tournament import Progress, Tournament, fold
from tests.hub.evening.test_club_evening import settled, wait_for
from tests.hub.stand_in import NOW_MS, StandInHall

TABLES: Final = ("table-1", "table-2", "table-3")
OWN_RESULT: Final = {
    MatchEnding.WALKOVER: lambda score: (0, 1) if score and score[1] > score[0] else (1, 0),
    MatchEnding.DOUBLE_WALKOVER: lambda _: (0, 0),
    MatchEnding.PLAYED: lambda score: score,
}


class ClubPeople:
    """An evening of one club.

    Attributes:
        rng: what people do.
        done: what they did.
        finished: of the matches that came to an end at tables: record, command and table.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng, self.done = Random(seed), list[str]()
        self.hall, self.path = StandInHall(folder, len(TABLES)), folder / "tournament.jsonl"
        self.finished: list[tuple[str, str, str]] = []
        self._seconds, self._names = itertools.count(), itertools.count(1)
        self._form, self._two = self.rng.choice(format_names()), False
        self.evening = self._open()
        self.begin()
        self.do(what="enter", players="\n".join(f"First {each}" for each in range(self.rng.randint(2, 9))))

    def _open(self) -> ClubEvening:
        return ClubEvening(self.hall, self.path, self._utc, lambda: NOW_MS)

    def _utc(self) -> str:
        second = next(self._seconds)
        return f"2026-11-23T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"

    def act(self) -> None:
        """Somebody does something."""
        deed = self.rng.choice(DEEDS)
        self.done.append(deed.__name__)
        deed(self)

    @property
    def tournament(self) -> Tournament:
        found = self.evening.tournament()
        assert found is not None
        return found

    def events(self) -> list[TournamentEvent]:
        log = self.evening.log()
        return [] if log is None else [*log.events]

    def do(self, **keys: Any) -> bool:
        """The director sends this; whether it was done. What is refused has a sentence, and changes nothing."""
        before = self.path.read_bytes() if self.path.exists() else b""
        self.done.append(str(keys))
        try:
            carry_out(self.evening, DeedSent(**keys))
        except UserError as error:
            refused = error
        else:
            return True
        assert str(refused).strip()
        if isinstance(refused, RefusalError):
            assert all(each and "{" not in each for each in map(refused.in_language, LANGUAGES))
        if keys["what"] in ONE_CHANGE and not self._two:
            assert self._without_records(before) == self._without_records(self.path.read_bytes()), keys
        return False

    @staticmethod
    def _without_records(file: bytes) -> list[bytes]:
        """The lines but for the results that tables bring at any time."""
        return [line for line in file.splitlines() if b'"journal"' not in line]

    def look(self) -> None:
        """Everything that came from the tables is looked at, also what came while the hub was not running."""
        self.evening._wake.set()
        wait_for(lambda: self.evening._records._looked_back_ms is not None)
        settled(self.evening)

    # --- what people name ----------------------------------------------------------------------------------

    def name(self) -> str:
        known = [each.name for each in self.tournament.entries.values()]
        strange = ["Nobody", "first", "", "#1", " ", "\x00", "x" * 80]
        return self.rng.choice(strange if not known or self.rng.random() < 0.2 else known)

    def match(self, *, opened: bool = False) -> int:
        states = self.tournament.states()
        known = [n for n, state in states.items() if state.progress is Progress.OPEN or not opened]
        return self.rng.choice([0, 1, 99] if not known or self.rng.random() < 0.1 else known)

    def score(self, match: int) -> tuple[int, int] | None:
        if self.rng.random() < 0.1:
            return self.rng.choice([None, (0, 0), (-1, 5), (9, 9), (2**70, 1), (1, 0)])
        drawn = self.tournament.matches.get(match)
        length = 5 if drawn is None else drawn.length
        one, other = self.rng.sample([length, self.rng.randrange(length)], 2)
        return one, other

    # --- deeds ---------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self.do(what="begin", name="Cup", format=self._form, seed=str(self.rng.randint(1, 9)), length="5")

    def enter(self) -> None:
        """Somebody comes, perhaps late; now and then with a name that is there, or with strange numbers."""
        name = self.name() if self.rng.random() < 0.2 else f"Player {next(self._names)}"
        rating, start = self.rng.choice(["", "1500", "-1", "x"]), self.rng.choice(["", "", "1", "99"])
        self.do(what="enter", players=f"name,rating,head_start\n{name},{rating},{start}")

    def withdraw(self) -> None:
        if self.rng.random() < 0.4:
            self.do(what="withdraw", name=self.name())

    def come_late(self) -> None:
        self.do(what="late", name=self.name(), minutes=self.rng.choice([0, 6, 12, 40, 999]))

    def draw(self) -> None:
        self.do(what="draw", assign=self.rng.random() < 0.7)

    def pair(self) -> None:
        self.do(what="pair", name=self.name(), other=self.name())

    def play_off(self) -> None:
        self.do(what="play_off", name=self.name(), other=self.name(), length=self.rng.choice(["", "3", "x"]))

    def report(self) -> None:
        """A result is entered, or put right; that changes no other one."""
        self.look()
        match, before = self.match(opened=self.rng.random() < 0.8), self.tournament.results
        ending, score = self.rng.choice([MatchEnding.PLAYED, MatchEnding.PLAYED, *MatchEnding]), None
        score = self.score(match)
        if self.do(what="result", match=match, score=score, ending=ending):
            result = self.tournament.results[match]
            assert (result.score, result.ending) == (OWN_RESULT[ending](score), ending)
            assert self._by_hand(self.tournament.results, match) == self._by_hand(before, match)

    def _by_hand(self, results: Mapping[int, ReportedResult], match: int) -> dict[int, ReportedResult]:
        tables = self.tournament.journals
        return {number: each for number, each in results.items() if number not in (match, *tables)}

    def confirm(self) -> None:
        self.do(what="confirm", match=self.match())

    def undo(self) -> None:
        number = len(self.events())
        event = self.rng.randint(0, number + 1) if self.rng.random() < 0.4 else number
        self.do(what="undo", event=event, later=self.rng.random() < 0.5)

    def do_and_undo(self) -> None:
        """A deed that is undone at once leaves everything as it was."""
        self.look()
        before = self.events()
        self.rng.choice((ClubPeople.withdraw, ClubPeople.come_late, ClubPeople.report, ClubPeople.enter))(
            self
        )
        for number in range(len(self.events()), len(before), -1):
            assert self.do(what="undo", event=number)
        assert fold(self.events()) == fold(before)

    def assign(self) -> None:
        table = self.rng.choice(["", *TABLES, "table-9"])
        self.do(what="assign", match=self.match(opened=True), table=table)

    def assign_free(self) -> None:
        self.do(what="assign_free")

    def send(self) -> None:
        self.do(what="send", match=self.match())

    def restart(self) -> None:
        """The hub ends and starts again from its file."""
        self.evening.close()
        self.evening = self._open()

    def finish(self) -> None:
        """A match comes to its end at its table."""
        table = self.rng.choice(TABLES)
        played: Any = (self.hall.shown(table).screen or {}).get("match")
        if not played or played.get("winner"):
            return
        winner, begun = self.rng.choice([*Side]), self.hall.begun.get(table, dict.fromkeys(Side, 0))
        other = max(self.rng.randrange(int(played["length"])), begun[winner.opponent])
        record = self.hall.finish(table, winner, other)
        self.finished.append((record, self.hall.commands.get(table, ""), table))

    def put_away(self) -> None:
        if self.rng.random() < 0.1:
            self.do(what="put_away")
            self.begin()

    def two_at_once(self) -> None:
        """Two people send something at the same moment."""
        match = self.match(opened=True)
        score = self.score(match)
        send: list[Callable[[], object]] = [
            lambda: self.do(what="result", match=match, score=score),
            lambda: self.do(what="draw"),
            lambda: self.do(what="undo", event=len(self.events())),
            lambda: self.do(what="assign_free"),
        ]
        chosen, wrong = self.rng.choices(send, k=2), list[Exception]()

        def run(work: Callable[[], object]) -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - the other thread tells it
                wrong.append(error)

        self._two = True
        threads = [threading.Thread(target=run, args=(each,)) for each in chosen]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self._two = False
        for each in wrong:
            raise each


ONE_CHANGE: Final = frozenset({"enter", "withdraw", "late", "result", "confirm", "undo"})
"""Deeds that change the file once or not at all."""
DEEDS: Final[tuple[Callable[[ClubPeople], None], ...]] = (
    *[ClubPeople.report] * 6,
    *[ClubPeople.finish] * 3,
    *[ClubPeople.draw] * 3,
    *[ClubPeople.pair, ClubPeople.two_at_once, ClubPeople.undo, ClubPeople.do_and_undo, ClubPeople.enter] * 2,
    *(ClubPeople.withdraw, ClubPeople.come_late, ClubPeople.play_off, ClubPeople.confirm, ClubPeople.assign),
    *(ClubPeople.assign_free, ClubPeople.send, ClubPeople.restart, ClubPeople.put_away),
)
