"""Two honest players at a table, who press, say and ask for whatever people do, in whatever order."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from controller.devices.link.happenings import Button
from controller.referee import events
from controller.referee.actions import Phase, TurnJudged
from controller.referee.belief.branches import lawful
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules.game import events as ruled
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import Conduct, EndOfTurn
from controller.rules.profile.profile import STANDARD
from tests.referee.staging import CHEATS, cheated, thrown
from tests.referee.table.evening import CLOCK, Evening, match_terms

SHARP: Final = 0.97
"""How surely dice are read."""


def electronic() -> Settings:
    """A table with a clock and electronic dice."""
    return Settings(match_terms(STANDARD, 1), clock=True)


def in_pictures() -> Settings:
    """A table whose camera reads the dice; whoever lifts them has played."""
    profile = replace(STANDARD, conduct=Conduct(end_of_turn=EndOfTurn.DICE_LIFTED))
    return Settings(match_terms(profile, 1), dice=DiceFrom.CAMERA)


@dataclass
class Honest:
    """A game of honest players.

    Attributes:
        evening: the table.
        rng: what they do.
        position, side, roll: what is to be played, and by whom.
        end: how the board lies after the play that is made.
        played: how the board lay after each turn.
    """

    evening: Evening
    rng: Random
    position: Position = START
    side: Side = Side.LIGHT
    roll: Roll = field(default_factory=lambda: Roll(3, 1))
    end: Position = START
    played: list[Position] = field(default_factory=list)

    @classmethod
    def at(cls, settings: Settings, seed: int) -> "Honest":
        """The checkers are set up and light has rolled 3-1 to start."""
        rng = Random(seed)
        game = cls(Evening(settings, rng), rng)
        game.evening.look(START)
        game.throw(3, 1)
        game.choose()
        return game

    @property
    def ends(self) -> tuple[Position, ...]:
        """The boards that the roll may lead to."""
        return lawful(self.position, self.side, self.roll)

    @property
    def elsewhere(self) -> Position:
        """A board on which somebody has pushed checkers about."""
        return lawful(self.position, self.side.opponent, Roll(5, 3))[0]

    def choose(self) -> None:
        """One of the legal plays is the one that will be made."""
        self.end = self.rng.choice(self.ends)

    def throw(self, first: int, second: int) -> None:
        """Dice are thrown: electronic ones, or ones that the camera sees."""
        evening = self.evening
        if evening.settings.dice is not DiceFrom.CAMERA:
            evening.roll(first, second)
            return
        if evening.film.dice:
            evening.lift_dice()
        evening.show_dice(first, second, SHARP, pictures=4)

    def move(self, board: Position | None = None, pictures: int = 2) -> None:
        """The play is made, or the checkers are laid so."""
        self.evening.move(self.end if board is None else board, pictures)

    def stop(self) -> None:
        """The player says that the turn is over, if the table has not noticed by itself."""
        evening = self.evening
        if evening.table.phase is not Phase.MOVING:
            return
        if evening.settings.clock:
            evening.press(CLOCK[self.side])
        elif self.rng.random() < 0.5:
            evening.press(Button.DONE)
        else:
            evening.lift_dice()

    def say(self, play: Position) -> None:
        """The player says how the board lies after the play."""
        self.evening.say(ruled.Played(self.side, play, None))

    def tell(self, event: events.Event) -> None:
        """Something else happens."""
        self.evening.tell(replace(event, t=self.evening.t))

    def agree_to_take_back(self) -> None:
        """Both players say that they take the turn back, and lay the board out as it was."""
        for side in (self.side, self.side.opponent):
            self.tell(events.Said(0.0, ruled.TakenBack(self.side), str(side)))
        self.move(self.position, pictures=3)
        self.choose()

    def settle(self) -> None:
        """Whoever is asked looks, and says what was played."""
        for _ in range(4):
            if self.evening.table.phase is Phase.TURN_ENDED:
                self.evening.look()
        if self.evening.table.phase in (Phase.TURN_ENDED, Phase.MOVING):
            self.say(self.end)
            self.evening.look()

    def go_on(self) -> bool:
        """The turn is over, and the next player who can move rolls; whether there is one, and the game goes on."""
        self.settle()
        self.played.append(self.end)
        self.position = self.end
        while self.evening.table.phase is Phase.TO_ROLL and len(self.played) < 200:
            self.side, self.roll = self.side.opponent, Roll.from_dice(*thrown(self.rng))
            self.throw(*self.roll.dice)
            if self.ends != (self.position,):
                self.choose()
                return self.evening.table.phase is Phase.MOVING
            self.end = self.position
            self.stop()
            self.settle()
            self.played.append(self.position)
        return False

    def told(self) -> dict[int, Position]:
        """How the board lay after each turn, as the record has it in the end."""
        return {
            turn.ply: turn.after
            for turn in self.evening.of(TurnJudged)
            if isinstance(turn, TurnJudged) and (turn.legal is not False or turn.stands)
        }


def play(game: Honest) -> None:
    """Move, and say that the turn is over."""
    game.move()
    game.stop()


def say_first(game: Honest) -> None:
    """Say what is played, and then move."""
    game.say(game.end)
    game.evening.look(pictures=game.rng.randint(0, 3))
    game.move()


def say_after(game: Honest) -> None:
    """Move, and say what was played instead of ending the turn."""
    game.move(pictures=game.rng.randint(0, 3))
    game.say(game.end)
    game.evening.look()


def say_other(game: Honest) -> None:
    """Move, and say another play."""
    game.move(pictures=game.rng.randint(1, 3))
    game.say(game.rng.choice(game.ends))
    game.evening.look(pictures=3)


def say_other_first(game: Honest) -> None:
    """Say another play than the one that is made then."""
    game.say(game.rng.choice(game.ends))
    game.evening.look(pictures=game.rng.randint(0, 3))
    game.move()


def break_off(game: Honest) -> None:
    """Pause; checkers are pushed about and put back."""
    if game.rng.random() < 0.5:
        game.move()
    lay = game.evening.shown
    game.tell(events.Pause(0.0))
    game.move(game.elsewhere, pictures=3)
    game.move(lay, pictures=3)
    game.tell(events.GoOn(0.0))
    play(game)


def dispute(game: Honest) -> None:
    """Call for a ruling, and go on."""
    game.tell(events.Disputed(0.0))
    game.evening.look()
    game.tell(events.GoOn(0.0))
    play(game)


def have_ruled(game: Honest) -> None:
    """The director says how the board lies and who rolls."""
    game.move()
    game.tell(events.Disputed(0.0))
    game.tell(events.PositionRuled(0.0, game.end, game.side.opponent))
    game.evening.look(pictures=3)


def take_back(game: Honest) -> None:
    """Play, take it back, and play something else."""
    play(game)
    game.settle()
    if game.evening.table.phase is Phase.TO_ROLL:
        game.agree_to_take_back()
        play(game)


def take_back_late(game: Honest) -> None:
    """The same when the opponent has rolled already."""
    play(game)
    game.settle()
    if game.evening.table.phase is Phase.TO_ROLL:
        game.throw(*thrown(game.rng))
        game.agree_to_take_back()
        play(game)


def ask_to_take_back(game: Honest) -> None:
    """The opponent asks for the turn before to be taken back, and nobody agrees."""
    game.tell(events.Said(0.0, ruled.TakenBack(game.side.opponent), str(game.side.opponent)))
    play(game)


def press_twice(game: Honest) -> None:
    """Say twice that the turn is over."""
    play(game)
    game.stop()


def press_wrong_clock(game: Honest) -> None:
    """The opponent presses their clock before the play."""
    if game.evening.settings.clock:
        game.evening.press(CLOCK[game.side.opponent])
    play(game)


def rebuild(game: Honest) -> None:
    """Checkers are pushed about, and laid out again as they lay, whatever the lights show."""
    game.move(game.elsewhere, pictures=1)
    game.tell(events.Rebuild(0.0))
    game.move(game.position, pictures=3)
    play(game)


def start_again(game: Honest) -> None:
    """The program ends and starts again in the middle of the turn."""
    if game.rng.random() < 0.5:
        game.move()
    game.tell(events.Resumed(0.0))
    game.evening.look(pictures=3)
    play(game)


def start_again_after(game: Honest) -> None:
    """The same between two turns."""
    play(game)
    game.settle()
    game.tell(events.Resumed(0.0))
    game.evening.look(pictures=3)


def wave(game: Honest) -> None:
    """Hands come and go, and pictures are lost."""
    for _ in range(game.rng.randint(1, 6)):
        game.tell(events.FrameMoving(0.0, 0))
        game.evening.look(pictures=game.rng.randint(0, 1))
    game.tell(events.FrameLost(0.0, 0, "camera", "dark"))
    play(game)


def try_plays(game: Honest) -> None:
    """Try other plays, lawful and not, and take them back."""
    for _ in range(2):
        wrong = cheated(game.rng.choice(sorted(CHEATS)), game.position, game.side, game.roll, game.rng)
        game.move(wrong or game.rng.choice(game.ends), pictures=game.rng.randint(1, 4))
        game.move(game.position)
    play(game)


def roll_again(game: Honest) -> None:
    """The roll is void by agreement, and another one is thrown; the first one of a game stands."""
    if game.played:
        game.evening.say(ruled.RollVoided(game.side))
        game.roll = Roll.from_dice(*thrown(game.rng))
        game.throw(*game.roll.dice)
        game.choose()
    play(game)


def type_roll(game: Honest) -> None:
    """Another roll is typed, since nobody sees the dice; a camera sees them when the play is made."""
    if game.played:
        game.evening.say(ruled.RollVoided(game.side))
        game.evening.film.dice = ()
        game.evening.look(pictures=5)
        game.roll = Roll.from_dice(*thrown(game.rng))
        game.evening.say(ruled.Rolled(game.side, game.roll))
        game.choose()
        game.move()
        if game.evening.settings.dice is DiceFrom.CAMERA:
            game.evening.show_dice(*game.roll.dice, SHARP, pictures=4)
        game.stop()
    else:
        play(game)


def reopen(game: Honest) -> None:
    """Ask for a legal play to be corrected, or left standing."""
    play(game)
    game.settle()
    game.tell(events.Correct(0.0))
    game.tell(events.LetStand(0.0, str(game.side.opponent)))
    game.evening.look()


def press_early(game: Honest) -> None:
    """Say that the turn is over while the hand is still there."""
    game.tell(events.FrameMoving(0.0, 0))
    game.stop()
    game.evening.t += 0.5
    game.evening.look(game.end)


def resign_in_vain(game: Honest) -> None:
    """Offer to resign; the opponent refuses."""
    game.tell(events.Said(0.0, ruled.Resigned(game.side, 1), str(game.side)))
    game.tell(events.Said(0.0, ruled.ResignationRefused(game.side.opponent), str(game.side.opponent)))
    play(game)


DEEDS: Final[tuple[Callable[[Honest], None], ...]] = (
    *(play, say_first, say_after, say_other, say_other_first, break_off, dispute, have_ruled),
    *(take_back, take_back_late, ask_to_take_back, press_twice, press_wrong_clock, rebuild),
    *(start_again, start_again_after, wave, try_plays, roll_again, type_roll, reopen, press_early),
    resign_in_vain,
)
SAY_OTHER: Final = (say_other, say_other_first)
