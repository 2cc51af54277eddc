"""Players who go by what they hear: no screen, no lights, only voice, dice and buttons."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from controller.devices.link.happenings import Button
from controller.referee.actions import GameEnded
from controller.rules import START, Position, Roll, Side
from controller.rules.moves.movement import STANDARD
from controller.rules.moves.plays import legal_plays
from controller.speech.spoken import Spoken, spoken_forms
from tests.referee.staging import cheated, clear_breach, thrown
from tests.speech.listening import NAMES, Table

LONGEST = 400
CHEAT_EVERY = 5
DOUBLE_EVERY = 4
"""So often a play is made with a wrong number, and the cube is turned, where there is a chance."""
PATIENCE = 5
"""So often the board is looked at again until something is said."""
NAMED = {name: side for side, name in NAMES.items()}


@cache
def pattern(language: str, group: str, entry: str) -> re.Pattern[str]:
    """A sentence of the spoken forms, as somebody who listens recognises it."""
    text = spoken_forms(language).entries(group)[entry]
    parts = re.split(r"\{(\w+)\}", text)
    gaps = {"side": "|".join(NAMED), "roll": "|".join(rolls(language))}
    made = (
        f"(?P<{part}>{gaps.get(part, '[^.?:]+?')})" if n % 2 else re.escape(part)
        for n, part in enumerate(parts)
    )
    return re.compile("".join(made))


@cache
def rolls(language: str) -> dict[str, Roll]:
    """What each roll is called."""
    dice = combinations_with_replacement(range(1, 7), 2)
    return {Spoken(language).roll(high, low): Roll(high, low) for low, high in dice}


@cache
def steps(language: str) -> dict[str, tuple[int, int]]:
    """What each way back of a checker is called: from anywhere but to the tray."""
    spoken = Spoken(language)
    return {spoken.step(source, target): (source, target) for source in range(26) for target in range(1, 26)}


@dataclass
class Blind:
    """Two players with checkers, dice and buttons. They know what they hear, and what lies on the board."""

    table: Table
    turns: int = 0
    known: int = 0
    owner: Side | None = None
    cube_in_play: bool = True
    before: Position = START
    rolled: tuple[Side, Roll] = (Side.LIGHT, Roll(2, 1))

    def found(self, group: str, entry: str) -> re.Match[str] | None:
        """The last such sentence among what was said since anybody did something."""
        text = " ".join(each.text for each in self.table.said[self.known :])
        return next(reversed(list(pattern(self.table.language, group, entry).finditer(text))), None)

    def play(self, games: int = LONGEST) -> None:
        """A match, from the first roll to its end, or so many games of it."""
        self.table.look(START)
        for _ in range(LONGEST):
            if self.found("score", "match_won") or len(self.table.of(GameEnded)) == games:
                return
            said = len(self.table.said)
            self.go_on()
            self.known = said
            for _ in range(PATIENCE):
                if len(self.table.said) == said:
                    self.table.look()
            assert len(self.table.said) > said, f"nothing was said after: {self.table.said[-1].text}"
        raise AssertionError("the match does not end")

    def go_on(self) -> None:
        """Do what the latest sentence asks for."""
        table = self.table
        if found := self.found("cube", "takes"):
            self.owner = NAMED[found["side"]]
        if self.found("score", "game"):
            self.owner, self.cube_in_play = None, not self.found("score", "crawford")
        if self.found("request", "take_or_pass"):
            table.press(Button.TAKE if self.turns % 2 else Button.DROP)
        elif found := self.found("illegal", "back"):
            self.put_back(found["steps"])
        elif found := self.found("request", "to_roll"):
            self.begin_turn(NAMED[found["side"]])
        elif self.found("score", "game_won"):
            table.look(START)
        elif found := self.found("roll_call", "starts") or self.found("roll_call", "rolled"):
            self.move(NAMED[found["side"]], rolls(table.language)[found["roll"]])
        else:
            table.roll(*thrown(table.rng))

    def begin_turn(self, side: Side) -> None:
        """Roll, or double first."""
        self.turns += 1
        if self.turns % DOUBLE_EVERY == 0 and self.cube_in_play and self.owner in (None, side):
            self.table.press(Button.DOUBLE)
            return
        self.table.roll(*thrown(self.table.rng))

    def move(self, side: Side, roll: Roll) -> None:
        """The checkers are moved as the roll allows; now and then they are not."""
        table = self.table
        if self.turns % CHEAT_EVERY == 0:
            bad = cheated("wrong_distance", table.shown, side, roll, table.rng)
            if bad is not None and clear_breach(table.shown, side, roll, bad):
                self.before, self.rolled = table.shown, (side, roll)
                table.move(bad, 2)
                table.done()
                return
        self.play_legally(table.shown, side, roll)

    def play_legally(self, position: Position, side: Side, roll: Roll) -> None:
        """Any play of the roll, and its end."""
        said = len(self.table.said)
        plays = legal_plays(position, side, roll, STANDARD)
        self.table.move(self.table.rng.choice(plays).after if plays else position, 2)
        if len(self.table.said) == said:
            self.table.done()

    def put_back(self, told: str) -> None:
        """The checkers go where the voice says, and then the roll is played rightly."""
        side, roll = self.rolled
        board = self.table.shown if side is Side.LIGHT else self.table.shown.mirrored()
        counts = [*board.points, board.bar(Side.LIGHT), board.bar(Side.DARK)]
        others = self.found("illegal", "back_others")
        self.carry(counts, told, 1)
        self.carry(counts, others["steps"] if others else "", -1)
        back = Position.from_counts(counts[:24], counts[24], counts[25])
        stood = back if side is Side.LIGHT else back.mirrored()
        assert stood == self.before, told
        self.table.move(stood, 2)
        self.play_legally(stood, side, roll)

    def carry(self, counts: list[int], told: str, own: int) -> None:
        """Carry checkers as the voice says: the mover's with ``own`` 1, the opponent's with -1."""
        bar = 24 if own == 1 else 25
        for source, target in (steps(self.table.language)[step] for step in told.split(", ") if step):
            for place, change in ((source, -1), (target, 1)):
                if place == 25:
                    counts[bar] += change
                elif place:
                    counts[place - 1] += own * change
