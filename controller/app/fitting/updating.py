"""Updates of an installed table: the page asks for them, and a program of the system that runs as root makes them."""

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller import __version__
from controller.json_object import parse_object
from controller.locks import hold
from controller.messages.device_words import LocalText, update_words
from controller.web.setup.set_up import TrialState, UpdateView

STATE: Final = Path("/opt/pointsman/update.json")
"""What `hardware_docs/system/pointsman-update` writes, which `install.sh` or a package has put on this machine."""
HELD: Final = "update.lock"
"""The file beside it that this program holds as long as it runs."""
REQUEST: Final = ".update-request"
"""The file in the table's folder that the system watches for."""

HEARD_S: Final = 60.0
"""The system takes a request at once. One that lies longer is taken by nobody."""


@dataclass(frozen=True, slots=True)
class UpdateErrand:
    """Asks for updates, and says how far they are.

    Attributes:
        folder: the table's.
        state: where it stands how far they are.
        now: seconds since 1970, as files have them.
    """

    folder: Path
    state: Path = STATE
    now: Callable[[], float] = time.time

    @property
    def running(self) -> bool:
        """Whether something is under way, or was asked for and not begun yet."""
        return self._asked_s() < HEARD_S or self._at_work(self._told())

    def view(self) -> UpdateView:
        """How it stands, for the page."""
        told = self._told()
        if not told:
            return UpdateView()
        state = TrialState.RUNNING if self.running else TrialState.READY
        if HEARD_S <= self._asked_s() < math.inf:
            return UpdateView(state, words=update_words("outcome", "not_heard"))
        return UpdateView(
            state, told.get("new", ""), told.get("before", ""), _words(told, running=self.running)
        )

    def ask(self, what: str) -> None:
        """Have it done: ``check``, ``update`` or ``back``. Raises OSError where the folder cannot be written."""
        (self.folder / REQUEST).write_text(what, encoding="ascii")

    def _asked_s(self) -> float:
        """How long nobody has taken what was asked; endless where nothing was."""
        try:
            return max(0.0, self.now() - (self.folder / REQUEST).stat().st_mtime)
        except OSError:
            return math.inf

    def _at_work(self, told: Mapping[str, str]) -> bool:
        """Whether the step that is told is being done; it is not where the power went in the middle of it."""
        if not told.get("step"):
            return False
        try:
            descriptor = os.open(self.state.with_name(HELD), os.O_RDONLY)
        except OSError:  # a program of an earlier version, which holds nothing
            return True
        try:
            hold(descriptor, shared=True)
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return False

    def _told(self) -> dict[str, str]:
        try:
            told = parse_object(self.state.read_text(encoding="utf-8"))
            return {name: str(value) for name, value in told.items()}
        except (OSError, ValueError):
            return {}


def _words(told: Mapping[str, str], *, running: bool) -> LocalText:
    """Which version runs, what is new, and how it went."""
    parts: list[Callable[[str], str]] = [update_words("text", "version", version=__version__)]
    if running:
        return _joined([update_words("step", told.get("step") or "asked")])
    if told.get("outcome") not in (None, "", "checked"):
        parts.append(update_words("outcome", told["outcome"], why=told.get("why", "")))
    if told.get("new"):
        name = "new" if told.get("news") else "new_number"
        parts.append(update_words("text", name, new=told["new"], news=told.get("news", "")))
    elif told.get("outcome") == "checked":
        parts.append(update_words("text", "newest"))
    return _joined(parts)


def _joined(parts: list[Callable[[str], str]]) -> LocalText:
    return lambda language: " ".join(filter(None, (part(language) for part in parts)))
