"""An evening at a table: what people do becomes events, and everything the referee tells is kept."""

from collections.abc import Iterable
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from random import Random

from controller.devices.link.happenings import Button
from controller.referee.actions import Action, Message, Phase, Told
from controller.referee.belief.branches import first_beam
from controller.referee.events import Event, FrameMoving, FrameSame, FrameSeen, Pressed, RollReported, Said
from controller.referee.table.machine import step
from controller.referee.table.settings import Settings
from controller.referee.table.state import Table, begin
from controller.rules.game import events as ruled
from controller.rules.game.match import Terms
from controller.rules.moves.plays import legal_plays
from controller.rules.position import Position, Side
from controller.rules.profile.profile import Profile
from tests.referee.staging import Film

CLOCK = {Side.LIGHT: Button.CLOCK_LIGHT, Side.DARK: Button.CLOCK_DARK}


@dataclass
class Evening:
    """A table with people at it. `actions` is all that was told."""

    settings: Settings
    rng: Random = field(default_factory=lambda: Random(1))
    noise: float = 0.0
    table: Table = field(init=False)
    actions: list[Action] = field(default_factory=list)
    shown: Position = field(init=False)
    t: float = 0.0

    def __post_init__(self) -> None:
        """Nobody has done anything yet."""
        self.table = begin(self.settings)
        self.film = Film(self.rng, self.noise)
        self.shown = self.table.position

    def apart(self) -> "Evening":
        """An evening that goes on from here by itself. What the referee knows is never changed, so both share it."""
        other = copy(self)
        other.rng, other.film = deepcopy((self.rng, self.film))
        other.actions = list(self.actions)
        return other

    def tell(self, event: Event) -> tuple[Action, ...]:
        """One event; what the referee told of it."""
        self.table, actions = step(self.table, event)
        self.actions += actions
        return actions

    def look(self, position: Position | None = None, pictures: int = 2, hidden: Iterable[int] = ()) -> None:
        """The board lies still and is seen, but for points that something hides."""
        if position is not None:
            self.shown = position
        for _ in range(pictures):
            self.t += 0.3
            self.tell(
                FrameSeen(self.t, round(self.t * 15), self.film.read(self.shown, hidden=frozenset(hidden)))
            )

    def stay(self) -> tuple[Action, ...]:
        """Another picture shows the board as it was read."""
        self.t += 0.3
        return self.tell(FrameSame(self.t, round(self.t * 15)))

    def move(self, position: Position, pictures: int = 2, hidden: Iterable[int] = ()) -> None:
        """A hand comes, leaves the board as `position` says, and perhaps something that hides points."""
        self.t += 0.5
        self.tell(FrameMoving(self.t, round(self.t * 15)))
        self.t += 1.0
        self.look(position, pictures, hidden)

    def roll(self, first: int, second: int) -> None:
        """The electronic dice are thrown."""
        self.t += 0.5
        self.tell(RollReported(self.t, (first, second)))
        self.look(pictures=1)

    def show_dice(self, first: int, second: int, confidence: float = 0.95, pictures: int = 3) -> None:
        """Dice come to lie on the board, and nothing but the camera sees them."""
        self.film.roll((first, second), reported=False)
        self.film.dice = tuple(replace(die, confidence=confidence) for die in self.film.dice)
        self.look(pictures=pictures)

    def lift_dice(self) -> None:
        """The dice are taken off the board."""
        self.film.lift()
        self.look(pictures=3)

    def press(self, button: Button, side: Side | None = None) -> tuple[Action, ...]:
        """A button is pressed, by ``side`` if it has one of its own."""
        self.t += 0.2
        return self.tell(Pressed(self.t, button, side))

    def done(self) -> tuple[Action, ...]:
        """The side on turn says that it is done, with its clock where there is one."""
        side = self.table.on_turn
        assert side is not None
        return self.press(CLOCK[side] if self.settings.clock else Button.DONE)

    def say(self, event: ruled.RulesEvent) -> tuple[Action, ...]:
        """Something is said to the device."""
        self.t += 0.2
        return self.tell(Said(self.t, event))

    def start(self, light: int = 3, dark: int = 1) -> None:
        """The checkers are set up and the opening roll is made."""
        self.look(self.table.position)
        self.roll(light, dark)

    def stand(self, position: Position, side: Side) -> None:
        """The game has come to `position`, and `side` is to roll."""
        game = self.table.match.game
        game = replace(game, position=position, turn=side, dice=(), opening_dice=False, undo=None)
        branch = first_beam(position, side)[0]
        self.table = replace(
            self.table,
            match=replace(self.table.match, game=game),
            phase=Phase.TO_ROLL,
            beam=(branch,),
            thrown=None,
            closings=(),
            views=(),
        )
        self.look(position)

    def legal(self, number: int = 0) -> Position:
        """One of the results of the roll being played, in a fixed order."""
        thrown = self.table.thrown
        assert thrown is not None
        plays = legal_plays(self.table.position, thrown.side, thrown.roll, self.table.caution.rules)
        return plays[number % len(plays)].after if plays else self.table.position

    def turn(self, first: int, second: int, number: int = 0) -> None:
        """A whole legal turn, from the roll to its end."""
        self.roll(first, second)
        self.move(self.legal(number))
        self.done()

    def messages(self) -> list[Message]:
        """Everything said so far."""
        return [action.message for action in self.actions if isinstance(action, Told)]

    def of(self, kind: type) -> list[Action]:
        """The actions of one kind."""
        return [action for action in self.actions if isinstance(action, kind)]


def match_terms(profile: Profile, length: int = 5) -> Terms:
    """A match by these rules."""
    return Terms.match(profile, length)
