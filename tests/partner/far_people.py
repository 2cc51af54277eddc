"""Two people at two linked tables, who press, say and ask for whatever people do, over a line that is cut."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from controller.devices.link.happenings import Button
from controller.referee import events
from controller.referee.actions import Acted, GameEnded, Phase, TurnJudged, TurnUndone
from controller.referee.belief.branches import lawful
from controller.referee.events import DIRECTOR, Said
from controller.referee.table.games import OVER, refusal
from controller.referee.table.rolls import can_roll_be_played
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules import Position, Roll, Side
from controller.rules.game import events as ruled
from tests.partner.far_tables import FarEvening
from tests.referee.staging import CHEATS, cheated, thrown
from tests.referee.table.evening import CLOCK
from tests.referee.table.honest import SHARP

ROUNDS_TO_SETTLE: Final = 60
"""After so many rounds in which both people do what their table waits for, two tables that differ will stay so."""
Plan = tuple[int, int, Roll, Position]


class FarPerson(FarEvening):
    """A table and whoever sits there.

    Attributes:
        rng: what they do.
        meant: how each play ends that they make, by game, ply, roll and position.
        cheats: whether they try what they may not.
    """

    def __init__(self, own: Side, settings: Settings, rng: Random, *, cheats: bool = False) -> None:
        super().__init__(own, settings)
        self.rng, self.cheats = rng, cheats
        self.meant: dict[Plan, Position] = {}

    @property
    def plays(self) -> bool:
        """Whether they have a roll to play."""
        thrown_ = self.table.thrown
        return self.table.phase is Phase.MOVING and thrown_ is not None and thrown_.side is self.own

    @property
    def carries(self) -> bool:
        """Whether they have a play of the other side to carry out."""
        return self.table.phase is Phase.MOVING and self.table.announced is not None

    @property
    def rolls(self) -> bool:
        """Whether they are to roll."""
        table = self.table
        due = table.phase is Phase.TO_ROLL and table.match.game.turn is self.own
        return due and can_roll_be_played(table, self.own)

    def ends(self) -> tuple[Position, ...]:
        """Where the roll being played may lead."""
        playing = self.table.playing
        assert playing.side is not None
        return lawful(self.table.position, playing.side, playing.roll, self.table.caution.rules)

    def end(self) -> Position:
        """Where the play ends that they make of their roll."""
        table = self.table
        plan = (table.match.number, table.ply, table.playing.roll, table.position)
        return self.meant.setdefault(plan, self.rng.choice(self.ends()))

    def speak(self, event: ruled.RulesEvent, by: str = "") -> None:
        """Say something, as the person here or as somebody else."""
        self.tell(Said(self.t, event, by or str(self.own)))

    def stop(self) -> None:
        """Say that the turn is over."""
        if self.table.phase in (Phase.MOVING, Phase.TO_ROLL):
            self.press(CLOCK[self.own] if self.settings.clock else Button.DONE)

    def throw(self) -> None:
        """Roll, or at the opening roll the own die."""
        dice = thrown(self.rng)
        if self.settings.dice is not DiceFrom.CAMERA:
            self.roll(*dice)
            return
        if self.film.dice:
            self.lift_dice()
        self.film.roll(dice, reported=False)
        lying = self.film.dice[:1] if self.table.phase is Phase.OPENING_ROLL else self.film.dice
        self.film.dice = tuple(replace(die, confidence=SHARP) for die in lying)
        self.look(pictures=4)

    def act(self, *, rolls: bool = True) -> None:
        """Do what the table waits for, as far as it waits for somebody here."""
        table, own = self.table, self.own
        if table.undo_asked is own.opponent and self.rng.random() < 0.5:
            self.speak(ruled.TakenBack(own))
            return
        match table.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                self._lay_out()
            case Phase.PAUSED | Phase.DISPUTE:
                self.tell(events.GoOn(self.t))
            case Phase.OPENING_ROLL if own not in table.opening:
                self.throw()
            case Phase.TO_ROLL if table.match.game.turn is own and rolls:
                self._begin_turn()
            case Phase.MOVING if self.carries:
                self.move(table.announced or table.position, pictures=3)
                if self.carries:
                    self.press(Button.DONE)
            case Phase.MOVING if self.plays:
                self.move(self.end(), pictures=self.rng.randint(2, 4))
                self.stop()
            case Phase.TURN_ENDED:
                self._settle()
            case Phase.PUT_RIGHT if table.flagged is not None and table.flagged.side is own:
                self.move(table.flagged.before if self.rng.random() < 0.5 else self.end(), pictures=3)
            case Phase.CUBE_OFFERED if table.on_turn is own:
                self._answer(ruled.Beavered, ruled.Taken, ruled.Taken, ruled.Passed)
            case Phase.RESIGNATION_OFFERED if table.on_turn is own:
                refuse = ruled.ResignationRefused
                self._answer(refuse, refuse, refuse, ruled.ResignationAccepted)

    def _lay_out(self) -> None:
        phase, back = self.table.phase, self.table.back
        self.move(self.table.target or self.table.position, pictures=3)
        if back and (self.table.phase, self.table.back) == (phase, back):
            self.tell(events.GoOn(self.t))

    def _begin_turn(self) -> None:
        if not self.rolls:
            self.stop()
        elif self.rng.random() < 0.05 and refusal(self.table.match, ruled.Doubled(self.own)) is None:
            self.speak(ruled.Doubled(self.own))
        else:
            self.throw()

    def _settle(self) -> None:
        """Look, and say what was played if that is not enough."""
        self.look()
        if self.table.phase is not Phase.TURN_ENDED:
            return
        if self.table.announced is None:
            self.speak(ruled.Played(self.own, self.end(), None))
            return
        self.move(self.table.announced)
        if self.table.announced is not None:
            self.speak(ruled.Played(self.own.opponent, self.table.announced, None))

    def _answer(self, *answers: Callable[[Side], ruled.RulesEvent]) -> None:
        allowed = [each for each in answers if refusal(self.table.match, each(self.own)) is None]
        self.speak(self.rng.choice(allowed)(self.own))

    def record(self) -> list[tuple[object, ...]]:
        """What counts in the record: turns that were not taken back, and the ends of games."""
        found: list[tuple[object, ...]] = []
        for each in self.actions:
            match each:
                case TurnJudged():
                    wrong = each.legal is False
                    found.append(("turn", each.ply, each.side, each.roll, each.after, wrong, each.stands))
                case TurnUndone(ply=ply):
                    while found and found[-1][0] == "turn" and int(str(found[-1][1])) >= ply:
                        found.pop()
                case GameEnded(result=result, score=score):
                    found.append(("game", result, score))
                case Acted(event=ruled.Doubled() | ruled.Taken() | ruled.Passed() | ruled.Beavered() as said):
                    found.append(("cube", said))
        return found


class FarPair:
    """Both people, and the line between them."""

    def __init__(self, settings: Settings, seed: int, *, cheats: bool = False) -> None:
        self.rng = Random(seed)
        self.people = [
            FarPerson(side, settings, Random(2 * seed + number), cheats=cheats)
            for number, side in enumerate(Side)
        ]
        self.up = True
        self.done: list[str] = []

    @property
    def over(self) -> bool:
        return all(each.table.phase is Phase.MATCH_OVER for each in self.people)

    def step(self, odd: float) -> None:
        """Something happens: at the line, and at one of the tables; ``odd`` is the chance that it is an odd deed."""
        if self.rng.random() < (0.08 if self.up else 0.25):
            self.up = not self.up
            self.done.append("line mended" if self.up else "line cut")
        if self.up and self.rng.random() < 0.7:
            self._pass_on(self.rng.choice((1.0, 1.0, 0.6)))
        person = self.rng.choice(self.people)
        if self.rng.random() < 0.8:
            person.hear()
        if self.rng.random() < odd:
            deed = self.rng.choice(DEEDS)
            self.done.append(f"{person.own} {deed.__name__}")
            deed(person)
        else:
            person.act()

    def _pass_on(self, share: float = 1.0) -> None:
        """What was not heard is told, after a cut also what was; the line may break on the way."""
        for one, other in (self.people, self.people[::-1]):
            known = other.line.received
            for message in one.line.messages(max(0, known - self.rng.randint(0, 2))):
                if self.rng.random() >= share:
                    break
                other.line.hear(message)

    def settle(self) -> bool:
        """The line holds, and both do what their tables wait for, but for rolling; whether both come to the same."""
        self.up = True
        for _ in range(ROUNDS_TO_SETTLE):
            for _ in range(2):
                self._pass_on()
                for each in self.people:
                    each.hear()
            if self._agree():
                return True
            for each in self.people:
                each.hear()
                each.act(rolls=False)
        return False

    def _agree(self) -> bool:
        one, other = self.people
        heard = one.line.told == other.line.received and other.line.told == one.line.received
        waits = any(each.line.first() is not None for each in self.people)
        same = one.table.phase is other.table.phase
        return same and heard and not waits and one.table.phase in (Phase.TO_ROLL, Phase.MATCH_OVER)


def pause(at: FarPerson) -> None:
    """Pause; sometimes checkers are pushed about and put back meanwhile."""
    lay = at.shown
    at.tell(events.Pause(at.t))
    if at.rng.random() < 0.5:
        at.move(_elsewhere(at), pictures=3)
        at.move(lay, pictures=3)
        at.tell(events.GoOn(at.t))


def dispute(at: FarPerson) -> None:
    """Call for a ruling; sometimes go on."""
    at.tell(events.Disputed(at.t))
    if at.rng.random() < 0.5:
        at.look()
        at.tell(events.GoOn(at.t))


def press(at: FarPerson) -> None:
    """Press a button that says nothing about an own turn that is not over."""
    button = at.rng.choice(
        (Button.DONE, Button.PAUSE, Button.TAKE, Button.DROP, Button.DOUBLE, *CLOCK.values())
    )
    answers = at.table.phase is Phase.RESIGNATION_OFFERED or at.table.phase is Phase.CUBE_OFFERED
    if not at.plays and not (answers and at.rng.random() < 0.7):
        at.press(button)


def rebuild(at: FarPerson) -> None:
    """Checkers are pushed about, and laid out again as the table shows."""
    if at.table.phase not in OVER:
        at.move(_elsewhere(at), pictures=1)
        at.tell(events.Rebuild(at.t))


def take_back(at: FarPerson) -> None:
    """Wish the last turn taken back."""
    at.speak(ruled.TakenBack(at.own), DIRECTOR if at.rng.random() < 0.2 else "")


def bump(at: FarPerson) -> None:
    """Checkers are pushed about and put back."""
    lay = at.shown
    at.move(_elsewhere(at), pictures=at.rng.randint(1, 4))
    at.move(lay, pictures=at.rng.randint(1, 4))


def wave(at: FarPerson) -> None:
    """Hands come and go, and pictures are lost."""
    for _ in range(at.rng.randint(1, 5)):
        at.tell(events.FrameMoving(at.t, 0))
        at.look(pictures=at.rng.randint(0, 1))
    at.tell(events.FrameLost(at.t, 0, "camera", "dark"))


def roll_out_of_turn(at: FarPerson) -> None:
    """Throw the dice while the other side is to."""
    if at.settings.dice is DiceFrom.ELECTRONIC and not at.plays:
        at.roll(*thrown(at.rng))


def roll_again(at: FarPerson) -> None:
    """Throw once more, by agreement or not."""
    if not at.plays:
        return
    if at.rng.random() < 0.5:
        at.move(at.table.position)
        at.speak(ruled.RollVoided(at.own))
        if at.rolls:
            at.speak(ruled.Rolled(at.own, Roll.from_dice(*thrown(at.rng))))
    elif at.settings.dice is DiceFrom.ELECTRONIC:
        at.roll(*thrown(at.rng))


def type_roll(at: FarPerson) -> None:
    """Type the roll instead of throwing."""
    if at.rolls:
        at.speak(ruled.Rolled(at.own, Roll.from_dice(*thrown(at.rng))))
    elif at.table.phase is Phase.OPENING_ROLL:
        at.speak(ruled.OpeningRoll(*thrown(at.rng)))


def try_plays(at: FarPerson) -> None:
    """Try other plays, lawful and not, and take them back."""
    for _ in range(2):
        if at.plays:
            before = at.table.position
            at.move(_wrong(at) or at.rng.choice(at.ends()), pictures=at.rng.randint(1, 4))
            at.move(before)


def cheat(at: FarPerson) -> None:
    """Play what is not allowed."""
    if at.cheats and at.plays and (wrong := _wrong(at)) is not None:
        at.move(wrong, pictures=3)
        at.stop()


def say_play(at: FarPerson) -> None:
    """Say what is played, before or after moving."""
    if at.plays:
        end = at.end()
        if at.rng.random() < 0.5:
            at.move(end, pictures=at.rng.randint(0, 3))
        at.speak(ruled.Played(at.own, end, None))
        at.move(end)


def hurry(at: FarPerson) -> None:
    """Move, and say twice or too early that the turn is over."""
    if at.plays:
        end = at.end()
        if at.rng.random() < 0.5:
            at.tell(events.FrameMoving(at.t, 0))
            at.stop()
            at.look(end)
        else:
            at.move(end)
            at.stop()
            at.press(Button.DONE)


def carry_wrong(at: FarPerson) -> None:
    """Carry out another play, say that it is done, and then perhaps carry out the right one."""
    if not at.carries:
        return
    right = at.table.announced
    assert right is not None
    at.move(at.rng.choice(at.ends()), pictures=at.rng.randint(1, 4))
    if at.carries and at.rng.random() < 0.5:
        at.press(Button.DONE)
    if at.rng.random() < 0.5:
        at.move(_elsewhere(at), pictures=at.rng.randint(1, 4))
    if at.rng.random() < 0.8:
        at.move(right, pictures=3)


def carry_by_word(at: FarPerson) -> None:
    """Say that a play of the other side lies there."""
    if at.carries and at.table.announced is not None:
        at.speak(ruled.Played(at.own.opponent, at.table.announced, None), at.rng.choice(("", DIRECTOR)))


def resign(at: FarPerson) -> None:
    """Offer to resign."""
    if at.rng.random() < 0.4:
        at.speak(ruled.Resigned(at.own, at.rng.randint(1, 3)))


def double(at: FarPerson) -> None:
    """Offer the cube, whoever is to roll."""
    at.speak(ruled.Doubled(at.own))


def remark(at: FarPerson) -> None:
    """Say what makes no difference, or makes no sense now."""
    choice: tuple[events.Event, ...] = (
        events.LetStand(at.t, str(at.own)),
        events.Correct(at.t),
        events.HintAsked(at.t, at.rng.randint(0, 3)),
        events.BoardTroubled(at.t, "power_cut"),
        events.FlagFell(at.t, at.own),
        events.Stopped(at.t),
    )
    at.tell(at.rng.choice(choice))


def rule(at: FarPerson) -> None:
    """The director comes to this table and rules how the board lies, or ends the game or the match."""
    table, which = at.table, at.rng.random()
    if table.phase in OVER or table.match.game.turn is None:
        return
    if which < 0.2:
        at.tell(events.PositionRuled(at.t, table.position, table.match.game.turn, DIRECTOR))
    elif which < 0.4:
        other = lawful(table.position, at.own, Roll(2, 1))[0]
        at.tell(events.PositionRuled(at.t, other, at.rng.choice([*Side]), DIRECTOR))
    elif which < 0.44:
        at.speak(ruled.GameAwarded(at.rng.choice([*Side]), at.rng.randint(1, 2)), DIRECTOR)
    elif which < 0.46:
        at.speak(ruled.MatchForfeited(at.own), DIRECTOR)


def start_again(at: FarPerson) -> None:
    """The program of this table ends and starts again from its journal."""
    at.connect()
    at.tell(events.Resumed(at.t))
    at.look(pictures=at.rng.choice((0, 3)))


def wait(at: FarPerson) -> None:
    """Time goes by."""
    at.t += at.rng.choice((1, 5, 20))
    at.tell(events.Ticked(at.t))


def _elsewhere(at: FarPerson) -> Position:
    """A board on which somebody has pushed checkers about."""
    return lawful(at.shown, at.rng.choice([*Side]), Roll(5, 3))[0]


def _wrong(at: FarPerson) -> Position | None:
    playing = at.table.playing
    return cheated(at.rng.choice(sorted(CHEATS)), at.table.position, at.own, playing.roll, at.rng)


DEEDS: Final[tuple[Callable[[FarPerson], None], ...]] = (
    *(pause, dispute, press, press, rebuild, take_back, take_back, bump, wave, roll_out_of_turn, roll_again),
    *(type_roll, try_plays, cheat, cheat, say_play, hurry, carry_wrong, carry_wrong, carry_by_word, resign),
    *(double, remark, rule, start_again, start_again, wait),
)
