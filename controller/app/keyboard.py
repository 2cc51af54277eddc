"""The keyboard of a table: what players type goes to the referee, and the reply comes back."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import TimeoutError as NoReplyError
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, Protocol

from controller.app.inbox import NotTakenError
from controller.app.live import Saying
from controller.app.room import Room
from controller.app.typed import TypedError, Typist
from controller.messages.catalogue import catalogue

CLOSE_S: Final = 0.5
"""How long the thread that reads is waited for; one that waits for a file's next line ends with the program."""
REPLY_S: Final = 10.0
"""How long a reply is waited for."""


class Lines(Protocol):
    """Where lines are typed."""

    def read(self) -> str | None:
        """The next line; None when no more will come."""

    def keep_apart(self) -> AbstractContextManager[object]:
        """While this lasts, what the table says does not run into the line that is being typed."""

    def close(self) -> None:
        """Wait for no more lines."""


class PlainLines:
    """Lines of standard input, as from a file or another program."""

    def read(self) -> str | None:
        """See `Lines`."""
        return sys.stdin.readline() or None

    def keep_apart(self) -> AbstractContextManager[object]:
        """See `Lines`."""
        return nullcontext()

    def close(self) -> None:
        """See `Lines`; the thread that reads ends with the program."""


class PromptLines:
    """Lines typed at a terminal, under one line that tells what can be said now."""

    def __init__(self, hint: Callable[[], str]) -> None:
        """``hint`` gives that line."""
        from prompt_toolkit import PromptSession

        self._session: PromptSession[str] = PromptSession("> ", bottom_toolbar=hint, refresh_interval=0.5)

    def read(self) -> str | None:
        """See `Lines`. Raises KeyboardInterrupt for Ctrl-C, which a terminal that reads keys hands to nobody else."""
        try:
            return self._session.prompt(handle_sigint=False)
        except EOFError:
            return None

    def close(self) -> None:
        """See `Lines`; the terminal is as it was before."""
        app = self._session.app
        if app.loop is not None and app.is_running:
            with suppress(RuntimeError):  # the loop ended meanwhile
                app.loop.call_soon_threadsafe(
                    lambda: app.exit(exception=EOFError) if app.is_running else None
                )

    def keep_apart(self) -> AbstractContextManager[object]:
        """See `Lines`."""
        from prompt_toolkit.patch_stdout import patch_stdout

        return patch_stdout(raw=True)


class Keyboard:
    """Reads lines in a thread of its own for as long as any come; the table goes on without it."""

    def __init__(self, room: Room, leave: Callable[[], None], lines: Lines | None = None) -> None:
        """``leave`` ends the program; ``lines`` are where players type, the terminal if it is one by default."""
        self._room, self._leave = room, leave
        self._lines = lines or (PromptLines(self._hint) if sys.stdin.isatty() else PlainLines())
        self._thread = threading.Thread(target=self._work, name="pointsman-keyboard", daemon=True)

    def keep_apart(self) -> AbstractContextManager[object]:
        """See `Lines`."""
        return self._lines.keep_apart()

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Listen no more; returns when the terminal is as it was."""
        self._lines.close()
        self._thread.join(CLOSE_S)

    def type(self, line: str) -> None:
        """One line."""
        room = self._room
        language = room.config.table.languages[0]
        table = room.view().referee
        try:
            typed = self._typist().read(line, table)
        except TypedError as error:
            room.screen.print_line(str(error))
            return
        match typed.word:
            case "help":
                room.screen.print_line(catalogue(language).text("keyboard", "help", words=self._hint()))
            case "quit":
                self._leave()
            case _:
                saying = typed.saying or {"what": typed.word}
                self._ask(saying, typed.by, language)

    def _ask(self, saying: Saying, by: str, language: str) -> None:
        try:
            reply = self._room.ask(saying, by).result(REPLY_S)
        except (NoReplyError, NotTakenError):
            self._room.screen.print_line(catalogue(language).text("keyboard", "no_reply"))
            return
        if reply.words is not None:
            self._room.screen.print_line(reply.words(language))

    def _work(self) -> None:
        try:
            while (line := self._lines.read()) is not None:
                if line.strip():
                    self.type(line)
        except KeyboardInterrupt:
            self._leave()

    def _typist(self) -> Typist:
        return Typist(self._room.config.table.languages, self._room.screen.names)

    def _hint(self) -> str:
        view = self._room.view()
        return " · ".join(self._typist().allowed(view.referee))
