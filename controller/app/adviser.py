"""The engine beside a learner's table: asked in a thread of its own, so that nobody waits for it."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

from controller.analysis.advice import Engine, advise
from controller.app.inbox import Inbox
from controller.errors import UserError
from controller.messages.device_words import Words, program_words
from controller.referee.actions import BestPlayWanted
from controller.referee.events import BestPlayFound
from controller.rules.forms.xgid import MatchState

Wanted = tuple[BestPlayWanted, MatchState]


class Adviser:
    """Answers what the best play is. Without an engine it says so once and keeps silent."""

    def __init__(self, engine: Engine, inbox: Inbox, tell: Callable[[Words], None]) -> None:
        """``tell`` hears what people are to be told."""
        self._engine, self._inbox, self._tell = engine, inbox, tell
        self._wanted: SimpleQueue[Wanted | None] = SimpleQueue()
        self._complained = False
        self._thread = threading.Thread(target=self._work, name="pointsman-engine", daemon=True)
        self._thread.start()

    def ask(self, wanted: BestPlayWanted, state: MatchState) -> None:
        """The best play of a roll is wanted; ``state`` is everything but the checkers."""
        self._wanted.put((wanted, state))

    def close(self) -> None:
        """Ask no more; an answer that is under way is not waited for."""
        self._wanted.put(None)

    def _work(self) -> None:
        while (asked := self._wanted.get()) is not None:
            wanted, state = asked
            try:
                best = advise(wanted.position, state, self._engine).best
            except UserError as error:
                if not self._complained:
                    self._tell(program_words("no_best_plays", why=error))
                self._complained = True
                continue
            self._inbox.put(BestPlayFound(wanted.t, wanted.ply, best.after))
