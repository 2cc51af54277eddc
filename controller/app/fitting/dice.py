"""The dice of a room: chosen, tried, and looked for where they have Bluetooth."""

from dataclasses import replace
from typing import Final

from controller.app.fitting.dice_search import DiceSearch
from controller.app.fitting.errands import have_done
from controller.app.fitting.keeping import Keeping
from controller.app.room import Room
from controller.config import Config
from controller.config.dice import owners_of
from controller.config.sections import DiceAt, DiceSection
from controller.config.writing import Value
from controller.devices.dice.lines import way_to
from controller.devices.dice.patterns import find_pattern
from controller.devices.dice.textline import LinePattern
from controller.errors import UserError
from controller.messages.device_words import program_words
from controller.messages.table_words import roll_words
from controller.referee import Event, RollReported
from controller.rules import Roll
from controller.web.setup.set_up import DiceChoice, DiceFound, Trial, TrialState
from controller.web.table_service import Reply

PAIR: Final = 2
"""Dice of a roll."""


class DiceFitting:
    """Sets up the dice of one room; see `DiceSetUp`. `happened`, `tick` and `leave` are for the thread that steps.

    Attributes:
        trial: how far the trial is.
    """

    def __init__(self, room: Room, keeping: Keeping) -> None:
        """Nothing was tried yet; ``keeping`` writes what is chosen into the configuration."""
        self._room, self._keeping = room, keeping
        self._search = DiceSearch(room)
        self.trial = Trial(TrialState.READY)

    def view_choice(self) -> DiceChoice:
        """The dice that the configuration names."""
        dice = self._room.config.dice
        sets = _sets_of(dice) if dice.source is DiceAt.BLUETOOTH else {}
        return DiceChoice(dice.source, dice.port, dice.baud, dice.dtr, dice.pattern, **sets)

    def view_found(self) -> DiceFound:
        """The dice with Bluetooth that were found."""
        return self._search.view()

    def choose(self, choice: DiceChoice) -> Reply:
        """See `DiceSetUp`."""
        try:
            dice = _dice_of(self._room.config, choice)
        except UserError as error:
            return Reply.refusing(error)
        if dice.source is DiceAt.TEXT and not dice.port:
            return Reply(False, program_words("dice_no_port"))
        if dice.source is DiceAt.BLUETOOTH and not _is_whole(dice):
            return Reply(False, program_words("dice_no_sets"))
        if dice.source is DiceAt.BOARD and self._room.config.port() is None:
            return Reply(False, program_words("dice_no_board"))

        def use() -> Reply:
            self._search.end()
            return self._room.use(dice)

        used = have_done(self._room, use)
        return Reply(True, self._keeping.keep({"dice": _dice_values(dice)}, "dice")) if used.done else used

    def find(self) -> Reply:
        """See `DiceSetUp`."""
        return have_done(self._room, self._search.begin)

    def end_search(self) -> Reply:
        """See `DiceSetUp`."""

        def end() -> Reply:
            self._search.end()
            return Reply(True)

        return have_done(self._room, end)

    def try_next(self) -> Reply:
        """See `DiceSetUp`."""
        if self._room.match.playing:
            return Reply(False, program_words("match_on"))
        self.trial = Trial(TrialState.RUNNING, self.trial.words)
        return Reply(True)

    def happened(self, event: Event) -> None:
        """A roll that was reported ends the trial."""
        if isinstance(event, RollReported) and self.trial.state is TrialState.RUNNING:
            self._end_trial(*event.dice)

    def tick(self) -> None:
        """Hear the dice that are looked for, and see those that are tried."""
        self._search.tick()
        glimpse = self._room.glimpse() if self.trial.state is TrialState.RUNNING else None
        if (
            glimpse is not None
            and glimpse.reading is not None
            and self._room.config.dice.source is DiceAt.CAMERA
            and len(glimpse.reading.dice) == PAIR
        ):
            self._end_trial(*(die.value for die in glimpse.reading.dice))

    def leave(self) -> None:
        """Look for dice no more: a match wants its own."""
        self._search.end()

    def _end_trial(self, *dice: int) -> None:
        self.trial = Trial(TrialState.DONE, roll_words(None, Roll.from_dice(*dice)))


def _dice_of(config: Config, choice: DiceChoice) -> DiceSection:
    """The dice that were chosen. Raises UserError for a pattern that cannot be used."""
    source = DiceAt(choice.source)
    if source is DiceAt.BLUETOOTH and (choice.light or choice.dark or choice.shared):
        return replace(config.dice, source=source, light=choice.light, dark=choice.dark, shared=choice.shared)
    if source is not DiceAt.TEXT:
        return replace(config.dice, source=source)
    LinePattern(find_pattern(choice.pattern))
    way_to(choice.port)
    return replace(
        config.dice, source=source, port=choice.port, baud=choice.baud, dtr=choice.dtr, pattern=choice.pattern
    )


def _sets_of(dice: DiceSection) -> dict[str, tuple[str, ...]]:
    """Whose the dice are, by the keys of the configuration."""
    return {"light": dice.light, "dark": dice.dark, "shared": dice.shared}


def _is_whole(dice: DiceSection) -> bool:
    """Whether both sides have two dice to roll, and each die has one place."""
    sizes = [len(names) for names in _sets_of(dice).values()]
    return sizes in ([2, 2, 0], [0, 0, 2], [2, 2, 2]) and len(owners_of(dice)) == sum(sizes)


def _dice_values(dice: DiceSection) -> dict[str, Value]:
    """The keys of the dice that the page sets."""
    values: dict[str, Value] = {"source": str(dice.source)}
    if dice.source is DiceAt.BLUETOOTH:
        values |= {name: list(names) or None for name, names in _sets_of(dice).items()}
    if dice.source is DiceAt.TEXT:
        values |= {"port": dice.port, "baud": dice.baud, "dtr": dice.dtr, "pattern": dice.pattern}
    return values
