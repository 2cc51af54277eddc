"""What everybody is told of a table: news for whoever listens, notices for the director."""

from collections.abc import Callable
from functools import partial
from typing import Final

from controller.messages.device_words import LocalText
from controller.messages.sight_words import covered_words, lost_words
from controller.referee import Action, Flagged, Message, Told, TurnJudged
from controller.referee.actions import BoardLost, Covered
from controller.speech.announcement import TimeLeft
from controller.telling.table import told_text
from controller.web.health import TableFigures
from controller.web.table_service import News, NewsListener, Notice, RoomView

NOTICES: Final = 20
"""This many notices of a match are kept for the director."""


class TableNews:
    """Tells listeners what is new at a table; but for `subscribe`, `tell` and `show_anew`, for the thread that steps.

    Attributes:
        notices: what the director is to know of the match that is on, the oldest first.
    """

    def __init__(self, view: Callable[[], RoomView], figures: TableFigures) -> None:
        """``view`` is the table as it is now, asked for only when somebody listens; ``figures`` counts verdicts."""
        self.notices: tuple[Notice, ...] = ()
        self._noticed = 0
        self._view, self._figures = view, figures
        self._hearers: tuple[NewsListener, ...] = ()

    def subscribe(self, hear: NewsListener) -> None:
        """Call ``hear`` with all news from now on."""
        self._hearers = (*self._hearers, hear)

    def tell(self, words: LocalText) -> None:
        """A sentence for everybody who listens; from any thread."""
        self._put_out(words=(words,))

    def show_anew(self) -> None:
        """What is shown beside the table has changed; from any thread."""
        self._put_out()

    def notify(self, words: LocalText) -> None:
        """Something that the director is to know of."""
        self._notice(words)
        self.show_anew()

    def hear_actions(self, actions: tuple[Action, ...]) -> None:
        """All that came of one event, safe on the disk."""
        if any(isinstance(action, TurnJudged | Flagged) for action in actions):
            self._figures.verdict()
        for action in actions:
            if isinstance(action, Told) and action.message is Message.BOARD_TROUBLE:
                self._notice(partial(told_text, action))
            elif isinstance(action, BoardLost):
                self._notice(partial(lost_words, action.fault, action.shift_mm))
        covered = any(isinstance(action, Covered) for action in actions)
        self._put_out(actions, words=(covered_words,) if covered else ())

    def hear_left(self, left: TimeLeft) -> None:
        """A reserve of the clock has come down so far."""
        self._put_out(left=left)

    def _notice(self, words: LocalText) -> None:
        self._noticed += 1
        self.notices = (*self.notices, Notice(f"notice-{self._noticed}", words))[-NOTICES:]

    def _put_out(
        self,
        actions: tuple[Action, ...] = (),
        *,
        words: tuple[LocalText, ...] = (),
        left: TimeLeft | None = None,
    ) -> None:
        if self._hearers:
            news = News(self._view(), actions, words=words, left=left)
            for hear in self._hearers:
                hear(news)
